"""``geodp info``: what a written release promises."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .options import FILE, JSON
from .words import echo


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

    description = open_release(release).describe()
    if as_json:
        echo(json.dumps(description.as_dict(), ensure_ascii=False, indent=2))
    else:
        echo(description.as_text())
