"""Medians and other quantiles from groups between breaks, with intervals; shares by command."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pytest
import shapely
from commands import ran, refused
from commands import result as run
from strips import BOXES, COLUMNS, STRIPS, TOWN, in_strips

import geodp
from geodp.core.estimates.quantiles import _crossing
from geodp.core.space.grid import Grid

BREAKS = [0, 10, 20, 30, 40, 60, 80, 100]
AGES = geodp.Breaks("age", BREAKS)


def crowd(size: int, seed: int) -> dict:
    """Put so many people in each strip; their ages crowd, and whole decades are empty in some."""
    rng = np.random.default_rng(seed)
    points = in_strips(size)
    centre = rng.uniform(5, 70, COLUMNS)[points["strip"]]
    return {**points, "age": np.clip(rng.normal(centre, 8), 0, 99.9)}


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("size", [2, 30, 400])
def test_intervals_of_quantiles_hold_the_truth(size, part):
    points = crowd(size, size)
    release = geodp.release(points, cells=STRIPS, epsilon=1, by=AGES, seed=1, force=True)
    answers = release.quantile(BOXES, part)
    rows = points["age"].reshape(COLUMNS, size)
    truth = np.quantile(rows, part, axis=1, method="inverted_cdf")
    held = (answers.quantile_low <= truth) & (truth <= answers.quantile_high)
    assert held.mean() >= 0.94
    assert set(answers.quantile_low) | set(answers.quantile_high) <= set(BREAKS)
    known = ~np.isnan(answers.quantile)
    assert (answers.quantile_low <= answers.quantile)[known].all()
    assert (answers.quantile <= answers.quantile_high)[known].all()
    if size == 2:
        assert known.mean() < 0.5
        assert set(answers.quantile_low[~known]) == {0}
        assert set(answers.quantile_high[~known]) == {100}
    if size == 400:
        assert known.all()
        assert np.median(answers.quantile_high - answers.quantile_low) <= 20
        assert np.median(np.abs(answers.quantile - truth)) < 3


def test_without_noise_a_quantile_is_that_of_the_counts():
    """Ten people of 5, ten of 15, twenty of 25: three quarters lie below the middle of the last."""
    points = {"x": [1.0] * 40, "y": [1.0] * 40, "age": [5] * 10 + [15] * 10 + [25] * 20}
    one = geodp.Regular(Grid(TOWN, (1, 1)))
    release = geodp.release(points, cells=one, epsilon=10**5, by=AGES, force=True)
    for part, expected, low, high in (
        (0.75, 25.0, 20, 30), (0.125, 5.0, 0, 10), (0.3, 12.0, 10, 20), (0.99, 29.8, 20, 30)
    ):  # fmt: skip
        answers = release.quantile([TOWN.bounds], part)
        assert answers.quantile[0] == pytest.approx(expected, abs=0.01)
        assert (answers.quantile_low[0], answers.quantile_high[0]) == (low, high)
    # The median is the break itself: both sides of it are possible.
    half = release.quantile([TOWN.bounds])
    assert half.quantile_low[0] <= 20 <= half.quantile_high[0]


def test_shares_that_fall_by_noise_are_no_trouble():
    edges = np.array([0.0, 1, 2, 3, 4])
    shares = np.array([[0.4, 0.0, 0.5, 2.0], [0.3, 0.0, 0.5, -1.0], [0.9, 0.0, 0.6, 0.0]])
    crossing = _crossing(edges, shares, 0.5)
    assert ((edges[0] <= crossing) & (crossing <= edges[-1])).all()
    assert crossing[0] == pytest.approx(2.2)
    assert crossing[1] == pytest.approx(3.5)


@pytest.mark.slow
def test_other_records_and_amounts_stay_out_of_it():
    points = crowd(60, 2)
    points["age"][::3] = 500
    named = geodp.Breaks("age", BREAKS, other="unknown")
    amount = geodp.Amount("age", 0, 100)
    plain = geodp.release(points, TOWN, epsilon=9, by=AGES, cells="regular", seed=1)
    for release in (
        geodp.release(points, TOWN, epsilon=9, by=named, cells="regular", seed=1),
        geodp.release(points, TOWN, epsilon=9, by=AGES, amount=amount, cells="regular", seed=1),
    ):
        one, other = (each.quantile([TOWN.bounds]).quantile[0] for each in (plain, release))
        assert one == pytest.approx(other, abs=1.5)


def test_what_has_no_quantile_is_refused():
    rows = 2 * COLUMNS
    points = {**crowd(2, 1), "kind": ["a"] * rows, "at": np.full(rows, "2024-05-01", "M8[s]")}
    kinds, hours = geodp.Categories("kind", ["a", "b"]), geodp.Breaks("at", ["00:00", "12:00"])
    for by in (kinds, [AGES, kinds], hours):
        release = geodp.release(points, TOWN, epsilon=1, by=by, seed=1)
        with pytest.raises(geodp.InputError, match="breaks of one field of numbers"):
            release.quantile([TOWN.bounds])
    alone = geodp.release(points, TOWN, epsilon=1, by=geodp.Breaks("age", [0, 100]), seed=1)
    with pytest.raises(geodp.InputError, match="two groups at least"):
        alone.quantile([TOWN.bounds])
    release = geodp.release(points, TOWN, epsilon=1, by=AGES, seed=1)
    for wrong in (0, 1, -0.5, np.nan, "half", True):
        with pytest.raises(geodp.InputError, match="between 0 and 1"):
            release.quantile([TOWN.bounds], wrong)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantiles")
    geodp.release(crowd(30, 4), TOWN, epsilon=1, by=AGES, seed=1).to_vector(folder / "ages.gpkg")
    geodp.release(([], []), TOWN, epsilon=1).to_vector(folder / "plain.gpkg")
    shapes = [shapely.box(0, 0, 2000, 4000), shapely.box(9000, 0, 9500, 500)]
    layer = gpd.GeoDataFrame({"name": ["west", "far"]}, geometry=shapes, crs="EPSG:5070")
    layer.to_file(folder / "halves.gpkg")
    return folder


@pytest.mark.slow
def test_the_command_line_gives_shares_and_quantiles(files, tmp_path):
    release = geodp.open_release(files / "ages.gpkg")
    words = ["query", files / "ages.gpkg", files / "halves.gpkg"]
    asked = gpd.read_file(files / "halves.gpkg")
    rows = json.loads(run(*words, "--share", "10 to 20", "--quantile", "0.25", "--json").stdout)
    share, middle = release.share("10 to 20", asked), release.quantile(asked, 0.25)
    assert list(middle.columns) == [*asked.columns, "quantile", "quantile_low", "quantile_high"]
    assert rows[0]["share_high"] == pytest.approx(share.share_high[0])
    assert rows[0]["quantile"] == pytest.approx(middle["quantile"][0])
    assert rows[0]["estimate"] == pytest.approx(release.total.query(asked).estimate[0])
    assert (rows[1]["share"], rows[1]["quantile"], rows[1]["covered"]) == (None, None, 0)
    assert "0." in ran(*words, "--share", "10 to 20").splitlines()[1].split()[-1]
    ran(*words, "--share", "10 to 20", "-o", tmp_path / "shares.gpkg")
    assert "share_low" in gpd.read_file(tmp_path / "shares.gpkg").columns


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--share", "theft"], "got 'theft': there are '0 to 10', '10 to 20'"),
        (["--quantile", "7"], "between 0 and 1"),
        (["--share", "10 to 20", "--total"], "leave it out"),
        (["--quantile", "0.5", "--wide"], "leave it out"),
    ],
)
def test_wrong_shares_and_quantiles_are_refused(files, options, message):
    assert message in refused("query", files / "ages.gpkg", files / "halves.gpkg", *options)


def test_a_release_without_groups_has_neither(files):
    for options in (["--share", "a"], ["--quantile", "0.5"]):
        message = refused("query", files / "plain.gpkg", files / "halves.gpkg", *options)
        assert "are for releases of several groups" in message
