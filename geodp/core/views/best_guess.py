"""Guess the counts of cells for the eye: never negative, and without the specks that noise leaves.

Signed estimates are the data: they add up without bias, and their errors are known. As a picture
they mislead, because cells without records show noise. What is guessed here is the mean of what the
counts may have been, given all that was published: each node of a tree of cells is divided among
its children, half by half, and a half has a share that is as even as the other halves of its depth
suggest. It is computed from published numbers alone, so it costs nothing. It is biased and has no
error bars: it is there to be looked at, and no answer is made of it.

A tree was measured as such. Cells of a grid are the finest level of a pyramid of sums, and so are
districts, in the order of a curve that keeps neighbours together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..cells.cells import Cells
from ..common.types import Floats, Ints
from ..estimates.level_estimate import LevelEstimate
from ..estimates.tree_estimate import TreeEstimate
from ..releases.release import Release
from .raster_cells import values_on

_STEP = 0.125
_ODDS = np.arange(-64, 65) * _STEP
"""Logarithms of odds, relative to those of an even spread, at which a share may be."""

_WIDTHS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Spreads of these logarithms that are mixed; beside them, one half may be empty."""

_FIRST_MIX = np.array([0.25, 0.1, 0.15, 0.15, 0.15, 0.1, 0.1])
"""Weights of the spreads before anything is known."""

_ROUNDS = 30
"""Rounds in which the weights of a depth are fitted."""

_BORROWED = 10.0
"""Halvings for which the weights of the depth above count in those of the next."""

_MOST_CELLS = 100_000
"""With more cells they are made non-negative, and no more: a picture does not show the rest."""

_FAR_MORE = 1 << 21
"""With more cells of a grid, negative ones are set to 0 and the others scaled to the same sum."""

_PYRAMIDS, _MOST_MOVED = 3, 1 << 15
"""Pyramids over a grid whose mean is taken, where it has no more cells than this."""

_CURVE = 1024
"""Places along a side of the curve by which districts are put in order."""

_LARGEST = 16
"""Children of a family that are halved as they are; larger ones are divided by fours."""

_AT_ONCE = 1 << 13
"""Halvings handled at once, so that little memory is needed."""

_BARS = 2.0
"""Standard errors by which a total must stand out of nothing."""


class Depth(NamedTuple):
    """Nodes of one depth.

    Attributes
    ----------
    estimate, variance : ndarray
        What is known of each node from itself and from what lies below it; a variance of 0 where
        no records can be.
    share : ndarray
        Where records can be, relative to other nodes of the family.
    parent, position : ndarray of int
        Place of the parent among the nodes of the depth above, and that among its children.
    """

    estimate: Floats
    variance: Floats
    share: Floats
    parent: Ints
    position: Ints


def best_guess(release: Release, shown: Cells | None = None) -> Floats:
    """Guess the count of each cell for a picture; guesses add up to the total, if that is above 0.

    Parameters
    ----------
    release : Release
        What was published.
    shown : Cells, optional
        The cells to guess the counts of, where finer ones are taken together.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> points = ([100.0] * 500, [200.0] * 500)
    >>> release = geodp.release(points, town, epsilon=1, cells=geodp.Regular(sizes=[4]))
    >>> guess = best_guess(release)
    >>> bool(guess.min() >= 0), bool(abs(guess.sum() - release.counts.sum()) < 1e-6)
    (True, True)
    """
    cells = release.cells if shown is None else shown
    counts, variance = values_on(release, cells)
    counts = counts.astype(np.float64)
    total = float(counts.sum())
    if not stands_out(release):  # perhaps there are no records at all
        return np.asarray(max(total, 0.0) * _even(cells))
    if cells.grid is not None and len(cells) > _FAR_MORE:
        above = np.maximum(counts, 0.0)
        return np.asarray(above * (total / above.sum()))
    fully = len(cells) <= _MOST_CELLS
    if isinstance(release.estimate, TreeEstimate):
        assert cells.tree is not None
        if fully and len(release.cells) <= _MOST_CELLS:
            division = _kept_division(release, release.estimate)
        else:
            division = Division(release.estimate, cells, fully=fully)
        return np.asarray(cells.tree.at_cells(division.nodes(len(cells.tree.levels))))
    guess = np.zeros(len(cells))
    orders = _orders(release, cells, counts, variance)
    for depths, order in orders:
        guess[order] += _divided(total, depths, fully=fully)[-1]
    return guess / len(orders)


