"""Hexagons as cells of a release: counts, answers, files, groups, persons and support."""

from __future__ import annotations

import pickle
from fractions import Fraction

import geopandas
import numpy as np
import pandas
import pytest
import shapely

import geodp
from geodp.core.cells.hexagon_cells import HexagonCells
from geodp.core.counts.cell_tally import CellPlan
from geodp.core.districts.hexagons import HexagonGrid
from geodp.core.publish.qgis_style import view_styles
from geodp.outputs.shapes import cell_shapes

TOWN = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
HEXAGONS = HexagonCells(HexagonGrid(TOWN, 310.0))


def places(count: int, seed: int = 1) -> tuple[np.ndarray, ...]:
    return tuple(np.random.default_rng(seed).random((2, count)) * [[4000], [3000]])


def test_every_hexagon_is_measured_with_all_of_epsilon():
    release = geodp.release(places(5000), TOWN, epsilon=2, cells=geodp.Hexagons(310), seed=1)
    assert release.cells == HEXAGONS
    assert release.measurements.scales == (Fraction(1, 2),)
    assert [spend.epsilon for spend in release.spends] == [2]
    truth = np.bincount(HEXAGONS.locate(*places(5000)), minlength=len(HEXAGONS))
    assert truth.sum() == 5000
    assert np.abs(release.counts - truth).mean() < 1
    assert geodp.verify(release).recomputed == 2
    assert release.describe()["cells"].text == f"{len(HEXAGONS)}"
    assert " to " not in release.describe()["cell_size"].text


def test_answers_are_those_of_shapely():
    release = geodp.release(places(5000), TOWN, epsilon=5, cells=geodp.Hexagons(310), seed=1)
    inside = shapely.intersection(cell_shapes(release.cells), shapely.box(*TOWN.bounds))
    asked = [(0, 0, 4000, 3000), (130, 210, 1930, 2210), (3900, 2900, 4000, 3000)]
    share = shapely.area(
        shapely.intersection(np.array([shapely.box(*b) for b in asked])[:, None], inside)
    )
    share /= shapely.area(inside)
    answers = release.query(asked)
    assert answers.estimate == pytest.approx(share @ release.counts)
    assert answers.noise_error == pytest.approx(np.sqrt((share**2) @ release.variance))
    assert answers.estimate[0] == pytest.approx(release.counts.sum())
    layer = release.to_geodataframe()
    answers_by_cell = release.query(layer)
    assert np.allclose(answers_by_cell["estimate"], release.counts)
    assert (answers_by_cell["border_share"] == 0).all()


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".geojson", ".fgb"])
@pytest.mark.parametrize("kind", [geodp.Hexagons(700), geodp.H3(8)], ids=["hexagons", "h3"])
def test_layers_have_the_interval_of_each_count_as_tables_do(kind, suffix, tmp_path):
    release = geodp.release(places(500), TOWN, epsilon=1, cells=kind, seed=1)
    path = tmp_path / f"c{suffix}"
    release.to_vector(path)
    release.to_csv(tmp_path / "c.csv")
    if suffix == ".parquet":
        layer = geopandas.read_parquet(path)
    else:
        layer = geopandas.read_file(path, **({"layer": "counts"} if suffix == ".gpkg" else {}))
    (name,) = release.cells.attributes()
    layer = layer.set_index(name)
    table = pandas.read_csv(tmp_path / "c.csv").set_index(name)
    for column in ("count", "std_error", "ci_low", "ci_high"):
        shown, exact = table[column], layer[column].loc[table.index]
        assert np.allclose(shown, exact, rtol=0, atol=release.variance.min() ** 0.5 / 200)
    assert (release.counts - layer["ci_low"].loc[release.cells.attributes()[name]] > 2.9).all()
    tip = view_styles(release)["counts"]
    assert f'replace("{name}"' in tip.replace("&quot;", '"')
    assert "ci_low" in tip


