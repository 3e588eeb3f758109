"""Layers and rasters that say where records can be: any CRS, and plain sentences for bad ones."""

from __future__ import annotations

import geopandas
import numpy as np
import pytest
import rasterio
import shapely
from rasterio.transform import from_bounds

import geodp
from geodp.core.regions import coverage
from geodp.core.regions.coverage import pixel_grid
from geodp.core.space.frame import Frame

BOUNDS = (0.0, 0.0, 40_000.0, 40_000.0)
MOON = "+proj=longlat +a=1737400 +b=1737400 +no_defs"
LOW = shapely.box(-10_000, -10_000, 50_000, 20_000)
"""The southern half of the domain and more around it."""


@pytest.fixture(autouse=True)
def _fewer_pixels(monkeypatch):
    """Take 256 × 256 pixels, so that tests are quick."""
    monkeypatch.setattr(coverage, "HALVINGS", 6)


def domain(within, bounds=BOUNDS, crs="EPSG:5070"):
    return geodp.Domain(bounds, crs, within=within)


def layer(*shapes, crs="EPSG:5070"):
    return geopandas.GeoDataFrame(geometry=list(shapes), crs=crs)


def raster(path, values, bounds=BOUNDS, crs="EPSG:5070", **options):
    values = np.asarray(values)
    bands = values if values.ndim == 3 else values[None]
    rows, columns = bands.shape[1:]
    transform = from_bounds(*bounds, columns, rows)
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        height=rows,
        width=columns,
        count=len(bands),
        dtype=bands.dtype,
        crs=crs,
        transform=transform,
        **options,
    ) as image:
        image.write(bands)  # fmt: skip
    return path


def test_polygons_of_a_frame_a_series_and_a_file_are_the_same(tmp_path):
    low = layer(LOW)
    low.to_file(tmp_path / "low.gpkg")
    domains = [domain(given) for given in (low, low.geometry, tmp_path / "low.gpkg")]
    assert domains[0] == domains[1] == domains[2] == domain(str(tmp_path / "low.gpkg"))
    weights = domains[0].within.weights
    assert weights.shape == (256, 256)
    assert (weights[128:] == 255).all()
    assert not weights[:128].any()


def test_polygons_come_in_any_crs():
    here = domain(layer(LOW)).within
    corners = shapely.segmentize(LOW, 200)
    reprojected = layer(corners).to_crs("EPSG:4326")
    moved = domain(reprojected).within
    assert (here.weights > 0).mean() == pytest.approx((moved.weights > 0).mean(), abs=0.01)
    assert ((here.weights > 0) != (moved.weights > 0)).mean() < 0.01


def test_land_around_the_world_is_cut_to_the_domain():
    """Most of the world has no place in a projected CRS."""
    world = layer(shapely.box(-180, -90, 180, 90), crs="EPSG:4326")
    assert domain(world).within.share == 1
    north = layer(shapely.box(-180, 23.1, 180, 90), crs=4326)
    assert 0.7 < domain(north).within.share < 0.75


def test_parts_and_holes():
    lake = shapely.box(0, 0, 40_000, 40_000) - shapely.box(10_000, 10_000, 30_000, 30_000)
    two = shapely.MultiPolygon([shapely.box(0, 0, 10_000, 10_000), shapely.box(2e4, 2e4, 3e4, 3e4)])
    assert domain(layer(lake)).within.share == pytest.approx(0.75)
    assert domain(layer(two)).within.share == pytest.approx(2 / 16)
    assert domain(layer(lake, two)).within.share == pytest.approx(0.75 + 1 / 16)


def test_a_raster_of_the_domains_own_pixels(tmp_path):
    values = np.zeros((4, 4), dtype=np.float32)
    values[3, 0], values[2, 1] = 4, 1
    support = domain(raster(tmp_path / "people.tif", values)).within
    fine = np.kron(values, np.ones((64, 64)))
    np.testing.assert_array_equal(support.weights, fine / 4 * (1 << 24))


def test_a_raster_in_another_crs_covers_the_same_place(tmp_path):
    xmin, ymin, xmax, ymax = layer(shapely.box(*BOUNDS)).to_crs(4326).total_bounds
    values = np.zeros((300, 300), dtype=np.uint16)
    values[:, :150] = 7
    wide = (xmin - 0.1, ymin - 0.1, xmax + 0.1, ymax + 0.1)
    path = raster(tmp_path / "west.tif", values, wide, "EPSG:4326")
    reprojected = domain(path).within
    middle = (xmin + xmax) / 2
    west = layer(shapely.segmentize(shapely.box(-179, -60, middle, 80), 0.01), crs=4326)
    here = domain(west).within
    assert ((here.weights > 0) != (reprojected.weights > 0)).mean() < 0.01


