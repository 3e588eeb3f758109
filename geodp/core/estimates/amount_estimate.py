"""Sums and means of an amount in cells and regions, from its two layers. Public."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..regions.workload import Workload
from .estimate import ErrorTerms, Estimate
from .ratios import Sums, sums_and_means


@dataclass(frozen=True)
class AmountEstimate:
    """What two layers tell about an amount.

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

    def of_cells(self, level: float = 0.95) -> Sums:
        """Estimate sums and means in the cells themselves, which no border cuts."""
        above, below = (_cell_terms(layer) for layer in (self.above, self.below))
        return sums_and_means(above, below, self.low, self.high, level)


def _cell_terms(layer: Estimate) -> ErrorTerms:
    """Errors of cells: noise alone, with tails as heavy as those of a single draw."""
    nothing = np.zeros(len(layer.counts))
    noise = np.asarray(layer.variance, dtype=np.float64)
    heavy = np.full(len(nothing), 3.0)
    counts = np.asarray(layer.counts, dtype=np.float64)
    return ErrorTerms(counts, noise, heavy, nothing, nothing, nothing, nothing)
