"""Say what can be counted, and what counts it: alike for grids and for trees of cells."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints
from ..records.groups import Groups
from ..space.domain import Domain

Self = TypeVar("Self")


class Counting(Protocol):
    """Take in points, and add up with others of the same plan. Private: it holds true counts."""

    def add(self, *place: Any) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped.

        Where records are counted in groups, the numbers of their groups come third. Where records
        are not simply one, their units come last. Several threads may add at once.
        """

    def __add__(self: Self, other: Self) -> Self:
        """Merge what was counted in two places."""

    def __iadd__(self: Self, other: Self) -> Self:
        """Take in what another has counted; the other stays as it is."""

    @property
    def groups(self) -> tuple[GroupCounting, ...]:
        """Return what was counted of each group: itself, where all records are counted alike."""


class GroupCounting(Counting, Protocol):
    """Count the points of one group, or of all alike: what several of them can share. Private."""

    @property
    def borders(self) -> bool:
        """Tell whether more is counted of points than cells: those near borders of polygons."""

    @property
    def total(self) -> int:
        """Return the number of points in the domain."""

    def locate(self, x: Floats, y: Floats) -> tuple[npt.NDArray[np.int32], Bools | None]:
        """Find the cells of those points that are inside, and which these are; None for all."""

    def keep(self, cells: npt.NDArray[np.int32], units: Ints | None = None) -> None:
        """Count points that were located, each by its units."""


class Countable(Protocol):
    """Say what to count: public, made once, small enough to send to workers."""

    @property
    def domain(self) -> Domain:
        """Return where points are counted."""

    @property
    def name(self) -> str:
        """Tell one plan from another."""

    @property
    def size(self) -> int:
        """Return the bytes that the counts of a tally may take."""

    @property
    def groups(self) -> Groups | None:
        """Return the groups to tell apart, if any."""

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points can be counted: a public rule."""

    def tally(self) -> Counting:
        """Return a new tally, which has counted nothing yet."""


class FixedCountable(Countable, Protocol):
    """Say what to count in cells that are fixed: districts, hexagons or one grid."""

    def places(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools]:
        """Find the cells of those points that can be counted, and which these are."""


class GroupCountable(Countable, Protocol):
    """Say what to count in each of several groups."""

    def tally(self, beside: int = 1) -> GroupCounting:
        """Return a new tally, which shares memory with others: ``beside`` in all."""
