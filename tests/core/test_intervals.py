"""Error bars: how uneven records are, how far cells err together, and the noise of trees."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import square
from trees import fits, grown, matrices, of_polygons, rows_and_columns

from geodp.core.cells.grid_cells import GridCells
from geodp.core.estimates.answers import answer, answers_from
from geodp.core.estimates.fitting import fit
from geodp.core.estimates.least_squares import Fit
from geodp.core.estimates.tree_answers import answer_tree, border_cells
from geodp.core.estimates.tree_estimate import TreeEstimate
from geodp.core.estimates.tree_overlap import covered
from geodp.core.estimates.unevenness import (
    LEAST,
    MOST,
    Border,
    Contrasts,
    GridBlocks,
    Unevenness,
    contrasts,
    grid_unevenness,
    tree_unevenness,
)
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.noise import RandomBits, excess_kurtosis, laplace_variance
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid
from geodp.core.space.tree import Tree

ONE = [Fraction(1)]


def full_tree(halvings: int, root: tuple[int, int] = (1, 1)) -> Tree:
    """Make a tree in which every node is split, as often as can be."""
    nodes = [root[0] * root[1] * 4**depth for depth in range(halvings)]
    splits = [np.ones(count, dtype=bool) for count in nodes]
    last = np.zeros(root[0] * root[1] * 4**halvings, dtype=bool)
    return Tree(Frame(square(), root, halvings), [*splits, last])


def measured(tree: Tree, value: np.ndarray, scale: Fraction = ONE[0]) -> Fit:
    """Return final cells measured once, and nothing else."""
    return Fit(tree, Measurements(tree.cell_node, value, [0] * len(tree), [scale]))


# --- how uneven -------------------------------------------------------------------------------


def test_contrasts_of_one_group_by_hand():
    contrast = contrasts([np.array([count]) for count in (70.0, 30.0, 60.0, 40.0)], 0.5)
    # Of 200, west has 60 more than east, south as many as north, diagonals 20 more.
    assert contrast.weight[0] == pytest.approx((1 + 20 * 0.5 / 200**2) ** -2)
    assert contrast.straight[0] / contrast.weight[0] * 200**2 == pytest.approx(30**2 / 2 - 50.5)
    assert contrast.crosswise[0] / contrast.weight[0] * 200**2 == pytest.approx(10**2 - 50.5)


@pytest.mark.parametrize("noise", [0.0, 100.0])
def test_counts_that_noise_hides_and_cells_that_are_not_measured_say_nothing(noise):
    group = [np.array([count]) for count in (20.0, 0.0, 20.0, 0.0)]
    assert [part.tolist() for part in contrasts(group, noise)] == [[0.0]] * 3


def test_unevenness_is_that_of_the_records():
    """Quarters that get 0.4, 0.3, 0.2 and 0.1 of the records at every halving: by hand, 1/80."""
    parts = np.array([0.4, 0.3, 0.2, 0.1])
    shares = np.ones(1)
    for _ in range(5):
        shares = (shares[:, None] * parts).ravel()
    noise = RandomBits(seed=2).discrete_laplace(Fraction(3), 1024)
    value = np.rint(1e7 * shares).astype(np.int64) + noise
    unevenness = tree_unevenness(measured(full_tree(5), value, Fraction(3)))
    by_hand = ((parts - 0.25) ** 2).mean()
    assert unevenness.values[3] == pytest.approx(by_hand, rel=0.06)  # a guess of 0.1 still shows
    assert unevenness.together == pytest.approx(
        1 - 0.0 / 1, abs=0.03
    )  # no diagonal has more than half


def test_what_nobody_knows_is_a_public_guess():
    tree = Tree(Frame(square(), (1, 2), 1), [[False, False]])
    unevenness = tree_unevenness(Fit(tree, Measurements([1, 2], [5, 5], [0, 0], [Fraction(9)])))
    assert np.concatenate(unevenness.values) == pytest.approx(np.full(3, 0.1))
    assert unevenness.together == 0.5
    empty = grid_unevenness(np.zeros((3, 3)), np.full((3, 3), 2.0))
    assert empty.values[-1] == pytest.approx(0.1)
    alone = grid_unevenness(np.full((1, 5), 1000.0), np.full((1, 5), 2.0))
    assert alone.values[-1] == pytest.approx(0.1)


def test_every_place_has_an_unevenness_of_its_own():
    """Even records in the west, clumps in the east."""
    counts = np.full((32, 32), 1000.0)
    counts[:, 16:] = np.kron(np.ones((16, 8)), [[4000.0, 0.0], [0.0, 0.0]])
    unevenness = grid_unevenness(counts, np.full((32, 32), 2.0))
    cells = unevenness.values[-1].reshape(32, 32)
    assert (cells[:, :12] < 0.001).all()
    assert (cells[:, 20:] > 0.15).all()
    assert cells.min() >= LEAST
    assert cells.max() <= MOST


def test_large_grids_are_looked_at_in_slabs(monkeypatch):
    rng = np.random.default_rng(3)
    counts, noise = rng.poisson(100, (37, 21)).astype(float), np.full((37, 21), 2.0)
    at_once = grid_unevenness(counts, noise)
    monkeypatch.setattr("geodp.core.estimates.unevenness.SLAB", 50)
    again = grid_unevenness(counts, noise)
    assert again.together == pytest.approx(at_once.together)
    for part, other in zip(again.values, at_once.values):
        np.testing.assert_allclose(part, other)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
@examples(40)
def test_blocks_of_a_grid_hold_every_cell_once(rows, columns, seed):
    blocks = GridBlocks((rows, columns))
    values = np.random.default_rng(seed).random(rows * columns)
    sums, place = values, np.arange(rows * columns)
    for depth in range(len(blocks.sizes) - 1, 0, -1):
        sums, place = blocks.gather(depth, sums), blocks.above(depth, place)
        np.testing.assert_allclose(sums, np.bincount(place, values, minlength=len(sums)))
        down = np.arange(blocks.sizes[depth - 1]).astype(float)
        parent = blocks.above(depth, np.arange(blocks.sizes[depth]))
        np.testing.assert_array_equal(blocks.scatter(depth, down), parent)
    assert sums == pytest.approx(values.sum())


# --- how far cells err together ---------------------------------------------------------------


def known(uneven: float, correlation: float, shape: tuple[int, int] = (4, 4)) -> Unevenness:
    blocks = GridBlocks(shape)
    unevenness = Unevenness(blocks, [Contrasts(*np.zeros((3, size))) for size in blocks.sizes])
    unevenness.values = tuple(np.full(size, uneven) for size in blocks.sizes)
    unevenness.together = correlation
    return unevenness


def border(cells: list[int], share: float = 0.5, held: float = 400.0) -> Border:
    many = len(cells)
    entries = [1] * many, [2] * many, cells, [share] * many, [held] * many, [0.0] * many
    return Border(*(np.array(column) for column in entries))


def test_even_records_have_the_variance_of_chance():
    """A cell with 400 records, half of it inside: 100, that of a binomial distribution."""
    assert known(0.0, 0.5).variance(border([0]), 2).tolist() == [0.0, 100.0]
    # And with quarters of 0.4, 0.3, 0.2 and 0.1 of the records: 6.4 (1/80)(400)² / 4 more.
    clumps = 6.4 / 80 * 40_000
    assert known(1 / 80, 0.5).variance(border([0]), 2)[1] == pytest.approx(100 + clumps)
    # A negative count is noise and nothing else.
    assert known(1 / 80, 0.5).variance(border([0], held=-50.0), 2).tolist() == [0.0, 0.0]


def test_cells_of_one_block_err_together():
    """On 4 by 4 cells: 0 and 1 share a block of four, 0 and 2 only the block of all."""
    clumps = 6.4 / 80 * 40_000
    for other, common in ((1, 0.3), (2, 0.3**2)):
        variance = known(1 / 80, 0.3).variance(border([0, other]), 2)[1]
        assert variance == pytest.approx(200 + 2 * clumps + 2 * common * clumps)
    apart = known(1 / 80, 0.0).variance(border([0, 1, 2, 3]), 2)[1]
    assert apart == pytest.approx(4 * (100 + clumps))


def test_slopes_err_together_and_scattered_records_do_not():
    rng = np.random.default_rng(1)
    x = np.arange(64)
    slope = rng.poisson(np.broadcast_to(400 + 40 * x, (64, 64)))
    scattered = rng.poisson(400 * rng.gamma(2, 0.5, (64, 64)))
    noise = np.full((64, 64), 2.0)
    assert grid_unevenness(slope.astype(float), noise).together > 0.7
    assert grid_unevenness(scattered.astype(float), noise).together < 0.15


def sampled(blocks: GridBlocks, correlation: float, rng: np.random.Generator) -> np.ndarray:
    """Return errors of cells that have a part in common with each block that they lie in."""
    values = rng.normal(size=(20_000, 1))
    for depth in range(1, len(blocks.sizes)):
        above = blocks.above(depth, np.arange(blocks.sizes[depth]))
        independent = rng.normal(size=(20_000, blocks.sizes[depth]))
        values = correlation**0.5 * values[:, above] + (1 - correlation) ** 0.5 * independent
    return values


def test_the_variance_of_errors_together_is_that_of_draws():
    blocks, cells = GridBlocks((8, 8)), [0, 1, 2, 3, 10, 18, 26, 63]
    errors = sampled(blocks, 0.4, np.random.default_rng(5))[:, cells]
    uneven = known(1 / 80, 0.4, (8, 8))
    entries = border(cells)._replace(depth=np.full(len(cells), 3))
    chance, clumps = 100 * len(cells), 6.4 / 80 * 40_000
    stated = (uneven.variance(entries, 2)[1] - chance) / clumps
    assert errors.sum(axis=1).var() == pytest.approx(stated, rel=0.05)


# --- which way records lean -------------------------------------------------------------------


def test_a_family_that_leans_to_the_inside_makes_its_cut_cells_doubtful():
    """Of 1,600 records 800 are in the south-west and 800 in the south-east; the north is empty."""
    tree = full_tree(1)
    fit = measured(tree, np.array([800, 800, 0, 0]))
    regions = Workload.from_boxes([(0, 0, 2, 0.5), (0, 0, 1, 2), (0.5, 0, 2, 2)], square())
    even = Unevenness(GridBlocks((1, 1)), [Contrasts(*np.zeros((3, 1)))])
    even.values, even.together = tuple(np.zeros(len(level)) for level in tree.levels), 0.0
    even.blocks = tree_unevenness(fit).blocks
    spread = answer_tree(fit, regions, even).spread
    # A fourth is covered, which should hold 400 and holds 800 by the cells: what is cut is off by
    # a fourth, 4/4 · 800 · (1/4 - 1/2) in each of two cells. Nothing is cut by the second box. The
    # third covers three fourths and holds as much: no lean, only chance.
    assert spread.tolist() == pytest.approx([2 * 200 + 400**2, 0, 200])


# --- borders, and trees that are grids --------------------------------------------------------


SLANTED = np.array([[0.1, 0.1], [1.9, 0.3], [1.5, 1.8], [0.7, 1.2]])


def some_regions(kind: str) -> Workload:
    if kind == "boxes":
        rng = np.random.default_rng(9)
        low = rng.random((40, 2)) * 1.5
        boxes = np.hstack([low, low + 0.02 + rng.random((40, 2))])
        boxes[:5] = np.round(boxes[:5] * 8) / 8  # along the lines of cells
        return Workload.from_boxes(boxes, square())
    hole = SLANTED * 0.5 + 0.5
    rings = [(0, False, SLANTED), (1, False, SLANTED / 9), (2, False, SLANTED), (2, True, hole)]
    return of_polygons(Polygons.from_rings(rings, 3), square())


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
@pytest.mark.parametrize("most", [1 << 20, 30])
def test_borders_are_the_cells_that_are_covered_in_part(kind, most, monkeypatch):
    monkeypatch.setattr("geodp.core.regions.overlap.CELLS", most)
    grid, regions = Grid(square(), (8, 16)), some_regions(kind)
    overlap = regions.overlap(grid)
    values = np.random.default_rng(1).random(grid.shape)
    expected = overlap.weighted(values, lambda share: share * (1 - share))
    sums, before = np.zeros(len(regions)), -1
    for region, cell, share in overlap.borders():
        assert region.min(initial=len(regions)) > before
        before = region.max(initial=before)
        cut = share * (1 - share) * values.ravel()[cell]
        sums += np.bincount(region, cut, minlength=len(regions))
    np.testing.assert_allclose(sums, expected, atol=1e-12)


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_a_tree_of_equal_cells_answers_as_a_grid_does(kind):
    """Some counts are negative: shares of what is present are cell by cell in both."""
    tree, grid, regions = full_tree(3), Grid(square(), (8, 8)), some_regions(kind)
    counts = np.random.default_rng(4).integers(-30, 100, grid.shape)
    row, column = rows_and_columns(tree)
    value = counts[grid.shape[0] - 1 - row, column]
    measurements = Measurements(tree.cell_node, value, [0] * 64, [Fraction(3)])
    of_tree = TreeEstimate(tree, measurements, alone=False).parts(regions)
    of_grid = fit(GridCells(grid), Measurements.from_counts(counts, Fraction(3))).parts(regions)
    for name in ("estimate", "noise", "excess", "border_share", "inside"):
        actual, expected = getattr(of_tree, name), getattr(of_grid, name)
        np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-6, err_msg=name)
    np.testing.assert_allclose(np.minimum(of_tree.step, 1), np.minimum(of_grid.step, 1), rtol=1e-6)
    cut = border_cells(Fit(tree, measurements), covered(tree, regions))
    actual = sorted(zip(cut.region.tolist(), cut.share.round(6), cut.held.round(6)))
    region, cell, share = next(iter(regions.overlap(grid).borders()))
    expected = sorted(zip(region.tolist(), share.round(6), counts.ravel()[cell].astype(float)))
    np.testing.assert_allclose(actual, expected, atol=1e-5)


@pytest.mark.parametrize("scale", [Fraction(1, 5), Fraction(1), Fraction(7, 3), Fraction(40)])
@pytest.mark.parametrize("units", [1, 720_720])
def test_limits_of_whole_counts_are_whole_and_leave_no_truth_out(scale, units):
    """Between the limits lie the same whole numbers as between those half a step further out."""
    grid = Grid(square(8), (8, 8))
    counts = np.random.default_rng(4).integers(-30, 100, 64) * units
    measured = Measurements.from_counts(counts, scale * units, units=units)
    estimate = fit(GridCells(grid), measured)
    ends = [(0, 0, 1, 1), (2, 1, 7, 6), (0, 0, 8, 8), (0, 0, 1.5, 1)]
    parts = estimate.parts(Workload.from_boxes(ends, grid.domain))
    assert parts.integer.tolist() == [each and units == 1 for each in (True, True, True, False)]
    for level in (0.5, 0.9, 0.95, 0.999):
        kept, apart = (
            answers_from(parts._replace(integer=integer), np.ones(4), level)
            for integer in (parts.integer, np.zeros(4, dtype=bool))
        )
        assert (kept.ci_low[~parts.integer] == apart.ci_low[~parts.integer]).all()
        assert (kept.ci_high[~parts.integer] == apart.ci_high[~parts.integer]).all()
        for exact, inward in (
            (kept.ci_low, np.ceil(apart.ci_low)),
            (kept.ci_high, np.floor(apart.ci_high)),
        ):
            assert (exact[parts.integer] == inward[parts.integer]).all()


def test_one_count_at_epsilon_1_is_known_to_within_3():
    """Of discrete Laplace noise of scale 1, 97.3 % lie from -3 to 3, and 92.7 % from -2 to 2."""
    estimate = fit(GridCells(Grid(square(), (1, 1))), Measurements.from_counts([9], ONE[0]))
    once = answer(estimate, Workload.from_boxes([(0, 0, 2, 2)], square()))
    assert (once.ci_low.tolist(), once.ci_high.tolist()) == ([6.0], [12.0])


# --- the noise of trees -----------------------------------------------------------------------


def measurement_weights(fit: Fit, regions: Workload) -> np.ndarray:
    """Return weight of every measurement in every answer, by dense algebra."""
    contains, design, variance = matrices(fit)
    solved = np.linalg.inv(design.T @ (design / variance[:, None])) @ design.T / variance
    weights = np.zeros((len(regions), len(fit.tree)))
    tree = fit.tree
    number = np.full(tree.nodes, -1)
    number[tree.cell_node] = np.arange(len(tree))
    for depth, part in enumerate(covered(tree, regions)):
        for region, node, weight in zip(part.region, part.node, part.weight):
            weights[region] += weight * contains[tree.levels[depth].first + node]
    return weights @ solved


@examples(40)
@given(fits(), st.integers(0, 2**32 - 1))
def test_the_fourth_cumulant_is_that_of_all_measurements(fit, seed):
    xmin, ymin, xmax, ymax = fit.tree.frame.domain.bounds
    ends = np.sort(np.random.default_rng(seed).random((6, 2, 2)), axis=2)
    ends = [xmin, ymin] + np.swapaxes(ends, 1, 2) * [xmax - xmin, ymax - ymin]
    regions = Workload.from_boxes(ends.reshape(6, 4), fit.tree.frame.domain)
    weights = measurement_weights(fit, regions)
    scales = fit.measurements.scales
    fourth = np.array([excess_kurtosis(s) * laplace_variance(s) ** 2 for s in scales])
    expected = weights**4 @ fourth[fit.measurements.scale]
    answers = answer_tree(fit, regions)
    np.testing.assert_allclose(answers.fourth, expected, rtol=1e-6, atol=1e-9 * expected.max())
    assert (answers.fourth <= 12.5 * answers.variance**2).all()


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_intervals_of_trees_hold_the_noise_as_often_as_they_say(level):
    """Noise alone on a fixed tree whose counts are far below zero: nothing is uneven."""
    tree = grown(halvings=2).tree
    scales = [Fraction(1000), Fraction(200, 3), Fraction(50), Fraction(30)]
    scale = np.concatenate([np.full(len(lv), min(d, 3)) for d, lv in enumerate(tree.levels)])
    empty = Measurements(np.arange(tree.nodes), np.full(tree.nodes, -10_000), scale, scales)
    estimate = TreeEstimate(tree, empty, alone=False)
    ends = [(0.1, 0.1, 0.2, 0.15), (0.3, 0.1, 1.1, 0.9), (0, 0, 3, 2), (1, 0.01, 2.99, 1.9)]
    regions = Workload.from_boxes([*ends, *tree.bounds[:6]], tree.frame.domain)
    weights = measurement_weights(Fit(tree, empty), regions)
    bits, draws = RandomBits(seed=12), 40_000
    noise = np.zeros((draws, tree.nodes))
    for number, each in enumerate(scales):
        where = scale == number
        noise[:, where] = bits.discrete_laplace(each, draws * where.sum()).reshape(draws, -1)
    answers = answer(estimate, regions, level)
    held = (np.abs(noise @ weights.T) <= (answers.ci_high - answers.ci_low) / 2).mean(axis=0)
    sigma = np.sqrt(level * (1 - level) / draws)
    assert (held > level - 0.002 - 4 * sigma).all()
    wider = {0.5: 0.02, 0.8: 0.01, 0.9: 0.01, 0.95: 0.01, 0.99: 0.007}[level]
    assert (held < level + wider).all()
