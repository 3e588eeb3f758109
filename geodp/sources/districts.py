"""Read a public layer of districts: polygons, names, and the larger units that hold them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.common.errors import CrsError, InputError
from ..core.regions.district_cells import DistrictCells
from ..core.regions.districts import DistrictMap
from ..core.space.domain import Crs, Domain
from ..core.space.levels import Levels

_POLYGONS = (3, 6)
"""Types of geometries, as shapely numbers them."""

_MOST_NAMED = 5
"""Columns or districts that a message lists."""


def read_districts(
    layer: Any, *, name: str | None = None, levels: Sequence[str] | None = None
) -> DistrictCells:
    """Take the polygons of a layer as cells, or say what is wrong with it.

    Parameters
    ----------
    layer : GeoDataFrame, GeoSeries or path
        Public polygons that do not overlap.
    name : str, optional
        Column that names the districts.
    levels : sequence of str, optional
        Columns with the larger units, from the largest down to the districts.

    Examples
    --------
    >>> import geopandas, shapely
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> frame = geopandas.GeoDataFrame({"town": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> len(read_districts(frame))
    2
    """
    frame = _frame(layer)
    if frame.crs is None:
        raise CrsError("a layer of districts needs a CRS; this one has none: set it first.")
    paths, names = _paths(frame, name, levels)
    order = sorted(range(len(paths)), key=_ranks(paths).__getitem__)
    districts = list(dict.fromkeys(paths[row] for row in order))
    number = {path: place for place, path in enumerate(districts)}
    owners = np.array([number[path] for path in paths], dtype=np.int64)
    shapes = _shapes(frame, [" > ".join(path) for path in paths])
    labels = [path[-1] for path in districts]
    alike = len(set(labels)) < len(labels)
    ids = [" > ".join(path) for path in districts] if alike else labels
    shapes, owners = _dissolved(shapes, owners)
    map_of_districts = DistrictMap.from_arrays(*_rings(shapes, owners), ids, labels)
    bounds = map_of_districts.bounds
    crs = Crs.of(frame.crs)
    domain = Domain(bounds, crs, allow_geographic=crs.geographic)
    return DistrictCells(map_of_districts, domain, Levels(names, districts))


ELSEWHERE = "elsewhere"
"""Name of what a layer leaves of a domain."""


def districts_on(layer: Any, domain: Domain, *, name: str | None = None) -> DistrictCells:
    """Take the polygons of a layer on a domain as cells, and what they leave of it as one more.

    Parameters
    ----------
    layer : GeoDataFrame, GeoSeries or path
        Public polygons that do not overlap.
    domain : Domain
        What they divide.
    name : str, optional
        Column that names the districts.

    Examples
    --------
    >>> import geopandas, shapely
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> frame = geopandas.GeoDataFrame({"town": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> districts_on(frame, Domain((0, 0, 1500, 1000), crs="EPSG:5070")).districts.ids
    ('A', 'B', 'elsewhere')
    """
    import geopandas
    import shapely

    if isinstance(layer, DistrictCells):  # what it leaves counts, and is no cell
        return DistrictCells(layer.districts, domain, layer.levels)
    frame = _frame(layer)
    names = [path[-1] for path in _paths(frame, name, None)[0]]
    if frame.crs is None:
        raise CrsError("a layer of districts needs a CRS; this one has none: set it first.")
    frame = frame.to_crs(domain.crs.name)
    extent = shapely.box(*domain.bounds)
    shapes = _shapes(frame, names)
    inside = shapely.intersection(shapes, extent)
    inside = np.array([_areas_alone(each) for each in inside], dtype=object)
    kept = shapely.area(inside) > 0
    if not kept.any():
        raise InputError("a layer of districts must reach into the domain; this one does not.")
    parts, labels = list(inside[kept]), [label for label, in_ in zip(names, kept) if in_]
    rest = _areas_alone(shapely.difference(extent, shapely.union_all(parts)))
    if shapely.area(rest) > domain.area * 1e-9:
        parts.append(rest)
        labels.append(ELSEWHERE if ELSEWHERE not in labels else f"{ELSEWHERE} in the domain")
    whole = geopandas.GeoDataFrame({"name": labels}, geometry=parts, crs=domain.crs.name)
    cells = read_districts(whole, name="name")
    return DistrictCells(cells.districts, domain, cells.levels)


def _areas_alone(shape: Any) -> Any:
    """What of a shape has an area: points and lines, which touching leaves, are dropped."""
    import shapely

    parts = shapely.get_parts(shape)
    while (shapely.get_type_id(parts) > max(_POLYGONS)).any():
        parts = shapely.get_parts(parts)
    return shapely.multipolygons(parts[shapely.get_type_id(parts) == _POLYGONS[0]])


def _frame(layer: Any) -> Any:
    import geopandas

    if isinstance(layer, (str, os.PathLike)):
        from .layers import read_layer

        layer = read_layer(layer, "districts")
    if isinstance(layer, geopandas.GeoSeries):
        layer = geopandas.GeoDataFrame(geometry=layer)
    if not isinstance(layer, geopandas.GeoDataFrame):
        raise InputError(
            "districts must be a GeoDataFrame, a GeoSeries or the path of a layer; got a "
            f"{type(layer).__name__}."
        )
    if not len(layer):
        raise InputError("a layer of districts needs one polygon at least; this one is empty.")
    return layer


def _paths(
    frame: Any, name: str | None, levels: Sequence[str] | None
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Labels of each row from the largest unit down, and what the levels are called."""
    columns = [str(column) for column in frame.columns if column != frame.geometry.name]
    if levels is not None:
        if name is not None:
            raise InputError("levels end with the districts; leave out the column that names them.")
        if not levels:
            raise InputError("levels need one column at least; got none.")
        asked = list(levels)
    else:
        asked = [name] if name is not None else _naming_column(frame, columns)
    if not asked:
        return [(str(row),) for row in range(1, len(frame) + 1)], ["district"]
    for column in asked:
        if column not in columns:
            raise InputError(
                f"districts are named by a column of their layer; there is no {column!r}: the "
                f"columns are {', '.join(map(repr, columns)) or 'none'}."
            )
        if frame[column].isna().any():
            raise InputError(
                f"every district needs a value in {column!r}; one has none: fill it in."
            )
    rows = list(zip(*(frame[column].astype(str) for column in asked)))
    if levels is None and len(set(rows)) < len(rows):
        double = next(row for row in rows if rows.count(row) > 1)
        raise InputError(
            f"names of districts must be unlike; {double[0]!r} is there more than once: name "
            "another column, or dissolve the layer."
        )
    return rows, asked if levels is not None else ["district"]


def _naming_column(frame: Any, columns: list[str]) -> list[str]:
    """The first column of text with another one in every row, if there is one."""
    for column in columns:
        values = frame[column]
        if values.map(lambda value: isinstance(value, str)).all() and values.is_unique:
            return [column]
    return []


def _ranks(paths: list[tuple[str, ...]]) -> list[tuple[int, ...]]:
    """Places of units by their first row, so that those of one larger unit stand together."""
    first: dict[tuple[str, ...], int] = {}
    for path in paths:
        for depth in range(1, len(path) + 1):
            first.setdefault(path[:depth], len(first))
    return [tuple(first[path[:depth]] for depth in range(1, len(path) + 1)) for path in paths]


def _shapes(frame: Any, names: list[str]) -> Any:
    """Geometries of the layer, or a sentence about one that is no valid polygon."""
    import shapely

    shapes = shapely.force_2d(frame.geometry.to_numpy())
    kinds = shapely.get_type_id(shapes)
    missing = (kinds < 0) | shapely.is_empty(shapes)
    for wrong, words, remedy in (
        (missing, "has no geometry", "draw it, or remove the row"),
        (~missing & ~np.isin(kinds, _POLYGONS), "is no polygon", "take a layer of polygons"),
    ):
        if wrong.any():
            which = names[int(np.flatnonzero(wrong)[0])]
            raise InputError(f"every district must be a polygon; {which!r} {words}: {remedy}.")
    invalid = np.flatnonzero(~shapely.is_valid(shapes))
    if len(invalid):
        which, reason = names[int(invalid[0])], shapely.is_valid_reason(shapes[invalid[0]])
        raise InputError(
            f"every district must be a valid polygon; {which!r} is not ({reason}): mend it with "
            "`make_valid()`."
        )
    return shapes


def _dissolved(shapes: Any, owners: Any) -> tuple[Any, Any]:
    """One geometry for each district: rows that are alike on all levels are put together."""
    import shapely

    order = np.argsort(owners, kind="stable")
    first = np.flatnonzero(np.diff(owners[order], prepend=-1))
    parts = np.split(shapes[order], first[1:])
    united = [part[0] if len(part) == 1 else shapely.union_all(part) for part in parts]
    return np.array(united, dtype=object), np.arange(len(united))


def _rings(shapes: Any, owners: Any) -> tuple[Any, Any, Any, Any]:
    """Corners, starts of rings, districts of rings and whether each is a hole."""
    import shapely

    parts, row = shapely.get_parts(shapes, return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    hole = np.append(False, part[1:] == part[:-1])
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    starts = np.searchsorted(ring, np.arange(len(rings) + 1))
    owner = owners[row[part]]
    # Rings of one district stand together, in the order of districts.
    order = np.argsort(owner, kind="stable")
    lengths = np.diff(starts)[order]
    which = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in order])
    return corners[which], np.append(0, np.cumsum(lengths)), owner[order], hole[order]
