"""Sum complete trees of counts over a row or a raster: noisy on every level, then made to agree.

Every node of a level has the same number of children and noise of the same variance, so that least
squares needs one weight for each level (Hay, Rastogi, Miklau & Suciu, "Boosting the Accuracy of
Differentially Private Histograms Through Consistency", 2010).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geodp.core.common.types import Floats


def merged(values: Floats, branching: int) -> Floats:
    """Add up runs of neighbours: in a row, or in square blocks of a raster.

    Examples
    --------
    >>> merged(np.array([1.0, 2, 3, 4]), 2)
    array([3., 7.])
    >>> merged(np.arange(16.0).reshape(4, 4), 2)
    array([[10., 18.],
           [42., 50.]])
    """
    shape = [part for side in values.shape for part in (side // branching, branching)]
    return np.asarray(values.reshape(shape).sum(axis=tuple(range(1, 2 * values.ndim, 2))))


def spread(values: Floats, branching: int) -> Floats:
    """Repeat each value once for every child of its node.

    Examples
    --------
    >>> spread(np.array([3.0, 7.0]), 2)
    array([3., 3., 7., 7.])
    """
    for axis in range(values.ndim):
        values = values.repeat(branching, axis=axis)
    return values


def level_counts(counts: Floats, branching: int, levels: int) -> list[Floats]:
    """Count on the lowest levels of a tree, coarsest first."""
    counts_by_level = [np.asarray(counts, dtype=np.float64)]
    while len(counts_by_level) < levels:
        counts_by_level.insert(0, merged(counts_by_level[0], branching))
    return counts_by_level


def below(variances: Sequence[float], children: int) -> list[float]:
    """Compute the variance of each level's estimates from all measured at and below a node.

    Examples
    --------
    >>> below([8.0, 2.0], 4)
    [4.0, 2.0]
    """
    known = [variances[-1]]
    for variance in variances[-2::-1]:
        known.insert(0, 1 / (1 / variance + 1 / (children * known[0])))
    return known


def agreed(noisy: Sequence[Floats], variances: Sequence[float], branching: int) -> Floats:
    """Estimate the lowest level by least squares.

    Parameters
    ----------
    noisy : sequence of ndarray
        Counts of each level, coarsest first.
    variances : sequence of float
        Variance of the noise on each level.
    branching : int
        Children of a node along each axis.

    Examples
    --------
    The sum was measured as 10 and the parts add up to 6, with variances of 4 and 4 · 1.

    >>> agreed([np.array([10.0]), np.array([1.0, 2, 2, 1])], [4.0, 1.0], 4)
    array([1.5, 2.5, 2.5, 1.5])
    """
    children = branching ** noisy[0].ndim
    known = below(variances, children)
    best = [noisy[-1]]
    for level in range(len(noisy) - 2, -1, -1):
        weight = known[level] / variances[level]
        sums = merged(best[0], branching)
        best.insert(0, weight * noisy[level] + (1 - weight) * sums)
    fitted = best[0]
    for finer in best[1:]:
        missing = fitted - merged(finer, branching)
        fitted = finer + spread(missing, branching) / children
    return fitted


def axis_shares(boxes: Floats, size: int) -> tuple[Floats, Floats]:
    """Compute which shares of columns and rows of the unit square are inside boxes.

    Rows count from the south.

    Examples
    --------
    >>> across, up = axis_shares(np.array([[0.0, 0.25, 0.75, 1.0]]), 2)
    >>> across, up
    (array([[1. , 0.5]]), array([[0.5, 1. ]]))
    """
    low = np.arange(size)
    ends = boxes * size
    across, up = (
        np.clip(np.minimum(ends[:, [k + 2]], low + 1) - np.maximum(ends[:, [k]], low), 0, 1)
        for k in (0, 1)
    )
    return across, up
