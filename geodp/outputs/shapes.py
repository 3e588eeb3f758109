"""Draw cells as shapes: the frame of a release, or of a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.publish.columns import cell_columns
from ..core.publish.metadata import release_tags

if TYPE_CHECKING:
    import geopandas

    from ..core.cells.cells import Cells
    from ..core.releases.difference import Difference
    from ..core.releases.published import Published


def cells_frame(mapped: Published | Difference) -> geopandas.GeoDataFrame:
    """Return cells with their columns. See :meth:`geodp.Release.to_geodataframe`."""
    import geopandas

    columns = {**cell_columns(mapped.cells), **mapped.columns()}
    crs = mapped.domain.crs.name
    frame = geopandas.GeoDataFrame(columns, geometry=cell_shapes(mapped.cells), crs=crs)
    frame.attrs.update(geodp_promise=mapped.promise, geodp_counted=mapped.counted)
    return frame


def cells_table(mapped: Published) -> Any:
    """Return cells as a table of GeoArrow. See :meth:`geodp.Release.to_arrow`."""
    import pyarrow

    table = pyarrow.table(cells_frame(mapped).to_arrow(index=False))
    tags = {key.encode(): value.encode() for key, value in release_tags(mapped).items()}
    return table.replace_schema_metadata({**(table.schema.metadata or {}), **tags})


def cell_shapes(cells: Cells) -> Any:
    """Return the outline of each cell: its bounds, or its polygon with holes and islands."""
    import shapely

    polygons = cells.polygons
    if polygons is None:
        return shapely.box(*cells.bounds.T)
    rings = shapely.linearrings(polygons.edges[:, :2], indices=polygons.ring)
    first = [0, *(1 + (polygons.ring[1:] != polygons.ring[:-1]).nonzero()[0])]
    return shapely.build_area(shapely.geometrycollections(rings, indices=polygons.owner[first]))
