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

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Floats, Ints, Places, fixed
from .base_tally import BaseTally
from .budget import Budget, Number, Spend
from .errors import InputError
from .frame import HALVINGS
from .measurements import Measurements
from .noise import Bools, RandomBits, laplace_noise, practical_scale
from .tree import Tree

TOTAL_SHARE = Fraction(1, 100)
"""Part of ε for the count of the whole domain."""

ROOT_SHARE = Fraction(3, 20)
"""Part of the rest for the root cells."""

STEP_SHARES = (Fraction(1), Fraction(1), Fraction(1, 4), Fraction(1, 10))
"""Part of a node's remaining budget that is spent next, by the number of halvings that would pay:
none (the node itself is measured again), one (its children are), two, and three or more."""

RECORDS_PER_CELL = 3
"""Records that a final cell should hold, about, per unit of noise scale: then the noise and the
error from taking records as evenly spread are alike. Halving b times pays from ``z·r`` of
``3 · 4**(b - 1/2)``, where ``b = round(log2(sqrt(z·r / 3)))`` steps up."""

BARS = tuple(RECORDS_PER_CELL * Fraction(4) ** b / 2 for b in (1, 2, 3))
"""Values of count times budget from which one, two, and three or more halvings pay: 6, 24, 96."""


_AT_ONCE = 1 << 18
"""Nodes that are split or measured again at once; memory stays bounded, however large the tree."""


@dataclass(frozen=True)
class TreeBudget:
    """What growing a tree may spend, in exact fractions.

    Parameters
    ----------
    epsilon : Fraction
        Budget of the whole release for one protected unit.
    distance : int
        Records by which neighbours may differ, as in :class:`~geodp.core.shares.Shares`.
    layers : int
        Layers that one tree is grown for.

    Examples
    --------
    >>> budget = TreeBudget.of(1)
    >>> budget.total, budget.root, budget.rest
    (Fraction(1, 100), Fraction(297, 2000), Fraction(1683, 2000))
    >>> budget.total + budget.root + budget.rest
    Fraction(1, 1)
    """

    epsilon: Fraction
    distance: int = 1
    layers: int = 1

    def __post_init__(self) -> None:
        # Refused here if they are out of range: no step of any path has less or more.
        least = min(STEP_SHARES) * min(1 - share for share in STEP_SHARES[2:]) ** HALVINGS
        for share in (min(self.total, self.root, self.rest * least), self.rest):
            self.scale(share)

    @classmethod
    def of(cls, epsilon: Number | Budget, distance: int = 1, layers: int = 1) -> TreeBudget:
        """Take a budget as a person writes it."""
        return cls(Budget(epsilon).epsilon, distance, layers)

    @property
    def total(self) -> Fraction:
        """For the count of the whole domain."""
        return self.epsilon * TOTAL_SHARE

    @property
    def root(self) -> Fraction:
        """For the counts of the root cells."""
        return (self.epsilon - self.total) * ROOT_SHARE

    @property
    def rest(self) -> Fraction:
        """What is left to every root cell for all that follows."""
        return self.epsilon - self.total - self.root

    def scale(self, share: Fraction) -> Fraction:
        """Scale of the noise on counts that may cost ``share``."""
        return practical_scale(self.distance / share)

    def step(self, rest: Fraction, halvings: int) -> tuple[Fraction, Fraction]:
        """What a node with a remaining budget spends next, and what is left then."""
        share = rest * STEP_SHARES[halvings]
        return share, rest - share

    def bars(self, rest: Fraction) -> list[float]:
        """Counts of all layers from which one, two, and three or more halvings pay.

        They are those from which they pay in a layer of mean size. Each is the least float64 at
        or above the exact fraction, so that comparing a float64 with it is comparing with the
        fraction.
        """
        return [_at_least(bar * self.distance * self.layers / rest) for bar in BARS]

    def variance(self, share: Fraction) -> float:
        """Variance of the noise in sums over all layers, as decisions take it.

        That of Laplace noise without steps.
        """
        return float(2 * self.layers * self.scale(share) ** 2)

    def spends(self) -> tuple[Spend, ...]:
        """Each step and what it costs, in their order."""
        moved = Fraction(self.distance)
        return (
            Spend("total", "discrete Laplace noise", self.total, moved),
            Spend("root", "discrete Laplace noise on the root cells", self.root, moved),
            Spend("tree", "discrete Laplace noise along every path", self.rest, moved),
        )


