"""``geodp audit``: attack the installed software."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import click

from .options import JSON
from .progress import Steps
from .words import echo


@click.command(short_help="Attack the installed software, to see if it holds.")
@click.option("--runs", type=click.IntRange(1), default=500, show_default=True,
              help="Releases on each side of each pair, fewer where they take long.")  # fmt: skip
@click.option("--epsilon", default="1", show_default=True, help="Budget of each release.")
@JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but the result.")
def audit(runs: int, epsilon: str, as_json: bool, quiet: bool) -> None:
    """Attack the installed software and see if it shows more epsilon than it claims.

    Exit code 1 means that a check failed.

    \b
    Example:
      geodp audit --runs 2000
    """
    from .. import audit as attacks
    from ..core.privacy.budget import Budget

    budget: Fraction = Budget(epsilon).epsilon
    pairs, combinations = attacks.cases(), attacks.combinations()
    with Steps(len(pairs) + len(combinations) + 4, quiet=quiet) as say:
        findings = attacks.audit(attacked=pairs, runs=runs, epsilon=budget, progress=say)
        findings += attacks.audit_combinations(rows=combinations, progress=say)
        findings += attacks.audit_sampler(
            draws=min(80 * runs, 40_000), releases=min(3 * runs, 1500), progress=say
        )
    rows: list[dict[str, Any]] = [
        {
            "case": f.case, "measure": f.measure, "claimed": f.claimed, "shown": f.shown,
            "passed": f.passed,
        }
        for f in findings
    ]  # fmt: skip
    if as_json:
        echo(json.dumps(rows, indent=2))
    else:
        for row in rows:
            verdict = "ok    " if row["passed"] else "FAILED"
            numbers = f"claimed {row['claimed']:.3f}, shown {row['shown']:.3f}"
            echo(f"{verdict} {row['case']}, {row['measure']}: {numbers}")
    failed = sum(not row["passed"] for row in rows)
    if not as_json:
        echo(f"{len(rows) - failed} checks passed and {failed} failed in up to {runs} runs a side.")
    if failed:
        raise SystemExit(1)
