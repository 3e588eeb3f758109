"""Read a public layer of districts: polygons, names, and the larger units that hold them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.cells.district_cells import DistrictCells
from ..core.common.errors import CrsError, InputError
from ..core.districts.district_layer import NamedRows, named_rows, naming_column
from ..core.districts.districts import DistrictMap
from ..core.space.domain import Crs, Domain
from ..core.space.levels import Levels
from .nested_layers import nested_layers
from .regions import polygonal

_POLYGONS = (3, 6)
"""Types of geometries, as shapely numbers them."""


def read_districts(
    layer: Any, *, name: str | None = None, levels: Sequence[str] | None = None
) -> DistrictCells:
    """Take the polygons of a layer as cells, or say what is wrong with it.

    Parameters
    ----------
    layer : GeoDataFrame, GeoSeries or path, or a sequence of these
        Public polygons that do not overlap; several layers nest, the largest units first.
    name : str, optional
        Column that names the districts.
    levels : sequence of str, optional
        Columns with the larger units, from the largest down to the districts: of several layers,
        the column that names the units of each.

    Examples
    --------
    >>> import geopandas, shapely
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> frame = geopandas.GeoDataFrame({"town": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> len(read_districts(frame))
    2
    >>> county = frame.dissolve().assign(county="C")[["county", "geometry"]]
    >>> read_districts([county, frame]).levels
    Levels(1 county, 2 town)
    """
    if isinstance(layer, (list, tuple)):
        frames = [_frame(table) for table in layer]
        frame, levels = nested_layers(frames, name, levels, _shapes)
    else:
        frame = _frame(layer)
    if frame.crs is None:
        raise CrsError("a layer of districts needs a CRS; this one has none: set it first.")
    rows = _named(frame, name, levels)
    shapes, owners = _dissolved(_shapes(frame, rows.row_names), rows.owner)
    districts = DistrictMap.from_arrays(*_rings(shapes, owners), rows.ids, rows.labels)
    bounds = districts.bounds
    crs = Crs.of(frame.crs)
    domain = Domain(bounds, crs, allow_geographic=crs.geographic)
    return DistrictCells(districts, domain, Levels(rows.levels, rows.districts))


ELSEWHERE = "elsewhere"
"""Name of what a layer leaves of a domain."""


def districts_on(layer: Any, domain: Domain, *, name: str | None = None) -> DistrictCells:
    """Take the polygons of a layer on a domain as cells, and what they leave of it as one more.

    Parameters
    ----------
    layer : GeoDataFrame, GeoSeries or path
        Public polygons that do not overlap.
    domain : Domain
        What they divide.
    name : str, optional
        Column that names the districts.

    Examples
    --------
    >>> import geopandas, shapely
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> frame = geopandas.GeoDataFrame({"town": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> districts_on(frame, Domain((0, 0, 1500, 1000), crs="EPSG:5070")).districts.ids
    ('A', 'B', 'elsewhere')
    """
    import geopandas
    import shapely

    if isinstance(layer, DistrictCells):  # records in its gaps count, in no cell
        return DistrictCells(layer.districts, domain, layer.levels)
    frame = _frame(layer)
    names = _named(frame, name, None).row_names
    if frame.crs is None:
        raise CrsError("a layer of districts needs a CRS; this one has none: set it first.")
    frame = frame.to_crs(domain.crs.name)
    extent = shapely.box(*domain.bounds)
    shapes = _shapes(frame, names)
    inside = polygonal(shapely.intersection(shapes, extent))
    kept = shapely.area(inside) > 0
    if not kept.any():
        raise InputError("a layer of districts must reach into the domain; this one does not.")
    parts, labels = list(inside[kept]), [label for label, reaches in zip(names, kept) if reaches]
    left = shapely.difference(extent, shapely.union_all(parts))
    rest = polygonal(np.array([left], dtype=object))[0]
    if shapely.area(rest) > domain.area * 1e-9:
        parts.append(rest)
        labels.append(ELSEWHERE if ELSEWHERE not in labels else f"{ELSEWHERE} in the domain")
    every = geopandas.GeoDataFrame({"name": labels}, geometry=parts, crs=domain.crs.name)
    cells = read_districts(every, name="name")
    return DistrictCells(cells.districts, domain, cells.levels)


def _frame(layer: Any) -> Any:
    import geopandas

    if isinstance(layer, (str, os.PathLike)):
        from .layers import read_layer

        layer = read_layer(layer, "districts")
    if isinstance(layer, geopandas.GeoSeries):
        layer = geopandas.GeoDataFrame(geometry=layer)
    if not isinstance(layer, geopandas.GeoDataFrame):
        raise InputError(
            "districts must be a GeoDataFrame, a GeoSeries or the path of a layer; got a "
            f"{type(layer).__name__}."
        )
    if not len(layer):
        raise InputError("a layer of districts needs one polygon at least; this one is empty.")
    names = layer.columns.map(str)  # pandas also numbers columns
    if not names.is_unique:
        twice = names[names.duplicated()][0]
        raise InputError(
            f"columns of a layer need names that are unlike; {twice!r} is there twice: rename one."
        )
    if not hasattr(layer, "geometry"):
        raise InputError(
            "a layer of districts needs a column of geometries; none is set: use `set_geometry()`."
        )
    kinds = set(layer.geom_type.dropna())
    if kinds and not kinds & {"Polygon", "MultiPolygon", "GeometryCollection"}:
        raise InputError(
            f"districts must be polygons; this layer has none, only geometries of the type "
            f"{' and '.join(sorted(kinds))}: take a layer of areas."
        )
    return layer.rename(columns=str).set_geometry(str(layer.geometry.name))


def _named(frame: Any, name: str | None, levels: Sequence[str] | None) -> NamedRows:
    """Name the rows by columns of the layer."""
    columns = [column for column in frame.columns if column != frame.geometry.name]

    def texts(column: str) -> list[str | None]:
        values = frame[column]
        as_text = values if values.dtype == object else values.astype(str)
        known = values.notna().tolist()
        return [str(name) if here else None for name, here in zip(as_text.tolist(), known)]

    if name is None and levels is None:
        name = naming_column((column, frame[column].tolist()) for column in columns)
    return named_rows(len(frame), columns, texts, name=name, levels=levels)


def _shapes(frame: Any, names: list[str]) -> Any:
    """Return the geometries of the layer, or refuse one that is no valid polygon.

    Of collections, as ``make_valid()`` leaves them, the polygons are taken.
    """
    import shapely

    shapes = shapely.force_2d(frame.geometry.to_numpy())
    missing = shapely.is_missing(shapes) | shapely.is_empty(shapes)
    shapes = polygonal(shapes)
    kinds = shapely.get_type_id(shapes)
    for wrong, words, remedy in (
        (missing, "has no geometry", "draw it, or remove the row"),
        (~missing & ~np.isin(kinds, _POLYGONS), "is no polygon", "take a layer of polygons"),
    ):
        if wrong.any():
            which = names[int(np.flatnonzero(wrong)[0])]
            raise InputError(f"every district must be a polygon; {which!r} {words}: {remedy}.")
    invalid = np.flatnonzero(~shapely.is_valid(shapes))
    if len(invalid):
        which, reason = names[int(invalid[0])], shapely.is_valid_reason(shapes[invalid[0]])
        raise InputError(
            f"every district must be a valid polygon; {which!r} is not ({reason}): mend it with "
            "`make_valid()`."
        )
    return shapes


def _dissolved(shapes: Any, owners: Any) -> tuple[Any, Any]:
    """Join the rows of each district to one geometry: those that are alike on all levels."""
    import shapely

    order = np.argsort(owners, kind="stable")
    first = np.flatnonzero(np.diff(owners[order], prepend=-1))
    parts = np.split(shapes[order], first[1:])
    united = [part[0] if len(part) == 1 else shapely.union_all(part) for part in parts]
    return np.array(united, dtype=object), np.arange(len(united))


def _rings(shapes: Any, owners: Any) -> tuple[Any, Any, Any, Any]:
    """Return corners, starts of rings, districts of rings and whether each is a hole."""
    import shapely

    parts, row = shapely.get_parts(shapes, return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    hole = np.append(False, part[1:] == part[:-1])
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    starts = np.searchsorted(ring, np.arange(len(rings) + 1))
    owner = owners[row[part]]
    # Rings of one district stand together, in the order of districts.
    order = np.argsort(owner, kind="stable")
    lengths = np.diff(starts)[order]
    which = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in order])
    return corners[which], np.append(0, np.cumsum(lengths)), owner[order], hole[order]
