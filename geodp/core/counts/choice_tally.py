"""Count on several candidates of unlike kinds, and in regions, in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
import uuid
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from ..cells.partitions import Partition
from ..common.errors import InputError
from ..common.sums import unit_sums
from ..common.types import Bools, Floats, Ints
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.grid import Grid, in_domain
from .grid_tally import Plan, Tally
from .single_tally import BLOCK, SingleTally


@dataclass(frozen=True, eq=False)
class ChoicePlan:
    """Count on every candidate, and in every region.

    A plan that is sent to another process is made again there once, and is the very same one when
    it comes back: the kernel asks for counts by the candidates of the plan that it was made for.

    Attributes
    ----------
    region_plan : Plan
        Counts in regions, and on the grid of the sketch. It is there from the start: threads that
        made it when they first need it might make several, whose tallies cannot be added.
    """

    partitions: tuple[Partition, ...]
    workload: Workload
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    regions: InitVar[Plan | None] = None
    region_plan: Plan = field(init=False)
    groups: ClassVar[None] = None

    def __post_init__(self, regions: Plan | None) -> None:
        if regions is None:
            regions = Plan((Grid(self.domain, (1, 1)),), self.workload)
        object.__setattr__(self, "region_plan", regions)
        _PLANS[self.name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return _plan_named, (self.name, self.partitions, self.workload, self.region_plan)

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""
        return self.workload.domain

    @property
    def size(self) -> int:
        """Return the bytes that the counts take."""
        return self.region_plan.size + 8 * sum(
            len(partition.supported) for partition in self.partitions
        )

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in the domain."""
        return in_domain(self.domain, x, y)[0]

    def tally(self, beside: int = 1) -> ChoiceTally:
        """Return a new tally, which shares memory with others: ``beside`` in all."""
        return ChoiceTally(self, self.region_plan.tally(beside))


_PLANS: WeakValueDictionary[str, ChoicePlan] = WeakValueDictionary()
_MAKING = threading.Lock()


def _plan_named(
    name: str, partitions: tuple[Partition, ...], workload: Workload, region_plan: Plan
) -> ChoicePlan:
    """Return the plan of that name in this process, made now if it was made elsewhere."""
    with _MAKING:
        plan = _PLANS.get(name)
        if plan is None:
            plan = ChoicePlan(partitions, workload, name, region_plan)
        return plan


class ChoiceTally(SingleTally):
    """True counts of the points seen so far, on every candidate and in regions. Private."""

    def __init__(self, plan: ChoicePlan, regions: Tally, counts: list[Ints] | None = None) -> None:
        super().__init__()
        self.plan, self._regions = plan, regions
        none = [np.zeros(len(partition.supported), dtype=np.int64) for partition in plan.partitions]
        self._counts = none if counts is None else counts

    def __reduce__(self) -> tuple[Any, ...]:
        return ChoiceTally, (self.plan, self._regions, self._counts)

    borders = True
    """Points are counted in regions as well as in cells."""

    @property
    def total(self) -> int:
        """Return the number of points in the domain."""
        return self._regions.total

    def inside(self) -> Ints:
        """Return the exact count of points in each region."""
        return self._regions.inside()

    def summed(self) -> list[Ints]:
        """Return true counts on every candidate."""
        return self._counts

    def on(self, cells: Any) -> npt.NDArray[Any]:
        """Return true counts on one of the candidates, or on the grid of the sketch."""
        for partition, counts in zip(self.plan.partitions, self._counts):
            if partition is cells:
                return counts
        return self._regions.on(cells)

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike, units: Ints | None = None) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped.

        Where they are not simply one, their units come last. Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if any(partition.may_leave_out for partition in self.plan.partitions):
            xs, ys, units = self._held(xs, ys, units)
        self._regions.add(xs, ys, units)
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            inside, px, py = in_domain(self.plan.domain, xs[part], ys[part])
            worth = None if units is None else units[part][inside]
            added = [
                unit_sums(partition.located(px, py), worth, len(partition.supported))
                for partition in self.plan.partitions
            ]
            with self._adding:
                for counts, more in zip(self._counts, added):
                    counts += more

    def _held(self, x: Floats, y: Floats, units: Ints | None) -> tuple[Any, Any, Any]:
        """Keep the points of the domain that no candidate leaves out."""
        kept = np.zeros(len(x), dtype=np.bool_)
        for start in range(0, len(x), BLOCK):
            part = slice(start, start + BLOCK)
            inside, px, py = in_domain(self.plan.domain, x[part], y[part])
            held = np.ones(len(px), dtype=np.bool_)
            for partition in self.plan.partitions:
                if partition.may_leave_out:
                    held &= partition.located(px, py) >= 0
            kept[part][inside] = held
        return x[kept], y[kept], None if units is None else units[kept]

    def locate(self, x: Floats, y: Floats) -> tuple[Any, Bools | None]:
        """Refuse: regions are counted too."""
        raise NotImplementedError("points of a choice are added, not located")

    def keep(self, cells: npt.NDArray[Any], units: Ints | None = None) -> None:
        """Refuse: regions are counted too."""
        raise NotImplementedError("points of a choice are added, not located")

    def __add__(self, other: ChoiceTally) -> ChoiceTally:
        """Merge two tallies of one plan."""
        self._check(other)
        counts = [a + b for a, b in zip(self._counts, other._counts)]
        return ChoiceTally(self.plan, self._regions + other._regions, counts)

    def __iadd__(self, other: ChoiceTally) -> ChoiceTally:
        """Take in what another tally has counted; the other stays as it is."""
        self._check(other)
        self._counts = [a + b for a, b in zip(self._counts, other._counts)]
        self._regions += other._regions
        return self

    def _check(self, other: ChoiceTally) -> None:
        if self.plan.name != other.plan.name:
            raise InputError("tallies can be added only when they follow the same plan.")
