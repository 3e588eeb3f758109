# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask for a public rectangle: typed, drawn, a bookmark's or a public layer's.

QGIS's own extent box offers the extent of every layer with one click, that of the points as well.
This one offers no layer of points at all.
"""

from functools import partial

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer, QgsWkbTypes
from qgis.gui import QgsMapToolExtent
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from ..translation import tr
from .state import extent_in_words, rounded


class ExtentBox(QWidget):
    """A line for a rectangle, and a button with places to take it from.

    Signals
    -------
    changed
        The rectangle is another.
    """

    changed = pyqtSignal()

    def __init__(self, canvas, parent=None):
        super().__init__(parent)
        self._canvas, self._tool, self._tool_before = canvas, None, None
        self.line = QLineEdit()
        self.line.setPlaceholderText(tr("such as 490000,510000,5390000,5410000 [EPSG:32633]"))
        self.line.setToolTip(tr("xmin, xmax, ymin, ymax [EPSG:…]"))
        self.line.textChanged.connect(self.changed)
        self.button = QToolButton()
        self.button.setText("…")
        self.button.setToolTip(tr("Draw a rectangle, or take a public one"))
        self.button.setAccessibleName(tr("Draw a rectangle, or take a public one"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.button)
        menu.aboutToShow.connect(self._fill)
        self.button.setMenu(menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line)
        row.addWidget(self.button)
        self.setFocusProxy(self.line)

    def text(self):
        return self.line.text()

    def _fill(self):
        menu = self.button.menu()
        menu.clear()
        menu.addAction(tr("Draw on the map"), self.draw)
        for title, boxes in (
            (tr("Extent of a public layer"), public_layers()),
            (tr("Spatial bookmark"), bookmarks()),
        ):
            part = menu.addMenu(title)
            part.setEnabled(bool(boxes))
            for name, box, crs in boxes:
                part.addAction(name.replace("&", "&&"), partial(self._take, box, crs))

    def _take(self, box, crs):
        self._put((box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()), crs)

    def _put(self, sides, crs):
        self.line.setText(extent_in_words(sides, crs.authid()))
        self.line.setCursorPosition(0)

    def draw(self):
        """Let a rectangle be drawn on the map; it is made round."""
        if self._tool is None:
            self._tool = QgsMapToolExtent(self._canvas)
            self._tool.extentChanged.connect(self._drawn)
        if self._canvas.mapTool() is not self._tool:
            self._tool_before = self._canvas.mapTool()
        self._canvas.setMapTool(self._tool)

    def _drawn(self, box):
        self._canvas.setMapTool(self._tool_before)
        if box.isEmpty():
            return
        sides = rounded(box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
        self._put(sides, self._canvas.mapSettings().destinationCrs())

    def leave(self):
        """Give the map its former tool back."""
        if self._tool is not None and self._canvas.mapTool() is self._tool:
            self._canvas.setMapTool(self._tool_before)


def public_layers():
    """List layers of polygons and rasters, with their extents: name, rectangle, CRS."""
    layers = QgsProject.instance().mapLayers().values()
    named = [(layer.name(), layer) for layer in layers if _is_public(layer)]
    return [
        (name, layer.extent(), layer.crs()) for name, layer in sorted(named, key=lambda x: x[0])
    ]


def _is_public(layer):
    if isinstance(layer, QgsVectorLayer):
        kind = layer.geometryType()
        return layer.isValid() and kind == QgsWkbTypes.GeometryType.PolygonGeometry
    return isinstance(layer, QgsRasterLayer) and layer.isValid()


def bookmarks():
    """List spatial bookmarks of the project: name, rectangle, CRS."""
    kept = QgsProject.instance().bookmarkManager().bookmarks()
    return [(bookmark.name(), bookmark.extent(), bookmark.extent().crs()) for bookmark in kept]
