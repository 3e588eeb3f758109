"""Layers of districts: one rule for every point, refusals, overlaps, unions, the public order."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples

from geodp.core.common.errors import InputError
from geodp.core.common.types import Floats, Ints
from geodp.core.districts import district_raster
from geodp.core.districts import pixels as pixels_module
from geodp.core.districts.district_overlaps import overlap_areas, overlapping_pairs
from geodp.core.districts.district_raster import CoveredTwiceError, DistrictRaster
from geodp.core.districts.districts import (
    SLIVER_OF_DISTRICT,
    SLIVER_OF_EXTENT,
    DistrictMap,
    Slivers,
)
from geodp.core.districts.halving import halve
from geodp.core.regions.polygons import Polygons

some = examples(150, suppress_health_check=list(HealthCheck))
many = examples(300, suppress_health_check=list(HealthCheck))

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
Ring = tuple[int, bool, Floats]


def unit_at(x: float, y: float) -> Floats:
    return UNIT + np.array([x, y])


def named(rings: list[Ring]) -> DistrictMap:
    count = 1 + max(district for district, _, _ in rings)
    return DistrictMap.from_rings(rings, [f"d{i}" for i in range(count)])


def box(xmin: float, ymin: float, xmax: float, ymax: float) -> Floats:
    return np.array([[xmin, ymin], [xmax, ymin], [xmax, ymax], [xmin, ymax]])


def locate(layer: DistrictMap, points: list[tuple[float, float]]) -> list[int]:
    x, y = np.array(points, dtype=float).T.copy()
    return layer.locate(x, y).tolist()


def holders(polygons: Polygons, x: float, y: float) -> list[int]:
    """Return polygons that hold a point, by the rule in exact fractions, edge by edge."""
    px, py = Fraction(x), Fraction(y)
    crossings = dict.fromkeys(range(polygons.count), 0)
    for owner, edge in zip(polygons.owner.tolist(), polygons.edges.tolist()):
        ax, ay, bx, by = (Fraction(value) for value in edge)
        if (ay <= py) == (by <= py):
            continue
        crossings[owner] += px < ax + (py - ay) / (by - ay) * (bx - ax)
    return [owner for owner, number in crossings.items() if number % 2]


# By hand ------------------------------------------------------------------------------------------


def test_west_and_south_borders_are_in_and_east_and_north_borders_out():
    layer = named([(0, False, UNIT)])
    inside = [(0.5, 0.5), (0.0, 0.5), (0.5, 0.0), (0.0, 0.0)]
    outside = [(1.0, 0.5), (0.5, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (-5.0, 0.5), (7.0, 7.0)]
    assert locate(layer, inside) == [0] * 4
    assert locate(layer, outside) == [-1] * 7


def test_one_ulp_beside_a_border():
    layer = named([(0, False, UNIT), (1, False, unit_at(1.0, 0.0))])
    below, above = np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0)
    assert locate(layer, [(below, 0.5), (1.0, 0.5), (above, 0.5)]) == [0, 1, 1]
    assert locate(layer, [(0.5, below), (0.5, 1.0), (1.5, below)]) == [0, -1, 1]
    assert locate(layer, [(-5e-324, 0.5), (-0.0, 0.5), (5e-324, -5e-324)]) == [-1, 0, -1]


def test_a_slanted_border_is_decided_exactly():
    """The diagonal from (0, 0) to (3, 1) through points that float64 cannot divide."""
    low = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]])
    high = np.array([[0.0, 0.0], [3.0, 1.0], [0.0, 1.0]])
    layer = named([(0, False, low), (1, False, high[::-1])])
    third = 1.0 / 3.0  # just below a third: (1, third) is below the diagonal
    assert Fraction(third) < Fraction(1, 3)
    points = [(1.0, third), (1.0, np.nextafter(third, 1.0)), (1.5, 0.5), (0.0, 0.0)]
    assert locate(layer, points) == [0, 1, 0, 0]
    # On the line itself the point is not west of it, so that it belongs to what is east.
    assert locate(layer, [(0.75, 0.25), (np.nextafter(0.75, 0), 0.25)]) == [0, 1]


def test_the_corner_where_four_districts_meet_belongs_to_one():
    rings = [(i, False, unit_at(i % 2, i // 2)) for i in range(4)]
    assert locate(named(rings), [(1.0, 1.0)]) == [3]


def test_holes_islands_and_parts():
    rings = [
        (0, False, box(0, 0, 6, 6)),
        (0, True, box(1, 1, 5, 5)),
        (1, False, box(2, 2, 4, 4)),  # an island that leaves a gap around it
        (0, False, box(8, 0, 9, 1)),
    ]
    layer = named(rings)
    points = [(0.5, 3.0), (1.0, 1.0), (1.5, 3.0), (3.0, 3.0), (5.0, 3.0), (8.5, 0.5), (7.0, 0.5)]
    assert locate(layer, points) == [0, -1, -1, 1, 0, 0, -1]
    assert layer.areas.tolist() == [36 - 16 + 1, 4]
    assert [hole for hole, _ in layer.outline(0)] == [False, True, False]


def test_what_is_no_place_is_in_no_district():
    layer = named([(0, False, UNIT)])
    odd = [np.nan, np.inf, -np.inf, 1e308, -1e308]
    assert locate(layer, [(value, 0.5) for value in odd]) == [-1] * 5
    assert locate(layer, [(0.5, value) for value in odd]) == [-1] * 5
    assert layer.locate(np.empty(0), np.empty(0)).shape == (0,)
    assert layer.locate(np.array([0.5]), np.array([0.5])).dtype == np.int32


def test_areas_bounds_and_outlines():
    triangle = np.array([[10.0, 10.0], [10.0, 14.0], [13.0, 10.0], [10.0, 10.0]])
    layer = named([(0, False, UNIT), (1, False, triangle)])
    assert layer.areas.tolist() == [1.0, 6.0]
    assert layer.bounds == (0.0, 0.0, 13.0, 14.0)
    assert layer.district_bounds.tolist() == [[0, 0, 1, 1], [10, 10, 13, 14]]
    assert layer.centres.tolist() == [[0.5, 0.5], [11.5, 12.0]]
    (hole, ring), *others = layer.outline(1)
    assert (hole, others) == (False, [])
    assert {tuple(corner) for corner in ring.tolist()} == {tuple(c) for c in triangle.tolist()}
    assert (ring[0] == ring[-1]).all()


def test_small_districts_far_from_the_origin_have_exact_areas():
    rings = [(i, False, UNIT * 3 + np.array([5e6 + 3 * i, -4e6])) for i in range(5)]
    assert named(rings).areas.tolist() == [9.0] * 5


# The rule against fractions -----------------------------------------------------------------------


@st.composite
def partitions(draw: st.DrawFn) -> tuple[Polygons, Floats]:
    """Cut a rectangle into districts without gaps: corners and directions at random."""
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    scale, shift = draw(
        st.sampled_from([(1.0, 0.0), (0.1, 0.0), (1e5 / 3, -2e6), (2.0**-30, 1.0), (7.3, 1e9)])
    )
    jitter = st.integers(-2, 2)

    def corner(i: int, j: int, steps: int) -> tuple[float, float]:
        x, y = 8 * i // steps, 8 * j // steps
        if 0 < x < 8 * columns:
            x += draw(jitter)
        if 0 < y < 8 * rows:
            y += draw(jitter)
        return x * scale + shift, y * scale + shift

    corners = {(i, j): corner(i, j, 1) for i in range(columns + 1) for j in range(rows + 1)}
    middles = {}
    for i, j in list(corners):
        for other in ((i + 1, j), (i, j + 1)):
            if other in corners and draw(st.booleans()):
                (ax, ay), (bx, by) = corners[i, j], corners[other]
                middles[(i, j), other] = ((ax + bx) / 2, (ay + by) / 2)
    numbers = draw(st.permutations(range(rows * columns)))
    rings = []
    for number, (i, j) in zip(numbers, ((i, j) for i in range(columns) for j in range(rows))):
        around = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1), (i, j)]
        ring = []
        for a, b in zip(around, around[1:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
            ring.append(corners[a])
            key = (min(a, b), max(a, b))
            ring += [middles[key]] if key in middles else []
        start = draw(st.integers(0, len(ring) - 1))
        ring = ring[start:] + ring[:start]
        rings.append((number, False, np.array(ring[:: draw(st.sampled_from([1, -1]))])))
    polygons = Polygons.from_rings(sorted(rings, key=lambda ring: ring[0]), rows * columns)
    places = np.array([*corners.values(), *middles.values()])
    return polygons, _beside(places, draw)


def _beside(places: Floats, draw: st.DrawFn) -> Floats:
    """Return places, those one ulp beside them, and some on the way between two of them."""
    numbers = st.integers(0, len(places) - 1)
    picked = places[draw(st.lists(numbers, min_size=4, max_size=12))]
    weights = np.array(
        draw(st.lists(st.integers(0, 8), min_size=len(picked), max_size=len(picked)))
    )
    between = picked + (np.roll(picked, 1, axis=0) - picked) * (weights / 8)[:, None]
    points = [places, between]
    for along in ((np.inf, 0), (-np.inf, 0), (0, np.inf), (0, -np.inf)):
        moved = np.concatenate([picked, between])
        for axis, way in enumerate(along):
            if way:
                moved[:, axis] = np.nextafter(moved[:, axis], way)
        points.append(moved)
    return np.concatenate(points)


def as_layer(polygons: Polygons) -> DistrictMap:
    """Return the same polygons without checks: any rings are located by the rule."""
    ids = tuple(str(i) for i in range(polygons.count))
    return DistrictMap(polygons, ids, ids, Slivers(0, 0.0))


@pytest.mark.slow
@some
@given(partitions())
def test_every_point_of_a_partition_is_in_exactly_one_district(case: tuple[Polygons, Floats]):
    polygons, points = case
    layer = as_layer(polygons)
    codes = layer.locate(*points.T.copy())
    xmin, ymin, xmax, ymax = layer.bounds
    for (x, y), code in zip(points.tolist(), codes.tolist()):
        inside = xmin <= x < xmax and ymin <= y < ymax
        assert holders(polygons, x, y) == ([code] if inside else [])
        assert (code >= 0) == inside


@st.composite
def any_rings(draw: st.DrawFn) -> tuple[Polygons, Floats]:
    """Return rings of any kind: bow-ties, spikes, overlaps, repeated and vanishing edges."""
    number = draw(
        st.sampled_from(
            [
                st.integers(0, 4).map(float),
                st.sampled_from([0.0, 0.1, 0.2, 0.3, 1 / 3, 0.7, 1.0]),
                st.floats(-1.0, 1.0, allow_subnormal=True),
                st.floats(-1e140, 1e140),
                st.sampled_from([0.0, 5e-324, 1e-310, 2e-310]),
                st.sampled_from([1e15, 1e15 + 0.125, 1e15 + 0.25, 1e15 + 1]),
            ]
        )
    )
    corner = st.tuples(number, number)
    rings = draw(st.lists(st.lists(corner, min_size=2, max_size=6), min_size=1, max_size=5))
    edges = [(*a, *b) for ring in rings for a, b in zip(ring, [*ring[1:], ring[0]])]
    owner = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    polygons = Polygons(np.array(edges) + 0.0, owner, owner, len(rings))
    extra = np.array(draw(st.lists(corner, min_size=1, max_size=6)))
    return polygons, _beside(np.concatenate([polygons.edges[:, :2], extra]), draw)


@pytest.mark.slow
@many
@given(any_rings(), st.sampled_from([0.0, 1e9]))
def test_any_rings_follow_the_rule_and_the_first_wins(
    case: tuple[Polygons, Floats], crowded: float
):
    """On pixels of equal width, and on pixels that follow the edges."""
    polygons, points = case
    with patch.object(district_raster, "CROWDED", crowded):
        raster = DistrictRaster(polygons)
    x, y = points.T.copy()
    expected = [holders(polygons, *point) for point in points.tolist()]
    assert raster.locate(x, y).tolist() == [(held or [-1])[0] for held in expected]
    point, polygon = raster.holders(x, y)
    every = [[int(p) for p in polygon[point == i]] for i in range(len(x))]
    assert every == expected


@pytest.mark.parametrize("crowded", [0.0, 1e9])
@pytest.mark.parametrize("pixels", [2, 7, 100, 2048])
def test_any_raster_gives_the_same_codes(
    pixels: int, crowded: float, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pixels_module, "MOST_PIXELS", pixels)
    monkeypatch.setattr(pixels_module, "PIXELS_PER_ROOT", 1000)
    monkeypatch.setattr(district_raster, "CROWDED", crowded)
    monkeypatch.setattr(district_raster, "MOST_TESTS", 50)
    monkeypatch.setattr(district_raster, "BLOCK", 1000)
    monkeypatch.setattr(district_raster, "EDGES_AT_ONCE", 16)
    polygons = star_partition(7)
    raster = DistrictRaster(polygons)
    assert crowded == 0.0 or raster.shape == (pixels, pixels)
    random = np.random.default_rng(1)
    x, y = random.random((2, 800)) * 1.2 - 0.1
    expected = [(holders(polygons, *point) or [-1])[0] for point in zip(x.tolist(), y.tolist())]
    assert raster.locate(x, y).tolist() == expected


def star_partition(spokes: int) -> Polygons:
    """Return a ring of triangles around a centre, on a wavy circle, with an overlapping sliver."""
    angle = np.arange(spokes) * 2 * np.pi / spokes
    rim = np.stack([0.5 + 0.4 * np.cos(angle), 0.5 + 0.45 * np.sin(angle)], axis=1)
    rings: list[Ring] = []
    for i in range(spokes):
        rings.append((i, False, np.array([[0.5, 0.5], rim[i], rim[(i + 1) % spokes]])))
    rings.append((spokes, False, box(0.3, 0.2, 0.301, 0.8)))
    return Polygons.from_rings(rings, spokes + 1)


def test_a_crowd_of_districts_and_one_far_away():
    """Pixels follow the edges, so that few districts share one; the codes are the same."""
    rings = [(i, False, unit_at(i % 20, i // 20)) for i in range(400)]
    layer = named([*rings, (400, False, unit_at(1e7, 1e7))])
    lists = np.diff(layer._raster._first)
    assert lists.max() <= 9
    x, y = np.random.default_rng(3).random((2, 5000)) * 22 - 1
    x, y = np.append(x, [5.0, 20.0, 1e7 + 0.5, 1e7 + 1]), np.append(y, [7.0, 3.0, 1e7, 1e7])
    inside = (x >= 0) & (x < 20) & (y >= 0) & (y < 20)
    expected = np.where(inside, np.floor(y) * 20 + np.floor(x), -1)
    expected[-2] = 400
    assert (layer.locate(x, y) == expected).all()


@pytest.mark.slow
def test_neighbours_agree_whichever_way_they_run():
    random = np.random.default_rng(5)
    border = np.cumsum(random.random((40, 2)) * [0.3, 1.0], axis=0)
    top, bottom = border[-1, 1], border[0, 1]
    west = np.vstack([border, [[-9.0, top], [-9.0, bottom]]])
    east = np.vstack([border[::-1], [[30.0, bottom], [30.0, top]]])
    share = random.random((300, 1))
    pick = random.integers(0, 39, 300)
    points = border[pick] + share * (border[pick + 1] - border[pick])
    points = np.vstack([points, border[:-1]])
    for rings in ([west, east], [west[::-1], east], [west, east[::-1]]):
        layer = named([(i, False, ring) for i, ring in enumerate(rings)])
        codes = layer.locate(*points.T.copy())
        assert set(codes.tolist()) == {0, 1}
        assert codes.tolist() == [holders(layer.polygons, *point)[0] for point in points.tolist()]


def test_threads_locate_side_by_side():
    layer = named([(i, False, unit_at(i % 30, i // 30)) for i in range(900)])
    random = np.random.default_rng(2)
    blocks = [np.round(random.random((2, 20_000)) * 32 - 1, 2) for _ in range(8)]
    alone = [layer.locate(x, y) for x, y in blocks]
    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(lambda block: layer.locate(*block), blocks))
    assert all((one == other).all() for one, other in zip(alone, parallel))
    x, y = np.concatenate(blocks, axis=1)
    inside = (x >= 0) & (x < 30) & (y >= 0) & (y < 30)
    expected = np.where(inside, np.floor(y) * 30 + np.floor(x), -1)
    assert (np.concatenate(alone) == expected).all()


# A frozen description -----------------------------------------------------------------------------


def test_a_layer_is_frozen_hashable_and_travels():
    rings = [(0, False, UNIT), (1, False, unit_at(1.0, 0.0))]
    layer = DistrictMap.from_rings(rings, ["a", "b"], ["West", "East"])
    again = DistrictMap.from_rings([rings[1], rings[0]], ["a", "b"], ["West", "East"])
    travelled = pickle.loads(pickle.dumps(layer))
    assert layer == again == travelled
    assert len({layer, again, travelled}) == 1
    assert travelled.names == ("West", "East")
    assert travelled.locate(np.array([1.5]), np.array([0.5])).tolist() == [1]
    assert layer != DistrictMap.from_rings(rings, ["b", "a"], ["West", "East"])
    assert layer != DistrictMap.from_rings(rings, ["a", "b"])
    with pytest.raises(AttributeError, match="cannot be changed"):
        layer.ids = ("c", "d")  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        layer.polygons.edges[0, 0] = 5.0


def test_closed_repeated_and_negative_zero_corners_make_no_difference():
    closed = np.array([[-0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    closed = np.vstack([closed, closed[:1], closed[:1]])
    assert locate(named([(0, False, closed)]), [(0.0, 0.0), (0.5, 0.99), (1.0, 0.5)]) == [
        0,
        0,
        -1,
    ]
    assert len(named([(0, False, closed)]).polygons.edges) == 4


# Refusals -----------------------------------------------------------------------------------------

BOW_TIE = np.array([[0.0, 0.0], [6.0, 6.0], [6.0, 0.0], [0.0, 5.0]])
FAR = unit_at(50.0, 50.0)


def refused(rings: list[Ring], ids: list[str], names: list[str] | None = None) -> str:
    with pytest.raises(InputError) as caught:
        DistrictMap.from_rings(rings, ids, names)
    return str(caught.value)


@pytest.mark.parametrize(
    ("rings", "words"),
    [
        ([(0, False, FAR)], "district 'B' (Berg) is empty"),
        ([(0, False, FAR), (1, False, BOW_TIE)], "district 'B' (Berg) crosses itself"),
        ([(0, False, FAR), (1, False, UNIT * [1, 0])], "district 'B' (Berg) has none in a ring"),
        ([(0, False, FAR), (1, False, UNIT[:2])], "district 'B' (Berg) has none in a ring"),
        ([(0, False, FAR), (1, False, UNIT[:0])], "district 'B' (Berg) has none in a ring"),
        ([(0, False, FAR), (1, False, UNIT), (1, True, FAR - 5)], "(Berg) has a hole outside"),
        ([(0, False, FAR), (1, False, UNIT * np.nan)], "(Berg) has others"),
        ([(0, False, FAR), (1, False, UNIT * 1e200)], "(Berg) has others"),
        ([(0, False, FAR), (1, False, FAR[::-1])], "(Aue) and district 'B' (Berg) have the same"),
    ],
)
def test_broken_districts_are_refused_by_name(rings: list[Ring], words: str):
    assert words in refused(rings, ["A", "B"], ["Aue", "Berg"])


def test_names_that_do_not_fit_are_refused():
    one = [(0, False, UNIT)]
    assert "at least one district" in refused([], [])
    assert "one name; there are 2 for 1" in refused(one, ["a"], ["x", "y"])
    assert "'a' is there twice" in refused([*one, (1, False, FAR)], ["a", "a"])
    assert "must be text; got a int" in refused(one, [7])  # type: ignore[list-item]
    assert "districts 0 to 0" in refused([*one, (1, False, FAR)], ["a"])
    assert "rows of x and y" in refused([(0, False, np.zeros(4))], ["a"])
    with pytest.raises(InputError, match="rise from 0"):
        DistrictMap.from_arrays(UNIT, [0, 3], [0], [False], ["a"])
    with pytest.raises(InputError, match="got 1 starts"):
        DistrictMap.from_arrays(UNIT, [0], [0], [False], ["a"])


def test_overlaps_are_refused_with_names_and_size():
    words = refused([(0, False, UNIT * 4), (1, False, box(3, 0, 7, 4))], ["a", "b"])
    assert words == (
        "districts must not overlap; district 'a' and district 'b' share 4 square units of the "
        "layer, 25 % of the smaller one: correct their borders, or leave one of them out."
    )


@pytest.mark.parametrize(
    "island", [box(1, 1, 2, 2), box(0, 0, 1, 1), box(0, 1, 1, 2), box(0, 0, 4, 1)]
)
def test_a_district_inside_another_is_refused(island: Floats):
    """Free, in a corner, along one border, along three; the small one first or last."""
    for rings in ([island, UNIT * 4], [UNIT * 4, island]):
        layer = [(i, False, ring) for i, ring in enumerate(rings)]
        assert "100 % of the smaller" in refused(layer, ["a", "b"])


def test_a_corner_on_a_straight_border_is_no_overlap():
    square = box(0, 0, 4, 4)
    lower, upper = box(4, 0, 6, 1), np.array([[4.0, 1.0], [6.0, 1.0], [6.0, 4.0], [4.0, 4.0]])
    layer = named([(0, False, square), (1, False, lower), (2, False, upper)])
    assert layer.slivers == Slivers(0, 0.0)
    assert locate(layer, [(4.0, 1.0), (3.99, 1.0), (4.0, 0.99)]) == [2, 0, 1]


def test_slivers_go_to_the_first_and_are_summed():
    """A strip of 2**-12 of a unit is shared, which is below both limits of a large layer."""
    width = 2.0**-12
    rings = [
        (0, False, box(0, 0, 1 + width, 1)),
        (1, False, box(1, 0, 2, 1)),
        (2, False, box(0, 900, 1000, 1000)),
    ]
    layer = named(rings)
    assert layer.slivers == Slivers(1, width)
    shared = [(1.0, 0.5), (1 + width / 2, 0.0), (1 + width, 0.5)]
    assert locate(layer, shared) == [0, 0, 1]
    turned = named([(1 - i if i < 2 else i, hole, ring) for i, hole, ring in rings])
    assert locate(turned, shared) == [0, 0, 0]
    assert turned.slivers == layer.slivers


@pytest.mark.parametrize(("factor", "accepted"), [(0.99, True), (1.01, False)])
def test_both_limits_of_slivers(factor: float, accepted: bool):
    width = SLIVER_OF_DISTRICT * factor
    of_district = [
        (0, False, box(0, 0, 1, 1)),
        (1, False, box(1 - width, 0, 5, 1)),
        (2, False, box(0, 900, 1000, 1000)),
    ]
    width = SLIVER_OF_EXTENT * factor * 10
    of_extent = [(0, False, box(0, 0, 5, 1)), (1, False, box(5 - width, 0, 10, 1))]
    for rings in (of_district, of_extent):
        ids = [str(i) for i in range(len(rings))]
        if accepted:
            assert DistrictMap.from_rings(rings, ids).slivers.pairs == 1
        else:
            assert "must not overlap" in refused(rings, ids)


def test_districts_that_cover_one_another_again_and_again_are_refused(
    monkeypatch: pytest.MonkeyPatch,
):
    """One inside the other; a large one over many that lie side by side; two of the same size."""
    monkeypatch.setattr(district_raster, "MOST_ENTRIES", 200)
    nested = [(i, False, box(-i - 1, -i - 1, i + 1, i + 1)) for i in range(40)]
    under = [(0, False, box(0, 0, 9, 9))]
    under += [(1 + i, False, unit_at(i % 9, i // 9)) for i in range(81)]
    alike = [(0, False, box(0, 0, 9, 9)), (1, False, box(0, 0, 9, 9.5))]
    for rings in (nested, under, alike):
        count = len(rings)
        with pytest.raises(CoveredTwiceError) as caught:
            DistrictRaster(Polygons.from_rings(rings, count))
        assert len(set(caught.value.pair)) == 2
        assert "100 % of the smaller" in refused(rings, [str(i) for i in range(count)])


# Overlaps against fractions -----------------------------------------------------------------------


def exact_overlap(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> Fraction:
    """Return area that two triangles share, by cutting one with the sides of the other."""
    part = [(Fraction(x), Fraction(y)) for x, y in one]
    for (ax, ay), (bx, by) in zip(other, [*other[1:], other[0]]):
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in part]
        cut = []
        for i, (x, y) in enumerate(part):
            j = i - 1
            if (sides[i] > 0) != (sides[j] > 0) and sides[i] != sides[j]:
                share = sides[j] / (sides[j] - sides[i])
                cut.append(
                    (part[j][0] + share * (x - part[j][0]), part[j][1] + share * (y - part[j][1]))
                )
            if sides[i] > 0:
                cut.append((x, y))
        part = cut
    twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(part, [*part[1:], *part[:1]]))
    return abs(Fraction(twice)) / 2


corner = st.tuples(st.integers(0, 4), st.integers(0, 4))


@many
@given(st.lists(corner, min_size=6, max_size=6))
def test_overlaps_of_triangles_are_exact(corners: list[tuple[int, int]]):
    triangles = []
    for a, b, c in (corners[:3], corners[3:]):
        way = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if not way:
            return
        triangles.append([a, b, c] if way > 0 else [a, c, b])
    area = exact_overlap(*triangles)
    polygons = Polygons.from_rings(
        [(i, False, np.array(ring, dtype=float)) for i, ring in enumerate(triangles)], 2
    )
    raster = DistrictRaster(polygons)
    one, other = overlapping_pairs(polygons, raster)
    assert list(zip(one.tolist(), other.tolist())) == ([(0, 1)] if area else [])
    shared = overlap_areas(polygons, raster, np.array([0]), np.array([1]))
    assert shared[0] == pytest.approx(float(area), abs=1e-12)


@some
@given(partitions())
def test_partitions_have_no_overlap_but_rounding(case: tuple[Polygons, Floats]):
    polygons, _ = case
    raster = DistrictRaster(polygons)
    one, other = overlapping_pairs(polygons, raster)
    shared = overlap_areas(polygons, raster, one, other)
    assert len(one) == 0
    assert shared.sum() == 0.0


# Unions -------------------------------------------------------------------------------------------


@some
@given(partitions(), st.data())
def test_unions_hold_the_points_of_their_districts(
    case: tuple[Polygons, Floats], data: st.DataObject
):
    polygons, points = case
    layer = as_layer(polygons)
    groups = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(layer), max_size=len(layer)))
    )
    groups = np.unique(groups, return_inverse=True)[1]
    count = int(groups.max()) + 1
    unions = layer.unions(groups, count).check()
    x, y = points.T.copy()
    codes = layer.locate(x, y)
    expected = np.where(codes < 0, -1, groups[codes])
    assert (DistrictRaster(unions).locate(x, y) == expected).all()
    assert np.allclose(unions.areas, np.bincount(groups, layer.areas, minlength=count), rtol=1e-9)
    assert following_edges_meet(unions)


def following_edges_meet(polygons: Polygons) -> bool:
    for ring in np.unique(polygons.ring):
        edges = polygons.edges[polygons.ring == ring]
        if not (edges[:, 2:] == np.roll(edges[:, :2], -1, axis=0)).all():
            return False
    return True


def test_a_union_may_have_holes_and_parts_that_touch():
    """Nine squares: the four corners and the centre touch in points, the others surround."""
    rings = [(i, False, unit_at(i % 3, i // 3)) for i in range(9)]
    layer = named(rings)
    checkered = layer.unions(np.arange(9) % 2, 2).check()
    assert checkered.areas.tolist() == [5.0, 4.0]
    assert len(np.unique(checkered.ring)) == 9  # no ring touches itself
    around = layer.unions([0, 0, 0, 0, 1, 0, 0, 0, 0], 2).check()
    assert around.areas.tolist() == [8.0, 1.0]
    assert len(np.unique(around.ring)) == 3


# The public order ---------------------------------------------------------------------------------


def test_halving_by_hand():
    """Seven on a line from west to east, given from east to west."""
    halved = halve(np.stack([np.arange(7.0)[::-1], np.zeros(7)], axis=1))
    assert halved.order.tolist() == [6, 5, 4, 3, 2, 1, 0]
    runs = [(a, b) for a, b in zip(halved.start.tolist(), halved.stop.tolist())]
    assert runs == [
        *((0, 7), (0, 4), (4, 7), (0, 2), (2, 4), (4, 6), (6, 7)),
        *((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)),
    ]
    assert halved.child.tolist() == [1, 3, 5, 7, 9, 11, -1, *[-1] * 6]
    assert halved.below(np.array([0]), 2)[0].tolist() == [3, 4, 5, 6]
    assert halved.below(np.array([0]), 3)[0].tolist() == [7, 8, 9, 10, 11, 12, 6]


def test_the_longer_side_is_halved():
    tall = np.array([[0.0, 9.0], [1.0, 0.0], [0.0, 1.0], [1.0, 8.0]])
    assert halve(tall).order.tolist() == [2, 1, 0, 3]
    assert halve(tall[:1]).order.tolist() == [0]
    assert halve(np.zeros((5, 2))).order.tolist() == [0, 1, 2, 3, 4]


@some
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40))
def test_halves_are_equal_and_lie_side_by_side(places: list[tuple[int, int]]):
    centres = np.array(places, dtype=float)
    halved = halve(centres)
    assert sorted(halved.order.tolist()) == list(range(len(places)))
    assert len(halved.start) == 2 * len(places) - 1
    for node, child in enumerate(halved.child.tolist()):
        start, stop = int(halved.start[node]), int(halved.stop[node])
        if child < 0:
            assert stop - start == 1
            continue
        middle = int(halved.stop[child])
        assert (halved.start[child], halved.start[child + 1]) == (start, middle)
        assert halved.stop[child + 1] == stop
        assert (middle - start) - (stop - middle) in (0, 1)
        members = centres[halved.order[start:stop]]
        wide, high = np.ptp(members, axis=0)
        axis = int(high > wide)
        # Deeper halvings reorder inside the halves alone.
        assert members[: middle - start, axis].max() <= members[middle - start :, axis].min()


def test_the_order_of_a_layer_is_that_of_its_centres():
    rings = [(i, False, unit_at(3.0 * ((7 * i) % 8), 0.0)) for i in range(8)]
    layer = named(rings)
    order: Ints = layer.halving.order
    assert layer.centres[order, 0].tolist() == sorted(layer.centres[:, 0].tolist())
