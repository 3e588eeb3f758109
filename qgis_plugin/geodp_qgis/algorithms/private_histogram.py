# SPDX-License-Identifier: GPL-2.0-or-later
"""Private histogram: points in, a grid of counts out that may be published."""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingOutputNumber,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterString,
    QgsWkbTypes,
)

from ..adapters import Part, stop_if_cancelled
from ..library import geodp
from ..points import LayerSource
from ..rasters import (
    check_crs,
    check_destinations,
    check_path,
    whole_file,
    write_release,
)
from ..regions import region_workload
from ..styles.counts import style_counts
from ..translation import tr
from ..vectors import boxes, build_fields, described, feature, keep_release, write_layer
from .amounts import add_amount, read_amount
from .base import ADVANCED, sentence
from .framing import (
    CELL_SIZES,
    SIZES,
    add_extent,
    add_sizes,
    open_polygons,
    read_frame,
    read_grids,
)
from .groups import add_groups
from .people import add_people
from .private_points import check_extent
from .publishing import add_words
from .releasing import EPSILON, EXTENT_IS_PUBLIC, ReleaseAlgorithm
from .report import OUTPUT_HTML, check_page
from .spending import Book, add_ledger, report, tell_spent, warn_of_spend

CELLS = "CELLS"
REGIONS = "REGIONS"
RESOLUTION = "RESOLUTION"
TUNING_SHARE = "TUNING_SHARE"
TUNER = "TUNER"
OUTPUT_RASTER = "OUTPUT_RASTER"
OUTPUT_VECTOR = "OUTPUT_VECTOR"
ROWS = "ROWS"
COLUMNS = "COLUMNS"

TUNERS = ("influence", "e2epriv")
KINDS = ("regular", "adaptive")
OPTIONS = {
    "adaptive": {"resolution": RESOLUTION},
    "regular": {
        "sizes": SIZES,
        "cell_sizes": CELL_SIZES,
        "workload": REGIONS,
        "tuner": TUNER,
        "tuning_share": TUNING_SHARE,
    },
}
"""What is for which kind of cells, by the library's names."""


@dataclass
class Run:
    """The parameters of one run, checked."""

    source: QgsProcessingFeatureSource
    protected: str
    crs: Any
    domain: Any
    cells: Any
    regions: Any
    book: Book | None
    words: dict
    options: dict


