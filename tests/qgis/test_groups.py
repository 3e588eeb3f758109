"""One map per kind, hour or year: for one ε, equal to the command line, and played by QGIS."""

import itertools
import json

import pytest
from conftest import TOWN, TOWN_CRS

HOURS = ",".join(f"{hour:02}:00" for hour in range(25))
KINDS = "theft, burglary, assault"
DAY = ",".join(["2024-05-01", *(f"2024-05-01T{hour:02}:00" for hour in range(1, 24)), "2024-05-02"])

COMMAND = """
import json, sys
from geodp.cli import main
import geodp

runs, path = json.loads(sys.argv[1]), sys.argv[2]
files = []
for words in runs:
    sys.argv = ["geodp", "release", *words, "-o", path, "-q", "--overwrite"]
    try:
        main()
    except SystemExit as done:
        assert not done.code
    release = geodp.open_release(path)
    counts = [one.counts.tolist() for one in release.maps.values()]
    files.append({"counts": counts, "tags": geodp.core.publish.metadata.release_tags(release)})
print(json.dumps(files))
"""

FRAME = ("--bounds", "490000", "5390000", "510000", "5410000", "--crs", TOWN_CRS)


@pytest.fixture
def divided(histogram, incidents):
    """*Private histogram* of the incidents, several maps of it; parameters may be replaced."""

    def go(**changes):
        given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "12"}
        return histogram(**{**given, **changes})

    go.run = histogram.run
    return go


CASES = (
    # name, points, plugin's parameters, options of the command line
    (
        "categories",
        "incidents",
        {"BY": "kind", "CATEGORIES": KINDS, "OTHER": "other kinds"},
        ("--by", "kind", "--categories", "theft,burglary,assault", "--other", "other kinds"),
    ),
    (
        "dates",
        "incidents",
        {"BY": "time", "BREAKS": "2024-01-01, 2025-01-01, 2026-01-01", "CELLS": 1, "SIZES": None},
        ("--by", "time", "--breaks", "2024-01-01,2025-01-01,2026-01-01", "--cells", "adaptive"),
    ),
    (
        "times of day",
        "incidents",
        {"BY": "time", "BREAKS": "06:00, 14:30, 22:00", "OTHER": "night"},
        ("--by", "time", "--breaks", "06:00,14:30,22:00", "--other", "night"),
    ),
    (
        "two fields crossed",
        "incidents",
        {
            "BY": "kind",
            "AND_BY": "time",
            "CATEGORIES": "kind = theft, burglary",
            "BREAKS": "time=2024-01-01, 2025-01-01, 2026-01-01",
            "OTHER": "else",
        },
        (
            *("--by", "kind", "--by", "time", "--categories", "kind=theft,burglary"),
            *("--breaks", "time=2024-01-01,2025-01-01,2026-01-01", "--other", "else"),
        ),
    ),
    (
        "persons",
        "checkins",
        {"BY": "time", "BREAKS": HOURS, "PERSON": "person_id", "MAX_RECORDS": 3},
        ("--by", "time", "--breaks", HOURS, "--person", "person_id", "--max-records", "3"),
    ),
)


@pytest.mark.parametrize(("_name", "points", "ours", "theirs"), CASES)
def test_the_same_seed_gives_the_same_bits_as_the_command_line(
    divided, library, packages, tmp_path, _name, points, ours, theirs
):
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import read_release

    source = str(packages / f"{points}.gpkg")
    done = divided(INPUT=source, SEED=7, **ours)
    sizes = () if "adaptive" in theirs else ("--sizes", "12")
    words = (source, *FRAME, *sizes, "--epsilon", "1", "--seed", "7", *theirs)
    (expected,) = json.loads(library(COMMAND, json.dumps([words]), tmp_path / "theirs.tif"))
    release = read_release(done.results["OUTPUT_RASTER"])
    assert [one.counts.tolist() for one in release.maps.values()] == expected["counts"]
    assert geodp.release_tags(release) == expected["tags"]
    assert len({str(counts) for counts in expected["counts"]}) == len(release.groups)


