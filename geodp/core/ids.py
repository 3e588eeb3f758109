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
text                                     NFC; no white space around it, no NUL       ann
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
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from .axis import Ints
from .errors import InputError

_EXACT = 2**53
"""Below this every whole number is a float of its own."""

_MOST_DIGITS = 1000
"""Of a number, so that Decimal("1e999999") makes no megabyte of text."""

_TOO_LARGE = 10**_MOST_DIGITS
_WHOLE = re.compile(r"([+-]?)(0|[1-9][0-9]*)(?:\.0+)?")
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?"
    r"(?:\.([0-9]{1,18}))?(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2})(?::([0-9]{2}))?)?)?"
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def canonical(value: Any) -> str | None:
    """Text of an id, or None for nobody. Never raises: one odd record must not stop a release.

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
    # Arrays of text cannot hold a NUL at the end; so that it makes no difference, none counts.
    text = unicodedata.normalize("NFC", text.replace("\0", "")).strip()
    if not text:
        return None
    if text[0] in "+-0123456789":
        whole = _WHOLE.fullmatch(text)
        if whole:
            sign, digits, zero = whole[1], whole[2], whole[2] == "0"
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
    if not abs(number) < _EXACT:  # NaN too
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
    """A date and time of day in UTC; None where the text is none."""
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


@dataclass(frozen=True, eq=False, repr=False)
class Ids:
    """Whose each record is. Private.

    Attributes
    ----------
    texts : tuple of str or None
        Canonical texts, each once, and None for nobody. Some may be nobody's after :meth:`take`.
    index : ndarray of int64
        For each record, the place of its text.

    Examples
    --------
    >>> ids = Ids.of([7, "abc", 7.0, float("nan")])
    >>> ids
    Ids(private)
    >>> ids.texts, ids.index
    (('7', 'abc', None), array([0, 1, 0, 2]))
    >>> ids.take(np.array([True, False, True, False])).index
    array([0, 0])
    """

    texts: tuple[str | None, ...]
    index: Ints

    def __post_init__(self) -> None:
        self.index.setflags(write=False)

    def __repr__(self) -> str:
        return "Ids(private)"

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def of(cls, values: Any) -> Ids:
        """Ids of a list, an array, a column of a table, or of anything that can be iterated.

        Only values that share a declared type are compared with each other by NumPy. A list is
        never made an array: ``[2**60, nan]`` would become floats and ``[7, "abc"]`` text.
        """
        if isinstance(values, Ids):
            return values
        held = getattr(values, "array", values)  # the array within a column of pandas
        if hasattr(held, "codes") and hasattr(held, "categories"):
            return cls.of_distinct(held.categories, np.asarray(held.codes))
        array = _array(values)
        if array is None:
            return _of_objects(values.to_pylist() if hasattr(values, "to_pylist") else list(values))
        if array.ndim != 1:
            raise InputError("ids must be a flat list or array; these are not.")
        ids = _of_array(array)
        if isinstance(values, np.ma.MaskedArray):
            ids = _merged([*ids.texts, None], np.where(values.mask, len(ids.texts), ids.index))
        return ids

    @classmethod
    def of_distinct(cls, values: Any, index: npt.NDArray[Any]) -> Ids:
        """Ids where the distinct values are known; -1 in the index stands for nobody.

        Examples
        --------
        >>> ids = Ids.of_distinct(["7", 7, "ann"], np.array([0, 1, 2, -1]))
        >>> [ids.texts[place] for place in ids.index]
        ['7', '7', 'ann', None]
        """
        known = cls.of(values)
        table = np.append(known.index, len(known.texts))  # at -1: nobody
        return _merged([*known.texts, None], table[index])

    def take(self, which: npt.NDArray[Any] | slice) -> Ids:
        """Some of the records, by a mask, by their numbers or by a slice."""
        return Ids(self.texts, self.index[which])


def check_dtype(dtype: Any, field: str) -> None:
    """Refuse ids by their declared type, never by a value.

    Parameters
    ----------
    dtype : numpy.dtype
        Type of the array or column. Types that are not NumPy's pass, unless they name one.
    field : str
        What to call it in the message.

    Examples
    --------
    >>> check_dtype(np.dtype("float32"), "who")
    Traceback (most recent call last):
        ...
    geodp.core.errors.InputError: ids must be text, whole numbers, dates or UUIDs; 'who' holds \
float32: store them as text or whole numbers.
    """
    known = getattr(dtype, "numpy_dtype", dtype)
    if not isinstance(known, np.dtype):
        return
    if known.kind in "cVm" or (known.kind == "f" and known.newbyteorder("=") != np.float64):
        raise InputError(
            f"ids must be text, whole numbers, dates or UUIDs; {field!r} holds {known.name}: "
            "store them as text or whole numbers."
        )


def _array(values: Any) -> npt.NDArray[Any] | None:
    """An array that holds every value exactly, if there is one."""
    if isinstance(getattr(values, "dtype", None), np.dtype):
        return np.asarray(values)
    if hasattr(values, "dtype") and hasattr(values, "to_numpy"):
        # Columns of other types (whole numbers with gaps, say) turn into floats unless told not to.
        try:
            return np.asarray(values.to_numpy(dtype=object))
        except TypeError:  # not a column of pandas
            return None
    return None


def _of_array(array: npt.NDArray[Any]) -> Ids:
    kind = array.dtype.kind
    if kind in "OUST" or not len(array):  # hashing text is faster than sorting it
        return _of_objects(array.tolist())
    if kind in "biu":
        return _of_integers(array)
    if kind in "fM":
        distinct, index = np.unique(array, return_inverse=True)
        return _merged([canonical(value) for value in distinct], index)
    return Ids((None,), np.zeros(len(array), dtype=np.int64))


def _of_integers(array: npt.NDArray[Any]) -> Ids:
    low, high = int(array.min()), int(array.max())
    if high - low > max(1 << 16, 2 * len(array)):
        distinct, index = np.unique(array, return_inverse=True)
        return Ids(tuple(map(str, distinct.tolist())), index.astype(np.int64))
    # Numbers that lie close together are told apart by a table, which is faster than sorting.
    wide = array.astype(np.uint64 if array.dtype.kind == "u" else np.int64)
    above = (wide - wide.dtype.type(low)).astype(np.int64)
    table = np.zeros(high - low + 1, dtype=np.int64)
    table[above] = 1
    found = np.flatnonzero(table)
    table[found] = np.arange(len(found))
    return Ids(tuple(str(low + step) for step in found.tolist()), table[above])


_PLAIN = frozenset({str, bytes, bool, int, float, type(None)})
_WHOLE_TYPES = frozenset({bool, int})


def _of_objects(values: list[Any]) -> Ids:
    """Ids of values of any types.

    Values are looked up by equality only where equal ones have equal texts. That fails for 2**53
    and its float, of which only the first is an id, and for times that a clock shows twice in a
    night, which are equal in Python: whose text counted would depend on the order of the records.
    """
    kinds = set(map(type, values))
    if not kinds <= _PLAIN or (float in kinds and kinds & _WHOLE_TYPES):
        values = [canonical(value) for value in values]
    codes = {value: number for number, value in enumerate(dict.fromkeys(values))}
    index = np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))
    return _merged([canonical(value) for value in codes], index)


def _merged(texts: Iterable[str | None], index: npt.NDArray[Any]) -> Ids:
    """Ids by texts that may be there twice."""
    texts = list(texts)
    codes = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    if len(codes) < len(texts):
        index = np.array([codes[text] for text in texts], dtype=np.int64)[index]
    return Ids(tuple(codes), index.astype(np.int64, copy=False))
