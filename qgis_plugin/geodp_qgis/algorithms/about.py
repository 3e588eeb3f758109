"""About a private histogram: what a file promises, for people."""

from html import escape

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterRasterLayer,
)

from ..adapters import crs_of
from ..rasters import release_of_layer, whole_file
from ..translation import tr
from .base import GeodpAlgorithm
from .framing import size_in_words

INPUT = "INPUT"
OUTPUT_HTML = "OUTPUT_HTML"
PROMISE = "PROMISE"
EPSILON = "EPSILON"

PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head>
<body>
<h1>{title}</h1>
<p>{promise}</p>
<table>
{rows}
</table>
<p>{reading}</p>
</body></html>
"""


class About(GeodpAlgorithm):
    NAME = "about"
    HELP = "about.html"
    ICON = "about.svg"

    def displayName(self):
        return tr("About a private histogram")

    def group(self):
        return tr("Use a release")

    def groupId(self):
        return "use"

    def tags(self):
        return tr("privacy,metadata,promise,epsilon,budget").split(",")

    def shortDescription(self):
        return tr("Says what a released raster promises, what it cost and how noisy it is.")

    def initAlgorithm(self, configuration=None):
        self.add(
            QgsProcessingParameterRasterLayer(INPUT, tr("Private histogram (raster)")),
            tr("A GeoTIFF that geodp wrote, from QGIS, Python or the command line."),
        )
        self.add(
            QgsProcessingParameterFileDestination(
                OUTPUT_HTML, tr("Page"), tr("HTML files (*.html)")
            ),
            tr("The page that the results viewer shows."),
        )
        self.addOutput(QgsProcessingOutputString(PROMISE, tr("Promise in one sentence")))
        self.addOutput(QgsProcessingOutputNumber(EPSILON, tr("ε that was spent")))

    def read(self, parameters, context):
        return release_of_layer(self.parameterAsRasterLayer(parameters, INPUT, context))

    def carry_out(self, release, parameters, context, feedback):
        path = self.parameterAsFileOutput(parameters, OUTPUT_HTML, context)
        with whole_file(path) as draft:
            draft.write_text(page(release), encoding="utf-8")
        feedback.pushInfo(release.promise)
        return {OUTPUT_HTML: path, PROMISE: release.promise, EPSILON: float(release.epsilon)}


def page(release):
    """The release in words, as HTML."""
    rows = "\n".join(
        f"<tr><th align='left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
        for name, value in facts(release)
    )
    return PAGE.format(
        title=escape(tr("About this private histogram")),
        promise=escape(release.promise),
        rows=rows,
        reading=escape(
            tr(
                "Counts are signed: where few records lie, the noise makes some of them negative. "
                "Leave them so, since sums over many cells then come out right. For totals with "
                "error bars use 'Query a private histogram'."
            )
        ),
    )


def facts(release):
    """Pairs of names and values, all from what is published."""
    grid, method = release.grid, release.method
    crs = crs_of(grid.domain)
    yield tr("Private"), tr("no: made with a seed, for tests") if release.seeded else tr("yes")
    yield tr("Protected unit"), method.unit
    yield tr("Records per unit, at most"), str(method.max_records)
    yield tr("Neighbours"), method.neighbours
    yield tr("ε in all"), f"{float(release.epsilon):g}"
    for spend in release.spends:
        words = f"{float(spend.epsilon):g} ({spend.mechanism})"
        yield tr("ε for {}").format(tr(spend.step)), words
    yield tr("Noise of each cell, standard deviation"), f"{release.variance[0, 0] ** 0.5:.3g}"
    yield tr("Grid"), size_in_words(grid, crs)
    yield tr("Extent"), " ".join(f"{side:.12g}" for side in grid.domain.bounds)
    yield tr("CRS"), crs.userFriendlyIdentifier()
    shapes = ", ".join("{} × {}".format(*other.shape) for other in method.candidates)
    yield tr("Chosen among"), shapes
    yield tr("Tuned for"), method.workload
    yield tr("Tuner"), method.tuner
