"""From ten thousand points to a hundred million: time and memory, as ratios from one run.

The points are made on the fly (300 towns) in a temporary folder and removed afterwards; the
largest file takes 1.6 GB. Every measurement is a process of its own, so that its peak memory is its
own too. The time is that of the work, without starting Python and importing libraries.

    python benchmarks/scale.py              # the figures of docs/scale.md, some minutes
    python benchmarks/scale.py --write      # and put them there
    python benchmarks/scale.py --quick      # up to a million points
    python benchmarks/scale.py --only dask  # the table of Dask alone
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from shared import (
    BOUNDS,
    CRS,
    DOCS,
    all_towns,
    load,
    make_parser,
    peak_memory,
    seconds,
    table,
    towns,
    write_part,
)  # fmt: skip

import geodp
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.streams import tally_stream

TABLE = {"x": "x", "y": "y", "crs": CRS}
KINDS = ("regular", "adaptive")


# --- made points ---------------------------------------------------------------------------------


def write_table(path: Path, count: int) -> None:
    with pq.ParquetWriter(path, pa.schema([("x", pa.float64()), ("y", pa.float64())])) as writer:
        for x, y in towns(count):
            writer.write_table(pa.table({"x": x, "y": y}))


def write_folder(folder: Path, count: int, files: int) -> None:
    folder.mkdir()
    x, y = all_towns(count)
    for number in range(files):
        table = pa.table({"x": x[number::files], "y": y[number::files]})
        pq.write_table(table, folder / f"{number:03}.parquet")


def write_formats(folder: Path, count: int) -> dict[str, tuple[Path, dict[str, str]]]:
    """Write the same points in several formats, with the options that each needs."""
    import geopandas as gpd

    x, y = all_towns(count)
    frame = gpd.GeoDataFrame(geometry=gpd.points_from_xy(x, y), crs=CRS)
    paths = {name: folder / name for name in ("xy.parquet", "wkb.parquet", "arrow.parquet")}
    pq.write_table(pa.table({"x": x, "y": y}), paths["xy.parquet"])
    frame.to_parquet(paths["wkb.parquet"])
    frame.to_parquet(paths["arrow.parquet"], geometry_encoding="geoarrow")
    pyarrow.csv.write_csv(pa.table({"x": x, "y": y}), folder / "xy.csv")
    frame.to_file(folder / "points.gpkg")
    return {
        "Parquet, x and y": (paths["xy.parquet"], TABLE),
        "GeoParquet, WKB": (paths["wkb.parquet"], {}),
        "GeoParquet, GeoArrow": (paths["arrow.parquet"], {}),
        "CSV, x and y": (folder / "xy.csv", TABLE),
        "GeoPackage": (folder / "points.gpkg", {}),
    }


# --- one measurement, in a process of its own ----------------------------------------------------


def read_alone(path: Path) -> None:
    """Bring the bytes of the coordinates into memory, batch by batch, as any program must."""
    if path.suffix == ".parquet":
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            for group in range(file.num_row_groups):
                for _ in file.iter_batches(batch_size=1 << 18, row_groups=[group]):
                    pass
    elif path.suffix == ".csv":
        for _ in pyarrow.csv.open_csv(path):
            pass
    else:
        import pyogrio

        with pyogrio.open_arrow(path, batch_size=1 << 18, use_pyarrow=True) as (_, reader):
            for _ in reader:
                pass


def read_into_memory(path: Path) -> None:
    """Read all coordinates as two arrays, as a script does that goes on in NumPy."""
    table = pq.read_table(path)
    for name in ("x", "y"):
        table[name].to_numpy()


def release_job(path: Path, options: dict[str, str], cells: str) -> None:
    points = geodp.read_points(path, **options)
    geodp.release(points, geodp.Domain(BOUNDS, crs=CRS), epsilon=1, cells=cells)


def child(order: str) -> None:
    job, path, options = json.loads(order)
    import pyogrio
    import pyproj
    import shapely

    del pyogrio, pyproj, shapely  # imported now, not while the time is taken
    for name in geodp.__all__:
        getattr(geodp, name)
    works: dict[str, Callable[[Path], None]] = {"read": read_alone, "memory": read_into_memory}
    work = works.get(job, lambda path: release_job(path, options, job))
    started = time.perf_counter(), time.process_time()
    work(Path(path))
    taken = time.perf_counter() - started[0], time.process_time() - started[1]
    print(json.dumps([*taken, peak_memory()]))


def measured(
    job: str, path: Path, options: dict[str, str], repeats: int
) -> tuple[float, float, float]:
    """Measure median seconds, least seconds of processors, and largest peak in MiB."""
    runs = []
    for _ in range(repeats):
        order = json.dumps([job, str(path), options])
        command = [sys.executable, __file__, "--child", order]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    seconds, busy, peaks = zip(*runs)
    return statistics.median(seconds), min(busy), max(peaks)


# --- tables --------------------------------------------------------------------------------------


def sizes_table(folder: Path, powers: range, repeats: int) -> list[str]:
    figures = ("s", "ratio", "ratio of processor time", "ratio to memory", "peak, MiB")
    heads = ("points", "reading alone, s", "reading into memory, s")
    heads += tuple(f"{kind}, {figure}" for kind in KINDS for figure in figures)
    rows = []
    for power in powers:
        say(f"10^{power} points")
        path = folder / f"{power}.parquet"
        write_table(path, 10**power)
        read, alone, _ = measured("read", path, TABLE, repeats)
        kept, _, _ = measured("memory", path, TABLE, repeats)
        row = []
        for kind in KINDS:
            seconds, busy, peak = measured(kind, path, TABLE, repeats)
            ratios = (f"{part:.1f}" for part in (seconds / read, busy / alone, seconds / kept))
            row += [f"{seconds:.3g}", *ratios, f"{peak:.0f}"]
        path.unlink()
        rows.append((f"{10**power:,}", f"{read:.3g}", f"{kept:.3g}", *row))
    return table(heads, rows, words=0)


def formats_table(folder: Path, count: int, repeats: int) -> list[str]:
    first = f"format, {count:,} points"
    rows = []
    for name, (path, options) in write_formats(folder, count).items():
        say(name)
        read, _, _ = measured("read", path, options, repeats)
        seconds, _, peak = measured("regular", path, options, repeats)
        rows.append((name, f"{seconds:.3g}", f"{read:.3g}", f"{seconds / read:.1f}", f"{peak:.0f}"))
    return table((first, "whole release, s", "reading alone, s", "ratio", "peak, MiB"), rows)


def dask_job(order: str) -> None:
    """Release from a folder on so many workers, or on none; print times and this process's peak."""
    folder, workers, keep, repeats = json.loads(order)
    domain = geodp.Domain(BOUNDS, crs=CRS)

    def job(client: Any = None) -> None:
        points = geodp.read_points(folder, scheduler=client, **TABLE)
        geodp.release(points, domain, epsilon=1)

    def timed(client: Any = None) -> tuple[float, float, float]:
        elsewhere, here = _workers_busy(client), time.process_time()
        taken = seconds(lambda: job(client))
        return taken, time.process_time() - here, _workers_busy(client) - elsewhere

    with dask_client(workers, keep) as client:
        job(client)  # libraries are imported, by the workers too
        runs = [timed(client) for _ in range(repeats)]
    taken, here, elsewhere = zip(*runs)
    print(json.dumps([statistics.median(taken), min(here), min(elsewhere), peak_memory()]))


