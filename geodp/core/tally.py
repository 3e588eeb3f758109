"""Counting: one pass over the points gives every candidate's counts and every region's count.

All grid lines and all region edges of an axis form one sorted array. A point is located in it once
per axis; small tables then give its cell in every lattice. What comes out is a sum over points, so
blocks, files and workers merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from .axis import Axis, Floats, Ints, read_only
from .domain import Domain
from .errors import InputError
from .grid import Grid, checked_candidates, in_domain
from .locator import Locator
from .sums import rectangle_sums, summed_area
from .workload import Workload

_BLOCK = 1 << 14
"""Points located at once; their arrays stay in the processor's cache.

Larger blocks are no faster, and much slower where an allocator hands every freed array back to the
system, as Dask tells its workers to do (docs/scale.md).
"""

_GATHER = 1 << 19
"""Points counted at once; larger than most lattices, so that adding lattices up costs little."""

_PACK = 8
"""Lattices looked up at once: eight numbers of 32 bits are the most that is copied in one step."""

_LATTICE_CELLS = 1 << 22

SKETCH_SHAPE = (8, 8)
"""Coarse enough that a sliver of the budget shows roughly where the records are."""
Cells = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Lattice:
    """Edges on both axes, and tables from located positions to its cells; row 0 is north."""

    x_edges: Floats
    y_edges: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "x_edges", read_only(self.x_edges))
        object.__setattr__(self, "y_edges", read_only(self.y_edges))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y_edges) - 1, len(self.x_edges) - 1

    def tables(self, x: Axis, y: Axis) -> tuple[Ints, Ints]:
        rows, columns = self.shape
        return x.table(self.x_edges), (rows - 1 - y.table(self.y_edges)) * columns

    def refines(self, grid: Grid) -> bool:
        """Whether every line of the grid is a line here."""
        return bool(
            np.isin(grid.x_edges, self.x_edges).all() and np.isin(grid.y_edges, self.y_edges).all()
        )


class Plan:
    """What to count: candidate grids and regions. Public, made once, shared by many tallies.

    A plan that is sent to another process is made again there once, and is the very same one when
    it comes back, so that tallies from anywhere know whether they follow one plan.

    Parameters
    ----------
    grids : sequence of Grid
        Candidates on one domain.
    workload : Workload, optional
        Regions on the same domain.
    """

    def __init__(self, grids: tuple[Grid, ...], workload: Workload | None = None) -> None:
        self.grids = checked_candidates(grids)
        self.workload = workload
        self.domain: Domain = grids[0].domain
        if workload is not None and workload.domain != self.domain:
            raise InputError(
                "grids and workload must be on one domain; got "
                f"{self.domain!r} and {workload.domain!r}."
            )
        self.sketch_grid = Grid(self.domain, SKETCH_SHAPE)
        counted = self.grids if workload is None else (*self.grids, self.sketch_grid)
        self.grid_lattices: list[Lattice] = []
        # A grid whose lines are all lines of a finer one is summed from it instead of counted.
        for grid in sorted(counted, key=lambda grid: -grid.cells):
            if not any(lattice.refines(grid) for lattice in self.grid_lattices):
                self.grid_lattices.append(Lattice(grid.x_edges, grid.y_edges))
        self.region_lattices = _box_lattices(workload) if workload is not None else []
        self.locator: Locator | None = None
        if workload is not None and workload.polygons is not None:
            self.locator = Locator(workload.polygons, self.domain)
            fine = self.locator.grid
            self.region_lattices = [Lattice(fine.x_edges, fine.y_edges)]
        every = self.grid_lattices + self.region_lattices
        self.x = Axis(np.unique(np.concatenate([lattice.x_edges for lattice in every])))
        self.y = Axis(np.unique(np.concatenate([lattice.y_edges for lattice in every])))
        self.tables = _packed([lattice.tables(self.x, self.y) for lattice in every])
        self.name = uuid.uuid4().hex
        _PLANS[self.name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return _plan_named, (self.name, self.grids, self.workload)

    def tally(self) -> Tally:
        """Return a new tally, which has counted nothing yet."""
        return Tally(self)


_PLANS: WeakValueDictionary[str, Plan] = WeakValueDictionary()
_MAKING = threading.Lock()


def _plan_named(name: str, grids: tuple[Grid, ...], workload: Workload | None) -> Plan:
    """The plan of that name in this process, made now if it was made elsewhere."""
    with _MAKING:
        plan = _PLANS.get(name)
        if plan is None:
            plan = Plan(grids, workload)
            del _PLANS[plan.name]
            plan.name = name
            _PLANS[name] = plan
        return plan


class Tally:
    """True counts of the points seen so far. Private.

    Parameters
    ----------
    plan : Plan
        What to count.

    Examples
    --------
    >>> grid = Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (2, 2))
    >>> tally = Tally(Plan((grid,)))
    >>> tally.add(np.array([0.5, 1.0]), np.array([1.5, 0.0]))
    >>> tally
    Tally(private)
    >>> tally.counts(0)
    array([[1, 0],
           [0, 1]])
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        shapes = [lattice.shape for lattice in plan.grid_lattices + plan.region_lattices]
        self._counts = [np.zeros(rows * columns, dtype=np.int64) for rows, columns in shapes]
        self._near = np.zeros(len(plan.workload) if plan.workload else 0, dtype=np.int64)

    def __repr__(self) -> str:
        return "Tally(private)"

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike) -> None:
        """Count points given by coordinates in the domain's CRS; those outside are dropped."""
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        for start in range(0, len(xs), _GATHER):
            self._gather(xs[start : start + _GATHER], ys[start : start + _GATHER])

    def _gather(self, x: Floats, y: Floats) -> None:
        cells = np.empty((len(self._counts), len(x)), dtype=np.int64)
        done = 0
        for start in range(0, len(x), _BLOCK):
            block = slice(start, start + _BLOCK)
            _, bx, by = in_domain(self.plan.domain, x[block], y[block])
            column, row = self.plan.x.locate(bx), self.plan.y.locate(by)
            stop = done + len(bx)
            for first, (columns, rows) in zip(range(0, len(cells), _PACK), self.plan.tables):
                found = columns.take(column, axis=0)
                found += rows.take(row, axis=0)
                out = cells[first : first + _PACK, done:stop]
                out[:] = found.T[: len(out)]
            if self.plan.locator is not None:
                self._near += self.plan.locator.near(bx, by, cells[-1, done:stop])
            done = stop
        for counts, where in zip(self._counts, cells):
            counts += np.bincount(where[:done], minlength=len(counts))

    def __add__(self, other: Tally) -> Tally:
        """Merge two tallies of one plan."""
        if self.plan is not other.plan:
            raise InputError("tallies can be added only when they follow the same plan.")
        merged = Tally(self.plan)
        merged._counts = [a + b for a, b in zip(self._counts, other._counts)]
        merged._near = self._near + other._near
        return merged

    def counts(self, candidate: int) -> npt.NDArray[Any]:
        """True counts on one candidate grid, row 0 in the north."""
        return self._on(self.plan.grids[candidate])

    def sketch(self) -> npt.NDArray[Any]:
        """True counts on the coarse grid from which expected counts are estimated."""
        return self._on(self.plan.sketch_grid)

    def _on(self, grid: Grid) -> npt.NDArray[Any]:
        pairs = zip(self.plan.grid_lattices, self._counts)
        lattice, cells = next(pair for pair in pairs if pair[0].refines(grid))
        fine = cells.reshape(lattice.shape)
        if grid.shape == lattice.shape:
            return fine
        # Row starts count from the north, line numbers from the south.
        lines = np.searchsorted(lattice.y_edges, grid.y_edges[:0:-1])
        by_row = np.add.reduceat(fine, lattice.shape[0] - lines, axis=0)
        columns = np.searchsorted(lattice.x_edges, grid.x_edges[:-1])
        return np.asarray(np.add.reduceat(by_row, columns, axis=1))

    @property
    def total(self) -> int:
        """Number of points in the domain."""
        return int(self._counts[0].sum())

    def inside(self) -> Ints:
        """Exact count of points in each region."""
        workload, plan = self.plan.workload, self.plan
        if workload is None:
            raise InputError("this tally was made without regions.")
        counted = [
            counts.reshape(lattice.shape)
            for counts, lattice in zip(
                self._counts[len(plan.grid_lattices) :], plan.region_lattices
            )
        ]
        if plan.locator is not None:
            return plan.locator.inside(self._near, counted[0])
        assert workload.boxes is not None
        chunks = np.array_split(workload.boxes, len(counted))
        answers = []
        for lattice, counts, boxes in zip(plan.region_lattices, counted, chunks):
            x0, x1 = (np.searchsorted(lattice.x_edges, boxes[:, i]) for i in (0, 2))
            y0, y1 = (np.searchsorted(lattice.y_edges, boxes[:, i]) for i in (1, 3))
            answers.append(rectangle_sums(summed_area(counts), x0, x1, y0, y1))
        return np.concatenate(answers)


