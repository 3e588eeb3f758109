"""Compute by how much counts that led to a split are too high, on average. Public.

A node whose measured count is high is split, and one whose count is low is not. What is measured
below a node that was split says less about its sum, so that its own count weighs more: those that
came out high by chance weigh more than those that came out low, and least squares by itself errs
upwards: by little for one cell, but the errors of many cells add up where their noise averages out.

For Laplace noise this can be undone from what was published. Let a measurement y have discrete
Laplace noise e, with ``q = exp(-1/scale)``, and let its weight rise from v to w where y reaches a
threshold T. If T is m above the true count, and m at least 1, then ``E[weight · e]`` is
``(w - v)(1 - q)/(1 + q) · q^m (m/(1 - q) + q/(1 - q)²)``; with 1 - m it is the same as with m. The
mean of ``(w - v) · q/(1 - q²) · (q^|y - T| + q^|y - T + 1|)`` is the same number, and this formula
needs nothing but y. It is taken off the node's estimate, once for each threshold of growth.

What a tree will measure below a node is not known when the node is split; the weights are those of
a usual tree. A count also sways the decisions about its children, which is left out;
docs/benchmarks.md has what remains of the bias. Where several groups share a tree it was their sum
that decided, which no group knows by itself: nothing is taken off there, and the groups add up to
their total.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ..common.types import Floats
from ..kernel.measurements import Measurements
from ..mechanisms.growth import adjusted
from ..mechanisms.tree_budget import BARS, LEAP, STEP_SHARES
from ..space.tree import Tree


def _known_below() -> list[float]:
    """Tell what measurements below a node know of its sum, by the kind of its step.

    As a precision, where one measurement of the node with all of its remaining budget has 1. Below
    a split node are four children, each with a measurement of its own and what is below that: two
    that go on as expected, with one halving less, and two that hold fewer records, with two less.
    A leap has sixteen, the same twice over.
    """
    precisions = [1.0, 0.25]
    for share in map(float, STEP_SHARES[2:LEAP]):
        together = [share**2 + known * (1 - share) ** 2 for known in precisions[-2:]]
        precisions.append(1 / (2 / together[0] + 2 / together[1]))
    share = float(STEP_SHARES[LEAP])
    together = [share**2 + known * (1 - share) ** 2 for known in precisions[-3:]]
    precisions.append(1 / (4 / together[2] + 8 / together[1] + 4 / together[0]))
    return precisions


_KNOWN = _known_below()

_LN2 = math.log(2)

BLOCK = 1 << 14
"""Nodes looked at together; their arrays stay in the processor's cache."""


def split_bias(tree: Tree, measurements: Measurements) -> tuple[Floats, ...]:
    """Return for each depth by how much the nodes' estimates are too high on average.

    Parameters
    ----------
    tree : Tree
        A tree that was grown.
    measurements : Measurements
        What was published about its nodes.

    Examples
    --------
    A root cell was measured as 40 and again as 43; a count of about 52 would have had it split.

    >>> from fractions import Fraction
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> tree = Tree(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 1), 1), [[False]])
    >>> scales = [Fraction(99), Fraction(36), Fraction(7)]
    >>> measurements = Measurements([0, 1, 1], [45, 40, 43], [0, 1, 2], scales)
    >>> [values.round(3) for values in split_bias(tree, measurements)]
    [array([0.]), array([2.483])]
    """
    budget, value, rest = _decisions(tree, measurements)
    biases = [np.zeros(1)]
    count = known = np.zeros(0)
    passed = counted = np.zeros(1, dtype=np.bool_)  # nodes of the depth above
    for depth in range(1, len(tree.levels)):
        above, leapt, counted = counted, passed, budget[depth] > 0
        # What was not measured has no records for certain, or a leap passed over it.
        passed = tree.levels[depth].split & ~counted & above[tree.levels[depth].parent]
        measured = np.where(counted, budget[depth], 1.0)
        variance = np.where(counted, 2 / measured**2, 0.0)
        if depth == 1:
            count, known = value[depth], variance
        else:
            split = np.flatnonzero(tree.levels[depth - 1].split)
            landed = np.flatnonzero(leapt[split])
            leaps = tree.levels[depth - 1].parent[split[landed]]
            of_parents = count[split], known[split]
            count, known = adjusted(*of_parents, value[depth], variance, landed, leaps)
            where = np.flatnonzero(passed)
            for values, inherited in zip((count, known), of_parents):
                values[where] = inherited[where >> 2]
        # Without a count, a node says nothing of its children.
        known = np.where(counted | passed, known, np.inf)
        moved = known * measured**2 / 2
        bars = BARS[: tree.frame.depth - depth]
        high = np.zeros(len(count))
        some = np.flatnonzero(counted & (rest[depth] > 0))  # the others were not decided on
        for start in range(0, len(some), BLOCK):
            part = some[start : start + BLOCK]
            facts = count[part], moved[part], measured[part], rest[depth][part]
            high[part] = _too_high(*facts, bars)
        biases.append(high / measurements.units)
    return tuple(biases)


