"""Forecasts beside what came true, on real data.

    python benchmarks/forecast.py --data FOLDER --write     all datasets; into docs/benchmarks.md
    python benchmarks/forecast.py                           the sample data; prints only

For each dataset and ε the errors of hexagons and of boxes of 1 % and 16 % of the area are foreseen
for the default ladder of sizes, once from the number of records in all and once from the count of
each region. What came true is the root of the squared aggregation error plus the variance of the
noise, from the true counts. The table has forecast over truth at the size that was to suit, and the
error of that size over the error of the best one; both are means over the three kinds of regions.
The usual unevenness was set on the datasets without an asterisk.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from coverage import hexagons
from shared import DOCS, table, write_part

import geodp
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.privacy.noise import laplace_variance
from geodp.core.regions.overlap import UNIT
from study.datasets import benchmark_datasets

TUNED = {"us-places", "uk-accidents", "gowalla-1000", "foursquare-us", "sf-cabs-grid",
         "beijing-grid", "checkins"}  # fmt: skip
EPSILONS = (1, 0.1)
HEADS = ("dataset", "ε", "in all: forecast / truth", "suits / best",
         "by region: forecast / truth", "suits / best")  # fmt: skip
MOST = 1_000_000


def kinds(domain: geodp.Domain) -> list[geodp.Workload]:
    boxes = [geodp.Workload.random_boxes(domain, [share], 150, seed=77) for share in (0.01, 0.16)]
    return [hexagons(domain), *boxes]


def came_true(tally: Tally, regions: geodp.Workload, forecast: geodp.Forecast) -> list[float]:
    """Mean error of the regions for every outlook."""
    errors = []
    for outlook in forecast.outlooks:
        place = tally.plan.grids.index(outlook.cells)
        overlap = regions.overlap(outlook.cells)
        response = np.array([value / UNIT for value in overlap.responses(tally.counts(place))])
        noise = laplace_variance(outlook.scale) * overlap.power_sum(2)
        errors.append(float(np.sqrt((response - tally.inside()) ** 2 + noise).mean()))
    return errors


def compared(points: tuple[np.ndarray, np.ndarray], domain: geodp.Domain) -> np.ndarray:
    """Return by ε: forecast over truth and suited over best, in all and by region."""
    rows = []
    for regions in kinds(domain):
        grids = geodp.candidate_grids(domain)
        tally = Tally(Plan(grids, regions))
        tally.add(*points)
        for epsilon in EPSILONS:
            row = []
            for expected in (float(tally.counts(0).sum()), np.asarray(tally.inside(), float)):
                options = {
                    "cells": geodp.Regular(grids),
                    "epsilons": [epsilon],
                    "expected": expected,
                }
                forecast = geodp.forecast(regions=regions, **options)
                true = came_true(tally, regions, forecast)
                suited = [row["suits"] for row in forecast.table()].index(True)
                row += [
                    forecast.table()[suited]["std_error"] / true[suited],
                    true[suited] / min(true),
                ]
            rows.append(np.log(row))
    shape = (len(rows) // len(EPSILONS), len(EPSILONS), 4)
    return np.exp(np.reshape(rows, shape).mean(axis=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the real datasets")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    rows, fresh = [], []
    for name, dataset in benchmark_datasets(options.data).items():
        x, y = dataset.points()
        step = -(-len(x) // MOST)
        for epsilon, figures in zip(EPSILONS, compared((x[::step], y[::step]), dataset.domain)):
            star = "" if name in TUNED else " *"  # left out, as in coverage.py
            rows.append((dataset.title + star, epsilon, *(f"{value:.2f}" for value in figures)))
            print(*rows[-1], flush=True)
            fresh += [figures] if star else []
    ratios = np.array(fresh)
    forecasts, sizes = ratios[:, [0, 2]], ratios[:, [1, 3]]
    means = [np.exp(np.log(part).mean()) for part in (forecasts, sizes)]
    words = (
        f"With an asterisk: forecast over truth from {forecasts.min():.2f} to "
        f"{forecasts.max():.2f}, {means[0]:.2f} in the mean; the size that was to suit had "
        f"{means[1]:.2f} times the error "
        f"of the best in the mean, {sizes.max():.2f} times at the most. Made by "
        "`python benchmarks/forecast.py`."
    )
    text = "\n".join([*table(HEADS, rows), "", words])
    print(text)
    if options.write:
        write_part(DOCS / "benchmarks.md", "forecast", text)


if __name__ == "__main__":
    main()
