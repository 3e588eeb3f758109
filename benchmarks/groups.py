"""Measure what groups cost: a release in groups against one of the same points without, by turns.

The points are made (300 towns), so anyone can run it:

    python benchmarks/groups.py            # the figures of docs/benchmarks.md, a minute
    python benchmarks/groups.py --write    # and put them there
    python benchmarks/groups.py --quick    # a hundredth of the points
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import Progress
from shared import BOUNDS, CRS, DOCS, all_towns, load, make_parser, table, write_part

import geodp

DOMAIN = geodp.Domain(BOUNDS, crs=CRS)
KINDS = [f"kind {letter}" for letter in "abcdefghij"]
YEARS = [f"{year}-01-01" for year in range(2010, 2021)]
HOURS = [f"{hour:02}:00" for hour in range(25)]
GOAL = "≤ 1.3"


class Way:
    """One way to name groups: a column and its public list."""

    def __init__(
        self,
        name: str,
        column: Any,
        goal: str = "",
        cells: str = "regular",
        categories: Any = None,
        breaks: Any = None,
    ):
        self.name, self.column, self.goal, self.cells = name, column, goal, cells
        listed = geodp.Breaks if categories is None else geodp.Categories
        self.by = listed("kind", breaks if categories is None else categories)


def ways(count: int) -> list[Way]:
    random = np.random.default_rng(1)
    ten, hundred = random.integers(0, 10, count), random.integers(0, 100, count)
    seconds = np.datetime64("2010-01-01", "s") + random.integers(0, 3652 * 86_400, count)
    texts = np.array(KINDS, dtype=object)[ten]
    return [
        Way("ten, by whole numbers", ten, GOAL, categories=range(10)),
        Way("the same, adaptive cells", ten, GOAL, cells="adaptive", categories=range(10)),
        Way("ten, by a categorical column", pd.Categorical.from_codes(ten, KINDS), GOAL,
            categories=KINDS),
        Way("ten, by a column of text", pd.Series(texts, dtype="str"), GOAL, categories=KINDS),
        Way("ten, by text in a column of objects", pd.Series(texts, dtype=object), GOAL,
            categories=KINDS),
        Way("ten, by years of dates", seconds, GOAL, breaks=YEARS),
        Way("2, by whole numbers", hundred % 2, categories=range(2)),
        Way("24, by hours of dates", seconds, breaks=HOURS),
        Way("24, by whole numbers", hundred % 24, categories=range(24)),
        Way("100, by whole numbers", hundred, categories=range(100)),
    ]  # fmt: skip


def times(frame: pd.DataFrame, **options: Any) -> tuple[float, float]:
    """Take seconds on the clock and of the processor."""
    begun = time.perf_counter(), time.process_time()
    points = geodp.read_points(frame, x="x", y="y", crs=CRS)
    geodp.release(points, DOMAIN, epsilon=1, **options)
    return time.perf_counter() - begun[0], time.process_time() - begun[1]


def measure(count: int, repeats: int, progress: Progress) -> list[tuple[str, str, str, str]]:
    """Return rows of (groups, ratio on the clock, ratio of the processor, goal)."""
    plain = pd.DataFrame(dict(zip("xy", all_towns(count))))
    asked = [(way, plain.assign(kind=way.column)) for way in ways(count)]
    bar = progress.add_task("groups", total=len(asked) * repeats)
    rows = []
    for way, frame in asked:
        one, many = [], []
        for _ in range(repeats):
            one.append(times(plain, cells=way.cells))
            many.append(times(frame, cells=way.cells, by=way.by))
            progress.advance(bar)
        # The least of each: whatever else runs on the machine only adds to them.
        ratios = (min(taken) / min(alone) for taken, alone in zip(zip(*many), zip(*one)))
        clock, processor = (f"{ratio:.2f}" for ratio in ratios)
        rows.append((way.name, clock, processor, way.goal))
    return rows


def main() -> None:
    options = make_parser(__doc__, "a hundredth of the points", "benchmarks.md").parse_args()
    count, repeats = (100_000, 2) if options.quick else (10_000_000, 5)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        rows = measure(count, repeats, progress)
    heads = (f"groups, {count:,} points of a pandas table", "clock", "processor", "goal")
    note = (
        "Made by `python benchmarks/groups.py`: time of a release in groups, divided by that of a "
        f"release of the same points without. Load per processor at the end: {load():.1f}."
    )
    text = "\n".join([*table(heads, rows), "", note])
    print(text)
    if options.write:
        write_part(DOCS / "benchmarks.md", "groups", text)


if __name__ == "__main__":
    main()
