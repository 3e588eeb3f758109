"""Rates per a public field, and grey for what is too uncertain: in answers, districts and pages."""

import json

import pytest
from conftest import DISTRICTS, PLACES, SAMPLE

LAYER = """
import sys
import geopandas

layer = geopandas.read_file(sys.argv[1])
layer["people"] = [None, 0, *range(1000, 1000 * (len(layer) - 1), 1000)]
layer["words"] = "some"
layer.to_file(sys.argv[2], layer="states")
"""

ASK = """
import json, sys
import geopandas, geodp

release, regions, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
answers = geodp.open_release(release).query(geopandas.read_file(regions), per="people", **options)
columns = ["name", "reliable", "rate", "rate_low", "rate_high"]
columns += ["group"] if "group" in answers else []
answers = answers[columns].replace([float("inf")], None)
print(json.dumps(answers.astype(object).where(answers.notna(), None).values.tolist()))
"""


@pytest.fixture(scope="session")
def states(library, tmp_path_factory):
    """The states with a field of people: of one nothing is known, and in one nobody lives."""
    path = tmp_path_factory.mktemp("states") / "states.gpkg"
    library(LAYER, SAMPLE / "us_districts.gpkg", path)
    return str(path)


def numbers(feature, name, end=""):
    """List what a layer tells of a region, in the order of the library's columns; None for NULL."""
    from geodp_qgis.compatibility import is_null

    fields = [f"{each}{end}" for each in ("rate", "rate_low", "rate_high")]
    values = [feature[field] for field in fields]
    return [feature[name], *(None if is_null(value) else value for value in values)]


@pytest.mark.parametrize("by", [{}, {"BY": "state", "CATEGORIES": "CA, TX"}], ids=["one", "groups"])
def test_rates_are_those_of_the_library_to_the_last_bit(
    histogram, run, library, states, tmp_path, by
):
    path = tmp_path / "counts.tif"
    histogram(CELLS=1, OUTPUT_RASTER=str(path), **by)
    given = {"INPUT": str(path), "REGIONS": states, "OUTPUT": "TEMPORARY_OUTPUT"}
    asked = run("query", PER="people", EACH=1000, GREY=0.2, **given).results["OUTPUT"]
    options = {"each": 1000, "reliable": 0.2}
    expected = json.loads(library(ASK, path, states, json.dumps(options)))
    rows = [
        [row[0], feature["reliable"], *row[1:], *([feature["group"]] if by else [])]
        for feature in asked.getFeatures()
        for row in [numbers(feature, "name")]
    ]
    # Powers and logarithms of two versions of NumPy may differ in their last bit.
    for ours, theirs in zip(rows, expected, strict=True):
        assert ours == [
            pytest.approx(value, rel=1e-13) if isinstance(value, float) else value
            for value in theirs
        ]
        assert ours[2] == theirs[2]
    assert {row[1] for row in rows} == {True, False}


@pytest.fixture
def counted(project, states):
    """*Private counts for districts*, loaded into the project as the desktop does it."""
    import processing
    from qgis.core import QgsProcessingContext

    def go(**changes):
        context = QgsProcessingContext()
        context.setProject(project)
        parameters = {"INPUT": PLACES, "DISTRICTS": states, "EPSILON": 1.0}
        parameters |= {"OUTPUT": "TEMPORARY_OUTPUT", **changes}
        processing.runAndLoadResults("geodp:privatedistricts", parameters, context=context)
        (layer,) = project.mapLayers().values()
        return layer

    return go


def test_districts_have_the_rates_that_the_library_answers(counted, library, states, tmp_path):
    path = tmp_path / "counts.gpkg"
    layer = counted(OUTPUT=str(path), PER="people", EACH=1000)
    expected = json.loads(library(ASK, path, states, json.dumps({"each": 1000})))
    rates = {
        row[0]: row[1:] for row in (numbers(feature, "district") for feature in layer.getFeatures())
    }
    for name, _, rate, low, high in expected:
        assert rates[name][0] == rate
        for ours, theirs in zip(rates[name][1:], (low, high), strict=True):
            assert ours == (theirs if theirs is None else pytest.approx(theirs, rel=1e-12))
    assert [None, 0, None] in rates.values()  # nobody lives there
    assert layer.styleManager().currentStyle() == "counts as rates"
    assert layer.renderer().classAttribute() == '"rate"'
    place = layer.fields().indexOf("rate")
    assert layer.attributeAlias(place) == "Rate per 1,000 of 'people'"
    assert "Rate per 1,000 of 'people': " in layer.mapTipTemplate()


