# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases whose cells are polygons: a layer with a count, and its interval, for each of them."""

from __future__ import annotations

import math
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
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProcessingUtils,
    QgsVectorFileWriter,
    QgsWkbTypes,
)

from ..adapters import Part, stop_if_cancelled
from ..library import geodp
from ..points import LayerSource
from ..rasters import check_destinations
from ..styles.counts import style_counts
from ..styles.shades import Look, groups_in, shade
from ..translation import tr
from ..vectors import CHUNK, build_fields, described, discard, feature, keep_release, write_layer
from .amounts import add_amount, read_amount
from .base import ADVANCED, sentence
from .groups import add_groups
from .people import add_people
from .publishing import add_words
from .rates import add_grey, read_grey
from .releasing import EPSILON, ReleaseAlgorithm
from .report import OUTPUT_HTML, check_page
from .spending import Book, add_ledger, report, tell_spent, warn_of_spend

OUTPUT = "OUTPUT"
MULTI = QgsWkbTypes.Type.MultiPolygon


@dataclass
class Run:
    """The parameters of one run, checked."""

    source: QgsProcessingFeatureSource
    where: Any
    crs: Any
    protected: str
    book: Book | None
    words: dict
    options: dict
    look: Look


@dataclass
class Polygons:
    """Cells that a run is about to count in: what the library is asked for, and a shape of each."""

    kind: Any
    domain: Any
    shapes: list
    population: Any = None

    def release(self, points, **options):
        return geodp.release(points, self.domain, cells=self.kind, **options)


class PolygonRelease(ReleaseAlgorithm):
    """Points in, one count for each public polygon out."""

    RESULT = OUTPUT

    def add_where(self):
        """Ask for what is public: where the cells are."""
        raise NotImplementedError

    def add_further(self):
        """Ask for what few need to say about the cells."""

    def read_where(self, parameters, context, source, options):
        """Return what is public, checked, with its CRS."""
        raise NotImplementedError

    def read_polygons(self, request, context, feedback):
        """Read the cells, as :class:`Polygons`."""
        raise NotImplementedError

    def report_regions(self, request):
        """Return a layer of regions that the page shall list, or None."""
        raise NotImplementedError

    def initAlgorithm(self, configuration=None):
        self.add_points()
        self.add_where()
        self.add_epsilon()
        add_people(self)
        add_groups(self)
        add_amount(self)
        self.add_further()
        add_grey(self, None, ADVANCED)
        add_ledger(self)
        add_words(self)
        self.add_mistakes(self.mistakes())
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT, self.output_name(), QgsProcessing.SourceType.TypeVectorPolygon
            ),
            self.output_help(),
        )
        self.add_page()

    def output_name(self):
        raise NotImplementedError

    def output_help(self):
        raise NotImplementedError

    def mistakes(self):
        """Return what is refused unless it is meant."""
        raise NotImplementedError

    def not_counted(self):
        """Return which points are not counted."""
        raise NotImplementedError

    # --- reading the parameters -------------------------------------------------------------

    def read_given(self, parameters, context):
        points = self.read_points(parameters, context)
        options = self.read_numbers(parameters, context)
        where, crs = self.read_where(parameters, context, points[0], options)
        check_destinations(None, parameters.get(OUTPUT))
        check_page(parameters)
        rest = self.read_rest(parameters, context, points, options)
        options["amount"] = read_amount(self, parameters, context, points[0])
        look = Look(options.pop("rates", None), read_grey(self, parameters, context))
        return Run(points[0], where, crs, *rest, options, look)

    # --- running ----------------------------------------------------------------------------

    def carry_out(self, request, parameters, context, feedback):
        feedback.pushInfo(tr("Protected: {}.").format(request.protected))
        feedback.pushInfo(self.not_counted())
        tell_spent(request.book, request.options["epsilon"], feedback)
        cells = self.read_polygons(request, context, feedback)
        fields = build_fields(
            *described(field_values(without_records(cells, request), cells, request))
        )
        # A place that takes no layer must be noticed before the points are read and ε is spent.
        places = {**parameters, OUTPUT: as_file(parameters.get(OUTPUT))}
        opened = [self.parameterAsSink(places, OUTPUT, context, fields, MULTI, request.crs)]
        if opened[0][0] is None:
            raise QgsProcessingException(tr("The output layer cannot be created."))
        with warn_of_spend(request.book, feedback):
            try:
                release = self._release(cells, request, context, feedback)
            except BaseException:
                discard(opened.pop()[1])  # no name keeps the sink, which so closes the file
                raise
            feedback.setProgressText(tr("writing"))
            written = self._write(opened, release, cells, request, feedback)
            listed = self.report_regions(request), request.look.grey
            page = self.write_page(release, *listed, parameters, context, feedback)
        feedback.setProgress(100)
        report(release, request.book, feedback)
        values = field_values(release, cells, request)
        style_counts([written], release, context, more=shade(request.look, values))
        results = {OUTPUT: written, EPSILON: float(release.epsilon)}
        return results if page is None else {**results, OUTPUT_HTML: page}

    def _release(self, cells, request, context, feedback):
        stop_if_cancelled(feedback)
        points = LayerSource(request.source, request.crs, context, Part(feedback, 15, 80))
        release = cells.release(points, progress=self.step(feedback), **request.options)
        return release.with_about(**request.words)

    def _write(self, opened, release, cells, request, feedback):
        """Write the layer; where that fails, ε is spent, so keep the release somewhere else."""
        columns = field_values(release, cells, request)
        part = Part(feedback, 80, 95)
        try:
            features = in_polygons(columns, cells.shapes)
            written = write_layer(opened.pop, features, len(cells.shapes), part)
            keep_release(written, release)
        except (geodp.GeodpError, QgsProcessingException, OSError, sqlite3.Error) as error:
            kept = kept_elsewhere(release, columns, cells.shapes, request.crs)
            if kept is None:
                raise
            raise geodp.FileError(
                tr(
                    "The layer cannot be written there ({}); ε is spent, and the release is kept "
                    "in {}: copy it to where it shall be."
                ).format(sentence(error).rstrip("."), kept)
            ) from None
        return written


