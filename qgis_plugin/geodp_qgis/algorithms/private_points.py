# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules about the private layer, and what is protected, in words. No feature is looked at here."""

import re
from functools import lru_cache

from qgis.core import (
    QgsDataSourceUri,
    QgsExpression,
    QgsMapLayer,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
    QgsProject,
    QgsProperty,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QUrl

from ..adapters import gives_extent_away
from ..library import geodp
from ..translation import tr
from .framing import EXTENT

INPUT = "INPUT"

NO_LIMIT = -1

MOST_VIRTUAL = 8
"""Virtual layers on top of each other; more may go in a circle."""

KNOWN = (str, QgsMapLayer, QgsProperty, QgsProcessingOutputLayerDefinition)
"""Other ways to name a layer, none of which can hold a limit."""

QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
"""Texts and field names, in SQL and in QGIS's expressions."""

ODD = re.compile(r"--|/\*|[\[\]`\\;]|\$\$")
"""Comments and other ways to quote, behind which words might hide."""

SQL = (
    r"select\b|values\s*\(|order\s+by\b|group\s+by\b|having\b|over\s*\(|window\s+\w+\s+as\b|"
    r"(?:limit|offset)\b\s*(?=[\w(:?@$+-])(?!(?:is|in|like|ilike|between|not|and|or)\b)|"
    r"fetch\s+(?:first|next)\b|(?:union|intersect|except)\b"
)
"""Words by which SQL looks at other records, or leaves some out by how many there are."""

PLACE = re.compile(r"(?<!\w)([$@]id|@row_number|_?rowid_?|fid)\b", re.IGNORECASE)
"""Numbers of records, which depend on how many come before unless they are a field."""

ROWS = re.compile(
    r"select\s+(?P<columns>[^()]+?)\s+from\s+(?P<table>[\w.]+)(?:\s+(?:as\s+)?(?!where\b)\w+)?"
    r"(?:\s+where\b(?P<filter>.*))?",
    re.IGNORECASE | re.DOTALL,
)
"""A query that chooses columns and rows of one layer, each row by itself."""


@lru_cache(maxsize=1)
def foreign():
    """Find words by which a filter looks at other records: SQL's own and QGIS's aggregates."""
    functions = QgsExpression.Functions()
    names = "|".join(re.escape(f.name()) for f in functions if "Aggregates" in f.groups())
    return re.compile(rf"\b({SQL}|(?:{names})(?=\s*\())", re.IGNORECASE)


def only_layer():
    """Return the only point layer of the project, whichever is active; None if several."""
    layers = QgsProject.instance().mapLayers().values()
    points = [
        layer
        for layer in layers
        if isinstance(layer, QgsVectorLayer)
        and layer.geometryType() == QgsWkbTypes.GeometryType.PointGeometry
    ]
    return points[0] if len(points) == 1 else None


def check_points(source, person, most, inferred=False):
    """Check the kind of layer; nothing here looks at a feature.

    Parameters
    ----------
    inferred : bool
        Whether one record may make the layer one of MultiPoints: then no rule may rest on that,
        and of a MultiPoint the first point counts where no other number is given.
    """
    kind = source.wkbType()
    if QgsWkbTypes.geometryType(kind) != QgsWkbTypes.GeometryType.PointGeometry:
        raise geodp.InputError(
            tr(
                "A point layer is needed; this one holds {}: take centroids or points on the "
                "surface first."
            ).format(QgsWkbTypes.displayString(kind))
        )
    if not source.sourceCrs().isValid():
        raise geodp.CrsError(tr("The points need a CRS; this layer has none: set it first."))
    several = QgsWkbTypes.isMultiType(kind)
    if inferred:
        return
    if several and most is None and person is None:
        raise geodp.InputError(
            tr(
                "This layer is of type MultiPoint, where one feature may hold many points: "
                "say how many may count at most, or use 'Multipart to singleparts'."
            )
        )
    if most is not None and person is None and not several:
        raise geodp.InputError(
            tr(
                "A limit of {} records needs the field that says whose record it is: choose that "
                "field, or leave the limit empty."
            ).format(most)
        )


def check_not_iterated(algorithm, parameters):
    """Refuse 'iterate over this layer', a button of QGIS's beside every layer: many releases."""
    iterated = QgsProcessingFeatureSourceDefinition.Flag.FlagCreateIndividualOutputPerInputFeature
    for name, given in parameters.items():
        if not (isinstance(given, QgsProcessingFeatureSourceDefinition) and given.flags & iterated):
            continue
        if name == INPUT:
            raise geodp.InputError(
                tr(
                    "Private points must be counted together; iterating over the layer would write "
                    "one result for each record, and so tell how many there are: switch it off."
                )
            )
        described = algorithm.parameterDefinition(name)
        raise geodp.InputError(
            tr(
                "One run makes one release; iterating over '{}' would make one for each feature "
                "and spend ε every time: switch it off."
            ).format(described.description() if described else name)
        )


def refuse_limit(parameters):
    """Refuse 'limit features processed', behind the wrench: a record left out lets another in."""
    given = parameters.get(INPUT)
    if isinstance(given, QgsProcessingFeatureSourceDefinition):
        if getattr(given, "featureLimit", NO_LIMIT) != NO_LIMIT:
            raise geodp.InputError(
                tr(
                    "All points of the layer must be read; a limit on the features processed would "
                    "let one record decide whether another is counted, and so cost more than ε: "
                    "remove the limit."
                )
            )
    elif given is not None and not isinstance(given, KNOWN):
        # Whatever other ways there will be to describe a source may hold a limit as well.
        raise geodp.InputError(tr("The points must be a layer, or the name of one."))


def check_filters(algorithm, parameters, context):
    """Refuse filters in which one record decides about another, as a limit does."""
    layer = layer_behind(algorithm, parameters, context)
    fields = layer.fields().names() if isinstance(layer, QgsVectorLayer) else []
    check_filter(run_filter(parameters), fields)
    if isinstance(layer, QgsVectorLayer):
        check_rows(layer)


def check_filter(text, fields):
    """Refuse a filter that does not judge each record by itself.

    Parameters
    ----------
    text : str
        An expression of QGIS, or of SQL.
    fields : list of str
        Fields of the layer: the number of a record is one of them, or depends on other records.
    """
    bare = QUOTED.sub(" ", text)
    foreign_part = foreign().search(text if ODD.search(bare) else bare)
    if foreign_part is None:
        places = (place for place in PLACE.finditer(bare) if place[1] not in fields)
        foreign_part = next(places, None)
    if foreign_part:
        raise geodp.InputError(
            tr(
                "A filter of the points must judge each record by itself; with '{}' one record "
                "decides whether others are counted: use the record's own fields alone."
            ).format(foreign_part[1].strip())
        )


def check_rows(layer, depth=0):
    """Refuse a layer by its filter or its query, if one record decides about another in it.

    Parameters
    ----------
    layer : QgsVectorLayer
        The points, or what a virtual layer takes them from.
    depth : int
        How many virtual layers were passed on the way.
    """
    check_filter(layer.subsetString(), layer.fields().names())
    if layer.providerType() == "virtual":
        definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(layer.source().encode()))
        table = check_query(definition.query()) if definition.query() else None
        below = [] if depth > MOST_VIRTUAL else list(below_virtual(definition, table))
        if not below or not all(isinstance(child, QgsVectorLayer) for child in below):
            raise no_rows()
        for child in below:
            check_rows(child, depth + 1)
    elif layer.providerType() not in ("memory", "ogr", "delimitedtext"):
        table = QgsDataSourceUri(layer.source()).table().strip()
        if table.startswith("("):
            check_query(table[1 : table.rfind(")")])


