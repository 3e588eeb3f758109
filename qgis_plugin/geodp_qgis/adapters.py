"""From QGIS's things to geodp's: coordinate systems, rectangles, points, polygons.

Points pass through here on their way to be counted. Nothing about them is kept, logged or put into
a message: features without a usable point are dropped without a word, as in the library.
"""

from itertools import islice

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingFeatureSource,
    QgsRectangle,
    QgsUnitTypes,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime, QUuid

from .compatibility import is_null
from .library import geodp, ids, np, polygons, source
from .translation import tr

BLOCK = 1 << 16
"""Points handed on at once."""

LOOK_UP = 1 << 10
"""Features between two looks at the cancel button."""

UNCHECKED = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks
"""QGIS's own check names a feature that it finds broken; for private features that is a leak."""


class Cancelled(Exception):
    """The person pressed Cancel."""


def stop_if_cancelled(feedback):
    if feedback.isCanceled():
        raise Cancelled


def crs_facts(crs):
    """What counting must know of a coordinate system, as a ``geodp.Crs``."""
    if not crs.isValid():
        raise geodp.CrsError(
            tr("A coordinate reference system is needed; choose a projected one for your region.")
        )
    metres = QgsUnitTypes.DistanceUnit.DistanceMeters
    factor = QgsUnitTypes.fromUnitToUnitFactor(crs.mapUnits(), metres)
    # A code of the user's own database means nothing elsewhere.
    name = crs.authid()
    if not name or name.upper().startswith("USER:"):
        name = wkt_of(crs)
    return geodp.Crs(name, crs.isGeographic(), factor)


def crs_of(domain):
    """The QGIS coordinate system of a domain, for example of one that was read from a file."""
    crs = QgsCoordinateReferenceSystem()
    if not crs.createFromUserInput(domain.crs.name):
        raise geodp.CrsError(tr("This QGIS does not know the release's coordinate system."))
    return crs


def wkt_of(crs):
    return crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL)


def domain_of(rectangle, crs, transform_context):
    """The public rectangle, refused where it cannot be meant."""
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
    """Whether a rectangle misses the CRS's area of use: public facts alone, no look at a layer."""
    area = crs.bounds()
    if area.isEmpty():
        return False  # unknown, or across the date line
    try:
        found = moved(rectangle, crs, QgsCoordinateReferenceSystem("EPSG:4326"), transform_context)
    except QgsCsException:
        return True
    return not found.intersects(area)


def moved(rectangle, source, target, transform_context):
    transform = QgsCoordinateTransform(source, target, transform_context)
    return transform.transformBoundingBox(rectangle)


def same_extent(one, other):
    """Equal up to what the extent box's own rounding loses."""
    near = 1e-5 * max(one.width(), one.height())
    pairs = zip(_sides(one), _sides(other))
    return all(abs(a - b) <= near for a, b in pairs)


def _sides(rectangle):
    return (
        rectangle.xMinimum(),
        rectangle.yMinimum(),
        rectangle.xMaximum(),
        rectangle.yMaximum(),
    )


def is_extent_of(given, given_crs, extents, source_crs, crs, transform_context):
    """Whether a rectangle is the extent of a layer, seen in any of the three CRS in play.

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
            if same_extent(one, other):
                return True
    return False


class LayerSource(source.PointSource if source else object):
    """The points of a layer, for the library to count. Private.

    Parameters
    ----------
    layer : QgsProcessingFeatureSource
        Where the points are. What its declared types rule out was refused before.
    crs : QgsCoordinateReferenceSystem
        That of the domain.
    """

    def __init__(self, layer, crs, context, feedback):
        self._layer, self._crs, self._context, self._feedback = layer, crs, context, feedback

    def check(self, request):
        pass

    def blocks(self, request, advance=None):
        """Stream blocks; of each feature at most as many points as the request says."""
        person = request.person
        column = -1 if person is None else self._layer.fields().indexOf(person)
        wanted = QgsFeatureRequest().setSubsetOfAttributes([] if person is None else [column])
        # Not by the request: QGIS would name the features that cannot be transformed, in the log.
        transform = QgsCoordinateTransform(
            self._layer.sourceCrs(), self._crs, self._context.transformContext()
        )
        # The total only scales the bar: it is shown nowhere.
        step = 100 / max(self._layer.featureCount(), 1)
        xs, ys, whose = [], [], []
        for number, feature in enumerate(self._layer.getFeatures(wanted, UNCHECKED)):
            if number % LOOK_UP == 0:
                stop_if_cancelled(self._feedback)
                self._feedback.setProgress(min(100.0, number * step))
            name = None if person is None else _person(feature.attribute(column))
            for point in _points(feature.geometry(), transform, request.max_points):
                xs.append(point.x())
                ys.append(point.y())
                whose.append(name)
            if len(xs) >= BLOCK:
                yield _block(xs, ys, whose, person)
                xs, ys, whose = [], [], []
        stop_if_cancelled(self._feedback)
        yield _block(xs, ys, whose, person)


def _block(xs, ys, whose, person):
    names = None if person is None else ids.Ids.of(whose)
    return source.Block(np.array(xs, dtype=float), np.array(ys, dtype=float), names)


def _person(value):
    """A value of the person field as Python's; NULL is nobody."""
    if is_null(value):
        return None
    if isinstance(value, QDateTime):
        # Without a zone it is Qt's local time, whatever zone the machine is in: UTC, as everywhere.
        local = value.timeSpec() == Qt.TimeSpec.LocalTime
        return (value if local else value.toUTC()).toPyDateTime() if value.isValid() else None
    if isinstance(value, (QDate, QTime)):
        return None if isinstance(value, QTime) or not value.isValid() else value.toPyDate()
    if isinstance(value, QByteArray):
        return bytes(value)
    if isinstance(value, QUuid):
        return None if value.isNull() else value.toString().strip("{}")
    return value


