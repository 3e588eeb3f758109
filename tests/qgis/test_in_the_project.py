"""Releases in a project: expressions, a right click, and answers one can point at."""

import pytest
from conftest import DISTRICTS, PLACES, TOWN, TOWN_CRS


@pytest.fixture
def districts(project):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(DISTRICTS, "districts", "ogr")
    project.addMapLayer(layer)
    return layer


@pytest.fixture
def counts(histogram, project, tmp_path):
    """``counts(**changes)``: a map of the sample data in the project, as a layer."""
    from qgis.core import QgsRasterLayer

    def go(name="counts", **changes):
        path = str(tmp_path / f"{name}.tif")
        histogram(OUTPUT_RASTER=path, **changes)
        layer = QgsRasterLayer(path, name)
        assert layer.isValid()
        project.addMapLayer(layer)
        return layer

    return go


def evaluated(text, layer, feature):
    """An expression about a feature, as labels and atlases evaluate it."""
    from qgis.core import QgsExpression, QgsExpressionContext, QgsExpressionContextUtils

    context = QgsExpressionContext()
    context.appendScopes(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setFeature(feature)
    expression = QgsExpression(text)
    assert not expression.hasParserError(), expression.parserErrorString()
    value = expression.evaluate(context)
    return value, expression.evalErrorString()


def test_expressions_give_what_the_query_does(counts, districts, run):
    layer = counts(CELLS=1)
    answered = run("query", INPUT=layer, REGIONS=districts, OUTPUT="TEMPORARY_OUTPUT")
    rows = list(answered.results["OUTPUT"].getFeatures())[:3]
    for given in ("counts", layer.id()):
        for row, region in zip(rows, districts.getFeatures()):
            for word, field in (("estimate",) * 2, ("low", "ci_low"), ("high", "ci_high")):
                value, error = evaluated(f"geodp_{word}('{given}', $geometry)", districts, region)
                assert (value, error) == (pytest.approx(row[field]), "")


def test_expressions_in_another_crs_outside_and_of_nothing(counts, districts):
    counts(SIZES="8")
    region = next(districts.getFeatures())
    reprojected = (
        "geodp_estimate('counts', transform($geometry, 'EPSG:5070', 'EPSG:4326'), 'EPSG:4326')"
    )
    here, _ = evaluated("geodp_estimate('counts', $geometry)", districts, region)
    assert evaluated(reprojected, districts, region)[0] == pytest.approx(here, rel=0.02)
    away = "geodp_low('counts', make_rectangle_3points(make_point(9e6,9e6), make_point(9e6,9.1e6), make_point(9.1e6,9.1e6)))"  # noqa: E501
    assert evaluated(away, districts, region) == (None, "")
    assert evaluated("geodp_high('counts', NULL)", districts, region)[0] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("geodp_estimate('nowhere', $geometry)", "There is no layer 'nowhere'"),
        ("geodp_estimate('districts', $geometry)", "geodp"),
        ("geodp_estimate('counts')", "A layer and a geometry are needed"),
        ("geodp_estimate('counts', centroid($geometry))", "valid polygon"),
    ],
)
def test_expressions_say_what_is_wrong(counts, districts, text, words):
    counts(SIZES="4")
    value, error = evaluated(text, districts, next(districts.getFeatures()))
    assert value is None
    assert words in error


def test_expressions_forget_a_file_that_was_made_again(counts, districts, histogram):
    from qgis.core import QgsProject

    layer = counts(SIZES="1", EPSILON=100)
    region = next(districts.getFeatures())
    before, _ = evaluated("geodp_estimate('counts', $geometry)", districts, region)
    from pathlib import Path

    Path(layer.source()).unlink()
    histogram(OUTPUT_RASTER=layer.source(), SIZES="6", EPSILON=100)
    after, _ = evaluated("geodp_estimate('counts', $geometry)", districts, region)
    assert QgsProject.instance().mapLayersByName("counts")
    assert before != after


class Desktop:
    """Stand for what the menu of layers asks of QGIS's desktop."""

    def __init__(self):
        self.kinds, self.offered, self.active = [], [], None

    def mainWindow(self):
        return None

    def addCustomActionForLayerType(self, action, menu, kind, every):
        assert not every
        self.kinds.append((menu, kind))

    def removeCustomActionForLayerType(self, action):
        self.offered = [each for each in self.offered if each[0] is not action]

    def addCustomActionForLayer(self, action, layer):
        self.offered.append((action, layer))

    def activeLayer(self):
        return self.active


