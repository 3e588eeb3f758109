# SPDX-License-Identifier: GPL-2.0-or-later
"""geodp in QGIS: a Processing provider and a toolbar button."""


def classFactory(iface):  # the name is QGIS's
    from .plugin import GeodpPlugin

    return GeodpPlugin(iface)
