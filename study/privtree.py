"""Reimplement PrivTree of Zhang, Xiao & Xie, for points in the unit square.

From "PrivTree: A Differentially Private Algorithm for Hierarchical Decompositions" (2016),
algorithm 2. A quadrant is split while its count, less a decay that grows with depth, is large
after noise. The decay makes one noise scale do for every depth. Leaves are then counted with the
other half of the budget.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from geodp.core.common.types import Floats, Ints

FANOUT = 4
DEPTH = 24
"""Deepest split, a public constant: 1/16,777,216 of the domain's side."""


def tree_scale(epsilon: float) -> float:
    """Compute the noise scale of the splits, ``λ = (2β - 1) / (β - 1) / ε`` with ``β = 4``.

    Examples
    --------
    >>> round(tree_scale(0.5), 4)
    4.6667
    """
    return (2 * FANOUT - 1) / (FANOUT - 1) / epsilon


def biased_counts(counts: Ints, depth: int, scale: float) -> Floats:
    """Compute ``max(θ - δ, c - depth · δ)`` with ``δ = λ ln β`` and ``θ = 0``.

    Examples
    --------
    >>> biased_counts(np.array([0, 100]), 2, 1 / math.log(4))
    array([-1., 98.])
    """
    decay = scale * math.log(FANOUT)
    return np.asarray(np.maximum(counts - depth * decay, -decay))


def morton(u: Floats, v: Floats) -> Ints:
    """Interleave bits of positions: the leading pairs name the quadrant at each depth.

    Examples
    --------
    >>> (morton(np.array([0.6]), np.array([0.1])) >> 2 * (DEPTH - 1)).tolist()
    [1]
    """
    side = 1 << DEPTH
    columns = (u * side).astype(np.uint64)
    rows = (v * side).astype(np.uint64)
    return np.asarray(_spread_bits(columns) | (_spread_bits(rows) << np.uint64(1)), dtype=np.int64)


def _spread_bits(
    values: np.ndarray[tuple[int, ...], np.dtype[np.uint64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """Put a zero between neighbouring bits, in five doublings."""
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        values = (values | (values << np.uint64(shift))) & np.uint64(mask)
    return values


@dataclass(frozen=True, eq=False)
class Level:
    """Quadrants of one depth; the four children of a split one stand together on the next.

    Attributes
    ----------
    column, row : ndarray of int
        Position in quadrants of this depth, from the south-west.
    child : ndarray of int
        First child on the next level; -1 for a leaf.
    count : ndarray
        Noisy count of a leaf, sum of the children's otherwise.
    """

    column: Ints
    row: Ints
    child: Ints
    count: Floats


@dataclass(frozen=True, eq=False)
class PrivTree:
    """A released quadtree on the unit square."""

    levels: list[Level]

    @property
    def leaves(self) -> int:
        """Return the number of leaves."""
        return sum(int((level.child < 0).sum()) for level in self.levels)

    def answers(self, boxes: Floats) -> Floats:
        """Estimate counts in boxes ``xmin, ymin, xmax, ymax`` of the unit square.

        Pairs of box and quadrant go down the tree together; a quadrant that lies wholly inside
        or outside its box goes no further.
        """
        result = np.zeros(len(boxes))
        box = np.arange(len(boxes))
        node = np.zeros(len(boxes), dtype=np.int64)
        for depth, level in enumerate(self.levels):
            side = 2.0**depth
            share = _overlap(level.column[node], boxes[box, 0] * side, boxes[box, 2] * side)
            share *= _overlap(level.row[node], boxes[box, 1] * side, boxes[box, 3] * side)
            ends = (level.child[node] < 0) | (share == 1)
            result += np.bincount(
                box[ends], share[ends] * level.count[node[ends]], minlength=len(boxes)
            )
            on = np.flatnonzero(~ends & (share > 0))
            box = np.repeat(box[on], FANOUT)
            node = (level.child[node[on], None] + np.arange(FANOUT)).ravel()
        return result


def _overlap(place: Ints, low: Floats, high: Floats) -> Floats:
    return np.asarray(np.clip(np.minimum(high, place + 1) - np.maximum(low, place), 0, 1))


class PrivTreeMaker:
    """PrivTree for one set of points: sorted once, then every count is two look-ups.

    Parameters
    ----------
    u, v : ndarray
        Points in ``[0, 1)``.
    """

    def __init__(self, u: Floats, v: Floats) -> None:
        self.codes = np.sort(morton(u, v))

    def counts(self, column: Ints, row: Ints, depth: int) -> Ints:
        """Count points in quadrants."""
        shift = 2 * (DEPTH - depth)
        prefix = _spread_bits(column.astype(np.uint64)) | (
            _spread_bits(row.astype(np.uint64)) << np.uint64(1)
        )
        low = prefix.astype(np.int64) << shift
        bounds = np.searchsorted(self.codes, np.stack([low, low + (1 << shift)]))
        return np.asarray(bounds[1] - bounds[0])

    def release(self, epsilon: float, random: np.random.Generator) -> PrivTree:
        """Draw one release: half of ε for the tree, half for the leaves."""
        scale = tree_scale(epsilon / 2)
        column = row = np.zeros(1, dtype=np.int64)
        levels = []
        for depth in range(DEPTH + 1):
            true = self.counts(column, row, depth)
            noise = random.laplace(scale=scale, size=len(true))
            split = biased_counts(true, depth, scale) + noise > 0
            split &= depth < DEPTH
            child = np.where(split, (np.cumsum(split) - 1) * FANOUT, -1)
            count = true + random.laplace(scale=2 / epsilon, size=len(true))
            levels.append(Level(column, row, child, count))
            if not split.any():
                break
            quarter = np.arange(FANOUT)
            column = (2 * column[split, None] + quarter % 2).ravel()
            row = (2 * row[split, None] + quarter // 2).ravel()
        _sum_up(levels)
        return PrivTree(levels)


def _sum_up(levels: list[Level]) -> None:
    """Give every split quadrant the sum of its children, from the bottom up."""
    for level, below in zip(levels[-2::-1], levels[:0:-1]):
        level.count[level.child >= 0] = below.count.reshape(-1, FANOUT).sum(axis=1)
