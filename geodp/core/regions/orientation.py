"""Tell which way three points turn and which way a ring runs: exact, for any float64 coordinates.

Both are the sign of a determinant. Its float64 value decides wherever it is larger than a proven
bound on its rounding error; the few that are left are computed with whole numbers, which never
round: every float64 is a whole number times a power of two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints

LARGEST = 2.0**500
"""Coordinates up to this size can be multiplied without overflow."""

_ROUNDING = 2.0**-53
_FLOOR = 2.0**-900
"""Where products are smaller than this, underflow may add to their rounding error."""


def turn(a: Floats, b: Floats, c: Floats) -> Ints:
    """Return 1 where the way from a over b to c turns left, -1 where right, 0 where straight.

    Parameters
    ----------
    a, b, c : ndarray, shape (n, 2)
        Coordinates of at most ``LARGEST``.

    Examples
    --------
    >>> a, b = np.array([[0.0, 0.0]] * 3), np.array([[1.0, 1.0]] * 3)
    >>> turn(a, b, np.array([[0.5, 0.5 + 2.0**-53], [0.5, 0.5], [0.5, 0.5 - 2.0**-54]]))
    array([ 1,  0, -1])
    """
    (ux, uy), (vx, vy) = (a - c).T, (b - c).T
    left, right = ux * vy, uy * vx
    cross, size = left - right, np.abs(left) + np.abs(right)
    # Two differences and their product are off by less than 4 roundings; a product is exactly 0
    # where a factor is, since float64 differences of unlike numbers are never 0.
    straight = ((ux == 0) | (vy == 0)) & ((uy == 0) | (vx == 0))
    unsure = np.flatnonzero(
        ~straight & ((np.abs(cross) <= 4 * _ROUNDING * size) | (size <= _FLOOR))
    )
    sign = np.sign(cross).astype(np.int64)
    if unsure.size:
        (ax, ay), (bx, by), (cx, cy) = _integers(np.stack([p[unsure] for p in (a, b, c)])).swapaxes(
            1, 2
        )
        sign[unsure] = _sign((ax - cx) * (by - cy) - (ay - cy) * (bx - cx))
    return np.asarray(sign)


def direction(ring: Floats) -> int:
    """Return 1 for a ring that runs counter-clockwise, -1 for clockwise, by the sign of its area.

    Parameters
    ----------
    ring : ndarray, shape (n, 2)
        Its corners, the first not repeated; coordinates of at most ``LARGEST``.

    Returns
    -------
    int
        0 where the area is 0.

    Examples
    --------
    >>> direction(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    1
    """
    if len(ring) < 3:
        return 0
    x, y = (ring - ring[0]).T
    left, right = x * np.roll(y, -1), y * np.roll(x, -1)
    twice_area, size = (left - right).sum(), (np.abs(left) + np.abs(right)).sum()
    # Four roundings in each term and one for each addition, doubled for the size's own rounding.
    if size > _FLOOR and abs(twice_area) > 2 * (len(ring) + 8) * _ROUNDING * size:
        return int(np.sign(twice_area))
    x, y = _integers(ring).T
    twice_area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
    return int(_sign(np.array([twice_area], dtype=object))[0])


def _integers(values: Floats) -> npt.NDArray[np.object_]:
    """Return the same numbers times one power of two, so that all are Python integers."""
    mantissa, exponent = np.frexp(values)
    digits = np.ldexp(mantissa, 53).astype(np.int64).astype(object)
    exponent[values == 0] = exponent[values != 0].min(initial=1 << 20)
    shift = exponent - exponent.min(initial=1 << 20)
    return np.asarray(digits << shift.astype(object), dtype=object)


def _sign(values: npt.NDArray[Any]) -> Ints:
    return (values > 0).astype(np.int64) - (values < 0).astype(np.int64)
