"""The map of a release, drawn with matplotlib, or with folium to move about in.

Pictures show a best guess for the eye, in the classes of :mod:`geodp.core.publish.picture`; other
views show the signed counts, or how far to trust them.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import GeodpError, InputError
from ..core.estimates.answers import checked_reliable
from ..core.publish.dots import dots_of
from ..core.publish.drawing import (
    DOT_COLOUR,
    INK,
    NOWHERE,
    TRUST,
    TRUST_WORDS,
    check_inset,
    classes_of_values,
    dot_words,
    dots_per,
    fitted,
    frame_of,
    grey_words,
    greyed,
    heading_of,
    legend_words,
    note_of,
    page_layout,
    painted_smoothly,
    pixels_of,
    shown_values,
    source_of,
    unsure_cells,
    view_legend,
)
from ..core.publish.picture import MOST_CLASSES, picture_cells
from ..core.regions.district_tree_cells import DistrictTreeCells
from ..core.releases.describe import cap_of
from ..core.space.domain import Domain
from ..sources.layers import read_boundary, read_labels
from .labels import draw_labels
from .scale_bar import draw_scale, write_over

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.common.types import Floats, Ints
    from ..core.publish.drawing import Edges
    from ..core.publish.legend import Legend
    from ..core.regions.cells import Cells, HasCells
    from ..core.regions.polygons import Polygons
    from ..core.releases.release import Published, Release
    from ..sources.layers import Labels

VIEWS = ("best", "signed", "error", "dots", "smooth", "mean")
"""What a map can show."""

_NARROW = 6.0
"""Inches of a figure below which legends have one column."""

_PALENESS = (1.0, 0.6, 0.3, 0.08)
"""How much of its colour a cell keeps, by its relative error."""

_DOT = 1.8
"""Size of a dot, in square points."""

_SEA_COLOUR = tuple(int(NOWHERE[part : part + 2], 16) for part in (1, 3, 5))
"""Colour of where no records can be, as numbers."""

_SEA = 1536
"""Pixels along the longer side of what is drawn over places without records."""

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
    view: str = "best",
    boundary: Any = None,
    uncertainty: bool = False,
    grey: float | None = None,
    labels: Any = None,
    insets: Sequence[Sequence[float]] = (),
) -> Axes:
    """Draw a map. See :meth:`geodp.Release.plot`."""
    need("matplotlib")
    check_view(view)
    check_grey(grey, view)
    outline, names = read_boundary(boundary, release.domain), read_labels(labels, release.domain)
    shown: dict[str, Any] = {"view": view, "uncertainty": uncertainty, "grey": grey}
    shown["labels"] = names
    if ax is None:
        from matplotlib import pyplot

        boxes = [check_inset(box, release.domain) for box in insets]
        return draw_page(pyplot.figure(), release, outline, **shown, insets=boxes)
    if len(insets):
        raise InputError("`insets` need a page of their own: leave out `ax`.")
    draw_map(release, ax, outline, **shown)
    wide = float(ax.figure.bbox.width / ax.figure.dpi)
    draw_legend(release, ax, view, grey, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    heading = fitted(heading_of(release, view), 11, wide)
    ax.set_title(heading, fontsize=11, color=INK, loc="left", **AS_IT_IS)
    room = 4
    if uncertainty:
        _keep_legend(ax)
        columns = 2 if wide > _NARROW else 1
        ax.legend(**paleness(), loc="upper left", bbox_to_anchor=(0, 0), ncols=columns)
        room = 68 // columns + 4  # the source stands below
    words = below(release, view, 0.7 * wide)  # beside the legend, the map is narrower
    style: dict[str, Any] = {"fontsize": 7.5, "color": _GREY, "loc": "left", **AS_IT_IS}
    ax.set_xlabel(words, labelpad=room, **style)
    return ax


def draw_page(
    figure: Figure,
    release: Release,
    outline: Any = None,
    *,
    view: str = "best",
    uncertainty: bool = False,
    grey: float | None = None,
    vector: bool = False,
    width: float | None = None,
    labels: Labels | None = None,
    insets: Sequence[Edges] = (),
) -> Axes:
    """Draw a map with heading, legend and source on a figure of its own."""
    legend = greyed(view_legend(release, view), grey_words(view, grey))
    page = page_layout(
        release.domain,
        heading_of(release, view),
        below(release, view, None),
        # Whatever the classes are, pictures of a domain have the same size.
        max(len(legend.classes), MOST_CLASSES) + (5 if uncertainty else 0),
        width,
        insets,
    )
    wide, high = page.size
    figure.set_size_inches(wide, high)
    left, bottom, across, up = page.place
    ax = figure.add_axes((left / wide, bottom / high, across / wide, up / high))
    shown: dict[str, Any] = {"view": view, "uncertainty": uncertainty, "grey": grey}
    shown["labels"] = labels
    draw_map(release, ax, outline, vector=vector, **shown)
    for number, (box, (x, y, *sides)) in enumerate(zip(insets, page.insets)):
        part = figure.add_axes((x / wide, y / high, sides[0] / wide, sides[1] / high))
        draw_map(release, part, outline, **shown, box=box)
        _mark(ax, part, box, chr(ord("A") + number))
    title, *more = page.heading
    figure.text(
        left / wide,
        1 - 0.14 / high,
        title,
        fontsize=13,
        weight="bold",
        color=INK,
        va="top",
        **AS_IT_IS,
    )
    if more:
        top = 1 - 0.42 / high
        figure.text(left / wide, top, "\n".join(more), fontsize=10, color=INK, va="top", **AS_IT_IS)
    note = "\n".join(page.note)
    figure.text(left / wide, 0.1 / high, note, fontsize=7.5, color=_GREY, va="bottom", **AS_IT_IS)
    x, y = page.legend
    place: dict[str, Any] = {
        "loc": "upper left",
        "bbox_to_anchor": (x / wide, y / high),
        "bbox_transform": figure.transFigure,
        "borderaxespad": 0.0,
        "borderpad": 0.0,
    }
    draw_legend(release, ax, view, grey, ncols=page.columns, **place)
    if uncertainty:
        _keep_legend(ax)
        lower = y - 0.25 - 0.22 * -(-len(legend.classes) // page.columns)
        place["bbox_to_anchor"] = (x / wide, lower / high)
        ax.legend(**paleness(), **place, ncols=min(page.columns, 2))
    return ax


def _mark(ax: Any, part: Any, box: Edges, letter: str) -> None:
    """Draw where an inset lies on the map, and call both by the same letter."""
    from matplotlib.patches import Rectangle

    left, bottom, right, top = box
    line: dict[str, Any] = {"fill": False, "edgecolor": INK, "linewidth": 0.9}
    ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, **line))
    text: dict[str, Any] = {"fontsize": 9, "weight": "bold"}
    write_over(ax, letter, (right, top), (2, 0), va="center", **text)
    write_over(part, letter, (left, top), (4, -11), **text)


def _keep_legend(ax: Any) -> None:
    """Keep the legend of a map where another one is added."""
    ax.add_artist(ax.get_legend())


_GREY = "#666666"
"""Colour of what stands below a map."""


def below(release: Published, view: str, wide: float | None) -> str:
    """Return the lines under a map: source and publisher, and how records are protected."""
    lines = "\n".join(filter(None, [source_of(release.about), note_of(release, view)]))
    return lines if wide is None else fitted(lines, 7.5, wide)


def check_view(view: str) -> None:
    """Refuse a view that no map shows."""
    if view not in VIEWS:
        raise InputError(f"view must be one of {', '.join(map(repr, VIEWS))}; got {view!r}.")


def check_grey(grey: float | None, view: str) -> None:
    """Refuse a share by which no cell can be called uncertain, and views that show none."""
    if grey is None:
        return
    checked_reliable(grey)
    if view in ("error", "dots", "smooth"):
        raise InputError(
            "uncertain cells are grey on maps of counts and means; got `grey` for a view of "
            f"{view}: leave one of them out."
        )


def draw_map(
    release: Release,
    ax: Any,
    outline: Any = None,
    *,
    view: str = "best",
    legend: Legend | None = None,
    uncertainty: bool = False,
    grey: float | None = None,
    vector: bool = False,
    line: float = 0.6,
    bar: bool = True,
    per: int | None = None,
    labels: Labels | None = None,
    box: Edges | None = None,
) -> None:
    """Draw the cells, a public outline over them, the edge of the map and its scale.

    Where ``box`` is given, only that part is shown, with all the cells that it has.
    """
    shared = view_legend(release, view) if legend is None else legend
    cells = picture_cells(release.cells) if box is None else release.cells
    vector = vector or box is not None
    if view == "dots":
        nothing = np.zeros(len(cells), dtype=np.int64)
        draw_classes(cells, shared, nothing, ax, vector=cells.polygons is not None, box=box)
        dots = dots_of(release, per=per, seed=0)
        ax.scatter(dots.x, dots.y, s=_DOT, color=DOT_COLOUR, linewidths=0, alpha=0.75)
    elif view == "smooth":
        _draw_smoothly(release, shared, ax)
    else:
        which = classes_of_values(shared, shown_values(release, cells, view))
        if words := grey_words(view, grey):
            unsure = unsure_cells(release, cells, view, grey)
            which = np.where(unsure, len(shared.classes), which)
            shared = greyed(shared, words)
        pale = _paleness(release, cells) if uncertainty else None
        draw_classes(cells, shared, which, ax, pale, vector=vector, box=box)
    if isinstance(cells, DistrictTreeCells):
        _draw_borders(cells.districts.polygons, ax, line)
    if outline is not None:
        outline.plot(ax=ax, color=INK, linewidth=line, aspect=None)
    draw_frame(release, ax, box)
    if labels is not None:
        draw_labels(labels, ax, release.domain.bounds if box is None else box)
    if bar:
        domain = release.domain if box is None else Domain(box, crs=release.domain.crs)
        draw_scale(domain, ax, outline)


def _draw_smoothly(release: Release, legend: Legend, ax: Any) -> None:
    """Draw a smooth picture in pixels."""
    which, frame = painted_smoothly(release, legend)
    colours = np.array([*(each.colour for each in legend.classes), _SEA_COLOUR], dtype=np.uint8)
    ax.set_facecolor(NOWHERE)
    _draw_pixels(release.cells, colours[which], frame, ax)


def explore(release: Release, **options: Any) -> folium.Map:
    """Show the cells on a map to move about in. See :meth:`geodp.Release.explore`."""
    need("folium")
    cells = release.to_geodataframe()
    legend = release.legend
    classes = legend.classes
    which = classes_of_values(legend, release.drawn)
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


def png_of(figure: Figure, dpi: float = 130, form: str = "png") -> bytes:
    """Return a picture as the bytes of a file, without a date or anything of this machine."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=dpi)
    return buffer.getvalue()


