"""Tell what the points are: the one place that decides it, and a module for each kind.

:func:`read_points` takes anything that holds points, :func:`read_sql` a database; both only
describe. Nothing is read before :func:`geodp.release` counts.
"""

from __future__ import annotations

import sys
from typing import Any

from ..core.common.errors import InputError
from ..core.records.arrays import array_source
from ..core.records.source import PointSource
from .columns import Layout
from .opening import path_kind


def read_points(
    points: Any,
    *,
    x: str | None = None,
    y: str | None = None,
    crs: Any = None,
    layer: str | None = None,
    decimal: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    date_format: str | None = None,
    scheduler: Any = None,
) -> PointSource:
    """Say where points are and how they stand there; nothing is read yet.

    Parameters
    ----------
    points : path, paths, frame, arrays, iterator, Arrow or Dask collection
        A vector file, GeoParquet, GeoJSON or CSV; several of them; a folder of Parquet or CSV
        files; a GeoDataFrame, GeoSeries or DataFrame; a pair ``(x, y)`` or a mapping of named
        arrays; an iterator of such arrays; a Dask DataFrame or GeoDataFrame; anything that speaks
        Arrow, such as tables of pyarrow, Polars and ibis, relations of DuckDB, frames of SedonaDB,
        and GeoArrow.
    x, y : str, optional
        Columns of coordinates, where there is no geometry.
    crs : optional
        CRS of coordinates that do not state their own; for arrays, the domain's by default.
    layer : str, optional
        Layer of a file that holds several; by default the first.
    decimal : {".", ","}, optional
        Decimal mark of the numbers in a text file; a point by default, but beside semicolons, where
        it must be said.
    separator : str, optional
        What separates the fields of a text file; by default comma, semicolon or tab, as its header
        line shows.
    encoding : str, optional
        What a text file is in, such as ``"cp1252"`` for files of Windows; UTF-8 by default.
    date_format : str, optional
        How dates and times stand in a text file, such as ``"%d.%m.%Y"`` or ``"%m/%d/%Y %H:%M"``;
        as in ISO 8601 by default.
    scheduler : str or client, optional
        Where Dask counts files or a Dask collection: ``"tcp://…"``, a ``distributed.Client``, or a
        name such as ``"processes"``. By default a Dask collection goes to the active client, and
        files are counted in this process.

    Returns
    -------
    PointSource
        What :func:`geodp.release` takes as points.

    Examples
    --------
    >>> import geodp
    >>> geodp.read_points({"east": [1.0, 2.0], "north": [3.0, 4.0]}, x="east", y="north")
    ArraySource(private)
    """
    if isinstance(points, PointSource):
        options = (x, y, crs, layer, decimal, separator, encoding, date_format, scheduler)
        if any(option is not None for option in options):
            raise InputError("these points were described already; give the options there.")
        return points
    layout = Layout(x, y, crs, layer, decimal, separator, encoding, date_format)
    source = _described(points, layout, scheduler)
    if scheduler is not None and not hasattr(source, "scheduler"):
        raise InputError(
            "a scheduler counts files and Dask collections; these points are neither: leave it out."
        )
    return source


def _described(points: Any, layout: Layout, scheduler: Any) -> PointSource:
    from .dask import DaskSource, is_dask

    if path_kind(points) is not None:
        points = [points]
    if isinstance(points, (list, tuple)) and all(path_kind(p) for p in points):
        from .files import file_source

        files = file_source(points, layout)
        return files if scheduler is None else DaskSource(files, layout, scheduler)
    if layout.for_text_only:
        raise InputError(
            "a decimal mark, a separator, an encoding and a date format are for text files such as "
            "CSV; these points are none: leave them out."
        )
    if is_dask(points):
        return DaskSource(points, layout, scheduler)
    if _is_frame(points):
        from .frames import FrameSource

        return FrameSource(points, layout)
    if layout.layer is not None:
        raise InputError("a layer belongs to a file; these points are none: leave it out.")
    if hasattr(points, "__arrow_c_stream__"):
        from .arrow import ArrowSource

        return ArrowSource(points, layout)
    arrays = array_source(points, x=layout.x or "x", y=layout.y or "y", crs=layout.crs)
    if arrays is not None:
        return arrays
    raise InputError(
        "points must be a GeoDataFrame, a GeoSeries, a table with x and y columns, a pair of "
        "arrays (x, y), named arrays, an iterator of such arrays, a table that speaks Arrow, a "
        f"path, several paths, or what `read_sql` gives; got {type(points).__name__}"
        f"{': make a DataFrame of it' if hasattr(type(points), 'columns') else ''}"
        f"{': make it a column of a table' if hasattr(points, '__arrow_c_array__') else ''}"
        f"{': pass `(xy[:, 0], xy[:, 1])`' if getattr(points, 'ndim', 0) == 2 else ''}."
    )


def _is_frame(points: Any) -> bool:
    """Tell whether it is a table of pandas or a column of geometries.

    Other tables have attributes of the same names that mean something else: those of pyarrow list
    the records themselves as their columns.
    """
    pandas = sys.modules.get("pandas")  # imported by whoever made the frame
    if pandas is None:
        return False
    column = isinstance(points, pandas.Series) and hasattr(points, "geometry")
    return column or isinstance(points, pandas.DataFrame)


def read_sql(
    database: Any,
    query: str | None = None,
    *,
    table: str | None = None,
    x: str | None = None,
    y: str | None = None,
    crs: Any = None,
) -> PointSource:
    """Say which query of a database gives the points; nothing is read yet.

    Parameters
    ----------
    database : str, path or connection
        Address of PostgreSQL with PostGIS, ``postgresql://…``; a DuckDB file or connection.
    query : str, optional
        A query that returns a geometry, or columns of coordinates, and the person if there is one.
    table : str, optional
        A whole table instead of a query.
    x, y : str, optional
        Columns of coordinates; ``x`` and ``y`` by default where there is no geometry.
    crs : optional
        CRS of the coordinates, where the declared type of a geometry does not state it.

    Returns
    -------
    PointSource
        What :func:`geodp.release` takes as points.
    """
    from .databases import database_source, table_query

    if (query is None) == (table is None):
        raise InputError("a database needs a query or a table; give one of them, not both.")
    if table is not None:
        query = table_query(table)
    assert query is not None
    return database_source(database, query, Layout(x, y, crs))


__all__ = ["read_points", "read_sql"]
