"""Count points on every candidate grid and in every region, in one pass.

All grid lines and all region edges of an axis form one sorted array. A point is located in it once
per axis, and tables give its cell in every lattice. What comes out is a sum over points, so blocks,
files and workers merge by addition.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.sums import Summed, block_sums, rectangle_sums, summed_area, unit_sums
from ..common.types import Bools, Floats, Ints, read_only
from ..regions.locator import Locator
from ..regions.workload import Workload
from ..space.axis import Axis
from ..space.domain import Domain
from ..space.grid import Grid, checked_candidates, in_domain
from ..space.lookup import CellCodes, Lookup
from .single_tally import BLOCK, SingleTally

GATHER = 1 << 21
"""Points counted at once; larger than most lattices, so that adding lattices up costs little."""

_MOST_GATHERED = 1 << 26
"""Cells that tallies beside each other may hold before they are counted (256 MiB)."""

_PACK = 8
"""Lattices looked up at once: eight numbers of 32 bits are the most that is copied in one step."""

LATTICE_CELLS = 1 << 22

_JOINED_CELLS = 1 << 21
"""Grids are counted on one lattice with the lines of all, while it has no more cells than this."""

SKETCH_SHAPE = (8, 8)
"""Coarse enough that a sliver of the budget shows roughly where the records are."""


@dataclass(frozen=True, eq=False)
class CountLattice:
    """Edges on both axes, and tables from located positions to its cells; row 0 is north."""

    x_edges: Floats
    y_edges: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "x_edges", read_only(self.x_edges))
        object.__setattr__(self, "y_edges", read_only(self.y_edges))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y_edges) - 1, len(self.x_edges) - 1

    @property
    def cells(self) -> int:
        rows, columns = self.shape
        return rows * columns

    def tables(self, x: Axis, y: Axis) -> tuple[Ints, Ints]:
        rows, columns = self.shape
        return x.table(self.x_edges), (rows - 1 - y.table(self.y_edges)) * columns

    def joined(self, grid: Grid) -> CountLattice:
        """Return the lattice with the lines of a grid as well."""
        return CountLattice(
            np.union1d(self.x_edges, grid.x_edges), np.union1d(self.y_edges, grid.y_edges)
        )

    def refines(self, grid: Grid) -> bool:
        """Tell whether every line of the grid is a line here."""
        return bool(
            np.isin(grid.x_edges, self.x_edges).all() and np.isin(grid.y_edges, self.y_edges).all()
        )


class Plan:
    """Say what to count: candidate grids and regions. Public, made once, shared by many tallies.

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
        self.grid_lattices = _grid_lattices(counted)
        self.region_lattices = _box_lattices(workload) if workload is not None else []
        self.locator: Locator | None = None
        if workload is not None and workload.polygons is not None:
            self.locator = Locator(workload.polygons, self.domain)
            fine = self.locator.grid
            self.region_lattices = [CountLattice(fine.x_edges, fine.y_edges)]
        every = self.grid_lattices + self.region_lattices
        self.lookups = [
            _lookup(self.domain, every[first : first + _PACK])
            for first in range(0, len(every), _PACK)
        ]
        self._places: dict[Grid, tuple[int, CountLattice, Ints, Ints]] = {}
        self.name = uuid.uuid4().hex
        _PLANS[self.name] = self

    groups = None
    """A plan counts all records alike; see :class:`~geodp.core.counts.group_tally.GroupedPlan`."""

    @property
    def size(self) -> int:
        """Return the bytes that the counts take."""
        lattices = self.grid_lattices + self.region_lattices
        return sum(8 * rows * columns for rows, columns in (lattice.shape for lattice in lattices))

    def place(self, grid: Grid) -> tuple[int, CountLattice, Ints, Ints]:
        """Return number and lattice that a grid is counted on, and the grid's lines there."""
        if grid not in self._places:
            lattices = enumerate(self.grid_lattices)
            number, lattice = next(pair for pair in lattices if pair[1].refines(grid))
            rows = np.searchsorted(lattice.y_edges, grid.y_edges)
            columns = np.searchsorted(lattice.x_edges, grid.x_edges)
            self._places[grid] = number, lattice, rows, columns
        return self._places[grid]

    def inside(self, x: Floats, y: Floats) -> Bools:
        """Tell which points are in the domain."""
        return in_domain(self.domain, x, y)[0]

    def places(self, x: Floats, y: Floats) -> tuple[npt.NDArray[Any], Bools]:
        """Find the cells of one grid for those points that are inside, and which these are."""
        if len(self.grids) > 1 or self.workload is not None:
            raise InputError("a place is a cell of one grid, which is given; this plan has more.")
        numbers, inside = self.lookups[0].numbers(x, y)
        return numbers[:, 0], np.ones(len(x), dtype=np.bool_) if inside is None else inside

    def __reduce__(self) -> tuple[Any, ...]:
        return _plan_named, (self.name, self.grids, self.workload)

    def tally(self, beside: int = 1) -> Tally:
        """Return a new, empty tally, which shares memory with others: ``beside`` in all."""
        lattices = len(self.grid_lattices + self.region_lattices)
        return Tally(self, min(GATHER, _MOST_GATHERED // (beside * lattices)))


_PLANS: WeakValueDictionary[str, Plan] = WeakValueDictionary()
_MAKING = threading.Lock()


def _plan_named(name: str, grids: tuple[Grid, ...], workload: Workload | None) -> Plan:
    """Return the plan of that name in this process, made now if it was made elsewhere."""
    with _MAKING:
        plan = _PLANS.get(name)
        if plan is None:
            plan = Plan(grids, workload)
            del _PLANS[plan.name]
            plan.name = name
            _PLANS[name] = plan
        return plan


class Tally(SingleTally):
    """True counts of the points seen so far. Private.

    Parameters
    ----------
    plan : Plan
        What to count.
    gather : int
        Points that are counted at once, at most.

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

    def __init__(self, plan: Plan, gather: int = GATHER) -> None:
        super().__init__()
        self.plan = plan
        self._lattices = plan.grid_lattices + plan.region_lattices
        self._counted: list[Ints] | None = None
        self._near = np.zeros(len(plan.workload) if plan.workload else 0, dtype=np.int64)
        # Cells of points that are not counted yet; memory that is never written to costs nothing.
        self._cells = np.empty((len(self._lattices), max(gather, BLOCK)), dtype=np.int32)
        self._units: Ints | None = None  # of those points, if they carry units
        self._gathered = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _tally_from_counts, (self.plan, self._counts, self._near)

    def _add(self, x: Floats, y: Floats, units: Ints | None) -> None:
        cells, inside = self.locate(x, y)
        if units is not None and inside is not None:
            units = units[inside]
        if self.plan.locator is not None:
            bx, by = (x, y) if inside is None else (x[inside], y[inside])
            near = self.plan.locator.near(bx, by, cells[:, -1].astype(np.int64), units)
            with self._adding:
                self._near += near
        self.keep(cells, units)

    def locate(self, x: Floats, y: Floats) -> tuple[CellCodes, Bools | None]:
        """Return cells of those points that are inside, and which these are; None for all."""
        first, *others = self.plan.lookups
        cells, inside = first.numbers(x, y)
        if others:
            cells = np.hstack([cells, *(lookup.numbers(x, y)[0] for lookup in others)])
        return cells, inside

    def keep(self, cells: CellCodes, units: Ints | None = None) -> None:
        """Gather the cells of located points, to be counted later; polygons are counted before."""
        with self._adding:
            if self._gathered + len(cells) > self._cells.shape[1]:
                self._count()
            here = slice(self._gathered, self._gathered + len(cells))
            if units is not None:
                if self._units is None:
                    self._units = np.empty(self._cells.shape[1], dtype=np.int64)
                    self._units[: self._gathered] = 1
                self._units[here] = units
            elif self._units is not None:
                self._units[here] = 1
            self._cells[:, here] = cells.T
            self._gathered += len(cells)

    def _count(self) -> None:
        """Turn the gathered cells into counts."""
        shapes = (lattice.shape for lattice in self._lattices)
        units = None if self._units is None else self._units[: self._gathered]
        counts = [
            unit_sums(cells[: self._gathered], units, rows * columns)
            for cells, (rows, columns) in zip(self._cells, shapes)
        ]
        self._counted = counts if self._counted is None else _sums(self._counted, counts)
        self._gathered = 0

    @property
    def _counts(self) -> list[Ints]:
        with self._adding:
            if self._gathered or self._counted is None:
                self._count()
            assert self._counted is not None
            return self._counted

    def __add__(self, other: Tally) -> Tally:
        """Merge two tallies of one plan."""
        if self.plan is not other.plan:
            raise InputError("tallies can be added only when they follow the same plan.")
        counts = [a + b for a, b in zip(self._counts, other._counts)]
        return _tally_from_counts(self.plan, counts, self._near + other._near)

    def __iadd__(self, other: Tally) -> Tally:
        """Take in what another tally has counted; the other stays as it is."""
        if self.plan is not other.plan:
            raise InputError("tallies can be added only when they follow the same plan.")
        self._counted = _sums(self._counts, other._counts)
        self._near += other._near
        return self

    @property
    def borders(self) -> bool:
        """Tell whether more is counted of points than cells: those near borders of polygons."""
        return self.plan.locator is not None

    def counts(self, candidate: int) -> npt.NDArray[Any]:
        """Return true counts on one candidate grid, row 0 in the north."""
        return self.on(self.plan.grids[candidate])

    def on(self, grid: Grid) -> npt.NDArray[Any]:
        """Return true counts on one of the plan's grids, row 0 in the north."""
        number, lattice, rows, columns = self.plan.place(grid)
        if grid.shape == lattice.shape:
            return self._lattice_counts(number)
        return block_sums(self._lattice_counts(number), rows, columns)

    def summed(self) -> list[Summed]:
        """Return true counts on all candidates, as running sums: let go of soon, they are large."""
        tables = [summed_area(self._lattice_counts(i)) for i in range(len(self.plan.grid_lattices))]
        places = map(self.plan.place, self.plan.grids)
        return [Summed(tables[number], rows, columns) for number, _, rows, columns in places]

    def _lattice_counts(self, number: int) -> npt.NDArray[Any]:
        return self._counts[number].reshape(self._lattices[number].shape)

    @property
    def total(self) -> int:
        """Return the number of points in the domain."""
        return int(self._counts[0].sum())

    def inside(self) -> Ints:
        """Return the exact count of points in each region."""
        workload, plan = self.plan.workload, self.plan
        if workload is None:
            raise InputError("this tally was made without regions.")
        if plan.locator is not None:
            return plan.locator.inside(self._near, self._lattice_counts(-1))
        assert workload.boxes is not None
        chunks = np.array_split(workload.boxes, len(plan.region_lattices))
        answers = []
        for number, boxes in enumerate(chunks, start=len(plan.grid_lattices)):
            lattice = self._lattices[number]
            x0, x1 = (np.searchsorted(lattice.x_edges, boxes[:, i]) for i in (0, 2))
            y0, y1 = (np.searchsorted(lattice.y_edges, boxes[:, i]) for i in (1, 3))
            sums = summed_area(self._lattice_counts(number))
            answers.append(rectangle_sums(sums, x0, x1, y0, y1))
        return np.concatenate(answers)


def _tally_from_counts(plan: Plan, counts: list[Ints], near: Ints) -> Tally:
    tally = Tally(plan)
    tally._counted, tally._near = counts, near
    return tally


def _sums(counts: list[Ints], more: list[Ints]) -> list[Ints]:
    for here, further in zip(counts, more):
        here += further
    return counts


def _lookup(domain: Domain, lattices: list[CountLattice]) -> Lookup:
    """Make one look-up for up to eight lattices, among the lines of all."""
    x = Axis(np.unique(np.concatenate([lattice.x_edges for lattice in lattices])))
    y = Axis(np.unique(np.concatenate([lattice.y_edges for lattice in lattices])))
    columns, rows = zip(*(lattice.tables(x, y) for lattice in lattices))
    return Lookup(domain, x, y, np.stack(columns, axis=1), np.stack(rows, axis=1))


def _grid_lattices(grids: Sequence[Grid]) -> list[CountLattice]:
    """Choose lattices from whose cells those of all grids can be summed: few, and not too large.

    A grid whose lines are all lines of a finer one adds nothing to it.
    """
    lattices: list[CountLattice] = []
    for grid in sorted(grids, key=lambda grid: -grid.cells):
        for number, lattice in enumerate(lattices):
            both = lattice.joined(grid)
            if both.cells <= max(_JOINED_CELLS, lattice.cells):
                lattices[number] = both
                break
        else:
            lattices.append(CountLattice(grid.x_edges, grid.y_edges))
    return lattices


def _box_lattices(workload: Workload) -> list[CountLattice]:
    """Make lattices of the boxes' own edges: a box is then a rectangle of whole cells.

    Many boxes are split into groups, so that no lattice grows out of hand.
    """
    if workload.boxes is None:
        return []
    xmin, ymin, xmax, ymax = workload.domain.bounds
    groups = 1
    while True:
        lattices = [
            CountLattice(
                np.unique(np.append(part[:, [0, 2]], [xmin, xmax])),
                np.unique(np.append(part[:, [1, 3]], [ymin, ymax])),
            )
            for part in np.array_split(workload.boxes, groups)
        ]
        if max(np.prod(lattice.shape) for lattice in lattices) <= LATTICE_CELLS:
            return lattices
        groups *= 2
