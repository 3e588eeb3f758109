"""Estimate counts of cells that are measured once each: the estimate is the noisy count."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.types import Floats
from ..kernel.measurements import Measurements
from ..regions.overlap import UNIT, Overlap
from ..regions.workload import Workload
from .estimate import ErrorTerms, Estimate, proportion
from .unevenness import Border, Unevenness, grid_unevenness, unknown_unevenness

BLOCK = 1 << 12
"""Boxes answered at once where their cells are listed, so that memory stays bounded."""


def measured_once(
    cells: Cells, values: npt.NDArray[Any], scale: Fraction, units: int = 1
) -> Measurements:
    """Take one noisy count for each cell, in their order, as measurements."""
    codes = cells.codes
    every = not len(codes) or codes[-1] == len(codes) - 1
    return Measurements(None if every else codes, values, None, [scale], units=units)


class DirectEstimate(Estimate):
    """Count every cell as it was measured, whatever kind of cells it is.

    Parameters
    ----------
    cells : Cells
        The cells, which tell how regions cover them.
    measurements : Measurements
        One count for each cell, all with the same scale.
    """

    def __init__(self, cells: Cells, measurements: Measurements) -> None:
        if not measurements.covers_once(cells.codes):
            raise InputError(
                "counts must have one value for each cell; got "
                f"{len(measurements):,} for {len(cells):,} cells."
            )
        self._cells = cells
        self._noise = measurements.variances()[0]
        self._excess = measurements.excess()[0]
        self._counts, self._values = measurements.counts, measurements.value
        self._units = measurements.units

    @property
    def counts(self) -> npt.NDArray[Any]:
        return self._counts

    @property
    def variance(self) -> Floats:
        return np.broadcast_to(np.float64(self._noise), self._counts.shape)

    @property
    def integer_counts(self) -> bool:
        return self._units == 1

    def parts(self, regions: Workload) -> ErrorTerms:
        if self._cells.domain.within is None:
            return self._parts(regions)
        # By weight, every cell that a border cuts is listed.
        columns = zip(*(self._parts(part) for part in regions.in_parts(BLOCK)))
        return ErrorTerms(*map(np.concatenate, columns))

    def _parts(self, regions: Workload) -> ErrorTerms:
        overlap = self._cells.overlap(regions)
        squares = overlap.power_sum(2)
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = self._excess * overlap.power_sum(4) / squares**2
        responses = overlap.responses(self._values)
        return ErrorTerms(
            np.array([value / (UNIT * self._units) for value in responses], dtype=np.float64),
            self._noise * squares,
            excess,
            self._spread(overlap, len(regions)),
            np.sqrt(squares) / self._units,
            self.integer_counts & (squares == overlap.power_sum(1)),
            _border_share(overlap, self._counts),
            regions.inside,
        )

    @cached_property
    def _uneven(self) -> Unevenness:
        """Judge how uneven records are in cells: by neighbours, where cells have any."""
        grid = self._cells.grid
        if grid is None:
            return unknown_unevenness(len(self._cells))
        weights = None if grid.domain.within is None else grid.weights
        counts = self._counts.astype(np.float64)
        return grid_unevenness(grid.reshape(counts), grid.reshape(self.variance), weights)

    def _spread(self, overlap: Overlap, regions: int) -> Floats:
        """Add up what the even spread gets wrong, as a variance, over the cells that are cut."""
        deepest = len(self._uneven.blocks.sizes) - 1
        spread = np.zeros(regions)
        for region, cell, share in overlap.borders():
            depth = np.full(len(cell), deepest)
            count = self._counts[cell].astype(np.float64)
            block = cell if self._cells.grid is None else self._cells.codes[cell]
            border = Border(region, depth, block, share, count, self.variance[cell])
            spread += self._uneven.variance(border, regions)
        return spread


def _border_share(overlap: Overlap, counts: npt.NDArray[Any]) -> Floats:
    present = np.maximum(np.asarray(counts, dtype=np.float64), 0)
    cut = overlap.weighted(present, lambda share: np.where(share < 1, share, 0))
    return proportion(cut, overlap.weighted(present, lambda share: share))
