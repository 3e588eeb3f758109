"""Counts of districts: their error beside plain noise, their intervals, and the time they take.

    python benchmarks/districts.py --write     all of it; into docs/benchmarks.md
    python benchmarks/districts.py --quick     fewer points and releases; prints only

Districts are the states of the sample data, and divisions of a made country in which everybody
belongs to the nearest of 50, 300 or 3,000 places. The rival is five lines of NumPy: the true count
plus Laplace noise of scale 1/ε. Times are of whole releases from arrays, the least of some runs,
which take turns.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import geopandas
import numpy as np
import pandas
import shapely
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
    write_part,
)

import geodp
from study.datasets import SAMPLES

COUNTS = (50, 300, 3000)
MANY = (3000, 30_000, 100_000)
EPSILONS = (1.0, 0.1)
RUNS = 3


def divided(count: int, larger: int = 30) -> geopandas.GeoDataFrame:
    """Divide the country into so many districts, in larger units by the nearest of a few places."""
    random = np.random.default_rng(count)
    places = random.uniform(BOUNDS[:2], BOUNDS[2:], (count, 2))
    frame = shapely.box(*BOUNDS)
    parts = shapely.voronoi_polygons(shapely.multipoints(places), extend_to=frame)
    shapes = shapely.intersection(shapely.get_parts(parts), frame)
    middles = shapely.get_coordinates(shapely.centroid(shapes))
    seats = random.uniform(BOUNDS[:2], BOUNDS[2:], (larger, 2))
    nearest = ((middles[:, None] - seats) ** 2).sum(axis=2).argmin(axis=1)
    names = {"state": nearest.astype(str), "county": np.arange(count).astype(str)}
    return geopandas.GeoDataFrame(names, geometry=shapes, crs=CRS)


def true_counts(layer: geopandas.GeoDataFrame, points: geopandas.GeoSeries) -> np.ndarray:
    """Count by geopandas, which puts a point on a border into either district, or both."""
    left = geopandas.GeoDataFrame(geometry=points)
    joined = left.sjoin(layer[["geometry"]].reset_index(drop=True), predicate="within")
    return np.bincount(joined["index_right"], minlength=len(layer))


def states() -> tuple[geopandas.GeoDataFrame, geopandas.GeoSeries]:
    layer = geopandas.read_file(SAMPLES / "us_districts.gpkg")
    return layer, geopandas.read_file(SAMPLES / "us_places.gpkg").geometry


def error_rows(layers: dict, releases: int) -> list[list[str]]:
    """List for each layer and ε errors of both ways, their ratio, and how many intervals hold."""
    rows = []
    random = np.random.default_rng(1)
    for name, (layer, points) in layers.items():
        truth, cells = true_counts(layer, points), geodp.Districts(layer)
        for epsilon in EPSILONS:
            ours, plain, held = [], [], []
            for _ in range(max(1, releases * 300 // len(layer))):
                columns = geodp.release(points, epsilon=epsilon, cells=cells).columns()
                ours.append(np.abs(columns["count"] - truth))
                plain.append(np.abs(random.laplace(scale=1 / epsilon, size=len(truth))))
                held.append((columns["ci_low"] <= truth) & (truth <= columns["ci_high"]))
            error, rival = np.mean(ours), np.mean(plain)
            figures = f"{error:.2f}", f"{rival:.2f}", f"{error / rival:.2f}"
            rows.append([name, f"{epsilon:g}", *figures, f"{np.mean(held):.1%}"])
    return rows


def level_rows(
    layer: geopandas.GeoDataFrame, points: geopandas.GeoSeries, releases: int
) -> list[list[str]]:
    """List errors of larger units and of districts with two levels, over those without."""
    truth = true_counts(layer, points)
    kinds = {
        "alone": geodp.Districts(layer, name="county"),
        "nested": geodp.Districts(layer, levels=["state", "county"]),
    }
    place = dict(zip(layer["county"], range(len(layer))))
    rows = []
    for epsilon in EPSILONS:
        errors: dict[str, list[list[float]]] = {name: [] for name in kinds}
        for _ in range(releases):
            for name, cells in kinds.items():
                release = geodp.release(points, epsilon=epsilon, cells=cells)
                order = [place[name] for name in release.cells.attributes()["district"]]
                wrong = release.counts - truth[order]
                sums = pandas.Series(wrong).groupby(layer["state"].to_numpy()[order]).sum()
                errors[name].append([np.abs(sums).mean(), np.abs(wrong).mean()])
        large, small = np.mean(errors["nested"], axis=0) / np.mean(errors["alone"], axis=0)
        rows.append(["larger units", f"{epsilon:g}", f"{large:.2f}", "≤ 0.60"])
        rows.append(["districts", f"{epsilon:g}", f"{small:.2f}", "≤ 1.45"])
    return rows


def time_rows(count: int, layer: geopandas.GeoDataFrame) -> list[list[str]]:
    """Time of a release in districts over that of an adaptive one, and over a spatial join."""
    x, y = all_towns(count)
    domain, cells = geodp.Domain(BOUNDS, crs=CRS), geodp.Districts(layer)
    cells.cells  # noqa: B018 (reads the layer, once for all releases)
    districts, adaptive = [], []
    for _ in range(RUNS):
        districts.append(seconds(lambda: geodp.release((x, y), epsilon=1, cells=cells)))
        adaptive.append(seconds(lambda: geodp.release((x, y), domain, epsilon=1)))
    some = max(1, count // 10)
    part = geopandas.GeoSeries(geopandas.points_from_xy(x[:some], y[:some]), crs=CRS)
    joined = seconds(lambda: true_counts(layer, part)) * count / some
    ours = min(districts)
    return [
        ["an adaptive release of the same points", f"{ours / min(adaptive):.2f}", "≤ 2"],
        ["`sjoin` of a tenth of them, times ten", f"{ours / joined:.3f}", "≤ 0.1"],
    ]


def many_row(districts: int, count: int) -> list[str]:
    """Measure time of the processor and memory of a layer and of a release, in a fresh process."""
    layer, (x, y) = divided(districts), all_towns(count)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the peak so far
    before, start = peak_memory(), time.process_time()
    cells = geodp.Districts(layer)
    cells.cells  # noqa: B018 (checks the layer)
    checked = time.process_time()
    geodp.release((x, y), epsilon=1, cells=cells)
    took = checked - start, time.process_time() - checked
    more = f"{peak_memory() - before:,.0f} MiB"
    return [f"{districts:,}", f"{count:,}", *(f"{seconds:.1f} s" for seconds in took), more]


def many_rows(count: int) -> list[list[str]]:
    """Measure few, many and very many districts, each in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(many_row, MANY, [count] * len(MANY)))


