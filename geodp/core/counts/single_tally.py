"""Share what plans and tallies do alike that count all records in one group, also in trees.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints

BLOCK = 1 << 16
"""Points located at once."""

_Tally = TypeVar("_Tally", bound="SingleTally")
_NodeTally = TypeVar("_NodeTally", bound="NodeTally")


@dataclass(frozen=True)
class SinglePlan:
    """Say what to count in one group: a name that tells plans apart, also in other processes."""

    name: str = field(init=False, default_factory=lambda: uuid.uuid4().hex)
    groups: ClassVar[None] = None


class SingleTally(ABC):
    """True counts of the points seen so far, of one group or of all alike. Private."""

    borders: Any = False
    """Nothing but the cells of points is counted."""

    def __init__(self) -> None:
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"

    @property
    def groups(self: _Tally) -> tuple[_Tally, ...]:
        """Return the tally alone: it is its only group."""
        return (self,)

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike, units: Ints | None = None) -> None:
        """Count points given by coordinates in the domain's CRS; those in no cell are dropped.

        Where they are not simply one, their units come last. Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            self._add(xs[part], ys[part], None if units is None else units[part])

    def _add(self, x: Floats, y: Floats, units: Ints | None) -> None:
        """Count the points of one block."""
        cells, inside = self.locate(x, y)
        self.keep(cells, units if units is None or inside is None else units[inside])

    @abstractmethod
    def locate(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools | None]:
        """Find the cells of those points that are in one, and which these are; None for all."""

    @abstractmethod
    def keep(self, cells: npt.NDArray[Any], units: Ints | None = None) -> None:
        """Count points that were located, each by its units."""


class NodeTally(SingleTally):
    """True counts of the points seen so far, in the nodes of one public tree. Private.

    Parameters
    ----------
    frame : Frame or DistrictFrame
        The tree whose nodes are counted.
    """

    frame: Any

    def __init__(self, frame: Any) -> None:
        super().__init__()
        self.frame = frame

    def __add__(self: _NodeTally, other: _NodeTally) -> _NodeTally:
        """Merge two tallies of one frame."""
        merged = type(self)(self.frame)
        merged += self
        merged += other
        return merged

    def __iadd__(self: _NodeTally, other: _NodeTally) -> _NodeTally:
        """Take in what another tally has counted; the other stays as it is."""
        if self.frame != other.frame:
            raise InputError("tallies can be added only when they have the same frame.")
        self._take_in(other)
        return self

    @abstractmethod
    def _take_in(self: _NodeTally, other: _NodeTally) -> None:
        """Add the counts of another tally of the same frame."""
