# SPDX-License-Identifier: GPL-2.0-or-later
"""Share what algorithms have that spend ε on points: parameters, what they say, their page."""

import re

from qgis.core import (
    QgsExpressionContext,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProperty,
    QgsVectorLayer,
)

from ..adapters import Cancelled, Part, stop_if_cancelled
from ..library import geodp
from ..rasters import gdal_quiet
from ..translation import tr
from .amounts import AMOUNT
from .base import ADVANCED, HIDDEN, GeodpAlgorithm, sentence
from .declared import check_filtered
from .delimited import infers_kind, read_as_text
from .framing import EXTENT
from .groups import AND_BY, BY, read_groups
from .people import PERSON, chosen_protection, read_people
from .private_points import (
    INPUT,
    check_filters,
    check_not_iterated,
    check_points,
    in_words,
    layer_behind,
    refuse_limit,
    run_filter,
)
from .publishing import read_words
from .report import OUTPUT_HTML, write_page
from .spending import read_book

EPSILON = "EPSILON"
EXTENT_IS_PUBLIC = "EXTENT_IS_PUBLIC"
GO_ON = "GO_ON"
SEED = "SEED"
TELL_APART = (PERSON, BY, AND_BY, AMOUNT)
"""Parameters that name fields which a record's share of the result follows from."""


def checked_seed(given):
    """Return a seed as it was given, if it is a whole number: QGIS would cut off the rest."""
    if isinstance(given, QgsProperty):
        given, _ = given.value(QgsExpressionContext())
    if given is None or given == "":
        return None
    if not isinstance(given, bool) and re.fullmatch(r"\s*[+-]?\d+(\.0+)?\s*", str(given)):
        return int(float(given)) if "." in str(given) else int(given)
    raise geodp.InputError(tr("The seed must be a whole number; got {}.").format(given))


