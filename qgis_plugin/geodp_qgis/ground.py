"""How much a projection stretches areas, as far as QGIS knows it: densities are of the ground."""

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsEllipsoidUtils,
)

from .adapters import metres_of
from .library import np

LEAST = 50
"""Metres of half a square that is measured: in smaller ones, rounding would show."""


def ground_shares(bounds, name, steps):
    """True areas of small squares, as parts of their areas on the map; None where nothing is known.

    QGIS measures in place of pyproj, which it does not have; see ``core/ground.py``.

    Parameters
    ----------
    bounds : tuple of float
        Where to measure: at places in rows from the south and columns from the west.
    name : str
        Name of the CRS, which is projected.
    steps : int
        Places along each side.
    """
    crs = QgsCoordinateReferenceSystem()
    if not crs.createFromUserInput(name):
        return None
    degrees = QgsCoordinateReferenceSystem(crs.geographicCrsAuthId())
    if not degrees.isValid():
        degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    earth = QgsEllipsoidUtils.ellipsoidParameters(degrees.ellipsoidAcronym())
    if not earth.valid:
        return None
    xmin, ymin, xmax, ymax = bounds
    x, y = np.meshgrid(np.linspace(xmin, xmax, steps), np.linspace(ymin, ymax, steps))
    metres = metres_of(crs)
    half = max(min(xmax - xmin, ymax - ymin) / steps / 20, LEAST / metres)
    right, up = np.array([[-half, half, half, -half], [-half, -half, half, half]])
    transform = QgsCoordinateTransform(crs, degrees, QgsCoordinateTransformContext())
    corners = _degrees(transform, x[..., None] + right, y[..., None] + up)
    return _areas(*corners, earth.semiMajor, earth.semiMinor) / (2 * half * metres) ** 2


def _degrees(transform, x, y):
    """Longitudes and latitudes; NaN where a place is not on Earth."""
    found = np.full((x.size, 2), np.nan)
    for row, place in enumerate(zip(x.ravel().tolist(), y.ravel().tolist())):
        try:
            moved = transform.transform(*place)
        except QgsCsException:
            continue
        found[row] = moved.x(), moved.y()
    return found[:, 0].reshape(x.shape), found[:, 1].reshape(x.shape)


def _areas(longitude, latitude, major, minor):
    """Areas in square metres of small squares, whose four corners are along the last axis.

    The ellipsoid is made a sphere of the same area, without stretching any (authalic latitudes).
    """
    flat = (minor / major) ** 2  # 1 − e²
    e = np.sqrt(1 - flat)

    def height(sine):
        return flat * (sine / (1 - (e * sine) ** 2) + np.arctanh(e * sine) / e)

    up = height(np.sin(np.radians(latitude))) / height(1.0)
    turn, out = np.radians(longitude), np.sqrt(1 - np.minimum(up**2, 1))
    a, b, c, d = np.moveaxis(np.stack([out * np.cos(turn), out * np.sin(turn), up], -1), -2, 0)
    return (_angle(a, b, c) + _angle(a, c, d)) * major**2 * height(1.0) / 2


def _angle(a, b, c):
    """Solid angles of triangles on the unit sphere."""
    tall = np.abs((a * np.cross(b - a, c - a)).sum(-1))
    return 2 * np.arctan2(tall, 1 + ((a * b) + (b * c) + (c * a)).sum(-1))
