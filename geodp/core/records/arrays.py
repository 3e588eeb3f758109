"""Points in arrays: a pair, columns with names, or a stream of either. NumPy alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats
from .breaks import times
from .groups import Field, FieldValues
from .ids import Ids, check_dtype, listed, without_zone
from .source import BLOCK, Advance, Block, PointSource, Request

_RULE = (
    "arrays of points are a pair (x, y), a triple (x, y, values) where `by` names one field, or "
    "columns with names such as `{'x': x, 'y': y, 'who': ids}`"
)

_THIRD = ""
"""Name of the third of three arrays: the values of the one field that divides the groups."""


class ArraySource(PointSource):
    """Arrays of coordinates, with other columns beside them for persons and groups.

    Parameters
    ----------
    points : pair or triple of array_like, or mapping from names to array_like
        Flat and of one length. The third array has the values of the one field for groups.
    x, y : str
        Names of the coordinates in a mapping.
    crs : optional
        CRS of the coordinates; by default the domain's.
    """

    def __init__(self, points: Any, *, x: str = "x", y: str = "y", crs: Any = None) -> None:
        self.x, self.y, self.crs = x, y, crs
        self._columns = named_columns(points, x, y)

    def __repr__(self) -> str:
        return "ArraySource(private)"

    def check(self, request: Request) -> None:
        request.check_kind("table")
        names = [name for name in self._columns if name != _THIRD]
        if _THIRD in self._columns:
            if len(request.fields) != 1:
                raise InputError(f"{_RULE}; got three arrays for {len(request.fields)} fields.")
            names.append(request.fields[0].name)
        request.check_columns(names, self.x, self.y, declared=True)
        others = [self._values(field.name) for field in request.fields]
        if request.person is not None:
            check_dtype(getattr(self._columns[request.person], "dtype", None), request.person)
            others.append(self._columns[request.person])
        _check_lengths([self._columns[name] for name in (self.x, self.y)] + others)
        for field, values in zip(request.fields, others):
            check_group_dtype(getattr(values, "dtype", None), field)

    def _values(self, field: str) -> Any:
        return self._columns[field] if field in self._columns else self._columns[_THIRD]

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        self.check(request)
        xs, ys = (numbers(self._columns[name]) for name in (self.x, self.y))
        move = request.reprojection(request.domain.crs if self.crs is None else self.crs)
        # All at once, before anything is cut: what an id is must not depend on its neighbours.
        ids = None if request.person is None else Ids.of(self._columns[request.person])
        values = {field.name: self._values(field.name) for field in request.fields}
        group = request.group_codes(values, group_values)
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            x, y = move(xs[part], ys[part])
            codes = None if group is None else group[part]
            yield Block(x, y, None if ids is None else ids.take(part), codes)


class StreamSource(PointSource):
    """An iterator of arrays, each as :class:`ArraySource` takes them; it can be read once."""

    def __init__(
        self, blocks: Iterator[Any], *, x: str = "x", y: str = "y", crs: Any = None
    ) -> None:
        self.x, self.y, self.crs = x, y, crs
        self._blocks = blocks

    def __repr__(self) -> str:
        return "StreamSource(private)"

    def check(self, request: Request) -> None:
        request.check_kind("table")

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        for block in self._blocks:
            source = ArraySource(block, x=self.x, y=self.y, crs=self.crs)
            for part in source.blocks(request, advance):
                # Whoever makes the blocks may fill the same arrays again before these are counted:
                # then some records would count several times, and others never.
                yield part._replace(x=part.x.copy(), y=part.y.copy())


def array_source(points: Any, *, x: str = "x", y: str = "y", crs: Any = None) -> PointSource | None:
    """Return a source of arrays or a stream of them; None where points are something else."""
    if isinstance(points, Mapping) or _is_tuple(points):
        return ArraySource(points, x=x, y=y, crs=crs)
    return StreamSource(points, x=x, y=y, crs=crs) if hasattr(points, "__next__") else None


def _is_tuple(points: Any) -> bool:
    """Tell whether it is two or three arrays, not paths."""
    return (
        isinstance(points, (tuple, list))
        and len(points) in (2, 3)
        and not any(isinstance(part, (str, os.PathLike)) for part in points)
    )


def named_columns(points: Any, x: str, y: str) -> Mapping[str, Any]:
    """Return columns of a pair, of a triple or of a mapping."""
    if isinstance(points, Mapping):
        return points
    if _is_tuple(points):
        return dict(zip((x, y, _THIRD), points))
    raise InputError(f"{_RULE}; got {type(points).__name__}.")


def _check_lengths(places: Sequence[Any]) -> None:
    flat = all(
        hasattr(column, "__len__")
        and not isinstance(column, (str, bytes))
        and getattr(column, "ndim", 1) == 1
        for column in places
    )
    if not flat or len({len(column) for column in places}) > 1:
        raise InputError(f"{_RULE}, all flat and of one length; these are not.")


def numbers(values: Any) -> Floats:
    """Return floats of a column; NaN where a value is missing or is no number.

    Examples
    --------
    >>> numbers([1, "2.5", None, "east", 10**400])
    array([1. , 2.5, nan, nan, inf])
    """
    values = _numpy_values(values)
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind not in "biufOSUT":
        raise InputError("x and y must be columns of numbers; these are declared otherwise.")
    # One text among numbers would turn a list into text, so that is left to the loop below.
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):  # longer floats may be larger
            floats = np.asarray(values, dtype=np.float64)
        return np.where(values.mask, np.nan, floats) if _has_gaps(values) else floats
    python = list(values)
    if set(map(type, python)) <= {int, float}:
        try:
            return np.array(python, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([number(value) for value in python], dtype=np.float64)


def group_values(values: Any, field: Field) -> FieldValues:
    """Return values of a list or an array, as a field of groups asks for them.

    Examples
    --------
    >>> hours = Field.of("hour", breaks=["00:00", "12:00", "24:00"])
    >>> field_values = group_values(["2024-05-01T13:30", "08:00", None], hours)
    >>> hours.place(field_values)
    array([ 1,  0, -1], dtype=int16)
    """
    dtype = getattr(values, "dtype", None)
    if field.kind == "category":
        if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
            return values if _has_gaps(values) else np.asarray(values)
        return Ids.of(values)
    values = _numpy_values(values)
    dtype = getattr(values, "dtype", None)
    if field.kind == "number":
        plain = not isinstance(dtype, np.dtype) or dtype.kind in "biufOSUT"
        return numbers(values) if plain else np.full(len(values), np.nan)
    if isinstance(dtype, np.dtype) and dtype.kind == "M":
        moments = np.asarray(values)
        missing = np.array("NaT", dtype=moments.dtype)
        return np.where(values.mask, missing, moments) if _has_gaps(values) else moments
    if isinstance(dtype, np.dtype) and dtype.kind not in "OSUT":
        return np.full(len(values), np.datetime64("NaT", "s"))
    return times(Ids.of(list(map(_as_moment, values))), clock=field.kind == "clock")


def _as_moment(value: Any) -> Any:
    """Return a time of day as text, and any other value as it is."""
    try:
        return value.isoformat() if isinstance(value, time) else value
    except Exception:  # some values fail at any question
        return None


def _numpy_values(values: Any) -> Any:
    """Return NumPy's array of what another library, such as pyarrow, holds in one of its own."""
    values = without_zone(values)
    if hasattr(values, "__array__") and not isinstance(getattr(values, "dtype", None), np.dtype):
        try:
            return np.asarray(values)
        except Exception:  # of a value that Python cannot hold
            return listed(values)
    return values


