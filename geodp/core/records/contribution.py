"""Bound what each person adds to the counts, so that a promise to records is one to people.

Every record gets a random number, and a person keeps the records with the smallest ones: a uniform
choice. The smallest of the smallest are the smallest, so streams, blocks and merged parts keep what
one frame would, with memory bounded by the number of persons times what each may keep. In the end,
when all records of a person have met in one place, those that are kept share the person's units.

Which records a person keeps, and what each of them is worth, depends on that person's records and
fresh randomness only, so adding a person changes nothing about the others (docs/privacy.md, claim
9). Who is the same person is decided by :mod:`geodp.core.records.canonical`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import UNFINISHED, GeodpError
from ..common.sums import unit_sums
from ..common.types import Floats, Ints
from ..privacy.noise import RandomBits
from ..privacy.quantity import Contribution
from .groups import GroupCodes
from .ids import Ids

BLOCK = 1 << 18

_UNSEEN = -2
"""Stands for a text that was not looked up yet."""

_SPARE = 8
"""Records are dropped when they are an eighth of all: to drop a few of them would take as long."""

_FINAL = True
"""No more records come."""


class BoundedRecords:
    """Records of persons, a bounded number of each, which share the person's units. Private.

    Parameters
    ----------
    limit : Contribution
        How many records a person may keep, and what they add up to.
    bits : RandomBits
        Source of the random numbers.

    Examples
    --------
    >>> kept = BoundedRecords(Contribution(most=1, keep=2, units=12), RandomBits())
    >>> kept.add(np.arange(5.0), np.zeros(5), Ids.of(["ann", "ann", "ann", "bob", None]))
    >>> kept
    BoundedRecords(private)
    >>> [units.tolist() for _, _, units in kept.blocks()]
    [[12], [6, 6]]
    """

    def __init__(self, limit: Contribution, bits: RandomBits) -> None:
        self.limit = limit
        self._bits = bits
        self._codes: dict[str, int] = {}
        self._first: Sequence[str | None] = ()
        self._texts: Sequence[str | None] | None = None
        self._table = np.zeros(0, dtype=np.int64)
        self._parts: list[Records] = []
        self._held = self._looked = 0

    def __repr__(self) -> str:
        return "BoundedRecords(private)"

    def add(self, x: Floats, y: Floats, ids: Ids, group: GroupCodes | None = None) -> None:
        """Take in a block of records; those of nobody, and in no group, are dropped.

        What a person adds up to is bounded over all groups together.
        """
        code = self._encode(ids)
        known = code >= 0 if group is None else (code >= 0) & (group >= 0)
        columns: list[npt.NDArray[Any]] = [code, x, y, *([] if group is None else [group])]
        code, *place = columns if known.all() else [column[known] for column in columns]
        if self.limit.cap:
            place.append(np.zeros(len(code), dtype=np.int64))  # steps of dropped records
        self._wait((code, self._draw(len(code)), *place))

    def _draw(self, count: int) -> Lots:
        return self._bits.priorities(count)

    def _wait(self, records: Records) -> None:
        self._parts.append(records)
        self._held += len(records[0])
        # Looking again only when there are twice as many makes the whole pass cheap.
        if self._held - self._looked >= max(BLOCK, self._looked):
            self._compact()
            self._looked = self._held

    def blocks(self) -> Iterator[RecordColumns]:
        """Return coordinates of what is kept, the groups where there are any, and units."""
        self._compact(_FINAL)
        if not self._parts:
            return
        first, *others = (part[0] for part in self._parts)
        code = np.concatenate([first, *others]) if others else first
        if self.limit.cap:  # records stand in order, in one part
            _, lots, *place, dropped = self._parts[0]
            units = divided_totals(code, self._steps(place[-1]), dropped, self.limit)
            self._parts = [(code, lots, *place)]
        else:
            units = shared_units(code, self.limit)
        check_bound(code, units, self.limit)
        del code, first, others  # as large as the units that are added up next
        done = 0
        for _, _, *place in self._parts:
            for start in range(0, len(place[0]), BLOCK):
                some = tuple(column[start : start + BLOCK] for column in place)
                yield (*some, units[done : done + len(some[0])])
                done += len(some[0])

    def __add__(self, other: BoundedRecords) -> BoundedRecords:
        """Merge parts of one dataset, whoever's records they hold."""
        merged = self._like()
        merged.absorb(self)
        merged.absorb(other)
        return merged

    def absorb(self, other: BoundedRecords) -> None:
        """Take in another part of the same dataset."""
        table = self._numbers(other._names())
        for code, *others in other._parts:
            self._wait((table[code], *others))

    def split(self, count: int) -> list[BoundedRecords]:
        """Deal the persons out to so many parts: equal persons to equal parts, in any process."""
        parts = [self._like() for _ in range(count)]
        names = self._names()
        to = (digests(names) % np.uint64(count)).astype(np.int64)
        for number, part in enumerate(parts):
            rows = np.flatnonzero(to == number)
            part._codes = {names[old]: new for new, old in enumerate(rows)}
            table = np.full(len(names), -1)
            table[rows] = np.arange(len(rows))
            for code, *others in self._parts:
                here = table[code] >= 0
                part._wait((table[code[here]], *(values[here] for values in others)))
        return parts

    def _like(self) -> BoundedRecords:
        return BoundedRecords(self.limit, self._bits)

    def _steps(self, codes: npt.NDArray[Any]) -> Ints:
        """Return the steps of amounts, which share a number with groups: see `Amount.in_groups`."""
        return np.asarray(codes % (self.limit.cap + 1), dtype=np.int64)

    def _encode(self, ids: Ids) -> Ints:
        """Return a number for each person; -1 for nobody."""
        if self._texts is None and not self._codes and None not in ids.texts:
            self._texts = self._first = ids.texts
        if self._first is ids.texts:
            return ids.index  # the first ids that come are numbered as they are
        if self._texts is not ids.texts:
            self._texts, self._table = ids.texts, np.full(len(ids.texts), _UNSEEN)
        # Blocks of one array share their texts, and each of these is looked up once.
        here = np.zeros(len(ids.texts), dtype=np.bool_)
        here[ids.index] = True
        places = np.flatnonzero(here & (self._table == _UNSEEN))
        self._table[places] = self._numbers(map(ids.texts.__getitem__, places.tolist()))
        return np.asarray(self._table[ids.index])

    def _numbers(self, texts: Iterable[str | None]) -> Ints:
        self._names()
        codes = self._codes
        numbers = [-1 if text is None else codes.setdefault(text, len(codes)) for text in texts]
        return np.array(numbers, dtype=np.int64)

    def _names(self) -> list[str]:
        """Return the texts of all persons, by number."""
        if len(self._codes) < len(self._first):  # those of the first block
            self._codes = {text: code for code, text in enumerate(self._first) if text is not None}
        return list(self._codes)

    def _compact(self, final: bool = False) -> None:
        """Drop records of persons who have too many; in the end, put in order what must be."""
        if not self._held:
            return
        keep = self.limit.keep
        records = np.bincount(np.concatenate([part[0] for part in self._parts]))
        excess = int(np.maximum(records - keep, 0).sum())
        if not final and _SPARE * excess < self._held:
            return
        # Few persons have more records than count, and only theirs are sorted: and those of
        # persons whose units cannot be divided evenly, so that lots say who gets more.
        chosen = records > keep
        if final:
            chosen |= self.limit.by_lot(np.minimum(records, keep))
        if not chosen.any():
            return
        rows = []
        for number, part in enumerate(self._parts):  # one by one, which takes the least memory
            settled = chosen[part[0]]
            rows.append(tuple(column[settled] for column in part))
            self._parts[number] = tuple(column[~settled] for column in part)
        # Column by column, so that no more than one is there twice.
        columns = [list(column) for column in zip(*rows)]
        del rows
        code, priority, *place = (_joined(column) for column in columns)
        left = _by_person(code, priority)
        if excess:
            order, person = left, code[left]
            first = np.flatnonzero(np.append(True, person[1:] != person[:-1]))
            many = np.diff(first, append=len(order))
            stays = np.arange(len(order)) - np.repeat(first, many) < keep
            if self.limit.cap:
                # The first record that a person keeps remembers the steps of those dropped.
                gone = np.where(stays, 0, (self._steps(place[-2]) + place[-1])[order])
                place[-1][order[first]] += np.add.reduceat(gone, first)
            left = order[stays]
        columns = [[column] for column in (code, priority, *place)]
        del code, priority, place
        self._parts = [part for part in self._parts if len(part[0])]
        self._parts.append(tuple(column.pop()[left] for column in columns))
        self._held -= excess


