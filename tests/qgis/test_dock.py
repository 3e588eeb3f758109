"""The dock *Private map* without a desktop: what it shows, asks for, refuses and runs."""

import json
import re
import threading
import time
from fractions import Fraction

import pytest
from conftest import CRS, DISTRICTS, EXTENT, PLACES, ROOT, TOWN, TOWN_CRS

FOLDER = ROOT / "qgis_plugin" / "geodp_qgis" / "dock"


@pytest.fixture
def spin(qgis):
    """``spin(until)``: let QGIS work until something is so, for at most a minute."""

    def go(until):
        end = time.monotonic() + 60
        while not until():
            assert time.monotonic() < end, "nothing came of it"
            qgis.processEvents()
            time.sleep(0.005)

    return go


@pytest.fixture
def ledger(qgis, tmp_path, monkeypatch):
    """An empty place for the ledger of the profile."""
    from geodp_qgis.dock import balance
    from qgis.core import QgsApplication

    monkeypatch.setattr(QgsApplication, "qgisSettingsDirPath", lambda: str(tmp_path))
    return balance.usual_ledger()


def add_layer(project, source, name, provider="ogr"):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(source, name, provider)
    assert layer.isValid()
    project.addMapLayer(layer)
    return layer


@pytest.fixture
def layers(project):
    """Points and districts of the sample data, in a project whose CRS suits them."""
    from qgis.core import QgsCoordinateReferenceSystem

    project.setCrs(QgsCoordinateReferenceSystem(CRS))
    layers = {"points": add_layer(project, PLACES, "us_places")}
    layers["regions"] = add_layer(project, DISTRICTS, "us_districts")
    return layers


@pytest.fixture
def canvas(qgis):
    from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle
    from qgis.gui import QgsMapCanvas
    from qgis.PyQt import sip

    canvas = QgsMapCanvas()
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem(CRS))
    canvas.setExtent(QgsRectangle(-2500000, 100000, 2400000, 3300000))
    yield canvas
    sip.delete(canvas)


@pytest.fixture
def dock(canvas, ledger, project, spin):
    from geodp_qgis.dock.panel import PrivateMapDock
    from qgis.PyQt import sip

    dock = PrivateMapDock(canvas)
    dock._timer.setInterval(10)
    dock.show()
    yield dock
    dock.leave()
    spin(lambda: not dock.running.is_active)
    sip.delete(dock)


@pytest.fixture
def at_the_first_point(qgis, monkeypatch):
    """An event: a run has come to its first point, and stays there until it is told to end."""
    from geodp_qgis import points

    arrived, stop_if_cancelled = threading.Event(), points.stop_if_cancelled

    def wait(feedback):
        arrived.set()
        while not feedback.isCanceled():
            time.sleep(0.005)
        stop_if_cancelled(feedback)

    monkeypatch.setattr(points, "stop_if_cancelled", wait)
    return arrived


@pytest.mark.parametrize("language", ["qgis", "german", "french"])
def test_the_dock_is_as_wide_as_its_words_and_never_scrolls_sideways(request, qgis, language):
    request.getfixturevalue(language)
    dock, spin = request.getfixturevalue("dock"), request.getfixturevalue("spin")
    area = dock._area
    spin(lambda: area.minimumWidth() < area.widget().minimumSizeHint().width() + 40)
    dock.call.setCollapsed(False)
    seen = set()
    for kind in range(4):
        dock.answer.cells.setCurrentIndex(kind)
        for width in range(area.minimumWidth(), 900, 20):
            dock.resize(width, 700)
            qgis.processEvents()
            spin(lambda: not area.horizontalScrollBar().isVisible())
            seen.add(dock._columns.direction())
    assert len(seen) == 2  # the columns beside each other, and one above the other


@pytest.mark.parametrize("language", ["qgis", "german", "french"])
def test_no_kind_of_cells_is_cut_in_the_narrowest_dock(request, qgis, language):
    request.getfixturevalue(language)
    box = request.getfixturevalue("dock").answer.cells
    entries = [box.itemText(place) for place in range(box.count())]
    widest = max(map(box.fontMetrics().horizontalAdvance, entries))
    assert box.minimumSizeHint().width() > widest


def fill(dock, spin, extent=EXTENT, cells=0):
    """Give the extent, ask for one grid, and wait for what that leads to."""
    dock.answer.cells.setCurrentIndex(cells)
    dock.public.extent.line.setText(extent)
    look(dock, spin)


def look(dock, spin):
    spin(lambda: not dock._timer.isActive() and not dock._foresights)


def bands(canvas):
    from qgis.gui import QgsRubberBand

    return [each for each in canvas.scene().items() if isinstance(each, QgsRubberBand)]


def private_layers(project):
    return [
        layer for layer in project.mapLayers().values() if layer.name().startswith("Private counts")
    ]


# --- what it shows ------------------------------------------------------------------------------


def test_an_empty_project_is_told_what_is_needed(dock):
    assert dock.call.text.toPlainText() == ""
    assert not dock.call.copy.isEnabled()
    assert "Give a public extent" in dock.forecast.chart._text
    dock.foot.make.click()
    assert dock.foot.message.text() == "Choose the points that shall be protected."


def test_the_only_point_layer_and_a_projected_crs_are_there_at_first(layers, dock):
    assert dock.protected.points.currentLayer() == layers["points"]
    assert dock.public.crs.crs().authid() == CRS
    assert dock.public.extent.text() == ""  # never inferred
    assert dock.answer.regions.currentLayer() is None


