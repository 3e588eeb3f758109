# SPDX-License-Identifier: GPL-2.0-or-later
"""Where maps go in the layer panel: below what would be drawn on them, above basemaps."""

from qgis.core import QgsFillSymbol, QgsLayerTreeGroup, QgsVectorLayer, QgsWkbTypes
from qgis.PyQt.QtCore import Qt

MARK = "geodp/map"
"""A node of the layer panel with this property is a map of ours, or a group of such."""

OPAQUE = 250
"""Of 255: what is below a colour of this opacity is not seen."""


def place(layer, project):
    """Move a map below points, lines and outlines, and above other maps and basemaps.

    QGIS adds layers on top, or where the current one is.
    """
    root = project.layerTreeRoot()
    node = root.findLayer(layer.id())
    if node is None:
        return
    node.setCustomProperty(MARK, True)
    if node.parent() is not root:
        return  # where somebody wants results to be
    others = [each for each in root.children() if each is not node]
    index = next((at for at, each in enumerate(others) if not is_above(each)), len(others))
    position = root.children().index(node)
    if position != index:
        # First there, then gone from here: QGIS deletes a layer that is nowhere in the panel.
        root.insertChildNode(index + (position < index), node.clone())
        root.removeChildNode(node)


def is_above(node):
    """Whether all that a node shows belongs on top of a map."""
    if node.customProperty(MARK, False):
        return False
    if isinstance(node, QgsLayerTreeGroup):
        return bool(node.findLayers()) and all(map(is_above, node.children()))
    layer = node.layer()
    if not isinstance(layer, QgsVectorLayer):
        return False
    kinds = QgsWkbTypes.GeometryType
    if layer.geometryType() in (kinds.PointGeometry, kinds.LineGeometry):
        return True
    return layer.geometryType() == kinds.PolygonGeometry and lets_through(layer)


def lets_through(layer):
    """Whether one can see what is below a layer of polygons: outlines, or pale colours."""
    if layer.opacity() * 255 < OPAQUE:
        return True
    symbol = getattr(layer.renderer(), "symbol", lambda: None)()
    if not isinstance(symbol, QgsFillSymbol):
        return False
    for part in symbol.symbolLayers():
        brush = getattr(part, "brushStyle", lambda: Qt.BrushStyle.SolidPattern)()
        if part.layerType() == "SimpleLine" or brush == Qt.BrushStyle.NoBrush:
            continue
        if symbol.opacity() * part.fillColor().alpha() >= OPAQUE:
            return False
    return True


def keep_out(layers, project):
    """Move layers, by their ids, out of a group that shows the maps of one file one at a time.

    QGIS adds whatever is opened where the current layer is. In such a group it would be hidden.
    """
    for name in layers:
        node = project.layerTreeRoot().findLayer(name)
        if node is None or not node.parent().isMutuallyExclusive():
            continue
        source = node.layer().source()
        sources = {
            each.layer().source() for each in node.parent().findLayers() if each.layer() is not None
        }
        if len(sources - {source}) == 1 and len(node.parent().children()) > 2:
            lift(node.layer(), project)


def lift(layer, project):
    """Move a layer out of a group that shows one at a time, such as the maps of another release.

    QGIS adds layers where the current one is. In such a group a new one would be hidden at first,
    and never be seen together with the others.
    """
    node = project.layerTreeRoot().findLayer(layer.id())
    while node is not None and node.parent().isMutuallyExclusive():
        group, moved = node.parent(), node.clone()
        above = group.parent()
        above.insertChildNode(above.children().index(group), moved)
        group.removeChildNode(node)
        moved.setItemVisibilityChecked(True)
        node = moved
