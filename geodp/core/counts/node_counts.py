"""Count points in nodes, from their codes or from counts on a lattice. Private.

There can be 2**26 base cells, and nobody asks for the counts of all: a tree goes deep only where
records crowd. So counts are made on a *middle* lattice, and below it in cells that a tree reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ..common.types import Ints, SignedInts
from ..space.frame import Codes, Frame

NodeCodes = npt.NDArray[Any]

Sums = list[SignedInts]
"""Sums of the same places: counts, or units of points."""

Worth = tuple[Optional[Ints], ...]  # noqa: UP045 (Python 3.9 has no other way to say it)
"""What each point is worth in each of the sums: its units, or one where there are none."""

Below = Callable[[NodeCodes], Sums]

MIDDLE_CELLS = 1 << 22
"""Cells of the middle lattice, at most."""


def middle_depth(frame: Frame, points: int) -> int:
    """Return the depth of the finest lattice that has no more cells than a middle one may.

    There may be no more of them than points, either: to make many would take the most time.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> middle_depth(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070")), 10**8)
    10
    """
    depth, most = frame.depth, min(MIDDLE_CELLS, points)
    while depth > 1 and frame.cells >> frame.bits(depth) > most:
        depth -= 1
    return depth


class SortedCounts:
    """Counts from a sorted list of all codes: for few points.

    Parameters
    ----------
    frame : Frame
        Where the codes are.
    codes : ndarray of int32
        Base cells of all points, sorted.
    worth : tuple of ndarray of int
        What each is worth in each of the sums; None for one each.
    """

    def __init__(self, frame: Frame, codes: Codes, worth: Worth = (None,)) -> None:
        self._frame, self._codes = frame, codes
        self._sums = [None if units is None else np.append(0, np.cumsum(units)) for units in worth]

    def __repr__(self) -> str:
        return "SortedCounts(private)"

    def prepare(self, codes: NodeCodes, depth: int) -> None:
        """Do nothing."""

    def counts(self, codes: NodeCodes, depth: int) -> list[Ints]:
        """Return all sums of the nodes with these codes at a depth from 1."""
        bits = self._frame.bits(depth)
        # Codes of base cells are at most 2**26, which 32 bits hold: no list is widened.
        first, last = ((ends << bits).astype(np.int32) for ends in (codes, codes + 1))
        below, through = (np.searchsorted(self._codes, ends) for ends in (first, last))
        return [
            np.asarray(through - below if sums is None else sums[through] - sums[below])
            for sums in self._sums
        ]


class LatticeCounts:
    """Counts from those on the middle lattice, and from those below it that were asked for last.

    Parameters
    ----------
    frame : Frame
        Where the nodes are.
    depth : int
        Depth of the middle lattice.
    middle : list of ndarray of int
        Sums on it, by code.
    below : callable
        Takes some codes on the middle lattice, rising, and returns the sums of the base cells in
        each of them, in a row for each.
    """

    def __init__(self, frame: Frame, depth: int, middle: Sums, below: Below) -> None:
        self._middle, self._base, self._below = depth, frame.depth, below
        self._levels: dict[int, Sums] = {depth: middle}
        for above in range(depth - 1, 0, -1):
            self._levels[above] = list(map(by_four, self._levels[above + 1]))
        self._first = 0
        self._row: SignedInts = np.zeros(0, dtype=np.int32)  # row of each code, or -1

    def __repr__(self) -> str:
        return "LatticeCounts(private)"

    def prepare(self, codes: NodeCodes, depth: int) -> None:
        """Count below the middle lattice, if that is needed for these nodes, all at once."""
        if depth > self._middle and len(codes):
            self._rows(codes >> 2 * (depth - self._middle))

    def _rows(self, above: NodeCodes) -> SignedInts:
        """Return rows of cells of the middle lattice, looked into if they were not yet."""
        place = above - self._first
        if place.min() < 0 or place.max() >= len(self._row) or (self._row.take(place) < 0).any():
            self._open(above)
            place = above - self._first
        return self._row.take(place)

    def _open(self, above: NodeCodes) -> None:
        """Look into cells of the middle lattice, and forget what is below others."""
        self._first = int(above.min())
        self._row = np.full(int(above.max()) + 1 - self._first, -1, dtype=np.int32)
        self._row[above - self._first] = 0
        opened = np.flatnonzero(self._row == 0)
        self._row[opened] = np.arange(len(opened))
        self._levels[self._base] = [sums.ravel() for sums in self._below(opened + self._first)]
        for depth in range(self._base - 1, self._middle, -1):
            self._levels[depth] = list(map(by_four, self._levels[depth + 1]))

    def counts(self, codes: NodeCodes, depth: int) -> list[Ints]:
        """Return all sums of the nodes with these codes at a depth from 1."""
        steps = 2 * max(depth - self._middle, 0)
        if steps:
            codes = self._rows(codes >> steps).astype(np.int64) << steps | codes & (1 << steps) - 1
        return [sums.take(codes).astype(np.int64, copy=False) for sums in self._levels[depth]]


def by_four(counts: SignedInts) -> SignedInts:
    """Return counts on the next coarser lattice."""
    return np.asarray(counts[0::4] + counts[1::4] + counts[2::4] + counts[3::4])
