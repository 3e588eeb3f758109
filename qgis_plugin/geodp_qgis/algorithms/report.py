# SPDX-License-Identifier: GPL-2.0-or-later
"""Report page: one page that explains a release to whoever receives it."""

from __future__ import annotations

from typing import Any, NamedTuple

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFileDestination,
)

from ..adapters import Part, domain_crs, stop_if_cancelled
from ..compatibility import TEXT, is_null
from ..library import geodp, np
from ..messages import page_language, said
from ..rasters import check_folder, named_file, whole_file
from ..regions import read_regions, region_outlines
from ..translation import tr
from ..vectors import release_from_layer
from .base import GeodpAlgorithm
from .framing import add_release, open_polygons
from .rates import add_grey, read_grey

INPUT = "INPUT"
REGIONS = "REGIONS"
OUTPUT_HTML = "OUTPUT_HTML"


class Request(NamedTuple):
    """The parameters of one page, checked."""

    release: Any
    regions: Any
    grey: float | None


class Report(GeodpAlgorithm):
    NAME = "report"
    HELP = "report.html"
    ICON = "report.svg"

    def displayName(self):
        return tr("Report page")

    def tags(self):
        return tr("privacy,page,html,publish,share,explain,print").split(",")

    def shortDescription(self):
        return tr("Explains a private histogram on one page, for whoever receives the map.")

    def initAlgorithm(self, configuration=None):
        add_release(self, INPUT)
        self.add(
            QgsProcessingParameterFeatureSource(
                REGIONS,
                tr("Regions to list (public)"),
                [QgsProcessing.SourceType.TypeVectorPolygon],
                optional=True,
            ),
            tr("Polygons in any CRS. The page lists and draws how many records are in each."),
        )
        add_grey(self)
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML, tr("Report page"), tr("HTML files (*.html)")
            ),
            tr("A page that stands alone, to which the Results Viewer links under this name."),
        )

    def read(self, parameters, context):
        check_page(parameters)
        regions = open_polygons(self, parameters, REGIONS, context)
        release = release_from_layer(self.parameterAsLayer(parameters, INPUT, context))
        return Request(release, regions, read_grey(self, parameters, context))

    def carry_out(self, request, parameters, context, feedback):
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        release = request.release
        write_page(path, release, request.regions, context, feedback, request.grey)
        feedback.pushInfo(said(release.promise))
        feedback.pushInfo(said(release.counted))
        feedback.pushInfo(tr("Asking costs no budget: only published counts were read."))
        return {OUTPUT_HTML: path}


def check_page(parameters):
    """Refuse a page early where it cannot be written."""
    if path := named_file(parameters.get(OUTPUT_HTML)):
        check_folder(path)


def write_page(path, release, regions, context, feedback, grey=None):
    """Write the page of a release, whole or not at all."""
    with whole_file(path) as draft:
        text = page_text(release, regions, context, feedback, grey)
        stop_if_cancelled(feedback)
        draft.write_text(text, encoding="utf-8")


def page_text(release, regions, context, feedback, grey=None):
    """Write the page of a release, with a layer of regions or None."""
    listed = None
    if regions is not None:
        feedback.setProgressText(tr("reading the regions"))
        domain = release.domain
        read = read_regions(regions, domain, domain_crs(domain), context, Part(feedback, 0, 40))
        listed = listed_regions(release, read, regions.fields())
    feedback.setProgressText(tr("drawing"))
    part = Part(feedback, 0 if regions is None else 40, 100)

    def drawn(percent):
        stop_if_cancelled(part)
        part.setProgress(percent)

    language = page_language()
    return geodp.report_page(release, listed, grey=grey, language=language, progress=drawn)


def listed_regions(release, read, fields):
    """List regions as the page has them, with what is known of each."""
    count = len(read.features)
    workload = geodp.Workload.from_regions(read, release.domain) if read.rows else None
    rows, outside = np.array(read.rows, int), np.array(read.outside, int)
    asked = geodp.RegionQuery(workload, rows, count, outside)
    column = geodp.naming([field.name() for field in fields if field.type() == TEXT])
    names = None
    if column is not None:
        values = [feature[column] for feature in read.features]
        names = [None if is_null(value) else value for value in values]
    rings = region_outlines(read, release.domain, release.domain.width / geodp.DETAIL)
    return geodp.list_regions(geodp.shown_groups(release), asked, names, rings)
