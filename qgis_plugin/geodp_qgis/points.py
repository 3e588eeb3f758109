# SPDX-License-Identifier: GPL-2.0-or-later
"""Points of a layer on their way to be counted. Private.

Nothing about them is kept, logged or put into a message: features without a usable point are
dropped without a word, as in the library.
"""

import os
from itertools import compress, islice

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsLineString,
    QgsPointXY,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime, QUuid

from .adapters import crs_wkt, stop_if_cancelled
from .compatibility import is_null
from .library import geodp, np, osr
from .translation import tr

BLOCK = 1 << 16
"""Points handed on at once."""

LOOK_UP = 1 << 10
"""Features between two looks at the cancel button."""

PLAIN = (int, str, float)
"""Types of values that are Python's already."""

DAYS_BEFORE_1970 = 2_440_588
"""Julian day of 1970-01-01."""

UNCHECKED = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks
"""QGIS's own check names a feature that it finds broken; for private features that is a leak."""


class LayerSource(geodp.PointSource if geodp else object):
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
        names = dict.fromkeys([*([] if person is None else [person]), *_names(request)])
        columns = [self._layer.fields().indexOf(name) for name in names]
        wanted = QgsFeatureRequest().setSubsetOfAttributes(columns)
        # Not by the request: QGIS would name the features that cannot be transformed, in the log.
        move = Moving(self._layer.sourceCrs(), self._crs, self._context.transformContext())
        # The total only scales the bar: it is shown nowhere.
        step = 100 / max(self._layer.featureCount(), 1)
        xs, ys, held = [], [], [[] for _ in columns]
        for number, feature in enumerate(self._layer.getFeatures(wanted, UNCHECKED)):
            if number % LOOK_UP == 0:
                stop_if_cancelled(self._feedback)
                self._feedback.setProgress(min(100.0, number * step))
                if len(xs) >= BLOCK:
                    yield _block(xs, ys, dict(zip(names, held)), request, move)
                    xs, ys, held = [], [], [[] for _ in columns]
            geometry = feature.geometry()
            try:
                points = (geometry.asPoint(),)
            except (TypeError, ValueError):  # several points, or none
                points = _points(geometry, request.max_points)
            for point in points:
                xs.append(point.x())
                ys.append(point.y())
                for column, values in zip(columns, held):
                    values.append(feature.attribute(column))
        stop_if_cancelled(self._feedback)
        yield _block(xs, ys, dict(zip(names, held)), request, move)


def _names(request):
    """Name the fields that say which group a record is in."""
    return [field.name for field in request.fields]


def _block(xs, ys, held, request, move):
    """Read what is counted next: places, whose they are, groups; without records nowhere."""
    x, y = move(xs, ys)
    usable = np.isfinite(x) & np.isfinite(y)
    if not usable.all():
        x, y, fits = x[usable], y[usable], usable.tolist()
        held = {name: list(compress(values, fits)) for name, values in held.items()}
    values = {
        name: [value if type(value) in PLAIN else _plain(value) for value in column]
        for name, column in held.items()
    }
    whose = None if request.person is None else geodp.Ids.of(values[request.person])
    group = request.group_codes(values, geodp.group_values)
    return geodp.Block(x, y, whose, group)


class Moving:
    """From one CRS to another: many points at once, or where that fails each by itself.

    Where the best operation between two CRS fails for a point, QGIS takes the next best, for all
    points that it was given together. Then one record would move others, so all go alone.
    """

    def __init__(self, source, target, transform_context):
        self._alone = QgsCoordinateTransform(source, target, transform_context)
        self._together = QgsCoordinateTransform(source, target, transform_context)
        self._together.setAllowFallbackTransforms(False)
        self._offline = Offline(source, target) if network_is_on() else None

    def __call__(self, xs, ys):
        """Return coordinates as arrays; a point that cannot be expressed has none."""
        if self._alone.isShortCircuited() or not xs:
            return np.array(xs, dtype=float), np.array(ys, dtype=float)
        if self._offline is not None:
            return self._offline(xs, ys)
        line = QgsLineString(xs, ys)
        try:
            line.transform(self._together)
        except QgsCsException:
            return self._each(xs, ys)
        # WKB: byte order, type and number, then pairs.
        pairs = np.frombuffer(line.asWkb().data(), dtype=float, offset=9).reshape(-1, 2)
        return (pairs[:, 0], pairs[:, 1]) if np.isfinite(pairs).all() else self._each(xs, ys)

    def _each(self, xs, ys):
        moved = np.full((len(xs), 2), np.nan)
        for number, place in enumerate(zip(xs, ys)):
            try:
                point = self._alone.transform(QgsPointXY(*place))
            except QgsCsException:
                continue
            moved[number] = point.x(), point.y()
        return moved[:, 0], moved[:, 1]


