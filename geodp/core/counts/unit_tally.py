"""Counting units on the base lattice of an adaptive release: filled cells, and their sums.

Records that carry units are those of persons, or carry amounts. What is kept is one code for each
base cell that is filled, and the units there; points wait until there are as many as cells, and are
then sorted in among them. So memory is bounded by the cells that are filled. What comes out is a
sum over points, so blocks, files and workers merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints
from ..space.frame import Codes, Frame
from .node_tally import NodeTally

_BLOCK = 1 << 16
"""Points looked up at once."""

_PACKED_BITS = 36
"""Bits of a number of units that fit beside a code, of 26 bits, into 63."""

_WAIT = 1 << 22
"""Points that wait, at least, before they are sorted in."""


class UnitTally(NodeTally):
    """True sums of units of the points seen so far, by base cell. Private.

    Parameters
    ----------
    frame : Frame
        The lattice.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> tally = UnitTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (2, 2), 1))
    >>> tally.add(np.array([0.5, 1.0, 3.9]), np.array([1.5, 0.0, 4.0]), np.array([6, 6, 12]))
    >>> tally
    UnitTally(private)
    >>> tally.node_counts(np.arange(4), 1)
    array([12,  0,  0, 12])
    """

    frame: Frame

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._codes: Codes = np.zeros(0, dtype=np.int32)  # of filled cells, rising
        self._sums: Ints = np.zeros(1, dtype=np.int64)  # units in all cells before each, and in all
        self._waiting: list[tuple[Codes, Ints]] = []
        self._waits = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _unit_tally, (self.frame, *self._filled())

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike, units: Ints) -> None:
        """Add up the units of points given by coordinates in the domain's CRS.

        Those outside are dropped. Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), _BLOCK):
            part = slice(start, start + _BLOCK)
            codes, inside = self.locate(xs[part], ys[part])
            self.keep(codes, units[part] if inside is None else units[part][inside])

    def locate(self, x: Floats, y: Floats) -> tuple[Codes, Bools | None]:
        """Return codes of those points that are inside, and which these are; None for all."""
        return self.frame.located(x, y)

    def keep(self, codes: Codes, units: Ints | None = None) -> None:
        """Add up the units of points that were located."""
        worth = np.ones(len(codes), dtype=np.int64) if units is None else units
        with self._adding:
            self._waiting.append((codes, worth))
            self._waits += len(codes)
            if self._waits >= max(_WAIT, len(self._codes)):
                self._sort_in()

    def _sort_in(self) -> None:
        """Take what waits into the sums of cells."""
        if not self._waits:
            self._waiting = []
            return
        parts = [(self._codes, np.diff(self._sums)), *self._waiting]
        codes, units = (np.concatenate(column) for column in zip(*parts))
        self._waiting, self._waits = [], 0
        if int(units.max(initial=0)) >> _PACKED_BITS:
            order = np.argsort(codes, kind="stable")
            codes, units = codes[order], units[order]
        else:  # sorted as one number each, which is several times as fast
            packed = np.sort(codes.astype(np.int64) << _PACKED_BITS | units)
            codes = (packed >> _PACKED_BITS).astype(np.int32)
            units = packed & (1 << _PACKED_BITS) - 1
        first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
        sums = np.append(0, np.cumsum(units))
        self._codes, self._sums = codes[first], sums[np.append(first, len(codes))]

    def _filled(self) -> tuple[Codes, Ints]:
        """Return codes of all cells that are filled, and the units there."""
        with self._adding:
            self._sort_in()
            return self._codes, np.diff(self._sums)

    def _take_in(self, other: UnitTally) -> None:
        self.keep(*other._filled())

    @property
    def total(self) -> int:
        """Return the units in the domain."""
        return int(self._filled()[1].sum())

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Do nothing: all sums are there."""

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true sums of units in the nodes with these codes at a depth."""
        with self._adding:
            self._sort_in()
        if depth == 0 or not len(codes):
            return np.full(len(codes), self._sums[-1], dtype=np.int64)
        bits = self.frame.bits(depth)
        # Codes of base cells are at most 2**26, which 32 bits hold: no list is widened.
        first, last = ((ends << bits).astype(np.int32) for ends in (codes, codes + 1))
        below, through = (np.searchsorted(self._codes, ends) for ends in (first, last))
        return np.asarray(self._sums[through] - self._sums[below])


def _unit_tally(frame: Frame, codes: Codes, units: Ints) -> UnitTally:
    """Make a tally from the cells that are filled."""
    tally = UnitTally(frame)
    tally.keep(codes, units)
    return tally
