"""Blocks of coordinates into a tally, with memory bounded by the block and the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from .axis import Floats
from .bounding import Bounded
from .columns import Block, Place
from .tally import Plan, Tally

_JOIN = 1 << 20
"""Points counted at once: small blocks are joined, since each count costs a pass over all cells."""


def tally_stream(places: Iterable[Place], plan: Plan) -> Tally:
    """Count everything in a stream.

    Examples
    --------
    >>> from geodp import Crs, Domain, Grid
    >>> town = Domain((0, 0, 2, 2), Crs("EPSG:5070"))
    >>> points = [(np.array([0.5]), np.array([1.5])), (np.array([1.0]), np.array([0.0]))]
    >>> tally_stream(points, Plan((Grid(town, (2, 2)),))).counts(0)
    array([[1, 0],
           [0, 1]])
    """
    tally = Tally(plan)
    for x, y in joined(places):
        tally.add(x, y)
    return tally


def joined(places: Iterable[Place], size: int = _JOIN) -> Iterator[Place]:
    """Join blocks until they hold at least ``size`` points; the last may hold fewer."""
    waiting: list[Place] = []
    held = 0
    for x, y in places:
        waiting.append((x, y))
        held += len(x)
        if held >= size:
            yield _concatenated(waiting)
            waiting, held = [], 0
    if held:
        yield _concatenated(waiting)


def _concatenated(parts: list[Place]) -> Place:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def without_persons(blocks: Iterable[Block]) -> Iterator[tuple[Floats, Floats]]:
    """Coordinates alone."""
    for x, y, _ in blocks:
        yield x, y


def fill(kept: Bounded, blocks: Iterable[Block]) -> Bounded:
    """Take in every record of a stream."""
    for x, y, whose in blocks:
        kept.add(x, y, whose)
    return kept
