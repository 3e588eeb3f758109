"""Counting on many workers with Dask: the points stay where they are, and tallies travel.

Each partition (or piece of a file) is tallied by one task, and tallies are added in a tree. Where
there are persons, every task first keeps at most k records of each and deals the persons out by a
hash; what is left of a person then meets in one place, where it is bounded once more and tallied.
These bounded records are the only ones that move between workers.

Tasks never raise. A scheduler writes the arguments of a task that failed into its log, and they
are private; a task that cannot go on therefore returns a :class:`Refusal`, which the caller raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce, wraps
from typing import Any

from ..core.columns import Reading
from ..core.contribution import BoundedRecords, RepeatableRecords
from ..core.errors import CrsError, FileError, GeodpError, InputError
from ..core.noise import RandomBits
from ..core.points import blocks_of
from ..core.streams import fill, is_dask, tally_stream, without_persons
from ..core.tally import Plan, Tally

_FAN_IN = 8
"""Tallies added by one task."""

_MOST_DEALS = 64
"""Parts that persons are dealt out to, at most: every partition sends something to each."""


@dataclass(frozen=True)
class Refusal:
    """Why a task could not go on, in words that hold nothing private."""

    kind: type[GeodpError]
    message: str


def tally_parts(
    points: Any,
    plan: Plan,
    reading: Reading,
    most: int | None,
    bits: RandomBits,
    scheduler: Any = None,
) -> Tally:
    """Tally a Dask collection, or pieces of files that every worker can open.

    Parameters
    ----------
    points : Dask collection or list of Piece
        One task each for the partitions or the pieces.
    plan : Plan
        What to count.
    reading : Reading
        How to read the points.
    most : int, optional
        Records that a person may keep, where there are persons.
    bits : RandomBits
        Tells whether the choice among a person's records shall be repeatable; otherwise each
        worker draws from its own operating system.
    scheduler : optional
        Address of a scheduler, a client, a name that Dask knows, or None for Dask's own choice.
    """
    dask = _imported()
    sources = _partitions(points, reading) if is_dask(points) else list(points)
    shared = dask.delayed(plan, traverse=False, name=f"geodp-plan-{plan.name}")
    if most is None:
        tallies = [dask.delayed(_tally, pure=False)(part, shared, reading) for part in sources]
    else:
        key = bits.key() if bits.seeded else None
        deals = min(len(sources), _MOST_DEALS)
        bounded = [dask.delayed(_deal, pure=False)(p, reading, most, key, deals) for p in sources]
        tallies = [
            dask.delayed(_tally_people, pure=False)(
                [dask.delayed(_hand, pure=False)(parts, number) for parts in bounded], shared
            )
            for number in range(deals)
        ]
    while len(tallies) > 1:
        tallies = [
            dask.delayed(_merge, pure=False)(tallies[start : start + _FAN_IN])
            for start in range(0, len(tallies), _FAN_IN)
        ]
    if not tallies:
        return Tally(plan)
    answer = _computed(tallies[0], scheduler)
    if isinstance(answer, Refusal):
        raise answer.kind(answer.message)
    assert isinstance(answer, Tally)
    return answer


def _imported() -> Any:
    try:
        import dask
    except ImportError:
        raise GeodpError(
            "counting on a cluster needs the package dask, which is not installed: install it "
            "with the extra geodp[dask]."
        ) from None
    return dask


def _partitions(points: Any, reading: Reading) -> list[Any]:
    """Partitions with only the columns that are needed."""
    if points.ndim == 2:
        geometry = None if reading.x else getattr(points, "geometry", None)
        if reading.x is None and geometry is None:
            raise InputError(
                "a Dask DataFrame needs a geometry, or x and y that name its columns; this has "
                "neither."
            )
        name = None if geometry is None else str(geometry.name)
        points = points[reading.wanted(name, list(points.columns))]
    return list(points.to_delayed())


def _computed(job: Any, scheduler: Any) -> Any:
    """Run the job; whatever goes wrong outside our own tasks is named by its kind alone."""
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
    except Exception as error:
        raise GeodpError(
            f"the scheduler could not finish counting ({type(error).__name__}): nothing was "
            "released and nothing spent; try again."
        ) from None


@contextmanager
def _client(scheduler: Any) -> Iterator[Any]:
    """A client of the scheduler: the given one, a new one, or None for a name or nothing."""
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
        raise FileError(f"a scheduler must answer at {scheduler}; none does.") from None
    with client:
        yield client


# --- tasks ---------------------------------------------------------------------------------------


def _never_raises(task: Callable[..., Any]) -> Callable[..., Any]:
    """Return errors instead of raising them, and hand on those of earlier tasks."""

    @wraps(task)
    def careful(first: Any, *rest: Any) -> Any:
        refused = [part for part in _listed(first) if isinstance(part, Refusal)]
        if refused:
            return refused[0]
        try:
            return task(first, *rest)
        except GeodpError as error:
            kinds = (CrsError, InputError, FileError)
            kind = next((kind for kind in kinds if isinstance(error, kind)), GeodpError)
            return Refusal(kind, str(error))
        except Exception as error:
            return Refusal(
                GeodpError, f"a partition could not be counted ({type(error).__name__})."
            )

    return careful


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


@_never_raises
def _tally(source: Any, plan: Plan, reading: Reading) -> Tally:
    return tally_stream(without_persons(blocks_of(source, reading)), plan)


@_never_raises
def _merge(tallies: list[Tally]) -> Tally:
    return reduce(lambda one, other: one + other, tallies)


@_never_raises
def _deal(
    source: Any, reading: Reading, most: int, key: bytes | None, deals: int
) -> list[BoundedRecords]:
    """At most so many records of each person of a partition, dealt out by person."""
    kept = BoundedRecords(most, RandomBits()) if key is None else RepeatableRecords(most, key)
    return fill(kept, blocks_of(source, reading), reading.domain).split(deals)


@_never_raises
def _hand(parts: list[BoundedRecords], number: int) -> BoundedRecords:
    return parts[number]


@_never_raises
def _tally_people(parts: list[BoundedRecords], plan: Plan) -> Tally:
    """All that is left of some persons: bound them once more, and count."""
    whole = parts[0]._like()
    for part in parts:
        whole.absorb(part)
    return tally_stream(whole.blocks(), plan)
