"""How often the intervals of answers hold the truth, on real data and many kinds of regions.

    python benchmarks/coverage.py --data FOLDER --write     all datasets; into docs/benchmarks.md
    python benchmarks/coverage.py                           the sample data; prints only

For each dataset and ε one default release is made and asked about boxes of 1 % to 64 % of the area,
hexagons, and boxes a quarter of a cell in size. A table shows the share of regions whose nominal
95 % interval holds the true count, and the mean half-width of the interval over the mean absolute
error (2.46 for a normal error and an interval that fits).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from shared import DOCS, table, write_part

import geodp
from geodp.core.polygons import Polygons
from geodp.core.tally import Plan, Tally
from geodp.study.datasets import benchmark_datasets

SHARES = (0.01, 0.04, 0.16, 0.64)
EPSILONS = ("1", "0.1")
HEADS = ("dataset", "ε", *(f"{share:.0%}" for share in SHARES), "hexagons", "in a cell", "width")


def hexagons(domain: geodp.Domain, across: int = 12) -> geodp.Workload:
    """Hexagons inside the domain, as wide as its twelfth part."""
    width = domain.width / across
    radius = width / np.sqrt(3)
    turn = np.arange(6) * np.pi / 3
    corners = radius * np.stack([np.sin(turn), np.cos(turn)], axis=1)
    rows = int((domain.height - 2 * radius) / (1.5 * radius)) + 1
    rings = []
    for row in range(rows):
        for column in range(across - row % 2):
            middle = (column + 0.5 + 0.5 * (row % 2)) * width, (1 + 1.5 * row) * radius
            rings.append((len(rings), False, corners + middle + domain.bounds[:2]))
    return geodp.Workload.from_polygons(Polygons.from_rings(rings, len(rings)), domain)


def regions(release: geodp.Release) -> Iterator[geodp.Workload]:
    domain = release.domain
    for share in SHARES:
        yield geodp.Workload.random_boxes(domain, [share], 200, seed=77)
    yield hexagons(domain)
    yield geodp.Workload.random_boxes(domain, [0.25 / release.grid.cells], 400, seed=5)


def coverage(points: tuple[np.ndarray, np.ndarray], release: geodp.Release) -> list[float]:
    """Share of each kind of region that is covered, then half-width over error of all."""
    held, widths, errors = [], 0.0, 0.0
    for workload in regions(release):
        tally = Tally(Plan((release.grid,), workload))
        tally.add(*points)
        answers = release.query(workload)
        wide = (answers.ci_high - answers.ci_low) / 2
        error = np.abs(answers.estimate - tally.inside())
        held.append(float((error <= wide).mean()))
        widths, errors = widths + wide.sum(), errors + error.sum()
    return [*held, widths / errors]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the real datasets")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    rows, every = [], []
    for name, dataset in benchmark_datasets(options.data).items():
        points = dataset.points()
        for epsilon in EPSILONS:
            release = geodp.release(points, dataset.domain, epsilon=epsilon, seed=3)
            found = coverage(points, release)
            every.append(found)
            shown = [f"{value:.2f}" for value in found[:-1]]
            rows.append((dataset.title, epsilon, *shown, f"{found[-1]:.1f}"))
            print(name, epsilon, *shown, rows[-1][-1], flush=True)
    shares = np.array(every)[:, :-1]
    words = (
        f"Covered in the mean {shares.mean():.1%}, at the least {shares.min():.0%} of any kind of "
        f"region on any dataset. Made by `python benchmarks/coverage.py`."
    )
    text = "\n".join([*table(HEADS, rows), "", words])
    print(text)
    if options.write:
        write_part(DOCS / "benchmarks.md", "coverage", text)


if __name__ == "__main__":
    main()