def test_the_call_is_shown_can_be_copied_and_runs(layers, dock, spin, project):
    import processing
    from qgis.core import QgsCoordinateReferenceSystem
    from qgis.PyQt.QtWidgets import QApplication

    dock.answer.sizes.setText("20")
    fill(dock, spin)
    dock.answer.regions.setLayer(layers["regions"])
    dock.forecast.number.setValue(0.5)
    text = dock.call.text.toPlainText()
    assert text.startswith('processing.run("geodp:privatehistogram", {')
    dock.call.copy.click()
    assert QApplication.clipboard().text() == text
    names = {
        "processing": processing,
        "QgsCoordinateReferenceSystem": QgsCoordinateReferenceSystem,
    }
    parameters = eval(text, names)
    assert (parameters["ROWS"], parameters["COLUMNS"], parameters["EPSILON"]) == (20, 20, 0.5)


def test_the_forecast_is_the_librarys_and_follows_epsilon(layers, dock, spin, library):
    dock.answer.regions.setLayer(layers["regions"])
    dock.answer.expected.setValue(9000)
    fill(dock, spin)
    curves = dock.forecast._curves
    script = """
import json, sys
import geodp
domain = geodp.Domain(json.loads(sys.argv[1]), crs="EPSG:5070")
forecast = geodp.forecast(domain, sys.argv[2], cells="regular", epsilons=[0.1, 1], expected=9000)
rows = forecast.table()
print(json.dumps([[row["std_error"] for row in rows if row["epsilon"] == e] for e in (0.1, 1)]))
"""
    path = DISTRICTS.partition("|")[0]
    known = json.loads(library(script, json.dumps((-2.4e6, 2e5, 2.3e6, 3.2e6)), path))
    for epsilon, errors in zip((0.1, 1.0), known):
        assert curves.at(epsilon).tolist() == pytest.approx(errors, rel=1e-3)
    seen = []
    for place in (0, 20, 44, 66):
        dock.forecast.slider.setValue(place)
        seen.append((dock.forecast.reading.text(), dock.forecast.cells_to_show().cells))
    assert all(text.startswith("At ε = ") for text, _ in seen)
    cells = [number for _, number in seen]
    assert cells == sorted(cells)  # more budget, finer cells
    assert len(set(cells)) > 2


def test_without_a_guess_the_noise_alone_is_foreseen(layers, dock, spin):
    fill(dock, spin)
    assert not dock.forecast._curves.foresees_error
    assert dock.forecast.reading.text().startswith("Noise of a region at ε = 1: ± ")
    before = dock.forecast._curves.at(1.0)
    dock.protected.person.setField("state")
    dock.protected.most.setValue(3)
    look(dock, spin)
    assert dock.forecast._curves.at(1.0) == pytest.approx(3 * before, rel=0.05)


def test_slider_number_and_chart_agree(layers, dock, spin):
    from qgis.PyQt.QtCore import QPoint, Qt
    from qgis.PyQt.QtTest import QTest

    fill(dock, spin)
    dock.forecast.number.setValue(0.37)  # between two stops
    assert dock.wish().epsilon == 0.37
    dock.forecast.number.setValue(0)
    assert dock.wish().epsilon == 0.01
    chart = dock.forecast.chart
    frame = chart._frame()
    middle = QPoint(round(frame.center().x()), round(frame.center().y()))
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=middle)
    assert dock.wish().epsilon == 0.3  # half way from 0.01 to 10, by powers
    assert dock.forecast.slider.value() > 20


def test_cells_are_shown_on_the_map_and_go_with_the_dock(layers, dock, spin, canvas):
    assert bands(canvas) == []
    dock.answer.sizes.setText("1000km, 500km")
    fill(dock, spin)
    (band,) = bands(canvas)
    assert band.asGeometry().boundingBox().xMinimum() == pytest.approx(-2400000)
    assert len(band.asGeometry().asMultiPolyline()) == 4 + 6  # 3 rows and 5 columns
    dock.forecast.size.setCurrentIndex(1)
    assert len(bands(canvas)[0].asGeometry().asMultiPolyline()) == 7 + 11
    dock.forecast.shown.setChecked(False)
    assert bands(canvas) == []
    dock.forecast.shown.setChecked(True)
    assert len(bands(canvas)) == 1
    dock.hide()
    assert bands(canvas) == []
    dock.show()
    assert len(bands(canvas)) == 1
    assert dock.public.extent.text() == EXTENT  # answers survive hiding
    dock.public.extent.line.setText("nowhere")
    look(dock, spin)
    assert bands(canvas) == []


def test_adaptive_cells_are_the_default_and_need_a_guess(layers, dock, spin, canvas):
    assert dock.answer.cells.currentIndex() == 1
    assert not dock.answer.regions.isVisibleTo(dock.answer)
    fill(dock, spin, cells=1)
    assert "'CELLS':1" in dock.call.text.toPlainText()
    assert dock.forecast._curves is None
    assert "guess how many there are" in dock.forecast.chart._text
    dock.answer.expected.setValue(10_000)
    look(dock, spin)
    assert dock.forecast._curves.errors.shape[0] == 1
    assert "mostly right within a factor of two" in dock.forecast.reading.text()
    shapes = [dock.forecast.size.itemText(place) for place in range(dock.forecast.size.count())]
    assert shapes[0].endswith(" km, 3 × 5")
    assert shapes[1].endswith(" km, 6 × 10")
    assert len(bands(canvas)) == 1


