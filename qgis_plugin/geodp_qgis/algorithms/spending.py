"""What a run spends, in words, and the ledger: by default one in the profile of QGIS."""

from contextlib import contextmanager
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..library import geodp
from ..translation import tr
from .base import ADVANCED

DATASET = "DATASET"
LEDGER = "LEDGER"
CAP = "CAP"

FILE = "geodp-ledger.sqlite"


def add_ledger(algorithm):
    algorithm.add(
        QgsProcessingParameterString(
            DATASET, tr("Name of these data in the ledger"), optional=True
        ),
        tr(
            "With it, ε is recorded in a ledger before the noise is drawn, and a run that would "
            "pass the cap of these data is refused. Use one name for all layers about the same "
            "people. What is protected under a name (a record, or a person with at most a "
            "given number of records, told by one field) is set by its first run."
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
        tr("Needed once, to enter a new name into the ledger. A cap is never changed."),
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
    return Path(given or own_ledger())


def own_ledger():
    """The ledger in the profile of QGIS."""
    return Path(QgsApplication.qgisSettingsDirPath()) / FILE


def read_book(algorithm, parameters, context, budget, unit):
    """Where to record the spend, or None; refused if it could not be recorded."""
    dataset = algorithm.parameterAsString(parameters, DATASET, context).strip()
    cap = None
    if parameters.get(CAP) is not None:
        cap = geodp.Budget(algorithm.parameterAsDouble(parameters, CAP, context))
    if dataset:
        book = Book(ledger_path(algorithm, parameters, context), dataset, cap)
        book.check(budget, unit)
        return book
    if cap is not None or parameters.get(LEDGER):
        raise geodp.InputError(
            tr("A ledger and a cap are for data with a name; give 'Name of these data', or empty.")
        )
    return None


class Book:
    """One account of a ledger, for one run. To the library it is the account.

    A new dataset is entered together with its first spend, so that a run that fails or is cancelled
    before leaves no trace.

    Attributes
    ----------
    recorded : bool
        Whether this run's spend was recorded. Then it stays, whatever comes.
    """

    def __init__(self, path, name, cap):
        self.ledger, self.name, self.cap = geodp.Ledger(path), name, cap
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
            raise geodp.InputError(
                tr(
                    "ε = {:g} would pass the cap of '{}': {:g} is left. Nothing was read or spent."
                ).format(float(amount), self.name, float(left))
            )
        if account is not None:
            account.check(epsilon, unit)  # by the library's own rules, in the file as it is now

    def _check_known(self, found, unit):
        if self.cap is not None and self.cap.epsilon != found.cap:
            raise geodp.InputError(
                tr(
                    "A cap is never changed: that of '{}' is {:g}. Leave the cap empty, or give "
                    "other data another name."
                ).format(self.name, float(found.cap))
            )
        if found.unit is not None and not unit.adds_to(found.unit):
            raise geodp.InputError(
                tr(
                    "Under the name '{}', ε is counted for {}; this run would spend it for {}, and "
                    "the two cannot be added. Protect the same as before, or give another name. "
                    "Nothing was read or spent."
                ).format(self.name, unit_in_words(found.unit), unit_in_words(unit))
            )
        return found.left

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
        self.ledger[self.name].spend(epsilon, unit, what, note)
        self.recorded = True

    def in_words(self):
        found = self.ledger[self.name].statement()
        return tr("Ledger: ε = {:g} of {:g} is spent on '{}', {:g} is left.").format(
            float(found.spent), float(found.cap), self.name, float(found.left)
        )


def unit_in_words(unit):
    """What is protected, as the library says it, in QGIS's language."""
    several = unit.max_records > 1
    words = {
        "record": tr("one record"),
        "feature": tr("one feature, at most {} points")
        if several
        else tr("one feature, at most 1 point"),
        "person": tr("one person, at most {} records")
        if several
        else tr("one person, at most 1 record"),
    }[unit.kind].format(unit.max_records)
    if unit.field is not None:
        words = tr("{}, by the field '{}'").format(words, unit.field)
    return words if unit.neighbours == "add-remove" else tr("{}, replaced by another").format(words)


@contextmanager
def told(book, feedback):
    """Say that a recorded spend stays where the run fails after all."""
    try:
        yield
    except Exception:
        if book is not None and book.recorded:
            feedback.pushWarning(book.in_words())
        raise


def report(release, book, feedback):
    """What was published and what it cost, from the release and the ledger alone."""
    found = release.describe()
    if release.cells.levels is None:
        chosen = found["cells"].text, found["cell_size"].text
        feedback.pushInfo(tr("Chosen cells: {}, {}.").format(*chosen))
    # Not the topic "map": it holds the estimated number of records, and the log holds no count.
    for fact in found.about("cost", "noise"):
        if fact.key == "epsilon":
            feedback.pushInfo(tr("Spent in all: ε = {}.").format(fact.text))
        else:
            feedback.pushInfo(f"{tr(fact.label)}: {fact.text}.")
    if book is not None:
        feedback.pushInfo(book.in_words())
    if release.seeded:
        feedback.pushWarning(release.promise)
    else:
        feedback.pushInfo(release.promise)
    feedback.pushInfo(release.counted)
