"""Counting on the base lattice of an adaptive release: only filled cells, while those are few.

Codes of base cells are gathered, sorted, and merged into one sorted list of filled cells with their
counts. When many cells are filled, a plain array with one entry for each is smaller and takes over.
What comes out is a sum over points, so blocks, files and workers merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Ints
from .errors import InputError
from .frame import Codes, Frame

_BLOCK = 1 << 14
"""Points located at once; their arrays stay in the processor's cache."""

_GATHER = 1 << 23
"""Codes sorted at once, at most (32 MiB)."""

_SLICE = 1 << 18
"""Filled cells added to a plain array at once."""

_FEW = 1 << 22
"""With more filled cells than this (8 bytes each, and as much again while lists are merged), a
plain array (4 bytes for each cell of at most 2**26) is hardly larger, and faster."""

_COUNT_BITS = 37
"""A filled cell is one number, ``code << 37 | count``: codes have 26 bits. More points than a count
can hold are counted in a plain array."""

_COUNT_MASK = (1 << _COUNT_BITS) - 1

Counts = npt.NDArray[np.signedinteger[Any]]


class BaseTally:
    """True counts of the points seen so far, by base cell. Private.

    Parameters
    ----------
    frame : Frame
        The lattice.

    Examples
    --------
    >>> from geodp.core.domain import Domain
    >>> tally = BaseTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (2, 2), 1))
    >>> tally.add(np.array([0.5, 1.0, 3.9]), np.array([1.5, 0.0, 4.0]))
    >>> tally
    BaseTally(private)
    >>> tally.counts(np.arange(4), 1)
    array([2, 0, 0, 1])
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._total = 0
        self._codes = np.empty(0, dtype=np.int32)
        self._gathered = 0
        self._runs: list[Ints] = []
        self._dense: Counts | None = None
        self._sums: tuple[Any, ...] | None = None
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return "BaseTally(private)"

    def __getstate__(self) -> dict[str, Any]:
        self._compact()
        state = {"frame": self.frame, "runs": self._runs, "dense": self._dense}
        if self._dense is None or self._total >> _COUNT_BITS:
            return state
        # What is sent to another process is as small as it can be.
        if 8 * np.count_nonzero(self._dense) < self._dense.nbytes:
            filled = np.flatnonzero(self._dense)
            state.update(runs=[_packed(filled, self._dense[filled])], dense=None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["frame"])  # type: ignore[misc]
        self._runs, self._dense = state["runs"], state["dense"]
        dense = 0 if self._dense is None else int(self._dense.sum(dtype=np.int64))
        self._total = dense + sum(int(_unpacked(run)[1].sum()) for run in self._runs)

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped.

        Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), _BLOCK):
            block = slice(start, start + _BLOCK)
            codes = self.frame.codes(xs[block], ys[block])
            with self._adding:
                self._sums = None
                self._gather(codes)

    def _gather(self, codes: Codes) -> None:
        if self._gathered + len(codes) > len(self._codes):
            if len(self._codes) < _GATHER:
                larger = np.empty(min(_GATHER, max(1 << 12, 4 * len(self._codes))), dtype=np.int32)
                larger[: self._gathered] = self._codes[: self._gathered]
                self._codes = larger
                return self._gather(codes)
            self._sort()
        self._codes[self._gathered : self._gathered + len(codes)] = codes
        self._gathered += len(codes)
        self._total += len(codes)
        return None

    def _sort(self) -> None:
        """Turn the gathered codes into a list of filled cells."""
        if self._gathered:
            codes = self._codes[: self._gathered]
            codes.sort()
            first = _firsts(codes)
            self._take(_packed(codes[first], np.diff(first, append=len(codes))))
            self._gathered = 0

    def _take(self, run: Ints) -> None:
        """Keep a list. Each entry is merged about once per doubling of what is kept."""
        if self._dense is not None:
            self._fill(run)
            return
        self._runs.append(run)
        small = not self._total >> _COUNT_BITS  # or else a merged count might not fit
        while small and len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            self._merge_last()
        if not small or sum(map(len, self._runs)) > _FEW:
            self._dense = np.zeros(self.frame.cells, dtype=np.int32)
            while self._runs:
                self._fill(self._runs.pop())

    def _merge_last(self) -> None:
        cells = np.concatenate([self._runs.pop(), self._runs.pop()])
        cells.sort()
        # Both lists had every code once, so a code is there once or twice.
        same = cells[1:] ^ cells[:-1] < 1 << _COUNT_BITS
        second = np.flatnonzero(same) + 1
        cells[second - 1] += cells[second] & _COUNT_MASK
        self._runs.append(cells[np.concatenate([[True], ~same])] if len(second) else cells)

    def _fill(self, run: Ints) -> None:
        assert self._dense is not None
        if self._total >> 31 and self._dense.dtype == np.int32:
            self._dense = self._dense.astype(np.int64)
        for start in range(0, len(run), _SLICE):  # so that little memory is needed beside
            codes, counts = _unpacked(run[start : start + _SLICE])
            self._dense[codes] += counts.astype(self._dense.dtype)

    def _compact(self) -> None:
        """One list at most, and no room for codes to come."""
        self._sort()
        self._codes = np.empty(0, dtype=np.int32)
        while len(self._runs) > 1:
            self._merge_last()

    def __add__(self, other: BaseTally) -> BaseTally:
        """Merge two tallies of one frame."""
        merged = BaseTally(self.frame)
        merged += self
        merged += other
        return merged

    def __iadd__(self, other: BaseTally) -> BaseTally:
        """Take in what another tally has counted; the other stays as it is."""
        if self.frame != other.frame:
            raise InputError("tallies can be added only when they have the same frame.")
        self._sort()
        other._sort()
        self._sums = None
        self._total += other._total
        if other._dense is not None:
            if self._dense is None:
                self._dense = other._dense.copy()
                while self._runs:
                    self._fill(self._runs.pop())
            else:
                wide = np.int64 if self._total >> 31 else self._dense.dtype
                self._dense = self._dense.astype(wide, copy=False)
                self._dense += other._dense
        for run in other._runs:
            self._take(run)
        return self

    @property
    def total(self) -> int:
        """Number of points in the domain."""
        return self._total

    def counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """True counts in the nodes with these codes at a depth."""
        if depth == 0 or not len(codes):
            return np.full(len(codes), self._total, dtype=np.int64)
        if self._sums is None:
            self._compact()
            self._sums = (
                self._cumulated()
                if self._dense is None
                else _pyramid(self._dense, self.frame.depth)
            )
        if self._dense is not None:
            return np.asarray(self._sums[self.frame.depth - depth][codes], dtype=np.int64)
        filled, below = self._sums
        # Siblings come one after another: most nodes end where the next one starts.
        ends = np.flatnonzero(np.append(codes[1:] != codes[:-1] + 1, True))
        wanted = np.insert(codes, ends + 1, codes[ends] + 1).astype(np.int64)
        # Codes of base cells are at most 2**26, which 32 bits hold: no array is widened.
        wanted <<= self.frame.bits(depth)
        found = below[np.searchsorted(filled, wanted.astype(np.int32))]
        inner = np.ones(len(found), dtype=np.bool_)
        inner[ends + 1 + np.arange(len(ends))] = False
        return np.asarray(np.diff(found)[inner[:-1]])

    def _cumulated(self) -> tuple[Codes, Ints]:
        """Codes of the filled cells, and how many points lie in all those before each."""
        codes, counts = _unpacked(self._runs[0] if self._runs else np.zeros(0, dtype=np.int64))
        below = np.zeros(len(codes) + 1, dtype=np.int64)
        np.cumsum(counts, out=below[1:])
        return codes, below


def _packed(codes: npt.NDArray[Any], counts: npt.NDArray[Any]) -> Ints:
    cells = codes.astype(np.int64)
    cells <<= _COUNT_BITS
    cells |= counts
    return cells


def _unpacked(cells: Ints) -> tuple[Codes, Ints]:
    return (cells >> _COUNT_BITS).astype(np.int32), cells & _COUNT_MASK


def _firsts(codes: Codes) -> Ints:
    """Where each distinct code of a sorted list begins."""
    return np.flatnonzero(np.concatenate([[len(codes) > 0], codes[1:] != codes[:-1]]))


def _pyramid(base: Counts, depth: int) -> tuple[Counts, ...]:
    """Counts by code at every depth, the base first: each the sums of four of the one before."""
    levels = [base]
    for _ in range(depth - 1):
        fine = levels[-1]
        levels.append(fine[0::4] + fine[1::4] + fine[2::4] + fine[3::4])
    return tuple(levels)
