"""The plugin and the library are one thing: the same seed gives the same bits in both."""

import json

import pytest
from conftest import DISTRICTS, SAMPLE

RELEASE = """
import json, sys
import geopandas, geodp
from geodp.core.publish import metadata

places, districts, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
within = options.pop("within", None)
domain = geodp.Domain((-2400000, 200000, 2300000, 3200000), "EPSG:5070", within=within)
if "amount" in options:
    options["amount"] = geodp.Amount(*options["amount"])
if "cells" not in options:
    given = {name: options.pop(name) for name in ("tuner", "tuning_share") if name in options}
    options["cells"] = geodp.Regular(workload=districts or None, **given)
release = geodp.release(geopandas.read_file(places), domain, **options)
print(json.dumps({"counts": release.counts.tolist(), "tags": metadata.release_tags(release)}))
"""

POPULATION = {"AMOUNT": "population", "AMOUNT_LOW": 0, "AMOUNT_HIGH": 20000}

CASES = (
    # name, plugin's parameters, library's arguments, with districts
    ("boxes", {"SEED": 7, "CELLS": 0}, {"seed": 7, "epsilon": 1}, False),
    ("polygons", {"SEED": 7}, {"seed": 7, "epsilon": 1}, True),
    (
        "e2epriv",
        {"SEED": 11, "TUNER": 1, "TUNING_SHARE": 0.3, "EPSILON": 0.7},
        {"seed": 11, "tuner": "e2epriv", "tuning_share": 0.3, "epsilon": 0.7},
        True,
    ),
    ("adaptive", {"SEED": 7, "CELLS": 1}, {"seed": 7, "epsilon": 1, "cells": "adaptive"}, False),
    (
        "within",
        {"SEED": 7, "CELLS": 0, "WITHIN": DISTRICTS},
        {"seed": 7, "epsilon": 1, "within": str(SAMPLE / "us_districts.gpkg")},
        False,
    ),
    (
        "sums on a grid",
        {"SEED": 7, "CELLS": 0, **POPULATION},
        {"seed": 7, "epsilon": 1, "amount": ["population", 0, 20000]},
        False,
    ),
    (
        "sums where records crowd",
        {"SEED": 7, "CELLS": 1, **POPULATION},
        {"seed": 7, "epsilon": 1, "amount": ["population", 0, 20000], "cells": "adaptive"},
        False,
    ),
)


@pytest.mark.parametrize(("_name", "ours", "theirs", "with_regions"), CASES)
def test_the_same_seed_gives_the_same_bits(histogram, library, _name, ours, theirs, with_regions):
    from geodp_qgis.library import geodp
    from geodp_qgis.rasters import read_release

    regions = DISTRICTS if with_regions else None
    raster = histogram(REGIONS=regions, **ours).results["OUTPUT_RASTER"]
    districts = SAMPLE / "us_districts.gpkg" if with_regions else ""
    answer = library(RELEASE, SAMPLE / "us_places.gpkg", districts, json.dumps(theirs))
    expected = json.loads(answer)
    release = read_release(raster)
    assert release.counts.tolist() == expected["counts"]
    assert geodp.release_tags(release) == expected["tags"]


def test_cells_and_answers_have_the_sums(histogram, run):
    from qgis.core import QgsVectorLayer

    outputs = histogram(CELLS=1, OUTPUT_VECTOR="TEMPORARY_OUTPUT", **POPULATION).results
    raster = outputs["OUTPUT_RASTER"]
    answers = run("query", INPUT=raster, REGIONS=DISTRICTS, OUTPUT="memory:").results
    for layer in (outputs["OUTPUT_VECTOR"], answers["OUTPUT"]):
        layer = layer if isinstance(layer, QgsVectorLayer) else QgsVectorLayer(layer, "", "ogr")
        assert layer.isValid()
        names = [field.name() for field in layer.fields()]
        assert {"sum", "sum_low", "sum_high", "mean", "mean_low", "mean_high"} <= set(names)


OPEN = """
import json, sys
import geodp

release = geodp.open_release(sys.argv[1])
print(json.dumps({"counts": release.counts.tolist(), "cells": repr(release.cells)}))
"""


@pytest.mark.parametrize("kind", [0, 1], ids=["regular", "adaptive"])
@pytest.mark.parametrize("name", ["counts.tif", "cells.gpkg"])
def test_the_library_opens_what_the_plugin_wrote(histogram, library, tmp_path, kind, name):
    from geodp_qgis.rasters import read_release

    histogram(
        CELLS=kind,
        OUTPUT_RASTER=str(tmp_path / "counts.tif"),
        OUTPUT_VECTOR=str(tmp_path / "cells.gpkg"),
    )
    answer = json.loads(library(OPEN, tmp_path / name))
    release = read_release(tmp_path / "counts.tif")
    assert answer["counts"] == release.counts.tolist()
    assert answer["cells"] == repr(release.cells)


INFO = """
import sys
from geodp.cli import main

sys.argv = ["geodp", *sys.argv[1:]]
main()
"""


def test_the_command_line_tells_about_cells_that_the_plugin_saved(histogram, library, tmp_path):
    path = tmp_path / "cells.gpkg"
    histogram(CELLS=1, OUTPUT_VECTOR=str(path))
    assert "Differentially private with epsilon = 1" in library(INFO, "info", path)


ANSWERS = ("estimate", "std_error", "noise_error", "ci_low", "ci_high", "border_share", "covered")


