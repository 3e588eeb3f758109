"""Change between two maps: as on the command line, styled, and refused where it means nothing."""

import json

import numpy as np
import pytest
from conftest import CRS, DISTRICTS, EXTENT, PLACES, TOWN, TOWN_CRS

YEARS = {"BY": "time", "BREAKS": "2024-01-01, 2025-01-01, 2026-01-01"}

COMMAND = """
import json, sys
import numpy, rasterio
from geodp.cli import main

words, paths = json.loads(sys.argv[1]), sys.argv[2:]
sys.argv = ["geodp", "change", *words, "-o", paths[0], "-q", "--force"]
try:
    main()
except SystemExit as done:
    assert not done.code
with rasterio.open(paths[0]) as image:
    bands = numpy.nan_to_num(image.read()).tolist()
    print(json.dumps({"bands": bands, "tags": image.tags(), "names": image.descriptions}))
"""


@pytest.fixture
def years(histogram, incidents, tmp_path):
    """The incidents of two years, two maps of one release."""

    def go(name="years.tif", **changes):
        path = tmp_path / name
        given = {"INPUT": incidents, "EXTENT": TOWN, "CRS": TOWN_CRS, "SIZES": "12", **YEARS}
        histogram(**{**given, **changes, "OUTPUT_RASTER": str(path)})
        return str(path)

    return go


def bands(path):
    import numpy as np
    from osgeo import gdal

    image = gdal.Open(path)
    tags = {name: text for name, text in image.GetMetadata().items() if name.startswith("GEODP")}
    return np.nan_to_num(image.ReadAsArray()).tolist(), tags


@pytest.mark.parametrize("cells", [0, 1], ids=["regular", "adaptive"])
def test_two_maps_of_one_release_as_on_the_command_line(years, run, library, tmp_path, cells):
    path = years(CELLS=cells, SIZES=None if cells else "12")
    done = run("change", EARLIER=path, FROM="2024", LATER=path, TO="2025",
               OUTPUT_RASTER="TEMPORARY_OUTPUT")  # fmt: skip
    words = [path, "--from", "2024", "--to", "2025"]
    expected = json.loads(library(COMMAND, json.dumps(words), tmp_path / "theirs.tif"))
    values, tags = bands(done.results["OUTPUT_RASTER"])
    assert values == expected["bands"]
    assert tags == {n: text for n, text in expected["tags"].items() if n.startswith("GEODP")}
    assert "Differentially private with epsilon = 1" in done.text


def test_two_releases_on_unlike_cells(years, run, library, tmp_path):
    one, other = years("a.tif", SIZES="12"), years("b.tif", SIZES="9", BY=None, BREAKS=None)
    done = run("change", EARLIER=one, LATER=other, OUTPUT_RASTER="TEMPORARY_OUTPUT")
    expected = json.loads(library(COMMAND, json.dumps([one, other]), tmp_path / "theirs.tif"))
    (change, error), _ = bands(done.results["OUTPUT_RASTER"])
    assert change == expected["bands"][0]
    # Powers of two versions of NumPy may differ in their last bit.
    for ours, theirs in zip(error, expected["bands"][1], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-13)
    assert "they promise epsilon = 2 together" in done.text


def test_cells_have_the_change_and_its_error_and_open_with_their_style(years, run, tmp_path):
    from qgis.core import QgsRasterLayer, QgsVectorLayer

    path, raster, cells = years(), tmp_path / "change.tif", tmp_path / "change.gpkg"
    run("change", EARLIER=path, FROM="2024", LATER=path, TO="2025", OUTPUT_RASTER=str(raster),
        OUTPUT_VECTOR=str(cells))  # fmt: skip
    layer = QgsVectorLayer(f"{cells}|layername=change", "change", "ogr")
    assert {"difference", "std_error", "z_score"} <= set(layer.fields().names())
    (pixels, errors), _ = bands(str(raster))
    for cell in layer.getFeatures():
        row, column = cell["row_index"], cell["col_index"]
        assert cell["difference"] == pixels[row][column]
        assert np.float32(cell["std_error"]) == errors[row][column]  # pixels have 32 bits
    ranges = layer.renderer().ranges()
    assert layer.renderer().classAttribute() == "difference"
    # As many classes below zero as above, with the same limits.
    assert [-part.upperValue() for part in ranges] == [part.lowerValue() for part in ranges[::-1]]
    image = QgsRasterLayer(str(raster), "change")  # kept, since its renderer goes with it
    items = image.renderer().shader().rasterShaderFunction().colorRampItemList()
    named = [item.color.name() for item in items]
    assert named == [part.symbol().color().name() for part in ranges]


