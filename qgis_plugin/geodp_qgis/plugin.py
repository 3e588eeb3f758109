# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin as QGIS sees it: a provider, and on the desktop a dock, two buttons and a menu."""

from functools import partial

from qgis.core import QgsApplication, QgsEllipsoidUtils, QgsProject
from qgis.PyQt.QtCore import QCoreApplication, Qt, QTimer
from qgis.PyQt.QtGui import QIcon

from . import library, sample
from .algorithms.private_districts import PrivateDistricts
from .algorithms.private_hexagons import PrivateHexagons
from .algorithms.private_histogram import PrivateHistogram
from .algorithms.private_points import INPUT, only_layer
from .compatibility import QAction
from .earth import ground_shares
from .expressions import register, unregister
from .layer_menu import LayerMenu
from .library import geodp
from .provider import ALGORITHMS, ICONS, GeodpProvider
from .styles.placing import keep_out
from .translation import load_translation, tr

MENU = "geodp"
BUTTONS = (0, 2)
"""Of the actions, those in the toolbar: the dock, and *Private histogram*."""


class GeodpPlugin:
    def __init__(self, iface):
        self.iface = iface  # None under qgis_process
        self.provider = None
        self.actions = []
        self.dialog = None
        self.dock = None
        self.layer_menu = None
        self.functions = []
        self.translator = load_translation()

    def initProcessing(self):
        if geodp is not None:
            QgsEllipsoidUtils.definitions()  # QGIS keeps them; those of a thread end with it
            geodp.measure_with(ground_shares)
        self.provider = GeodpProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)
        if not library.MISSING:
            self.functions = register()

    def initGui(self):
        self.initProcessing()
        self._add_to_menu(self._dock_action())
        for algorithm in (kind() for kind in ALGORITHMS):
            action = QAction(
                algorithm.icon(), f"{algorithm.displayName()}…", self.iface.mainWindow()
            )
            action.setObjectName(f"geodp:{algorithm.name()}")
            action.setToolTip(algorithm.shortDescription())
            action.triggered.connect(partial(self.open_dialog, f"geodp:{algorithm.name()}"))
            self._add_to_menu(action)
        self._add_to_menu(self._sample_action())
        self.actions[2].setToolTip(
            tr("Publish the counts of a point layer without giving away any single point")
        )
        for place in BUTTONS:
            self.iface.addVectorToolBarIcon(self.actions[place])
        QgsProject.instance().legendLayersAdded.connect(self._see_layers)
        if not library.MISSING:
            self.layer_menu = LayerMenu(self.iface, self.show_dialog)

    def _add_to_menu(self, action):
        self.iface.addPluginToVectorMenu(MENU, action)
        self.actions.append(action)

    def _dock_action(self):
        action = QAction(QIcon(str(ICONS / "dock.svg")), tr("Private map"), self.iface.mainWindow())
        action.setObjectName("geodp:privatemap")
        action.setToolTip(tr("Show or hide the dock that makes a private map step by step"))
        action.setCheckable(True)
        action.toggled.connect(self.show_dock)
        return action

    def _sample_action(self):
        """Make an action, also in *Help > Plugins*, where QGIS has what plugins explain."""
        action = QAction(
            QIcon(str(ICONS / "geodp.svg")), tr("Try with sample data"), self.iface.mainWindow()
        )
        action.setObjectName("geodp:sample")
        action.setToolTip(tr("Add two public layers to practise with, and open the tutorial"))
        action.triggered.connect(lambda: sample.show(self.iface))
        self.iface.pluginHelpMenu().addAction(action)
        return action

    def _see_layers(self, layers):
        """Keep others' layers from vanishing among our maps; QGIS is still adding them now."""
        names = [layer.id() for layer in layers]
        QTimer.singleShot(0, lambda: keep_out(names, QgsProject.instance()))

    def unload(self):
        if self.layer_menu is not None:
            self.layer_menu.leave()
            self.layer_menu = None
        if self.functions:
            unregister(self.functions)
            self.functions = []
        if self.actions:
            QgsProject.instance().legendLayersAdded.disconnect(self._see_layers)
        if self.dock is not None:
            self.dock.leave()
            self.iface.removeDockWidget(self.dock)
            self.dock.deleteLater()
            self.dock = None
        for button in (self.actions[place] for place in BUTTONS if self.actions):
            self.iface.removeVectorToolBarIcon(button)
        for action in self.actions:
            self.iface.pluginHelpMenu().removeAction(action)
            self.iface.removePluginVectorMenu(MENU, action)
            action.deleteLater()
        self.actions = []
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        if self.translator is not None:
            QCoreApplication.removeTranslator(self.translator)
            self.translator = None

    def show_dock(self, shown):
        """Show or hide the dock, which is made when it is first asked for and keeps its answers."""
        can_run, why = PrivateHistogram().canExecute()
        if not can_run:
            self.actions[0].setChecked(False)
            if shown:
                self.iface.messageBar().pushWarning(MENU, why)
            return
        if self.dock is None:
            from .dock.panel import PrivateMapDock

            self.dock = PrivateMapDock(self.iface.mapCanvas(), self.iface.mainWindow())
            self.dock.visibilityChanged.connect(self._see_dock)
            self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.setVisible(shown)
        if shown:
            self.dock.raise_()

    def _see_dock(self, _visible):
        """Show by the button whether the dock is open, be it behind another tab."""
        self.actions[0].setChecked(not self.dock.isHidden())

    def open_dialog(self, name, _checked=False):
        self.show_dialog(name, preselected(name))

    def show_dialog(self, name, parameters):
        import processing

        # Not modal: the map stays usable, for example to draw the extent.
        self.dialog = processing.createAlgorithmDialog(name, parameters)
        if self.dialog is not None:
            self.dialog.show()


def preselected(name):
    """Find what to fill in at first: the only point layer, whichever layer is active."""
    points = only_layer()
    kinds = (PrivateDistricts, PrivateHistogram, PrivateHexagons)
    if points is not None and name in [f"geodp:{kind.NAME}" for kind in kinds]:
        return {INPUT: points.id()}
    return {}
