"""Find the cells of H3, by the ``h3`` package, that cover a domain, and the one of each point.

Edges of cells are arcs of great circles. On a map they bend a little: outlines have so many corners
that they stay within a part in ten thousand of a side, and cells that are neighbours have the same
corners to the bit. A record is counted by its index all the same.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.cells.h3_cells import H3Cells, Indices, rings
from ..core.common.errors import InputError
from ..core.common.types import Floats, Ints
from ..core.records.reprojection import Reprojection, reprojection
from ..core.space.domain import Crs, Domain

MOST_CELLS = 1 << 17
"""Cells of H3 that a domain may be covered by: a file holds the outline of each."""

_DEGREES = Crs("EPSG:4326", geographic=True)
_EARTH = Domain((-180.0, -90.0, 180.0, 90.0), _DEGREES, allow_geographic=True)
_DIGITS = 8
"""Decimals of a degree that corners are rounded to, a millimetre: neighbours then share them."""

_BEND = 5e-5
"""Part of a side that an arc may be away from the line that stands for it."""

_RADIUS = 6371.0


def h3_package() -> Any:
    """Return the interface of the package that takes and gives whole numbers, or say it is missing.

    Examples
    --------
    >>> h3_package().latlng_to_cell(37.8, -122.4, 7)
    608692970249519103
    """
    try:
        import h3.api.basic_int as h3
    except ImportError:
        raise InputError(
            "cells of H3 need the package h3, version 4, which is not installed: install "
            "geodp[h3], or take hexagons of another kind."
        ) from None
    return h3


def h3_indices(x: Floats, y: Floats, domain: Domain, resolution: int) -> Indices:
    """Compute the index of each point; 0, which no cell has, for what is nowhere on Earth.

    Parameters
    ----------
    x, y : ndarray
        Coordinates in the CRS of the domain.
    domain : Domain
        Whose CRS it is.
    resolution : int
        Resolution of the cells.
    """
    longitude, latitude = _to_degrees(domain.crs)(x, y)
    known = np.isfinite(longitude) & np.isfinite(latitude) & (np.abs(latitude) <= 90)
    indices = np.zeros(len(x), dtype=np.uint64)
    # The package takes one point at a time: about a microsecond each.
    cells = map(
        h3_package().latlng_to_cell,
        latitude[known].tolist(),
        longitude[known].tolist(),
        [resolution] * int(known.sum()),
    )
    indices[known] = np.fromiter(cells, dtype=np.uint64)
    return indices


@lru_cache(maxsize=8)
def _to_degrees(crs: Crs) -> Reprojection:
    return reprojection(crs, _EARTH)


def h3_cells(domain: Domain, resolution: int) -> H3Cells:
    """Return the cells of a resolution that reach into a domain, and where records can be.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> cells = h3_cells(town, 7)
    >>> len(cells), cells.attributes()["h3"][0]
    (6, '874568702ffffff')
    """
    h3 = h3_package()
    step = _from_degrees(domain)
    west, south, east, north = domain.bounds
    x, y = np.array([(west + east) / 2]), np.array([(south + north) / 2])
    (first,) = h3_indices(x, y, domain, resolution).tolist()
    if not first:
        raise InputError("cells of H3 need a domain on Earth; the middle of this one is nowhere.")
    seen, held, outlines = {first}, [], []
    border = [first]
    # Neighbours of cells that reach into the domain, again and again: the domain is in one piece.
    while border:
        corners, points = _outlines(border, resolution, step)
        place = np.append(0, np.cumsum(corners))
        nowhere = np.add.reduceat(~np.isfinite(points).all(axis=1), place[:-1]) > 0
        drawn = np.where(np.repeat(nowhere, corners)[:, None], 0.0, points)
        reach = H3Cells(
            domain, resolution, np.zeros(len(border), dtype=np.uint64), rings(drawn, corners)
        )
        kept = np.flatnonzero((reach.inside.areas > 0) & ~nowhere).tolist()
        held += [border[number] for number in kept]
        outlines += [points[place[number] : place[number + 1]] for number in kept]
        if len(held) > MOST_CELLS:
            raise InputError(
                f"a domain may be covered by up to {MOST_CELLS:,} cells of H3; resolution "
                f"{resolution} makes more: take a coarser one."
            )
        neighbours = {near for number in kept for near in h3.grid_disk(border[number], 1)}
        border = sorted(neighbours - seen)
        seen |= neighbours
    return _sorted(domain, resolution, np.array(held, dtype=np.uint64), outlines)


def _sorted(domain: Domain, resolution: int, indices: Indices, outlines: list[Floats]) -> H3Cells:
    """Put cells in order, without those where no records can be."""
    order = np.argsort(indices)
    if domain.within is not None:
        west, south, east, north = domain.bounds
        low = np.array([outlines[number].min(axis=0) for number in order])
        high = np.array([outlines[number].max(axis=0) for number in order])
        x0, x1 = np.maximum(low[:, 0], west), np.minimum(high[:, 0], east)
        y0, y1 = np.maximum(low[:, 1], south), np.minimum(high[:, 1], north)
        order = order[domain.within.meets(x0, y0, x1, y1)]
    corners = np.array([len(outlines[number]) for number in order], dtype=np.int64)
    points = np.concatenate([outlines[number] for number in order])
    return H3Cells(domain, resolution, indices[order], rings(points, corners))


@lru_cache(maxsize=8)
def _from_degrees(domain: Domain) -> Reprojection:
    return reprojection(_DEGREES, domain)


def _outlines(cells: list[int], resolution: int, step: Reprojection) -> tuple[Ints, Floats]:
    """Return how many corners each cell has, and all of them, in the CRS of the domain."""
    h3 = h3_package()
    boundaries = [h3.cell_to_boundary(cell) for cell in cells]
    sizes = np.array([len(boundary) for boundary in boundaries], dtype=np.int64)
    latitude, longitude = np.round(np.concatenate(boundaries), _DIGITS).T
    last = np.cumsum(sizes) - 1
    following = np.arange(1, len(latitude) + 1)
    following[last] = last - sizes + 1
    side = h3.average_hexagon_edge_length(resolution, unit="km")
    parts = math.ceil(math.sqrt(side / (8 * _RADIUS * _BEND)))
    longitude, latitude = _along(longitude, latitude, following, parts)
    x, y = step(longitude, latitude)
    return sizes * parts, np.column_stack([x, y])


def _along(longitude: Floats, latitude: Floats, following: Ints, parts: int) -> tuple[Floats, ...]:
    """Put points between corners, along great circles, alike in both directions."""
    if parts == 1:
        return longitude, latitude
    to_longitude, to_latitude = longitude[following], latitude[following]
    back = (longitude > to_longitude) | ((longitude == to_longitude) & (latitude > to_latitude))
    first = _vector(np.where(back, to_longitude, longitude), np.where(back, to_latitude, latitude))
    last = _vector(np.where(back, longitude, to_longitude), np.where(back, latitude, to_latitude))
    angle = 2 * np.arcsin(np.minimum(np.linalg.norm(last - first, axis=0) / 2, 1.0))
    share = np.arange(1, parts) / parts
    weights = np.sin(np.multiply.outer(angle, np.stack([1 - share, share])))
    weights /= np.sin(angle)[:, None, None]
    x, y, z = (
        one[:, None] * weights[:, 0] + other[:, None] * weights[:, 1]
        for one, other in zip(first, last)
    )
    between = np.stack([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))]) * (180 / math.pi)
    between = np.where(back[:, None], between[:, :, ::-1], between)
    points = np.concatenate([np.stack([longitude, latitude])[:, :, None], between], axis=2)
    return points[0].ravel(), points[1].ravel()


def _vector(longitude: Floats, latitude: Floats) -> Floats:
    """Return points on a sphere of radius one."""
    lon, lat = longitude * (math.pi / 180), latitude * (math.pi / 180)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
