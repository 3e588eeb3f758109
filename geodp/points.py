"""The one door for private data: anything that holds points becomes blocks of coordinates.

Missing and empty geometries, NaN coordinates and points outside the domain are dropped without a
word further on: how many there were is private. No message says more than what kind of thing the
input is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Floats, Ints
from .domain import Crs, Domain
from .errors import CrsError, FileError, InputError

Place = tuple[Floats, Floats]
Block = tuple[Floats, Floats, Any]
Shapes = npt.NDArray[Any]
Move = Callable[[Floats, Floats], Place]

Batches = tuple[Any, str, Iterable[Any]]
"""CRS, name of the geometry column, and record batches of a file."""

BLOCK = 1 << 18
"""Features turned into coordinates at once."""

_NO_LIMIT = 1 << 62


def coordinate_blocks(
    points: Any,
    domain: Domain,
    *,
    points_crs: Any = None,
    layer: str | None = None,
    max_records: int | None = None,
    person: Any = None,
) -> Iterator[Block]:
    """Yield blocks ``(x, y, person)`` in the domain's CRS; person is None without that field.

    Parameters
    ----------
    points : GeoDataFrame, GeoSeries, (x, y) pair of arrays, or path
        The private records.
    domain : Domain
        Whose CRS the coordinates shall be in.
    points_crs : optional
        CRS of an (x, y) pair, if it is not the domain's, or of a file that does not state one.
    layer : str, optional
        Layer of a file with several.
    max_records : int, optional
        How many points a MultiPoint may hold; further ones are dropped. Without it a MultiPoint is
        refused, because one feature would then move several counts.
    person : str or array, optional
        Field that says whose record it is; for a pair of arrays, an array of their length.
    """
    if person is not None:
        max_records = None if max_records is None else _NO_LIMIT  # persons are bounded later
    if isinstance(points, (str, os.PathLike)):
        return _from_file(Path(points), domain, points_crs, layer, max_records, person)
    if hasattr(points, "geometry"):
        return _from_frame(points, domain, points_crs, max_records, person)
    if isinstance(points, (tuple, list)) and len(points) == 2:
        move = _mover(points_crs or domain.crs, domain)
        return _from_arrays(points[0], points[1], move, person)
    raise InputError(
        "points must be a GeoDataFrame, a GeoSeries, a pair of arrays (x, y) or a path; "
        f"got {type(points).__name__}."
    )


def _from_arrays(x: Any, y: Any, move: Move, person: Any) -> Iterator[Block]:
    try:
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("x and y must be arrays of numbers; got something else.") from None
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise InputError("x and y must be flat arrays of one length; these are not.")
    if person is not None and (isinstance(person, str) or len(person) != len(xs)):
        raise InputError("person must be an array as long as x and y; this is not.")
    for start in range(0, len(xs), BLOCK):
        part = slice(start, start + BLOCK)
        yield *move(xs[part], ys[part]), None if person is None else np.asarray(person[part])


def _from_frame(
    frame: Any, domain: Domain, points_crs: Any, max_records: int | None, person: Any
) -> Iterator[Block]:
    move = _mover(frame.crs if frame.crs is not None else points_crs, domain)
    shapes = np.asarray(frame.geometry.array)
    if person is not None and person not in getattr(frame, "columns", ()):
        raise InputError(
            f"the person field must be a column of the points; there is no {person!r}."
        )
    names = None if person is None else frame[person]
    for start in range(0, len(shapes), BLOCK):
        part = slice(start, start + BLOCK)
        x, y, feature = _coordinates(shapes[part], max_records)
        whose = None if names is None else names.iloc[part].to_numpy(dtype=object)[feature]
        yield *move(x, y), whose


def _from_file(
    path: Path,
    domain: Domain,
    points_crs: Any,
    layer: str | None,
    max_records: int | None,
    person: str | None,
) -> Iterator[Block]:
    import shapely

    if not path.exists():
        raise FileError(f"the points file must exist; there is no {path}.")
    parquet = path.suffix.lower() in (".parquet", ".geoparquet")
    fields = [] if person is None else [person]
    opened = _parquet_batches(path, fields) if parquet else _ogr_batches(path, layer, fields)
    with opened as (crs, geometry, batches):
        move = _mover(crs if crs is not None else points_crs, domain)
        for batch in batches:
            shapes = shapely.from_wkb(np.asarray(batch.column(geometry), dtype=object))
            x, y, feature = _coordinates(shapes, max_records)
            whose = None
            if person is not None:
                whose = np.array(batch.column(person).to_pylist(), dtype=object)[feature]
            yield *move(x, y), whose


@contextmanager
def _ogr_batches(path: Path, layer: str | None, fields: list[str]) -> Iterator[Batches]:
    """Batches of any file that GDAL reads."""
    import pyogrio

    try:
        opened = pyogrio.open_arrow(
            path, layer=layer, columns=fields, batch_size=BLOCK, use_pyarrow=True
        )
        with opened as (meta, reader):
            name = meta["geometry_name"] or "wkb_geometry"
            if meta["geometry_type"] is None or name not in reader.schema.names:
                raise InputError(
                    f"the points file must hold geometries; {path.name} has none: "
                    "pass its coordinates as (x, y) instead."
                )
            _check_fields(fields, reader.schema.names)
            yield meta["crs"], name, reader
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
        raise FileError(
            f"the points file must be a vector file that GDAL reads; {path.name} is not, or does "
            f"not hold the layer {layer!r}."
        ) from None


@contextmanager
def _parquet_batches(path: Path, fields: list[str]) -> Iterator[Batches]:
    """Batches of a GeoParquet file."""
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            text = (file.schema_arrow.metadata or {}).get(b"geo")
            geo = json.loads(text) if text else {"primary_column": None, "columns": {None: {}}}
            column = geo["columns"][geo["primary_column"]]
            if column.get("encoding") != "WKB":
                raise InputError(
                    f"a Parquet file must be GeoParquet with WKB geometries; {path.name} is not: "
                    "pass its coordinates as (x, y) instead."
                )
            crs = column.get("crs", "OGC:CRS84")
            _check_fields(fields, file.schema_arrow.names)
            name = geo["primary_column"]
            yield crs, name, file.iter_batches(batch_size=BLOCK, columns=[name, *fields])
    except (pyarrow.ArrowInvalid, json.JSONDecodeError, KeyError):
        raise FileError(f"the points file must be a GeoParquet file; {path.name} is not.") from None


def _check_fields(fields: list[str], names: list[str]) -> None:
    for field in fields:
        if field not in names:
            raise InputError(f"the person field must be in the points file; there is no {field!r}.")


def _coordinates(shapes: Shapes, max_records: int | None) -> tuple[Floats, Floats, Ints]:
    """Coordinates of point geometries, at most ``max_records`` of each MultiPoint, and whose."""
    import shapely

    kinds = shapely.get_type_id(shapes)  # -1 for a missing one; an empty one has no coordinates
    if not np.isin(kinds, (-1, 0, 4)).all():
        raise InputError(
            "points must be Point geometries; this layer also holds lines, polygons or others: "
            "take their centroids or representative points first."
        )
    if max_records is None and (kinds == 4).any():
        raise InputError(
            "a MultiPoint counts as its points only if you say how many records a feature may "
            "hold; pass max_records, or split the layer with explode()."
        )
    found, feature = shapely.get_coordinates(shapes, return_index=True)
    if max_records is not None:
        first = np.searchsorted(feature, feature, side="left")
        kept = np.arange(len(feature)) - first < max_records
        found, feature = found[kept], feature[kept]
    return found[:, 0], found[:, 1], feature


def _mover(crs: Any, domain: Domain) -> Move:
    """Return a function that brings coordinates into the domain's CRS."""
    if crs is None:
        raise CrsError(
            "the points need a CRS; this layer has none: set it with set_crs(), or pass points_crs."
        )
    if isinstance(crs, Crs) and crs == domain.crs:
        return lambda x, y: (x, y)
    from pyproj import CRS, Transformer

    source = CRS.from_user_input(crs if isinstance(crs, dict) else Crs.of(crs).name)
    target = CRS.from_user_input(domain.crs.name)
    if source.equals(target, ignore_axis_order=True):
        return lambda x, y: (x, y)
    transformer = Transformer.from_crs(source, target, always_xy=True)

    def move(x: Floats, y: Floats) -> Place:
        moved = transformer.transform(x, y)  # what cannot be moved becomes inf: outside
        return np.asarray(moved[0]), np.asarray(moved[1])

    return move


