"""Put districts into a public order: halve their list by place, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.types import Bools, Floats, Ints, freeze


class Halving(NamedTuple):
    """Lists of districts that halve again and again, down to single ones.

    Node 0 is the list of all; the halves of a node follow all nodes of its level, the western or
    southern half first.

    Attributes
    ----------
    order : ndarray, shape (n,)
        Codes of the districts, such that every node is a run of it.
    start, stop : ndarray, shape (2 n - 1,)
        Run of each node in ``order``, half-open.
    child : ndarray, shape (2 n - 1,)
        First half of each node, the second is the next one; -1 for a single district.
    level : ndarray, shape (2 n - 1,)
        How often the list of all was halved.
    unit : ndarray, shape (2 n - 1,)
        Whether a node is a district, or a larger unit of some level, and no other list.
    """

    order: Ints
    start: Ints
    stop: Ints
    child: Ints
    level: Ints
    unit: Bools

    @property
    def keys(self) -> Ints:
        """Return a number for each node, rising, that follows from its level and its start."""
        return self.node_keys(self.level, self.start)

    def node_keys(self, level: Ints, start: Ints) -> Ints:
        """Return the numbers of nodes of some levels that start at some places."""
        return np.asarray(level * (len(self.order) + 1) + start)

    def below(self, nodes: Ints, times: int) -> tuple[Ints, Ints]:
        """Halve nodes ``times`` times, single units excepted; return the parts, and their number.

        Examples
        --------
        >>> halved = halve(np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]))
        >>> [halved.order[a:b].tolist() for a, b in zip(halved.start, halved.stop)]
        [[0, 1, 2], [0, 1], [2], [0], [1]]
        >>> halved.below(np.array([0]), 2)
        (array([3, 4, 2]), array([3]))
        """
        parts, whose = np.asarray(nodes), np.arange(len(nodes))
        for time in range(times):
            again = self.child[parts] >= 0
            if time:
                again &= ~self.unit[parts]
            parts = np.repeat(parts, 1 + again)
            whose, again = np.repeat(whose, 1 + again), np.repeat(again, 1 + again)
            second = np.cumsum(again) % 2 == 0
            parts[again] = self.child[parts[again]] + second[again]
        return parts, np.bincount(whose, minlength=len(nodes)).astype(np.int64)


def halve(centres: Floats, *larger: tuple[Ints, Floats]) -> Halving:
    """Order districts by halving their list along the longer side of its bounding box.

    The first half has one more where the number is odd. Of equal centres, and where both sides are
    equal (then from west to east), the public order decides.

    Where larger units hold the districts, the list of the largest is halved first, down to single
    ones, then that of the units in each, and so on: every unit is a node.

    Parameters
    ----------
    centres : ndarray, shape (n, 2)
        One place for each district, one district at least.
    *larger : tuple of ndarray
        For each level of larger units, from the largest: which of them holds each district, where
        districts of one unit stand together, and a place for each unit.

    Examples
    --------
    >>> halve(np.array([[5.0, 0.0], [0.0, 0.0], [4.0, 1.0], [1.0, 1.0]])).order
    array([1, 3, 2, 0])
    >>> states = np.array([0, 0, 1, 1]), np.array([[2.5, 0.0], [2.5, 1.0]])
    >>> nested = halve(np.array([[5.0, 0.0], [0.0, 0.0], [4.0, 1.0], [1.0, 1.0]]), states)
    >>> nested.order, nested.unit
    (array([1, 0, 3, 2]), array([False,  True,  True,  True,  True,  True,  True]))
    """
    count = len(centres)
    levels = [*larger, (np.arange(count), centres)]
    order = np.arange(count)
    start, stop, at = np.array([0]), np.array([count]), np.array([0])
    starts, stops = [start], [stop]
    children: list[Ints] = []
    depths: list[Ints] = []
    nodes = 1
    while True:
        wide = stop - start > 1
        child = np.where(wide, nodes + 2 * (np.cumsum(wide) - 1), -1)
        children.append(child)
        depths.append(np.full(len(start), len(depths)))
        if not wide.any():
            break
        start, stop, at = start[wide], stop[wide], at[wide]
        for number, (unit, _) in enumerate(levels):  # one unit alone is divided by the next level
            at += (at == number) & (unit[order[start]] == unit[order[stop - 1]])
        order, middle = _sorted_runs(levels, order, start, stop, at)
        start, stop = (np.stack(pair, axis=1).ravel() for pair in ((start, middle), (middle, stop)))
        at = np.repeat(at, 2)
        starts.append(start)
        stops.append(stop)
        nodes += len(start)
    first, last, *rest = (np.concatenate(part) for part in (starts, stops, children, depths))
    complete = np.zeros(len(first), dtype=np.bool_)
    for unit, _ in levels:
        held = unit[order]
        complete |= (held[first] == held[last - 1]) & (
            np.bincount(unit)[held[first]] == last - first
        )
    return Halving(*map(freeze, (order, first, last, *rest, complete)))


def _sorted_runs(
    levels: Sequence[tuple[Ints, Floats]], order: Ints, start: Ints, stop: Ints, at: Ints
) -> tuple[Ints, Ints]:
    """Sort units of each run along the longer side of their bounding box; say where halves meet."""
    lengths = stop - start
    run = np.repeat(np.arange(len(start)), lengths)
    first = np.cumsum(lengths) - lengths
    place = np.arange(len(run)) + np.repeat(start - first, lengths)
    members, number = order[place], np.repeat(at, lengths)
    unit, centres = np.empty_like(members), np.empty((len(members), 2))
    for level, (units, places) in enumerate(levels):
        here = np.flatnonzero(number == level)
        unit[here] = units[members[here]]
        centres[here] = places[unit[here]]
    low = np.minimum.reduceat(centres, first, axis=0)
    high = np.maximum.reduceat(centres, first, axis=0)
    side = high - low
    upwards = side[:, 1] > side[:, 0]
    along = np.where(upwards[run], centres[:, 1], centres[:, 0])
    turn = np.lexsort((members, unit, along, run))
    order = order.copy()
    order[place] = members[turn]
    fresh = np.append(True, (np.diff(unit[turn]) != 0) | (np.diff(run) != 0))
    before = np.cumsum(fresh)  # how many units there are up to each place, of all runs
    half = before[first] - 1 + (before[first + lengths - 1] - before[first] + 2) // 2
    middle = np.searchsorted(before, half, side="right")
    return order, start + middle - first
