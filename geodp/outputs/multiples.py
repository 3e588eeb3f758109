"""Maps of several groups side by side, in colours of one scale; maps as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.common.text import for_page
from ..core.publish.drawing import INK, arranged, fitted, heading_of, size_of, source_of
from ..sources.layers import read_boundary
from .plot import (
    AS_IT_IS,
    draw_counts,
    draw_frame,
    draw_legend,
    explore,
    need,
    paleness,
    plot,
    png_of,
)
from .scale_bar import draw_scale

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.releases.release import Published


def plot_groups(
    release: Published,
    figure: Figure | None = None,
    *,
    boundary: Any = None,
    uncertainty: bool = False,
) -> list[Axes]:
    """Draw every group with a map of its own. See :meth:`geodp.ReleaseSet.plot`."""
    need("matplotlib")
    outline = read_boundary(boundary, release.domain)
    rows, columns, size = arranged(release)
    if figure is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        figure.set_size_inches(size)
    axes: list[Any] = []
    for number, (name, one) in enumerate(release.maps.items(), start=1):
        ax = figure.add_subplot(rows, columns, number)
        image = draw_counts(one, ax, uncertainty=uncertainty)
        if outline is not None:
            outline.plot(ax=ax, color=INK, linewidth=0.4, aspect=None)
        draw_frame(release, ax)
        ax.set_title(name, fontsize=10, color=INK, loc="left", pad=4, **AS_IT_IS)
        axes.append(ax)
    draw_scale(release, axes[0], outline)
    draw_legend(release, axes, image)
    if uncertainty:
        figure.legend(**paleness(), loc="outside lower left", ncols=min(4, 2 * columns))
    heading = fitted(heading_of(release), 11, size[0])
    figure.suptitle(heading, fontsize=11, color=INK, x=0.01, ha="left", **AS_IT_IS)
    source = fitted(source_of(release.about), 8, size[0])
    room = "\n\n" if uncertainty else ""  # for the legend of paleness
    figure.supxlabel(source + room, fontsize=8, color=INK, x=0.01, ha="left", **AS_IT_IS)
    return axes


def png(release: Published, *, boundary: Any = None, dpi: int = 130) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(release), layout="constrained")
    if release.groups:
        plot_groups(release, figure, boundary=boundary)
    else:
        plot(release.total, figure.add_subplot(), boundary=boundary)
    return png_of(figure, dpi)


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
