"""Paint pictures with matplotlib: marks go where :mod:`geodp.core.pictures.sheet` has put them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import GeodpError, InputError
from ..core.pictures.drawing import INK, NOWHERE
from ..core.pictures.marks import Dots, Pixels, Shapes, Words
from ..core.pictures.sheet import ENTRY, LEGEND, NOTE, SUBTITLE, fitted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.pictures.drawing import Edges
    from ..core.pictures.marks import Mark
    from ..core.pictures.sheet import Around, Sheet, Swatch

_AS_IT_IS: dict[str, Any] = {"parse_math": False, "usetex": False}
"""For words of others: matplotlib would read formulas between dollar signs, or hand them to TeX."""

_GROUND, _STEP = 1.0, 1e-3
"""Where marks lie among what others draw: in their order, below matplotlib's lines and words."""


def paint(figure: Figure, sheet: Sheet) -> list[Axes]:
    """Paint a picture on a figure of its own, and return the axes of its maps."""
    from matplotlib.transforms import Affine2D

    wide, high = sheet.size
    figure.set_size_inches(wide, high)
    axes = []
    for panel in sheet.maps:
        left, top, across, down = panel.place
        place = (left / wide, 1 - (top + down) / high, across / wide, down / high)
        axes.append(figure.add_axes(place, label=panel.name))
        paint_map(axes[-1], panel.marks, panel.box)
    # Inches from the upper left corner.
    inches = Affine2D().scale(1, -1).translate(0, high) + figure.dpi_scale_trans
    for mark in sheet.marks:
        _paint(figure, mark, {"transform": inches, "clip_on": False})
    return axes


def paint_map(ax: Any, marks: Iterable[Mark], box: Edges) -> None:
    """Paint a map on axes, which show its box and no more."""
    ax.set_facecolor(NOWHERE)
    for number, mark in enumerate(marks):
        _paint(ax, mark, {"zorder": _GROUND + _STEP * number, "transform": ax.transData})
    xmin, ymin, xmax, ymax = box
    ax.set(xlim=(xmin, xmax), ylim=(ymin, ymax), xticks=[], yticks=[], aspect="equal")
    for side in ax.spines.values():
        side.set(color="#999999", linewidth=0.6)


