# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS's own dialogs, which ask before they spend on data on which something was spent before.

Every way to a dialog leads here: menu, toolbox, locator, history. Scripts, models and
``qgis_process`` open none, and so no question ever holds them up.
"""

from processing.gui.AlgorithmDialog import AlgorithmDialog
from processing.gui.AlgorithmDialogBase import AlgorithmDialogBase
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from processing.tools.dataobjects import createContext

from .compatibility import rows_of_batch
from .question import may_spend, nothing_spent

REFUSED = (AlgorithmDialogBase.InvalidParameterValue, AlgorithmDialogBase.InvalidOutputExtension)
"""What QGIS raises about a field, which its dialog then marks."""


class Asking:
    """A dialog that asks before it runs."""

    def runs(self):
        """Parameters of every run that would follow."""
        raise NotImplementedError

    def runAlgorithm(self):
        algorithm = self.algorithm()
        doubts = algorithm.doubts(self.runs(), createContext())
        if doubts and not may_spend(self, algorithm.displayName(), doubts):
            self.messageBar().clearWidgets()
            self.messageBar().pushInfo("", nothing_spent())
            return
        super().runAlgorithm()


class SpendingDialog(Asking, AlgorithmDialog):
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
        return rows_of_batch(self.mainWidget(), createContext())

    def runAsSingle(self):
        self.close()
        SpendingDialog(self.algorithm().create(), parent=self.parent()).show()
