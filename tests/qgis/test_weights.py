"""Rasters of weights say where records can be: the library's support, and plain refusals."""

import json

import pytest
from conftest import BOUNDS, CRS, DISTRICTS, EXTENT, SAMPLE
from test_against_library import RELEASE

MAKE = """
import sys
from pathlib import Path
import numpy, rasterio
from rasterio.transform import from_bounds

folder, rng = Path(sys.argv[1]), numpy.random.default_rng(5)


def write(name, shape, bounds, crs, kind="float32", bands=1, mask=False, odd=None, **options):
    values = rng.gamma(0.3, 5, shape)
    values[rng.random(shape) < 0.4] = 0
    values = values.astype(kind)
    if odd is not None:
        values[shape[0] // 2] = odd
    place = from_bounds(*bounds, shape[1], shape[0])
    about = {"crs": crs, "transform": place, "count": bands, "dtype": kind, **options}
    path = folder / f"{name}.tif"
    with rasterio.open(path, "w", "GTiff", height=shape[0], width=shape[1], **about) as image:
        for band in range(bands):
            image.write(values, band + 1)
        if mask:
            image.write_mask(rng.random(shape) < 0.7)


wide, own = (-130, 22, -62, 52), (-2400000, 200000, 2300000, 3200000)
write("own", (30, 47), own, "EPSG:5070", "uint16")
write("degrees", (150, 340), wide, "EPSG:4326", nodata=-1, odd=-1)
write("fine", (1500, 2600), wide, "EPSG:4326", nodata=-1, odd=-1)
write("mercator", (90, 150), (-15e6, 2.5e6, -7e6, 7e6), "EPSG:3857", "int16")
write("masked", (60, 94), own, "EPSG:5070", mask=True)
write("small", (20, 20), (0, 1000000, 500000, 1500000), "EPSG:5070")
write("negative", (30, 47), own, "EPSG:5070", odd=-1)
write("unknown", (30, 47), own, "EPSG:5070", odd=numpy.nan)
write("placeless", (30, 47), own, None)
write("bands", (30, 47), own, "EPSG:5070", bands=2)
write("elsewhere", (20, 20), (5000000, 5000000, 5100000, 5100000), "EPSG:5070")
write("empty", (20, 20), own, "EPSG:5070", "uint8", odd=0, nodata=None)
write("moon", (20, 20), wide, "+proj=longlat +a=1737400 +b=1737400 +no_defs")
with rasterio.open(folder / "empty.tif", "r+") as image:
    image.write(numpy.zeros((1, 20, 20), "uint8"))
"""

SUPPORTS = """
import json, sys
import geodp
from geodp.core.regions import coverage

coverage.HALVINGS = 6
bounds, crs = (-2400000, 200000, 2300000, 3200000), "EPSG:5070"
digests = [geodp.Domain(bounds, crs, within=path).within.digest for path in sys.argv[1:]]
print(json.dumps(digests))
"""

ALIKE = ("own", "degrees", "fine", "mercator", "masked", "small")


