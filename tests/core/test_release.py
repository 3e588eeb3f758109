"""The pipeline with NumPy alone: what goes in, what comes out, and what never does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from strategies import PLANE, count_table, square

import geodp
from geodp import (
    Budget,
    Domain,
    E2EPriv,
    Feature,
    FileError,
    Grid,
    Influence,
    InputError,
    Person,
    Record,
    Regular,
    Workload,
    candidate_grids,
)
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.kernel.kernel import Kernel
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms.selection import expected_weights, noisy_sketch
from geodp.core.mechanisms.shares import Shares
from geodp.core.privacy.noise import RandomBits, laplace_variance
from geodp.core.publish.metadata import release_tags, restore
from geodp.core.records.source import BLOCK
from geodp.core.regions.polygons import Polygons

DOMAIN = Domain((0.0, 0.0, 100.0, 80.0), PLANE)


def sample_points(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two towns and some countryside."""
    rng = np.random.default_rng(seed)
    towns = np.array([[20.0, 20.0], [70.0, 60.0]])[rng.integers(0, 2, n)]
    spread = np.where(rng.random(n) < 0.7, 3.0, 40.0)
    x, y = (towns + rng.normal(size=(n, 2)) * spread[:, None]).T
    return x, y


def test_a_release_with_defaults():
    release = geodp.release(sample_points(5000), DOMAIN, epsilon=1)
    assert release.cells.kind == "adaptive"
    assert release.epsilon == 1
    assert [spend.step for spend in release.spends] == ["total", "root", "tree"]
    assert "epsilon = 1" in release.promise
    assert "records, not people" in release.promise


def test_one_grid_with_defaults():
    release = geodp.release(sample_points(5000), DOMAIN, epsilon=1, cells="regular")
    assert release.epsilon == 1
    assert [(s.step, s.epsilon) for s in release.spends] == [
        ("sketch", Fraction(1, 50)),
        ("tuning", Fraction(4, 50)),
        ("counts", Fraction(9, 10)),
    ]
    assert release.cells.grid in candidate_grids(DOMAIN)
    assert release.counts.shape == (len(release.cells),)
    assert release.counts.dtype == np.int64
    assert (release.variance == laplace_variance(Fraction(10, 9))).all()
    assert "epsilon = 1" in release.promise
    assert "records, not people" in release.promise


def test_true_counts_come_through_a_generous_budget():
    x, y = sample_points(2000)
    grid = Grid(DOMAIN, (8, 10))
    release = geodp.release((x, y), cells=geodp.Regular(grid), epsilon=1000, force=True)
    cells = grid.index(x, y)
    true = np.bincount(cells[cells >= 0], minlength=80).reshape(8, 10)
    assert np.array_equal(count_table(release), true)


def test_a_single_candidate_spends_everything_on_counts():
    release = geodp.release(
        sample_points(10), cells=geodp.Regular(Grid(DOMAIN, (4, 4))), epsilon=Budget("0.5")
    )
    assert [(s.step, s.epsilon) for s in release.spends] == [("counts", Fraction(1, 2))]
    assert release.scale == 2


@pytest.mark.slow
def test_the_grid_adapts_to_the_points_and_the_budget():
    chosen = {
        (n, epsilon): geodp.release(
            sample_points(n), DOMAIN, epsilon=epsilon, cells="regular", seed=5
        ).cells.grid.cells
        for n in (200, 200_000)
        for epsilon in ("0.1", 1)
    }
    assert chosen[200_000, 1] > chosen[200, 1]
    assert chosen[200_000, 1] > chosen[200_000, "0.1"]


def test_both_tuners_and_polygons():
    ring = np.array([[10.0, 10.0], [60.0, 15.0], [40.0, 70.0]])
    regions = Workload.from_polygons(Polygons.from_rings([(0, False, ring)], 1), DOMAIN)
    for tuner in ("influence", "e2epriv", E2EPriv("absolute")):
        release = geodp.release(
            sample_points(500),
            DOMAIN,
            epsilon=2,
            cells=geodp.Regular(workload=regions, tuner=tuner),
            seed=1,
        )
        assert release.epsilon == 2
        spent = {spend.step: spend.epsilon for spend in release.spends}
        tuning = spent["tuning"] + spent.get("sketch", 0)
        assert tuning == (Fraction(1, 5) if tuner == "influence" else Fraction(2, 5))


