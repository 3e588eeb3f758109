"""Cells inside of districts that are nested in levels: every unit has a count, and all agree."""

from __future__ import annotations

import geopandas
import numpy as np
import pandas
import pytest
import shapely
from commands import ran
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.halving import halve
from geodp.core.forecasts.unit_figures import unit_figures
from geodp.core.publish.table import table_columns
from geodp.core.space.support import Support

BOUNDS = (0.0, 0.0, 1000.0, 800.0)
RNG = np.random.default_rng(6)
X, Y = np.abs(RNG.normal(500, 150, 20_000)) % 1000, np.abs(RNG.normal(300, 150, 20_000)) % 800


def counties(count: int = 60, seed: int = 1) -> geopandas.GeoDataFrame:
    """Return parts of a rectangle nearest to some places, in states by where these are."""
    rng = np.random.default_rng(seed)
    places = shapely.multipoints(rng.random((count, 2)) * [1000, 800])
    parts = shapely.get_parts(shapely.voronoi_polygons(places, extend_to=shapely.box(*BOUNDS)))
    parts = shapely.intersection(parts, shapely.box(*BOUNDS))
    middle = shapely.get_coordinates(shapely.centroid(parts))
    states = [f"state {x // 350:.0f}-{y // 420:.0f}" for x, y in middle]
    names = {"state": states, "county": [f"county {number}" for number in range(len(parts))]}
    return geopandas.GeoDataFrame(names, geometry=parts, crs="EPSG:5070")


def nested(layer: geopandas.GeoDataFrame, **options: object) -> geodp.Adaptive:
    return geodp.Adaptive(districts=geodp.Districts(layer, levels=["state", "county"], **options))


@pytest.fixture(scope="module")
def release():
    return geodp.release((X, Y), epsilon=1, cells=nested(counties()), seed=1)


def full_table(release) -> pandas.DataFrame:
    """Return the table with all digits: files have as many as the noise leaves."""
    return pandas.DataFrame(table_columns(release))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 2**32 - 1))
@examples(60)
def test_every_unit_is_a_node_of_the_halved_list(sizes, seed):
    rng = np.random.default_rng(seed)
    state = np.repeat(np.arange(len(sizes)), sizes)
    halved = halve(rng.integers(0, 5, (len(state), 2)) * 1.0, (state, rng.random((len(sizes), 2))))
    runs = [set(halved.order[a:b].tolist()) for a, b in zip(halved.start, halved.stop)]
    for number in range(len(sizes)):
        held = set(np.flatnonzero(state == number).tolist())
        assert halved.unit[runs.index(held)]
    for node in np.flatnonzero(halved.child >= 0):
        first, second = runs[halved.child[node]], runs[halved.child[node] + 1]
        assert first | second == runs[node]
        assert not first & second
    lone = [len(run) == 1 or any(run == set(np.flatnonzero(state == k))
            for k in range(len(sizes))) for run in runs]  # fmt: skip
    assert halved.unit.tolist() == lone


def test_without_levels_lists_are_halved_as_ever():
    centres = np.random.default_rng(3).random((41, 2))
    plain = halve(centres)
    single = halve(centres, (np.zeros(41, dtype=np.int64), np.zeros((1, 2))))
    assert all(np.array_equal(a, b) for a, b in zip(plain[:5], single[:5]))


def test_states_are_nodes_and_counties_add_up_to_them(release):
    table = full_table(release)
    assert table["level"].value_counts().to_dict() == {"county": 60, "state": 6}
    states = table[table["level"] == "state"].set_index("district")
    sums = table[table["level"] == "county"].groupby("state")["count"].sum()
    assert states["count"].to_dict() == pytest.approx(sums.to_dict())
    assert states["count"].sum() == pytest.approx(release.counts.sum())
    cells = release.to_geodataframe()
    held = cells[cells["state"] != ""].groupby("state")["count"].sum()
    assert held.to_dict() == pytest.approx(states["count"].to_dict())
    true = _true_counts(counties().dissolve("state")).loc[states.index]
    assert (np.abs(states["count"] - true) < 3 * states["std_error"] + 3).all()
    assert ((states["ci_low"] <= true) & (true <= states["ci_high"])).mean() > 0.8


def _true_counts(layer) -> pandas.Series:
    return pandas.Series(
        [int(shapely.contains_xy(shape, X, Y).sum()) for shape in layer.geometry], layer.index
    )


def test_the_table_is_what_a_query_answers(release):
    table = full_table(release)
    layer = counties()
    for level, asked in (("county", layer), ("state", layer.dissolve("state").reset_index())):
        rows = table[table["level"] == level].set_index("district")
        answers = release.query(asked).set_index(level)
        for column, name in (("estimate", "count"), ("ci_low", "ci_low"), ("ci_high", "ci_high")):
            assert answers[column].to_dict() == pytest.approx(rows[name].to_dict(), abs=1e-6)


