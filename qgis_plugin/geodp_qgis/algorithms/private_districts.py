"""Private counts for districts: points in, one count for each polygon of a public layer out."""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsVectorFileWriter,
    QgsWkbTypes,
)

from ..adapters import Cancelled, Part, stop_if_cancelled
from ..districts import read_districts
from ..library import columns, geodp, guard
from ..points import LayerSource
from ..rasters import check_destinations
from ..styles.counts import style_counts
from ..translation import tr
from ..vectors import described, discard, feature, fields_of, keep_release, write_layer
from .base import ADVANCED, HIDDEN, GeodpAlgorithm, sentence
from .framing import open_polygons
from .groups import add_groups, read_groups
from .people import add_people, protection_of, read_people
from .private_histogram import EPSILON, GO_ON, SEED, whole_seed
from .private_points import (
    INPUT,
    check_filters,
    check_given_whole,
    check_not_iterated,
    check_points,
    in_words,
)
from .publishing import add_words, read_words
from .report import OUTPUT_HTML, check_page, write_page
from .spending import Book, add_ledger, read_book, report, tell_spent, told

DISTRICTS = "DISTRICTS"
NAME_FIELD = "NAME_FIELD"
LEVELS = "LEVELS"
OUTPUT = "OUTPUT"

MULTI = QgsWkbTypes.Type.MultiPolygon


@dataclass
class Run:
    """The parameters of one run, checked."""

    source: QgsProcessingFeatureSource
    protected: str
    districts: QgsProcessingFeatureSource
    name: str | None
    levels: list
    book: Book | None
    words: dict
    options: dict

    @property
    def crs(self) -> Any:
        return self.districts.sourceCrs()


