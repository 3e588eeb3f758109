"""What can be counted, and what counts it: alike for grids and for trees of cells."""

from __future__ import annotations

from typing import Any, Protocol

from ..records.groups import Groups
from ..space.domain import Domain


class Counting(Protocol):
    """Something that takes in points and can be added up. Private: it holds true counts."""

    def add(self, *place: Any) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped.

        Several threads may add at once.
        """

    def __add__(self, other: Any) -> Any:
        """Merge what was counted in two places."""


class Countable(Protocol):
    """What to count: public, made once, small enough to send to workers."""

    @property
    def domain(self) -> Domain:
        """Where points are counted."""

    @property
    def name(self) -> str:
        """Tells one from another."""

    @property
    def size(self) -> int:
        """Bytes that the counts of a tally may take."""

    @property
    def groups(self) -> Groups | None:
        """Groups to tell apart, if any."""

    def tally(self) -> Any:
        """Return a new tally, which has counted nothing yet."""
