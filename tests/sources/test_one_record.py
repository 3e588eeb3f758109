"""One record more, however malformed, changes nothing but counts: in memory, text, JSON, Parquet.

With one seed, a release of good records and of the same with an odd one are equal wherever the odd
one has no place in the domain. Where only its id is odd, its own count may differ and no other.
Nothing is raised, warned or printed (`test_one_record_layers.py` has GDAL's formats and databases).
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from odd import (
    GOOD,
    INSIDE,
    MEMORY,
    NAMES,
    NESTED,
    OUTSIDE,
    VALUES,
    WKB,
    Angry,
    at,
    moves_one_count,
    objects,
    unharmed,
)  # fmt: skip
from profiles import examples
from pyproj import CRS as ProjCRS
from samples import CRS, TABLE

from geodp.sources import lines

pytestmark = pytest.mark.usefixtures("silence")
quick = examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass(frozen=True)
class Listed:
    """One of VALUES, by its number.

    hypothesis asks everything that it draws for its class, and prints it: that is an error of an
    angry value in hypothesis, not in what is tested here. So values are looked up in the test.
    """

    number: int

    @property
    def value(self) -> Any:
        return VALUES[self.number]


ANY = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()),
    *(st.decimals(), st.fractions(), st.datetimes(), st.dates(), st.times(), st.uuids()),
    *(st.complex_numbers(), st.lists(st.integers(), max_size=2)),
    st.builds(Listed, st.integers(0, len(VALUES) - 1)),
)
ANGRY = Listed([type(value) for value in VALUES].index(Angry))


# --- in memory -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("source", MEMORY)
def test_any_value_in_memory(source):
    make = MEMORY[source]
    odd, named = [], []
    for number, value in enumerate(VALUES):
        place = number % (len(GOOD["who"]) + 1)
        for row in ((value, 1.0, GOOD["who"][0]), (1.0, value, value), (*OUTSIDE, value)):
            odd.append(make(at(GOOD, place, row)))
        named.append(make(at(GOOD, place, (*INSIDE, value))))
    unharmed(make(GOOD), *odd)
    moves_one_count(make(GOOD), *named)


@pytest.mark.slow
@quick
@given(drawn=st.tuples(ANY, ANY, ANY), source=st.sampled_from(sorted(MEMORY)))
@example(drawn=(ANGRY, ANGRY, ANGRY), source="lists")
@example(drawn=(1.0, 1.0, ANGRY), source="arrays")
def test_any_row_in_memory(drawn, source):
    make, row = MEMORY[source], [e.value if type(e) is Listed else e for e in drawn]
    moves_one_count(make(GOOD), make(at(GOOD, 7, row)))
    unharmed(make(GOOD), make(at(GOOD, 7, (row[0], OUTSIDE[1], row[2]))))


SHAPES = [
    *(None, "POINT EMPTY", "POINT (-9 -9)", "POINT (nan 1)", "POINT (1 inf)", "POINT Z (-1 -1 1)"),
    *("POINT (1e308 -1e308)", "LINESTRING (1 1, 2 2)", "LINESTRING EMPTY", "MULTIPOINT EMPTY"),
    *("MULTIPOINT (1 1, 2 2)", "MULTIPOINT (EMPTY, EMPTY)", "POLYGON ((1 1, 2 2, 2 1, 1 1))"),
    *("GEOMETRYCOLLECTION (POINT (1 1))", "GEOMETRYCOLLECTION EMPTY", "POLYGON EMPTY"),
    *("MULTIPOLYGON EMPTY", "LINEARRING (1 1, 2 2, 2 1, 1 1)", "MULTILINESTRING ((1 1, 2 2))"),
]


def layer(table: dict[str, list[Any]], odd: Any = None, who: Any = None, more: bool = False) -> Any:
    shapes = list(gpd.points_from_xy(table["east"], table["north"]))
    names = list(table["who"])
    if more:
        shapes.insert(5, odd)
        names.insert(5, who)
    frame = {"who": pd.Series(objects(names))}
    return gpd.GeoDataFrame(frame, geometry=gpd.GeoSeries(shapes, crs=CRS))


@pytest.mark.slow
@pytest.mark.parametrize("text", SHAPES)
def test_any_shape_in_a_geodataframe(text):
    shape = None if text is None else shapely.from_wkt(text)
    several = text is not None and text.startswith("MULTIPOINT (1")
    for who in (GOOD["who"][0], None, "\ud800", 2.0**60, [7]):
        odd = layer(GOOD, shape, who, more=True)
        unharmed((layer(GOOD), {}), (odd, {}), people=not several)
    if several:  # with persons, a MultiPoint is several records of one person
        unharmed((layer(GOOD), {}), (layer(GOOD, shape, None, more=True), {}))
    unharmed((layer(GOOD).geometry, {}), (odd.geometry, {}), people=False)


@pytest.mark.slow
def test_odd_coordinates_are_brought_into_another_crs():
    far = layer(GOOD).to_crs(4326)
    table = {"east": far.geometry.x.tolist(), "north": far.geometry.y.tolist(), "who": GOOD["who"]}
    where = {**NAMES, "crs": 4326}
    for x, y in ((1e308, 1.0), (-1e9, 91.0), (float("nan"), 1.0), (float("inf"), 5.0), (0.0, 90.0)):
        unharmed((table, where), (at(table, 9, (x, y, GOOD["who"][0])), where))


ARROW = [
    (pa.int64(), 5), (pa.string(), "x"), (pa.binary(), b"\xff"), (pa.float64(), float("nan")),
    (pa.decimal128(30, 2), Decimal("0.5")), (pa.timestamp("s"), 2**60), (pa.date32(), 2**30),
    (pa.dictionary(pa.int8(), pa.string()), "x"), (pa.bool_(), True),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "value"), ARROW, ids=lambda value: str(value)[:20])
def test_a_record_added_to_columns_of_arrow(kind, value):
    """The column is in several chunks, as `concat` leaves it."""
    ids = {"string": str, "binary": lambda n: str(n).encode(), "dictionary": str, "bool": bool}
    make = next((f for name, f in ids.items() if str(kind).startswith(name)), int)
    raw = pa.int64() if str(kind).startswith(("timestamp",)) else kind
    raw = pa.int32() if kind == pa.date32() else raw
    who = pa.array([make(n % 12) for n in range(len(GOOD["who"]))], raw).cast(kind)
    good = pd.DataFrame({**GOOD, "who": pd.arrays.ArrowExtensionArray(who)})
    both = pa.chunked_array([who, pa.array([value], raw).cast(kind)])
    more = pd.DataFrame({name: [*GOOD[name], -1.0] for name in ("east", "north")})
    more["who"] = pd.arrays.ArrowExtensionArray(both)
    unharmed((good, TABLE), (more, TABLE))


@pytest.mark.parametrize("name", ["east", "north"])
def test_text_of_arrow_that_is_no_utf8_as_a_coordinate(name):
    def text(values: list[Any]) -> pd.Series:
        raw = pa.array([str(v).encode() if v != "odd" else b"\xff" for v in values])
        return pd.Series(raw.cast(pa.string(), safe=False), dtype=pd.ArrowDtype(pa.string()))

    def frame(table: dict[str, list[Any]]) -> pd.DataFrame:
        return pd.DataFrame({**table, name: text(table[name])})

    odd = {"east": 1.0, "north": 1.0, name: "odd"}
    more = at(GOOD, 3, (odd["east"], odd["north"], GOOD["who"][0]))
    unharmed((frame(GOOD), TABLE), (frame(more), TABLE))


# --- text ----------------------------------------------------------------------------------------

LINES = [
    *(b"", b",", b",,,,", b"1,1", b"1,1,1,1", b'"1,1,7', b'1,1,"7', b'1,"1,7', b'"', b'""', b'"""'),
    *(b"1,1,7\r1,1,7", b"\r", b"\0,\0,\0", b"-1,-1,\xff", b"-1,-1,\0", b"\xff\xfe", b"\x1f\x8b"),
    *(b"nan,1,7", b"1e999,1,7", b"1_0,1,7", b"0x10,1,7", b"\xff,1,7", b"east,north,who"),
    *(b"-1,-1," + b"x" * (1 << 24), b"x" * (1 << 24), b'-1,-1,"' + b"," * 5000),
    *(b"-1,-1,9" + b"9" * 5000, b"\xef\xbb\xbf"),
]  # fmt: skip


