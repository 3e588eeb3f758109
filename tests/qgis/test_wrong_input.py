"""What cannot be right is refused early, in one clear sentence, and leaves nothing behind."""

import pytest
from changed import add_one
from conftest import CRS, DISTRICTS, EXTENT, PLACES, SAMPLE

PARTS = (
    # parameters, words of the message
    ({"INPUT": DISTRICTS}, "A point layer is needed"),
    ({"INPUT": "missing.gpkg"}, "Could not load source layer"),
    ({"CRS": "EPSG:4326"}, "needs a projected CRS"),
    ({"EXTENT": "9000000,9100000,9000000,9100000 [EPSG:5070]"}, "lies outside the area of"),
    ({"EXTENT": "5,5,7,9 [EPSG:5070]"}, "missing or has no area"),
    ({"EPSILON": 0}, "epsilon must be greater than 0; got 0"),
    ({"EPSILON": -1}, "epsilon must be greater than 0; got -1"),
    ({"EPSILON": float("inf")}, "Incorrect parameter value for EPSILON"),
    ({"EPSILON": 11, "GO_ON": False}, "say with 'Go on where inputs look like a mistake' that"),
    ({"EXTENT": "0,60,5,40 [EPSG:3857]", "CRS": "EPSG:3857"}, "look like degrees"),
    ({"SIZES": "1000", "EPSILON": 0.001}, "would need some 3,"),
    ({"TUNING_SHARE": 0}, "a share must lie between 0 and 1"),
    ({"TUNING_SHARE": 1}, "a share must lie between 0 and 1"),
    ({"SIZES": "a few"}, "whole numbers with commas"),
    ({"SIZES": "0"}, "at least one row and one column"),
    ({"SIZES": "5, 5"}, "must differ"),
    ({"SIZES": "5", "CELL_SIZES": "1000"}, "not both"),
    ({"CELL_SIZES": "wide"}, "cell sizes must be numbers"),
    ({"CELL_SIZES": "-1"}, "must be greater than 0"),
    ({"CELL_SIZES": "0.001"}, "at most 67,108,864 cells"),
    ({"REGIONS": PLACES}, "Regions must be polygons"),
    ({"MAX_RECORDS": 0}, "at least 1"),
)


@pytest.mark.parametrize(("change", "words"), PARTS)
def test_private_histogram_refuses(histogram, tmp_path, change, words):
    from qgis.core import QgsProcessingException

    raster, vector = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    with pytest.raises(QgsProcessingException, match=words):
        histogram(OUTPUT_RASTER=str(raster), OUTPUT_VECTOR=str(vector), **change)
    assert list(tmp_path.iterdir()) == []
    assert "Spent" not in histogram.run.last.text


@pytest.mark.parametrize("name", ["counts.asc", "counts", "nowhere/counts.tif"])
def test_a_raster_name_that_cannot_be_written_is_refused_before_points_are_read(
    histogram, tmp_path, name
):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=r"GeoTIFF|folder"):
        histogram(OUTPUT_RASTER=str(tmp_path / name))
    assert "counting" not in histogram.run.last.text


def test_a_raster_in_place_of_a_folder_is_refused_before_points_are_read(histogram, tmp_path):
    from qgis.core import QgsProcessingException

    (tmp_path / "counts.tif").mkdir()
    with pytest.raises(QgsProcessingException, match="is a folder"):
        histogram(OUTPUT_RASTER=str(tmp_path / "counts.tif"))
    assert "counting" not in histogram.run.last.text
    assert [path.name for path in tmp_path.iterdir()] == ["counts.tif"]


