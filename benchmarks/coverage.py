"""Measure how often intervals of answers hold the truth, on real data and many kinds of regions.

    python benchmarks/coverage.py --data FOLDER --write     all datasets; into docs/benchmarks.md
    python benchmarks/coverage.py --releases 5              the sample data; prints only

Every dataset is released many times with both kinds of cells and two ε and asked about boxes of 1 %
to 64 % of the area, hexagons, districts around places drawn evenly and around places drawn from the
records, and boxes a quarter of a cell in size. Tables show the share of regions whose nominal 95 %
interval holds the true count, over all releases, and the mean half-width of the intervals over the
mean absolute error (2.46 for a normal error and an interval that fits).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import shapely
from shared import DOCS, table, write_part

import geodp
from geodp.core.cells.cells import Cells
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.estimates.answers import answer
from geodp.core.estimates.fitting import fit
from geodp.core.kernel.kernel import Kernel
from geodp.core.pipeline.kinds import checked_kind
from geodp.core.pipeline.mechanism import Mechanism, Terms, mechanism_for
from geodp.core.privacy.noise import RandomBits
from geodp.core.publish.columns import cell_columns
from geodp.core.regions.polygons import Polygons
from geodp.core.space.domain import Crs
from geodp.core.space.grid import Grid, in_domain
from study.datasets import SAMPLES, US_ALBERS, Dataset, benchmark_datasets, invented_towns

Points = tuple[np.ndarray, np.ndarray]
Questions = dict[str, tuple[geodp.Workload, np.ndarray]]

CELLS = ("regular", "adaptive")
EPSILONS = ("1", "0.1")
SHARES = (0.01, 0.04, 0.16, 0.64)
LARGE, SMALL = f"{SHARES[-1]:.0%}", "in a cell"
KINDS = (*(f"{share:.0%}" for share in SHARES), "hexagons", "districts", "crowds", SMALL)
LEFT_OUT = ("us-zipcodes", "world-places", "foursquare-us", "sf-cabs-grid", "beijing-grid")
"""A third of the datasets, on which no constant was set."""

ODD = (-1_234_567.0, 311_111.0, 1_765_432.0, 2_713_000.0)
"""Bounds of what is made: halving them again and again leads to no edge of anything."""


def datasets(data: Path | None) -> dict[str, Dataset]:
    listed = dict(benchmark_datasets(data))
    domain = geodp.Domain(ODD, Crs("local metres"))
    listed["made-towns"] = Dataset(
        "made-towns", "Made towns", domain, lambda: invented_towns(100_000, ODD)
    )
    listed["made-hills"] = Dataset(
        "made-hills", "Made hills", domain, lambda: simulated_hills(60_000)
    )
    return listed


def simulated_hills(count: int, seed: int = 2) -> Points:
    """Simulate smooth slopes and two hills, so that cells along a border err together."""
    random = np.random.default_rng(seed)
    x, y = random.random((2, 8 * count))
    density = 0.15 + 0.6 * x * (1 - 0.7 * y)
    density += 2 * np.exp(-((x - 0.37) ** 2 + (y - 0.61) ** 2) / 0.03)
    density += np.exp(-((x - 0.77) ** 2 + (y - 0.23) ** 2) / 0.01)
    kept = np.flatnonzero(3.2 * random.random(8 * count) < density)[:count]
    xmin, ymin, xmax, ymax = ODD
    return xmin + x[kept] * (xmax - xmin), ymin + y[kept] * (ymax - ymin)


# --- regions ----------------------------------------------------------------------------------


def of_shapes(shapes: list[np.ndarray], domain: geodp.Domain) -> geodp.Workload:
    rings = [(number, False, corners) for number, corners in enumerate(shapes)]
    return geodp.Workload.from_polygons(Polygons.from_rings(rings, len(rings)), domain)


def hexagons(domain: geodp.Domain, across: int = 12) -> geodp.Workload:
    """Return hexagons inside the domain, as wide as its twelfth part."""
    width = domain.width / across
    radius = width / np.sqrt(3)
    turn = np.arange(6) * np.pi / 3
    corners = radius * np.stack([np.sin(turn), np.cos(turn)], axis=1)
    rows = int((domain.height - 2 * radius) / (1.5 * radius)) + 1
    shapes = []
    for row in range(rows):
        for column in range(across - row % 2):
            middle = (column + 0.5 + 0.5 * (row % 2)) * width, (1 + 1.5 * row) * radius
            shapes.append(corners + middle + domain.bounds[:2])
    return of_shapes(shapes, domain)


def districts(domain: geodp.Domain, places: np.ndarray) -> geodp.Workload:
    """Divide the domain so that everybody belongs to the nearest place."""
    frame = shapely.box(*domain.bounds)
    parts = shapely.voronoi_polygons(shapely.multipoints(places), extend_to=frame)
    cut = shapely.intersection(shapely.get_parts(parts), frame)
    return of_shapes([shapely.get_coordinates(part.exterior) for part in cut], domain)


def seats(domain: geodp.Domain, points: Points | None, count: int = 100) -> np.ndarray:
    """Place offices anywhere, or where the records are and a little beside."""
    random = np.random.default_rng(11)
    low, extent = np.array(domain.bounds[:2]), np.array([domain.width, domain.height])
    if points is None:
        return low + random.random((count, 2)) * extent
    drawn = np.stack(points, axis=1)[random.choice(len(points[0]), 3 * count, replace=False)]
    places = random.permutation(np.unique(drawn, axis=0))[:count]
    beside = random.normal(size=places.shape) * 0.002 * extent
    return np.clip(places + beside, low, low + extent)


def inside_cells(cells: Cells, seed: int) -> geodp.Workload:
    """Draw boxes of a quarter of a cell, in cells drawn evenly."""
    fields, random = cell_columns(cells), np.random.default_rng(seed)
    drawn = random.integers(len(cells), size=300)
    west, south, east, north = (
        np.ravel(fields[side])[drawn] for side in ("left", "bottom", "right", "top")
    )
    x = west + random.random(300) * (east - west) / 2
    y = south + random.random(300) * (north - south) / 2
    ends = x, y, x + (east - west) / 2, y + (north - south) / 2
    return geodp.Workload.from_boxes(np.stack(ends, axis=1), cells.domain)


def regions(domain: geodp.Domain, points: Points) -> Iterator[geodp.Workload]:
    for share in SHARES:
        yield geodp.Workload.random_boxes(domain, [share], 200, seed=77)
    yield hexagons(domain)
    yield districts(domain, seats(domain, None))
    yield districts(domain, seats(domain, points))


def counted(points: Points, workload: geodp.Workload) -> np.ndarray:
    tally = Tally(Plan((Grid(workload.domain, (8, 8)),), workload))
    tally.add(*points)
    return np.array(tally.inside(), dtype=np.float64)


# --- releases ---------------------------------------------------------------------------------


def mechanisms(
    dataset: Dataset, points: Points, cells: str
) -> Iterator[tuple[str, Mechanism, object]]:
    """Make mechanisms for every ε; points are counted once for all of them."""
    tally = None
    for epsilon in EPSILONS:
        unit = geodp.Record().unit
        mechanism = mechanism_for(checked_kind(cells), dataset.domain, Terms(epsilon, unit))
        if tally is None:
            tally = mechanism.plan.tally()
            tally.add(*points)
        yield epsilon, mechanism, tally


def published(mechanism: Mechanism, tally: object, epsilon: object, seed: int) -> tuple[Cells, Any]:
    """Publish what was counted, as a release does; the next seed may publish it again."""
    unit = geodp.Record().unit
    kernel = Kernel(tally, epsilon=epsilon, unit=unit, bits=RandomBits(seed))
    cells, (measured,) = mechanism.publish(kernel, lambda _: None)
    return cells, measured


def coverage(
    points: Points,
    asked: Questions,
    mechanism: Mechanism,
    tally: object,
    epsilon: object,
    releases: int,
) -> list:
    """Return the covered share of each kind of region, and half-width over error."""
    held = {kind: [] for kind in KINDS}
    widths, errors = dict.fromkeys(KINDS, 0.0), dict.fromkeys(KINDS, 0.0)
    # The largest boxes have most of their noise in common: of one release they are one draw.
    for seed in range(4 * releases):
        cells, measured = published(mechanism, tally, epsilon, seed)
        estimate = fit(cells, measured)
        questions = dict(asked) if seed < releases else {LARGE: asked[LARGE]}
        if seed < 4:  # each is a count of all records
            small = inside_cells(cells, seed)
            questions[SMALL] = small, counted(points, small)
        for kind, (workload, truth) in questions.items():
            answers = answer(estimate, workload)
            wide = (answers.ci_high - answers.ci_low) / 2
            error = np.abs(answers.estimate - truth)
            held[kind].append(float((error <= wide).mean()))
            widths[kind] += wide.sum()
            errors[kind] += error.sum()
    # Kinds were asked about in unlike numbers of releases: of each, the sum of one release counts.
    wide, error = ([sums[kind] / len(held[kind]) for kind in KINDS] for sums in (widths, errors))
    ratios = [one / other for one, other in zip(wide, error)]
    return [[np.mean(held[kind]) for kind in KINDS], ratios, sum(wide) / sum(error)]


# --- the example of the README ----------------------------------------------------------------


def states(releases: int) -> str:
    """Return coverage over the US states of the sample data, and what becomes of the smallest."""
    places = geopandas.read_file(SAMPLES / "us_places.gpkg").geometry
    layer = geopandas.read_file(SAMPLES / "us_districts.gpkg")
    points = places.x.to_numpy(), places.y.to_numpy()
    smallest = int(np.flatnonzero(layer["name"] == "District of Columbia")[0])
    rows = []
    for land in (None, layer):
        domain = geodp.Domain(US_ALBERS, "EPSG:5070", within=land)
        dataset = Dataset("states", "US places", domain, lambda: points)
        asked = geodp.Workload.from_geodataframe(layer, domain)
        truth = counted(points, asked)
        for cells in CELLS:
            for epsilon, mechanism, tally in mechanisms(dataset, points, cells):
                answers = []
                for seed in range(releases):
                    part, measured = published(mechanism, tally, epsilon, seed)
                    answers.append(answer(fit(part, measured), asked))
                where = "everywhere" if land is None else "the states"
                rows.append((cells, where, epsilon, *_of_states(answers, truth, smallest)))
    heads = ("cells", "within", "ε", "mean error", "covered", "covered by noise alone", "width")
    heads += ("DC, mean", "DC, mean interval", "DC covered")
    end = (
        f"The District of Columbia (DC) has {truth[smallest]:.0f} places, a state "
        f"{truth.mean():.0f} in the mean. {releases} releases each. Made by "
        "`python benchmarks/coverage.py`."
    )
    return "\n".join([*table(heads, rows, 2), "", end])


def _of_states(answers: list[geodp.Answers], truth: np.ndarray, smallest: int) -> Iterator[str]:
    estimate, low, high, noise = (
        np.array([getattr(answer, name) for answer in answers])
        for name in ("estimate", "ci_low", "ci_high", "noise_error")
    )
    error, held = np.abs(estimate - truth), (low <= truth) & (truth <= high)
    yield f"{error.mean():.1f}"
    yield f"{held.mean():.0%}"
    yield f"{(error <= 1.96 * noise).mean():.0%}"
    yield f"{(high - low).sum() / 2 / error.sum():.1f}"
    yield f"{estimate[:, smallest].mean():.0f}"
    yield f"{low[:, smallest].mean():.0f} to {high[:, smallest].mean():.0f}"
    yield f"{held[:, smallest].mean():.0%}"


def words(cells: str, rows: list) -> str:
    shares = np.array([row[0] for row in rows])
    width = np.array([row[2] for row in rows])
    by_kind = ", ".join(
        f"{kind} {value:.1f}" for kind, value in zip(KINDS, np.mean([row[1] for row in rows], 0))
    )
    return (
        f"{cells.capitalize()} cells: covered in the mean {shares.mean():.1%}, at the least "
        f"{shares.min():.1%} of any kind of region on any dataset at any ε; half-width over mean "
        f"error {width.mean():.2f} in the mean, {width.min():.1f} to {width.max():.1f} (by kind of "
        f"region: {by_kind})."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the real datasets")
    parser.add_argument("--releases", type=int, default=12, help="of each dataset, ε and cells")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    options = parser.parse_args()
    example = states(20)
    print(example, flush=True)
    if options.write:
        write_part(DOCS / "benchmarks.md", "states", example)
    rows, shares = {cells: [] for cells in CELLS}, {cells: [] for cells in CELLS}
    for name, dataset in datasets(options.data).items():
        _, x, y = in_domain(dataset.domain, *dataset.points())
        workloads = dict(zip(KINDS, regions(dataset.domain, (x, y))))
        asked = {
            kind: (workload, counted((x, y), workload)) for kind, workload in workloads.items()
        }
        title = dataset.title + " *" * (name in LEFT_OUT)
        for cells in CELLS:
            for epsilon, mechanism, tally in mechanisms(dataset, (x, y), cells):
                result = coverage((x, y), asked, mechanism, tally, epsilon, options.releases)
                shares[cells].append(result)
                shown = [f"{value:.2f}" for value in result[0]]
                rows[cells].append((title, epsilon, *shown, f"{result[2]:.1f}"))
                print(cells, *rows[cells][-1], flush=True)
    heads = ("dataset", "ε", *KINDS, "width")
    parts = [
        "\n".join([f"### {cells.capitalize()} cells", "", *table(heads, rows[cells])])
        for cells in CELLS
    ]
    parts += [words(cells, shares[cells]) for cells in CELLS]
    parts.append(
        f"{options.releases} releases each, and {4 * options.releases} for boxes of {LARGE}, which "
        "have most of their noise in common. Made by `python benchmarks/coverage.py --data FOLDER`."
    )
    print("\n\n".join(parts))
    if options.write:
        write_part(DOCS / "benchmarks.md", "coverage", "\n\n".join(parts))


if __name__ == "__main__":
    main()
