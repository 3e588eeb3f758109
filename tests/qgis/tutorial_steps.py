"""The tutorial, done as it is written, with its pictures; steps of ``desktop_driver``."""

from qgis.core import QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QPushButton, QScrollArea
from qgis.utils import iface

EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"
WIDTH = 360


class TutorialSteps:
    """Steps that share what the driver has seen and keeps."""

    def __init__(self, seen, shoot):
        self.seen, self.shoot = seen, shoot

    @property
    def dock(self):
        return iface.mainWindow().findChild(QDockWidget, "geodp:dock")

    def action(self, name):
        entries = iface.vectorMenu().actions()
        menu = next(entry.menu() for entry in entries if entry.menu() and entry.text() == "geodp")
        return next(action for action in menu.actions() if action.objectName() == name)

    def layer(self, name):
        return QgsProject.instance().mapLayersByName(name)[0]

    def load(self):
        sample = self.action("geodp:sample")
        self.seen["in_help_menu"] = sample in iface.pluginHelpMenu().actions()
        sample.trigger()
        QApplication.processEvents()
        bar = iface.messageBar()
        self.seen["offered"] = [each.text() for each in bar.findChildren(QPushButton)]
        sample.trigger()  # a second time, nothing is added
        layers = QgsProject.instance().layerTreeRoot().findLayers()
        self.seen["sample_layers"] = [
            (layer.name(), layer.layer().featureCount()) for layer in layers
        ]
        self.seen["sample_crs"] = QgsProject.instance().crs().authid()
        bar.clearWidgets()

    def ask_for_states(self):
        area = self.dock.findChild(QScrollArea)
        area.verticalScrollBar().setValue(0)
        self.dock.protected.name.setEditText("")
        self.dock.answer.cells.setCurrentIndex(2)
        self.seen["only_districts"] = self.dock.answer.districts.currentLayer().name()
        iface.mainWindow().resizeDocks([self.dock], [WIDTH], Qt.Orientation.Horizontal)

    def make(self):
        self.dock.confirm = self._confirm
        self.dock.foot.make.click()

    def _confirm(self, text):
        self.seen["asked"] = text
        return True

    def is_made(self):
        return not self.dock.running.is_active

    def look_at_states(self):
        self.seen["states_said"] = self.dock.foot.message.text()
        self._show_alone(
            lambda layer: "districts" in layer.name() and layer.name() != "us_districts"
        )

    def _show_alone(self, is_meant):
        """Show one map and the borders above it, as the tutorial has it."""
        root = QgsProject.instance().layerTreeRoot()
        for node in root.findLayers():
            wanted = is_meant(node.layer())
            node.setItemVisibilityChecked(wanted or node.layer().name() == "us_districts")
            node.setExpanded(wanted)
        iface.messageBar().clearWidgets()
        iface.mapCanvas().refresh()

    def shoot_states(self):
        self.shoot(iface.mainWindow(), "tutorial-1")

    def ask_for_cells(self):
        self.dock.answer.cells.setCurrentIndex(1)
        self.dock.forecast.shown.setChecked(False)
        self.dock.public.extent.line.setText(EXTENT)

    def look_at_cells(self):
        self._show_alone(
            lambda layer: isinstance(layer, QgsRasterLayer) and layer.name() == "counts"
        )

    def shoot_cells(self):
        self.shoot(iface.mainWindow(), "tutorial-2")
        self.action("geodp:privatemap").trigger()

    def ask(self):
        """Do what *Ask how many there are in districts* does once it is filled in."""
        import processing

        raster, states = self.layer("counts").source(), self.layer("us_districts").id()
        given = {"INPUT": raster, "REGIONS": states, "OUTPUT": "TEMPORARY_OUTPUT"}
        results = processing.runAndLoadResults("geodp:query", given)
        self._show_alone(lambda layer: layer.id() == results["OUTPUT"])

    def shoot_answers(self):
        self.shoot(iface.mainWindow(), "tutorial-3")
        layer = self.layer("Answers")
        self.seen["tutorial_legend"] = [each.label() for each in layer.renderer().ranges()]

    def show_dock(self):
        """QGIS must get along with a dock that is open when it ends."""
        del self.dock.confirm
        self.action("geodp:privatemap").trigger()

    def steps(self):
        return [
            (self.load, 1000),
            (self.ask_for_states, 1000),
            (self.make, 200),
            (self.is_made, 200),
            (self.look_at_states, 1500),
            (self.shoot_states, 200),
            (self.ask_for_cells, 1500),
            (self.make, 200),
            (self.is_made, 200),
            (self.look_at_cells, 2000),
            (self.shoot_cells, 200),
            (self.ask, 1500),
            (self.shoot_answers, 200),
            (self.show_dock, 500),
        ]
