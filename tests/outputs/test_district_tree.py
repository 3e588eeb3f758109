"""Trees that are rooted in districts: their nodes, outlines, estimates, answers, and files."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from trees import weighted_variance

import geodp
from geodp.core.cells.district_tree_cells import DistrictTreeCells
from geodp.core.counts.district_tree_tally import DistrictTreePlan, DistrictTreeTally
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.district_tree import DistrictTree
from geodp.core.districts.districts import DistrictMap
from geodp.core.estimates.district_cover import cover_districts
from geodp.core.estimates.least_squares import Fit
from geodp.core.kernel.measurements import Measurements
from geodp.core.space.tree import Tree
from geodp.outputs.shapes import cell_shapes

BOUNDS = (0.0, 0.0, 1000.0, 800.0)
HORSESHOE = shapely.Polygon(
    [(100, 100), (900, 100), (900, 700), (700, 700), (700, 300), (300, 300), (300, 700), (100, 700)]
)


def parts(count: int, seed: int = 1) -> geopandas.GeoDataFrame:
    """Return parts of a rectangle nearest to each of some places."""
    rng = np.random.default_rng(seed)
    places = shapely.multipoints(rng.random((count, 2)) * [1000, 800])
    shapes = shapely.get_parts(shapely.voronoi_polygons(places, extend_to=shapely.box(*BOUNDS)))
    shapes = shapely.intersection(shapes, shapely.box(*BOUNDS))
    names = [f"part {number}" for number in range(len(shapes))]
    return geopandas.GeoDataFrame({"name": names}, geometry=shapes, crs="EPSG:5070")


def make_layer(*shapes: shapely.Geometry) -> geopandas.GeoDataFrame:
    names = [f"shape {number}" for number in range(len(shapes))]
    return geopandas.GeoDataFrame({"name": names}, geometry=list(shapes), crs="EPSG:5070")


def district_frame(layer: geopandas.GeoDataFrame, halvings: int = 6) -> DistrictFrame:
    cells = geodp.Districts(layer).cells
    return DistrictFrame(cells.districts, cells.domain, halvings)


def grown(frame: DistrictFrame, seed: int, odds: float = 0.6) -> DistrictTree:
    """Return a tree of which some nodes are split, by chance."""
    rng = np.random.default_rng(seed)
    code, _ = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    splits = []
    while True:
        split = frame.can_split(code) & frame.supported_codes(1, code)
        split &= rng.random(len(code)) < odds
        asked = np.flatnonzero(split)
        below, fan_out = frame.child_codes(1, code[asked])
        held = frame.supported_codes(1, below)
        split[asked[np.bincount(np.repeat(np.arange(len(asked)), fan_out), held) == 0]] = False
        splits.append(split)
        if not split.any():
            return DistrictTree(frame, splits)
        code, _ = frame.child_codes(len(splits), code[split])


def crowd(count: int, seed: int = 3) -> tuple[np.ndarray, ...]:
    """Records of which half crowd around one place."""
    rng = np.random.default_rng(seed)
    places = np.where(
        np.arange(count)[:, None] % 2,
        rng.normal([320, 260], [40, 60], (count, 2)),
        rng.random((count, 2)) * [1000, 800],
    )
    return tuple(places.T)


LAYERS = {
    "one": make_layer(shapely.box(0, 0, 1000, 800)),
    "horseshoe": make_layer(HORSESHOE, shapely.box(400, 400, 600, 600)),
    "parts": parts(9),
    "many parts": parts(70),
    "islands": make_layer(
        shapely.MultiPolygon([shapely.box(0, 0, 10, 10), shapely.box(990, 790, 1000, 800)]),
        shapely.Point(500, 400).buffer(200).difference(shapely.Point(500, 400).buffer(90)),
    ),
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_nodes_of_a_depth_are_disjoint_and_their_children_make_them_up(layer, seed):
    frame = district_frame(LAYERS[layer])
    tree = grown(frame, seed)
    for depth in range(1, len(tree.levels)):
        level = tree.levels[depth]
        start, stop = frame.spans(level.code)
        assert (start < stop).all()
        assert (stop[:-1] <= start[1:]).all()
        if depth + 1 < len(tree.levels):
            split = np.flatnonzero(level.split)
            below_start, below_stop = frame.spans(tree.levels[depth + 1].code)
            first = tree.family_start(depth)
            last = first + tree.fan_out(depth) - 1
            assert np.array_equal(below_start[first], start[split])
            assert np.array_equal(below_stop[last], stop[split])
            assert np.allclose(
                tree.family_sums(depth, tree.areas[depth + 1]), tree.areas[depth][split], rtol=1e-5
            )
    assert tree.areas[0][0] == pytest.approx(LAYERS[layer].area.sum())
    assert Tree.__eq__(DistrictTree.from_text(tree.to_text(), frame), tree)
    assert pickle.loads(pickle.dumps(tree)) == tree


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
def test_a_point_is_in_the_one_cell_whose_box_and_district_hold_it(layer):
    shapes = LAYERS[layer]
    frame = district_frame(shapes)
    tree = grown(frame, 5)
    rng = np.random.default_rng(4)
    corners = shapely.get_coordinates(shapes.geometry.to_numpy())  # and borders, and lines
    places = np.vstack([rng.random((4000, 2)) * [1000, 800], corners, tree.bounds[:, :2]])
    x, y = np.ascontiguousarray(places.T)
    cells = DistrictTreeCells(tree)
    cell = cells.locate(x, y)
    district = frame.districts.locate(x, y)
    assert (cell[district < 0] == -1).all()
    held = cell >= 0
    assert held[district >= 0].mean() > 0.98  # but for points on lines beyond which is nothing
    west, south, east, north = tree.bounds[cell[held]].T
    assert ((west <= x[held]) & (x[held] <= east)).all()
    assert ((south <= y[held]) & (y[held] <= north)).all()
    single = cells._district[cell[held]]
    assert ((single == district[held]) | (single < 0)).all()
    inside = shapely.contains_xy(cell_shapes(cells)[cell[held]], x[held], y[held])
    touches = shapely.distance(cell_shapes(cells)[cell[held]], shapely.points(x[held], y[held]))
    assert (inside | (touches < 1e-6)).all()


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
def test_outlines_are_what_boxes_share_with_districts(layer):
    frame = district_frame(LAYERS[layer])
    tree = grown(frame, 7)
    cells = DistrictTreeCells(tree)
    shapes = cell_shapes(cells)
    assert shapely.is_valid(shapes).all()
    by_id = dict(zip(LAYERS[layer]["name"], LAYERS[layer].geometry))
    for place, name in enumerate(cells.attributes()["district"]):
        expected = shapely.union_all([by_id[each] for each in name.split(" + ")])
        if " + " not in name:
            expected = shapely.intersection(expected, shapely.box(*tree.bounds[place]))
        assert shapely.area(shapely.symmetric_difference(shapes[place], expected)) < 1e-6
    assert np.allclose(cells.bounds, shapely.bounds(shapes))
    assert cells.polygons.areas == pytest.approx(shapely.area(shapes), rel=1e-6, abs=1e-6)


@examples(25)
@given(st.sampled_from(list(LAYERS)), st.integers(0, 2**32 - 1))
def test_estimates_are_those_of_dense_least_squares(layer, seed):
    tree = grown(district_frame(LAYERS[layer], 3), seed, 0.4)
    rng = np.random.default_rng(seed)
    supported = np.concatenate([level.supported for level in tree.levels])
    split = np.concatenate([level.split for level in tree.levels])
    times = rng.integers(0, 3, tree.nodes)
    times[~split] = np.maximum(times[~split], 1)
    times[~supported] = 0
    node = np.repeat(np.arange(tree.nodes), times)
    scales = (Fraction(1), Fraction(10, 3), Fraction(1, 2))
    scale = rng.integers(0, 3, len(node))
    measurements = Measurements(node, rng.integers(-9, 99, len(node)), scale, scales)
    fit = Fit(tree, measurements)
    every = np.zeros((tree.nodes, len(tree)))
    every[tree.cell_node, np.arange(len(tree))] = 1
    for depth in range(len(tree.levels) - 1, 0, -1):
        level, above = tree.levels[depth], tree.levels[depth - 1]
        np.add.at(every, above.first + level.parent, every[level.first : level.first + len(level)])
    rows = every[measurements.node]
    precision = 1 / np.array(measurements.variances())[measurements.scale]
    covariance = np.linalg.inv(rows.T @ (precision[:, None] * rows))
    assert np.allclose(fit.estimate, covariance @ rows.T @ (precision * measurements.value))
    assert np.allclose(fit.variance, np.diag(covariance))
    weights = rng.random((3, len(tree))) * (rng.random((3, len(tree))) < 0.5)
    assert np.allclose(weighted_variance(fit, weights), np.diag(weights @ covariance @ weights.T))


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_regions_cover_cells_as_shapely_says(layer, kind):
    tree = grown(district_frame(LAYERS[layer]), 11)
    shapes = cell_shapes(DistrictTreeCells(tree))
    domain = tree.frame.domain
    if kind == "boxes":
        asked = [(120, 90, 480, 530), (0, 0, 1000, 800), (333.3, 250, 777, 251)]
        asked = [(a, b, min(c, domain.bounds[2]), min(d, domain.bounds[3])) for a, b, c, d in asked]
        asked = [box for box in asked if box[0] < box[2] and box[1] < box[3]]
        regions, drawn = geodp.Workload.from_boxes(asked, domain), [shapely.box(*b) for b in asked]
    else:
        drawn = [shapely.Point(350, 300).buffer(210), HORSESHOE, *LAYERS[layer].geometry[:1]]
        drawn = [shapely.intersection(each, shapely.box(*domain.bounds)) for each in drawn]
        regions = geodp.Workload.from_geodataframe(make_layer(*drawn), domain)
    expected = shapely.area(shapely.intersection(np.array(drawn)[:, None], shapes))
    expected /= shapely.area(shapes)
    share = np.zeros_like(expected)
    for part, cover in cover_districts(tree, regions):
        for depth, entry in enumerate(cover):
            for region, node, weight, ends in zip(
                entry.region, entry.node, entry.weight, entry.ends
            ):
                if ends:
                    below = _cells_below(tree, depth, node)
                    share[part.start + region, below] = weight
    union = tree.frame.is_union(tree.cell_code)  # of a union, by the areas of its districts
    assert np.allclose(share[:, ~union], expected[:, ~union], atol=2e-6)
    assert np.allclose(share[:, union], expected[:, union], atol=1e-5)


def _cells_below(tree: DistrictTree, depth: int, node: int) -> np.ndarray:
    if depth == 0:
        return np.arange(len(tree))
    (start,), (stop,) = tree.frame.spans(tree.levels[depth].code[[node]])
    return np.flatnonzero((tree.cell_start >= start) & (tree.cell_start < stop))


def test_the_table_is_measured_and_the_map_adds_up_to_it():
    layer = parts(40)
    release = geodp.release(crowd(30_000), epsilon=1, cells=geodp.Adaptive(districts=layer), seed=1)
    answers = release.query(layer)
    assert (answers["border_share"] == 0).all()
    assert np.allclose(answers["std_error"], answers["noise_error"])
    by_district = release.to_geodataframe().groupby("district")["count"].sum()
    assert np.allclose(by_district[layer["name"]], answers["estimate"])
    total = release.query(layer.dissolve())["estimate"].iloc[0]
    assert total == pytest.approx(answers["estimate"].sum())
    x, y = crowd(30_000)
    truth = np.bincount(geodp.Districts(layer).cells.locate(x, y), minlength=40)
    assert np.abs(answers["estimate"] - truth).mean() < 6
    assert release.cells.without_count == ()
    assert release.describe()["without_count"].text == "none of 40"


def test_districts_with_few_records_share_a_cell_and_are_named():
    layer = parts(40)
    release = geodp.release(
        ([1.0], [1.0]), epsilon=1, cells=geodp.Adaptive(districts=layer), seed=1
    )
    names = release.cells.without_count
    assert len(names) > 20
    assert set(names) <= set(layer["name"])
    named = release.to_geodataframe()["district"]
    assert sorted(name for cell in named for name in cell.split(" + ")) == sorted(layer["name"])
    answers = release.query(layer).set_index("name")
    assert (answers.loc[list(names), "border_share"] > 0).mean() > 0.3
    assert (answers.loc[list(names), "std_error"] > 0).all()
    named = release.describe()["without_count"]
    assert named.text.startswith(f"{len(names)} of 40: ")
    assert named.value == list(names)


@pytest.mark.parametrize(
    ("count", "given", "share"),
    [(150, None, "3/10"), (1500, None, "1/4"), (9000, None, "3/20"), (9000, "1/2", "1/2")],
)
def test_districts_with_many_records_leave_more_for_their_cells(count, given, share):
    """Records times ε of a mean district are some 60, 620 and 3,700 here."""
    cells = geodp.Adaptive(districts=parts(12), share=given)
    release = geodp.release(crowd(count), epsilon=5, cells=cells, seed=1)
    scales = {1 / (Fraction(each) * 5 * Fraction(99, 100)) for each in ("3/10", "1/4", "3/20")}
    scales |= {1 / (Fraction(given or share) * 5 * Fraction(99, 100))}
    used = scales & set(release.measurements.scales)
    assert used == {1 / (Fraction(share) * 5 * Fraction(99, 100))}
    assert geodp.verify(release).recomputed == 5


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_files_open_again(suffix, tmp_path):
    layer = LAYERS["horseshoe"]
    cells = geodp.Adaptive(districts=layer, share="1/2")
    release = geodp.release(crowd(3000), epsilon=2, cells=cells, seed=1)
    release.to_vector(tmp_path / f"c{suffix}")
    again = geodp.open_release(tmp_path / f"c{suffix}")
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    assert np.array_equal(again.query(layer)["estimate"], release.query(layer)["estimate"])
    assert geodp.verify(again).recomputed == 2
    with pytest.raises(geodp.InputError, match="polygons: write them as a vector layer"):
        release.to_geotiff(tmp_path / "c.tif")


@pytest.mark.slow
def test_reports_and_pictures_are_made(tmp_path):
    layer = parts(20)
    release = geodp.release(crowd(3000), epsilon=2, cells=geodp.Adaptive(districts=layer), seed=1)
    release.to_report(tmp_path / "r.html")  # lists its districts, without being asked to
    page = (tmp_path / "r.html").read_text("utf-8")
    answers = release.query(layer)
    listed = re.findall(r'<td>(part \d+)</td><td class="n" data-value="([^"]+)"', page)
    assert [name for name, _ in listed] == answers["name"].tolist()
    assert np.allclose([float(count) for _, count in listed], answers["estimate"], rtol=1e-4)
    assert "Counts every record inside the districts." in page
    release.to_report(tmp_path / "asked.html", regions=layer)
    assert "part 3" in (tmp_path / "asked.html").read_text("utf-8")
    assert release.plot() is not None
    assert "cells in 20 districts" in repr(release)


def test_a_difference_is_between_two_of_them():
    layer = parts(20)
    cells = geodp.Adaptive(districts=layer)
    later, earlier = (
        geodp.release(crowd(count), epsilon=2, cells=cells, seed=count) for count in (3000, 2000)
    )
    answers = (later - earlier).query(layer)
    expected = later.query(layer)["estimate"] - earlier.query(layer)["estimate"]
    assert np.allclose(answers["estimate"], expected)


@pytest.mark.parametrize(
    "protect",
    [
        geodp.Record(),
        geodp.Record(neighbours="replace"),
        geodp.Person("who", max_records=3),
        geodp.Person("who"),
    ],
)
@pytest.mark.parametrize("epsilon", [1, "1/7"])
def test_every_path_costs_all_of_epsilon_in_all_groups(protect, epsilon):
    layer = parts(30)
    x, y = crowd(4000)
    points = {
        "x": x,
        "y": y,
        "who": np.arange(4000) // 2,
        "kind": np.array(["a", "b"])[[0, 1] * 2000],
    }
    release = geodp.release(
        points,
        epsilon=epsilon,
        cells=geodp.Adaptive(districts=layer),
        protect=protect,
        by=geodp.Categories("kind", ["a", "b"]),
        seed=2,
    )
    assert geodp.verify(release).recomputed == Fraction(epsilon)
    assert sum(spend.epsilon for spend in release.spends) == Fraction(epsilon)
    both = release.total.query(layer)["estimate"]
    assert np.allclose(both, sum(one.query(layer)["estimate"] for one in release.maps.values()))


def test_people_are_spread_over_their_records():
    layer = parts(12)
    x, y = crowd(4000)
    points = {"x": x, "y": y, "who": np.arange(4000) // 4}
    cells = geodp.Adaptive(districts=layer)
    # Where districts hold as many as here, 3/20 of ε are for their counts.
    release = geodp.release(points, epsilon=100, cells=cells, protect=geodp.Person("who"), seed=1)
    assert release.query(layer)["estimate"].sum() == pytest.approx(1000, abs=1)
    code = geodp.Districts(layer).cells.locate(x, y)
    truth = np.bincount(code[code >= 0], minlength=12) / 4  # a few are outside of the layer
    assert release.query(layer)["estimate"].to_numpy() == pytest.approx(truth, abs=2)


def test_tallies_merge_and_travel():
    frame = district_frame(LAYERS["parts"], 13)
    x, y = crowd(5000)
    one, other = (DistrictTreePlan(frame).tally() for _ in range(2))
    one.add(x[:2000], y[:2000])
    other.add(x[2000:], y[2000:])
    every = DistrictTreeTally(frame)
    every.add(x, y)
    codes, _ = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    expected = np.bincount(frame.districts.locate(x, y), minlength=9)[frame.district(codes)]
    for tally in (one + other, pickle.loads(pickle.dumps(every)), every):
        assert tally.total == 5000
        assert tally.node_counts(codes, 1).tolist() == expected.tolist()
    assert repr(every) == "DistrictTreeTally(private)"
    with pytest.raises(geodp.InputError, match="same frame"):
        every += DistrictTreeTally(district_frame(LAYERS["parts"], 12))


def test_bad_requests_are_refused():
    layer = LAYERS["horseshoe"]
    with pytest.raises(geodp.InputError, match="`share` is for `districts`"):
        geodp.Adaptive(share=0.3)
    with pytest.raises(geodp.InputError, match="between 0 and 1"):
        geodp.Adaptive(districts=layer, share=1)
    town = geodp.Domain(BOUNDS, crs="EPSG:5070")
    with pytest.raises(geodp.InputError, match="got a domain too"):
        geodp.release(([], []), town, epsilon=1, cells=geodp.Adaptive(districts=layer))
    cells = geodp.Adaptive(districts=layer, resolution=50)
    assert cells == geodp.Adaptive(districts=layer, resolution=50)
    assert repr(cells) == "Adaptive(resolution=50.0, districts=Districts(<GeoDataFrame>))"
    release = geodp.release(crowd(50_000), epsilon=5, cells=cells, seed=1)
    box = release.cells.tree.bounds
    assert (box[:, 2:] - box[:, :2]).min() >= 50


@pytest.mark.parametrize(
    "points", [([], []), ([np.nan, np.inf, 1e300], [1.0, 2.0, -1e300]), ([1000.0], [800.0])]
)
def test_odd_records_are_dropped(points):
    release = geodp.release(points, epsilon=1, cells=geodp.Adaptive(districts=parts(5)), seed=1)
    other = geodp.release(([], []), epsilon=1, cells=geodp.Adaptive(districts=parts(5)), seed=1)
    assert release.measurements == other.measurements


def test_unions_are_halved_to_districts():
    frame = district_frame(parts(70), 2)
    code, fan_out = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    assert len(code) == 16 == fan_out[0]
    while frame.is_union(code).any():
        below, fan_out = frame.child_codes(1, code[frame.is_union(code)])
        assert ((fan_out >= 2) & (fan_out <= 4)).all()
        code = np.append(below, code[~frame.is_union(code)])
    assert sorted(frame.district(code).tolist()) == list(range(70))
    assert isinstance(frame.districts, DistrictMap)
