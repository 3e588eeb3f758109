"""The plugin as QGIS sees it: a provider, and on the desktop a button and a menu."""

from functools import partial

from qgis.core import QgsApplication, QgsProject, QgsVectorLayer, QgsWkbTypes
from qgis.PyQt.QtCore import QCoreApplication

from .algorithms.private_histogram import PrivateHistogram
from .algorithms.private_points import INPUT
from .compatibility import QAction
from .provider import ALGORITHMS, GeodpProvider
from .translation import load_translation, tr

MENU = "geodp"


class GeodpPlugin:
    def __init__(self, iface):
        self.iface = iface  # None under qgis_process
        self.provider = None
        self.actions = []
        self.dialog = None
        self.translator = load_translation()

    def initProcessing(self):
        self.provider = GeodpProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()
        for algorithm in (kind() for kind in ALGORITHMS):
            action = QAction(
                algorithm.icon(), f"{algorithm.displayName()}…", self.iface.mainWindow()
            )
            action.setObjectName(f"geodp:{algorithm.name()}")
            action.setToolTip(algorithm.shortDescription())
            action.triggered.connect(partial(self.open_dialog, f"geodp:{algorithm.name()}"))
            self.iface.addPluginToVectorMenu(MENU, action)
            self.actions.append(action)
        button = self.actions[0]
        button.setToolTip(
            tr("Publish the counts of a point layer without giving away any single point")
        )
        self.iface.addVectorToolBarIcon(button)

    def unload(self):
        if self.actions:
            self.iface.removeVectorToolBarIcon(self.actions[0])
        for action in self.actions:
            self.iface.removePluginVectorMenu(MENU, action)
            action.deleteLater()
        self.actions = []
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        if self.translator is not None:
            QCoreApplication.removeTranslator(self.translator)
            self.translator = None

    def open_dialog(self, name, _checked=False):
        import processing

        # Not modal: the map stays usable, for example to draw the extent.
        self.dialog = processing.createAlgorithmDialog(name, preselected(name))
        if self.dialog is not None:
            self.dialog.show()


def preselected(name):
    """What to fill in at first: the only point layer, whichever layer is active in the panel."""
    layers = QgsProject.instance().mapLayers().values()
    points = [
        layer
        for layer in layers
        if isinstance(layer, QgsVectorLayer)
        and layer.geometryType() == QgsWkbTypes.GeometryType.PointGeometry
    ]
    if len(points) == 1 and name == f"geodp:{PrivateHistogram.NAME}":
        return {INPUT: points[0].id()}
    return {}
