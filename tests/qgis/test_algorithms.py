"""Every algorithm through processing.run, on the sample data."""

import re
from pathlib import Path

import pytest
from conftest import BOUNDS, CRS, DISTRICTS, EXTENT, PLACES

CELL_FIELDS = ["id", "left", "top", "right", "bottom", "row_index", "col_index", "count"]


def test_cancel_is_heard_while_the_raster_is_written(histogram, tmp_path):
    from geodp_qgis.adapters import Cancelled
    from geodp_qgis.rasters import read_release, write_release
    from qgis.core import QgsCoordinateReferenceSystem

    release = read_release(histogram(SIZES="400").results["OUTPUT_RASTER"])

    class Feedback:
        def __init__(self, looks):
            self.looks, self.percents = looks, []

        def isCanceled(self):
            self.looks -= 1
            return self.looks < 0

        def setProgress(self, percent):
            self.percents.append(percent)

    crs = QgsCoordinateReferenceSystem(CRS)
    patient = Feedback(10**6)
    write_release(tmp_path / "whole.tif", release, crs, patient)
    assert patient.percents[0] == 0
    looks = 10**6 - patient.looks
    assert looks > len(patient.percents)  # while it is read back, too
    for after in range(looks):
        with pytest.raises(Cancelled):
            write_release(tmp_path / "part.tif", release, crs, Feedback(after))


def test_the_dialog_asks_in_order_and_refuses_before_it_runs(qgis):
    from qgis.core import (
        QgsApplication,
        QgsProcessingContext,
        QgsProcessingParameterDefinition,
    )

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    advanced = QgsProcessingParameterDefinition.Flag.FlagAdvanced
    shown = [p.name() for p in algorithm.parameterDefinitions() if not p.flags() & advanced]
    assert shown[:4] == ["INPUT", "EXTENT", "EXTENT_IS_PUBLIC", "CRS"]
    assert not {"SIZES", "CELL_SIZES", "TUNER", "DATASET", "TITLE"} & set(shown)
    given = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    given |= {"CELLS": 1, "REGIONS": DISTRICTS}
    ok, why = algorithm.checkParameterValues(given, QgsProcessingContext())
    assert not ok
    assert "'Regions that should come out well'" in why


def test_a_page_is_announced_only_where_one_is_written(qgis):
    """QGIS's dialog says after a run that there is a page, if the algorithm has one."""
    from qgis.core import QgsApplication, QgsProcessingContext

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    given = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    for page, expected in ((None, False), ("TEMPORARY_OUTPUT", True), ("", False)):
        ok, _ = algorithm.checkParameterValues(
            {**given, "OUTPUT_HTML": page}, QgsProcessingContext()
        )
        assert ok
        assert algorithm.hasHtmlOutputs() is expected


def restored(path):
    from geodp_qgis.rasters import read_release

    return read_release(path)


def test_all_algorithms_with_names_groups_help_and_icons(qgis):
    from qgis.core import QgsApplication
    from qgis.PyQt.QtCore import QUrl

    provider = QgsApplication.processingRegistry().providerById("geodp")
    algorithms = {algorithm.id(): algorithm for algorithm in provider.algorithms()}
    assert set(algorithms) == {
        "geodp:privatedistricts",
        "geodp:privatehistogram",
        "geodp:privatehexagons",
        "geodp:candidategrids",
        "geodp:ledger",
        "geodp:query",
        "geodp:about",
        "geodp:change",
        "geodp:view",
        "geodp:report",
        "geodp:style",
        "geodp:plan",
    }
    assert len({algorithm.displayName() for algorithm in algorithms.values()}) == len(algorithms)
    assert {algorithm.group() for algorithm in algorithms.values()} == {"Publish", "Use a release"}
    for algorithm in algorithms.values():
        assert "<strong>Example:</strong>" in algorithm.shortHelpString()
        assert "<b>" not in algorithm.shortHelpString()  # QGIS paints it dark on any theme
        page = QUrl(algorithm.helpUrl())
        assert Path(page.toLocalFile()).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        assert algorithm.shortDescription()
        assert not algorithm.icon().pixmap(24, 24).toImage().isNull()
        for parameter in algorithm.parameterDefinitions():
            assert parameter.help(), (algorithm.id(), parameter.name())
    assert not provider.icon().isNull()


