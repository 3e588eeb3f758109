# SPDX-License-Identifier: GPL-2.0-or-later
"""Turn QGIS's objects into geodp's: coordinate systems and rectangles; cancelling and progress."""

from contextlib import contextmanager

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsRectangle,
    QgsUnitTypes,
)

from .library import geodp
from .translation import tr

ZOOM = 1.05
"""By how much QGIS shows more than a layer when it zooms to it."""


class Cancelled(geodp.Cancelled if geodp else Exception):
    """The person pressed Cancel: the library passes it on as it is."""


def stop_if_cancelled(feedback):
    if feedback.isCanceled():
        raise Cancelled


@contextmanager
def crs_of_this_thread():
    """Ask for coordinate systems anew, and leave none to others.

    QGIS keeps them for all threads. One that a thread asked for first breaks when that thread ends:
    in QGIS 3.22 points then stay where they are, and nothing is said.
    """
    _forget_crs()
    try:
        yield
    finally:
        _forget_crs()


def _forget_crs():
    QgsCoordinateReferenceSystem.invalidateCache()
    QgsCoordinateTransform.invalidateCache()


def crs_facts(crs):
    """Return what counting must know of a coordinate system, as a ``geodp.Crs``."""
    if not crs.isValid():
        raise geodp.CrsError(
            tr("A coordinate reference system is needed; choose a projected one for your region.")
        )
    metres = QgsUnitTypes.DistanceUnit.DistanceMeters
    factor = QgsUnitTypes.fromUnitToUnitFactor(crs.mapUnits(), metres)
    # A code of the user's own database means nothing elsewhere.
    name = crs.authid()
    if not name or name.upper().startswith("USER:"):
        name = crs_wkt(crs)
    return geodp.Crs(name, crs.isGeographic(), factor)


def domain_crs(domain):
    """Return the QGIS coordinate system of a domain, for example of one read from a file."""
    crs = QgsCoordinateReferenceSystem()
    if not crs.createFromUserInput(domain.crs.name):
        raise geodp.CrsError(tr("This QGIS does not know the release's coordinate system."))
    return crs


def crs_wkt(crs):
    return crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL)


def domain_from_rectangle(rectangle, crs, transform_context):
    """Make the public rectangle, or refuse one that cannot be meant."""
    facts = crs_facts(crs)
    if rectangle.isNull() or rectangle.isEmpty():
        raise geodp.InputError(
            tr("The extent must be a rectangle; this one is missing or has no area.")
        )
    bounds = (
        rectangle.xMinimum(),
        rectangle.yMinimum(),
        rectangle.xMaximum(),
        rectangle.yMaximum(),
    )
    domain = geodp.Domain(bounds, facts)
    if _is_elsewhere(rectangle, crs, transform_context):
        raise geodp.InputError(
            tr(
                "The extent must lie where its coordinate system is meant to be used; {} lies "
                "outside the area of {}: check the order of the numbers and the CRS."
            ).format(bounds, facts.name if crs.authid() else tr("this CRS"))
        )
    return domain


def _is_elsewhere(rectangle, crs, transform_context):
    """Tell whether a rectangle misses the CRS's area of use, by public facts alone."""
    area = crs.bounds()
    if area.isEmpty():
        return False  # unknown, or across the date line
    try:
        box = moved(rectangle, crs, QgsCoordinateReferenceSystem("EPSG:4326"), transform_context)
    except QgsCsException:
        return True
    return not box.intersects(area)


def moved(rectangle, source, target, transform_context):
    transform = QgsCoordinateTransform(source, target, transform_context)
    return transform.transformBoundingBox(rectangle)


def equal_sides(one, other):
    """Count how many of left, bottom, right and top are equal, up to the extent box's rounding."""
    near = 1e-5 * max(one.width(), one.height())
    return [abs(a - b) <= near for a, b in zip(_sides(one), _sides(other))]


def gives_away(given, extent):
    """Tell whether a rectangle tells where the outermost points of an extent are.

    It does with three of the extent's four sides, and where it is the map's own extent after *Zoom
    to Layer*: that has the layer's width or height, enlarged about its centre.
    """
    if sum(equal_sides(given, extent)) >= 3:
        return True
    zoomed = QgsRectangle(extent)
    zoomed.scale(ZOOM)
    left, bottom, right, top = equal_sides(given, zoomed)
    return (left and right) or (bottom and top)


def _sides(rectangle):
    return (
        rectangle.xMinimum(),
        rectangle.yMinimum(),
        rectangle.xMaximum(),
        rectangle.yMaximum(),
    )


def gives_extent_away(given, given_crs, extents, source_crs, crs, transform_context):
    """Tell whether a rectangle gives the extent of a layer away, in any of the three CRS in play.

    A box around a box grows with every change of CRS, so the comparison must be made where the
    extent was taken, which is not known.
    """
    for extent in extents:
        for system in (given_crs, source_crs, crs):
            try:
                one = moved(given, given_crs, system, transform_context)
                other = moved(extent, source_crs, system, transform_context)
            except QgsCsException:
                continue
            if gives_away(one, other):
                return True
    return False


class Part:
    """A stretch of the progress bar for one step of a run."""

    def __init__(self, feedback, start, stop):
        self.feedback, self.start, self.length = feedback, start, stop - start

    def isCanceled(self):
        return self.feedback.isCanceled()

    def setProgress(self, percent):
        self.feedback.setProgress(self.start + self.length * percent / 100)

    def setProgressText(self, text):
        self.feedback.setProgressText(text)