def test_a_sketch_is_bought_only_where_it_is_needed():
    stated = Workload.from_boxes([(0, 0, 30, 30), (50, 0, 90, 70)], DOMAIN, expected=[10, 200])
    open_ended = Workload.from_boxes(stated.boxes, DOMAIN)
    for workload, tuner, steps in (
        (open_ended, "influence", ["sketch", "tuning", "counts"]),
        (stated, "influence", ["tuning", "counts"]),
        (open_ended, Influence(sketch_share=0), ["tuning", "counts"]),
        (open_ended, "e2epriv", ["tuning", "counts"]),
    ):
        release = geodp.release(
            sample_points(99),
            DOMAIN,
            epsilon=1,
            cells=geodp.Regular(workload=workload, tuner=tuner),
        )
        assert [spend.step for spend in release.spends] == steps
        assert release.epsilon == 1


def test_a_sketch_weighs_errors_by_what_is_there():
    """Ten records in one half, ten thousand in the other: errors there weigh a tenth of n more."""
    x = np.concatenate([np.full(10, 10.0), np.full(10_000, 90.0)])
    halves = Workload.from_boxes([(0, 0, 50, 80), (50, 0, 100, 80)], DOMAIN)
    tally = Tally(Plan(candidate_grids(DOMAIN, [3, 5]), halves))
    tally.add(x, np.full(len(x), 40.0))
    shares = Shares(sketch=Fraction(100), choice=Fraction(1), counts=Fraction(1))
    kernel = Kernel(tally, epsilon=102, unit=geodp.Unit("record"), bits=RandomBits(seed=1))
    sketch = noisy_sketch(kernel, tally.plan.sketch_grid, shares)
    light, heavy = expected_weights(halves, tally.plan.sketch_grid, sketch)
    assert light == pytest.approx(100 * heavy, rel=0.01)  # at least 1 % of all is expected
    assert light + heavy == pytest.approx(2**32, rel=1e-6)


def test_a_seed_repeats_and_is_not_private():
    first, second = (geodp.release(sample_points(300), DOMAIN, epsilon=1, seed=3) for _ in range(2))
    assert np.array_equal(first.counts, second.counts)
    assert first.seeded
    assert "NOT private" in first.promise
    assert "not private" in repr(first)


def test_no_points_and_points_all_outside_are_zeros_plus_noise():
    nowhere = np.full(100, 1e6), np.full(100, -1e6)
    odd = np.array([np.nan, np.inf, -np.inf, 50.0]), np.array([10.0, 10.0, 10.0, np.nan])
    empty = np.zeros(0), np.zeros(0)
    counts = [
        geodp.release(points, DOMAIN, epsilon=1, seed=11).counts for points in (nowhere, odd, empty)
    ]
    assert np.array_equal(counts[0], counts[1])
    assert np.array_equal(counts[0], counts[2])
    assert counts[0].any()


def test_units_of_several_records_get_more_noise():
    x, y = sample_points(10)
    points = {"x": x, "y": y, "who": list("aabbccddee")}
    one, many, swap = (
        geodp.release(points, cells=geodp.Regular(Grid(DOMAIN, (2, 2))), epsilon=1, protect=protect)
        for protect in (Record(), Person("who", 5), Person("who", 5, neighbours="replace"))
    )
    assert (one.scale, many.scale, swap.scale) == (1, 5, 10)
    assert many.method.unit.kind == "person"
    assert "at most 5" in many.promise
    assert "exchanging" in swap.promise
    assert swap.spends[0].sensitivity == 10


@pytest.mark.parametrize("most", [0, 1.5, -1, "many", True, float("nan"), float("inf")])
def test_limits_are_whole_numbers(most):
    for unit in (lambda: Person("who", most), lambda: Feature(most)):
        with pytest.raises(InputError, match="must be a whole number of at least 1"):
            unit()
    for unit in (Record, lambda **o: Person("who", 1, **o), lambda **o: Feature(1, **o)):
        with pytest.raises(InputError, match="neighbours must be"):
            unit(neighbours="friends")


def test_one_odd_coordinate_stops_no_release():
    """Text, huge numbers and things among coordinates are dropped, each by itself."""
    odd = ["east", 10**400, None, float("nan"), object(), [1], b"\xff", "1e999", float("-inf")]
    x, y = (values.tolist() for values in sample_points(50))
    expected = geodp.release((x, y), DOMAIN, epsilon=1, seed=4)
    for value in odd:
        for more in (([*x, value], [*y, 1.0]), ([*x, 1.0], [*y, value])):
            release = geodp.release(more, DOMAIN, epsilon=1, seed=4)
            assert np.array_equal(release.counts, expected.counts)


