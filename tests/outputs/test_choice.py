"""A private choice among cells of unlike kinds: scores, sensitivities, releases, files."""

from __future__ import annotations

import pickle
from fractions import Fraction

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from score_steps import check_score_steps

import geodp
from geodp.core.cells.district_cells import DistrictCells
from geodp.core.cells.partitions import CutShares, GridPartition, Partition, PolygonPartition
from geodp.core.counts.amount_tally import AmountPlan
from geodp.core.counts.choice_tally import ChoicePlan
from geodp.core.mechanisms.selection import PartitionChoice
from geodp.core.mechanisms.tuners import Influence
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.axis import WHOLE
from geodp.sources.districts import districts_on

TOWN = geodp.Domain((0, 0, 8, 6), crs="EPSG:5070")
HALVES = [
    shapely.box(0, 0, 3, 6),
    shapely.box(3, 0, 5, 4),
    shapely.Polygon([(5, 0), (8, 0), (6, 3)]),
]


def make_layer(shapes, name="town") -> geopandas.GeoDataFrame:
    names = [f"{name} {number}" for number in range(len(shapes))]
    return geopandas.GeoDataFrame({"name": names}, geometry=list(shapes), crs="EPSG:5070")


def candidates(domain: geodp.Domain) -> tuple[Partition, ...]:
    cells = districts_on(make_layer(HALVES), domain)
    return (
        GridPartition(geodp.Grid(domain, (3, 4))),
        PolygonPartition(geodp.Hexagons(1.3).cells(domain)),
        PolygonPartition(cells),
    )


CANDIDATES = candidates(TOWN)
BOXES = [(0, 0, 3, 6), (1, 1, 5, 4), (0, 0, 8, 6), (5.5, 4.5, 7.5, 5.5), (3, 0, 5, 4)]


def workloads(domain: geodp.Domain) -> dict[str, Workload]:
    round_and_slanted = [shapely.Point(4, 3).buffer(2), shapely.Polygon([(0, 0), (8, 6), (0, 6)])]
    return {
        "boxes": Workload.from_boxes(BOXES, domain),
        "the districts": Workload.from_geodataframe(make_layer(HALVES), domain),
        "others": Workload.from_geodataframe(make_layer(round_and_slanted), domain),
    }


WORKLOADS = workloads(TOWN)
LAND = [[0, 0, 3, 3, 0, 0, 0, 0], [0, 0, 9, 9, 1, 0, 0, 0]]
SHORE = geodp.Domain(TOWN.bounds, TOWN.crs, within=geodp.Support(TOWN.bounds, LAND))
"""Records can be from 2 to 4, and from 4 to 5 in the south: nowhere in the third district."""

PLACED = {
    "all of a town": (CANDIDATES, WORKLOADS),
    "within a shore": (candidates(SHORE), workloads(SHORE)),
}
PLACES = [
    (x, y)
    for x in (0.0, 1.0, float(np.nextafter(3, 0)), 3.0, 4.2, 5.0, 6.0, 7.4, 8.0)
    for y in (0.0, 0.99, 3.0, 4.0, 4.5, 5.2, 6.0)
]
"""Corners and borders of districts, hexagons, cells and regions, gaps, and places between."""


def tally_points(workload: Workload, points, partitions=CANDIDATES):
    tally = ChoicePlan(partitions, workload).tally()
    tally.add(*np.array(points, dtype=float).reshape(-1, 2).T)
    return tally


@examples(60)
@given(
    placed=st.sampled_from(list(PLACED)),
    workload=st.sampled_from(list(WORKLOADS)),
    points=st.lists(st.sampled_from(PLACES), max_size=30),
    extra=st.sampled_from(PLACES),
    weights=st.lists(st.integers(1, 9), min_size=5, max_size=5),
)
def test_a_record_moves_no_score_further_than_its_sensitivity(
    placed, workload, points, extra, weights
):
    partitions, named = PLACED[placed]
    regions = named[workload]
    weight = np.array(weights[: len(regions)])
    before = tally_points(regions, points, partitions)
    after = tally_points(regions, [*points, extra], partitions)
    check_score_steps(partitions, regions, weight, (before, after))


AMOUNT = geodp.Amount("paid", 0, 12, unit=1)


