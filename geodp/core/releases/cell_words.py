"""Tell of cells in words: in a few, as facts, and by examples of regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cells.cells import Cells
from ..cells.district_tree_cells import DistrictTreeCells
from ..common.sums import summed_area
from ..space.frame import Frame
from ..space.grid import Grid
from ..space.tree import Tree
from ..space.wording import cell_size, significant, size_in_words

Box = tuple[float, float, float, float]

_MOST_TOLD = 20
"""Districts that are named where there may be many."""


def cells_in_words(cells: Cells) -> str:
    """Tell of cells in a few words, for titles and legends.

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
        return "{} × {} cells".format(*cells.grid.shape)
    if isinstance(cells, DistrictTreeCells):
        return f"{len(cells):,} cells in {len(cells.districts):,} districts"
    if cells.tree is not None:
        sides = " to ".join(_side(cells.tree.frame, depth) for depth in _depths(cells.tree))
        return f"{len(cells):,} cells of {sides}"
    if cells.levels is not None:
        return f"{len(cells):,} districts"
    return f"{len(cells):,} cells"


def cell_facts(cells: Cells) -> dict[str, tuple[str, str, Any]]:
    """Return facts for :func:`geodp.core.releases.describe.describe`: label, text and value."""
    if cells.grid is not None:
        return _grid_facts(cells.grid, len(cells))
    facts: dict[str, tuple[str, str, Any]] = {
        "cells": ("Cells", f"{len(cells):,} of unequal size", len(cells))
    }
    if cells.tree is None or isinstance(cells, DistrictTreeCells):
        areas = cells.map_areas()
        unit = "square degrees" if cells.domain.crs.geographic else "km²"
        sizes = f"{significant(float(areas.min()))} to {significant(float(areas.max()))} {unit}"
        facts["cell_size"] = ("Size of a cell", sizes, sizes)
        return {**facts, **_district_facts(cells)}
    deepest, coarsest = _depths(cells.tree)
    sizes = f"{_size(cells.tree.frame, deepest)} to {_size(cells.tree.frame, coarsest)}"
    return {
        **facts,
        "cell_size": ("Size of a cell", sizes, sizes),
        "deepest": ("Depth of the smallest cells", str(deepest), deepest),
    }


def _district_facts(cells: Cells) -> dict[str, tuple[str, str, Any]]:
    """Tell which districts have no count of their own, where cells are inside of districts."""
    if not isinstance(cells, DistrictTreeCells):
        return {}
    ids, number = list(cells.without_count), len(cells.districts)
    some = ", ".join(ids[:_MOST_TOLD]) + (" …" if len(ids) > _MOST_TOLD else "")
    text = f"{len(ids):,} of {number:,}: {some}" if ids else f"none of {number:,}"
    return {"without_count": ("Districts without a count of their own", text, ids)}


def _grid_facts(grid: Grid, measured: int) -> dict[str, tuple[str, str, Any]]:
    rows, columns = grid.shape
    size = cell_size(grid)
    every = f"{rows} rows × {columns} columns"
    text = every if measured == grid.cells else f"{measured:,} of {every}"
    return {
        "cells": ("Cells", text, measured),
        "rows": ("Rows", "", rows),
        "columns": ("Columns", "", columns),
        "cell_size": ("Size of a cell", size, size),
    }


def examples(cells: Cells) -> list[tuple[str, Box]]:
    """Return regions of complete cells, from small to large, with a name for each."""
    every = ("the whole map", cells.domain.bounds)
    if cells.grid is not None:
        return [*_squares(cells.grid), every]
    if cells.tree is not None and not isinstance(cells, DistrictTreeCells):
        return [*_cell_of_each_depth(cells.tree), every]
    return [every]


def _squares(grid: Grid) -> list[tuple[str, Box]]:
    sides = [side for side in (1, 3, 10, 30, 100, 300, 1000) if side < min(grid.shape)]
    return [
        (f"{side} × {side} cells" if side > 1 else "1 cell", _square(grid, side)) for side in sides
    ]


def _square(grid: Grid, side: int) -> Box:
    """Find the first square of cells from the north-west in which records can be all over."""
    sums = summed_area(grid.supported)
    full = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side]
    full += sums[:-side, :-side]
    row, column = np.unravel_index(int(np.argmax(full[::-1])), full.shape)
    top, left = grid.shape[0] - int(row), int(column)
    x, y = grid.x_edges, grid.y_edges
    return float(x[left]), float(y[top - side]), float(x[left + side]), float(y[top])


def _cell_of_each_depth(tree: Tree) -> list[tuple[str, Box]]:
    cells = []
    for depth in range(len(tree.levels) - 1, 0, -1):
        places = np.flatnonzero(tree.cell_depth == depth)
        if len(places):
            west, south, east, north = tree.bounds[places[len(places) // 2]].tolist()
            cells.append((f"a cell of {_size(tree.frame, depth)}", (west, south, east, north)))
    return cells


def _depths(tree: Tree) -> tuple[int, int]:
    """Return the depths of the smallest and of the largest cells."""
    return len(tree.levels) - 1, int(tree.cell_depth.min())


def _size(frame: Frame, depth: int) -> str:
    rows, columns = frame.shape(depth)
    domain = frame.domain
    return size_in_words(domain.width / columns, domain.height / rows, domain.crs)


def _side(frame: Frame, depth: int) -> str:
    """Tell the side of a square as large as the cells of a depth."""
    rows, columns = frame.shape(depth)
    domain = frame.domain
    side = (domain.width / columns * domain.height / rows) ** 0.5
    return size_in_words(side, side, domain.crs).partition(" × ")[2]
