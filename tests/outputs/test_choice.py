"""A private choice among cells of unlike kinds: scores, sensitivities, releases, files."""

from __future__ import annotations

import pickle

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from score_steps import check_score_steps

import geodp
from geodp.core.counts.choice_tally import ChoicePlan
from geodp.core.regions.partitions import GridPartition, Partition, PolygonPartition
from geodp.core.regions.workload import Workload
from geodp.sources.districts import districts_on

TOWN = geodp.Domain((0, 0, 8, 6), crs="EPSG:5070")
HALVES = [
    shapely.box(0, 0, 3, 6),
    shapely.box(3, 0, 5, 4),
    shapely.Polygon([(5, 0), (8, 0), (6, 3)]),
]


def layer_of(shapes, name="town") -> geopandas.GeoDataFrame:
    names = [f"{name} {number}" for number in range(len(shapes))]
    return geopandas.GeoDataFrame({"name": names}, geometry=list(shapes), crs="EPSG:5070")


def candidates() -> tuple[Partition, ...]:
    cells = districts_on(layer_of(HALVES), TOWN)
    return (
        GridPartition(geodp.Grid(TOWN, (3, 4))),
        PolygonPartition(geodp.Hexagons(1.3).cells(TOWN)),
        PolygonPartition(cells),
    )


CANDIDATES = candidates()
BOXES = [(0, 0, 3, 6), (1, 1, 5, 4), (0, 0, 8, 6), (5.5, 4.5, 7.5, 5.5), (3, 0, 5, 4)]
WORKLOADS = {
    "boxes": Workload.from_boxes(BOXES, TOWN),
    "the districts": Workload.from_geodataframe(layer_of(HALVES), TOWN),
    "others": Workload.from_geodataframe(
        layer_of([shapely.Point(4, 3).buffer(2), shapely.Polygon([(0, 0), (8, 6), (0, 6)])]), TOWN
    ),
}
PLACES = [
    (x, y)
    for x in (0.0, 1.0, float(np.nextafter(3, 0)), 3.0, 4.2, 5.0, 6.0, 7.4, 8.0)
    for y in (0.0, 0.99, 3.0, 4.0, 4.5, 5.2, 6.0)
]
"""Corners and borders of districts, hexagons, cells and regions, gaps, and places between."""


def tally_of(workload: Workload, points):
    tally = ChoicePlan(CANDIDATES, workload).tally()
    tally.add(*np.array(points, dtype=float).reshape(-1, 2).T)
    return tally


@examples(30)
@given(
    workload=st.sampled_from(list(WORKLOADS)),
    points=st.lists(st.sampled_from(PLACES), max_size=30),
    extra=st.sampled_from(PLACES),
    weights=st.lists(st.integers(1, 9), min_size=5, max_size=5),
)
def test_a_record_moves_no_score_further_than_its_sensitivity(workload, points, extra, weights):
    regions = WORKLOADS[workload]
    weight = np.array(weights[: len(regions)])
    pair = tally_of(regions, points), tally_of(regions, [*points, extra])
    check_score_steps(CANDIDATES, regions, weight, pair)


def test_every_record_of_the_domain_is_counted_once_on_every_candidate():
    tally = tally_of(WORKLOADS["boxes"], PLACES)
    assert [int(counts.sum()) for counts in tally.summed()] == [len(PLACES)] * 3
    assert tally.total == len(PLACES)
    both = pickle.loads(pickle.dumps(tally)) + tally
    assert both.total == 2 * len(PLACES)
    assert repr(both) == "ChoiceTally(private)"


def test_gaps_are_a_cell_and_hairlines_count_in_the_sensitivity():
    cells = CANDIDATES[2].cells
    assert cells.districts.ids[-1] == "elsewhere"
    assert cells.polygons.areas.sum() == pytest.approx(48)
    apart = [shapely.box(0, 0, 4, 6), shapely.box(np.nextafter(4, 5), 0, 8, 6)]
    hairline = PolygonPartition(districts_on(layer_of(apart), TOWN))
    assert hairline.leftover
    regions = WORKLOADS["boxes"]
    assert hairline.overlap(regions).influence(np.ones(5, dtype=np.int64)) == 5 << 24
    joined = [shapely.box(0, 0, 4, 6), shapely.box(4, 0, 8, 6)]
    assert not PolygonPartition(districts_on(layer_of(joined), TOWN)).leftover


