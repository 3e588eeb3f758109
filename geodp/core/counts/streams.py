"""Count blocks of coordinates, with memory bounded by the block and the counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from threading import Semaphore
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..records.contribution import BoundedRecords, RecordColumns
from ..records.places import PlacedRecords
from .counting import Countable, Counting, FixedCountable

if TYPE_CHECKING:
    from concurrent.futures import Future

JOIN = 1 << 16
"""Points counted at once, at least: smaller blocks are joined."""


def tally_stream(places: Iterable[RecordColumns], plan: Countable, threads: int = 0) -> Counting:
    """Count everything in a stream.

    Parameters
    ----------
    places : iterable of (x, y), with group and units where there are any
        Blocks of coordinates in the domain's CRS, with the numbers of groups if there are any, and
        with the units of each record if it is not simply one.
    plan : Countable
        What to count.
    threads : int
        Threads that count while this one reads on; 0 to do one after the other. No more than two
        blocks are read ahead of each.

    Examples
    --------
    >>> from geodp import Crs, Domain, Grid
    >>> from geodp.core.counts.grid_tally import Plan
    >>> town = Domain((0, 0, 2, 2), Crs("EPSG:5070"))
    >>> points = [(np.array([0.5]), np.array([1.5])), (np.array([1.0]), np.array([0.0]))]
    >>> tally_stream(points, Plan((Grid(town, (2, 2)),))).counts(0)
    array([[1, 0],
           [0, 1]])
    """
    blocks = joined(places)
    tally: Counting = plan.tally()
    # Most inputs are one block, for which no thread is worth starting.
    for place in islice(blocks, 1 if threads else None):
        tally.add(*place)
    following = next(blocks, None)
    if following is not None:
        _threaded(chain([following], blocks), tally, threads)
    return tally


def _threaded(blocks: Iterable[RecordColumns], tally: Counting, threads: int) -> None:
    from concurrent.futures import ThreadPoolExecutor  # late: it takes long to import

    free = Semaphore(2 * threads)
    jobs: deque[Future[None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for place in blocks:
            free.acquire()
            jobs.append(pool.submit(_add, free, tally, place))
            while jobs and jobs[0].done():
                jobs.popleft().result()
    for job in jobs:
        job.result()


def _add(free: Semaphore, tally: Counting, place: RecordColumns) -> None:
    try:
        tally.add(*place)
    finally:
        free.release()


def joined(places: Iterable[RecordColumns], size: int = JOIN) -> Iterator[RecordColumns]:
    """Join blocks until they hold at least ``size`` points; the last may hold fewer."""
    waiting: list[RecordColumns] = []
    held = 0
    for place in places:
        waiting.append(place)
        held += len(place[0])
        if held >= size:
            yield _concatenated(waiting)
            waiting, held = [], 0
    if held:
        yield _concatenated(waiting)


def _concatenated(parts: list[RecordColumns]) -> RecordColumns:
    if len(parts) == 1:
        return parts[0]
    return tuple(map(np.concatenate, zip(*parts)))


def without_ids(blocks: Iterable[tuple[Any, ...]]) -> Iterator[RecordColumns]:
    """Return coordinates, and groups where there are any."""
    for x, y, _, *group in blocks:
        yield (x, y, *(part for part in group if part is not None))


def fill(
    kept: BoundedRecords, blocks: Iterable[tuple[Any, ...]], plan: Countable
) -> BoundedRecords:
    """Take in every record of a stream that can be counted, and is in a group if there are any.

    What lies outside is dropped first, by a public rule: it must not use up what a person may keep.
    Where people are counted at places, records come with their cells.
    """
    for x, y, ids, *group in blocks:
        if isinstance(kept, PlacedRecords):
            cells, inside = cast(FixedCountable, plan).places(x, y)
            divided = group[0][inside] if group and group[0] is not None else None
            kept.add(x[inside], y[inside], ids.take(inside), divided, cells)
            continue
        inside = plan.inside(x, y)
        known = (None if part is None else part[inside] for part in group)
        kept.add(x[inside], y[inside], ids.take(inside), *known)
    return kept
