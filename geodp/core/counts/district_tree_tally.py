"""Count records by the base codes of a tree that is rooted in districts, in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import GeodpError
from ..common.types import Bools, Floats, Ints
from ..districts.district_frame import DistrictFrame
from ..space.domain import Domain
from .single_tally import NodeTally, SinglePlan

WAIT = 1 << 22
"""Codes that wait before they are counted."""

_SIZE = 1 << 20
"""Bytes that the counts of a group may be expected to take: one place takes 16."""


@dataclass(frozen=True)
class DistrictTreePlan(SinglePlan):
    """Count by base codes of a frame."""

    frame: DistrictFrame

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        return self.frame.domain

    @property
    def size(self) -> int:
        """Return the bytes that the counts may take."""
        return _SIZE

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in a district."""
        return self.frame.base_codes(x, y)[1]

    def tally(self, beside: int = 1) -> DistrictTreeTally:
        """Return a new tally; how many others there are makes no difference."""
        del beside
        return DistrictTreeTally(self.frame)


class DistrictTreeTally(NodeTally):
    """True counts of the points seen so far, by base code. Private.

    Codes that occur are kept in rising order, each with how often it occurs, or with the units of
    its points: memory is bounded by the places that hold points.

    Parameters
    ----------
    frame : DistrictFrame
        The public tree whose nodes are counted.
    """

    frame: DistrictFrame

    def __init__(
        self, frame: DistrictFrame, codes: Ints | None = None, times: Ints | None = None
    ) -> None:
        super().__init__(frame)
        none = np.zeros(0, dtype=np.int64)
        self._codes, self._times = (none if part is None else part for part in (codes, times))
        self._waiting: list[tuple[Ints, Ints | None]] = []
        self._waits = 0
        self._sums: Ints | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        with self._adding:
            self._count()
        return DistrictTreeTally, (self.frame, self._codes, self._times)

    @property
    def total(self) -> int:
        """Return the number of points in all districts."""
        with self._adding:
            self._count()
        return int(self._times.sum())

    def locate(self, x: Floats, y: Floats) -> tuple[Any, Bools | None]:
        """Find the base codes of those points that are in a district, and which these are."""
        return self.frame.base_codes(x, y)

    def keep(self, cells: npt.NDArray[Any], units: Ints | None = None) -> None:
        """Count points that were located, each by its units."""
        with self._adding:
            self._sums = None
            self._waiting.append((cells, units))
            self._waits += len(cells)
            if self._waits > max(WAIT, len(self._codes)):
                self._count()

    def _count(self) -> None:
        """Count the codes that wait."""
        if not self._waits:
            return
        plain = [codes for codes, units in self._waiting if units is None]
        if plain:
            codes = np.sort(np.concatenate(plain))
            first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1])[: len(codes)])
            self._merge(codes[first], np.diff(first, append=len(codes)))
        worth = [(codes, units) for codes, units in self._waiting if units is not None]
        if worth:
            self._merge(*map(np.concatenate, zip(*worth)))
        self._waiting, self._waits = [], 0

    def _merge(self, codes: Ints, times: Ints) -> None:
        """Take in codes, and how often each occurs, or its units."""
        every, place = np.unique(np.concatenate([self._codes, codes]), return_inverse=True)
        counts = np.zeros(len(every), dtype=np.int64)
        np.add.at(counts, place.ravel(), np.concatenate([self._times, times]))
        self._codes, self._times, self._sums = every, counts, None

    def _take_in(self, other: DistrictTreeTally) -> None:
        with other._adding:
            other._count()
        with self._adding:
            self._merge(other._codes, other._times)

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Make sure that no record is in two of these nodes."""
        del depth
        start, stop = self.frame.spans(np.asarray(codes))
        if not ((start < stop).all() and (stop[:-1] <= start[1:]).all()):
            raise GeodpError("nodes of one depth must be disjoint: a record is in one of them.")

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true counts of the nodes with these codes at a depth."""
        if depth == 0:
            return np.full(len(codes), self.total, dtype=np.int64)
        with self._adding:
            self._count()
            if self._sums is None:
                self._sums = np.append(0, np.cumsum(self._times))
        ends = np.searchsorted(self._codes, self.frame.spans(np.asarray(codes)))
        return np.asarray(self._sums[ends[1]] - self._sums[ends[0]])
