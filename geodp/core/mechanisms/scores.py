"""Error bounds of candidate grids and how far one record can move them, in exact arithmetic.

Counts are integers and overlaps are multiples of ``2**-UNIT_BITS``: aggregation errors are exact.
Square roots and quotients are rounded down to whole units and the rounding is part of the stated
sensitivity: for any two reals, ``|floor(a) - floor(b)| <= |a - b| + 1``. Norms of the overlaps and
the noise variance are public constants; rounding them changes the score, never its sensitivity.

Everything here is private: it is computed from true counts.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ..common.errors import InputError
from ..common.types import Ints
from ..regions.overlap import UNIT, UNIT_BITS, Objects, Overlap
from ..space.axis import FRACTION_BITS

_QUALITY_BITS = 60

_isqrt = np.frompyfunc(math.isqrt, 1, 1)


def aggregation_errors(responses: Objects, inside: Ints) -> Objects:
    """Compute ``A_t = R_t - T_t`` in units: what the uniformity assumption gets wrong."""
    return np.asarray(responses - inside.astype(object) * UNIT, dtype=object)


def weighted_mean(values: Objects, weights: Ints, unit: int = UNIT) -> Fraction:
    """Return the exact weighted mean of whole numbers of units."""
    return Fraction(int((values * weights.astype(object)).sum()), unit * int(weights.sum()))


def noise_variance(overlap: Overlap, variance: float) -> Objects:
    """Return ``v ‖a^t‖₂²`` in squared units: alike for all groups; public."""
    return _in_units(overlap.power_sum(2) * variance, 2 * UNIT_BITS)


def expected_score(errors: Objects, noise: Objects, weights: Ints) -> Fraction:
    """Return ``u = -Σ_t w_t sqrt(A_t² + v ‖a^t‖₂²)``, at least minus the expected absolute error.

    By Jensen's inequality ``E|A + noise| <= sqrt(A² + Var)``. The noise is :func:`noise_variance`.
    """
    return -weighted_mean(_isqrt(errors * errors + noise), weights)


def influence_sensitivity(overlap: Overlap, weights: Ints) -> Fraction:
    """Return ``Δ = max_j Σ_t w_t max(a_j, 1 - a_j)`` over regions that cell j bounds; public.

    A record in cell j moves ``A_t`` by ``a_j - 1[in t]``: nothing unless j is a boundary cell of
    t. The square root is 1-Lipschitz in A, and rounding it down adds at most one unit.
    """
    total = int(weights.sum())
    moved = (overlap.influence(weights) << UNIT_BITS - FRACTION_BITS) + total
    return Fraction(moved, UNIT * total)


def generalized_qualities(
    scores: list[Fraction], sensitivities: list[Fraction], penalty: Fraction
) -> list[Fraction]:
    """Compare scores of unlike sensitivity fairly; the result has sensitivity 1.

    ``q_r = min_s (z_r - z_s) / (Δ_r + Δ_s)`` with ``z_r = u_r - penalty Δ_r``
    (Raskhodnikova & Smith 2016, the generalized exponential mechanism).
    """
    shifted = [score - penalty * delta for score, delta in zip(scores, sensitivities)]
    return [
        min((z - other) / (delta + step) for other, step in zip(shifted, sensitivities))
        for z, delta in zip(shifted, sensitivities)
    ]


def absolute_quality(errors: Objects, overlap: Overlap, weights: Ints, scale: Fraction) -> Fraction:
    """Return the paper's absolute score ``-mean_t (|A_t| + λ ‖a^t‖₁)``; sensitivity 1."""
    return -weighted_mean(abs(errors) + perturbation(overlap, scale), weights)


def relative_quality(
    errors: Objects,
    inside: Ints,
    perturbations: Objects,
    weights: Ints,
    *,
    records: int,
    delta: Fraction,
    floor: int,
    bound_on_noise: Fraction,
) -> Fraction:
    """Compute the paper's relative score over its repaired bound; sensitivity 1 (claim 6).

    Parameters
    ----------
    errors, inside, perturbations, weights
        ``A_t`` in units, ``T_t``, ``λ ‖a^t‖₁`` in units, and weights.
    records : int
        ``|D|``, private.
    delta : Fraction
        The sanity bound is ``ρ = δ N`` with ``N = max(|D|, floor)``.
    floor : int
        Public ``n0 >= 1/δ``.
    bound_on_noise : Fraction
        ``L``: at least the weighted mean of the perturbations, in counts.
    """
    if floor * delta < 1:
        raise InputError(f"n0 must be at least 1/delta = {1 / delta}; got {floor}.")
    size = max(records, floor)
    rho = delta * size
    bound = (size + bound_on_noise) / (rho * (rho + 1)) + 1 / rho
    larger = np.maximum(inside.astype(object) * rho.denominator, rho.numerator)
    top = (abs(errors) + perturbations) * (rho.denominator * bound.denominator << _QUALITY_BITS)
    ratios = top // (larger * (bound.numerator * UNIT))
    moves = relative_sensitivity(delta, floor)
    return -weighted_mean(ratios, weights, 1 << _QUALITY_BITS) / moves


def relative_sensitivity(delta: Fraction, floor: int) -> Fraction:
    """Bound how far a record moves score / bound: 1 for δ up to 1/5, else ``1 + 2δ + 1/n0``.

    Falling scores fall by at most 1 for every δ. Rising ones gain both from the score and from the
    bound, which shrinks as records are added; up to δ = 1/5 the two together stay below 1.
    """
    rounding = Fraction(1, 1 << _QUALITY_BITS)
    if delta <= Fraction(1, 5):
        return 1 + rounding
    return 1 + 2 * delta + Fraction(1, floor) + rounding


def perturbation(overlap: Overlap, scale: Fraction) -> Objects:
    """Return ``λ ‖a^t‖₁`` in units: the paper's bound on what noise adds; public."""
    units = _in_units(overlap.power_sum(1), UNIT_BITS)
    return np.asarray(units * scale.numerator // scale.denominator, dtype=object)


def _in_units(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], bits: int) -> Objects:
    """Round public floats to whole numbers of ``2**-bits``."""
    return np.array([math.floor(math.ldexp(value, bits)) for value in values], dtype=object)
