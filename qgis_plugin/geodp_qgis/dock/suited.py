# SPDX-License-Identifier: GPL-2.0-or-later
"""A CRS that suits a public rectangle, for whoever has a map in degrees. Public numbers alone."""

from qgis.core import QgsCoordinateReferenceSystem, QgsCsException, QgsProject, QgsRectangle

from ..adapters import moved

DEGREES = "EPSG:4326"

WIDE = 7.0
"""Degrees of longitude from which one zone of UTM stretches too much."""

CONTINENTS = ("EPSG:3035", "EPSG:5070", "EPSG:3577", "EPSG:6350", "EPSG:3978")
"""Equal-area systems of continents and large countries, where their area of use holds most."""

MOSTLY = 0.8
"""Part of a rectangle that must lie there: round boxes reach out to sea."""

WORLD = "EPSG:6933"


def suited_crs(sides, crs):
    """Return the code of a projected CRS for a rectangle, or None where there is no such place.

    Parameters
    ----------
    sides : tuple of float
        Left, right, bottom and top.
    crs : QgsCoordinateReferenceSystem
        That of the rectangle.
    """
    left, right, bottom, top = sides
    box = QgsRectangle(left, bottom, right, top)
    degrees = QgsCoordinateReferenceSystem(DEGREES)
    if not crs.isValid() or box.isEmpty():
        return None
    if not crs.isGeographic() and crs.authid():
        return crs.authid()  # that of whoever gave the rectangle
    try:
        place = moved(box, crs, degrees, QgsProject.instance().transformContext())
    except QgsCsException:
        return None
    middle = place.center()
    if not (place.isFinite() and abs(middle.x()) <= 180 and abs(middle.y()) <= 84):
        return None
    if place.width() < WIDE and place.height() < 2 * WIDE:
        zone = min(int((middle.x() + 180) // 6) + 1, 60)
        return f"EPSG:{(32600 if middle.y() >= 0 else 32700) + zone}"
    for code in CONTINENTS:
        bounds = QgsCoordinateReferenceSystem(code).bounds()
        if not bounds.intersects(place):
            continue  # what they share would have an odd area in newer versions of QGIS
        if bounds.intersect(place).area() >= MOSTLY * place.area():
            return code
    return WORLD
