"""Ids of people depend neither on QGIS nor on the other records of a layer."""

import json

import numpy as np
import pytest
from conftest import TOWN, TOWN_CRS
from test_algorithms import restored

WRITE = """
import sys
import geopandas, numpy, pandas

rng = numpy.random.default_rng(3)
x, y = rng.uniform(490000, 510000, 300), rng.uniform(5390000, 5410000, 300)
x[::7] = 0  # outside
words = ("007", "7", " 7.0 ", "nan", "Zo\\u00eb")
names = [word + more for word in words for more in ("", "x", "xx")]
kinds = {
    "whole": [None if n % 11 == 0 else 2**60 + n % 40 for n in range(300)],
    "small": [n % 40 for n in range(300)],
    "text": [None if n % 11 == 0 else names[n % 15] for n in range(300)],
}
dtypes = {"whole": "Int64", "small": "Int32", "text": "object"}
fields = {name: pandas.Series(values, dtype=dtypes[name]) for name, values in kinds.items()}
frame = geopandas.GeoDataFrame(fields, geometry=geopandas.points_from_xy(x, y), crs=32633)
frame.to_file(sys.argv[1], layer="people")
frame.to_crs(4326).to_file(sys.argv[2], driver="GeoJSON")
frame.drop(columns="geometry").assign(x=x, y=y).to_csv(sys.argv[3], index=False)
"""

RELEASE = """
import json, sys
import geodp

domain = geodp.Domain((490000, 5390000, 510000, 5410000), "EPSG:32633")
person = geodp.Person(sys.argv[2], 2)
release = geodp.release(sys.argv[1], domain, epsilon=1, seed=5, protect=person)
print(json.dumps(release.counts.tolist()))
"""


@pytest.fixture(scope="session")
def written(library, tmp_path_factory):
    """The same people in a GeoPackage, in GeoJSON and in CSV."""
    folder = tmp_path_factory.mktemp("ids")
    library(WRITE, *(folder / name for name in ("p.gpkg", "p.geojson", "p.csv")))
    return folder


@pytest.fixture
def released(histogram):
    def go(layer, field, **changes):
        given = {"INPUT": layer, "EXTENT": TOWN, "CRS": TOWN_CRS, "PERSON": field}
        return histogram(**{**given, "MAX_RECORDS": 2, "SEED": 5, **changes})

    return go


def refused(run, *arguments):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        run(*arguments)
    return str(raised.value)


@pytest.mark.parametrize("field", ["whole", "small", "text"])
def test_a_geopackage_gives_the_same_records_as_in_the_library(written, released, library, field):
    release = restored(released(str(written / "p.gpkg"), field).results["OUTPUT_RASTER"])
    expected = json.loads(library(RELEASE, written / "p.gpkg", field))
    assert release.counts.tolist() == expected


def delimited(path, *more):
    from qgis.core import QgsVectorLayer

    words = "&".join((f"file://{path}?type=csv&xField=x&yField=y&crs={TOWN_CRS}", *more))
    layer = QgsVectorLayer(words, "text", "delimitedtext")
    assert layer.isValid()
    return layer


@pytest.mark.parametrize("field", ["whole", "small", "text"])
def test_inferred_types_are_refused_before_records_are_read(
    written, released, histogram, project, field
):
    """One odd record would change the type of a field, and with it the ids of all."""
    from qgis.core import QgsVectorLayer

    geojson = QgsVectorLayer(str(written / "p.geojson"), "json", "ogr")
    package = QgsVectorLayer(f"{written / 'p.gpkg'}|layername=people", "package", "ogr")
    assert geojson.isValid()
    project.addMapLayer(package)
    virtual = QgsVectorLayer("?query=SELECT * FROM package", "virtual", "virtual")
    assert virtual.isValid()
    for layer in (geojson, virtual, str(written / "p.geojson")):
        message = refused(released, layer, field)
        assert "declared type" in message
        assert "export the layer to GeoPackage" in message
        assert "counting" not in histogram.run.last.text


@pytest.mark.parametrize("field", ["whole", "text"])
@pytest.mark.parametrize("detects", ["detectTypes=no", "detectTypes=yes", ""])
def test_delimited_text_is_read_as_it_is_written(written, released, library, detects, field):
    layer = delimited(str(written / "p.csv"), *filter(None, [detects]))
    release = restored(released(layer, field).results["OUTPUT_RASTER"])
    assert release.counts.tolist() == json.loads(library(RELEASE, written / "p.gpkg", field))


