"""The map of a release, drawn with matplotlib, or with folium to move about in.

Colours have the meaning of :mod:`geodp.core.publish.legend`: classes from the scale of the noise,
white around zero.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import GeodpError
from ..core.publish.columns import estimate_columns
from ..core.publish.drawing import (
    INK,
    NOWHERE,
    TRUST,
    TRUST_WORDS,
    fitted,
    frame_of,
    heading_of,
    legend_words,
    pixels_of,
    size_of,
    source_of,
)
from ..core.releases.describe import cap_of
from ..sources.layers import read_boundary
from .scale_bar import draw_scale

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.publish.legend import Legend
    from ..core.regions.cells import HasCells
    from ..core.releases.release import Published, Release

_NARROW = 6.0
"""Inches of a figure below which legends have one column."""

_PALENESS = (1.0, 0.6, 0.3, 0.08)
"""How much of its colour a cell keeps, by its relative error."""

AS_IT_IS: dict[str, Any] = {"parse_math": False, "usetex": False}
"""For words of others: matplotlib would read formulas between dollar signs, or hand them to TeX."""

_OFFLINE = (
    '<p style="position: absolute; top: 0; margin: 1em; z-index: -1; font-family: sans-serif">'
    "If no map appears here, there is no network: its scripts and its background come from there. "
    "The map in the report of a release needs none.</p>"
)
"""Lies under a map, and is seen where the map does not load."""


def plot(
    release: Release,
    ax: Axes | None = None,
    *,
    boundary: Any = None,
    uncertainty: bool = False,
) -> Axes:
    """Draw the noisy counts. See :meth:`geodp.Release.plot`."""
    need("matplotlib")
    outline = read_boundary(boundary, release.domain)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=size_of(release), layout="constrained")[1]
    image = draw_counts(release, ax, uncertainty=uncertainty)
    if outline is not None:
        outline.plot(ax=ax, color=INK, linewidth=0.6, aspect=None)
    draw_frame(release, ax)
    draw_legend(release, ax, image)
    draw_scale(release, ax, outline)
    wide = float(ax.figure.bbox.width / ax.figure.dpi)
    heading = fitted(heading_of(release), 11, wide)
    ax.set_title(heading, fontsize=11, color=INK, loc="left", **AS_IT_IS)
    room = 4
    if uncertainty:
        columns = 2 if wide > _NARROW else 1
        ax.legend(**paleness(), loc="upper left", bbox_to_anchor=(0, 0), ncols=columns)
        room = 64 // columns + 4  # the source stands below
    source = fitted(source_of(release.about), 8, wide)
    ax.set_xlabel(source, fontsize=8, color=INK, loc="left", labelpad=room, **AS_IT_IS)
    return ax


def explore(release: Release, **options: Any) -> folium.Map:
    """Show the cells on a map to move about in. See :meth:`geodp.Release.explore`."""
    need("folium")
    cells = release.to_geodataframe()
    legend = release.legend
    classes = legend.classes
    which = np.searchsorted([each.high for each in classes], cells[legend.field].to_numpy())
    colours = np.array(["#{:02x}{:02x}{:02x}".format(*each.colour) for each in classes])
    shown = cells.drop(columns=["id", "left", "top", "right", "bottom"], errors="ignore")
    shown = shown[["count", *(name for name in shown.columns if name != "count")]]
    chosen = {"style_kwds": {"stroke": False, "fillOpacity": 0.7}, **options}
    cap = cap_of(release.method)
    if cap and not {"tooltip", "tooltip_kwds"} & set(options):
        others = [str(name) for name in shown.columns if name not in ("count", "geometry")]
        chosen["tooltip_kwds"] = {"aliases": [f"count ({cap})", *others]}
    page: folium.Map = shown.explore(color=list(colours[which]), **chosen)
    if options.get("m") is None:
        import folium

        page.get_root().html.add_child(folium.Element(_OFFLINE))  # type: ignore[attr-defined]
    return page


def need(package: str) -> None:
    """Say in one sentence that a package for maps is missing, before any work is done."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise GeodpError(
            f"maps need the package {package}, which is not installed: "
            "install it with the extra geodp[plots]."
        )


