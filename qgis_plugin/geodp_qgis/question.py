# SPDX-License-Identifier: GPL-2.0-or-later
"""The question before more is spent on data on which something was spent before."""

from qgis.PyQt.QtWidgets import QMessageBox

from .translation import tr


def may_spend(parent, title, text):
    """Ask whether to spend; no is the default, and what Escape means."""
    box, roles = QMessageBox(parent), QMessageBox.ButtonRole
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setText(text)
    spend = box.addButton(tr("Make another map"), roles.AcceptRole)
    box.setDefaultButton(box.addButton(tr("Cancel"), roles.RejectRole))
    box.exec()
    return box.clickedButton() is spend


def nothing_spent():
    """Return what is said where the answer was no."""
    return tr("Nothing was read, no budget is spent.")
