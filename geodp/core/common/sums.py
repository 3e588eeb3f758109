"""Sum over rectangles of whole cells: four look-ups in a table of running sums."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .types import Ints

_WIDE = 256
"""Columns from which rows are added up one by one: NumPy goes column by column, which is slower."""

_LOW_BITS = 26
_LOW = (1 << _LOW_BITS) - 1
"""The lower half of a number of units."""


def unit_sums(place: npt.NDArray[Any], units: Ints | None, places: int) -> Ints:
    """Count entries by their place, or add up their units there: exact, whatever the size.

    Parameters
    ----------
    place : ndarray of int
        Where each entry is, from 0.
    units : ndarray of int, optional
        What each is worth, not below 0; None for one each.
    places : int
        How many places there are.

    Examples
    --------
    >>> unit_sums(np.array([1, 1, 0]), np.array([2**53, 1, 5]), 3)
    array([               5, 9007199254740993,                0])
    """
    if units is None:
        return np.bincount(place, minlength=places)
    # Sums of floats are exact below 2**53, which two halves of the numbers keep.
    if int(units.max(initial=0)) * len(units) < 1 << 53:
        return np.bincount(place, units, minlength=places).astype(np.int64)
    low = np.bincount(place, units & _LOW, minlength=places).astype(np.int64)
    high = units >> _LOW_BITS
    if not high.any():
        return low
    return low + (np.bincount(place, high, minlength=places).astype(np.int64) << _LOW_BITS)


def summed_area(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Add up all counts below and left of each corner, from the south-west; row 0 is north."""
    rows, columns = counts.shape
    kind = np.float64 if counts.dtype.kind == "f" else np.int64
    sums = np.zeros((rows + 1, columns + 1), dtype=kind)
    if columns < _WIDE:
        np.cumsum(counts[::-1], axis=0, out=sums[1:, 1:])
    else:
        sums[1:, 1:] = counts[::-1]
        for here, above in zip(sums[1:], sums[2:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
            above += here
    np.cumsum(sums[1:, 1:], axis=1, out=sums[1:, 1:])
    return sums


def rectangle_sums(
    sums: npt.NDArray[Any], x0: Ints, x1: Ints, y0: Ints, y1: Ints
) -> npt.NDArray[Any]:
    """Sum counts in rectangles of whole cells; rows from the south.

    Examples
    --------
    >>> sums = summed_area(np.array([[1, 2], [3, 4]]))
    >>> zero, one, two = (np.array([n]) for n in range(3))
    >>> rectangle_sums(sums, zero, two, zero, one)
    array([7])
    """
    south, north = y0 * sums.shape[1], y1 * sums.shape[1]
    flat = sums.ravel()  # one index is faster than two
    corners = (flat.take(y + x) for y, x in ((north, x1), (south, x1), (north, x0), (south, x0)))
    both, lower, left, neither = corners
    return np.asarray(both - lower - left + neither)


def block_sums(counts: npt.NDArray[Any], rows: Ints, columns: Ints) -> npt.NDArray[Any]:
    """Sum to a coarser grid, whose lines are some of the lattice's, from one end to the other.

    Examples
    --------
    >>> block_sums(np.array([[1, 2], [3, 4]]), np.array([0, 1, 2]), np.array([0, 2]))
    array([[3],
           [7]])
    """
    lines = (len(counts) - rows[::-1]).tolist()  # line numbers count from the south
    sums = np.empty((len(rows) - 1, counts.shape[1]), dtype=counts.dtype)
    for row, start, stop in zip(sums, lines, lines[1:]):
        np.add.reduce(counts[start:stop], axis=0, out=row)
    return np.asarray(np.add.reduceat(sums, columns[:-1], axis=1))


class Summed(NamedTuple):
    """Counts of a grid's cells, none negative, as running sums on a lattice with all of its lines.

    Attributes
    ----------
    table : ndarray
        From :func:`summed_area`.
    rows, columns : ndarray of int
        Lines of the grid among those of the lattice, from the south-west.

    Examples
    --------
    >>> table = summed_area(np.array([[1, 2], [3, 4]]))
    >>> halves = Summed(table, rows=np.array([0, 1, 2]), columns=np.array([0, 2]))
    >>> halves.rectangles(*(np.array([n]) for n in (0, 1, 0, 1))), halves.total
    (array([7]), 10)
    >>> halves.cells()
    array([[3],
           [7]])
    """

    table: npt.NDArray[Any]
    rows: Ints
    columns: Ints

    @property
    def total(self) -> int:
        """Return the sum of all counts."""
        return int(self.table[-1, -1])

    def cells(self) -> npt.NDArray[Any]:
        """Return counts of all cells; row 0 is north."""
        corners = self.table[self.rows].take(self.columns, axis=1)
        return np.ascontiguousarray(np.diff(np.diff(corners, axis=0), axis=1)[::-1])

    def rectangles(self, x0: Ints, x1: Ints, y0: Ints, y1: Ints) -> npt.NDArray[Any]:
        """Return counts in rectangles of whole cells; rows from the south."""
        west, east, south, north = self.columns[x0], self.columns[x1], self.rows[y0], self.rows[y1]
        return rectangle_sums(self.table, west, east, south, north)
