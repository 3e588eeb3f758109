"""Say how regions cover cells where the domain says in which places records can be.

The overlap ``a_i`` of a region with a cell is then the part of the cell's *weight* that lies in the
region. What the proofs need stays as it is without weights: it is public, between 0 and 1, and a
cell that is not listed as a boundary cell lies wholly inside or wholly outside, decided by the same
comparisons as ever (docs/privacy.md, claim 13). Weights only change the overlaps of boundary cells,
and cells without any are left out: no point that counts lies in them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.sums import rectangle_sums, summed_area
from ..common.types import Floats, Ints
from ..space.axis import FRACTION_BITS, WHOLE, Spans, ranges
from ..space.grid import Grid
from ..space.support import Support
from .overlap import CellOverlap, share_in_units
from .polygons import PolygonOverlap, Polygons

Rectangles = tuple[Floats, Floats, Floats, Floats]
"""Edges ``xmin, ymin, xmax, ymax`` of rectangles."""

_MAX_LINES = 1 << 19
"""Pairs of a rectangle and a row of pixels that are looked up at once."""


def weight_shares(covered: Floats, total: Floats) -> Ints:
    """Return the covered shares of weights, in units of ``2**-FRACTION_BITS``.

    Weights of slivers may round to nothing; of such a cell, nothing is taken to be covered.
    """
    return share_in_units(np.where(total > 0, covered / np.where(total > 0, total, 1.0), 0.0))


class BoxOverlapWithin(CellOverlap):
    """Overlaps of half-open boxes, by weight.

    Parameters
    ----------
    boxes : ndarray, shape (m, 4)
        ``xmin, ymin, xmax, ymax`` of each box.
    grid : Grid
        Cells of a domain that says within what records can be.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> west = Support((0, 0, 4, 4), [[1, 0]])
    >>> grid = Grid(Domain((0, 0, 4, 4), crs="EPSG:5070", within=west), (1, 1))
    >>> BoxOverlapWithin(np.array([[1.0, 0.0, 4.0, 4.0]]), grid).power_sum(1)
    array([0.5])
    """

    def __init__(self, boxes: Floats, grid: Grid) -> None:
        self.shape, self.count = grid.shape, len(boxes)
        self._grid = grid
        self._x = Spans(grid.x_edges, boxes[:, 0], boxes[:, 2])
        self._y = Spans(grid.y_edges, boxes[:, 1], boxes[:, 3])
        parts = [self._cells(i, j) for i in range(3) for j in range(3) if not i == j == 1]
        listed = (np.concatenate(part) for part in zip(*parts))
        self.region, self.row, self.column = _supported(grid, *listed)
        west, south, east, north = _edges(grid, self.row, self.column)
        low_x, low_y, high_x, high_y = boxes[self.region].T
        covered = _support(grid).weight(
            np.maximum(west, low_x),
            np.maximum(south, low_y),
            np.minimum(east, high_x),
            np.minimum(north, high_y),
        )
        self.share = weight_shares(covered, _support(grid).weight(west, south, east, north))

    def _cells(self, i: int, j: int) -> tuple[Ints, Ints, Ints]:
        """Return region, row and column of the cells in one of the nine parts of every box."""
        x0, y0 = self._x.start[:, i], self._y.start[:, j]
        wide, high = self._x.stop[:, i] - x0, self._y.stop[:, j] - y0
        region, step = ranges(np.zeros(self.count, dtype=np.int64), wide * high)
        across = wide[region]
        return region, y0[region] + step // across, x0[region] + step % across

    def inner_sums(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        x0, x1 = self._x.start[:, 1], self._x.stop[:, 1]
        y0, y1 = self._y.start[:, 1], self._y.stop[:, 1]
        kept = np.where(self._grid.supported, counts, 0)
        return rectangle_sums(summed_area(kept), x0, x1, y0, y1)

    def inner_cells(self) -> Ints:
        return np.asarray(self.inner_sums(np.ones(self.shape, dtype=np.int64)))


class PolygonOverlapWithin(PolygonOverlap):
    """Overlaps of polygons, by weight.

    Parameters
    ----------
    polygons : Polygons
        The regions.
    grid : Grid
        Cells of a domain that says within what records can be.
    weights : PolygonWeights
        Weights of the same polygons, by rows of pixels.
    """

    def __init__(self, polygons: Polygons, grid: Grid, weights: PolygonWeights) -> None:
        super().__init__(polygons, grid)
        self._grid = grid
        kept = grid.supported.ravel()[self.cell]
        for name in ("region", "row", "column", "share"):
            setattr(self, name, getattr(self, name)[kept])
        edges = _edges(grid, self.row, self.column)
        self.share = weights.shares(self.share, self.region, edges)

    def inner_sums(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return super().inner_sums(np.where(self._grid.supported, counts, 0))

    def inner_cells(self) -> Ints:
        return np.asarray(self.inner_sums(np.ones(self.shape, dtype=np.int64)))


class PolygonWeights:
    """Say what polygons have of a support's weight, left of any place in any row of pixels.

    In a pixel that a polygon covers in part, its share is taken as alike all over the pixel.

    Parameters
    ----------
    polygons : Polygons
        The regions.
    support : Support
        The weights.

    Examples
    --------
    >>> triangle = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    >>> west = Support((0, 0, 4, 4), [[3, 0], [3, 0]])
    >>> weights = PolygonWeights(Polygons.from_rings([(0, False, triangle)], 1), west)
    >>> zero, four = np.array([0.0]), np.array([4.0])
    >>> weights.weight(np.array([0]), zero, zero, four, four)
    array([4.5])
    """

    def __init__(self, polygons: Polygons, support: Support) -> None:
        self._support = support
        rows, columns = support.shape
        by_area = PolygonOverlap(polygons, support)
        self._pixels = support.weights[::-1].astype(np.int64)
        self._before = np.zeros((rows, columns + 1), dtype=np.int64)
        np.cumsum(self._pixels, axis=1, out=self._before[:, 1:])
        # Boundary pixels and inner runs, in order: what lies left of a place in a line is a
        # difference of running sums. They may run over 64 bits; differences stay exact.
        line = np.append(
            by_area.region * rows + by_area.row, by_area.run_region * rows + by_area.run_row
        )
        start = np.append(by_area.column, by_area.run_start)
        stop = np.append(by_area.column + 1, by_area.run_stop)
        inner = self._before[by_area.run_row, by_area.run_stop]
        inner = inner - self._before[by_area.run_row, by_area.run_start] << FRACTION_BITS
        weight = np.append(self._pixels[by_area.row, by_area.column] * by_area.share, inner)
        order = np.argsort(line * columns + start, kind="stable")
        self._key = (line * columns + start)[order]
        self._stop = (line * columns + stop)[order]
        self._is_run = (np.arange(len(order)) >= len(by_area.region))[order]
        self._weights = weight[order]
        self._sums = np.append(0, np.cumsum(self._weights))

    def shares(self, by_area: Ints, region: Ints, rectangles: Rectangles) -> Ints:
        """Return shares of weight, not of area, in units of ``2**-FRACTION_BITS``.

        Where all or nothing of the area is covered, or the weight is alike all over, areas tell.

        Parameters
        ----------
        by_area : ndarray of int
            Shares of the rectangles' areas.
        region, rectangles
            A region for each rectangle.
        """
        cut = (by_area > 0) & (by_area < WHOLE)
        uneven = np.flatnonzero(cut & ~self._support.is_even(*rectangles))
        edges = [edge[uneven] for edge in rectangles]
        covered = self.weight(region[uneven], *edges)
        shares = by_area.copy()
        shares[uneven] = weight_shares(covered, self._support.weight(*edges))
        return shares

    def weight(
        self, region: Ints, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats
    ) -> Floats:
        """Return the weight of what a region has of a rectangle, one region for each."""
        result = np.zeros(len(region))
        rows = Spans(self._support.y_edges, ymin, ymax)
        for run in range(3):
            length = rows.stop[:, run] - rows.start[:, run]
            block = np.cumsum(length) // _MAX_LINES
            for part in np.split(np.arange(len(region)), np.flatnonzero(np.diff(block)) + 1):
                which, row = ranges(rows.start[part, run], length[part])
                pair = part[which]
                along = self._along(region[pair] * len(self._pixels) + row, row, xmin, xmax, pair)
                share = rows.fraction[part, run] * 2.0 ** (-2 * FRACTION_BITS)
                result[part] += share * np.bincount(which, along, minlength=len(part))
        return result

    def _along(self, line: Ints, row: Ints, xmin: Floats, xmax: Floats, pair: Ints) -> Floats:
        low, low_part = self._weight_left(line, row, xmin[pair])
        high, high_part = self._weight_left(line, row, xmax[pair])
        return np.asarray((high - low) + (high_part - low_part))

    def _weight_left(self, line: Ints, row: Ints, x: Floats) -> tuple[Ints, Floats]:
        """Return weight left of a place, counted from anywhere: whole entries, and part of one."""
        edges, columns = self._support.x_edges, self._pixels.shape[1]
        column = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, columns - 1)
        part = (x - edges[column]) / (edges[column + 1] - edges[column])
        place = line * columns + column
        entry = np.searchsorted(self._key, place, side="right") - 1
        cut = entry >= 0
        cut[cut] = self._stop[entry[cut]] > place[cut]
        complete = self._sums[entry + ~cut]
        partial = np.zeros(len(x))
        entry, row, column, part = entry[cut], row[cut], column[cut], part[cut]
        first = self._key[entry] - line[cut] * columns
        run = self._before[row, column] - self._before[row, first]
        in_run = (run + self._pixels[row, column] * part) * 2.0**FRACTION_BITS
        partial[cut] = np.where(self._is_run[entry], in_run, self._weights[entry] * part)
        return complete, partial


def _support(grid: Grid) -> Support:
    assert grid.domain.within is not None
    return grid.domain.within


def _supported(grid: Grid, region: Ints, row: Ints, column: Ints) -> tuple[Ints, Ints, Ints]:
    kept = grid.supported[grid.shape[0] - 1 - row, column]
    return region[kept], row[kept], column[kept]


def _edges(grid: Grid, row: Ints, column: Ints) -> Rectangles:
    x, y = grid.x_edges, grid.y_edges
    return x[column], y[row], x[column + 1], y[row + 1]
