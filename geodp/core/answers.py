"""Answers with error bars that hold the whole error, from published counts alone.

Two things part an estimate from the truth. The *noise* has a public distribution. The *aggregation
error* comes from taking records as evenly spread inside the cells that a region's border cuts; how
uneven they are inside a cell is not published, but how uneven they are among four neighbouring
cells is, and records look about as uneven one scale further down. So the release itself tells how
far to trust it, at no cost in ε (docs/benchmarks.md has the coverage on real data).
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .axis import Floats
from .errors import InputError
from .grid import Grid
from .noise import laplace_variance
from .overlap import UNIT, Overlap
from .unevenness import pooled_unevenness, spread_variance
from .workload import Workload

_EVEN, _CLUMPED = 0.005, 3 / 16
"""Unevenness of one cutting in four: hardly any, and all records in one of the four."""

_UNKNOWN = 0.1
"""Taken where noise hides how uneven the records are."""

_TOGETHER = 1.25
"""By how much more clumps weigh because cells along one border err together, in part."""


class Answers(NamedTuple):
    """One entry per region.

    Attributes
    ----------
    estimate : ndarray
        ``Σ a_i · count_i``: cells count in proportion to the area inside the region.
    std_error : ndarray
        Standard error of the estimate: noise and aggregation together.
    noise_error : ndarray
        Standard deviation of the noise alone.
    ci_low, ci_high : ndarray
        Interval that holds the true count at the level that was asked for, 95 % by default.
    border_share : ndarray
        Part of the estimate that comes from cells which the region's border cuts, from 0 to 1:
        near 1, the estimate rests on the even spread inside cells.
    covered : ndarray
        Part of the region's area that lies in the domain.
    """

    estimate: Floats
    std_error: Floats
    noise_error: Floats
    ci_low: Floats
    ci_high: Floats
    border_share: Floats
    covered: Floats


def answer(
    grid: Grid,
    counts: npt.NDArray[Any],
    scale: Fraction,
    regions: Workload,
    level: float = 0.95,
) -> Answers:
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
    level : float
        How often the interval shall hold the truth.
    """
    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, both excluded; got {level}.")
    overlap = regions.overlap(grid)
    estimate = np.array([value / UNIT for value in overlap.responses(counts)], dtype=np.float64)
    squares = overlap.power_sum(2)
    noise = laplace_variance(scale) * squares
    aggregation = aggregation_variance(overlap, counts, laplace_variance(scale))
    std_error = np.sqrt(noise + aggregation)
    # A weighted sum of Laplace variables has heavier tails than the normal distribution.
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = _excess_kurtosis(scale) * overlap.power_sum(4) / squares**2
        excess *= (noise / (noise + aggregation)) ** 2
    reach = _quantile(level, np.nan_to_num(excess, nan=0.0, posinf=np.inf)) * std_error
    reach += np.minimum(np.sqrt(squares), 1) / 2  # the noise moves in steps of whole counts
    return Answers(
        estimate,
        std_error,
        np.sqrt(noise),
        estimate - reach,
        estimate + reach,
        _border_share(overlap, counts),
        _covered(overlap, grid, regions),
    )


def aggregation_variance(overlap: Overlap, counts: npt.NDArray[Any], noise: float) -> Floats:
    """Variance of what the even spread gets wrong, over the cells that regions cut."""
    # Cells along one border err together, in part: clumps weigh somewhat more.
    uneven = _TOGETHER * unevenness(counts, noise)
    spread = spread_variance(np.asarray(counts, dtype=np.float64), noise, uneven)
    return np.maximum(overlap.weighted(spread, lambda share: share * (1 - share)), 0)


def unevenness(counts: npt.NDArray[Any], noise: float) -> float:
    """How uneven records are among the four cells of a block, as for the siblings of a tree.

    Parameters
    ----------
    counts : ndarray
        Published counts on a grid.
    noise : float
        Variance of the noise in each.

    Examples
    --------
    >>> unevenness(np.full((4, 4), 1000), 2.0)
    0.005
    >>> round(unevenness(np.kron(np.ones((3, 3), int), [[4000, 0], [0, 0]]), 2.0), 4)
    0.1875
    """
    cells = np.asarray(counts, dtype=np.float64)
    block = np.stack([cells[:-1, :-1], cells[:-1, 1:], cells[1:, :-1], cells[1:, 1:]], axis=-1)
    pooled = pooled_unevenness([(block.reshape(-1, 4), noise)])
    return _UNKNOWN if pooled is None else float(np.clip(pooled, _EVEN, _CLUMPED))


def _border_share(overlap: Overlap, counts: npt.NDArray[Any]) -> Floats:
    present = np.maximum(np.asarray(counts, dtype=np.float64), 0)
    cut = overlap.weighted(present, lambda share: np.where(share < 1, share, 0))
    whole = overlap.weighted(present, lambda share: share)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, np.clip(cut / whole, 0, 1), 0.0))


def _covered(overlap: Overlap, grid: Grid, regions: Workload) -> Floats:
    areas = np.multiply.outer(np.diff(grid.y_edges)[::-1], np.diff(grid.x_edges))
    with np.errstate(divide="ignore", invalid="ignore"):
        part = overlap.weighted(areas, lambda share: share) / regions.areas
    return np.where(part < 1 - 1e-6, part, 1.0)  # shares of cells are rounded


def _quantile(level: float, excess: Floats) -> Floats:
    """Two-sided quantile: one term of the Cornish-Fisher expansion, at most Chebyshev's bound."""
    normal = NormalDist().inv_cdf((1 + level) / 2)
    return np.minimum(normal + (normal**3 - 3 * normal) / 24 * excess, math.sqrt(1 / (1 - level)))


def _excess_kurtosis(scale: Fraction) -> float:
    """Fourth cumulant over squared variance: ``(1 + 4q + q²) / 2q``, ``q = exp(-1 / scale)``."""
    ratio = math.exp(-min(float(1 / scale), 700.0))
    return (1 + 4 * ratio + ratio * ratio) / (2 * ratio)
