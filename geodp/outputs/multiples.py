"""Maps of several groups side by side, in colours of one scale; maps as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.common.errors import InputError
from ..core.common.text import for_page
from ..core.publish.drawing import (
    INK,
    arranged,
    check_inset,
    dots_per,
    fitted,
    heading_of,
    view_legend,
)
from ..sources.layers import read_boundary, read_labels
from .plot import (
    AS_IT_IS,
    below,
    check_grey,
    check_view,
    draw_legend,
    draw_map,
    draw_page,
    explore,
    need,
    paleness,
    png_of,
)

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.releases.release import Published


def plot_groups(
    release: Published,
    figure: Figure | None = None,
    *,
    view: str = "best",
    boundary: Any = None,
    uncertainty: bool = False,
    grey: float | None = None,
    labels: Any = None,
    vector: bool = False,
) -> list[Axes]:
    """Draw every group with a map of its own. See :meth:`geodp.ReleaseSet.plot`."""
    need("matplotlib")
    check_view(view)
    check_grey(grey, view)
    outline, names = read_boundary(boundary, release.domain), read_labels(labels, release.domain)
    rows, columns, size = arranged(release)
    if figure is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        figure.set_size_inches(size)
    axes: list[Any] = []
    legend = view_legend(release, view)
    drawn: dict[str, Any] = {"view": view, "legend": legend, "uncertainty": uncertainty}
    drawn["labels"] = names
    drawn["grey"] = grey
    drawn["per"] = dots_per(release) if view == "dots" else None
    for number, (name, one) in enumerate(release.maps.items(), start=1):
        ax = figure.add_subplot(rows, columns, number)
        draw_map(one, ax, outline, **drawn, vector=vector, line=0.4, bar=number == 1)
        ax.set_title(name, fontsize=10, color=INK, loc="left", pad=4, **AS_IT_IS)
        axes.append(ax)
    draw_legend(release, figure, view, grey, loc="outside right upper")
    if uncertainty:
        figure.legend(**paleness(), loc="outside lower left", ncols=min(4, 2 * columns))
    heading = fitted(heading_of(release, view), 12, size[0] + 0.6)
    figure.suptitle(heading, fontsize=12, color=INK, x=0.01, ha="left", **AS_IT_IS)
    source = below(release, view, size[0] + 0.6)
    room = "\n\n" if uncertainty else ""  # for the legend of paleness
    figure.supxlabel(source + room, fontsize=7.5, color="#666666", x=0.01, ha="left", **AS_IT_IS)
    return axes


def png(
    release: Published,
    *,
    boundary: Any = None,
    dpi: float = 130,
    view: str = "best",
    grey: float | None = None,
) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    return picture(release, boundary=boundary, dpi=dpi, view=view, grey=grey)


def picture(
    release: Published,
    *,
    boundary: Any = None,
    dpi: float = 130,
    view: str = "best",
    form: str = "png",
    width: float | None = None,
    grey: float | None = None,
    font: str | None = None,
    labels: Any = None,
    insets: Sequence[Sequence[float]] = (),
) -> bytes:
    """Return the map as the bytes of a picture.

    Parameters
    ----------
    release : Release
        What is drawn.
    boundary : GeoDataFrame, GeoSeries or path, optional
        A public outline to draw over it.
    dpi : float
        Dots per inch of a PNG.
    view : str
        What is shown.
    form : {"png", "pdf", "svg"}
        Pixels, or shapes and text that stay what they are.
    width : float, optional
        Inches across; of several maps it follows from their number.
    grey : float, optional
        Part of a count that half of its interval may be, where a cell is not drawn grey.
    font : str, optional
        A family of fonts that is installed.
    labels : GeoDataFrame or path, optional
        A public layer of names to write on it.
    insets : sequence of sequence of float
        Parts that are drawn larger, below the map: ``xmin, ymin, xmax, ymax`` of each.
    """
    need("matplotlib")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    check_view(view)
    check_grey(grey, view)
    shapes = form != "png"
    told: dict[str, Any] = {"view": view, "vector": shapes, "grey": grey}
    boxes = [check_inset(box, release.domain) for box in insets]
    if boxes and release.groups:
        raise InputError("`insets` go with one map; these are several, one for each group.")
    # Text stays text, and a file says nothing of when and where it was made.
    look: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "geodp"}
    look |= font_settings(font)
    with rc_context(look):
        if release.groups:
            figure = Figure(layout="constrained")
            plot_groups(release, figure, boundary=boundary, labels=labels, **told)
        else:
            figure = Figure()
            outline = read_boundary(boundary, release.domain)
            told["labels"] = read_labels(labels, release.domain)
            draw_page(figure, release.total, outline, **told, width=width, insets=boxes)
        return png_of(figure, dpi, form)


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
    return {"font.family": [font, "DejaVu Sans"]}  # the second has signs that others lack


def explore_groups(release: Published, **options: Any) -> folium.Map:
    """Show every group on one map to move about in, the first of them at once."""
    need("folium")
    import folium

    page: folium.Map | None = options.pop("m", None)
    for number, (name, one) in enumerate(release.maps.items()):
        page = explore(one, m=page, name=for_page(name), show=number == 0, **options)
    assert page is not None
    folium.LayerControl(collapsed=False).add_to(page)
    return page
