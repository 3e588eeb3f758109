"""``geodp demo``: a first release from the sample data."""

from __future__ import annotations

from pathlib import Path

import click

from .options import FILE, FORCE, QUIET
from .progress import Steps
from .words import echo

DEFAULT = Path("geodp-demo")
"""Folder of the demo's files, which may be written again."""


@click.command()
@click.argument("folder", type=FILE, default=DEFAULT)
@QUIET
@FORCE
def demo(folder: Path, quiet: bool, force: bool) -> None:
    """Make a first release from the sample data, with a map and a report.

    \b
    Example:
      geodp demo my-first-map
    """
    from ..demo import FILES, STEPS, sample_data
    from ..demo import demo as run

    with Steps(STEPS, quiet=quiet) as say:
        run(folder, say, overwrite=force or folder == DEFAULT)
    if not quiet:
        districts = sample_data() / "us_districts.gpkg"
        echo(f"Made in {folder}: {', '.join(FILES)}.")
        echo(f"Look at {folder / 'report.html'}, or drag {folder / 'states.gpkg'} into QGIS.")
        echo("States and map are two releases of the same places: together they cost epsilon = 2.")
        echo(f"Try next: geodp query {folder / 'counts.tif'} {districts}")
