"""Polygons on grids with NumPy alone: exact overlaps.

Overlaps come from Green's theorem: cut every polygon edge at the grid lines it crosses; each piece
then lies in one cell and adds a signed sliver to that cell and a signed strip to all cells on its
right. Library and plugin run the same code, so they agree to the bit, with or without GEOS.

Privacy rests on one fact (docs/privacy.md, claim 4): a cell that is *not* marked as a boundary cell
is farther than ``tolerance`` from every polygon edge, which is far more than the rounding of the
point test, so all points of that cell get the same answer, the one that its overlap states. Both
the overlap of such a cell and the point test count crossings by the even-odd rule, so the fact
holds for any closed rings, valid or not. Signed areas, which need valid rings, only reach boundary
cells, where any overlap between 0 and 1 will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints, read_only
from ..space.axis import ranges
from .orientation import LARGEST, direction
from .overlap import CellOverlap, Lattice, share_in_units
from .validity import Rings, check_rings


@dataclass(frozen=True, eq=False)
class Polygons:
    """Directed edges of polygons, shells counter-clockwise and holes clockwise.

    Attributes
    ----------
    edges : ndarray, shape (e, 4)
        ``x0, y0, x1, y1`` of each edge.
    owner : ndarray, shape (e,)
        Which polygon it belongs to, in rising order.
    ring : ndarray, shape (e,)
        Which ring it belongs to, in rising order; the edges of a ring follow one another.
    count : int
        Number of polygons.
    """

    edges: Floats
    owner: Ints
    ring: Ints
    count: int

    def __post_init__(self) -> None:
        for name in ("edges", "owner", "ring"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Polygons, (self.edges, self.owner, self.ring, self.count)

    @classmethod
    def from_rings(cls, rings: Sequence[tuple[int, bool, Floats]], count: int) -> Polygons:
        """Build from ``(polygon, is_hole, coordinates)`` triples, rings closed or not.

        Corners that repeat the one before are left out. Whether the rings bound an area is for
        :meth:`check` to say.

        Examples
        --------
        >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
        >>> Polygons.from_rings([(0, False, square)], 1).edges[0]
        array([1., 0., 1., 1.])
        """
        edges, owner = [np.empty((0, 4))], []
        for polygon, is_hole, ring in sorted(rings, key=lambda entry: entry[0]):
            points = _corners(ring, polygon)
            if (direction(points) < 0) != is_hole:
                points = points[::-1]
            edges.append(np.hstack([points, np.roll(points, -1, axis=0)]))
            owner.append(polygon)
        lengths = [len(part) for part in edges[1:]]
        number = np.repeat(np.arange(len(lengths)), lengths)
        return cls(np.concatenate(edges), np.array(owner, dtype=np.int64)[number], number, count)

    def check(self) -> Polygons:
        """Return the polygons, or refuse them where their rings do not bound an area.

        Raises
        ------
        InputError
            If rings of one polygon cross or overlap, a hole is outside its shell, or shells
            overlap; rings may touch in points.

        Examples
        --------
        >>> bow_tie = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
        >>> Polygons.from_rings([(0, False, bow_tie)], 1).check()
        Traceback (most recent call last):
        geodp.core.regions.validity.RingError: every region must be a valid polygon; region 0 ...
        """
        check_rings(Rings(self.edges, self.owner, self.ring, self.count))
        return self

    @property
    def areas(self) -> Floats:
        """Return the area of each polygon, holes taken off."""
        ax, ay, bx, by = self.edges.T
        corners = np.bincount(self.owner, minlength=self.count)[self.owner]
        x, y = (  # from the middle of each polygon, so that little cancels
            np.bincount(self.owner, side, self.count)[self.owner] / corners for side in (ax, ay)
        )
        twice = (ax - x) * (by - y) - (bx - x) * (ay - y)
        return np.abs(np.bincount(self.owner, twice, minlength=self.count)) / 2

    @property
    def tolerance(self) -> float:
        """Return how near a cell counts as touched: 2**-44 of the largest coordinate."""
        return max(float(np.abs(self.edges).max(initial=0.0)), 2.0**-900) * 2.0**-44


def _corners(ring: npt.ArrayLike, polygon: int) -> Floats:
    """Return corners of a ring, none like the one before; the first is not repeated at the end."""
    points = np.asarray(ring, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2:
        raise InputError(
            f"a ring must be rows of x and y; one of region {polygon} has shape {points.shape}."
        )
    if not (np.abs(points) <= LARGEST).all():
        raise InputError(
            f"a region's coordinates must be finite and below 1e150; region {polygon} has others: "
            "correct or remove it."
        )
    if len(points) > 1 and np.array_equal(points[0], points[-1]):
        points = points[:-1]
    return np.asarray(points[(points != np.roll(points, 1, axis=0)).any(axis=1)])


class PolygonOverlap(CellOverlap):
    """Overlaps of polygons: boundary cells one by one, inner cells as runs along rows.

    Attributes
    ----------
    run_region, run_row, run_start, run_stop : ndarray
        Inner cells: columns ``start`` to ``stop``, half-open.
    """

    def __init__(self, polygons: Polygons, grid: Lattice) -> None:
        self.shape = grid.shape
        self.count = polygons.count
        rows, columns = grid.shape
        region, row, column, strips, slivers, crossed = _listed(polygons, grid)
        # One entry per (region, row, column), in that order; column -1 stands left of the grid.
        key = (region * rows + row) * (columns + 1) + column + 1
        key, where = np.unique(key, return_inverse=True)
        cover: Floats = np.bincount(where, strips, minlength=len(key)).astype(np.float64)
        sliver = np.bincount(where, slivers, minlength=len(key))
        crossings = np.cumsum(np.bincount(where[crossed], minlength=len(key)))
        line, column = key // (columns + 1), key % (columns + 1) - 1
        same_line = line[1:] == line[:-1]
        right_of = np.cumsum(cover)
        before = np.flatnonzero(np.append(True, ~same_line)) if len(line) else line
        lengths = np.diff(np.append(before, len(line)))
        right_of -= np.repeat((right_of - cover)[before], lengths)  # each line starts from 0
        crossings -= np.repeat(np.append(0, crossings)[before], lengths)
        share = share_in_units(right_of - cover + sliver)
        real = column >= 0
        self.region, self.row = line[real] // rows, line[real] % rows
        self.column, self.share = column[real], share[real]
        # Between two boundary cells of a line the overlap is constant, 0 or 1: inside after an odd
        # number of crossings, the rule by which points are tested too.
        stop = np.full(len(line), columns)
        stop[:-1][same_line] = column[1:][same_line]
        inner = (crossings % 2 == 1) & (column + 1 < stop)
        self.run_region, self.run_row = line[inner] // rows, line[inner] % rows
        self.run_start, self.run_stop = column[inner] + 1, stop[inner]

    def inner_sums(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        kind = np.float64 if counts.dtype.kind == "f" else np.int64
        sums = np.zeros((self.shape[0], self.shape[1] + 1), dtype=kind)
        np.cumsum(counts[::-1], axis=1, out=sums[:, 1:])
        runs = sums[self.run_row, self.run_stop] - sums[self.run_row, self.run_start]
        result = np.zeros(self.count, dtype=kind)
        np.add.at(result, self.run_region, runs)
        return result

    def inner_cells(self) -> Ints:
        runs = self.run_stop - self.run_start
        return np.bincount(self.run_region, runs, minlength=self.count).astype(np.int64)


def _listed(
    polygons: Polygons, grid: Lattice
) -> tuple[Ints, Ints, Ints, Floats, Floats, npt.NDArray[np.bool_]]:
    """List everything that happens in a cell, as from ``_slivers``, and which are crossings."""
    slivers, crossings = _slivers(polygons, grid), _crossings(polygons, grid)
    nothing = np.zeros(len(crossings[0]))
    crossed = np.repeat([False, True], [len(slivers[0]), len(nothing)])
    region, row, column, strip, sliver = (
        np.concatenate(pair) for pair in zip(slivers, (*crossings, nothing, nothing))
    )
    return region, row, column, strip, sliver, crossed


def _crossings(polygons: Polygons, grid: Lattice) -> tuple[Ints, Ints, Ints]:
    """Find where edges cross the lower sides of rows: region, row, column (-1 left of the grid).

    An edge crosses a height as in ``locator``: it holds its lower end and not its upper one.
    Rounding may put a crossing into the neighbour of its cell, but then the edge is so close to
    both that both are boundary cells.
    """
    xs, ys = grid.x_edges, grid.y_edges
    ax, ay, bx, by = polygons.edges.T
    first = np.searchsorted(ys[:-1], np.minimum(ay, by))
    stop = np.searchsorted(ys[:-1], np.maximum(ay, by))
    edge, row = ranges(first, stop - first)
    along = (ys[row] - ay[edge]) / (by - ay)[edge]
    column = np.searchsorted(xs, ax[edge] + along * (bx - ax)[edge], side="right") - 1
    kept = column < len(xs) - 1
    return polygons.owner[edge[kept]], row[kept], column[kept]


def _slivers(polygons: Polygons, grid: Lattice) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Return pieces of edges by cell: region, row, column, strip added to its right, own sliver.

    Cells that a piece merely comes within tolerance of are listed too, with nothing to add.
    """
    xs, ys = grid.x_edges, grid.y_edges
    owner, x0, y0, x1, y1 = _pieces(polygons, grid)
    middle = (y0 + y1) / 2
    keep = (ys[0] <= middle) & (middle < ys[-1])
    row = np.searchsorted(ys, middle[keep], side="right") - 1
    ax, bx = (np.clip(x[keep], xs[0], xs[-1]) for x in (x0, x1))
    column = np.searchsorted(xs, (x0[keep] + x1[keep]) / 2, side="right") - 1
    # Left of the grid a piece is a strip over the whole line; right of it, nothing.
    height = (y0[keep] - y1[keep]) / np.diff(ys)[row]
    at = np.clip(column, 0, len(xs) - 2)
    sliver = height * (xs[at + 1] - (ax + bx) / 2) / np.diff(xs)[at]
    on_grid = column < len(xs) - 1
    sliver[column < 0] = 0
    region = owner[keep]
    listed = [(region[on_grid], row[on_grid], column[on_grid], height[on_grid], sliver[on_grid])]
    # A straight piece inside one cell that comes within tolerance of another one has an end
    # within twice that; and every end is the start of the next piece.
    near = 2 * polygons.tolerance
    left, right = (np.searchsorted(xs, x0 + by, side="right") - 1 for by in (-near, near))
    below, above = (np.searchsorted(ys, y0 + by, side="right") - 1 for by in (-near, near))
    for right_by in range(int((right - left).max(initial=-1)) + 1):
        for up_by in range(int((above - below).max(initial=-1)) + 1):
            column, row = left + right_by, below + up_by
            touched = (column <= right) & (row <= above) & (column >= 0) & (row >= 0)
            touched &= (column < len(xs) - 1) & (row < len(ys) - 1)
            nothing = np.zeros(int(touched.sum()))
            listed.append((owner[touched], row[touched], column[touched], nothing, nothing))
    region, row, column, height, sliver = (np.concatenate(part) for part in zip(*listed))
    return region, row, column, height, sliver


