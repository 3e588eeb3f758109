"""Share what benchmarks need: made points, a clock, and tables put into their page of docs/."""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parents[1] / "docs"
CRS = "EPSG:5070"
BOUNDS = (0.0, 0.0, 100_000.0, 80_000.0)
PART = 1 << 20


def towns(count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Make points in 300 towns, in parts of about a million, the same ones in every run."""
    rng = np.random.default_rng(0)
    centres = rng.uniform(BOUNDS[:2], BOUNDS[2:], (300, 2))
    for start in range(0, count, PART):
        n = min(PART, count - start)
        x, y = (centres[rng.integers(0, 300, n)] + rng.normal(0, 2000, (n, 2))).T
        yield np.ascontiguousarray(x), np.ascontiguousarray(y)


def all_towns(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Make the same points in one piece."""
    x, y = (np.concatenate(parts) for parts in zip(*towns(count)))
    return x, y


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_memory() -> float:
    """Return the most memory that this process had so far, in MiB.

    Linux counts the memory of the parent into ``ru_maxrss``, so its own record is read there.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def load() -> float:
    """Count processes that ran, or would have, in the last minute, for each processor."""
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def make_parser(doc: str, quick: str, page: str) -> argparse.ArgumentParser:
    """Make the options that the benchmarks of time have in common."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{page}")
    return parser


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], words: int = 1) -> list[str]:
    """Write lines of a Markdown table: so many columns of words, then columns of numbers."""
    rules = ["---"] * words + ["---:"] * (len(heads) - words)
    return [f"| {' | '.join(map(str, row))} |" for row in (heads, rules, *rows)]


def write_part(page: Path, name: str, text: str) -> None:
    """Put text between ``<!-- name -->`` and ``<!-- /name -->``, and leave the rest alone.

    A page without such markers, or none at all, gets them at its end.
    """
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    old = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    if begin not in old:
        old = f"{old.rstrip()}\n\n## {name.capitalize()}\n\n{begin}\n{end}\n"
    before, rest = old.split(begin, 1)
    after = rest.split(end, 1)[1]
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
