"""Temptations of QGIS to leak: the extent box, selections, the log, the history."""

import json
import re

import pytest
from conftest import CRS, PLACES


@pytest.fixture
def places(project):
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(PLACES, "places", "ogr")
    assert layer.isValid()
    project.addMapLayer(layer)
    return layer


def extent_text(rectangle, crs, digits=4):
    """As the extent box writes it."""
    sides = (
        rectangle.xMinimum(),
        rectangle.xMaximum(),
        rectangle.yMinimum(),
        rectangle.yMaximum(),
    )
    return ",".join(f"{side:.{digits}f}" for side in sides) + f" [{crs}]"


def refused(histogram, **parameters):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        histogram(**parameters)
    return str(raised.value)


def test_the_layers_own_extent_is_refused_with_the_reason(histogram, places):
    message = refused(histogram, INPUT=places, EXTENT=extent_text(places.extent(), CRS))
    assert "outermost records" in message


def test_the_layer_itself_as_extent_is_refused(histogram, places):
    assert "outermost records" in refused(histogram, INPUT=places, EXTENT=places.id())


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857"])
def test_the_extent_taken_in_another_crs_is_refused(histogram, places, project, crs):
    """The extent box hands out the layer's extent in the project's CRS."""
    from geodp_qgis.adapters import moved
    from qgis.core import QgsCoordinateReferenceSystem

    other = QgsCoordinateReferenceSystem(crs)
    box = moved(places.extent(), places.crs(), other, project.transformContext())
    message = refused(histogram, INPUT=places, EXTENT=extent_text(box, crs, digits=9))
    assert "outermost records" in message


def test_the_extent_of_the_selection_is_refused(histogram, places):
    from qgis.core import QgsProcessingFeatureSourceDefinition

    places.selectByExpression("\"state\" = 'TX'")
    box = extent_text(places.boundingBoxOfSelected(), CRS)
    selection = QgsProcessingFeatureSourceDefinition(places.id(), True)
    assert "outermost records" in refused(histogram, INPUT=selection, EXTENT=box)
    # and so is that of the whole layer, which the extent box offers for a selection as well
    extent = extent_text(places.extent(), CRS)
    assert "outermost records" in refused(histogram, INPUT=selection, EXTENT=extent)


@pytest.mark.parametrize("wide", [True, False])
def test_what_the_map_shows_after_zooming_to_the_layer_is_refused(histogram, places, wide):
    """On a canvas that is wider or higher than the points; the extent box takes it over."""
    from qgis.core import QgsMapSettings
    from qgis.PyQt.QtCore import QSize

    canvas = QgsMapSettings()
    canvas.setOutputSize(QSize(900, 200) if wide else QSize(200, 900))
    canvas.setDestinationCrs(places.crs())
    extent = places.extent()
    extent.scale(1.05)  # as QgisApp's 'Zoom to Layer' does
    canvas.setExtent(extent)
    shown = canvas.visibleExtent()
    assert shown.width() > 1.2 * extent.width() or shown.height() > 1.2 * extent.height()
    message = refused(histogram, INPUT=places, EXTENT=extent_text(shown, CRS))
    assert "zooming to them" in message


@pytest.mark.parametrize("side", ["XMinimum", "XMaximum", "YMinimum", "YMaximum"])
def test_three_sides_of_the_layers_extent_are_refused(histogram, places, side):
    box = places.extent()
    old = getattr(box, f"x{side[1:]}" if side[0] == "X" else f"y{side[1:]}")()
    getattr(box, f"set{side}")(old + (250000 if side.endswith("Maximum") else -250000))
    assert "outermost records" in refused(histogram, INPUT=places, EXTENT=extent_text(box, CRS))


def test_a_box_that_shares_one_side_by_chance_is_taken(histogram, places):
    box = places.extent()
    box.setXMinimum(-2400000)
    box.setYMinimum(200000)
    box.setYMaximum(3200000)
    assert histogram(INPUT=places, EXTENT=extent_text(box, CRS), SIZES="3").results["ROWS"] == 3


def test_the_box_ticked_means_that_the_extent_was_public_before(histogram, places):
    done = histogram(
        INPUT=places, EXTENT=extent_text(places.extent(), CRS), EXTENT_IS_PUBLIC=True, SIZES="5"
    )
    assert done.results["ROWS"] == 5


def test_a_round_box_around_the_points_is_not_refused(histogram, places):
    box = places.extent()
    box.grow(1000)
    assert histogram(INPUT=places, EXTENT=extent_text(box, CRS)).results["ROWS"]


def test_the_log_says_what_is_protected_and_what_it_cost(histogram):
    text = histogram(SIZES="20, 40").text
    assert "Protected: every record of the layer." in text
    assert re.search(r"Chosen cells: (20|40) rows × (20|40) columns, .* km\.", text)
    assert "ε for a coarse look at where records are: 0.02 (" in text
    assert "ε for choosing the size of the cells: 0.08 (" in text
    assert "ε for counting: 0.9 (" in text
    assert "Spent in all: ε = 1." in text
    assert "Differentially private with epsilon = 1" in text
    assert "Counts every record inside the extent." in text


