"""``geodp ledger``: what was spent on each dataset."""

from __future__ import annotations

import json
from pathlib import Path

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
