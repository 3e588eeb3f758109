"""Count points in several groups, with a tally for each, in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ..common.errors import UNFINISHED, GeodpError, InputError
from ..common.types import Bools, Floats, Ints
from ..records.groups import GroupCodes, Groups
from ..space.domain import Domain
from .counting import Countable, FixedCountable, GroupCountable, GroupCounting
from .single_tally import BLOCK

MOST_BYTES = 1 << 30
"""Memory that the counts of all groups may take in one tally."""


def check_size(size: int, groups: int) -> None:
    """Refuse more groups of a size in bytes than fit into memory."""
    if size * groups > MOST_BYTES:
        raise InputError(
            f"the counts of all groups must fit into {MOST_BYTES >> 20:,} MiB; {groups:,} groups "
            f"of {size / 2**20:,.1f} MiB do not: ask for {MOST_BYTES // size:,} groups at most, or "
            "for coarser cells."
        )


def dealt(number: npt.NDArray[Any], groups: int, *columns: Any) -> Iterator[tuple[Any, ...]]:
    """Yield what is known of the points in each group; those beyond the last are in none."""
    # NumPy sorts bytes fastest. The number of no group, -1, becomes the largest of all.
    small = number.astype(np.uint8 if groups < 256 else np.uint16)
    order = np.argsort(small, kind="stable")
    ends = np.arange(groups + 1, dtype=small.dtype)
    cuts = np.searchsorted(small, ends, sorter=order).tolist()
    if cuts != sorted(cuts):
        raise GeodpError(UNFINISHED)  # a point would be in two groups
    ordered = [column.take(order, axis=0) for column in columns]
    for start, stop in zip(cuts, cuts[1:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
        yield tuple(column[start:stop] for column in ordered)


class PlanOfOne:
    """Take from the plan of one group what is the same for several."""

    plan: GroupCountable

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        return self.plan.domain

    @property
    def name(self) -> str:
        """Return what tells one plan from another."""
        return self.plan.name

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points can be counted."""
        return self.plan.inside(x, y)


@dataclass(frozen=True)
class GroupedPlan(PlanOfOne):
    """Say what to count, in each of several groups. Public, and small enough to send to workers.

    Parameters
    ----------
    plan : Plan or FramePlan
        What to count in each.
    groups : Groups
        How to tell them apart.
    """

    plan: GroupCountable
    groups: Groups

    def __post_init__(self) -> None:
        check_size(self.plan.size, len(self.groups))

    @property
    def size(self) -> int:
        """Return the bytes that the counts may take."""
        return self.plan.size * len(self.groups)

    def places(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools]:
        """Find the cells of those points that can be counted, and which these are."""
        return cast(FixedCountable, self.plan).places(x, y)

    def tally(self) -> GroupedTally:
        """Return a new tally, which has counted nothing yet."""
        names = self.groups.names
        return GroupedTally(tuple(self.plan.tally(len(names)) for _ in names))


class GroupedTally:
    """True counts of the points seen so far, in each group. Private.

    Parameters
    ----------
    groups : tuple of Tally or BaseTally
        One for each group.

    Examples
    --------
    >>> from geodp import Categories, Domain, Grid
    >>> from geodp.core.counts.grid_tally import Plan
    >>> from geodp.core.records.divisions import grouped
    >>> plan = Plan((Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (1, 2)),))
    >>> tally = GroupedPlan(plan, grouped(Categories("kind", ["theft", "assault"]))).tally()
    >>> tally.add(np.array([0.5, 1.5, 0.5]), np.ones(3), np.array([1, 1, -1]))
    >>> tally
    GroupedTally(private)
    >>> [group.counts(0).tolist() for group in tally.groups]
    [[[0, 0]], [[1, 1]]]
    """

    def __init__(self, groups: tuple[GroupCounting, ...]) -> None:
        self.groups = groups

    def __repr__(self) -> str:
        return "GroupedTally(private)"

    @property
    def plan(self) -> Any:
        """Return what is counted in each group, where that is a plan of grids."""
        return getattr(self.groups[0], "plan", None)

    def add(
        self, x: npt.ArrayLike, y: npt.ArrayLike, group: GroupCodes, units: Ints | None = None
    ) -> None:
        """Count points; those outside the domain, and those in no group, are dropped."""
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        groups = len(self.groups)
        if self.groups[0].borders:
            columns = (xs, ys) if units is None else (xs, ys, units)
            for tally, points in zip(self.groups, dealt(group, groups, *columns)):
                tally.add(*points)
            return
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            # All groups are counted on the same cells, so that a point is located once.
            cell_codes, inside = self.groups[0].locate(xs[part], ys[part])
            known: list[npt.NDArray[Any]] = [group[part]]
            known += [] if units is None else [units[part]]
            kept, *worth = known if inside is None else [column[inside] for column in known]
            for tally, located in zip(self.groups, dealt(kept, groups, cell_codes, *worth)):
                tally.keep(*located)

    def __add__(self, other: GroupedTally) -> GroupedTally:
        """Merge two tallies of one plan."""
        return GroupedTally(tuple(a + b for a, b in zip(self.groups, other.groups)))

    def __iadd__(self, other: GroupedTally) -> GroupedTally:
        """Take in what another tally has counted; the other stays as it is."""
        merged = list(self.groups)
        for place, group in enumerate(other.groups):
            merged[place] += group
        self.groups = tuple(merged)
        return self


def planned(plan: GroupCountable, groups: Groups | None) -> Countable:
    """Return what to count, in each group if there are any."""
    return plan if groups is None else GroupedPlan(plan, groups)
