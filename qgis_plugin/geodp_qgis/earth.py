# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask QGIS how much projections stretch areas: for densities, which are of the ground."""

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsDistanceArea,
    QgsGeometry,
    QgsRectangle,
)

from .adapters import crs_facts, crs_of_this_thread
from .library import np

LEAST = 50
"""Half the side of the smallest squares in metres: in smaller ones float64 shows."""


def ground_shares(bounds, name, steps):
    """Return true areas of small squares, as parts of their areas on the map; None where not known.

    The same as the library measures with pyproj, which QGIS must not load beside its own PROJ.
    """
    with crs_of_this_thread():
        return _shares(bounds, name, steps)


def _shares(bounds, name, steps):
    crs = QgsCoordinateReferenceSystem()
    if not crs.createFromUserInput(name) or not crs.ellipsoidAcronym():
        return None
    ground = QgsDistanceArea()
    ground.setSourceCrs(crs, QgsCoordinateTransformContext())
    if not ground.setEllipsoid(crs.ellipsoidAcronym()):
        return None
    metres = crs_facts(crs).metres_per_unit
    xmin, ymin, xmax, ymax = bounds
    half = max(min(xmax - xmin, ymax - ymin) / steps / 20, LEAST / metres)

    def area(x, y):
        square = QgsRectangle(x - half, y - half, x + half, y + half)
        return abs(ground.measureArea(QgsGeometry.fromRect(square)))

    across, along = np.linspace(xmin, xmax, steps), np.linspace(ymin, ymax, steps)
    areas = np.array([[area(x, y) for x in across.tolist()] for y in along.tolist()])
    return areas / (2 * half * metres) ** 2
