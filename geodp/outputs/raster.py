"""Releases as GeoTIFF: the counts, which open as a release again, and views derived from them.

Files are built from the release alone. The points cannot be reached from here, so no statistics,
source path or number of features of theirs can slip in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.atomic import check_target, known_suffix, write_bytes
from ..core.cells import cell_areas, narrowest
from ..core.errors import InputError
from ..core.grid import Grid
from ..core.metadata import derived_tags, tags_of
from ..core.release import PathLike, Release

RASTERS = (".tif", ".tiff")

VIEWS = {
    "counts": ("noisy count of records per cell", "records"),
    "density": ("noisy records per square kilometre, derived from a geodp release", "records/km²"),
    "clamped": ("noisy count, negative ones set to 0, derived from a geodp release", "records"),
}
"""Band description and unit of each view of the counts."""


def to_geotiff(
    release: Release, path: PathLike, *, view: str = "counts", overwrite: bool = False
) -> None:
    """Write a Cloud-Optimized GeoTIFF. See :meth:`geodp.Release.to_geotiff`.

    There are no overviews: they would average or pick counts, and a reader of a smaller image
    would then see sums that are not there.
    """
    target = Path(path)
    known_suffix(target, RASTERS)
    if view not in VIEWS:
        raise InputError(f"view must be one of {', '.join(map(repr, VIEWS))}; got {view!r}.")
    band, tags = _view(release, view)
    check_target(target, overwrite=overwrite)
    data = _cog(release.grid, band, tags, *VIEWS[view])
    write_bytes(target, data)


def _view(release: Release, view: str) -> tuple[npt.NDArray[Any], dict[str, str]]:
    """Band and tags of a view. Only the counts themselves can be a release again."""
    counts, grid = release.counts, release.grid
    if view == "counts":
        return narrowest(counts), tags_of(release)
    if view == "clamped":
        return narrowest(np.maximum(counts, 0)), derived_tags(release, VIEWS[view][0])
    return counts / cell_areas(grid), derived_tags(release, VIEWS[view][0])


def _cog(
    grid: Grid, band: npt.NDArray[Any], tags: dict[str, str], description: str, unit: str
) -> bytes:
    """Bytes of a Cloud-Optimized GeoTIFF, made in memory so that a full disk cannot spoil it."""
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.shutil import copy

    with MemoryFile() as plain, MemoryFile(ext=".tif") as cloud:
        with plain.open(
            driver="GTiff",
            height=grid.shape[0],
            width=grid.shape[1],
            count=1,
            dtype=band.dtype.name,
            crs=grid.domain.crs.name,
            transform=rasterio.Affine(*grid.transform),
        ) as image:
            image.write(band, 1)
            image.update_tags(AREA_OR_POINT="Area", **tags)
            image.set_band_description(1, description)
            image.units = (unit,)
        with plain.open() as image:
            copy(image, cloud.name, driver="COG", compress="DEFLATE", overviews="NONE")
        return bytes(cloud.read())