@contextmanager
def dask_client(workers: int, keep: bool) -> Iterator[Any]:
    """Start worker processes, which keep freed memory or hand it back; None for no workers."""
    if not workers:
        yield None
        return
    import dask
    import distributed

    name = "distributed.nanny.pre-spawn-environ"
    settings = dict(dask.config.get(name))
    if keep:
        settings["MALLOC_MMAP_THRESHOLD_"] = 1 << 25
    with (
        dask.config.set({name: settings}),
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        yield client


def _workers_busy(client: Any) -> float:
    return 0.0 if client is None else sum(client.run(time.process_time).values())


def dask_table(folder: Path, count: int, repeats: int) -> list[str]:
    files = 16
    write_folder(folder / "parts", count, files)
    rows = []
    for workers, keep in ((0, False), (1, False), (1, True), (2, False), (2, True)):
        say(f"Dask with {workers} workers, {keep=}")
        order = json.dumps([str(folder / "parts"), workers, keep, repeats])
        command = [sys.executable, __file__, "--dask", order]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        taken, here, elsewhere, peak = json.loads(done.stdout)
        name = f"Dask, {workers} worker{'s' * (workers > 1)}" if workers else "without Dask"
        name += ", keeping freed memory" if keep else ""
        figures = (f"{seconds:.2f}" for seconds in (taken, here, elsewhere))
        rows.append((name, *figures, f"{peak:.0f}"))
    heads = (f"{count:,} points in {files} files", "s", "processor here, s")
    return table((*heads, "processor of workers, s", "peak here, MiB"), rows)


def pass_table(count: int, repeats: int) -> list[str]:
    """Time the counting pass alone, in memory, against the speed of memory itself."""
    domain = geodp.Domain(BOUNDS, crs=CRS)
    blocks = list(towns(count))
    plan = Plan(geodp.candidate_grids(domain), geodp.Workload.random_boxes(domain, seed=1))
    source = np.ones(1 << 25)
    target = np.empty_like(source)
    copy = min(seconds(lambda: np.copyto(target, source)) for _ in range(9))
    bandwidth = 2 * source.nbytes / copy
    limit = 16 / bandwidth * 1e9  # a point is two float64: it must at least be read
    heads = ("counting pass, in memory", "ns per point", "share of the memory limit")
    first = f"reading 16 bytes at {bandwidth / 1e9:.0f} GB/s, the limit"
    rows = [(first, f"{limit:.2f}", "100 %")]
    for threads in (0, 1, 2):
        say(f"counting pass, {threads} threads")
        taken = min(
            seconds(lambda t=threads: tally_stream(blocks, plan, t)) for _ in range(repeats)
        )
        per_point = taken / count * 1e9
        name = f"{threads} thread{'s' * (threads > 1)}" if threads else "in the reading thread"
        rows.append((name, f"{per_point:.1f}", f"{100 * limit / per_point:.1f} %"))
    return table(heads, rows)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


PARTS: dict[str, Callable[[Path, bool, int], list[list[str]]]] = {
    "scale": lambda folder, quick, repeats: [
        sizes_table(folder, range(4, 7 if quick else 9), repeats),
        formats_table(folder, 100_000 if quick else 1_000_000, repeats),
        pass_table(1 << (20 if quick else 23), 5),
    ],
    "dask": lambda folder, quick, repeats: [
        dask_table(folder, 10**6 if quick else 2 * 10**7, repeats)
    ],
}
"""Parts of docs/scale.md by the markers that they stand between."""


def report(part: str, quick: bool) -> str:
    with tempfile.TemporaryDirectory() as name:
        tables = PARTS[part](Path(name), quick, 1 if quick else 3)
    note = (
        f"Made by `python benchmarks/scale.py` on {os.cpu_count()} processors, with a load of "
        f"{load():.1f} per processor at the end of the run."
    )
    return "\n\n".join(["\n".join(lines) for lines in tables] + [note])


def main() -> None:
    parser = make_parser(__doc__, "up to a million points", "scale.md")
    parser.add_argument("--only", choices=PARTS, help="make one part of the page alone")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--dask", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    if options.dask:
        dask_job(options.dask)
        return
    for part in [options.only] if options.only else PARTS:
        text = report(part, options.quick)
        print(text)
        if options.write:
            write_part(DOCS / "scale.md", part, text)


if __name__ == "__main__":
    main()
