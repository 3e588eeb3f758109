"""Reading a written release back, or refusing it.

A file is a release again only if its tags, its counts and its geometry agree. Which program wrote
it does not matter, nor how it is compressed.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import FileError
from ..core.grid import MAX_CELLS, Grid
from ..core.metadata import PREFIX, restore
from ..core.release import PathLike, Release
from .export import RASTERS

_LEAST_BYTES = 4
"""Bytes that a cell takes in the tightest format, and then some."""

_LARGEST_TILE = 1 << 22

_EDGES = ("left", "bottom", "right", "top")
_FIELDS = ("row_index", "col_index", "count", *_EDGES)


def open_release(path: PathLike) -> Release:
    """Read a release from a file. See :func:`geodp.open_release`."""
    source = Path(path)
    read = _READERS.get(source.suffix.lower())
    if read is None:
        raise FileError(
            f"a release opens from one of {' '.join(_READERS)}; got {source.name!r}: "
            "the other formats cannot hold all that a release needs."
        )
    if not source.is_file():
        raise FileError(f"a release file must exist; there is no {source}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one sentence is enough about a damaged file
            return read(source)
    except FileError as error:
        raise FileError(f"{source.name} cannot be opened: {error}") from None
    except Exception:  # readers stumble over damaged files in ways that no list covers
        raise FileError(f"{source.name} cannot be opened: it is damaged.") from None


def _from_raster(path: Path) -> Release:
    import rasterio

    try:
        with rasterio.open(path) as image:
            tags = _checked(image.tags())
            _check_size(image.height * image.width)
            _check_layout(image)
            counts, crs, transform = image.read(1), image.crs, tuple(image.transform)[:6]
    except rasterio.errors.RasterioError:
        raise FileError("this is not a GeoTIFF, or it was cut short.") from None
    release = restore(tags, counts)
    _check_crs(crs, release.grid)
    if not _near(np.array(transform), np.array(release.grid.transform), release.grid):
        raise _moved()
    return release


def _check_crs(crs: Any, grid: Grid) -> None:
    """Compare by code; WKT without one loses its names on the way through a GeoTIFF."""
    from rasterio.crs import CRS

    name = grid.domain.crs.name
    is_code = len(name) < 40 and ":" in name
    if crs is None or (is_code and crs != CRS.from_user_input(name)):
        raise _moved()


def _from_ogr(path: Path) -> Release:
    import pyogrio

    try:
        names = [name for name, kind in pyogrio.list_layers(path) if kind is not None]
        infos = {name: pyogrio.read_info(path, layer=name)["layer_metadata"] for name in names}
        layer = next((name for name in names if infos[name]), names[0] if names else None)
        tags = _checked(infos.get(layer) or {})
        cells = pyogrio.read_info(path, layer=layer, force_feature_count=True)["features"]
        _check_size(cells, path)
        meta, _, shapes, columns = pyogrio.raw.read(path, layer=layer, columns=list(_FIELDS))
        fields = dict(zip(meta["fields"], columns))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
        raise FileError("this is not a vector file, or it was cut short.") from None
    return _from_cells(tags, fields, shapes)


def _from_parquet(path: Path) -> Release:
    import pyarrow
    import pyarrow.parquet

    try:
        stored = pyarrow.parquet.read_schema(path).metadata or {}
        tags = _checked({key.decode(): value.decode() for key, value in stored.items()})
        _check_size(pyarrow.parquet.read_metadata(path).num_rows, path)
        table = pyarrow.parquet.read_table(path)
        wanted = [name for name in _FIELDS if name in table.column_names]
        fields = {name: table.column(name).to_numpy() for name in wanted}
        primary = json.loads(tags.get("geo", "{}")).get("primary_column")
        shapes = table.column(primary).to_numpy() if primary else np.empty(0, dtype=object)
    except FileError:
        raise
    except (pyarrow.ArrowException, OSError, KeyError, UnicodeDecodeError, json.JSONDecodeError):
        raise FileError("this is not a GeoParquet file, or it was cut short.") from None
    return _from_cells(tags, fields, shapes)


_READERS: dict[str, Callable[[Path], Release]] = {
    **dict.fromkeys(RASTERS, _from_raster),
    **dict.fromkeys((".gpkg", ".fgb"), _from_ogr),
    **dict.fromkeys((".parquet", ".geoparquet"), _from_parquet),
}


def _from_cells(tags: Mapping[str, str], fields: Mapping[str, Any], shapes: Any) -> Release:
    """Put the cells of a vector grid, in whatever order they come, into rows and columns."""
    import shapely

    places = [fields.get(name, np.empty(0)) for name in ("row_index", "col_index")]
    if set(_FIELDS) - set(fields) or any(place.dtype.kind != "i" for place in places):
        raise FileError("fields of the cells are missing or were changed; get the original file.")
    row, column = places
    shape = (int(row.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1)
    order = np.lexsort((column, row))
    if shape[0] * shape[1] != len(order):
        raise FileError("cells are missing or there are too many of them; get the original file.")
    release = restore(tags, np.asarray(fields["count"])[order].reshape(shape))
    expected = release.grid.to_geodataframe()
    edges, cells = expected[list(_EDGES)].to_numpy(), expected[["row_index", "col_index"]]
    stated = np.column_stack([fields[name] for name in _EDGES])[order]
    polygons = shapely.from_wkb(np.asarray(shapes, dtype=object), on_invalid="ignore")
    drawn = shapely.bounds(polygons)[order]
    in_place = np.array_equal(np.column_stack([row, column])[order], cells)
    if not in_place or not all(_near(found, edges, release.grid) for found in (stated, drawn)):
        raise _moved()
    return release


def _checked(tags: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse a file by its tags alone, before its contents are read."""
    derived = tags.get(PREFIX + "DERIVED")
    if derived:
        raise FileError(
            f"it holds a view ({derived}) and not the release itself; open the file with the "
            "counts that it was made from."
        )
    if PREFIX + "FACTS" not in tags:
        raise FileError("this is not a geodp release: it does not carry the GEODP tags of one.")
    return tags


def _check_size(cells: int, layer: Path | None = None) -> None:
    """Refuse what cannot be a release before memory is taken for it.

    Readers make room for as many cells as a file claims to hold. A polygon takes some bytes even
    when it is compressed, so a small layer that claims many cells is damaged, or hostile.
    """
    if cells > MAX_CELLS:
        raise FileError(f"a release has at most {MAX_CELLS:,} cells; this file has more.")
    if layer is not None and cells * _LEAST_BYTES > layer.stat().st_size:
        raise FileError("this layer claims more cells than it can hold; get the original file.")


def _check_layout(image: Any) -> None:
    """Refuse bands and blocks that no release has, since GDAL makes room for a whole block."""
    rows, columns = image.block_shapes[0]
    if image.count != 1 or rows * columns > max(image.height * image.width, _LARGEST_TILE):
        raise FileError("a release is one band in blocks of usual size; this file is not.")


def _near(found: npt.NDArray[Any], expected: npt.NDArray[Any], grid: Grid) -> bool:
    """Equal to a millionth of a cell: what text and single steps of arithmetic may cost."""
    tolerance = 1e-6 * min(grid.cell_width, grid.cell_height)
    return bool(np.allclose(found, expected, rtol=0, atol=tolerance))


def _moved() -> FileError:
    return FileError(
        "this release was changed after it was written: its cells do not lie where its tags say; "
        "get the original file."
    )