@pytest.mark.parametrize(
    ("extent", "crs", "words"),
    [
        ("0,1,2,3", "EPSG:4326", "projected CRS"),
        ("5,5,2,3", CRS, "must be a rectangle"),
        ("0,1,2,3 [FOO:1]", CRS, "does not know the extent's CRS, FOO:1"),
        ("2300000,-2400000,5e9,6e9", CRS, "must lie where its coordinate system"),
    ],
)
def test_a_wrong_place_is_refused_where_the_chart_would_be(layers, dock, spin, extent, crs, words):
    from qgis.core import QgsCoordinateReferenceSystem

    dock.public.crs.setCrs(QgsCoordinateReferenceSystem(crs))
    fill(dock, spin, extent)
    assert words in dock.forecast.chart._text
    assert dock.forecast.reading.isHidden()


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ("5 parsec", "cell sizes must be numbers"),
        ("9000", "at most 67,108,864 cells"),
        ("8000", "too many cells to look ahead at"),
    ],
)
def test_sizes_that_cannot_be_foreseen_are_told_of(layers, dock, spin, sizes, words):
    dock.answer.sizes.setText(sizes)
    fill(dock, spin)
    assert words in dock.forecast.chart._text


def test_cells_follow_the_maps_own_crs(layers, dock, spin, canvas):
    from qgis.core import QgsCoordinateReferenceSystem

    fill(dock, spin)
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    (band,) = bands(canvas)
    box = band.asGeometry().boundingBox()
    assert (round(box.xMinimum()), round(box.yMaximum())) == (-129, 52)


# --- nothing about the points --------------------------------------------------------------------


def test_nothing_is_asked_of_the_points(project, canvas, ledger, spin):
    """A layer that notes every question about its features stays unasked until the button."""
    from geodp_qgis.dock.panel import PrivateMapDock
    from qgis.core import QgsVectorLayer
    from qgis.PyQt import sip

    asked = []

    def noted(name):
        def method(self, *given):
            asked.append(name)
            return getattr(QgsVectorLayer, name)(self, *given)

        return method

    names = ("extent", "sourceExtent", "featureCount", "getFeatures", "hasFeatures", "maximumValue")
    watched = type("Watched", (QgsVectorLayer,), {name: noted(name) for name in names})
    layer = watched(PLACES, "places", "ogr")
    project.addMapLayer(layer)
    add_layer(project, DISTRICTS, "us_districts")
    assert layer.featureCount() > 0
    asked.clear()
    dock = PrivateMapDock(canvas)
    dock.show()
    dock.protected.points.setLayer(layer)
    dock.protected.person.setField("state")
    dock.protected.most.setValue(2)
    fill(dock, spin)
    dock.public.extent._fill()
    dock.answer.cells.setCurrentIndex(1)
    look(dock, spin)
    dock.hide()
    assert asked == []
    offered = [
        entry.text()
        for menu in dock.public.extent.button.menu().actions()
        if menu.menu()
        for entry in menu.menu().actions()
    ]
    assert offered == ["us_districts"]  # not the extent of the points
    dock.leave()
    sip.delete(dock)


def test_the_extent_of_the_points_is_refused(layers, dock, spin):
    from test_care import extent_text

    fill(dock, spin, extent_text(layers["points"].extent(), CRS))
    dock.foot.make.click()
    assert "outermost records" in dock.foot.message.text()
    assert not dock.running.is_active
    dock.public.known.setChecked(True)
    assert "'EXTENT_IS_PUBLIC':True" in dock.call.text.toPlainText()


def test_a_public_extent_is_public_for_these_points_alone(layers, dock, spin):
    fill(dock, spin)
    dock.public.known.setChecked(True)
    dock.public.extent.line.setText("0,1,2,3")
    assert not dock.wish().extent_is_public
    dock.public.known.setChecked(True)
    dock.protected.points.setLayer(None)
    assert not dock.wish().extent_is_public


def test_a_drawn_rectangle_is_made_round(layers, dock, canvas):
    from qgis.core import QgsRectangle
    from qgis.gui import QgsMapToolPan

    before = QgsMapToolPan(canvas)
    canvas.setMapTool(before)
    dock.public.extent.draw()
    assert canvas.mapTool() is not before
    dock.public.extent._drawn(QgsRectangle(-2387123.4, 213456.7, 2298765.4, 3198765.4))
    assert dock.public.extent.text() == EXTENT
    assert canvas.mapTool() is before
    dock.public.extent.draw()
    dock.hide()
    assert canvas.mapTool() is before


# --- running -------------------------------------------------------------------------------------


def test_the_map_is_made_and_the_ledger_kept(layers, dock, spin, project, ledger, canvas, add_to):
    fill(dock, spin)
    assert len(bands(canvas)) == 1
    dock.protected.name.setEditText("places")
    look(dock, spin)
    assert "new" in dock.protected.balance.text()
    dock.foot.make.click()
    assert dock.foot.message.text() == "This name is new: say how much ε may ever be spent on it."
    dock.protected.cap.setValue(5)
    add_to(project.layerTreeRoot().addGroup("others"))
    dock.foot.make.click()
    assert dock.running.is_active
    assert not dock.foot.make.isEnabled()
    dock.foot.make.click()  # twice is once
    dock.start()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Done")
    assert bands(canvas) == []  # nothing lies over the map
    (layer,) = private_layers(project)
    assert project.layerTreeRoot().children()[0].layer() == layer  # nothing may hide it
    assert layer.name().startswith("Private counts, ε = 1, ")
    assert "Differentially private" in layer.metadata().abstract()
    assert dock.protected.left.text() == "4 of 5 left"
    assert dock.protected.balance.text() == "3 after this map. Protected: one record."
    assert dock.protected.cap.isHidden()
    dock.forecast.number.setValue(4.5)
    assert "would pass the cap" in dock.protected.balance.text()
    dock.foot.make.click()
    assert "would pass the cap" in dock.foot.message.text()
    assert len(private_layers(project)) == 1
    # the layer keeps its name in the ledger
    dock.protected.points.setLayer(None)
    assert dock.protected.name.currentText() == ""
    dock.protected.points.setLayer(layers["points"])
    look(dock, spin)
    assert dock.protected.left.text() == "4 of 5 left"


