"""Growing a tree of cells privately: spend a little, look, and go on where it pays.

This is the privacy boundary of a tree of cells. True counts are read in one place,
:func:`_measured`, which adds noise at once; all else sees published numbers. A node carries what is
left of its path's budget, and whatever it spends is taken off that, in exact fractions.

Why it is private: a record lies in one node of each depth, and the parts that are spent along the
path of these nodes add up to ε, whatever the structure; nodes of one depth are disjoint, so that a
record moves one count of each (parallel composition); and what is measured next depends on
published numbers alone (adaptive composition). Neighbours that differ by k records get k times the
noise. docs/privacy.md, claim 11, has the proof; tests/core/test_tree_privacy.py has the exact odds.

Decisions are made from published numbers, so no promise depends on how they are rounded. They are
the same on every machine all the same: adjusted counts are float64 results of single additions,
multiplications and divisions, which IEEE 754 defines to the bit, and are compared with exact
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints, SignedInts, freeze
from ..counts.tree_tally import BaseTally
from ..kernel.measurements import Measurements
from ..privacy.noise import RandomBits, laplace_noise
from ..space.tree import Tree
from .growth_state import GrowingNodes, NoisyCounts, Published, concatenate_and_free
from .tree_budget import Amounts, TreeBudget

_AT_ONCE = 1 << 17
"""Nodes of one depth that are looked at together. Of more, one part is grown to the end after the
other: what is not yet published takes little memory, however large the tree."""


def grow(
    tally: BaseTally, budget: TreeBudget, bits: RandomBits, noise: str = "geodp"
) -> tuple[Tree, Measurements]:
    """Grow a tree and measure its nodes: ε-differentially private. Private in, public out.

    Parameters
    ----------
    tally : BaseTally
        True counts.
    budget : TreeBudget
        What may be spent.
    bits : RandomBits
        Source of randomness.
    noise : {"geodp", "opendp"}
        Whose sampler draws the noise.

    Returns
    -------
    tree, measurements
        The final cells, and the noisy counts that led to them.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> tally = BaseTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070")))
    >>> tally.add(np.full(1000, 0.1), np.full(1000, 0.1))
    >>> tree, measurements = grow(tally, TreeBudget.of(1), RandomBits(seed=1))
    >>> len(tree) > 16
    True
    """
    if not isinstance(tally, BaseTally):
        raise InputError("growing a tree needs a tally of a frame's base lattice.")
    tree, (measurements,) = grow_layers([tally], budget, [bits], noise)
    return tree, measurements


def grow_layers(
    tallies: Sequence[BaseTally],
    budget: TreeBudget,
    bits: Sequence[RandomBits],
    noise: str = "geodp",
) -> tuple[Tree, list[Measurements]]:
    """Grow one tree for several layers, in each of which every node of it is measured.

    A record is in one layer, so measuring a node in all of them costs what one of them does. What
    is split is decided from the sums over the layers: where it pays in a layer of mean size.

    Parameters
    ----------
    tallies : sequence of BaseTally
        True counts of each layer.
    budget : TreeBudget
        What may be spent, on all layers together.
    bits : sequence of RandomBits
        Source of randomness for each layer.
    noise : {"geodp", "opendp"}
        Whose sampler draws the noise.
    """
    assert len(tallies) == len(bits) == budget.layers
    amounts = Amounts(budget)
    draw = _Draw(tuple(tallies), budget, tuple(bits), noise)
    nodes = _whole(draw)
    draw.published[0].take(nodes, np.ones(1, dtype=np.int16), nodes.first)
    _grow(draw, 1, _root(draw, amounts), amounts)
    return draw.all()


def _whole(draw: _Draw) -> GrowingNodes:
    """The domain, measured."""
    first, nothing = NoisyCounts(len(draw.tallies), 1), np.zeros(1, dtype=np.int32)
    draw.measured(0, nothing, draw.budget.total, first, nothing)
    return GrowingNodes(
        nothing, np.ones(1, dtype=np.bool_), first, nothing, np.zeros(1), np.zeros(1)
    )


def _root(draw: _Draw, amounts: Amounts) -> GrowingNodes:
    """The root cells, measured."""
    frame, budget = draw.frame, draw.budget
    code = np.arange(frame.children(0), dtype=np.int32)
    supported = frame.supported_codes(1, code)
    first, count = NoisyCounts(len(draw.tallies), len(code)), np.zeros(len(code))
    there = np.flatnonzero(supported)
    count[there] = draw.measured(1, code[there], budget.root, first, there)
    rest = np.where(supported, amounts.number(budget.rest), 0).astype(np.int16)
    variance = np.where(supported, budget.variance(budget.root), 0.0)
    return GrowingNodes(code, supported, first, rest, count, variance)


def _grow(draw: _Draw, depth: int, nodes: GrowingNodes, amounts: Amounts) -> None:
    """Measure and split all that is to be measured and split at some nodes and below."""
    while len(nodes.code):
        if len(nodes.code) > _AT_ONCE:
            for start in range(0, len(nodes.code), _AT_ONCE):
                _grow(draw, depth, nodes.part(slice(start, start + _AT_ONCE)), amounts)
            return
        halvings = _halvings(nodes, amounts, draw.frame.depth - depth)
        nodes = _deeper(draw, depth, nodes, halvings, amounts)
        depth += 1


class _Draw:
    """Where noisy counts come from, and where they are written down."""

    def __init__(
        self,
        tallies: tuple[BaseTally, ...],
        budget: TreeBudget,
        bits: tuple[RandomBits, ...],
        noise: str,
    ) -> None:
        self.tallies, self.budget, self.bits, self.noise = tallies, budget, bits, noise
        self.frame = tallies[0].frame
        self.published = [Published(len(tallies)) for _ in range(self.frame.depth + 1)]
        self._scales: dict[Fraction, int] = {}

    def measured(
        self, depth: int, code: SignedInts, share: Fraction, into: NoisyCounts, place: SignedInts
    ) -> Ints:
        """Publish the counts of nodes of one depth at the cost of a share for each path.

        They are written down in their places. Returns their sums over the layers.
        """
        scale = self.budget.scale(share)
        into.scale[place] = self._scales.setdefault(scale, len(self._scales))
        whole: Ints | int = 0
        for values, tally, bits in zip(into.value, self.tallies, self.bits):
            value = _measured(tally, code, depth, scale, bits, self.noise)
            values[place] = value
            whole = value + whole if len(self.tallies) > 1 else value
        return np.asarray(whole)

    def all(self) -> tuple[Tree, list[Measurements]]:
        """The tree, and what was measured in each layer."""
        grown = [depth for depth in self.published if depth.split]
        tree = Tree(
            self.frame, [concatenate_and_free(depth.split, np.bool_) for depth in grown[1:]]
        )
        first = concatenate_and_free([part for depth in grown for part in depth.first], np.bool_)
        node = np.cumsum(first, dtype=np.int32)
        node -= 1
        if self.frame.domain.within is not None:  # of nodes where no records can be there is none
            there = np.flatnonzero(np.concatenate([level.supported for level in tree.levels]))
            node = there.astype(np.int32)[node]
        node = freeze(node)
        scale = concatenate_and_free([part for depth in grown for part in depth.scale], np.int16)
        made = []
        for layer in range(len(self.tallies)):
            value = concatenate_and_free(
                [part for depth in grown for part in depth.value[layer]], np.int64
            )
            made.append(Measurements(node, value, scale, list(self._scales)))
        return tree, made


def _measured(
    tally: BaseTally, code: SignedInts, depth: int, scale: Fraction, bits: RandomBits, noise: str
) -> Ints:
    """True counts with noise of their own: the only place where a count is read."""
    return np.asarray(tally.counts(code, depth) + laplace_noise(scale, len(code), bits, noise))


def _halvings(nodes: GrowingNodes, amounts: Amounts, most: int) -> SignedInts:
    """How many halvings pay for each node, 3 for more; -1 for nodes that are final already."""
    found = np.zeros(len(nodes.code), dtype=np.int16)
    for bar in np.array(amounts.bars).T:
        found += nodes.count >= bar.take(nodes.rest)
    np.minimum(found, most, out=found)
    found[nodes.rest == 0] = -1
    return found


def _deeper(
    draw: _Draw, depth: int, nodes: GrowingNodes, halvings: SignedInts, amounts: Amounts
) -> GrowingNodes:
    """Measure what the decisions ask for, and return the nodes of the next depth."""
    split = np.flatnonzero(halvings > 0)
    order = np.cumsum(halvings > 0, dtype=np.int32) - 1  # position among those that are split
    code = _children(nodes.code[split])
    supported = draw.frame.supported_codes(depth + 1, code)
    again, first = (NoisyCounts(len(draw.tallies), len(some)) for some in (nodes.code, code))
    rest = np.zeros(len(code) // 4, dtype=np.int16)  # of the children of each node that is split
    variance = np.zeros(len(rest))
    value = np.zeros(len(code), dtype=np.int64)
    for tally in draw.tallies:
        tally.prepare(code, depth + 1)
    for kind, where in _grouped(nodes.rest * 4 + halvings, halvings >= 0):
        number, pays = divmod(kind, 4)
        share, left = draw.budget.step(amounts.listed[number], pays)
        if pays == 0:
            draw.measured(depth, nodes.code[where], share, again, where)
            continue
        family = order[where]
        rest[family] = amounts.number(left)
        variance[family] = draw.budget.variance(share)
        child = _children(family)
        if draw.frame.domain.within is not None:
            child = child[supported[child]]  # where no records can be, the count is 0 for certain
        value[child] = draw.measured(depth + 1, code[child], share, first, child)
    draw.published[depth].take(nodes, halvings, again)
    rests = np.repeat(rest, 4) * supported
    if depth + 1 == draw.frame.depth:  # of base cells nothing is to be decided
        return GrowingNodes(code, supported, first, rests, *(np.broadcast_to(0.0, code.shape),) * 2)
    every = np.repeat(variance, 4) * supported
    count, known = adjusted(nodes.count[split], nodes.variance[split], value, every)
    return GrowingNodes(code, supported, first, rests, count, known)


def _children(code: SignedInts) -> SignedInts:
    """Codes of the children of nodes, or their positions."""
    found = np.empty((len(code), 4), dtype=code.dtype)
    for child in range(4):
        found[:, child] = code * 4 + child
    return found.ravel()


def _grouped(kinds: SignedInts, some: Bools) -> Iterator[tuple[int, Ints]]:
    """Each kind that occurs among some nodes, and where these are."""
    where = np.flatnonzero(some)
    kind = kinds[where]
    where = where[np.argsort(kind, kind="stable")]  # numbers of 16 bits are sorted fast
    cuts = np.cumsum(np.bincount(kind)).tolist()
    for number, (start, stop) in enumerate(zip([0, *cuts], cuts)):
        if stop > start:
            yield number, where[start:stop]


def adjusted(
    parent: Floats, known: Floats, value: Ints | Floats, variance: Floats
) -> tuple[Floats, Floats]:
    """Counts of children for decisions: measured ones, adjusted to what is known of the parent.

    With k children measured as y of variance u and a parent z of variance v:
    ``g = u / (k·u + v)``, ``z_c = y_c + (z - Σy)·g`` and ``v_c = u·(1 - g)``. Of four children,
    those where no records can be are known to be 0: they have no variance, and get nothing.
    """
    part = variance / np.repeat(_by_four(variance) + known, 4)
    missing = parent - _by_four(value)
    return value + np.repeat(missing, 4) * part, variance * (1 - part)


def _by_four(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Sums of each four: columns are added much faster than rows so short are summed."""
    first, second, third, fourth = values.reshape(-1, 4).T
    return np.asarray((first + second) + (third + fourth))
