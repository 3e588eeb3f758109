"""Commands that watch over privacy: the ledger of what was spent, and the audit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .group import Commands

FILE = click.Path(path_type=Path)
LEDGER = click.option("--ledger", "path", type=FILE, required=True, help="File of the ledger.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")


@click.group(cls=Commands)
def ledger() -> None:
    """Keep count of what was spent on each dataset, up to a cap.

    \b
    Example:
      geodp ledger register patients --cap 2 --ledger spends.geodp
      geodp release … --ledger spends.geodp --dataset patients
      geodp ledger show patients --ledger spends.geodp
    """


@ledger.command()
@click.argument("name")
@click.option("--cap", required=True, help="The most epsilon that may ever be spent on it.")
@LEDGER
def register(name: str, cap: str, path: Path) -> None:
    """Enter a dataset with its cap. Makes the ledger if it is not there.

    \b
    Example:
      geodp ledger register patients --cap 2 --ledger spends.geodp
    """
    from ..core.ledger import Ledger

    Ledger(path).register(name, cap)
    click.echo(f"{name}: releases may spend {cap} in all.")


@ledger.command("list")
@LEDGER
@JSON
def list_datasets(path: Path, as_json: bool) -> None:
    """List all datasets with their cap and what is left.

    \b
    Example:
      geodp ledger list --ledger spends.geodp
    """
    from ..core.ledger import Ledger

    rows = [
        {"dataset": a.name, "cap": str(a.cap), "spent": str(a.spent), "left": str(a.left)}
        for a in Ledger(path).accounts()
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo("{dataset}: {spent} of {cap} spent, {left} left".format(**row))


@ledger.command()
@click.argument("name")
@LEDGER
@JSON
def show(name: str, path: Path, as_json: bool) -> None:
    """Show every spend of one dataset.

    \b
    Example:
      geodp ledger show patients --ledger spends.geodp
    """
    from ..core.ledger import Ledger

    book = Ledger(path)
    account = book.account(name)
    rows = [{"at": e.at, "epsilon": str(e.epsilon), "what": e.what} for e in book.entries(name)]
    if as_json:
        facts = {"dataset": name, "cap": str(account.cap), "left": str(account.left)}
        click.echo(json.dumps({**facts, "spends": rows}, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo("{at}  {epsilon}  {what}".format(**row))
    click.echo(f"{name}: {account.spent} of {account.cap} spent, {account.left} left")


@click.command()
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
    from ..audit import audit as attack
    from ..audit import cases
    from ..core.budget import Budget
    from .progress import Steps

    budget: Fraction = Budget(epsilon).epsilon
    with Steps(len(cases()), quiet=quiet) as say:
        findings = attack(runs=runs, epsilon=budget, progress=say)
    rows: list[dict[str, Any]] = [
        {
            "case": f.case, "measure": f.measure, "claimed": f.claimed, "shown": f.shown,
            "passed": f.passed,
        }
        for f in findings
    ]  # fmt: skip
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        for row in rows:
            verdict = "ok    " if row["passed"] else "FAILED"
            numbers = f"claimed {row['claimed']:.3f}, shown {row['shown']:.3f}"
            click.echo(f"{verdict} {row['case']}, {row['measure']}: {numbers}")
    failed = sum(not row["passed"] for row in rows)
    if not as_json:
        click.echo(
            f"{len(rows) - failed} checks passed and {failed} failed in up to {runs} runs a side."
        )
    if failed:
        raise SystemExit(1)
