"""Answers from a fitted tree: estimates for regions and the noise in them. Public."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .axis import Floats, Ints
from .errors import InputError
from .least_squares import Fit
from .tree_overlap import Covered, covered_in_parts
from .workload import Workload


class Border(NamedTuple):
    """Final cells that are partly inside a region, one entry for each pair.

    Attributes
    ----------
    region : ndarray of int
        Which region.
    share : ndarray of float
        Covered share of the cell's area, between 0 and 1, both excluded.
    estimate, variance : ndarray of float
        The cell's own count, and the variance of its noise.
    """

    region: Ints
    share: Floats
    estimate: Floats
    variance: Floats


class TreeAnswers(NamedTuple):
    """Answers for regions.

    Attributes
    ----------
    estimate : ndarray
        For each region, the sum of the final cells' estimates in proportion to the area inside.
    variance : ndarray
        For each region, the variance of the noise in it.
    squares, tails : ndarray
        Sums over the nodes that make up a region: of squared weights, and of the squares of what
        each would add to the variance if it stood alone.
    present : ndarray
        For each region, what is estimated in it where that is above zero.
    border : Border
        Final cells that regions cover in part: where it matters how records spread.
    """

    estimate: Floats
    variance: Floats
    squares: Floats
    tails: Floats
    present: Floats
    border: Border


def answer_tree(fit: Fit, regions: Workload) -> TreeAnswers:
    """Estimate the number of records in regions.

    Parameters
    ----------
    fit : Fit
        Estimates of a tree's nodes.
    regions : Workload
        Regions on the tree's domain.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.domain import Domain
    >>> from geodp.core.frame import Frame
    >>> from geodp.core.measurements import Measurements
    >>> from geodp.core.tree import Tree
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
    sums = np.zeros((5, len(regions)))
    cells = []
    for part, found in covered_in_parts(fit.tree, regions):
        sums[:, part] = _sums(fit, found, part.stop - part.start)
        cells += [_border(fit, depth, entries, part.start) for depth, entries in enumerate(found)]
    border = Border(*(np.concatenate(column) for column in zip(*cells)))
    estimate, variance, squares, tails, present = sums
    noise = np.maximum(variance, 0.0)
    return TreeAnswers(estimate, noise, squares, tails, present, border)


def _sums(fit: Fit, found: list[Covered], count: int) -> Floats:
    """Sums over the nodes that regions cover, in the order of :class:`TreeAnswers`.

    A node wholly inside, or final, brings what is known at and below it; the weights of those that
    were looked into are carried up from their children, as in :meth:`Fit.variance_of`.
    """
    sums, carried = np.zeros((5, count)), np.zeros(0)
    for depth in range(len(found) - 1, -1, -1):
        part = found[depth]
        weight = part.weight.copy()
        if depth + 1 < len(found):
            above = np.bincount(found[depth + 1].parent, carried, minlength=len(weight))
            weight[~part.ends] = above[~part.ends]
        own, node = np.where(part.ends, weight, 0.0), part.node
        below, value = fit.below[depth][node], fit.values[depth][node]
        columns = (
            own * value,
            weight * weight * np.where(part.ends, below, fit.gains[depth][node]),
            own * own,
            (own * own * below) ** 2,
            own * np.maximum(value, 0.0),
        )
        sums += [np.bincount(part.region, column, minlength=count) for column in columns]
        carried = weight * fit.shares[depth][node]
    return sums


def _border(fit: Fit, depth: int, found: Covered, first: int) -> Border:
    """Final cells of one depth that are partly inside; regions are counted from ``first``."""
    cells = found.keep(found.ends & (found.weight > 0) & (found.weight < 1))
    return Border(
        first + cells.region,
        cells.weight,
        fit.values[depth][cells.node],
        fit.variances[depth][cells.node],
    )
