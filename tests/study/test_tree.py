"""The tree as a method of the study: repeatable, and nearer to the truth than one grid."""

from __future__ import annotations

import numpy as np

from geodp.study.method import influence
from geodp.study.tree import GrownTree


def error(case, method, seed=1):
    outcome = method.run(case, 1.0, 3, np.random.default_rng(seed))
    assert outcome.answers.shape == (3, len(case.test))
    return np.abs(outcome.answers - case.truth).mean()


def test_the_tree_answers_boxes_better_than_one_grid(places):
    assert error(places, GrownTree()) < 0.8 * error(places, influence())
    assert error(places, GrownTree(), seed=2) == error(places, GrownTree(), seed=2)
