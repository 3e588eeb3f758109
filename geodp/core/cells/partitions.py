"""Divide a domain into cells of any kind, as candidates of a private choice. Public.

A choice scores a candidate by how regions cover its cells, and must know how far one record can
move that score. A record moves the error of a region by nothing where its cell lies wholly inside
or wholly outside of the region, and that must hold for every place at which a record of that cell
can be. So a cell counts as wholly inside or outside only where the region's border stays away from
the *box* around the cell; every other cell of the region is one that the border cuts, whatever its
share. A record that no cell holds, because polygons leave hairlines between them, counts in a
*leftover* that every region's border cuts.

Where it is known within what records can be, districts and hexagons elsewhere are no candidates'
cells. They are found by boxes, a little too many rather than too few. A record whose cell is none
of those kept, as rounding may have it, is left out of all candidates and all regions alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.phrases import Number, Phrase
from ..common.types import Bools, Floats, Ints, freeze
from ..regions.outlines import dissolved
from ..regions.overlap import Objects, Overlap, Weight, share_sums
from ..regions.polygons import Polygons
from ..regions.strips import Strips
from ..regions.validity import in_parts
from ..regions.workload import Workload
from ..space.axis import FRACTION_BITS, WHOLE, ranges
from ..space.domain import Domain
from ..space.grid import Grid
from ..space.support import Support
from .cells import Cells
from .district_cells import DistrictCells, PolygonShares, polygon_bounds, region_polygons
from .grid_cells import GridCells
from .h3_cells import H3Cells
from .hexagon_cells import HexagonCells

_HAIR = 1e-3
"""Part of the size of a cell by which its outline may be off; a twentieth of it would do."""

_PAIRS = 1 << 20
"""Pairs of boxes that are compared at once."""


class Partition(ABC):
    """Cells of a domain, in one of which every record of it is counted, or in the leftover."""

    cells: Cells
    """The cells, as a release publishes them."""

    supported: Bools
    """Of all that is counted, which are cells of the release: not the leftover."""

    may_leave_out: bool = False
    """Whether there may be records that are to be left out of all candidates."""

    @property
    def domain(self) -> Domain:
        """Return what is divided."""
        return self.cells.domain

    @abstractmethod
    def located(self, x: Floats, y: Floats) -> Ints:
        """Find where points of the domain are counted, from 0; -1 for what is left out."""

    @abstractmethod
    def overlap(self, regions: Workload) -> Overlap:
        """Compute how regions cover all that is counted, and how far a record moves that."""

    @property
    @abstractmethod
    def in_words(self) -> str:
        """Tell what it is, for a list of candidates."""


class GridPartition(Partition):
    """The cells of a grid."""

    def __init__(self, grid: Grid) -> None:
        self.grid, self.cells = grid, GridCells(grid)
        self.supported = freeze(np.array(grid.supported).ravel())

    def located(self, x: Floats, y: Floats) -> Ints:
        return self.grid.index(x, y)

    def overlap(self, regions: Workload) -> Overlap:
        return _OfGrid(regions.overlap(self.grid), self.grid.shape)

    @property
    def in_words(self) -> str:
        return self.grid.in_words


class _OfGrid(Overlap):
    """Overlaps with a grid whose counts come in one row."""

    def __init__(self, overlap: Overlap, shape: tuple[int, int]) -> None:
        self._overlap, self._shape = overlap, shape

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        return self._overlap.responses(counts.reshape(self._shape))

    def responses_of_sums(self, sums: Any) -> Objects:
        return self.responses(sums)

    def power_sum(self, power: int) -> Floats:
        return self._overlap.power_sum(power)

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        return self._overlap.weighted(values.reshape(self._shape), weight)

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        return self._overlap.borders()

    def influence(self, weights: Ints) -> int:
        return self._overlap.influence(weights)


class PolygonPartition(Partition):
    """Cells that are polygons: hexagons, or districts that fill the domain but for hairlines.

    Records in cells of H3 are counted by their index, and outlines follow it but for a hair. So
    their boxes are taken wider, and a record that is not even in the wider box of its cell, or
    whose index is not listed, is left out of all candidates alike.

    Parameters
    ----------
    cells : HexagonCells, H3Cells or DistrictCells
        The cells.
    """

    def __init__(self, cells: HexagonCells | H3Cells | DistrictCells) -> None:
        self.leftover = isinstance(cells, DistrictCells) and not fills(
            cells.polygons, cells.domain.bounds
        )
        """Whether a record of the domain can be in none of the cells."""
        within = cells.domain.within
        if isinstance(cells, DistrictCells) and within is not None:
            cells = cells.part(_reached(within, cells.bounds, cells.domain))
        self.cells = cells
        somewhere = within is not None and not self.leftover
        self.may_leave_out = somewhere or isinstance(cells, H3Cells)
        every = np.ones(len(cells), dtype=np.bool_)
        self.supported = freeze(np.append(every, False) if self.leftover else every)

    @cached_property
    def _polygons(self) -> Polygons:
        cells = self.cells
        if isinstance(cells, (HexagonCells, H3Cells)):
            return cells.inside
        assert cells.polygons is not None
        return cells.polygons

    def located(self, x: Floats, y: Floats) -> Ints:
        if isinstance(self.cells, H3Cells):
            return self._by_index(self.cells, x, y)
        code = self.cells.locate(x, y)
        return np.where(code < 0, len(self.cells), code) if self.leftover else code

    def _by_index(self, cells: H3Cells, x: Floats, y: Floats) -> Ints:
        """Find cells by index; -1 for what is to be left out."""
        code = cells.located(x, y)
        low_x, low_y, high_x, high_y = self._wide_boxes[np.minimum(code, len(cells) - 1)].T
        held = (low_x <= x) & (x <= high_x) & (low_y <= y) & (y <= high_y)
        return np.where(held & (code < len(cells)), code, -1)

    @cached_property
    def margin(self) -> float:
        """Return how far a record may be out of the box around its cell."""
        if not isinstance(self.cells, H3Cells):
            return 0.0
        box = self.cells.bounds
        return _HAIR * float(max((box[:, 2] - box[:, 0]).max(), (box[:, 3] - box[:, 1]).max()))

    @cached_property
    def _wide_boxes(self) -> Floats:
        return polygon_bounds(self._polygons) + self.margin * np.array([-1.0, -1.0, 1.0, 1.0])

    def overlap(self, regions: Workload) -> CutShares:
        return CutShares(self._polygons, regions, self.leftover, self.margin)

    @property
    def in_words(self) -> str:
        if isinstance(self.cells, HexagonCells):
            side = Number(f"{self.cells.hexagons.side:g}")
            return Phrase("hexagons with sides of {1}", side)
        if isinstance(self.cells, H3Cells):
            return Phrase("H3 cells of resolution {1}", Number(self.cells.resolution))
        return Phrase("{1} districts", Number(f"{len(self.cells):,}"))


def _reached(within: Support, boxes: Floats, domain: Domain) -> Bools:
    """Tell which boxes, edges among them, a record that counts can be in; one at least."""
    west, south, east, north = domain.bounds
    x0, y0 = np.maximum(boxes[:, 0], west), np.maximum(boxes[:, 1], south)
    x1, y1 = (np.nextafter(boxes[:, side], np.inf) for side in (2, 3))
    reached = within.meets(x0, y0, np.minimum(x1, east), np.minimum(y1, north))
    reached &= (x0 <= x1) & (y0 <= y1)
    if not reached.any():
        raise InputError(
            "a layer of districts must reach to where records can be; this one lies outside of "
            "`within`: leave it out of the choice."
        )
    return np.asarray(reached)


def fills(polygons: Polygons, bounds: tuple[float, float, float, float]) -> bool:
    """Tell whether polygons fill a rectangle: every border is shared to the bit, or its own.

    Examples
    --------
    >>> left = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]])
    >>> both = Polygons.from_rings([(0, False, left), (1, False, left + [1.0, 0.0])], 2)
    >>> fills(both, (0.0, 0.0, 2.0, 2.0)), fills(both, (0.0, 0.0, 3.0, 2.0))
    (True, False)
    """
    border = dissolved(polygons, np.zeros(polygons.count, dtype=np.int64), 1).edges
    on = np.zeros(len(border), dtype=np.bool_)
    for side, bound in enumerate(bounds):
        on |= (border[:, side % 2] == bound) & (border[:, side % 2 + 2] == bound)
    west, south, east, north = bounds
    length = np.abs(border[:, 2:] - border[:, :2]).sum()
    return bool(on.all() and np.isclose(length, 2 * (east - west) + 2 * (north - south)))


class CutShares(Overlap):
    """Shares of polygons that regions cover, in whole units, and which a border may cut.

    Attributes
    ----------
    region, cell : ndarray of int
        Pairs of a region and a cell whose boxes come near one another.
    share : ndarray of int
        Covered part of the cell in units of ``2**-24``.
    cut : ndarray of bool
        Whether the region's border comes to the box around the cell; if not, the share is exactly
        nothing or all, and every place of the cell is outside or inside of the region.
    """

    def __init__(
        self, cells: Polygons, regions: Workload, leftover: bool, margin: float = 0.0
    ) -> None:
        self.count, self._cells, self._leftover = len(regions), cells.count, leftover
        borders = region_polygons(regions)
        reach = max(cells.tolerance, borders.tolerance, margin)
        box = polygon_bounds(cells)
        box = box + np.array([-reach, -reach, reach, reach])
        self.region, self.cell = _pairs(polygon_bounds(borders), box)
        self.cut = _border_comes(borders, self.region, box[self.cell])
        strips = Strips(borders, regions.domain)
        free = ~self.cut
        share = np.zeros(len(self.region), dtype=np.int64)
        inside = strips.inside(self.region[free], *box[self.cell[free]].T)
        share[free] = np.where(inside > 0, WHOLE, 0)
        share[self.cut] = self._shares(cells, regions)[self.cut]
        self.share = freeze(share)

    def _shares(self, cells: Polygons, regions: Workload) -> Ints:
        """Return shares by area: of cells that are cut, any share between 0 and 1 will do."""
        by_area = PolygonShares(cells, regions)
        key = by_area.region * self._cells + by_area.cell
        order = np.argsort(key)
        wanted = self.region * self._cells + self.cell
        if not len(order):
            return np.zeros(len(wanted), dtype=np.int64)
        place = np.searchsorted(key, wanted, sorter=order)
        place = order[np.minimum(place, len(order) - 1)]
        share = np.where(key[place] == wanted, by_area.share[place], 0.0)
        return np.asarray(np.clip(np.rint(share * WHOLE), 0, WHOLE), dtype=np.int64)

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        held = np.asarray(counts)[self.cell]
        summed = share_sums(self.region, self.share, held, self.count)
        return np.asarray(summed << FRACTION_BITS, dtype=object)

    def responses_of_sums(self, sums: Any) -> Objects:
        return self.responses(sums)

    def power_sum(self, power: int) -> Floats:
        part = (self.share / WHOLE) ** power
        return np.bincount(self.region, part, minlength=self.count).astype(np.float64)

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        part = np.where(self.share > 0, weight(self.share / WHOLE), 0.0) * values[self.cell]
        return np.bincount(self.region, part, minlength=self.count).astype(np.float64)

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        cut = (self.share > 0) & (self.share < WHOLE)
        yield self.region[cut], self.cell[cut], self.share[cut] / WHOLE

    def influence(self, weights: Ints) -> int:
        sums = np.zeros(self._cells + 1, dtype=np.int64)
        moves = np.maximum(self.share, WHOLE - self.share)[self.cut]
        np.add.at(sums, self.cell[self.cut], weights[self.region[self.cut]] * moves)
        if self._leftover:  # a record there may be anywhere, and in no region's response
            sums[-1] = int(weights.sum()) * WHOLE
        return int(sums.max())


def _pairs(regions: Floats, cells: Floats) -> tuple[Ints, Ints]:
    """List regions and cells whose boxes touch, ordered by region."""
    at_once = max(1, _PAIRS // max(1, len(cells)))
    pairs = [(np.zeros(0, dtype=np.int64),) * 2]
    for start in range(0, len(regions), at_once):
        part = regions[start : start + at_once, None, :]
        near = (part[..., 0] <= cells[:, 2]) & (cells[:, 0] <= part[..., 2])
        near &= (part[..., 1] <= cells[:, 3]) & (cells[:, 1] <= part[..., 3])
        region, cell = np.nonzero(near)
        pairs.append((region + start, cell))
    region, cell = (np.concatenate(column) for column in zip(*pairs))
    return region, cell


def _border_comes(borders: Polygons, region: Ints, boxes: Floats) -> Bools:
    """Tell for each pair whether an edge of the region comes near the box; in doubt, yes."""
    first = np.searchsorted(borders.owner, np.arange(borders.count + 1))
    length = np.diff(first)[region]
    met = np.zeros(len(region), dtype=np.bool_)
    for part in in_parts(length):
        which, edge = ranges(first[region[part]], length[part])
        ax, ay, bx, by = borders.edges[edge].T
        west, south, east, north = boxes[part][which].T
        meets = (np.minimum(ax, bx) <= east) & (np.maximum(ax, bx) >= west)
        meets &= (np.minimum(ay, by) <= north) & (np.maximum(ay, by) >= south)
        dx, dy = bx - ax, by - ay
        sides = [
            dx * (y - ay) - dy * (x - ax)
            for x, y in ((west, south), (east, south), (west, north), (east, north))
        ]
        slack = 2.0**-40 * (np.abs(dx) + np.abs(dy)) * ((east - west) + (north - south))
        meets &= (np.minimum.reduce(sides) <= slack) & (np.maximum.reduce(sides) >= -slack)
        met[part] = np.bincount(which, meets, minlength=len(length[part])) > 0
    return met


@dataclass(frozen=True)
class Alternative:
    """Say what a candidate was, in words: all that a file says of those that were not chosen.

    Examples
    --------
    >>> Alternative("3,000 districts").layout
    {'words': '3,000 districts'}
    """

    in_words: str

    @property
    def layout(self) -> dict[str, str]:
        """Return what it takes to make it again."""
        return {"words": self.in_words}

    cut = layout
    """The same, for programs."""
