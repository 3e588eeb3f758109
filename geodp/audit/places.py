"""Find which nodes of a release hold which places by brute force: every node against every place.

Districts of the audit are squares, so that a node of a tree in districts is all of its box.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from ..core.cells.cells import Cells
from ..core.common.types import Floats, Ints
from ..core.districts.district_tree import DistrictTree
from ..core.regions.polygons import Polygons
from ..core.space.grid import Grid
from ..core.space.levels import Levels


class NodeShapes(ABC):
    """Hold all that a release can have measured, in the order of its nodes."""

    bounds: Floats
    """Edges ``xmin, ymin, xmax, ymax`` of the box around each node."""

    @abstractmethod
    def holding(self, places: Floats, which: Ints | None = None) -> Floats:
        """Return 1 where a node holds a place, and 0 elsewhere, with a row for each node.

        Or for some of the nodes alone.
        """

    @property
    @abstractmethod
    def around(self) -> tuple[Any, Any]:
        """Return which nodes hold the middles of which, and which nodes hold no smaller ones."""


class Boxes(NodeShapes):
    """Hold boxes and unions of them: half-open, but for the outer edge of the domain.

    Parameters
    ----------
    boxes : ndarray, shape (b, 4)
        Edges of boxes.
    parts : list of ndarray of int, optional
        For each node, which boxes it is made of; each is a node by default.
    """

    def __init__(self, boxes: Floats, parts: list[Ints] | None = None) -> None:
        self._boxes, self._parts = boxes, parts
        self.bounds = boxes
        if parts is not None:
            edges = [boxes[part] for part in parts]
            hulls = [[*edge[:, :2].min(axis=0), *edge[:, 2:].max(axis=0)] for edge in edges]
            self.bounds = np.array(hulls)

    def holding(self, places: Floats, which: Ints | None = None) -> Floats:
        inward = np.where(places == 8.0, np.nextafter(8.0, 0.0), places)
        boxes = self._boxes if which is None or self._parts is not None else self._boxes[which]
        held = np.ones((len(boxes), len(places)))
        for axis in (0, 1):
            held *= boxes[:, axis, None] <= inward[:, axis]
            held *= inward[:, axis] < boxes[:, axis + 2, None]
        if self._parts is None:
            return held
        nodes = range(len(self._parts)) if which is None else which.tolist()
        united = [held[self._parts[node]].max(axis=0) for node in nodes]
        return np.array(united).reshape(len(nodes), len(places))

    @cached_property
    def around(self) -> tuple[Any, Any]:
        middle = (self._boxes[:, :2] + self._boxes[:, 2:]) / 2
        area = np.prod(self._boxes[:, 2:] - self._boxes[:, :2], axis=1)
        if self._parts is not None:
            middle = middle[[part[0] for part in self._parts]]
            area = np.array([area[part].sum() for part in self._parts])
        inside = self.holding(middle).astype(np.float32)
        within = (inside > 0) & (area < 0.75 * area[:, None])
        return inside, np.flatnonzero(~within.any(axis=1))


class Outlines(NodeShapes):
    """Hold cells that are polygons, on whose borders no place is: by crossings of a ray.

    Numbers that no cell has are those of polygons where no records can be.
    """

    def __init__(self, cells: Cells, polygons: Polygons) -> None:
        self._polygons, self._codes = polygons, cells.codes
        self.bounds = np.tile(np.array(cells.domain.bounds), (int(cells.codes[-1]) + 1, 1))
        self.bounds[cells.codes] = cells.bounds

    def holding(self, places: Floats, which: Ints | None = None) -> Floats:
        x0, y0, x1, y1 = self._polygons.edges.T[:, :, None]
        x, y = np.where(places == 8.0, np.nextafter(8.0, 0.0), places).T
        with np.errstate(divide="ignore", invalid="ignore"):
            crossed = ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
        crossings = np.zeros((len(self.bounds), len(places)))
        np.add.at(crossings, self._codes[self._polygons.owner], crossed)
        held = crossings % 2
        return held if which is None else held[which]

    @property
    def around(self) -> tuple[Any, Any]:
        return np.eye(len(self.bounds), dtype=np.float32), self._codes


def measured_nodes(cells: Cells) -> NodeShapes:
    """Return all that can be measured of some cells.

    Examples
    --------
    >>> from geodp.core.cells.grid_cells import GridCells
    >>> from geodp.core.space.domain import Domain
    >>> nodes = measured_nodes(GridCells(Grid(Domain((0, 0, 8, 8), crs="EPSG:5070"), (2, 2))))
    >>> nodes.holding(np.array([[1.0, 7.0], [8.0, 0.0]])).T.tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    tree, levels = cells.tree, cells.levels
    if isinstance(tree, DistrictTree):
        return _district_nodes(tree)
    if tree is not None:
        every = (tree.node_bounds(d, np.arange(len(level))) for d, level in enumerate(tree.levels))
        return Boxes(np.concatenate([np.column_stack(bounds) for bounds in every]))
    if levels is not None and cells.nodes is not None:
        return Boxes(cells.bounds, _level_parts(levels))
    if cells.grid is not None:  # cells where no records can be have numbers too
        return grid_nodes(cells.grid)
    assert cells.polygons is not None
    return Outlines(cells, cells.polygons)


def grid_nodes(grid: Grid) -> NodeShapes:
    """Return all cells of a grid, row by row from the north-west."""
    x, y = np.asarray(grid.x_edges), np.asarray(grid.y_edges)
    rows, columns = grid.shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    south = rows - 1 - row
    return Boxes(np.column_stack([x[column], y[south], x[column + 1], y[south + 1]]))


def _level_parts(levels: Levels) -> list[Ints]:
    """Return the districts of every unit, from the whole layer to districts."""
    paths = levels.paths
    units = [dict.fromkeys(path[:depth] for path in paths) for depth in range(levels.depth)]
    held = [[path[: len(u)] == u for path in paths] for some in units for u in some]
    return [*map(np.flatnonzero, held), *np.arange(len(paths))[:, None]]


def _district_nodes(tree: DistrictTree) -> NodeShapes:
    """Make unions of districts, districts, and a box for every node that is in one."""
    frame = tree.frame
    codes = np.concatenate([level.code for level in tree.levels[1:]])
    inner = np.flatnonzero(~frame.is_union(codes))
    boxes = np.concatenate([frame.districts.district_bounds, frame.bounds(codes[inner])])
    districts = len(frame.order)
    parts = [frame.order[first:last] for first, last in zip(*frame.ranks(codes))]
    for number, node in enumerate(inner.tolist()):
        parts[node] = np.array([districts + number])
    return Boxes(boxes, [np.arange(districts), *parts])
