"""One person may have many records: who is protected then, and by how much noise."""

import json

import pytest
from conftest import TOWN, TOWN_CRS
from test_algorithms import restored

RELEASE = """
import json, sys
import geopandas, geodp
from geodp.core.publish import metadata

domain = geodp.Domain((490000, 5390000, 510000, 5410000), "EPSG:32633")
frame = geopandas.read_file(sys.argv[1])
options = json.loads(sys.argv[2])
person = geodp.Person("person_id", options.pop("max_records"))
release = geodp.release(frame, domain, protect=person, **options)
print(json.dumps({"counts": release.counts.tolist(), "tags": metadata.release_tags(release)}))
"""

RECORDS = "It protects records, not people"
COUNTED = "Counts at most 3 records of each person and no record without a person"
NO_NOISE = {"EPSILON": 400, "SIZES": "1"}


@pytest.fixture
def town(histogram, checkins):
    """*Private histogram* of the check-ins, at most three records of each person."""

    def go(**changes):
        given = {"INPUT": checkins, "EXTENT": TOWN, "CRS": TOWN_CRS}
        return histogram(**{**given, "PERSON": "person_id", "MAX_RECORDS": 3, **changes})

    return go


def people(*records, kind="Point", field="who:string"):
    """A layer of shapes and whose they are."""
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    layer = QgsVectorLayer(f"{kind}?crs={TOWN_CRS}&field=note:string&field={field}", "p", "memory")
    for shape, who in records:
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromWkt(shape))
        feature.setAttributes(["same", who])
        assert layer.dataProvider().addFeatures([feature])[0]
    return layer


def refused(run, **parameters):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        run(**parameters)
    return str(raised.value)


@pytest.mark.parametrize(("most", "seed"), [(1, 5), (3, 7)])
def test_the_same_seed_gives_the_same_bits_as_the_library(town, checkins, library, most, seed):
    from geodp_qgis.library import geodp

    release = restored(town(MAX_RECORDS=most, SEED=seed).results["OUTPUT_RASTER"])
    options = {"epsilon": 1, "max_records": most, "seed": seed}
    expected = json.loads(library(RELEASE, checkins, json.dumps(options)))
    assert release.counts.tolist() == expected["counts"]
    assert geodp.release_tags(release) == expected["tags"]
    assert (release.method.unit.kind, release.method.unit.max_records) == ("person", most)


def test_at_most_so_many_records_of_each_person_are_counted(town, checkins):
    from collections import Counter

    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(checkins, "checkins", "ogr")
    records = Counter(feature["person_id"] for feature in layer.getFeatures())
    release = restored(town(**NO_NOISE).results["OUTPUT_RASTER"])
    expected = sum(min(number, 3) for number in records.values())
    assert release.counts.tolist() == pytest.approx([expected], abs=0.5)
    assert sum(records.values()) == 16236


def test_without_a_number_people_are_counted(town, checkins):
    """Each is one, as in the library, and the log and the file say so."""
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(checkins, "checkins", "ogr")
    persons = {feature["person_id"] for feature in layer.getFeatures()}
    done = town(MAX_RECORDS=None, **NO_NOISE)
    release = restored(done.results["OUTPUT_RASTER"])
    assert release.counts.tolist() == pytest.approx([len(persons)], abs=0.5)
    assert release.method.unit.max_records is None
    assert "each counts as one, spread over the places of their records" in done.text
    assert release.counted.split(" inside")[0] in done.text


def test_the_noise_grows_with_the_records_of_a_person(town):
    release = restored(town(SIZES="5", MAX_RECORDS=10).results["OUTPUT_RASTER"])
    assert release.scale == 10


def test_records_of_nobody_are_dropped(histogram):
    point = "Point(500000 5400000)"
    layer = people((point, "ann"), (point, None), (point, "bob"), (point, None), (point, ""))
    done = histogram(
        INPUT=layer, EXTENT=TOWN, CRS=TOWN_CRS, PERSON="who", MAX_RECORDS=1, **NO_NOISE
    )
    # A blank text is nobody, as in the library, and so is NULL.
    assert restored(done.results["OUTPUT_RASTER"]).counts.tolist() == pytest.approx([2], abs=0.5)


@pytest.mark.parametrize(
    ("field", "names", "texts"),
    [
        ("who:string", ("ann", "Ann", " ann", "7"), ("ann", "Ann", "ann", "7")),
        ("who:int8", (1, 2, 3, 1 << 60), ("1", "2", "3", str(1 << 60))),
        ("who:double", (1.5, 2.5, -1.5, 0.0), ("1.5", "2.5", "-1.5", "0")),
    ],
)
def test_persons_are_told_apart_by_text_or_number(qgis, field, names, texts):
    """The library gets the values by its own rule, NULL as nobody."""
    from geodp_qgis.adapters import domain_from_rectangle
    from geodp_qgis.library import geodp
    from geodp_qgis.points import LayerSource
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsProcessingContext,
        QgsProcessingFeatureSource,
        QgsProcessingFeedback,
        QgsRectangle,
    )

    layer = people(*(("Point(1 2)", name) for name in (*names, None)), field=field)
    context, crs = QgsProcessingContext(), QgsCoordinateReferenceSystem(TOWN_CRS)
    given = QgsProcessingFeatureSource(layer, context)
    source = LayerSource(given, crs, context, QgsProcessingFeedback())
    town = domain_from_rectangle(
        QgsRectangle(490000, 5390000, 510000, 5410000), crs, context.transformContext()
    )
    ((x, y, ids, _),) = source.blocks(geodp.Request(town, person="who"))
    assert [ids.texts[place] for place in ids.index] == [*texts, None]
    assert (x.tolist(), y.tolist()) == ([1] * 5, [2] * 5)