def _points(geometry, transform, at_most):
    """The first points of a geometry, moved; a generator, since its vertices need it alive."""
    if geometry.type() != QgsWkbTypes.GeometryType.PointGeometry or geometry.isEmpty():
        return
    if not transform.isShortCircuited():
        try:
            geometry.transform(transform)
        except QgsCsException:
            return
    if geometry.isMultipart():
        yield from islice(geometry.vertices(), at_most)
    else:
        yield geometry.constGet()  # twice as fast as vertices


def region_workload(source, domain, crs, context, feedback, keep=None):
    """Polygons of a layer as a workload on a domain; the same checks as in the library.

    Parameters
    ----------
    keep : list, optional
        Where to put the features as they were read, in the order of the workload.
    """
    transform = QgsCoordinateTransform(source.sourceCrs(), crs, context.transformContext())
    frame = QgsGeometry.fromRect(QgsRectangle(*domain.bounds))
    step = 100 / max(source.featureCount(), 1)
    rings, count = [], 0
    for feature in source.getFeatures(QgsFeatureRequest(), UNCHECKED):
        stop_if_cancelled(feedback)
        feedback.setProgress(min(100.0, count * step))
        geometry = _polygon(feature, transform, frame)
        for part in geometry.asMultiPolygon():
            for position, ring in enumerate(part):
                coordinates = np.array([(point.x(), point.y()) for point in ring])
                rings.append((count, position > 0, coordinates))
        count += 1
        if keep is not None:
            keep.append(feature)
    if not count:
        raise geodp.InputError(tr("At least one region is needed; the layer of regions is empty."))
    return geodp.Workload.from_polygons(polygons.Polygons.from_rings(rings, count), domain)


def _polygon(feature, transform, frame):
    """A feature's geometry as a valid multipolygon in the domain's CRS, or an error."""
    geometry = QgsGeometry(feature.geometry())

    def refuse(why):
        return geodp.InputError(
            tr("Every region must be a valid polygon; the region with id {} {}.").format(
                feature.id(), why
            )
        )

    if geometry.isNull() or geometry.isEmpty():
        raise refuse(tr("is empty: remove it"))
    if geometry.type() != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise refuse(tr("is not a polygon: use polygon layers only"))
    try:
        geometry.transform(transform)
    except QgsCsException:
        raise refuse(
            tr("cannot be expressed in the domain's CRS: cut it to the domain first")
        ) from None
    geometry.convertToStraightSegment()
    geometry.convertToMultiType()
    if not geometry.isGeosValid():
        raise refuse(tr("is not a valid polygon: repair it with 'Fix geometries'"))
    if not geometry.intersection(frame).area() > 0:
        raise geodp.InputError(
            tr(
                "Every region must overlap the domain; the region with id {} lies outside: "
                "remove it or widen the domain."
            ).format(feature.id())
        )
    return geometry


class Part:
    """A stretch of the progress bar for one step of a run."""

    def __init__(self, feedback, start, stop):
        self.feedback, self.start, self.length = feedback, start, stop - start

    def isCanceled(self):
        return self.feedback.isCanceled()

    def setProgress(self, percent):
        self.feedback.setProgress(self.start + self.length * percent / 100)
