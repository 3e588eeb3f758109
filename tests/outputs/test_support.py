"""Weights of rectangles and regions where records can be, against slow and obvious references."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import BOUNDS, PLANE, pair, supports, telling
from trees import grow_tree

import geodp
from geodp.core.common.errors import InputError
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.estimates.unevenness import grid_unevenness
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits
from geodp.core.regions.coverage import pixel_grid, polygon_support
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.weighted_overlap import PolygonWeights
from geodp.core.regions.workload import Workload
from geodp.core.space.axis import WHOLE
from geodp.core.space.domain import Domain
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid, in_domain
from geodp.core.space.support import LARGEST, Support

SQUARE = (0.0, 0.0, 4.0, 4.0)
CORNER = Support(SQUARE, [[0, 0, 0, 0], [0, 0, 0, 0], [2, 1, 0, 0], [4, 2, 0, 0]])
"""A quarter of a square in which records can be, most of them in its south-west."""


def exact_weight(support: Support, box: tuple[float, float, float, float]) -> Fraction:
    """Weigh pixel by pixel, in fractions."""
    x, y = ([Fraction(edge) for edge in edges] for edges in (support.x_edges, support.y_edges))
    x0, y0, x1, y1 = map(Fraction, box)
    total = Fraction(0)
    rows = support.shape[0]
    for row in range(rows):
        for column in range(support.shape[1]):
            wide = min(x1, x[column + 1]) - max(x0, x[column])
            high = min(y1, y[row + 1]) - max(y0, y[row])
            if wide > 0 and high > 0:
                part = wide / (x[column + 1] - x[column]) * high / (y[row + 1] - y[row])
                total += part * int(support.weights[rows - 1 - row, column])
    return total


@st.composite
def rectangles(draw: st.DrawFn):
    support = draw(supports(draw(st.sampled_from(BOUNDS))))
    xmin, ymin, xmax, ymax = support.bounds
    share = np.array(draw(st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3)))
    x = telling([support.x_edges], xmin + share * (xmax - xmin))
    y = telling([support.y_edges], ymin + share * (ymax - ymin))
    (x0, x1), (y0, y1) = pair(draw, x), pair(draw, y)
    return support, (x0, y0, x1, y1)


@examples(60)
@given(rectangles())
def test_weights_of_rectangles_are_those_of_their_pixels(drawn):
    support, box = drawn
    edges = [np.array([side]) for side in box]
    exact = exact_weight(support, box)
    weight = float(support.weight(*edges)[0])
    # Fractions of a pixel are multiples of 2**-24 along each axis.
    assert weight == pytest.approx(float(exact), rel=1e-6, abs=LARGEST * 2.0**-22)
    assert bool(support.meets(*edges)[0]) == (exact > 0)
    cells = np.array([box[0], box[2]]), np.array([box[1], box[3]])
    assert float(support.weight_of_cells(*cells)[0, 0]) == pytest.approx(float(exact), rel=1e-9)
    assert bool(support.meets_cells(*cells)[0, 0]) == (exact > 0)
    if support.is_even(*edges)[0]:
        sides = [Fraction(side) for side in box]
        area = (sides[2] - sides[0]) * (sides[3] - sides[1])
        pixel = Fraction(support.x_edges[1] - support.x_edges[0])
        pixel *= Fraction(support.y_edges[1] - support.y_edges[0])
        density = set(support.weights.ravel().tolist())
        assert any(float(exact) == pytest.approx(float(area / pixel * w), rel=1e-6, abs=1e-9)
                   for w in density)  # fmt: skip


@examples(25)
@given(st.integers(0, 2**32 - 1))
def test_polygons_have_the_weight_of_what_they_cover_of_each_pixel(seed):
    """Whole pixels exactly; in parts of pixels the polygon's share is taken as alike all over."""
    rng = np.random.default_rng(seed)
    support = Support(SQUARE, rng.choice([0, 0, 1, 3, 200], (rng.integers(1, 9), 8)))
    corners = rng.random((rng.integers(1, 6), 3, 2)) * 6 - 1
    triangles = [shapely.Polygon(three) for three in corners]
    rings = [(number, False, three) for number, three in enumerate(corners)]
    weights = PolygonWeights(Polygons.from_rings(rings, len(rings)), support)
    rows, columns = support.shape
    for number, triangle in enumerate(triangles):
        x0, x1 = np.sort(rng.choice(columns + 1, 2, replace=False))
        y0, y1 = np.sort(rng.choice(rows + 1, 2, replace=False))
        box = support.x_edges[x0], support.y_edges[y0], support.x_edges[x1], support.y_edges[y1]
        direct = 0.0
        for row in range(y0, y1):
            for column in range(x0, x1):
                sides = support.x_edges[[column, column + 1]], support.y_edges[[row, row + 1]]
                pixel = shapely.box(sides[0][0], sides[1][0], sides[0][1], sides[1][1])
                share = triangle.intersection(pixel).area / pixel.area
                direct += share * support.weights[rows - 1 - row, column]
        weight = weights.weight(np.array([number]), *(np.array([side]) for side in box))
        assert weight[0] == pytest.approx(direct, abs=1e-4)


