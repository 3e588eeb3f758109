"""Reimplement AG, the adaptive grid of Qardaji, Yang & Li.

From "Differentially Private Grids for Geospatial Data" (2013), section IV. A coarse
grid is counted with a part α of the budget. Each of its cells is then cut by its own noisy count
and counted again with the rest, and both counts are made to agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from geodp.core.common.types import Floats, Ints

ALPHA = 0.5
C1, C2 = 10.0, 5.0


def first_size(records: int, epsilon: float) -> int:
    """Compute divisions per axis of the first level, ``m1 = max(10, ⌈sqrt(N ε / c) / 4⌉)``.

    Examples
    --------
    >>> first_size(100_000, 1.0), first_size(1000, 1.0)
    (25, 10)
    """
    return max(10, math.ceil(math.sqrt(records * epsilon / C1) / 4))


def second_sizes(noisy: Floats, epsilon: float) -> Ints:
    """Compute divisions per axis inside each first-level cell, ``m2 = ⌈sqrt(N' (1-α) ε / c2)⌉``.

    Examples
    --------
    >>> second_sizes(np.array([-3.0, 90.0, 91.0]), 1.0)
    array([1, 3, 4])
    """
    wanted = np.ceil(np.sqrt(np.maximum(noisy, 0) * (1 - ALPHA) * epsilon / C2))
    return np.maximum(wanted, 1).astype(np.int64)


def agree(first: Floats, second: Floats, sizes: Ints) -> tuple[Floats, Floats]:
    """Make both levels agree: their best weighted mean, spread over the second.

    Parameters
    ----------
    first : ndarray
        Noisy counts of the first level.
    second : ndarray
        Noisy counts of the second level, cell after cell.
    sizes : ndarray of int
        ``m2`` of each first-level cell.

    Examples
    --------
    >>> agree(np.array([10.0]), np.array([1.0, 2.0, 2.0, 1.0]), np.array([2]))
    (array([9.2]), array([1.8, 2.8, 2.8, 1.8]))
    """
    parts = sizes**2
    sums = np.add.reduceat(second, np.cumsum(parts) - parts)
    above, below = ALPHA**2 * parts, (1 - ALPHA) ** 2
    best = (above * first + below * sums) / (above + below)
    return best, second + np.repeat((best - sums) / parts, parts)


@dataclass(frozen=True, eq=False)
class AdaptiveGrid:
    """Hold a released two-level grid on the unit square.

    Attributes
    ----------
    sizes : ndarray, shape (m1, m1)
        ``m2`` of each cell, row 0 in the south.
    starts : ndarray, shape (m1, m1)
        Where each cell's summed-area table begins.
    tables : ndarray
        Summed-area tables of all cells, ``(m2 + 1)²`` numbers each.
    """

    sizes: Ints
    starts: Ints
    tables: Floats

    @classmethod
    def of(cls, size: int, sizes: Ints, second: Floats) -> AdaptiveGrid:
        """Arrange second-level counts; cells of like ``m2`` are summed together."""
        parts, padded = sizes**2, (sizes + 1) ** 2
        begin, starts = np.cumsum(parts) - parts, np.cumsum(padded) - padded
        tables = np.zeros(int(padded.sum()))
        for m2 in np.unique(sizes):
            cells = np.flatnonzero(sizes == m2)
            counts = second[begin[cells, None] + np.arange(m2 * m2)].reshape(-1, m2, m2)
            sums = np.zeros((len(cells), m2 + 1, m2 + 1))
            sums[:, 1:, 1:] = counts.cumsum(axis=1).cumsum(axis=2)
            tables[starts[cells, None] + np.arange((m2 + 1) ** 2)] = sums.reshape(len(cells), -1)
        return cls(sizes.reshape(size, size), starts.reshape(size, size), tables)

    def answers(self, boxes: Floats) -> Floats:
        """Estimate counts in boxes ``xmin, ymin, xmax, ymax`` of the unit square."""
        m1 = len(self.sizes)
        x, y = boxes[:, [0, 2]] * m1, boxes[:, [1, 3]] * m1  # in first-level cells
        column = np.clip(x.astype(np.int64), 0, m1 - 1)
        row = np.clip(y.astype(np.int64), 0, m1 - 1)
        across, up = x - column, y - row
        # Mass below and left of a corner: whole cells, a strip of cells cut in x, a strip cut in
        # y, and the one cell that is cut in both.
        complete = np.zeros((m1 + 1, m1 + 1))
        every = np.arange(m1)
        totals = self._mass(every[:, None], every[None, :], 1.0, 1.0)
        complete[1:, 1:] = totals.cumsum(axis=0).cumsum(axis=1)
        upright = _running(self._mass(every, column[..., None], across[..., None], 1.0))
        level = _running(self._mass(row[..., None], every, 1.0, up[..., None]))
        rank = np.arange(len(boxes))
        result = np.zeros(len(boxes))
        for i, j, sign in ((1, 1, 1.0), (0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0)):
            c, r = column[:, i], row[:, j]
            corner = self._mass(r, c, across[:, i], up[:, j])
            result += sign * (complete[r, c] + upright[rank, i, r] + level[rank, j, c] + corner)
        return result

    def _mass(self, row: Ints, column: Ints, across: Floats | float, up: Floats | float) -> Floats:
        """Count in the lower left part of cells, up to fractions of their width and height."""
        m2, start = self.sizes[row, column], self.starts[row, column]
        x, y = across * m2, up * m2
        i = np.minimum(np.asarray(x).astype(np.int64), m2 - 1)
        j = np.minimum(np.asarray(y).astype(np.int64), m2 - 1)
        f, g = x - i, y - j
        at = start + j * (m2 + 1) + i
        low = (1 - f) * self.tables[at] + f * self.tables[at + 1]
        high = (1 - f) * self.tables[at + m2 + 1] + f * self.tables[at + m2 + 2]
        return np.asarray((1 - g) * low + g * high)


def _running(values: Floats) -> Floats:
    """Add up the first 0, 1, 2 … values along the last axis."""
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums


class AdaptiveGridMaker:
    """Prepare AG for one set of points and one ε: what does not change between repetitions.

    Parameters
    ----------
    u, v : ndarray
        Points in ``[0, 1)``.
    epsilon : float
        Budget. The number of points is taken as public, as its authors do.
    """

    def __init__(self, u: Floats, v: Floats, epsilon: float) -> None:
        self.epsilon = epsilon
        self.size = first_size(len(u), epsilon)
        column, row = (u * self.size).astype(np.int64), (v * self.size).astype(np.int64)
        self.across, self.up = u * self.size - column, v * self.size - row
        self.cell = row * self.size + column
        self.counts = np.bincount(self.cell, minlength=self.size**2)

    def release(self, random: np.random.Generator) -> AdaptiveGrid:
        """Draw one release."""
        first = self.counts + random.laplace(
            scale=1 / (ALPHA * self.epsilon), size=len(self.counts)
        )
        sizes = second_sizes(first, self.epsilon)
        second = self.second_counts(sizes).astype(np.float64)
        second += random.laplace(scale=1 / ((1 - ALPHA) * self.epsilon), size=len(second))
        return AdaptiveGrid.of(self.size, sizes, agree(first, second, sizes)[1])

    def second_counts(self, sizes: Ints) -> Ints:
        """Count the second level, cell after cell, rows from the south."""
        parts = sizes**2
        begin = np.cumsum(parts) - parts
        m2 = sizes[self.cell]
        fine = (self.up * m2).astype(np.int64) * m2 + (self.across * m2).astype(np.int64)
        return np.bincount(begin[self.cell] + fine, minlength=int(parts.sum()))
