"""Share what all tallies of trees do alike: they belong to one frame, and merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any, TypeVar

from ..common.errors import InputError

_Tally = TypeVar("_Tally", bound="NodeTally")


class NodeTally(ABC):
    """True counts of the points seen so far, in the nodes of one public tree. Private.

    Parameters
    ----------
    frame : Frame or DistrictFrame
        The tree whose nodes are counted.
    """

    frame: Any

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(private)"

    borders = False
    """Nothing but the codes of points is counted."""

    @property
    def groups(self: _Tally) -> tuple[_Tally, ...]:
        """Return the tally alone: it is its only group."""
        return (self,)

    def __add__(self: _Tally, other: _Tally) -> _Tally:
        """Merge two tallies of one frame."""
        merged = type(self)(self.frame)
        merged += self
        merged += other
        return merged

    def __iadd__(self: _Tally, other: _Tally) -> _Tally:
        """Take in what another tally has counted; the other stays as it is."""
        if self.frame != other.frame:
            raise InputError("tallies can be added only when they have the same frame.")
        self._take_in(other)
        return self

    @abstractmethod
    def _take_in(self: _Tally, other: _Tally) -> None:
        """Add the counts of another tally of the same frame."""
