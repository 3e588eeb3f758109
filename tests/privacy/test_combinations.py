"""Real releases of all that can be asked for, with the real sampler: noise, costs, what is said."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations as tuples
from itertools import product

import numpy as np
import pytest
from scipy import stats

from geodp.audit import audit_combinations, audit_sampler, combinations
from geodp.audit.combinations import AT_PLACES, CHOICES, WITH_AMOUNTS, Combination
from geodp.audit.covering import covering_rows
from geodp.audit.fit import (
    LIMIT,
    exponential_sizes,
    surprise_of_mean,
    surprise_of_share,
    surprise_of_sizes,
)
from geodp.core.pipeline.pipeline import release
from geodp.core.privacy.noise import RandomBits

FEW = {**CHOICES, "groups": (0, 2, 4, 30), "unit": ("record", "person 5", "feature 3")}


def failed(findings):
    return [finding for finding in findings if not finding.passed]


@pytest.mark.slow
@pytest.mark.parametrize("strength", [1, 2, 3])
def test_every_choice_meets_every_other(strength):
    rows = covering_rows(CHOICES, strength)
    for names in tuples(CHOICES, strength):
        seen = {tuple(row[name] for name in names) for row in rows}
        assert len(seen) == np.prod([len(CHOICES[name]) for name in names])
    assert rows == covering_rows(CHOICES, strength)
    assert len(rows) < 2.5 * np.prod(sorted(map(len, CHOICES.values()))[-strength:])


@pytest.mark.parametrize("choices", [WITH_AMOUNTS, AT_PLACES], ids=["amounts", "places"])
def test_every_choice_meets_amounts_and_places(choices):
    listed = [vars(row) for row in combinations()]
    for one, other in tuples(choices, 2):
        seen = {(row[one], row[other]) for row in listed}
        assert seen >= set(product(choices[one], choices[other]))


def test_real_releases_of_amounts_and_places_hold():
    """The units of one record, and what one person adds up to, are counted by brute force."""
    usual = {"noise": "geodp", "within": True, "crowd": "edges", "epsilon": Fraction(1)}
    rows = [
        Combination("hexagons", "visits 12", "replace", 6, **usual),
        Combination("districts", "home", "add-remove", 2, **usual),
        Combination("influence", "person total", "add-remove", 2, **usual, amount="fine"),
        Combination("adaptive", "feature 3", "replace", 2, **usual, amount="coarse"),
    ]
    assert failed(audit_combinations(rows=rows)) == []


@pytest.mark.slow
def test_real_releases_of_some_combinations_hold():
    rows = [Combination(**row) for row in covering_rows(FEW, 1)]
    findings = audit_combinations(rows=rows)
    assert failed(findings) == []
    assert {finding.measure for finding in findings} >= {
        *("noise", "signs", "apart", "one ε", "around a record", "hardly less"),
        *("counts by brute force", "records of one unit", "noise that comes again"),
    }


@pytest.mark.slow
def test_real_releases_of_two_combinations_hold():
    """Try what is quick enough for every change that tests/mutations.py makes."""
    people = {"unit": "person 5", "neighbours": "replace", "noise": "geodp", "within": True}
    rows = [
        Combination(cells=cells, groups=4, crowd="edges", epsilon=Fraction(1), **people)
        for cells in ("influence", "adaptive")
    ]
    assert failed(audit_combinations(rows=rows)) == []


@pytest.mark.slow
def test_the_sampler_holds_in_short():
    few = audit_sampler(release, draws=4000, releases=100, sources=[RandomBits])
    assert failed(few) == []


@pytest.mark.slow
def test_real_releases_of_all_pairs_hold():
    findings = audit_combinations(rows=combinations(), files=True)
    assert failed(findings) == []
    assert sum(finding.measure == "sharpness" for finding in findings) >= 2


@pytest.mark.slow
def test_the_sampler_holds_at_length():
    findings = audit_sampler(release)
    assert failed(findings) == []
    assert {finding.measure for finding in findings} == {
        *("noise", "signs", "zeros", "tail", "low bits", "sharpness", "repeats", "replays"),
        *("bits asked for", "counted once", "no fewer"),
    }


# --- the statistics themselves ----------------------------------------------------------------


@pytest.mark.parametrize("scale", ["1/3", "1", "7/3", "65", "1000000"])
def test_sizes_of_noise_are_exponential_and_those_of_other_noise_are_not(scale):
    rng, scale = np.random.default_rng(7), Fraction(scale)
    noise = RandomBits(seed=5).discrete_laplace(scale, 40_000)
    sizes = exponential_sizes(noise, scale, rng)
    assert stats.kstest(sizes, "expon").pvalue > 1e-3
    assert surprise_of_sizes(sizes) < 3
    for factor in (Fraction(11, 10), Fraction(9, 10)):
        assert surprise_of_sizes(exponential_sizes(noise, scale * factor, rng)) > LIMIT


@pytest.mark.slow
def test_surprises_are_bounds_on_true_p_values():
    rng = np.random.default_rng(3)
    for _ in range(200):
        heads = rng.binomial(100, 0.3)
        p = stats.binomtest(int(heads), 100, 0.3).pvalue
        assert 10 ** -surprise_of_share(heads / 100, 0.3, 100) >= p
        sizes = rng.exponential(size=50) * rng.choice([1.0, 1.5])
        exact = min(stats.gamma.sf(sizes.sum(), 50), stats.gamma.cdf(sizes.sum(), 50))
        assert 10 ** -surprise_of_sizes(sizes) >= min(exact, stats.kstest(sizes, "expon").pvalue)
        signs = rng.choice([-1.0, 1.0], 80)
        true = stats.binomtest(int((signs > 0).sum()), 80, 0.5).pvalue
        assert 10 ** -surprise_of_mean(signs) >= true


@pytest.mark.slow
def test_chance_rarely_surprises():
    """Of ten thousand sound samples none comes near the limit."""
    rng = np.random.default_rng(8)
    most = max(surprise_of_sizes(rng.exponential(size=20)) for _ in range(10_000))
    assert most < 5