def test_progress_names_steps_and_nothing_else():
    for n in (0, 3 * BLOCK // 2):
        steps: list[str] = []
        geodp.release(sample_points(n), DOMAIN, epsilon=1, cells="regular", progress=steps.append)
        assert steps == ["preparing", "counting", "choosing the grid", "adding noise"]


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": -1}, "epsilon must be greater than 0"),
        ({"epsilon": float("nan")}, "epsilon must be a finite number"),
        ({"epsilon": float("inf")}, "epsilon must be a finite number"),
        ({"cells": Regular(tuning_share=0)}, "between 0 and 1"),
        ({"cells": Regular(tuning_share=1)}, "between 0 and 1"),
        ({"noise": "gaussian"}, "noise must be"),
        ({"noise": "opendp", "seed": 1}, "leave out the seed"),
        ({"protect": "people"}, "protect must be"),
        ({"protect": Person}, "protect must be"),
        ({"account": "visits"}, "account must be one of a ledger"),
        ({"cells": Regular(Grid(square(), (2, 2)))}, "on the given domain"),
        ({"cells": Regular(workload=Workload.from_boxes([(0, 0, 1, 1)], square()))}, "one domain"),
        ({"cells": Regular(workload=[(900, 0, 901, 1)])}, "must overlap the domain"),
    ],
)
def test_bad_options_are_refused_before_the_points_are_touched(options, rule):
    class Untouchable:
        def __getattr__(self, name: str) -> object:
            raise AssertionError("the points were touched")

    with pytest.raises(InputError, match=rule):
        geodp.release(Untouchable(), DOMAIN, **{"epsilon": 1, **options})


def test_kinds_of_cells_refuse_what_they_cannot_be():
    for options, rule in (
        ({"tuner": "guess"}, "tuner must be one of"),
        ({"grids": []}, "at least one candidate"),
        ({"sizes": [2], "cell_sizes": [5]}, "got `sizes` and `cell_sizes`: choose one"),
    ):
        with pytest.raises(InputError, match=rule):
            Regular(**options)


@pytest.mark.parametrize(
    ("points", "rule"),
    [
        (5, "points must be a GeoDataFrame"),
        ((np.zeros(3), np.zeros(4)), "one length"),
        ((np.zeros((2, 2)), np.zeros((2, 2))), "flat and of one length"),
        ({"x": [1.0], "z": [2.0]}, "there is no 'y'"),
        ((np.zeros(2, "M8[s]"), np.zeros(2)), "columns of numbers"),
    ],
)
def test_bad_points_are_refused_in_one_sentence(points, rule):
    with pytest.raises(InputError, match=rule) as caught:
        geodp.release(points, DOMAIN, epsilon=1)
    assert "\n" not in str(caught.value)


def test_a_domain_is_never_guessed():
    with pytest.raises(InputError, match="never read off the points"):
        geodp.release(sample_points(10), epsilon=1)


def test_private_things_do_not_show_what_they_hold():
    tally = Tally(Plan(candidate_grids(DOMAIN, [2])))
    tally.add(*sample_points(12345))
    assert repr(tally) == str(tally) == "Tally(private)"


def test_tallies_of_different_plans_do_not_mix():
    grids = candidate_grids(DOMAIN, [2])
    with pytest.raises(InputError, match="same plan"):
        Tally(Plan(grids)) + Tally(Plan(grids))
    with pytest.raises(InputError, match="without regions"):
        Tally(Plan(grids)).inside()


def test_many_boxes_are_counted_in_groups(monkeypatch):
    monkeypatch.setattr(geodp.core.counts.grid_tally, "LATTICE_CELLS", 500)
    workload = Workload.random_boxes(DOMAIN, [0.05, 0.3], 40, seed=2)
    plan = Plan(candidate_grids(DOMAIN, [3, 6]), workload)
    assert len(plan.region_lattices) > 1
    x, y = sample_points(3000)
    tally = Tally(plan)
    tally.add(x, y)
    x0, y0, x1, y1 = workload.boxes.T[:, :, None]
    slow = ((x >= x0) & (x < x1) & (y >= y0) & (y < y1)).sum(axis=1)
    assert np.array_equal(tally.inside(), slow)