def rows_in(path):
    """Return the rows of a layer by the names of their fields, with all digits of numbers."""
    from qgis.core import QgsVectorLayer

    return [feature.attributeMap() for feature in QgsVectorLayer(str(path)).getFeatures()]


def test_the_command_line_and_the_plugin_answer_alike_to_the_last_bit(
    histogram, run, library, tmp_path
):
    """Releases from either, as raster and as cells, asked by either."""
    histogram(CELLS=1, OUTPUT_RASTER=str(tmp_path / "ours.tif"))
    bounds = ("-2400000", "200000", "2300000", "3200000")
    theirs = [str(tmp_path / name) for name in ("theirs.tif", "theirs.gpkg")]
    library(
        INFO,
        *("release", SAMPLE / "us_places.gpkg", "--bounds", *bounds, "--crs", "EPSG:5070"),
        *("--epsilon", "1", "--cells", "adaptive", "-o", theirs[0], "-o", theirs[1], "-q"),
    )
    for path in (str(tmp_path / "ours.tif"), *theirs):
        asked = run("query", INPUT=path, REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
        target = tmp_path / "answers.gpkg"
        library(INFO, "query", path, SAMPLE / "us_districts.gpkg", "-o", target, "--force", "-q")
        expected = rows_in(target)
        for feature, wanted in zip(asked.results["OUTPUT"].getFeatures(), expected, strict=True):
            assert feature["state"] == wanted["state"]
            ours_say = {name: feature[name] for name in ANSWERS}
            theirs_say = {name: wanted[name] for name in ANSWERS}
            exact = ("estimate", "noise_error", "border_share", "covered")
            assert [ours_say[name] for name in exact] == [theirs_say[name] for name in exact]
            # Powers and logarithms of two versions of NumPy may differ in their last bit.
            assert ours_say == pytest.approx(theirs_say, rel=1e-13)


def test_cells_from_another_place_are_asked_as_well_as_a_raster(histogram, run, tmp_path):
    """A filter on the layer in the project changes nothing: the file is read."""
    from qgis.core import QgsVectorLayer

    path = tmp_path / "cells.gpkg"
    raster = histogram(CELLS=1, OUTPUT_VECTOR=str(path)).results["OUTPUT_RASTER"]
    layer = QgsVectorLayer(str(path), "cells", "ogr")
    assert layer.setSubsetString("id < 3")
    estimates = []
    for given in (raster, layer):
        asked = run("query", INPUT=given, REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
        estimates.append([feature["estimate"] for feature in asked.results["OUTPUT"].getFeatures()])
    assert estimates[0] == estimates[1]


@pytest.mark.parametrize(
    "change", ["count = count + 1 WHERE id = 3", "count = NULL WHERE id = 2", "depth = 0"]
)
def test_cells_that_were_changed_are_refused(histogram, run, tmp_path, change):
    from osgeo import gdal
    from qgis.core import QgsProcessingException

    path = tmp_path / "cells.gpkg"
    histogram(CELLS=1, OUTPUT_VECTOR=str(path))
    dataset = gdal.OpenEx(str(path), gdal.OF_UPDATE)
    dataset.ExecuteSQL(f"UPDATE cells SET {change}")
    dataset = None
    with pytest.raises(QgsProcessingException, match="changed"):
        run("about", INPUT=str(path), OUTPUT_HTML="TEMPORARY_OUTPUT")


LAYERED = """
import sys
import geopandas, geodp

places = geopandas.read_file(sys.argv[1])
domain = geodp.Domain((-2400000, 200000, 2300000, 3200000), "EPSG:5070")
release = geodp.release(places, domain, epsilon=1, by=geodp.Categories("state", ["CA", "TX"]))
for path in sys.argv[2:]:
    release.to_geotiff(path) if path.endswith(".tif") else release.to_vector(path)
"""


@pytest.mark.parametrize("name", ["layers.tif", "layers.gpkg"])
def test_releases_of_several_layers_are_opened_asked_and_styled(
    run, library, project, tmp_path, name
):
    from qgis.core import QgsRasterLayer, QgsVectorLayer

    path = tmp_path / name
    library(LAYERED, SAMPLE / "us_places.gpkg", path)
    asked = run("query", INPUT=str(path), REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT")
    rows = list(asked.results["OUTPUT"].getFeatures())
    assert [row["group"] for row in rows] == ["CA", "TX"] * 49
    target = tmp_path / "answers.gpkg"
    library(INFO, "query", path, SAMPLE / "us_districts.gpkg", "-o", target, "-q")
    for row, wanted in zip(rows, rows_in(target), strict=True):
        assert (row["state"], row["group"]) == (wanted["state"], wanted["group"])
        assert row["estimate"] == wanted["estimate"]
    page = tmp_path / "about.html"
    run("about", INPUT=str(path), OUTPUT_HTML=str(page))
    assert "Differentially private with epsilon = 1" in page.read_text(encoding="utf-8")
    kind = QgsRasterLayer if name.endswith(".tif") else QgsVectorLayer
    layer = kind(str(path), "layers", *([] if kind is QgsRasterLayer else ["ogr"]))
    project.addMapLayer(layer)
    run("style", INPUT=layer.id())
    assert {"CA", "TX"} <= set(layer.styleManager().styles())
    assert layer.styleManager().currentStyle() == "CA"