def _paleness(release: Release, cells: Cells) -> Floats:
    """How much of its colour each cell keeps."""
    relative = shown_values(release, cells, "error")
    return np.array(_PALENESS)[np.searchsorted(TRUST, relative)]


def paleness() -> dict[str, Any]:
    """A legend that says what pale colours mean."""
    from matplotlib.patches import Patch

    patches = [Patch(facecolor="#d6241e", alpha=part, linewidth=0) for part in _PALENESS]
    return {"handles": patches, "labels": TRUST_WORDS, **_LEGEND}


_LEGEND = {"frameon": False, "fontsize": 8.5, "labelcolor": INK, "handlelength": 1.6}
"""How legends look."""


def draw_legend(
    release: Published, ax: Any, view: str = "best", grey: float | None = None, **place: Any
) -> None:
    """Draw the classes with their labels; ``ax`` is where, or a figure."""
    if view == "dots":
        from matplotlib.lines import Line2D

        mark: dict[str, Any] = {
            "marker": "o",
            "color": DOT_COLOUR,
            "linestyle": "",
            "markersize": 3,
        }
        handles: list[Any] = [Line2D([], [], **mark)]
        labels = [dot_words(release, dots_per(release))]
    else:
        legend = greyed(view_legend(release, view), grey_words(view, grey))
        handles, labels = legend_entries(legend)
    options = {**_LEGEND, "handleheight": 1.1, "alignment": "left", "columnspacing": 1.2}
    cap = cap_of(release.method)
    words = "" if view == "dots" else legend_words(release, view)
    words += f"\n({cap})" if cap and view != "error" else ""
    drawn = ax.legend(handles, labels, title=words, title_fontsize=9, **options, **place)
    drawn.get_title().set(color=INK, **AS_IT_IS)


