"""Estimate counts of cells and regions from what was measured, with known noise. Public.

An :class:`Estimate` is the linear map from published whole numbers (``Measurements``) to counts of
cells and regions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats
from ..regions.workload import Workload


class ErrorTerms(NamedTuple):
    """Say what regions add up to, and the parts of their error; one entry per region.

    Attributes
    ----------
    estimate : ndarray
        Sum of the cells' estimates in proportion to what the region covers of them.
    noise : ndarray
        Variance of the noise in it.
    excess : ndarray
        Excess kurtosis of that noise: 0 for many counts together, large for a single one.
    spread : ndarray
        Variance of what the even spread inside cells gets wrong, where borders cut them.
    step : ndarray
        How far one step of the noise moves the estimate: one whole count, or one unit.
    integer : ndarray of bool
        Whether estimate and truth are whole numbers, so that the limits of an interval are too.
    border_share : ndarray
        Part of the estimate that comes from cells which the region's border cuts.
    inside : ndarray
        Area of the region inside the domain.
    """

    estimate: Floats
    noise: Floats
    excess: Floats
    spread: Floats
    step: Floats
    integer: Bools
    border_share: Floats
    inside: Floats


class Estimate(ABC):
    """Counts of cells and regions, linear in what was measured."""

    @property
    @abstractmethod
    def counts(self) -> npt.NDArray[Any]:
        """Return the estimated count of each cell; read-only."""

    @property
    @abstractmethod
    def variance(self) -> Floats:
        """Return the variance of the noise in each; read-only."""

    @property
    def integer_counts(self) -> bool:
        """Tell whether counts of cells are whole numbers, as they were measured."""
        return False

    @abstractmethod
    def parts(self, regions: Workload) -> ErrorTerms:
        """Estimate the counts of regions, and what their errors are made of."""


def proportion(part: Floats, total: Floats) -> Floats:
    """Divide a part by its total, between 0 and 1; 0 where there is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(total > 0, np.clip(part / total, 0, 1), 0.0))
