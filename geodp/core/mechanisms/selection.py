"""Choosing a grid: the privacy boundary. True counts go in, one index comes out, ε1 is spent.

:func:`choose` draws what :func:`choice_odds` gives the probabilities of. Both score the candidates
in the same place and from the same arguments, so that an audit or a study of the odds is one of
what a release does.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Ints
from ..counts.grid_tally import Tally
from ..privacy.noise import RandomBits
from ..regions.overlap import UNIT
from ..regions.workload import Workload, weights_of
from ..space.grid import Grid
from .shares import Shares
from .tuners import Tuner

Counts = npt.NDArray[Any]


def choose(tuner: Tuner, tally: Tally, shares: Shares, bits: RandomBits) -> int:
    """Choose a candidate of the tally's plan, with a sketch first if there is a share for it.

    Parameters
    ----------
    tuner : Tuner
        How to choose.
    tally : Tally
        True counts.
    shares : Shares
        What sketch and choice may spend, and the scale of the noise that the counts will get.
    bits : RandomBits
        Source of randomness.
    """
    sketch = noisy_sketch(tally, shares, bits)
    return tuner.choose(_qualities(tuner, tally, shares, sketch), shares.choice_rate, bits)


def choice_odds(
    tuner: Tuner, tally: Tally, shares: Shares, sketch: Counts | None = None
) -> list[Decimal]:
    """Exact probabilities of what :func:`choose` draws once the sketch is published. Private.

    Parameters
    ----------
    tuner, tally, shares
        As for :func:`choose`.
    sketch : ndarray of int, optional
        Published counts on the sketch's grid, where there is a share for a sketch.
    """
    return tuner.probabilities(_qualities(tuner, tally, shares, sketch), shares.choice_rate)


def _qualities(tuner: Tuner, tally: Tally, shares: Shares, sketch: Counts | None) -> list[Fraction]:
    """Scores of the candidates, of sensitivity 1 for any one published sketch. Private."""
    workload = tally.plan.workload
    assert workload is not None
    assert (sketch is None) == (not shares.sketch)
    weights = workload.weights
    if sketch is not None:
        weights = expected_weights(workload, tally.plan.sketch_grid, sketch)
    overlaps = [workload.overlap(grid) for grid in tally.plan.grids]
    return tuner.qualities(tally, overlaps, shares.choice_rate, shares.counts_scale, weights)


def noisy_sketch(tally: Tally, shares: Shares, bits: RandomBits) -> Counts | None:
    """Coarse counts with noise, or None without a share for them. Private in, public out."""
    if shares.sketch_scale is None:
        return None
    grid = tally.plan.sketch_grid
    cells = int(np.count_nonzero(grid.supported))
    return with_noise(tally.sketch(), grid, bits.discrete_laplace(shares.sketch_scale, cells))


def with_noise(true: Counts, grid: Grid, added: Ints) -> Counts:
    """Counts of a grid's cells with noise, a number for each. Private in, public out.

    Where no records can be the count is 0 for certain: such cells get no noise.
    """
    if grid.domain.within is None:
        return np.asarray(true + added.reshape(true.shape))
    noisy = np.zeros(true.shape, dtype=np.int64)
    noisy[grid.supported] = true[grid.supported] + added
    return noisy


def expected_weights(workload: Workload, grid: Grid, sketch: Counts) -> Ints:
    """Weights relative to the counts that are expected in each region, given a published sketch.

    Expected counts are kept above one per cent of all: below that, the sketch is mostly noise, and
    a few near-empty regions would outweigh the rest.
    """
    responses = workload.overlap(grid).responses(sketch)
    expected = np.array([value / UNIT for value in responses], dtype=np.float64)
    least = max(0.01 * float(sketch.sum()), 1.0)
    return weights_of(np.maximum(expected, least), np.ones(len(expected)))
