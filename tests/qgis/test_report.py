"""The report page: word for word, number for number and picture for picture that of the library."""

import base64
import json
import re
import zlib

import pytest
from conftest import DISTRICTS, PLACES, TOWN, TOWN_CRS

THEIRS = """
import sys
import geodp

release, path, regions = sys.argv[1:]
geodp.open_release(release).to_report(path, regions=regions or None, overwrite=True)
"""

PICTURE = re.compile(r"<figure.*?</figure>", re.S)
PACKED = re.compile(r'href="data:image/png;base64,[^"]*"')
LANGUAGES = re.compile(r'id="languages">"(.*?)"')
DATA = re.compile(r'(<script type="application/json" id="cells">)(.*?)(</script>)', re.S)


def spoken(text):
    """The page in all its languages, without paths, which may turn either way, and pictures."""
    written = re.search(r'<div id="page">(.*)</div>\n<script', text, re.S)[1].split("\n")
    texts = json.loads(zlib.decompress(base64.b64decode(LANGUAGES.search(text)[1])))
    for each in texts:
        lines = (written[line] if isinstance(line, int) else line for line in each["lines"])
        each["lines"] = [PACKED.sub("", line) for line in lines if "<path" not in line]
    return texts


def read_page(path):
    """A page as words, what its script reads, and its pictures."""
    text = path.read_text(encoding="utf-8")
    data = DATA.search(text)
    pictures = [PACKED.sub("", each) for each in PICTURE.findall(text)]
    words = PICTURE.sub("", DATA.sub("", LANGUAGES.sub("", text)))
    words += json.dumps(spoken(text), ensure_ascii=False)
    return words, json.loads(data[2]) if data else None, pictures


def unpacked(data):
    """The script's data without what two versions of zlib write differently."""
    if isinstance(data, dict):
        return {name: unpacked(value) for name, value in data.items()}
    if isinstance(data, list):
        return [unpacked(value) for value in data]
    if isinstance(data, str) and data.startswith("eN"):
        return zlib.decompress(base64.b64decode(data)).hex()
    return data


@pytest.fixture
def pages(run, library, tmp_path):
    """A release and perhaps regions to the pages of both doors."""

    def go(release, regions=None, path=None):
        ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
        done = run("report", INPUT=release, REGIONS=regions, OUTPUT_HTML=str(ours))
        library(THEIRS, path or release, theirs, (regions or "").partition("|")[0])
        return read_page(ours), read_page(theirs), done

    return go


def check_same(pages):
    (words, data, pictures), (their_words, their_data, their_pictures), _ = pages
    assert words == their_words
    rings = [[each.pop("rings") for each in one["regions"]] for one in (data, their_data)]
    assert unpacked(data) == unpacked(their_data)
    if not rings[0]:  # which may turn either way
        assert pictures == their_pictures
    assert len(pictures) == len(their_pictures)
    for ours, theirs in zip(pictures, their_pictures):
        for look in ("<text.*?</text>", 'viewBox="[^"]*"'):
            assert re.findall(look, ours) == re.findall(look, theirs)
    return rings


@pytest.mark.parametrize("cells", [0, 1], ids=["regular", "adaptive"])
def test_the_page_says_what_the_librarys_says(histogram, pages, tmp_path, cells):
    path = str(tmp_path / "counts.tif")
    histogram(CELLS=cells, TITLE="Towns", SOURCE="A <source>", OUTPUT_RASTER=path)
    both = pages(path)
    check_same(both)
    words, data, pictures = both[0]
    assert "times as likely" in words
    assert "A &lt;source&gt;" in words
    assert "<h2>Regions" not in words
    assert len(pictures) == 1
    assert data["count"] > 100
    assert "Differentially private with epsilon = 1" in both[2].text


def test_regions_are_listed_and_drawn(histogram, pages, tmp_path):
    path, cells = str(tmp_path / "counts.tif"), str(tmp_path / "counts.gpkg")
    histogram(OUTPUT_RASTER=path, OUTPUT_VECTOR=cells, SIZES="24", WITHIN=DISTRICTS)
    ours, theirs = check_same(pages(cells, DISTRICTS))
    assert len(ours) == 49
    assert [len(our) for our in ours] == [len(their) for their in theirs]
    both = pages(path, DISTRICTS)
    check_same(both)
    words, _, pictures = both[0]
    assert len(pictures) == 2
    assert "Montana" in words


