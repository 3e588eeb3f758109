"""One record is in one group, whatever source holds its value."""

from __future__ import annotations

import datetime as dt
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from everywhere import columns, geojson, sources
from samples import CRS, DOMAIN, TABLE, described

import geodp
from geodp.core.records.breaks import times
from geodp.core.records.divisions import grouped
from geodp.core.records.groups import Field
from geodp.core.records.ids import Ids
from geodp.core.records.source import Request
from geodp.sources.columns import group_column
from geodp.sources.frames import column_values

PERSON = {"protect": geodp.Person("who", max_records=1)}
GRID = geodp.Grid(DOMAIN, (4, 5))


def released(points: Any, groups: dict[str, Any], protect: Any = None, **where: Any) -> Any:
    source = described(points, **where)
    options = {"cells": geodp.Regular(GRID), "epsilon": 1, "seed": 3, "protect": protect, **groups}
    return geodp.release(source, **options)


def same(one: Any, other: Any) -> bool:
    return one.groups == other.groups and all(
        np.array_equal(a.counts, b.counts) for a, b in zip(one.maps.values(), other.maps.values())
    )


CATEGORIES = {
    "whole numbers": ([3, "7", 59.0], "others"),
    "numbers beyond floats": ([(1 << 60) + 7, str((1 << 60) + 14)], None),
    "text": (["person 3", " person 7"], "others"),
    "odd text": (["007", 7, "nan", "é", "x", "1e3", "0.50"], "others"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CATEGORIES)
def test_categories_from_every_source(kind, tmp_path):
    table = columns(kind, missing=True)
    groups = {"by": geodp.Categories("who", *CATEGORIES[kind])}
    expected = released(table, groups, x="east", y="north")
    for name, (points, where) in sources(table, tmp_path).items():
        assert same(released(points, groups, **where), expected), name


def test_breaks_between_numbers_from_every_source(tmp_path):
    table = columns("whole numbers", missing=True)
    groups = {"by": geodp.Breaks("who", [0, 7, 20.5, 59], other="others")}
    expected = released(table, groups, x="east", y="north")
    for name, (points, where) in sources(table, tmp_path).items():
        assert same(released(points, groups, **where), expected), name
    text = {**table, "who": [None if w is None else str(w) for w in table["who"]]}
    for name, (points, where) in sources(text, tmp_path).items():
        assert same(released(points, groups, **where), expected), name


def test_persons_and_groups_from_every_source(tmp_path):
    """The field of groups beside that of persons, the cap over all groups."""
    table = columns("whole numbers", False)
    rng = np.random.default_rng(2)
    table["kind"] = rng.choice(["a", "b", "c"], len(table["who"])).tolist()
    groups = {"by": geodp.Categories("kind", ["a", "b"]), **PERSON}
    frame = gpd.GeoDataFrame(
        {"who": table["who"], "kind": table["kind"]},
        geometry=gpd.points_from_xy(table["east"], table["north"]),
        crs=CRS,
    )
    frame.to_file(tmp_path / "p.gpkg")
    frame.to_parquet(tmp_path / "p.parquet")
    pd.DataFrame(table).to_csv(tmp_path / "p.csv", index=False)
    expected = released(table, groups, x="east", y="north")
    assert same(released(frame, groups), expected)
    for name in ("p.gpkg", "p.parquet"):
        assert same(released(tmp_path / name, groups), expected), name
    assert same(released(tmp_path / "p.csv", groups, **TABLE), expected)
    assert same(released(pd.DataFrame(table), groups, **TABLE), expected)


# --- times ------------------------------------------------------------------------------------


def moments(n: int = 180) -> list[dt.datetime]:
    rng = np.random.default_rng(8)
    start = dt.datetime(2018, 11, 1)
    return [start + dt.timedelta(seconds=int(s)) for s in rng.integers(0, 3e8 // 4, n)]


def timed(folder: Path) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return the same moments as columns of time, as text, with gaps and with oddities."""
    rng = np.random.default_rng(5)
    east, north = rng.uniform(0, 1e5, 180), rng.uniform(0, 8e4, 180)
    when: list[Any] = [None if n % 10 == 0 else moment for n, moment in enumerate(moments())]
    names = {"x": "east", "y": "north"}
    text = [None if each is None else each.isoformat(" ") for each in when]
    odd = ["once" if each is None else each for each in text]
    zoned = [None if t is None else f"{t}.25Z" for t in text]
    plain = {"east": east, "north": north}
    series = pd.Series(pd.to_datetime(text))
    frame = gpd.GeoDataFrame({"when": series}, geometry=gpd.points_from_xy(east, north), crs=CRS)
    frame.to_file(folder / "p.gpkg")
    frame.to_parquet(folder / "p.parquet")
    arrow = pa.table({**plain, "when": pa.array(when, pa.timestamp("us"))})
    pq.write_table(arrow, folder / "arrow.parquet")
    for name, column in (("text", text), ("odd", odd), ("zoned", zoned)):
        pd.DataFrame({**plain, "when": column}).to_csv(folder / f"{name}.csv", index=False)
    listed = {"east": east.tolist(), "north": north.tolist(), "who": text}
    geojson(listed, folder / "p.geojson")
    (folder / "w.geojson").write_text((folder / "p.geojson").read_text().replace('"who"', '"when"'))
    object_column = pd.Series(when, dtype=object)
    return {
        "lists": ({**plain, "when": when}, names),
        "text": ({**plain, "when": text}, names),
        "odd text": ({**plain, "when": odd}, names),
        "zoned": ({**plain, "when": zoned}, names),
        "datetime64": ({**plain, "when": series.to_numpy()}, names),
        "frame": (frame, {}),
        "frame, zoned": (
            frame.assign(when=series.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")),
            {},
        ),
        "frame, objects": (frame.assign(when=object_column), {}),
        "frame, arrow": (frame.assign(when=series.convert_dtypes(dtype_backend="pyarrow")), {}),
        "frame, text": (frame.assign(when=pd.Series(text, dtype="str")), {}),
        "table": (pd.DataFrame({**plain, "when": series}), TABLE),
        "GeoPackage": (folder / "p.gpkg", {}),
        "GeoParquet": (folder / "p.parquet", {}),
        "Parquet": (folder / "arrow.parquet", TABLE),
        "Arrow": (arrow, TABLE),
        "CSV": (folder / "text.csv", TABLE),
        "odd CSV": (folder / "odd.csv", TABLE),
        "zoned CSV": (folder / "zoned.csv", TABLE),
        "GeoJSON": (folder / "w.geojson", {}),
    }


@pytest.mark.parametrize(
    "breaks",
    [
        ["2018-01-01", "2019-01-01", "2020-01-01", "2021-06-01"],
        ["00:00", "06:00", "12:30", "24:00"],
        ["Sat", "Mon", "Thu"],
    ],
)
def test_times_from_every_source(breaks, tmp_path):
    groups = {"by": geodp.Breaks("when", breaks, other="others")}
    ways = timed(tmp_path)
    expected = released(ways["lists"][0], groups, x="east", y="north")
    for name, (points, where) in ways.items():
        assert same(released(points, groups, **where), expected), name


TIMES = [
    *(b"2024-01-01", b"2024-05-31T23:59:59.999999999Z", b"2024-05-31 10:00", b"2024-02-29"),
    *(b"2024-02-30", b"2023-02-29", b"2024-04-31", b"2024-13-01", b"2024-01-32", b"2024-00-10"),
    *(b"2024-01-01T24:00", b"2024-01-01T10:60", b"2024-01-01T10:00:60", b"2024-01-01T10:00:00."),
    *(b"2024-01-01T10:00+02:00", b"2024-01-01t10:00", b" 2024-01-01 ", b"2024-1-1", b"08:30"),
    *(b"24:00", b"x", b"", b"\xff", b"2024-01-01\xff", b"0999-01-01", b"10000-01-01", None),
]


@pytest.mark.parametrize("breaks", [["2024-01-01", "2024-07-01"], ["00:00", "12:00"]])
def test_a_time_is_the_same_whatever_stands_beside_it(breaks, monkeypatch):
    """Nor does it take longer: only what is not plainly a time is looked at one by one."""
    field = Field.of("time", breaks=breaks)
    clock = field.kind == "clock"
    alone = [times(Ids.of([value]), clock)[0] for value in TIMES]
    rng = np.random.default_rng(1)
    for chosen in (np.arange(len(TIMES)), *rng.integers(0, len(TIMES), (60, 5))):
        column = pa.array([TIMES[place] for place in chosen], pa.binary())
        expected = np.array([alone[place] for place in chosen], dtype="M8[s]")
        assert np.array_equal(group_column(column, field), expected, equal_nan=True)
    looked: list[int] = []
    monkeypatch.setattr(
        "geodp.sources.columns.times", lambda ids, c: looked.append(len(ids)) or times(ids, c)
    )
    for odd, most in ((b"x", 1), (b"2024-02-30", 11)):  # beside it, ten are at the end of a month
        column = pa.array([b"2024-05-01"] * 990 + [b"2024-05-31"] * 10 + [odd], pa.binary())
        group_column(column, field)
        assert looked.pop() == most


def test_times_of_day_have_columns_of_their_own(tmp_path):
    clock = [dt.time(5, 59), dt.time(6, 0), None, dt.time(23, 0)]
    plain = {"east": [1.0] * 4, "north": [1.0] * 4}
    pq.write_table(pa.table({**plain, "when": pa.array(clock)}), tmp_path / "p.parquet")
    pq.write_table(
        pa.table({**plain, "when": pa.array(clock, pa.time32("s"))}), tmp_path / "q.parquet"
    )
    groups = {"by": geodp.Breaks("when", ["00:00", "06:00", "24:00"])}
    expected = released({**plain, "when": clock}, groups, x="east", y="north")
    for name in ("p.parquet", "q.parquet"):
        assert same(released(tmp_path / name, groups, **TABLE), expected), name


# --- workers and databases --------------------------------------------------------------------


@pytest.mark.parametrize("person", [None, geodp.Person("who", max_records=1)])
def test_dask_and_duckdb(person, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    duckdb = pytest.importorskip("duckdb")
    table = columns("whole numbers", False)
    table["when"] = moments()
    frame = pd.DataFrame(table)
    for groups in (
        {"by": geodp.Categories("who", [3, 4], other="others")},
        {"by": geodp.Breaks("who", [0, 20, 40])},
        {"by": [geodp.Breaks("who", [0, 20, 40]), geodp.Breaks("when", ["06:00", "18:00"])]},
    ):
        expected = released(table, groups, person, x="east", y="north")
        parts = dd.from_pandas(frame, npartitions=3)
        releases = released(parts, groups, person, **TABLE, scheduler="synchronous")
        assert same(releases, expected)
        frame.to_parquet(tmp_path / "p.parquet")
        releases = released(
            tmp_path / "p.parquet", groups, person, **TABLE, scheduler="synchronous"
        )
        assert same(releases, expected)
        with duckdb.connect() as database:
            database.register("given", frame)
            database.execute("CREATE TABLE visits AS SELECT * FROM given")
            releases = released(
                database, groups, person, query="FROM visits", x="east", y="north", crs=CRS
            )
        assert same(releases, expected)


def test_a_partition_of_an_odd_type_is_in_no_group():
    """The type of a partition may follow from one record: it must not stop the others."""
    from geodp.sources.columns import Layout
    from geodp.sources.dask import PartSource

    part = pd.DataFrame({"east": [1.0], "north": [1.0], "kind": [pd.Timedelta(1)]})
    request = Request(DOMAIN, groups=grouped(geodp.Categories("kind", ["a"])))
    (block,) = PartSource(part, Layout("east", "north", CRS)).blocks(request)
    assert block.group.tolist() == [-1]


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "groups"),
    [
        (pa.array([[1]] * 3), geodp.Categories("kind", ["a"])),
        (pa.array([dt.timedelta(1)] * 3), geodp.Categories("kind", ["a"])),
        (pa.array([dt.time(1)] * 3), geodp.Categories("kind", ["a"])),
        (pa.array([dt.datetime(2024, 1, 1)] * 3), geodp.Breaks("kind", [0, 1])),
        (pa.array([1, 2, 3]), geodp.Breaks("kind", ["2024-01-01", "2025-01-01"])),
        (pa.array([1.5, 2, 3]), geodp.Breaks("kind", ["06:00", "07:00"])),
        (pa.array([dt.time(1)] * 3), geodp.Breaks("kind", ["2024-01-01", "2025-01-01"])),
    ],
)
def test_declared_types_that_can_be_in_no_group_are_refused(column, groups, tmp_path):
    table = pa.table({"east": [1.0] * 3, "north": [1.0] * 3, "kind": column})
    pq.write_table(table, tmp_path / "p.parquet")
    with pytest.raises(geodp.InputError, match="'kind' is declared as"):
        released(tmp_path / "p.parquet", {"by": groups}, **TABLE)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    with pytest.raises(geodp.InputError, match="'kind' is declared as"):
        released(frame, {"by": groups}, **TABLE)


def test_types_that_gdal_infers_are_refused(tmp_path):
    """One odd record would change how the values of all others are read."""
    frame = gpd.GeoDataFrame({"kind": ["a"]}, geometry=gpd.points_from_xy([1], [1]), crs=CRS)
    frame.to_file(tmp_path / "p.gml", driver="GML")
    with pytest.raises(geodp.InputError, match="fields of groups must have a declared type"):
        released(tmp_path / "p.gml", {"by": geodp.Categories("kind", ["a"])})


def test_text_among_numbers_of_a_geopackage_is_no_number(tmp_path):
    import sqlite3

    frame = gpd.GeoDataFrame(
        {"kind": pd.array([0, 0, None], "Int64")},
        geometry=gpd.points_from_xy([1.0] * 3, [1.0] * 3),
        crs=CRS,
    )
    frame.to_file(tmp_path / "p.gpkg")
    with closing(sqlite3.connect(tmp_path / "p.gpkg")) as database, database:
        for trigger in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            database.execute(f'DROP TRIGGER "{trigger[0]}"')
        database.execute("UPDATE p SET kind = 'x' WHERE fid = 2")
    release = geodp.release(
        tmp_path / "p.gpkg",
        cells=geodp.Regular(GRID),
        epsilon=10**6,
        force=True,
        by=geodp.Categories("kind", [0], other="rest"),
    )
    assert release["0"].counts.sum() == 1
    assert release["rest"].counts.sum() == 1  # of the missing value; what is no number is dropped


def test_a_field_that_is_not_there_is_refused(tmp_path):
    table = columns("text", False)
    for name, (points, where) in sources(table, tmp_path).items():
        if name == "GeoJSON":  # declares no fields
            continue
        with pytest.raises(geodp.InputError, match="kind"):
            released(points, {"by": geodp.Categories("kind", ["a"])}, **where)


class Liar(str):
    """Text that says it equals any other."""

    __slots__ = ()

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("theft")

    def __str__(self):
        return "theft"


TEXTS = ["theft", " theft ", "theft\0", "fraud", "caf\u00e9", "cafe\u0301", "7", "7.0", "2.50", ""]
MIXED = [*TEXTS, None, float("nan"), pd.NA, pd.NaT, Liar("fraud"), np.str_("theft"), b"theft"]


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        (TEXTS, ["str", "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string_view())]),
        (TEXTS, ["category", object, pd.ArrowDtype(pa.large_string())]),
        (["fraud", "x"], [object, "str", pd.ArrowDtype(pa.binary())]),
        ([*TEXTS, None], [object, "str", "string[python]", "string[pyarrow]", "category"]),
        (MIXED, [object]),
        ([*MIXED, 7, 7.0, b"\xff", "\ud800", ["theft"], 2.5, dt.date(2024, 5, 1)], [object]),
        ([7, 0, None], ["Int64", "Int8", "Float64", "float64", "boolean", object]),
        ([7, 0, -1], ["int64", "float32", "Int64", object, "category"]),
        ([2.5, 7.0, None], ["Float64", "float64", "float32", "Float32", object]),
        ([2**60 + 7, None], ["Int64", object]),
    ],
)  # fmt: skip
def test_a_column_of_any_type_is_in_the_groups_of_its_ids(values, kinds):
    listed = ["theft", "cafe\u0301", 7, 1, 2.5, 2**60 + 7, "2024-05-01"]
    for kind, other in product(kinds, (None, "else")):
        if kind == "boolean":
            values = [None if value is None else bool(value) for value in values]
        field = Field.of("kind", categories=listed, other=other)
        expected = [int(field.place(Ids.of([value]))[0]) for value in values]
        column = pd.Series(values, dtype=kind)
        assert field.place(column_values(column, field)).tolist() == expected, kind