class RepeatableRecords(BoundedRecords):
    """The same choice from every source, for tests and studies: not private.

    A record's number is a keyed hash of whose it is, where, in which group, and of how many of that
    person's records that are alike come before it, so that neither the order of the records nor the
    parts they come in matter. Counting the equal ones needs all of a person's records, so memory
    is bounded by the number of records here.

    Parameters
    ----------
    limit : Contribution
        How many records a person may keep, and what they add up to.
    key : bytes
        What the hash depends on.

    Examples
    --------
    >>> one = Contribution(most=1, keep=1)
    >>> kept = RepeatableRecords(one, b"key")
    >>> kept.add(np.arange(2.0), np.zeros(2), Ids.of(["ann", "ann"]))
    >>> again = RepeatableRecords(one, b"key")
    >>> again.add(np.array([1.0, 0.0]), np.zeros(2), Ids.of(["ann", "ann"]))
    >>> [x.tolist() for x, *_ in kept.blocks()] == [x.tolist() for x, *_ in again.blocks()]
    True
    """

    def __init__(self, limit: Contribution, key: bytes) -> None:
        super().__init__(limit, RandomBits(0))
        self._key = key

    def _like(self) -> BoundedRecords:
        return RepeatableRecords(self.limit, self._key)

    def _draw(self, count: int) -> Lots:
        return np.zeros(count, dtype=np.uint64)  # drawn at the end, when all records are here

    def _wait(self, records: Records) -> None:
        self._parts.append(records)

    def blocks(self) -> Iterator[RecordColumns]:
        if not self._parts:
            return iter(())
        code, _, x, y, *group = map(np.concatenate, zip(*self._parts))
        place = [x + 0.0, y + 0.0, *group]  # -0.0 is the same place as 0.0
        order = np.lexsort((*reversed(place), code))
        code, *place = (part[order] for part in (code, *place))
        new = np.ones(len(code), dtype=np.bool_)
        new[1:] = np.any([part[1:] != part[:-1] for part in (code, *place)], axis=0)
        before = np.arange(len(code)) - np.flatnonzero(new)[np.cumsum(new) - 1]
        lots = digests(self._names(), self._key)[code]
        x, y, *group = place
        for words in (x.view(np.uint64), y.view(np.uint64), before, *group):
            lots = mixed(lots ^ words.astype(np.uint64))
        drawn = BoundedRecords(self.limit, self._bits)
        drawn._wait((code, lots, *place))
        return drawn.blocks()


