"""How unevenly records lie inside cells, judged from the release itself, and the error of that.

Taking records as evenly spread inside a cell errs where a region's border cuts the cell. How far,
the release tells at no further cost: where four siblings differ by more than their noise, records
are uneven at that scale, and one scale further down they are about as uneven again. Public.
"""

from __future__ import annotations

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
    moments, weights = 0.0, 0.0
    for own, below in zip(fit.own[2:], fit.below[2:]):  # root cells are no family of four
        count = own.reshape(-1, 4)
        noise = below.reshape(-1, 4).mean(axis=1)
        total = count.sum(axis=1)
        clear = total > 4 * np.sqrt(4 * noise)
        count, noise, total = count[clear], noise[clear], total[clear]
        spread = ((count - total[:, None] / 4) ** 2).mean(axis=1)
        weight = 1 / (noise / total**2 + 0.05) ** 2
        moments += float((weight * (spread - 3 * noise / 4 - 3 * total / 16) / total**2).sum())
        weights += float(weight.sum())
    return max(moments / weights, _LEAST) if weights else _UNKNOWN


def aggregation_variance(border: Border, uneven: float, regions: int) -> Floats:
    """Variance of the error from taking records as evenly spread, for each region.

    A cell with count c, noise of variance v and covered share a adds
    ``a(1 - a)·(c⁺ + 16/3 · unevenness · (c² - v)⁺)``.
    """
    count = border.estimate
    square = np.maximum(count * count - border.variance, 0.0)
    spread = np.maximum(count, 0.0) + 16 / 3 * uneven * square
    return np.bincount(
        border.region, border.share * (1 - border.share) * spread, minlength=regions
    ).astype(np.float64)
