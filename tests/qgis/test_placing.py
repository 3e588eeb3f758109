"""Places of maps in the layer panel, and layers that stay out of their groups."""

import pytest
from conftest import CRS, DISTRICTS, PLACES, TOWN, TOWN_CRS


@pytest.fixture
def panel(project):
    """``panel(*names)``: layers of these kinds, the first on top."""
    from qgis.core import QgsFillSymbol, QgsRasterLayer, QgsSingleSymbolRenderer, QgsVectorLayer

    def outlined(layer, **changes):
        symbol = QgsFillSymbol.createSimple({"outline_color": "black", **changes})
        layer.setRenderer(QgsSingleSymbolRenderer(symbol))
        return layer

    makers = {
        "points": lambda: QgsVectorLayer(PLACES, "points", "ogr"),
        "lines": lambda: QgsVectorLayer(f"LineString?crs={CRS}", "lines", "memory"),
        "filled": lambda: QgsVectorLayer(DISTRICTS, "filled", "ogr"),
        "outlines": lambda: outlined(QgsVectorLayer(DISTRICTS, "outlines", "ogr"), style="no"),
        "pale": lambda: outlined(QgsVectorLayer(DISTRICTS, "pale", "ogr"), color="255,0,0,90"),
        "basemap": lambda: QgsRasterLayer("type=xyz&url=https://example.org/{x}", "basemap", "wms"),
    }

    def go(*names):
        root = project.layerTreeRoot()
        for name in names:
            layer = makers[name]()
            project.addMapLayer(layer, False)
            root.addLayer(layer)

    return go


def loaded(project, **changes):
    import processing
    from qgis.core import QgsProcessingContext

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": PLACES, "EXTENT": "-2400000,2300000,200000,3200000", "CRS": CRS}
    given |= {"EPSILON": 1, "SIZES": "6", "OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    return processing.runAndLoadResults(
        "geodp:privatehistogram", {**given, **changes}, context=context
    )


def names(project):
    return [
        "map" if node.name().startswith("Private counts") else node.name()
        for node in project.layerTreeRoot().children()
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((), ["map"]),
        (("points", "basemap"), ["points", "map", "basemap"]),
        (("lines", "outlines", "pale"), ["lines", "outlines", "pale", "map"]),
        (("points", "filled", "basemap"), ["points", "map", "filled", "basemap"]),
        (("basemap", "points"), ["map", "basemap", "points"]),
    ],
)
def test_a_map_lies_below_what_is_drawn_on_it_and_above_basemaps(
    qgis, project, panel, before, after
):
    panel(*before)
    loaded(project)
    qgis.processEvents()
    assert names(project) == after
    (node_added,) = (
        node for node in project.layerTreeRoot().findLayers() if node.name() not in before
    )
    assert node_added.layer() is not None  # QGIS deletes layers that are taken out of the panel
    assert node_added.layer().isValid()
    assert node_added.customProperty("geodp/map")


def test_signed_counts_are_one_click_away(project):
    """A style of the context menu, with colours from the noise, and its own legend."""
    from qgis.core import QgsMapLayerLegendUtils

    def listed(layer):
        node = project.layerTreeRoot().findLayer(layer.id())
        nodes = layer.legend().createLayerTreeModelLegendNodes(node)
        return [nodes[place].data(0) for place in QgsMapLayerLegendUtils.legendNodeOrder(node)]

    loaded(project, CELLS=0, OUTPUT_VECTOR="TEMPORARY_OUTPUT")
    assert len(project.mapLayers()) == 2
    for layer in project.mapLayers().values():
        first, manager = listed(layer), layer.styleManager()
        assert {"counts", "signed counts"} <= set(manager.styles())
        assert manager.setCurrentStyle("signed counts")
        assert any(label.endswith("records per cell") for label in listed(layer))
        assert not any(label.startswith("below") for label in listed(layer))
        shown = layer.renderer()
        assert getattr(shown, "classAttribute", lambda: "count")() == "count"
        assert getattr(shown, "band", lambda: 1)() == 1
        manager.setCurrentStyle("counts")
        assert listed(layer) == first


@pytest.fixture(params=["en", "fr"])
def speaking(request, qgis):
    """QGIS itself in a language: it calls the style that every layer begins with by a word."""
    from qgis.core import QgsApplication
    from qgis.PyQt.QtCore import QCoreApplication, QTranslator

    translator = QTranslator()
    if request.param != "en":
        assert translator.load(f"qgis_{request.param}", QgsApplication.i18nPath())
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_styles_of_a_geopackage_are_listed_when_it_is_opened_again(
    speaking, project, run, tmp_path
):
    from geodp_qgis.layer_menu import list_styles
    from qgis.core import QgsVectorLayer

    given = {"INPUT": PLACES, "EXTENT": "-2400000,2300000,200000,3200000", "CRS": CRS, "CELLS": 1}
    given |= {"OUTPUT_RASTER": "TEMPORARY_OUTPUT", "OUTPUT_VECTOR": str(tmp_path / "cells.gpkg")}
    run("privatehistogram", **given)
    layer = QgsVectorLayer(str(tmp_path / "cells.gpkg"), "cells", "ogr")
    list_styles(layer)
    manager = layer.styleManager()
    assert set(manager.styles()) == {"counts", "signed counts", "standard error"}
    assert manager.currentStyle() == "counts"
    fields = {"counts": "drawn", "signed counts": "density", "standard error": "std_error"}
    for name, field in fields.items():
        assert manager.setCurrentStyle(name)
        assert layer.renderer().classAttribute() == field
    list_styles(layer)  # a second time, nothing is added
    assert len(manager.styles()) == 3


