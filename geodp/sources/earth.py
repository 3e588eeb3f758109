"""Ask pyproj about a CRS: where it is used, and how much it stretches areas. Public.

A stock QGIS has no use for this room of the package, and must not load a PROJ beside its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..core.common.types import Floats
from ..core.space.domain import Domain

Bounds = tuple[float, float, float, float]


class Use(NamedTuple):
    """State where a CRS is used, in degrees, and whether a domain lies far from there.

    West is east of east where the area lies across the date line.
    """

    west: float
    south: float
    east: float
    north: float
    far: bool


def area_of_use(domain: Domain) -> Use | None:
    """Find where the CRS of a domain is used; None where that is not known.

    Far is farther than half the size of that area: such areas are drawn narrowly, and countries
    are mapped in the zone of their middle.

    Examples
    --------
    >>> area_of_use(Domain((0, 0, 4000, 3000), crs="EPSG:5070")).far
    False
    >>> area_of_use(Domain((0, -4_000_000, 4000, -3_000_000), crs="EPSG:5070")).far
    True
    """
    crs = _known(domain.crs.name)
    if crs is None or crs.area_of_use is None:
        return None
    west, south, east, north = crs.area_of_use.bounds
    xmin, ymin, xmax, ymax = domain.bounds
    x, y = np.meshgrid(np.linspace(xmin, xmax, 9), np.linspace(ymin, ymax, 9))
    lon, lat = _degrees(crs, x, y)
    wide, high = (east - west) % 360 or 360, north - south
    with np.errstate(invalid="ignore"):  # inf and NaN are outside
        across = (lon - (west - wide / 2)) % 360 <= 2 * wide
        along = np.abs(lat - (south + north) / 2) <= high
    return Use(west, south, east, north, not (across & along).any())


def ground_shares(bounds: Bounds, name: str, steps: int) -> Floats | None:
    """Compute true areas of small squares, as parts of those on the map; None where not known.

    Parameters
    ----------
    bounds : tuple of float
        Where to measure: at places in rows from the south and columns from the west.
    name : str
        Name of the CRS, which is projected.
    steps : int
        Places along each side.

    Examples
    --------
    >>> ground_shares((0, 8_000_000, 1_000_000, 9_000_000), "EPSG:3857", 2).round(2)
    array([[0.28, 0.28],
           [0.21, 0.21]])
    """
    crs = _known(name)
    geod = None if crs is None else crs.get_geod()
    if crs is None or geod is None:
        return None
    metres = crs.axis_info[0].unit_conversion_factor
    xmin, ymin, xmax, ymax = bounds
    x, y = np.meshgrid(np.linspace(xmin, xmax, steps), np.linspace(ymin, ymax, steps))
    # Not too small, or else float64 shows in the areas.
    half = max(min(xmax - xmin, ymax - ymin) / steps / 20, 50 / metres)
    right, up = np.array([[-half, half, half, -half], [-half, -half, half, half]])
    lon, lat = _degrees(crs, x[..., None] + right, y[..., None] + up)
    squares = zip(lon.reshape(-1, 4), lat.reshape(-1, 4))
    areas = np.array([abs(geod.polygon_area_perimeter(*square)[0]) for square in squares])
    return np.asarray(areas.reshape(x.shape) / (2 * half * metres) ** 2)


def _known(name: str) -> Any:
    """Return the CRS as pyproj knows it; None where either is missing."""
    try:
        import pyproj  # noqa: F401
    except ImportError:
        return None
    return _looked_up(name)


@lru_cache(maxsize=32)
def _looked_up(name: str) -> Any:
    """Look the CRS up once: PROJ takes a third of a second to see that it knows no such name."""
    from pyproj import CRS
    from pyproj.exceptions import CRSError

    try:
        crs = CRS.from_user_input(name)
    except CRSError:
        return None  # a CRS of somebody's own words
    return None if crs.geodetic_crs is None else crs


def _degrees(crs: Any, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    from pyproj import Transformer

    moved = Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True).transform(x, y)
    return np.asarray(moved[0]), np.asarray(moved[1])
