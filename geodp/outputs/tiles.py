"""Write cells as vector tiles for maps on the web: PMTiles or MBTiles, where GDAL writes them.

Tiles are for looking: a cell on the edge of a tile is in both, so that nothing may be summed over
them, and they do not open as a release again. The promise is in their description.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ..core.common.atomic import check_target, known_suffix, scratch, whole_file
from ..core.common.errors import FileError
from ..core.common.types import PathLike
from ..core.releases.published import Published
from ..core.space.domain import Domain

_DRIVERS = {".pmtiles": "PMTiles", ".mbtiles": "MBTiles"}
TILES = tuple(_DRIVERS)

_AROUND = 40_075_016.7
"""Metres around the equator, the side of the one tile of zoom 0."""

ACROSS = 32
"""Tiles across the domain at the largest zoom; each has 4,096 steps of its own."""

_MOST_ZOOM = 14


def to_tiles(release: Published, path: PathLike, *, overwrite: bool = False) -> None:
    """Write cells as vector tiles. See :meth:`geodp.Release.to_tiles`."""
    target = Path(path)
    known_suffix(target, TILES)
    check_target(target, overwrite=overwrite)
    _check_driver(target)
    options = {
        "NAME": release.about.title or "geodp",
        "DESCRIPTION": f"{release.promise} {release.counted}",
        "MINZOOM": "0",
        "MAXZOOM": str(largest_zoom(release.domain)),
        # Cells that are left out would look like cells without records.
        "MAX_SIZE": str(1 << 26),
        "MAX_FEATURES": str(1 << 24),
    }
    with whole_file(target) as built:
        _write(release.to_geodataframe(), built, options)


def try_tiles(path: Path, domain: Domain) -> None:
    """Write one tile under a name and throw it away, to see that it can be done.

    Parameters
    ----------
    path : Path
        Where a release shall be written.
    domain : Domain
        Its rectangle, which may lie where maps on the web end.
    """
    import geopandas
    import shapely

    _check_driver(path)
    box = geopandas.GeoDataFrame(
        {"count": [0.0]}, geometry=[shapely.box(*domain.bounds)], crs=domain.crs.name
    )
    with scratch(path) as folder:
        try:
            _write(box, folder / path.name, {"MINZOOM": "0", "MAXZOOM": "0"})
        except OSError:
            raise FileError(
                f"tiles are of Web Mercator, which ends at 85° north and south; {path} cannot be "
                "written for this extent or under this name: choose another, or GeoPackage."
            ) from None


def _write(cells: Any, built: Path, options: dict[str, str]) -> None:
    import pyogrio

    driver = _DRIVERS[built.suffix.lower()]
    try:
        pyogrio.write_dataframe(
            cells.to_crs(3857), built, driver=driver, layer="counts", dataset_options=options
        )
        complete = built.is_file() and pyogrio.read_info(built)["features"] >= len(cells)
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, RuntimeError):
        complete = False  # GDAL's own words name the folder in which the file was being built
    if not complete:
        raise OSError


def _check_driver(path: Path) -> None:
    """Refuse tiles where the GDAL at hand cannot write them."""
    import pyogrio

    driver = _DRIVERS[path.suffix.lower()]
    if "w" not in pyogrio.list_drivers().get(driver, ""):
        raise FileError(
            f"{path.suffix} is written by GDAL's driver {driver}; the GDAL of this pyogrio has "
            "none: install another, or write GeoPackage."
        )


def largest_zoom(domain: Domain) -> int:
    """Return the zoom at which some 32 tiles lie across a domain.

    Examples
    --------
    >>> largest_zoom(Domain((0, 0, 4_000_000, 3_000_000), crs="EPSG:5070"))
    8
    """
    width = max(domain.width, domain.height) * domain.crs.metres_per_unit
    return max(0, min(_MOST_ZOOM, math.floor(math.log2(ACROSS * _AROUND / width))))
