"""Areas on the ground: QGIS measures what pyproj measures for the library."""

import json
import subprocess
import sys

import pytest
from conftest import DISTRICTS, PLACES, QGIS_PLUGINS, SAMPLE

SHARES = """
import json, sys
from geodp.sources.earth import ground_shares

for name, bounds in json.loads(sys.argv[1]).items():
    print(json.dumps(ground_shares(tuple(bounds), name, 9).ravel().tolist()))
"""

PLACED = {
    "EPSG:3857": (-1e6, 4e6, 3e6, 9e6),
    "EPSG:32633": (490_000, 5_390_000, 510_000, 5_410_000),
    "EPSG:27700": (2e5, 1e5, 6e5, 9e5),  # an ellipsoid of its own
    "EPSG:2193": (1_500_000, 5_000_000, 2_000_000, 6_000_000),  # across the date line
    "EPSG:3031": (-3e6, -3e6, 3e6, 3e6),  # around the pole
    "+proj=utm +zone=33": (490_000, 5_390_000, 510_000, 5_410_000),
}


def test_projections_stretch_areas_as_pyproj_says(qgis, library):
    from geodp_qgis.earth import ground_shares

    lines = library(SHARES, json.dumps(PLACED)).splitlines()
    for (name, bounds), line in zip(PLACED.items(), lines, strict=True):
        shares = ground_shares(bounds, name, 9).ravel().tolist()
        assert shares == pytest.approx(json.loads(line), rel=1e-6), name
    assert ground_shares((0, 0, 1, 1), "no such CRS", 9) is None


THREADED = """
import json, os, sys, threading
sys.path[:0] = sys.argv[1:]
from qgis.core import QgsApplication

app = QgsApplication([], False)
app.initQgis()
import geodp_qgis
from geodp_qgis.earth import ground_shares

geodp_qgis.classFactory(None).initProcessing()
measured = []

def measure():
    measured.append(float(ground_shares((0, 8450000, 100000, 8550000), "EPSG:3857", 3).mean()))

for _ in range(2):
    thread = threading.Thread(target=measure)
    thread.start()
    thread.join()
measure()
print(json.dumps(measured), flush=True)
os._exit(0)  # QGIS may hang or crash where Python takes it down
"""


def printed_by(script, unpacked, folder):
    """Run a script in a QGIS of its own, with the plugin, and return what it prints last."""
    done = subprocess.run(
        [sys.executable, "-c", script, QGIS_PLUGINS, str(unpacked)],
        capture_output=True, text=True, timeout=300, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_areas_are_known_after_a_thread_that_asked_first_has_ended(unpacked, tmp_path):
    """As dialogs run: QGIS keeps ellipsoids, and those of a thread end with it."""
    areas = printed_by(THREADED, unpacked, tmp_path)
    assert areas == pytest.approx([0.243] * 3, rel=0.02)


LEFT_BEHIND = """
import json, os, sys, threading

sys.path[:0] = sys.argv[1:]
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsProject

app = QgsApplication([], False)
app.initQgis()
import geodp_qgis
from geodp_qgis.adapters import crs_of_this_thread
from geodp_qgis.points import Moving

def ask():
    with crs_of_this_thread():
        QgsCoordinateReferenceSystem("EPSG:4326")

thread = threading.Thread(target=ask)
thread.start()
thread.join()
ends = map(QgsCoordinateReferenceSystem, ("EPSG:4326", "EPSG:5070"))
x, y = Moving(*ends, QgsProject.instance().transformContext())([-100.0], [40.0])
print(json.dumps([*x.tolist(), *y.tolist()]), flush=True)
os._exit(0)  # QGIS may hang or crash where Python takes it down
"""


def test_points_move_after_a_thread_that_asked_first_has_ended(unpacked, tmp_path):
    """They would stay in degrees, without a word, and be counted nowhere."""
    moved = printed_by(LEFT_BEHIND, unpacked, tmp_path)
    assert moved == pytest.approx([-338390.59, 1894100.14], abs=1)


DENSITIES = """
import json, sys
import geodp

release = geodp.open_release(sys.argv[1])
asked = release.query(sys.argv[2], density=True)
print(json.dumps([release.columns()["density"].tolist(), asked["density"].tolist()]))
"""


def test_densities_are_those_of_the_library(histogram, run, library, tmp_path):
    """In a CRS that makes the north of the country a fifth as large again as the south."""
    from qgis.core import QgsVectorLayer

    cells, answers = str(tmp_path / "cells.gpkg"), str(tmp_path / "answers.gpkg")
    extent = "-13900000,-7400000,2800000,6400000 [EPSG:3857]"
    histogram(INPUT=PLACES, EXTENT=extent, CRS="EPSG:3857", CELLS=1, OUTPUT_VECTOR=cells)
    run("query", INPUT=cells, REGIONS=DISTRICTS, DENSITY=True, OUTPUT=answers)
    expected = json.loads(library(DENSITIES, cells, SAMPLE / "us_districts.gpkg"))
    for path, wanted in zip((cells, answers), expected, strict=True):
        layer = QgsVectorLayer(path, "found", "ogr")
        densities = [feature["density"] for feature in layer.getFeatures()]
        assert densities == pytest.approx(wanted, rel=1e-5)