def test_a_temporary_layer_is_a_release_that_can_be_asked(counted, run):
    layer = counted()
    assert layer.providerType() == "ogr"
    assert layer.name().startswith("Private counts, ε = 1, 49 districts")
    asked = run("query", INPUT=layer.id(), REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    estimates = {
        feature["name"]: feature["estimate"] for feature in asked.results["OUTPUT"].getFeatures()
    }
    assert estimates == {feature["district"]: feature["count"] for feature in layer.getFeatures()}


def test_styles_are_kept_in_the_geopackage(counted, project, tmp_path):
    import sqlite3
    from contextlib import closing

    from qgis.core import QgsVectorLayer

    path = tmp_path / "counts.gpkg"
    shown = counted(OUTPUT=str(path), GREY=0.3).renderer().classAttribute()
    project.clear()
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT styleName, useAsDefault FROM layer_styles").fetchall()
    names = ("counts", "signed counts", "standard error")
    assert dict(rows) == {**dict.fromkeys(names, 0), "counts, uncertain ones grey": 1}
    assert QgsVectorLayer(str(path), "again", "ogr").renderer().classAttribute() == shown


@pytest.mark.parametrize("rates", [{}, {"PER": "people"}], ids=["counts", "rates"])
@pytest.mark.parametrize("by", [{}, {"BY": "state", "CATEGORIES": "CA, TX"}], ids=["one", "groups"])
def test_uncertain_districts_are_grey(counted, rates, by):
    from geodp_qgis.styles.answers import GREY
    from qgis.core import QgsRenderContext

    layer = counted(GREY=0.1, **rates, **by)
    end = "_CA" if by else ""
    end = next(name[5:] for name in layer.fields().names() if name.startswith(f"count{end}"))
    renderer, context = layer.renderer(), QgsRenderContext()
    assert renderer.ranges()[-1].label() == "uncertain: ±10 % or more"
    context.expressionContext().setFields(layer.fields())
    renderer.startRender(context, layer.fields())
    seen = set()
    for feature in layer.getFeatures():
        half = (feature[f"ci_high{end}"] - feature[f"ci_low{end}"]) / 2
        grey = not (feature[f"count{end}"] > 0 and half <= 0.1 * feature[f"count{end}"])
        context.expressionContext().setFeature(feature)
        symbol = renderer.symbolForFeature(feature, context)
        if symbol is None:
            assert rates  # per nobody
            assert numbers(feature, "district", end)[1] is None
            continue
        assert (symbol.color().name() == GREY) == grey
        seen.add(grey)
    renderer.stopRender(context)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"PER": "words"}, "'words' is none"),
        ({"PER": "missing"}, "'missing' is none"),
        ({"EACH": 1}, "needs the field to divide by"),
        ({"PER": "people", "EACH": 0}, "must be a positive number, such as 1000"),
        ({"GREY": -1}, "must be a positive number, such as 0.5"),
    ],
)
def test_what_does_not_fit_is_refused(histogram, run, states, changes, words):
    from qgis.core import QgsProcessingException

    raster = histogram(SIZES="5").results["OUTPUT_RASTER"]
    with pytest.raises(QgsProcessingException, match=words):
        run("query", INPUT=raster, REGIONS=states, OUTPUT="TEMPORARY_OUTPUT", **changes)
    if "PER" in changes or "EACH" in changes:
        given = {"INPUT": PLACES, "DISTRICTS": states, "EPSILON": 1.0}
        with pytest.raises(QgsProcessingException, match=words):
            run("privatedistricts", OUTPUT="TEMPORARY_OUTPUT", **given, **changes)


def test_districts_of_several_rows_have_no_rates(run, project):
    from qgis.core import QgsFeature, QgsGeometry, QgsProcessingException, QgsVectorLayer

    fields = "field=country:string&field=state:string&field=people:integer"
    layer = QgsVectorLayer(f"Polygon?crs=EPSG:5070&{fields}", "halves", "memory")
    for west in (0, 100000):
        feature = QgsFeature(layer.fields())
        box = f"Polygon(({west} 0, {west + 90000} 0, {west + 90000} 90000, {west} 90000, {west} 0))"
        feature.setGeometry(QgsGeometry.fromWkt(box))
        feature.setAttributes(["all", "both", 5])
        layer.dataProvider().addFeatures([feature])
    project.addMapLayer(layer)
    given = {"INPUT": PLACES, "DISTRICTS": layer.id(), "LEVELS": ["country", "state"]}
    given |= {"EPSILON": 1.0, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert run("privatedistricts", **given).results["OUTPUT"].featureCount() == 1
    with pytest.raises(QgsProcessingException, match="one row for each district"):
        run("privatedistricts", PER="people", **given)


def test_grey_reaches_the_page(histogram, run, tmp_path):
    raster = histogram(CELLS=1).results["OUTPUT_RASTER"]
    pages = []
    for number, grey in enumerate((None, 0.5)):
        path = tmp_path / f"{number}.html"
        run("report", INPUT=raster, REGIONS=DISTRICTS, GREY=grey, OUTPUT_HTML=str(path))
        pages.append("uncertain: ±50 % or more" in path.read_text(encoding="utf-8"))
    assert pages == [False, True]
