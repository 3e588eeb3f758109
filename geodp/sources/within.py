"""Public layers that say where records can be: polygons, or a raster of weights."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from ..core.axis import Floats
from ..core.coverage import pixel_grid, support_of_polygons
from ..core.domain import Domain
from ..core.errors import CrsError, FileError, InputError
from ..core.support import Support, check_weights
from .layers import located, read_layer
from .opening import shown
from .regions import read_regions

_RASTERS = (".tif", ".tiff", ".vrt", ".img", ".asc", ".jp2")

_STRIP = 1 << 24
"""Pixels of a raster that are read at once, about."""


def read_within(within: Any, domain: Domain) -> Support:
    """Weights on the domain's pixels, from what the user gave.

    Parameters
    ----------
    within : GeoDataFrame, GeoSeries or path
        Polygons in any CRS, or a raster of weights.
    domain : Domain
        The rectangle, and the CRS that the pixels are in.
    """
    import geopandas

    if isinstance(within, (geopandas.GeoDataFrame, geopandas.GeoSeries)):
        return _from_layer(within, domain)
    if not isinstance(within, (str, os.PathLike)):
        raise InputError(
            "`within` must be a GeoDataFrame, a GeoSeries, or the path of a layer or of a raster; "
            f"got {type(within).__name__}."
        )
    if Path(os.fspath(within).split("?")[0]).suffix.lower() in _RASTERS:
        return _from_raster(located(within, "file of `within`"), domain)
    return _from_layer(read_layer(within, "layer of `within`"), domain)


def _from_layer(layer: Any, domain: Domain) -> Support:
    if layer.crs is None:
        raise CrsError("`within` needs a CRS; this layer has none: set it with `set_crs()`.")
    if not len(layer):
        raise InputError("`within` needs at least one polygon; the layer is empty.")
    found = read_regions(layer, domain, rule="`within` must be valid polygons; feature {}")
    return support_of_polygons(found.polygons, domain)


def _from_raster(path: str, domain: Domain) -> Support:
    import rasterio
    from rasterio.errors import RasterioError, RasterioIOError
    from rasterio.warp import Resampling, reproject

    try:
        with rasterio.open(path) as image:
            if image.crs is None:
                raise CrsError(
                    "the raster of `within` needs a CRS; it has none: assign the one that it is "
                    "in, with GDAL or in QGIS."
                )
            if image.count != 1:
                raise InputError(
                    f"the raster of `within` must have one band of weights; it has {image.count}: "
                    "write the one that is meant into a file of its own."
                )
            grid = pixel_grid(domain)
            source, transform = _weights(image, domain, grid.shape)
            found = np.zeros(grid.shape)
            if source.size:
                reproject(
                    source,
                    found,
                    src_transform=transform,
                    src_crs=image.crs,
                    dst_transform=rasterio.Affine(*grid.transform),
                    dst_crs=domain.crs.name,
                    resampling=Resampling.average,
                )
    except RasterioIOError:
        raise FileError(
            f"`within` must be a raster that GDAL reads; {shown(path)} is not."
        ) from None
    except RasterioError:
        raise InputError(
            "the raster of `within` cannot be brought into the domain's CRS: cut it to the domain "
            "first."
        ) from None
    return Support.of(domain.bounds, found)


def _weights(image: Any, domain: Domain, shape: tuple[int, int]) -> tuple[Floats, Any]:
    """Weights of the part of a raster that matters, no data as zero, and where they lie.

    Pixels far finer than needed are averaged, strip by strip, so that memory stays bounded.
    """
    import rasterio
    from rasterio.windows import Window

    x0, y0, x1, y1 = _window(image, domain)
    if x0 >= x1 or y0 >= y1:
        return np.zeros((0, 0)), image.transform
    step = max(1, min((x1 - x0) // shape[1], (y1 - y0) // shape[0]) // 2)
    rows = max(1, _STRIP // (x1 - x0) // step) * step
    strips = []
    for start in range(y0, y1, rows):
        window = Window(x0, start, x1 - x0, min(rows, y1 - start))
        strips.append(_averaged(image.read(1, window=window, masked=True), step))
    a, b, c, d, e, f = tuple(image.transform)[:6]
    corner = (a * x0 + b * y0 + c, d * x0 + e * y0 + f)
    lies = rasterio.Affine(a * step, b * step, corner[0], d * step, e * step, corner[1])
    return np.concatenate(strips), lies


def _window(image: Any, domain: Domain) -> tuple[int, int, int, int]:
    """Columns and rows of a raster that may lie in the domain; all where that is not sure."""
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    everything = (0, 0, image.width, image.height)
    try:
        there = Transformer.from_crs(domain.crs.name, image.crs.to_wkt(), always_xy=True)
        west, south, east, north = there.transform_bounds(*domain.bounds, densify_pts=101)
    except ProjError:
        return everything
    if not np.isfinite([west, south, east, north]).all() or west >= east:
        return everything  # the domain is beyond the poles or across the date line
    a, b, c, d, e, f = tuple(~image.transform)[:6]
    x, y = np.meshgrid([west, east], [south, north])
    column, row = (np.clip(part, -1e9, 1e9) for part in (a * x + b * y + c, d * x + e * y + f))
    low = (max(0, math.floor(part.min()) - 2) for part in (column, row))
    high = (
        min(size, math.ceil(part.max()) + 2)
        for part, size in ((column, image.width), (row, image.height))
    )
    return (*low, *high)


def _averaged(values: Any, step: int) -> Floats:
    """Means of blocks of ``step`` by ``step`` pixels; no data, and what lies beyond, are zero."""
    given = values.astype(np.float64).filled(0.0)
    check_weights(given)
    if step == 1:
        return np.asarray(given)
    rows, columns = (-(-size // step) for size in given.shape)
    whole = np.zeros((rows * step, columns * step))
    whole[: given.shape[0], : given.shape[1]] = given
    return np.asarray(whole.reshape(rows, step, columns, step).mean(axis=(1, 3)))
