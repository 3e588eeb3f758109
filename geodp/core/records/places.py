"""Count people at places: each where most of their records are, or at a few that they visited.

A record says no more than that its person was in a cell. Records of one person in one cell of one
group become a single row with their number, wherever they come from. In the end a person keeps one
row, or a few that are drawn by a keyed hash of the person and the cell, and each row counts as one.

Which rows a person keeps depends on that person's records and on the key alone, so adding a person
changes nothing about the others, whatever the key is (docs/privacy.md, claim 9). The order of the
records does not matter, nor do the parts that they come in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..privacy.noise import RandomBits
from ..privacy.quantity import MOST_FREQUENT, Contribution
from . import contribution
from .contribution import (
    BoundedRecords,
    RecordColumns,
    RepeatableRecords,
    _by_person,
    digests,
    mixed,
)
from .groups import GroupCodes
from .ids import Ids


class PlacedRecords(BoundedRecords):
    """Keep where persons were, each in a bounded number of cells. Private.

    Visited cells take memory for as many as a person may count in. For the most frequent one all
    cells of a person must be told apart to the end: memory grows with pairs of a person and a cell,
    however many records are behind them.

    Parameters
    ----------
    limit : Contribution
        In how many cells a person may count, and which.
    key : bytes
        What the choice among visited cells depends on.

    Examples
    --------
    >>> home = PlacedRecords(Contribution(1, 1, 1, place="most frequent"), b"key")
    >>> x, cells = np.array([0.5, 2.5, 2.6]), np.array([0, 2, 2])
    >>> home.add(x, np.zeros(3), Ids.of(["ann"] * 3), cells=cells)
    >>> home
    PlacedRecords(private)
    >>> [x.tolist() for x, _ in home.blocks()]
    [[2.5]]
    """

    def __init__(self, limit: Contribution, key: bytes) -> None:
        super().__init__(limit, RandomBits(0))
        self._key = key
        self._hashes = np.zeros(0, dtype=np.uint64)

    def __repr__(self) -> str:
        return "PlacedRecords(private)"

    def _like(self) -> BoundedRecords:
        return PlacedRecords(self.limit, self._key)

    def add(
        self,
        x: Floats,
        y: Floats,
        ids: Ids,
        group: GroupCodes | None = None,
        cells: Ints | None = None,
    ) -> None:
        """Take in a block of records with their cells; those of nobody, or no group, are dropped.

        A person is bounded over all groups together.
        """
        assert cells is not None
        code = self._encode(ids)
        known = code >= 0 if group is None else (code >= 0) & (group >= 0)
        divided = [] if group is None else [group[known]]
        once = np.ones(int(known.sum()), dtype=np.int64)
        cell = cells[known].astype(np.int64)
        self._wait((code[known], cell, once, x[known], y[known], *divided))

    def _lots(self, code: Ints, cell: Ints) -> npt.NDArray[np.uint64]:
        """Return a number of 64 bits for every pair of a person and a cell."""
        # Ties between cells of one person are settled alike in every run: by no key.
        key = b"" if self.limit.place == MOST_FREQUENT else self._key
        names = self._names()[len(self._hashes) :]
        self._hashes = np.append(self._hashes, digests(names, key))
        return mixed(self._hashes[code] ^ cell.astype(np.uint64))

    def blocks(self) -> Iterator[RecordColumns]:
        """Return coordinates of what counts, one in each cell, and the groups if there are any."""
        self._compact()
        if not self._held:
            return
        ((code, cell, count, x, y, *group),) = self._parts
        if self.limit.place == MOST_FREQUENT:
            one = self._most_frequent(code, cell, count, group)
            x, y, *group = (column[one] for column in (x, y, *group))
            code = code[one]
        contribution.check_bound(code, np.ones(len(code), dtype=np.int64), self.limit)
        size = contribution.BLOCK
        for start in range(0, len(x), size):
            yield tuple(column[start : start + size] for column in (x, y, *group))

    def _most_frequent(self, code: Ints, cell: Ints, count: Ints, group: list[Any]) -> Ints:
        """Return one row of each person: of the cell with most records, and a group there."""
        first = _starts(code, cell)
        total = np.repeat(np.add.reduceat(count, first), np.diff(first, append=len(code)))
        rows = _least(np.arange(len(code)), code, -total)
        lots = np.zeros(len(code), dtype=np.uint64)
        lots[rows] = self._lots(code[rows], cell[rows])
        for column in (lots, cell, -count, _drawn(lots, group), *group):
            rows = _least(rows, code, column)
        return rows

    def _compact(self, final: bool = False) -> None:
        del final  # all that is here is made as small as it can be
        if not self._held:
            return
        code, cell, count, x, y, *group = map(np.concatenate, zip(*self._parts))
        order = _sorted_by(code, cell, *group)
        first = _starts(*(column[order] for column in (code, cell, *group)))
        count, rows = np.add.reduceat(count[order], first), order[first]
        code, cell, x, y, *group = (column[rows] for column in (code, cell, x, y, *group))
        kept = (code, cell, count, x, y, *group)
        if self.limit.place != MOST_FREQUENT:
            order = _by_person(code, _drawn(self._lots(code, cell), group))
            person = code[order]
            turn = np.arange(len(code)) - np.searchsorted(person, person)
            kept = tuple(column[order[turn < self.limit.most]] for column in kept)
        self._parts, self._held = [kept], len(kept[0])


def _sorted_by(*columns: npt.NDArray[Any]) -> Ints:
    """Sort rows by whole numbers from 0, the first of which count most.

    Examples
    --------
    >>> _sorted_by(np.array([1, 0, 1]), np.array([5, 9, 2]))
    array([1, 2, 0])
    """
    spans = [int(column.max()) + 1 for column in columns]
    if math.prod(spans) >> 63:
        return np.asarray(np.lexsort(columns[::-1]))
    packed = np.zeros(len(columns[0]), dtype=np.int64)
    for column, span in zip(columns, spans):  # as one number each, which is faster
        packed = packed * span + column
    return np.argsort(packed)


def _least(rows: Ints, code: Ints, column: npt.NDArray[Any]) -> Ints:
    """Keep of rows, which stand by person, those that have the least of their person.

    Examples
    --------
    >>> _least(np.arange(4), np.array([0, 0, 0, 1]), np.array([3, 2, 2, 7]))
    array([1, 2, 3])
    """
    first = _starts(code[rows])
    least = np.minimum.reduceat(column[rows], first)
    best = np.repeat(least, np.diff(first, append=len(rows)))
    return np.asarray(rows[column[rows] == best])


def _starts(*columns: npt.NDArray[Any]) -> Ints:
    """Return where rows of sorted columns differ from the ones before."""
    new = np.ones(len(columns[0]), dtype=np.bool_)
    new[1:] = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    return np.flatnonzero(new)


def _drawn(lots: npt.NDArray[np.uint64], group: list[Any]) -> npt.NDArray[np.uint64]:
    """Return lots of cells, or of cells in each group where there are groups."""
    return lots if not group else mixed(lots ^ group[0].astype(np.uint64))


def records_for(limit: Contribution, bits: RandomBits) -> BoundedRecords:
    """Make an empty collection for one run, private unless there is a seed."""
    return collection(limit, run_key(limit, bits), bits)


def run_key(limit: Contribution, bits: RandomBits) -> bytes | None:
    """Draw what all parts of one run must share; None where each may draw for itself."""
    return bits.key() if bits.seeded or limit.place else None


def collection(limit: Contribution, key: bytes | None, bits: RandomBits) -> BoundedRecords:
    """Make an empty collection for one part of a run, by the key that all parts share.

    Examples
    --------
    >>> collection(Contribution(1, 16), None, RandomBits())
    BoundedRecords(private)
    """
    if key is None:
        return BoundedRecords(limit, bits)
    return (PlacedRecords if limit.place else RepeatableRecords)(limit, key)
