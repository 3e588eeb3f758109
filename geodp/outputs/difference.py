"""Maps of what changed between two releases, drawn and as GeoTIFF: views, and no releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.atomic import check_target, known_suffix, whole_file
from ..core.publish.difference_bands import (
    difference_image,
    difference_statements,
    difference_tags,
    title_of,
)
from ..core.publish.drawing import INK, classes_of_values, fitted, size_of, source_of
from ..core.publish.picture import picture_cells
from ..core.publish.qgis_style import qml_of
from ..core.publish.raster_cells import values_on
from ..core.publish.table import change_promise_columns
from ..sources.layers import read_boundary
from .plot import AS_IT_IS, draw_classes, draw_frame, legend_entries, need, png_of
from .raster import RASTERS, cog
from .scale_bar import draw_scale
from .vector import SHORT, VECTORS, beside_vector, run_statements, write_answers, write_layer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..core.releases.difference import Difference, PathLike

_ANSWERS = "change in regions, estimated from two geodp releases, later minus earlier"

_LAYER = "difference"
"""Name of the layer of cells in a GeoPackage."""


def to_geotiff(found: Difference, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the difference and its standard error. See :meth:`geodp.Difference.to_geotiff`."""
    target = Path(path)
    known_suffix(target, RASTERS)
    check_target(target, overwrite=overwrite, beside=(".qml",))
    data = cog(difference_image(found), difference_tags(found))
    with whole_file(target) as built:
        built.write_bytes(data)
        built.with_suffix(".qml").write_text(qml_of(found.legend), encoding="utf-8")


def to_vector(found: Difference, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the cells as polygons. See :meth:`geodp.Difference.to_vector`."""
    target = Path(path)
    suffix = known_suffix(target, VECTORS)
    check_target(target, overwrite=overwrite, beside=beside_vector(suffix))
    style = qml_of(found.legend)
    with whole_file(target) as built:
        write_layer(found.to_geodataframe(), built, _LAYER, difference_tags(found))
        if suffix == ".gpkg":
            run_statements(built, difference_statements(found, _LAYER, "geom"))
        else:
            built.with_suffix(".qml").write_text(style, encoding="utf-8")


def to_answers(found: Difference, answers: Any, path: PathLike, *, overwrite: bool = False) -> None:
    """Write what :meth:`geodp.Difference.query` returned for a layer, or its table as ``.csv``."""
    tags, promised = difference_tags(found, _ANSWERS), change_promise_columns(found)
    write_answers(answers, path, tags, SHORT, promised, overwrite=overwrite)


def plot_difference(found: Difference, ax: Axes | None = None, *, boundary: Any = None) -> Axes:
    """Draw the difference. See :meth:`geodp.Difference.plot`."""
    need("matplotlib")
    outline = read_boundary(boundary, found.domain)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=size_of(found), layout="constrained")[1]
    legend = found.legend
    cells = picture_cells(found.cells)
    counts, variance = values_on(found, cells)
    shown = counts if legend.field == "difference" else counts / np.sqrt(variance)
    draw_classes(cells, legend, classes_of_values(legend, shown), ax)
    if outline is not None:
        outline.plot(ax=ax, color=INK, linewidth=0.6, aspect=None)
    draw_frame(found, ax)
    words = legend.words if legend.field == "difference" else f"difference in {legend.words}"
    handles, labels = legend_entries(legend)
    style: dict[str, Any] = {
        "frameon": False,
        "fontsize": 8,
        "title_fontsize": 9,
        "bbox_to_anchor": (1.01, 1),
    }
    ax.legend(handles[::-1], labels[::-1], title=fitted(words, 9, 2.4), loc="upper left", **style)
    draw_scale(found.domain, ax, outline)
    wide = size_of(found)[0]
    heading = fitted(title_of(found, "\n"), 11, wide)
    ax.set_title(heading, fontsize=11, color=INK, loc="left", **AS_IT_IS)
    sources = dict.fromkeys(source_of(side.about) for side in (found.later, found.earlier))
    source = fitted("; ".join(filter(None, sources)), 8, wide)
    ax.set_xlabel(source, fontsize=8, color=INK, loc="left", **AS_IT_IS)
    return ax


def difference_png(found: Difference, *, boundary: Any = None, dpi: int = 130) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(found), layout="constrained")
    plot_difference(found, figure.add_subplot(), boundary=boundary)
    return png_of(figure, dpi)
