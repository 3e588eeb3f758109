"""Settings of a layer that QGIS applies before it is read: limits, filters, iterating.

A limit lets one record decide whether another is counted; a filter does not, as long as it judges
each record by itself.
"""

import re

import pytest
from conftest import CRS, DISTRICTS, EXTENT

WEST, MIDDLE, EAST = "Point(-2e6 1e6)", "Point(-1e6 1e6)", "Point(0 1e6)"


@pytest.fixture
def points(project):
    """``points(*shapes)``: a layer in the project, with a field that numbers the records."""
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    def go(*shapes, crs=CRS):
        layer = QgsVectorLayer(f"Point?crs={crs}&field=number:integer", "points", "memory")
        for number, shape in enumerate(shapes):
            feature = QgsFeature(layer.fields())
            feature.setGeometry(QgsGeometry.fromWkt(shape))
            feature.setAttributes([number])
            assert layer.dataProvider().addFeatures([feature])[0]
        project.addMapLayer(layer)
        return layer

    return go


@pytest.fixture
def districts(project):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(DISTRICTS, "districts", "ogr")
    project.addMapLayer(layer)
    return layer


def given(layer, **options):
    from qgis.core import QgsProcessingFeatureSourceDefinition

    name = layer if isinstance(layer, str) or not hasattr(layer, "id") else layer.id()
    return QgsProcessingFeatureSourceDefinition(name, **options)


def flag(name):
    from qgis.core import QgsProcessingFeatureSourceDefinition

    return getattr(QgsProcessingFeatureSourceDefinition.Flag, name)


def refused(histogram, tmp_path, **parameters):
    """The sentence; nothing was read, written or spent."""
    from qgis.core import QgsProcessingException

    ledger = tmp_path / "ledger.sqlite"
    book = {"DATASET": "points", "CAP": 1, "LEDGER": str(ledger)}
    with pytest.raises(QgsProcessingException) as raised:
        histogram(**book, **parameters)
    assert not ledger.exists()
    assert "counting" not in histogram.run.last.text
    return str(raised.value)


def released_counts(done):
    from geodp_qgis.rasters import read_release

    release = read_release(done.results["OUTPUT_RASTER"])
    return release.counts.reshape(release.cells.grid.shape).tolist()


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1, 2, 10**9])
def test_a_limit_on_the_points_is_refused(histogram, points, tmp_path, limit):
    """With a limit of 2, taking the first of three points away changed two counts, not one."""
    layer = points(WEST, MIDDLE, EAST)
    message = refused(histogram, tmp_path, INPUT=given(layer, featureLimit=limit))
    assert "a limit on the features processed would let one record decide" in message


def test_a_limit_on_a_selection_and_behind_an_expression_is_refused(histogram, points, tmp_path):
    from qgis.core import QgsProperty

    layer = points(WEST, MIDDLE)
    selection = given(layer, selectedFeaturesOnly=True, featureLimit=1)
    assert "remove the limit" in refused(histogram, tmp_path, INPUT=selection)
    named = QgsProperty.fromExpression(f"'{layer.id()}'")
    limited = given(named, featureLimit=1)
    assert "remove the limit" in refused(histogram, tmp_path, INPUT=limited)


def test_a_description_of_a_layer_without_a_limit_counts_all(histogram, points):
    done = histogram(INPUT=given(points(WEST, MIDDLE, EAST)), SIZES="1x3", EPSILON=200)
    assert released_counts(done) == [[2, 1, 0]]
    assert "not counted, and the rule" not in done.text


def test_descriptions_of_an_unknown_kind_are_refused(histogram, points, tmp_path):
    """As QGIS writes them into models and histories: newer versions may read them back."""
    from qgis.core import QgsProperty

    limited = given(points(WEST), featureLimit=1)
    for value in (limited.toVariant(), QgsProperty.fromValue(limited)):
        refused(histogram, tmp_path, INPUT=value)


@pytest.mark.parametrize("value", [{"source": "x", "feature_limit": 1}, ["a", "b"], 7])
def test_they_are_refused_even_where_qgis_would_take_them(qgis, value):
    from geodp_qgis.algorithms.private_points import refuse_limit
    from geodp_qgis.library import geodp

    with pytest.raises(geodp.InputError, match="must be a layer, or the name of one"):
        refuse_limit({"INPUT": value})