def _pieces(polygons: Polygons, grid: Lattice) -> tuple[Ints, Floats, Floats, Floats, Floats]:
    """Cut all edges at the grid lines that they cross: owner and both ends of each piece."""
    ax, ay, bx, by = polygons.edges.T
    edge, share = [], []
    for start, end, lines in ((ax, bx, grid.x_edges), (ay, by, grid.y_edges)):
        first = np.searchsorted(lines, np.minimum(start, end), side="right")
        stop = np.searchsorted(lines, np.maximum(start, end), side="left")
        which, line = ranges(first, np.maximum(stop - first, 0))
        edge.append(which)
        share.append((lines[line] - start[which]) / (end[which] - start[which]))
    every = np.arange(len(ax))
    edges = np.concatenate([*edge, every, every])
    shares = np.concatenate([*share, np.zeros(len(ax)), np.ones(len(ax))])
    order = np.lexsort((shares, edges))
    edges, shares = edges[order], np.clip(shares[order], 0.0, 1.0)
    begin = np.flatnonzero(edges[1:] == edges[:-1])
    of, s, t = edges[begin], shares[begin], shares[begin + 1]
    x0, y0 = ax[of] + s * (bx - ax)[of], ay[of] + s * (by - ay)[of]
    # The last piece ends on the vertex itself, so that edges meet without a gap.
    x1 = np.where(t == 1, bx[of], ax[of] + t * (bx - ax)[of])
    y1 = np.where(t == 1, by[of], ay[of] + t * (by - ay)[of])
    return polygons.owner[of], x0, y0, x1, y1
