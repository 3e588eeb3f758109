"""Seeded releases that were recorded once come out the same to the bit.

``recorded.json`` holds the shape of the chosen grid and the start of a SHA-256 digest of the
counts. A change that moves a single count in any of them is a change of the mechanism, and belongs
into the changelog; ``python tests/test_recorded.py`` then records them anew.

Trees of cells have one record for each kind of protection, which every source must give. Releases
on one grid were recorded when their noise came to be drawn from tables, as that of trees always
was. Those that protect people are of records inside the domain.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from samples import (
    CRS,
    DOMAIN,
    GRIDS,
    PEOPLE,
    SWAPPED,
    SWAPPED_PEOPLE,
    TABLE,
    TREE,
    released,
    sample_points,
)

import geodp
from geodp.cli import main
from geodp.core.kernel.measurements import Measurements
from geodp.core.space.grid import DEFAULT_SIZES

FILE = Path(__file__).with_name("recorded.json")
RECORDED = json.loads(FILE.read_text())
SAMPLES = Path(__file__).parents[1] / "sample_data"
BOUNDS = (-2_400_000, 200_000, 2_300_000, 3_200_000)
COUNTRY = geodp.Domain(BOUNDS, crs=CRS)

SQUARES = ",".join(map(str, DEFAULT_SIZES))

POINTS = sample_points()
INSIDE = POINTS.cx[0:100_000, 0:80_000].reset_index(drop=True)


def digest(array: np.ndarray) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


def fingerprint(release: geodp.Release) -> list[str]:
    grid = release.cells.grid
    table = grid.reshape(release.measurements.value)
    return ["{}x{}".format(*grid.shape), digest(table.astype("<i8"))]


def measured_text(measurements: Measurements) -> str:
    scales = ",".join(str(measurements.scales[number]) for number in measurements.scale.tolist())
    return f"{measurements.node.tolist()} {measurements.value.tolist()} {scales}"


def tree_print(release: geodp.Release) -> list[str]:
    """Return the same for a tree: its cells, and all that was measured."""
    text = f"{release.cells.tree.to_text()} {measured_text(release.measurements)}"
    return [f"{len(release.cells)} cells", hashlib.sha256(text.encode()).hexdigest()[:16]]


def kind_print(release: geodp.Release) -> list[str]:
    """Return the same for any kind of cells: how many they are, and all that was measured."""
    parts = release.parts or (release.measurements,)
    text = " ".join(map(measured_text, parts))
    return [f"{len(release.cells)} cells", hashlib.sha256(text.encode()).hexdigest()[:16]]


def columns(frame: gpd.GeoDataFrame) -> pd.DataFrame:
    return pd.DataFrame(frame.drop(columns="geometry"))


def from_file(frame: gpd.GeoDataFrame, path: Path, **options: object) -> geodp.Release:
    if path.suffix == ".gpkg":
        frame.to_file(path)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        columns(frame).to_csv(path, index=False)
        options = {**TABLE, **options}
    return released(path, **options)


def from_dask(frame: gpd.GeoDataFrame = INSIDE, **options: object) -> geodp.Release:
    import dask.dataframe

    parts = dask.dataframe.from_pandas(columns(frame), npartitions=5)
    return released(parts, **TABLE, **options, scheduler="threads")


def from_duckdb(frame: gpd.GeoDataFrame = INSIDE, **options: object) -> geodp.Release:
    import duckdb

    with duckdb.connect() as database:
        database.register("given", columns(frame))
        database.execute("CREATE TABLE visits AS SELECT * FROM given")
        query = "SELECT east AS x, north AS y, who FROM visits"
        return released(database, query=query, crs=CRS, **options)


def coordinates(frame: gpd.GeoDataFrame) -> tuple[np.ndarray, np.ndarray]:
    return frame.east.to_numpy(), frame.north.to_numpy()


def in_seven(**options: object) -> geodp.Release:
    names = {"x": "east", "y": "north", "who": "who"}
    parts = (POINTS.iloc[part] for part in np.array_split(np.arange(len(POINTS)), 7))
    blocks = ({name: part[column].to_numpy() for name, column in names.items()} for part in parts)
    return released(blocks, **options)


def with_names(frame: gpd.GeoDataFrame = INSIDE, **options: object) -> geodp.Release:
    east, north = coordinates(frame)
    return released({"x": east, "y": north, "who": frame.who.to_numpy()}, **options)


def in_threes() -> geodp.Release:
    several = POINTS.assign(three=np.arange(len(POINTS)) // 3).dissolve("three")
    return released(several, protect=geodp.Feature(max_points=2))


def on_squares(epsilon: object, seed: int) -> geodp.Release:
    grids = geodp.candidate_grids(DOMAIN, DEFAULT_SIZES)
    return geodp.release(POINTS, cells=geodp.Regular(grids), epsilon=epsilon, seed=seed)


def sample(**options: object) -> geodp.Release:
    options = {"sizes": DEFAULT_SIZES, **options}
    cells = geodp.Regular(**options)
    return geodp.release(SAMPLES / "us_places.gpkg", COUNTRY, epsilon=1, cells=cells, seed=1)


def districts() -> geodp.Workload:
    return geodp.Workload.from_geodataframe(gpd.read_file(SAMPLES / "us_districts.gpkg"), COUNTRY)


def commanded(folder: Path, *more: str) -> geodp.Release:
    words = ["release", str(SAMPLES / "us_places.gpkg"), "--bounds", *map(str, BOUNDS), *more]
    words += ["--crs", CRS, "--epsilon", "1", "--seed", "1", "-o", str(folder / "c.tif"), "-q"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return geodp.open_release(folder / "c.tif")


RELEASES = {
    "frame": lambda _: released(POINTS),
    "arrays": lambda _: released(coordinates(POINTS)),
    "iterator": lambda _: in_seven(),
    "gpkg": lambda folder: from_file(POINTS, folder / "p.gpkg"),
    "parquet": lambda folder: from_file(POINTS, folder / "p.parquet"),
    "csv": lambda folder: from_file(POINTS, folder / "p.csv"),
    "arrow": lambda _: released(POINTS.to_arrow()),
    "people frame": lambda _: released(INSIDE, **PEOPLE),
    "people gpkg": lambda folder: from_file(INSIDE, folder / "p.gpkg", **PEOPLE),
    "people parquet": lambda folder: from_file(INSIDE, folder / "p.parquet", **PEOPLE),
    "people arrow": lambda _: released(INSIDE.to_arrow(), **PEOPLE),
    "people csv": lambda folder: from_file(INSIDE, folder / "p.csv", **PEOPLE),
    "people arrays": lambda _: with_names(**PEOPLE),
    "people dask": lambda _: from_dask(**PEOPLE),
    "people duckdb": lambda _: from_duckdb(**PEOPLE),
    "replace": lambda _: released(POINTS, protect=geodp.Record(neighbours="replace")),
    "e2epriv": lambda _: released(
        POINTS, cells=geodp.Regular(GRIDS.grids, workload=GRIDS.workload, tuner="e2epriv")
    ),
    "features": lambda _: in_threes(),
    "default": lambda _: on_squares(epsilon=1, seed=7),
    "default small eps": lambda _: on_squares(epsilon="0.1", seed=8),
    "eps third": lambda _: on_squares(epsilon="1/3", seed=8),
    "near square": lambda _: geodp.release(POINTS, DOMAIN, epsilon=1, cells="regular", seed=7),
    "near square sample": lambda _: sample(sizes=None, workload=districts()),
    "sample": lambda _: sample(),
    "sample districts": lambda _: sample(workload=districts()),
    "sample single": lambda _: sample(sizes=[(40, 50)]),
    "sample cell sizes": lambda _: sample(sizes=None, cell_sizes=[50_000, 100_000]),
    "sample cli": lambda folder: commanded(folder, "--sizes", SQUARES),
    "near square cli": lambda folder: commanded(folder, "--cells", "regular"),
}

DEFAULTS = {
    "library by default": lambda _: geodp.release(POINTS, DOMAIN, epsilon=1, seed=7),
    "command line by default": commanded,
    "command line, resolution": lambda folder: commanded(folder, "--resolution", "20km"),
}
"""What nobody has to ask for: adaptive cells."""


def in_states(cells: object, **options: object) -> geodp.Release:
    return geodp.release(SAMPLES / "us_places.gpkg", epsilon=1, cells=cells, seed=1, **options)


def nested_states() -> gpd.GeoDataFrame:
    states = gpd.read_file(SAMPLES / "us_districts.gpkg")
    return states.assign(letter=states["state"].str[0])


LEVELS = {"levels": ["letter", "name"]}
PAID = {"amount": geodp.Amount("paid", 0, 90, unit=1)}
KINDS = {
    "districts": lambda: in_states(geodp.Districts(nested_states(), name="name")),
    "levels": lambda: in_states(geodp.Districts(nested_states(), **LEVELS)),
    "district tree": lambda: in_states(geodp.Adaptive(districts=nested_states())),
    "district tree, levels": lambda: in_states(
        geodp.Adaptive(districts=geodp.Districts(nested_states(), **LEVELS))
    ),
    "hexagons": lambda: geodp.release(
        POINTS, DOMAIN, epsilon=1, cells=geodp.Hexagons(9_000), seed=1
    ),
    "choice": lambda: geodp.release(
        POINTS,
        DOMAIN,
        epsilon=1,
        cells=geodp.Choice([geodp.Hexagons(9_000), geodp.Hexagons(20_000)]),
        seed=1,
    ),
    "tree, amounts": lambda: with_paid(),
    "hexagons, amounts": lambda: with_paid(cells=geodp.Hexagons(9_000)),
}
"""Every other kind of cells, and amounts."""


def with_paid(**options: object) -> geodp.Release:
    east, north = coordinates(POINTS)
    points = {"x": east, "y": north, "paid": np.arange(len(POINTS)) % 100}
    return geodp.release(points, DOMAIN, epsilon=1, seed=1, **PAID, **options)


SOURCES = {
    "frame": lambda _, **options: released(POINTS, **options),
    "arrays": lambda _, **options: with_names(POINTS, **options),
    "iterator": lambda _, **options: in_seven(**options),
    "dask": lambda _, **options: from_dask(POINTS, **options),
    "duckdb": lambda _, **options: from_duckdb(POINTS, **options),
    "gpkg": lambda folder, **options: from_file(POINTS, folder / "p.gpkg", **options),
    "parquet": lambda folder, **options: from_file(POINTS, folder / "p.parquet", **options),
    "csv": lambda folder, **options: from_file(POINTS, folder / "p.csv", **options),
}
PLACES = {
    "grid, homes": {"protect": geodp.Person("who", place="most frequent")},
    "grid, visitors": {"protect": geodp.Person("who", visits=3)},
    "grid, visitors, replace": {"protect": geodp.Person("who", visits=3, neighbours="replace")},
}
ONE_GRID = {"cells": geodp.Regular(sizes=[(8, 10)])}
TREES = {
    "tree": {},
    "tree, replace": SWAPPED,
    "tree, people": PEOPLE,
    "tree, people, replace": SWAPPED_PEOPLE,
    "tree, shares": {"protect": geodp.Person("who")},
    "tree, small eps": {"epsilon": "0.1"},
}


def test_every_record_is_made_again():
    assert set(RECORDED) == {*RELEASES, *TREES, *PLACES, *DEFAULTS, *KINDS, "answers"}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_comes_out_the_same(name, tmp_path):
    assert tree_print(DEFAULTS[name](tmp_path)) == RECORDED[name]


def test_the_default_is_the_recorded_tree():
    assert RECORDED["library by default"] == RECORDED["tree"]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", TREES)
def test_a_recorded_tree_comes_out_the_same_from_every_source(name, source, tmp_path):
    made_again = SOURCES[source](tmp_path, **TREE, **TREES[name])
    assert tree_print(made_again) == RECORDED[name]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", PLACES)
def test_people_at_places_come_out_the_same_from_every_source(name, source, tmp_path):
    made_again = SOURCES[source](tmp_path, **ONE_GRID, **PLACES[name])
    assert fingerprint(made_again) == RECORDED[name]


@pytest.mark.parametrize("name", RELEASES)
def test_a_recorded_release_comes_out_the_same(name, tmp_path):
    assert fingerprint(RELEASES[name](tmp_path)) == RECORDED[name]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_cells_comes_out_the_same(name):
    assert kind_print(KINDS[name]()) == RECORDED[name]


def answers_print(folder: Path) -> str:
    answers = commanded(folder, "--sizes", SQUARES).query(SAMPLES / "us_districts.gpkg")
    table = answers[["estimate", "noise_error"]].to_numpy()
    # Sums of shares are floats, whose last digits may depend on the processor.
    return digest(np.round(table, 6) + 0.0)


def test_a_recorded_release_answers_the_same(tmp_path):
    assert answers_print(tmp_path) == RECORDED["answers"]


def test_a_single_count_would_show():
    one = released(POINTS)
    counts = one.counts.copy()
    counts[0] += 1
    moved = replace(one, measurements=Measurements.from_counts(counts, one.scale))
    assert fingerprint(moved) != RECORDED["frame"]


def record() -> None:
    """Record all releases anew."""
    prints = {name: tree_print(released(POINTS, **TREE, **how)) for name, how in TREES.items()}
    places = {name: released(POINTS, **ONE_GRID, **how) for name, how in PLACES.items()}
    prints |= {name: fingerprint(place) for name, place in places.items()}
    prints |= {name: kind_print(make()) for name, make in KINDS.items()}
    with tempfile.TemporaryDirectory() as text:
        folders = (Path(text, str(number)) for number in itertools.count())
        for makers, printed in ((RELEASES, fingerprint), (DEFAULTS, tree_print)):
            for name, make in makers.items():
                folder = next(folders)
                folder.mkdir()
                prints[name] = printed(make(folder))
        prints["answers"] = answers_print(Path(text))
    lines = [f"  {json.dumps(name)}: {json.dumps(prints[name])}" for name in {**RECORDED, **prints}]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
