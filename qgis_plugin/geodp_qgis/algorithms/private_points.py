"""Rules about the private layer, and what is protected, in words. No feature is looked at here."""

from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProcessingUtils, QgsWkbTypes

from ..adapters import is_extent_of
from ..library import geodp
from ..translation import tr
from .framing import EXTENT

INPUT = "INPUT"


def check_points(source, person, most):
    """Rules about the kind of layer; nothing here looks at a feature."""
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
    if several and most is None:
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


def check_not_iterated(parameters):
    """Refuse 'iterate over this layer', another button of QGIS's: one file for each record."""
    given = parameters.get(INPUT)
    each = QgsProcessingFeatureSourceDefinition.Flag.FlagCreateIndividualOutputPerInputFeature
    if isinstance(given, QgsProcessingFeatureSourceDefinition) and given.flags & each:
        raise geodp.InputError(
            tr(
                "Private points must be counted together; iterating over the layer would write "
                "one result for each record, and so tell how many there are: switch it off."
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
    if is_extent_of(given, given_crs, extents, source.sourceCrs(), crs, context.transformContext()):
        raise geodp.InputError(
            tr(
                "The extent equals that of the points, and would publish exactly where the "
                "outermost records lie. Use a rectangle that is known without the points, "
                "such as a round box around the city, or tick the box that says that this "
                "extent is public."
            )
        )


def in_words(algorithm, parameters, context, person, most):
    """What is protected, in words."""
    what = tr("every record of the layer")
    if person is not None:
        what = tr(
            "every person, told apart by the field '{}', with all their records, of which at most "
            "{} are kept, chosen at random; records without a person are not counted"
        ).format(person, most)
    elif most is not None:
        what = tr("every feature of the layer, with at most {} points each").format(most)
    given = parameters.get(INPUT)
    if isinstance(given, QgsProcessingFeatureSourceDefinition) and given.selectedFeaturesOnly:
        what += tr(
            "; selected features only: the others are not counted, and the rule by which you "
            "selected is not protected"
        )
    layer = layer_behind(algorithm, parameters, context)
    if layer is not None and layer.subsetString():
        what += tr("; the layer's filter applies: what it leaves out is not counted")
    return what


def layer_behind(algorithm, parameters, context):
    """The whole layer, also where only its selection is the input."""
    given = parameters.get(INPUT)
    if isinstance(given, QgsProcessingFeatureSourceDefinition):
        name, _ = given.source.valueAsString(context.expressionContext())
        return QgsProcessingUtils.mapLayerFromString(name, context)
    return algorithm.parameterAsVectorLayer(parameters, INPUT, context)
