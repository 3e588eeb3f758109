"""At most k records of each person: what makes a promise to records a promise to people.

Every record gets a random number, and a person keeps the k records with the smallest ones: a
uniform choice. The smallest of the smallest are the smallest, so streams, blocks and merged parts
keep what one frame would, with memory bounded by the number of persons times k.

Which records a person keeps depends on that person's records and fresh randomness only, so
adding a person changes nothing about what the others keep (docs/privacy.md, claim 9).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Floats, Ints
from .noise import Entropy

_BLOCK = 1 << 18


class Bounded:
    """Records of persons, at most ``most`` of each. Private.

    Parameters
    ----------
    most : int
        Records that a person may keep.
    entropy : Entropy
        Source of the random numbers.

    Examples
    --------
    >>> kept = Bounded(2, Entropy())
    >>> kept.add(np.arange(5.0), np.zeros(5), ["ann", "ann", "ann", "bob", None])
    >>> kept
    Bounded(private)
    >>> sum(len(x) for x, _ in kept.blocks())
    3
    """

    def __init__(self, most: int, entropy: Entropy) -> None:
        self.most = most
        self._entropy = entropy
        self._codes: dict[Hashable, int] = {}
        self._kept = _empty()
        self._waiting: list[Records] = []

    def __repr__(self) -> str:
        return "Bounded(private)"

    def add(self, x: Floats, y: Floats, person: npt.ArrayLike) -> None:
        """Take in a block of records; those without a person are dropped."""
        code = self._encode(person)
        known = code >= 0
        priority = self._entropy.priorities(int(known.sum()))
        self._waiting.append((code[known], priority, x[known], y[known]))
        # Sorting again only when as much is waiting as is kept makes the whole pass cheap.
        if sum(len(part[0]) for part in self._waiting) >= max(_BLOCK, len(self._kept[0])):
            self._compact()

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Coordinates of what is kept."""
        self._compact()
        _, _, x, y = self._kept
        for start in range(0, len(x), _BLOCK):
            yield x[start : start + _BLOCK], y[start : start + _BLOCK]

    def __add__(self, other: Bounded) -> Bounded:
        """Merge parts of one dataset, whoever's records they hold."""
        merged = Bounded(self.most, self._entropy)
        merged._codes = dict(self._codes)
        new = [merged._codes.setdefault(name, len(merged._codes)) for name in other._codes]
        table = np.array(new, dtype=np.int64)
        for code, priority, x, y in (other._kept, *other._waiting):
            merged._waiting.append((table[code], priority, x, y))
        merged._waiting += [self._kept, *self._waiting]
        merged._compact()
        return merged

    def _encode(self, person: npt.ArrayLike) -> Ints:
        """A number for each person, in order of appearance; -1 for nobody."""
        names = np.asarray(person, dtype=object).tolist()
        table: dict[Hashable, int] = {}
        for name in dict.fromkeys(names):
            table[name] = -1 if _missing(name) else self._codes.setdefault(name, len(self._codes))
        return np.fromiter(map(table.__getitem__, names), dtype=np.int64, count=len(names))

    def _compact(self) -> None:
        parts = [self._kept, *self._waiting]
        code, priority, x, y = (np.concatenate(column) for column in zip(*parts))
        order = np.lexsort((priority, code))
        code = code[order]
        rank = np.arange(len(code)) - np.searchsorted(code, code, side="left")
        kept = order[rank < self.most]
        self._kept = (code[rank < self.most], priority[kept], x[kept], y[kept])
        self._waiting = []


Records = tuple[Ints, npt.NDArray[np.uint64], Floats, Floats]
"""Person, random number and place of each record."""


def _empty() -> Records:
    return np.empty(0, np.int64), np.empty(0, np.uint64), np.empty(0), np.empty(0)


def _missing(name: Any) -> bool:
    """None, NaN and the missing values of pandas, none of which equals itself."""
    if name is None:
        return True
    try:
        return not bool(name == name)
    except TypeError:
        return True
