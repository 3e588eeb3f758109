"""Say where records can be: public weights on a fine lattice over the domain's rectangle.

A weight is a density: records are taken as spread over a cell in proportion to it, and nowhere
where it is zero. Land, a jurisdiction or a raster of public population say it; nothing here ever
comes from the points. A record counts if and only if the pixel that holds it has a weight above
zero, which is decided by comparing edges, as for cells (docs/privacy.md, claim 13).
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.compact import unzipped, zipped
from ..common.errors import InputError
from ..common.sums import rectangle_sums, summed_area
from ..common.types import Bools, Bounds, Floats, Ints, read_only
from .axis import WHOLE, Axis, Spans, equal_edges, ranges

LARGEST = 1 << 24
"""The largest weight; sums over all pixels stay far inside 64 bits."""

MOST_PIXELS = 1 << 24

_BITS = 8
"""Significant bits of a weight: a part in 256 is finer than any such weight is known."""

_PIECES = 1 << 20
"""Pieces of lines that are looked up at once."""

_FEW = 6
"""Rows of pixels in a row of cells up to which they are added one after another."""


class Support:
    """Weights of the pixels of a lattice, row 0 in the north. Public.

    Parameters
    ----------
    bounds : tuple of float
        The rectangle that the pixels divide evenly: that of the domain.
    weights : array_like of int, shape (rows, columns)
        From 0 to ``2**24``, with eight significant bits; see :meth:`of` for any others.

    Examples
    --------
    >>> west = Support((0, 0, 4, 2), [[1, 0]])
    >>> west
    Support(1 × 2 pixels, 50 % of the extent, bb94dfa3bca9)
    >>> west.holds(np.array([1.9, 2.0]), np.array([0.5, 0.5]))
    array([ True, False])
    >>> west == Support.from_facts(west.to_facts(), west.bounds)
    True
    """

    def __init__(self, bounds: Bounds, weights: npt.ArrayLike) -> None:
        given = np.asarray(weights)
        if given.ndim != 2 or not 0 < given.size <= MOST_PIXELS or given.dtype.kind not in "iub":
            raise InputError(
                "weights of where records can be must be rows of whole numbers, at most "
                f"{MOST_PIXELS:,} of them; got {given.dtype} of shape {given.shape}."
            )
        if given.min() < 0 or given.max() > LARGEST:
            raise InputError(f"weights of where records can be must lie from 0 to {LARGEST:,}.")
        if not given.any():
            raise InputError(
                "`within` must leave a place for records inside the bounds; this one leaves none: "
                "check its CRS and the bounds."
            )
        xmin, ymin, xmax, ymax = map(float, bounds)
        self.bounds: Bounds = (xmin, ymin, xmax, ymax)
        self.weights: npt.NDArray[np.uint32] = read_only(given.astype(np.uint32))
        if not all((np.diff(edges) > 0).all() for edges in (self.x_edges, self.y_edges)):
            raise InputError("pixels must be wider than float64 can resolve at these bounds.")
        if ((self._parts[0].astype(np.uint32) << self._parts[1]) != self.weights).any():
            raise InputError(f"weights of where records can be have {_BITS} significant bits.")

    @classmethod
    def of(cls, bounds: Bounds, weights: npt.ArrayLike) -> Support:
        """Take any weights from zero up, rounded to eight significant bits of the largest's scale.

        Weights too small for that are kept as the smallest there is: none becomes zero.

        Examples
        --------
        >>> Support.of((0, 0, 4, 1), [[0.0, 1e-9, 0.3, 1.0]]).weights.tolist()
        [[0, 1, 5046272, 16777216]]
        """
        given = np.asarray(weights, dtype=np.float64)
        check_weights(given)
        top = given.max(initial=0.0)
        with np.errstate(under="ignore"):
            scaled = given / top * LARGEST if top > 0 else given
        mantissa, exponent = np.frexp(scaled)
        coarse = np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS)
        kept = np.where(exponent > _BITS, coarse, np.where(given > 0, np.ceil(scaled), 0))
        return cls(bounds, np.maximum(kept, given > 0).astype(np.int64))

    @classmethod
    def from_shares(cls, bounds: Bounds, shares: Floats) -> Support:
        """Take the share of each pixel where records can be, from 0 to 1."""
        return cls(bounds, np.ceil(np.clip(shares, 0.0, 1.0) * 255).astype(np.int64))

    def __repr__(self) -> str:
        words = f"{self.shape[0]} × {self.shape[1]} pixels, {100 * self.share:.3g} % of the extent"
        return f"Support({words}, {self.digest[:12]})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Support):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return Support.from_facts, (self.to_facts(), self.bounds)

    @cached_property
    def _parts(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return the significant bits of each weight, and how many zeros follow them."""
        _, length = np.frexp(self.weights.astype(np.float64))
        shift = np.maximum(length - _BITS, 0).astype(np.uint8)
        return (self.weights >> shift).astype(np.uint8), shift

    @cached_property
    def digest(self) -> str:
        """Return the checksum of bounds and weights: two supports that share it are the same."""
        hasher = hashlib.sha256(repr((self.bounds, self.shape)).encode())
        for part in self._parts:
            hasher.update(part.tobytes())
        return hasher.hexdigest()

    @cached_property
    def share(self) -> float:
        """Return the part of the extent where records can be."""
        return float(np.count_nonzero(self.weights) / self.weights.size)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of the pixel that is in the middle of where records can be.

        Examples
        --------
        >>> Support((0, 0, 4, 2), [[1, 0]]).middle
        (1.0, 1.0)
        """
        row, column = (int(np.median(place)) for place in np.nonzero(self.weights))
        x, y = self.x_edges[column : column + 2], self.y_edges[::-1][row : row + 2]
        return float(x.mean()), float(y.mean())

    @cached_property
    def _facts(self) -> dict[str, Any]:
        packed = b"".join(part.tobytes() for part in self._parts)
        return {"shape": list(self.shape), "weights": zipped(packed, 6)}

    def to_facts(self) -> dict[str, Any]:
        """Return everything but the bounds, in types that JSON has."""
        return dict(self._facts)

    @classmethod
    def from_facts(cls, facts: dict[str, Any], bounds: Bounds) -> Support:
        """Make a support again, or refuse facts that were changed."""
        rows, columns = map(int, facts["shape"])
        if not 0 < rows * columns <= MOST_PIXELS:
            raise ValueError("more pixels than there are")
        packed = np.frombuffer(unzipped(facts["weights"], 2 * rows * columns), dtype=np.uint8)
        mantissa, shift = packed.reshape(2, rows, columns).astype(np.int64)
        return cls(bounds, mantissa << np.minimum(shift, 32))

    @property
    def shape(self) -> tuple[int, int]:
        """Return rows and columns of pixels."""
        rows, columns = self.weights.shape
        return rows, columns

    # --- the lattice --------------------------------------------------------------------------

    @cached_property
    def x_edges(self) -> Floats:
        """Return edges of the columns of pixels from west to east; read-only."""
        return read_only(equal_edges(self.bounds[0], self.bounds[2], self.shape[1]))

    @cached_property
    def y_edges(self) -> Floats:
        """Return edges of the rows of pixels from south to north; read-only."""
        return read_only(equal_edges(self.bounds[1], self.bounds[3], self.shape[0]))

    @cached_property
    def _axes(self) -> tuple[Axis, Axis]:
        return Axis(self.x_edges), Axis(self.y_edges)

    @cached_property
    def _some(self) -> Bools:
        """Return which pixels have a weight, row by row from the south."""
        return np.asarray((self.weights[::-1] > 0).ravel())

    @cached_property
    def _sums(self) -> Ints:
        return np.asarray(summed_area(self.weights))

    @cached_property
    def _places(self) -> Ints:
        return np.asarray(summed_area(self.weights > 0))

    @cached_property
    def _largest(self) -> Ints:
        return np.asarray(summed_area(self.weights == self.weights.max()))

    def holds(self, x: Floats, y: Floats) -> Bools:
        """Tell whether records can be at points, which must lie in the bounds, upper edge out."""
        place = self._axes[1].locate(y)
        place *= self.shape[1]
        place += self._axes[0].locate(x)
        return self._some.take(place)

    def meets(self, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats) -> Bools:
        """Tell whether a point in a rectangle, upper edges out, can be one that counts."""
        x0, x1 = _pixels(self.x_edges, xmin, xmax)
        y0, y1 = _pixels(self.y_edges, ymin, ymax)
        return np.asarray(rectangle_sums(self._places, x0, x1, y0, y1) > 0)

    def meets_cells(self, x_edges: Floats, y_edges: Floats) -> Bools:
        """Return the same for all cells between edges, row 0 in the north.

        Examples
        --------
        >>> west = Support((0, 0, 4, 2), [[1, 0]])
        >>> west.meets_cells(np.array([0.0, 1.0, 3.0, 4.0]), np.array([0.0, 2.0]))
        array([[ True,  True, False]])
        """
        x0, x1 = _pixels(self.x_edges, x_edges[:-1], x_edges[1:])
        y0, y1 = _pixels(self.y_edges, y_edges[:-1][::-1], y_edges[1:][::-1])
        rows = self._places[y1] - self._places[y0]
        return np.asarray(rows.take(x1, axis=1) > rows.take(x0, axis=1))

    def weight(self, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats) -> Floats:
        """Return the weight of rectangles: of each pixel in proportion to what they cover of it.

        Nothing is subtracted from anything but whole numbers, so small weights come out well.

        Examples
        --------
        >>> one = np.array([1.0])
        >>> Support((0, 0, 4, 2), [[1, 0]]).weight(one, 0 * one, 3 * one, one)
        array([0.25])
        """
        return self._weighted(self._sums, (xmin, ymin, xmax, ymax))

    def _weighted(self, sums: Ints, boxes: tuple[Floats, Floats, Floats, Floats]) -> Floats:
        """Return what rectangles cover of each pixel, added up by running sums of weights."""
        xmin, ymin, xmax, ymax = boxes
        x, y = Spans(self.x_edges, xmin, xmax), Spans(self.y_edges, ymin, ymax)
        result = np.zeros(len(x.start))
        for i in range(3):
            for j in range(3):
                x0, x1 = x.start[:, i], x.stop[:, i]
                y0, y1 = y.start[:, j], y.stop[:, j]
                inside = rectangle_sums(sums, x0, x1, y0, y1)
                result += inside * ((x.fraction[:, i] / WHOLE) * (y.fraction[:, j] / WHOLE))
        return result

    def weight_of_cells(self, x_edges: Floats, y_edges: Floats) -> Floats:
        """Return the same for all cells between edges, row 0 in the north.

        Examples
        --------
        >>> west = Support((0, 0, 4, 2), [[1, 0]])
        >>> west.weight_of_cells(np.array([0.0, 1.0, 3.0, 4.0]), np.array([0.0, 2.0]))
        array([[0.5, 0.5, 0. ]])
        """
        low, high = _pixels(self.y_edges, y_edges[:1], y_edges[-1:])
        rows = slice(int(low[0]), int(high[0]))
        columns = _gathered(self.weights[::-1][rows].T, self.x_edges, x_edges)
        lines = self.y_edges[rows.start : rows.stop + 1]
        return np.asarray(_gathered(columns.T, lines, y_edges)[::-1])

    def weight_west_of(self, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Floats:
        """Return the weight west of lines that rise from ``(x0, y0)`` to ``(x1, y1)``.

        Weights of any polygon, and of what two of them share, are sums of these with signs. Lines
        may reach out of the bounds, where there is no weight.

        Examples
        --------
        >>> west = Support((0, 0, 4, 2), [[1, 0]])
        >>> one = np.array([1.0])
        >>> west.weight_west_of(0 * one, 0 * one, 4 * one, 2 * one)
        array([0.75])
        """
        result = np.zeros(len(x0))
        columns, rows = ((x0, x1, self.x_edges), (y0, y1, self.y_edges))
        crossed = [_crossed(*along) for along in (columns, rows)]
        for part in _parts(crossed[0][1] + crossed[1][1]):
            which, share = [], []
            for (start, end, lines), (first, length) in zip((columns, rows), crossed):
                line, place = ranges(first[part], length[part])
                which.append(line)
                low = start[part][line]
                share.append((lines[place] - low) / (end[part][line] - low))
            every = np.arange(len(x0[part]))
            line = np.concatenate([*which, every, every])
            cut = np.clip(np.concatenate([*share, np.zeros(len(every)), np.ones(len(every))]), 0, 1)
            order = np.lexsort((cut, line))
            line, cut = line[order], cut[order]
            begin = np.flatnonzero(line[1:] == line[:-1])
            line, low, high = line[begin], cut[begin], cut[begin + 1]
            middle, height = (low + high) / 2, (high - low) * (y1 - y0)[part][line]
            x = x0[part][line] + middle * (x1 - x0)[part][line]
            y = y0[part][line] + middle * (y1 - y0)[part][line]
            piece = self._row_weight(x, y) * height
            result[part] = np.bincount(line, piece, minlength=len(every))
        return result

    def _row_weight(self, x: Floats, y: Floats) -> Floats:
        """Return the weight west of places in their row of pixels, per unit of height."""
        column, row = (
            np.clip(np.searchsorted(edges, place, side="right") - 1, 0, len(edges) - 2)
            for edges, place in ((self.x_edges, x), (self.y_edges, y))
        )
        left, right = self.x_edges[column], self.x_edges[column + 1]
        part = np.clip((x - left) / (right - left), 0.0, 1.0) * self._pixels[row, column]
        inside = (y >= self.y_edges[0]) & (y < self.y_edges[-1])
        height = self.y_edges[row + 1] - self.y_edges[row]
        return np.where(inside, (self._before[row, column] + part) / height, 0.0)

    @cached_property
    def _pixels(self) -> npt.NDArray[np.uint32]:
        """Return the weights, rows from the south."""
        return self.weights[::-1]

    @cached_property
    def _before(self) -> Ints:
        """Return sums of weights west of each pixel in its row, rows from the south."""
        sums = np.cumsum(self._pixels, axis=1, dtype=np.int64)
        return np.asarray(sums - self._pixels)

    def covered_share(self, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats) -> Floats:
        """Return the part of rectangles where records can be, whatever the weights there.

        Examples
        --------
        >>> one = np.array([1.0])
        >>> Support((0, 0, 4, 2), [[9, 0]]).covered_share(one, 0 * one, 4 * one, one)
        array([0.33333333])
        """
        rows, columns = self.shape
        width, height = self.bounds[2] - self.bounds[0], self.bounds[3] - self.bounds[1]
        pixels = (xmax - xmin) / width * columns * ((ymax - ymin) / height * rows)
        return np.asarray(self._weighted(self._places, (xmin, ymin, xmax, ymax)) / pixels)

    def is_even(self, xmin: Floats, ymin: Floats, xmax: Floats, ymax: Floats) -> Bools:
        """Tell whether the weight is known to be alike all over rectangles; then areas tell all."""
        x0, x1 = _pixels(self.x_edges, xmin, xmax)
        y0, y1 = _pixels(self.y_edges, ymin, ymax)
        pixels = (x1 - x0) * (y1 - y0)
        return np.asarray((pixels == 1) | (rectangle_sums(self._largest, x0, x1, y0, y1) == pixels))


def check_weights(weights: Floats) -> None:
    """Refuse weights that are negative or no numbers."""
    if not (np.isfinite(weights) & (weights >= 0)).all():
        odd = "negative" if (weights < 0).any() else "no finite number"
        raise InputError(
            f"weights in `within` must be zero or more; one is {odd}: mark it as no data, or set "
            "it to zero where no records can be."
        )


def _pixels(edges: Floats, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return first pixel that an interval ``[low, high)`` meets, and the one after its last."""
    first = np.searchsorted(edges, low, side="right") - 1
    return first, np.searchsorted(edges, high, side="left")


