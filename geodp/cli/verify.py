"""``geodp verify``: add ε up again from a written release."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .options import FILE, JSON
from .words import echo


@click.command()
@click.argument("release", type=FILE)
@JSON
def verify(release: Path, as_json: bool) -> None:
    """Add ε up again from the numbers of a written release.

    Every count in the file names the scale of its noise. What they cost is added up along every
    path, in exact fractions, and compared with what the file promises. The exit code is 1 where it
    promises less than was spent.

    \b
    Example:
      geodp verify counts.gpkg
    """
    from ..core.releases.verification import verify as add_up

    result = add_up(release)
    if as_json:
        facts = {
            "stated": str(result.stated),
            "recomputed": str(result.recomputed),
            "without_trace": str(result.without_trace),
            "counts": result.counts,
            "unit": result.unit,
            "seeded": result.seeded,
            "holds": result.holds,
        }
        echo(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        echo(str(result))
    if not result.holds:
        raise SystemExit(1)
