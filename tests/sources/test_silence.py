"""Messages of GDAL about a layer reach nobody."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import subprocess
import sys
import threading
import warnings
from contextlib import closing

import geopandas
import pyogrio
import pytest
import rasterio
from shapely.geometry import Point

from geodp.sources import silence
from geodp.sources.silence import quiet_gdal

PROGRAM = """
import contextlib, logging, sys, threading, warnings
import pyogrio, rasterio
from geodp.sources import silence
quiet, threaded, reachable, *paths = sys.argv[1:]
logging.basicConfig(level=logging.DEBUG)
warnings.simplefilter("always")
if reachable == "no":
    silence._library = lambda package: None

def read(path):
    try:
        if path.endswith(".tif"):
            with rasterio.open(path) as file:
                file.read()
        else:
            with pyogrio.open_arrow(path, batch_size=2, use_pyarrow=True) as (_, reader):
                for _ in reader:
                    pass
    except Exception:
        pass

with silence.quiet_gdal() if quiet == "yes" else contextlib.nullcontext():
    for path in paths:
        if threaded == "yes":
            thread = threading.Thread(target=read, args=(path,))
            thread.start()
            thread.join()
        else:
            read(path)
    print("progress", file=sys.stderr)
print("after", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def odd_files(tmp_path_factory):
    """Return files about which GDAL has much to say."""
    folder = tmp_path_factory.mktemp("odd")
    points = geopandas.GeoDataFrame(
        {"who": [123456, 2, 3, 4], "name": list("abcd")},
        geometry=[Point(i, i) for i in range(4)],
        crs=4326,
    )
    features = [
        {
            "type": "Feature",
            "id": 9188273645,
            "properties": {"who": i},
            "geometry": {"type": "Point", "coordinates": [481516.234] if i == 2 else [i, i]},
        }
        for i in range(5)
    ]
    collection = {"type": "FeatureCollection", "features": features}
    (folder / "ids.geojson").write_text(json.dumps(collection))
    points.to_file(folder / "blob.gpkg", layer="blob")
    damage(folder / "blob.gpkg", "UPDATE blob SET geom = x'deadbeef' WHERE fid = 3")
    points.to_file(folder / "dbf.shp")
    table = folder / "dbf.dbf"
    table.write_bytes(table.read_bytes().replace(b"123456", b"12x4\xff6"))
    (folder / "dbf.shx").unlink()  # GDAL says that it restores it, or that it is missing
    points.to_file(folder / "marked.gml")
    (folder / "marked.xsd").unlink()
    marked = folder / "marked.gml"
    marked.write_text(marked.read_text().replace("<gml:pos>1 1<", "<gml:pos>7788z<"))
    (folder / "marked.kml").write_text("<kml><Placemark><Point><coordinates>3344<")
    (folder / "quotes.csv").write_text('id,x\n1,2\n4,"5566,6\n7,8\n')
    (folder / "types.csv").write_text("id,x\n1,2\n4455z,8\n")
    (folder / "types.csvt").write_text('"Integer","Real"\n')
    (folder / "cut.tif").write_bytes(raster(folder)[:-200])
    names = ("ids.geojson", "blob.gpkg", "dbf.shp", "marked.gml", "marked.kml", "quotes.csv")
    return [str(folder / name) for name in (*names, "types.csv", "cut.tif")]


def damage(path, statement):
    """Change a GeoPackage past its triggers, which call functions that SQLite has not."""
    with closing(sqlite3.connect(path)) as base, base:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            base.execute(f'DROP TRIGGER "{name}"')
        base.execute(statement)
    base.close()


def raster(folder):
    path = folder / "whole.tif"
    options = {"driver": "GTiff", "width": 9, "height": 9, "count": 1, "dtype": "uint8"}
    with rasterio.open(path, "w", **options, crs="EPSG:5070", transform=(2, 0, 5, 0, -2, 5)):
        pass
    return path.read_bytes()


def printed(files, *, quiet="yes", threaded="no", reachable="yes", **more):
    """Return lines on the standard error stream of a program that reads the files."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, quiet, threaded, reachable, *files],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    return lines[next(i for i, line in enumerate([*lines, "progress"]) if not noise(line)) :]


def noise(line):
    """Say what rasterio logs when it is imported, before anything is read."""
    return line.startswith("DEBUG:rasterio.") and "data found" in line


@pytest.mark.slow
@pytest.mark.parametrize("threaded", ["no", "yes"])
def test_gdal_speaks_unless_it_is_kept_from_it(odd_files, threaded):
    """The files show what they shall show: otherwise the tests below would prove nothing."""
    text = "\n".join(printed(odd_files, quiet="no", threaded=threaded))
    more = ["481516.234"] if pyogrio.__gdal_version__ >= (3, 10) else []
    for word in ("9188273645", "Unable to read geometry", "Invalid value type", *more):
        assert word in text
    assert ("RuntimeWarning" in text) == (threaded == "no")


@pytest.mark.slow
@pytest.mark.parametrize("reachable", ["yes", "no"])
@pytest.mark.parametrize("threaded", ["no", "yes"])
def test_nothing_comes_out_but_our_own(odd_files, threaded, reachable):
    assert printed(odd_files, threaded=threaded, reachable=reachable) == ["progress", "after"]


@pytest.mark.slow
def test_nothing_comes_out_where_debugging_is_on(odd_files):
    talkative = printed(odd_files, quiet="no", CPL_DEBUG="ON")
    lines = printed(odd_files, CPL_DEBUG="ON")
    assert len(talkative) > 40
    assert lines.index("progress") + 1 == lines.index("after")
    assert not [line for line in lines if any(name in line for name in odd_files)]


# --- coming and going ----------------------------------------------------------------------------


def warns(path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(path)
    return [str(warning.message) for warning in caught]


def read(path):
    with pyogrio.open_arrow(path, use_pyarrow=True) as (_, reader):
        return sum(len(batch) for batch in reader)


def test_everything_is_as_before_afterwards(odd_files):
    path = odd_files[0]
    filters = list(warnings.filters)
    loggers = [logging.getLogger(name) for name in ("pyogrio._io", "rasterio._env")]
    assert warns(path)
    first, second = quiet_gdal(), quiet_gdal()
    first.__enter__()
    second.__enter__()
    assert all(logger.disabled for logger in loggers)
    first.__exit__(None, None, None)  # not in the order of entering, as with two generators
    assert read(path) == 5
    second.__exit__(None, None, None)
    assert warnings.filters == filters
    assert not any(logger.disabled for logger in loggers)
    assert warns(path)


def test_no_warning_is_even_made(odd_files):
    """A warning that is turned into an error inside GDAL's handler would be printed."""
    with quiet_gdal():
        assert warns(odd_files[0]) == []


def test_a_file_that_does_not_open_leaves_everything_as_it_was(odd_files, tmp_path):
    (tmp_path / "text.gpkg").write_text("hello")
    for _ in range(3):
        with pytest.raises(pyogrio.errors.DataSourceError), quiet_gdal():
            pyogrio.read_info(tmp_path / "text.gpkg")
        with quiet_gdal(), pytest.raises(pyogrio.errors.DataSourceError), quiet_gdal():
            pyogrio.read_info(tmp_path / "text.gpkg")
        with quiet_gdal():
            assert not warns(odd_files[0])
        assert warns(odd_files[0])


def test_it_may_end_in_another_thread(odd_files):
    held = quiet_gdal()
    thread = threading.Thread(target=held.__enter__)
    thread.start()
    thread.join()
    held.__exit__(None, None, None)
    assert warns(odd_files[0])  # the handler of this thread is still there
    assert silence._inside == 0


@pytest.mark.parametrize("reachable", [True, False])
def test_errors_are_raised_as_ever(tmp_path, monkeypatch, reachable):
    if not reachable:
        monkeypatch.setattr(silence, "_library", lambda _: None)
    path = tmp_path / "none.gpkg"
    path.write_bytes(b"nothing")
    stream = sys.stderr
    with pytest.raises(pyogrio.errors.DataSourceError), quiet_gdal():
        read(path)
    assert sys.stderr is stream
    assert silence._inside == 0


def test_the_functions_are_found_where_gdal_is():
    with quiet_gdal():
        assert None not in silence._libraries()
        assert len(silence._libraries()) == 2
