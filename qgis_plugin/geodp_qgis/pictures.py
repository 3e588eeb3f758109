"""Maps as pictures for a page, drawn by Qt's painter on an image, which any thread may do.

Sizes, words, classes and the place of the scale bar are the library's; see ``publish/drawing.py``.
"""

from qgis.core import QgsGeometry, QgsPointXY, QgsRectangle
from qgis.PyQt.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from qgis.PyQt.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from .library import drawing, np, picture, shading

POINTS, DOTS = 72, 130
"""In an inch: the unit of everything here, and the dots of the picture."""

MARGIN, GAP = 6, 8
LEGEND = 128
"""Width of the legend beside a map."""

NO_BRUSH, NO_PEN = Qt.BrushStyle.NoBrush, Qt.PenStyle.NoPen
EDGE = QColor("#999999")
HATCH, HATCHED = 5.0, QColor("#666666")


def map_picture(release, rings):
    """A map of counts, or one for each group, as the bytes of a PNG.

    Parameters
    ----------
    rings : list of ndarray
        Public outlines to draw over it, in the release's CRS.
    """
    if release.groups:
        rows, columns, (inches, _) = drawing.arranged(release)
        wide = (inches * POINTS - LEGEND) / columns - GAP
    else:
        rows, columns, wide = 1, 1, single_width(release)
    domain = release.domain
    high, name = wide * domain.height / domain.width, 18 if release.groups else 0
    entries = [(QColor(*each.colour), each.label) for each in reversed(release.legend.classes)]
    size = (columns * (wide + GAP), rows * (high + name + GAP) - GAP)
    sheet = Sheet(size, drawing.legend_words(release), entries, drawing.heading_of(release),
                  below(release))  # fmt: skip
    for number, (title, one) in enumerate(release.maps.items()):
        row, column = divmod(number, columns)
        left, top = column * (wide + GAP), row * (high + name + GAP)
        if name:
            sheet.write_short(left, top + 13, wide, title, 10)
        frame = Frame(sheet, domain, QRectF(left, top + name, wide, high))
        frame.draw_cells(one, release.legend)
        frame.draw_rings(rings, QPen(QColor(drawing.INK), 0.4 if name else 0.6))
        frame.finish(rings, bar=number == 0)
    return sheet.png()


def below(release):
    """What stands under a map: source and publisher, and how records are protected."""
    lines = (drawing.source_of(release.about), drawing.note_of(release))
    return "\n".join(line for line in lines if line)


def regions_picture(release, rings, found, areas):
    """A map of regions by records per area, as the bytes of a PNG.

    Parameters
    ----------
    rings : list of list of ndarray
        Outlines of each region, in the release's CRS.
    found : Answers
        What is known of them.
    areas : ndarray
        Their areas inside the domain, in square kilometres.
    """
    shades = shading.shading_of(found.estimate, found.std_error, areas)
    colours = [QColor(*colour) for colour in shades.colours]
    entries = list(zip(colours[::-1], shades.labels[::-1]))
    if shades.unsure.any():
        entries.append((None, shading.UNSURE_WORDS))
    wide = single_width(release)
    high = wide * release.domain.height / release.domain.width
    sheet = Sheet((wide + GAP, high), shades.words, entries)
    frame = Frame(sheet, release.domain, QRectF(0, 0, wide, high))
    thin = QPen(QColor("white"), 0.4)
    for each, which, unsure in zip(rings, shades.which, shades.unsure):
        colour = colours[which] if which >= 0 else QColor(shading.UNKNOWN)
        frame.draw_rings(each, thin, colour, hatched=unsure)
    frame.finish([ring for each in rings for ring in each], bar=True)
    return sheet.png()


def single_width(release):
    """Points across the only map of a picture."""
    wide, high = (POINTS * inches for inches in drawing.size_of(release))
    wide, high = wide - 1.9 * POINTS, high - 0.5 * POINTS
    return min(wide, high * release.domain.width / release.domain.height)