def network_is_on():
    """Tell whether PROJ may fetch grids, as it does for the parts that points lie in."""
    if hasattr(osr, "GetPROJEnableNetwork"):
        return bool(osr.GetPROJEnableNetwork())
    if os.environ.get("PROJ_NETWORK", "").upper() in ("ON", "YES", "TRUE"):
        raise geodp.InputError(
            tr(
                "PROJ must not fetch grids for private points, because that tells where they lie; "
                "its network is on, and this GDAL cannot switch it off: start QGIS with "
                "PROJ_NETWORK=OFF."
            )
        )
    return False


class Offline:
    """From one CRS to another without the network, through GDAL, whose PROJ can be told so.

    QGIS has no switch for its own. Each point goes by itself: of several, GDAL chooses the
    operation by where they lie on average.
    """

    def __init__(self, source, target):
        self._ends = [osr.SpatialReference(), osr.SpatialReference()]
        for end, crs in zip(self._ends, (source, target)):
            end.ImportFromWkt(crs_wkt(crs))
            end.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)

    def __call__(self, xs, ys):
        moved = np.full((len(xs), 2), np.nan)
        raising = osr.GetUseExceptions()
        osr.DontUseExceptions()
        osr.SetPROJEnableNetwork(False)
        try:
            transform = osr.CoordinateTransformation(*self._ends)
            for number, (x, y) in enumerate(zip(xs, ys)):
                moved[number] = transform.TransformPoint(x, y)[:2]
        finally:
            osr.SetPROJEnableNetwork(True)
            if raising:
                osr.UseExceptions()
        moved[~np.isfinite(moved).all(axis=1)] = np.nan
        return moved[:, 0], moved[:, 1]


def _plain(value):
    """Return a value of a field as Python's; NULL is None."""
    if is_null(value):
        return None
    if isinstance(value, QDateTime):
        # Without a zone it is Qt's local time, whatever zone the machine is in: UTC, as everywhere.
        local = value.timeSpec() == Qt.TimeSpec.LocalTime
        value = value if local else value.toUTC()
        if not value.isValid():
            return None
        return value.toPyDateTime() if _in_python(value.date()) else _moment(value)
    if isinstance(value, QDate):
        if not value.isValid():
            return None
        return value.toPyDate() if _in_python(value) else _day(value)
    if isinstance(value, QTime):
        return value.toPyTime() if value.isValid() else None
    if isinstance(value, QByteArray):
        return bytes(value)
    if isinstance(value, QUuid):
        return None if value.isNull() else value.toString().strip("{}")
    return value


def _in_python(date):
    """Tell whether Python's calendar reaches that far; it raises where it does not."""
    return 1 <= date.year() <= 9999


def _day(date):
    """Return a day of any year, as NumPy's."""
    return np.datetime64(date.toJulianDay() - DAYS_BEFORE_1970, "D")


def _moment(value):
    return _day(value.date()) + np.timedelta64(value.time().msecsSinceStartOfDay(), "ms")


def _points(geometry, at_most):
    """Yield the first points of a geometry that may have several, and keep it alive meanwhile."""
    if geometry.type() == QgsWkbTypes.GeometryType.PointGeometry and not geometry.isEmpty():
        yield from islice(geometry.vertices(), at_most)
