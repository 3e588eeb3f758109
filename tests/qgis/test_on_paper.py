"""Maps of one release in a print layout: six of them, with their legend, on one page."""

import os
from pathlib import Path

import pytest
from conftest import TOWN, TOWN_CRS

PAGE = (297, 210)
"""Millimetres of an A4 page, on its side, as QGIS begins a layout."""

LEFT, TOP = 182, 10
"""Where the legend begins, beside the maps."""

LIMITS = "00:00, 04:00, 08:00, 12:00, 16:00, 20:00, 24:00"


@pytest.fixture
def six(project, incidents):
    """The group of six maps, as the desktop loads it."""
    import processing
    from qgis.core import QgsProcessingContext

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "EPSILON": 1, "CELLS": 1}
    given |= {"BY": "time", "BREAKS": LIMITS, "TITLE": "Incidents by time of day"}
    given |= {"OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    processing.runAndLoadResults("geodp:privatehistogram", given, context=context)
    return project.layerTreeRoot().findGroup("Incidents by time of day")


def listed(project, layer):
    """Return what the layer panel and a legend list below a layer."""
    from qgis.core import QgsMapLayerLegendUtils

    node = project.layerTreeRoot().findLayer(layer.id())
    nodes = layer.legend().createLayerTreeModelLegendNodes(node)
    return [nodes[place].data(0) for place in QgsMapLayerLegendUtils.legendNodeOrder(node)]


def test_the_first_map_lists_the_classes_of_all(project, six):
    from geodp_qgis.library import geodp, np
    from geodp_qgis.rasters import read_release

    first, *others, error = (node.layer() for node in six.children())
    release = read_release(first.source())
    assert [listed(project, other) for other in others] == [[]] * 5
    assert len(listed(project, error)) > 2
    drawn = np.concatenate([one.drawn for one in release.maps.values()])
    legend = geodp.view_legend(release)
    used = [
        class_ for class_ in legend.classes if ((drawn >= class_.low) & (drawn < class_.high)).any()
    ]
    assert len(listed(project, first)) == len(used) <= 7


def test_six_maps_and_their_legend_fit_a_page(qgis, project, six, tmp_path):
    from qgis.core import (
        QgsLayoutExporter,
        QgsLayoutItemLabel,
        QgsLayoutItemLegend,
        QgsLayoutItemMap,
        QgsLayoutPoint,
        QgsLayoutSize,
        QgsPrintLayout,
        QgsRectangle,
        QgsUnitTypes,
    )

    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    mm = QgsUnitTypes.LayoutUnit.LayoutMillimeters
    maps = [node.layer() for node in six.children() if node.name() != "standard error"]
    assert len(maps) == 6
    for number, layer in enumerate(maps):
        row, column = divmod(number, 3)
        item = QgsLayoutItemMap(layout)
        layout.addLayoutItem(item)
        item.attemptMove(QgsLayoutPoint(8 + 57 * column, 20 + 80 * row, mm))
        item.attemptResize(QgsLayoutSize(54, 54, mm))
        item.setLayers([layer])
        item.setExtent(QgsRectangle(490000, 5390000, 510000, 5410000))
        label = QgsLayoutItemLabel(layout)
        label.setText(layer.name())
        label.adjustSizeToText()
        layout.addLayoutItem(label)
        label.attemptMove(QgsLayoutPoint(8 + 57 * column, 12 + 80 * row, mm))
    legend = QgsLayoutItemLegend(layout)
    layout.addLayoutItem(legend)
    legend.attemptMove(QgsLayoutPoint(LEFT, TOP, mm))
    legend.setLinkedMap(layout.referenceMap())
    picture = Path(os.environ.get("GEODP_SCREENSHOTS", tmp_path), "six.png")
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 100
    assert QgsLayoutExporter(layout).exportToImage(str(picture), settings) == 0
    legend.adjustBoxSize()  # which is known once it was painted
    size = legend.sizeWithUnits()
    assert 20 < size.width() <= PAGE[0] - LEFT
    assert 20 < size.height() <= PAGE[1] - TOP
