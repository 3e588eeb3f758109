"""The exact coin and what is built from it: odds written out, and the ends of its range."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geodp import InputError
from geodp.noise import (
    Entropy,
    exponential_probabilities,
    laplace_noise,
    laplace_variance,
    permute_and_flip_probabilities,
    practical_rate,
)


def test_a_seed_repeats_and_the_system_does_not():
    rate = Fraction(1, 10)
    first, second = (Entropy(7).discrete_laplace(rate, 50) for _ in range(2))
    assert np.array_equal(first, second)
    fresh, again = (Entropy().discrete_laplace(rate, 50) for _ in range(2))
    assert not np.array_equal(fresh, again)
    assert Entropy(7).seeded
    assert not Entropy().seeded


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 2**80), st.integers(0, 2**32))
def test_uniform_numbers_stay_below_their_bound(bound, seed):
    assert 0 <= Entropy(seed).below(bound) < bound


class Zeros(Entropy):
    """Entropy that is not: all bits 0, or all bits 1."""

    def __init__(self, byte: int) -> None:
        super().__init__(0)
        self.calls = 0

        def same(count: int) -> bytes:
            self.calls += 1
            return (bytes([byte]) if self.calls == 1 else b"\0") * count

        self._bytes = same


@pytest.mark.parametrize("bound", [3, 10, 2**24 + 5, 2**40 + 1])
def test_words_behind_the_last_ticket_are_drawn_again(bound):
    entropy = Zeros(0xFF)  # the largest word belongs to no ticket, the second draw does
    assert entropy._tickets(bound, 1).tolist() == [0]
    assert entropy.calls == 2


def test_coins_at_the_ends_of_their_range():
    entropy = Entropy(3)
    assert entropy.coin(Fraction(0))
    assert entropy.coins(0, 5, 1000).all()
    assert not entropy.coin(Fraction(10**6))


def test_noise_has_the_requested_length_and_type():
    noise = Entropy(1).discrete_laplace(Fraction(1, 3), 1001)
    assert noise.shape == (1001,)
    assert noise.dtype == np.int64
    assert Entropy(1).discrete_laplace(Fraction(1), 0).size == 0


def test_the_variance_is_that_of_the_written_out_distribution():
    for rate in (Fraction(1, 50), Fraction(1), Fraction(5)):
        y = np.arange(-5000, 5001)
        weight = np.exp(-float(rate) * np.abs(y))
        assert laplace_variance(rate) == pytest.approx((weight * y**2).sum() / weight.sum())


def test_a_rate_off_the_lattice_becomes_a_smaller_one():
    awkward = Fraction("0.33333333333333331")
    rounded = practical_rate(awkward)
    assert rounded < awkward
    assert awkward - rounded < Fraction(1, 2**32)
    assert practical_rate(Fraction(9, 10)) == Fraction(9, 10)


@pytest.mark.parametrize("rate", [Fraction(1, 10**12), Fraction(10**12)])
def test_rates_that_cannot_be_drawn_are_refused(rate):
    with pytest.raises(InputError, match="out of the range"):
        practical_rate(rate)


def test_an_unknown_sampler_is_refused():
    with pytest.raises(InputError, match="'geodp' or 'opendp'"):
        laplace_noise(Fraction(1), 1, Entropy(1), "other")


def test_odds_of_the_exponential_mechanism():
    odds = exponential_probabilities([Fraction(0), Fraction(-2)], Fraction(1))
    assert float(odds[1] / odds[0]) == pytest.approx(math.exp(-1), rel=1e-15)


def test_odds_of_permute_and_flip_for_three():
    # p = 1, a, b with a = e^-1/2, b = e^-1: P(third) = b (1 - (1 + a)/2 + a/3)
    a, b = math.exp(-0.5), math.exp(-1)
    odds = permute_and_flip_probabilities([Fraction(0), Fraction(-1), Fraction(-2)], Fraction(1))
    assert float(odds[2]) == pytest.approx(b * (1 - (1 + a) / 2 + a / 3), rel=1e-14)
    assert abs(sum(odds) - 1) < Decimal("1e-40")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.fractions(-50, 0), min_size=2, max_size=12))
def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism(qualities):
    def shortfall(odds):
        return float(sum(float(p) * float(max(qualities) - q) for p, q in zip(odds, qualities)))

    flip = shortfall(permute_and_flip_probabilities(qualities, Fraction(1)))
    assert flip <= shortfall(exponential_probabilities(qualities, Fraction(1))) + 1e-12
