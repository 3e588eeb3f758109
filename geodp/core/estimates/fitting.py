"""Fit estimates to measurements, by what the cells are: a tree, or cells measured once each."""

from __future__ import annotations

from ..cells.cells import Cells
from ..cells.district_cells import DistrictCells
from ..kernel.measurements import Measurements
from .direct import DirectEstimate
from .estimate import Estimate
from .level_estimate import LevelEstimate
from .tree_estimate import TreeEstimate


def fit(cells: Cells, measurements: Measurements, alone: bool = True) -> Estimate:
    """Estimate counts from measurements, which must be of these cells.

    Parameters
    ----------
    cells : Cells
        What was measured.
    measurements : Measurements
        What was published.
    alone : bool
        Whether the cells were chosen by these measurements alone; not so for one group of several,
        nor for their sum.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from geodp.core.cells.grid_cells import GridCells
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.grid import Grid
    >>> cells = GridCells(Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2)))
    >>> fit(cells, Measurements.from_counts([[3, -1]], Fraction(1))).counts
    array([ 3, -1])
    """
    if cells.tree is not None:
        return TreeEstimate(cells.tree, measurements, alone)
    if isinstance(cells, DistrictCells) and cells.nodes is not None:
        return LevelEstimate(cells, measurements)
    return DirectEstimate(cells, measurements)