def test_a_file_is_written_once(layers, dock, spin, project, tmp_path):
    target = tmp_path / "counts.tif"
    dock.answer.sizes.setText("20")
    dock.answer.target.setFilePath(str(target))
    fill(dock, spin)
    assert "counts.tif" in dock.call.text.toPlainText()
    dock.foot.make.click()
    spin(lambda: not dock.running.is_active)
    assert target.exists()
    assert dock.foot.message.text().startswith("Done")
    assert dock.wish().target == ""  # the next run must not replace what was paid for
    dock.answer.target.setFilePath(str(tmp_path / "counts.png"))
    dock.foot.make.click()
    assert "must be a GeoTIFF" in dock.foot.message.text()
    assert len(private_layers(project) + project.mapLayersByName("counts")) == 1


def test_the_dock_does_the_whole_job(dock, spin, project, incidents, tmp_path, monkeypatch):
    """Several maps with a title, cells and a page, of what is selected; noted in the history."""
    from geodp_qgis.dock import running
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsCoordinateReferenceSystem

    layer = add_layer(project, incidents, "incidents")
    assert not dock.protected.selected.isEnabled()
    layer.selectByExpression("\"kind\" = 'theft'")
    dock.protected.selected.setChecked(True)
    dock.public.crs.setCrs(QgsCoordinateReferenceSystem(TOWN_CRS))
    dock.answer.sizes.setText("6")
    dock.answer.target.setFilePath(str(tmp_path / "town.tif"))
    assert not dock.more.values.isEnabled()
    dock.more.by.setField("kind")
    dock.more.values.setText("theft, burglary")
    dock.more.heading.setText("Town")
    dock.more.cells.setChecked(True)
    dock.more.page.setChecked(True)
    dock.forecast.number.setValue(10)
    fill(dock, spin, TOWN)
    noted = []
    monkeypatch.setattr(running, "note_in_history", noted.append)
    (tmp_path / "town.html").write_text("mine")
    dock.foot.make.click()
    assert "town.html is there already" in dock.foot.message.text()
    (tmp_path / "town.html").unlink()
    dock.foot.make.click()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Done")
    assert dock.foot.message.text().endswith("town.html")
    release = read_release(tmp_path / "town.tif")
    assert release.about.title == "Town"
    assert "<h1>Town</h1>" in (tmp_path / "town.html").read_text(encoding="utf-8")
    expected = layer.selectedFeatureCount()
    assert release["theft"].counts.sum() == pytest.approx(expected, abs=60)
    assert abs(release["burglary"].counts.sum()) < 60  # they were not selected
    names = [group.name() for group in project.layerTreeRoot().findGroups()]
    assert names == ["Town"]
    assert project.mapLayersByName("Town")[0].source().startswith(str(tmp_path / "town.gpkg"))
    (parameters,) = noted
    assert parameters["BY"] == "kind"
    layer.removeSelection()
    assert not dock.wish().selected


def test_what_the_dock_runs_is_in_the_history(layers, dock, spin):
    from geodp_qgis.dock.running import note_in_history
    from qgis.core import Qgis
    from qgis.gui import QgsGui

    fill(dock, spin)
    note_in_history(dock.wish().parameters())
    if Qgis.QGIS_VERSION_INT < 32400:
        from processing.core.ProcessingLog import ProcessingLog

        last = ProcessingLog.getLogEntries()[0].text
    else:
        last = QgsGui.historyProviderRegistry().queryEntries()[-1].entry["python_command"]
    assert last == dock.call.text.toPlainText()
    assert "geodp:privatehistogram" in QgsGui.processingRecentAlgorithmLog().recentAlgorithmIds()


@pytest.mark.parametrize("person", ["", "state"])
def test_districts_are_a_mode_of_the_dock(layers, dock, spin, project, tmp_path, person):
    from geodp_qgis.vectors import release_from_layer

    dock.answer.cells.setCurrentIndex(2)
    assert dock.answer.districts.currentLayer() == layers["regions"]  # the only one
    assert dock.answer.districts.isVisibleTo(dock.answer)
    for hidden in (dock.answer.regions, dock.answer.sizes, dock.answer.expected):
        assert not hidden.isVisibleTo(dock.answer)
    assert not dock.public.isEnabled()
    assert not dock.more.cells.isEnabled()
    dock.protected.person.setField(person)
    dock.forecast.number.setValue(0.5)
    assert dock.wish().noise() == pytest.approx(2**0.5 / 0.5, rel=0.03)
    assert ("people" if person else "records") in dock.forecast.reading.text()
    assert "2.8 " in dock.forecast.reading.text()
    assert not dock.forecast.chart.isVisibleTo(dock.forecast)
    assert "privatedistricts" in dock.call.text.toPlainText()
    target = tmp_path / "states.gpkg"
    dock.answer.target.setFilePath(str(target))
    dock.more.page.setChecked(True)
    dock.start()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Done")
    (layer,) = [layer for layer in project.mapLayers().values() if str(target) in layer.source()]
    assert layer.renderer().type() == "graduatedSymbol"
    release = release_from_layer(layer)
    assert release.epsilon == Fraction(1, 2)
    assert len(release.cells) == 49
    assert target.with_suffix(".html").exists()
    assert dock.answer.target.filePath() == ""


