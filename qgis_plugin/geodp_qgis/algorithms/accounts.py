# SPDX-License-Identifier: GPL-2.0-or-later
"""The account that every layer has in the ledger, unless its data are given a name; and settings.

A layer is known by where its records are stored, so that a filter, a selection or another name in
the project does not open a second account.
"""

import math
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsDataSourceUri,
    QgsProviderRegistry,
    QgsSettings,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QUrl

from ..translation import tr

PROPERTY = "geodp/dataset"
"""Where a layer keeps the name that its data have in the ledger."""

FILE = "geodp-ledger.sqlite"
PATH_SETTING = "GEODP_LEDGER"
CAP_SETTING = "GEODP_CAP"
USUAL_CAP = 10.0
"""The most ε for a layer whose data have no name, unless the settings say otherwise."""


def add_settings(provider):
    """Put the ledger into Processing's options, where every provider has its settings."""
    try:
        from processing.core.ProcessingConfig import ProcessingConfig, Setting
    except ImportError:  # without that plugin, there are no such options
        return

    def check_folder(path):
        if path and not Path(path).parent.is_dir():
            raise ValueError(
                tr("The folder of the ledger must exist; there is no {}.").format(Path(path).parent)
            )

    ProcessingConfig.settingIcons[provider.name()] = provider.icon()
    for name, text, usual, kind, validator in (
        (PATH_SETTING, tr("Ledger (empty: in the QGIS profile)"), "", Setting.STRING, check_folder),
        (
            CAP_SETTING,
            tr("Most ε for a layer whose data have no name in the ledger (0: do not record it)"),
            USUAL_CAP,
            Setting.FLOAT,
            None,
        ),
    ):
        setting = Setting(provider.name(), name, text, usual, valuetype=kind, validator=validator)
        ProcessingConfig.addSetting(setting)
    ProcessingConfig.readSettings()


def remove_settings():
    try:
        from processing.core.ProcessingConfig import ProcessingConfig
    except ImportError:
        return
    for name in (PATH_SETTING, CAP_SETTING):
        if name in ProcessingConfig.settings:
            ProcessingConfig.removeSetting(name)


def usual_ledger():
    """Return the ledger of the settings, or else the one in the profile of QGIS."""
    chosen = QgsSettings().value(f"Processing/Configuration/{PATH_SETTING}") or ""
    return Path(chosen or Path(QgsApplication.qgisSettingsDirPath()) / FILE)


def usual_cap():
    """Return the most ε for a layer whose data have no name; 0 where such are not recorded."""
    try:
        cap = float(QgsSettings().value(f"Processing/Configuration/{CAP_SETTING}", USUAL_CAP))
    except (TypeError, ValueError):
        return USUAL_CAP
    return cap if math.isfinite(cap) and cap > 0 else 0.0


def usual_name(layer, unit):
    """Return what the ledger calls a layer whose data have no name; empty where there is no layer.

    The name that was given in the dock stays with the layer. Otherwise it is where the records are
    stored, and what is protected if that is more than a record: such spends have no sum.
    """
    if not isinstance(layer, QgsVectorLayer):
        return ""
    if kept := str(layer.customProperty(PROPERTY, "") or "").strip():
        return kept
    name = stored_at(layer)
    return name if unit.kind == "record" else f"{name}, {unit}"


def stored_at(layer):
    """Return where the records of a layer are: a file or a table, without a password."""
    kind = layer.providerType()
    if kind in ("ogr", "delimitedtext"):
        parts = QgsProviderRegistry.instance().decodeUri(kind, layer.source())
        path = parts.get("path") or QUrl(layer.source()).toLocalFile()
        if path:
            table = parts.get("layerName") or ""
            beside = "" if table in ("", Path(path).stem) else f", {table}"
            return f"{Path(path).resolve()}{beside}"
    if kind in ("memory", "virtual"):
        return layer.id()
    uri = QgsDataSourceUri(layer.source())
    parts = (uri.host(), uri.database() or uri.service(), uri.schema(), uri.table())
    return "/".join(filter(None, parts)) or layer.id()


def file_name(layer):
    """Return a short name of where the records are, for the ledger's page."""
    if not isinstance(layer, QgsVectorLayer):
        return ""
    if layer.providerType() in ("memory", "virtual"):
        return layer.name()
    return stored_at(layer).replace("\\", "/").rpartition("/")[2]
