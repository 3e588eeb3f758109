"""``geodp query``: counts in regions, from a written release."""

from __future__ import annotations

from pathlib import Path

import click

from .options import FILE, FORCE, JSON, QUIET
from .progress import Steps


@click.command()
@click.argument("release", type=FILE)
@click.argument("regions", type=FILE)
@click.option("--layer", help="Layer of a regions file that holds several.")
@click.option("-o", "--output", type=FILE, help="File to write: a vector format or .csv.")
@JSON
@QUIET
@FORCE
def query(
    release: Path,
    regions: Path,
    layer: str | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> None:
    """Estimate the records in each of REGIONS, with error bars. Costs nothing.

    \b
    Example:
      geodp query counts.tif districts.gpkg -o answers.gpkg
    """
    from ..outputs.reopen import open_release
    from ..outputs.vector import to_answers
    from ..sources.layers import read_layer

    made = open_release(release)
    answers = made.query(read_layer(regions, "regions", layer))
    if output is not None:
        with Steps(1, quiet=quiet) as say:
            say(f"writing {output.name}")
            to_answers(made, answers, output, overwrite=force)
    table = answers.drop(columns=answers.geometry.name)
    if as_json:
        click.echo(table.to_json(orient="records"))
    elif output is None and not quiet:
        click.echo(table.to_string(index=False, float_format="{:,.1f}".format))
    if not quiet:
        # Under a table that people read; beside a file or JSON that programs do.
        click.echo(made.counted, err=as_json or output is not None)
