"""Accuracy of every private method side by side, in one run on the same data and boxes.

    python benchmarks/accuracy.py --data FOLDER --write     all datasets; into docs/benchmarks.md
    python benchmarks/accuracy.py                           the sample data; prints only
    python benchmarks/accuracy.py --quick                   the same with few repetitions

For each dataset and ε, boxes with sides of 2 % to 80 % of each axis are put at random places. The
error of an answer is |answer - truth| / max(truth, 0.1 % of n); it is averaged over places and
repetitions, and the geometric mean over the sides is what the tables show. Tuners see boxes of
other sizes at other places: the default workload of geodp.release.

A data folder has what study/datasets.py names; nothing of it is needed for the tests.
"""

import argparse
import math
import os
import sys
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from shared import DOCS, write_part
from shared import table as markdown

from geodp.core.pipeline.kinds import default_boxes
from geodp.core.regions.workload import Workload
from geodp.core.space.grid import DEFAULT_SIZES
from study.baselines import Heuristic, PrintedE2EPriv
from study.case import Case
from study.datasets import benchmark_datasets, paper_delta, paper_sizes
from study.method import Method, influence, repaired
from study.metrics import geometric_mean, spreads
from study.peers import PLAIN_SIZE, Ag, Dawa, Diffprivlib, Hb, PlainGrid, PrivTreePeer
from study.runner import Row, generator, run, text
from study.tree import GrownTree

SIDES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
EPSILONS = (0.1, 1.0, 5.0)
BEST_PEERS = ("ag", "privtree")
HEADINGS = {
    "adaptive": "geodp adaptive",
    "influence": "geodp regular",
    "repaired": "geodp e2epriv",
    "ag": "AG",
    "privtree": "PrivTree",
    "dawa": "DAWA",
    "hb": "HB",
    "plain": f"plain {PLAIN_SIZE}×{PLAIN_SIZE}",
    "diffprivlib": "diffprivlib",
    "heuristic": "Heuristic*",
    "printed": "E2EPriv as printed*",
}
SLOW = {"dawa": 3}
"""Methods that take long have at most so many repetitions."""
FEW, TIMES = 200_000, 5
"""Datasets of fewer records than this have so many times the repetitions: the noise is large there,
and the mean of 20 draws for regions of 80 % was seen to be off by a fifth."""
PAGE = DOCS / "benchmarks.md"


@dataclass(frozen=True)
class Task:
    """All methods on one dataset under one ε."""

    dataset: str
    epsilon: float
    repetitions: int
    positions: int
    seed: int
    data: str

    @property
    def key(self) -> str:
        origin = "data" if self.data else "samples"
        extra = "diffprivlib" if Diffprivlib.installed() else "none"
        return (
            f"accuracy {origin} {self.dataset} epsilon={self.epsilon:g} seed={self.seed} "
            f"repetitions={self.repetitions} positions={self.positions} few={TIMES} extra={extra}"
        )


def methods(records: int) -> dict[str, tuple[Method, bool]]:
    """Return methods by name, and whether each chooses from the paper's narrow set of sizes."""
    delta = paper_delta(records)
    listed: dict[str, tuple[Method, bool]] = {
        "adaptive": (GrownTree(), False),
        "influence": (influence(), False),
        "repaired": (repaired(0.1), False),
        "printed": (PrintedE2EPriv(delta), False),
        "printed-0.1": (PrintedE2EPriv(0.1), False),
        "heuristic": (Heuristic(), False),
        "ag": (Ag(), False),
        "privtree": (PrivTreePeer(), False),
        "dawa": (Dawa(), False),
        "hb": (Hb(), False),
        "plain": (PlainGrid(), False),
        "influence-narrow": (influence(), True),
        "printed-narrow": (PrintedE2EPriv(delta), True),
        "printed-narrow-0.1": (PrintedE2EPriv(0.1), True),
    }
    if Diffprivlib.installed():
        listed["diffprivlib"] = (Diffprivlib(), False)
    return listed


@lru_cache(maxsize=1)  # tasks of one dataset come one after another
def counted(name: str, data: str, positions: int, seed: int) -> Case:
    """Read and count a dataset, with boxes to tune and boxes to test on."""
    read = benchmark_datasets(Path(data) if data else None)[name]
    dataset = replace(read, points=cache(read.points))
    tuning = default_boxes(dataset.domain)
    shares = [side * side for side in SIDES]
    test = Workload.random_boxes(dataset.domain, shares, positions, seed=seed + 1000)
    return Case(dataset, DEFAULT_SIZES, tuning, test)


