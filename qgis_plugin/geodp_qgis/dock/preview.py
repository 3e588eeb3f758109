# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells on the map before anything is spent: lines over the canvas, no layer. Public."""

from qgis.core import QgsCsException, QgsGeometry, QgsPointXY, QgsWkbTypes
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtGui import QColor

from ..library import np

LINES = 2000
"""Of more cells than this across, only the outer edges are drawn: the others would be a blur."""

HEXAGONS = 20_000
"""More hexagons than these are not drawn."""

CORNERS = 33
"""Points along a line, which is curved in another CRS."""


class Preview:
    """The lines of one grid at a time on a canvas; hexagons are a grid as well."""

    def __init__(self, canvas):
        self._canvas = canvas
        self._band = None
        self._shown = None
        self._visible = True
        canvas.destinationCrsChanged.connect(self._redraw)

    def show(self, grid, crs):
        """Draw a grid, in place of the one before; None for none."""
        if (grid, crs) != self._shown:
            self._shown = (grid, crs)
            self._redraw()

    def set_visible(self, visible):
        self._visible = visible
        self._redraw()

    def remove(self):
        """Leave the canvas for good."""
        self._canvas.destinationCrsChanged.disconnect(self._redraw)
        self.set_visible(False)

    def _redraw(self):
        if self._band is not None:
            self._canvas.scene().removeItem(self._band)
            self._band = None
        if not self._visible or self._shown is None or self._shown[0] is None:
            return
        grid, crs = self._shown
        self._band = QgsRubberBand(self._canvas, QgsWkbTypes.GeometryType.LineGeometry)
        self._band.setColor(QColor(27, 108, 168, 190))
        self._band.setWidth(1)
        try:
            self._band.setToGeometry(QgsGeometry.fromMultiPolylineXY(lines(grid)), crs)
        except QgsCsException:  # no such place on this canvas
            self._band.reset(QgsWkbTypes.GeometryType.LineGeometry)


def lines(grid):
    """Return the lines between the cells of a grid, and around them."""
    if hasattr(grid, "corners"):
        return rings(grid)
    xs, ys = (_some(edges) for edges in (grid.x_edges, grid.y_edges))
    along_x = np.linspace(xs[0], xs[-1], CORNERS)
    along_y = np.linspace(ys[0], ys[-1], CORNERS)
    across = [[QgsPointXY(x, y) for y in along_y] for x in xs]
    return across + [[QgsPointXY(x, y) for x in along_x] for y in ys]


def rings(hexagons):
    """Return the rings of hexagons; none of very many."""
    if len(hexagons) > HEXAGONS:
        return []
    corners = hexagons.corners(np.arange(len(hexagons)))
    closed = np.concatenate([corners, corners[:, :1]], axis=1)
    return [[QgsPointXY(*corner) for corner in ring] for ring in closed.tolist()]


def _some(edges):
    return edges if len(edges) <= LINES else edges[[0, -1]]