def test_the_release_in_the_raster_is_whole_and_says_what_it_is(histogram, tmp_path):
    from osgeo import gdal

    path = tmp_path / "counts.tif"
    done = histogram(OUTPUT_RASTER=str(path), SIZES="12, 20x30")
    release = restored(path)
    assert release.cells.grid.shape in ((12, 12), (20, 30))
    assert release.cells.grid.domain.bounds == BOUNDS
    assert release.cells.grid.domain.crs.name == CRS
    assert release.cells.grid.domain.crs.metres_per_unit == 1
    assert release.epsilon == 1
    assert not release.seeded
    assert done.results["OUTPUT_RASTER"] == str(path)
    assert (done.results["ROWS"], done.results["COLUMNS"]) == release.cells.grid.shape
    assert done.results["EPSILON"] == 1

    dataset = gdal.Open(str(path))
    rows, columns = release.cells.grid.shape
    assert (dataset.RasterYSize, dataset.RasterXSize) == (rows, columns)
    assert dataset.GetGeoTransform() == (
        BOUNDS[0],
        pytest.approx(4700000 / columns),
        0,
        BOUNDS[3],
        0,
        pytest.approx(-3000000 / rows),
    )
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "5070"
    band = dataset.GetRasterBand(1)
    assert band.GetDescription() == "noisy count of records per cell"
    assert gdal.GetDataTypeName(band.DataType) == "Float32"
    # No statistics, no source: nothing but the counts, the GEODP tags, and what QGIS shows.
    assert band.GetMetadata() == {}
    assert {tag.split("_")[0] for tag in dataset.GetMetadata()} == {"GEODP", "AREA"}
    assert dataset.GetMetadata("IMAGE_STRUCTURE")["COMPRESSION"] == "DEFLATE"
    dataset = band = None
    names = sorted(entry.name for entry in tmp_path.iterdir())
    assert names == ["counts.qmd", "counts.qml", "counts.tif"]


def test_cells_as_polygons_hold_the_same_counts(histogram):
    done = histogram(OUTPUT_VECTOR="TEMPORARY_OUTPUT", CELL_SIZES="700km")
    layer, release = done.results["OUTPUT_VECTOR"], restored(done.results["OUTPUT_RASTER"])
    assert [field.name() for field in layer.fields()] == [*CELL_FIELDS, "drawn"]
    assert layer.crs().authid() == CRS
    features = sorted(layer.getFeatures(), key=lambda feature: feature["id"])
    assert [feature["count"] for feature in features] == release.counts.tolist()
    assert release.cells.grid.shape == (
        5,
        7,
    )  # 3,000 km and 4,700 km in steps of 700: the last are cut
    last = features[-1]
    box = last.geometry().boundingBox()
    assert (last["row_index"], last["col_index"]) == (4, 6)
    assert (last["left"], last["right"]) == (1800000, 2300000)
    assert (last["bottom"], last["top"]) == (200000, 400000)
    assert (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()) == (
        1800000,
        200000,
        2300000,
        400000,
    )


def test_identify_tells_the_count_of_the_cell_and_its_interval(qgis, histogram, project, tmp_path):
    """*Identify Features* on the raster of adaptive cells, as the tool itself answers."""
    from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer, QgsRectangle
    from qgis.gui import QgsMapCanvas, QgsMapToolIdentify
    from qgis.PyQt import sip

    path = tmp_path / "counts.tif"
    histogram(CELLS=1, OUTPUT_RASTER=str(path))
    release, layer = restored(path), QgsRasterLayer(str(path), "counts")
    project.addMapLayer(layer)
    canvas = QgsMapCanvas()
    canvas.resize(940, 600)
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:5070"))
    canvas.setLayers([layer])
    tool = QgsMapToolIdentify(canvas)
    cell = int(release.counts.argmax())
    # QGIS reads the raster at the canvas's pixels, so the cell has to fill many of them.
    box = QgsRectangle(*release.cells.bounds[cell])
    canvas.setExtent(box.buffered(box.width() + box.height()))
    place = canvas.getCoordinateTransform().transform(box.center())
    (identified,) = tool.identify(int(place.x()), int(place.y()), [layer])
    shown = {name.partition(": ")[2]: value for name, value in identified.mAttributes.items()}
    count = float(shown["noisy count of records in the whole cell"])
    half = float(shown["95 % interval of the count in the whole cell: plus or minus this"])
    sip.delete(tool)
    sip.delete(canvas)
    assert count == pytest.approx(release.counts[cell], rel=1e-6)
    assert 1.9 < half / release.variance[cell] ** 0.5 < 3.2


