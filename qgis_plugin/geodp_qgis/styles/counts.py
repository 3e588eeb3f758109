"""Counts in colours that part at zero; class breaks are multiples of the noise, which is public.

A reader sees at once which cells stand out of the noise. The breaks do not depend on the counts,
so two maps of one ε can be laid side by side.
"""

from qgis.core import (
    QgsColorRampShader,
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRendererRange,
    QgsSingleBandPseudoColorRenderer,
)
from qgis.PyQt.QtGui import QColor

from ..translation import tr
from .post import when_loaded

FIELD = "count"
STEPS = (3, 10, 30, 100)
"""Class breaks above zero, in standard deviations of the noise of one cell; two mirror below."""

COLOURS = ("#2166ac", "#92c5de", "#f2f2f0", "#fddbc7", "#f4a582", "#d6604d", "#b2182b")

FAR = 1e18
"""Beyond any count."""


def classes(release):
    """Lower and upper bound, colour and label of each class."""
    # Counts are whole numbers: breaks at halves leave no count on a border, and with hardly any
    # noise the classes must not shrink to nothing.
    deviation = max(float(release.variance[0, 0]) ** 0.5, 0.5)
    above = [round(step * deviation) + 0.5 for step in STEPS]
    breaks = [-above[1], -above[0], *above]
    lower, upper = [-FAR, *breaks], [*breaks, FAR]
    for low, high, colour in zip(lower, upper, COLOURS):
        yield low, high, QColor(colour), _label(low, high)


def _label(low, high):
    if low == -FAR:
        return tr("{:,.0f} or fewer").format(high - 0.5)
    if high == FAR:
        return tr("{:,.0f} or more").format(low + 0.5)
    words = tr("{:,.0f} to {:,.0f}").format(low + 0.5, high - 0.5)
    return tr("{}: within the noise").format(words) if low < 0 < high else words


def style_counts(destinations, release, context):
    """Give the layers of a release their colours and their promise when they are loaded."""
    described = list(classes(release))

    def dress(layer):
        renderer = raster_renderer if isinstance(layer, QgsRasterLayer) else vector_renderer
        layer.setRenderer(renderer(layer, described))
        about = layer.metadata()
        about.setAbstract(release.promise)
        layer.setMetadata(about)

    for destination in destinations:
        when_loaded(destination, dress, context)


def raster_renderer(layer, described):
    ramp = QgsColorRampShader(-FAR, FAR)
    ramp.setColorRampType(QgsColorRampShader.Type.Discrete)
    ramp.setColorRampItemList(
        [
            QgsColorRampShader.ColorRampItem(high, colour, label)
            for _, high, colour, label in described
        ]
    )
    shader = QgsRasterShader(-FAR, FAR)
    shader.setRasterShaderFunction(ramp)
    return QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)


def vector_renderer(_layer, described):
    ranges = []
    for low, high, colour, label in described:
        symbol = QgsFillSymbol.createSimple({"outline_style": "no"})
        symbol.setColor(colour)
        ranges.append(QgsRendererRange(low, high, symbol, label))
    return QgsGraduatedSymbolRenderer(FIELD, ranges)
