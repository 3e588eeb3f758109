"""Drives a QGIS desktop from inside (``qgis --code``): installs the zip, runs, looks, leaves.

What was seen is written as JSON, the screenshots as PNG, into the folder that the environment
variable GEODP_DESKTOP_FOLDER names; GEODP_DESKTOP_ZIP names the plugin's zip, GEODP_DESKTOP_DATA
the sample data, GEODP_DESKTOP_TOWN those of the town and GEODP_DESKTOP_STEPS this file's folder.
"""

import faulthandler
import json
import os
import sys
import traceback
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsInterval,
    QgsLayerDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsTemporalNavigationObject,
    QgsTemporalUtils,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QDialogButtonBox,
    QDockWidget,
    QScrollArea,
    QTextBrowser,
    QTextEdit,
    QToolBar,
)
from qgis.utils import iface

FOLDER = Path(os.environ["GEODP_DESKTOP_FOLDER"])
DATA = Path(os.environ["GEODP_DESKTOP_DATA"])
TOWN = Path(os.environ["GEODP_DESKTOP_TOWN"])
ZIP = os.environ["GEODP_DESKTOP_ZIP"]
EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"

faulthandler.enable()  # QGIS has its own, which says nothing of where
seen = {}
INCIDENTS = {
    "INPUT": str(TOWN / "incidents.gpkg"),
    "EXTENT": "490000,510000,5390000,5410000 [EPSG:32633]",
    "CRS": "EPSG:32633",
    "EPSILON": 1,
    "SIZES": "24",
    "BY": "time",
}
kept = {}

sys.path.append(os.environ["GEODP_DESKTOP_STEPS"])
from asking_steps import AskingSteps  # noqa: E402
from dock_steps import DockSteps  # noqa: E402
from tutorial_steps import TutorialSteps  # noqa: E402


def shoot(widget, name):
    QApplication.processEvents()
    assert widget.grab().save(str(FOLDER / f"{name}.png"))


def prepare():
    window = iface.mainWindow()
    window.setGeometry(0, 0, 1500, 900)
    for name in ("Browser", "Browser2"):
        dock = window.findChild(QDockWidget, name)
        if dock is not None:
            dock.hide()
    # QGIS remembers to keep nothing else on the screen.
    iface.messageBar().clearWidgets()


def install():
    """As *Manage and Install Plugins > Install from ZIP* does it."""
    import pyplugin_installer

    pyplugin_installer.instance().installFromZipFile(ZIP)
    import qgis.utils

    seen["active"] = "geodp_qgis" in qgis.utils.active_plugins
    seen["path"] = qgis.utils.plugins["geodp_qgis"].__class__.__module__


def add_layers():
    project = QgsProject.instance()
    for name in ("us_districts", "us_places"):
        layer = QgsVectorLayer(str(DATA / f"{name}.gpkg"), name, "ogr")
        assert layer.isValid()
        if name == "us_districts":
            layer.renderer().symbol().symbolLayer(0).setBrushStyle(0)
        else:
            layer.renderer().symbol().setSize(1)
        project.addMapLayer(layer)
        kept[name] = layer
    project.setCrs(QgsCoordinateReferenceSystem("EPSG:5070"))
    iface.mapCanvas().setExtent(QgsRectangle(-2500000, 100000, 2400000, 3300000))
    iface.mapCanvas().refresh()
    iface.messageBar().clearWidgets()


def look_at_toolbox():
    dock = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
    dock.show()
    dock.searchBox.setText("geodp")
    dock.algorithmTree.expandAll()
    dock.algorithmTree.clearSelection()
    model = dock.algorithmTree.model()
    seen["toolbox"] = sorted(texts(model))
    kept["toolbox"] = dock


def texts(model, parent=None):
    """Every entry of a tree that is shown, depth first."""
    from qgis.PyQt.QtCore import QModelIndex

    parent = parent or QModelIndex()
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield model.data(index)
        yield from texts(model, index)


