"""Count on many workers with Dask: the points stay where they are, and tallies travel.

Each partition (or piece of a file) is tallied by one task, and tallies are added in a tree. Where
persons are protected, every task first keeps a few records of each and deals the persons out by a
hash; what is left of a person then meets in one place, where it is bounded once more, shares the
person's units, and is tallied.
These bounded records are the only ones that move between workers.

Tasks never raise. A scheduler writes the arguments of a task that failed into its log, and they are
private; a task that cannot go on therefore returns a :class:`Stopped`, which the caller raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce, wraps
from operator import iadd
from typing import Any

import numpy as np

from ..core.common.errors import UNFINISHED, CrsError, FileError, GeodpError, InputError
from ..core.counts.counting import Countable
from ..core.counts.streams import fill, tally_stream, without_ids
from ..core.privacy.noise import RandomBits
from ..core.privacy.protection import Protection
from ..core.privacy.quantity import Contribution
from ..core.records.amounts import Amount, contribution_for
from ..core.records.contribution import BoundedRecords
from ..core.records.groups import Field, FieldValues
from ..core.records.ids import Ids
from ..core.records.places import collection, run_key
from ..core.records.source import Advance, Block, PointSource, RemoteSource, Request
from .columns import Layout
from .files import FileSource
from .frames import (
    FrameSource,
    check_column,
    check_frame,
    check_values,
    column_ids,
    column_values,
)  # fmt: skip
from .opening import without_secrets

_FAN_IN = 8
"""Tallies added by one task."""

_MOST_DEALS = 64
"""Parts that persons are dealt out to, at most: every partition sends something to each."""


@dataclass(frozen=True)
class Stopped:
    """Say why a task could not go on, in words that hold nothing private."""

    kind: type[GeodpError]
    message: str


def is_dask(points: Any) -> bool:
    """Tell whether it is a Dask DataFrame or a dask-geopandas GeoDataFrame or GeoSeries."""
    return hasattr(type(points), "__dask_graph__") and hasattr(type(points), "to_delayed")


class DaskSource(RemoteSource):
    """Count a Dask collection, or files, by a Dask scheduler.

    Parameters
    ----------
    points : Dask collection or FileSource
        One task each for the partitions, or for pieces of the files, which every worker can open.
    layout : Layout
        Columns of coordinates and CRS.
    scheduler : optional
        Address of a scheduler, a client, a name that Dask knows, or None for Dask's own choice.
    """

    def __init__(self, points: Any, layout: Layout, scheduler: Any = None) -> None:
        if layout.layer is not None and is_dask(points):
            raise InputError("a layer belongs to a file; these points are a frame: leave it out.")
        self._points, self.layout, self.scheduler = _unconverted(points), layout, scheduler

    def __repr__(self) -> str:
        return f"DaskSource(private{self.layout.in_words})"

    def check(self, request: Request) -> None:
        if isinstance(self._points, FileSource):
            self._points.check(request)
            return
        check_frame(self._points, self.layout, request)

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        for part in self._parts(request):
            frame = part if isinstance(part, PointSource) else part.compute()
            yield from part_source(frame, self._part_layout).blocks(request, advance)

    def tally(
        self,
        plan: Countable,
        protect: Protection,
        bits: RandomBits,
        advance: Advance | None = None,
        amount: Amount | None = None,
    ) -> Any:
        del advance  # workers read at a pace of their own
        dask = _imported()
        request = Request.of(plan.domain, protect, plan.groups, amount)
        parts = self._parts(request)
        task = _Tasks(dask)
        shared = dask.delayed(plan, traverse=False, name=f"geodp-plan-{plan.name}")
        limit = contribution_for(protect, amount)
        if limit is None:
            tallies = [task(_tally, part, self._part_layout, shared, request) for part in parts]
        else:
            tallies = self._tally_persons(task, parts, shared, request, limit, bits)
        while len(tallies) > 1:
            tallies = [
                task(_merge, tallies[start : start + _FAN_IN])
                for start in range(0, len(tallies), _FAN_IN)
            ]
        if not tallies:
            return plan.tally()
        answer = _computed(tallies[0], self.scheduler)
        if isinstance(answer, Stopped):
            raise answer.kind(answer.message)
        assert isinstance(answer, type(plan.tally()))
        return answer

    def _tally_persons(
        self,
        task: _Tasks,
        parts: list[Any],
        shared: Any,
        request: Request,
        limit: Contribution,
        bits: RandomBits,
    ) -> list[Any]:
        """Count persons in one tally for each deal of them, where each person is bounded."""
        # Without a key each worker draws from its own operating system.
        key = run_key(limit, bits)
        deals = min(len(parts), _MOST_DEALS)
        layout = self._part_layout
        dealt = [task(_deal, part, layout, shared, request, limit, key, deals) for part in parts]
        return [
            task(_tally_people, [task(_hand, part, number) for part in dealt], shared)
            for number in range(deals)
        ]

    @property
    def _part_layout(self) -> Layout:
        """Return the layout, with the collection's CRS, which a part may have lost."""
        declared = getattr(self._points, "crs", None)
        if declared is None or self.layout.x is not None:
            return self.layout
        return replace(self.layout, crs=declared)

    def _parts(self, request: Request) -> list[Any]:
        """Return pieces of the files, or partitions with only the columns that are needed."""
        if isinstance(self._points, FileSource):
            return list(self._points.pieces())
        points = self._points
        if points.ndim == 2:
            geometry = None if self.layout.x else getattr(points, "geometry", None)
            if self.layout.x is None and geometry is None:
                raise InputError(
                    "a table needs a geometry, or the names of its columns of coordinates; this "
                    "Dask DataFrame has no geometry: name them by "
                    "`read_points(…, x=…, y=…, crs=…)`."
                )
            name = None if geometry is None else str(geometry.name)
            points = points[self.layout.wanted(request, name)]
        return list(points.to_delayed())


