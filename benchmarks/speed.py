"""Speed as ratios from one run: tuning against bare counting, trees against grids, noise.

Absolute times depend on the machine; ratios in one run on one machine are what is compared. The
points are made (300 towns), so anyone can run it:

    python benchmarks/speed.py            # the figures of docs/benchmarks.md, a few minutes
    python benchmarks/speed.py --write    # and put them there
    python benchmarks/speed.py --quick    # a hundredth of the points
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import fast_histogram
import geopandas as gpd
import numpy as np
import shapely
from rich.console import Console
from rich.progress import Progress
from shared import BOUNDS, CRS, DOCS, all_towns, make_parser, seconds, table, write_part

import geodp
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.kernel.kernel import Kernel
from geodp.core.mechanisms.selection import choose
from geodp.core.mechanisms.shares import Shares
from geodp.core.mechanisms.tuners import Influence
from geodp.core.privacy.noise import OpenDPBits, RandomBits
from geodp.core.privacy.unit import Unit

SIZES = (300, 400, 500, 600, 700, 800)
REGIONS = 3000
CELLS = 50_000
DOMAIN = geodp.Domain(BOUNDS, crs=CRS)
SCALE = Fraction(10, 9)


def tune(x: np.ndarray, y: np.ndarray, grids: tuple[geodp.Grid, ...]) -> geodp.Grid:
    """Run all of phase one: counts on every candidate, 600 boxes, scores, the choice."""
    workload = geodp.Workload.random_boxes(DOMAIN, seed=1)
    plan = Plan(grids, workload)
    tally = Tally(plan)
    tally.add(x, y)
    kernel = Kernel(tally, epsilon=1, unit=Unit("record"), bits=RandomBits())
    return grids[choose(kernel, Influence(), plan, Shares.of(1, Influence(), workload))]


def with_fast_histogram(x: np.ndarray, y: np.ndarray, grids: tuple[geodp.Grid, ...]) -> None:
    xmin, ymin, xmax, ymax = DOMAIN.bounds
    for grid in grids:
        fast_histogram.histogram2d(x, y, grid.shape[::-1], [[xmin, xmax], [ymin, ymax]])


def with_numpy(x: np.ndarray, y: np.ndarray, grids: tuple[geodp.Grid, ...]) -> None:
    for grid in grids:
        np.histogram2d(x, y, [grid.x_edges, grid.y_edges])


def with_sjoin(points: gpd.GeoDataFrame, cells: gpd.GeoDataFrame) -> None:
    points.sjoin(cells, predicate="within").groupby("index_right").size()


def make_release(x: np.ndarray, y: np.ndarray, cells: str) -> geodp.Release:
    return geodp.release((x, y), DOMAIN, epsilon=1, cells=cells)


def hexagons(count: int) -> gpd.GeoDataFrame:
    """Make so many districts side by side, each with thirty corners on a wavy border."""
    xmin, ymin, _, _ = DOMAIN.bounds
    across = int(np.ceil(np.sqrt(count * DOMAIN.width / DOMAIN.height)))
    side = DOMAIN.width / across
    row, column = np.divmod(np.arange(count), across)
    x = xmin + side * (column + 0.5 + row % 2 / 2)
    y = ymin + side * (row * DOMAIN.height / DOMAIN.width + 0.5)
    angle = np.arange(30) * np.pi / 15
    reach = 0.55 * side * (1 + 0.08 * np.sin(5 * angle))
    corners = np.stack(
        [x[:, None] + reach * np.cos(angle), y[:, None] + reach * np.sin(angle)], axis=2
    )
    return gpd.GeoDataFrame(geometry=shapely.polygons(corners), crs=CRS)


def release_from_cells(count: int) -> geodp.Release:
    """Make an adaptive release of about so many cells."""
    points = 8 * count
    while True:
        x, y = all_towns(points)
        release = geodp.release((x, y), DOMAIN, epsilon=1, cells="adaptive")
        if len(release.cells) >= count:
            release.counts  # noqa: B018 (estimates are made when they are first asked for)
            return release
        points += points // 4


def measure(count: int, repeats: int, progress: Progress) -> list[tuple[str, str, float, str]]:
    """Return rows of (what, against, ratio, goal)."""
    bar = progress.add_task("making points", total=9 * repeats + 2)

    def medians(times: int = repeats, **works: Callable[[], object]) -> list[float]:
        """Time works in turns, so that other load on the machine meets each, and take medians."""
        runs: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(times):
            for name, work in works.items():
                progress.update(bar, description=name)
                runs[name].append(seconds(work))
                progress.advance(bar)
        return [statistics.median(run) for run in runs.values()]

    def median(name: str, work: Callable[[], object], times: int = repeats) -> float:
        return medians(times, **{name: work})[0]

    x, y = all_towns(count)
    grids = geodp.candidate_grids(DOMAIN, SIZES)
    tuning, fast = medians(
        tuning=lambda: tune(x, y, grids),
        fast_histogram=lambda: with_fast_histogram(x, y, grids),
    )
    numpy = median("numpy.histogram2d", lambda: with_numpy(x, y, grids), 1)
    # A spatial join is so slow that it gets a hundredth of the points and one grid; ours gets the
    # same. Making the points and the cells is not counted.
    part = slice(0, max(1000, count // 100))
    frame = gpd.GeoDataFrame(geometry=gpd.points_from_xy(x[part], y[part]), crs=CRS)
    cells = grids[0].to_geodataframe()[["geometry"]]
    join = median("geopandas.sjoin", lambda: with_sjoin(frame, cells), 1)
    alone = Plan(grids[:1])
    counting = seconds(lambda: Tally(alone).add(x[part], y[part]))
    ours = median("noise", lambda: RandomBits().discrete_laplace(SCALE, 640_000))
    dp_cells = 640_000 if count > 10**6 else 64_000
    opendp = median("OpenDP", lambda: OpenDPBits().discrete_laplace(SCALE, dp_cells), repeats)
    opendp *= 640_000 / dp_cells
    many = max(count * 10 // 64, 10**4) * 10
    x, y = all_towns(many)
    tree, grid, fitted = medians(
        adaptive=lambda: make_release(x, y, "adaptive"),
        regular=lambda: make_release(x, y, "regular"),
        estimates=lambda: make_release(x, y, "adaptive").counts,
    )
    release, regions = release_from_cells(CELLS), hexagons(REGIONS)
    asking = median("query", lambda: release.query(regions))
    side = round(CELLS**0.5)
    alike = geodp.release(
        all_towns(10**5), cells=geodp.Regular(geodp.Grid(DOMAIN, (side, side))), epsilon=1
    )
    asking_grid = median("query of a grid", lambda: alike.query(regions))
    six = f"six grids 300–800, 600 boxes, {count:,} points"
    return [
        (f"tuning ({six})", "fast_histogram, counting the six grids alone", tuning / fast, "≤ 1.5"),
        (f"tuning ({six})", "numpy.histogram2d, counting the six grids alone", tuning / numpy, ""),
        (
            f"counting one grid of 300 × 300, {len(frame):,} points",
            "geopandas sjoin with the cells, then groupby",
            counting / join,
            "",
        ),
        ("noise for 640,000 cells", "OpenDP make_laplace", ours / opendp, "≤ 0.04"),
        (
            f"adaptive release, {many:,} points in arrays",
            "regular release with the default candidates",
            tree / grid,
            "≤ 1.5",
        ),
        (
            "the same, in time of the processor",
            "regular release with the default candidates",
            busy_ratio(x, y, repeats),
            "",
        ),
        (
            "the same, and estimates of all its cells",
            "regular release with the default candidates",
            fitted / grid,
            "",
        ),
        (
            f"query of {REGIONS:,} polygons on {len(release.cells):,} adaptive cells",
            f"the same on a grid of {side} × {side} cells",
            asking / asking_grid,
            "",
        ),
    ]


def busy_ratio(x: np.ndarray, y: np.ndarray, repeats: int) -> float:
    """Compare an adaptive release with a regular one, by turns, in time of the processor."""
    times: dict[str, list[float]] = {"adaptive": [], "regular": []}
    for _ in range(repeats):
        for cells, processor in times.items():
            begun = time.process_time()
            make_release(x, y, cells)
            processor.append(time.process_time() - begun)
    return min(times["adaptive"]) / min(times["regular"])


def report(rows: list[tuple[str, str, float, str]]) -> str:
    heads = ("geodp", "against", "time ratio", "goal")
    lines = table(heads, [(a, b, f"{ratio:.3g}", goal) for a, b, ratio, goal in rows], words=2)
    note = "Made by `python benchmarks/speed.py`; a ratio below 1 means that geodp is faster."
    return "\n".join([*lines, "", note])


def main() -> None:
    options = make_parser(__doc__, "a hundredth of the points", "benchmarks.md").parse_args()
    count, repeats = (64_000, 1) if options.quick else (6_400_000, 5)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        rows = measure(count, repeats, progress)
    text = report(rows)
    print(text)
    if options.write:
        write_part(DOCS / "benchmarks.md", "speed", text)


if __name__ == "__main__":
    main()
