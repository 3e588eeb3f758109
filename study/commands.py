"""``python -m study NAME``: run an experiment, write its CSV file and its figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from geodp.cli.group import SETTINGS, Commands
from geodp.cli.options import QUIET
from geodp.cli.words import echo

if TYPE_CHECKING:
    from .experiments import Task

FULL, QUICK = (100, 100), (10, 30)
"""Repetitions, and positions per region size."""

_TEXTS = {
    "region-size": "Error against the size of regions, for a small, a middle and a large dataset.",
    "epsilon": "Error against the privacy budget, for the smallest regions.",
    "split": "Error against the part of the budget that the choice of a grid takes.",
    "sensitivity": "The paper's three sensitivity bounds, against δ and grid size.",
    "grid-size": "Error against the grid size, and which grid each tuner takes.",
    "all": "All experiments in turn.",
}
_SHORT = {
    "region-size": "Error against the size of regions.",
    "epsilon": "Error against the privacy budget.",
    "split": "Error against the split of the budget.",
    "sensitivity": "The paper's three sensitivity bounds.",
    "grid-size": "Error against the grid size.",
    "all": "All experiments in turn.",
}

_HELP = """Repeat the paper's evaluation, with a CSV file and a figure for each experiment.

\b
Example:
  python -m study all --quick --out geodp-study

A run that was stopped goes on where it stood. Nothing that the study writes is private: it measures
errors against true counts, so run it on data that may be shown.
"""


@click.group(
    cls=Commands,
    context_settings=SETTINGS,
    help=_HELP,
    short_help="Repeat the experiments behind geodp.",
)
def study() -> None:
    """Hold the experiments together."""


def _command(name: str) -> click.Command:
    @click.option(
        "--data",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder with the stand-ins of the paper's datasets; without it, sample data.",
    )
    @click.option("--quick", is_flag=True, help="10 repetitions and 30 positions, not 100 each.")
    @click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("geodp-study"),
        show_default=True,
        help="Folder for the CSV files and figures.",
    )
    @click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
    @click.option("--jobs", type=click.IntRange(min=1), help="Processes; all cores by default.")
    @QUIET
    def command(
        data: Path | None, quick: bool, out: Path, seed: int, jobs: int | None, quiet: bool
    ) -> None:
        from .experiments import EXPERIMENTS, Task

        repetitions, positions = QUICK if quick else FULL
        base = Task(
            name,
            "small",
            "",
            repetitions=repetitions,
            positions=positions,
            seed=seed,
            data="" if data is None else str(data),
        )
        for experiment in EXPERIMENTS if name == "all" else (name,):
            _run(experiment, base, out, jobs, quiet)

    text = f"{_TEXTS[name]}\n\n\b\nExample:\n  python -m study {name} --quick --out geodp-study"
    return click.command(name, help=text, short_help=_SHORT[name])(command)


def _run(name: str, base: Task, out: Path, jobs: int | None, quiet: bool) -> None:
    from .experiments import experiment_tasks, work
    from .figures import draw
    from .runner import run

    tasks = experiment_tasks(name, base)
    rows = run(tasks, work, out / f"{name}.csv", jobs=jobs, label=name, quiet=quiet)
    figure = draw(name, rows, out)
    if not quiet:
        echo(f"{out / name}.csv  {figure}")


for _name in _TEXTS:
    study.add_command(_command(_name))