def csv_source(
    folder: Path, odd: bytes | None, place: int, packed: bool
) -> tuple[Any, dict[str, Any]]:
    rows = [f"{x!r},{y!r},{who}".encode() for x, y, who in zip(*GOOD.values())]
    if odd is not None:
        rows.insert(place, odd)
    content = b"\n".join([b"east,north,who", *rows]) + b"\n"
    path = folder / f"{odd is None}.csv{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(content, 1) if packed else content)
    return path, TABLE


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True])
def test_any_line_of_text(tmp_path, packed):
    good = csv_source(tmp_path, None, 0, packed)
    for number, line in enumerate(LINES):
        for place in (0, number % 60, 60) if len(line) < 10**6 else (30,):
            unharmed(good, csv_source(tmp_path, line, place, packed))


@pytest.mark.slow
@quick
@given(line=st.binary(max_size=40), place=st.integers(0, 60), block=st.integers(300, 900))
def test_any_bytes_as_a_line_of_text(tmp_path, line, place, block):
    good = csv_source(tmp_path, None, 0, False)
    line = line.replace(b"\n", b"")
    with pytest.MonkeyPatch().context() as patched:
        patched.setattr(lines, "BLOCK", block)
        moves_one_count(good, csv_source(tmp_path, line, place, False))
        unharmed(good, csv_source(tmp_path, b"-1," + line, place, False))


