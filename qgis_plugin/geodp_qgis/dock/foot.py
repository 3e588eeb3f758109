# SPDX-License-Identifier: GPL-2.0-or-later
"""The foot of the dock, always in sight: what was said last, how far the run is, the button."""

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ..translation import tr


class Foot(QWidget):
    """A sentence, a bar with *Cancel* while something runs, and the buttons."""

    def __init__(self):
        super().__init__()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.message.setAccessibleName(tr("What was said last"))
        self.message.hide()
        self.progress, self.cancel = QProgressBar(), QPushButton(tr("Cancel"))
        self.progress.setAccessibleName(tr("Progress"))
        self.progress.setRange(0, 100)
        self.make = QPushButton(tr("Ma&ke the private map"))
        self.make.setToolTip(tr("Reads the points and spends ε"))
        self.more, self.help = QPushButton(tr("All options…")), QPushButton("?")
        self.more.setToolTip(tr("The same in the dialog of the algorithm, with everything it asks"))
        self.help.setAccessibleName(tr("Help"))
        self.help.setToolTip(tr("Help"))
        self.help.setFixedWidth(self.help.sizeHint().height())
        self._build()
        self.show_running(False)

    def _build(self):
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 3, 6, 6)
        column.addWidget(self.message)
        for row in ((self.progress, self.cancel), (self.make, self.more, self.help)):
            line = QHBoxLayout()
            for place, widget in enumerate(row):
                line.addWidget(widget, int(place == 0))
            column.addLayout(line)

    def stops(self):
        return self.make, self.cancel, self.more, self.help

    def say(self, text):
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def show_running(self, active):
        """Put the bar in the place of nothing, and back."""
        self.make.setEnabled(not active)
        self.cancel.setEnabled(active)
        for widget in (self.progress, self.cancel):
            widget.setVisible(active)
        self.progress.setValue(0)
        self.progress.setFormat("")

    def show_progress(self, percent):
        self.progress.setValue(round(percent))
