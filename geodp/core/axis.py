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
Places = npt.NDArray[np.signedinteger[Any]]

FRACTION_BITS = 24
"""Fractions of a cell are whole multiples of ``2**-24`` along each axis."""

WHOLE = 1 << FRACTION_BITS

_BUCKETS_PER_EDGE = 32
_MOST_BUCKETS = 1 << 17

_BLOCK = 1 << 14
"""Coordinates looked up at once; their arrays stay in the processor's cache.

Larger blocks are no faster, and much slower where an allocator hands every freed array back to the
system, as Dask tells its workers to do (docs/scale.md).
"""

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


def fixed(array: _Array) -> _Array:
    """Make a new array, which nobody else has, read-only as it is."""
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

    The axis is cut into equal buckets, many more than it has cells. Most of them lie in one cell,
    which a table gives; only coordinates in the others are compared with edges.

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
        self._count = min(_BUCKETS_PER_EDGE * len(edges), _MOST_BUCKETS)
        with np.errstate(over="ignore"):
            scale = float(np.float64(self._count) / (edges[-1] - edges[0]))
        self._scale = scale if np.isfinite(scale) else 0.0  # one bucket: slow, still exact

    def _bucket(self, x: Floats, out: Floats | None = None) -> Floats:
        """Bucket of each coordinate, before it is rounded down: 0 for whatever is no number."""
        place = np.subtract(x, self.edges[0], out=out)
        place *= self._scale
        np.fmax(place, 0.0, out=place)
        np.fmin(place, float(self._count), out=place)
        return np.asarray(place)

    @cached_property
    def _cells(self) -> Places:
        """What each bucket tells of the cells of coordinates in it, as in `guess`.

        The bucket is monotone in x, rounding included, so an edge whose own bucket is lower lies
        below every x in a bucket, and one whose bucket is higher above.
        """
        own = self._bucket(self.edges).astype(np.int64)
        held = np.bincount(own, minlength=self._count + 1)
        cell = np.cumsum(held) - held - 1  # of all that lies before the first edge in the bucket
        cell[held == 1] = -2 - cell[held == 1]
        cell[held > 1] = -1
        # An edge that is alone in its bucket and the least that falls there begins a cell with it.
        least = self._bucket(np.nextafter(self.edges, -np.inf)).astype(np.int64) < own
        alone = np.flatnonzero(least & (held[own] == 1))
        cell[own[alone]] = alone
        cell[: own[0] + 1] = cell[own[-1] :] = -1  # where all that lies outside comes to
        return cell.astype(np.int16 if len(self.edges) < 1 << 15 else np.int32)

    def guess(self, x: Floats) -> Places:
        """Cell of each coordinate, or less, from its bucket alone.

        Returns
        -------
        ndarray
            The cell; ``-2 - cell`` where it is that or the next one; -1 where it may be any, or
            none.
        """
        found = np.empty(len(x), dtype=self._cells.dtype)
        real = np.empty(min(len(x), _BLOCK))
        whole = np.empty(len(real), dtype=np.intp)
        with np.errstate(all="ignore"):  # of what is no number, or far outside
            for start in range(0, len(x), _BLOCK):
                part = found[start : start + _BLOCK]
                bucket = whole[: len(part)]
                bucket[:] = self._bucket(x[start : start + _BLOCK], real[: len(part)])
                self._cells.take(bucket, out=part, mode="clip")
        return found

    def compare(self, guess: Places, x: Floats) -> Places:
        """Decide between two cells; a guess of -1 is returned as it is."""
        two = guess < -1
        first = np.where(two, -2 - guess, 0)
        return np.where(two, first + (self.edges[first + 1] <= x), guess)

    def locate(self, x: Floats) -> Ints:
        """Cell of each coordinate, all of which must lie in ``[edges[0], edges[-1])``."""
        place = self.compare(self.guess(x), x).astype(np.int64)
        other = np.flatnonzero(place < 0)
        place[other] = self.search(x[other])
        return place

    def search(self, x: Floats) -> Ints:
        """The same, among all edges."""
        return np.searchsorted(self.edges, x, side="right") - 1

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
