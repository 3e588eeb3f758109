"""Answers with error bars, from published counts alone.

The noise part of the error is known, because its distribution is public. The aggregation part,
which comes from taking people as evenly spread inside a cell, cannot be known from the release, so
no interval here contains it: it vanishes for regions made of whole cells and matters for regions of
a few cells or fewer.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .axis import Floats
from .grid import Grid
from .noise import laplace_variance
from .overlap import UNIT
from .workload import Workload

_NORMAL = 1.959963984540054
"""97.5 % quantile of the normal distribution."""

_CHEBYSHEV = math.sqrt(1 / 0.05)
"""No distribution has more than 5 % beyond this many standard deviations."""


class Answers(NamedTuple):
    """One entry per region.

    Attributes
    ----------
    estimate : ndarray
        ``Σ a_i · count_i``: cells count in proportion to the area inside the region.
    std_error : ndarray
        Standard deviation of the noise in the estimate.
    ci_low, ci_high : ndarray
        95 % interval for the noise alone; the aggregation error is not in it.
    """

    estimate: Floats
    std_error: Floats
    ci_low: Floats
    ci_high: Floats


def answer(grid: Grid, counts: npt.NDArray[Any], scale: Fraction, regions: Workload) -> Answers:
    """Estimate the number of records in each region (Algorithm 2 of the paper).

    Parameters
    ----------
    grid : Grid
        Cells of the release.
    counts : ndarray
        Published counts.
    scale : Fraction
        Scale of their discrete Laplace noise.
    regions : Workload
        Regions on the grid's domain.
    """
    overlap = regions.overlap(grid)
    estimate = np.array([value / UNIT for value in overlap.responses(counts)], dtype=np.float64)
    squares = overlap.power_sum(2)
    std_error = np.sqrt(laplace_variance(scale) * squares)
    # A weighted sum of Laplace variables has heavier tails than the normal distribution: one term
    # of the Cornish-Fisher expansion in its excess kurtosis corrects for that.
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = _excess_kurtosis(scale) * overlap.power_sum(4) / squares**2
    excess = np.nan_to_num(excess, nan=0.0, posinf=np.inf)
    reach = np.minimum(_NORMAL + (_NORMAL**3 - 3 * _NORMAL) / 24 * excess, _CHEBYSHEV) * std_error
    reach += np.minimum(np.sqrt(squares), 1) / 2  # the noise moves in steps of whole counts
    return Answers(estimate, std_error, estimate - reach, estimate + reach)


def _excess_kurtosis(scale: Fraction) -> float:
    """Fourth cumulant over squared variance: ``(1 + 4q + q²) / 2q``, ``q = exp(-1 / scale)``."""
    ratio = math.exp(-min(float(1 / scale), 700.0))
    return (1 + 4 * ratio + ratio * ratio) / (2 * ratio)
