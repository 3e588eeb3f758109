"""Write releases as GeoTIFF: counts, which open as a release again, and views derived from them.

Files are built from the release alone. The points cannot be reached from here, so no statistics,
source path or number of features of theirs can slip in. What the bands hold is decided in
:mod:`geodp.core.publish.bands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.common.atomic import check_target, known_suffix, scratch, whole_file
from ..core.common.errors import FileError, InputError
from ..core.common.types import PathLike
from ..core.publish.bands import Image, release_image
from ..core.publish.metadata import view_tags
from ..core.publish.qgis_files import beside_raster, files_beside
from ..core.publish.reopen import has_room
from ..core.publish.views import VIEWS
from ..core.releases.published import Published

RASTERS = (".tif", ".tiff")

_CACHE_BYTES = 1 << 25


def to_geotiff(
    release: Published,
    path: PathLike,
    *,
    view: str = "counts",
    resolution: float | None = None,
    overwrite: bool = False,
) -> None:
    """Write a Cloud-Optimized GeoTIFF. See :meth:`geodp.Release.to_geotiff`.

    There are no overviews: they would average or pick counts, and a reader of a smaller image
    would then see sums that are not there.
    """
    target = Path(path)
    known_suffix(target, RASTERS)
    if view not in VIEWS:
        raise InputError(f"view must be one of {', '.join(map(repr, VIEWS))}; got {view!r}.")
    image = release_image(release, view, resolution)
    check_target(target, overwrite=overwrite, beside=beside_raster(release.groups))
    data = cog(image, view_tags(release, view))
    grid = release.cells.grid
    if grid is not None and not has_room(grid.cells * len(release.maps), len(data)):
        # With hardly any noise the file packs so well that `has_room` would refuse to open it.
        data = cog(image, view_tags(release, view), compress="NONE")
    with whole_file(target) as built:
        built.write_bytes(data)
        for suffix, text in files_beside(release, target.name, view, image.grid.cells).items():
            built.with_suffix(suffix).write_text(text, encoding="utf-8")


def try_geotiff(path: Path, groups: Sequence[str] = ()) -> None:
    """Write one pixel under a name and throw it away, to see that it can be written and opened.

    Parameters
    ----------
    path : Path
        Where a release shall be written.
    groups : sequence of str
        Names of its groups.
    """
    import rasterio
    from rasterio.io import MemoryFile

    with MemoryFile() as memory:
        lies = rasterio.Affine(1, 0, 0, 0, -1, 1)
        one = {"height": 1, "width": 1, "count": 1, "dtype": "int32", "transform": lies}
        with memory.open(driver="GTiff", **one):
            pass
        data = bytes(memory.read())
    with scratch(path) as folder:
        built = folder / path.name
        built.write_bytes(data)
        for end in beside_raster(groups):
            built.with_suffix(end).touch()
        try:
            with rasterio.open(built, driver="GTiff"):
                pass
        except rasterio.errors.RasterioError:
            raise FileError(
                f"an output must have a name that its format takes; {path} cannot be opened as a "
                "GeoTIFF: choose a plain name and folder, without marks such as ! and ;."
            ) from None


def cog(raster: Image, tags: dict[str, str], compress: str = "DEFLATE") -> bytes:
    """Return a Cloud-Optimized GeoTIFF, made in memory so that a full disk cannot spoil it."""
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.shutil import copy
    from rasterio.windows import Window

    grid = raster.grid
    # By itself GDAL keeps pixels in a twentieth of all memory.
    room = rasterio.Env(GDAL_CACHEMAX=_CACHE_BYTES)
    with room, MemoryFile() as plain, MemoryFile(ext=".tif") as cloud:
        with plain.open(
            driver="GTiff",
            height=grid.shape[0],
            width=grid.shape[1],
            count=len(raster.bands),
            dtype=raster.kind,
            crs=grid.domain.crs.name,
            transform=rasterio.Affine(*grid.transform),
            nodata=raster.no_data,
            **_layout(grid.cells),
        ) as image:
            for rows, pixels in raster.blocks():
                window = Window(0, rows.start, grid.shape[1], len(rows))
                for number, values in enumerate(pixels, start=1):
                    image.write(values, number, window=window)
            image.update_tags(AREA_OR_POINT="Area", **tags)
            for number, band in enumerate(raster.bands, start=1):
                image.set_band_description(number, band.description)
            image.units = tuple(band.unit for band in raster.bands)
        with plain.open() as image:
            # Pixels of one cell are alike, and pack well at the lowest level.
            packing = {"level": 1} if raster.cells.grid is None and compress != "NONE" else {}
            # A reader takes memory for whole tiles of all bands: those of small rasters are small.
            tile = next((size for size in (128, 256) if max(grid.shape) <= size), 512)
            options = {"compress": compress, "overviews": "NONE", "blocksize": tile, **packing}
            copy(image, cloud.name, driver="COG", **options)
        return bytes(cloud.read())


def _layout(pixels: int) -> dict[str, Any]:
    """Choose the layout: large rasters are compressed at once, as most pixels are alike.

    One band after the other, since that is how they are written.
    """
    if pixels < 1 << 22:
        return {}
    tiles = {"tiled": True, "blockxsize": 512, "blockysize": 256, "interleave": "band"}
    return {**tiles, "compress": "DEFLATE", "zlevel": 1}
