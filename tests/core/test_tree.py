"""Trees of cells: what text keeps of them, least squares on them, and answers from them."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import square
from trees import fits, grown, matrices, of_polygons, rows_and_columns, weighted_variance

from geodp.core.common.errors import InputError
from geodp.core.estimates.least_squares import Fit
from geodp.core.estimates.tree_answers import answer_tree, border_cells
from geodp.core.estimates.tree_overlap import covered
from geodp.core.estimates.unevenness import tree_unevenness
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.noise import RandomBits
from geodp.core.regions.overlap import UNIT
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid
from geodp.core.space.support import Support
from geodp.core.space.tree import Tree


@examples(60)
@given(fits(), st.integers(0, 2**32 - 1))
def test_two_passes_are_weighted_least_squares(fit, seed):
    contains, design, variance = matrices(fit)
    normal = np.linalg.inv(design.T @ (design / variance[:, None]))
    estimate = normal @ design.T @ (fit.measurements.value / variance)
    np.testing.assert_allclose(fit.estimate, estimate, rtol=1e-8, atol=1e-7)
    np.testing.assert_allclose(fit.variance, np.diag(normal), rtol=1e-8)
    np.testing.assert_allclose(np.concatenate(fit.values), contains @ fit.estimate, atol=1e-7)
    weights = np.random.default_rng(seed).random((3, len(fit.tree)))
    expected = np.einsum("ri,ij,rj->r", weights, normal, weights)
    np.testing.assert_allclose(weighted_variance(fit, weights), expected, rtol=1e-8)
    np.testing.assert_allclose(weighted_variance(fit, weights[0]), expected[0], rtol=1e-8)


@examples(60)
@given(fits())
def test_cells_partition_the_domain_along_base_edges(fit):
    tree = fit.tree
    xmin, ymin, xmax, ymax = tree.bounds.T
    assert np.isin(tree.bounds[:, [0, 2]], tree.frame.x_edges).all()
    assert np.isin(tree.bounds[:, [1, 3]], tree.frame.y_edges).all()
    area = ((xmax - xmin) * (ymax - ymin)).sum()
    within = tree.frame.domain.within
    if within is None:
        assert area == pytest.approx(tree.frame.domain.area, rel=1e-9)
    x = (tree.frame.x_edges[:-1] + tree.frame.x_edges[1:]) / 2
    y = (tree.frame.y_edges[:-1] + tree.frame.y_edges[1:]) / 2
    x, y = (part.ravel() for part in np.meshgrid(x, y))
    inside = (xmin <= x[:, None]) & (x[:, None] < xmax) & (ymin <= y[:, None]) & (y[:, None] < ymax)
    assert (inside.sum(axis=1) <= 1).all()
    counts = np.ones(len(x), dtype=np.bool_) if within is None else within.holds(x, y)
    assert (inside.sum(axis=1) == 1)[counts].all()
    np.testing.assert_array_equal(tree.locate(x, y), inside.argmax(axis=1)[counts])


@examples(60)
@given(fits())
def test_what_is_read_back_answers_the_same(fit):
    tree = Tree.from_text(fit.tree.to_text(), fit.tree.frame)
    measured = Measurements.from_text(fit.measurements.to_text())
    again = Fit(tree, measured)
    assert tree == fit.tree
    assert measured == fit.measurements
    for name in ("estimate", "variance"):
        np.testing.assert_array_equal(getattr(again, name), getattr(fit, name))
    copy = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(copy.estimate, fit.estimate)
    assert hash(copy.tree) == hash(tree)
    assert hash(copy.measurements) == hash(measured)


def per_cell(fit: Fit, regions: Workload):
    """Return overlaps with all final cells, out of regular grids for every depth."""
    weights = np.zeros((len(regions), len(fit.tree)))
    tree = fit.tree
    row, column = rows_and_columns(tree)
    for depth in range(1, len(tree.levels)):
        rows, columns = tree.frame.shape(depth)
        overlap = regions.overlap(Grid(tree.frame.domain, (rows, columns)))
        for cell in np.flatnonzero(tree.cell_depth == depth):
            counts = np.zeros((rows, columns), dtype=np.int64)
            counts[rows - 1 - row[cell], column[cell]] = 1
            weights[:, cell] = [value / UNIT for value in overlap.responses(counts)]
    return weights


def boxes(frame: Frame, rng: np.random.Generator, count: int) -> Workload:
    """Return boxes with ends on cell lines, anywhere, and beyond the domain."""
    listed = []
    for edges in (frame.x_edges, frame.y_edges):
        ends = edges[0] + (rng.random((count, 2)) * 1.2 - 0.1) * (edges[-1] - edges[0])
        ends = np.where(rng.random(ends.shape) < 0.4, rng.choice(edges[::4], ends.shape), ends)
        low = np.minimum(ends.min(axis=1), edges[-2])
        listed.append((low, np.maximum(ends.max(axis=1), np.maximum(low, edges[0]) + 0.01)))
    (x0, x1), (y0, y1) = listed
    return Workload.from_boxes(np.stack([x0, y0, x1, y1], axis=1), frame.domain)


def stars(frame: Frame, rng: np.random.Generator, count: int, corners: int) -> Workload:
    """Return polygons of many shapes, some with a hole, some reaching beyond the domain."""
    rings = []
    for region in range(count):
        around = np.sort(rng.random(corners)) * 2 * np.pi
        middle = rng.random(2) * [3, 2]
        direction = np.stack([np.cos(around), np.sin(around)], axis=1)
        reach = (0.3 + 0.7 * rng.random(corners))[:, None] * rng.choice([0.02, 0.3, 1.0, 4.0])
        rings.append((region, False, middle + reach * direction))
        if region % 2 and np.diff(around, append=around[0] + 2 * np.pi).max() < np.pi:
            rings.append((region, True, middle + reach * direction * 0.4))
    return of_polygons(Polygons.from_rings(rings, count), frame.domain)


def blocks(frame: Frame, rng: np.random.Generator, count: int) -> Workload:
    """Return rectangles as polygons, their sides along cell lines."""
    rings = []
    for region in range(count):
        x0, x1 = np.sort(rng.choice(frame.x_edges[::2], 2, replace=False))
        y0, y1 = np.sort(rng.choice(frame.y_edges[::2], 2, replace=False))
        rings.append((region, False, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])))
    return of_polygons(Polygons.from_rings(rings, count), frame.domain)


KINDS = {
    "boxes": lambda frame, rng: boxes(frame, rng, 60),
    "triangles": lambda frame, rng: stars(frame, rng, 40, 3),
    "stars": lambda frame, rng: stars(frame, rng, 40, 60),
    "blocks": lambda frame, rng: blocks(frame, rng, 40),
}


def shore(shape: tuple[int, int]) -> Support:
    """Return pixels with and without weight, in lumps of some size."""
    lumps = np.random.default_rng(3).choice([0, 0, 1, 3, 200], (4, 6))
    row, column = (np.arange(n) * m // n for n, m in zip(shape, lumps.shape))
    return Support((0, 0, 3, 2), lumps[np.ix_(row, column)])


@pytest.mark.slow
@pytest.mark.parametrize("pixels", [None, (16, 24), (128, 192), (13, 7)])
@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_overlaps_with_every_cell(kind, pixels):
    fit = grown(within=None if pixels is None else shore(pixels))
    regions = KINDS[kind](fit.tree.frame, np.random.default_rng(5))
    weights = per_cell(fit, regions)
    answers = answer_tree(fit, regions)
    largest = np.abs(fit.estimate).sum()
    np.testing.assert_allclose(answers.estimate, weights @ fit.estimate, atol=1e-6 * largest)
    variance = weighted_variance(fit, weights)
    np.testing.assert_allclose(answers.variance, variance, rtol=1e-5, atol=1e-6)
    partly = (weights > 1e-6) & (weights < 1 - 1e-6)
    border = border_cells(fit, covered(fit.tree, regions))
    clear = (border.share > 1e-6) & (border.share < 1 - 1e-6)
    number = np.bincount(border.region[clear], minlength=len(regions))
    np.testing.assert_array_equal(number, partly.sum(axis=1))
    share = np.bincount(border.region[clear], border.share[clear], minlength=len(regions))
    np.testing.assert_allclose(share, (weights * partly).sum(axis=1), atol=1e-4)
    known = dict(zip(fit.estimate.tolist(), fit.variance.tolist()))
    assert [known[value] for value in border.held.tolist()] == border.noise.tolist()
    present = np.maximum(fit.estimate, 0)
    np.testing.assert_allclose(answers.present, weights @ present, rtol=1e-6, atol=1e-4)
    cut = np.where(weights < 1, weights, 0) @ present
    np.testing.assert_allclose(answers.cut, cut, rtol=1e-6, atol=1e-3)


def test_boxes_of_whole_cells_have_no_border():
    fit = grown()
    regions = Workload.from_boxes(fit.tree.bounds, fit.tree.frame.domain)
    answers = answer_tree(fit, regions)
    np.testing.assert_allclose(answers.estimate, fit.estimate, rtol=1e-12)
    np.testing.assert_allclose(answers.variance, fit.variance, rtol=1e-9)
    assert not len(border_cells(fit, covered(fit.tree, regions)).region)
    assert not answers.cut.any()
    assert not answer_tree(fit, regions, tree_unevenness(fit)).spread.any()


def test_many_boxes_are_answered_part_by_part(monkeypatch):
    fit = grown()
    regions = boxes(fit.tree.frame, np.random.default_rng(1), 50)
    at_once = answer_tree(fit, regions, tree_unevenness(fit))
    monkeypatch.setattr("geodp.core.estimates.tree_overlap.BLOCK", 7)
    again = answer_tree(fit, regions, tree_unevenness(fit))
    for part, other in zip(again, at_once):
        np.testing.assert_allclose(part, other, rtol=1e-12, atol=1e-12)


def test_only_border_nodes_are_looked_into():
    tree = Tree(
        Frame(square(), (1, 1), 5), [np.ones(4**d, bool) for d in range(5)] + [[False] * 1024]
    )
    cover = covered(tree, Workload.from_boxes([(0, 0, 1.9, 1.9)], square()))
    assert sum(len(part.node) for part in cover) < 300


@pytest.mark.slow
def test_the_stated_variance_is_that_of_the_noise():
    """Monte Carlo for one structure; scales that are off by a fifth would fail."""
    fit = grown(halvings=2)
    tree, measured = fit.tree, fit.measurements
    regions = boxes(tree.frame, np.random.default_rng(2), 5)
    bits = RandomBits(seed=4)
    errors = []
    for _ in range(2000):
        value = np.zeros(len(measured), dtype=np.int64)
        for number, scale in enumerate(measured.scales):
            where = measured.scale == number
            value[where] = bits.discrete_laplace(scale, int(where.sum()))
        noise = Measurements(measured.node, value, measured.scale, measured.scales)
        errors.append(answer_tree(Fit(tree, noise), regions).estimate)
    ratio = np.var(errors, axis=0) / answer_tree(fit, regions).variance
    assert (np.abs(ratio - 1) < 0.2).all()
    assert (np.abs(np.mean(errors, axis=0)) < 5 * np.sqrt(np.var(errors, axis=0) / 2000)).all()


def test_noise_whose_variance_rounds_to_nothing_has_a_weight():
    tree = Tree(Frame(square(), (1, 2), 1), [[False, False]])
    fit = Fit(
        tree, Measurements([0, 1, 2], [10, 4, 6], [1, 0, 0], [Fraction(1, 10**4), Fraction(1)])
    )
    np.testing.assert_allclose(fit.estimate, [4, 6])


@pytest.mark.parametrize(
    "splits", [[], [[True, True]], [[False]], [[False, False], []], [[False, False], [False] * 4]]
)
def test_what_is_no_tree_is_refused(splits):
    with pytest.raises(InputError, match="a tree"):
        Tree(Frame(square(), (1, 2), 1), splits)


def test_changed_text_is_refused():
    frame = Frame(square(), (1, 2), 1)
    text = Tree(frame, [[False, True], [False] * 4]).to_text()
    deeper = Tree(Frame(square(), (1, 2), 2), [[True] * 2, [True] * 8, [False] * 32]).to_text()
    for wrong in ("", "!", text[:-5], text + "AAAA", deeper, "é"):
        with pytest.raises(InputError, match="a tree"):
            Tree.from_text(wrong, frame)
    for wrong in ("", "1;", "1/0;eJwDAAAAAAE=", "x", "1;" + text):
        with pytest.raises(InputError, match="measurement"):
            Measurements.from_text(wrong)


def test_measurements_that_do_not_fit_are_refused():
    tree = Tree(Frame(square(), (1, 2), 1), [[False, False]])
    for node, scale in (([1], [0]), ([1, 2, 3], [0] * 3)):
        with pytest.raises(InputError, match="measure"):
            Fit(tree, Measurements(node, [0] * len(node), scale, [Fraction(1)]))
    for node, scale in (([-1], [0]), ([0], [1]), ([0], [-1]), ([0, 1], [0])):
        with pytest.raises(InputError, match="measurement"):
            Measurements(node, [0] * len(node), scale, [Fraction(1)])
    with pytest.raises(InputError, match="scale"):
        Measurements([0], [0], [0], [Fraction(0)])


def test_regions_of_another_domain_are_refused():
    with pytest.raises(InputError, match="the tree's domain"):
        answer_tree(grown(), Workload.from_boxes([(0, 0, 1, 1)], square()))


def test_everything_public_is_read_only():
    fit = grown()
    level = fit.tree.levels[1]
    arrays = [fit.estimate, fit.variance, fit.values[1], fit.tree.bounds, fit.tree.cell_node]
    arrays += [fit.measurements.value, level.split, level.code, fit.below[1], fit.gains[0]]
    assert not any(array.flags.writeable for array in arrays)
