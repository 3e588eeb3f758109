"""Find which polygons of a layer overlap, and by how much.

Whether two valid polygons share more than a border is decided exactly, and without comparing all
pairs of edges. They do in one of three cases, and in no other:

1. Edges of theirs cross: each passes from one side of the other to the other side. Only edges that
   meet in a row of the layer are compared.
2. At a point that both borders go through, a corner or the inner part of an edge of each, the
   directions into one polygon and those into the other have some in common.
3. A ring of one lies inside the other and does not touch its border: then its first corner does.

In a layer whose neighbours have the same corners along their borders, hardly any edges are left to
be looked at closely. Sizes of overlaps are float64 sums, off by some roundings of the rectangle
that both polygons reach into: how large an overlap is moves continuously with every coordinate, so
that no rounding can make a sliver large.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..common.types import Bools, Floats, Ints, SignedInts
from ..regions.orientation import turn
from ..regions.polygons import Polygons
from ..regions.strips import mean_clipped
from ..regions.validity import EdgeRows, Rings, following_edges, in_parts
from ..space.axis import ranges
from ..space.support import Support
from .district_raster import DistrictRaster, PolygonRows, distinct

Pairs = tuple[Ints, Ints]


class _Corners(NamedTuple):
    """Corners of all polygons: the place, where the edge from it leads, where the last came from.

    The inside of the polygon is counter-clockwise of the edge that leaves, up to the one that
    arrives.
    """

    place: Floats
    leaves: Floats
    arrives: Floats
    owner: Ints

    def take(self, which: Ints) -> _Corners:
        return _Corners(
            self.place[which], self.leaves[which], self.arrives[which], self.owner[which]
        )


class _Borders:
    """Corners and edges of a layer, each place and each edge once, with the polygons they are of.

    Attributes
    ----------
    corner_at : ndarray
        Number of the place at which each edge starts; ``corner_end`` where it ends.
    by_place : ndarray
        Edges in the order of the places where they start, from ``place_first[place]`` on.
    by_line : ndarray
        Edges in the order of the lines that they are on, from ``line_first[line]`` on: an edge and
        the same edge run the other way are one line.
    """

    def __init__(self, polygons: Polygons) -> None:
        self.polygons = polygons
        edges = polygons.edges
        following = following_edges(polygons.ring)
        previous = np.empty_like(following)
        previous[following] = np.arange(len(following))
        self.corners = _Corners(edges[:, :2], edges[:, 2:], edges[previous][:, :2], polygons.owner)
        x, y = edges[:, 0], edges[:, 1]
        self.by_place = np.lexsort((y, x))
        fresh = _fresh(x[self.by_place], y[self.by_place])
        self.place_first = np.append(np.flatnonzero(fresh), len(edges))
        self.corner_at = np.empty(len(edges), dtype=np.int64)
        self.corner_at[self.by_place] = np.cumsum(fresh) - 1
        self.corner_end = self.corner_at[following]
        self.corner_before = self.corner_at[previous]
        places = len(self.place_first)
        line = np.minimum(self.corner_at, self.corner_end) * places
        line += np.maximum(self.corner_at, self.corner_end)
        self.by_line = np.argsort(line, kind="stable")
        self.line_first = np.append(np.flatnonzero(_fresh(line[self.by_line])), len(edges))

    def corners_at(self, place: Ints) -> tuple[Ints, Ints]:
        """Return edges that start at each place: number in the list, and edge."""
        first = self.place_first[place]
        which, entry = ranges(first, self.place_first[place + 1] - first)
        return which, self.by_place[entry]

    def edges_on(self, line: Ints) -> tuple[Ints, Ints]:
        """Return edges on each line: number in the list, and edge."""
        first = self.line_first[line]
        which, entry = ranges(first, self.line_first[line + 1] - first)
        return which, self.by_line[entry]


def overlapping_pairs(polygons: Polygons, raster: DistrictRaster) -> Pairs:
    """List the pairs of polygons that share more than a border; exact.

    Parameters
    ----------
    polygons : Polygons
        Each valid by itself.
    raster : DistrictRaster
        The same polygons.

    Returns
    -------
    tuple of ndarray
        Code of the first and of the second, in rising order.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> rings = [(i, False, unit + [i, 0.0]) for i in range(3)]
    >>> layer = Polygons.from_rings(rings, 3)
    >>> overlapping_pairs(layer, DistrictRaster(layer))
    (array([0, 1]), array([1, 2]))
    """
    borders = _Borders(polygons)
    crossing, line, place = _meetings(borders)
    keys = np.concatenate(
        [
            _at_corners(borders),
            crossing,
            _at_edges(borders, line, place),
            _inside(borders, raster, line, place),
        ]
    )
    keys = distinct(keys)
    return keys // polygons.count, keys % polygons.count


def _keys(one: Ints, other: Ints, count: int) -> Ints:
    """Return pairs as single numbers; a polygon beside itself is no pair."""
    unlike = one != other
    one, other = one[unlike], other[unlike]
    return distinct(np.minimum(one, other) * count + np.maximum(one, other))


def _at_corners(borders: _Borders) -> Ints:
    """Return pairs of polygons that overlap where both have a corner."""
    lengths = np.diff(borders.place_first)
    place = np.repeat(np.arange(len(lengths)), lengths)
    after = np.arange(1, len(place) + 1)
    length = borders.place_first[place + 1] - after
    owner, count = borders.polygons.owner, borders.polygons.count
    keys = [np.empty(0, dtype=np.int64)]
    for part in in_parts(length):
        which, entry = ranges(after[part], length[part])
        one, other = borders.by_place[part][which], borders.by_place[entry]
        # Where one border runs back along the other there is nothing to compare.
        along = borders.corner_end[one] == borders.corner_before[other]
        along &= borders.corner_before[one] == borders.corner_end[other]
        left = (owner[one] != owner[other]) & ~along
        one, other = one[left], other[left]
        shared = _share_directions(borders.corners.take(one), borders.corners.take(other))
        keys.append(_keys(owner[one[shared]], owner[other[shared]], count))
    return np.concatenate(keys)


def _meetings(borders: _Borders) -> tuple[Ints, Ints, Ints]:
    """Return pairs whose edges cross; and lines with places on them that are not their ends."""
    first = borders.by_line[borders.line_first[:-1]]
    rings = Rings(borders.polygons.edges[first], np.zeros_like(first), np.zeros_like(first), 1)
    ends = borders.corner_at[first], borders.corner_end[first]
    low = np.minimum(rings.start, rings.end)
    high = np.maximum(rings.start, rings.end)
    owner, count = borders.polygons.owner, borders.polygons.count
    keys = [np.empty(0, dtype=np.int64)]
    touching = [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))]
    for e, f in EdgeRows(rings).pairs():
        near = ((low[e] <= high[f]) & (low[f] <= high[e])).all(axis=1)
        e, f = e[near], f[near]
        joined = np.zeros(len(e), dtype=bool)
        for a in ends:
            for b in ends:
                joined |= a[e] == b[f]
        touching += _along_one_another(rings, (low, high), ends, e[joined], f[joined])
        e, f = e[~joined], f[~joined]
        a, b, c, d = rings.start[e], rings.end[e], rings.start[f], rings.end[f]
        abc, abd, cda, cdb = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
        crossed = np.flatnonzero((abc * abd < 0) & (cda * cdb < 0))
        which, one = borders.edges_on(e[crossed])
        again, other = borders.edges_on(f[crossed][which])
        keys.append(_keys(owner[one[again]], owner[other], count))
        for side, line, other_line, end in (
            (abc, e, f, 0),
            (abd, e, f, 1),
            (cda, f, e, 0),
            (cdb, f, e, 1),
        ):
            straight = np.flatnonzero(side == 0)
            line, place = line[straight], ends[end][other_line[straight]]
            point = (rings.start, rings.end)[end][other_line[straight]]
            on = ((low[line] <= point) & (point <= high[line])).all(axis=1)
            touching.append((line[on], place[on]))
    line, place = (np.concatenate(part) for part in zip(*touching))
    places = len(borders.place_first)
    pairs = distinct(line.astype(np.int64) * places + place)
    return np.concatenate(keys), pairs // places, pairs % places


def _along_one_another(
    rings: Rings, reach: tuple[Floats, Floats], ends: tuple[Ints, Ints], e: Ints, f: Ints
) -> list[tuple[Ints, Ints]]:
    """Find, of lines that share an end, those that the other's far end lies on, with that end."""
    touching = []
    low, high = reach
    for one, other in ((e, f), (f, e)):
        shared = (ends[0][other] == ends[0][one]) | (ends[0][other] == ends[1][one])
        place = np.where(shared, ends[1][other], ends[0][other])
        point = np.where(shared[:, None], rings.end[other], rings.start[other])
        on = ((low[one] <= point) & (point <= high[one])).all(axis=1)
        on &= (place != ends[0][one]) & (place != ends[1][one])
        near = np.flatnonzero(on)
        straight = turn(rings.start[one[near]], rings.end[one[near]], point[near]) == 0
        touching.append((one[near[straight]], place[near[straight]]))
    return touching


