"""Cells of H3: counted by index, drawn as the package draws them, opened without it."""

from __future__ import annotations

import pickle
import sys
from collections import Counter

import geopandas
import h3
import numpy as np
import pandas
import pyarrow.parquet
import pytest
import shapely
from commands import ran, refused
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from pyproj import Transformer
from score_steps import check_score_steps

import geodp
from geodp.core.cells.h3_cells import H3Cells
from geodp.core.cells.partitions import PolygonPartition, fills
from geodp.core.counts.cell_tally import CellPlan
from geodp.core.counts.choice_tally import ChoicePlan
from geodp.core.regions.workload import Workload
from geodp.sources import h3_cells as made_by
from geodp.sources.h3_cells import h3_cells, h3_indices

TOWN = geodp.Domain((500_000, 5_400_000, 508_000, 5_406_000), crs="EPSG:32633")
PENTAGON = h3.get_pentagons(6)[4]
PLACES = {
    "a town": (TOWN, 8),
    "a continent": (geodp.Domain((2.5e6, 1.4e6, 6.5e6, 5.5e6), crs="EPSG:3035"), 1),
    "across the date line": (geodp.Domain((-1e6, -1e6, 1e6, 1e6), crs="EPSG:3832"), 3),
    "a pole": (geodp.Domain((-1e6, -1e6, 1e6, 1e6), crs="EPSG:3031"), 2),
    "degrees": (geodp.Domain((10, 40, 12, 41), crs="EPSG:4326", allow_geographic=True), 5),
    "feet": (geodp.Domain((950_000, 150_000, 1_000_000, 200_000), crs="EPSG:2263"), 7),
}


def around(index: str, reach: float, crs: str = "EPSG:3857") -> geodp.Domain:
    latitude, longitude = h3.cell_to_latlng(index)
    x, y = Transformer.from_crs(4326, crs, always_xy=True).transform(longitude, latitude)
    return geodp.Domain((x - reach, y - reach, x + reach, y + reach), crs=crs)


PLACES["a pentagon"] = (around(PENTAGON, 20_000), 6)


