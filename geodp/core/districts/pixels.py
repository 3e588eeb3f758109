"""Divide one axis of a layer's raster: pixels of equal width, or narrower where corners crowd.

An axis puts every coordinate into one pixel, and lists the pixels that an interval comes near to.
The margin for "near" is wider than any rounding, of a place on the raster or of a place on an edge,
so that no pixel is missing from the list.
"""

from __future__ import annotations

import math

import numpy as np

from ..common.types import Floats, Ints

MOST_PIXELS = 2048
"""Pixels along a side of the raster, at most."""

PIXELS_PER_ROOT = 16
"""Pixels along a side for each unit of the square root of the number of edges."""

MOST_ENTRIES = 1 << 22
"""Entries of edges in rows, or in columns, that a raster may have where four for each edge are
fewer; long edges side by side get fewer rows or columns instead."""


class EvenPixels:
    """Pixels of equal width, with one before and two behind.

    Pixel 0 holds what lies before the extent and pixel ``size + 2`` what lies beyond it; in pixel
    ``size + 1`` are coordinates that rounding carries over the end, or that are a pixel beyond.

    Parameters
    ----------
    low, high : ndarray
        Ends of the edges along this axis.
    largest : float
        Largest coordinate of all, by size.

    Examples
    --------
    >>> pixels = EvenPixels(np.zeros(1), np.full(1, 8.0), 8.0)
    >>> pixels.size, pixels.places(np.array([-1.0, 0.0, 0.6, 7.9, 9.0]))
    (16, array([ 0.,  1.,  2., 16., 18.]))
    """

    def __init__(self, low: Floats, high: Floats, largest: float) -> None:
        self.low, self.high = float(low.min()), float(high.max())
        extent = self.high - self.low
        edges = len(low)
        size = min(MOST_PIXELS, max(PIXELS_PER_ROOT * math.isqrt(edges), 1))
        with np.errstate(all="ignore"):
            across = float(np.nan_to_num(((high - low) / extent).sum(), nan=0.0, posinf=0.0))
        if across > 0:
            size = int(min(size, max(MOST_ENTRIES, 4 * edges) / across))
        # A pixel is far wider than the rounding of a coordinate.
        self.size = max(min(size, int(min(extent / largest * 2.0**36, 2.0**20))), 1)
        with np.errstate(all="ignore"):
            scale = float(np.float64(self.size) / extent)
        self._scale = scale if math.isfinite(scale) else 2.0**1000
        self._margin = min(largest * 2.0**-44 * self._scale + 2.0**-30, float(MOST_PIXELS))

    @property
    def pixels(self) -> int:
        """Return the number of pixels, with those before and behind the extent."""
        return self.size + 3

    def places(self, values: Floats) -> Floats:
        """Return pixel of each coordinate as a float; it never falls as the coordinate rises."""
        place = values - self.low
        place *= self._scale
        place += 1.0
        np.fmax(place, 0.0, out=place)  # NaN goes to pixel 0
        np.fmin(place, float(self.size + 2), out=place)
        return np.asarray(np.trunc(place, out=place))

    def span(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """Return first and last pixel that intervals inside the extent come near to."""
        first = np.clip((low - self.low) * self._scale + (1.0 - self._margin), 1, self.size + 1)
        last = np.clip((high - self.low) * self._scale + (1.0 + self._margin), 1, self.size + 1)
        return first.astype(np.int64), last.astype(np.int64)

    def _line(self, pixel: Ints, by: float) -> Floats:
        return np.asarray(self.low + (pixel - (1.0 - by)) / self._scale)

    def sides(self, pixel: Ints) -> tuple[Floats, Floats]:
        """Return lower and upper side of pixels; neighbours have one in common, to the bit."""
        return self._line(pixel, 0.0), self._line(pixel + 1, 0.0)

    def wide_sides(self, pixel: Ints) -> tuple[Floats, Floats]:
        """Return the same, moved outwards by the margin of "near"."""
        return self._line(pixel, -self._margin), self._line(pixel, 1.0 + self._margin)

    @property
    def middles(self) -> Floats:
        """Return the middle of every pixel, in rising order."""
        return self._line(np.arange(self.pixels), 0.5)


class UnevenPixels:
    """Pixels whose sides follow the ends of edges: half of them, the others are equally wide.

    Pixel 0 holds what lies before the extent and pixel ``size + 1`` what lies beyond it.

    Parameters
    ----------
    low, high : ndarray
        Ends of the edges along this axis.
    largest : float
        Largest coordinate of all, by size.

    Examples
    --------
    >>> crowd = np.append(np.arange(99.0), 1e6)
    >>> pixels = UnevenPixels(crowd, crowd + 1.0, 1e6)
    >>> pixels.places(np.array([0.0, 50.0, 99.0, 5e5, 1e6]))
    array([  1.,  40.,  80., 119., 159.])
    """

    def __init__(self, low: Floats, high: Floats, largest: float) -> None:
        start, stop = float(low.min()), float(high.max())
        size = min(MOST_PIXELS, max(PIXELS_PER_ROOT * math.isqrt(len(low)), 2)) // 2
        ends = np.sort(np.append(low, high))
        lines = np.append(
            np.linspace(start, stop, size + 1),
            ends[np.linspace(0, len(ends) - 1, size + 1).astype(np.int64)],
        )
        # A pixel is far wider than the rounding of a coordinate.
        step = largest * 2.0**-36
        lines = start + np.unique(np.rint((lines - start) / step)) * step
        inner = lines[(lines > start) & (lines < stop - step)]
        self._lines = np.concatenate([[start], inner, [stop]])
        self._tolerance = largest * 2.0**-44
        self.size = len(self._lines) - 1

    @property
    def pixels(self) -> int:
        """Return the number of pixels, with those before and behind the extent."""
        return self.size + 2

    def places(self, values: Floats) -> Floats:
        """Return pixel of each coordinate as a float; what is no number counts as far beyond."""
        return np.searchsorted(self._lines, values, side="right").astype(np.float64)

    def span(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """Return first and last pixel that intervals inside the extent come near to."""
        first = np.searchsorted(self._lines, low - self._tolerance, side="right")
        last = np.searchsorted(self._lines, high + self._tolerance, side="right")
        return np.clip(first, 1, self.size), np.clip(last, 1, self.size)

    def sides(self, pixel: Ints) -> tuple[Floats, Floats]:
        """Return lower and upper side of pixels; neighbours have one in common, to the bit."""
        return self._lines[pixel - 1], self._lines[pixel]

    def wide_sides(self, pixel: Ints) -> tuple[Floats, Floats]:
        """Return the same, moved outwards by the margin of "near"."""
        lower, upper = self.sides(pixel)
        return lower - self._tolerance, upper + self._tolerance

    @property
    def middles(self) -> Floats:
        """Return the middle of every pixel, in rising order."""
        middle = self._lines[:-1] + np.diff(self._lines) / 2
        return np.concatenate([[-np.inf], middle, [np.inf]])
