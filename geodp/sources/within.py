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
from ..core.workload import check_shapes, polygons_of
from .layers import located, read_layer
from .opening import shown

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
    shapes = np.asarray(layer.geometry.array)
    if not len(shapes):
        raise InputError("`within` needs at least one polygon; the layer is empty.")
    check_shapes(shapes, "`within` must be valid polygons; feature {}")
    return support_of_polygons(polygons_of(_in_domain(shapes, layer.crs, domain)), domain)


def _in_domain(shapes: Any, crs: Any, domain: Domain) -> Any:
    """Polygons in the domain's CRS, those and parts far away left out.

    Layers of land go around the world, and most of that has no place in a projected CRS: it is cut
    away first.
    """
    import geopandas
    import shapely

    frames = shapely.union_all([shapely.box(*frame) for frame in _frames(crs, domain)])
    shapely.prepare(frames)
    near = shapely.intersects(frames, shapes)
    cut = shapely.intersection(shapes[near], frames)
    moved = np.asarray(geopandas.GeoSeries(cut, crs=crs).to_crs(domain.crs.name).array)
    lost = ~np.isfinite(shapely.bounds(moved)).all(axis=1) & ~shapely.is_empty(moved)
    if lost.any():
        row = int(np.flatnonzero(near)[np.argmax(lost)])
        raise InputError(
            f"`within` must be polygons that the domain's CRS can express; feature {row} is none: "
            "cut it to the domain first."
        )
    # What was valid may cross itself by a rounding after it was moved.
    moved = np.where(shapely.is_valid(moved), moved, shapely.make_valid(moved))
    parts = shapely.get_parts(shapely.get_parts(moved))
    return parts[(shapely.get_type_id(parts) == 3) & ~shapely.is_empty(parts)]


def _frames(crs: Any, domain: Domain) -> list[tuple[float, float, float, float]]:
    """Rectangles in another CRS that hold the domain, with a margin; everything if none is sure."""
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    everything = [(-1e15, -1e15, 1e15, 1e15)]
    try:
        move = Transformer.from_crs(domain.crs.name, crs, always_xy=True)
        left, low, right, high = move.transform_bounds(*domain.bounds, densify_pts=99)
    except ProjError:
        return everything
    if not all(map(math.isfinite, (left, low, right, high))):
        return everything
    up = (high - low) * 0.02
    if left <= right:
        aside = (right - left) * 0.02
        return [(left - aside, low - up, right + aside, high + up)]
    # The domain lies across the line where degrees begin again.
    return [(left - 1, low - up, 180.0, high + up), (-180.0, low - up, right + 1, high + up)]


def _from_raster(path: str, domain: Domain) -> Support:
    import rasterio
    from rasterio.errors import RasterioError, RasterioIOError
    from rasterio.warp import Resampling, reproject

    try:
        with rasterio.open(path) as image:
            if image.crs is None:
                raise CrsError(
                    "the raster of `within` needs a CRS; it has none: set it with "
                    "gdal_edit.py -a_srs."
                )
            if image.count != 1:
                raise InputError(
                    f"the raster of `within` must have one band of weights; it has {image.count}: "
                    "take the band that is meant with gdal_translate -b."
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

    a, b, c, d, e, f = tuple(~image.transform)[:6]
    x, y = np.array([frame[i : i + 2] for frame in _frames(image.crs, domain) for i in (0, 2)]).T
    across, down = np.meshgrid(x, y)
    column, row = (
        np.clip(values, -1e9, 1e9)
        for values in (a * across + b * down + c, d * across + e * down + f)
    )
    x0, x1 = max(0, math.floor(column.min()) - 1), min(image.width, math.ceil(column.max()) + 1)
    y0, y1 = max(0, math.floor(row.min()) - 1), min(image.height, math.ceil(row.max()) + 1)
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
