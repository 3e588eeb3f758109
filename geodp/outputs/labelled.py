"""A release as labelled arrays for xarray, in the form that rioxarray and GDAL know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.errors import GeodpError
from ..core.publish.bands import Band, bands_of, shown
from ..core.publish.columns import band_names
from ..core.publish.views import VIEWS
from ..core.regions.cells import raster_of
from ..core.releases.release import Published

if TYPE_CHECKING:
    import xarray


def to_xarray(release: Published) -> xarray.Dataset:
    """Return the bands of a release over its pixels. See :meth:`geodp.Release.to_xarray`."""
    try:
        import xarray
    except ImportError:
        raise GeodpError(
            "labelled arrays need the package xarray, which is not installed: "
            "install it with the extra geodp[xarray]."
        ) from None
    grid = raster_of(release.cells)
    rows = range(grid.shape[0])
    pixel, weights = release.cells.pixels(rows), release.cells.pixel_weights(rows)
    # Where no records can be there is no number, and only floats can say so.
    wanted = None if release.domain.within is None else "float64"

    def drawn(band: Band) -> Any:
        return shown(band, pixel, weights, wanted or band.values.dtype.name)

    found = bands_of(release)
    count, others = found[: len(release.maps)], found[len(release.maps) :]
    bands: dict[str, Any] = {
        name: (("y", "x"), drawn(band), {"long_name": band.description, "units": band.unit})
        for name, band in zip(band_names(release.cells), (count[0], *others))
    }
    coordinates = _coordinates(release)
    if release.groups:
        _, _, about = bands["count"]
        about["long_name"] = VIEWS["counts"].what
        bands["count"] = (("group", "y", "x"), np.stack([drawn(band) for band in count]), about)
        coordinates["group"] = list(release.groups)
    told = {"promise": release.promise, "counted": release.counted}
    return xarray.Dataset(bands, coords=coordinates, attrs=told)


def _coordinates(release: Published) -> dict[str, Any]:
    """Centres of the pixels, and the CRS as the CF conventions have it."""
    import pyproj

    grid = raster_of(release.cells)
    width, _, left, _, drop, top = grid.transform
    rows, columns = grid.shape
    transform = f"{left} {width} 0.0 {top} 0.0 {drop}"
    wkt = pyproj.CRS.from_user_input(grid.domain.crs.name).to_wkt()
    return {
        "y": top + (np.arange(rows) + 0.5) * drop,
        "x": left + (np.arange(columns) + 0.5) * width,
        "spatial_ref": ((), 0, {"crs_wkt": wkt, "GeoTransform": transform}),
    }
