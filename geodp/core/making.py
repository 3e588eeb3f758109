"""The two kinds of cells in the making: what each counts, spends and publishes.

This is the only place where one kind is told from the other. What comes out of either is a
partition with measurements, and nothing after this asks which.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Union

from .adaptive import AdaptiveCells
from .base_tally import BaseTally
from .budget import Budget, Number, Spend
from .counting import Countable
from .domain import Domain
from .errors import InputError
from .frame import Frame
from .grid import Grid, candidate_grids, checked_candidates
from .growth import TreeBudget, grow
from .measurements import Measurements
from .noise import RandomBits, laplace_noise
from .partition import Partition
from .regular import RegularCells, measured_cells
from .release import Method
from .selection import choose, with_noise
from .shares import Shares
from .tabled_noise import TabledBits
from .tally import Plan, Tally
from .tuners import Tuner, tuner_of
from .unit import Unit
from .workload import Workload

DEFAULT_SEED = 1
"""Public seed of the default workload of boxes."""

Say = Callable[[str], None]
Cells = Union[str, Frame]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)


class Making(ABC):
    """One release in the making: all choices are public and made, no point has been read."""

    plan: Countable
    """What to count."""

    spends: tuple[Spend, ...]
    """What each step will cost."""

    what: str
    """What is made, for the ledger."""

    bits: type[RandomBits] = RandomBits
    """Where randomness comes from, unless a release is given its own."""

    @abstractmethod
    def publish(
        self, tally: Any, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, Measurements]:
        """Choose the cells and measure them. Private in, public out."""

    @abstractmethod
    def method(self, unit: Unit, noise: str) -> Method:
        """The public choices, for the release."""


class Regular(Making):
    """One regular grid, chosen among candidates by a tuner.

    Parameters
    ----------
    epsilon : Number or Budget
        The whole budget.
    unit : Unit
        What is protected.
    grids : tuple of Grid
        Candidates.
    workload : Workload, optional
        Regions that should come out well.
    tuner : Tuner
        How to choose.
    tuning_share : Number, optional
        Part of ε for the choice.
    """

    def __init__(
        self,
        epsilon: Number | Budget,
        unit: Unit,
        grids: tuple[Grid, ...],
        workload: Workload | None,
        tuner: Tuner,
        tuning_share: Number | None,
    ) -> None:
        if len(grids) == 1:
            workload = None  # nothing is tuned
        elif workload is None:
            workload = Workload.random_boxes(grids[0].domain, seed=DEFAULT_SEED)
        self._grids, self._workload, self._tuner = grids, workload, tuner
        # All scales are known, or refused, before a point is read or anything is spent.
        self._shares = Shares.of(
            epsilon, tuner, workload, tuning_share=tuning_share, distance=unit.distance
        )
        self.spends = self._shares.spends(tuner)
        self.what = f"geodp release of {len(grids)} candidate grid{'s' if len(grids) > 1 else ''}"

    @property
    def scale(self) -> Fraction:
        """Scale of the noise that the counts will get."""
        return self._shares.counts_scale

    @property
    def plan(self) -> Plan:  # type: ignore[override]
        return Plan(self._grids, self._workload)

    def publish(
        self, tally: Tally, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, Measurements]:
        chosen = 0
        if self._workload is not None:
            say("choosing the grid")
            chosen = choose(self._tuner, tally, self._shares, bits)
        say("adding noise")
        grid, scale = self._grids[chosen], self._shares.counts_scale
        noisy = with_noise(
            tally.counts(chosen), grid, lambda count: laplace_noise(scale, count, bits, noise)
        )
        return RegularCells(grid), measured_cells(grid, noisy, scale)

    def method(self, unit: Unit, noise: str) -> Method:
        return Method(
            candidates=self._grids,
            workload="none: a single candidate"
            if self._workload is None
            else self._workload.source,
            tuner=repr(self._tuner),
            unit=unit,
            noise=noise,
        )


@dataclass(frozen=True)
class FramePlan:
    """Count on the base lattice of a frame."""

    frame: Frame
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def domain(self) -> Domain:
        """Where points are counted."""
        return self.frame.domain

    def tally(self) -> BaseTally:
        """Return a new tally."""
        return BaseTally(self.frame)


class Adaptive(Making):
    """A tree of cells, grown where it pays.

    Parameters
    ----------
    epsilon : Number or Budget
        The whole budget.
    unit : Unit
        What is protected.
    frame : Frame
        Where the tree may grow.
    """

    bits = TabledBits  # a tree takes many more draws than a grid

    def __init__(self, epsilon: Number | Budget, unit: Unit, frame: Frame) -> None:
        self._frame = frame
        self._budget = TreeBudget.of(epsilon, unit.distance)
        self.spends = self._budget.spends()
        self.what = "geodp release of adaptive cells"

    @property
    def plan(self) -> FramePlan:  # type: ignore[override]
        return FramePlan(self._frame)

    def publish(
        self, tally: BaseTally, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, Measurements]:
        say("looking closer where it pays")
        tree, measurements = grow(tally, self._budget, bits, noise)
        return AdaptiveCells(tree), measurements

    def method(self, unit: Unit, noise: str) -> Method:
        return Method(
            candidates=(self._frame,),
            workload="all regions alike",
            tuner="Growth()",
            unit=unit,
            noise=noise,
        )


def making(
    cells: Cells,
    domain: Domain | None,
    epsilon: Number | Budget,
    unit: Unit,
    *,
    grids: Sequence[Grid] | None,
    workload: Workload | None,
    tuner: str | Tuner | None,
    tuning_share: Number | None,
) -> Making:
    """Return what makes the cells that were asked for, or refuse what does not fit together."""
    if isinstance(cells, Frame) or cells == "adaptive":
        given = {
            "`grids`": grids,
            "`workload`": workload,
            "`tuner`": tuner,
            "`tuning_share`": tuning_share,
        }
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name} is for regular `cells`; got both: leave one of them out.")
        return Adaptive(epsilon, unit, _frame(cells, domain))
    if cells != "regular":
        raise InputError(f"cells must be 'regular' or 'adaptive'; got {cells!r}.")
    chooser = tuner_of("influence" if tuner is None else tuner)
    candidates = candidates_of(grids, domain)
    return Regular(epsilon, unit, candidates, workload, chooser, tuning_share)


def _needed(domain: Domain | None) -> Domain:
    if domain is None:
        raise InputError(
            "a public domain is needed; none was given: pass `Domain(bounds, crs)`, or grids. "
            "It is never read off the points, because that would tell where the outermost were."
        )
    return domain


def _frame(cells: Cells, domain: Domain | None) -> Frame:
    if not isinstance(cells, Frame):
        return Frame(_needed(domain))
    if domain is not None and cells.domain != domain:
        raise InputError(
            f"the frame must be on the given domain; got {domain!r} and {cells.domain!r}."
        )
    return cells


def candidates_of(grids: Sequence[Grid] | None, domain: Domain | None) -> tuple[Grid, ...]:
    """Candidate grids as given, or the default ladder of the domain."""
    if grids is None:
        return candidate_grids(_needed(domain))
    found = checked_candidates(tuple(grids))
    if domain is not None and found[0].domain != domain:
        raise InputError(
            f"the grids must be on the given domain; got {domain!r} and {found[0].domain!r}."
        )
    return found
