"""Nest public units in levels, such as states and counties: a tree of any fan-out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.text import LONGEST, is_line
from ..common.types import Bools, Ints, freeze
from .axis import ranges


class Levels:
    """Units of one or several levels, each of which is a union of units of the next.

    Units of the last level are the smallest. They are in such an order that those of one larger
    unit stand together, and a unit is known by its place among those of its level.

    Parameters
    ----------
    names : sequence of str
        What the levels are called, from the largest units to the smallest.
    labels : sequence of sequence of str
        For each unit of the last level, in the order of the units, the label of the unit that holds
        it on every level.

    Examples
    --------
    >>> levels = Levels(["state", "county"], [("A", "x"), ("A", "y"), ("B", "x")])
    >>> levels
    Levels(2 state, 3 county)
    >>> levels.labels[0], levels.labels[1]
    (('A', 'B'), ('x', 'y', 'x'))
    >>> levels.child_codes(1, np.array([0, 1]))
    (array([0, 1, 2]), array([2, 1]))
    """

    def __init__(self, names: Sequence[str], labels: Sequence[Sequence[str]]) -> None:
        self.names = tuple(names)
        paths = [tuple(path) for path in labels]
        if not self.names or any(len(path) != len(self.names) for path in paths):
            raise InputError("every unit needs a label on each level.")
        if not paths:
            raise InputError("levels need one unit at least; got none.")
        if not all(is_line(text) for path in (self.names, *paths) for text in path):
            raise InputError(
                f"labels of units must be lines of at most {LONGEST:,} printable characters, as a "
                "file can hold them; one is not: mend the layer."
            )
        if len(set(paths)) < len(paths):
            double = next(path for path, times in Counter(paths).items() if times > 1)
            raise InputError(f"every unit must be there once; {' > '.join(double)} is there twice.")
        self.labels: tuple[tuple[str, ...], ...] = ()
        self._smallest: list[Ints] = []
        for depth in range(1, len(self.names) + 1):
            starts = [0] + [
                place
                for place in range(1, len(paths))
                if paths[place][:depth] != paths[place - 1][:depth]
            ]
            units = [paths[place][:depth] for place in starts]
            if len(set(units)) < len(units):
                raise InputError("units of one larger unit must stand together.")
            self.labels += (tuple(unit[-1] for unit in units),)
            self._smallest.append(freeze(np.array([*starts, len(paths)], dtype=np.int64)))
        self._first: list[Ints] = [np.array([0, len(self.labels[0])])]
        for here, below in zip(self._smallest, self._smallest[1:]):
            self._first.append(freeze(np.searchsorted(below, here)))

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{len(labels):,} {name}" for name, labels in zip(self.names, self.labels)
        )
        return f"Levels({counts})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Levels):
            return NotImplemented
        return self.names == other.names and self.paths == other.paths

    def __hash__(self) -> int:
        return hash((self.names, self.paths))

    def __reduce__(self) -> tuple[Any, ...]:
        return Levels, (self.names, self.paths)

    @cached_property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """Return labels of the units that hold each smallest one, from the largest to itself."""
        columns = (
            np.repeat(np.array(labels, dtype=object), np.diff(smallest)).tolist()
            for labels, smallest in zip(self.labels, self._smallest)
        )
        return tuple(zip(*columns))

    @property
    def depth(self) -> int:
        """Return the depth of the smallest units; the domain, which holds all of them, has 0."""
        return len(self.names)

    def __len__(self) -> int:
        """Return the number of smallest units."""
        return len(self.labels[-1])

    @property
    def nodes(self) -> int:
        """Return the number of units of all levels, with the domain."""
        return 1 + sum(map(len, self.labels))

    def first_node(self, depth: int) -> int:
        """Return the first unit's number at a depth, where all are counted from the domain on."""
        return 0 if depth == 0 else 1 + sum(map(len, self.labels[: depth - 1]))

    def first_children(self, depth: int) -> Ints:
        """Return where the children of each unit begin among those of the next depth, and end."""
        return self._first[depth]

    def smallest_units(self, depth: int) -> Ints:
        """Return where each unit at a depth from 1 begins among the smallest, and the end."""
        return self._smallest[depth - 1]

    def child_codes(self, depth: int, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """List the codes of all children of units, and how many each unit has."""
        first = self._first[depth]
        fan_out = first[codes + 1] - first[codes]
        return ranges(first[codes], fan_out)[1], fan_out

    def supported_codes(self, depth: int, codes: npt.NDArray[Any]) -> Bools:
        """Say that records can be in every unit."""
        del depth
        return np.ones(len(codes), dtype=np.bool_)