def _at_edges(borders: _Borders, line: Ints, place: Ints) -> Ints:
    """Return pairs of polygons that overlap where a corner of one lies on an edge of the other."""
    which, edge = borders.edges_on(line)
    again, corner = borders.corners_at(place[which])
    edge = edge[again]
    start, end = borders.polygons.edges[edge, :2], borders.polygons.edges[edge, 2:]
    owner = borders.polygons.owner
    straight = _Corners(borders.corners.place[corner], end, start, owner[edge])
    shared = _share_directions(straight, borders.corners.take(corner))
    return _keys(owner[edge[shared]], owner[corner[shared]], borders.polygons.count)


def _inside(borders: _Borders, raster: DistrictRaster, line: Ints, place: Ints) -> Ints:
    """Find pairs of polygons of which one holds the first corner of a ring of the other."""
    ring, owner, count = borders.polygons.ring, borders.polygons.owner, borders.polygons.count
    first = np.flatnonzero(np.append(True, ring[1:] != ring[:-1]))
    point, holder = raster.holders(
        borders.polygons.edges[first, 0].copy(), borders.polygons.edges[first, 1].copy()
    )
    edge = first[point]
    # Not those whose border goes through the corner: what they share was looked at there.
    which, on_line = borders.edges_on(line)
    through = np.sort(
        np.append(borders.corner_at * count + owner, place[which] * count + owner[on_line])
    )
    wanted = borders.corner_at[edge] * count + holder
    at = np.minimum(np.searchsorted(through, wanted), len(through) - 1)
    away = through[at] != wanted
    return _keys(owner[edge[away]], holder[away], count)


