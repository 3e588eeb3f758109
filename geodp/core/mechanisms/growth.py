"""Grow a tree of cells: spend a little, look, and go on where it pays.

Growth is a client of the kernel, which measures nodes and counts what is spent along every path;
everything here sees published numbers alone. A fault may make a tree less accurate, never less
private.

Decisions are the same on every machine: adjusted counts are float64 results of single additions,
multiplications and divisions, which IEEE 754 defines to the bit, and are compared with exact
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints, SignedInts
from ..kernel.kernel import Kernel, Nodes
from ..kernel.measurements import Measurements
from ..space.frame import Frame
from ..space.tree import Tree
from .growth_state import DepthMeasurements, GrowingNodes, NoisyCounts, concatenate_and_free
from .tree_budget import LEAP, TreeBudget

AT_ONCE = 1 << 17
"""Nodes of one depth that are looked at together. Of more, one part is grown to the end after the
other: what is not yet published takes little memory, however large the tree."""

_LANDS = LEAP + 1
"""Kind of the step of a node that a leap passed over: its children are measured."""

_KINDS = _LANDS + 1

_HOW = {
    "total": "discrete Laplace noise",
    "root": "discrete Laplace noise on the root cells",
    "tree": "discrete Laplace noise along every path",
}


def grow(kernel: Kernel, budget: TreeBudget, frame: Frame) -> tuple[Tree, list[Measurements]]:
    """Grow one tree and measure its nodes in every group, with all of the kernel's ε.

    What is split is decided from the sums over the groups: where it pays in a group of mean size.

    Parameters
    ----------
    kernel : Kernel
        True counts on the base lattice of the frame, in each group.
    budget : TreeBudget
        How ε is divided along a path.
    frame : Frame
        Where the tree may grow.

    Returns
    -------
    tree, measurements
        The final cells, and the noisy counts that led to them, group by group.

    Examples
    --------
    >>> from geodp.core.counts.tree_tally import BaseTally
    >>> from geodp.core.privacy.noise import RandomBits
    >>> from geodp.core.privacy.unit import Unit
    >>> from geodp.core.space.domain import Domain
    >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"))
    >>> tally = BaseTally(frame)
    >>> tally.add(np.full(1000, 0.1), np.full(1000, 0.1))
    >>> kernel = Kernel(tally, epsilon=1, unit=Unit("record"), bits=RandomBits(seed=1))
    >>> tree, measurements = grow(kernel, TreeBudget.of(1), frame)
    >>> len(tree) > 16
    True
    """
    growth = _Growth(kernel, budget, frame)
    first = NoisyCounts(budget.groups, 1)
    growth.measure(kernel.domain, np.zeros(1, dtype=np.int64), budget.total, first, "total")
    domain = GrowingNodes(kernel.domain, first, np.zeros(1), np.zeros(1), np.zeros(1, np.bool_))
    growth.published[0].take(domain, np.ones(1, dtype=np.int16), first)
    _grow(growth, _root(growth))
    return growth.finish()


def _root(growth: _Growth) -> GrowingNodes:
    """Measure the root cells."""
    budget, kernel = growth.budget, growth.kernel
    nodes = kernel.split(kernel.domain, np.zeros(1, dtype=np.int64))
    first = NoisyCounts(budget.groups, len(nodes))
    growth.measure(nodes, np.flatnonzero(nodes.rest), budget.root, first, "root")
    count = first.sums().astype(np.float64)
    variance = np.where(nodes.supported, budget.variance(budget.root), 0.0)
    return GrowingNodes(nodes, first, count, variance, np.zeros(len(nodes), dtype=np.bool_))


def _grow(growth: _Growth, nodes: GrowingNodes) -> None:
    """Measure and split all that is to be measured and split at some nodes and below."""
    while len(nodes):
        at_once = max(AT_ONCE // 4 * 4, 4)  # whole families, which leaps pass over
        if len(nodes) > at_once:
            for start in range(0, len(nodes), at_once):
                _grow(growth, nodes.part(growth.kernel, start, start + at_once))
            return
        nodes = _deeper(growth, nodes, _steps(growth, nodes))


class _Growth:
    """Ask the kernel what growing a tree takes, and write the answers down."""

    def __init__(self, kernel: Kernel, budget: TreeBudget, frame: Frame) -> None:
        self.kernel, self.budget, self.frame = kernel, budget, frame
        self.published = [DepthMeasurements(budget.groups) for _ in range(frame.depth + 1)]
        self._scales: dict[Fraction, int] = {}
        self._bars = np.zeros((0, LEAP))
        self._steps: dict[tuple[int, int], tuple[Fraction, float]] = {}

    def measure(
        self, nodes: Nodes, which: Ints, share: Fraction, into: NoisyCounts, step: str
    ) -> None:
        """Publish the counts of some nodes, and write them down."""
        values, scale = self.kernel.measure(nodes, which, share, step, _HOW[step])
        into.scale[which] = self._scales.setdefault(scale, len(self._scales))
        for place, value in zip(into.value, values):
            place[which] = value

    def step(self, number: int, kind: int) -> tuple[Fraction, float]:
        """Return what a step costs of an amount that is left, and the variance of its noise.

        The same few are asked for at every depth, and fractions take their time.
        """
        if (number, kind) not in self._steps:
            share = self.budget.step(self.kernel.amounts[number], kind)
            self._steps[number, kind] = share, self.budget.variance(share)
        return self._steps[number, kind]

    def bars(self) -> Floats:
        """Return counts from which each kind of step pays, for every amount that can be left."""
        new = [self.budget.bars(amount) for amount in self.kernel.amounts[len(self._bars) :]]
        if new:
            self._bars = np.concatenate([self._bars, new])
        return self._bars.T

    def finish(self) -> tuple[Tree, list[Measurements]]:
        """Return the tree, and what was measured in each group."""
        grown = [depth for depth in self.published if depth.split]
        splits = [concatenate_and_free([depth.split], np.bool_) for depth in grown[1:]]
        tree = Tree(self.frame, splits)
        start = 0
        for depth in grown:
            for node, length in zip(depth.node, depth.length):
                node += start
                start += length
        node = concatenate_and_free([depth.node for depth in grown], np.int32)
        scale = concatenate_and_free([depth.scale for depth in grown], np.int16)
        by_group = []
        for group in range(self.budget.groups):
            value = concatenate_and_free([depth.value[group] for depth in grown], np.int64)
            by_group.append(Measurements(node, value, scale, list(self._scales)))
        return tree, by_group


def _steps(growth: _Growth, nodes: GrowingNodes) -> SignedInts:
    """Return the kind of step that pays for each node; -1 for nodes that are final."""
    rest, most = nodes.nodes.rest, growth.frame.depth - nodes.nodes.depth
    first, *higher = growth.bars()
    pays = nodes.count >= first.take(rest)
    steps: SignedInts = pays.astype(np.int16)
    above = np.flatnonzero(pays)
    for bar in higher:  # bars rise: what is below one is below those that follow
        above = above[nodes.count[above] >= bar.take(rest[above])]
        steps[above] += 1
    np.minimum(steps, most, out=steps)
    steps[nodes.passed] = _LANDS
    steps[rest == 0] = -1
    return steps


def _deeper(growth: _Growth, parents: GrowingNodes, steps: SignedInts) -> GrowingNodes:
    """Measure what the decisions ask for, and return the nodes of the next depth."""
    kernel, budget = growth.kernel, growth.budget
    pays = steps > 0
    split = np.flatnonzero(pays)
    order = np.cumsum(pays, dtype=np.int64) - 1  # position among those that are split
    kinds = list(_grouped(parents.nodes.rest * _KINDS + steps, steps >= 0))
    nodes = kernel.split(parents.nodes, split)
    again, first = (NoisyCounts(budget.groups, len(some)) for some in (parents, nodes))
    variance = np.zeros(len(split))  # of the children of each node that is split
    supported, passed = nodes.supported, np.zeros(len(nodes), dtype=np.bool_)
    for kind, where in kinds:
        number, step = divmod(kind, _KINDS)
        if step == LEAP:
            passed[_positions(order[where])] = True
            continue
        share, noise = growth.step(number, min(step, LEAP))
        if step == 0:
            growth.measure(parents.nodes, where, share, again, "tree")
            continue
        family = order[where]
        variance[family] = noise
        child = _positions(family)
        if growth.frame.domain.within is not None:
            child = child[supported[child]]  # where no records can be, the count is 0 for certain
        growth.measure(nodes, child, share, first, "tree")
    growth.published[parents.nodes.depth].take(parents, steps, again)
    if nodes.depth == growth.frame.depth:  # base cells cannot be split
        return GrowingNodes(nodes, first, *(np.broadcast_to(0.0, len(nodes)),) * 2, passed)
    every = np.repeat(variance, 4) * supported
    above = parents.count[split], parents.variance[split]
    landed = np.flatnonzero(parents.passed[split])
    leaps = parents.nodes.codes[split[landed]] >> 2  # one leap for four siblings
    count, known = adjusted(*above, first.sums(), every, landed, leaps)
    passed &= supported
    where = np.flatnonzero(passed)
    for values, inherited in zip((count, known), above):
        values[where] = inherited[where >> 2]
    return GrowingNodes(nodes, first, count, known, passed)


def _positions(families: Ints) -> Ints:
    """List the positions of the children of families of four."""
    children = np.empty((len(families), 4), dtype=families.dtype)
    children[:, 0] = families * 4
    for child in range(1, 4):
        np.add(children[:, 0], child, out=children[:, child])
    return children.ravel()


def _grouped(kinds: SignedInts, some: Bools) -> Iterator[tuple[int, Ints]]:
    """List each kind that occurs among some nodes, and where these are."""
    where = np.flatnonzero(some)
    kind = kinds[where]
    where = where[np.argsort(kind, kind="stable")]  # numbers of 16 bits are sorted fast
    cuts = np.cumsum(np.bincount(kind)).tolist()
    for number, (start, stop) in enumerate(zip([0, *cuts], cuts)):
        if stop > start:
            yield number, where[start:stop]


def adjusted(
    parent: Floats,
    known: Floats,
    value: Ints | Floats,
    variance: Floats,
    landed: Ints | None = None,
    leaps: SignedInts | None = None,
) -> tuple[Floats, Floats]:
    """Return counts of children for decisions: measured, adjusted to what the parent has.

    With k children measured as y of variance u and a parent z of variance v:
    ``g = u / (k·u + v)``, ``z_c = y_c + (z - Σy)·g`` and ``v_c = u·(1 - g)``. Of four children,
    those where no records can be are known to be 0: they have no variance, and get nothing.

    Families with a leap above them, which are at the positions ``landed``, have the count of their
    parents' parent: those of one leap, which have one number in ``leaps``, are one family.
    """
    noise, sums = _by_four(variance), _by_four(value)
    if landed is not None and leaps is not None and len(landed):
        starts = np.flatnonzero(np.diff(leaps, prepend=-1))
        lengths = np.diff(starts, append=len(leaps))
        for values in (noise, sums):
            values[landed] = np.repeat(np.add.reduceat(values[landed], starts), lengths)
    part = variance / np.repeat(noise + known, 4)
    return value + np.repeat(parent - sums, 4) * part, variance * (1 - part)


def _by_four(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Add up each four: columns are added much faster than rows so short are summed."""
    first, second, third, fourth = values.reshape(-1, 4).T
    return np.asarray((first + second) + (third + fourth))
