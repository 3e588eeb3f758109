"""Add many spends up at a public δ: never too little, and hardly too much."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.cli import main
from geodp.core.privacy import composition
from geodp.core.privacy.composition import composed


def optimal_delta(amounts, epsilon):
    """Compute δ by its definition: a sum over all outcomes of spends that each answer yes or no at
    random.
    """
    yes = [math.exp(amount) / (1 + math.exp(amount)) for amount in amounts]
    terms = []
    for answers in product((1, -1), repeat=len(amounts)):
        chance = math.prod(p if answer > 0 else 1 - p for p, answer in zip(yes, answers))
        loss = math.fsum(answer * amount for answer, amount in zip(answers, amounts))
        terms.append(chance * max(0.0, -math.expm1(epsilon - loss)))
    return math.fsum(terms)


def optimum(amounts, delta):
    low, high = 0.0, math.fsum(amounts)
    if optimal_delta(amounts, 0) <= delta:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if optimal_delta(amounts, middle) <= delta else (middle, high)
    return high


AMOUNTS = st.one_of(
    st.lists(st.sampled_from(["0.1", "0.25", "0.05", "1", "1.5"]), min_size=1, max_size=9),
    st.lists(st.floats(0.001, 3).map(repr), min_size=1, max_size=9),
)
DELTAS = st.sampled_from(["1e-9", "1e-6", "0.001", "0.1", "0.7"])


@examples(50)
@given(amounts=AMOUNTS, delta=DELTAS)
def test_it_is_the_optimum_rounded_up(amounts, delta):
    epsilon, plain = composed(amounts, delta), sum(map(Fraction, amounts))
    best = optimum(list(map(float, amounts)), float(delta))
    step = Fraction(10) ** (math.floor(math.log10(plain)) - 3)
    widths = len(set(amounts)) * 2 * float(plain) / composition._MOST_PLACES
    assert best - 1e-9 <= epsilon <= plain
    assert epsilon <= best + float(step) + widths + 1e-9


@examples(30)
@given(amounts=AMOUNTS, delta=DELTAS)
def test_a_coarse_lattice_rounds_up_too(amounts, delta):
    """By one of its steps for each distinct amount at most."""
    patch = pytest.MonkeyPatch()
    with patch.context() as patched:
        patched.setattr(composition, "WORK", 1)
        patched.setattr(composition, "LEAST_PLACES", 40)
        epsilon, plain = composed(amounts, delta), sum(map(Fraction, amounts))
    best = optimum(list(map(float, amounts)), float(delta))
    width = 2 * float(plain) / 40 if len(set(amounts)) > 1 else 0
    assert best - 1e-9 <= epsilon
    assert epsilon <= best + len(set(amounts)) * width + float(plain) / 1000 + 1e-9


@pytest.mark.slow
def test_a_year_of_days():
    """By the exact sum over how many of 365 equal factors are losses, in whole fractions."""
    e = Fraction(math.exp(0.1))  # near enough for three digits
    total = composed([0.1] * 365, "1e-6")
    assert total == Fraction(1032, 100)
    for epsilon, within in ((total, True), (total - Fraction(1, 100), False)):
        left = Fraction(0)
        for losses in range(365, 182, -1):
            ratio = Fraction(math.exp(float(epsilon))) / e ** (2 * losses - 365)
            if ratio < 1:
                left += math.comb(365, losses) * e**losses * (1 - ratio)
        assert (left / (1 + e) ** 365 <= Fraction(1, 10**6)) == within
    assert composed(["0.1"] * 365, "1e-9") > total > composed(["0.1"] * 365, "1e-3")


def test_it_is_never_more_than_the_sum():
    assert composed([], "1e-6") == 0
    assert composed([2], "1e-6") <= 2
    assert composed([1, "1e200"]) == 1 + Fraction(10) ** 200
    assert composed(["0.1"] * 3, "1e-300") == Fraction(3, 10)
    assert composed([Fraction(1, 10**9)] * 3) <= Fraction(3, 10**9)
    many = ["0.01"] * (composition.MOST_SPENDS + 1)
    assert composed(many) == Fraction(len(many), 100)


@pytest.mark.parametrize("delta", [0, 1, -1, 2, "x", float("nan")])
def test_delta_lies_between_0_and_1(delta):
    with pytest.raises(geodp.InputError, match="delta must"):
        composed([1], delta)


# --- ledgers -------------------------------------------------------------------------------------


@pytest.fixture
def ledger(tmp_path):
    ledger = geodp.Ledger(tmp_path / "spends.geodp")
    ledger.register("days", cap=50)
    for _ in range(60):
        ledger["days"].spend("0.1", geodp.Unit("record"), "a day")
    return ledger


def test_an_account_tells_both(ledger):
    account = ledger["days"]
    assert account.spent == 6
    assert account.composed() == composed(["0.1"] * 60) < 4
    assert account.composed("1e-3") < account.composed()
    assert account.left == 44  # caps count the plain sum


def run(*words):
    return CliRunner().invoke(main, ["ledger", *map(str, words)])


def test_the_command_line_tells_both(ledger):
    where = ["--ledger", ledger.path]
    last = run("show", "days", *where).output.splitlines()[-2:]
    assert last[0] == "days: 6 of 50 spent for one record; 44 left"
    assert last[1].startswith(f"Together they are ({float(composed(['0.1'] * 60)):g}, 1e-06)-")
    assert "caps count the plain sum" in last[1]
    facts = json.loads(run("show", "days", *where, "--json", "--delta", "1e-3").output)
    composition = facts["composed"]
    assert composition == {"epsilon": str(composed(["0.1"] * 60, "1e-3")), "delta": "1/1000"}
    assert run("show", "days", *where, "--delta", "2").exit_code == 2
    ledger.register("one", cap=1)
    ledger["one"].spend(1, geodp.Unit("record"), "once")
    assert "Together" not in run("show", "one", *where).output
