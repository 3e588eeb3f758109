"""One record more, whatever it says, changes no count but its own: amounts and groups, everywhere.

`test_one_record.py` and `test_one_record_layers.py` put odd values into places and ids.
"""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from odd import (
    CELLS,
    MEMORY,
    NAMES,
    NUMBERS,
    OUTSIDE,
    SAID,
    VALUES,
    Source,
    added_up,
    at,
    moves_own_counts,
    objects,
    saying,
)  # fmt: skip
from samples import CRS, DOMAIN, TABLE, described

import geodp
from geodp.core.records import arrays
from geodp.core.records.arrays import group_values
from geodp.core.records.divisions import grouped
from geodp.core.records.source import Request
from geodp.sources import frames
from geodp.sources.columns import (
    arrow_ids,
    check_group,
    check_ids,
    check_numbers,
    counted,
    group_column,
    numbers,
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("silence")

Table = dict[str, list[Any]]

TEXTS = [
    *(None, "", " ", "a", " a ", "A", "\uff41", "7", "7.0", "+7", "007", "1.5", "1,5", "1e1"),
    *("1e400", "-1e400", "nan", "NaN", "inf", "-inf", "infinity", "nan(1)", "0x10", "-0", "1d5"),
    *("9" * 400, "0." + "1" * 400, "é", "e\u0301", "x\u0301" * 20_000, "x" * 70_000, "1_0"),
    *("2024-05-01", "2024-02-30", "2024-05-01T23:59:60", "2024-05-01T10:00+14:00", "0000-00-00"),
    *("9999-12-31T23:59:59-14:00", "99999-01-01", "24:00", "08:30", "-1:00", "Mon", "\uff11"),
    *("{}", "[1]", "null", "None", "a\tb", "'; DROP TABLE p", "=1+1", "a;b", "\u2028"),
]  # fmt: skip
"""What a column of text may hold."""

FEW = [None, "", "a", "1,5", "1e400", "nan", "2024-02-30", "x\u0301" * 20_000]


def text(said: list[Any]) -> list[Any]:
    """Return numbers as text, whole ones without a point."""
    return [f"{value:g}" if isinstance(value, float) else value for value in said]


def frame(table: Table) -> gpd.GeoDataFrame:
    said = pd.Series(table["said"], dtype="str")
    geometry = gpd.points_from_xy(table["east"], table["north"])
    return gpd.GeoDataFrame({"who": table["who"], "said": said}, geometry=geometry, crs=CRS)


def arrow(table: Table, kind: Any = None) -> pa.Table:
    said = pa.array(table["said"], pa.string())
    columns = {name: pa.array(table[name]) for name in ("east", "north", "who")}
    return pa.table({**columns, "said": said if kind is None else said.cast(kind)})


def csv(table: Table, folder: Path, name: str = "p.csv") -> Source:
    rows = [f"{x!r},{y!r},{w},{_quoted(s)}" for x, y, w, s in zip(*table.values())]
    content = "\n".join(["east,north,who,said", *rows, ""]).encode()
    path = folder / f"{len(rows)}{name}"
    path.write_bytes(gzip.compress(content, 1) if name.endswith("gz") else content)
    return path, TABLE


def _quoted(value: Any) -> str:
    return "" if value is None else '"' + value.replace('"', '""') + '"'


def geojson(table: Table, folder: Path) -> Source:
    shapes = frame(table).to_crs(4326).geometry
    features = [
        {
            "type": "Feature",
            "properties": {"who": who, "said": said},
            "geometry": {"type": "Point", "coordinates": [place.x, place.y]},
        }
        for place, who, said in zip(shapes, table["who"], table["said"])
    ]
    path = folder / f"{len(features)}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path, {}


def parquet(table: Table, folder: Path, kind: Any = None) -> Source:
    path = folder / f"{len(table['who'])}.parquet"
    pq.write_table(arrow(table, kind), path)
    return path, TABLE


def pandas_in_views(table: Table, _: Path) -> Source:
    said = pd.arrays.ArrowExtensionArray(pa.array(table["said"]).cast(pa.string_view()))
    return pd.DataFrame({**table, "said": said}), TABLE


def layer(ending: str) -> Callable[[Table, Path], Source]:
    def write(table: Table, folder: Path) -> Source:
        path = folder / f"{len(table['who'])}.{ending}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of text that is cut in a Shapefile
            frame(table).to_file(path, SPATIAL_INDEX="NO")
        return path, {}

    return write


def dask(table: Table, _: Path) -> Source:
    dd = pytest.importorskip("dask.dataframe")
    points = pd.DataFrame({name: pd.Series(objects(column)) for name, column in table.items()})
    return dd.from_pandas(points, npartitions=3), {**TABLE, "scheduler": "synchronous"}


DOORS: dict[str, Callable[[Table, Path], Source]] = {
    "CSV": csv,
    "packed CSV": lambda table, folder: csv(table, folder, "p.csv.gz"),
    "GeoJSON": geojson,
    "Parquet": parquet,
    "pandas, views": pandas_in_views,
    "Arrow": lambda table, _: (arrow(table), TABLE),
    "Arrow, views": lambda table, _: (arrow(table, pa.string_view()), TABLE),
    "Arrow, dictionary": lambda table, _: (
        arrow(table, pa.dictionary(pa.int32(), pa.string())),
        TABLE,
    ),
    "Arrow, stream": lambda table, _: (arrow(table).to_reader(7), TABLE),
    "GeoDataFrame": lambda table, _: (frame(table), {}),
    "GeoPackage": layer("gpkg"),
    "FlatGeobuf": layer("fgb"),
    "Shapefile": layer("shp"),
    "Dask": dask,
}


if int(pa.__version__.partition(".")[0]) >= 21:  # which writes them; all versions read them
    DOORS["Parquet, views"] = lambda table, folder: parquet(table, folder, pa.string_view())

EVERYWHERE = {
    **DOORS,
    **{name: (lambda table, _, make=make: make(table)) for name, make in MEMORY.items()},
}

# --- columns of Arrow, which most doors lead to --------------------------------------------------

BYTES = [b"\xff", b"7\0", b"\xed\xa0\x80"]
RAW = [*BYTES, *(None if value is None else value.encode() for value in TEXTS)]
LARGE = [None, 0, 1, 7, -1, 2**62, -(2**63) + 1, 2**63 - 1]
FLOATS = np.array([0.0, -0.0, 1.5, 7.0, np.nan, np.inf, -np.inf])
TIMES_OF_DAY = [(pa.time32(unit), pa.int32()) for unit in ("s", "ms")]
TIMES_OF_DAY += [(pa.time64(unit), pa.int64()) for unit in ("us", "ns")]
MOMENTS = [
    pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "+07:00")
]


