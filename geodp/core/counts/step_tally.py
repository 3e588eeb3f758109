"""Add up amounts on the base lattice of an adaptive release, where every record counts as one.

The two layers of an amount, above and below, add up to one for every record. So it is enough to
count records and to add up the steps of the layer above: the layer below is the number of records
times the steps that make one, less the steps above, computed when nodes are asked for. Code and
steps of a point share one number of 64 bits, so that points are stored as those without amounts.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Ints
from ..space.frame import Codes, Frame
from .node_counts import Worth
from .tree_tally import BaseTally, Points

_STEP_BITS = 31
"""Bits for the steps of an amount, of which there are at most 2**30. Codes of base cells take 26:
both fit into 63."""

_STEPS = (1 << _STEP_BITS) - 1


class StepTally(BaseTally):
    """True counts of the points seen so far, and steps of their amounts, by base cell. Private.

    Parameters
    ----------
    frame : Frame
        The lattice.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> tally = StepTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (2, 2), 1))
    >>> tally.keep(*tally.locate(np.array([0.5, 3.9]), np.array([1.5, 4.0]))[:1], np.array([3, 10]))
    >>> tally, [layer.node_counts(np.arange(4), 1).tolist() for layer in tally.layers(10)]
    (StepTally(private), [[3, 0, 0, 10], [7, 0, 0, 0]])
    """

    _kinds = (np.int64,)
    _low = _STEP_BITS
    _sums = 2

    _asked: tuple[Any, int, Any, list[Ints]] | None = None
    """Nodes that one layer was asked for, and their sums."""

    @staticmethod
    def _worth(points: Points) -> Worth:
        return None, points[0] & _STEPS

    def keep(self, codes: Codes, units: Ints | None = None, rest: Ints | None = None) -> None:
        """Count points that were located, and add up their steps; others are for another tally."""
        if units is None or rest is not None:
            raise InputError("records with units are added up in a tally of units.")
        points = codes.astype(np.int64) << _STEP_BITS
        points |= units
        self._gather(points)

    def layers(self, one: int) -> tuple[StepLayer, StepLayer]:
        """Return the layer of the amounts, and that of what is left to one."""
        return StepLayer(self), StepLayer(self, one)

    def _node_sums(self, codes: npt.NDArray[Any], depth: int) -> list[Ints]:
        """Return counts and sums of steps; for the second layer those that were looked up last."""
        asked, self._asked = self._asked, None
        if asked is not None and asked[0] is codes and asked[1:3] == (depth, self._nodes):
            return asked[3]
        sums = super()._node_sums(codes, depth)
        if self._nodes is not None:  # new points make another one
            self._asked = codes, depth, self._nodes, sums
        return sums


class StepLayer:
    """Sums of steps in the nodes of a tree, or what is left of each record. Private.

    Parameters
    ----------
    tally : StepTally
        Counts of records, and sums of steps.
    one : int
        Steps that make one, of which is told what is left; 0 for the steps themselves.
    """

    def __init__(self, tally: StepTally, one: int = 0) -> None:
        self._tally, self._one = tally, one

    def __repr__(self) -> str:
        return "StepLayer(private)"

    @property
    def frame(self) -> Frame:
        """Return the lattices of the tree."""
        return self._tally.frame

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Make ready to be asked for the sums of these nodes, in whatever parts."""
        if not self._one:  # the other layer has the same nodes
            self._tally.prepare(codes, depth)

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true sums in the nodes with these codes at a depth."""
        counts, steps = self._tally._node_sums(codes, depth)
        return self._one * counts - steps if self._one else steps
