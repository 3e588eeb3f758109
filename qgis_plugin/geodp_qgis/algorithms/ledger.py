# SPDX-License-Identifier: GPL-2.0-or-later
"""Ledger: what was spent on which data, and what is left, for people."""

from html import escape

from qgis.core import QgsProcessingOutputNumber, QgsProcessingParameterFileDestination

from ..library import geodp
from ..messages import number
from ..rasters import whole_file
from ..translation import tr
from .base import GeodpAlgorithm
from .spending import add_ledger_file, ledger_path, unit_in_words

OUTPUT_HTML = "OUTPUT_HTML"
DATASETS = "DATASETS"

PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head>
<body>
<h1>{title}</h1>
<p>{path}</p>
{accounts}
<p>{reading}</p>
</body></html>
"""


class LedgerOfSpends(GeodpAlgorithm):
    NAME = "ledger"
    GROUP = "publish"
    HELP = "ledger.html"
    ICON = "ledger.svg"

    def displayName(self):
        return tr("Ledger")

    def tags(self):
        return tr("privacy,budget,epsilon,account,spend,cap").split(",")

    def shortDescription(self):
        return tr("Shows how much ε was spent on which data, and how much is left.")

    def initAlgorithm(self, configuration=None):
        add_ledger_file(self)
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML, tr("What was spent on which data"), tr("HTML files (*.html)")
            ),
            tr("A page, to which the Results Viewer links under this name."),
        )
        self.addOutput(QgsProcessingOutputNumber(DATASETS, tr("Number of datasets")))

    def read(self, parameters, context):
        path = ledger_path(self, parameters, context)
        if not path.is_file():
            raise geodp.FileError(
                tr(
                    "There is no ledger {} yet: it is made by the first private histogram that "
                    "names its data and their cap."
                ).format(path)
            )
        return geodp.Ledger(path)

    def carry_out(self, ledger, parameters, context, feedback):
        accounts = [account.statement() for account in ledger.accounts()]
        target = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        with whole_file(target) as draft:
            draft.write_text(page(ledger.path, accounts), encoding="utf-8")
        for statement in accounts:
            feedback.pushInfo(f"{statement.name}: {in_words(statement)}")
        return {OUTPUT_HTML: target, DATASETS: len(accounts)}


def in_words(account):
    words = tr("ε = {:g} of {:g} is spent, {:g} is left.").format(
        number(account.spent), number(account.cap), number(account.left)
    )
    if account.unit is not None:
        words += " " + tr("Protected: {}.").format(unit_in_words(account.unit))
    together = account.composed()
    if together < account.spent:
        words += " " + tr(
            "Together the spends are ({:g}, 10⁻⁶)-differentially private, if no ε was chosen "
            "by what an earlier map showed. This is for information: the cap counts the plain sum."
        ).format(number(together))
    return words


def page(path, accounts):
    """Write all accounts with their spends, as HTML."""
    return PAGE.format(
        title=escape(tr("Ledger of private releases")),
        path=escape(str(path)),
        accounts="\n".join(_account(account) for account in accounts),
        reading=escape(
            tr(
                "Spends are recorded before the noise is drawn and are never given back, so a run "
                "that failed afterwards is counted as well."
            )
        ),
    )


def _account(account):
    heads = (tr("When"), "ε", tr("Protected"), tr("What for"), tr("Note"))
    lines = [
        (entry.at, f"{number(entry.epsilon):g}", unit_in_words(entry.unit), entry.what, entry.note)
        for entry in account.entries
    ]
    rows = "\n".join(f"<tr>{_cells('td', line)}</tr>" for line in lines)
    return (
        f"<h2>{escape(account.name)}</h2>\n<p>{escape(in_words(account))}</p>\n"
        f"<table>\n<tr>{_cells('th', heads)}</tr>\n{rows}\n</table>"
    )


def _cells(tag, words):
    return "".join(f"<{tag} align='left'>{escape(word)}</{tag}>" for word in words)
