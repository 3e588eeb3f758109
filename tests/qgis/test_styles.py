"""Layers come into the project with their colours and their promise."""

import itertools
import re

import pytest
from conftest import CRS, EXTENT, PLACES


@pytest.fixture
def loaded(project):
    """Vector and raster of a run, after what QGIS does when it loads them."""
    from qgis.core import (
        QgsApplication,
        QgsProcessingContext,
        QgsProcessingFeedback,
        QgsProcessingUtils,
    )

    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    parameters = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1, "SIZES": "12"}
    parameters |= {name: _into(project, name) for name in ("OUTPUT_RASTER", "OUTPUT_VECTOR")}
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    results, ok = algorithm.run(parameters, context, feedback)
    assert ok, feedback.textLog()
    waiting = context.layersToLoadOnCompletion()
    assert set(waiting) == {results["OUTPUT_RASTER"], results["OUTPUT_VECTOR"]}
    layers = []
    for name in ("OUTPUT_VECTOR", "OUTPUT_RASTER"):
        layer = QgsProcessingUtils.mapLayerFromString(results[name], context)
        waiting[results[name]].postProcessor().postProcessLayer(layer, context, feedback)
        layers.append(layer)
    yield layers
    layers.clear()


def _into(project, name):
    from qgis.core import QgsProcessing, QgsProcessingOutputLayerDefinition

    target = QgsProcessing.TEMPORARY_OUTPUT
    definition = QgsProcessingOutputLayerDefinition(target, project)
    definition.destinationName = name
    return definition


def test_layers_are_dressed_without_the_context_of_the_run(project, histogram):
    """A run in another thread has one of its own, which QGIS deletes before it loads layers."""
    from geodp_qgis.rasters import read_release
    from geodp_qgis.styles.counts import style_counts
    from qgis.core import QgsRasterLayer

    path = histogram(SIZES="12").results["OUTPUT_RASTER"]

    class Details:
        def setPostProcessor(self, processor):
            self.processor = processor

    class Context:
        gone = False
        details = Details()

        def project(self):
            assert not self.gone
            return project

        def willLoadLayerOnCompletion(self, destination):
            return True

        def layerToLoadOnCompletionDetails(self, destination):
            return self.details

    context = Context()
    style_counts([path], read_release(path), context)
    context.gone = True
    layer = QgsRasterLayer(path, "counts")
    project.addMapLayer(layer)
    context.details.processor.postProcessLayer(layer, Context(), None)  # that of the loading
    assert "Differentially private" in layer.metadata().abstract()


def test_cells_and_pixels_are_coloured_by_what_is_drawn(loaded):
    vector, raster = loaded
    ranges = vector.renderer().ranges()
    assert vector.renderer().classAttribute() == "drawn"
    assert 2 <= len(ranges) <= 7
    assert ranges[0].lowerValue() < 0 < ranges[0].upperValue()
    assert re.fullmatch(r"below [\d.,]+ records per .+", ranges[0].label())
    lower = [part.lowerValue() for part in ranges]
    assert lower == sorted(lower)
    assert [part.upperValue() for part in ranges[:-1]] == lower[1:]
    items = raster.renderer().shader().rasterShaderFunction().colorRampItemList()
    assert items[-1].value == float("inf")
    assert raster.renderer().band() == 2
    assert raster.bandName(2).startswith("Band 2: drawn")
    limits = [part.upperValue() for part in ranges[:-1]]
    assert [item.value for item in items[:-1]] == pytest.approx(limits)
    assert [item.label for item in items] == [part.label() for part in ranges]


def test_cells_look_as_in_a_file_of_the_library(loaded, tmp_path):
    """The style that the library writes beside its own files, put on by QGIS itself."""
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import read_release

    vector, raster = loaded
    path = tmp_path / "cells.qml"
    legend = read_release(raster.source()).legend
    path.write_text(geodp.style_qml(legend), encoding="utf-8")
    theirs = vector.clone()
    _, ok = theirs.loadNamedStyle(str(path))
    assert ok

    def seen(layer):
        return [
            (part.lowerValue(), part.upperValue(), part.label(), part.symbol().color().name())
            for part in layer.renderer().ranges()
        ]

    assert seen(vector) == seen(theirs)
    assert len(seen(theirs)) == len(legend.classes)


def test_layers_carry_their_promise(loaded):
    for layer in loaded:
        assert "Differentially private with epsilon = 1" in layer.metadata().abstract()
        assert "Counts every record inside the extent." in layer.metadata().abstract()


def test_the_description_is_whole(loaded):
    for layer in loaded:
        about = layer.metadata()
        assert about.title().startswith("Records per ")
        assert about.title().endswith("km², protected (ε = 1), 12 × 12 cells")
        assert [constraint.constraint for constraint in about.constraints()] == [
            "Differentially private with epsilon = 1: adding or removing one record changes the "
            "probability of any outcome by a factor of at most exp(1). It "
            "protects records, not people: someone with several records is protected less."
        ]
        assert about.keywords()["geodp"] == ["differential privacy", "histogram", "counts"]
        assert any(line.startswith("made by geodp") for line in about.history())
        assert about.extent().spatialExtents()[0].bounds.xMinimum() == -2400000


@pytest.mark.parametrize("cells", [0, 1])
def test_what_is_saved_opens_with_style_and_promise(histogram, project, tmp_path, cells):
    from qgis.core import QgsRasterLayer, QgsVectorLayer

    raster, vector = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    histogram(CELLS=cells, OUTPUT_RASTER=str(raster), OUTPUT_VECTOR=str(vector))
    layers = [QgsRasterLayer(str(raster), "counts"), QgsVectorLayer(str(vector), "cells", "ogr")]
    kinds = [layer.renderer().type() for layer in layers]
    assert kinds == ["singlebandpseudocolor", "graduatedSymbol"]
    layers[0].loadDefaultMetadata()  # as the desktop does
    for layer in layers:
        assert "Differentially private with epsilon = 1" in layer.metadata().abstract()


