"""What a raster of a release shows of each cell, whichever program writes it.

Cells of a tree are drawn in pixels of the smallest that occurs. Each pixel has an equal part of its
cell's estimate, or a part by where records can be, so that sums over any block of pixels are right,
and two more bands have the standard error of the noise in the whole cell and the cell's depth.
Pixels where no records can be have no data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..regions.cells import HasCells, raster_of
from ..releases.release import Published, Release
from ..space.cells import narrowest, no_data
from .columns import band_names
from .reopen import raster_rows
from .views import VIEWS

BandValues = npt.NDArray[Any]


class Band(NamedTuple):
    """One band of a raster.

    Attributes
    ----------
    values : ndarray
        What the pixels of each measured cell show, in the order of the cells.
    description, unit : str
        What that is.
    is_spread : bool
        Whether the pixels of a cell share its value by weight.
    """

    values: BandValues
    description: str
    unit: str
    is_spread: bool = False


def bands_of(release: Published, view: str = "counts") -> tuple[Band, ...]:
    """Return the bands of a view: of the counts themselves all that their cells have.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release(([], []), town, epsilon=1, cells="adaptive")
    >>> [band.unit for band in bands_of(made)]
    ['records', 'records', '']
    """
    what, unit, _ = VIEWS[view]
    first = [
        Band(_SHOWN[view](one), f"{name}: {what}" if name else what, unit, view != "density")
        for name, one in release.maps.items()
    ]
    if view != "counts":
        return tuple(first)
    return (*first, *(_MORE[name](release.first) for name in band_names(release.cells)[1:]))


def type_of(bands: tuple[Band, ...]) -> str:
    """Return the type of number that all bands of a file share."""
    kinds = [band.values.dtype for band in bands]
    return np.result_type(*kinds).name if kinds[0].kind == "i" else "float64"


def blocks_of(
    release: HasCells, bands: tuple[Band, ...]
) -> Iterator[tuple[range, tuple[BandValues, ...]]]:
    """Yield some rows of the raster at a time, with the pixels of all bands."""
    kind = type_of(bands)
    for rows in raster_rows(raster_of(release.cells)):
        pixel, weights = release.cells.pixels(rows), release.cells.pixel_weights(rows)
        yield rows, tuple(shown(band, pixel, weights, kind) for band in bands)


def shown(band: Band, pixel: Ints, weights: Floats | None, kind: str) -> BandValues:
    """Return what pixels show of their cells, and no data where no records can be.

    Parameters
    ----------
    band : Band
        Values of the cells.
    pixel, weights : ndarray
        From :meth:`~geodp.core.regions.cells.Cells.pixels` and its ``pixel_weights``.
    kind : str
        Type of number.
    """
    values = band.values[pixel]
    if weights is not None and band.is_spread:
        values = values * weights
    values = values.astype(kind)
    values[pixel < 0] = no_data(kind)
    return np.asarray(values)


def no_data_of(release: HasCells, kind: str) -> float | None:
    """Return what a raster shows where no records can be, or None where they can be anywhere."""
    return None if release.domain.within is None else no_data(kind)


_SHOWN: dict[str, Callable[[Release], BandValues]] = {
    "counts": lambda release: per_pixel(release, _narrowed(release.counts)),
    "clamped": lambda release: per_pixel(release, _narrowed(np.maximum(release.counts, 0))),
    "density": lambda release: release.counts / release.cells.areas(),
}
"""What each view shows of a cell."""

_MORE: dict[str, Callable[[Release], Band]] = {
    "std_error": lambda release: Band(
        np.sqrt(release.variance),
        "standard error of the noise in the whole cell",
        "records",
    ),
    "depth": lambda release: Band(
        release.cells.attributes()["depth"], "how often the cell was halved", ""
    ),
}
"""Bands beside the counts."""


def per_pixel(release: HasCells, values: BandValues) -> BandValues:
    """What a pixel of weight 1 shows of its cell's count: all of it on a grid, else a part."""
    if release.cells.grid is not None:
        return values
    total = np.zeros(len(release.cells))
    for rows in raster_rows(raster_of(release.cells)):
        pixel, weights = release.cells.pixels(rows), release.cells.pixel_weights(rows)
        there = pixel >= 0
        total += np.bincount(
            pixel[there], None if weights is None else weights[there], minlength=len(total)
        )
    return values / total


def _narrowed(counts: BandValues) -> BandValues:
    """Whole numbers in 32 bits where they fit; estimates as they are."""
    return narrowest(counts) if counts.dtype.kind == "i" else counts
