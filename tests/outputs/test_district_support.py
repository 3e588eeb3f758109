"""Districts where records can be in a part of them: what counts, how parts are answered, files."""

from __future__ import annotations

import geopandas
import numpy as np
import pytest
import shapely
from checks import PLACES_IN_DISTRICTS, moved_by_a_record, town_of_districts
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.core.cells.district_cells import DistrictCells
from geodp.core.counts.cell_tally import DistrictPlan
from geodp.core.counts.district_tree_tally import DistrictTreePlan, DistrictTreeTally
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.district_overlaps import overlap_weights, polygon_weights
from geodp.core.districts.district_raster import PolygonRows
from geodp.core.regions.polygons import Polygons
from geodp.core.space.support import Support
from geodp.outputs.shapes import cell_shapes

CRS = "EPSG:5070"
BOUNDS = (0.0, 0.0, 2000.0, 1000.0)
LAND = [[0, 1, 2, 0], [0, 3, 1, 1]]
"""Weights of squares with sides of 500: the western half of the west is sea."""

RNG = np.random.default_rng(5)
X, Y = RNG.uniform(0, 2000, 6000), RNG.uniform(0, 1000, 6000)


def halves() -> geopandas.GeoDataFrame:
    shapes = [shapely.box(0, 0, 1000, 1000), shapely.box(1000, 0, 2000, 1000)]
    return geopandas.GeoDataFrame({"name": ["west", "east"]}, geometry=shapes, crs=CRS)


def land() -> Support:
    return Support(BOUNDS, LAND)


def weight_inside(shape: shapely.Geometry, support: Support) -> float:
    """Add up the weights of the pixels, each in proportion to what the shape has of it."""
    rows, columns = support.shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    x, y = support.x_edges, support.y_edges[::-1]
    pixels = shapely.box(x[column], y[row + 1], x[column + 1], y[row])
    parts = shapely.area(shapely.intersection(pixels, shape)) / shapely.area(pixels)
    return float(parts @ support.weights.ravel())


KINDS = {
    "districts": lambda layer: layer,
    "tree": lambda layer: geodp.Adaptive(districts=layer),
}


@st.composite
def stars(draw):
    """Draw a polygon around a place, in which all its corners can be seen."""
    corners = draw(st.integers(3, 9))
    turns = [draw(st.floats(0.1, 0.9)) for _ in range(corners)]
    angle = 2 * np.pi * (np.arange(corners) + turns) / corners
    radius = np.array([draw(st.floats(0.2, 5.0)) for _ in range(corners)])
    place = draw(st.floats(-1, 9)), draw(st.floats(-1, 7))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1) + place


