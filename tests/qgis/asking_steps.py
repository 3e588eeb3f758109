"""A run of the history, run again: what is asked, and what each answer costs; driver's steps."""

from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QApplication, QDialogButtonBox, QLabel, QMessageBox


class AskingSteps:
    """Steps that share what the driver has seen and keeps."""

    def __init__(self, seen, kept, shoot, history):
        self.seen, self.kept, self.shoot, self.history = seen, kept, shoot, history

    def spent(self):
        """Return what the ledger has of the places."""
        from geodp_qgis.algorithms.accounts import stored_at, usual_ledger
        from geodp_qgis.library import geodp

        return float(geodp.Ledger(usual_ledger())[stored_at(self.kept["us_places"])].spent)

    def open(self):
        """The newest entry of *Processing > History*, double-clicked."""
        self.seen["spent_at_first"] = self.spent()
        try:
            from processing.gui.HistoryDialog import HistoryDialog
        except ImportError:  # QGIS 3.24 and later have a panel, whose entries do this
            words = {"processing": __import__("processing")}
            exec("from qgis.core import *", words)
            command = self.history().partition("\n")[0]
            call = command.replace("processing.run(", "processing.execAlgorithmDialog(")
            QTimer.singleShot(0, lambda: exec(call, words))
        else:
            self.kept["history"] = dialog = HistoryDialog()
            dialog.tree.setCurrentItem(dialog.tree.topLevelItem(0).child(0))
            QTimer.singleShot(0, dialog.executeAlgorithm)

    @property
    def dialog(self):
        dialogs = [w for w in QApplication.topLevelWidgets() if hasattr(w, "runAlgorithm")]
        return next(w for w in dialogs if w.isVisible())

    def press(self, answer):
        """Press *Run*, look at the question, and answer it."""

        def look():
            box = QApplication.activeModalWidget()
            if not isinstance(box, QMessageBox):  # not yet
                QTimer.singleShot(100, look)
                return
            buttons = {button.text().replace("&", ""): button for button in box.buttons()}
            self.shoot(box, f"asked-{answer.split()[0].lower()}")
            question = self.seen.setdefault("questions", [])
            question.append([box.text(), list(buttons), box.defaultButton().text()])
            buttons[answer].click()

        QTimer.singleShot(300, look)
        box = self.dialog.buttonBox()
        accept = QDialogButtonBox.ButtonRole.AcceptRole
        next(button for button in box.buttons() if box.buttonRole(button) == accept).click()

    def say_no(self):
        self.press("Cancel")

    def look_at_no(self):
        self.seen["spent_after_no"] = self.spent()
        bar = self.dialog.messageBar()
        self.seen["said_after_no"] = [each.text() for each in bar.findChildren(QLabel)]
        if (item := bar.currentItem()) is not None:
            self.seen["said_after_no"].append(item.text())
        self.shoot(self.dialog, "asked-after")

    def say_yes(self):
        ends = self.seen.setdefault("asked_ends", [])
        self.dialog.algorithmFinished.connect(lambda successful, _results: ends.append(successful))
        self.press("Make another map")

    def is_done(self):
        return bool(self.seen["asked_ends"])

    def look_at_yes(self):
        self.seen["spent_after_yes"] = self.spent()
        self.dialog.close()

    def steps(self):
        return [
            (self.open, 1500),
            (self.say_no, 500),
            (self.look_at_no, 100),
            (self.say_yes, 500),
            (self.is_done, 500),
            (self.look_at_yes, 500),
        ]
