"""Smooth the best guess for the eye: no steps between cells, the same sum in each of them.

From coarse pixels to fine ones, the logarithm of the density is averaged with that of the four
neighbours, wherever records can be, and every cell is scaled back to its own sum. Nothing becomes
negative, and nothing flows to where no records can be. It reads well where noise is large, and it
suggests detail that is not known: whatever shows it says so.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..common.types import Bounds, Floats, Ints
from ..releases.release import Release
from ..space.grid import Grid
from .best_guess import best_guess, land_areas
from .raster_cells import MOST_SIDE, raster_cells

SMOOTH_SIDE = 1536
"""Pixels along the longer side of a smooth picture, at most, unless finer ones are asked for."""

_LOCATED = 1024
"""The same where every pixel must be located among polygons."""

_WINDOW, _ALIGNED = 600, 6
"""Pixels along a part of the map that is drawn larger, at least, and halvings of cells in it."""

_ROUNDS = 8
"""Rounds of averaging at each size of pixels."""

_SMALLEST = 4
"""Pixels along the shorter side of the coarsest raster, at least."""

_FLOOR = 1e-3
"""Part of the mean density that is added before logarithms are taken."""

_NOWHERE, _MIXED = -1, -2
"""Instead of a cell: no records can be in the pixel; several cells share it."""

_Pixels = npt.NDArray[np.float32]


class Smooth(NamedTuple):
    """A smooth picture.

    Attributes
    ----------
    grid : Grid
        Its pixels.
    mass : ndarray
        Records in each pixel, row 0 in the north: they add up to the total of the best guess.
    density : ndarray
        The same as records per area on the ground where they can be; NaN where they cannot.
    """

    grid: Grid
    mass: Floats
    density: Floats


class _Raster(NamedTuple):
    """Pixels of one size: the cell of each, its weight, and its part of an even spread."""

    zone: Ints
    weight: _Pixels
    even: _Pixels


def smoothed(release: Release, resolution: float | None = None) -> Smooth:
    """Spread the best guess of each cell smoothly over its pixels.

    Parameters
    ----------
    release : Release
        What was published.
    resolution : float, optional
        Longest side of a pixel, in units of the CRS.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0] * 500, [200.0] * 500), town, epsilon=1)
    >>> mass = smoothed(release).mass
    >>> bool(abs(mass.sum() - best_guess(release).sum()) < 1e-6), bool(mass.min() >= 0)
    (True, True)
    """
    cells = raster_cells(
        release.cells, resolution, SMOOTH_SIDE if resolution is None else MOST_SIDE
    )
    grid, zone = _pixels(cells, resolution)
    weight = _weights(grid, zone, by_support=cells.polygons is None)
    zone = np.where(weight > 0, zone, _NOWHERE)
    mass = _reached(best_guess(release, cells), cells, grid, zone)
    density = mass / np.maximum(_sums(zone, weight, len(mass)), 1e-300)
    field = _relaxed(_Raster(zone, weight.astype(np.float32), _even(zone, weight, density)))
    scaled = _scaled(field.astype(np.float64), weight, zone, mass)
    ratio = np.append(_sums(zone, weight, len(mass)) / land_areas(cells), np.nan)
    return Smooth(grid, scaled * weight, scaled * ratio[zone])


def smooth_window(release: Release, box: Bounds) -> tuple[Floats, Bounds]:
    """Return the density in a part of the map, in pixels fine enough to draw it larger.

    Each pixel has the cell of its centre. Pixels lie along the edges of cells, as far as these are
    regular, and reach a little over the part. Rows come from the north; NaN is where no records can
    be.

    Parameters
    ----------
    release : Release
        What was published.
    box : tuple of float
        The part: ``xmin, ymin, xmax, ymax``, inside of the domain.

    Returns
    -------
    density : ndarray
        Records per area on the ground.
    edges : tuple of float
        Edges of all pixels together.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0] * 500, [200.0] * 500), town, epsilon=1)
    >>> density, edges = smooth_window(release, (0, 0, 1000, 500))
    >>> bool(density.min() >= 0), edges[:2]
    (True, (0.0, 0.0))
    """
    cells, within = release.cells, release.domain.within
    x, y = _window_lines(cells, box)
    middle = (x[1:] + x[:-1]) / 2
    rows = ((y[1:] + y[:-1]) / 2)[::-1].tolist()
    zone = np.stack([cells.locate(middle, np.full(len(middle), row)) for row in rows])
    weight = np.ones(zone.shape)
    if within is not None and cells.polygons is None:
        weight = within.weight_of_cells(x, y)
    zone = np.where(weight > 0, zone, _NOWHERE)
    weight = np.where(zone >= 0, weight, 0.0) / max(float(weight.max()), 1e-300)
    field = _relaxed(_Raster(zone, weight.astype(np.float32), _even(zone, weight, release.drawn)))
    edges = (float(x[0]), float(y[0]) + 0.0, float(x[-1]), float(y[-1]))  # 0, and not -0
    return np.where(zone >= 0, field, np.nan), edges


def _window_lines(cells: Cells, box: Bounds) -> tuple[Floats, Floats]:
    """Choose the edges of pixels around a part of the map, along halvings of the cells' edges."""
    domain = cells.domain
    wide, high = domain.width, domain.height
    if cells.polygons is None and cells.grid is not None:
        wide, high = cells.grid.cell_width, cells.grid.cell_height
    elif cells.polygons is None and cells.tree is not None:
        rows, columns = cells.tree.frame.root
        wide, high = wide / columns, high / rows
    longest = max(box[2] - box[0], box[3] - box[1]) / _WINDOW
    halvings = max(0, math.ceil(math.log2(max(wide, high) / longest)))
    step = 1 << min(halvings, _ALIGNED)
    xmin, ymin, xmax, ymax = domain.bounds

    def lines(start: float, low: float, high: float, pixel: float) -> Floats:
        first = math.floor((low - start) / (pixel * step)) * step
        last = math.ceil((high - start) / (pixel * step)) * step
        return np.asarray(start + np.arange(first, last + 1) * pixel)

    x = lines(xmin, box[0], box[2], wide / 2**halvings)
    y = -lines(-ymax, -box[3], -box[1], high / 2**halvings)[::-1]
    return np.unique(np.clip(x, xmin, xmax)), np.unique(np.clip(y, ymin, ymax))


