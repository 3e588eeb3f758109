"""Read public layers that say where records can be: polygons, or a raster of weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ..core.common.errors import CrsError, FileError, InputError
from ..core.common.types import Bounds, Floats
from ..core.regions.coverage import polygon_support
from ..core.regions.weights import Affine, WeightRaster, raster_support
from ..core.space.domain import Domain
from ..core.space.grid import Grid
from ..core.space.support import Support
from .layers import located, read_layer
from .opening import without_secrets
from .regions import read_regions

_RASTERS = (".tif", ".tiff", ".vrt", ".img", ".asc", ".jp2")


def read_within(within: Any, domain: Domain) -> Support:
    """Read weights on the domain's pixels, from polygons or a raster.

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
    regions = read_regions(layer, domain, rule="`within` must be valid polygons; feature {}")
    return polygon_support(regions.polygons, domain)


def _from_raster(path: str, domain: Domain) -> Support:
    import rasterio
    from rasterio.errors import RasterioError, RasterioIOError
    from rasterio.warp import Resampling, reproject
    from rasterio.windows import Window

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

            def read(*window: int) -> Floats:
                values = image.read(1, window=Window(*window), masked=True)
                return np.asarray(values.astype(np.float64).filled(0.0))

            def move(weights: Floats, transform: Affine, grid: Grid) -> Floats:
                moved = np.zeros(grid.shape)
                reproject(
                    weights,
                    moved,
                    src_transform=rasterio.Affine(*transform),
                    src_crs=image.crs,
                    dst_transform=rasterio.Affine(*grid.transform),
                    dst_crs=domain.crs.name,
                    resampling=Resampling.average,
                )
                return moved

            bounds = _bounds_in(image.crs.to_wkt(), domain)
            opened = WeightRaster(image.shape, tuple(image.transform)[:6], read, bounds)
            return raster_support(opened, domain, move)
    except RasterioIOError:
        raise FileError(
            f"`within` must be a raster that GDAL reads; {without_secrets(path)} is not."
        ) from None
    except RasterioError:
        raise _unmoved() from None


def _unmoved() -> InputError:
    return InputError(
        "the raster of `within` cannot be brought into the domain's CRS: cut it to the domain "
        "first."
    )


def _bounds_in(crs: str, domain: Domain) -> Bounds | None:
    """Move the domain's bounds to another CRS; None where it has none there."""
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    try:
        transformer = Transformer.from_crs(domain.crs.name, crs, always_xy=True)
    except ProjError:
        raise _unmoved() from None  # the raster is of another planet, for example
    try:
        west, south, east, north = transformer.transform_bounds(*domain.bounds, densify_pts=101)
    except ProjError:
        return None
    return west, south, east, north