def png_of(figure: Figure, dpi: int = 130) -> bytes:
    """Return a picture as the bytes of a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    return buffer.getvalue()


def draw_counts(release: Release, ax: Any, *, uncertainty: bool = False) -> Any:
    """Draw the cells in the colours of their classes, and return the image."""
    legend = release.legend
    shown = estimate_columns(release.cells, release.estimate)[legend.field]
    return draw_cells(release, legend, shown, ax, _paleness(release) if uncertainty else None)


def _paleness(release: Release) -> Any:
    """How much of its colour each cell keeps."""
    count, error = release.counts, np.sqrt(release.variance)
    relative = np.divide(error, count, out=np.full(count.shape, np.inf), where=count > 0)
    return np.array(_PALENESS)[np.searchsorted(TRUST, relative)]


def paleness() -> dict[str, Any]:
    """A legend that says what pale colours mean."""
    from matplotlib.patches import Patch

    patches = [Patch(facecolor="#d6241e", alpha=part, linewidth=0) for part in _PALENESS]
    style = {"frameon": False, "fontsize": 8, "labelcolor": INK, "borderaxespad": 0.2}
    return {"handles": patches, "labels": TRUST_WORDS, **style}


def draw_cells(release: HasCells, legend: Legend, shown: Any, ax: Any, pale: Any = None) -> Any:
    """Draw values of cells in the colours of a legend, and return the image.

    Where ``pale`` is given, each cell keeps that part of its colour, over white.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    colours = ListedColormap([[part / 255 for part in each.colour] for each in legend.classes])
    limits = [each.high for each in legend.classes[:-1]]
    # What lies outside gets the colour of the last class.
    norm = BoundaryNorm([2 * limits[0], *limits, 2 * limits[-1]], len(legend.classes), clip=True)
    left, bottom, right, top = frame_of(release)
    place: dict[str, Any] = {"extent": (left, right, bottom, top), "interpolation": "nearest"}
    pixel = pixels_of(release)
    image = np.ma.masked_where(pixel < 0, shown[pixel])
    if pale is not None:
        ax.imshow(np.ma.masked_where(pixel < 0, pixel), cmap=ListedColormap(["white"]), **place)
        place["alpha"] = pale[pixel]
    drawn = ax.imshow(image, cmap=colours, norm=norm, **place)
    _draw_nowhere(release, ax)
    return drawn


def _draw_nowhere(release: HasCells, ax: Any) -> None:
    """Leave the sea empty, also in the parts of cells where no records can be."""
    from matplotlib.colors import ListedColormap

    within = release.domain.within
    if within is None:
        return
    xmin, ymin, xmax, ymax = release.domain.bounds
    nowhere = np.ma.masked_where(within.weights > 0, np.zeros(within.shape))
    ax.set_facecolor(NOWHERE)
    ax.imshow(nowhere, cmap=ListedColormap([NOWHERE]), extent=(xmin, xmax, ymin, ymax))


def draw_frame(release: HasCells, ax: Any) -> None:
    """Show the domain and no more: cells that its edge cuts are cut here as well."""
    xmin, ymin, xmax, ymax = release.domain.bounds
    ax.set(xlim=(xmin, xmax), ylim=(ymin, ymax), xticks=[], yticks=[], aspect="equal")
    ax.set(xlabel="", ylabel="")
    for side in ax.spines.values():
        side.set(color="#999999", linewidth=0.6)


def draw_legend(release: Published, ax: Any, image: Any) -> None:
    """A bar of equal steps with the counts of each class in words."""
    draw_bar(release.legend, ax, image, legend_words(release))


def draw_bar(legend: Legend, ax: Any, image: Any, words: str) -> None:
    """The bar itself, beside the axes."""
    bar = image.figure.colorbar(image, ax=ax, spacing="uniform", fraction=0.05, pad=0.02)
    limits = image.norm.boundaries
    bar.set_ticks((limits[:-1] + limits[1:]) / 2, labels=[each.label for each in legend.classes])
    bar.minorticks_off()
    bar.ax.tick_params(length=0, labelsize=8, labelcolor=INK)
    bar.outline.set(linewidth=0)
    bar.set_label(words, fontsize=9, color=INK, **AS_IT_IS)