def cast(values: list[Any], *kinds: Any) -> Any:
    """Turn values from one type into others, some of which Arrow would check."""
    column = pa.array(values, kinds[0])
    for kind in kinds[1:]:
        column = column.cast(kind, safe=False)
    return column


def arrow_columns() -> Iterator[Any]:
    for kind in (pa.binary(), pa.string(), pa.large_string(), pa.string_view(), pa.binary_view()):
        yield cast(RAW, pa.binary(), kind)
    for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64()):
        yield cast([None, 0, 7, -(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1], kind)
        unsigned = pa.type_for_alias(f"u{kind}")
        yield cast([None, 0, 7, 2**kind.bit_width - 1], unsigned)
    for kind in ("float16", "float32", "float64"):
        yield pa.array(FLOATS.astype(kind))
    for kind in (pa.decimal128(38, 2), pa.decimal256(76, 2)):
        yield cast([None, Decimal(7), Decimal("-1.50"), Decimal("9" * 36 + ".99")], kind)
    if hasattr(pa, "decimal32"):
        yield cast([None, Decimal(7), Decimal("-1.50")], pa.decimal32(8, 2))
    yield from (cast(LARGE, pa.int64(), kind) for kind in (*MOMENTS, pa.date64()))
    yield from (cast([None, 0, -1, 86_400, 2**31 - 1], *kinds[::-1]) for kinds in TIMES_OF_DAY)
    yield cast([None, 0, 19_844, 2**31 - 1, -(2**31)], pa.int32(), pa.date32())
    yield cast([None, b"7\0\0\0", b"\xff" * 4], pa.binary(4))
    yield cast([None, True, False], pa.bool_())
    yield cast([None, b"\0" * 16, b"\xff" * 16], pa.uuid())
    yield pa.nulls(3)
    for kind in (pa.string(), pa.timestamp("s"), pa.float64()):
        yield cast(LARGE[:5], pa.int64(), kind).dictionary_encode()
    few = cast(RAW, pa.binary(), pa.string()).dictionary_encode()
    for kind in (pa.string_view(), pa.binary_view()):  # as Polars hands out categories
        yield pa.DictionaryArray.from_arrays(few.indices, few.dictionary.cast(kind))


def asked(how: dict[str, Any]) -> Request:
    return Request.of(DOMAIN, geodp.Record(), grouped(how.get("by")), how.get("amount"))


def readers(kind: Any) -> dict[str, Callable[[Any], Any]]:
    """Return the ways in which a column of a type may be read."""
    ways: dict[str, Callable[[Any], Any]] = {}
    with suppress(geodp.InputError):
        check_numbers(kind)
        ways["numbers"] = numbers
    with suppress(geodp.InputError):
        check_ids(kind, "said")
        ways["ids"] = lambda column: np.array(arrow_ids(column).texts)[arrow_ids(column).index]
    for way, (_, how) in SAID.items():
        request = asked(how)
        with suppress(geodp.InputError):
            for field in request.fields:
                check_group(kind, field)
            ways[way] = partial(_codes, request)
    return ways


def _codes(request: Request, column: Any, read: Any = group_column) -> Any:
    return request.group_codes({"said": column}, read)


def test_a_value_of_a_column_is_the_same_alone_and_beside_any_other():
    many = 0
    for column in arrow_columns():
        for way, read in readers(column.type).items():
            alone = [read(column.slice(place, 1)) for place in range(len(column))]
            together = read(column)
            assert len(together) == len(column)
            same = np.array_equal(together, np.concatenate(alone), equal_nan=way == "numbers")
            assert same, (column.type, way)
            many += 1
    assert many > 150


def test_a_value_of_a_list_is_the_same_alone_and_beside_any_other():
    values = [*VALUES, *TEXTS, *RAW]
    for _, how in SAID.values():
        for listed in (list, objects):
            codes = partial(_codes, asked(how), read=group_values)
            alone = [codes(listed([value])) for value in values]
            assert np.array_equal(codes(listed(values)), np.concatenate(alone))


def pandas_column(column: Any) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(column))


