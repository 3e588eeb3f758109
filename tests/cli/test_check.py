"""`geodp check`: mistakes in reading, found by whoever holds the points; nothing is left behind."""

from __future__ import annotations

import shutil

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from geodp.cli import main

BOX = "--bounds 490000 5390000 510000 5410000 --crs EPSG:32633"
TABLE = "--x lon --y lat --points-crs EPSG:4326"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Yield points of a town, in many ways; commands are called where they lie."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    x, y = rng.uniform(491_000, 509_000, 400), rng.uniform(5_391_000, 5_409_000, 400)
    layer = gpd.GeoDataFrame(
        {"who": np.arange(400) % 40}, geometry=gpd.points_from_xy(x, y), crs="EPSG:32633"
    )
    degrees = layer.to_crs("EPSG:4326")
    table = layer.drop(columns="geometry").assign(
        lon=degrees.geometry.x, lat=degrees.geometry.y, east=x, north=y
    )
    table["dms_lon"] = [sexagesimal(value) for value in table.lon]
    table["dms_lat"] = [sexagesimal(value) for value in table.lat]
    table.to_csv("points.csv", index=False)
    table.to_csv("commas.csv", index=False, sep=";", decimal=",")
    layer.to_file("points.gpkg")
    degrees.to_file("points.geojson")
    layer.iloc[:0].to_file("empty.gpkg")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    yield tmp_path
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def sexagesimal(value: float) -> str:
    minutes = value % 1 * 60
    return f"{int(value)}°{int(minutes)}'{minutes % 1 * 60:.2f}\""


def check(words: str) -> list[str]:
    done = CliRunner().invoke(main, ["check", *words.split()])
    assert done.exit_code == 0, done.output
    first, *lines, last = done.stdout.splitlines()
    assert first.startswith("PRIVATE: ")
    assert "not for publication" in first
    assert "Nothing is written" in first
    assert "not covered by epsilon" in last
    return lines


def test_what_is_read_rightly_is_said_to_be():
    assert check(f"points.csv {TABLE} {BOX}") == [
        "Columns: who, lon, lat, east, north, dms_lon, dms_lat.",
        "Coordinates: all are numbers.",
        "In the domain: all of the points.",
    ]
    assert check(f"points.gpkg {BOX}")[-1] == "In the domain: all of the points."
    assert check(f"points.geojson {BOX}")[-1] == "In the domain: all of the points."


MISTAKES = {
    f"points.csv --x lat --y lon --points-crs EPSG:4326 {BOX}": "with x and y exchanged",
    f"points.csv --x lon --y lat --points-crs EPSG:32633 {BOX}": "as longitude and latitude",
    f"points.csv --x lat --y lon --points-crs EPSG:32633 {BOX}": "as latitude and longitude",
    f"points.csv --x east --y north --points-crs EPSG:3857 {BOX}": "in the CRS of the domain",
    f"points.csv --x east --y north --points-crs EPSG:4326 {BOX}": "in the CRS of the domain",
    f"points.gpkg {BOX.replace('5390000', '1390000').replace('5410000', '1410000')}": "the bounds",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_points_that_are_elsewhere(words):
    *_, share, remedy = check(words)
    assert share == "In the domain: none of the points."
    assert MISTAKES[words] in remedy
    assert remedy.startswith(("All would be", "Neither exchanged axes"))


def test_a_decimal_comma():
    sentences = check(f"commas.csv {TABLE} {BOX} --decimal .")
    assert sentences[1:] == [
        "Coordinates: none are numbers.",
        "They have a decimal comma: say so with --decimal.",
    ]
    assert check(f"commas.csv {TABLE} {BOX} --decimal ,")[-1] == "In the domain: all of the points."
    sentences = check(f"points.csv {TABLE} {BOX} --decimal ,")
    assert "They have a decimal point: say so with --decimal." in sentences


def test_degrees_minutes_and_seconds():
    sentences = check(f"points.csv --x dms_lon --y dms_lat --points-crs EPSG:4326 {BOX}")
    assert "They are degrees, minutes and seconds: make them decimal degrees first." in sentences


def test_columns_are_listed_before_they_can_be_named():
    (only,) = check("points.csv")
    assert only.startswith("Columns: who, lon, lat,")
    assert "--x, --y and --points-crs" in only
    assert check("commas.csv --separator ; --decimal ,")[0].startswith("Columns: who, lon")


def test_part_of_the_points():
    half = BOX.replace("510000", "500000")
    assert check(f"points.gpkg {half}")[-1] == "In the domain: about half of the points."
    few = BOX.replace("510000", "491500")
    assert "In the domain: few of the points." in check(f"points.gpkg {few}")
    assert check("points.gpkg")[-1] == "Coordinates: all are numbers."  # no domain was named
    assert check(f"empty.gpkg {BOX}")[-1] == "Coordinates: no points were found."


def test_records_of_persons():
    sentences = check(f"points.gpkg {BOX} --person who --max-records 5")
    assert sentences[-2:] == [
        "Persons: about 40, with about 10 records typically and about 10 at the most.",
        "As at most 5 of each person, about half of their records count.",
    ]


def test_a_typo_in_a_field_of_geojson_which_a_release_must_pass_over():
    *_, last = check(f"points.geojson {BOX} --person whoo")
    assert last == (
        "Persons: no record has a value in 'whoo', so that none would be counted. Is it 'who'?"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"points.gpkg {BOX} --person whoo", "the columns are 'who'"),
        ("points.gpkg --crs EPSG:32633", "--bounds and --crs say together"),
        ("points.gpkg --within points.gpkg", "--within goes with --bounds"),
        ("nothing.gpkg", "there is no nothing.gpkg"),
        ("points.csv --x lon --y lat", "--x, --y and --points-crs"),
        (f"points.csv {TABLE} --decimal ;", "--decimal must be '.' or ','; got ';'"),
        (f"points.csv {TABLE} --separator ab", "--separator must be one ASCII character"),
    ],
)
def test_refusals_are_one_sentence(words, message):
    done = CliRunner().invoke(main, ["check", *words.split()])
    assert done.exit_code == 2
    (line,) = done.output.splitlines()
    assert message in line