def look_at_button():
    window = iface.mainWindow()
    action = window.findChild(QAction, "geodp:privatehistogram")
    bars = [bar for bar in window.findChildren(QToolBar) if action in bar.actions()]
    buttons = [bar.widgetForAction(action) for bar in bars]
    seen["button"] = [bar.windowTitle() for bar in bars]
    seen["button_visible"] = [button.isVisible() for button in buttons]
    seen["button_icon"] = not action.icon().isNull()
    entries = [menu for menu in iface.vectorMenu().actions() if menu.menu() is not None]
    entries_with_it = [menu for menu in entries if action in menu.menu().actions()]
    seen["menu"] = {
        menu.text(): [action.text() for action in menu.menu().actions()] for menu in entries_with_it
    }
    shoot(window, "button")
    kept["action"] = action


def open_dialog():
    kept["toolbox"].hide()
    kept["action"].trigger()
    dialogs = [w for w in QApplication.topLevelWidgets() if hasattr(w, "runAlgorithm")]
    dialog = next(w for w in dialogs if w.isVisible())
    seen["dialog"] = dialog.windowTitle()
    kept["dialog"] = dialog


def fill_in():
    dialog = kept["dialog"]
    shoot(dialog, "opened")
    bars = [area.horizontalScrollBar() for area in dialog.findChildren(QScrollArea)]
    seen["scrollbars"] = [bar.isVisible() for bar in bars]
    wrappers = dialog.mainWidget().wrappers
    seen["preselected"] = wrappers["INPUT"].parameterValue()
    seen["points"] = kept["us_places"].id()
    dialog.resize(1000, 1060)
    dialog.setParameters(
        {
            "INPUT": kept["us_places"].id(),
            "EXTENT": EXTENT,
            "CRS": "EPSG:5070",
            "CELLS": 0,  # one grid: regions say for what its size is chosen
            "REGIONS": kept["us_districts"].id(),
            "OUTPUT_VECTOR": "TEMPORARY_OUTPUT",
        }
    )


def press_run():
    dialog = kept["dialog"]
    shoot(dialog, "dialog")
    dialog.algorithmFinished.connect(finished)
    run = [
        button
        for button in dialog.buttonBox().buttons()
        if dialog.buttonBox().buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole
        or button.text() == "Run"
    ]
    run[0].click()


def finished(successful, results):
    seen["successful"] = successful
    seen["results"] = {name: str(value) for name, value in results.items()}


def is_finished():
    return "successful" in seen


def history():
    """The newest entry of *Processing > History*, as text."""
    try:
        from processing.core.ProcessingLog import ProcessingLog
    except ImportError:  # QGIS 3.24 and later keep more of a run
        from qgis.gui import QgsGui

        entries = QgsGui.historyProviderRegistry().queryEntries(providerId="processing")
        entry = max(entries, key=lambda each: each.timestamp).entry
        return f"{entry['python_command']}\n{entry['results']}\n{entry.get('log', '')}"
    return ProcessingLog.getLogEntries()[0].text


def look_at_log():
    dialog = kept["dialog"]
    shoot(dialog, "log")
    seen["log"] = dialog.findChild(QTextEdit, "txtLog").toPlainText()
    seen["history"] = history()
    layers = QgsProject.instance().mapLayers().values()
    counted = [layer for layer in layers if layer.name().startswith("Private counts")]
    seen["layers"] = {type(layer.renderer()).__name__: layer.name() for layer in counted}
    seen["promises"] = [layer.metadata().abstract() for layer in counted]
    kept["raster"] = next(layer for layer in counted if isinstance(layer, QgsRasterLayer))
    dialog.close()
    tree = QgsProject.instance().layerTreeRoot()
    for layer in layers:
        shown = layer in (kept["raster"], kept["us_districts"])
        tree.findLayer(layer.id()).setItemVisibilityChecked(shown)
        tree.findLayer(layer.id()).setExpanded(layer == kept["raster"])
    # The borders above the counts.
    node = tree.findLayer(kept["us_districts"].id())
    tree.insertChildNode(0, node.clone())
    tree.removeChildNode(node)
    iface.messageBar().clearWidgets()
    iface.mapCanvas().refresh()