def test_adaptive_cells_as_raster_and_polygons(histogram, tmp_path):
    from osgeo import gdal

    path = tmp_path / "counts.tif"
    done = histogram(CELLS=1, OUTPUT_RASTER=str(path), OUTPUT_VECTOR="TEMPORARY_OUTPUT")
    release, layer = restored(path), done.results["OUTPUT_VECTOR"]
    assert release.cells.kind == "adaptive"
    dataset = gdal.Open(str(path))
    assert (dataset.RasterYSize, dataset.RasterXSize) == release.cells.raster.shape
    assert (done.results["ROWS"], done.results["COLUMNS"]) == release.cells.raster.shape
    bands = [dataset.GetRasterBand(number + 1) for number in range(dataset.RasterCount)]
    assert [gdal.GetDataTypeName(band.DataType) for band in bands] == ["Float32"] * 6
    units = ["records", "records", "", "records/km²", "records", "records"]
    assert [band.GetUnitType() for band in bands] == units
    assert bands[0].ReadAsArray().sum(dtype="float64") == pytest.approx(release.counts.sum())
    assert bands[2].ReadAsArray().max() == len(release.cells.tree.levels) - 1
    names = [*CELL_FIELDS[:5], "depth", "count", "std_error", "density", "drawn"]
    assert [field.name() for field in layer.fields()] == names
    assert layer.featureCount() == len(release.cells)
    features = sorted(layer.getFeatures(), key=lambda feature: feature["id"])
    assert [feature["count"] for feature in features] == release.counts.tolist()
    area = sum(feature.geometry().area() for feature in features)
    assert area == pytest.approx(4700000 * 3000000)
    assert "Chosen cells: " in done.text
    assert " of unequal size, " in done.text


@pytest.mark.parametrize(
    "given", [{"SIZES": "20"}, {"CELL_SIZES": "50km"}, {"REGIONS": DISTRICTS}, {"TUNER": 1}]
)
def test_what_is_for_one_grid_is_refused_with_adaptive_cells(histogram, given):
    from qgis.core import QgsProcessingException

    with pytest.raises(
        QgsProcessingException, match="is for regular 'Cells', and these are adaptive"
    ):
        histogram(CELLS=1, **given)


def test_cells_are_adaptive_unless_something_of_one_grid_is_given(histogram):
    def kind(**given):
        return restored(histogram(**given).results["OUTPUT_RASTER"]).cells.kind

    assert kind() == "adaptive"
    assert kind(SIZES="20") == kind(TUNER=1) == kind(CELLS=0) == "regular"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"CELLS": 0, "RESOLUTION": "100km"}, "is for adaptive 'Cells', and these are regular"),
        ({"SIZES": "20", "RESOLUTION": "100km"}, "is for adaptive 'Cells', and these are regular"),
        ({"RESOLUTION": "fine"}, "a length must be one number"),
        ({"RESOLUTION": "0"}, "'Smallest cells that make sense' must be a positive number"),
        ({"RESOLUTION": "9000km"}, "must be at most the shorter side of the domain"),
    ],
)
def test_a_resolution_that_cannot_be_meant_is_refused(histogram, given, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=words):
        histogram(**given)


def test_no_cell_is_smaller_than_the_resolution(histogram):
    release = restored(histogram(RESOLUTION="100km", EPSILON=10).results["OUTPUT_RASTER"])
    (frame,) = release.method.candidates
    finest = frame.lattices[1]
    assert min(finest.cell_width, finest.cell_height) >= 100_000


