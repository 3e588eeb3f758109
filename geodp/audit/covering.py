"""Build covering arrays: few combinations in which every choice meets every other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

Row = dict[str, Any]


def covering_rows(choices: Mapping[str, Sequence[Any]], strength: int = 2) -> list[Row]:
    """List combinations so that any ``strength`` choices occur together in one of them.

    Each row is made greedily, choice by choice, to hold as many tuples that no row had before as
    it can; ties go to the choice that was taken least, then to the first. The same input always
    gives the same rows.

    Parameters
    ----------
    choices : mapping from str to sequence
        What can be chosen for each name.
    strength : int
        How many choices at a time must meet: 2 for all pairs, 3 for all triples.

    Examples
    --------
    >>> rows = covering_rows({"a": [1, 2], "b": [1, 2], "c": [1, 2]})
    >>> len(rows)
    4
    """
    names = list(choices)
    missing = {
        frozenset(zip(some, levels))
        for some in combinations(names, strength)
        for levels in product(*(range(len(choices[name])) for name in some))
    }
    taken = {(name, level): 0 for name in names for level in range(len(choices[name]))}
    rows = []
    while missing:
        chosen = dict(min(missing, key=sorted))
        left = [name for name in names if name not in chosen]
        for name in sorted(left, key=lambda choice: -len(choices[choice])):
            chosen[name] = _best_level(name, len(choices[name]), chosen, missing, taken, strength)
        have = set(chosen.items())
        missing = {pair for pair in missing if not pair <= have}
        for pair in have:
            taken[pair] += 1
        rows.append({name: choices[name][chosen[name]] for name in names})
    return rows


def _best_level(
    name: str,
    levels: int,
    chosen: dict[str, int],
    missing: set[frozenset[tuple[str, int]]],
    taken: dict[tuple[str, int], int],
    strength: int,
) -> int:
    """Pick the level with which the row holds most of what is missing."""

    def gain(level: int) -> tuple[int, int, int]:
        others = combinations(chosen.items(), strength - 1)
        new = sum(frozenset((*some, (name, level))) in missing for some in others)
        return -new, taken[name, level], level

    return min(range(levels), key=gain)
