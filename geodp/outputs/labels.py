"""Names on a map, from a public layer: towns, districts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.publish.drawing import INK
from .scale_bar import write_over

if TYPE_CHECKING:
    from ..sources.layers import Labels

_SIZE, _LETTER = 7.0, 0.58
"""Points of a name, and how wide a letter is beside that."""

_GAP = 3.0
"""Points between the mark of a place and its name."""


def draw_labels(labels: Labels, ax: Any, box: tuple[float, float, float, float]) -> None:
    """Write names, the first of the layer first; one that would cover another is left out.

    Parameters
    ----------
    labels : Labels
        Names, and where they are.
    ax : matplotlib.axes.Axes
        Where to write.
    box : tuple of float
        What the map shows: ``xmin, ymin, xmax, ymax``.
    """
    from matplotlib import patheffects

    xmin, ymin, xmax, ymax = box
    unit = (xmax - xmin) / (72 * ax.figure.get_figwidth() * ax.get_position().width)
    halo = [patheffects.withStroke(linewidth=2, foreground="white")]
    taken: list[tuple[float, float, float, float]] = []
    for x, y, name in zip(labels.x.tolist(), labels.y.tolist(), labels.names):
        wide, high = _SIZE * _LETTER * len(name) * unit, 1.3 * _SIZE * unit
        left = x + _GAP * unit if labels.marked else x - wide / 2
        room = (min(left, x - _GAP * unit), y - high / 2, left + wide, y + high / 2)
        inside = xmin <= room[0] and room[2] <= xmax and ymin <= room[1] and room[3] <= ymax
        if not inside or any(_meet(room, other) for other in taken):
            continue
        taken.append(room)
        if labels.marked:
            ax.plot([x], [y], marker="o", markersize=2.5, color=INK, path_effects=halo)
        write_over(ax, name, (left, y), (0, 0), va="center", fontsize=_SIZE)


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
