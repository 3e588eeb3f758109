"""Numbers and sizes as people write them."""

from __future__ import annotations

import math

from .domain import Crs
from .grid import Grid


def significant(value: float) -> str:
    """Write three significant digits out.

    Examples
    --------
    >>> significant(4339.9), significant(0.03078), significant(89.44)
    ('4,340', '0.0308', '89.4')
    """
    if value == 0 or not math.isfinite(value):
        return str(value)
    places = 2 - math.floor(math.log10(abs(value)))
    text = f"{round(value, places):,.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def cell_size(grid: Grid) -> str:
    """Say the width and height of a cell in words.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> cell_size(Grid(Domain((0, 0, 4000, 3000), crs="EPSG:5070"), (2, 3)))
    '1.33 × 1.5 km'
    """
    return size_in_words(grid.cell_width, grid.cell_height, grid.domain.crs)


def size_in_words(width: float, height: float, crs: Crs) -> str:
    """Return a width and a height in units of the CRS, in words.

    Examples
    --------
    >>> size_in_words(250, 120.5, Crs("EPSG:5070"))
    '250 × 120 m'
    """
    if crs.geographic:
        return f"{width:.6g} × {height:.6g} degrees"
    wide, high = (side * crs.metres_per_unit for side in (width, height))
    if min(wide, high) >= 1000:
        return f"{significant(wide / 1000)} × {significant(high / 1000)} km"
    return f"{significant(wide)} × {significant(high)} m"
