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
        ("a choice for one record where neighbours differ in fifty", "odds",
         "fifty records in one region"),
        ("a sketch for one record where neighbours differ in fifty", "sketch",
         "fifty records in one region"),
        ("weights from the true counts instead of the sketch", "steps",
         "a second record in a region that had one"),
        ("what a node spent is not taken off", "tree", "a point more at the base of a tree"),
        ("a decision from true counts", "said", "a point at the bar of a split"),
    ],
)  # fmt: skip
def test_the_audit_from_the_command_line(monkeypatch, fault, measure, name):
    some = [row for row in audit.combinations() if row.groups == 2 and row.cells == "grid"][:1]
    few = [case for case in audit.cases() if case.name == name]
    monkeypatch.setattr(audit, "cases", lambda: few)
    monkeypatch.setattr(audit, "combinations", lambda: some)
    monkeypatch.setattr(audit, "audit_sampler", lambda *_, **__: [])
    done = run("audit", "--runs", 5, "--quiet")
    assert done.exit_code == 0, done.output
    assert "checks passed and 0 failed" in done.output
    (planted,) = [one for one in FAULTS if one.name == fault]
    with planted.plant():
        broken = run("audit", "--runs", 5, "--json", "--quiet")
    assert broken.exit_code == 1
    failed = [row["measure"] for row in json.loads(broken.output) if not row["passed"]]
    assert measure in failed
