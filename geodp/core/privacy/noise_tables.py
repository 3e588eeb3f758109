"""Tables from which geometric numbers, and so discrete Laplace noise, are drawn exactly.

A geometric number is the number of k from 1 up with ``U < exp(-rate k)``, for one uniform U between
0 and 1. A few bits of U almost always settle every comparison, so a table of all their values gives
the number at once. Where they do not, more bits are drawn until they do: what is returned is what
all bits of U would give. Cuts are ``exp(-rate k)`` rounded down to whole multiples of a power of
two; they come with bounds, and are worked out again with more digits if those leave any doubt. All
comparisons are of whole numbers.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FIRST_BITS = 16
ALL_BITS = 64

WIDEST_SCALE = 64
"""Larger scales are halved this far for the table; what is lost by that is drawn by itself."""

_REACH = 8
"""Tables end at so many times the scale. What lies beyond begins anew: it has no memory."""


class Table(NamedTuple):
    """Cuts of one rate, and what the first bits tell.

    Attributes
    ----------
    rate : Fraction
        The numbers are geometric with this rate.
    cuts : ndarray of uint64
        ``exp(-rate k) * 2**64`` rounded down, for k from the last one down to 1: rising.
    first : ndarray of int16
        For all values of the first 16 bits the number that they settle, -1 where they do not.
    """

    rate: Fraction
    cuts: npt.NDArray[np.uint64]
    first: npt.NDArray[np.int16]


@lru_cache(maxsize=128)
def noise_table(rate: Fraction) -> Table:
    """Make the table of a rate; one takes some 130 kilobytes, and the last 128 are kept.

    Examples
    --------
    >>> table = noise_table(Fraction(1))
    >>> len(table.cuts), int(table.first[-1]), int(table.first[1000])
    (8, 0, 4)
    """
    cuts = powers(rate, math.ceil(_REACH / rate), ALL_BITS)
    rising = np.array(cuts[::-1], dtype=np.uint64)
    met = (rising >> np.uint64(ALL_BITS - FIRST_BITS)).astype(np.int64)
    numbers = np.arange(len(cuts), -1, -1, dtype=np.int16)
    first = np.repeat(numbers, np.diff(met, prepend=0, append=1 << FIRST_BITS))
    first[met] = -1
    return Table(rate, rising, first)


def powers(rate: Fraction, count: int, bits: int) -> list[int]:
    """Return ``exp(-rate k) * 2**bits`` for k from 1 to ``count``, each rounded down, exactly.

    Examples
    --------
    >>> powers(Fraction(1, 2), 3, 10)
    [621, 376, 228]
    """
    spare = 32
    while True:
        spare *= 2
        base = _exponential(rate, bits + spare)
        cuts, power, doubt = [], 1 << bits + spare, 0
        for _ in range(count):
            # Too small by less than 2.1 for the base, 1 for the shift, and what it was before.
            power, doubt = power * base >> bits + spare, doubt + 4
            cuts.append(power >> spare)
            if cuts[-1] != power + doubt >> spare:
                break
        else:
            return cuts


def _exponential(rate: Fraction, bits: int) -> int:
    """Return a whole number at most ``exp(-rate) * 2**bits``, and less than 2.1 below it."""
    # Quotient, exponential and product are each rounded in the last of these digits. Of the first
    # rounding x exp(-x) < 1 is left, so that all together move the result by less than 0.01.
    exact = Context(prec=bits // 3 + 20, rounding=ROUND_HALF_EVEN, traps=[])
    with localcontext(exact):
        value = (-Decimal(rate.numerator) / Decimal(rate.denominator)).exp() * (1 << bits)
        return max(int(value) - 1, 0)
