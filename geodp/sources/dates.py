"""Read dates and times in text, as a format such as ``%d.%m.%Y`` says that they are written.

One value is read at a time, with digits and English short names of months alone: neither the
language of the machine nor another record has a say. Years of two digits are those of POSIX:
69 to 99 are of the 20th century, 00 to 68 of the 21st. Moments are in UTC, as everywhere.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.errors import InputError

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PATTERNS = {
    "Y": r"(?P<Y>[0-9]{4})",
    "y": r"(?P<y>[0-9]{2})",
    "m": r"(?P<m>1[0-2]|0?[1-9])",
    "b": rf"(?P<b>(?i:{'|'.join(_MONTHS)}))",
    "d": r"(?P<d>3[01]|[12][0-9]|0?[1-9])",
    "H": r"(?P<H>2[0-3]|[01]?[0-9])",
    "I": r"(?P<I>1[0-2]|0?[1-9])",
    "p": r"(?P<p>(?i:am|pm))",
    "M": r"(?P<M>[0-5]?[0-9])",
    "S": r"(?P<S>[0-5]?[0-9])",
    "f": r"(?P<f>[0-9]{1,18})",
}
"""By the letter of a directive, in the language of RE2 and of Python alike."""

_DIRECTIVE = re.compile(r"%(.?)", re.DOTALL)
_RULE = (
    "`date_format` says how dates stand in a text file, such as '%d.%m.%Y' or "
    "'%m/%d/%Y %H:%M': a date of year (%Y, %y), month (%m, %b) and day (%d), a time of day "
    "(%H, or %I with %p; %M, %S, %f), or both, each once"
)


_NEEDS = {"p": "I", "I": "p", "M": "HI", "S": "M", "f": "S"}
"""What must also be said, for a part of a time to mean anything."""


def date_pattern(date_format: str) -> str:
    """Write the regular expression of text in a format; refuse a format that says no moment.

    Examples
    --------
    >>> bool(re.fullmatch(date_pattern("%d.%m.%Y"), "31.12.2024"))
    True
    >>> date_pattern("%d.%m")
    Traceback (most recent call last):
        ...
    geodp.core.common.errors.InputError: `date_format` says how dates stand in a text file, ...
    """
    if not _says_a_moment(str(date_format)):
        raise InputError(f"{_RULE}; got {date_format!r}.")
    parts, at = [], 0
    for directive in _DIRECTIVE.finditer(date_format):
        parts.append(re.escape(date_format[at : directive.start()]))
        parts.append("%" if directive[1] == "%" else _PATTERNS[directive[1]])
        at = directive.end()
    return "".join([*parts, re.escape(date_format[at:])])


def _letters(date_format: str) -> list[str]:
    return [letter for letter in _DIRECTIVE.findall(date_format) if letter != "%"]


def _says_a_moment(date_format: str) -> bool:
    letters = _letters(date_format)
    if not set(letters) <= set(_PATTERNS) or len(set(letters)) < len(letters):
        return False
    parts = [len(set(letters) & set(part)) for part in ("Yy", "mb", "d", "HI")]
    complete = parts[:3] in ([1, 1, 1], [0, 0, 0])
    needed = all(set(_NEEDS[letter]) & set(letters) for letter in letters if letter in _NEEDS)
    return complete and needed and parts[3] <= 1 and sum(parts) > 0


def has_date(date_format: str) -> bool:
    """Tell whether a format says the day, and not the time of day alone.

    Examples
    --------
    >>> has_date("%d.%m.%Y"), has_date("%H:%M")
    (True, False)
    """
    return "d" in _letters(date_format)


def formatted_times(column: Any, date_format: str) -> npt.NDArray[Any]:
    """Read times of a column of text, as datetime64[s]; NaT where one is not in the format.

    Parameters
    ----------
    column : pyarrow.Array
        Text, or bytes of text; spaces around it are passed over.
    date_format : str
        How a date, a time of day, or both are written. A time of day is taken as one of the first
        day of 1970.

    Examples
    --------
    >>> import pyarrow
    >>> texts = pyarrow.array(["31.12.2024", "30.2.2024", "2024-12-31", None])
    >>> formatted_times(texts, "%d.%m.%Y").astype(str).tolist()
    ['2024-12-31T00:00:00', 'NaT', 'NaT', 'NaT']
    >>> formatted_times(pyarrow.array(["5/1/24 1:30 pm"]), "%m/%d/%y %I:%M %p").astype(str).tolist()
    ['2024-05-01T13:30:00']
    """
    import pyarrow
    from pyarrow import compute

    text = compute.cast(column, pyarrow.large_string(), safe=False)  # not all need be UTF-8
    pattern = f"^(?:{date_pattern(date_format)})$"
    matches = compute.extract_regex(compute.ascii_trim_whitespace(text), pattern)
    known = np.asarray(matches.is_valid())
    letters = _letters(date_format)

    def number(letter: str, missing: int = 0) -> npt.NDArray[np.int64]:
        if letter not in letters:
            return np.full(len(known), missing, dtype=np.int64)
        digits = compute.struct_field(matches, letter).cast(pyarrow.int64())
        return np.asarray(digits.fill_null(missing))

    year = number("Y", 1970) if "y" not in letters else number("y", 70)
    if "y" in letters:
        year = year + np.where(year < 69, 2000, 1900)
    months = number("m", 1) - 1
    if "b" in letters:
        names = compute.ascii_lower(compute.struct_field(matches, "b"))
        places = compute.index_in(names, value_set=pyarrow.array(_MONTHS, names.type))
        months = np.asarray(places.fill_null(0)).astype(np.int64)
    month = (year - 1970).astype("M8[Y]").astype("M8[M]") + months
    day = month.astype("M8[D]") + (number("d", 1) - 1)
    known &= day.astype("M8[M]") == month  # not the 30th of February
    hour = number("H") + number("I") % 12
    if "p" in letters:
        late = compute.equal(compute.ascii_lower(compute.struct_field(matches, "p")), "pm")
        hour = hour + 12 * np.asarray(late.fill_null(False))
    seconds = 3600 * hour + 60 * number("M") + number("S")
    times = day.astype("M8[s]") + seconds
    return np.where(known, times, np.datetime64("NaT", "s"))
