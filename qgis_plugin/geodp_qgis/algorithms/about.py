# SPDX-License-Identifier: GPL-2.0-or-later
"""About a private histogram: what a file promises, for people."""

from html import escape

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFileDestination,
)

from ..adapters import domain_crs
from ..library import geodp
from ..messages import named, said, shown
from ..rasters import whole_file
from ..translation import tr
from ..vectors import release_from_layer
from .base import GeodpAlgorithm
from .framing import add_release

INPUT = "INPUT"
OUTPUT_HTML = "OUTPUT_HTML"
PROMISE = "PROMISE"
EPSILON = "EPSILON"

PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head>
<body>
<h1>{title}</h1>
<p>{promise}</p>
<p>{counted}</p>
<table>
{rows}
</table>
<h2>{again}</h2>
<p>{verified}</p>
<p>{reading}</p>
</body></html>
"""


class About(GeodpAlgorithm):
    NAME = "about"
    HELP = "about.html"
    ICON = "about.svg"

    def displayName(self):
        return tr("About a private histogram")

    def tags(self):
        return tr("privacy,metadata,promise,epsilon,budget").split(",")

    def shortDescription(self):
        return tr("Says what a released raster promises, what it cost and how noisy it is.")

    def initAlgorithm(self, configuration=None):
        add_release(self, INPUT)
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML, tr("What the histogram promises"), tr("HTML files (*.html)")
            ),
            tr("A page, to which the Results Viewer links under this name."),
        )
        self.addOutput(QgsProcessingOutputString(PROMISE, tr("Promise in one sentence")))
        self.addOutput(QgsProcessingOutputNumber(EPSILON, tr("ε that was spent")))

    def read(self, parameters, context):
        return release_from_layer(self.parameterAsLayer(parameters, INPUT, context))

    def carry_out(self, release, parameters, context, feedback):
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        with whole_file(path) as draft:
            draft.write_text(page(release), encoding="utf-8")
        feedback.pushInfo(said(release.promise))
        feedback.pushInfo(said(release.counted))
        for line in str(geodp.verify(release)).splitlines():
            feedback.pushInfo(said(line))
        return {OUTPUT_HTML: path, PROMISE: release.promise, EPSILON: float(release.epsilon)}


def page(release):
    """Describe the release in words, as HTML."""
    rows = "\n".join(
        f"<tr><th align='left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
        for name, value in facts(release)
    )
    return PAGE.format(
        title=escape(tr("About this private histogram")),
        promise=escape(said(release.promise)),
        counted=escape(said(release.counted)),
        verified="<br>".join(
            escape(said(line)) for line in str(geodp.verify(release)).splitlines()
        ),
        rows=rows,
        again=escape(tr("ε added up again, from the counts")),
        reading=escape(
            tr(
                "Counts are signed: where few records lie, the noise makes some of them negative. "
                "Leave them so, since sums over many cells then come out right. For totals with "
                "error bars use 'Query a private histogram'."
            )
        ),
    )


def facts(release):
    """List pairs of names and values, all from what is published."""
    for fact in release.describe().about():
        if fact.key == "crs":
            yield named(fact.label), domain_crs(release.domain).userFriendlyIdentifier()
        elif fact.key not in ("promise", "counted"):  # they stand above the table
            yield named(fact.label), shown(fact.text)
