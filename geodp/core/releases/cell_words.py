"""Describe cells in words: in a few, as facts, and by examples of regions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..cells.cells import Cells
from ..cells.district_cells import DistrictCells
from ..cells.district_tree_cells import DistrictTreeCells
from ..common.phrases import Number, Phrase
from ..common.sums import summed_area
from ..common.types import Bounds
from ..space.frame import Frame
from ..space.grid import Grid
from ..space.tree import Tree
from ..space.wording import cell_size, length_in_words, significant, size_in_words

_MOST_TOLD = 20
"""Districts that are named where there may be many."""

_METRES_OF_A_DEGREE = 111_195
"""Length of a degree along a meridian, about."""

_LEAST_TOLD = 0.01
"""Square metres below which a size is rounding, and is not told."""


def place_in_words(cells: Cells, among: bool = False) -> Phrase:
    """Say inside of what records are counted.

    Parameters
    ----------
    cells : Cells
        What was counted in.
    among : bool
        Whether these were chosen among others: candidates of a choice fill the extent.
    """
    named = cells.levels is not None and not among
    in_districts = named or isinstance(cells, DistrictTreeCells)
    return Phrase("the districts" if in_districts else "the extent")


def cells_in_words(cells: Cells, sizes: bool = True) -> Phrase:
    """Tell of cells in a few words, for titles and legends.

    Parameters
    ----------
    cells : Cells
        What to tell of.
    sizes : bool
        Tell the sizes of cells that differ.

    Examples
    --------
    >>> from geodp.core.cells.grid_cells import GridCells
    >>> from geodp.core.cells.tree_cells import TreeCells
    >>> from geodp.core.space.domain import Domain
    >>> town = Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> cells_in_words(GridCells(Grid(town, (2, 4))))
    '2 × 4 cells'
    >>> cells_in_words(TreeCells(Tree(Frame(town, (1, 2), 2), [[False, True], [False] * 4])))
    '5 cells of 1.41 km to 2.83 km'
    """
    if cells.grid is not None:
        return Phrase("{1} × {2} cells", *map(_plain, cells.grid.shape))
    if isinstance(cells, DistrictTreeCells):
        number = _count(len(cells.districts))
        return Phrase("{1} cells in {2} districts", _count(len(cells)), number)
    if cells.tree is not None and sizes:
        sides = (_side(cells.tree.frame, depth) for depth in _depths(cells.tree))
        return Phrase("{1} cells of {2} to {3}", _count(len(cells)), *sides)
    if cells.levels is not None:
        return Phrase("{1} districts", _count(len(cells)))
    return Phrase("{1} cells", _count(len(cells)))


def _plain(number: int) -> Number:
    return Number(number)


def _count(number: int) -> Number:
    return Number(f"{number:,}")


def cell_facts(cells: Cells) -> dict[str, tuple[str, str, Any]]:
    """Return facts for :func:`geodp.core.releases.describe.describe`: label, text and value."""
    if cells.grid is not None:
        return _grid_facts(cells.grid, len(cells))
    facts: dict[str, tuple[str, str, Any]] = {
        "cells": ("Cells", Phrase("{1} of unequal size", _count(len(cells))), len(cells))
    }
    if cells.tree is None or isinstance(cells, DistrictTreeCells):
        areas = cells.map_areas()
        least, most = significant(float(areas.min())), significant(float(areas.max()))
        unit = Phrase("square degrees" if cells.domain.crs.geographic else "km²")
        sizes = Phrase("{1} to {2} {3}", least, most, unit)
        if str(least) == str(most):
            sizes = Phrase("{1} {2}", most, unit)
            facts["cells"] = ("Cells", _count(len(cells)), len(cells))
        facts["cell_size"] = ("Size of a cell", sizes, str(sizes))
        return {**facts, **_sliver_facts(cells), **_district_facts(cells)}
    deepest, coarsest = _depths(cells.tree)
    ends = (_size(cells.tree.frame, depth) for depth in (deepest, coarsest))
    sizes = Phrase("{1} to {2}", *ends)
    return {
        **facts,
        "cell_size": ("Size of a cell", sizes, str(sizes)),
        "deepest": ("Depth of the smallest cells", _plain(deepest), deepest),
    }


def _sliver_facts(cells: Cells) -> dict[str, tuple[str, str, Any]]:
    """Tell what neighbouring districts share, by borders that are not quite the same."""
    if not isinstance(cells, (DistrictCells, DistrictTreeCells)) or not cells.districts.slivers[0]:
        return {}
    pairs, area = cells.districts.slivers
    square = cells.domain.crs.metres_per_unit**2
    if cells.domain.crs.geographic:
        middle = math.radians((cells.domain.bounds[1] + cells.domain.bounds[3]) / 2)
        square = _METRES_OF_A_DEGREE**2 * math.cos(middle)
    size = Phrase("about {1} m²", significant(area * square))
    if area * square < _LEAST_TOLD:
        size = Phrase("less than {1} m²", significant(_LEAST_TOLD))
    text = Phrase("two share {1}; records there count in the first", size)
    if pairs > 1:
        several = "{1} pairs share {2} in all; records there count in the first"
        text = Phrase(several, _count(pairs), size)
    return {"slivers": ("Overlaps of districts", text, [pairs, area])}


def _district_facts(cells: Cells) -> dict[str, tuple[str, str, Any]]:
    """Tell which districts have no count of their own, where cells are inside of districts."""
    if not isinstance(cells, DistrictTreeCells):
        return {}
    ids, number = list(cells.without_count), _count(len(cells.districts))
    some = ", ".join(ids[:_MOST_TOLD]) + (" …" if len(ids) > _MOST_TOLD else "")
    text = Phrase("none of {1}", number)
    if ids:
        text = Phrase("{1} of {2}: {3}", _count(len(ids)), number, some)
    return {"without_count": ("Districts without a count of their own", text, ids)}


def _grid_facts(grid: Grid, measured: int) -> dict[str, tuple[str, str, Any]]:
    rows, columns = grid.shape
    size = cell_size(grid)
    every = Phrase("{1} rows × {2} columns", _plain(rows), _plain(columns))
    text = every if measured == grid.cells else Phrase("{1} of {2}", _count(measured), every)
    return {
        "cells": ("Cells", text, measured),
        "rows": ("Rows", "", rows),
        "columns": ("Columns", "", columns),
        "cell_size": ("Size of a cell", size, str(size)),
    }


def examples(cells: Cells) -> list[tuple[str, Bounds]]:
    """Return regions of complete cells, from small to large, with a name for each."""
    every = (Phrase("the whole map"), cells.domain.bounds)
    if cells.grid is not None:
        return [*_squares(cells.grid), every]
    if cells.tree is not None and not isinstance(cells, DistrictTreeCells):
        return [*_cell_of_each_depth(cells.tree), every]
    return [every]


def _squares(grid: Grid) -> list[tuple[str, Bounds]]:
    sides = [side for side in (1, 3, 10, 30, 100, 300, 1000) if side < min(grid.shape)]
    one = Phrase("1 cell")
    several = {side: Phrase("{1} × {2} cells", *[_plain(side)] * 2) for side in sides if side > 1}
    return [(several.get(side, one), _square(grid, side)) for side in sides]


def _square(grid: Grid, side: int) -> Bounds:
    """Find the first square of cells from the north-west in which records can be all over."""
    sums = summed_area(grid.supported)
    full = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side]
    full += sums[:-side, :-side]
    row, column = np.unravel_index(int(np.argmax(full[::-1])), full.shape)
    top, left = grid.shape[0] - int(row), int(column)
    x, y = grid.x_edges, grid.y_edges
    return float(x[left]), float(y[top - side]), float(x[left + side]), float(y[top])


def _cell_of_each_depth(tree: Tree) -> list[tuple[str, Bounds]]:
    cells: list[tuple[str, Bounds]] = []
    for depth in range(len(tree.levels) - 1, 0, -1):
        places = np.flatnonzero(tree.cell_depth == depth)
        if len(places):
            west, south, east, north = tree.bounds[places[len(places) // 2]].tolist()
            size = _size(tree.frame, depth)
            cells.append((Phrase("a cell of {1}", size), (west, south, east, north)))
    return cells


def _depths(tree: Tree) -> tuple[int, int]:
    """Return the depths of the smallest and of the largest cells."""
    return len(tree.levels) - 1, int(tree.cell_depth.min())


def _size(frame: Frame, depth: int) -> Phrase:
    rows, columns = frame.shape(depth)
    domain = frame.domain
    return size_in_words(domain.width / columns, domain.height / rows, domain.crs)


def _side(frame: Frame, depth: int) -> Phrase:
    """Tell the side of a square as large as the cells of a depth."""
    rows, columns = frame.shape(depth)
    domain = frame.domain
    side = (domain.width / columns * domain.height / rows) ** 0.5
    return length_in_words(side, domain.crs)
