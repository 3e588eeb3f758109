"""Estimate counts of districts that are nested in levels, and of regions, by least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.district_cells import DistrictCells
from ..common.errors import InputError
from ..common.types import Floats
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from .estimate import ErrorTerms, Estimate, proportion
from .level_fit import LevelFit
from .unevenness import Border, unknown_unevenness


class LevelEstimate(Estimate):
    """Counts of districts that agree with those of the larger units that hold them.

    Parameters
    ----------
    cells : DistrictCells
        The districts.
    measurements : Measurements
        Noisy counts of units of the levels; every district has one at least.
    """

    def __init__(self, cells: DistrictCells, measurements: Measurements) -> None:
        levels = cells.levels
        measured = np.zeros(levels.nodes, dtype=np.bool_)
        if len(measurements) and measurements.node[-1] < levels.nodes:
            measured[measurements.node] = True
        if not measured[levels.first_node(levels.depth) :].all():
            raise InputError("every district must be measured; one is not.")
        self._cells, self._excess = cells, max(measurements.excess())
        self._units = measurements.units
        self.fit = LevelFit(levels, measurements)
        """Estimates of the units of all levels."""

    @property
    def counts(self) -> npt.NDArray[Any]:
        return self.fit.estimates[-1]

    @property
    def variance(self) -> Floats:
        return self.fit.variances[-1]

    def parts(self, regions: Workload) -> ErrorTerms:
        overlap = self._cells.overlap(regions)
        rows = len(regions)
        noise = self.fit.variance_of_sums(overlap.region, overlap.cell, overlap.share, rows)
        squares = overlap.power_sum(2)
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = self._excess * overlap.power_sum(4) / squares**2
        present = np.maximum(self.counts, 0)
        cut = overlap.weighted(present, lambda share: np.where(share < 1, share, 0))
        spread = np.zeros(rows)
        uneven = unknown_unevenness(len(self._cells))
        for region, cell, share in overlap.borders():
            depth = np.full(len(cell), len(uneven.blocks.sizes) - 1)
            border = Border(region, depth, cell, share, self.counts[cell], self.variance[cell])
            spread += uneven.variance(border, rows)
        return ErrorTerms(
            overlap.weighted(self.counts, lambda share: share),
            noise,
            np.nan_to_num(excess),
            spread,
            np.sqrt(squares) / self._units,
            np.zeros(rows, dtype=np.bool_),
            proportion(cut, overlap.weighted(present, lambda share: share)),
            regions.inside,
        )
