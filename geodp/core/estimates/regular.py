"""Cells of one regular grid, each measured once: the estimate of a cell is its noisy count."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.sums import summed_area
from ..common.types import Floats, Ints, read_only
from ..kernel.measurements import Measurements
from ..privacy.budget import exact
from ..regions.overlap import UNIT, Overlap
from ..regions.workload import Workload
from ..space.cells import cell_areas, cell_fields
from ..space.domain import Domain
from ..space.grid import Grid
from ..space.wording import cell_size
from .legend import Legend, classes_of
from .partition import ErrorTerms, Estimate, Partition
from .unevenness import Border, Unevenness, grid_unevenness

_BOXES = 1 << 12
"""Boxes answered at once where their cells are listed, so that memory stays bounded."""


class RegularCells(Partition):
    """The cells of a grid, row by row from the north-west.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> RegularCells(Grid(Domain((0, 0, 4000, 2000), crs="EPSG:5070"), (2, 4))).in_words
    '2 × 4 cells'
    """

    kind: ClassVar[str] = "regular"
    format: ClassVar[str] = "2"
    integer_counts: ClassVar[bool] = True
    bands: ClassVar[tuple[str, ...]] = ("count",)
    reading: ClassVar[str] = "Every cell shows its {} plus random noise."
    candidate = staticmethod(Grid.of_layout)

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def __repr__(self) -> str:
        return f"RegularCells({self._grid!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RegularCells) and self._grid == other._grid

    def __hash__(self) -> int:
        return hash(self._grid)

    @property
    def domain(self) -> Domain:
        return self._grid.domain

    @property
    def shape(self) -> tuple[int, ...]:
        return self._grid.shape

    @property
    def grid(self) -> Grid:
        return self._grid

    @property
    def supported(self) -> npt.NDArray[np.bool_]:
        return self._grid.supported

    @property
    def raster(self) -> Grid:
        return self._grid

    def pixels(self, rows: range) -> Ints:
        measured = self.supported[rows.start : rows.stop]
        before = np.count_nonzero(self.supported[: rows.start])
        number = before + np.cumsum(measured).reshape(measured.shape) - 1
        return np.where(measured, number, -1)

    def fields(self) -> dict[str, npt.NDArray[Any]]:
        return cell_fields(self._grid)

    def nodes(self) -> Floats:
        fields = self.fields()
        return np.column_stack([fields[name] for name in ("left", "bottom", "right", "top")])

    def columns(self, estimate: Estimate) -> dict[str, npt.NDArray[Any]]:
        return {"count": estimate.counts[self.supported]}

    def areas(self) -> Floats:
        return cell_areas(self._grid)

    def facts(self) -> dict[str, tuple[str, str, Any]]:
        rows, columns = self._grid.shape
        size = cell_size(self._grid)
        all_of_them = f"{rows} rows × {columns} columns"
        some = f"{len(self):,} of {all_of_them}"
        return {
            "cells": ("Cells", all_of_them if self.supported.all() else some, len(self)),
            "rows": ("Rows", "", rows),
            "columns": ("Columns", "", columns),
            "cell_size": ("Size of a cell", size, size),
        }

    @property
    def in_words(self) -> str:
        return "{} × {} cells".format(*self._grid.shape)

    def examples(self) -> list[tuple[str, tuple[float, float, float, float]]]:
        grid = self._grid
        rows, columns = grid.shape
        sides = [side for side in (1, 3, 10, 30, 100, 300, 1000) if side < min(rows, columns)]
        squares = [(f"{side} × {side} cells" if side > 1 else "1 cell", side) for side in sides]
        found = [(name, self._square(side)) for name, side in squares]
        return [*found, ("the whole map", grid.domain.bounds)]

    def _square(self, side: int) -> tuple[float, float, float, float]:
        """The first square of cells from the north-west in which records can be all over."""
        grid = self._grid
        sums = summed_area(grid.supported)
        full = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side]
        full += sums[:-side, :-side]
        row, column = np.unravel_index(int(np.argmax(full[::-1])), full.shape)
        top, left = grid.shape[0] - int(row), int(column)
        x, y = grid.x_edges, grid.y_edges
        return float(x[left]), float(y[top - side]), float(x[left + side]), float(y[top])

    def legend(self, measurements: Measurements) -> Legend:
        classes = classes_of(measurements.scales[0], measurements.terms)
        return Legend("count", "records per cell", classes)

    def to_facts(self, measurements: Measurements) -> dict[str, Any]:
        return {"grid": self._grid.layout, "scale": str(measurements.scales[0])}

    @classmethod
    def of_facts(cls, facts: dict[str, Any], domain: Domain) -> RegularCells:
        return cls(Grid.of_layout(facts["grid"], domain))

    def measured(self, facts: dict[str, Any], counts: npt.NDArray[Any]) -> Measurements:
        return measured_cells(self._grid, counts, exact(facts["scale"]))

    def checked_values(self, measurements: Measurements) -> Ints:
        every = self._grid.domain.within is None
        return measurements.value.reshape(self.shape) if every else measurements.value

    def fit(self, measurements: Measurements, alone: bool = True) -> RegularEstimate:
        del alone  # cells of a grid were not chosen by what is measured in them
        return RegularEstimate(self._grid, measurements)


def measured_cells(grid: Grid, counts: npt.NDArray[Any], scale: Fraction) -> Measurements:
    """Noisy counts of a grid's cells as measurements: of those cells where records can be."""
    whole = Measurements.of_counts(counts, scale, grid.shape)
    if grid.domain.within is None:
        return whole
    kept = np.flatnonzero(grid.supported)
    return Measurements(kept, whole.value[kept], None, [scale])


