"""Locate coordinates among the edges of one axis, and the cells that an interval covers.

Cells are their float64 edges and nothing else. A cell holds the coordinates ``edge[i] <= x <
edge[i + 1]``; an interval ``[low, high)`` follows the same rule. Whether a cell is covered wholly
or in part is decided by comparing edges with ends, never by rounding a fraction, so that "in the
cell" and "in the interval" can never disagree about a point (docs/privacy.md, claim 3).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints, SignedInts, freeze

FRACTION_BITS = 24
"""Fractions of a cell are whole multiples of ``2**-24`` along each axis."""

WHOLE = 1 << FRACTION_BITS

_BUCKETS_PER_EDGE = 32
MOST_BUCKETS = 1 << 18

_WHOLE_NUMBERS = 2.0**52
_WHOLE_NUMBERS_AS_BITS = int(np.float64(_WHOLE_NUMBERS).view(np.int64))
"""From here on floats are whole numbers, one after the other in their bits too: adding this to a
float and taking its bits off is rounding it to an integer, in two steps as fast as any."""


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
        count = min(_BUCKETS_PER_EDGE * len(edges), MOST_BUCKETS)
        self.buckets = count + 4  # with what lies before and behind
        with np.errstate(over="ignore"):
            scale = float(np.float64(count) / (edges[-1] - edges[0]))
        self._scale = scale if np.isfinite(scale) else 0.0  # one bucket: slow, still exact
        # Before the first edge there is a bucket for whatever lies outside; and half a bucket more,
        # so that rounding to the nearest is rounding down.
        self._origin = float(edges[0]) - (1.5 / self._scale if self._scale else 0.0)

    def bucket(self, x: Floats, out: Floats) -> Ints:
        """Compute the bucket of each coordinate, in the memory of ``out``; outside, any number.

        Numbers that are no bucket are to be clipped: at both ends, `cells` tells nothing.
        """
        np.subtract(x, self._origin, out=out)
        out *= self._scale
        out += _WHOLE_NUMBERS  # this rounds: so large a float has no fraction
        buckets = out.view(np.int64)
        buckets -= _WHOLE_NUMBERS_AS_BITS
        return buckets

    def _buckets_at(self, x: Floats) -> Ints:
        with np.errstate(all="ignore"):
            return np.clip(self.bucket(x, np.empty(len(x))), 0, self.buckets - 1)

    @cached_property
    def _edge_buckets(self) -> Ints:
        """Return the bucket of each edge."""
        return self._buckets_at(self.edges)

    @property
    def inside(self) -> slice:
        """Return the buckets from the first edge's to the last one's: others hold nothing inside.

        Whatever is no number, or too far away for one, comes to the first or the last bucket.
        """
        return slice(int(self._edge_buckets[0]), int(self._edge_buckets[-1]) + 1)

    @cached_property
    def cells(self) -> SignedInts:
        """Return the cell before the first edge in each bucket that has one edge at most, or -1.

        The bucket is monotone in x, rounding included, so an edge whose own bucket is lower lies
        below every x in a bucket, and one whose bucket is higher above. An x in the bucket is
        therefore in this cell or, beyond the one edge there may be, in the next.
        """
        held = np.bincount(self._edge_buckets, minlength=self.buckets)
        cell = np.cumsum(held) - held - 1
        cell[held > 1] = -1
        # An edge that is alone in its bucket and the least that falls there begins a cell with it.
        alone = self._begun
        cell[self._edge_buckets[alone]] = alone
        first, stop = self.inside.start, self.inside.stop
        cell[: first + 1] = cell[stop - 1 :] = -1  # points outside may fall there, too
        return freeze(cell.astype(np.int16 if len(self.edges) < 1 << 15 else np.int32))

    @cached_property
    def _begun(self) -> Ints:
        """Return edges that are the only one in their bucket and the least number in it."""
        held = np.bincount(self._edge_buckets, minlength=self.buckets)
        least = self._buckets_at(np.nextafter(self.edges, -np.inf)) < self._edge_buckets
        return np.flatnonzero(least & (held[self._edge_buckets] == 1))

    @property
    def sure(self) -> npt.NDArray[np.bool_]:
        """Return for each bucket whether all that is in it is in the cell that `cells` gives."""
        one_cell = np.bincount(self._edge_buckets, minlength=self.buckets) == 0
        one_cell[self._edge_buckets[self._begun]] = True
        return np.asarray(one_cell & (self.cells >= 0))

    def guess(self, x: Floats) -> SignedInts:
        """Guess the cell of each coordinate from its bucket: that, or the next; -1 where unsure."""
        with np.errstate(all="ignore"):  # NaN and points far outside warn
            return self.cells.take(self.bucket(x, np.empty(len(x))), mode="clip")

    def compare(self, guess: SignedInts, x: Floats) -> None:
        """Turn guessed cells into the right ones by comparing edges; -1 gives any cell."""
        guess += self.edges[1:].take(guess, mode="clip") <= x

    def locate(self, x: Floats) -> Ints:
        """Return cell of each coordinate, all of which must lie in ``[edges[0], edges[-1])``."""
        place = self.guess(x).astype(np.int64)
        other = np.flatnonzero(place < 0)
        self.compare(place, x)
        place[other] = self.search(x[other])
        return place

    def search(self, x: Floats) -> Ints:
        """Return the same, among all edges."""
        return np.searchsorted(self.edges, x, side="right") - 1

    def table(self, edges: Floats) -> Ints:
        """Return the coarse cell of every cell of this axis, for ``edges`` that are all edges here.

        Cells outside the coarse edges get the nearest one.
        """
        return np.searchsorted(edges, self.edges[:-1], side="right") - 1


class Spans:
    """Say how intervals ``[low, high)`` cover the cells of an axis: at most three runs each.

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

    @property
    def runs(self) -> tuple[Ints, Ints, Ints]:
        """Return start, stop and fraction."""
        return self.start, self.stop, self.fraction

    def power_sum(self, power: int) -> Floats:
        """Return the sum of the covered shares to a power, per interval."""
        shares = self.fraction / WHOLE
        return np.asarray(((self.stop - self.start) * shares**power).sum(axis=1))
