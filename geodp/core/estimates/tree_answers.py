"""Answer questions from a fitted tree: estimates for regions and their errors. Public."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats
from ..districts.district_tree import DistrictTree
from ..regions.workload import Workload
from ..space.tree import Tree
from .district_cover import cover_districts, cover_units
from .least_squares import Fit
from .tree_overlap import Covered, covered_in_parts
from .unevenness import Border, Unevenness

_CLEAR = 4.0
"""A family whose sum is this many times its noise shows which way its records lean."""


class TreeAnswers(NamedTuple):
    """Answers, one entry for each region.

    Attributes
    ----------
    estimate : ndarray
        The sum of the final cells' estimates in proportion to the area inside.
    variance, fourth : ndarray
        Variance of the noise in it, and its fourth cumulant.
    squares : ndarray
        Sum of the squared weights of the nodes that make up the region.
    present, cut : ndarray
        What is estimated in the region where that is above zero: in all, and in cells that the
        border cuts.
    spread : ndarray
        Variance of what the even spread inside cells gets wrong; 0 if no unevenness is given.
    """

    estimate: Floats
    variance: Floats
    fourth: Floats
    squares: Floats
    present: Floats
    cut: Floats
    spread: Floats


def answer_tree(fit: Fit, regions: Workload, uneven: Unevenness | None = None) -> TreeAnswers:
    """Estimate the number of records in regions.

    Parameters
    ----------
    fit : Fit
        Estimates of a tree's nodes.
    regions : Workload
        Regions on the tree's domain.
    uneven : Unevenness, optional
        How unevenly records lie in the tree's cells.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> from geodp.core.kernel.measurements import Measurements
    >>> from geodp.core.space.tree import Tree
    >>> town = Domain((0, 0, 4, 4), crs="EPSG:5070")
    >>> tree = Tree(Frame(town, (1, 2), 1), [[False, False]])
    >>> fit = Fit(tree, Measurements([1, 2], [4, 3], [0, 0], [Fraction(1)]))
    >>> answer_tree(fit, Workload.from_boxes([(0, 0, 3, 4)], town)).estimate
    array([5.5])
    """
    if regions.domain != fit.tree.frame.domain:
        raise InputError(
            "regions must be on the tree's domain; got "
            f"{regions.domain!r} for {fit.tree.frame.domain!r}."
        )
    return _answered(fit, _covered(fit.tree, regions), len(regions), uneven)


def answer_units(fit: Fit, uneven: Unevenness | None = None) -> TreeAnswers:
    """Estimate the number of records in the units of all levels of districts, the largest first.

    Parameters are those of :func:`answer_tree`.
    """
    assert isinstance(fit.tree, DistrictTree)
    units = len(fit.tree.frame.units[0])
    return _answered(fit, iter([(slice(0, units), cover_units(fit.tree))]), units, uneven)


def _answered(
    fit: Fit,
    covered: Iterator[tuple[slice, list[Covered]]],
    regions: int,
    uneven: Unevenness | None,
) -> TreeAnswers:
    """Answer for what covers some nodes, some regions at a time."""
    sums = np.zeros((len(TreeAnswers._fields), regions))
    for part, covered_nodes in covered:
        count = part.stop - part.start
        weights = _carried(fit, covered_nodes)
        sums[:2, part] = _noisy(fit, covered_nodes, weights, count)
        sums[2, part] = _fourth(fit, covered_nodes, weights, count)
        sums[3:6, part] = _sums(fit, covered_nodes, count)
        if uneven is not None:
            lean = _lean(fit, covered_nodes, count)
            sums[6, part] = uneven.variance(border_cells(fit, covered_nodes), count) + lean * lean
    return TreeAnswers(*sums)


def _covered(tree: Tree, regions: Workload) -> Iterator[tuple[slice, list[Covered]]]:
    """Return nodes that regions cover, some regions at a time."""
    if isinstance(tree, DistrictTree):
        return cover_districts(tree, regions)
    return covered_in_parts(tree, regions)


def _carried(fit: Fit, covered_nodes: list[Covered]) -> list[Floats]:
    """Return weights of all nodes that regions meet, carried up from where a region ends.

    As for :attr:`Fit.gains`: a node that was looked into has the mean of its children's
    weights, in proportion to their variances.
    """
    weights = [part.weight.copy() for part in covered_nodes]
    for depth in range(len(covered_nodes) - 2, -1, -1):
        opened, below = ~covered_nodes[depth].ends, covered_nodes[depth + 1]
        child_weight = weights[depth + 1] * fit.shares[depth + 1][below.node]
        weights[depth][opened] = _gathered(covered_nodes, depth, child_weight)[opened]
    return weights


def _gathered(covered_nodes: list[Covered], depth: int, values: Floats) -> Floats:
    """Return sums over the listed children of every entry of a depth."""
    size = len(covered_nodes[depth].node)
    return np.bincount(covered_nodes[depth + 1].parent, values, minlength=size).astype(np.float64)


def _noisy(fit: Fit, covered_nodes: list[Covered], weights: list[Floats], count: int) -> Floats:
    """Estimate and variance of the noise."""
    sums = np.zeros((2, count))
    for depth, part in enumerate(covered_nodes):
        node, weight = part.node, weights[depth]
        known = np.where(part.ends, fit.below[depth][node], fit.gains[depth][node])
        columns = (part.weight * fit.values[depth][node], weight * weight * known)
        sums += [np.bincount(part.region, column, minlength=count) for column in columns]
    return np.maximum(sums, [[-np.inf], [0.0]])


def _fourth(fit: Fit, covered_nodes: list[Covered], weights: list[Floats], count: int) -> Floats:
    """Add up fourth cumulants of the noise, times weights to the fourth power.

    With carried weights W, an answer is ``Σ (W_n - W_parent) z_n`` over all nodes, where z_n is
    what is known at and below a node: its own measurements, and a part of what its children know.
    So z_n counts with ``W_n - W_parent`` and with what is handed down to it. Children that are
    not listed lie outside: their W is 0.
    """
    alone, with_below = fit.tails
    sums = np.zeros(count)
    weight = weights[0]
    for depth, part in enumerate(covered_nodes):
        kept = np.where(part.ends, with_below[depth][part.node], alone[depth][part.node])
        sums += np.bincount(part.region, weight**4 * kept, minlength=count)
        if depth + 1 == len(covered_nodes):
            break
        below = covered_nodes[depth + 1]
        child_weight = weight * fit.child_weight[depth][part.node] - weights[depth]
        listed = _gathered(covered_nodes, depth, with_below[depth + 1][below.node])
        every = np.zeros(len(fit.tree.levels[depth]))
        every[fit.tree.levels[depth].split] = fit.tree.family_sums(depth, with_below[depth + 1])
        outside = np.where(part.ends, 0.0, np.maximum(every[part.node] - listed, 0.0))
        sums += np.bincount(part.region, child_weight**4 * outside, minlength=count)
        weight = weights[depth + 1] + child_weight[below.parent]
    return sums


def _sums(fit: Fit, covered_nodes: list[Covered], count: int) -> Floats:
    """Add up squared weights, what is present, and what of that is in cut cells."""
    sums = np.zeros((3, count))
    for depth, part in enumerate(covered_nodes):
        present = part.weight * fit.present[depth][part.node]
        columns = (part.weight**2, present, np.where(part.weight < 1, present, 0.0))
        sums += [np.bincount(part.region, column, minlength=count) for column in columns]
    return sums


def _lean(fit: Fit, covered_nodes: list[Covered], count: int) -> Floats:
    """Return what even spread gets wrong if records in cut cells lean as families do.

    A region that covers the share A of a family should hold ``A·p`` of its sum p if records were
    evenly spread; by the finer cells it holds R. If the family leans to the inside of the region,
    so may a cell of it that the border cuts: its count c is off by ``4a(1 - a)·c·(A - R/p)``, with
    the same sign all along a border between crowded and empty places.
    """
    sums = np.zeros(count)
    area, held = np.zeros(0), np.zeros(0)
    for depth in range(len(covered_nodes) - 1, 0, -1):
        part = covered_nodes[depth]
        covers, holds = part.weight.copy(), part.weight * fit.values[depth][part.node]
        if depth + 1 < len(covered_nodes):
            below, opened = covered_nodes[depth + 1], ~part.ends
            part_of_family = fit.tree.portions[depth + 1][below.node]
            covers[opened] = _gathered(covered_nodes, depth, area * part_of_family)[opened]
            holds[opened] = _gathered(covered_nodes, depth, held)[opened]
            total = fit.values[depth][part.node]
            clear = opened & (total > _CLEAR * np.sqrt(fit.variances[depth][part.node]))
            lean = np.clip(covers - holds / np.where(clear, total, 1.0), -1.0, 1.0)
            lean[~clear] = 0.0
            cut = below.weight * (1 - below.weight)  # 0 for all but cells on the border
            count_below = np.maximum(fit.values[depth + 1][below.node], 0.0)
            off = 4 * cut * count_below * lean[below.parent]
            sums += np.bincount(below.region, off, minlength=count)
        area, held = covers, holds
    return sums


def border_cells(fit: Fit, covered_nodes: list[Covered]) -> Border:
    """Return final cells that are partly inside."""
    cells = [part.keep(part.ends & (part.weight > 0) & (part.weight < 1)) for part in covered_nodes]
    return Border(
        np.concatenate([part.region for part in cells]),
        np.repeat(np.arange(len(cells)), [len(part.node) for part in cells]),
        np.concatenate([part.node for part in cells]),
        np.concatenate([part.weight for part in cells]),
        np.concatenate([fit.values[depth][part.node] for depth, part in enumerate(cells)]),
        np.concatenate([fit.variances[depth][part.node] for depth, part in enumerate(cells)]),
    )
