"""Styles are put on when QGIS loads the layer, which is after the run and in the main thread."""

from qgis.core import QgsProcessingLayerPostProcessorInterface

_waiting = []
"""QGIS keeps no reference of its own: a post-processor must outlive the run."""


class Styler(QgsProcessingLayerPostProcessorInterface):
    def __init__(self, dress):
        super().__init__()
        self.dress = dress

    def postProcessLayer(self, layer, context, feedback):
        self.dress(layer, context.project())
        layer.triggerRepaint()
        _waiting.remove(self)


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
