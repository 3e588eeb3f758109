"""Mechanisms of the kinds of cells: what each counts, spends and publishes.

This is the only place where one kind is told from the other. What comes out of either is a
partition with measurements, and nothing after this asks which.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from ..common.errors import InputError
from ..counts.counting import Countable
from ..counts.grid_tally import Plan, Tally
from ..counts.group_tally import MOST_BYTES, planned
from ..counts.tree_tally import BaseTally
from ..estimates.adaptive import AdaptiveCells
from ..estimates.partition import Partition
from ..estimates.regular import RegularCells, measured_cells
from ..kernel.measurements import Measurements
from ..mechanisms.growth import grow_layers
from ..mechanisms.selection import choose, with_noise
from ..mechanisms.shares import Shares
from ..mechanisms.tree_budget import RECORDS_PER_CELL, TreeBudget
from ..mechanisms.tuners import Tuner
from ..privacy.budget import Budget, Number, Spend
from ..privacy.noise import RandomBits, laplace_noise
from ..privacy.noise_tables import TabledBits
from ..privacy.unit import Unit
from ..records.groups import Layers
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from .kinds import Adaptive, Kind, default_boxes
from .release import Method

Say = Callable[[str], None]


class Mechanism(ABC):
    """One release in the making: all choices are public and made, no point has been read."""

    plan: Countable
    """What to count."""

    spends: tuple[Spend, ...]
    """What each step will cost."""

    ledger_text: str
    """What is made, for the ledger."""

    needed: float = 0
    """Records without which not even the largest cells stand out of the noise."""

    layers: Layers | None
    """Layers to count in, if any."""

    bits: type[RandomBits] = RandomBits
    """Where randomness comes from, unless a release is given its own."""

    @abstractmethod
    def publish(
        self, tally: Any, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, list[Measurements]]:
        """Choose the cells and measure them in each layer. Private in, public out."""

    @abstractmethod
    def method(self, unit: Unit, noise: str) -> Method:
        """The public choices, for the release."""

    def _bits(self, bits: RandomBits) -> list[RandomBits]:
        """Randomness for each layer, which no other layer has a part in."""
        return [bits] if self.layers is None else [bits.fork(name) for name in self.layers.names]

    def _ledger_text(self, cells: str) -> str:
        """What is made, for the ledger."""
        layers = "" if self.layers is None else f" in {len(self.layers):,} layers"
        return f"geodp release of {cells}{layers}"


class RegularMechanism(Mechanism):
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
    layers : Layers, optional
        Layers to count in.
    """

    def __init__(
        self,
        epsilon: Number | Budget,
        unit: Unit,
        grids: tuple[Grid, ...],
        workload: Workload | None,
        tuner: Tuner,
        tuning_share: Number | None,
        layers: Layers | None = None,
    ) -> None:
        if len(grids) == 1:
            workload = None  # nothing is tuned
        elif workload is None:
            workload = default_boxes(grids[0].domain, grouped=layers is not None)
        self.layers = layers
        if layers is not None:
            self.bits = TabledBits  # every layer has noise of its own: there is much to draw
        self._grids, self._workload, self._tuner = grids, workload, tuner
        # All scales are known, or refused, before a point is read or anything is spent.
        self._shares = Shares.of(
            epsilon, tuner, workload, tuning_share=tuning_share, distance=unit.distance
        )
        self.spends = self._shares.spends(tuner)
        self.ledger_text = self._ledger_text(
            f"{len(grids)} candidate grid{'s' if len(grids) > 1 else ''}"
        )
        fewest = min(int(grid.supported.sum()) for grid in grids)
        self.needed = RECORDS_PER_CELL * fewest * float(self.scale)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise that the counts will get."""
        return self._shares.counts_scale

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return planned(Plan(self._grids, self._workload), self.layers)

    def publish(
        self, tally: Tally, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, list[Measurements]]:
        chosen = 0
        if self._workload is not None:
            say("choosing the grid")
            chosen = choose(self._tuner, tally, self._shares, bits)
        say("adding noise")
        grid, scale, made = self._grids[chosen], self._shares.counts_scale, []
        for layer, own in zip(tally.layers, self._bits(bits)):
            added = laplace_noise(scale, len(RegularCells(grid)), own, noise)
            made.append(measured_cells(grid, with_noise(layer.counts(chosen), grid, added), scale))
        return RegularCells(grid), made

    def method(self, unit: Unit, noise: str) -> Method:
        return Method(
            candidates=self._grids,
            workload="none: a single candidate"
            if self._workload is None
            else self._workload.source,
            tuner=repr(self._tuner),
            unit=unit,
            noise=noise,
            layers=self.layers,
        )


@dataclass(frozen=True)
class FramePlan:
    """Count on the base lattice of a frame."""

    frame: Frame
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    layers: ClassVar[None] = None

    @property
    def domain(self) -> Domain:
        """Where points are counted."""
        return self.frame.domain

    @property
    def size(self) -> int:
        """Bytes that the counts take where every base cell is filled."""
        return 4 * self.frame.cells

    def tally(self, beside: int = 1) -> BaseTally:
        """Return a new tally, however many there are beside it."""
        del beside  # only filled cells take memory
        return BaseTally(self.frame)


class AdaptiveMechanism(Mechanism):
    """A tree of cells, grown where it pays.

    Parameters
    ----------
    epsilon : Number or Budget
        The whole budget.
    unit : Unit
        What is protected.
    frame : Frame
        Where the tree may grow.
    layers : Layers, optional
        Layers to count in.
    """

    bits = TabledBits  # a tree takes many more draws than a grid

    def __init__(
        self, epsilon: Number | Budget, unit: Unit, frame: Frame, layers: Layers | None = None
    ) -> None:
        self._frame, self.layers = frame, layers
        self._budget = TreeBudget.of(epsilon, unit.distance, 1 if layers is None else len(layers))
        self.spends = self._budget.spends()
        self.ledger_text = self._ledger_text("adaptive cells")
        fewest = int(Grid(frame.domain, frame.root).supported.sum())
        self.needed = RECORDS_PER_CELL * fewest * float(self._budget.scale(self._budget.root))

    @cached_property
    def plan(self) -> Countable:  # type: ignore[override]
        return planned(FramePlan(self._frame), self.layers)

    def publish(
        self, tally: BaseTally, bits: RandomBits, noise: str, say: Say
    ) -> tuple[Partition, list[Measurements]]:
        say("looking closer where it pays")
        tree, made = grow_layers(tally.layers, self._budget, self._bits(bits), noise)
        return AdaptiveCells(tree), made

    def method(self, unit: Unit, noise: str) -> Method:
        return Method(
            candidates=(self._frame,),
            workload="all regions alike",
            tuner="Growth()",
            unit=unit,
            noise=noise,
            layers=self.layers,
        )


def mechanism_for(
    cells: Kind | Frame,
    domain: Domain | None,
    epsilon: Number | Budget,
    unit: Unit,
    layers: Layers | None = None,
) -> Mechanism:
    """Return what makes the cells that were asked for, or refuse what does not fit together.

    Parameters
    ----------
    cells : Adaptive, Regular or Frame
        Kind of the cells; a frame is one of adaptive cells whose lattices are given, for audits.
    domain : Domain or None
        The public rectangle, unless grids or a frame state it.
    epsilon : number or Budget
        Budget of the whole release.
    unit : Unit
        What is protected.
    layers : Layers, optional
        Layers to count in.
    """
    if isinstance(cells, (Frame, Adaptive)):
        return AdaptiveMechanism(epsilon, unit, _frame(cells, domain, layers), layers)
    grids = cells.candidates(domain)
    workload = cells.regions(grids[0].domain)
    return RegularMechanism(
        epsilon, unit, grids, workload, cells.chooser, cells.tuning_share, layers
    )


def _frame(cells: Adaptive | Frame, domain: Domain | None, layers: Layers | None) -> Frame:
    if isinstance(cells, Adaptive):
        frame = cells.frame(domain)
        # Where there are many layers, each has the fewer records, and needs the fewer halvings.
        while layers is not None and FramePlan(frame).size * len(layers) > MOST_BYTES:
            frame = Frame(frame.domain, frame.root, frame.halvings - 1)
        return frame
    if domain is not None and cells.domain != domain:
        raise InputError(
            f"the frame must be on the given domain; got {domain!r} and {cells.domain!r}."
        )
    return cells
