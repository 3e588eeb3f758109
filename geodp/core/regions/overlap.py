"""Say how regions cover the cells of a grid: the one thing that scores and answers both need.

For a region t and a cell i the overlap ``a_i`` is the covered share of the cell's area, kept as a
whole multiple of ``2**-UNIT_BITS`` so that responses are exact integers. A cell is a *boundary*
cell of t when it is neither wholly inside nor wholly outside; only there can a point be counted
one way by the cell and another way by the region.

One *unit* is ``2**-UNIT_BITS`` of a record: the product of two fractions along an axis, each a
multiple of ``2**-FRACTION_BITS``. Responses and aggregation errors are whole numbers of units;
``UNIT`` of them make one record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..common.sums import Summed, rectangle_sums, summed_area
from ..common.types import Floats, Ints
from ..space.axis import FRACTION_BITS, WHOLE, Spans, ranges
from ..space.grid import Grid

Objects = npt.NDArray[np.object_]
"""Arrays of Python integers, which never overflow."""

Weight = Callable[[Floats], Floats]
"""From shares of cells, above 0 and at most 1, to what they weigh."""

UNIT_BITS = 2 * FRACTION_BITS
"""A unit is ``2**-48`` of a record."""

UNIT = 1 << UNIT_BITS
"""Units that make one record."""


_SMALL_COUNT = 1 << 35
"""Nine products of a count below this and half of a share fit into 64 bits together."""

_LIMB = 1 << 16
"""Counts below this have products with shares that stay inside 64 bits, in sums of millions."""

CELLS = 1 << 20
"""Cells on borders that are listed at once."""

BLOCK = 1 << 14
"""Boxes answered at once."""


class Lattice(Protocol):
    """Anything that rising lines cut into rows and columns, such as a grid."""

    @property
    def shape(self) -> tuple[int, int]:
        """Return rows and columns."""

    @property
    def x_edges(self) -> Floats:
        """Return edges of the columns."""

    @property
    def y_edges(self) -> Floats:
        """Return edges of the rows, from the south."""


class Overlap(ABC):
    """Overlaps ``a_i`` of every region with the cells of one grid."""

    @abstractmethod
    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        """Sum ``Σ a_i c_i`` for signed integer counts, exact, in units of ``2**-UNIT_BITS``."""

    def responses_of_sums(self, sums: Summed) -> Objects:
        """Return the same, from running sums."""
        return self.responses(sums.cells())

    @abstractmethod
    def power_sum(self, power: int) -> Floats:
        """Sum ``Σ a_i**power``; powers 1 and 2 are the norms of the paper and of our score."""

    @abstractmethod
    def weighted(self, values: Floats, weight: Weight) -> Floats:
        """Sum ``Σ weight(a_i) v_i`` over the cells that a region covers in part or wholly.

        Floats: for error bars, never for scores.
        """

    @abstractmethod
    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Yield cells that regions cover in part: region, cell, share, a bounded number at a time.

        Cells are indices into counts, with row 0 in the north. All of a region come together.
        """

    @abstractmethod
    def influence(self, weights: Ints) -> int:
        """Return the largest ``Σ_t w_t max(a_j, 1 - a_j)`` over cells j and the regions they bound.

        Rounded up, in units of ``2**-FRACTION_BITS``: how far one point can move the weighted sum
        of aggregation errors.
        """


def influence(share: npt.NDArray[Any]) -> Ints:
    """Return ``max(a, 1 - a)`` of overlaps, rounded up to units of ``2**-FRACTION_BITS``."""
    larger = np.maximum(share, UNIT - share)
    return np.asarray(-(-larger >> FRACTION_BITS), dtype=np.int64)


