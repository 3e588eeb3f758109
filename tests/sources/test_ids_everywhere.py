"""One person is one person in every source: the same records are kept, whatever holds the ids."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from everywhere import WHO, as_arrow, as_frame, columns, geojson, sources
from samples import CRS, DOMAIN, TABLE, TREE, released, same

import geodp

PERSON = {"protect": geodp.Person("who", max_records=1)}
TREES = {**PERSON, **TREE}


@pytest.mark.parametrize("missing", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("kind", WHO)
def test_every_source_keeps_the_same_records(kind, missing, tmp_path):
    table = columns(kind, missing)
    readers = sources(table, tmp_path)
    for how in (PERSON, TREES):
        expected = released(table, x="east", y="north", **how)
        for name, (points, where) in readers.items():
            assert same(released(points, **where, **how), expected), name


@pytest.mark.parametrize("how", [PERSON, TREES])
@pytest.mark.parametrize("kind", ["whole numbers", "numbers beyond floats", "text"])
def test_dask_and_duckdb_keep_them_too(kind, how, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    duckdb = pytest.importorskip("duckdb")
    table = columns(kind, False)
    expected = released(table, x="east", y="north", **how)
    frame = as_arrow(table).to_pandas()
    parts = dd.from_pandas(frame, npartitions=4, sort=False)
    assert same(released(parts, **TABLE, scheduler="threads", **how), expected)
    with duckdb.connect(str(tmp_path / "p.duckdb")) as connection:
        connection.register("given", frame)
        connection.execute("CREATE TABLE p AS SELECT * FROM given")
        for cast in ("who", "who::VARCHAR AS who"):
            query = f"SELECT east, north, {cast} FROM p"
            assert same(released(connection, query=query, **TABLE, **how), expected)


POSTGRES = {
    "whole numbers": ("int8", "int4", "text", "numeric", "varchar(40)"),
    "numbers beyond floats": ("int8", "text", "numeric", "char(40)"),
    "text": ("text",),
    "UUIDs": ("uuid", "text"),
}


@pytest.mark.parametrize("kind", POSTGRES)
def test_postgis_keeps_them_too(server, kind):
    psycopg = pytest.importorskip("psycopg")
    for missing in (False, True):
        table = columns(kind, missing)
        ways = [(how, released(table, x="east", y="north", **how)) for how in (PERSON, TREES)]
        with psycopg.connect(server) as connection:
            connection.execute("DROP TABLE IF EXISTS everywhere")
            connection.execute("CREATE TABLE everywhere (east float8, north float8, who text)")
            with connection.cursor() as cursor, cursor.copy("COPY everywhere FROM STDIN") as copy:
                for row in zip(*table.values()):
                    copy.write_row([*row[:2], None if row[2] is None else str(row[2])])
        for cast in POSTGRES[kind]:
            query = f"SELECT ST_MakePoint(east, north) AS geom, who::{cast} AS who FROM everywhere"
            for how, expected in ways:
                assert same(released(server, query=query, crs=CRS, **how), expected), cast


def kept(points: Any, **where: Any) -> int:
    """Records that are kept, seen through a budget so large that no noise is left."""
    grids = [geodp.Grid(DOMAIN, (1, 1))]
    described = geodp.read_points(points, **where)
    return round(
        geodp.release(
            described, cells=geodp.Regular(grids), epsilon=10**6, force=True, **PERSON
        ).counts.sum()
    )


def test_a_nameless_record_changes_no_id():
    """Lists of ids do not become floats because one of them is missing."""
    ids: list[Any] = list(range(2**62, 2**62 + 1000))
    table = {"x": [10.0] * 1000, "y": [10.0] * 1000, "who": ids}
    assert kept(table) == 1000
    for odd in (float("nan"), None, "abc", 0.5, [1], Decimal("sNaN"), 2.0**60, object()):
        more = {name: [*values, 10.0] for name, values in table.items()} | {"who": [*ids, odd]}
        assert kept(more) in (1000, 1001)
    gaps = {"x": [1.0] * 4, "y": [1.0] * 4, "who": ["a", "b", float("nan"), float("nan")]}
    assert kept(gaps) == 2


def test_blocks_of_a_list_do_not_change_ids():
    many = {"x": [1.0] * 262155, "y": [1.0] * 262155, "who": [7] * 262154 + ["abc"]}
    assert kept(many) == 2


def test_one_id_of_several_types_is_one_person(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,who\n1,1,7\n")
    (tmp_path / "b.csv").write_text("x,y,who\n1,1,7.0\n")
    (tmp_path / "c.csv").write_text('x,y,who\n1,1," 7"\n')
    whos = [pa.array([7]), pa.array([7.0, None]), pa.array(["7"]), pa.array([Decimal("7.00")])]
    for number, who in enumerate(whos):
        place = pa.array([1.0] * len(who))
        pq.write_table(
            pa.table({"x": place, "y": place, "who": who}), tmp_path / f"{number}.parquet"
        )
    files = sorted(tmp_path.iterdir())
    assert len(files) == 7
    assert kept(files, x="x", y="y", crs=CRS) == 1


def test_times_are_one_person_in_every_zone():
    dd = pytest.importorskip("dask.dataframe")
    noon = dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone.utc)
    same_time = noon.astimezone(dt.timezone(dt.timedelta(hours=5)))
    frame = pd.DataFrame({"x": [1.0] * 4, "y": [1.0] * 4})
    frame["who"] = pd.Series([noon, same_time] * 2, dtype=object)
    assert kept(frame, x="x", y="y", crs=CRS) == 1
    parts = dd.from_pandas(frame, npartitions=4, sort=False)
    assert kept(parts, x="x", y="y", crs=CRS, scheduler="synchronous") == 1
    stamps = pa.table({"x": [1.0] * 2, "y": [1.0] * 2, "who": pa.array([noon, noon])})
    assert kept(stamps.to_pandas(), x="x", y="y", crs=CRS) == 1


def test_one_odd_feature_changes_no_id_of_geojson(tmp_path):
    table = columns("numbers beyond floats", False)
    expected = released(geojson(table, tmp_path / "a.geojson"), **PERSON)
    more = {name: list(values) for name, values in table.items()}
    for name, value in (("east", -1.0), ("north", -1.0), ("who", 0.5)):  # outside the domain
        more[name].append(value)
    assert same(released(geojson(more, tmp_path / "b.geojson"), **PERSON), expected)


@pytest.mark.parametrize(
    "who",
    [
        pa.array([7.0], pa.float32()),
        pa.array([[7]]),
        pa.array([{"a": 7}]),
        pa.array([dt.time(7)]),
        pa.array([dt.timedelta(7)]),
    ],
    ids=lambda array: str(array.type),
)
def test_types_that_cannot_tell_persons_apart_are_refused(who, tmp_path):
    """By the declared type: a file without any row is refused alike."""
    for rows in (1, 0):
        table = pa.table({"x": pa.array([1.0]), "y": pa.array([1.0]), "who": who}).slice(0, rows)
        pq.write_table(table, tmp_path / "p.parquet")
        with pytest.raises(geodp.InputError, match="'who' is declared as"):
            kept(tmp_path / "p.parquet", x="x", y="y", crs=CRS)


@pytest.mark.parametrize(
    "who",
    [
        *(np.zeros(3, dtype) for dtype in ("float32", "float16", "longdouble", "complex128")),
        *(np.zeros(3, dtype) for dtype in ("m8[s]", ">f4", [("a", "i8")], "V4")),
    ],
    ids=lambda array: str(array.dtype),
)
def test_arrays_that_cannot_tell_persons_apart_are_refused(who):
    for rows in (3, 0):
        table = {"x": [1.0] * rows, "y": [1.0] * rows, "who": who[:rows]}
        for points in (table, iter([table])):
            with pytest.raises(geodp.InputError, match="'who' is declared as"):
                kept(points)


@pytest.mark.parametrize(
    "dtype",
    ["Float32", "float32", "period[D]", "interval[int64]", "timedelta64[s]", "float[pyarrow]"],
)
def test_columns_that_cannot_tell_persons_apart_are_refused(dtype):
    table = pd.DataFrame({"x": [], "y": [], "who": pd.Series([], dtype=dtype)})
    with pytest.raises(geodp.InputError, match="'who' is declared as"):
        kept(table, x="x", y="y", crs=CRS)


def test_coordinates_are_refused_by_their_declared_type():
    for dtype in ("datetime64[s]", "timedelta64[s]", "complex128", "timestamp[s][pyarrow]"):
        table = pd.DataFrame({"x": pd.Series([], dtype=dtype), "y": [], "who": []})
        with pytest.raises(geodp.InputError, match="columns of numbers"):
            kept(table, x="x", y="y", crs=CRS)


def test_floats_from_2_to_the_53_on_are_nobody():
    ids = np.array([2.0**53 - 1, 2.0**53, 2.0**53 + 2, -(2.0**53), 1e300, np.inf])
    for who in (ids, ids.tolist(), pd.Series(ids)):
        assert kept({"x": [1.0] * 6, "y": [1.0] * 6, "who": who}) == 1


def test_formats_that_infer_types_are_refused_where_ids_matter(tmp_path):
    as_frame(columns("whole numbers", False), dtype="Int64").to_file(
        tmp_path / "p.gml", driver="GML"
    )
    with pytest.raises(geodp.InputError, match="GML"):
        kept(tmp_path / "p.gml")
    assert geodp.release(tmp_path / "p.gml", DOMAIN, epsilon=1).epsilon == 1
