"""Estimates of a tree whose splits were decided by noisy counts: without bias, or nearly so."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from trees import grow_tree, weighted_variance

from geodp.core.cells.tree_cells import TreeCells
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.estimates.fitting import fit
from geodp.core.estimates.least_squares import Fit
from geodp.core.estimates.split_bias import split_bias
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms.tree_budget import BARS, TreeBudget
from geodp.core.privacy.noise import RandomBits
from geodp.core.space.domain import Crs, Domain
from geodp.core.space.frame import Frame
from geodp.core.space.tree import Tree

UNIT = Domain((0.0, 0.0, 1.0, 1.0), Crs("unit square"))


def estimates(true: int, measured: int, budget: TreeBudget) -> tuple[float, float]:
    """Return sums of a tree of one node that was measured, by least squares and without bias.

    All noise but that of the deciding measurement is at its mean, 0.
    """
    frame = Frame(UNIT, (1, 1), 1)
    scales = [budget.scale(share) for share in (budget.total, budget.root, budget.rest)]
    if measured >= float(BARS[0] / budget.rest):
        tree = Tree(frame, [[True], [False] * 4])
        values = [true, measured, true, 0, 0, 0]
        measurements = Measurements(range(6), values, [0, 1, 2, 2, 2, 2], scales)
    else:
        tree = Tree(frame, [[False]])
        measurements = Measurements([0, 1, 1], [true, measured, true], [0, 1, 2], scales)
    plain, better = Fit(tree, measurements), Fit(tree, measurements, split_bias(tree, measurements))
    return float(plain.estimate.sum()), float(better.estimate.sum())


@pytest.mark.slow
@pytest.mark.parametrize("away", [-5, 0, 3, 10])
def test_one_decision_leaves_no_bias(away):
    """Exact means over the noise of the count that decides, around the bar and off it."""
    budget = TreeBudget.of(1)
    true, scale = round(float(BARS[0] / budget.rest)) + away, float(1 / budget.root)
    noise = np.arange(-150, 151)
    odds = np.exp(-np.abs(noise) / scale)
    odds /= odds.sum()
    drawn = np.array([estimates(true, true + int(each), budget) for each in noise])
    plain, better = odds @ (drawn - true)
    assert plain > 0.04
    assert abs(better) < 0.1 * plain  # the count of the whole domain is not reckoned with


@pytest.mark.parametrize("scale", [0.05, 0.7, 3.0, 40.0])
def test_the_formula_is_exact_for_discrete_noise(scale):
    """Of the module's first paragraphs: both sides, summed up over all noise."""
    noise = np.arange(-3000, 3001)
    q = np.exp(-1 / scale)
    odds = (1 - q) / (1 + q) * q ** np.abs(noise)
    for above in (-30, -1, 0, 1, 2, 50):
        stated = q / (1 - q * q) * (q ** np.abs(noise - above) + q ** np.abs(noise - above + 1))
        assert odds @ stated == pytest.approx(odds @ (noise * (noise >= above)), abs=1e-12)


def noise_of_sums(points: int, runs: int) -> np.ndarray:
    """Draw noise in the sum of all cells: by least squares, without bias, with standard error."""
    random = np.random.default_rng(points)
    tally = BaseTally(Frame(UNIT))
    tally.add(*random.random((2, points)))
    noise = []
    for seed in range(runs):
        tree, measurements = grow_tree(tally, TreeBudget.of(1), RandomBits(seed))
        plain, better = Fit(tree, measurements), fit(TreeCells(tree), measurements)
        error = np.sqrt(weighted_variance(plain, np.ones(len(tree))))
        noise.append((plain.estimate.sum() - points, better.counts.sum() - points, error))
    return np.array(noise)


@pytest.mark.slow
def test_sums_over_a_whole_tree_hardly_err_upwards():
    """Even points are the worst case: noise decides about all nodes of a depth."""
    noise = np.concatenate([noise_of_sums(points, 25) for points in (30, 100, 1000, 3000)])
    plain, better, _ = noise.mean(axis=0) / noise[:, 2].mean()
    assert plain > 0.4
    assert abs(better) < 0.25
    rms = np.sqrt((noise**2).mean(axis=0))
    assert rms[1] < 0.95 * rms[0]


def test_nothing_is_taken_off_where_nothing_was_decided():
    frame = Frame(UNIT, (1, 2), 2)
    tree = Tree(frame, [[True, False], [False] * 4])
    scales = [Fraction(1), Fraction(1, 1000)]
    once = Measurements(range(1, 7), [10**6, 3, 1, 2, 3, 4], [0] * 6, scales)
    bias = split_bias(tree, once)
    assert [len(values) for values in bias] == [1, 2, 4]
    assert bias[0] == bias[1][1] == 0  # no budget was left to them
    assert (bias[2] == 0).all()
    assert bias[1][0] == pytest.approx(0, abs=1e-9)  # far above every bar
    least = Measurements([1, *range(3, 7), 2], [4] * 6, [0] * 6, scales)
    unmeasured = Measurements(range(2, 7), [4] * 5, [1] * 5, scales)
    for measurements in (least, unmeasured):
        assert all(np.isfinite(values).all() for values in split_bias(tree, measurements))
    assert split_bias(tree, unmeasured)[1][0] == 0


def test_a_tree_may_have_measured_leaves_alone():
    """Nothing is known of the nodes above them then, and nothing was decided by their counts."""
    frame = Frame(UNIT, (1, 1), 3)
    tree = Tree(frame, [[True], [True, False, False, False], [False] * 4])
    leaves = Measurements(range(3, 10), [4] * 7, [0] * 7, [Fraction(1)])
    top = Measurements([0], [28], [0], [Fraction(1)])
    for measurements in (leaves, top):
        assert all((values == 0).all() for values in split_bias(tree, measurements))
    assert Fit(tree, leaves, split_bias(tree, leaves)).estimate == pytest.approx(np.full(7, 4.0))


@pytest.mark.parametrize("epsilon", ["1e-5", 10**6])
def test_any_budget_gives_finite_estimates(epsilon):
    tally = BaseTally(Frame(UNIT))
    tally.add(np.full(1000, 0.7), np.full(1000, 0.7))
    tree, measurements = grow_tree(tally, TreeBudget.of(epsilon), RandomBits(1))
    assert np.isfinite(fit(TreeCells(tree), measurements).counts).all()