class Sheet:
    """A white picture with a heading above, a legend at the right and a source below.

    Parameters
    ----------
    size : tuple of float
        Width and height of what is drawn in the middle, in points.
    words, entries : str, list of tuple
        What the legend is of, and its colours with their labels; no colour is hatching.
    heading, source : str
        What stands above and below.
    """

    def __init__(self, size, words, entries, heading="", source=""):
        wide, high = size
        above, below = (broken(*text, wide + LEGEND) for text in ((heading, 11), (source, 8)))
        beside = broken(words, 9, LEGEND)
        tall = 12 * len(beside) + 4 + sum(_height(label) for _, label in entries)
        top, middle, bottom = MARGIN + 15 * len(above), max(high, tall), 11 * len(below) + MARGIN
        scale = DOTS / POINTS
        self._image = QImage(
            round((wide + LEGEND + 2 * MARGIN) * scale),
            round((top + middle + bottom) * scale),
            QImage.Format.Format_RGB32,
        )
        self._image.fill(QColor("white"))
        self.painter = QPainter(self._image)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.scale(scale, scale)
        self.painter.translate(MARGIN, top)
        self._write_lines(0, MARGIN + 11 - top, above, 11, 15)
        self._write_lines(0, middle + 11, below, 8, 11)
        start = (middle - tall) / 2
        self._write_lines(wide, start + 9, beside, 9, 12)
        self._draw_legend(wide, start + 12 * len(beside) + 4, entries)

    def _write_lines(self, left, base, lines, size, step):
        for number, line in enumerate(lines):
            self.write(left, base + number * step, line, size)

    def _draw_legend(self, left, top, entries):
        for colour, label in entries:
            swatch = QRectF(left, top + 1, 18, 9.5)
            self.painter.fillRect(swatch, QColor("white") if colour is None else colour)
            if colour is None:
                path = QPainterPath()
                path.addRect(swatch)
                self.hatch(path)
            self.painter.setPen(QPen(EDGE, 0.3))
            self.painter.setBrush(QBrush(NO_BRUSH))
            self.painter.drawRect(swatch)
            self._write_lines(left + 23, top + 9, label.split("\n"), 8, 10)
            top += _height(label)

    def write(self, left, base, words, size):
        self.painter.setPen(QColor(drawing.INK))
        self.painter.setFont(font(size))
        self.painter.drawText(QPointF(left, base), words)

    def write_short(self, left, base, wide, words, size):
        """One line that is cut short where it does not fit."""
        fits = QFontMetricsF(font(size)).elidedText(words, Qt.TextElideMode.ElideRight, wide)
        self.write(left, base, fits, size)

    def hatch(self, path):
        """Fill what a path bounds with lines that rise to the right."""
        box = path.boundingRect()
        if self.painter.hasClipping():  # where most of it may lie outside
            box = box.intersected(self.painter.clipBoundingRect())
        self.painter.save()
        self.painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        self.painter.setPen(QPen(HATCHED, 0.7))
        # All lines of a picture belong to one family, so that neighbours are hatched alike.
        first = int((box.left() + box.top()) // HATCH)
        for number in range(first, int((box.right() + box.bottom()) // HATCH) + 1):
            start, end = QPointF(box.left(), 0), QPointF(box.right(), 0)
            start.setY(number * HATCH - start.x())
            end.setY(number * HATCH - end.x())
            self.painter.drawLine(start, end)
        self.painter.restore()

    def png(self):
        self.painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._image.save(buffer, "PNG")
        return bytes(buffer.data())


class Frame:
    """A map on a sheet: the domain and no more of what lies on it."""

    def __init__(self, sheet, domain, place):
        self._sheet, self._painter, self._domain, self._place = sheet, sheet.painter, domain, place
        across, down = place.width() / domain.width, place.height() / domain.height
        xmin, _, _, ymax = domain.bounds
        self._on_sheet = QTransform(
            across, 0, 0, -down, place.left() - xmin * across, place.top() + ymax * down
        )
        self._painter.save()
        self._painter.setClipRect(place)

    def draw_cells(self, release, legend):
        """Cells in the colours of their classes; where no records can be there is none."""
        classes = np.array([_number(*each.colour) for each in legend.classes], np.uint32)
        shown = np.append(classes, np.uint32(0))[drawing.painted(release, legend)]
        within = self._domain.within
        if within is not None:
            self._painter.fillRect(self._place, QColor(drawing.NOWHERE))
        self._draw_image(shown, drawing.frame_of(picture.picture_cells(release.cells)))
        if within is not None:
            sea = np.uint32(QColor(drawing.NOWHERE).rgb())
            nowhere = np.where(within.weights > 0, np.uint32(0), sea)
            self._draw_image(nowhere, self._domain.bounds)

    def _draw_image(self, colours, bounds):
        left, bottom, right, top = bounds
        data = np.ascontiguousarray(colours).tobytes()
        rows, columns = colours.shape
        image = QImage(data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        box = self._on_sheet.mapRect(QRectF(left, bottom, right - left, top - bottom))
        self._painter.drawImage(box, image)

    def draw_rings(self, rings, pen, colour=None, hatched=False):
        """Outlines, filled with a colour where one is given."""
        path = QPainterPath()
        for ring in rings:
            points = QPolygonF([QPointF(x, y) for x, y in ring.tolist()])
            path.addPolygon(self._on_sheet.map(points))
            path.closeSubpath()
        if hatched:
            self._painter.fillPath(path, colour)
            self._sheet.hatch(path)
            colour = None
        self._painter.setPen(pen)
        self._painter.setBrush(QBrush(NO_BRUSH) if colour is None else QBrush(colour))
        self._painter.drawPath(path)

    def finish(self, rings, bar):
        """Draw the edge of the map, and the scale bar in a corner where no line is."""
        found = drawing.scale_bar(self._domain, _crossed(rings)) if bar else None
        if found is not None:
            self._draw_bar(found)
        self._painter.restore()
        self._painter.setPen(QPen(EDGE, 0.6))
        self._painter.setBrush(QBrush(NO_BRUSH))
        self._painter.drawRect(self._place)

    def _draw_bar(self, bar):
        start, end = (self._on_sheet.map(QPointF(side, bar.base)) for side in (bar.start, bar.end))
        long = QFontMetricsF(font(8)).horizontalAdvance(bar.words)
        left = max((start.x() + end.x() - long) / 2, self._place.left() + 3)
        left = min(left, self._place.right() - long - 3)  # small maps have short bars
        words = QPainterPath()
        words.addText(QPointF(left, start.y() - 4), font(8), bar.words)
        for colour, line, halo in (("white", 4.5, 3.0), (drawing.INK, 2.0, 0.0)):
            self._painter.setPen(QPen(QColor(colour), line))
            self._painter.drawLine(start, end)
            self._painter.setPen(QPen(QColor(colour), halo) if halo else QPen(NO_PEN))
            self._painter.setBrush(QBrush(QColor(colour)))
            self._painter.drawPath(words)


def _crossed(rings):
    """How long the outlines in a box are."""
    if not rings:
        return None
    lines = QgsGeometry.fromMultiPolylineXY(
        [[QgsPointXY(x, y) for x, y in ring.tolist()] for ring in rings]
    )
    return lambda *box: lines.clipped(QgsRectangle(*box)).length()


def broken(text, size, wide):
    """Lines of a text that fit a width in points; the library reckons with matplotlib's margins."""
    return drawing.fitted(text, size, wide / POINTS + 0.9).split("\n") if text else []


def _height(label):
    """Points that an entry of the legend takes."""
    return 12 + 10 * label.count("\n")


def _number(red, green, blue):
    """A colour as a pixel holds it."""
    return QColor(red, green, blue).rgb()


def font(size):
    """Text of a size in points, whatever the screen."""
    found = QFont("sans-serif")
    found.setStyleHint(QFont.StyleHint.SansSerif)
    found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    found.setPixelSize(size)
    return found
