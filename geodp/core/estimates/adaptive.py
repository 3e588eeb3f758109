"""Cells of a tree, fine where records crowd, with estimates by least squares from all its nodes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from ..space.cells import box_areas
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from ..space.ground import ground_share
from ..space.tree import Tree
from ..space.wording import size_in_words
from .least_squares import Fit
from .legend import Legend, density_legend
from .partition import ErrorTerms, Estimate, Partition
from .regular import part_of
from .split_bias import split_bias
from .tree_answers import answer_tree
from .unevenness import Unevenness, tree_unevenness

_NODES, _NODES_PER_CHARACTER = 1 << 20, 16
"""Nodes that a file may claim, and more of them for each character of its measurements. Noise takes
some bits for every node, however it is zipped: a file that claims many more is hostile."""


class AdaptiveCells(Partition):
    """The final cells of a tree, in the order of their codes.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> frame = Frame(Domain((0, 0, 4000, 4000), crs="EPSG:5070"), (1, 2), 2)
    >>> AdaptiveCells(Tree(frame, [[False, True], [False] * 4])).in_words
    '5 cells of 1.41 km to 2.83 km'
    """

    kind: ClassVar[str] = "adaptive"
    format: ClassVar[str] = "3"
    integer_counts: ClassVar[bool] = False
    reading: ClassVar[str] = (
        "Every cell shows an estimate of its {}. It is made from noisy counts of the cell itself, "
        "of the cells around it and of larger cells."
    )
    candidate = staticmethod(Frame.of_layout)
    bands: ClassVar[tuple[str, ...]] = ("count", "std_error", "depth")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __repr__(self) -> str:
        return f"AdaptiveCells({self.tree!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdaptiveCells) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.tree)

    @property
    def domain(self) -> Domain:
        return self.tree.frame.domain

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.tree),)

    @property
    def grid(self) -> Grid:
        raise InputError("an adaptive release has cells of many sizes and no one grid.")

    @property
    def deepest(self) -> int:
        """Depth of the smallest cells that occur."""
        return len(self.tree.levels) - 1

    @cached_property
    def raster(self) -> Grid:
        return Grid(self.domain, self.tree.frame.shape(self.deepest))

    def pixels(self, rows: range) -> Ints:
        """Which cell each pixel belongs to: from the coarsest lattice down, only these rows."""
        high, _ = self.raster.shape
        south, north = high - rows.stop, high - rows.start  # rows of a tree count from the south
        number = np.full(self.tree.nodes, -1, dtype=np.int64)
        number[self.tree.cell_node] = np.arange(len(self.tree))
        found, first = np.full((1, 1), -1, dtype=np.int64), 0
        for depth, level in enumerate(self.tree.levels):
            _, columns = self.tree.frame.shape(depth)
            step = self.tree.frame.shape(self.deepest)[0] // self.tree.frame.shape(depth)[0]
            low, stop = south // step, -(-north // step)
            if depth:
                above = self.tree.frame.shape(depth - 1)
                down, across = self.tree.frame.shape(depth)[0] // above[0], columns // above[1]
                found = np.repeat(np.repeat(found, down, axis=0), across, axis=1)
                found = found[low - first * down : stop - first * down]
            here = ~level.split & (level.row >= low) & (level.row < stop)
            found[level.row[here] - low, level.column[here]] = number[
                level.first + np.flatnonzero(here)
            ]
            first = low
        within = self.domain.within
        if within is None:
            return found[::-1]
        return np.where(within.meets_cells(*self._lines(rows)), found[::-1], -1)

    def pixel_weights(self, rows: range) -> Floats | None:
        within = self.domain.within
        return None if within is None else within.weight_of_cells(*self._lines(rows))

    def _lines(self, rows: range) -> tuple[Floats, Floats]:
        """Edges of the pixels in some rows of the raster."""
        high, _ = self.raster.shape
        return self.raster.x_edges, self.raster.y_edges[high - rows.stop : high - rows.start + 1]

    def fields(self) -> dict[str, npt.NDArray[Any]]:
        left, bottom, right, top = self.tree.bounds.T
        return {
            "id": np.arange(len(self.tree)),
            "left": left,
            "top": top,
            "right": right,
            "bottom": bottom,
            "depth": self.tree.cell_depth,
        }

    def nodes(self) -> Floats:
        tree = self.tree
        every = (tree.node_bounds(d, np.arange(len(level))) for d, level in enumerate(tree.levels))
        return np.concatenate([np.column_stack(bounds) for bounds in every])

    def columns(self, estimate: Estimate) -> dict[str, npt.NDArray[Any]]:
        return {
            "count": estimate.counts,
            "std_error": np.sqrt(estimate.variance),
            "density": estimate.counts / self._ground_areas(),
        }

    def areas(self) -> Floats:
        box_areas(self.tree.bounds[:0], self.domain.crs)  # degrees have none
        return self._ground_areas()

    def _ground_areas(self) -> Floats:
        """Areas on the ground, for densities."""
        left, bottom, right, top = self.tree.bounds.T
        share = ground_share((left + right) / 2, (bottom + top) / 2, self.domain)
        return self._plain_areas(self.tree.bounds) * share

    def _plain_areas(self, boxes: Floats) -> Floats:
        """Areas on the map, for its colours: in square kilometres, or in square degrees."""
        if not self.domain.crs.geographic:
            return box_areas(boxes, self.domain.crs)
        left, bottom, right, top = boxes.T
        return np.asarray((right - left) * (top - bottom))

    def facts(self) -> dict[str, tuple[str, str, Any]]:
        sizes = f"{self._size(self.deepest)} to {self._size(self._coarsest)}"
        return {
            "cells": ("Cells", f"{len(self):,} of unequal size", len(self)),
            "cell_size": ("Size of a cell", sizes, sizes),
            "deepest": ("Depth of the smallest cells", str(self.deepest), self.deepest),
        }

    @property
    def in_words(self) -> str:
        sides = " to ".join(map(self._side, (self.deepest, self._coarsest)))
        return f"{len(self):,} cells of {sides}"

    def _side(self, depth: int) -> str:
        """Side of a square as large as the cells of a depth."""
        rows, columns = self.tree.frame.shape(depth)
        side = (self.domain.width / columns * self.domain.height / rows) ** 0.5
        return size_in_words(side, side, self.domain.crs).partition(" × ")[2]

    @property
    def _coarsest(self) -> int:
        return int(self.tree.cell_depth.min())

    def _size(self, depth: int) -> str:
        rows, columns = self.tree.frame.shape(depth)
        return size_in_words(
            self.domain.width / columns, self.domain.height / rows, self.domain.crs
        )

    def examples(self) -> list[tuple[str, tuple[float, float, float, float]]]:
        """A cell of each depth that there is, and all."""
        found = []
        for depth in range(self.deepest, 0, -1):
            there = np.flatnonzero(self.tree.cell_depth == depth)
            if len(there):
                west, south, east, north = self.tree.bounds[there[len(there) // 2]].tolist()
                found.append((f"a cell of {self._size(depth)}", (west, south, east, north)))
        return [*found, ("the whole map", self.domain.bounds)]

    def legend(self, measurements: Measurements) -> Legend:
        """Classes of densities: ordinary noise is white, wherever it is on the map."""
        noise = np.sqrt(self.fit(measurements).variance)
        unit = "square degrees" if self.domain.crs.geographic else "km²"
        found = density_legend(noise, self._plain_areas(self.tree.bounds), unit)
        whole = float(self._plain_areas(np.array([self.domain.bounds]))[0])
        return replace(found, pixel=whole / self.raster.cells)

    def to_facts(self, measurements: Measurements) -> dict[str, Any]:
        """All that estimates are made of: a file's own counts are the estimates."""
        return {
            "frame": self.tree.frame.layout,
            "tree": self.tree.to_text(),
            "measured": measurements.to_text(),
        }

    @classmethod
    def of_facts(cls, facts: dict[str, Any], domain: Domain) -> AdaptiveCells:
        frame = Frame.of_layout(facts["frame"], domain)
        most = _NODES + _NODES_PER_CHARACTER * len(facts["measured"])
        return cls(Tree.from_text(str(facts["tree"]), frame, most))

    def measured(self, facts: dict[str, Any], counts: npt.NDArray[Any]) -> Measurements:
        del counts  # estimates, which follow from the measurements
        return Measurements.from_text(str(facts["measured"]), self.tree.nodes)

    def checked_values(self, measurements: Measurements) -> Ints:
        return measurements.value

    def fit(self, measurements: Measurements, alone: bool = True) -> TreeEstimate:
        return TreeEstimate(self.tree, measurements, alone)


