"""Ask for the polygons of a public layer as cells: counts for districts. Public."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..cells.district_cells import DistrictCells
from ..common.errors import InputError


class Districts:
    """Ask for one count for each polygon of a public layer, borders exact.

    Every district is measured with all of ε, so its error is that of the noise alone. No domain is
    needed: districts say where records are counted. Records in no district are dropped.

    Parameters
    ----------
    layer : GeoDataFrame, GeoSeries or path, or a sequence of these
        Public polygons that do not overlap, in any CRS; ``"areas.gpkg|layername=counties"`` is
        one layer of a file that holds several. Of several layers, such as
        ``["states.gpkg", "counties.gpkg"]``, the last has the districts and each nests in the one
        before: a unit is the union of the districts that lie in it.
    name : str, optional
        Column that names the districts; by default the first that has another text in every row.
        Rows are numbered where there is no text.
    levels : sequence of str, optional
        Columns that say which larger units hold each district, from the largest down to the
        districts themselves: ``["state", "county"]``. Counts of all levels then agree. Rows that
        are alike on all levels are one district. Of several layers, the column that names the
        units of each.
    within : GeoDataFrame, GeoSeries, path or Support, optional
        Where records can be, as in :class:`geodp.Domain`: land, or a raster of population. Records
        elsewhere are dropped, and a part of a district is answered by its share of that instead
        of its area.

    Examples
    --------
    >>> import geopandas, shapely, geodp
    >>> halves = geopandas.GeoDataFrame(
    ...     {"name": ["west", "east"]},
    ...     geometry=[shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)],
    ...     crs="EPSG:5070",
    ... )
    >>> release = geodp.release(([100.0, 700.0], [10.0, 20.0]), epsilon=1, cells=Districts(halves))
    >>> release.to_geodataframe()["district"].tolist()
    ['west', 'east']
    """

    def __init__(
        self,
        layer: Any,
        *,
        name: str | None = None,
        levels: Sequence[str] | None = None,
        within: Any = None,
    ) -> None:
        if isinstance(levels, str):
            raise InputError(f"levels of districts must be a list of columns; got {levels!r}.")
        self.layer, self.name = layer, name
        self.levels = None if levels is None else tuple(levels)
        self.within = within
        self._cells: DistrictCells | None = None

    def __repr__(self) -> str:
        options = {"name": self.name, "levels": list(self.levels or ())}
        options_text = "".join(f", {key}={value!r}" for key, value in options.items() if value)
        options_text += "" if self.within is None else f", within={_shown(self.within)}"
        return f"Districts({_shown(self.layer)}{options_text})"

    @property
    def cells(self) -> DistrictCells:
        """Return the districts as cells; read once."""
        if self._cells is None:
            cells = self.layer
            if not isinstance(cells, DistrictCells):
                from ...sources.districts import read_districts

                cells = read_districts(self.layer, name=self.name, levels=self.levels)
            self._cells = cells if self.within is None else cells.on_support(self.within)
        return self._cells


def _shown(layer: Any) -> str:
    """Write a layer as code: the path of a file, or what it is."""
    if isinstance(layer, (list, tuple)):
        return f"[{', '.join(map(_shown, layer))}]"
    if isinstance(layer, (str, os.PathLike)):
        return repr(os.fspath(layer))
    return f"<{type(layer).__name__}>"
