# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts in the library's classes and colours, with its promise and a name that tells them apart.

Files of a release bring the same style and description along, so that it looks alike wherever it
was made.
"""

from datetime import date
from functools import partial

from qgis.core import QgsMapLayerLegendUtils, QgsMapLayerStyle, QgsProject, QgsRasterLayer
from qgis.PyQt import sip
from qgis.PyQt.QtXml import QDomDocument

from ..library import geodp
from ..messages import number, shown, spoken
from ..translation import tr
from .placing import MARK, let_basemaps_through, place
from .post import retire, when_loaded


def style_counts(destinations, release, context, view="counts", more=None):
    """Give layers of a release, or of a view, name, colours and promise when they are loaded.

    ``more(layer, node)`` goes on from there. Of raster and cells of one release the raster is
    shown: one above the other, they would hide each other and what lies below.
    """
    placed = []
    both = sum(map(context.willLoadLayerOnCompletion, destinations)) > 1

    def put_on(layer, project):
        retire(layer, project)
        place(layer, project, placed)
        placed.append(layer.id())
        dress(layer, release, project, view)
        let_basemaps_through(layer, project)
        if isinstance(layer, QgsRasterLayer):
            put_in_group(layer, release, project, view)
        elif both and (node := project.layerTreeRoot().findLayer(layer.id())) is not None:
            node.setItemVisibilityChecked(False)
            node.setExpanded(False)
        if more is not None:
            more(layer, project.layerTreeRoot().findLayer(layer.id()))

    for destination in destinations:
        when_loaded(destination, put_on, context, layer_name(release, view))


def put_in_group(layer, release, project, view):
    """Put a raster for each layer of a release into a group, as the file beside it does.

    The last shows the standard error, if that is not the same everywhere. QGIS's temporal
    controller plays the group where time divides the layers; otherwise it shows one at a time.
    """
    node = project.layerTreeRoot().findLayer(layer.id())
    styles = geodp.group_styles(release, view, language=spoken())
    if node is None or len(styles) == 1:
        return
    parent = node.parent()
    title = geodp.for_qgis(geodp.view_title(release, view)) if release.about.title else layer.name()
    group = parent.insertGroup(parent.children().index(node), title)
    group.setCustomProperty(MARK, True)
    in_time, opacity = any(geodp.group_spans(release)), layer.opacity()
    for name, style in styles.items():
        one = layer if not group.children() else layer.clone()
        begin_with(one.styleManager(), name)
        one.importNamedStyle(document(style))
        one.setOpacity(opacity)
        one.setName(geodp.for_qgis(name if name in release.groups else style_name(name)))
        if one is layer:
            group.addChildNode(node.clone())
            parent.removeChildNode(node)
        else:
            project.addMapLayer(one, False)
            group.addLayer(one).setExpanded(False)
        labels = geodp.labels_in_group(release, name, view, language=spoken())
        show_labels(group.children()[-1], one, labels)
    group.setIsMutuallyExclusive(not in_time, 0)
    if in_time and len(styles) > len(release.groups):  # the standard error is of no time
        group.children()[-1].setItemVisibilityChecked(False)


def style_name(name):
    """Return what a style that is of no group is called in the layer panel."""
    names = {"counts": tr("counts"), "standard error": tr("standard error")}
    return names.get(name, name)


def layer_name(release, view="counts"):
    """Name a layer: its title, or what it shows, how private, how many cells, made when.

    QGIS calls a layer by its file instead, where the person has given it a name.
    """
    if release.about.title and not release.seeded:
        return geodp.for_qgis(geodp.view_title(release, view))
    promise = tr("NOT private") if release.seeded else f"ε = {number(release.epsilon):g}"
    several = geodp.cells_in_words(release.cells, sizes=False)  # they are in its description
    names = {
        "counts": tr("Private counts, {}, {}, {}"),
        "density": tr("Private density, {}, {}, {}"),
        "clamped": tr("Private counts clamped, {}, {}, {}"),
    }
    return names[view].format(promise, shown(several), date.today().isoformat())


def dress(layer, release, project=None, view="counts"):
    """Give a layer the style and the description that files of this release have.

    In the project, legend and map tips are in QGIS's language.
    """
    if isinstance(layer, QgsRasterLayer):  # of which it takes a group to play them in time
        styles = geodp.view_styles(release, view, language=spoken())
    else:
        styles = geodp.styles_in_time(release, language=spoken())
    manager = layer.styleManager()
    for name, style in styles.items():
        manager.removeStyle(name)
        manager.addStyle(name, QgsMapLayerStyle(style))
    begin_with(manager, next(iter(styles)))
    layer.importNamedMetadata(document(geodp.layer_qmd(release, view)), "")
    root = (project or QgsProject.instance()).layerTreeRoot()
    follow = partial(follow_style, layer.id(), root, release, view)
    layer.styleManager().currentStyleChanged.connect(follow)
    follow(next(iter(geodp.view_styles(release, view))))


def begin_with(manager, name):
    """Show a style, and drop the one that QGIS gives every layer: "default", in its language."""
    begun = manager.currentStyle()
    if manager.setCurrentStyle(name) and begun != name and manager.isDefault(begun):
        manager.removeStyle(begun)


def follow_style(layer_id, root, release, view, name):
    """List in the legend what occurs in the style shown now; all of one that is not ours."""
    node = None if sip.isdeleted(root) else root.findLayer(layer_id)
    if node is None:
        return
    layer = node.layer()
    if name in geodp.view_styles(release, view):
        show_used_classes(node, layer, release, name, view)
    else:
        node.removeCustomProperty("legend/node-order")
        layer.legendChanged.emit()


def show_used_classes(node, layer, release, name, view):
    """Leave out of the layer's legend what nothing that was published falls into, and the band."""
    raster = isinstance(layer, QgsRasterLayer)
    labels = geodp.labels_in_use(release, name, view, raster=raster, language=spoken())
    show_labels(node, layer, labels)


def show_labels(node, layer, labels):
    """Leave all but these out of a layer's legend."""
    nodes = layer.legend().createLayerTreeModelLegendNodes(node)
    order = [place for place, node in enumerate(nodes) if node.data(0) in labels]
    QgsMapLayerLegendUtils.setLegendNodeOrder(node, order)
    layer.legendChanged.emit()


def document(text):
    parsed = QDomDocument()
    parsed.setContent(text)
    return parsed
