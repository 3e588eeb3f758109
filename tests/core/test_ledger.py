"""The ledger: exact, final, shared by processes, and careful with files that are not its own."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kills import hammer
from strategies import PLANE

import geodp
from geodp import FileError, InputError, Ledger

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
NOBODY = (np.zeros(0), np.zeros(0))


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    ledger = Ledger(tmp_path / "spends.geodp")
    ledger.register("patients", cap=1)
    return ledger


def test_ten_tenths_are_one(ledger):
    for month in range(10):
        ledger.spend("patients", 0.1, f"month {month}")
    assert ledger.account("patients").spent == 1
    with pytest.raises(InputError, match="would pass the cap: use at most 0"):
        ledger.spend("patients", "1/1000000000", "a bit more")
    assert [entry.what for entry in ledger.entries("patients")][:2] == ["month 0", "month 1"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.fractions(Fraction(1, 1000), 2), max_size=8))
def test_the_cap_holds_exactly(tmp_path_factory, amounts):
    ledger = Ledger(tmp_path_factory.mktemp("cap") / "l")
    ledger.register("d", cap="1.5")
    spent = Fraction(0)
    for amount in amounts:
        if spent + amount <= Fraction(3, 2):
            ledger.spend("d", amount, "")
            spent += amount
        else:
            with pytest.raises(InputError, match="cap"):
                ledger.spend("d", amount, "")
        assert ledger.account("d").spent == spent


def test_a_release_records_its_spend(ledger):
    geodp.release(NOBODY, DOMAIN, epsilon="0.3", ledger=ledger, dataset="patients")
    assert ledger.account("patients").left == Fraction(7, 10)
    with pytest.raises(InputError, match="use at most 7/10"):
        geodp.release(NOBODY, DOMAIN, epsilon="0.71", ledger=ledger, dataset="patients")
    assert ledger.account("patients").left == Fraction(7, 10)


def test_a_release_that_fails_before_drawing_spends_nothing(ledger):
    bad = (np.zeros(2), np.zeros(3))
    with pytest.raises(InputError, match="one length"):
        geodp.release(bad, DOMAIN, epsilon=1, ledger=ledger, dataset="patients")
    assert ledger.entries("patients") == []


def test_the_spend_is_committed_before_anything_is_drawn(ledger, monkeypatch):
    seen = []

    def broken(*_: object) -> int:
        seen.append(ledger.account("patients").spent)
        raise RuntimeError("power cut")

    monkeypatch.setattr(geodp.Influence, "choose", broken)
    with pytest.raises(RuntimeError):
        geodp.release(NOBODY, DOMAIN, epsilon="0.3", ledger=ledger, dataset="patients")
    assert seen == [Fraction(3, 10)]
    assert ledger.account("patients").spent == Fraction(3, 10)  # never given back


def test_rules_of_the_ledger(ledger, tmp_path):
    with pytest.raises(InputError, match="is there already"):
        ledger.register("patients", cap=100)
    with pytest.raises(InputError, match="has no 'visitors'"):
        ledger.spend("visitors", 1, "")
    with pytest.raises(InputError, match="has no 'visitors'"):
        geodp.release(NOBODY, DOMAIN, epsilon=1, ledger=ledger, dataset="visitors")
    for options in ({"ledger": ledger}, {"dataset": "patients"}):
        with pytest.raises(InputError, match="go together"):
            geodp.release(NOBODY, DOMAIN, epsilon=1, **options)
    with pytest.raises(InputError, match="needs a name"):
        ledger.register(" ", cap=1)
    with pytest.raises(InputError, match="greater than 0"):
        ledger.register("x", cap=0)
    with pytest.raises(FileError, match="register a dataset first"):
        Ledger(tmp_path / "none").account("patients")
    with pytest.raises(FileError, match="cannot be used"):
        Ledger(tmp_path / "no folder" / "l").register("x", cap=1)


def test_names_are_data_and_not_sql(ledger):
    nasty = "x'); DROP TABLE spend; --"
    ledger.register(nasty, cap=2)
    ledger.spend(nasty, 1, nasty)
    assert ledger.account(nasty).spent == 1
    assert ledger.account("patients").spent == 0
    assert [account.name for account in ledger.accounts()] == ["patients", nasty]


def other_database(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE dataset (name TEXT)")
    db.close()


def newer(path: Path) -> None:
    Ledger(path).register("x", cap=1)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()


def nonsense(path: Path) -> None:
    Ledger(path).register("x", cap=1)
    db = sqlite3.connect(path)
    db.execute("UPDATE dataset SET cap = 'a lot'")
    db.commit()
    db.close()


def torn(path: Path) -> None:
    Ledger(path).register("x", cap=1)
    path.write_bytes(path.read_bytes()[:5000] + os.urandom(3000))


@pytest.mark.parametrize(
    "make", [lambda p: p.write_text("my thesis"), other_database, newer, nonsense, torn]
)
def test_foreign_and_damaged_files_are_refused_and_left_alone(tmp_path, make):
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    with pytest.raises(FileError) as caught:
        Ledger(path).spend("x", 1, "")
    assert "\n" not in str(caught.value)
    with pytest.raises((FileError, InputError)):
        Ledger(path).register("x", cap=1)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_eight_processes_cannot_overspend(tmp_path):
    path = tmp_path / "l"
    Ledger(path).register("d", cap=1)
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        done = pool.starmap(hammer, [(str(path), 20)] * 8)  # 160 tries for 100 places
    assert sum(done) == 100
    assert Ledger(path).account("d").spent == 1
