"""What a raster of a release shows of each cell, whichever program writes it.

Cells of a tree are drawn in pixels of the smallest that occurs. Each pixel has an equal part of its
cell's estimate, so that sums over any block of pixels are right, and two more bands have the
standard error of the noise in the whole cell and the cell's depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .cells import narrowest
from .release import Release
from .reopen import raster_rows

Values = npt.NDArray[Any]

VIEWS = {
    "counts": ("noisy count of records per cell", "records"),
    "density": ("noisy records per square kilometre, derived from a geodp release", "records/km²"),
    "clamped": ("noisy count, negative ones set to 0, derived from a geodp release", "records"),
}
"""Band description and unit of each view of the counts."""


class Band(NamedTuple):
    """One band of a raster.

    Attributes
    ----------
    values : ndarray
        What the pixels of each cell show, in the order of the cells.
    description, unit : str
        What that is.
    """

    values: Values
    description: str
    unit: str


def bands_of(release: Release, view: str = "counts") -> tuple[Band, ...]:
    """Return the bands of a view: of the counts themselves all that their cells have.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release(([], []), town, epsilon=1, cells="adaptive")
    >>> [band.unit for band in bands_of(made)]
    ['records', 'records', '']
    """
    what, unit = VIEWS[view]
    first = [
        Band(_SHOWN[view](one).ravel(), f"{name}: {what}" if name else what, unit)
        for name, one in release.each.items()
    ]
    if view != "counts":
        return tuple(first)
    one = next(iter(release.each.values()))  # what stands beside the counts is alike in all layers
    return (*first, *(_MORE[name](one) for name in release.cells.bands[1:]))


def type_of(bands: tuple[Band, ...]) -> str:
    """Return the type of number that all bands of a file share."""
    kinds = [band.values.dtype for band in bands]
    return np.result_type(*kinds).name if kinds[0].kind == "i" else "float64"


_SHOWN: dict[str, Callable[[Release], Values]] = {
    "counts": lambda release: _per_pixel(release, _narrowed(release.counts)),
    "clamped": lambda release: _per_pixel(release, _narrowed(np.maximum(release.counts, 0))),
    "density": lambda release: release.counts / release.cells.areas(),
}
"""What each view shows of a cell."""

_MORE: dict[str, Callable[[Release], Band]] = {
    "std_error": lambda release: Band(
        np.sqrt(release.variance), "standard error of the noise in the whole cell", "records"
    ),
    "depth": lambda release: Band(
        release.cells.fields()["depth"], "how often the cell was halved", ""
    ),
}
"""Bands beside the counts."""


def _per_pixel(release: Release, values: Values) -> Values:
    """What a pixel shows of its cell's count: all of it on a grid, an equal part elsewhere."""
    if release.cells.raster.cells == len(release.cells):
        return values
    pixels = np.zeros(len(release.cells), dtype=np.int64)
    for rows in raster_rows(release.cells.raster):
        pixels += np.bincount(release.cells.pixels(rows).ravel(), minlength=len(pixels))
    return values / pixels


def _narrowed(counts: Values) -> Values:
    """Whole numbers in 32 bits where they fit; estimates as they are."""
    return narrowest(counts) if counts.dtype.kind == "i" else counts
