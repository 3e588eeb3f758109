"""Maps of several layers side by side, in colours of one scale; maps as bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..sources.layers import read_boundary
from .plot import (
    draw_counts,
    draw_frame,
    draw_legend,
    explore,
    fitted,
    heading_of,
    need,
    paleness,
    plot,
    png_of,
    size_of,
    source_of,
)  # fmt: skip
from .scale_bar import INK, draw_scale

if TYPE_CHECKING:
    import folium
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..core.release import Release

_WIDTH, _HEIGHT = 11.0, 9.0
"""Inches of a page that the maps may fill."""

_LARGEST = 4.5
"""Inches across one map, at most."""

_LEGEND, _TITLE, _NAME = 1.5, 0.75, 0.3
"""Inches for the legend beside the maps, for the title above them, for the name of each."""


def plot_layers(
    release: Release,
    figure: Figure | None = None,
    *,
    boundary: Any = None,
    uncertainty: bool = False,
) -> list[Axes]:
    """Draw every layer with a map of its own. See :meth:`geodp.Layered.plot`."""
    need("matplotlib")
    outline = read_boundary(boundary, release.domain)
    rows, columns, size = _pages(release)
    if figure is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        figure.set_size_inches(size)
    axes: list[Any] = []
    for number, (name, one) in enumerate(release.each.items(), start=1):
        ax = figure.add_subplot(rows, columns, number)
        image = draw_counts(one, ax, uncertainty=uncertainty)
        if outline is not None:
            outline.plot(ax=ax, color=INK, linewidth=0.4, aspect=None)
        draw_frame(release, ax)
        ax.set_title(name, fontsize=10, color=INK, loc="left", pad=4)
        axes.append(ax)
    draw_scale(release, axes[0], outline)
    draw_legend(release, axes, image)
    if uncertainty:
        figure.legend(**paleness(), loc="outside lower left", ncols=min(4, 2 * columns))
    heading = fitted(heading_of(release), 11, size[0])
    figure.suptitle(heading, fontsize=11, color=INK, x=0.01, ha="left")
    source = fitted(source_of(release.about), 8, size[0])
    room = "\n\n" if uncertainty else ""  # for the legend of paleness
    figure.supxlabel(source + room, fontsize=8, color=INK, x=0.01, ha="left")
    return axes


def png(release: Release, *, boundary: Any = None, dpi: int = 130) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(release), layout="constrained")
    if release.layers:
        plot_layers(release, figure, boundary=boundary)
    else:
        plot(release, figure.add_subplot(), boundary=boundary)
    return png_of(figure, dpi)


def _pages(release: Release) -> tuple[int, int, tuple[float, float]]:
    """Rows and columns of maps that fill the page best, and its size in inches."""
    domain, count = release.domain, len(release.each)
    found = []
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        wide, high = (_WIDTH - _LEGEND) / columns, (_HEIGHT - _TITLE) / rows - _NAME
        wide = min(wide, max(high, 0.2) * domain.width / domain.height, _LARGEST)
        # Large maps are good, and places without one are not.
        found.append((round(wide * (count / (rows * columns)) ** 4, 6), wide, rows, columns))
    _, wide, rows, columns = max(found)
    high = wide * domain.height / domain.width + _NAME
    return rows, columns, (columns * wide + _LEGEND, rows * high + _TITLE)


def explore_layers(release: Release, **options: Any) -> folium.Map:
    """Show every layer on one map to move about in, the first of them at once."""
    need("folium")
    import folium

    page: folium.Map | None = options.pop("m", None)
    for number, (name, one) in enumerate(release.each.items()):
        page = explore(one, m=page, name=name, show=number == 0, **options)
    assert page is not None
    folium.LayerControl(collapsed=False).add_to(page)
    return page
