"""Releases as GeoTIFF: the counts, which open as a release again, and views derived from them.

Files are built from the release alone. The points cannot be reached from here, so no statistics,
source path or number of features of theirs can slip in.

Cells of a tree are drawn in pixels of the smallest that occurs. Each pixel has an equal part of its
cell's estimate, so that sums over any block of pixels are right, and two more bands have the
standard error of the noise in the whole cell and the cell's depth.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.atomic import check_target, known_suffix, write_bytes
from ..core.cells import narrowest
from ..core.errors import InputError
from ..core.metadata import derived_tags, tags_of
from ..core.release import PathLike, Release
from ..core.reopen import raster_rows

RASTERS = (".tif", ".tiff")

VIEWS = {
    "counts": ("noisy count of records per cell", "records"),
    "density": ("noisy records per square kilometre, derived from a geodp release", "records/km²"),
    "clamped": ("noisy count, negative ones set to 0, derived from a geodp release", "records"),
}
"""Band description and unit of each view of the counts."""

_BANDS = {
    "std_error": ("standard error of the noise in the whole cell", "records"),
    "depth": ("how often the cell was halved", ""),
}
"""Description and unit of the bands beside the counts."""

Band = npt.NDArray[Any]


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
    shown = [_SHOWN[view](release)]
    words, tags = [VIEWS[view]], tags_of(release)
    if view == "counts":
        shown += [np.asarray(_EXTRA[name](release)) for name in release.cells.bands[1:]]
        words += [_BANDS[name] for name in release.cells.bands[1:]]
    else:
        tags = derived_tags(release, VIEWS[view][0])
    check_target(target, overwrite=overwrite)
    write_bytes(target, _cog(release, shown, words, tags))


def _per_pixel(release: Release, values: Band) -> Band:
    """What a pixel shows of its cell's count: all of it on a grid, an equal part elsewhere."""
    if release.cells.raster.cells == len(release.cells):
        return values
    pixels = np.zeros(len(release.cells), dtype=np.int64)
    for rows in raster_rows(release.cells.raster):
        pixels += np.bincount(release.cells.pixels(rows).ravel(), minlength=len(pixels))
    return values / pixels


_SHOWN: dict[str, Callable[[Release], Band]] = {
    "counts": lambda release: _per_pixel(release, narrowed(release.counts)),
    "clamped": lambda release: _per_pixel(release, narrowed(np.maximum(release.counts, 0))),
    "density": lambda release: release.counts / release.cells.areas(),
}
"""What each view shows of a cell."""

_EXTRA: dict[str, Callable[[Release], Band]] = {
    "std_error": lambda release: np.sqrt(release.variance),
    "depth": lambda release: release.cells.fields()["depth"],
}


def narrowed(counts: Band) -> Band:
    """Whole numbers in 32 bits where they fit; estimates as they are."""
    return narrowest(counts) if counts.dtype.kind == "i" else counts


def _cog(
    release: Release, bands: list[Band], words: list[tuple[str, str]], tags: dict[str, str]
) -> bytes:
    """Bytes of a Cloud-Optimized GeoTIFF, made in memory so that a full disk cannot spoil it."""
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.shutil import copy
    from rasterio.windows import Window

    cells, grid = release.cells, release.cells.raster
    kind = bands[0].dtype.name if len(bands) == 1 else "float64"
    with MemoryFile() as plain, MemoryFile(ext=".tif") as cloud:
        with plain.open(
            driver="GTiff",
            height=grid.shape[0],
            width=grid.shape[1],
            count=len(bands),
            dtype=kind,
            crs=grid.domain.crs.name,
            transform=rasterio.Affine(*grid.transform),
            **_layout(grid.cells),
        ) as image:
            for rows in raster_rows(grid):
                pixel = cells.pixels(rows)
                window = Window(0, rows.start, grid.shape[1], len(rows))
                for number, values in enumerate(bands, start=1):
                    image.write(values.ravel()[pixel].astype(kind), number, window=window)
            image.update_tags(AREA_OR_POINT="Area", **tags)
            for number, (description, _) in enumerate(words, start=1):
                image.set_band_description(number, description)
            image.units = tuple(unit for _, unit in words)
        with plain.open() as image:
            copy(image, cloud.name, driver="COG", compress="DEFLATE", overviews="NONE")
        return bytes(cloud.read())


def _layout(pixels: int) -> dict[str, Any]:
    """Large rasters are compressed at once: most of their pixels are like their neighbours."""
    if pixels < 1 << 22:
        return {}
    return {"tiled": True, "blockxsize": 512, "blockysize": 512, "compress": "DEFLATE", "zlevel": 1}
