"""The built zip in a fresh profile, run by QGIS's own command-line program.

Library conflicts show only in QGIS's own binaries, so every algorithm runs here once more.
"""

import os
import shutil
import subprocess
import zipfile

import pytest
from conftest import CRS, DISTRICTS, EXTENT, PLACES, TOWN, TOWN_CRS

PROGRAM = shutil.which("qgis_process.bin") or shutil.which("qgis_process")


@pytest.fixture(scope="module")
def qgis_process(plugin_zip, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    plugins = home / "config" / "profiles" / "default" / "python" / "plugins"
    runtime = home / "runtime"
    plugins.mkdir(parents=True)
    runtime.mkdir(mode=0o700)
    with zipfile.ZipFile(plugin_zip) as archive:
        archive.extractall(plugins)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "QT_QPA_PLATFORM": "offscreen",
        "QGIS_CUSTOM_CONFIG_PATH": str(home / "config"),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }

    def go(*arguments):
        return subprocess.run(
            [PROGRAM, *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )

    assert go("plugins", "enable", "geodp_qgis").returncode == 0
    return go


def run(qgis_process, algorithm, **parameters):
    pairs = [f"{name}={value}" for name, value in parameters.items()]
    return qgis_process("run", f"geodp:{algorithm}", "--", *pairs)


def test_the_algorithms_are_listed(qgis_process):
    listed = qgis_process("list").stdout
    for name in ("privatehistogram", "candidategrids", "ledger", "query", "report", "about"):
        assert f"geodp:{name}\t" in listed


def test_release_query_and_about(qgis_process, tmp_path):
    raster, cells = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    done = run(
        qgis_process,
        "privatehistogram",
        INPUT=PLACES,
        EXTENT=EXTENT,
        CRS=CRS,
        EPSILON=1,
        REGIONS=DISTRICTS,
        OUTPUT_RASTER=raster,
        OUTPUT_VECTOR=cells,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"OUTPUT_RASTER:\t{raster}" in done.stdout
    assert "Spent in all: ε = 1." in done.stdout
    assert raster.exists()
    assert cells.exists()

    answers = tmp_path / "answers.gpkg"
    done = run(qgis_process, "query", INPUT=raster, REGIONS=DISTRICTS, OUTPUT=answers)
    assert done.returncode == 0, done.stdout + done.stderr
    assert answers.exists()

    page = tmp_path / "about.html"
    done = run(qgis_process, "about", INPUT=raster, OUTPUT_HTML=page)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Differentially private with epsilon = 1" in page.read_text(encoding="utf-8")

    page = tmp_path / "report.html"
    done = run(qgis_process, "report", INPUT=cells, REGIONS=DISTRICTS, OUTPUT_HTML=page)
    assert done.returncode == 0, done.stdout + done.stderr
    assert page.read_text(encoding="utf-8").count('<svg viewBox="') == 2  # cells, and districts


def test_people_and_a_ledger_in_the_profile(qgis_process, checkins, tmp_path):
    given = {
        "INPUT": checkins,
        "EXTENT": TOWN,
        "CRS": TOWN_CRS,
        "EPSILON": 0.5,
        "PERSON": "person_id",
        "MAX_RECORDS": 3,
        "SIZES": "5",
        "DATASET": "check-ins",
        "CAP": 0.75,
        "OUTPUT_RASTER": tmp_path / "counts.tif",
    }
    done = run(qgis_process, "privatehistogram", **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ε = 0.5 of 0.75 is spent on 'check-ins', 0.25 is left" in done.stdout
    assert "It protects people" in done.stdout
    again = run(qgis_process, "privatehistogram", **given)
    assert again.returncode != 0
    assert "would pass the cap of 'check-ins': 0.25 is left" in again.stdout + again.stderr
    page = tmp_path / "ledger.html"
    done = run(qgis_process, "ledger", OUTPUT_HTML=page)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "profiles/default/geodp-ledger.sqlite" in page.read_text(encoding="utf-8")


def test_candidate_grids(qgis_process, tmp_path):
    grids = tmp_path / "grids.gpkg"
    done = run(qgis_process, "candidategrids", EXTENT=EXTENT, CRS=CRS, SIZES="5,10", OUTPUT=grids)
    assert done.returncode == 0, done.stdout + done.stderr
    assert grids.exists()


def test_wrong_input_fails_with_a_message(qgis_process, tmp_path):
    raster = tmp_path / "counts.tif"
    done = run(
        qgis_process,
        "privatehistogram",
        INPUT=PLACES,
        EXTENT=EXTENT,
        CRS=CRS,
        EPSILON=0,
        OUTPUT_RASTER=raster,
    )
    assert done.returncode != 0
    assert "epsilon must be greater than 0" in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_filters_in_a_name_are_told_and_limits_in_one_refused(qgis_process, tmp_path):
    """All that this program can do to a source here is name it: a filter is part of the name."""
    given = {"EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1, "SIZES": "2"}
    told, refused = tmp_path / "told.tif", tmp_path / "refused.tif"
    texas = f"{PLACES}|subset=\"state\" = 'TX'"
    done = run(qgis_process, "privatehistogram", INPUT=texas, OUTPUT_RASTER=told, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the layer's filter applies: what this leaves out is not counted" in done.stdout
    first = f"{PLACES}|subset=SELECT * FROM us_places LIMIT 100"
    done = run(qgis_process, "privatehistogram", INPUT=first, OUTPUT_RASTER=refused, **given)
    assert done.returncode != 0
    assert "must judge each record by itself" in done.stdout + done.stderr
    assert not refused.exists()


def test_a_described_source_is_not_taken(qgis_process, tmp_path):
    """Newer programs read JSON, where a source may be an object with a limit."""
    path = tmp_path / "counts.tif"
    source = f'{{"source": "{PLACES}", "feature_limit": 5}}'
    given = {"EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1, "OUTPUT_RASTER": path}
    done = run(qgis_process, "privatehistogram", INPUT=source, **given)
    assert done.returncode != 0
    assert not path.exists()
