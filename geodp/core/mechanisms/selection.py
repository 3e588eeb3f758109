"""Choose a grid: the scores that the kernel draws from, and their exact odds.

:func:`choose` asks the kernel for a draw of which :func:`choice_odds` gives the probabilities. Both
score the candidates in the same place and from the same arguments, so that whoever audits or
studies the odds sees those of a release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Ints
from ..counts.choice_tally import ChoicePlan
from ..counts.grid_tally import Plan, Tally
from ..kernel.kernel import Kernel
from ..privacy.noise import RandomBits
from ..regions.overlap import UNIT, Overlap
from ..regions.workload import Workload, region_weights
from ..space.grid import Grid
from .shares import Shares
from .tuners import Tuner

Counts = npt.NDArray[Any]


@dataclass(frozen=True)
class GridChoice:
    """A choice among the candidate grids of a plan, for the kernel to score and draw.

    Parameters
    ----------
    tuner : Tuner
        How to score and draw.
    counts_scale : Fraction
        Scale of the noise that the counts will get.
    sketch : ndarray of int, optional
        Published counts on the sketch's grid, where there is a sketch.
    units : int
        Units that make one.
    """

    tuner: Tuner
    counts_scale: Fraction
    sketch: Counts | None = None
    units: int = 1

    @property
    def sensitivity(self) -> Fraction:
        """Return how far one unit moves a quality, as the tuner declares it."""
        return self.tuner.quality_sensitivity

    def qualities(self, tally: Tally, rate: Fraction) -> list[Fraction]:
        """Score the candidates, with sensitivity 1 for any one published sketch. Private."""
        workload = tally.plan.workload
        assert workload is not None
        weights = workload.weights
        if self.sketch is not None:
            grid = tally.plan.sketch_grid
            weights = expected_weights(workload, grid, self.sketch, self.units)
        overlaps = [workload.overlap(grid) for grid in tally.plan.grids]
        return self.tuner.qualities(tally, overlaps, rate, self.counts_scale, weights)

    def draw(self, qualities: Sequence[Fraction], rate: Fraction, bits: RandomBits) -> int:
        """Draw an index."""
        return self.tuner.choose(qualities, rate, bits)


def choose(kernel: Kernel, tuner: Tuner, plan: Plan, shares: Shares) -> int:
    """Choose a candidate of a plan, with a sketch first if there is a share for it.

    Parameters
    ----------
    kernel : Kernel
        True counts, which it keeps to itself.
    tuner : Tuner
        How to choose.
    plan : Plan
        What was counted.
    shares : Shares
        What sketch and choice may spend, and the scale of the noise that the counts will get.
    """
    sketch = noisy_sketch(kernel, plan.sketch_grid, shares) if shares.sketch else None
    choice = GridChoice(tuner, shares.counts_scale, sketch, shares.units)
    return kernel.choose(choice, shares.choice, "tuning", tuner.mechanism)


@dataclass(frozen=True)
class PartitionChoice:
    """A choice among candidates of unlike kinds, for the kernel to score and draw.

    Parameters
    ----------
    tuner : Tuner
        How to score and draw.
    overlaps : sequence of Overlap
        How the regions cover each candidate; public.
    weights : ndarray of int
        Weights of the regions; public by now.
    counts_scale : Fraction
        Scale of the noise that the counts will get.
    """

    tuner: Tuner
    overlaps: Sequence[Overlap]
    weights: Ints
    counts_scale: Fraction

    @property
    def sensitivity(self) -> Fraction:
        """Return how far one record moves a quality, as the tuner declares it."""
        return self.tuner.quality_sensitivity

    def qualities(self, tally: Any, rate: Fraction) -> list[Fraction]:
        """Score the candidates, with sensitivity 1 for any weights. Private."""
        return self.tuner.qualities(tally, self.overlaps, rate, self.counts_scale, self.weights)

    def draw(self, qualities: Sequence[Fraction], rate: Fraction, bits: RandomBits) -> int:
        """Draw an index."""
        return self.tuner.choose(qualities, rate, bits)


def choose_partition(kernel: Kernel, tuner: Tuner, plan: ChoicePlan, shares: Shares) -> int:
    """Choose a candidate of any kind, with a sketch first if there is a share for it.

    Parameters
    ----------
    kernel, tuner, shares
        As for :func:`choose`.
    plan : ChoicePlan
        What was counted.
    """
    workload, grid = plan.workload, plan.region_plan.sketch_grid
    weights = workload.weights
    if shares.sketch:
        sketch = noisy_sketch(kernel, grid, shares)
        weights = expected_weights(workload, grid, sketch, shares.units)
    overlaps = [partition.overlap(workload) for partition in plan.partitions]
    choice = PartitionChoice(tuner, overlaps, weights, shares.counts_scale)
    return kernel.choose(choice, shares.choice, "tuning", tuner.mechanism)


def choice_odds(
    tuner: Tuner, tally: Tally, shares: Shares, sketch: Counts | None = None
) -> list[Decimal]:
    """Compute the odds of what :func:`choose` draws once the sketch is published. Private.

    Parameters
    ----------
    tuner, tally, shares
        As for :func:`choose`.
    sketch : ndarray of int, optional
        Published counts on the sketch's grid, where there is a share for a sketch.
    """
    choice = GridChoice(tuner, shares.counts_scale, sketch, shares.units)
    return tuner.probabilities(choice.qualities(tally, shares.choice_rate), shares.choice_rate)


def noisy_sketch(kernel: Kernel, grid: Grid, shares: Shares) -> Counts:
    """Publish coarse counts, of all groups together, for a first look at where records are."""
    how = "discrete Laplace noise on {} × {} coarse counts".format(*grid.shape)
    values, _ = kernel.measure_cells(grid, shares.sketch, "sketch", how, together=True)
    return on_grid(grid, values[0])


def on_grid(grid: Grid, values: Ints) -> Counts:
    """Put counts of those cells where records can be into the grid's shape; 0 elsewhere."""
    counts = np.zeros(grid.shape, dtype=np.int64)
    counts[grid.supported] = values
    return counts


def expected_weights(workload: Workload, grid: Grid, sketch: Counts, units: int = 1) -> Ints:
    """Compute weights relative to the counts that a published sketch expects in each region.

    Expected counts are kept above one per cent of all: below that, the sketch is mostly noise, and
    a few near-empty regions would outweigh the rest.
    """
    responses = workload.overlap(grid).responses(sketch)
    expected = np.array([value / UNIT for value in responses], dtype=np.float64)
    least = max(0.01 * float(sketch.sum()), float(units))
    return region_weights(np.maximum(expected, least), np.ones(len(expected)))