@examples(30)
@given(
    placed=st.sampled_from(list(PLACED)),
    workload=st.sampled_from(list(WORKLOADS)),
    points=st.lists(st.tuples(st.sampled_from(PLACES), st.integers(-1, 12)), max_size=20),
    extra=st.tuples(st.sampled_from(PLACES), st.integers(-1, 12)),
)
def test_a_record_with_an_amount_moves_no_quality_further_than_its_units(
    placed, workload, points, extra
):
    partitions, named = PLACED[placed]
    regions = named[workload]
    plan = AmountPlan(ChoicePlan(partitions, regions), AMOUNT)
    pair = []
    for records in (points, [*points, extra]):
        tally = plan.tally()
        places = np.array([place for place, _ in records], dtype=float).reshape(-1, 2)
        tally.add(*places.T, np.array([steps for _, steps in records], dtype=np.int64))
        pair.append(tally)
    overlaps = [partition.overlap(regions) for partition in partitions]
    choice = PartitionChoice(Influence(), overlaps, regions.weights, Fraction(2))
    qualities = [choice.qualities(tally, Fraction(1)) for tally in pair]
    assert max(abs(a - b) for a, b in zip(*qualities)) <= AMOUNT.steps
    for place in range(len(partitions)):
        apart = [
            np.abs(many.summed()[place] - few.summed()[place]).sum()
            for few, many in zip(pair[0].groups, pair[1].groups)
        ]
        assert sum(apart) in (0, AMOUNT.steps)


def test_records_elsewhere_are_in_no_candidate_and_cells_elsewhere_in_no_release():
    partitions, named = PLACED["within a shore"]
    grid, hexagons, districts = partitions
    assert districts.cells.districts.ids == ("town 0", "town 1", "elsewhere")
    joined = [shapely.box(0, 0, 5, 6), shapely.box(5, 0, 8, 6)]
    west = PolygonPartition(districts_on(make_layer(joined), SHORE))
    assert (west.cells.districts.ids, west.leftover) == (("town 0",), False)
    assert len(hexagons.cells) < len(CANDIDATES[1].cells)
    tally = tally_points(named["boxes"], PLACES, partitions)
    held = sum(2 <= x < 4 or (4 <= x < 5 and y < 3) for x, y in PLACES)
    assert tally.total == held > 0
    assert [int(counts.sum()) for counts in tally.summed()] == [held] * 3
    assert int(tally.on(grid)[grid.supported].sum()) == held


def test_every_record_of_the_domain_is_counted_once_on_every_candidate():
    tally = tally_points(WORKLOADS["boxes"], PLACES)
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
    hairline = PolygonPartition(districts_on(make_layer(apart), TOWN))
    assert hairline.leftover
    regions = WORKLOADS["boxes"]
    assert hairline.overlap(regions).influence(np.ones(5, dtype=np.int64)) == 5 << 24
    joined = [shapely.box(0, 0, 4, 6), shapely.box(4, 0, 8, 6)]
    assert not PolygonPartition(districts_on(make_layer(joined), TOWN)).leftover


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
        shares = overlap.responses(np.ones(len(partition.supported), dtype=np.int64))
        assert all(value > 0 for value in shares)


TOWN_KM = geodp.Domain((0, 0, 8000, 6000), crs="EPSG:5070")