def work(task: Task) -> list[Row]:
    wide = counted(task.dataset, task.data, task.positions, task.seed)
    narrow = replace(wide, sizes=paper_sizes(wide.records))
    wanted = task.repetitions * (TIMES if wide.records < FEW else 1)
    rows = []
    for name, (method, few) in methods(wide.records).items():
        case = narrow if few else wide
        random = generator(task.seed, task.dataset, task.epsilon, name)
        repetitions = min(wanted, SLOW.get(name, wanted))
        extra: dict[str, object] = {}
        if isinstance(method, GrownTree):
            outcome, held = method.with_intervals(case, task.epsilon, repetitions, random)
            extra = held._asdict()
        else:
            outcome = method.run(case, task.epsilon, repetitions, random)
        by_side = spreads(outcome.answers, wide.truth, wide.records, len(SIDES))
        means = {f"side_{side:g}": spread.mean for side, spread in zip(SIDES, by_side)}
        rows.append(
            text(
                dataset=task.dataset,
                title=wide.dataset.title,
                records=wide.records,
                epsilon=task.epsilon,
                method=name,
                error=geometric_mean(list(means.values())),
                **means,
                **extra,
            )
        )
    return rows


class Results:
    """Errors by ε, dataset and method."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.datasets = list(dict.fromkeys(row["dataset"] for row in rows))
        self._error = {
            (row["dataset"], float(row["epsilon"]), row["method"]): float(row["error"])
            for row in rows
        }

    def error(self, dataset: str, epsilon: float, method: str) -> float | None:
        return self._error.get((dataset, epsilon, method))

    def ratios(self, epsilon: float, method: str, other: str) -> list[float]:
        pairs = [
            (self.error(name, epsilon, method), self.error(name, epsilon, other))
            for name in self.datasets
        ]
        return [a / b for a, b in pairs if a is not None and b is not None]

    def hindsight(self, epsilon: float) -> list[float]:
        """Compare the adaptive release with the better of AG and PrivTree, dataset by dataset."""
        columns = [self.ratios(epsilon, "adaptive", peer) for peer in BEST_PEERS]
        return [max(pair) for pair in zip(*columns)]

    def mean(self, epsilon: float, method: str) -> float:
        """Take the geometric mean of a method's errors over the datasets."""
        errors = [self.error(name, epsilon, method) for name in self.datasets]
        return geometric_mean([error for error in errors if error is not None])


def table(results: Results, epsilon: float) -> str:
    """Return a Markdown table of one ε: errors in per cent, the best private one bold."""
    names = [name for name in HEADINGS if results.error(results.datasets[0], epsilon, name)]
    heads = [*(HEADINGS[name] for name in names), "to the better peer", "to regular"]
    ratios = results.hindsight(epsilon), results.ratios(epsilon, "adaptive", "influence")
    rows = []
    for dataset, *pair in zip(results.datasets, *ratios):
        errors = {name: results.error(dataset, epsilon, name) or 0.0 for name in names}
        best = min((name for name in names if not HEADINGS[name].endswith("*")), key=errors.get)
        cells = [_bold(f"{100 * errors[name]:.2f}", name == best) for name in names]
        row = next(row for row in results.rows if row["dataset"] == dataset)
        shown = [f"{ratio:.2f}" for ratio in pair]
        rows.append((row["title"], f"{int(row['records']):,}", *cells, *shown))
    means = [f"{100 * results.mean(epsilon, name):.2f}" for name in names]
    averages = [f"{geometric_mean(column):.2f}" for column in ratios]
    rows.append(("geometric mean", "", *means, *averages))
    return "\n".join(markdown(("dataset", "points", *heads), rows))


def _bold(words: str, yes: bool) -> str:
    return f"**{words}**" if yes else words


GOALS = {1.0: (0.78, 1.10, 0.35), 0.1: (0.87, 1.15, 0.40)}
"""Asked of the adaptive release: the better peer, its worst dataset, the regular default."""


def figures(results: Results) -> str:
    """Return a Markdown table of what the adaptive release must reach, and does."""
    rows = []
    for epsilon in EPSILONS:
        peer = results.hindsight(epsilon)
        regular = results.ratios(epsilon, "adaptive", "influence")
        measured = geometric_mean(peer), max(peer), geometric_mean(regular)
        goals = GOALS.get(epsilon, (math.inf,) * 3)
        rows.append((f"{epsilon:g}", *(_held(*pair) for pair in zip(measured, goals))))
    heads = ("ε", "to the better peer", "worst dataset", "to the regular default")
    return "\n".join(markdown(heads, rows))


def _held(value: float, goal: float) -> str:
    if goal == math.inf:
        return f"{value:.3f}"
    return f"{value:.3f} ({'at most' if value <= goal else 'MISSES'} {goal:.2f})"


def intervals(results: Results) -> str:
    """Return a Markdown table of how far the adaptive release's error bars held."""
    rows = []
    for epsilon in EPSILONS:
        chosen = [
            row
            for row in results.rows
            if row["method"] == "adaptive" and float(row["epsilon"]) == epsilon
        ]
        cells = []
        for name in ("noise", "interval", "bias"):
            shares = [float(row[name]) for row in chosen]
            form = "+.2f" if name == "bias" else ".1%"
            cells.append(f"{np.mean(shares):{form}} ({min(shares):{form}} to {max(shares):{form}})")
        rows.append((f"{epsilon:g}", *cells))
    heads = ("ε", "noise within 1.96 `noise_error`", "95 % interval holds", "mean noise")
    return "\n".join(markdown(heads, rows))


