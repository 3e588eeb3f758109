# SPDX-License-Identifier: GPL-2.0-or-later
"""Share what all algorithms have: names, help, early refusal, errors as one clear sentence."""

from pathlib import Path

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFileDestination,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from .. import library
from ..adapters import Cancelled, crs_of_this_thread
from ..library import geodp
from ..messages import said
from ..rasters import check_no_releases, gdal_quiet
from ..translation import help_page, tr

ICONS = Path(__file__).parent.parent / "icons"
ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced
HIDDEN = QgsProcessingParameterDefinition.Flag.FlagHidden


WORDS = {
    "cells": "'Cells'",
    "sizes": "'Candidate sizes'",
    "cell_sizes": "'Sizes of cells'",
    "workload": "'Regions that should come out well'",
    "tuner": "'Tuner'",
    "tuning_share": "'Share of ε for choosing the cell size'",
    "resolution": "'Smallest cells that make sense'",
    "Categories(field, values)": "'Its values'",
    "Breaks(field, limits)": "'Limits'",
    "max_records": "'Most records of each person to count'",
    "max_points": "'Most records of each person to count'",
    "amount": "'Also add up, and average'",
    "by": "'Make one map per value of'",
    "categories": "'Its values'",
    "breaks": "'Limits'",
    "other": "'Name of a map for all other values'",
    "within": "'Where records can be'",
    "make_valid()": "'Fix geometries'",
    "force=True": "'Go on where inputs look like a mistake'",
}
"""What the dialog calls things that the library's messages have between backticks.

Its labels, or their beginnings; they are translated with the messages.
"""


def sentence(error):
    """Put a message of the library into QGIS's language and the dialog's words; others stay."""
    if isinstance(error, QgsProcessingException):
        return str(error)
    return said(str(error), WORDS)


class GeodpAlgorithm(QgsProcessingAlgorithm):
    """A geodp algorithm: ``read`` turns parameters into a request, ``carry_out`` does it.

    All rules are in ``read``, which runs three times at most: when the dialog or ``processing.run``
    checks, when the run is prepared (a model does not check), and never in a worker thread.
    GDAL says nothing meanwhile: its warnings quote values of the layer that it reads.
    """

    NAME = ""
    GROUP = "use"
    HELP = ""
    ICON = "geodp.svg"

    def __init__(self):
        super().__init__()
        self._writes_page = True

    def createInstance(self):
        return type(self)()

    def name(self):
        return self.NAME

    def group(self):
        return {"publish": tr("Publish"), "use": tr("Use a release")}[self.GROUP]

    def groupId(self):
        return self.GROUP

    def icon(self):
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        return str(ICONS / self.ICON)

    def shortHelpString(self):
        _, _, text = help_page(self.HELP).read_text(encoding="utf-8").partition("<body>")
        text, _, _ = text.partition("</body>")
        # QGIS would show the ends of lines as paragraphs. French has spaces that stay as they are.
        return " ".join(text.strip().splitlines())

    def helpUrl(self):
        return QUrl.fromLocalFile(str(help_page(self.HELP))).toString()

    def tr(self, text):
        return tr(text)

    def add(self, parameter, help_text, flags=None):
        parameter.setHelp(help_text)
        if flags is not None:
            parameter.setFlags(parameter.flags() | flags)
        self.addParameter(parameter)

    def headings(self):
        """Return what the dialog has as headings, by the parameters that they stand above."""
        return {}

    def createCustomParametersWidget(self, parent=None):
        """Make QGIS's own dialog, with headings and names."""
        from ..dialog import GeodpDialog  # needs a desktop

        return GeodpDialog(self, parent=parent)

    def canExecute(self):
        if library.MISSING:
            return False, tr("geodp cannot run in this QGIS, which lacks a part: {}").format(
                library.MISSING
            )
        return True, ""

    def hasHtmlOutputs(self):
        """Tell whether the run checked last writes a page; QGIS's dialog says so after it."""
        return super().hasHtmlOutputs() and self._writes_page

    def checkParameterValues(self, parameters, context):
        pages = [
            definition.name()
            for definition in self.destinationParameterDefinitions()
            if isinstance(definition, QgsProcessingParameterFileDestination)
        ]
        self._writes_page = any(parameters.get(name) for name in pages)
        ok, message = self.canExecute()
        if ok:
            with gdal_quiet():
                ok, message = super().checkParameterValues(parameters, context)
        if ok:
            try:
                with gdal_quiet():
                    self.read(parameters, context)
                    self.check_releases(parameters)
            except (geodp.GeodpError, QgsProcessingException) as error:
                ok, message = False, sentence(error)
        return ok, message

    def prepareAlgorithm(self, parameters, context, feedback):
        # Neither qgis_process nor processing.run asks canExecute, and a model checks nothing.
        ok, message = self.canExecute()
        if not ok:
            raise QgsProcessingException(message)
        try:
            with gdal_quiet(), crs_of_this_thread():
                self.request = self.read(parameters, context)
                self.check_releases(parameters)
        except geodp.GeodpError as error:
            raise QgsProcessingException(sentence(error)) from None
        return True

    def check_releases(self, parameters):
        """Refuse outputs that would replace a release, whatever the algorithm writes."""
        names = [definition.name() for definition in self.destinationParameterDefinitions()]
        check_no_releases(*map(parameters.get, names))

    def processAlgorithm(self, parameters, context, feedback):
        ok, message = self.canExecute()
        if not ok:
            raise QgsProcessingException(message)
        try:
            with gdal_quiet(), crs_of_this_thread():
                return self.carry_out(self.request, parameters, context, feedback)
        except Cancelled:
            raise QgsProcessingException(self.cancelled()) from None
        except geodp.GeodpError as error:
            raise QgsProcessingException(sentence(error)) from None

    def cancelled(self):
        return tr("Cancelled: no layer was written.")

    def read(self, parameters, context):
        raise NotImplementedError

    def carry_out(self, request, parameters, context, feedback):
        raise NotImplementedError
