"""Read points in WKB with NumPy: every value by itself, and nothing but points.

General readers of WKB follow nested collections as deep as a value says, and one value of some
hundred kilobytes can end the process (GEOS overflows its stack). Points and MultiPoints need no
depth: here a value is a point or a list of points of the length that its header says, in either
byte order, with or without SRID, Z and M, or it is dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.types import Floats, Ints

Bytes = npt.NDArray[np.uint8]

_SRID, _M, _Z = 0x20000000, 0x40000000, 0x80000000
_POINT, _MULTIPOINT = 1, 4


def wkb_points(data: Bytes, start: Ints, length: Ints) -> tuple[Floats, Floats, Ints]:
    """Read the coordinates of WKB values, and tell the value that each belongs to.

    Parameters
    ----------
    data : ndarray of uint8
        All values, one behind the other.
    start, length : ndarray of int64
        Where each value begins, and its number of bytes; 0 for a missing one.

    Examples
    --------
    >>> raw = np.frombuffer(bytes.fromhex("0101000000" + "00" * 14 + "f03f"), dtype=np.uint8)
    >>> wkb_points(raw, np.array([0]), np.array([21]))
    (array([0.]), array([1.]), array([0]))
    """
    value = np.flatnonzero(length >= 9)
    start, length = start[value], length[value]
    big, kind, dimensions, header = _header(data, start)
    size = 8 * dimensions
    single = (kind == _POINT) & (length == header + size)
    several = np.flatnonzero((kind == _MULTIPOINT) & (length >= header + 4))
    count = _unsigned(data, start[several] + header[several], big[several])
    smallest = 5 + size[several]
    fits = length[several] == header[several] + 4 + count * smallest
    several, count, smallest = several[fits], count[fits], smallest[fits]
    owner = np.repeat(np.arange(len(several)), count)
    turn = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    child = (start + header)[several][owner] + 4 + turn * smallest[owner]
    child_big, child_kind, child_dimensions, child_header = _header(data, child)
    good = (child_kind == _POINT) & (child_header == 5)
    good &= child_dimensions == dimensions[several][owner]
    complete = np.bincount(owner, ~good, minlength=len(several)) == 0  # all its points, or none
    kept = complete[owner]
    place = np.concatenate([(start + header)[single], child[kept] + 5])
    order = np.concatenate([big[single], child_big[kept]])
    feature = np.concatenate([value[single], value[several][owner][kept]])
    by_feature = np.argsort(feature, kind="stable")
    place, order, feature = place[by_feature], order[by_feature], feature[by_feature]
    return _floats(data, place, order), _floats(data, place + 8, order), feature


def _header(data: Bytes, start: Ints) -> tuple[npt.NDArray[np.bool_], Ints, Ints, Ints]:
    """Read headers: whether big-endian, kind (0 if odd), dimensions and length."""
    order = data[start]
    big = order == 0
    code = _unsigned(data, start + 1, big)
    plain = code & 0x0FFFFFFF
    further = plain // 1000  # ISO writes 1000 for Z, 2000 for M, 3000 for both
    z = ((code & _Z) != 0) | np.isin(further, (1, 3))
    m = ((code & _M) != 0) | np.isin(further, (2, 3))
    kind = np.where((order <= 1) & (further <= 3) & (code & 0x10000000 == 0), plain % 1000, 0)
    return big, kind, 2 + z + m.astype(np.int64), np.where(code & _SRID, 9, 5)


def _unsigned(data: Bytes, place: Ints, big: npt.NDArray[np.bool_]) -> Ints:
    """Read unsigned numbers of 32 bits at any places, in either byte order."""
    raw = data[place[:, None] + np.arange(4)]
    little = np.ascontiguousarray(np.where(big[:, None], raw[:, ::-1], raw))
    return little.view("<u4")[:, 0].astype(np.int64)


def _floats(data: Bytes, place: Ints, big: npt.NDArray[np.bool_]) -> Floats:
    raw = data[place[:, None] + np.arange(8)]
    little = np.ascontiguousarray(np.where(big[:, None], raw[:, ::-1], raw))
    return little.view("<f8")[:, 0].astype(np.float64)


def binary_values(column: Any) -> tuple[Bytes, Ints, Ints]:
    """Return bytes, starts and lengths of an Arrow column of large binary values; 0 if missing."""
    _, where, data = column.buffers()
    if data is None or not len(column):
        empty = np.zeros(len(column), dtype=np.int64)
        return np.empty(0, dtype=np.uint8), empty, empty
    offsets = np.frombuffer(where, dtype=np.int64)[column.offset :][: len(column) + 1]
    length = np.diff(offsets)
    if column.null_count:
        length = np.where(np.asarray(column.is_null()), 0, length)
    return np.frombuffer(data, dtype=np.uint8), offsets[:-1], length
