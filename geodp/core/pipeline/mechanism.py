"""Mechanisms of the kinds of cells: what each counts, spends and publishes.

This is the only place where one kind is told from another. Each gives cells with measurements, and
nothing after this asks which kind they are of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..cells.cells import Cells
from ..cells.district_cells import DistrictCells
from ..cells.district_tree_cells import DistrictTreeCells
from ..cells.grid_cells import GridCells
from ..cells.h3_cells import H3Cells
from ..cells.hexagon_cells import HexagonCells
from ..cells.partitions import Alternative, Partition
from ..cells.tree_cells import TreeCells
from ..common.errors import InputError
from ..counts.amount_tally import AmountPlan, layer_names
from ..counts.cell_tally import CellPlan, DistrictPlan
from ..counts.choice_tally import ChoicePlan
from ..counts.counting import Countable, GroupCountable
from ..counts.district_tree_tally import DistrictTreePlan
from ..counts.grid_tally import Plan
from ..counts.group_tally import MOST_BYTES, planned
from ..counts.unit_tally import FramePlan
from ..districts.district_frame import DistrictFrame
from ..estimates.direct import measured_once
from ..kernel.kernel import Kernel
from ..kernel.measurements import Measurements
from ..mechanisms.district_growth import grow_districts, least_share
from ..mechanisms.districts import LEAST_LEVEL_SHARE, LEVEL_SHARE, measure_levels
from ..mechanisms.growth import grow
from ..mechanisms.selection import choose, choose_partition
from ..mechanisms.shares import Shares
from ..mechanisms.tree_budget import RECORDS_PER_CELL, TreeBudget
from ..mechanisms.tuners import Tuner
from ..privacy.budget import Budget, ExactNumber, exact
from ..privacy.noise import noise_scale
from ..privacy.quantity import PLAIN, Quantity
from ..privacy.unit import Unit
from ..records.amounts import Amount
from ..records.groups import Groups
from ..regions.workload import Workload
from ..releases.cell_words import cells_in_words
from ..releases.published import Method
from ..space.domain import Domain
from ..space.frame import ROOT_CELLS, Frame
from ..space.grid import Grid
from .choice_kind import Choice
from .district_kind import Districts
from .fixed_kind import FixedKind
from .kinds import Adaptive, Kind, default_boxes, needed_domain

Say = Callable[[str], None]


@dataclass(frozen=True)
class Terms:
    """State what is asked of a release, whatever its cells are.

    Attributes
    ----------
    epsilon : number or Budget
        The budget of the release.
    unit : Unit
        What is protected.
    groups : Groups, optional
        Groups to count in.
    quantity : Quantity
        What is added up.
    amount : Amount, optional
        What is added up beside counts.
    """

    epsilon: ExactNumber | Budget
    unit: Unit
    groups: Groups | None = None
    quantity: Quantity = PLAIN
    amount: Amount | None = None

    @property
    def record_units(self) -> int:
        """Return the units that a record brings along; 1 where every record counts as one.

        Those of an amount do not: what is left of it follows from the amount.
        """
        alone = self.amount is not None and self.unit.kind != "person"
        return 1 if alone else self.quantity.units


class Mechanism(ABC):
    """Prepare one release: all choices are public and made, no point has been read.

    Parameters
    ----------
    terms : Terms
        What is asked of the release; other parameters are those of each kind of cells.
    """

    plan: Countable
    """What to count."""

    ledger_text: str
    """What is released, in words for the ledger."""

    needed: float = 0
    """Records without which not even the largest cells stand out of the noise."""

    fixed_cells: int | None = None
    """How many cells there are, where that is known before anything is read or chosen."""

    def __init__(self, terms: Terms) -> None:
        self.groups, self.quantity, self.amount = terms.groups, terms.quantity, terms.amount

    def _planned(self, plan: GroupCountable) -> Countable:
        """Plan what to count, in each group if there are any, or for amounts."""
        if self.amount is not None:
            return AmountPlan(plan, self.amount, self.groups)
        return planned(plan, self.groups)

    @property
    def group_names(self) -> tuple[str, ...] | None:
        """Return the names of what is counted apart, each of which has randomness of its own."""
        if self.amount is not None:
            return layer_names(self.groups)
        return None if self.groups is None else self.groups.names

    @abstractmethod
    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        """Choose the cells and measure them in each group, as the kernel allows."""

    @abstractmethod
    def method(self, unit: Unit, noise: str) -> Method:
        """Return the public choices, for the release."""

    def _method(
        self,
        unit: Unit,
        noise: str,
        *,
        candidates: tuple[Any, ...] = (),
        workload: str,
        tuner: str = "none",
    ) -> Method:
        """Return what was chosen, with what every mechanism has."""
        return Method(
            candidates=candidates,
            workload=workload,
            tuner=tuner,
            unit=unit,
            noise=noise,
            groups=self.groups,
            quantity=self.quantity,
            amount=self.amount,
        )

    def _ledger_text(self, cells: str) -> str:
        """Say for the ledger what is released."""
        groups = "" if self.groups is None else f" in {len(self.groups):,} groups"
        return f"geodp release of {cells}{groups}"

    def _tree_budget(self, terms: Terms) -> TreeBudget:
        """Return what growing a tree may spend, in each group."""
        groups = 1 if self.group_names is None else len(self.group_names)
        return TreeBudget.of(terms.epsilon, terms.unit.distance, groups, terms.quantity.units)

    def _needed(self, cells: int, scale: Fraction) -> float:
        """Compute the records that cells need to stand out of noise of a scale in units."""
        return RECORDS_PER_CELL * cells * float(scale / self.quantity.units)

    def _once(self, cells: Cells, measured: tuple[Any, Fraction]) -> list[Measurements]:
        """Return what the kernel measured of each group, of cells that are measured once."""
        values, scale = measured
        return [measured_once(cells, value, scale, self.quantity.units) for value in values]


class TunedMechanism(Mechanism):
    """Count in cells that a tuner chooses for regions, among several.

    Parameters
    ----------
    workload : Workload, optional
        Regions that should come out well; None where there is nothing to choose.
    tuner : Tuner
        How to choose.
    tuning_share : ExactNumber, optional
        Part of ε for the choice.
    """

    def __init__(
        self,
        terms: Terms,
        workload: Workload | None,
        tuner: Tuner,
        tuning_share: ExactNumber | None,
    ) -> None:
        super().__init__(terms)
        self._workload, self._tuner = workload, tuner
        # All scales are known, or refused, before a point is read or anything is spent.
        self._shares = Shares.of(
            terms.epsilon,
            tuner,
            workload,
            tuning_share=tuning_share,
            distance=terms.unit.distance,
            units=terms.quantity.units,
        )


class RegularMechanism(TunedMechanism):
    """Count in one regular grid, chosen among candidates by a tuner.

    Parameters
    ----------
    grids : tuple of Grid
        Candidates.
    workload, tuner, tuning_share
        As for :class:`TunedMechanism`.
    """

    def __init__(
        self,
        terms: Terms,
        grids: tuple[Grid, ...],
        workload: Workload | None,
        tuner: Tuner,
        tuning_share: ExactNumber | None,
    ) -> None:
        if len(grids) == 1:
            workload = None  # nothing is tuned
        elif workload is None:
            workload = default_boxes(grids[0].domain, grouped=terms.groups is not None)
        super().__init__(terms, workload, tuner, tuning_share)
        self._grids = grids
        self.ledger_text = self._ledger_text(
            f"{len(grids)} candidate grid{'s' if len(grids) > 1 else ''}"
        )
        fewest = min(int(grid.supported.sum()) for grid in grids)
        self.fixed_cells = fewest if len(grids) == 1 else None
        self.needed = self._needed(fewest, self._shares.counts_scale)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise that the counts will get."""
        return self._shares.counts_scale / self.quantity.units

    @cached_property
    def _grid_plan(self) -> Plan:
        return Plan(self._grids, self._workload)

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(self._grid_plan)

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        chosen = 0
        if self._workload is not None:
            say("choosing the grid")
            chosen = choose(kernel, self._tuner, self._grid_plan, self._shares)
        say("adding noise")
        grid = self._grids[chosen]
        cells = GridCells(grid)
        return cells, self._once(cells, kernel.measure_cells(grid, self._shares.counts, "counts"))

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(
            unit,
            noise,
            candidates=self._grids,
            workload="none: a single candidate"
            if self._workload is None
            else self._workload.source,
            tuner=repr(self._tuner),
        )