def check_bound(code: Ints, units: Ints, limit: Contribution) -> None:
    """Stop where a person would add up to more than is promised: a fault of geodp, if ever.

    Examples
    --------
    >>> check_bound(np.array([0, 1, 0]), np.array([4, 7, 3]), Contribution(1, 2, units=7))
    >>> check_bound(np.array([0, 1, 0]), np.array([4, 7, 4]), Contribution(1, 2, units=7))
    Traceback (most recent call last):
        ...
    geodp.core.common.errors.GeodpError: an error must not tell anything about the records, ...
    """
    worth = units if units.ndim == 1 else units.sum(axis=1)
    most = unit_sums(code, worth, 1).max()
    if units.min(initial=0) < 0 or most > limit.most * limit.units:
        raise GeodpError(UNFINISHED)


def _joined(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Join arrays, and forget them."""
    joined = np.concatenate(parts)
    parts.clear()
    return joined


def _by_person(code: Ints, priority: Lots) -> Ints:
    """Sort records by person, and those of one person by their random numbers.

    Examples
    --------
    >>> _by_person(np.array([70_000, 4_464, 70_000]), np.array([5, 3, 2], dtype=np.uint64))
    array([1, 2, 0])
    """
    order = np.argsort(priority)
    # Numbers of 16 bits are sorted by counting, several times as fast as longer ones.
    for bits in range(0, int(code.max(initial=0)).bit_length(), 16):
        digits = (code[order] >> bits).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return np.asarray(order)


def _in_order(code: Ints, rows: Ints) -> Ints:
    """Return rows so that those of a person stand together, in the order that they came."""
    return np.asarray(rows[np.argsort(code[rows], kind="stable")])


def shared_units(code: Ints, limit: Contribution) -> Ints:
    """Divide the units of each person among the records that are kept of them.

    Parameters
    ----------
    code : ndarray of int
        Whose each record is.
    limit : Contribution
        What a person adds up to.

    Examples
    --------
    >>> shared_units(np.array([3, 5, 3, 3]), Contribution(most=1, keep=16, units=10))
    array([ 4, 10,  3,  3])
    """
    kept = np.bincount(code)
    share, rest = np.divmod(np.minimum(kept, limit.most) * limit.units, np.maximum(kept, 1))
    units = share[code]
    if rest.any():
        # What does not divide is handed out one unit each: the sum is exact whatever the divisor.
        together = bool((code[1:] >= code[:-1]).all())  # as they mostly stand
        order = None if together else _in_order(code, np.flatnonzero((rest > 0)[code]))
        several = kept if together else np.where(rest, kept, 0)
        first = np.cumsum(several) - several
        for start in range(0, len(code) if order is None else len(order), BLOCK):
            # Some at a time, which takes less memory.
            some = slice(start, start + BLOCK)
            here = some if order is None else order[some]
            person = code[here]
            place = np.arange(start, start + len(person)) - first[person]
            units[here] += place < rest[person]
    return np.asarray(units)


def divided_totals(code: Ints, steps: Ints, dropped: Ints, limit: Contribution) -> Ints:
    """Divide the units of each person into what is above, by amounts, and the rest, evenly.

    The total of all of a person's amounts, cut at a bound, says how many of the units are above.
    Records that are kept share them in proportion to their amounts, or evenly where they have none.
    Above and below are the two columns of the result: together they are one person's units.

    Parameters
    ----------
    code : ndarray of int
        Whose each record is: those of one person stand together.
    steps : ndarray of int
        Amounts of the records.
    dropped : ndarray of int
        Amounts of records that were dropped, each at one that was kept of the same person.
    limit : Contribution
        What a person adds up to, and where totals are cut.

    Examples
    --------
    >>> limit = Contribution(most=1, keep=2, units=100, cap=50)
    >>> divided_totals(np.array([1, 1, 4]), np.array([10, 5, 70]), np.array([5, 0, 0]), limit)
    array([[ 26,  30],
           [ 14,  30],
           [100,   0]])
    """
    new = np.append(True, code[1:] != code[:-1])[: len(code)]
    first, person = np.flatnonzero(new), np.cumsum(new) - 1
    kept = np.diff(first, append=len(code))
    if not len(first):
        return np.zeros((0, 2), dtype=np.int64)
    worth = np.add.reduceat(steps, first)
    total = np.minimum(worth + np.add.reduceat(dropped, first), limit.cap)
    above = limit.units * total // limit.cap
    shared = np.where((worth > 0)[person], steps, 1)
    ends = np.cumsum(shared)
    start = (ends - shared)[first][person]
    upto, every = ends - start, np.add.reduceat(shared, first)[person]
    part = above[person]
    # Ends of parts are rounded, not parts: so they add up to the whole, and none is negative.
    portion = part * upto // every - part * (upto - shared) // every
    left, turn = limit.units - above, np.arange(len(code)) - first[person]
    rest = (left // kept)[person] + (turn < (left % kept)[person])
    return np.stack([portion, rest], axis=1)


Lots = npt.NDArray[np.uint64]
RecordColumns = tuple[npt.NDArray[Any], ...]
"""Coordinates x and y of some records, their groups where there are any, and their units where
these are not one for each."""

Records = tuple[npt.NDArray[Any], ...]
"""Person, random number and place of each record."""


def digests(texts: Iterable[str], key: bytes = b"") -> Lots:
    """Return a 64-bit number for each person, the same in every process, unlike Python's hash.

    Examples
    --------
    >>> bool(digests(["7", "ann"])[0] == digests(["7"])[0] != digests(["7"], b"key")[0])
    True
    """
    empty = hashlib.blake2b(digest_size=8, key=key)
    raw = bytearray()
    for text in texts:
        hashed = empty.copy()
        hashed.update(text.encode("utf-8", "surrogatepass"))
        raw += hashed.digest()
    return np.frombuffer(bytes(raw), dtype=">u8").astype(np.uint64)


def mixed(words: Lots) -> Lots:
    """Scramble 64-bit words one to one (the finaliser of SplitMix64, Steele et al. 2014).

    Examples
    --------
    >>> len(np.unique(mixed(np.arange(100, dtype=np.uint64))))
    100
    """
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(words ^ (words >> np.uint64(31)))
