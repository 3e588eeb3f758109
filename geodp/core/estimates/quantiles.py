"""Medians and other quantiles with intervals, from noisy counts between public breaks.

Whether a break lies above the quantile is a question about a share: are more than q of all records
below it? Each break is tested as shares are, from the outside inwards, and no further than the
first that is not decided. So an interval misses the truth only where the one break beside the true
quantile is decided wrongly: however many breaks there are, the level is that of one test.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.types import Bools, Floats
from .estimate import ErrorTerms
from .ratios import interval_reach


class Quantiles(NamedTuple):
    """A quantile of a field in regions, one entry per region.

    Attributes
    ----------
    quantile, quantile_low, quantile_high : ndarray
        The quantile, taken from records evenly spread between breaks, and its interval, whose ends
        are breaks. Where there may be no records at all, the quantile is NaN, and the interval goes
        from the first break to the last.
    """

    quantile: Floats
    quantile_low: Floats
    quantile_high: Floats


def quantiles(
    breaks: Sequence[float],
    below: Sequence[ErrorTerms],
    above: Sequence[ErrorTerms],
    part: float,
    level: float,
) -> Quantiles:
    """Estimate a quantile from what lies below and above each inner break.

    Parameters
    ----------
    breaks : sequence of float
        All breaks, rising.
    below, above : sequence of ErrorTerms
        For each inner break, the records below it and the others, with errors that are independent
        of each other.
    part : float
        Which quantile: 0.5 is the median.
    level : float
        How often an interval shall hold the truth.
    """
    edges = np.asarray(breaks, dtype=np.float64)
    first, last = below[0], above[0]
    regions = len(first.estimate)
    total = first.estimate + last.estimate
    known = total > np.hypot(interval_reach(first, level), interval_reach(last, level))
    low, high = np.full(regions, edges[0]), np.full(regions, edges[-1])
    tests = [_tested(terms, other, part, level) for terms, other in zip(below, above)]
    open_up = open_down = known
    for edge, (_, lower) in zip(edges[1:-1], tests):
        open_up = open_up & lower
        low = np.where(open_up, edge, low)
    for edge, (upper, _) in zip(edges[1:-1][::-1], tests[::-1]):
        open_down = open_down & upper
        high = np.where(open_down, edge, high)
    shares = np.array([terms.estimate for terms in below]) / np.where(known, total, 1.0)
    place = _crossing(edges, shares, part)
    values = np.where(known, np.clip(place, low, high), np.nan)
    return Quantiles(values, low, high)


def _tested(below: ErrorTerms, above: ErrorTerms, part: float, level: float) -> tuple[Bools, Bools]:
    """Tell whether more than a part of all records is below for certain, and whether less is."""
    excess = (1 - part) * below.estimate - part * above.estimate
    reach = np.hypot((1 - part) * interval_reach(below, level), part * interval_reach(above, level))
    return excess > reach, excess < -reach


def _crossing(edges: Floats, shares: Floats, part: float) -> Floats:
    """Find where shares below the breaks pass a part, between breaks in proportion.

    Examples
    --------
    >>> _crossing(np.array([0.0, 10, 20, 50]), np.array([[0.2, -0.1], [0.6, 0.2]]), 0.5)
    array([17.5 , 31.25])
    """
    ends = np.zeros((1, shares.shape[1]))
    # Shares of noisy counts may fall: what is below a break is below the next one too.
    rising = np.maximum.accumulate(np.clip(np.concatenate([ends, shares]), 0, 1), axis=0)
    rising = np.concatenate([rising, ends + 1])
    place = np.minimum((rising <= part).sum(axis=0), len(edges) - 1)
    column = np.arange(shares.shape[1])
    low, high = rising[place - 1, column], rising[place, column]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(high > low, (part - low) / (high - low), 0.5)
    return np.asarray(edges[place - 1] + step * (edges[place] - edges[place - 1]))


def checked_part(part: object) -> float:
    """Return which quantile is asked for, between 0 and 1, or refuse it."""
    if isinstance(part, bool) or not isinstance(part, Real) or not 0 < float(part) < 1:
        raise InputError(
            f"a quantile is between 0 and 1, both excluded, and 0.5 is the median; got {part!r}."
        )
    return float(part)
