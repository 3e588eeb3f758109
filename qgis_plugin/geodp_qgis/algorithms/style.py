# SPDX-License-Identifier: GPL-2.0-or-later
"""Style a release: colours and promise for files that came without them."""

from qgis.core import QgsProcessingAlgorithm, QgsProcessingOutputString

from ..messages import said
from ..styles.counts import dress
from ..translation import tr
from ..vectors import release_from_layer
from .base import GeodpAlgorithm
from .framing import release_parameter

INPUT = "INPUT"
PROMISE = "PROMISE"


class StyleRelease(GeodpAlgorithm):
    NAME = "style"
    HELP = "style.html"
    ICON = "style.svg"

    def flags(self):
        # It changes a layer of the project, which only the main thread may do.
        return super().flags() | QgsProcessingAlgorithm.Flag.FlagNoThreading

    def displayName(self):
        return tr("Style a private histogram")

    def tags(self):
        return tr("privacy,colours,legend,symbology,promise").split(",")

    def shortDescription(self):
        return tr("Gives a layer that geodp made elsewhere its colours and its promise.")

    def initAlgorithm(self, configuration=None):
        self.add(
            release_parameter(INPUT),
            tr("A GeoTIFF or GeoPackage of counts in this project, from wherever."),
        )
        self.addOutput(QgsProcessingOutputString(PROMISE, tr("Promise in one sentence")))

    def read(self, parameters, context):
        layer = self.parameterAsLayer(parameters, INPUT, context)
        return layer, release_from_layer(layer)

    def carry_out(self, request, parameters, context, feedback):
        layer, release = request
        dress(layer, release, context.project())
        layer.triggerRepaint()
        feedback.pushInfo(said(release.promise))
        feedback.pushInfo(said(release.counted))
        return {PROMISE: release.promise}