def legend_entries(legend: Legend) -> tuple[list[Any], list[str]]:
    """Patches of the classes, from few to many, and their labels."""
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=_hex(each.colour), edgecolor="#bbbbbb", linewidth=0.5)
        for each in legend.classes
    ]
    return patches, [each.label for each in legend.classes]


def _hex(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def draw_classes(
    cells: Cells,
    legend: Legend,
    which: Ints,
    ax: Any,
    pale: Any = None,
    *,
    vector: bool = False,
    box: Edges | None = None,
) -> None:
    """Draw cells in the colours of their classes: in pixels, or as shapes.

    Where ``pale`` is given, each cell keeps that part of its colour, over white. Where ``box`` is,
    shapes elsewhere are left out.
    """
    colours = np.array([each.colour for each in legend.classes], dtype=np.float64)[which]
    if pale is not None:
        colours = 255 + (colours - 255) * pale[:, None]
    shades = np.rint(colours).astype(np.uint8)
    ax.set_facecolor(NOWHERE)
    if vector or cells.polygons is not None:
        _draw_shapes(cells, shades, ax, box)
        _draw_nowhere(cells, ax)
        return
    sea = np.array([_SEA_COLOUR], dtype=np.uint8)
    _draw_pixels(cells, np.concatenate([shades, sea])[pixels_of(cells)], frame_of(cells), ax)


def _draw_pixels(cells: Cells, picture: Any, frame: Edges, ax: Any) -> None:
    """Draw a picture of cells whose edges are those of ``frame``."""
    left, bottom, right, top = frame
    extent = (left, right, bottom, top)
    if cells.domain.within is not None and cells.polygons is None:
        picture, extent = _on_land(cells.domain, picture, frame)
    ax.imshow(picture, extent=extent, interpolation="nearest")


def _on_land(domain: Domain, picture: Any, frame: Edges) -> tuple[Any, Edges]:
    """Lay the sea over a picture of cells, as finely as either is drawn."""
    within = domain.within
    assert within is not None
    xmin, ymin, xmax, ymax = domain.bounds
    down, across = (
        min(max(land, cell), _SEA) for land, cell in zip(within.shape, picture.shape[:2])
    )
    x = xmin + (np.arange(across) + 0.5) / across * domain.width
    y = ymax - (np.arange(down) + 0.5) / down * domain.height

    def places(at: Any, start: float, length: float, size: int) -> Any:
        return np.clip((at - start) / length * size, 0, size - 1).astype(np.int64)

    left, bottom, right, top = frame
    rows = places(top - y, 0.0, top - bottom, picture.shape[0])
    columns = places(x, left, right - left, picture.shape[1])
    shown = picture[rows[:, None], columns[None, :]]
    rows = places(ymax - y, 0.0, domain.height, within.shape[0])
    columns = places(x, xmin, domain.width, within.shape[1])
    empty = within.weights[rows[:, None], columns[None, :]] == 0
    shown[empty] = _SEA_COLOUR
    return shown, (xmin, xmax, ymin, ymax)


def _draw_shapes(cells: Cells, shades: Any, ax: Any, box: Edges | None) -> None:
    """Draw cells as shapes, those of one colour together; districts with their outlines."""
    from matplotlib.patches import PathPatch

    outlined = cells.polygons is not None and cells.tree is None
    corner, ring = _corners(cells)
    owner = np.arange(len(cells)) if cells.polygons is None else cells.polygons.owner[ring[:-1]]
    colours, which = np.unique(shades, axis=0, return_inverse=True)
    which = np.where(_near(cells, box), which.ravel(), -1)
    for number in np.unique(which[which >= 0]).tolist():
        colour = colours[number]
        path = _path(corner, ring, np.flatnonzero(which[owner] == number))
        shade = _hex(tuple(colour.tolist()))
        # A hairline of the same colour closes the seams between neighbours.
        edge = {"edgecolor": "#ffffff", "linewidth": 0.4} if outlined else {"edgecolor": shade}
        style = {"linewidth": 0.15, **edge, "facecolor": shade}
        ax.add_patch(PathPatch(path, **style))


def _near(cells: Cells, box: Edges | None) -> Any:
    """Whether cells may be seen in a box."""
    if box is None:
        return np.ones(len(cells), dtype=bool)
    left, bottom, right, top = cells.bounds.T
    return (left < box[2]) & (right > box[0]) & (bottom < box[3]) & (top > box[1])


def _draw_borders(polygons: Polygons, ax: Any, line: float) -> None:
    """Draw the outlines of districts over cells that lie inside of them."""
    from matplotlib.patches import PathPatch

    starts = np.flatnonzero(np.diff(polygons.ring, prepend=-1))
    ring = np.append(starts, len(polygons.ring))
    path = _path(polygons.edges[:, :2], ring, np.arange(len(starts)))
    ax.add_patch(PathPatch(path, fill=False, edgecolor=INK, linewidth=0.6 * line))


def _corners(cells: Cells) -> tuple[Any, Any]:
    """Corners of all rings, one after another, and where each ring begins, with the end."""
    polygons = cells.polygons
    if polygons is None:
        left, bottom, right, top = cells.bounds.T
        x, y = np.stack([left, right, right, left], 1), np.stack([bottom, bottom, top, top], 1)
        return np.stack([x.ravel(), y.ravel()], axis=1), np.arange(len(cells) + 1) * 4
    starts = np.flatnonzero(np.diff(polygons.ring, prepend=-1))
    return polygons.edges[:, :2], np.append(starts, len(polygons.ring))


def _path(corner: Any, ring: Any, rings: Any) -> Any:
    """A path of some rings, each closed."""
    from matplotlib.path import Path

    length = np.diff(ring)[rings]
    ends = np.cumsum(length + 1)
    place = np.repeat(ring[rings] - (ends - length - 1), length + 1) + np.arange(ends[-1])
    codes = np.full(ends[-1], Path.LINETO, dtype=np.uint8)
    codes[ends - length - 1], codes[ends - 1] = Path.MOVETO, Path.CLOSEPOLY
    place[ends - 1] = ring[rings]
    return Path(corner[place], codes)


def _draw_nowhere(cells: Cells, ax: Any) -> None:
    """Leave the sea empty, also in the parts of cells where no records can be."""
    within = cells.domain.within
    if within is None:
        return
    xmin, ymin, xmax, ymax = cells.domain.bounds
    step = max(1, max(within.shape) // _SEA)
    empty = within.weights[step // 2 :: step, step // 2 :: step] == 0
    sea = np.zeros((*empty.shape, 4), dtype=np.uint8)
    sea[empty] = [*(int(NOWHERE[part : part + 2], 16) for part in (1, 3, 5)), 255]
    # Over shapes, and below lines and words.
    ax.imshow(sea, extent=(xmin, xmax, ymin, ymax), interpolation="nearest", zorder=1.5)


def draw_frame(release: HasCells, ax: Any, box: Edges | None = None) -> None:
    """Show the domain, or a part of it, and no more: cells that its edge cuts are cut as well."""
    xmin, ymin, xmax, ymax = release.domain.bounds if box is None else box
    ax.set(xlim=(xmin, xmax), ylim=(ymin, ymax), xticks=[], yticks=[], aspect="equal")
    ax.set(xlabel="", ylabel="")
    for side in ax.spines.values():
        side.set(color="#999999", linewidth=0.6)
