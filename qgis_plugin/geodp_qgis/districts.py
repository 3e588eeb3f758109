# SPDX-License-Identifier: GPL-2.0-or-later
"""A public layer of districts as cells of the library: polygons, names, and what holds them."""

from qgis.core import QgsFeatureRequest, QgsGeometry

from .adapters import crs_facts, stop_if_cancelled
from .compatibility import is_null
from .library import geodp, np
from .points import UNCHECKED
from .regions import Broken, polygon_rings, sound
from .translation import tr


def read_districts(source, name, level_names, feedback, rates=None):
    """Take the polygons of a layer as cells, as the library does.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
        Public polygons that do not overlap.
    name : str or None
        Field that names them; by default the first text that is unlike in every row.
    level_names : list of str
        Fields with the larger units, from the largest down to the districts; may be empty.
    rates : Rates, optional
        What rates shall be of.

    Returns
    -------
    tuple
        The cells, a geometry for each of them, and its population, or None.
    """
    features = []
    step = 100 / max(source.featureCount(), 1)
    for number, feature in enumerate(source.getFeatures(QgsFeatureRequest(), UNCHECKED)):
        stop_if_cancelled(feedback)
        feedback.setProgress(min(100.0, number * step))
        features.append(feature)
    if not features:
        raise geodp.InputError(tr("At least one region is needed; the layer of regions is empty."))
    columns = source.fields().names()

    def values(column):
        return [feature.attribute(column) for feature in features]

    def texts(column):
        return [None if is_null(value) else str(value) for value in values(column)]

    if name is None and not level_names:
        name = geodp.naming_column((column, values(column)) for column in columns)
    rows = geodp.named_rows(len(features), columns, texts, name=name, levels=level_names or None)
    parts = [[] for _ in rows.districts]
    for feature, owner in zip(features, rows.owner.tolist()):
        parts[owner].append(_checked(feature))
    shapes = [part[0] if len(part) == 1 else QgsGeometry.unaryUnion(part) for part in parts]
    rings = []
    for owner, shape in enumerate(shapes):
        stop_if_cancelled(feedback)
        shape.convertToMultiType()
        rings += [(owner, hole, ring) for hole, ring in polygon_rings(shape)]
    districts = geodp.DistrictMap.from_rings(rings, rows.ids, rows.labels)
    facts = crs_facts(source.sourceCrs())
    domain = geodp.Domain(districts.bounds, facts, allow_geographic=facts.geographic)
    nested = geodp.Levels(rows.levels, rows.districts)
    population = None if rates is None else _population(features, rows.owner, len(shapes), rates)
    return geodp.DistrictCells(districts, domain, nested), shapes, population


def _population(features, owner, count, rates):
    """Return the public number of each district, which must be one row."""
    if len(features) != count:
        raise geodp.InputError(
            tr(
                "Rates need one row for each district; here some have several: dissolve them by "
                "their name first, with the sum of the field."
            )
        )
    population = np.empty(count)
    population[owner] = rates.population(features)
    return population


def _checked(feature):
    try:
        return sound(feature.geometry())
    except Broken as error:
        raise geodp.InputError(
            tr("Every region must be a valid polygon; the region with id {} {}.").format(
                feature.id(), error
            )
        ) from None
