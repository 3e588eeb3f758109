"""Choose the pixels of a raster: no finer than a file needs, with sums that stay right.

The lattices of a tree are public, and a raster takes the finest of them that has at most
:data:`MOST_SIDE` pixels a side. Cells that are finer are taken together: the count of a node is
known, and so is its error. Which depth that is follows from the tree alone.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from ..cells.cells import Cells, HasCells
from ..cells.tree_cells import TreeCells
from ..common.errors import InputError
from ..common.types import Floats
from ..estimates.answers import noise_reach
from ..estimates.estimate import Estimate
from ..estimates.tree_estimate import TreeEstimate
from ..releases.release import Release

MOST_SIDE = 4096
"""Pixels along the longer side of a raster of a tree, unless finer ones are asked for."""


class Estimated(HasCells, Protocol):
    """Have an estimate for each cell, as a release does, or the difference of two."""

    @property
    def estimate(self) -> Estimate:
        """Return the estimate."""


def raster_cells(
    cells: Cells, resolution: float | None = None, most_side: int = MOST_SIDE
) -> Cells:
    """Return the cells that the pixels of a raster show: the finest of a tree taken together.

    Parameters
    ----------
    cells : Cells
        What was published; cells that are no tree stay as they are, because each is a pixel.
    resolution : float, optional
        Longest side of a pixel that is wanted, in units of the CRS; by default whatever fits
        ``most_side``.
    most_side : int
        Pixels along the longer side, at most.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> from geodp.core.space.tree import Tree
    >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 2)
    >>> cells = TreeCells(Tree(frame, [[False, True], [False] * 4]))
    >>> len(raster_cells(cells)), len(raster_cells(cells, most_side=2))
    (5, 2)
    >>> raster_cells(cells, resolution=4).raster.shape
    (1, 2)
    """
    if resolution is not None and not resolution > 0:
        raise InputError(f"resolution must be a length above 0; got {resolution!r}.")
    if not isinstance(cells, TreeCells):
        return cells
    frame, deepest = cells.tree.frame, len(cells.tree.levels) - 1
    depths = range(1, deepest + 1)
    if resolution is None:
        depth = max((d for d in depths if max(frame.shape(d)) <= most_side), default=1)
    else:
        domain = frame.domain
        depth = min(
            (
                d
                for d in depths
                if domain.width <= resolution * frame.shape(d)[1]
                and domain.height <= resolution * frame.shape(d)[0]
            ),
            default=deepest,
        )
    return cells if depth == deepest else TreeCells(cells.tree.cut(depth))


def cells_of_shape(cells: Cells, shape: tuple[int, int]) -> Cells | None:
    """Return the cells that a raster of a shape shows; None if there is no such raster."""
    if isinstance(cells, TreeCells):
        frame = cells.tree.frame
        for depth in range(1, len(cells.tree.levels)):
            if frame.shape(depth) == shape:
                return TreeCells(cells.tree.cut(depth))
        return None
    return cells if cells.raster is not None and cells.raster.shape == shape else None


def values_on(mapped: Estimated, shown: Cells) -> tuple[npt.NDArray[Any], Floats]:
    """Return estimates of the cells that pixels show, and the variances of the noise in them."""
    estimate = mapped.estimate
    if shown is mapped.cells or shown == mapped.cells:
        return estimate.counts, estimate.variance
    if isinstance(estimate, TreeEstimate):
        assert shown.tree is not None
        levels = len(shown.tree.levels)
        nodes = (estimate.fit.values[:levels], estimate.fit.variances[:levels])
        counts, variance = (shown.tree.at_cells(node) for node in nodes)
        return counts, variance
    parts = estimate.parts(shown.as_regions())
    return parts.estimate, parts.noise + parts.spread


def half_widths(release: Release, shown: Cells, variance: Floats) -> Floats:
    """Return half of the interval of each cell that is shown, at 95 %, from its variance.

    The noise in a cell is taken for one Laplace variable. In a tree it is a sum of several, whose
    tails are no heavier, so that answers about the cell have an interval that is a little narrower.
    """
    measured = release.measurements
    integer = release.estimate.integer_counts and shown == release.cells
    return noise_reach(variance, max(measured.excess()), 1 / measured.units, integer=integer)