def test_districts_have_a_within_of_their_own(layers, dock, spin, project, tmp_path):
    from geodp_qgis.vectors import release_from_layer

    land = add_layer(project, str(ROOT / "sample_data" / "us_boundary.gpkg"), "us_boundary")
    assert not dock.answer.within.isVisibleTo(dock.answer)
    dock.public.within.setLayer(land)
    assert dock.wish().within == land.id()
    dock.answer.cells.setCurrentIndex(2)
    dock.answer.districts.setLayer(layers["regions"])
    assert dock.answer.within.isVisibleTo(dock.answer)
    assert dock.wish().within == ""  # that of the extent is greyed out, and does not count
    dock.answer.within.setLayer(land)
    assert dock.wish().within == land.id()
    assert "'WITHIN':" in dock.call.text.toPlainText()
    target = tmp_path / "states.gpkg"
    dock.answer.target.setFilePath(str(target))
    dock.start()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Done")
    (layer,) = [layer for layer in project.mapLayers().values() if str(target) in layer.source()]
    assert release_from_layer(layer).domain.within is not None
    dock.answer.cells.setCurrentIndex(0)
    dock.public.within.setLayer(None)
    assert dock.wish().within == ""  # nor does that of districts for a grid


def test_districts_must_be_chosen_and_cells_come_back(layers, dock, spin):
    dock.answer.target.setFilePath("counts.tif")
    dock.answer.cells.setCurrentIndex(2)
    assert dock.answer.target.filePath() == ""  # a GeoTIFF holds no districts
    dock.answer.districts.setLayer(None)
    dock.start()
    assert dock.foot.message.text() == "Choose the districts, a public layer of polygons."
    dock.answer.cells.setCurrentIndex(1)
    assert dock.public.isEnabled()
    assert dock.answer.expected.isVisibleTo(dock.answer)
    assert not dock.answer.districts.isVisibleTo(dock.answer)
    assert not dock.wish().by_districts
    assert dock.forecast.chart.isVisibleTo(dock.forecast)


def done(dock, spin, project, target):
    """Press the button, wait, and return the layer that was written there."""
    dock.answer.target.setFilePath(str(target))
    dock.start()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Done")
    (layer,) = [layer for layer in project.mapLayers().values() if str(target) in layer.source()]
    return layer


def test_hexagons_are_a_mode_of_the_dock(layers, dock, spin, project, canvas, tmp_path):
    from geodp_qgis.vectors import release_from_layer

    fill(dock, spin, cells=3)
    assert dock.public.isEnabled()
    assert dock.answer.side.isVisibleTo(dock.answer)
    for hidden in (dock.answer.districts, dock.answer.regions, dock.answer.expected):
        assert not hidden.isVisibleTo(dock.answer)
    assert "Say how long a side of a hexagon is" in dock.forecast.chart._text
    dock.start()
    assert dock.foot.message.text() == "Say how long a side of a hexagon is, such as 5km."
    dock.answer.side.setText("wide")
    look(dock, spin)
    assert "one number" in dock.forecast.chart._text
    dock.forecast.number.setValue(0.5)
    assert "one number" in dock.forecast.chart._text  # what is wrong is not forgotten
    dock.answer.side.setText("100km")
    look(dock, spin)
    assert "each of 588 hexagons" in dock.forecast.reading.text()
    assert "2.8 records" in dock.forecast.reading.text()
    assert not dock.forecast.chart.isVisibleTo(dock.forecast)
    (band,) = bands(canvas)
    assert band.size() == 588
    dock.forecast.shown.setChecked(False)
    assert bands(canvas) == []
    assert "privatehexagons" in dock.call.text.toPlainText()
    layer = done(dock, spin, project, tmp_path / "hexagons.gpkg")
    release = release_from_layer(layer)
    assert (release.cells.kind, len(release.cells)) == ("hexagons", 588)
    assert release.epsilon == Fraction(1, 2)
    dock.answer.cells.setCurrentIndex(2)
    dock.answer.districts.setLayer(layers["regions"])
    assert "each district" in dock.forecast.reading.text()  # no hexagon lingers


def test_many_hexagons_are_counted_and_not_drawn(layers, dock, spin, canvas):
    fill(dock, spin, cells=3)
    dock.answer.side.setText("10km")
    look(dock, spin)
    assert re.search(r"each of 5\d,\d{3} hexagons", dock.forecast.reading.text())
    assert [each.numberOfVertices() for each in bands(canvas)] in ([], [0])
    figures = dock.figures
    for folded in (False, True, False):  # hexagons are in no larger units, folded or not
        figures.setCollapsed(folded)
        hidden = (figures.low, figures.named_by, figures.units, figures.larger)
        assert not any(each.isVisibleTo(figures) for each in hidden)
    assert figures.grey.isVisibleTo(figures)
    dock.answer.side.setText("1m")
    look(dock, spin)
    assert "hexagons" in dock.forecast.chart._text  # too many
    assert dock._hexagons is None