def main() -> None:
    options = make_parser(__doc__, "fewer points and releases", "benchmarks.md").parse_args()
    releases, count = (2, 300_000) if options.quick else (40, 10_000_000)
    x, y = all_towns(20_000 if options.quick else 100_000)
    points = geopandas.GeoSeries(geopandas.points_from_xy(x, y), crs=CRS)
    layer_by_count = {number: divided(number) for number in COUNTS}
    layers = {"49 states of the sample data": states()}
    layers |= {
        f"{number:,} made districts": (layer, points) for number, layer in layer_by_count.items()
    }
    heads = ["districts", "ε", "error", "plain noise", "ratio (goal ≤ 1.05)", "intervals that hold"]
    nested = level_rows(layer_by_count[COUNTS[-1]], points, releases)
    timed = time_rows(count, layer_by_count[COUNTS[-1]])
    many = many_rows(count)
    most = f"{COUNTS[-1]:,}"
    lines = [
        *table(heads, error_rows(layers, releases)),
        "",
        *table([f"{most} districts in 30 larger units", "ε", "ratio", "goal"], nested),
        "",
        *table([f"time of {count:,} points in {most} districts, over", "ratio", "goal"], timed),
        "",
        *table(["districts", "points", "checking the layer", "release", "memory"], many, words=0),
        "",
        "Made by `python benchmarks/districts.py`: errors are means of the absolute error in "
        "records, intervals are those of 95 %, ratios of levels are errors with two levels over "
        "errors of the districts alone, seconds are of the processor, memory is what both steps "
        f"take beyond the layer and the points. Load per processor at the end: {load():.1f}.",
    ]
    text = "\n".join(lines)
    print(text)
    if options.write:
        write_part(DOCS / "benchmarks.md", "districts", text)


if __name__ == "__main__":
    main()