def test_pixels_and_cells_have_the_same_colours(histogram, tmp_path):
    """Adaptive cells, as polygons and as pixels."""
    from qgis.core import QgsRasterLayer, QgsRenderContext, QgsVectorLayer

    raster, vector = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    histogram(CELLS=1, OUTPUT_RASTER=str(raster), OUTPUT_VECTOR=str(vector))
    pixels, cells = QgsRasterLayer(str(raster), "r"), QgsVectorLayer(str(vector), "v", "ogr")
    shader = pixels.renderer().shader()
    renderer, context = cells.renderer().clone(), QgsRenderContext()
    renderer.startRender(context, cells.fields())
    seen = set()
    for cell in cells.getFeatures():
        value, _ = pixels.dataProvider().sample(cell.geometry().centroid().asPoint(), 4)
        _, *colour, _ = shader.shade(value)
        expected = renderer.originalSymbolForFeature(cell, context).color().getRgb()[:3]
        assert tuple(colour) == expected
        seen.add(expected)
    renderer.stopRender(context)
    assert len(seen) > 3


def test_a_raster_without_a_style_is_styled_by_its_tags(histogram, run, project, tmp_path):
    from qgis.core import QgsRasterLayer

    path = tmp_path / "counts.tif"
    histogram(CELLS=0, OUTPUT_RASTER=str(path))
    for suffix in (".qml", ".qmd"):
        path.with_suffix(suffix).unlink()
    layer = QgsRasterLayer(str(path), "counts")
    assert layer.renderer().type() != "singlebandpseudocolor"
    project.addMapLayer(layer)
    done = run("style", INPUT=layer.id())
    assert layer.renderer().type() == "singlebandpseudocolor"
    assert done.results["PROMISE"] in layer.metadata().abstract()


@pytest.mark.parametrize("epsilon", [0.01, 1, 100])
def test_classes_never_shrink_to_nothing(histogram, epsilon):
    from geodp_qgis.rasters import read_release

    release = read_release(histogram(EPSILON=epsilon, SIZES="3").results["OUTPUT_RASTER"])
    bounds = [class_.low for class_ in release.legend.classes]
    assert all(a < b for a, b in itertools.pairwise(bounds))


def test_candidates_come_as_outlines_of_which_one_is_ticked(qgis):
    from geodp_qgis.styles.candidates import renderer

    categories = renderer(["2 x 2", "3 x 3"])
    assert [category.renderState() for category in categories.categories()] == [True, False]
    assert categories.classAttribute() == "candidate"


def test_answers_are_coloured_and_grey_where_too_little_is_known(histogram, run):
    import numpy as np
    from conftest import DISTRICTS
    from geodp_qgis.styles.answers import GREY, breaks, reliable_or_grey
    from geodp_qgis.styles.answers import renderer as style
    from qgis.core import QgsRenderContext

    raster = histogram(SIZES="30").results["OUTPUT_RASTER"]
    given = {"INPUT": raster, "REGIONS": DISTRICTS, "OUTPUT": "TEMPORARY_OUTPUT"}
    layer = run("query", GREY=0.3, **given).results["OUTPUT"]
    estimates = np.array([feature["estimate"] for feature in layer.getFeatures()])
    layer.setRenderer(style(reliable_or_grey("estimate"), breaks(estimates), grey=0.3))
    renderer = layer.renderer()
    *ranges, last = renderer.ranges()
    assert len(ranges) == 5
    assert last.label() == "uncertain: ±30 % or more"
    context = QgsRenderContext()
    context.expressionContext().setFields(layer.fields())
    renderer.startRender(context, layer.fields())
    seen = set()
    for feature in layer.getFeatures():
        half, size = (feature["ci_high"] - feature["ci_low"]) / 2, abs(feature["estimate"])
        assert feature["reliable"] == (half <= 0.3 * size)
        context.expressionContext().setFeature(feature)
        colour = renderer.symbolForFeature(feature, context).color().name()
        assert (colour == GREY) == (not feature["reliable"])
        seen.add(feature["reliable"])
    renderer.stopRender(context)
    assert seen == {True, False}


def test_classes_of_answers_have_round_limits_that_hold_all(qgis):
    import numpy as np
    from geodp_qgis.styles.answers import breaks

    assert breaks(np.array([-3.217, 12.4, 101.6, 158.2, 1234.5, 98765.4])) == [
        -3.3,
        12,
        100,
        160,
        1200,
        99000,
    ]
    generator = np.random.default_rng(1)
    for _ in range(200):
        values = generator.normal(0, 10.0 ** generator.integers(-6, 7), generator.integers(1, 40))
        limits = breaks(values)
        assert limits == sorted(set(limits))
        assert limits[0] <= values.min() <= values.max() <= limits[-1]


@pytest.mark.parametrize(
    ("values", "limits"), [([], []), ([3.0], [3.0]), ([2.0, 2.0, 2.0], [2.0]), ([1.0, 2.0], None)]
)
def test_any_answers_have_classes(qgis, values, limits):
    import numpy as np
    from geodp_qgis.styles.answers import breaks, renderer

    limits_drawn = breaks(np.array([*values, np.nan]))
    assert limits_drawn == limits or limits is None
    if limits_drawn:
        ranges = renderer("estimate", limits_drawn).ranges()
        assert ranges[0].lowerValue() == min(values)
        assert ranges[-1].upperValue() == max(values)


def test_no_style_waits_for_a_layer_that_is_not_loaded(histogram):
    from geodp_qgis.styles import post

    histogram(SIZES="3")
    assert post._waiting == []
