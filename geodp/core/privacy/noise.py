"""The only privacy randomness: uniform bits, exact noise and exact choices.

Discrete Laplace noise comes from the tables of :mod:`.noise_tables`. Private choice, and the low
bits of noise of large scales, come from a coin that shows heads with probability ``exp(-γ)`` for a
rational γ (Canonne, Kamath & Steinke 2020, "The Discrete Gaussian for Differential Privacy",
section 5). Everything is drawn with whole numbers. No float takes part, so no rounding can tilt an
outcome.
"""

from __future__ import annotations

import hashlib
import math
import os
import random
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import GeodpError, InputError
from ..common.types import Bools, Ints
from . import noise_tables
from .noise_tables import ALL_BITS, FIRST_BITS, WIDEST_SCALE, Table

Words = npt.NDArray[np.unsignedinteger[Any]]

_RATE_BITS = 32

_LARGE_SCALE = 1 << 16
_FINE_RATE_BITS = 52
"""Noise in units, of which many make one, has larger scales. Their rates take more bits, so that
rounding them down changes them little too; sums of coins and words still fit into 64 bits."""


class RandomBits:
    """Uniform bits from the operating system, or from a seed for tests and studies.

    Parameters
    ----------
    seed : int, optional
        A fixed stream that anyone can repeat. Never use it for a real release.

    Examples
    --------
    >>> RandomBits(seed=1).below(10) == RandomBits(seed=1).below(10)
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seeded, self._seed = seed is not None, seed
        self._bytes = os.urandom if seed is None else random.Random(seed).randbytes

    @property
    def from_system(self) -> bool:
        """Tell whether every bit is the operating system's."""
        return self._bytes is os.urandom

    def fork(self, name: str) -> RandomBits:
        """Return bits for one part of a release.

        Without a seed all bits are independent. With one, those of a part follow from the seed and
        its name alone: what other parts there are makes no difference.

        Examples
        --------
        >>> RandomBits(seed=1).fork("a").below(10**9) == RandomBits(seed=1).fork("a").below(10**9)
        True
        """
        if not self.seeded:
            return self
        key = f"{self._seed}/{name}".encode("utf-8", "surrogatepass")
        return type(self)(int.from_bytes(hashlib.blake2b(key, digest_size=16).digest(), "big"))

    def _words(self, bound: int, count: int) -> tuple[Words, int]:
        """Draw uniform words, and say how many of them make one of ``bound`` equal tickets.

        Words are 31 bits for small bounds and 63 for large ones; what is left over behind the last
        ticket, at most one word in 128, must be drawn again.
        """
        size, dtype = (4, "<u4") if bound < 1 << 24 else (8, "<u8")
        words: Words = np.right_shift(np.frombuffer(self._bytes(size * count), dtype), 1)
        return words, (1 << 8 * size - 1) // bound

    def priorities(self, count: int) -> npt.NDArray[np.uint64]:
        """Draw uniform 64-bit words, for lots."""
        return np.frombuffer(self._bytes(8 * count), dtype="<u8").astype(np.uint64)

    def key(self) -> bytes:
        """Draw sixteen bytes, to tell one run from another."""
        return self._bytes(16)

    def below(self, bound: int) -> int:
        """Return a uniform whole number in ``[0, bound)``, for bounds of any size."""
        size = (bound.bit_length() + 7) // 8 + 8
        limit = (1 << 8 * size) // bound * bound
        while True:
            value = int.from_bytes(self._bytes(size), "little")
            if value < limit:
                return value % bound

    def coin(self, gamma: Fraction) -> bool:
        """Show heads with probability ``exp(-gamma)``, for any rational ``gamma >= 0``."""
        while gamma > 1:
            if not self._small_coin(Fraction(1)):
                return False
            gamma -= 1
        return self._small_coin(gamma)

    def _small_coin(self, gamma: Fraction) -> bool:
        # Flip coins of probability γ/1, γ/2, γ/3 … until one fails: the first to fail is an odd
        # one with probability 1 - γ + γ²/2 - γ³/6 … = exp(-γ).
        turn = 1
        while self.below(gamma.denominator * turn) < gamma.numerator:
            turn += 1
        return turn % 2 == 1

    def coins(self, numerator: Words | int, denominator: int, count: int) -> Bools:
        """Toss many coins at once: heads with probability ``exp(-numerator / denominator)``.

        The quotient is at most 1.
        """
        heads = np.ones(count, dtype=np.bool_)
        alive = np.arange(count)
        part = np.broadcast_to(np.asarray(numerator, dtype=np.uint64), (count,))
        turn = 1
        while alive.size:
            bound = denominator * turn
            word, per_ticket = self._words(bound, alive.size)
            again = word < part * np.uint64(per_ticket)
            over = np.flatnonzero(word >= per_ticket * bound)
            if over.size:
                again[over] = self._tickets(bound, over.size) < part[over]
            alive, part = alive[again], part[again]
            turn += 1
            heads[alive] = turn % 2 == 1
        return heads

    def _tickets(self, bound: int, count: int) -> Words:
        """Draw uniform whole numbers in ``[0, bound)``."""
        words, per_ticket = self._words(bound, count)
        tickets = words // words.dtype.type(per_ticket)
        over = np.flatnonzero(tickets >= bound)
        if over.size:
            tickets[over] = self._tickets(bound, over.size)
        return tickets

    def geometric(self, rate: Fraction, count: int) -> Ints:
        """Draw whole numbers with ``P(X >= k) = exp(-rate * k)``."""
        # X = 2**s Q + R, where Q is geometric with 2**s times the rate and R does not depend on it.
        widest = WIDEST_SCALE * rate.numerator  # whole numbers: fractions take far more time
        shift = (-(-rate.denominator // widest) - 1).bit_length()
        coarse = rate * (1 << shift) if shift else rate
        numbers = self._looked_up(noise_tables.noise_table(coarse), count)
        if shift:
            numbers <<= shift
            numbers += self._falling(1 << shift, rate, count)
        return numbers

    def _looked_up(self, table: Table, count: int) -> Ints:
        """Draw numbers of a table's rate: two bytes settle most of them."""
        words = np.frombuffer(self._bytes(2 * count), dtype="<u2")
        numbers = table.first.take(words).astype(np.int64)
        unsettled = (numbers < 0).nonzero()[0]
        if unsettled.size:
            numbers[unsettled] = self._compared(table, words[unsettled])
        beyond = (numbers == len(table.cuts)).nonzero()[0]
        if beyond.size:
            numbers[beyond] += self._looked_up(table, beyond.size)
        return numbers

    def _compared(self, table: Table, words: npt.NDArray[np.uint16]) -> Ints:
        """Draw more bits after the first ones, and compare all of them with the cuts."""
        more = np.frombuffer(self._bytes(8 * len(words)), dtype="<u8") >> np.uint64(FIRST_BITS)
        uniform = words.astype(np.uint64) << np.uint64(ALL_BITS - FIRST_BITS) | more
        cuts_below = np.searchsorted(table.cuts, uniform, side="left")
        numbers: Ints = len(table.cuts) - cuts_below.astype(np.int64)
        last = len(table.cuts) - 1
        ties = (table.cuts[np.minimum(cuts_below, last)] == uniform).nonzero()[0]
        for tie in ties.tolist():
            numbers[tie] = self._exactly(table, int(uniform[tie]))
        return numbers

    def _exactly(self, table: Table, uniform: int) -> int:
        """Draw further bits of one number until it equals no cut."""
        bits = ALL_BITS
        while True:
            cuts = noise_tables.powers(table.rate, len(table.cuts), bits)
            if uniform not in cuts:
                return sum(uniform < cut for cut in cuts)
            uniform, bits = uniform << ALL_BITS | self.below(1 << ALL_BITS), bits + ALL_BITS

    def _falling(self, bound: int, rate: Fraction, count: int) -> Ints:
        """Draw whole numbers below ``bound`` with odds that fall as ``exp(-rate * k)``."""
        result = np.zeros(count, dtype=np.int64)
        missing = np.arange(count)
        while missing.size:
            draw = self._tickets(bound, missing.size)
            part = draw.astype(np.uint64) * np.uint64(rate.numerator)
            taken = self.coins(part, rate.denominator, missing.size)
            result[missing[taken]] = draw[taken]
            missing = missing[~taken]
        return result

    def discrete_laplace(self, scale: Fraction, count: int) -> Ints:
        """Draw whole numbers with ``P(Y = y)`` in proportion to ``exp(-|y| / scale)``."""
        rate = 1 / practical_scale(scale, _rate_bits(scale))
        result, again = self._two_sided(rate, count)
        while again.size:
            drawn, more = self._two_sided(rate, again.size)
            result[again] = drawn
            again = again[more]
        return result

    def _two_sided(self, rate: Fraction, count: int) -> tuple[Ints, Ints]:
        """Draw geometric numbers with signs, and say where zero has one: it is to be drawn again.

        Zero must not come up twice as often.
        """
        size = self.geometric(rate, count)
        negative = self._signs(count)
        again = (negative & (size == 0)).nonzero()[0]
        size *= 1 - 2 * negative.view(np.int8)  # no branches: signs are hard to foresee
        return size, again

    def _signs(self, count: int) -> Bools:
        packed = np.frombuffer(self._bytes((count + 7) // 8), dtype=np.uint8)
        return np.unpackbits(packed)[:count].view(np.bool_)


def practical_scale(scale: Fraction, bits: int = _RATE_BITS) -> Fraction:
    """Return the scale that noise is drawn with: the given one, or the next larger that fits.

    Larger means more noise, so the promise still holds. What fits is a fraction of two numbers of
    32 bits, which keeps all sums inside 64 bits: its inverse is rounded down to a binary fraction.
    With 52 bits, which are for large scales, noise grows by less than 0.1 % up to a scale of 2**42.

    Examples
    --------
    >>> practical_scale(Fraction(10, 9))
    Fraction(10, 9)
    """
    if scale.numerator > 0 and not max(scale.numerator, scale.denominator) >> bits:
        return scale
    rate = 1 / scale
    if max(rate.numerator, rate.denominator) >> bits:
        shift = bits - math.floor(rate).bit_length()
        rate = Fraction(math.floor(rate * (1 << shift)), 1 << shift) if shift >= 0 else Fraction(0)
    if rate <= 0:
        raise _out_of_range(1 / scale)
    return 1 / rate


def _rate_bits(scale: Fraction) -> int:
    return _FINE_RATE_BITS if scale > _LARGE_SCALE else _RATE_BITS


def _out_of_range(rate: Fraction) -> InputError:
    return InputError(
        "every step needs an epsilon between 0.000000001 and 1000000000 for each record that "
        f"neighbours differ in; {float(rate):.3g} is out of the range: change epsilon."
    )


def laplace_variance(scale: Fraction) -> float:
    """Return the variance of the noise, ``2q / (1 - q)²`` with ``q = exp(-1 / scale)``.

    Examples
    --------
    >>> round(laplace_variance(Fraction(1)), 4)
    1.8413
    """
    rate = 1 / scale
    return 0.5 / math.sinh(float(rate) / 2) ** 2 if rate < 700 else 0.0


def excess_kurtosis(scale: Fraction) -> float:
    """Return the excess kurtosis of the noise: ``(1 + 4q + q²) / 2q``, ``q = exp(-1 / scale)``.

    Examples
    --------
    >>> round(excess_kurtosis(Fraction(100)), 3)
    3.0
    """
    ratio = math.exp(-min(float(1 / scale), 700.0))
    return (1 + 4 * ratio + ratio * ratio) / (2 * ratio)


def noise_scale(share: Fraction, distance: int, units: int = 1) -> Fraction:
    """Return the scale of noise on counts that costs a share of ε, or the next that fits.

    Neighbouring datasets differ by adding and removing at most ``distance`` records, of ``units``
    units each, and the scale is in units.

    Examples
    --------
    >>> noise_scale(Fraction(9, 10), 5)
    Fraction(50, 9)
    """
    if units == 1:
        return practical_scale(distance / share)
    if share / distance < Fraction(1, 1 << _RATE_BITS):
        raise _out_of_range(share / distance)
    scale = distance * units / share
    return practical_scale(scale, _rate_bits(scale))


class OpenDPBits(RandomBits):
    """Random bits of the operating system; discrete Laplace noise is drawn by OpenDP.

    OpenDP brings randomness of its own, and so refuses a seed.

    Examples
    --------
    >>> len(OpenDPBits().discrete_laplace(Fraction(10), 3))
    3
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None:
            raise InputError(
                "OpenDP draws its own randomness; leave out the seed, or `noise='opendp'`."
            )
        try:
            import opendp.prelude as dp
        except ImportError:
            raise GeodpError(
                "`noise='opendp'` needs the package opendp, which is not installed: "
                "install it with the extra geodp[opendp]."
            ) from None
        super().__init__()
        dp.enable_features("contrib")
        self._dp = dp

    def discrete_laplace(self, scale: Fraction, count: int) -> Ints:
        reach = math.nextafter(float(scale), math.inf)  # never below the exact scale
        dp = self._dp
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        return np.asarray(dp.m.make_laplace(*space, scale=reach)([0] * count), dtype=np.int64)


def permute_and_flip(qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
    """Choose an index privately; qualities must have sensitivity 1 (McKenna & Sheldon 2020).

    Candidates come up in random order and are taken with probability
    ``exp(-epsilon (best - quality) / 2)``; the best is always taken when it comes up.
    """
    best = max(qualities)
    waiting = list(range(len(qualities)))
    while True:
        index = waiting.pop(bits.below(len(waiting)))
        if bits.coin(epsilon * (best - qualities[index]) / 2):
            return index


def exponential_choice(qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
    """Choose an index with probability in proportion to ``exp(epsilon * quality / 2)``.

    Qualities must have sensitivity 1. Drawing evenly and accepting relative to the best gives just
    these odds.
    """
    best = max(qualities)
    while True:
        index = bits.below(len(qualities))
        if bits.coin(epsilon * (best - qualities[index]) / 2):
            return index


def _acceptances(qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
    best = max(qualities)
    powers = [epsilon * (quality - best) / 2 for quality in qualities]
    return [(Decimal(power.numerator) / Decimal(power.denominator)).exp() for power in powers]


def exponential_probabilities(qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
    """Compute the probabilities of :func:`exponential_choice`, to 50 digits."""
    with localcontext() as context:
        context.prec = 60
        accept = _acceptances(qualities, epsilon)
        return [value / sum(accept) for value in accept]


def permute_and_flip_probabilities(
    qualities: Sequence[Fraction], epsilon: Fraction
) -> list[Decimal]:
    """Compute the probabilities of :func:`permute_and_flip`, to 50 digits.

    Give every candidate a uniform arrival time: r is chosen when its coin shows heads and every
    earlier one shows tails, so ``P(r) = p_r ∫₀¹ Π_{s≠r} (1 - t p_s) dt``, the integral of a
    polynomial in t.
    """
    with localcontext() as context:
        context.prec = 60 + 2 * len(qualities)
        accept = _acceptances(qualities, epsilon)
        result = []
        for chosen, value in enumerate(accept):
            polynomial = [Decimal(1)]
            for other in accept[:chosen] + accept[chosen + 1 :]:
                shifted = [Decimal(0), *(-other * term for term in polynomial)]
                polynomial = [a + b for a, b in zip([*polynomial, Decimal(0)], shifted)]
            area = sum((term / (power + 1) for power, term in enumerate(polynomial)), Decimal(0))
            result.append(value * area)
        return result
