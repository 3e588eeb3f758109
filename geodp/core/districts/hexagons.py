"""Regular hexagons that cover a domain, and which of them holds a point; exact.

Hexagons stand on a corner, in rows from south to north; every second row is half a hexagon further
west. All corners lie on a lattice of lines, half a hexagon apart from west to east and half a side
apart from south to north, whose coordinates are computed once: neighbours have the same corners to
the bit.

Which hexagon holds a point follows the rule of ``district_raster`` for these corners: west and
south borders are in, east and north borders out. Between two lines of each axis there is no border
but an upright one, or one that runs from corner to corner; on which side of that a point is, is
decided exactly. Rounding to the nearest centre, the usual way, would leave points near borders to
chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats, Ints, freeze
from ..regions.orientation import turn
from ..space.axis import Axis
from ..space.domain import Domain
from ..space.frame import Codes

MOST_HEXAGONS = 1 << 24
"""Hexagons that a domain may be covered by."""


@dataclass(frozen=True)
class HexagonGrid:
    """Regular hexagons of one size over a domain, numbered by rows from the south-west.

    Parameters
    ----------
    domain : Domain
        Every point of it, its east and north sides included, is in one hexagon.
    side : float
        Length of a side, in units of the CRS.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> hexagons = HexagonGrid(town, 1000)
    >>> hexagons.shape, len(hexagons)
    ((3, 3, 3), 9)
    >>> hexagons.locate(np.array([0.0, 1800.0, -1.0]), np.array([0.0, 0.0, 0.0]))
    array([ 0,  1, -1], dtype=int32)
    >>> hexagons.ids[:4]
    ('0-0', '0-1', '0-2', '1-0')
    """

    domain: Domain
    side: float

    def __post_init__(self) -> None:
        side = float(self.side)
        if not 0 < side < math.inf:
            raise InputError(f"the side of a hexagon must be a positive number; got {self.side!r}.")
        object.__setattr__(self, "side", side)
        reach = max(abs(bound) for bound in self.domain.bounds)
        if side < reach * 2.0**-32:
            raise InputError(
                f"hexagons must be larger than the rounding of coordinates; {side:g} is less than "
                f"2**-32 of {reach:g}: take larger ones."
            )
        rows, columns = self.domain.height / side, self.domain.width / side
        if rows * columns / (1.5 * math.sqrt(3.0)) > MOST_HEXAGONS:
            raise InputError(
                f"a domain may be covered by up to {MOST_HEXAGONS:,} hexagons; sides of {side:g} "
                "make more: take larger ones."
            )

    def __len__(self) -> int:
        return int(self._row_first[-1])

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """Return the number of rows, and of hexagons in rows 0, 2, ... and in rows 1, 3, ..."""
        xmin, ymin, xmax, ymax = self.domain.bounds
        across, up = self.side * math.sqrt(0.75), self.side / 2
        # The north and east sides belong to the domain: what begins on them is needed, too.
        rows = math.floor(self.domain.height / (3 * up)) + 2
        while rows > 1 and ymin + (3 * rows - 4) * up > ymax:
            rows -= 1
        most = math.floor(self.domain.width / (2 * across)) + 2
        even, odd = most, most
        while even > 1 and xmin + (2 * even - 2) * across > xmax:
            even -= 1
        while odd > 1 and xmin + (2 * odd - 3) * across > xmax:
            odd -= 1
        return rows, even, odd

    @cached_property
    def _row_first(self) -> Ints:
        """Return the code of the first hexagon of each row, and the number of all."""
        rows, even, odd = self.shape
        lengths = np.where(np.arange(rows) % 2, odd, even)
        return freeze(np.append(0, np.cumsum(lengths)))

    @cached_property
    def _axes(self) -> tuple[Axis, Axis]:
        return Axis(self._lines_across), Axis(self._lines_up)

    @property
    def area(self) -> float:
        """Return the area of a hexagon in squared units of the CRS."""
        return 1.5 * math.sqrt(3.0) * self.side**2

    @cached_property
    def _lines_across(self) -> Floats:
        """Return lines from west to east: row 0 begins with the first, row 1 one before."""
        step = self.side * math.sqrt(0.75)
        lines = np.arange(-1.0, 2 * max(self.shape[1:]) + 1)
        return freeze(np.asarray(self.domain.bounds[0] + lines * step, dtype=np.float64))

    @cached_property
    def _lines_up(self) -> Floats:
        """Return lines from south to north: row 0 has its lowest corners on the first."""
        step = self.side / 2
        lines = np.arange(-1.0, 3 * self.shape[0] + 1)
        return freeze(np.asarray(self.domain.bounds[1] + lines * step, dtype=np.float64))

    def locate(self, x: Floats, y: Floats) -> Codes:
        """Find the code of the hexagon that holds each point of the domain, or -1."""
        codes = np.full(len(x), -1, dtype=np.int32)
        xmin, ymin, xmax, ymax = self.domain.bounds
        for start in range(0, len(x), 1 << 16):
            part = slice(start, start + (1 << 16))
            px, py = x[part], y[part]
            inside = (xmin <= px) & (px <= xmax) & (ymin <= py) & (py <= ymax)
            if inside.all():
                codes[part] = self._locate_block(px, py)
            else:
                codes[part][inside] = self._locate_block(px[inside], py[inside])
        return codes

    def _locate_block(self, x: Floats, y: Floats) -> Codes:
        across, up = self._axes[0].locate(x), self._axes[1].locate(y)
        row, zone = np.divmod(up, 3)
        # Zone 0 of a row has its lower corners, and the upper ones of the row before: there the
        # border between the two rows runs from one line to the next, up or down.
        slanted = np.flatnonzero(zone == 0)
        i, r = across[slanted], row[slanted]
        lines_x, lines_y = self._lines_across, self._lines_up
        rising = (i + r) % 2 == 0  # a lowest corner of row r is at its west end
        south, north = lines_y[3 * r], lines_y[3 * r + 1]
        low = np.stack([lines_x[i + ~rising], south], axis=1)
        high = np.stack([lines_x[i + rising], north], axis=1)
        west = turn(low, high, np.stack([x[slanted], y[slanted]], axis=1)) > 0
        row[slanted] -= west != rising
        # Row 0 begins with line 1, row 1 with line 0, and so on.
        column = (across - (row + 1) % 2) >> 1
        return np.asarray(self._row_first[row] + column, dtype=np.int32)

    def rows_and_columns(self, codes: Ints) -> tuple[Ints, Ints]:
        """Return the row from the south and place in it from the west."""
        row = np.searchsorted(self._row_first, codes, side="right") - 1
        return row, codes - self._row_first[row]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return the row and column of each hexagon as text."""
        row, column = self.rows_and_columns(np.arange(len(self)))
        return tuple(f"{r}-{c}" for r, c in zip(row.tolist(), column.tolist()))

    def corners(self, codes: Ints) -> Floats:
        """Return corners of hexagons, counter-clockwise from the lowest: shape (n, 6, 2).

        Examples
        --------
        >>> town = Domain((0, 0, 4, 4), crs="EPSG:5070")
        >>> HexagonGrid(town, 2.0).corners(np.array([0]))[0, :, 1]
        array([-1.,  0.,  2.,  3.,  2.,  0.])
        """
        row, column = self.rows_and_columns(codes)
        line = 2 * column + (row + 1) % 2
        x = line[:, None] + np.array([1, 2, 2, 1, 0, 0])
        y = 3 * row[:, None] + np.array([0, 1, 3, 4, 3, 1])
        return np.stack([self._lines_across[x], self._lines_up[y]], axis=2)
