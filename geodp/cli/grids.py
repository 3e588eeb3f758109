"""``geodp grids``: the candidates, without any points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import (
    FILE,
    FORCE,
    QUIET,
    cell_options,
    domain_given,
    frame_options,
    kind_given,
    refuse_overwriting_releases,
)
from .progress import Steps
from .words import echo

if TYPE_CHECKING:
    from ..core.pipeline.kinds import Kind
    from ..core.space.domain import Domain
    from ..core.space.grid import Grid


@click.command()
@frame_options
@cell_options
@click.option("-o", "--output", type=FILE, help="Also write the cells of each (.gpkg).")
@QUIET
@FORCE
def grids(**given: Any) -> None:
    """List the cells that a release can have. Reads no points, spends nothing.

    Of adaptive cells, the coarsest and the finest that can occur are listed; of one regular grid,
    with --cells regular, --sizes or --cell-sizes, all that it is chosen from.

    \b
    Example:
      geodp grids --bounds 0 0 20000 15000 --crs EPSG:32633 --cell-sizes 500m,1km -o grids.gpkg
    """
    from ..core.space.wording import cell_size
    from ..outputs.vector import to_grids

    refuse_overwriting_releases([given["output"]], force=given["force"])
    domain = domain_given(given)
    lattices = _lattices(kind_given(given, domain), domain)
    if given["output"] is not None:
        with Steps(1, quiet=given["quiet"]) as say:
            say(f"writing {given['output'].name}")
            to_grids(lattices, given["output"], overwrite=given["force"])
    if not given["quiet"]:
        for grid in lattices:
            some = int(grid.supported.sum())
            where = "" if some == grid.cells else f", {some:,} of them where records can be"
            echo("{} × {} cells of {}{}".format(*grid.shape, cell_size(grid), where))


def _lattices(kind: Kind, domain: Domain) -> tuple[Grid, ...]:
    """Return the grids to choose from, or the coarsest and the finest cells of a tree."""
    from ..core.pipeline.kinds import Adaptive, Regular

    if isinstance(kind, Regular):
        return kind.candidates(domain)
    assert isinstance(kind, Adaptive)
    return kind.frame(domain).lattices
