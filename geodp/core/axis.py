"""One axis at a time: where a coordinate falls among edges, and which cells an interval covers.

Cells are their float64 edges and nothing else. A cell holds the coordinates ``edge[i] <= x <
edge[i + 1]``; an interval ``[low, high)`` follows the same rule. Whether a cell is covered wholly
or in part is decided by comparing edges with ends, never by rounding a fraction, so that "in the
cell" and "in the interval" can never disagree about a point (docs/privacy.md, claim 3).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FRACTION_BITS = 24
"""Fractions of a cell are whole multiples of ``2**-24`` along each axis."""

WHOLE = 1 << FRACTION_BITS

_BUCKETS_PER_EDGE = 16
_MOST_BUCKETS = 1 << 16

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def read_only(array: _Array) -> _Array:
    """Return an array that nobody can write to: the same one, or a copy of one that somebody can.

    Examples
    --------
    >>> read_only(np.zeros(3)).flags.writeable
    False
    """
    if array.flags.writeable or array.base is not None:
        array = array.copy()
        array.setflags(write=False)
    return array


def ranges(first: Ints, length: Ints) -> tuple[Ints, Ints]:
    """List ``first[i], first[i] + 1, …`` for ``length[i]`` steps: i and value of each.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 1]))
    (array([0, 0, 1]), array([5, 6, 0]))
    """
    which = np.repeat(np.arange(len(first)), length)
    step = np.arange(len(which)) - np.repeat(np.cumsum(length) - length, length)
    return which, first[which] + step


def equal_edges(low: float, high: float, count: int) -> Floats:
    """Cut ``[low, high]`` into ``count`` equal cells, with both ends exact.

    Examples
    --------
    >>> equal_edges(0.0, 1.0, 4)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    edges = low + np.arange(count + 1) * (high - low) / count
    edges[-1] = high
    return np.asarray(edges, dtype=np.float64)


def stepped_edges(low: float, high: float, step: float) -> Floats:
    """Cut ``[low, high]`` into cells of ``step`` from ``low``; the last one may be cut short.

    A remainder below a millionth of a step is taken for rounding and joins the last cell.

    Examples
    --------
    >>> stepped_edges(0.0, 2.5, 1.0)
    array([0. , 1. , 2. , 2.5])
    """
    count = max(1, int(np.ceil((high - low) / step - 1e-6)))
    edges = low + np.arange(count + 1) * step
    edges[-1] = high
    return np.asarray(edges, dtype=np.float64)


class Axis:
    """Sorted edges with a fast exact look-up.

    Parameters
    ----------
    edges
        Strictly increasing.

    Examples
    --------
    >>> Axis(np.array([0.0, 1.0, 3.0])).locate(np.array([0.0, 0.9, 1.0, 2.9]))
    array([0, 0, 1, 1])
    """

    def __init__(self, edges: Floats) -> None:
        self.edges = edges

    @cached_property
    def _table(self) -> tuple[float, Ints, Floats]:
        """Bucket scale, first guess per bucket, and edges with a sentinel behind the last."""
        low, high = float(self.edges[0]), float(self.edges[-1])
        count = min(_BUCKETS_PER_EDGE * len(self.edges), _MOST_BUCKETS)
        with np.errstate(over="ignore"):
            scale = float(np.float64(count) / (high - low))
        if not np.isfinite(scale):
            scale = 0.0  # one bucket: slow, still exact
        # The guess may be any cell at or below the right one. The bucket number is monotone in
        # x, rounding included, so an edge whose own bucket is lower lies at or below every x here.
        buckets = ((self.edges - low) * scale).astype(np.int64)
        first = np.searchsorted(buckets, np.arange(count + 1), side="left") - 1
        return scale, np.maximum(first, 0), np.append(self.edges, np.inf)

    def locate(self, x: Floats) -> Ints:
        """Cell of each coordinate, all of which must lie in ``[edges[0], edges[-1])``.

        The bucket table gives a guess that is never too high; comparing with the edges makes it
        exact.
        """
        scale, first, edges = self._table
        place = first[((x - edges[0]) * scale).astype(np.int64)]
        upper = edges[1:]
        place += upper[place] <= x
        late = np.flatnonzero(upper[place] <= x)
        while late.size:
            place[late] += 1
            late = late[upper[place[late]] <= x[late]]
        return np.asarray(place)

    def table(self, edges: Floats) -> Ints:
        """For coarser ``edges`` that are all edges here: coarse cell of every cell of this axis.

        Cells outside the coarse edges get the nearest one.
        """
        return np.searchsorted(edges, self.edges[:-1], side="right") - 1


class Spans:
    """How intervals ``[low, high)`` cover the cells of an axis: at most three runs each.

    Run 0 is a cell cut at the lower end (or at both), run 1 the whole cells, run 2 a cell cut at
    the upper end; a run that is not there has ``start == stop``.

    Attributes
    ----------
    start, stop : ndarray, shape (m, 3)
        Cells of each run, half-open.
    fraction : ndarray, shape (m, 3)
        Covered share of each of those cells in units of ``2**-FRACTION_BITS``.

    Examples
    --------
    >>> spans = Spans(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.5]), np.array([3.0]))
    >>> spans.start, spans.stop
    (array([[0, 1, 0]]), array([[1, 3, 0]]))
    >>> spans.fraction / WHOLE
    array([[0.5, 1. , 0. ]])
    """

    def __init__(self, edges: Floats, low: Floats, high: Floats) -> None:
        low = np.clip(low, edges[0], edges[-1])
        high = np.clip(high, edges[0], edges[-1])
        first = np.searchsorted(edges, low, side="right") - 1
        last = np.searchsorted(edges, high, side="left") - 1
        some = low < high
        cut_low = some & (edges[np.minimum(first, len(edges) - 2)] < low)
        cut_high = some & (high < edges[last + 1])
        cut_both = some & (first == last) & (cut_low | cut_high)
        has = np.stack([cut_low | cut_both, some & ~cut_both, cut_high & ~cut_both], axis=1)
        start = np.stack([first, first + cut_low, last], axis=1)
        stop = np.stack([first + 1, last + 1 - cut_high, last + 1], axis=1)
        has &= start < stop
        self.start: Ints = np.where(has, start, 0)
        self.stop: Ints = np.where(has, stop, 0)
        width = np.diff(edges)
        at = np.clip(self.start, 0, len(width) - 1)
        covered = np.minimum(high[:, None], edges[at + 1]) - np.maximum(low[:, None], edges[at])
        part = np.clip(np.rint(covered / width[at] * WHOLE), 0, WHOLE).astype(np.int64)
        part[:, 1] = WHOLE
        self.fraction: Ints = np.where(has, part, 0)

    def power_sum(self, power: int) -> Floats:
        """Sum of the covered shares to a power, per interval."""
        shares = self.fraction / WHOLE
        return np.asarray(((self.stop - self.start) * shares**power).sum(axis=1))