class Division:
    """Best guess of the nodes of a tree, depth by depth, as far down as was asked for.

    A node's guess depends on those above it alone. Pictures show some depths of a tree and files
    all of them, and none is guessed twice.

    Parameters
    ----------
    estimate : TreeEstimate
        What is known of the nodes.
    cells : Cells
        The cells of the tree.
    fully : bool
        Whether shares are guessed; else nodes are made non-negative, and no more.
    """

    def __init__(self, estimate: TreeEstimate, cells: Cells, *, fully: bool = True) -> None:
        self._depths, self._ends = _tree_depths(estimate, cells)
        self._guesses, self._mix = [np.array([float(estimate.counts.sum())])], _FIRST_MIX
        self._fully = fully

    def nodes(self, levels: int) -> list[Floats]:
        """Return the guesses of all nodes of the first ``levels`` levels, from the domain down."""
        for number in range(len(self._guesses) - 1, self._ends[levels - 1]):
            parts, self._mix = _next_depth(
                self._guesses[-1],
                self._depths[number],
                self._mix,
                refit=number > 0,
                fully=self._fully,
            )
            self._guesses.append(parts)
        return [self._guesses[end] for end in self._ends[:levels]]


def _kept_division(release: Release, estimate: TreeEstimate) -> Division:
    """Return the division of a release, which stays with it as other things that it computes do."""
    kept = vars(release)
    if "_division" not in kept:
        kept["_division"] = Division(estimate, release.cells)
    division: Division = kept["_division"]
    return division


def stands_out(release: Release) -> bool:
    """Tell whether the total of a release is above what noise alone would make of nothing."""
    total, variance = estimated_total(release)
    return bool(total > _BARS * variance**0.5)


def estimated_total(release: Release) -> tuple[float, float]:
    """Return the total over all cells, and the variance of the noise in it."""
    estimate = release.estimate
    if isinstance(estimate, TreeEstimate):
        return float(estimate.fit.values[0][0]), float(estimate.fit.variances[0][0])
    if isinstance(estimate, LevelEstimate):
        known = estimate.fit.known(0)
        return float(known.value[0]), float(known.variance[0])
    return float(release.counts.sum()), float(release.variance.sum())


def land_areas(cells: Cells) -> Floats:
    """Compute the areas on the ground where records can be, in km² or square degrees.

    Examples
    --------
    >>> import geodp
    >>> from geodp.core.cells.grid_cells import GridCells
    >>> town = geodp.Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> land_areas(GridCells(geodp.Grid(town, (1, 2))))
    array([4., 4.])
    """
    areas = cells.ground_areas()
    within = cells.domain.within
    if within is None or cells.polygons is not None:
        return areas
    return np.asarray(areas * within.covered_share(*cells.bounds.T))


def _even(cells: Cells) -> Floats:
    """Return shares of cells where records are alike everywhere that they can be."""
    weights = land_areas(cells)
    return np.asarray(weights / weights.sum())


# --- depths of nodes ------------------------------------------------------------------------------


