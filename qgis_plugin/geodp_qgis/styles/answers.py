"""Answers as a map: colours by size, pale where the error is larger than half the estimate."""

from qgis.core import (
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsProperty,
    QgsRendererRange,
    QgsSymbol,
)
from qgis.PyQt.QtGui import QColor

from ..library import np
from .post import when_loaded

COLOURS = ("#ffffcc", "#fed976", "#fd8d3c", "#e31a1c", "#800026")

PALE = 30
"""Per cent of its colour that an answer keeps which is hardly more than its error."""

SURE = f'if("std_error" > abs("estimate") / 2, {PALE}, 100)'


def style_answers(destination, columns, context):
    """Dress a layer of answers when it is loaded: by density where there is one."""
    field = "density" if "density" in columns else "estimate"
    limits = breaks(columns[field])
    if limits:
        when_loaded(destination, lambda layer: layer.setRenderer(renderer(field, limits)), context)


def breaks(values):
    """Limits of classes with about as many answers in each; none where there are no answers."""
    known = np.sort(values[np.isfinite(values)])
    if not len(known):
        return []
    return np.unique(np.quantile(known, np.linspace(0, 1, len(COLOURS) + 1))).tolist()


def renderer(field, limits):
    lows, highs = (limits[:-1], limits[1:]) if len(limits) > 1 else (limits, limits)
    ranges = []
    for low, high, name in zip(lows, highs, COLOURS):
        symbol = QgsFillSymbol.createSimple({"outline_color": "#808080", "outline_width": "0.2"})
        symbol.setColor(QColor(name))
        symbol.setDataDefinedProperty(
            QgsSymbol.Property.PropertyOpacity, QgsProperty.fromExpression(SURE)
        )
        ranges.append(QgsRendererRange(low, high, symbol, f"{low:,.4g} – {high:,.4g}"))
    return QgsGraduatedSymbolRenderer(field, ranges)
