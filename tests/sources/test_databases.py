"""PostGIS and DuckDB: streamed through their own clients, and silent about rows and passwords."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from samples import (
    CRS,
    DOMAIN,
    PASSWORD,
    PEOPLE,
    SWAPPED_PEOPLE,
    TABLE,
    TREE,
    read_blocks,
    released,
    same,
    sample_points,
)

import geodp
from geodp.cli import main
from geodp.sources import databases
from geodp.sources.databases import UNANSWERED

duckdb = pytest.importorskip("duckdb")
psycopg = pytest.importorskip("psycopg")

POINTS = sample_points()


# --- PostGIS -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgis(server: str) -> str:
    """Return address of a server with the points."""
    fill(server)
    return server


def fill(address: str) -> None:
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE people (geom geometry(Point, 5070), east float8, "
                           "north numeric, who int, note text)")  # fmt: skip
        rows = zip(POINTS.east, POINTS.north, POINTS.who)
        with connection.cursor() as cursor:
            with cursor.copy("COPY people (east, north, who) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row([repr(float(row[0])), repr(float(row[1])), int(row[2])])
            cursor.execute(
                "UPDATE people SET geom = ST_SetSRID(ST_MakePoint(east, north), 5070), "
                "note = 'row of ' || who"
            )
            cursor.execute("CREATE TABLE odd AS SELECT NULL::geometry(Point, 5070) AS geom")


QUERIES = [
    {"query": "SELECT geom, who FROM people"},
    {"query": "SELECT who, geom FROM people ORDER BY random();"},
    {"table": "public.people"},
    {"query": "SELECT ST_AsBinary(geom) AS shape, who FROM people", "crs": CRS},
    {"query": "SELECT geom::geometry AS g, who FROM people", "crs": CRS},
    {"query": "SELECT east, north, who FROM people", **TABLE},
    {"query": "SELECT east AS x, north AS y, who FROM people", "crs": CRS},
    {"table": "people", **TABLE},
]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("people", [{}, PEOPLE, TREE, {**TREE, **PEOPLE}])
def test_postgis_gives_the_same_release(postgis, query, people, monkeypatch):
    monkeypatch.setattr(databases, "FETCH", 700)
    assert same(released(postgis, **query, **people), released(POINTS, **people))


def test_postgis_from_the_command_line(postgis, tmp_path):
    out = tmp_path / "counts.tif"
    bounds = [str(value) for value in DOMAIN.bounds]
    words = ["--bounds", *bounds, "--crs", CRS, "--epsilon", "1000000", "--sizes", "4", "--yes"]
    sql = ["--sql", "SELECT geom FROM people"]
    done = CliRunner().invoke(main, ["release", postgis, *words, *sql, "-o", str(out)])
    assert done.exit_code == 0, done.output
    grids = geodp.candidate_grids(DOMAIN, [4])
    expected = geodp.release(POINTS, cells=geodp.Regular(grids), epsilon=1_000_000, force=True)
    assert np.array_equal(geodp.open_release(out).counts, expected.counts)
    refused = CliRunner().invoke(
        main, ["release", postgis, *words, "--layer", "nobody", "-o", str(out), "--force"]
    )
    assert refused.exit_code == 2
    assert PASSWORD not in refused.output


def test_postgis_reprojects_by_the_declared_srid(postgis):
    """The table says 4326; nobody else does."""
    with psycopg.connect(postgis) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS lonlat (geom geometry(Point, 4326))")
        connection.execute(
            "INSERT INTO lonlat SELECT ST_SetSRID(ST_MakePoint(-96, 23.3), 4326) "
            "FROM generate_series(1, 50)"
        )
    grid = geodp.Grid(DOMAIN, (1, 1))
    release = geodp.release(
        geodp.read_sql(postgis, table="lonlat"),
        cells=geodp.Regular(grid),
        epsilon=10**6,
        force=True,
    )
    assert release.counts.tolist() == [50]


def test_postgis_comes_in_batches_from_a_cursor_on_the_server(postgis, monkeypatch):
    monkeypatch.setattr(databases, "FETCH", 300)
    blocks = read_blocks(postgis, query="SELECT geom FROM people")
    first = next(blocks)
    assert len(first[0]) == 300
    with psycopg.connect(postgis) as watcher:
        open_cursors = watcher.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'geodp' "
            "AND state = 'idle in transaction'"
        ).fetchone()
    assert open_cursors == (1,)
    assert sum(len(x) for x, *_ in blocks) == len(POINTS) - 300


def test_missing_geometries_of_postgis_are_dropped(postgis):
    two = geodp.Regular(geodp.Grid(DOMAIN, (2, 2)))
    expected = geodp.release((np.zeros(0), np.zeros(0)), epsilon=1, cells=two, seed=1)
    assert same(
        geodp.release(
            geodp.read_sql(postgis, table="odd", crs=CRS),
            cells=geodp.Regular(geodp.Grid(DOMAIN, (2, 2))), epsilon=1, seed=1,
        ),
        expected,
    )  # fmt: skip


def test_errors_of_postgis_hold_no_password_and_no_rows(postgis):
    wrong_port = postgis.rsplit(":", 1)[0] + ":1/postgres"
    wrong_password = postgis.replace(PASSWORD, PASSWORD + "x")
    for address, sql in (
        (wrong_port, "SELECT geom FROM people"),
        (wrong_password, "SELECT geom FROM people"),
        (postgis + "?nonsense=1", "SELECT geom FROM people"),
        (postgis, "SELECT geom FROM nowhere"),
        (postgis, "SELECT note::float8 AS x, 1.0 AS y FROM people"),
        (postgis, "DELETE FROM people"),
        (postgis, "not sql"),
    ):
        message = UNANSWERED if "::float8" in sql else "check address"
        with pytest.raises(geodp.FileError, match=message) as caught:
            released(address, query=sql, crs=CRS)
        shown = "".join(traceback.format_exception(caught.value))
        assert PASSWORD not in shown
        assert "row of" not in shown
    assert same(released(postgis, query="SELECT geom FROM people"), released(POINTS))


def test_queries_that_bring_no_points_are_refused(postgis):
    for options, rule in (
        ({"query": "SELECT note FROM people"}, "geometry, or columns x and y"),
        (
            {"query": "SELECT geom AS x, geom AS y FROM people", "x": "x", "y": "y", "crs": CRS},
            "numbers",
        ),
        ({"query": "SELECT geom FROM people", **PEOPLE}, "no 'who'"),
        ({"query": "SELECT geom FROM people", "x": "lon", "y": "lat"}, "no 'lon'"),
        ({"query": "SELECT geom::geometry AS g FROM people"}, "need a CRS"),
        ({"query": "SELECT geom FROM people", "table": "people"}, "not both"),
        ({"table": None}, "query or a table"),
        (
            {"query": "SELECT ST_MakeLine(geom, geom)::geometry(LineString, 5070) FROM people"},
            "Point",
        ),
    ):
        with pytest.raises(geodp.InputError, match=rule):
            released(postgis, **options)


# --- DuckDB --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def duck(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("duck") / "people.duckdb"
    table = POINTS.drop(columns="geometry")
    table["shape"] = POINTS.geometry.to_wkb()
    with duckdb.connect(str(path)) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE people AS SELECT * FROM given")
    return path


DUCK_QUERIES = [
    {"query": "SELECT shape, who FROM people", "crs": CRS},
    {"query": "SELECT who, shape FROM people ORDER BY random()", "crs": CRS},
    {"query": "SELECT east, north, who FROM people", **TABLE},
    {"query": "SELECT east AS x, north AS y, who FROM people;", "crs": CRS},
    {"table": "people", **TABLE},
    {"table": "main.people", "crs": CRS},
]


@pytest.mark.parametrize("query", DUCK_QUERIES)
@pytest.mark.parametrize("people", [{}, PEOPLE, TREE, {**TREE, **SWAPPED_PEOPLE}])
def test_duckdb_gives_the_same_release(duck, query, people):
    expected = released(POINTS, **people)
    assert same(released(duck, **query, **people), expected)
    with duckdb.connect(str(duck), read_only=True) as connection:
        assert same(released(connection, **query, **people), expected)
        assert connection.execute("SELECT 1").fetchone() == (1,)  # still open


def test_geometries_of_duckdb():
    """Where DuckDB knows geometries, in itself or by its extension, they come as WKB."""
    with duckdb.connect() as connection:
        connection.register("given", POINTS.drop(columns="geometry"))
        text = "'POINT (' || east || ' ' || north || ')'"
        try:
            connection.execute(f"CREATE TABLE people AS SELECT ({text})::GEOMETRY AS g FROM given")
        except duckdb.Error:
            pytest.skip("this DuckDB has no geometries")
        assert same(released(connection, table="people", crs=CRS), released(POINTS))


def test_duckdb_writes_nothing(duck):
    before = sorted(path.name for path in duck.parent.iterdir())
    content = duck.read_bytes()
    blocks = read_blocks(duck, table="people", **TABLE)
    next(blocks)
    assert sorted(path.name for path in duck.parent.iterdir()) == before
    blocks.close()
    assert duck.read_bytes() == content


def test_what_a_connection_keeps_for_itself_is_read_by_its_relation():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.sql("CREATE TEMP TABLE visits AS SELECT 10.0 AS x, 20.0 AS y")
    query = "SELECT x, y FROM visits"
    with pytest.raises(geodp.FileError, match=r"read_points\(connection.sql\(query\)\)`\."):
        geodp.release(geodp.read_sql(connection, query, crs="EPSG:5070"), DOMAIN, epsilon=1)
    relation = geodp.read_points(connection.sql(query), x="x", y="y", crs="EPSG:5070")
    assert geodp.release(relation, DOMAIN, epsilon=1).epsilon == 1


def test_errors_of_duckdb_hold_no_rows(duck, tmp_path):
    (tmp_path / "broken.duckdb").write_bytes(b"not a database")
    for path, sql in (
        (duck, "SELECT * FROM nowhere"),
        (duck, "SELECT CAST('row of ' || who AS DOUBLE) AS x, 1.0 AS y FROM people"),
        (duck, "DROP TABLE people"),
        (tmp_path / "broken.duckdb", "SELECT 1"),
    ):
        message = UNANSWERED if "CAST" in sql else "check path"
        with pytest.raises(geodp.FileError, match=message) as caught:
            released(path, query=sql, crs=CRS)
        assert "row of" not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(geodp.FileError, match="there is no"):
        released(tmp_path / "nowhere.duckdb", query="SELECT 1")
    with pytest.raises(geodp.InputError, match="read_sql"):
        released(duck)
    with pytest.raises(geodp.InputError, match="geometry, or columns x and y"):
        released(duck, query="SELECT who FROM people")


@pytest.mark.parametrize(
    ("package", "points", "extra"),
    [
        ("psycopg", "postgresql://nobody@127.0.0.1/nothing", "postgis"),
        ("duckdb", "nothing.duckdb", "duckdb"),
    ],
)
def test_a_missing_client_is_named(monkeypatch, package, points, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(geodp.GeodpError, match=rf"geodp\[{extra}\]"):
        released(points, query="SELECT 1")


def test_layers_of_postgis(postgis):
    """Values of every type that PostgreSQL declares: numbers, text, dates, times of day."""
    columns = (
        "who, who::text AS words, who::numeric AS number, "
        "DATE '2020-01-01' + who AS day, '[1]'::json AS odd, "
        "TIMESTAMPTZ '2020-01-01 00:00+00' + who * interval '1 hour' AS moment, "
        "TIME '00:00' + who * interval '1 hour' AS clock"
    )
    source = geodp.read_sql(postgis, f"SELECT geom, {columns} FROM people")
    who = POINTS.who.to_numpy()
    day = np.datetime64("2020-01-01") + who
    moment = np.datetime64("2020-01-01T00") + who
    table = {"x": POINTS.east.to_numpy(), "y": POINTS.north.to_numpy()}
    hours = ["00:00", "06:00", "18:00", "24:00"]
    for name, values, kind, listed, other in (
        ("who", who, geodp.Categories, [3, 5, 7], "rest"),
        ("words", who, geodp.Categories, [3, 5, 7], "rest"),
        ("number", who, geodp.Breaks, [0, 10, 100.5], None),
        ("words", who, geodp.Breaks, [0, 10, 100.5], None),
        ("day", day, geodp.Breaks, ["2020-01-01", "2020-03-01", "2020-05-01"], None),
        ("moment", moment, geodp.Breaks, ["2020-01-01", "2020-01-05T06:00"], "later"),
        ("moment", moment, geodp.Breaks, hours, None),
        ("clock", moment, geodp.Breaks, hours, None),
    ):
        options = {"cells": geodp.Regular(geodp.Grid(DOMAIN, (2, 2))), "epsilon": 1, "seed": 1}
        by = kind(name, listed, other)
        releases = geodp.release(source, by=by, **options)
        expected = geodp.release({**table, name: values}, by=by, **options)
        for layer in expected:
            assert np.array_equal(releases[layer].counts, expected[layer].counts), (name, layer)
    with pytest.raises(geodp.InputError, match="'odd' is declared as json"):
        geodp.release(source, DOMAIN, epsilon=1, by=geodp.Categories("odd", ["1"]))
    with pytest.raises(geodp.InputError, match="'clock' is declared as time"):
        geodp.release(source, DOMAIN, epsilon=1, by=geodp.Categories("clock", ["1"]))
