"""Adding up units on the base lattice of an adaptive release, as points are counted there.

Records that carry units are those of persons, or carry amounts. A tally is private: it holds true
counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import numpy as np

from ..common.types import Ints
from ..space.frame import Codes
from .node_counts import Worth
from .tree_tally import BaseTally, Points


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
