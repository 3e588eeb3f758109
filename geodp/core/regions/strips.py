"""Compute the shares of single rectangles that polygons cover, by strips along their edges.

The area of a polygon in a rectangle is a sum over its edges: each adds, with a sign for its
direction, the area of the strip between itself and the rectangle's right side (Green's theorem).
Only edges at the height of the rectangle matter; a table of rows finds them.
"""

from __future__ import annotations

import math

import numpy as np

from ..common.types import Floats, Ints
from ..space.axis import equal_edges, ranges
from ..space.domain import Domain
from .polygons import Polygons

_MAX_PAIRS = 1 << 20
"""Pairs of a rectangle and an edge at once; memory stays bounded, however wiggly the polygons."""


class Strips:
    """Polygons whose edges are sorted by row, to be asked about many rectangles.

    Parameters
    ----------
    polygons : Polygons
        The regions.
    domain : Domain
        Where the rectangles are.

    Examples
    --------
    >>> triangle = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    >>> town = Domain((0, 0, 2, 2), crs="EPSG:5070")
    >>> strips = Strips(Polygons.from_rings([(0, False, triangle)], 1), town)
    >>> one = np.array([1.0])
    >>> strips.shares(np.array([0]), 0 * one, 0 * one, 2 * one, 2 * one)
    array([0.5])
    """

    def __init__(self, polygons: Polygons, domain: Domain) -> None:
        rows = min(max(64, 8 * math.isqrt(len(polygons.edges) // max(polygons.count, 1))), 1024)
        self._rows = rows
        self._edges = polygons.edges
        self._lines = equal_edges(domain.bounds[1], domain.bounds[3], rows)
        first, last = (
            self._row(bound(polygons.edges[:, 1], polygons.edges[:, 3]))
            for bound in (np.minimum, np.maximum)
        )
        edge, row = ranges(first, last - first + 1)
        key = polygons.owner[edge] * rows + row
        order = np.argsort(key, kind="stable")
        self._edge = edge[order]
        self._first = np.searchsorted(key[order], np.arange(polygons.count * rows + 1))
        self._length = np.diff(self._first)

    def _row(self, y: Floats) -> Ints:
        """Return the row of a height, the nearest one for heights outside the domain."""
        row = np.searchsorted(self._lines, y, side="right") - 1
        return np.clip(row, 0, self._rows - 1)

    def inside(
        self, region: Ints, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats
    ) -> Floats:
        """Return 1.0 where a rectangle that no edge meets is inside its region, else 0.0."""
        x, y = (xmin + xmax) / 2, (ymin + ymax) / 2
        key = region * self._rows + self._row(y)
        result = np.zeros(len(region))
        for part in _blocks(self._length[key]):
            which, slot = ranges(self._first[key[part]], self._length[key[part]])
            ax, ay, bx, by = self._edges[self._edge[slot]].T
            px, py = x[part][which], y[part][which]
            spans = (ay <= py) != (by <= py)
            with np.errstate(all="ignore"):  # only edges that span the point's height count
                right_of = px < ax + (py - ay) / (by - ay) * (bx - ax)
            crossings = np.bincount(which, spans & right_of, minlength=len(key[part]))
            result[part] = crossings % 2
        return result

    def shares(
        self, region: Ints, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats
    ) -> Floats:
        """Return the covered share of each rectangle's area, between 0 and 1."""
        first, last = self._row(ymin), self._row(np.nextafter(ymax, ymin))
        which, row = ranges(first, last - first + 1)
        key = region[which] * self._rows + row
        # Within a row of the table, so that an edge in several rows counts once at each height.
        low = np.where(row == first[which], ymin[which], self._lines[row])
        high = np.where(row == last[which], ymax[which], self._lines[row + 1])
        area = np.zeros(len(region))
        for part in _blocks(self._length[key]):
            piece, slot = ranges(self._first[key[part]], self._length[key[part]])
            owner = which[part][piece]
            strip = _strips(
                self._edges[self._edge[slot]],
                xmin[owner],
                xmax[owner],
                low[part][piece],
                high[part][piece],
            )
            area += np.bincount(owner, strip, minlength=len(region))
        return np.clip(area / ((xmax - xmin) * (ymax - ymin)), 0.0, 1.0)


def _strips(edges: Floats, left: Floats, right: Floats, low: Floats, high: Floats) -> Floats:
    """Compute signed areas between edges and right sides of rectangles; falling edges count up."""
    ax, ay, bx, by = edges.T
    rises = by > ay
    x0, y0 = np.where(rises, ax, bx), np.minimum(ay, by)
    x1, y1 = np.where(rises, bx, ax), np.maximum(ay, by)
    start, stop = np.clip(y0, low, high), np.clip(y1, low, high)
    with np.errstate(all="ignore"):  # level edges have no strip
        s, t = (start - y0) / (y1 - y0), (stop - y0) / (y1 - y0)
    level = ~(stop > start)
    s, t = np.where(level, 0.0, s), np.where(level, 0.0, t)
    begin, end = x0 + s * (x1 - x0), x0 + t * (x1 - x0)
    mean = mean_clipped(begin, end, left, right)
    return np.asarray(np.where(rises, -1.0, 1.0) * (stop - start) * (right - mean))


def mean_clipped(begin: Floats, end: Floats, left: Floats, right: Floats) -> Floats:
    """Return the mean of a position that moves from begin to end, clipped to ``[left, right]``."""
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    inner_low, inner_high = np.clip(low, left, right), np.clip(high, left, right)
    with np.errstate(all="ignore"):  # upright edges divide by 0
        before = np.clip((left - low) / (high - low), 0.0, 1.0)
        after = np.clip((high - right) / (high - low), 0.0, 1.0)
    still = ~(high > low)
    before, after = np.where(still, 0.0, before), np.where(still, 0.0, after)
    between = np.maximum(1 - before - after, 0.0)
    return np.asarray(before * left + between * (inner_low + inner_high) / 2 + after * right)


def _blocks(lengths: Ints) -> list[slice]:
    """Cut a list into parts whose lengths add up to a bounded number, or that are one long."""
    block = np.cumsum(lengths) // _MAX_PAIRS
    starts = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist()] if len(lengths) else []
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(lengths)])]
