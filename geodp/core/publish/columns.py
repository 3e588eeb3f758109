"""Name what files hold of each cell: columns of a vector layer, bands of a raster."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..estimates.amount_estimate import AmountEstimate
from ..estimates.estimate import Estimate
from ..regions.cells import Cells

Columns = dict[str, npt.NDArray[Any]]


def cell_columns(cells: Cells) -> Columns:
    """Return what a vector layer says of each cell itself: number, edges, place.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> from geodp.core.regions.grid_cells import GridCells
    >>> list(cell_columns(GridCells(Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2)))))
    ['id', 'left', 'top', 'right', 'bottom', 'row_index', 'col_index']
    """
    columns: Columns = {"id": cells.codes}
    if cells.polygons is None:
        left, bottom, right, top = cells.bounds.T
        columns |= {"left": left, "top": top, "right": right, "bottom": bottom}
    return {**columns, **cells.attributes()}


def estimate_columns(
    cells: Cells, estimate: Estimate, amounts: AmountEstimate | None = None
) -> Columns:
    """Return what a vector layer says of the count of each cell, and of its sum and mean.

    The error of cells of one grid is the same everywhere, and so is their area: the count is all.
    """
    more = {} if amounts is None else amounts.of_cells()._asdict()
    if cells.grid is not None:
        return {"count": estimate.counts, **more}
    return {
        "count": estimate.counts,
        "std_error": np.sqrt(estimate.variance),
        "density": estimate.counts / cells.ground_areas(),
        **more,
    }


def band_names(cells: Cells) -> tuple[str, ...]:
    """Name the bands of a raster: the count, its error where cells differ, the depth of a tree."""
    if cells.grid is not None:
        return ("count",)
    return ("count", "std_error", *(["depth"] if cells.tree is not None else []))
