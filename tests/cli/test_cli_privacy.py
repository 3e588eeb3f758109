"""The command line's guards: whose records, and how much was spent."""

from __future__ import annotations

import json
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from click.testing import CliRunner, Result

import geodp
from geodp.cli import main, options
from geodp.cli import release as command

BOX = ["--bounds", "0", "0", "100", "100", "--crs", "EPSG:5070"]


@pytest.fixture
def visits(tmp_path) -> Path:
    """Return ten people with twenty visits each."""
    x, y = np.random.default_rng(0).uniform(0, 100, (2, 200))
    layer = gpd.GeoDataFrame(
        {"who": np.arange(200) % 10}, geometry=gpd.points_from_xy(x, y), crs="EPSG:5070"
    )
    layer.to_file(tmp_path / "visits.gpkg")
    return tmp_path / "visits.gpkg"


def run(*words: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=typed)


def test_people_are_protected_when_asked_for(visits, tmp_path):
    out = tmp_path / "c.tif"
    done = run("release", visits, *BOX, "--epsilon", 100000, "--yes", "--sizes", 1, "-o", out,
               "--person", "who", "--max-records", 3)  # fmt: skip
    assert done.exit_code == 0, done.output
    release = geodp.open_release(out)
    assert release.counts == pytest.approx([30], abs=0.01)
    assert release.method.unit.kind == "person"
    assert "one person" in done.output


def test_people_are_counted_when_no_number_is_given(visits, tmp_path):
    out = tmp_path / "c.tif"
    done = run("release", visits, *BOX, "--epsilon", 100000, "--yes", "--sizes", 1, "-o", out,
               "--person", "who")  # fmt: skip
    assert done.exit_code == 0, done.output
    release = geodp.open_release(out)
    assert release.counts == pytest.approx([10], abs=0.01)
    assert release.method.unit == geodp.Unit("person", None)
    assert "Counts people, each spread over the places of their records" in done.output
    assert run("verify", out).exit_code == 0
    output = run("info", out).output
    assert "Estimated number of people: 10" in output


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--person", "nobody", "--max-records", 2], "there is no 'nobody'"),
        (["--person", "who", "--one-each"], "exclude each other"),
        (["--ledger", "l"], "go together"),
        (["--dataset", "d"], "go together"),
    ],
)
def test_contradictions_are_refused_in_one_sentence(visits, tmp_path, options, rule):
    out = tmp_path / "c.tif"
    done = run("release", visits, *BOX, "--epsilon", 1, "-o", out, *options)
    assert done.exit_code == 2
    assert rule in done.output
    assert not out.exists()


def test_sums_and_means_from_the_command_line(visits, tmp_path):
    frame = gpd.read_file(visits)
    points = tmp_path / "paid.gpkg"
    frame.assign(paid=np.arange(len(frame)) % 7).to_file(points)
    out = tmp_path / "c.gpkg"
    words = ["release", points, *BOX, "--epsilon", 100000, "--yes", "--sizes", 1, "-o", out]
    done = run(*words, "--amount", "paid", "--between", 0, 5)
    assert done.exit_code == 0, done.output
    assert "amounts above 5 count as 5" in done.output
    reopened = geodp.open_release(out)
    paid = np.minimum(np.arange(len(frame)) % 7, 5)
    assert reopened.columns()["sum"] == pytest.approx([paid.sum()], abs=0.1)
    assert run("verify", out).exit_code == 0
    for wrong in (["--amount", "paid"], ["--between", 0, 5]):
        refused = run(*words, "--force", *wrong)
        assert refused.exit_code == 2
        assert "go together" in refused.output
    refused = run(*words, "--force", "--overwrite", "--amount", "paid", "--between", 5, 0)
    assert refused.exit_code == 2
    assert "must be less than the upper one" in refused.output


def test_a_terminal_is_asked_whose_records_these_are(visits, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "at_terminal", lambda: True)
    monkeypatch.setattr(options, "at_terminal", lambda: True)
    out = tmp_path / "c.tif"
    words = ["release", visits, *BOX, "--epsilon", 1, "--sizes", 2, "-o", out, "--overwrite"]
    done = run(*words, typed="y\nwho\n")
    assert done.exit_code == 0, done.output
    asked = [done.output.index(q) for q in ("Can one person", "Which field")]
    assert asked == sorted(asked)
    assert geodp.open_release(out).method.unit == geodp.Unit("person", None)
    done = run(*words, typed="n\n")
    assert geodp.open_release(out).method.unit.kind == "record"
    assert "Can one person" not in run(*words, "--one-each").output


