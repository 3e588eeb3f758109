"""Compare what pictures draw with the signed counts, and their cost with that of the release.

python benchmarks/pictures.py [--runs 5]

Distances are to the true counts of the sample data, as means over runs and relative to those of
the signed counts: total variation on blocks, and the distance that records would have to be moved
along each axis. Costs are seconds of the processor, relative to the release itself.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import geopandas
import numpy as np
from shared import table

import geodp
from geodp.core.publish.best_guess import best_guess
from geodp.core.publish.dots import dots_of
from geodp.outputs.multiples import picture

SAMPLES = Path(__file__).parents[1] / "sample_data"
BOUNDS = (-2_400_000, 200_000, 2_300_000, 3_200_000)
SIDE = 64


def blocks(release: geodp.Release, values: np.ndarray) -> np.ndarray:
    """Values of cells, spread evenly, on blocks of the domain."""
    xmin, ymin, xmax, ymax = BOUNDS
    edges = np.linspace(xmin, xmax, SIDE + 1), np.linspace(ymin, ymax, SIDE + 1)
    left, bottom, right, top = release.cells.bounds.T
    parts = []
    for (low, high), lines in zip(((left, right), (bottom, top)), edges):
        covered = np.minimum(high[:, None], lines[1:]) - np.maximum(low[:, None], lines[:-1])
        parts.append(np.maximum(covered, 0) / (high - low)[:, None])
    return (parts[1] * values[:, None]).T @ parts[0]


def distances(found: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Total variation of shares, and by how much they must be moved along the axes, in blocks."""
    one, other = found / found.sum(), truth / truth.sum()
    moved = sum(
        np.abs(np.cumsum(one.sum(axis=axis) - other.sum(axis=axis))).sum() for axis in (0, 1)
    )
    return float(np.abs(one - other).sum() / 2), float(moved)


def processor(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    points = geopandas.read_file(SAMPLES / "us_places.gpkg").geometry
    x, y = points.x.to_numpy(), points.y.to_numpy()
    domain = geodp.Domain(BOUNDS, crs="EPSG:5070")
    ranges = (BOUNDS[1], BOUNDS[3]), (BOUNDS[0], BOUNDS[2])
    truth, _, _ = np.histogram2d(y, x, bins=SIDE, range=ranges)
    rows = []
    for epsilon in (0.1, 1.0, 5.0):
        found: dict[str, list[tuple[float, float]]] = {"best": [], "dots": [], "signed": []}
        for run in range(runs):
            made = geodp.release((x, y), domain, epsilon=epsilon, seed=run)
            dots = dots_of(made, per=1, seed=run)
            drawn = {
                "signed": blocks(made, made.counts),
                "best": blocks(made, best_guess(made)),
                "dots": np.histogram2d(dots.y, dots.x, bins=SIDE, range=ranges)[0],
            }
            for name, values in drawn.items():
                found[name].append(distances(values, truth))
        means = {name: np.mean(each, axis=0) for name, each in found.items()}
        for name in ("best", "dots"):
            ratio = means[name] / means["signed"]
            rows.append((f"ε = {epsilon:g}", name, *(f"{part:.2f}" for part in ratio)))
    print("\n".join(table(("", "view", "total variation", "moved"), rows, 2)), end="\n\n")
    made = geodp.release((x, y), domain, epsilon=1)
    cost = min(processor(lambda: geodp.release((x, y), domain, epsilon=1)) for _ in range(5))
    picture(made)  # matplotlib fills its caches
    with tempfile.TemporaryDirectory() as folder:
        work = {
            "GeoTIFF": lambda: made.to_geotiff(Path(folder) / "c.tif", overwrite=True),
            "PNG": lambda: picture(made),
            "report": lambda: made.to_report(Path(folder) / "c.html", overwrite=True),
        }
        costs = [(name, f"{processor(each) / cost:.1f}") for name, each in work.items()]
    print("\n".join(table(("file", "seconds / release"), costs)))


if __name__ == "__main__":
    main()
