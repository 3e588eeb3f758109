# SPDX-License-Identifier: GPL-2.0-or-later
"""Draw what changed, in colours that part at zero."""

from ..library import geodp
from ..messages import spoken
from .counts import document, show_labels
from .placing import let_basemaps_through, place
from .post import when_loaded


def style_change(destinations, change, context):
    """Give the layers of a difference name, colours and promise when they are loaded."""

    def put_on(layer, project):
        place(layer, project)
        layer.importNamedStyle(document(geodp.style_qml(change.legend, language=spoken())))
        let_basemaps_through(layer, project)
        about = layer.metadata()
        about.setTitle(geodp.for_qgis(geodp.difference_title(change)))
        about.setAbstract(geodp.for_qgis(geodp.difference_abstract(change)))
        layer.setMetadata(about)
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None:
            labels = geodp.used_labels(change.legend, change.columns(), spoken())
            show_labels(node, layer, labels)

    for destination in destinations:
        when_loaded(destination, put_on, context, geodp.difference_title(change))
