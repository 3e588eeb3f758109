"""How unevenly records lie inside cells, judged from the release itself, and the error of that.

Taking records as evenly spread inside a cell errs where a region's border cuts the cell. How far,
the release tells at no further cost: where four siblings differ by more than their noise, records
are uneven at that scale, and one scale further down they are about as uneven again. Public.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from .axis import Floats
from .least_squares import Fit
from .tree_answers import Border

_LEAST = 0.005
_UNKNOWN = 0.2
"""Taken where no family has a count that stands out of its noise."""


def unevenness(fit: Fit) -> float:
    """Mean squared deviation of siblings from a quarter of their sum, relative to its square.

    For a family with the sum p and independent noise of variance v each,
    ``E Σ(c_i - p/4)² / 4 = unevenness · p² + 3v/4 + 3p/16``, where the last two terms are noise
    and chance. Families whose sum stands out of its noise are pooled over all depths, with less
    weight for noisier ones.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.domain import Domain
    >>> from geodp.core.frame import Frame
    >>> from geodp.core.measurements import Measurements
    >>> from geodp.core.tree import Tree
    >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 1), 1)
    >>> tree = Tree(frame, [[True], [False] * 4])
    >>> made = Measurements(range(2, 6), [4000, 0, 0, 0], [0] * 4, [Fraction(1)])
    >>> round(unevenness(Fit(tree, made)), 3)
    0.187
    """
    # Root cells are no family of four.
    depths = range(2, len(fit.own))
    pooled = pooled_unevenness(_family(fit, depth) for depth in depths)
    return _UNKNOWN if pooled is None else max(pooled, _LEAST)


def _family(fit: Fit, depth: int) -> Family:
    """Counts of siblings at a depth, the variance of their noise, and their weights."""
    noise, weights = fit.below[depth].reshape(-1, 4), None
    within = fit.tree.frame.domain.within
    if within is not None:
        every = np.arange(len(fit.own[depth]))
        weights = within.weight(*fit.tree.node_bounds(depth, every)).reshape(-1, 4)
        noise = np.where(noise > 0, noise, np.nan)
    return Family(fit.own[depth].reshape(-1, 4), np.nanmean(noise, axis=1), weights)


class Family(NamedTuple):
    """Groups of four counts, one group in a row.

    Attributes
    ----------
    counts : ndarray, shape (n, 4)
        Counts; 0 where no records can be.
    noise : ndarray or float
        Variance of the noise in each count, per row or for all.
    weights : ndarray, shape (n, 4), optional
        How records would lie if they were spread evenly over where they can be; by default alike.
    """

    counts: Floats
    noise: Floats | float
    weights: Floats | None = None


def pooled_unevenness(families: Iterable[Family]) -> float | None:
    """Unevenness of groups of four counts, pooled; None where none stands out of its noise.

    With even shares s of the sum p and k counts with noise of variance v,
    ``E Σ(c_i - s_i p)² = unevenness · p² · 16/3 · (1 - Σs²) + v·(k - 2 + kΣs²) + p·(1 - Σs²)``,
    which is the formula of :func:`unevenness` for four shares of a quarter.
    """
    moments, weights = 0.0, 0.0
    for count, given, by_weight in families:
        total = count.sum(axis=1)
        noise = np.broadcast_to(given, total.shape)
        clear = total > 4 * np.sqrt(4 * noise)
        if by_weight is not None:
            clear &= np.count_nonzero(by_weight, axis=1) > 1
        count, noise, total = count[clear], noise[clear], total[clear]
        weight = 1 / (noise / total**2 + 0.05) ** 2
        if by_weight is None:
            spread = ((count - total[:, None] / 4) ** 2).mean(axis=1)
            excess = spread - 3 * noise / 4 - 3 * total / 16
        else:
            part = by_weight[clear] / by_weight[clear].sum(axis=1)[:, None]
            squares, number = (part * part).sum(axis=1), np.count_nonzero(part, axis=1)
            spread = ((count - total[:, None] * part) ** 2).sum(axis=1)
            spread -= noise * (number - 2 + number * squares) + total * (1 - squares)
            excess = spread * 3 / 16 / (1 - squares)
            weight *= (1 - squares) ** 2  # a family of one large part and crumbs tells little
        moments += float((weight * excess / total**2).sum())
        weights += float(weight.sum())
    return moments / weights if weights else None


def spread_variance(count: Floats, noise: Floats | float, uneven: float) -> Floats:
    """What a cell's count adds to a variance, times ``a(1 - a)`` for a covered share a.

    ``c⁺ + 16/3 · unevenness · (c² - v)⁺`` for a count c with noise of variance v: if records lie
    anywhere in the cell, the number inside is binomial; if they clump, the share inside varies by
    more. One of many cuttings differs as all of them together, the unevenness of one cutting in
    four times four, times ``1 + 1/4 + …``.
    """
    return np.asarray(
        np.maximum(count, 0.0) + 16 / 3 * uneven * np.maximum(count * count - noise, 0.0)
    )


def aggregation_variance(border: Border, uneven: float, regions: int) -> Floats:
    """Variance of the error from taking records as evenly spread, for each region.

    A cell with covered share a adds ``a(1 - a)`` times its :func:`spread_variance`.
    """
    spread = spread_variance(border.estimate, border.variance, uneven)
    return np.bincount(
        border.region, border.share * (1 - border.share) * spread, minlength=regions
    ).astype(np.float64)
