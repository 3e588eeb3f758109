"""Compute the outlines of what boxes share with districts.

A polygon is cut at one side of a box after the other. Where a district reaches out of the box and
comes back, that leaves edges along the side which run both ways; they are taken off each other, and
the rings are put together anew.
"""

from __future__ import annotations

import numpy as np

from ..common.types import Floats, Ints
from ..regions.outlines import dissolved
from ..regions.polygons import Polygons
from ..regions.validity import in_parts
from ..space.axis import ranges


def cut_edges(polygons: Polygons, which: Ints, boxes: Floats) -> Polygons:
    """Cut polygons to boxes: edges that bound the shared area, some of them both ways.

    Sums over the edges, such as areas, are right; the rings may touch themselves.

    Parameters
    ----------
    polygons : Polygons
        What is cut.
    which : ndarray of int
        Number of the polygon for each box.
    boxes : ndarray, shape (n, 4)
        ``xmin, ymin, xmax, ymax``.

    Examples
    --------
    >>> triangle = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    >>> layer = Polygons.from_rings([(0, False, triangle)], 1)
    >>> cut_edges(layer, np.array([0]), np.array([[0.0, 0.0, 1.0, 1.0]])).areas
    array([1.])
    """
    first = np.searchsorted(polygons.owner, np.arange(polygons.count + 1))
    length = np.diff(first)[which]
    parts = []
    rings = 0
    for part in in_parts(length):
        piece, corner = ranges(first[which[part]], length[part])
        points = polygons.edges[corner, :2]
        ring = polygons.ring[corner]
        ring = np.cumsum(np.append(False, (np.diff(ring) != 0) | (np.diff(piece) != 0)))
        ring = ring[: len(points)]
        for side in range(4):
            bound = boxes[part][piece, side]
            points, ring, piece = _cut(points, ring, piece, side, bound)
        after = _following(ring)
        edges = np.hstack([points, points[after]])
        moved = (edges[:, :2] != edges[:, 2:]).any(axis=1)
        parts.append((edges[moved], piece[moved] + part.start, ring[moved] + rings))
        rings += int(ring[-1]) + 1 if len(ring) else 0
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Polygons(np.zeros((0, 4)), none, none, len(which))
    edges, owner, ring = (np.concatenate(column) for column in zip(*parts))
    return Polygons(edges, owner, ring, len(which))


def _following(ring: Ints) -> Ints:
    """Return the place of the next corner of each corner's ring."""
    after = np.arange(1, len(ring) + 1)
    starts = np.flatnonzero(np.append(True, ring[1:] != ring[:-1])[: len(ring)])
    after[np.append(starts[1:], len(ring))[: len(starts)] - 1] = starts
    return after


def _cut(
    points: Floats, ring: Ints, piece: Ints, side: int, bound: Floats
) -> tuple[Floats, Ints, Ints]:
    """Keep what is on the inner side of a line: corners there, and where borders cross it."""
    if not len(points):
        return points, ring, piece
    axis, sign = side % 2, 1.0 if side < 2 else -1.0
    after = _following(ring)
    inner = sign * points[:, axis] >= sign * bound
    crosses = inner != inner[after]
    times = inner.astype(np.int64) + crosses
    source = np.repeat(np.arange(len(points)), times)
    step = np.arange(len(source)) - np.repeat(np.cumsum(times) - times, times)
    cut = points[source]
    crossing = (step == 1) | ~inner[source]
    at = source[crossing]
    # From the same end for both neighbours, so that they have the same corner to the bit.
    one, other = points[at], points[after[at]]
    swap = (one[:, 0] > other[:, 0]) | ((one[:, 0] == other[:, 0]) & (one[:, 1] > other[:, 1]))
    one, other = np.where(swap[:, None], other, one), np.where(swap[:, None], one, other)
    share = (bound[at] - one[:, axis]) / (other[:, axis] - one[:, axis])
    place = one + share[:, None] * (other - one)
    place[:, axis] = bound[at]
    cut[crossing] = place
    return cut, ring[source], piece[source]


def piece_outlines(polygons: Polygons, which: Ints, boxes: Floats) -> Polygons:
    """Cut polygons to boxes: valid outlines of what they share.

    Parameters are those of :func:`cut_edges`.

    Examples
    --------
    >>> fork = np.array([[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]], float)
    >>> layer = Polygons.from_rings([(0, False, fork)], 1)
    >>> ends = piece_outlines(layer, np.array([0]), np.array([[0.0, 1.0, 3.0, 2.0]]))
    >>> ends.areas, int(ends.ring[-1]) + 1
    (array([2.]), 2)
    """
    cut = cut_edges(polygons, which, boxes)
    edges, owner = _split_sides(cut, boxes)
    none = np.zeros(len(owner), dtype=np.int64)
    order = np.argsort(owner, kind="stable")
    loose = Polygons(edges[order], owner[order], none, cut.count)
    return dissolved(loose, np.arange(cut.count), cut.count)


def _split_sides(cut: Polygons, boxes: Floats) -> tuple[Floats, Ints]:
    """Split edges along the sides of boxes wherever another one begins or ends."""
    edges, owner = [cut.edges], [cut.owner]
    for side in range(4):
        axis = side % 2
        all_edges, owners = np.concatenate(edges), np.concatenate(owner)
        bound = boxes[owners, side]
        on = (all_edges[:, axis] == bound) & (all_edges[:, axis + 2] == bound)
        along, mine = all_edges[on], owners[on]
        a, b = along[:, 1 - axis], along[:, 3 - axis]
        # Places along the side, each once, numbered through over all boxes.
        place = np.append(a, b)
        whose = np.append(mine, mine)
        order = np.lexsort((place, whose))
        fresh = np.append(True, (np.diff(place[order]) != 0) | (np.diff(whose[order]) != 0))
        fresh = fresh[: len(order)]
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum(fresh) - 1
        known = place[order][fresh]
        start, stop = number[: len(a)], number[len(a) :]
        which, step = ranges(np.minimum(start, stop), np.abs(stop - start))
        low, high = known[step], known[step + 1] if len(step) else known[step]
        rises = (stop > start)[which]
        pieces = np.empty((len(which), 4))
        pieces[:, axis] = pieces[:, axis + 2] = boxes[mine[which], side]
        pieces[:, 1 - axis] = np.where(rises, low, high)
        pieces[:, 3 - axis] = np.where(rises, high, low)
        edges, owner = [all_edges[~on], pieces], [owners[~on], mine[which]]
    return np.concatenate(edges), np.concatenate(owner)
