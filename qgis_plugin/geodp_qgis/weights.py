# SPDX-License-Identifier: GPL-2.0-or-later
"""A public raster of weights that says where records can be, read by GDAL in blocks.

QGIS checks parameters several times before it runs: what was read last is kept.
"""

from pathlib import Path
from typing import NamedTuple

from qgis.core import QgsRasterLayer

from .adapters import crs_wkt, stop_if_cancelled
from .library import gdal, geodp, np, osr
from .translation import tr

BENT = 0.125
"""Pixels by which GDAL may be off when it moves a raster, as everywhere by default."""

CORNERS = 101
"""Corners along a side of the domain for its bounds in another CRS, as in the library."""


_last = {}
"""The support that was made last, by all that it was made from."""


class Weights(NamedTuple):
    """A raster as it was chosen: its name for GDAL, and its CRS as WKT."""

    source: str
    crs: str


def layer_weights(layer):
    """Take a layer of the project, or refuse it; no pixel is read."""
    if not isinstance(layer, QgsRasterLayer) or not layer.isValid():
        raise geodp.InputError(tr("The raster of weights cannot be opened."))
    if layer.dataProvider().name() != "gdal":
        raise geodp.InputError(
            tr("The raster of weights must be a file, not a service: save it as a GeoTIFF first.")
        )
    if not layer.crs().isValid():
        raise geodp.CrsError(
            tr("The raster of weights needs a CRS; this layer has none: set it first.")
        )
    source, _, _ = layer.dataProvider().dataSourceUri().partition("|option:")
    bands = _opened(source).RasterCount  # QGIS would count a mask as one
    if bands != 1:
        raise geodp.InputError(
            tr(
                "The raster of weights must have one band; this one has {}: save the one that is "
                "meant as a file of its own."
            ).format(bands)
        )
    return Weights(source, crs_wkt(layer.crs()))


def _opened(source):
    image = gdal.Open(source)
    if image is None:
        raise geodp.InputError(tr("The raster of weights cannot be opened."))
    return image


def weights_support(given, domain, crs, feedback):
    """Read where records can be from a raster: the same as the library makes of the file."""
    image = _opened(given.source)
    key = (given, domain.bounds, crs_wkt(crs), _state(image))
    support = _last.get(key)
    if support is None:
        support = _read(image, given, domain, crs_wkt(crs), feedback)
        _last.clear()
        _last[key] = support
    return support


def _state(image):
    """Return size and time of all files that GDAL reads for a raster."""
    paths = [Path(name) for name in image.GetFileList() or ()]
    stats = [path.stat() if path.is_file() else None for path in paths]
    return tuple((stat.st_size, stat.st_mtime_ns) if stat else None for stat in stats)


def _read(image, given, domain, crs, feedback):
    band = image.GetRasterBand(1)
    mask = band.GetMaskBand()

    def read(*window):
        stop_if_cancelled(feedback)
        values, known = band.ReadAsArray(*window), mask.ReadAsArray(*window)
        if values is None or known is None:
            raise geodp.FileError(tr("The raster of weights cannot be read to its end."))
        return np.where(known == 0, 0.0, values.astype(np.float64))

    def move(values, transform, grid):
        stop_if_cancelled(feedback)
        source, target = _in_memory(values, transform, given.crs), _target(grid, crs)
        average = gdal.GRA_Average
        if gdal.ReprojectImage(source, target, None, None, average, 0, BENT) != 0:
            raise geodp.InputError(
                tr(
                    "The raster of weights cannot be brought into the CRS of the grid: cut it to "
                    "the extent first."
                )
            )
        return target.ReadAsArray()

    c, a, b, f, d, e = image.GetGeoTransform()
    shape = (image.RasterYSize, image.RasterXSize)
    bounds = _bounds_in(given.crs, domain, crs)
    opened = geodp.WeightRaster(shape, (a, b, c, d, e, f), read, bounds)
    return geodp.raster_support(opened, domain, move)


def _in_memory(values, transform, crs):
    rows, columns = values.shape
    dataset = gdal.GetDriverByName("MEM").Create("", columns, rows, 1, gdal.GDT_Float64)
    a, b, c, d, e, f = transform
    dataset.SetGeoTransform((c, a, b, f, d, e))
    dataset.SetProjection(crs)
    dataset.GetRasterBand(1).WriteArray(values)
    return dataset


def _target(grid, crs):
    return _in_memory(np.zeros(grid.shape), grid.transform, crs)


def _bounds_in(crs, domain, here):
    """Return the domain's bounds in another CRS; None where it has none there."""
    systems = [osr.SpatialReference(), osr.SpatialReference()]
    for system, wkt in zip(systems, (here, crs)):
        system.ImportFromWkt(wkt)
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    try:
        transform = osr.CoordinateTransformation(*systems)
        return transform.TransformBounds(*domain.bounds, CORNERS)
    except (AttributeError, RuntimeError, TypeError):  # GDAL before 3.4, or no way between the two
        return None