BIG = 2**60
ROWS = [
    f"{500000 + n},5400000,{sign}{BIG + n % 20},{sign}{BIG + n % 9},{10 * (n % 9)}"
    for n in range(300)
    for sign in ("", "+")  # another text, and the same number
]
ODD = ["1,1,1.5,1.5,much", "1,1,odd,odd,1e400", "1,1,2024-01-01,2024-01-01,true"]
"""Rows by which QGIS infers fractions, text or dates; fractions lose the last digits of others."""


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "asked",
    [
        {"PERSON": "who", "MAX_RECORDS": 2},
        {"BY": "kind", "CATEGORIES": f"{BIG}, {BIG + 1}"},
        {"BY": "damage", "BREAKS": "0, 30, 60"},
        {"PERSON": "computed"},
        {},
    ],
    ids=["person", "kinds", "limits", "computed", "filter"],
)
def test_one_odd_row_changes_no_other_in_delimited_text(histogram, tmp_path, project, odd, asked):
    """It makes QGIS infer other types; it is far outside, and so nothing else may change."""
    from qgis.core import QgsField, QgsProcessingFeatureSourceDefinition
    from qgis.PyQt.QtCore import QVariant

    kinds, counts = set(), []
    for number, more in enumerate(([], [odd])):
        path = tmp_path / f"{number}.csv"
        path.write_text("\n".join(["x,y,who,kind,damage", *ROWS, *more]), encoding="utf-8")
        layer = delimited(str(path))
        layer.addExpressionField('lower("who")', QgsField("computed", QVariant.Type.String))
        kinds.add(tuple(field.type() for field in layer.fields()))
        project.addMapLayer(layer)
        if not asked:
            assert layer.setSubsetString(f"\"who\" = '{BIG}' OR \"kind\" = '{BIG + 1}'")
        layer.selectByIds([*range(12, 700)])  # lines of the file, whatever is inferred
        given = QgsProcessingFeatureSourceDefinition(layer.id(), True)
        done = histogram(INPUT=given, EXTENT=TOWN, CRS=TOWN_CRS, SIZES="3", SEED=5, **asked)
        release = restored(done.results["OUTPUT_RASTER"])
        counts.append([one.counts.tolist() for one in release.maps.values()])
    assert len(kinds) == 2  # QGIS did infer others
    assert counts[0] == counts[1]
    if not asked:  # as text, of which "+" is a part: 15 and 33 of 300, less the first lines
        assert np.sum(counts[0]) == pytest.approx(42, abs=15)


