"""What changed, in colours that part at zero."""

from ..library import difference_bands, qgis_style, text
from .counts import document, show_labels
from .placing import place
from .post import when_loaded


def style_change(destinations, found, context):
    """Give the layers of a difference name, colours and promise when they are loaded."""

    def put_on(layer, project):
        place(layer, project)
        layer.importNamedStyle(document(qgis_style.qml_of(found.legend)))
        about = layer.metadata()
        about.setTitle(text.for_qgis(difference_bands.title_of(found)))
        about.setAbstract(text.for_qgis(difference_bands.abstract_of(found)))
        layer.setMetadata(about)
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None:
            labels = qgis_style.used_labels(found.legend, found.columns())
            show_labels(node, layer, labels)

    for destination in destinations:
        when_loaded(destination, put_on, context, difference_bands.title_of(found))