def look_at_map():
    shoot(iface.mainWindow(), "result")
    model = iface.layerTreeView().layerTreeModel()
    node = QgsProject.instance().layerTreeRoot().findLayer(kept["raster"].id())
    seen["legend"] = [entry.data(0) for entry in model.layerLegendNodes(node)]
    heavy = ("geopandas", "shapely", "pyproj", "rasterio", "pandas")
    seen["imported"] = [name for name in heavy if name in sys.modules]


def colours(layer):
    items = layer.renderer().shader().rasterShaderFunction().colorRampItemList()
    return [(item.value, item.color.name(), item.label) for item in items]


def press_ok():
    """Layer Properties, opened and closed with nothing changed."""
    kept["before"] = colours(kept["raster"])

    def ok():
        dialog = QApplication.activeModalWidget()
        if dialog is None:  # not yet
            QTimer.singleShot(200, ok)
            return
        shoot(dialog, "properties")
        dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok).click()

    QTimer.singleShot(1500, ok)
    iface.showLayerProperties(kept["raster"])


def reopen():
    """The file again, as from the browser or *Add Raster Layer*."""
    seen["colours_kept"] = colours(kept["raster"]) == kept["before"]
    again = iface.addRasterLayer(seen["results"]["OUTPUT_RASTER"], "again")
    seen["again"] = colours(again) == kept["before"]
    seen["again_promise"] = again.metadata().abstract()
    QgsProject.instance().removeMapLayer(again.id())


def adaptive():
    import processing

    results = processing.runAndLoadResults(
        "geodp:privatehistogram",
        {
            "INPUT": str(DATA / "us_places.gpkg"),
            "EXTENT": EXTENT,
            "CRS": "EPSG:5070",
            "EPSILON": 1,
            "CELLS": 1,
            "OUTPUT_RASTER": str(FOLDER / "adaptive.tif"),
            "OUTPUT_VECTOR": "TEMPORARY_OUTPUT",
        },
    )
    layer = QgsProject.instance().mapLayer(results["OUTPUT_VECTOR"])
    tree = QgsProject.instance().layerTreeRoot()
    for node in tree.findLayers():
        node.setItemVisibilityChecked(node.layer() in (layer, kept["us_districts"]))
        node.setExpanded(node.layer() == layer)
    seen["adaptive"] = layer.renderer().classAttribute()
    node = tree.findLayer(kept["us_districts"].id())
    tree.insertChildNode(0, node.clone())
    tree.removeChildNode(node)
    iface.mapCanvas().refresh()


def look_at_adaptive():
    shoot(iface.mainWindow(), "adaptive")


def ask():
    """A table of answers, and the page about the release, from the raster that was made."""
    import processing

    raster = seen["results"]["OUTPUT_RASTER"]
    page = processing.run(
        "geodp:about", {"INPUT": raster, "OUTPUT_HTML": str(FOLDER / "about.html")}
    )
    seen["promise"] = page["PROMISE"]
    regions = str(DATA / "us_districts.gpkg")
    answers = processing.runAndLoadResults(
        "geodp:query", {"INPUT": raster, "REGIONS": regions, "OUTPUT": "TEMPORARY_OUTPUT"}
    )
    layer = QgsProject.instance().mapLayer(answers["OUTPUT"])
    seen["answers"] = layer.featureCount()
    seen["answers_style"] = layer.renderer().type()
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        node.setItemVisibilityChecked(node.layer() == layer)
        node.setExpanded(node.layer() == layer)
    kept["table"] = iface.showAttributeTable(layer)
    kept["table"].resize(900, 420)


def look_at_table():
    shoot(iface.mainWindow(), "answered")
    shoot(kept["table"].window(), "answers")
    kept["table"].close()


