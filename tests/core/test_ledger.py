"""The ledger: exact, final, shared by processes, and careful with files that are not its own."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from contextlib import closing
from datetime import datetime, timezone
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kills import hammer, race
from profiles import examples
from strategies import PLANE

import geodp
from geodp import FileError, GeodpError, InputError, Ledger, Unit
from geodp.core.privacy import account as accounts
from geodp.core.privacy import ledger as module
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.unit import NEIGHBOURS
from geodp.core.releases.describe import PROTECTED

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
NOBODY = (np.zeros(0), np.zeros(0))
RECORD, PERSON, USER = Unit("record"), Unit("person", 5), Unit("person", 5, field="user")


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    ledger = Ledger(tmp_path / "spends.geodp")
    ledger.register("patients", cap=1)
    return ledger


def test_ten_tenths_are_one(ledger):
    for month in range(10):
        ledger["patients"].spend(0.1, RECORD, f"month {month}")
    assert ledger["patients"].spent == 1
    with pytest.raises(InputError, match="would pass the cap: use at most 0"):
        ledger["patients"].spend("1/1000000000", RECORD, "a bit more")
    assert [entry.what for entry in ledger["patients"].entries()][:2] == ["month 0", "month 1"]


def test_a_cap_is_compared_exactly_and_not_as_a_float(ledger):
    hair = Fraction(1, 10**40)
    ledger["patients"].spend(1 - hair, RECORD, "all but a hair")
    with pytest.raises(InputError, match="would pass the cap"):
        ledger["patients"].spend(2 * hair, RECORD, "two hairs")
    ledger["patients"].spend(hair, RECORD, "a hair")
    assert ledger["patients"].left == 0
    ledger.register("thirds", cap="1/3")
    with pytest.raises(InputError, match="would pass the cap"):
        ledger["thirds"].spend(Fraction(1, 3) + hair, RECORD, "a third and a hair")


@examples(30)
@given(st.lists(st.fractions(Fraction(1, 1000), 2), max_size=8))
def test_the_cap_holds_exactly(tmp_path_factory, amounts):
    ledger = Ledger(tmp_path_factory.mktemp("cap") / "l")
    ledger.register("d", cap="1.5")
    spent = Fraction(0)
    for amount in amounts:
        if spent + amount <= Fraction(3, 2):
            ledger["d"].check(amount, PERSON)
            ledger["d"].spend(amount, PERSON, "")
            spent += amount
        else:
            for refuse in (ledger["d"].check, lambda *given: ledger["d"].spend(*given, "")):
                with pytest.raises(InputError, match="cap"):
                    refuse(amount, PERSON)
        assert ledger["d"].spent == spent


CELLS = pytest.mark.parametrize("cells", ["regular", "adaptive"])


def unread():
    """Yield blocks of points that nobody may ask for."""
    raise AssertionError("a point was read")
    yield


@CELLS
def test_a_release_records_its_spend(ledger, cells):
    geodp.release(NOBODY, DOMAIN, epsilon="0.3", account=ledger["patients"], cells=cells)
    (entry,) = ledger["patients"].entries()
    assert entry.epsilon == Fraction(3, 10)  # one spend, however many steps there were
    assert ledger["patients"].left == Fraction(7, 10)
    with pytest.raises(InputError, match=r"use at most 0\.7"):
        geodp.release(unread(), DOMAIN, epsilon="0.71", account=ledger["patients"], cells=cells)
    assert ledger["patients"].left == Fraction(7, 10)


@CELLS
def test_a_release_that_fails_before_drawing_spends_nothing(ledger, cells):
    bad = (np.zeros(2), np.zeros(3))
    with pytest.raises(InputError, match="one length"):
        geodp.release(bad, DOMAIN, epsilon=1, account=ledger["patients"], cells=cells)
    assert ledger["patients"].entries() == ()


@CELLS
def test_the_spend_is_committed_before_anything_is_drawn(ledger, cells):
    seen = []

    class Broken(RandomBits):
        def discrete_laplace(self, scale: Fraction, count: int) -> np.ndarray:
            if not count:
                return super().discrete_laplace(scale, count)
            seen.append(ledger["patients"].spent)
            raise RuntimeError("power cut")

    with pytest.raises(GeodpError, match="what an account has booked stays booked"):
        geodp.release(NOBODY, DOMAIN, epsilon="0.3", account=ledger["patients"], cells=cells,
                      seed=Broken())  # fmt: skip
    assert seen == [Fraction(3, 10)]
    assert ledger["patients"].spent == Fraction(3, 10)  # never given back


def test_rules_of_the_ledger(ledger, tmp_path):
    with pytest.raises(InputError, match="is there already"):
        ledger.register("patients", cap=100)
    with pytest.raises(InputError, match="has no 'visitors'"):
        ledger["visitors"]
    with pytest.raises(InputError, match="has no 'visitors'"):
        geodp.release(NOBODY, DOMAIN, epsilon=1, account=ledger["visitors"])
    with pytest.raises(InputError, match="needs a name"):
        ledger.register(" ", cap=1)
    with pytest.raises(InputError, match="greater than 0"):
        ledger.register("x", cap=0)
    with pytest.raises(FileError, match="register a dataset first"):
        Ledger(tmp_path / "none")["patients"]
    with pytest.raises(FileError, match="cannot be used"):
        Ledger(tmp_path / "no folder" / "l").register("x", cap=1)


def test_names_are_data_and_not_sql(ledger):
    nasty = "x'); DROP TABLE spend; --"
    ledger.register(nasty, cap=2)
    ledger[nasty].spend(1, RECORD, nasty, nasty)
    assert ledger[nasty].spent == 1
    assert ledger[nasty].entries()[0].note == nasty
    assert ledger["patients"].spent == 0
    assert [account.name for account in ledger.accounts()] == ["patients", nasty]


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE dataset (name TEXT)")
    db.close()


def other_in_wal(path: Path) -> None:
    other_database(path)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
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


def older(path: Path) -> None:
    Ledger(path).register("x", cap=1)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 1")
    db.close()


def no_unit(path: Path) -> None:
    Ledger(path).register("x", cap=3)
    Ledger(path)["x"].spend(1, RECORD, "")
    db = sqlite3.connect(path)
    db.execute("UPDATE dataset SET kind = 'household'")
    db.commit()
    db.close()


def taken_back(path: Path) -> None:
    Ledger(path).register("x", cap=3)
    for _ in range(2):
        Ledger(path)["x"].spend(1, RECORD, "")
    db = sqlite3.connect(path)
    db.execute("UPDATE spend SET epsilon = '-1' WHERE id = 2")
    db.commit()
    db.close()


def torn(path: Path) -> None:
    Ledger(path).register("x", cap=1)
    path.write_bytes(path.read_bytes()[:5000] + os.urandom(3000))


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p.write_text("my thesis"),
        other_database,
        other_in_wal,
        newer,
        older,
        nonsense,
        no_unit,
        taken_back,
        torn,
    ],
)
def test_foreign_and_damaged_files_are_refused_and_left_alone(tmp_path, make):
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    with pytest.raises(FileError) as caught:
        Ledger(path)["x"].spend(1, RECORD, "")
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
    assert Ledger(path)["d"].spent == 1


def test_an_account_says_what_it_counts_once_something_is_spent(ledger):
    account = ledger["patients"]
    assert account.unit is None
    account.check(1, PERSON)
    assert account.unit is None  # a check sets nothing
    account.spend("1/4", PERSON, "map of May", note="may.tif")
    (entry,) = account.entries()
    assert (entry.epsilon, entry.unit, entry.what, entry.note) == (
        *(Fraction(1, 4), PERSON, "map of May", "may.tif"),
    )
    when = datetime.fromisoformat(entry.at)
    assert abs((datetime.now(timezone.utc) - when).total_seconds()) < 60
    assert (account.cap, account.spent, account.left) == (1, Fraction(1, 4), Fraction(3, 4))
    assert account.unit == ledger["patients"].unit == PERSON


UNLIKE = [
    *(RECORD, Unit("person", 4), Unit("person", 6), Unit("feature", 5)),
    *(Unit("person", 5, "replace"), Unit("person", 4, field="user")),
    Unit("person", 5, "replace", "user"),
]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        *((first, other) for first in (PERSON, USER) for other in UNLIKE),
        (USER, PERSON),
        (USER, Unit("person", 5, field="device")),
        (USER, Unit("person", 5, field="User")),
    ],
)
def test_unlike_things_are_not_added(ledger, first, other):
    account = ledger["patients"]
    account.spend("1/4", first, "")
    before = ledger.path.read_bytes()
    for refuse in (account.check, lambda *given: account.spend(*given, "")):
        with pytest.raises(InputError, match="adds up ε for one unit") as caught:
            refuse("1/4", other)
        assert f"is {first}, and this would be for {other}:" in str(caught.value)
    assert ledger.path.read_bytes() == before


@examples(25)
@given(
    st.lists(
        st.tuples(
            st.fractions(Fraction(1, 9), 1),
            st.builds(
                Unit,
                st.sampled_from(["feature", "person"]),
                st.integers(1, 2),
                st.sampled_from(["add-remove", "replace"]),
            )
            | st.builds(Unit, st.just("person"), field=st.sampled_from(["user", "device"])),
        ),
        max_size=6,
    )
)
def test_check_refuses_what_spend_would_refuse_and_nothing_else(tmp_path_factory, spends):
    """All that an account adds up is about its first spend's unit, and below its cap."""
    ledger = Ledger(tmp_path_factory.mktemp("units") / "l")
    ledger.register("d", cap=2)
    account, kept = ledger["d"], []
    for amount, unit in spends:
        fits = sum((a for a, _ in kept), amount) <= 2 and all(unit.adds_to(u) for _, u in kept[-1:])
        for act in (account.check, lambda *given: account.spend(*given, "")):
            if fits:
                act(amount, unit)
            else:
                with pytest.raises(InputError, match=r"one unit|cap"):
                    act(amount, unit)
        kept += [(amount, unit)] * fits
        assert [(entry.epsilon, entry.unit) for entry in account.entries()] == kept