def test_overlaps_by_hand():
    """A quarter has weights 2 1 over 4 2: its lower half has 6 of 9, its left column 6 of 9."""
    domain = Domain(SQUARE, PLANE, within=CORNER)
    grid = Grid(domain, (1, 1))
    south, west = (0, 0, 4, 1), (0, 0, 1, 4)
    everything, sea = (0, 0, 2, 2), (2.5, 0, 4, 4)
    boxes = Workload.from_boxes([south, west, everything, sea], domain)
    expected = [6 / 9, 6 / 9, 1, 0]
    assert boxes.overlap(grid).power_sum(1) == pytest.approx(expected, abs=1 / WHOLE)
    rings = [
        (number, False, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=float))
        for number, (x0, y0, x1, y1) in enumerate((south, west, everything, sea))
    ]
    polygons = Workload.from_polygons(Polygons.from_rings(rings, 4), domain)
    assert polygons.overlap(grid).power_sum(1) == pytest.approx(expected, abs=1 / WHOLE)
    assert polygons.inside == pytest.approx([4, 4, 4, 6])
    assert boxes.inside == pytest.approx([4, 4, 4, 6])


def test_a_sliver_of_weight_is_a_cell_of_its_own():
    """A cell that reaches into a pixel with weight by less than the unit of fractions."""
    support = Support(SQUARE, [[1, 0]])
    domain = Domain((0.0, 0.0, 4.0, 4.0), PLANE, within=support)
    grid = Grid(domain, cell_size=2 - 1e-9)
    assert grid.supported.all(axis=0).tolist() == [True, True]
    thin = (2 - 1e-9, 0.0, 2 - 5e-10, 4.0)
    overlap = Workload.from_boxes([thin, (0, 0, 1, 1)], domain).overlap(grid)
    assert ((overlap.share >= 0) & (overlap.share <= WHOLE)).all()
    assert {*zip(overlap.region.tolist(), overlap.column.tolist())} >= {(0, 1), (1, 0)}
    release = geodp.release(
        ([2 - 1e-10] * 9, [1.0] * 9), cells=geodp.Regular(grid), epsilon=100, seed=1
    )
    answers = release.query([thin, SQUARE])
    assert np.isfinite(answers.estimate).all()
    assert answers.estimate[1] == pytest.approx(9, abs=1)


def test_cells_without_support_are_neither_measured_nor_noisy():
    domain = Domain(SQUARE, PLANE, within=CORNER)
    grid = Grid(domain, (4, 4))
    release = geodp.release(([0.5] * 50, [0.5] * 50), cells=geodp.Regular(grid), epsilon=1, seed=1)
    assert len(release.measurements) == len(release.cells) == 4
    assert len(release.cells) == len(release.counts) == len(release.variance) == 4
    sea, land = release.query([(2, 0, 4, 4), (0, 0, 4, 4)]).noise_error
    assert sea == 0
    assert land == pytest.approx(2 * np.sqrt(release.variance.max()))
    assert release.query([(2, 0, 4, 4)]).estimate[0] == 0


