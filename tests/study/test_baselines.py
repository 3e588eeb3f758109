"""The paper's mechanism as printed and its baselines, held to the paper's own numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from geodp import E2EPriv
from geodp.core.common.errors import InputError
from geodp.core.mechanisms.scores import relative_sensitivity
from study import baselines
from study.baselines import (
    BestNonPriv,
    Heuristic,
    Leaky,
    PrintedE2EPriv,
    heuristic_size,
    overlap_norms,
    printed_sensitivities,
)
from study.datasets import LARGE, MIDDLE, SMALL, paper_delta, paper_sizes

from .conftest import unit_case

STORAGE, LANDMARK, GOWALLA = 8_938, 869_976, 6_442_841


def test_heuristic_sizes_of_the_paper():
    assert [heuristic_size(n, 1.0) for n in (STORAGE, LANDMARK, GOWALLA)] == [30, 295, 803]
    assert math.sqrt(STORAGE / 10) == pytest.approx(29.9, abs=0.05)


def test_sanity_bounds_of_the_paper():
    rho = [delta * STORAGE for delta in (0.002, 0.01, 0.1)]
    assert rho == pytest.approx([17.88, 89.38, 893.8], abs=0.005)
    assert paper_delta(STORAGE) * STORAGE == pytest.approx(893.8)
    assert paper_delta(LANDMARK) * LANDMARK == pytest.approx(8_699.76)
    assert paper_delta(GOWALLA) * GOWALLA == pytest.approx(6_442.841)


def test_candidates_of_the_paper():
    assert [paper_sizes(n) for n in (STORAGE, LANDMARK, GOWALLA)] == [SMALL, MIDDLE, LARGE]


def test_printed_sensitivity_by_hand():
    # |D| = 100, δ = 0.1: ρ = 10. λ = 2. Two grids, two regions; norms 1, 3 and 4, 8.
    norms = np.array([[1.0, 3.0], [4.0, 8.0]])
    first, last = 1 / (0.1 * 11), 1 / 10.1
    by_hand = {
        "response": [first + 2 * 2 / 110 + last, first + 2 * 6 / 110 + last],
        "max_alpha": [first + 2 * 6 / 110 + last] * 2,
        "max_grid": [first + 2 * 16 / 110 + last] * 2,
    }
    for kind, expected in by_hand.items():
        sensitivities = printed_sensitivities(kind, 100, 0.1, 2.0, norms, [4, 16])
        assert sensitivities.tolist() == pytest.approx(expected)
    with pytest.raises(InputError, match="max_alpha"):
        printed_sensitivities("other", 100, 0.1, 2.0, norms, [4, 16])


def test_pattern_of_the_three_sensitivities(places):
    """Response-dependent ≤ max_alpha ≤ max_grid, and the gap widens as δ falls (figure 6c)."""
    case = replace(places, sizes=(40, 60, 80))
    norms, cells = overlap_norms(case), [1600, 3600, 6400]
    gaps, ratios = [], []
    for delta in (0.1, 0.01, 0.002):
        sensitivities = {
            kind: printed_sensitivities(kind, STORAGE, delta, 1.25, norms, cells)
            for kind in baselines.SENSITIVITIES
        }
        assert (sensitivities["response"] <= sensitivities["max_alpha"] * (1 + 1e-12)).all()
        assert (sensitivities["max_alpha"] < sensitivities["max_grid"]).all()
        assert (np.diff(sensitivities["response"]) > 0).all()  # grows with the grid
        # "max_alpha sees equivalent values to the maximum grid size of response-dependent"
        assert sensitivities["response"][-1] == pytest.approx(
            sensitivities["max_alpha"][0], rel=1e-6
        )
        gaps.append(sensitivities["max_grid"] - sensitivities["response"])
        ratios.append(sensitivities["max_grid"] / sensitivities["response"])
    assert (gaps[1] > 10 * gaps[0]).all()
    assert (gaps[2] > 10 * gaps[1]).all()
    assert (ratios[2] > ratios[1]).all()
    assert (ratios[1] > ratios[0]).all()


def test_printed_score_by_hand():
    # Four points in one quarter; the 2x2 grid answers the lower left eighth with 2, not 4.
    case = unit_case([0.1] * 4, [0.1] * 4, sizes=(2,), boxes=[(0.0, 0.0, 0.25, 0.5)])
    tuner = PrintedE2EPriv(delta=0.5)
    # |A| = 2, ‖a‖₁ = 0.5, T = 4 > ρ = 2
    assert tuner.scores(case, 3.0).tolist() == pytest.approx([-(2 + 3 * 0.5) / 4])
    assert tuner.probabilities(case, 1.0).tolist() == [1.0]


def test_printed_scores_are_those_of_the_exact_tuner(places):
    """The repaired tuner divides the same scores by its own bound."""
    rate, delta = Fraction(4, 5), Fraction(1, 10)
    repaired = E2EPriv(delta=delta)
    qualities = repaired.qualities(places.tally, places.overlaps, Fraction(1, 5), 1 / rate)
    noise = repaired.noise_bounds(places.tally, places.overlaps, 1 / rate, places.tuning.weights)
    rho = delta * places.records
    moves = relative_sensitivity(delta, repaired.n0)
    exact = [
        float(quality * moves * ((places.records + bound) / (rho * (rho + 1)) + 1 / rho))
        for quality, bound in zip(qualities, noise)
    ]
    assert PrintedE2EPriv(0.1).scores(places, 1.25).tolist() == pytest.approx(exact, rel=1e-6)


def test_printed_odds_follow_their_formula(places):
    tuner = PrintedE2EPriv(delta=0.1, share=0.2)
    cells = [grid.cells for grid in places.grids]
    moves = printed_sensitivities(
        "response", places.records, 0.1, 1.25, overlap_norms(places), cells
    )
    weights = np.exp(0.2 * tuner.scores(places, 1.25) / (2 * moves))
    assert np.allclose(tuner.probabilities(places, 1.0), weights / weights.sum())


def test_heuristic_takes_the_rule_and_the_whole_budget(places):
    outcome = Heuristic().run(places, 1.0, 400, np.random.default_rng(1))
    assert set(outcome.sizes) == {heuristic_size(places.records, 1.0)}
    overlap = places.test.overlap(places.grid(int(outcome.sizes[0])))
    sigma = np.sqrt(1.8413 * overlap.power_sum(2))  # discrete Laplace noise of ε = 1
    ratio = outcome.answers.std(axis=0) / sigma
    assert np.median(ratio) == pytest.approx(1, rel=0.05)


def test_best_without_noise_takes_the_largest_grid(places):
    """As the paper says it always does."""
    outcome = BestNonPriv().run(places, 1.0, 3, np.random.default_rng(1))
    assert set(outcome.sizes) == {80}
    assert (outcome.answers == outcome.answers[0]).all()


def test_leaky_beats_heuristic_and_not_the_one_without_noise(places):
    """As in the paper: tuning on the data helps, and noise costs."""
    random = np.random.default_rng(1)
    floor = np.maximum(places.truth, 0.001 * places.records)
    wide = replace(places, sizes=(10, 14, 20, 28, 30, 40, 57, 80))
    error = {
        method.name: np.abs(method.run(wide, 0.2, 40, random).answers - places.truth) / floor
        for method in (Leaky(), Heuristic(), BestNonPriv())
    }
    assert error["leaky"].mean() < 1.05 * error["heuristic"].mean()
    assert error["best-nonpriv"].mean() < 0.8 * error["leaky"].mean()


@pytest.mark.parametrize("method", [PrintedE2EPriv, Heuristic, Leaky, BestNonPriv])
def test_what_is_not_private_says_so(method):
    assert method.private is False
    assert "Not private" in method.__doc__
