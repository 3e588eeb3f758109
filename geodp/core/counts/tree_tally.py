"""Count points on the base lattice of an adaptive release: lists of codes, or a plain array.

Few points are a list of codes. For many, the base lattice is cut into *tiles* of consecutive codes.
A tile keeps the codes of its points in a list; when that is full, they are counted in an array, and
so are the points after them. So memory grows with the points where those are few, and is bounded
where they are many. Nodes are counted when a tree asks for them (`node_counts`). The result is a
sum over points, so blocks, files and workers merge by addition. Where points carry units, these are
kept with the codes, and are added up wherever points are counted.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import add
from typing import Any, ClassVar, Union
from weakref import proxy

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.sums import unit_sums
from ..common.types import Bools, Floats, Ints, SignedInts
from ..space.frame import Codes, Frame
from .node_counts import LatticeCounts, SortedCounts, Sums, Worth, by_four, middle_depth
from .single_tally import BLOCK, NodeTally

TILE_BITS = 20
"""Base cells of one tile: 2**20, of which at most 64 make a base lattice."""

WAIT = 1 << 21
"""Points that are not dealt out to tiles."""

LIST = 1 << 20
"""Codes in the list of one tile (4 MiB): as many as it has cells, each of which is looked at when
they are counted."""

_PAGE = 1 << 21
"""Bytes of the large pages in which systems may give out memory."""

MANY = 1 << 19
"""Codes of one tile that are counted in the end, when no more come."""

SHORT = 1 << 16
"""Codes in a list at first."""

FEW = 1 << 19
"""Fewer points are sorted: that takes less time than it takes to make a middle lattice."""

_WIDTHS = (np.uint8, np.uint16, np.int32, np.int64)
"""Types for the counts of a tile: most cells hold few points, and bytes take the least memory."""

Counts = npt.NDArray[np.integer[Any]]

Points = tuple[npt.NDArray[Any], ...]
"""Codes of points, and their units where they carry any, as they are kept."""


class BaseTally(NodeTally):
    """True counts of the points seen so far, by base cell. Private.

    Parameters
    ----------
    frame : Frame
        The lattice.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> tally = BaseTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (2, 2), 1))
    >>> tally.add(np.array([0.5, 1.0, 3.9]), np.array([1.5, 0.0, 4.0]))
    >>> tally
    BaseTally(private)
    >>> tally.node_counts(np.arange(4), 1)
    array([2, 0, 0, 1])
    """

    frame: Frame

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._waiting: list[Points] = []  # not dealt out to tiles
        self._waits = 0  # how many these are
        self._lists: dict[int, Points] = {}  # room for the points of each tile that has any
        self._held: dict[int, int] = {}  # how many are there
        self._long: SignedInts | None = None  # room for long lists, in large pages if there are any
        self._counted: dict[int, tuple[Counts, ...]] = {}  # what was in full lists, by tile
        self._points = 0
        self._totals = [0] * self._sums
        self._nodes: Union[SortedCounts, LatticeCounts, None] = None  # noqa: UP007

    _kinds: ClassVar[tuple[Any, ...]] = (np.int32,)
    """Types of what is kept of a point: its code."""

    _low: ClassVar[int] = 0
    """Bits below the code, in the first number that is kept of a point."""

    _sums: ClassVar[int] = 1
    """How many sums there are of each place."""

    @classmethod
    def _codes(cls, points: Points, bits: int = 0) -> npt.NDArray[Any]:
        """Return codes of points, without their last ``bits``."""
        bits += cls._low
        return points[0] >> bits if bits else points[0]

    @staticmethod
    def _worth(points: Points) -> Worth:
        """Return what points are worth in each of the sums."""
        del points
        return (None,)

    def __reduce__(self) -> tuple[Any, ...]:
        # Short lists are sent as they are, since sorting them would take longer than sending them.
        # Those that take more than a byte for each cell of a tile are counted.
        waiting = self._none_waits()
        if sum(column.nbytes for column in waiting) > 1 << TILE_BITS:
            self._deal(*waiting)
            waiting = self._none_waits()
        self._waiting, self._waits = [waiting], len(waiting[0])
        size = sum(np.dtype(kind).itemsize for kind in self._kinds)
        for tile, held in list(self._held.items()):
            if size * held > _tile_cells(self.frame, tile):
                self._count(tile)
        lists = {
            tile: tuple(room[:held] for room in self._lists[tile])
            for tile, held in self._held.items()
            if held
        }
        counted = {tile: tuple(map(_packed, sums)) for tile, sums in self._counted.items()}
        known = (waiting, lists, counted, self._points, self._totals)
        return _sent_tally, (type(self), self.frame, *known)

    def locate(self, x: Floats, y: Floats) -> tuple[Codes, Bools | None]:
        """Return codes of those points that are inside, and which these are; None for all."""
        return self.frame.located(x, y)

    def keep(self, codes: Codes, units: Ints | None = None) -> None:
        """Count points that were located; those with units are for another tally."""
        if units is not None:
            raise InputError("records with units are added up in a tally of units.")
        self._gather(codes)

    def _gather(self, *points: npt.NDArray[Any]) -> None:
        """Collect points, and deal them out to their tiles when there are many."""
        count = len(points[0])
        totals = [count if units is None else int(units.sum()) for units in self._worth(points)]
        with self._adding:
            self._nodes = None
            self._points += count
            self._totals = list(map(add, self._totals, totals))
            self._waiting.append(points)
            self._waits += count
            if self._points <= WAIT or self._waits < BLOCK:
                return
            waiting = self._none_waits()
        self._deal(*waiting)

    def _none_waits(self) -> Points:
        """Return all points that were waiting and now are not."""
        parts = self._waiting or [tuple(np.zeros(0, dtype=kind) for kind in self._kinds)]
        self._waiting, self._waits = [], 0
        return parts[0] if len(parts) == 1 else tuple(map(np.concatenate, zip(*parts)))

    def _deal(self, *points: npt.NDArray[Any]) -> None:
        """Deal points out to their tiles."""
        tile = self._codes(points, TILE_BITS).astype(np.uint8)  # bytes are sorted by counting, fast
        cuts = np.cumsum(np.bincount(tile)).tolist()
        order = np.argsort(tile, kind="stable")
        points = tuple(column.take(order) for column in points)
        with self._adding:
            for number, (start, stop) in enumerate(zip([0, *cuts], cuts)):
                self._keep(number, *(column[start:stop] for column in points))

    def _keep(self, tile: int, *points: npt.NDArray[Any]) -> None:
        """Put points into the list of their tile, and into counts whenever that is full."""
        done, count = 0, len(points[0])
        while done < count:
            rooms, held = self._room(tile)
            some = min(count - done, len(rooms[0]) - held)
            for room, column in zip(rooms, points):
                room[held : held + some] = column[done : done + some]
            self._held[tile] = held + some
            done += some
            if self._held[tile] == LIST:
                self._count(tile)

    def _room(self, tile: int) -> tuple[Points, int]:
        """Return the list of a tile with room for one more point at least; how many it holds."""
        rooms, held = self._lists.get(tile), self._held.get(tile, 0)
        if rooms is None:
            rooms = tuple(np.empty(min(SHORT, LIST), dtype=kind) for kind in self._kinds)
            self._lists[tile] = rooms
        elif held == len(rooms[0]):
            longer = self._longer(tile, held)
            for long, room in zip(longer, rooms):
                long[:held] = room
            rooms = self._lists[tile] = longer
        return rooms, held

    def _longer(self, tile: int, held: int) -> Points:
        """Make more room for the list of a tile."""
        if len(self._kinds) > 1:  # large pages, in twice as many lists, would take too much memory
            size = min(max(2 * held, SHORT), LIST)
            return tuple(np.empty(size, dtype=kind) for kind in self._kinds)
        if self._long is None:
            tiles = (self.frame.cells - 1 >> TILE_BITS) + 1
            self._long = _in_large_pages(tiles, self._kinds[0])
        return (self._long[tile],)

    def _list(self, tile: int) -> Points:
        """Return points in the list of a tile, with codes from the tile's first."""
        first, *others = (room[: self._held[tile]] for room in self._lists[tile])
        return (first - (tile << TILE_BITS + self._low), *others)

    def _count(self, tile: int) -> None:
        """Turn the list of a tile into counts."""
        self._take(tile, self._summed(self._list(tile), 0, _tile_cells(self.frame, tile)))
        self._held[tile] = 0

    @classmethod
    def _summed(cls, points: Points, bits: int, places: int) -> list[Ints]:
        """Add up what points are worth, by their codes without the last ``bits``."""
        codes = cls._codes(points, bits)
        return [unit_sums(codes, units, places) for units in cls._worth(points)]

    def _take(self, tile: int, sums: Iterable[Counts]) -> None:
        """Take sums into those of a tile, each in the narrowest type that holds it."""
        known = self._counted.get(tile, (None,) * self._sums)
        # Never in place: tallies of other tasks may hold the same arrays.
        self._counted[tile] = tuple(map(_narrow_sum, known, sums))

    def _take_in(self, other: BaseTally) -> None:
        points, totals = self._points + other._points, list(map(add, self._totals, other._totals))
        for waiting in list(other._waiting):
            self._gather(*waiting)
        lists = {
            tile: tuple(room[:held].copy() for room in other._lists[tile])
            for tile, held in other._held.items()
        }
        for tile, sums in list(other._counted.items()):
            self._take(tile, sums)
        for tile, listed in lists.items():
            self._join(tile, *listed)
        self._nodes, self._points, self._totals = None, points, totals

    def _join(self, tile: int, *points: npt.NDArray[Any]) -> None:
        """Put a list after that of its tile, with no room for more while both are short."""
        held, count = self._held.get(tile, 0), len(points[0])
        if held + count >= LIST:
            self._keep(tile, *points)
            return
        if held:
            rooms = (room[:held] for room in self._lists[tile])
            points = tuple(map(np.concatenate, zip(rooms, points)))
        self._lists[tile], self._held[tile] = points, held + count

    @property
    def total(self) -> int:
        """Return the number of points in the domain."""
        return self._totals[0]

    def prepare(self, codes: npt.NDArray[Any], depth: int) -> None:
        """Make ready to be asked for the counts of these nodes, in whatever parts."""
        self._counts.prepare(codes, depth)

    def node_counts(self, codes: npt.NDArray[Any], depth: int) -> Ints:
        """Return true counts in the nodes with these codes at a depth."""
        return self._node_sums(codes, depth)[0]

    def _node_sums(self, codes: npt.NDArray[Any], depth: int) -> list[Ints]:
        """Return all sums of nodes at a depth."""
        if depth == 0 or not len(codes):
            return [np.full(len(codes), total, dtype=np.int64) for total in self._totals]
        return self._counts.counts(codes, depth)

    @property
    def _counts(self) -> SortedCounts | LatticeCounts:
        if self._nodes is None:
            many = self._counted or self._points > WAIT
            self._nodes = self._on_tiles() if many else self._from_points()
        return self._nodes

    def _from_points(self) -> SortedCounts | LatticeCounts:
        """Return counts from a list of all points, which wait from now on, wherever they were."""
        for tile, rooms in self._lists.items():
            self._waiting.append(tuple(room[: self._held[tile]] for room in rooms))
        self._lists, self._held, self._long = {}, {}, None
        points = self._none_waits()
        few = self._points < FEW
        points = _sorted(points) if few else points
        self._waiting, self._waits = [points], len(points[0])
        if few:
            return SortedCounts(self.frame, self._codes(points), self._worth(points))
        depth = middle_depth(self.frame, self._points)
        bits = self.frame.bits(depth)
        cells = self.frame.cells >> bits
        sums = self._summed(points, bits, cells)
        middle = [total.astype(kind) for total, kind in zip(sums, self._wide)]
        return LatticeCounts(self.frame, depth, middle, partial(self._opened, points, cells, bits))

    def _on_tiles(self) -> LatticeCounts:
        """Return counts from those of tiles and from their lists."""
        tiles = self.frame.cells >> TILE_BITS
        depth = middle_depth(self.frame, max(self._points, tiles))
        bits = self.frame.bits(depth)
        self._deal(*self._none_waits())
        for tile in list(self._lists):
            # Counts have room for more, and take less than many codes.
            if tile in self._counted or self._held[tile] >= MANY:
                self._count(tile)
                del self._lists[tile], self._held[tile]
        for tile, held in self._held.items():  # few are left, which must not keep room for all
            self._lists[tile] = tuple(room[:held].copy() for room in self._lists[tile])
        self._long = None
        # Not a method of this very object, which would then hold itself, and its counts, in memory.
        below = partial(BaseTally._below, proxy(self), bits)
        return LatticeCounts(self.frame, depth, self._middle(bits), below)

    def _middle(self, bits: int) -> Sums:
        """Return sums on the lattice whose codes are ``bits`` shorter."""
        middle = [np.zeros(self.frame.cells >> bits, dtype=kind) for kind in self._wide]
        for tile in set(self._counted) | set(self._lists):
            start, stop = tile << TILE_BITS - bits, tile + 1 << TILE_BITS - bits
            parts = [sums[start:stop] for sums in middle]
            if tile in self._counted:
                for part, counts in zip(parts, self._counted[tile]):
                    part[:] = _coarse(counts.astype(part.dtype), bits)
                continue
            for part, sums in zip(parts, self._summed(self._list(tile), bits, len(parts[0]))):
                part[:] = sums
        return middle

    def _below(self, bits: int, opened: Ints) -> Sums:
        """Return sums of the base cells in some cells of the middle lattice, whose codes rise."""
        shift = TILE_BITS - bits
        base_sums = [np.zeros((len(opened), 1 << bits), dtype=kind) for kind in self._wide]
        for tile in range(int(opened[0]) >> shift, (int(opened[-1]) >> shift) + 1):
            first, last = np.searchsorted(opened, (tile << shift, tile + 1 << shift))
            inside = opened[first:last] - (tile << shift)
            parts = [sums[first:last] for sums in base_sums]
            if tile in self._counted:
                for part, counts in zip(parts, self._counted[tile]):
                    part[:] = counts.reshape(-1, 1 << bits).take(inside, axis=0)
            elif tile in self._lists:
                listed = self._opened(self._list(tile), 1 << shift, bits, inside)
                for part, sums in zip(parts, listed):
                    part[:] = sums
        return base_sums

    @classmethod
    def _opened(cls, points: Points, cells: int, bits: int, opened: Ints) -> Sums:
        """Add up a list of points in the base cells of the opened cells, a row for each."""
        if 8 * len(opened) < cells:  # leave out points elsewhere: most are
            wanted = np.zeros(cells, dtype=np.bool_)
            wanted[opened] = True
            inside = np.flatnonzero(wanted.take(cls._codes(points, bits)))
            points = tuple(column.take(inside) for column in points)
        codes = cls._codes(points)
        row = np.zeros(cells, dtype=np.int32)
        row[opened] = np.arange(1, len(opened) + 1)  # row 0 takes all points elsewhere
        place = row.take(codes >> bits)
        place <<= bits
        place |= codes & (1 << bits) - 1
        places = len(opened) + 1 << bits
        sums = [unit_sums(place, units, places) for units in cls._worth(points)]
        return [np.asarray(total.reshape(-1, 1 << bits)[1:]) for total in sums]

    @property
    def _wide(self) -> list[Any]:
        """Return the types that hold the sums over all points in one cell."""
        return [np.int64 if total >> 31 else np.int32 for total in self._totals]


