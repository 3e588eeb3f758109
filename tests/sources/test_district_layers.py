"""Layers of districts against shapely: points, overlaps, unions; real borders in many CRSs."""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from profiles import examples
from shapely import affinity

from geodp import InputError
from geodp.core.districts.district_overlaps import overlap_areas, overlapping_pairs
from geodp.core.districts.district_raster import DistrictRaster, PolygonRows
from geodp.core.districts.districts import DistrictMap, Slivers
from geodp.core.regions.polygons import Polygons

SAMPLE = Path(__file__).parents[2] / "sample_data"
many = examples(300, suppress_health_check=list(HealthCheck))

CRSS = ["EPSG:5070", "EPSG:4326", "EPSG:3857", "EPSG:2163", "EPSG:32614", "ESRI:54009"]


def as_rings(shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return corners, starts, districts and holes of all rings."""
    parts, district = shapely.get_parts(shapes, return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    starts = np.append(0, np.cumsum(np.bincount(ring, minlength=len(rings))))
    return corners, starts, district[part], np.append(False, part[1:] == part[:-1])


def district_map(shapes: np.ndarray) -> DistrictMap:
    return DistrictMap.from_arrays(*as_rings(shapes), [str(i) for i in range(len(shapes))])


def as_polygons(shapes: list[shapely.Geometry]) -> Polygons:
    corners, starts, district, hole = as_rings(np.array(shapes))
    parts = np.split(corners, starts[1:-1])
    return Polygons.from_rings(list(zip(district.tolist(), hole.tolist(), parts)), len(shapes))


def as_shapes(polygons: Polygons) -> list[shapely.Geometry]:
    """Return shells less holes, one shape for each polygon."""
    shapes = []
    for code in range(polygons.count):
        shape = shapely.Polygon()
        for ring in np.unique(polygons.ring[polygons.owner == code]):
            shape = shape.symmetric_difference(
                shapely.Polygon(polygons.edges[polygons.ring == ring, :2])
            )
        shapes.append(shape)
    return shapes


def voronoi(count: int, seed: int) -> np.ndarray:
    """Return a square that is cut into so many districts."""
    seeds = shapely.MultiPoint(np.random.default_rng(seed).random((count, 2)))
    square = shapely.box(0, 0, 1, 1)
    cut = shapely.voronoi_polygons(seeds, extend_to=square)
    return np.asarray(shapely.intersection(np.array(list(cut.geoms)), square))


corner = st.tuples(st.integers(0, 8), st.integers(0, 8))


@st.composite
def regions(draw: st.DrawFn) -> shapely.Geometry:
    """Return a valid polygon on a small lattice, sometimes with parts or holes."""
    shape = shapely.Polygon(draw(st.lists(corner, min_size=3, max_size=6)))
    if draw(st.booleans()):
        a, b, c = draw(st.lists(corner, min_size=3, max_size=3, unique=True))
        other = shapely.Polygon([a, b, c])
        shape = shapely.Polygon([(0, 0), (8, 0), (8, 8), (0, 8)]).difference(other)
    if not shape.is_valid or not shape.area or shape.geom_type not in ("Polygon", "MultiPolygon"):
        return shapely.box(1, 1, 4, 6)
    return shape


@pytest.mark.slow
@many
@given(st.lists(regions(), min_size=1, max_size=4))
def test_points_of_a_lattice_are_where_shapely_puts_them(shapes: list[shapely.Geometry]):
    """On a border, the polygon has the point that begins just east and a little north of it."""
    polygons = as_polygons(shapes)
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(-1, 20) / 2, np.arange(-1, 20) / 2))
    moved = shapely.points(x + 2.0**-12, y + 2.0**-26)
    inside = np.array([shapely.contains_properly(shape, moved) for shape in shapes])
    expected = np.where(inside.any(axis=0), inside.argmax(axis=0), -1)
    assert (DistrictRaster(polygons).locate(x, y) == expected).all()


@many
@given(regions(), regions())
def test_overlaps_are_those_of_shapely(one: shapely.Geometry, other: shapely.Geometry):
    polygons = as_polygons([one, other])
    raster = DistrictRaster(polygons)
    shared = one.intersection(other).area
    first, _ = overlapping_pairs(polygons, raster)
    assert len(first) == int(shapely.relate_pattern(one, other, "T********"))
    area = overlap_areas(polygons, PolygonRows(polygons), np.array([0]), np.array([1]))[0]
    assert area == pytest.approx(shared, abs=1e-9)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_partition_against_shapely(seed: int):
    shapes = voronoi(400, seed)
    layer = district_map(shapes)
    assert layer.slivers == Slivers(0, 0.0)
    x, y = np.random.default_rng(seed).random((2, 50_000))
    points = shapely.points(x, y)
    which, holder = shapely.STRtree(shapes).query(points, predicate="within")
    codes = layer.locate(x, y)
    assert (codes[which] == holder).all()
    assert len(which) > 49_900  # all but what lies on a border
    assert (codes >= 0).all()
    assert np.allclose(layer.areas, shapely.area(shapes), rtol=1e-12)
    corners = layer.polygons.edges[:, :2]
    corners = corners[((corners > 0) & (corners < 1)).all(axis=1)]
    codes = layer.locate(*corners.T.copy())
    assert (codes >= 0).all()
    assert shapely.touches(shapes[codes], shapely.points(corners)).all()


@pytest.mark.slow
def test_borders_that_cut_differently_are_slivers():
    """Neighbours whose borders were cut into parts from both ends differ by roundings."""
    shapes = shapely.segmentize(voronoi(300, 3), 0.003)
    layer = district_map(shapes)
    assert 0 < layer.slivers.pairs < 900
    assert layer.slivers.area < 1e-14
    x, y = np.random.default_rng(4).random((2, 20_000))
    which, holder = shapely.STRtree(shapes).query(shapely.points(x, y), predicate="within")
    assert (layer.locate(x, y)[which] == holder).all()


@pytest.fixture(scope="module")
def states() -> gpd.GeoDataFrame:
    return gpd.read_file(SAMPLE / "us_districts.gpkg")


@pytest.mark.parametrize("crs", CRSS)
def test_real_borders_are_accepted_in_any_crs(states: gpd.GeoDataFrame, crs: str):
    """Two pairs of states share slivers: shapely finds the same two, of the same size."""
    shapes = np.asarray(states.to_crs(crs).geometry)
    layer = DistrictMap.from_arrays(*as_rings(shapes), list(states["state"]), list(states["name"]))
    one, other = shapely.STRtree(shapes).query(shapes, predicate="overlaps")
    pairs = one < other
    shared = shapely.area(shapely.intersection(shapes[one[pairs]], shapes[other[pairs]]))
    assert layer.slivers.pairs == len(shared) == 2
    assert layer.slivers.area == pytest.approx(shared.sum(), rel=1e-6)
    assert np.allclose(layer.areas, shapely.area(shapes), rtol=1e-12)
    xmin, ymin, xmax, ymax = layer.bounds
    random = np.random.default_rng(1)
    x, y = random.uniform(xmin, xmax, 20_000), random.uniform(ymin, ymax, 20_000)
    which, holder = shapely.STRtree(shapes).query(shapely.points(x, y), predicate="within")
    expected = np.full(len(x), -1)
    np.maximum.at(expected, which, holder)
    assert (layer.locate(x, y) == expected).all()


def test_a_state_drawn_too_large_is_refused_by_name(states: gpd.GeoDataFrame):
    grown = states.copy()
    nevada = list(states["state"]).index("NV")
    grown.loc[nevada, "geometry"] = states.geometry[nevada].buffer(2000)
    shapes = np.asarray(grown.geometry)
    with pytest.raises(InputError, match=r"'NV' \(Nevada\)") as caught:
        DistrictMap.from_arrays(*as_rings(shapes), list(states["state"]), list(states["name"]))
    assert "% of the smaller one" in str(caught.value)


def test_unions_of_states_are_those_of_shapely(states: gpd.GeoDataFrame):
    """Four groups in which no two states share a sliver."""
    shapes = np.asarray(states.geometry)
    layer = district_map(shapes)
    groups = np.arange(len(layer)) % 4
    unions = as_shapes(layer.unions(groups, 4).check())
    for group, union in enumerate(unions):
        expected = shapely.union_all(shapes[groups == group])
        assert union.symmetric_difference(expected).area <= expected.area * 1e-12


def test_gaps_are_accepted_and_overlaps_refused():
    """One district made smaller or larger, its neighbours left as they are."""
    shapes = voronoi(60, 5)
    inner = np.flatnonzero(shapely.within(shapes, shapely.box(0.1, 0.1, 0.9, 0.9)))[0]
    smaller, larger = shapes.copy(), shapes.copy()
    smaller[inner] = affinity.scale(shapes[inner], 0.9, 0.9)
    larger[inner] = affinity.scale(shapes[inner], 1.1, 1.1)
    layer = district_map(smaller)
    assert layer.slivers == Slivers(0, 0.0)
    gap = shapes[inner].difference(smaller[inner]).representative_point()
    assert layer.locate(np.array([gap.x]), np.array([gap.y])).tolist() == [-1]
    with pytest.raises(InputError, match=f"district '{inner}'"):
        district_map(larger)