def as_file(destination):
    """Name a temporary file in place of a layer in memory that would be loaded into a project.

    A layer in memory is no release: nothing can be asked of it, and it cannot be kept as one.
    """
    if not isinstance(destination, QgsProcessingOutputLayerDefinition):
        return destination
    place = destination.sink.staticValue()
    if destination.destinationProject is None or place != QgsProcessing.TEMPORARY_OUTPUT:
        return destination
    path = QgsProcessingUtils.generateTempFilename("counts.gpkg")
    file = QgsProcessingOutputLayerDefinition(path, destination.destinationProject)
    file.destinationName = destination.destinationName
    return file


def in_polygons(columns, shapes):
    """Yield a feature for each shape, with its values in columns of the library."""
    for first in range(0, len(shapes), CHUNK):
        part = slice(first, first + CHUNK)
        rows = zip(*(values[part].tolist() for values in columns.values()))
        for shape, row in zip(shapes[part], rows):
            yield feature(shape, list(map(known, row)))


def field_values(release, cells, request):
    """Return fields as arrays of the library: of the cells, counts, and rates if asked."""
    columns = {**geodp.cell_columns(release.cells), **release.columns()}
    rates = request.look.rates
    if rates is None:
        return columns
    more = {}
    for group in groups_in(columns):
        half = (columns[f"ci_high{group}"] - columns[f"ci_low{group}"]) / 2
        rated = geodp.rates(columns[f"count{group}"], half, cells.population, rates.each)
        more |= {f"{name}{group}": values for name, values in rated._asdict().items()}
    return {**columns, **more}


def known(value):
    """Return a value of a field; None for a number that is none, as a mean over nobody."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def without_records(cells, request):
    """Make a release of no records, which is free and has the fields of the one to come."""
    protect, by, amount = (request.options[name] for name in ("protect", "by", "amount"))
    names = ["x", "y", *(division.rule.name for division in by or ())]
    names += [] if protect.person is None else [protect.person]
    names += [] if amount is None else [amount.field]
    nothing = dict.fromkeys(names, ())
    epsilon = request.options["epsilon"]
    return cells.release(nothing, epsilon=epsilon, protect=protect, by=by, amount=amount, seed=0)


def kept_elsewhere(release, columns, shapes, crs):
    """Write the release into a GeoPackage of its own; None where there is no place for it."""
    path = Path(tempfile.mkdtemp(prefix="geodp-release-")) / "counts.gpkg"
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", "counts"
    fields = build_fields(*described(columns))
    context = QgsCoordinateTransformContext()
    writer = QgsVectorFileWriter.create(str(path), fields, MULTI, crs, context, options)
    try:
        features = list(in_polygons(columns, shapes))
        done = writer.addFeatures(features) and writer.flushBuffer()
        del writer
        keep_release(f"{path}|layername=counts", release)
    except (geodp.GeodpError, OSError, sqlite3.Error, AttributeError):
        return None
    return path if done else None
