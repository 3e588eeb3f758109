"""Tell whose records are: ids from any container, told apart by their canonical texts.

A list is never made an array, nor is anything else compared across types: what one record holds
must not change whose the others are (docs/privacy.md, claim 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Ints
from .canonical import canonical

__all__ = ["Ids", "canonical", "check_dtype"]


class Numerals(Sequence[Any]):
    """Texts of whole numbers, each written when it is asked for: most never are. Private.

    Parameters
    ----------
    numbers : ndarray of int
        The numbers, each once.

    Examples
    --------
    >>> texts = Numerals(np.array([7, -1]))
    >>> texts, list(texts), None in texts
    (Numerals(private), ['7', '-1'], False)
    """

    def __init__(self, numbers: npt.NDArray[Any]) -> None:
        self._numbers = numbers

    def __repr__(self) -> str:
        return "Numerals(private)"

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        some = self._numbers[place].tolist()
        return tuple(map(str, some)) if isinstance(some, list) else str(some)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._numbers.tolist())

    def __contains__(self, text: object) -> bool:
        return text is not None and text in tuple(self)


@dataclass(frozen=True, eq=False, repr=False)
class Ids:
    """Tell whose each record is. Private.

    Attributes
    ----------
    texts : sequence of str or None
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

    texts: Sequence[str | None]
    index: Ints

    def __post_init__(self) -> None:
        self.index.setflags(write=False)

    def __repr__(self) -> str:
        return "Ids(private)"

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def of(cls, values: Any) -> Ids:
        """Return ids of a list, an array, a column of a table, or of anything that can be iterated.

        Only values that share a declared type are compared with each other by NumPy. A list is
        never made an array: ``[2**60, nan]`` would become floats and ``[7, "abc"]`` text.
        """
        if isinstance(values, Ids):
            return values
        values = without_zone(values)
        held = getattr(values, "array", values)  # of a column of pandas, the array within
        if hasattr(held, "codes") and hasattr(held, "categories"):
            return cls.from_distinct(held.categories, np.asarray(held.codes))
        array = _array(values)
        if array is None:
            return _object_ids(listed(values))
        if array.ndim != 1:
            raise InputError("ids must be a flat list or array; these are not.")
        ids = _array_ids(array)
        if isinstance(values, np.ma.MaskedArray):
            ids = Ids.from_texts(
                [*ids.texts, None], np.where(values.mask, len(ids.texts), ids.index)
            )
        return ids

    @classmethod
    def from_distinct(cls, values: Any, index: npt.NDArray[Any]) -> Ids:
        """Return ids where the distinct values are known; -1 in the index stands for nobody.

        Examples
        --------
        >>> ids = Ids.from_distinct(["7", 7, "ann"], np.array([0, 1, 2, -1]))
        >>> [ids.texts[place] for place in ids.index]
        ['7', '7', 'ann', None]
        """
        if isinstance(values, list):
            return Ids.from_texts([*map(canonical, values), None], index)
        known = cls.of(values)
        texts = known.texts if None in known.texts else (*known.texts, None)
        return cls(texts, np.append(known.index, texts.index(None))[index])

    @classmethod
    def from_texts(cls, texts: Iterable[str | None], index: npt.NDArray[Any]) -> Ids:
        """Return ids by canonical texts, some of which may be there twice."""
        codes: dict[str | None, int] = {}
        table = np.array([codes.setdefault(text, len(codes)) for text in texts], dtype=np.int64)
        return cls(tuple(codes), table[index])

    def take(self, which: npt.NDArray[Any] | slice) -> Ids:
        """Take some of the records, by a mask, by their numbers or by a slice."""
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
    geodp.core.common.errors.InputError: ids must be text, whole numbers, dates or UUIDs; 'who' is \
