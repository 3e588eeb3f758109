"""Polygons of a layer: overlaps against two other libraries, refusals, and answers as a layer."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import exactextract
import geopandas as gpd
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import shapely
from exactextract.raster import NumPyRasterSource
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp import Domain, Grid, InputError, Workload
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.regions.polygons import Polygons
from geodp.core.space.axis import WHOLE
from geodp.sources.layers import read_boundary, read_layer

SAMPLE = Path(__file__).parents[2] / "sample_data"
US = Domain((-2400000, 200000, 2300000, 3200000), crs="EPSG:5070")
FRAME = Domain((0, 0, 100, 80), crs="EPSG:5070")


@pytest.fixture(scope="module")
def districts() -> gpd.GeoDataFrame:
    return gpd.read_file(SAMPLE / "us_districts.gpkg")


def written_out(workload: Workload, grid: Grid) -> np.ndarray:
    """Return overlap of every region with every cell, rows from the north."""
    overlap = workload.overlap(grid)
    share = np.zeros((len(workload), *grid.shape))
    share[overlap.region, overlap.row, overlap.column] = overlap.share / WHOLE
    for t, row, start, stop in zip(
        overlap.run_region, overlap.run_row, overlap.run_start, overlap.run_stop
    ):
        share[t, row, start:stop] = 1
    return share[:, ::-1]


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(7, 9), (60, 90)])
def test_overlaps_agree_with_exactextract(districts, shape):
    grid = Grid(US, shape)
    ours = written_out(Workload.from_geodataframe(districts, US), grid)
    xmin, ymin, xmax, ymax = US.bounds
    raster = NumPyRasterSource(
        np.zeros(shape), xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax, srs_wkt=districts.crs.to_wkt()
    )
    extracted = exactextract.exact_extract(raster, districts, ["cell_id", "coverage"])
    shares = np.zeros((len(districts), shape[0] * shape[1]))
    for region, feature in enumerate(extracted):
        shares[region, feature["properties"]["cell_id"]] = feature["properties"]["coverage"]
    assert ours.reshape(shares.shape) == pytest.approx(shares, abs=2e-6)


def blobs(seed: int, count: int) -> list[shapely.Geometry]:
    """Return discs with bites and holes, some reaching out of the frame."""
    rng = np.random.default_rng(seed)
    shapes = []
    while len(shapes) < count:
        disc = shapely.Point(*rng.uniform(0, 100, 2)).buffer(rng.uniform(1, 60), quad_segs=5)
        bite = shapely.Point(*rng.uniform(0, 100, 2)).buffer(rng.uniform(1, 30), quad_segs=5)
        shape = disc.symmetric_difference(bite) if rng.random() < 0.5 else disc.difference(bite)
        if shape.intersection(shapely.box(*FRAME.bounds)).area > 0:
            shapes.append(shape)
    return shapes


@examples(60, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12))
def test_overlaps_and_counts_agree_with_shapely(seed, rows, columns):
    shapes = blobs(seed, 3)
    workload = Workload.from_geodataframe(gpd.GeoSeries(shapes, crs="EPSG:5070"), FRAME)
    grid = Grid(FRAME, (rows, columns))
    cells = np.asarray(grid.to_geodataframe().geometry)
    exact = [shapely.area(shapely.intersection(cells, s)) / shapely.area(cells) for s in shapes]
    assert written_out(workload, grid).reshape(3, -1) == pytest.approx(np.array(exact), abs=1e-7)
    x, y = np.random.default_rng(seed).uniform((0, 0), (100, 80), (2000, 2)).T
    tally = Tally(Plan((grid,), workload))
    tally.add(x, y)
    assert tally.inside().tolist() == [int(shapely.contains_xy(s, x, y).sum()) for s in shapes]


def test_wiggly_polygons_are_tested_in_parts(monkeypatch):
    shapes = blobs(5, 4)
    workload = Workload.from_geodataframe(gpd.GeoSeries(shapes, crs="EPSG:5070"), FRAME)
    x, y = np.random.default_rng(1).uniform((0, 0), (100, 80), (5000, 2)).T
    monkeypatch.setattr(geodp.core.regions.locator, "MAX_TESTS", 50)
    tally = Tally(Plan((Grid(FRAME, (3, 3)),), workload))
    tally.add(x, y)
    assert tally.inside().tolist() == [int(shapely.contains_xy(s, x, y).sum()) for s in shapes]


def test_regions_in_another_crs_are_reprojected(districts):
    grid = Grid(US, (20, 30))
    here = written_out(Workload.from_geodataframe(districts, US), grid)
    reprojected = written_out(Workload.from_geodataframe(districts.to_crs("EPSG:4326"), US), grid)
    assert here == pytest.approx(reprojected, abs=1e-4)


BOW_TIE = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])


@pytest.mark.parametrize(
    ("shape", "rule"),
    [
        (BOW_TIE, "region 1 is not a valid polygon"),
        (shapely.Polygon(), "region 1 is empty"),
        (None, "region 1 is empty"),
        (shapely.Point(1, 1), "region 1 is not a polygon"),
        (shapely.box(200, 200, 300, 300), "region 1 lies outside"),
        (shapely.box(100, 0, 120, 80), "region 1 lies outside"),
    ],
)
def test_bad_polygons_are_refused(shape, rule):
    layer = gpd.GeoSeries([shapely.box(1, 1, 5, 5), shape], crs="EPSG:5070")
    with pytest.raises(InputError, match=rule):
        Workload.from_geodataframe(layer, FRAME)


corner = st.tuples(st.integers(0, 5), st.integers(0, 5))
part = st.tuples(
    st.lists(corner, min_size=3, max_size=6, unique=True),
    st.lists(st.lists(corner, min_size=3, max_size=4, unique=True), max_size=1),
)


@examples(600, suppress_health_check=list(HealthCheck))
@given(st.lists(part, min_size=1, max_size=2), st.sampled_from([(1.0, 0.0), (0.25, 3e6)]))
def test_rings_are_judged_as_shapely_does_or_bound_the_same_area(parts, placed):
    """Regions that GEOS calls valid are taken; what is taken besides has the right area.

    Rings that touch themselves have the same area by the even-odd rule as by its sign.
    """
    scale, shift = placed
    shapes, rings = [], []
    for shell, holes in parts:
        here = [np.array(ring) * scale + shift for ring in (shell, *holes)]
        shapes.append(shapely.Polygon(here[0], here[1:]))
        rings += [(0, number > 0, ring) for number, ring in enumerate(here)]
    polygons = Polygons.from_rings(rings, 1)
    try:
        polygons.check()
    except InputError:
        assert not shapely.is_valid(shapely.MultiPolygon(shapes))
        return
    x0, y0, x1, y1 = (polygons.edges - shift).T
    even_odd = shapely.Polygon()
    for _, _, ring in rings:
        repaired = shapely.make_valid(shapely.Polygon(ring - shift))
        even_odd = even_odd.symmetric_difference(repaired)
    assert (x0 * y1 - x1 * y0).sum() / 2 == pytest.approx(even_odd.area, abs=1e-9)


def test_layers_that_are_none_are_refused():
    with pytest.raises(InputError, match="GeoDataFrame or GeoSeries"):
        Workload.from_geodataframe([shapely.box(0, 0, 1, 1)], FRAME)
    with pytest.raises(InputError, match="layer is empty"):
        Workload.from_geodataframe(gpd.GeoSeries([], crs="EPSG:5070"), FRAME)
    with pytest.raises(geodp.CrsError, match="has none"):
        Workload.from_geodataframe(gpd.GeoSeries([shapely.box(0, 0, 1, 1)]), FRAME)


def test_a_release_tuned_for_districts_answers_them_as_a_layer(districts):
    places = gpd.read_file(SAMPLE / "us_places.gpkg")
    workload = Workload.from_geodataframe(districts, US, expected="area")
    release = geodp.release(places, US, epsilon=1, cells=geodp.Regular(workload=workload), seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = release.query(districts)
    added = ["estimate", "std_error", "noise_error", "ci_low", "ci_high"]
    added += ["border_share", "covered", "reliable"]
    assert list(answers.columns) == [*districts.columns, *added]
    true = np.array(
        [shapely.contains(shape, places.geometry).sum() for shape in districts.geometry]
    )
    assert np.corrcoef(answers.estimate, true)[0, 1] > 0.97
    assert release.query(districts.geometry).estimate.tolist() == answers.estimate.tolist()


@pytest.fixture(scope="module")
def release() -> geodp.Release:
    return geodp.release((np.array([0.0]), np.array([1e6])), US, epsilon=1, seed=1)


@pytest.mark.parametrize("name", ["d.gpkg", "d.shp", "d.geojson", "d.parquet"])
def test_a_path_of_regions_is_a_layer_of_regions(districts, release, tmp_path, name):
    path = tmp_path / name
    districts.to_parquet(path) if name.endswith("parquet") else districts.to_file(path)
    expected = release.query(districts)
    for given_path in (path, str(path)):
        answers = release.query(given_path)
        assert isinstance(answers, gpd.GeoDataFrame)
        assert answers.estimate.tolist() == pytest.approx(expected.estimate.tolist(), rel=1e-3)


@pytest.mark.parametrize(
    ("regions", "rule"),
    [
        (5, "regions must be a GeoDataFrame, a GeoSeries, the path of a layer"),
        (None, "got NoneType"),
        ({"a": 1}, "got dict"),
        ([shapely.box(0, 0, 1, 1)], "rows of xmin, ymin, xmax, ymax, all numbers"),
        ([("a", "b", "c", "d")], "all numbers"),
        ("nowhere.shp", "there is no nowhere.shp"),
        (Path("nowhere.shp"), "there is no nowhere.shp"),
    ],
)
def test_regions_that_are_none_are_refused_with_a_sentence(release, regions, rule):
    with pytest.raises(geodp.GeodpError, match=rule):
        release.query(regions)


@pytest.fixture(scope="module")
def site(tmp_path_factory, districts):
    """Yield a folder with layers that is also a web site, and its address."""
    folder = tmp_path_factory.mktemp("site")
    districts.iloc[:2].to_file(folder / "d.geojson")
    with zipfile.ZipFile(folder / "d.zip", "w") as archive:
        archive.write(folder / "d.geojson", "d.geojson")
    # A process of its own: old GDAL bindings let no other thread run while they wait for an answer.
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        yield folder, f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.mark.parametrize(
    "address",
    [
        "{site}/d.geojson",
        "{folder}/d.zip",
        "zip://{folder}/d.zip",
        "/vsizip/{folder}/d.zip/d.geojson",
    ],
)
@pytest.mark.parametrize("kind", [str, Path])
def test_layers_are_read_from_the_addresses_of_gdal(site, address, kind):
    folder, url = site
    given_path = kind(address.format(folder=folder, site=url))
    if kind is Path and address.startswith("zip:"):
        given_path = address.format(folder=folder)  # pathlib does not keep its slashes
    assert len(read_layer(given_path, "regions")) == 2
    assert len(read_boundary(given_path, US)) == 2


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("{site}/none.gpkg?key=hidden", "regions must be a vector file .* or cannot be reached"),
        ("http://me:hidden@127.0.0.1:1/none.gpkg", "127.0.0.1:1/none.gpkg is not"),
        ("{site}/d.parquet", "must be a local file where they are GeoParquet.*download it first"),
        ("postgresql://me:hidden@host/db", "postgresql:// is neither"),
        ("/vsizip/none.zip/d.shp", "or cannot be reached"),
    ],
)
def test_addresses_that_are_no_layer_are_refused_as_what_they_are(site, address, rule):
    with pytest.raises(geodp.FileError, match=rule) as error:
        read_layer(address.format(site=site[1]), "regions")
    assert "hidden" not in str(error.value)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(b"\x01\x03", id="cut off"),
        pytest.param(struct.pack("<BII", 1, 16, 0), id="a TIN"),
        pytest.param(struct.pack("<BIII6d", 1, 3, 1, 3, 0, 0, 1, 0, 1, 1), id="a ring not closed"),
    ],
)
def test_a_layer_of_what_geos_cannot_hold_is_refused(broken, tmp_path):
    path = tmp_path / "layer.parquet"
    gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 9, 9)] * 2, crs="EPSG:5070").to_parquet(path)
    table = pyarrow.parquet.read_table(path)
    shapes = [table["geometry"][0].as_py(), broken]
    held = pyarrow.table({"geometry": shapes}).replace_schema_metadata(table.schema.metadata)
    pyarrow.parquet.write_table(held, path)
    with pytest.raises(geodp.FileError, match="of a kind that GEOS does not know"):
        read_layer(path, "districts")


def test_a_boundary_that_is_no_layer_is_refused():
    with pytest.raises(InputError, match="boundary must be a GeoDataFrame"):
        read_boundary(5, US)
    with pytest.raises(geodp.CrsError, match="needs a CRS"):
        read_boundary(gpd.GeoSeries([shapely.box(0, 0, 1, 1)]), US)


def test_a_grid_as_a_layer():
    layer = Grid(FRAME, cell_size=30).to_geodataframe()
    assert list(layer.columns) == [
        "id", "left", "top", "right", "bottom", "row_index", "col_index", "geometry",
    ]  # fmt: skip
    assert layer.crs == "EPSG:5070"
    assert layer.union_all().equals(shapely.box(*FRAME.bounds))
    assert layer.area.sum() == pytest.approx(FRAME.area)
    assert layer.iloc[0][["left", "top"]].tolist() == [0, 80]


def test_a_release_as_a_layer_keeps_its_counts_in_place():
    x, y = np.full(500, 5.0), np.full(500, 75.0)  # all in the north-west
    release = geodp.release((x, y), cells=geodp.Regular(Grid(FRAME, (4, 4))), epsilon=100, seed=0)
    layer = release.to_geodataframe()
    crowded = layer.loc[layer["count"].idxmax()]
    assert (crowded.row_index, crowded.col_index, crowded["count"]) == (0, 0, 500)
    assert crowded.geometry.contains(shapely.Point(5, 75))


def test_crs_are_looked_up():
    feet = Domain((0, 0, 10, 10), crs="EPSG:2263")
    assert feet.crs.metres_per_unit == pytest.approx(0.3048, rel=1e-4)
    with pytest.raises(geodp.CrsError, match="PROJ knows"):
        Domain((0, 0, 1, 1), crs="EPSG:123456789")
    with pytest.raises(geodp.CrsError, match="EPSG:4326 is geographic"):
        Domain((0, 0, 1, 1), crs="EPSG:4326")
    custom = "+proj=laea +lat_0=10 +lon_0=20 +units=m"
    assert Domain((0, 0, 1, 1), crs=custom).crs.name.startswith("PROJCRS")


# --- as far as may be ---------------------------------------------------------------------------


def make_layer(*shapes, crs="EPSG:5070"):
    return gpd.GeoDataFrame({"row": range(len(shapes))}, geometry=list(shapes), crs=crs)


@pytest.fixture(scope="module", params=["regular", "adaptive"])
def counted(request) -> geodp.Release:
    rng = np.random.default_rng(3)
    return geodp.release(
        (rng.uniform(0, 100, 4000), rng.uniform(0, 80, 4000)),
        FRAME,
        epsilon=1,
        cells=request.param,
        seed=1,
    )


INSIDE = shapely.box(10, 10, 50, 50)


def test_a_region_outside_has_an_empty_answer(counted):
    layer = make_layer(INSIDE, shapely.box(200, 200, 300, 300), shapely.box(50, 0, 150, 80))
    answers = counted.query(layer)
    assert answers.covered.tolist() == [1, 0, pytest.approx(0.5)]
    assert answers.estimate.isna().tolist() == [False, True, False]
    assert answers.estimate[0] == counted.query(layer.iloc[:1]).estimate[0]
    assert answers.drop(columns="covered").iloc[1].isna().sum() == 6
    alone = counted.query(layer.iloc[1:2])
    assert alone.covered.tolist() == [0]
    assert alone.estimate.isna().all()


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (BOW_TIE, r"region 1 is not a valid polygon: repair it with `make_valid\(\)`"),
        (shapely.Point(1, 1), "region 1 is not a polygon"),
        (shapely.Polygon([(0, 0), (5, 5), (0, 0)]), "region 1 is not a valid polygon"),
        (None, "region 1 is empty"),
        (shapely.Polygon([(0, 0), (np.inf, 1), (1, 1)]), "region 1 has coordinates that are no"),
    ],
)
def test_broken_regions_are_refused_or_skipped(counted, broken, rule):
    layer = make_layer(INSIDE, broken)
    with pytest.raises(InputError, match=rule):
        counted.query(layer)
    answers = counted.query(layer, skip_invalid=True)
    assert answers.estimate[0] == counted.query(make_layer(INSIDE)).estimate[0]
    assert answers.iloc[1][["estimate", "ci_low", "covered"]].isna().all()


def test_the_remedy_that_the_message_names_works(counted):
    spike = shapely.Polygon([(0, 0), (10, 0), (10, 10), (10, 30), (10, 10), (0, 10)])
    repaired = make_layer(BOW_TIE, spike).make_valid()
    assert repaired.geom_type.tolist() == ["MultiPolygon", "GeometryCollection"]
    answers = counted.query(repaired)
    assert answers.covered.tolist() == [1, 1]
    total = counted.query([(0, 0, 10, 10)]).estimate[0]
    assert answers.estimate[1] == pytest.approx(total)


def test_regions_far_beyond_the_domain_are_cut_before_they_are_reprojected():
    """The world in degrees has no shape in a projected CRS; what of it lies in the domain has."""
    rng = np.random.default_rng(3)
    places = (rng.uniform(-2e6, 2e6, 4000), rng.uniform(5e5, 2.5e6, 4000))
    released = geodp.release(places, US, epsilon=1, cells="adaptive", seed=1)
    world = make_layer(
        shapely.box(-180, -90, 180, 90),
        shapely.box(-180, 0, 0, 90),
        shapely.box(100, -60, 150, -10),
        crs="EPSG:4326",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = released.query(world)
    total = released.query([US.bounds]).estimate[0]
    assert answers.estimate[:2].tolist() == pytest.approx([total, total], rel=1e-6)
    assert 0 < answers.covered[0] < answers.covered[1] < 0.2
    assert answers.covered[2] == 0


def test_a_region_that_reprojection_breaks_is_mended():
    """Along a parallel: the long southern side becomes a chord, which cuts the corner beside it."""
    released = geodp.release((np.array([0.0]), np.array([1e6])), US, epsilon=1, seed=1)
    corners = [(-120, 44), (-75, 44), (-75, 45), (-97, 44.0001), (-120, 45)]
    layer = make_layer(shapely.Polygon(corners), crs="EPSG:4326")
    reprojected = layer.to_crs("EPSG:5070")
    assert layer.is_valid.all()
    assert not reprojected.is_valid.any()
    answers = released.query(layer)
    mended = released.query(reprojected.make_valid())
    assert answers.estimate[0] == pytest.approx(mended.estimate[0])
    assert answers.covered[0] == pytest.approx(1)
    with pytest.raises(InputError, match="region 0 is not a valid polygon"):
        released.query(reprojected)


def test_densities_are_of_what_lies_in_the_domain(counted):
    answers = counted.query(make_layer(shapely.box(50, 0, 150, 80)), density=True)
    area = 50 * 80 / 1e6
    assert answers.density[0] == pytest.approx(answers.estimate[0] / area)
    assert answers.density_low[0] == pytest.approx(answers.ci_low[0] / area)
    assert answers.density_high[0] == pytest.approx(answers.ci_high[0] / area)


def test_a_boundary_of_points_is_refused():
    """They may be those that are protected, and would be drawn on the map."""
    points = gpd.GeoSeries(
        [shapely.Point(1, 2), shapely.LineString([(0, 0), (1, 1)])], crs=US.crs.name
    )
    with pytest.raises(InputError, match="polygons or lines; this layer holds something else"):
        read_boundary(points, US)
    assert len(read_boundary(points[1:], US)) == 1
