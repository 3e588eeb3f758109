"""Adaptive releases in every format: the same cells, the same answers, the same promise."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import geopandas
import numpy as np
import pytest
import rasterio
import shapely
from samples import DOMAIN, sample_points

import geodp
from geodp.core.pictures.report import expected_errors
from geodp.core.publish.columns import band_names
from geodp.core.publish.qgis_style import style_qml
from geodp.core.releases.cell_words import cells_in_words
from geodp.core.space.frame import Frame
from geodp.outputs.report import report_html
from geodp.outputs.vector import to_grids

REOPENED = [".tif", ".gpkg", ".parquet", ".fgb"]
TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
HALVES = [(0, 0, 37_000, 80_000), (37_000, 0, 100_000, 80_000), (10, 10, 11, 11)]


@pytest.fixture(scope="module")
def release():
    return geodp.release(sample_points(), DOMAIN, epsilon=1, cells="adaptive", seed=5)


@pytest.fixture(scope="module")
def tif(release, tmp_path_factory):
    path = tmp_path_factory.mktemp("adaptive") / "counts.tif"
    release.to_geotiff(path)
    return path


def districts() -> geopandas.GeoDataFrame:
    angle = np.linspace(0, 2 * np.pi, 7)[:-1]
    centres = [(20_000, 20_000), (70_000, 60_000), (99_000, 79_000)]
    shapes = [
        shapely.Polygon(np.stack([x + 9e3 * np.cos(angle), y + 9e3 * np.sin(angle)], axis=1))
        for x, y in centres
    ]
    return geopandas.GeoDataFrame({"name": list("abc")}, geometry=shapes, crs=DOMAIN.crs.name)


def write(release, path):
    (release.to_geotiff if path.suffix == ".tif" else release.to_vector)(path)
    return path


@pytest.mark.parametrize("suffix", REOPENED)
def test_a_written_release_answers_as_before(release, tmp_path, suffix):
    again = geodp.open_release(write(release, tmp_path / f"counts{suffix}"))
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    assert (again.promise, again.spends, again.method) == (
        release.promise,
        release.spends,
        release.method,
    )
    for one, other in zip(again.query(HALVES), release.query(HALVES)):
        np.testing.assert_array_equal(one, other)
    layer = districts()
    assert again.query(layer).equals(release.query(layer))


@pytest.mark.parametrize("suffix", [".shp", ".geojson"])
def test_what_cannot_be_opened_again_says_so(release, tmp_path, suffix):
    path = write(release, tmp_path / f"counts{suffix}")
    assert geopandas.read_file(path)["count"].sum() == pytest.approx(release.counts.sum())
    with pytest.raises(geodp.GeodpError, match=r"\.tif.*\.gpkg"):
        geodp.open_release(path)


def test_cells_say_how_far_to_trust_them(release, tmp_path):
    release.to_vector(tmp_path / "counts.gpkg")
    cells = geopandas.read_file(tmp_path / "counts.gpkg", layer="counts")
    assert len(cells) == len(release.cells) > 100
    np.testing.assert_array_equal(cells["std_error"], np.sqrt(release.variance))
    np.testing.assert_allclose(cells["density"], cells["count"] / (cells.area / 1e6))
    assert cells["depth"].nunique() > 3
    assert cells.union_all().equals(shapely.box(*DOMAIN.bounds))
    assert cells.area.sum() == pytest.approx(DOMAIN.area)


def test_sums_of_pixels_are_sums_of_cells(release, tif):
    with rasterio.open(tif) as image:
        bands, transform = image.read(), image.transform
        assert image.dtypes == ("float32",) * 6
        assert "count" in image.descriptions[0]
    rows, columns = bands.shape[1:]
    rng = np.random.default_rng(1)
    for _ in range(30):
        top, bottom = sorted(rng.choice(rows + 1, 2, replace=False))
        left, right = sorted(rng.choice(columns + 1, 2, replace=False))
        (xmin, ymax), (xmax, ymin) = transform * (left, top), transform * (right, bottom)
        shown = bands[0, top:bottom, left:right].sum(dtype=np.float64)
        estimate = release.query([(xmin, ymin, xmax, ymax)]).estimate[0]
        assert shown == pytest.approx(estimate, abs=1e-3)  # shares of cells are multiples of 2**-24
    rounding = np.abs(release.counts).sum() * 2.0**-24
    total = bands[0].sum(dtype=np.float64)
    assert total == pytest.approx(release.counts.sum(), rel=0, abs=rounding)


def test_bands_show_error_and_depth_of_the_cell(release, tif):
    cells = release.to_geodataframe()
    with rasterio.open(tif) as image:
        for cell in cells.sample(40, random_state=1).itertuples():
            point = ((cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2)
            _, error, depth, drawn, _, _ = next(image.sample([point]))
            assert (error, depth) == (np.float32(cell.std_error), cell.depth)
            assert drawn == np.float32(cell.drawn)


def test_a_pixel_tells_the_count_of_its_cell_and_the_interval(release, tif):
    """Programs that are asked about one place show what an answer about the cell has."""
    cells = release.to_geodataframe().sample(40, random_state=2)
    answers = release.query(cells.geometry)
    with rasterio.open(tif) as image:
        assert image.descriptions[4:] == (
            "noisy count of records in the whole cell",
            "95 % interval of the count in the whole cell: plus or minus this",
        )
        for cell, answer in zip(cells.itertuples(), answers.itertuples()):
            point = ((cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2)
            *_, count, half = next(image.sample([point]))
            assert count == np.float32(cell.count) == pytest.approx(answer.estimate, rel=1e-6)
            # As of one Laplace variable; a cell's noise is of several, with tails no heavier.
            assert 1 <= 2 * half / (answer.ci_high - answer.ci_low) < 1.1


def test_a_raster_without_what_is_said_of_cells_opens_too(release, tif, tmp_path):
    """Files of earlier versions, and of programs that keep the first bands."""
    with rasterio.open(tif) as image:
        bands, profile, tags = image.read(), image.profile, image.tags()
    for count, opens in ((3, True), (4, True), (5, False)):
        profile.update(driver="GTiff", count=count)
        with rasterio.open(tmp_path / f"{count}.tif", "w", **profile) as image:
            image.write(bands[:count])
            image.update_tags(**tags)
        if opens:
            assert geodp.open_release(tmp_path / f"{count}.tif").cells == release.cells
        else:
            with pytest.raises(geodp.FileError, match="bands of this release are missing"):
                geodp.open_release(tmp_path / f"{count}.tif")


def test_an_edited_estimate_is_refused(tif, tmp_path):
    with rasterio.open(tif) as image:
        bands, profile, tags = image.read(), image.profile, image.tags()
    bands[0, 3, 3] += 1
    profile.update(driver="GTiff")
    with rasterio.open(tmp_path / "edited.tif", "w", **profile) as image:
        image.write(bands)
        image.update_tags(**tags)
    with pytest.raises(geodp.FileError, match="changed"):
        geodp.open_release(tmp_path / "edited.tif")


@pytest.mark.slow
def test_missing_cells_and_moved_ones_are_refused(release, tmp_path):
    path = tmp_path / "counts.gpkg"
    release.to_vector(path)
    geodp.open_release(path)
    with closing(sqlite3.connect(path)) as database, database:
        for (name,) in database.execute(TRIGGERS).fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE counts SET depth = depth + 1 WHERE id = 3")
    with pytest.raises(geodp.FileError, match="do not lie where"):
        geodp.open_release(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM counts WHERE id = 3")
    with pytest.raises(geodp.FileError, match="cells are missing"):
        geodp.open_release(path)


def test_views_are_marked_as_such(release, tmp_path):
    release.to_geotiff(tmp_path / "clamped.tif", view="clamped")
    release.to_geotiff(tmp_path / "density.tif", view="density")
    with rasterio.open(tmp_path / "clamped.tif") as image:
        assert image.read(1).min() == 0
        assert image.read(1).sum() == pytest.approx(np.maximum(release.counts, 0).sum())
    with rasterio.open(tmp_path / "density.tif") as image:
        pixel = abs(image.transform.a * image.transform.e) / 1e6
        assert image.count == 1
        assert image.read(1).sum() * pixel == pytest.approx(release.counts.sum())
    with pytest.raises(geodp.FileError, match="holds a view"):
        geodp.open_release(tmp_path / "density.tif")


@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_labelled_arrays_are_what_a_raster_shows(cells, tmp_path):
    import xarray

    release = geodp.release(sample_points(), DOMAIN, epsilon=1, cells=cells, seed=5)
    labelled = release.to_xarray()
    assert isinstance(labelled, xarray.Dataset)
    assert tuple(labelled.data_vars) == band_names(release.cells)
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        for number, name in enumerate(band_names(release.cells), start=1):
            np.testing.assert_array_equal(labelled[name], image.read(number))
        x, y = image.xy(2, 3)
        assert (float(labelled.x[3]), float(labelled.y[2])) == pytest.approx((x, y))
        assert rasterio.crs.CRS.from_wkt(labelled.spatial_ref.attrs["crs_wkt"]) == image.crs
    about = labelled.spatial_ref.attrs["grid_mapping_name"], labelled["count"].grid_mapping
    assert about == ("albers_conical_equal_area", "spatial_ref")
    assert labelled.x.standard_name == "projection_x_coordinate"
    assert (labelled.y.standard_name, labelled.y.units) == ("projection_y_coordinate", "metre")
    edge = float(labelled.x[len(labelled.x) // 2 - 1 :][:2].mean())  # between the middle columns
    half = labelled["count"].where(labelled.x < edge).sum()
    assert float(half) == pytest.approx(release.query([(0, 0, edge, 80_000)]).estimate[0])
    assert labelled.attrs["promise"] == release.promise


def test_the_style_is_of_what_is_drawn(release, tmp_path):
    release.to_vector(tmp_path / "counts.fgb")
    style = (tmp_path / "counts.qml").read_text(encoding="utf-8")
    assert style == style_qml(release.legend, pixels=replace(release.legend, band=4))
    assert 'attr="drawn"' in style
    limits = [class_.high for class_ in release.legend.classes[:-1]]
    assert limits == sorted(limits)
    assert 0 < len(limits) <= 6
    assert limits[0] > 0, "nothing below zero is drawn"


@pytest.mark.slow
def test_the_report_is_about_cells_of_unequal_size(release):
    page = report_html(release)
    assert cells_in_words(release.cells) in page
    assert f"The lightest cells ({release.legend.calm})" in page
    rows = expected_errors(release)
    assert rows[-1][0] == "the whole map"
    assert len(rows) == len(np.unique(release.cells.tree.cell_depth)) + 1
    facts = json.loads(json.dumps({fact.key: fact.value for fact in release.describe().facts}))
    assert facts["cells"] == len(release.cells)
    assert sum(spend["epsilon"] for spend in facts["spends"]) == pytest.approx(1)


@pytest.mark.slow
def test_the_coarsest_and_the_finest_lattice_can_be_looked_at(tmp_path):
    frame = Frame(DOMAIN)
    to_grids(frame.lattices, tmp_path / "grids.gpkg")
    names = geopandas.list_layers(tmp_path / "grids.gpkg")
    assert names["geometry_type"].tolist() == ["Polygon", "LineString"]
    fine = geopandas.read_file(tmp_path / "grids.gpkg", layer=names["name"][1])
    assert len(fine) == sum(frame.shape(frame.depth)) + 2
    np.testing.assert_allclose(fine.total_bounds, DOMAIN.bounds)