class AdaptiveMechanism(Mechanism):
    """Count in a tree of cells, grown where it pays.

    Parameters
    ----------
    frame : Frame
        Where the tree may grow.
    """

    def __init__(self, terms: Terms, frame: Frame) -> None:
        super().__init__(terms)
        self._frame = frame
        self._record_units = terms.record_units
        self._budget = self._tree_budget(terms)
        self.ledger_text = self._ledger_text("adaptive cells")
        fewest = int(Grid(frame.domain, frame.root).supported.sum())
        self.needed = self._needed(fewest, self._budget.scale(self._budget.root))

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(FramePlan(self._frame, self._record_units))

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        say("looking closer where it pays")
        tree, measurements = grow(kernel, self._budget, self._frame)
        return TreeCells(tree), [
            measurement.with_units(self.quantity.units) for measurement in measurements
        ]

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(
            unit,
            noise,
            candidates=(self._frame,),
            workload="all regions alike",
            tuner="Growth()",
        )


class DistrictMechanism(Mechanism):
    """Count in given districts, each measured once; in larger units too where levels are given.

    Parameters
    ----------
    cells : DistrictCells
        The districts.
    """

    def __init__(self, terms: Terms, cells: DistrictCells) -> None:
        super().__init__(terms)
        self._cells, quantity = cells, terms.quantity
        # The smallest share that a district can get is known, or refused, before a point is read.
        upper = cells.levels.depth - 1
        least = Budget(terms.epsilon).epsilon * (1 - LEVEL_SHARE) ** upper
        least *= LEAST_LEVEL_SHARE if upper else 1
        noise_scale(least, terms.unit.distance, quantity.units)
        self.ledger_text = self._ledger_text(cells_in_words(cells))
        self.fixed_cells = len(cells)
        if quantity.things == "visitors" and cells.nodes is not None:
            raise InputError(
                "visitors are counted in districts of one level, since those of larger units are "
                "not the sum of theirs; got levels: leave out `levels`, or `visits`."
            )

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(DistrictPlan(self._cells))

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        say("adding noise")
        measured = measure_levels(kernel, self._cells.levels)
        if self._cells.nodes is None:
            measured = [
                measured_once(self._cells, counts.value, counts.scales[0]) for counts in measured
            ]
        return self._cells, [counts.with_units(self.quantity.units) for counts in measured]

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(unit, noise, workload="the districts themselves")


