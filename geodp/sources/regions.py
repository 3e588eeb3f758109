"""Turn layers of regions into polygons on a domain: cut, reprojected, mended where invalid."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.common.errors import CrsError, InputError
from ..core.common.types import Floats, Ints
from ..core.regions.polygons import Polygons
from ..core.space.domain import Domain

_MARGIN = 0.05
"""Regions are cut this far outside the domain, as a part of its sides, before they are
reprojected: what is farther away may have no coordinates in the domain's CRS."""

_STEPS = 256
"""Corners along a side of a region that was cut."""

_POLYGONS, _COLLECTION = (3, 6), 7

_RULE = "every region must be a valid polygon; region {}"

Shapes = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]


class Regions(NamedTuple):
    """Hold the regions of a layer that can be asked about.

    Attributes
    ----------
    polygons : Polygons
        Those that overlap the domain, in its CRS.
    rows : ndarray of int
        Which regions of the layer these are.
    inside : ndarray of float
        For each of them, the area inside the domain.
    areas : ndarray of float
        For each of them, the area of the whole region.
    listed : int
        Number of regions in the layer.
    outside : ndarray of int
        Regions that are sound and lie outside the domain.
    """

    polygons: Polygons
    rows: Ints
    inside: Floats
    areas: Floats
    listed: int
    outside: Ints


def read_regions(
    layer: Any, domain: Domain, *, skip_invalid: bool = False, rule: str = _RULE
) -> Regions:
    """Take the polygons of a layer in any CRS.

    A region that is sound in its own CRS and not in the domain's is mended. One that is broken as
    it was given is refused by its number, or left out: guessing what was meant could mislead.

    Parameters
    ----------
    layer : GeoDataFrame or GeoSeries
        Polygons; of collections, as ``make_valid()`` makes them, the polygons in them.
    domain : Domain
        Rectangle of the release.
    skip_invalid : bool
        Leave broken regions out instead of refusing the layer.
    rule : str
        What an error says first, with a place for the number of the region.

    Examples
    --------
    >>> import geopandas, shapely
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> boxes = [shapely.box(0, 0, 1000, 1000), shapely.box(8000, 0, 9000, 1000)]
    >>> regions = read_regions(geopandas.GeoSeries(boxes, crs="EPSG:5070"), town)
    >>> regions.rows, regions.outside
    (array([0]), array([1]))
    """
    import shapely

    shapes = _given(layer)
    sound = _sound(shapes, skip_invalid, rule)
    parts = polygonal(shapes[sound])
    cut = _cut(parts, layer.crs, domain)
    with np.errstate(invalid="ignore"):
        placed = _reprojected(cut, layer.crs, domain)
    near = ~shapely.is_empty(cut)
    lost = near & ~np.isfinite(shapely.bounds(placed)).all(axis=1)
    _refuse(sound[lost], "cannot be expressed in the domain's CRS: cut it to the domain first",
            skip_invalid, rule)  # fmt: skip
    inside = np.zeros(len(placed))
    near &= ~lost
    inside[near] = shapely.area(shapely.intersection(placed[near], shapely.box(*domain.bounds)))
    kept = inside > 0
    # Where a region was cut, the whole of it is larger by what was cut off in its own CRS.
    with np.errstate(divide="ignore", invalid="ignore"):
        areas = shapely.area(placed) * np.where(near, shapely.area(parts) / shapely.area(cut), 1)
    return Regions(
        _rings(placed[kept]),
        sound[kept],
        inside[kept],
        areas[kept],
        len(shapes),
        sound[~kept & ~lost],
    )


def union_of_layer(layer: Any, *, skip_invalid: bool = False) -> Any:
    """Join the regions of a layer to a layer of one, in the same CRS.

    Examples
    --------
    >>> import geopandas, shapely
    >>> parts = [shapely.box(0, 0, 2, 1), shapely.box(1, 0, 4, 1)]
    >>> union_of_layer(geopandas.GeoSeries(parts, crs="EPSG:5070")).area
    0    4.0
    dtype: float64
    """
    import geopandas
    import shapely

    shapes = _given(layer)
    sound = _sound(shapes, skip_invalid, _RULE)
    if not len(sound):
        raise InputError("a total needs at least one valid region; the layer has none.")
    union = shapely.union_all(polygonal(shapes[sound]))
    return geopandas.GeoSeries([union], crs=layer.crs)


def union_of_boxes(boxes: Floats, domain: Domain) -> Regions:
    """Join boxes in the domain's CRS to one region."""
    import shapely

    union = shapely.union_all(shapely.box(*boxes.T))
    inside = float(shapely.area(shapely.intersection(union, shapely.box(*domain.bounds))))
    kept = np.zeros(int(inside > 0), dtype=np.int64)
    return Regions(
        _rings(np.array([union])[: len(kept)]),
        kept,
        np.full(len(kept), inside),
        np.full(len(kept), float(shapely.area(union))),
        1,
        np.zeros(1 - len(kept), dtype=np.int64),
    )


