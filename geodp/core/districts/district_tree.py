"""A tree of cells that is rooted in districts: which nodes were split, and the final cells. Public.

Nodes of a depth are in the order of their codes, as in any tree; families are of unlike size.
"""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..common.compact import unzipped
from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints, freeze
from ..space.tree import CHANGED, Level, Tree
from .district_frame import DistrictFrame

_EVERY = np.zeros(1, dtype=np.int64)


class DistrictLevel(Level):
    """The nodes of one depth; see :class:`~geodp.core.space.tree.Level`.

    Attributes
    ----------
    share : ndarray of float
        Part of a node's box that its district fills.
    """

    def __init__(
        self, frame: DistrictFrame, first: int, code: Ints, parent: Ints, split: Bools
    ) -> None:
        self.first, self.split = first, freeze(split)
        self.code, self.parent = freeze(code), freeze(parent)
        self.share = freeze(np.array(frame.shares(code)))
        self.supported = freeze(frame.supported_codes(0, code))


class DistrictTree(Tree):
    """Final cells of a tree that is rooted in districts.

    Parameters
    ----------
    frame : DistrictFrame
        The public tree.
    splits : sequence of ndarray of bool
        For every depth from 1, whether each node was split.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from .districts import DistrictMap
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
    >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
    >>> frame = DistrictFrame(towns, Domain((0, 0, 2, 1), crs="EPSG:5070"))
    >>> tree = DistrictTree(frame, [[True, False], [False] * 4])
    >>> tree, tree.bounds[-1]
    (Tree(5 cells down to depth 2), array([1., 0., 2., 1.]))
    """

    frame: DistrictFrame  # type: ignore[assignment]
    levels: tuple[DistrictLevel, ...]

    def __init__(self, frame: DistrictFrame, splits: Sequence[Any]) -> None:
        self.frame = frame
        self._fan_out: list[Ints] = []
        levels = [_root_level()]
        for given in splits:
            split = np.asarray(given, dtype=np.bool_)
            levels.append(self._below(levels, split))
        if len(levels) < 2 or levels[-1].split.any():
            raise InputError("a tree must end with a depth at which no node is split.")
        self._fan_out.append(np.zeros(0, dtype=np.int64))
        self.levels = tuple(levels)

    def _below(self, levels: list[DistrictLevel], split: Bools) -> DistrictLevel:
        """Return the children of what was split at the last depth, and which of them are split."""
        above = levels[-1]
        parents = np.flatnonzero(above.split)
        code, fan_out = self.frame.child_codes(len(levels) - 1, above.code[parents])
        if not len(code) or split.shape != code.shape:
            raise InputError(
                f"a tree needs a flag for each of the {len(code):,} nodes at depth {len(levels)}, "
                f"and must end with the first depth at which no node is split; got {split.shape}."
            )
        first = above.first + len(above)
        level = DistrictLevel(self.frame, first, code, np.repeat(parents, fan_out), split)
        if (split & ~(level.supported & self.frame.can_split(code))).any():
            raise InputError("no node of a tree may be split that has nothing below it.")
        if (np.bincount(level.parent, level.supported, minlength=len(above))[parents] == 0).any():
            raise InputError("no node of a tree may be split where no records can be.")
        self._fan_out.append(fan_out)
        return level

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistrictTree) and super().__eq__(other)

    __hash__ = Tree.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return DistrictTree, (self.frame, [level.split for level in self.levels[1:]])

    def fan_out(self, depth: int) -> Ints:
        """Return how many children each node has that was split at a depth."""
        return self._fan_out[depth]

    @cached_property
    def _starts(self) -> list[Ints]:
        return [np.cumsum(children) - children for children in self._fan_out]

    def family_start(self, depth: int) -> Ints:
        """Place of the first child of each node that was split at a depth, at the next one."""
        return self._starts[depth]

    def family_sums(self, depth: int, values: Any) -> Any:
        return np.add.reduceat(values, self._starts[depth], axis=-1)

    def to_children(self, depth: int, values: Any) -> Any:
        return np.repeat(values, self._fan_out[depth])

    @cached_property
    def _cells(self) -> tuple[tuple[Ints, Ints], ...]:
        final_nodes = [np.flatnonzero(~level.split & level.supported) for level in self.levels]
        starts = [
            self.frame.spans(level.code[final])[0] if depth else final
            for depth, (level, final) in enumerate(zip(self.levels, final_nodes))
        ]
        number = np.empty(sum(map(len, final_nodes)), dtype=np.int64)
        number[np.argsort(np.concatenate(starts))] = np.arange(len(number))
        return tuple(
            zip(final_nodes, np.split(number, np.cumsum(list(map(len, final_nodes)))[:-1]))
        )

    @cached_property
    def cell_code(self) -> Ints:
        """Return the code of each final cell's node; read-only."""
        return np.asarray(self.at_cells([level.code for level in self.levels]))

    @cached_property
    def cell_share(self) -> Floats:
        """Return the part of each final cell's box that its district fills; read-only."""
        return np.asarray(self.at_cells([level.share for level in self.levels]))

    @cached_property
    def cell_start(self) -> Ints:
        return self.frame.spans(self.cell_code)[0]

    def node_bounds(self, depth: int, position: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        if depth == 0:
            low_x, low_y, high_x, high_y = np.array([self.frame.districts.bounds]).T[:, _EVERY]
            return low_x, low_y, high_x, high_y
        west, south, east, north = self.frame.bounds(self.levels[depth].code[position]).T
        return west, south, east, north

    @cached_property
    def bounds(self) -> Floats:
        return freeze(self.frame.bounds(self.cell_code))

    @cached_property
    def areas(self) -> tuple[Floats, ...]:
        """Return for each depth the areas of nodes; read-only."""
        areas = [freeze(self.frame.areas(level.code)) for level in self.levels[1:]]
        return (freeze(np.array([self.frame.districts.areas.sum()])), *areas)

    @cached_property
    def portions(self) -> tuple[Floats, ...]:
        parts = [np.ones(1)]
        for depth in range(1, len(self.levels)):
            part = self._parts_of_family(depth, self.areas[depth])
            if self.frame.domain.within is not None:
                weight = self.frame.weights(self.levels[depth].code)
                known = self.family_sums(depth - 1, weight) > 0
                by_weight = self._parts_of_family(depth, weight)
                part = np.where(self.to_children(depth - 1, known), by_weight, part)
            parts.append(part)
        return tuple(map(freeze, parts))

    def _parts_of_family(self, depth: int, size: Floats) -> Floats:
        """Return the part that each node of a depth has of its family's size; of none, nothing."""
        total = self.to_children(depth - 1, self.family_sums(depth - 1, size))
        return np.asarray(size / np.where(total > 0, total, 1.0))

    def locate(self, x: Floats, y: Floats) -> Ints:
        """Find the final cell of each point; -1 in no district, and next to the outside."""
        place = np.full(len(x), -1, dtype=np.int64)
        code, inside = self.frame.base_codes(x, y)
        cell = np.maximum(np.searchsorted(self.cell_start, code, side="right") - 1, 0)
        stop = self.frame.spans(self.cell_code)[1]
        place[inside] = np.where(code < stop[cell], cell, -1)
        return place

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, frame: DistrictFrame, most: int = 1 << 28
    ) -> DistrictTree:
        """Read the text of :meth:`to_text`, and refuse one that is no tree on the frame."""
        try:
            packed = np.frombuffer(unzipped(text, most // 8 + 8), dtype=np.uint8)
        except (ValueError, binascii.Error, zlib.error):
            raise InputError(CHANGED) from None
        flags = np.unpackbits(packed).astype(np.bool_)
        splits: list[Bools] = []
        start = 0
        code, _ = frame.child_codes(0, _EVERY)
        while len(code):
            split = flags[start : start + len(code)]
            if len(split) < len(code) or len(splits) > frame.deepest:
                raise InputError(CHANGED)
            splits.append(split)
            start += len(code)
            if not split.any():
                break
            code, _ = frame.child_codes(len(splits), code[split])
        if flags[start:].any() or (start + 7) // 8 != len(packed):
            raise InputError(CHANGED)
        return cls(frame, splits)


def _root_level() -> DistrictLevel:
    """Return the layer itself, which was split."""
    level = DistrictLevel.__new__(DistrictLevel)
    level.first, level.split = 0, freeze(np.ones(1, dtype=np.bool_))
    level.code = level.parent = freeze(np.zeros(1, dtype=np.int64))
    level.share, level.supported = freeze(np.ones(1)), freeze(np.ones(1, dtype=np.bool_))
    return level