# --- pixels ---------------------------------------------------------------------------------------


def _pixels(cells: Cells, resolution: float | None) -> tuple[Grid, Ints]:
    """Divide cells into pixels, and say which cell each is in; -1 where no cell is."""
    domain, raster = cells.domain, cells.raster
    if raster is None or cells.polygons is not None:
        longest = max(domain.width, domain.height)
        side = _LOCATED if resolution is None else min(longest / resolution, MOST_SIDE)
        rows, columns = (max(1, round(side * s / longest)) for s in (domain.height, domain.width))
        grid = Grid(domain, (rows, columns))
        return grid, _located(cells, grid)
    parts, most = 1, SMOOTH_SIDE if resolution is None else MOST_SIDE
    while 2 * parts * max(raster.shape) <= most and (
        resolution is None or max(raster.cell_width, raster.cell_height) > parts * resolution
    ):
        parts *= 2
    rows, columns = raster.shape
    if raster.cell_size is None:
        grid = Grid(domain, (rows * parts, columns * parts))
    else:
        grid = Grid(domain, cell_size=raster.cell_size / parts)
    zone = cells.pixels(range(rows)).repeat(parts, axis=0).repeat(parts, axis=1)
    return grid, zone[: grid.shape[0], : grid.shape[1]]


def _located(cells: Cells, grid: Grid) -> Ints:
    """Say in which cell the centre of each pixel is; -1 where in none."""
    x = (grid.x_edges[1:] + grid.x_edges[:-1]) / 2
    y = ((grid.y_edges[1:] + grid.y_edges[:-1]) / 2)[::-1]
    return np.stack([cells.locate(x, np.full(len(x), height)) for height in y.tolist()])


def _weights(grid: Grid, zone: Ints, *, by_support: bool) -> Floats:
    """Return where records can be, as a weight of each pixel."""
    within = grid.domain.within
    if within is not None and by_support:
        weight = within.weight_of_cells(grid.x_edges, grid.y_edges)
    else:
        weight = np.outer(np.diff(grid.y_edges)[::-1], np.diff(grid.x_edges))
    return np.where(zone >= 0, weight, 0.0) / max(float(weight.max()), 1e-300)


def _reached(guess: Floats, cells: Cells, grid: Grid, zone: Ints) -> Floats:
    """Give what cells without a pixel have to the cell that the nearest pixel is in."""
    mass = guess.astype(np.float64)
    seen = np.zeros(len(mass), dtype=bool)
    seen[zone[zone >= 0]] = True
    lost = np.flatnonzero(~seen & (mass > 0))
    if not len(lost):
        return mass
    left, bottom, right, top = cells.bounds[lost].T
    xmin, _, _, ymax = grid.domain.bounds
    rows, columns = grid.shape
    row = np.clip((ymax - (bottom + top) / 2) / grid.cell_height, 0, rows - 1).astype(np.int64)
    column = np.clip(((left + right) / 2 - xmin) / grid.cell_width, 0, columns - 1)
    owner = zone[row, column.astype(np.int64)]
    near = owner >= 0
    moved = mass[lost]
    mass[lost] = 0.0
    np.add.at(mass, owner[near], moved[near])
    seen_mass = float(mass.sum())
    rest = float(moved[~near].sum())
    return mass * (1 + rest / seen_mass) if seen_mass > 0 else mass