NUMBERS = """
import sys
import geopandas, numpy, pandas

rng = numpy.random.default_rng(3)
x, y = rng.uniform(490000, 510000, 400), rng.uniform(5390000, 5410000, 400)
number = [float("nan") if n % 11 == 0 else n / 4 for n in range(400)]
fields = {
    "number": number,
    "whole": pandas.Series([None if n % 13 == 0 else n % 7 for n in range(400)], dtype="Int64"),
    "text": [(None, "7", " 7.0", "6.5", "six", "1_0")[n % 6] for n in range(400)],
    "flag": [n % 3 == 0 for n in range(400)],
    "day": [pandas.Timestamp("2024-01-01").date() + pandas.Timedelta(days=n) for n in range(400)],
}
points = geopandas.points_from_xy(x, y)
geopandas.GeoDataFrame(fields, geometry=points, crs=32633).to_file(sys.argv[1])
"""


LISTS = (
    ("number", {"BREAKS": "0, 25, 50.25, 100"}),
    ("number", {"CATEGORIES": "0.25, 7, 7.5"}),
    ("whole", {"CATEGORIES": "0, 3, 6", "OTHER": "else"}),
    ("whole", {"BREAKS": "0, 3, 6"}),
    ("text", {"CATEGORIES": "7, six, 1_0"}),
    ("text", {"BREAKS": "0, 6.75, 8"}),
    ("flag", {"CATEGORIES": "1, 0"}),
    ("day", {"BREAKS": "2024-02-01, 2024-03-01T12:00, 2025-01-01"}),
    ("day", {"CATEGORIES": "2024-02-01, 2024-02-02"}),
)


def test_fields_of_every_type_are_read_as_by_the_command_line(divided, library, tmp_path):
    from geodp_qgis.rasters import read_release

    source, runs, counts = tmp_path / "numbers.gpkg", [], []
    library(NUMBERS, source)
    for field, words in LISTS:
        done = divided(INPUT=str(source), SIZES="2", SEED=3, BY=field, **words)
        release = read_release(done.results["OUTPUT_RASTER"])
        counts.append([one.counts.tolist() for one in release.maps.values()])
        options = [word for name, text in words.items() for word in (f"--{name.lower()}", text)]
        fixed = ("--sizes", "2", "--epsilon", "1", "--seed", "3", "--by", field)
        runs.append([str(source), *FRAME, *fixed, *options])
    expected = json.loads(library(COMMAND, json.dumps(runs), tmp_path / "theirs.tif"))
    assert counts == [each["counts"] for each in expected]


def test_two_lists_of_values_stand_in_one_box(divided, library, tmp_path):
    from geodp_qgis.rasters import read_release

    source = tmp_path / "numbers.gpkg"
    library(NUMBERS, source)
    words = {"BY": "whole", "AND_BY": "flag", "CATEGORIES": "whole=0, 3; flag=1, 0"}
    done = divided(INPUT=str(source), SIZES="2", SEED=3, **words)
    release = read_release(done.results["OUTPUT_RASTER"])
    assert release.groups == ("0, 1", "0, 0", "3, 1", "3, 0")
    options = ("--by", "whole", "--by", "flag", "--categories", "whole=0,3")
    fixed = ("--sizes", "2", "--epsilon", "1", "--seed", "3", "--categories", "flag=1,0")
    run = [str(source), *FRAME, *fixed, *options]
    (expected,) = json.loads(library(COMMAND, json.dumps([run]), tmp_path / "theirs.tif"))
    assert [one.counts.tolist() for one in release.maps.values()] == expected["counts"]


def test_layers_cost_the_budget_once_and_say_what_they_count(divided):
    done = divided(BY="kind", CATEGORIES=KINDS)
    assert done.results["EPSILON"] == 1
    assert "Counts every record inside the extent whose kind is theft, burglary or assault." in (
        done.text
    )


