"""Add up units on the base lattice of an adaptive release, as points are counted there.

Records that carry units are those of persons, or carry amounts. A tally is private: it holds true
counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.types import Bools, Floats, Ints
from ..space.domain import Domain
from ..space.frame import Codes, Frame
from ..space.grid import in_domain
from .node_counts import Worth
from .single_tally import SinglePlan
from .tree_tally import BaseTally, Points


@dataclass(frozen=True)
class FramePlan(SinglePlan):
    """Count on the base lattice of a frame, or add up the units of records there."""

    frame: Frame
    units: int = 1

    @property
    def domain(self) -> Domain:
        """Return the rectangle in which points are counted."""
        return self.frame.domain

    @property
    def size(self) -> int:
        """Return the bytes that the counts take where every base cell is filled."""
        return 4 * self.frame.cells

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in the domain."""
        return in_domain(self.domain, x, y)[0]

    def tally(self, beside: int = 1) -> BaseTally | UnitTally:
        """Return a new tally; how many others there are makes no difference."""
        del beside  # only filled cells take memory
        return BaseTally(self.frame) if self.units == 1 else UnitTally(self.frame)


class UnitTally(BaseTally):
    """True sums of units of the points seen so far, by base cell. Private.

    Parameters
    ----------
    frame : Frame
        The lattice.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> tally = UnitTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (2, 2), 1))
    >>> tally.add(np.array([0.5, 1.0, 3.9]), np.array([1.5, 0.0, 4.0]), np.array([6, 6, 12]))
    >>> tally
    UnitTally(private)
    >>> tally.node_counts(np.arange(4), 1)
    array([12,  0,  0, 12])
    """

    _kinds = (np.int32, np.int64)

    @staticmethod
    def _worth(points: Points) -> Worth:
        return (points[1],)

    def keep(self, codes: Codes, units: Ints | None = None) -> None:
        """Add up the units of points that were located."""
        worth = np.ones(len(codes)) if units is None else units
        self._gather(codes, worth.astype(np.int64, copy=False))
