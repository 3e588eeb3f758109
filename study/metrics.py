"""Compute relative errors and their spread, per size of region."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geodp.core.common.types import Floats, Ints

FLOOR_SHARE = 0.001
"""Mean relative errors have at least 0.1 % of all records in the denominator."""


class Spread(NamedTuple):
    """Sum up errors of one method for regions of one size.

    Attributes
    ----------
    median, q25, q75 : float
        Quartiles of ``|answer - truth| / max(truth, 1)`` over positions and repetitions: the
        paper's measure, without a sanity bound.
    mean : float
        Mean of ``|answer - truth| / max(truth, 0.001 n)``. Without the floor a few near-empty
        regions would make up all of it.
    mean_sd : float
        Standard deviation over repetitions of the mean over positions.
    """

    median: float
    q25: float
    q75: float
    mean: float
    mean_sd: float


def spreads(answers: Floats, truth: Ints, records: int, groups: int) -> list[Spread]:
    """Sum up errors, for each of ``groups`` equal runs of regions.

    Parameters
    ----------
    answers : ndarray, shape (repetitions, regions)
        What a method said.
    truth : ndarray
        Exact counts.
    records : int
        Number of points, for the floor.
    groups : int
        How many sizes the regions come in; regions of one size stand together.

    Examples
    --------
    >>> spreads(np.array([[11.0, 0.0]]), np.array([10, 10]), 100, 2)[0].median
    0.1
    """
    error = np.abs(answers - truth)
    relative = np.split(error / np.maximum(truth, 1), groups, axis=1)
    floored = np.split(error / np.maximum(truth, FLOOR_SHARE * records), groups, axis=1)
    return [_spread(a, b) for a, b in zip(relative, floored)]


def _spread(relative: Floats, floored: Floats) -> Spread:
    q25, median, q75 = (float(value) for value in np.quantile(relative, (0.25, 0.5, 0.75)))
    means = floored.mean(axis=1)
    spread = float(means.std(ddof=1)) if len(means) > 1 else 0.0
    return Spread(median, q25, q75, float(means.mean()), spread)


def geometric_mean(values: list[float]) -> float:
    """Compute the geometric mean of positive numbers.

    Examples
    --------
    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    return float(np.exp(np.mean(np.log(values))))
