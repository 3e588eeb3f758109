# SPDX-License-Identifier: GPL-2.0-or-later
"""Density or clamped counts: maps that are derived from a release, to look at."""

from qgis.core import QgsProcessingParameterEnum, QgsProcessingParameterRasterDestination

from ..adapters import domain_crs, stop_if_cancelled
from ..library import geodp
from ..messages import said
from ..rasters import check_destinations, check_path, whole_file, write_view
from ..styles.counts import style_counts
from ..translation import tr
from ..vectors import release_from_layer
from .base import GeodpAlgorithm
from .framing import add_release

INPUT = "INPUT"
VIEW = "VIEW"
OUTPUT_RASTER = "OUTPUT_RASTER"

VIEWS = ("density", "clamped")


class DerivedView(GeodpAlgorithm):
    NAME = "view"
    HELP = "view.html"
    ICON = "view.svg"

    def displayName(self):
        return tr("Density or clamped counts")

    def tags(self):
        return tr("privacy,density,per km²,clamped,negative,view,readers").split(",")

    def shortDescription(self):
        return tr(
            "Turns a private histogram into records per km², or counts without negatives, to look "
            "at."
        )

    def initAlgorithm(self, configuration=None):
        add_release(self, INPUT)
        self.add(
            QgsProcessingParameterEnum(
                VIEW,
                tr("Show"),
                [
                    tr("Density: records per km²"),
                    tr("Clamped: counts, negative ones set to 0"),
                ],
                defaultValue=0,
            ),
            tr(
                "Density compares cells of unequal size. Clamped counts are for pictures alone: "
                "their sums are too high."
            ),
        )
        self.add(
            QgsProcessingParameterRasterDestination(OUTPUT_RASTER, tr("Density or clamped counts")),
            tr(
                "A GeoTIFF that says what was done, with a band for each map of the release. It "
                "is no release."
            ),
        )

    def read(self, parameters, context):
        check_destinations(parameters.get(OUTPUT_RASTER), None)
        release = release_from_layer(self.parameterAsLayer(parameters, INPUT, context))
        view = VIEWS[self.parameterAsEnum(parameters, VIEW, context)]
        geodp.view_legend(release, view)  # degrees have no density
        return release, view

    def carry_out(self, request, parameters, context, feedback):
        release, view = request
        raster = self.parameterAsOutputLayer(parameters, OUTPUT_RASTER, context)
        check_path(raster)
        with whole_file(raster) as draft:
            write_view(draft, release, view, domain_crs(release.domain))
            stop_if_cancelled(feedback)
        feedback.pushInfo(said(geodp.VIEWS[view].done))
        feedback.pushInfo(said(release.promise))
        feedback.pushInfo(said(release.counted))
        style_counts([raster], release, context, view)
        return {OUTPUT_RASTER: raster}
