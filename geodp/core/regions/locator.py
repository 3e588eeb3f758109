"""Find which points are in which polygon: by cells, and one by one only near a boundary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.sums import unit_sums
from ..common.types import Floats, Ints
from ..space.axis import ranges
from ..space.domain import Domain
from ..space.grid import Grid
from .polygons import PolygonOverlap, Polygons

MAX_TESTS = 1 << 21
"""Pairs of a point and an edge that are tested at once, so that memory stays bounded."""


class Locator:
    """Counts the points inside each polygon, testing only those near its boundary.

    Points are first put into the cells of a fine grid: inner cells need no test, boundary
    cells are tested against the polygon's edges in their row, by the even-odd rule.

    Parameters
    ----------
    polygons : Polygons
        The regions.
    domain : Domain
        Where the points are.
    """

    def __init__(self, polygons: Polygons, domain: Domain) -> None:
        # Finer for more edges, so that few of them meet in one row; any size gives the same counts.
        size = min(max(64, 8 * math.isqrt(len(polygons.edges))), 512)
        self.grid = Grid(domain, (size, size))
        self.overlap = PolygonOverlap(polygons, self.grid)
        self.edges = polygons.edges
        order = np.argsort(self.overlap.cell, kind="stable")
        self._region, self._row = self.overlap.region[order], self.overlap.row[order]
        self._first = np.searchsorted(self.overlap.cell[order], np.arange(self.grid.cells + 1))
        low = np.minimum(polygons.edges[:, 1], polygons.edges[:, 3])
        high = np.maximum(polygons.edges[:, 1], polygons.edges[:, 3])
        first = np.clip(np.searchsorted(self.grid.y_edges, low, side="right") - 1, 0, size - 1)
        last = np.clip(np.searchsorted(self.grid.y_edges, high, side="right") - 1, 0, size - 1)
        edge, row = ranges(first, last - first + 1)
        key = polygons.owner[edge] * size + row
        self._edge = edge[np.argsort(key, kind="stable")]
        self._edge_first = np.searchsorted(np.sort(key), np.arange(polygons.count * size + 1))

    def near(self, x: Floats, y: Floats, cell: Ints, units: Ints | None = None) -> Ints:
        """Count, per polygon, the points inside it that lie in its boundary cells.

        Where points are not simply one, each counts as so many units.
        """
        point, entry = ranges(self._first[cell], self._first[cell + 1] - self._first[cell])
        region = self._region[entry]
        key = region * self.grid.shape[0] + self._row[entry]
        first = self._edge_first[key]
        length = self._edge_first[key + 1] - first
        if length.sum() > MAX_TESTS and len(x) > 1:  # memory stays bounded, however wiggly
            half = len(x) // 2
            lower, upper = (None, None) if units is None else (units[:half], units[half:])
            return self.near(x[:half], y[:half], cell[:half], lower) + self.near(
                x[half:], y[half:], cell[half:], upper
            )
        test, slot = ranges(first, length)
        ax, ay, bx, by = self.edges[self._edge[slot]].T
        px, py = x[point[test]], y[point[test]]
        spans = (ay <= py) != (by <= py)
        with np.errstate(all="ignore"):  # only edges that span the point's height count
            right_of = px < ax + (py - ay) / (by - ay) * (bx - ax)
        crossings = np.bincount(test, weights=spans & right_of, minlength=len(region))
        inside = crossings.astype(np.int64) % 2 == 1
        worth = None if units is None else units[point[inside]]
        return unit_sums(region[inside], worth, self.overlap.count)

    def inside(self, near: Ints, counts: npt.NDArray[Any]) -> Ints:
        """Count exactly per polygon, from the tested points and the counts on the fine grid."""
        return np.asarray(near + self.overlap.inner_sums(counts), dtype=np.int64)