def save_day():
    """Twenty-four maps of the incidents, one for each hour of the day, into files."""
    import processing

    processing.run(
        "geodp:privatehistogram",
        {
            **INCIDENTS,
            "BREAKS": ", ".join(f"{hour:02}:00" for hour in range(25)),
            "TITLE": "Incidents by time of day",
            "OUTPUT_RASTER": str(FOLDER / "day.tif"),
            "OUTPUT_VECTOR": str(FOLDER / "day.gpkg"),
        },
    )
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        node.setItemVisibilityChecked(False)
        node.setExpanded(False)


def open_day():
    """The saved rasters, as *Layer > Add from Layer Definition File* opens them."""
    project = QgsProject.instance()
    path = str(FOLDER / "day.qlr")
    ok, words = QgsLayerDefinition.loadLayerDefinition(path, project, project.layerTreeRoot())
    assert ok, words
    kept["group"] = project.layerTreeRoot().findGroup("Incidents by time of day")
    seen["group"] = [node.name() for node in kept["group"].children()]
    kept["group"].children()[0].setExpanded(False)
    town = QgsCoordinateReferenceSystem("EPSG:32633")
    iface.mapCanvas().setDestinationCrs(town)
    iface.mapCanvas().setExtent(QgsRectangle(489000, 5389000, 511000, 5411000))
    panel = iface.mainWindow().findChild(QDockWidget, "Temporal Controller")
    panel.show()
    kept["panel"] = panel


def play():
    """Every frame of the temporal controller, with what the canvas shows."""
    canvas = iface.mapCanvas()
    controller = canvas.temporalController()
    controller.setNavigationMode(QgsTemporalNavigationObject.NavigationMode.Animated)
    span = QgsTemporalUtils.calculateTemporalRangeForProject(QgsProject.instance())
    controller.setTemporalExtents(span)
    hour = QgsInterval(1, QgsUnitTypes.TemporalUnit.TemporalHours)
    controller.setFrameDuration(hour)
    seen["frames"] = controller.totalFrameCount()
    seen["played"] = {"rasters": frames(canvas, controller, "rasters")}
    kept["group"].setItemVisibilityChecked(False)
    cells = iface.addVectorLayer(f"{FOLDER}/day.gpkg|layername=day", "day", "ogr")
    seen["cells_in_time"] = cells.temporalProperties().isActive()
    seen["played"]["cells"] = frames(canvas, controller, "cells")
    QgsProject.instance().removeMapLayer(cells.id())
    kept["group"].setItemVisibilityChecked(True)
    controller.setCurrentFrameNumber(18)
    canvas.waitWhileRendering()


def frames(canvas, controller, name):
    """Colours of all cells in each frame: those of their middles on the canvas."""
    colours = []
    for frame in range(24):
        controller.setCurrentFrameNumber(frame)
        QApplication.processEvents()
        canvas.waitWhileRendering()
        image = canvas.grab().toImage()
        colours.append([colour_at(image, canvas, place) for place in range(24 * 24)])
    assert image.save(str(FOLDER / f"played-{name}.png"))
    return colours


def colour_at(image, canvas, place):
    row, column = divmod(place, 24)
    side = 20000 / 24
    pixel = canvas.getCoordinateTransform().transform(
        490000 + (column + 0.5) * side, 5410000 - (row + 0.5) * side
    )
    return image.pixelColor(int(pixel.x()), int(pixel.y())).name()


def look_at_day():
    shoot(iface.mainWindow(), "played")
    controller = iface.mapCanvas().temporalController()
    controller.setNavigationMode(QgsTemporalNavigationObject.NavigationMode.NavigationOff)
    kept["panel"].hide()
    kept["group"].setItemVisibilityChecked(False)
    kept["group"].setExpanded(False)


def subtract():
    """Two years of the incidents, and what changed between them."""
    import processing

    years = str(FOLDER / "years.tif")
    processing.run(
        "geodp:privatehistogram",
        {
            **INCIDENTS,
            "BREAKS": "2024-01-01, 2025-01-01, 2026-01-01",
            "OUTPUT_RASTER": years,
        },
    )
    results = processing.runAndLoadResults(
        "geodp:change",
        {
            "EARLIER": years,
            "FROM": "2024",
            "LATER": years,
            "TO": "2025",
            "OUTPUT_RASTER": str(FOLDER / "change.tif"),
        },
    )
    layers = QgsProject.instance().mapLayers().values()
    kept["change"] = next(layer for layer in layers if layer.source() == results["OUTPUT_RASTER"])
    seen["change"] = kept["change"].name()
    QgsProject.instance().layerTreeRoot().findLayer(kept["change"].id()).setExpanded(True)