@pytest.mark.slow
def test_records_elsewhere_change_nothing():
    """Also for people: what lies elsewhere does not use up what a person may keep."""
    domain = Domain(SQUARE, PLANE, within=CORNER)
    for cells in ("regular", "adaptive"):
        elsewhere = geodp.release(([0.5], [0.5]), domain, epsilon=1, seed=1, cells=cells)
        more = ([0.5, 3.0, 2.0, 4.0], [0.5, 3.0, 0.0, 4.0])
        again = geodp.release(more, domain, epsilon=1, seed=1, cells=cells)
        assert again.measurements == elsewhere.measurements
    x, y = np.full(100, 3.0), np.full(100, 3.0)
    x[0] = y[0] = 0.5
    visits = {"x": x, "y": y, "who": ["ann"] * 100}
    person = geodp.Person("who", max_records=1)
    grids = [Grid(domain, (1, 1))]
    release = geodp.release(
        visits, cells=geodp.Regular(grids), epsilon=1000, protect=person, seed=1
    )
    assert release.counts == pytest.approx([1], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_sums_come_out_right(cells):
    domain = Domain(SQUARE, PLANE, within=CORNER)
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 20_000)) * 2
    release = geodp.release((x, y), domain, epsilon=100, seed=1, cells=cells)
    answers = release.query([(0, 0, 4, 4), (0, 0, 2, 2), (0, 0, 1, 4)])
    assert answers.estimate[:2] == pytest.approx([20_000] * 2, abs=20)
    assert answers.estimate[2] == pytest.approx((x < 1).sum(), abs=60)
    assert (answers.noise_error < 10).all()


def test_records_that_follow_the_weights_are_not_uneven():
    """Counts in proportion to unlike weights: uneven by area, even by weight."""
    rng = np.random.default_rng(0)
    weights = rng.uniform(0.4, 1.6, (40, 40))
    counts = rng.poisson(2000 * weights).astype(float)
    noise = np.full(counts.shape, 2.0)
    by_area, by_weight = (
        float(grid_unevenness(counts, noise, known).values[0][0]) for known in (None, weights)
    )
    assert by_area > 0.004
    assert by_weight < by_area / 10


@examples(20)
@given(supports(SQUARE), st.integers(0, 2**32 - 1))
def test_paths_of_a_tree_add_up_wherever_records_can_be(support, seed):
    frame = Frame(Domain(SQUARE, PLANE, within=support), (1, 2), 4)
    tally = BaseTally(frame)
    tally.add(*(np.random.default_rng(seed).random((2, 1500)) ** 3 * 4))
    tree, measured = grow_tree(tally, TreeBudget.of(1), RandomBits(seed))
    spent = [Fraction(0)] * tree.nodes
    for node, scale in zip(measured.node.tolist(), measured.scale.tolist()):
        spent[node] += 1 / measured.scales[scale]
    for above, level in zip(tree.levels, tree.levels[1:]):
        for position, parent in enumerate(level.parent.tolist()):
            spent[level.first + position] += spent[above.first + parent]
    assert {spent[node] for node in tree.cell_node.tolist()} == {Fraction(1)}


def test_a_tree_measures_only_where_records_can_be():
    domain = Domain(SQUARE, PLANE, within=CORNER)
    frame = Frame(domain, (2, 2), 6)
    tally = BaseTally(frame)
    rng = np.random.default_rng(0)
    tally.add(*rng.random((2, 5000)) * 4)
    assert tally.total < 1500
    tree, measured = grow_tree(tally, TreeBudget.of(1), RandomBits(1))
    xmin, ymin, _, _ = tree.bounds.T
    assert ((xmin < 2) & (ymin < 2)).all()
    supported = np.concatenate([level.supported for level in tree.levels])
    assert supported[measured.node].all()
    assert not supported.all()


