"""The sampler with bytes by hand: which become which number, and which are drawn again."""

from __future__ import annotations

import sys
import types
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from coins import CoinBits

from geodp.core.common.errors import GeodpError, InputError
from geodp.core.privacy import noise_tables
from geodp.core.privacy.noise import (
    OpenDPBits,
    RandomBits,
    excess_kurtosis,
    exponential_choice,
    laplace_variance,
    noise_scale,
    permute_and_flip,
    practical_scale,
)


def dealt(*pieces: bytes, kind: type[RandomBits] = RandomBits) -> Any:
    """Return bits from a list of bytes, taken in just these pieces; ``left`` holds the rest."""
    bits: Any = kind(0)
    bits.left = list(pieces)

    def deal(count: int) -> bytes:
        assert bits.left, f"{count} bytes more were asked for"
        assert len(bits.left[0]) == count
        return bits.left.pop(0)

    bits._bytes = deal
    return bits


def words(*values: int, size: int = 4) -> bytes:
    """Return words whose upper bits are these values: the lowest bit is not used."""
    return b"".join((value << 1).to_bytes(size, "little") for value in values)


# --- where bits come from ---------------------------------------------------------------------


def test_without_a_seed_bits_are_the_systems_and_a_fork_is_the_same_source():
    bits = RandomBits()
    assert bits.from_system
    assert bits.fork("a") is bits
    assert not RandomBits(1).from_system
    assert not RandomBits(0).fork("a").from_system
    assert RandomBits(0).seeded


def test_a_seeded_fork_follows_from_seed_and_name_alone():
    def drawn(seed: int, name: str) -> int:
        return RandomBits(seed).fork(name).below(1 << 60)

    seen = {drawn(seed, name) for seed in (1, 2, 11) for name in ("a", "b", "1/a", "\ud800")}
    assert len(seen) == 12
    assert drawn(1, "a") == drawn(1, "a")
    assert type(RandomBits(1).fork("a")) is RandomBits


def test_lots_and_keys_are_bytes_as_they_come():
    raw = bytes(range(16))
    assert dealt(raw).priorities(2).tolist() == [
        int.from_bytes(raw[:8], "little"),
        int.from_bytes(raw[8:], "little"),
    ]
    assert dealt(raw).priorities(2).dtype == np.uint64
    assert dealt(raw).key() == raw


# --- uniform numbers --------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [1, 2, 255, 256, 257, 10**30])
def test_a_number_below_a_bound_is_a_remainder_of_an_even_multiple(bound):
    size = (bound.bit_length() + 7) // 8 + 8
    limit = 256**size // bound * bound
    for value in (0, 1, bound, bound + 1, limit - 1):
        assert dealt(value.to_bytes(size, "little")).below(bound) == value % bound
    if limit < 256**size:
        again = dealt(limit.to_bytes(size, "little"), (7).to_bytes(size, "little"))
        assert again.below(bound) == 7 % bound
        assert again.left == []


