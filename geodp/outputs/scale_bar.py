"""The scale bar of a map, in a corner where no line is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.publish.drawing import INK, scale_bar

if TYPE_CHECKING:
    from ..core.space.domain import Domain


def draw_scale(domain: Domain, ax: Any, lines: Any = None) -> None:
    """Draw the scale bar.

    Parameters
    ----------
    domain : Domain
        What is drawn.
    ax : matplotlib.axes.Axes
        Where.
    lines : GeoSeries, optional
        What is drawn over it, in its CRS.
    """
    from matplotlib import patheffects

    bar = scale_bar(domain, None if lines is None else _crossed(lines))
    if bar is None:
        return
    halo = [patheffects.withStroke(linewidth=3, foreground="white")]
    ends, heights = [bar.start, bar.end], [bar.base, bar.base]
    ax.plot(ends, heights, color=INK, linewidth=2.5, path_effects=halo)
    middle = ((bar.start + bar.end) / 2, bar.base)
    write_over(ax, bar.words, middle, (0, 4), ha="center", fontsize=8)


def write_over(
    ax: Any, words: str, place: tuple[float, float], offset: tuple[float, float], **style: Any
) -> None:
    """Write words over a map, with a white edge around them; they stay text in shapes and text.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where.
    words : str
        What to write, as it is.
    place, offset : tuple of float
        Where in the map, and how many points from there.
    **style
        Of the text.
    """
    from matplotlib import patheffects

    edge = [patheffects.Stroke(linewidth=2.5, foreground="white")]
    plain = {"textcoords": "offset points", "color": INK, "parse_math": False, "usetex": False}
    # An effect turns letters into shapes, so that the letters themselves are drawn by themselves.
    ax.annotate(words, place, offset, path_effects=edge, **plain, **style)
    ax.annotate(words, place, offset, **plain, **style)


def _crossed(lines: Any) -> Any:
    """Length of the lines in a box."""
    import shapely

    drawn = shapely.union_all(lines.to_numpy())
    return lambda *box: float(shapely.clip_by_rect(drawn, *box).length)
