"""Text files with decimal commas and separators of their own."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from samples import CRS, DOMAIN, sample_points

import geodp
from geodp.cli import main

POINTS = sample_points(300)
GRID = [geodp.Grid(DOMAIN, (4, 5))]
WHERE = {"x": "east", "y": "north", "crs": CRS}
KINDS = {
    "a decimal comma, semicolons": (",", ";", {"decimal": ","}),
    "a decimal point, semicolons": (".", ";", {"decimal": "."}),
    "a decimal comma, tabs": (",", "\t", {"decimal": ",", "separator": "\t"}),
    "a decimal point, bars": (".", "|", {"separator": "|"}),
    "a decimal comma, bars": (",", "|", {"decimal": ",", "separator": "|"}),
    "said as they are": (".", ",", {"decimal": ".", "separator": ","}),
}


def counts(points: object, **options: object) -> np.ndarray:
    options = {"cells": geodp.Regular(GRID), "epsilon": 10**6, "force": True, **options}
    return geodp.release(points, **options)


@pytest.fixture(scope="module")
def true() -> np.ndarray:
    return counts((POINTS.east.to_numpy(), POINTS.north.to_numpy())).counts


@pytest.fixture
def table(tmp_path):
    def write(decimal: str, separator: str):
        columns = POINTS.drop(columns="geometry").assign(speed=np.arange(300) + 0.5)
        path = tmp_path / "points.csv"
        columns.to_csv(path, index=False, decimal=decimal, sep=separator)
        return path

    return write


@pytest.mark.parametrize("kind", KINDS)
def test_marks_that_are_said_are_read(kind, table, true):
    decimal, separator, options = KINDS[kind]
    source = geodp.read_points(table(decimal, separator), **WHERE, **options)
    assert np.array_equal(counts(source).counts, true)
    people = counts(source, protect=geodp.Person("who", 300))
    assert people.counts.sum() == pytest.approx(true.sum(), abs=0.1)


@pytest.mark.parametrize("options", [{}, {"separator": ";"}])
def test_beside_semicolons_the_decimal_mark_is_said_and_not_guessed(options, table):
    with pytest.raises(geodp.InputError, match="pass `decimal`, ',' for a comma"):
        counts(geodp.read_points(table(",", ";"), **WHERE, **options))


def test_a_wrong_decimal_mark_leaves_an_empty_map(table):
    """By design without a word, since values are private; `geodp check` says it."""
    source = geodp.read_points(table(",", ";"), **WHERE, decimal=".")
    assert counts(source).counts.sum() == 0


def test_layers_by_breaks_know_the_decimal_comma(table, true):
    source = geodp.read_points(table(",", ";"), **WHERE, decimal=",")
    parts = counts(source, by=geodp.Breaks("speed", [0, 100, 300]))
    assert sum(parts[name].counts.sum() for name in parts.groups) == true.sum()


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"decimal": ";"}, "must be '.' or ','; got ';'"),
        ({"separator": ";;"}, "one ASCII character"),
        ({"separator": "\n"}, "one ASCII character"),
        ({"separator": ",", "decimal": ","}, "must differ"),
        ({"separator": "."}, "must differ"),
    ],
)
def test_marks_that_cannot_be(table, message, words):
    with pytest.raises(geodp.InputError, match=words):
        geodp.read_points(table(".", ","), **WHERE, **message)


def test_marks_are_for_text_files(tmp_path):
    POINTS.to_file(tmp_path / "p.gpkg")
    for points in (tmp_path / "p.gpkg", POINTS, (np.zeros(1), np.zeros(1))):
        with pytest.raises(geodp.InputError, match="are for text files"):
            geodp.read_points(points, decimal=",")
    described = geodp.read_points((np.zeros(1), np.zeros(1)))
    with pytest.raises(geodp.InputError, match="described already"):
        geodp.read_points(described, separator=";")


def test_marks_on_the_command_line(table, tmp_path, true):
    first = f"release {table(',', chr(9))} --x east --y north --points-crs {CRS} --yes -q"
    frame = f"--bounds 0 0 100000 80000 --crs {CRS} --sizes 4x5 --epsilon 1000000"
    words = [*first.split(), *frame.split(), "--decimal", ",", "--separator", "tab"]
    done = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "a.tif")])
    assert done.exit_code == 0, done.output
    assert np.array_equal(geodp.open_release(tmp_path / "a.tif").counts, true)
