# SPDX-License-Identifier: GPL-2.0-or-later
"""The dock itself: the three questions, ε with its forecast, the call, and one button."""

from pathlib import Path

from qgis.core import QgsApplication, QgsProject
from qgis.PyQt.QtCore import Qt, QTimer, QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QDockWidget,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ..algorithms.base import sentence
from ..library import geodp
from ..question import may_spend, nothing_spent
from ..translation import help_page, tr
from .answer import Answer
from .call_box import CallBox
from .figures import Figures
from .foot import Foot
from .forecast_box import ForecastBox
from .foresight import Foresight, polygons_in_words, read_hexagons, read_public_inputs
from .more import More
from .preview import Preview
from .protected import Protected
from .questions import Public
from .running import Running, call_in_words, refusal
from .state import HEXAGONS, Wish, chosen_algorithm
from .wheel import WheelGuard

TWO_COLUMNS = 85
"""Width in letters from which the forecast stands beside the questions."""

PAUSE = 300
"""Milliseconds without a key before the forecast is made anew."""


class PrivateMapDock(QDockWidget):
    """Three questions, what error to expect, one button.

    Parameters
    ----------
    canvas : QgsMapCanvas
        Where cells are shown and rectangles are drawn.
    """

    def __init__(self, canvas, parent=None):
        super().__init__(tr("Private map"), parent)
        self.setObjectName("geodp:dock")
        self.protected, self.public, self.answer = Protected(), Public(canvas), Answer()
        self.figures, self.more = Figures(), More()
        self.forecast, self.preview = ForecastBox(), Preview(canvas)
        self.call, self.foot = CallBox(), Foot()
        self.running, self._place, self._hexagons = Running(self), None, None
        self._foresights = []  # the last one counts; others were cancelled and are about to end
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._build()
        self._connect()
        self.preselect()
        self._look_ahead()

    def _questions(self):
        return self.protected, self.public, self.answer, self.figures, self.more

    # --- the widgets ------------------------------------------------------------------------

    def _build(self):
        questions, outlook = QVBoxLayout(), QVBoxLayout()
        for part in self._questions():
            questions.addWidget(part)
        for part in (self.forecast, self.call):
            outlook.addWidget(part)
        inner = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, inner)
        for column in (questions, outlook):
            column.setSpacing(4)
            column.addStretch()
            self._columns.addLayout(column)
        self._columns.setContentsMargins(6, 3, 6, 3)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(inner)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._area)
        layout.addWidget(self.foot)
        self.setWidget(body)
        self._order_tabs()
        self._wheel = WheelGuard(self)
        self._wheel.watch(inner)
        self._arrange()

    def _arrange(self):
        """Arrange the questions above the forecast, or beside it where there is room for words."""
        ways, bar = QBoxLayout.Direction, self._area.verticalScrollBar()
        # Fonts and frames differ between themes.
        aside = max(bar.sizeHint().width(), bar.width() if bar.isVisible() else 0)
        aside += 2 * self._area.frameWidth()
        columns = [self._columns.itemAt(place).layout() for place in (0, 1)]
        margins = self._columns.contentsMargins()
        least = self._columns.spacing() + margins.left() + margins.right() + aside
        least += sum(column.minimumSize().width() for column in columns)
        usual = TWO_COLUMNS * self.fontMetrics().averageCharWidth()
        beside = self.width() >= max(usual, least)
        self._columns.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        for column in (0, 1):
            self._columns.setStretch(column, int(beside))
        if not beside:
            self._area.setMinimumWidth(self._area.widget().minimumSizeHint().width() + aside)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    def _order_tabs(self):
        first, *others = [
            *(stop for question in self._questions() for stop in question.stops()),
            *self.forecast.stops(),
            *self.call.stops(),
            *self.foot.stops(),
        ]
        for stop in others:
            QWidget.setTabOrder(first, stop)
            first = stop

    def _connect(self):
        self.protected.points.layerChanged.connect(self.public.doubt)
        self.protected.points.layerChanged.connect(self.more.see_layer)
        self.protected.points.layerChanged.connect(self.figures.see_points)
        self.answer.districts.layerChanged.connect(self.figures.see_districts)
        for question in self._questions():
            question.changed.connect(self._change)
        self.forecast.changed.connect(self._change_epsilon)
        self.forecast.previewed.connect(self._show_preview)
        self._timer.timeout.connect(self._look_ahead)
        self.visibilityChanged.connect(self._see_visible)
        QgsProject.instance().layerWillBeRemoved[str].connect(self._release)
        QgsProject.instance().layersAdded.connect(self.preselect)
        QgsProject.instance().cleared.connect(self._forget)
        QgsProject.instance().crsChanged.connect(self._see_project)
        self.foot.make.clicked.connect(self.start)
        self.foot.cancel.clicked.connect(self._cancel)
        self.foot.more.clicked.connect(self._open_dialog)
        self.foot.help.clicked.connect(self._open_help)
        self.running.progressed.connect(self.foot.show_progress)
        self.running.said.connect(self.foot.progress.setFormat)
        self.running.ended.connect(self._end)

    # --- what is asked for ------------------------------------------------------------------

    def wish(self):
        """Return everything that is asked for, as it stands."""
        answers = {}
        for question in self._questions():
            answers |= question.answers()
        return Wish(**answers, epsilon=self.forecast.epsilon)

    def preselect(self, _layers=()):
        """Fill in what can only be meant, where nothing was chosen."""
        self.protected.preselect()
        self.public.preselect()

    def _forget(self):
        """Forget what was said of this project's place: another project begins."""
        for question in (self.public, self.answer, self.figures, self.more):
            question.forget()

    def _see_project(self):
        self.preselect()
        self.public.see_offer()

    def _change(self):
        self._timer.start()
        self._change_epsilon()

    def _change_epsilon(self):
        """Do what follows at once from every change; the rest waits for a pause."""
        self.foot.say("")
        self._see_answers()
        self._see_kind()
        self._show_preview()

    def _see_answers(self):
        wish = self.wish()
        self.protected.see_epsilon(wish.epsilon)
        is_complete = wish.lacks() is None
        self.call.show_call(call_in_words(wish.parameters()) if is_complete else "")
        self._arrange()

    def _see_kind(self):
        """See the kind of cells: districts say where, and what to expect of polygons follows ε."""
        wish = self.wish()
        self.public.setEnabled(not wish.by_districts)
        self.more.see_kind(wish.by_polygons)
        self.figures.see_kind(wish.kind)
        if not wish.by_polygons:
            return
        lacking, hexagons = wish.lacks_place(), None if wish.by_districts else self._hexagons
        if lacking:
            self.forecast.show_nothing(lacking[1])
        elif wish.by_districts or hexagons is not None:  # of others it was said what is wrong
            self.forecast.show_sentence(polygons_in_words(wish, hexagons), hexagons)

    def _see_ledger(self):
        self.protected.offer_names()
        self.protected.see_ledger()
        self._see_answers()

    # --- looking ahead ----------------------------------------------------------------------

    def _look_ahead(self):
        """Make the forecast and the cells to show anew, from public inputs alone."""
        self._timer.stop()
        for foresight in list(self._foresights):
            foresight.cancel()  # and leaves the list
        self._place, self._hexagons, wish = None, None, self.wish()
        lacking = wish.lacks_place()
        if lacking:
            self.forecast.show_nothing(lacking[1])
        elif wish.by_districts:
            self._see_kind()
        else:
            try:
                self._look_at(wish)
            except geodp.GeodpError as error:
                self.forecast.show_nothing(sentence(error))
        self._see_ledger()
        self._show_preview()

    def _look_at(self, wish):
        """Look at a place; what is wrong with it is told."""
        if wish.kind == HEXAGONS:
            self._hexagons = read_hexagons(wish)
            self._see_kind()
            return
        self._place = read_public_inputs(wish)
        self.forecast.wait_for(self._place.grids, wish.adaptive)
        layers = (wish.within, wish.within_raster, wish.regions)
        self._foresights.append(Foresight(self._place, layers, self._foreseen))
        QgsApplication.taskManager().addTask(self._foresights[-1])

    def _release(self, layer):
        """Let go of a layer, by its id, that is about to be removed: no thread may read it then."""
        self.running.release(layer)
        for foresight in list(self._foresights):
            if layer in foresight.layers:
                foresight.end()

    def _foreseen(self, foresight, _successful):
        is_last = foresight is self._foresights[-1]
        self._foresights.remove(foresight)  # QGIS deletes it after this
        if is_last and not foresight.feedback.isCanceled():
            self.forecast.show_curves(foresight.curves, foresight.message)

    def _show_preview(self):
        place = self._place or self._hexagons
        cells = None if place is None else self.forecast.cells_to_show()
        self.preview.show(cells, None if place is None else place.crs)

    def _see_visible(self, visible):
        self.preview.set_visible(visible)
        if visible:
            self.preselect()
            self._see_ledger()
            QTimer.singleShot(0, self._arrange)  # once its parts have their sizes
        else:
            self.public.extent.leave()

    # --- running ----------------------------------------------------------------------------

    def start(self):
        """Make the map, or say why not."""
        if self.running.is_active:
            return
        self._see_ledger()
        wish = self.wish()
        place, why = self._lacking(wish)
        if why:
            self.figures.unfold(place)
            place.setFocus()
        else:
            why = taken(wish) or refusal(wish.parameters())
        if why:
            self.foot.say(why)
            return
        doubts = self.protected.doubts(wish.epsilon)
        if doubts and not self.confirm(doubts):
            self.foot.say(nothing_spent())
            return
        self.protected.remember()
        self.foot.say("")
        self.foot.show_running(True)
        layers = [wish.points, wish.within, wish.within_raster, wish.regions, wish.districts]
        self.running.start(wish.parameters(), layers)

    def confirm(self, text):
        """Ask whether to spend more on data on which something was spent."""
        return may_spend(self, tr("Private map"), text)

    def _lacking(self, wish):
        """Find where to go on, and a sentence that says so."""
        places = {
            "points": self.protected.points,
            "extent": self.public.extent,
            "crs": self.public.crs,
            "districts": self.answer.districts,
            "named_by": self.figures.named_by,
            "side": self.answer.side,
            "low": self.figures.low,
            "high": self.figures.high,
            "most": self.protected.most,
        }
        field, why = wish.lacks() or (None, "")
        if why:
            return places[field], why
        return self.protected.cap, self.protected.lacks_cap()

    def _cancel(self):
        self.foot.cancel.setEnabled(False)
        self.running.cancel()

    def _end(self, successful, message):
        self.foot.show_running(False)
        if successful:
            self.answer.forget_target()
            self.forecast.shown.setChecked(False)  # the lines would hide what they led to
        done = tr("Done: the private map is in the project. Its ε is spent.")
        if self.running.page:
            done += " " + tr("Report page: {}").format(self.running.page)
        self.foot.say(done if successful else message)
        self._see_ledger()

    # --- the rest ---------------------------------------------------------------------------

    def _open_dialog(self):
        import processing

        wish = self.wish()
        given = {name: value for name, value in wish.parameters().items() if value != ""}
        self._dialog = processing.createAlgorithmDialog(chosen_algorithm(given), given)
        if self._dialog is not None:
            self._dialog.show()

    def _open_help(self):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(help_page("private_map.html"))))

    def leave(self):
        """End what is under way and leave the map as it was; for when the plugin goes."""
        QgsProject.instance().layerWillBeRemoved[str].disconnect(self._release)
        QgsProject.instance().layersAdded.disconnect(self.preselect)
        QgsProject.instance().cleared.disconnect(self._forget)
        QgsProject.instance().crsChanged.disconnect(self._see_project)
        self.protected.leave()
        self._timer.stop()
        self.running.leave()
        for foresight in list(self._foresights):
            foresight.forget()
            foresight.end()
        self.public.extent.leave()
        self.preview.remove()


def taken(wish):
    """Say why a file beside the raster cannot be written: it is there, and nobody was asked."""
    for _, path in wish.further():
        if path and Path(path).exists():
            return tr("{} is there already: choose another name under 'Save as'.").format(path)
    return ""