def test_a_limit_on_the_regions_is_no_matter(histogram, districts):
    assert histogram(REGIONS=given(districts, featureLimit=3), SIZES="3").results["ROWS"] == 3


# --- models -------------------------------------------------------------------------------------


def model(**fixed):
    """A model whose only step is the private histogram of its own input."""
    from qgis.core import (
        QgsProcessingModelAlgorithm,
        QgsProcessingModelChildAlgorithm,
        QgsProcessingModelChildParameterSource,
        QgsProcessingModelOutput,
        QgsProcessingModelParameter,
        QgsProcessingParameterFeatureSource,
    )

    model = QgsProcessingModelAlgorithm("release", "tests")
    for name in ("INPUT", "REGIONS"):
        parameter = QgsProcessingParameterFeatureSource(name, name, optional=name == "REGIONS")
        model.addModelParameter(parameter, QgsProcessingModelParameter(name))
    step = QgsProcessingModelChildAlgorithm("geodp:privatehistogram")
    source = QgsProcessingModelChildParameterSource
    values = {"EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1.0, "SIZES": "2", **fixed}
    for name, value in values.items():
        step.addParameterSources(name, [source.fromStaticValue(value)])
    for name in ("INPUT", "REGIONS"):
        if name not in values:
            step.addParameterSources(name, [source.fromModelParameter(name)])
    output = QgsProcessingModelOutput("raster", "raster")
    output.setChildOutputName("OUTPUT_RASTER")
    output.setChildId(model.addChildAlgorithm(step))
    model.updateDestinationParameters()
    step = model.childAlgorithms()[output.childId()]
    step.setModelOutputs({"raster": output})
    model.setChildAlgorithm(step)
    model.updateDestinationParameters()
    return model


def run_model(model, project, path, **parameters):
    from qgis.core import QgsProcessingContext, QgsProcessingFeedback

    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    outputs = {output.name(): str(path) for output in model.destinationParameterDefinitions()}
    assert len(outputs) == 1
    _, ok = model.create().run({**outputs, **parameters}, context, feedback)
    return ok, feedback.textLog()


def test_a_model_runs(points, project, tmp_path):
    ok, log = run_model(model(), project, tmp_path / "counts.tif", INPUT=points(WEST).id())
    assert ok, log
    assert (tmp_path / "counts.tif").exists()


@pytest.mark.parametrize("fixed", [False, True], ids=["input", "step"])
def test_a_limit_in_a_model_is_refused(points, project, tmp_path, fixed):
    """A model checks nothing beforehand; the limit may be in its input or in the step itself."""
    limited = given(points(WEST, MIDDLE), featureLimit=1)
    chosen = model(INPUT=limited) if fixed else model()
    path = tmp_path / "counts.tif"
    ok, log = run_model(chosen, project, path, INPUT=limited)
    assert not ok
    assert "remove the limit" in log
    assert not path.exists()


def test_iterating_in_a_model_is_refused(points, districts, project, tmp_path):
    each = given(districts, flags=flag("FlagCreateIndividualOutputPerInputFeature"))
    path = tmp_path / "counts.tif"
    ok, log = run_model(model(), project, path, INPUT=points(WEST).id(), REGIONS=each)
    assert not ok
    assert "One run makes one release" in log
    assert not path.exists()


# --- iterating ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["REGIONS", "EXTENT", "OTHER"])
def test_iterating_over_any_layer_is_refused(qgis, districts, name):
    """One click beside the regions made a release for each of them and said ε once."""
    from geodp_qgis.library import geodp
    from qgis.core import QgsApplication, QgsProcessingContext

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    each = given(districts, flags=flag("FlagCreateIndividualOutputPerInputFeature"))
    with pytest.raises(geodp.InputError, match="would make one for each feature and spend ε"):
        algorithm.read({"INPUT": "points.gpkg", name: each}, QgsProcessingContext())


def test_iterating_over_the_regions_is_refused_as_the_dialog_asks(histogram, districts, tmp_path):
    each = given(districts, flags=flag("FlagCreateIndividualOutputPerInputFeature"))
    message = refused(histogram, tmp_path, REGIONS=each)
    assert "iterating over 'Regions that should come out well (public)'" in message


# --- filters and selections, told alike ---------------------------------------------------------

RULE = "what this leaves out is not counted, and the rule by which it was chosen is not protected"


def test_the_layers_filter_is_told(histogram, points):
    from qgis.core import QgsProperty

    layer = points(WEST, MIDDLE, EAST)
    layer.setSubsetString('"number" > 0')
    for way in (layer, layer.id(), given(layer), QgsProperty.fromExpression(f"'{layer.id()}'")):
        done = histogram(INPUT=way, SIZES="1", EPSILON=200)
        assert f"the layer's filter applies: {RULE}." in done.text
        assert released_counts(done) == [[2]]


def test_a_filter_in_the_name_of_a_file_is_told(histogram, tmp_path):
    from conftest import SAMPLE

    name = f"{SAMPLE / 'us_places.gpkg'}|layername=us_places|subset=\"state\" = 'TX'"
    assert f"the layer's filter applies: {RULE}." in histogram(INPUT=name, SIZES="1").text


def test_a_selection_with_a_filter_is_told_in_one_sentence(histogram, points):
    layer = points(WEST, MIDDLE, EAST)
    layer.setSubsetString('"number" > 0')
    layer.selectByExpression('"number" = 2')
    done = histogram(INPUT=given(layer, selectedFeaturesOnly=True), SIZES="1", EPSILON=200)
    assert f"; selected features only, the layer's filter applies: {RULE}." in done.text
    assert released_counts(done) == [[1]]


class Wrench:
    """A source of QGIS 3.32 or later, whose wrench has a filter; older ones lack the attribute."""

    def __new__(cls, layer, filter_expression):
        definition = given(layer)
        definition.filterExpression = filter_expression
        return definition


def test_the_filter_of_the_run_is_told(qgis, points):
    from geodp_qgis.algorithms.private_points import in_words
    from qgis.core import QgsApplication, QgsProcessingContext

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    layer = points(WEST)
    for text, is_filtered in (('"number" > 0', True), ("", False)):
        parameters = {"INPUT": Wrench(layer, text)}
        words = in_words(algorithm, parameters, QgsProcessingContext(), None, None)
        assert (f"the filter of this run applies: {RULE}" in words) is is_filtered


FOREIGN = (
    ("SELECT * FROM us_places LIMIT 100", "SELECT"),
    ("fid IN (select max(fid) from us_places)", "select"),
    ('"number" = maximum("number")', "maximum"),
    ("count (1) > 7", "count"),
)
OWN = (
    '"number" > 3',
    "\"state\" = 'select'",
    '"count" > 3',
    '"maximum" = 1',
    "name LIKE 'it''s count(1)%'",
    "max(a, b) > 3",
    "accounts(x) = 1",
)


@pytest.mark.parametrize(("text", "word"), FOREIGN)
def test_a_filter_that_looks_at_other_records_is_refused(qgis, points, text, word):
    from geodp_qgis.algorithms.private_points import check_filters
    from geodp_qgis.library import geodp
    from qgis.core import QgsApplication, QgsProcessingContext

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    parameters = {"INPUT": Wrench(points(WEST), text)}
    with pytest.raises(geodp.InputError, match=f"with '{word}' one record decides"):
        check_filters(algorithm, parameters, QgsProcessingContext())


@pytest.mark.parametrize("text", OWN)
def test_a_filter_by_the_records_own_fields_is_not(qgis, points, text):
    from geodp_qgis.algorithms.private_points import check_filters
    from qgis.core import QgsApplication, QgsProcessingContext

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    check_filters(algorithm, {"INPUT": Wrench(points(WEST), text)}, QgsProcessingContext())


@pytest.mark.parametrize(
    "subset",
    [
        "SELECT * FROM us_places ORDER BY fid LIMIT 100",
        "fid <= (SELECT min(fid) + 99 FROM us_places)",
    ],
)
def test_a_layer_cut_to_a_number_of_records_is_refused(histogram, tmp_path, subset):
    """A limit by another way: OGR takes whole queries for filters."""
    from conftest import SAMPLE

    name = f"{SAMPLE / 'us_places.gpkg'}|layername=us_places|subset={subset}"
    message = refused(histogram, tmp_path, INPUT=name)
    assert "must judge each record by itself" in message


# --- what QGIS would say about a single record --------------------------------------------------


@pytest.fixture
def messages(qgis):
    """Everything that reaches QGIS's own message log, which the desktop shows."""
    from qgis.core import QgsApplication

    messages_seen = []

    def note(text, *_):
        messages_seen.append(text)

    QgsApplication.messageLog().messageReceived.connect(note)
    yield messages_seen
    QgsApplication.messageLog().messageReceived.disconnect(note)


def test_records_that_cannot_be_transformed_are_dropped_without_a_word(histogram, points, messages):
    """QGIS itself would name them: 'transform error when reprojecting feature with id 2'."""
    valid = points("Point(-100 40)", crs="EPSG:4326")
    odd = points("Point(-100 40)", "Point(0 -91)", "Point(1e300 1e300)", crs="EPSG:4326")
    logs = []
    for layer in (valid, odd):
        done = histogram(INPUT=layer, SIZES="1", EPSILON=200)
        assert released_counts(done) == [[1]]
        lines = [re.sub(r"'points_\w+'", "LAYER", line) for line in done.log]
        logs.append([line for line in lines if "OUTPUT_RASTER" not in line])
    assert logs[0] == logs[1]
    assert not any("transform" in text or "1e+300" in text for text in messages)


@pytest.mark.parametrize("check", ["GeometryAbortOnInvalid", "GeometrySkipInvalid"])
def test_the_check_of_geometries_names_nobody(histogram, points, check):
    from qgis.core import QgsFeatureRequest

    layer = points(EAST, "Point(nan nan)", "Point EMPTY")
    checked = given(
        layer,
        flags=flag("FlagOverrideDefaultGeometryCheck"),
        geometryCheck=getattr(QgsFeatureRequest, check),
    )
    done = histogram(INPUT=checked, SIZES="1", EPSILON=200)
    assert released_counts(done) == [[1]]
    assert "invalid" not in done.text.lower()


def test_gdal_says_nothing_about_the_points(histogram, tmp_path, capfd):
    """On the terminal it would say: 'Invalid value type found in record 2 for field who'."""
    from qgis.core import QgsCoordinateReferenceSystem

    path = tmp_path / "points.csv"
    path.write_text('WKT,who\n"POINT (0 1e6)",7\n"POINT (1 1e6)",nobody\n')
    path.with_suffix(".csvt").write_text('"WKT","Integer"\n')
    path.with_suffix(".prj").write_text(QgsCoordinateReferenceSystem(CRS).toWkt())
    done = histogram(INPUT=str(path), SIZES="1", EPSILON=200)
    assert released_counts(done) == [[2]]
    assert "who" not in "".join(capfd.readouterr()) + done.text


ODD = [(1e308, 0.0), (0.0, 95.0), (float("nan"), 40.0), (float("inf"), 40.0), (179.99, -89.99)]


@pytest.mark.parametrize("target", ["EPSG:5070", "EPSG:27700", "EPSG:2154"])
def test_points_move_together_as_each_alone(qgis, target):
    """To the last bit; and no odd point moves another, whatever operation QGIS takes for it."""
    import numpy as np
    from geodp_qgis.points import Moving
    from qgis.core import QgsCoordinateReferenceSystem, QgsProject

    move = Moving(
        QgsCoordinateReferenceSystem("EPSG:4326"),
        QgsCoordinateReferenceSystem(target),
        QgsProject.instance().transformContext(),
    )
    generator = np.random.default_rng(5)
    xs = generator.uniform(-10, 12, 200).tolist()
    ys = generator.uniform(41, 60, 200).tolist()
    together, alone = move(xs, ys), move._each(xs, ys)
    np.testing.assert_array_equal(together, alone)
    for odd in ODD:
        moved = move([*xs, odd[0]], [*ys, odd[1]])
        np.testing.assert_array_equal([side[:-1] for side in moved], alone)


def test_nothing_moves_where_the_crs_is_the_same(qgis):
    from geodp_qgis.points import Moving
    from qgis.core import QgsCoordinateReferenceSystem, QgsProject

    crs = QgsCoordinateReferenceSystem("EPSG:5070")
    x, y = Moving(crs, crs, QgsProject.instance().transformContext())([1.5], [2.5])
    assert (x.tolist(), y.tolist()) == ([1.5], [2.5])
