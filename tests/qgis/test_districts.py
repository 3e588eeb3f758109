"""*Private counts for districts*: the library's release, as a layer with colours and intervals."""

import json

import pytest
from conftest import DISTRICTS, PLACES, SAMPLE, same_columns

RELEASE = """
import json, sys
import geopandas, geodp
from geodp.core.publish import metadata

places, districts, target, options = *sys.argv[1:4], json.loads(sys.argv[4])
layer = geopandas.read_file(districts)
layer["letter"] = layer["state"].str[0]
points = geopandas.read_file(places)
if options.pop("by", None):
    options["by"] = geodp.Categories("state", ["CA", "TX"])
if options.pop("person", None):
    options["protect"] = geodp.Person("state", 3)
if options.pop("people", None):
    options["protect"] = geodp.Person("state")
if options.pop("amount", None):
    options["amount"] = geodp.Amount("population", 0, 20000)
cells = geodp.Districts(layer, **options.pop("cells", {}))
release = geodp.release(points, cells=cells, **options)
release.to_vector(target)
counts = [one.counts.tolist() for one in release.maps.values()]
columns = {name: values.tolist() for name, values in release.columns().items()}
print(json.dumps({"counts": counts, "columns": columns, "tags": metadata.release_tags(release)}))
"""

LAYER = """
import sys
import geopandas

layer = geopandas.read_file(sys.argv[1])
layer["letter"] = layer["state"].str[0]
layer.to_file(sys.argv[2], layer="states")
"""


@pytest.fixture(scope="session")
def states(library, tmp_path_factory):
    """The states, with a field for larger units."""
    path = tmp_path_factory.mktemp("districts") / "states.gpkg"
    library(LAYER, SAMPLE / "us_districts.gpkg", path)
    return str(path)


@pytest.fixture
def counted(run):
    """*Private counts for districts* of the sample data; parameters may be replaced."""

    def go(cancel_at=None, context=None, **changes):
        parameters = {"INPUT": PLACES, "DISTRICTS": DISTRICTS, "EPSILON": 1.0}
        parameters |= {"OUTPUT": "TEMPORARY_OUTPUT", **changes}
        return run("privatedistricts", cancel_at=cancel_at, context=context, **parameters)

    return go


LAND = str(SAMPLE / "us_districts.gpkg")
CASES = (
    # name, plugin's parameters, library's arguments
    ("plain", {}, {}),
    ("named", {"NAME_FIELD": "state"}, {"cells": {"name": "state"}}),
    ("levels", {"LEVELS": ["letter", "name"]}, {"cells": {"levels": ["letter", "name"]}}),
    ("dissolved", {"LEVELS": ["letter"]}, {"cells": {"levels": ["letter"]}}),
    ("land", {"WITHIN": LAND}, {"cells": {"within": LAND}}),
    ("groups", {"BY": "state", "CATEGORIES": "CA, TX"}, {"by": True}),
    ("people", {"PERSON": "state", "MAX_RECORDS": 3}, {"person": True}),
    ("people alone", {"PERSON": "state"}, {"people": True}),
    ("amounts", {"AMOUNT": "population", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 20000}, {"amount": True}),
    (
        "amounts of people",
        {"AMOUNT": "population", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 20000, "PERSON": "state"},
        {"amount": True, "people": True},
    ),
    (
        "amounts in groups",
        {"AMOUNT": "population", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 20000}
        | {"BY": "state", "CATEGORIES": "CA, TX"},
        {"amount": True, "by": True},
    ),
)


@pytest.mark.parametrize(("name", "ours", "theirs"), CASES)
def test_the_same_seed_gives_the_same_bits(counted, library, states, name, ours, theirs, tmp_path):
    from geodp_qgis.library import geodp
    from geodp_qgis.vectors import read_cells

    path = tmp_path / "counts.gpkg"
    counted(SEED=7, DISTRICTS=states, OUTPUT=str(path), **ours)
    release = read_cells(path, "counts")
    options = {"seed": 7, "epsilon": 1, **theirs}
    files = SAMPLE / "us_places.gpkg", states, tmp_path / "l.gpkg"
    expected = json.loads(library(RELEASE, *files, json.dumps(options)))
    assert [one.counts.tolist() for one in release.maps.values()] == expected["counts"]
    if name != "dissolved":  # unions begin their rings where their library likes
        assert geodp.release_tags(release) == expected["tags"]
        same_columns(release, expected["columns"])
        assert list(fields_in(path)) == list(fields_in(tmp_path / "l.gpkg"))
    again = read_cells(tmp_path / "l.gpkg", "counts")  # the library's own file
    assert [one.counts.tolist() for one in again.maps.values()] == expected["counts"]


def fields_in(path):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(f"{path}|layername=counts", "counts", "ogr")
    return [name for name in layer.fields().names() if name != "fid"]


OPEN = """
import json, sys
import geodp

release = geodp.open_release(sys.argv[1])
print(json.dumps([release.counts.tolist(), geodp.verify(sys.argv[1]).holds, release.seeded]))
"""


def test_the_library_opens_what_the_plugin_wrote(counted, library, tmp_path):
    path = tmp_path / "counts.gpkg"
    done = counted(OUTPUT=str(path), OUTPUT_HTML=str(tmp_path / "page.html"))
    counts, holds, seeded = json.loads(library(OPEN, path))
    assert holds
    assert not seeded
    assert len(counts) == 49
    assert done.results["EPSILON"] == 1
    assert "Counts every record inside the districts." in done.text
    assert "Chosen cells" not in done.text
    assert str(sum(counts)) not in done.text
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "California" in page