def test_counts_are_near_the_truth_when_the_budget_is_large(histogram):
    release = restored(histogram(EPSILON=100, SIZES="1").results["OUTPUT_RASTER"])
    assert release.counts.tolist() == [9127]  # as sample_data/README.md says; noise of ε=100 is 0


def test_rows_go_from_north_to_south(histogram):
    release = restored(histogram(EPSILON=100, SIZES="2x1").results["OUTPUT_RASTER"])
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(PLACES, "places", "ogr")
    north = sum(f.geometry().asPoint().y() >= 1700000 for f in layer.getFeatures())
    assert release.counts.tolist() == [north, 9127 - north]
    assert north != 9127 - north


def test_points_in_another_crs_are_moved(histogram):
    import processing

    moved = processing.run(
        "native:reprojectlayer",
        {"INPUT": PLACES, "TARGET_CRS": "EPSG:4326", "OUTPUT": "TEMPORARY_OUTPUT"},
    )["OUTPUT"]
    release = restored(histogram(INPUT=moved, EPSILON=100, SIZES="1").results["OUTPUT_RASTER"])
    assert release.counts.tolist() == [9127]


def test_candidate_grids_show_every_cell_of_every_candidate(run):
    done = run("candidategrids", EXTENT=EXTENT, CRS=CRS, SIZES="2, 3x4", OUTPUT="TEMPORARY_OUTPUT")
    layer = done.results["OUTPUT"]
    names = [feature["candidate"] for feature in layer.getFeatures()]
    assert names == ["2 x 2"] * 4 + ["3 x 4"] * 12
    area = sum(f.geometry().area() for f in layer.getFeatures() if f["candidate"] == "3 x 4")
    assert area == pytest.approx(4700000 * 3000000)
    assert "no budget was spent" in done.text


