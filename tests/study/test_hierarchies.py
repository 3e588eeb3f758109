"""HB and DAWA: sums are unbiased, budgets add up, variances are as stated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from study import dawa
from study.dawa import DawaMaker, base_size, best_shares, hilbert_order, level_loads
from study.hb import Hierarchy, best_hierarchy
from study.hierarchy import agreed, axis_shares, below, level_counts, merged, spread
from study.peers import Dawa, Hb

from .conftest import unit_case

BOXES = np.array([[0.0, 0.0, 0.5, 0.75], [0.1, 0.2, 0.77, 0.6], [0.3, 0.3, 0.35, 0.4]])


class Written:
    """A generator that writes down the scale of all noise it gives."""

    def __init__(self, seed=1):
        self.random, self.scales = np.random.default_rng(seed), []

    def laplace(self, scale, size):
        self.scales.append(scale)
        return self.random.laplace(scale=scale, size=size)


def dense_estimate(noisy, variances, branching):
    """Return least squares by the textbook: a row for each node, a column for each finest cell."""
    cells = np.eye(noisy[-1].size).reshape(-1, *noisy[-1].shape)
    each = [level_counts(cell, branching, len(noisy)) for cell in cells]
    rows = np.array([np.concatenate([level.ravel() for level in levels]) for levels in each]).T
    weight = np.concatenate(
        [np.full(v.size, variance**-0.5) for v, variance in zip(noisy, variances)]
    )
    values = np.concatenate([level.ravel() for level in noisy])
    estimate = np.linalg.lstsq(rows * weight[:, None], values * weight, rcond=None)[0]
    return estimate.reshape(noisy[-1].shape)


@pytest.mark.parametrize(("shape", "branching", "levels"), [((16,), 2, 4), ((9, 9), 3, 2)])
def test_levels_agree_as_in_least_squares(shape, branching, levels):
    random = np.random.default_rng(1)
    true = level_counts(random.integers(0, 9, shape), branching, levels)
    noisy = [level + random.normal(size=level.shape) for level in true]
    variances = [0.5, 3.0, 1.0, 2.0][:levels]
    estimates = agreed(noisy, variances, branching)
    assert estimates == pytest.approx(dense_estimate(noisy, variances, branching))


def test_merging_and_spreading_undo_each_other():
    values = np.arange(36.0).reshape(6, 6)
    assert merged(spread(values, 3), 3) == pytest.approx(9 * values)
    assert below([2.0] * 3, 4) == pytest.approx([1 / (1 / 2 + 1 / (4 * 1.6)), 1.6, 2.0])


# --- HB


@pytest.mark.parametrize("shape", [(9, 1), (3, 2), (2, 3)])
def test_noise_of_a_hierarchy_has_the_stated_variance_and_no_bias(shape):
    chosen, random = Hierarchy(*shape), np.random.default_rng(1)
    counts = np.full((chosen.size, chosen.size), 2.0)
    across, up = axis_shares(BOXES, chosen.size)
    drawn = np.array(
        [((up @ chosen.release(counts, 0.5, random)) * across).sum(axis=1) for _ in range(2000)]
    )
    stated = chosen.variance(0.5, across, up)
    assert drawn.var(axis=0) == pytest.approx(stated, rel=0.2)
    truth = 2 * across.sum(axis=1) * up.sum(axis=1)
    assert (np.abs(drawn.mean(axis=0) - truth) < 4 * np.sqrt(stated / 2000)).all()


def test_levels_of_a_hierarchy_spend_epsilon_together():
    random = Written()
    Hierarchy(2, 3).release(np.zeros((8, 8)), 0.6, random)
    assert len(random.scales) == 3
    assert sum(1 / scale for scale in random.scales) == pytest.approx(0.6)


def test_branching_follows_the_domain():
    assert best_hierarchy(100_000, 1.0, BOXES[2:]).levels == 1  # small boxes: a plain grid
    for records in (1_000, 100_000, 10_000_000):
        chosen = best_hierarchy(records, 1.0, BOXES)
        assert math.sqrt(records / 10) - 1 < chosen.size < 4 * math.sqrt(records / 10)


# --- DAWA


def test_hilbert_neighbours_touch():
    assert base_size(41_281, 1.0) == 128
    order = hilbert_order(16)
    assert sorted(order) == list(range(256))
    steps = np.abs(np.diff(np.stack(np.divmod(order, 16)), axis=1)).sum(axis=0)
    assert (steps == 1).all()


def brute_force_cost(counts, penalty):
    """Return least cost of cutting a row into runs whose lengths are powers of two."""
    best = [0.0]
    for end in range(1, len(counts) + 1):
        choices = []
        for length in (1, 2, 4, 8, 16):
            if length <= end:
                run = counts[end - length : end]
                choices.append(best[end - length] + np.abs(run - run.mean()).sum() + penalty)
        best.append(min(choices))
    return best[-1]


def test_the_cheapest_partition_is_found_when_nothing_is_noisy():
    counts = np.random.default_rng(2).integers(0, 4, 16).astype(float) ** 3
    maker = DawaMaker(counts, np.ones((1, 16)))
    ends = maker.cuts(1e9, 5.0, np.random.default_rng(1))
    runs = np.split(counts, ends[:-1])
    assert ends[-1] == 16
    cost = sum(np.abs(run - run.mean()).sum() + 5.0 for run in runs)
    assert cost == pytest.approx(brute_force_cost(counts, 5.0), abs=1e-6)


def test_long_runs_of_even_counts_are_one():
    counts = np.repeat([0.0, 50.0], [3072, 1024])
    ends = DawaMaker(counts, np.ones((1, 4096))).cuts(100.0, 1.0, np.random.default_rng(1))
    assert ends.tolist() == [2048, 3072, 4096] or ends.tolist() == [1024, 3072, 4096]


def test_budgets_of_dawa_add_up():
    random, counts = Written(), np.arange(64.0)
    DawaMaker(counts, np.eye(64)[:5]).release(2.0, random)
    lengths = 7  # 1 to 64
    assert random.scales[0] == 0  # runs of one cell always cost the same
    assert random.scales[1:lengths] == [dawa.COST_SENSITIVITY / 0.5] * 6
    assert sum(1 / scale for scale in random.scales[lengths:]) == pytest.approx(1.5)


def test_sums_of_dawa_are_unbiased():
    counts = np.repeat([1.0, 40.0, 0.0, 7.0], [10, 6, 32, 16])
    maker, random = DawaMaker(counts, np.eye(64)[:9]), np.random.default_rng(1)
    sums = [maker.release(1.0, random).sum() for _ in range(400)]
    assert np.mean(sums) == pytest.approx(counts.sum(), abs=4 * np.std(sums) / 20)


def test_loads_are_variances_of_boxes():
    """Against Monte Carlo: equal noise on all levels of a binary tree, then least squares."""
    random = np.random.default_rng(1)
    weights = random.random((3, 8)).round(1)
    loads = np.mean([level_loads(row[None]) for row in weights], axis=0)
    assert level_loads(weights) == pytest.approx(loads)
    drawn = [
        weights @ agreed([random.normal(size=2**k) for k in range(4)], [1.0] * 4, 2)
        for _ in range(4000)
    ]
    stated = loads @ below([1.0] * 4, 2)
    assert np.var(drawn, axis=0).mean() == pytest.approx(stated, rel=0.1)


def test_shares_of_levels_add_up_and_suit_the_boxes():
    everything, cells = np.ones((1, 64)), np.eye(64)
    assert best_shares(level_loads(cells)) == pytest.approx([1.0])
    large = best_shares(level_loads(everything))
    assert large.sum() == pytest.approx(1)
    assert len(large) == 7


# --- as methods


@pytest.mark.slow
@pytest.mark.parametrize("method", [Hb(), Dawa()])
def test_they_are_right_when_nothing_is_noisy(method):
    u, v = np.random.default_rng(1).random((2, 2000)) * [[0.9], [0.5]]
    boxes = [(0.0, 0.0, 0.5, 0.5), (0.25, 0.0, 0.75, 1.0)]
    case = unit_case(u, v, boxes=boxes)
    outcome = method.run(case, 20.0, 2, np.random.default_rng(1))
    assert outcome.answers == pytest.approx(np.tile(case.truth, (2, 1)), rel=0.03)


@pytest.mark.parametrize("method", [Hb(), Dawa()])
def test_north_is_not_south(method):
    case = unit_case([0.2] * 500, [0.9] * 500, boxes=[(0, 0.5, 0.5, 1), (0, 0, 1, 0.5)])
    answers = method.run(case, 5.0, 3, np.random.default_rng(1)).answers
    assert answers[:, 0] == pytest.approx(500, abs=40)
    assert answers[:, 1] == pytest.approx(0, abs=40)
