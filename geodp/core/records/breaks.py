"""Public limits between numbers, dates, times of day or days of the week: read, and named.

Moments are whole seconds in UTC, which is also assumed where there is no zone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import time
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from .canonical import canonical
from .ids import Ids

_MANY = 30
"""More breaks than this are hardly typed by hand."""

DAY = 86_400
"""Seconds."""

_CLOCK = re.compile(r"([01][0-9]|2[0-4]):([0-5][0-9])(?::([0-5][0-9]))?(?:\.[0-9]+)?")
_DATE = re.compile(r"-?[0-9]{4,11}-[0-9]{2}-[0-9]{2}(T[0-9:.]*)?")
"""A date or a moment without a zone: NumPy would warn of one, and so tell of a record. Of longer
years it makes others."""

_RULE = (
    "`breaks` are two or more rising numbers, dates such as '2024-01-01', times of day such as "
    "'06:00', days of at most one week such as 'Mon', 'Sat', 'Mon', or a word such as 'weekday'"
)

WEEK = 7
"""Days."""

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_THURSDAY = 3
"""Place of 1970-01-01 in its week."""


_SHORTHAND = re.compile(
    r"(hourly|weekday|monthly|yearly)(?:[\s,:]+([0-9]{4}(?:-[0-9]{2})?))?"
    r"(?:(?:\s*,\s*|\s+to\s+|\s+)([0-9]{4}(?:-[0-9]{2})?))?",
    re.IGNORECASE,
)

_MOST_SPANS = 1000
"""Months or years that a word may stand for."""


def spelled_out(text: str) -> list[str] | None:
    """Return the limits that a word stands for; None where a text is no such word.

    Parameters
    ----------
    text : str
        ``hourly`` and ``weekday`` stand alone; ``monthly`` and ``yearly`` say from when to when,
        the last month or year included: ``monthly 2024-01 to 2024-12``.

    Examples
    --------
    >>> spelled_out("weekday")
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun', 'Mon']
    >>> spelled_out("monthly 2024-11 to 2025-01")
    ['2024-11-01', '2024-12-01', '2025-01-01', '2025-02-01']
    >>> spelled_out("yearly 2024 2025"), spelled_out("06:00, 12:00")
    (['2024-01-01', '2025-01-01', '2026-01-01'], None)
    """
    words = _SHORTHAND.fullmatch(text.strip())
    if words is None:
        return None
    word, first, last = words[1].lower(), words[2], words[3] or words[2]
    if word in ("hourly", "weekday"):
        if first:
            raise InputError(f"{word!r} stands for all of them; got {text!r}: write it alone.")
        if word == "hourly":
            return [f"{hour:02}:00" for hour in range(25)]
        return [weekday_in_words(day) for day in range(WEEK + 1)]
    unit, length = ("M", 7) if word == "monthly" else ("Y", 4)
    try:
        if first is None or {len(first), len(last)} != {length}:
            raise ValueError
        ends = np.array([first, last], dtype=f"M8[{unit}]")
        months = np.arange(ends[0], ends[1] + np.array(2, dtype=f"m8[{unit}]"))
    except ValueError:
        months = np.zeros(0, dtype="M8[M]")
    if not 2 <= len(months) <= _MOST_SPANS:
        example = "monthly 2024-01 to 2024-12" if unit == "M" else "yearly 2020 to 2024"
        raise InputError(
            f"{word!r} needs the first and the last, as {example!r}; got {text[:100]!r}."
        )
    return [str(month) for month in months.astype("M8[D]")]


def read_breaks(values: list[Any]) -> tuple[str, tuple[Any, ...]]:
    """Return the kind of the breaks, and their numbers: as they are, or in seconds.

    Examples
    --------
    >>> read_breaks(["06:00", "22:00"]), read_breaks([0, 6.5])
    (('clock', (21600, 79200)), ('number', (0.0, 6.5)))
    >>> read_breaks(["1970-01-01", "1970-01-02T01:00+01:00"])
    ('time', (0, 86400))
    >>> read_breaks(["Mon", "Sat", "Mon"])
    ('weekday', (0, 5, 7))
    """
    kinds: dict[str, Callable[[Any], Any]] = {"number": _number, "clock": _clock, "time": _time}
    for kind, read in kinds.items():
        limits = [read(value) for value in values]
        if None not in limits:
            if len(limits) > 1 and (np.array(limits[1:]) > np.array(limits[:-1])).all():
                return kind, tuple(limits)
            break
    days = _weekdays(values)
    if days is not None:
        return "weekday", days
    # Many are not repeated: they may be the column itself, by mistake.
    given = repr(values) if len(values) <= _MANY else f"{len(values):,} values that are not"
    raise InputError(f"{_RULE}; got {given}.")


def _weekdays(values: list[Any]) -> tuple[int, ...] | None:
    """Return the days since a Monday that names of weekdays mean, in turn, within a week."""
    words = [str(value).strip().lower() for value in values]
    places = [_WEEKDAY.get(word) for word in words]
    days: list[int] = []
    for place in places:
        if place is None:
            return None
        # The same day again is that of the next week.
        days.append(days[-1] + 1 + (place - days[-1] - 1) % WEEK if days else place)
    return tuple(days) if len(days) > 1 and days[-1] - days[0] <= WEEK else None


_WEEKDAY = {
    word: place for place, name in enumerate(_WEEKDAYS) for word in (name, name[:3])
}  # fmt: skip


def weekdays(seconds: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the place in the week of each moment, Monday being 0.

    Examples
    --------
    >>> weekdays(np.array(["2024-12-29", "2024-12-30"], dtype="M8[s]").astype(np.int64))
    array([6, 0])
    """
    weekdays: npt.NDArray[Any] = (seconds // DAY + _THURSDAY) % WEEK
    return weekdays


def weekday_in_words(day: int) -> str:
    """Name a day since a Monday."""
    return _WEEKDAYS[day % WEEK][:3].capitalize()


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, np.datetime64, np.timedelta64)):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if np.isnan(number) else number


