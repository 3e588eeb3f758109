# SPDX-License-Identifier: GPL-2.0-or-later
"""The run as a Processing call, for copying into a script or a model."""

from qgis.gui import QgsCollapsibleGroupBoxBasic
from qgis.PyQt.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QVBoxLayout

from ..translation import tr

LINES = 8
"""Height, in lines of text."""


class CallBox(QgsCollapsibleGroupBoxBasic):
    """Folded at first."""

    def __init__(self):
        super().__init__(tr("The same as a Processing call"))
        self.setCollapsed(True)
        self.text, self.copy = QPlainTextEdit(), QPushButton(tr("Cop&y"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setMaximumHeight(LINES * self.fontMetrics().height())
        self.text.setAccessibleName(tr("The same as a Processing call"))
        self.copy.clicked.connect(self._copy)
        column = QVBoxLayout(self)
        column.addWidget(self.text)
        column.addWidget(self.copy)

    def stops(self):
        return self.text, self.copy

    def show_call(self, text):
        """Show a call, or with an empty text that there is none yet."""
        self.text.setPlainText(text)
        self.copy.setEnabled(bool(text))

    def _copy(self):
        QApplication.clipboard().setText(self.text.toPlainText())
