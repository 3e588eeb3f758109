# SPDX-License-Identifier: GPL-2.0-or-later
"""Show QGIS's own dialogs with headings, and with names of fields for screen readers.

Those that spend ask before they do so on data on which something was spent before. Every way to a
dialog leads here: menu, toolbox, locator, history. Scripts, models and ``qgis_process`` open none,
and so no question ever holds them up.
"""

from processing.gui.AlgorithmDialog import AlgorithmDialog
from processing.gui.AlgorithmDialogBase import AlgorithmDialogBase
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from processing.tools.dataobjects import createContext
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAbstractButton, QLabel, QWidget

from .compatibility import batch_rows
from .question import may_spend, nothing_spent

REFUSED = (AlgorithmDialogBase.InvalidParameterValue, AlgorithmDialogBase.InvalidOutputExtension)
"""What QGIS raises about a field, which its dialog then marks."""


class GeodpDialog(AlgorithmDialog):
    """The dialog of an algorithm: its fields stand under headings, and each has a name."""

    def getParametersPanel(self, algorithm, parent):
        panel = super().getParametersPanel(algorithm, parent)
        headings = algorithm.headings()
        for name, wrapper in panel.wrappers.items():
            # Wrappers in Python, of old versions, have attributes where others have methods.
            widget = getattr(wrapper, "widget", None) or wrapper.wrappedWidget()
            label = getattr(wrapper, "label", None) or wrapper.wrappedLabel()
            name_parts(widget, wrapper.parameterDefinition())
            if name in headings:
                put_above(label or widget, headings[name])
        return panel


def name_parts(widget, parameter):
    """Name whatever takes keys in a field, and describe it by the parameter's help."""
    label = parameter.description()
    for part in (widget, *widget.findChildren(QWidget)):
        if not part.focusPolicy() & Qt.FocusPolicy.TabFocus or part.accessibleName():
            continue
        if isinstance(part, QAbstractButton):
            if any(map(str.isalpha, part.text())):
                continue  # which is its name
            part.setAccessibleName(": ".join(filter(None, (label, part.toolTip()))))
        else:
            part.setAccessibleName(label)
        part.setAccessibleDescription(parameter.help())


def put_above(widget, words):
    """Put a heading above a field or its label."""
    heading = QLabel(words, widget.parentWidget())
    font = heading.font()
    font.setBold(True)
    heading.setFont(font)
    layout = layout_with(widget.parentWidget().layout(), widget)
    place = layout.indexOf(widget)
    heading.setContentsMargins(0, 10 if place else 0, 0, 0)
    layout.insertWidget(place, heading)


def layout_with(layout, widget):
    """Return the layout that holds a widget: this one, or one inside; None if none does."""
    if layout.indexOf(widget) >= 0:
        return layout
    inside = filter(None, (layout.itemAt(place).layout() for place in range(layout.count())))
    return next(filter(None, (layout_with(child, widget) for child in inside)), None)


class Asking:
    """A dialog that asks before it runs."""

    def runs(self):
        """Return parameters of every run that would follow."""
        raise NotImplementedError

    def runAlgorithm(self):
        algorithm = self.algorithm()
        doubts = algorithm.doubts(self.runs(), createContext())
        if doubts and not may_spend(self, algorithm.displayName(), doubts):
            self.messageBar().clearWidgets()
            self.messageBar().pushInfo("", nothing_spent())
            return
        super().runAlgorithm()


class SpendingDialog(Asking, GeodpDialog):
    """The dialog of an algorithm that makes a release."""

    def runs(self):
        try:
            return [self.createProcessingParameters()]
        except REFUSED:
            return []

    def runAsBatch(self):
        self.close()
        batch = SpendingBatch(self.algorithm().create(), parent=self.parent())
        batch.show()


class SpendingBatch(Asking, BatchAlgorithmDialog):
    """The table of many runs."""

    def runs(self):
        return batch_rows(self.mainWidget(), createContext())

    def runAsSingle(self):
        self.close()
        SpendingDialog(self.algorithm().create(), parent=self.parent()).show()
