"""Sums, means, shares, rates and other quotients, with intervals. Public.

A mean is a quotient of two noisy numbers, whose noise is independent. A normal interval around such
a quotient fails badly where the lower one is small, so none is made: the interval holds those means
θ for which the noisy ``above - θ · (above + below)``, which is 0 on average at the true one, is
within its error (Fieller 1954). Where the count itself may be 0 nothing is known of the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.types import Floats
from ..regions.workload import Workload
from .answers import quantile
from .estimate import ErrorTerms, Estimate
from .level_estimate import LevelEstimate
from .tree_estimate import TreeEstimate


class Sums(NamedTuple):
    """Sums and means of an amount, one entry per region or cell.

    Attributes
    ----------
    sum, sum_low, sum_high : ndarray
        Estimated sum of the amounts, cut at their bounds, and its interval.
    mean, mean_low, mean_high : ndarray
        Estimated mean and its interval. Where too little is known the mean is NaN, and the interval
        is all that lies between the bounds.
    """

    sum: Floats
    sum_low: Floats
    sum_high: Floats
    mean: Floats
    mean_low: Floats
    mean_high: Floats


def ratio_interval(
    part: Floats, rest: Floats, part_error: Floats, rest_error: Floats
) -> tuple[Floats, Floats, Floats]:
    """Estimate the share of a part in part + rest, by test inversion.

    Parameters
    ----------
    part, rest : ndarray
        Two noisy numbers whose errors are independent.
    part_error, rest_error : ndarray
        How far each may be off, at the level that is asked for.

    Returns
    -------
    share, low, high
        NaN, 0 and 1 where part + rest may be zero.

    Examples
    --------
    >>> part, rest, error = np.array([30.0, 3.0]), np.array([70.0, 2.0]), np.array([5.0, 5.0])
    >>> [each.round(2).tolist() for each in ratio_interval(part, rest, error, error)]
    [[0.3, nan], [0.26, 0.0], [0.34, 1.0]]
    """
    a, b = part_error**2, rest_error**2
    total = part + rest
    known = (total > 0) & (total**2 > a + b)
    # (part - t·whole)² <= a·(1 - t)² + b·t²: a parabola in t, open above where the whole is known.
    top = np.where(known, total**2 - a - b, 1.0)
    middle = part * total - a
    reach = np.sqrt(np.maximum(middle**2 - top * (part**2 - a), 0.0))
    share = np.clip(part / np.where(known, total, 1.0), 0, 1)
    low, high = (np.clip((middle + sign * reach) / top, 0, 1) for sign in (-1, 1))
    return (
        np.where(known, share, np.nan),
        np.where(known, np.minimum(low, share), 0.0),
        np.where(known, np.maximum(high, share), 1.0),
    )


class Ratios(NamedTuple):
    """Quotients of counts with intervals, one entry per region.

    Attributes
    ----------
    ratio, ratio_low, ratio_high : ndarray
        The quotient and its interval. Where the lower count may be zero, nothing is known: the
        quotient is NaN, and its interval is all that can be.
    """

    ratio: Floats
    ratio_low: Floats
    ratio_high: Floats


def quotient_interval(
    top: Floats, bottom: Floats, top_error: Floats, bottom_error: Floats
) -> Ratios:
    """Estimate a quotient of two noisy counts with independent errors, by test inversion.

    Examples
    --------
    >>> top, bottom, error = np.array([60.0, 3.0]), np.array([40.0, 2.0]), np.array([5.0, 5.0])
    >>> [each.round(2).tolist() for each in quotient_interval(top, bottom, error, error)]
    [[1.5, nan], [1.3, 0.0], [1.75, inf]]
    """
    known = (bottom > 0) & (bottom > bottom_error)
    width = np.where(known, bottom**2 - bottom_error**2, 1.0)
    middle = top * bottom
    reach = np.sqrt(np.maximum(middle**2 - width * (top**2 - top_error**2), 0.0))
    ratio = np.maximum(top / np.where(known, bottom, 1.0), 0.0)
    low, high = (np.maximum((middle + sign * reach) / width, 0.0) for sign in (-1, 1))
    return Ratios(
        np.where(known, ratio, np.nan),
        np.where(known, low, 0.0),
        np.where(known, np.maximum(high, ratio), np.inf),
    )


class Rates(NamedTuple):
    """Records per one of a public population, one entry per region.

    Attributes
    ----------
    rate, rate_low, rate_high : ndarray
        The rate and its interval. Where the population is 0 or missing nothing is known: the rate
        is NaN, and its interval is all that can be.
    """

    rate: Floats
    rate_low: Floats
    rate_high: Floats


def rates(estimate: Floats, half_width: Floats, population: Floats, each: float = 1.0) -> Rates:
    """Divide counts by a public population, whose error is none: a quotient like any other.

    Parameters
    ----------
    estimate, half_width : ndarray
        Counts, and half of their intervals.
    population : ndarray
        How many people, dwellings, vehicles there are; NaN where that is not known.
    each : float
        Of how many of them the rate is.

    Examples
    --------
    >>> answers = rates(np.array([30.0, 9.0]), np.array([10.0, 4.0]), np.array([600.0, 0.0]), 100)
    >>> [each.round(1).tolist() for each in answers]
    [[5.0, nan], [3.3, 0.0], [6.7, inf]]
    """
    bottom = np.where(np.isfinite(population), population, 0.0) / each
    interval = quotient_interval(estimate, bottom, half_width, np.zeros(len(bottom)))
    # A region without an answer has no rate either, of which anything could be said.
    return Rates(*(np.where(np.isnan(estimate), np.nan, part) for part in interval))


def group_share(part: ErrorTerms, rest: ErrorTerms, level: float) -> Ratios:
    """Estimate the share of a part in part + rest, from their estimates and errors."""
    errors = (interval_reach(part, level), interval_reach(rest, level))
    return Ratios(*ratio_interval(part.estimate, rest.estimate, *errors))


def count_ratio(top: ErrorTerms, bottom: ErrorTerms, level: float) -> Ratios:
    """Estimate a quotient of two counts, from their estimates and errors."""
    errors = (interval_reach(top, level), interval_reach(bottom, level))
    return quotient_interval(top.estimate, bottom.estimate, *errors)


def interval_reach(terms: ErrorTerms, level: float) -> Floats:
    """Compute how far an estimate may be off, at a level."""
    return _reach(terms.excess * terms.noise**2, terms.noise + terms.spread, level)


def sums_and_means(
    above: ErrorTerms, below: ErrorTerms, low: float, high: float, level: float
) -> Sums:
    """Estimate sums and means from the two layers of an amount.

    What the even spread inside cells gets wrong is taken to go together in both for sums, and to be
    independent for means, where it would cancel in part.

    Parameters
    ----------
    above, below : ErrorTerms
        Estimates of the layers, and what their errors are made of.
    low, high : float
        Bounds of the amount.
    level : float
        How often an interval shall hold the truth.
    """
    noise = high**2 * above.noise + low**2 * below.noise
    cross = 2 * high * low * np.sqrt(above.spread * below.spread)
    spread = high**2 * above.spread + low**2 * below.spread + np.maximum(cross, 0.0)
    fourth = high**4 * above.excess * above.noise**2 + low**4 * below.excess * below.noise**2
    reach = _reach(fourth, noise + spread, level)
    total = high * above.estimate + low * below.estimate
    errors = [interval_reach(terms, level) for terms in (above, below)]
    share, least, most = ratio_interval(above.estimate, below.estimate, *errors)
    means = (low + (high - low) * part for part in (share, least, most))
    return Sums(total, total - reach, total + reach, *means)


def _reach(fourth: Floats, variance: Floats, level: float) -> Floats:
    """Return half of an interval, from the fourth cumulant and the variance of an error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.nan_to_num(fourth / variance**2, nan=0.0, posinf=np.inf)
    return np.asarray(quantile(level, excess) * np.sqrt(variance))