def test_sums_and_means_of_a_field(layers, dock, spin, project, tmp_path):
    from geodp_qgis.vectors import release_from_layer

    assert not dock.figures.isVisibleTo(dock)  # cells of a raster have none
    dock.answer.cells.setCurrentIndex(2)
    assert dock.figures.isVisibleTo(dock)
    assert dock.figures.isCollapsed()
    assert not dock.figures.low.isVisibleTo(dock.figures)
    names = [dock.figures.amount.itemText(each) for each in range(dock.figures.amount.count())]
    assert "population" in names
    assert "name" not in names
    dock.figures.amount.setField("population")
    dock.start()
    assert "needs both bounds" in dock.foot.message.text()
    assert not dock.figures.isCollapsed()  # what lacks can be seen
    dock.figures.low.setText("0")
    dock.figures.high.setText("1e4 people")
    dock.start()
    assert "must be a number, such as 10000; got '1e4 people'" in dock.foot.message.text()
    dock.figures.high.setText("1e4")
    assert "off by about 2 records" in dock.forecast.reading.text()
    assert "Sums will be off by about 14,100" in dock.forecast.reading.text()
    release = release_from_layer(done(dock, spin, project, tmp_path / "sums.gpkg"))
    assert {"sum", "mean"} <= set(release.columns())
    dock.answer.cells.setCurrentIndex(1)
    assert "AMOUNT" not in dock.wish().parameters()


@pytest.fixture
def states(project, tmp_path):
    """The districts with a letter, as larger units, and a number of people, with the points."""
    import processing

    add_layer(project, PLACES, "us_places")
    path = DISTRICTS
    for name, kind, formula in (("letter", 2, 'left("name", 1)'), ("people", 1, "1000")):
        given = {"INPUT": path, "FIELD_NAME": name, "FIELD_TYPE": kind, "FIELD_LENGTH": 0}
        path = str(tmp_path / f"{name}.gpkg")
        processing.run("native:fieldcalculator", {**given, "FORMULA": formula, "OUTPUT": path})
    return add_layer(project, path, "states")


def test_larger_units_and_grey(states, dock, spin, project, tmp_path):
    from geodp_qgis.vectors import release_from_layer

    dock.answer.cells.setCurrentIndex(2)
    assert dock.answer.districts.currentLayer() == states
    dock.figures.setCollapsed(False)
    assert not dock.figures.larger.isVisibleTo(dock.figures)
    dock.figures.units.setField("letter")
    assert dock.figures.larger.isVisibleTo(dock.figures)
    dock.start()
    assert "Choose the field that names the districts" in dock.foot.message.text()
    dock.figures.named_by.setField("name")
    dock.figures.grey.setValue(0.5)
    assert dock.wish().parameters()["LEVELS"] == ["letter", "name"]
    assert "up to a third more" in dock.forecast.reading.text()
    assert "GREY" in dock.call.text.toPlainText()
    layer = done(dock, spin, project, tmp_path / "levels.gpkg")
    assert tuple(release_from_layer(layer).cells.levels.names) == ("letter", "name")
    assert layer.styleManager().currentStyle() == "counts, uncertain ones grey"
    assert layer.renderer().ranges()[-1].label() == "uncertain: ±50 % or more"


def test_rates_are_of_as_many_as_one_likes(states, dock, spin, project, tmp_path):
    dock.answer.cells.setCurrentIndex(2)
    assert not dock.answer.each.isVisibleTo(dock.answer)
    dock.answer.per.setField("people")
    assert dock.answer.each.isVisibleTo(dock.answer)
    assert "EACH" not in dock.wish().parameters()
    dock.answer.each.setValue(100_000)
    layer = done(dock, spin, project, tmp_path / "rates.gpkg")
    rates = [(feature["rate"], feature["count"]) for feature in layer.getFeatures()]
    assert [rate for rate, _ in rates] == pytest.approx([100 * count for _, count in rates])


def test_another_project_has_another_place(layers, dock, spin, project):
    fill(dock, spin)
    dock.more.heading.setText("Towns")
    project.clear()
    assert dock.public.extent.text() == dock.wish().title == ""
    assert not dock.public.crs.crs().isValid()
    assert not dock.wish().extent_is_public


def test_a_crs_is_offered_to_a_map_in_degrees(dock, spin, project):
    from qgis.core import QgsCoordinateReferenceSystem

    project.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    assert not dock.public.crs.crs().isValid()
    assert dock.public.offer.isHidden()
    dock.public.extent.line.setText("14.8,15.2,48.6,48.9")
    assert dock.public.offer.text() == "Use EPSG:32633"
    assert "UTM zone 33N" in dock.public.offer.toolTip()
    dock.public.offer.click()
    assert dock.public.crs.crs().authid() == "EPSG:32633"
    assert dock.public.extent.text() == "14.8,15.2,48.6,48.9 [EPSG:4326]"
    assert dock.public.offer.isHidden()
    look(dock, spin)
    assert dock.forecast._grids


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_second_map_is_asked_about(layers, dock, spin, project, monkeypatch, goes_on):
    """Without a name it is the layer's own account that tells."""
    asked = []

    def confirm(text):
        asked.append(text)
        return goes_on

    monkeypatch.setattr(dock, "confirm", confirm)
    dock.answer.sizes.setText("20")
    fill(dock, spin)
    assert "an account of its own, with a cap of ε = 1e+06" in dock.protected.balance.text()
    for _ in range(2):
        dock.foot.make.click()
        spin(lambda: not dock.running.is_active)
        look(dock, spin)
    (text,) = asked
    assert "us_places.gpkg', ε = 1 was spent before" in text
    assert "and adds 1: 2 of 1e+06 in all" in text
    assert len(private_layers(project)) == 1 + goes_on
    assert dock.foot.message.text().startswith("Done" if goes_on else "Nothing was read")