def test_states_are_far_better_than_sums_of_counties():
    layer = counties(300, seed=2)
    true = _true_counts(layer.dissolve("state"))
    errors = {}
    for levels in (None, ["state", "county"]):
        named = {"name": "county"} if levels is None else {"levels": levels}
        cells = geodp.Adaptive(districts=geodp.Districts(layer, **named))
        off = []
        for seed in range(4):
            release = geodp.release((X, Y), epsilon=0.5, cells=cells, seed=seed)
            answers = release.query(layer.dissolve("state").reset_index()).set_index("state")
            off.append(np.abs(answers["estimate"] - true).mean())
        errors[levels is None] = np.mean(off)
    assert errors[False] < 0.6 * errors[True]


@pytest.mark.parametrize("few", [0, 40])
def test_units_without_a_node_have_their_share_and_say_so(few):
    points = (X[:few], Y[:few])
    release = geodp.release(points, epsilon=0.2, cells=nested(counties()), seed=2, force=True)
    assert release.cells.without_count
    table = full_table(release)
    states = table[table["level"] == "state"].set_index("district")["count"]
    sums = table[table["level"] == "county"].groupby("state")["count"].sum()
    assert states.to_dict() == pytest.approx(sums.to_dict())


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_a_file_is_the_release_again(release, suffix, tmp_path):
    path = tmp_path / f"cells{suffix}"
    release.to_vector(path)
    again = geodp.open_release(path)
    assert again.cells == release.cells
    assert again.cells.levels == release.cells.levels
    for one, other in zip(unit_figures(release), unit_figures(again)):
        assert np.array_equal(one, other)
    assert geodp.verify(path).recomputed == 1
    release.to_report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "state 1-0" in page
    assert "county 17" in page


def test_groups_amounts_and_support_go_with_levels():
    fine = Support(BOUNDS, [[1, 1, 0, 1], [2, 1, 1, 1]])
    records = {"x": X, "y": Y, "paid": X % 7, "kind": np.array(["a", "b"] * 10_000)}
    release = geodp.release(
        records,
        epsilon=2,
        cells=nested(counties(), within=fine),
        by=geodp.Categories("kind", ["a", "b"]),
        amount=geodp.Amount("paid", 0, 10),
        seed=1,
    )
    table = full_table(release)
    assert len(table) == 2 * 66
    states = table[(table["level"] == "state") & (table["group"] == "a")].set_index("district")
    sums = table[(table["level"] == "county") & (table["group"] == "a")].groupby("state")
    assert states["sum"].to_dict() == pytest.approx(sums["sum"].sum().to_dict())
    assert (states["mean"].dropna() - 3).abs().max() < 2


def test_larger_units_of_several_levels_and_single_ones():
    layer = counties().assign(country="all", planet=["one"] * 60)
    columns = ["planet", "country", "state", "county"]
    cells = geodp.Adaptive(districts=geodp.Districts(layer, levels=columns))
    release = geodp.release((X, Y), epsilon=1, cells=cells, seed=3)
    figures = unit_figures(release)
    assert figures.estimate[0] == figures.estimate[1] == pytest.approx(release.counts.sum())
    assert figures.estimate[2:8].sum() == pytest.approx(figures.estimate[0])
    assert geodp.verify(release).recomputed <= 1
    plain = geodp.Districts(counties(), levels=["county"])
    one, other = (
        geodp.release((X, Y), epsilon=1, cells=geodp.Adaptive(districts=each), seed=3)
        for each in (plain, geodp.Districts(counties(), name="county"))
    )
    assert one.cells == other.cells
    with pytest.raises(geodp.InputError, match="a place in the levels"):
        DistrictFrame(other.cells.districts, other.domain, levels=read_levels(layer[:9]))


def read_levels(layer):
    return geodp.Districts(layer, levels=["state", "county"]).cells.levels


def test_the_command_line_gives_the_same(release, tmp_path):
    counties().to_file(tmp_path / "counties.gpkg")
    lines = [f"{x!r},{y!r}" for x, y in zip(X.tolist(), Y.tolist())]
    (tmp_path / "points.csv").write_text("\n".join(["x,y", *lines]))
    words = ["release", tmp_path / "points.csv", "--x", "x", "--y", "y"]
    words += ["--points-crs", "EPSG:5070", "--districts", tmp_path / "counties.gpkg"]
    words += ["--cells", "adaptive", "--levels", "state,county", "--epsilon", "1", "--seed", "1"]
    ran(*words, "-o", tmp_path / "cells.gpkg", "-o", tmp_path / "units.csv", "--quiet")
    assert geodp.open_release(tmp_path / "cells.gpkg").cells == release.cells
    release.to_csv(tmp_path / "twin.csv")
    assert (tmp_path / "units.csv").read_bytes() == (tmp_path / "twin.csv").read_bytes()
