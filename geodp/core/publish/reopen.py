"""Check that what was read from a file is still the release that was written into it.

The library and the QGIS plugin read files with different programs; what they found comes here as
plain numbers, and one set of rules decides. Tags and sizes are checked before memory is taken for
the counts, the checksum next (:func:`geodp.core.publish.metadata.restore`), the geometry last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells, raster_for
from ..common.errors import FileError
from ..common.text import is_line
from ..releases.release import Release
from ..releases.release_set import ReleaseSet
from ..space.cells import EDGES, is_no_data
from ..space.grid import MAX_CELLS, Grid
from ..views.raster_cells import cells_of_shape, values_on
from .columns import TABLE_OF_RELEASE, band_names, place_columns
from .metadata import PREFIX, FileTags, changed, is_rounded

CELL_FIELDS = ("id", "row_index", "col_index", "depth", "count", *EDGES)
"""Fields of a layer of cells that a release is read from, as far as its kind of cells has them."""

LEAST_BYTES = 4
"""Bytes that a polygon takes in the tightest format, and then some."""

_MOST_TOGETHER = 1 << 27
"""Pixels of a tree that readers may unpack together, in all bands: a gigabyte."""

_LARGEST_BLOCK = 1 << 22
"""Cells in the largest block of a raster that any program writes by itself."""

_NEAR = 1e-6
"""Share of a cell by which a corner may be off: what text and steps of arithmetic may cost."""

_BYTES = 1 << 22
"""Bytes of a file looked through at once."""

_MOST_EXACT = 2.0**53
"""Up to where floats hold every whole number."""

_LONGEST_CODE = 40

_LONGEST_VIEW = 100
"""Characters of what a file says that it shows."""

_FREE, _PER_BYTE = 1 << 22, 32
"""Counts that any raster may hold, and for each of its bytes: noise cannot be packed so tightly."""

_PIXELS, _TILE = 1 << 20, 256
"""Pixels of a large raster handled at once, and the rows of the tiles that it is written in."""


@dataclass(frozen=True)
class Raster:
    """Hold what a program says about a raster before it reads the cells.

    Attributes
    ----------
    tags : mapping
        Metadata of the file.
    shape : tuple of int
        Rows and columns.
    bands : int
        Number of bands.
    block : tuple of int
        Rows and columns of a block, for which readers take memory at once.
    size : int
        Bytes of the file.
    transform : tuple of float
        Affine coefficients ``(a, b, c, d, e, f)`` from (column, row) to coordinates.
    has_crs : callable
        Whether the raster has this CRS, given as a code; without a code, whether it has any.
    """

    tags: Mapping[str, str]
    shape: tuple[int, int]
    bands: int
    block: tuple[int, int]
    size: int
    transform: tuple[float, ...]
    has_crs: Callable[[str | None], bool]


def release_from_raster(
    raster: Raster, read: Callable[[int, range], npt.NDArray[Any]]
) -> Release | ReleaseSet:
    """Make a release again from a raster, or refuse it.

    Parameters
    ----------
    raster : Raster
        What the file says about itself.
    read : callable
        Gives some rows of the band with a number, from 1; called when the size is known to be
        bearable.

    Raises
    ------
    FileError
        If the raster is no release, or was shifted, scaled, cropped, edited or given another CRS.
    """
    check_tags(raster.tags)
    rows, columns = raster.shape
    check_size(rows * columns)
    block = raster.block[0] * raster.block[1]
    if block > max(rows * columns, _LARGEST_BLOCK):
        raise FileError("a release is in blocks of usual size; this file is not.")
    written = FileTags(raster.tags)
    groups = 1 if written.groups is None else len(written.groups)
    bare = groups - 1 + len(band_names(written.cells))
    # What is drawn may follow, and after it, where cells differ, what is said of each as a whole.
    further = [0, groups] if written.cells.grid is not None else [0, groups, 2 * groups + 1]
    if raster.bands - bare not in further:
        raise FileError("bands of this release are missing, or others were added.")
    raster_for(written.cells)
    shown = cells_of_shape(written.cells, raster.shape)
    if shown is None:
        raise changed()
    grid = raster_for(shown)
    # Readers unpack the blocks of all bands together. Pixels of one cell of a tree are alike, and
    # pack as well as zeros do: such blocks are bounded by their size alone.
    packs = written.cells.tree is not None and block * raster.bands <= _MOST_TOGETHER
    if not packs and not has_room(block * raster.bands, raster.size):
        raise FileError("a release is in blocks of usual size; this file is not.")
    if written.cells.grid is not None and not has_room(rows * columns * groups, raster.size):
        raise FileError("this raster claims more cells than it can hold; get the original file.")
    if shown.grid is None:
        release = written.measured_release()
        for band, one in enumerate(release.maps.values(), start=1):
            counts, _ = values_on(one, shown)
            if not is_rounded(_values(shown, partial(read, band)), counts):
                raise changed()
    else:  # the counts of a grid are what the file holds
        held = [_values(shown, partial(read, band + 1)) for band in range(groups)]
        if raster.bands > bare and written.has_integer_counts:
            held = [_as_integers(values) for values in held]
        release = written.release(held[0] if written.groups is None else np.stack(held))
    lies = _is_near(_corners(raster.transform, grid), _corners(grid.transform, grid), shown)
    if not lies or not raster.has_crs(crs_code(grid)):
        raise moved()
    return release


def has_room(counts: int, size: int) -> bool:
    """Tell whether a raster file of so many bytes can hold so many counts with noise.

    A file of zeros packs a thousandfold, and would unfold into more memory than there is. Noise
    does not, unless there is next to none: then the library writes the file unpacked.

    Examples
    --------
    >>> has_room(10**6, 1000), has_room(10**7, 10**6), has_room(10**7, 1000)
    (True, True, False)
    """
    return counts <= _FREE + _PER_BYTE * size


def _values(cells: Cells, read: Callable[[range], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return the counts of cells, out of pixels that each show an equal part of their cell."""
    if cells.grid is not None:  # each cell is one pixel
        band = read(range(cells.grid.shape[0]))
        if not is_no_data(band[~cells.grid.supported]).all():
            raise changed()
        return band[cells.grid.supported]
    counts = np.zeros(len(cells))
    for rows in raster_rows(raster_for(cells)):
        pixel, part = cells.pixels(rows), read(rows)
        shown = pixel >= 0
        if not shown.all():
            if not is_no_data(part[~shown]).all():
                raise changed()
            pixel, part = pixel[shown], part[shown]
        counts += np.bincount(pixel.ravel(), part.ravel(), minlength=len(counts))
    return counts


