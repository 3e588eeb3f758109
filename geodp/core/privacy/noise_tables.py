"""Discrete Laplace noise from tables: as exact as from coins, and many times faster.

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

from ..common.types import Ints
from .noise import RandomBits

_FIRST_BITS = 16
_ALL_BITS = 64

_WIDEST = 64
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


class TabledBits(RandomBits):
    """Random bits that make geometric numbers, and so discrete Laplace noise, from tables.

    The numbers differ from those of :class:`RandomBits` with the same seed; their odds do not.

    Examples
    --------
    >>> TabledBits(seed=1).discrete_laplace(Fraction(10), 5)
    array([ -3, -20,  10,   5,  -1])
    """

    def geometric(self, rate: Fraction, count: int) -> Ints:
        """Whole numbers with ``P(X >= k) = exp(-rate * k)``."""
        # X = 2**s Q + R, where Q is geometric with 2**s times the rate and R does not depend on it.
        shift = max(math.ceil(1 / (_WIDEST * rate)) - 1, 0).bit_length()
        found = self._looked_up(_table(rate * (1 << shift)), count)
        if shift:
            found <<= shift
            found += self._falling(1 << shift, rate, count)
        return found

    def _looked_up(self, table: Table, count: int) -> Ints:
        words = np.frombuffer(self._bytes(2 * count), dtype="<u2")
        found = table.first.take(words).astype(np.int64)
        unsettled = np.flatnonzero(found < 0)
        if unsettled.size:
            found[unsettled] = self._compared(table, words[unsettled])
        beyond = np.flatnonzero(found == len(table.cuts))
        if beyond.size:
            found[beyond] += self._looked_up(table, beyond.size)
        return found

    def _compared(self, table: Table, words: npt.NDArray[np.uint16]) -> Ints:
        """Numbers from more bits, after the first ones."""
        more = np.frombuffer(self._bytes(8 * len(words)), dtype="<u8") >> np.uint64(_FIRST_BITS)
        place = words.astype(np.uint64) << np.uint64(_ALL_BITS - _FIRST_BITS) | more
        under = np.searchsorted(table.cuts, place, side="left")
        found: Ints = len(table.cuts) - under.astype(np.int64)
        last = len(table.cuts) - 1
        for each in np.flatnonzero(table.cuts[np.minimum(under, last)] == place).tolist():
            found[each] = self._exactly(table, int(place[each]))
        return found

    def _exactly(self, table: Table, place: int) -> int:
        """One number, from as many bits as it takes."""
        bits = _ALL_BITS
        while True:
            cuts = powers(table.rate, len(table.cuts), bits)
            if place not in cuts:
                return sum(place < cut for cut in cuts)
            place, bits = place << _ALL_BITS | self.below(1 << _ALL_BITS), bits + _ALL_BITS


@lru_cache(maxsize=128)
def _table(rate: Fraction) -> Table:
    cuts = powers(rate, math.ceil(_REACH / rate), _ALL_BITS)
    rising = np.array(cuts[::-1], dtype=np.uint64)
    met = (rising >> np.uint64(_ALL_BITS - _FIRST_BITS)).astype(np.int64)
    numbers = np.arange(len(cuts), -1, -1, dtype=np.int16)
    first = np.repeat(numbers, np.diff(met, prepend=0, append=1 << _FIRST_BITS))
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
        found, power, doubt = [], 1 << bits + spare, 0
        for _ in range(count):
            # Too small by less than 2.1 for the base, 1 for the shift, and what it was before.
            power, doubt = power * base >> bits + spare, doubt + 4
            found.append(power >> spare)
            if found[-1] != power + doubt >> spare:
                break
        else:
            return found


def _exponential(rate: Fraction, bits: int) -> int:
    """A whole number at most ``exp(-rate) * 2**bits``, and less than 2.1 below it."""
    # Quotient, exponential and product are each rounded in the last of these digits. Of the first
    # rounding x exp(-x) < 1 is left, so that all together move the result by less than 0.01.
    exact = Context(prec=bits // 3 + 20, rounding=ROUND_HALF_EVEN, traps=[])
    with localcontext(exact):
        value = (-Decimal(rate.numerator) / Decimal(rate.denominator)).exp() * (1 << bits)
        return max(int(value) - 1, 0)
