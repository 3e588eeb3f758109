"""Count records in districts, in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.sums import unit_sums
from ..common.types import Bools, Floats, Ints
from ..regions.district_cells import DistrictCells
from ..space.domain import Domain
from ..space.grid import in_domain
from ..space.levels import Levels

_BLOCK = 1 << 16
"""Points located at once."""


@dataclass(frozen=True)
class DistrictPlan:
    """Count in every district of a layer."""

    cells: DistrictCells
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    groups: ClassVar[None] = None

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        return self.cells.domain

    @property
    def size(self) -> int:
        """Return the bytes that the counts take."""
        return 8 * len(self.cells)

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in a district, and where records can be."""
        inside = self.cells.districts.locate(x, y) >= 0
        if self.domain.within is not None:
            inside &= in_domain(self.domain, x, y)[0]
        return np.asarray(inside)

    def tally(self, beside: int = 1) -> DistrictTally:
        """Return a new tally, however many there are beside it."""
        del beside
        return DistrictTally(self)


class DistrictTally:
    """True counts of the points seen so far, by district. Private.

    Parameters
    ----------
    plan : DistrictPlan
        What to count.
    """

    def __init__(self, plan: DistrictPlan, counts: Ints | None = None) -> None:
        self.plan = plan
        self._districts = np.zeros(len(plan.cells), dtype=np.int64) if counts is None else counts
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return "DistrictTally(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        return DistrictTally, (self.plan, self._districts)

    @property
    def frame(self) -> Levels:
        """Return the public tree whose nodes are counted."""
        return self.plan.cells.levels

    borders = False
    """Nothing but the cells of points is counted."""

    @property
    def groups(self) -> tuple[DistrictTally, ...]:
        """Return the tally alone: it is its only group."""
        return (self,)

    @property
    def total(self) -> int:
        """Return the number of points in all districts."""
        return int(self._districts.sum())

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike, units: Ints | None = None) -> None:
        """Count points given by coordinates in the domain's CRS; those in no district are dropped.

        Where they are not simply one, their units come last. Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), _BLOCK):
            part = slice(start, start + _BLOCK)
            cells, inside = self.locate(xs[part], ys[part])
            self.keep(cells, None if units is None else units[part][inside])

    def locate(self, x: Floats, y: Floats) -> tuple[npt.NDArray[np.int32], Bools | None]:
        """Find the districts of those points that are in one, and which these are."""
        codes = self.plan.cells.districts.locate(x, y)
        inside = codes >= 0
        if self.plan.domain.within is not None:
            inside &= in_domain(self.plan.domain, x, y)[0]
        return codes[inside], inside

    def keep(self, cells: npt.NDArray[np.int32], units: Ints | None = None) -> None:
        """Count points that were located, each as so many units."""
        counts = unit_sums(cells, units, len(self._districts))
        with self._adding:
            self._districts += counts

    def __add__(self, other: DistrictTally) -> DistrictTally:
        """Merge two tallies of one plan."""
        self._check(other)
        return DistrictTally(self.plan, self._districts + other._districts)

    def __iadd__(self, other: DistrictTally) -> DistrictTally:
        """Take in what another tally has counted; the other stays as it is."""
        self._check(other)
        self._districts = self._districts + other._districts
        return self

    def _check(self, other: DistrictTally) -> None:
        if self.plan.cells != other.plan.cells:
            raise InputError("tallies can be added only when they follow the same plan.")

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Do nothing: all counts are there."""

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true counts of the units with these codes at a depth."""
        if depth == 0:
            return np.full(len(codes), self.total, dtype=np.int64)
        sums = np.append(0, np.cumsum(self._districts))
        cuts = self.frame.smallest_units(depth)
        return np.asarray(sums[cuts[codes + 1]] - sums[cuts[codes]])