@dataclass(frozen=True)
class AmountEstimate:
    """Estimate sums and means of an amount from its two layers.

    Parameters
    ----------
    above, below : Estimate
        The layers.
    low, high : float
        Bounds of the amount.
    """

    above: Estimate
    below: Estimate
    low: float
    high: float

    def answer(self, regions: Workload, level: float = 0.95) -> Sums:
        """Estimate sums and means in regions."""
        above, below = (layer.parts(regions) for layer in (self.above, self.below))
        return sums_and_means(above, below, self.low, self.high, level)

    def sums_by_cell(self, level: float = 0.95) -> Sums:
        """Estimate sums and means in the cells themselves, which no border cuts."""
        layers = (self.above, self.below)
        above, below = (noise_terms(layer.counts, layer.variance) for layer in layers)
        return sums_and_means(above, below, self.low, self.high, level)

    def sums_by_unit(self, level: float = 0.95) -> Sums:
        """Estimate sums and means in the cells, or in the units of all levels of districts."""
        above, below = (_unit_terms(layer) for layer in (self.above, self.below))
        return sums_and_means(above, below, self.low, self.high, level)

    def mean_reach(self, records: float, level: float = 0.95) -> Floats:
        """Return half the width of the interval of a mean, for each unit, where it has ``records``.

        The mean is taken to lie a quarter of the way from the lower bound to the upper one. NaN
        where so few records would leave it unknown.
        """
        above, below = (
            interval_reach(_unit_terms(layer), level) for layer in (self.above, self.below)
        )
        part = np.full(len(above), records * USUAL_PLACE)
        share, low, high = ratio_interval(part, records - part, above, below)
        half = (self.high - self.low) * (high - low) / 2
        return np.where(np.isnan(share), np.nan, half)


USUAL_PLACE = 0.25
"""The mean that forecasts assume, as a part of the way from the lower bound to the upper one."""


def noise_terms(counts: npt.NDArray[Any], variance: Floats) -> ErrorTerms:
    """Return errors of cells: noise alone, with tails as heavy as those of a single draw."""
    nothing, heavy = np.zeros(len(counts)), np.full(len(counts), 3.0)
    estimate, noise = (np.asarray(values, dtype=np.float64) for values in (counts, variance))
    never = np.zeros(len(counts), dtype=np.bool_)
    return ErrorTerms(estimate, noise, heavy, nothing, nothing, never, nothing, nothing)


def _unit_terms(layer: Estimate) -> ErrorTerms:
    if isinstance(layer, TreeEstimate) and layer.has_units:
        return layer.unit_parts()
    if not isinstance(layer, LevelEstimate):
        return noise_terms(layer.counts, layer.variance)
    counts, variances = (
        np.concatenate(levels) for levels in (layer.fit.estimates, layer.fit.variances)
    )
    return noise_terms(counts, variances)
