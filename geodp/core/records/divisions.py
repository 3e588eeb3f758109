"""Say what divides records into groups, as people write it: categories of a field, or breaks.

Both are public lists, which are never read off the points. Crossed, they make
:class:`~geodp.core.records.groups.Groups`, which say for any one record where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from ..common.code import in_code
from ..common.errors import InputError
from .breaks import clock_in_words, moment_in_words, spelled_out, weekday_in_words
from .groups import Field, Groups


class Division:
    """Say what divides records by one of their fields: :class:`Categories` or :class:`Breaks`."""

    field: str

    @property
    def rule(self) -> Field:
        """Say for any value of the field which group it is in."""
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, ...]:
        """Return names of the groups, in their order."""
        return self.rule.names


@dataclass(frozen=True, init=False)
class Categories(Division):
    """Divide records by the values of a field, each of which is a group.

    Parameters
    ----------
    field : str
        The field.
    values : sequence
        Values, as a public list: text, whole numbers, dates. 1, 1.0 and "1" are one value.
    other : str, optional
        Name of a group for all other records, which are dropped otherwise.

    Examples
    --------
    >>> Categories("kind", ["theft", "assault"])
    Categories('kind', ('theft', 'assault'))
    >>> Categories("year", [2024, 2025], other="earlier").names
    ('2024', '2025', 'earlier')
    """

    field: str
    values: tuple[str, ...]
    other: str | None

    def __init__(self, field: str, values: Sequence[Any], other: str | None = None) -> None:
        checked = Field.of(_checked_field(field), categories=values, other=other)
        object.__setattr__(self, "field", field)
        object.__setattr__(self, "values", checked.listed)
        object.__setattr__(self, "other", checked.other)

    def __repr__(self) -> str:
        return in_code("Categories", self.field, self.values, other=self.other)

    @property
    def rule(self) -> Field:
        return Field(self.field, "category", self.values, self.other)


@dataclass(frozen=True, init=False)
class Breaks(Division):
    """Divide records by limits between numbers, dates, times of day or days of the week.

    Parameters
    ----------
    field : str
        The field.
    limits : sequence or str
        Two or more that rise, as a public list: numbers, dates and times such as ``"2024-01-01"``
        (ISO 8601, in UTC), times of day such as ``"06:00"``, or days of the week such as
        ``"Mon", "Sat", "Mon"``. What lies between two of them is a group, half-open like cells:
        from Monday up to, and without, Saturday. Or a word that stands for them: ``"hourly"``,
        ``"weekday"``, ``"monthly 2024-01 to 2024-12"``, ``"yearly 2020 to 2024"``.
    other : str, optional
        Name of a group for all other records, which are dropped otherwise.

    Examples
    --------
    >>> Breaks("hour", [0, 6, 12.5])
    Breaks('hour', (0, 6, 12.5))
    >>> Breaks("day", ["2024-01-01", "2025-01-01", "2025-02-01"]).names
    ('2024', '2025-01')
    >>> Breaks("time", ["06:00", "22:00"], other="night").names
    ('06:00 to 22:00', 'night')
    >>> Breaks("time", ["Mon", "Sat", "Mon"]).names
    ('Mon to Fri', 'Sat to Sun')
    >>> Breaks("time", "monthly 2024-11 to 2025-01").names
    ('2024-11', '2024-12', '2025-01')
    """

    field: str
    limits: tuple[Any, ...]
    other: str | None

    def __init__(self, field: str, limits: Sequence[Any] | str, other: str | None = None) -> None:
        if isinstance(limits, str):
            limits = spelled_out(limits) or limits
        checked = Field.of(_checked_field(field), breaks=limits, other=other)
        writers: dict[str, Callable[[Any], Any]] = {
            "number": _plain, "clock": clock_in_words,
            "time": moment_in_words, "weekday": weekday_in_words,
        }  # fmt: skip
        write = writers[checked.kind]
        object.__setattr__(self, "field", field)
        object.__setattr__(self, "limits", tuple(map(write, checked.listed)))
        object.__setattr__(self, "other", checked.other)

    def __repr__(self) -> str:
        return in_code("Breaks", self.field, self.limits, other=self.other)

    @property
    def rule(self) -> Field:
        return Field.of(self.field, breaks=self.limits, other=self.other)


By = Union[Division, Sequence[Division]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)


def grouped(by: By | None) -> Groups | None:
    """Cross what divides the records; None where nothing does.

    Examples
    --------
    >>> kinds, years = Categories("kind", ["theft", "assault"]), Breaks("year", [2024, 2025, 2026])
    >>> grouped([kinds, years]).names[:2]
    ('theft, 2024 to 2025', 'theft, 2025 to 2026')
    """
    if by is None:
        return None
    listed: list[Any] = list(by) if isinstance(by, (list, tuple)) else [by]
    for division in listed or [by]:
        if not isinstance(division, Division):
            # The value is not repeated: it may be the column itself, by mistake.
            given = repr(division) if isinstance(division, str) else f"a {type(division).__name__}"
            raise InputError(
                "`by` needs a public list with its field, `Categories(field, values)` or "
                f"`Breaks(field, limits)`; got {given}: the list is never read off the points, "
                "because that would tell what they hold."
            )
    fields = [division.field for division in listed]
    if len(set(fields)) < len(fields):
        raise InputError(f"`by` must name each field once; {len(fields)} are named.")
    return Groups(tuple(division.rule for division in listed))


def divisions(
    fields: Sequence[str],
    categories: Mapping[str, Any] | None,
    breaks: Mapping[str, Any] | None,
    other: str | None,
) -> list[Division] | None:
    """Join fields with their lists, as a command line has them apart; None without any.

    Parameters
    ----------
    fields : sequence of str
        What divides the records.
    categories, breaks : mapping from fields to sequences, optional
        The public list of each.
    other : str, optional
        Name of a group for all other records.

    Examples
    --------
    >>> divisions(["hour"], None, {"hour": ["0", "6", "12"]}, None)
    [Breaks('hour', (0, 6, 12))]
    """
    values, limits = categories or {}, breaks or {}
    if not fields:
        for name, value in (("categories", values), ("breaks", limits), ("other", other)):
            if value:
                raise InputError(f"`{name}` divides the values of a field; name it with `by`.")
        return None
    for name in fields:
        if (name in values) == (name in limits):
            raise InputError(
                "`by` needs a public list, `categories` or `breaks`, for each field; "
                f"{name!r} has {'both' if name in values else 'none'}: it is never read off the "
                "points, because that would tell what they hold."
            )
    return [
        Categories(name, values[name], other)
        if name in values
        else Breaks(name, limits[name], other)
        for name in fields
    ]


def _checked_field(name: Any) -> str:
    if isinstance(name, str) and name:
        return name
    # The value is not repeated: it may be the column itself, by mistake.
    given = repr(name) if isinstance(name, str) else f"a {type(name).__name__}"
    raise InputError(f"a field that divides records is given by its name; got {given}.")


def _plain(number: float) -> float | int:
    """Return a number without a point where it needs none."""
    return int(number) if number.is_integer() and abs(number) < 1e15 else number
