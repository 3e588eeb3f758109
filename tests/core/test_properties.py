"""The claims of docs/privacy.md as properties, tried where edges coincide or miss by one ulp."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from checks import SCALE, influence_scores, tally_points
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples
from strategies import Case, box_cases, draw_points, grid_sets, pick, places, polygon_cases

from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.mechanisms import scores
from geodp.core.mechanisms.selection import choice_odds
from geodp.core.mechanisms.shares import Shares
from geodp.core.mechanisms.tuners import E2EPriv, Influence, Tuner
from geodp.core.regions.overlap import UNIT, BoxOverlap, Overlap
from geodp.core.space.axis import WHOLE
from geodp.core.space.grid import Grid

SCALES = [SCALE, Fraction(1000), Fraction(1, 20)]
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


many = examples(1500, suppress_health_check=list(HealthCheck))
some = examples(400, suppress_health_check=list(HealthCheck))
cases = st.one_of(box_cases(), polygon_cases())


def neighbours(data: st.DataObject, case: Case) -> tuple[Tally, list[Tally]]:
    """Return a dataset at telling places, and what it becomes with one record more."""
    plan = Plan(case.grids, case.workload)
    base = tally_points(plan, *data.draw(draw_points(case)))
    more = [pick(data.draw, case.x, case.y) for _ in range(3)]
    return base, [base + tally_points(plan, [x], [y]) for x, y in more]


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


@pytest.mark.slow
@some
@given(
    st.data(),
    cases,
    st.sampled_from(TUNERS),
    st.sampled_from([EPSILON, Fraction(3)]),
    st.sampled_from([1, 2, 5, 50]),
)
def test_choice_odds_of_neighbours_differ_by_at_most_their_share(
    data, case, tuner, epsilon, distance
):
    """As a release calls it: any records within the distance, any one published sketch."""
    plan = Plan(case.grids, case.workload)
    shares = Shares.of(epsilon, tuner, case.workload, distance=distance)
    base = tally_points(plan, *data.draw(draw_points(case)))
    x, y = np.array([pick(data.draw, case.x, case.y) for _ in range(min(distance, 3))]).T
    other = base + tally_points(plan, np.resize(x, distance), np.resize(y, distance))
    sketch = None
    if shares.sketch:
        drawn = data.draw(st.lists(st.integers(-9, 99), min_size=8, max_size=8))
        sketch = base.on(base.plan.sketch_grid) * data.draw(st.integers(0, 1)) + np.array(drawn)
        moved = int(np.abs(other.on(other.plan.sketch_grid) - base.on(base.plan.sketch_grid)).sum())
        assert moved / shares.sketch_scale <= shares.sketch
    before, after = (choice_odds(tuner, tally, shares, sketch) for tally in (base, other))
    assert abs(sum(before) - 1) < Decimal("1e-20")
    share = Decimal(shares.choice.numerator) / shares.choice.denominator
    limit = share.exp() * (1 + Decimal("1e-20"))
    for p, q in zip(before, after):
        assert p <= q * limit
        assert q <= p * limit


@pytest.mark.slow
@some
@given(st.data(), cases)
def test_points_of_a_cell_that_bounds_no_region_all_agree_with_its_overlap(data, case):
    """Inside or outside a region, a whole cell is so in the count of every one of its points."""
    plan = Plan(case.grids, case.workload)
    x, y = pick(data.draw, case.x, case.y)
    inside = tally_points(plan, [x], [y]).inside()
    for grid in case.grids:
        cell = int(grid.index(np.array([x]), np.array([y]))[0])
        if cell < 0:  # no records can be there
            assert not inside.any()
            continue
        share, boundary = dense(case.workload.overlap(grid))
        fixed = ~boundary[:, cell]
        assert np.array_equal(inside[fixed] * 1.0, share[fixed, cell])
        assert set(np.unique(share[fixed, cell])) <= {0.0, 1.0}


def dense(overlap: Overlap) -> tuple[np.ndarray, np.ndarray]:
    """Return overlap and boundary flag of every region and cell, written out."""
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
        one = np.zeros((rows, columns), dtype=int)
        for cell in range(one.size):
            one.flat[cell] = 1
            inner = overlap.inner_sums(one) == 1
            one.flat[cell] = 0
            row, column = rows - 1 - cell // columns, cell % columns
            assert not boundary[inner, row, column].any()
            share[inner, row, column] = 1
    # Spans and runs count rows from the south, counts from the north.
    return share[:, ::-1].reshape(m, -1), boundary[:, ::-1].reshape(m, -1)


@pytest.mark.slow
@some
@given(st.data(), cases)
def test_responses_equal_the_direct_sum_over_cells(data, case):
    plan = Plan(case.grids, case.workload)
    tally = tally_points(plan, *data.draw(draw_points(case)))
    for i, grid in enumerate(case.grids):
        overlap = case.workload.overlap(grid)
        share, _ = dense(overlap)
        direct = (share * tally.counts(i).ravel()).sum(axis=1)
        responses = overlap.responses(tally.counts(i))
        fast = np.array([value / UNIT for value in responses])
        assert fast == pytest.approx(direct, rel=1e-12, abs=1e-9)
        assert overlap.responses_of_sums(tally.summed()[i]).tolist() == responses.tolist()
        assert overlap.power_sum(1) == pytest.approx(share.sum(axis=1), abs=1e-9)
        assert overlap.power_sum(2) == pytest.approx((share**2).sum(axis=1), abs=1e-9)


@pytest.mark.slow
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


@pytest.mark.slow
@some
@given(st.data(), cases, st.integers(0, 8))
def test_blocks_and_merged_parts_give_the_same_tally(data, case, cut):
    plan = Plan(case.grids, case.workload)
    x, y = data.draw(draw_points(case))
    expected = tally_points(plan, x, y)
    merged = tally_points(plan, x[:cut], y[:cut]) + tally_points(plan, x[cut:], y[cut:])
    in_steps = Tally(plan)
    for at in range(len(x)):
        in_steps.add(x[at : at + 1], y[at : at + 1])
    for other in (merged, in_steps):
        assert np.array_equal(expected.inside(), other.inside())
        assert expected.total == other.total == (case.grids[0].index(x, y) >= 0).sum()
        for i in range(len(case.grids)):
            assert np.array_equal(expected.counts(i), other.counts(i))


@pytest.mark.slow
@some
@given(st.data(), cases)
def test_tally_counts_what_a_slow_reference_counts(data, case):
    plan = Plan(case.grids, case.workload)
    x, y = data.draw(draw_points(case))
    tally = tally_points(plan, x, y)
    for i, grid in enumerate(case.grids):
        assert np.array_equal(tally.counts(i), slow_counts(grid, x, y))
    if case.workload.boxes is not None:
        xmax, ymax = grid.domain.bounds[2:]
        counted = np.array([can_be_there(grid, *place) for place in zip(x, y)], dtype=bool)
        x = np.minimum(x[counted], np.nextafter(xmax, -np.inf))
        y = np.minimum(y[counted], np.nextafter(ymax, -np.inf))
        for box, inside in zip(case.workload.boxes, tally.inside()):
            x0, y0, x1, y1 = box
            assert inside == ((x >= x0) & (x < x1) & (y >= y0) & (y < y1)).sum()


def slow_counts(grid: Grid, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Count one point at a time, one edge at a time: as obvious as it gets."""
    counts = np.zeros(grid.shape, dtype=int)
    xmin, ymin, xmax, ymax = grid.domain.bounds
    for px, py in zip(x, y):
        if not (xmin <= px <= xmax and ymin <= py <= ymax and can_be_there(grid, px, py)):
            continue
        column = sum(1 for edge in grid.x_edges[1:-1] if edge <= px)
        from_south = sum(1 for edge in grid.y_edges[1:-1] if edge <= py)
        counts[grid.shape[0] - 1 - from_south, column] += 1
    return counts


def can_be_there(grid: Grid, x: float, y: float) -> bool:
    """Tell whether the pixel of a place has a weight, one edge at a time."""
    within = grid.domain.within
    if within is None:
        return True
    column = sum(1 for edge in within.x_edges[1:-1] if edge <= x)
    from_south = sum(1 for edge in within.y_edges[1:-1] if edge <= y)
    return bool(within.weights[within.shape[0] - 1 - from_south, column])


@pytest.mark.slow
@some
@given(st.data(), grid_sets())
def test_grid_index_agrees_with_a_slow_reference_at_every_edge(data, grids):
    x, y = places(data.draw, grids)
    for grid in grids:
        px, py = (axis.ravel() for axis in np.meshgrid(x, y))
        cells = grid.index(px, py)
        counts = np.bincount(cells[cells >= 0], minlength=grid.cells).reshape(grid.shape)
        assert np.array_equal(counts, slow_counts(grid, px, py))
        assert not counts[~grid.supported].any()
        outside = grid.index(np.array([np.nextafter(x[0], -np.inf), np.nan]), np.full(2, y[0]))
        assert outside.tolist() == [-1, -1]
