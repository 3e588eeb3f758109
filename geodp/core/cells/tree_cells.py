"""Take the final cells of a tree: fine where records crowd."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid, in_domain
from ..space.tree import Tree
from .cells import Cells


class TreeCells(Cells):
    """The final cells of a tree, in the order of their codes.

    Examples
    --------
    >>> frame = Frame(Domain((0, 0, 4000, 4000), crs="EPSG:5070"), (1, 2), 2)
    >>> cells = TreeCells(Tree(frame, [[False, True], [False] * 4]))
    >>> len(cells), cells.raster.shape
    (5, (2, 4))
    """

    kind: ClassVar[str] = "adaptive"
    format: ClassVar[str] = "3"
    candidate = staticmethod(Frame.from_layout)
    tree: Tree

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __repr__(self) -> str:
        return f"TreeCells({self.tree!r})"

    @property
    def identity(self) -> Tree:
        return self.tree

    @property
    def domain(self) -> Domain:
        return self.tree.frame.domain

    def __len__(self) -> int:
        return len(self.tree)

    @property
    def bounds(self) -> Floats:
        return self.tree.bounds

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        return {"depth": self.tree.cell_depth}

    def locate(self, x: Floats, y: Floats) -> Ints:
        inside, x, y = in_domain(self.domain, np.asarray(x, float), np.asarray(y, float))
        place = np.full(inside.shape, -1, dtype=np.int64)
        place[inside] = self.tree.locate(x, y)
        return place

    @cached_property
    def raster(self) -> Grid:
        return Grid(self.domain, self.tree.frame.shape(len(self.tree.levels) - 1))

    def pixels(self, rows: range) -> Ints:
        """Find the cell of each pixel: from the coarsest lattice down, only in these rows."""
        high, _ = self.raster.shape
        south, north = high - rows.stop, high - rows.start  # rows of a tree count from the south
        place = np.full(self.tree.nodes, -1, dtype=np.int64)
        place[self.tree.cell_node] = np.arange(len(self.tree))
        pixel, first = np.full((1, 1), -1, dtype=np.int64), 0
        for depth, level in enumerate(self.tree.levels):
            _, columns = self.tree.frame.shape(depth)
            step = high // self.tree.frame.shape(depth)[0]
            low, stop = south // step, -(-north // step)
            if depth:
                above = self.tree.frame.shape(depth - 1)
                down, across = self.tree.frame.shape(depth)[0] // above[0], columns // above[1]
                pixel = np.repeat(np.repeat(pixel, down, axis=0), across, axis=1)
                pixel = pixel[low - first * down : stop - first * down]
            here = ~level.split & (level.row >= low) & (level.row < stop)
            pixel[level.row[here] - low, level.column[here]] = place[
                level.first + np.flatnonzero(here)
            ]
            first = low
        within = self.domain.within
        if within is None:
            return pixel[::-1]
        return np.where(within.meets_cells(*self._lines(rows)), pixel[::-1], -1)

    def pixel_weights(self, rows: range) -> Floats | None:
        within = self.domain.within
        return None if within is None else within.weight_of_cells(*self._lines(rows))

    def _lines(self, rows: range) -> tuple[Floats, Floats]:
        """Return edges of the pixels in some rows of the raster."""
        high, _ = self.raster.shape
        return self.raster.x_edges, self.raster.y_edges[high - rows.stop : high - rows.start + 1]

    def to_facts(self) -> dict[str, Any]:
        return {"frame": self.tree.frame.layout, "tree": self.tree.to_text()}

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> TreeCells:
        frame = Frame.from_layout(facts["frame"], domain)
        return cls(Tree.from_text(str(facts["tree"]), frame, most))
