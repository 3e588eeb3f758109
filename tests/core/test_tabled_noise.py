"""Noise from tables: every entry, every cut and the tie, against exp(-rate k) written out."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from checks import Dealt, tabled_geometric
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.noise_tables import noise_table, powers

RATES = [Fraction(9, 10), Fraction(1, 10), Fraction(7, 3), Fraction(1, 37), Fraction(40)]


def cut(rate: Fraction, k: int, bits: int) -> int:
    """Return ``exp(-rate k) * 2**bits`` rounded down, with digits to spare."""
    with localcontext() as context:
        context.prec = 150
        power = -Decimal(rate.numerator) * k / Decimal(rate.denominator)
        return int(power.exp() * (1 << bits))


@examples(50)
@given(st.fractions(Fraction(1, 64), 50, max_denominator=2**32), st.sampled_from([10, 64, 192]))
def test_cuts_are_rounded_down_exactly(rate, bits):
    assert powers(rate, 20, bits) == [cut(rate, k, bits) for k in range(1, 21)]


def test_cuts_next_to_a_whole_number_take_more_digits():
    """exp(-1/2**200) * 2**64 is less than a whole number by far less than the first try sees."""
    assert powers(Fraction(1, 2**200), 3, 64) == [2**64 - 1] * 3
    assert powers(Fraction(10**9), 2, 64) == [0, 0]


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_sixteen_bits_settle_only_what_they_can(rate):
    table = noise_table(rate)
    last = len(table.cuts)
    assert last >= 8 / rate
    ends = np.array([cut(rate, k, 200) for k in range(1, last + 1)])
    for word in [*range(0, 1 << 16, 251), 0, (1 << 16) - 1]:
        low, high = (word << 184), (word + 1 << 184) - 1
        least, most = ((int(place) < ends).sum() for place in (high, low))
        assert table.first[word] == (least if least == most else -1)
    unsettled = np.flatnonzero(table.first < 0)
    assert set(unsettled.tolist()) == {int(end) >> 184 for end in ends}


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_the_number_steps_down_just_at_each_cut(rate):
    for k in (1, 2, 5, 8):
        if k >= len(noise_table(rate).cuts) or cut(rate, k, 64) < 2:
            continue  # beyond the last cut numbers begin anew
        assert tabled_geometric(rate, cut(rate, k, 64) - 1, 64) == k
        assert tabled_geometric(rate, cut(rate, k, 64) + 1, 64) == k - 1
        assert tabled_geometric(rate, cut(rate, k, 128) - 1, 128) == k
        assert tabled_geometric(rate, cut(rate, k, 128) + 1, 128) == k - 1


def test_what_lies_beyond_the_table_begins_anew():
    table = noise_table(Fraction(1))
    assert len(table.cuts) == 8
    tail = (0).to_bytes(2, "little")  # below all cuts
    half = (1 << 15).to_bytes(2, "little")  # 1/2 > exp(-1): none
    bits = Dealt(tail, tail, half)
    assert bits._looked_up(table, 1).tolist() == [16]
    assert not bits.left


@pytest.mark.parametrize("scale", ["1/1000000000", "1/3", "64", "65", "1000", "4294967295"])
def test_noise_of_any_scale_has_its_mean_size(scale):
    """The mean of |Y| is 2q / (1 - q²), its standard deviation about as large."""
    noise = np.abs(RandomBits(seed=3).discrete_laplace(Fraction(scale), 20_000))
    q = math.exp(-1 / float(Fraction(scale)))
    mean = 2 * q / -math.expm1(-2 / float(Fraction(scale)))
    assert noise.mean() == pytest.approx(mean, rel=0.05)


def test_a_seed_repeats_and_the_system_does_not():
    scale = Fraction(100)
    first, second = (RandomBits(7).discrete_laplace(scale, 50) for _ in range(2))
    assert np.array_equal(first, second)
    fresh, again = (RandomBits().discrete_laplace(scale, 50) for _ in range(2))
    assert not np.array_equal(fresh, again)


@pytest.mark.parametrize("scale", [65, 1000, 10**6])
def test_the_part_below_the_table_falls_as_it_should(scale):
    """Large scales are put together of two parts; their lowest bits must fall too."""
    rate, shift = Fraction(1, scale), (math.ceil(scale / 64) - 1).bit_length()
    drawn = RandomBits(seed=11).geometric(rate, 200_000)
    below = drawn % (1 << shift)
    late = below >= 1 << shift - 1
    odds = math.exp(-(1 << shift - 1) / scale)
    assert late.mean() == pytest.approx(odds / (1 + odds), abs=5 / 2 / math.sqrt(len(drawn)))
    assert drawn.mean() == pytest.approx(scale, rel=0.02)