@given(stars(), stars(), st.integers(0, 2**32 - 1))
@examples(60)
def test_weights_of_polygons_and_of_what_they_share_are_those_of_geos(one, other, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 9, (rng.integers(1, 7), rng.integers(1, 9)))
    weights[0, 0] = 1
    support = Support((0.0, 0.0, 8.0, 6.0), weights)
    shapes = [shapely.Polygon(ring) for ring in (one, other)]
    assert all(shape.is_valid for shape in shapes)
    both = Polygons.from_rings([(0, False, one), (1, False, other)], 2)
    expected = [weight_inside(shape, support) for shape in shapes]
    assert polygon_weights(both, support) == pytest.approx(expected, abs=1e-9)
    pair = np.array([0, 1, 0]), np.array([1, 0, 0])
    shared = weight_inside(shapely.intersection(*shapes), support)
    weights = overlap_weights(both, PolygonRows(both), *pair, support)
    assert weights == pytest.approx([shared, shared, expected[0]], abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_of_a_district_is_answered_by_its_share_of_where_records_can_be(kind):
    layer = geodp.Districts(halves(), within=land())
    release = geodp.release(([], []), epsilon=1, cells=KINDS[kind](layer), seed=1)
    west, east = release.query(halves()).estimate
    boxes = {
        (0, 0, 500, 1000): 0,  # nothing but sea
        (400, 0, 1000, 1000): west,  # all of the land
        (500, 0, 1000, 500): west * 3 / 4,
        (1000, 0, 1500, 1000): east * 3 / 4,
        (1500, 0, 2000, 250): east / 8,
        (750, 0, 1250, 1000): west / 2 + east * 3 / 8,
    }
    if kind == "tree":  # no record, so that each district is one cell
        assert len(release.cells) == 2
    answers = release.query(list(boxes))
    assert answers.estimate == pytest.approx(list(boxes.values()))
    assert answers.border_share[1] == 0
    polygons = geopandas.GeoSeries([shapely.box(*box) for box in boxes], crs=CRS)
    drawn = release.query(polygons.to_frame("geometry"))
    assert drawn.estimate.to_numpy() == pytest.approx(answers.estimate)


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_of_parts_hold_the_truth_where_records_follow_the_layer(kind):
    rng = np.random.default_rng(8)
    fine = rng.integers(0, 30, (20, 40)) * (rng.random((20, 40)) < 0.5)
    support = Support(BOUNDS, fine)
    pixel = rng.choice(fine.size, 4000, p=fine.ravel() / fine.sum())
    x = (pixel % 40 + rng.random(4000)) * 50
    y = 1000 - (pixel // 40 + rng.random(4000)) * 50
    triangles = [
        shapely.Polygon([rng.random(2) * [2000, 1000] for _ in range(3)]) for _ in range(60)
    ]
    asked = geopandas.GeoDataFrame(geometry=triangles, crs=CRS)
    true = [int(shapely.contains_xy(triangle, x, y).sum()) for triangle in triangles]
    errors = {}
    for within in (None, support):
        layer = geodp.Districts(halves(), within=within)
        answers = geodp.release((x, y), epsilon=1, cells=KINDS[kind](layer), seed=3).query(asked)
        errors[within] = float(np.abs(answers.estimate - true).mean())
        held = (answers.ci_low <= true) & (true <= answers.ci_high)
        assert held.mean() > 0.9
    # Cells of a tree are small where records crowd, so that less is left to gain.
    assert errors[support] < {"districts": 0.75, "tree": 0.95}[kind] * errors[None]


PLACES = [
    *PLACES_IN_DISTRICTS,
    *((x, y) for x in (0.5, np.nextafter(0.5, 0), 1.5, np.nextafter(1.5, 2)) for y in (0.3, 1.7)),
]
WEIGHTS = [[0, 1, 0, 2], [1, 0, 3, 0]]
"""On four by two pixels over the town of districts, from 0 to 2 both ways."""


def shore() -> DistrictCells:
    cells = town_of_districts().cells
    return cells.on_support(Support(cells.domain.bounds, WEIGHTS))


def counts_there(x: float, y: float) -> bool:
    """Look the pixel of a place up by hand."""
    column, row = min(int(x // 0.5), 3), min(int(y // 1), 1)
    return 0 <= x <= 2 and 0 <= y <= 2 and WEIGHTS[1 - row][column] > 0


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_record_counts_in_one_district_and_only_where_records_can_be(place):
    cells = shore()
    x, y = np.array([place]).T
    district = int(cells.districts.locate(x, y)[0])
    expected = np.zeros(len(cells), dtype=int)
    if district >= 0 and counts_there(*place):
        expected[district] = 1
    assert cells.locate(x, y)[0] == (district if expected.any() else -1)
    for plan in (
        DistrictPlan(cells),
        DistrictTreePlan(DistrictFrame(cells.districts, cells.domain, 3)),
    ):
        tally = plan.tally()
        tally.add(x, y)
        assert tally.total == expected.sum()
        assert plan.inside(x, y).tolist() == [expected.any()]
    flat = DistrictPlan(cells).tally()
    flat.add(x, y)
    assert flat.node_counts(np.arange(len(cells)), 1).tolist() == expected.tolist()
    frame = DistrictFrame(cells.districts, cells.domain, 3)
    tree = DistrictTreeTally(frame)
    tree.add(*np.array(PLACES).T)
    assert set(moved_by_a_record(tree, place)) <= {expected.sum()}


@pytest.mark.parametrize("kind", KINDS)
def test_records_elsewhere_change_nothing(kind):
    cells = KINDS[kind](geodp.Districts(shore()))
    x, y = np.array(PLACES * 9).T
    sea = [place for place in PLACES if not counts_there(*place)]
    more = np.array(PLACES * 9 + sea * 50).T
    one, other = (
        geodp.release(tuple(points), epsilon=1, cells=cells, seed=2, force=True)
        for points in ((x, y), more)
    )
    assert one.cells == other.cells
    assert np.array_equal(one.measurements.value, other.measurements.value)


def test_boxes_in_the_sea_are_not_measured():
    layer = geodp.Districts(halves(), within=land())
    release = geodp.release((X, Y), epsilon=5, cells=geodp.Adaptive(districts=layer), seed=4)
    assert len(release.cells) > 20
    held = [weight_inside(shape, land()) for shape in cell_shapes(release.cells)]
    assert min(held) > 0
    total = land().holds(X, Y).sum()
    assert release.counts.sum() == pytest.approx(total, abs=30)


def test_a_district_where_no_records_can_be_has_a_count_like_any_other():
    layer = geopandas.GeoDataFrame(
        {"name": ["sea", "shore"]},
        geometry=[shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 2000, 1000)],
        crs=CRS,
    )
    for kind in KINDS.values():
        cells = kind(geodp.Districts(layer, within=land()))
        release = geodp.release((X, Y), epsilon=1, cells=cells, seed=1)
        answers = release.query(layer)
        assert abs(answers.estimate[0]) < 30
        half = release.query([(0, 0, 250, 1000)])
        assert half.estimate[0] == pytest.approx(answers.estimate[0] / 2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_a_file_answers_as_the_release_did(kind, suffix, tmp_path):
    layer = geodp.Districts(halves(), within=land())
    release = geodp.release((X, Y), epsilon=1, cells=KINDS[kind](layer), seed=4)
    path = tmp_path / f"counts{suffix}"
    release.to_vector(path)
    again = geodp.open_release(path)
    assert again.cells == release.cells
    assert again.domain.within == land()
    boxes = RNG.uniform(0, 800, (40, 2))
    boxes = np.hstack([boxes, boxes + 300])
    for one, other in zip(release.query(boxes), again.query(boxes)):
        assert np.array_equal(one, other, equal_nan=True)
    assert geodp.verify(path).recomputed == 1
    release.to_report(tmp_path / "report.html", regions=halves())
    assert "public layer" in (tmp_path / "report.html").read_text()
    assert "where records can be" in release.counted


def test_levels_groups_and_people_go_with_it():
    layer = halves().assign(country="all")
    cells = geodp.Districts(layer, levels=["country", "name"], within=land())
    records = {"x": X, "y": Y, "who": np.arange(len(X)) // 3, "kind": np.array(["a", "b"] * 3000)}
    release = geodp.release(
        records,
        epsilon=4,
        cells=cells,
        by=geodp.Categories("kind", ["a", "b"]),
        protect=geodp.Person("who"),
        seed=1,
    )
    west = release["a"].query([(0, 0, 500, 1000), (500, 0, 1000, 1000), (0, 0, 1000, 1000)])
    assert west.estimate[0] == 0
    assert west.estimate[1] == pytest.approx(west.estimate[2])


def test_hexagons_are_answered_by_where_records_can_be():
    domain = geodp.Domain(BOUNDS, crs=CRS, within=land())
    release = geodp.release((X, Y), domain, epsilon=1, cells=geodp.Hexagons(300), seed=1)
    boxes = [(100.0, 50.0, 700.0, 800.0), (1200.0, 300.0, 1900.0, 990.0)]
    expected = []
    for box in boxes:
        shares = []
        for shape in cell_shapes(release.cells):
            inside = shapely.intersection(shape, shapely.box(*BOUNDS))
            covered = weight_inside(shapely.intersection(inside, shapely.box(*box)), land())
            shares.append(covered / weight_inside(inside, land()))
        expected.append(np.dot(shares, release.counts))
    assert release.query(boxes).estimate == pytest.approx(expected)


def test_the_support_is_said_once_and_in_the_right_place():
    assert repr(geodp.Districts("a.gpkg", within="land.gpkg")) == (
        "Districts('a.gpkg', within='land.gpkg')"
    )
    domain = geodp.Domain(BOUNDS, crs=CRS)
    with pytest.raises(geodp.InputError, match="got a domain too"):
        geodp.release((X, Y), domain, epsilon=1, cells=geodp.Districts(halves()))
    with pytest.raises(geodp.InputError, match="give it to the domain"):
        geodp.Choice([geodp.Districts(halves(), within=land()), geodp.Hexagons(300)])
    sea = geopandas.GeoSeries([shapely.box(5000, 0, 6000, 10)], crs=CRS)
    with pytest.raises(geodp.InputError, match="must leave a place for records"):
        geodp.release((X, Y), epsilon=1, cells=geodp.Districts(halves(), within=sea))
    degrees = halves().to_crs(4326)
    shore = halves().geometry.iloc[:1]
    release = geodp.release(
        ([], []), epsilon=1, cells=geodp.Districts(degrees, within=shore), seed=1
    )
    assert 0.3 < release.domain.within.share < 0.7
