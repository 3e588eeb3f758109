"""Say which group a record is in, told by public lists alone: kinds, hours, years.

A list of categories, or breaks between numbers, dates or times of day, says for any one value which
group it belongs to, or that it belongs to none. The rule looks at one record and at nothing else,
so no record has a say in another's group, and each is in one group at most: that is why all groups
together cost one ε (docs/privacy.md, claim 12). The lists are never read off the data.

Values are told apart like ids (``canonical``): 1, 1.0 and "1" are one category. Dates
and times are in UTC. Breaks are half-open, like cells: a value is in a group from its lower break
up to, but without, its upper one. What is missing, or cannot be read as a number or a time, is
another value like any other that is not listed.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, reduce
from itertools import product
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.phrases import Number, Phrase
from ..common.text import LONGEST, is_line
from .breaks import (
    DAY,
    WEEK,
    in_words,
    parse_moment,
    read_breaks,
    spelled_out,
    weekdays,
    whole_seconds,
)
from .canonical import EXACT, canonical
from .ids import Ids

MOST_GROUPS = 10_000
"""More groups than this are taken for a mistake."""

_TABLE = 1 << 16
"""Whole numbers that are told apart by a table, if they lie no further apart."""

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,30}")
"""Canonical text of a whole number, of any that an array holds."""

_LARGE = 1 << 62
"""Whole numbers from here on are told apart one by one."""

_MANY = 32
"""More breaks than this are searched through."""

BLOCK = 1 << 14
"""Values placed at once; their arrays stay in the processor's cache."""

_LONGEST = 100
"""Bytes of a short name: names of files may have 255, with all that stands around it."""

GroupCodes = npt.NDArray[np.int16]
"""Number of each record's group; -1 for none."""

FieldValues = Union[Ids, npt.NDArray[Any]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)
"""A column as sources give it: ids, or numbers, perhaps with gaps, for categories; float64 for
numbers; datetime64 for times."""


_TRUTHS = {"true": "1", "1": "1", "false": "0", "0": "0"}
"""Small letters of booleans as files write them, and their canonical text."""

_LONGEST_TRUTH = 5


def _is_number(text: str) -> bool:
    """Tell whether some number, as a float or exactly, has that canonical text."""
    try:
        return text in (canonical(float(text)), canonical(Decimal(text)))
    except (ArithmeticError, ValueError):
        return False


_CAN_BE: dict[str, Callable[[str], bool]] = {
    "bool": lambda key: key in ("0", "1"),
    "whole": lambda key: _WHOLE.fullmatch(key) is not None,
    "number": _is_number,
    "time": lambda key: parse_moment(key) is not None,
}
"""Whether a value of a declared type can have a canonical text."""

_VALUES = {
    "bool": "true and false",
    "whole": "whole numbers",
    "number": "numbers",
    "time": "dates such as 2024-12-31",
}


