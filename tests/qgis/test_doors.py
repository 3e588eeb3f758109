"""Refusals: queries as layers, the network, replacing a release, odd seeds."""

import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import EXTENT, SAMPLE
from test_sources import Wrench

FILTERS = (
    "1 = 1 LIMIT 5",
    '"number" > 3 limit 5 offset 2',
    '"number" > 3 ORDER  BY random() LIMIT 5',
    "limit(5)",
    "1 = 1 GROUP BY name",
    "row_number() over (order by name) < 5",
    "1 = 1 -- ' \n LIMIT 5 -- '",
    "[it's] > 1 LIMIT 5 -- '",
    "1 = 1 union all values (1)",
    "$id < 100",
    "@row_number < 100",
    "rowid < 100",
    "fid < 100",
)
OWN = (
    '"limit" > 3',
    "limit > 3",
    "3 < offset",
    "limit is not null",
    "name = 'LIMIT 5'",
    "overall > 1",
)


@pytest.fixture
def algorithm(qgis):
    from qgis.core import QgsApplication

    return QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")


@pytest.fixture
def memory(project):
    """A layer of points in the project, with a field and without numbers of its own."""
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer("Point?crs=EPSG:5070&field=number:integer", "points", "memory")
    project.addMapLayer(layer)
    return layer


def check(algorithm, given):
    from geodp_qgis.algorithms.private_points import check_filters
    from qgis.core import QgsProcessingContext

    check_filters(algorithm, {"INPUT": given}, QgsProcessingContext())


@pytest.mark.parametrize("text", FILTERS)
def test_filters_by_how_many_records_there_are_are_refused(algorithm, memory, text):
    from geodp_qgis.library import geodp

    with pytest.raises(geodp.InputError, match="must judge each record by itself"):
        check(algorithm, Wrench(memory, text))


@pytest.mark.parametrize("text", OWN)
def test_fields_may_be_called_by_such_words(algorithm, memory, text):
    check(algorithm, Wrench(memory, text))


def test_the_number_of_a_record_may_be_its_field(algorithm):
    from qgis.core import QgsVectorLayer

    name = f"{SAMPLE / 'us_places.gpkg'}|layername=us_places|subset=fid < 100"
    layer = QgsVectorLayer(name, "places", "ogr")
    assert layer.isValid()
    check(algorithm, layer)


@pytest.fixture
def places(qgis, project):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(f"{SAMPLE / 'us_places.gpkg'}|layername=us_places", "places", "ogr")
    project.addMapLayer(layer)
    return layer


def virtual(query):
    from qgis.core import QgsVectorLayer
    from qgis.PyQt.QtCore import QUrl

    layer = QgsVectorLayer(
        f"?query={QUrl.toPercentEncoding(query).data().decode()}", "v", "virtual"
    )
    assert layer.isValid(), query
    return layer


QUERIES = (
    "select * from places limit 5",
    "select * from places order by name",
    "select * from places where fid in (select max(fid) from places)",
    "select * from (select * from places limit 5)",
    "select geometry, count(*) as n from places group by state",
    "select geometry, row_number() over (order by name) as n from places",
    "select distinct name, geometry from places",
    "select a.* from places a join places b on a.state = b.state",
    "select a.* from places a, places b",
    "select * from places union all select * from places",
    "with p as (select * from places limit 5) select * from p",
    "select * from places where 1 = 1 limit 5 offset 2",
)


@pytest.mark.parametrize("query", QUERIES)
def test_virtual_layers_that_look_at_several_records_are_refused(algorithm, places, query):
    from geodp_qgis.library import geodp

    with pytest.raises(geodp.InputError, match="each by itself"):
        check(algorithm, virtual(query))


@pytest.mark.parametrize(
    "query",
    [
        "select * from places",
        "SELECT * FROM places WHERE state = 'TX'",
        "select geometry, name as limit_5 from \"places\" where (name like 'limit%')",
        "select p.* from places as p where p.state <> 'order by'",
    ],
)
def test_a_virtual_layer_that_chooses_rows_is_not(algorithm, places, query):
    check(algorithm, virtual(query))


def test_a_virtual_layer_on_top_of_one_that_is_cut_is_refused(algorithm, places, project):
    from geodp_qgis.library import geodp

    below = virtual("select * from places limit 5")
    below.setName("below")
    project.addMapLayer(below)
    with pytest.raises(geodp.InputError, match="each by itself"):
        check(algorithm, virtual("select * from below"))
    places.setSubsetString("fid < 1000 limit 5")
    if places.subsetString():
        with pytest.raises(geodp.InputError, match="each record by itself"):
            check(algorithm, virtual("select * from places"))


# --- the network ---------------------------------------------------------------------------------


@pytest.fixture
def endpoint(qgis, monkeypatch):
    """A stand-in for the place where PROJ's grids come from, with GDAL's network on."""
    from osgeo import osr

    asked = []

    class Grids(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Grids) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PROJ_NETWORK_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        before = osr.GetPROJEnableNetwork()
        osr.SetPROJEnableNetwork(True)
        yield asked
        osr.SetPROJEnableNetwork(before)
        server.shutdown()


