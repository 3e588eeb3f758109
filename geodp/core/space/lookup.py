"""Find the cells that points fall into, on several lattices at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats
from .axis import Axis
from .domain import Domain
from .grid import in_domain

CellCodes = npt.NDArray[np.int32]

BLOCK = 1 << 15
"""Points looked up at once; their arrays stay in the processor's cache.

Larger blocks are no faster, and much slower where an allocator hands every freed array back to the
system, as Dask tells its workers to do (docs/scale.md).
"""

_UNSURE, _OUTSIDE = -(1 << 27), -(1 << 30)
"""What stands for a column or a row that a bucket does not tell, and for one that is not there.

Numbers of cells are below 2**26. With any of them, the first makes a negative sum and twice the
first one above half of the second, which no sum with the second reaches; all fit into 32 bits.
"""


class Lookup:
    """Edges along both axes, and what columns and rows add to the numbers of cells.

    Parameters
    ----------
    domain : Domain
        Points outside, or where no records can be, are left out.
    x, y : Axis
        Edges from one end of the domain to the other.
    columns, rows : ndarray of int, shape (cells of the axis, lattices)
        The number of a cell is the sum of what its column and its row add.

    Examples
    --------
    >>> town = Domain((0, 0, 2, 2), crs="EPSG:5070")
    >>> axis, steps = Axis(np.array([0.0, 1.0, 2.0])), np.array([[0], [1]])
    >>> numbers, _ = Lookup(town, axis, axis, steps, 2 * steps).numbers(np.ones(1), np.zeros(1))
    >>> numbers
    array([[1]], dtype=int32)
    """

    def __init__(
        self,
        domain: Domain,
        x: Axis,
        y: Axis,
        columns: npt.NDArray[Any],
        rows: npt.NDArray[Any],
    ) -> None:
        self.domain, self.x, self.y = domain, x, y
        self.lattices = columns.shape[1]
        self._columns, self._rows = _widened(columns), _widened(rows)
        self._by_bucket = _bucket_parts(x, self._columns), _bucket_parts(y, self._rows)

    def numbers(self, x: Floats, y: Floats) -> tuple[CellCodes, Bools | None]:
        """Look up where points fall.

        Returns
        -------
        numbers : ndarray, shape (points inside, lattices)
            Numbers of the cells of those points that are in the domain.
        inside : ndarray of bool, optional
            Which points those are; None for all.
        """
        if self.domain.within is None:
            return self._numbers(x, y)
        inside, x, y = in_domain(self.domain, x, y)
        return self._numbers(x, y)[0], inside

    def _numbers(self, x: Floats, y: Floats) -> tuple[CellCodes, Bools | None]:
        numbers = self._from_buckets(x, y)
        first = numbers[:, 0]
        negative = np.flatnonzero(first < 0)  # few, so the rest is cheap
        if len(negative):
            unsure = negative[first.take(negative) > _OUTSIDE // 2]
            numbers[unsure] = self._compared(x.take(unsure), y.take(unsure))
            if (first.take(negative) < 0).any():
                inside = first >= 0
                return numbers.take(np.flatnonzero(inside), axis=0)[:, : self.lattices], inside
        return numbers[:, : self.lattices], None

    def _from_buckets(self, x: Floats, y: Floats) -> CellCodes:
        """Return numbers by the buckets of both coordinates; negative where those tell no cell."""
        columns, rows = self._by_bucket
        numbers = np.empty((len(x), columns.shape[1]), dtype=np.int32)
        size = min(len(x), BLOCK)
        place, more = np.empty(size), np.empty((size, columns.shape[1]), dtype=np.int32)
        with np.errstate(all="ignore"):  # NaN and points far outside warn
            for start in range(0, len(x), BLOCK):
                part = numbers[start : start + BLOCK]
                room, other = place[: len(part)], more[: len(part)]
                bucket = self.x.bucket(x[start : start + BLOCK], room)
                columns.take(bucket, axis=0, out=part, mode="clip")
                bucket = self.y.bucket(y[start : start + BLOCK], room)
                rows.take(bucket, axis=0, out=other, mode="clip")
                part += other
        return numbers

    def _compared(self, x: Floats, y: Floats) -> CellCodes:
        """Return numbers by comparing coordinates with edges; negative for points outside."""
        column, row = self.x.guess(x), self.y.guess(y)
        other = np.flatnonzero((column | row) < 0)
        self.x.compare(column, x)
        self.y.compare(row, y)
        kept, near_x, near_y = in_domain(self.domain, x[other], y[other])
        column[other[kept]] = self.x.search(near_x)
        row[other[kept]] = self.y.search(near_y)
        numbers = self._columns.take(column, axis=0, mode="clip")
        numbers += self._rows.take(row, axis=0, mode="clip")
        numbers[other[~kept]] = _OUTSIDE
        return numbers


def _bucket_parts(axis: Axis, parts: CellCodes) -> CellCodes:
    """Return what each bucket of an axis adds; where it tells no cell, sums are negative."""
    table = parts.take(axis.cells, axis=0, mode="clip")
    table[~axis.sure] = _UNSURE
    table[: axis.inside.start] = table[axis.inside.stop :] = _OUTSIDE
    return table


def _widened(parts: npt.NDArray[Any]) -> CellCodes:
    """Return rows of 1, 2, 4 or 8 numbers, which NumPy copies in one step; others are slow."""
    width = 1 << (parts.shape[1] - 1).bit_length()
    wide = np.zeros((len(parts), width), dtype=np.int32)
    wide[:, : parts.shape[1]] = parts
    return wide
