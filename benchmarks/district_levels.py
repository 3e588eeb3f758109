"""Levels in cells rooted in districts: errors of states, counties and boxes with and without.

    python benchmarks/district_levels.py --data FOLDER       all datasets
    python benchmarks/district_levels.py --releases 3        the sample data

Counties are the parts of a domain nearest to places drawn evenly, and states hold those whose place
is nearest to one of fewer places. Every dataset is released with cells rooted in the counties
alone, and in counties in states. Printed are mean absolute errors of states and counties and the
score of boxes, as ratios to the first, and how often nominal 95 % intervals hold the truth.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import geopandas
import numpy as np
from district_trees import LEFT_OUT, box_score, boxes_in, nearest_parts, true_counts
from shared import table

import geodp
from geodp.core.space.domain import Crs
from geodp.core.space.grid import in_domain
from study.datasets import Dataset, benchmark_datasets

UNITS = ((20, 300), (50, 3000))
"""States and counties."""

EPSILONS = ("0.1", "1")


def counties_in_states(domain: geodp.Domain, states: int, counties: int) -> geopandas.GeoDataFrame:
    """Draw counties, each in the state whose place is nearest to its middle."""
    layer = nearest_parts(domain, counties, seed=1)
    rng = np.random.default_rng(2)
    middles = layer.geometry.centroid
    places = np.column_stack([middles.x, middles.y])
    low, high = np.array(domain.bounds[:2]), np.array(domain.bounds[2:])
    seats = low + rng.random((states, 2)) * (high - low)
    nearest = ((places[:, None] - seats) ** 2).sum(axis=2).argmin(axis=1)
    return layer.assign(state=[f"state {number}" for number in nearest])


def figures(
    layer: geodp.Districts, points: tuple[np.ndarray, np.ndarray], epsilon: str, releases: int
) -> dict[str, float]:
    """Measure errors and coverage of some releases: states, counties and boxes."""
    cells = layer.cells
    levels = geodp.Districts(layer.layer, levels=["state", "name"]).cells
    held = np.bincount(levels.districts.locate(*points), minlength=len(levels)).astype(float)
    units = np.add.reduceat(held, levels.levels.smallest_units(1)[:-1])
    united = levels.districts.unions(
        np.repeat(np.arange(len(units)), np.diff(levels.levels.smallest_units(1))), len(units)
    )
    boxes = boxes_in(cells.domain)
    asked = {
        "states": (geodp.Workload.from_polygons(united, cells.domain), units),
        "counties": (geodp.Workload.from_polygons(levels.polygons, cells.domain), held),
        "boxes": (geodp.Workload.from_boxes(boxes, cells.domain), true_counts(boxes, *points)),
    }
    errors: dict[str, list[np.ndarray]] = {name: [] for name in asked}
    covered: dict[str, list[float]] = {name: [] for name in asked}
    for seed in range(releases):
        tree = geodp.Adaptive(districts=layer)
        release = geodp.release(points, epsilon=epsilon, cells=tree, seed=seed)
        for name, (regions, true) in asked.items():
            answers = release.query(regions)
            covered[name].append(
                float(((answers.ci_low <= true) & (true <= answers.ci_high)).mean())
            )
            scale = np.maximum(true, len(points[0]) / 1000) if name == "boxes" else 1.0
            errors[name].append(np.abs(answers.estimate - true) / scale)
    scores = {name: float(np.mean(error)) for name, error in errors.items()}
    scores["boxes"] = box_score(np.array(errors["boxes"]))
    return scores | {f"{name} held": float(np.mean(held)) for name, held in covered.items()}


def level_rows(dataset: Dataset, releases: int) -> list[list[object]]:
    domain = geodp.Domain(dataset.domain.bounds, Crs("EPSG:5070"))  # any metres do
    _, x, y = in_domain(domain, *map(np.asarray, dataset.points()))
    rows = []
    for states, counties in UNITS:
        layer = counties_in_states(domain, states, counties)
        for epsilon in EPSILONS:
            alone, nested = (
                figures(geodp.Districts(layer, **named), (x, y), epsilon, releases)
                for named in ({"name": "name"}, {"levels": ["state", "name"]})
            )
            row = [dataset.name, f"{states} / {counties}", epsilon]
            row += [nested[name] / alone[name] for name in ("states", "counties", "boxes")]
            row += [nested[f"{name} held"] for name in ("states", "counties", "boxes")]
            rows.append(row)
            print(
                *(f"{value:.3g}" if isinstance(value, float) else value for value in row),
                flush=True,
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the datasets")
    parser.add_argument("--releases", type=int, default=5)
    parser.add_argument("--only", help="name of one dataset")
    given = parser.parse_args()
    every = {
        name: dataset
        for name, dataset in benchmark_datasets(given.data).items()
        if name not in LEFT_OUT and given.only in (None, name)
    }
    rows = [row for dataset in every.values() for row in level_rows(dataset, given.releases)]
    text = [
        [f"{value:.2f}" if isinstance(value, float) else value for value in row] for row in rows
    ]
    heads = ["dataset", "states / counties", "ε", "states /", "counties /", "boxes /"]
    print("\n".join(table([*heads, "states held", "counties held", "boxes held"], text)))
    for place, name in enumerate(("states", "counties", "boxes"), start=3):
        ratio = np.array([row[place] for row in rows], dtype=float)
        held = np.array([row[place + 3] for row in rows], dtype=float)
        mean = float(np.exp(np.log(ratio).mean()))
        print(f"{name}: geometric mean {mean:.2f}, worst {ratio.max():.2f}; held {held.mean():.1%}")


if __name__ == "__main__":
    main()