def points_in(domain: geodp.Domain, count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(7)
    west, south, east, north = domain.bounds
    return rng.uniform(west, east, count), rng.uniform(south, north, count)


def by_package(x, y, domain, resolution) -> list[str]:
    to = Transformer.from_crs(domain.crs.name, 4326, always_xy=True)
    longitude, latitude = to.transform(x, y)
    return [h3.latlng_to_cell(*place, resolution) for place in zip(latitude, longitude)]


@pytest.mark.parametrize("place", PLACES)
def test_every_point_of_the_domain_is_in_one_cell_and_counted_by_its_index(place):
    domain, resolution = PLACES[place]
    cells = h3_cells(domain, resolution)
    x, y = points_in(domain, 3000)
    west, south, east, north = domain.bounds
    x, y = np.append(x, [west, west, east, east]), np.append(y, [south, north, south, north])
    tally = CellPlan(cells).tally()
    tally.add(x, y)
    inside = tally.on(cells)
    assert inside[-1] == 0  # in no cell
    names = cells.attributes()["h3"].tolist()
    held = {name: count for name, count in zip(names, inside.tolist()) if count}
    # Points on the east and north sides move by a hair, which changes no index but by bad luck.
    assert held == dict(Counter(by_package(x, y, domain, resolution)))
    assert cells.inside.areas.sum() == pytest.approx(domain.area, rel=1e-9)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("place", PLACES)
def test_outlines_are_those_of_the_package_and_neighbours_share_them(place):
    domain, resolution = PLACES[place]
    cells = h3_cells(domain, resolution)
    x, y = points_in(domain, 5000)
    drawn, counted = cells.locate(x, y), cells.located(x, y)
    assert (drawn != counted).mean() < 1e-3
    assert fills(cells.inside, domain.bounds)
    to = Transformer.from_crs(4326, domain.crs.name, always_xy=True)
    corners = cells.polygons.edges[:, :2]
    for place_of_cell in (0, len(cells) // 2, len(cells) - 1):
        name = cells.attributes()["h3"][place_of_cell]
        known = corners[cells.polygons.owner == place_of_cell]
        scale = np.ptp(known, axis=0).max()
        for latitude, longitude in h3.cell_to_boundary(name):
            away = np.abs(known - to.transform(longitude, latitude)).max(axis=1)
            assert away.min() < 1e-4 * scale


def test_a_pentagon_has_five_sides_and_is_counted():
    domain, resolution = PLACES["a pentagon"]
    cells = h3_cells(domain, resolution)
    place = cells.attributes()["h3"].tolist().index(PENTAGON)
    west, south, east, north = domain.bounds
    middle = np.array([(west + east) / 2]), np.array([(south + north) / 2])
    assert cells.located(*middle).tolist() == [place]


def test_what_is_nowhere_on_earth_is_in_no_cell():
    domain = geodp.Domain((-2e7, -2e7, 2e7, 2e7), crs="EPSG:3035")
    indices = h3_indices(np.array([-2e7, 4e6]), np.array([-2e7, 3e6]), domain, 3)
    assert indices[0] == 0
    assert indices[1] > 0


def test_a_release_counts_what_the_package_counts():
    x, y = points_in(TOWN, 2000)
    release = geodp.release((x, y), TOWN, epsilon=60, cells=geodp.H3(7), seed=3, force=True)
    known = Counter(by_package(x, y, TOWN, 7))
    frame = release.to_geodataframe()
    assert dict(zip(frame["h3"], frame["count"])) == {name: known[name] for name in frame["h3"]}
    answers = release.query([TOWN.bounds])
    assert answers.estimate[0] == pytest.approx(2000)
    again = geodp.release((x, y), TOWN, epsilon=60, cells=geodp.H3([7]), seed=3, force=True)
    assert np.array_equal(release.counts, again.counts)


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_files_open_where_there_is_no_package(suffix, tmp_path, monkeypatch):
    release = geodp.release(points_in(TOWN, 50), TOWN, epsilon=1, cells=geodp.H3(7))
    release.to_vector(tmp_path / f"c{suffix}")
    for name in [name for name in sys.modules if name.split(".")[0] == "h3"]:
        monkeypatch.setitem(sys.modules, name, None)
    again = geodp.open_release(tmp_path / f"c{suffix}")
    assert again.cells == release.cells
    assert isinstance(again.cells, H3Cells)
    assert np.array_equal(again.counts, release.counts)
    assert again.query([TOWN.bounds]).estimate == pytest.approx(
        release.query([TOWN.bounds]).estimate
    )
    assert again.cells.locate(np.array([504_000.0]), np.array([5_403_000.0])) >= 0
    again.plot()
    again.to_report(tmp_path / "r.html")
    assert geodp.verify(again).recomputed == 1
    with pytest.raises(geodp.InputError, match="need the package h3"):
        geodp.release(points_in(TOWN, 50), TOWN, epsilon=1, cells=geodp.H3(7))


def test_indices_are_text_or_whole_numbers_in_parquet(tmp_path):
    release = geodp.release(points_in(TOWN, 50), TOWN, epsilon=1, cells=geodp.H3(7))
    release.to_vector(tmp_path / "t.parquet")
    release.to_vector(tmp_path / "n.parquet", h3_integers=True)
    text = pyarrow.parquet.read_table(tmp_path / "t.parquet", partitioning=None)["h3"].to_pylist()
    table = pyarrow.parquet.read_table(tmp_path / "n.parquet", partitioning=None)
    assert table.schema.field("h3").type == pyarrow.uint64()
    assert [h3.int_to_str(index) for index in table["h3"].to_pylist()] == text
    assert geodp.open_release(tmp_path / "n.parquet").cells == release.cells
    with pytest.raises(geodp.InputError, match=r"whole numbers in \.parquet alone"):
        release.to_vector(tmp_path / "n.gpkg", h3_integers=True)
    plain = geodp.release(points_in(TOWN, 50), TOWN, epsilon=1)
    with pytest.raises(geodp.InputError, match="these are of another kind"):
        plain.to_vector(tmp_path / "p.parquet", h3_integers=True)
    assert not (tmp_path / "n.gpkg").exists()


def test_cells_are_only_where_records_can_be():
    west = geopandas.GeoSeries([shapely.box(500_000, 5_400_000, 503_000, 5_406_000)], crs=32633)
    part = geodp.Domain(TOWN.bounds, TOWN.crs, within=west)
    cells, every = h3_cells(part, 8), h3_cells(TOWN, 8)
    assert set(cells.indices) < set(every.indices)
    assert cells.bounds[:, 0].max() < 503_500
    release = geodp.release(points_in(TOWN, 900), part, epsilon=50, cells=geodp.H3(8), seed=1)
    x, y = points_in(TOWN, 900)
    assert release.counts.sum() == pytest.approx(part.within.holds(x, y).sum(), abs=3)


def test_people_groups_and_amounts_go_along():
    x, y = points_in(TOWN, 600)
    table = {"x": x, "y": y, "who": np.arange(600) // 3, "kind": ["a", "b"] * 300, "paid": x % 10}
    people = geodp.release(
        table, TOWN, epsilon=40, cells=geodp.H3(7), protect=geodp.Person("who"), seed=1, force=True
    )
    assert people.counts.sum() == pytest.approx(200, abs=2)
    groups = geodp.Categories("kind", ["a", "b"])
    releases = geodp.release(
        table, TOWN, epsilon=40, cells=geodp.H3(7), by=groups, seed=1, force=True
    )
    assert [round(releases[name].counts.sum()) for name in groups.values] == pytest.approx(
        [300, 300], abs=2
    )
    paid = geodp.Amount("paid", 0, 10)
    release = geodp.release(
        table, TOWN, epsilon=40, cells=geodp.H3(7), amount=paid, seed=1, force=True
    ).query([TOWN.bounds])
    assert release.sum[0] == pytest.approx(np.sum(table["paid"]), rel=0.02)


RESOLUTIONS = geodp.H3([7, 8, 9])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_resolution_is_chosen_privately(seed, tmp_path):
    release = geodp.release(points_in(TOWN, 5000), TOWN, epsilon=1, cells=RESOLUTIONS, seed=seed)
    assert release.cells.kind == "h3"
    assert [spend.step for spend in release.spends] == ["sketch", "tuning", "counts"]
    assert sum(spend.epsilon for spend in release.spends) == 1
    assert "H3 cells of resolution 8" in release.describe()["candidates"].text
    release.to_vector(tmp_path / "c.gpkg")
    again = geodp.open_release(tmp_path / "c.gpkg")
    assert again.cells == release.cells
    assert again.method == release.method
    assert release.counts.sum() == pytest.approx(5000, abs=700)


def test_h3_competes_with_other_cells():
    cells = geodp.Choice([geodp.H3([7, 8]), geodp.Hexagons(700), geodp.Grid(TOWN, (6, 8))])
    release = geodp.release(points_in(TOWN, 4000), TOWN, epsilon=1, cells=cells, seed=2)
    assert len(release.method.candidates) == 4


SMALL = tuple(PolygonPartition(cells) for cells in geodp.H3([7, 8]).candidates(TOWN))
REGIONS = Workload.from_geodataframe(
    geopandas.GeoDataFrame(
        geometry=[
            shapely.box(500_000, 5_400_000, 503_000, 5_406_000),
            shapely.Point(504_000, 5_403_000).buffer(1500),
            shapely.box(*TOWN.bounds),
        ],
        crs=TOWN.crs.name,
    ),
    TOWN,
)
CORNERS = [
    tuple(corner)
    for partition in SMALL
    for corner in partition.cells.inside.edges[::7, :2].tolist()
]
"""Corners of cells, where index and outline are most likely to say unlike things."""


def tally_points(points):
    tally = ChoicePlan(SMALL, REGIONS).tally()
    tally.add(*np.array(points, dtype=float).reshape(-1, 2).T)
    return tally


@examples(25)
@given(
    points=st.lists(st.sampled_from(CORNERS), max_size=20),
    extra=st.sampled_from(CORNERS),
    weights=st.lists(st.integers(1, 9), min_size=3, max_size=3),
)
def test_a_record_moves_no_score_further_than_its_sensitivity(points, extra, weights):
    weight = np.array(weights)
    check_score_steps(
        SMALL, REGIONS, weight, (tally_points(points), tally_points([*points, extra]))
    )


def test_a_record_far_from_the_outline_of_its_index_is_left_out_of_everything(monkeypatch):
    """A package that errs must not make a record count in a cell where it is not."""
    plan = ChoicePlan(SMALL, REGIONS)
    x, y = np.array([500_100.0, 507_900.0]), np.array([5_400_100.0, 5_405_900.0])
    right = {cells.cells.resolution: cells.cells.located(x, y) for cells in SMALL}

    def wrong(x, _y, _domain, resolution):
        cells = next(each.cells for each in SMALL if each.cells.resolution == resolution)
        return cells.indices[np.full(len(x), right[resolution][0])]

    monkeypatch.setattr(made_by, "h3_indices", wrong)
    tally = plan.tally()
    tally.add(x, y)
    assert [int(counts.sum()) for counts in tally.summed()] == [1, 1]
    assert tally.total == 1
    assert tally.inside()[2] == 1


def test_cells_and_tallies_travel_to_workers():
    cells = h3_cells(TOWN, 7)
    tally = CellPlan(cells).tally()
    tally.add(*points_in(TOWN, 10))
    both = pickle.loads(pickle.dumps(tally)) + tally
    assert both.total == 20
    assert repr(both) == "CellTally(private)"
    assert pickle.loads(pickle.dumps(cells)) == cells


@pytest.mark.parametrize("given_", [-1, 16, 7.0, "7", None, True, [], [7, 7], [7, 16], [[7]]])
def test_other_resolutions_are_refused(given_):
    with pytest.raises(geodp.InputError, match="of H3 must be"):
        geodp.H3(given_)


def test_requests_that_do_not_fit_are_refused(monkeypatch):
    with pytest.raises(geodp.InputError, match="are for a choice of resolutions"):
        geodp.H3(7, tuning_share=0.2)
    monkeypatch.setattr(made_by, "MOST_CELLS", 500)
    with pytest.raises(geodp.InputError, match="up to 500 cells of H3; resolution 10 makes more"):
        h3_cells(TOWN, 10)
    with pytest.raises(geodp.InputError, match="a public domain is needed"):
        geodp.release(([], []), epsilon=1, cells=geodp.H3(7))


@pytest.mark.parametrize(
    "change",
    [
        {"resolution": 16},
        {"resolution": True},
        {"resolution": "7"},
        {"corners": []},
        {"corners": [6] * 3},
        {"corners": [1 << 40] * 6},
        {"indices": ""},
        {"outlines": "AAAA"},
    ],
)
def test_facts_of_a_stranger_are_refused(change):
    cells = h3_cells(TOWN, 7)
    facts = cells.to_facts()
    assert H3Cells.from_facts(facts, TOWN, 1000) == cells
    with pytest.raises(Exception, match=r"."):
        H3Cells.from_facts({**facts, **change}, TOWN, 1000)
    with pytest.raises(ValueError, match="none"):
        H3Cells.from_facts(facts, TOWN, 2)


@pytest.fixture
def words(tmp_path):
    x, y = points_in(TOWN, 400)
    pandas.DataFrame({"x": x, "y": y}).to_csv(tmp_path / "p.csv", index=False)
    table = [tmp_path / "p.csv", "--x", "x", "--y", "y", "--points-crs", "EPSG:32633"]
    return ["release", *table, "--bounds", *TOWN.bounds, "--crs", "EPSG:32633", "--epsilon", "1"]


@pytest.mark.slow
def test_the_command_line_gives_what_the_library_gives(words, tmp_path):
    path = tmp_path / "c.parquet"
    ran(*words, "--h3", "7", "--h3-integers", "-o", path, "-o", tmp_path / "c.csv", "--seed", "4")
    x, y = points_in(TOWN, 400)
    twin = geodp.release((x, y), TOWN, epsilon=1, cells=geodp.H3(7), seed=4)
    assert np.array_equal(geodp.open_release(path).counts, twin.counts)
    table = pandas.read_csv(tmp_path / "c.csv")
    assert table["h3"].tolist() == twin.to_geodataframe()["h3"].tolist()
    ran(*words, "--h3", "7, 8", "-o", tmp_path / "d.gpkg", "--seed", "4", "--yes")
    several = geodp.release((x, y), TOWN, epsilon=1, cells=geodp.H3([7, 8]), seed=4)
    assert geodp.open_release(tmp_path / "d.gpkg").cells == several.cells
    ran(*words, "--hexagons", "1km", "-o", tmp_path / "e.gpkg", "--seed", "4")
    regular = geodp.release((x, y), TOWN, epsilon=1, cells=geodp.Hexagons(1000), seed=4)
    assert np.array_equal(geodp.open_release(tmp_path / "e.gpkg").counts, regular.counts)


def test_a_resolution_is_chosen_within_land_and_for_amounts_on_the_command_line(words, tmp_path):
    x, y = points_in(TOWN, 400)
    pandas.DataFrame({"x": x, "y": y, "paid": x % 10}).to_csv(tmp_path / "p.csv", index=False)
    land = geopandas.GeoDataFrame(
        geometry=[shapely.box(500_000, 5_400_000, 503_000, 5_406_000)], crs=32633
    )
    land.to_file(tmp_path / "land.gpkg")
    more = ["--within", tmp_path / "land.gpkg", "--amount", "paid", "--between", 0, 10]
    ran(*words, "--h3", "7,8", *more, "-o", tmp_path / "c.gpkg", "--seed", "4", "--yes")
    part = geodp.Domain(TOWN.bounds, TOWN.crs, within=land)
    twin = geodp.release(
        {"x": x, "y": y, "paid": x % 10},
        part,
        epsilon=1,
        cells=geodp.H3([7, 8]),
        amount=geodp.Amount("paid", 0, 10),
        seed=4,
    )
    release = geodp.open_release(tmp_path / "c.gpkg")
    assert release.cells == twin.cells
    assert release.cells.bounds[:, 0].max() < 503_500
    assert np.array_equal(release.query([TOWN.bounds]).sum, twin.query([TOWN.bounds]).sum)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("--h3 x", "--h3 must be a resolution of H3"),
        ("--h3 16", "whole number from 0 to 15"),
        ("--h3 7 --hexagons 1km", "got --hexagons and --h3"),
        ("--h3 7 --districts d.gpkg", "got --districts and --h3"),
        ("--h3 7 --sizes 30", "--sizes is about other cells than --h3"),
        ("--h3 7 --tuning-share 0.2", "--tuning-share is about other cells than --h3"),
        ("--hexagons 1km --cells adaptive", "--cells is about other cells than --hexagons"),
        ("--hexagons 0", "must be a positive number"),
        ("--h3-integers", "--h3-integers is about the cells of --h3"),
    ],
)
def test_options_that_do_not_fit_are_refused(words, more, message, tmp_path):
    assert message in refused(*words, *more.split(), "-o", tmp_path / "c.gpkg")
    assert not (tmp_path / "c.gpkg").exists()


def test_there_is_no_raster_of_hexagons(words, tmp_path):
    assert "polygons" in refused(*words, "--h3", "7", "-o", tmp_path / "c.tif")