def _unconverted(points: Any) -> Any:
    """Take back that Dask turns columns of objects into text: one value can make that fail.

    Bytes and lone surrogates are no text for it. A collection that was computed from the texts is
    left as it is: there it is the caller's program that needs them.
    """
    expression: Any = getattr(points, "expr", None)
    kind = type(expression).__name__
    if kind == "ArrowStringConversion":
        return type(points)(expression.frame)
    if kind == "FromPandas":
        return type(points)(expression.substitute_parameters({"pyarrow_strings_enabled": False}))
    return points


class _Tasks:
    """Make tasks that Dask does not merge, since each draws random numbers of its own."""

    def __init__(self, dask: Any) -> None:
        self._delayed = dask.delayed

    def __call__(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return self._delayed(work, pure=False)(*arguments)


def _imported() -> Any:
    try:
        import dask
    except ImportError:
        raise GeodpError(
            "counting on a cluster needs the package dask, which is not installed: install it "
            "with the extra geodp[dask]."
        ) from None
    return dask


class PartSource(FrameSource):
    """Read a partition, whose types are declared by the collection and not by its records."""

    def check(self, request: Request) -> None:
        request.check_columns(list(getattr(self._frame, "columns", ())))

    def _ids(self, column: Any) -> Ids:
        try:
            check_column(column, "")
        except InputError:  # nobody's, as such values are in any partition
            return Ids((None,), np.zeros(len(column), dtype=np.int64))
        return column_ids(column)

    def _values(self, column: Any, field: Field) -> FieldValues:
        try:
            check_values(column, field)
        except InputError:
            return Ids((None,), np.zeros(len(column), dtype=np.int64))
        return column_values(column, field)


def part_source(part: Any, layout: Layout) -> PointSource:
    """Return one part as a source: a piece of a file, or a frame."""
    return part if isinstance(part, PointSource) else PartSource(part, layout)


def _computed(job: Any, scheduler: Any) -> Any:
    """Run the job; an error outside of our tasks is raised without its text."""
    try:
        with _client(scheduler) as client:
            if client is None:
                return job.compute(scheduler=scheduler)
            future = client.compute(job)
            try:
                return future.result()
            finally:
                future.release()
    except GeodpError:
        raise
    except Exception:
        raise GeodpError(UNFINISHED) from None


@contextmanager
def _client(scheduler: Any) -> Iterator[Any]:
    """Yield a client of the scheduler: the given one, a new one, or None for a name or nothing."""
    if scheduler is None or (isinstance(scheduler, str) and "://" not in scheduler):
        yield None
        return
    if not isinstance(scheduler, str):
        if not hasattr(scheduler, "compute"):
            raise InputError(
                "scheduler must be an address, a Dask client or a name that Dask knows; got "
                f"{type(scheduler).__name__}."
            )
        yield scheduler
        return
    import distributed

    try:
        open_client: Any = distributed.Client
        client = open_client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError):
        raise FileError(
            f"a scheduler must answer at {without_secrets(scheduler)}; none does."
        ) from None
    with client:
        yield client


# --- tasks ---------------------------------------------------------------------------------------


def _never_raises(task: Callable[..., Any]) -> Callable[..., Any]:
    """Return errors instead of raising them, and hand on those of earlier tasks."""

    @wraps(task)
    def careful(first: Any, *rest: Any) -> Any:
        refused = [part for part in _listed(first) if isinstance(part, Stopped)]
        if refused:
            return refused[0]
        try:
            return task(first, *rest)
        except GeodpError as error:
            kinds = (CrsError, InputError, FileError)
            kind = next((kind for kind in kinds if isinstance(error, kind)), GeodpError)
            return Stopped(kind, str(error))
        except Exception:
            return Stopped(GeodpError, UNFINISHED)

    return careful


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


@_never_raises
def _tally(part: Any, layout: Layout, plan: Countable, request: Request) -> Any:
    return tally_stream(without_ids(part_source(part, layout).blocks(request)), plan)


@_never_raises
def _merge(tallies: list[Any]) -> Any:
    if len(tallies) == 1:
        return tallies[0]
    # A task must leave what it was given as it is: it may be run again.
    return reduce(iadd, tallies[2:], tallies[0] + tallies[1])


@_never_raises
def _deal(
    part: Any,
    layout: Layout,
    plan: Countable,
    request: Request,
    limit: Contribution,
    key: bytes | None,
    deals: int,
) -> list[BoundedRecords]:
    """Keep a few records of each person of a partition, dealt out by person."""
    kept = collection(limit, key, RandomBits())
    return fill(kept, part_source(part, layout).blocks(request), plan).split(deals)


@_never_raises
def _hand(parts: list[BoundedRecords], number: int) -> BoundedRecords:
    return parts[number]


@_never_raises
def _tally_people(parts: list[BoundedRecords], plan: Countable) -> Any:
    """Bound all that is left of some persons once more, and count it."""
    kept = parts[0]._like()
    for part in parts:
        kept.absorb(part)
    return tally_stream(kept.blocks(), plan)
