"""Turn polygons into where records can be: the share of each pixel that they cover."""

from __future__ import annotations

import numpy as np

from ..common.types import Floats
from ..space.axis import WHOLE
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from ..space.support import Support
from .polygons import PolygonOverlap, Polygons

HALVINGS = 9
"""How often a root cell is halved into pixels: some 2,000 a side, at most 2**22 in all."""


def pixel_grid(domain: Domain) -> Grid:
    """Return pixels for a support of the domain: a lattice of the tree of cells that it would have.

    Examples
    --------
    >>> pixel_grid(Domain((0, 0, 4000, 2000), crs="EPSG:5070")).shape
    (1536, 2560)
    """
    plain = Domain(domain.bounds, domain.crs, allow_geographic=True)
    frame = Frame(plain)
    return Grid(plain, frame.shape(1 + min(HALVINGS, frame.halvings)))


def polygon_support(polygons: Polygons, domain: Domain) -> Support:
    """Return where records can be, if they can be in these polygons alone.

    Parameters
    ----------
    polygons : Polygons
        Rings that bound an area, in the domain's CRS; they may overlap and reach beyond it.
    domain : Domain
        Whose bounds are meant.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> shore = np.array([[0.0, 0.0], [4000.0, 0.0], [0.0, 4000.0]])
    >>> land = polygon_support(Polygons.from_rings([(0, False, shore)], 1), town)
    >>> land
    Support(2048 × 2048 pixels, 50 % of the extent, d838135cb9dd)
    >>> geodp_domain = Domain(town.bounds, town.crs, within=land)
    """
    grid = pixel_grid(domain)
    return Support.from_shares(domain.bounds, _shares(PolygonOverlap(polygons, grid)))


def _shares(overlap: PolygonOverlap) -> Floats:
    """Return the covered share of each pixel, all polygons together, row 0 in the north."""
    rows, columns = overlap.shape
    steps = np.zeros((rows, columns + 1))
    np.add.at(steps, (overlap.run_row, overlap.run_start), 1.0)
    np.add.at(steps, (overlap.run_row, overlap.run_stop), -1.0)
    shares = np.cumsum(steps, axis=1)[:, :-1]
    np.add.at(shares, (overlap.row, overlap.column), overlap.share / WHOLE)
    return np.asarray(np.minimum(shares[::-1], 1.0))
