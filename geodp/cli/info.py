"""``geodp info``: what a written release promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .options import FILE, JSON


@click.command()
@click.argument("release", type=FILE)
@JSON
def info(release: Path, as_json: bool) -> None:
    """Say what a written release promises and how far to trust it.

    \b
    Example:
      geodp info counts.tif
    """
    from ..outputs.reopen import open_release
    from ..outputs.several import facts_of

    made = open_release(release)
    facts = facts_of(made)
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    click.echo(made.promise)
    for key, value in facts.items():
        if key != "promise":
            click.echo(f"{key.replace('_', ' ')}: {_in_words(value)}")


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