def _orders(
    release: Release, cells: Cells, counts: Floats, variance: Floats
) -> list[tuple[list[Depth], Any]]:
    """Return nodes from the children of the domain to the cells, and each last one's cell.

    Of a grid there are several pyramids, each moved against the others, and the mean over them is
    taken: none of their edges shows.
    """
    if isinstance(release.estimate, LevelEstimate):
        return [(_level_depths(release.estimate, land_areas(cells)), np.arange(len(cells)))]
    if cells.grid is None:
        left, bottom, right, top = cells.bounds.T
        xmin, ymin, _, _ = cells.domain.bounds
        side = max(cells.domain.width, cells.domain.height) / _CURVE
        middle = ((bottom + top) / 2 - ymin) / side, ((left + right) / 2 - xmin) / side
        order = np.argsort(_curve(*(np.clip(at, 0, _CURVE - 1).astype(np.int64) for at in middle)))
        code = np.arange(len(cells))
        last = Depth(counts[order], variance[order], land_areas(cells)[order], code, code)
        return [(_pyramid([last]), order)]
    row, column = np.divmod(cells.codes, cells.grid.shape[1])
    weights = cells.grid.weights if cells.domain.within is not None else None
    share = land_areas(cells) if weights is None else weights[cells.grid.supported]
    largest = 1 << int(max(cells.grid.shape)).bit_length()
    pyramids = []
    for moved in range(_PYRAMIDS if len(cells) <= _MOST_MOVED else 1):
        by = largest * moved // _PYRAMIDS
        code = _curve(row + by, column + by)
        order = np.argsort(code)
        last = Depth(counts[order], variance[order], share[order], code[order], code[order])
        pyramids.append((_pyramid([last]), order))
    return pyramids


def _tree_depths(estimate: TreeEstimate, cells: Cells) -> tuple[list[Depth], list[int]]:
    """Return nodes of a tree, with more between in large families, and where its depths end."""
    tree, fit = cells.tree, estimate.fit
    assert tree is not None
    depths: list[Depth] = []
    ends = [0]
    for depth, level in enumerate(tree.levels[1:], start=1):
        known = np.where(level.supported, fit.below[depth], 0.0)
        share = np.where(level.supported, np.maximum(fit.tree.portions[depth], 1e-12), 0.0)
        position = np.arange(len(level)) - np.searchsorted(level.parent, level.parent)
        here = Depth(fit.from_below[depth], known, share, level.parent, position)
        depths += _families(here) if position.max() >= _LARGEST else [here]
        ends.append(len(depths))
    return depths, ends


def _level_depths(estimate: LevelEstimate, areas: Floats) -> list[Depth]:
    """Return units of nested levels, with families of four between units that have many."""
    fit = estimate.fit
    depths: list[Depth] = []
    for depth in range(fit.levels.depth, 0, -1):
        first, known = fit.levels.smallest_units(depth), fit.known(depth)
        share = np.add.reduceat(areas, first[:-1])
        starts = fit.levels.first_children(depth - 1)
        parent = np.searchsorted(starts, np.arange(len(share)), side="right") - 1
        here = Depth(
            known.value, known.variance, share, parent, np.arange(len(share)) - starts[parent]
        )
        depths = [*_families(here), *depths]
    return depths