@pytest.mark.parametrize("room", [100, 3000, 6000])
def test_a_full_disk_is_said_in_one_sentence_and_leaves_nothing(
    histogram, tmp_path, settings, room
):
    import resource

    from qgis.core import QgsProcessingException

    settings(CAP=0)  # the ledger would notice first
    path = tmp_path / "counts.tif"
    path.write_bytes(b"an earlier file")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(QgsProcessingException) as raised:
            histogram(SIZES="60", OUTPUT_RASTER=str(path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(raised.value) == f"{path} cannot be written: the disk or the folder refuses it."
    assert path.read_bytes() == b"an earlier file"
    assert list(tmp_path.iterdir()) == [path]


def test_a_layer_without_crs_is_refused(histogram, project):
    from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingException, QgsVectorLayer

    layer = QgsVectorLayer("Point", "nowhere", "memory")
    layer.setCrs(QgsCoordinateReferenceSystem())
    with pytest.raises(QgsProcessingException, match="points need a CRS"):
        histogram(INPUT=layer)


def test_a_multipoint_layer_needs_a_cap(histogram, project):
    from qgis.core import QgsProcessingException, QgsVectorLayer

    layer = QgsVectorLayer("MultiPoint?crs=EPSG:5070", "several", "memory")
    with pytest.raises(QgsProcessingException, match="one feature may hold many points"):
        histogram(INPUT=layer)


def regions(*shapes, crs="EPSG:5070"):
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer

    layer = QgsVectorLayer(f"Polygon?crs={crs}", "regions", "memory")
    for shape in shapes:
        feature = QgsFeature()
        if shape:
            feature.setGeometry(QgsGeometry.fromWkt(shape))
        assert layer.dataProvider().addFeatures([feature])[0]
    return layer


REGIONS = (
    ((), "layer of regions is empty"),
    ((None,), "id 1 is empty"),
    (("Polygon((0 3e5, 1e5 4e5, 1e5 3e5, 0 4e5, 0 3e5))",), "not a valid polygon"),
)

OUTSIDE = "Polygon((8e6 8e6, 9e6 8e6, 9e6 9e6, 8e6 8e6))"


@pytest.mark.parametrize(("shapes", "words"), REGIONS)
def test_regions_that_cannot_be_counted_are_refused(histogram, run, tmp_path, shapes, words):
    from qgis.core import QgsProcessingException

    layer, path = regions(*shapes), tmp_path / "counts.tif"
    with pytest.raises(QgsProcessingException, match=words):
        histogram(REGIONS=layer, OUTPUT_RASTER=str(path))
    assert list(tmp_path.iterdir()) == []
    raster = histogram(SIZES="4").results["OUTPUT_RASTER"]
    with pytest.raises(QgsProcessingException, match=words):
        run("query", INPUT=raster, REGIONS=layer, OUTPUT=str(tmp_path / "answers.gpkg"))
    assert list(tmp_path.iterdir()) == []


def test_a_grid_is_not_chosen_for_regions_outside(histogram, tmp_path):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match="lies outside"):
        histogram(REGIONS=regions(OUTSIDE), OUTPUT_RASTER=str(tmp_path / "counts.tif"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "stage", ["start", "reading the regions", "counting", "choosing the grid", "writing"]
)
def test_a_cancelled_run_leaves_nothing_and_spends_nothing(histogram, tmp_path, settings, stage):
    from qgis.core import QgsProcessingException

    settings(CAP=0)  # what the ledger has recorded stays: see there
    raster, vector = tmp_path / "counts.tif", tmp_path / "cells.gpkg"
    raster.write_bytes(b"an earlier file")
    with pytest.raises(QgsProcessingException, match="nothing was released"):
        histogram(
            cancel_at=stage,
            REGIONS=DISTRICTS,
            SIZES="60, 100",
            OUTPUT_RASTER=str(raster),
            OUTPUT_VECTOR=str(vector),
        )
    assert [entry.name for entry in tmp_path.iterdir()] == ["counts.tif"]
    assert raster.read_bytes() == b"an earlier file"
    assert "Spent" not in histogram.run.last.text


def test_a_cancelled_layer_in_a_file_with_others_goes_alone(histogram, tmp_path):
    import processing
    from osgeo import gdal
    from qgis.core import QgsProcessingException

    path = tmp_path / "all.gpkg"
    processing.run("native:savefeatures", {"INPUT": DISTRICTS, "OUTPUT": str(path)})
    with pytest.raises(QgsProcessingException, match="no layer was written"):
        histogram(
            cancel_at="writing",
            OUTPUT_RASTER=str(tmp_path / "counts.tif"),
            OUTPUT_VECTOR=f"ogr:dbname='{path}' table=\"cells\" (geom)",
        )
    dataset = gdal.OpenEx(str(path))
    layers = [dataset.GetLayer(i).GetName() for i in range(dataset.GetLayerCount())]
    assert layers == ["all"]
    assert not (tmp_path / "counts.tif").exists()


def test_a_folder_in_the_place_of_a_vector_is_refused_before_anything_is_written(
    histogram, tmp_path
):
    from qgis.core import QgsProcessingException

    vector = tmp_path / "cells.gpkg"
    vector.mkdir()
    with pytest.raises(QgsProcessingException, match="is a folder"):
        histogram(SIZES="4", OUTPUT_RASTER=str(tmp_path / "counts.tif"), OUTPUT_VECTOR=str(vector))
    assert list(tmp_path.iterdir()) == [vector]


def test_a_vector_in_no_folder_is_refused_before_points_are_read(histogram, tmp_path):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match="folder of an output must exist"):
        histogram(OUTPUT_VECTOR=str(tmp_path / "nowhere" / "cells.gpkg"))
    assert "counting" not in histogram.run.last.text


def test_an_earlier_files_statistics_do_not_stay(histogram, tmp_path):
    path = tmp_path / "counts.tif"
    beside = tmp_path / "counts.tif.aux.xml"
    beside.write_text("<PAMDataset/>")
    histogram(SIZES="4", OUTPUT_RASTER=str(path))
    assert path.exists()
    assert not beside.exists()


@pytest.mark.parametrize("algorithm", ["query", "about"])
def test_a_raster_that_is_no_release_is_refused(run, tmp_path, algorithm):
    from osgeo import gdal
    from qgis.core import QgsProcessingException

    path = tmp_path / "other.tif"
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 4, 4)
    dataset.SetGeoTransform((0, 1, 0, 4, 0, -1))
    dataset = None
    parameters = {
        "query": {"REGIONS": DISTRICTS, "OUTPUT": "TEMPORARY_OUTPUT"},
        "about": {"OUTPUT_HTML": str(tmp_path / "about.html")},
    }
    with pytest.raises(QgsProcessingException, match="not a geodp release"):
        run(algorithm, INPUT=str(path), **parameters[algorithm])
    assert not (tmp_path / "about.html").exists()