def test_the_layer_has_names_intervals_colours_and_tips(counted, project, tmp_path):
    from qgis.core import (
        QgsExpression,
        QgsExpressionContext,
        QgsExpressionContextUtils,
        QgsVectorLayer,
    )

    path = tmp_path / "counts.gpkg"
    counted(OUTPUT=str(path))
    layer = QgsVectorLayer(str(path), "counts", "ogr")  # with the style that is inside
    assert layer.renderer().type() == "graduatedSymbol"
    names = layer.fields().names()
    assert {"id", "district", "count", "std_error", "ci_low", "ci_high", "density"} <= set(names)
    texas = next(feature for feature in layer.getFeatures() if feature["district"] == "Texas")
    assert texas["ci_low"] < texas["count"] < texas["ci_high"]
    assert texas["ci_high"] - texas["ci_low"] < 8
    assert texas.geometry().isGeosValid()
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    texas["district"] = "<img src=x> & Texas"
    context.setFeature(texas)
    tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context)
    assert tip.startswith("<b>&lt;img src=x> &amp; Texas</b><br>")
    assert f"{texas['count']:,} records" in tip


def test_answers_are_the_counts(counted, run, tmp_path):
    path = tmp_path / "counts.gpkg"
    counted(OUTPUT=str(path))
    asked = run("query", INPUT=str(path), REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    from geodp_qgis.vectors import read_cells

    release = read_cells(path, "counts")
    estimates = {
        feature["name"]: feature["estimate"] for feature in asked.results["OUTPUT"].getFeatures()
    }
    districts = release.cells.attributes()["district"].tolist()
    assert estimates == dict(zip(districts, release.counts.tolist()))


REFUSED = (
    ({"AMOUNT": "population"}, "needs both bounds"),
    ({"AMOUNT": "population", "AMOUNT_LOW": 0}, "needs both bounds"),
    ({"AMOUNT_HIGH": 9}, "Bounds are those of a field to add up"),
    ({"AMOUNT": "name", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 9}, "field of numbers"),
    ({"AMOUNT": "none", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 9}, "field of numbers"),
    (
        {"AMOUNT": "population", "AMOUNT_LOW": 9, "AMOUNT_HIGH": 0},
        "must be less than the upper one",
    ),
    ({"NAME_FIELD": "name", "LEVELS": ["state", "name"]}, "Levels end with the districts"),
    ({"EPSILON": 0}, "must be greater than 0"),
    ({"EPSILON": 50}, "Go on where inputs look like a mistake"),
    ({"DISTRICTS": PLACES}, "Regions must be polygons|is not"),
    ({"OUTPUT": "/nowhere/at/all/counts.gpkg"}, "nowhere"),
)


@pytest.mark.parametrize(("changes", "words"), REFUSED)
def test_what_does_not_fit_is_refused(counted, changes, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=words):
        counted(**changes)


def test_overlapping_districts_are_refused_before_anything_is_spent(counted, project, tmp_path):
    from qgis.core import QgsFeature, QgsGeometry, QgsProcessingException, QgsVectorLayer

    layer = QgsVectorLayer("Polygon?crs=EPSG:5070&field=name:string", "two", "memory")
    for name, west in (("west", 0), ("east", 400)):
        each = QgsFeature(layer.fields())
        each["name"] = name
        shape = f"POLYGON(({west} 0, {west + 1000} 0, {west + 1000} 1000, {west} 1000, {west} 0))"
        each.setGeometry(QgsGeometry.fromWkt(shape))
        layer.dataProvider().addFeature(each)
    project.addMapLayer(layer)
    ledger, path = tmp_path / "ledger.sqlite", tmp_path / "counts.gpkg"
    paid = {"DATASET": "places", "CAP": 1.0, "LEDGER": str(ledger), "OUTPUT": str(path)}
    with pytest.raises(QgsProcessingException, match=r"west.*east"):
        counted(DISTRICTS=layer.id(), **paid)
    assert not ledger.exists()
    assert not path.exists()
    with pytest.raises(QgsProcessingException, match="Cancelled: nothing was released"):
        counted(cancel_at="counting", **paid)
    assert not path.exists()
    counted(**paid)
    assert ledger.exists()
    with pytest.raises(QgsProcessingException, match=r"never written over|would pass the cap"):
        counted(**paid)


def test_a_release_that_cannot_be_written_is_kept_elsewhere(
    counted, library, tmp_path, monkeypatch
):
    from geodp_qgis.algorithms import private_polygons
    from qgis.core import QgsProcessingException

    def full(*_):
        raise OSError("no room")

    monkeypatch.setattr(private_polygons, "write_layer", full)
    with pytest.raises(QgsProcessingException, match="the release is kept") as caught:
        counted(OUTPUT=str(tmp_path / "counts.gpkg"))
    kept = str(caught.value).partition("kept in ")[2].partition(": copy")[0]
    counts, holds, seeded = json.loads(library(OPEN, kept))
    assert (len(counts), holds, seeded) == (49, True, False)


def test_it_is_first_in_the_menu(qgis):
    from geodp_qgis.provider import ALGORITHMS

    assert ALGORITHMS[0].NAME == "privatedistricts"


def test_it_is_german_in_german(german):
    from geodp_qgis.algorithms.private_districts import PrivateDistricts

    algorithm = PrivateDistricts().create()
    assert algorithm.displayName() == "Private Zahlen für Bezirke"
    assert "Bezirke" in algorithm.shortHelpString()