def test_every_layer_is_there(histogram, pages, incidents, tmp_path):
    path = str(tmp_path / "kinds.tif")
    given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "CELLS": 1}
    histogram(**given, BY="kind", CATEGORIES="theft, assault", OTHER="rest", OUTPUT_RASTER=path)
    both = pages(path)
    check_same(both)
    words, data, _ = both[0]
    names = [each["name"] for each in data["groups"]]
    assert names == ["All groups together", "theft", "assault", "rest"]
    assert "<h2>Groups</h2>" in words


# --- regions ------------------------------------------------------------------------------------


def polygons(tmp_path, *shapes, names=None):
    """A layer of polygons, given as WKT."""
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorFileWriter, QgsVectorLayer

    layer = QgsVectorLayer(
        f"Polygon?crs={TOWN_CRS}&field=code:string&field=name:string", "", "memory"
    )
    for number, shape in enumerate(shapes):
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromWkt(shape))
        feature.setAttribute("code", f"code {number}")
        feature.setAttribute("name", names[number] if names else None)
        layer.dataProvider().addFeature(feature)
    path = str(tmp_path / "regions.gpkg")
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.layerName = "regions"
    written = QgsVectorFileWriter.writeAsVectorFormatV3(
        layer, path, layer.transformContext(), options
    )
    assert written[0] == QgsVectorFileWriter.WriterError.NoError
    return path


WEST = "POLYGON((490000 5390000, 490000 5410000, 500000 5410000, 500000 5390000, 490000 5390000))"
BEYOND = "POLYGON((500000 5400000, 9900000 5400000, 500000 9900000, 500000 5400000))"
FAR = "POLYGON((900000 5400000, 910000 5400000, 900000 5410000, 900000 5400000))"
BROKEN = "POLYGON((490000 5390000, 500000 5400000, 500000 5390000, 490000 5400000, 490000 5390000))"


def corners(ring):
    return set(zip(ring[::2], ring[1::2], strict=True))


@pytest.fixture
def town(histogram, incidents, tmp_path):
    def go(**changes):
        path = str(tmp_path / "town.tif")
        given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "10"}
        return histogram(**{**given, **changes, "OUTPUT_RASTER": path}), path

    return go


def test_regions_beyond_the_map_and_without_a_name(town, pages, tmp_path):
    _, path = town()
    regions = polygons(tmp_path, WEST, BEYOND, FAR, names=["<West>", None, "Far"])
    both = pages(path, regions)
    ours, theirs = check_same(both)
    words, _, _ = both[0]
    rows = re.findall(
        r'<tr data-region="\d"><td>(.*?)</td><td class="n" data-value="(.*?)">', words
    )
    assert [name for name, _ in rows] == ["&lt;West&gt;", "2", "Far"]
    assert [number == "" for _, number in rows] == [False, False, True]
    for one, other in zip(ours, theirs, strict=True):  # whichever way they turn
        assert [corners(ring) for ring in one] == [corners(ring) for ring in other]
    assert corners(ours[1][0]) == {(32768, 32768), (65535, 32768), (65535, 0), (32768, 0)}
    assert ours[2] == []


def test_a_broken_region_is_named(town, run, tmp_path):
    from qgis.core import QgsProcessingException

    _, path = town()
    page = tmp_path / "page.html"
    with pytest.raises(QgsProcessingException, match="id 2 is not a valid polygon"):
        run("report", INPUT=path, REGIONS=polygons(tmp_path, WEST, BROKEN), OUTPUT_HTML=str(page))
    assert not page.exists()


# --- in a run of its own, and with the map ------------------------------------------------------


