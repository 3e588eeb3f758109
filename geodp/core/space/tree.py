"""A tree of cells on a frame: which nodes were split, and the final cells that this leaves. Public.

The nodes of a depth are in the order of their codes, so the children of the j-th node that was
split come j-th at the next depth, and the split flags of all depths say everything about a tree.
"""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count, repeat
from typing import Any

import numpy as np

from ..common.compact import unzipped, zipped
from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints, SignedInts, freeze, read_only
from .frame import Frame

CHANGED = "the text of a tree must be as it was written; this one was changed."


class Level:
    """The nodes of one depth, in the order of their codes; all arrays are read-only.

    There may be millions of nodes, whose codes and places fit into 32 bits and are made when they
    are asked for: to grow a tree and to make estimates takes the split flags alone.

    Attributes
    ----------
    first : int
        Number of the first node, when the nodes of all depths are counted through.
    code : ndarray of int
        Codes of the nodes.
    row, column : ndarray of int
        Their places on the depth's lattice, rows from the south.
    parent : ndarray of int
        Positions of their parents among the nodes of the depth above.
    split : ndarray of bool
        Whether a node has children; if not, it is a final cell.
    supported : ndarray of bool
        Whether records can be there; if not, the node is no cell, and its count is 0 for certain.
    """

    def __init__(self, frame: Frame, depth: int, above: Level | None, split: Bools) -> None:
        self._frame, self._depth, self._above = frame, depth, above
        self.split: Bools = read_only(split)
        self.first: int = 0 if above is None else above.first + len(above)

    def __len__(self) -> int:
        return len(self.split)

    @cached_property
    def _parents(self) -> SignedInts:
        """Return positions of the nodes that were split at the depth above."""
        above = self._above
        return np.flatnonzero(np.ones(1) if above is None else above.split).astype(np.int32)

    def _spread(self, families: SignedInts, added: Iterable[int]) -> SignedInts:
        """Return values of the nodes: that of each family, and what its children add in turn."""
        values = np.empty(len(self), dtype=np.int32)
        fan_out = max(len(values) // len(families), 1)
        for child, more in zip(range(fan_out), added):
            values[child::fan_out] = families + more
        return freeze(values)

    def _below(self, values: SignedInts) -> SignedInts:
        """Return values of the depth above, for each family."""
        return values.take(self._parents)

    @cached_property
    def parent(self) -> SignedInts:
        return self._spread(self._parents, repeat(0))

    @cached_property
    def code(self) -> SignedInts:
        if self._above is None:
            return self.parent
        fan_out = self._frame.children(self._depth - 1)
        return self._spread(self._below(self._above.code) * fan_out, count())

    @cached_property
    def row(self) -> SignedInts:
        if self._above is None:
            return self.parent
        high, wide = self._cut
        return self._spread(self._below(self._above.row) * high, (c // wide for c in count()))

    @cached_property
    def column(self) -> SignedInts:
        if self._above is None:
            return self.parent
        _, wide = self._cut
        return self._spread(self._below(self._above.column) * wide, (c % wide for c in count()))

    @property
    def _cut(self) -> tuple[int, int]:
        """Return rows and columns of a family."""
        return self._frame.root if self._depth == 1 else (2, 2)

    @cached_property
    def supported(self) -> Bools:
        if self._frame.domain.within is None:
            return freeze(np.ones(len(self), dtype=np.bool_))
        return freeze(self._frame.supported(self._depth, self.row, self.column))


class Tree:
    """A partition of the domain into final cells, fine in some places and coarse in others.

    Parameters
    ----------
    frame : Frame
        The lattices.
    splits : sequence of ndarray of bool
        For every depth from 1, whether each node was split. Nodes come in the order of their codes;
        the last depth has no split.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 2)
    >>> tree = Tree(frame, [[False, True], [False] * 4])
    >>> tree
    Tree(5 cells down to depth 2)
    >>> tree.bounds
    array([[0., 0., 2., 4.],
           [2., 0., 3., 2.],
           [3., 0., 4., 2.],
           [2., 2., 3., 4.],
           [3., 2., 4., 4.]])
    >>> Tree.from_text(tree.to_text(), frame) == tree
    True
    """

    def __init__(self, frame: Frame, splits: Sequence[Any]) -> None:
        self.frame = frame
        self.levels: tuple[Level, ...] = _levels(frame, splits)

    def __repr__(self) -> str:
        return f"Tree({len(self):,} cells down to depth {len(self.levels) - 1})"

    def __len__(self) -> int:
        """Return the number of final cells."""
        return len(self.cell_depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self.frame == other.frame and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash((self.frame, self.to_text()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Tree, (self.frame, [level.split for level in self.levels[1:]])

    def fan_out(self, depth: int) -> Any:
        """Return how many children a node has that was split at a depth: a number, or an array."""
        return self.frame.children(depth)

    def family_sums(self, depth: int, values: Any) -> Any:
        """Sum values of nodes over each family whose parents are at a depth."""
        return values.reshape(*values.shape[:-1], -1, self.frame.children(depth)).sum(axis=-1)

    def to_children(self, depth: int, values: Any) -> Any:
        """Give values of the nodes that were split at a depth to their children."""
        return np.repeat(values, self.frame.children(depth))

    @property
    def nodes(self) -> int:
        """Return the number of nodes of all depths, the domain included."""
        return self.levels[-1].first + len(self.levels[-1])

    @cached_property
    def _cells(self) -> tuple[tuple[Ints, Ints], ...]:
        """Return by depth positions of the final cells and their numbers: codes run along them."""
        held: list[Ints] = []  # final cells at and below each node
        for depth in range(len(self.levels) - 1, -1, -1):
            here = self.levels[depth].supported.astype(np.int64)
            if held:
                fan_out = self.frame.children(depth)
                here[np.flatnonzero(self.levels[depth].split)] = _sums(held[0], fan_out)
            held.insert(0, here)
        by_depth, start = [], np.zeros(1, dtype=np.int64)
        for depth, level in enumerate(self.levels):
            if depth:
                before = np.cumsum(held[depth]) - held[depth]
                fan_out = self.frame.children(depth - 1)
                above = start[np.flatnonzero(self.levels[depth - 1].split)] - before[::fan_out]
                start = np.repeat(above, fan_out) + before
            final = np.flatnonzero(~level.split & level.supported)
            by_depth.append((final, start[final]))
        return tuple(by_depth)

    @cached_property
    def cell_node(self) -> Ints:
        """Return the node of each final cell, in the order in which codes run; read-only."""
        return np.asarray(
            self.at_cells([level.first + np.arange(len(level)) for level in self.levels])
        )

    def at_cells(self, per_level: Sequence[Any]) -> Any:
        """Return values of the final cells, out of one array of values for each depth."""
        cells = sum(len(final) for final, _ in self._cells)
        first = np.asarray(per_level[0])
        cell_values = np.empty((cells, *first.shape[1:]), dtype=np.result_type(*per_level))
        for values, (final, number) in zip(per_level, self._cells):
            cell_values[number] = values[final]
        return freeze(cell_values)

    @cached_property
    def cell_depth(self) -> Ints:
        """Return the depth of each final cell; read-only."""
        depths = [np.full(len(level), d, np.int64) for d, level in enumerate(self.levels)]
        return np.asarray(self.at_cells(depths))

    @cached_property
    def cell_start(self) -> Ints:
        """Return the code of the first base cell of each final cell, rising; read-only."""
        first = [level.code << self.frame.bits(max(d, 1)) for d, level in enumerate(self.levels)]
        return np.asarray(self.at_cells(first))

    def node_bounds(self, depth: int, position: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Return edges ``xmin, ymin, xmax, ymax`` of nodes: edges of the base lattice."""
        x, y = self.frame.lines(depth)
        column, row = self.levels[depth].column[position], self.levels[depth].row[position]
        return x[column], y[row], x[column + 1], y[row + 1]

    @cached_property
    def bounds(self) -> Floats:
        """Return edges ``xmin, ymin, xmax, ymax`` of the final cells; read-only."""
        by_depth = [
            np.stack(self.node_bounds(depth, np.arange(len(level))), axis=1)
            for depth, level in enumerate(self.levels)
        ]
        return np.asarray(self.at_cells(by_depth))

    @cached_property
    def portions(self) -> tuple[Floats, ...]:
        """Return for each depth a node's part of its parent's area, or weight; read-only.

        Parts of the domain, too, where weights are known; all alike elsewhere.
        """
        within = self.frame.domain.within
        shares = [np.ones(1)]
        for depth in range(1, len(self.levels)):
            size, fan_out = len(self.levels[depth]), self.frame.children(depth - 1)
            if within is None:
                shares.append(np.full(size, 1 / fan_out))
                continue
            weight = within.weight(*self.node_bounds(depth, np.arange(size))).reshape(-1, fan_out)
            total = weight.sum(axis=1)[:, None]
            shares.append(
                np.where(total > 0, weight / np.maximum(total, 1e-300), 1 / fan_out).ravel()
            )
        return tuple(map(read_only, shares))

    def cut(self, depth: int) -> Tree:
        """Return the same tree cut off at a depth: what lies deeper is taken together.

        Nodes keep their places on every depth that is left, so that values of the nodes of this
        tree, depth by depth, are values of the other's.

        Examples
        --------
        >>> from geodp.core.space.domain import Domain
        >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 2)
        >>> Tree(frame, [[False, True], [False] * 4]).cut(1)
        Tree(2 cells down to depth 1)
        """
        if not 1 <= depth < len(self.levels) - 1:
            return self
        splits = [level.split for level in self.levels[1:depth]]
        return Tree(self.frame, [*splits, np.zeros(len(self.levels[depth]), dtype=np.bool_)])

    def locate(self, x: Floats, y: Floats) -> Ints:
        """Return the final cell of each point, all of which must lie where records can be."""
        code = self.frame.codes(x, y)
        return np.searchsorted(self.cell_start, code, side="right") - 1

    def to_text(self) -> str:
        """Return the split flags of all depths as a short text, for metadata."""
        flags = np.concatenate([level.split for level in self.levels[1:]])
        return zipped(np.packbits(flags).tobytes(), 9)

    @classmethod
    def from_text(cls, text: str, frame: Frame, most: int = 1 << 28) -> Tree:
        """Read the text of :meth:`to_text`, and refuse one that is no tree on the frame.

        Parameters
        ----------
        text : str
            What :meth:`to_text` gave.
        frame : Frame
            The lattices.
        most : int
            More nodes than this are refused, before memory is taken for them.
        """
        try:
            largest = min(frame.cells // 4, most // 8) + 8
            packed = np.frombuffer(unzipped(text, largest), dtype=np.uint8)
        except (ValueError, binascii.Error, zlib.error):
            raise InputError(CHANGED) from None
        flags = np.unpackbits(packed).astype(np.bool_)
        splits, start, count = [], 0, frame.children(0)
        while count:
            splits.append(flags[start : start + count])
            start, count = start + count, 4 * int(splits[-1].sum())
        if flags[start:].any() or (start + 7) // 8 != len(packed):
            raise InputError(CHANGED)
        return cls(frame, splits)


def _levels(frame: Frame, splits: Sequence[Any]) -> tuple[Level, ...]:
    levels = [Level(frame, 0, None, np.ones(1, dtype=np.bool_))]
    for depth, given in enumerate(splits, start=1):
        above = levels[-1]
        size = frame.children(depth - 1) * int(np.count_nonzero(above.split))
        split = np.asarray(given, dtype=np.bool_)
        if split.shape != (size,) or (depth == frame.depth and split.any()):
            raise InputError(
                f"a tree needs a flag for each of the {size:,} nodes at depth {depth}, and "
                f"none may be split at depth {frame.depth}; got {split.shape}."
            )
        levels.append(Level(frame, depth, above, split))
        if frame.domain.within is not None and (split & ~levels[-1].supported).any():
            raise InputError("no node of a tree may be split where no records can be.")
    if len(levels) < 2 or levels[-1].split.any():
        raise InputError("a tree must end with a depth at which no node is split.")
    if any(not len(level) for level in levels):
        raise InputError("a tree must end with the first depth at which no node is split.")
    return tuple(levels)


def _sums(values: Ints, fan_out: int) -> Ints:
    """Return sums of families: columns are added much faster than rows so short are summed."""
    return np.asarray(sum(values[child::fan_out] for child in range(fan_out)))
