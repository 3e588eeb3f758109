# SPDX-License-Identifier: GPL-2.0-or-later
"""Change between two maps: one release subtracted from a later one, with the error of that."""

from typing import Any, NamedTuple

from qgis.core import (
    QgsProcessing,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterString,
    QgsVectorLayer,
    QgsWkbTypes,
)

from ..adapters import domain_crs, stop_if_cancelled
from ..library import geodp
from ..messages import said
from ..rasters import check_destinations, check_path, whole_file, write_difference
from ..styles.changes import style_change
from ..translation import tr
from ..vectors import (
    boxes,
    build_fields,
    described,
    feature,
    keep_difference,
    release_from_layer,
    shown_map_name,
    write_layer,
)
from .base import GeodpAlgorithm
from .framing import release_parameter

EARLIER = "EARLIER"
FROM = "FROM"
LATER = "LATER"
TO = "TO"
OUTPUT_RASTER = "OUTPUT_RASTER"
OUTPUT_VECTOR = "OUTPUT_VECTOR"


class Request(NamedTuple):
    """The change that was asked for, and the layer that has the outlines of its cells."""

    change: Any
    layer: Any


class Change(GeodpAlgorithm):
    NAME = "change"
    HELP = "change.html"
    ICON = "change.svg"

    def displayName(self):
        return tr("Change between two maps")

    def tags(self):
        return tr("privacy,difference,subtract,before,after,trend").split(",")

    def shortDescription(self):
        return tr("Subtracts an earlier private histogram from a later one, with error bars.")

    def initAlgorithm(self, configuration=None):
        self.add(
            release_parameter(EARLIER, tr("Earlier private histogram")),
            tr("A GeoTIFF or GeoPackage of counts that geodp wrote."),
        )
        self.add(
            QgsProcessingParameterString(FROM, tr("…of which the map named"), optional=True),
            tr("Where it has several maps, such as 2024; empty: all of them added up."),
        )
        self.add(
            release_parameter(LATER, tr("Later private histogram")),
            tr("Another one with the same extent and CRS; or the same, for two of its maps."),
        )
        self.add(
            QgsProcessingParameterString(TO, tr("…of which the map named"), optional=True),
            tr("Where it has several maps, such as 2025; empty: all of them added up."),
        )
        self.add(
            QgsProcessingParameterRasterDestination(OUTPUT_RASTER, tr("Change"), optional=True),
            tr(
                "A GeoTIFF with the change in band 1 and its standard error in band 2. It is no "
                "release. Of districts and hexagons, there is the change as cells instead."
            ),
        )
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT_VECTOR,
                tr("Change as cells"),
                QgsProcessing.SourceType.TypeVectorPolygon,
                optional=True,
                createByDefault=False,
            ),
            tr(
                "The same, one polygon per cell, in the fields difference, std_error and z_score "
                "(their ratio)."
            ),
        )

    def read(self, parameters, context):
        check_destinations(parameters.get(OUTPUT_RASTER), parameters.get(OUTPUT_VECTOR))
        layers = [self.parameterAsLayer(parameters, name, context) for name in (EARLIER, LATER)]
        earlier = release_from_layer(layers[0])
        # Two maps of one release must know that they are: one ε bought both.
        same = layers[1] is not None and layers[0].source() == layers[1].source()
        later = earlier if same else release_from_layer(layers[1])
        sides = (
            (later, layers[1], parameters.get(LATER), TO),
            (earlier, layers[0], parameters.get(EARLIER), FROM),
        )
        to, since = (
            one_map(
                release,
                self.parameterAsString(parameters, name, context).strip()
                or shown_map_name(layer, release, context.project(), given),
            )
            for release, layer, given, name in sides
        )
        return Request(to - since, layers[1])

    def carry_out(self, request, parameters, context, feedback):
        change, results = request.change, {}
        parameters = outputs(parameters, change)
        if parameters.get(OUTPUT_RASTER):
            raster = self.parameterAsOutputLayer(parameters, OUTPUT_RASTER, context)
            check_path(raster)
            with whole_file(raster) as draft:
                write_difference(draft, change, domain_crs(change.domain))
                stop_if_cancelled(feedback)
                if parameters.get(OUTPUT_VECTOR):
                    written = self._write_cells(request, parameters, context, feedback)
                    results[OUTPUT_VECTOR] = written
            results[OUTPUT_RASTER] = raster
        else:
            results[OUTPUT_VECTOR] = self._write_cells(request, parameters, context, feedback)
        feedback.pushInfo(said(change.promise))
        feedback.pushInfo(said(change.counted))
        feedback.pushInfo(tr("Asking costs no budget: only published counts were read."))
        style_change(results.values(), change, context)
        return results

    def _write_cells(self, request, parameters, context, feedback):
        change = request.change
        values = {**geodp.cell_columns(change.cells), **change.columns()}
        fields, crs = build_fields(*described(values)), domain_crs(change.domain)

        def open_sink():
            kind = QgsWkbTypes.Type.MultiPolygon if outlined else QgsWkbTypes.Type.Polygon
            return self.parameterAsSink(parameters, OUTPUT_VECTOR, context, fields, kind, crs)

        outlined = change.cells.polygons is not None
        rows = outlines(request.layer, values) if outlined else boxes(values)
        features = (feature(*row) for row in rows)
        written = write_layer(open_sink, features, len(change.cells), feedback)
        keep_difference(written, change)
        return written


def outputs(parameters, change):
    """Return parameters with an output that holds the cells: polygons are in no raster."""
    raster, vector = parameters.get(OUTPUT_RASTER), parameters.get(OUTPUT_VECTOR)
    if change.cells.polygons is not None and raster:
        is_layer = isinstance(raster, QgsProcessingOutputLayerDefinition)
        path = raster.sink.staticValue() if is_layer else raster
        if path != QgsProcessing.TEMPORARY_OUTPUT:
            return parameters  # which is refused: nothing else may be written there
        raster, vector = None, vector or raster
    if not (raster or vector):
        raise geodp.InputError(tr("Say where the change shall be written."))
    return {**parameters, OUTPUT_RASTER: raster, OUTPUT_VECTOR: vector}


def outlines(layer, columns):
    """Return shape and attributes of each polygon; a release has them in the order of its cells."""
    unfiltered = QgsVectorLayer(layer.source().partition("|subset=")[0], layer.name(), "ogr")
    shapes = [feature.geometry() for feature in unfiltered.getFeatures()]
    rows = zip(*(values.tolist() for values in columns.values()))
    return [(shape, list(row)) for shape, row in zip(shapes, rows)]


def one_map(release, name):
    """Return the release of one group, or of all together."""
    if not name:
        return release.total
    if not release.groups:
        raise geodp.InputError(
            tr("'{}' names one of several maps, and that private histogram has but one.").format(
                name
            )
        )
    return release[name]