def test_points_move_without_the_network(endpoint):
    import numpy as np
    from geodp_qgis.points import Moving
    from osgeo import osr
    from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

    shifted, crs = (QgsCoordinateReferenceSystem(code) for code in ("EPSG:4267", "EPSG:5070"))
    x, y = Moving(shifted, crs, QgsCoordinateTransformContext())(
        [-100.0, -96.0, 1e9], [40.0, 23.0, 0.0]
    )
    assert endpoint == []
    assert osr.GetPROJEnableNetwork()
    assert np.isfinite(x[:2]).all()
    assert abs(x[1]) < 1000
    assert np.isnan(x[2])
    assert np.isnan(y[2])


# --- releases are not replaced -------------------------------------------------------------------


def test_a_second_run_does_not_replace_the_release(qgis, histogram, tmp_path):
    from qgis.core import QgsApplication, QgsProcessingContext

    raster, cells = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    given = {"SIZES": "5", "OUTPUT_RASTER": str(raster), "OUTPUT_VECTOR": str(cells)}
    histogram(**given)
    before = raster.read_bytes()
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    asked = {"INPUT": str(SAMPLE / "us_places.gpkg"), "EXTENT": EXTENT, "CRS": "EPSG:5070"}
    for name, path in (("OUTPUT_RASTER", raster), ("OUTPUT_VECTOR", cells)):
        parameters = {**asked, "EPSILON": 1, "OUTPUT_RASTER": "TEMPORARY_OUTPUT", name: str(path)}
        ok, message = algorithm.checkParameterValues(parameters, QgsProcessingContext())
        assert not ok
        assert f"{path.name} is one: choose another name, or delete the file first" in message
    assert raster.read_bytes() == before
    raster.unlink()
    cells.unlink()
    histogram(**given)
    assert raster.exists()


def test_other_files_may_be_replaced(histogram, tmp_path):
    raster = tmp_path / "counts.tif"
    raster.write_bytes(b"something else")
    histogram(SIZES="5", OUTPUT_RASTER=str(raster))
    assert raster.stat().st_size > 100


# --- trouble after the spend ---------------------------------------------------------------------


def test_a_raster_stays_where_the_cells_cannot_be_written(histogram, tmp_path, monkeypatch):
    from geodp_qgis.algorithms import private_histogram

    def fail(*_):
        raise OSError("no room")

    monkeypatch.setattr(private_histogram, "keep_release", fail)
    raster = tmp_path / "counts.tif"
    done = histogram(SIZES="5", OUTPUT_RASTER=str(raster), OUTPUT_VECTOR=str(tmp_path / "c.gpkg"))
    assert raster.exists()
    assert "There is no layer of cells" in done.text


def test_a_release_that_cannot_be_written_is_kept(histogram, tmp_path, monkeypatch):
    from geodp_qgis.algorithms import private_histogram
    from qgis.core import QgsProcessingException

    write = private_histogram.write_release

    def fail_at_first(path, *others):
        if ".geodp-" in str(path):
            raise OSError(28, "No space left on device")
        write(path, *others)

    monkeypatch.setattr(private_histogram, "write_release", fail_at_first)
    with pytest.raises(QgsProcessingException, match="the release is kept in") as refused:
        histogram(SIZES="5", OUTPUT_RASTER=str(tmp_path / "counts.tif"))
    kept = Path(str(refused.value).partition("kept in ")[2].partition(": copy")[0])
    from geodp_qgis.rasters import read_release

    assert read_release(kept).epsilon == 1
    shutil.rmtree(kept.parent)


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1.5, "1.5", "abc", True])
def test_a_seed_is_a_whole_number(seed):
    from geodp_qgis.algorithms.releasing import checked_seed
    from geodp_qgis.library import geodp

    with pytest.raises(geodp.InputError, match="whole number"):
        checked_seed(seed)


def test_whole_numbers_are_seeds(qgis):
    from geodp_qgis.algorithms.releasing import checked_seed

    assert [checked_seed(seed) for seed in (7, "7", " 7", 7.0, None, "")] == [
        7,
        7,
        7,
        7,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("kind", "listed", "said"),
    [
        ("WHOLE", ["theft"], "whole numbers"),
        ("BOOLEAN", ["yes"], "true and false"),
        ("REAL", ["x"], "numbers"),
        ("DATE", ["31.12.2024"], "dates such as"),
    ],
)
def test_values_that_can_never_be_are_refused(qgis, kind, listed, said):
    from geodp_qgis import compatibility
    from geodp_qgis.algorithms.groups import check_field
    from geodp_qgis.library import geodp
    from qgis.core import QgsFields

    fields = QgsFields()
    fields.append(compatibility.field("field", getattr(compatibility, kind)))
    with pytest.raises(geodp.InputError, match=f"can never be one: list {said}"):
        check_field(geodp.Field.of("field", categories=listed), None, fields)
