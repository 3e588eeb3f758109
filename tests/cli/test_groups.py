"""Groups on the command line."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from commands import ran as run
from commands import refused

import geodp

FRAME = ["--bounds", "0", "0", "4000", "3000", "--crs", "EPSG:5070", "--epsilon", "1", "--one-each"]
TABLE = ["--x", "x", "--y", "y", "--points-crs", "EPSG:5070"]


@pytest.fixture
def points(tmp_path):
    rng = np.random.default_rng(0)
    n = 500
    table = pd.DataFrame(
        {
            "x": rng.random(n) * 4000,
            "y": rng.random(n) * 3000,
            "kind": rng.choice(["theft", "assault, grave", "fraud"], n),
            "day": rng.choice(["2019-03-01", "2020-07-01 12:00"], n),
        }
    )
    table.to_csv(tmp_path / "p.csv", index=False)
    return tmp_path / "p.csv"


def test_groups_from_the_command_line_are_those_of_the_library(points, tmp_path):
    lists = ["--by", "kind", "--categories", 'theft,"assault, grave"', "--other", "other"]
    run("release", points, *FRAME, *TABLE, *lists, "--seed", 3, "-o", tmp_path / "c.tif", "-q")
    reopened = geodp.open_release(tmp_path / "c.tif")
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    expected = geodp.release(
        geodp.read_points(points, x="x", y="y", crs="EPSG:5070"), town, epsilon=1, seed=3,
        by=geodp.Categories("kind", ["theft", "assault, grave"], other="other"),
    )  # fmt: skip
    assert reopened.groups == expected.groups == ("theft", "assault, grave", "other")
    assert all(np.array_equal(reopened[k].counts, expected[k].counts) for k in expected)


YEARS = ("--amount", "age", "--between", "0", "90", "--unit", "5", "--label", "years")


@pytest.mark.parametrize("amount", [(), YEARS])
@pytest.mark.parametrize("many", [5, 30])
def test_as_many_adaptive_groups_as_in_the_library(many, amount, tmp_path):
    rng = np.random.default_rng(1)
    names = [f"k{number}" for number in range(many)]
    columns = {"x": rng.random(300) * 4000, "y": rng.random(300) * 3000}
    columns |= {"kind": rng.choice(names, 300), "age": rng.integers(0, 90, 300)}
    pd.DataFrame(columns).to_parquet(tmp_path / "p.parquet")
    options = ["--by", "kind", "--categories", ",".join(names), *amount, "--seed", 3]
    out = tmp_path / "c.parquet"
    run("release", tmp_path / "p.parquet", *FRAME, *TABLE, *options, "-o", out, "-q")
    release = geodp.open_release(out)
    age = geodp.Amount("age", 0, 90, unit=5, label="years") if amount else None
    expected = geodp.release(
        columns, geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070"), epsilon=1, seed=3,
        by=geodp.Categories("kind", names), amount=age,
    )  # fmt: skip
    assert release.method.amount == age
    assert ("above 90 years count as 90" in release.counted) == bool(amount)
    assert release.groups == tuple(names)
    assert all(np.array_equal(release[k].counts, expected[k].counts) for k in names)


def test_fields_are_crossed(points, tmp_path):
    lists = ["--by", "kind", "--by", "day", "--categories", "kind=theft,fraud"]
    lists += ["--breaks", "day=2019-01-01,2020-01-01,2021-01-01"]
    out = tmp_path / "c.gpkg"
    run("release", points, *FRAME, *TABLE, *lists, "--cells", "adaptive", "-o", out, "-q")
    reopened = geodp.open_release(out)
    assert reopened.groups == ("theft, 2019", "theft, 2020", "fraud, 2019", "fraud, 2020")
    facts = json.loads(run("info", out, "--json"))
    assert facts["groups"] == list(reopened.groups)
    assert "Groups by kind and day" in run("info", out)


@pytest.mark.slow
def test_queries_are_long_or_wide_or_of_the_total(points, tmp_path):
    out, districts = tmp_path / "c.parquet", tmp_path / "d.gpkg"
    run("release", points, *FRAME, *TABLE, "--by", "kind", "--categories", "theft,fraud", "-o", out)
    boxes = [(0, 0, 2000, 3000), (2000, 0, 4000, 3000)]
    import shapely

    layer = gpd.GeoDataFrame(geometry=[shapely.box(*box) for box in boxes], crs="EPSG:5070")
    layer.to_file(districts)
    long = json.loads(run("query", out, districts, "--json", "-q"))
    assert [row["group"] for row in long] == ["theft", "fraud"] * 2
    wide = json.loads(run("query", out, districts, "--wide", "--json", "-q"))
    assert wide[1]["estimate_fraud"] == long[3]["estimate"]
    total = json.loads(run("query", out, districts, "--all-groups", "--json", "-q"))
    assert total[0]["estimate"] == pytest.approx(long[0]["estimate"] + long[1]["estimate"])
    run("query", out, districts, "--wide", "-o", tmp_path / "answers.gpkg", "-q")
    assert "estimate_theft" in gpd.read_file(tmp_path / "answers.gpkg")
    run("release", points, *FRAME, *TABLE, "-o", tmp_path / "plain.tif", "-q")
    words = refused("query", tmp_path / "plain.tif", districts, "--wide")
    assert "releases of several groups; this has none" in words
    assert "exclude each other" in refused("query", out, districts, "--wide", "--all-groups")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "kind"], "--by needs a public list, --categories or --breaks"),
        (["--categories", "a"], "name it with --by"),
        (["--other", "a"], "--other divides the values of a field; name it with --by"),
        (["--by", "kind", "--by", "day", "--categories", "a"], "--categories names its field"),
        (["--by", "kind", "--breaks", "1", "--breaks", "2"], "'kind' has two"),
        (["--by", "kind", "--breaks", "b,a"], "--breaks are two or more rising numbers"),
        (["--by", "sort", "--categories", "a"], "the --by field must be a column"),
    ],
)
def test_lists_that_are_none_are_refused(points, tmp_path, options, message):
    words = refused("release", points, *FRAME, *TABLE, *options, "-o", tmp_path / "c.tif")
    assert message in words
    assert not list(tmp_path.glob("c.*"))


def test_layer_definitions_that_would_be_overwritten_are_seen_before_anything_is_spent(
    points, tmp_path
):
    (tmp_path / "c.qlr").write_text("<qlr/>")
    lists = ["--by", "kind", "--categories", "theft,fraud"]
    words = refused("release", points, *FRAME, *TABLE, *lists, "-o", tmp_path / "c.tif")
    assert "c.qlr exists" in words


@pytest.mark.slow
@pytest.mark.parametrize("many", [5, 30])
def test_many_groups_have_room_on_every_door(many, tmp_path):
    """The base lattice is halved less often where there are more groups, by one rule."""
    table = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 2.0], "kind": [0, 1]})
    table.to_csv(tmp_path / "p.csv", index=False)
    bounds = (-2_400_000, 200_000, 2_300_000, 3_200_000)
    names = ",".join(map(str, range(many)))
    frame = ["--bounds", *map(str, bounds), "--crs", "EPSG:5070", "--epsilon", "1", "--one-each"]
    words = ["--by", "kind", "--categories", names, "--resolution", "10m", "--seed", 3]
    run("release", tmp_path / "p.csv", *frame, *TABLE, *words, "-o", tmp_path / "c.gpkg", "-q")
    reopened = geodp.open_release(tmp_path / "c.gpkg")
    expected = geodp.release(
        (table.x, table.y, table.kind), geodp.Domain(bounds, crs="EPSG:5070"), epsilon=1, seed=3,
        by=geodp.Categories("kind", range(many)), cells=geodp.Adaptive(resolution=10),
    )  # fmt: skip
    assert len(reopened) == many
    assert reopened.cells == expected.cells
    assert all(np.array_equal(reopened[k].counts, expected[k].counts) for k in expected)


PLACE = FRAME[:-3]  # without ε, which a plan compares, and without what it does not ask


def test_a_plan_of_groups_tells_the_errors_of_each(points, tmp_path):
    lists = ["--by", "kind", "--categories", "theft,fraud", "--other", "other", "--sizes", "7"]
    words = ["plan", *PLACE, *lists, "--epsilons", "1"]
    plan = json.loads(run(*words, "--json", "-q"))
    assert plan["groups"] == ["theft", "fraud", "other"]
    (row,) = plan["outlooks"]
    run("release", points, *FRAME, *TABLE, *lists, "-o", tmp_path / "c.gpkg", "-q")
    for release in geodp.open_release(tmp_path / "c.gpkg").maps.values():
        assert np.sqrt(release.variance) == pytest.approx(row["cell_noise"])
    assert "the errors of each of 3 groups, which share epsilon" in run(*words)
    assert "groups" not in run("plan", *PLACE, "--sizes", "7")
    assert "needs a public list" in refused("plan", *PLACE, "--by", "kind")


@pytest.mark.parametrize(
    "words", [["--person", "who"], ["--person", "who", "--visits", "3"], ["--max-records", "3"]]
)
def test_a_plan_knows_who_is_protected(words):
    frame = ["plan", *PLACE, "--sizes", "7", "--epsilons", "1", "--json", "-q"]
    one = json.loads(run(*frame, "--one-each"))["outlooks"][0]["cell_noise"]
    protect = {
        "--person": geodp.Person("who", visits=3 if "--visits" in words else None),
        "--max-records": geodp.Person("any", 3),
    }[words[0]]
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    kind = geodp.Regular(sizes=[7])
    expected = geodp.forecast(town, cells=kind, epsilons=[1], protect=protect).table()
    noise = json.loads(run(*frame, *words))["outlooks"][0]["cell_noise"]
    assert noise == expected[0]["cell_noise"]
    assert (noise > 2 * one) == ("3" in words)


def test_a_plan_refuses_what_a_release_does():
    assert "--visits is about people" in refused("plan", *PLACE, "--visits", "3")
    assert "exclude each other" in refused("plan", *PLACE, "--one-each", "--person", "who")
    assert "--between is about sums in districts or hex" in refused(
        "plan", *PLACE, "--between", 0, 9
    )
    words = ["--hexagons", "500", "--cells", "regular"]
    assert "--cells is about other cells" in refused("plan", *PLACE, *words)