@pytest.mark.parametrize("cells", [0, 1])
def test_nothing_is_counted_where_no_records_can_be(histogram, run, tmp_path, cells):
    """The states as land: the sea has no data, cells on the coast are read as their land."""
    import numpy as np
    from osgeo import gdal

    path = tmp_path / "counts.tif"
    sizes = {} if cells else {"SIZES": "40"}
    done = histogram(
        SEED=3,  # an interval of 95 % misses every twentieth time
        CELLS=cells,
        WITHIN=DISTRICTS,
        OUTPUT_RASTER=str(path),
        OUTPUT_VECTOR="TEMPORARY_OUTPUT",
        **sizes,
    )
    release = restored(path)
    assert 0.5 < release.domain.within.share < 0.62  # the country in its box
    assert done.results["OUTPUT_VECTOR"].featureCount() == len(release.cells)
    dataset = gdal.Open(str(path))
    band = dataset.GetRasterBand(1)
    pixels = band.ReadAsArray()
    nowhere = band.GetNoDataValue()
    np.testing.assert_equal(pixels[-1, 0], nowhere)  # the Pacific; NaN is NaN
    asked = run("query", INPUT=str(path), REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    coast = next(
        feature for feature in asked.results["OUTPUT"].getFeatures() if feature["state"] == "CA"
    )
    assert coast["ci_low"] < 796 < coast["ci_high"]  # places inside that polygon


def test_where_records_can_be_must_be_in_the_extent(histogram, regions):
    from qgis.core import QgsProcessingException

    ids = [feature.id() for feature in regions.getFeatures()]
    assert regions.dataProvider().deleteFeatures([ids[0], ids[2]])
    with pytest.raises(QgsProcessingException, match="must leave a place for records"):
        histogram(WITHIN=regions)


def test_the_publishers_words_go_into_files_and_layers(histogram, run, tmp_path):
    from qgis.core import QgsRasterLayer

    path = tmp_path / "counts.tif"
    words = {"TITLE": "Towns", "LICENCE": "CC BY 4.0", "SOURCE": "a gazetteer"}
    histogram(SIZES="5", OUTPUT_RASTER=str(path), **words)
    assert restored(path).about.given == {name.lower(): text for name, text in words.items()}
    layer = QgsRasterLayer(str(path), "counts")
    layer.loadDefaultMetadata()
    assert layer.metadata().title() == "Towns"
    assert layer.metadata().licenses() == ["CC BY 4.0"]
    assert "Source: a gazetteer." in layer.metadata().abstract()


def test_plan_foresees_the_noise_that_the_release_states(histogram, run, tmp_path):
    page = tmp_path / "plan.html"
    given = {"EXTENT": EXTENT, "CRS": CRS, "SIZES": "40", "REGIONS": DISTRICTS}
    done = run("plan", EPSILONS="0.5, 1", EXPECTED=10000, OUTPUT_HTML=str(page), **given)
    text = page.read_text(encoding="utf-8")
    assert "At ε = 1 adaptive cells would suit" in done.text
    assert (
        next(line for line in text.splitlines() if line.startswith("1  ")).split()[1] == "adaptive"
    )
    assert "no budget was spent" in done.text
    raster = histogram(SIZES="40").results["OUTPUT_RASTER"]
    asked = run("query", INPUT=raster, REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    noise = [feature["noise_error"] for feature in asked.results["OUTPUT"].getFeatures()]
    row = next(line for line in text.splitlines() if line.startswith("1   ") and "40 × 40" in line)
    assert f"{sum(noise) / len(noise):.3g}" in row.split()


def test_plan_takes_a_field_of_guesses_and_refuses_two(run, tmp_path):
    from qgis.core import QgsProcessingException

    given = {"EXTENT": EXTENT, "CRS": CRS, "SIZES": "40", "OUTPUT_HTML": "TEMPORARY_OUTPUT"}
    done = run("plan", REGIONS=DISTRICTS, EXPECTED_FIELD="fid", **given)
    assert "would suit" in done.text
    with pytest.raises(QgsProcessingException, match="not both"):
        run("plan", REGIONS=DISTRICTS, EXPECTED_FIELD="fid", EXPECTED=10, **given)
    with pytest.raises(QgsProcessingException, match="there is no 'people'"):
        run("plan", REGIONS=DISTRICTS, EXPECTED_FIELD="people", **given)
    assert "say how many to expect" in run("plan", **given).text


def test_query_answers_each_region_with_error_bars(histogram, run):
    raster = histogram(SEED=3, SIZES="57").results["OUTPUT_RASTER"]
    answers = run("query", INPUT=raster, REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    layer = answers.results["OUTPUT"]
    names = [field.name() for field in layer.fields()]
    added = ["estimate", "std_error", "noise_error", "ci_low", "ci_high", "border_share", "covered"]
    added += ["reliable"]
    assert names == ["fid", "name", "state", *added]
    features = list(layer.getFeatures())
    assert len(features) == 49
    for feature in features:
        assert feature["ci_low"] < feature["estimate"] < feature["ci_high"]
        assert feature["std_error"] >= feature["noise_error"] > 0
        assert 0 <= feature["border_share"] <= 1
        assert feature["covered"] == 1
    # Places in Tennessee in us_places.gpkg; it has no coast, where cells are cut by the sea.
    inland = next(feature for feature in features if feature["state"] == "TN")
    assert inland["ci_low"] < 151 < inland["ci_high"]
    assert inland["std_error"] < 30
    assert "whole error" in answers.text


def test_query_leaves_holes_out(histogram, run):
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    outer = "(0 500000, 2000000 500000, 2000000 2500000, 0 2500000, 0 500000)"
    inner = "(500000 1000000, 1500000 1000000, 1500000 2000000, 500000 2000000, 500000 1000000)"
    layer = QgsVectorLayer("Polygon?crs=EPSG:5070", "regions", "memory")
    for rings in (outer, inner, f"{outer}, {inner}"):
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromWkt(f"Polygon({rings})"))
        assert layer.dataProvider().addFeatures([feature])[0]
    raster = histogram(EPSILON=100, SIZES="30").results["OUTPUT_RASTER"]
    answers = run("query", INPUT=raster, REGIONS=layer, OUTPUT="TEMPORARY_OUTPUT").results["OUTPUT"]
    both, hole, rest = (feature["estimate"] for feature in answers.getFeatures())
    assert hole > 100
    assert rest == pytest.approx(both - hole)


@pytest.fixture
def regions():
    """Regions in EPSG:4326: one inside, one elsewhere, one that reaches around half the world."""
    from qgis.core import QgsFeature, QgsGeometry, QgsRectangle, QgsVectorLayer

    layer = QgsVectorLayer("Polygon?crs=EPSG:4326", "regions", "memory")
    for box in ((-100, 35, -90, 40), (10, 45, 15, 50), (-179, 0, 0, 85)):
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(*box)))
        assert layer.dataProvider().addFeatures([feature])[0]
    return layer


