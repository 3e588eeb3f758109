"""The audit from the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result
from faults import noise_scale_too_small

from geodp import audit
from geodp.cli import main


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.slow
def test_the_audit_from_the_command_line(monkeypatch):
    few = [case for case in audit.cases() if case.name == "a lone point in an empty map"]
    monkeypatch.setattr(audit, "cases", lambda: few)
    done = run("audit", "--runs", 50, "--quiet")
    assert done.exit_code == 0, done.output
    assert "1 checks passed and 0 failed" in done.output
    with noise_scale_too_small():
        broken = run("audit", "--runs", 4000, "--json", "--quiet")
    assert broken.exit_code == 1
    assert json.loads(broken.output)[0]["passed"] is False