@CELLS
def test_a_release_for_another_unit_is_refused_before_points_are_read(ledger, cells):
    account = {"account": ledger["patients"], "cells": cells}
    swapped = geodp.Record(neighbours="replace")
    geodp.release(NOBODY, DOMAIN, epsilon="0.3", protect=swapped, **account)
    assert ledger["patients"].unit == Unit("record", 1, "replace")
    for epsilon in ("0.3", "0.8"):
        with pytest.raises(InputError, match="one unit"):
            geodp.release(unread(), DOMAIN, epsilon=epsilon, **account)
    assert ledger["patients"].spent == Fraction(3, 10)


@CELLS
def test_persons_by_another_field_are_refused_before_points_are_read(ledger, cells):
    """Nobody is both one user and one device, so no sum would be true of anybody."""
    account = {"account": ledger["patients"], "cells": cells, "epsilon": "0.3"}
    nobody = {"x": [], "y": [], "user": [], "device": []}
    release = geodp.release(nobody, DOMAIN, protect=geodp.Person("user", 5), **account)
    assert release.method.unit == PERSON  # the field is for the ledger; a release tells none
    assert ledger["patients"].unit == USER
    for field in ("device", "User"):
        with pytest.raises(InputError, match=f"'user', and this would .* '{field}'"):
            geodp.release(unread(), DOMAIN, protect=geodp.Person(field, 5), **account)
    geodp.release(nobody, DOMAIN, protect=geodp.Person("user", 5), **account)
    assert [entry.unit for entry in ledger["patients"].entries()] == [USER, USER]


