"""Reimplement DAWA on a Hilbert curve, of Li, Hay, Miklau & Wang.

From "A Data- and Workload-Aware Algorithm for Range Queries Under Differential Privacy" (2014).
The cells of a fine grid stand in a row along a Hilbert curve. A quarter of ε finds runs of cells
that hold about as many points each: every run has a cost, how far its cells deviate from their
mean plus the noise that one more count brings, and of all ways to cut the row the one with the
least noisy cost is taken. The rest of ε counts the runs, in a binary tree above them with budgets
that suit the workload, and least squares makes the counts agree. A run's count is spread evenly.

What differs from the paper: the finest grid follows the number of points, taken as public as in AG
(the paper has bins given); runs have lengths of powers of two, as there, but those longer than
1,024 begin at every 1/1,024 of their length only; and budgets are chosen for each level of the
tree, not for each node. The noise on the costs is that of its authors: none for runs of one cell,
which always cost the same, scale 2/ε for longer ones, and what falls below zero is zero. The
simplest proof that we know asks for twice as much, on all runs; the rival has the benefit of the
doubt.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from geodp.core.common.types import Floats, Ints

from .hierarchy import agreed, below, level_counts

PARTITION_SHARE = 0.25
COST_SENSITIVITY = 2.0
"""By how much one point moves the cost of the run that it is in: one cell and the mean move."""

CONSTANT = 10.0
LARGEST = 512
_FINE = 1024
_RATIOS = (1.0, 2 ** (1 / 3), 2.0, 4.0)
_BLOCK = 1 << 22


def base_size(records: int, epsilon: float) -> int:
    """Compute divisions per axis of the finest grid: the power of two next to ``2 sqrt(N ε / 10)``.

    Examples
    --------
    >>> base_size(41_281, 1.0), base_size(4_000, 0.1), base_size(10**9, 1.0)
    (128, 16, 512)
    """
    wanted = 2 * math.sqrt(records * epsilon / CONSTANT)
    return min(LARGEST, max(16, 1 << round(math.log2(wanted))))


def hilbert_order(size: int) -> Ints:
    """List cells of a square raster in the order in which a Hilbert curve visits them.

    Examples
    --------
    >>> hilbert_order(2)
    array([0, 2, 3, 1])
    >>> steps = np.diff(np.stack(np.divmod(hilbert_order(8), 8)), axis=1)
    >>> bool((np.abs(steps).sum(axis=0) == 1).all())
    True
    """
    visit = np.zeros((1, 1), dtype=np.int64)
    while len(visit) < size:
        part = visit.size
        first = np.hstack([visit.T, visit[::-1, ::-1].T + 3 * part])
        second = np.hstack([visit + part, visit + 2 * part])
        visit = np.vstack([first, second])
    return np.argsort(visit, axis=None)


class DawaMaker:
    """Prepare DAWA for one row of counts: what does not change between repetitions.

    Parameters
    ----------
    counts : ndarray
        True counts of cells in their order; as many as a power of two.
    weights : ndarray, shape (boxes, cells)
        Shares of the cells in the boxes of a public workload.
    """

    def __init__(self, counts: Floats, weights: Floats) -> None:
        self.counts = np.asarray(counts, dtype=np.float64)
        self.weights = weights

    @cached_property
    def deviations(self) -> list[tuple[Ints, Floats]]:
        """Tell for each length 1, 2, 4, … where runs end, and ``Σ |c - mean|`` inside each."""
        cells, runs, length = len(self.counts), [], 1
        while length <= cells:
            starts = np.arange(0, cells - length + 1, max(1, length // _FINE))
            runs.append((starts + length, self._deviation(starts, length)))
            length *= 2
        return runs

    def _deviation(self, starts: Ints, length: int) -> Floats:
        runs = np.lib.stride_tricks.sliding_window_view(self.counts, length)
        parts = []
        for first in range(0, len(starts), max(1, _BLOCK // length)):
            part = runs[starts[first : first + max(1, _BLOCK // length)]]
            parts.append(np.abs(part - part.mean(axis=1, keepdims=True)).sum(axis=1))
        return np.concatenate(parts)

    def cuts(self, epsilon: float, penalty: float, random: np.random.Generator) -> Ints:
        """Find the ends of the runs of the cheapest partition under noise."""
        cells = len(self.counts)
        costs = np.full((cells + 1, len(self.deviations)), np.inf)
        for place, (ends, deviation) in enumerate(self.deviations):
            scale = COST_SENSITIVITY / epsilon if place else 0.0
            noisy = deviation + penalty + random.laplace(scale=scale, size=len(ends))
            costs[ends, place] = np.maximum(noisy, 0)
        lengths = 1 << np.arange(len(self.deviations))
        best, taken = np.zeros(cells + 1), np.zeros(cells + 1, dtype=np.int64)
        for end in range(1, cells + 1):
            few = int(end).bit_length()  # runs that fit before this end
            total = best[end - lengths[:few]] + costs[end, :few]
            taken[end] = total.argmin()
            best[end] = total[taken[end]]
        cuts = [cells]
        while cuts[-1] > 0:
            cuts.append(cuts[-1] - int(lengths[taken[cuts[-1]]]))
        return np.array(cuts[-2::-1])

    def release(self, epsilon: float, random: np.random.Generator) -> Floats:
        """Draw one release: estimates of all cells."""
        first, second = PARTITION_SHARE * epsilon, (1 - PARTITION_SHARE) * epsilon
        ends = self.cuts(first, 1 / second, random)
        begins = np.concatenate([[0], ends[:-1]])
        true = np.add.reduceat(self.counts, begins)
        shares = np.add.reduceat(self.weights, begins, axis=1) / (ends - begins)
        runs = noisy_runs(true, shares, second, random)
        return np.repeat(runs / (ends - begins), ends - begins)


def noisy_runs(
    counts: Floats, weights: Floats, epsilon: float, random: np.random.Generator
) -> Floats:
    """Estimate counts of runs under ε, from a binary tree with budgets that suit the workload.

    Parameters
    ----------
    counts : ndarray
        True counts of the runs.
    weights : ndarray, shape (boxes, runs)
        Shares of the runs in the boxes of the workload.
    epsilon : float
        Budget.
    random : numpy.random.Generator
        Source of noise.
    """
    pad = (1 << (len(counts) - 1).bit_length()) - len(counts)
    row = np.concatenate([counts, np.zeros(pad)])
    loads = level_loads(np.pad(weights, [(0, 0), (0, pad)]))
    shares = epsilon * best_shares(loads)
    noisy = [
        true + random.laplace(scale=1 / share, size=len(true))
        for true, share in zip(level_counts(row, 2, len(loads))[-len(shares) :], shares)
    ]
    return agreed(noisy, [2 / share**2 for share in shares], 2)[: len(counts)]


def level_loads(weights: Floats) -> Floats:
    """Compute how much each level's variance counts in that of boxes, coarsest level first.

    After least squares, the variance of a box is the sum over all nodes of their variance times the
    square by which their share in the box differs from that of their parent.

    Examples
    --------
    >>> level_loads(np.array([[1.0, 1.0, 1.0, 0.0]]))
    array([0.5625, 0.125 , 0.5   ])
    """
    loads: list[float] = []
    squares = (weights**2).sum(axis=1)
    while weights.shape[1] > 1:
        weights = (weights[:, ::2] + weights[:, 1::2]) / 2
        above = (weights**2).sum(axis=1)
        loads.insert(0, float((squares - 2 * above).mean()))
        squares = above
    return np.array([squares.mean(), *loads])


def best_shares(loads: Floats) -> Floats:
    """Divide the budget between the lowest levels so that boxes have the least variance.

    Shares grow from level to level by a constant ratio, or the lowest level has all.

    Examples
    --------
    >>> best_shares(np.array([0.0, 0.0, 1.0]))
    array([1.])
    """
    choices = [np.ones(1)]
    for levels in range(2, len(loads) + 1):
        powers = np.array(_RATIOS)[:, None] ** np.arange(levels)
        choices.extend(powers / powers.sum(axis=1, keepdims=True))
    return min(choices, key=lambda shares: _mean_variance(shares, loads))


def _mean_variance(shares: Floats, loads: Floats) -> float:
    """Compute the mean variance of boxes; levels not measured follow from those below."""
    known = below((2 / shares**2).tolist(), 2)
    while len(known) < len(loads):
        known.insert(0, 2 * known[0])
    return float(np.dot(known, loads))
