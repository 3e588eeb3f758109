"""Grow a tree that is rooted in districts: unions, districts, and cells inside of them.

A client of the kernel: everything here sees published numbers alone. The rule is that of
``growth``, with two more lines. A district that is split off a union is measured with a share of
its own, so that its count is good for itself; so is a larger unit, where there are levels. And a
family of which records can be in one child only is not measured: its count is known, and all of the
budget goes on to that child.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..common.types import Bools, Floats, Ints, SignedInts
from ..districts.district_frame import DistrictFrame
from ..districts.district_tree import DistrictTree
from ..kernel.kernel import Kernel, Nodes
from ..kernel.measurements import Measurements
from .tree_budget import BARS, STEP_SHARES, TreeBudget

DISTRICT_SHARES = (Fraction(3, 10), Fraction(1, 4), Fraction(3, 20))
"""Part of what is left that a district is measured with when it is split off a union: the more
records the districts of a union hold, the less it takes for counts that are good enough, and the
more is left for cells inside of them."""

DISTRICT_BARS = (100, 1000)
"""Records of a mean district of the union, times the budget that is left, from which it is less."""

UNIT_SHARE = Fraction(3, 10)
"""The same for larger units, such as states that hold the districts."""

CELL_BARS = BARS[:3]
"""Values of count times budget from which one, two, and three or more halvings pay: leaps over a
depth gain nothing here (docs/study.md)."""

_UNIT = 4
"""Place of larger units among districts of few records and of many."""

_HOW = {
    "total": "discrete Laplace noise",
    "root": "discrete Laplace noise on unions of districts",
    "tree": "discrete Laplace noise along every path",
}


def least_share(frame: DistrictFrame, share: Fraction | None) -> Fraction:
    """Return the part of ε that the last step of a path has at least, after total and root."""
    shares = DISTRICT_SHARES if share is None else (share,)
    kept = min(1 - share for share in STEP_SHARES[2:])
    larger = 0 if frame.levels is None else frame.levels.depth - 1
    left = kept**frame.deepest * (1 - max(shares)) * (1 - UNIT_SHARE) ** larger
    return min(*STEP_SHARES, *shares, UNIT_SHARE) * left


def grow_districts(
    kernel: Kernel, budget: TreeBudget, frame: DistrictFrame, share: Fraction | None = None
) -> tuple[DistrictTree, list[Measurements]]:
    """Grow one tree and measure its nodes in every group, with all of the kernel's ε.

    Parameters
    ----------
    kernel : Kernel
        True counts by base codes of the frame, in each group.
    budget : TreeBudget
        How ε is divided along a path.
    frame : DistrictFrame
        Where the tree may grow.
    share : Fraction, optional
        Part of what is left for a district that is split off a union; by default it depends on
        how many records the districts of the union seem to hold.

    Returns
    -------
    tree, measurements
        The final cells, and the noisy counts that led to them, group by group.
    """
    growth = _Growth(kernel, budget, frame, share)
    every = np.zeros(1, dtype=np.int64)
    count = growth.measure(kernel.domain, every, budget.total, "total").astype(np.float64)
    variance = np.array([budget.variance(budget.total)])
    nodes, halvings = kernel.domain, np.full(1, 3, dtype=np.int64)
    while True:
        split = np.flatnonzero(halvings > 0)
        growth.splits.append(halvings > 0)
        if not len(split):
            break
        nodes, count, variance = growth.deeper(nodes, split, halvings, count, variance)
        halvings = growth.halvings(nodes, count)
        growth.measure_again(nodes, halvings)
    return growth.finish()


class _Growth:
    """Ask the kernel what growing a tree takes, and write the answers down."""

    def __init__(
        self, kernel: Kernel, budget: TreeBudget, frame: DistrictFrame, share: Fraction | None
    ) -> None:
        self.kernel, self.budget, self.frame = kernel, budget, frame
        self.shares = DISTRICT_SHARES if share is None else (share,) * len(DISTRICT_SHARES)
        self.splits: list[Bools] = []
        self._first = 0  # number of the first node of the depth that is looked at
        self._scales: dict[Fraction, int] = {}
        self._node: list[Ints] = []
        self._scale: list[SignedInts] = []
        self._value: list[list[Ints]] = [[] for _ in range(budget.groups)]
        self._bars: list[list[float]] = []

    def measure(self, nodes: Nodes, which: Ints, share: Fraction, step: str) -> Ints:
        """Publish the counts of some nodes, write them down, and return sums over the groups."""
        values, scale = self.kernel.measure(nodes, which, share, step, _HOW[step])
        number = self._scales.setdefault(scale, len(self._scales))
        self._node.append(self._first + which)
        self._scale.append(np.full(len(which), number, dtype=np.int16))
        for parts, value in zip(self._value, values):
            parts.append(value)
        return np.asarray(values[0] if len(values) == 1 else sum(values))

    def deeper(
        self, parents: Nodes, split: Ints, halvings: Ints, count: Floats, variance: Floats
    ) -> tuple[Nodes, Floats, Floats]:
        """Split nodes, measure their children, and return these with counts for decisions."""
        kernel, root = self.kernel, parents.depth == 0
        rest = parents.rest[split].astype(np.int64)
        _, fan_out = self.frame.child_codes(parents.depth, parents.codes[split])
        unions = np.ones(1, dtype=np.bool_) if root else self.frame.is_union(parents.codes[split])
        nodes = kernel.split(parents, split)
        self._first += len(parents)
        family = np.repeat(np.arange(len(split)), np.broadcast_to(fan_out, len(split)))
        supported = nodes.supported
        several = np.bincount(family, supported, minlength=len(split)) > 1
        measured = supported & several[family]
        # Nodes that are measured alike: by what is left, how many halvings pay, and whether a
        # district is split off a union, of districts with few records or with many, or a unit.
        off = unions[family] & self.frame.is_unit(nodes.codes)
        filled = 1 + self._filled(parents.depth, parents.codes[split], rest, count[split])
        named = np.where(self.frame.is_union(nodes.codes), _UNIT, filled[family])
        kind = (rest[family] * 4 + halvings[split][family]) * 8 + np.where(off, named, 0)
        value, noise = np.zeros(len(nodes)), np.zeros(len(nodes))
        for number in np.unique(kind[measured]).tolist():
            which = np.flatnonzero(measured & (kind == number))
            left, pays = kernel.amounts[number // 32], number // 8 % 4
            part = self._part(pays, number % 8, root)
            step = "root" if root else "tree"
            value[which] = self.measure(nodes, which, left * part, step)
            noise[which] = self.budget.variance(left * part)
        known, known_variance = count[split], variance[split]
        alone = supported & ~measured  # an only child has its parent's count
        with np.errstate(invalid="ignore"):
            part_of_gap = noise / (_sums(family, noise, len(split)) + known_variance)[family]
        gap = known - _sums(family, value, len(split))
        adjusted = np.where(alone, known[family], value + gap[family] * part_of_gap)
        spread = np.where(alone, known_variance[family], noise * (1 - part_of_gap))
        return nodes, adjusted, spread

    def _filled(self, depth: int, codes: SignedInts, rest: Ints, count: Floats) -> Ints:
        """Say how many of the bars for districts the mean district of each union is above."""
        held = np.array([len(self.frame.order)])
        if depth:
            first, last = self.frame.ranks(codes)
            held = last - first
        left = np.array([float(amount) for amount in self.kernel.amounts])[rest]
        ones = self.budget.distance * self.budget.units * self.budget.groups
        above = [count * left >= float(bar * ones) * held for bar in DISTRICT_BARS]
        return np.asarray(np.sum(above, axis=0), dtype=np.int64)

    def _part(self, pays: int, district: int, root: bool) -> Fraction:
        """Return the part of what is left that children are measured with.

        Those that are no districts split off a union have 0 in the place of ``district``, and
        larger units a number of their own.
        """
        if pays < 2:
            return Fraction(1)
        if district == _UNIT:
            return UNIT_SHARE
        if district:
            return self.shares[district - 1]
        return (
            self.budget.root / (self.budget.root + self.budget.rest) if root else STEP_SHARES[pays]
        )

    def halvings(self, nodes: Nodes, count: Floats) -> Ints:
        """Count the halvings that pay for each node, 3 for more; -1 for nodes that are final."""
        for amount in self.kernel.amounts[len(self._bars) :]:
            self._bars.append(self.budget.bars(amount, CELL_BARS))
        rest = nodes.rest
        halvings = np.zeros(len(nodes), dtype=np.int64)
        for bar in np.array(self._bars).T:
            halvings += count >= bar.take(rest)
        halvings[~self.frame.can_split(nodes.codes)] = 0
        halvings[rest == 0] = -1
        asked = np.flatnonzero(halvings > 0)
        codes, fan_out = self.frame.child_codes(nodes.depth, nodes.codes[asked])
        if len(asked):
            supported = self.frame.supported_codes(nodes.depth + 1, codes)
            family = np.repeat(np.arange(len(asked)), fan_out)
            empty = np.bincount(family, supported, minlength=len(asked)) == 0
            halvings[asked[empty]] = 0  # what is left of it is rounding
        return halvings

    def measure_again(self, nodes: Nodes, halvings: Ints) -> None:
        """Measure nodes that do not pay to be split with all that they have left."""
        rest = nodes.rest
        for number in np.unique(rest[halvings == 0]).tolist():
            which = np.flatnonzero((halvings == 0) & (rest == number))
            self.measure(nodes, which, self.kernel.amounts[number], "tree")

    def finish(self) -> tuple[DistrictTree, list[Measurements]]:
        """Return the tree, and what was measured in each group."""
        tree = DistrictTree(self.frame, self.splits[1:])
        node, scale = np.concatenate(self._node), np.concatenate(self._scale)
        scales = list(self._scales)
        return tree, [
            Measurements(node, np.concatenate(value), scale, scales) for value in self._value
        ]


def _sums(family: Ints, values: Floats, count: int) -> Floats:
    """Add up each family in the order of nodes: the same to the bit on every machine."""
    return np.bincount(family, values, minlength=count).astype(np.float64)