def test_a_release_that_was_edited_is_refused(histogram, run, tmp_path):
    from qgis.core import QgsProcessingException

    path = tmp_path / "counts.tif"
    histogram(SIZES="4", OUTPUT_RASTER=str(path))
    add_one(path)
    with pytest.raises(QgsProcessingException, match="checksum"):
        run("about", INPUT=str(path), OUTPUT_HTML="TEMPORARY_OUTPUT")


@pytest.mark.parametrize(
    ("change", "words"),
    [({"CRS": "EPSG:4326"}, "needs a projected CRS"), ({"SIZES": "0"}, "at least one row")],
)
def test_candidate_grids_refuse_too(run, tmp_path, change, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=words):
        run(
            "candidategrids",
            **{"EXTENT": EXTENT, "CRS": CRS, "OUTPUT": str(tmp_path / "grids.gpkg"), **change},
        )
    assert list(tmp_path.iterdir()) == []


def test_a_qgis_that_lacks_a_part_is_told_which(histogram, qgis, monkeypatch):
    from geodp_qgis import library
    from qgis.core import (
        QgsApplication,
        QgsProcessingContext,
        QgsProcessingException,
        QgsProcessingFeedback,
    )

    monkeypatch.setattr(library, "MISSING", "No module named 'numpy'")
    with pytest.raises(QgsProcessingException, match="No module named 'numpy'"):
        histogram()
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    able, message = algorithm.canExecute()
    assert not able
    assert "numpy" in message
    # A model and QgsProcessingAlgorithm.run check nothing beforehand.
    results, ok = algorithm.run({}, QgsProcessingContext(), QgsProcessingFeedback())
    assert not ok
    assert results == {}


def test_the_rules_hold_without_an_early_check(qgis, project, tmp_path):
    """As in a model, which runs its steps without asking them first."""
    from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback

    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geodp:privatehistogram")
    path = tmp_path / "counts.tif"
    parameters = {
        "INPUT": str(SAMPLE / "us_places.gpkg"),
        "EXTENT": str(SAMPLE / "us_places.gpkg"),
        "CRS": CRS,
        "EPSILON": 1,
        "OUTPUT_RASTER": str(path),
    }
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(project)
    _, ok = algorithm.run(parameters, context, feedback)
    assert not ok
    assert "outermost records" in feedback.textLog()
    assert not path.exists()