REFUSED = (
    ({"BY": "kind"}, "'Make one map per value of' needs a public list, 'Its values' or 'Limits'"),
    ({"BY": "kind", "CATEGORIES": "a", "BREAKS": "1, 2"}, "'kind' has both"),
    ({"CATEGORIES": "theft"}, "'Its values' divides the values of a field; name it with 'Make one"),
    ({"BY": "kind", "CATEGORIES": "theft, theft"}, "'theft' is there twice"),
    ({"BY": "time", "BREAKS": "2025-01-01, 2024-01-01"}, "'Limits' are two or more rising numbers"),
    (
        {"BY": "time", "BREAKS": "1, 2"},
        "amounts, and breaks between numbers, are for numbers; 'time' is declared",
    ),
    ({"BY": "place", "CATEGORIES": "a"}, "there is no 'place'"),
    ({"AND_BY": "kind", "CATEGORIES": "theft"}, "A second field is crossed with a first"),
    (
        {"BY": "kind", "AND_BY": "time", "CATEGORIES": "theft", "BREAKS": "06:00, 12:00"},
        "with several fields, 'Its values' names its field: kind=…; got 'theft'",
    ),
    (
        {"BY": "kind", "AND_BY": "time", "CATEGORIES": "kind=theft"},
        "'Its values' or 'Limits', for each field; 'time' has none",
    ),
    (
        {"BY": "kind", "AND_BY": "time", "CATEGORIES": "kind=theft", "BREAKS": "time=1, 2"},
        "amounts, and breaks between numbers, are for numbers; 'time' is declared",
    ),
    ({"BY": "kind", "AND_BY": "kind", "CATEGORIES": "kind=theft"}, "must name each field once"),
)


def test_lists_of_crossed_fields_stand_in_one_box_or_in_two(qgis):
    from geodp_qgis.algorithms.groups import named_lists

    fields = ["kind", "kind of day"]
    for text, parts in (
        (
            "kind=theft, arson; kind of day=work, rest",
            ["kind=theft, arson", "kind of day=work, rest"],
        ),
        ("kind of day = work;kind = a; b", ["kind of day=work", "kind=a; b"]),
        ("kind=a;b", ["kind=a;b"]),
        ("theft; arson", ["theft; arson"]),
    ):
        assert named_lists(text, fields) == parts
    assert named_lists("a; kind=b", ["kind"]) == ["a; kind=b"]


@pytest.mark.parametrize(("given", "words"), REFUSED)
def test_lists_that_cannot_be_meant_are_refused_before_records_are_read(divided, given, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        divided(**given)
    assert words in str(raised.value)
    assert "counting" not in divided.run.last.text


def test_a_field_that_other_records_have_a_say_in_is_refused(divided, incidents):
    from qgis.core import QgsField, QgsProcessingException, QgsVectorLayer
    from qgis.PyQt.QtCore import QVariant

    layer = QgsVectorLayer(incidents, "incidents", "ogr")
    layer.addExpressionField("to_string(count(1))", QgsField("computed", QVariant.Type.String))
    with pytest.raises(QgsProcessingException, match="joined or computed"):
        divided(INPUT=layer, BY="computed", CATEGORIES="14130")


def test_an_odd_record_changes_nothing_but_counts(divided, incidents):
    """A kind that is not listed, and one that is missing, are dropped, or counted as others."""
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsVectorLayer

    layer = QgsVectorLayer(f"Point?crs={TOWN_CRS}&field=kind:string", "points", "memory")
    for kind in ("theft", "unheard of", None):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([kind])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(500000, 5400000)))
        layer.dataProvider().addFeatures([feature])
    given = {"INPUT": layer, "BY": "kind", "CATEGORIES": "theft", "SIZES": "1", "EPSILON": 1000}
    sums = []
    for other in (None, "other"):
        done = divided(**given, OTHER=other)
        maps = read_release(done.results["OUTPUT_RASTER"]).maps.values()
        sums.append([one.counts.sum() for one in maps])
        assert "unheard of" not in done.text
    assert sums == [[1], [1, 2]]


def test_a_date_beyond_the_calendar_stops_no_release(divided):
    """Qt has years that Python has not, and a database may hold one."""
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsVectorLayer
    from qgis.PyQt.QtCore import QDate, QDateTime, QTime

    fields = "field=day:date&field=moment:datetime"
    layer = QgsVectorLayer(f"Point?crs={TOWN_CRS}&{fields}", "points", "memory")
    for year in (2024, 12_000, -4_000):
        feature, day = QgsFeature(layer.fields()), QDate(year, 5, 1)
        feature.setAttributes([day, QDateTime(day, QTime(7, 0))])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(500000, 5400000)))
        assert layer.dataProvider().addFeatures([feature])[0]
    for field in ("day", "moment"):
        given = {"BY": field, "BREAKS": "2024-01-01, 2025-01-01", "OTHER": "other"}
        done = divided(INPUT=layer, SIZES="1", EPSILON=1000, **given)
        maps = read_release(done.results["OUTPUT_RASTER"]).maps.values()
        assert [each.counts.sum() for each in maps] == [1, 2]


