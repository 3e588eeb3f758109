"""Files, maps and answers of releases that know where records can be."""

from __future__ import annotations

import json

import geopandas
import numpy as np
import pyogrio
import pytest
import rasterio
import shapely
from click.testing import CliRunner

import geodp
from geodp.cli import main
from geodp.core.regions import coverage
from geodp.core.space.cells import no_data
from geodp.outputs.plot import picture

BOUNDS = (0.0, 0.0, 40_000.0, 30_000.0)
ISLAND = shapely.Point(15_000, 12_000).buffer(11_000)
ASKED = geopandas.GeoDataFrame(
    geometry=[
        shapely.box(3_000, 3_000, 21_500, 9_100),
        shapely.Point(15_000, 12_000).buffer(7_000),
        shapely.box(30_000, 0, 40_000, 30_000),
    ],
    crs="EPSG:5070",
)


@pytest.fixture(scope="module", params=["regular", "adaptive"])
def release(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "HALVINGS", 6)
        land = geopandas.GeoSeries([ISLAND], crs="EPSG:5070")
        domain = geodp.Domain(BOUNDS, "EPSG:5070", within=land)
    x, y = np.random.default_rng(0).normal([[15_000], [12_000]], 4_000, (2, 3_000))
    if request.param == "adaptive":
        return geodp.release((x, y), domain, epsilon=1, cells="adaptive")
    return geodp.release((x, y), cells=geodp.Regular(geodp.Grid(domain, (13, 17))), epsilon=1)


@pytest.mark.parametrize("suffix", [".tif", ".gpkg", ".parquet", ".fgb"])
def test_a_written_release_answers_exactly_as_before(release, tmp_path, suffix):
    path = tmp_path / f"counts{suffix}"
    (release.to_geotiff if suffix == ".tif" else release.to_vector)(path)
    again = geodp.open_release(path)
    assert again.domain == release.domain
    assert again.measurements == release.measurements
    for regions in (ASKED, [(1_000, 2_000, 13_000, 17_000), BOUNDS]):
        before, after = release.query(regions), again.query(regions)
        for column in geodp.Answers._fields:
            np.testing.assert_array_equal(getattr(after, column), getattr(before, column))
    assert again.describe().as_dict() == release.describe().as_dict()


def rounding(release):
    """Compute by how much a sum of pixels may differ: each is rounded to 32 bits."""
    return np.abs(release.counts).sum() * 2.0**-24


def band_sum(band):
    return float(band.sum(dtype=np.float64))


def test_rasters_have_no_data_where_no_records_can_be(release, tmp_path):
    for view in ("counts", "density", "clamped"):
        path = tmp_path / f"{view}.tif"
        release.to_geotiff(path, view=view)
        with rasterio.open(path) as image:
            band = image.read(1, masked=True)
            assert image.nodata == pytest.approx(no_data(image.dtypes[0]), nan_ok=True)
        expected = release.cells.raster.supported
        np.testing.assert_array_equal(~np.ma.getmaskarray(band), expected)
        if view == "counts":
            assert band_sum(band) == pytest.approx(release.counts.sum(), abs=rounding(release))


def test_a_raster_that_shows_counts_at_sea_is_refused(release, tmp_path):
    path = tmp_path / "counts.tif"
    release.to_geotiff(path)
    with rasterio.open(path) as image:
        profile, tags, bands = image.profile, image.tags(), image.read()
    bands[0, 0, 0] = 5
    with rasterio.open(tmp_path / "changed.tif", "w", **profile) as image:
        image.update_tags(**tags)
        image.write(bands)
    with pytest.raises(geodp.FileError, match="changed"):
        geodp.open_release(tmp_path / "changed.tif")


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb", ".geojson", ".shp"])
def test_vectors_have_no_feature_where_no_records_can_be(release, tmp_path, suffix):
    path = tmp_path / f"counts{suffix}"
    release.to_vector(path)
    name = {"layer": "counts"} if suffix == ".gpkg" else {}
    read = geopandas.read_parquet if suffix == ".parquet" else geopandas.read_file
    cells = read(path, **name).to_crs(5070)
    assert len(cells) == len(release.cells) == len(release.to_geodataframe())
    assert cells.intersects(ISLAND.buffer(500)).all()
    assert cells["count"].sum() == pytest.approx(release.counts.sum(), rel=1e-6)


def test_a_geopackage_shows_where_records_can_be(release, tmp_path):
    path = tmp_path / "counts.gpkg"
    release.to_vector(path)
    assert [name for name, kind in pyogrio.list_layers(path) if kind] == ["counts", "within"]
    within = geopandas.read_file(path, layer="within")
    assert within.checksum[0] == release.domain.within.digest
    assert within.area[0] == pytest.approx(ISLAND.area, rel=0.1)
    assert within.is_valid.all()


