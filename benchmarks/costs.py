"""Measure what people and amounts cost beside a plain release: processor time, and memory.

    python benchmarks/costs.py             prints the table
    python benchmarks/costs.py --write     and puts it into docs/benchmarks.md

Ten million records in arrays, of a million people with ten records each on average. Every release
runs in a process of its own, and time is that of the processor, so that other work on the machine
matters less. Memory is the most that the process held, less what it held before the release.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import numpy as np
import shared

import geodp

PAGE = shared.DOCS / "benchmarks.md"
WAYS: dict[str, tuple[str, dict[str, Any], str]] = {
    "adaptive cells": ("", {}, ""),
    "people, by shares": ("adaptive cells", {"protect": geodp.Person("who")}, "≤ 6"),
    "at most 5 records of each person": (
        "adaptive cells",
        {"protect": geodp.Person("who", max_records=5)},
        "",
    ),
    "amounts": ("adaptive cells", {"amount": geodp.Amount("paid", 0, 100)}, "≤ 1.5"),
    "hexagons": ("", {"cells": geodp.Hexagons(2000)}, ""),
    "people, each at the most frequent place": (
        "hexagons",
        {"cells": geodp.Hexagons(2000), "protect": geodp.Person("who", place="most frequent")},
        "",
    ),
    "visitors, each in at most 3 places": (
        "hexagons",
        {"cells": geodp.Hexagons(2000), "protect": geodp.Person("who", visits=3)},
        "",
    ),
    "amounts in hexagons": (
        "hexagons",
        {"cells": geodp.Hexagons(2000), "amount": geodp.Amount("paid", 0, 100)},
        "",
    ),
}
"""Ways to release: what each is compared with, its options, and the goal."""


def measured(way: str, count: int) -> tuple[float, float]:
    """Release once; return seconds of the processor and MiB of this process."""
    x, y = shared.all_towns(count)
    rng = np.random.default_rng(1)
    points: dict[str, Any] = {"x": x, "y": y}
    _, options, _ = WAYS[way]
    if "protect" in options:
        points["who"] = rng.integers(0, count // 10, count)
    if "amount" in options:
        points["paid"] = np.exp(3 + rng.standard_normal(count))
    domain = geodp.Domain(shared.BOUNDS, crs=shared.CRS)
    few = {name: column[:1000] for name, column in points.items()}
    geodp.release(few, domain, epsilon=1, **options)  # loads what is loaded once
    before = shared.peak_memory()
    start = time.process_time()
    geodp.release(points, domain, epsilon=1, **options)
    spent = time.process_time() - start
    return spent, shared.peak_memory() - before


def main() -> None:
    """Print the table, and write it if that is asked for."""
    parser = shared.make_parser(__doc__, "a million records", "benchmarks.md")
    parser.add_argument("--one", help="measure one way, here")
    parser.add_argument("--runs", type=int, default=2, help="of which the fastest counts")
    given = parser.parse_args()
    count = 1_000_000 if given.quick else 10_000_000
    if given.one:
        print(json.dumps(measured(given.one, count)))
        return
    runs: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    for way in [*WAYS] * given.runs:  # in turn, so that other work slows all of them alike
        words = [sys.executable, __file__, "--one", way, *(["--quick"] if given.quick else [])]
        runs[way].append(json.loads(subprocess.check_output(words)))
    costs = {way: (min(run)[0], max(most for _, most in run)) for way, run in runs.items()}
    rows = []
    for way, (beside, _, goal) in WAYS.items():
        spent, most = costs[way]
        ratio = f"{spent / costs[beside][0]:.2f}" if beside else "1"
        rows.append((way, beside or "", ratio, goal, f"{max(most, 0):,.0f} MiB"))
    heads = (f"{count:,} records", "beside", "time ratio", "goal", "memory")
    lines = [*shared.table(heads, rows, words=2), "", "Made by `python benchmarks/costs.py`."]
    print("\n".join(lines))
    if given.write:
        shared.write_part(PAGE, "costs", "\n".join(lines))


if __name__ == "__main__":
    main()
