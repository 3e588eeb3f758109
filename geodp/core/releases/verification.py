"""Add ε up again from a published release, without trusting what it says of itself.

Every published count names the scale of its noise. A count with noise of scale s costs
``distance / s``, and a record is in one cell of a grid, and in one node of each depth of a tree: so
what was spent around it is a sum along a path, in exact fractions. A choice among grids, and the
sketch before it, leave no number in a file; what they cost can only be repeated as it is stated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..common.types import Ints
from ..kernel.measurements import Measurements
from ..privacy.budget import total
from ..space.levels import Levels
from ..space.tree import Tree
from .published import Published
from .release_set import open_release

_WITHOUT_TRACE = ("sketch", "tuning")
"""Steps whose numbers are not in a file."""


@dataclass(frozen=True, repr=False)
class Verification:
    """Compare the ε that a release states with what its own numbers add up to.

    Attributes
    ----------
    stated : Fraction
        ε that the release promises.
    recomputed : Fraction
        The most that the noise on its counts costs around any one record.
    without_trace : Fraction
        What it says that steps cost which leave no number behind.
    counts : int
        Published counts that were looked at.
    unit : str
        What is protected, in words.
    seeded : bool
        Whether it was made with a fixed seed, and so promises nothing.
    """

    stated: Fraction
    recomputed: Fraction
    without_trace: Fraction
    counts: int
    unit: str
    seeded: bool

    def __repr__(self) -> str:
        spent = self.recomputed + self.without_trace
        return f"Verification(stated={self.stated}, spent={spent}, holds={self.holds})"

    @property
    def holds(self) -> bool:
        """Tell whether the sum of all costs is at most what is promised."""
        return not self.seeded and self.recomputed + self.without_trace <= self.stated

    def __str__(self) -> str:
        lines = [
            f"Promised: ε = {_number(self.stated)} for {self.unit}.",
            f"Noise on {self.counts:,} published counts, along the costliest path: "
            f"{_number(self.recomputed)}.",
        ]
        if self.without_trace:
            lines.append(
                f"Choice of the cells, as stated (it leaves no number in a file): "
                f"{_number(self.without_trace)}."
            )
        total = _number(self.recomputed + self.without_trace)
        if self.seeded:
            lines.append("Made with a seed: anyone can repeat the noise, so nothing is promised.")
        elif self.holds:
            lines.append(f"Together {total}: the numbers keep the promise.")
        else:
            lines.append(f"Together {total}: MORE than is promised.")
        return "\n".join(lines)


def verify(release: Any) -> Verification:
    """Add ε up again from what a release publishes.

    Parameters
    ----------
    release : Release, ReleaseSet, str or path
        A release, or a file that one was written to.

    Returns
    -------
    Verification
        What is stated and what was recomputed; it prints as a few sentences.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0], [200.0]), town, epsilon=1, cells="adaptive")
    >>> geodp.verify(release).holds
    True
    """
    opened = release if isinstance(release, Published) else open_release(release)
    distance = opened.method.unit.distance * opened.method.quantity.units
    cells = opened.cells
    tree = cells.tree if cells.tree is not None else cells.levels
    if cells.nodes is None:
        tree = None  # cells alone were measured
    groups = [group.measurements for group in opened.maps.values()]
    spent = max(costliest_path(group, tree, distance) for group in groups)
    hidden = total(spend for spend in opened.spends if spend.step in _WITHOUT_TRACE)
    return Verification(
        stated=opened.epsilon,
        recomputed=spent,
        without_trace=hidden,
        counts=sum(map(len, groups)),
        unit=str(opened.method.unit),
        seeded=opened.seeded,
    )


def costliest_path(
    measurements: Measurements, tree: Tree | Levels | None, distance: int
) -> Fraction:
    """Return the most that measurements cost around any one record.

    Parameters
    ----------
    measurements : Measurements
        Published counts of cells, or of the nodes of a tree.
    tree : Tree or Levels, optional
        The tree, or the units of all levels; without one the cells are disjoint.
    distance : int
        Records by which neighbouring datasets may differ, or units, where scales are in units.

    Examples
    --------
    >>> twice = Measurements([0, 0, 1], [5, 6, 7], [0, 1, 0], [Fraction(2), Fraction(4)])
    >>> costliest_path(twice, None, 1)
    Fraction(3, 4)
    """
    if not len(measurements):
        return Fraction(0)
    costs = _Costs()
    prices = [costs.number(distance / scale) for scale in measurements.scales]
    nodes = int(measurements.node[-1]) + 1 if tree is None else tree.nodes
    spent = np.zeros(nodes, dtype=np.int64)
    node, scale = measurements.node, measurements.scale
    turn = _repeats(node)
    for number in range(int(turn.max()) + 1):  # a node is measured a few times at most
        here = np.flatnonzero(turn == number)
        price = np.array(prices)[scale[here]]
        spent[node[here]] = costs.sums(spent[node[here]], price)
    if tree is not None:
        for parents, fan_out, children in _families(tree):
            spent[children] = costs.sums(np.repeat(spent[parents], fan_out), spent[children])
    occurring: list[int] = np.unique(spent).tolist()
    return max(costs.listed[number] for number in occurring)


def _families(tree: Tree | Levels) -> Iterator[tuple[Ints, Any, slice]]:
    """List, depth by depth, nodes with children, how many each has, and these."""
    if isinstance(tree, Levels):
        for depth in range(tree.depth):
            first, fan_out = tree.first_node(depth), np.diff(tree.first_children(depth))
            below = tree.first_node(depth + 1)
            yield np.arange(first, first + len(fan_out)), fan_out, _span(below, fan_out.sum())
        return
    for depth, (above, level) in enumerate(zip(tree.levels, tree.levels[1:])):
        split = np.flatnonzero(above.split) + above.first
        yield split, tree.fan_out(depth), _span(level.first, len(level))


def _span(first: int, length: int) -> slice:
    return slice(first, first + int(length))


class _Costs:
    """The few different sums that occur, each with its number."""

    def __init__(self) -> None:
        self.listed = [Fraction(0)]
        self._numbers = {Fraction(0): 0}

    def number(self, cost: Fraction) -> int:
        if cost not in self._numbers:
            self._numbers[cost] = len(self.listed)
            self.listed.append(cost)
        return self._numbers[cost]

    def sums(self, one: Ints, other: Ints) -> Ints:
        """Return the numbers of the sums of costs that are given by their numbers."""
        width = len(self.listed)
        pairs, place = np.unique(one * width + other, return_inverse=True)
        values = [self.listed[pair // width] + self.listed[pair % width] for pair in pairs.tolist()]
        numbers = np.array([self.number(value) for value in values], dtype=np.int64)
        return np.asarray(numbers[place.ravel()])


def _repeats(node: Any) -> Ints:
    """Say for each of some rising numbers how many of the same came before it."""
    first = np.searchsorted(node, node, side="left")
    return np.asarray(np.arange(len(node)) - first)


def _number(value: Fraction) -> str:
    return f"{float(value):.6g}"
