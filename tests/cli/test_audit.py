"""The audit from the command line."""

from __future__ import annotations

import json

import pytest
from commands import result as run
from faults import FAULTS

from geodp import audit


@pytest.mark.slow
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
        ("remaining budget not reduced", "tree", "a point more at the base of a tree"),
        ("a decision from true counts", "said", "a point at the bar of a split"),
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
