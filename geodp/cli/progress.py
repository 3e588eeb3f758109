"""Steps as they happen: a bar on a terminal, plain lines in a pipe, nothing when quiet.

Only the names of steps are shown. How many points there are, or how fast they come, is private.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class Steps:
    """Announce named steps on the error stream.

    Parameters
    ----------
    total : int
        How many steps there will be.
    quiet : bool
        Say nothing.

    Examples
    --------
    >>> with Steps(1, quiet=True) as say:
    ...     say("counting")
    """

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._total = total
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Steps:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = BarColumn(bar_width=24), TextColumn("{task.description}")
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._total)
            self._bar.start()
        return self

    def __call__(self, step: str) -> None:
        if self._bar is not None:
            done = self._bar.tasks[0].completed + (1 if self._bar.tasks[0].description else 0)
            self._bar.update(self._task, completed=done, description=step)
            self._bar.refresh()
        elif not self._quiet:
            print(f"{step} ...", file=sys.stderr, flush=True)

    def advance(self, done: int, total: int) -> None:
        """Show how much of the points files is read: bytes, which anyone can see, not records."""
        if self._bar is not None and total > 0:
            self._bar.update(self._task, description=f"counting, {done / total:.0%} read")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