@pytest.mark.parametrize(
    ("bound", "size"), [(2, 4), (10, 4), (2**24 - 1, 4), (2**24, 8), (2**40, 8)]
)
def test_words_are_cut_into_equal_tickets(bound, size):
    range_size = 1 << 8 * size - 1
    bits = dealt(words(0, range_size - 1, size=size))
    drawn, each = bits._words(bound, 2)
    assert (drawn.tolist(), each) == ([0, range_size - 1], range_size // bound)
    cuts = [0, each - 1, each, 2 * each - 1, bound * each - 1]
    tickets = dealt(words(*cuts, size=size))._tickets(bound, len(cuts))
    assert tickets.tolist() == [0, 0, 1, 1, bound - 1]
    if bound * each < range_size:
        again = dealt(words(bound * each, each, size=size), words(0, size=size))
        assert again._tickets(bound, 2).tolist() == [0, 1]
        assert again.left == []


# --- coins ------------------------------------------------------------------------------------


def test_many_coins_are_tossed_until_each_has_failed():
    """Of probability 3/10: tosses below 3 of 10 tickets, then below 3 of 20, 3 of 30 and so on."""
    each = [(1 << 31) // bound for bound in (10, 20, 30)]
    bits = dealt(
        words(3 * each[0], 3 * each[0] - 1, 0),  # the first fails: heads
        words(3 * each[1], 3 * each[1] - 1),  # the second fails: tails
        words(3 * each[2]),  # the third fails: heads
    )
    assert bits.coins(3, 10, 3).tolist() == [True, False, True]
    assert bits.left == []


@pytest.mark.parametrize("heads", range(0, 40, 3))
def test_a_coin_is_tossed_on_however_long_it_does_not_fail(heads):
    """No sample tells a coin that ends: seven tosses come once in a million million times."""
    bounds = [2 * turn for turn in range(1, heads + 2)]
    failing = words((1 << 31) // bounds[-1])  # the first that is no head
    bits = dealt(*[words(0)] * heads, failing)
    assert bits.coins(1, 2, 1).tolist() == [heads % 2 == 0]
    assert bits.left == []


def test_coins_of_unlike_odds_and_words_behind_the_last_ticket():
    each, behind = (1 << 31) // 10, (1 << 31) // 10 * 10
    bits = dealt(
        words(behind, behind, 5 * each),
        words(3 * each, 1 * each),  # both are drawn again: one just fails, one goes on
        words((1 << 31) // 20 * 2),
    )
    part = np.array([3, 2, 4], dtype=np.uint64)
    assert bits.coins(part, 10, 3).tolist() == [True, False, True]
    assert bits.left == []


@pytest.mark.parametrize(
    ("gamma", "turns"), [("1/2", 1), ("1", 1), ("3/2", 2), ("2", 2), ("9/4", 3)]
)
def test_one_coin_is_as_many_as_its_exponent_takes(gamma, turns, monkeypatch):
    asked: list[Fraction] = []

    def heads(_: Any, part: Fraction) -> bool:
        asked.append(part)
        return True

    monkeypatch.setattr(RandomBits, "_small_coin", heads)
    assert RandomBits(1).coin(Fraction(gamma))
    assert len(asked) == turns
    assert sum(asked) == Fraction(gamma)
    assert all(part <= 1 for part in asked)
    monkeypatch.setattr(RandomBits, "_small_coin", lambda *_: False)
    assert not RandomBits(1).coin(Fraction(gamma))


# --- noise ------------------------------------------------------------------------------------


class Parts(CoinBits):
    """Falling numbers, coins, signs and sizes by hand."""

    def __init__(self, **given: Any) -> None:
        super().__init__(0)
        self.given, self.asked = given, []

    def _next(self, name: str, *asked: Any) -> Any:
        self.asked.append((name, *asked))
        return np.array(self.given[name].pop(0))

    def _falling(self, bound: int, rate: Fraction, count: int) -> Any:
        return self._next("falling", bound, rate, count)

    def coins(self, numerator: Any, denominator: int, count: int) -> Any:
        return self._next("coins", numerator, denominator, count)

    def _signs(self, count: int) -> Any:
        return self._next("signs", count)


def test_the_oracle_puts_a_geometric_number_together_of_whole_units_and_a_rest():
    bits = Parts(
        falling=[[0, 4, 6]],
        coins=[[True, False, True], [True, False], [False]],
    )
    # In sevenths: (0 + 7·2) // 3, (4 + 0) // 3, (6 + 7·1) // 3
    assert bits.geometric(Fraction(3, 7), 3).tolist() == [4, 1, 4]
    assert bits.asked == [
        ("falling", 7, Fraction(1, 7), 3),
        *(("coins", 1, 1, count) for count in (3, 2, 1)),
    ]


def test_falling_numbers_are_tickets_that_a_coin_accepts(monkeypatch):
    tickets = iter([[5, 1, 2], [6, 0], [3]])
    coins = iter([[False, True, False], [True, False], [True]])
    asked: list[Any] = []

    def toss(_: Any, part: Any, denominator: int, count: int) -> Any:
        asked.append((part.tolist(), denominator, count))
        return np.array(next(coins))

    monkeypatch.setattr(RandomBits, "_tickets", lambda *_: np.array(next(tickets), dtype=np.uint32))
    monkeypatch.setattr(RandomBits, "coins", toss)
    assert RandomBits(1)._falling(8, Fraction(2, 9), 3).tolist() == [6, 1, 3]
    assert asked == [([10, 2, 4], 9, 3), ([12, 0], 9, 2), ([6], 9, 1)]


def test_zero_with_a_minus_is_drawn_again():
    class Sizes(Parts):
        def geometric(self, rate: Fraction, count: int) -> Any:
            return self._next("sizes", rate, count)

    bits = Sizes(
        sizes=[[0, 0, 3, 4, 0], [0, 2], [5]],
        signs=[[True, False, True, False, True], [True, True], [False]],
    )
    assert bits.discrete_laplace(Fraction(10, 9), 5).tolist() == [5, 0, -3, 4, -2]
    assert [asked for asked in bits.asked if asked[0] == "sizes"] == [
        ("sizes", Fraction(9, 10), count) for count in (5, 2, 1)
    ]


@pytest.mark.parametrize(("count", "size"), [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3)])
def test_signs_are_single_bits(count, size):
    raw = bytes([0b10110000, 0b01000001, 0b10000000][:size])
    expected = [bool(byte >> 7 - place & 1) for byte in raw for place in range(8)][:count]
    assert dealt(raw)._signs(count).tolist() == expected


def test_noise_is_drawn_with_the_scale_that_fits():
    scales = []

    class Scales(RandomBits):
        def geometric(self, rate: Fraction, count: int) -> Any:
            scales.append(1 / rate)
            return np.ones(count, dtype=np.int64)

    awkward = 1 / Fraction("0.33333333333333331")
    Scales(1).discrete_laplace(awkward, 2)
    assert scales == [practical_scale(awkward)]
    assert scales[0] > awkward


@pytest.mark.parametrize(
    ("rate", "rounded"),
    [
        (Fraction(2**32 - 1), Fraction(2**32 - 1)),
        (Fraction(2**32 - 1, 2**32 - 2), Fraction(2**32 - 1, 2**32 - 2)),
        (Fraction(1, 2**32), Fraction(1, 2**32)),  # 33 bits, rounded down to itself
        (Fraction(2**32), None),
        (Fraction(1, 2**32 + 1), None),
        (Fraction(2**40 + 1, 2**40), Fraction(1)),
        (Fraction(3, 2**40), None),
        (Fraction(2**33 + 1, 2), None),
        (Fraction(5 * 2**31 + 1, 2**33), Fraction(5, 4)),
        (Fraction(2**33 - 1, 2), Fraction(2**32 - 1)),
    ],
)
def test_rates_are_rounded_down_to_what_fits(rate, rounded):
    if rounded is None:
        with pytest.raises(InputError, match="out of the range"):
            practical_scale(1 / rate)
    else:
        assert practical_scale(1 / rate) == 1 / rounded


def test_the_scale_of_a_share():
    assert noise_scale(Fraction(1, 4), 3) == 12
    assert noise_scale(Fraction(3), 1) == Fraction(1, 3)
    assert noise_scale(Fraction(1, 4), 3, 10) == 120


def test_the_least_share_is_the_same_in_units():
    for units in (1, 10, 720_720):
        assert noise_scale(Fraction(1, 1 << 31), 2, units) == units << 32
        with pytest.raises(InputError, match=r"; 1\.55e-10 is out of the range"):
            noise_scale(Fraction(1, 1 << 31), 3, units)


def test_moments_of_noise_written_out():
    for scale in (Fraction(1, 2), Fraction(3), Fraction(40)):
        y = np.arange(-4000, 4001)
        weight = np.exp(-np.abs(y) / float(scale))
        second, fourth = ((weight * y**power).sum() / weight.sum() for power in (2, 4))
        assert laplace_variance(scale) == pytest.approx(second)
        assert excess_kurtosis(scale) == pytest.approx(fourth / second**2 - 3)
    assert laplace_variance(Fraction(1, 700)) == 0.0
    assert excess_kurtosis(Fraction(1, 10**6)) == excess_kurtosis(Fraction(1, 700))


# --- tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1, 0), (63, 0), (64, 0), (65, 1), (128, 1), (129, 2), (256, 2), (10**6, 14)],
)
def test_large_scales_are_halved_for_the_table(scale, shift, monkeypatch):
    asked: list[Any] = []

    def looked_up(self: Any, table: Any, count: int) -> Any:
        del self
        asked.append(table.rate)
        return np.full(count, 3)

    def falling(self: Any, bound: int, rate: Fraction, count: int) -> Any:
        del self
        asked.append((bound, rate, count))
        return np.full(count, 1 if shift else 0)

    monkeypatch.setattr(RandomBits, "_looked_up", looked_up)
    monkeypatch.setattr(RandomBits, "_falling", falling)
    drawn = RandomBits(1).geometric(Fraction(1, scale), 2)
    assert drawn.tolist() == [(3 << shift) + (1 if shift else 0)] * 2
    rate = Fraction(1, scale)
    assert asked == [rate * (1 << shift), *([(1 << shift, rate, 2)] if shift else [])]


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 5), Fraction(9), Fraction(2, 129)])
def test_a_table_reaches_eight_times_the_scale_and_has_every_cut(rate):
    table = noise_tables.noise_table(rate)
    assert (len(table.cuts) - 1) * rate < 8 <= len(table.cuts) * rate
    assert table.rate == rate
    assert (np.diff(table.cuts.astype(np.float64)) >= 0).all()
    assert len(table.first) == 1 << 16
    assert table.first[0] in (-1, len(table.cuts))
    assert table.first[-1] in (-1, 0)