def _sorted(points: Points) -> Points:
    """Sort points by their codes."""
    if len(points) == 1:
        return (np.sort(points[0]),)
    order = np.argsort(points[0], kind="stable")
    return tuple(column[order] for column in points)


def _tile_cells(frame: Frame, tile: int) -> int:
    """Return the cells of a tile; the last has fewer where tiles do not fill the lattice."""
    return min(1 << TILE_BITS, frame.cells - (tile << TILE_BITS))


def _in_large_pages(tiles: int, kind: Any) -> SignedInts:
    """Make room for long lists, each from the beginning of a large page: only use takes memory."""
    page = _PAGE // np.dtype(kind).itemsize
    memory = np.empty(tiles * LIST + page, dtype=kind)
    skip = -memory.__array_interface__["data"][0] // memory.itemsize % page
    return memory[skip : skip + tiles * LIST].reshape(tiles, LIST)


def _packed(counts: Counts) -> tuple[Codes | None, Counts]:
    """Return counts with the cells that are filled, or None and all counts if that is smaller."""
    filled = np.flatnonzero(counts).astype(np.int32)
    if (filled.itemsize + counts.itemsize) * len(filled) < counts.nbytes:
        return filled, counts[filled]
    return None, counts


def _sent_tally(
    kind: type[BaseTally],
    frame: Frame,
    waiting: Points,
    lists: dict[int, Points],
    counted: dict[int, tuple[tuple[Codes | None, Counts], ...]],
    points: int,
    totals: list[int],
) -> BaseTally:
    """Make a tally from what was sent of it; the arrays may be ones that cannot be written to."""
    tally = kind(frame)
    tally._waiting, tally._waits = [waiting], len(waiting[0])
    tally._points, tally._totals = points, totals
    tally._lists, tally._held = lists, {tile: len(columns[0]) for tile, columns in lists.items()}
    for tile, packed in counted.items():
        cells = _tile_cells(frame, tile)
        tally._counted[tile] = tuple(_unpacked(*counts, cells) for counts in packed)
    return tally


def _unpacked(filled: Codes | None, counts: Counts, cells: int) -> Counts:
    """Return counts of all cells, from those of the cells that are filled."""
    if filled is None:
        return counts
    every = np.zeros(cells, dtype=counts.dtype)
    every[filled] = counts
    return every


def _narrow_sum(known: Counts | None, more: Counts) -> Counts:
    """Add counts to those that are known, if any are, in the narrowest type that holds the sum."""
    most = int(more.max(initial=0))
    if known is not None:
        most += int(known.max(initial=0))
        more = np.add(known, more, dtype=_narrowest(most), casting="unsafe")
        if more.itemsize > known.itemsize:  # the largest counts may be in two cells
            most = int(more.max(initial=0))
    return more.astype(_narrowest(most), copy=False)


def _narrowest(most: int) -> Any:
    """Return the narrowest type that holds counts up to ``most``."""
    return next(kind for kind in _WIDTHS if most <= np.iinfo(kind).max)


def _coarse(counts: SignedInts, bits: int) -> SignedInts:
    """Add up the counts of consecutive codes that differ in their last ``bits`` alone."""
    for _ in range(bits // 2):
        counts = by_four(counts)
    return counts
