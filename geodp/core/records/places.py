"""Count people at places: each where most of their records are, or at a few that they visited.

A record says no more than that its person was in a cell. Records of one person in one cell of one
group become a single row with their number, wherever they come from. In the end a person keeps one
row, or a few that are drawn by a keyed hash of the person and the cell, and each row counts as one.

Which rows a person keeps depends on that person's records and on the key alone, so adding a person
changes nothing about the others, whatever the key is (docs/privacy.md, claim 9). The order of the
records does not matter, nor do the parts that they come in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..privacy.noise import RandomBits
from ..privacy.quantity import MOST_FREQUENT, Contribution
from . import contribution
from .contribution import BoundedRecords, Columns, RepeatableRecords, digest, mixed
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
        code, cell = code[known], cells[known].astype(np.int64)
        lots = mixed(self._people()[code] ^ cell.astype(np.uint64))
        divided = [] if group is None else [group[known]]
        once = np.ones(len(code), dtype=np.int64)
        self._wait((code, lots, once, cell, x[known], y[known], *divided))

    def _people(self) -> npt.NDArray[np.uint64]:
        """Return a number of 64 bits for every person so far."""
        # Ties between cells of one person are settled alike in every run: by no key.
        key = b"" if self.limit.place == MOST_FREQUENT else self._key
        names = islice(self._codes, len(self._hashes), None)
        fresh = np.array([digest(name, key) for name in names], dtype=np.uint64)
        self._hashes = np.append(self._hashes, fresh)
        return self._hashes

    def blocks(self) -> Iterator[Columns]:
        """Return coordinates of what counts, one in each cell, and the groups if there are any."""
        self._compact()
        if self._kept is None:
            return
        code, lots, count, cell, x, y, *group = self._kept
        if self.limit.place == MOST_FREQUENT:
            # The cell is chosen over all groups, and then one of the groups there.
            first = _starts(code, cell)
            total = np.repeat(np.add.reduceat(count, first), np.diff(first, append=len(code)))
            drawn = _drawn(lots, group)
            order = np.lexsort((*group, drawn, -count, cell, lots, -total, code))
            one = order[_starts(code[order])]
            x, y, *group = (each[one] for each in (x, y, *group))
        size = contribution._BLOCK
        for start in range(0, len(x), size):
            yield tuple(each[start : start + size] for each in (x, y, *group))

    def _compact(self) -> None:
        parts = self._parts()
        self._kept, self._waiting = None, []
        columns = [np.concatenate(column) for column in zip(*parts)]
        if not columns or not len(columns[0]):
            return
        code, lots, count, cell, x, y, *group = columns
        order = np.lexsort((*group, cell, code))
        first = _starts(*(each[order] for each in (code, cell, *group)))
        count, rows = np.add.reduceat(count[order], first), order[first]
        code, lots, cell, x, y, *group = (each[rows] for each in (code, lots, cell, x, y, *group))
        kept = (code, lots, count, cell, x, y, *group)
        if self.limit.place != MOST_FREQUENT:
            order = np.lexsort((*group, cell, _drawn(lots, group), code))
            person = code[order]
            turn = np.arange(len(code)) - np.searchsorted(person, person)
            kept = tuple(each[order[turn < self.limit.most]] for each in kept)
        self._kept = kept


def _starts(*columns: npt.NDArray[Any]) -> Ints:
    """Return where rows of sorted columns differ from the ones before."""
    new = np.ones(len(columns[0]), dtype=np.bool_)
    new[1:] = np.any([each[1:] != each[:-1] for each in columns], axis=0)
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