# --- choices ----------------------------------------------------------------------------------


class Coins(RandomBits):
    """Uniform numbers and coins by hand."""

    def __init__(self, numbers: list[int], heads: list[bool]) -> None:
        super().__init__(0)
        self.numbers, self.heads, self.asked = numbers, heads, []

    def below(self, bound: int) -> int:
        self.asked.append(bound)
        return self.numbers.pop(0)

    def coin(self, gamma: Fraction) -> bool:
        self.asked.append(gamma)
        return self.heads.pop(0)


QUALITIES = [Fraction(-4), Fraction(1), Fraction(-2)]


def test_permute_and_flip_takes_candidates_out_of_a_hat():
    bits = Coins([2, 0, 0], [False, False, True])
    assert permute_and_flip(QUALITIES, Fraction(1, 3), bits) == 1
    assert bits.asked == [3, Fraction(1, 2), 2, Fraction(5, 6), 1, 0]


def test_the_exponential_choice_puts_them_back():
    bits = Coins([2, 2, 0], [False, False, True])
    assert exponential_choice(QUALITIES, Fraction(1, 3), bits) == 0
    assert bits.asked == [3, Fraction(1, 2), 3, Fraction(1, 2), 3, Fraction(5, 6)]


# --- OpenDP -----------------------------------------------------------------------------------


