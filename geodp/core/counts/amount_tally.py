"""Adding up amounts: a tally for the part above the lower bound, and one for the rest of each one.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints
from ..space.domain import Domain
from .counting import GroupCountable, GroupCounting
from .group_tally import GroupedTally

_BLOCK = 1 << 16
"""Points located at once."""


@dataclass(frozen=True)
class AmountPlan:
    """Say what to count, once for amounts and once for what is left of each one. Public.

    Parameters
    ----------
    plan : Plan, FramePlan or DistrictPlan
        What to count in each.
    steps : int
        Units between the bounds of the amount.
    """

    plan: GroupCountable
    steps: int
    groups: ClassVar[None] = None

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        return self.plan.domain

    @property
    def name(self) -> str:
        """Tells one plan from another."""
        return self.plan.name

    @property
    def size(self) -> int:
        """Return the bytes that the counts may take."""
        return 2 * self.plan.size

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points can be counted."""
        return self.plan.inside(x, y)

    def tally(self) -> AmountTally:
        """Return a new tally, which has counted nothing yet."""
        return AmountTally((self.plan.tally(2), self.plan.tally(2)), self.steps)


class AmountTally(GroupedTally):
    """True sums of units of the points seen so far: above, and below. Private.

    Parameters
    ----------
    groups : tuple of two tallies
        For the parts above, and for the rest.
    steps : int
        Units between the bounds of the amount.
    """

    def __init__(self, groups: tuple[GroupCounting, ...], steps: int) -> None:
        super().__init__(groups)
        self.steps = steps

    def __repr__(self) -> str:
        return "AmountTally(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        return AmountTally, (self.groups, self.steps)

    def add(  # type: ignore[override]  # steps take more bits than groups
        self, x: npt.ArrayLike, y: npt.ArrayLike, amount: Ints, units: Ints | None = None
    ) -> None:
        """Add up points with their amounts in steps; those without one, -1, are dropped.

        Where a record is not simply one, its units are divided in proportion.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        known = amount >= 0
        if not known.all():
            xs, ys, amount = xs[known], ys[known], amount[known]
            units = None if units is None else units[known]
        steps = amount.astype(np.int64)
        if units is None:
            above, below = steps, self.steps - steps
        else:
            above = units * steps // self.steps
            below = units - above
        if self.groups[0].borders:
            for tally, worth in zip(self.groups, (above, below)):
                tally.add(xs, ys, worth)
            return
        for start in range(0, len(xs), _BLOCK):
            part = slice(start, start + _BLOCK)
            # Both layers are counted on the same cells, so that a point is located once.
            cells, inside = self.groups[0].locate(xs[part], ys[part])
            for tally, worth in zip(self.groups, (above[part], below[part])):
                tally.keep(cells, worth if inside is None else worth[inside])

    def __add__(self, other: GroupedTally) -> AmountTally:
        """Merge two tallies of one plan."""
        return AmountTally(super().__add__(other).groups, self.steps)

    def __iadd__(self, other: GroupedTally) -> AmountTally:
        """Take in what another tally has counted; the other stays as it is."""
        super().__iadd__(other)
        return self