def test_shares_are_those_of_shapely():
    regions = WORKLOADS["others"]
    drawn = [shapely.Point(4, 3).buffer(2), shapely.Polygon([(0, 0), (8, 6), (0, 6)])]
    for partition in CANDIDATES[1:]:
        overlap = partition.overlap(regions)
        polygons = partition._polygons
        shapes = [
            shapely.make_valid(shapely.Polygon(polygons.edges[polygons.owner == cell][:, :2]))
            if isinstance(partition.cells, type(CANDIDATES[1].cells))
            else None
            for cell in range(len(partition.cells))
        ]
        for region, cell, share in zip(overlap.region, overlap.cell, overlap.share):
            if shapes[cell] is not None:
                expected = drawn[region].intersection(shapes[cell]).area / shapes[cell].area
                assert share / (1 << 24) == pytest.approx(expected, abs=2e-7)
        whole = overlap.responses(np.ones(len(partition.supported), dtype=np.int64))
        assert all(value > 0 for value in whole)


TOWN_KM = geodp.Domain((0, 0, 8000, 6000), crs="EPSG:5070")


def crowd(count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(5)
    return tuple((rng.normal([2500, 3500], 900, (count, 2)) % [8000, 6000]).T)


def choice(**options) -> geodp.Choice:
    layer = layer_of([shapely.affinity.scale(each, 1000, 1000, origin=(0, 0)) for each in HALVES])
    return geodp.Choice(
        [layer, geodp.Hexagons(300), geodp.Hexagons(2000), geodp.Grid(TOWN_KM, (13, 17))], **options
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_releases_are_on_the_chosen_cells_and_open_again(seed, tmp_path):
    made = geodp.release(crowd(4000), TOWN_KM, epsilon=1, cells=choice(), seed=seed)
    assert made.cells.kind in ("districts", "hexagons", "regular")
    assert [spend.step for spend in made.spends] == ["sketch", "tuning", "counts"]
    assert sum(spend.epsilon for spend in made.spends) == 1
    checked = geodp.verify(made)
    assert checked.found + checked.without_trace == 1
    assert made.counts.sum() == pytest.approx(4000, abs=300)
    assert "3 districts" not in made.describe()["candidates"].text  # the gap is one more
    assert "4 districts" in made.describe()["candidates"].text
    made.to_vector(tmp_path / "c.gpkg")
    again = geodp.open_release(tmp_path / "c.gpkg")
    assert again.cells == made.cells
    assert again.method == made.method


def test_the_choice_follows_the_regions():
    x, y = crowd(200_000)
    towns = layer_of([shapely.affinity.scale(each, 1000, 1000, origin=(0, 0)) for each in HALVES])
    cells = choice(workload=towns)
    kinds = [
        geodp.release((x, y), TOWN_KM, epsilon=5, cells=cells, seed=seed).cells.kind
        for seed in range(4)
    ]
    assert kinds == ["districts"] * 4
    small = geodp.Workload.random_boxes(TOWN_KM, shares=[0.01], per_share=40, seed=3)
    made = geodp.release((x, y), TOWN_KM, epsilon=5, cells=choice(workload=small), seed=1)
    assert len(made.cells) > 100


def test_groups_and_people_go_along():
    x, y = crowd(2000)
    points = {"x": x, "y": y, "who": np.arange(2000) // 2, "kind": np.array(["a", "b"] * 1000)}
    made = geodp.release(
        points,
        TOWN_KM,
        epsilon=2,
        cells=choice(),
        protect=geodp.Person("who"),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=4,
    )
    checked = geodp.verify(made)
    assert checked.found + checked.without_trace == 2
    assert made.total.counts.sum() == pytest.approx(1000, abs=150)


def test_bad_requests_are_refused():
    with pytest.raises(geodp.InputError, match="must be a list"):
        geodp.Choice(geodp.Hexagons(5))
    with pytest.raises(geodp.InputError, match="two candidates"):
        geodp.release(([], []), TOWN_KM, epsilon=1, cells=geodp.Choice([geodp.Hexagons(500)]))
    with pytest.raises(geodp.InputError, match="districts, hexagons, H3 or a grid"):
        geodp.Choice([geodp.Adaptive()])
    with pytest.raises(geodp.InputError, match="a public domain is needed"):
        geodp.release(([], []), epsilon=1, cells=choice())
    shore = geodp.Domain(
        TOWN_KM.bounds, crs="EPSG:5070", within=geodp.Support(TOWN_KM.bounds, [[1, 0]])
    )
    with pytest.raises(geodp.InputError, match="without `within`"):
        geodp.release(([], []), shore, epsilon=1, cells=choice())
    far = layer_of([shapely.box(90000, 0, 91000, 100)])
    with pytest.raises(geodp.InputError, match="must reach into the domain"):
        geodp.release(([], []), TOWN_KM, epsilon=1, cells=geodp.Choice([far, geodp.Hexagons(500)]))
    with pytest.raises(geodp.InputError, match="got a choice of cells"):
        geodp.release(
            {"x": [1.0], "y": [1.0], "cost": [3.0]},
            TOWN_KM,
            epsilon=1,
            cells=choice(),
            amount=geodp.Amount("cost", 0, 10),
        )
