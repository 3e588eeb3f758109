"""The plugin and the library are one thing: the same seed gives the same bits in both."""

import json

import pytest
from conftest import DISTRICTS, SAMPLE

RELEASE = """
import json, sys
import geopandas, geodp
from geodp.core import metadata

places, districts, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
domain = geodp.Domain((-2400000, 200000, 2300000, 3200000), "EPSG:5070")
workload = None
if districts:
    workload = geodp.Workload.from_geodataframe(geopandas.read_file(districts), domain)
made = geodp.release(geopandas.read_file(places), domain, workload=workload, **options)
print(json.dumps({"counts": made.counts.tolist(), "tags": metadata.tags_of(made)}))
"""

CASES = (
    # name, plugin's parameters, library's arguments, with districts
    ("boxes", {"SEED": 7}, {"seed": 7, "epsilon": 1}, False),
    ("polygons", {"SEED": 7}, {"seed": 7, "epsilon": 1}, True),
    (
        "e2epriv",
        {"SEED": 11, "TUNER": 1, "TUNING_SHARE": 0.3, "EPSILON": 0.7},
        {"seed": 11, "tuner": "e2epriv", "tuning_share": 0.3, "epsilon": 0.7},
        True,
    ),
)


@pytest.mark.parametrize(("_name", "ours", "theirs", "with_regions"), CASES)
def test_the_same_seed_gives_the_same_bits(histogram, library, _name, ours, theirs, with_regions):
    from geodp_qgis.library import metadata
    from geodp_qgis.rasters import read_release

    regions = DISTRICTS if with_regions else None
    raster = histogram(REGIONS=regions, **ours).results["OUTPUT_RASTER"]
    districts = SAMPLE / "us_districts.gpkg" if with_regions else ""
    answer = library(RELEASE, SAMPLE / "us_places.gpkg", districts, json.dumps(theirs))
    expected = json.loads(answer)
    made = read_release(raster)
    assert made.counts.tolist() == expected["counts"]
    assert metadata.tags_of(made) == expected["tags"]


OPEN = """
import json, sys
import geodp

made = geodp.open_release(sys.argv[1])
print(json.dumps({"counts": made.counts.tolist(), "repr": repr(made.grid)}))
"""


def test_the_library_opens_what_the_plugin_wrote(histogram, library, tmp_path):
    from geodp_qgis.rasters import read_release

    path = tmp_path / "counts.tif"
    histogram(OUTPUT_RASTER=str(path), CELL_SIZES="70000, 110000")
    answer = json.loads(library(OPEN, path))
    made = read_release(path)
    assert answer["counts"] == made.counts.tolist()
    assert answer["repr"] == repr(made.grid)


ASK = """
import json, sys
import geopandas, rasterio
from geodp.core import metadata

with rasterio.open(sys.argv[1]) as file:
    made = metadata.restore(file.tags(), file.read(1))
answers = made.query(geopandas.read_file(sys.argv[2]))
kept = answers[["state", "estimate", "std_error", "ci_low", "ci_high"]]
print(kept.to_json(orient="records", double_precision=15))
"""


def test_both_answer_alike(histogram, run, library, tmp_path):
    path = tmp_path / "counts.tif"
    histogram(OUTPUT_RASTER=str(path), SIZES="30")
    layer = run("query", INPUT=str(path), REGIONS=DISTRICTS, OUTPUT="TEMPORARY_OUTPUT").results[
        "OUTPUT"
    ]
    expected = json.loads(library(ASK, path, SAMPLE / "us_districts.gpkg"))
    for feature, wanted in zip(layer.getFeatures(), expected, strict=True):
        assert feature["state"] == wanted.pop("state")
        found = {name: feature[name] for name in wanted}
        assert found == pytest.approx(wanted, rel=1e-9)