@dataclass(frozen=True)
class Field:
    """One field of the points and the public list that divides its values.

    Attributes
    ----------
    name : str
        The field.
    kind : {"category", "number", "time", "clock", "weekday"}
        What its values are compared as; a clock is the time of day.
    listed : tuple
        Canonical texts of categories, or breaks: floats, seconds since 1970 or midnight, or days
        since a Monday.
    other : str, optional
        Name of a group for all other records; without it they are dropped.

    Examples
    --------
    >>> Field.of("hour", breaks=[0, 6, 12]).names
    ('0 to 6', '6 to 12')
    >>> Field.of("day", breaks=["2019-01-01", "2020-01-01", "2020-02-01"], other="later").names
    ('2019', '2020-01', 'later')
    >>> Field.of("kind", categories=["theft", 1.0]).names
    ('theft', '1')
    """

    name: str
    kind: str
    listed: tuple[Any, ...]
    other: str | None = None

    @classmethod
    def of(
        cls,
        name: str,
        categories: Sequence[Any] | None = None,
        breaks: Sequence[Any] | None = None,
        other: str | None = None,
    ) -> Field:
        """Take a public list as a person writes it: categories, or else breaks."""
        for word, text in (("by", name), ("other", other)):
            if text is not None and not is_line(str(text)):
                raise InputError(
                    f"`{word}` must be a line of printable text of at most {LONGEST:,} characters, "
                    "as a file can hold it; this one is not."
                )
        if other is not None and not str(other).strip():
            raise InputError(f"`other` must be a name for all other records; got {other!r}.")
        if categories is not None:
            kind, listed = "category", _categories(categories)
        else:
            kind, listed = read_breaks(_listed("breaks", breaks))
        field = cls(name, kind, listed, None if other is None else str(other).strip())
        if len(set(field._keys)) < len(listed) and len({*map(str, listed)}) == len(listed):
            raise InputError(
                f"every category must be another value; {', '.join(map(str, listed))} are not: "
                "true is 1, and false is 0."
            )
        return field

    @cached_property
    def _keys(self) -> tuple[Any, ...]:
        """Return what looks values up: true and 1 are one, where all categories are such."""
        truths = [_TRUTHS.get(str(text).lower()) for text in self.listed]
        return self.listed if self.kind != "category" or None in truths else tuple(truths)

    def _key(self, text: str) -> str:
        """Return the canonical text of a value as it is looked up."""
        if self._keys is self.listed:
            return text
        return _TRUTHS.get(text.lower(), text) if len(text) <= _LONGEST_TRUTH else text

    def check_categories(self, declared: str, words: object) -> None:
        """Refuse categories that no value of a declared type can be: they would hold noise alone.

        Parameters
        ----------
        declared : {"bool", "whole", "number", "time"}
            What the field holds by its declared type, as far as it says anything.
        words
            What the source calls that type.

        Examples
        --------
        >>> Field.of("sold", categories=["True", "false"]).check_categories("bool", "bool")
        >>> Field.of("sold", categories=["yes", "no"]).check_categories("bool", "bool")
        Traceback (most recent call last):
            ...
        geodp.core.common.errors.InputError: categories must be values that the field can hold; ...
        """
        if self.kind != "category":
            return
        never = [text for text, key in zip(self.listed, self._keys) if not _CAN_BE[declared](key)]
        if never:
            raise InputError(
                f"categories must be values that the field can hold; {self.name!r} is declared as "
                f"{words}, and {never[0]!r} can never be one: list {_VALUES[declared]}, or name "
                "another field."
            )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return names of the groups, in their order."""
        names = self.listed if self.kind == "category" else self._spans()
        return names if self.other is None else (*names, self.other)

    def _spans(self) -> tuple[str, ...]:
        pairs = zip(self.listed[:-1], self.listed[1:])
        return tuple(in_words(self.kind, low, high) for low, high in pairs)

    def place(self, values: FieldValues) -> GroupCodes:
        """Return the number of the group of each value; -1 for none.

        Examples
        --------
        >>> Field.of("hour", breaks=[0, 6, 12]).place(np.array([5.9, 6, 12, np.nan]))
        array([ 0,  1, -1, -1], dtype=int16)
        """
        last = -1 if self.other is None else len(self.names) - 1
        if isinstance(values, Ids):
            known = {text: number for number, text in enumerate(self._keys)}
            keys = [None if text is None else self._key(text) for text in values.texts]
            codes = [last if key is None else known.get(key, last) for key in keys]
            return np.array(codes, dtype=np.int16)[values.index]
        if self.kind == "category":
            groups = self._place_numbers(np.asarray(values), last)
            groups[np.ma.getmask(values)] = last
            return groups
        table = np.full(len(self.listed) + 1, last, dtype=np.int16)
        table[1:-1] = np.arange(len(self.listed) - 1)
        breaks, groups = np.array(self.listed), np.empty(len(values), dtype=np.int16)
        if self.kind == "clock":  # has a place in the table for each of its seconds
            table = table.take(_breaks_passed(breaks, np.arange(-1, DAY)))
        elif self.kind == "weekday":  # has one for each of its days; a week may begin on any
            days = np.arange(-1, WEEK)
            days[1:] += np.where(days[1:] < breaks[0], WEEK, 0)
            table = table.take(_breaks_passed(breaks, days))
        for start in range(0, len(values), BLOCK):
            some = self._measured(values[start : start + BLOCK])
            cyclic = self.kind in ("clock", "weekday")
            place = some + 1 if cyclic else _breaks_passed(breaks, some)
            table.take(place, out=groups[start : start + BLOCK], mode="clip")
        return groups

    def _measured(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return numbers to compare with breaks."""
        if self.kind == "number":
            return values
        seconds = whole_seconds(values).view(np.int64)  # a missing time is the least of all
        if self.kind == "weekday":
            return np.where(seconds == np.iinfo(np.int64).min, -1, weekdays(seconds))
        return _time_of_day(seconds) if self.kind == "clock" else seconds

    def _place_numbers(self, values: npt.NDArray[Any], last: int) -> GroupCodes:
        """Place numbers in categories: whole ones that lie close are looked up in a table."""
        integers = {
            int(text): number for number, text in enumerate(self._keys) if _WHOLE.fullmatch(text)
        }
        least, most = min(integers, default=0), max(integers, default=0)
        floats = values.dtype.kind == "f"
        beyond = max(-least, most) >= (EXACT if floats else _LARGE)
        if beyond or most - least > _TABLE or values.dtype == np.uint64:
            return self.place(Ids.of(values))
        table = np.full(most - least + 3, last, dtype=np.int16)
        for value, number in integers.items():
            table[value - least + 1] = number
        groups = np.empty(len(values), dtype=np.int16)
        with np.errstate(invalid="ignore", over="ignore"):  # of floats that are no whole numbers
            for start in range(0, len(values), BLOCK):
                # What is too large or too small for a number comes to one end or the other.
                some, part = values[start : start + BLOCK], groups[start : start + BLOCK]
                some = some.astype(np.float64, copy=False) if floats else some
                place = some.astype(np.int64)
                table.take(place - (least - 1), out=part, mode="clip")
                if floats:
                    part[place != some] = last
                    for fraction, number in self._fractions.items():
                        part[some == fraction] = number
        return groups

    @cached_property
    def _fractions(self) -> dict[float, int]:
        """Return categories that are floats and no whole numbers, and their places."""
        fractions = {}
        for number, text in enumerate(self.listed):
            try:
                value = float(text)
            except ValueError:
                continue
            if canonical(value) == text and not value.is_integer():
                fractions[value] = number
        return fractions

    def to_facts(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {
            "field": self.name, "kind": self.kind, "listed": list(self.listed), "other": self.other
        }  # fmt: skip

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Field:
        """Make it again from what :meth:`to_facts` gave."""
        kind, other = str(facts["kind"]), facts["other"]
        types: dict[str, type] = {
            "category": str, "number": float, "time": int, "clock": int, "weekday": int
        }  # fmt: skip
        listed = tuple(types[kind](value) for value in facts["listed"])
        rising = kind == "category" or (np.diff(listed) > 0).all()
        week = range(listed[0], listed[0] + WEEK + 1) if kind == "weekday" and listed else ()
        fits = not week or (listed[0] in range(WEEK) and listed[-1] in week)
        if not (listed and rising and fits):
            raise InputError("the list of a field must be as it was written.")
        return cls(str(facts["field"]), kind, listed, None if other is None else str(other))


@dataclass(frozen=True)
class Groups:
    """Public groups by one field, or by several that are crossed.

    Examples
    --------
    >>> kinds, years = (Field.of("kind", ["theft", "assault"]), Field.of("year", [2019, 2020]))
    >>> groups = Groups((kinds,))
    >>> groups.names, len(groups)
    (('theft', 'assault'), 2)
    >>> groups.number(lambda field: Ids.of(["assault", "fraud", "theft"]))
    array([ 1, -1,  0], dtype=int16)
    >>> Groups((kinds, years)).names
    ('theft, 2019', 'theft, 2020', 'assault, 2019', 'assault, 2020')
    """

    fields: tuple[Field, ...]

    def __post_init__(self) -> None:
        if len(self) > MOST_GROUPS:
            raise InputError(f"there may be at most {MOST_GROUPS:,} groups; got {len(self):,}.")
        if len(set(self.names)) < len(self):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise InputError(f"every group needs a name of its own; {twice!r} is there twice.")

    def __len__(self) -> int:
        return math.prod(len(field.names) for field in self.fields)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return names of the groups; of crossed fields, their names together."""
        return tuple(", ".join(parts) for parts in product(*(field.names for field in self.fields)))

    def group_index(self, name: object) -> int:
        """Return the number of the group of a name, or of one name for each of several fields."""
        words = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        for text in (words, canonical(name) if not isinstance(name, tuple) else None):
            if text in self.names:
                return self.names.index(text)
        names = ", ".join(map(repr, self.names[:20])) + (", …" if len(self) > 20 else "")
        raise InputError(f"there is no group {words!r}; the groups are {names}.")

    def number(self, read: Callable[[Field], FieldValues]) -> GroupCodes:
        """Return the number of each record's group, -1 for none.

        Parameters
        ----------
        read : callable
            Gives the values of a field, as its kind asks for them: see :data:`FieldValues`.
        """
        codes = self.fields[0].place(read(self.fields[0]))
        for field in self.fields[1:]:
            part = field.place(read(field))
            here = (codes >= 0) & (part >= 0)
            crossed = codes * np.int16(len(field.names)) + part
            codes = np.where(here, crossed, np.int16(-1))
        return codes

    @property
    def in_words(self) -> Phrase:
        """Return the fields, as in "by kind and year"."""
        return Phrase("by {1}", _all_of([field.name for field in self.fields]))

    def condition_text(self, name: str = "") -> Phrase:
        """Return which records are counted in one group, or in all of them: "whose kind is theft".

        Examples
        --------
        >>> Groups((Field.of("kind", ["theft", "assault"]),)).condition_text()
        'whose kind is theft or assault'
        >>> Groups((Field.of("kind", ["theft"], other="other"),)).condition_text()
        ''
        """
        if name:
            parts = list(product(*(field.names for field in self.fields)))
            chosen = parts[self.names.index(name)]
            conditions = [_is(field.name, part) for field, part in zip(self.fields, chosen)]
        else:
            conditions = [
                _is(field.name, _either(field.names))
                for field in self.fields
                if field.other is None
            ]
        return Phrase("whose {1}", _all_of(conditions)) if conditions else Phrase("")

    @property
    def spans(self) -> tuple[tuple[str, str] | None, ...] | None:
        """Start and end of each group in ISO 8601, where one field divides time; else None.

        Times of day are those of the first day of 1970. A group of other records has no time.

        Examples
        --------
        >>> days = Field.of("day", breaks=["2024-01-01", "2024-01-02"], other="else")
        >>> Groups((days,)).spans
        (('2024-01-01T00:00:00', '2024-01-02T00:00:00'), None)
        """
        field = self.fields[0]
        if len(self.fields) != 1 or field.kind not in ("time", "clock"):
            return None
        moments = [str(np.datetime64(moment, "s")) for moment in field.listed]
        spans = tuple((moments[place], moments[place + 1]) for place in range(len(moments) - 1))
        return spans if field.other is None else (*spans, None)

    def to_facts(self) -> list[dict[str, Any]]:
        """Return everything as JSON."""
        return [field.to_facts() for field in self.fields]

    @classmethod
    def from_facts(cls, facts: list[dict[str, Any]]) -> Groups:
        """Make them again from what :meth:`to_facts` gave."""
        return cls(tuple(Field.from_facts(fact) for fact in facts))


def _breaks_passed(breaks: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the number of breaks at or below each value; 0 for NaN, or as many as there are."""
    if len(breaks) > _MANY:
        passed = np.searchsorted(breaks, values, side="right")
        return passed if values.dtype.kind != "f" else np.where(np.isnan(values), 0, passed)
    # Few breaks are passed one after the other.
    passed = np.zeros(len(values), dtype=np.uint8)
    for limit in breaks:
        passed += values >= limit
    return passed


def _time_of_day(seconds: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return seconds since midnight; -1 for a missing time."""
    # NumPy divides faster than it takes remainders.
    since_midnight: npt.NDArray[Any] = seconds - seconds // DAY * DAY
    since_midnight[seconds == np.iinfo(np.int64).min] = -1
    return since_midnight


def split_lists(
    word: str, texts: Sequence[str], fields: Sequence[str]
) -> dict[str, list[str]] | None:
    """Return public lists as people type them, one for each field; None where nothing was typed.

    Parameters
    ----------
    word : {"categories", "breaks"}
        What they are.
    texts : sequence of str
        Lists with commas, each with the name of its field before it where there are several.
    fields : sequence of str
        Fields that divide the groups.

    Examples
    --------
    >>> split_lists("categories", ['theft, "breaking, entering"'], ["kind"])
    {'kind': ['theft', 'breaking, entering']}
    >>> split_lists("breaks", ["year=2019,2020,2021"], ["kind", "year"])
    {'year': ['2019', '2020', '2021']}
    >>> split_lists("breaks", ["yearly 2024 to 2025"], ["time"])
    {'time': ['2024-01-01', '2025-01-01', '2026-01-01']}
    """
    lists: dict[str, list[str]] = {}
    for text in texts:
        name, mark, rest = text.partition("=")
        if not (mark and name in fields):
            if len(fields) > 1:
                raise InputError(
                    f"with several fields, `{word}` names its field: {fields[0]}=…; got {text!r}."
                )
            name, rest = fields[0] if fields else "", text
        if name in lists:
            raise InputError(f"`{word}` is one list for each field; {name!r} has two.")
        short = spelled_out(rest) if word == "breaks" else None
        lists[name] = short or next(csv.reader([rest], skipinitialspace=True), [])
    return lists or None


def _listed(word: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        words = ", or hourly, weekday, monthly …, yearly …" if word == "breaks" else ""
        raise InputError(f"`{word}` must be a list{words}; got {values!r}.")
    listed = list(values)
    if not listed:
        raise InputError(f"`{word}` must not be empty.")
    return listed


def _categories(values: Any) -> tuple[str, ...]:
    listed = _listed("categories", values)
    texts = [canonical(value) for value in listed]
    for value, text in zip(listed, texts):
        if text is None or not is_line(text):
            raise InputError(
                "a category must be a line of text, a whole number, a date or the like; got "
                f"{str(value)[:LONGEST]!r}."
            )
    return tuple(map(str, texts))


def _is(field: str, value: str) -> Phrase:
    return Phrase("{1} is {2}", field, value)


def _all_of(parts: Sequence[str]) -> str:
    """Return texts in a row, with an *and* between any two."""
    return reduce(lambda first, last: Phrase("{1} and {2}", first, last), parts)


def _either(names: tuple[str, ...]) -> str:
    """Return names in a row, or how many there are."""
    if len(names) > 6:
        return Phrase("in one of {1} groups", Number(f"{len(names):,}"))
    return names[0] if len(names) == 1 else Phrase("{1} or {2}", ", ".join(names[:-1]), names[-1])


def clipped(text: str, size: int) -> str:
    """Return as many letters from the start as have room in so many bytes.

    Examples
    --------
    >>> clipped("Überfall", 3)
    'Üb'
    """
    return text.encode("utf-8")[:size].decode("utf-8", "ignore")


def slugs(names: Sequence[str]) -> tuple[str, ...]:
    """Make short names for columns and files, each once: letters and digits of any script.

    Examples
    --------
    >>> slugs(["theft, 2019", "0 to 6", "Diebstahl (schwer)", "0-to-6"])
    ('theft_2019', '0_to_6', 'Diebstahl_schwer', '0_to_6_2')
    """
    taken: dict[str, str] = {}  # by their small letters, which some formats take for the same
    for name in names:
        word = re.sub(r"\W+", "_", name).strip("_")
        base = clipped(word, _LONGEST).rstrip("_") or "group"
        slug, turn = base, 1
        while slug.lower() in taken:
            turn += 1
            slug = f"{base}_{turn}"
        taken[slug.lower()] = slug
    return tuple(taken.values())