def crowd(count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(5)
    return tuple((rng.normal([2500, 3500], 900, (count, 2)) % [8000, 6000]).T)


def choice(domain: geodp.Domain = TOWN_KM, **options) -> geodp.Choice:
    layer = make_layer([shapely.affinity.scale(half, 1000, 1000, origin=(0, 0)) for half in HALVES])
    return geodp.Choice(
        [layer, geodp.Hexagons(300), geodp.Hexagons(2000), geodp.Grid(domain, (13, 17))], **options
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_releases_are_on_the_chosen_cells_and_open_again(seed, tmp_path):
    release = geodp.release(crowd(4000), TOWN_KM, epsilon=1, cells=choice(), seed=seed)
    assert release.cells.kind in ("districts", "hexagons", "regular")
    assert [spend.step for spend in release.spends] == ["sketch", "tuning", "counts"]
    assert sum(spend.epsilon for spend in release.spends) == 1
    checked = geodp.verify(release)
    assert checked.recomputed + checked.without_trace == 1
    assert release.counts.sum() == pytest.approx(4000, abs=300)
    assert "3 districts" not in release.describe()["candidates"].text  # the gap is one more
    assert "4 districts" in release.describe()["candidates"].text
    release.to_vector(tmp_path / "c.gpkg")
    again = geodp.open_release(tmp_path / "c.gpkg")
    assert again.cells == release.cells
    assert again.method == release.method


@pytest.mark.slow
def test_the_choice_follows_the_regions():
    x, y = crowd(200_000)
    towns = make_layer([shapely.affinity.scale(half, 1000, 1000, origin=(0, 0)) for half in HALVES])
    cells = choice(workload=towns)
    kinds = [
        geodp.release((x, y), TOWN_KM, epsilon=5, cells=cells, seed=seed).cells.kind
        for seed in range(4)
    ]
    assert kinds == ["districts"] * 4
    small = geodp.Workload.random_boxes(TOWN_KM, shares=[0.01], per_share=40, seed=3)
    release = geodp.release((x, y), TOWN_KM, epsilon=5, cells=choice(workload=small), seed=1)
    assert len(release.cells) > 100


def test_groups_and_people_go_along():
    x, y = crowd(2000)
    points = {"x": x, "y": y, "who": np.arange(2000) // 2, "kind": np.array(["a", "b"] * 1000)}
    release = geodp.release(
        points,
        TOWN_KM,
        epsilon=2,
        cells=choice(),
        protect=geodp.Person("who"),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=4,
    )
    checked = geodp.verify(release)
    assert checked.recomputed + checked.without_trace == 2
    assert release.total.counts.sum() == pytest.approx(1000, abs=150)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_amounts_and_where_records_can_be_go_along(seed, tmp_path):
    x, y = crowd(4000)
    bounds = TOWN_KM.bounds
    shore = geodp.Domain(bounds, crs="EPSG:5070", within=geodp.Support(bounds, [[2, 1, 0, 0]]))
    land = x < 4000
    claims = {"x": x, "y": y, "cost": np.full(4000, 3.0), "kind": np.array(["a", "b"] * 2000)}
    cells = choice(shore)
    release = geodp.release(
        claims, shore, epsilon=8, cells=cells, amount=geodp.Amount("cost", 0, 10), seed=seed
    )
    everywhere = release.query([bounds])
    assert everywhere.estimate[0] == pytest.approx(land.sum(), abs=80)
    assert everywhere.sum[0] == pytest.approx(3 * land.sum(), abs=400)
    assert everywhere.mean[0] == pytest.approx(3, abs=0.2)
    assert release.cells.bounds[:, 0].max() <= 4000  # nothing is measured in the east
    checked = geodp.verify(release)
    assert checked.recomputed + checked.without_trace == 8
    release.to_vector(tmp_path / "c.gpkg")
    again = geodp.open_release(tmp_path / "c.gpkg")
    assert again.cells == release.cells
    assert np.array_equal(again.query([bounds]).sum, everywhere.sum)
    groups = geodp.release(
        claims,
        shore,
        epsilon=8,
        cells=cells,
        amount=geodp.Amount("cost", 0, 10),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=seed,
    )
    assert groups["a"].query([bounds]).estimate[0] == pytest.approx(land[::2].sum(), abs=80)


def test_records_of_the_whole_extent_are_counted_whatever_is_chosen():
    """The rest of the extent, outside of all polygons, is one more cell of each candidate."""
    layer = make_layer([shapely.box(0, 0, 4000, 6000), shapely.box(4000, 0, 7000, 6000)])
    for cells in (geodp.Choice([layer, layer]), choice()):
        release = geodp.release(([7500.0], [10.0]), TOWN_KM, epsilon=1, cells=cells, seed=3)
        assert release.counted == "Counts every record inside the extent."
    alone = geodp.release(([10.0], [10.0]), epsilon=1, cells=geodp.Districts(layer), seed=3)
    assert alone.counted == "Counts every record inside the districts."


def test_bad_requests_are_refused():
    with pytest.raises(geodp.InputError, match="must be a list"):
        geodp.Choice(geodp.Hexagons(5))
    with pytest.raises(geodp.InputError, match="two candidates"):
        geodp.release(([], []), TOWN_KM, epsilon=1, cells=geodp.Choice([geodp.Hexagons(500)]))
    with pytest.raises(geodp.InputError, match="districts, hexagons, H3 or a grid"):
        geodp.Choice([geodp.Adaptive()])
    with pytest.raises(geodp.InputError, match="a public domain is needed"):
        geodp.release(([], []), epsilon=1, cells=choice())
    with pytest.raises(geodp.InputError, match="cells that are known beforehand"):
        geodp.forecast(TOWN_KM, cells=choice())
    shore = geodp.Domain(
        TOWN_KM.bounds, crs="EPSG:5070", within=geodp.Support(TOWN_KM.bounds, [[0, 1]])
    )
    west = geodp.Districts(make_layer([shapely.box(0, 0, 3000, 6000)])).cells
    with pytest.raises(geodp.InputError, match="must reach to where records can be"):
        PolygonPartition(DistrictCells(west.districts, shore, west.levels))
    far = make_layer([shapely.box(90000, 0, 91000, 100)])
    with pytest.raises(geodp.InputError, match="must reach into the domain"):
        geodp.release(([], []), TOWN_KM, epsilon=1, cells=geodp.Choice([far, geodp.Hexagons(500)]))


def test_a_border_within_the_margin_of_a_cell_counts_as_one_that_cuts_it():
    """Records of H3 may be a hair outside of their cell's outline, and so across the border."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    cells = Polygons.from_rings([(0, False, square)], 1)
    beside = Workload.from_boxes([(1.0005, 0.0, 2.0, 1.0)], TOWN)
    assert CutShares(cells, beside, leftover=False).influence(beside.weights) == 0
    moved = CutShares(cells, beside, leftover=False, margin=1e-3).influence(beside.weights)
    assert moved == int(beside.weights.sum()) * WHOLE