def look_at_change():
    shoot(iface.mainWindow(), "change")
    model = iface.layerTreeView().layerTreeModel()
    node = QgsProject.instance().layerTreeRoot().findLayer(kept["change"].id())
    seen["change_legend"] = [entry.data(0) for entry in model.layerLegendNodes(node)]
    QgsProject.instance().removeMapLayer(kept["change"].id())
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:5070"))


def new_project():
    """As whoever follows the tutorial has it."""
    QgsProject.instance().clear()


def at_night():
    """The dialog's help on a dark theme; the layer in the panel is none of points."""
    iface.setActiveLayer(TUTORIAL.layer("us_districts"))
    seen["points_at_night"] = TUTORIAL.layer("us_places").id()
    QgsApplication.setUITheme("Night Mapping")
    kept["action"].trigger()
    dialogs = [w for w in QApplication.topLevelWidgets() if hasattr(w, "runAlgorithm")]
    kept["night"] = next(w for w in dialogs if w.isVisible())
    kept["night"].resize(1000, 700)


def look_at_night():
    shoot(kept["night"], "night")
    seen["preselected_at_night"] = kept["night"].mainWidget().wrappers["INPUT"].parameterValue()
    text = next(w for w in kept["night"].findChildren(QTextBrowser) if "private" in w.toPlainText())
    dark = text.palette().color(text.backgroundRole()).lightness()
    bold = [
        part.charFormat().foreground().color().lightness()
        for part in fragments(text.document())
        if part.charFormat().fontWeight() > 60
    ]
    seen["night"] = {"background": dark, "bold": bold}
    kept["night"].close()


def fragments(document):
    block = document.begin()
    while block.isValid():
        part = block.begin()
        while not part.atEnd():
            yield part.fragment()
            part += 1
        block = block.next()


def leave():
    (FOLDER / "seen.json").write_text(json.dumps(seen, indent=1), encoding="utf-8")
    kept.clear()
    QgsProject.instance().clear()  # otherwise QGIS may crash in its own teardown
    QTimer.singleShot(200, QgsApplication.instance().quit)


ASKING = AskingSteps(seen, kept, shoot, history)
DOCK = DockSteps(seen, kept, shoot)
TUTORIAL = TutorialSteps(seen, shoot)

STEPS = [
    (prepare, 500),
    (install, 1000),
    (add_layers, 1500),
    (look_at_toolbox, 700),
    (look_at_button, 200),
    (open_dialog, 1000),
    (fill_in, 1000),
    (press_run, 200),
    (is_finished, 200),
    (look_at_log, 2000),
    (look_at_map, 100),
    *ASKING.steps(),
    (press_ok, 500),
    (reopen, 500),
    (adaptive, 2000),
    (look_at_adaptive, 100),
    (ask, 1500),
    (look_at_table, 300),
    *DOCK.by_day(),
    (save_day, 200),
    (open_day, 1000),
    (play, 500),
    (look_at_day, 100),
    (subtract, 1500),
    (look_at_change, 100),
    (new_project, 1000),
    *TUTORIAL.steps(),
    (at_night, 1000),
    (look_at_night, 100),
    (DOCK.at_night, 100),
    (leave, 0),
]


def step(position=0):
    """Do one step, then the next after its pause; a step that returns False is asked again."""
    action, pause = STEPS[position]
    (FOLDER / "step").write_text(f"{position} {action.__name__}")
    try:
        again = action() is False
    except Exception:
        seen["error"] = f"{action.__name__}: {traceback.format_exc()}"
        return leave()
    if action is not leave:
        QTimer.singleShot(pause, lambda: step(position if again else position + 1))
    return None


QTimer.singleShot(500, step)
