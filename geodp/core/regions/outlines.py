"""Join polygons that share borders: edges that two of them run in both directions disappear."""

from __future__ import annotations

import numpy as np

from ..common.types import Bools, Floats, Ints
from .polygons import Polygons


def dissolved(polygons: Polygons, groups: Ints, count: int) -> Polygons:
    """Unite the polygons of each group, where their borders are the same to the bit.

    Rings are put together so that they touch themselves in no point: where several meet, each goes
    on along the edge that bounds the same part of the inside.

    Parameters
    ----------
    polygons : Polygons
        Shells counter-clockwise, holes clockwise.
    groups : ndarray of int
        Group of each polygon, from 0 to ``count - 1``.
    count : int
        Number of groups.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> pair = Polygons.from_rings([(0, False, unit), (1, False, unit + [1.0, 0.0])], 2)
    >>> dissolved(pair, np.array([0, 0]), 1).areas
    array([2.])
    """
    group = groups[polygons.owner]
    kept = _unpaired(polygons.edges, group)
    edges, group = polygons.edges[kept], group[kept]
    start, end = _places(edges, group)
    after = _following(edges, start, end)
    ring, rank = _rings(after)
    order = np.lexsort((rank, ring, group))
    edges, group, ring = edges[order], group[order], ring[order]
    number = np.cumsum(np.append(False, ring[1:] != ring[:-1])[: len(ring)])
    return Polygons(edges, group, number.astype(np.int64), count)


def _unpaired(edges: Floats, group: Ints) -> Ints:
    """Keep edges without one of their group that runs the other way."""
    forward = (edges[:, 0] < edges[:, 2]) | (
        (edges[:, 0] == edges[:, 2]) & (edges[:, 1] < edges[:, 3])
    )
    line = np.where(forward[:, None], edges, edges[:, [2, 3, 0, 1]])
    order = np.lexsort((*line.T, group))
    line, group = line[order], group[order]
    fresh = np.append(True, (line[1:] != line[:-1]).any(axis=1) | (group[1:] != group[:-1]))
    number = np.cumsum(fresh[: len(order)]) - 1
    up = np.bincount(number, forward[order]).astype(np.int64)
    down = np.bincount(number, ~forward[order]).astype(np.int64)
    # Of the more frequent direction, as many stay as there are more of them.
    surplus = up - down
    kept = []
    for ahead, extra in ((True, surplus), (False, -surplus)):
        single = np.flatnonzero(forward[order] == ahead)
        line_number = number[single]
        rank = np.arange(len(single)) - np.searchsorted(line_number, line_number)
        kept.append(order[single[rank < extra[line_number]]])
    return np.sort(np.concatenate(kept))


def _places(edges: Floats, group: Ints) -> tuple[Ints, Ints]:
    """Number the places where edges start and end; groups have places of their own."""
    x, y = np.append(edges[:, 0], edges[:, 2]), np.append(edges[:, 1], edges[:, 3])
    groups = np.append(group, group)
    order = np.lexsort((y, x, groups))
    x, y, groups = x[order], y[order], groups[order]
    fresh = np.append(False, (x[1:] != x[:-1]) | (y[1:] != y[:-1]) | (groups[1:] != groups[:-1]))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(fresh[: len(order)])
    return number[: len(edges)], number[len(edges) :]


def _following(edges: Floats, start: Ints, end: Ints) -> Ints:
    """Find the edge that goes on from each: around a place, the last before it that leaves."""
    leaving = np.lexsort((_angle(edges, at_start=True), start))
    arriving = np.lexsort((_angle(edges, at_start=False), end))
    places = start[leaving]
    first = np.searchsorted(places, places)
    size = np.searchsorted(places, places, side="right") - first
    # Edges that leave and edges that arrive take turns around a place. Counted from due east, the
    # inside that reaches over that direction has its leaving edge last.
    east_inside = _arrives_first(edges, leaving, arriving)
    rank = np.arange(len(edges)) - first
    after = np.empty(len(edges), dtype=np.int64)
    after[arriving] = leaving[first + (rank - east_inside[first]) % np.maximum(size, 1)]
    return after


def _angle(edges: Floats, at_start: bool) -> Floats:
    x, y = (edges[:, 2:] - edges[:, :2]).T
    angle = np.arctan2(y, x) if at_start else np.arctan2(-y, -x)
    return np.asarray(angle % (2 * np.pi))


def _arrives_first(edges: Floats, leaving: Ints, arriving: Ints) -> Bools:
    """Tell whether, at the place of each entry, the first edge from due east on arrives there."""
    leaves = _angle(edges, at_start=True)[leaving]
    arrives = _angle(edges, at_start=False)[arriving]
    return np.asarray(arrives < leaves)


def _rings(after: Ints) -> tuple[Ints, Ints]:
    """Find the ring of each edge, named by its least edge, and its rank from that; by doubling."""
    ring, jump = np.arange(len(after)), after.copy()
    while True:
        lower = np.minimum(ring, ring[jump])
        if np.array_equal(lower, ring):
            break
        ring, jump = lower, jump[jump]
    # Steps from each edge to the least one of its ring, which is where counting stops.
    least = np.flatnonzero(ring == np.arange(len(after)))
    jump = after.copy()
    jump[least] = least
    steps = np.ones(len(after), dtype=np.int64)
    steps[least] = 0
    while True:
        more = steps[jump]
        if not more.any():
            break
        steps, jump = steps + more, jump[jump]
    size = np.bincount(ring, minlength=len(after))[ring]
    return ring, np.where(steps == 0, 0, size - steps)
