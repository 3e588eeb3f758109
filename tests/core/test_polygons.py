"""Any rings keep the sensitivity, exact predicates, and rings that bound no area are refused."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from checks import tally_points
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples
from score_steps import influence_score
from strategies import PLANE, Case, draw_points, pick, polygon_cases, square

from geodp.core.common.errors import InputError
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.mechanisms import scores
from geodp.core.mechanisms.tuners import E2EPriv, Influence
from geodp.core.regions import polygons as polygons_module
from geodp.core.regions import validity
from geodp.core.regions.orientation import direction, turn
from geodp.core.regions.overlap import UNIT
from geodp.core.regions.polygons import PolygonOverlap, Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.domain import Domain
from geodp.core.space.grid import Grid

many = examples(400, suppress_health_check=list(HealthCheck))
some = examples(200, suppress_health_check=list(HealthCheck))

EPSILON, SCALE = Fraction(1, 2), Fraction(10, 9)
BOW_TIE = [(0.0, 0.0), (6.0, 6.0), (6.0, 0.0), (0.0, 6.0)]


def unchecked(domain: Domain, *rings: tuple[bool, list[tuple[float, float]]]) -> Workload:
    """Return one region of rings that nobody has looked at."""
    polygons = Polygons.from_rings([(0, hole, np.array(ring)) for hole, ring in rings], 1)
    return Workload(domain, None, polygons, np.ones(1, dtype=np.int64), "any rings")


def steps(case: Case, base: Tally, more: Tally) -> list[float]:
    """Say how far a record moves each influence score, as a share of the stated sensitivity."""
    weights, moved = case.workload.weights, []
    for i, grid in enumerate(case.grids):
        overlap = case.workload.overlap(grid)
        values = [
            influence_score(
                scores.aggregation_errors(overlap.responses(tally.counts(i)), tally.inside()),
                overlap,
                weights,
                2.0,
            )
            for tally in (base, base + more)
        ]
        allowed = scores.influence_sensitivity(overlap, weights)
        moved.append(float(abs(values[1] - values[0]) / allowed))
    return moved


@pytest.mark.slow
@some
@given(st.data(), polygon_cases())
def test_any_closed_rings_keep_the_sensitivity(data, case):
    plan = Plan(case.grids, case.workload)
    base = tally_points(plan, *data.draw(draw_points(case)))
    more = tally_points(plan, *([value] for value in pick(data.draw, case.x, case.y)))
    assert max(steps(case, base, more)) <= 1
    overlaps = [case.workload.overlap(grid) for grid in case.grids]
    for tuner in (Influence(), E2EPriv("relative", "response"), E2EPriv("absolute")):
        before = tuner.qualities(base, overlaps, EPSILON, SCALE)
        after = tuner.qualities(base + more, overlaps, EPSILON, SCALE)
        assert max(abs(new - old) for old, new in zip(before, after)) <= 1


@pytest.mark.slow
@some
@given(st.data(), polygon_cases(unchecked=False))
def test_accepted_rings_keep_the_sensitivity(data, case):
    plan = Plan(case.grids, case.workload)
    base = tally_points(plan, *data.draw(draw_points(case)))
    more = tally_points(plan, *([value] for value in pick(data.draw, case.x, case.y)))
    assert max(steps(case, base, more)) <= 1


wild_ring = st.lists(
    st.tuples(*[st.one_of(st.integers(-2, 14).map(float), st.floats(-2, 14))] * 2),
    min_size=3,
    max_size=12,
)


@some
@given(st.lists(st.tuples(st.booleans(), wild_ring), min_size=1, max_size=3), st.integers(0, 99))
def test_off_the_boundary_of_any_rings_cells_and_points_agree(rings, seed):
    """Records in cells off the boundary: counted one by one or by their cells, they are as many."""
    domain = Domain((0, 0, 12, 12), PLANE)
    grid, workload = Grid(domain, (30, 29)), unchecked(domain, *rings)
    overlap = workload.overlap(grid)
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, 12, (2, 4000))
    off = ~np.isin(grid.index(x, y), overlap.cell)
    tally = tally_points(Plan((grid,), workload), x[off], y[off])
    assert (overlap.responses(tally.counts(0)) == tally.inside() * UNIT).all()


@pytest.fixture
def twice_around() -> Case:
    """Return a ring that runs twice around one area and crosses itself: wound twice, even-odd
    outside.
    """
    domain = Domain((0, 0, 10, 10), PLANE)
    around = [(0.7, 0.7), (9.3, 0.7), (9.3, 9.3), (0.7, 9.3)]
    again = [(0.75, 0.75), (9.2, 0.8), (9.2, 9.2), (0.8, 9.2)]
    workload = unchecked(domain, (False, around + again))
    return Case((Grid(domain, (10, 10)),), workload, np.array([5.5]), np.array([5.5]))


def test_a_place_wound_twice_counts_as_its_overlap_says(twice_around):
    plan = Plan(twice_around.grids, twice_around.workload)
    crowd, one = tally_points(plan, [5.5] * 5000, [5.5] * 5000), tally_points(plan, [5.5], [5.5])
    assert one.inside().tolist() == [0]
    assert steps(twice_around, crowd, one) == [0]
    with pytest.raises(InputError, match="region 0 crosses itself"):
        twice_around.workload.polygons.check()


def test_inner_cells_found_by_another_rule_than_points_are_caught(twice_around, monkeypatch):
    """The planted fault: cells that are wound around at all are inside, whatever points are."""
    plan = Plan(twice_around.grids, twice_around.workload)
    crowd, one = tally_points(plan, [5.5] * 5000, [5.5] * 5000), tally_points(plan, [5.5], [5.5])
    true = polygons_module._crossings

    def outermost(polygons, grid):
        region, row, column = true(polygons, grid)
        ends = [np.flatnonzero(row == r)[np.argsort(column[row == r])] for r in np.unique(row)]
        kept = np.concatenate([end[[0, -1]] for end in ends])
        return region[kept], row[kept], column[kept]

    monkeypatch.setattr(polygons_module, "_crossings", outermost)
    assert max(steps(twice_around, crowd, one)) > 1.1


# --- exact predicates -----------------------------------------------------------------------------

telling = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6),
    st.builds(lambda n, k: n + k * 2.0**-52, st.integers(1, 4), st.integers(-3, 3)),
    st.sampled_from([5e-324, -5e-324, 2.0**500, -(2.0**500), 1e-200, 0.1, 0.3]),
)
place = st.tuples(telling, telling)


def exact_area(ring: list[tuple[float, float]]) -> Fraction:
    points = [(Fraction(x), Fraction(y)) for x, y in ring]
    return sum(
        (a * d - b * c for (a, b), (c, d) in zip(points, points[1:] + points[:1])), Fraction(0)
    )


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


@many
@given(place, place, place)
def test_turns_are_exact(a, b, c):
    signs = turn(*(np.array([point]) for point in (a, b, c)))
    assert signs.tolist() == [sign(exact_area([a, b, c]))]


@many
@given(st.lists(place, min_size=3, max_size=8))
def test_directions_of_rings_are_exact(ring):
    assert direction(np.array(ring)) == sign(exact_area(ring))


def test_slivers_keep_their_direction_where_float64_gets_it_wrong():
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        a, b = rng.uniform(0, 1e6, (2, 2))
        ring = np.array([a, b, a + rng.random() * (b - a)])  # straight, but for rounding
        centred = ring - ring.mean(axis=0)
        after = np.roll(centred, -1, axis=0)
        area = (centred[:, 0] * after[:, 1] - centred[:, 1] * after[:, 0]).sum()
        true = sign(exact_area([(float(x), float(y)) for x, y in ring]))
        wrong += int(np.sign(area)) != true
        assert direction(ring) == true
    assert wrong > 0


# --- rings that bound an area ---------------------------------------------------------------------


def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


OUTER = (False, box(0, 0, 10, 10))
DIAMOND = [(5.0, 0.0), (8.0, 5.0), (5.0, 8.0), (2.0, 5.0)]

VALID = {
    "a square": [OUTER],
    "clockwise": [(False, OUTER[1][::-1])],
    "closed": [(False, [*OUTER[1], OUTER[1][0]])],
    "repeated corners": [(False, [(0, 0), (0, 0), (4, 0), (4, 4), (4, 4)])],
    "straight corners": [(False, [(0, 0), (2, 0), (4, 0), (4, 4)])],
    "a hole": [OUTER, (True, box(2, 2, 4, 4))],
    "two holes": [OUTER, (True, box(2, 2, 4, 4)), (True, box(5, 2, 7, 4))],
    "holes that touch in a corner": [OUTER, (True, box(2, 2, 4, 4)), (True, box(4, 4, 6, 6))],
    "a hole that touches the shell": [OUTER, (True, DIAMOND)],
    "a hole that touches a corner of the shell": [OUTER, (True, [(0, 0), (5, 1), (1, 5)])],
    "an island in a hole": [OUTER, (True, box(2, 2, 8, 8)), (False, box(4, 4, 6, 6))],
    "an island that touches its hole": [
        OUTER,
        (True, box(2, 2, 8, 8)),
        (False, [(2, 2), (6, 4), (4, 6)]),
    ],
    "two parts": [OUTER, (False, box(20, 0, 30, 10))],
    "parts that touch in a corner": [OUTER, (False, box(10, 10, 20, 20))],
    "parts that touch in a lowest corner": [
        (False, [(5, 0), (9, 5), (7, 6)]),
        (False, [(5, 0), (4, 6), (2, 5)]),
    ],
    "a corner on the side of another part": [OUTER, (False, [(10, 5), (15, 0), (15, 10)])],
    "a ring that touches itself": [(False, [(0, 0), (2, 2), (4, 0), (4, 4), (2, 2), (0, 4)])],
    "a ring that touches itself from inside": [
        (False, [(0, 0), (5, 3), (3, 5), (0, 0), (0, 10), (10, 10), (10, 0)])
    ],
}  # fmt: skip

INVALID = {
    "a bow-tie": ([(False, BOW_TIE)], "crosses itself"),
    "a spike": ([(False, [(0, 0), (4, 0), (8, 0), (4, 0), (4, 4)])], "lie on one another"),
    "a spike inward": ([(False, [(0, 0), (4, 0), (4, 4), (2, 2), (4, 4), (0, 4)])], "on one"),
    "a bow-tie through a corner": (
        [(False, [(0, 0), (2, 2), (4, 4), (4, 0), (2, 2), (0, 4)])],
        "crosses itself",
    ),
    "rings that cross": ([OUTER, (False, box(5, 5, 15, 15))], "crosses itself"),
    "a hole across the shell": ([OUTER, (True, box(5, 5, 15, 15))], "crosses itself"),
    "rings that cross in corners": (
        [(False, [(0, 0), (4, 0), (4, 4)]), (False, [(0, 2), (4, 4), (6, 0), (4, 0), (2, 0)])],
        "",
    ),
    "a hole outside": ([OUTER, (True, box(20, 20, 30, 30))], "hole outside"),
    "a hole without a shell": ([(True, box(0, 0, 1, 1))], "hole outside"),
    "a hole in a hole": ([OUTER, (True, box(2, 2, 8, 8)), (True, box(4, 4, 6, 6))], "hole outside"),
    "a part in a part": ([OUTER, (False, box(4, 4, 6, 6))], "cover one another"),
    "a part in a part that touches it": ([OUTER, (False, DIAMOND)], "crosses itself"),
    "a hole like its shell": ([OUTER, (True, OUTER[1])], "lie on one another"),
    "the same part twice": ([OUTER, (False, OUTER[1])], "lie on one another"),
    "parts that share a side": ([OUTER, (False, box(10, 2, 20, 8))], "lie on one another"),
    "twice around": ([(False, OUTER[1] * 2)], "lie on one another"),
    "a line": ([(False, [(0, 0), (1, 1), (2, 2)])], "lie on one another"),
    "a point": ([(False, [(1, 1), (1, 1), (1, 1)])], "no area"),
    "a corner through a side": (
        [(False, box(0, 0, 4, 4)), (False, [(2, 1), (4, 2), (6, 1), (6, 3), (4, 2), (2, 3)])],
        "crosses itself",
    ),
}


def of(rings: list[tuple[bool, list[tuple[float, float]]]], region: int = 0) -> Polygons:
    triples = [(region, hole, np.array(ring, dtype=float)) for hole, ring in rings]
    others = [(i, False, np.array(box(0, 0, 1 + i, 1))) for i in range(region)]
    return Polygons.from_rings([*others, *triples], region + 1)


@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize("pairs", [1 << 19, 3])
def test_rings_that_bound_an_area_are_taken(name, pairs, monkeypatch):
    monkeypatch.setattr(validity, "MOST_PAIRS", pairs)
    for turned in range(4):
        angle = np.array([[0, -1], [1, 0]]) if turned % 2 else np.eye(2)
        shift = 1e6 if turned > 1 else 0.0
        of([(hole, np.array(ring) @ angle + shift) for hole, ring in VALID[name]]).check()


@pytest.mark.parametrize("name", INVALID)
@pytest.mark.parametrize("pairs", [1 << 19, 3])
def test_rings_that_bound_no_area_are_refused(name, pairs, monkeypatch):
    monkeypatch.setattr(validity, "MOST_PAIRS", pairs)
    rings, rule = INVALID[name]
    with pytest.raises(InputError, match=rf"valid polygon; region 0 .*{rule}.*repair it with"):
        Workload.from_polygons(of(rings), square(10.0))
    with pytest.raises(InputError, match=rf"region 2 .*{rule}"):
        of(rings, region=2).check()


def wiggly(corners: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radius = 1e5 * (1 + 0.3 * rng.random(corners))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1) + 3e6


def test_one_crossing_among_thousands_of_edges_is_found():
    ring = wiggly(5000)
    assert Polygons.from_rings([(0, False, ring)], 1).check().count == 1
    for far in (1700, 4321):
        crossed = ring.copy()
        crossed[[far, far + 2]] = crossed[[far + 2, far]]
        with pytest.raises(InputError, match="crosses itself"):
            Polygons.from_rings([(0, False, crossed)], 1).check()


@pytest.mark.slow
def test_thousands_of_islands_are_told_from_one_inside_another():
    islands = [
        (0, False, np.array(box(3.0 * i, 3.0 * j, 3.0 * i + 2, 3.0 * j + 2)))
        for i in range(40)
        for j in range(40)
    ]
    Polygons.from_rings(islands, 1).check()
    nested = [*islands, (0, False, np.array(box(60.5, 60.5, 61.0, 61.0)))]
    with pytest.raises(InputError, match="cover one another"):
        Polygons.from_rings(nested, 1).check()


def test_edges_closer_in_angle_than_float64_tells_are_ordered():
    """Directions of (n + 1, n) and (n + 2, n + 1) differ by less than a rounding at 45 degrees."""
    big = 2.0**52
    far = np.array([[big + 1, big], [big + 2, big + 1], [-1.0, 5.0], [1.0, -5.0]])
    for order in ([0, 1, 2, 3], [1, 0, 3, 2], [3, 1, 2, 0]):
        given = far[order]
        sorted_rows = validity._around(np.zeros(4, dtype=np.int64), np.zeros((4, 2)), given)
        assert np.array_equal(given[sorted_rows], far)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_coordinates_that_are_none_are_refused(value):
    ring = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, value)])
    with pytest.raises(InputError, match="region 4 has others"):
        Polygons.from_rings([(4, False, ring)], 5)
    with pytest.raises(InputError, match="rows of x and y"):
        Polygons.from_rings([(0, False, np.zeros((3, 3)))], 1)


def test_polygons_cannot_be_written_to():
    polygons = of([OUTER])
    for copy in (polygons, pickle.loads(pickle.dumps(polygons))):
        for array in (copy.edges, copy.owner, copy.ring):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_shares_of_sums_of_units_are_exact_however_large_these_are():
    """Of thirty million records with amounts in 2**30 steps, sums times shares pass 64 bits."""
    grid = Grid(Domain((0.0, 0.0, 8.0, 8.0), PLANE), (8, 8))
    ring = [(1.3, 1.2), (6.9, 2.1), (4.4, 7.7), (1.3, 1.2)]
    overlap, one = PolygonOverlap(of([(False, ring)]), grid), np.ones((8, 8), dtype=np.int64)
    (share,) = overlap.responses(one)
    for units in (3, 1 << 20, (1 << 40) - 1, (1 << 55) + 1, 1 - (1 << 56)):
        assert overlap.responses(one * units).tolist() == [share * units]
