"""The tree as a method of the study: repeatable, and nearer to the truth than one grid."""

from __future__ import annotations

import numpy as np
import pytest

from study.method import influence
from study.tree import GrownTree


def error(case, method, seed=1):
    outcome = method.run(case, 1.0, 3, np.random.default_rng(seed))
    assert outcome.answers.shape == (3, len(case.test))
    return np.abs(outcome.answers - case.truth).mean()


@pytest.mark.slow
def test_the_tree_answers_boxes_better_than_one_grid(places):
    assert error(places, GrownTree()) < 0.8 * error(places, influence())
    assert error(places, GrownTree(), seed=2) == error(places, GrownTree(), seed=2)


@pytest.mark.slow
def test_error_bars_are_held_against_noise_and_truth(places):
    method, random = GrownTree(), np.random.default_rng(3)
    outcome, held = method.with_intervals(places, 1.0, 4, random)
    again = method.run(places, 1.0, 4, np.random.default_rng(3))
    assert np.array_equal(outcome.answers, again.answers)
    assert 0.9 < held.noise <= 1
    assert 0.88 < held.interval <= 1
    assert abs(held.bias) < 0.5