@pytest.mark.parametrize(
    ("odd", "kind"),
    [
        ("LINESTRING(1 1,2 2)", "LineString"),
        ("MULTIPOINT((1 1),(2 2))", "MultiPoint"),
        ("POINT Z(1 1 1)", "PointZ"),
        ("nowhere", "Point"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("most", [None, 3])
def test_one_odd_shape_changes_no_other_in_delimited_text(
    histogram, tmp_path, project, odd, kind, first, most
):
    """QGIS infers the type of shapes that are text from the first, and from any MultiPoint."""
    from qgis.core import QgsVectorLayer, QgsWkbTypes

    rows, kinds, counts = [f"POINT({500000 + n} 5400000)" for n in range(300)], [], []
    for number, more in enumerate(([], [odd])):
        path = tmp_path / f"{number}.csv"
        path.write_text("\n".join(["wkt", *(more + rows if first else rows + more)]), "utf-8")
        words = f"file://{path}?delimiter=;&wktField=wkt&crs={TOWN_CRS}"
        layer = QgsVectorLayer(words, "text", "delimitedtext")
        kinds.append(QgsWkbTypes.displayString(layer.wkbType()))
        project.addMapLayer(layer)
        done = histogram(
            INPUT=layer.id(), EXTENT=TOWN, CRS=TOWN_CRS, SIZES="3", SEED=5, MAX_RECORDS=most
        )
        counts.append(restored(done.results["OUTPUT_RASTER"]).counts.tolist())
    assert kinds == ["Point", kind if first or kind == "MultiPoint" else "Point"]
    assert counts[0] == counts[1]
    assert np.sum(counts[0]) == pytest.approx(300, abs=60)


def test_amounts_of_delimited_text_are_added_up(run, tmp_path, project):
    from geodp_qgis.vectors import read_cells

    sums = []
    for number, more in enumerate(([], ODD)):
        path = tmp_path / f"{number}.csv"
        path.write_text("\n".join(["x,y,who,kind,damage", *ROWS, *more]), encoding="utf-8")
        layer = delimited(str(path))
        project.addMapLayer(layer)
        given = {"INPUT": layer, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIDE": "30km", "EPSILON": 10}
        given |= {"AMOUNT": "damage", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 100, "SEED": 3}
        target = tmp_path / f"{number}.gpkg"
        run("privatehexagons", **given, OUTPUT=str(target))
        sums.append(read_cells(target, target.stem).columns()["sum"].tolist())
    assert sums[0] == sums[1]
    assert sum(sums[0]) == pytest.approx(20 * sum(n % 9 for n in range(300)), abs=600)


def test_a_filter_on_inferred_fields_is_refused(written, released, histogram):
    """One odd record would change the type that others are compared by."""
    from qgis.core import QgsVectorLayer

    for path in ("p.geojson", "p.gpkg|layername=people"):
        layer = QgsVectorLayer(str(written / path), "people", "ogr")
        given = {"INPUT": layer, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "3"}
        assert histogram(**given).results["OUTPUT_RASTER"]
        assert layer.setSubsetString('"small" > 3')
        if path == "p.geojson":
            assert "filter needs fields of a declared type" in refused(released, layer, None)
        else:
            assert histogram(**given).results["OUTPUT_RASTER"]


def test_records_of_inferred_layers_are_counted_where_no_person_is_named(written, histogram):
    given = {"EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "3"}
    assert histogram(INPUT=str(written / "p.geojson"), **given).results["OUTPUT_RASTER"]


def test_computed_and_joined_fields_name_nobody(written, released, project):
    """An expression may look at other records, and so may the types of another table."""
    from qgis.core import QgsField, QgsVectorLayer, QgsVectorLayerJoinInfo
    from qgis.PyQt.QtCore import QVariant

    layer = QgsVectorLayer(f"{written / 'p.gpkg'}|layername=people", "people", "ogr")
    layer.addExpressionField("count(1)", QgsField("computed", QVariant.Type.LongLong))
    other = delimited(str(written / "p.csv"))
    project.addMapLayers([layer, other])
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(other)
    join.setJoinFieldName("small")
    join.setTargetFieldName("small")
    join.setPrefix("other_")
    assert layer.addJoin(join)
    for field in ("computed", "other_text"):
        assert "joined or computed" in refused(released, layer, field)


@pytest.mark.parametrize(
    "expression",
    ['lower(trim("text"))', 'to_string("whole") || \'-\' || "text"', '"whole" % 7'],
)
def test_fields_computed_from_the_record_alone_are_taken(written, released, project, expression):
    """The same counts as those of a stored field with the same values."""
    from qgis.core import QgsFeatureRequest, QgsField, QgsVectorLayer
    from qgis.PyQt.QtCore import QVariant

    layer = QgsVectorLayer(f"{written / 'p.gpkg'}|layername=people", "people", "ogr")
    layer.addExpressionField(expression, QgsField("computed", QVariant.Type.String))
    stored = layer.materialize(QgsFeatureRequest())
    project.addMapLayers([layer, stored])
    counts = [
        restored(released(each, "computed").results["OUTPUT_RASTER"]).counts.tolist()
        for each in (layer, stored)
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "expression",
    [
        "$id",
        "@row_number",
        "@map_scale",
        "rand(1, 9)",
        "now()",
        "uuid()",
        "env('HOME')",
        "count(1)",
        'maximum("whole")',
        "aggregate('people', 'max', \"whole\")",
        "attribute(get_feature_by_id('people', 1), 'whole')",
        "eval('1')",
        '"other"',
        '"computed"',
        "lower(",
    ],
)
def test_fields_computed_from_more_are_refused(written, released, project, expression):
    from qgis.core import QgsField, QgsVectorLayer
    from qgis.PyQt.QtCore import QVariant

    layer = QgsVectorLayer(f"{written / 'p.gpkg'}|layername=people", "people", "ogr")
    layer.addExpressionField("count(1)", QgsField("other", QVariant.Type.String))
    layer.addExpressionField(expression, QgsField("computed", QVariant.Type.String))
    project.addMapLayer(layer)
    assert "joined or computed" in refused(released, layer, "computed")


def test_values_of_qt_become_those_of_python(qgis):
    import datetime as dt

    from geodp_qgis.library import geodp
    from geodp_qgis.points import _plain
    from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime, QUuid, QVariant

    noon = QDateTime(QDate(2024, 5, 1), QTime(12, 0, 0, 250))
    east = QDateTime(QDate(2024, 5, 1), QTime(12, 0), Qt.TimeSpec.OffsetFromUTC, 7200)
    name = "0b0f2a6e-94e4-4a52-8a1f-63b7a0f3b5d1"
    cases = (
        (QVariant(), None),
        (QVariant(QVariant.Type.LongLong), None),
        (QDate(2024, 5, 1), "2024-05-01"),
        (QDate(), None),
        (QDate(12_000, 2, 29), "12000-02-29"),
        (QDate(-1, 12, 31), "0000-12-31"),
        (QDateTime(QDate(12_000, 1, 1), QTime(0, 0, 30)), "12000-01-01T00:00:30"),
        (
            QDateTime(QDate(9999, 12, 31), QTime(23, 0), Qt.TimeSpec.OffsetFromUTC, -7200),
            "10000-01-01T01:00:00",
        ),
        (noon, "2024-05-01T12:00:00.25"),
        (east, "2024-05-01T10:00:00"),
        (QDateTime(), None),
        (QTime(12, 0), None),
        (QByteArray(b"7"), "7"),
        (QByteArray(b"\xff"), "0xff"),
        (QUuid("{" + name.upper() + "}"), name),
        (QUuid(), None),
        (1 << 60, str(1 << 60)),
        ("ann", "ann"),
        (dt.date(2024, 5, 1), "2024-05-01"),
    )
    assert [geodp.canonical(_plain(value)) for value, _ in cases] == [text for _, text in cases]
