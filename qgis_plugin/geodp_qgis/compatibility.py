# SPDX-License-Identifier: GPL-2.0-or-later
"""Keep what differs between the versions of QGIS and Qt in one place.

QGIS 3.22 comes with Qt 5, where types of fields are those of QVariant. QGIS 3.38 takes QMetaType's
for fields and complains about QVariant's; with Qt 6, QVariant has no types, and QAction moved.
"""

from inspect import signature

from qgis.core import Qgis, QgsField, QgsTask
from qgis.PyQt import QtCore, QtGui, QtWidgets

QAction = getattr(QtWidgets, "QAction", None) or QtGui.QAction

_BY_META_TYPE = Qgis.QGIS_VERSION_INT >= 33800
_TYPES = {
    # name: of QMetaType, of QVariant
    "text": ("QString", "String"),
    "whole": ("LongLong", "LongLong"),
    "real": ("Double", "Double"),
    "int": ("Int", "Int"),
    "unsigned": ("UInt", "UInt"),
    "long unsigned": ("ULongLong", "ULongLong"),
    "boolean": ("Bool", "Bool"),
    "date": ("QDate", "Date"),
    "time": ("QTime", "Time"),
    "date and time": ("QDateTime", "DateTime"),
}


def _type(name):
    meta, variant = _TYPES[name]
    if _BY_META_TYPE:
        return getattr(QtCore.QMetaType.Type, meta)
    return getattr(QtCore.QVariant.Type, variant)


TEXT, WHOLE, REAL = _type("text"), _type("whole"), _type("real")

BOOLEAN, DATE, DATE_TIME = _type("boolean"), _type("date"), _type("date and time")
TIME_OF_DAY = _type("time")
NUMBERS = tuple(map(_type, ("int", "unsigned", "whole", "long unsigned", "real")))

NAMES = (TEXT, *NUMBERS)
"""Types of fields that can name a person."""


BEHIND = QgsTask.Flag.CanCancel | getattr(QgsTask.Flag, "Hidden", QgsTask.Flag.CanCancel)
"""Flags of a task that nobody started by hand; QGIS before 3.26 shows it nevertheless."""


def layer_filters(first, *others):
    """Join kinds of layers for a list; joined, they are a number, which 3.34 complains about."""
    for other in others:
        first |= other
    return getattr(Qgis, "LayerFilters", lambda kinds: kinds)(first)


def chosen_fields(algorithm, parameters, name, context):
    """Name the fields that a parameter has; QGIS 3.40 complains about the older question."""
    ask = getattr(algorithm, "parameterAsStrings", None) or algorithm.parameterAsFields
    return ask(parameters, name, context)


def save_style(layer, name, first):
    """Put the current style of a layer into its database; 3.44 complains about the older way."""
    if hasattr(layer, "saveStyleToDatabaseV2"):
        layer.saveStyleToDatabaseV2(name, "", first, "")
    else:
        layer.saveStyleToDatabase(name, "", first, "")


def batch_rows(panel, context):
    """Return parameters of the filled rows of a batch; newer versions want a context."""
    ask = panel.parametersForRow
    more = {"context": context} if "context" in signature(ask).parameters else {}
    rows = (ask(row, warnOnInvalid=False, **more) for row in range(panel.batchRowCount()))
    return [parameters for parameters, ok in rows if ok]


def field(name, kind):
    """Make a field of a layer."""
    return QgsField(name, kind)


def is_null(value):
    """Tell whether an attribute is QGIS's NULL: with Qt 5 a QVariant, and nothing else is one."""
    return value is None or isinstance(value, QtCore.QVariant)
