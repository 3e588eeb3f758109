"""One text for each person, whatever holds their id.

A person is told apart from others by the text that :func:`canonical` makes of an id. It looks at
one value and at nothing else, so that neither the other records nor the container (list, array,
column, file) can change whose record one is; a value that is no id belongs to nobody, and its
record is dropped without a word (docs/privacy.md, claim 9).

=======================================  ==========================================  ==========
Id                                       Text                                        Example
=======================================  ==========================================  ==========
whole number, bool, integral Decimal     its digits, if no more than 1,000           7
float, integral and below 2**53          its digits                                  7
float, not integral                      the shortest that reads back                0.5
float of 2**53 and more, or infinite     nobody: floats cannot tell such ids apart
Decimal, not integral                    plain, without zeros at the end             0.5
Fraction, not integral                   as Python writes it                         1/3
text, up to 10,000 characters            NFC; no white space around it, no NUL       ann
text of a whole number, as +7.0          the number; 007 stays as it is              7
date, time, or the ISO text of a time    in UTC, which is also assumed where there   2024-05-01
                                         is no zone; midnight is the date alone
UUID or its text                         with hyphens, lower case
bytes                                    as text if they are UTF-8, otherwise hex    0xff
None, NaN, NaT, NA, blank, all the rest  nobody
=======================================  ==========================================  ==========

Words are names: "nan", "NA" and "null" are three persons.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any
from uuid import UUID

import numpy as np

EXACT = 2**53
"""Below this every whole number is a float of its own."""

_MOST_DIGITS = 1000
"""Of a number, so that Decimal("1e999999") makes no megabyte of text."""

_LONGEST = 10_000
"""Characters of a text. Python takes hours to normalise millions of accents in a row: longer text
belongs to nobody, and so holds up no release."""

_TOO_LARGE = 10**_MOST_DIGITS
_WHOLE = re.compile(r"([+-]?)(0|[1-9][0-9]*)(?:\.0+)?")
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?"
    r"(?:\.([0-9]{1,18}))?(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2})(?::([0-9]{2}))?)?)?"
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def canonical(value: Any) -> str | None:
    """Write an id as text, or None for nobody. Never raises: no odd record may stop a release.

    Examples
    --------
    >>> [canonical(value) for value in (7, 7.0, "7", " 7.0", Decimal("7.00"), True, "007")]
    ['7', '7', '7', '7', '7', '1', '007']
    >>> [canonical(value) for value in (None, float("nan"), " ", 2.0**60, [7])]
    [None, None, None, None, None]
    >>> canonical("2024-05-01 01:30+02:00"), canonical(np.datetime64("2024-05-01T00:00:00"))
    ('2024-04-30T23:30:00', '2024-05-01')
    """
    try:
        return _canonical(value)
    except Exception:  # values of any type come here, and with them any error
        return None


def _canonical(value: Any) -> str | None:
    if isinstance(value, str):
        return _text(str.__str__(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _bytes(bytes(value))
    if isinstance(value, (float, np.floating)):
        return _float(float(value))
    if isinstance(value, np.timedelta64):  # which NumPy counts among the integers
        return None
    if isinstance(value, (int, np.bool_, Integral)):
        number = int(value)
        return str(number) if abs(number) < _TOO_LARGE else None
    if isinstance(value, (Decimal, Fraction)):
        return _exact(value)
    if isinstance(value, np.datetime64):
        return _numpy_time(value)
    if isinstance(value, datetime):  # pandas.Timestamp too; NaT, which is one, does not match
        return _time(value.isoformat())
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else None


def _text(text: str) -> str | None:
    if len(text) > _LONGEST:
        return None
    # Arrays of text cannot hold a NUL at the end; so that it makes no difference, none counts.
    text = unicodedata.normalize("NFC", text.replace("\0", "")).strip()
    if not text:
        return None
    if text[0] in "+-0123456789":
        matched = _WHOLE.fullmatch(text)
        if matched:
            sign, digits, zero = matched[1], matched[2], matched[2] == "0"
            return "-" + digits if sign == "-" and not zero else digits
        text = _time(text) or text
    return text.lower() if len(text) == 36 and _UUID.fullmatch(text) else text


def _bytes(raw: bytes) -> str | None:
    raw = raw.rstrip(b"\0")  # as in arrays of bytes, which cannot hold them
    try:
        return _text(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return "0x" + raw.hex()


def _float(number: float) -> str | None:
    if not abs(number) < EXACT:  # NaN too
        return None
    return str(int(number)) if number.is_integer() else repr(number)


def _exact(number: Decimal | Fraction) -> str | None:
    if isinstance(number, Decimal):
        facts = number.as_tuple()  # of a NaN, the exponent is a letter
        if not number.is_finite() or len(facts.digits) - min(0, int(facts.exponent)) > _MOST_DIGITS:
            return None
        if number.adjusted() >= _MOST_DIGITS:
            return None
        plain = format(number, "f")
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        return plain if number else "0"
    if max(abs(number.numerator), number.denominator) >= _TOO_LARGE:
        return None
    return str(number)


def _time(text: str) -> str | None:
    """Return a date and time of day in UTC; None where the text is none."""
    parts = _TIME.fullmatch(text)
    if not parts:
        return None
    *clock, fraction, sign, hours, minutes, seconds = parts.groups("0")
    try:
        year, month, day, hour, minute, second = map(int, clock)
        moment = datetime(year, month, day, hour, minute, second)
        ahead = timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds))
        moment = moment + ahead if sign == "-" else moment - ahead
    except (ValueError, OverflowError):
        return None
    return _moment(moment.isoformat(), fraction)


def _numpy_time(value: np.datetime64) -> str | None:
    if np.isnat(value):
        return None
    if np.datetime_data(value.dtype)[0] in ("Y", "M", "W", "D", "h", "m"):
        value = value.astype("datetime64[s]")
    seconds, _, fraction = str(value).partition(".")
    return _moment(seconds, fraction)


def _moment(seconds: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    if fraction:
        return f"{seconds}.{fraction}"
    day, _, clock = seconds.partition("T")
    return day if clock == "00:00:00" else seconds
