"""Forecasts come true: the noise to the bit, the rest as far as its assumptions hold."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import geodp
from geodp.core.forecasts.forecast import foreseen
from geodp.core.regions.polygons import Polygons

PLANE = geodp.Crs("a plane", metres_per_unit=1000.0)
TOWN = geodp.Domain((0, 0, 4000, 3000), PLANE)
BOXES = [(0, 0, 1000, 1000), (130, 70, 3333, 2222), (2999, 1, 3001, 2), (-50, -50, 9000, 9000)]
NOBODY = (np.zeros(0), np.zeros(0))


def triangles() -> geodp.Workload:
    rings = [(0, False, [[0, 0], [2000, 100], [300, 2900]]), (1, False, [[5, 5], [9, 5], [5, 9]])]
    rings = [(owner, hole, np.array(ring, dtype=float)) for owner, hole, ring in rings]
    return geodp.Workload.from_polygons(Polygons.from_rings(rings, 2), TOWN)


SEVERAL = geodp.candidate_grids(TOWN, [(3, 4), (17, 23), (70, 90)])
WAYS = {
    "several sizes": {"cells": geodp.Regular(SEVERAL)},
    "one size": {"cells": geodp.Regular(SEVERAL[1:2])},
    "the ladder": {"domain": TOWN, "cells": "regular"},
    "square cells, cut at the edge": {
        "cells": geodp.Regular(geodp.candidate_grids(TOWN, cell_sizes=[70, 900]))
    },
    "another share": {"cells": geodp.Regular(SEVERAL, tuning_share="1/3")},
    "the paper's tuner": {"cells": geodp.Regular(SEVERAL, tuner="e2epriv")},
    "no sketch": {"cells": geodp.Regular(SEVERAL, tuner=geodp.Influence(sketch_share=0))},
    "people": {"cells": geodp.Regular(SEVERAL), "protect": geodp.Person("who", 7)},
    "one of one": {
        "cells": geodp.Regular(SEVERAL[:1]),
        "protect": geodp.Person("who", 3, neighbours="replace"),
    },
    "exchanged records": {
        "cells": geodp.Regular(SEVERAL),
        "protect": geodp.Record(neighbours="replace"),
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("regions", [BOXES, triangles()], ids=["boxes", "polygons"])
@pytest.mark.parametrize("way", WAYS)
def test_the_release_states_the_noise_that_was_foreseen(way, regions):
    options = WAYS[way]
    forecast = geodp.forecast(regions=regions, epsilons=["1/3", 2], **options)
    points = {"x": NOBODY[0], "y": NOBODY[1], "who": np.zeros(0, dtype=int)}
    for epsilon in forecast.epsilons:
        release = geodp.release(points, epsilon=epsilon, seed=1, **options)
        (same,) = (
            e for e in forecast.outlooks if (e.cells, e.epsilon) == (release.cells.grid, epsilon)
        )
        assert np.array_equal(same.noise_error, release.query(regions).noise_error)
        assert same.cell_noise == math.sqrt(release.variance.flat[0])
        assert same.scale == release.scale


def test_every_candidate_of_a_release_was_foreseen():
    release = geodp.release(NOBODY, cells=geodp.Regular(SEVERAL), epsilon=1, seed=1)
    rows = {each.cells: each for each in foreseen(release)}
    assert tuple(rows) == SEVERAL
    side = math.sqrt(0.1)
    tenth = [(0, 3000 - 3000 * side, 4000 * side, 3000)]
    assert rows[release.cells.grid].noise_error[1] == release.query(tenth).noise_error[0]
    assert rows[release.cells.grid].noise_error[2] == release.query([TOWN.bounds]).noise_error[0]
    for grid in SEVERAL:  # what another choice would have brought
        alone = geodp.release(NOBODY, cells=geodp.Regular(grid), epsilon="9/10", seed=1)
        assert rows[grid].noise_error[2] == alone.query([TOWN.bounds]).noise_error[0]


def test_of_cells_of_a_tree_nothing_is_foreseen_afterwards():
    assert foreseen(geodp.release(NOBODY, TOWN, epsilon=1, cells="adaptive", seed=1)) == ()


def test_choosing_costs_and_records_of_a_person_add_up():
    (one,) = geodp.forecast(regions=BOXES, cells=geodp.Regular(SEVERAL[:1]), epsilons=[1]).outlooks
    several = geodp.forecast(regions=BOXES, cells=geodp.Regular(SEVERAL), epsilons=[1]).outlooks[0]
    assert several.scale == one.scale * 10 / 9
    protect = geodp.Person("who", 5)
    people = geodp.forecast(
        regions=BOXES, cells=geodp.Regular(SEVERAL[:1]), epsilons=[1], protect=protect
    )
    assert people.outlooks[0].scale == 5 * one.scale
    protect = geodp.Feature(5)
    features = geodp.forecast(
        regions=BOXES, cells=geodp.Regular(SEVERAL[:1]), epsilons=[1], protect=protect
    )
    assert features.outlooks[0].scale == 5 * one.scale


def test_regions_outside_the_domain_have_no_forecast():
    boxes = [(0, 0, 10, 10), (9000, 0, 9001, 10)]
    forecast = geodp.forecast(TOWN, boxes, epsilons=[1], expected=10)
    for outlook in forecast.outlooks:
        assert np.isnan(outlook.noise_error).tolist() == [False, True]
        assert np.isnan(outlook.std_error).tolist() == [False, True]
    assert forecast.as_dict()["outlooks"][0]["regions"]["noise_error"][1] is None
    with pytest.raises(geodp.InputError, match="all of these lie outside"):
        geodp.forecast(TOWN, boxes[1:])


# --- the whole error ------------------------------------------------------------------------------


def test_even_records_in_a_cut_cell_are_a_matter_of_chance():
    """One cell of 100 records, a quarter of it asked for: 100 · 1/4 · 3/4, and no noise."""
    square = geodp.Domain((0, 0, 2, 1), PLANE)
    grid = geodp.Grid(square, (1, 2))
    quarter, cell = (0, 0, 0.5, 0.5), (0, 0, 1, 1)
    options = {"cells": geodp.Regular(grid), "epsilons": [10**6], "expected": 200}
    even = geodp.forecast(regions=[quarter, cell], unevenness=0, **options).outlooks[0]
    assert even.std_error.tolist() == pytest.approx([math.sqrt(100 * 3 / 16), 0])
    # Uneven: 16/3 · u · growth · c² more, where one halving of area is half a halving of sides.
    uneven = geodp.forecast(regions=[quarter, cell], unevenness=0.05, **options).outlooks[0]
    clumps = 16 / 3 * 0.05 * (1 + 16 * 0.05) ** 0.25 * 100**2
    assert uneven.std_error.tolist() == pytest.approx([math.sqrt((100 + clumps) * 3 / 16), 0])


def test_a_guess_for_a_region_is_spread_over_that_region_alone():
    square = geodp.Domain((0, 0, 2, 1), PLANE)
    grid, quarter = geodp.Grid(square, (1, 2)), [(0, 0, 0.5, 0.5)]
    options = {"cells": geodp.Regular(grid), "epsilons": [10**6], "unevenness": 0.05}
    outlook = geodp.forecast(regions=quarter, expected=[25], **options).outlooks[0]
    clumps = 16 / 3 * 0.05 * 100**2  # the region is smaller than the cell: nothing grows
    assert outlook.std_error.tolist() == pytest.approx([math.sqrt((100 + clumps) * 3 / 16)])


@pytest.mark.slow
def test_even_records_err_as_foreseen():
    """The standard deviation of many releases of made records; 1.3 times it would be rejected."""
    random, count, turns = np.random.default_rng(1), 400, 600
    grid = geodp.Grid(TOWN, (6, 8))
    region = [(130, 70, 3333, 2222)]
    errors = []
    for turn in range(turns):
        x, y = random.random(count) * 4000, random.random(count) * 3000
        true = ((x >= 130) & (x < 3333) & (y >= 70) & (y < 2222)).sum()
        release = geodp.release((x, y), cells=geodp.Regular(grid), epsilon=1, seed=turn)
        errors.append(release.query(region).estimate[0] - true)
    options = {"cells": geodp.Regular(grid), "epsilons": [1], "expected": count}
    (outlook,) = geodp.forecast(regions=region, unevenness=0, **options).outlooks
    ratio = np.std(errors) / outlook.std_error[0]
    assert abs(ratio - 1) < 4 / math.sqrt(2 * turns)
    assert abs(ratio / 1.3 - 1) > 4 / math.sqrt(2 * turns)


def test_more_records_or_more_budget_suit_finer_cells():
    def cells(expected: float, epsilon: float) -> int:
        forecast = geodp.forecast(TOWN, cells="regular", expected=expected, epsilons=[epsilon])
        return forecast.suits(epsilon).cells

    assert cells(100, 1) < cells(10_000, 1) < cells(1_000_000, 1)
    assert cells(10_000, 0.1) < cells(10_000, 1) < cells(10_000, 10)
    assert cells(10_000, 1) == pytest.approx(cells(100_000, 0.1), rel=0.5)


def test_what_suits_has_the_least_error():
    forecast = geodp.forecast(TOWN, BOXES, cells="regular", expected=5000, epsilons=[0.1, 1])
    for epsilon in (0.1, 1):
        rows = [row for row in forecast.table() if row["epsilon"] == epsilon]
        (best,) = (row for row in rows if row["suits"])
        assert best["std_error"] == min(row["std_error"] for row in rows)
        assert (best["rows"], best["columns"]) == forecast.suits(epsilon).shape
    assert geodp.forecast(TOWN, BOXES).suits(1) is None


def test_words_and_json_say_what_is_assumed():
    known = geodp.forecast(TOWN, BOXES, expected=5000, epsilons=[1])
    assert "uneven at every scale alike (unevenness 0.08)" in known.as_text()
    assert "Counts get 0.9 of ε" in known.as_text()
    assert "would suit" in known.as_text()
    unknown = geodp.forecast(TOWN, BOXES, cells=geodp.Regular(SEVERAL[:1]), epsilons=[1])
    assert "say how many to expect" in unknown.as_text()
    assert "Counts get" not in unknown.as_text()
    assert "suit" not in unknown.as_text()
    back = json.loads(json.dumps(known.as_dict(), allow_nan=False))
    assert len(back["outlooks"]) == 12
    assert back["outlooks"][3]["regions"]["std_error"] == known.outlooks[3].std_error.tolist()
    assert repr(known) == "Forecast(1 epsilons, 12 cells, 4 regions)"


def test_where_nothing_is_expected_errors_are_not_relative():
    forecast = geodp.forecast(TOWN, BOXES, expected=[0, 0, 0, 0], epsilons=[1])
    assert forecast.outlooks[0].adaptive
    assert {row["relative_error"] for row in forecast.table()} == {None}
    assert np.array_equal(forecast.outlooks[0].std_error, forecast.outlooks[0].noise_error)
    json.dumps(forecast.as_dict(), allow_nan=False)
    assert "%" not in forecast.as_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilons": []}, "at least one epsilon"),
        ({"epsilons": [0]}, "greater than 0"),
        ({"unevenness": 0.2}, "between 0 and 3/16"),
        ({"unevenness": math.nan}, "between 0 and 3/16"),
        ({"expected": -1}, "from 0 on; got -1"),
        ({"expected": math.inf}, "from 0 on; got inf"),
        ({"expected": [1, 2]}, "each of the 4 regions"),
        ({"expected": [1, 2, 3, -4]}, "each of the 4 regions"),
        ({"expected": "people"}, "there is no 'people': the columns are none"),
        ({"expected": True}, "number of records in all"),
        ({"protect": 5}, "protect must be"),
        ({"cells": []}, "at least one kind"),
        ({"cells": ["adaptive", "best"]}, "`cells` must be .* got 'best'"),
        ({"cells": geodp.Regular(geodp.Grid(geodp.Domain((0, 0, 9, 9), PLANE), (2, 2)))}, "on the"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(geodp.InputError, match=words):
        geodp.forecast(TOWN, BOXES, **options)


# --- adaptive cells -------------------------------------------------------------------------------


def test_adaptive_cells_come_first_and_need_a_guess():
    unknown = geodp.forecast(TOWN, BOXES, epsilons=[1])
    first = unknown.outlooks[0]
    assert first.adaptive
    assert not first.known
    assert first.std_error is None
    assert unknown.table()[0]["cells"] == "adaptive"
    assert unknown.table()[0]["noise_error"] is None
    assert "nothing is known of them before it is said how many" in unknown.as_text()
    json.dumps(unknown.as_dict(), allow_nan=False)
    known = geodp.forecast(TOWN, BOXES, epsilons=[1], expected=5000)
    assert known.suits(1) == known.outlooks[0].cells
    assert "adaptive cells would suit" in known.as_text()
    assert "Of adaptive cells all is an estimate" in known.as_text()
    alone = geodp.forecast(TOWN, BOXES, epsilons=[1], cells="adaptive", expected=5000)
    assert [outlook.adaptive for outlook in alone.outlooks] == [True]
    assert "The noise of a grid" not in alone.as_text()


def test_errors_of_adaptive_cells_follow_budget_records_and_distance():
    def error(expected: object, epsilon: object, **options: object) -> float:
        given = {"cells": "adaptive", "expected": expected, "epsilons": [epsilon], **options}
        return geodp.forecast(TOWN, **given).table()[0]["std_error"]

    assert error(1000, 1) < error(100_000, 1) < error(100_000, 0.1)
    # As many records per unit of noise are the same cells with noise of another scale.
    assert error(100_000, 1, protect=geodp.Person("who", 10)) == error(100_000, "1/10")
    known = [1000, 3000, 1, 5000]
    even, uneven = (error(known, 1, regions=BOXES, unevenness=each) for each in (0, 0.1))
    assert even < uneven
    assert error(0, 1) > 0  # the total is not known without noise


@pytest.mark.parametrize("epsilon", [1, 0.1])
def test_errors_of_adaptive_cells_are_about_right(epsilon):
    """Of made towns, as far as such a model goes: within a factor of two."""
    random = np.random.default_rng(3)
    towns = random.uniform((400, 300), (3600, 2700), (30, 2))[random.integers(0, 30, 30_000)]
    x, y = (towns + random.normal(0, 150, towns.shape)).T
    regions = geodp.Workload.random_boxes(TOWN, [0.01, 0.16], 60, seed=5)
    low, high = regions.boxes[:, :2, None], regions.boxes[:, 2:, None]
    points = np.array([x, y])[None]
    true = ((points >= low) & (points < high)).all(axis=1).sum(axis=1)
    errors = [
        geodp.release((x, y), TOWN, epsilon=epsilon, seed=seed).query(regions).estimate - true
        for seed in range(4)
    ]
    came = np.sqrt(np.mean(np.square(errors), axis=0)).mean()
    for expected in (len(x), true):
        options = {"cells": "adaptive", "epsilons": [epsilon], "expected": expected}
        (outlook,) = geodp.forecast(TOWN, regions, **options).outlooks
        assert 0.5 < outlook.std_error.mean() / came < 2
