"""State the paper's five experiments as tasks, and make the rows that they give.

Settings are those of the paper's table unless a docstring says otherwise: six region sizes,
ε = 1, a fifth of it for the choice, 100 repetitions, and 100 positions per region size. Tuners
see boxes at other positions than those that errors are measured on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from geodp.core.common.types import Floats
from geodp.core.regions.workload import DEFAULT_SHARES, Workload
from geodp.core.space.grid import DEFAULT_SIZES

from .baselines import (
    SENSITIVITIES,
    BestNonPriv,
    Heuristic,
    Leaky,
    PrintedE2EPriv,
    heuristic_size,
    overlap_norms,
    printed_sensitivities,
)
from .case import Case, discrete_laplace, table
from .datasets import Points, paper_delta, paper_sizes, study_datasets
from .method import Method, Tuned, influence, repaired
from .metrics import Spread, spreads
from .runner import Row, generator, text

EPSILONS = (0.2, 0.4, 0.6, 0.8, 1.0)
SPLITS = (0.2, 0.25, 0.5, 0.75)
DELTAS = (0.002, 0.01, 0.1)
SENSITIVITY_SIZES = (40, 60, 80)
GRID_SIZES = (5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 453, 640, 905)
NOISE_SCALE = 1 / 0.8
"""λ of the paper's setting: four fifths of ε = 1 for the counts."""


@dataclass(frozen=True)
class Task:
    """Describe one method on one dataset in one setting.

    Attributes
    ----------
    experiment, dataset, method : str
        Names.
    epsilon : float
        Budget.
    share : float
        Part of it for the choice; 0 for the method's own.
    ladder : bool
        Candidates are geodp's ladder of sizes, not the paper's narrow set.
    regions : tuple of float
        Areas of the test boxes as shares of the domain.
    repetitions, positions, seed : int
        How often, how many boxes per size, and which random numbers.
    data : str
        Data folder, empty for the samples. Not part of the key: it is where, not what.
    """

    experiment: str
    dataset: str
    method: str
    epsilon: float = 1.0
    share: float = 0.0
    ladder: bool = False
    regions: tuple[float, ...] = DEFAULT_SHARES
    repetitions: int = 100
    positions: int = 100
    seed: int = 1
    data: str = ""

    @property
    def key(self) -> str:
        """Write every setting that matters in one line."""
        origin = "data" if self.data else "samples"
        parts = (
            f"{self.experiment} {origin} {self.dataset} {self.method}",
            f"epsilon={self.epsilon:g} share={self.share:g} ladder={int(self.ladder)}",
            f"regions={'/'.join(format(share, 'g') for share in self.regions)}",
            f"repetitions={self.repetitions} positions={self.positions} seed={self.seed}",
        )
        return " ".join(parts)


def task_method(task: Task, records: int) -> Method:
    """Set up the method that a task names, as the paper does for a dataset of this size."""
    share, delta = task.share, paper_delta(records)
    exact = Fraction(str(share))
    known: dict[str, Callable[[], Method]] = {
        "influence": lambda: influence(exact),
        "e2epriv-repaired": lambda: repaired(delta, exact),
        "e2epriv-printed": lambda: PrintedE2EPriv(delta, share or 0.2),
        "heuristic": Heuristic,
        "leaky": Leaky,
        "best-nonpriv": BestNonPriv,
    }
    return known[task.method]()


def work(task: Task) -> list[Row]:
    """Make the rows of a task of any experiment."""
    if task.experiment == "sensitivity":
        return sensitivity_rows(task)
    if task.experiment == "grid-size":
        return grid_size_rows(task)
    case = task_case(task)
    outcome = task_method(task, case.records).run(
        case, task.epsilon, task.repetitions, generator(task.seed, task.key)
    )
    errors = spreads(outcome.answers, case.truth, case.records, len(task.regions))
    sizes, often = np.unique(outcome.sizes, return_counts=True)
    usual = int(often.argmax())
    return [
        text(
            **_setting(task, case),
            region=region,
            **spread._asdict(),
            size=int(sizes[usual]),
            size_odds=float(often[usual] / task.repetitions),
            size_min=int(sizes.min()),
            size_max=int(sizes.max()),
        )
        for region, spread in zip(task.regions, errors)
    ]


def _setting(task: Task, case: Case) -> dict[str, object]:
    return {
        "dataset": task.dataset,
        "title": case.dataset.title,
        "records": case.records,
        "method": task.method,
        "candidates": "ladder" if task.ladder else "paper",
        "epsilon": task.epsilon,
        "share": task.share,
        "repetitions": task.repetitions,
        "positions": task.positions,
        "seed": task.seed,
    }


