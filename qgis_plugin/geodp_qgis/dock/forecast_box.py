# SPDX-License-Identifier: GPL-2.0-or-later
"""ε as a slider and a number, the chart that follows it, and the cells to show on the map."""

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
)

from ..library import geodp, np
from ..messages import shown
from ..translation import tr
from .chart import ForecastChart
from .foresight import in_words
from .state import EPSILONS


class ForecastBox(QGroupBox):
    """Ask how private, and show what error that comes to.

    Signals
    -------
    changed
        ε is another.
    previewed
        Other cells shall be shown.
    """

    changed = pyqtSignal()
    previewed = pyqtSignal()

    def __init__(self):
        super().__init__(tr("How priva&te, and how exact?"))
        self.slider, self.number = QSlider(Qt.Orientation.Horizontal), QDoubleSpinBox()
        self.chart, self.reading = ForecastChart(), QLabel()
        self.shown, self.size = QCheckBox(tr("Show cells")), QComboBox()
        self._grids, self._curves, self._adaptive = [], None, False
        self._sentence, self._cells = "", None
        self._build()
        self.slider.valueChanged.connect(self._slide)
        self.number.valueChanged.connect(self._type)
        self.chart.picked.connect(self.number.setValue)
        self.shown.toggled.connect(self._choose)
        self.size.currentIndexChanged.connect(self._choose)
        self.number.setValue(1.0)

    def _build(self):
        self.slider.setRange(0, len(EPSILONS) - 1)
        self.number.setRange(EPSILONS[0], EPSILONS[-1])
        self.number.setDecimals(3)
        self.number.setSingleStep(0.1)
        words = tr(
            "How much may be learnt about any one record, or person. Smaller is more private and "
            "noisier: 0.1 is strict, 1 is common. Budgets of several releases of one layer add up."
        )
        for widget, name in (
            (self.slider, tr("Privacy budget ε, by steps")),
            (self.number, tr("Privacy budget ε")),
        ):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(words)
            widget.setToolTip(words)
        self.reading.setWordWrap(True)
        self.shown.setChecked(True)
        self.shown.setToolTip(tr("Show on the map the cells that it may have; free"))
        self.size.setAccessibleName(tr("Cells to show on the map"))
        self.size.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.size.setMinimumContentsLength(8)
        self.size.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(QLabel("ε"))
        row.addWidget(self.slider, 1)
        row.addWidget(self.number)
        column.addLayout(row)
        column.addWidget(self.chart)
        column.addWidget(self.reading)
        row = QHBoxLayout()
        row.addWidget(self.shown)
        row.addWidget(self.size, 1)
        column.addLayout(row)

    def stops(self):
        return self.slider, self.number, self.shown, self.size

    @property
    def epsilon(self):
        return self.number.value()

    # --- ε ----------------------------------------------------------------------------------

    def _slide(self, place):
        self.number.setValue(EPSILONS[place])

    def _type(self, epsilon):
        nearest = int(np.abs(np.log(EPSILONS) - np.log(epsilon)).argmin())
        # The slider shows about where a typed number is, and does not change it.
        self.slider.blockSignals(True)
        self.slider.setValue(nearest)
        self.slider.blockSignals(False)
        self._read()
        self.changed.emit()

    # --- the forecast -----------------------------------------------------------------------

    def show_nothing(self, why):
        """Show no forecast, and the sentence that says why."""
        self._grids, self._curves, self._sentence, self._cells = [], None, "", None
        self._fill_sizes()
        self.chart.show_curves(None, why)
        self._read()

    def show_sentence(self, text, cells=None):
        """Say all that there is to say, where no chart is needed; ``cells`` may be shown."""
        self._grids, self._curves, self._sentence, self._cells = [], None, text, cells
        self._fill_sizes()
        self._read()

    def wait_for(self, grids, adaptive):
        """Wait for sizes to show; the old curves stay until the new ones are there."""
        self._adaptive, self._sentence, self._cells = adaptive, "", None
        if grids != self._grids:
            self._grids, self._curves = grids, None
            self.chart.show_curves(None, tr("Looking ahead …"))
        self._fill_sizes()
        self._read()

    def show_curves(self, curves, message):
        """Return what was foreseen, or why nothing could be."""
        self._curves = curves
        self.chart.show_curves(curves, message)
        self._fill_sizes()
        self._read()
        self.previewed.emit()

    def _fill_sizes(self):
        """Fill the list of sizes: first, if it can be told, the one that would suit."""
        known = self._curves is not None and self._curves.foresees_error and not self._adaptive
        entries = [tr("that would suit")] if known else []
        entries += [
            "{2}, {0} × {1}".format(*grid.shape, shown(geodp.cell_size(grid)))
            for grid in self._grids
        ]
        if entries == [self.size.itemText(place) for place in range(self.size.count())]:
            return
        self.size.blockSignals(True)
        self.size.clear()
        self.size.addItems(entries)
        self.size.blockSignals(False)

    def _chosen(self):
        """Return which size is looked at."""
        offset = self.size.count() - len(self._grids)
        if offset and self.size.currentIndex() == 0:
            return self._curves.best(self.epsilon)
        return max(self.size.currentIndex() - offset, 0)

    def _choose(self, _value=None):
        self._read()
        self.previewed.emit()

    def _read(self):
        """Let chart and sentence follow ε and the size."""
        text = self._sentence
        for widget in (self.chart, self.size):
            widget.setVisible(not text)
        self.shown.setVisible(not text or self._cells is not None)
        if self._curves is not None:
            best = self._curves.best(self.epsilon)
            self.chart.show_at(self.epsilon, best if self._adaptive else self._chosen())
            text = in_words(self._curves, self.epsilon, self._adaptive)
        self.reading.setText(text)
        self.reading.setVisible(bool(text))
        self.chart.setAccessibleDescription(text)

    def cells_to_show(self):
        """Return the cells that shall be shown on the map, or None."""
        if not self.shown.isChecked():
            return None
        if self._grids:
            return self._grids[self._chosen()]
        return None if self._cells is None else self._cells.grid
