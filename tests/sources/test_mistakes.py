"""Mistaken inputs are counted rightly, or refused in a sentence that tells no point."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner
from samples import CRS, DOMAIN

import geodp
from geodp.cli import main
from geodp.outputs.vector import to_answers

RNG = np.random.default_rng(5)
X, Y = RNG.uniform(0, 1e5, 40), RNG.uniform(0, 8e4, 40)
AREA = ("--bounds", *DOMAIN.bounds, "--crs", CRS)
HOUR = RNG.integers(0, 24, 40)
TIME = np.datetime64("2024-01-01T00", "s") + HOUR.astype("m8[h]")
TABLE = pd.DataFrame({"x": X, "y": Y, "hour": HOUR})
GRIDS = [geodp.Grid(DOMAIN, (4, 5))]

HOLDERS = {
    "Series": lambda values: pd.Series(values, index=range(7, 47)),
    "pyarrow": pa.array,
    "chunks": lambda values: pa.chunked_array([values[:9], values[9:]]),
    "masked": np.ma.array,
    "pandas array": pd.array,
}


def counted(points, **options) -> list:
    given = {"cells": geodp.Regular(GRIDS), "epsilon": 10**6, "seed": 1, **options}
    return [part.counts.tolist() for part in geodp.release(points, **given).maps.values()]


@pytest.mark.parametrize("holder", HOLDERS)
def test_arrays_of_other_libraries_are_counted(holder):
    """A column of pandas has a method `mask`, which is no mask: once nothing was counted."""
    hold = HOLDERS[holder]
    assert counted((hold(X), hold(Y))) == counted((X, Y))
    hours = {"by": geodp.Breaks("hour", [0, 6, 24])}
    counts = counted({"x": hold(X), "y": hold(Y), "hour": hold(HOUR)}, **hours)
    assert counts == counted({"x": X, "y": Y, "hour": HOUR}, **hours)
    days = {"by": geodp.Breaks("time", ["00:00", "06:00", "24:00"])}
    counts = counted({"x": hold(X), "y": hold(Y), "time": hold(TIME)}, **days)
    assert counts == counted({"x": X, "y": Y, "hour": HOUR}, **hours)


@pytest.mark.parametrize(
    ("points", "rule", "where"),
    [
        (TABLE, r"no geometry: name them by `read_points\(…, x=…, y=…, crs=…\)`", {}),
        (pa.table({"x": X, "y": Y}), r"has none: name them by `read_points\(…, x=…", {}),
        (gpd.GeoSeries.from_xy(X, Y).to_arrow(), "make it a column of a table", {}),
        (pa.record_batch({"x": X, "y": Y}), "a table must have a column that says", {}),
        (pa.chunked_array([X]), "must hand out a table of columns", {}),
        (TABLE.groupby("hour"), "points must be a GeoDataFrame", {}),
        (TABLE.groupby("hour"), "points must be a GeoDataFrame", {"x": "x", "y": "y", "crs": 5070}),
    ],
    ids=["frame", "table", "points", "batch", "column", "groups", "named groups"],
)
def test_tables_that_are_no_points_are_refused_without_a_word_of_what_they_hold(
    points, rule, where
):
    """The columns of a table of pyarrow are the records, not their names."""
    with pytest.raises(geodp.InputError, match=rule) as refused:
        counted(geodp.read_points(points, **where))
    assert str(int(X[0])) not in str(refused.value)


def test_a_file_without_a_header_line_is_refused_without_its_first_record(tmp_path):
    path = tmp_path / "points.csv"
    TABLE.to_csv(path, header=False, index=False)
    frame = pd.read_csv(path).astype(str)
    for points in (path, frame):
        with pytest.raises(geodp.InputError, match="look like a record: name them") as refused:
            counted(geodp.read_points(points, x="x", y="y", crs=5070))
        assert str(int(X[0])) not in str(refused.value)


@pytest.mark.parametrize("person", [None, "who"])
def test_a_first_record_that_begins_with_letters_is_not_told_either(tmp_path, person):
    path = tmp_path / "points.csv"
    path.write_text("N52.5200,E13.4050,Ann,asthma\nN52.5300,E13.4150,Bob,none\n")
    geometry = gpd.points_from_xy(X[:1], Y[:1], crs=5070)
    protect = None if person is None else geodp.Person(person, 1)
    table = {"x": "x", "y": "y", "crs": 5070}
    for points, where in (
        (path, table),
        (pd.read_csv(path), table),
        (gpd.GeoDataFrame(pd.read_csv(path), geometry=geometry), {} if person else table),
    ):
        with pytest.raises(geodp.InputError, match="they may be a record where") as refused:
            counted(geodp.read_points(points, **where), protect=protect)
        assert "N52" not in str(refused.value)
        assert "asthma" not in str(refused.value)


def test_columns_are_told_where_one_of_them_was_asked_for(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,north,who\n1,2,Ann\n")
    with pytest.raises(geodp.InputError, match="the columns are 'x', 'north', 'who'"):
        counted(geodp.read_points(path, x="x", y="y", crs=5070))


def test_arrays_that_are_filled_again_count_once():
    """A stream may read into one buffer: counting goes on while the next block is read."""
    size = 8

    def blocks(**columns):
        held = {name: values[:size].copy() for name, values in columns.items()}
        for start in range(0, len(X), size):
            for name, values in columns.items():
                held[name][:] = values[start : start + size]
            yield held

    assert counted(blocks(x=X, y=Y)) == counted((X, Y))
    people = {"protect": geodp.Person("hour", max_records=1)}
    layers = {"by": geodp.Breaks("hour", [0, 6, 24])}
    for options in (people, layers):
        counts = counted(blocks(x=X, y=Y, hour=HOUR), **options)
        assert counts == counted({"x": X, "y": Y, "hour": HOUR}, **options)


def test_a_file_that_is_named_twice_is_refused(tmp_path):
    """One record would move counts by two, and the promise is about one."""
    folder = tmp_path / "parts"
    folder.mkdir()
    path = folder / "part.csv"
    TABLE.to_csv(path, index=False)
    where = {"x": "x", "y": "y", "crs": 5070}
    assert counted(geodp.read_points(folder, **where)) == counted((X, Y))
    (tmp_path / "link.csv").symlink_to(path)
    (tmp_path / "hard.csv").hardlink_to(path)
    for others in ([path], [folder], [tmp_path / "link.csv"], [tmp_path / "hard.csv"]):
        with pytest.raises(
            geodp.InputError, match="are one dataset, or one is a part of the other: name it once"
        ):
            geodp.read_points([path, *others], **where)
    (folder / "latest.csv").symlink_to(path)
    with pytest.raises(geodp.InputError, match="counted once"):
        geodp.read_points(folder, **where)


@pytest.mark.parametrize("name", ["x", "hour"])
def test_a_column_that_is_there_twice_is_refused(name):
    twice = pd.concat([TABLE, TABLE[[name]]], axis=1)
    points = geodp.read_points(twice, x="x", y="y", crs=5070)
    with pytest.raises(geodp.InputError, match=f"{name!r} is there more than once"):
        counted(points, protect=geodp.Person("hour", max_records=1))
    if name == "hour":
        with pytest.raises(geodp.InputError, match="the `by` field must be one column"):
            counted(points, by=geodp.Categories("hour", [1, 2]))


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"by": TABLE["x"]}, "`by` needs a public list with its field, .* got a Series"),
        ({"by": [TABLE["x"]]}, "`by` needs a public list with its field, .* got a Series"),
        ({"by": X.tolist()}, "`by` needs a public list with its field, .* got a float"),
        ({"by": geodp.Categories}, "`by` needs a public list with its field, .* got a type"),
        (lambda: {"by": geodp.Categories(TABLE["x"], [1])}, "by its name; got a Series"),
        (lambda: {"by": geodp.Categories(["63"] * 40, [1])}, "by its name; got a list"),
        (lambda: {"by": geodp.Categories(2, [1])}, "by its name; got a int"),
        (lambda: {"by": geodp.Breaks("hour", TABLE["x"])}, "got 40 values that are not"),
        ({"seed": np.random.default_rng(1)}, "seed must be a whole number"),
        ({"epsilon": 10**400}, "epsilon must be at most 1e"),
        ({"epsilon": "1e350"}, "epsilon must be at most 1e"),
        ({"cells": TABLE}, "`cells` must be .*; got a DataFrame"),
        ({"cells": geodp.Regular}, "`cells` must be"),
        ({"cells": "fine"}, "`cells` must be .*; got 'fine'"),
        (lambda: {"cells": geodp.Regular(workload=TABLE)}, "`workload` must be a Workload"),
        (lambda: {"cells": geodp.Regular([*GRIDS, TABLE])}, "candidates must be grids"),
        (lambda: {"cells": geodp.Regular(TABLE)}, "candidates must be grids"),
        (lambda: {"cells": geodp.Regular(GRIDS, sizes=[3])}, "got `grids` and `sizes`"),
        (lambda: {"cells": geodp.Regular(sizes=5)}, "`sizes` must be a list"),
        (lambda: {"cells": geodp.Regular(cell_sizes="500")}, "`cell_sizes` must be a list"),
        (lambda: {"cells": geodp.Regular(cell_sizes=[TABLE])}, "`cell_sizes` must be numbers"),
        (lambda: {"cells": geodp.Adaptive(resolution="fine")}, "`resolution` must be a positive"),
        (lambda: {"cells": geodp.Adaptive(resolution=0)}, "`resolution` must be a positive"),
        (lambda: {"cells": geodp.Adaptive(resolution=1e9), "domain": DOMAIN}, "shorter side"),
    ],
)
def test_columns_where_names_belong_and_the_like_are_refused(options, rule):
    with pytest.raises(geodp.InputError, match=rule) as refused:
        counted((X, Y), **(options() if callable(options) else options))
    assert "\n" not in str(refused.value)
    assert all(str(int(x)) not in str(refused.value) for x in X[:2])


def test_columns_instead_of_their_names_are_refused():
    for name in (X, pd.Series(X), X.tolist()):
        with pytest.raises(geodp.InputError, match="names of columns; got a") as refused:
            geodp.read_points(TABLE, x=name, y="y", crs=5070)
        assert str(int(X[0])) not in str(refused.value)


def test_numbers_of_numpy_and_single_things_will_do():
    assert counted((X, Y), seed=np.int64(1), cells=geodp.Regular(GRIDS[0])) == counted((X, Y))
    rows = geodp.forecast(DOMAIN, epsilons=np.float64(1), cells=geodp.Regular(GRIDS)).table()
    assert rows == geodp.forecast(DOMAIN, epsilons=[1], cells=geodp.Regular(GRIDS)).table()


@pytest.mark.parametrize("crs", ["EPSG:4978", "EPSG:5703"])
def test_coordinate_systems_without_places_on_a_map_are_refused(crs):
    with pytest.raises(geodp.CrsError, match="places on a map"):
        geodp.Domain((0, 0, 1e5, 8e4), crs=crs)


def test_what_is_no_number_is_refused():
    released = geodp.release((X, Y), cells=geodp.Regular(GRIDS), epsilon=1, seed=1)
    for level in ("95", None):
        with pytest.raises(geodp.InputError, match="level must lie between 0 and 1"):
            released.query([(0, 0, 1e4, 1e4)], level=level)
    with pytest.raises(geodp.InputError, match="resolution must be a positive number"):
        geodp.Domain((0, 0, 1e5, 8e4), crs=5070, resolution="fine")


def test_answers_are_asked_about_again(tmp_path):
    """A file of answers has the columns of answers already, and the geometry behind them."""
    released = geodp.release(
        TABLE.to_dict("list"),
        DOMAIN,
        epsilon=1,
        seed=1,
        cells="regular",
        by=geodp.Breaks("hour", [0, 9, 24]),
    )
    regions = gpd.GeoDataFrame({"name": ["a"]}, geometry=gpd.GeoSeries.from_wkt(
        ["POLYGON ((0 0, 60000 0, 60000 60000, 0 0))"]), crs=5070)  # fmt: skip
    first = released.total.query(regions)
    first.to_file(tmp_path / "answers.gpkg")
    again = gpd.read_file(tmp_path / "answers.gpkg")
    assert again.columns[-1] == "geometry"
    for how in ({}, {"wide": True}):
        expected = released.query(regions, **how)
        answers = released.query(again, **how)
        assert answers.columns.tolist() == expected.columns.tolist()
        assert answers.drop(columns="geometry").equals(expected.drop(columns="geometry"))


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".geojson", ".fgb", ".shp", ".csv"])
def test_columns_of_regions_that_a_format_cannot_hold_are_told_as_that(suffix, tmp_path):
    released = geodp.release((X, Y), cells=geodp.Regular(GRIDS), epsilon=1, seed=1)
    shape = gpd.GeoSeries.from_wkt(["POLYGON ((0 0, 60000 0, 60000 60000, 0 0))"] * 2, crs=5070)
    odd = {
        "fid": ["a", "b"],
        "large": np.array([2**63, 1], dtype=np.uint64),
        "span": pd.to_timedelta([1, 2]),
        "mixed": [1, "a"],
        "centre": shape.centroid,
        0: [1, 2],
    }
    for name, values in odd.items():
        path = tmp_path / f"{name}{suffix}"
        try:
            to_answers(
                released, released.query(gpd.GeoDataFrame({name: values}, geometry=shape)), path
            )
        except geodp.FileError as error:
            assert "cannot hold a column of the regions" in str(error)
            assert not path.exists()
    assert not list(tmp_path.glob(".*"))


def test_a_geometry_may_be_called_like_an_answer():
    released = geodp.release((X, Y), cells=geodp.Regular(GRIDS), epsilon=1, seed=1)
    shape = gpd.GeoSeries.from_wkt(["POLYGON ((0 0, 60000 0, 60000 60000, 0 0))"], crs=5070)
    answers = released.query(gpd.GeoDataFrame(geometry=shape).rename_geometry("estimate"))
    assert answers.geometry.geom_equals(shape).all()
    assert answers.estimate.tolist() == released.query(shape).estimate.tolist()


@pytest.mark.parametrize("path", ["", " "])
def test_an_empty_path_is_not_the_folder_that_one_is_in(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.to_parquet("points.parquet")
    table = {"x": "x", "y": "y", "crs": CRS}
    with pytest.raises(geodp.InputError, match="this one is empty: name a file"):
        counted(geodp.read_points(path, **table))
    outcome = CliRunner().invoke(main, ["check", path, *map(str, AREA)])
    assert "this one is empty: name a file" in outcome.output


@pytest.mark.parametrize("points", [8, 4000], ids=["short", "long"])
@pytest.mark.parametrize("given", ["json", "lines"])
def test_records_that_are_given_as_a_path_are_not_repeated(given, points):
    """The system's own words repeat a name that is too long for a file."""
    frame = gpd.GeoDataFrame(geometry=gpd.points_from_xy(range(points), range(points)), crs=CRS)
    text = frame.to_json() if given == "json" else frame.get_coordinates().to_csv()
    with pytest.raises(geodp.InputError, match="this text is none, and is not repeated") as told:
        counted(text)
    assert "0.0" not in str(told.value)
    assert told.value.__cause__ is None
    outcome = CliRunner().invoke(main, ["check", text, *map(str, AREA)])
    assert outcome.exit_code == 2
    assert "is not repeated" in outcome.output
    assert "0.0" not in outcome.output