# --- GeoJSON -------------------------------------------------------------------------------------


def feature(coordinates: Any, who: Any, kind: Any = "Point") -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "properties": {"who": who}, "geometry": geometry}


def json_source(folder: Path, name: str, odd: str | None = None, place: int = 5) -> Any:
    shapes = layer(GOOD).to_crs(4326).geometry
    rows = [json.dumps(feature([p.x, p.y], who)) for p, who in zip(shapes, GOOD["who"])]
    if odd is not None:
        rows.insert(place, odd)
    path = folder / f"{odd is None}{name}"
    if name == ".geojson":
        text = '{"type": "FeatureCollection", "features": [' + ",\n".join(rows) + "]}"
    else:
        mark = "\x1e" if name == ".geojsons" else ""
        text = "".join(f"{mark}{row}\n" for row in rows)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path, {}


JSON = [
    *("null", "3", '"text"', "[]", "{}", "[[[[]]]]", "true", "NaN", '{"type": "Feature"}'),
    '"' + "x" * (1 << 24) + '"',
    *("[" * 50_000 + "]" * 50_000, '{"a":' * 50_000 + "1" + "}" * 50_000),
    json.dumps(feature([[1, 1], [2, 2]], 1, "LineString")),
    json.dumps(feature([-96, 23.3], 1, "GeometryCollection")),
    *(json.dumps(feature(odd, 7)) for odd in (None, [], [1], "x", [[1]], ["1", "2"], {})),
    *(json.dumps(feature([0, 0], odd)) for odd in (None, 0.5, 10**400, "\ud800", [7], {}, "")),
    json.dumps(feature([float("nan"), float("inf")], 7)),
    json.dumps(feature([1e308, 10**400], 7)),
    '{"type": "Feature", "geometry": 3, "properties": []}',
    '{"type": "Feature", "crs": {"type": "name", "properties": {"name": "EPSG:3857"}}}',
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", [".geojson", ".geojsonl", ".geojsons"])
def test_any_value_as_a_feature(tmp_path, name):
    good = json_source(tmp_path, name)
    for number, text in enumerate(JSON):
        unharmed(good, json_source(tmp_path, name, text, (0, 30, 60)[number % 3]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "odd", [b"\xff\xfe{", b"\x1f\x8b", b"\x1e{", b"{", b'{"a": "', b"\0", b"]"]
)
def test_any_bytes_in_a_sequence(tmp_path, odd):
    for name in (".geojsonl", ".geojsons"):
        good, _ = json_source(tmp_path, name)
        mark = b"\x1e" if name == ".geojsons" else b""
        path = tmp_path / f"odd{name}"
        path.write_bytes(mark + odd.strip(mark or None) + b"\n" + good.read_bytes())
        unharmed((good, {}), (path, {}))


# --- Parquet -------------------------------------------------------------------------------------


def parquet(path: Path, table: dict[str, Any], wkb: bool = False) -> tuple[Path, dict[str, Any]]:
    written = pa.table(table)
    if wkb:
        column = {"encoding": "WKB", "geometry_types": [], "crs": ProjCRS(CRS).to_json_dict()}
        geo = {"version": "1.0.0", "primary_column": "shape", "columns": {"shape": column}}
        written = written.replace_schema_metadata({"geo": json.dumps(geo)})
    pq.write_table(written, path)
    return path, {} if wkb else TABLE


def raw_text(values: list[bytes | None]) -> pa.Array:
    return pa.array(values, pa.binary()).cast(pa.string(), safe=False)


TEXTS = [
    None,
    b"",
    b"\xff",
    b"east",
    b"1_0",
    b" ",
    b"1e999",
    b"nan",
    b"\0",
    b"9" * 400,
    b"x" * (1 << 24),
]


@pytest.mark.slow
@pytest.mark.parametrize("odd", TEXTS, ids=lambda text: repr(text)[:9])
@pytest.mark.parametrize("name", ["east", "north", "who"])
def test_any_text_in_parquet(tmp_path, name, odd):
    good = {key: [str(value).encode() for value in column] for key, column in GOOD.items()}
    row = {"east": b"-1", "north": b"1", "who": b"7", name: odd}
    more = {key: [*column[:9], row[key], *column[9:]] for key, column in good.items()}
    one, other = (
        parquet(tmp_path / f"{len(table['who'])}.parquet",
                {key: raw_text(column) for key, column in table.items()})
        for table in (good, more)
    )  # fmt: skip
    unharmed(one, other)


def wkb_sources(folder: Path, odd: bytes | None, who: Any = None) -> Any:
    shapes = shapely.to_wkb(gpd.points_from_xy(GOOD["east"], GOOD["north"])).tolist()
    whose = pa.array(GOOD["who"])
    one = parquet(
        folder / "a.parquet", {"shape": pa.array(shapes, pa.binary()), "who": whose}, True
    )
    shapes.insert(9, odd)
    whose = pa.array([*GOOD["who"][:9], who, *GOOD["who"][9:]])
    more = {"shape": pa.array(shapes, pa.binary()), "who": whose}
    return one, parquet(folder / "b.parquet", more, True)


@pytest.mark.slow
@pytest.mark.parametrize("odd", [None, *WKB], ids=lambda raw: repr(raw)[:24])
def test_any_wkb_in_parquet(tmp_path, odd):
    unharmed(*wkb_sources(tmp_path, odd))
    unharmed(*wkb_sources(tmp_path, odd, 7), people=False)


@quick
@given(odd=st.binary(max_size=60) | st.binary(max_size=80).map(lambda tail: NESTED[:9] + tail))
def test_any_bytes_as_wkb(tmp_path, odd):
    moves_one_count(*wkb_sources(tmp_path, odd), people=False)


def good_and_odd_ids(kind: str) -> tuple[Any, Any]:
    """Return ids of the good records, and an odd one of the same declared type."""
    numbers = [n % 12 for n in range(60)]
    if kind == "dictionary":  # of 128 values, one of them missing in the records
        words = pa.array([*map(str, range(127)), "odd"])
        return words, pa.array([*numbers, 127], pa.int8())
    columns = {
        "date32": pa.array([*numbers, 2**31 - 1], pa.int32()).cast(pa.date32()),
        "date64": pa.array([*numbers, 2**62]).cast(pa.date64(), safe=False),
        "seconds": pa.array([*numbers, 2**53]).cast(pa.timestamp("s")),
        "lowest": pa.array([*numbers, -(2**63) + 1]).cast(pa.timestamp("ns", "UTC")),
        "uint64": pa.array([*numbers, 2**64 - 1], pa.uint64()),
        "float64": pa.array([*map(float, numbers), float("nan")]),
        "decimal": pa.array([*map(Decimal, numbers), Decimal("0." + "1" * 37)]),
        "binary": pa.array([*(str(n).encode() for n in numbers), b"\xff"]),
        "text": raw_text([*(str(n).encode() for n in numbers), b"\xff"]),
        "bool": pa.array([*(n % 2 == 0 for n in numbers), None]),
        "uuid": pa.array([*(bytes(15) + bytes([n]) for n in numbers), b"\xff" * 16], pa.uuid()),
    }  # fmt: skip
    return columns[kind], None


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        *("dictionary", "date32", "date64", "seconds", "lowest", "uint64", "float64", "decimal"),
        *("binary", "text", "bool", "uuid"),
    ],
)
def test_any_id_in_parquet(tmp_path, kind):
    values, index = good_and_odd_ids(kind)

    def source(rows: int, place: tuple[float, float]) -> Any:
        who = values[:rows]
        if index is not None:
            who = pa.DictionaryArray.from_arrays(index[:rows], values)
        table = {
            "east": [*GOOD["east"], place[0]][:rows],
            "north": [*GOOD["north"], place[1]][:rows],
        }
        return parquet(tmp_path / f"{rows}.parquet", {**table, "who": who})

    good = source(60, OUTSIDE)
    unharmed(good, source(61, OUTSIDE))
    if kind != "bool":
        moves_one_count(good, source(61, INSIDE))


