"""Estimate a tree's nodes from their measurements: weighted least squares in closed form.

Every node's estimate is the linear, unbiased one of least variance given all measurements and a
tree that does not depend on them, and the estimates of children add up to their parent's. (A tree
that was grown does depend on them: ``split_bias`` has what that adds.) Two passes do
it. Up: a node measured as ``y`` with variance ``u`` and with children ``z_c`` of variance ``v_c``
has ``z = (y/u + Σz_c/Σv_c) / (1/u + 1/Σv_c)`` and ``v = 1 / (1/u + 1/Σv_c)`` from what lies at and
below it. Down: what the rest of the tree knows about a family is divided in proportion to the
variances, ``f_c = z_c + (v_c/Σv)·(f − Σz)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..common.types import Floats, freeze, read_only
from ..kernel.measurements import Measurements
from ..space.tree import Tree

_LEAST_VARIANCE = 2.0**-200
"""So little noise that its variance rounds to 0 still needs a weight."""


class Fit:
    """Estimates of all nodes of a tree from the measurements. Public.

    Parameters
    ----------
    tree : Tree
        The nodes.
    measurements : Measurements
        Noisy counts of the nodes; every final cell needs one. Nodes without support have none:
        their count is 0, without noise.
    bias : sequence of ndarray, optional
        For each depth, what to take off the nodes' own estimates: see
        :mod:`~geodp.core.estimates.split_bias`. None: nothing, which is least squares and no more.

    Attributes
    ----------
    values : tuple of ndarray
        For each depth, the nodes' estimates: final cells below a node add up to its own.
    variances : tuple of ndarray
        For each depth, the noise variance of these estimates.
    from_below, below : tuple of ndarray
        For each depth, estimates from the measurements of a node and of the nodes below it alone,
        and their variance: those of siblings are independent.
    shares : tuple of ndarray
        For each depth, a node's part of its family's summed variance.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> tree = Tree(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 1), [[False, False]])
    >>> fit = Fit(tree, Measurements([0, 1, 2], [10, 4, 3], [0, 0, 0], [Fraction(1)]))
    >>> fit.estimate
    array([5., 4.])
    """

    def __init__(
        self, tree: Tree, measurements: Measurements, bias: Sequence[Floats] | None = None
    ) -> None:
        self.tree = tree
        self.bias = bias
        self.measurements = measurements.check(tree)
        precision, weighted = _combined(tree, measurements)
        up: list[Floats] = []
        below: list[Floats] = []
        shares: list[Floats] = []
        sums: list[Floats] = []  # of the children's own estimates, per split node
        totals: list[Floats] = []  # of the children's variances, per split node
        for depth in range(len(tree.levels) - 1, -1, -1):
            split = np.flatnonzero(tree.levels[depth].split)
            weight, moment = precision[depth], weighted[depth]
            if split.size:
                totals.insert(0, tree.family_sums(depth, below[0]))
                sums.insert(0, tree.family_sums(depth, up[0]))
                shares.insert(0, below[0] / tree.to_children(depth, totals[0]))
                weight[split] += 1 / totals[0]
                moment[split] += sums[0] / totals[0]
            below.insert(0, 1 / weight)
            up.insert(0, moment / weight if bias is None else moment / weight - bias[depth])
        values, variances = [up[0]], [below[0]]
        for depth in range(1, len(tree.levels)):
            split = np.flatnonzero(tree.levels[depth - 1].split)
            share = shares[depth - 1]
            missing = tree.to_children(depth - 1, values[-1][split] - sums[depth - 1])
            # What a family's own counts say about its parts is independent of what the rest of
            # the tree says about its sum.
            known = tree.to_children(depth - 1, variances[-1][split])
            values.append(up[depth] + share * missing)
            variances.append(below[depth] * (1 - share) + share * share * known)
        # New arrays, which nobody else has; there may be millions of nodes, and copies cost memory.
        self.values: tuple[Floats, ...] = tuple(map(freeze, values))
        self.variances: tuple[Floats, ...] = tuple(map(freeze, variances))
        self.from_below: tuple[Floats, ...] = tuple(map(freeze, up))
        self.below: tuple[Floats, ...] = tuple(map(freeze, below))
        self.shares: tuple[Floats, ...] = tuple(map(freeze, [np.ones(1), *shares]))

    def __repr__(self) -> str:
        return f"Fit({self.tree!r}, {self.measurements!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Fit, (self.tree, self.measurements, self.bias)

    @cached_property
    def estimate(self) -> Floats:
        """Return the estimated count of each final cell; some are negative, and must stay so."""
        return np.asarray(self.tree.at_cells(self.values))

    @cached_property
    def variance(self) -> Floats:
        """Return the noise variance of each final cell's estimate; read-only."""
        return np.asarray(self.tree.at_cells(self.variances))

    @cached_property
    def gains(self) -> tuple[Floats, ...]:
        """Return what squared weights add to a variance, by depth.

        Of ``Σ w_i · estimate_i`` over final cells, weights are carried up the tree,
        ``W_p = Σ W_c v_c / Σ v_c``; its variance, ``W_root² v_root + Σ_p Σ_c v_c (W_c - W_p)²``, is
        the sum over all nodes of their squared weights times their gains. A node that was split
        knows more than its children together: its gain is negative.
        """
        by_depth = []
        for depth, level in enumerate(self.tree.levels):
            gain = self.below[depth].copy()
            if level.split.any():
                gain[level.split] -= self.tree.family_sums(depth, self.below[depth + 1])
            by_depth.append(read_only(gain))
        return tuple(by_depth)

    @cached_property
    def present(self) -> tuple[Floats, ...]:
        """Return by depth the sum of the final cells' estimates below a node that are above 0."""
        sums: list[Floats] = []
        for depth in range(len(self.tree.levels) - 1, -1, -1):
            split = self.tree.levels[depth].split
            here = np.maximum(self.values[depth], 0.0)
            if split.any():
                here[split] = self.tree.family_sums(depth, sums[0])
            sums.insert(0, here)
        return tuple(map(read_only, sums))

    @cached_property
    def child_weight(self) -> tuple[Floats, ...]:
        """Return by depth the weight of a child's estimate in that of its parent, if split."""
        by_depth = []
        for depth, level in enumerate(self.tree.levels):
            weight = np.zeros(len(level))
            if level.split.any():
                below = self.tree.family_sums(depth, self.below[depth + 1])
                weight[level.split] = self.below[depth][level.split] / below
            by_depth.append(read_only(weight))
        return tuple(by_depth)

    @cached_property
    def tails(self) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Return fourth cumulants of the nodes' own estimates, per depth.

        First the part that comes from a node's own measurements, then the whole, with what lies
        below it.
        """
        tree, measured = self.tree, self.measurements
        variance = _variances(measured)
        kurtosis = np.array(measured.excess())
        known = np.concatenate(self.below)[measured.node]
        weight = known / variance[measured.scale]
        fourth = weight**4 * (kurtosis * variance**2)[measured.scale]
        cuts = [level.first for level in tree.levels[1:]]
        summed = np.bincount(measured.node, fourth, minlength=tree.nodes).astype(np.float64)
        alone = np.split(summed, cuts)
        with_below = [part.copy() for part in alone]
        for depth in range(len(tree.levels) - 2, -1, -1):
            split = tree.levels[depth].split
            below = tree.family_sums(depth, with_below[depth + 1])
            with_below[depth][split] += self.child_weight[depth][split] ** 4 * below
        return tuple(map(read_only, alone)), tuple(map(read_only, with_below))


def _combined(tree: Tree, measured: Measurements) -> tuple[list[Floats], list[Floats]]:
    """Return per depth the precision of each node's measurements, and their weighted sum.

    Where no records can be, the count is known to be 0: its precision has no bound.
    """
    weight = 1 / _variances(measured)[measured.scale]
    precision = np.bincount(measured.node, weight, minlength=tree.nodes)
    weighted = np.bincount(measured.node, weight * measured.counts, minlength=tree.nodes)
    precision[~np.concatenate([level.supported for level in tree.levels])] = np.inf
    cuts = [level.first for level in tree.levels[1:]]
    return np.split(precision, cuts), np.split(weighted, cuts)


def _variances(measured: Measurements) -> Floats:
    """Return the variance of the noise at each of the scales."""
    return np.maximum(measured.variances(), _LEAST_VARIANCE)
