# SPDX-License-Identifier: GPL-2.0-or-later
"""Private counts for districts: points in, one count for each polygon of a public layer out."""

from __future__ import annotations

from typing import Any, NamedTuple

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
)

from ..adapters import Part
from ..compatibility import chosen_fields
from ..districts import read_districts
from ..library import geodp
from ..translation import tr
from .base import ADVANCED
from .framing import add_within, narrowed, open_polygons, open_within
from .private_polygons import PolygonRelease, Polygons
from .rates import add_rates, read_rates

DISTRICTS = "DISTRICTS"
NAME_FIELD = "NAME_FIELD"
LEVELS = "LEVELS"


class Where(NamedTuple):
    """The layer of districts, and which of its fields say what."""

    layer: Any
    name: str | None
    levels: list
    within: Any


class PrivateDistricts(PolygonRelease):
    NAME = "privatedistricts"
    HELP = "private_districts.html"
    ICON = "districts.svg"
    PLACE = DISTRICTS

    def displayName(self):
        return tr("Private counts for districts")

    def tags(self):
        return tr(
            "privacy,differential privacy,dp,anonymize,districts,polygons,count,choropleth"
        ).split(",")

    def shortDescription(self):
        return tr("Counts points in public polygons and adds noise that protects each one.")

    def output_name(self):
        return tr("Private counts of districts")

    def output_help(self):
        return tr(
            "The districts with 'count', its standard error and the limits of an interval that "
            "holds the true count 19 times of 20. A GeoPackage keeps style and promise, and "
            "opens as a release again."
        )

    def mistakes(self):
        return tr(
            "ε above 10 and districts of a few metres are refused. Tick it if they are meant."
        )

    def add_where(self):
        self.add(
            QgsProcessingParameterFeatureSource(
                DISTRICTS, tr("Districts (public)"), [QgsProcessing.SourceType.TypeVectorPolygon]
            ),
            tr(
                "Polygons that do not overlap, known to everybody, in any CRS: each gets one "
                "count. Points in none of them are not counted."
            ),
        )
        self.add(
            QgsProcessingParameterField(
                NAME_FIELD,
                tr("Field that names the districts"),
                parentLayerParameterName=DISTRICTS,
                optional=True,
            ),
            tr("Empty: the first field with another text in every district."),
        )
        add_rates(self, DISTRICTS)

    def add_further(self):
        self.add(
            QgsProcessingParameterField(
                LEVELS,
                tr("Fields of larger units, from the largest down to the districts"),
                parentLayerParameterName=DISTRICTS,
                allowMultiple=True,
                optional=True,
            ),
            tr(
                "For districts in larger units, such as state and county, in this order: large "
                "units get counts of their own where that pays, and counts of all levels agree. "
                "The last field names the districts, and 'Field that names the districts' stays "
                "empty."
            ),
            ADVANCED,
        )
        add_within(self, ADVANCED)

    def read_where(self, parameters, context, source, options):
        districts = open_polygons(self, parameters, DISTRICTS, context)
        name = self.parameterAsString(parameters, NAME_FIELD, context) or None
        levels = chosen_fields(self, parameters, LEVELS, context)
        if name is not None and levels:
            raise geodp.InputError(
                tr("Levels end with the districts: empty 'Field that names the districts'.")
            )
        options["rates"] = read_rates(self, parameters, context, districts)
        within = open_within(self, parameters, context)
        return Where(districts, name, levels, within), districts.sourceCrs()

    def not_counted(self):
        return tr(
            "Points in no district are not counted; how many there are is private and is not told."
        )

    def read_polygons(self, request, context, feedback):
        feedback.setProgressText(tr("reading the districts"))
        *layer, within = request.where
        districts = read_districts(*layer, Part(feedback, 0, 15), request.look.rates)
        cells, shapes, population = districts
        domain = narrowed(cells.domain, within, request.crs, context, feedback)
        kind = geodp.Districts(cells, within=domain.within)
        return Polygons(kind, None, shapes, population)

    def report_regions(self, request):
        return request.where.layer