def check_query(text):
    """Refuse a query that is more than columns and rows of one layer; return that layer's name."""
    quoted = []

    def hidden(quotation):
        quoted.append(quotation[0][1:-1])
        return f"quoted_{len(quoted) - 1}"

    bare = QUOTED.sub(hidden, text).strip()
    query = None if ODD.search(bare) else ROWS.fullmatch(bare)
    if query is None:
        raise no_rows()
    columns, condition = query["columns"], query["filter"] or ""
    if foreign().search(f"{columns} {condition}") or re.search(
        r"\b(distinct|from|join|all)\b", f"{columns} {condition}", re.IGNORECASE
    ):
        raise no_rows()
    number = re.fullmatch(r"quoted_(\d+)", query["table"])
    return quoted[int(number[1])] if number else query["table"]


def below_virtual(definition, table):
    """List layers that a virtual layer takes its records from; None for one not known."""
    given = {source.name(): source for source in definition.sourceLayers()}
    for name in [table] if table is not None else list(given):
        each = given.get(name)
        if each is None:
            project = QgsProject.instance()
            layers = [project.mapLayer(name)] if project.mapLayer(name) else []
            yield from layers or project.mapLayersByName(name) or [None]
        elif each.isReferenced():
            yield QgsProject.instance().mapLayer(each.reference())
        else:
            yield QgsVectorLayer(each.source(), each.name(), each.provider())


