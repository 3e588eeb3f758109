"""Adding up amounts: a tally for the part above the lower bound, and one for the rest of each one.

Where records are divided into groups, each group has two such tallies: a record adds to those of
its own group and to no others. A tally is private: it holds true counts. It has a redacted repr and
nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Ints
from ..records.amounts import Amount
from ..records.groups import Groups
from .counting import GroupCountable, GroupCounting
from .group_tally import GroupedTally, PlanOfOne, check_size, dealt

_BLOCK = 1 << 16
"""Points located at once."""


@dataclass(frozen=True)
class AmountPlan(PlanOfOne):
    """Say what to count, once for amounts and once for what is left of each one. Public.

    Parameters
    ----------
    plan : Plan, FramePlan or DistrictPlan
        What to count in each.
    amount : Amount
        What is added up.
    groups : Groups, optional
        How to tell records apart, where each group has sums of its own.
    """

    plan: GroupCountable
    amount: Amount
    groups: Groups | None = None

    def __post_init__(self) -> None:
        if self.groups is not None:
            check_size(2 * self.plan.size, len(self.groups))

    @property
    def layers(self) -> int:
        """Count the tallies that are beside each other: two for each group."""
        return 2 * (1 if self.groups is None else len(self.groups))

    @property
    def size(self) -> int:
        """Return the bytes that the counts may take."""
        return self.layers * self.plan.size

    def tally(self) -> AmountTally:
        """Return a new tally, which has counted nothing yet."""
        tallies = tuple(self.plan.tally(self.layers) for _ in range(self.layers))
        return AmountTally(tallies, self.amount)


def layer_names(groups: Groups | None) -> tuple[str, ...]:
    """Name the layers in the order of the tallies, no two alike whatever the groups are called.

    Examples
    --------
    >>> layer_names(None)
    ('above', 'below')
    """
    if groups is None:
        return ("above", "below")
    return tuple(f"{word}: {name}" for name in groups.names for word in ("above", "below"))


class AmountTally(GroupedTally):
    """True sums of units of the points seen so far: above and below, of each group. Private.

    Parameters
    ----------
    groups : tuple of tallies
        For the parts above, and for the rest; of each group in turn.
    amount : Amount
        What is added up.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> from geodp.core.counts.grid_tally import Plan
    >>> plan = Plan((Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (1, 2)),))
    >>> tally = AmountPlan(plan, Amount("paid", 0, 10, unit=1)).tally()
    >>> tally.add(np.array([0.5, 1.5, 0.5]), np.ones(3), np.array([7, 10, -1]))
    >>> tally, [layer.counts(0).tolist() for layer in tally.groups]
    (AmountTally(private), [[[7, 10]], [[3, 0]]])
    """

    def __init__(self, groups: tuple[GroupCounting, ...], amount: Amount) -> None:
        super().__init__(groups)
        self.amount = amount

    def __repr__(self) -> str:
        return "AmountTally(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        return AmountTally, (self.groups, self.amount)

    def add(  # type: ignore[override]  # codes take more bits than groups
        self, x: npt.ArrayLike, y: npt.ArrayLike, code: Ints, units: Ints | None = None
    ) -> None:
        """Add up points with their amounts in steps; those without one, -1, are dropped.

        Where a record is not simply one, its units are divided in proportion; or units have two
        columns, above and below, where totals of people say what each is. Where there are
        groups, the number of the group stands in the same code: see :meth:`Amount.in_groups`.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        known = code >= 0
        if not known.all():
            xs, ys, code = xs[known], ys[known], code[known]
            units = None if units is None else units[known]
        code = code.astype(np.int64, copy=False)
        number, steps = (code, code) if len(self._pairs) == 1 else self.amount.parted(code)
        if units is None:
            above, below = steps, self.amount.steps - steps
        elif units.ndim == 2:
            above, below = units.T
        else:
            above = units * steps // self.amount.steps
            below = units - above
        if self.groups[0].borders:
            for (one, other), mine in zip(self._pairs, self._dealt(number, xs, ys, above, below)):
                one.add(*mine[:2], mine[2])
                other.add(*mine[:2], mine[3])
            return
        for start in range(0, len(xs), _BLOCK):
            part = slice(start, start + _BLOCK)
            # All layers are counted on the same cells, so that a point is located once.
            cells, inside = self.groups[0].locate(xs[part], ys[part])
            told = [each[part] for each in (number, above, below)]
            which, *worth = told if inside is None else [each[inside] for each in told]
            for (one, other), mine in zip(self._pairs, self._dealt(which, cells, *worth)):
                one.keep(mine[0], mine[1])
                other.keep(mine[0], mine[2])

    @property
    def _pairs(self) -> list[tuple[GroupCounting, GroupCounting]]:
        """Return both tallies of each group."""
        return list(zip(self.groups[::2], self.groups[1::2]))

    def _dealt(self, number: npt.NDArray[Any], *columns: Any) -> Any:
        groups = len(self.groups) // 2
        return [columns] if groups == 1 else dealt(number, groups, *columns)

    def __add__(self, other: GroupedTally) -> AmountTally:
        """Merge two tallies of one plan."""
        return AmountTally(super().__add__(other).groups, self.amount)

    def __iadd__(self, other: GroupedTally) -> AmountTally:
        """Take in what another tally has counted; the other stays as it is."""
        super().__iadd__(other)
        return self