def _clock(value: Any) -> int | None:
    parts = _CLOCK.fullmatch(value.isoformat() if isinstance(value, time) else str(value).strip())
    if parts is None:
        return None
    hour, minute, second = map(int, parts.groups("0"))
    seconds = 3600 * hour + 60 * minute + second
    return seconds if seconds <= DAY else None


def _time(value: Any) -> int | None:
    text = canonical(value)
    moment = None if text is None or "." in text else parse_moment(text)
    return None if moment is None else int(moment.astype(np.int64))


def parse_moment(text: str) -> np.datetime64 | None:
    """Return the second that a canonical text names, or None where it is no date or time.

    Examples
    --------
    >>> [str(parse_moment(text)) for text in ("2024-05-01", "2024-05-01T08:30:15.25", "theft")]
    ['2024-05-01T00:00:00', '2024-05-01T08:30:15', 'None']
    """
    if not _DATE.fullmatch(text):
        return None
    try:
        moment = np.datetime64(text.partition(".")[0], "s")
    except ValueError:  # the 30th of February
        return None
    return None if np.isnat(moment) else moment


_FINER = {"ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15, "as": 10**18}
"""Parts of a second."""

_MISSING = np.iinfo(np.int64).min
"""Number that stands for a missing time in NumPy."""


def whole_seconds(moments: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return moments of any unit as datetime64[s]; NaT where 64 bits hardly hold their seconds.

    NumPy wraps some of those, and raises from version 2.5 on, which one record could cause.

    Examples
    --------
    >>> whole_seconds(np.array(["2024-05-01T08:30:15.25", "NaT"], dtype="M8[ms]")).astype(
    ...     str
    ... ).tolist()
    ['2024-05-01T08:30:15', 'NaT']
    >>> whole_seconds(np.array([2**62], dtype="M8[D]")).astype(str).tolist()
    ['NaT']
    """
    unit, many = np.datetime_data(moments.dtype)
    numbers = moments.view(np.int64)
    if unit in _FINER:
        farthest = np.iinfo(np.int64).max // many
    else:
        farthest = int(np.datetime64(1 << 62, "s").astype(moments.dtype).astype(np.int64))
    known = (numbers >= -farthest) & (numbers <= farthest)
    every = bool(known.all())  # then nothing is to be set aside
    if every and (unit, many) == ("s", 1):
        return moments
    kept = numbers if every else np.where(known, numbers, 0)
    if unit in _FINER:
        seconds = (kept if many == 1 else kept * many) // _FINER[unit]
    else:
        seconds = kept.view(moments.dtype).astype("M8[s]").view(np.int64)
    return (seconds if every else np.where(known, seconds, _MISSING)).view("M8[s]")


def times(ids: Ids, clock: bool) -> npt.NDArray[Any]:
    """Return times that ids name, as datetime64[s]; NaT where one names none.

    Parameters
    ----------
    ids : Ids
        Canonical texts.
    clock : bool
        Whether times of day alone, such as 08:30, count too.

    Examples
    --------
    >>> times(Ids.of(["2024-05-01", "08:30", None]), clock=True).astype(str).tolist()
    ['2024-05-01T00:00:00', '1970-01-01T08:30:00', 'NaT']
    """
    moments = np.full(len(ids.texts), np.datetime64("NaT", "s"), dtype="M8[s]")
    for place, text in enumerate(ids.texts):
        moment = None if text is None else parse_moment(text)
        if moment is None and clock:
            seconds = _clock(text)
            moment = None if seconds in (None, DAY) else np.datetime64(seconds, "s")
        if moment is not None:
            moments[place] = moment
    return np.asarray(moments[ids.index])


def in_words(kind: str, low: Any, high: Any) -> str:
    """Return the name of what lies between two breaks.

    Examples
    --------
    >>> in_words("number", 0.0, 6.5), in_words("clock", 0, 21_600)
    ('0 to 6.5', '00:00 to 06:00')
    >>> in_words("weekday", 0, 5), in_words("weekday", 5, 7), in_words("weekday", 6, 7)
    ('Mon to Fri', 'Sat to Sun', 'Sun')
    >>> in_words("time", 0, 365 * DAY), in_words("time", 0, DAY), in_words("time", 0, 2 * DAY)
    ('1970', '1970-01-01', '1970-01-01 to 1970-01-03')
    """
    if kind == "number":
        return f"{low:.15g} to {high:.15g}"
    if kind == "clock":
        return f"{clock_in_words(low)} to {clock_in_words(high)}"
    if kind == "weekday":
        last = weekday_in_words(high - 1)
        return last if high - low == 1 else f"{weekday_in_words(low)} to {last}"
    start, end = np.datetime64(low, "s"), np.datetime64(high, "s")
    for unit in ("Y", "M", "D", "h"):  # by its own name in ISO 8601
        rounded = start.astype(f"M8[{unit}]")
        if rounded == start and rounded + np.timedelta64(1, unit) == end:
            return str(rounded)
    return f"{moment_in_words(low)} to {moment_in_words(high)}"


def clock_in_words(seconds: int) -> str:
    """Write a time of day, with its seconds where there are any."""
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 else text


def moment_in_words(seconds: int) -> str:
    """Return a moment in ISO 8601, midnight as its date alone."""
    return str(np.datetime64(seconds, "s")).removesuffix("T00:00:00")
