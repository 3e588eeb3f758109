# SPDX-License-Identifier: GPL-2.0-or-later
"""Plan a private histogram: what error to expect, before anything is spent."""

from html import escape

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..library import geodp
from ..messages import said
from ..rasters import whole_file
from ..regions import checked_workload, read_regions
from ..translation import tr
from .base import GeodpAlgorithm
from .framing import add_extent, add_sizes, open_polygons, read_frame, read_grids

REGIONS = "REGIONS"
EPSILONS = "EPSILONS"
EXPECTED = "EXPECTED"
EXPECTED_FIELD = "EXPECTED_FIELD"
MAX_RECORDS = "MAX_RECORDS"
OUTPUT_HTML = "OUTPUT_HTML"

PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head>
<body>
<h1>{title}</h1>
<pre>{text}</pre>
<p>{reading}</p>
</body></html>
"""


class Plan(GeodpAlgorithm):
    NAME = "plan"
    GROUP = "publish"
    HELP = "plan.html"
    ICON = "plan.svg"

    def displayName(self):
        return tr("Plan a private histogram")

    def tags(self):
        return tr("privacy,forecast,error,epsilon,budget,accuracy").split(",")

    def shortDescription(self):
        return tr("Says what error to expect, before anything is spent. Reads no points.")

    def initAlgorithm(self, configuration=None):
        double = QgsProcessingParameterNumber.Type.Double
        integer = QgsProcessingParameterNumber.Type.Integer
        add_extent(self)
        add_sizes(self)
        self.add(
            QgsProcessingParameterFeatureSource(
                REGIONS,
                tr("Regions that will be asked about"),
                [QgsProcessing.SourceType.TypeVectorPolygon],
                optional=True,
            ),
            tr("Polygons, public. Without them: 600 boxes from 1 % to 64 % of the area."),
        )
        self.add(
            QgsProcessingParameterString(EPSILONS, tr("Budgets to compare"), "0.1, 0.3, 1, 3"),
            tr("Values of ε, separated by commas."),
        )
        self.add(
            QgsProcessingParameterNumber(
                EXPECTED, tr("Records to expect in all, a guess"), double, optional=True
            ),
            tr(
                "A public guess of how many there will be, never a figure from the points. With it "
                "the whole error is foreseen, and which cells would suit; without it nothing is "
                "known of cells that are fine where records crowd."
            ),
        )
        self.add(
            QgsProcessingParameterField(
                EXPECTED_FIELD,
                tr("…or a field of the regions with such guesses"),
                parentLayerParameterName=REGIONS,
                type=QgsProcessingParameterField.DataType.Numeric,
                optional=True,
            ),
            tr("Records to expect in each region, for example in proportion to its population."),
        )
        self.add(
            QgsProcessingParameterNumber(
                MAX_RECORDS, tr("Most records of each person to count"), integer, optional=True
            ),
            tr("If people shall be protected: the noise grows with this number."),
        )
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML, tr("Errors to expect"), tr("HTML files (*.html)")
            ),
            tr("A page, to which the Results Viewer links under this name."),
        )

    def read(self, parameters, context):
        crs, domain = read_frame(self, parameters, context)
        regions = open_polygons(self, parameters, REGIONS, context)
        grids = read_grids(self, parameters, context, domain)
        expected = self.read_expected(parameters, context, regions)
        cells = [geodp.Adaptive(), geodp.Regular(grids)]
        arguments = {"cells": cells, **self.read_budgets(parameters, context)}
        return crs, domain, regions, expected, arguments

    def read_budgets(self, parameters, context):
        """Return what to compare, and what is protected, in the library's words."""
        most = None
        if parameters.get(MAX_RECORDS) is not None:
            most = self.parameterAsInt(parameters, MAX_RECORDS, context)
        text = self.parameterAsString(parameters, EPSILONS, context)
        return {
            "epsilons": [geodp.Budget(word) for word in text.replace(",", " ").split()],
            # Persons and features of as many records get the same noise.
            "protect": geodp.Record() if most is None else geodp.Person("any", most),
        }

    def read_expected(self, parameters, context, regions):
        """Read a number of records, the name of a field, or None."""
        field = self.parameterAsString(parameters, EXPECTED_FIELD, context)
        if field and parameters.get(EXPECTED) is not None:
            raise geodp.InputError(
                tr("Give the records to expect in all or a field of them, not both.")
            )
        if field:
            if regions is None or regions.fields().indexOf(field) < 0:
                raise geodp.InputError(
                    tr(
                        "The field of guesses must be one of the regions'; there is no '{}'."
                    ).format(field)
                )
            return field
        if parameters.get(EXPECTED) is None:
            return None
        return self.parameterAsDouble(parameters, EXPECTED, context)

    def carry_out(self, request, parameters, context, feedback):
        forecast = foresee(*request, context, feedback)
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        with whole_file(path) as draft:
            draft.write_text(page(forecast), encoding="utf-8")
        for line in lines(forecast)[1 + len(forecast.outlooks) :]:
            feedback.pushInfo(line)
        feedback.pushInfo(tr("No points were read and no budget was spent."))
        return {OUTPUT_HTML: path}


def foresee(crs, domain, regions, expected, arguments, context, feedback):
    """Foresee errors for a layer of regions, or for none."""
    asked = None
    if regions is not None:
        feedback.setProgressText(tr("reading the regions"))
        read = read_regions(regions, domain, crs, context, feedback)
        asked = checked_workload(read, domain)
        if isinstance(expected, str):
            expected = [_number(feature.attribute(expected)) for feature in read.features]
    return geodp.forecast(domain, asked, expected=expected, **arguments)


def lines(forecast):
    """Write a forecast as text: the table, and sentences about it in QGIS's language."""
    return [said(line) for line in forecast.as_text().splitlines()]


def page(forecast):
    """Write a forecast as HTML."""
    return PAGE.format(
        title=escape(tr("Errors to expect")),
        text=escape("\n".join(lines(forecast))),
        reading=escape(tr("No points were read and no budget was spent.")),
    )


def _number(value):
    return float(value) if isinstance(value, (int, float)) else float("nan")
