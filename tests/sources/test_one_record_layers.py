"""One record more, however malformed, changes nothing but counts: GDAL's formats and databases."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pytest
import shapely
from odd import GOOD, INSIDE, NESTED, OUTSIDE, WKB, moves_one_count, unharmed
from samples import CRS, TABLE, released, same

pytestmark = pytest.mark.usefixtures("silence")


def layer(*more: tuple[float, float, Any], text: bool = False) -> gpd.GeoDataFrame:
    east, north, who = (
        [*column, *(row[place] for row in more)] for place, column in enumerate(GOOD.values())
    )
    ids = pd.Series(
        [f"p{name}" if isinstance(name, int) else name for name in who] if text else who
    )
    return gpd.GeoDataFrame({"who": ids}, geometry=gpd.points_from_xy(east, north), crs=CRS)


# --- GeoPackage ----------------------------------------------------------------------------------


def blob(wkb: bytes, flags: int = 1, srid: int = 5070) -> bytes:
    return b"GP\0" + struct.pack("<Bi", flags, srid) + wkb


PLACE = blob(struct.pack("<BIdd", 1, 1, *OUTSIDE))
HERE = blob(struct.pack("<BIdd", 1, 1, *INSIDE))
SHAPES = [
    *(None, b"", b"G", b"GP", b"GP\0", PLACE[:-1], PLACE + b"\0", b"\xff" * 40),
    b"GP\xff\xff" + b"\0" * 9,
    *(blob(raw) for raw in WKB),
    *(blob(WKB[0], flags) for flags in (0x11, 0x0F, 0x21, 0x3F)),
    *("POINT (1 1)", 7, 0.5, blob(NESTED[9:]), blob(NESTED, srid=-7), b"\0\1" + NESTED),
]  # fmt: skip
WHOSE = [
    *(None, "x", "7x", "", " ", b"\xff", b"", 0.5, 1e300, -(2**63), float("inf"), "9" * 400),
    *("x" * (1 << 24), "a\0b", "\U0010ffff"),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> dict[bool, Path]:
    """Return good GeoPackages, with whole numbers and with text as ids."""
    folder = tmp_path_factory.mktemp("gpkg")
    for text in (False, True):
        layer(text=text).to_file(folder / f"{text}.gpkg", layer="p", SPATIAL_INDEX="NO")
    return {text: folder / f"{text}.gpkg" for text in (False, True)}


def with_row(
    path: Path,
    folder: Path,
    number: Any,
    shape: Any,
    who: Any,
    as_text: bool = False,
    times: int = 1,
) -> Any:
    other = folder / "odd.gpkg"
    shutil.copy(path, other)
    connection = sqlite3.connect(other)
    words = f"INSERT INTO p (fid, geom, who) VALUES (?, ?, {'CAST(? AS TEXT)' if as_text else '?'})"
    with connection:
        connection.executemany(words, [[number, shape, who]] * times)
    connection.close()
    return other, {}


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_any_row_of_a_geopackage(packages, tmp_path, text):
    good = (packages[text], {})
    for number, shape in enumerate(SHAPES):
        fid = (-1, 0, 999, 2**62)[number % 4]
        unharmed(good, with_row(packages[text], tmp_path, fid, shape, "p7" if text else 7))
    for number, who in enumerate(WHOSE):
        fid = (-1, 0, 999, 2**62)[number % 4]
        unharmed(good, with_row(packages[text], tmp_path, fid, PLACE, who), records=False)
        moves_one_count(good, with_row(packages[text], tmp_path, fid, HERE, who))
    for who in (b"\xff", b"a\xc3", b"\0"):
        unharmed(good, with_row(packages[text], tmp_path, 999, PLACE, who, as_text=True))
        moves_one_count(good, with_row(packages[text], tmp_path, 999, HERE, who, as_text=True))


@pytest.mark.slow
def test_text_in_a_column_of_numbers_is_no_number(tmp_path):
    """SQLite keeps any value in any column, and GDAL would read "x" as 0 and "7x" as 7."""
    path = tmp_path / "small.gpkg"
    small = layer().assign(who=[n % 12 for n in range(60)])
    for ids in (small["who"], small["who"].astype(float)):
        small.assign(who=ids).to_file(path, layer="p", SPATIAL_INDEX="NO")
        for who in ("x", "7x", b"7", b"\xff"):
            # So many that they would take the places of others.
            odd = with_row(path, tmp_path, None, HERE, who, times=9)
            unharmed((path, {}), odd, records=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "odd"), [("MEDIUMINT", 2**62), ("SMALLINT", 70_000), ("BOOLEAN", 7)]
)
def test_a_number_that_its_column_has_no_room_for_is_nobody(kind, odd, tmp_path):
    """SQLite keeps it, and GDAL would read another number: that of somebody else."""
    path = tmp_path / "small.gpkg"
    layer().drop(columns="who").to_file(path, layer="p", SPATIAL_INDEX="NO")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"ALTER TABLE p ADD COLUMN who {kind}")
        database.execute("UPDATE p SET who = fid % 2")
    unharmed((path, {}), with_row(path, tmp_path, None, HERE, odd, times=9), records=False)


# --- Shapefile and FlatGeobuf --------------------------------------------------------------------

NUMBERS = [
    b"*" * 18,
    b" " * 18,
    b"\0" * 18,
    b"abc" * 6,
    b"\xff" * 18,
    b"9" * 18,
    b"1e5" + b" " * 15,
    b"-" * 18,
]


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_any_bytes_in_the_table_of_a_shapefile(tmp_path, text):
    layer(text=text).to_file(tmp_path / "good.shp")
    layer((*OUTSIDE, 7), text=text).to_file(tmp_path / "odd.shp")
    layer((*INSIDE, 7), text=text).to_file(tmp_path / "own.shp")
    good = (tmp_path / "good.shp", {})
    for name in ("odd", "own"):
        path = tmp_path / f"{name}.dbf"
        content = path.read_bytes()
        _, start, size = struct.unpack("<IHH", content[4:12])
        row = start + 60 * size
        changed = [b"*" + content[row + 1 : row + size], b"\xff" + content[row + 1 : row + size]]
        changed += [b" " + odd[: size - 1].ljust(size - 1, odd[-1:]) for odd in NUMBERS]
        for record in changed:
            path.write_bytes(content[:row] + record + content[row + size :])
            other = (tmp_path / f"{name}.shp", {})
            if name == "odd":
                unharmed(good, other)
            else:
                moves_one_count(good, other)


FLOATS = [float("nan"), float("inf"), -float("inf"), 1e308, -0.5]


@pytest.mark.slow
def test_any_place_in_a_shapefile(tmp_path):
    layer().to_file(tmp_path / "good.shp")
    layer((*OUTSIDE, 7)).to_file(tmp_path / "odd.shp")
    content = (tmp_path / "odd.shp").read_bytes()
    head, body = content[:-20], content[-20:]
    for kind in (0, 1, 3, 8, 11, 99, 2**31 - 1):
        for x in FLOATS if kind == 1 else FLOATS[:1]:
            (tmp_path / "odd.shp").write_bytes(head + struct.pack("<idd", kind, x, -1.0))
            unharmed((tmp_path / "good.shp", {}), (tmp_path / "odd.shp", {}))
    assert body == struct.pack("<idd", 1, *OUTSIDE)


@pytest.mark.slow
def test_any_place_and_any_id_in_flatgeobuf(tmp_path):
    """Bytes of one record in a file that is otherwise whole."""
    mark = -54_321.125
    layer(text=True).to_file(tmp_path / "good.fgb", SPATIAL_INDEX="NO")
    layer((mark, mark, "odd-name"), text=True).to_file(tmp_path / "odd.fgb", SPATIAL_INDEX="NO")
    good, path = (tmp_path / "good.fgb", {}), tmp_path / "odd.fgb"
    content = path.read_bytes()
    place = struct.pack("<d", mark)
    last = content.rfind(place + place)
    assert last > 0
    for x in FLOATS:
        path.write_bytes(content[:last] + struct.pack("<dd", x, x) + content[last + 16 :])
        unharmed(good, (path, {}))
    for name in (b"\xff" * 8, b"\0" * 8, b"a\xc3bc\xe2\x82de", b"        "):
        path.write_bytes(content.replace(b"odd-name", name))
        unharmed(good, (path, {}))
        inside = content[:last] + struct.pack("<dd", *INSIDE) + content[last + 16 :]
        path.write_bytes(inside.replace(b"odd-name", name))
        moves_one_count(good, (path, {}))


NOWHERE = {
    "nothing": None,
    "an empty point": shapely.Point(),
    "no points": shapely.MultiPoint(),
    "an empty collection": shapely.GeometryCollection(),
    "a line": shapely.LineString([INSIDE, OUTSIDE]),
    "a collection": shapely.GeometryCollection([shapely.Point(INSIDE)]),
}


def with_shape(path: Path, place: int, shape: Any) -> Path:
    """Write good points and, at a place among them, a feature of another shape."""
    given, odd = layer(), gpd.GeoDataFrame({"who": [7]}, geometry=[shape], crs=CRS)
    both = pd.concat([given[:place], odd, given[place:]], ignore_index=True)
    both.to_file(path, SPATIAL_INDEX="NO", geometry_type="Unknown")
    return path


def test_a_feature_of_flatgeobuf_without_a_place_harms_no_other(tmp_path):
    """GDAL's fast way writes the next place over the first, and the block is refused as damaged."""
    path = with_shape(tmp_path / "odd.fgb", 30, None)
    assert same(released(path), released(layer()))


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["fgb", "gpkg"])
def test_a_feature_without_a_place_in_a_layer_of_any_kind(tmp_path, ending):
    good = with_shape(tmp_path / f"good.{ending}", 0, None)
    for name, shape in NOWHERE.items():
        for place in (30, 60):
            path = with_shape(tmp_path / f"{name} {place}.{ending}", place, shape)
            unharmed((good, {}), (path, {}))