def paint_around(ax: Any, words: Around) -> None:
    """Write heading, legends and note around a map on axes that somebody else has placed."""
    wide = float(ax.figure.bbox.width / ax.figure.dpi)
    style: dict[str, Any] = {"loc": "left", **_AS_IT_IS}
    ax.set_title(fitted(words.heading, SUBTITLE, wide - 0.9), fontsize=SUBTITLE, color=INK, **style)
    space = 4
    for number, key in reversed(list(enumerate(words.keys))):
        columns = 2 if number and wide > 6 else 1
        place: dict[str, Any] = {
            "ncols": columns,
            "bbox_to_anchor": (0, 0) if number else (1.01, 1),
        }
        look = {"frameon": False, "labelcolor": INK, "handlelength": 1.6, "alignment": "left"}
        labels = [swatch.label for swatch in key.swatches]
        handles = list(map(_handle, key.swatches))
        legend = ax.legend(handles, labels, fontsize=ENTRY, loc="upper left", **look, **place)
        legend.set_title(key.title, {"size": LEGEND})
        legend.get_title().set(color=INK, **_AS_IT_IS)
        if number:  # below the map, where the note makes room for it; the first stays the axes'
            ax.add_artist(legend)
            space += 17 * -(-len(labels) // columns)
    # Beside the legend, the map is narrower.
    note = fitted(words.note, NOTE, 0.7 * wide - 0.9)
    ax.set_xlabel(note, labelpad=space, fontsize=NOTE, color="#666666", **style)


def _handle(swatch: Swatch) -> Any:
    """Return what stands for an entry in a legend of matplotlib."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if swatch.dot:
        return Line2D([], [], marker="o", color=swatch.colour, linestyle="", markersize=3)
    return Patch(facecolor=swatch.colour, edgecolor="#bbbbbb", linewidth=0.5)


def _paint(target: Any, mark: Mark, style: dict[str, Any]) -> None:
    """Paint one mark, on axes or on a figure."""
    if isinstance(mark, Pixels):
        xmin, ymin, xmax, ymax = mark.box
        image = target.imshow(
            mark.colours, extent=(xmin, xmax, ymin, ymax), interpolation="nearest"
        )
        image.set_zorder(style["zorder"])
    elif isinstance(mark, Shapes):
        _paint_shapes(target, mark, style)
    elif isinstance(mark, Dots):
        from matplotlib.lines import Line2D

        look: dict[str, Any] = {
            "marker": "o",
            "markersize": mark.size,
            "markeredgewidth": 0,
            "linestyle": "",
        }
        target.add_artist(
            Line2D(mark.x, mark.y, color=mark.colour, alpha=mark.opacity, **look, **style)
        )
    else:
        _write(target, mark, style)


def _paint_shapes(target: Any, mark: Shapes, style: dict[str, Any]) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not mark.closed:
        lines = np.split(mark.corners, mark.starts[1:-1])
        # Lines on a map are many, and of one look.
        look: dict[str, Any] = {"colors": mark.line, "linewidths": mark.width, **style}
        target.add_artist(LineCollection(lines, capstyle="butt", **look))
        return
    sizes = np.diff(mark.starts)
    ends = np.cumsum(sizes + 1)
    firsts = ends - sizes - 1
    places = np.repeat(mark.starts[:-1] - firsts, sizes + 1) + np.arange(ends[-1])
    codes = np.full(ends[-1], Path.LINETO, dtype=np.uint8)
    codes[firsts], codes[ends - 1] = Path.MOVETO, Path.CLOSEPOLY
    places[ends - 1] = mark.starts[:-1]
    look = {"edgecolor": mark.line or "none", "linewidth": mark.width, "fill": bool(mark.fill)}
    look |= {"facecolor": mark.fill} if mark.fill else {}
    target.add_artist(PathPatch(Path(mark.corners[places], codes), **look, **style))


def _write(target: Any, mark: Words, style: dict[str, Any]) -> None:
    """Write words, with a white edge around them where they lie over a map."""
    from matplotlib import patheffects

    look: dict[str, Any] = {
        "fontsize": mark.size,
        "color": mark.colour,
        "weight": "bold" if mark.bold else "normal",
        "ha": "center" if mark.centred else "left",
        "va": "baseline",
        **_AS_IT_IS,
    }
    if "zorder" not in style:
        target.text(mark.x, mark.y, mark.text, **look, **style)
        return
    look |= {"textcoords": "offset points", "zorder": style["zorder"]}
    # An effect turns letters into shapes, so that the letters themselves are drawn by themselves.
    edge = [patheffects.Stroke(linewidth=mark.halo, foreground="white")]
    for effects in [edge, None] if mark.halo else [None]:
        place, words = (mark.x, mark.y), mark.text
        target.annotate(words, place, mark.offset, path_effects=effects, **look)


def need(package: str) -> None:
    """Say in one sentence that a package for maps is missing, before any work is done."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise GeodpError(
            f"maps need the package {package}, which is not installed: "
            "install it with the extra geodp[plots]."
        )


def figure_bytes(figure: Figure, dpi: float = 130, form: str = "png") -> bytes:
    """Return a picture as the bytes of a file, without a date or anything of this machine."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=dpi)
    return buffer.getvalue()


def sheet_bytes(
    sheet: Sheet, *, dpi: float = 130, form: str = "png", font: str | None = None
) -> bytes:
    """Return a sheet as the bytes of a picture, without touching pyplot's state.

    Parameters
    ----------
    sheet : Sheet
        What to paint.
    dpi : float
        Dots per inch of a PNG.
    form : {"png", "pdf", "svg"}
        Pixels, or shapes and text that stay what they are.
    font : str, optional
        A family of fonts that is installed.
    """
    need("matplotlib")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # Text stays text, and a file says nothing of when and where it was made.
    look: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "geodp"}
    with rc_context(look | font_settings(font)):
        figure = Figure()
        paint(figure, sheet)
        return figure_bytes(figure, dpi, form)


def font_settings(font: str | None) -> dict[str, Any]:
    """Return matplotlib's settings for a family of fonts, or refuse one that is not installed."""
    if font is None:
        return {}
    from matplotlib.font_manager import FontProperties, findfont

    try:
        findfont(FontProperties(family=[font]), fallback_to_default=False)
    except ValueError:
        raise InputError(
            f"`font` must be a family of fonts that is installed; there is no {font!r}."
        ) from None
    return {"font.family": [font, "DejaVu Sans"]}  # for signs that the first may lack