def test_files_have_a_named_band_and_a_field_for_each_map(divided, tmp_path):
    from osgeo import gdal
    from qgis.core import QgsVectorLayer

    raster, cells = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    divided(BY="kind", CATEGORIES=KINDS, OUTPUT_RASTER=str(raster), OUTPUT_VECTOR=str(cells))
    bands = gdal.Open(str(raster))
    names = [bands.GetRasterBand(number).GetDescription() for number in (1, 2, 3)]
    assert [name.partition(":")[0] for name in names] == ["theft", "burglary", "assault"]
    layer = QgsVectorLayer(str(cells), "cells", "ogr")
    fields = [name for name in layer.fields().names() if name.startswith("count")]
    assert fields == ["count_theft", "count_burglary", "count_assault"]
    rows, columns = 12, 12
    for number, field in enumerate(fields, start=1):
        values = bands.GetRasterBand(number).ReadAsArray()
        cells_by_place = {
            (cell["row_index"], cell["col_index"]): cell[field] for cell in layer.getFeatures()
        }
        assert all(
            cells_by_place[place] == values[place]
            for place in itertools.product(range(rows), range(columns))
        )


# --- in the project -------------------------------------------------------------------------------


def loaded(project, incidents, **changes):
    """A run as the desktop makes it: its layers in the project."""
    import processing
    from qgis.core import QgsProcessingContext

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "EPSILON": 1, "SIZES": "12"}
    return processing.runAndLoadResults(
        "geodp:privatehistogram", {**given, **changes}, context=context
    )


def test_maps_by_kind_come_as_a_group_that_shows_one_at_a_time(project, incidents, tmp_path):
    cells = str(tmp_path / "cells.gpkg")
    loaded_layers = loaded(project, incidents, BY="kind", CATEGORIES=KINDS, OUTPUT_VECTOR=cells,
                   OUTPUT_RASTER="TEMPORARY_OUTPUT")  # fmt: skip
    group = next(node for node in project.layerTreeRoot().children() if node.children())
    assert group.name().startswith("Private counts, ε = 1, ")
    assert [node.name() for node in group.children()] == ["theft", "burglary", "assault"]
    assert group.isMutuallyExclusive()
    assert [node.itemVisibilityChecked() for node in group.children()] == [True, False, False]
    rasters = [node.layer() for node in group.children()]
    assert [layer.renderer().band() for layer in rasters] == [4, 5, 6]
    assert {layer.source() for layer in rasters} == {loaded_layers["OUTPUT_RASTER"]}
    for layer in rasters:
        assert "Differentially private with epsilon = 1" in layer.metadata().abstract()
        assert not layer.temporalProperties().isActive()
    vector = next(layer for layer in project.mapLayers().values() if layer not in rasters)
    assert {"theft", "burglary", "assault"} <= set(vector.styleManager().styles())
    assert vector.renderer().classAttribute() == "drawn_theft"


def test_no_layer_is_added_to_a_group_that_shows_one_at_a_time(project, incidents, add_to):
    """Where the current layer is, QGIS adds others; there they would be hidden."""
    raster = "TEMPORARY_OUTPUT"
    loaded(project, incidents, BY="kind", CATEGORIES=KINDS, OUTPUT_RASTER=raster)
    (group,) = project.layerTreeRoot().children()
    before = [node.name() for node in group.children()]
    add_to(group)
    loaded(project, incidents, OUTPUT_RASTER=raster)
    added, left = project.layerTreeRoot().children()
    assert left is group
    assert [node.name() for node in group.children()] == before
    assert [node.itemVisibilityChecked() for node in group.children()] == [True, False, False]
    assert added.name().startswith("Private counts, ε = 1, 12 × 12 cells")
    assert added.itemVisibilityChecked()
    # another group, from within this one
    loaded(project, incidents, BY="kind", CATEGORIES=KINDS, OUTPUT_RASTER=raster)
    nodes = project.layerTreeRoot().children()
    assert len(nodes) == 3
    groups = [node for node in nodes if node.children()]
    assert [[child.name() for child in node.children()] for node in groups] == [before, before]