declared as float32: store them as text or whole numbers.
    """
    known = getattr(dtype, "numpy_dtype", dtype)
    if not isinstance(known, np.dtype):
        return
    if known.kind in "cVm" or (known.kind == "f" and known.newbyteorder("=") != np.float64):
        raise no_ids(field, known.name)


def no_ids(field: str, kind: object) -> InputError:
    """Return the refusal of a field by its declared type, in the same words for every source."""
    return InputError(
        f"ids must be text, whole numbers, dates or UUIDs; {field!r} is declared as {kind}: "
        "store them as text or whole numbers."
    )


def without_zone(values: Any) -> Any:
    """Return times of pandas that have a zone as NumPy's in UTC, and anything else as it is.

    As Python's or its own, one that is too far would stop all others.
    """
    held = getattr(values, "array", values)  # the array within a column, which may number times
    times = getattr(held, "categories", held)
    if getattr(times, "tz", None) is None or not hasattr(times, "tz_convert"):
        return values
    moments: npt.NDArray[Any] = np.asarray(times.tz_convert(None))
    return moments if times is held else np.append(moments, np.datetime64("NaT"))[held.codes]


def listed(values: Any) -> list[Any]:
    """List values one by one; None stands for one that Python cannot hold.

    Arrow's arrays may hold dates far beyond Python's, and text that is no UTF-8.
    """
    held = getattr(values, "array", values)  # the array within a column of pandas
    with suppress(Exception):  # of a column that Arrow does not hold
        held = held.__arrow_array__()
    if not hasattr(held, "to_pylist"):
        return list(values)
    try:
        python: list[Any] = held.to_pylist()
        return python
    except Exception:
        return [_in_python(value) for value in held]


def _in_python(value: Any) -> Any:
    try:
        return value.as_py()
    except Exception:
        return None


def _array(values: Any) -> npt.NDArray[Any] | None:
    """Return an array that holds every value exactly, if there is one."""
    if isinstance(getattr(values, "dtype", None), np.dtype):
        return np.asarray(values)
    if hasattr(values, "dtype") and hasattr(values, "to_numpy"):
        # Columns of other types (whole numbers with gaps, say) turn into floats unless told not to.
        with suppress(Exception):  # not a column of pandas, or one of a value that it has not
            return np.asarray(values.to_numpy(dtype=object))
    with suppress(Exception):  # of what is no array, or of a type that NumPy has not
        if np.asarray(values[:0].__array__()).dtype.kind == "M":
            return np.asarray(values)  # NumPy's dates reach further than Python's
    return None


def _array_ids(array: npt.NDArray[Any]) -> Ids:
    kind = array.dtype.kind
    if kind in "OUST" or not len(array):  # hashing text is faster than sorting it
        return _object_ids(array.tolist())
    if kind in "biu":
        return _integer_ids(array)
    if kind in "fM":
        distinct, index = np.unique(array, return_inverse=True)
        return Ids.from_texts([canonical(value) for value in distinct], index)
    return Ids((None,), np.zeros(len(array), dtype=np.int64))


def _integer_ids(array: npt.NDArray[Any]) -> Ids:
    low, high = int(array.min()), int(array.max())
    if high - low > max(1 << 16, 2 * len(array)):
        distinct, index = np.unique(array, return_inverse=True)
        return Ids(Numerals(distinct), index.astype(np.int64))
    # Numbers that lie close together are told apart by a table, which is faster than sorting.
    wide = array.astype(np.uint64 if array.dtype.kind == "u" else np.int64, copy=False)
    least = wide.dtype.type(low)
    above = (wide - least).astype(np.int64, copy=False)
    table = np.zeros(high - low + 1, dtype=np.int64)
    table[above] = 1
    present = np.flatnonzero(table)
    table[present] = np.arange(len(present))
    return Ids(Numerals(present.astype(wide.dtype) + least), table[above])


_PLAIN = frozenset({str, bytes, bool, int, float, type(None)})
_WHOLE_TYPES = frozenset({bool, int})


def _object_ids(values: list[Any]) -> Ids:
    """Return ids of values of any types.

    Values are looked up by equality only where equal ones have equal texts. That fails for 2**53
    and its float, of which only the first is an id, and for times that a clock shows twice in a
    night, which are equal in Python: whose text counted would depend on the order of the records.
    Of bytes beside text Python warns, if it is told to (``python -b``).
    """
    kinds = set(map(type, values))
    unlike = (float in kinds and kinds & _WHOLE_TYPES) or kinds >= {bytes, str}
    if unlike or not kinds <= _PLAIN:
        values = [canonical(value) for value in values]
    codes = {value: number for number, value in enumerate(dict.fromkeys(values))}
    index = np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))
    return Ids.from_texts([canonical(value) for value in codes], index)
