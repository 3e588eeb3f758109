# SPDX-License-Identifier: GPL-2.0-or-later
"""The first question: which points, whose they are, and what may be spent on them.

What is asked of the layer of points is its name, its kind and its fields, which are declared.
"""

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel, QgsWkbTypes
from qgis.gui import QgsFieldComboBox
from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QProgressBar,
    QSpinBox,
)

from ..algorithms.accounts import PROPERTY
from ..algorithms.private_points import only_layer
from ..messages import number
from ..translation import tr
from .balance import doubts, in_words, look_up, look_up_layer, names
from .questions import Question, chosen_layer_id, layer_list, narrow


class Protected(Question):
    """Ask what is protected: which points, whose they are, and what may be spent on them."""

    def __init__(self):
        super().__init__(tr("&1  What is protected?"))
        self.points = layer_list(QgsMapLayerProxyModel.Filter.PointLayer)
        self.selected = QCheckBox(tr("Selected features only"))
        self._layer = None
        self.person, self.most = QgsFieldComboBox(), QSpinBox()
        self.name, self.cap = QComboBox(), QDoubleSpinBox()
        self.left, self.balance = QProgressBar(), QLabel()
        self._account = look_up("")
        self._build()
        self._connect()
        self.see_layer(self.points.currentLayer())

    def _build(self):
        self.person.setAllowEmptyFieldName(True)
        kinds = QgsFieldProxyModel.Filter
        self.person.setFilters(kinds.String | kinds.Numeric)
        narrow(self.person)
        self.most.setRange(0, 1_000_000)
        self.most.setSpecialValueText(tr("not set"))
        self.name.setEditable(True)
        self.name.lineEdit().setPlaceholderText(tr("the layer's own"))
        narrow(self.name)
        self.cap.setRange(0, 1000)
        self.cap.setDecimals(3)
        self.cap.setSpecialValueText(tr("not set"))
        self.balance.setWordWrap(True)
        self.left.setAccessibleName(tr("What is left in the ledger"))
        self.ask(
            tr("Po&ints"),
            self.points,
            tr("The layer to protect, one point per record. Nothing but the result leaves it."),
        )
        words = tr("What is not selected is not counted, and how it was chosen is not protected.")
        self.selected.setToolTip(words)
        self.selected.setAccessibleDescription(words)
        self.rows.addRow(self.selected)
        self.ask(
            tr("Person &field"),
            self.person,
            tr(
                "For data where one person can have several records. Empty: records are protected, "
                "not people."
            ),
        )
        self._most_label = self.ask(
            tr("&At most"),
            self.most,
            tr(
                "How many records of each person may count; the noise grows with this number. "
                "Choose it without looking at the layer."
            ),
        )
        self.ask(
            tr("Ledger &name"),
            self.name,
            tr(
                "One name for all layers about the same people: under it, what is spent adds up. "
                "Empty: the layer's own account."
            ),
        )
        self._cap_label = self.ask(
            tr("Cap ε"),
            self.cap,
            tr(
                "The most ε that may ever be spent on these data. Needed once, to enter a new name "
                "into the ledger; a cap is never changed."
            ),
        )
        self.below(self.left)
        self.below(self.balance)

    def _connect(self):
        self.points.layerChanged.connect(self.see_layer)
        self.selected.toggled.connect(self.changed)
        self.person.fieldChanged.connect(self._see_person)
        self.most.valueChanged.connect(self.changed)
        self.name.editTextChanged.connect(self.changed)
        self.cap.valueChanged.connect(self.changed)

    def stops(self):
        return self.points, self.selected, self.person, self.most, self.name, self.cap

    def preselect(self):
        """Choose the only point layer, if none is chosen."""
        if self.points.currentLayer() is None:
            self.points.setLayer(only_layer())

    def see_layer(self, layer):
        self._watch(layer)
        self.person.setLayer(layer)
        self.person.setField("")
        kept = layer.customProperty(PROPERTY, "") if layer is not None else ""
        self.name.setEditText(kept)
        self._see_person()

    def _watch(self, layer):
        """Follow the selection of a layer, which its owner makes; it is not kept alive."""
        if self._layer is not None and not sip.isdeleted(self._layer):
            self._layer.selectionChanged.disconnect(self._see_selection)
        self._layer = layer
        if layer is not None:
            layer.selectionChanged.connect(self._see_selection)
        self._see_selection()

    def _see_selection(self, *_changes):
        """See whether features are selected: they alone can be meant only where some are."""
        some = self._layer is not None and self._layer.selectedFeatureCount() > 0
        self.selected.setEnabled(some)
        if not some:
            self.selected.setChecked(False)

    def leave(self):
        """Hear of no layer any more."""
        self._watch(None)

    def _see_person(self, _name=""):
        counted = self._counts_several()
        self.most.setVisible(counted)
        self._most_label.setVisible(counted)
        self.changed.emit()

    def _counts_several(self):
        """Tell whether it must be said how many records count: of a person, or of a MultiPoint."""
        layer = self.points.currentLayer()
        several = layer is not None and QgsWkbTypes.isMultiType(layer.wkbType())
        return bool(self.person.currentField()) or several

    def lacks_cap(self):
        """Return a sentence where a new name needs a cap."""
        return self._account.text if self._account.is_new and not self.cap.value() else ""

    def see_ledger(self):
        """Look the name up in the ledger as it is now."""
        self._account = look_up(self.name.currentText())
        if not self.name.currentText().strip():
            answers = self.answers()
            layer = self.points.currentLayer()
            self._account = look_up_layer(layer, answers["person"], answers["most"])
        self.cap.setVisible(self._account.is_new)
        self._cap_label.setVisible(self._account.is_new)

    def see_epsilon(self, epsilon):
        """Say what is left, and what a run would leave."""
        statement = self._account.statement
        self.left.setVisible(statement is not None)
        if statement is not None:
            self.left.setRange(0, 1000)
            self.left.setValue(round(1000 * statement.left / statement.cap))
            text = tr("{:g} of {:g} left").format(number(statement.left), number(statement.cap))
            self.left.setFormat(text)
        self.balance.setText(in_words(self._account, epsilon))

    def offer_names(self):
        """Put the names of the ledger into the list, and leave what was typed."""
        text, known = self.name.currentText(), names()
        if known == [self.name.itemText(place) for place in range(self.name.count())]:
            return
        self.name.blockSignals(True)
        self.name.clear()
        self.name.addItems(known)
        self.name.setEditText(text)
        self.name.blockSignals(False)

    def doubts(self, epsilon):
        """Return what to ask before a run that is not the first on these data."""
        return doubts(self._account, epsilon)

    def remember(self):
        """Keep a name with the layer, for the next time, in the dialog too, and in the project."""
        if name := self.name.currentText().strip():
            self.points.currentLayer().setCustomProperty(PROPERTY, name)

    def answers(self):
        several = self._counts_several()
        return {
            "points": chosen_layer_id(self.points),
            "selected": self.selected.isChecked(),
            "person": self.person.currentField(),
            "several": several,
            "most": (self.most.value() or None) if several else None,
            "dataset": self.name.currentText(),
            "cap": (self.cap.value() or None) if self._account.is_new else None,
        }
