"""Choosing a grid: the privacy boundary. True counts go in, one index comes out, ε1 is spent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Ints
from .budget import Spend
from .grid import Grid
from .noise import RandomBits, practical_scale
from .overlap import UNIT
from .tally import SKETCH_SHAPE, Tally
from .tuners import Tuner
from .workload import Workload, weights_of


@dataclass(frozen=True)
class Choice:
    """A chosen candidate, and what choosing it cost."""

    candidate: int
    spends: tuple[Spend, ...]


def choose(
    tuner: Tuner,
    tally: Tally,
    budget: Fraction,
    contribution: int,
    scale: Fraction,
    bits: RandomBits,
) -> Choice:
    """Choose a candidate of the tally's plan and spend ``budget`` on it.

    Parameters
    ----------
    tuner : Tuner
        How to choose.
    tally : Tally
        True counts.
    budget : Fraction
        ε1, for one protected unit.
    contribution : int
        Records of difference that one protected unit stands for.
    scale : Fraction
        Scale of the noise that the counts will get.
    bits : RandomBits
        Source of randomness.
    """
    workload = tally.plan.workload
    assert workload is not None
    spends, weights = [], workload.weights
    if tuner.sketch_share and not workload.weighted:
        part = budget * tuner.sketch_share
        weights = sketched_weights(tally, part / contribution, bits)
        what = "discrete Laplace noise on {} × {} coarse counts".format(*SKETCH_SHAPE)
        spends.append(Spend("sketch", what, part, Fraction(contribution)))
        budget -= part
    overlaps = [workload.overlap(grid) for grid in tally.plan.grids]
    qualities = tuner.qualities(tally, overlaps, budget / contribution, scale, weights)
    chosen = tuner.choose(qualities, budget / contribution, bits)
    spends.append(Spend("tuning", tuner.mechanism, budget, Fraction(contribution)))
    return Choice(chosen, tuple(spends))


def sketched_weights(tally: Tally, epsilon: Fraction, bits: RandomBits) -> Ints:
    """Weights relative to the counts that a noisy sketch lets expect. Private in, public out.

    Expected counts are kept above one per cent of all: below that, the sketch is mostly noise, and
    a few near-empty regions would outweigh the rest.
    """
    workload, grid = tally.plan.workload, tally.plan.sketch_grid
    assert workload is not None
    true = tally.sketch()
    drawn = bits.discrete_laplace(practical_scale(1 / epsilon), true.size)
    return expected_weights(workload, grid, true + drawn.reshape(true.shape))


def expected_weights(workload: Workload, grid: Grid, sketch: npt.NDArray[Any]) -> Ints:
    """Weights from published counts on a coarse grid."""
    responses = workload.overlap(grid).responses(sketch)
    expected = np.array([value / UNIT for value in responses], dtype=np.float64)
    least = max(0.01 * float(sketch.sum()), 1.0)
    return weights_of(np.maximum(expected, least), np.ones(len(expected)))
