"""Counts in the library's classes and colours, and with its promise.

Files of a release bring the same style and description along, so that it looks alike wherever it
was made. Here layers get them that are not read from such a file.
"""

from qgis.PyQt.QtXml import QDomDocument

from ..library import qgis_style
from .post import when_loaded


def style_counts(destinations, release, context):
    """Give the layers of a release their colours and their promise when they are loaded."""

    def put_on(layer):
        dress(layer, release)

    for destination in destinations:
        when_loaded(destination, put_on, context)


def dress(layer, release):
    """Give a layer the style and the description that files of this release have."""
    layer.importNamedStyle(_document(qgis_style.qml_of(release.legend)))
    layer.importNamedMetadata(_document(qgis_style.qmd_of(release)), "")


def _document(text):
    found = QDomDocument()
    found.setContent(text)
    return found
