"""Words for people go through ``tr``, so that the plugin can be translated."""

from qgis.PyQt.QtCore import QCoreApplication


def tr(text):
    return QCoreApplication.translate("geodp", text)
