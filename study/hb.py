"""Reimplement HB, a hierarchy of grids with the best branching, of Qardaji, Yang & Li.

From "Understanding Hierarchical Methods for Differentially Private Histograms" (2013). Counts of a
fine grid and of all coarser ones above it share ε equally, and least squares makes them agree. How
many children a node has follows from the size of the domain alone: whatever gives range queries the
least average variance, where one level (a plain grid) is among the choices.

Two things are ours. The paper starts from a histogram with given bins; here the finest grid follows
the rule ``m = sqrt(N ε / 10)`` of the same authors, with the number of points taken as public, as
AG does. And the average is taken over the boxes that geodp's tuners see too, not over all ranges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from geodp.core.common.types import Floats

from .hierarchy import agreed, axis_shares, below, level_counts, merged

CONSTANT = 10.0


@dataclass(frozen=True)
class Hierarchy:
    """Describe levels of grids: a cell has ``branching`` by ``branching`` cells of the next.

    Examples
    --------
    >>> Hierarchy(4, 3).size
    64
    """

    branching: int
    levels: int

    @property
    def size(self) -> int:
        """Return the divisions per axis of the finest grid."""
        return int(self.branching**self.levels)

    def scale(self, epsilon: float) -> float:
        """Compute the noise scale on every level."""
        return self.levels / epsilon

    def variance(self, epsilon: float, across: Floats, up: Floats) -> Floats:
        """Compute the noise variance of boxes after least squares.

        The share of a cell inside a box is a product of shares of its column and row, and so is
        the mean share of any coarser cell: sums of squares are products of sums along the axes.

        Parameters
        ----------
        epsilon : float
            Budget.
        across, up : ndarray, shape (boxes, size)
            Shares of the finest columns and rows that are inside.
        """
        known = below([2 * self.scale(epsilon) ** 2] * self.levels, self.branching**2)
        variance = np.zeros(len(across))
        for level in range(self.levels - 1, -1, -1):
            squares = (across**2).sum(axis=1) * (up**2).sum(axis=1)
            variance += known[level] * squares
            across, up = (_coarser(shares, self.branching) for shares in (across, up))
            if level:  # children deviate from their parent only
                squares = (across**2).sum(axis=1) * (up**2).sum(axis=1)
                variance -= known[level] * self.branching**2 * squares
        return variance

    def release(self, counts: Floats, epsilon: float, random: np.random.Generator) -> Floats:
        """Draw one release: estimates of the finest grid."""
        scale = self.scale(epsilon)
        noisy = [
            true + random.laplace(scale=scale, size=true.shape)
            for true in level_counts(counts, self.branching, self.levels)
        ]
        return agreed(noisy, [2 * scale**2] * self.levels, self.branching)


def _coarser(shares: Floats, branching: int) -> Floats:
    return np.array([merged(row, branching) for row in shares]) / branching


def best_hierarchy(records: int, epsilon: float, boxes: Floats) -> Hierarchy:
    """Find the branching and levels with the least variance per area for boxes.

    Examples
    --------
    >>> best_hierarchy(100_000, 1.0, np.array([[0.1, 0.1, 0.12, 0.12]]))
    Hierarchy(branching=100, levels=1)
    >>> best_hierarchy(100_000, 1.0, np.array([[0.0, 0.0, 0.8, 0.9]]))
    Hierarchy(branching=10, levels=2)
    """
    size = max(2, round(math.sqrt(records * epsilon / CONSTANT)))
    choices = [
        Hierarchy(_root(size, levels), levels) for levels in range(1, 1 + int(math.log2(size)))
    ]
    return min(choices, key=lambda choice: _mean_variance(choice, epsilon, boxes))


def _root(size: int, levels: int) -> int:
    """Return the least branching with which so many levels reach a size."""
    branching = int(size ** (1 / levels))
    return branching if branching**levels >= size else branching + 1


def _mean_variance(choice: Hierarchy, epsilon: float, boxes: Floats) -> float:
    area = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)  # as the variance of a plain grid grows
    return float((choice.variance(epsilon, *axis_shares(boxes, choice.size)) / area).mean())
