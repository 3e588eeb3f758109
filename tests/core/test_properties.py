"""The claims of docs/privacy.md as properties, tried where edges coincide or miss by one ulp."""

from __future__ import annotations

import os
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import Case, box_cases, grid_sets, pick, places, points_of, polygon_cases, square

from geodp.core import scores, tuners
from geodp.core.axis import WHOLE, Spans
from geodp.core.grid import Grid
from geodp.core.noise import laplace_variance
from geodp.core.overlap import UNIT, BoxOverlap, Overlap
from geodp.core.polygons import PolygonOverlap, Polygons
from geodp.core.tally import Plan, Tally
from geodp.core.tuners import E2EPriv, Influence, Tuner
from geodp.core.workload import Workload

SCALES = [Fraction(10, 9), Fraction(1000), Fraction(1, 20)]
SCALE = SCALES[0]
EPSILON = Fraction(1, 2)
TUNERS: list[Tuner] = [
    Influence(),
    E2EPriv("relative", "response"),
    E2EPriv("relative", "max_alpha", delta="0.2"),
    E2EPriv("relative", "response", delta="0.3"),
    E2EPriv("relative", "response", delta="0.9"),
    E2EPriv("relative", "max_grid", n0=25),
    E2EPriv("absolute"),
]

FEWER = int(os.environ.get("GEODP_FEWER_EXAMPLES", "1"))
"""Divides the number of cases, for a second round on another NumPy."""

