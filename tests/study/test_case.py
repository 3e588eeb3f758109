"""The study's quick answers are the core's exact ones, and its quick noise has the right law."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from geodp.core.privacy.noise import laplace_variance
from geodp.core.regions.overlap import UNIT as WHOLE
from geodp.core.regions.overlap import BoxOverlap
from geodp.core.regions.workload import Workload
from geodp.core.space.grid import Grid
from study.case import Corners, batches, discrete_laplace, table

from .conftest import UNIT, unit_case


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (40, 57)])
def test_quick_answers_agree_with_exact_ones(shape):
    random = np.random.default_rng(1)
    grid = Grid(UNIT, shape)
    boxes = Workload.random_boxes(UNIT, (0.01, 0.2, 0.7), 30, seed=3).boxes
    boxes = np.vstack([boxes, [0.0, 0.0, 1.0, 1.0]])
    counts = random.integers(-50, 1000, size=shape)
    exact = BoxOverlap(boxes, grid).responses(counts) / WHOLE
    quick = Corners(boxes, grid).read(table(counts))
    assert np.allclose(quick, exact.astype(float), rtol=1e-6, atol=1e-2)


def test_repetitions_stand_on_leading_axes():
    grid = Grid(UNIT, (2, 2))
    counts = np.array([[[1, 2], [3, 4]], [[0, 0], [8, 0]]])
    corners = Corners(np.array([[0.0, 0.0, 0.5, 0.5], [0.25, 0.0, 1.0, 1.0]]), grid)
    assert corners.read(table(counts)).tolist() == [[3.0, 8.0], [8.0, 4.0]]


@pytest.mark.parametrize("scale", [10, 1])
def test_quick_noise_is_discrete_laplace(scale):
    drawn = discrete_laplace(np.random.default_rng(1), scale, (400_000,))
    assert np.array_equal(drawn, np.round(drawn))
    variance = laplace_variance(Fraction(scale))
    assert drawn.var() == pytest.approx(variance, rel=0.02)
    assert drawn.var() != pytest.approx(1.3 * variance, rel=0.1)
    zero = (1 - np.exp(-1 / scale)) / (1 + np.exp(-1 / scale))
    assert (drawn == 0).mean() == pytest.approx(zero, rel=0.03)


def test_batches_add_up():
    assert sum(batches(1000, 640_000)) == 1000
    assert list(batches(3, 1 << 30)) == [1, 1, 1]


def test_a_case_counts_what_is_there():
    case = unit_case([0.1, 0.6, 0.6, 2.0], [0.1, 0.1, 0.9, 0.5])
    assert case.records == 3  # one lies outside
    assert case.truth.tolist() == [1]
    assert case.counts(case.grid(2)).tolist() == [[0, 1], [1, 1]]  # row 0 is north
    assert case.counts(case.grid(1)).tolist() == [[3]]
    assert case.aggregation_errors.tolist() == [[0.0], [0.0]]
