# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask what a publisher says about a release: title, source, licence and so on."""

from qgis.core import QgsProcessingParameterString

from ..library import geodp
from ..translation import tr
from .base import ADVANCED

TITLE = "TITLE"
WORDS = (TITLE, "SUBJECT", "SOURCE", "PUBLISHER", "LICENCE", "DATE")


def add_words(algorithm):
    described = (
        (tr("Title"), tr("Title of the map, for its files and pages.")),
        (tr("What it shows"), tr("What it shows, in a sentence.")),
        (tr("Source"), tr("Where the records are from.")),
        (tr("Publisher"), tr("Who publishes it.")),
        (tr("Licence"), tr("Under which licence.")),
        (tr("Date"), tr("Date or period, as it shall be shown.")),
    )
    for name, (label, text) in zip(WORDS, described):
        algorithm.add(QgsProcessingParameterString(name, label, optional=True), text, ADVANCED)


def read_words(algorithm, parameters, context):
    """Read words for the release; refuse early what cannot be kept."""
    given = {
        name.lower(): algorithm.parameterAsString(parameters, name, context).strip()
        for name in WORDS
    }
    return geodp.About().but(given).given
