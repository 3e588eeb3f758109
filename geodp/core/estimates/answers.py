"""Answers with error bars that hold the whole error, from published counts alone.

An estimate has two errors. The *noise* has a public distribution. The *aggregation
error* comes from taking records as evenly spread inside the cells that a region's border cuts; how
uneven they are inside a cell is not published, but how uneven they are among four neighbouring
cells is, and records look about as uneven one scale further down. So the release itself tells how
far to trust it, at no cost in ε (docs/benchmarks.md has the coverage on real data).
"""

from __future__ import annotations

import math
from numbers import Real
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints, as_positive
from ..regions.workload import Workload
from .estimate import ErrorTerms, Estimate


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

    @property
    def reliable(self) -> Bools:
        """Tell whether half of each interval is at most half of the estimate."""
        return is_reliable(self)

    def placed(self, rows: Ints, count: int, outside: Ints) -> Answers:
        """Return answers for all regions of a layer, some of which were asked about.

        Parameters
        ----------
        rows : ndarray of int
            Which regions these answers are for.
        count : int
            Number of regions.
        outside : ndarray of int
            Regions outside the domain: nothing is known there, and none of them is covered.
        """
        complete: Answers = placed(self, rows, count, outside)
        return complete


def placed(answers: Any, rows: Ints, count: int, outside: Ints) -> Any:
    """Return answers for all regions of a layer, of any kind: see :meth:`Answers.placed`."""
    if len(rows) == count:
        return answers
    columns = []
    for name, values in answers._asdict().items():
        column = np.full(count, np.nan)
        column[rows] = values
        column[outside] = 0.0 if name == "covered" else np.nan
        columns.append(column)
    return type(answers)(*columns)


class AmountAnswers(NamedTuple):
    """One entry per region: counts as in :class:`Answers`, and sums and means of an amount.

    Attributes
    ----------
    estimate, std_error, noise_error, ci_low, ci_high, border_share, covered : ndarray
        As in :class:`Answers`.
    sum, sum_low, sum_high : ndarray
        Estimated sum of the amounts, cut at their public bounds, and its interval.
    mean, mean_low, mean_high : ndarray
        Estimated mean and its interval. Where too few records are there to tell, the mean is NaN
        and the interval is all that lies between the bounds.
    """

    estimate: Floats
    std_error: Floats
    noise_error: Floats
    ci_low: Floats
    ci_high: Floats
    border_share: Floats
    covered: Floats
    sum: Floats
    sum_low: Floats
    sum_high: Floats
    mean: Floats
    mean_low: Floats
    mean_high: Floats

    @property
    def reliable(self) -> Bools:
        """Tell whether half of each count's interval is at most half of the estimate."""
        return is_reliable(self)

    def placed(self, rows: Ints, count: int, outside: Ints) -> AmountAnswers:
        """Place answers for all regions of a layer: see :meth:`Answers.placed`."""
        answers: AmountAnswers = placed(self, rows, count, outside)
        return answers


RELIABLE = 0.5
"""Part of an estimate that half of its interval may be, where it is called reliable."""


def is_reliable(answers: Answers | AmountAnswers, share: float = RELIABLE) -> Bools:
    """Tell whether half of each interval is at most a public share of the estimate.

    The rule looks at published numbers alone, and nothing is left out of sums by it. Regions
    without an answer are not reliable.

    Examples
    --------
    >>> answers = Answers(
    ...     *(
    ...         np.array(part)
    ...         for part in (
    ...             [40.0, 4.0],
    ...             [5.0, 5.0],
    ...             [5.0, 5.0],
    ...             [30.0, -6.0],
    ...             [50.0, 14.0],
    ...             [0, 0],
    ...             [1, 1],
    ...         )
    ...     )
    ... )
    >>> is_reliable(answers).tolist(), is_reliable(answers, 0.1).tolist()
    ([True, False], [False, False])
    """
    half = (answers.ci_high - answers.ci_low) / 2
    return stands_above(answers.estimate, half, checked_reliable(share))


def stands_above(estimate: Floats, half_width: Floats, share: float) -> Bools:
    """Tell whether half-widths are at most a share of the sizes of estimates; never of nothing."""
    size = np.abs(estimate)
    return np.asarray((size > 0) & (half_width <= share * size))