def of_version_2(path: Path) -> Ledger:
    """Return a ledger as it was before the field of persons was written down."""
    ledger = Ledger(path)
    for name in ("people", "records", "new"):
        ledger.register(name, cap=2)
    ledger["people"].spend("1/4", PERSON, "map of May", "may.tif")
    ledger["records"].spend("1/4", RECORD, "")
    with closing(sqlite3.connect(path)) as db, db:
        for table in ("dataset", "spend"):
            db.execute(f"ALTER TABLE {table} DROP COLUMN field")
        db.execute("PRAGMA user_version = 2")
    db.close()
    return ledger


def test_a_ledger_from_before_fields_opens_and_takes_the_next(tmp_path):
    ledger = of_version_2(tmp_path / "old")
    before = ledger.path.read_bytes()
    assert [account.unit for account in ledger.accounts()] == [None, PERSON, RECORD]
    assert [(e.unit, e.what, e.note) for e in ledger["people"].entries()] == [
        (PERSON, "map of May", "may.tif")
    ]
    ledger["people"].check("1/4", USER)
    with pytest.raises(InputError, match="one unit"):
        ledger["people"].spend("1/4", RECORD, "")
    assert ledger.path.read_bytes() == before  # nothing was written yet
    ledger["people"].spend("1/4", USER, "map of June")
    assert ledger["people"].unit == USER
    assert [entry.unit for entry in ledger["people"].entries()] == [PERSON, USER]
    with pytest.raises(InputError, match="by the field 'device'"):
        ledger["people"].spend("1/4", Unit("person", 5, field="device"), "")
    with pytest.raises(InputError, match="and this would be for one person, at most 5"):
        ledger["people"].spend("1/4", PERSON, "")
    ledger["records"].spend("1/4", RECORD, "")
    ledger["new"].spend("1/4", USER, "")
    ledger.register("newer", cap=1)
    assert [account.spent for account in ledger.accounts()] == [
        *(Fraction(1, 4), 0, Fraction(1, 2), Fraction(1, 2)),
    ]