@pytest.mark.parametrize("begun", [False, True])
def test_a_cancelled_run_says_so_and_spends_nothing(
    layers, dock, spin, project, ledger, at_the_first_point, begun
):
    fill(dock, spin)
    dock.foot.make.click()
    if begun:
        spin(at_the_first_point.is_set)
    ends = []
    dock.running._work.taskTerminated.connect(lambda: ends.append("failed"))
    dock.foot.cancel.click()
    spin(lambda: not dock.running.is_active)
    assert dock.foot.message.text().startswith("Cancelled: ")
    if begun:
        assert ends == []  # QGIS would say that a task failed
        assert "nothing was released" in dock.foot.message.text()
    assert dock.foot.make.isEnabled()
    assert private_layers(project) == []
    assert not ledger.exists()


def test_a_layer_that_goes_while_it_is_read_ends_the_run(
    layers, dock, spin, project, at_the_first_point
):
    fill(dock, spin)
    dock.foot.make.click()
    spin(at_the_first_point.is_set)
    project.clear()
    spin(lambda: not dock.running.is_active)
    assert private_layers(project) == []
    assert dock.foot.message.text().startswith("Cancelled: ")
    assert dock.wish().points == ""


def test_the_plugin_may_go_while_it_runs(layers, canvas, ledger, spin, qgis, project):
    from geodp_qgis.dock.panel import PrivateMapDock
    from qgis.PyQt import sip

    dock = PrivateMapDock(canvas)
    dock.show()
    fill(dock, spin)
    dock._look_ahead()
    dock.foot.make.click()
    assert dock.running.is_active
    assert dock._foresights
    dock.leave()
    sip.delete(dock)
    for _ in range(50):
        qgis.processEvents()
    assert private_layers(project) == []
    assert bands(canvas) == []


def test_without_the_core_the_button_says_what_is_missing(qgis, monkeypatch):
    from geodp_qgis import library, plugin
    from qgis.PyQt.QtWidgets import QMenu

    shown, menu = [], QMenu()

    class Desktop:
        addPluginToVectorMenu = removePluginVectorMenu = lambda self, menu, action: None
        addVectorToolBarIcon = removeVectorToolBarIcon = lambda self, action: None

        def mainWindow(self):
            return None

        def pluginHelpMenu(self):
            return menu

        def messageBar(self):
            return self

        def pushWarning(self, title, text):
            shown.append(text)

        def addCustomActionForLayerType(self, *given):
            pass

        def removeCustomActionForLayerType(self, action):
            pass

    loaded_plugin = plugin.GeodpPlugin(Desktop())
    monkeypatch.setattr(loaded_plugin, "initProcessing", lambda: None)
    loaded_plugin.initGui()
    monkeypatch.setattr(library, "MISSING", "No module named 'numpy'")
    loaded_plugin.actions[0].trigger()
    assert shown == ["geodp cannot run in this QGIS, which lacks a part: No module named 'numpy'"]
    assert not loaded_plugin.actions[0].isChecked()
    assert loaded_plugin.dock is None
    assert [action.text() for action in menu.actions()] == ["Try with sample data"]
    loaded_plugin.unload()
    assert menu.actions() == []


def test_layers_may_go_while_the_dock_is_open(layers, dock, spin, project):
    dock.answer.regions.setLayer(layers["regions"])
    dock.public.within.setLayer(layers["regions"])
    dock.public.extent.line.setText(EXTENT)
    dock._look_ahead()
    project.removeMapLayers([layer.id() for layer in layers.values()])
    look(dock, spin)
    assert dock.wish().regions == ""
    dock.foot.make.click()
    assert dock.foot.message.text() == "Choose the points that shall be protected."


def test_other_layers_may_go_while_it_looks_ahead(layers, dock, spin, project):
    other = add_layer(project, DISTRICTS, "others")
    dock.answer.cells.setCurrentIndex(0)
    dock.answer.regions.setLayer(layers["regions"])
    dock.public.extent.line.setText(EXTENT)
    dock._look_ahead()
    dock._look_ahead()  # twice quickly: the first is given up
    project.removeMapLayer(other.id())
    look(dock, spin)
    assert dock.forecast._curves is not None


@pytest.mark.parametrize("content", [b"", b"not a ledger at all"])
def test_a_ledger_that_cannot_be_read_is_told_of(layers, dock, spin, ledger, content):
    ledger.write_bytes(content)
    fill(dock, spin)
    dock.protected.name.setEditText("places")
    look(dock, spin)
    assert "ledger" in dock.protected.balance.text()
    assert dock.protected.left.isHidden()
    dock.foot.make.click()
    assert "ledger" in dock.foot.message.text()
    assert ledger.read_bytes() == content


def test_a_layer_without_a_crs_is_refused(project, dock, spin):
    from qgis.core import QgsCoordinateReferenceSystem

    layer = add_layer(project, "Point?field=who:string", "bare", "memory")
    layer.setCrs(QgsCoordinateReferenceSystem())
    dock.protected.points.setLayer(layer)
    dock.public.crs.setCrs(QgsCoordinateReferenceSystem(CRS))
    fill(dock, spin)
    dock.foot.make.click()
    assert "need a CRS" in dock.foot.message.text()


def test_several_points_of_a_feature_are_asked_about(project, dock):
    assert dock.protected.most.isHidden()
    layer = add_layer(project, f"MultiPoint?crs={CRS}", "many", "memory")
    dock.protected.points.setLayer(layer)
    assert not dock.protected.most.isHidden()
    dock.protected.most.setValue(4)
    assert dock.wish().most == 4


# --- keys, words, pictures -----------------------------------------------------------------------


