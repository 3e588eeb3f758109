"""One answer for several regions together: what their union holds, and its own error."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import geopandas as gpd
import numpy as np
import pytest
import shapely

import geodp
from geodp import InputError
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.noise import RandomBits, laplace_variance

FRAME = geodp.Domain((0, 0, 100, 80), crs="EPSG:5070")
GRID = geodp.Grid(FRAME, (4, 5))
"""Cells of 20 by 20."""


def release_with(counts: np.ndarray, scale: Fraction = Fraction(1)) -> geodp.Release:
    released = geodp.release(([], []), cells=geodp.Regular(GRID), epsilon=1, force=True)
    return replace(released, measurements=Measurements.from_counts(counts, scale))


@pytest.fixture(scope="module")
def release() -> geodp.Release:
    return release_with(np.arange(20).reshape(4, 5) * 10)


def make_layer(
    *boxes: tuple[float, float, float, float], crs: str = "EPSG:5070"
) -> gpd.GeoDataFrame:
    shapes = [shapely.box(*box) for box in boxes]
    return gpd.GeoDataFrame({"name": list("abcd"[: len(boxes)])}, geometry=shapes, crs=crs)


HALVES = ((20, 20, 50, 60), (50, 20, 80, 60))
"""They meet in the middle of cells; together they are whole cells."""


def test_errors_of_a_shared_border_cancel(release):
    """By hand: six cells of 6 to 13 tens. Errors along the line between the halves cancel."""
    apart, total = release.query(HALVES), release.query(HALVES, total=True)
    assert total.estimate.tolist() == [60 + 70 + 80 + 110 + 120 + 130]
    assert total.estimate[0] == pytest.approx(apart.estimate.sum())
    assert total.std_error[0] == pytest.approx(math.sqrt(6 * laplace_variance(Fraction(1))))
    assert total.std_error[0] == total.noise_error[0]
    assert total.std_error[0] < 0.2 * np.sqrt((apart.std_error**2).sum())
    assert total.border_share.tolist() == [0]
    assert total.covered.tolist() == [1]


def test_a_layer_gives_a_layer_of_one(release):
    answers = release.query(make_layer(*HALVES), total=True, density=True)
    assert list(answers.columns)[:3] == ["geometry", "estimate", "std_error"]
    assert answers.geometry[0].equals(shapely.box(20, 20, 80, 60))
    expected = release.query([(20, 20, 80, 60)])
    for name, value in expected._asdict().items():
        assert answers[name].tolist() == pytest.approx(value.tolist())
    assert answers.density[0] == pytest.approx(answers.estimate[0] / (60 * 40 / 1e6))
    assert answers.attrs["geodp_counted"] == release.counted


OVERLAPPING = ((5, 5, 45, 45), (25, 15, 75, 70), (25, 15, 75, 70), (90, 60, 130, 100))


def test_what_overlaps_counts_once(release):
    """Boxes and polygons alike; the last box lies half outside, in both directions."""
    answers = release.query(OVERLAPPING, total=True)
    union = shapely.union_all([shapely.box(*box) for box in OVERLAPPING])
    shape = gpd.GeoSeries([union], crs="EPSG:5070")
    expected = release.query(shape)
    for name, value in answers._asdict().items():
        assert value.tolist() == pytest.approx(expected[name].tolist())
    assert answers.covered[0] == pytest.approx((union.area - 40 * 40 + 10 * 20) / union.area)
    assert release.query(make_layer(*OVERLAPPING), total=True).estimate[0] == answers.estimate[0]
    more = release.query(OVERLAPPING)
    assert answers.estimate[0] < more.estimate.sum()


def test_regions_in_another_crs_are_united_before_they_are_moved(release):
    reprojected = make_layer(*HALVES).to_crs("EPSG:4326")
    answers = release.query(reprojected, total=True)
    assert answers.crs == reprojected.crs
    assert answers.estimate[0] == pytest.approx(570, rel=1e-3)


def test_adaptive_cells_too():
    points = np.random.default_rng(1).uniform((0, 0), (100, 80), (3000, 2))
    released = geodp.release((*points.T,), FRAME, epsilon=1, cells="adaptive", force=True)
    apart = released.query(OVERLAPPING[:2])
    expected = released.query([FRAME.bounds])
    answers = released.query([*OVERLAPPING[:2], FRAME.bounds], total=True)
    assert answers.std_error == pytest.approx(expected.std_error)
    assert answers.estimate == pytest.approx(expected.estimate)
    assert (answers.estimate > apart.estimate).all()


def test_the_change_in_all_regions_together():
    later, earlier = (release_with(np.full((4, 5), count)) for count in (30, 20))
    answers = (later - earlier).query(HALVES, total=True)
    assert answers.estimate.tolist() == [60]
    assert answers.std_error[0] == pytest.approx(math.sqrt(12 * laplace_variance(Fraction(1))))


def test_regions_that_cannot_be_asked_about(release):
    nowhere = release.query([(200, 0, 300, 80), (300, 0, 400, 80)], total=True)
    assert nowhere.covered.tolist() == [0]
    assert np.isnan(nowhere.estimate).all()
    assert release.query(make_layer((200, 0, 300, 80)), total=True).covered.tolist() == [0]
    bow_tie = shapely.Polygon([(0, 0), (50, 50), (50, 0), (0, 50)])
    layer = gpd.GeoSeries([bow_tie, shapely.box(0, 0, 20, 20)], crs="EPSG:5070")
    with pytest.raises(InputError, match="region 0 is not a valid polygon"):
        release.query(layer, total=True)
    assert release.query(layer, total=True, skip_invalid=True).estimate.tolist() == [150]
    with pytest.raises(InputError, match="at least one valid region"):
        release.query(layer[:1], total=True, skip_invalid=True)
    with pytest.raises(InputError, match="needs boxes, a layer or its path; got a Workload"):
        release.query(geodp.Workload.from_boxes(HALVES, FRAME), total=True)


@pytest.mark.slow
def test_the_stated_noise_of_a_total_is_that_of_draws():
    """Monte Carlo: the noise of unions, and intervals that hold it in 95 of 100 cases."""
    scale, draws = Fraction(5), 4000
    values = RandomBits(seed=6).discrete_laplace(scale, draws * 20).reshape(draws, 4, 5)
    empty = release_with(np.full((4, 5), -1000), scale)
    for boxes in (HALVES, OVERLAPPING):
        stated = empty.query(boxes, total=True)
        shares = [
            release_with(unit.reshape(4, 5)).query(boxes, total=True).estimate[0]
            for unit in np.eye(20, dtype=np.int64)
        ]
        noise = values.reshape(draws, 20) @ np.array(shares)
        assert noise.std() == pytest.approx(stated.noise_error[0], rel=0.05)
        held = np.abs(noise) <= (stated.ci_high - stated.ci_low)[0] / 2
        assert 0.935 < held.mean() < 0.975