def _share_directions(one: _Corners, other: _Corners) -> Bools:
    """Tell whether directions into one corner lead into another at the same place, too."""
    return _is_into(one, other.leaves) | _is_into(other, one.leaves)


def _is_into(corner: _Corners, to: Floats) -> Bools:
    """Tell whether the way to a point leads into a corner, or along the edge that leaves it."""
    place, leaves, arrives = corner.place, corner.leaves, corner.arrives
    bend = turn(place, leaves, arrives)
    side, back = turn(place, leaves, to), turn(place, arrives, to)
    narrow = (bend > 0) & (side > 0) & (back < 0)
    straight = (bend == 0) & (side > 0)
    wide = (bend < 0) & ~((side < 0) & (back > 0)) & ~_same_way(place, arrives, to, back)
    return np.asarray(narrow | straight | wide | _same_way(place, leaves, to, side))


def _same_way(place: Floats, one: Floats, other: Floats, side: Ints) -> Bools:
    return np.asarray((side == 0) & (np.sign(one - place) == np.sign(other - place)).all(axis=1))


def _fresh(*columns: Floats | Ints) -> Bools:
    """Tell whether a row of sorted columns differs from the one before."""
    fresh = np.zeros(len(columns[0]), dtype=bool)
    fresh[:1] = True
    for column in columns:
        fresh[1:] |= column[1:] != column[:-1]
    return fresh


def overlap_areas(polygons: Polygons, rows: PolygonRows, one: Ints, other: Ints) -> Floats:
    """Return the area that each polygon of one list shares with that of another.

    A polygon is a sum of strips from far in the west to its edges, those of edges that rise less
    those of edges that fall; two such strips share what is west of both edges.

    Parameters
    ----------
    polygons : Polygons
        Each valid by itself.
    rows : PolygonRows
        The same polygons.
    one, other : ndarray of int
        Codes of the pairs.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> layer = Polygons.from_rings([(0, False, unit), (1, False, unit + [1.5, 0.0])], 2)
    >>> overlap_areas(layer, PolygonRows(layer), np.array([0]), np.array([1]))
    array([1.])
    """
    west, east = _reach(polygons)
    left = np.maximum(west[one], west[other])
    right = np.maximum(np.minimum(east[one], east[other]), left)
    area = np.zeros(len(one))
    for pair, sign, e, f, heights in _shared_strips(polygons, rows, one, other):
        strip = _strips(rows, e, f, heights, (left[pair], right[pair]))
        area += np.bincount(pair, sign * strip, minlength=len(one))
    return np.maximum(area, 0.0)


def overlap_weights(
    polygons: Polygons, rows: PolygonRows, one: Ints, other: Ints, support: Support
) -> Floats:
    """Return the weight that each polygon of one list shares with that of another.

    Parameters
    ----------
    polygons, rows, one, other
        As for :func:`overlap_areas`.
    support : Support
        Where records can be.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> layer = Polygons.from_rings([(0, False, unit), (1, False, unit + [1.0, 0.0])], 2)
    >>> west = Support((0, 0, 3, 2), [[4, 2, 1]])
    >>> overlap_weights(layer, PolygonRows(layer), np.array([0]), np.array([1]), west)
    array([2.])
    """
    weight = np.zeros(len(one))
    for pair, sign, e, f, (low, high) in _shared_strips(polygons, rows, one, other):
        start, end, share, middle = _west_of_both(rows, e, f, (low, high))
        bend = np.where(share < 1, low + share * (high - low), high)
        strip = support.weight_west_of(start, low, middle, bend)
        above = np.flatnonzero(bend < high)
        strip[above] += support.weight_west_of(*(side[above] for side in (middle, bend, end, high)))
        weight += np.bincount(pair, sign * strip, minlength=len(one))
    return np.maximum(weight, 0.0)


