"""Tell whether rings bound an area: no edges that cross or overlap, holes in shells, shells apart.

Shells run counter-clockwise and holes clockwise, so the inside is on the left of every edge. The
rings of a region are valid when, off their edges, every place is wound around once or not at all;
then the signed area, the even-odd rule and the eye agree on what is inside. Rings may touch in
points, themselves or one another.

How that is decided, exactly (``orientation.turn``) and without comparing all pairs of edges:

1. Edges of a region that cross or share more than a point are refused. Only edges that meet in a
   row of a fine grid are compared.
2. Around a point where rings touch, edges that leave it and edges that arrive must alternate; if
   they do, no ring crosses another there, and all rings that touch one another, a *cluster*,
   separate the same two winding numbers, w and w + 1.
3. One place at the lowest corner of each cluster tells whether w is 0.

Privacy does not rest on this: see ``polygons``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cmp_to_key
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..space.axis import ranges
from .orientation import turn

Flags = npt.NDArray[np.bool_]

MOST_PAIRS = 1 << 19
"""Pairs compared at once, so that memory stays bounded."""

_CROSSES = "crosses itself"
_OVERLAPS = "has edges that lie on one another"
_NESTED = "has a hole outside its shell, or parts that cover one another"
_EMPTY = "has no area"


class RingError(InputError):
    """Say which region has rings that bound no area, and why.

    Attributes
    ----------
    region : int
        Number of the region.
    fault : str
        What is wrong with it, as the end of a sentence.
    """

    def __init__(self, region: int, fault: str) -> None:
        super().__init__(
            f"every region must be a valid polygon; region {region} {fault}: "
            "repair it with `make_valid()`."
        )
        self.region, self.fault = region, fault


class Rings(NamedTuple):
    """Directed edges with the region and the ring that each belongs to.

    Attributes
    ----------
    edges : ndarray, shape (e, 4)
        ``x0, y0, x1, y1``; the edges of a ring follow one another, and none has length 0.
    owner, ring : ndarray, shape (e,)
        Number of the region and of the ring, both in rising order.
    regions : int
        Number of regions.
    """

    edges: Floats
    owner: Ints
    ring: Ints
    regions: int

    @property
    def start(self) -> Floats:
        return self.edges[:, :2]

    @property
    def end(self) -> Floats:
        return self.edges[:, 2:]


class Touches(NamedTuple):
    """Edges at points where rings touch: one entry for each point and edge."""

    edge: Ints
    point: Floats


def check_rings(rings: Rings) -> None:
    """Refuse regions whose rings do not bound an area, naming the first that was found.

    Parameters
    ----------
    rings : Rings
        Shells counter-clockwise, holes clockwise.

    Raises
    ------
    RingError
        With the region's number and the remedy.
    """
    _refuse_if(
        np.bincount(rings.owner, minlength=rings.regions) == 0, np.arange(rings.regions), _EMPTY
    )
    if not len(rings.edges):
        return
    following = following_edges(rings.ring)
    rows = EdgeRows(rings)
    touches = _touches(rings, rows, following)
    cluster, corner_inside = _clusters(rings, touches)
    _check_nesting(rings, rows, following, cluster, corner_inside)


def _refuse_if(broken: Flags, region: Ints, what: str) -> None:
    if broken.any():
        raise RingError(int(region[broken].min()), what)


def following_edges(ring: Ints) -> Ints:
    """Return the edge after each edge of its ring."""
    following = np.arange(1, len(ring) + 1)
    last = np.flatnonzero(np.append(ring[1:] != ring[:-1], True))
    following[last] = np.append(0, last[:-1] + 1)
    return following


class EdgeRows:
    """Edges by rows of their region: edges that share a point share a row, and there overlap in x.

    Rows are numbered through all regions. Rounding is covered by a margin of 2**-48 of the largest
    coordinate, which is more than the rounding of a row's ends and of an edge's place in it.

    Attributes
    ----------
    edge, row : ndarray
        One entry for each edge and row, by row and then by ``low``.
    low, high : ndarray
        What the edge spans in that row from west to east, rounded outwards.
    """

    def __init__(self, rings: Rings) -> None:
        y0, y1 = rings.edges[:, 1], rings.edges[:, 3]
        south, north = np.minimum(y0, y1), np.maximum(y0, y1)
        firsts = np.flatnonzero(np.append(True, rings.owner[1:] != rings.owner[:-1]))
        self._region = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(south))))
        self._base = np.minimum.reduceat(south, firsts)
        height = np.maximum.reduceat(north, firsts) - self._base
        edges = np.diff(np.append(firsts, len(south)))
        # As many rows as leave about two entries for each edge.
        with np.errstate(all="ignore"):
            across = np.add.reduceat(north - south, firsts) / height
            self._rows = np.clip(np.nan_to_num(edges / across), 1, edges).astype(np.int64)
            scale = self._rows / height
        self._scale = np.where(np.isfinite(scale), scale, 0.0)
        self._offset = np.cumsum(self._rows) - self._rows
        first = self.row_at(np.arange(len(south)), south)
        last = self.row_at(np.arange(len(south)), north)
        edge, row = ranges(first, last - first + 1)
        low, high = self._spans(rings.edges, edge, row)
        order = np.lexsort((low, row))
        self.edge, self.row = edge[order], row[order]
        self.low, self.high = low[order], high[order]

    def row_at(self, edge: Ints, y: Floats) -> Ints:
        """Return the row at height y in the region of an edge; it never falls as y rises."""
        region = self._region[edge]
        step = ((y - self._base[region]) * self._scale[region]).astype(np.int64)
        return np.asarray(self._offset[region] + np.minimum(step, self._rows[region] - 1))

    def _spans(self, edges: Floats, edge: Ints, row: Ints) -> tuple[Floats, Floats]:
        margin = max(float(np.abs(edges).max()), 2.0**-900) * 2.0**-48
        region = self._region[edge]
        x0, y0, x1, y1 = edges[edge].T
        at, step = self._base[region], row - self._offset[region]
        south, north = np.minimum(y0, y1), np.maximum(y0, y1)
        with np.errstate(all="ignore"):
            bottom = np.nan_to_num(at + step / self._scale[region] - margin, nan=-np.inf)
            top = at + (step + 1) / self._scale[region] + margin
            ends = [(np.clip(y, south, north) - y0) / (y1 - y0) for y in (bottom, top)]
        ends = [
            np.where(y0 == y1, end, x0 + share * (x1 - x0)) for share, end in zip(ends, (x0, x1))
        ]
        return np.minimum(*ends) - margin, np.maximum(*ends) + margin

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Return edges that may share a point, in parts; some pairs come more than once."""
        places = len(self.low) + 1
        by_low = np.sort(self.low)
        key = self.row * places + np.searchsorted(by_low, self.low)
        last = self.row * places + np.searchsorted(by_low, self.high, side="right")
        after = np.arange(1, places)
        length = np.maximum(np.searchsorted(key, last) - after, 0)
        for part in in_parts(length):
            one, other = ranges(after[part], length[part])
            yield self.edge[part][one], self.edge[other]


