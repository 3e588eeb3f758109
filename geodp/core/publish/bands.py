"""Make the bands of a raster: what it shows of each cell, whichever program writes it.

Cells of a tree are drawn in pixels of one size (see :mod:`~geodp.core.views.raster_cells`). Each
pixel has an equal part of its cell's estimate, or a part by where records can be, so that sums over
any block of pixels are right, and two more bands have the standard error of the noise in the whole
cell and the cell's depth. Pixels where no records can be have no data.

Next come what a picture draws, one band for each group, and for cells of a tree what a program that
is asked about one pixel shall say: the count of the whole cell, of each group, and half of its
interval. All bands of a file have one type of number. Whole numbers are kept as they are: as floats
of 32 bits up to 16 million, of 64 beyond. Estimates are floats of 32 bits, which keep every pixel
to one part in 16 million, unless that could move a cell by a thousandth of its standard error: then
they have 64. A grid of more cells than a picture shows has no band of what is drawn, and whole
numbers in it are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells, raster_for
from ..cells.grid_cells import GridCells
from ..common.types import Floats, Ints
from ..releases.published import Published
from ..releases.release import Release
from ..space.cells import narrowest, no_data
from ..space.grid import Grid
from ..views.picture import drawn_density
from ..views.raster_cells import half_widths, raster_cells, values_on
from ..views.smooth import smoothed
from .columns import band_names
from .reopen import raster_rows
from .views import VIEWS

BandValues = npt.NDArray[Any]

_ROUNDING = 2.0**-24
"""By what part numbers of 32 bits round a value, at most."""

_UNSEEN = 2.0**-10
"""Part of a standard error that rounding may cost."""

_MOST_DRAWN = 1 << 21
"""Cells of a grid that has a band of what is drawn, at most."""

_MOST_ASKED = 24
"""Groups of a raster that says how many there are in the whole cell; of more it would be large."""

_WHOLE = {"float32": 1 << 24, "float64": 1 << 53}
"""Up to where floats hold every whole number."""


class Band(NamedTuple):
    """One band of a raster.

    Attributes
    ----------
    values : ndarray
        What the pixels of each cell show, in the order of the cells.
    description, unit : str
        What that is.
    is_spread : bool
        Whether the pixels of a cell share its value by weight.
    """

    values: BandValues
    description: str
    unit: str
    is_spread: bool = False


class Image(NamedTuple):
    """A raster to be written.

    Attributes
    ----------
    cells : Cells
        The cells that its pixels show.
    bands : tuple of Band
        What they show of them.
    kind : str
        Type of number that all bands of a file share.
    """

    cells: Cells
    bands: tuple[Band, ...]
    kind: str

    @property
    def grid(self) -> Grid:
        """Return the pixels."""
        return raster_for(self.cells)

    @property
    def no_data(self) -> float | None:
        """Return what pixels show where no records can be; None where they can be anywhere."""
        return None if self.cells.domain.within is None else no_data(self.kind)

    def blocks(self) -> Iterator[tuple[range, Iterator[BandValues]]]:
        """Yield some rows of the raster at a time, with the pixels of each band in turn."""
        for rows in raster_rows(self.grid):
            pixel, weights = self.cells.pixels(rows), self.cells.pixel_weights(rows)
            yield rows, (shown(band, pixel, weights, self.kind) for band in self.bands)


def release_image(
    release: Published,
    view: str = "counts",
    resolution: float | None = None,
    *,
    with_drawn: bool = True,
) -> Image:
    """Return the raster of a view: of the counts themselves all bands that their cells have.

    Parameters
    ----------
    release : Release
        What was published.
    view : str
        What to show of it: one of :data:`~geodp.core.publish.views.VIEWS`.
    resolution : float, optional
        Longest side of a pixel, for finer ones than by default.
    with_drawn : bool
        Whether counts have bands of what a picture draws, and of cells as a whole, beside them.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells="adaptive")
    >>> [band.unit for band in release_image(release).bands]
    ['records', 'records', '', 'records/km²', 'records', 'records']
    """
    raster_for(release.cells)
    if view == "smooth":
        return _smooth_image(release, resolution)
    cells = raster_cells(release.cells, resolution)
    what, unit = _view_words(release, view)
    part = "" if cells.grid is not None or view == "density" else _PART
    first = []
    for name, one in release.maps.items():
        values = _SHOWN[view](values_on(one, cells)[0], cells)
        first.append(
            Band(values, f"{name}: {what}{part}" if name else what + part, unit, view != "density")
        )
    more = band_names(release.cells)[1:] if view == "counts" else ()
    bands = [*first, *(_MORE[name](release.first, cells) for name in more)]
    kind = number_type(release, cells, bands)
    if view == "counts" and with_drawn and has_drawn_band(release):
        bands += [_drawn(name, one, cells) for name, one in release.maps.items()]
        if np.dtype(kind).kind == "i":
            kind = _smallest_float(_largest(release))
    if view == "counts" and with_drawn and has_cell_bands(release):
        bands += _cell_bands(release, cells)
    return Image(cells, tuple(bands), kind)


def _view_words(release: Published, view: str) -> tuple[str, str]:
    """Return description and unit of a view, of what was counted: records, people or visitors."""
    shown = VIEWS[view]
    things = release.method.quantity.things
    return shown.what.replace("records", things), shown.unit.replace("records", things)


def has_drawn_band(release: Published) -> bool:
    """Tell whether a raster of counts has bands of what a picture draws.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> grids = [geodp.Regular(sizes=[2]), geodp.Regular(sizes=[2000])]
    >>> each = [geodp.release(([], []), town, epsilon=1, cells=grid) for grid in grids]
    >>> [has_drawn_band(release) for release in each]
    [True, False]
    """
    grid = release.cells.grid
    if grid is None:
        return True
    return grid.cells <= _MOST_DRAWN and _largest(release) <= _WHOLE["float64"]


def has_cell_bands(release: Published) -> bool:
    """Tell whether a raster has bands for the count of the whole cell of a pixel."""
    return release.cells.grid is None and len(release.maps) <= _MOST_ASKED


def _cell_bands(release: Published, cells: Cells) -> list[Band]:
    """Return the count of the whole cell, group by group, and half of the interval of these."""
    things = release.method.quantity.things
    what = f"noisy count of {things} in the whole cell"
    bands = []
    for name, one in release.maps.items():
        counts, _ = values_on(one, cells)
        bands.append(Band(counts, f"{name}: {what}" if name else what, things))
    _, variance = values_on(release.first, cells)
    half = half_widths(release.first, cells, variance)
    words = "95 % interval of the count in the whole cell: plus or minus this"
    return [*bands, Band(half, words, things)]


def _largest(release: Published) -> int:
    """Return how far counts are from 0, at most."""
    sides = [int(side) for one in release.maps.values() for side in _ends(one.counts)]
    return max(map(abs, sides))


def _ends(counts: BandValues) -> tuple[Any, Any]:
    return counts.min(initial=0), counts.max(initial=0)


def _smallest_float(largest: int) -> str:
    """Return the smallest float that holds every whole number up to one."""
    return next(kind for kind, most in _WHOLE.items() if largest <= most)


def _smooth_image(release: Published, resolution: float | None) -> Image:
    """Return the raster of a smooth picture, with pixels of its own."""
    what, unit = _view_words(release, "smooth")
    smooth = {name: smoothed(one, resolution) for name, one in release.maps.items()}
    cells = GridCells(next(iter(smooth.values())).grid)
    bands = tuple(
        Band(values.mass.ravel()[cells.codes], f"{name}: {what}" if name else what, unit)
        for name, values in smooth.items()
    )
    return Image(cells, bands, "float32")


def _drawn(name: str, release: Release, cells: Cells) -> Band:
    """Return what a picture shows: a density, alike in all pixels of a cell."""
    area = " per square degree" if cells.domain.crs.geographic else "/km²"
    unit = f"{release.method.quantity.things}{area}"
    what = "drawn: a best guess for the eye, no data to add up"
    values = drawn_density(release, cells)
    return Band(values, f"{name}: {what}" if name else what, unit)


def number_type(release: Published, cells: Cells, bands: Sequence[Band]) -> str:
    """Return the type of number that all bands share: whole where the first is, or else a float."""
    kinds = [band.values.dtype for band in bands]
    if kinds[0].kind == "i":
        return np.result_type(*kinds).name
    if cells.grid is not None and bands[0].is_spread:
        return "float64"  # what was measured is read off the counts again
    return float_kind([values_on(one, cells) for one in release.maps.values()])


def float_kind(estimates: list[tuple[BandValues, Floats]]) -> str:
    """Return the float that holds estimates well enough, given them and their variances.

    Examples
    --------
    >>> noise = np.array([2.0])
    >>> float_kind([(np.array([9_000.0]), noise)]), float_kind([(np.array([9e9]), noise)])
    ('float32', 'float64')
    """
    for counts, variance in estimates:
        if (np.abs(counts) * _ROUNDING > _UNSEEN * np.sqrt(variance)).any():
            return "float64"
    return "float32"


def shown(band: Band, pixel: Ints, weights: Floats | None, kind: str) -> BandValues:
    """Return what pixels show of their cells, and no data where no records can be.

    Parameters
    ----------
    band : Band
        Values of the cells.
    pixel, weights : ndarray
        From :meth:`~geodp.core.cells.cells.Cells.pixels` and its ``pixel_weights``.
    kind : str
        Type of number.
    """
    spread = weights is not None and band.is_spread
    values = (band.values if spread else band.values.astype(kind)).take(pixel, mode="wrap")
    if spread:
        values = (values * weights).astype(kind)
    nowhere = pixel < 0
    if nowhere.any():
        values[nowhere] = no_data(kind)
    return np.asarray(values)


_PART = "; a pixel has its share of the cell"
"""What stands behind the description of counts that the pixels of a cell share."""

_SHOWN: dict[str, Callable[[BandValues, Cells], BandValues]] = {
    "counts": lambda counts, cells: per_pixel(cells, _narrowed(counts)),
    "clamped": lambda counts, cells: per_pixel(cells, _narrowed(np.maximum(counts, 0))),
    "density": lambda counts, cells: counts / cells.areas(),
}
"""What each view shows of a cell."""

_MORE: dict[str, Callable[[Release, Cells], Band]] = {
    "std_error": lambda release, cells: Band(
        np.sqrt(values_on(release, cells)[1]),
        "standard error of the noise in the whole cell",
        release.method.quantity.things,
    ),
    "depth": lambda _, cells: Band(
        cells.attributes()["depth"], "how often the cell was halved", ""
    ),
}
"""Bands beside the counts."""


def per_pixel(cells: Cells, values: BandValues) -> BandValues:
    """Return what a pixel of weight 1 shows of its cell: all of it on a grid, else a part."""
    if cells.grid is not None:
        return values
    if cells.tree is not None:
        return values / _weights_in(cells)
    total = np.zeros(len(cells))
    for rows in raster_rows(raster_for(cells)):
        pixel, weights = cells.pixels(rows), cells.pixel_weights(rows)
        inside = pixel >= 0
        total += np.bincount(
            pixel[inside], None if weights is None else weights[inside], minlength=len(total)
        )
    return values / total


def _weights_in(cells: Cells) -> Floats:
    """Sum the weights of the pixels of each cell of a tree; alike ones are counted."""
    within = cells.domain.within
    if within is not None:
        return within.weight(*cells.bounds.T)
    tree = cells.tree
    assert tree is not None
    deepest = len(tree.levels) - 1
    return np.asarray(4.0 ** (deepest - tree.cell_depth))


def _narrowed(counts: BandValues) -> BandValues:
    """Keep whole numbers in 32 bits where they fit, and estimates as they are."""
    return narrowest(counts) if counts.dtype.kind == "i" else counts
