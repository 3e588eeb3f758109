"""Add up many spends as (ε, δ): the optimal composition of pure mechanisms, from above.

The plain sum of all ε is what a ledger counts, and is never exceeded. Many small spends promise
more than their sum says, if one allows for a small probability δ: 365 releases of 0.1 are
(10.32, 10⁻⁶)-differentially private together, not only 36.5. The proof is in docs/privacy.md,
claim 10; in short, the ratio of probabilities under two neighbouring datasets is, at worst, the
product of independent factors exp(±εᵢ), of which exp(εᵢ) has probability exp(εᵢ) / (1 + exp(εᵢ)).

Every step errs upwards: logarithms of that product are rounded up to a lattice, floats carry a
margin that is larger than their errors, and the result is rounded up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats
from .budget import ExactNumber, exact

DELTA = Fraction(1, 10**6)
"""A usual probability with which a sum may promise less than it says."""

MOST_SPENDS = 20_000
"""More of them are added up plainly."""

_MOST_EACH = 100
"""A larger ε leaves nothing to gain from δ."""

WORK = 1 << 26
"""Additions that a sum may take."""

LEAST_PLACES, _MOST_PLACES = 1 << 12, 1 << 18
_ULP = 2.0**-52


def composed(epsilons: Iterable[ExactNumber], delta: ExactNumber = DELTA) -> Fraction:
    """Compute the least ε for which spends of pure ε are together (ε, δ)-differentially private.

    Parameters
    ----------
    epsilons : iterable of number
        What was spent, each for the same unit, in amounts that were chosen beforehand.
    delta : number
        Probability δ, public and fixed beforehand, between 0 and 1.

    Returns
    -------
    Fraction
        An upper bound, and never more than the plain sum. It is above the optimum by at most a
        thousandth of the sum, for amounts of few digits such as 0.05. For others there is also
        one step of the lattice for each distinct amount: about a ten-thousandth of the sum for
        ten spends, and a hundredth of it for some hundred that all differ.

    Examples
    --------
    >>> float(composed([0.1] * 365))
    10.32
    >>> composed([1]), composed([])
    (Fraction(1, 1), Fraction(0, 1))
    """
    spends = Counter(exact(epsilon, "epsilon") for epsilon in epsilons)
    chance = exact(delta, "delta")
    if not 0 < chance < 1:
        raise InputError(f"delta must lie between 0 and 1, both excluded; got {delta}.")
    if any(spend <= 0 for spend in spends):
        raise InputError("every epsilon must be greater than 0; one is not.")
    plain = sum((epsilon * times for epsilon, times in spends.items()), Fraction(0))
    if not spends or sum(spends.values()) > MOST_SPENDS or max(spends) > _MOST_EACH:
        return plain
    step = Fraction(10) ** (math.floor(math.log10(plain)) - 3)
    losses, chances = _loss_distribution(spends)
    # The margin is wider than what floats can lose: each chance is a product of few factors, and
    # all that is added up is positive.
    margin = 1 + 64 * _ULP * (float(plain) + sum(spends.values()) + len(losses))
    limit = float(chance) * (1 - _ULP) / margin - 1e-290
    low, high = -1, math.ceil(plain / step)
    while high - low > 1:  # at `low` more than δ is left, at `high` no more
        middle = (low + high) // 2
        if _delta(losses, chances, float(middle * step)) <= limit:
            high = middle
        else:
            low = middle
    return min(plain, high * step)


def _delta(losses: Floats, chances: Floats, epsilon: float) -> float:
    """Compute the chance that a loss is above ε, each weighted with what it is above."""
    above = losses - epsilon * (1 - 4 * _ULP)
    return float((chances * -np.expm1(-np.maximum(above, 0))).sum())


def _loss_distribution(spends: Counter[Fraction]) -> tuple[Floats, Floats]:
    """Return logarithms of the ratio of probabilities, rounded up, and how probable each is."""
    groups = [_alike(epsilon, times) for epsilon, times in sorted(spends.items())]
    if len(groups) == 1:
        return groups[0]
    total = sum(float(losses[-1]) for losses, _ in groups)
    width, shifts = _lattice(spends, groups)
    chances = np.ones(1)
    for (_, weights), places in zip(groups, shifts):
        longer = np.zeros(len(chances) + places[-1])
        for place, weight in zip(places, weights.tolist()):
            longer[place : place + len(chances)] += weight * chances
        chances = longer
    lattice = np.arange(len(chances), dtype=np.float64) * width
    return np.asarray(lattice - total * (1 - 16 * _ULP)), chances


def _lattice(
    spends: Counter[Fraction], groups: list[tuple[Floats, Floats]]
) -> tuple[float, list[list[int]]]:
    """Return the width of a lattice, and where the losses of each group are on it, rising."""
    most = max(LEAST_PLACES, min(_MOST_PLACES, WORK // sum(spends.values())))
    plain = sum((epsilon * times for epsilon, times in spends.items()), Fraction(0))
    bottom = math.lcm(*(spend.denominator for spend in spends))
    step = Fraction(math.gcd(*(int(spend * bottom) for spend in spends)), bottom)
    if plain / step <= most:  # one on which all of them lie
        sizes = [int(spend / step) for spend in sorted(spends)]
        return 2 * float(step), [
            [size * place for place in range(len(losses))]
            for size, (losses, _) in zip(sizes, groups)
        ]
    width = 2 * float(plain) / most
    return width, [
        np.ceil((losses - losses[0]) / width * (1 + 8 * _ULP)).astype(np.int64).tolist()
        for losses, _ in groups
    ]


def _alike(epsilon: Fraction, times: int) -> tuple[Floats, Floats]:
    """Return losses and chances of equal spends: so many of them are losses, the others gains."""
    above = math.nextafter(float(epsilon), math.inf)
    ways, logarithms = 1, []
    for losses in range(times + 1):
        logarithms.append(math.log(ways))
        ways = ways * (times - losses) // (losses + 1)
    gains = np.arange(times, -1, -1)
    chances = np.exp(np.array(logarithms) - gains * above - times * math.log1p(math.exp(-above)))
    return np.asarray((times - 2 * gains) * above), np.asarray(chances)
