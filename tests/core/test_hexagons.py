"""Hexagons over a domain: every point in exactly one, by the rule of districts."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples
from strategies import BOUNDS, PLANE

from geodp.core.common.errors import InputError
from geodp.core.common.types import Floats
from geodp.core.districts.districts import DistrictMap, Slivers
from geodp.core.districts.hexagons import HexagonGrid
from geodp.core.space.domain import Domain

some = examples(100, suppress_health_check=list(HealthCheck))

TOWN = Domain((0.0, 0.0, 40.0, 30.0), PLANE)


def as_districts(grid: HexagonGrid) -> DistrictMap:
    corners = grid.corners(np.arange(len(grid)))
    rings = [(i, False, ring) for i, ring in enumerate(corners)]
    return DistrictMap.from_rings(rings, grid.ids)


def test_by_hand():
    """Sides of 2: row 0 has its upright borders from y = 0 to 2, row 1 from y = 3 to 5."""
    grid = HexagonGrid(Domain((0.0, 0.0, 10.0, 5.0), PLANE), 2)
    step = math.sqrt(3.0)
    assert grid.shape == (3, 3, 4)
    assert len(grid) == 10
    x = np.array([0.0, step, 2 * step, 2 * step - 1e-9, 0.0, 0.0, step + 1e-9, step])
    y = np.array([0.0, 1.0, 1.0, 1.0, 2.0, 2.5, 4.0, 2.999])
    # A point on the border between two of a row is in the eastern one; (0, 2.5) is above the
    # border from (0, 2) to (√3, 3), (√3, 2.999) below its end.
    assert grid.locate(x, y).tolist() == [0, 0, 1, 0, 0, 3, 4, 0]
    assert grid.ids[3:5] == ("1-0", "1-1")
    assert grid.corners(np.array([3]))[0].tolist() == [
        [0.0, 2.0],
        [pytest.approx(step), 3.0],
        [pytest.approx(step), 5.0],
        [0.0, 6.0],
        [pytest.approx(-step), 5.0],
        [pytest.approx(-step), 3.0],
    ]


def test_points_outside_the_domain_are_in_none():
    grid = HexagonGrid(TOWN, 3.0)
    odd = np.array([-1e-9, 40.001, np.nan, np.inf, -np.inf, 1e308])
    assert (grid.locate(odd, np.full(6, 5.0)) == -1).all()
    assert (grid.locate(np.full(6, 5.0), odd) == -1).all()
    sides = grid.locate(np.array([40.0, 0.0, 40.0]), np.array([30.0, 30.0, 0.0]))
    assert (sides >= 0).all()


@st.composite
def cases(draw: st.DrawFn) -> tuple[HexagonGrid, Floats]:
    bounds = draw(st.sampled_from(BOUNDS))
    longer = max(bounds[2] - bounds[0], bounds[3] - bounds[1])
    side = longer / draw(st.sampled_from([0.3, 1.0, 2.0, 3.7, math.sqrt(3.0), 9.0]))
    grid = HexagonGrid(Domain(bounds, PLANE), side)
    corners = grid.corners(np.arange(len(grid)))
    share = draw(st.sampled_from([0.5, 0.25, 1 / 3, 0.9]))
    places = [corners, corners + share * (np.roll(corners, 1, axis=1) - corners)]
    points = np.concatenate(places).reshape(-1, 2)
    beside = [points]
    for way in (np.inf, -np.inf):
        for axis in (0, 1):
            moved = points.copy()
            moved[:, axis] = np.nextafter(moved[:, axis], way)
            beside.append(moved)
    sides = np.array([[bounds[i], bounds[j]] for i in (0, 2) for j in (1, 3)])
    return grid, np.concatenate([*beside, sides])


@some
@given(cases())
def test_hexagons_hold_the_points_that_their_polygons_hold(case: tuple[HexagonGrid, Floats]):
    grid, points = case
    xmin, ymin, xmax, ymax = grid.domain.bounds
    x, y = points.T.copy()
    inside = (xmin <= x) & (x <= xmax) & (ymin <= y) & (y <= ymax)
    codes = grid.locate(x, y)
    layer = as_districts(grid)
    assert layer.slivers == Slivers(0, 0.0)
    assert ((codes >= 0) == inside).all()
    assert (codes[inside] == layer.locate(x, y)[inside]).all()


@some
@given(cases())
def test_neighbours_have_the_same_corners_to_the_bit(case: tuple[HexagonGrid, Floats]):
    grid, _ = case
    layer = as_districts(grid)
    united = layer.unions(np.zeros(len(grid), dtype=int), 1).check()
    assert len(np.unique(united.ring)) == 1  # no gap is left inside
    assert np.allclose(layer.areas, grid.area, rtol=1e-6)


def test_hexagons_that_reach_the_domain_and_no_others():
    grid = HexagonGrid(TOWN, 3.0)
    corners = grid.corners(np.arange(len(grid)))
    low, high = corners.min(axis=1), corners.max(axis=1)
    assert (low <= [40.0, 30.0]).all()
    assert (high > [0.0, 0.0]).all()
    random = np.random.default_rng(1)
    codes = grid.locate(random.random(200_000) * 40, random.random(200_000) * 30)
    assert codes.min() >= 0
    assert codes.max() < len(grid) == len(set(grid.ids))


def test_a_grid_is_frozen_hashable_and_travels():
    grid = HexagonGrid(TOWN, 3)
    assert pickle.loads(pickle.dumps(grid)) == grid == HexagonGrid(TOWN, 3.0)
    assert hash(grid) == hash(HexagonGrid(TOWN, 3.0))
    assert grid != HexagonGrid(TOWN, 3.5)


@pytest.mark.parametrize("side", [0, -1, math.nan, math.inf])
def test_sides_must_be_lengths(side: float):
    with pytest.raises(InputError, match="positive number"):
        HexagonGrid(TOWN, side)


def test_hexagons_too_small_are_refused():
    with pytest.raises(InputError, match="up to 16,777,216"):
        HexagonGrid(TOWN, 0.001)
    with pytest.raises(InputError, match="larger than the rounding"):
        HexagonGrid(Domain((1e9, 0.0, 1e9 + 1, 1.0), PLANE), 0.01)
