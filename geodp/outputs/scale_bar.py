"""The scale bar of a map, in a corner where no line is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.publish.drawing import INK, scale_bar

if TYPE_CHECKING:
    from ..core.regions.cells import HasCells


def draw_scale(release: HasCells, ax: Any, lines: Any = None) -> None:
    """Draw the scale bar.

    Parameters
    ----------
    release : Release or Difference
        What is drawn.
    ax : matplotlib.axes.Axes
        Where.
    lines : GeoSeries, optional
        What is drawn over it, in its CRS.
    """
    from matplotlib import patheffects

    bar = scale_bar(release.domain, None if lines is None else _crossed(lines))
    if bar is None:
        return
    halo = [patheffects.withStroke(linewidth=3, foreground="white")]
    ends, heights = [bar.start, bar.end], [bar.base, bar.base]
    ax.plot(ends, heights, color=INK, linewidth=2.5, path_effects=halo)
    ax.annotate(
        bar.words,
        ((bar.start + bar.end) / 2, bar.base),
        (0, 4),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=INK,
        path_effects=halo,
    )


def _crossed(lines: Any) -> Any:
    """Length of the lines in a box."""
    import shapely

    drawn = shapely.union_all(lines.to_numpy())
    return lambda *box: float(shapely.clip_by_rect(drawn, *box).length)
