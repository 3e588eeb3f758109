# SPDX-License-Identifier: GPL-2.0-or-later
"""Read delimited text as the text that it is, so that each of its rows is judged by itself.

QGIS infers types of its fields from all records: one odd value would change those of all others,
``007`` for one into ``7``. Where a field, or a filter, tells records apart, the same file is
therefore opened again without that; the library reads numbers and times out of text by itself.

Nor does QGIS leave shapes alone that are written as text (WKT): those of another type than the
first one are left out, and one MultiPoint makes the layer one of MultiPoints. Such a file is opened
again as one of points, and what type it seems to have decides nothing.
"""

from qgis.core import (
    QgsProcessingFeatureSourceDefinition,
    QgsProperty,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from .private_points import INPUT, layer_behind, layer_filter, run_filter

DETECTS, SHAPES, KIND = "detectTypes", "wktField", "geomType"


def is_delimited(layer):
    """Tell whether a layer is delimited text, whose rows hold nothing but text."""
    return isinstance(layer, QgsVectorLayer) and layer.providerType() == "delimitedtext"


def infers_types(layer):
    """Tell whether a layer is delimited text whose types of fields are inferred from records."""
    if not is_delimited(layer):
        return False
    return not _query(layer).queryItemValue(DETECTS).lower().startswith("n")


def infers_kind(layer):
    """Tell whether a layer is delimited text whose type of shapes is inferred from records."""
    return is_delimited(layer) and _query(layer).hasQueryItem(SHAPES)


def read_as_text(algorithm, parameters, context, names):
    """Return parameters whose points are read row by row, where types would be inferred.

    Parameters
    ----------
    names : iterable of str
        Parameters that name fields that records are told apart by.
    """
    layer = layer_behind(algorithm, parameters, context)
    asked = any(algorithm.parameterAsString(parameters, name, context) for name in names)
    filtered = layer_filter(algorithm, parameters, context) or run_filter(parameters)
    if not infers_kind(layer) and not (infers_types(layer) and (asked or filtered)):
        return parameters
    text = _opened_as_text(layer)
    if not text.isValid():
        return parameters  # and what needs declared types is refused
    given = parameters[INPUT]
    if isinstance(given, QgsProcessingFeatureSourceDefinition):
        if given.selectedFeaturesOnly:
            text.selectByIds(layer.selectedFeatureIds())  # numbers of lines, the same in both
        given = QgsProcessingFeatureSourceDefinition(given)
        given.source = QgsProperty.fromValue(text.id())
    else:
        given = text.id()
    context.temporaryLayerStore().addMapLayer(text)
    return {**parameters, INPUT: given}


def _query(layer):
    return QUrlQuery(QUrl.fromEncoded(layer.source().encode()))


def _opened_as_text(layer):
    """Open the file of a layer again, with its filter, its computed fields and its name in mind."""
    url, query = QUrl.fromEncoded(layer.source().encode()), _query(layer)
    query.removeAllQueryItems(DETECTS)
    query.addQueryItem(DETECTS, "no")
    if query.hasQueryItem(SHAPES) and not query.hasQueryItem(KIND):
        query.addQueryItem(KIND, "point")
    url.setQuery(query)
    source = bytes(url.toEncoded()).decode()
    text = QgsVectorLayer(source, layer.name(), "delimitedtext")
    text.setCrs(layer.crs())
    text.setCustomProperties(layer.customProperties())
    text.setSubsetString(layer.subsetString())
    fields = layer.fields()
    for place in range(fields.count()):
        if fields.fieldOrigin(place) == fields.FieldOrigin.OriginExpression:
            text.addExpressionField(layer.expressionField(place), fields.at(place))
    return text
