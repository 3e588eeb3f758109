# SPDX-License-Identifier: GPL-2.0-or-later
"""Query a private histogram: how many records lie in each polygon, and how sure that is."""

from __future__ import annotations

from typing import Any, NamedTuple

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsProcessingUtils,
)

from ..adapters import Part, domain_crs, stop_if_cancelled
from ..compatibility import TEXT
from ..library import geodp, np
from ..messages import number, said
from ..regions import read_regions
from ..styles.answers import style_answers
from ..translation import tr
from ..vectors import (
    build_fields,
    described,
    feature,
    release_from_layer,
    shown_map_name,
    write_layer,
)
from .base import ADVANCED, GeodpAlgorithm
from .framing import add_release, check_regions
from .rates import Rates, add_grey, add_rates, read_grey, read_rates

INPUT = "INPUT"
REGIONS = "REGIONS"
OUTPUT = "OUTPUT"
DOUBLE = QgsProcessingParameterNumber.Type.Double

LEVEL = "LEVEL"
DENSITY = "DENSITY"
SKIP_INVALID = "SKIP_INVALID"


class Request(NamedTuple):
    """The parameters of one question, checked."""

    release: Any
    regions: Any
    level: float
    density: bool
    skip_invalid: bool
    shown: str | None
    rates: Rates | None
    grey: float


class Query(GeodpAlgorithm):
    NAME = "query"
    HELP = "query.html"
    ICON = "query.svg"

    def displayName(self):
        return tr("Query a private histogram")

    def tags(self):
        return tr("privacy,zonal statistics,estimate,confidence interval,sum,count").split(",")

    def shortDescription(self):
        return tr("Estimates the number of records in polygons from a release, with error bars.")

    def initAlgorithm(self, configuration=None):
        add_release(self, INPUT)
        self.add(
            QgsProcessingParameterFeatureSource(
                REGIONS, tr("Regions"), [QgsProcessing.SourceType.TypeVectorPolygon]
            ),
            tr("Polygons in any CRS. Outside the release's extent they have no answer."),
        )
        self.add(
            QgsProcessingParameterBoolean(DENSITY, tr("Also estimate records per km²"), False),
            tr("Adds the fields density, density_low and density_high."),
        )
        add_rates(self, REGIONS)
        add_grey(self, 0.5, ADVANCED)
        self.add(
            QgsProcessingParameterBoolean(
                SKIP_INVALID, tr("Answer the others where polygons are broken"), False
            ),
            tr("Otherwise a broken polygon is named, and nothing is answered."),
            ADVANCED,
        )
        self.add(
            QgsProcessingParameterNumber(
                LEVEL, tr("How often the intervals hold the true count"), DOUBLE, 0.95
            ),
            tr("Between 0 and 1."),
            ADVANCED,
        )
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT, tr("Answers"), QgsProcessing.SourceType.TypeVectorPolygon
            ),
            tr(
                "The regions with the fields estimate, std_error, noise_error, ci_low and ci_high "
                "(95 of 100 cases), border_share, covered and reliable."
            ),
        )

    def read(self, parameters, context):
        regions = self.parameterAsSource(parameters, REGIONS, context)
        check_regions(regions)
        level = self.parameterAsDouble(parameters, LEVEL, context)
        if not 0 < level < 1:
            raise geodp.InputError(
                tr("Intervals need a level between 0 and 1; got {:g}.").format(number(level))
            )
        layer = self.parameterAsLayer(parameters, INPUT, context)
        release = release_from_layer(layer)
        shown = shown_map_name(layer, release, context.project(), parameters.get(INPUT))
        return Request(
            release if shown is None else release[shown],
            regions,
            level,
            self.parameterAsBoolean(parameters, DENSITY, context),
            self.parameterAsBoolean(parameters, SKIP_INVALID, context),
            shown,
            read_rates(self, parameters, context, regions),
            read_grey(self, parameters, context),
        )

    def carry_out(self, request, parameters, context, feedback):
        release, regions = request.release, request.regions
        if request.shown is not None:
            feedback.pushInfo(
                tr("Asked of the map '{}' alone, which this layer of a group shows.").format(
                    request.shown
                )
            )
        tables, asked = self._answers(request, context, Part(feedback, 0, 50))
        stop_if_cancelled(feedback)
        columns = next(iter(tables.values()))
        added = build_fields(*([("group", TEXT)] if release.groups else []), *described(columns))
        fields = QgsProcessingUtils.combineFields(regions.fields(), added)

        def open_sink():
            kind, crs = regions.wkbType(), regions.sourceCrs()
            return self.parameterAsSink(parameters, OUTPUT, context, fields, kind, crs)

        # With groups, a row for each of them and each region, as the library has it.
        features = (
            feature(
                region.geometry(),
                [*region.attributes(), *([name] if release.groups else []), *map(_or_null, values)],
            )
            for region, rows in zip(
                asked.features, zip(*(zip(*t.values()) for t in tables.values()))
            )
            for name, values in zip(tables, rows)
        )
        total = len(asked.features)
        destination = write_layer(open_sink, features, total * len(tables), Part(feedback, 50, 100))
        style_answers(destination, tables, release, context, request.rates, request.grey)
        if asked.outside:
            feedback.pushInfo(
                tr("Outside the extent of the release, without an answer: {}.").format(
                    len(asked.outside)
                )
            )
        broken = total - len(asked.outside) - len(asked.rows)
        if broken:
            feedback.pushWarning(tr("Not valid, without an answer: {}.").format(broken))
        feedback.pushInfo(said(release.counted))
        feedback.pushInfo(
            tr(
                "The intervals hold the whole error: the noise, which is known, and that of "
                "taking records as evenly spread inside a cell, which is estimated from how "
                "uneven the cells are. Where border_share is near 1, the answer rests on that."
            )
        )
        feedback.pushInfo(tr("Asking costs no budget: only published counts were read."))
        return {OUTPUT: destination}

    def _answers(self, request, context, feedback):
        """Return columns of answers by group, one value for each region; and the regions."""
        release, domain = request.release, request.release.domain
        asked = read_regions(
            request.regions, domain, domain_crs(domain), context, feedback, request.skip_invalid
        )
        workload = geodp.Workload.from_regions(asked, domain) if asked.rows else None
        rows, outside = np.array(asked.rows, int), np.array(asked.outside, int)
        query = geodp.RegionQuery(workload, rows, len(asked.features), outside, inside=asked.inside)
        options = {"level": request.level, "density": request.density, "reliable": request.grey}
        if request.rates is not None:
            options["population"] = request.rates.population(asked.features)
            options["each"] = request.rates.each
        tables = {
            name: geodp.answer_columns(one, query, **options) for name, one in release.maps.items()
        }
        return tables, asked


def _or_null(value):
    """Return a value of a field; NULL for what is no number, or has no end."""
    if isinstance(value, np.bool_):
        return bool(value)
    return float(value) if np.isfinite(value) else None