def _crossed(start: Floats, end: Floats, lines: Floats) -> tuple[Ints, Ints]:
    """Return the first line that lies between two ends, and how many do."""
    first = np.searchsorted(lines, np.minimum(start, end), side="right")
    stop = np.searchsorted(lines, np.maximum(start, end), side="left")
    return first, np.maximum(stop - first, 0)


def _parts(lengths: Ints) -> list[slice]:
    """Cut a list into parts whose lengths, and one for each, add up to a bounded number."""
    block = np.cumsum(lengths + 1) // _PIECES
    starts = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist()] if len(lengths) else []
    return [slice(low, high) for low, high in zip(starts, [*starts[1:], len(lengths)])]


def _gathered(values: npt.NDArray[Any], pixels: Floats, edges: Floats) -> Floats:
    """Sum rows of pixels into rows of cells, in proportion to what lies in each cell."""
    lines = np.union1d(pixels[(pixels > edges[0]) & (pixels < edges[-1])], edges)
    pixel = np.searchsorted(pixels, lines[:-1], side="right") - 1
    part = np.diff(lines) / np.diff(pixels)[pixel]
    start = np.searchsorted(lines, edges[:-1])
    count = np.diff(start, append=len(pixel))
    values = np.ascontiguousarray(values)
    if count.max() > _FEW:
        return np.asarray(np.add.reduceat(values[pixel] * part[:, None], start, axis=0))
    total = np.asarray(values[pixel[start]] * part[start, None])
    for more in range(1, int(count.max())):  # far faster than sums of so few rows each
        cells = np.flatnonzero(count > more)
        place = start[cells] + more
        total[cells] += values[pixel[place]] * part[place, None]
    return total
