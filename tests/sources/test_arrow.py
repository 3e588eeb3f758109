"""Anything that speaks Arrow: read block by block, refused by its schema alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from samples import CRS, DOMAIN, TABLE, released, same, sample_points

import geodp
from geodp.core.common.errors import UNFINISHED
from geodp.core.records.source import BLOCK, Request

POINTS = sample_points(600)
COLUMNS = POINTS.drop(columns="geometry")


class Speaker:
    """Hands out a stream, and nothing else that pyarrow has."""

    def __init__(self, reader):
        self.reader = reader

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader().__arrow_c_stream__(requested_schema)


@pytest.fixture(scope="module")
def expected():
    return released(COLUMNS, **TABLE)


def test_it_need_not_be_of_pyarrow(expected):
    source = geodp.read_points(Speaker(pa.table(COLUMNS).to_reader), **TABLE)
    assert repr(source).startswith("ArrowSource(private")
    assert same(released(source), expected)
    assert same(released(source), expected)  # and again


def test_relations_of_duckdb(expected):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("visits", pa.table(COLUMNS))
        relation = connection.sql("SELECT * FROM visits")
        assert same(released(relation, **TABLE), expected)
        assert same(released(relation.filter("true"), **TABLE), expected)


@pytest.fixture(scope="module")
def visits():
    """Return a table of ibis, which asks DuckDB, with text that is no number."""
    ibis = pytest.importorskip("ibis")
    table = pa.table({name: COLUMNS[name] for name in COLUMNS} | {"note": ["Ann"] * len(COLUMNS)})
    table = table.append_column("shape", pa.array(POINTS.to_wkb().geometry, pa.binary()))
    return ibis.memtable(table)


def test_tables_of_ibis(visits, expected):
    source = geodp.read_points(visits.filter(visits.who >= 0), **TABLE)
    assert repr(source).startswith("ArrowSource(private")
    assert same(released(source), expected)
    assert same(released(source), expected)  # and again
    assert same(released(visits, crs=CRS), expected)  # by the column of WKB
    people = geodp.Person("who", max_records=2)
    assert same(released(visits, **TABLE, protect=people), released(POINTS, protect=people))


def test_ibis_is_asked_for_what_is_needed_alone(visits, expected):
    """What would fail in another column does not, and what fails says nothing of rows."""
    odd = visits.mutate(number=visits.note.cast("int64"))
    assert same(released(odd, **TABLE), expected)
    with pytest.raises(geodp.GeodpError) as failed:
        released(odd, **TABLE, protect=geodp.Person("number"))
    assert str(failed.value) == UNFINISHED


def test_ibis_states_a_crs_by_geoarrow(expected):
    """Geometries of DuckDB need an extension of it: this is the schema and the table of ibis."""
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("geoarrow.types")

    class Geometries(ibis.Table):
        def __init__(self):
            pass

        def schema(self):
            return ibis.schema({"geom": "geospatial:geometry;5070", "who": "int64"})

        def select(self, names):
            kind = self.schema().to_pyarrow().field("geom").type
            shapes = pa.array(POINTS.to_wkb().geometry, pa.binary())
            columns = {"geom": pa.ExtensionArray.from_storage(kind, shapes), "who": COLUMNS.who}
            return pa.table(columns).select(names)

    assert same(released(Geometries()), expected)


def test_frames_of_sedonadb(expected):
    """Geometries say their CRS, also where a query moved them into another one."""
    sedona = pytest.importorskip("sedonadb").connect()
    sedona.create_data_frame(POINTS.assign(note="Ann")).to_view("visits")
    assert same(released(sedona.view("visits")), expected)
    assert same(released(sedona.sql("SELECT geometry AS g FROM visits WHERE who >= 0")), expected)
    assert same(released(sedona.sql("SELECT east, north FROM visits"), **TABLE), expected)
    moved = sedona.sql("SELECT ST_Transform(geometry, 'EPSG:4326') AS place, who FROM visits")
    assert same(released(moved), released(POINTS.to_crs(4326)))
    plain = sedona.sql("SELECT ST_SetSRID(geometry, 0) AS place FROM visits")
    assert same(released(plain, crs=CRS), expected)
    with pytest.raises(geodp.CrsError, match="the points need a CRS; these state none"):
        released(plain)


def test_a_query_of_sedonadb_that_fails_says_nothing_of_rows():
    sedona = pytest.importorskip("sedonadb").connect()
    sedona.create_data_frame(POINTS.assign(note="Ann")).to_view("visits")
    failing = sedona.sql("SELECT geometry, CAST(note AS INT) AS number FROM visits")
    with pytest.raises(geodp.GeodpError) as failed:
        released(failing)
    assert str(failed.value) == UNFINISHED


def test_wkb_without_a_word_of_what_it_is(expected):
    table = pa.table({"who": COLUMNS.who, "shape": pa.array(POINTS.to_wkb().geometry, pa.binary())})
    assert same(released(table, crs=CRS), expected)
    with pytest.raises(geodp.GeodpError, match="CRS"):
        released(table)


def test_a_reader_can_be_read_once():
    source = geodp.read_points(pa.table(COLUMNS).to_reader(), **TABLE)
    released(source)
    with pytest.raises(geodp.InputError, match="a reader of batches can be read once"):
        released(source)


def test_blocks_are_read_one_after_the_other():
    """Batches are asked for when they are counted, and large ones are cut."""
    asked = []

    def batches():
        for number in range(4):
            asked.append(number)
            yield pa.record_batch({"east": np.zeros(BLOCK + 5), "north": np.zeros(BLOCK + 5)})

    schema = pa.schema({"east": pa.float64(), "north": pa.float64()})
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    source = geodp.read_points(reader, **TABLE)
    assert asked == []
    blocks = source.blocks(Request(DOMAIN))
    sizes = [len(next(blocks).x), len(next(blocks).x)]
    assert sizes == [BLOCK, 5]
    assert asked == [0]
    assert [len(block.x) for block in blocks] == [BLOCK, 5] * 3


def test_what_fails_later_says_nothing_of_rows():
    def batches():
        yield pa.record_batch({"east": [1.0], "north": [1.0]})
        raise ValueError("Ann was at 52.5, 13.4")

    schema = pa.schema({"east": pa.float64(), "north": pa.float64()})
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(geodp.GeodpError) as failed:
        geodp.release(geodp.read_points(reader, **TABLE), DOMAIN, epsilon=1)
    assert str(failed.value) == UNFINISHED


@pytest.mark.parametrize(
    ("columns", "options", "rule"),
    [
        ({"east": [[1.0]], "north": [1.0]}, TABLE, "x and y must be columns of numbers"),
        ({"x": [1.0], "north": [1.0]}, TABLE, "there is no 'east'"),
        ({"Ann": [1.0], "Bob": [1.0]}, TABLE, "not told, since they may be"),
        ({"east": [1.0], "north": [1.0]}, {}, "a table must have a column that says"),
        ({"east": [1.0], "north": [1.0]}, {**TABLE, "layer": "a"}, "a layer belongs to a file"),
    ],
)
def test_the_schema_alone_can_refuse(columns, options, rule):
    with pytest.raises(geodp.InputError, match=rule) as refused:
        geodp.release(geodp.read_points(pa.table(columns), **options), DOMAIN, epsilon=1)
    assert "Ann" not in str(refused.value)


def test_one_odd_row_changes_no_other(expected):
    """A missing or endless coordinate is dropped without a word."""
    odd = pa.table({"east": [None, np.nan, 1e400], "north": [1.0, 1.0, 1.0]})
    both = pa.concat_tables([pa.table(COLUMNS).select(["east", "north"]), odd])
    assert same(released(both, **TABLE), expected)


def test_a_lazy_table_is_refused_without_asking_it_for_anything():
    """Polars resolves a schema, and warns, where a lazy frame is asked for its columns."""

    class LazyFrame:
        @property
        def columns(self) -> list[str]:
            raise AssertionError("asked")

    with pytest.raises(geodp.InputError, match="got LazyFrame: make a DataFrame of it"):
        geodp.read_points(LazyFrame(), x="x", y="y", crs="EPSG:5070")


def test_a_reader_that_another_source_has_read_is_refused():
    """It would be empty, and epsilon would buy noise."""
    reader = pa.table({"east": [1.0], "north": [1.0]}).to_reader()
    first = geodp.read_points(reader, **TABLE)
    geodp.release(first, DOMAIN, epsilon=1, cells="regular")
    with pytest.raises(geodp.InputError, match="can be read once; this one was"):
        geodp.release(geodp.read_points(reader, **TABLE), DOMAIN, epsilon=1, cells="regular")