def claims(results: Results) -> list[tuple[bool, str]]:
    """List what is asked of the default tuner at ε = 1, each measured."""
    lines = []
    for method, other, limit, words in (
        ("influence", "printed", 0.6, "default ladder, the paper's δ"),
        ("influence", "printed-0.1", 0.6, "default ladder, δ = 0.1"),
        ("influence-narrow", "printed-narrow", 0.9, "the paper's narrow sets, its δ"),
        ("influence-narrow", "printed-narrow-0.1", 0.9, "the paper's narrow sets, δ = 0.1"),
    ):
        ratios = results.ratios(1.0, method, other)
        mean, worst = geometric_mean(ratios), max(ratios)
        claim = f"influence / E2EPriv as printed, {words}: "
        lines.append((mean <= limit, f"{claim}{mean:.4f} taken together, at most {limit}"))
        if method == "influence":
            lines.append((worst <= 1.1, f"{claim}{worst:.4f} on the worst dataset, at most 1.1"))
    return lines


def against_printed(results: Results) -> str:
    """Return a Markdown table of the claims' ratios, dataset by dataset."""
    pairs = {
        "ladder": ("influence", "printed"),
        "ladder, δ = 0.1": ("influence", "printed-0.1"),
        "narrow": ("influence-narrow", "printed-narrow"),
        "narrow, δ = 0.1": ("influence-narrow", "printed-narrow-0.1"),
    }
    columns = [results.ratios(1.0, *pair) for pair in pairs.values()]
    lines = [f"| dataset | {' | '.join(pairs)} |", f"| --- |{' ---: |' * len(pairs)}"]
    for name, ratios in zip(results.datasets, zip(*columns)):
        lines.append(f"| {name} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")
    means = [geometric_mean(column) for column in columns]
    lines.append(f"| geometric mean | {' | '.join(f'{mean:.2f}' for mean in means)} |")
    return "\n".join(lines)


def page(results: Results, command: str, repetitions: int, positions: int) -> str:
    """Write the part of docs/benchmarks.md that this script has."""
    missing = "diffprivlib was not installed for this run, so its column is missing."
    if results.error(results.datasets[0], 1.0, "diffprivlib"):
        missing = "diffprivlib clamps negative counts to zero, which adds up over empty cells."
    tables = "\n\n".join(f"### ε = {value:g}\n\n{table(results, value)}" for value in EPSILONS)
    verdicts = "\n".join(
        f"- {'PASS' if holds else 'FAIL'}: {words}" for holds, words in claims(results)
    )
    return f"""Made by `{command}`: {positions} boxes of each side
({", ".join(f"{side:.0%}" for side in SIDES)} of both axes) and {repetitions} repetitions,
{TIMES * repetitions} where there are fewer than {FEW:,} points
({min(repetitions, SLOW["dawa"])} of DAWA, which takes long).

Mean relative error in per cent with at least 0.1 % of all points in the denominator, geometric
mean over the sides. Bold is the best private method. The last columns have the adaptive release
*to the better peer*, AG or PrivTree, whichever turned out better on the dataset, and *to regular*,
geodp's default. Methods with a star are not private. AG, HB and DAWA take the number of points as
public. {missing}

{tables}

### What the adaptive release must reach

{figures(results)}

Its error bars on the same boxes, mean over the datasets, with the lowest and the highest. *Mean
noise* is the mean of the noise in units of `noise_error`. A cell whose count came out high by
chance is split rather than one that came out low, which would put it above zero: what that adds is
taken off.

{intervals(results)}

### What the default tuner of regular cells must reach (ε = 1)

{verdicts}

Dataset by dataset, influence over E2EPriv as printed. *Ladder* are geodp's default sizes, 10 to
320; *narrow* are the paper's sizes for a dataset as large. The paper's δ is 0.1 below 100,000
points, 0.01 below two million and 0.001 above.

{against_printed(results)}"""


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of datasets; else the sample data")
    parser.add_argument("--quick", action="store_true", help="3 repetitions, 20 boxes per side")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    parser.add_argument("--out", type=Path, default=Path("geodp-study"), help="for the CSV file")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write to")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    chosen = arguments(words)
    repetitions, positions = (3, 20) if chosen.quick else (20, 100)
    data = str(chosen.data) if chosen.data else ""
    tasks = [
        Task(name, epsilon, repetitions, positions, chosen.seed, data)
        for name in benchmark_datasets(chosen.data)
        for epsilon in EPSILONS
    ]
    rows = run(
        tasks,
        work,
        chosen.out / "accuracy.csv",
        jobs=chosen.jobs,
        label="accuracy",
        quiet=chosen.quiet,
    )
    results = Results(rows)
    command = "python benchmarks/accuracy.py" + (" --data FOLDER" if data else "")
    part = page(results, command + (" --quick" if chosen.quick else ""), repetitions, positions)
    if chosen.write:
        write_part(chosen.page, "accuracy", part)
    if not chosen.quiet:
        print(part)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
