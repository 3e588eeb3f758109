# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that records are told apart by: stored in the layer, and of a declared type."""

from qgis.core import QgsExpression, QgsFields, QgsVectorLayer

from ..library import geodp
from ..translation import tr
from .delimited import infers_types

DATABASES = ("memory", "postgres", "spatialite", "mssql", "oracle", "hana")
"""Providers whose tables declare the types of their fields."""

FILES = ("GPKG", "ESRI Shapefile", "FlatGeobuf", "OpenFileGDB", "SQLite", "MapInfo File")
"""Formats that do. Others infer types from all records, so that one can change all values."""


HARMLESS = frozenset(
    [
        "abs",
        "ceil",
        "coalesce",
        "concat",
        "day",
        "day_of_week",
        "floor",
        "format_date",
        "hour",
        "if",
        "left",
        "length",
        "lower",
        "lpad",
        "minute",
        "month",
        "nullif",
        "regexp_replace",
        "regexp_substr",
        "replace",
        "right",
        "round",
        "rpad",
        "second",
        "strpos",
        "substr",
        "title",
        "to_date",
        "to_datetime",
        "to_int",
        "to_real",
        "to_string",
        "to_time",
        "trim",
        "upper",
        "week",
        "year",
    ]
)
"""Functions of expressions that know nothing but what they are given."""


def check_declared(layer, fields, name):
    """Refuse a field whose type, or values, other records have a say in. No feature is looked at.

    Parameters
    ----------
    layer : QgsMapLayer or None
        The whole layer.
    fields : QgsFields
        Its fields.
    name : str
        One of them.
    """
    if not _is_stored(fields, name) and not _reads_the_record(layer, fields, name):
        raise geodp.InputError(
            tr(
                "A field that records are told apart by must be stored in the layer; '{}' is "
                "joined or computed: export the layer to GeoPackage and use that."
            ).format(name)
        )
    if not _declares(layer):
        raise geodp.InputError(
            tr(
                "A field that records are told apart by must have a declared type; in this layer "
                "types are inferred from the records, and one record could change the values of "
                "all: export the layer to GeoPackage and use that."
            )
        )


def check_filtered(layer, is_filtered):
    """Refuse a filter on fields of files whose types other records have a say in."""
    if is_filtered and layer.providerType() == "ogr" and not _declares(layer):
        raise geodp.InputError(
            tr(
                "A filter needs fields of a declared type; in this layer types are inferred from "
                "the records, and one record could change which others are counted: export the "
                "layer to GeoPackage and filter that."
            )
        )


def _is_stored(fields, name):
    place = fields.indexOf(name)
    return place >= 0 and fields.fieldOrigin(place) == QgsFields.FieldOrigin.OriginProvider


def _reads_the_record(layer, fields, name):
    """Tell whether a field is computed from stored fields of its record, by harmless functions."""
    place = fields.indexOf(name)
    if not isinstance(layer, QgsVectorLayer) or place != layer.fields().indexOf(name):
        return False
    if fields.fieldOrigin(place) != QgsFields.FieldOrigin.OriginExpression:
        return False
    text = layer.expressionField(place)
    expression = QgsExpression(text)
    if not text or expression.hasParserError() or expression.referencedVariables():
        return False
    used = {function.lower() for function in expression.referencedFunctions()}
    return used <= HARMLESS and all(
        _is_stored(layer.fields(), column) for column in expression.referencedColumns()
    )


def _declares(layer):
    """Tell whether types of fields stand in the source of a layer, rather than being inferred."""
    if not isinstance(layer, QgsVectorLayer):
        return False
    kind = layer.providerType()
    if kind == "ogr":
        return layer.dataProvider().storageType() in FILES
    if kind == "delimitedtext":
        return not infers_types(layer)
    return kind in DATABASES
