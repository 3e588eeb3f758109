"""Cells rooted in districts against plain adaptive cells: errors of districts and of boxes.

    python benchmarks/district_trees.py --data FOLDER       all datasets
    python benchmarks/district_trees.py --releases 3        the sample data
    python benchmarks/district_trees.py --data FOLDER --only tdrive --epsilons 0.1 --layer 2

Every dataset is released with plain adaptive cells and with cells rooted in 50, 300 and 3,000
districts, which are the parts nearest to places drawn evenly, for three ε. Both are asked about the
districts, and about boxes with sides of 2 % to 80 % of the domain's. Printed are the mean absolute
error over districts and the score of boxes (the geometric mean over sides of the mean relative
error) as ratios to the plain cells, and how often nominal 95 % intervals hold the truth. No
constant was set on these figures. Where cells end beside crowds is luck, that of plain cells too:
``--layer`` takes other districts, to see how much of a ratio it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import geopandas
import numpy as np
import shapely
from shared import table

import geodp
from geodp.core.space.domain import Crs
from geodp.core.space.grid import in_domain
from study.datasets import Dataset, benchmark_datasets

DISTRICTS = (50, 300, 3000)
EPSILONS = ("0.1", "1", "5")
SIDES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.8)
BOXES = 60
"""Boxes of each side."""

LEFT_OUT = ("world-places", "gowalla-1000", "sf-cabs", "gowalla-grid", "beijing-grid")
"""Places of the whole world in degrees of area, and millions of points: other scripts have them."""


def nearest_parts(domain: geodp.Domain, count: int, seed: int) -> geopandas.GeoDataFrame:
    """Divide a domain into parts nearest to each of some places drawn evenly."""
    rng = np.random.default_rng(seed)
    low, high = np.array(domain.bounds[:2]), np.array(domain.bounds[2:])
    places = shapely.multipoints(low + rng.random((count, 2)) * (high - low))
    parts = shapely.get_parts(shapely.voronoi_polygons(places, extend_to=shapely.box(*low, *high)))
    parts = shapely.intersection(parts, shapely.box(*domain.bounds))
    names = [f"part {number}" for number in range(len(parts))]
    return geopandas.GeoDataFrame({"name": names}, geometry=parts, crs=domain.crs.name)


def boxes_in(domain: geodp.Domain, seed: int = 99) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low = np.concatenate([rng.random((BOXES, 2)) * (1 - side) for side in SIDES])
    size = np.repeat(SIDES, BOXES)[:, None]
    corner, extent = np.array(domain.bounds[:2]), np.array([domain.width, domain.height])
    return np.hstack([corner + low * extent, corner + (low + size) * extent])


def true_counts(boxes: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    inside = [
        np.count_nonzero((x >= west) & (x < east) & (y >= south) & (y < north))
        for west, south, east, north in boxes
    ]
    return np.array(inside, dtype=float)


def box_score(errors: np.ndarray) -> float:
    """Return the geometric mean over sides of the mean relative error."""
    means = errors.reshape(-1, len(SIDES), BOXES).mean(axis=(0, 2))
    return float(np.exp(np.log(means).mean()))


def measured(
    cells: geodp.Adaptive,
    domain: geodp.Domain | None,
    points: tuple[np.ndarray, np.ndarray],
    asked: list[tuple[geodp.Workload, np.ndarray]],
    epsilon: str,
    releases: int,
) -> dict[str, float]:
    """Measure errors and coverage of some releases: districts first, then boxes."""
    (districts, held), (boxes, truth) = asked
    floor = np.maximum(truth, len(points[0]) / 1000)
    errors, relative, covered = [], [], ([], [])
    for seed in range(releases):
        release = geodp.release(points, domain, epsilon=epsilon, cells=cells, seed=seed)
        for place, (regions, true) in enumerate(((districts, held), (boxes, truth))):
            answers = release.query(regions)
            covered[place].append(((answers.ci_low <= true) & (true <= answers.ci_high)).mean())
            if place == 0:
                errors.append(np.abs(answers.estimate - true).mean())
            else:
                relative.append(np.abs(answers.estimate - true) / floor)
    return {
        "districts": float(np.mean(errors)),
        "boxes": box_score(np.array(relative)),
        "districts held": float(np.mean(covered[0])),
        "boxes held": float(np.mean(covered[1])),
    }


def dataset_rows(
    dataset: Dataset, releases: int, epsilons: list[str], number: int
) -> list[list[object]]:
    domain = geodp.Domain(dataset.domain.bounds, Crs("EPSG:5070"))  # any metres do
    _, x, y = in_domain(domain, *map(np.asarray, dataset.points()))
    boxes = boxes_in(domain)
    truth = true_counts(boxes, x, y)
    rows = []
    for count in DISTRICTS:
        layer = geodp.Districts(nearest_parts(domain, count, seed=number), name="name")
        cells = layer.cells
        held = np.bincount(cells.districts.locate(x, y), minlength=count).astype(float)
        asked = [
            (geodp.Workload.from_polygons(cells.polygons, domain), held),
            (geodp.Workload.from_boxes(boxes, domain), truth),
        ]
        rooted = [
            (geodp.Workload.from_polygons(cells.polygons, cells.domain), held),
            (geodp.Workload.from_boxes(boxes, cells.domain), truth),
        ]
        for epsilon in epsilons:
            plain = measured(geodp.Adaptive(), domain, (x, y), asked, epsilon, releases)
            tree = geodp.Adaptive(districts=layer)
            errors = measured(tree, None, (x, y), rooted, epsilon, releases)
            row = [dataset.name, count, epsilon, f"{len(x) * float(epsilon) / count:,.0f}"]
            row += [errors[name] / plain[name] for name in ("districts", "boxes")]
            row += [errors["districts held"], errors["boxes held"]]
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
    parser.add_argument("--epsilons", default=",".join(EPSILONS), help="with commas between")
    parser.add_argument("--layer", type=int, default=1, help="number of the layer of districts")
    given = parser.parse_args()
    epsilons = given.epsilons.split(",")
    every = {
        name: dataset
        for name, dataset in benchmark_datasets(given.data).items()
        if name not in LEFT_OUT and given.only in (None, name)
    }
    if not every:
        parser.error(f"there is no dataset {given.only!r} to compare")
    rows = [
        row
        for dataset in every.values()
        for row in dataset_rows(dataset, given.releases, epsilons, given.layer)
    ]
    cells = [
        [f"{value:.2f}" if isinstance(value, float) else value for value in row] for row in rows
    ]
    heads = ["dataset", "districts", "ε", "records·ε each", "districts /", "boxes /"]
    print("\n".join(table([*heads, "districts held", "boxes held"], cells)))
    for place, name in ((4, "districts"), (5, "boxes")):
        ratio = np.array([row[place] for row in rows], dtype=float)
        mean = float(np.exp(np.log(ratio).mean()))
        print(f"{name}: geometric mean {mean:.2f} of plain cells, worst {ratio.max():.2f}")
    for place, name in ((6, "districts"), (7, "boxes")):
        held = np.array([row[place] for row in rows], dtype=float)
        print(f"{name}: 95 % intervals hold {held.mean():.1%}, at the least {held.min():.1%}")


if __name__ == "__main__":
    main()
