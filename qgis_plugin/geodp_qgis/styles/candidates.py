# SPDX-License-Identifier: GPL-2.0-or-later
"""Candidate grids as outlines, one class each; only the coarsest is ticked at first."""

from qgis.core import QgsCategorizedSymbolRenderer, QgsFillSymbol, QgsRendererCategory

from .post import when_loaded

FIELD = "candidate"
COLOURS = ("#1b6ca8", "#b2182b", "#2a7f3f", "#7b3294", "#b35806")


def style_candidates(destination, names, context):
    def dress(layer, _):
        layer.setRenderer(renderer(names))

    when_loaded(destination, dress, context)


def renderer(names):
    categories = []
    for position, name in enumerate(names):
        symbol = QgsFillSymbol.createSimple(
            {
                "style": "no",
                "outline_color": COLOURS[position % len(COLOURS)],
                "outline_width": "0.2",
            }
        )
        categories.append(QgsRendererCategory(name, symbol, name, position == 0))
    return QgsCategorizedSymbolRenderer(FIELD, categories)
