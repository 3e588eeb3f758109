"""Ways to change a raster after it was written, as GDAL's own program does it."""

import shutil
import subprocess

import pytest

CHANGES = {
    # name: arguments of gdal_translate, words of the refusal; the grid is 4 by 4 in EPSG:5070
    "shifted": (("-a_ullr", "-2399000", "3200000", "2301000", "200000"), "do not lie where"),
    "shifted a little": (("-a_ullr", "-2399990", "3200000", "2300010", "200000"), "do not lie"),
    "scaled": (("-a_ullr", "-2400000", "3200000", "4600000", "200000"), "do not lie where"),
    "upside down": (("-a_ullr", "-2400000", "200000", "2300000", "3200000"), "do not lie where"),
    "another crs": (("-a_srs", "EPSG:3035"), "do not lie where"),
    "cropped": (("-srcwin", "0", "0", "2", "2"), "checksum"),
    "resampled": (("-outsize", "8", "8", "-r", "nearest"), "checksum"),
    "three bands": (("-b", "1", "-b", "2", "-b", "1"), "others were added"),
    "real numbers": (("-b", "1", "-ot", "Float64"), "whole numbers"),
}

HARMLESS = {
    "copied": (),
    "compressed": ("-co", "COMPRESS=LZW"),
    "tiled": ("-co", "TILED=YES", "-co", "BLOCKXSIZE=16", "-co", "BLOCKYSIZE=16"),
    "wider": ("-ot", "Float64"),
    "counts alone": ("-b", "1", "-ot", "Int32"),
    "in the same place": ("-a_ullr", "-2400000", "3200000", "2300000", "200000"),
    "in the same crs": ("-a_srs", "EPSG:5070"),
}

changes = pytest.mark.parametrize(("arguments", "words"), CHANGES.values(), ids=CHANGES)
harmless = pytest.mark.parametrize("arguments", HARMLESS.values(), ids=HARMLESS)


def translated(source, target, arguments):
    """A copy of a raster, with something changed on the way."""
    program = shutil.which("gdal_translate")
    assert program, "the tests need gdal_translate (gdal-bin)"
    words = [program, "-q", *arguments, str(source), str(target)]
    subprocess.run(words, check=True, env={"PATH": "/usr/bin:/bin"})
    return target


def add_one(path):
    """Make the first count of a raster larger by one, in the file."""
    from osgeo import gdal

    dataset = gdal.Open(str(path), gdal.GA_Update)
    counts = dataset.GetRasterBand(1).ReadAsArray()
    counts[0, 0] += 1
    dataset.GetRasterBand(1).WriteArray(counts)
    dataset = None  # writes it
