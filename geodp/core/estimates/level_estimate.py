"""Estimate counts of districts that are nested in levels, and of regions, by least squares.

Children add up to their parents. Units of some levels were measured, each with noise of known
variance. Two passes solve the weighted least squares in closed form, for any number of children:
up, what is known of a unit from its own measurements and from its children; down, what the children
get of what their parent knows better.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cells.district_cells import DistrictCells
from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from ..space.levels import Levels
from .estimate import ErrorTerms, Estimate, proportion
from .unevenness import Border, unknown_unevenness

_LEAST = 1e-100
"""Variance that noise has at least: at a huge ε there is hardly any, and one is divided by it."""


class LevelFit:
    """Estimates of all units of all levels, and their variances. Public.

    Parameters
    ----------
    levels : Levels
        The units.
    measurements : Measurements
        Noisy counts of units, which are counted through from the domain; every smallest unit has
        one at least.

    Examples
    --------
    >>> from fractions import Fraction
    >>> levels = Levels(["state", "county"], [("A", "x"), ("A", "y"), ("B", "z")])
    >>> measured = Measurements([1, 3, 4, 5], [10, 3, 4, 8], None, [Fraction(1)])
    >>> fit = LevelFit(levels, measured)
    >>> fit.estimates[0], fit.estimates[1]
    (array([9., 8.]), array([4., 5., 8.]))
    """

    def __init__(self, levels: Levels, measurements: Measurements) -> None:
        self.levels = levels
        known = Known.from_measurements(levels.nodes, measurements)
        depths = range(levels.depth + 1)
        up: list[Known] = [known.at(levels, depth) for depth in depths]
        for depth in reversed(depths[:-1]):
            below, starts = up[depth + 1], levels.first_children(depth)[:-1]
            up[depth] = up[depth].combined(
                np.add.reduceat(below.value, starts), np.add.reduceat(below.variance, starts)
            )
        self._up = up
        values, variances = [up[0].value], [up[0].variance]
        for depth in depths[:-1]:
            below, starts = up[depth + 1], levels.first_children(depth)
            times = np.diff(starts)
            sums = np.add.reduceat(below.value, starts[:-1])
            spread = np.repeat(np.add.reduceat(below.variance, starts[:-1]), times)
            share = below.variance / spread
            values.append(below.value + share * np.repeat(values[-1] - sums, times))
            above = np.repeat(variances[-1], times)
            variances.append(below.variance * (1 - share) + share**2 * above)
        self.estimates: tuple[Floats, ...] = tuple(values[1:])
        """Estimated count of each unit, level by level from the largest units."""
        self.variances: tuple[Floats, ...] = tuple(variances[1:])
        """Variance of the noise in each."""

    def known(self, depth: int) -> Known:
        """Return what is known of the units at a depth from themselves and what lies below."""
        return self._up[depth]

    def variance_of_sums(self, row: Ints, unit: Ints, weight: Floats, rows: int) -> Floats:
        """Compute the variance of the noise in weighted sums of smallest units.

        Parameters
        ----------
        row : ndarray of int
            Which sum each weight is for.
        unit : ndarray of int
            Which smallest unit it is of.
        weight : ndarray of float
            The weight; units that are not listed have none.
        rows : int
            How many sums there are.
        """
        total = np.zeros(rows)
        for depth in range(self.levels.depth, 0, -1):
            variance = self._up[depth].variance
            total += np.bincount(row, variance[unit] * weight**2, minlength=rows)
            starts = self.levels.first_children(depth - 1)
            spread = np.add.reduceat(variance, starts[:-1])
            parent = np.searchsorted(starts, unit, side="right") - 1
            key, place = np.unique(row * len(spread) + parent, return_inverse=True)
            handed_up = np.bincount(place.ravel(), weight * variance[unit], minlength=len(key))
            row, unit = np.divmod(key, len(spread))
            weight = handed_up / spread[unit]
            total -= np.bincount(row, spread[unit] * weight**2, minlength=rows)
        total += np.bincount(row, self._up[0].variance[unit] * weight**2, minlength=rows)
        return np.maximum(total, 0.0)


class Known(NamedTuple):
    """Hold what is known of some units: a value, and its variance, infinite where unknown."""

    value: Floats
    variance: Floats

    @classmethod
    def from_measurements(cls, nodes: int, measurements: Measurements) -> Known:
        """Average what was measured of each unit, by precision."""
        noise = np.array(measurements.variances())[measurements.scale]
        noise = np.maximum(noise, _LEAST)
        precision = np.bincount(measurements.node, 1 / noise, minlength=nodes)
        sums = np.bincount(measurements.node, measurements.counts / noise, minlength=nodes)
        with np.errstate(divide="ignore", invalid="ignore"):
            return cls(np.where(precision > 0, sums / precision, 0.0), 1 / precision)

    def at(self, levels: Levels, depth: int) -> Known:
        """Give what is known of the units at one depth."""
        first = levels.first_node(depth)
        count = 1 if depth == 0 else len(levels.labels[depth - 1])
        return Known(self.value[first : first + count], self.variance[first : first + count])

    def combined(self, value: Floats, variance: Floats) -> Known:
        """Average with what others know of the same units, by precision."""
        both = 1 / (1 / self.variance + 1 / variance)
        return Known((self.value / self.variance + value / variance) * both, both)


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
