"""Query a private histogram: how many records lie in each polygon, and how sure that is."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingUtils,
)

from ..adapters import Part, crs_of, region_workload, stop_if_cancelled
from ..compatibility import REAL
from ..translation import tr
from ..vectors import feature, fields_of, release_of_layer, write_layer
from .base import GeodpAlgorithm
from .framing import check_regions, release_parameter

INPUT = "INPUT"
REGIONS = "REGIONS"
OUTPUT = "OUTPUT"

ANSWERS = (
    "estimate", "std_error", "noise_error", "ci_low", "ci_high", "border_share", "covered",
)  # fmt: skip


class Query(GeodpAlgorithm):
    NAME = "query"
    HELP = "query.html"
    ICON = "query.svg"

    def displayName(self):
        return tr("Query a private histogram")

    def group(self):
        return tr("Use a release")

    def groupId(self):
        return "use"

    def tags(self):
        return tr("privacy,zonal statistics,estimate,confidence interval,sum,count").split(",")

    def shortDescription(self):
        return tr("Estimates the number of records in polygons from a release, with error bars.")

    def initAlgorithm(self, configuration=None):
        self.add(
            release_parameter(INPUT),
            tr(
                "A GeoTIFF or GeoPackage of counts that geodp wrote, from QGIS, Python or the "
                "command line."
            ),
        )
        self.add(
            QgsProcessingParameterFeatureSource(
                REGIONS, tr("Regions"), [QgsProcessing.SourceType.TypeVectorPolygon]
            ),
            tr("Polygons in any CRS; each must overlap the release's extent."),
        )
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT, tr("Answers"), QgsProcessing.SourceType.TypeVectorPolygon
            ),
            tr(
                "The regions with the fields estimate, std_error, noise_error, ci_low and ci_high "
                "(95 %), border_share and covered."
            ),
        )

    def read(self, parameters, context):
        regions = self.parameterAsSource(parameters, REGIONS, context)
        check_regions(regions)
        layer = self.parameterAsLayer(parameters, INPUT, context)
        return release_of_layer(layer), regions

    def carry_out(self, request, parameters, context, feedback):
        release, regions = request
        domain, kept = release.domain, []
        workload = region_workload(
            regions, domain, crs_of(domain), context, Part(feedback, 0, 50), keep=kept
        )
        answers = release.query(workload)
        stop_if_cancelled(feedback)
        fields = QgsProcessingUtils.combineFields(
            regions.fields(), fields_of(*((name, REAL) for name in ANSWERS))
        )

        def open_sink():
            kind, crs = regions.wkbType(), regions.sourceCrs()
            return self.parameterAsSink(parameters, OUTPUT, context, fields, kind, crs)

        made = (
            feature(region.geometry(), [*region.attributes(), *map(float, values)])
            for region, values in zip(kept, zip(*answers))
        )
        destination = write_layer(open_sink, made, len(kept), Part(feedback, 50, 100))
        feedback.pushInfo(release.counted)
        feedback.pushInfo(
            tr(
                "The 95 % intervals hold the whole error: the noise, which is known, and that of "
                "taking records as evenly spread inside a cell, which is estimated from how "
                "uneven the cells are. Where border_share is near 1, the answer rests on that."
            )
        )
        feedback.pushInfo(tr("Asking costs no budget: only published counts were read."))
        return {OUTPUT: destination}