def _decisions(
    tree: Tree, measurements: Measurements
) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """Return by depth budget and value of a node's first measurement, and what is left then."""
    budget = np.array([1 / float(scale) for scale in measurements.scales])[measurements.scale]
    spent = np.bincount(measurements.node, budget, minlength=tree.nodes)
    first, value = np.zeros(tree.nodes), np.zeros(tree.nodes)
    # Measurements of a node come in their order: assigned backwards, the first one stays.
    first[measurements.node[::-1]] = budget[::-1]
    value[measurements.node[::-1]] = measurements.value[::-1]
    cuts = [level.first for level in tree.levels[1:]]
    budgets, values, rest = (np.split(numbers, cuts) for numbers in (first, value, spent - first))
    for depth in range(len(tree.levels) - 2, -1, -1):
        split, fan_out = tree.levels[depth].split, tree.frame.children(depth)
        if split.any():  # every path spends the same
            below = (budgets[depth + 1] + rest[depth + 1]).reshape(-1, fan_out)
            rest[depth][split] = below.max(axis=1)
    return budgets, values, rest


def _too_high(
    count: Floats, share: Floats, budget: Floats, rest: Floats, bars: Sequence[Fraction]
) -> Floats:
    """Sum over the bars; ``share`` is by how much a node's own measurement moves its count."""
    excess = np.zeros(len(count))
    weights = [budget**2 / (budget**2 + known * rest**2) for known in _KNOWN]
    for halvings, bar in enumerate(bars, start=1):
        lacks = np.ceil((float(bar) / rest - count) / share)  # T - y
        near = exp_neg(np.abs(lacks) * budget) + exp_neg(np.abs(lacks - 1) * budget)
        excess += (weights[halvings] - weights[halvings - 1]) * near
    amounts, which = np.unique(budget, return_inverse=True)  # few, however many nodes
    ratio = [math.exp(-amount) / -math.expm1(-2 * amount) for amount in amounts.tolist()]
    return np.asarray(excess * np.array(ratio)[which.ravel()])


def exp_neg(x: Floats) -> Floats:
    """Return ``exp(-x)`` for x from 0 on, by additions and multiplications alone.

    NumPy's own function differs in the last bit from version to version; estimates must not, or a
    plugin and a library that open one file would disagree.

    Examples
    --------
    >>> exp_neg(np.array([0.0, 1.0, 800.0]))
    array([1.        , 0.36787944, 0.        ])
    """
    bounded = np.minimum(x, 750.0)
    halvings = np.rint(bounded / _LN2)
    part = halvings * _LN2 - bounded  # between -ln 2 / 2 and ln 2 / 2
    series = np.ones_like(part)
    for term in range(14, 0, -1):
        series = 1 + part / term * series
    return np.asarray(np.ldexp(series, -halvings.astype(np.int64)))
