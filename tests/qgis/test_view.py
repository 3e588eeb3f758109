"""Density and clamped counts: the library's own files, styled, and no releases."""

import json
from datetime import date

import pytest
from conftest import TOWN, TOWN_CRS

WRITE = """
import json, sys
import numpy, rasterio
import geodp

source, view, target = sys.argv[1:]
geodp.open_release(source).to_geotiff(target, view=view)
with rasterio.open(target) as image:
    content = {"bands": numpy.nan_to_num(image.read()).tolist(), "tags": image.tags()}
    content |= {"names": image.descriptions, "units": image.units, "kinds": image.dtypes}
print(json.dumps(content))
"""

KINDS = {"BY": "kind", "CATEGORIES": "theft, burglary"}
YEARS = {"BY": "time", "BREAKS": "2024-01-01, 2025-01-01, 2026-01-01"}
VIEWS = ("density", "clamped")


@pytest.fixture
def view(run):
    def go(source, name, target):
        return run("view", INPUT=str(source), VIEW=VIEWS.index(name), OUTPUT_RASTER=str(target))

    return go


@pytest.fixture
def town(histogram, incidents, tmp_path):
    """A release of the incidents; parameters may be replaced."""

    def go(**changes):
        path = tmp_path / "town.tif"
        given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "12"}
        histogram(**{**given, **changes, "OUTPUT_RASTER": str(path)})
        return path

    return go


def content(path):
    import numpy as np
    from osgeo import gdal

    image = gdal.Open(str(path))
    bands = [image.GetRasterBand(number + 1) for number in range(image.RasterCount)]
    return {
        "bands": [np.nan_to_num(band.ReadAsArray()).tolist() for band in bands],
        "names": [band.GetDescription() for band in bands],
        "units": [band.GetUnitType() for band in bands],
        "kinds": [gdal.GetDataTypeName(band.DataType).lower() for band in bands],
        "tags": geodp_tags(image.GetMetadata()),
    }


def geodp_tags(tags):
    return {name: text for name, text in tags.items() if name.startswith("GEODP")}


CASES = (
    ("regular", {}),
    ("adaptive", {"CELLS": 1, "SIZES": None}),
    ("several maps", {**KINDS, "CELLS": 1, "SIZES": None}),
)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize(("_name", "changes"), CASES)
def test_a_view_is_the_librarys_file(town, view, library, tmp_path, _name, changes, name):
    source, ours, theirs = town(**changes), tmp_path / "ours.tif", tmp_path / "theirs.tif"
    done = view(source, name, ours)
    expected = json.loads(library(WRITE, source, name, theirs))
    facts = content(ours)
    bands, wanted = facts.pop("bands"), expected.pop("bands")
    assert facts.pop("tags") == geodp_tags(expected.pop("tags"))
    assert facts == expected
    if name == "clamped":
        assert bands == wanted
        assert min(value for band in bands for row in band for value in row) == 0
    else:  # areas on the ground, from two versions of PROJ; pixels of trees have 32 bits
        near = 1e-10 if set(facts["kinds"]) == {"float64"} else 2.0**-23
        for one, other in zip(bands, wanted, strict=True):
            for row, same in zip(one, other, strict=True):
                assert row == pytest.approx(same, rel=near)
    for suffix in (".qml", ".qmd", *([".qlr"] if "BY" in changes else [])):
        texts = [path.with_suffix(suffix).read_text(encoding="utf-8") for path in (ours, theirs)]
        assert texts[0] == texts[1].replace("theirs.tif", "ours.tif")
    assert "the promise still holds" in done.text
    assert ("Sums of it are too high" in done.text) == (name == "clamped")
    assert "Differentially private with epsilon = 1" in done.text


def test_density_is_the_same_to_the_last_bit_where_the_crs_keeps_areas(
    histogram, view, library, tmp_path
):
    source, ours = tmp_path / "counts.tif", tmp_path / "ours.tif"
    histogram(OUTPUT_RASTER=str(source))
    view(source, "density", ours)
    expected = json.loads(library(WRITE, source, "density", tmp_path / "theirs.tif"))
    assert content(ours)["bands"] == expected["bands"]


NORTH = "0,100000,8450000,8550000 [EPSG:3857]"
"""Where an area on the ground is a quarter of what it is on the map."""


