# SPDX-License-Identifier: GPL-2.0-or-later
"""The forecast as a small chart: error against ε, both by powers of ten, and a mark that follows ε.

Painted by hand in the colours of QGIS's theme, so that it can be read in light and dark themes. It
is a label because themes colour the text of labels, and not of widgets that they do not know.
"""

from qgis.PyQt.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF, QTextOption
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy

from ..library import geodp, np
from ..messages import local, number
from ..translation import tr

LEAST, MOST = 9, 16
"""Height, in lines of text; in between it is half the width."""

MARGIN = 6
"""Pixels around everything."""


class ForecastChart(QLabel):
    """Draws :class:`~.foresight.Curves`, one of them in colour.

    Signals
    -------
    picked : float
        An ε that was pointed at.
    """

    picked = pyqtSignal(float)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._curves, self._size, self._epsilon, self._text = None, 0, 1.0, ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Errors to expect"))

    def sizeHint(self):
        return QSize(260, self._height(260))

    def minimumSizeHint(self):
        return QSize(160, self._height(160))

    def _height(self, width):
        line = self.fontMetrics().height()
        return min(max(LEAST * line, width // 2), MOST * line)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.setFixedHeight(self._height(self.width()))

    def show_curves(self, curves, text=""):
        """Draw curves, or with None the text that stands in their place."""
        self._curves, self._text = curves, text
        self.update()

    def show_at(self, epsilon, size):
        """Put the mark at an ε, and colour the curve of a size."""
        self._epsilon, self._size = epsilon, size
        self.update()

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, _event):
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = _colours(self.palette())
        if self._curves is None:
            painter.setPen(colours["faint"])
            middle = QTextOption(Qt.AlignmentFlag.AlignCenter)  # and wraps words
            painter.drawText(QRectF(self.rect()), self._text, middle)
        else:
            frame = self._frame()
            self._paint_axes(painter, frame, colours)
            self._paint_curves(painter, frame, colours)
            self._paint_mark(painter, frame, colours)
        painter.end()

    def _frame(self):
        metrics = self.fontMetrics()
        labels = [_label(power) for power in self._powers()]
        left = MARGIN + max(map(metrics.horizontalAdvance, labels)) + MARGIN
        top = MARGIN + metrics.height() + MARGIN  # what the heights are
        bottom = 2 * (metrics.height() + MARGIN)
        return QRectF(self.rect()).adjusted(left, top, -2 * MARGIN, -bottom)

    def _powers(self):
        """Return powers of ten around all errors, from below to above."""
        low, high = self._curves.errors.min(), self._curves.errors.max()
        low = max(low, high / 1e6)
        return range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)

    def _x(self, frame, epsilons):
        low, high = np.log(self._curves.epsilons[[0, -1]])
        return frame.left() + frame.width() * (np.log(epsilons) - low) / (high - low)

    def _y(self, frame, errors):
        powers = self._powers()
        low, high = powers[0], max(powers[-1], powers[0] + 1)
        part = (np.log10(np.maximum(errors, 10.0**low)) - low) / (high - low)
        return frame.bottom() - frame.height() * part

    def _paint_axes(self, painter, frame, colours):
        metrics = painter.fontMetrics()
        for power in self._powers():
            y = float(self._y(frame, 10.0**power))
            painter.setPen(QPen(colours["line"], 1))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(colours["text"])
            x = frame.left() - metrics.horizontalAdvance(_label(power)) - MARGIN
            painter.drawText(QPointF(x, y + metrics.ascent() / 2 - 1), _label(power))
        line = frame.bottom() + MARGIN / 2 + metrics.height()
        for epsilon in 10.0 ** np.arange(-2, 2):
            label = f"{number(epsilon):g}"
            x = float(self._x(frame, epsilon)) - metrics.horizontalAdvance(label) / 2
            painter.drawText(QPointF(x, line), label)
        below = tr("ε: smaller is more private")
        x = max(frame.center().x() - metrics.horizontalAdvance(below) / 2, MARGIN)
        painter.drawText(QPointF(x, line + metrics.height()), below)
        complete = self._curves.foresees_error
        what = tr("± records of a region") if complete else tr("± records of noise, a region")
        painter.drawText(QPointF(MARGIN, MARGIN + metrics.ascent()), what)

    def _paint_curves(self, painter, frame, colours):
        painter.save()
        painter.setClipRect(frame.adjusted(-1, -1, 1, 1))
        xs = self._x(frame, self._curves.epsilons)
        for size, errors in enumerate(self._curves.errors):
            if size != self._size:
                painter.setPen(QPen(colours["pale"], 1))
                painter.drawPolyline(_polygon(xs, self._y(frame, errors)))
        painter.setPen(QPen(colours["strong"], 2.2))
        painter.drawPolyline(_polygon(xs, self._y(frame, self._curves.errors[self._size])))
        painter.restore()

    def _paint_mark(self, painter, frame, colours):
        epsilons = self._curves.epsilons
        epsilon = min(max(self._epsilon, epsilons[0]), epsilons[-1])
        error = self._curves.at(epsilon)[self._size]
        x, y = float(self._x(frame, epsilon)), float(self._y(frame, error))
        painter.setPen(QPen(colours["strong"], 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
        painter.setPen(QPen(colours["text"], 1))
        painter.setBrush(colours["strong"])
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)
        label = f"± {local(geodp.significant(error))}"
        metrics = painter.fontMetrics()
        wide, high = metrics.horizontalAdvance(label), metrics.height()
        # Curves fall: they leave room above on the right, and below on the left.
        is_right = x + wide + 3 * MARGIN < frame.right()
        left = x + 2 * MARGIN if is_right else x - wide - 2 * MARGIN
        top = y - high - MARGIN if is_right else y + MARGIN
        top = min(max(top, frame.top()), frame.bottom() - high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours["plate"])
        painter.drawRoundedRect(QRectF(left - 3, top, wide + 6, high), 3, 3)
        painter.setPen(colours["text"])
        painter.drawText(QPointF(left, top + metrics.ascent()), label)

    # --- pointing ---------------------------------------------------------------------------

    def mousePressEvent(self, event):
        self._pick(event)

    def mouseMoveEvent(self, event):
        self._pick(event)

    def _pick(self, event):
        if self._curves is None:
            return
        frame, epsilons = self._frame(), self._curves.epsilons
        nearest = np.abs(self._x(frame, epsilons) - event.pos().x()).argmin()
        self.picked.emit(float(epsilons[nearest]))


def _polygon(xs, ys):
    return QPolygonF([QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist())])


def _label(power):
    return f"{number(10.0**power):,.12g}"


def _colours(palette):
    """Return shades of the text's colour, right on any theme; the ground is not always known."""
    text = palette.color(QPalette.ColorRole.WindowText)
    is_light = text.lightness() > 127
    return {
        "text": text,
        "plate": QColor(0, 0, 0, 150) if is_light else QColor(255, 255, 255, 190),
        "faint": _shade(text, 200),
        "pale": _shade(text, 100),
        "line": _shade(text, 45),
        "strong": palette.color(QPalette.ColorRole.Highlight),
    }


def _shade(colour, opacity):
    return QColor(colour.red(), colour.green(), colour.blue(), opacity)
