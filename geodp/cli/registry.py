"""``geodp registry``: an entry for a public register of differentially private releases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import FILE
from .words import echo


@click.command()
@click.argument("release", type=FILE)
@click.option("--intended-use", help="What it shall be used for.")
@click.option("--region", help="Country or region that it is of.")
@click.option("--sector", help="Sector that it is of, such as Government or Healthcare.")
@click.option("--justification", help="Why this epsilon, unit and mechanism.")
def registry(release: Path, **words: Any) -> None:
    """Write what a public register asks about a release, as YAML.

    What the file does not know is marked as MISSING, with the question to answer.

    \b
    Example:
      geodp registry counts.tif --intended-use "Planning of bus lines" > entry.yaml
    """
    from ..outputs.reopen import open_release

    echo(open_release(release).to_registry(**words), nl=False)
