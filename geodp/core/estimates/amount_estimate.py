"""Sums and means of an amount in cells and regions, from its two layers. Public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats
from ..regions.workload import Workload
from .estimate import ErrorTerms, Estimate
from .level_estimate import LevelEstimate
from .ratios import Sums, interval_reach, ratio_interval, sums_and_means
from .tree_estimate import TreeEstimate


@dataclass(frozen=True)
class AmountEstimate:
    """Estimate sums and means of an amount from its two layers.

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

    def sums_by_cell(self, level: float = 0.95) -> Sums:
        """Estimate sums and means in the cells themselves, which no border cuts."""
        layers = (self.above, self.below)
        above, below = (noise_terms(layer.counts, layer.variance) for layer in layers)
        return sums_and_means(above, below, self.low, self.high, level)

    def sums_by_unit(self, level: float = 0.95) -> Sums:
        """Estimate sums and means in the cells, or in the units of all levels of districts."""
        above, below = (_unit_terms(layer) for layer in (self.above, self.below))
        return sums_and_means(above, below, self.low, self.high, level)

    def mean_reach(self, records: float, level: float = 0.95) -> Floats:
        """Return half the width of the interval of a mean over so many records, for each unit.

        The mean is taken to lie a quarter of the way from the lower bound to the upper one. NaN
        where so few records would leave it unknown.
        """
        above, below = (
            interval_reach(_unit_terms(layer), level) for layer in (self.above, self.below)
        )
        part = np.full(len(above), records * USUAL_PLACE)
        share, low, high = ratio_interval(part, records - part, above, below)
        half = (self.high - self.low) * (high - low) / 2
        return np.where(np.isnan(share), np.nan, half)


USUAL_PLACE = 0.25
"""Where between its bounds a mean is taken to lie in forecasts: they should be chosen so."""


def noise_terms(counts: npt.NDArray[Any], variance: Floats) -> ErrorTerms:
    """Return errors of cells: noise alone, with tails as heavy as those of a single draw."""
    nothing, heavy = np.zeros(len(counts)), np.full(len(counts), 3.0)
    estimate, noise = (np.asarray(each, dtype=np.float64) for each in (counts, variance))
    never = np.zeros(len(counts), dtype=np.bool_)
    return ErrorTerms(estimate, noise, heavy, nothing, nothing, never, nothing, nothing)


def _unit_terms(layer: Estimate) -> ErrorTerms:
    if isinstance(layer, TreeEstimate) and layer.has_units:
        return layer.unit_parts()
    if not isinstance(layer, LevelEstimate):
        return noise_terms(layer.counts, layer.variance)
    counts, variances = (
        np.concatenate(each) for each in (layer.fit.estimates, layer.fit.variances)
    )
    return noise_terms(counts, variances)
