"""Count records by cell, in one pass: in hexagons, cells of H3 and districts.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..cells.district_cells import DistrictCells
from ..cells.h3_cells import H3Cells
from ..cells.hexagon_cells import HexagonCells
from ..common.errors import InputError
from ..common.sums import unit_sums
from ..common.types import Bools, Floats, Ints
from ..space.domain import Domain
from ..space.grid import in_domain
from ..space.levels import Levels
from .single_tally import SinglePlan, SingleTally

_Tally = TypeVar("_Tally", bound="CountsByCell")


@dataclass(frozen=True)
class PlanByCell(SinglePlan):
    """Count in cells, each by itself, whatever the cells are."""

    cells: Any

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        domain: Domain = self.cells.domain
        return domain

    @property
    def length(self) -> int:
        """Return the number of counts."""
        return len(self.cells)

    @property
    def size(self) -> int:
        """Return the bytes that the counts take."""
        return 8 * self.length


@dataclass(frozen=True)
class CellPlan(PlanByCell):
    """Count in every hexagon over the domain, or cell of H3."""

    cells: HexagonCells | H3Cells

    @property
    def length(self) -> int:
        return len(self.cells.supported)

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in the domain."""
        return in_domain(self.domain, x, y)[0]

    def places(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools]:
        """Find the cells of those points that are in the domain, and which these are."""
        inside, x, y = in_domain(self.domain, x, y)
        return self.cells.located(x, y), inside

    def tally(self, beside: int = 1) -> CellTally:
        """Return a new tally; how many others there are makes no difference."""
        del beside
        return CellTally(self)


class CountsByCell(SingleTally):
    """True counts of the points seen so far, by cell, whatever the cells are. Private.

    Parameters
    ----------
    plan : PlanByCell
        What to count: it also finds the ``places`` of points.
    counts : ndarray of int, optional
        Counts so far, one for each cell; by default none.
    """

    def __init__(self, plan: Any, counts: Ints | None = None) -> None:
        super().__init__()
        self.plan = plan
        self._counts = np.zeros(plan.length, dtype=np.int64) if counts is None else counts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.plan, self._counts)

    @property
    def total(self) -> int:
        """Return the number of points in all cells."""
        return int(self._counts.sum())

    def locate(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools | None]:
        """Find the cells of those points that are in any, and which these are."""
        located: tuple[npt.NDArray[Any], Bools] = self.plan.places(x, y)
        return located

    def keep(self, cells: npt.NDArray[Any], units: Ints | None = None) -> None:
        """Count points that were located, each by its units."""
        counts = unit_sums(cells, units, len(self._counts))
        with self._adding:
            self._counts += counts

    def __add__(self: _Tally, other: _Tally) -> _Tally:
        """Merge two tallies of one plan."""
        self._check(other)
        return type(self)(self.plan, self._counts + other._counts)

    def __iadd__(self: _Tally, other: _Tally) -> _Tally:
        """Take in what another tally has counted; the other stays as it is."""
        self._check(other)
        self._counts = self._counts + other._counts
        return self

    def _check(self, other: CountsByCell) -> None:
        if self.plan.cells != other.plan.cells:
            raise InputError("tallies can be added only when they follow the same plan.")


class CellTally(CountsByCell):
    """True counts of the points seen so far, by cell of a partition. Private.

    Parameters
    ----------
    plan : CellPlan
        What to count.
    """

    def on(self, cells: HexagonCells | H3Cells) -> Ints:
        """Return true counts of all cells, those where no records can be among them."""
        if cells != self.plan.cells:
            raise InputError("a tally knows the counts of the cells that were planned alone.")
        return self._counts


@dataclass(frozen=True)
class DistrictPlan(PlanByCell):
    """Count in every district of a layer."""

    cells: DistrictCells

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in a district, and where records can be."""
        return self.places(x, y)[1]

    def places(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools]:
        """Find the districts of those points that are in one, and which these are."""
        codes = self.cells.districts.locate(x, y)
        inside = np.asarray(codes >= 0)
        if self.domain.within is not None:
            inside &= in_domain(self.domain, x, y)[0]
        return codes[inside], inside

    def tally(self, beside: int = 1) -> DistrictTally:
        """Return a new tally; how many others there are makes no difference."""
        del beside
        return DistrictTally(self)


class DistrictTally(CountsByCell):
    """True counts of the points seen so far, by district. Private.

    Parameters
    ----------
    plan : DistrictPlan
        What to count.
    """

    @property
    def frame(self) -> Levels:
        """Return the public tree whose nodes are counted."""
        return self.plan.cells.levels  # type: ignore[no-any-return]

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Do nothing: all counts are there."""

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true counts of the units with these codes at a depth."""
        if depth == 0:
            return np.full(len(codes), self.total, dtype=np.int64)
        sums = np.append(0, np.cumsum(self._counts))
        cuts = self.frame.smallest_units(depth)
        return np.asarray(sums[cuts[codes + 1]] - sums[cuts[codes]])