many = settings(max_examples=1500 // FEWER, deadline=None, suppress_health_check=list(HealthCheck))
some = settings(max_examples=400 // FEWER, deadline=None, suppress_health_check=list(HealthCheck))
cases = st.one_of(box_cases(), polygon_cases())


def tally_of(plan: Plan, x: Sequence[float], y: Sequence[float]) -> Tally:
    tally = Tally(plan)
    tally.add(np.asarray(x, float), np.asarray(y, float))
    return tally


def neighbours(data: st.DataObject, case: Case) -> tuple[Tally, list[Tally]]:
    """A dataset at telling places, and what it becomes with one record more."""
    plan = Plan(case.grids, case.workload)
    base = tally_of(plan, *data.draw(points_of(case)))
    more = [pick(data.draw, case.x, case.y) for _ in range(3)]
    return base, [base + tally_of(plan, [x], [y]) for x, y in more]


def influence_scores(tally: Tally, overlaps: Sequence[Overlap]) -> list[Fraction]:
    weights, variance = tally.plan.workload.weights, laplace_variance(SCALE)
    result = []
    for i, overlap in enumerate(overlaps):
        errors = scores.aggregation_errors(overlap.responses(tally.counts(i)), tally.inside())
        result.append(scores.influence_score(errors, overlap, weights, variance))
    return result


def worst_move(base: Tally, others: list[Tally], overlaps: Sequence[Overlap]) -> float:
    """Largest step of an influence score, as a share of its stated sensitivity."""
    stated = [scores.influence_sensitivity(o, base.plan.workload.weights) for o in overlaps]
    before = influence_scores(base, overlaps)
    return max(
        float(abs(new - old) / allowed)
        for other in others
        for old, new, allowed in zip(before, influence_scores(other, overlaps), stated)
    )


@pytest.mark.slow
@many
@given(st.data(), cases)
def test_one_record_moves_the_influence_score_by_at_most_its_sensitivity(data, case):
    base, others = neighbours(data, case)
    overlaps = [case.workload.overlap(grid) for grid in case.grids]
    stated = [scores.influence_sensitivity(o, case.workload.weights) for o in overlaps]
    before = influence_scores(base, overlaps)
    for other in others:
        for old, new, allowed in zip(before, influence_scores(other, overlaps), stated):
            assert abs(new - old) <= allowed


@pytest.mark.slow
@many
@given(st.data(), cases, st.sampled_from(TUNERS), st.sampled_from(SCALES))
def test_one_record_moves_every_quality_by_at_most_one(data, case, tuner, scale):
    base, others = neighbours(data, case)
    overlaps = [case.workload.overlap(grid) for grid in case.grids]
    before = tuner.qualities(base, overlaps, EPSILON, scale)
    for other in others:
        for old, new in zip(before, tuner.qualities(other, overlaps, EPSILON, scale)):
            assert abs(new - old) <= 1


@some
@given(st.data(), cases, st.sampled_from(TUNERS), st.sampled_from([EPSILON, Fraction(3)]))
def test_selection_odds_of_neighbours_differ_by_at_most_e_to_epsilon(data, case, tuner, epsilon):
    base, others = neighbours(data, case)
    overlaps = [case.workload.overlap(grid) for grid in case.grids]
    before = tuner.probabilities(tuner.qualities(base, overlaps, epsilon, SCALE), epsilon)
    assert abs(sum(before) - 1) < Decimal("1e-20")
    limit = (Decimal(epsilon.numerator) / epsilon.denominator).exp() * (1 + Decimal("1e-20"))
    for other in others:
        after = tuner.probabilities(tuner.qualities(other, overlaps, epsilon, SCALE), epsilon)
        for p, q in zip(before, after):
            assert p <= q * limit
            assert q <= p * limit


@some
@given(st.data(), cases)
def test_points_of_a_cell_that_bounds_no_region_all_agree_with_its_overlap(data, case):
    """Inside or outside a region, a whole cell is so in the count of every one of its points."""
    plan = Plan(case.grids, case.workload)
    x, y = pick(data.draw, case.x, case.y)
    inside = tally_of(plan, [x], [y]).inside()
    for grid in case.grids:
        cell = int(grid.index(np.array([x]), np.array([y]))[0])
        share, boundary = dense(case.workload.overlap(grid))
        fixed = ~boundary[:, cell]
        assert np.array_equal(inside[fixed] * 1.0, share[fixed, cell])
        assert set(np.unique(share[fixed, cell])) <= {0.0, 1.0}


def dense(overlap: Overlap) -> tuple[np.ndarray, np.ndarray]:
    """Overlap and boundary flag of every region and cell, written out."""
    rows, columns = overlap.shape
    if isinstance(overlap, BoxOverlap):
        m = len(overlap.x.start)
        share, boundary = np.zeros((m, rows, columns)), np.zeros((m, rows, columns), bool)
        for t in range(m):
            for i in range(3):
                for j in range(3):
                    part = np.s_[
                        t,
                        overlap.y.start[t, j] : overlap.y.stop[t, j],
                        overlap.x.start[t, i] : overlap.x.stop[t, i],
                    ]
                    share[part] = (
                        overlap.x.fraction[t, i] / WHOLE * overlap.y.fraction[t, j] / WHOLE
                    )
                    boundary[part] = not i == j == 1
    else:
        m = overlap.count
        share, boundary = np.zeros((m, rows, columns)), np.zeros((m, rows, columns), bool)
        share[overlap.region, overlap.row, overlap.column] = overlap.share / WHOLE
        boundary[overlap.region, overlap.row, overlap.column] = True
        runs = zip(overlap.run_region, overlap.run_row, overlap.run_start, overlap.run_stop)
        for t, row, start, stop in runs:
            assert not boundary[t, row, start:stop].any()
            share[t, row, start:stop] = 1
    # Spans and runs count rows from the south, counts from the north.
    return share[:, ::-1].reshape(m, -1), boundary[:, ::-1].reshape(m, -1)


@some
@given(st.data(), cases)
def test_responses_equal_the_direct_sum_over_cells(data, case):
    plan = Plan(case.grids, case.workload)
    tally = tally_of(plan, *data.draw(points_of(case)))
    for i, grid in enumerate(case.grids):
        overlap = case.workload.overlap(grid)
        share, _ = dense(overlap)
        direct = (share * tally.counts(i).ravel()).sum(axis=1)
        fast = np.array([value / UNIT for value in overlap.responses(tally.counts(i))])
        assert fast == pytest.approx(direct, rel=1e-12, abs=1e-9)
        assert overlap.power_sum(1) == pytest.approx(share.sum(axis=1), abs=1e-9)
        assert overlap.power_sum(2) == pytest.approx((share**2).sum(axis=1), abs=1e-9)


@some
@given(st.data(), cases)
def test_influence_equals_the_direct_maximum_over_cells(data, case):
    weights = np.array(data.draw(st.lists(st.integers(1, 1000), min_size=4, max_size=4)))
    weights = weights[: len(case.workload)]
    for grid in case.grids:
        overlap = case.workload.overlap(grid)
        share, boundary = dense(overlap)
        move = np.where(boundary, np.maximum(share, 1 - share), 0)
        direct = (weights[:, None] * move).sum(axis=0).max()
        stated = overlap.influence(weights) / WHOLE
        assert direct <= stated + 1e-12
        assert stated <= direct + weights.sum() / WHOLE + 1e-9


@some
@given(st.data(), cases, st.integers(0, 8))
def test_blocks_and_merged_parts_give_the_same_tally(data, case, cut):
    plan = Plan(case.grids, case.workload)
    x, y = data.draw(points_of(case))
    whole = tally_of(plan, x, y)
    merged = tally_of(plan, x[:cut], y[:cut]) + tally_of(plan, x[cut:], y[cut:])
    in_steps = Tally(plan)
    for at in range(len(x)):
        in_steps.add(x[at : at + 1], y[at : at + 1])
    for other in (merged, in_steps):
        assert np.array_equal(whole.inside(), other.inside())
        assert whole.total == other.total == len(x)
        for i in range(len(case.grids)):
            assert np.array_equal(whole.counts(i), other.counts(i))


@some
@given(st.data(), cases)
def test_tally_counts_what_a_slow_reference_counts(data, case):
    plan = Plan(case.grids, case.workload)
    x, y = data.draw(points_of(case))
    tally = tally_of(plan, x, y)
    for i, grid in enumerate(case.grids):
        assert np.array_equal(tally.counts(i), slow_counts(grid, x, y))
    if case.workload.boxes is not None:
        xmax, ymax = grid.domain.bounds[2:]
        x = np.minimum(x, np.nextafter(xmax, -np.inf))
        y = np.minimum(y, np.nextafter(ymax, -np.inf))
        for box, inside in zip(case.workload.boxes, tally.inside()):
            x0, y0, x1, y1 = box
            assert inside == ((x >= x0) & (x < x1) & (y >= y0) & (y < y1)).sum()


def slow_counts(grid: Grid, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """One point at a time, one edge at a time: as obvious as it gets."""
    counts = np.zeros(grid.shape, dtype=int)
    xmin, ymin, xmax, ymax = grid.domain.bounds
    for px, py in zip(x, y):
        if not (xmin <= px <= xmax and ymin <= py <= ymax):
            continue
        column = sum(1 for edge in grid.x_edges[1:-1] if edge <= px)
        from_south = sum(1 for edge in grid.y_edges[1:-1] if edge <= py)
        counts[grid.shape[0] - 1 - from_south, column] += 1
    return counts


@some
@given(st.data(), grid_sets())
def test_grid_index_agrees_with_a_slow_reference_at_every_edge(data, grids):
    x, y = places(data.draw, grids)
    for grid in grids:
        px, py = (axis.ravel() for axis in np.meshgrid(x, y))
        cells = grid.index(px, py)
        found = np.bincount(cells, minlength=grid.cells).reshape(grid.shape)
        assert np.array_equal(found, slow_counts(grid, px, py))
        outside = grid.index(np.array([np.nextafter(x[0], -np.inf), np.nan]), np.full(2, y[0]))
        assert outside.tolist() == [-1, -1]


# --- planted faults: each must be caught by the properties above ----------------------------------


def half_cell_case() -> Case:
    """One cell, one region that covers half of it: the smallest place for a fault to show."""
    domain = square(2.0)
    workload = Workload.from_boxes([(0.0, 0.0, 1.0, 2.0)], domain)
    return Case((Grid(domain, (1, 1)),), workload, np.array([0.5]), np.array([0.5]))


def test_a_halved_sensitivity_is_caught(monkeypatch):
    true = scores.influence_sensitivity
    monkeypatch.setattr(scores, "influence_sensitivity", lambda *a: true(*a) / 2)
    case = half_cell_case()
    plan = Plan(case.grids, case.workload)
    crowd = tally_of(plan, [0.5] * 50, [0.5] * 50)
    more = crowd + tally_of(plan, [0.5], [0.5])
    assert worst_move(crowd, [more], [case.workload.overlap(case.grids[0])]) > 1.5


def test_boundary_cells_found_by_rounding_are_caught(monkeypatch):
    """A region that ends one ulp inside a cell edge: overlap rounds to 1, its count does not."""
    domain = square(2.0)
    grid = Grid(domain, (2, 2))
    nearly = float(np.nextafter(1.0, 0.0))
    workload = Workload.from_boxes([(0.0, 0.0, nearly, 1.0)], domain)
    plan = Plan((grid,), workload)
    crowd = tally_of(plan, [nearly] * 9, [0.5] * 9)
    more = crowd + tally_of(plan, [nearly], [0.5])
    assert worst_move(crowd, [more], [workload.overlap(grid)]) <= 1

    true_init = Spans.__init__

    def rounding(self, edges, low, high):
        true_init(self, edges, np.round(low, 9), np.round(high, 9))

    monkeypatch.setattr(Spans, "__init__", rounding)
    assert worst_move(crowd, [more], [workload.overlap(grid)]) > 1


def test_a_polygon_cell_that_is_merely_touched_must_bound(monkeypatch):
    domain = square(2.0)
    grid = Grid(domain, (2, 2))
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    polygons = Polygons.from_rings([(0, False, ring)], 1)
    _, boundary = dense(PolygonOverlap(polygons, grid))
    assert boundary.all()
    monkeypatch.setattr(Polygons, "tolerance", -1e-9)
    _, boundary = dense(PolygonOverlap(polygons, grid))
    assert not boundary.all()


def test_the_paper_without_its_repair_moves_by_more_than_one(monkeypatch):
    """A bound that shrinks with |D| and a large δ: as printed, a record moves score / Δ too far."""
    worst = 0.0
    monkeypatch.setattr(scores, "relative_sensitivity", lambda *_: Fraction(1))
    domain = square(2.0)
    grids = (Grid(domain, (1, 1)),)
    workload = Workload.from_boxes([(0.0, 0.0, 1.0, 2.0)], domain)
    plan = Plan(grids, workload)
    overlaps = [workload.overlap(grid) for grid in grids]
    tuner = tuners.E2EPriv(delta="0.9", n0=2)
    for n in range(2, 60):
        outside, inside = tally_of(plan, [1.0] * n, [1.0] * n), tally_of(plan, [0.0], [1.0])
        for base in (outside, tally_of(plan, [0.0] * n, [1.0] * n)):
            for record in (inside, tally_of(plan, [1.0], [1.0])):
                a = tuner.qualities(base, overlaps, EPSILON, SCALE * 1000)[0]
                b = tuner.qualities(base + record, overlaps, EPSILON, SCALE * 1000)[0]
                worst = max(worst, float(abs(a - b)))
    assert worst > 1.5
