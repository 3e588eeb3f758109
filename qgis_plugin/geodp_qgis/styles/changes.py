# SPDX-License-Identifier: GPL-2.0-or-later
"""What changed, in colours that part at zero."""

from ..library import geodp
from .counts import document, show_labels
from .placing import let_basemaps_through, place
from .post import when_loaded


def style_change(destinations, found, context):
    """Give the layers of a difference name, colours and promise when they are loaded."""

    def put_on(layer, project):
        place(layer, project)
        layer.importNamedStyle(document(geodp.qml_of(found.legend)))
        let_basemaps_through(layer, project)
        about = layer.metadata()
        about.setTitle(geodp.for_qgis(geodp.title_of(found)))
        about.setAbstract(geodp.for_qgis(geodp.abstract_of(found)))
        layer.setMetadata(about)
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None:
            labels = geodp.used_labels(found.legend, found.columns())
            show_labels(node, layer, labels)

    for destination in destinations:
        when_loaded(destination, put_on, context, geodp.title_of(found))