def polygon_weights(polygons: Polygons, support: Support) -> Floats:
    """Return the weight of each polygon.

    Examples
    --------
    >>> corner = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    >>> layer = Polygons.from_rings([(0, False, corner)], 1)
    >>> polygon_weights(layer, Support((0, 0, 2, 2), [[4, 0], [4, 4]]))
    array([8.])
    """
    rises = polygons.edges[:, 1] < polygons.edges[:, 3]
    ends = np.where(rises[:, None], polygons.edges, polygons.edges[:, [2, 3, 0, 1]])
    strip = np.where(rises, 1.0, -1.0) * support.weight_west_of(*ends.T)
    weight = np.bincount(polygons.owner, strip, minlength=polygons.count)
    return np.maximum(weight, 0.0)


def _shared_strips(
    polygons: Polygons, rows: PolygonRows, one: Ints, other: Ints
) -> Iterator[tuple[Ints, Floats, SignedInts, SignedInts, tuple[Floats, Floats]]]:
    """List edges of both polygons of each pair that are at one height, some at a time.

    Gives the pair, whether the strip west of both edges is added or taken off, the two edges, and
    between which heights.
    """
    rises = np.where(polygons.edges[:, 1] < polygons.edges[:, 3], 1.0, -1.0)
    first, length = rows.common_rows(one, other)
    for pairs in in_parts(length):
        which, row = ranges(first[pairs], length[pairs])
        which += pairs.start
        first_one, edges_one = rows.row_edges(one[which], row)
        first_other, edges_other = rows.row_edges(other[which], row)
        for part in in_parts(edges_one * edges_other):
            entry, step = ranges(
                np.zeros(len(which[part]), dtype=np.int64), (edges_one * edges_other)[part]
            )
            across = edges_other[part][entry]
            e = rows.edges_by_row[first_one[part][entry] + step // across]
            f = rows.edges_by_row[first_other[part][entry] + step % across]
            pair = which[part][entry]
            low, high = rows.row_bounds(row[part][entry])
            low = np.maximum(np.maximum(low, rows.y_low[e]), rows.y_low[f])
            high = np.minimum(np.minimum(high, rows.y_high[e]), rows.y_high[f])
            tall = np.flatnonzero(low < high)
            e, f = e[tall], f[tall]
            yield pair[tall], rises[e] * rises[f], e, f, (low[tall], high[tall])


def _reach(polygons: Polygons) -> tuple[Floats, Floats]:
    """Return least and largest x of each polygon."""
    west, east = np.full(polygons.count, np.inf), np.full(polygons.count, -np.inf)
    np.minimum.at(west, polygons.owner, polygons.edges[:, 0])
    np.maximum.at(east, polygons.owner, polygons.edges[:, 0])
    return west, east


def _strips(
    rows: PolygonRows,
    e: SignedInts,
    f: SignedInts,
    heights: tuple[Floats, Floats],
    sides: tuple[Floats, Floats],
) -> Floats:
    """Return areas west of both edges, between two heights and from the left to the right side."""
    start, end, share, middle = _west_of_both(rows, e, f, heights)
    left, right = sides
    below = mean_clipped(start, middle, left, right) - left
    above = mean_clipped(middle, end, left, right) - left
    return np.asarray((heights[1] - heights[0]) * (share * below + (1 - share) * above))


def _west_of_both(
    rows: PolygonRows, e: SignedInts, f: SignedInts, heights: tuple[Floats, Floats]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Follow the western one of two edges between two heights.

    Returns where it starts and ends, at which part of the height the edges cross, 1 for nowhere,
    and where that is.
    """
    (e_low, e_high), (f_low, f_high) = (
        [_x_at(rows, edge, height) for height in heights] for edge in (e, f)
    )
    start, end = e_low - f_low, e_high - f_high
    crosses = (start < 0) != (end < 0)
    with np.errstate(all="ignore"):
        share = np.where(crosses, np.clip(start / (start - end), 0.0, 1.0), 1.0)
    share = np.nan_to_num(share, nan=1.0)
    middle = np.where(crosses, e_low + share * (e_high - e_low), np.minimum(e_high, f_high))
    return np.minimum(e_low, f_low), np.minimum(e_high, f_high), share, middle


def _x_at(rows: PolygonRows, edge: SignedInts, height: Floats) -> Floats:
    low, high = rows.y_low[edge], rows.y_high[edge]
    x0, x1 = rows.x_low[edge], rows.x_high[edge]
    return np.asarray(np.where(height == high, x1, x0 + (height - low) / (high - low) * (x1 - x0)))
