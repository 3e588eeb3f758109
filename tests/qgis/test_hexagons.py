"""*Private counts in hexagons*: the library's release, as a layer that opens again."""

import json

import pytest
from conftest import CRS, EXTENT, PLACES, SAMPLE, same_columns

RELEASE = """
import json, sys
import geopandas, geodp
from geodp.core.publish import metadata

country = geodp.Domain((-2400000, 200000, 2300000, 3200000), crs="EPSG:5070")
options = json.loads(sys.argv[2])
if options.pop("amount", None):
    options["amount"] = geodp.Amount("population", 0, 20000)
if options.pop("by", None):
    options["by"] = geodp.Categories("state", ["CA", "TX"])
points = geopandas.read_file(sys.argv[1])
release = geodp.release(points, country, epsilon=1, cells=geodp.Hexagons(100000), seed=7, **options)
columns = {name: values.tolist() for name, values in release.columns().items()}
print(json.dumps({"columns": columns, "tags": metadata.release_tags(release)}))
"""

OPEN = """
import json, sys
import geodp

release = geodp.open_release(sys.argv[1])
print(json.dumps([release.cells.kind, release.counts.tolist(), geodp.verify(release).holds]))
"""


@pytest.fixture
def counted(run):
    """*Private counts in hexagons* of the sample data; parameters may be replaced."""

    def go(cancel_at=None, **changes):
        parameters = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "SIDE": "100km"}
        parameters |= {"EPSILON": 1.0, "OUTPUT": "TEMPORARY_OUTPUT", **changes}
        return run("privatehexagons", cancel_at=cancel_at, **parameters)

    return go


@pytest.mark.parametrize(
    ("stage", "told"),
    [("start", "no budget is spent"), ("writing", "The spend was recorded before and stays")],
)
def test_cancel_is_heard_while_hexagons_are_made_and_written(counted, stage, told, tmp_path):
    from qgis.core import QgsProcessingException

    path = tmp_path / "counts.gpkg"
    with pytest.raises(QgsProcessingException, match=told):
        counted(cancel_at=stage, OUTPUT=str(path))
    assert not path.exists()


def test_the_bar_moves_while_hexagons_are_made_and_written(counted, tmp_path):
    page = str(tmp_path / "page.html")
    steps = counted(SIDE="20km", OUTPUT_HTML=page).progress
    assert steps == sorted(steps)
    assert steps[-1] == 100
    for low, high in ((0, 15), (80, 95), (95, 100)):  # made, written, drawn
        assert sum(low < step < high for step in steps) > 1


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({}, {}),
        ({"AMOUNT": "population", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 20000}, {"amount": True}),
        ({"BY": "state", "CATEGORIES": "CA, TX"}, {"by": True}),
    ],
)
def test_the_same_seed_gives_the_same_bits(counted, library, ours, theirs, tmp_path):
    from geodp_qgis.compatibility import is_null
    from geodp_qgis.library import geodp
    from geodp_qgis.vectors import read_cells
    from qgis.core import QgsVectorLayer

    path = tmp_path / "counts.gpkg"
    counted(SEED=7, OUTPUT=str(path), **ours)
    release = read_cells(path, "counts")
    expected = json.loads(library(RELEASE, SAMPLE / "us_places.gpkg", json.dumps(theirs)))
    same_columns(release, expected["columns"])
    assert geodp.release_tags(release) == expected["tags"]
    layer = QgsVectorLayer(f"{path}|layername=counts", "counts", "ogr")
    columns = expected["columns"]
    if "mean" in columns:  # what is not known is empty
        unknown = sum(is_null(feature["mean"]) for feature in layer.getFeatures())
        assert unknown == sum(value != value for value in columns["mean"])
        assert unknown > 0


def test_the_layer_is_of_hexagons_with_colours_and_opens_in_the_library(counted, library, tmp_path):
    from qgis.core import (
        QgsExpression,
        QgsExpressionContext,
        QgsExpressionContextUtils,
        QgsVectorLayer,
    )

    path = tmp_path / "counts.gpkg"
    done = counted(OUTPUT=str(path), OUTPUT_HTML=str(tmp_path / "page.html"))
    kind, counts, holds = json.loads(library(OPEN, path))
    assert (kind, holds) == ("hexagons", True)
    assert str(sum(counts)) not in done.text
    layer = QgsVectorLayer(str(path), "counts", "ogr")
    assert layer.renderer().type() == "graduatedSymbol"
    shapes = [feature.geometry() for feature in layer.getFeatures()]
    assert len(shapes) == len(counts)
    assert all(shape.isGeosValid() for shape in shapes)
    assert {round(shape.area()) for shape in shapes} == {25980762114}
    assert (tmp_path / "page.html").stat().st_size > 10_000
    first = next(layer.getFeatures())
    assert first["ci_low"] < first["count"] < first["ci_high"] < first["ci_low"] + 8
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setFeature(first)
    tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context)
    assert tip.startswith(f"<b>{first['hexagon']}</b><br>{first['count']:,} records")


@pytest.mark.parametrize("size", ["700km", "700000"])
def test_the_extent_is_moved_outwards_to_multiples_of_a_size(counted, size, tmp_path):
    from geodp_qgis.vectors import read_cells

    path = tmp_path / "counts.gpkg"
    counted(SNAP=size, OUTPUT=str(path))
    assert read_cells(path, "counts").domain.bounds == (-2_800_000, 0, 2_800_000, 3_500_000)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SNAP": "0"}, "positive number"),
        ({"SNAP": "1km, 2km"}, "one number"),
        ({"SIDE": ""}, "Incorrect parameter value for SIDE"),
        ({"SIDE": "wide"}, "one number"),
        ({"SIDE": "0"}, "positive number"),
        ({"SIDE": "1"}, "hexagons"),
        ({"CRS": "EPSG:4326"}, "projected"),
        ({"EPSILON": 50}, "Go on where inputs look like a mistake"),
    ],
)
def test_what_does_not_fit_is_refused(counted, changes, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match=words):
        counted(**changes)


def test_the_extent_of_the_points_is_refused(counted):
    from qgis.core import QgsProcessingException, QgsVectorLayer

    box = QgsVectorLayer(PLACES, "p", "ogr").extent()
    sides = (box.xMinimum(), box.xMaximum(), box.yMinimum(), box.yMaximum())
    taken = ",".join(map(repr, sides)) + f" [{CRS}]"
    with pytest.raises(QgsProcessingException, match="extent"):
        counted(EXTENT=taken)
