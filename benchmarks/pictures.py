"""Compare what pictures draw with the true counts, beside the signed counts of the same release.

python benchmarks/pictures.py --data FOLDER --write     seven datasets; into docs/benchmarks.md
python benchmarks/pictures.py                           the sample data; prints only

Distances are means over runs, relative to those of the signed counts: total variation on 256 × 256
blocks, earth mover's distance on 32 × 32 blocks along their eight neighbours, and the mean relative
error of sums in boxes. Dots are also compared with the release's own answers. US layers are
released within the states. A data folder has what study/datasets.py names.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import geopandas
import numpy as np
import pyarrow.parquet
import pyproj
import scipy.sparse
from rasterio.features import rasterize
from rasterio.transform import from_bounds
from scipy.optimize import linprog
from shared import DOCS, table, write_part

import geodp
from geodp.core.cells.cells import Cells
from geodp.core.views.best_guess import best_guess
from geodp.core.views.dots import place_dots
from geodp.core.views.raster_cells import raster_cells, values_on
from geodp.core.views.smooth import smoothed

PAGE = DOCS / "benchmarks.md"
SAMPLES = Path(__file__).parents[1] / "sample_data"
EPSILONS = (0.1, 1.0, 5.0)
VIEWS = ("best", "smooth", "dots")
DEPTH = 9
"""Depth of a tree whose lattice is painted: a million pixels."""

SIDES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Sides of the boxes, in sides of the domain."""

BOXES = 150
"""Boxes of each side."""

US = (-2_400_000, 200_000, 2_300_000, 3_200_000)


class Points(NamedTuple):
    """Name a dataset, and say where it is and where its records can be."""

    title: str
    bounds: tuple[float, float, float, float]
    crs: int
    has_land: bool = False


DATASETS = {
    "geonames_cities500_us48": Points("GeoNames US places", US, 5070, True),
    "us_zipcodes": Points("US ZIP codes", US, 5070, True),
    "foursquare_us_5000users": Points("Foursquare, US", US, 5070, True),
    "uk_road_accidents_deckgl": Points("UK road accidents", (60_000, 0, 660_000, 1_000_000), 27700),
    "gowalla_1000users": Points("Gowalla, 1,000 users", (-160.0, -60.0, 180.0, 80.0), 4326),
    "sf_cabs_pickups": Points("SF cab pickups", (540_000, 4_160_000, 566_000, 4_194_000), 26910),
}
"""Files of a data folder, beside the sample of US places."""

Boxes = np.ndarray


@cache
def states() -> geopandas.GeoDataFrame:
    """Read where records of the US can be."""
    return geopandas.read_file(SAMPLES / "us_districts.gpkg").to_crs(5070)


def read_sample() -> tuple[np.ndarray, np.ndarray]:
    """Read the sample of US places."""
    shapes = geopandas.read_file(SAMPLES / "us_places.gpkg").to_crs(5070).geometry
    return shapes.x.to_numpy(), shapes.y.to_numpy()


def read_file(path: Path, crs: int) -> tuple[np.ndarray, np.ndarray]:
    """Read longitudes and latitudes of a file, and turn them to a CRS."""
    columns = pyarrow.parquet.read_table(path, columns=["lon", "lat"])
    to_crs = pyproj.Transformer.from_crs(4326, crs, always_xy=True)
    x, y = to_crs.transform(columns["lon"].to_numpy(), columns["lat"].to_numpy())
    return x, y


# --- distances ------------------------------------------------------------------------------------


@cache
def flow(side: int) -> tuple[scipy.sparse.csr_matrix, np.ndarray]:
    """Return the edges between neighbouring blocks, and their lengths."""
    block = np.arange(side * side).reshape(side, side)
    pairs = (
        (block[:, :-1], block[:, 1:], 1.0),
        (block[:-1], block[1:], 1.0),
        (block[:-1, :-1], block[1:, 1:], 2**0.5),
        (block[1:, :-1], block[:-1, 1:], 2**0.5),
    )
    first = np.concatenate([pair[0].ravel() for pair in pairs])
    second = np.concatenate([pair[1].ravel() for pair in pairs])
    length = np.concatenate([np.full(pair[0].size, pair[2]) for pair in pairs])
    start, end = np.append(first, second), np.append(second, first)
    edge = np.arange(len(start))
    sign = np.repeat([1.0, -1.0], len(edge))
    ends = (np.append(start, end), np.append(edge, edge))
    return scipy.sparse.csr_matrix((sign, ends)), np.append(length, length)


def earth_movers(drawn: np.ndarray, truth: np.ndarray) -> float:
    """Compute how far shares have to be moved, in sides of the domain."""
    edges, length = flow(len(drawn))
    off = (drawn - truth).ravel()
    plan = linprog(length, A_eq=edges[:-1], b_eq=off[:-1], bounds=(0, None), method="highs-ipm")
    return float(plan.fun / len(drawn))


