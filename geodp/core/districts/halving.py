"""A public order of districts: halve the list by place, again and again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.types import Floats, Ints, freeze


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
    """

    order: Ints
    start: Ints
    stop: Ints
    child: Ints
    level: Ints

    def nodes_at(self, level: int) -> Ints:
        """Return nodes that divide all districts after so many halvings: single districts stay.

        Examples
        --------
        >>> halved = halve(np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]))
        >>> [halved.order[a:b].tolist() for a, b in zip(halved.start, halved.stop)]
        [[0, 1, 2], [0, 1], [2], [0], [1]]
        >>> halved.nodes_at(1)
        array([1, 2])
        """
        last = (self.level == level) | ((self.level < level) & (self.child < 0))
        nodes = np.flatnonzero(last)
        return np.asarray(nodes[np.argsort(self.start[nodes])])


def halve(centres: Floats) -> Halving:
    """Order districts by halving their list along the longer side of its bounding box.

    The first half has one more where the number is odd. Of equal centres, and where both sides are
    equal (then from west to east), the public order decides.

    Parameters
    ----------
    centres : ndarray, shape (n, 2)
        One place for each district, one district at least.

    Examples
    --------
    >>> halve(np.array([[5.0, 0.0], [0.0, 0.0], [4.0, 1.0], [1.0, 1.0]])).order
    array([1, 3, 2, 0])
    """
    count = len(centres)
    order = np.arange(count)
    start, stop = np.array([0]), np.array([count])
    starts, stops = [start], [stop]
    children: list[Ints] = []
    levels: list[Ints] = []
    nodes = 1
    while True:
        wide = stop - start > 1
        child = np.where(wide, nodes + 2 * (np.cumsum(wide) - 1), -1)
        children.append(child)
        levels.append(np.full(len(start), len(levels)))
        if not wide.any():
            break
        start, stop = start[wide], stop[wide]
        order = _sorted_runs(centres, order, start, stop)
        middle = (start + stop + 1) // 2
        start, stop = (np.stack(pair, axis=1).ravel() for pair in ((start, middle), (middle, stop)))
        starts.append(start)
        stops.append(stop)
        nodes += len(start)
    parts = (np.concatenate(part) for part in (starts, stops, children, levels))
    return Halving(freeze(order), *(freeze(part) for part in parts))


def _sorted_runs(centres: Floats, order: Ints, start: Ints, stop: Ints) -> Ints:
    """Sort each run along the longer side of its bounding box."""
    lengths = stop - start
    run = np.repeat(np.arange(len(start)), lengths)
    place = np.arange(len(run)) + np.repeat(start - (np.cumsum(lengths) - lengths), lengths)
    members = order[place]
    first = np.cumsum(lengths) - lengths
    low = np.minimum.reduceat(centres[members], first, axis=0)
    high = np.maximum.reduceat(centres[members], first, axis=0)
    side = high - low
    upwards = side[:, 1] > side[:, 0]
    along = np.where(upwards[run], centres[members, 1], centres[members, 0])
    order = order.copy()
    order[place] = members[np.lexsort((members, along, run))]
    return order
