# SPDX-License-Identifier: GPL-2.0-or-later
"""Place maps in the layer panel: below what would be drawn on them, above basemaps."""

from qgis.core import (
    QgsFillSymbol,
    QgsLayerTreeGroup,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsVectorTileLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import Qt

MARK = "geodp/map"
"""A node of the layer panel with this property is a map of ours, or a group of such."""

HALF = 0.5
"""Opacity of a map that lies on a basemap."""

OPAQUE = 250
"""Of 255: what is below a colour of this opacity is not seen."""


def place(layer, project, earlier=()):
    """Move a map below points, lines and outlines, and above other maps and basemaps.

    QGIS adds layers on top, or where the current one is; newer versions add all of a run before
    any is placed, so that those which came ``earlier``, by their ids, are placed again.
    """
    root = project.layerTreeRoot()
    node = root.findLayer(layer.id())
    if node is None:
        return
    node.setCustomProperty(MARK, True)
    names = [*earlier, layer.id()]
    for at, name in enumerate(names):
        later = [top_node(root, name) for name in names[at + 1 :]]
        put_below(root, top_node(root, name), later)


def top_node(root, name):
    """Return what holds a map in the panel: the layer, or the group that is made of its file."""
    node = root.findLayer(name)
    while node is not None and node.parent() != root and node.parent().customProperty(MARK, False):
        node = node.parent()
    return node


def put_below(root, node, waiting):
    """Put a node below what is drawn on maps; nodes that wait for a place are not looked at."""
    if node is None or node.parent() != root:
        return  # where somebody wants results to be
    children = root.children()
    others = [child for child in children if child != node and child not in waiting]
    below = next((other for other in others if not is_above(other)), None)
    index = len(children) if below is None else children.index(below)
    position = children.index(node)
    if any(child not in waiting for child in children[position + 1 : index]) or position > index:
        # First there, then gone from here: QGIS deletes a layer that is nowhere in the panel.
        root.insertChildNode(index, node.clone())
        root.removeChildNode(node)


def is_above(node):
    """Tell whether all that a node shows belongs on top of a map."""
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
    """Tell whether one can see what is below a layer of polygons: outlines, or pale colours."""
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


def let_basemaps_through(layer, project):
    """Make a map half opaque where a basemap is shown below it."""
    order = project.layerTreeRoot().layerOrder()
    below = order[order.index(layer) + 1 :] if layer in order else []
    nodes = (project.layerTreeRoot().findLayer(node.id()) for node in below if is_basemap(node))
    if any(node is not None and node.isVisible() for node in nodes):
        layer.setOpacity(HALF)


def is_basemap(layer):
    """Tell whether a layer is a picture of the ground: from a service, or in colours of its own."""
    if not isinstance(layer, QgsRasterLayer):
        return isinstance(layer, QgsVectorTileLayer)
    if layer.providerType() in ("wms", "arcgismapserver"):
        return True
    return layer.renderer() is not None and layer.renderer().type() == "multibandcolor"


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
            entry.layer().source()
            for entry in node.parent().findLayers()
            if entry.layer() is not None
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
