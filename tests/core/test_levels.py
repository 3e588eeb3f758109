"""Nested units: their tree, and least squares over it against dense algebra."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

from geodp import InputError
from geodp.core.estimates.level_estimate import LevelFit
from geodp.core.kernel.measurements import Measurements
from geodp.core.space.levels import Levels

SCALES = (Fraction(1), Fraction(10, 3), Fraction(1, 2))


@st.composite
def levels(draw: st.DrawFn) -> Levels:
    depth = draw(st.integers(1, 3))
    paths: list[tuple[str, ...]] = [()]
    for _ in range(depth):
        paths = [(*path, f"{n}") for path in paths for n in range(draw(st.integers(1, 4)))]
    return Levels([f"level {n}" for n in range(depth)], paths)


def dense(fit: LevelFit, measurements: Measurements) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return estimates of the smallest units and their covariance by dense least squares; all
    units.
    """
    units = fit.levels
    every = np.zeros((units.nodes, len(units)))
    every[0] = 1
    for depth in range(1, units.depth + 1):
        cuts = units.smallest_units(depth)
        ends = zip(cuts, cuts[1:])  # noqa: RUF007 (Python 3.9 has no pairwise)
        for place, (start, stop) in enumerate(ends):
            every[units.first_node(depth) + place, start:stop] = 1
    rows = every[measurements.node]
    precision = 1 / np.array(measurements.variances())[measurements.scale]
    covariance = np.linalg.inv(rows.T @ (precision[:, None] * rows))
    return covariance @ rows.T @ (precision * measurements.value), covariance, every


@examples(60)
@given(levels(), st.integers(0, 2**32 - 1))
def test_estimates_are_those_of_dense_least_squares(units, seed):
    rng = np.random.default_rng(seed)
    times = rng.integers(0, 3, units.nodes)
    smallest = units.first_node(units.depth)
    times[smallest:] = np.maximum(times[smallest:], 1)
    node = np.repeat(np.arange(units.nodes), times)
    scale = rng.integers(0, len(SCALES), len(node))
    measurements = Measurements(node, rng.integers(-9, 99, len(node)), scale, SCALES)
    fit = LevelFit(units, measurements)
    cells, covariance, every = dense(fit, measurements)
    estimates, variances = np.concatenate(fit.estimates), np.concatenate(fit.variances)
    assert np.allclose(estimates, (every @ cells)[1:])
    assert np.allclose(variances, np.diag(every @ covariance @ every.T)[1:])
    weights = rng.random((4, len(units))) * (rng.random((4, len(units))) < 0.6)
    row, unit = np.nonzero(weights)
    variance = fit.variance_of_sums(row, unit, weights[row, unit], 4)
    assert np.allclose(variance, np.diag(weights @ covariance @ weights.T))


@given(levels())
def test_children_are_disjoint_and_make_up_their_parents(units):
    codes = np.zeros(1, dtype=np.int64)
    for depth in range(units.depth):
        codes, fan_out = units.child_codes(depth, codes)
        assert codes.tolist() == list(range(len(units.labels[depth])))
        assert fan_out.sum() == len(codes)
        cuts = units.smallest_units(depth + 1)
        assert cuts[0] == 0
        assert cuts[-1] == len(units)
        assert (np.diff(cuts) > 0).all()
    assert units == Levels(units.names, units.paths)
    assert hash(units) == hash(Levels(units.names, units.paths))


@pytest.mark.parametrize(
    ("names", "labels", "words"),
    [
        (["a"], [], "one unit at least"),
        ([], [()], "a label on each level"),
        (["a", "b"], [("x",)], "a label on each level"),
        (["a"], [("x",), ("x",)], "x is there twice"),
        (["a", "b"], [("x", "1"), ("y", "2"), ("x", "3")], "stand together"),
    ],
)
def test_units_that_do_not_nest_are_refused(names, labels, words):
    with pytest.raises(InputError, match=words):
        Levels(names, labels)


@pytest.mark.parametrize("power", [1, 3, 6, 12])
def test_next_to_no_noise_gives_what_was_counted(power):
    levels = Levels(["state", "county"], [("A", "x"), ("A", "y"), ("B", "z")])
    measurements = Measurements([1, 2, 3, 4, 5], [7, 8, 3, 4, 8], None, [Fraction(1, 10**power)])
    fit = LevelFit(levels, measurements)
    np.testing.assert_allclose(fit.estimates[0], [7, 8])
    np.testing.assert_allclose(fit.estimates[1], [3, 4, 8])
    assert np.isfinite(np.concatenate(fit.variances)).all()
