"""Name what files hold of each cell: columns of a vector layer, bands of a raster."""

from __future__ import annotations

import numpy as np

from ..cells.cells import Cells
from ..common.types import Columns
from ..estimates.answers import noise_reach
from ..estimates.estimate import Estimate
from ..estimates.ratios import AmountEstimate
from ..kernel.measurements import Measurements
from ..space.official import GRID_ID, official_ids

TABLE_COLUMNS = ("count", "std_error", "ci_low", "ci_high", "reliable")
"""What a table says of every count; sums and means of an amount come after."""

PROMISE_COLUMNS = ("geodp_epsilon", "geodp_protects")
"""What it says of the promise, last of all."""

TABLE_OF_RELEASE = ",".join(TABLE_COLUMNS)
"""What stands in the first line of a table that shows the counts of a release."""


def cell_columns(cells: Cells) -> Columns:
    """Return what a vector layer says of each cell itself: number, edges, place, official id.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> from geodp.core.cells.grid_cells import GridCells
    >>> list(cell_columns(GridCells(Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2)))))
    ['id', 'left', 'top', 'right', 'bottom', 'row_index', 'col_index']
    """
    columns = place_columns(cells)
    ids = official_ids(cells.bounds, cells.domain.crs) if cells.polygons is None else None
    return columns if ids is None else {**columns, GRID_ID: ids}


def place_columns(cells: Cells) -> Columns:
    """Return number, edges and place of each cell, which a release is found again by."""
    columns: Columns = {"id": cells.codes}
    if cells.polygons is None:
        left, bottom, right, top = cells.bounds.T
        columns |= {"left": left, "top": top, "right": right, "bottom": bottom}
    return {**columns, **cells.attributes()}


def estimate_columns(
    cells: Cells,
    estimate: Estimate,
    measurements: Measurements | None = None,
    amounts: AmountEstimate | None = None,
) -> Columns:
    """Return what a vector layer says of the count of each cell, and of its sum and mean.

    The error of cells of one grid is the same everywhere, and so is their area: the count is all.
    Districts and hexagons are read one by one, and so have the interval of each count.

    Parameters
    ----------
    cells : Cells
        The cells.
    estimate : Estimate
        Their counts.
    measurements : Measurements, optional
        What they were estimated from; needed for intervals.
    amounts : AmountEstimate, optional
        Sums and means, where an amount was added up.
    """
    more = {} if amounts is None else amounts.sums_by_cell()._asdict()
    if cells.grid is not None:
        return {"count": estimate.counts, **more}
    columns = {"count": estimate.counts, "std_error": np.sqrt(estimate.variance)}
    if cells.tree is None and measurements is not None:
        excess, step = max(measurements.excess()), 1 / measurements.units
        reach = noise_reach(estimate.variance, excess, step, integer=estimate.integer_counts)
        columns |= {"ci_low": estimate.counts - reach, "ci_high": estimate.counts + reach}
    return {**columns, "density": estimate.counts / cells.ground_areas(), **more}


def band_names(cells: Cells) -> tuple[str, ...]:
    """Name the bands of a raster: the count, its error where cells differ, the depth of a tree."""
    if cells.grid is not None:
        return ("count",)
    return ("count", "std_error", *(["depth"] if cells.tree is not None else []))