def test_metadata_has_a_digest(release, tmp_path):
    path = tmp_path / "counts.tif"
    release.to_geotiff(path)
    with rasterio.open(path) as image:
        tags = image.tags()
    assert release.domain.within.digest in tags["GEODP_WITHIN"]
    description = release.describe()
    assert description["within"].value == release.domain.within.digest
    assert "% of the extent, by a public layer" in description["within_share"].text
    assert "where records can be" in release.counted


def test_a_map_leaves_the_sea_empty(release):
    from io import BytesIO

    from matplotlib import pyplot

    shown = pyplot.imread(BytesIO(picture(release)))
    sea = np.array([0xE9, 0xED, 0xF0]) / 255
    empty = (np.abs(shown[..., :3] - sea) < 0.01).all(axis=-1).mean()
    assert 0.3 < empty < 0.9


def test_answers_at_sea_are_nothing_and_certain(release):
    sea = release.query(ASKED).iloc[2]
    assert sea.estimate == sea.noise_error == sea.std_error == 0
    assert sea.covered == 1


@pytest.mark.slow
def test_layers_know_it(tmp_path):
    """Every layer of a release that counts kinds apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "HALVINGS", 6)
        land = geopandas.GeoSeries([ISLAND], crs="EPSG:5070")
        domain = geodp.Domain(BOUNDS, "EPSG:5070", within=land)
    x, y = np.random.default_rng(0).normal([[15_000], [12_000]], 4_000, (2, 600))
    points = {"x": x, "y": y, "kind": ["a", "b", "b"] * 200}
    for cells in ("adaptive", "regular"):
        release = geodp.release(
            points, domain, epsilon=1, cells=cells, by=geodp.Categories("kind", ["a", "b"])
        )
        for suffix in (".tif", ".gpkg"):
            path = tmp_path / f"{cells}{suffix}"
            (release.to_geotiff if suffix == ".tif" else release.to_vector)(path)
            again = geodp.open_release(path)
            for layer in release:
                assert again[layer].measurements == release[layer].measurements
                before, after = release[layer].query(ASKED), again[layer].query(ASKED)
                np.testing.assert_array_equal(after.estimate, before.estimate)
        assert release.total.query(ASKED).estimate[2] == 0
        assert len(release.plot()) == 2


def test_labelled_arrays(release):
    pytest.importorskip("xarray")
    labelled = release.to_xarray()["count"]
    np.testing.assert_array_equal(~np.isnan(labelled.values), release.cells.raster.supported)
    total = np.nansum(labelled.values, dtype=np.float64)
    assert total == pytest.approx(release.counts.sum(), abs=rounding(release))


def test_the_command_line_takes_a_layer(tmp_path, monkeypatch):
    monkeypatch.setattr(coverage, "HALVINGS", 6)
    geopandas.GeoSeries([ISLAND], crs="EPSG:5070").to_file(tmp_path / "land.gpkg")
    places = geopandas.GeoSeries.from_xy([15_000, 39_000], [12_000, 29_000], crs="EPSG:5070")
    places.to_file(tmp_path / "places.gpkg")
    frame = ["--bounds", *map(str, BOUNDS), "--crs", "EPSG:5070"]
    frame += ["--within", str(tmp_path / "land.gpkg")]
    listed = CliRunner().invoke(main, ["grids", *frame, "--sizes", "6x8"])
    cells = shapely.box(*np.mgrid[0:40:5, 0:30:5] * 1e3, *np.mgrid[5:45:5, 5:35:5] * 1e3)
    some = int(shapely.intersects(cells, ISLAND).sum())
    assert listed.output == f"6 × 8 cells of 5 × 5 km, {some} of them where records can be\n"
    path = tmp_path / "counts.tif"
    command = ["release", str(tmp_path / "places.gpkg"), *frame, "--epsilon", "1", "--one-each"]
    done = CliRunner().invoke(main, [*command, "-o", str(path), "-q"])
    assert done.exit_code == 0, done.output
    facts = json.loads(CliRunner().invoke(main, ["info", str(path), "--json"]).output)
    assert len(facts["within"]) == 64
    missing = CliRunner().invoke(main, ["grids", *frame[:-1], str(tmp_path / "none.gpkg")])
    assert missing.exit_code == 2
    assert "--within must be in a file that exists" in missing.output
    far = [*frame[:1], "1e6", "1e6", "2e6", "2e6", *frame[5:]]
    refused = CliRunner().invoke(main, ["grids", *far])
    assert refused.exit_code == 2
    assert "--within must leave a place for records inside the bounds" in refused.output
