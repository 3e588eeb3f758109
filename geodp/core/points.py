"""The one door for private data: anything that holds points becomes blocks of coordinates.

Missing and empty geometries, NaN coordinates and points outside the domain are dropped without a
word further on: how many there were is private. No message says more than what kind of thing the
input is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import Block, Move, Piece, Reading, coordinates
from .domain import Domain
from .errors import InputError

if TYPE_CHECKING:
    from ..sources.files import Advance

BLOCK = 1 << 18
"""Features turned into coordinates at once."""

POSTGRES = ("postgresql://", "postgres://")
"""How the address of a PostgreSQL database begins."""

_NO_LIMIT = 1 << 62
DUCKDB_FILES = (".duckdb", ".ddb")


def coordinate_blocks(
    points: Any,
    domain: Domain,
    *,
    points_crs: Any = None,
    layer: str | None = None,
    max_records: int | None = None,
    person: Any = None,
    x: str | None = None,
    y: str | None = None,
    sql: str | None = None,
    advance: Advance | None = None,
) -> Iterator[Block]:
    """Yield blocks ``(x, y, person)`` in the domain's CRS; person is None without that field.

    Parameters
    ----------
    points : GeoDataFrame, GeoSeries, DataFrame, (x, y) pair, path or paths, database, iterator
        The private records. An iterator yields ``(x, y)`` or ``(x, y, person)`` arrays.
    domain : Domain
        Whose CRS the coordinates shall be in.
    points_crs : optional
        CRS of arrays, if it is not the domain's, of x and y columns, or of a layer that states
        none.
    layer : str, optional
        Layer of a file with several, or table of a database.
    max_records : int, optional
        How many points a MultiPoint may hold; further ones are dropped. Without it a MultiPoint is
        refused, because one feature would then move several counts.
    person : str, array or True, optional
        Field that says whose record it is; for a pair of arrays, an array of their length; for an
        iterator, True.
    x, y : str, optional
        Columns that hold the coordinates, where there is no geometry.
    sql : str, optional
        Query of a database.
    advance : callable, optional
        Called with the bytes done and their total, for files.
    """
    reading = reading_of(domain, points_crs, layer, max_records, person, x, y, sql)
    return blocks_of(points, reading, advance)


def reading_of(
    domain: Domain,
    points_crs: Any,
    layer: str | None,
    max_records: int | None,
    person: Any,
    x: str | None,
    y: str | None,
    sql: str | None,
) -> Reading:
    """Check what does not depend on the kind of input."""
    if (x is None) != (y is None):
        raise InputError("`x` and `y` name the columns of coordinates together; give both or none.")
    if person is not None:
        max_records = None if max_records is None else _NO_LIMIT  # persons are bounded later
    return Reading(domain, points_crs, layer, sql, x, y, max_records, person, BLOCK)


def blocks_of(points: Any, reading: Reading, advance: Advance | None = None) -> Iterator[Block]:
    """Blocks of anything that holds points, by what it is."""
    if isinstance(points, str) and points.startswith(POSTGRES):
        from ..sources.databases import postgres_blocks

        return postgres_blocks(points, reading)
    if is_duckdb(points):
        from ..sources.databases import duckdb_blocks

        return duckdb_blocks(points, reading)
    if reading.sql is not None:
        raise InputError("`sql` goes with a database; these points are none: leave it out.")
    paths = paths_of(points)
    if isinstance(points, Piece) or paths is not None:
        from ..sources.files import file_blocks, piece_blocks

        if isinstance(points, Piece):
            return piece_blocks(points, reading)
        return file_blocks(paths or [], reading, advance)
    if hasattr(points, "geometry") or (hasattr(points, "columns") and reading.x is not None):
        return _from_frame(points, reading)
    if isinstance(points, (tuple, list)) and len(points) == 2:
        return _from_arrays(points[0], points[1], _arrays_mover(reading), reading.person)
    if hasattr(points, "__next__"):
        return _from_iterator(points, reading)
    raise InputError(
        "points must be a GeoDataFrame, a GeoSeries, a table with x and y columns, a pair of "
        "arrays (x, y), an iterator of such pairs, a path, several paths, or a database; "
        f"got {type(points).__name__}."
    )


def is_duckdb(points: Any) -> bool:
    """Whether it is a DuckDB file or an open connection."""
    if isinstance(points, (str, os.PathLike)):
        return Path(points).suffix.lower() in DUCKDB_FILES
    return type(points).__name__ == "DuckDBPyConnection"


def paths_of(points: Any) -> list[Path] | None:
    """Paths, where the points are one or several; None where they are something else."""
    if isinstance(points, (str, os.PathLike)):
        return [Path(points)]
    if isinstance(points, (list, tuple)) and all(
        isinstance(path, (str, os.PathLike)) for path in points
    ):
        return [Path(path) for path in points]
    return None


def _arrays_mover(reading: Reading) -> Move:
    return reading.mover(reading.domain.crs if reading.crs is None else reading.crs)


def _from_arrays(x: Any, y: Any, move: Move, person: Any) -> Iterator[Block]:
    try:
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("x and y must be arrays of numbers; got something else.") from None
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise InputError("x and y must be flat arrays of one length; these are not.")
    if person is not None and (not hasattr(person, "__len__") or isinstance(person, str)):
        raise InputError("person must be an array as long as x and y; this is not.")
    if person is not None and len(person) != len(xs):
        raise InputError("person must be an array as long as x and y; this is not.")
    for start in range(0, len(xs), BLOCK):
        part = slice(start, start + BLOCK)
        yield *move(xs[part], ys[part]), None if person is None else np.asarray(person[part])


def _from_iterator(blocks: Any, reading: Reading) -> Iterator[Block]:
    move = _arrays_mover(reading)
    parts = 2 if reading.person is None else 3
    for block in blocks:
        if not isinstance(block, (tuple, list)) or len(block) != parts:
            raise InputError(
                "an iterator of points must yield pairs (x, y), or (x, y, person) together with "
                "`person=True`; it yields something else."
            )
        yield from _from_arrays(block[0], block[1], move, None if parts == 2 else block[2])


def _from_frame(frame: Any, reading: Reading) -> Iterator[Block]:
    columns = list(getattr(frame, "columns", ()))
    person = reading.person
    reading.wanted("geometry", columns)
    names = None if person is None else frame[person]
    if reading.x is not None:
        xs, ys = (_numeric(frame[name]) for name in (reading.x, reading.y))
        whose = None if names is None else names.to_numpy(dtype=object)
        yield from _from_arrays(xs, ys, reading.mover(None), whose)
        return
    move = reading.mover(frame.crs)
    shapes = np.asarray(frame.geometry.array)
    for start in range(0, len(shapes), BLOCK):
        part = slice(start, start + BLOCK)
        x, y, feature = coordinates(shapes[part], reading.max_records)
        whose = None if names is None else names.iloc[part].to_numpy(dtype=object)[feature]
        yield *move(x, y), whose


def _numeric(column: Any) -> Any:
    """Floats of a pandas column; NaN where a value is missing or does not parse."""
    import pandas

    return pandas.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