# --- DuckDB --------------------------------------------------------------------------------------

DUCK = {
    "DOUBLE": ["'nan'", "'inf'", "1e308", "NULL"],
    "VARCHAR": ["''", "'x'", "repeat('x', 1000000)", "chr(0)", "NULL"],
    "BLOB": ["'\\xFF'::BLOB", "''::BLOB", "NULL"],
    "DATE": ["'infinity'", "'-infinity'", "'200000-01-01'", "'4000-01-01 (BC)'"],
    "TIMESTAMP": ["'infinity'", "'-infinity'", "'200000-01-01'"],
    "TIMESTAMPTZ": ["'infinity'", "'200000-01-01'"],
    "HUGEINT": ["170141183460469231731687303715884105727", "NULL"],
    "UBIGINT": ["18446744073709551615"],
    "DECIMAL(38, 3)": ["0.001", "99999999999999999999999999999999999"],
    "UUID": ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", "NULL"],
    "BOOLEAN": ["NULL"],
}


def duck_ids(kind: str) -> str:
    number = "(row_number() OVER ()) % 12"
    if kind in ("DATE", "TIMESTAMP", "TIMESTAMPTZ"):
        return f"DATE '2024-01-01' + ({number})::INTEGER"
    if kind == "UUID":
        return f"('00000000-0000-0000-0000-0000000000' || lpad(({number})::VARCHAR, 2, '0'))"
    return f"({number})::VARCHAR" if kind in ("VARCHAR", "BLOB") else f"({number})"