class TreeEstimate(Estimate):
    """Counts of cells and regions by least squares from all measurements of a tree.

    Parameters
    ----------
    tree : Tree
        The cells.
    measurements : Measurements
        What was published about its nodes.
    alone : bool
        Whether these measurements alone decided what was split; then what that adds to the
        estimates is taken off.
    """

    def __init__(self, tree: Tree, measurements: Measurements, alone: bool = True) -> None:
        self._made, self._alone = (tree, measurements.check(tree)), alone

    @cached_property
    def fit(self) -> Fit:
        """Estimates of all nodes, made when they are asked for."""
        return Fit(*self._made, split_bias(*self._made) if self._alone else None)

    @property
    def counts(self) -> npt.NDArray[Any]:
        return self.fit.estimate

    @property
    def variance(self) -> Floats:
        return self.fit.variance

    @cached_property
    def _uneven(self) -> Unevenness:
        return tree_unevenness(self.fit)

    def parts(self, regions: Workload) -> ErrorTerms:
        found = answer_tree(self.fit, regions, self._uneven)
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = found.fourth / found.variance**2
        return ErrorTerms(
            found.estimate,
            found.variance,
            excess,
            found.spread,
            np.sqrt(found.squares),
            part_of(found.cut, found.present),
            regions.inside,
        )