def in_parts(length: Ints) -> Iterator[slice]:
    """Cut a list so that the lengths in a part add up to about ``MOST_PAIRS`` at most."""
    part = np.cumsum(length) // MOST_PAIRS
    cuts = np.flatnonzero(part[1:] != part[:-1]) + 1
    for start, stop in zip(np.append(0, cuts), np.append(cuts, len(length))):
        yield slice(int(start), int(stop))


def _touches(rings: Rings, rows: EdgeRows, following: Ints) -> Touches:
    """Refuse edges that cross or overlap; list those that touch other than one after the other."""
    touches: list[tuple[Ints, Floats]] = [(np.empty(0, dtype=np.int64), np.empty((0, 2)))]
    low = np.minimum(rings.start, rings.end)
    high = np.maximum(rings.start, rings.end)
    for e, f in rows.pairs():
        near = ((low[e] <= high[f]) & (low[f] <= high[e])).all(axis=1)
        e, f = e[near], f[near]
        a, b, c, d = rings.start[e], rings.end[e], rings.start[f], rings.end[f]
        ends = (
            (turn(a, b, c), c, e),
            (turn(a, b, d), d, e),
            (turn(c, d, a), a, f),
            (turn(c, d, b), b, f),
        )
        (abc, *_), (abd, *_), (cda, *_), (cdb, *_) = ends
        _refuse_if((abc * abd < 0) & (cda * cdb < 0), rings.owner[e], _CROSSES)
        shared = (np.maximum(low[e], low[f]) < np.minimum(high[e], high[f])).any(axis=1)
        _refuse_if((abc == 0) & (abd == 0) & shared, rings.owner[e], _OVERLAPS)
        joint = np.where(
            (following[e] == f)[:, None], b, np.where((following[f] == e)[:, None], a, np.nan)
        )
        for side, point, edge in ends:
            on = (side == 0) & ((low[edge] <= point) & (point <= high[edge])).all(axis=1)
            on &= (point != joint).any(axis=1)
            touches += [(e[on], point[on]), (f[on], point[on])]
    edge, point = (np.concatenate(part) for part in zip(*touches))
    order = np.lexsort((edge, point[:, 1], point[:, 0], rings.owner[edge]))
    edge, point = edge[order], point[order]
    fresh = np.append(True, (edge[1:] != edge[:-1]) | (point[1:] != point[:-1]).any(axis=1))
    return Touches(edge[fresh[: len(edge)]], point[fresh[: len(edge)]])