@pytest.mark.slow
@pytest.mark.parametrize("kind", DUCK)
def test_any_row_of_duckdb(kind):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        given = pd.DataFrame({name: GOOD[name] for name in ("east", "north")})
        connection.register("given", given)
        ids = duck_ids(kind)
        connection.execute(
            f"CREATE TABLE good AS SELECT east, north, ({ids})::{kind} AS who FROM given"
        )
        good = (connection, {"table": "good", **TABLE})
        for value in DUCK[kind]:
            for place, check in ((OUTSIDE, unharmed), (INSIDE, moves_one_count)):
                connection.execute("CREATE OR REPLACE TABLE odd AS SELECT * FROM good")
                connection.execute(f"INSERT INTO odd VALUES ({place[0]}, {place[1]}, {value})")
                if kind != "BOOLEAN" or check is unharmed:
                    check(good, (connection, {"table": "odd", **TABLE}))


@pytest.mark.slow
def test_any_place_in_duckdb():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("given", pd.DataFrame({**GOOD, "shape": layer().geometry.to_wkb()}))
        connection.execute("CREATE TABLE good AS SELECT shape, who FROM given")
        good = (connection, {"table": "good", "crs": CRS})
        for raw in [None, *WKB]:
            connection.execute("CREATE OR REPLACE TABLE odd AS SELECT * FROM good")
            connection.execute("INSERT INTO odd VALUES (?, 7)", [raw])
            unharmed(good, (connection, {"table": "odd", "crs": CRS}))
        # An enum of as many values as its index has room for.
        words = ", ".join(f"'{n}'" for n in range(256))
        connection.execute(f"CREATE TYPE name AS ENUM ({words})")
        query = "SELECT shape, (who % 12)::VARCHAR::name AS who FROM good"
        more = f"{query} UNION ALL SELECT NULL, NULL::name"
        unharmed(
            (connection, {"query": query, "crs": CRS}), (connection, {"query": more, "crs": CRS})
        )


# --- PostGIS -------------------------------------------------------------------------------------

