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
    border : Border
        Final cells that regions cover in part: where it matters how records spread.
    """

    estimate: Floats
    variance: Floats
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
    estimate, variance = np.zeros(len(regions)), np.zeros(len(regions))
    cells = []
    for part, found in covered_in_parts(fit.tree, regions):
        estimate[part], variance[part] = _sums(fit, found, part.stop - part.start)
        cells += [_border(fit, depth, entries, part.start) for depth, entries in enumerate(found)]
    border = Border(*(np.concatenate(column) for column in zip(*cells)))
    return TreeAnswers(estimate, np.maximum(variance, 0.0), border)


def _sums(fit: Fit, found: list[Covered], count: int) -> tuple[Floats, Floats]:
    """Estimates and variances of regions from the nodes that they cover.

    A node wholly inside, or final, brings what is known at and below it; the weights of those that
    were looked into are carried up from their children, as in :meth:`Fit.variance_of`.
    """
    estimate, variance, carried = np.zeros(count), np.zeros(count), np.zeros(0)
    for depth in range(len(found) - 1, -1, -1):
        part = found[depth]
        weight = part.weight.copy()
        if depth + 1 < len(found):
            sums = np.bincount(found[depth + 1].parent, carried, minlength=len(weight))
            weight[~part.ends] = sums[~part.ends]
        value = np.where(part.ends, fit.values[depth][part.node], 0.0)
        gain = np.where(part.ends, fit.below[depth][part.node], fit.gains[depth][part.node])
        estimate += np.bincount(part.region, weight * value, minlength=count)
        variance += np.bincount(part.region, weight * weight * gain, minlength=count)
        carried = weight * fit.shares[depth][part.node]
    return estimate, variance


def _border(fit: Fit, depth: int, found: Covered, first: int) -> Border:
    """Final cells of one depth that are partly inside; regions are counted from ``first``."""
    cells = found.keep(found.ends & (found.weight > 0) & (found.weight < 1))
    return Border(
        first + cells.region,
        cells.weight,
        fit.values[depth][cells.node],
        fit.variances[depth][cells.node],
    )
