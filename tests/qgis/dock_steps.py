"""Steps of ``desktop_driver`` with the dock *Private map*."""

from qgis.core import QgsProject
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QLabel, QScrollArea
from qgis.utils import iface

EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"

NARROW, USUAL, WIDE = 50, 330, 620
"""Widths that are asked for; the dock is never so narrow that it is cut."""


class DockSteps:
    """Steps that share what the driver has seen and keeps."""

    def __init__(self, seen, kept, shoot):
        self.seen, self.kept, self.shoot = seen, kept, shoot

    @property
    def dock(self):
        return iface.mainWindow().findChild(QDockWidget, "geodp:dock")

    def action(self):
        return next(
            action
            for action in iface.vectorMenu().actions()
            if action.menu() and action.text() == "geodp"
        ).menu()

    def toggle(self):
        entries = self.action().actions()
        next(entry for entry in entries if entry.objectName() == "geodp:privatemap").trigger()

    def bands(self):
        items = iface.mapCanvas().scene().items()
        return [item for item in items if isinstance(item, QgsRubberBand) and item.size()]

    def open(self):
        for name in ("us_places", "us_districts"):
            node = QgsProject.instance().layerTreeRoot().findLayer(self.kept[name].id())
            node.setItemVisibilityChecked(True)
        self.toggle()
        dock = self.dock
        self.seen["dock_points"] = dock.protected.points.currentLayer() == self.kept["us_places"]
        dock.public.extent.line.setText(EXTENT)
        dock.answer.regions.setLayer(self.kept["us_districts"])
        dock.answer.expected.setValue(9000)
        dock.protected.name.setEditText("places")
        dock.protected.cap.setValue(5)

    def _looks_ahead(self):
        return self.dock._timer.isActive() or bool(self.dock._foresights)

    def make(self):
        if self._looks_ahead():
            return False
        self.kept["before"] = set(QgsProject.instance().mapLayers())
        self.seen["dock_bands"] = len(self.bands())
        self.dock.foot.make.click()
        return None

    def is_made(self):
        return not self.dock.running.is_active

    def look(self):
        dock, project = self.dock, QgsProject.instance()
        self.seen["dock_said"] = dock.foot.message.text()
        self.seen["dock_bands_after"] = len(self.bands())
        dock.forecast.shown.setChecked(True)
        self.seen["dock_left"] = dock.protected.left.text()
        loaded = set(project.mapLayers()) - self.kept["before"]
        self.seen["dock_made"] = [project.mapLayer(name).name() for name in loaded]
        self.seen["dock_made"] += [group.name() for group in project.layerTreeRoot().findGroups()]
        for node in project.layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(node.layer() == self.kept["us_districts"])
            node.setExpanded(False)
        iface.mapCanvas().refresh()

    def wide(self):
        self.seen["dock_cut"] = []
        iface.mainWindow().resizeDocks([self.dock], [WIDE], Qt.Orientation.Horizontal)

    def narrow(self):
        self.shoot(iface.mainWindow(), "dock")
        self._shoot_dock("dock-wide")
        iface.mainWindow().resizeDocks([self.dock], [NARROW], Qt.Orientation.Horizontal)

    def fill_up(self):
        """Another name in the ledger, about which there is more to say."""
        from geodp_qgis.dock.balance import usual_ledger
        from geodp_qgis.library import geodp

        self._shoot_dock("dock-narrow")
        ledger = geodp.Ledger(usual_ledger())
        ledger.register("people", 5)
        ledger["people"].spend(1, geodp.Person("who", 2).unit, "a map")
        self.dock.protected.name.setEditText("people")

    def usual(self):
        if self._looks_ahead():
            return False
        self.seen["sentences_cut"] = [
            sentence.text()
            for epsilon in (0.5, 4.5, 0.25, 1)  # of several lengths, one after the other
            for sentence in self._sentences(epsilon)
            if sentence.isVisible()
            and sentence.height() < sentence.heightForWidth(sentence.width())
        ]
        self.dock.protected.name.setEditText("places")
        iface.mainWindow().resizeDocks([self.dock], [USUAL], Qt.Orientation.Horizontal)
        return None

    def _sentences(self, epsilon):
        """Return what is said about an ε, once it has its place."""
        self.dock.forecast.number.setValue(epsilon)
        QApplication.processEvents()
        return [each for each in self.dock.findChildren(QLabel) if each.wordWrap()]

    def _shoot_dock(self, name):
        self.shoot(self.dock, name)
        area = self.dock.findChild(QScrollArea)
        self.seen["dock_cut"].append(area.horizontalScrollBar().isVisible())
        self.seen.setdefault("dock_widths", []).append(self.dock.width())

    def open_options(self):
        """All options: the dialog has the dock's answers and would make the same call."""
        area = self.dock.findChild(QScrollArea)
        area.ensureWidgetVisible(self.dock.forecast)
        self._shoot_dock("dock-forecast")
        self.dock.foot.more.click()

    def compare(self):
        dialogs = [w for w in QApplication.topLevelWidgets() if hasattr(w, "runAlgorithm")]
        dialog = next(w for w in dialogs if w.isVisible())
        given = dialog.createProcessingParameters()
        wish = self.dock.wish().parameters()
        self.seen["dock_same"] = {
            name: (_plain(wish[name]), _plain(given.get(name))) for name in wish
        }
        others = set(given) - set(wish)
        defaults = {
            definition.name(): definition.defaultValue()
            for definition in dialog.algorithm().parameterDefinitions()
        }
        self.seen["dock_more"] = {
            name: _plain(given[name])
            for name in others
            if given[name] not in (None, "", defaults[name])
        }
        dialog.close()

    def hexagons(self):
        """Cells that are polygons, with sums; unfolding shows what hexagons have, and no more."""
        dock = self.dock
        dock.answer.cells.setCurrentIndex(3)
        dock.answer.side.setText("200km")
        dock.figures.amount.setField("population")
        dock.figures.low.setText("0")
        dock.figures.high.setText("20000")
        dock.figures.setCollapsed(False)

    def look_at_hexagons(self):
        if self._looks_ahead():
            return False
        dock = self.dock
        dock.findChild(QScrollArea).ensureWidgetVisible(dock.figures)
        self._shoot_dock("dock-hexagons")
        rows = ("amount", "low", "named_by", "units", "larger", "grey")
        self.seen["dock_rows"] = [row for row in rows if getattr(dock.figures, row).isVisible()]
        self.seen["dock_expects"] = dock.forecast.reading.text()
        self.seen["dock_hexagons"] = [band.size() for band in self.bands()]
        dock.figures.setCollapsed(True)
        dock.answer.cells.setCurrentIndex(1)
        return None

    def hide(self):
        if self._looks_ahead():
            return False
        self.toggle()
        self.seen["dock_hidden"] = self.dock.isHidden(), len(self.bands())
        self.toggle()
        self.seen["dock_again"] = self.dock.public.extent.text(), len(self.bands())
        return None

    def at_night(self):
        area = self.dock.findChild(QScrollArea)
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        self._shoot_dock("dock-night")
        self.dock.close()
        entries = self.action().actions()
        self.seen["dock_unticked"] = not next(
            entry for entry in entries if entry.objectName() == "geodp:privatemap"
        ).isChecked()
        self.toggle()  # QGIS must get along with a dock that is open when it ends

    def by_day(self):
        return [
            (self.open, 1500),
            (self.make, 200),
            (self.is_made, 200),
            (self.look, 1500),
            (self.wide, 1000),
            (self.narrow, 500),
            (self.fill_up, 500),
            (self.usual, 500),
            (self.open_options, 1000),
            (self.compare, 100),
            (self.hexagons, 500),
            (self.look_at_hexagons, 200),
            (self.hide, 100),
        ]


def _plain(value):
    if hasattr(value, "authid"):
        return value.authid()
    return value.sink.staticValue() if hasattr(value, "sink") else value
