"""The ledger and the power: no cut, at any moment, takes back a spend that was confirmed."""

from __future__ import annotations

from pathlib import Path

import power
import pytest
from kills import SPENDS, losses
from power import each_cut, record

SWITCH = """
import sqlite3
db = sqlite3.connect(disk + "/spends")
assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
db.close()
"""
SET_UP = "module._JOURNAL, module._SYNCHRONOUS = {!r}, {!r}"


@pytest.mark.slow
@pytest.mark.parametrize("between", ["", SWITCH], ids=["as it is made", "switched to WAL"])
def test_no_power_cut_takes_back_a_spend(tmp_path, between):
    tried, lost = losses(tmp_path, between=between)
    assert tried > 200
    assert lost == []


@pytest.mark.slow
@pytest.mark.parametrize("set_up", [("PERSIST", "FULL"), ("DELETE", "EXTRA")])
def test_each_half_of_the_set_up_would_do_alone(tmp_path, set_up):
    assert losses(tmp_path, set_up=SET_UP.format(*set_up))[1] == []


@pytest.mark.slow
def test_the_cuts_find_what_sqlite_loses_by_default(tmp_path):
    """The journal's unlink is lost, the journal is back, and a confirmed spend is rolled back."""
    _, lost = losses(tmp_path, set_up=SET_UP.format("DELETE", "FULL"))
    assert any(confirmed[-1] == "spent" for confirmed in lost)
    assert any(confirmed[-1] == "registered" for confirmed in lost)


@pytest.mark.slow
def test_the_cuts_find_syncs_that_are_left_out(tmp_path):
    _, lost = losses(tmp_path, set_up=SET_UP.format("PERSIST", "OFF"), spends=1)
    assert any(confirmed[-1] == "spent" for confirmed in lost)


@pytest.mark.slow
def test_the_cuts_find_a_new_ledger_whose_name_is_not_on_the_disk(tmp_path):
    """SQLite syncs the folder with each journal; the ledger does so without relying on it."""
    memory = SET_UP.format("MEMORY", "EXTRA")  # a journal that has no name in the folder
    kept, forgotten = tmp_path / "kept", tmp_path / "forgotten"
    kept.mkdir()
    forgotten.mkdir()

    def missing(folder: Path, set_up: str) -> int:
        events = record(
            SPENDS.format(set_up=set_up, between="", spends=1), folder, folder.with_suffix(".tape")
        )
        gone = 0

        def look(folder: Path, confirmed: list[str]) -> None:
            nonlocal gone
            gone += "registered" in confirmed and not (folder / "spends").exists()

        each_cut(events, look)
        return gone

    assert missing(kept, memory) == 0
    assert missing(forgotten, memory + "\nmodule._sync_folder = lambda folder: None") > 0


@pytest.mark.parametrize(
    ("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_without_a_recorder_ci_fails_and_others_are_told(monkeypatch, ci, outcome):
    monkeypatch.setattr(power.shutil, "which", lambda _: None)
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="NOT TESTED: power cuts"):
        power.recorder.__wrapped__()
