"""Draw maps of releases: with matplotlib, or with folium to move about in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import InputError
from ..core.common.language import language_by_code
from ..core.common.text import for_page
from ..core.estimates.answers import checked_reliable
from ..core.pictures.drawing import classes_of_values
from ..core.pictures.marks import Look, map_marks
from ..core.pictures.sheet import around, check_inset, map_sheet
from ..core.releases.describe import cap_text
from ..core.views.legend import hexadecimal
from ..sources.layers import boundary_lines, read_boundary, read_labels
from .painter import need, paint, paint_around, paint_map, sheet_bytes

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes

    from ..core.releases.published import Published
    from ..core.releases.release import Release

VIEWS = ("best", "signed", "error", "dots", "smooth", "mean", "share")
"""What a map can show."""

_LINES = "#404040"
"""Colour of outlines over a background map."""

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
    insets: Sequence[Sequence[float]] = (),
    **shown: Any,
) -> Axes:
    """Draw a map. See :meth:`geodp.Release.plot`."""
    need("matplotlib")
    look = _look(release, **shown)
    if ax is None:
        from matplotlib import pyplot

        boxes = [check_inset(box, release.domain) for box in insets]
        return paint(pyplot.figure(), map_sheet(release, look, insets=boxes))[0]
    if len(insets):
        raise InputError("`insets` need a page of their own: leave out `ax`.")
    inches = ax.figure.bbox.width / ax.figure.dpi * ax.get_position().width
    marks = map_marks(release, look, release.domain.width / (72 * float(inches)))
    paint_map(ax, marks, release.domain.bounds)
    paint_around(ax, around(release, look))
    return ax


def plot_groups(release: Published, **shown: Any) -> list[Axes]:
    """Draw every group with a map of its own. See :meth:`geodp.ReleaseSet.plot`."""
    need("matplotlib")
    from matplotlib import pyplot

    sheet = map_sheet(release, _look(release, **shown))
    return paint(pyplot.figure(), sheet)


def picture(
    release: Published,
    *,
    dpi: float = 130,
    form: str = "png",
    width: float | None = None,
    font: str | None = None,
    insets: Sequence[Sequence[float]] = (),
    language: str = "en",
    **shown: Any,
) -> bytes:
    """Return the map as the bytes of a picture, without touching pyplot's state.

    Parameters
    ----------
    release : Release
        What is drawn.
    dpi : float
        Dots per inch of a PNG.
    form : {"png", "pdf", "svg"}
        Pixels, or shapes and text that stay what they are.
    width : float, optional
        Inches across.
    font : str, optional
        A family of fonts that is installed.
    insets : sequence of sequence of float
        Parts that are drawn larger, below the map: ``xmin, ymin, xmax, ymax`` of each.
    language : str
        What its words are in, as in :meth:`geodp.Release.to_report`.
    **shown
        What is shown, as in :meth:`geodp.Release.plot`: ``view``, ``boundary``, ``uncertainty``,
        ``grey``, ``labels``, ``north``.
    """
    need("matplotlib")
    boxes = [check_inset(box, release.domain) for box in insets]
    if boxes and release.groups:
        raise InputError("`insets` go with one map; these are several, one for each group.")
    look = _look(release, **shown)._replace(vector=form != "png")
    sheet = map_sheet(release, look, width, boxes, language_by_code(language))
    return sheet_bytes(sheet, dpi=dpi, form=form, font=font)


def _look(
    release: Published,
    view: str = "best",
    boundary: Any = None,
    uncertainty: bool = False,
    grey: float | None = None,
    labels: Any = None,
    north: bool = False,
) -> Look:
    """Return what a picture shows, checked and read."""
    check_view(view)
    check_grey(grey, view)
    lines = boundary_lines(boundary, release.domain)
    names = read_labels(labels, release.domain)
    return Look(view, uncertainty, grey, lines, names, north=north)


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


def explore(release: Published, boundary: Any = None, **options: Any) -> folium.Map:
    """Show the cells on a map to move about in. See :meth:`geodp.Release.explore`."""
    need("folium")
    show = _explore_groups if release.groups else _explore_cells
    return show(release, boundary, **options)


def _explore_cells(release: Any, boundary: Any = None, **options: Any) -> folium.Map:
    lines = read_boundary(boundary, release.domain)
    cells = release.to_geodataframe()
    legend = release.legend
    classes = legend.classes
    which = classes_of_values(legend, release.drawn)
    colours = np.array([hexadecimal(class_.colour) for class_ in classes])
    shown = cells.drop(columns=["id", "left", "top", "right", "bottom"], errors="ignore")
    shown = _harmless(shown[["count", *(name for name in shown.columns if name != "count")]])
    chosen = {"style_kwds": {"stroke": False, "fillOpacity": 0.7}, **options}
    cap = cap_text(release.method)
    if cap and not {"tooltip", "tooltip_kwds"} & set(options):
        others = [str(name) for name in shown.columns if name not in ("count", "geometry")]
        chosen["tooltip_kwds"] = {"aliases": [f"count ({cap})", *others]}
    page: folium.Map = shown.explore(color=list(colours[which]), **chosen)
    if options.get("m") is None:
        import folium

        page.get_root().html.add_child(folium.Element(_OFFLINE))  # type: ignore[attr-defined]
    return _with_lines(page, lines)


def _with_lines(page: folium.Map, lines: Any) -> folium.Map:
    """Draw lines over all else on a map to move about in, which cannot be pointed at."""
    if lines is not None:
        style = {"weight": 1.2, "interactive": False}
        bare = lines.reset_index(drop=True)  # without names, which would be shown
        bare.explore(m=page, color=_LINES, style_kwds=style, highlight=False, control=False)
    return page


def _harmless(table: Any) -> Any:
    """Escape all text of a layer, names of columns too: folium renders it, and then browsers do."""
    for name in table.columns.drop("geometry"):
        if table[name].dtype.kind not in "biuf":
            texts = [for_page(value) if isinstance(value, str) else value for value in table[name]]
            table = table.assign(**{name: texts})
    return table.rename(columns={name: for_page(str(name)) for name in table.columns})


def _explore_groups(release: Published, boundary: Any = None, **options: Any) -> folium.Map:
    """Show every group on one map to move about in, the first of them at once."""
    import folium

    lines = read_boundary(boundary, release.domain)
    page: folium.Map | None = options.pop("m", None)
    for number, (name, one) in enumerate(release.maps.items()):
        page = _explore_cells(one, m=page, name=for_page(name), show=number == 0, **options)
    assert page is not None
    folium.LayerControl(collapsed=False).add_to(page)
    return _with_lines(page, lines)
