"""The scale bar of a map, in a corner where no line is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..core.domain import Domain
    from ..core.partition import Mapped

INK = "#333333"
"""Colour of text and lines."""


def nice_length(limit: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is no longer than ``limit``.

    Examples
    --------
    >>> nice_length(940.0), nice_length(0.3)
    (500.0, 0.2)
    """
    power = 10.0 ** math.floor(math.log10(limit))
    return max(digit * power for digit in (1.0, 2.0, 5.0) if digit * power <= limit)


def draw_scale(release: Mapped, ax: Any, lines: Any = None) -> None:
    """Scale bar in a corner without lines; degrees have no length, so they get none.

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

    domain = release.domain
    if domain.crs.geographic:
        return
    metres = nice_length(domain.width * domain.crs.metres_per_unit / 5)
    words = f"{metres / 1000:,g} km" if metres >= 1000 else f"{metres:,g} m"
    length = metres / domain.crs.metres_per_unit
    start, base = _corner(domain, length, lines)
    end = start + length
    halo = [patheffects.withStroke(linewidth=3, foreground="white")]
    ax.plot([start, end], [base, base], color=INK, linewidth=2.5, path_effects=halo)
    ax.annotate(
        words,
        ((start + end) / 2, base),
        (0, 4),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=INK,
        path_effects=halo,
    )


def _corner(domain: Domain, length: float, lines: Any) -> tuple[float, float]:
    """Where the bar begins: of all corners, from the lower left on, the one with fewest lines."""
    xmin, ymin, xmax, ymax = domain.bounds
    wide, high = domain.width, domain.height
    starts = (xmin + 0.03 * wide, xmax - 0.03 * wide - length)
    bases = (ymin + 0.04 * high, ymax - 0.09 * high)
    corners = [(start, base) for base in bases for start in starts]
    if lines is None:
        return corners[0]
    import shapely

    drawn = shapely.union_all(lines.to_numpy())

    def crossed(corner: tuple[float, float]) -> float:
        start, base = corner
        room = (start - 0.01 * wide, base - 0.02 * high, start + length + 0.01 * wide)
        return float(shapely.clip_by_rect(drawn, *room, base + 0.06 * high).length)

    return min(corners, key=crossed)