def checked_reliable(share: object) -> float:
    """Return a share of an estimate that is a positive number, or refuse it."""
    positive = as_positive(share)
    if positive is None:
        raise InputError(
            "what counts as reliable is a positive share of the estimate, such as 0.5; got "
            f"{share!r}."
        )
    return positive


def answer(estimate: Estimate, regions: Workload, level: float = 0.95) -> Answers:
    """Estimate the number of records in each region (Algorithm 2 of the paper).

    Parameters
    ----------
    estimate : Estimate
        Counts of cells, from what was published.
    regions : Workload
        Regions on the domain of the cells.
    level : float
        How often the interval shall hold the truth.
    """
    return answers_from(estimate.parts(regions), regions.areas, level)


def answers_from(parts: ErrorTerms, areas: Floats, level: float = 0.95) -> Answers:
    """Return estimates with their intervals from the terms of their errors.

    Parameters
    ----------
    parts : ErrorTerms
        Estimates and errors of regions.
    areas : ndarray
        Areas of the complete regions, of which a part may lie outside.
    level : float
        How often the interval shall hold the truth.
    """
    checked_level(level)
    std_error = np.sqrt(parts.noise + parts.spread)
    # A weighted sum of Laplace variables has heavier tails than the normal distribution.
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = parts.excess * (parts.noise / (parts.noise + parts.spread)) ** 2
        covered = parts.inside / areas
    reach = quantile(level, np.nan_to_num(excess, nan=0.0, posinf=np.inf)) * std_error
    reach = _in_steps(reach, parts.step, parts.integer)
    return Answers(
        parts.estimate,
        std_error,
        np.sqrt(parts.noise),
        parts.estimate - reach,
        parts.estimate + reach,
        parts.border_share,
        np.where(covered < 1 - 1e-6, covered, 1.0),  # shares of cells are rounded
    )


def checked_level(level: float) -> float:
    """Return a level between 0 and 1, or refuse it."""
    if not isinstance(level, Real) or not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, both excluded; got {level}.")
    return float(level)


def noise_reach(
    variance: Floats,
    excess: Floats | float,
    step: Floats | float = 1.0,
    *,
    integer: Bools | bool = False,
    level: float = 0.95,
) -> Floats:
    """Compute half the width of intervals where noise is the only error, as :func:`answer` does.

    Parameters
    ----------
    variance : ndarray
        Variance of the noise in complete cells.
    excess : float or ndarray
        Excess kurtosis of the noise.
    step : float or ndarray
        How far one step of the noise moves the count.
    integer : bool or ndarray of bool
        Whether counts are whole numbers, as they were measured.
    level : float
        How often the interval shall hold the truth.

    Examples
    --------
    >>> noise_reach(np.array([2.0]), 3.0).round(1), noise_reach(np.array([2.0]), 3.0, integer=True)
    (array([3.6]), array([3.]))
    """
    reach = quantile(level, np.asarray(excess, dtype=np.float64)) * np.sqrt(variance)
    return _in_steps(np.asarray(reach), step, integer)


def _in_steps(reach: Floats, step: Floats | float, integer: Bools | bool) -> Floats:
    """Reach half a step further; where errors are whole, to the last whole number within reach.

    Between whole numbers lies no truth: limits there would hold the same numbers, and look wider.
    """
    further = reach + np.minimum(step, 1) / 2
    return np.asarray(np.where(integer, np.floor(further), further))


def quantile(level: float, excess: Floats) -> Floats:
    """Return the two-sided quantile for a standard deviation of 1, at most Chebyshev's bound.

    One term of the Cornish-Fisher expansion, which is good for sums of several counts, or what is
    right for a single one and the normal distribution, and in between in proportion: whichever is
    more.
    """
    normal = NormalDist().inv_cdf((1 + level) / 2)
    single = -math.log(1 - level) / math.sqrt(2)
    series = normal + (normal**3 - 3 * normal) / 24 * excess
    between = normal + (single - normal) / 3 * np.minimum(excess, 3)
    return np.minimum(np.maximum(series, between), math.sqrt(1 / (1 - level)))
