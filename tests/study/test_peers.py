"""AG, PrivTree and plain histograms, on cases small enough to do by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geodp.core.regions.workload import Workload
from study.adaptive import (
    AdaptiveGrid,
    AdaptiveGridMaker,
    agree,
    first_size,
    second_sizes,
)
from study.peers import Ag, Diffprivlib, PlainGrid, PrivTreePeer
from study.privtree import (
    DEPTH,
    Level,
    PrivTree,
    PrivTreeMaker,
    biased_counts,
    morton,
    tree_scale,
)

from .conftest import UNIT, unit_case

SURE = 1e6
"""A budget so large that noise vanishes."""


# --- AG


def test_first_level_rule():
    assert first_size(STORAGE := 8_938, 1.0) == 10, STORAGE
    assert first_size(869_976, 1.0) == 74  # sqrt(86,997.6) = 294.95, a quarter 73.7
    assert first_size(869_976, 0.1) == 24


def test_second_level_rule():
    # N' (1 - α) ε / 5 = N' / 10 at ε = 1
    assert second_sizes(np.array([0.0, 9.9, 10.1, 40.0, 1000.0]), 1.0).tolist() == [1, 1, 2, 2, 10]


def test_constrained_inference_by_hand():
    # m2 = 2: v' = (0.25·4·10 + 0.25·6) / (0.25 + 0.25·4) = 11.5 / 1.25 = 9.2, and the lacking
    # 3.2 goes to four cells; m2 = 1: the plain mean of both.
    best, second = agree(
        np.array([10.0, 4.0]), np.array([1.0, 2.0, 2.0, 1.0, 6.0]), np.array([2, 1])
    )
    assert best.tolist() == pytest.approx([9.2, 5.0])
    assert second.tolist() == pytest.approx([1.8, 2.8, 2.8, 1.8, 5.0])


def test_inference_makes_levels_agree():
    random = np.random.default_rng(1)
    sizes = random.integers(1, 6, size=50)
    best, second = agree(random.normal(size=50), random.normal(size=(sizes**2).sum()), sizes)
    ends = np.cumsum(sizes**2)
    assert np.add.reduceat(second, ends - sizes**2) == pytest.approx(best)


def test_two_level_answers_by_hand():
    # 2 x 2 cells; the lower left one is cut in four with counts 1 2 / 3 4 from the south-west.
    grid = AdaptiveGrid.of(2, np.array([2, 1, 1, 1]), np.array([1.0, 2, 3, 4, 8, 16, 32]))
    boxes = np.array(
        [
            [0.0, 0.0, 1.0, 1.0],  # everything
            [0.0, 0.0, 0.25, 0.25],  # the smallest cell
            [0.125, 0.0, 0.5, 0.5],  # half of the left column of the cut cell, and its right one
            [0.25, 0.25, 0.75, 0.75],  # a corner of each: 4 + 8/4 + 16/4 + 32/4
        ]
    )
    assert grid.answers(boxes).tolist() == pytest.approx([66.0, 1.0, 8.0, 18.0])


def test_two_level_answers_agree_with_brute_force():
    random = np.random.default_rng(1)
    m1 = 5
    sizes = random.integers(1, 5, size=m1 * m1)
    counts = random.normal(size=(sizes**2).sum())
    boxes = Workload.random_boxes(UNIT, (0.01, 0.1, 0.5), 20, seed=1).boxes
    expected, start = np.zeros(len(boxes)), 0
    for cell, m2 in enumerate(sizes):
        row, column = divmod(cell, m1)
        for part in range(m2 * m2):
            j, i = divmod(part, m2)
            x, y, side = (column + i / m2) / m1, (row + j / m2) / m1, 1 / m1 / m2
            wide = np.minimum(boxes[:, 2], x + side) - np.maximum(boxes[:, 0], x)
            high = np.minimum(boxes[:, 3], y + side) - np.maximum(boxes[:, 1], y)
            expected += (
                counts[start + part] * np.clip(wide, 0, None) * np.clip(high, 0, None) / side**2
            )
        start += m2 * m2
    assert AdaptiveGrid.of(m1, sizes, counts).answers(boxes) == pytest.approx(expected)


def test_second_level_counts_by_hand():
    maker = AdaptiveGridMaker(np.array([0.01, 0.06, 0.95]), np.array([0.01, 0.09, 0.95]), 1.0)
    assert maker.size == 10
    sizes = np.ones(100, dtype=np.int64)
    sizes[0] = 2
    counts = maker.second_counts(sizes)
    assert counts[:4].tolist() == [1, 0, 0, 1]
    assert counts.sum() == 3
    assert counts[-1] == 1


@pytest.mark.slow
def test_adaptive_noise_is_that_of_the_budget():
    """Answers for the whole square: first level 100 cells, second level 100, weights as stated."""
    maker = AdaptiveGridMaker(np.array([0.5]), np.array([0.5]), 1.0)
    random = np.random.default_rng(1)
    drawn = [maker.release(random).answers(np.array([[0.0, 0.0, 1.0, 1.0]]))[0] for _ in range(600)]
    # A cell that stays whole has the mean of two counts with noise of scale 2: variance 4; one
    # that is cut (when its noisy count is above 10) hardly differs.
    assert np.var(drawn) == pytest.approx(100 * 4, rel=0.25)
    assert np.mean(drawn) == pytest.approx(1, abs=4 * 20 / math.sqrt(600))


# --- PrivTree


def test_scale_and_decay_of_the_tree():
    assert tree_scale(1.0) == pytest.approx(7 / 3)
    decay = 7 / 3 * math.log(4)
    biased = biased_counts(np.array([0, 10, 3]), 2, tree_scale(1.0))
    assert biased.tolist() == pytest.approx([-decay, 10 - 2 * decay, -decay])


def test_quadrants_by_bits():
    codes = morton(np.array([0.1, 0.6, 0.1, 0.6]), np.array([0.1, 0.1, 0.6, 0.6]))
    assert (codes >> 2 * (DEPTH - 1)).tolist() == [0, 1, 2, 3]
    assert morton(np.array([1 - 1e-12]), np.array([1 - 1e-12]))[0] == (1 << 2 * DEPTH) - 1


def test_quadrant_counts_agree_with_brute_force():
    u, v = np.random.default_rng(1).random((2, 500))
    maker = PrivTreeMaker(u, v)
    for depth in (0, 1, 3):
        side = 2**depth
        row, column = np.divmod(np.arange(side * side), side)
        expected = np.bincount(
            (v * side).astype(int) * side + (u * side).astype(int), minlength=side * side
        )
        assert maker.counts(column, row, depth).tolist() == expected.tolist()


def test_tree_answers_by_hand():
    # The lower left quadrant is split into 1 2 / 3 4; the others hold 8, 16, 32.
    zero, four = np.zeros(1, dtype=int), np.arange(4)
    levels = [
        Level(zero, zero, np.array([0]), np.array([66.0])),
        Level(four % 2, four // 2, np.array([0, -1, -1, -1]), np.array([10.0, 8, 16, 32])),
        Level(four % 2, four // 2, np.full(4, -1), np.array([1.0, 2, 3, 4])),
    ]
    tree = PrivTree(levels)
    boxes = np.array(
        [
            [0.0, 0.0, 1.0, 1.0],
            [0.0, 0.0, 0.5, 0.5],
            [0.125, 0.0, 0.5, 0.5],
            [0.25, 0.25, 0.75, 0.75],
        ]
    )
    assert tree.leaves == 7
    assert tree.answers(boxes).tolist() == pytest.approx([66.0, 10.0, 8.0, 18.0])


def test_a_sure_tree_follows_the_points():
    random = np.random.default_rng(1)
    maker = PrivTreeMaker(np.array([0.1, 0.1, 0.1]), np.array([0.1, 0.1, 0.1]))
    tree = maker.release(SURE, random)
    assert len(tree.levels) > 15  # splits around the points, down to the deepest level
    assert tree.answers(np.array([[0.0, 0.0, 0.5, 0.5]]))[0] == pytest.approx(3, abs=0.01)
    assert tree.answers(np.array([[0.5, 0.5, 1.0, 1.0]]))[0] == pytest.approx(0, abs=0.01)


def test_sums_of_children_are_counts_of_parents():
    u, v = np.random.default_rng(1).random((2, 5000)) ** 3
    tree = PrivTreeMaker(u, v).release(1.0, np.random.default_rng(2))
    for level, below in zip(tree.levels, tree.levels[1:]):
        split = level.child >= 0
        assert below.count.reshape(-1, 4).sum(axis=1) == pytest.approx(level.count[split])
    every = tree.answers(np.array([[0.0, 0.0, 1.0, 1.0]]))[0]
    leaves = np.concatenate([level.count[level.child < 0] for level in tree.levels])
    assert every == pytest.approx(leaves.sum())


# --- as methods


@pytest.mark.parametrize("method", [Ag(), PrivTreePeer(), PlainGrid(4)])
def test_peers_are_right_when_nothing_is_noisy(method):
    u, v = np.random.default_rng(1).random((2, 2000)) * [[0.9], [0.5]]
    boxes = [(0.0, 0.0, 0.5, 0.5), (0.25, 0.0, 0.75, 1.0)]
    case = unit_case(u, v, boxes=boxes)
    outcome = method.run(case, 1e4, 3, np.random.default_rng(1))
    assert outcome.answers == pytest.approx(np.tile(case.truth, (3, 1)), abs=1.5)


@pytest.mark.skipif(not Diffprivlib.installed(), reason="diffprivlib is not installed")
@pytest.mark.filterwarnings("ignore")
def test_diffprivlib_counts_the_same_cells_and_clamps():
    case = unit_case([0.1] * 1000, [0.9] * 1000, boxes=[(0, 0.75, 0.25, 1), (0, 0, 1, 0.5)])
    outcome = Diffprivlib(4).run(case, 1.0, 20, np.random.default_rng(1))
    assert outcome.answers[:, 0] == pytest.approx(1000, abs=20)
    assert (outcome.answers[:, 1] >= 0).all()  # noise on empty cells only ever adds
    assert outcome.answers[:, 1].mean() > 1