ODD_IN_PYTHON = {
    "dates": cast([*range(19_000, 19_060), 2**30], pa.int32(), pa.date32()),
    "moments": cast([*range(60), -(2**61)], pa.int64(), pa.timestamp("us", "+05:30")),
    "words": cast([*(b"%d" % (n % 9) for n in range(60)), b"\xff"], pa.binary(), pa.string()),
    "registered words": cast(
        [*(b"%d" % (n % 9) for n in range(60)), b"\xff"], pa.binary(), pa.string()
    ).dictionary_encode(),
    "words in views": cast([*(str(n % 9) for n in range(60)), None], pa.string(), pa.string_view()),
}
"""Columns of Arrow whose last value Python, or Arrow itself, cannot hand out."""


@pytest.mark.parametrize("name", ODD_IN_PYTHON)
@pytest.mark.parametrize("holder", [lambda column: column, pandas_column], ids=["Arrow", "pandas"])
def test_arrays_of_arrow_with_a_value_that_python_cannot_hold(holder, name):
    """In a mapping from names, where they are taken for any other arrays."""
    column = ODD_IN_PYTHON[name]

    def source(odd: int) -> Source:
        table = saying([0] * 60, *[(*CELLS[0], 0)] * odd)
        arrays = {each: pa.array(values) for each, values in table.items()}
        return {**arrays, "said": holder(column[: 60 + odd])}, NAMES

    counted = 0
    for _, how in [*SAID.values(), ("", {"protect": geodp.Person("said", max_records=2)})]:
        with suppress(geodp.InputError):  # as declared
            before = added_up(source(0), how)
            moves_own_counts(before, added_up(source(1), how), 1)
            counted += 1
    assert counted > 3


