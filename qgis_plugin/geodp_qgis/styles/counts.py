"""Counts in the library's classes and colours, which follow from the noise and so are public.

The files that geodp writes elsewhere bring the same ones along, so that a release looks alike
wherever it was made.
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

from ..library import style
from .post import when_loaded

FIELD = "count"

FAR = 1e15
"""Beyond any count: QGIS's classes need an end where the library's have none."""


def classes(release):
    """Lower and upper bound, colour and label of each class."""
    for each in style.classes_of(release.scale):
        yield max(each.low, -FAR), min(each.high, FAR), QColor(*each.colour), each.label


def style_counts(destinations, release, context):
    """Give the layers of a release their colours and their promise when they are loaded."""
    described = list(classes(release))

    def dress(layer):
        renderer = raster_renderer if isinstance(layer, QgsRasterLayer) else vector_renderer
        layer.setRenderer(renderer(layer, described))
        about = layer.metadata()
        about.setAbstract(f"{release.promise} {release.counted}")
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
