"""Counting on the base lattice of an adaptive release: a list of codes, or a plain array.

The codes of points are kept, and counted on a middle lattice as they come; what lies below it is
counted when a tree comes there (`node_counts`). Where no lattice lies below, no code is kept. Where
points are so many that an array with one entry for each base cell is smaller, it takes over. What
comes out is a sum over points, so blocks, files and workers merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from .axis import Ints, Places
from .errors import InputError
from .frame import Codes, Frame
from .node_counts import LatticeCounts, SortedCounts, middle_depth

_BLOCK = 1 << 16
"""Points looked up at once."""

_GATHER = 1 << 22
"""Codes of one list, which are counted at once (16 MiB)."""

_FEW = 1 << 19
"""Fewer points are sorted: that takes less time than it takes to make a middle lattice."""

_MOST = 1 << 27
"""Codes that are kept (512 MiB); the array of all base cells takes half of that, at most."""

_OPENED = 1 << 24
"""Base cells that are counted because a tree came there; rather than more, all are."""

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
        self._bits = frame.bits(middle_depth(frame))
        self._middle: Ints | None = None  # counts of all but what is gathered now
        self._lists: list[Codes] = []  # codes of all that, if there is anything below
        self._base: Counts | None = None  # instead of lists
        self._codes = np.empty(_GATHER, dtype=np.int32)  # costs nothing until it is written to
        self._gathered = 0
        self._total = 0
        self._nodes: Union[SortedCounts, LatticeCounts, None] = None  # noqa: UP007
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return "BaseTally(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        # What is sent to another process is as small as it can be.
        codes, counts = self._filled()
        counts = counts.astype(np.min_scalar_type(counts.max(initial=0)))
        if codes.nbytes + counts.nbytes < counts.itemsize * self.frame.cells:
            return _tally_of, (self.frame, codes, counts)
        base = np.zeros(self.frame.cells, dtype=counts.dtype)
        base[codes] = counts
        return _tally_of, (self.frame, None, base)

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped.

        Several threads may add at once.
        """
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), _BLOCK):
            codes = self.frame.codes(xs[start : start + _BLOCK], ys[start : start + _BLOCK])
            with self._adding:
                self._gather(codes)

    def _gather(self, codes: Codes) -> None:
        self._nodes = None
        self._total += len(codes)
        while len(codes):
            part = codes[: len(self._codes) - self._gathered]
            self._codes[self._gathered : self._gathered + len(part)] = part
            self._gathered += len(part)
            codes = codes[len(part) :]
            if self._gathered == len(self._codes):
                self._count()

    def _count(self) -> None:
        """Count what was gathered, and keep it for what lies below the middle lattice."""
        if not self._gathered and self._middle is not None:
            return
        codes = self._codes[: self._gathered]
        cells = np.right_shift(codes, self._bits, out=self._room[: len(codes)])
        found = np.bincount(cells, minlength=self.frame.cells >> self._bits)
        self._middle = _sum(self._middle, found)
        self._gathered = 0
        if self._bits:
            self._codes = np.empty(_GATHER, dtype=np.int32)
            self._keep([codes])

    @cached_property
    def _room(self) -> npt.NDArray[np.intp]:
        """For the cells that are counted next: memory that is used again costs less than new."""
        return np.empty(_GATHER, dtype=np.intp)

    def _keep(self, lists: list[Codes]) -> None:
        """Take in lists of codes; if there are too many, put them into the array."""
        self._lists += lists
        if self._base is not None or sum(map(len, self._lists)) > _MOST:
            self._spread()

    def _spread(self) -> Counts:
        """Turn lists into counts of all base cells."""
        if self._base is None:
            self._base = np.zeros(self.frame.cells, dtype=np.int32)
        self._base = self._base.astype(_wide(self._total), copy=False)
        while self._lists:
            codes = self._lists.pop().astype(np.intp)
            np.add.at(self._base, codes, self._base.dtype.type(1))
        return self._base

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
        if other._middle is not None:
            self._total += int(other._middle.sum())
            self._middle = _sum(self._middle, other._middle.copy())
            if other._base is not None:
                wide = other._base.astype(_wide(self._total))
                self._base = wide if self._base is None else self._base + wide
            self._keep(list(other._lists))  # lists that are full are never written to
        self._gather(other._codes[: other._gathered].copy())
        return self

    @property
    def total(self) -> int:
        """Number of points in the domain."""
        return self._total

    @property
    def layers(self) -> tuple[BaseTally, ...]:
        """The tally alone: it is its only layer."""
        return (self,)

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Make ready to be asked for the counts of these nodes, in whatever parts."""
        self._counts.prepare(codes, depth)

    def counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """True counts in the nodes with these codes at a depth."""
        if depth == 0 or not len(codes):
            return np.full(len(codes), self._total, dtype=np.int64)
        return self._counts.counts(codes, depth)

    @property
    def _counts(self) -> SortedCounts | LatticeCounts:
        if self._nodes is None and self._middle is None and self._total < _FEW:
            self._nodes = SortedCounts(self.frame, np.sort(self._codes[: self._gathered]))
        elif self._nodes is None:
            self._count()
            assert self._middle is not None
            self._nodes = LatticeCounts(self.frame, self._middle, self._below)
        return self._nodes

    def _below(self, opened: Ints, row: Places) -> Counts:
        """Counts of the base cells in some cells of the middle lattice, or in all of them.

        `row` has the number of each cell among them, or -1.
        """
        each = 1 << self._bits
        if self._base is not None or len(opened) * each > _OPENED:
            return self._spread().reshape(-1, each)
        found = np.zeros((len(opened) + 1, each), dtype=np.int64)
        for codes in self._lists:
            number = self._room[: len(codes)]
            for start in range(0, len(codes), _BLOCK):
                part = codes[start : start + _BLOCK]
                place = row.take(part >> self._bits)
                place += 1  # all that lies elsewhere comes before the first row
                place <<= self._bits
                np.bitwise_or(place, part & each - 1, out=number[start : start + _BLOCK])
            found += np.bincount(number, minlength=found.size).reshape(found.shape)
        return found[1:]

    def _filled(self) -> tuple[Codes, Ints]:
        """Codes of all base cells that are not empty, and their counts."""
        if self._base is not None or not self._bits:
            self._count()
            base = self._middle if self._base is None else self._base
            assert base is not None
            filled = np.flatnonzero(base)
            return filled.astype(np.int32), base[filled].astype(np.int64)
        codes = np.concatenate([*self._lists, self._codes[: self._gathered]])
        codes.sort()
        first = np.flatnonzero(np.concatenate([[len(codes) > 0], codes[1:] != codes[:-1]]))
        return codes[first], np.diff(first, append=len(codes))


def _tally_of(frame: Frame, codes: Codes | None, counts: npt.NDArray[Any]) -> BaseTally:
    """A tally from the cells that are filled, or from all."""
    tally, total = BaseTally(frame), int(counts.sum(dtype=np.int64))
    cells = np.arange(frame.cells, dtype=np.int32) if codes is None else codes
    if total <= max(_MOST, _GATHER):
        tally._gather(np.repeat(cells, counts))
        return tally
    base = np.zeros(frame.cells, dtype=_wide(total))
    base[cells] = counts
    tally._total = total
    tally._middle = base.reshape(-1, 1 << tally._bits).sum(axis=1, dtype=np.int64)
    tally._base = base if tally._bits else None
    return tally


def _sum(counts: Ints | None, more: Ints) -> Ints:
    return more if counts is None else np.add(counts, more, out=counts)


def _wide(total: int) -> Any:
    """Type that holds so many points in one cell."""
    return np.int64 if total >> 31 else np.int32
