# SPDX-License-Identifier: GPL-2.0-or-later
"""The public inputs that several algorithms ask for: extent, CRS, candidate sizes, regions."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingFeedback,
    QgsProcessingParameterCrs,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsUnitTypes,
    QgsWkbTypes,
)

from ..adapters import domain_from_rectangle
from ..library import geodp
from ..messages import number
from ..regions import read_regions
from ..translation import tr
from ..weights import Weights, layer_weights, weights_support
from .base import ADVANCED

EXTENT = "EXTENT"
CRS = "CRS"
SNAP = "SNAP"
WITHIN = "WITHIN"
WITHIN_RASTER = "WITHIN_RASTER"
SIZES = "SIZES"
CELL_SIZES = "CELL_SIZES"


def add_extent(algorithm, beside=None):
    """Ask for the public rectangle; ``beside()`` adds what is to stand right below it."""
    algorithm.add(
        QgsProcessingParameterExtent(EXTENT, tr("Public extent")),
        tr(
            "The rectangle that is counted, known to everybody: a city, a country, a round box. "
            "Do not take it from the points: their extent tells where the outermost ones are."
        ),
    )
    if beside is not None:
        beside()
    algorithm.add(
        QgsProcessingParameterCrs(CRS, tr("CRS of the grid (projected)"), "ProjectCrs"),
        tr("A projected coordinate system, so that cells have equal areas; degrees are refused."),
    )
    algorithm.add(
        QgsProcessingParameterString(
            SNAP, tr("Move the extent outwards to multiples of a size, such as 1km"), optional=True
        ),
        tr(
            "Its sides become whole multiples of this size, so that cells of it have their corners "
            "where everybody's have them: 1000 in units of the CRS, or 1km, 500m. On EPSG:3035 "
            "such cells carry the identifiers of the official grid of Europe."
        ),
        ADVANCED,
    )
    add_within(algorithm)


def add_within(algorithm, flags=None):
    """Ask for where records can be."""
    algorithm.add(
        QgsProcessingParameterFeatureSource(
            WITHIN,
            tr("Where records can be (public)"),
            [QgsProcessing.SourceType.TypeVectorPolygon],
            optional=True,
        ),
        tr(
            "Polygons, such as land or a jurisdiction, known to everybody: outside them nothing is "
            "counted, and cells that they cut are read as that part alone. Never from the points."
        ),
        flags,
    )
    algorithm.add(
        QgsProcessingParameterRasterLayer(
            WITHIN_RASTER,
            tr("Where records can be, as a raster of weights (public)"),
            optional=True,
        ),
        tr(
            "Instead of polygons: a raster with one band, such as public population. Records are "
            "taken as spread in proportion to it, and nothing is counted where it is 0 or has no "
            "data. Never from the points."
        ),
        ADVANCED,
    )


def add_sizes(algorithm, flags=None):
    algorithm.add(
        QgsProcessingParameterString(SIZES, tr("Candidate sizes: cells per side"), optional=True),
        tr(
            "Numbers of cells per side to choose from, such as 30, 40, 50, or rows x columns such "
            "as 20x30. Empty means a ladder of near-square cells: as many as 10, 14, 20, 28, 40, "
            "57, 80, 113, 160, 226 and 320 per side make of a square."
        ),
        flags,
    )
    algorithm.add(
        QgsProcessingParameterString(
            CELL_SIZES, tr("…or sizes of cells, such as 5km"), optional=True
        ),
        tr(
            "Sides of square cells to choose from, such as 500, 1000, 2000 in units of the CRS, or "
            "500m, 1km, 2km, instead of the above."
        ),
        flags,
    )


def add_release(algorithm, name):
    algorithm.add(
        release_parameter(name),
        tr(
            "A GeoTIFF or GeoPackage of counts that geodp wrote, from QGIS, Python or the command "
            "line."
        ),
    )


def release_parameter(name, label=None):
    """Make a parameter for a layer that is a release: a raster, or cells as polygons."""
    kinds = [QgsProcessing.SourceType.TypeRaster, QgsProcessing.SourceType.TypeVectorPolygon]
    return QgsProcessingParameterMapLayer(name, label or tr("Private histogram"), types=kinds)


def read_frame(algorithm, parameters, context):
    """Read the CRS of the cells, and the public rectangle with where records can be."""
    crs, domain = read_rectangle(algorithm, parameters, context)
    within = open_within(algorithm, parameters, context)
    return crs, narrowed(domain, within, crs, context, QgsProcessingFeedback())


def read_rectangle(algorithm, parameters, context):
    """Read the CRS of the cells, and the public rectangle alone."""
    crs = algorithm.parameterAsCrs(parameters, CRS, context)
    rectangle = algorithm.parameterAsExtent(parameters, EXTENT, context, crs)
    domain = domain_from_rectangle(rectangle, crs, context.transformContext())
    size = algorithm.parameterAsString(parameters, SNAP, context).strip()
    return crs, domain.snapped(geodp.parse_length(size, domain.crs)) if size else domain


def open_polygons(algorithm, parameters, name, context):
    """Open a layer of public polygons; None where none is given."""
    if not parameters.get(name):
        return None
    layer = algorithm.parameterAsSource(parameters, name, context)
    check_regions(layer)
    return layer


def open_within(algorithm, parameters, context):
    """Read where records can be: a layer of polygons, a raster of weights, or None."""
    polygons = open_polygons(algorithm, parameters, WITHIN, context)
    if not parameters.get(WITHIN_RASTER):
        return polygons
    if polygons is not None:
        raise geodp.InputError(
            tr("Say where records can be by polygons or by a raster, not both: empty one of them.")
        )
    return layer_weights(algorithm.parameterAsRasterLayer(parameters, WITHIN_RASTER, context))


def narrowed(domain, within, crs, context, feedback):
    """Narrow a domain to where records can be, by polygons or a raster if there is one."""
    if within is None:
        return domain
    if isinstance(within, Weights):
        support = weights_support(within, domain, crs, feedback)
        return on_support(domain, support)
    regions = read_regions(within, domain, crs, context, feedback)
    if not regions.rows:
        raise geodp.InputError(
            tr(
                "'Where records can be' must leave a place for records in the extent; this layer "
                "leaves none: check its CRS and the extent."
            )
        )
    return on_support(domain, geodp.polygon_support(regions.polygons, domain))


def on_support(domain, support):
    """Return the same rectangle with where records can be; districts may be in degrees."""
    degrees = domain.allow_geographic
    return geodp.Domain(domain.bounds, domain.crs, within=support, allow_geographic=degrees)


def read_grids(algorithm, parameters, context, domain):
    """Read the candidate grids on a domain."""
    per_side = algorithm.parameterAsString(parameters, SIZES, context).strip()
    lengths = algorithm.parameterAsString(parameters, CELL_SIZES, context).strip()
    if per_side and lengths:
        raise geodp.InputError(
            tr("Give candidate sizes or cell sizes, not both: empty one of the two.")
        )
    if lengths:
        sizes = geodp.parse_cell_sizes(lengths, domain.crs)
        return geodp.candidate_grids(domain, cell_sizes=sizes)
    sizes = geodp.parse_sizes(per_side) if per_side else None
    return geodp.candidate_grids(domain, sizes)


def size_in_words(grid, crs):
    """Describe a grid in words: shape, and cell sides with their unit."""
    unit = QgsUnitTypes.toAbbreviatedString(crs.mapUnits())
    return tr("{} × {} cells of {:.6g} × {:.6g} {}").format(
        *grid.shape, number(grid.cell_width), number(grid.cell_height), unit
    )


def check_regions(source):
    """Refuse a layer that cannot hold regions, before anything is read."""
    if source is None:
        raise geodp.InputError(tr("The layer of regions cannot be opened."))
    kind = source.wkbType()
    if QgsWkbTypes.geometryType(kind) != QgsWkbTypes.GeometryType.PolygonGeometry:
        raise geodp.InputError(
            tr("Regions must be polygons; this layer holds {}.").format(
                QgsWkbTypes.displayString(kind)
            )
        )
    if not source.sourceCrs().isValid():
        raise geodp.CrsError(tr("The regions need a CRS; this layer has none: set it first."))
