"""Count a dataset once, and answer fast in floating point for many repetitions.

The core answers in exact integers, because a release must. The study asks for the same sums
hundreds of times and only measures errors, so floats will do; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geodp.core.common.types import Floats, Ints
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.regions.overlap import Overlap
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid, candidate_grids, in_domain

from .datasets import Dataset

_BATCH_CELLS = 1 << 22
"""Cells of noise drawn at once: 32 MB of floats."""


class Corners:
    """Place boxes in cells of a grid, and read ``Σ a_i c_i`` off a summed-area table.

    Bilinear interpolation between the corners of cells is the uniformity assumption.

    Parameters
    ----------
    boxes : ndarray, shape (m, 4)
        ``xmin, ymin, xmax, ymax``.
    grid : Grid
        The cells.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> grid = Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (2, 2))
    >>> corners = Corners(np.array([[0.0, 0.0, 1.5, 2.0]]), grid)
    >>> corners.read(table(np.array([[1, 2], [3, 4]])))
    array([7.])
    """

    def __init__(self, boxes: Floats, grid: Grid) -> None:
        rows, columns = grid.shape
        x = np.interp(boxes[:, [0, 2]], grid.x_edges, np.arange(columns + 1.0))
        y = np.interp(boxes[:, [1, 3]], grid.y_edges, np.arange(rows + 1.0))
        self.column: Ints = np.minimum(x.astype(np.int64), columns - 1)
        self.row: Ints = np.minimum(y.astype(np.int64), rows - 1)
        self.across: Floats = x - self.column
        self.up: Floats = y - self.row

    def read(self, sums: npt.NDArray[Any]) -> Floats:
        """Read answers off a summed-area table, whose leading axes are repetitions."""
        lower = self._at(sums, 0, 0) - self._at(sums, 1, 0)
        return np.asarray(lower + self._at(sums, 1, 1) - self._at(sums, 0, 1))

    def _at(self, sums: npt.NDArray[Any], i: int, j: int) -> Floats:
        column, row = self.column[:, i], self.row[:, j]
        across, up = self.across[:, i], self.up[:, j]
        low = (1 - across) * sums[..., row, column] + across * sums[..., row, column + 1]
        high = (1 - across) * sums[..., row + 1, column] + across * sums[..., row + 1, column + 1]
        return np.asarray((1 - up) * low + up * high)


def table(counts: npt.NDArray[Any]) -> Floats:
    """Sum areas from the south-west; row 0 of the counts is north, leading axes stay."""
    rows, columns = counts.shape[-2:]
    sums = np.zeros((*counts.shape[:-2], rows + 1, columns + 1))
    np.cumsum(counts[..., ::-1, :], axis=-2, out=sums[..., 1:, 1:])
    np.cumsum(sums[..., 1:, 1:], axis=-1, out=sums[..., 1:, 1:])
    return sums


def discrete_laplace(random: np.random.Generator, scale: float, shape: tuple[int, ...]) -> Floats:
    """Draw whole numbers with ``P(y)`` in proportion to ``exp(-|y| / scale)``, from floats.

    The floor of an exponential variable is geometric, and the difference of two of them is
    discrete Laplace. Good for a study; a release takes :mod:`geodp.core.privacy.noise`.
    """
    drawn = np.floor(random.standard_exponential(shape) * scale)
    drawn -= np.floor(random.standard_exponential(shape) * scale)
    return np.asarray(drawn)


def batches(repetitions: int, cells: int) -> Iterator[int]:
    """Yield sizes of batches that keep the noise of one batch in memory."""
    most = max(1, _BATCH_CELLS // cells)
    while repetitions > 0:
        yield min(most, repetitions)
        repetitions -= most


@dataclass(eq=False)
class Case:
    """Hold a dataset with candidate grids, boxes to tune on and others to test on. Private.

    Parameters
    ----------
    dataset : Dataset
        The points.
    sizes : sequence of int
        Divisions per axis of the candidates.
    tuning : Workload
        Boxes that tuners see.
    test : Workload
        Boxes that errors are measured on.
    """

    dataset: Dataset
    sizes: Sequence[int]
    tuning: Workload
    test: Workload
    _counts: dict[tuple[int, int], Ints] = field(default_factory=dict, repr=False)

    @cached_property
    def points(self) -> tuple[Floats, Floats]:
        """Return the points inside the domain."""
        _, x, y = in_domain(self.dataset.domain, *self.dataset.points())
        return x, y

    @cached_property
    def unit_points(self) -> tuple[Floats, Floats]:
        """Return the points with the domain stretched to the unit square."""
        xmin, ymin, _, _ = self.dataset.domain.bounds
        x, y = self.points
        below = np.nextafter(1.0, 0.0)
        u = np.minimum((x - xmin) / self.dataset.domain.width, below)
        return u, np.minimum((y - ymin) / self.dataset.domain.height, below)

    @cached_property
    def unit_boxes(self) -> Floats:
        """Return the test boxes with the domain stretched to the unit square."""
        return self._stretched(self.test)

    @cached_property
    def unit_tuning_boxes(self) -> Floats:
        """Return the tuning boxes with the domain stretched to the unit square."""
        return self._stretched(self.tuning)

    def _stretched(self, regions: Workload) -> Floats:
        boxes, domain = _boxes(regions), self.dataset.domain
        low, extent = np.array(domain.bounds[:2]), np.array([domain.width, domain.height])
        return np.asarray((boxes.reshape(-1, 2, 2) - low).reshape(-1, 4) / np.tile(extent, 2))

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """Return the candidate grids."""
        return candidate_grids(self.dataset.domain, sizes=self.sizes)

    @cached_property
    def tally(self) -> Tally:
        """Count on the candidates and in the tuning boxes."""
        tally = Tally(Plan(self.grids, self.tuning))
        tally.add(*self.points)
        return tally

    @cached_property
    def base_tally(self) -> BaseTally:
        """Count on the lattices that a tree of cells may use."""
        tally = BaseTally(Frame(self.dataset.domain))
        tally.add(*self.points)
        return tally

    @property
    def records(self) -> int:
        """Return the number of points in the domain."""
        return len(self.points[0])

    @cached_property
    def overlaps(self) -> list[Overlap]:
        """Compute overlaps of the tuning boxes with each candidate."""
        return [self.tuning.overlap(grid) for grid in self.grids]

    @cached_property
    def aggregation_errors(self) -> Floats:
        """Compute ``A_t = R_t - T_t`` of each candidate (rows) in each tuning box."""
        inside = self.tally.inside()
        answers = [
            Corners(_boxes(self.tuning), grid).read(table(self.tally.counts(i))) - inside
            for i, grid in enumerate(self.grids)
        ]
        return np.array(answers)

    @cached_property
    def truth(self) -> Ints:
        """Count exactly in the test boxes."""
        tally = Tally(Plan((Grid(self.dataset.domain, (1, 1)),), self.test))
        tally.add(*self.points)
        return tally.inside()

    def grid(self, size: int) -> Grid:
        """Return a square division of the domain, candidate or not."""
        return Grid(self.dataset.domain, (size, size))

    def counts(self, grid: Grid) -> Ints:
        """Count on any grid, once."""
        if grid.shape not in self._counts:
            if grid in self.grids:
                counts = self.tally.counts(self.grids.index(grid))
            else:
                tally = Tally(Plan((grid,)))
                tally.add(*self.points)
                counts = tally.counts(0)
            self._counts[grid.shape] = np.asarray(counts)
        return self._counts[grid.shape]

    def test_corners(self, grid: Grid) -> Corners:
        """Place the test boxes on a grid."""
        return Corners(_boxes(self.test), grid)

    def tuning_corners(self, grid: Grid) -> Corners:
        """Place the tuning boxes on a grid."""
        return Corners(_boxes(self.tuning), grid)


def _boxes(workload: Workload) -> Floats:
    assert workload.boxes is not None
    return workload.boxes
