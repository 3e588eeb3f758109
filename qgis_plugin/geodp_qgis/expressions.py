# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions for QGIS's expressions, so that labels and atlases can use answers of a release.

``geodp_estimate('layer', $geometry)`` is how many records a polygon holds, ``geodp_low`` and
``geodp_high`` are the ends of the interval that holds the true number in 95 of 100 cases. Asking
costs nothing: published counts alone are read.
"""

from functools import lru_cache
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsExpressionFunction,
    QgsGeometry,
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
)

from .adapters import domain_crs
from .algorithms.base import sentence
from .library import geodp
from .regions import read_regions
from .translation import tr
from .vectors import feature, release_from_layer, shown_map_name

GROUP = "geodp"
RELEASES, ANSWERS = 8, 4096
"""Releases and answers that are kept: a label is worked out again with every repaint."""


class OneRegion:
    """One polygon in the place of a layer of regions."""

    def __init__(self, geometry, crs):
        self._geometry, self._crs = geometry, crs

    def sourceCrs(self):
        return self._crs

    def featureCount(self):
        return 1

    def getFeatures(self, *_request):
        return iter([feature(self._geometry, [])])


def layer_named(given, project):
    """Find the layer of the project that a function was given: itself, its id, or its name."""
    if isinstance(given, QgsMapLayer):
        return given
    layer = project.mapLayer(str(given)) or next(iter(project.mapLayersByName(str(given))), None)
    if layer is None:
        raise geodp.InputError(tr("There is no layer '{}' in this project.").format(given))
    return layer


@lru_cache(maxsize=RELEASES)
def _release(name, _source, _changed):
    return release_from_layer(QgsProject.instance().mapLayer(name))


def release_key(layer):
    """Return what a release is kept under: read once as long as its file stays the same."""
    path = Path(layer.source().partition("|")[0])
    return layer.id(), layer.source(), path.stat().st_mtime_ns if path.is_file() else 0


@lru_cache(maxsize=ANSWERS)
def _answer(key, shown, wkb, crs):
    geometry = QgsGeometry()
    geometry.fromWkb(wkb)
    release = _release(*key)
    one = release if shown is None else release[shown]
    context = QgsProcessingContext()
    context.setTransformContext(QgsProject.instance().transformContext())
    system = QgsCoordinateReferenceSystem(crs) if crs else domain_crs(one.domain)
    asked = read_regions(
        OneRegion(geometry, system),
        one.domain,
        domain_crs(one.domain),
        context,
        QgsProcessingFeedback(),
    )
    if not asked.rows:
        return None  # outside
    answers = (one.total if one.groups else one).query(
        geodp.Workload.from_regions(asked, one.domain)
    )
    return tuple(float(column[0]) for column in (answers.estimate, answers.ci_low, answers.ci_high))


def answered(place, values, context):
    """Return one of estimate, low and high; None for no geometry, and outside of the extent."""
    layer, geometry, *others = values
    if not isinstance(geometry, QgsGeometry) or geometry.isNull():
        return None
    project = QgsProject.instance()
    layer = layer_named(layer, project)
    key = release_key(layer)
    shown = shown_map_name(layer, _release(*key), project)
    crs = str(others[0]) if others and others[0] else _feature_crs(context, project)
    answer = _answer(key, shown, bytes(geometry.asWkb()), crs)
    return None if answer is None else answer[place]


def _feature_crs(context, project):
    """Return the CRS of the layer whose features are looked at; empty where there is none."""
    layer = project.mapLayer(str(context.variable("layer_id") or "")) if context else None
    return "" if layer is None else layer.crs().authid()


class Answered(QgsExpressionFunction):
    """One of the functions."""

    def __init__(self, name, place, text):
        super().__init__(name, -1, GROUP, text)
        self._place = place

    def func(self, values, context, parent, _node=None):
        try:
            if len(values) not in (2, 3):
                raise geodp.InputError(
                    tr("A layer and a geometry are needed, and a CRS if it is not the layer's.")
                )
            return answered(self._place, values, context)
        except geodp.GeodpError as error:
            parent.setEvalErrorString(sentence(error))
            return None


def functions():
    """Make the three functions."""
    words = tr(
        "<h3>{}(layer, geometry)</h3><p>{}, from a private histogram in this project (its name or "
        "id) and a polygon in the CRS of the current layer; a third argument may be another "
        "CRS, such as 'EPSG:4326'. NULL outside the extent of the release. Costs no budget.</p>"
    )
    described = (
        ("geodp_estimate", tr("Estimated number of records in a polygon")),
        ("geodp_low", tr("Lower end of the interval that holds it in 95 of 100 cases")),
        ("geodp_high", tr("Upper end of the interval that holds it in 95 of 100 cases")),
    )
    return [
        Answered(name, place, words.format(name, text))
        for place, (name, text) in enumerate(described)
    ]


def register():
    """Make the functions known to QGIS; what must be kept alive, and given back."""
    registered = functions()
    for function in registered:
        QgsExpression.registerFunction(function)
    return registered


def unregister(registered):
    for function in registered:
        QgsExpression.unregisterFunction(function.name())
    _release.cache_clear()
    _answer.cache_clear()