def share_sums(region: Ints, share: Ints, counts: npt.NDArray[Any], regions: int) -> Objects:
    """Add up shares of counts by region, exact for any counts of 64 bits.

    Parameters
    ----------
    region, share : ndarray of int
        Region and share of each cell, in units of ``2**-FRACTION_BITS``.
    counts : ndarray of int
        Signed count of each cell, which may be a sum of units.
    regions : int
        How many regions there are.

    Examples
    --------
    >>> share_sums(np.array([0, 0]), np.array([3, 1 << 24]), np.array([5, 1 << 62]), 1)
    array([77371252455336267181195279], dtype=object)
    """
    sums = np.zeros(regions, dtype=object)
    left, factor = counts.astype(np.int64), 1
    while left.any():
        is_small = left.min() > -_LIMB and left.max() < _LIMB  # the last limb has the sign
        limb = left if is_small else left % _LIMB
        part = np.zeros(regions, dtype=np.int64)
        np.add.at(part, region, share * limb)
        sums += part.astype(object) * factor
        left, factor = (left - limb) // _LIMB, factor * _LIMB
    return sums


class CellOverlap(Overlap):
    """Overlaps that are listed: boundary cells one by one, inner cells in whatever way is handy.

    Rows are counted from the south here, as edges rise.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns of the grid.
    count : int
        Number of regions.
    region, row, column, share : ndarray
        Boundary cells with their overlap in units of ``2**-FRACTION_BITS``.
    """

    shape: tuple[int, int]
    count: int
    region: Ints
    row: Ints
    column: Ints
    share: Ints

    @property
    def cell(self) -> Ints:
        """Return boundary cells as indices into counts with row 0 in the north."""
        return np.asarray((self.shape[0] - 1 - self.row) * self.shape[1] + self.column)

    @abstractmethod
    def inner_sums(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return counts in the inner cells of each region."""

    @abstractmethod
    def inner_cells(self) -> Ints:
        """Return the number of the inner cells of each region."""

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        edge = share_sums(self.region, self.share, counts.ravel()[self.cell], self.count)
        inner = self.inner_sums(counts).astype(object) << (2 * FRACTION_BITS)
        return np.asarray((edge << FRACTION_BITS) + inner, dtype=object)

    def power_sum(self, power: int) -> Floats:
        edge = np.bincount(self.region, (self.share / WHOLE) ** power, minlength=self.count)
        return np.asarray(edge + self.inner_cells())

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        share = self.share / WHOLE
        edge = np.where(share > 0, weight(share), 0.0) * values.ravel()[self.cell]
        inner = self.inner_sums(np.asarray(values, dtype=np.float64)) * weight(np.ones(1))
        return np.asarray(np.bincount(self.region, edge, minlength=self.count) + inner)

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        cut = (self.share > 0) & (self.share < WHOLE)
        yield self.region[cut], self.cell[cut], self.share[cut] / WHOLE

    def influence(self, weights: Ints) -> int:
        sums = np.zeros(self.shape[0] * self.shape[1], dtype=np.int64)
        moves = influence(self.share << FRACTION_BITS)
        np.add.at(sums, self.cell, weights[self.region] * moves)
        return int(sums.max())


class BoxOverlap(Overlap):
    """Overlaps of half-open boxes: products of one span per axis.

    Parameters
    ----------
    boxes : ndarray, shape (m, 4)
        ``xmin, ymin, xmax, ymax`` of each box.
    grid : Grid
        The cells.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> grid = Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (2, 2))
    >>> half = BoxOverlap(np.array([[0.0, 0.0, 1.5, 2.0]]), grid)
    >>> half.responses(np.array([[1, 2], [3, 4]]))[0] / UNIT
    7.0
    """

    def __init__(self, boxes: Floats, grid: Grid) -> None:
        self.shape = grid.shape
        self.x = Spans(grid.x_edges, boxes[:, 0], boxes[:, 2])
        self.y = Spans(grid.y_edges, boxes[:, 1], boxes[:, 3])

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        rows, columns = self.shape
        sums = Summed(summed_area(counts), np.arange(rows + 1), np.arange(columns + 1))
        integers = counts.dtype.kind in "iu"
        return self._responses(sums, np.abs(counts, dtype=np.float64).sum() if integers else np.inf)

    def responses_of_sums(self, sums: Summed) -> Objects:
        return self._responses(sums, sums.total)

    def _responses(self, sums: Summed, most: float) -> Objects:
        # Shares take up to 48 bits. With counts they fit into 64 in two halves, or else into none.
        kind = np.int64 if most < _SMALL_COUNT else object
        responses = np.empty(len(self.x.start), dtype=object)
        for start in range(0, len(responses), BLOCK):
            part = slice(start, start + BLOCK)
            # All nine rectangles of constant overlap at once: those of one row side by side.
            x0, x1, across = (run[part].T[None] for run in self.x.runs)
            y0, y1, along = (run[part].T[:, None] for run in self.y.runs)
            inside = sums.rectangles(x0, x1, y0, y1).astype(kind)
            share = across * along
            halves = share >> FRACTION_BITS, share & WHOLE - 1
            high, low = ((inside * half).sum(axis=(0, 1)).astype(object) for half in halves)
            responses[part] = high * WHOLE + low
        return responses

    def power_sum(self, power: int) -> Floats:
        return self.x.power_sum(power) * self.y.power_sum(power)

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        sums = summed_area(values)
        result = np.zeros(len(self.x.start))
        for i in range(3):
            for j in range(3):
                share = self.x.fraction[:, i] * self.y.fraction[:, j] / UNIT
                x0, x1 = self.x.start[:, i], self.x.stop[:, i]
                inside = rectangle_sums(sums, x0, x1, self.y.start[:, j], self.y.stop[:, j])
                result += np.where(share > 0, weight(share) * inside, 0.0)
        return result

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        wide, high = self.x.stop - self.x.start, self.y.stop - self.y.start
        cells = (wide.sum(axis=1) + high.sum(axis=1)) * 2
        for boxes in _groups(cells):
            parts = [self._cut(boxes, i, j) for i in range(3) for j in range(3)]
            region, cell, share = (np.concatenate(column) for column in zip(*parts))
            yield region, cell, share

    def _cut(self, boxes: Ints, i: int, j: int) -> tuple[Ints, Ints, Floats]:
        """Return cells of one of the nine rectangles of constant overlap, where that is partial."""
        rows, columns = self.shape
        share = self.x.fraction[boxes, i] * self.y.fraction[boxes, j] / UNIT
        cut = (share > 0) & (share < 1)
        boxes, share = boxes[cut], share[cut]
        x, y = self.x.start[boxes, i], self.y.start[boxes, j]
        wide, high = self.x.stop[boxes, i] - x, self.y.stop[boxes, j] - y
        which, step = ranges(np.zeros(len(boxes), dtype=np.int64), wide * high)
        row, column = y[which] + step // wide[which], x[which] + step % wide[which]
        return boxes[which], (rows - 1 - row) * columns + column, share[which]

    def influence(self, weights: Ints) -> int:
        # Every boundary cell lies in one of eight rectangles of constant overlap: adding a value
        # at their corners and summing along both axes adds it to all their cells.
        rows, columns = self.shape
        corners = np.zeros((rows + 1) * (columns + 1), dtype=np.int64)
        for i in range(3):
            for j in range(3):
                if i == j == 1:
                    continue  # wholly inside: a point there moves nothing
                x0, x1 = self.x.start[:, i], self.x.stop[:, i]
                y0, y1 = self.y.start[:, j], self.y.stop[:, j]
                value = weights * influence(self.x.fraction[:, i] * self.y.fraction[:, j])
                value[(x0 == x1) | (y0 == y1)] = 0
                for x, y, sign in ((x0, y0, 1), (x1, y1, 1), (x0, y1, -1), (x1, y0, -1)):
                    np.add.at(corners, y * (columns + 1) + x, sign * value)
        sums = corners.reshape(rows + 1, columns + 1)
        np.cumsum(sums, axis=0, out=sums)
        np.cumsum(sums, axis=1, out=sums)
        return int(sums.max())


def _groups(cells: Ints) -> Iterator[Ints]:
    """Yield consecutive regions with a bounded number of cells together, or one with more."""
    group = np.cumsum(cells) // CELLS
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    yield from np.split(np.arange(len(cells)), starts[1:])


def share_in_units(share: Floats) -> Ints:
    """Round overlaps as floats to whole multiples of ``2**-FRACTION_BITS``, clipped to [0, 1]."""
    return np.clip(np.rint(share * WHOLE), 0, WHOLE).astype(np.int64)
