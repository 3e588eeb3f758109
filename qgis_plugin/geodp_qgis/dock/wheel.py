# SPDX-License-Identifier: GPL-2.0-or-later
"""The wheel scrolls the dock, and changes no answer that it happens to pass over."""

from qgis.PyQt.QtCore import QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar


class WheelGuard(QObject):
    """Keeps the wheel from lists, numbers and sliders that do not have the keyboard.

    Otherwise, scrolling on would choose another layer or spend another ε.
    """

    def watch(self, parent):
        """Guard all that is inside a widget."""
        for kind in (QComboBox, QAbstractSpinBox, QAbstractSlider):
            for widget in parent.findChildren(kind):
                if not isinstance(widget, QScrollBar):
                    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                    widget.installEventFilter(self)

    def eventFilter(self, widget, event):
        if event.type() == QEvent.Type.Wheel and not widget.hasFocus():
            event.ignore()
            return True
        return False