def _packed(tables: list[tuple[Ints, Ints]]) -> list[tuple[Cells, Cells]]:
    """Tables side by side, so that one look-up brings the cells in up to eight lattices.

    NumPy copies rows of 1, 2, 4 … 32 bytes in one step; other widths are several times slower.
    """
    packs = []
    for first in range(0, len(tables), _PACK):
        group = tables[first : first + _PACK]
        width = 1 << (len(group) - 1).bit_length()
        pair = tuple(np.zeros((len(table), width), dtype=np.int32) for table in group[0])
        for number, columns_rows in enumerate(group):
            for pack, table in zip(pair, columns_rows):
                pack[:, number] = table
        packs.append((pair[0], pair[1]))
    return packs


def _box_lattices(workload: Workload) -> list[Lattice]:
    """Lattices made of the boxes' own edges: a box is then a rectangle of whole cells.

    Many boxes are split into groups, so that no lattice grows out of hand.
    """
    if workload.boxes is None:
        return []
    xmin, ymin, xmax, ymax = workload.domain.bounds
    groups = 1
    while True:
        lattices = [
            Lattice(
                np.unique(np.append(part[:, [0, 2]], [xmin, xmax])),
                np.unique(np.append(part[:, [1, 3]], [ymin, ymax])),
            )
            for part in np.array_split(workload.boxes, groups)
        ]
        if max(np.prod(lattice.shape) for lattice in lattices) <= _LATTICE_CELLS:
            return lattices
        groups *= 2
