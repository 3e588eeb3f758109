"""What an attacker can see of many whole releases, as a lower confidence bound on ε."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.common.types import Floats
from ..core.kernel.measurements import Measurements
from ..core.releases.release import Published
from ..core.space.grid import in_domain
from .pairs import Attack, Pair, Points
from .places import Nodes, nodes_of

CONFIDENCE = 1 - 1e-6
"""A sound mechanism fails an outcome check by chance less often than this leaves room for."""


def shown_by_outcomes(case: Pair, runs: int, epsilon: Fraction, release: Attack) -> float:
    """Largest log ratio of event probabilities that the runs show with confidence."""
    seen = []
    for side in (0, 1):
        counts: Counter[tuple[str, Any]] = Counter()
        for _ in range(runs):
            counts.update(_events(case.made(release, side, epsilon=epsilon), case))
        seen.append(counts)
    events = set(seen[0]) | set(seen[1])
    doubt = (1 - CONFIDENCE) / (2 * max(len(events), 1))
    shown = 0.0
    for event in events:
        for one, other in (seen, seen[::-1]):
            low = at_least(one[event], runs, doubt)
            high = 1 - at_least(runs - other[event], runs, doubt)
            if low > 0:
                shown = max(shown, math.log(low / high))
    return shown


_MARKS = (0.0, 0.3, 0.6, 0.9)
"""Shares of ε from which the published counts are said to speak for one side."""


def _events(made: Published, case: Pair) -> Iterator[tuple[str, Any]]:
    """What an attacker looks at: fixed in advance, so that looking costs no confidence."""
    cells = repr(made.cells)
    yield "cells", cells
    yield "said", (made.domain.bounds, made.method, made.spends, made.promise)
    odds = _odds(made, case) / float(made.epsilon)
    for mark in _MARKS:
        for side, speaks in (("for", odds), ("against", -odds)):
            if speaks >= mark - 1e-9:
                yield side, mark
                yield f"cells, and {side}", (cells, mark)


def _odds(made: Published, case: Pair) -> float:
    """How much likelier the counts are in the second dataset, as a logarithm.

    No other test tells two datasets apart better (Neyman & Pearson 1933). Of the records of a unit
    those are taken that come first; which of them were really kept is left to chance.
    """
    nodes, kept = nodes_of(made.cells), case.most or 1
    owns = [own[:kept] for own in (case.instead or [], case.extra)]
    return sum(
        _group_odds(
            made, nodes, one.measurements, _of(name, case.points), [_of(name, o) for o in owns]
        )
        for name, one in made.maps.items()
    )


def _of(group: str, records: Points) -> Points:
    """Places of the records in a group; of all where there are no groups."""
    return [record[:2] for record in records if not group or record[2] == group]


def _group_odds(
    made: Published, nodes: Nodes, measured: Measurements, points: Points, owns: list[Points]
) -> float:
    sides = [_inside(made, points, own) for own in owns]
    where = np.flatnonzero(nodes.holding(np.concatenate([own for _, own in sides])).any(axis=1))
    before, after = (nodes.holding(np.concatenate(p), where).sum(axis=1) for p in sides)
    concerned = np.isin(measured.node, where)
    place = np.searchsorted(where, measured.node[concerned])
    value = measured.counts[concerned]
    each = [float(1 / scale) for scale in measured.count_scales]
    rate = np.array(each)[measured.scale[concerned]]
    return float(((abs(value - before[place]) - abs(value - after[place])) * rate).sum())


def _inside(made: Published, *several: Points) -> list[Floats]:
    """Places in the domain, those on its outer edge moved inside."""
    places = [np.array(points, dtype=np.float64).reshape(-1, 2) for points in several]
    return [np.column_stack(in_domain(made.domain, x, y)[1:]) for x, y in (p.T for p in places)]


def at_least(hits: int, runs: int, doubt: float) -> float:
    """Clopper-Pearson: a probability that is below the true one except with odds of ``doubt``.

    Examples
    --------
    >>> round(at_least(50, 50, 0.01), 3)
    0.912
    """
    if hits == 0:
        return 0.0
    k = np.arange(hits, runs + 1)
    choose = math.lgamma(runs + 1) - np.array(
        [math.lgamma(i + 1) + math.lgamma(runs - i + 1) for i in k]
    )
    low, high = 0.0, hits / runs
    for _ in range(50):
        p = (low + high) / 2
        with np.errstate(divide="ignore", under="ignore"):
            tail = np.exp(choose + k * np.log(p) + (runs - k) * np.log1p(-p)).sum()
        low, high = (p, high) if tail < doubt else (low, p)
    return low