def test_the_log_says_that_only_the_selection_counts(histogram, places):
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsProcessingFeatureSourceDefinition

    places.selectByExpression("\"state\" = 'TX'")
    expected = places.selectedFeatureCount()
    selection = QgsProcessingFeatureSourceDefinition(places.id(), True)
    done = histogram(INPUT=selection, EPSILON=100, SIZES="1")
    assert "selected features only" in done.text
    assert read_release(done.results["OUTPUT_RASTER"]).counts.tolist() == [expected]
    assert "selected features only" not in histogram(INPUT=places, SIZES="1").text


def test_one_result_for_each_record_is_refused(histogram, places):
    from qgis.core import QgsProcessingFeatureSourceDefinition

    each = QgsProcessingFeatureSourceDefinition(
        places.id(),
        flags=QgsProcessingFeatureSourceDefinition.Flag.FlagCreateIndividualOutputPerInputFeature,
    )
    assert "one result for each record" in refused(histogram, INPUT=each)


def test_the_log_says_that_a_filter_applies(histogram, places):
    places.setSubsetString("\"state\" = 'TX'")
    assert "filter applies" in histogram(INPUT=places, SIZES="1").text


def test_the_log_is_the_same_whatever_the_points_are(histogram, project, tmp_path):
    """With one candidate nothing is chosen: whatever differs in the log would be a leak."""
    from qgis.core import QgsVectorLayer

    empty = QgsVectorLayer("Point?crs=EPSG:5070", "empty", "memory")
    account = {"DATASET": "towns", "CAP": 1}
    full = histogram(SIZES="7", LEDGER=str(tmp_path / "full.sqlite"), **account)
    none = histogram(SIZES="7", LEDGER=str(tmp_path / "none.sqlite"), INPUT=empty, **account)

    def comparable(done):
        # The temporary path in QGIS's own last line differs from run to run.
        return [re.sub(r"'/[^']*'", "PATH", line) for line in done.log]

    assert comparable(full) == comparable(none)


def test_an_empty_layer_gives_zeros_plus_noise(histogram, project):
    """Refusing it would tell that it is empty, which is private like any other number."""
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsVectorLayer

    empty = QgsVectorLayer("Point?crs=EPSG:5070", "empty", "memory")
    release = read_release(histogram(INPUT=empty, SIZES="30").results["OUTPUT_RASTER"])
    assert abs(release.counts.mean()) < 0.5  # 900 cells, standard deviation of the mean below 0.05
    assert release.counts.any()


def test_features_without_a_usable_point_are_dropped_without_a_word(histogram, project):
    from geodp_qgis.rasters import read_release
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    layer = QgsVectorLayer("Point?crs=EPSG:5070", "mixed", "memory")
    shapes = ["Point(0 1000000)", "Point EMPTY", "Point(nan nan)", "Point(1e12 0)", None]
    features = []
    for shape in shapes:
        feature = QgsFeature()
        if shape:
            feature.setGeometry(QgsGeometry.fromWkt(shape))
        features.append(feature)
    assert layer.dataProvider().addFeatures(features)[0]
    assert layer.featureCount() == 5
    done = histogram(INPUT=layer, EPSILON=100, SIZES="1")
    assert read_release(done.results["OUTPUT_RASTER"]).counts.tolist() == [1]


def test_the_history_holds_no_count(histogram, qgis):
    """QGIS keeps the parameters of a run and its results."""
    done = histogram(SIZES="3")
    kept = {name: value for name, value in done.results.items() if name != "OUTPUT_RASTER"}
    assert kept == {"ROWS": 3, "COLUMNS": 3, "EPSILON": 1.0}


def test_a_seeded_run_warns_in_the_log(histogram):
    assert "NOT private" in histogram(SEED=1, SIZES="3").text


def test_the_seed_is_not_offered_in_the_dialog(qgis):
    from qgis.core import QgsApplication, QgsProcessingParameterDefinition

    algorithm = QgsApplication.processingRegistry().algorithmById("geodp:privatehistogram")
    hidden = QgsProcessingParameterDefinition.Flag.FlagHidden
    assert algorithm.parameterDefinition("SEED").flags() & hidden


def test_neither_file_nor_tags_name_the_points(histogram, tmp_path):
    path = tmp_path / "counts.tif"
    histogram(CELLS=0, OUTPUT_RASTER=str(path))
    content = path.read_bytes()
    assert b"us_places" not in content
    assert b"9127" not in re.sub(rb"[0-9a-f]{64}", b"", content)
    assert b"GEODP_PROMISE" in content  # tags are stored as plain text: they would be seen


def test_two_runs_differ(histogram):
    from geodp_qgis.rasters import read_release

    first, second = (
        read_release(histogram(SIZES="20").results["OUTPUT_RASTER"]).counts.tolist()
        for _ in range(2)
    )
    assert json.dumps(first) != json.dumps(second)


def test_an_extent_in_another_crs_is_moved_to_that_of_the_grid(histogram):
    from geodp_qgis.rasters import read_release

    box = "-125,-66,24,50 [EPSG:4326]"
    release = read_release(histogram(EXTENT=box, SIZES="3").results["OUTPUT_RASTER"])
    xmin, ymin, xmax, ymax = release.cells.grid.domain.bounds
    # a box around the curved one: wider than the country, in metres
    assert -3.2e6 < xmin < -2.5e6
    assert 2.5e6 < xmax < 3.2e6
    assert 0 < ymin < 3.5e5
    assert 3e6 < ymax < 3.5e6
