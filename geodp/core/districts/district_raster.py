"""Find which of many polygons holds a point: a raster for most points, exact tests for the others.

One rule says which polygon holds a point (x, y): of the polygon's edges that reach the height y,
lower end included and upper end not, count those that pass strictly east of the point; the point
is inside where the count is odd, and of several such polygons the first has it. West and south
borders are therefore in, east and north borders out. Whether an edge passes east is the sign of a
determinant that is decided exactly, so two polygons that share an edge agree about every point,
whichever way they run along it.

A raster over the extent of the layer names the polygon of every pixel that no edge comes near: all
points of such a pixel are alike. The other pixels list the polygons that touch them, and points
there are tested with those edges of the listed polygons that cross the row of pixels.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.types import Bools, Floats, Ints, SignedInts
from ..regions.orientation import turn
from ..regions.polygons import Polygons
from ..space.axis import ranges
from ..space.frame import Codes
from .pixels import MOST_ENTRIES, EvenPixels, UnevenPixels

CROWDED = 4.0
"""From so many polygons on in the pixel of the average polygon, pixels follow the edges."""

BLOCK = 1 << 16
"""Points that are located at once: their arrays stay in the cache of a processor."""

MOST_TESTS = 1 << 20
"""Pairs of a point and an edge that are tested at once, so that memory stays bounded."""

EDGES_AT_ONCE = 1 << 18

_ROUNDING = 2.0**-53
_FLOOR = 2.0**-900


class CoveredTwiceError(Exception):
    """Say that two polygons cover so much together that the raster was given up.

    Attributes
    ----------
    pair : tuple of int
        Codes of two polygons that both cover a pixel.
    """

    def __init__(self, pair: tuple[int, int]) -> None:
        super().__init__(pair)
        self.pair = pair


class PolygonRows:
    """Edges of polygons, lower end first, listed for each polygon by rows of pixels.

    Parameters
    ----------
    polygons : Polygons
        Any closed rings, with an edge at least.

    Attributes
    ----------
    x_low, y_low, x_high, y_high : ndarray
        Ends of each edge, in one order for every polygon that has it.
    """

    def __init__(self, polygons: Polygons) -> None:
        x0, y0, x1, y1 = polygons.edges.T
        rises = y0 <= y1
        # Lower end first, for every polygon that has the edge.
        self.x_low, self.y_low = np.where(rises, x0, x1), np.where(rises, y0, y1)
        self.x_high, self.y_high = np.where(rises, x1, x0), np.where(rises, y1, y0)
        largest = max(float(np.abs(polygons.edges).max()), 2.0**-900)
        self.count = polygons.count
        self._owner = polygons.owner
        self._reach = self._bounds(polygons)
        across, up = (np.minimum(x0, x1), np.maximum(x0, x1)), (self.y_low, self.y_high)
        self._x: EvenPixels | UnevenPixels = EvenPixels(*across, largest)
        self._y: EvenPixels | UnevenPixels = EvenPixels(*up, largest)
        if self._crowd() > CROWDED:
            self._x = _uneven(*across, largest) or self._x
            self._y = _uneven(*up, largest) or self._y
        self._list_rows()

    def _bounds(self, polygons: Polygons) -> tuple[Floats, Floats, Floats, Floats]:
        """Return west, south, east and north end of each polygon."""
        present = np.flatnonzero(np.bincount(self._owner, minlength=self.count))
        begin = np.searchsorted(self._owner, present)
        sides = []
        for column, end in ((0, np.minimum), (1, np.minimum), (0, np.maximum), (1, np.maximum)):
            side = np.zeros(self.count)
            side[present] = end.reduceat(polygons.edges[:, column], begin)
            sides.append(side)
        return sides[0], sides[1], sides[2], sides[3]

    def _crowd(self) -> float:
        """Count polygons that have their middle in one pixel, for the average polygon."""
        west, south, east, north = self._reach
        held = np.bincount(self._owner, minlength=self.count) > 0
        x, y = west + (east - west) / 2, south + (north - south) / 2
        pixel = np.sort(self._pixels(x[held], y[held]))
        change = np.flatnonzero(np.append(True, pixel[1:] != pixel[:-1]))
        number = np.diff(np.append(change, len(pixel)))
        return float((number**2).sum() / number.sum())

    def _pixels(self, x: Floats, y: Floats) -> Ints:
        """Return pixel of each point, by rows."""
        with np.errstate(all="ignore"):  # NaN and points far outside warn
            pixel = self._y.places(y)
            pixel *= self._x.pixels
            pixel += self._x.places(x)
        return pixel.astype(np.int64)

    def _list_rows(self) -> None:
        """List the edges of each polygon by row; level edges never count and are left out."""
        first, last = self._y.span(self.y_low, self.y_high)
        polygons = np.flatnonzero(np.bincount(self._owner, minlength=self.count))
        begin = np.searchsorted(self._owner, polygons)
        self._lowest_row = np.zeros(self.count, dtype=np.int64)
        self._highest_row = np.full(self.count, -1)
        self._lowest_row[polygons] = np.minimum.reduceat(first, begin)
        self._highest_row[polygons] = np.maximum.reduceat(last, begin)
        rows = self._highest_row - self._lowest_row + 1
        self._row_base = np.cumsum(rows) - rows - self._lowest_row
        rising = np.flatnonzero(self.y_low < self.y_high)
        which, row = ranges(first[rising], (last - first + 1)[rising])
        edge = rising[which]
        slot = self._row_base[self._owner[edge]] + row
        order = np.argsort(slot, kind="stable")
        self._row_edge = edge[order].astype(np.int32)
        lengths = np.bincount(slot, minlength=int(rows.sum()))
        self._row_first = np.append(0, np.cumsum(lengths))

    def row_edges(self, polygon: Ints, row: Ints) -> tuple[Ints, Ints]:
        """Return where the edges of a polygon in a row begin in ``edges_by_row``, and how many."""
        inside = (self._lowest_row[polygon] <= row) & (row <= self._highest_row[polygon])
        slot = np.where(inside, self._row_base[polygon] + row, 0)
        first = self._row_first[slot]
        return first, np.where(inside, self._row_first[slot + 1] - first, 0)

    def common_rows(self, one: Ints, other: Ints) -> tuple[Ints, Ints]:
        """Return first row that two polygons both reach, and how many they do."""
        first = np.maximum(self._lowest_row[one], self._lowest_row[other])
        last = np.minimum(self._highest_row[one], self._highest_row[other])
        return first, np.maximum(last - first + 1, 0)

    @property
    def edges_by_row(self) -> Codes:
        return self._row_edge

    def row_bounds(self, row: Ints) -> tuple[Floats, Floats]:
        """Return the heights of both sides of a row; those of neighbours are equal."""
        return self._y.sides(row)


class DistrictRaster(PolygonRows):
    """Polygons that are ready to locate points, or to be compared with one another.

    Parameters
    ----------
    polygons : Polygons
        Any closed rings, with an edge at least. Nothing here needs them to be valid.

    Raises
    ------
    CoveredTwiceError
        If polygons cover one another again and again, so that the lists would not end.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> pair = Polygons.from_rings([(0, False, unit), (1, False, unit + [1.0, 0.0])], 2)
    >>> DistrictRaster(pair).locate(np.array([0.5, 1.0, 2.0]), np.array([0.5, 0.0, 0.0]))
    array([ 0,  1, -1], dtype=int32)
    """

    def __init__(self, polygons: Polygons) -> None:
        super().__init__(polygons)
        self._draw()

    @property
    def shape(self) -> tuple[int, int]:
        """Return rows and columns of pixels."""
        return self._y.size, self._x.size

    def _draw(self) -> None:
        columns, pixels = self._x.pixels, self._x.pixels * self._y.pixels
        runs = self._runs()
        cover, label = _painted(runs, pixels)
        keys = self._touched()
        pixel = keys // self.count
        touched = np.zeros(pixels, dtype=bool)
        touched[pixel] = True
        # A run goes on over pixels that its polygon touches without crossing their middle line.
        above = np.flatnonzero(cover[pixel] > 0)
        polygon, at = keys[above] % self.count, pixel[above]
        start, stop = runs[1], runs[2]
        place = np.searchsorted(runs[0] * pixels + start, polygon * pixels + at, side="right") - 1
        held = (runs[0][place] == polygon) & (at < stop[place]) if len(start) else above < 0
        np.subtract.at(cover, at[held], 1)
        crowded = np.flatnonzero(np.where(touched, cover > 0, cover > 1))
        if crowded.size:
            keys = distinct(np.append(keys, self._covering(crowded, runs, keys)))
            pixel = keys // self.count
        polygon = keys % self.count
        fresh = np.flatnonzero(np.append(True, pixel[1:] != pixel[:-1]))
        self._first = np.append(fresh, len(keys))
        self._polygon = polygon.astype(np.int32)
        self._edge_first, lengths = self.row_edges(polygon, pixel // columns)
        self._edge_length = lengths.astype(np.int32)
        label -= 1
        label[pixel[fresh]] = -2 - np.arange(len(fresh))
        self._label = label

    def _runs(self) -> tuple[Ints, Ints, Ints]:
        """Find pixels with middles inside a polygon: polygon, first pixel and the one behind."""
        middles = self._y.middles
        first = np.searchsorted(middles, self.y_low)
        stop = np.searchsorted(middles, self.y_high)
        pixels, columns = self._x.pixels * self._y.pixels, self._x.pixels
        keys = []
        for part in _parts(stop - first):
            which, row = ranges(first[part], (stop - first)[part])
            edge = which + part.start
            low, high = self.y_low[edge], self.y_high[edge]
            share = (middles[row] - low) / (high - low)
            x = self.x_low[edge] + share * (self.x_high - self.x_low)[edge]
            column = np.clip(self._x.places(x), 1, self._x.size + 1).astype(np.int64)
            keys.append(self._owner[edge] * pixels + row * columns + column)
        crossing = np.sort(np.concatenate(keys))
        # Rings are closed, so that the crossings of a polygon in a row come in pairs.
        begin, end = crossing[::2] + 1, crossing[1::2]
        wide = begin < end
        begin, end = begin[wide], end[wide]
        return begin // pixels, begin % pixels, end % pixels

    def _touched(self) -> Ints:
        """Return pixels that edges come near, as ``pixel * count + polygon``, sorted."""
        first, last = self._y.span(self.y_low, self.y_high)
        keys = []
        for part in _parts(last - first + 1):
            which, row = ranges(first[part], (last - first + 1)[part])
            edge = which + part.start
            low, high = self.y_low[edge], self.y_high[edge]
            x0, x1 = self.x_low[edge], self.x_high[edge]
            with np.errstate(all="ignore"):
                ends = [
                    x0 + (np.clip(side, low, high) - low) / (high - low) * (x1 - x0)
                    for side in self._y.wide_sides(row)
                ]
            level = low == high
            begin, end = np.where(level, x0, ends[0]), np.where(level, x1, ends[1])
            left, right = self._x.span(np.minimum(begin, end), np.maximum(begin, end))
            which, column = ranges(left, right - left + 1)
            pixel = row[which] * self._x.pixels + column
            keys.append(distinct(pixel * self.count + self._owner[edge[which]]))
        return distinct(np.concatenate(keys)) if len(keys) > 1 else keys[0]

    def _covering(self, crowded: Ints, runs: tuple[Ints, Ints, Ints], keys: Ints) -> Ints:
        """Return polygons of the runs over some pixels, as ``pixel * count + polygon``."""
        polygon, start, stop = runs
        first = np.searchsorted(crowded, start)
        length = np.searchsorted(crowded, stop) - first
        if int(length.sum()) > MOST_ENTRIES:
            # The longest run, and what lies longest over it or else touches it.
            run = int(np.argmax(length))
            over = np.minimum(stop, stop[run]) - np.maximum(start, start[run])
            over[polygon == polygon[run]] = 0
            other = polygon[np.argmax(over)]
            if over.max() <= 0:
                first_key, stop_key = np.searchsorted(
                    keys, [start[run] * self.count, stop[run] * self.count]
                )
                touching = keys[first_key:stop_key] % self.count
                other = touching[touching != polygon[run]][0]
            one = polygon[run]
            raise CoveredTwiceError((int(one), int(other)))
        which, place = ranges(first, length)
        return np.asarray(crowded[place] * self.count + polygon[which])

    def locate(self, x: Floats, y: Floats) -> Codes:
        """Find the code of the polygon that holds each point, or -1; safe to call in threads."""
        codes = np.empty(len(x), dtype=np.int32)
        for start in range(0, len(x), BLOCK):
            part = slice(start, start + BLOCK)
            codes[part] = self._locate_block(x[part], y[part])
        return codes

    def _locate_block(self, x: Floats, y: Floats) -> Codes:
        codes = self._label.take(self._pixels(x, y), mode="clip")
        near = np.flatnonzero(codes < -1)
        if near.size:
            pixel = -2 - codes[near].astype(np.int64)
            codes[near] = -1
            point, polygon = self._holders(x[near], y[near], pixel)
            first = np.append(True, point[1:] != point[:-1])[: len(point)]
            codes[near[point[first]]] = polygon[first]
        return codes

    def holders(self, x: Floats, y: Floats) -> tuple[Ints, Ints]:
        """Find all polygons that hold each point, by point and code: two lists of one length."""
        label = self._label[self._pixels(x, y)].astype(np.int64)
        plain, near = np.flatnonzero(label >= 0), np.flatnonzero(label < -1)
        point, polygon = self._holders(x[near], y[near], -2 - label[near])
        points = np.append(plain, near[point])
        polygons = np.append(label[plain], polygon)
        order = np.lexsort((polygons, points))
        return points[order], polygons[order]

    def _holders(self, x: Floats, y: Floats, pixel: Ints) -> tuple[Ints, Ints]:
        """Return the same for points in pixels that list polygons."""
        first = self._first[pixel]
        listed = self._first[pixel + 1] - first
        if listed.sum() > MOST_TESTS and len(x) > 1:
            return self._halved(x, y, pixel)
        point, entry = ranges(first, listed)
        polygon = self._polygon[entry]
        west, south, east, north = (side[polygon] for side in self._reach)
        px, py = x[point], y[point]
        within = np.flatnonzero((south <= py) & (py < north) & (west <= px) & (px < east))
        point, entry = point[within], entry[within]
        lengths = self._edge_length[entry].astype(np.int64)
        if lengths.sum() > MOST_TESTS and len(x) > 1:
            return self._halved(x, y, pixel)
        test, place = ranges(self._edge_first[entry], lengths)
        edge = self._row_edge[place]
        height = y[point][test]
        reached = np.flatnonzero((self.y_low[edge] <= height) & (height < self.y_high[edge]))
        edge, test = edge[reached], test[reached]
        passed = self._is_west(x[point[test]], height[reached], edge)
        odd = np.bincount(test[passed], minlength=len(entry)) % 2 == 1
        return point[odd], self._polygon[entry[odd]].astype(np.int64)

    def _halved(self, x: Floats, y: Floats, pixel: Ints) -> tuple[Ints, Ints]:
        """Return the same for the points in two parts, so that memory stays bounded."""
        half = len(x) // 2
        lower = self._holders(x[:half], y[:half], pixel[:half])
        upper = self._holders(x[half:], y[half:], pixel[half:])
        return np.append(lower[0], upper[0] + half), np.append(lower[1], upper[1])

    def _is_west(self, x: Floats, y: Floats, edge: SignedInts) -> Bools:
        """Tell whether points are strictly west of edges that reach their height; exact."""
        x0, y0 = self.x_low[edge], self.y_low[edge]
        left = (self.x_high[edge] - x0) * (y - y0)
        right = (x - x0) * (self.y_high[edge] - y0)
        side = left - right
        size = np.abs(left) + np.abs(right)
        # As in `turn`: two differences and their product are off by less than 4 roundings.
        unsure = np.flatnonzero((np.abs(side) <= 4 * _ROUNDING * size) | (size <= _FLOOR))
        west = side > 0
        if unsure.size:
            which = edge[unsure]
            low = np.stack([self.x_low[which], self.y_low[which]], axis=1)
            high = np.stack([self.x_high[which], self.y_high[which]], axis=1)
            west[unsure] = turn(low, high, np.stack([x[unsure], y[unsure]], axis=1)) > 0
        return np.asarray(west)


def _uneven(low: Floats, high: Floats, largest: float) -> UnevenPixels | None:
    """Return pixels that follow the edges, unless too many edges would cross too many of them."""
    pixels = UnevenPixels(low, high, largest)
    first, last = pixels.span(low, high)
    fits = int((last - first + 1).sum()) <= max(MOST_ENTRIES, 4 * len(low))
    return pixels if fits else None


def distinct(values: Ints) -> Ints:
    """Sort whole numbers and leave out repeated ones; many times faster than `numpy.unique`.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    values = np.sort(values)
    return np.asarray(values[np.append(True, values[1:] != values[:-1])[: len(values)]])


def _parts(lengths: Ints) -> Iterator[slice]:
    """Cut a list of edges so that parts have a bounded number of entries, or one edge."""
    part = np.cumsum(lengths) // EDGES_AT_ONCE
    cuts = np.flatnonzero(part[1:] != part[:-1]) + 1
    for start, stop in zip(np.append(0, cuts), np.append(cuts, len(lengths))):
        yield slice(int(start), int(stop))


def _painted(runs: tuple[Ints, Ints, Ints], pixels: int) -> tuple[Codes, Codes]:
    """Count runs that cover each pixel, and one more than the code where it is a single one."""
    polygon, start, stop = runs
    cover = np.bincount(start, minlength=pixels) - np.bincount(stop, minlength=pixels)
    cover = np.cumsum(cover).astype(np.int32)
    change = np.bincount(start, polygon + 1.0, minlength=pixels)
    change -= np.bincount(stop, polygon + 1.0, minlength=pixels)
    np.cumsum(change, out=change)
    change[cover != 1] = 0.0
    return cover, change.astype(np.int32)
