"""``geodp grids``: the candidates, without any points."""

from __future__ import annotations

from typing import Any

import click

from .options import (
    CELLS,
    FILE,
    FORCE,
    QUIET,
    domain_of,
    frame_of,
    frame_options,
    grids_of,
    refuse_overwriting_releases,
)
from .progress import Steps
from .words import echo


@click.command()
@frame_options
@CELLS
@click.option("-o", "--output", type=FILE, help="Also write the cells of each (.gpkg).")
@QUIET
@FORCE
def grids(**given: Any) -> None:
    """List the grids that a release would choose from. Reads no points, spends nothing.

    Of adaptive cells, the coarsest and the finest that can occur are listed.

    \b
    Example:
      geodp grids --bounds 0 0 20000 15000 --crs EPSG:32633 --cell-sizes 500m,1km -o grids.gpkg
    """
    from ..core.space.wording import cell_size
    from ..outputs.vector import to_grids

    refuse_overwriting_releases([given["output"]], force=given["force"])
    domain = domain_of(given)
    adaptive = given["cells"] == "adaptive"
    found = frame_of(given, domain).lattices if adaptive else grids_of(given, domain)
    if given["output"] is not None:
        with Steps(1, quiet=given["quiet"]) as say:
            say(f"writing {given['output'].name}")
            to_grids(found, given["output"], overwrite=given["force"])
    if not given["quiet"]:
        for grid in found:
            some = int(grid.supported.sum())
            where = "" if some == grid.cells else f", {some:,} of them where records can be"
            echo("{} × {} cells of {}{}".format(*grid.shape, cell_size(grid), where))
