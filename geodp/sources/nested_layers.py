"""Nest public layers of polygons: find which unit of each larger layer holds a district."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..core.common.errors import CrsError, InputError
from ..core.districts.district_layer import naming_column

HELD = 0.99
"""Least part of a district's area that lies in the unit that holds it: layers are drawn for unlike
scales, and their borders differ by slivers."""


def nested_layers(
    frames: Sequence[Any],
    name: str | None,
    levels: Sequence[str] | None,
    shapes_of: Callable[[Any, list[str]], Any],
) -> tuple[Any, list[str]]:
    """Give the last layer columns with the units of the others that hold its districts.

    Parameters
    ----------
    frames : sequence of GeoDataFrame
        Layers from the largest units down to the districts.
    name : str, optional
        Refused: of several layers, ``levels`` names the units.
    levels : sequence of str, optional
        The column that names the units of each layer; by default the first column of text that is
        unlike in every row.
    shapes_of : callable
        Returns the polygons of a layer whose rows have names, or refuses them.

    Returns
    -------
    frame, levels
        The districts, and the columns with their levels.

    Examples
    --------
    >>> import geopandas, shapely
    >>> halves = [shapely.box(0, 0, 5, 9), shapely.box(5, 0, 9, 9)]
    >>> towns = geopandas.GeoDataFrame({"town": ["A", "B"]}, geometry=halves, crs="EPSG:5070")
    >>> county = towns.dissolve().assign(county="C")[["county", "geometry"]]
    >>> frame, levels = nested_layers([county, towns], None, None, lambda f, _: f.geometry.values)
    >>> levels, frame["county"].tolist()
    (['county', 'town'], ['C', 'C'])
    """
    columns = _columns(frames, name, levels)
    frame = frames[-1]
    if any(frame.crs is None for frame in frames):
        raise CrsError("a layer of districts needs a CRS; one has none: set it first.")
    names = [_names(frame, column) for frame, column in zip(frames, columns)]
    shapes = shapes_of(frame, names[-1])
    titles = _unlike(columns)
    nested = frame[[frame.geometry.name]].copy()
    for place, layer in enumerate(frames[:-1]):
        units = shapes_of(layer.to_crs(frame.crs), names[place])
        holder = _holders(shapes, names[-1], units, names[place])
        nested[titles[place]] = [names[place][number] for number in holder.tolist()]
    nested[titles[-1]] = names[-1]
    for larger, smaller in pairwise(titles[:-1]):
        _check_nested(nested[larger].tolist(), nested[smaller].tolist())
    return nested, titles


def _columns(frames: Sequence[Any], name: str | None, levels: Sequence[str] | None) -> list[str]:
    """Return the column that names the units of each layer."""
    if name is not None:
        raise InputError(
            "the units of several layers are named by `levels`, a column for each layer; got "
            f"`name` {name!r}: leave it out."
        )
    if len(frames) < 2:
        raise InputError("a list of districts needs two layers that nest at least.")
    if levels is not None and len(levels) != len(frames):
        raise InputError(
            f"`levels` must name one column for each of the {len(frames)} layers; got "
            f"{len(levels)}."
        )
    columns = []
    for place, frame in enumerate(frames):
        texts = [str(column) for column in frame.columns if column != frame.geometry.name]
        if levels is not None:
            column: str | None = levels[place]
        else:
            column = naming_column((text, frame[text].tolist()) for text in texts)
        if column not in texts:
            asked = "no column of text that is unlike in every row"
            raise InputError(
                "units of a layer are named by one of its columns; layer "
                f"{place + 1} has {asked if column is None else f'no {column!r}'}: name one for "
                "each layer in `levels`."
            )
        columns.append(str(column))
    return columns


def _names(frame: Any, column: str) -> list[str]:
    values = frame[column]
    if values.isna().any():
        raise InputError(
            f"every unit needs a value in {column!r}; one has none: fill it in, or name another "
            "column in `levels`."
        )
    return values.astype(str).tolist()  # type: ignore[no-any-return]


def _unlike(columns: list[str]) -> list[str]:
    """Return what to call the levels: their columns, numbered where two have one name."""
    if len(set(columns)) == len(columns):
        return columns
    return [f"{column} {place}" for place, column in enumerate(columns, start=1)]


def _holders(shapes: Any, names: list[str], units: Any, unit_names: list[str]) -> Any:
    """Return which unit holds each district, or refuse one that lies in none or in several."""
    import shapely

    shapely.prepare(units)
    tree = shapely.STRtree(shapes)
    unit, district = tree.query(units, predicate="intersects")
    part = np.ones(len(unit))
    inside = shapely.covers(units[unit], shapes[district])
    cut = np.flatnonzero(~inside)
    overlap = shapely.area(shapely.intersection(units[unit[cut]], shapes[district[cut]]))
    part[cut] = overlap / shapely.area(shapes[district[cut]])
    best, holder = np.zeros(len(shapes)), np.zeros(len(shapes), dtype=np.int64)
    total = np.bincount(district, part, minlength=len(shapes))
    order = np.argsort(part, kind="stable")
    best[district[order]], holder[district[order]] = part[order], unit[order]
    wrong = np.flatnonzero((best < HELD) | (total - best > 1 - HELD))
    if len(wrong):
        first = int(wrong[0])
        held = best[first]
        where = "is in none of them"
        if held > 0:
            where = f"has {held:.0%} of its area in {unit_names[holder[first]]!r}"
        also = ", which others overlap there" if held >= HELD else ""
        raise InputError(
            "layers of districts must nest, each district in one unit of every larger layer; "
            f"{names[first]!r} {where}{also}: correct the borders, or name the layers from the "
            "largest units down."
        )
    return holder


def _check_nested(larger: list[str], smaller: list[str]) -> None:
    """Refuse a unit whose districts are in several units of the layer above."""
    holder: dict[str, str] = {}
    for above, unit in zip(larger, smaller):
        if holder.setdefault(unit, above) != above:
            raise InputError(
                "layers of districts must nest, each unit in one of the larger layer; districts of "
                f"{unit!r} lie in {holder[unit]!r} and in {above!r}: correct the borders, or name "
                "the layers from the largest units down."
            )
