"""Sums over rectangles of whole cells: four look-ups in a table of running sums, however many."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Ints

_WIDE = 256
"""Columns from which rows are added up one by one: NumPy goes column by column, which is slower."""


def summed_area(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Sums of all counts below and left of each corner, from the south-west; row 0 is north."""
    rows, columns = counts.shape
    kind = np.float64 if counts.dtype.kind == "f" else np.int64
    sums = np.zeros((rows + 1, columns + 1), dtype=kind)
    if columns < _WIDE:
        np.cumsum(counts[::-1], axis=0, out=sums[1:, 1:])
    else:
        sums[1:, 1:] = counts[::-1]
        for here, above in zip(sums[1:], sums[2:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
            above += here
    np.cumsum(sums[1:, 1:], axis=1, out=sums[1:, 1:])
    return sums


def rectangle_sums(
    sums: npt.NDArray[Any], x0: Ints, x1: Ints, y0: Ints, y1: Ints
) -> npt.NDArray[Any]:
    """Counts in rectangles of whole cells; rows from the south.

    Examples
    --------
    >>> sums = summed_area(np.array([[1, 2], [3, 4]]))
    >>> zero, one, two = (np.array([n]) for n in range(3))
    >>> rectangle_sums(sums, zero, two, zero, one)
    array([7])
    """
    return np.asarray(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])