def test_layers_come_with_name_colours_and_promise(years, project):
    import processing
    from qgis.core import QgsProcessingContext

    path = years()
    context = QgsProcessingContext()
    context.setProject(project)
    outputs = dict.fromkeys(("OUTPUT_RASTER", "OUTPUT_VECTOR"), "TEMPORARY_OUTPUT")
    given = {"EARLIER": path, "FROM": "2024", "LATER": path, "TO": "2025", **outputs}
    processing.runAndLoadResults("geodp:change", given, context=context)
    layers = list(project.mapLayers().values())
    assert {layer.name() for layer in layers} == {
        "2025 minus 2024, with noise, ε = 1 for both, 12 × 12 cells"
    }
    kinds = {layer.renderer().type() for layer in layers}
    assert kinds == {"singlebandpseudocolor", "graduatedSymbol"}
    for layer in layers:
        assert "Differentially private with epsilon = 1" in layer.metadata().abstract()


def test_what_cannot_be_compared_is_refused(years, histogram, run, tmp_path):
    from qgis.core import QgsProcessingException

    path = years()
    other = str(tmp_path / "other.tif")
    histogram(SIZES="4", OUTPUT_RASTER=other)
    cases = (
        ({"LATER": path}, "these share records and noise"),
        ({"LATER": path, "FROM": "2024", "TO": "2024"}, "these share records and noise"),
        ({"LATER": path, "FROM": "2024", "TO": "2030"}, "there is no group '2030'"),
        ({"LATER": other, "TO": "2025"}, "'2025' names one of several maps"),
        ({"LATER": other}, "a difference is between releases of one domain"),
    )
    for given, words in cases:
        with pytest.raises(QgsProcessingException) as raised:
            run("change", EARLIER=path, OUTPUT_RASTER="TEMPORARY_OUTPUT", **given)
        assert words in str(raised.value)


def test_a_change_is_no_release(years, run, tmp_path):
    from qgis.core import QgsProcessingException

    path, target = years(), str(tmp_path / "change.tif")
    run("change", EARLIER=path, FROM="2024", LATER=path, TO="2025", OUTPUT_RASTER=target)
    with pytest.raises(QgsProcessingException, match="holds a view"):
        run("about", INPUT=target, OUTPUT_HTML="TEMPORARY_OUTPUT")


@pytest.mark.parametrize("kind", ["districts", "hexagons"])
def test_polygons_are_compared_as_cells(run, library, tmp_path, kind):
    """Neither has a raster; the dialog's default output becomes a layer of them."""
    from qgis.core import QgsProcessingException, QgsVectorLayer

    where = {"DISTRICTS": DISTRICTS}
    if kind == "hexagons":
        where = {"EXTENT": EXTENT, "CRS": CRS, "SIDE": "300km"}
    paths = [str(tmp_path / f"{number}.gpkg") for number in (1, 2)]
    for seed, path in enumerate(paths):
        run(f"private{kind}", INPUT=PLACES, EPSILON=1, SEED=seed, OUTPUT=path, **where)
    given = {"EARLIER": paths[0], "LATER": paths[1]}
    cells = run("change", **given, OUTPUT_RASTER="TEMPORARY_OUTPUT").results["OUTPUT_VECTOR"]
    target = str(tmp_path / "change.gpkg")
    assert run("change", **given, OUTPUT_VECTOR=target).results.get("OUTPUT_RASTER") is None
    earlier, later, change = (
        {feature.id(): feature for feature in QgsVectorLayer(path, "l", "ogr").getFeatures()}
        for path in (*paths, target)
    )
    assert len(change) == len(later) == cells.featureCount()
    for number, cell in change.items():
        assert cell["difference"] == later[number]["count"] - earlier[number]["count"]
        assert cell["std_error"] == pytest.approx(1.357 * 2**0.5, rel=0.01)
        assert cell.geometry().equals(later[number].geometry())
    assert QgsVectorLayer(target, "l", "ogr").renderer().classAttribute() == "z_score"
    with pytest.raises(QgsProcessingException, match="vector layer"):
        run("change", **given, OUTPUT_RASTER=str(tmp_path / "change.tif"))
    with pytest.raises(QgsProcessingException, match="where the change shall be written"):
        run("change", **given)