def _at_least(value: Fraction) -> float:
    """The least float64 that is at or above a fraction."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


@dataclass
class _Published:
    """Measurements so far; nothing here is private."""

    node: list[Places] = field(default_factory=list)
    value: list[Ints] = field(default_factory=list)
    scale: list[Places] = field(default_factory=list)
    scales: dict[Fraction, int] = field(default_factory=dict)

    def take(self, node: Places, value: Ints, scale: Fraction) -> None:
        number = self.scales.setdefault(scale, len(self.scales))
        # There may be millions: small types take less memory.
        self.node.append(node.astype(np.int32))
        self.value.append(value)
        self.scale.append(np.full(len(node), number, dtype=np.int16))

    def all(self) -> Measurements:
        order = np.argsort(np.concatenate(self.node), kind="stable")
        node, value, scale = (_emptied(part, order) for part in (self.node, self.value, self.scale))
        return Measurements(node, value, scale, list(self.scales))


def _emptied(parts: list[Any], order: Ints) -> Any:
    """All parts as one array in some order, which takes their place in memory."""
    whole = np.concatenate(parts)
    parts.clear()
    return fixed(whole[order])


@dataclass
class _Nodes:
    """Nodes of one depth while the tree grows, in the order of their codes.

    Nodes where no records can be are among them, are never measured, and have nothing left.

    ``rest`` is what is left of each node's budget, as an index into the list of amounts: index 0 is
    nothing, and such a node is final. ``count`` is the count for decisions, ``variance`` its own.
    """

    first: int
    code: Places
    rest: Places
    count: Floats
    variance: Floats


class _Amounts:
    """The few amounts of budget that nodes can have left, each with its number; 0 is nothing."""

    def __init__(self) -> None:
        self.listed = [Fraction(0)]
        self._numbers = {Fraction(0): 0}

    def number(self, amount: Fraction) -> int:
        if amount not in self._numbers:
            self._numbers[amount] = len(self.listed)
            self.listed.append(amount)
        return self._numbers[amount]


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
    >>> from geodp.core.domain import Domain
    >>> from geodp.core.frame import Frame
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
    frame, amounts = tallies[0].frame, _Amounts()
    draw = _Draw(tuple(tallies), budget, tuple(bits), noise, [_Published() for _ in tallies])
    draw.measured(0, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), budget.total)
    code = np.arange(frame.children(0), dtype=np.int32)
    supported = frame.supported_codes(1, code)
    count = np.zeros(len(code))
    count[supported] = draw.measured(1, code[supported], 1 + code[supported], budget.root)
    rest = np.where(supported, amounts.number(budget.rest), 0).astype(np.int16)
    variance = np.where(supported, budget.variance(budget.root), 0.0)
    nodes = _Nodes(1, code, rest, count, variance)
    splits = []
    for depth in range(1, frame.depth + 1):
        halvings = _halvings(nodes, amounts, budget, frame.depth - depth)
        splits.append(halvings > 0)
        nodes = _deeper(draw, depth, nodes, halvings, amounts)
        if not len(nodes.code):
            break
    return Tree(frame, splits), [published.all() for published in draw.published]


@dataclass(frozen=True)
class _Draw:
    """Where noisy counts come from, and where they are written down."""

    tallies: tuple[BaseTally, ...]
    budget: TreeBudget
    bits: tuple[RandomBits, ...]
    noise: str
    published: list[_Published]

    def measured(self, depth: int, code: Places, node: Places, share: Fraction) -> Ints:
        """Publish the counts of nodes of one depth at the cost of a share for each path.

        Returns their sums over the layers, in each of which they are published.
        """
        scale = self.budget.scale(share)
        whole = np.zeros(len(code), dtype=np.int64)
        for tally, bits, published in zip(self.tallies, self.bits, self.published):
            value = _measured(tally, code, depth, scale, bits, self.noise)
            published.take(node, value, scale)
            whole += value
        return whole


def _measured(
    tally: BaseTally, code: Places, depth: int, scale: Fraction, bits: RandomBits, noise: str
) -> Ints:
    """True counts with noise of their own: the only place where a count is read."""
    return np.asarray(tally.counts(code, depth) + laplace_noise(scale, len(code), bits, noise))


def _halvings(nodes: _Nodes, amounts: _Amounts, budget: TreeBudget, most: int) -> Places:
    """How many halvings pay for each node, 3 for more; -1 for nodes that are final already."""
    none = [math.inf] * len(BARS)
    bars = np.array([none, *(budget.bars(amount) for amount in amounts.listed[1:])])
    found = np.zeros(len(nodes.code), dtype=np.int16)
    for bar in bars.T:
        found += nodes.count >= bar.take(nodes.rest)
    np.minimum(found, most, out=found)
    found[nodes.rest == 0] = -1
    return found


def _deeper(draw: _Draw, depth: int, nodes: _Nodes, halvings: Places, amounts: _Amounts) -> _Nodes:
    """Measure what the decisions ask for, and return the nodes of the next depth."""
    split = halvings > 0
    order = np.cumsum(split, dtype=np.int32) - 1  # position of a node among those that are split
    first = nodes.first + len(nodes.code)
    code = np.repeat(nodes.code[split] * 4, 4)
    code.reshape(-1, 4)[:] += np.arange(4, dtype=np.int32)
    supported = draw.tallies[0].frame.supported_codes(depth + 1, code)
    rest = np.zeros(len(code), dtype=np.int16)
    value = np.zeros(len(code), dtype=np.int64)
    variance = np.zeros(len(code))
    kinds = nodes.rest * 4 + halvings
    for tally in draw.tallies:
        tally.prepare(code, depth + 1)
    for kind, where in _grouped(kinds, halvings >= 0):
        number, pays = divmod(kind, 4)
        share, left = draw.budget.step(amounts.listed[number], pays)
        if pays == 0:
            draw.measured(depth, nodes.code[where], nodes.first + where, share)
            continue
        child = (order[where, None] * 4 + np.arange(4)).ravel()
        child = child[supported[child]]  # where no records can be, the count is 0 for certain
        value[child] = draw.measured(depth + 1, code[child], first + child, share)
        rest[child] = amounts.number(left)
        variance[child] = draw.budget.variance(share)
    if depth + 1 == draw.tallies[0].frame.depth:  # of base cells nothing is to be decided
        return _Nodes(first, code, rest, *(np.broadcast_to(0.0, code.shape),) * 2)
    count, known = adjusted(nodes.count[split], nodes.variance[split], value, variance)
    return _Nodes(first, code, rest, count, known)


def _grouped(kinds: Places, some: Bools) -> Iterator[tuple[int, Ints]]:
    """Each kind that occurs among some nodes, and where these are, not too many at once."""
    where = np.flatnonzero(some)
    kind = kinds[where]
    where = where[np.argsort(kind, kind="stable")]  # numbers of 16 bits are sorted fast
    cuts = np.cumsum(np.bincount(kind)).tolist()
    for number, (start, stop) in enumerate(zip([0, *cuts], cuts)):
        for first in range(start, stop, _AT_ONCE):
            yield number, where[first : min(first + _AT_ONCE, stop)]


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