# --- averaging ------------------------------------------------------------------------------------


def _sums(zone: Ints, values: npt.NDArray[np.floating], count: int) -> Floats:
    """Sum values of pixels by cell."""
    sums = np.bincount(zone.ravel() + 1, values.ravel(), minlength=count + 1)[1:]
    return sums.astype(np.float64, copy=False)


def _even(zone: Ints, weight: Floats, density: Floats) -> _Pixels:
    """Return what pixels hold where every cell is spread evenly."""
    return np.asarray(np.append(density, 0.0)[zone] * weight, dtype=np.float32)


def _relaxed(finest: _Raster) -> _Pixels:
    """Average from the coarsest pixels to the finest; return records per weight."""
    rasters = [finest]
    while min(rasters[-1].zone.shape) >= 2 * _SMALLEST:
        rasters.append(_coarser(rasters[-1]))
    field = _field(rasters[-1])
    for raster in reversed(rasters):
        rows, columns = raster.zone.shape
        if field.shape != raster.zone.shape:
            field = field.repeat(2, axis=0).repeat(2, axis=1)[:rows, :columns]
        field = _averaged(field, raster)
    return field


def _coarser(raster: _Raster) -> _Raster:
    """Take pixels together by fours; those of several cells are mixed, and keep their sum."""
    rows, columns = raster.zone.shape
    more = ((0, rows % 2), (0, columns % 2))
    zone = np.pad(raster.zone, more, constant_values=_NOWHERE)
    quarters = [zone[row::2, column::2] for row in (0, 1) for column in (0, 1)]
    largest = np.maximum.reduce(quarters)
    mixed = np.zeros(largest.shape, dtype=bool)
    for quarter in quarters:
        mixed |= (quarter != largest) & (quarter != _NOWHERE)
    sums = []
    for values in (raster.weight, raster.even):
        padded = np.pad(values, more)
        sums.append(padded.reshape(largest.shape[0], 2, largest.shape[1], 2).sum(axis=(1, 3)))
    return _Raster(np.where(mixed, _MIXED, largest), sums[0], sums[1])


def _field(raster: _Raster) -> _Pixels:
    """Return records per weight where cells are spread evenly."""
    return np.asarray(raster.even / np.maximum(raster.weight, np.float32(1e-30)))


def _averaged(field: _Pixels, raster: _Raster) -> _Pixels:
    """Average with neighbours, round by round, and keep the sum of every cell in each."""
    zone, weight, even = raster
    pure = np.where(zone >= 0, zone, _NOWHERE)
    target = _sums(pure, even, int(zone.max(initial=0)) + 1)
    mixed, fixed = zone == _MIXED, _field(raster)
    land = (weight > 0).astype(np.float32)
    near = np.maximum(_around(land), 1)
    floor = np.float32(max(_FLOOR * float(even.sum()) / max(float(weight.sum()), 1e-30), 1e-30))
    field = np.where(mixed, fixed, _scaled(field, weight, pure, target))
    for _ in range(_ROUNDS):
        mean = _around(np.log(field + floor) * land) / near
        field = np.maximum(np.exp(mean) - floor, 0) * land
        field = np.where(mixed, fixed, _scaled(field, weight, pure, target))
    return np.asarray(field, dtype=np.float32)


def _around(values: _Pixels) -> _Pixels:
    """Sum each pixel and its four neighbours."""
    sums = values.copy()
    sums[1:] += values[:-1]
    sums[:-1] += values[1:]
    sums[:, 1:] += values[:, :-1]
    sums[:, :-1] += values[:, 1:]
    return sums


def _scaled(
    field: npt.NDArray[np.floating], weight: npt.NDArray[np.floating], zone: Ints, target: Floats
) -> npt.NDArray[np.floating]:
    """Scale the pixels of each cell so that they add up to what it has."""
    sums = _sums(zone, field * weight, len(target))
    empty = (sums <= 0) & (target > 0)
    if empty.any():  # all was averaged away: begin with an even spread
        field = np.where(np.append(empty, False)[zone], 1.0, field).astype(field.dtype)
        sums = _sums(zone, field * weight, len(target))
    factor = np.append(target / np.where(sums > 0, sums, 1.0), 0.0).astype(field.dtype)
    return np.asarray(field * factor[zone])
