# SPDX-License-Identifier: GPL-2.0-or-later
"""Public regions as polygons on a domain: cut, reprojected, and mended where that broke them."""

from typing import Any, NamedTuple

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsRectangle,
    QgsWkbTypes,
)

from .adapters import moved, stop_if_cancelled
from .library import geodp, np
from .points import UNCHECKED
from .translation import tr

MARGIN = 0.05
"""Regions are cut this far outside the domain, as a part of its sides, before they are
reprojected: what is farther away may have no coordinates in the domain's CRS."""

STEPS = 256
"""Corners along a side of a region that was cut."""


class Regions(NamedTuple):
    """Regions of a layer that can be asked about, as the library has them.

    Attributes
    ----------
    polygons : Polygons
        Those that overlap the domain, in its CRS.
    rows : list of int
        Which features of the layer these are.
    inside, areas : ndarray of float
        For each of them, the area inside the domain, and of the whole region.
    outside : list of int
        Features that are sound and lie outside the domain.
    features : list of QgsFeature
        All features, as they were read.
    shapes : list of QgsGeometry
        Those of ``polygons``, for drawing.
    """

    polygons: Any
    rows: list
    inside: Any
    areas: Any
    outside: list
    features: list
    shapes: list


def region_workload(source, domain, crs, context, feedback):
    """Turn polygons of a layer into a workload; the same checks as in the library."""
    return checked_workload(read_regions(source, domain, crs, context, feedback), domain)


def checked_workload(read, domain):
    """Turn regions into a workload, which all of them must be part of."""
    if read.outside:
        raise geodp.InputError(
            tr(
                "Every region must overlap the domain; the region with id {} lies outside: "
                "remove it or widen the domain."
            ).format(read.features[read.outside[0]].id())
        )
    return geodp.Workload.from_regions(read, domain)


def read_regions(source, domain, crs, context, feedback, skip_invalid=False):
    """Take the polygons of a layer in any CRS.

    Parameters
    ----------
    skip_invalid : bool
        Leave broken regions out instead of refusing the layer.
    """
    place = Placing(source.sourceCrs(), crs, domain, context.transformContext())
    step = 100 / max(source.featureCount(), 1)
    features, shapes, rows, inside, areas, outside = [], [], [], [], [], []
    for number, feature in enumerate(source.getFeatures(QgsFeatureRequest(), UNCHECKED)):
        stop_if_cancelled(feedback)
        feedback.setProgress(min(100.0, number * step))
        features.append(feature)
        try:
            geometry, part, area = place(feature.geometry())
        except Broken as error:
            if skip_invalid:
                continue
            raise geodp.InputError(
                tr("Every region must be a valid polygon; the region with id {} {}.").format(
                    feature.id(), error
                )
            ) from None
        if not part > 0:
            outside.append(number)
            continue
        shapes.append(geometry)
        rows.append(number)
        inside.append(part)
        areas.append(area)
    if not features:
        raise geodp.InputError(tr("At least one region is needed; the layer of regions is empty."))
    rings = [
        (i, hole, ring) for i, shape in enumerate(shapes) for hole, ring in polygon_rings(shape)
    ]
    polygons = geodp.Polygons.from_rings(rings, len(rows)) if rows else None
    return Regions(polygons, rows, np.array(inside), np.array(areas), outside, features, shapes)


class Broken(Exception):
    """Say why a region cannot be asked about."""


class Placing:
    """Puts regions on a domain, or raises :class:`Broken`."""

    def __init__(self, source, target, domain, transform_context):
        self._transform = QgsCoordinateTransform(source, target, transform_context)
        box = QgsRectangle(*domain.bounds)
        self._domain = QgsGeometry.fromRect(box)
        self._frame, self._step = None, 0.0
        if not self._transform.isShortCircuited():
            try:
                frame = moved(box, target, source, transform_context)
            except QgsCsException:
                return
            wide, high = MARGIN * frame.width(), MARGIN * frame.height()
            frame.set(
                frame.xMinimum() - wide,
                frame.yMinimum() - high,
                frame.xMaximum() + wide,
                frame.yMaximum() + high,
            )
            self._frame, self._step = frame, max(wide, high) / MARGIN / STEPS

    def __call__(self, given):
        """Return a region in the domain's CRS, its area inside the domain, and all of its area."""
        geometry = sound(given)
        cut = self._cut(geometry)
        if cut.isEmpty():
            return cut, 0.0, 0.0
        scale = geometry.area() / cut.area()  # all of it is larger by what was cut off
        try:
            cut.transform(self._transform)
        except QgsCsException:
            raise Broken(
                tr("cannot be expressed in the domain's CRS: cut it to the domain first")
            ) from None
        if not cut.isGeosValid():  # sound before, and torn by reprojecting
            cut = _polygonal(cut.makeValid())
        cut.convertToMultiType()
        inside = cut.intersection(self._domain).area()
        return cut, (inside if inside > 0 else 0.0), cut.area() * scale

    def _cut(self, geometry):
        frame = self._frame
        if frame is None or frame.contains(geometry.boundingBox()):
            return QgsGeometry(geometry)
        inner = _polygonal(geometry.intersection(QgsGeometry.fromRect(frame)))
        # Sides of the frame are curved in the domain's CRS: without corners, chords cut it.
        return inner.densifyByDistance(self._step) if not inner.isEmpty() else inner


def sound(given):
    """Return a region that bounds an area as it was given, with straight sides."""
    geometry = QgsGeometry(given)
    if geometry.isNull() or geometry.isEmpty():
        raise Broken(tr("is empty: remove it"))
    if geometry.type() != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise Broken(tr("is not a polygon: use polygon layers only"))
    geometry.convertToStraightSegment()
    if not geometry.isGeosValid():
        raise Broken(tr("is not a valid polygon: repair it with 'Fix geometries'"))
    if not geometry.area() > 0:
        raise Broken(tr("has no area: remove it"))
    return geometry


def _polygonal(geometry):
    """Keep what has an area; repairs and cuts may leave lines beside it."""
    parts = [
        part
        for part in geometry.asGeometryCollection()
        if part.type() == QgsWkbTypes.GeometryType.PolygonGeometry
    ]
    return QgsGeometry.unaryUnion(parts) if parts else QgsGeometry()


def region_outlines(read, domain, detail):
    """Return outlines of all regions of a layer as coordinates, holes too; none of those outside.

    They are as fine as ``detail``, and cut where they go far beyond the domain.
    """
    frame = QgsRectangle(*domain.bounds)
    frame.scale(3)
    outlines = [[] for _ in read.features]
    for row, shape in zip(read.rows, read.shapes):
        if not frame.contains(shape.boundingBox()):
            shape = _polygonal(shape.clipped(frame))
        drawn = shape.simplify(detail)
        drawn.convertToMultiType()
        outlines[row] = [ring for _, ring in polygon_rings(drawn)]
    return outlines


def polygon_rings(geometry):
    """Tell whether each ring of a geometry is a hole, and its corners."""
    for part in geometry.asMultiPolygon():
        for position, ring in enumerate(part):
            yield position > 0, np.array([(point.x(), point.y()) for point in ring])