def test_regions_outside_have_no_answer_and_do_no_harm(histogram, run, regions):
    raster = histogram(EPSILON=100, SIZES="40").results["OUTPUT_RASTER"]
    done = run("query", INPUT=raster, REGIONS=regions, DENSITY=True, OUTPUT="TEMPORARY_OUTPUT")
    inside, outside, wide = done.results["OUTPUT"].getFeatures()
    assert inside["estimate"] > 100
    assert inside["covered"] == 1
    area = 10 * 5 * 111.2**2 * 0.793  # km², roughly, at 37.5° north
    assert inside["density"] == pytest.approx(inside["estimate"] / area, rel=0.02)
    assert inside["density_low"] < inside["density"] < inside["density_high"]
    assert outside["covered"] == 0
    assert not outside["estimate"]  # NULL
    assert wide["estimate"] == pytest.approx(9127, rel=0.01)
    assert 0 < wide["covered"] < 1
    assert "Outside the extent of the release, without an answer: 1." in done.text


def test_broken_regions_can_be_left_out(histogram, run, regions):
    from qgis.core import QgsFeature, QgsGeometry, QgsProcessingException

    raster = histogram(EPSILON=100, SIZES="40").results["OUTPUT_RASTER"]
    bow = QgsFeature()
    bow.setGeometry(QgsGeometry.fromWkt("Polygon((-100 35,-90 40,-90 35,-100 40,-100 35))"))
    assert regions.dataProvider().addFeatures([bow])[0]
    asked = {"INPUT": raster, "REGIONS": regions, "OUTPUT": "TEMPORARY_OUTPUT"}
    with pytest.raises(QgsProcessingException, match="repair it with 'Fix geometries'"):
        run("query", **asked)
    done = run("query", SKIP_INVALID=True, **asked)
    features = list(done.results["OUTPUT"].getFeatures())
    assert len(features) == 4
    assert not features[3]["covered"]
    assert features[0]["estimate"] > 100
    assert "Not valid, without an answer: 1." in done.text


def test_a_higher_level_gives_wider_intervals(histogram, run, regions):
    raster = histogram(SIZES="40").results["OUTPUT_RASTER"]
    asked = {"INPUT": raster, "REGIONS": regions, "OUTPUT": "TEMPORARY_OUTPUT"}
    widths = []
    for level in (0.5, 0.99):
        first = next(run("query", LEVEL=level, **asked).results["OUTPUT"].getFeatures())
        widths.append(first["ci_high"] - first["ci_low"])
    assert widths[1] > 2 * widths[0]


def test_query_takes_regions_in_another_crs(histogram, run):
    import processing

    raster = histogram(EPSILON=100, SIZES="40").results["OUTPUT_RASTER"]
    degrees = processing.run(
        "native:reprojectlayer",
        {"INPUT": DISTRICTS, "TARGET_CRS": "EPSG:4326", "OUTPUT": "TEMPORARY_OUTPUT"},
    )["OUTPUT"]
    estimates = []
    for regions in (DISTRICTS, degrees):
        done = run("query", INPUT=raster, REGIONS=regions, OUTPUT="TEMPORARY_OUTPUT")
        estimates.append([feature["estimate"] for feature in done.results["OUTPUT"].getFeatures()])
    assert done.results["OUTPUT"].crs().authid() == "EPSG:4326"
    assert estimates[0] == pytest.approx(estimates[1], rel=1e-3)