class HexagonMechanism(Mechanism):
    """Count in hexagons of one size or of one resolution of H3, each measured once with all of ε.

    Parameters
    ----------
    cells : HexagonCells or H3Cells
        The hexagons.
    """

    def __init__(self, terms: Terms, cells: HexagonCells | H3Cells) -> None:
        super().__init__(terms)
        self._cells, self._epsilon = cells, Budget(terms.epsilon).epsilon
        # The scale is known, or refused, before a point is read.
        scale = noise_scale(self._epsilon, terms.unit.distance, terms.quantity.units)
        self.ledger_text = self._ledger_text(f"{len(cells):,} hexagons")
        self.needed = self._needed(len(cells), scale)
        self.fixed_cells = len(cells)

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(CellPlan(self._cells))

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        say("adding noise")
        measured = kernel.measure_cells(self._cells, self._epsilon, "counts")
        return self._cells, self._once(self._cells, measured)

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(unit, noise, workload="none: the hexagons are given")


class ChoiceMechanism(TunedMechanism):
    """Count in cells of one of several kinds, chosen privately for regions.

    Parameters
    ----------
    partitions : tuple of Partition
        Candidates.
    workload, tuner, tuning_share
        As for :class:`TunedMechanism`.
    """

    _workload: Workload

    def __init__(
        self,
        terms: Terms,
        partitions: tuple[Partition, ...],
        workload: Workload | None,
        tuner: Tuner,
        tuning_share: ExactNumber | None,
    ) -> None:
        if workload is None:
            workload = default_boxes(partitions[0].domain, grouped=terms.groups is not None)
        super().__init__(terms, workload, tuner, tuning_share)
        self._partitions = partitions
        self.ledger_text = self._ledger_text(f"one of {len(partitions)} layers of cells")
        fewest = min(len(partition.cells) for partition in partitions)
        self.needed = self._needed(fewest, self._shares.counts_scale)

    @cached_property
    def _choice_plan(self) -> ChoicePlan:
        return ChoicePlan(self._partitions, self._workload)

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(self._choice_plan)

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        say("choosing the cells")
        chosen = choose_partition(kernel, self._tuner, self._choice_plan, self._shares)
        say("adding noise")
        partition = self._partitions[chosen]
        measured = kernel.measure_cells(partition, self._shares.counts, "counts")
        return partition.cells, self._once(partition.cells, measured)

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(
            unit,
            noise,
            candidates=tuple(Alternative(partition.in_words) for partition in self._partitions),
            workload=self._workload.source,
            tuner=repr(self._tuner),
        )