def no_rows():
    """Make the refusal of a layer that is a query."""
    return geodp.InputError(
        tr(
            "A layer that is a query must choose rows of one layer, each by itself; this query "
            "does more (a limit, an order, groups, joins, sub-queries or functions of several "
            "records), so that one record could decide about others: use the layer itself, with a "
            "filter."
        )
    )


def check_extent(algorithm, parameters, context, source, crs):
    """Refuse the extent of the points themselves, which QGIS's extent box offers with one click."""
    given_crs = algorithm.parameterAsExtentCrs(parameters, EXTENT, context)
    if not given_crs.isValid():
        given_crs = crs
    given = algorithm.parameterAsExtent(parameters, EXTENT, context, given_crs)
    extents = [source.sourceExtent()]
    layer = layer_behind(algorithm, parameters, context)
    if layer is not None:
        extents.append(layer.extent())
    if gives_extent_away(
        given, given_crs, extents, source.sourceCrs(), crs, context.transformContext()
    ):
        raise geodp.InputError(
            tr(
                "The extent is that of the points, at least in part, or what the map shows after "
                "zooming to them, and would publish where the outermost records lie. Use a "
                "rectangle that is known without the points, "
                "such as a round box around the city, or tick the box that says that this "
                "extent is public."
            )
        )


def in_words(algorithm, parameters, context, person, most):
    """Return what is protected, in words."""
    what = tr("every record of the layer")
    if person is not None:
        words = (
            tr(
                "every person, told apart by the field '{}', with all their records; each counts "
                "as one, spread over the places of their records; records without a person are "
                "not counted"
            )
            if most is None
            else tr(
                "every person, told apart by the field '{}', with all their records; each counts "
                "as at most {} records; records without a person are not counted"
            )
        )
        what = words.format(person, most)
    elif most is not None:
        what = tr("every feature of the layer, with at most {} points each").format(most)
    given = parameters.get(INPUT)
    parts = []
    if isinstance(given, QgsProcessingFeatureSourceDefinition) and given.selectedFeaturesOnly:
        parts.append(tr("selected features only"))
    if run_filter(parameters):
        parts.append(tr("the filter of this run applies"))
    if layer_filter(algorithm, parameters, context):
        parts.append(tr("the layer's filter applies"))
    if parts:
        what += tr(
            "; {}: what this leaves out is not counted, and the rule by which it was chosen is not "
            "protected"
        ).format(", ".join(parts))
    return what


def run_filter(parameters):
    """Return the filter expression behind the wrench; QGIS before 3.32 has none."""
    return getattr(parameters.get(INPUT), "filterExpression", "") or ""


def layer_filter(algorithm, parameters, context):
    layer = layer_behind(algorithm, parameters, context)
    return layer.subsetString() if isinstance(layer, QgsVectorLayer) else ""


def layer_behind(algorithm, parameters, context):
    """Return the whole layer, also where only its selection is the input."""
    given = parameters.get(INPUT)
    if isinstance(given, QgsProcessingFeatureSourceDefinition):
        name, _ = given.source.valueAsString(context.expressionContext())
        return QgsProcessingUtils.mapLayerFromString(name, context)
    return algorithm.parameterAsVectorLayer(parameters, INPUT, context)