def test_fine_rasters_are_averaged_and_no_data_counts_as_zero(tmp_path):
    rows = columns = 1500
    values = np.full((rows, columns), -9999, dtype=np.int16)
    values[:, : columns // 2] = 10
    values[: rows // 2] = -9999
    support = domain(raster(tmp_path / "fine.tif", values, nodata=-9999)).within
    share = support.weights / support.weights.max()
    assert share.mean() == pytest.approx(0.25, abs=0.005)
    assert (share[130:, :126] == 1).all()
    assert not share[:126].any()


@pytest.mark.parametrize("size", [1640, 1643, 1646])
def test_a_raster_alike_all_over_weighs_alike_up_to_the_edges(tmp_path, monkeypatch, size):
    """Blocks that are averaged must not reach beyond what was read and still be in the domain."""
    monkeypatch.setattr(coverage, "HALVINGS", 4)
    values = np.full((size, size), 10, dtype=np.uint8)
    wide = (-10_000.0, -10_000.0, 50_000.0, 50_000.0)
    support = domain(raster(tmp_path / "wide.tif", values, wide)).within
    assert (support.weights == support.weights.max()).all()


def test_at_the_edge_of_a_raster_pixels_have_the_part_that_it_covers(tmp_path):
    size = 40_000 / 256
    bounds = (10.25 * size, 0.0, 20 * size, 40_000.0)
    support = domain(raster(tmp_path / "part.tif", [[1.0, 1.0]], bounds)).within
    assert (support.weights[:, 10] == 0.75 * support.weights.max()).all()
    assert np.flatnonzero(support.weights.any(axis=0)).tolist() == list(range(10, 20))


def test_points_keep_to_where_records_can_be():
    x, y = np.random.default_rng(0).random((2, 5000)) * 40_000
    released = geodp.release((x, y), domain(layer(LOW)), epsilon=100, seed=1)
    answers = released.query([(0, 0, 40_000, 20_000), (0, 20_000, 40_000, 40_000)])
    assert answers.estimate[0] == pytest.approx((y < 20_000).sum(), abs=60)
    assert answers.estimate[1] == pytest.approx(0, abs=60)


BOW_TIE = shapely.Polygon([(0, 0), (9, 9), (9, 0), (0, 9)])


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (layer(shapely.box(1e6, 1e6, 2e6, 2e6)), geodp.InputError, "leave a place for records"),
        (layer(), geodp.InputError, "at least one polygon; the layer is empty"),
        (layer(LOW, BOW_TIE), geodp.InputError, r"feature 1 is not a valid polygon.*make_valid"),
        (layer(LOW, shapely.Point(1, 1)), geodp.InputError, "feature 1 is not a polygon"),
        (layer(LOW, shapely.Polygon()), geodp.InputError, "feature 1 is empty"),
        (layer(LOW, crs=None), geodp.CrsError, "`within` needs a CRS"),
        (7, geodp.InputError, "or the path of a layer or of a raster; got int"),
        ("nowhere.gpkg", geodp.FileError, "there is no nowhere.gpkg"),
        ("nowhere.tif", geodp.FileError, "there is no nowhere.tif"),
    ],
)
def test_bad_layers_are_refused_in_a_sentence(given, error, words):
    with pytest.raises(error, match=words):
        domain(given)


@pytest.mark.parametrize(
    ("values", "options", "error", "words"),
    [
        ([[1.0, -1.0]], {}, geodp.InputError, "one is negative"),
        ([[1.0, np.nan]], {}, geodp.InputError, "one is no finite number"),
        ([[1.0, 1.0]], {"crs": None}, geodp.CrsError, "needs a CRS"),
        ([[0.0, 0.0]], {}, geodp.InputError, "leave a place for records"),
        ([[1.0, 1.0]], {"bounds": (9e6, 9e6, 9.1e6, 9.1e6)}, geodp.InputError, "leave a place"),
        ([[[1.0]], [[1.0]]], {}, geodp.InputError, "one band of weights; it has 2"),
        ([[1.0]], {"crs": MOON}, geodp.InputError, "cannot be brought into the domain's CRS"),
    ],
)
def test_bad_rasters_are_refused_in_a_sentence(tmp_path, values, options, error, words):
    path = raster(tmp_path / "weights.tif", values, **options)
    with pytest.raises(error, match=words):
        domain(path)


def test_what_is_no_raster_is_refused(tmp_path):
    (tmp_path / "text.tif").write_text("not a raster")
    with pytest.raises(geodp.FileError, match=r"a raster that GDAL reads; .*text\.tif is not"):
        domain(tmp_path / "text.tif")


def test_odd_numbers_outside_the_domain_do_not_matter(tmp_path):
    values = np.ones((100, 100))
    values[:20] = np.nan
    path = raster(tmp_path / "wide.tif", values, (-1e6, -1e6, 1e6, 1e6))
    assert domain(path).within.share == 1


def test_pixels_are_a_lattice_of_the_tree():
    for bounds in (BOUNDS, (0, 0, 47, 30), (0, 0, 1, 100), (5e5, 4e6, 5e5 + 1e-6, 4e6 + 1e-6)):
        town = geodp.Domain(bounds, "EPSG:5070")
        rows, columns = pixel_grid(town).shape
        assert rows * columns <= 1 << 22
        frame = Frame(town)
        assert (rows, columns) == frame.shape(min(7, frame.depth))
