"""Measure what pictures and files cost: time of the processor beside the release, and memory.

    python benchmarks/picture_costs.py --data FOLDER             prints the table
    python benchmarks/picture_costs.py --data FOLDER --write     and puts it into docs/benchmarks.md

Every file is written in a process of its own, after one of an empty release, which loads what is
loaded once. Time is that of the processor, so that other work on the machine matters less. Memory
is the most that the process held, with its points, the libraries and the release. Without a data
folder, made points are measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shared

import geodp

PAGE = shared.DOCS / "benchmarks.md"


class Map(NamedTuple):
    """Say what is released: a file, its ε, and where it lies, in the order of the columns."""

    title: str
    file: str
    epsilon: float
    crs: str
    bounds: tuple[float, float, float, float]


MAPS = {
    "foursquare": Map(
        "Foursquare, 369,443 points, ε = 1",
        "foursquare_us_5000users.parquet",
        1.0,
        "EPSG:5070",
        (-2_400_000, 200_000, 2_300_000, 3_200_000),
    ),
    "cabs": Map(
        "SF cab pickups, ε = 5",
        "sf_cabs_pickups.parquet",
        5.0,
        "EPSG:26910",
        (540_000, 4_160_000, 566_000, 4_194_000),
    ),
}

ROWS = (
    ("foursquare", "counts.tif", {}, "≤ 10 × the release; < 400 MiB"),
    ("foursquare", "counts.png", {}, "≤ 1 s; < 400 MiB"),
    ("foursquare", "counts.png", {"view": "smooth"}, ""),
    ("foursquare", "counts.png", {"view": "dots"}, ""),
    ("foursquare", "counts.html", {}, "≤ 1.5 s; < 400 MiB"),
    ("cabs", "counts.png", {}, "≤ 2.5 s"),
)
"""What is written of which map, how, and the goal."""


class Cost(NamedTuple):
    """Seconds of the processor for the release and for a file of it, those of the clock for the
    file, MiB, and how many cells."""

    release: float
    file: float
    clock: float
    memory: float
    cells: int


def read_points(name: str, data: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Read the points of a map, in its CRS."""
    if data is None:
        x, y = shared.all_towns(300_000)
        (left, bottom, right, top), (xmin, ymin, xmax, ymax) = MAPS[name].bounds, shared.BOUNDS
        across, up = (right - left) / (xmax - xmin), (top - bottom) / (ymax - ymin)
        return left + (x - xmin) * across, bottom + (y - ymin) * up
    import pyarrow.parquet
    import pyproj

    columns = pyarrow.parquet.read_table(data / MAPS[name].file, columns=["lon", "lat"])
    to_crs = pyproj.Transformer.from_crs(4326, MAPS[name].crs, always_xy=True)
    x, y = to_crs.transform(columns["lon"].to_numpy(), columns["lat"].to_numpy())
    return x, y


def write_file(release: geodp.Release, path: Path, options: dict[str, Any]) -> None:
    """Write a file by its suffix."""
    if path.suffix == ".tif":
        release.to_geotiff(path)
    elif path.suffix == ".html":
        release.to_report(path)
    else:
        from geodp.outputs.plot import picture

        path.write_bytes(picture(release, **options))


def measured(points: Path, row: int) -> Cost:
    """Release points and write a file, in this process."""
    name, file, options, _ = ROWS[row]
    x, y = np.load(points)
    domain = geodp.Domain(MAPS[name].bounds, crs=MAPS[name].crs)
    with tempfile.TemporaryDirectory() as folder:
        empty = geodp.release(([], []), domain, epsilon=1)
        write_file(empty, Path(folder, f"empty-{file}"), options)
        start = time.process_time()
        release = geodp.release((x, y), domain, epsilon=MAPS[name].epsilon)
        middle, before = time.process_time(), time.perf_counter()
        write_file(release, Path(folder, file), options)
        end, after = time.process_time(), time.perf_counter()
    memory = shared.peak_memory()
    return Cost(middle - start, end - middle, after - before, memory, len(release.cells))


def main() -> None:
    """Print the table, and write it if that is asked for."""
    parser = shared.make_parser(__doc__, "one run of each", "benchmarks.md")
    parser.add_argument("--data", type=Path, help="folder of the datasets")
    parser.add_argument("--points", type=Path, help="measure one row with these points, here")
    parser.add_argument("--row", type=int)
    parser.add_argument("--save", help="write the points of this map to --points, here")
    given = parser.parse_args()
    if given.save:
        np.save(given.points, np.stack(read_points(given.save, given.data)))
        return
    if given.points:
        print(json.dumps(measured(given.points, given.row)))
        return
    rows, here = [], [sys.executable, __file__]
    with tempfile.TemporaryDirectory() as folder:
        for name in MAPS:  # a process begins with the memory of the one that starts it
            saved = ["--save", name, "--points", str(Path(folder, f"{name}.npy"))]
            read = ["--data", str(given.data)] if given.data else []
            subprocess.run([*here, *saved, *read], check=True)
        for number, (name, file, options, goal) in enumerate(ROWS):
            words = ["--points", str(Path(folder, f"{name}.npy")), "--row", str(number)]
            runs = [
                Cost(*json.loads(subprocess.check_output([*here, *words])))
                for _ in range(1 if given.quick else 5)
            ]
            release = float(np.median([run.release for run in runs]))
            spent = float(np.median([run.file for run in runs]))
            clock = float(np.median([run.clock for run in runs]))
            memory = max(run.memory for run in runs)
            view = f", {options['view']}" if options else ""
            title = MAPS[name].title if given.data else f"300,000 made points ({name})"
            words = [title, f"`{Path(file).suffix}`{view}", goal, f"{runs[0].cells:,}"]
            times = [f"{spent:.2f} s", f"{clock:.2f} s", f"{spent / release:.1f}"]
            rows.append([*words, *times, f"{memory:,.0f} MiB"])
            print(*rows[-1], flush=True)
    heads = ("map", "file", "goal", "cells", "processor", "clock", "/ release", "memory")
    lines = shared.table(heads, rows, words=3)
    if given.write:
        shared.write_part(PAGE, "picture-costs", "\n".join(lines))


if __name__ == "__main__":
    main()
