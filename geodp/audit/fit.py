"""Bound how surprising noise is: bounds on p-values that hold for samples of any size.

Noise of any scale is turned into numbers that have one and the same distribution, so that draws of
many releases are judged together. With a uniform V, ``P(|Y| > |y|) + V P(|Y| = |y|)`` is uniform if
y was drawn with the scale, so minus its logarithm is exponential with mean 1. No approximation
takes part: surprises come from the bounds of Chernoff for the mean and for shares, of Dvoretzky,
Kiefer, Wolfowitz and Massart for the whole distribution, and of Azuma and Hoeffding for signs and
products.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.types import Floats, Ints

LIMIT = 10.0
"""Surprise that a sound mechanism does not come to: less often than once in 10**10 tests."""


def exponential_sizes(noise: Ints, scale: Fraction, rng: np.random.Generator) -> Floats:
    """Turn noise into numbers that are exponential with mean 1 if it has the scale.

    Examples
    --------
    >>> from geodp.core.privacy.noise import RandomBits
    >>> noise = RandomBits(seed=1).discrete_laplace(Fraction(5), 10_000)
    >>> sizes = exponential_sizes(noise, Fraction(5), np.random.default_rng(1))
    >>> round(float(sizes.mean()), 1), round(float(np.median(sizes)), 1)
    (1.0, 0.7)
    """
    rate = float(1 / scale)
    ratio = math.exp(-rate)
    uniform = rng.random(len(noise))
    zero = -np.log((2 * ratio + uniform * (1 - ratio)) / (1 + ratio))
    part = np.log(ratio + uniform * (1 - ratio)) if ratio > 0 else np.log(uniform)
    steps = np.abs(noise).astype(np.float64)
    return np.where(noise == 0, zero, math.log1p(ratio) - math.log(2) + steps * rate - part)


def fair_signs(noise: Ints, rng: np.random.Generator) -> Floats:
    """Give the sign of each draw, and a fair one to zeros."""
    return np.where(noise == 0, np.where(rng.random(len(noise)) < 0.5, -1.0, 1.0), np.sign(noise))


def surprise_of_sizes(sizes: Floats) -> float:
    """Bound the p-value of sizes that should be exponential: minus its decimal logarithm.

    Examples
    --------
    >>> even = -np.log((np.arange(1000) + 0.5) / 1000)
    >>> surprise_of_sizes(even), surprise_of_sizes(even * 1.5) > LIMIT
    (0.0, True)
    """
    count = len(sizes)
    if not count:
        return 0.0
    mean = float(sizes.mean())
    chernoff = count * (mean - 1 - math.log(mean)) if mean > 0 else math.inf
    uniform = np.sort(-np.expm1(-np.maximum(sizes, 0.0)))
    order = np.arange(count + 1) / count
    apart = max(float((uniform - order[:-1]).max()), float((order[1:] - uniform).max()))
    return _surprise(max(chernoff, 2 * count * apart**2), 4)


def surprise_of_share(share: float, odds: float, count: int) -> float:
    """Bound how surprising it is that an event of known odds happened in a share of the draws.

    Examples
    --------
    >>> surprise_of_share(0.5, 0.5, 1000), surprise_of_share(0.5, 0.25, 1000) > LIMIT
    (0.0, True)
    """
    apart = 0.0
    for seen, expected in ((share, odds), (1 - share, 1 - odds)):
        if seen > 0:
            apart += seen * math.log(seen / expected) if expected > 0 else math.inf
    return _surprise(count * apart, 2)


def surprise_of_mean(values: npt.NDArray[Any]) -> float:
    """Bound how surprising a mean is, of values in ``[-1, 1]`` with mean 0 given those before.

    Examples
    --------
    >>> surprise_of_mean(np.array([-1, 1] * 50)), surprise_of_mean(np.ones(100)) > LIMIT
    (0.0, True)
    """
    if not len(values):
        return 0.0
    return _surprise(len(values) * float(values.mean()) ** 2 / 2, 2)


def _surprise(nats: float, tests: int) -> float:
    return max(0.0, (nats - math.log(tests)) / math.log(10))


def chance_alike(scale: Fraction) -> float:
    """Compute how likely two draws of noise are the same.

    Examples
    --------
    >>> round(chance_alike(Fraction(100)), 5)
    0.0025
    """
    rate = float(1 / scale)
    if rate > 700:
        return 1.0
    ratio = math.exp(-rate)
    less = -math.expm1(-rate)
    return less * (1 + ratio**2) / (1 + ratio) ** 3