def test_odd_names_of_fields_are_data(ledger):
    nasty = "x'); DROP TABLE spend; --"
    ledger["patients"].spend("1/4", Unit("person", 1, field=nasty), "")
    assert ledger["patients"].unit.field == nasty
    with pytest.raises(InputError, match="UTF-8"):
        ledger["patients"].spend("1/4", Unit("person", 1, field="\ud800"), "")


def test_a_spend_without_a_unit_is_refused(ledger):
    for refuse in (ledger["patients"].check, lambda *given: ledger["patients"].spend(*given, "")):
        with pytest.raises(InputError, match="pass a Unit, got 'person'"):
            refuse(1, "person")
    assert ledger["patients"].entries() == ()


def test_units_in_words():
    assert [str(unit) for unit in (RECORD, PERSON, Unit("person"), Unit("feature", 2))] == [
        *("one record", "one person, at most 5 records", "one person, at most 1 record"),
        "one feature, at most 2 points",
    ]
    assert str(Unit("person", np.int64(5), "replace")) == f"{PERSON}, replaced by another"
    assert str(Unit("person", 2, "replace", "user")) == (
        "one person, at most 2 records, by the field 'user', replaced by another"
    )
    texts = {str(Unit(kind, 1, relation)) for kind in PROTECTED for relation in NEIGHBOURS}
    assert len(texts) == len(PROTECTED) * len(NEIGHBOURS)  # told apart


@pytest.mark.parametrize(
    "wrong",
    [("household",), (None,), ("record", 2), ("person", 0), ("person", 2.5), ("person", "2"),
     ("feature", None), ("record", None), ("person", 2, "remove"), ("person", 2, "replace", ""),
     ("person", 2, "replace", 7), ("record", 1, "replace", "user"),
     ("feature", 2, "replace", "user")],
)  # fmt: skip
def test_units_that_are_none(wrong):
    with pytest.raises(InputError):
        Unit(*wrong)


def test_an_account_is_read_when_it_is_asked(ledger):
    account = ledger["patients"]
    assert account.left == 1
    Ledger(ledger.path)["patients"].spend("1/2", RECORD, "elsewhere")
    assert account.left == Fraction(1, 2)
    assert repr(account) == f"{ledger!r}['patients']"