def test_the_page_comes_with_the_map(town, run, tmp_path):
    page, again = tmp_path / "page.html", tmp_path / "again.html"
    regions = polygons(tmp_path, WEST, names=["West"])
    done, path = town(REGIONS=regions, SIZES="8, 10", OUTPUT_HTML=str(page))
    assert done.results["OUTPUT_HTML"] == str(page)
    run("report", INPUT=path, REGIONS=regions, OUTPUT_HTML=str(again))
    assert page.read_text(encoding="utf-8") == again.read_text(encoding="utf-8")
    (tmp_path / "town.tif").unlink()
    done, _ = town()
    assert "OUTPUT_HTML" not in done.results


def test_no_map_is_lost_for_a_page(town, tmp_path, monkeypatch):
    from geodp_qgis.algorithms import report
    from geodp_qgis.library import geodp

    def fail(*_, **__):
        raise geodp.FileError("the disk is full.")

    monkeypatch.setattr(report.geodp, "report_page", fail)
    page = tmp_path / "page.html"
    done, _ = town(OUTPUT_HTML=str(page))
    assert "There is no report page: the disk is full." in done.text
    assert "OUTPUT_HTML" not in done.results
    assert not page.exists()
    assert (tmp_path / "town.tif").exists()


def test_the_results_viewer_names_the_page(qgis):
    from geodp_qgis.algorithms.private_histogram import PrivateHistogram
    from geodp_qgis.algorithms.report import Report
    from qgis.core import QgsProcessingOutputHtml

    for kind in (Report, PrivateHistogram):
        algorithm = kind().create()  # which owns its outputs
        output = algorithm.outputDefinition("OUTPUT_HTML")
        assert isinstance(output, QgsProcessingOutputHtml)
        assert output.description() == "Report page"


def test_a_page_needs_its_folder(town, run, tmp_path):
    from qgis.core import QgsProcessingException

    _, path = town()
    with pytest.raises(QgsProcessingException, match="folder of an output must exist"):
        run("report", INPUT=path, OUTPUT_HTML=str(tmp_path / "none" / "page.html"))
    with pytest.raises(QgsProcessingException, match="not a geodp release"):
        run("report", INPUT=PLACES, OUTPUT_HTML=str(tmp_path / "page.html"))


def test_a_cancelled_page_is_not_there(town, run, tmp_path):
    from qgis.core import QgsProcessingException

    _, path = town()
    page = tmp_path / "page.html"
    with pytest.raises(QgsProcessingException, match="Cancelled"):
        run("report", cancel_at="drawing", INPUT=path, OUTPUT_HTML=str(page))
    assert not page.exists()


def test_a_page_is_made_in_another_thread(town, tmp_path, qgis, project):
    from geodp_qgis.algorithms.report import Report
    from qgis.core import (
        QgsApplication,
        QgsProcessingAlgRunnerTask,
        QgsProcessingContext,
        QgsProcessingFeedback,
    )

    path, page = town()[1], tmp_path / "page.html"
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:report")
    assert isinstance(algorithm, Report)
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    given = {"INPUT": path, "REGIONS": DISTRICTS, "OUTPUT_HTML": str(page)}
    task = QgsProcessingAlgRunnerTask(algorithm, given, context, feedback)
    QgsApplication.taskManager().addTask(task)
    assert task.waitForFinished(60_000)
    assert len(read_page(page)[2]) == 2


@pytest.mark.parametrize("code", ["de", "fr"])
def test_the_page_is_that_of_the_library_in_qgiss_language(
    town, run, library, request, code, tmp_path
):
    request.getfixturevalue({"de": "german", "fr": "french"}[code])
    path, ours, theirs = town()[1], tmp_path / "ours.html", tmp_path / "theirs.html"
    run("report", INPUT=path, OUTPUT_HTML=str(ours))
    library(THEIRS.replace("overwrite", f"language={code!r}, overwrite"), path, theirs, "")
    assert f'<html lang="{code}">' in ours.read_text(encoding="utf-8")
    check_same((read_page(ours), read_page(theirs), None))


def test_the_dialog_of_the_page_speaks_german(german):
    from geodp_qgis.algorithms.report import Report

    assert Report().displayName() == "Berichtsseite"
    assert "Seite" in Report().shortHelpString()
