"""The exact coin and what is built from it: odds written out, and the ends of its range."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from checks import Bytes, coin_odds
from coins import CoinBits
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import square

import geodp
from geodp import E2EPriv, Influence, InputError
from geodp.audit.exact import draw_odds
from geodp.audit.script import Drawing
from geodp.core.privacy.noise import (
    RandomBits,
    exponential_probabilities,
    laplace_variance,
    noise_scale,
    permute_and_flip_probabilities,
    practical_scale,
)


def test_a_seed_repeats_and_the_system_does_not():
    scale = Fraction(10)
    first, second = (RandomBits(7).discrete_laplace(scale, 50) for _ in range(2))
    assert np.array_equal(first, second)
    fresh, again = (RandomBits().discrete_laplace(scale, 50) for _ in range(2))
    assert not np.array_equal(fresh, again)
    assert RandomBits(7).seeded
    assert not RandomBits().seeded


@examples(200)
@given(st.integers(1, 2**80), st.integers(0, 2**32))
def test_uniform_numbers_stay_below_their_bound(bound, seed):
    assert 0 <= RandomBits(seed).below(bound) < bound


@pytest.mark.parametrize("bound", [3, 10, 2**24 + 5, 2**40 + 1])
def test_words_behind_the_last_ticket_are_drawn_again(bound):
    bits = Bytes(0xFF)  # the largest word belongs to no ticket, the second draw does
    assert bits._tickets(bound, 1).tolist() == [0]
    assert bits.calls == 2


@pytest.mark.parametrize("gamma", ["1/1000", "1/3", "5/7", "1", "9/5"])
def test_the_coin_has_its_odds_to_25_digits(gamma):
    """Every course of the tosses behind it, with its chance, against exp(-γ) written out."""
    odds, power = coin_odds(Fraction(gamma)), Fraction(gamma)
    series = sum((-power) ** k / Fraction(math.factorial(k)) for k in range(60))
    assert abs(odds - series) < Fraction(1, 10**25)


def test_coins_at_the_ends_of_their_range():
    bits = RandomBits(3)
    assert bits.coin(Fraction(0))
    assert bits.coins(0, 5, 1000).all()
    assert not bits.coin(Fraction(10**6))


def test_noise_has_the_requested_length_and_type():
    noise = RandomBits(1).discrete_laplace(Fraction(1, 3), 1001)
    assert noise.shape == (1001,)
    assert noise.dtype == np.int64
    assert RandomBits(1).discrete_laplace(Fraction(1), 0).size == 0


def test_the_variance_is_that_of_the_written_out_distribution():
    for rate in (Fraction(1, 50), Fraction(1), Fraction(5)):
        y = np.arange(-5000, 5001)
        weight = np.exp(-float(rate) * np.abs(y))
        assert laplace_variance(1 / rate) == pytest.approx((weight * y**2).sum() / weight.sum())


@pytest.mark.parametrize("rate", [699, 700, 720, 1399, 1400, 10**6])
def test_the_variance_of_hardly_any_noise_is_tiny(rate):
    assert 0 <= laplace_variance(Fraction(1, rate)) < 1e-300


@pytest.mark.parametrize("epsilon", ["0.33333333333333331", "2.302585092994046", "8.1234567891"])
def test_a_scale_that_does_not_fit_becomes_a_slightly_larger_one(epsilon):
    """Ordinary values of ε, ln 10 among them: more noise, by less than one part in 10⁹."""
    awkward = 1 / Fraction(epsilon)
    rounded = practical_scale(awkward)
    assert awkward < rounded < awkward * (1 + Fraction(1, 10**9))
    assert max(rounded.numerator, rounded.denominator) <= 1 << 32
    assert practical_scale(Fraction(9, 10)) == Fraction(9, 10)


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6))
def test_every_scale_in_range_can_be_drawn_and_none_becomes_smaller(scale):
    practical = practical_scale(scale)
    assert scale <= practical <= scale * (1 + Fraction(1, 1000))
    assert max(practical.numerator, practical.denominator) <= 1 << 32


@pytest.mark.parametrize("scale", [Fraction(1, 10**12), Fraction(10**12)])
def test_scales_that_cannot_be_drawn_are_refused(scale):
    with pytest.raises(InputError, match="out of the range"):
        practical_scale(scale)


@given(st.fractions(min_value=1 << 16, max_value=1 << 42))
def test_noise_in_units_grows_by_less_than_a_thousandth(scale):
    """Scales of units are large, and what a release states is what is drawn."""
    units = 720_720
    rounded = noise_scale(units / scale, 1, units)
    assert scale <= rounded <= scale * (1 + Fraction(1, 1000))
    bits = Heard(seed=1)
    bits.discrete_laplace(rounded, 1)
    assert bits.scales == [rounded]


class Heard(RandomBits):
    """Bits that write down with which scales numbers are drawn."""

    def __init__(self, seed):
        super().__init__(seed)
        self.scales = []

    def _two_sided(self, rate, count):
        self.scales.append(1 / rate)
        return np.zeros(count, dtype=np.int64), np.zeros(0, dtype=np.int64)


@pytest.mark.parametrize("bits", [RandomBits, CoinBits])
@pytest.mark.parametrize("scale", [Fraction(720_720), Fraction(10**13, 3), Fraction(2**46)])
def test_noise_in_units_has_the_size_that_is_stated(bits, scale):
    """The mean size of 100,000 draws is the scale, to within five standard deviations."""
    scale = noise_scale(720_720 / scale, 1, 720_720)
    drawn = bits(seed=3).discrete_laplace(scale, 100_000)
    mean = np.abs(drawn / float(scale)).mean()
    assert abs(mean - 1) < 5 / math.sqrt(100_000)
    assert abs(np.sign(drawn).mean()) < 5 / math.sqrt(100_000)


def test_an_unknown_sampler_is_refused():
    with pytest.raises(InputError, match="'geodp' or 'opendp'"):
        geodp.release(([0.0], [0.0]), square(4.0), epsilon=1, noise="other")


@examples(60)
@given(
    st.lists(st.fractions(-50, 0, max_denominator=999), min_size=2, max_size=4),
    st.fractions(Fraction(1, 100), 5, max_denominator=100),
    st.sampled_from([Influence(), E2EPriv()]),
)
def test_draws_have_the_stated_odds_to_30_digits(qualities, epsilon, tuner):
    """All courses of a draw, one coin after the other, add up to the probabilities in the code."""
    drawn = draw_odds(tuner.choose, Drawing(qualities, epsilon))
    for odds, stated in zip(drawn, tuner.probabilities(qualities, epsilon)):
        assert abs(odds / stated - 1) < Decimal("1e-30")


def test_odds_of_the_exponential_mechanism():
    odds = exponential_probabilities([Fraction(0), Fraction(-2)], Fraction(1))
    assert float(odds[1] / odds[0]) == pytest.approx(math.exp(-1), rel=1e-15)


def test_odds_of_permute_and_flip_for_three():
    # p = 1, a, b with a = e^-1/2, b = e^-1: P(third) = b (1 - (1 + a)/2 + a/3)
    a, b = math.exp(-0.5), math.exp(-1)
    odds = permute_and_flip_probabilities([Fraction(0), Fraction(-1), Fraction(-2)], Fraction(1))
    assert float(odds[2]) == pytest.approx(b * (1 - (1 + a) / 2 + a / 3), rel=1e-14)
    assert abs(sum(odds) - 1) < Decimal("1e-40")


@examples(200)
@given(st.lists(st.fractions(-50, 0), min_size=2, max_size=12))
def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism(qualities):
    def shortfall(odds):
        return float(sum(float(p) * float(max(qualities) - q) for p, q in zip(odds, qualities)))

    flip = shortfall(permute_and_flip_probabilities(qualities, Fraction(1)))
    assert flip <= shortfall(exponential_probabilities(qualities, Fraction(1))) + 1e-12
