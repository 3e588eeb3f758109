# SPDX-License-Identifier: GPL-2.0-or-later
"""Say what a run spends, and keep the ledger: by default one in the profile of QGIS.

Data that have no name there are counted on an account of their layer's own: see ``accounts``.
"""

from contextlib import contextmanager
from pathlib import Path

from qgis.core import (
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..library import geodp
from ..messages import number, said, shown
from ..rasters import named_file
from ..translation import tr
from .accounts import USUAL_CAP, file_name, usual_cap, usual_ledger, usual_name
from .base import ADVANCED
from .private_points import layer_behind

DATASET = "DATASET"
LEDGER = "LEDGER"
CAP = "CAP"


def add_ledger(algorithm):
    algorithm.add(
        QgsProcessingParameterString(
            DATASET, tr("Name of these data in the ledger"), optional=True
        ),
        tr(
            "Under it, ε is recorded in a ledger before the noise is drawn, and a run that would "
            "pass the cap of these data is refused. Use one name for all layers about the same "
            "people. What is protected under a name (a record, or a person with at most a "
            "given number of records, told by one field) is set by its first run. Empty: the "
            "layer has an account of its own, with the cap of Processing's options."
        ),
        ADVANCED,
    )
    add_ledger_file(algorithm, ADVANCED)
    algorithm.add(
        QgsProcessingParameterNumber(
            CAP,
            tr("Most ε ever to be spent on it, when it is new"),
            QgsProcessingParameterNumber.Type.Double,
            optional=True,
        ),
        tr(
            "Needed once, to enter a new name into the ledger; a layer without one has the cap of "
            "Processing's options. A cap is never changed."
        ),
        ADVANCED,
    )


def add_ledger_file(algorithm, flags=None):
    algorithm.add(
        QgsProcessingParameterFile(
            LEDGER,
            tr("Ledger (empty: the one in the QGIS profile)"),
            optional=True,
            # Any name will do: without a filter, this QGIS refuses files that are not there yet.
            fileFilter=tr("Ledgers (*.sqlite *.geodp);;All files (*)"),
        ),
        tr("A file that geodp keeps, also from Python and from the command line."),
        flags,
    )


def ledger_path(algorithm, parameters, context):
    given = algorithm.parameterAsFile(parameters, LEDGER, context)
    # Not the parameter's default: models and histories would carry the path to other machines.
    return Path(given or usual_ledger())


def read_book(algorithm, parameters, context, budget, unit):
    """Find where to record the spend, or None; refused if it could not be recorded.

    A seed makes no private map, and is recorded only where the data have a name.
    """
    name = algorithm.parameterAsString(parameters, DATASET, context).strip()
    cap = None
    if parameters.get(CAP) is not None:
        cap = geodp.Budget(algorithm.parameterAsDouble(parameters, CAP, context))
    layer = layer_behind(algorithm, parameters, context)
    path = ledger_path(algorithm, parameters, context)
    is_usual = not name
    if is_usual:
        is_asked = cap is not None or bool(parameters.get(LEDGER))
        is_seeded = parameters.get("SEED") not in (None, "")
        name = usual_name(layer, unit)
        if not name or not (is_asked or usual_cap()) or (is_seeded and not is_asked):
            return None
        if cap is None and name not in geodp.Ledger(path):
            cap = geodp.Budget(usual_cap() or USUAL_CAP)
    book = Book(path, name, cap, ledger_purpose(algorithm, parameters, context, layer), is_usual)
    book.check(budget, unit)
    return book


def ledger_purpose(algorithm, parameters, context, layer):
    """Return what a run makes of what, for the ledger: title, source and outputs. In English."""
    title = ""
    if algorithm.parameterDefinition("TITLE") is not None:
        title = algorithm.parameterAsString(parameters, "TITLE", context).strip()
    targets = [
        Path(named_file(value)).name if named_file(value) else "a temporary layer"
        for value in (
            parameters.get(definition.name())
            for definition in algorithm.destinationParameterDefinitions()
        )
        if value
    ]
    words = [
        f"'{title}'" if title else "",
        f"from {file_name(layer)}" if file_name(layer) else "",
        f"to {', '.join(dict.fromkeys(targets))}" if targets else "",
    ]
    return ", ".join(filter(None, words))


class Book:
    """One account of a ledger, for one run. To the library it is the account.

    A new dataset is entered together with its first spend, so that a run that fails or is cancelled
    before leaves no trace.

    Attributes
    ----------
    purpose : str
        What the run makes, for whoever reads the account.
    is_usual : bool
        Whether it is the account of a layer whose data have no name.
    recorded : bool
        Whether this run's spend was recorded. Then it stays, whatever comes.
    """

    def __init__(self, path, name, cap, purpose="", is_usual=False):
        self.ledger, self.name, self.cap = geodp.Ledger(path), name, cap
        self.purpose, self.is_usual = purpose, is_usual
        self.recorded = False

    def check(self, epsilon, unit):
        """Refuse early what the ledger would refuse later, after all the work."""
        if self.name in self.ledger:
            account = self.ledger[self.name]
            left = self._check_known(account.statement(), unit)
        else:
            account, left = None, self._check_new()
        amount = geodp.Budget(epsilon).epsilon
        if amount > left:
            words = tr(
                "ε = {:g} would pass the cap of '{}': {:g} is left. Nothing was read or spent."
            ).format(number(amount), self.name, number(left))
            if self.is_usual:
                words += " " + tr(
                    "It is the cap of layers without a name in the ledger: if more may be spent, "
                    "give these data a name and a cap under Advanced."
                )
            raise geodp.InputError(words)
        if account is not None:
            account.check(epsilon, unit)  # by the library's own rules, in the file as it is now

    def _check_known(self, statement, unit):
        if self.cap is not None and self.cap.epsilon != statement.cap:
            raise geodp.InputError(
                tr(
                    "A cap is never changed: that of '{}' is {:g}. Leave the cap empty, or give "
                    "other data another name."
                ).format(self.name, number(statement.cap))
            )
        if statement.unit is not None and not unit.adds_to(statement.unit):
            raise geodp.InputError(
                tr(
                    "Under the name '{}', ε is counted for {}; this run would spend it for {}, and "
                    "the two cannot be added. Protect the same as before, or give another name. "
                    "Nothing was read or spent."
                ).format(self.name, unit_in_words(statement.unit), unit_in_words(unit))
            )
        return statement.left

    def _check_new(self):
        if self.cap is None:
            raise geodp.InputError(
                tr(
                    "The ledger has no data named '{}': check the name, or, if they are new, say "
                    "under Advanced how much ε may ever be spent on them."
                ).format(self.name)
            )
        if not self.ledger.path.parent.is_dir():
            raise geodp.FileError(
                tr("The folder of the ledger must exist; there is no {}.").format(
                    self.ledger.path.parent
                )
            )
        return self.cap.epsilon

    def spend(self, epsilon, unit, what, note=""):
        """Record the spend, final once it returns; the library calls this before it draws."""
        if self.name not in self.ledger:
            self.ledger.register(self.name, self.cap)
        words = f"{what}: {self.purpose}" if self.purpose else what
        self.ledger[self.name].spend(epsilon, unit, words, note)
        self.recorded = True

    def before(self, *budgets):
        """Say what earlier runs have spent, and what these add; empty for the very first."""
        statement = self.ledger[self.name].statement() if self.name in self.ledger else None
        if len(budgets) == 1:
            if statement is None or not statement.entries:
                return ""
            return spent_before(statement, *budgets)
        spent, cap = 0, self.cap.epsilon
        if statement is not None:
            spent, cap = statement.spent, statement.cap
        more = sum(geodp.Budget(budget).epsilon for budget in budgets)
        return tr(
            "On '{}', ε = {:g} was spent before. These {} runs make as many releases and add "
            "{:g}: {:g} of {:g} in all."
        ).format(
            self.name, number(spent), len(budgets), number(more), number(spent + more), number(cap)
        )

    def in_words(self):
        statement = self.ledger[self.name].statement()
        return tr("Ledger: ε = {:g} of {:g} is spent on '{}', {:g} is left.").format(
            number(statement.spent), number(statement.cap), self.name, number(statement.left)
        )


def spent_before(statement, epsilon):
    """Say that a run adds to what is spent already, from the statement of an account."""
    return tr(
        "On '{}', ε = {:g} was spent before, the last time on {}. This run makes another release "
        "and adds {:g}: {:g} of {:g} in all."
    ).format(
        statement.name,
        number(statement.spent),
        statement.entries[-1].at[:10],
        number(geodp.Budget(epsilon).epsilon),
        number(statement.spent + geodp.Budget(epsilon).epsilon),
        number(statement.cap),
    )


def unit_in_words(unit):
    """Return what is protected, as the library says it, in QGIS's language."""
    several = unit.max_records is not None and unit.max_records > 1
    words = {
        "record": tr("one record"),
        "feature": tr("one feature, at most {} points")
        if several
        else tr("one feature, at most 1 point"),
        "person": tr("one person, at most {} records")
        if several
        else tr("one person, at most 1 record"),
    }[unit.kind].format(unit.max_records)
    if unit.max_records is None:
        words = tr("one person, spread over their records")
    if unit.field is not None:
        words = tr("{}, by the field '{}'").format(words, unit.field)
    return words if unit.neighbours == "add-remove" else tr("{}, replaced by another").format(words)


def tell_spent(book, epsilon, feedback):
    """Say what earlier runs have spent on these data, if any did."""
    if book is not None and (spent := book.before(epsilon)):
        feedback.pushWarning(spent)


@contextmanager
def warn_of_spend(book, feedback):
    """Say that a recorded spend stays where the run fails after all."""
    try:
        yield
    except Exception:
        if book is not None and book.recorded:
            feedback.pushWarning(book.in_words())
        raise


def report(release, book, feedback):
    """Return what was published and what it cost, from the release and the ledger alone."""
    description = release.describe()
    if release.cells.levels is None:
        chosen = shown(description["cells"].text), shown(description["cell_size"].text)
        feedback.pushInfo(tr("Chosen cells: {}, {}.").format(*chosen))
    # Not the topic "map": it holds the estimated number of records, and the log holds no count.
    for fact in description.about("cost", "noise"):
        if fact.key == "epsilon":
            feedback.pushInfo(tr("Spent in all: ε = {}.").format(shown(fact.text)))
        else:
            line = geodp.Phrase("{1}: {2}", geodp.Phrase.of(fact.label), fact.text)
            feedback.pushInfo(f"{shown(line)}.")
    if book is not None:
        feedback.pushInfo(book.in_words())
    if release.seeded:
        feedback.pushWarning(said(release.promise))
    else:
        feedback.pushInfo(said(release.promise))
    feedback.pushInfo(said(release.counted))