def test_a_map_of_a_group_is_asked_alone(divided, project, incidents, halves):
    """And a raster by itself about all of its maps."""
    from geodp_qgis.rasters import read_release
    from geodp_qgis.vectors import shown_map_name

    outputs = {"OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    loaded(project, incidents, BY="kind", CATEGORIES=KINDS, **outputs)
    (group,) = (node for node in project.layerTreeRoot().children() if node.children())
    layers = [node.layer() for node in group.children()]
    release = read_release(layers[0].source())
    assert [shown_map_name(layer, release, project) for layer in layers] == KINDS.split(", ")
    answered = divided.run("query", INPUT=layers[1], REGIONS=halves, OUTPUT="TEMPORARY_OUTPUT")
    assert "Asked of the map 'burglary' alone" in answered.text
    rows = list(answered.results["OUTPUT"].getFeatures())
    assert "group" not in answered.results["OUTPUT"].fields().names()
    assert sum(row["estimate"] for row in rows) == pytest.approx(release["burglary"].counts.sum())
    alone = divided.run(
        "query", INPUT=layers[1].source(), REGIONS=halves, OUTPUT="TEMPORARY_OUTPUT"
    )
    assert alone.results["OUTPUT"].featureCount() == 2 * 3
    change = divided.run("change", EARLIER=layers[0], LATER=layers[2], **outputs)
    from osgeo import gdal

    image = gdal.Open(change.results["OUTPUT_RASTER"])
    pixels = image.GetRasterBand(1).ReadAsArray()
    expected = (release["assault"].counts - release["theft"].counts).tolist()
    assert pixels.ravel().tolist() == expected


def test_the_group_has_the_title_and_another_release_takes_its_place(project, incidents, tmp_path):
    """A file that was deleted and made again has no layers of the one before in the project."""
    path = tmp_path / "counts.tif"
    given = {"BY": "kind", "CATEGORIES": KINDS, "OUTPUT_RASTER": str(path)}
    loaded(project, incidents, TITLE="Town & about", **given)
    (group,) = project.layerTreeRoot().children()
    assert group.name() == "Town & about"
    path.unlink()
    loaded(project, incidents, TITLE="Again", **{**given, "CATEGORIES": "theft, burglary"})
    (group,) = project.layerTreeRoot().children()
    assert group.name() == "Again"
    assert [node.name() for node in group.children()] == ["theft", "burglary"]
    assert len(project.mapLayers()) == 2


# --- played ---------------------------------------------------------------------------------------


def pictures(layers, start, frames=24):
    """Return what QGIS draws hour by hour, from the temporal controller's own frames."""
    from qgis.core import (
        QgsDateTimeRange,
        QgsExpressionContext,
        QgsExpressionContextUtils,
        QgsInterval,
        QgsMapRendererSequentialJob,
        QgsMapSettings,
        QgsRectangle,
        QgsTemporalNavigationObject,
        QgsUnitTypes,
    )
    from qgis.PyQt.QtCore import QSize

    controller = QgsTemporalNavigationObject()
    controller.setTemporalExtents(QgsDateTimeRange(start, start.addSecs(3600 * frames - 1)))
    controller.setFrameDuration(QgsInterval(1, QgsUnitTypes.TemporalUnit.TemporalHours))
    assert controller.totalFrameCount() == frames
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setOutputSize(QSize(120, 120))
    settings.setExtent(QgsRectangle(490000, 5390000, 510000, 5410000))
    settings.setDestinationCrs(layers[0].crs())
    settings.setFlag(QgsMapSettings.Flag.Antialiasing, False)
    settings.setIsTemporal(True)
    for frame in range(frames):
        settings.setTemporalRange(controller.dateTimeRangeForFrameNumber(frame))
        context = QgsExpressionContext()
        context.appendScope(QgsExpressionContextUtils.mapSettingsScope(settings))
        settings.setExpressionContext(context)
        job = QgsMapRendererSequentialJob(settings)
        job.start()
        job.waitForFinished()
        yield job.renderedImage()


def colours(image):
    from qgis.PyQt.QtGui import QColor

    middles = itertools.product(range(5, 120, 10), repeat=2)
    return [QColor(image.pixel(x, y)).getRgb()[:3] for y, x in middles]


def midnight(day):
    from qgis.PyQt.QtCore import QDateTime, Qt

    return QDateTime.fromString(f"{day}T00:00:00Z", Qt.DateFormat.ISODate)


def expected_colours(release):
    """The colour of each cell, hour by hour, as it is drawn."""
    classes = release.legend.classes
    for one in release.maps.values():
        yield [
            next(class_.colour for class_ in classes if class_.low < value <= class_.high)
            for value in one.drawn.tolist()
        ]


def opened(project, path):
    """A saved file as the desktop opens it."""
    from qgis.core import QgsLayerDefinition, QgsVectorLayer

    if path.suffix == ".qlr":
        ok, words = QgsLayerDefinition.loadLayerDefinition(
            str(path), project, project.layerTreeRoot()
        )
        assert ok, words
        return project.layerTreeRoot().layerOrder()
    layer = QgsVectorLayer(str(path), "cells", "ogr")
    layer.loadDefaultStyle()
    return [layer]


@pytest.mark.parametrize(("by", "day"), [(HOURS, "1970-01-01"), (DAY, "2024-05-01")])
@pytest.mark.parametrize("name", ["counts.qlr", "cells.gpkg"])
def test_twenty_four_hours_are_played_from_a_saved_file(divided, project, tmp_path, name, by, day):
    """Frame by frame, every pixel has the colour of what is drawn in that hour's band."""
    from geodp_qgis.rasters import read_release

    files = {"OUTPUT_RASTER": tmp_path / "counts.tif", "OUTPUT_VECTOR": tmp_path / "cells.gpkg"}
    divided(BY="time", BREAKS=by, **{key: str(path) for key, path in files.items()})
    project.clear()
    layers = opened(project, tmp_path / name)
    assert all(layer.temporalProperties().isActive() for layer in layers)
    assert all(layer.crs().isValid() and layer.crs().authid() == TOWN_CRS for layer in layers)
    frames = [colours(image) for image in pictures(layers, midnight(day))]
    assert frames == list(expected_colours(read_release(files["OUTPUT_RASTER"])))


def test_what_a_run_adds_is_played_too(project, incidents, qgis):
    """The group of rasters, and cells that are in memory alone."""
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsTemporalUtils

    outputs = dict.fromkeys(("OUTPUT_RASTER", "OUTPUT_VECTOR"), "TEMPORARY_OUTPUT")
    loaded_layers = loaded(project, incidents, BY="time", BREAKS=DAY, **outputs)
    group = next(node for node in project.layerTreeRoot().children() if node.children())
    assert not group.isMutuallyExclusive()
    rasters = [node.layer() for node in group.children()]
    release = read_release(rasters[0].source())
    cells = [project.mapLayer(loaded_layers["OUTPUT_VECTOR"])]
    expected = list(expected_colours(release))
    for layers in (rasters, cells):
        assert [colours(image) for image in pictures(layers, midnight("2024-05-01"))] == expected
    span = QgsTemporalUtils.calculateTemporalRangeForProject(project)
    assert span.begin().toString("yyyy-MM-dd HH:mm") == "2024-05-01 00:00"
    assert span.end().toString("yyyy-MM-dd HH:mm") == "2024-05-02 00:00"


@pytest.fixture
def halves(project):
    """Two regions: the west and the east of the town."""
    from qgis.core import QgsFeature, QgsGeometry, QgsRectangle, QgsVectorLayer

    layer = QgsVectorLayer(f"Polygon?crs={TOWN_CRS}", "halves", "memory")
    for west in (490000, 500000):
        feature = QgsFeature()
        box = QgsRectangle(west, 5390000, west + 10000, 5410000)
        feature.setGeometry(QgsGeometry.fromRect(box))
        layer.dataProvider().addFeatures([feature])
    project.addMapLayer(layer)
    return layer


def answers(project, raster, regions):
    import processing
    from qgis.core import QgsProcessingContext

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": raster, "REGIONS": regions.id(), "OUTPUT": "TEMPORARY_OUTPUT"}
    results = processing.runAndLoadResults("geodp:query", given, context=context)
    return project.mapLayer(results["OUTPUT"])


def test_answers_about_hours_are_played(divided, project, halves):
    done = divided(BY="time", BREAKS=HOURS, EPSILON=1000)  # so that no answer is grey
    layer = answers(project, done.results["OUTPUT_RASTER"], halves)
    assert layer.styleManager().currentStyle() == "over time"
    assert layer.temporalProperties().isActive()
    rows = [(row["group"], row["estimate"]) for row in layer.getFeatures()]
    ranges = layer.renderer().ranges()
    frames = list(pictures([layer], midnight("1970-01-01")))
    for hour, image in enumerate(frames):
        west, east = (estimate for name, estimate in rows if name.startswith(f"{hour:02}:"))
        shown = colours(image)
        for estimate, colour in ((west, shown[4]), (east, shown[8])):
            fits = [part for part in ranges if part.lowerValue() <= estimate <= part.upperValue()]
            assert colour in {part.symbol().color().getRgb()[:3] for part in fits}
    assert len({tuple(colours(image)) for image in frames}) > 5


def test_answers_about_kinds_have_a_style_each(divided, project, halves):
    from geodp_qgis.styles.answers import reliable_or_grey

    done = divided(BY="kind", CATEGORIES="theft, assault")
    layer = answers(project, done.results["OUTPUT_RASTER"], halves)
    assert layer.styleManager().styles() == ["assault", "theft"]
    shown = reliable_or_grey("estimate")
    assert layer.renderer().classAttribute() == f"if(\"group\" = 'theft', {shown}, NULL)"
    assert not layer.temporalProperties().isActive()


def test_plain_answers_have_a_style_of_their_error(divided, project, halves):
    from geodp_qgis.styles.answers import reliable_or_grey

    layer = answers(project, divided().results["OUTPUT_RASTER"], halves)
    assert layer.styleManager().styles() == ["answers", "standard error"]
    assert layer.styleManager().currentStyle() == "answers"
    assert layer.renderer().classAttribute() == reliable_or_grey("estimate")
    layer.styleManager().setCurrentStyle("standard error")
    assert layer.renderer().classAttribute() == '"std_error"'


def test_cells_of_a_tree_come_with_a_layer_of_their_error(project, incidents):
    from geodp_qgis.rasters import read_release

    outputs = dict.fromkeys(("OUTPUT_RASTER", "OUTPUT_VECTOR"), "TEMPORARY_OUTPUT")
    loaded_layers = loaded(project, incidents, CELLS=1, SIZES=None, **outputs)
    group = next(node for node in project.layerTreeRoot().children() if node.children())
    assert [node.name() for node in group.children()] == ["counts", "standard error"]
    assert [node.itemVisibilityChecked() for node in group.children()] == [True, False]
    error = group.children()[1].layer()
    assert error.renderer().band() == 2
    release = read_release(error.source())
    limits = [item.value for item in error.renderer().shader().rasterShaderFunction()
              .colorRampItemList()]  # fmt: skip
    errors = release.columns()["std_error"]
    assert errors.min() < limits[0] < limits[-2] < errors.max()
    cells = project.mapLayer(loaded_layers["OUTPUT_VECTOR"])
    assert {"counts", "standard error"} <= set(cells.styleManager().styles())


def test_a_map_of_other_records_is_there_and_not_played(divided, project, tmp_path):
    path = tmp_path / "counts.tif"
    divided(BY="time", BREAKS="06:00, 22:00", OTHER="night", OUTPUT_RASTER=str(path))
    project.clear()
    opened(project, path.with_suffix(".qlr"))
    group = project.layerTreeRoot().children()[0]
    assert [node.itemVisibilityChecked() for node in group.children()] == [True, False]
    active = [node.layer().temporalProperties().isActive() for node in group.children()]
    assert active == [True, False]


def test_a_release_without_layers_takes_the_group_of_the_one_before_away(divided, tmp_path):
    path = tmp_path / "counts.tif"
    divided(BY="kind", CATEGORIES=KINDS, OUTPUT_RASTER=str(path))
    assert path.with_suffix(".qlr").exists()
    path.unlink()
    divided(OUTPUT_RASTER=str(path))
    assert not path.with_suffix(".qlr").exists()
