"""Values that match no category buy noise: what can never match is refused by its declared type."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal

import duckdb
import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samples import DOMAIN

import geodp
from geodp.core.records.groups import Field

X, Y = np.array([10.0, 20.0, 30.0]), np.array([10.0, 20.0, 30.0])
SOLD = [True, False, True]
CELLS = geodp.Regular(geodp.Grid(DOMAIN, (1, 1)))
WHERE = {"x": "x", "y": "y", "crs": 5070}


def counted(points, categories, field="sold") -> list[int]:
    released = geodp.release(
        points, cells=CELLS, epsilon=10**6, seed=1, by=geodp.Categories(field, categories)
    )
    return [int(one.counts.sum()) for one in released.maps.values()]


def text_file(folder, *words):
    path = folder / "points.csv"
    lines = [f"{x},{y},{word}" for x, y, word in zip(X, Y, words)]
    path.write_text("\n".join(["x,y,sold", *lines]) + "\n")
    return geodp.read_points(path, **WHERE)


def parquet(folder, **columns):
    path = folder / "points.parquet"
    pq.write_table(pa.table({"x": X, "y": Y, **columns}), path)
    return geodp.read_points(path, **WHERE)


def geopackage(folder, **columns):
    path = folder / "points.gpkg"
    gpd.GeoDataFrame(columns, geometry=gpd.points_from_xy(X, Y, crs=5070)).to_file(path)
    return geodp.read_points(path)


def geojson(folder):
    path = folder / "points.geojson"
    points = gpd.GeoDataFrame({"sold": SOLD}, geometry=gpd.points_from_xy(X, Y, crs=5070))
    path.write_text(points.to_crs(4326).to_json())
    assert json.loads(path.read_text())["features"][0]["properties"]["sold"] is True
    return geodp.read_points(path)


def database(folder):
    with duckdb.connect(str(folder / "points.duckdb")) as connection:
        frame = pd.DataFrame({"x": X, "y": Y, "sold": SOLD})
        connection.register("frame", frame)
        connection.execute("CREATE OR REPLACE TABLE points AS SELECT * FROM frame")
    return geodp.read_sql(str(folder / "points.duckdb"), "SELECT * FROM points", **WHERE)


BOOLEANS = {
    "CSV, Python": lambda folder: text_file(folder, "True", "False", "True"),
    "CSV, JSON": lambda folder: text_file(folder, "true", "false", "TRUE"),
    "CSV, numbers": lambda folder: text_file(folder, "1", "0", "1.0"),
    "Parquet": lambda folder: parquet(folder, sold=SOLD),
    "Parquet, text": lambda folder: parquet(folder, sold=["TRUE", "false", "true"]),
    "Parquet, numbers": lambda folder: parquet(folder, sold=[1, 0, 1]),
    "GeoPackage": lambda folder: geopackage(folder, sold=SOLD),
    "GeoJSON": geojson,
    "DuckDB": database,
    "frame": lambda _: geodp.read_points(pd.DataFrame({"x": X, "y": Y, "sold": SOLD}), **WHERE),
    "frame with gaps": lambda _: geodp.read_points(
        pd.DataFrame({"x": X, "y": Y, "sold": pd.array(SOLD, "boolean")}), **WHERE
    ),
    "array": lambda _: {"x": X, "y": Y, "sold": np.array(SOLD)},
    "list": lambda _: {"x": X, "y": Y, "sold": SOLD},
}


@pytest.mark.slow
@pytest.mark.parametrize("holder", BOOLEANS)
def test_booleans_are_one_thing_in_whatever_holds_them(holder, tmp_path):
    for categories in (["True", "False"], ["true", "false"], ["1", "0"], [True, False], [1, 0]):
        assert counted(BOOLEANS[holder](tmp_path), categories) == [2, 1], categories


def test_layers_keep_the_names_that_were_typed():
    assert Field.of("sold", categories=["True", "false"]).names == ("True", "false")
    with pytest.raises(geodp.InputError, match="true is 1, and false is 0"):
        Field.of("sold", categories=["true", "1"])


def test_other_words_stay_what_they_are():
    """Where not all categories are booleans, true is a word and 1 is a number."""
    field = Field.of("kind", categories=["true", "1", "2"])
    values = {"x": X, "y": Y, "kind": ["true", "1", "True"]}
    assert counted(values, ["true", "1", "2"], "kind") == [1, 1, 0]
    assert field.names == ("true", "1", "2")


DAY = datetime.date(2024, 12, 31)
DECLARED = [
    ([True, False, True], ["yes", "no"], "true and false"),
    ([1, 2, 3], ["theft"], "whole numbers"),
    ([1, 2, 3], ["1", "2.5"], "whole numbers"),
    ([1, 2, 3], ["2024-12-31"], "whole numbers"),
    ([1.5, 2.5, 3.5], ["theft"], "numbers"),
    ([1.5, 2.5, 3.5], ["1,5"], "numbers"),
    ([Decimal("1.5")] * 3, ["theft"], "numbers"),
    ([DAY] * 3, ["31.12.2024"], "dates such as 2024-12-31"),
    ([datetime.datetime(2024, 12, 31, 6)] * 3, ["December"], "dates such as"),
]


@pytest.mark.parametrize(("values", "categories", "remedy"), DECLARED)
def test_categories_that_can_never_be_are_refused_by_declared_type(
    values, categories, remedy, tmp_path
):
    source = parquet(tmp_path, field=values)
    with pytest.raises(geodp.InputError, match=f"can never be one: list {remedy}"):
        counted(source, categories, "field")
    array = np.array(values)
    if array.dtype.kind != "O":
        with pytest.raises(geodp.InputError, match=f"can never be one: list {remedy}"):
            counted({"x": X, "y": Y, "field": array}, categories, "field")
        frame = pd.DataFrame({"x": X, "y": Y, "field": array})
        with pytest.raises(geodp.InputError, match="can never be one"):
            counted(geodp.read_points(frame, **WHERE), categories, "field")
        with pytest.raises(geodp.InputError, match="can never be one"):
            counted(geopackage(tmp_path, field=values), categories, "field")


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        ([1, 2, 3], [1, "2", 3.0]),
        ([1.0, 2.5, 3.0], ["1", 2.5]),
        ([Decimal("1.10"), Decimal("2"), Decimal("3")], ["1.1", "2"]),
        ([DAY] * 3, ["2024-12-31", DAY + datetime.timedelta(1)]),
        (["theft", "1", "x"], ["theft", "1", "31.12.2024"]),
    ],
)
def test_categories_that_can_be_are_counted(values, categories, tmp_path):
    assert sum(counted(parquet(tmp_path, field=values), categories, "field")) > 0


@pytest.mark.parametrize("kind", ["int64", "float64"])
@pytest.mark.parametrize("breaks", [["2024-01-01", "2025-01-01"], ["06:00", "18:00"]])
def test_seconds_are_no_dates(kind, breaks, tmp_path):
    seconds = np.array([1.7e9, 1.71e9, 1.72e9]).astype(kind)
    for source in (
        parquet(tmp_path, when=seconds),
        geopackage(tmp_path, when=seconds),
        geodp.read_points(pd.DataFrame({"x": X, "y": Y, "when": seconds}), **WHERE),
        {"x": X, "y": Y, "when": seconds},
    ):
        with pytest.raises(geodp.InputError, match="make it a date or a time first"):
            geodp.release(source, cells=CELLS, epsilon=1, seed=1, by=geodp.Breaks("when", breaks))


@pytest.mark.parametrize("seed", [1.5, "abc", b"abc", True, np.float64(1)])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(geodp.InputError, match="seed must be a whole number"):
        geodp.release((X, Y), cells=CELLS, epsilon=1, seed=seed)


def test_a_whole_number_of_numpy_is_one():
    counts = [
        geodp.release((X, Y), cells=CELLS, epsilon=1, seed=s).counts for s in (3, np.int64(3))
    ]
    assert np.array_equal(*counts)


@pytest.mark.slow
@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_an_epsilon_that_buys_nothing_is_refused_whatever_the_cells(cells):
    with pytest.raises(geodp.InputError, match="leaves noise alone"):
        geodp.release((X, Y), DOMAIN, epsilon=1e-6, cells=cells)
    assert geodp.release((X, Y), DOMAIN, epsilon=1e-6, cells=cells, force=True).epsilon < 1e-5
    assert geodp.release((X, Y), DOMAIN, epsilon=1e-4, cells=cells)
