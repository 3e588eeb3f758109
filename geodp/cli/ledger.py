"""Keep count of what was spent: ``geodp ledger`` and its commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import FILE, JSON
from .words import echo

if TYPE_CHECKING:
    from ..core.privacy.account import Entry, Statement

LEDGER = click.option("--ledger", "path", type=FILE, required=True, help="File of the ledger.")


@click.group()
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
    from ..core.privacy.ledger import Ledger

    Ledger(path).register(name, cap)
    echo(f"{name}: releases may spend {cap} in all.")


@ledger.command("list")
@LEDGER
@JSON
def list_datasets(path: Path, as_json: bool) -> None:
    """List all datasets with their unit, their cap and what is left.

    \b
    Example:
      geodp ledger list --ledger spends.geodp
    """
    from ..core.privacy.ledger import Ledger

    accounts = [account.statement() for account in Ledger(path).accounts()]
    if as_json:
        echo(json.dumps([_facts(account) for account in accounts], ensure_ascii=False, indent=2))
        return
    for one in accounts:
        echo(_summary(one))


@ledger.command()
@click.argument("name")
@LEDGER
@click.option(
    "--delta",
    default="1e-6",
    show_default=True,
    help="Probability at which to say what the spends add up to.",
)
@JSON
def show(name: str, path: Path, delta: str, as_json: bool) -> None:
    """Show every spend of one dataset, for which unit, and what they add up to.

    The cap counts the plain sum. Many small spends promise more than that, but for a small
    probability delta, and that is told beside it.

    \b
    Example:
      geodp ledger show patients --ledger spends.geodp
    """
    from ..core.privacy.budget import exact, in_digits
    from ..core.privacy.ledger import Ledger

    account = Ledger(path)[name].statement()
    composed = account.composed(delta)
    if as_json:
        spends = [_spend(entry) for entry in account.entries]
        sums = {"epsilon": str(composed), "delta": str(exact(delta))}
        facts = {**_facts(account), "composed": sums, "spends": spends}
        echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for entry in account.entries:
        words = (entry.at, in_digits(entry.epsilon), str(entry.unit), entry.what, entry.note)
        # One line for one spend, whatever the note holds.
        echo("  ".join(" ".join(word.split()) for word in words if word))
    echo(_summary(account))
    if composed < account.spent:
        echo(
            f"Together they are ({float(composed):g}, {float(exact(delta)):g})-differentially "
            "private, if no epsilon was chosen by what an earlier release showed. For information: "
            "caps count the plain sum."
        )


def _facts(account: Statement) -> dict[str, str | None]:
    return {
        "dataset": account.name,
        "unit": None if account.unit is None else str(account.unit),
        "cap": str(account.cap),
        "spent": str(account.spent),
        "left": str(account.left),
    }


def _spend(entry: Entry) -> dict[str, str]:
    return {
        "at": entry.at,
        "epsilon": str(entry.epsilon),
        "unit": str(entry.unit),
        "what": entry.what,
        "note": entry.note,
    }


def _summary(account: Statement) -> str:
    from ..core.privacy.budget import in_digits

    unit = "" if account.unit is None else f" for {account.unit}"
    spent, cap, left = map(in_digits, (account.spent, account.cap, account.left))
    return f"{account.name}: {spent} of {cap} spent{unit}; {left} left"