def test_the_help_has_an_example():
    text = CliRunner().invoke(main, ["check", "--help"]).output
    assert "Example:" in text
    assert "geodp check visits.csv" in text


def test_amounts_are_told_in_powers_of_ten(tmp_path):
    table = pd.read_csv("points.csv")
    rng = np.random.default_rng(2)
    table["paid"] = rng.uniform(20, 800, len(table))
    table.loc[0, "paid"] = 54_321
    table.loc[1:3, "paid"] = [np.nan, 0, -3]
    folder = tmp_path / "more"
    folder.mkdir()
    try:
        table.to_csv(folder / "paid.csv", index=False)
        table.assign(paid="many").to_csv(folder / "words.csv", index=False)
        asked = f"{folder / 'paid.csv'} {TABLE} {BOX} --amount paid"
        sentences = check(asked)
        assert sentences[3:] == [
            "Amounts: most of the records have a number in 'paid'.",
            "Of the amounts, few are below zero.",
            "Of the amounts, few are zero.",
            "In size, nine of ten lie between 10 and 1,000, and all below 100,000.",
            "A bound that is chosen by these amounts is not covered by epsilon: take it from a "
            "contract, the law or an earlier report.",
        ]
        labelled = check(f"{asked} --label EUR --unit 5")  # of which none divides unnamed bounds
        assert "nine of ten lie between 10 and 1,000 EUR, and all below 100,000 EUR" in labelled[6]
        bounded = check(f"{asked} --between 0 1000 --person who --by who --breaks 0,20,40")
        assert "Of the amounts, few lie above the bounds and few below" in " ".join(bounded)
        assert any(line.startswith("Persons: about 40, with about 10") for line in bounded)
        assert "Of the records, about half are in '0 to 20'." in bounded
        none = check(f"{folder / 'words.csv'} {TABLE} --amount paid")
        assert none[-1] == "Amounts: none of the records have a number in 'paid'."
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--between 0 5", "name its field with --amount"),
        ("--amount paid", "the amount field must be a column"),
        ("--amount who --between 5 0", "must be less than the upper one"),
    ],
)
def test_wrong_amounts_are_refused(words, message):
    done = CliRunner().invoke(main, ["check", *f"points.csv {TABLE} {words}".split()])
    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.parametrize(
    "words",
    [
        "--cells adaptive --resolution 100m --one-each",
        "--cells regular --cell-sizes 500,1000 --tuner e2epriv --tuning-share 0.2",
        "--hexagons 1km --person who --place most-frequent",
        "--sizes 10 --person who --visits 3 --neighbours replace",
        "--amount who --between 0 9 --person who --per-person",
    ],
)
def test_options_of_a_release_are_options_of_a_check(words):
    """Whoever replaces one word of a command has the look that belongs to it."""
    lines = check(f"points.gpkg {BOX} {words}")
    assert "In the domain: all of the points." in lines
    assert any(line.startswith("Persons: ") for line in lines) == ("--person" in words)
    assert any(line.startswith("Amounts: ") for line in lines) == ("--amount" in words)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (f"{BOX} --cells round", "cells must be"),
        (f"{BOX} --hexagons 1km --cells regular", "--cells is about other cells"),
        (f"{BOX} --place most-frequent", "--place is about people"),
        (f"{BOX} --person who --place home", "--place must be"),
        (f"{BOX} --one-each --person who", "exclude each other"),
        ("--sizes 10", "--sizes is about cells inside of --bounds"),
        ("--hexagons 1km", "--hexagons is about cells inside of --bounds"),
        (f"{BOX} --per-person", "--per-person is about amounts"),
        (f"{BOX} --unit 1", "--unit is about amounts"),
        (f"{BOX} --label EUR", "--label is about amounts"),
        (f"{BOX} --amount who --between 0 90 --unit 7", "the unit of an amount must divide"),
    ],
)
def test_what_a_release_refuses_is_refused_by_a_check(words, rule):
    refusals = []
    for command in ("check", "release"):
        more = ["--epsilon", "1", "-o", "none.tif"] if command == "release" else []
        done = CliRunner().invoke(main, [command, "points.gpkg", *words.split(), *more])
        assert done.exit_code == 2, done.output
        refusals.append(done.stderr.splitlines()[-1])
    assert rule in refusals[0]
    assert rule in refusals[1] or "--bounds" in rule
