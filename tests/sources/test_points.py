"""Every way in for points gives the same counts, and nothing about them comes out."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely

import geodp
from geodp.core.records.source import Request
from geodp.sources import files, frames

DOMAIN = geodp.Domain((-2400000, 200000, 2300000, 3200000), crs="EPSG:5070")


@pytest.fixture(scope="module")
def frame() -> gpd.GeoDataFrame:
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-2e6, 2e6, 500), rng.uniform(3e5, 3e6, 500)
    names = {"name": ["someone"] * 500}
    return gpd.GeoDataFrame(names, geometry=gpd.points_from_xy(x, y), crs="EPSG:5070")


def counts(points, cells="regular", **options) -> np.ndarray:
    """Return true counts, seen through a budget so large that no noise is left."""
    where = {name: options.pop(name) for name in ("crs", "layer") if name in options}
    points = geodp.read_points(points, **where)
    if cells == "regular":
        cells = geodp.Regular(geodp.Grid(DOMAIN, (6, 7)))
    released = geodp.release(points, DOMAIN, epsilon=100000, cells=cells, force=True, **options)
    return np.rint(released.counts).astype(np.int64)


@pytest.mark.slow
@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_all_sources_give_the_same_counts(frame, cells, tmp_path):
    expected = counts((frame.geometry.x.to_numpy(), frame.geometry.y.to_numpy()), cells)
    assert expected.sum() == 500
    assert (expected.max() == 1) == (cells == "adaptive")  # a tree finds every single point
    assert np.array_equal(counts(frame, cells), expected)
    assert np.array_equal(counts(frame.geometry, cells), expected)
    for name in ("p.gpkg", "p.fgb", "p.shp", "p.geojson", "p.parquet"):
        path = tmp_path / name
        if path.suffix == ".parquet":
            frame.to_parquet(path)
        elif path.suffix == ".geojson":
            frame.to_file(path, driver="GeoJSON", COORDINATE_PRECISION=7, RFC7946="NO")
        else:
            frame.to_file(path)
        assert np.array_equal(counts(path, cells), expected), name
        assert np.array_equal(counts(str(path), cells), expected), name


def test_points_in_another_crs_are_reprojected(frame, tmp_path):
    expected = counts(frame)
    elsewhere = frame.to_crs("EPSG:4326")
    assert np.array_equal(counts(elsewhere), expected)
    elsewhere.to_parquet(tmp_path / "lonlat.parquet")
    assert np.array_equal(counts(tmp_path / "lonlat.parquet"), expected)
    pair = (elsewhere.geometry.x.to_numpy(), elsewhere.geometry.y.to_numpy())
    assert np.array_equal(counts(pair, crs="EPSG:4326"), expected)


def test_a_missing_crs_is_an_error_with_a_remedy(frame):
    bare = frame.set_crs(None, allow_override=True)
    with pytest.raises(geodp.CrsError, match="need a CRS"):
        counts(bare)
    assert np.array_equal(counts(bare, crs="EPSG:5070"), counts(frame))
    with pytest.raises(geodp.CrsError, match="PROJ knows"):
        counts(bare, crs="EPSG:0")


def test_missing_empty_and_odd_geometries_are_dropped_silently(frame):
    odd = [None, shapely.Point(), shapely.Point(np.nan, 1), shapely.Point(np.inf, 1e6),
           shapely.Point(9e9, 9e9)]  # fmt: skip
    more = gpd.GeoSeries([*frame.geometry, *odd], crs=frame.crs)
    assert np.array_equal(counts(more), counts(frame))


@pytest.mark.parametrize(
    "shape",
    [shapely.LineString([(0, 1e6), (1, 1e6)]), shapely.box(0, 1e6, 1, 2e6)],
)
def test_shapes_that_are_not_points_are_dropped(frame, shape, tmp_path):
    """A frame declares no kind of geometry; a layer that declares lines is refused."""
    mixed = gpd.GeoSeries([*frame.geometry, shape], crs=frame.crs)
    assert np.array_equal(counts(mixed), counts(frame))
    gpd.GeoSeries([shape], crs=frame.crs).to_file(tmp_path / "p.gpkg")
    with pytest.raises(geodp.InputError, match=f"declared as {shape.geom_type.lower()}"):
        counts(tmp_path / "p.gpkg")


def test_multipoints_need_a_bound():
    pair = shapely.MultiPoint([(0, 1e6), (1e5, 1e6), (2e5, 1e6)])
    layer = gpd.GeoSeries([pair, shapely.Point(0, 1e6)], crs="EPSG:5070")
    assert counts(layer).sum() == 1
    assert counts(layer, protect=geodp.Feature(max_points=3)).sum() == 4
    assert counts(layer, protect=geodp.Feature(max_points=2)).sum() == 3
    first = Request.of(DOMAIN, geodp.Feature(max_points=1))
    blocks = list(geodp.read_points(layer).blocks(first))
    assert [block.x.tolist() for block in blocks] == [[0.0, 0.0]]


@pytest.mark.parametrize("most", [1, 2, 9, 10, 11, 64, 65, 300])
def test_a_feature_counts_as_many_points_as_it_may_and_no_more(most, tmp_path):
    sizes = [1, 2, 10, 11, 12, 64, 65, 66, 299]
    shapes = [shapely.MultiPoint([(float(i), 1e6) for i in range(size)]) for size in sizes]
    layer = gpd.GeoSeries(shapes, crs="EPSG:5070")
    layer.to_file(tmp_path / "p.geojson", RFC7946="NO")
    layer.to_frame("geometry").to_parquet(tmp_path / "p.parquet")
    expected = sum(min(size, most) for size in sizes)
    for points in (layer, tmp_path / "p.geojson", tmp_path / "p.parquet"):
        assert counts(points, protect=geodp.Feature(max_points=most)).sum() == expected


def test_features_hold_several_points_by_their_declared_type(tmp_path, frame):
    pair = shapely.MultiPoint([(0, 1e6), (1e5, 1e6), (2e5, 1e6)])
    gpd.GeoSeries([pair], crs="EPSG:5070").to_file(tmp_path / "several.gpkg")
    frame.to_file(tmp_path / "single.gpkg")
    feature = {"protect": geodp.Feature(max_points=2)}
    assert counts(tmp_path / "several.gpkg", **feature).sum() == 2
    with pytest.raises(geodp.InputError, match="declared as MultiPoint"):
        counts(tmp_path / "several.gpkg")
    for points in (tmp_path / "single.gpkg", (frame.geometry.x, frame.geometry.y)):
        with pytest.raises(geodp.InputError, match="one each by their declared type"):
            counts(points, **feature)


def test_every_source_knows_whose_record_it_is(frame, tmp_path):
    people = frame.assign(who=["ann", "bob", None, "cy"] * 125)
    x, y = people.geometry.x.to_numpy(), people.geometry.y.to_numpy()
    people.to_file(tmp_path / "p.gpkg")
    people.to_parquet(tmp_path / "p.parquet")
    sources = [
        (people, "who"),
        (tmp_path / "p.gpkg", "who"),
        (tmp_path / "p.parquet", "who"),
        ({"x": x, "y": y, "who": people.who.to_numpy()}, "who"),
        ({"x": x.tolist(), "y": y.tolist(), "who": people.who.tolist()}, "who"),
    ]
    for points, person in sources:
        for most in (1, 7, 200):
            one = geodp.Regular(geodp.Grid(DOMAIN, (1, 1)))  # of a person, parts may be anywhere
            kept = counts(points, one, protect=geodp.Person(person, most)).sum()
            assert kept == 3 * min(most, 125)


def test_people_with_multipoints_keep_single_points():
    trip = shapely.MultiPoint([(0, 1e6), (1e5, 1e6), (2e5, 1e6)])
    layer = gpd.GeoDataFrame({"who": ["ann", "ann"]}, geometry=[trip, trip], crs="EPSG:5070")
    assert counts(layer, protect=geodp.Person("who", max_records=4)).sum() == pytest.approx(
        4, abs=0.01
    )
    assert counts(layer, protect=geodp.Person("who", max_records=9)).sum() == pytest.approx(
        6, abs=0.01
    )


def test_a_person_field_must_be_there(frame, tmp_path):
    frame.to_file(tmp_path / "p.gpkg")
    frame.to_parquet(tmp_path / "p.parquet")
    for points in (frame, tmp_path / "p.gpkg", tmp_path / "p.parquet"):
        with pytest.raises(geodp.InputError, match="there is no 'user'"):
            counts(points, protect=geodp.Person("user", max_records=1))
    columns = {"x": np.zeros(3), "y": np.zeros(3), "who": ["a"]}
    with pytest.raises(geodp.InputError, match="of one length"):
        counts(columns, protect=geodp.Person("who", max_records=1))


def test_files_that_cannot_be_read_are_named(tmp_path, frame):
    with pytest.raises(geodp.FileError, match="there is no"):
        counts(tmp_path / "nowhere.gpkg")
    for name in ("broken.gpkg", "broken.parquet"):
        (tmp_path / name).write_bytes(b"not what it says")
        with pytest.raises(geodp.FileError, match=name):
            counts(tmp_path / name)
    frame.to_file(tmp_path / "p.gpkg", layer="people")
    with pytest.raises(geodp.FileError, match="does not hold the layer 'cars'"):
        counts(tmp_path / "p.gpkg", layer="cars")
    assert counts(tmp_path / "p.gpkg", layer="people").sum() == 500
    frame.drop(columns="geometry").to_parquet(tmp_path / "table.parquet")
    with pytest.raises(geodp.InputError, match="GeoParquet"):
        counts(tmp_path / "table.parquet")
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    with pytest.raises(geodp.InputError, match="columns of coordinates"):
        counts(tmp_path / "table.csv")


def test_blocks_are_bounded(monkeypatch, frame, tmp_path):
    for room in (geodp.core.records.arrays, frames, files):
        monkeypatch.setattr(room, "BLOCK", 64)
    for name in ("p.gpkg", "p.parquet"):
        path = tmp_path / name
        frame.to_parquet(path) if name.endswith("parquet") else frame.to_file(path)
        for source in (frame, path, (frame.geometry.x, frame.geometry.y)):
            blocks = geodp.read_points(source).blocks(Request(DOMAIN))
            sizes = [len(block.x) for block in blocks]
            assert max(sizes) <= 64
            assert sum(sizes) == 500
