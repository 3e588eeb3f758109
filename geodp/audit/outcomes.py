"""What an attacker can see of many whole releases, as a lower confidence bound on ε."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.axis import Ints
from ..core.release import Release
from .pairs import Attack, Pair, Points

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


def _events(made: Release, case: Pair) -> Iterator[tuple[str, Any]]:
    """What an attacker looks at: fixed in advance, so that looking costs no confidence."""
    shape = made.cells.raster.shape
    yield "cells", shape
    yield "said", (made.domain.bounds, made.method, made.spends, made.promise)
    # The cell where the unit's first record would be: is its count above what others account for?
    cell = int(_cells(made, case.extra[:1])[0])
    if cell < 0:
        return
    there = int((_cells(made, case.points) == cell).sum())
    size = float(made.cells.areas().ravel()[cell])
    yield "cell", size
    above = float(made.counts.ravel()[cell]) - there
    for mark in (0, 1, 2, 5, 20):
        if above >= mark:
            yield "count", mark
            yield "cells and count", (shape, size, mark)


def _cells(made: Release, points: Points) -> Ints:
    """Number of the cell that each point lies in; -1 outside the domain."""
    grid = made.cells.raster
    x, y = np.array(points, dtype=np.float64).reshape(-1, 2).T
    pixel = grid.index(x, y)
    row, column = np.divmod(pixel, grid.shape[1])
    found = np.full(len(pixel), -1)
    for each in np.unique(row[pixel >= 0]).tolist():
        there = row == each
        found[there] = made.cells.pixels(range(each, each + 1))[0, column[there]]
    return found


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
