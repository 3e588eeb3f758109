"""Read points from anything that speaks Arrow: tables of pyarrow or Polars, relations, GeoArrow.

Such an object hands out a stream of record batches (``__arrow_c_stream__``), which is read block by
block and never as a whole. Only the declared schema can make it be refused. Tables of ibis are
asked for the columns that are needed alone, since ibis hands over a result at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from ..core.common.errors import InputError
from ..core.records.source import BLOCK, Advance, Block, PointSource, Request
from .columns import Layout, batch_block, is_binary
from .parquet import check_fields, checked_schema

_VIEWS = {"string_view": "large_string", "binary_view": "large_binary"}
"""Types of text that some libraries prefer, and what every version of pyarrow computes with."""

_RULE = (
    "points that speak Arrow must hand out a table of columns, and a reader of batches can be read "
    "once; {}: pass a table."
)

_READ: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""Readers of batches that were read, by any source, by their identity."""


class ArrowSource(PointSource):
    """Read a table, a reader or a relation that gives record batches.

    A reader of batches can be read once; tables and relations any number of times.

    Parameters
    ----------
    points
        What speaks Arrow.
    layout : Layout
        Columns of coordinates, if there is no geometry, and the CRS where none is stated.
    """

    def __init__(self, points: Any, layout: Layout) -> None:
        if layout.layer is not None:
            raise InputError("a layer belongs to a file; these points are a table: leave it out.")
        self._points, self.layout = points, layout
        self._reader: Any = None
        self._is_read = False

    def __repr__(self) -> str:
        return f"ArrowSource(private{self.layout.in_words})"

    def check(self, request: Request) -> None:
        self._checked(request)

    def _checked(self, request: Request) -> tuple[Any, str | None]:
        """Return CRS and name of the geometry column.

        It is the first of WKB where no column says what it holds.
        """
        schema = _plain_schema(self._schema())
        # Names may be a record, where the table was read from a text file without a header line.
        check_fields(schema, self.layout, request, declared=False)
        if self.layout.x is None and not _says_geometry(schema):
            binary = next((field.name for field in schema if is_binary(field.type)), None)
            if binary is not None:
                return None, binary
        return checked_schema("the table", schema, self.layout, request)

    def _schema(self) -> Any:
        """Return the declared columns; where ibis knows them, no query is run for them."""
        if not _is_ibis(self._points):
            return self._stream().schema
        try:
            return self._points.schema().to_pyarrow()
        except Exception:  # Arrow lacks the type
            raise InputError(_RULE.format("this Table does not")) from None

    def _stream(self) -> Any:
        """Return the reader that nobody has read from yet."""
        if self._is_read or _READ.get(id(self._points)) is self._points:
            raise InputError(_RULE.format("this one was"))  # it would be empty the second time
        if self._reader is None:
            self._reader = _opened(self._points)
        return self._reader

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        import pyarrow

        crs, geometry = self._checked(request)
        move = request.reprojection(self.layout.crs if crs is None else crs)
        wanted = self.layout.wanted(request, geometry)
        if _is_ibis(self._points):
            reader = pyarrow.RecordBatchReader.from_stream(self._points.select(wanted))
        else:
            reader, self._reader = self._stream(), None
            if hasattr(self._points, "__next__"):
                self._is_read = True
                with suppress(TypeError):  # some objects take no weak reference
                    _READ[id(self._points)] = self._points
        for batch in reader:
            columns = [_plain(batch.column(name)) for name in wanted]
            chosen = pyarrow.RecordBatch.from_arrays(columns, wanted)
            for start in range(0, len(chosen), BLOCK):
                part = chosen.slice(start, BLOCK)
                yield batch_block(part, geometry, self.layout, request, move)


class _Stream:
    """Ask points for no other schema than theirs: some, as DuckDB 1.1, take no wish."""

    def __init__(self, points: Any) -> None:
        self._points = points

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        del requested_schema
        return self._points.__arrow_c_stream__()


def _opened(points: Any) -> Any:
    """Open a reader of record batches; what libraries say where there is none may quote rows."""
    try:
        import pyarrow

        # Not through the stream, where pyarrow up to 23 crashes on short text in views.
        if isinstance(points, pyarrow.RecordBatch):
            points = pyarrow.Table.from_batches([points])
        if isinstance(points, pyarrow.Table):
            return points.to_reader()
        if isinstance(points, pyarrow.RecordBatchReader):
            return points
        return pyarrow.RecordBatchReader.from_stream(_Stream(points))
    except Exception:
        raise InputError(_RULE.format(f"this {type(points).__name__} does not")) from None


def _is_ibis(points: Any) -> bool:
    """Tell whether it is a table of ibis: a query that a database has not run yet."""
    ibis = sys.modules.get("ibis")  # whoever has such a table has imported it
    return ibis is not None and isinstance(points, ibis.Table)


def _says_geometry(schema: Any) -> bool:
    """Tell whether the table, or one of its columns, says where geometries are."""
    named = any(
        b"ARROW:extension:name" in (field.metadata or {}) or hasattr(field.type, "extension_name")
        for field in schema
    )
    return named or b"geo" in (schema.metadata or {})


def _plain_schema(schema: Any) -> Any:
    import pyarrow

    for place, field in enumerate(schema):
        word = _VIEWS.get(str(field.type))
        if word is not None:
            schema = schema.set(place, field.with_type(getattr(pyarrow, word)()))
    return schema


def _plain(column: Any) -> Any:
    import pyarrow

    word = _VIEWS.get(str(column.type))
    return column if word is None else column.cast(getattr(pyarrow, word)())