@pytest.mark.parametrize("cells", [0, 1], ids=["regular", "adaptive"])
def test_where_a_map_stretches_areas_densities_are_of_the_ground(histogram, view, tmp_path, cells):
    from geodp_qgis.rasters import read_release

    source, target = tmp_path / "north.tif", tmp_path / "density.tif"
    sizes = {} if cells else {"SIZES": "1x1"}
    histogram(EXTENT=NORTH, CRS="EPSG:3857", CELLS=cells, OUTPUT_RASTER=str(source), **sizes)
    release = read_release(source)
    assert release.cells.areas().sum() == pytest.approx(2430, rel=0.01)
    if not cells:
        view(source, "density", target)
        ((density,),) = content(target)["bands"][0]
        assert density == pytest.approx(release.counts[0] / 2430, rel=0.01)


def test_the_style_parts_at_zero_and_the_clamped_one_begins_there(town, view, tmp_path):
    from qgis.core import QgsRasterLayer

    source, labels = town(), {}
    titles = {
        "density": "Records per km², protected",
        "clamped": "Clamped records per cell, protected",
    }
    for name in VIEWS:
        path = tmp_path / f"{name}.tif"
        view(source, name, path)
        layer = QgsRasterLayer(str(path), name)
        assert layer.renderer().type() == "singlebandpseudocolor"
        items = layer.renderer().shader().rasterShaderFunction().colorRampItemList()
        labels[name] = [item.label for item in items]
        values = [item.value for item in items]
        assert values == sorted(values)
        assert (values[0] < 0) == (name == "density")
        layer.loadDefaultMetadata()
        assert layer.metadata().title().startswith(titles[name])
        assert "the promise still holds" in layer.metadata().abstract()
    assert any(text.startswith("−") and "records per km²" in text for text in labels["density"])
    assert labels["clamped"][0].startswith("0 to ")


def loaded(project, source, name):
    import processing
    from qgis.core import QgsProcessingContext

    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": str(source), "VIEW": VIEWS.index(name), "OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
    processing.runAndLoadResults("geodp:view", given, context=context)
    return project.layerTreeRoot()


def test_a_view_comes_with_name_colours_and_the_classes_that_occur(town, project):
    root = loaded(project, town(), "clamped")
    (node,) = root.findLayers()
    assert node.name() == f"Private counts clamped, ε = 1, 12 × 12 cells, {date.today()}"
    shown = node.layer().legend().createLayerTreeModelLegendNodes(node)
    kept = [int(text) for text in node.customProperty("legend/node-order").split(",")]
    labels = [shown[place].data(0) for place in kept]
    assert labels[0].startswith("0 to ")
    assert not any(text.startswith("−") for text in labels)


def test_views_of_several_maps_come_as_a_group_that_plays(town, project):
    root = loaded(project, town(**YEARS), "density")
    (group,) = root.children()
    assert group.name().startswith("Private density, ε = 1, 12 × 12 cells")
    assert [node.name() for node in group.findLayers()] == ["2024", "2025"]
    assert all(node.layer().temporalProperties().isActive() for node in group.findLayers())
    assert [node.layer().renderer().band() for node in group.findLayers()] == [1, 2]


def test_a_view_is_no_release_and_a_full_disk_leaves_none(town, view, run, tmp_path):
    import resource

    from qgis.core import QgsProcessingException

    source, path = town(), tmp_path / "view.tif"
    view(source, "density", path)
    for name in ("about", "style"):
        extra = {"OUTPUT_HTML": "TEMPORARY_OUTPUT"} if name == "about" else {}
        with pytest.raises(QgsProcessingException, match="holds a view"):
            run(name, INPUT=str(path), **extra)
    files = sorted(tmp_path.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (900, before[1]))
    try:
        with pytest.raises(QgsProcessingException, match="cannot be written"):
            view(source, "density", tmp_path / "other.tif")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sorted(tmp_path.iterdir()) == files


DEGREES = """
import sys
import geodp

globe = geodp.Domain((-125, 25, -65, 50), "EPSG:4326", allow_geographic=True)
release = geodp.release(([], []), globe, epsilon=1, cells=geodp.Regular(sizes=[2]))
release.to_geotiff(sys.argv[1])
"""


def test_what_has_no_density_is_refused_before_anything_is_written(view, library, tmp_path):
    from qgis.core import QgsProcessingException

    source, target = tmp_path / "globe.tif", tmp_path / "density.tif"
    library(DEGREES, source)
    with pytest.raises(QgsProcessingException, match="areas need a projected CRS"):
        view(source, "density", target)
    assert not target.exists()
    view(source, "clamped", target)
    with pytest.raises(QgsProcessingException, match="must be a GeoTIFF"):
        view(source, "clamped", tmp_path / "view.png")
