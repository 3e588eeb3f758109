"""Count how often intervals hold: of districts, unions of them, and halves that nobody named.

    python benchmarks/district_intervals.py --data FOLDER --only us-zipcodes,uk-accidents

Districts are the parts nearest to places drawn evenly, measured by themselves and as roots of
adaptive cells. Unions are of three and eight neighbours; halves are what lies west of the middle of
a district's bounding box.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import geopandas
import numpy as np
import shapely
from district_trees import EPSILONS, nearest_parts
from shared import table

import geodp
from geodp.core.space.domain import Crs
from geodp.core.space.grid import in_domain
from study.datasets import Dataset, benchmark_datasets

COUNTS = (50, 300)


def asked_about(
    layer: geopandas.GeoDataFrame, district: np.ndarray, x: np.ndarray
) -> dict[str, tuple[geopandas.GeoDataFrame, np.ndarray]]:
    """Return regions of each kind, and what they hold."""
    shapes = layer.geometry.to_numpy()
    held = np.bincount(district, minlength=len(layer))
    centres = shapely.get_coordinates(shapely.centroid(shapes))
    chosen = np.random.default_rng(3).permutation(len(layer))[:40]
    distance = ((centres[chosen, None] - centres) ** 2).sum(axis=2)
    groups = [near[:size] for near in np.argsort(distance, axis=1) for size in (3, 8)]
    west, south, east, north = shapely.bounds(shapes).T
    middle = (west + east) / 2
    halves = shapely.intersection(shapes, shapely.box(west, south, middle, north))
    in_half = district[x < middle[district]]
    regions = {
        "districts": (shapes, held),
        "unions": (
            [shapely.union_all(shapes[group]) for group in groups],
            np.array([held[group].sum() for group in groups]),
        ),
        "halves": (halves, np.bincount(in_half, minlength=len(layer))),
    }
    return {
        kind: (geopandas.GeoDataFrame(geometry=list(values), crs=layer.crs), truth)
        for kind, (values, truth) in regions.items()
    }


def dataset_rows(dataset: Dataset, releases: int) -> list[list[object]]:
    """Return for each number of districts and ε how many intervals in a hundred hold."""
    domain = geodp.Domain(dataset.domain.bounds, Crs("EPSG:5070"))  # any metres do
    _, x, y = in_domain(domain, *map(np.asarray, dataset.points()))
    rows: list[list[object]] = []
    for count in COUNTS:
        layer = nearest_parts(domain, count, seed=1)
        districts = geodp.Districts(layer, name="name")
        district = districts.cells.districts.locate(x, y)
        inside = district >= 0
        asked = asked_about(layer, district[inside], x[inside])
        for epsilon in EPSILONS:
            row: list[object] = [dataset.name, count, epsilon]
            for cells in (districts, geodp.Adaptive(districts=districts)):
                repeated = [
                    geodp.release((x, y), epsilon=epsilon, cells=cells, seed=seed)
                    for seed in range(releases)
                ]
                for regions, truth in asked.values():
                    answers = [release.query(regions) for release in repeated]
                    held = [(a.ci_low <= truth) & (truth <= a.ci_high) for a in answers]
                    row.append(100 * float(np.mean(held)))
            rows.append(row)
            print(
                *(f"{value:.1f}" if isinstance(value, float) else value for value in row),
                flush=True,
            )
    return rows


def main() -> None:
    """Print a table, and the mean and the least of each column."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the datasets; samples without")
    parser.add_argument("--only", help="names of datasets, with commas between")
    parser.add_argument("--releases", type=int, default=3)
    given = parser.parse_args()
    every = benchmark_datasets(given.data)
    names = given.only.split(",") if given.only else list(every)
    rows = [row for name in names for row in dataset_rows(every[name], given.releases)]
    kinds = [
        f"{kind}{root}" for root in ("", ", tree") for kind in ("districts", "unions", "halves")
    ]
    text = [
        [f"{value:.1f}" if isinstance(value, float) else value for value in row] for row in rows
    ]
    print("\n".join(table(["dataset", "districts", "ε", *kinds], text)))
    for place, kind in enumerate(kinds, start=3):
        held = np.array([row[place] for row in rows], dtype=float)
        print(f"{kind}: 95 % intervals hold {held.mean():.1f} %, at the least {held.min():.1f} %")


if __name__ == "__main__":
    main()