@examples(20)
@given(rectangles())
def test_what_is_written_down_is_read_back(drawn):
    support, _ = drawn
    again = Support.from_facts(support.to_facts(), support.bounds)
    for copy in (again, pickle.loads(pickle.dumps(support))):
        assert copy == support
        assert hash(copy) == hash(support)
        np.testing.assert_array_equal(copy.weights, support.weights)
        assert not copy.weights.flags.writeable
    other = Support(support.bounds, np.where(support.weights > 0, 9, 1))
    assert other != support


def test_weights_keep_eight_bits_and_none_becomes_zero():
    rng = np.random.default_rng(0)
    given_weights = 10 ** rng.uniform(-12, 5, (50, 50))
    weights = Support.of(SQUARE, given_weights).weights
    scaled = given_weights / given_weights.max() * LARGEST
    large = scaled > 1000
    np.testing.assert_allclose(weights[large], scaled[large], rtol=2.0**-8)
    assert weights.min() == 1
    assert weights.max() == LARGEST
    assert Support.of(SQUARE, [[0.0, 1e-300]]).weights.tolist() == [[0, LARGEST]]


@pytest.mark.slow
def test_polygons_become_shares_of_pixels():
    domain = Domain(SQUARE, PLANE)
    triangle = np.array([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)])
    twice = Polygons.from_rings([(0, False, triangle), (1, False, triangle)], 2)
    support = polygon_support(twice, domain)
    assert support.shape == pixel_grid(domain).shape == (2048, 2048)
    below = np.triu(np.ones((2048, 2048), dtype=bool))[:, ::-1]
    diagonal = np.eye(2048, dtype=bool)
    np.testing.assert_array_equal(support.weights[::-1] > 0, below)
    assert (support.weights[::-1][below & ~diagonal[:, ::-1]] == 255).all()


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([[0, 0]], "leave a place for records"),
        ([[0.5, 1.0]], "whole numbers"),
        ([[-1, 1]], "from 0 to"),
        ([[LARGEST + 1, 1]], "from 0 to"),
        ([[257, 1]], "significant bits"),
        ([1, 2], "whole numbers"),
        (np.zeros((0, 4), int), "whole numbers"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, words):
    with pytest.raises(InputError, match=words):
        Support(SQUARE, weights)


@pytest.mark.parametrize("odd", [-1.0, float("nan"), float("inf")])
def test_odd_weights_are_refused_in_a_sentence(odd):
    with pytest.raises(InputError, match=r"must be zero or more; one is (negative|no finite)"):
        Support.of(SQUARE, [[1.0, odd]])


def test_a_support_of_other_bounds_is_refused():
    with pytest.raises(InputError, match="the domain's bounds"):
        Domain((0, 0, 4, 5), PLANE, within=CORNER)


@pytest.mark.parametrize(
    "facts",
    [
        {"shape": [2, 4], "weights": CORNER.to_facts()["weights"]},
        {"shape": [1 << 20, 1 << 20], "weights": CORNER.to_facts()["weights"]},
        {"shape": [4, 4], "weights": "AAAA"},
        {"shape": [4, 4], "weights": ""},
    ],
)
def test_changed_facts_are_refused(facts):
    with pytest.raises(Exception, match=r".") as refusal:
        Support.from_facts(facts, SQUARE)
    assert "error" in type(refusal.value).__name__.lower()


def test_domains_differ_by_their_support():
    plain, land = Domain(SQUARE, PLANE), Domain(SQUARE, PLANE, within=CORNER)
    assert plain != land
    assert land == pickle.loads(pickle.dumps(land))
    assert f"within=<25 %, {CORNER.digest[:6]}>" in repr(land)
    inside, x, y = in_domain(land, np.array([0.0, 2.0, 4.0, np.nan]), np.zeros(4))
    assert inside.tolist() == [True, False, False, False]
    assert len(x) == len(y) == 1
