"""Take the cells of one regular grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..regions.overlap import Objects, Overlap, Weight
from ..regions.workload import Workload
from ..space.cells import EDGES, cell_areas, cell_fields
from ..space.domain import Domain
from ..space.grid import Grid
from .cells import Cells


class GridCells(Cells):
    """The cells of a grid where records can be, row by row from the north-west.

    Examples
    --------
    >>> cells = GridCells(Grid(Domain((0, 0, 4000, 2000), crs="EPSG:5070"), (2, 4)))
    >>> len(cells), cells.locate(np.array([10.0, 5000.0]), np.array([10.0, 10.0]))
    (8, array([ 4, -1]))
    """

    kind: ClassVar[str] = "regular"
    format: ClassVar[str] = "2"
    candidate = staticmethod(Grid.from_layout)
    grid: Grid

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __repr__(self) -> str:
        rows, columns = self.grid.shape
        return f"GridCells({rows} × {columns} cells)"

    @property
    def identity(self) -> Grid:
        return self.grid

    @property
    def domain(self) -> Domain:
        return self.grid.domain

    def __len__(self) -> int:
        return int(np.count_nonzero(self.grid.supported))

    @property
    def codes(self) -> Ints:
        return np.flatnonzero(self.grid.supported)

    @property
    def bounds(self) -> Floats:
        fields = cell_fields(self.grid)
        return np.column_stack([fields[name] for name in EDGES])

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        row, column = np.divmod(self.codes, self.grid.shape[1])
        return {"row_index": row, "col_index": column}

    def locate(self, x: Floats, y: Floats) -> Ints:
        return self.places(self.grid.index(x, y))

    def places(self, cell: Ints) -> Ints:
        """Find cells of the grid, by their codes, in the order of cells; -1 for none."""
        if self.domain.within is None:
            return cell
        place = np.searchsorted(self.codes, cell)
        held = (cell >= 0) & self.grid.supported.ravel().take(cell, mode="clip")
        return np.where(held, place, -1)

    def overlap(self, regions: Workload) -> Overlap:
        return GridCellOverlap(regions.overlap(self.grid), self)

    def areas(self) -> Floats:
        return cell_areas(self.grid)[self.grid.supported]

    @property
    def raster(self) -> Grid:
        return self.grid

    def pixels(self, rows: range) -> Ints:
        measured = self.grid.supported[rows.start : rows.stop]
        before = np.count_nonzero(self.grid.supported[: rows.start])
        return np.where(measured, before + np.cumsum(measured).reshape(measured.shape) - 1, -1)

    def to_facts(self) -> dict[str, Any]:
        return {"grid": self.grid.layout}

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> GridCells:
        del most  # a grid takes no more memory than its file
        return cls(Grid.from_layout(facts["grid"], domain))


class GridCellOverlap(Overlap):
    """Overlaps with a grid, for values in the order of its cells."""

    def __init__(self, overlap: Overlap, cells: GridCells) -> None:
        self._overlap, self._cells = overlap, cells

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        return self._overlap.responses(self._cells.grid.reshape(counts))

    def power_sum(self, power: int) -> Floats:
        return self._overlap.power_sum(power)

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        return self._overlap.weighted(self._cells.grid.reshape(values), weight)

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        for region, cell, share in self._overlap.borders():
            place = self._cells.places(cell)
            held = place >= 0
            yield region[held], place[held], share[held]

    def influence(self, weights: Ints) -> int:
        return self._overlap.influence(weights)
