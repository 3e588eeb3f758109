# SPDX-License-Identifier: GPL-2.0-or-later
"""The Processing provider: every algorithm under the name geodp."""

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .algorithms.about import About
from .algorithms.accounts import add_settings, remove_settings
from .algorithms.candidate_grids import CandidateGrids
from .algorithms.change import Change
from .algorithms.ledger import LedgerOfSpends
from .algorithms.plan import Plan
from .algorithms.private_districts import PrivateDistricts
from .algorithms.private_hexagons import PrivateHexagons
from .algorithms.private_histogram import PrivateHistogram
from .algorithms.query import Query
from .algorithms.report import Report
from .algorithms.style import StyleRelease
from .algorithms.view import DerivedView
from .translation import tr

ALGORITHMS = (
    PrivateDistricts,
    PrivateHistogram,
    PrivateHexagons,
    Plan,
    CandidateGrids,
    LedgerOfSpends,
    Query,
    Change,
    Report,
    DerivedView,
    About,
    StyleRelease,
)
"""In the order in which they are used."""

ICONS = Path(__file__).parent / "icons"


class GeodpProvider(QgsProcessingProvider):
    def id(self):
        return "geodp"

    def name(self):
        return "geodp"

    def longName(self):
        return tr("geodp: private spatial histograms")

    def icon(self):
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        return str(ICONS / "geodp.svg")

    def load(self):
        add_settings(self)
        self.refreshAlgorithms()
        return True

    def unload(self):
        remove_settings()

    def loadAlgorithms(self):
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm())