class Prelude(types.ModuleType):
    """Stands in for OpenDP, and writes down what it is asked for."""

    def __init__(self) -> None:
        super().__init__("opendp.prelude")
        self.asked: list[Any] = []
        self.m = self

    def enable_features(self, *features: str) -> None:
        self.asked.append(features)

    def atom_domain(self, T: str) -> Any:
        return ("atoms", T)

    def vector_domain(self, atoms: Any) -> Any:
        return ("vectors", atoms)

    def l1_distance(self, T: str) -> Any:
        return ("l1", T)

    def make_laplace(self, domain: Any, metric: Any, *, scale: float) -> Any:
        self.asked.append((domain, metric, scale))
        return lambda counts: [count + 5 for count in counts]


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(10), Fraction(2**60 + 1, 2**55)])
def test_opendp_is_asked_for_noise_of_a_scale_that_is_not_smaller(monkeypatch, scale):
    prelude, package = Prelude(), types.ModuleType("opendp")
    package.prelude = prelude
    monkeypatch.setitem(sys.modules, "opendp", package)
    monkeypatch.setitem(sys.modules, "opendp.prelude", prelude)
    bits = OpenDPBits()
    assert bits.from_system
    assert not bits.seeded
    drawn = bits.discrete_laplace(scale, 3)
    assert (drawn.tolist(), drawn.dtype) == ([5, 5, 5], np.int64)
    assert prelude.asked[0] == ("contrib",)
    domain, metric, reach = prelude.asked[1]
    assert (domain, metric) == (("vectors", ("atoms", "i64")), ("l1", "i64"))
    assert scale < Fraction(reach) < scale * (1 + Fraction(1, 2**50))
    with pytest.raises(InputError, match="leave out the seed"):
        OpenDPBits(1)


def test_opendp_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(GeodpError, match="which is not installed"):
        OpenDPBits()