class DistrictTreeMechanism(Mechanism):
    """Count in a tree that is rooted in districts, grown where it pays.

    Parameters
    ----------
    frame : DistrictFrame
        Where the tree may grow.
    share : Fraction, optional
        Part of what is left for the count of a district.
    """

    def __init__(self, terms: Terms, frame: DistrictFrame, share: Fraction | None) -> None:
        super().__init__(terms)
        self._frame, self._share = frame, share
        self._budget = self._tree_budget(terms)
        # No step of any path has less: this refuses a scale that is out of range.
        self._budget.scale(self._budget.rest * least_share(frame, share))
        self.ledger_text = self._ledger_text(
            f"adaptive cells in {len(frame.districts):,} districts"
        )
        fewest = min(len(frame.districts), ROOT_CELLS)
        self.needed = self._needed(fewest, self._budget.scale(self._budget.root))

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return self._planned(DistrictTreePlan(self._frame))

    def publish(self, kernel: Kernel, say: Say) -> tuple[Cells, list[Measurements]]:
        say("looking closer where it pays")
        tree, measurements = grow_districts(kernel, self._budget, self._frame, self._share)
        measured = [measurement.with_units(self.quantity.units) for measurement in measurements]
        return DistrictTreeCells(tree), measured

    def method(self, unit: Unit, noise: str) -> Method:
        return self._method(
            unit,
            noise,
            candidates=(),
            workload="the districts, and all regions alike",
            tuner="Growth()",
        )


def mechanism_for(cells: Kind | Choice | Frame, domain: Domain | None, terms: Terms) -> Mechanism:
    """Return the mechanism of the cells that were asked for, or refuse what does not fit.

    Parameters
    ----------
    cells : Adaptive, Regular, Districts, Hexagons, H3, Choice or Frame
        Kind of the cells; a frame is one of adaptive cells whose lattices are given, for audits.
    domain : Domain or None
        The public rectangle, unless districts, grids or a frame state it.
    terms : Terms
        What is asked of the release.
    """
    mechanism = _mechanism(cells, domain, terms)
    if terms.quantity.at_places:
        _check_places(mechanism, terms)
    return mechanism


def not_fixed() -> InputError:
    """Return the refusal of people at places where cells are chosen."""
    return InputError(
        "people count at places where cells are fixed: districts, hexagons or one grid; these "
        "cells are chosen by the data: name such cells, or leave out `place` and `visits`."
    )


def _check_places(mechanism: Mechanism, terms: Terms) -> None:
    """Refuse to count people at places where cells are chosen, and in more cells than there are."""
    if mechanism.fixed_cells is None:
        raise not_fixed()
    cells = mechanism.fixed_cells * (1 if mechanism.groups is None else len(mechanism.groups))
    most = terms.unit.max_records or 1
    if terms.quantity.things == "visitors" and most > cells:
        raise InputError(
            f"nobody can visit more cells than there are; got `visits` of {most:,} for "
            f"{cells:,}: choose fewer, since noise grows with them."
        )


def _mechanism(cells: Kind | Choice | Frame, domain: Domain | None, terms: Terms) -> Mechanism:
    rooted = isinstance(cells, Adaptive) and cells.districts is not None
    if (isinstance(cells, Districts) or rooted) and domain is not None:
        raise InputError("districts say where records are counted; got a domain too: leave it out.")
    if isinstance(cells, Districts):
        return DistrictMechanism(terms, cells.cells)
    if isinstance(cells, Choice):
        partitions = cells.partitions(needed_domain(domain))
        regions = cells.regions(partitions[0].domain)
        return ChoiceMechanism(terms, partitions, regions, cells.chooser, cells.tuning_share)
    if isinstance(cells, FixedKind) and cells.several:
        several = Choice([cells], workload=cells.workload, tuning_share=cells.tuning_share)
        return _mechanism(several, domain, terms)
    if isinstance(cells, FixedKind):
        return HexagonMechanism(terms, cells.candidates(needed_domain(domain))[0])
    if isinstance(cells, Adaptive) and rooted:
        share = None if cells.share is None else exact(cells.share)
        rooted_in = cells.district_frame()
        return DistrictTreeMechanism(terms, rooted_in, share)
    if isinstance(cells, (Frame, Adaptive)):
        layers = 0 if terms.groups is None else len(terms.groups)
        layers *= 1 if terms.amount is None else 2
        frame = _frame(cells, domain, layers)
        return AdaptiveMechanism(terms, frame)
    grids = cells.candidates(domain)
    workload = cells.regions(grids[0].domain)
    return RegularMechanism(terms, grids, workload, cells.chooser, cells.tuning_share)


def _frame(cells: Adaptive | Frame, domain: Domain | None, layers: int) -> Frame:
    if isinstance(cells, Adaptive):
        frame = cells.frame(domain)
        # Where there are many groups, each has the fewer records, and needs the fewer halvings.
        while FramePlan(frame).size * layers > MOST_BYTES:
            frame = Frame(frame.domain, frame.root, frame.halvings - 1)
        return frame
    if domain is not None and cells.domain != domain:
        raise InputError(
            f"the frame must be on the given domain; got {domain!r} and {cells.domain!r}."
        )
    return cells