def test_the_tab_key_goes_through_every_stop_in_order(layers, dock, spin):
    fill(dock, spin)
    questions = (*dock._questions(), dock.forecast)
    wanted = [stop for question in questions for stop in question.stops()] + list(dock.call.stops())
    wanted += dock.foot.stops()
    chain, widget = [], wanted[0]
    while widget not in chain:
        chain.append(widget)
        widget = widget.nextInFocusChain()
    assert [each for each in chain if each in wanted] == wanted


def test_what_was_refused_is_forgotten_with_the_next_answer(layers, dock):
    dock.foot.make.click()
    assert "Give a public extent" in dock.foot.message.text()
    dock.public.extent.line.setText(EXTENT)
    assert dock.foot.message.isHidden()


def turn(widget):
    """Turn the wheel over a widget; whether it was taken."""
    from qgis.PyQt.QtCore import QPoint, QPointF, Qt
    from qgis.PyQt.QtGui import QWheelEvent
    from qgis.PyQt.QtWidgets import QApplication

    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_scrolling_changes_no_answer(layers, dock, spin):
    before = dock.wish()
    for each in (dock.protected, dock.public, dock.answer, dock.forecast):
        for stop in each.stops():
            turn(stop)
    assert dock.wish() == before
    dock.activateWindow()
    dock.forecast.slider.setFocus()
    spin(dock.forecast.slider.hasFocus)
    turn(dock.forecast.slider)  # whoever went there means it
    assert dock.wish().epsilon < before.epsilon


def test_the_only_layer_of_points_is_chosen_when_it_comes(dock, project):
    layer = add_layer(project, PLACES, "us_places")
    assert dock.wish().points == layer.id()
    add_layer(project, PLACES, "others")
    assert dock.wish().points == layer.id()


def test_everything_that_takes_keys_has_a_name(dock):
    from qgis.PyQt.QtCore import Qt
    from qgis.PyQt.QtWidgets import QAbstractButton

    questions = (*dock._questions(), dock.forecast)
    for stop in (stop for question in questions for stop in question.stops()):
        owner = stop if stop.accessibleName() else stop.parentWidget()
        words = stop.text() if isinstance(stop, QAbstractButton) else owner.accessibleName()
        assert words, stop
        assert stop.focusPolicy() & Qt.FocusPolicy.TabFocus or stop.findChildren(type(stop)) == []


def test_everything_that_takes_keys_can_be_heard(dock):
    """Parts of QGIS's own widgets as well."""
    from qgis.PyQt.QtCore import Qt
    from qgis.PyQt.QtWidgets import QAbstractItemView, QGroupBox, QScrollArea, QWidget

    def words(widget):
        for word in ("accessibleName", "text", "title", "toolTip"):
            method = getattr(widget, word, None)  # which an attribute may hide
            if callable(method) and (text := method()):
                return text
        return ""

    keyed = [
        each
        for each in dock.findChildren(QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(each, (QScrollArea, QGroupBox, QAbstractItemView))
    ]
    assert len(keyed) > 30
    nameless = [each for each in keyed if not words(each) and not words(each.parentWidget())]
    assert [type(each).__name__ for each in nameless] == []


def letters(dock):
    from qgis.PyQt.QtWidgets import QGroupBox, QLabel, QPushButton

    texts = [each.text() for kind in (QLabel, QPushButton) for each in dock.findChildren(kind)]
    texts += [each.title() for each in dock.findChildren(QGroupBox)]
    return [letter.lower() for text in texts for letter in re.findall(r"&(\w)", text)]


@pytest.fixture
def looked_at(canvas, ledger, project):
    """Return what a function says of a dock in the language of the moment."""
    from geodp_qgis.dock.panel import PrivateMapDock
    from qgis.PyQt import sip

    def go(function):
        dock = PrivateMapDock(canvas)
        try:
            return function(dock)
        finally:
            dock.leave()
            sip.delete(dock)

    return go


@pytest.mark.parametrize("language", ["english", "german", "french"])
def test_no_two_places_have_the_same_key(request, looked_at, language):
    if language != "english":
        request.getfixturevalue(language)
    keys = looked_at(letters)
    assert len(keys) >= 9
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("language", ["german", "french"])
def test_other_languages_leave_as_much_room_for_the_map(request, looked_at, language):
    def narrowest(dock):
        return dock.minimumSizeHint().width()

    english = looked_at(narrowest)
    request.getfixturevalue(language)
    assert looked_at(narrowest) <= 1.25 * english


@pytest.mark.parametrize("night", [False, True])
def test_the_chart_can_be_read_by_day_and_by_night(layers, dock, spin, night):
    from qgis.PyQt.QtGui import QColor, QPalette

    dock.answer.expected.setValue(9000)
    fill(dock, spin)
    chart = dock.forecast.chart
    palette = QPalette(QColor("#323232" if night else "#f0f0f0"))
    palette.setColor(QPalette.ColorRole.WindowText, QColor("white" if night else "black"))
    palette.setColor(QPalette.ColorRole.Highlight, QColor("#308cc6"))
    chart.setPalette(palette)
    picture = chart.grab().toImage()
    colours = {
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    }
    assert "#308cc6" in colours  # the curve
    assert ("#ffffff" if night else "#000000") in colours  # the words


def test_only_the_points_own_modules_look_at_features():
    """No module of the dock has a word for looking at features; one takes public extents."""
    words = re.compile(r"getFeatures|featureCount|uniqueValues|maximumValue|sourceExtent")
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not words.search(text), path.name
        assert ".extent()" not in text or path.name == "extent_box.py", path.name