def test_layers_have_the_styles_of_geodp_alone(speaking, project):
    import processing
    from qgis.core import QgsProcessingContext

    results = loaded(project, OUTPUT_VECTOR="TEMPORARY_OUTPUT", CELLS=1, SIZES="")
    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": results["OUTPUT_RASTER"], "REGIONS": DISTRICTS, "OUTPUT": "TEMPORARY_OUTPUT"}
    processing.runAndLoadResults("geodp:query", given, context=context)
    names_of_styles = [set(layer.styleManager().styles()) for layer in project.mapLayers().values()]
    counts, answers = {"counts", "signed counts", "standard error"}, {"answers", "standard error"}
    assert sorted(names_of_styles, key=len) == [answers, counts, counts, counts]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_map_on_a_basemap_is_half_opaque(project, panel, incidents, hidden):
    panel("points", "filled", "basemap")
    root = project.layerTreeRoot()
    root.findLayers()[-1].setItemVisibilityChecked(not hidden)
    loaded(project, OUTPUT_VECTOR="TEMPORARY_OUTPUT")
    town = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "TITLE": "Town"}
    loaded(project, BY="kind", CATEGORIES="theft, burglary", **town)
    expected = 1 if hidden else 0.5
    ours = [
        node for node in root.findLayers() if node.name() not in ("points", "filled", "basemap")
    ]
    assert len(ours) == 4
    assert {node.layer().opacity() for node in ours} == {expected}


def test_a_map_above_other_layers_is_opaque(project, panel):
    panel("points", "filled", "pale")
    loaded(project)
    loaded(project)  # one map is no basemap of another
    assert {layer.opacity() for layer in project.mapLayers().values()} == {1}


def test_a_newer_map_lies_above_an_older_one(project, panel, tmp_path):
    panel("points", "basemap")
    loaded(project, TITLE="first", OUTPUT_VECTOR="TEMPORARY_OUTPUT")
    loaded(project, TITLE="second")
    assert names(project) == ["points", "second", "first", "first", "basemap"]


def test_a_group_of_maps_takes_the_same_place(project, panel, incidents):
    panel("points", "basemap")
    town = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "TITLE": "Town"}
    loaded(project, BY="kind", CATEGORIES="theft, burglary", **town)
    assert names(project) == ["points", "Town", "basemap"]
    group = project.layerTreeRoot().findGroup("Town")
    assert [node.isExpanded() for node in group.children()] == [True, False]
    loaded(project)
    assert names(project) == ["points", "map", "Town", "basemap"]


@pytest.mark.parametrize("by", [{}, {"BY": "kind", "CATEGORIES": "theft, burglary"}])
def test_of_raster_and_cells_one_is_shown(project, incidents, by):
    town = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "TITLE": "Town", **by}
    release = loaded(project, OUTPUT_VECTOR="TEMPORARY_OUTPUT", **town)
    cells = project.layerTreeRoot().findLayer(release["OUTPUT_VECTOR"])
    assert not cells.isVisible()
    assert not cells.isExpanded()
    nodes = [node for node in project.layerTreeRoot().findLayers() if node != cells]
    assert nodes[0].isVisible()
    assert nodes[0].isExpanded()


def test_other_layers_stay_out_of_a_group_of_maps(project, incidents, add_to):
    from geodp_qgis.styles.placing import keep_out
    from qgis.core import QgsVectorLayer

    town = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "TITLE": "Town"}
    loaded(project, BY="kind", CATEGORIES="theft, burglary", **town)
    group = project.layerTreeRoot().findGroup("Town")
    add_to(group)
    layer = QgsVectorLayer(DISTRICTS, "districts", "ogr")
    project.addMapLayer(layer)
    assert project.layerTreeRoot().findLayer(layer.id()).parent() == group
    keep_out([layer.id(), "gone"], project)
    assert names(project) == ["districts", "Town"]
    assert project.layerTreeRoot().findLayer(layer.id()).itemVisibilityChecked()
    # A group of somebody's own that shows one at a time is left alone, and so are our maps.
    keep_out([node.layerId() for node in group.children()], project)
    assert [node.name() for node in group.children()] == ["theft", "burglary"]
    mine = project.layerTreeRoot().addGroup("mine")
    mine.setIsMutuallyExclusive(True)
    for name in ("one", "two", "three"):
        each = QgsVectorLayer(f"Point?crs={CRS}&field={name}", name, "memory")
        project.addMapLayer(each, False)
        mine.addLayer(each)
    keep_out([node.layerId() for node in mine.children()], project)
    assert len(mine.children()) == 3