def test_a_right_click_on_a_release_offers_what_it_can_do(counts, districts, project, histogram):
    from geodp_qgis.layer_menu import LayerMenu
    from qgis.core import QgsAnnotationLayer, QgsVectorLayer

    desktop, opened = Desktop(), []
    first = counts(SIZES="4")
    menu = LayerMenu(desktop, lambda name, given: opened.append((name, given)))
    assert {layer.name() for _, layer in desktop.offered} == {"counts"}  # not the districts
    assert len(desktop.offered) == 5
    assert len(desktop.kinds) == 2 * 5
    path = first.source().replace("counts.tif", "cells.gpkg")
    histogram(SIZES="4", OUTPUT_VECTOR=path)
    cells = QgsVectorLayer(path, "cells", "ogr")
    project.addMapLayer(cells)
    project.addMapLayer(QgsVectorLayer(PLACES, "places", "ogr"))
    project.addMapLayer(QgsVectorLayer("nowhere.gpkg", "gone", "ogr"))
    notes = QgsAnnotationLayer("notes", QgsAnnotationLayer.LayerOptions(project.transformContext()))
    project.addMapLayer(notes)
    assert {layer.name() for _, layer in desktop.offered} == {"counts", "cells"}
    desktop.active = cells
    for action in menu.actions:
        action.trigger()
    assert opened == [
        ("geodp:query", {"INPUT": cells.id(), "REGIONS": districts.id()}),
        ("geodp:report", {"INPUT": cells.id()}),
        ("geodp:change", {"EARLIER": cells.id(), "LATER": first.id()}),
        ("geodp:about", {"INPUT": cells.id()}),
        ("geodp:ledger", {}),
    ]
    menu.leave()
    assert desktop.offered == []
    counts("more", SIZES="4")
    assert desktop.offered == []


@pytest.mark.parametrize("change", [{}, {"BY": "kind", "CATEGORIES": "theft, burglary"}])
def test_the_page_about_a_release_adds_it_up_again(counts, incidents, run, change, tmp_path):
    town = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS}
    layer = counts(CELLS=1, **town, **change)
    page = tmp_path / "about.html"
    done = run("about", INPUT=layer, OUTPUT_HTML=str(page))
    assert "the numbers keep the promise" in done.text
    assert "the numbers keep the promise" in page.read_text(encoding="utf-8")


def test_answers_can_be_pointed_at(counts, districts, project):
    import processing
    from qgis.core import (
        QgsExpression,
        QgsExpressionContext,
        QgsExpressionContextUtils,
        QgsProcessingContext,
    )

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": counts(SIZES="20").id(), "REGIONS": districts.id()}
    given |= {"OUTPUT": "TEMPORARY_OUTPUT", "DENSITY": True}
    results = processing.runAndLoadResults("geodp:query", given, context=context)
    layer = project.mapLayer(results["OUTPUT"])
    row = next(layer.getFeatures())
    scope = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    scope.setFeature(row)
    numbers = [f"{round(row[name]):,}" for name in ("estimate", "ci_low", "ci_high")]
    tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), scope)
    assert tip == "{} ({} to {})".format(*numbers)
    assert layer.attributeAlias(layer.fields().indexOf("estimate")) == "Estimated number of records"
    assert layer.attributeAlias(layer.fields().indexOf("density")) == "Records per km²"
    assert "Differentially private with epsilon = 1" in layer.metadata().abstract()
    for style in layer.styleManager().styles():
        layer.styleManager().setCurrentStyle(style)
        assert layer.mapTipTemplate()
        assert layer.attributeAlias(layer.fields().indexOf("ci_low"))


@pytest.mark.parametrize("kind", ["raster", "cells"])
def test_a_copy_that_qgis_exports_says_what_to_do(histogram, run, project, tmp_path, kind):
    """A file of *Export > Save As* has the numbers, and not the promise."""
    from qgis.core import (
        QgsProcessingException,
        QgsRasterFileWriter,
        QgsRasterLayer,
        QgsRasterPipe,
        QgsVectorFileWriter,
        QgsVectorLayer,
    )

    histogram(
        CELLS=1,
        OUTPUT_RASTER=str(tmp_path / "counts.tif"),
        OUTPUT_VECTOR=str(tmp_path / "counts.gpkg"),
    )
    if kind == "raster":
        copy = tmp_path / "copy.tif"
        layer = QgsRasterLayer(str(tmp_path / "counts.tif"), "counts")
        pipe, provider = QgsRasterPipe(), layer.dataProvider().clone()
        assert pipe.set(provider)
        size = provider.xSize(), provider.ySize(), provider.extent(), provider.crs()
        writer = QgsRasterFileWriter(str(copy))
        writer.writeRaster(pipe, *size, project.transformContext())
    else:
        copy = tmp_path / "copy.gpkg"
        layer = QgsVectorLayer(str(tmp_path / "counts.gpkg"), "counts", "ogr")
        options = QgsVectorFileWriter.SaveVectorOptions()
        context = project.transformContext()
        QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(copy), context, options)
    words = "not a geodp release.*Copies that QGIS exports have lost them: copy the file itself"
    with pytest.raises(QgsProcessingException, match=words):
        run("about", INPUT=str(copy), OUTPUT_HTML="TEMPORARY_OUTPUT")