class RegularEstimate(Estimate):
    """Every cell as it was measured, and zero for certain where no records can be.

    Parameters
    ----------
    grid : Grid
        The cells.
    measurements : Measurements
        One count for each cell where records can be, all with the same scale.
    """

    def __init__(self, grid: Grid, measurements: Measurements) -> None:
        if not measurements.covers_once(np.flatnonzero(grid.supported)):
            raise InputError(
                "counts must have one value for each cell, in the grid's shape; got "
                f"{len(measurements):,} for {grid.shape}."
            )
        self.grid = grid
        self._noise = measurements.variances()[0]
        self._excess = measurements.excess()[0]
        if len(measurements) == grid.cells:
            self._counts = measurements.value.reshape(grid.shape)
        else:
            counts = np.zeros(grid.shape, dtype=np.int64)
            counts[grid.supported] = measurements.value
            self._counts = read_only(counts)

    @property
    def counts(self) -> npt.NDArray[Any]:
        return self._counts

    @cached_property
    def variance(self) -> Floats:
        variance = np.float64(self._noise)
        if self.grid.domain.within is None:
            return np.broadcast_to(variance, self.grid.shape)
        return read_only(np.where(self.grid.supported, variance, 0.0))

    def parts(self, regions: Workload) -> ErrorTerms:
        if self.grid.domain.within is None:
            return self._parts(regions)
        # By weight, every cell that a border cuts is listed.
        found = [self._parts(part) for part in regions.in_parts(_BOXES)]
        return ErrorTerms(*(np.concatenate(column) for column in zip(*found)))

    def _parts(self, regions: Workload) -> ErrorTerms:
        overlap = regions.overlap(self.grid)
        squares = overlap.power_sum(2)
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = self._excess * overlap.power_sum(4) / squares**2
        responses = overlap.responses(self._counts)
        return ErrorTerms(
            np.array([value / UNIT for value in responses], dtype=np.float64),
            self._noise * squares,
            excess,
            self._spread(overlap, len(regions)),
            np.sqrt(squares),
            _border_share(overlap, self._counts),
            regions.inside,
        )

    @cached_property
    def _uneven(self) -> Unevenness:
        weights = None if self.grid.domain.within is None else self.grid.weights
        return grid_unevenness(self._counts.astype(np.float64), self.variance, weights)

    def _spread(self, overlap: Overlap, regions: int) -> Floats:
        """Variance of what the even spread gets wrong, over the cells that regions cut."""
        counts, variance = self._counts.ravel(), self.variance.ravel()
        deepest = len(self._uneven.blocks.sizes) - 1
        spread = np.zeros(regions)
        for region, cell, share in overlap.borders():
            depth = np.full(len(cell), deepest)
            count = counts[cell].astype(np.float64)
            border = Border(region, depth, cell, share, count, variance[cell])
            spread += self._uneven.variance(border, regions)
        return spread


def _border_share(overlap: Overlap, counts: npt.NDArray[Any]) -> Floats:
    present = np.maximum(np.asarray(counts, dtype=np.float64), 0)
    cut = overlap.weighted(present, lambda share: np.where(share < 1, share, 0))
    whole = overlap.weighted(present, lambda share: share)
    return part_of(cut, whole)


def part_of(part: Floats, whole: Floats) -> Floats:
    """Shares between 0 and 1; 0 where there is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, np.clip(part / whole, 0, 1), 0.0))
