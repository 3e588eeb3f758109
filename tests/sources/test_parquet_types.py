"""Files whose geometries are a type of Parquet itself, as in GeoParquet 2.0."""

from __future__ import annotations

import contextlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyproj import CRS as ProjCRS
from samples import CRS, PEOPLE, TREE, released, same, sample_points

import geodp
from geodp.sources.districts import read_districts

POINTS = sample_points()
PROJJSON = ProjCRS(CRS).to_json_dict()

pytestmark = pytest.mark.skipif(
    int(pa.__version__.split(".")[0]) < 21, reason="pyarrow knows the types from 21 on"
)


class Wkb(pa.ExtensionType):
    """The type by whose name pyarrow writes geometries, with what is said of them."""

    def __init__(self, facts: bytes = b"") -> None:
        self.facts = facts
        super().__init__(pa.binary(), "geoarrow.wkb")

    def __arrow_ext_serialize__(self):
        return self.facts

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls(serialized)


@contextlib.contextmanager
def registered():
    pa.register_extension_type(Wkb())
    try:
        yield
    finally:
        pa.unregister_extension_type("geoarrow.wkb")


def write(path, crs, *, edges=None, store_schema=False, metadata=None):
    """Write the points without a word of GeoParquet: types of Parquet say what they are."""
    facts = {} if crs is None else {"crs": crs}
    facts |= {} if edges is None else {"edges": edges}
    shapes = pa.array(POINTS.geometry.to_wkb())
    with registered():
        column = pa.ExtensionArray.from_storage(Wkb(json.dumps(facts).encode()), shapes)
        table = pa.table({"place": column, "who": POINTS.who.to_numpy()})
        with pq.ParquetWriter(path, table.schema, store_schema=store_schema) as writer:
            writer.write_table(table, row_group_size=900)
            writer.add_key_value_metadata(metadata or {})
    return path


@pytest.mark.parametrize("how", [{}, {**TREE, **PEOPLE}])
@pytest.mark.parametrize("edges", [None, "spherical"])
@pytest.mark.parametrize("store_schema", [True, False])
def test_types_of_parquet_are_read_whoever_wrote_them(tmp_path, store_schema, edges, how):
    path = write(tmp_path / "p.parquet", PROJJSON, edges=edges, store_schema=store_schema)
    kind = str(pq.ParquetFile(path).schema.column(0).logical_type)
    assert kind.startswith("Geometry(" if edges is None else "Geography(")
    expected = released(POINTS, **how)
    assert same(released(path, **how), expected)
    with registered():  # as by another library in the same program
        assert same(released(path, **how), expected)


def test_a_crs_can_be_said_in_each_way_of_parquet(tmp_path):
    expected = released(POINTS)
    for crs in (CRS, CRS.replace("EPSG", "srid"), "projjson:where"):
        path = write(tmp_path / "a.parquet", crs, metadata={"where": json.dumps(PROJJSON)})
        assert same(released(path), expected)
    places = write(tmp_path / "b.parquet", None)  # longitude and latitude, as the format says
    frame = POINTS.set_crs("OGC:CRS84", allow_override=True)
    assert same(released(places), released(frame))
    assert not same(released(frame), expected)
    for crs in ("srid:0", "projjson:where"):  # none at all, and one that is not there
        path = write(tmp_path / "c.parquet", crs)
        with pytest.raises(geodp.CrsError, match="the points need a CRS"):
            released(path)
        assert same(released(path, crs=CRS), expected)
    with pytest.raises(geodp.CrsError, match="one that PROJ knows"):
        released(write(tmp_path / "d.parquet", "nowhere"))


@pytest.mark.parametrize("version", ["V1", "BOTH", "V2", "NONE"])
def test_files_of_duckdb(tmp_path, version):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "p.parquet"
    text = "'POINT (' || east || ' ' || north || ')'"
    with duckdb.connect() as connection:
        connection.register("given", POINTS.drop(columns="geometry"))
        query = f"SELECT ({text})::GEOMETRY AS place, who FROM given"
        form = f"(FORMAT parquet, GEOPARQUET_VERSION '{version}')"
        try:
            connection.execute(f"COPY ({query}) TO '{path}' {form}")
        except duckdb.Error:
            pytest.skip("this DuckDB has no geometries, or cannot write them so")
    # DuckDB holds longitude and latitude where no CRS is named.
    frame = POINTS.set_crs("OGC:CRS84", allow_override=True)
    assert same(released(path), released(frame))


def test_a_geopandas_that_writes_geoparquet_2(tmp_path):
    path = tmp_path / "p.parquet"
    try:
        POINTS.to_parquet(path, schema_version="2.0.0")
    except (TypeError, ValueError):
        pytest.skip("this geopandas writes no GeoParquet 2.0")
    assert json.loads(pq.read_schema(path).metadata[b"geo"])["version"] == "2.0.0"
    assert same(released(path, **PEOPLE), released(POINTS, **PEOPLE))


def test_districts_may_be_in_such_a_file(tmp_path):
    path = write(tmp_path / "p.parquet", PROJJSON)
    squares = POINTS[:4].set_geometry(POINTS.geometry[:4].buffer(9, cap_style="square"))
    with registered():
        shapes = pa.array(squares.geometry.to_wkb())
        facts = json.dumps({"crs": PROJJSON}).encode()
        column = pa.ExtensionArray.from_storage(Wkb(facts), shapes)
        pq.write_table(pa.table({"name": [*"abcd"], "g": column}), path, store_schema=False)
        expected = read_districts(squares.assign(name=[*"abcd"])[["name", "geometry"]])
        assert read_districts(path).identity == expected.identity
    assert read_districts(path).identity == expected.identity
    pq.write_table(pa.table({"name": [*"abcd"]}), path)
    with pytest.raises(geodp.FileError, match=r"must be a vector file.*p\.parquet is not"):
        read_districts(path)
