"""Draw and write maps of what changed between two releases: views, which open as no release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.common.atomic import check_target, known_suffix, whole_file
from ..core.common.types import PathLike
from ..core.pictures.sheet import (
    around_difference,
    difference_marks,
    difference_sheet,
)
from ..core.publish.difference_bands import (
    difference_image,
    difference_statements,
    difference_tags,
)
from ..core.publish.qgis_style import style_qml
from ..core.publish.table import change_promise_columns
from ..sources.layers import boundary_lines
from .painter import need, paint, paint_around, paint_map, sheet_bytes
from .raster import RASTERS, cog
from .vector import SHORT, VECTORS, beside_vector, run_statements, write_answers, write_layer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..core.releases.difference import Difference

_ANSWERS = "change in regions, estimated from two geodp releases, later minus earlier"

_LAYER = "difference"
"""Name of the layer of cells in a GeoPackage."""


def to_geotiff(change: Difference, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the difference and its standard error. See :meth:`geodp.Difference.to_geotiff`."""
    target = Path(path)
    known_suffix(target, RASTERS)
    check_target(target, overwrite=overwrite, beside=(".qml",))
    data = cog(difference_image(change), difference_tags(change))
    with whole_file(target) as built:
        built.write_bytes(data)
        built.with_suffix(".qml").write_text(style_qml(change.legend), encoding="utf-8")


def to_vector(change: Difference, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the cells as polygons. See :meth:`geodp.Difference.to_vector`."""
    target = Path(path)
    suffix = known_suffix(target, VECTORS)
    check_target(target, overwrite=overwrite, beside=beside_vector(suffix))
    style = style_qml(change.legend)
    with whole_file(target) as built:
        write_layer(change.to_geodataframe(), built, _LAYER, difference_tags(change))
        if suffix == ".gpkg":
            run_statements(built, difference_statements(change, _LAYER, "geom"))
        else:
            built.with_suffix(".qml").write_text(style, encoding="utf-8")


def to_answers(
    change: Difference, answers: Any, path: PathLike, *, overwrite: bool = False
) -> None:
    """Write what :meth:`geodp.Difference.query` returned for a layer, or its table as ``.csv``."""
    tags, promised = difference_tags(change, _ANSWERS), change_promise_columns(change)
    write_answers(answers, path, tags, SHORT, promised, overwrite=overwrite)


def plot_difference(change: Difference, ax: Axes | None = None, *, boundary: Any = None) -> Axes:
    """Draw the difference. See :meth:`geodp.Difference.plot`."""
    need("matplotlib")
    lines = boundary_lines(boundary, change.domain)
    if ax is None:
        from matplotlib import pyplot

        return paint(pyplot.figure(), difference_sheet(change, lines))[0]
    paint_map(ax, difference_marks(change, lines), change.domain.bounds)
    paint_around(ax, around_difference(change))
    return ax


def difference_png(change: Difference, *, boundary: Any = None, dpi: float = 130) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    sheet = difference_sheet(change, boundary_lines(boundary, change.domain))
    return sheet_bytes(sheet, dpi=dpi)
