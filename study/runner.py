"""Turn tasks into rows of a CSV file, on all cores, resumable.

A task is a frozen description with a key; the same description always gives the same rows,
whichever process runs it. Rows are written as tasks finish, so a run that was stopped goes on
where it stood.
"""

from __future__ import annotations

import csv
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

Row = dict[str, str]


class Keyed(Protocol):
    """Have a key that tells a task from all others."""

    @property
    def key(self) -> str:
        """Write every setting that matters in one line."""


T = TypeVar("T", bound=Keyed)


def generator(seed: int, *names: object) -> np.random.Generator:
    """Make the random numbers of one piece of work, the same in every process and order.

    Parameters
    ----------
    seed : int
        Seed of the whole run.
    names
        What tells this piece from the others.

    Examples
    --------
    >>> bool(generator(1, "a").random() == generator(1, "a").random())
    True
    """
    return np.random.default_rng([seed, zlib.crc32(repr(names).encode())])


def run(
    tasks: Sequence[T],
    work: Callable[[T], list[Row]],
    path: Path,
    *,
    jobs: int | None = None,
    label: str = "",
    quiet: bool = False,
) -> list[Row]:
    """Do what has not been done yet and return the rows of all tasks, in the order of the tasks.

    Parameters
    ----------
    tasks : sequence
        What to do.
    work : callable
        Turns a task into rows; must be importable, since other processes call it.
    path : Path
        CSV file. Rows of other tasks in it stay.
    jobs : int, optional
        Processes; all cores by default. With one, everything happens in this process.
    label : str
        What the progress bar says.
    quiet : bool
        No progress bar.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    rows = read_rows(path)
    done = {row["key"] for row in rows}
    waiting = [task for task in tasks if task.key not in done]
    order = {task.key: place for place, task in enumerate(tasks)}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    progress = Progress(*columns, TimeElapsedColumn(), disable=quiet)
    with nullcontext() if quiet else progress:  # older versions of rich end with an empty line
        bar = progress.add_task(label or path.stem, total=len(tasks))
        progress.advance(bar, len(tasks) - len(waiting))
        for finished in _results(waiting, work, jobs or os.cpu_count() or 1):
            rows += finished
            rows.sort(key=lambda row: order.get(row["key"], len(order)))
            write_rows(path, rows)
            progress.advance(bar)
    return [row for row in rows if row["key"] in order]


def _results(tasks: Sequence[T], work: Callable[[T], list[Row]], jobs: int) -> Iterable[list[Row]]:
    if jobs == 1 or len(tasks) < 2:
        yield from (_keyed(work, task) for task in tasks)
        return
    # Fresh processes: a copy of a running one would carry its threads' locks along.
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"))
    try:
        futures = [pool.submit(_keyed, work, task) for task in tasks]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _keyed(work: Callable[[T], list[Row]], task: T) -> list[Row]:
    return [{"key": task.key, **row} for row in work(task)]


def text(**values: object) -> Row:
    """Make a row: floats with six digits, so that files from any machine read alike.

    Examples
    --------
    >>> text(size=30, mean=1 / 3)
    {'size': '30', 'mean': '0.333333'}
    """
    return {
        name: format(value, ".6g") if isinstance(value, float) else str(value)
        for name, value in values.items()
    }


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a CSV file, none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write all rows to a temporary name and rename it: never half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.append(columns.pop(columns.index("key")))  # long, so last
    partial = path.with_name(path.name + ".part")
    with partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    partial.replace(path)