def _clusters(rings: Rings, touches: Touches) -> tuple[Ints, dict[tuple[int, float, float], bool]]:
    """Find the cluster of each ring, and whether the last edge around each touch leaves.

    Refuses points where edges that leave and edges that arrive do not alternate.
    """
    cluster = np.arange(int(rings.ring[-1]) + 1)
    if not len(touches.edge):
        return cluster, {}
    edge, point, region = touches.edge, touches.point, rings.owner[touches.edge]
    fresh = (region[1:] != region[:-1]) | (point[1:] != point[:-1]).any(axis=1)
    group = np.cumsum(np.append(0, fresh))
    # An edge through the point is two: one that arrives from its start, one that leaves to its end.
    arrives = (rings.start[edge] != point).any(axis=1)
    leaves = (rings.end[edge] != point).any(axis=1)
    group, out = (
        np.concatenate([group[arrives], group[leaves]]),
        np.repeat([False, True], [arrives.sum(), leaves.sum()]),
    )
    centre = np.concatenate([point[arrives], point[leaves]])
    far = np.concatenate([rings.start[edge[arrives]], rings.end[edge[leaves]]])
    owner = np.concatenate([region[arrives], region[leaves]])
    order = _around(group, centre, far)
    group, out, owner, centre = group[order], out[order], owner[order], centre[order]
    same = group[1:] == group[:-1]
    _refuse_if(same & (out[1:] == out[:-1]), owner[1:], _CROSSES)
    last = np.flatnonzero(np.append(~same, True))
    leaving = {
        (int(owner[i]), float(centre[i, 0]), float(centre[i, 1])): bool(out[i]) for i in last
    }
    ring = rings.ring[edge]
    repeated = np.flatnonzero(~fresh)
    for one, other in np.unique(np.stack([ring[repeated], ring[repeated + 1]], axis=1), axis=0):
        _join(cluster, int(one), int(other))
    return np.array([_root(cluster, number) for number in range(len(cluster))]), leaving


def _around(group: Ints, centre: Floats, far: Floats) -> Ints:
    """Order of edges in each group, counter-clockwise around its centre from due east; exact."""
    x, y = (far - centre).T
    half = ((y < 0) | ((y == 0) & (x < 0))).astype(np.int64)
    order = np.lexsort((np.arctan2(y, x) % (2 * np.pi), half, group))
    before, after = order[:-1], order[1:]
    alike = (group[before] == group[after]) & (half[before] == half[after])
    wrong = alike & (turn(centre[before], far[before], far[after]) <= 0)
    for number in np.unique(group[before[wrong]]):  # closer in angle than float64 tells

        def compared(i: int, j: int) -> int:
            if half[i] != half[j]:
                return int(half[i] - half[j])
            return -int(turn(centre[[i]], far[[i]], far[[j]])[0])

        members = np.flatnonzero(group[order] == number)
        order[members] = sorted(order[members].tolist(), key=cmp_to_key(compared))
    return order


def _root(cluster: Ints, ring: int) -> int:
    while cluster[ring] != ring:
        cluster[ring] = cluster[cluster[ring]]
        ring = int(cluster[ring])
    return ring


def _join(cluster: Ints, one: int, other: int) -> None:
    cluster[_root(cluster, one)] = _root(cluster, other)


def _check_nesting(
    rings: Rings,
    rows: EdgeRows,
    following: Ints,
    cluster: Ints,
    corner_inside: dict[tuple[int, float, float], bool],
) -> None:
    """Wind the other clusters around the place west of each cluster's lowest corner.

    All edges of the cluster at that corner go north or due east of it, so the place lies outside
    all rings of the cluster. It is inside the region where the last edge around the corner leaves
    it: then the others must wind around it once, else not at all.
    """
    whose = cluster[rings.ring]
    order = np.lexsort((rings.edges[:, 0], rings.edges[:, 1], whose))
    corner = order[np.append(True, whose[order][1:] != whose[order][:-1])]
    alone = np.bincount(rings.owner[corner], minlength=rings.regions) == 1
    previous = np.empty_like(following)
    previous[following] = np.arange(len(following))
    place = rings.start[corner]
    inside = turn(rings.start[previous[corner]], place, rings.end[corner]) < 0
    for number, (region, (x, y)) in enumerate(zip(rings.owner[corner], place)):
        inside[number] = corner_inside.get((int(region), float(x), float(y)), bool(inside[number]))
    row = rows.row_at(corner, place[:, 1])
    first = np.searchsorted(rows.row, row)
    length = np.searchsorted(rows.row, row, side="right") - first
    length[alone[rings.owner[corner]]] = 0
    wound = np.zeros(len(corner), dtype=np.int64)
    for part in in_parts(length):
        which, entry = ranges(first[part], length[part])
        which += part.start
        edge, at = rows.edge[entry], place[which]
        a, b = rings.start[edge], rings.end[edge]
        up, down = (a[:, 1] <= at[:, 1]), (b[:, 1] <= at[:, 1])
        counted = np.flatnonzero((up != down) & (whose[edge] != whose[corner[which]]))
        which, up = which[counted], up[counted]
        side = turn(a[counted], b[counted], at[counted])
        west = np.where(up, side < 0, side > 0)
        np.add.at(wound, which[west], np.where(up, -1, 1)[west])
    _refuse_if(wound != inside, rings.owner[corner], _NESTED)