# --- Dask ----------------------------------------------------------------------------------------


def arrow(values: list[Any], kind: Any) -> pd.Series:
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


PARTS = [
    pd.DataFrame({"east": ["x"], "north": [1.0], "who": ["y"]}),
    pd.DataFrame({"east": pd.to_datetime(["2024-01-01"]), "north": [1.0], "who": [7]}),
    pd.DataFrame({"east": [1 + 1j], "north": [1.0], "who": [1j]}),
    pd.DataFrame({"east": [-1.0], "north": [1.0], "who": np.array([7], np.float32)}),
    pd.DataFrame({"east": [-1.0], "north": [1.0], "who": pd.to_timedelta([1], "D")}),
    pd.DataFrame({"east": [10**400], "north": [None], "who": [[7]]}, dtype=object),
    pd.DataFrame({"east": pd.period_range("2024", periods=1), "north": [1.0], "who": [1]}),
    pd.DataFrame({"east": [-1.0], "north": [1.0], "who": pd.period_range("2024", periods=1)}),
    pd.DataFrame({"east": [-1.0], "north": [1.0], "who": arrow([[1]], pa.list_(pa.int64()))}),
    pd.DataFrame({"east": arrow([2**40], pa.timestamp("s")), "north": [1.0], "who": ["a"]}),
    pd.DataFrame({"east": [-1.0], "north": [1.0], "who": pd.Categorical([0.5])}),
]  # fmt: skip