@pytest.fixture(scope="module")
def rasters(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    library(MAKE, folder)
    return folder


@pytest.fixture
def support(qgis, monkeypatch):
    """``support(path)`` as the plugin makes it, with fewer pixels, so that tests are quick."""
    from geodp_qgis import weights
    from geodp_qgis.adapters import crs_facts
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import gdal_quiet
    from geodp_qgis.vendor.geodp.core.regions import coverage
    from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingFeedback, QgsRasterLayer

    monkeypatch.setattr(coverage, "HALVINGS", 6)
    crs = QgsCoordinateReferenceSystem(CRS)
    domain = geodp.Domain(BOUNDS, crs_facts(crs))

    def go(path):
        given = weights.layer_weights(QgsRasterLayer(str(path), "weights"))
        with gdal_quiet():
            return weights.weights_support(given, domain, crs, QgsProcessingFeedback())

    yield go
    weights._last.clear()


def test_a_raster_says_the_same_as_in_the_library_to_the_last_bit(support, rasters, library):
    paths = [rasters / f"{name}.tif" for name in ALIKE]
    expected = json.loads(library(SUPPORTS, *paths))
    assert [support(path).digest for path in paths] == expected
    assert len(set(expected)) == len(paths)


def test_large_rasters_are_read_in_strips(support, rasters, monkeypatch):
    from geodp_qgis.vendor.geodp.core.regions import weights as core_weights
    from geodp_qgis.weights import _last

    at_once = support(rasters / "fine.tif")
    _last.clear()
    monkeypatch.setattr(core_weights, "STRIP", 1 << 16)
    assert support(rasters / "fine.tif") == at_once


def test_a_raster_that_changed_is_read_anew(support, rasters, tmp_path):
    path = tmp_path / "weights.tif"
    path.write_bytes((rasters / "own.tif").read_bytes())
    first = support(path)
    assert support(path) is first
    path.write_bytes((rasters / "small.tif").read_bytes())
    assert support(path) != first


@pytest.mark.parametrize("cells", [0, 1], ids=["regular", "adaptive"])
def test_the_same_seed_gives_the_same_bits(histogram, library, rasters, cells):
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import read_release

    path = str(rasters / "degrees.tif")
    raster = histogram(SEED=7, CELLS=cells, WITHIN_RASTER=path).results["OUTPUT_RASTER"]
    options = {"seed": 7, "epsilon": 1, "within": path, "cells": ("regular", "adaptive")[cells]}
    answer = library(RELEASE, SAMPLE / "us_places.gpkg", "", json.dumps(options))
    expected, release = json.loads(answer), read_release(raster)
    assert release.counts.tolist() == expected["counts"]
    assert geodp.release_tags(release) == expected["tags"]
    assert "GEODP_WITHIN" in expected["tags"]


def test_plans_and_candidates_know_it(run, rasters):
    frame = {"EXTENT": EXTENT, "CRS": CRS, "WITHIN_RASTER": str(rasters / "small.tif")}
    done = run("candidategrids", SIZES="10", OUTPUT="TEMPORARY_OUTPUT", **frame)
    assert 0 < done.results["OUTPUT"].featureCount() < 30
    run("plan", SIZES="10", OUTPUT_HTML="TEMPORARY_OUTPUT", **frame)


REFUSED = (
    ("negative", {}, "weights in 'Where records can be' must be zero or more; one is negative"),
    ("unknown", {}, "weights in 'Where records can be' must be zero or more; one is no finite"),
    ("placeless", {}, "The raster of weights needs a CRS"),
    ("bands", {}, "must have one band; this one has 2"),
    ("elsewhere", {}, "'Where records can be' must leave a place for records"),
    ("empty", {}, "'Where records can be' must leave a place for records"),
    ("moon", {}, "The raster of weights cannot be brought into the CRS of the grid"),
    ("own", {"WITHIN": DISTRICTS}, "by polygons or by a raster, not both"),
)


@pytest.mark.parametrize(("name", "others", "words"), REFUSED)
def test_bad_rasters_are_refused_in_a_sentence(histogram, rasters, name, others, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        histogram(WITHIN_RASTER=str(rasters / f"{name}.tif"), **others)
    assert words in str(raised.value)
    assert "`" not in str(raised.value)


def test_a_service_is_no_raster_of_weights(qgis):
    from geodp_qgis.library import geodp
    from geodp_qgis.weights import layer_weights
    from qgis.core import QgsRasterLayer

    tiles = QgsRasterLayer("type=xyz&url=file:///nowhere/{z}/{x}/{y}.png", "tiles", "wms")
    with pytest.raises(geodp.InputError, match="must be a file, not a service"):
        layer_weights(tiles)
    with pytest.raises(geodp.InputError, match="cannot be opened"):
        layer_weights(None)


def test_a_raster_that_is_cut_short_is_refused(histogram, rasters, tmp_path):
    from qgis.core import QgsProcessingException

    path = tmp_path / "short.tif"
    path.write_bytes((rasters / "degrees.tif").read_bytes()[:100_000])
    with pytest.raises(QgsProcessingException, match="cannot be read to its end"):
        histogram(WITHIN_RASTER=str(path))


def test_the_dock_takes_either(qgis, project, rasters):
    from geodp_qgis.dock.questions import Public
    from qgis.core import QgsRasterLayer, QgsVectorLayer
    from qgis.gui import QgsMapCanvas

    canvas = QgsMapCanvas()
    asked = Public(canvas)
    people = QgsRasterLayer(str(rasters / "own.tif"), "people")
    land = QgsVectorLayer(DISTRICTS, "land", "ogr")
    project.addMapLayers([people, land])
    for layer, name in ((people, "within_raster"), (land, "within"), (None, "within")):
        asked.within.setLayer(layer)
        answers = asked.answers()
        names = {"within": "", "within_raster": ""}
        names[name] = "" if layer is None else layer.id()
        assert {name: answers[name] for name in names} == names
    asked.extent.leave()
    asked.deleteLater()
    canvas.deleteLater()