def sensitivity_rows(task: Task) -> list[Row]:
    """Compute the printed sensitivities for each δ and grid size (the paper's figure 6c)."""
    case = replace(task_case(task), sizes=SENSITIVITY_SIZES)
    norms, cells = overlap_norms(case), [grid.cells for grid in case.grids]
    rows = []
    for delta in DELTAS:
        for kind in SENSITIVITIES:
            bounds = printed_sensitivities(kind, case.records, delta, NOISE_SCALE, norms, cells)
            rows += [
                text(
                    dataset=task.dataset,
                    title=case.dataset.title,
                    records=case.records,
                    delta=delta,
                    rho=delta * case.records,
                    kind=kind,
                    size=size,
                    sensitivity=float(value),
                )
                for size, value in zip(SENSITIVITY_SIZES, bounds)
            ]
    return rows


def grid_size_rows(task: Task) -> list[Row]:
    """Measure the error of every grid size, its two parts, and how often tuners take each size."""
    case, random = task_case(task), generator(task.seed, task.key)
    rule = heuristic_size(case.records, task.epsilon)
    rows = []
    for size in sorted({*GRID_SIZES, rule}):
        for part, spread in _parts(case, size, task, random):
            row = {**_setting(task, case), "part": part, "size": size, **spread._asdict()}
            rows.append(text(**row))
    tuners: tuple[tuple[str, Tuned | PrintedE2EPriv], ...] = (
        ("influence", influence()),
        ("e2epriv-printed", PrintedE2EPriv(paper_delta(case.records))),
    )
    choices = [("heuristic", rule, 1.0)]
    for name, tuner in tuners:
        odds = tuner.probabilities(case, task.epsilon)
        choices += [(name, size, float(chance)) for size, chance in zip(case.sizes, odds)]
    for name, size, chance in choices:
        row = {**_setting(task, case), "method": name, "part": "choice", "size": size}
        rows.append(text(**row, odds=chance))
    return rows


def _parts(
    case: Case, size: int, task: Task, random: np.random.Generator
) -> list[tuple[str, Spread]]:
    grid = case.grid(size)
    corners = case.test_corners(grid)
    exact = corners.read(table(case.counts(grid)))
    drawn = [
        corners.read(table(discrete_laplace(random, 1 / task.epsilon, grid.shape)))
        for _ in range(task.repetitions)
    ]
    noise: Floats = np.array(drawn)
    parts = {"total": exact + noise, "aggregation": exact[None], "noise": case.truth + noise}
    return [
        (part, spreads(answers, case.truth, case.records, 1)[0]) for part, answers in parts.items()
    ]


@lru_cache(maxsize=1)
def _points(data: str, dataset: str) -> Points:
    return study_datasets(Path(data) if data else None)[dataset].points()


@lru_cache(maxsize=3)
def _case(
    data: str, name: str, ladder: bool, regions: tuple[float, ...], positions: int, seed: int
) -> Case:
    dataset = study_datasets(Path(data) if data else None)[name]
    dataset = replace(dataset, points=partial(_points, data, name))
    tuning = Workload.random_boxes(dataset.domain, per_share=positions, seed=seed)
    test = Workload.random_boxes(dataset.domain, regions, positions, seed=seed + 1000)
    case = Case(dataset, DEFAULT_SIZES, tuning, test)
    return case if ladder else replace(case, sizes=paper_sizes(case.records))


def task_case(task: Task) -> Case:
    """Return the counted dataset of a task, shared by tasks of one process."""
    return _case(task.data, task.dataset, task.ladder, task.regions, task.positions, task.seed)


def experiment_tasks(name: str, base: Task) -> list[Task]:
    """List all tasks of an experiment; ``base`` gives repetitions, positions, seed and data."""
    base = replace(base, experiment=name)
    if name == "region-size":
        return [
            replace(base, dataset=dataset, method=method, ladder=ladder)
            for dataset in ("small", "middle", "large")
            for method, ladder in _RIVALS
        ]
    base = replace(base, dataset="small")
    if name == "epsilon":
        return [
            replace(base, method=method, ladder=ladder, epsilon=epsilon, regions=(0.01,))
            for epsilon in EPSILONS
            for method, ladder in _RIVALS
        ]
    if name == "split":
        return [
            replace(base, method=method, share=share)
            for share in SPLITS
            for method in ("e2epriv-printed", "e2epriv-repaired", "influence")
        ]
    if name == "sensitivity":
        return [replace(base, method="printed")]
    return [
        replace(base, dataset=dataset, method="grid", ladder=True, regions=(0.01,))
        for dataset in ("small", "middle", "large")
    ]


_RIVALS = (
    ("e2epriv-printed", False),
    ("e2epriv-repaired", False),
    ("influence", False),
    ("influence", True),
    ("heuristic", False),
    ("leaky", False),
    ("best-nonpriv", False),
)

EXPERIMENTS = ("region-size", "epsilon", "split", "sensitivity", "grid-size")
