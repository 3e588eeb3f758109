# SPDX-License-Identifier: GPL-2.0-or-later
"""Offer at a right click on a release: ask it, explain it, compare it, verify it."""

from functools import partial

from qgis.core import (
    QgsMapLayerStyle,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from .compatibility import QAction
from .translation import tr
from .vectors import is_release

MENU = "geodp"


def list_styles(layer):
    """List the styles that a GeoPackage keeps in *Styles* of its layer's menu.

    QGIS by itself puts on the first. Older ones call it "default", in their language, newer
    ones by its name.
    """
    manager = layer.styleManager()
    count, numbers, names, _, _ = layer.listStylesInDatabase()
    kept = manager.styles()
    if not count or len(kept) > 1 or not (manager.isDefault(kept[0]) or kept == names[:1]):
        return
    manager.renameStyle(manager.currentStyle(), names[0])
    for number, name in list(zip(numbers, names))[1:count]:
        text, _ = layer.getStyleFromDatabase(number)
        manager.addStyle(name, QgsMapLayerStyle(text))


def partner(layer, wants_release):
    """Return the uppermost other release, or else layer of polygons that is none; None if none."""
    for other in QgsProject.instance().layerTreeRoot().layerOrder():
        if other is not layer and other.source() != layer.source():
            is_polygons = isinstance(other, QgsVectorLayer) and (
                other.geometryType() == QgsWkbTypes.GeometryType.PolygonGeometry
            )
            if is_release(other) == wants_release and (wants_release or is_polygons):
                return other
    return None


class LayerMenu:
    """Entries in the context menu of layers that are releases.

    Parameters
    ----------
    iface : QgisInterface
        The desktop.
    open_dialog : callable
        ``open_dialog(name, parameters)`` shows the dialog of an algorithm.
    """

    def __init__(self, iface, open_dialog):
        self._iface, self._open_dialog = iface, open_dialog
        entries = (
            (tr("Ask how many there are in districts…"), "geodp:query", "INPUT", "REGIONS"),
            (tr("Report page…"), "geodp:report", "INPUT", None),
            (tr("Compare with a later map…"), "geodp:change", "EARLIER", "LATER"),
            (tr("Verify, and show what it promises…"), "geodp:about", "INPUT", None),
            (tr("Show the ledger…"), "geodp:ledger", None, None),
        )
        self.actions = []
        kinds = [kind().type() for kind in (QgsRasterLayer, QgsVectorLayer)]
        for text, name, *parameters in entries:
            action = QAction(text, iface.mainWindow())
            action.triggered.connect(partial(self._open, name, *parameters))
            for kind in kinds:
                iface.addCustomActionForLayerType(action, MENU, kind, False)
            self.actions.append(action)
        QgsProject.instance().layersAdded.connect(self.see_layers)
        self.see_layers(QgsProject.instance().mapLayers().values())

    def see_layers(self, layers):
        """Give releases the entries; of a file, its tags alone are looked at."""
        for layer in layers:
            if is_release(layer):
                for action in self.actions:
                    self._iface.addCustomActionForLayer(action, layer)
                if isinstance(layer, QgsVectorLayer):
                    list_styles(layer)

    def _open(self, name, parameter, beside, _checked=False):
        layer = self._iface.activeLayer()
        given = {parameter: layer.id()} if parameter and layer is not None else {}
        other = partner(layer, beside == "LATER") if beside and given else None
        if other is not None:  # else QGIS would choose the release itself
            given[beside] = other.id()
        self._open_dialog(name, given)

    def leave(self):
        QgsProject.instance().layersAdded.disconnect(self.see_layers)
        for action in self.actions:
            self._iface.removeCustomActionForLayerType(action)
            action.deleteLater()
        self.actions = []
