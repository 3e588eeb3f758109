"""Files are reopened with independent readers: rasterio, gdalinfo, rio-cogeo, pyogrio."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import geopandas
import numpy as np
import pandas
import pyarrow.parquet
import pyogrio
import pyproj
import pytest
import rasterio
import shapely
from programs import left_out
from rio_cogeo import cog_validate
from strategies import count_table

import geodp
from geodp.core.kernel.measurements import Measurements
from geodp.core.publish.metadata import release_tags
from geodp.core.publish.qgis_style import style_qml, view_styles
from geodp.core.publish.views import VIEWS, view_columns, view_legend, view_title
from geodp.core.releases.describe import map_title
from geodp.outputs.vector import VECTORS, to_answers, to_grids

TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:5070")
WKT = (
    'PROJCS["Town grid",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
    'PARAMETER["latitude_of_origin",10],PARAMETER["central_meridian",3.5],'
    'PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],'
    'UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'
)
FIELDS = ["id", "left", "top", "right", "bottom", "row_index", "col_index", "count", "drawn"]
REOPENABLE = ["counts.tif", "counts.gpkg", "counts.parquet", "counts.fgb"]


def points(number=500, seed=1):
    generator = np.random.default_rng(seed)
    return generator.normal(4000, 1500, number), generator.normal(5000, 1000, number)


def make(domain=TOWN, seed=3, **options):
    given = {"epsilon": 1, "cells": geodp.Regular(sizes=[(6, 8)]), "seed": seed, **options}
    return geodp.release(points(), domain, **given)


def write(release, path):
    kind = release.to_geotiff if path.suffix == ".tif" else release.to_vector
    kind(path)
    return path


@pytest.fixture
def release():
    return make()


# --- rasters ------------------------------------------------------------------------------------


def test_the_raster_is_the_release(release, tmp_path):
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        assert image.read(1).dtype == np.float32, "what is drawn is no whole number"
        np.testing.assert_array_equal(image.read(1), count_table(release))
        assert image.read(2).ravel() == pytest.approx(release.drawn)
        assert image.crs.to_epsg() == 5070
        assert image.bounds == (1000, 2000, 9000, 8000)
        assert image.transform.e < 0, "row 0 is in the north"
        label = "drawn: a best guess for the eye, no data to add up"
        assert image.descriptions == ("noisy count of records per cell", label)
        assert image.units == ("records", "records/km²")
        assert image.nodata is None, "no count may be taken for a missing one"
        assert image.tags(1) == {}, "no statistics"
        tags = {key: value for key, value in image.tags().items() if key.startswith("GEODP_")}
    assert tags == release_tags(release)


def test_sums_over_blocks_agree(release, tmp_path):
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        for window in (((0, 2), (0, 3)), ((1, 6), (4, 8)), ((0, 6), (0, 8))):
            (top, bottom), (left, right) = window
            block = count_table(release)[top:bottom, left:right].sum()
            assert image.read(1, window=window).sum() == block
            west, north = image.transform @ (left, top)
            east, south = image.transform @ (right, bottom)
            assert release.query([(west, south, east, north)]).estimate[0] == pytest.approx(block)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(6, 8), (520, 600)])
def test_rasters_are_cloud_optimized_and_have_no_overviews(shape, tmp_path):
    release = make(cells=geodp.Regular(geodp.Grid(TOWN, shape)))
    release.to_geotiff(tmp_path / "counts.tif")
    valid, errors, _ = cog_validate(str(tmp_path / "counts.tif"), quiet=True)
    assert valid
    assert errors == []
    with rasterio.open(tmp_path / "counts.tif") as image:
        assert image.overviews(1) == [], "an overview would show sums that are not there"
        np.testing.assert_array_equal(image.read(1), count_table(release))


@pytest.mark.slow
def test_rio_cogeo_accepts_the_raster(release, tmp_path):
    rio = shutil.which("rio", path=os.path.dirname(sys.executable)) or shutil.which("rio")
    release.to_geotiff(tmp_path / "counts.tif")
    command = [rio, "cogeo", "validate", str(tmp_path / "counts.tif")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "is a valid cloud optimized GeoTIFF" in done.stdout


def test_gdalinfo_reads_the_raster(release, tmp_path):
    if shutil.which("gdalinfo") is None:
        left_out("rasters in gdalinfo", "gdal-bin")
    release.to_geotiff(tmp_path / "counts.tif")
    command = ["gdalinfo", "-json", "-checksum", str(tmp_path / "counts.tif")]
    # The libraries of wheels must not meet those of the system.
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    about = json.loads(done.stdout)
    assert about["size"] == [8, 6]
    assert about["geoTransform"] == [1000, 1000, 0, 8000, 0, -1000]
    assert about["bands"][0]["type"] == "Float32"
    assert about["bands"][0]["description"] == "noisy count of records per cell"
    assert about["bands"][0]["unit"] == "records"
    assert "minimum" not in about["bands"][0]
    assert about["metadata"][""]["GEODP_EPSILON"] == "1"
    assert about["metadata"][""]["GEODP_PROMISE"] == release.promise
    assert about["metadata"]["IMAGE_STRUCTURE"]["LAYOUT"] == "COG"


@pytest.mark.parametrize(
    ("largest", "kinds"),
    [(1 << 24, ["float32"] * 2), ((1 << 24) + 1, ["float64"] * 2), ((1 << 53) + 1, ["int64"])],
)
def test_counts_are_exact_however_large(largest, kinds, tmp_path):
    release = make()
    big = np.where(release.counts == release.counts.max(), largest, release.counts)
    wide = replace(release, measurements=Measurements.from_counts(big, release.scale))
    wide.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        assert list(image.dtypes) == kinds
    np.testing.assert_array_equal(geodp.open_release(tmp_path / "counts.tif").counts, big)


def test_density_is_per_square_kilometre_of_each_cell(tmp_path):
    feet = geodp.Domain((0, 0, 25_000, 20_000), crs="EPSG:2263")
    release = make(feet, cells=geodp.Regular(geodp.Grid(feet, cell_size=10_000.0)))
    release.to_geotiff(tmp_path / "density.tif", view="density")
    with rasterio.open(tmp_path / "density.tif") as image:
        density = image.read(1)
        assert image.units == ("records/km²",)
        assert "derived" in image.tags()["GEODP_DERIVED"]
        assert "GEODP_FACTS" not in image.tags()
    # On the ground: on the map, far from New York, cells are 1.5 parts in 10,000 larger.
    lonlat = release.cells.grid.to_geodataframe().to_crs("EPSG:4269").geometry
    geod = pyproj.Geod(ellps="GRS80")
    areas = [geod.geometry_area_perimeter(shape)[0] / 1e6 for shape in lonlat]
    np.testing.assert_allclose(density.ravel(), release.counts / np.abs(areas), rtol=1e-6)
    flat = (10_000 * 0.3048006096 / 1000) ** 2
    np.testing.assert_allclose(areas[0], flat, rtol=2e-4)
    np.testing.assert_allclose(areas[2], flat / 2, rtol=2e-4)  # the last column is cut in half


def test_the_clamped_view_has_no_negatives(release, tmp_path):
    assert release.counts.min() < 0, "the test needs a negative count"
    release.to_geotiff(tmp_path / "clamped.tif", view="clamped")
    with rasterio.open(tmp_path / "clamped.tif") as image:
        np.testing.assert_array_equal(image.read(1), np.maximum(count_table(release), 0))


@pytest.mark.parametrize("view", ["density", "clamped"])
def test_a_view_is_not_a_release(release, view, tmp_path):
    release.to_geotiff(tmp_path / "view.tif", view=view)
    with pytest.raises(geodp.FileError, match="view"):
        geodp.open_release(tmp_path / "view.tif")


@pytest.mark.parametrize("view", ["density", "clamped"])
@pytest.mark.parametrize("options", [{}, {"cells": "adaptive"}])
def test_views_come_with_a_style_and_say_what_was_done(options, view, tmp_path):
    release = make(**options)
    release.to_geotiff(tmp_path / "view.tif", view=view)
    legend = view_legend(release, view)
    style = (tmp_path / "view.qml").read_text(encoding="utf-8")
    assert style == style_qml(legend)
    lows = [class_.low for class_ in legend.classes]
    assert lows[0] == {"density": -np.inf, "clamped": 0 if options else -0.5}[view]
    assert [class_.low for class_ in legend.classes[1:]] == [
        class_.high for class_ in legend.classes[:-1]
    ]
    # Each pixel has the class of its cell.
    limits = [float(item.get("value")) for item in ElementTree.fromstring(style).iter("item")]
    with rasterio.open(tmp_path / "view.tif") as image:
        band, tags = image.read(1), image.tags()
    cells = view_columns(release, view)[legend.field]
    pixels = release.cells.pixels(range(band.shape[0]))
    assert (
        np.searchsorted(limits, band) == np.searchsorted(limits, cells * legend.pixel)[pixels]
    ).all()
    done = VIEWS[view].done
    assert ("too high" in done) == (view == "clamped")
    assert tags["GEODP_DONE"] == done
    about = ElementTree.parse(tmp_path / "view.qmd")
    assert about.findtext("abstract") == f"{done} {release.promise} {release.counted}"
    assert about.findtext("title") == view_title(release, view)


def test_degrees_have_no_density(tmp_path):
    globe = geodp.Domain((0, 0, 10, 10), crs="EPSG:4326", allow_geographic=True)
    release = make(globe, cells=geodp.Regular(geodp.Grid(globe, (2, 2))))
    with pytest.raises(geodp.CrsError, match="degrees"):
        release.to_geotiff(tmp_path / "density.tif", view="density")
    assert list(tmp_path.iterdir()) == []


# --- vector grids -------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", VECTORS)
def test_vector_grids_hold_every_cell(release, suffix, tmp_path):
    path = tmp_path / f"counts{suffix}"
    release.to_vector(path)
    if "parquet" in suffix:
        cells = geopandas.read_parquet(path)
    else:
        cells = pyogrio.read_dataframe(path, layer="counts")
    assert list(cells.columns) == [*FIELDS, "geometry"]
    assert cells["count"].dtype.kind == "i"
    cells = cells.sort_values(["row_index", "col_index"])
    np.testing.assert_array_equal(cells["count"], release.counts)
    assert cells.crs.to_epsg() == (4326 if suffix == ".geojson" else 5070)
    back = cells.to_crs("EPSG:5070").bounds.to_numpy()
    stated = cells[["left", "bottom", "right", "top"]].to_numpy()
    np.testing.assert_allclose(back, stated, atol=1 if suffix == ".geojson" else 1e-9)
    block = cells[(cells.row_index < 3) & (cells.col_index >= 5)]
    assert block["count"].sum() == count_table(release)[:3, 5:].sum()


def tags_in(path):
    if path.suffix == ".parquet":
        stored = pyarrow.parquet.read_schema(path).metadata
        return {key.decode(): value.decode() for key, value in stored.items()}
    if path.suffix == ".geojson":
        return json.loads(path.read_text())["geodp"]
    if path.suffix == ".shp":
        lines = ElementTree.parse(path.with_suffix(".qmd")).findtext("abstract").splitlines()
        return dict(line.split(": ", 1) for line in lines)
    return pyogrio.read_info(path, layer="counts")["layer_metadata"]


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".geojson", ".fgb", ".shp"])
def test_vector_grids_say_what_they_promise(release, suffix, tmp_path):
    path = write(release, tmp_path / f"counts{suffix}")
    tags = {key: value for key, value in tags_in(path).items() if key.startswith("GEODP_")}
    assert tags == release_tags(release)


def style_in(path):
    if path.suffix != ".gpkg":
        return path.with_suffix(".qml").read_text(encoding="utf-8")
    database = sqlite3.connect(path)
    rows = database.execute(
        "SELECT f_table_name, f_geometry_column, useAsDefault, styleQML FROM layer_styles"
    ).fetchall()
    database.close()
    assert [row[:3] for row in rows] == [("counts", "geom", 1), ("counts", "geom", 0)]
    assert 'attr="count"' in rows[1][3]  # counts as they are, the second style
    return rows[0][3]


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".geojson", ".fgb", ".shp"])
def test_vector_grids_come_with_a_style(release, suffix, tmp_path):
    path = write(release, tmp_path / f"counts{suffix}")
    style = style_in(path)
    assert style == next(iter(view_styles(release).values()))
    tree = ElementTree.fromstring(style)
    assert tree.find("renderer-v2").get("attr") == "drawn"
    ranges = [(float(r.get("lower")), float(r.get("upper"))) for r in tree.iter("range")]
    assert [high for _, high in ranges[:-1]] == [low for low, _ in ranges[1:]]
    assert [low for low, _ in ranges[1:]] == [class_.low for class_ in release.legend.classes[1:]]
    assert len(list(tree.iter("symbol"))) == len(ranges)
    assert sum(low < 0 < high for low, high in ranges) == 1, "the first begins below zero"


@pytest.mark.parametrize("options", [{}, {"cells": "adaptive"}])
def test_rasters_come_with_the_same_style_and_a_description(options, tmp_path):
    release = make(**options)
    path = write(release, tmp_path / "counts.tif")
    style = path.with_suffix(".qml").read_text(encoding="utf-8")
    expected = next(iter(view_styles(release).values()))
    assert style == expected, "that of the cells, whose name it may share"
    tree = ElementTree.fromstring(style)
    limits = [float(item.get("value")) for item in tree.iter("item")]
    assert limits[:-1] == pytest.approx([class_.high for class_ in release.legend.classes[:-1]])
    assert limits[-1] == float("inf")
    renderer = tree.find("pipe/rasterrenderer")
    ends = (float(renderer.get("classificationMin")), float(renderer.get("classificationMax")))
    assert ends == (limits[0], limits[-2]), "otherwise QGIS makes other classes"
    about = ElementTree.parse(path.with_suffix(".qmd"))
    assert release.promise in about.findtext("abstract")
    assert about.findtext("constraints") == release.promise
    assert about.find("extent/spatial").get("crs") == release.domain.crs.name
    steps = [line.text for line in about.iter("history")]
    assert len(steps) == 2 + len(release.spends)


def test_pixels_of_a_class_have_the_colour_of_their_cells(tmp_path):
    """Each pixel of a cell falls into the class of the whole cell."""
    release = make(cells="adaptive")
    limits = [class_.high for class_ in release.legend.classes[:-1]]
    cells = np.searchsorted(limits, release.drawn)
    with rasterio.open(write(release, tmp_path / "counts.tif")) as image:
        band = image.read(4)
        assert image.descriptions[3].startswith("drawn")
    pixels = release.cells.pixels(range(band.shape[0]))
    assert (np.searchsorted(limits, band) == cells[pixels]).all()


def test_a_geopackage_says_its_promise_where_qgis_looks(release, tmp_path):
    path = write(release, tmp_path / "counts.gpkg")
    with closing(sqlite3.connect(path)) as database:
        contents = database.execute("SELECT identifier, description FROM gpkg_contents").fetchall()
    assert contents[0] == (map_title(release), f"{release.promise} {release.counted}")


def test_a_style_of_the_user_is_kept(release, tmp_path):
    (tmp_path / "counts.qml").write_text("<qgis>mine</qgis>")
    with pytest.raises(geodp.FileError, match=r"counts\.qml exists"):
        release.to_vector(tmp_path / "counts.fgb")
    assert (tmp_path / "counts.qml").read_text() == "<qgis>mine</qgis>"
    release.to_vector(tmp_path / "counts.fgb", overwrite=True)
    release.to_vector(tmp_path / "counts.geojson")  # our own style is no obstacle
    assert (tmp_path / "counts.qml").read_text() == next(iter(view_styles(release).values()))


def test_files_of_others_are_kept(release, tmp_path):
    (tmp_path / "counts.dbf").write_text("my table")
    with pytest.raises(geodp.FileError, match=r"counts\.dbf exists"):
        release.to_vector(tmp_path / "counts.shp")
    assert [path.name for path in tmp_path.iterdir()] == ["counts.dbf"]
    (tmp_path / "counts.qml").write_text("a style for my raster")
    with pytest.raises(geodp.FileError, match=r"counts\.qml exists"):
        release.to_geotiff(tmp_path / "counts.tif")
    with pytest.raises(geodp.FileError, match=r"counts\.qml exists"):
        release.to_geotiff(tmp_path / "counts.tif", view="clamped")
    assert (tmp_path / "counts.qml").read_text() == "a style for my raster"


def test_what_belongs_to_the_old_file_goes_with_it(release, tmp_path):
    release.to_geotiff(tmp_path / "counts.tif")
    (tmp_path / "counts.tif.aux.xml").write_text("statistics of the old counts")
    release.to_geotiff(tmp_path / "counts.tif", overwrite=True)
    release.to_vector(tmp_path / "counts.shp")
    (tmp_path / "counts.qix").write_text("index of the old cells")
    release.to_vector(tmp_path / "counts.shp", overwrite=True)
    assert not {"counts.tif.aux.xml", "counts.qix"} & {path.name for path in tmp_path.iterdir()}


def test_cells_cut_by_the_edge_are_cut_in_vectors_and_whole_in_rasters(tmp_path):
    release = make(cells=geodp.Regular(geodp.Grid(TOWN, cell_size=3500.0)))
    release.to_vector(tmp_path / "counts.gpkg")
    cells = pyogrio.read_dataframe(tmp_path / "counts.gpkg", layer="counts")
    assert tuple(cells.total_bounds) == TOWN.bounds
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        assert image.res == (3500, 3500)
        assert (image.bounds.left, image.bounds.top) == (1000, 8000)


# --- reading back -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REOPENABLE)
@pytest.mark.parametrize("domain", [TOWN, geodp.Domain(TOWN.bounds, crs=WKT)], ids=["code", "wkt"])
@pytest.mark.parametrize("cut", [{"shape": (6, 8)}, {"cell_size": 3500.0}], ids=["shape", "size"])
def test_a_written_release_is_a_release_again(name, domain, cut, tmp_path):
    release = make(domain, cells=geodp.Regular(geodp.Grid(domain, **cut)))
    again = geodp.open_release(write(release, tmp_path / name))
    assert again.cells.grid == release.cells.grid
    assert again.counts.dtype == np.int64
    np.testing.assert_array_equal(again.counts, release.counts)
    assert (again.scale, again.spends, again.method) == (
        release.scale,
        release.spends,
        release.method,
    )
    assert again.promise == release.promise
    boxes = [(1500, 2500, 4321, 7777), (0, 0, 99_999, 99_999)]
    for before, after in zip(release.query(boxes), again.query(boxes)):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("options", [{"dtype": "int32"}, {"dtype": "int64", "compress": "lzw"}])
def test_a_plain_geotiff_with_the_tags_opens_too(release, options, tmp_path):
    with rasterio.open(
        tmp_path / "plain.tif",
        "w",
        driver="GTiff",
        height=6,
        width=8,
        count=1,
        crs="EPSG:5070",
        transform=rasterio.Affine(*release.cells.grid.transform),
        **options,
    ) as image:
        image.write(count_table(release).astype(options["dtype"]), 1)
        image.update_tags(**release_tags(release))
    np.testing.assert_array_equal(geodp.open_release(tmp_path / "plain.tif").counts, release.counts)


@pytest.mark.parametrize("name", REOPENABLE)
@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.9])
def test_a_file_that_was_cut_short_is_refused(release, name, keep, tmp_path):
    path = write(release, tmp_path / name)
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content)) if keep < 1 else keep])
    with pytest.raises(geodp.FileError, match=rf"^{name} cannot be opened"):
        geodp.open_release(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda image: image.write(image.read(1) + 1, 1),
        lambda image: image.update_tags(
            GEODP_FACTS=image.tags()["GEODP_FACTS"].replace('"scale":"1"', '"scale":"9"')
        ),
        lambda image: image.update_tags(GEODP_FORMAT="99"),
        lambda image: setattr(image, "transform", rasterio.Affine(1000, 0, 0, 0, -1000, 8000)),
        lambda image: setattr(image, "transform", rasterio.Affine(1001, 0, 1000, 0, -1000, 8000)),
        lambda image: setattr(image, "transform", rasterio.Affine(1000, 1, 1000, 0, -1000, 8000)),
        lambda image: setattr(image, "crs", "EPSG:3035"),
    ],
    ids=["counts", "facts", "format", "shifted", "scaled", "sheared", "crs"],
)
def test_an_edited_raster_is_refused(release, change, tmp_path):
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif", "r+", IGNORE_COG_LAYOUT_BREAK="YES") as image:
        change(image)
    with pytest.raises(geodp.FileError, match="cannot be opened"):
        geodp.open_release(tmp_path / "counts.tif")


def test_a_cropped_raster_and_one_of_three_bands_are_refused(release, tmp_path):
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        counts, tags = image.read(1), image.tags()
        about = {
            "driver": "GTiff",
            "dtype": "float32",
            "crs": image.crs,
            "transform": image.transform,
        }
    for name, bands, words in (
        ("cropped.tif", counts[None, :3, :4], "checksum"),
        ("more.tif", np.stack([counts] * 3), "others were added"),
        ("half.tif", np.stack([counts + 0.5] * 2), "checksum"),
        ("nothing.tif", np.stack([counts * np.nan] * 2), "checksum"),
    ):
        number, height, width = bands.shape
        with rasterio.open(
            tmp_path / name, "w", count=number, height=height, width=width, **about
        ) as image:
            image.write(bands)
            image.update_tags(**tags)
        with pytest.raises(geodp.FileError, match=words):
            geodp.open_release(tmp_path / name)


@pytest.mark.parametrize("crs", ["EPSG:3035", "EPSG:2263", "ESRI:54002", "ESRI:102035"])
def test_every_crs_opens_again(crs, tmp_path):
    """Also with axes in the order north, east, and with codes that a GeoTIFF does not keep."""
    domain = geodp.Domain(TOWN.bounds, crs=crs)
    release = make(domain)
    again = geodp.open_release(write(release, tmp_path / "counts.tif"))
    assert again.cells.grid == release.cells.grid


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE counts SET count = count + 1 WHERE id = 5",
        "UPDATE counts SET count = NULL WHERE id = 5",
        "UPDATE counts SET row_index = NULL WHERE id = 5",
        "UPDATE counts SET row_index = 1 - row_index WHERE row_index < 2",
        "UPDATE counts SET left = left + 10",
        "DELETE FROM counts WHERE id = 5",
        "ALTER TABLE counts DROP COLUMN count",
    ],
)
def test_an_edited_geopackage_is_refused(release, statement, tmp_path):
    release.to_vector(tmp_path / "counts.gpkg")
    database = sqlite3.connect(tmp_path / "counts.gpkg")
    triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        database.execute(f'DROP TRIGGER "{name}"')
    database.execute(statement)
    database.commit()
    database.close()
    with pytest.raises(geodp.FileError, match=r"^counts.gpkg cannot be opened"):
        geodp.open_release(tmp_path / "counts.gpkg")


def test_moved_cells_are_refused(release, tmp_path):
    release.to_vector(tmp_path / "counts.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "counts.parquet")
    shapes = shapely.from_wkb(table.column("geometry").to_numpy())
    moved = shapely.to_wkb(shapely.transform(shapes, lambda xy: xy + 50))
    column = table.column_names.index("geometry")
    table = table.set_column(column, table.schema.field(column), pyarrow.array(moved))
    pyarrow.parquet.write_table(table, tmp_path / "counts.parquet")
    with pytest.raises(geodp.FileError, match="do not lie where its tags say"):
        geodp.open_release(tmp_path / "counts.parquet")


def test_other_files_are_no_releases(release, tmp_path):
    to_grids(release.method.candidates, tmp_path / "grids.gpkg")
    layer = release.cells.grid.to_geodataframe()
    layer.to_parquet(tmp_path / "cells.parquet")
    (tmp_path / "text.tif").write_text("not a picture")
    for name in ("grids.gpkg", "cells.parquet", "text.tif"):
        with pytest.raises(geodp.FileError, match=f"^{name} cannot be opened: this is not a"):
            geodp.open_release(tmp_path / name)
    with pytest.raises(geodp.FileError, match="there is no"):
        geodp.open_release(tmp_path / "missing.tif")
    with pytest.raises(geodp.FileError, match="one of"):
        geodp.open_release(tmp_path / "counts.shp")


# --- answers and grids --------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".csv", ".shp"])
def test_answers_are_written_with_their_errors(release, suffix, tmp_path):
    half = geopandas.GeoDataFrame(
        {"name": ["west"]}, geometry=[shapely.box(1000, 2000, 5000, 8000)], crs="EPSG:5070"
    )
    answers = release.query(half)
    path = tmp_path / f"answers{suffix}"
    to_answers(release, answers, path)
    read = geopandas.read_parquet if suffix == ".parquet" else pyogrio.read_dataframe
    back = read(path)
    assert back["name"].tolist() == ["west"]
    assert float(back["estimate"][0]) == pytest.approx(count_table(release)[:, :4].sum())
    assert float(back["ci_low"][0]) < float(back["estimate"][0]) < float(back["ci_high"][0])


@pytest.mark.parametrize("suffix", [".gpkg", ".fgb", ".geojson", ".shp", ".parquet"])
@pytest.mark.filterwarnings("ignore:Normalized/laundered field name")
@pytest.mark.filterwarnings("ignore:Column names longer than 10 characters")
def test_answers_keep_odd_fields(release, suffix, tmp_path):
    shapes = [shapely.box(1000, 2000, 5000, 8000), shapely.box(5000, 2000, 9000, 8000)]
    fields = {
        "fid": [7, 8],
        "a_field_with_a_long_name": [1.5, np.nan],
        "maybe": pandas.array([3, None], dtype="Int64"),
        "yes": [True, False],
    }
    regions = geopandas.GeoDataFrame(fields, geometry=shapes, crs="EPSG:5070")
    path = tmp_path / f"answers{suffix}"
    to_answers(release, release.query(regions), path)
    read = geopandas.read_parquet if suffix == ".parquet" else pyogrio.read_dataframe
    assert read(path)["estimate"].sum() == pytest.approx(release.counts.sum())


def test_candidate_grids_become_layers(tmp_path):
    grids = geodp.candidate_grids(TOWN, sizes=[2, (3, 4)])
    to_grids(grids, tmp_path / "grids.gpkg")
    assert pyogrio.list_layers(tmp_path / "grids.gpkg")[:, 0].tolist() == ["grid_2x2", "grid_3x4"]
    assert pyogrio.read_info(tmp_path / "grids.gpkg", layer="grid_3x4")["features"] == 12


def test_names_tell_the_format(release, tmp_path):
    for name in ("counts", "counts.xyz", "counts.csv", "counts.tif.zip"):
        with pytest.raises(geodp.FileError, match="tells its format"):
            release.to_vector(tmp_path / name)
    with pytest.raises(geodp.FileError, match="format"):
        release.to_geotiff(Path(tmp_path / "counts.gpkg"))
    with pytest.raises(geodp.InputError, match="view must be one of"):
        release.to_geotiff(tmp_path / "counts.tif", view="logarithm")
    assert list(tmp_path.iterdir()) == []


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", ["adaptive", geodp.Regular(sizes=[(3, 4)])])
def test_geoparquet_has_the_bounds_of_each_cell(tmp_path, cells):
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    release = geodp.release(([10.0] * 500, [20.0] * 500), town, epsilon=1, cells=cells)
    path = tmp_path / "counts.parquet"
    release.to_vector(path)
    table = pyarrow.parquet.read_table(path)
    about = json.loads(table.schema.metadata[b"geo"])["columns"]["geometry"]["covering"]["bbox"]
    assert about == {side: ["bbox", side] for side in ("xmin", "ymin", "xmax", "ymax")}
    bounds = [table.column("bbox").combine_chunks().field(side) for side in about]
    frame = release.to_geodataframe()
    assert np.array_equal(np.array(bounds).T, frame.bounds.to_numpy())
    assert list(geopandas.read_parquet(path).columns) == list(frame.columns)
    some = geopandas.read_parquet(path, bbox=(0, 0, 1, 1))
    assert 0 < len(some) < len(frame)
    assert geodp.open_release(path).counts.tolist() == release.counts.tolist()


def test_a_field_that_is_called_like_the_bounds_is_kept(tmp_path):
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    region = geopandas.GeoDataFrame(
        {"bbox": ["north"]}, geometry=[shapely.box(0, 0, 2000, 2000)], crs=5070
    )
    to_answers(release, release.query(region), tmp_path / "answers.parquet")
    assert geopandas.read_parquet(tmp_path / "answers.parquet")["bbox"].tolist() == ["north"]


def test_an_arrow_table_says_what_it_holds(tmp_path):
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    release = geodp.release(([], []), town, epsilon=1)
    table = release.to_arrow()
    back = geopandas.GeoDataFrame.from_arrow(table)
    frame = release.to_geodataframe()
    assert list(back.columns) == list(frame.columns)
    assert back.crs == frame.crs
    assert np.array_equal(back["count"], frame["count"])
    assert back.geometry.geom_equals(frame.geometry).all()
    release.to_vector(tmp_path / "c.parquet")
    stored = pyarrow.parquet.read_schema(tmp_path / "c.parquet").metadata
    assert {key: stored[key] for key in table.schema.metadata if key in stored} == {
        key: value for key, value in table.schema.metadata.items() if key in stored
    }
    assert any(release.promise.encode() in value for value in table.schema.metadata.values())
