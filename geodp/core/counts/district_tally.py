"""Count records in districts, in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.district_cells import DistrictCells
from ..common.types import Bools, Floats, Ints
from ..space.grid import in_domain
from ..space.levels import Levels
from .cell_tally import CountsByCell, PlanByCell


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
        """Return a new tally, however many there are beside it."""
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
