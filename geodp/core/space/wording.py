"""Numbers and sizes as people write them."""

from __future__ import annotations

import math

from ..common.phrases import Number, Phrase
from .domain import Crs
from .grid import Grid


def significant(value: float) -> Number:
    """Write three significant digits out.

    Examples
    --------
    >>> significant(4339.9), significant(0.03078), significant(89.44)
    ('4,340', '0.0308', '89.4')
    """
    if value == 0 or not math.isfinite(value):
        return Number(value)
    places = 2 - math.floor(math.log10(abs(value)))
    text = f"{round(value, places):,.{max(places, 0)}f}"
    return Number(text.rstrip("0").rstrip(".") if "." in text else text)


def cell_size(grid: Grid) -> Phrase:
    """Say the width and height of a cell in words.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> cell_size(Grid(Domain((0, 0, 4000, 3000), crs="EPSG:5070"), (2, 3)))
    '1.33 × 1.5 km'
    """
    return size_in_words(grid.cell_width, grid.cell_height, grid.domain.crs)


def size_in_words(width: float, height: float, crs: Crs) -> Phrase:
    """Return a width and a height in units of the CRS, in words.

    Examples
    --------
    >>> size_in_words(250, 120.5, Crs("EPSG:5070"))
    '250 × 120 m'
    """
    if crs.geographic:
        sides = Number(f"{width:.6g}"), Number(f"{height:.6g}")
        return Phrase("{1} × {2} degrees", *sides)
    wide, high = (side * crs.metres_per_unit for side in (width, height))
    if min(wide, high) >= 1000:
        return Phrase("{1} × {2} km", significant(wide / 1000), significant(high / 1000))
    return Phrase("{1} × {2} m", significant(wide), significant(high))


def length_in_words(length: float, crs: Crs) -> Phrase:
    """Return a length in units of the CRS, in words.

    Examples
    --------
    >>> length_in_words(1414.2, Crs("EPSG:5070")), length_in_words(250, Crs("EPSG:5070"))
    ('1.41 km', '250 m')
    """
    if crs.geographic:
        return Phrase("{1} degrees", Number(f"{length:.6g}"))
    metres = length * crs.metres_per_unit
    if metres >= 1000:
        return Phrase("{1} km", significant(metres / 1000))
    return Phrase("{1} m", significant(metres))