@pytest.mark.parametrize("unit", ["s", "ns"])
@pytest.mark.parametrize("zone", ["UTC", "+07:00", "America/St_Johns"])
@pytest.mark.parametrize("held", [pd.DataFrame, dict], ids=["frame", "mapping"])
@pytest.mark.parametrize("numbered", [False, True], ids=["plain", "numbered"])
def test_times_of_a_zone_with_one_that_pandas_cannot_hold(numbered, held, zone, unit):
    """It makes objects of them, unless one is too far, and of those that are categories, too."""
    steps = [(1_704_067_200 + n * 259_200) * (1 if unit == "s" else 10**9) for n in range(60)]
    for odd in (2**63 - 1, -(2**63) + 1, None):
        column = cast([*steps, odd], pa.int64(), pa.timestamp(unit, zone))
        said = pa.chunked_array([column]).to_pandas()
        said = said.astype("category") if numbered else said
        table = saying([0] * 60, (*CELLS[0], 0))
        sources = [
            (held({**{name: values[:many] for name, values in table.items()}, "said": said[:many]}),
             TABLE if held is pd.DataFrame else NAMES)
            for many in (60, 61)
        ]  # fmt: skip
        ways = [SAID[way][1] for way in ("times", "clocks", "weekdays")]
        for how in (*ways, {"protect": geodp.Person("said", place="most frequent")}):
            before, after = (added_up(source, how) for source in sources)
            moves_own_counts(before, after, 1)


def test_values_stay_with_their_records_from_block_to_block(monkeypatch):
    for module in (arrays, frames):
        monkeypatch.setattr(module, "BLOCK", 7)
    table = saying(NUMBERS)
    request = Request.of(DOMAIN, geodp.Person("who"), None, geodp.Amount("said", 0, 20, unit=1))
    shapes = gpd.GeoDataFrame(
        table, geometry=gpd.points_from_xy(table["east"], table["north"]), crs=CRS
    )
    for points, where in ((table, NAMES), (pd.DataFrame(table), TABLE), (shapes, {})):
        blocks = list(described(points, **where).blocks(request))
        assert len(blocks) > 1
        ids = [int(str(block.ids.texts[n])) for block in blocks for n in block.ids.index]
        assert ids == table["who"]
        assert np.concatenate([block.group for block in blocks]).tolist() == table["said"]


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_no_feature_of_many_counts_as_more_than_is_said(most):
    feature = np.repeat(np.arange(5000), 5)
    kept = counted(feature, Request(DOMAIN, max_points=most, several=True))
    assert (np.bincount(feature[kept]) == min(most, 5)).all()
    singles = counted(feature[10:-9], Request(DOMAIN))
    assert feature[10:-9][singles].tolist() == [4998]