def test_layers_of_groups_have_the_interval_of_each():
    x, y = places(500)
    releases = geodp.release(
        {"x": x, "y": y, "kind": ["a", "b"] * 250},
        TOWN,
        epsilon=1,
        cells=geodp.Hexagons(700),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=1,
    )
    frame = releases.to_geodataframe()
    assert (frame["ci_low_b"] < frame["count_b"]).all()
    assert (frame["ci_high_a"] > frame["count_a"]).all()
    assert "ci_low_b" in view_styles(releases)["b"]


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_files_open_again(suffix, tmp_path):
    release = geodp.release(places(500), TOWN, epsilon=1, cells=geodp.Hexagons(700), seed=1)
    release.to_vector(tmp_path / f"c{suffix}")
    again = geodp.open_release(tmp_path / f"c{suffix}")
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    with pytest.raises(geodp.InputError, match="polygons: write them as a vector layer"):
        release.to_geotiff(tmp_path / "c.tif")


@pytest.mark.slow
def test_reports_and_pictures_are_made(tmp_path):
    release = geodp.release(places(500), TOWN, epsilon=1, cells=geodp.Hexagons(700), seed=1)
    release.to_report(tmp_path / "r.html")
    assert release.plot() is not None


def test_groups_and_persons_count_as_ever():
    x, y = places(400)
    points = {"x": x, "y": y, "who": np.arange(400) // 4, "kind": np.array(["a", "b"] * 200)}
    releases = geodp.release(
        points,
        TOWN,
        epsilon=1,
        cells=geodp.Hexagons(900),
        protect=geodp.Person("who", max_records=2),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=1,
    )
    assert geodp.verify(releases).recomputed == 1
    measurements = releases.maps["a"].measurements
    assert measurements.scales == (Fraction(2 * measurements.units),)
    assert abs(releases.total.counts.sum() - 200) < 60


def test_people_are_spread_over_their_records():
    x, y = places(400)
    points = {"x": x, "y": y, "who": np.arange(400) // 4}
    person = geodp.Person("who")
    release = geodp.release(
        points, TOWN, epsilon=50, cells=geodp.Hexagons(900), protect=person, seed=1
    )
    assert release.counts.sum() == pytest.approx(100, abs=1)
    assert geodp.verify(release).recomputed == 50


def test_hexagons_without_records_by_a_public_rule_are_left_out():
    shore = geodp.Domain(TOWN.bounds, crs="EPSG:5070", within=geodp.Support(TOWN.bounds, [[1, 0]]))
    release = geodp.release(places(3000), shore, epsilon=1, cells=geodp.Hexagons(310), seed=1)
    assert len(release.cells) < 0.7 * len(HEXAGONS)
    assert (release.cells.bounds[:, 0] < 2000).all()
    located = release.cells.locate(*places(3000))
    assert np.array_equal(located >= 0, places(3000)[0] < 2000)
    counts = np.bincount(located[located >= 0], minlength=len(release.cells))
    assert np.abs(release.counts - counts).mean() < 2


def test_a_record_moves_one_hexagon():
    tally = CellPlan(HEXAGONS).tally()
    corners = HEXAGONS.hexagons.corners(np.arange(12)).reshape(-1, 2)
    for x, y in [*corners.tolist(), (4000.0, 3000.0), (0.0, 0.0), (4001.0, 1.0), (np.nan, 1.0)]:
        before = tally.on(HEXAGONS).copy()
        tally.add([x], [y])
        inside = 0 <= x <= 4000 and 0 <= y <= 3000
        assert np.abs(tally.on(HEXAGONS) - before).sum() == inside
    both = pickle.loads(pickle.dumps(tally)) + tally
    assert both.total == 2 * tally.total
    assert repr(tally) == "CellTally(private)"


def test_bad_requests_are_refused():
    for side in (0, -1, np.inf, "5", True):
        with pytest.raises(geodp.InputError, match="positive number"):
            geodp.Hexagons(side)
    with pytest.raises(geodp.InputError, match="a public domain is needed"):
        geodp.release(([], []), epsilon=1, cells=geodp.Hexagons(100))
    with pytest.raises(geodp.InputError, match="got regions too"):
        geodp.forecast(TOWN, [(0, 0, 100, 100)], epsilons=[1], cells=geodp.Hexagons(500))
    assert repr(geodp.Hexagons(500)) == "Hexagons(side=500.0)"