class PrivateDistricts(GeodpAlgorithm):
    NAME = "privatedistricts"
    GROUP = "publish"
    HELP = "private_districts.html"
    ICON = "districts.svg"

    def displayName(self):
        return tr("Private counts for districts")

    def tags(self):
        return tr(
            "privacy,differential privacy,dp,anonymize,districts,polygons,count,choropleth"
        ).split(",")

    def shortDescription(self):
        return tr("Counts points in public polygons and adds noise that protects each one.")

    def initAlgorithm(self, configuration=None):
        double = QgsProcessingParameterNumber.Type.Double
        integer = QgsProcessingParameterNumber.Type.Integer
        self.add(
            QgsProcessingParameterFeatureSource(
                INPUT, tr("Points (private)"), [QgsProcessing.SourceType.TypeVectorPoint]
            ),
            tr("The layer to protect, one point per record. Nothing but the result leaves it."),
        )
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
        self.add(
            QgsProcessingParameterNumber(EPSILON, tr("Privacy budget ε"), double, 1.0),
            tr(
                "How much may be learnt about any one record, or person. Smaller is more private "
                "and noisier: 0.1 is strict, 1 is common. Budgets of several releases of one layer "
                "add up."
            ),
        )
        add_people(self)
        add_groups(self)
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
        add_ledger(self)
        add_words(self)
        self.add(
            QgsProcessingParameterBoolean(
                GO_ON, tr("Go on where inputs look like a mistake"), False
            ),
            tr("ε above 10 and districts of a few metres are refused. Tick it if they are meant."),
            ADVANCED,
        )
        self.add(
            QgsProcessingParameterNumber(SEED, tr("Seed (NOT private)"), integer, optional=True),
            tr("For tests alone: a seeded result can be undone and is NOT private."),
            ADVANCED | HIDDEN,
        )
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT,
                tr("Private counts of districts"),
                QgsProcessing.SourceType.TypeVectorPolygon,
            ),
            tr(
                "The districts with 'count', its standard error and the limits of an interval that "
                "holds the true count 19 times of 20. A GeoPackage keeps style and promise, and "
                "opens as a release again."
            ),
        )
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML,
                tr("Report page"),
                tr("HTML files (*.html)"),
                optional=True,
                createByDefault=False,
            ),
            tr("A page that explains the map to whoever receives it: see 'Report page'."),
        )
        self.addOutput(QgsProcessingOutputNumber(EPSILON, tr("ε that was spent")))

    # --- reading the parameters -------------------------------------------------------------

    def read(self, parameters, context):
        check_not_iterated(self, parameters)
        check_given_whole(parameters)
        source = self.parameterAsSource(parameters, INPUT, context)
        if source is None:
            raise geodp.InputError(tr("A point layer is needed; this one cannot be opened."))
        check_filters(self, parameters, context)
        person, most = read_people(self, parameters, context, source)
        check_points(source, person, most)
        options = {
            "epsilon": geodp.Budget(self.parameterAsDouble(parameters, EPSILON, context)),
            "seed": whole_seed(parameters.get(SEED)),
            "force": self.parameterAsBoolean(parameters, GO_ON, context),
        }
        if options["seed"] is None:
            guard.check_spend(options["epsilon"], force=options["force"])
        districts = open_polygons(self, parameters, DISTRICTS, context)
        name = self.parameterAsString(parameters, NAME_FIELD, context) or None
        levels = self.parameterAsFields(parameters, LEVELS, context)
        if name is not None and levels:
            raise geodp.InputError(
                tr("Levels end with the districts: empty 'Field that names the districts'.")
            )
        check_destinations(None, parameters.get(OUTPUT))
        check_page(parameters)
        protect = protection_of(person, most)
        book = read_book(self, parameters, context, options["epsilon"], protect.unit)
        protected = in_words(self, parameters, context, person, most)
        by = read_groups(self, parameters, context, source)
        options |= {"protect": protect, "account": book, "by": by}
        words = read_words(self, parameters, context)
        return Run(source, protected, districts, name, levels, book, words, options)

    # --- running ----------------------------------------------------------------------------

    def cancelled(self):
        if self.request.book is not None and self.request.book.recorded:
            return tr("Cancelled: no layer was written. The spend was recorded before and stays.")
        return tr("Cancelled: nothing was released, no layer was written, no budget is spent.")

    def carry_out(self, request, parameters, context, feedback):
        feedback.pushInfo(tr("Protected: {}.").format(request.protected))
        feedback.pushInfo(
            tr(
                "Points in no district are not counted; how many there are is private and is not "
                "told."
            )
        )
        tell_spent(request.book, request.options["epsilon"], feedback)
        feedback.setProgressText(tr("reading the districts"))
        cells, shapes = read_districts(
            request.districts, request.name, request.levels, Part(feedback, 0, 15)
        )
        fields = fields_of(*described(values_of(without_records(cells, request))))
        # A place that takes no layer must be noticed before the points are read and ε is spent.
        opened = [self.parameterAsSink(parameters, OUTPUT, context, fields, MULTI, request.crs)]
        if opened[0][0] is None:
            raise QgsProcessingException(tr("The output layer cannot be created."))
        with told(request.book, feedback):
            try:
                release = self._release(cells, request, context, feedback)
            except BaseException:
                discard(opened.pop()[1])  # no name keeps the sink, which so closes the file
                raise
            feedback.setProgressText(tr("writing"))
            written = self._write(opened, release, shapes, request, feedback)
            page = self._write_page(release, request, parameters, context, feedback)
        report(release, request.book, feedback)
        style_counts([written], release, context)
        results = {OUTPUT: written, EPSILON: float(release.epsilon)}
        return results if page is None else {**results, OUTPUT_HTML: page}

    def _release(self, cells, request, context, feedback):
        def step(name):
            feedback.setProgressText(tr(name))
            stop_if_cancelled(feedback)

        stop_if_cancelled(feedback)
        release = geodp.release(
            LayerSource(request.source, request.crs, context, Part(feedback, 15, 80)),
            cells=geodp.Districts(cells),
            progress=step,
            **request.options,
        )
        return release.with_about(**request.words)

    def _write(self, opened, release, shapes, request, feedback):
        """Write the layer; where that fails, ε is spent, so keep the release somewhere else."""
        rows = zip(*(values.tolist() for values in values_of(release).values()))
        made = [feature(shape, list(row)) for shape, row in zip(shapes, rows)]
        try:
            # What follows the spend is not cancelled: the release would be lost.
            written = write_layer(opened.pop, iter(made), len(made), Deaf(feedback))
            keep_release(written, release)
        except (geodp.GeodpError, QgsProcessingException, OSError, sqlite3.Error) as error:
            kept = kept_elsewhere(release, made, request.crs)
            if kept is None:
                raise
            raise geodp.FileError(
                tr(
                    "The layer cannot be written there ({}); ε is spent, and the release is kept "
                    "in {}: copy it to where it shall be."
                ).format(sentence(error).rstrip("."), kept)
            ) from None
        return written

    def _write_page(self, release, request, parameters, context, feedback):
        """Write the report, without which the map is as good."""
        if not parameters.get(OUTPUT_HTML):
            return None
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        try:
            write_page(path, release, request.districts, context, feedback)
        except Cancelled:
            return None  # the layer is written, and stays
        except geodp.GeodpError as error:
            feedback.pushWarning(tr("There is no report page: {}").format(sentence(error)))
            return None
        return path


class Deaf(Part):
    """Progress of a step that is not cancelled."""

    def __init__(self, feedback):
        super().__init__(feedback, 80, 100)

    def isCanceled(self):
        return False


def values_of(release):
    """Fields of the layer, as arrays of the library."""
    return {**columns.cell_columns(release.cells), **release.columns()}


def without_records(cells, request):
    """A release of no records, which costs nothing and has the fields of the one to come."""
    protect, by = request.options["protect"], request.options["by"]
    names = ["x", "y", *(each.rule.name for each in by or ())]
    names += [] if protect.person is None else [protect.person]
    nothing = dict.fromkeys(names, ())
    options = {"epsilon": request.options["epsilon"], "protect": protect, "by": by}
    return geodp.release(nothing, cells=geodp.Districts(cells), seed=0, **options)


def kept_elsewhere(release, made, crs):
    """Write the release into a GeoPackage of its own; None where there is no place for it."""
    path = Path(tempfile.mkdtemp(prefix="geodp-release-")) / "counts.gpkg"
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", "counts"
    fields = fields_of(*described(values_of(release)))
    context = QgsCoordinateTransformContext()
    writer = QgsVectorFileWriter.create(str(path), fields, MULTI, crs, context, options)
    try:
        done = writer.addFeatures(made) and writer.flushBuffer()
        del writer
        keep_release(f"{path}|layername=counts", release)
    except (geodp.GeodpError, OSError, sqlite3.Error, AttributeError):
        return None
    return path if done else None