# --- doors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOORS)
def test_any_text_as_an_amount_and_as_a_group(name, tmp_path):
    """All odd records at once, each in a cell of its own, and none of them in the domain."""
    for way in ("breaks", "amounts", "categories", "times"):
        said, how = SAID[way]
        before = added_up(DOORS[name](saying(text(said)), tmp_path), how)
        for places, cells in ((CELLS, len(TEXTS)), ([OUTSIDE] * len(TEXTS), 0)):
            odd = [(*place, value) for place, value in zip(places, TEXTS)]
            after = added_up(DOORS[name](saying(text(said), *odd), tmp_path), how)
            moves_own_counts(before, after, cells)


class Recorder:
    """Progress that remembers what it hears: names of steps, and how much is done of what."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.parts: list[tuple[int, int]] = []

    def __call__(self, step: str) -> None:
        self.steps.append(step)

    def advance(self, done: int, total: int) -> None:
        self.parts.append((done, total))


@pytest.mark.parametrize("name", EVERYWHERE)
def test_nothing_that_is_told_on_the_way_depends_on_the_records(name, tmp_path, caplog):
    """Steps are the same for few records as for many, bytes those of a file; nothing is logged."""
    caplog.set_level(1)
    said, how = SAID["amounts"]
    steps = []
    for more in (0, 30):
        odd = [(*place, "7") for place in CELLS[:more]]
        points, where = EVERYWHERE[name](saying(text(said), *odd), tmp_path)
        recorder = Recorder()
        added_up((points, where), {**how, "progress": recorder})
        steps.append(recorder.steps)
        size = points.stat().st_size if isinstance(points, Path) else None
        assert {total for _, total in recorder.parts} <= {size}
    assert steps[0] == steps[1]
    ours = [record for record in caplog.records if record.name.split(".")[0] in ("root", "geodp")]
    assert ours == []


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
def test_each_text_as_an_amount_and_as_a_group(name, tmp_path):
    for said, how in SAID.values():
        before = added_up(DOORS[name](saying(text(said)), tmp_path), how)
        for value in FEW:
            after = added_up(DOORS[name](saying(text(said), (*CELLS[0], value)), tmp_path), how)
            moves_own_counts(before, after, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEMORY)
def test_any_value_as_an_amount_and_as_a_group(name):
    make = MEMORY[name]
    for said, how in SAID.values():
        table = saying(said)
        before = added_up(make(table), how)
        for number, value in enumerate(VALUES):
            if name == "pandas" and type(value) is str and value == "\ud800":
                continue  # pandas itself refuses to make a column of text of it
            for place, cells in ((CELLS[0], 1), (OUTSIDE, 0)):
                odd = at(table, number % 61, (*place, 7, value))
                moves_own_counts(before, added_up(make(odd), how), cells)


# --- databases -----------------------------------------------------------------------------------

TYPED = {
    "float8": ["'nan'", "'infinity'", "'-infinity'", "1e308", "'-0'", "NULL"],
    "float4": ["'nan'", "'infinity'", "3e38", "NULL"],
    "int8": ["9223372036854775807", "-9223372036854775808", "NULL"],
    "int2": ["32767", "-32768", "NULL"],
    "bool": ["true", "NULL"],
    "date": ["'infinity'", "'-infinity'", "'200000-01-01'", "'4000-01-01 BC'", "NULL"],
    "timestamp": ["'infinity'", "'-infinity'", "'200000-01-01'", "'4000-01-01 BC'", "NULL"],
    "timestamptz": ["'infinity'", "'-infinity'", "'200000-01-01'", "NULL"],
    "time": ["'24:00'", "'23:59:59.999999'", "NULL"],
    "timetz": ["'24:00:00+15:59'", "'00:00:00-15:59'", "NULL"],
}
"""Values of types that both databases have, as each writes them."""
POSTGRES = {
    **TYPED,
    "numeric": ["1e400", "-1e400", "1e-400", "'nan'", "'infinity'", "0.5", "NULL"],
    "text": ["''", "'x'", "repeat('x', 100000)", "chr(1114111)", "'7,5'", "'2024-02-30'", "NULL"],
    "bpchar": ["''", "' 7 '", "NULL"],
    "inet": ["'ffff::/8'", "NULL"],
    "money": ["'-92233720368547758.08'", "NULL"],
    "oid": ["4294967295", "NULL"],
    "bit": ["B'1'", "NULL"],
}
DUCK = {
    **{kind: [text.replace(" BC", " (BC)") for text in TYPED[kind]] for kind in TYPED},
    "VARCHAR": ["''", "'x'", "repeat('x', 100000)", "chr(0)", "'7,5'", "'2024-02-30'", "NULL"],
    "BLOB": ["'\\xFF'::BLOB", "''::BLOB", "'7'::BLOB", "NULL"],
    "HUGEINT": ["170141183460469231731687303715884105727", "NULL"],
    "UHUGEINT": ["340282366920938463463374607431768211455", "NULL"],
    "UBIGINT": ["18446744073709551615", "NULL"],
    "DECIMAL(38, 3)": ["0.001", "99999999999999999999999999999999999", "NULL"],
    "TIMESTAMP_S": ["'infinity'", "'200000-01-01'", "NULL"],
    "TIMESTAMP_NS": ["'2262-04-11 23:47:16'", "NULL"],
    "UUID": ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", "NULL"],
    "JSON": ["'{\"a\": 1}'", "'null'", "'7'", "NULL"],
}


def check_rows(kinds: dict[str, list[str]], query: Callable[[str, str], Source]) -> None:
    """Check every way of counting that a type allows, with one odd row of it more."""
    counted = 0
    for kind, values in kinds.items():
        for _, how in SAID.values():
            try:
                before = added_up(query(kind, ""), how)
            except geodp.InputError:  # as declared: no value of the type could be in a group
                continue
            x, y = CELLS[0]
            for value in values:
                odd = query(kind, f" UNION ALL SELECT {x}, {y}, 7, CAST({value} AS {kind})")
                moves_own_counts(before, added_up(odd, how), 1)
                counted += 1
    assert counted > 150


def good_rows(kind: str) -> str:
    """Write what good records say in a type of SQL, as a query of a table with their numbers."""
    small, (base, *_) = "(said % 7)", kind.lower().split("(")
    if base in ("date", "timestamp", "timestamptz", "timestamp_s", "timestamp_ns"):
        return f"(date '2024-01-01' + CAST({small} * 40 AS int))"
    if base in ("time", "timetz"):
        return f"CAST('0' || {small} || ':30:00' AS time)"
    if base == "uuid":
        return f"('00000000-0000-0000-0000-00000000000' || {small})"
    if base == "inet":
        return f"('10.0.0.' || {small})"
    if base in ("bool", "bit"):
        return f"CAST({small} % 2 AS int)"
    return (
        small if base not in ("json", "varchar", "blob", "text", "bpchar") else f"('' || {small})"
    )


def in_sql(kind: str, more: str, table: str) -> str:
    good = f"CAST({good_rows(kind)} AS {kind})"
    return f"SELECT east, north, who, {good} AS said FROM {table}{more}"


@pytest.mark.slow
def test_any_value_of_duckdb_as_an_amount_and_as_a_group():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("given", pd.DataFrame(saying([n % 20 for n in range(60)])))
        connection.execute("CREATE TABLE good AS SELECT * FROM given")
        check_rows(DUCK, lambda k, more: (connection, {"query": in_sql(k, more, "good"), **TABLE}))


def test_any_value_of_postgres_as_an_amount_and_as_a_group(server):
    psycopg = pytest.importorskip("psycopg")
    table = saying([n % 20 for n in range(60)])
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE TABLE said (east float8, north float8, who int8, said int8)")
        with connection.cursor() as cursor, cursor.copy("COPY said FROM STDIN") as copy:
            for row in zip(*table.values()):
                copy.write_row(row)
    check_rows(POSTGRES, lambda k, more: (server, {"query": in_sql(k, more, "said"), **TABLE}))
