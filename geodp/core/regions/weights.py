"""Turn a public raster into where records can be, in bounded memory.

The library and the QGIS plugin read rasters with different programs; what is read, and how far it
is averaged before it is brought into the domain's CRS, is decided here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..common.types import Bounds, Floats
from ..space.domain import Domain
from ..space.grid import Grid
from ..space.support import Support, check_weights
from .coverage import pixel_grid

Affine = tuple[float, ...]

STRIP = 1 << 24
"""Pixels of a raster that are read at once, about."""


@dataclass(frozen=True)
class WeightRaster:
    """A raster of weights as a program has opened it.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns.
    transform : tuple of float
        Affine coefficients ``(a, b, c, d, e, f)`` from (column, row) to coordinates.
    read : callable
        Gives the weights in a window of first column, first row, columns and rows; what has no data
        is zero.
    domain_bounds : tuple of float, optional
        Bounds of the domain in the CRS of the raster, if they are known.
    """

    shape: tuple[int, int]
    transform: Affine
    read: Callable[[int, int, int, int], Floats]
    domain_bounds: Bounds | None


def raster_support(
    raster: WeightRaster, domain: Domain, move: Callable[[Floats, Affine, Grid], Floats]
) -> Support:
    """Return where records can be, and how densely, if a raster says so.

    Parameters
    ----------
    raster : WeightRaster
        Weights, zero or more.
    domain : Domain
        Whose bounds are meant.
    move : callable
        Brings weights with their transform onto a grid of the domain, as averages.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> people = np.array([[3.0, 0.0], [1.0, 0.0]])
    >>> opened = WeightRaster((2, 2), (2000, 0, 0, 0, -2000, 4000), lambda *_: people, town.bounds)
    >>> raster_support(opened, town, lambda weights, *_: weights[1:-1, 1:-1])
    Support(2 × 2 pixels, 50 % of the extent, 4c55057a1e2a)
    """
    grid = pixel_grid(domain)
    weights, transform = _read(raster, grid.shape)
    moved = move(weights, transform, grid) if weights.size else np.zeros(grid.shape)
    return Support.of(domain.bounds, moved)


def _read(raster: WeightRaster, shape: tuple[int, int]) -> tuple[Floats, Affine]:
    """Return weights of the part of a raster that matters, and where they lie.

    Pixels far finer than needed are averaged, strip by strip, so that memory stays bounded. A rim
    of zeros goes around them: where a raster covers pixels of the domain in part, they have that
    part of its weight, while versions of GDAL disagree about pixels that are not known in full.
    """
    x0, y0, x1, y1 = _window(raster, 2)
    if x0 >= x1 or y0 >= y1:
        return np.zeros((0, 0)), raster.transform
    step = max(1, min((x1 - x0) // shape[1], (y1 - y0) // shape[0]) // 2)
    x0, y0, x1, y1 = _window(raster, 2 * step)  # wide enough for averages at the rim
    rows = max(1, STRIP // (x1 - x0) // step) * step
    strips = []
    for start in range(y0, y1, rows):
        strip = raster.read(x0, start, x1 - x0, min(rows, y1 - start))
        check_weights(strip)
        strips.append(_averaged(strip, step))
    a, b, c, d, e, f = raster.transform
    x, y = x0 - step, y0 - step
    lies = (a * step, b * step, a * x + b * y + c, d * step, e * step, d * x + e * y + f)
    return np.pad(np.concatenate(strips), 1), lies


def _window(raster: WeightRaster, margin: int) -> tuple[int, int, int, int]:
    """Return columns and rows of a raster that may lie in the domain; all where that is unsure."""
    height, width = raster.shape
    bounds = raster.domain_bounds
    if bounds is None or not np.isfinite(bounds).all() or bounds[0] >= bounds[2]:
        return 0, 0, width, height  # the domain is beyond the poles or across the date line
    west, south, east, north = bounds
    a, b, c, d, e, f = _inverse(raster.transform)
    x, y = np.meshgrid([west, east], [south, north])
    column, row = (np.clip(part, -1e9, 1e9) for part in (a * x + b * y + c, d * x + e * y + f))
    low = (max(0, math.floor(part.min()) - margin) for part in (column, row))
    high = (
        min(size, math.ceil(part.max()) + margin) for part, size in ((column, width), (row, height))
    )
    return (*low, *high)


def _inverse(transform: Affine) -> Affine:
    """Turn coordinates into (column, row)."""
    a, b, c, d, e, f = transform
    scale = 1 / (a * e - b * d)
    ra, rb, rd, re = e * scale, -b * scale, -d * scale, a * scale
    return ra, rb, -c * ra - f * rb, rd, re, -c * rd - f * re


def _averaged(given: Floats, step: int) -> Floats:
    """Return means of blocks of ``step`` by ``step`` pixels; what lies beyond is zero."""
    if step == 1:
        return given
    rows, columns = (-(-size // step) for size in given.shape)
    padded = np.zeros((rows * step, columns * step))
    padded[: given.shape[0], : given.shape[1]] = given
    return np.asarray(padded.reshape(rows, step, columns, step).mean(axis=(1, 3)))