def _has_gaps(values: Any) -> bool:
    """Tell whether it is an array with a mask; a column of pandas has a method of that name."""
    return isinstance(values, np.ma.MaskedArray)


def check_group_dtype(dtype: Any, field: Field) -> None:
    """Refuse values by their declared type, where none of them could ever be in a group."""
    known = getattr(dtype, "numpy_dtype", dtype)
    fits = {"category": "biufMOSUT", "number": "biufOSUT"}.get(field.kind, "MOSUT")
    if isinstance(known, np.dtype) and known.kind not in fits:
        raise no_group(field, known.name)
    declared = {"b": "bool", "i": "whole", "u": "whole", "f": "number", "M": "time"}
    if isinstance(known, np.dtype) and known.kind in declared:
        field.check_categories(declared[known.kind], known.name)


def no_group(field: Field, kind: object) -> InputError:
    """Return the refusal of a field by its declared type, in the same words for every source."""
    words = {
        "category": "categories are of text, numbers or dates",
        "number": "amounts, and breaks between numbers, are for numbers",
    }.get(field.kind, "breaks between dates, weekdays or times of day are for those")
    remedy = "name another field"
    if field.kind in ("time", "clock", "weekday"):
        remedy = "make it a date or a time first, give `breaks` between numbers, or " + remedy
    return InputError(f"{words}; {field.name!r} is declared as {kind}: {remedy}.")


def number(value: Any) -> float:
    """Return one value as a float; NaN if it is none, infinite if it is too large.

    Examples
    --------
    >>> number("1e3"), number("1_000"), number(None)
    (1000.0, nan, nan)
    """
    try:
        if isinstance(value, bytes):
            value = value.decode("ascii")
        if isinstance(value, str):
            # Underscores are Python's own way to write numbers, nobody else's.
            return float("nan") if "_" in value else float(value)
        # Arrays and complex numbers can be made floats too, but not without a warning.
        with np.errstate(over="ignore"):
            return float(value) if isinstance(value, (Real, Decimal)) else float("nan")
    except OverflowError:
        return float("inf")
    except Exception:  # whatever else stands there is no number, and must not stop the others
        return float("nan")
