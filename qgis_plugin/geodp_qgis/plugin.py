"""The plugin as QGIS sees it: a provider, and on the desktop a button and a menu entry."""

from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import QAction

from .provider import GeodpProvider
from .translation import tr

MENU = "geodp"


class GeodpPlugin:
    def __init__(self, iface):
        self.iface = iface  # None under qgis_process
        self.provider = None
        self.action = None
        self.dialog = None

    def initProcessing(self):
        self.provider = GeodpProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()
        self.action = QAction(
            self.provider.icon(), tr("Private histogram…"), self.iface.mainWindow()
        )
        self.action.setObjectName("geodpPrivateHistogram")
        self.action.setToolTip(
            tr("Publish the counts of a point layer without giving away any single point")
        )
        self.action.triggered.connect(self.open_dialog)
        self.iface.addVectorToolBarIcon(self.action)
        self.iface.addPluginToVectorMenu(MENU, self.action)

    def unload(self):
        if self.action is not None:
            self.iface.removeVectorToolBarIcon(self.action)
            self.iface.removePluginVectorMenu(MENU, self.action)
            self.action.deleteLater()
            self.action = None
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None

    def open_dialog(self):
        import processing

        # Not modal: the map stays usable, for example to draw the extent.
        self.dialog = processing.createAlgorithmDialog("geodp:privatehistogram", {})
        if self.dialog is not None:
            self.dialog.show()