@pytest.mark.parametrize("field", ["east", "who"])
@pytest.mark.parametrize("value", [b"\xff", Decimal("sNaN"), "\ud800"], ids=["b", "d", "s"])
def test_a_value_of_a_partition_that_dask_cannot_make_text(field, value, capfd):
    """Dask turns columns of objects into text by itself, and fails at what is none."""
    dask = pytest.importorskip("dask")
    dd = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(GOOD).astype({field: object})
    odd = frame.iloc[:1].assign(east=-1.0).astype({field: object})
    odd[field] = pd.Series([value], dtype=object)
    both = pd.DataFrame(  # pandas 2 cannot join columns with such a value
        {name: pd.Series([*frame[name], *odd[name]], dtype=frame[name].dtype) for name in frame}
    )
    capfd.readouterr()  # pandas 2.0 prints where such a value is put into a table

    def of_delayed(table: pd.DataFrame) -> Any:
        parts = [dask.delayed(part) for part in (table.iloc[:20], table.iloc[20:])]
        return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)

    def of_map(table: pd.DataFrame) -> Any:
        parts = [table.iloc[:20], table.iloc[20:]]
        return dd.from_map(lambda part: part, parts, meta=frame.iloc[:0])

    def of_pandas(table: pd.DataFrame) -> Any:
        return dd.from_pandas(table, npartitions=2)

    where = {**TABLE, "scheduler": "synchronous"}
    for spread in (of_delayed, of_map, of_pandas):
        unharmed((spread(frame), where), (spread(both), where), records=False)


@pytest.mark.slow
@pytest.mark.parametrize("odd", PARTS, ids=lambda part: "-".join(map(str, part.dtypes)))
def test_a_partition_of_another_type(odd):
    dask = pytest.importorskip("dask")
    dd = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(GOOD)
    parts = [frame.iloc[:20], frame.iloc[20:]]

    def source(parts: list[pd.DataFrame]) -> tuple[Any, dict[str, Any]]:
        delayed = [dask.delayed(part) for part in parts]
        collection = dd.from_delayed(delayed, meta=frame.iloc[:0], verify_meta=False)
        return collection, {**TABLE, "scheduler": "synchronous"}

    unharmed(source(parts), source([parts[0], odd, parts[1]]))