def test_about_says_what_the_file_promises(histogram, run, tmp_path):
    raster = histogram(EPSILON=0.5, TUNER=1).results["OUTPUT_RASTER"]
    page = tmp_path / "about.html"
    done = run("about", INPUT=raster, OUTPUT_HTML=str(page))
    text = page.read_text(encoding="utf-8")
    assert "Differentially private with epsilon = 0.5" in text
    assert "e2epriv: the scores of Fanaeepour and Rubinstein" in text
    cost = r"ε for choosing the size of the cells</th><td>0\.1 "  # a fifth of 0.5 for e2epriv
    assert re.search(cost, text)
    assert "Counts every record inside the extent." in text
    assert "NAD83 / Conus Albers" in text
    assert done.results["PROMISE"] in text
    assert done.results["EPSILON"] == 0.5


def test_about_calls_a_seeded_release_not_private(histogram, run):
    raster = histogram(SEED=1).results["OUTPUT_RASTER"]
    done = run("about", INPUT=raster, OUTPUT_HTML="TEMPORARY_OUTPUT")
    assert "NOT private" in done.results["PROMISE"]


def test_progress_only_rises_and_ends_at_the_end(histogram):
    done = histogram(REGIONS=DISTRICTS, OUTPUT_VECTOR="TEMPORARY_OUTPUT")
    assert done.progress == sorted(done.progress)
    assert done.progress[-1] == pytest.approx(100)
    assert len(done.progress) > 10


def test_multipoints_count_up_to_the_given_number(histogram, project):
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    layer = QgsVectorLayer("MultiPoint?crs=EPSG:5070", "several", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt("MultiPoint((0 1000000),(1 1000000),(2 1000000))"))
    layer.dataProvider().addFeatures([feature])
    release = restored(
        histogram(INPUT=layer, MAX_RECORDS=2, EPSILON=200, SIZES="1").results["OUTPUT_RASTER"]
    )
    assert release.counts.tolist() == [2]
    assert (release.method.unit.kind, release.method.unit.max_records) == ("feature", 2)


def test_works_inside_a_model(qgis, project, tmp_path):
    """The output of one algorithm feeds the next, as in the model designer."""
    from qgis.core import (
        QgsProcessingContext,
        QgsProcessingFeedback,
        QgsProcessingModelAlgorithm,
        QgsProcessingModelChildAlgorithm,
        QgsProcessingModelChildParameterSource,
        QgsProcessingModelOutput,
    )

    fixed = QgsProcessingModelChildParameterSource.fromStaticValue
    model = QgsProcessingModelAlgorithm("model", "tests")
    first = QgsProcessingModelChildAlgorithm("geodp:privatehistogram")
    first.setChildId("release")
    for name, value in {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1}.items():
        first.addParameterSources(name, [fixed(value)])
    model.addChildAlgorithm(first)
    second = QgsProcessingModelChildAlgorithm("geodp:query")
    second.setChildId("ask")
    raster = QgsProcessingModelChildParameterSource.fromChildOutput("release", "OUTPUT_RASTER")
    second.addParameterSources("INPUT", [raster])
    second.addParameterSources("REGIONS", [fixed(DISTRICTS)])
    output = QgsProcessingModelOutput("answers")
    output.setChildId("ask")
    output.setChildOutputName("OUTPUT")
    second.setModelOutputs({"answers": output})
    model.addChildAlgorithm(second)
    model.updateDestinationParameters()
    context = QgsProcessingContext()
    context.setProject(project)
    target = tmp_path / "answers.gpkg"
    results, ok = model.run(
        {"ask:answers": str(target)}, context, QgsProcessingFeedback(), {}, False
    )
    assert ok
    assert target.exists(), results


@pytest.mark.parametrize("name", ["geopandas", "shapely", "pyproj", "rasterio", "pandas"])
def test_no_library_that_breaks_qgis_was_imported(histogram, run, name):
    import sys

    raster = histogram(REGIONS=DISTRICTS).results["OUTPUT_RASTER"]
    run("query", INPUT=raster, REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    run("about", INPUT=raster, OUTPUT_HTML="TEMPORARY_OUTPUT")
    assert "geodp_qgis.vendor.geodp.core" in sys.modules
    assert name not in sys.modules
    assert "geodp" not in sys.modules
