"""Name the types that modules pass to each other, make arrays read-only, and check numbers."""

from __future__ import annotations

import math
import os
from numbers import Real
from typing import Any, TypeVar, Union

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SignedInts = npt.NDArray[np.signedinteger[Any]]

Bounds = tuple[float, float, float, float]
"""Lower and upper ends of a rectangle: ``xmin, ymin, xmax, ymax``."""

Columns = dict[str, npt.NDArray[Any]]
"""Columns of a table by their names."""

PathLike = Union[str, os.PathLike[str]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def read_only(array: _Array) -> _Array:
    """Return an array that nobody can write to: the given one, or a copy where that is open.

    Examples
    --------
    >>> read_only(np.zeros(3)).flags.writeable
    False
    """
    if array.flags.writeable or array.base is not None:
        array = array.copy()
        array.setflags(write=False)
    return array


def freeze(array: _Array) -> _Array:
    """Make an array read-only in place: a new one, to which nobody else has a reference."""
    array.setflags(write=False)
    return array


def as_positive(value: object) -> float | None:
    """Return a positive number as a float; None for anything else, text and bools among it.

    Examples
    --------
    >>> [as_positive(value) for value in (2, True, "2", 0, float("inf"))]
    [2.0, None, None, None, None]
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < math.inf:
        return None
    return float(value)
