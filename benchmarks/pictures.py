"""Compare what pictures draw with the signed counts, and their cost with that of the release.

python benchmarks/pictures.py --data FOLDER --write     seven datasets; into docs/benchmarks.md
python benchmarks/pictures.py                           the sample data; prints only

Distances are to the true counts, as means over runs and relative to those of the signed counts:
total variation on 64 × 64 blocks, and how far records would have to be moved. Costs are seconds of
the processor, relative to the release itself. A data folder has what study/datasets.py names.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from shared import table, write_part

import geodp
from geodp.core.views.best_guess import best_guess
from geodp.core.views.dots import dots_of
from geodp.core.views.smooth import smoothed
from geodp.outputs.plot import picture
from study.datasets import Dataset, benchmark_datasets

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
NAMES = (
    *("us-places", "us-zipcodes", "uk-accidents", "world-places"),
    *("gowalla-1000", "foursquare-us", "sf-pickups"),
)
COSTLY = "foursquare-us"
VIEWS = ("best", "smooth", "dots")
SIDE = 64


def shares(low: np.ndarray, high: np.ndarray, start: float, end: float) -> np.ndarray:
    """What part of each span lies in each block along an axis."""
    lines = np.linspace(start, end, SIDE + 1)
    covered = np.minimum(high[:, None], lines[1:]) - np.maximum(low[:, None], lines[:-1])
    return np.maximum(covered, 0) / (high - low)[:, None]


def blocks(release: geodp.Release, values: np.ndarray) -> np.ndarray:
    """Values of cells, spread evenly, on blocks of the domain; row 0 in the south."""
    xmin, ymin, xmax, ymax = release.domain.bounds
    left, bottom, right, top = release.cells.bounds.T
    across, up = shares(left, right, xmin, xmax), shares(bottom, top, ymin, ymax)
    return (up * values[:, None]).T @ across


def smooth_blocks(release: geodp.Release) -> np.ndarray:
    """The same of a smooth picture."""
    smooth = smoothed(release)
    xmin, ymin, xmax, ymax = release.domain.bounds
    x, y = smooth.grid.x_edges, smooth.grid.y_edges
    across, up = shares(x[:-1], x[1:], xmin, xmax), shares(y[:-1], y[1:], ymin, ymax)
    return up.T @ smooth.mass[::-1] @ across


def distances(drawn: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Total variation of shares, and how far records are off, in sides of the domain.

    How far is bounded from blocks that halve again and again: what two maps differ by on blocks of
    one size has to be moved by about a side of these.
    """
    off = drawn / drawn.sum() - truth / truth.sum()
    first, moved = float(np.abs(off).sum() / 2), 0.0
    while len(off) > 1:
        moved += float(np.abs(off).sum() / 2) / len(off)
        off = off.reshape(len(off) // 2, 2, len(off) // 2, 2).sum(axis=(1, 3))
    return first, moved


def ratios(dataset: Dataset, epsilon: float, runs: int) -> dict[str, np.ndarray]:
    """Distances of each view relative to those of the signed counts."""
    x, y = dataset.points()
    xmin, ymin, xmax, ymax = dataset.domain.bounds
    ranges = (ymin, ymax), (xmin, xmax)
    truth, _, _ = np.histogram2d(y, x, bins=SIDE, range=ranges)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ("signed", *VIEWS)}
    for run in range(runs):
        made = geodp.release((x, y), dataset.domain, epsilon=epsilon, seed=run)
        dots = dots_of(made, per=1, seed=run)
        drawn = {
            "signed": blocks(made, made.counts),
            "best": blocks(made, best_guess(made)),
            "smooth": smooth_blocks(made),
            "dots": np.histogram2d(dots.y, dots.x, bins=SIDE, range=ranges)[0],
        }
        for name, values in drawn.items():
            found[name].append(distances(values, truth))
    means = {name: np.mean(each, axis=0) for name, each in found.items()}
    return {name: means[name] / means["signed"] for name in VIEWS}


def processor(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def costs(dataset: Dataset) -> list[tuple[str, str]]:
    """Seconds of the processor for each kind of file, relative to the release."""
    x, y = dataset.points()
    cost = min(
        processor(lambda: geodp.release((x, y), dataset.domain, epsilon=1)) for _ in range(3)
    )
    made = geodp.release((x, y), dataset.domain, epsilon=1)
    picture(made)  # matplotlib fills its caches
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        again = (geodp.release((x, y), dataset.domain, epsilon=1) for _ in range(4))
        work: dict[str, Callable[[geodp.Release], object]] = {
            "GeoTIFF": lambda one: one.to_geotiff(Path(folder) / "c.tif", overwrite=True),
            "PNG": picture,
            "PNG, smooth": lambda one: picture(one, view="smooth"),
            "report": lambda one: one.to_report(Path(folder) / "c.html", overwrite=True),
        }
        for (name, write), one in zip(work.items(), again):
            rows.append((name, f"{processor(partial(write, one)) / cost:.1f}"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path, help="folder of the datasets")
    parser.add_argument("--write", action="store_true", help="put the figures into docs")
    given = parser.parse_args()
    known = benchmark_datasets(given.data)
    sets = [known[name] for name in NAMES if name in known]
    rows, every = [], []
    for dataset in sets:
        for epsilon in (0.1, 1.0, 5.0):
            found = ratios(dataset, epsilon, given.runs)
            every.append(found)
            parts = (f"{part:.2f}" for name in VIEWS for part in found[name])
            rows.append((dataset.title, f"{epsilon:g}", *parts))
            print(*rows[-1], flush=True)
    means = {
        name: np.exp(np.mean([np.log(each[name]) for each in every], axis=0)) for name in VIEWS
    }
    middle = (f"**{part:.2f}**" for name in VIEWS for part in means[name])
    rows.append(("geometric mean", "", *middle))
    heads = ("dataset", "ε", *(f"{name}: {what}" for name in VIEWS for what in ("TV", "moved")))
    large = next((each for each in sets if each.name == COSTLY), sets[0])
    costly = table((f"file ({large.title})", "seconds / release"), costs(large))
    text = "\n".join([*table(heads, rows, 2), "", *costly])
    print(text)
    if given.write:
        write_part(PAGE, "pictures", text)


if __name__ == "__main__":
    main()
