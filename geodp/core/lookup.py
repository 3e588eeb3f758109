"""Numbers of the cells that points fall into, on several lattices at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Axis, Floats, Ints, Places
from .domain import Domain
from .grid import in_domain
from .noise import Bools

Numbers = npt.NDArray[np.int32]


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
    >>> found, _ = Lookup(town, axis, axis, steps, 2 * steps).numbers(np.ones(1), np.zeros(1))
    >>> found
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

    def numbers(self, x: Floats, y: Floats) -> tuple[Numbers, Bools | None]:
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

    def _numbers(self, x: Floats, y: Floats) -> tuple[Numbers, Bools | None]:
        column, row = self.x.guess(x), self.y.guess(y)
        unsure = np.flatnonzero((column | row) < 0)
        inside = None
        if unsure.size:
            inside = self._settle(x, y, column, row, unsure)
        if inside is not None:
            where = np.flatnonzero(inside)
            column, row = column.take(where), row.take(where)
        found = self._columns.take(column, axis=0, mode="clip")
        found += self._rows.take(row, axis=0, mode="clip")
        return found[:, : self.lattices], inside

    def _settle(
        self, x: Floats, y: Floats, column: Places, row: Places, unsure: Ints
    ) -> Bools | None:
        """Compare coordinates with edges where guesses are unsure; tell which are inside."""
        column[unsure] = self.x.compare(column[unsure], x[unsure])
        row[unsure] = self.y.compare(row[unsure], y[unsure])
        other = unsure[(column[unsure] | row[unsure]) < 0]
        kept, near_x, near_y = in_domain(self.domain, x[other], y[other])
        column[other[kept]] = self.x.search(near_x)
        row[other[kept]] = self.y.search(near_y)
        if kept.all():
            return None
        inside = np.ones(len(x), dtype=np.bool_)
        inside[other[~kept]] = False
        return inside


def _widened(parts: npt.NDArray[Any]) -> Numbers:
    """Rows of 1, 2, 4 or 8 numbers, which NumPy copies in one step; others are slower by far."""
    width = 1 << (parts.shape[1] - 1).bit_length()
    wide = np.zeros((len(parts), width), dtype=np.int32)
    wide[:, : parts.shape[1]] = parts
    return wide
