"""Read a written release back, or refuse it.

A file is a release again only if its tags, its counts and its geometry agree. Which program wrote
it does not matter, nor how it is compressed.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.errors import FileError
from ..core.common.types import PathLike
from ..core.publish.reopen import (
    Raster,
    check_size,
    check_tags,
    is_cell_field,
    release_from_cells,
    release_from_raster,
)
from ..core.releases.release import Release
from ..core.releases.release_set import ReleaseSet
from ..sources.columns import is_binary
from ..sources.silence import quiet_gdal
from .raster import RASTERS

_NO_VECTOR = "this is not a vector file, or it was cut short."

_MAY_HOLD = re.compile(
    r"create (table|(unique )?index|trigger) "
    r'|create virtual table ("[^"]*"|\w+) using rtree\(',
    re.IGNORECASE,
)
"""How all begins that a GeoPackage of a release holds: tables, and what finds rows in them."""

_GENERATED = """
SELECT field.name FROM sqlite_master AS held, pragma_table_xinfo(held.name) AS field
WHERE held.sql LIKE 'create table %' AND field.hidden > 1
"""
"""Columns that are not stored: an expression is computed for each row that is read."""

_UNPACKED, _UNPACKED_PER_BYTE = 1 << 24, 100
"""Bytes that a Parquet file may unfold into, and for each of its own."""


def open_release(path: PathLike) -> Release | ReleaseSet:
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
            release = read(source)
            _check_crs(release.domain.crs.name)
            return release
    except FileError as error:
        raise FileError(f"{source.name} cannot be opened: {error}") from None
    except Exception:  # readers stumble over damaged files in ways that no list covers
        raise FileError(f"{source.name} cannot be opened: it is damaged.") from None


def _check_crs(name: str) -> None:
    """Refuse WKT that does not parse; whatever else a file may name, the core has refused."""
    from pyproj import CRS
    from pyproj.exceptions import CRSError

    if "[" in name:
        try:
            CRS.from_wkt(name)
        except CRSError:
            raise FileError("its coordinate reference system cannot be read.") from None


def _from_raster(path: Path) -> Release | ReleaseSet:
    import rasterio
    from rasterio.windows import Window

    try:
        # rasterio's own handler, which the first of the three puts in place, stumbles over what
        # GDAL quotes from a damaged file. Other drivers than this one may lead to other files.
        with rasterio.Env(), quiet_gdal(), rasterio.open(path, driver="GTiff") as image:
            raster = Raster(
                image.tags(),
                image.shape,
                image.count,
                image.block_shapes[0],
                path.stat().st_size,
                tuple(image.transform)[:6],
                partial(_has_crs, image.crs),
            )

            def read_rows(band: int, rows: range) -> Any:
                return image.read(band, window=Window(0, rows.start, image.width, len(rows)))

            return release_from_raster(raster, read_rows)
    except rasterio.errors.RasterioError:
        raise FileError("this is not a GeoTIFF, or it was cut short.") from None


def _has_crs(crs: Any, code: str | None) -> bool:
    from rasterio.crs import CRS

    if crs is None or code is None:
        return crs is not None
    stated = CRS.from_user_input(code)
    return bool(crs == stated or crs == _in_geotiff(stated))


def _in_geotiff(crs: Any) -> Any:
    """Return what a GeoTIFF keeps of a CRS: some codes lose their name and a little more."""
    from rasterio.io import MemoryFile

    with MemoryFile() as memory:
        with memory.open(driver="GTiff", height=1, width=1, count=1, dtype="int32", crs=crs):
            pass
        with memory.open() as image:
            return image.crs


def _from_ogr(path: Path) -> Release | ReleaseSet:
    import pyogrio

    if path.suffix.lower() == ".gpkg":
        _check_tables(path)
    elif not _is_flatgeobuf(path):
        raise FileError(_NO_VECTOR)
    try:
        names = [name for name, kind in pyogrio.list_layers(path) if kind is not None]
        infos = {name: pyogrio.read_info(path, layer=name)["layer_metadata"] for name in names}
        layer = next((name for name in names if infos[name]), names[0] if names else None)
        tags = infos.get(layer) or {}
        check_tags(tags)
        about = pyogrio.read_info(path, layer=layer, force_feature_count=True)
        check_size(about["features"], path.stat().st_size)
        wanted = [name for name in about["fields"] if is_cell_field(name)]
        meta, _, shapes, columns = pyogrio.raw.read(path, layer=layer, columns=wanted)
        fields = dict(zip(meta["fields"], columns))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
        raise FileError(_NO_VECTOR) from None
    return release_from_cells(tags, fields, _bounds(shapes))


def _is_flatgeobuf(path: Path) -> bool:
    """Tell by the first bytes: GDAL goes by what a file holds, and some kinds lead to a network."""
    with path.open("rb") as file:
        return file.read(7) == b"fgb\x03fgb"


def _check_tables(path: Path) -> None:
    """Refuse a GeoPackage with views: they run queries of whoever made the file, without an end.

    So do generated columns, one for each row. Virtual tables, but for those of its index, may lead
    to other files. Whatever does not begin as GDAL writes it is refused: comments and blanks could
    hide what it is.
    """
    import sqlite3
    from contextlib import closing

    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            others = [sql for (sql,) in rows if not _MAY_HOLD.match(str(sql))]
            others = others or database.execute(_GENERATED).fetchall()
    except sqlite3.Error:
        raise FileError(_NO_VECTOR) from None
    if others:
        raise FileError(
            "the cells of a release are a table; this file has views, or tables that are elsewhere."
        )


def _from_parquet(path: Path) -> Release | ReleaseSet:
    import pyarrow
    import pyarrow.parquet

    try:
        stored = pyarrow.parquet.read_schema(path).metadata or {}
        tags = {key.decode(): value.decode() for key, value in stored.items()}
        check_tags(tags)
        about, size = pyarrow.parquet.read_metadata(path), path.stat().st_size
        check_size(about.num_rows, size)
        _check_unpacked(about, size)
        schema = pyarrow.parquet.read_schema(path)
        wanted = [field.name for field in schema if is_cell_field(field.name)]
        primary = json.loads(tags["geo"])["primary_column"]
        shape, types = schema.field(primary).type, pyarrow.types
        # One long text, or list, could stand in every row, and would be unpacked for each.
        if not is_binary(getattr(shape, "storage_type", shape)) or not all(
            types.is_integer(schema.field(name).type) or types.is_floating(schema.field(name).type)
            for name in wanted
        ):
            raise FileError("fields of the cells are missing or were changed.")
        # A shape that is there many times must not be unpacked as often.
        table = pyarrow.parquet.read_table(
            path, columns=[*wanted, primary], read_dictionary=[primary], partitioning=None
        )
        fields = {name: table.column(name).to_numpy() for name in wanted}
        drawn = _bounds_of_column(table.column(primary))
    except FileError:
        raise
    except (pyarrow.ArrowException, OSError, KeyError, UnicodeDecodeError, json.JSONDecodeError):
        raise FileError("this is not a GeoParquet file, or it was cut short.") from None
    return release_from_cells(tags, fields, drawn)


def _check_unpacked(about: Any, size: int) -> None:
    """Refuse a Parquet file that says of itself that it unfolds into far more than its bytes."""
    groups = (about.row_group(number) for number in range(about.num_row_groups))
    if sum(group.total_byte_size for group in groups) > _UNPACKED + _UNPACKED_PER_BYTE * size:
        raise FileError("this file unfolds into more than it can hold; get the original file.")


def _bounds_of_column(column: Any) -> npt.NDArray[np.float64]:
    """Return bounds of the polygons of an Arrow column, each distinct one looked at once."""
    bounds = []
    for chunk in column.chunks:
        index = chunk.indices.to_numpy(zero_copy_only=False)
        bounds.append(_bounds(chunk.dictionary.to_numpy(zero_copy_only=False))[index])
    return np.concatenate(bounds) if bounds else np.empty((0, 4))


_READERS: dict[str, Callable[[Path], Release | ReleaseSet]] = {
    **dict.fromkeys(RASTERS, _from_raster),
    **dict.fromkeys((".gpkg", ".fgb"), _from_ogr),
    **dict.fromkeys((".parquet", ".geoparquet"), _from_parquet),
}


def _bounds(shapes: Any) -> npt.NDArray[np.float64]:
    """Return bounds of polygons, which come as WKB."""
    import shapely

    polygons = shapely.from_wkb(np.asarray(shapes, dtype=object), on_invalid="ignore")
    return np.asarray(shapely.bounds(polygons))