class ReleaseAlgorithm(GeodpAlgorithm):
    """An algorithm that makes a release of a layer of points."""

    GROUP = "publish"
    PLACE = EXTENT
    """The first parameter that says where is public."""

    RESULT = ""
    """The first output."""

    def headings(self):
        return {
            INPUT: tr("What is protected?"),
            self.PLACE: tr("Which area is public?"),
            EPSILON: tr("How private?"),
            BY: tr("What do you want to answer?"),
            self.RESULT: tr("Results"),
        }

    # --- parameters -------------------------------------------------------------------------

    def add_points(self):
        self.add(
            QgsProcessingParameterFeatureSource(
                INPUT, tr("Points (private)"), [QgsProcessing.SourceType.TypeVectorPoint]
            ),
            tr("The layer to protect, one point per record. Nothing but the result leaves it."),
        )

    def add_epsilon(self):
        double = QgsProcessingParameterNumber.Type.Double
        self.add(
            QgsProcessingParameterNumber(EPSILON, tr("Privacy budget ε"), double, 1.0),
            tr(
                "How much may be learnt about any one record, or person. Smaller is more private "
                "and noisier: 0.1 is strict, 1 is common. Budgets of several releases of one layer "
                "add up."
            ),
        )

    def add_public(self):
        self.add(
            QgsProcessingParameterBoolean(
                EXTENT_IS_PUBLIC, tr("The extent is public although it equals the layer's"), False
            ),
            tr(
                "Needed only when the extent equals that of the points. Tick it if the rectangle "
                "was known before the points were, for example the frame of a survey."
            ),
        )

    def add_mistakes(self, help_text):
        """Ask whether to go on where inputs look like a mistake, and for a seed."""
        self.add(
            QgsProcessingParameterBoolean(
                GO_ON, tr("Go on where inputs look like a mistake"), False
            ),
            help_text,
            ADVANCED,
        )
        integer = QgsProcessingParameterNumber.Type.Integer
        self.add(
            QgsProcessingParameterNumber(SEED, tr("Seed (NOT private)"), integer, optional=True),
            tr("For tests alone: a seeded result can be undone and is NOT private."),
            ADVANCED | HIDDEN,
        )

    def add_page(self):
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

    # --- reading them -----------------------------------------------------------------------

    def read(self, parameters, context):
        names = [name for name in TELL_APART if self.parameterDefinition(name) is not None]
        return self.read_given(read_as_text(self, parameters, context, names), context)

    def read_given(self, parameters, context):
        """Read the parameters; the points have fields of declared types where that matters."""
        raise NotImplementedError

    def read_points(self, parameters, context):
        """Read the layer, and what of it is protected; no feature is looked at."""
        check_not_iterated(self, parameters)
        refuse_limit(parameters)
        source = self.parameterAsSource(parameters, INPUT, context)
        if source is None:
            raise geodp.InputError(tr("A point layer is needed; this one cannot be opened."))
        check_filters(self, parameters, context)
        layer = layer_behind(self, parameters, context)
        if isinstance(layer, QgsVectorLayer):
            check_filtered(layer, bool(layer.subsetString() or run_filter(parameters)))
        person, most = read_people(self, parameters, context, source)
        check_points(source, person, most, infers_kind(layer))
        return source, person, most

    def read_numbers(self, parameters, context):
        """Read ε, seed, and whether to go on; refuse an ε that looks like a mistake."""
        options = {
            "epsilon": geodp.Budget(self.parameterAsDouble(parameters, EPSILON, context)),
            "seed": checked_seed(parameters.get(SEED)),
            "force": self.parameterAsBoolean(parameters, GO_ON, context),
        }
        if options["seed"] is None:
            geodp.check_spend(options["epsilon"], force=options["force"])
        return options

    def read_rest(self, parameters, context, points, options):
        """Return what is protected in words, where the spend is booked, and words of the publisher.

        What divides records, what is protected and the account are added to the options.
        """
        source, person, most = points
        protect = chosen_protection(person, most)
        book = read_book(self, parameters, context, options["epsilon"], protect.unit)
        protected = in_words(self, parameters, context, person, most)
        by = read_groups(self, parameters, context, source)
        options |= {"protect": protect, "account": book, "by": by}
        return protected, book, read_words(self, parameters, context)

    # --- asking ------------------------------------------------------------------------------

    def flags(self):
        """Do without QGIS's table of many runs, which does not ask; the dialog leads to one."""
        return super().flags() & ~QgsProcessingAlgorithm.Flag.FlagSupportsBatch

    def createCustomParametersWidget(self, parent=None):
        """Make QGIS's own dialog, which asks before more is spent on the same data."""
        from ..dialog import SpendingDialog  # needs a desktop

        return SpendingDialog(self, parent=parent)

    def doubts(self, runs, context):
        """Word the question before some runs: what was spent on their data, and what they add.

        Empty where nothing was spent and each is the only one. Runs that are refused do not count.
        """
        books = {}
        for parameters in runs:
            if self.checkParameterValues(parameters, context)[0]:
                with gdal_quiet():
                    request = self.read(parameters, context)
                if (book := request.book) is not None:
                    _, budgets = books.setdefault((book.ledger.path, book.name), (book, []))
                    budgets.append(request.options["epsilon"])
        return "\n\n".join(filter(None, (book.before(*spent) for book, spent in books.values())))

    # --- running ----------------------------------------------------------------------------

    def cancelled(self):
        if self.request.book is not None and self.request.book.recorded:
            return tr("Cancelled: no layer was written. The spend was recorded before and stays.")
        return tr("Cancelled: nothing was released, no layer was written, no budget is spent.")

    def step(self, feedback):
        """Tell of each step when the library calls, and look at the cancel button."""

        def report(name):
            feedback.setProgressText(tr(name))
            stop_if_cancelled(feedback)

        return report

    def write_page(self, release, regions, grey, parameters, context, feedback):
        """Write the report, without which the map is as good; None where there is none."""
        if not parameters.get(OUTPUT_HTML):
            return None
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        try:
            write_page(path, release, regions, context, Part(feedback, 95, 100), grey)
        except Cancelled:
            return None  # what was written before stays
        except geodp.GeodpError as error:
            feedback.pushWarning(tr("There is no report page: {}").format(sentence(error)))
            return None
        return path
