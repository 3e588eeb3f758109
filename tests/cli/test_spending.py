"""Nothing is spent for nothing: outputs are tried first, and what was paid for is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from click.testing import CliRunner

import geodp
from geodp.cli import main
from geodp.core.publish.reopen import holds_release

FRAME = "--bounds 0 0 20000 15000 --crs EPSG:32633 --cells regular --cell-sizes 5000"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work where there are some points and an account for them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    rng = np.random.default_rng(1)
    table = {"kind": ["theft", "assault"] * 20}
    places = gpd.points_from_xy(rng.uniform(0, 20000, 40), rng.uniform(0, 15000, 40), crs=32633)
    gpd.GeoDataFrame(table, geometry=places).to_file("points.gpkg")
    run("ledger register people --cap 10 --ledger book.geodp")
    return tmp_path


def run(words: str, *more: str, **options):
    given = [*words.split(), *more]
    return CliRunner().invoke(main, given, **options)


def release(*more: str, **options):
    words = f"release points.gpkg {FRAME} --epsilon 1 --ledger book.geodp --dataset people -q"
    return run(words, *more, **options)


def spent() -> float:
    return float(geodp.Ledger("book.geodp")["people"].spent)


# --- names that formats do not take --------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["a!b.gpkg", "c;d/e.gpkg", "f!g/h.fgb", "i!j.shp", "k!l.geojson", "m!n.tif", "o;p.parquet"],
)
def test_epsilon_is_spent_only_where_the_release_is_written(name, folder):
    (folder / name).parent.mkdir(exist_ok=True)
    done = release("-o", name)
    assert (folder / name).exists() == (spent() == 1) == (done.exit_code == 0)
    if done.exit_code:
        assert "choose a plain name" in done.output
        assert len(done.output.splitlines()) == 1
    assert not list(folder.rglob(".geodp-*"))


def test_a_name_that_is_refused_keeps_the_others_from_being_spent_on(folder):
    done = release("-o", "fine.tif", "-o", "a!b.gpkg")
    assert (done.exit_code, spent()) == (2, 0)
    assert not (folder / "fine.tif").exists()


def test_more_columns_than_a_format_has_room_for_are_refused_before_the_spend(folder):
    names = ",".join(f"k{number}" for number in range(1500))
    done = release("--by", "kind", "--categories", names, "-o", "many.gpkg")
    assert (done.exit_code, spent()) == (2, 0)
    assert not (folder / "many.gpkg").exists()


# --- trouble after the spend ---------------------------------------------------------------------


def trouble(monkeypatch, *names: str) -> None:
    """Have some writers fail after they were tried out."""

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    for name in names:
        monkeypatch.setattr(f"geodp.outputs.several.{name}", fail)


def test_other_files_are_written_and_the_release_is_found_in_one_of_them(folder, monkeypatch):
    trouble(monkeypatch, "to_vector")
    done = release("-o", "first.gpkg", "-o", "then.tif", "-o", "last.png")
    assert done.exit_code == 2
    assert "the release is kept in then.tif" in done.output
    assert "epsilon is spent" in done.output
    assert geodp.open_release("then.tif").epsilon == spent() == 1
    assert (folder / "last.png").exists()


def test_a_release_of_which_no_file_could_be_written_is_kept_somewhere(monkeypatch):
    trouble(monkeypatch, "to_vector", "picture")
    done = release("-o", "first.gpkg", "-o", "last.png")
    assert done.exit_code == 2
    (kept,) = [Path(word.strip(":")) for word in done.output.split() if "geodp-release-" in word]
    assert geodp.open_release(kept).epsilon == spent() == 1


# --- releases are not replaced by the way --------------------------------------------------------


@pytest.mark.parametrize("name", ["c.tif", "c.gpkg", "c.fgb", "c.parquet", "c.geojson", "c.shp"])
def test_a_release_is_known_by_its_bytes(name, folder):
    assert release("-o", name).exit_code == 0
    assert holds_release(folder / name)
    assert not holds_release(folder / "points.gpkg")
    assert not holds_release(folder / "nothing.tif")


def test_force_replaces_files_and_no_releases(folder):
    Path("c.tif").write_bytes(b"something else")
    assert release("-o", "c.tif").exit_code == 2
    assert release("-o", "c.tif", "--force").exit_code == 0
    first = Path("c.tif").read_bytes()
    done = release("-o", "c.tif", "--force")
    assert (done.exit_code, spent()) == (2, 1)
    assert "c.tif is a release that epsilon was spent on, and is kept" in done.output
    assert "--overwrite" in done.output
    assert Path("c.tif").read_bytes() == first
    assert release("-o", "c.tif", "--overwrite").exit_code == 0
    assert spent() == 2
    assert Path("c.tif").read_bytes() != first
    assert not list(folder.glob(".geodp-*"))


@pytest.mark.parametrize(("answer", "replaced"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_at_a_terminal_whoever_sits_there_is_asked(answer, replaced, monkeypatch):
    assert release("-o", "c.tif").exit_code == 0
    monkeypatch.setattr("geodp.cli.options.at_terminal", lambda: True)
    done = release("-o", "c.tif", "--force", input=answer)
    assert "Replace it?" in done.output
    assert (done.exit_code == 0) == replaced
    assert spent() == 1 + replaced


def test_other_commands_replace_no_releases_either():
    assert release("-o", "c.gpkg", "-o", "d.gpkg").exit_code == 0
    before = Path("c.gpkg").read_bytes()
    square = gpd.GeoSeries.from_wkt(["POLYGON ((0 0, 9000 0, 9000 9000, 0 0))"], crs=32633)
    square.to_file("regions.gpkg")
    for words in (
        "query d.gpkg regions.gpkg -o c.gpkg",
        "change d.gpkg d.gpkg -o c.gpkg --from all --to all",
        f"grids {FRAME} -o c.gpkg",
    ):
        done = run(f"{words} --force")
        assert done.exit_code == 2, words
        assert "is a release" in done.output
    assert Path("c.gpkg").read_bytes() == before


# --- a look before the spend ---------------------------------------------------------------------


def test_check_tells_the_holder_how_many_records_are_in_each_group():
    done = run("check points.gpkg --by kind --categories theft,Assault")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0].startswith("PRIVATE")
    assert "Of the records, about half are in 'theft'." in lines
    assert "Of the records, none are in 'Assault'." in lines
    hint = "Values must be as they are listed, capital letters too."
    assert f"Of the records, about half are in no group: not counted. {hint}" in lines


def test_check_tells_of_dates_that_are_not_read():
    Path("p.csv").write_text("x,y,day\n1,1,31.12.2024\n2,2,1735600000\n3,3,2024-12-31\n")
    words = "check p.csv --x x --y y --points-crs EPSG:32633 --by day"
    done = run(f"{words} --breaks 2024-01-01,2025-01-01")
    assert "about half are in '2024'" in done.output
    assert "about half are in no group" in done.output
    assert "stand as 2024-12-31 or, in a text file, as --date-format says." in done.output
    assert "capital letters" not in done.output


GROUPS = ("--by", "kind", "--categories", "theft,Assault", "-o", "c.tif", "--one-each")


@pytest.mark.parametrize(
    ("answers", "looked", "released"),
    [("\n", False, True), ("n\n", False, True), ("y\ny\n", True, True), ("y\n\n", True, False)],
)
def test_the_look_is_offered_once_at_a_terminal(answers, looked, released, monkeypatch):
    for place in ("release", "options"):
        monkeypatch.setattr(f"geodp.cli.{place}.at_terminal", lambda: True)
    words = f"release points.gpkg {FRAME} --epsilon 1 --ledger book.geodp --dataset people"
    done = run(words, *GROUPS, input=answers)
    assert done.output.count("Look privately") == 1
    assert ("none are in 'Assault'" in done.output) == looked
    assert ("PRIVATE" in done.output) == looked
    assert (spent(), Path("c.tif").exists()) == (float(released), released)


def test_the_look_is_offered_for_amounts(monkeypatch):
    for place in ("release", "options"):
        monkeypatch.setattr(f"geodp.cli.{place}.at_terminal", lambda: True)
    words = f"release points.gpkg {FRAME} --epsilon 1 --amount kind --between 0 10 --one-each"
    done = run(words, "-o", "c.gpkg", input="y\n\n")
    assert "Look privately how large amounts are, before epsilon is spent?" in done.output
    assert "none of the records have a number in 'kind'" in done.output
    assert not Path("c.gpkg").exists()


@pytest.mark.parametrize("silent", ["--quiet", "--yes", "no terminal"])
def test_scripts_are_not_asked(silent, monkeypatch):
    if silent != "no terminal":
        for place in ("release", "options"):
            monkeypatch.setattr(f"geodp.cli.{place}.at_terminal", lambda: True)
    more = [] if silent == "no terminal" else [silent]
    done = run(f"release points.gpkg {FRAME} --epsilon 1", *GROUPS, *more)
    assert done.exit_code == 0
    assert "Look privately" not in done.output


# --- places and questions ------------------------------------------------------------------------


def test_a_folder_that_is_not_there_is_named_with_the_way_out():
    done = release("-o", "new/deep/c.tif")
    assert (done.exit_code, spent()) == (2, 0)
    assert f"there is no {Path('new/deep')}: make it first (mkdir -p)" in done.output
    assert not Path("new").exists()


@pytest.mark.parametrize(("answer", "released"), [("\n", True), ("y\n", True), ("n\n", False)])
def test_a_folder_is_offered_at_a_terminal(answer, released, monkeypatch):
    monkeypatch.setattr("geodp.cli.options.at_terminal", lambda: True)
    words = f"release points.gpkg {FRAME} --epsilon 1 --ledger book.geodp --dataset people"
    done = run(words, "-o", "new/deep/c.tif", "-o", "new/deep/c.gpkg", input=answer)
    assert done.output.count("There is no folder") == 1
    assert (done.exit_code == 0, Path("new/deep/c.gpkg").exists(), spent()) == (
        released,
        released,
        released,
    )


@pytest.mark.slow
def test_a_page_among_the_outputs_is_the_report():
    assert release("-o", "c.tif", "-o", "map.html", "-o", "MAP2.HTM").exit_code == 0
    for name in ("map.html", "MAP2.HTM"):
        assert "<html" in Path(name).read_text(encoding="utf-8")
    done = release("-o", "map.html")
    assert done.exit_code == 2
    assert "map.html exists" in done.output


ROOT = Path(__file__).parents[2]

AT_A_TERMINAL = """
import sys
from geodp.cli import main, options, release
options.at_terminal = release.at_terminal = lambda: True
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["", "y\n"])
def test_a_question_that_nobody_answers_is_refused_in_a_sentence(typed):
    """As where a program shows a terminal, and nobody sits there: the input really ends."""
    words = f"release points.gpkg {FRAME} --epsilon 1 --ledger book.geodp --dataset people -o c.tif"
    command = [sys.executable, "-c", AT_A_TERMINAL, *words.split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, env=environment)
    assert (done.returncode, spent()) == (2, 0)
    assert "a question needs an answer; the input ended" in done.stderr
    assert "pass --one-each, or --person." in done.stderr
    assert not Path("c.tif").exists()


@pytest.mark.slow
def test_a_crs_that_stretches_areas_is_told_with_its_figures():
    frame = "--bounds 1000000 6000000 1100000 6100000 --cells regular --cell-sizes 50000"
    words = f"release points.gpkg {frame} --epsilon 1 --yes --one-each -o"
    done = run(f"{words} c.tif --crs EPSG:3857")
    assert "EPSG:3857 stretches areas: what is 1 km² on the map is 0.45 to 0.46 km²" in done.output
    assert "stretches" not in run(f"{words} d.tif --crs EPSG:3857 -q").output
    assert "stretches" not in run(f"{words} e.tif --crs EPSG:3035").output