@cache
def shares(pixels: int, side: int) -> np.ndarray:
    """Compute what part of each pixel along an axis lies in each block."""
    pixel, block = np.arange(pixels)[:, None] / pixels, np.arange(side) / side
    low, high = np.maximum(pixel, block), np.minimum(pixel + 1 / pixels, block + 1 / side)
    return np.maximum(high - low, 0) * pixels


def blocks(mass: np.ndarray, side: int) -> np.ndarray:
    """Sum pixels to blocks, and divide those on an edge by their area."""
    rows, columns = mass.shape
    return shares(rows, side).T @ mass @ shares(columns, side)


def box_sums(mass: np.ndarray, boxes: Boxes) -> np.ndarray:
    """Sum pixels in boxes of the unit square, and parts of pixels by their area."""
    rows, columns = mass.shape
    sums = np.zeros((rows + 1, columns + 1))
    sums[1:, 1:] = mass.cumsum(axis=0).cumsum(axis=1)

    def below(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        across, up = x * columns, y * rows
        column = np.minimum(across.astype(int), columns - 1)
        row = np.minimum(up.astype(int), rows - 1)
        right, high = across - column, up - row
        lower = (1 - right) * sums[row, column] + right * sums[row, column + 1]
        upper = (1 - right) * sums[row + 1, column] + right * sums[row + 1, column + 1]
        return (1 - high) * lower + high * upper

    left, bottom, right, top = boxes.T
    return below(right, top) - below(left, top) - below(right, bottom) + below(left, bottom)


class Truth:
    """True places of a dataset, and how far maps are from them.

    Parameters
    ----------
    places : Places
        What the dataset is.
    x, y : ndarray
        Its points.
    """

    def __init__(self, places: Points, x: np.ndarray, y: np.ndarray) -> None:
        land = states() if places.has_land else None
        geographic = {"allow_geographic": True} if places.crs == 4326 else {}
        crs = f"EPSG:{places.crs}"
        self.domain = geodp.Domain(places.bounds, crs=crs, within=land, **geographic)
        xmin, ymin, xmax, ymax = places.bounds
        inside = (x >= xmin) & (x < xmax) & (y >= ymin) & (y < ymax)
        if self.domain.within is not None:
            inside[inside] = self.domain.within.holds(x[inside], y[inside])
        self.x, self.y = np.ascontiguousarray(x[inside]), np.ascontiguousarray(y[inside])
        self.title, self.land = places.title, land
        rng = np.random.default_rng(7)
        corners = [(rng.random((BOXES, 2)) * (1 - side), side) for side in SIDES]
        self.boxes = np.concatenate([np.column_stack([low, low + side]) for low, side in corners])
        across, up = (self.x - xmin) / (xmax - xmin), (self.y - ymin) / (ymax - ymin)
        self.in_boxes = np.array(
            [
                np.count_nonzero((across >= a) & (across < c) & (up >= b) & (up < d))
                for a, b, c, d in self.boxes
            ]
        )

    def histogram(self, x: np.ndarray, y: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        """Count points in pixels, row 0 in the south."""
        xmin, ymin, xmax, ymax = self.domain.bounds
        return np.histogram2d(y, x, bins=shape, range=((ymin, ymax), (xmin, xmax)))[0]

    def distances(self, mass: np.ndarray) -> np.ndarray:
        """Compute total variation, earth mover's distance and the error of boxes."""
        truth = self.histogram(self.x, self.y, (256, 256)) / len(self.x)
        drawn = blocks(mass, 256) / mass.sum()
        above = np.maximum(blocks(drawn, 32), 0)  # earth that is moved is not negative
        moved = earth_movers(above / above.sum(), blocks(truth, 32))
        return np.array([np.abs(drawn - truth).sum() / 2, moved, self.box_error(mass)])

    def box_error(self, mass: np.ndarray, other: np.ndarray | None = None) -> float:
        """Compute the relative error of boxes: a mean for each side, and their geometric mean."""
        right = self.in_boxes if other is None else box_sums(other, self.boxes)
        least = np.maximum(self.in_boxes, len(self.x) / 1000)
        error = (np.abs(box_sums(mass, self.boxes) - right) / least).reshape(len(SIDES), BOXES)
        return float(np.exp(np.log(error.mean(axis=1) + 1e-12).mean()))

    def district_difference(self, mass: np.ndarray, other: np.ndarray) -> float:
        """Compute how far two maps differ in districts, relative to the true counts."""
        first, second = (self._by_district(values) for values in (mass, other))
        true = self._by_district(self.histogram(self.x, self.y, other.shape))
        return float((np.abs(first - second) / np.maximum(true, len(self.x) / 1000)).mean())

    def _by_district(self, mass: np.ndarray) -> np.ndarray:
        assert self.land is not None
        rows, columns = mass.shape
        transform = from_bounds(*self.domain.bounds, columns, rows)
        numbered = ((shape, number) for number, shape in enumerate(self.land.geometry, start=1))
        label = rasterize(numbered, (rows, columns), transform=transform)[::-1]
        return np.bincount(label.ravel(), mass.ravel(), minlength=len(self.land) + 1)[1:]


# --- maps -----------------------------------------------------------------------------------------


def painted(cells: Cells, values: np.ndarray) -> np.ndarray:
    """Spread values of cells over the pixels of a lattice, by where records can be."""
    assert cells.tree is not None
    frame = cells.tree.frame
    rows, columns = frame.shape(DEPTH)
    zone = cells.pixels(range(frame.shape(len(cells.tree.levels) - 1)[0]))
    zone = zone.repeat(rows // zone.shape[0], axis=0).repeat(columns // zone.shape[1], axis=1)
    within = cells.domain.within
    weight = np.ones(zone.shape)
    if within is not None:
        weight = within.weight_of_cells(*frame.lines(DEPTH))
    weights = np.bincount(zone.ravel() + 1, weight.ravel(), minlength=len(values) + 1)
    density = np.append(0.0, values) / np.where(weights > 0, weights, 1)
    return (density[zone + 1] * weight)[::-1]


def drawn_maps(release: geodp.Release, truth: Truth, seed: int) -> dict[str, np.ndarray]:
    """Return what each view draws, as records in pixels with row 0 in the south."""
    tree = release.cells.tree
    assert tree is not None
    shape = tree.frame.shape(DEPTH)
    shown = raster_cells(release.cells, most_side=max(shape))
    dots = place_dots(release, per=1, seed=seed)
    pixel = max(truth.domain.width / shape[1], truth.domain.height / shape[0]) * (1 + 1e-9)
    return {
        "signed": painted(shown, values_on(release, shown)[0]),
        "best": painted(shown, best_guess(release, shown)),
        "smooth": smoothed(release, pixel).mass[::-1],
        "dots": truth.histogram(dots.x, dots.y, shape),
    }


def ratios(truth: Truth, epsilon: float, runs: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Compute distances of views relative to the signed counts, and those of dots to these."""
    each: dict[str, list[np.ndarray]] = {name: [] for name in ("signed", *VIEWS)}
    apart = []
    for run in range(runs):
        release = geodp.release((truth.x, truth.y), truth.domain, epsilon=epsilon, seed=run)
        maps = drawn_maps(release, truth, run)
        for name, mass in maps.items():
            each[name].append(truth.distances(mass))
        districts = np.nan
        if truth.land is not None:
            districts = truth.district_difference(maps["dots"], maps["signed"])
        apart.append((truth.box_error(maps["dots"], maps["signed"]), districts))
    means = {name: np.mean(values, axis=0) for name, values in each.items()}
    return {name: means[name] / means["signed"] for name in VIEWS}, np.mean(apart, axis=0)


def readers(data: Path | None) -> list[tuple[Points, Callable[[], Any]]]:
    """Return the datasets, and how each is read."""
    listed: list[tuple[Points, Callable[[], Any]]] = [
        (Points("US places, sample layer", US, 5070, True), read_sample)
    ]
    if data is not None:
        for stem, places in DATASETS.items():
            path = data / f"{stem}.parquet"
            listed.append((places, lambda path=path, crs=places.crs: read_file(path, crs)))
    return listed


def percent(part: float) -> str:
    """Write a part in hundredths."""
    return "" if np.isnan(part) else f"{100 * part:.1f} %"


def main() -> None:
    """Print the tables, and write them if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path, help="folder of the datasets")
    parser.add_argument("--write", action="store_true", help="put the figures into docs")
    given = parser.parse_args()
    rows, every, apart = [], [], []
    for places, read in readers(given.data):
        truth = Truth(places, *read())
        for epsilon in EPSILONS:
            views, ours = ratios(truth, epsilon, given.runs)
            every.append(views)
            if epsilon == 1:
                apart.append(ours)
            parts = (f"{part:.2f}" for name in VIEWS for part in views[name])
            rows.append((truth.title, f"{epsilon:g}", *parts, *map(percent, ours)))
            print(*rows[-1], flush=True)
    means = {
        name: np.exp(np.mean([np.log(scores[name]) for scores in every], axis=0)) for name in VIEWS
    }
    middle = [f"**{part:.3f}**" for name in VIEWS for part in means[name]]
    at_one = [f"**{percent(part)}**" for part in np.nanmean(apart, axis=0)]
    rows.append(("geometric mean; dots and answers: mean at ε = 1", "", *middle, *at_one))
    kinds = ("TV", "EMD", "boxes")
    heads = ("dataset", "ε", *(f"{name}: {kind}" for name in VIEWS for kind in kinds))
    text = "\n".join(table((*heads, "dots, answers: boxes", "districts"), rows, 2))
    print(text)
    if given.write:
        write_part(PAGE, "pictures", text)


if __name__ == "__main__":
    main()