POSTGRES = {
    "float8": ["'nan'", "'infinity'", "1e308", "NULL"],
    "numeric": ["1e400", "'nan'", "'infinity'", "0.5", "NULL"],
    "text": ["''", "'x'", "repeat('x', 1000000)", "chr(1114111)", "NULL"],
    "date": ["'infinity'", "'-infinity'", "'200000-01-01'", "'4000-01-01 BC'", "NULL"],
    "timestamp": ["'infinity'", "'200000-01-01'", "'4000-01-01 BC'"],
    "timestamptz": ["'infinity'", "'200000-01-01'"],
    "int8": ["9223372036854775807", "NULL"],
    "uuid": ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", "NULL"],
    "inet": ["'ffff::/8'", "NULL"],
}
PLACES = [
    *("NULL", "'POINT EMPTY'", "'POINT(nan nan)'", "'POINT(-1 -1)'", "'POINT Z (-1 -1 1)'"),
    *("'LINESTRING(1 1, 2 2)'", "'MULTIPOINT EMPTY'", "'GEOMETRYCOLLECTION(POINT(1 1))'"),
    *("'POINT(1e308 -1e308)'", "'POLYGON((1 1, 2 2, 2 1, 1 1))'", "'SRID=4326;POINT(-1 0.5)'"),
]


@pytest.fixture(scope="module")
def given(server):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA odd")
        connection.execute("SET search_path TO odd, public")
        connection.execute("CREATE TABLE given (east float8, north float8, who int8)")
        with connection.cursor() as cursor, cursor.copy("COPY given FROM STDIN") as copy:
            for row in zip(*GOOD.values()):
                copy.write_row(row)
        yield
        connection.execute("DROP SCHEMA odd CASCADE")


def postgres_ids(kind: str) -> str:
    if kind in ("date", "timestamp", "timestamptz"):
        return "date '2024-01-01' + (who % 12)::int4"
    if kind == "uuid":
        return "('00000000-0000-0000-0000-0000000000' || lpad((who % 12)::text, 2, '0'))"
    return "('10.0.0.' || who % 12)" if kind == "inet" else "(who % 12)"


@pytest.mark.parametrize("kind", POSTGRES)
@pytest.mark.usefixtures("given")
def test_any_row_of_postgres(server, kind):
    query = f"SELECT east, north, ({postgres_ids(kind)})::{kind} AS who FROM odd.given"
    good = (server, {"query": query, **TABLE})
    for value in POSTGRES[kind]:
        for place, check in ((OUTSIDE, unharmed), (INSIDE, moves_one_count)):
            more = f"{query} UNION ALL SELECT {place[0]}, {place[1]}, {value}::{kind}"
            check(good, (server, {"query": more, **TABLE}))
    if kind in ("float8", "numeric", "text"):  # as a coordinate too
        query = f"SELECT east::{kind}, north::{kind}, who FROM odd.given"
        for value in POSTGRES[kind]:
            more = f"{query} UNION ALL SELECT {value}::{kind}, '-1'::{kind}, 7"
            unharmed((server, {"query": query, **TABLE}), (server, {"query": more, **TABLE}))


@pytest.mark.usefixtures("given")
def test_any_place_in_postgis(server):
    query = "SELECT ST_MakePoint(east, north)::geometry AS geom, who FROM odd.given"
    good = (server, {"query": query, "crs": CRS})
    for place in PLACES:
        more = f"{query} UNION ALL SELECT {place}::geometry, 7"
        unharmed(good, (server, {"query": more, "crs": CRS}))
    for raw in WKB:
        query = "SELECT ST_AsBinary(ST_MakePoint(east, north)) AS geom, who FROM odd.given"
        more = f"{query} UNION ALL SELECT '\\x{raw.hex()}'::bytea, 7"
        unharmed((server, {"query": query, "crs": CRS}), (server, {"query": more, "crs": CRS}))


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "WIN1252"])
def test_text_in_any_encoding_of_postgres(server, encoding):
    """A value that cannot be decoded belongs to itself; it stops nobody."""
    psycopg = pytest.importorskip("psycopg")
    name = f"enc_{encoding.lower()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0"
        )
    address = server.rsplit("/", 1)[0] + f"/{name}"
    rows = ", ".join(f"({x!r}, {y!r}, 'p{n % 12}')" for n, (x, y) in
                     enumerate(zip(GOOD["east"], GOOD["north"])))  # fmt: skip
    query = f"SELECT * FROM (VALUES {rows}) AS t (east, north, who)"
    high = "chr(129)" if encoding != "SQL_ASCII" else "E'\\x81\\xff'"
    more = f"{query} UNION ALL SELECT -1, -1, {high}"
    unharmed((address, {"query": query, **TABLE}), (address, {"query": more, **TABLE}))