def _as_integers(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return whole numbers that share a raster with floats, and so are floats, as integers."""
    if values.dtype.kind != "f":
        return values
    if not (np.abs(values) <= _MOST_EXACT).all() or (values % 1 != 0).any():
        raise changed()
    return values.astype(np.int64)


def raster_rows(grid: Grid) -> Iterator[range]:
    """Return rows of a raster, some at a time, so that little memory is needed."""
    high, wide = grid.shape
    step = max(1, _PIXELS // wide // _TILE) * _TILE
    for start in range(0, high, step):
        yield range(start, min(start + step, high))


def release_from_cells(
    tags: Mapping[str, str],
    fields: Mapping[str, npt.NDArray[Any]],
    drawn: npt.NDArray[np.float64],
) -> Release | ReleaseSet:
    """Make a release again from the cells of a vector grid, in whatever order they come.

    Parameters
    ----------
    tags : mapping
        Metadata of the layer; see :func:`check_tags`.
    fields : mapping
        Those of the columns :data:`CELL_FIELDS` that the layer has.
    drawn : ndarray, shape (n, 4)
        Bounds of the polygons.
    """
    written = FileTags(tags)
    every = place_columns(written.cells)
    expected = {name: values for name, values in every.items() if is_cell_field(name)}
    numbers = [name for name, values in expected.items() if values.dtype.kind == "i"]
    missing = {*expected, *written.columns} - set(fields)
    if missing or any(fields[name].dtype.kind != "i" for name in numbers):
        raise FileError("fields of the cells are missing or were changed; get the original file.")
    order = np.argsort(fields["id"], kind="stable")
    if len(order) != len(written.cells):
        raise FileError("cells are missing or there are too many of them; get the original file.")
    counts = [np.asarray(fields[name])[order] for name in written.columns]
    release = written.release(np.stack(counts).reshape(written.shape))
    placed = [drawn[order]]
    if release.cells.polygons is None:
        placed.append(np.column_stack([fields[name] for name in EDGES])[order])
    in_place = all(np.array_equal(fields[name][order], expected[name]) for name in numbers)
    bounds = release.cells.bounds
    if not in_place or not all(_is_near(box, bounds, release.cells) for box in placed):
        raise moved()
    return release


def is_cell_field(name: str) -> bool:
    """Tell whether a release may be read from a column of that name."""
    return name in CELL_FIELDS or name.startswith("count_")


def check_tags(tags: Mapping[str, str]) -> None:
    """Refuse a file by its tags alone, before its contents are read."""
    derived = tags.get(PREFIX + "DERIVED")
    if derived:
        what = f" ({derived})" if is_line(derived, _LONGEST_VIEW) else ""
        raise FileError(
            f"it holds a view{what} and not the release itself; open the file with the "
            "counts that it was made from."
        )
    if PREFIX + "FACTS" not in tags:
        raise FileError("this is not a geodp release: it does not carry the GEODP tags of one.")


def holds_release(path: Path) -> bool:
    """Tell whether a file holds a release, or shows its counts, in any format.

    Looked for are the tags of one among the bytes: no program is needed, and none that stumbles.

    Examples
    --------
    >>> holds_release(Path("nowhere.tif"))
    False
    """
    beside = [path.with_suffix(".qmd")] if path.suffix.lower() == ".shp" else []
    return any(_has_facts(file) for file in (path, *beside) if file.is_file())


def _has_facts(path: Path) -> bool:
    table = path.suffix.lower() == ".csv"
    mark, tail = (TABLE_OF_RELEASE if table else PREFIX + "FACTS").encode(), b""
    try:
        with open(path, "rb") as file:
            while block := file.read(_BYTES):
                if mark in tail + block:
                    return True
                tail = block[-len(mark) :]
    except OSError:
        pass  # writing will fail, with a message
    return False


def check_size(cells: int, layer_bytes: int | None = None) -> None:
    """Refuse what cannot be a release before memory is taken for it.

    Readers make room for as many cells as a file claims to hold. A polygon takes some bytes even
    when it is compressed, so a small layer that claims many cells is damaged, or hostile.

    Examples
    --------
    >>> check_size(100, layer_bytes=9000)
    >>> check_size(10**9)
    Traceback (most recent call last):
        ...
    geodp.core.common.errors.FileError: a release has at most 67,108,864 cells; this file has more.
    """
    if cells > MAX_CELLS:
        raise FileError(f"a release has at most {MAX_CELLS:,} cells; this file has more.")
    if layer_bytes is not None and cells * LEAST_BYTES > layer_bytes:
        raise FileError("this layer claims more cells than it can hold; get the original file.")


def crs_code(grid: Grid) -> str | None:
    """Return the code of a grid's CRS; WKT without one loses its names in a GeoTIFF: None."""
    name = grid.domain.crs.name
    return name if len(name) < _LONGEST_CODE and ":" in name else None


def moved() -> FileError:
    """Return the error about cells that are not where they were."""
    return FileError(
        "this release was changed after it was written: its cells do not lie where its tags say; "
        "get the original file."
    )


def _corners(transform: tuple[float, ...], grid: Grid) -> npt.NDArray[np.float64]:
    """Return coordinates of the four corners of a raster."""
    a, b, c, d, e, f = transform
    row, column = np.meshgrid([0, grid.shape[0]], [0, grid.shape[1]])
    return np.stack([a * column + b * row + c, d * column + e * row + f])


def _is_near(placed: npt.NDArray[Any], expected: npt.NDArray[Any], cells: Cells) -> bool:
    grid = cells.raster
    if grid is None:
        side = float((cells.bounds[:, 2:] - cells.bounds[:, :2]).min())
    else:
        side = min(grid.cell_width, grid.cell_height)
    return bool(np.allclose(placed, expected, rtol=0, atol=_NEAR * side))
