"""Draws against their distributions: the true one is accepted, a scale 1.3 or 0.7 times is not.

Samples come from fixed seeds, so these tests never flicker; one with fresh bits stands at the
end, with odds of a false alarm below one in a billion.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from checks import laplace_fit, pooled_p
from coins import CoinBits
from scipy import stats

import geodp
from geodp.core.cells.grid_cells import GridCells
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.estimates.answers import answer
from geodp.core.estimates.fitting import fit
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy import noise
from geodp.core.privacy.noise import OpenDPBits, RandomBits, laplace_variance
from geodp.core.regions.workload import Workload
from geodp.core.space.grid import Grid

DRAWS = 200_000
ACCEPT = 1e-3
REJECT = 1e-12


RATES = [Fraction(9, 10), Fraction(1, 10), Fraction(7, 3), Fraction(1, 37), Fraction("0.123456789")]


@pytest.mark.parametrize("rate", RATES, ids=str)
@pytest.mark.parametrize("source", [RandomBits, CoinBits])
def test_noise_has_its_scale_and_no_other(source, rate):
    sample = source(seed=2024).discrete_laplace(1 / rate, DRAWS)
    assert laplace_fit(sample, float(rate)) > ACCEPT
    assert laplace_fit(sample, float(rate) / 1.3) < REJECT
    assert laplace_fit(sample, float(rate) / 0.7) < REJECT


@pytest.mark.parametrize("wrong", [Fraction(13, 10), Fraction(7, 10)])
@pytest.mark.parametrize("source", [RandomBits, CoinBits])
def test_a_sampler_with_the_wrong_scale_is_caught(source, wrong):
    sample = source(seed=5).discrete_laplace(Fraction(10, 9) * wrong, DRAWS)
    assert laplace_fit(sample, 0.9) < REJECT


@pytest.mark.parametrize("scale", ["1/3", "1", "12.3456789", "64", "65", "1000003/7", "100000000"])
def test_tables_and_coins_draw_one_distribution(scale):
    """Sizes in 64 classes that coins fill evenly, and the lowest bit, compared by chi-square."""
    tabled, tossed = (
        source(seed=17).discrete_laplace(Fraction(scale), 100_000)
        for source in (RandomBits, CoinBits)
    )
    edges = np.unique(np.quantile(tossed, np.arange(1, 64) / 64))
    for classes in (np.searchsorted(edges, [tabled, tossed]), np.array([tabled, tossed]) & 1):
        table = np.array([np.bincount(row, minlength=classes.max() + 1) for row in classes])
        table = table[:, table.sum(axis=0) >= 10]
        assert stats.chi2_contingency(table).pvalue > ACCEPT


@pytest.mark.parametrize("gamma", [Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(1, 1000)])
def test_the_coin_shows_heads_with_e_to_minus_gamma(gamma):
    bits = RandomBits(seed=99)
    heads = sum(bits.coin(gamma) for _ in range(20_000))
    p = np.exp(-float(gamma))
    assert stats.binomtest(heads, 20_000, p).pvalue > ACCEPT


def test_many_coins_agree_with_one():
    part = np.arange(11, dtype=np.uint64).repeat(20_000)
    heads = RandomBits(seed=8).coins(part, 10, len(part)).reshape(11, -1).sum(axis=1)
    p = np.exp(-np.arange(11) / 10)
    worst = min(stats.binomtest(int(h), 20_000, float(q)).pvalue for h, q in zip(heads, p))
    assert worst > ACCEPT / 11


def noises_of_a_tree() -> tuple[np.ndarray, geodp.Release]:
    """Say what was added to the true count of every node that a seeded release measured."""
    domain = geodp.Domain((0, 0, 1, 1), geodp.Crs("EPSG:5070"))
    x, y = np.random.default_rng(4).random((2, 300_000))
    released = geodp.release((x, y), domain, epsilon=1, cells="adaptive", seed=2024)
    tally = BaseTally(released.cells.tree.frame)
    tally.add(x, y)
    true = [
        tally.node_counts(level.code, depth)
        for depth, level in enumerate(released.cells.tree.levels)
    ]
    return released.measurements.value - np.concatenate(true)[released.measurements.node], released


def test_every_count_of_a_tree_has_noise_of_its_scale_and_its_own():
    """Nodes are measured because of earlier counts, which tell nothing about the noise to come."""
    noises, release = noises_of_a_tree()
    measurements, tested = release.measurements, 0
    for number, scale in enumerate(measurements.scales):
        sample = noises[measurements.scale == number]
        if len(sample) > 5000:
            tested += 1
            assert laplace_fit(sample, float(1 / scale)) > ACCEPT
            assert laplace_fit(sample, float(1 / scale) / 1.3) < REJECT
            assert laplace_fit(sample, float(1 / scale) / 0.7) < REJECT
    assert tested >= 2
    # Neighbours in the order of codes, parents, and what nodes were measured as for a second time.
    levels = release.cells.tree.levels
    depth = max(range(1, len(levels)), key=lambda depth: len(levels[depth]))
    node = levels[depth].first + np.arange(len(levels[depth]))
    first = np.searchsorted(measurements.node, node)
    above = np.searchsorted(measurements.node, levels[depth - 1].first + levels[depth].parent)
    twice = np.searchsorted(measurements.node, np.flatnonzero(np.bincount(measurements.node) == 2))
    assert len(node) > 5000
    assert len(twice) > 1000
    for one, other in ((first[:-1], first[1:]), (first, above), (twice, twice + 1)):
        apart = np.corrcoef(noises[one], noises[other])[0, 1]
        assert abs(apart) < 4.5 / np.sqrt(len(one))


def choices(choose: Callable[..., int], epsilon: Fraction, seed: int) -> np.ndarray:
    bits = RandomBits(seed)
    return np.bincount([choose(QUALITIES, epsilon, bits) for _ in range(30_000)], minlength=5)


QUALITIES = [Fraction(-3), Fraction(0), Fraction(-1, 2), Fraction(-2), Fraction(-7, 3)]
MECHANISMS = [
    (noise.permute_and_flip, noise.permute_and_flip_probabilities),
    (noise.exponential_choice, noise.exponential_probabilities),
]


@pytest.mark.slow
@pytest.mark.parametrize(("choose", "odds"), MECHANISMS)
def test_selection_has_its_epsilon_and_no_other(choose, odds):
    epsilon = Fraction(3, 2)
    observed = choices(choose, epsilon, seed=17)

    def fit(factor: Fraction) -> float:
        expected = np.array([float(p) for p in odds(QUALITIES, epsilon / factor)]) * observed.sum()
        return pooled_p(observed, expected)

    assert fit(Fraction(1)) > ACCEPT
    assert fit(Fraction(13, 10)) < REJECT
    assert fit(Fraction(7, 10)) < REJECT


@pytest.mark.slow
@pytest.mark.parametrize("rate", [Fraction(9, 10), Fraction(1, 20)], ids=str)
def test_our_sampler_and_that_of_opendp_agree(rate):
    opendp = OpenDPBits().discrete_laplace(1 / rate, 40_000)
    ours = RandomBits(seed=1).discrete_laplace(1 / rate, 40_000)
    edges = np.unique(np.quantile(ours, np.linspace(0, 1, 21)[1:-1]))
    table = [np.bincount(np.digitize(sample, edges), minlength=len(edges) + 1)
             for sample in (ours, opendp)]  # fmt: skip
    assert stats.chi2_contingency(np.array(table)).pvalue > 1e-6
    assert laplace_fit(opendp, float(rate)) > 1e-6
    assert laplace_fit(opendp, float(rate) / 1.3) < REJECT


def test_a_release_through_opendp():
    domain = geodp.Domain((0, 0, 1000, 1000), crs="EPSG:5070")
    release = geodp.release(
        (np.zeros(0), np.zeros(0)),
        cells=geodp.Regular(Grid(domain, (40, 40))),
        epsilon=1,
        noise="opendp",
    )
    assert release.method.noise == "opendp"
    assert laplace_fit(release.counts, 1.0) > 1e-6


BOXES = [(0, 0, 1, 1), (0, 0, 0.5, 1), (0.3, 0.2, 2.9, 3.3), (0, 0, 10, 10), (4.9, 0, 5.1, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("rate", [Fraction(9, 10), Fraction(1, 10), Fraction(4)], ids=str)
def test_intervals_hold_the_noise_in_95_of_100_cases(rate):
    domain = geodp.Domain((0, 0, 10, 10), crs="EPSG:5070")
    grid, regions = Grid(domain, (10, 10)), Workload.from_boxes(BOXES, domain)
    draws = RandomBits(seed=31).discrete_laplace(1 / rate, 100 * 40_000).reshape(-1, 10, 10)
    share = np.array(
        [[float(v) / 2**48 for v in regions.overlap(grid).responses(unit)] for unit in units(grid)]
    )
    noise_part = draws.reshape(len(draws), -1) @ share
    # Counts below zero stand for no records: nothing is uneven, and the noise is all there is.
    empty = np.full(grid.shape, -1, dtype=np.int64)
    estimate = fit(GridCells(grid), Measurements.from_counts(empty, 1 / rate))
    answers = answer(estimate, regions)
    held = (np.abs(noise_part) <= (answers.ci_high - answers.ci_low) / 2 + 1e-9).mean(axis=0)
    four_sigma = 4 * np.sqrt(0.95 * 0.05 / len(draws))
    assert (held > 0.95 - four_sigma).all()
    if (
        laplace_variance(1 / rate) > 1
    ):  # with hardly any noise, whole numbers make intervals too wide
        assert (held < 0.98).all()
    assert answers.noise_error == pytest.approx(noise_part.std(axis=0), rel=0.03)


def units(grid: Grid) -> np.ndarray:
    """Return one count matrix for each cell, 1 there and 0 elsewhere."""
    return np.eye(grid.cells, dtype=np.int64).reshape(-1, *grid.shape)


def test_fresh_entropy_draws_the_same_distribution():
    sample = RandomBits().discrete_laplace(Fraction(2), DRAWS)
    assert laplace_fit(sample, 0.5) > 1e-9