def read_csv(path: str | os.PathLike[str], x: str, y: str) -> Place:
    """Coordinates from two columns of a text table with a header line.

    Rows that are not numbers are dropped without a word, like points without a geometry: whether
    there are any is private.

    Parameters
    ----------
    path : path
        A file of values separated by commas, semicolons or tabs.
    x, y : str
        Names of the columns.
    """
    import pyarrow
    import pyarrow.csv

    source = Path(path)
    if not source.is_file():
        raise FileError(f"the points file must exist; there is no {source}.")
    delimiter = _delimiter(source, x, y)
    skip = pyarrow.csv.ParseOptions(delimiter=delimiter, invalid_row_handler=lambda _: "skip")
    text = pyarrow.csv.ConvertOptions(
        include_columns=list(dict.fromkeys((x, y))),
        column_types={x: pyarrow.binary(), y: pyarrow.binary()},
    )
    xs, ys = [np.empty(0)], [np.empty(0)]
    try:
        with pyarrow.csv.open_csv(source, parse_options=skip, convert_options=text) as batches:
            for batch in batches:
                xs.append(_numbers(batch.column(x)))
                ys.append(_numbers(batch.column(y)))
    except (pyarrow.ArrowException, OSError):  # whose message may quote a row
        raise FileError(f"the points file must be a table of text; {source.name} is not.") from None
    return np.concatenate(xs), np.concatenate(ys)


def _delimiter(path: Path, x: str, y: str) -> str:
    """The separator that makes the wanted columns out of the header line."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        header = file.readline().rstrip("\r\n")
    for delimiter in ",;\t":
        names = [name.strip('"') for name in header.split(delimiter)]
        if names.count(x) == 1 and names.count(y) == 1:
            return delimiter
    raise InputError(
        f"the points file must have one column of each name that you give; {path.name} has not "
        f"both {x!r} and {y!r}: pass the names in its header line."
    )


def _numbers(column: Any) -> Floats:
    """Numbers of a column of bytes, NaN where there is none: NaN lies outside every domain."""
    try:
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype="S").astype(np.float64)
    except ValueError:
        return np.array([_number(value) for value in column.to_pylist()], dtype=np.float64)


def _number(value: bytes | None) -> float:
    try:
        return float(value or b"nan")
    except ValueError:
        return float("nan")