class PrivateHistogram(ReleaseAlgorithm):
    NAME = "privatehistogram"
    HELP = "private_histogram.html"
    RESULT = OUTPUT_RASTER

    def displayName(self):
        return tr("Private histogram")

    def tags(self):
        return tr("privacy,differential privacy,dp,anonymize,grid,density,heatmap,count").split(",")

    def shortDescription(self):
        return tr("Counts points on a privately chosen grid and adds noise that protects each one.")

    def initAlgorithm(self, configuration=None):
        double = QgsProcessingParameterNumber.Type.Double
        self.add_points()
        add_extent(self, self.add_public)
        self.add_epsilon()
        add_people(self)
        add_groups(self)
        self.add(
            QgsProcessingParameterEnum(
                CELLS,
                tr("Cells"),
                [tr("One regular grid, its size chosen privately"), tr("Fine where records crowd")],
                defaultValue=1,
            ),
            tr(
                "Cells that are fine where records crowd and coarse where there are few are "
                "several times as accurate where records are uneven, as people are. One grid is "
                "easy to read and can be chosen for your regions: its regions, sizes and tuner "
                "below are for it alone."
            ),
        )
        self.add(
            QgsProcessingParameterFeatureSource(
                REGIONS,
                tr("Regions that should come out well (public)"),
                [QgsProcessing.SourceType.TypeVectorPolygon],
                optional=True,
            ),
            tr(
                "Polygons whose counts matter, such as districts: the cell size is chosen for "
                "them. Without it: 600 boxes from 1 % to 64 % of the area."
            ),
        )
        add_sizes(self, ADVANCED)  # for one grid alone
        self.add(
            QgsProcessingParameterString(
                RESOLUTION, tr("Smallest cells that make sense, such as 100m"), optional=True
            ),
            tr(
                "For cells that are fine where records crowd: no side is shorter. A number in "
                "units of the CRS, or a length such as 100m. Empty: they may be halved eleven "
                "times."
            ),
            ADVANCED,
        )
        self.add(
            QgsProcessingParameterEnum(TUNER, tr("Tuner"), list(TUNERS), defaultValue=0),
            tr("How the cell size is chosen: geodp's own bound, or that of the E2EPriv paper."),
            ADVANCED,
        )
        self.add(
            QgsProcessingParameterNumber(
                TUNING_SHARE, tr("Share of ε for choosing the cell size"), double, optional=True
            ),
            tr("Between 0 and 1. Not set: 0.1, or 0.2 for e2epriv. The rest goes to the counts."),
            ADVANCED,
        )
        add_amount(self)
        add_ledger(self)
        add_words(self)
        self.add_mistakes(
            tr(
                "An extent of degrees in a CRS of metres, one of a few metres, ε above 10 and "
                "cells that drown in noise are refused, because what is spent on them is lost. "
                "Tick it if they are meant."
            )
        )
        self.add(
            QgsProcessingParameterRasterDestination(OUTPUT_RASTER, tr("Private counts")),
            tr("A GeoTIFF of signed counts that carries its own promise: see 'About …'."),
        )
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT_VECTOR,
                tr("Private counts as cells"),
                QgsProcessing.SourceType.TypeVectorPolygon,
                optional=True,
                createByDefault=False,
            ),
            tr(
                "The same counts, one polygon per cell, in the field 'count', or with several maps "
                "in count_theft and so on. A GeoPackage keeps style and promise, and opens as a "
                "release again."
            ),
        )
        self.addOutput(QgsProcessingOutputNumber(ROWS, tr("Rows of the raster")))
        self.addOutput(QgsProcessingOutputNumber(COLUMNS, tr("Columns of the raster")))
        self.add_page()

    # --- reading the parameters -------------------------------------------------------------

    def read_given(self, parameters, context):
        points = self.read_points(parameters, context)
        options = self.read_numbers(parameters, context)
        self._check_share(parameters, context, options["epsilon"])
        crs, domain = read_frame(self, parameters, context)
        cells = self._cells(parameters, context, domain)
        check_crs(crs)
        if options["seed"] is None:
            geodp.check_domain(domain, force=options["force"])
        if not self.parameterAsBoolean(parameters, EXTENT_IS_PUBLIC, context):
            check_extent(self, parameters, context, points[0], crs)
        regions = open_polygons(self, parameters, REGIONS, context)
        check_destinations(parameters.get(OUTPUT_RASTER), parameters.get(OUTPUT_VECTOR))
        check_page(parameters)
        protected, book, words = self.read_rest(parameters, context, points, options)
        options["amount"] = read_amount(self, parameters, context, points[0])
        return Run(points[0], protected, crs, domain, cells, regions, book, words, options)

    def _check_share(self, parameters, context, budget):
        """Refuse a part of ε that is none; the library's own types check it."""
        if parameters.get(TUNING_SHARE) is not None:
            budget.split(self.parameterAsDouble(parameters, TUNING_SHARE, context))

    def _cells(self, parameters, context, domain):
        """Return the kind of cells; regions that they shall suit are read when the run begins."""
        kind = None
        if parameters.get(CELLS) is not None:
            kind = KINDS[self.parameterAsEnum(parameters, CELLS, context)]
        given = {
            word: {name: _given(parameters.get(parameter)) for name, parameter in options.items()}
            for word, options in OPTIONS.items()
        }
        tuner = self.parameterAsEnum(parameters, TUNER, context)
        given["regular"]["tuner"] = TUNERS[tuner] if tuner else None
        if geodp.kind_word(kind, **given) == "regular":
            grids = read_grids(self, parameters, context, domain)
            share = parameters.get(TUNING_SHARE)
            if share is not None:
                share = self.parameterAsDouble(parameters, TUNING_SHARE, context)
            return geodp.Regular(grids, tuner=TUNERS[tuner], tuning_share=share)
        length = self.parameterAsString(parameters, RESOLUTION, context).strip()
        cells = geodp.Adaptive(geodp.parse_length(length, domain.crs) if length else None)
        cells.frame(domain)  # refuses a resolution that leaves no cell
        return cells

    # --- running ----------------------------------------------------------------------------

    def carry_out(self, request, parameters, context, feedback):
        feedback.pushInfo(tr("Protected: {}.").format(request.protected))
        feedback.pushInfo(
            tr(
                "Points outside the extent are not counted; how many there are is private and is "
                "not told. A map of nothing but noise may mean a wrong extent or CRS."
            )
        )
        tell_spent(request.book, request.options["epsilon"], feedback)
        raster = self.parameterAsOutputLayer(parameters, OUTPUT_RASTER, context)
        check_path(raster)
        results = {OUTPUT_RASTER: raster}
        # A place that takes no file must be noticed before the points are read and ε is spent.
        with whole_file(raster) as draft, warn_of_spend(request.book, feedback):
            release = self._release(request, context, feedback)
            feedback.setProgressText(tr("writing"))
            self._write_counts(draft, release, request, Part(feedback, 70, 80))
            vector = self._write_cells(release, request, parameters, context, feedback)
            page = self.write_page(release, request.regions, None, parameters, context, feedback)
        if vector is not None:
            results[OUTPUT_VECTOR] = vector
        feedback.setProgress(100)
        report(release, request.book, feedback)
        style_counts(results.values(), release, context)
        if page is not None:
            results[OUTPUT_HTML] = page
        rows, across = geodp.raster_cells(release.cells).raster.shape
        return {**results, ROWS: rows, COLUMNS: across, EPSILON: float(release.epsilon)}

    def _release(self, request, context, feedback):
        cells = request.cells
        if request.regions is not None:
            feedback.setProgressText(tr("reading the regions"))
            workload = region_workload(
                request.regions,
                request.domain,
                request.crs,
                context,
                Part(feedback, 0, 10),
            )
            cells = cells.tuned_for(workload)

        release = geodp.release(
            LayerSource(request.source, request.crs, context, Part(feedback, 10, 70)),
            request.domain,
            cells=cells,
            progress=self.step(feedback),
            **request.options,
        )
        stop_if_cancelled(feedback)
        return release.with_about(**request.words)

    def _write_cells(self, release, request, parameters, context, feedback):
        if not parameters.get(OUTPUT_VECTOR):
            return None
        values = {**geodp.cell_columns(release.cells), **release.columns()}
        fields = build_fields(*described(values))

        def open_sink():
            kind, crs = QgsWkbTypes.Type.Polygon, request.crs
            return self.parameterAsSink(parameters, OUTPUT_VECTOR, context, fields, kind, crs)

        features = (feature(*box) for box in boxes(values))
        try:
            written = write_layer(open_sink, features, len(release.cells), Part(feedback, 80, 95))
            keep_release(written, release)
        except (geodp.GeodpError, QgsProcessingException, OSError, sqlite3.Error) as error:
            # The raster holds the release, and must not go because of this.
            feedback.reportError(tr("There is no layer of cells: {}").format(sentence(error)))
            return None
        return written

    def _write_counts(self, path, release, request, feedback):
        """Write the raster; where that fails, ε is spent, so keep the release somewhere else."""
        try:
            write_release(path, release, request.crs, feedback)
        except (geodp.GeodpError, OSError):
            kept = Path(tempfile.mkdtemp(prefix="geodp-release-")) / "counts.tif"
            try:
                write_release(kept, release, request.crs)
            except (geodp.GeodpError, OSError):
                kept = None
            if kept is None:
                raise
            raise geodp.FileError(
                tr(
                    "The raster cannot be written there; ε is spent, and the release is kept in "
                    "{}: copy it to where it shall be."
                ).format(kept)
            ) from None


def _given(value):
    """Return what was given, or None for an empty box."""
    return None if isinstance(value, str) and not value.strip() else value