def test_all_points_of_a_multipoint_belong_to_its_person(histogram):
    several = "MultiPoint((500000 5400000),(500001 5400000),(500002 5400000))"
    layer = people((several, "ann"), (several, "ann"), (several, "bob"), kind="MultiPoint")
    given = {"INPUT": layer, "EXTENT": TOWN, "CRS": TOWN_CRS, **NO_NOISE}
    release = restored(histogram(PERSON="who", MAX_RECORDS=4, **given).results["OUTPUT_RASTER"])
    # Four of Ann's six and Bob's three.
    assert release.counts.tolist() == pytest.approx([7], abs=0.5)
    assert release.method.unit.kind == "person"
    done = histogram(MAX_RECORDS=2, **given)
    release = restored(done.results["OUTPUT_RASTER"])
    assert release.counts.tolist() == [6]  # two of each feature, whoever's it is
    assert release.method.unit.kind == "feature"
    assert RECORDS in done.text


def test_the_log_says_that_people_are_protected(town):
    text = town(SIZES="5").text
    assert "Protected: every person, told apart by the field 'person_id'" in text
    assert "each counts as at most 3 records" in text
    assert "one person with all their records (at most 3 records counted)" in text
    assert "It protects people" in text
    assert COUNTED in text
    assert RECORDS not in text


def test_without_persons_the_log_says_that_records_are_protected(town):
    text = town(SIZES="5", PERSON=None, MAX_RECORDS=None).text
    assert "Protected: every record of the layer." in text
    assert RECORDS in text


def test_answers_say_how_many_records_of_a_person_count(town, run):
    from qgis.core import QgsFeature, QgsGeometry, QgsRectangle, QgsVectorLayer

    raster = town(SIZES="5").results["OUTPUT_RASTER"]
    regions = QgsVectorLayer(f"Polygon?crs={TOWN_CRS}", "regions", "memory")
    west, east, south, north = (float(side) for side in TOWN.split(" ")[0].split(","))
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(west, south, east, north)))
    regions.dataProvider().addFeature(feature)
    done = run("query", INPUT=raster, REGIONS=regions, OUTPUT="TEMPORARY_OUTPUT")
    assert COUNTED in done.text


def test_about_names_the_person(town, run):
    raster = town(SIZES="5").results["OUTPUT_RASTER"]
    promise = run("about", INPUT=raster, OUTPUT_HTML="TEMPORARY_OUTPUT").results["PROMISE"]
    assert "one person with all their records" in promise
    assert RECORDS not in promise


def test_the_log_is_the_same_whoever_is_in_the_layer(histogram, tmp_path):
    """With one candidate nothing is chosen: whatever differs in the log would be a leak."""
    import re

    point = "Point(500000 5400000)"
    logs = []
    cases = ((), ((point, "ann"),) * 9, ((point, None), (point, "bob")))
    for number, records in enumerate(cases):
        done = histogram(
            INPUT=people(*records),
            EXTENT=TOWN,
            CRS=TOWN_CRS,
            PERSON="who",
            MAX_RECORDS=2,
            SIZES="3",
            DATASET="people",
            CAP=1,
            LEDGER=str(tmp_path / f"{number}.sqlite"),
        )
        logs.append([re.sub(r"'/[^']*'", "PATH", line) for line in done.log])
    assert logs[0] == logs[1] == logs[2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"MAX_RECORDS": 0}, "at least 1; got 0"),
        ({"PERSON": "nobody"}, "there is no 'nobody'"),
        ({"PERSON": "time"}, "must hold text or numbers; 'time' holds"),
        ({"PERSON": None}, "A limit of 3 records needs the field"),
    ],
)
def test_what_cannot_protect_people_is_refused_before_points_are_read(
    town, histogram, tmp_path, change, words
):
    message = refused(town, OUTPUT_RASTER=str(tmp_path / "counts.tif"), **change)
    assert words in message
    assert list(tmp_path.iterdir()) == []
    assert "counting" not in histogram.run.last.text


def test_people_are_asked_about_right_after_the_budget(qgis):
    from qgis.core import QgsApplication, QgsProcessingParameterDefinition

    advanced = QgsProcessingParameterDefinition.Flag.FlagAdvanced
    algorithm = QgsApplication.processingRegistry().algorithmById("geodp:privatehistogram")
    defined = algorithm.parameterDefinitions()
    names = [each.name() for each in defined if not each.flags() & advanced]
    assert names[:8] == [
        "INPUT",
        "EXTENT",
        "EXTENT_IS_PUBLIC",
        "CRS",
        "WITHIN",
        "EPSILON",
        "PERSON",
        "MAX_RECORDS",
    ]
    person = algorithm.parameterDefinition("PERSON")
    assert person.parentLayerParameterName() == "INPUT"
