"""Budgets, domains, grids and workloads: what they accept, and how they refuse the rest."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from strategies import PLANE, square

import geodp
from geodp import Budget, Crs, CrsError, Domain, Grid, InputError, Workload, candidate_grids
from geodp.core.counts.grid_tally import CountLattice
from geodp.core.privacy.budget import ceil_fraction, exact
from geodp.core.regions.polygons import Polygons
from geodp.core.space.axis import Axis, equal_edges
from geodp.core.space.grid import DEFAULT_SIZES, checked_candidates

NAN, INF = math.nan, math.inf


def test_ten_tenths_are_one():
    tenth = Budget(0.1)
    total = tenth
    for _ in range(9):
        total = total + tenth
    assert total == Budget(1)
    assert Budget("1/3") * 3 == Budget(1)
    assert Budget(Decimal("0.7")) - Budget(0.2) == Budget("1/2")
    assert Budget(1) / 4 < Budget(0.3)
    assert float(Budget(np.float64(0.25))) == 0.25
    assert Budget(Budget(2)) == Budget(np.int64(2))


def test_a_split_adds_up():
    first, rest = Budget(0.3).split(0.1)
    assert first == Budget("0.03")
    assert first + rest == Budget("0.3")


@pytest.mark.parametrize("epsilon", [0, -1, NAN, INF, "much", None, True, "1/0", [1]])
def test_a_budget_must_be_positive_and_finite(epsilon):
    with pytest.raises(InputError, match="epsilon"):
        Budget(epsilon)


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, NAN])
def test_a_share_lies_between_0_and_1(share):
    with pytest.raises(InputError, match="share"):
        Budget(1).split(share)


def test_public_floats_round_up():
    assert ceil_fraction(0.1, 10) >= Fraction(0.1)
    assert exact("2.50") == Fraction(5, 2)


@pytest.mark.parametrize(
    ("bounds", "rule"),
    [
        ((0, 0, 0, 1), "xmin < xmax"),
        ((0, 2, 1, 1), "xmin < xmax"),
        ((0, 0, NAN, 1), "finite"),
        ((0, 0, INF, 1), "finite"),
        ((-1e308, 0, 1.7e308, 1), "finite"),
        ((0, 0, 1), "four numbers"),
        ("here", "four numbers"),
        (None, "four numbers"),
    ],
)
def test_bad_bounds_are_refused(bounds, rule):
    with pytest.raises(InputError, match=rule):
        Domain(bounds, PLANE)


def test_a_geographic_crs_is_refused_with_a_remedy():
    degrees = Crs("EPSG:4326", geographic=True)
    with pytest.raises(CrsError, match="projected one for your region"):
        Domain((0, 0, 1, 1), degrees)
    study = Domain((0, 0, 1, 1), degrees, allow_geographic=True)
    assert "allow_geographic=True" in repr(study)


@pytest.mark.parametrize("crs", [None, ""])
def test_a_missing_crs_is_an_error(crs):
    with pytest.raises(CrsError, match="is needed"):
        Domain((0, 0, 1, 1), crs)


@pytest.mark.parametrize("resolution", [0, -5, NAN, INF])
def test_a_bad_resolution_is_refused(resolution):
    with pytest.raises(InputError, match="resolution"):
        Domain((0, 0, 1, 1), PLANE, resolution=resolution)


def test_domains_and_grids_are_values():
    domain = square(4.0)
    assert domain == square(4.0)
    assert domain.area == 16
    assert len({Grid(domain, (2, 2)), Grid(square(4.0), (2, 2)), Grid(domain, (2, 3))}) == 2


@pytest.mark.parametrize(
    ("shape", "rule"),
    [
        ((0, 3), "at least one row"),
        ((3, -1), "at least one row"),
        ((2.5, 2), "whole numbers"),
        ((2,), "whole numbers"),
        ("ab", "whole numbers"),
        ((100_000, 100_000), "at most 67,108,864 cells"),
    ],
)
def test_bad_shapes_are_refused(shape, rule):
    with pytest.raises(InputError, match=rule):
        Grid(square(), shape)


@pytest.mark.parametrize("size", [0, -1, 3, NAN, 1e-300])
def test_bad_cell_sizes_are_refused(size):
    with pytest.raises(InputError, match="cell"):
        Grid(square(2.0), cell_size=size)


def test_cells_that_float64_cannot_tell_apart_are_refused():
    narrow = Domain((1e9, 0.0, 1e9 + 1e-6, 1.0), PLANE)
    with pytest.raises(InputError, match="too fine"):
        Grid(narrow, (1, 1000))


def test_a_grid_needs_a_shape_or_a_cell_size():
    with pytest.raises(InputError, match="got neither"):
        Grid(square())
    with pytest.raises(InputError, match="make a shape of"):
        Grid(square(2.0), (3, 3), cell_size=1.0)


def test_square_cells_are_laid_from_the_upper_left_corner():
    grid = Grid(Domain((0, 0, 5, 3), PLANE), cell_size=2)
    assert grid.shape == (2, 3)
    assert grid.x_edges.tolist() == [0, 2, 4, 5]
    assert grid.y_edges.tolist() == [0, 1, 3]
    assert grid.transform == (2.0, 0.0, 0.0, 0.0, -2.0, 3.0)
    assert repr(grid).endswith("cell_size=2.0)")


def test_a_remainder_of_rounding_makes_no_sliver():
    grid = Grid(Domain((0, 0, 2.1, 2.1), PLANE), cell_size=0.35)  # 6 * 0.35 < 2.1 in float64
    assert grid.shape == (6, 6)
    assert grid.x_edges[-1] == 2.1


def test_candidates():
    domain = square(1000.0)
    assert [g.shape[0] for g in candidate_grids(domain)] == list(DEFAULT_SIZES)
    limited = Domain(domain.bounds, PLANE, resolution=30)
    assert [g.shape[0] for g in candidate_grids(limited)] == [10, 14, 20, 28]
    coarse = Domain(domain.bounds, PLANE, resolution=400)
    assert [g.shape for g in candidate_grids(coarse)] == [(2, 2)]
    flat = Domain((0, 0, 1000, 300), PLANE, resolution=400)
    assert [g.shape for g in candidate_grids(flat)] == [(1, 2)]
    with pytest.raises(InputError, match="none was given"):
        candidate_grids(domain, [])
    with pytest.raises(InputError, match="must differ"):
        candidate_grids(domain, [10, 20, 10])
    with pytest.raises(InputError, match="choose one"):
        candidate_grids(domain, [10], cell_sizes=[5])
    with pytest.raises(InputError, match="share one domain"):
        checked_candidates([Grid(domain, (2, 2)), Grid(limited, (2, 3))])


@pytest.mark.parametrize("aspect", [1, 0.2, 0.64, 1.3, 3.7, 20])
def test_cells_of_the_default_ladder_are_near_square(aspect):
    grids = candidate_grids(Domain((0, 0, 1000, 1000 * aspect), PLANE))
    assert len({grid.shape for grid in grids}) == len(DEFAULT_SIZES)
    for grid, size in zip(grids, DEFAULT_SIZES):
        assert 1 / 1.5 < grid.cell_width / grid.cell_height < 1.5
        assert grid.cells == pytest.approx(size**2, rel=0.05)


def test_a_ribbon_of_a_domain_is_cut_along_its_length():
    shapes = [grid.shape for grid in candidate_grids(Domain((0, 0, 1, 1e9), PLANE))]
    assert shapes[0] == (100, 1)
    assert shapes[-1] == (102_400, 1)


def test_random_boxes_depend_on_their_seed_alone():
    domain = square(100.0)
    boxes = Workload.random_boxes(domain, [0.25], 3, seed=1).boxes
    assert np.array_equal(boxes, Workload.random_boxes(domain, [0.25], 3, seed=1).boxes)
    assert not np.array_equal(boxes, Workload.random_boxes(domain, [0.25], 3, seed=2).boxes)
    assert boxes[:, 2] - boxes[:, 0] == pytest.approx([50, 50, 50])
    # The stream of PCG64 never changes; this box was computed from its first two words.
    raw = np.random.PCG64(1).random_raw(2)
    assert boxes[0, :2] == pytest.approx((raw >> np.uint64(11)) * 2.0**-53 * 50)


@pytest.mark.parametrize("shares", [[0], [1], [-0.1], [1.5], [NAN]])
def test_shares_outside_0_to_1_are_refused(shares):
    with pytest.raises(InputError, match="shares must lie between"):
        Workload.random_boxes(square(), shares, seed=1)


def test_empty_workloads_are_refused():
    for shares, each in (([], 5), ([0.1], 0)):
        with pytest.raises(InputError, match="at least one box"):
            Workload.random_boxes(square(), shares, each, seed=1)
    with pytest.raises(InputError, match="at least one"):
        Workload.from_boxes(np.empty((0, 4)), square())


@pytest.mark.parametrize(
    ("box", "rule"),
    [
        ((5, 5, 6, 6), "region 1 lies outside"),
        ((1, 1, 1, 2), "finite xmin < xmax"),
        ((0, 0, NAN, 1), "finite xmin < xmax"),
        ((2.0, 0.0, 3.0, 1.0), "region 1 lies outside"),
    ],
)
def test_bad_boxes_are_refused(box, rule):
    with pytest.raises(InputError, match=rule):
        Workload.from_boxes([(0, 0, 1, 1), box], square(2.0))


def test_boxes_are_cut_to_the_domain():
    assert Workload.from_boxes([(-5, 1, 9, 9)], square(2.0)).boxes.tolist() == [[0, 1, 2, 2]]


def test_expected_counts_weigh_regions():
    boxes = [(0, 0, 1, 1), (0, 0, 2, 1)]
    assert Workload.from_boxes(boxes, square(2.0)).weights.tolist() == [1, 1]
    for expected in ("area", [10, 20]):
        light, heavy = Workload.from_boxes(boxes, square(2.0), expected=expected).weights[::-1]
        assert heavy == pytest.approx(2 * light, rel=1e-8)
    for expected in ([1], [1, 0], [1, NAN], "size"):
        with pytest.raises(InputError, match="expected must be"):
            Workload.from_boxes(boxes, square(2.0), expected=expected)


BOUNDS = (0, 0, 1, 1)


@pytest.mark.parametrize(
    "construct",
    [
        lambda domain: Grid(domain, (2, 2)),
        lambda domain: candidate_grids(domain),
        lambda domain: Workload.random_boxes(domain, seed=1),
        lambda domain: Workload.from_boxes([BOUNDS], domain),
        lambda domain: Workload.from_polygons(Polygons.from_rings([], 0), domain),
    ],
)
@pytest.mark.parametrize(("domain", "kind"), [(BOUNDS, "a tuple"), (None, "nothing")])
def test_a_domain_that_is_none_is_refused_with_a_remedy(construct, domain, kind):
    with pytest.raises(InputError, match=rf"bounds with a CRS, such as `Domain.*got {kind}"):
        construct(domain)


def test_a_swapped_order_is_refused():
    with pytest.raises(InputError, match=r"a domain is bounds with a CRS.*got a list"):
        Workload.from_boxes(square(), [BOUNDS])


def test_arrays_of_frozen_things_are_read_only():
    """A grid that compares equal to another has the same edges, whatever anyone did to it."""
    boxes = np.array([[0.0, 0.0, 1.0, 1.0]])
    values = [
        (Grid(square(), (2, 2)), ("x_edges", "y_edges")),
        (Grid(square(), cell_size=0.5), ("x_edges", "y_edges")),
        (Workload.from_boxes(boxes, square()), ("boxes", "weights")),
        (Workload(square(), boxes, None, np.ones(1, dtype=np.int64), "b"), ("boxes", "weights")),
        (CountLattice(np.arange(3.0), np.arange(3.0)), ("x_edges", "y_edges")),
    ]
    for value, names in values:
        if not isinstance(value, CountLattice):
            value = pickle.loads(pickle.dumps(copy.copy(value)))
        for name in names:
            with pytest.raises(ValueError, match="read-only"):
                getattr(value, name)[0] = 7
    boxes[0] = 7  # the caller's own array stays the caller's
    assert values[3][0].boxes.tolist() == [[0, 0, 1, 1]]


def test_a_copy_of_a_grid_is_the_same_grid():
    for grid in (Grid(square(), (2, 3)), Grid(square(), cell_size=0.75)):
        again = pickle.loads(pickle.dumps(grid))
        assert again == grid
        assert hash(again) == hash(grid)
        assert again.x_edges.tolist() == grid.x_edges.tolist()


def test_an_axis_finds_its_place_among_crowded_edges():
    rng = np.random.default_rng(4)
    for edges in (
        np.unique(np.concatenate([rng.random(3000), 0.5 + rng.random(500) * 1e-9, [0.0, 1.0]])),
        equal_edges(-3.0, 7.0, 1),
        np.array([0.0, 5e-324, 1e-323]),
        np.array([1.0, np.nextafter(1.0, 2), 2.0, 1e300]),
    ):
        inner = rng.random(5000) * (edges[-1] - edges[0]) + edges[0]
        beside = np.concatenate([edges, np.nextafter(edges, -INF), np.nextafter(edges, INF), inner])
        x = beside[(beside >= edges[0]) & (beside < edges[-1])]
        assert np.array_equal(Axis(edges).locate(x), np.searchsorted(edges, x, side="right") - 1)


def test_the_tour_names_everything_public():
    assert sorted(geodp.__all__) == geodp.__all__
    assert all(hasattr(geodp, name) for name in geodp.__all__)
