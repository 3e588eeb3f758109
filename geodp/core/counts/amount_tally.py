"""Add up amounts in two layers: the part above the lower bound, and what is left to one.

Both are in a tally each, or follow from one that counts records and adds up steps (`step_tally`).
Where records are divided into groups, each group has such tallies: a record adds to those of its
own group and to no others. A tally is private: it holds true counts. It has a redacted repr and
nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints, SignedInts
from ..records.amounts import Amount
from ..records.groups import Groups
from .counting import GroupCountable, GroupCounting
from .group_tally import GroupedTally, PlanOfOne, check_size, dealt
from .single_tally import BLOCK
from .step_tally import StepTally
from .tree_tally import BaseTally


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
        """Count what is added up beside each other: two layers for each group."""
        return 2 * (1 if self.groups is None else len(self.groups))

    @property
    def size(self) -> int:
        """Return the bytes that the counts may take."""
        return self.layers * self.plan.size

    def tally(self) -> AmountTally:
        """Return a new tally, which has counted nothing yet."""
        return AmountTally(tuple(self._pair() for _ in range(self.layers // 2)), self.amount)

    def _pair(self) -> TwoTallies | StepTally:
        """Return a new tally of both layers of a group."""
        tally = self.plan.tally(self.layers)
        if type(tally) is BaseTally:  # records are simply one
            return StepTally(tally.frame)
        return TwoTallies(tally, self.plan.tally(self.layers), self.amount.steps)


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


class TwoTallies:
    """True sums of units above and below, in a tally each. Private.

    Parameters
    ----------
    above, below : tallies
        Two of one plan.
    steps : int
        Steps that make one.
    """

    def __init__(self, above: GroupCounting, below: GroupCounting, steps: int) -> None:
        self.above, self.below, self.steps = above, below, steps

    def __repr__(self) -> str:
        return "TwoTallies(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        return TwoTallies, (self.above, self.below, self.steps)

    @property
    def borders(self) -> bool:
        """Tell whether more is counted of points than cells: those near borders of polygons."""
        return self.above.borders

    def locate(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools | None]:
        """Find the cells of those points that are inside, and which these are; None for all."""
        return self.above.locate(x, y)

    def layers(self, one: int) -> tuple[GroupCounting, GroupCounting]:
        """Return both."""
        del one  # both layers hold one group alone
        return self.above, self.below

    def add(self, x: Floats, y: Floats, units: Ints, rest: Ints | None = None) -> None:
        """Add up points: their units above, and what is left to one, or what is given, below."""
        self.above.add(x, y, units)
        self.below.add(x, y, self.steps - units if rest is None else rest)

    def keep(self, cells: Any, units: Ints, rest: Ints | None = None) -> None:
        """Add up points that were located."""
        self.above.keep(cells, units)
        self.below.keep(cells, self.steps - units if rest is None else rest)

    def __add__(self, other: TwoTallies) -> TwoTallies:
        """Merge what was added up in two places."""
        return TwoTallies(self.above + other.above, self.below + other.below, self.steps)

    def __iadd__(self, other: TwoTallies) -> TwoTallies:
        """Take in what another has added up; the other stays as it is."""
        self.above += other.above
        self.below += other.below
        return self


class AmountTally(GroupedTally):
    """True sums of units of the points seen so far: above and below, of each group. Private.

    Parameters
    ----------
    pairs : tuple of TwoTallies or of StepTally
        What adds up both, of each group in turn.
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

    def __init__(self, pairs: tuple[Any, ...], amount: Amount) -> None:
        self.amount, self._pairs = amount, pairs
        super().__init__(self._layers())

    def _layers(self) -> tuple[Any, ...]:
        """Return both layers of each group."""
        return tuple(layer for pair in self._pairs for layer in pair.layers(self.amount.steps))

    def __repr__(self) -> str:
        return "AmountTally(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        return AmountTally, (self._pairs, self.amount)

    def add(
        self, x: npt.ArrayLike, y: npt.ArrayLike, code: SignedInts, units: Ints | None = None
    ) -> None:
        """Add up points with their amounts in steps; those without one, -1, are dropped.

        Where a record is not simply one, its units are divided in proportion; or units have two
        columns, above and below, where totals of people say what each is. Where there are
        groups, the number of the group stands in the same code: see :meth:`Amount.in_groups`.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            known = code[part] >= 0
            columns: list[Any] = [xs[part], ys[part], code[part]]
            columns += [] if units is None else [units[part]]
            self._add(*(columns if known.all() else [column[known] for column in columns]))

    def _add(self, x: Floats, y: Floats, code: SignedInts, units: Ints | None = None) -> None:
        """Add up points, all of which have an amount."""
        first = self._pairs[0]
        place: tuple[npt.NDArray[Any], ...] = (x, y)
        if not first.borders:
            # All layers are counted on the same cells, so that a point is located once.
            cells, inside = first.locate(x, y)
            place = (cells,)
            if inside is not None:
                code, units = code[inside], None if units is None else units[inside]
        number, steps = (code, code) if len(self._pairs) == 1 else self.amount.parted(code)
        worth = self._worth(steps.astype(np.int64, copy=False), units)
        for pair, columns in zip(self._pairs, self._dealt(number, *place, *worth)):
            (pair.add if first.borders else pair.keep)(*columns)

    def _worth(self, steps: Ints, units: Ints | None) -> tuple[Ints, ...]:
        """Return units above; and those below, where they are not simply the rest of one."""
        if units is None:
            return (steps,)
        if units.ndim == 2:
            return tuple(units.T)
        above = units * steps // self.amount.steps
        return above, units - above

    def _dealt(self, number: npt.NDArray[Any], *columns: Any) -> Any:
        groups = len(self._pairs)
        return [columns] if groups == 1 else dealt(number, groups, *columns)

    def __add__(self, other: AmountTally) -> AmountTally:  # type: ignore[override]
        """Merge two tallies of one plan."""
        pairs = tuple(one + more for one, more in zip(self._pairs, other._pairs))
        return AmountTally(pairs, self.amount)

    def __iadd__(self, other: AmountTally) -> AmountTally:  # type: ignore[override]
        """Take in what another tally has counted; the other stays as it is."""
        for pair, more in zip(self._pairs, other._pairs):
            pair += more
        self.groups = self._layers()
        return self