def test_a_ledger_lists_its_accounts(ledger, tmp_path):
    ledger.register("b", cap=2)
    assert list(ledger) == ["b", "patients"]
    assert [account.cap for account in ledger.accounts()] == [2, 1]
    assert "b" in ledger
    assert "c" not in ledger
    assert 7 not in ledger
    assert "b" not in Ledger(tmp_path / "none")
    for unknown in (7, None, ["b"]):
        with pytest.raises(InputError, match="register it with a cap"):
            ledger[unknown]


def test_a_statement_is_of_one_moment(ledger, monkeypatch):
    """A spend that comes between the reads of a statement is not half in it."""
    account, real = ledger["patients"], accounts._statement
    account.spend("1/4", RECORD, "before")

    def slow(db: sqlite3.Connection, name: str) -> accounts.Statement:
        first = real(db, name)
        monkeypatch.setattr(accounts, "_statement", real)
        monkeypatch.setattr(module, "WAIT_SECONDS", 0.1)
        with pytest.raises(FileError, match="locked"):  # what was read stays true until it is used
            Ledger(ledger.path)["patients"].spend("1/4", RECORD, "between")
        assert real(db, name) == first
        return first

    monkeypatch.setattr(accounts, "_statement", slow)
    assert account.statement().spent == Fraction(1, 4)
    assert account.spent == Fraction(1, 4)


def test_a_ledger_that_cannot_be_written_is_noticed_by_the_check(ledger, monkeypatch):
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(ledger.path)) as other, other:
        other.execute("BEGIN IMMEDIATE")
        assert ledger["patients"].left == 1
        with pytest.raises(FileError, match="locked"):
            ledger["patients"].check(1, RECORD)
    other.close()


def test_a_folder_that_cannot_be_synced_takes_no_ledger(tmp_path, monkeypatch):
    def broken(_: int) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(module.os, "fsync", broken)
    with pytest.raises(FileError, match="can be synced to the disk"):
        Ledger(tmp_path / "l").register("d", cap=1)
    monkeypatch.undo()
    with pytest.raises(FileError):
        Ledger(tmp_path / "l")["d"]
    Ledger(tmp_path / "l").register("d", cap=1)


def test_texts_and_amounts_that_could_not_be_read_again_are_refused(ledger):
    account = ledger["patients"]
    for texts in (("\ud800",), (None,), ("", b"a.tif"), ("", "a\udcff.tif")):
        with pytest.raises(InputError, match="must be text"):
            account.spend("1/2", RECORD, *texts)
    with pytest.raises(InputError, match="must be text"):
        ledger.register("\ud800", cap=1)
    long = "0." + "0" * 399 + "1" * 400
    with pytest.raises(InputError, match="400 digits"):
        account.spend(long, RECORD, "")
    with pytest.raises(InputError, match="400 digits"):
        ledger.register("long", cap=long)
    assert account.entries() == ()


def test_nothing_about_the_points_enters_the_file(tmp_path):
    """Two very different datasets make the same account, apart from the time."""
    books = []
    for number, points in enumerate([NOBODY, (np.full(999, 4.25), np.full(999, 1.75))]):
        ledger = Ledger(tmp_path / f"{number}")
        ledger.register("d", cap=1)
        geodp.release(points, DOMAIN, epsilon="1/2", account=ledger["d"])
        (entry,) = ledger["d"].entries()
        books.append((entry.epsilon, entry.unit, entry.what, entry.note))
    assert books[0] == books[1]


@pytest.mark.slow
def test_two_units_race_for_the_first_spend(tmp_path):
    for round_ in range(4):
        path = tmp_path / f"{round_}"
        Ledger(path).register("d", cap=1)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            results = pool.starmap(race, [(str(path), 3, 10), (str(path), 7, 10)])
        assert sorted(results) == [(0, 10), (10, 0)]  # one of them sets the unit, for all spends
        winner = 3 if results[0][0] else 7
        account = Ledger(path)["d"]
        assert account.unit == Unit("person", winner)
        assert account.spent == Fraction(1, 10)