def _given(layer: Any) -> Shapes:
    import geopandas

    if not isinstance(layer, (geopandas.GeoDataFrame, geopandas.GeoSeries)):
        raise InputError(
            f"regions must be a GeoDataFrame or GeoSeries; got {type(layer).__name__}."
        )
    if layer.crs is None:
        raise CrsError("the regions need a CRS; this layer has none: set it with `set_crs()`.")
    if not len(layer):
        raise InputError("a workload needs at least one region; the layer is empty.")
    return np.asarray(layer.geometry.array)


def _sound(shapes: Shapes, skip_invalid: bool, rule: str) -> Ints:
    """Return the rows of regions that bound an area as they were given."""
    import shapely

    kind = shapely.get_type_id(shapes)
    rules = (
        (shapely.is_missing(shapes) | shapely.is_empty(shapes), "is empty: remove it"),
        (
            ~np.isin(kind, (*_POLYGONS, _COLLECTION)),
            "is not a polygon: use polygon layers only",
        ),
        (
            ~np.isfinite(shapely.bounds(shapes)).all(axis=1),
            "has coordinates that are no numbers: repair it in its own CRS",
        ),
        (~shapely.is_valid(shapes), "is not a valid polygon: repair it with `make_valid()`"),
        (shapely.area(shapes) == 0, "has no area: remove it"),
    )
    broken = np.zeros(len(shapes), dtype=np.bool_)
    for fails, what in rules:
        _refuse(np.flatnonzero(fails & ~broken), what, skip_invalid, rule)
        broken |= fails
    return np.flatnonzero(~broken)


def _refuse(rows: Ints, what: str, skip_invalid: bool, rule: str) -> None:
    if len(rows) and not skip_invalid:
        raise InputError(f"{rule.format(rows[0])} {what}.")


def polygonal(shapes: Shapes) -> Shapes:
    """Keep polygons as they are, and of collections what has an area."""
    import shapely

    mixed = np.flatnonzero(shapely.get_type_id(shapes) == _COLLECTION)
    if not len(mixed):
        return shapes
    kept = shapes.copy()
    for row in mixed:  # collections are rare: they come from repairs
        parts = shapely.get_parts(shapely.get_parts(shapes[row]))
        kept[row] = shapely.union_all(parts[np.isin(shapely.get_type_id(parts), _POLYGONS)])
    return kept


def _cut(shapes: Shapes, crs: Any, domain: Domain) -> Shapes:
    """Cut regions that reach far beyond the domain, in their own CRS."""
    import pyproj
    import shapely

    if crs == pyproj.CRS.from_user_input(domain.crs.name):
        return shapes
    transformer = pyproj.Transformer.from_crs(domain.crs.name, crs, always_xy=True)
    try:
        west, south, east, north = transformer.transform_bounds(*domain.bounds, densify_pts=101)
    except pyproj.exceptions.ProjError:
        return shapes
    if not np.isfinite([west, south, east, north]).all() or west >= east:
        return shapes  # the domain is beyond the poles or across the date line
    wide, high = _MARGIN * (east - west), _MARGIN * (north - south)
    frame = (west - wide, south - high, east + wide, north + high)
    low_x, low_y, high_x, high_y = shapely.bounds(shapes).T
    beyond = (low_x < frame[0]) | (low_y < frame[1]) | (high_x > frame[2]) | (high_y > frame[3])
    kept = shapes.copy()
    inner = polygonal(shapely.intersection(shapes[beyond], shapely.box(*frame)))
    # Sides of the frame are curved in the domain's CRS: without corners on them, chords cut it.
    kept[beyond] = shapely.segmentize(inner, max(wide, high) / _MARGIN / _STEPS)
    flat = ~np.isin(shapely.get_type_id(kept), _POLYGONS)  # regions that only touch the frame
    kept[flat] = shapely.Polygon()
    return kept


def _reprojected(shapes: Shapes, crs: Any, domain: Domain) -> Shapes:
    """Move regions into the domain's CRS, mended where they were sound before and are not now."""
    import geopandas
    import shapely

    placed = np.asarray(geopandas.GeoSeries(shapes, crs=crs).to_crs(domain.crs.name).array)
    finite = np.isfinite(shapely.bounds(placed)).all(axis=1)
    torn = np.flatnonzero(finite & ~shapely.is_valid(placed))
    placed[torn] = polygonal(shapely.make_valid(placed[torn]))
    return placed


def _rings(shapes: Shapes) -> Polygons:
    import shapely

    parts, owner = shapely.get_parts(shapes, return_index=True)
    ring_shapes, part = shapely.get_rings(parts, return_index=True)
    is_hole = np.append(False, part[1:] == part[:-1])
    rings = [
        (int(owner[p]), bool(hole), shapely.get_coordinates(ring))
        for ring, p, hole in zip(ring_shapes, part, is_hole)
    ]
    return Polygons.from_rings(rings, len(shapes))
