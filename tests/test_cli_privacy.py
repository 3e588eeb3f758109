"""The command line's guards: whose records, how much was spent, and does it hold."""

from __future__ import annotations

import json
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from click.testing import CliRunner, Result
from faults import FAULTS

import geodp
from geodp import audit, cli
from geodp.cli import main

BOX = ["--bounds", "0", "0", "100", "100", "--crs", "EPSG:5070"]


@pytest.fixture
def visits(tmp_path) -> Path:
    """Ten people with twenty visits each."""
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
    done = run("release", visits, *BOX, "--epsilon", 100000, "--sizes", 1, "-o", out,
               "--person", "who", "--max-records", 3)  # fmt: skip
    assert done.exit_code == 0, done.output
    release = geodp.open_release(out)
    assert release.counts.tolist() == [[30]]
    assert release.inputs.unit == "person"
    assert "one person" in done.output


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--person", "who"], "pass max_records"),
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


def test_a_terminal_is_asked_whose_records_these_are(visits, tmp_path, monkeypatch):
    class Terminal:
        """Streams that say they are a terminal."""

        def __getattr__(self, name: str) -> object:
            return lambda *_: True

    monkeypatch.setattr(cli, "sys", type("S", (), {"stdin": Terminal(), "stderr": Terminal()}))
    out = tmp_path / "c.tif"
    words = ["release", visits, *BOX, "--epsilon", 1, "--sizes", 2, "-o", out, "--force"]
    done = run(*words, typed="y\nwho\n4\n")
    assert done.exit_code == 0, done.output
    asked = [done.output.index(q) for q in ("Can one person", "Which field", "At most how many")]
    assert asked == sorted(asked)
    assert geodp.open_release(out).inputs.max_records == 4
    done = run(*words, typed="n\n")
    assert geodp.open_release(out).inputs.unit == "record"
    assert "Can one person" not in run(*words, "--one-each").output


def test_a_ledger_from_the_command_line(visits, tmp_path):
    ledger = ["--ledger", tmp_path / "spends"]
    assert run("ledger", "register", "visits", "--cap", "0.5", *ledger).exit_code == 0
    words = ["release", visits, *BOX, "--sizes", 2, *ledger, "--dataset", "visits", "--epsilon"]
    assert run(*words, "0.3", "-o", tmp_path / "a.tif").exit_code == 0
    refused = run(*words, "0.3", "-o", tmp_path / "b.tif")
    assert refused.exit_code == 2
    assert "use at most 1/5" in refused.output
    assert not (tmp_path / "b.tif").exists()
    assert "3/10 of 1/2 spent, 1/5 left" in run("ledger", "list", *ledger).output
    shown = json.loads(run("ledger", "show", "visits", *ledger, "--json").output)
    assert [spend["epsilon"] for spend in shown["spends"]] == ["3/10"]
    assert "visits: 3/10 of 1/2" in run("ledger", "show", "visits", *ledger).output
    assert json.loads(run("ledger", "list", *ledger, "--json").output)[0]["cap"] == "1/2"
    twice = run("ledger", "register", "visits", "--cap", 9, *ledger)
    assert twice.exit_code == 2
    assert "there already" in twice.output


@pytest.mark.parametrize(
    ("fault", "measure", "name"),
    [
        ("noise scale 30 % too small", "counts", "a lone point in an empty map"),
        ("the choice's budget not divided by the distance (k = 50)", "odds",
         "fifty records in one region"),
        ("the sketch's budget not divided by the distance (k = 50)", "sketch",
         "fifty records in one region"),
        ("weights from the true counts instead of the sketch", "steps",
         "a second record in a region that had one"),
    ],
)  # fmt: skip
def test_the_audit_from_the_command_line(monkeypatch, fault, measure, name):
    few = [case for case in audit.cases() if case.name == name]
    monkeypatch.setattr(audit, "cases", lambda: few)
    done = run("audit", "--runs", 5, "--quiet")
    assert done.exit_code == 0, done.output
    assert "checks passed and 0 failed" in done.output
    (planted,) = [one for one in FAULTS if one.name == fault]
    with planted.plant():
        broken = run("audit", "--runs", 5, "--json", "--quiet")
    assert broken.exit_code == 1
    failed = [row["measure"] for row in json.loads(broken.output) if not row["passed"]]
    assert measure in failed


@pytest.mark.parametrize("words", [["ledger"], ["ledger", "register"], ["ledger", "list"],
                                   ["ledger", "show"], ["audit"]])  # fmt: skip
def test_help_has_an_example(words):
    done = run(*words, "--help")
    assert done.exit_code == 0
    assert "Example" in done.output