def test_a_ledger_from_the_command_line(visits, tmp_path):
    ledger = ["--ledger", tmp_path / "spends"]
    assert run("ledger", "register", "visits", "--cap", "0.5", *ledger).exit_code == 0
    words = ["release", visits, *BOX, "--sizes", 2, *ledger, "--dataset", "visits", "--epsilon"]
    assert run(*words, "0.3", "-o", tmp_path / "a.tif").exit_code == 0
    refused = run(*words, "0.3", "-o", tmp_path / "b.tif")
    assert refused.exit_code == 2
    assert "use at most 0.2" in refused.output
    assert not (tmp_path / "b.tif").exists()
    summary = "visits: 0.3 of 0.5 spent for one record; 0.2 left\n"
    assert run("ledger", "list", *ledger).output == summary
    shown = json.loads(run("ledger", "show", "visits", *ledger, "--json").output)
    (spend,) = shown.pop("spends")
    assert shown.pop("composed") == {"epsilon": "3/10", "delta": "1/1000000"}
    assert (spend["epsilon"], spend["unit"], spend["note"]) == ("3/10", "one record", "a.tif")
    facts = {"dataset": "visits", "unit": "one record", "cap": "1/2"}
    assert shown == {**facts, "spent": "3/10", "left": "1/5"}
    text = run("ledger", "show", "visits", *ledger).output
    assert "  0.3  one record  geodp release of 1 candidate grid  a.tif\n" in text
    assert text.endswith(summary)
    assert json.loads(run("ledger", "list", *ledger, "--json").output) == [shown]
    twice = run("ledger", "register", "visits", "--cap", 9, *ledger)
    assert twice.exit_code == 2
    assert "there already" in twice.output


def test_an_account_of_records_takes_no_people(visits, tmp_path):
    ledger = ["--ledger", tmp_path / "spends"]
    run("ledger", "register", "visits", "--cap", 2, *ledger)
    assert "visits: 0 of 2 spent; 2 left\n" in run("ledger", "list", *ledger).output
    words = ["release", visits, *BOX, "--sizes", 2, *ledger, "--dataset", "visits", "--epsilon", 1]
    people = ["--person", "who", "--max-records", 5]
    assert run(*words, *people, "-o", tmp_path / "a.tif").exit_code == 0
    refused = run(*words, "-o", tmp_path / "b.tif")
    assert refused.exit_code == 2
    first = "one person, at most 5 records, by the field 'who'"
    assert f"is {first}, and this would be for one record" in refused.output
    other = ["--person", "device", "--max-records", 5]
    refused = run(*words, *other, "-o", tmp_path / "b.tif")
    assert refused.exit_code == 2
    second = first.replace("who", "device")
    assert f"is {first}, and this would be for {second}:" in refused.output
    assert not (tmp_path / "b.tif").exists()
    assert f"  1  {first}  geodp release" in run("ledger", "show", "visits", *ledger).output
    assert f"1 of 2 spent for {first}; 1 left" in run("ledger", "list", *ledger).output
    shown = json.loads(run("ledger", "show", "visits", *ledger, "--json").output)
    assert shown["unit"] == shown["spends"][0]["unit"] == first


def test_notes_are_shown_on_one_line(tmp_path):
    book = geodp.Ledger(tmp_path / "spends")
    book.register("visits", cap=1)
    book["visits"].spend(1, geodp.Unit("person", 5), "map of May", note="may.tif\nand may.html")
    text = run("ledger", "show", "visits", "--ledger", book.path).output
    assert "  1  one person, at most 5 records  map of May  may.tif and may.html\n" in text
    shown = json.loads(run("ledger", "show", "visits", "--ledger", book.path, "--json").output)
    assert shown["spends"][0]["note"] == "may.tif\nand may.html"


def test_the_ledger_is_a_group_of_its_own():
    help_text = run("ledger", "--help").output
    listed = [line.split()[0] for line in help_text.split("Commands:\n")[1].splitlines()]
    assert listed == ["list", "register", "show"]
    for words in (["ledger", "ledger", "list"], ["ledger", "audit"]):
        done = run(*words)
        assert done.exit_code == 2
        assert "No such command" in done.output


def test_refusals_of_the_ledger_are_sentences(tmp_path):
    for words, rule in (
        (["list"], "the ledger must exist"),
        (["show", "visits"], "the ledger must exist"),
        (["register", "visits", "--cap", "much"], "must be a finite number"),
    ):
        done = run("ledger", *words, "--ledger", tmp_path / "none")
        assert done.exit_code == 2
        assert rule in done.output
        assert "Traceback" not in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["ledger"], ["ledger", "register"], ["ledger", "list"],
                                   ["ledger", "show"]])  # fmt: skip
def test_help_has_an_example(words):
    done = run(*words, "--help")
    assert done.exit_code == 0
    assert "Example" in done.output
