"""A raster is a release again only as it was written: the library and the plugin agree which."""

import os
from pathlib import Path

import pytest
from changed import changes, harmless, translated
from conftest import EXTENT

OPEN = """
import sys
import geodp

try:
    print("opened", geodp.open_release(sys.argv[1]).counts.sum())
except geodp.FileError as error:
    print(error)
"""


@pytest.fixture
def written(histogram, tmp_path):
    path = tmp_path / "counts.tif"
    histogram(SIZES="4", OUTPUT_RASTER=str(path))
    return path


@changes
def test_a_changed_raster_is_refused_by_both(written, run, library, tmp_path, arguments, words):
    from qgis.core import QgsProcessingException

    changed = translated(written, tmp_path / "changed.tif", arguments)
    with pytest.raises(QgsProcessingException, match=words):
        run("about", INPUT=str(changed), OUTPUT_HTML="TEMPORARY_OUTPUT")
    assert words in library(OPEN, changed)


@harmless
def test_a_copy_is_opened_by_both(written, library, tmp_path, arguments):
    from geodp_qgis.rasters import read_release

    copy = translated(written, tmp_path / "copy.tif", arguments)
    total = read_release(copy).counts.sum()
    assert library(OPEN, copy) == f"opened {total}\n"


def test_the_library_reads_what_lost_its_crs_as_little_as_the_plugin(written, run, library):
    from osgeo import gdal
    from qgis.core import QgsProcessingException

    dataset = gdal.Open(str(written), gdal.GA_Update)
    dataset.SetSpatialRef(None)
    dataset = None
    with pytest.raises(QgsProcessingException, match="do not lie where"):
        run("about", INPUT=str(written), OUTPUT_HTML="TEMPORARY_OUTPUT")
    assert "do not lie where" in library(OPEN, written)


def test_a_huge_raster_is_refused_before_memory_is_taken(written, qgis, tmp_path, monkeypatch):
    """Tags of a release on a raster that claims 10,000,000,000 cells and holds none."""
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import read_release
    from osgeo import gdal

    path = tmp_path / "huge.tif"
    options = ["SPARSE_OK=TRUE", "TILED=YES", "BIGTIFF=YES"]
    driver = gdal.GetDriverByName("GTiff")
    dataset = driver.Create(str(path), 100_000, 100_000, 1, gdal.GDT_Int32, options=options)
    dataset.SetMetadata(gdal.Open(str(written)).GetMetadata())
    dataset = None
    with pytest.raises(geodp.FileError, match="at most 67,108,864 cells"):
        read_release(path)


BOXES = {
    "EPSG:3035": "4000000,4100000,3000000,3100000",  # axes in the order north, east
    "EPSG:2263": "900000,1000000,150000,250000",  # feet
    "ESRI:54009": "0,100000,5000000,5100000",
    "ESRI:54002": "0,100000,5000000,5100000",  # loses its code in a GeoTIFF
    "ESRI:102035": "0,100000,-1100000,-1000000",
}


@pytest.mark.parametrize("crs", BOXES)
def test_every_crs_that_is_accepted_opens_again(histogram, library, tmp_path, crs):
    from qgis.core import QgsVectorLayer

    path = tmp_path / "counts.tif"
    points = QgsVectorLayer("Point?crs=EPSG:4326", "points", "memory")
    histogram(
        INPUT=points, EXTENT=f"{BOXES[crs]} [{crs}]", CRS=crs, SIZES="4", OUTPUT_RASTER=str(path)
    )
    assert library(OPEN, path).startswith("opened ")


def test_a_crs_that_no_geotiff_holds_is_refused_before_anything_is_spent(histogram, monkeypatch):
    from geodp_qgis import rasters
    from qgis.core import QgsProcessingException

    monkeypatch.setattr(rasters, "crs_wkt", lambda crs: "")
    with pytest.raises(QgsProcessingException, match="one that a GeoTIFF can hold"):
        histogram(SIZES="4")
    assert "counting" not in histogram.run.last.text


def test_the_raster_is_flushed_before_it_takes_its_name(histogram, tmp_path, monkeypatch):
    """Otherwise a power cut could leave an empty file where the old one was."""
    done, flush, rename = [], os.fsync, os.replace

    def note_flush(handle):
        done.append(("flush", Path(os.readlink(f"/proc/self/fd/{handle}")).name))
        flush(handle)

    def note_rename(source, target):
        done.append(("rename", Path(target).name))
        rename(source, target)

    monkeypatch.setattr("os.fsync", note_flush)
    monkeypatch.setattr("os.replace", note_rename)
    histogram(SIZES="4", EXTENT=EXTENT, OUTPUT_RASTER=str(tmp_path / "counts.tif"))
    last = done.index(("rename", "counts.tif"))
    assert ("flush", "counts.tif") in done[:last]
    assert ("flush", tmp_path.name) in done[last:]
