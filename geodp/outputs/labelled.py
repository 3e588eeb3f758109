"""Make labelled arrays of a release for xarray, in the form that rioxarray and GDAL know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import GeodpError
from ..core.publish.bands import Band, release_image, shown
from ..core.publish.columns import band_names
from ..core.publish.reopen import raster_rows
from ..core.publish.views import VIEWS
from ..core.releases.published import Published
from ..core.space.grid import Grid

if TYPE_CHECKING:
    import xarray


def to_xarray(release: Published, resolution: float | None = None) -> xarray.Dataset:
    """Return the bands of a release over its pixels. See :meth:`geodp.Release.to_xarray`."""
    try:
        import xarray
    except ImportError:
        raise GeodpError(
            "labelled arrays need the package xarray, which is not installed: "
            "install it with the extra geodp[xarray]."
        ) from None
    image = release_image(release, resolution=resolution, with_drawn=False)
    kind, exact = np.dtype(image.kind), release.domain.within is None
    if not exact and kind.kind == "i":
        kind = np.dtype("float64")  # where no records can be there is no number, as floats can say

    def band_type(band: Band) -> Any:
        return band.values.dtype if exact and band.values.dtype.kind == "i" else kind

    drawn = [np.empty(image.grid.shape, band_type(band)) for band in image.bands]
    for rows in raster_rows(image.grid):
        pixel, weights = image.cells.pixels(rows), image.cells.pixel_weights(rows)
        for band, pixels in zip(image.bands, drawn):
            pixels[rows.start : rows.stop] = shown(band, pixel, weights, pixels.dtype.name)
    places = [0, *range(len(release.maps), len(drawn))]  # one group, and shared bands
    bands: dict[str, Any] = {}
    for name, place in zip(band_names(release.cells), places):
        about = {
            "long_name": image.bands[place].description,
            "units": image.bands[place].unit,
            "grid_mapping": "spatial_ref",
        }
        bands[name] = (("y", "x"), drawn[place], about)
    coordinates = _coordinates(image.grid)
    if release.groups:
        _, _, about = bands["count"]
        about["long_name"] = VIEWS["counts"].what
        bands["count"] = (("group", "y", "x"), np.stack(drawn[: len(release.maps)]), about)
        coordinates["group"] = list(release.groups)
    promise = {"promise": release.promise, "counted": release.counted}
    return xarray.Dataset(bands, coords=coordinates, attrs=promise)


def _coordinates(grid: Grid) -> dict[str, Any]:
    """Return centres of the pixels, and the CRS as the CF conventions have it."""
    import pyproj

    width, _, left, _, drop, top = grid.transform
    rows, columns = grid.shape
    transform = f"{left} {width} 0.0 {top} 0.0 {drop}"
    crs = pyproj.CRS.from_user_input(grid.domain.crs.name)
    axes = {axis.get("axis"): axis for axis in crs.cs_to_cf()}
    mapping = {**crs.to_cf(), "crs_wkt": crs.to_wkt(), "GeoTransform": transform}
    return {
        "y": ("y", top + (np.arange(rows) + 0.5) * drop, axes.get("Y", {})),
        "x": ("x", left + (np.arange(columns) + 0.5) * width, axes.get("X", {})),
        "spatial_ref": ((), 0, mapping),
    }
