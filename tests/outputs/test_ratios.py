"""Shares of a group and quotients of releases: intervals by test inversion, no bare quotients."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strips import BOXES, STRIPS, TOWN, in_strips

import geodp
from geodp.core.estimates.estimate import ErrorTerms
from geodp.core.estimates.ratios import interval_reach, quotient_interval, sums_and_means
from geodp.outputs.vector import to_answers

KINDS = geodp.Categories("kind", ["theft", "fraud", "arson"])


def test_errors_of_both_layers_of_a_sum_go_together_by_hand():
    """With no noise, an error of 3 above and of 2 below: 10 · 3 + 4 · 2 at most, never less."""
    above, below = (
        ErrorTerms(*map(np.atleast_1d, (count, 0.0, 0.0, spread, 1.0, False, 0.0, 1.0)))
        for count, spread in ((7.0, 9.0), (5.0, 4.0))
    )
    sums = sums_and_means(above, below, low=4.0, high=10.0, level=0.95)
    assert sums.sum.tolist() == [10 * 7 + 4 * 5]
    reach = interval_reach(above._replace(spread=np.array([38.0**2])), 0.95)
    np.testing.assert_allclose(sums.sum_high - sums.sum, reach)
    np.testing.assert_allclose(sums.sum - sums.sum_low, reach)


def crowd(size: int, seed: int) -> dict:
    """Return so many records in each strip, of three kinds."""
    rng = np.random.default_rng(seed)
    points = in_strips(size)
    kind = rng.choice(["theft", "fraud", "arson"], len(points["x"]), p=[0.5, 0.3, 0.2])
    return {**points, "kind": kind}


@pytest.mark.parametrize("size", [2, 30, 400])
def test_shares_of_a_group_hold_the_truth(size):
    points = crowd(size, size)
    release = geodp.release(points, cells=STRIPS, epsilon=1, by=KINDS, seed=1, force=True)
    shares = release.share("theft", BOXES)
    truth = np.bincount(points["strip"], points["kind"] == "theft") / size
    held = (shares.ratio_low <= truth) & (truth <= shares.ratio_high)
    assert held.mean() >= 0.92
    if size == 2:
        assert np.isnan(shares.ratio).mean() > 0.5
    if size == 400:
        assert np.median(shares.ratio_high - shares.ratio_low) < 0.05


def test_shares_without_regions_are_those_of_the_cells():
    """Strips are cells and regions at once."""
    release = geodp.release(crowd(200, 3), cells=STRIPS, epsilon=1, by=KINDS, seed=1, force=True)
    in_cells, in_boxes = release.share("theft"), release.share("theft", BOXES)
    assert len(in_cells.ratio) == len(release.cells)
    np.testing.assert_allclose(in_cells.ratio, in_boxes.ratio, rtol=1e-9)
    assert (in_cells.ratio_low < in_cells.ratio).all()
    assert (in_cells.ratio < in_cells.ratio_high).all()
    wider = release.share("theft", level=0.99)
    assert (wider.ratio_low < in_cells.ratio_low).all()


@pytest.mark.parametrize("size", [2, 30, 400])
def test_quotients_of_releases_hold_the_truth(size):
    before, after = (
        geodp.release(
            {name: points[name] for name in ("x", "y")}, cells=STRIPS, epsilon=1, seed=seed,
            force=True,
        )
        for seed, points in ((1, crowd(2 * size, 1)), (2, crowd(3 * size, 2)))
    )  # fmt: skip
    answers = (after / before).query(BOXES)
    held = (answers.ratio_low <= 1.5) & (answers.ratio_high >= 1.5)
    assert held.mean() >= 0.92
    assert not np.isinf(answers.ratio_high[~np.isnan(answers.ratio)]).any()


@examples(300)
@given(*[st.floats(-1e3, 1e3)] * 2, *[st.floats(0.01, 300)] * 2)
def test_a_quotient_lies_in_its_interval_or_is_not_known(top, bottom, one, other):
    given_values = (np.array([value]) for value in (top, bottom, one, other))
    ratio, low, high = (float(each[0]) for each in quotient_interval(*given_values))
    if bottom <= other:
        assert (np.isnan(ratio), low, high) == (True, 0, np.inf)
        return
    assert low >= 0
    assert ratio <= high
    for theta in np.linspace(0, 20, 41):  # brute force: what the test does not reject is held
        if (top - theta * bottom) ** 2 < one**2 + (theta * other) ** 2 - 1e-9 * top**2:
            assert low * (1 - 1e-6) <= theta <= high * (1 + 1e-6)


def test_layers_get_columns_and_regions_outside_no_answer():
    points = crowd(50, 4)
    release = geodp.release(points, TOWN, epsilon=1, by=KINDS, seed=1)
    shapes = [shapely.box(0, 0, 2000, 4000), shapely.box(9000, 0, 9500, 500)]
    layer = gpd.GeoDataFrame({"name": ["west", "far"]}, geometry=shapes, crs="EPSG:5070")
    shares = release.share("fraud", layer)
    assert list(shares.columns) == ["name", "geometry", "share", "share_low", "share_high"]
    assert shares.share[0] == pytest.approx(0.3, abs=0.05)
    assert np.isnan(shares.share[1])
    ratios = (release["fraud"] / release["arson"]).query(layer)
    assert ratios.ratio[0] == pytest.approx(1.5, abs=0.3)
    with pytest.raises(geodp.InputError, match="between 0 and 1"):
        release.share("fraud", layer, level=2)


def test_what_has_the_same_noise_has_no_quotient():
    points = crowd(5, 4)
    release = geodp.release(points, TOWN, epsilon=1, by=KINDS, seed=1)
    for later, earlier in ((release["theft"], release["theft"]), (release["theft"], release.total)):
        with pytest.raises(geodp.InputError, match="same noise"):
            later / earlier
    elsewhere = geodp.release(([], []), geodp.Domain((0, 0, 9, 9), crs="EPSG:5070"), epsilon=1,
                              force=True)  # fmt: skip
    with pytest.raises(geodp.InputError, match="on one domain"):
        release["theft"] / elsewhere
    alone = geodp.release(points, TOWN, epsilon=1, by=geodp.Categories("kind", ["theft"]), seed=1)
    with pytest.raises(geodp.InputError, match="a group in several"):
        alone.share("theft", [TOWN.bounds])


def towns(populations, shapes=None):
    shapes = shapes or [shapely.box(1000 * i, 0, 1000 * (i + 1), 4000) for i in range(4)]
    return gpd.GeoDataFrame(
        {"name": list("abcd")[: len(shapes)], "people": populations}, geometry=shapes, crs=5070
    )


@pytest.fixture(scope="module")
def counted():
    return geodp.release(crowd(40, 3), TOWN, epsilon=1, by=KINDS, seed=1)


def test_rates_are_the_answers_over_a_public_population(counted):
    layer = towns([500, 250, 1000, 4000])
    answers = counted.total.query(layer, per="people", each=1000)
    people = layer.people.to_numpy() / 1000
    assert answers.rate.to_numpy() == pytest.approx(answers.estimate / people)
    assert answers.rate_low.to_numpy() == pytest.approx(np.maximum(answers.ci_low / people, 0))
    assert answers.rate_high.to_numpy() == pytest.approx(answers.ci_high / people)
    plain = counted.total.query(layer)
    assert list(answers.columns) == [*plain.columns, "rate", "rate_low", "rate_high"]
    once = counted.total.query(layer, per="people")
    assert once.rate.to_numpy() * 1000 == pytest.approx(answers.rate.to_numpy())


@pytest.mark.parametrize(
    "unknown", [0, None, np.nan, -5, np.inf, pd.NA], ids=lambda each: repr(each)
)
def test_a_population_that_is_none_gives_no_rate(counted, unknown):
    layer = towns(pd.array([100, 200, 300, 400], dtype=object))
    layer.loc[1, "people"] = unknown
    answers = counted.total.query(layer, per="people")
    assert answers.rate.isna().tolist() == [False, True, False, False]
    assert (answers.rate_low[1], answers.rate_high[1]) == (0, np.inf)
    assert answers.estimate.notna().all()


def test_a_region_that_lies_outside_in_part_has_no_rate(counted):
    shapes = [shapely.box(0, 0, 900, 900), shapely.box(3000, 0, 6000, 900),
              shapely.box(9000, 0, 9500, 500)]  # fmt: skip
    answers = counted.total.query(towns([10, 10, 10], shapes), per="people")
    assert answers.rate.isna().tolist() == [False, True, True]
    assert np.isnan(answers.rate_high[2])


def test_rates_of_groups_and_of_a_release_s_own_districts(counted, tmp_path):
    layer = towns([500, 250, 1000, 4000])
    wide = counted.query(layer, per="people", wide=True)
    alone = counted["theft"].query(layer, per="people")
    assert wide.rate_theft.tolist() == alone.rate.tolist()
    long = counted.query(layer, per="people")
    assert long[long.group == "theft"].rate.tolist() == alone.rate.tolist()
    to_answers(counted, wide, tmp_path / "wide.shp")
    assert len(set(gpd.read_file(tmp_path / "wide.shp").columns)) == len(wide.columns)
    points = crowd(40, 3)
    cells = geodp.Districts(layer, name="name")
    release = geodp.release(points, cells=cells, epsilon=1, seed=2)
    rates = release.query(layer, per="people")
    assert (rates.border_share == 0).all()
    assert rates.rate.to_numpy() == pytest.approx(release.counts / layer.people.to_numpy())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"per": "folk"}, "the columns are 'name', 'people'"),
        ({"per": 7}, "must name one column"),
        ({"per": "geometry"}, "must name one column"),
        ({"per": "name"}, "must hold numbers"),
        ({"per": "people", "each": 0}, "positive number"),
        ({"per": "people", "each": "many"}, "positive number"),
        ({"per": "people", "total": True}, "leave one of them out"),
        ({"reliable": 0}, "positive share"),
        ({"reliable": np.nan}, "positive share"),
        ({"reliable": "half"}, "positive share"),
    ],
)
def test_bad_rates_are_refused_in_a_sentence(counted, options, words):
    for release in (counted, counted.total):
        with pytest.raises(geodp.InputError, match=words) as raised:
            release.query(towns([1, 2, 3, 4]), **options)
        assert str(raised.value).endswith(".")


def test_boxes_have_no_column_of_populations(counted):
    with pytest.raises(geodp.InputError, match="have none"):
        counted.total.query([TOWN.bounds], per="people")
    twice = towns([1, 2, 3, 4])
    twice.columns = ["people", "people", "geometry"]
    with pytest.raises(geodp.InputError, match="must name one column"):
        counted.total.query(twice, per="people")


def test_an_answer_is_reliable_where_its_interval_is_narrow(counted):
    """The rule is that of the published interval; sums and answers are the same with it."""
    layer = towns([1, 1, 1], [shapely.box(0, 0, 4000, 4000), shapely.box(0, 3900, 4000, 4000),
                                 shapely.box(9000, 0, 9500, 500)])  # fmt: skip
    answers = counted.total.query(layer)
    half = (answers.ci_high - answers.ci_low) / 2
    assert answers.reliable.tolist() == (half <= 0.5 * answers.estimate.abs()).tolist()
    assert answers.reliable.tolist() == [True, False, False]
    strict = counted.total.query(layer, reliable=1e-9)
    assert not strict.reliable.any()
    assert strict.estimate.tolist()[:2] == answers.estimate.tolist()[:2]
    boxes = counted.total.query([TOWN.bounds, (0, 3900, 4000, 4000)])
    assert boxes.reliable.tolist() == [True, False]
