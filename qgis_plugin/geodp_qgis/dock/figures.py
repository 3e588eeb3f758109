# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask what counts of polygons may have besides: sums and means, larger units, grey."""

from qgis.core import QgsFieldProxyModel
from qgis.gui import QgsCollapsibleGroupBoxBasic
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from ..translation import tr
from .questions import add_row, field_list, form, show_rows
from .state import DISTRICTS, HEXAGONS


class Figures(QgsCollapsibleGroupBoxBasic):
    """Folded at first, and shown for districts and hexagons alone.

    Signals
    -------
    changed
        An answer is another.
    """

    changed = pyqtSignal()

    def __init__(self):
        super().__init__(tr("Sums, larger units, grey"))
        numeric = QgsFieldProxyModel.Filter.Numeric
        self.amount, self.low, self.high = field_list(numeric), QLineEdit(), QLineEdit()
        self.named_by, self.units, self.larger = field_list(), field_list(), field_list()
        self.grey = QDoubleSpinBox()
        self._kind = None
        self._build()
        self.amount.fieldChanged.connect(self._see_fields)
        self.units.fieldChanged.connect(self._see_fields)
        for box in (self.named_by, self.larger):
            box.fieldChanged.connect(self.changed)
        for line in (self.low, self.high):
            line.textChanged.connect(self.changed)
        self.grey.valueChanged.connect(self.changed)
        self.see_kind(None)
        self.setCollapsed(True)

    def _build(self):
        self.low.setPlaceholderText(tr("lower, such as 0"))
        self.high.setPlaceholderText(tr("upper, such as 10000"))
        bounds = QWidget()
        row = QHBoxLayout(bounds)
        row.setContentsMargins(0, 0, 0, 0)
        for line, name in (
            (self.low, tr("Its lower bound (public)")),
            (self.high, tr("Its upper bound (public)")),
        ):
            line.setAccessibleName(name)
            row.addWidget(line)
        bounds.setFocusProxy(self.low)
        self.grey.setRange(0, 100)
        self.grey.setSingleStep(0.1)
        self.grey.setSpecialValueText(tr("nowhere"))
        asked_for = QWidget()  # unfolding shows all that is right inside of the box
        rows = form(asked_for)
        rows.setContentsMargins(0, 0, 0, 0)
        QVBoxLayout(self).addWidget(asked_for)
        asked = []
        for text, widget, help_text in (
            (
                tr("Add up"),
                self.amount,
                tr(
                    "A field of numbers, such as a damage or a delay: sums and means come beside "
                    "the counts, for the same ε. Say below between which bounds it lies. Records "
                    "without a number there are not counted."
                ),
            ),
            (
                tr("Between"),
                bounds,
                tr(
                    "What lies beyond counts as the bound. Never read it off the points; an upper "
                    "bound of two to five times the mean that you expect is best."
                ),
            ),
            (
                tr("Named by"),
                self.named_by,
                tr("Empty: the first field with another text in every district."),
            ),
            (
                tr("Larger units"),
                self.units,
                tr(
                    "A field of the districts that says in which larger unit each is, such as its "
                    "state: units get counts of their own where that pays, and counts of all "
                    "levels agree."
                ),
            ),
            (
                tr("…and above"),
                self.larger,
                tr("A field of still larger units, such as the country of a state."),
            ),
            (
                tr("Grey above"),
                self.grey,
                tr(
                    "0.5: grey where half of the interval is more than half of the number. Numbers "
                    "stay as they are, and nothing is left out of sums."
                ),
            ),
        ):
            asked.append((add_row(rows, text, widget, help_text), widget))
        _, self._bounds, *self._for_districts, _ = asked

    def stops(self):
        bounds, districts = (self.low, self.high), (self.named_by, self.units, self.larger)
        return self.amount, *bounds, *districts, self.grey

    def see_kind(self, kind):
        """Show what a kind of cells has."""
        if kind != self._kind or kind is None:
            self._kind = kind
            self.setVisible(kind in (DISTRICTS, HEXAGONS))
            self._show_rows()

    def _show_rows(self):
        *others, above = self._for_districts
        show_rows([self._bounds], bool(self.amount.currentField()))
        show_rows(others, self._kind == DISTRICTS)
        show_rows([above], self._kind == DISTRICTS and bool(self.units.currentField()))

    def _see_fields(self, _name=""):
        self._show_rows()
        self.changed.emit()

    def see_points(self, layer):
        """Offer the fields of the points."""
        self.amount.setLayer(layer)
        self.amount.setField("")
        self._see_fields()

    def see_districts(self, layer):
        """Offer the fields of the districts."""
        for box in (self.named_by, self.units, self.larger):
            box.setLayer(layer)
            box.setField("")
        self._see_fields()

    def unfold(self, widget):
        """Unfold where a widget that is to be seen lies here."""
        if self.isAncestorOf(widget):
            self.setCollapsed(False)

    def forget(self):
        """Take back what was said of another project's records."""
        for line in (self.low, self.high):
            line.clear()
        self.grey.setValue(0)

    def answers(self):
        units = self.units.currentField()
        above = self.larger.currentField() if units else ""
        return {
            "amount": self.amount.currentField(),
            "low": self.low.text(),
            "high": self.high.text(),
            "named_by": self.named_by.currentField(),
            "levels": tuple(filter(None, (above, units))),
            "grey": self.grey.value() or None,
        }
