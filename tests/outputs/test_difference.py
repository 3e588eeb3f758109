"""Differences of releases and of layers: answers, cells, maps and files, with their errors."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely

import geodp
from geodp.core.privacy.noise import laplace_variance
from geodp.core.publish.columns import cell_columns

TOWN = geodp.Domain((0.0, 0.0, 4000.0, 3000.0), crs="EPSG:5070")


def years(cells: str = "regular", **options) -> geodp.ReleaseSet:
    rng = np.random.default_rng(3)
    n = 6000
    year = rng.choice([2024, 2025], n)
    x = np.where(year == 2024, rng.beta(2, 5, n), rng.beta(5, 2, n)) * 4000
    points = {"x": x, "y": rng.beta(2, 2, n) * 3000, "year": year}
    given = {"by": geodp.Categories("year", [2024, 2025]), "cells": cells, "seed": 4, **options}
    return geodp.release(points, TOWN, epsilon=1, **given)


YEARS = {"regular": years(), "adaptive": years("adaptive")}
HALF = shapely.box(0, 0, 2000, 3000)
BOXES = [(0, 0, 4000, 3000), (150, 200, 1900, 1500), (2000, 0, 4000, 3000), (9000, 0, 9900, 9)]


@pytest.fixture(params=YEARS)
def change(request) -> geodp.Difference:
    releases = YEARS[request.param]
    return releases["2025"] - releases["2024"]


def test_estimates_are_subtracted_and_variances_added(change):
    later, earlier = change.later.query(BOXES), change.earlier.query(BOXES)
    answers = change.query(BOXES)
    assert np.allclose(answers.estimate, later.estimate - earlier.estimate, equal_nan=True)
    noise = np.hypot(later.noise_error, earlier.noise_error)
    assert np.allclose(answers.noise_error, noise, equal_nan=True)
    assert np.allclose(
        answers.std_error, np.hypot(later.std_error, earlier.std_error), equal_nan=True
    )
    assert np.isnan(answers.estimate[-1])
    assert (answers.ci_low[:3] < answers.estimate[:3]).all()


def test_cells_of_like_releases_are_subtracted(change):
    assert change.cells == change.later.cells
    assert np.allclose(change.counts, change.later.counts - change.earlier.counts)
    assert np.allclose(change.variance, 2 * change.later.variance)


@pytest.mark.slow
def test_one_epsilon_bought_both_layers():
    releases = years(seed=None)
    change = releases["2025"] - releases["2024"]
    assert change.one_release
    assert change.promise == releases.promise
    apart = years(seed=None)["2025"] - releases["2024"]
    assert not apart.one_release
    assert "epsilon = 2 together" in apart.promise
    assert "NOT private" in (YEARS["regular"]["2025"] - releases["2024"]).promise


@pytest.mark.slow
@pytest.mark.parametrize("cells", YEARS)
def test_a_release_that_was_written_in_between_is_still_the_same(cells, tmp_path):
    """Copies share all their noise: their difference would be 0, with an error that is not."""
    releases = years(cells, seed=None)
    releases.to_geotiff(tmp_path / "years.tif")
    releases.to_vector(tmp_path / "years.gpkg")
    releases["2025"].to_vector(tmp_path / "2025.gpkg")
    one, other = (geodp.open_release(tmp_path / name) for name in ("years.tif", "years.gpkg"))
    alone = geodp.open_release(tmp_path / "2025.gpkg")
    shared = [
        *((releases.total, one.total), (one.total, other.total), (one.total, other["2025"])),
        *(
            (one["2024"], other["2024"]),
            (alone, one["2025"]),
            (alone, releases.total),
            (alone, alone),
        ),
        (pickle.loads(pickle.dumps(releases)).total, releases.total),
    ]
    for later, earlier in shared:
        for pair in ((later, earlier), (earlier, later)):
            with pytest.raises(geodp.InputError, match="these share records and noise"):
                geodp.Difference(*pair)
    change = one["2025"] - other["2024"]
    assert change.one_release
    assert change.promise == releases.promise
    apart = (alone - one["2024"]).promise
    assert "epsilon = 2 together" in apart  # that both are of one release is not known any more


def test_releases_that_are_alike_by_chance_are_two():
    grids = [geodp.Grid(TOWN, (1, 2))]
    two = [
        geodp.release(([], []), cells=geodp.Regular(grids), epsilon=500, force=True)
        for _ in range(2)
    ]
    change = two[1] - two[0]
    assert not change.one_release
    assert "epsilon = 1000 together" in change.promise


def test_unlike_cells_take_the_coarser():
    grids = [[geodp.Grid(TOWN, (3, 4))], [geodp.Grid(TOWN, (7, 9))]]
    points = (np.array([100.0, 3000.0]), np.array([200.0, 2900.0]))
    coarse, fine = (
        geodp.release(points, cells=geodp.Regular(grid), epsilon=1, seed=1) for grid in grids
    )
    for change, sign in ((coarse - fine, 1), (fine - coarse, -1)):
        assert change.cells == coarse.cells
        cells = cell_columns(coarse.cells)
        boxes = np.stack([cells[name] for name in ("left", "bottom", "right", "top")], axis=1)
        asked = fine.query(boxes)
        expected = sign * (coarse.counts - asked.estimate)
        assert np.allclose(change.counts, expected)
        error = laplace_variance(coarse.scale) + asked.std_error**2
        assert np.allclose(change.variance, error)
    tree = YEARS["adaptive"]["2024"]
    mixed = coarse - tree
    assert mixed.cells == coarse.cells
    assert mixed.counts.sum() == pytest.approx(coarse.counts.sum() - tree.counts.sum(), abs=1)


def test_intervals_hold_no_change_where_there_is_none():
    """Whole cells of two empty maps: nominal 95 %."""
    grid = [geodp.Grid(TOWN, (6, 8))]
    boxes = [
        (500.0 * i, 500.0 * j, 500.0 * (i + 1), 500.0 * (j + 1)) for i in range(8) for j in range(6)
    ]
    held = []
    for seed in range(25):
        sides = [
            geodp.release(([], []), cells=geodp.Regular(grid), epsilon=1, seed=2 * seed + s)
            for s in (0, 1)
        ]
        answers = (sides[1] - sides[0]).query(boxes)
        held += ((answers.ci_low <= 0) & (answers.ci_high >= 0)).tolist()
    assert 0.93 <= np.mean(held) <= 0.99


@pytest.mark.slow
def test_other_domains_and_other_things_are_refused():
    other = geodp.Domain((0, 0, 4000, 3001), crs="EPSG:5070")
    releases = YEARS["regular"]
    with pytest.raises(
        geodp.InputError, match=r"one domain; .* bounds, \(0.0, 0.0, 4000.0, 3000.0"
    ):
        _ = releases.total - geodp.release(([], []), other, epsilon=1)
    west = geodp.Domain(TOWN.bounds, crs="EPSG:5070", within=gpd.GeoSeries([HALF], crs="EPSG:5070"))
    for domain, words in (
        (
            geodp.Domain(TOWN.bounds, crs="EPSG:32633"),
            "coordinate systems, EPSG:5070 and EPSG:3263",
        ),
        (west, "different places where records can be"),
        (geodp.Domain(TOWN.bounds, crs="EPSG:5070", resolution=10), "different resolutions"),
    ):
        with pytest.raises(geodp.InputError, match=words):
            _ = releases.total - geodp.release(([], []), domain, epsilon=1, force=True)
    with pytest.raises(TypeError):
        _ = YEARS["regular"].total - 3


def test_what_shares_noise_has_no_difference():
    """Variances would not add up: the total of layers has the noise of each of them."""
    releases = YEARS["regular"]
    pairs = (
        (releases.total, releases["2024"]),
        (releases["2024"], releases.total),
        (releases["2024"], releases["2024"]),
    )
    for later, earlier in (
        *pairs,
        (releases.total, releases.total),
        (releases["2025"], releases.with_about(title="same").total),
    ):
        with pytest.raises(geodp.InputError, match="share records and noise"):
            _ = later - earlier


def test_answers_for_a_layer_of_districts(change):
    districts = gpd.GeoDataFrame(
        {"name": ["west", "east"]},
        geometry=[shapely.box(0, 0, 2000, 3000), shapely.box(2000, 0, 4000, 3000)],
        crs="EPSG:5070",
    )
    answers = change.query(districts, density=True)
    assert answers["estimate"].iloc[0] < 0 < answers["estimate"].iloc[1]
    assert "density" in answers
    assert "From that, what the earlier counts" in answers.attrs["geodp_counted"]
    cells = change.to_geodataframe()
    assert np.allclose(cells["difference"], change.counts)
    assert np.allclose(cells["std_error"] ** 2, change.variance)


def test_a_geotiff_is_a_view_with_its_error(change, tmp_path):
    change.to_geotiff(tmp_path / "change.tif")
    with rasterio.open(tmp_path / "change.tif") as image:
        assert image.count == (2 if change.cells.grid else 3)
        rounding = np.abs(change.counts).sum() * 2.0**-24
        total = image.read(1).sum(dtype=np.float64)
        assert total == pytest.approx(change.counts.sum(), rel=0, abs=rounding)
        assert "later minus earlier" in image.tags()["GEODP_DERIVED"]
        assert image.tags()["GEODP_SEEDED"] == "yes: NOT private"
        if image.count == 3:
            scores = change.columns()["z_score"].astype(image.dtypes[2])
            assert set(image.read(3).ravel()) <= set(scores)
    style = (tmp_path / "change.qml").read_text()
    assert f'band="{1 if change.cells.grid else 3}"' in style
    assert f'attr="{change.legend.field}"' in style
    with pytest.raises(geodp.FileError, match="view"):
        geodp.open_release(tmp_path / "change.tif")
    with pytest.raises(geodp.FileError, match="exists"):
        change.to_geotiff(tmp_path / "change.tif")


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".geojson", ".fgb", ".shp"])
def test_vector_files_have_the_cells_with_their_error(change, tmp_path, suffix):
    path = tmp_path / f"change{suffix}"
    change.to_vector(path)
    layer = {"layer": "difference"} if suffix == ".gpkg" else {}
    table = gpd.read_parquet(path) if suffix == ".parquet" else gpd.read_file(path, **layer)
    wanted = change.to_geodataframe().sort_values("id")
    table = table.sort_values("id")
    for name in ("difference", "std_error", "z_score"):
        assert np.allclose(table[name], wanted[name]), name
    assert np.allclose(table["z_score"], table["difference"] / table["std_error"])
    if suffix == ".gpkg":
        with closing(sqlite3.connect(path)) as database:
            style, title, description = database.execute(
                "SELECT styleQML, identifier, c.description FROM layer_styles "
                "JOIN gpkg_contents c ON c.table_name = f_table_name"
            ).fetchone()
        assert f'attr="{change.legend.field}"' in style
        assert title.startswith("2025 minus 2024")
        assert "NOT private" in description
    else:
        assert f'attr="{change.legend.field}"' in path.with_suffix(".qml").read_text()
    with pytest.raises(geodp.FileError):
        geodp.open_release(path)


def test_a_map_has_the_same_steps_both_ways(change):
    from matplotlib import pyplot

    classes = change.legend.classes
    assert len(classes) == 13
    assert [-class_.high for class_ in reversed(classes)] == [class_.low for class_ in classes]
    ax = change.plot()
    assert ax.figure.texts[0].get_text() == "2025 minus 2024, with noise"
    ax = change.plot(pyplot.subplots()[1])
    assert "2025 minus 2024" in ax.get_title(loc="left")
    assert len(ax.get_legend().get_texts()) == 13
    pyplot.close("all")
    card = change._repr_html_()
    assert 'alt="2025 minus 2024, with noise, NOT private' in card
    assert '<p class="alarm">' in card
