"""Small cases whose every number was computed by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from score_steps import influence_score
from strategies import PLANE, square

from geodp.core.common.sums import Summed, block_sums, summed_area
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.mechanisms import scores
from geodp.core.mechanisms.tuners import E2EPriv, Influence
from geodp.core.privacy.noise import laplace_variance
from geodp.core.regions.overlap import UNIT, BoxOverlap
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.domain import Domain
from geodp.core.space.grid import Grid

ONE = Fraction(1)

# A square of side 2. North-west holds 1 record, north-east 2, south-west 3, south-east 4:
#
#     1 | 2        The region is the left three quarters, x < 1.5: the left cells wholly, the right
#     --+--        ones half. Of the records on the right, one of two and three of four are in it.
#     3 | 4
X = [0.5] + [1.25, 1.75] + [0.5] * 3 + [1.25, 1.25, 1.25, 1.75]
Y = [1.5] + [1.5] * 2 + [0.5] * 3 + [0.5] * 4


@pytest.fixture
def two_by_two():
    domain = square(2.0)
    grids = (Grid(domain, (2, 2)), Grid(domain, (1, 1)))
    workload = Workload.from_boxes([(0.0, 0.0, 1.5, 2.0)], domain)
    tally = Tally(Plan(grids, workload))
    tally.add(np.array(X), np.array(Y))
    return tally, [workload.overlap(grid) for grid in grids]


def test_counts_and_exact_region_count(two_by_two):
    tally, _ = two_by_two
    assert tally.counts(0).tolist() == [[1, 2], [3, 4]]
    assert tally.counts(1).tolist() == [[10]]
    assert tally.inside().tolist() == [8]
    assert tally.total == 10


def test_overlaps_and_responses(two_by_two):
    tally, (fine, coarse) = two_by_two
    assert fine.power_sum(1).tolist() == [3.0]  # 1 + 1/2 + 1 + 1/2
    assert fine.power_sum(2).tolist() == [2.5]  # 1 + 1/4 + 1 + 1/4
    assert coarse.power_sum(1).tolist() == [0.75]
    assert fine.responses(tally.counts(0))[0] == 7 * UNIT  # 1 + 3 + (2 + 4)/2
    assert coarse.responses(tally.counts(1))[0] == 7.5 * UNIT  # 3/4 of 10


@pytest.mark.parametrize("large", [1, 1 << 34, 1 << 36, 1 << 60])
def test_responses_are_exact_however_large_the_counts(large):
    """A third of the cells by width and a seventh by height, which no float holds."""
    grid = Grid(Domain((0, 0, 3, 7), PLANE), (2, 2))
    counts = np.array([[large, -3], [5, large - 7]])
    overlap = BoxOverlap(np.array([[0.5, 1.0, 2.5, 6.0]]), grid)
    across, along = (span.fraction[0, [0, 2]].tolist() for span in (overlap.x, overlap.y))
    exact = sum(
        int(counts[1 - row, column]) * across[column] * along[row]
        for row in range(2)
        for column in range(2)
    )
    assert overlap.responses(counts).tolist() == [exact]


@pytest.mark.parametrize("large", [1, 1 << 34, 1 << 36, 1 << 60])
def test_running_sums_of_finer_cells_give_the_same_responses(large, monkeypatch):
    """On a lattice with more lines than the grid has, and a few boxes at a time."""
    monkeypatch.setattr("geodp.core.regions.overlap.BLOCK", 2)
    grid = Grid(Domain((0, 0, 3, 7), PLANE), (2, 2))
    counts = np.arange(16).reshape(4, 4)
    counts[1, 2] = large
    boxes = np.array([[0.5, 1.0, 2.5, 6.0], [0.0, 0.0, 3.0, 7.0], [1.0, 1.0, 1.1, 1.1]])
    coarse = block_sums(counts, np.array([0, 1, 4]), np.array([0, 3, 4]))
    sums = Summed(summed_area(counts), np.array([0, 1, 4]), np.array([0, 3, 4]))
    expected = BoxOverlap(boxes, grid).responses(coarse).tolist()
    assert coarse.tolist() == sums.cells().tolist() == [[39 + large, 21], [39, 15]]
    assert BoxOverlap(boxes, grid).responses_of_sums(sums).tolist() == expected
    assert expected[1] == int(counts.sum()) * UNIT


def test_influence_scores_and_sensitivities(two_by_two):
    tally, overlaps = two_by_two
    qualities, moves = [], []
    for i, overlap in enumerate(overlaps):
        errors = scores.aggregation_errors(overlap.responses(tally.counts(i)), tally.inside())
        qualities.append(influence_score(errors, overlap, np.array([1]), 2.0))
        moves.append(scores.influence_sensitivity(overlap, np.array([1])))
    # A = 7 - 8 = -1 and v‖a‖² = 2 · 2.5;  A = 7.5 - 8 = -1/2 and 2 · 9/16
    assert [float(u) for u in qualities] == pytest.approx([-(6**0.5), -(1.375**0.5)], abs=1e-12)
    # The right cells are covered by half; the single cell by three quarters.
    assert [float(d) for d in moves] == pytest.approx([0.5, 0.75], abs=1e-12)
    assert all(d > exact for d, exact in zip(moves, (Fraction(1, 2), Fraction(3, 4))))


def test_influence_qualities_and_selection_probabilities(two_by_two):
    tally, overlaps = two_by_two
    assert laplace_variance(ONE) == pytest.approx(1.8413471)  # 2e / (e - 1)²
    qualities = Influence().qualities(tally, overlaps, ONE, ONE)
    # u = -√(1 + 2.5 v) = -2.367145 and -√(1/4 + 0.5625 v) = -1.133913; τ = 2 ln 20 = 5.991465
    # z = -5.362877 and -5.627512; (z₂ - z₁) / (1/2 + 3/4) = -0.211708
    assert [float(q) for q in qualities] == pytest.approx([0, -0.211708], abs=2e-6)
    # The worse one is taken on sight with e^(-0.105854) = 0.899556, and seen first half the time.
    odds = Influence().probabilities(qualities, ONE)
    assert [float(p) for p in odds] == pytest.approx([1 - 0.449778, 0.449778], abs=1e-6)


@pytest.mark.parametrize(
    ("sensitivity", "expected"),
    [
        # N = 10, ρ = 1, T = 8. Scores: -(1 + 3)/8 and -(0.5 + 0.75)/8. Bound (N + L)/2 + 1.
        ("response", [-0.5 / 7.5, -0.15625 / 6.375]),  # L = 3 and 0.75
        ("max_alpha", [-0.5 / 7.5, -0.15625 / 7.5]),  # L = 3 for both
        ("max_grid", [-0.5 / 8, -0.15625 / 8]),  # L = 4 cells for both
    ],
)
def test_relative_qualities_of_the_paper(two_by_two, sensitivity, expected):
    tally, overlaps = two_by_two
    tuner = E2EPriv("relative", sensitivity, delta="0.1", n0=10)
    qualities = tuner.qualities(tally, overlaps, ONE, ONE)
    assert [float(q) for q in qualities] == pytest.approx(expected, rel=1e-12)


def test_the_paper_s_score_is_repaired_where_the_proof_ends():
    """Up to a fifth a record moves score / bound by 1; beyond, by 1 + 2δ + 1/n0 (claim 6)."""
    hair = Fraction(1, 2**60)
    for delta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 5)):
        assert scores.relative_sensitivity(delta, 100) == 1 + hair
    for delta in (Fraction(1, 5) + hair, Fraction(6, 25), Fraction(1, 4), Fraction(9, 10)):
        assert scores.relative_sensitivity(delta, 50) == 1 + 2 * delta + Fraction(1, 50) + hair


def test_selection_probabilities_of_the_paper(two_by_two):
    tally, overlaps = two_by_two
    tuner = E2EPriv()
    odds = tuner.probabilities(tuner.qualities(tally, overlaps, ONE, ONE), ONE)
    # Weights e^(-0.0333333) = 0.967216 and e^(-0.0122549) = 0.987820
    assert [float(p) for p in odds] == pytest.approx([0.494730, 0.505270], abs=1e-6)


def test_absolute_qualities_of_the_paper(two_by_two):
    tally, overlaps = two_by_two
    qualities = E2EPriv("absolute").qualities(tally, overlaps, ONE, ONE)
    assert qualities == [-4, Fraction(-5, 4)]


# A triangle on a 3 × 3 grid, with corners (½, ½), (2½, ½), (½, 2½). Its long side x + y = 3 runs
# through the lattice points (2, 1) and (1, 2), so it touches two cells that it covers nothing of.
#
#     1/8   touch  -
#     1/2   1/2    touch
#     1/4   1/2    1/8
TRIANGLE = np.array([[0.5, 0.5], [2.5, 0.5], [0.5, 2.5]])


@pytest.fixture
def triangle():
    polygons = Polygons.from_rings([(0, False, TRIANGLE)], 1)
    domain = square(3.0)
    return Workload.from_polygons(polygons, domain).overlap(Grid(domain, (3, 3)))


def test_overlaps_of_a_triangle(triangle):
    shares = {
        (int(r), int(c)): s / 2**24
        for r, c, s in zip(triangle.row, triangle.column, triangle.share)
    }
    assert shares == {
        (0, 0): 0.25, (0, 1): 0.5, (0, 2): 0.125,
        (1, 0): 0.5, (1, 1): 0.5, (1, 2): 0.0,
        (2, 0): 0.125, (2, 1): 0.0,
    }  # fmt: skip
    assert triangle.run_region.size == 0  # no cell is wholly inside
    assert triangle.power_sum(1).tolist() == [2.0]  # the triangle's area


def test_response_and_sensitivity_of_a_triangle(triangle):
    counts = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    # 1/8 + (4 + 5)/2 + 7/4 + 8/2 + 9/8
    assert triangle.responses(counts)[0] == 11.5 * UNIT
    # In a cell that is merely touched, the count moves by 1 or not at all: the worst case.
    assert float(scores.influence_sensitivity(triangle, np.array([1]))) == pytest.approx(1.0)


def test_exact_count_in_a_triangle():
    domain = square(3.0)
    polygons = Polygons.from_rings([(0, False, TRIANGLE)], 1)
    workload = Workload.from_polygons(polygons, domain)
    tally = Tally(Plan((Grid(domain, (3, 3)),), workload))
    inside, outside = [(0.6, 0.6), (1.4, 1.5), (2.3, 0.6)], [(1.6, 1.5), (0.4, 1.0), (2.9, 2.9)]
    x, y = np.array(inside + outside).T
    tally.add(x, y)
    assert tally.inside().tolist() == [3]


def test_the_example_of_the_paper():
    """Four cells of 100 points with one each inside: 100 on the 4 × 4 grid, 4 on the 8 × 8."""
    domain = square(8.0)
    grids = (Grid(domain, (4, 4)), Grid(domain, (8, 8)))
    workload = Workload.from_boxes([(3.0, 3.0, 5.0, 5.0)], domain)
    far, near = (2.5, 5.5), (3.5, 4.5)
    crowd = [(x, y) for x in far for y in far] * 99 + [(x, y) for x in near for y in near]
    tally = Tally(Plan(grids, workload))
    tally.add(*np.array(crowd).T)
    assert sorted(tally.counts(0)[tally.counts(0) > 0]) == [100, 100, 100, 100]
    answers = [workload.overlap(grid).responses(tally.counts(i))[0] for i, grid in enumerate(grids)]
    assert answers == [100 * UNIT, 4 * UNIT]
    assert tally.inside().tolist() == [4]
