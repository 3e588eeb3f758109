"""Bound ε from below with confidence, by what an attacker can see of many whole releases."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.common.types import Floats
from ..core.kernel.measurements import Measurements
from ..core.releases.published import Published
from ..core.space.grid import in_domain
from .pairs import Attack, Pair, Points
from .places import NodeShapes, measured_nodes

CONFIDENCE = 1 - 1e-6
"""A sound mechanism fails an outcome check by chance less often than this leaves room for."""


def shown_by_outcomes(case: Pair, runs: int, epsilon: Fraction, release: Attack) -> float:
    """Compute the largest log ratio of event probabilities that the runs show with confidence."""
    seen = []
    for side in (0, 1):
        counts: Counter[tuple[str, Any]] = Counter()
        for _ in range(runs):
            counts.update(_events(case.release(release, side, epsilon=epsilon), case))
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


def _events(release: Published, case: Pair) -> Iterator[tuple[str, Any]]:
    """List what an attacker looks at: fixed in advance, so that looking costs no confidence."""
    cells = repr(release.cells)
    yield "cells", cells
    yield "said", (release.domain.bounds, release.method, release.spends, release.promise)
    odds = _odds(release, case) / float(release.epsilon)
    for mark in _MARKS:
        for side, speaks in (("for", odds), ("against", -odds)):
            if speaks >= mark - 1e-9:
                yield side, mark
                yield f"cells, and {side}", (cells, mark)


def _odds(release: Published, case: Pair) -> float:
    """Compute how much likelier the counts are in the second dataset, as a logarithm.

    No other test tells two datasets apart better (Neyman & Pearson 1933). Of the records of a unit
    those are taken that come first; which of them were really kept is left to chance.
    """
    nodes, kept = measured_nodes(release.cells), case.most or 1
    units = [records[:kept] for records in (case.instead or [], case.extra)]
    return sum(
        _group_odds(
            release,
            nodes,
            one.measurements,
            _places_in(name, case.points),
            [_places_in(name, unit) for unit in units],
        )
        for name, one in release.maps.items()
    )


def _places_in(group: str, records: Points) -> Points:
    """Return the places of the records in a group; of all where there are no groups."""
    return [record[:2] for record in records if not group or record[2] == group]


def _group_odds(
    release: Published,
    nodes: NodeShapes,
    measured: Measurements,
    points: Points,
    units: list[Points],
) -> float:
    sides = [_inside(release, points, unit) for unit in units]
    where = np.flatnonzero(nodes.holding(np.concatenate([unit for _, unit in sides])).any(axis=1))
    before, after = (nodes.holding(np.concatenate(p), where).sum(axis=1) for p in sides)
    concerned = np.isin(measured.node, where)
    place = np.searchsorted(where, measured.node[concerned])
    value = measured.counts[concerned]
    rates = [float(1 / scale) for scale in measured.count_scales]
    rate = np.array(rates)[measured.scale[concerned]]
    return float(((abs(value - before[place]) - abs(value - after[place])) * rate).sum())


def _inside(release: Published, *several: Points) -> list[Floats]:
    """Return the places in the domain, those on its outer edge moved inside."""
    places = [np.array(points, dtype=np.float64).reshape(-1, 2) for points in several]
    return [np.column_stack(in_domain(release.domain, x, y)[1:]) for x, y in (p.T for p in places)]


def at_least(hits: int, runs: int, doubt: float) -> float:
    """Bound a probability from below (Clopper-Pearson): wrong with odds of ``doubt`` at most.

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
