"""Points in arrays: a pair, columns with names, or a stream of either. NumPy alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from .axis import Floats
from .errors import InputError
from .ids import Ids, check_dtype
from .source import BLOCK, Advance, Block, PointSource, Request

_RULE = (
    "arrays of points are a pair (x, y), or columns with names such as "
    "`{'x': x, 'y': y, 'who': ids}`"
)


class ArraySource(PointSource):
    """Arrays of coordinates, with other columns beside them where persons are protected.

    Parameters
    ----------
    points : pair of array_like, or mapping from names to array_like
        Flat and of one length.
    x, y : str
        Names of the coordinates in a mapping.
    crs : optional
        CRS of the coordinates; by default the domain's.
    """

    def __init__(self, points: Any, *, x: str = "x", y: str = "y", crs: Any = None) -> None:
        self.x, self.y, self.crs = x, y, crs
        self._columns = columns_of(points, x, y)

    def __repr__(self) -> str:
        return "ArraySource(private)"

    def check(self, request: Request) -> None:
        request.check_kind("table")
        request.check_columns(list(self._columns), self.x, self.y)
        _check_lengths([self._columns[name] for name in (self.x, self.y)], request, self._columns)
        if request.person is not None:
            check_dtype(getattr(self._columns[request.person], "dtype", None), request.person)

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        self.check(request)
        xs, ys = (numbers(self._columns[name]) for name in (self.x, self.y))
        move = request.reprojection(request.domain.crs if self.crs is None else self.crs)
        # All at once, before anything is cut: what an id is must not depend on its neighbours.
        ids = None if request.person is None else Ids.of(self._columns[request.person])
        for start in range(0, len(xs), BLOCK):
            part = slice(start, start + BLOCK)
            x, y = move(xs[part], ys[part])
            yield Block(x, y, None if ids is None else ids.take(part))


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
            yield from source.blocks(request, advance)


def array_source(points: Any, *, x: str = "x", y: str = "y", crs: Any = None) -> PointSource | None:
    """Source of arrays or of a stream of them; None where the points are something else."""
    if isinstance(points, Mapping) or _is_pair(points):
        return ArraySource(points, x=x, y=y, crs=crs)
    return StreamSource(points, x=x, y=y, crs=crs) if hasattr(points, "__next__") else None


def _is_pair(points: Any) -> bool:
    """Whether it is a pair of arrays, not of paths."""
    return (
        isinstance(points, (tuple, list))
        and len(points) == 2
        and not any(isinstance(part, (str, os.PathLike)) for part in points)
    )


def columns_of(points: Any, x: str, y: str) -> Mapping[str, Any]:
    """Columns of a pair or of a mapping."""
    if isinstance(points, Mapping):
        return points
    if _is_pair(points):
        return {x: points[0], y: points[1]}
    raise InputError(f"{_RULE}; got {type(points).__name__}.")


def _check_lengths(places: Sequence[Any], request: Request, columns: Mapping[str, Any]) -> None:
    if request.person is not None:
        places = [*places, columns[request.person]]
    flat = all(
        hasattr(column, "__len__")
        and not isinstance(column, (str, bytes))
        and getattr(column, "ndim", 1) == 1
        for column in places
    )
    if not flat or len({len(column) for column in places}) > 1:
        raise InputError(f"{_RULE}, all flat and of one length; these are not.")


def numbers(values: Any) -> Floats:
    """Floats of a column; NaN where a value is missing or is no number.

    Examples
    --------
    >>> numbers([1, "2.5", None, "east", 10**400])
    array([1. , 2.5, nan, nan, inf])
    """
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind not in "biufOSUT":
        raise InputError("x and y must be columns of numbers; these are declared otherwise.")
    # One text among numbers would turn a list into text, so that is left to the loop below.
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):  # from larger floats
            found = np.asarray(values, dtype=np.float64)
        mask = getattr(values, "mask", None)  # of an array with gaps
        return found if mask is None else np.where(mask, np.nan, found)
    listed = list(values)
    if set(map(type, listed)) <= {int, float}:
        try:
            return np.array(listed, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([number(value) for value in listed], dtype=np.float64)


def number(value: Any) -> float:
    """One value as a float; NaN if it is none, infinite if it is too large.

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
