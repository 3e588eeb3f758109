"""A covering array: few combinations of choices that hold every pair of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any


def pairwise(choices: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return combinations in which any two choices of different kinds occur together at least once.

    Each is the one, of all there are, that holds the most pairs which none before it holds.
    """
    names = list(choices)
    every = [dict(zip(names, chosen)) for chosen in product(*choices.values())]
    open_pairs = {pair for each in every for pair in _pairs(each)}
    covering = []
    while open_pairs:
        best = max(every, key=lambda each: len(open_pairs & _pairs(each)))
        covering.append(best)
        open_pairs -= _pairs(best)
    return covering


def full(choices: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return all combinations."""
    return [dict(zip(choices, chosen)) for chosen in product(*choices.values())]


def _pairs(chosen: Mapping[str, Any]) -> set[Any]:
    return set(combinations(chosen.items(), 2))
