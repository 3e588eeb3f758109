"""Share what all tallies of trees do alike: they belong to one frame, and merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

from ..common.errors import InputError
from .single_tally import SingleTally

_Tally = TypeVar("_Tally", bound="NodeTally")


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
