"""Runs say loudly what they leave out."""

from __future__ import annotations

import re
from pathlib import Path

import profiles
import programs
import pytest
from hypothesis import settings


@pytest.mark.parametrize(
    ("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)]
)
def test_a_missing_program_fails_ci_and_is_skipped_elsewhere(monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    with pytest.raises(
        outcome, match=r"NOT TESTED: rasters. Install gdal-bin \('make system-deps'"
    ):
        programs.left_out("rasters", "gdal-bin")


def test_the_summary_counts_what_was_left_out():
    reasons = ["Skipped: NOT TESTED: b.", "Skipped: no /proc", "NOT TESTED: a.", "NOT TESTED: b."]
    assert programs.summary(reasons) == ["*** 1 × NOT TESTED: a.", "*** 2 × NOT TESTED: b."]
    assert programs.summary(["Skipped: no /proc"]) == []


def test_everyday_runs_try_a_tenth_of_the_examples():
    counts = [settings.get_profile(name).max_examples for name in ("full", "everyday")]
    assert counts == [100, 10]
    now = settings.default.max_examples
    assert now in counts
    assert profiles.examples(1500).max_examples == 15 * now
    assert profiles.examples(3).max_examples == 3


def test_tests_of_the_core_state_the_facts_of_a_crs():
    """Where there is NumPy alone, no name of a CRS can be looked up."""
    modules = (Path(__file__).parent / "core").glob("*.py")
    looked_up = re.compile(r"""crs=["']|Crs\.of\(""")
    assert [path.name for path in modules if looked_up.search(path.read_text("utf-8"))] == []
