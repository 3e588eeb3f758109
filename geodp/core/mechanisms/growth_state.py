"""Nodes while a tree grows: what was published of them, in each group. Public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints, SignedInts, freeze
from ..kernel.kernel import Kernel, Nodes


class NoisyCounts:
    """Published counts of some nodes in each group, and which scale their noise has."""

    def __init__(self, groups: int, nodes: int) -> None:
        self.value: Ints = np.zeros((groups, nodes), dtype=np.int64)
        self.scale: SignedInts = np.zeros(nodes, dtype=np.int16)

    def sums(self) -> Ints:
        """Return sums over the groups."""
        return np.asarray(self.value[0] if len(self.value) == 1 else self.value.sum(axis=0))


@dataclass
class GrowingNodes:
    """Nodes of one depth while the tree grows, in the order of their codes.

    Nodes where no records can be are among them and are never measured. ``count`` is the count for
    decisions, ``variance`` its own. Nodes that a leap passes over are not measured either, and have
    the count of their parent.
    """

    nodes: Nodes
    first: NoisyCounts
    count: Floats
    variance: Floats
    passed: Bools

    @property
    def measured(self) -> Bools:
        """Tell which of the nodes were measured."""
        return self.nodes.supported & ~self.passed

    def __len__(self) -> int:
        return len(self.nodes)

    def part(self, kernel: Kernel, start: int, stop: int) -> GrowingNodes:
        which, nodes = slice(start, stop), kernel.part(self.nodes, start, stop)
        first = NoisyCounts(len(self.first.value), 0)
        first.value, first.scale = self.first.value[:, which], self.first.scale[which]
        known = self.count[which], self.variance[which], self.passed[which]
        return GrowingNodes(nodes, first, *known)


class DepthMeasurements:
    """All that was published about one depth, in the order of codes, part after part."""

    def __init__(self, groups: int) -> None:
        self.split: list[Bools] = []
        self.length: list[int] = []
        self.node: list[SignedInts] = []  # position in its part
        self.scale: list[SignedInts] = []
        self.value: list[list[SignedInts]] = [[] for _ in range(groups)]

    def take(self, grown: GrowingNodes, steps: SignedInts, again: NoisyCounts) -> None:
        """Take in nodes of which all is known; some were measured again, after the first time."""
        # Listing positions is faster than indexing with a mask without a pattern.
        measured = np.flatnonzero(_pairs(grown.measured, steps == 0))
        self.split.append(steps > 0)
        self.length.append(len(grown))
        self.node.append((measured >> 1).astype(np.int32))
        self.scale.append(_pairs(grown.first.scale, again.scale).take(measured))
        for parts, once, more in zip(self.value, grown.first.value, again.value):
            parts.append(_narrow(_pairs(once, more).take(measured)))


def _pairs(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the values of two arrays by turns."""
    pairs = np.empty((len(first), 2), dtype=first.dtype)
    pairs[:, 0], pairs[:, 1] = first, second
    return pairs.ravel()


def _narrow(values: Ints) -> SignedInts:
    """Return the same numbers in 32 bits, where they fit: there may be millions."""
    small = values.astype(np.int32)
    return small if np.array_equal(small, values) else values


def concatenate_and_free(lists: list[list[Any]], dtype: Any) -> Any:
    """Return all parts of some lists as one array, which takes their place in memory."""
    joined = np.empty(sum(len(part) for parts in lists for part in parts), dtype=dtype)
    start = 0
    for parts in lists:
        while parts:
            part = parts.pop(0)
            joined[start : start + len(part)] = part
            start += len(part)
    return freeze(joined)
