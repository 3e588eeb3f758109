"""Say how unevenly records lie inside cells, judged from the release itself, and the error of that.

Taking records as evenly spread inside a cell errs where a region's border cuts the cell. How far,
the release tells at no further cost: where four neighbouring cells differ by more than their noise,
records are uneven at that scale, and one scale further down they are about as uneven again
(docs/intervals.md has the derivation). Three things are read off groups of four cells:

- how uneven they are, in each place: what is known of a place is drawn towards what is known of
  larger and larger blocks around it;
- how far cells along one border err together: as far as halves of a group that lie side by side
  differ by more than halves that lie crosswise;
- in a tree, whether the records of a group lean to the inside of a region.

Public: nothing here knows any points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..common.types import Bools, Floats, Ints
from ..districts.district_tree import DistrictTree
from ..space.tree import Tree
from .least_squares import Fit

LEAST, MOST = 0.0003, 3 / 16
"""Unevenness of one cutting in four: hardly any, and all records in one of the four."""

_GUESS = (0.16, 0.08)
"""Contrasts of straight and crosswise halves where nothing is known, worth one group of four."""

_LARGER = 3.0
"""How many groups of four the block around a block is worth."""

_TOGETHER = 0.98
"""Most that the errors of cells in one block are taken to have in common."""

_FINER = 1.2
"""By how much records are more uneven below the cells than the cells show, on real data."""

_CLEAR = 4.0
"""Counts this many times their noise tell how uneven they are."""

_LOPSIDED = 0.8
"""Halves of a group are compared where their shares of its weight differ by less."""

SLAB = 1 << 18
"""Cells whose groups are looked at together."""


class Contrasts(NamedTuple):
    """Hold what groups of four counts show of unevenness, one entry for each group.

    Attributes
    ----------
    straight, crosswise : ndarray
        Squared difference of two halves of a group, without noise and chance, relative to the
        squared sum, times ``weight``: the mean of both pairs of halves side by side, and the pair
        of diagonals.
    weight : ndarray
        How well a group shows it, from 0 to 1.
    """

    straight: Floats
    crosswise: Floats
    weight: Floats


def contrasts(
    group: Sequence[Floats], noise: Floats | float, weights: Sequence[Floats] | None = None
) -> Contrasts:
    """Return contrasts of groups of four cells.

    For counts c with the sum p, independent noise of variance v and records that lie anywhere,
    half the difference of two halves has the variance ``v + p/4``: what there is beyond is
    unevenness. Where halves have unlike weights, their shares of which differ by w, half the
    difference is pw/2 in the mean and has the variance ``v(1 + w²) + p(1 - w²)/4``.

    Parameters
    ----------
    group : sequence of four ndarrays
        Counts of the south-west, south-east, north-west and north-east cells.
    noise : ndarray or float
        Variance of the noise in each.
    weights : sequence of four ndarrays, optional
        Weights of where records can be; by default alike.

    Examples
    --------
    >>> lean = contrasts([np.array([c]) for c in (3000.0, 1000.0, 3000.0, 1000.0)], 2.0)
    >>> (lean.straight / lean.weight).round(2), (lean.crosswise / lean.weight).round(2)
    (array([0.03]), array([-0.]))
    """
    total = sum(group[1:], group[0])
    # Where nothing is measured there is no noise: such a group says nothing about records.
    clear = (total > 2 * _CLEAR * np.sqrt(noise)) & (noise > 0)
    square = np.where(clear, total * total, 1.0)
    weight = np.where(clear, (1 + 20 * noise / square) ** -2, 0.0)
    across, along, diagonal = (half / 2 for half in _halves(group))
    if weights is None:
        chance = noise + total / 4
        straight = (across * across + along * along) / 2 - chance
        crosswise = diagonal * diagonal - chance
        return Contrasts(weight * straight / square, weight * crosswise / square, weight)
    all_weight = sum(weights[1:], weights[0])
    leans = [lean / np.where(all_weight > 0, all_weight, 1.0) for lean in _halves(weights)]
    beyond_noise = [
        _beyond(half, total, noise, lean) for half, lean in zip((across, along, diagonal), leans)
    ]
    # Where nearly all weight is in one half, the other one tells little.
    weight = np.where(np.max(np.abs(leans), axis=0) < _LOPSIDED, weight, 0.0)
    straight, crosswise = (beyond_noise[0] + beyond_noise[1]) / 2, beyond_noise[2]
    return Contrasts(weight * straight / square, weight * crosswise / square, weight)


def _halves(group: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """Return differences of two halves of groups: side by side twice, and crosswise."""
    south_west, south_east, north_west, north_east = group
    return (
        south_west + north_west - south_east - north_east,
        south_west + south_east - north_west - north_east,
        south_west + north_east - south_east - north_west,
    )


def _beyond(half: Floats, total: Floats, noise: Floats | float, lean: Floats) -> Floats:
    """Return the squared contrast beyond noise and chance, as for halves of like weight."""
    off, square = half - total * lean / 2, np.minimum(lean * lean, _LOPSIDED**2)
    return np.asarray((off * off - noise * (1 + square)) / (1 - square) - total / 4)


class Blocks(Protocol):
    """Cells in blocks, blocks in larger blocks, up to one that holds all, at depth 0."""

    sizes: tuple[int, ...]
    """Number of blocks of each depth."""

    def gather(self, depth: int, values: Floats) -> Floats:
        """Return sums over the blocks of the depth above."""

    def scatter(self, depth: int, values: Floats) -> Floats:
        """Return for each block of a depth the value of the block that it lies in."""

    def above(self, depth: int, block: Ints) -> Ints:
        """Return the blocks that some blocks of a depth lie in, by their numbers."""


class TreeBlocks:
    """The nodes of a tree."""

    def __init__(self, tree: Tree) -> None:
        self.levels = tree.levels
        self.sizes = tuple(map(len, tree.levels))

    def gather(self, depth: int, values: Floats) -> Floats:
        sums = np.bincount(self.levels[depth].parent, values, minlength=self.sizes[depth - 1])
        return sums.astype(np.float64)

    def scatter(self, depth: int, values: Floats) -> Floats:
        return np.asarray(values[self.levels[depth].parent])

    def above(self, depth: int, block: Ints) -> Ints:
        return np.asarray(self.levels[depth].parent[block])


class GridBlocks:
    """The cells of a grid, in blocks of two by two, of four by four and so on.

    Examples
    --------
    >>> blocks = GridBlocks((2, 3))
    >>> blocks.sizes, blocks.above(2, np.array([0, 2, 5]))
    ((1, 2, 6), array([0, 1, 1]))
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        shapes = [shape]
        while shapes[0] != (1, 1):
            rows, columns = shapes[0]
            shapes.insert(0, ((rows + 1) // 2, (columns + 1) // 2))
        self.shapes = shapes
        self.sizes = tuple(rows * columns for rows, columns in shapes)

    def gather(self, depth: int, values: Floats) -> Floats:
        rows, columns = self.shapes[depth]
        pairs = np.add.reduceat(values.reshape(rows, columns), np.arange(0, rows, 2), axis=0)
        return np.add.reduceat(pairs, np.arange(0, columns, 2), axis=1).ravel()

    def scatter(self, depth: int, values: Floats) -> Floats:
        rows, columns = self.shapes[depth]
        table = values.reshape(self.shapes[depth - 1])
        return table[np.arange(rows) // 2][:, np.arange(columns) // 2].ravel()

    def above(self, depth: int, block: Ints) -> Ints:
        columns = self.shapes[depth][1]
        return np.asarray(block // columns // 2 * self.shapes[depth - 1][1] + block % columns // 2)


class LooseBlocks:
    """Cells without neighbours: all of them lie in one block.

    Examples
    --------
    >>> LooseBlocks(3).above(1, np.array([0, 2]))
    array([0, 0])
    """

    def __init__(self, cells: int) -> None:
        self.sizes: tuple[int, ...] = (1, cells)

    def gather(self, depth: int, values: Floats) -> Floats:
        del depth
        return np.asarray(values.sum(keepdims=True))

    def scatter(self, depth: int, values: Floats) -> Floats:
        return np.repeat(values, self.sizes[depth])

    def above(self, depth: int, block: Ints) -> Ints:
        del depth
        return np.zeros_like(block)


class Border(NamedTuple):
    """Cells that are partly inside a region, one entry for each pair.

    Attributes
    ----------
    region : ndarray of int
        Which region.
    depth, cell : ndarray of int
        Which cell: a number among the blocks of a depth.
    share : ndarray of float
        Covered share of the cell, between 0 and 1, both excluded.
    held, noise : ndarray of float
        The cell's own count, and the variance of its noise.
    """

    region: Ints
    depth: Ints
    cell: Ints
    share: Floats
    held: Floats
    noise: Floats


class Unevenness:
    """Judge how uneven records are in every block, and how far cells err together.

    Parameters
    ----------
    blocks : Blocks
        The cells, and the blocks that they lie in.
    contrasts : sequence of Contrasts
        For each depth, what the groups show that belong to its blocks; all zero for blocks
        without one.

    Attributes
    ----------
    values : tuple of ndarray
        For each depth, the mean squared deviation of a block's fourths from their mean, relative
        to the square of their sum: from ``LEAST`` to ``MOST``.
    together : float
        What the errors of two cells in one block have in common, from 0 to 1.
    """

    def __init__(self, blocks: Blocks, contrasts: Sequence[Contrasts]) -> None:
        self.blocks = blocks
        straight, crosswise = _GUESS
        straight += sum(float(contrast.straight.sum()) for contrast in contrasts)
        crosswise += sum(float(contrast.crosswise.sum()) for contrast in contrasts)
        weight = 1 + sum(float(contrast.weight.sum()) for contrast in contrasts)
        self.together = _part(1 - crosswise / straight) if straight > 0 else 0.0
        sums = [(2 * contrast.straight + contrast.crosswise) / 4 for contrast in contrasts]
        weights = [contrast.weight for contrast in contrasts]
        for depth in range(len(contrasts) - 1, 0, -1):
            sums[depth - 1] = sums[depth - 1] + blocks.gather(depth, sums[depth])
            weights[depth - 1] = weights[depth - 1] + blocks.gather(depth, weights[depth])
        values = [np.array([(2 * straight + crosswise) / 4 / weight])]
        for depth in range(1, len(contrasts)):
            around = _LARGER * blocks.scatter(depth, values[-1])
            values.append((sums[depth] + around) / (weights[depth] + _LARGER))
        self.values = tuple(np.clip(value, LEAST, MOST) for value in values)

    def variance(self, border: Border, regions: int) -> Floats:
        """Return the variance of the error from taking records as evenly spread, for each region.

        A cell with count c, noise of variance v and covered share a adds ``a(1 - a)·c``, as if
        records lay anywhere in it, and ``a(1 - a)·16/3·unevenness·(c² - v)`` because they clump:
        one of many cuttings differs as all of them together, the unevenness of one cutting in four
        times four, times ``1 + 1/4 + …``; and somewhat more. The first adds up; of the second,
        cells have a part in common with others in their block.
        """
        cut = border.share * (1 - border.share)
        chance = np.bincount(border.region, cut * np.maximum(border.held, 0.0), minlength=regions)
        uneven = np.zeros(len(cut))
        for depth in np.unique(border.depth).tolist():
            here = border.depth == depth
            uneven[here] = self.values[depth][border.cell[here]]
        squares = np.where(border.held > 0, border.held**2 - border.noise, 0.0)
        clumps = np.sqrt(_FINER * 16 / 3 * cut * uneven * np.maximum(squares, 0.0))
        return np.asarray(chance + self._sum_variance(border, clumps, regions))

    def _sum_variance(self, border: Border, errors: Floats, regions: int) -> Floats:
        """Return the variance of sums of errors, given their standard deviations.

        The errors of two cells correlate by ``together`` where both lie in one block of four, by
        its square where only a block of the next size holds both, and so on: going up from block
        to block, that much is handed on and the rest stays behind.
        """
        sums = np.zeros(regions)
        key, error = np.zeros(0, dtype=np.int64), np.zeros(0)
        for depth in range(len(self.blocks.sizes) - 1, -1, -1):
            size = self.blocks.sizes[depth]
            here = border.depth == depth
            fresh = border.region[here] * size + border.cell[here]
            keys, place = np.unique(np.concatenate([key, fresh]), return_inverse=True)
            summed = np.concatenate([error, errors[here]])
            error = np.bincount(place, summed, minlength=len(keys)).astype(np.float64)
            region, block = keys // size, keys % size
            stays = 1 - self.together if depth else 1.0
            sums += np.bincount(region, stays * error * error, minlength=regions)
            if depth:
                key = region * self.blocks.sizes[depth - 1] + self.blocks.above(depth, block)
                error = error * self.together**0.5
        return sums


def _part(value: float) -> float:
    return min(max(value, 0.0), _TOGETHER)


def grid_unevenness(counts: Floats, noise: Floats, weights: Floats | None = None) -> Unevenness:
    """Judge unevenness on a grid: groups of two by two neighbours, each shown to its cells.

    Parameters
    ----------
    counts, noise : ndarray
        Published counts, and the variance of the noise in each: 0 where nothing is measured.
    weights : ndarray, optional
        Weights of the cells, where it is known within what records can be.

    Examples
    --------
    >>> clumps = np.kron(np.ones((9, 9)), [[4000.0, 0.0], [0.0, 0.0]])
    >>> float(grid_unevenness(clumps, np.full((18, 18), 2.0)).values[0][0].round(2))
    0.19
    """
    rows, columns = counts.shape
    blocks = GridBlocks((rows, columns))
    shown = [np.zeros((rows, columns)) for _ in Contrasts._fields]
    step = max(1, SLAB // columns)
    for start in range(0, rows - 1, step):
        stop = min(start + step, rows - 1)
        # Rows come from the north.
        places = [(slice(start + i, stop + i), slice(j, columns - 1 + j)) for i, j in _SQUARE]
        measured = np.min([noise[place] for place in places], axis=0)
        loud = np.where(measured > 0, np.mean([noise[place] for place in places], axis=0), 0.0)
        known = None if weights is None else [weights[place] for place in places]
        groups = [counts[place] for place in places]
        for part, value in zip(shown, contrasts(groups, loud, known)):
            for place in places:
                part[place] += value / 4
    nothing = [Contrasts(*np.zeros((3, size))) for size in blocks.sizes[:-1]]
    return Unevenness(blocks, [*nothing, Contrasts(*(part.ravel() for part in shown))])


_SQUARE = ((1, 0), (1, 1), (0, 0), (0, 1))
"""Steps down and to the right to the four cells of a group, from the south-west."""


def unknown_unevenness(cells: int) -> Unevenness:
    """Guess the unevenness in cells that have no neighbours to judge by, and err each alone.

    Examples
    --------
    >>> [value.round(2).tolist() for value in unknown_unevenness(2).values]
    [[0.1], [0.1, 0.1]]
    """
    blocks = LooseBlocks(cells)
    nothing = [Contrasts(*np.zeros((3, size))) for size in blocks.sizes]
    uneven = Unevenness(blocks, nothing)
    uneven.together = 0.0
    return uneven


def tree_unevenness(fit: Fit) -> Unevenness:
    """Return unevenness in a tree: every family of four siblings, at all depths.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> from geodp.core.kernel.measurements import Measurements
    >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 1), 1)
    >>> tree = Tree(frame, [[True], [False] * 4])
    >>> measured = Measurements(range(2, 6), [4000, 0, 0, 0], [0] * 4, [Fraction(1)])
    >>> [value.round(3).tolist() for value in tree_unevenness(Fit(tree, measured)).values]
    [[0.144], [0.155], [0.155, 0.155, 0.155, 0.155]]
    """
    tree = fit.tree
    by_depth = [Contrasts(*np.zeros((3, len(level)))) for level in tree.levels]
    for depth in range(1, len(tree.levels) - 1):  # root cells are no family of four
        split: Bools | Ints = tree.levels[depth].split
        estimates, below, weights = fit.from_below[depth + 1], fit.below[depth + 1], None
        if isinstance(tree, DistrictTree):
            # Cells of a district come in fours; unions of districts do not lie side by side.
            split = np.flatnonzero(split)
            inner = np.flatnonzero(~tree.frame.is_union(tree.levels[depth].code[split]))
            four = tree.family_start(depth)[inner][:, None] + np.arange(4)
            split, estimates, below = split[inner], estimates[four], below[four]
            weights = list(tree.portions[depth + 1][four].T)
        else:
            estimates, below = estimates.reshape(-1, 4), below.reshape(-1, 4)
            if tree.frame.domain.within is not None:
                weights = list(tree.portions[depth + 1].reshape(-1, 4).T)
        loud = np.where(below.min(axis=1) > 0, below.mean(axis=1), 0.0)
        for part, value in zip(by_depth[depth], contrasts(list(estimates.T), loud, weights)):
            part[split] = value
    return Unevenness(TreeBlocks(tree), by_depth)