def _families(last: Depth) -> list[Depth]:
    """Put nodes between parents and their children until no family has more than four."""
    depths = [last]
    while depths[0].position.max() > 3:
        below = depths[0]
        new = np.flatnonzero((np.diff(below.parent, prepend=-1) != 0) | (below.position % 4 == 0))
        place = np.zeros(len(below.parent), dtype=np.int64)
        place[new[1:]] = 1
        depths[0] = below._replace(parent=np.cumsum(place), position=below.position % 4)
        sums = [np.add.reduceat(values, new) for values in below[:3]]
        depths.insert(
            0, Depth(sums[0], sums[1], sums[2], below.parent[new], below.position[new] // 4)
        )
    return depths


def _pyramid(depths: list[Depth]) -> list[Depth]:
    """Sum nodes by fours, given in the order of their codes, up to one family below the domain."""
    while True:
        code = depths[0].parent
        if code[-1] < 4 or len(code) <= 1:
            depths[0] = depths[0]._replace(
                parent=np.zeros(len(code), dtype=np.int64), position=code % 4
            )
            return depths
        above = code >> 2
        new = np.flatnonzero(np.diff(above, prepend=-1))
        place = np.zeros(len(code), dtype=np.int64)
        place[new[1:]] = 1
        depths[0] = depths[0]._replace(parent=np.cumsum(place), position=code & 3)
        sums = [np.add.reduceat(values, new) for values in depths[0][:3]]
        depths.insert(0, Depth(sums[0], sums[1], sums[2], above[new], above[new]))


def _curve(row: Ints, column: Ints) -> Ints:
    """Number places along a curve that goes through a square by quarters, again and again."""
    code = np.zeros(np.shape(row), dtype=np.int64)
    for bit in range(int(max(row.max(initial=0), column.max(initial=0))).bit_length()):
        code |= (row >> bit & 1) << 2 * bit + 1 | (column >> bit & 1) << 2 * bit
    return code


# --- dividing -------------------------------------------------------------------------------------


def _divided(total: float, depths: Sequence[Depth], *, fully: bool) -> list[Floats]:
    """Divide a total among the nodes of every depth, the domain's first."""
    nodes, mix = [np.array([total])], _FIRST_MIX
    for number, depth in enumerate(depths):
        parts, mix = _next_depth(nodes[-1], depth, mix, refit=number > 0, fully=fully)
        nodes.append(parts)
    return nodes


def _next_depth(
    total: Floats, depth: Depth, mix: Floats, *, refit: bool, fully: bool
) -> tuple[Floats, Floats]:
    """Divide what nodes have among those below them; return also the mixture of that depth."""
    shape = len(total), int(depth.position.max(initial=0)) + 1
    table = [np.zeros(shape) for _ in range(3)]
    for sums, column in zip(table, depth[:3]):
        sums[depth.parent, depth.position] = column
    estimate, variance, share = table
    if fully:
        parts, mix = _guessed(estimate, variance, share, total, mix, refit=refit)
    else:
        parts = projected(estimate, variance, total)
    return parts[depth.parent, depth.position], mix


def projected(estimate: Floats, variance: Floats, total: Floats) -> Floats:
    """Return the parts of each total, none of them negative, that are nearest to estimates.

    Each is ``max(0, z + v * t)``, and ``t`` such that they add up: the step of least squares from a
    parent to its children, with a bound. Parts without variance stay 0.

    Examples
    --------
    >>> projected(np.array([[4.0, 3.0, -1.0]]), np.ones((1, 3)), np.array([6.0]))
    array([[3.5, 2.5, 0. ]])
    """
    free = variance > 0
    start = np.where(free, -estimate / np.where(free, variance, 1.0), np.inf)
    order = np.argsort(start, axis=1)
    sums, spread = (
        np.take_along_axis(np.where(free, values, 0.0), order, 1).cumsum(axis=1)
        for values in (estimate, variance)
    )
    shift = (total[:, None] - sums) / np.maximum(spread, 1e-300)
    above = shift > np.take_along_axis(start, order, 1)  # true for the first parts only
    last = np.maximum(above.sum(axis=1) - 1, 0)[:, None]
    parts = np.where(
        free, np.maximum(estimate + variance * np.take_along_axis(shift, last, 1), 0.0), 0.0
    )
    reached = parts.sum(axis=1, keepdims=True)
    return np.asarray(
        parts * np.where(reached > 0, total[:, None] / np.maximum(reached, 1e-300), 0)
    )


def _guessed(
    estimate: Floats, variance: Floats, share: Floats, total: Floats, mix: Floats, *, refit: bool
) -> tuple[Floats, Floats]:
    """Divide totals among families, and fit the mixture of this depth from its halvings."""
    if refit:  # the sums of the second halvings depend on the mixture, and so come after it
        fits: list[Floats] = []
        _halve(estimate, variance, share, total, mix, fits)
        mix = _fitted_mix(np.concatenate(fits), mix) if fits else mix
    return _halve(estimate, variance, share, total, mix, []), mix


def _halve(
    estimate: Floats,
    variance: Floats,
    share: Floats,
    total: Floats,
    mix: Floats,
    fits: list[Floats],
) -> Floats:
    """Divide totals among columns: between the first half of them and the others, and so on."""
    columns = estimate.shape[1]
    if columns == 1:
        return total[:, None]
    middle = columns // 2
    halves = [
        [values[:, part].sum(axis=1) for part in (slice(middle), slice(middle, None))]
        for values in (estimate, variance, share)
    ]
    part = np.where(halves[1][0] > 0, 1.0, 0.0)
    both = np.flatnonzero((halves[1][0] > 0) & (halves[1][1] > 0) & (total > 0))
    for first in range(0, len(both), _AT_ONCE):
        some = both[first : first + _AT_ONCE]
        chosen = [[half[some] for half in pair] for pair in halves]
        part[some], fit = _first_part(chosen, total[some], _KERNELS @ mix)
        fits.append(fit)
    sides = ((slice(middle), part), (slice(middle, None), 1 - part))
    return np.hstack(
        [
            _halve(estimate[:, side], variance[:, side], share[:, side], total * portion, mix, fits)
            for side, portion in sides
        ]
    )


def _first_part(halves: list[list[Floats]], total: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Guess the part of the first of two halves, and how well each spread fits what is known."""
    (first, second), (first_variance, second_variance), (first_share, second_share) = halves
    both = first_variance + second_variance
    known = first + first_variance / both * (total - first - second)
    variance = first_variance * second_variance / both
    even = np.log(np.maximum(first_share, 1e-300)) - np.log(np.maximum(second_share, 1e-300))
    with np.errstate(over="ignore"):  # of a total that is all but nothing
        plain = np.clip(known / total, 0.0, 1.0)
    part = plain.copy()
    fits = np.empty((len(total), _KERNELS.shape[1]))
    # Where noise is finer than the steps of the odds, the estimate itself is the better guess.
    sharp = np.sqrt(variance) < _STEP * total * plain * (1 - plain)
    with np.errstate(divide="ignore"):
        odds = np.log(plain[sharp]) - np.log1p(-plain[sharp]) - even[sharp]
    fits[sharp] = _KERNELS[np.clip(np.rint(odds / _STEP) + 65, 1, len(_ODDS)).astype(np.int64)]
    dull = ~sharp
    parts = np.empty((int(dull.sum()), len(_ODDS) + 2))
    parts[:, 1:-1] = 1 / (1 + np.exp(-(even[dull, None] + _ODDS)))
    parts[:, 0], parts[:, -1] = 0.0, 1.0
    miss = known[dull, None] - parts * total[dull, None]
    miss *= miss
    miss *= -0.5 / variance[dull, None]
    miss -= miss.max(axis=1, keepdims=True)
    likely = np.exp(miss, out=miss)
    fits[dull] = likely @ _KERNELS
    likely *= prior
    part[dull] = (likely * parts).sum(axis=1) / likely.sum(axis=1)
    return part, fits


def _kernels() -> Floats:
    """Return how likely each step of the odds is for each spread; last, one half is empty."""
    spread = [np.exp(-0.5 * (_ODDS / max(width, _STEP / 9)) ** 2) for width in _WIDTHS]
    kernels = np.zeros((len(_ODDS) + 2, len(_WIDTHS) + 1))
    kernels[1:-1, :-1] = np.stack([kernel / kernel.sum() for kernel in spread], axis=1)
    kernels[[0, -1], -1] = 0.5
    return kernels


_KERNELS = _kernels()


def _fitted_mix(fits: Floats, start: Floats) -> Floats:
    """Fit weights of the spreads by maximum likelihood, with some of the depth above."""
    mix = start
    for _ in range(_ROUNDS):
        weight = mix * (fits / np.maximum(fits @ mix, 1e-300)[:, None]).sum(axis=0)
        weight += _BORROWED * start
        mix = weight / weight.sum()
    return mix
