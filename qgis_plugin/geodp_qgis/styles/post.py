# SPDX-License-Identifier: GPL-2.0-or-later
"""Styles are put on when QGIS loads the layer, which is after the run and in the main thread."""

from qgis.core import QgsProcessingLayerPostProcessorInterface, QgsProject

from .placing import lift

_waiting = []
"""QGIS keeps no reference of its own: a post-processor must outlive the run."""


class Styler(QgsProcessingLayerPostProcessorInterface):
    def __init__(self, dress):
        super().__init__()
        self.dress = dress

    def postProcessLayer(self, layer, context, feedback):
        lift(layer, context.project() or QgsProject.instance())
        self.dress(layer, context.project())
        layer.triggerRepaint()
        _waiting.remove(self)


def retire(layer, project):
    """Take layers out of the project whose file was deleted, and is another release now.

    They would show the new counts under the old name, among old ones in their group.
    """
    root = project.layerTreeRoot()
    stale = [
        other.id()
        for other in project.mapLayers().values()
        if other.source() == layer.source() and other.id() != layer.id()
    ]
    nodes = filter(None, map(root.findLayer, stale))
    groups = {id(group): group for group in (node.parent() for node in nodes) if group != root}
    project.removeMapLayers(stale)
    for group in groups.values():
        if not group.children():
            group.parent().removeChildNode(group)


def when_loaded(destination, dress, context, name=None):
    """Call ``dress(layer, project)`` once the layer is loaded, if it will be; perhaps name it.

    Of the run's context nothing may be kept: newer versions of QGIS load with another.
    """
    if context.willLoadLayerOnCompletion(destination):
        styler = Styler(dress)
        _waiting.append(styler)
        details = context.layerToLoadOnCompletionDetails(destination)
        details.setPostProcessor(styler)
        if name is not None:
            details.name = name
