"""``geodp grids``: the candidates, without any points."""

from __future__ import annotations

from typing import Any

import click

from .options import FILE, FORCE, QUIET, frame_options, grids_of
from .progress import Steps


@click.command()
@frame_options
@click.option("-o", "--output", type=FILE, help="Also write the cells of each (.gpkg).")
@QUIET
@FORCE
def grids(**given: Any) -> None:
    """List the grids that a release would choose from. Reads no points, spends nothing.

    \b
    Example:
      geodp grids --bounds 0 0 20000 15000 --crs EPSG:32633 --cell-sizes 500m,1km -o grids.gpkg
    """
    from ..core.describe import cell_size
    from ..outputs.vector import to_grids

    found = grids_of(given)
    if given["output"] is not None:
        with Steps(1, quiet=given["quiet"]) as say:
            say(f"writing {given['output'].name}")
            to_grids(found, given["output"], overwrite=given["force"])
    if not given["quiet"]:
        for grid in found:
            click.echo("{} × {} cells of {}".format(*grid.shape, cell_size(grid)))
