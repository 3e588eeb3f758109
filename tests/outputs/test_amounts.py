"""Amounts: sums and means beside counts, for one ε; brute force, intervals, odd values."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from commands import ran, refused
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE

import geodp
from geodp.core.counts.amount_tally import AmountPlan, layer_names
from geodp.core.counts.count import count
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.unit_tally import FramePlan
from geodp.core.estimates.ratios import ratio_interval
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.quantity import SHARES
from geodp.core.publish.metadata import release_tags, restore
from geodp.core.records.arrays import array_source
from geodp.core.records.divisions import grouped
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
FRAME = Frame(DOMAIN, (2, 2), 1)
HALVES = geodp.Regular(Grid(DOMAIN, (1, 2)))
CENTS = geodp.Amount("paid", 0, 100)

ENDS = st.sampled_from([0.0, 1.0, 3.999, 4.0, 8.0, 8.5])
AMOUNTS = st.one_of(
    st.sampled_from([-1e300, -0.01, 0.0, 0.004, 0.01, 50.0, 99.99, 100.0, 100.01, 1e300]),
    st.sampled_from([np.nan, np.inf, -np.inf]),
    st.floats(-10, 110),
)
RECORDS = st.lists(st.tuples(ENDS, ENDS, AMOUNTS, st.sampled_from("abcx")), max_size=20)
KINDS = geodp.Categories("kind", ["a", "b", "c"])
UNITS = st.sampled_from([geodp.Record(), geodp.Person("who"), geodp.Person("who", 3)])


def table(others, records):
    rows = [*others, *records]
    who = [f"p{number}" for number in range(len(others))] + ["newcomer"] * len(records)
    x, y, paid = (np.array([row[place] for row in rows], dtype=float) for place in range(3))
    return {"x": x, "y": y, "paid": paid, "who": who, "kind": [row[3] for row in rows]}


def layers(protect, points, tree, groups=None, amount=CENTS):
    """Return true sums of units in every cell, above and below, of each group."""
    units = protect.quantity.units if protect.quantity.units > 1 else amount.steps
    plan = FramePlan(FRAME, protect.quantity.units) if tree else Plan((Grid(DOMAIN, (3, 2)),))
    layered = AmountPlan(plan, amount, groups)
    tally = count(array_source(points), layered, protect, RandomBits(), amount=amount)
    if tree:
        return [group.node_counts(np.arange(FRAME.cells), 1) for group in tally.groups], units
    return [group.counts(0).ravel() for group in tally.groups], units


@pytest.mark.parametrize("low", ["4503599627370496.4", "-4503599627370497.6", "0.1", "1/3"])
def test_no_amount_is_more_than_all_of_one_or_less_than_nothing(low):
    """Also where floats are too far apart to hold the bounds: a rest below 0 would be a count."""
    amount = geodp.Amount("paid", low, Fraction(low) + Fraction(6, 5), unit=Fraction(1, 10_000))
    values = np.array([-np.inf, -1e300, -1.0, 0.1, 1.0, float(amount.high), 1e300, np.nan])
    steps = amount.number(values)
    assert (steps[np.isfinite(values)] >= 0).all()
    assert (steps <= amount.steps).all()
    assert steps[[0, -1]].tolist() == [-1, -1]


@examples(150)
@given(RECORDS, RECORDS, UNITS, st.booleans(), st.sampled_from([None, grouped(KINDS)]))
def test_a_record_and_a_person_move_both_layers_by_one_in_all(
    others, records, protect, tree, groups
):
    """Whatever the amounts are, inside the bounds, at them, beyond them, or no amounts at all.

    The same holds over all groups together, where a person has records in several of them.
    """
    records = records[: 1 if protect.person is None else None]
    before, units = layers(protect, table(others, []), tree, groups)
    after, _ = layers(protect, table(others, records), tree, groups)
    assert len(after) == (2 if groups is None else 6)
    moved = sum(int(np.abs(a - b).sum()) for a, b in zip(after, before))
    counted = [row for row in records if max(row[:2]) <= 8 and np.isfinite(row[2])]
    counted = [row for row in counted if groups is None or row[3] != "x"]
    most = 1 if protect.contribution is None else protect.contribution.most
    assert moved == units * min(len(counted), most) <= units * protect.unit.distance
    assert all((layer >= 0).all() for layer in (*before, *after))


@examples(200)
@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 10**8))
def test_cents_are_exact(low, span, cents):
    amount = geodp.Amount("paid", low, low + span, unit="0.01")
    value = Fraction(low) + Fraction(cents, 100)
    (number,) = amount.number(np.array([float(value)]))
    assert number == min(cents, amount.steps)


def test_counts_sums_and_means_are_those_of_the_records():
    paid = [12.34, 99.99, 250.0, -5.0, np.nan, 50.0]
    points = {"x": [1.0, 2.0, 3.0, 1.0, 1.0, 7.0], "y": [1.0] * 6, "paid": paid}
    release = geodp.release(points, cells=HALVES, epsilon=10**6, amount=CENTS, force=True)
    answers = release.query([(0, 0, 4, 8), (4, 0, 8, 8), (0, 0, 8, 8)])
    assert isinstance(answers, geodp.AmountAnswers)
    assert answers.estimate == pytest.approx([4, 1, 5], abs=1e-3)
    assert answers.sum == pytest.approx([12.34 + 99.99 + 100, 50, 262.33], abs=0.05)
    assert answers.mean == pytest.approx([212.33 / 4, 50, 262.33 / 5], abs=0.05)
    assert (answers.mean_low <= answers.mean).all()
    assert (answers.mean <= answers.mean_high).all()
    columns = release.columns()
    assert columns["sum"] == pytest.approx([212.33, 50], abs=0.05)
    assert columns["mean"] == pytest.approx([53.08, 50], abs=0.05)


def test_bounds_below_zero_and_means_over_people():
    """Ann paid -20 and 10, Bob 30: over people the mean is (-5 + 30) / 2."""
    points = {"x": [1.0] * 3, "y": [1.0] * 3, "paid": [-20, 10, 30], "who": ["ann", "ann", "bob"]}
    amount = geodp.Amount("paid", -50, 50)
    options = {"cells": HALVES, "epsilon": 10**6, "amount": amount, "force": True}
    records = geodp.release(points, **options).query([(0, 0, 4, 8)])
    assert (records.sum[0], records.mean[0]) == pytest.approx((20, 20 / 3), abs=0.05)
    people = geodp.release(points, **options, protect=geodp.Person("who")).query([(0, 0, 4, 8)])
    assert people.estimate[0] == pytest.approx(2, abs=1e-3)
    assert people.mean[0] == pytest.approx(12.5, abs=0.05)


@pytest.mark.parametrize("cells", ["adaptive", "regular"])
@pytest.mark.parametrize("protect", [geodp.Record(), geodp.Person("who")])
def test_a_release_of_amounts_is_written_and_read_again(tmp_path, cells, protect):
    rng = np.random.default_rng(3)
    x, y = rng.uniform(0, 8, (2, 2000))
    points = {"x": x, "y": y, "paid": rng.uniform(0, 150, 2000), "who": np.arange(2000) % 500}
    amount = geodp.Amount("paid", 0, 100, label="EUR")
    options = {"amount": amount, "protect": protect, "cells": cells, "force": True}
    release = geodp.release(points, DOMAIN, epsilon=2, **options)
    assert geodp.verify(release).holds
    assert release.method.quantity.units == (10_000 if protect.person is None else SHARES)
    assert "amounts above 100 EUR count as 100" in release.counted
    release.to_vector(tmp_path / "paid.gpkg")
    again = geodp.open_release(tmp_path / "paid.gpkg")
    assert again.method == release.method
    assert again.parts == release.parts
    assert geodp.verify(tmp_path / "paid.gpkg").recomputed == geodp.verify(release).recomputed
    boxes = [(0, 0, 8, 8), (1, 1, 3, 5), (9, 9, 10, 10)]
    for one, other in zip(release.query(boxes), again.query(boxes)):
        assert np.array_equal(one, other, equal_nan=True)
    frame = gpd.read_file(tmp_path / "paid.gpkg", layer="counts")
    names = ["sum", "sum_low", "sum_high", "mean", "mean_low", "mean_high"]
    assert [name for name in frame.columns if name in names] == names
    layer = gpd.GeoDataFrame(geometry=gpd.GeoSeries.from_wkt(["POLYGON((1 1,5 1,5 5,1 5,1 1))"]))
    assert release.domain == again.domain
    assert layer.shape == (1, 1)


def test_the_noise_is_that_of_one_count():
    """No budget is divided: each layer has the scale that a plain count has."""
    points = {"x": [1.0], "y": [1.0], "paid": [1.0]}
    release = geodp.release(points, cells=HALVES, epsilon=1, amount=CENTS, force=True)
    assert release.scale == 1
    assert [part.count_scales for part in release.parts] == [(Fraction(1),)] * 2
    assert release.variance == pytest.approx(4, rel=1e-3)
    assert not np.array_equal(release.parts[0].value, release.parts[1].value)


@pytest.mark.parametrize("size", [3, 40, 200, 1000])
def test_intervals_of_means_hold_the_truth(size):
    """Districts measured alone, of one size: 95 % intervals hold at least 92 % of 400 means."""
    rng = np.random.default_rng(size)
    columns = 400
    grid = geodp.Regular(Grid(DOMAIN, (1, columns)))
    cell = np.repeat(np.arange(columns), size)
    paid = np.minimum(rng.exponential(30, len(cell)), 100)
    points = {"x": (cell + 0.5) * 8 / columns, "y": np.full(len(cell), 4.0), "paid": paid}
    release = geodp.release(points, cells=grid, epsilon=1, amount=CENTS, force=True, seed=2)
    table = release.columns()
    truth = np.bincount(cell, paid) / size
    sums = np.bincount(cell, paid)
    held = (table["mean_low"] <= truth) & (truth <= table["mean_high"])
    assert held.mean() >= 0.92
    assert ((table["sum_low"] <= sums) & (sums <= table["sum_high"])).mean() >= 0.92
    wide = np.median(table["mean_high"] - table["mean_low"]) / 2
    if size == 3:
        assert np.isnan(table["mean"]).mean() > 0.5
    if size >= 200:
        assert wide <= 6


@examples(300)
@given(*[st.floats(-1e3, 1e3)] * 2, *[st.floats(0.01, 300)] * 2)
def test_a_share_lies_in_its_interval_or_is_not_known(part, rest, one, other):
    share, low, high = (float(each[0]) for each in ratio_interval(
        *(np.array([value]) for value in (part, rest, one, other))))  # fmt: skip
    total = part + rest
    if total <= np.hypot(one, other):
        assert (np.isnan(share), low, high) == (True, 0, 1)
        return
    assert 0 <= low <= share <= high <= 1
    for t in np.linspace(0, 1, 41):  # brute force: what the test does not reject is held
        inside = (part - t * total) ** 2 <= (one * (1 - t)) ** 2 + (other * t) ** 2
        if inside:
            assert low - 1e-6 <= t <= high + 1e-6


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("paid", 5, 5), "must be less than the upper one; got 5 and 5: give"),
        (("paid", 7, 5), "must be less than the upper one; got 7 and 5: give"),
        (("paid", "few", 5), "the lower bound must be a finite number"),
        (("paid", 0, float("inf")), "the upper bound must be a finite number"),
        (("paid", 0, 2**60), "within 2"),
        (("", 0, 5), "name of a field"),
        ((7, 0, 5), "name of a field"),
        (("paid", 0, 5, 3), "must divide"),
        (("paid", 0, 5, 0), "must divide"),
        (("paid", 0, 10**9, "0.0001"), "must divide"),
        (("paid", 0, "1e-320"), "must divide"),
        (("paid", 10**15, "1000000000000000.01"), "must be less than the upper one"),
        (("paid", 0, 5, None, "two\nlines"), "line of text"),
        (("paid", 0, 5, None, "EUR", "no"), "must be True or False; got 'no'"),
    ],
)
def test_bad_amounts_are_refused_in_a_sentence(wrong, words):
    with pytest.raises(geodp.InputError, match=words) as raised:
        geodp.Amount(*wrong)
    assert str(raised.value).endswith(".")


def test_what_does_not_go_together_is_refused_before_anything_is_read():
    points = {"x": [1.0], "y": [1.0], "paid": [1.0], "kind": ["a"]}
    options = {"epsilon": 1, "force": True}
    kinds, sorts = geodp.Categories("kind", ["a"]), geodp.Categories("sort", ["a"])
    with pytest.raises(geodp.InputError, match="the amount field must be a column"):
        geodp.release(points, DOMAIN, amount=geodp.Amount("owed", 0, 1), by=kinds, **options)
    with pytest.raises(geodp.InputError, match="the `by` field must be a column"):
        geodp.release(points, DOMAIN, amount=CENTS, by=sorts, **options)
    with pytest.raises(geodp.InputError, match="amount must be"):
        geodp.release(points, DOMAIN, amount="paid", **options)
    with pytest.raises(geodp.InputError, match="the amount field must be a column"):
        geodp.release(points, DOMAIN, amount=geodp.Amount("owed", 0, 1), **options)


@pytest.mark.parametrize(
    ("values", "records", "total"),
    [
        (["1.5", "2", "x"], 2, 3.5),
        ([np.inf, -np.inf, 3.0, None], 1, 3),
        ([2**60, 2**53 + 1, -(2**62), 5], 4, 205),
        ([Decimal("1.10"), Decimal("NaN"), Decimal(200)], 2, 101.1),
        ([1, "a", None, 2.5], 2, 3.5),
        (np.array([1, 2**64 - 1], dtype=np.uint64), 2, 101),
        ([], 0, 0),
    ],
)
def test_odd_amounts_are_cut_or_dropped_row_by_row(values, records, total):
    where = {"x": np.ones(len(values)), "y": np.ones(len(values))}
    frame = gpd.GeoDataFrame(
        {"paid": values}, geometry=gpd.points_from_xy(where["x"], where["y"]), crs="EPSG:5070"
    )
    town = geodp.Domain((0, 0, 8, 8), crs="EPSG:5070")
    for points in ({**where, "paid": values}, frame):
        options = {"cells": geodp.Regular(sizes=[1]), "epsilon": 10**6, "force": True}
        answers = geodp.release(points, town, amount=CENTS, **options).query([town.bounds])
        assert answers.estimate[0] == pytest.approx(records, abs=1e-2)
        assert answers.sum[0] == pytest.approx(total, abs=0.05)


def test_bounds_of_one_step_and_decimals():
    assert geodp.Amount("sick", 0, 1, unit=1).steps == 2
    assert geodp.Amount("paid", Decimal("0.10"), "0.30", unit="0.01").steps == 20
    assert geodp.Amount("paid", 0, 1).steps == 10_000
    assert geodp.Amount("paid", 0, 10**12).steps <= 1 << 30


@pytest.mark.slow
def test_every_source_gives_the_same_sums(tmp_path):
    import dask.dataframe as dd
    import duckdb

    rng = np.random.default_rng(8)
    crs = "EPSG:5070"
    town = geodp.Domain((0, 0, 8000, 8000), crs=crs)
    frame = pd.DataFrame({"x": rng.uniform(0, 8000, 300), "y": rng.uniform(0, 8000, 300)})
    frame["paid"] = np.round(rng.uniform(-5, 120, 300), 2)
    frame.loc[3, "paid"] = np.nan
    frame["who"] = np.arange(300) % 40
    points = gpd.GeoDataFrame(frame, geometry=gpd.points_from_xy(frame.x, frame.y), crs=crs)
    points.to_file(tmp_path / "p.gpkg")
    points.to_file(tmp_path / "p.geojson", driver="GeoJSON")
    points.to_parquet(tmp_path / "p.parquet")
    frame.to_csv(tmp_path / "p.csv", index=False)
    where = {"x": "x", "y": "y", "crs": crs}
    database = duckdb.connect()
    database.register("given", frame)
    database.execute("CREATE TABLE visits AS SELECT * FROM given")
    sources = {
        "arrays": lambda: frame.to_dict("list"),
        "frame": lambda: points,
        "gpkg": lambda: tmp_path / "p.gpkg",
        "parquet": lambda: tmp_path / "p.parquet",
        "csv": lambda: geodp.read_points(tmp_path / "p.csv", **where),
        "stream": lambda: iter([frame[:100].to_dict("list"), frame[100:].to_dict("list")]),
        "dask": lambda: geodp.read_points(dd.from_pandas(frame, npartitions=3), **where),
        "duckdb": lambda: geodp.read_sql(database, "SELECT * FROM visits", crs=crs),
    }
    sizes = geodp.Breaks("paid", [0, 20, 50, 200])  # the amount itself may divide the records
    kinds = [(geodp.Record(), CENTS), (geodp.Person("who"), CENTS), (geodp.Person("who"), TOTAL)]
    for (protect, amount), by in product(kinds, (None, sizes)):
        options = {"amount": amount, "protect": protect, "by": by, "seed": 4}
        sums = {
            name: geodp.release(source(), town, epsilon=1, **options)
            for name, source in sources.items()
        }
        assert [name for name, one in sums.items() if one.parts != sums["arrays"].parts] == []


TOTAL = geodp.Amount("paid", 0, 100, per_person=True)


@examples(150)
@given(RECORDS, RECORDS, st.booleans(), st.sampled_from([None, grouped(KINDS)]))
def test_a_person_s_total_moves_both_layers_by_one_in_all(others, records, tree, groups):
    """Also with more records than are kept, amounts beyond the bound, and none in the domain."""
    records = records * 3  # more than the sixteen that are kept
    protect = geodp.Person("who")
    before, units = layers(protect, table(others, []), tree, groups, TOTAL)
    after, _ = layers(protect, table(others, records), tree, groups, TOTAL)
    moved = [np.asarray(a - b) for a, b in zip(after, before)]
    assert all((each >= 0).all() for each in moved)
    counted = [row for row in records if max(row[:2]) <= 8 and np.isfinite(row[2])]
    counted = [row for row in counted if groups is None or row[3] != "x"]
    assert sum(int(each.sum()) for each in moved) == (units if counted else 0)
    steps = min(int(sum(TOTAL.number(np.array([row[2] for row in counted])))), TOTAL.steps)
    above = sum(int(each.sum()) for each in moved[::2])
    assert above == units * steps // TOTAL.steps  # whatever was dropped, the total is known


def test_sums_are_of_totals_that_are_cut_and_means_are_over_people():
    """Ann paid 30 west and 60 east, Bob 10 forty times in the west: his 400 count as 100."""
    x = [1.0, 6.0] + [1.0] * 40
    points = {"x": x, "y": [1.0] * 42, "paid": [30.0, 60] + [10] * 40}
    points["who"] = ["ann"] * 2 + ["bob"] * 40
    options = {"cells": HALVES, "epsilon": 10**6, "protect": geodp.Person("who"), "force": True}
    release = geodp.release(points, amount=TOTAL, **options)
    answers = release.query([(0, 0, 4, 8), (4, 0, 8, 8), (0, 0, 8, 8)])
    assert answers.sum == pytest.approx([130, 60, 190], abs=0.05)
    assert answers.estimate[2] == pytest.approx(2, abs=1e-3)
    assert answers.mean[2] == pytest.approx(95, abs=0.05)
    assert "a total above 100 counts as 100" in release.counted
    again = restore(release_tags(release), release.counts)
    assert again.method == release.method
    assert geodp.verify(release).holds


@pytest.mark.parametrize("protect", [geodp.Record(), geodp.Person("who", 3)])
def test_totals_need_people_who_count_as_one(protect):
    points = {"x": [1.0], "y": [1.0], "paid": [1.0], "who": ["a"]}
    with pytest.raises(geodp.InputError, match="where each person counts as one"):
        geodp.release(points, DOMAIN, epsilon=1, amount=TOTAL, protect=protect, force=True)
    with pytest.raises(geodp.InputError, match="begin at 0"):
        geodp.Amount("paid", -5, 5, per_person=True)


@pytest.fixture(scope="module")
def claims():
    rng = np.random.default_rng(7)
    kind = rng.choice(["theft", "fire", "other"], 3000, p=[0.5, 0.3, 0.2])
    paid = np.where(kind == "theft", 20.0, 70.0) + rng.uniform(-5, 5, 3000)
    who = rng.integers(0, 900, 3000)
    return {"x": rng.uniform(0, 8, 3000), "y": np.full(3000, 4.0), "paid": paid, "kind": kind,
            "who": who}  # fmt: skip


SORTS = geodp.Categories("kind", ["theft", "fire"])


def test_sums_and_means_of_each_group_are_those_of_its_records(claims):
    releases = geodp.release(
        claims, cells=HALVES, epsilon=10**6, amount=CENTS, by=SORTS, force=True
    )
    assert releases.groups == ("theft", "fire")
    assert len(releases) == 2
    west = claims["x"] < 4
    answers = releases.query([(0, 0, 4, 8)])
    for name in releases:
        paid = claims["paid"][west & (claims["kind"] == name)]
        assert isinstance(answers[name], geodp.AmountAnswers)
        assert answers[name].estimate[0] == pytest.approx(len(paid), abs=1e-2)
        assert answers[name].sum[0] == pytest.approx(paid.sum(), abs=8)  # amounts are in cents
        assert answers[name].mean[0] == pytest.approx(paid.mean(), abs=0.05)
    both = releases.total.query([(0, 0, 4, 8)])
    paid = claims["paid"][west & (claims["kind"] != "other")]
    assert both.mean[0] == pytest.approx(paid.mean(), abs=0.05)
    assert both.sum[0] == pytest.approx(sum(answers[name].sum[0] for name in releases))
    share = releases.share("theft", [(0, 0, 4, 8)]).ratio[0]
    theft = (claims["kind"] == "theft")[west].sum()
    assert share == pytest.approx(theft / len(paid), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("protect", [geodp.Record(), geodp.Person("who")])
@pytest.mark.parametrize("cells", ["adaptive", "regular"])
def test_groups_cost_the_same_and_are_written_and_read_again(claims, protect, cells, tmp_path):
    options = {"amount": CENTS, "protect": protect, "cells": cells, "force": True}
    releases = geodp.release(claims, DOMAIN, epsilon=2, by=SORTS, **options)
    assert releases.epsilon == 2
    verified = geodp.verify(releases)
    assert verified.holds
    assert len(releases.parts) == 4
    assert len({part.value.tobytes() for part in releases.parts}) == 4  # noise of its own for each
    releases.to_vector(tmp_path / "all.gpkg")
    again = geodp.open_release(tmp_path / "all.gpkg")
    assert again.method == releases.method
    assert again.parts == releases.parts
    names = gpd.read_file(tmp_path / "all.gpkg", layer="counts").columns
    assert {"sum_theft", "mean_low_fire", "sum_high_fire"} <= set(names)
    boxes = [(0, 0, 8, 8), (1, 1, 3, 5)]
    for name, one in {**releases, "": releases.total}.items():
        other = again[name] if name else again.total
        one.to_vector(tmp_path / f"one{name}.gpkg")
        alone = geodp.open_release(tmp_path / f"one{name}.gpkg")
        for field in geodp.AmountAnswers._fields:
            expected = getattr(one.query(boxes), field)
            for reopened in (other, alone):
                assert np.array_equal(getattr(reopened.query(boxes), field), expected, True)
    releases.to_vector(tmp_path / "all.shp")
    shape = gpd.read_file(tmp_path / "all.shp")
    assert len(set(shape.columns)) == len(names)
    with pytest.raises(geodp.InputError, match="same noise"):
        releases["theft"] / releases.total
    change = releases["theft"] - releases["fire"]
    assert change.one_release
    assert change.query(boxes).estimate.shape == (2,)


def test_intervals_of_means_of_groups_hold_the_truth():
    rng = np.random.default_rng(11)
    columns, size = 300, 120
    cell = np.repeat(np.arange(columns), size)
    kind = np.where(rng.uniform(size=len(cell)) < 0.7, "theft", "fire")
    paid = np.minimum(rng.exponential(np.where(kind == "theft", 20, 60)), 100)
    points = {"x": (cell + 0.5) * 8 / columns, "y": np.full(len(cell), 4.0), "paid": paid,
              "kind": kind}  # fmt: skip
    grid = geodp.Regular(Grid(DOMAIN, (1, columns)))
    releases = geodp.release(
        points, cells=grid, epsilon=1, amount=CENTS, by=SORTS, force=True, seed=2
    )
    for name, one in releases.items():
        in_group = kind == name
        truth = np.bincount(cell[in_group], paid[in_group]) / np.bincount(cell[in_group])
        table = one.columns()
        assert ((table["mean_low"] <= truth) & (truth <= table["mean_high"])).mean() >= 0.92
        sums = np.bincount(cell[in_group], paid[in_group])
        assert ((table["sum_low"] <= sums) & (sums <= table["sum_high"])).mean() >= 0.92


def test_layers_have_names_that_no_group_can_take():
    names = layer_names(grouped(geodp.Categories("kind", ["a", "above: a", "below: a", "below"])))
    assert len(set(names)) == 8


def test_a_file_of_groups_whose_layers_are_missing_is_refused(claims):
    releases = geodp.release(claims, cells=HALVES, epsilon=1, amount=CENTS, by=SORTS, force=True)
    tags = release_tags(releases)
    facts = json.loads(tags["GEODP_FACTS"])
    counts = np.stack([one.counts for one in releases.values()])
    assert restore(tags, counts).parts == releases.parts
    for spoilt in (
        {key: value for key, value in facts.items() if key != "below"},
        {**facts, "parts": facts["parts"][:1]},
        {key: value for key, value in facts.items() if key != "amount"},
        {**facts, "amount": {**facts["amount"], "high": "200"}},
    ):
        with pytest.raises(geodp.FileError):
            restore({**tags, "GEODP_FACTS": json.dumps(spoilt)}, counts)


@pytest.mark.slow
def test_the_command_line_takes_groups_and_an_amount(claims, tmp_path):
    pd.DataFrame(claims).assign(x=claims["x"] * 1000, y=4000.0).to_csv(tmp_path / "c.csv")
    words = ["release", tmp_path / "c.csv", "--x", "x", "--y", "y", "--points-crs", "EPSG:5070"]
    words += ["--bounds", 0, 0, 8000, 8000, "--crs", "EPSG:5070", "--epsilon", "2"]
    words += ["--seed", "4", "--one-each"]
    words += ["--by", "kind", "--categories", "theft,fire", "--amount", "paid"]
    ran(*words, "--between", "0", "100", "-q", "-o", tmp_path / "c.gpkg", "-o", tmp_path / "t.csv")
    table = pd.read_csv(tmp_path / "t.csv")
    assert set(table["group"]) == {"theft", "fire"}
    assert {"sum", "mean_high"} <= set(table.columns)
    people = [*words[:-6], "--person", "who", "--amount", "paid", "--between", "0", "500"]
    people.remove("--one-each")
    ran(*people, "--per-person", "-q", "-o", tmp_path / "p.gpkg")
    totals = geodp.open_release(tmp_path / "p.gpkg")
    assert totals.method.amount.per_person
    answer = totals.query([(0, 0, 8000, 8000)])
    each = np.bincount(claims["who"], claims["paid"])
    assert answer.sum[0] == pytest.approx(np.minimum(each, 500).sum(), rel=0.05)
    assert "name their field with --amount" in refused(*words[:-2], "--per-person", "-o", "x.gpkg")
    releases = geodp.open_release(tmp_path / "c.gpkg")
    means = [releases[name].query([(0, 0, 8000, 8000)]).mean[0] for name in ("theft", "fire")]
    assert means == pytest.approx([20, 70], abs=5)