def test_a_query_of_whole_cells_is_their_sum():
    release = geodp.release(
        sample_points(800), cells=geodp.Regular(Grid(DOMAIN, (4, 5))), epsilon=1
    )
    left_half = release.query([(0, 0, 40, 80)])
    assert left_half.estimate[0] == count_table(release)[:, :2].sum()
    assert left_half.std_error[0] == pytest.approx((8 * laplace_variance(Fraction(1))) ** 0.5)
    assert left_half.ci_low[0] < left_half.estimate[0] < left_half.ci_high[0]
    quarter_cell = release.query([(0, 70, 10, 80)])
    assert quarter_cell.estimate[0] == release.counts[0] / 4
    elsewhere = release.query([(200, 200, 300, 300), (0, 0, 40, 80)])
    assert elsewhere.covered.tolist() == [0, 1]
    assert np.isnan(elsewhere.estimate[0])
    assert elsewhere.estimate[1] == left_half.estimate[0]
    with pytest.raises(InputError, match="on the release's domain"):
        release.query(Workload.from_boxes([(0, 0, 1, 1)], square()))


def test_tags_bring_a_release_back():
    domain = Domain(DOMAIN.bounds, PLANE, resolution=2.5)
    grids = candidate_grids(domain, cell_sizes=[7, 20])
    release = geodp.release(sample_points(100), epsilon="0.3", cells=geodp.Regular(grids), seed=4)
    again = restore(release_tags(release), release.counts)
    assert again.cells.grid == release.cells.grid
    assert again.method == release.method
    assert again.spends == release.spends
    assert again.seeded
    assert again.promise == release.promise
    boxes = [(3, 3, 50, 60), (0, 0, 100, 80)]
    assert np.array_equal(again.query(boxes).estimate, release.query(boxes).estimate)


def test_tags_that_do_not_fit_are_refused():
    release = geodp.release(sample_points(100), DOMAIN, epsilon=1, cells="regular")
    tags, counts = release_tags(release), release.counts
    edited = counts.copy()
    edited[0] += 1
    wrong_facts = {**tags, "GEODP_FACTS": tags["GEODP_FACTS"].replace('"9/10"', '"9/11"', 1)}
    for bad_tags, bad_counts, rule in (
        (tags, edited, "changed or cut short"),
        (tags, counts[:-1], "changed or cut short"),
        (tags, counts.astype(float), "whole numbers"),
        (wrong_facts, counts, "changed or cut short"),
        ({**tags, "GEODP_FORMAT": "99"}, counts, "another format"),
        ({"GEODP_EPSILON": "1"}, counts, "not a geodp release"),
        ({}, counts, "not a geodp release"),
    ):
        with pytest.raises(FileError, match=rule):
            restore(bad_tags, bad_counts)


def test_answers_hold_the_whole_error():
    """A hand-made case: half of a cell of 100 records, beside cells of 60, 20 and 20."""
    grid = Grid(DOMAIN, (2, 2))
    release = geodp.release(sample_points(0), cells=geodp.Regular(grid), epsilon=1)
    counts = Measurements.from_counts(np.array([[100, 60], [20, 20]]), Fraction(1))
    release = replace(release, measurements=counts)
    answers = release.query([(0, 40, 25, 80), (0, 0, 100, 80), (-50, 40, 50, 80)])
    v = laplace_variance(Fraction(1))
    # Halves differ by 40 (west and east), 120 (north and south) and 40 (diagonals); the group's
    # weight w is shared by its cells, and each is drawn towards the block and a public guess.
    chance, w = v + 200 / 4, (1 + 20 * v / 200**2) ** -2
    group = w * (20**2 + 60**2 + 20**2 - 3 * chance) / 200**2 / 4
    around = (0.1 + group) / (1 + w)
    uneven = (group / 4 + 3 * around) / (w / 4 + 3)
    half = 100 + 6.4 * uneven * (100**2 - v)
    assert answers.estimate.tolist() == [50, 200, 100]
    assert answers.noise_error == pytest.approx(np.sqrt([v / 4, 4 * v, v]))
    assert answers.std_error == pytest.approx(np.sqrt([v / 4 + half / 4, 4 * v, v]))
    assert answers.border_share.tolist() == [1, 0, 0]
    assert answers.covered.tolist() == [1, 1, 0.5]
    wider = release.query([(0, 40, 25, 80)], level=0.99)
    assert wider.ci_high[0] > answers.ci_high[0] > 50 > answers.ci_low[0] > wider.ci_low[0]
    with pytest.raises(InputError, match="level must lie between 0 and 1"):
        release.query([(0, 40, 25, 80)], level=95)
