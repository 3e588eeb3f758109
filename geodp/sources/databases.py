"""Run queries of PostGIS and DuckDB through their own clients, batch by batch.

Rows are never written anywhere. Messages of a database may quote rows, and addresses hold
passwords, so neither is ever repeated: an error names its kind, and once rows are read not even
that, since one of them may be the reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.common.errors import FileError, GeodpError, InputError
from ..core.records.arrays import group_values, no_group, numbers
from ..core.records.ids import Ids, no_ids
from ..core.records.source import BLOCK, Advance, Block, PointSource, Request
from .columns import (
    Layout,
    batch_block,
    check_group,
    check_ids,
    check_numbers,
    is_binary,
    places,
)  # fmt: skip
from .opening import path_kind, without_secrets

FETCH = 1 << 16
"""Rows fetched from PostgreSQL at once; as Python objects they are bulky."""

UNANSWERED = (
    "the database must answer the query to its last row; it did not, and why is not told, since a "
    "row may be the reason: check for casts, divisions and functions that fail for some value."
)
"""For what fails once rows are read; before, an error names its kind."""


class DatabaseSource(PointSource):
    """Read a query of a database, described and not yet run.

    Parameters
    ----------
    database : str, path or DuckDB connection
        Address of PostgreSQL, or a DuckDB file or connection.
    query : str
        A query that returns a geometry, or columns of coordinates, and the person if there is one.
    layout : Layout
        Columns of coordinates and CRS.
    """

    def __init__(self, database: Any, query: str, layout: Layout) -> None:
        self._database, self.query, self.layout = database, query.strip().rstrip(";"), layout

    def __repr__(self) -> str:
        # Not the query: that of a foreign table or an attached database may hold a password.
        return f"read_sql(…{self.layout.in_words})"

    def check(self, request: Request) -> None:
        for _ in self._rows(request, reading=False):
            pass

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        return self._rows(request, reading=True)

    def _rows(self, request: Request, *, reading: bool) -> Iterator[Block]:
        if path_kind(self._database) == "postgres":
            return _postgres(self._database, self.query, self.layout, request, reading)
        return _duckdb(self._database, self.query, self.layout, request, reading)


def table_query(table: str) -> str:
    """Write the query for a complete table, whose name may have a schema before it."""
    return f"SELECT * FROM {'.'.join(map(_quoted, table.split('.')))}"


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _with_columns(
    layout: Layout, request: Request, names: list[str], geometry: str | None
) -> Layout:
    """Take x and y for coordinates where a query has no geometry and names none."""
    if geometry is None and layout.x is None:
        if not {"x", "y"} <= set(names):
            raise InputError(
                "the query must return a geometry, or columns x and y; it returns neither: name "
                "the columns of coordinates."
            )
        layout = replace(layout, x="x", y="y")
    request.check_columns(names, layout.x, layout.y, declared=True)
    if layout.x is not None:
        request.check_kind("table")
    return layout


def _missing(database: str, package: str, extra: str) -> GeodpError:
    return GeodpError(
        f"reading from {database} needs the package {package}, which is not installed: install it "
        f"with the extra geodp[{extra}]."
    )


@contextmanager
def _answering(
    kinds: tuple[type[Exception], ...], refusal: Callable[[Exception], str], reading: bool
) -> Iterator[None]:
    """Turn errors into sentences that name their kind, and not even that once rows are read."""
    try:
        yield
    except GeodpError:
        raise
    except kinds as error:
        raise FileError(UNANSWERED if reading else refusal(error)) from None


# --- PostgreSQL ----------------------------------------------------------------------------------

_POINTS = ("geometry", "geography", "bytea")
_NUMBERS = ("int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "bpchar")
_AS_THEY_ARE = ("int2", "int4", "int8", "float8", "numeric", "bool", "text", "varchar", "uuid")
_NO_IDS = ("float4", "time", "timetz", "interval", "json", "jsonb", "xml", "point", *_POINTS)
_ODD = ("interval", "json", "jsonb", "xml", "point", *_POINTS)
_CLOCKS, _DATES = ("time", "timetz"), ("date", "timestamp", "timestamptz")
_COUNTS = ("int2", "int4", "int8", "float4", "float8", "numeric", "bool")
_NO_GROUPS = {
    "category": (*_ODD, *_CLOCKS),
    "number": (*_ODD, *_CLOCKS, *_DATES),
    "time": (*_ODD, *_CLOCKS, *_COUNTS),
    "weekday": (*_ODD, *_CLOCKS, *_COUNTS),
    "clock": (*_ODD, *_COUNTS),
}
"""Types of which no value could be in a group, by what is asked for."""

_HELD = {
    "bool": "bool",
    **dict.fromkeys(("int2", "int4", "int8"), "whole"),
    **dict.fromkeys(("float4", "float8", "numeric"), "number"),
    **dict.fromkeys(_DATES, "time"),
}
"""What types hold, where it says which categories there can be."""

_SHAPES = ("", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon")
"""Kinds of geometry by their number in the modifier of a declared type."""


def _postgres_errors(reading: bool) -> AbstractContextManager[None]:
    try:
        import psycopg
    except ImportError:
        raise _missing("PostgreSQL", "psycopg", "postgis") from None

    def refusal(error: Exception) -> str:
        state = getattr(error, "sqlstate", None)
        return (
            "the database must accept the connection and answer the query; it did not "
            f"({type(error).__name__}{f' {state}' if state else ''}): check address, password and "
            "query."
        )

    return _answering((psycopg.Error,), refusal, reading)


def _postgres(
    address: str, query: str, layout: Layout, request: Request, reading: bool
) -> Iterator[Block]:
    """Yield blocks of a query, through a cursor on the server that hands out batches."""
    with _postgres_errors(reading):
        import psycopg

        with psycopg.connect(_address(address), application_name="geodp") as connection:
            connection.read_only = True
            _settle(connection)
            columns = _described(connection, query)
            geometry, crs, kind = _postgres_geometry(connection, columns, layout)
            layout = _with_columns(layout, request, list(columns), geometry)
            request.check_kind(kind if geometry is not None else "table")
            _check_types(columns, layout, request)
            move = request.reprojection(layout.crs if crs is None else crs)
            if not reading:
                return
            wanted = layout.wanted(request, geometry)
            # Some values as text: a date beyond Python's calendar must not stop the other rows.
            told_apart = {request.person, *(field.name for field in request.fields)}
            as_text = [n for n in wanted if n in told_apart and columns[n][0] not in _AS_THEY_ARE]
            fields = [_quoted(name) + ("::text" if name in as_text else "") for name in wanted]
            # The query stands on lines of its own: it may end with a comment.
            outer = f"SELECT {', '.join(fields)} FROM (\n{query}\n) AS geodp"
            with connection.cursor("geodp", binary=True) as cursor:
                cursor.execute(outer.encode(_encoding(connection)))
                while rows := cursor.fetchmany(FETCH):
                    # Not zip(*rows): it makes an iterator for each row, which took most time.
                    values = {name: [row[n] for row in rows] for n, name in enumerate(wanted)}
                    x, y, feature = _postgres_places(values, geometry, layout, request)
                    ids = None
                    if request.person is not None:
                        ids = Ids.of(list(values[request.person]))
                        ids = ids if feature is None else ids.take(feature)
                    group = request.group_codes(values, group_values, feature)
                    yield Block(*move(x, y), ids, group)


def _address(address: Any) -> str:
    """Write an address as libpq wants it, whatever driver it names and slashes it lost."""
    text = re.sub(r"(?i)^pg:", "", str(address).strip())
    return re.sub(r"^[A-Za-z][A-Za-z0-9+.-]+:/+", "postgresql://", text)


def _settle(connection: Any) -> None:
    """Make values come in one form, whatever the settings of server and client are.

    Text comes as it is stored, and is decoded here: where the server turns it into another
    encoding, a single value that has no place there would stop all.
    """
    import psycopg

    connection.execute("SET TIME ZONE 'UTC'")
    connection.execute("SET DateStyle TO 'ISO, YMD'")
    stored = connection.info.parameter_status("server_encoding")
    connection.execute(f"SET client_encoding TO '{stored}'")
    encoding = _encoding(connection)

    class Text(psycopg.adapt.Loader):
        def load(self, data: Any) -> str:
            return bytes(data).decode(encoding, "backslashreplace")

    class BinaryText(Text):
        format = psycopg.pq.Format.BINARY

    for name in ("text", "varchar", "bpchar", "name"):
        connection.adapters.register_loader(name, Text)
        connection.adapters.register_loader(name, BinaryText)


def _encoding(connection: Any) -> str:
    encoding: str = connection.info.encoding
    return "utf-8" if encoding == "ascii" else encoding  # SQL_ASCII takes any bytes


def _described(connection: Any, query: str) -> dict[str, tuple[str, int]]:
    """Return type and modifier of each column of a query, of which no row is asked for."""
    words = f"SELECT * FROM (\n{query}\n) AS geodp LIMIT 0"
    described = connection.execute(words.encode(_encoding(connection)))
    types = dict(connection.execute("SELECT oid::int8, typname FROM pg_type").fetchall())
    return {
        column.name: (types.get(column.type_code, ""), described.pgresult.fmod(place))
        for place, column in enumerate(described.description or ())
    }


def _check_types(columns: dict[str, tuple[str, int]], layout: Layout, request: Request) -> None:
    for name in (layout.x, layout.y):
        if name is not None and columns[name][0] not in _NUMBERS:
            raise InputError(
                f"x and y must be columns of numbers; one is declared as {columns[name][0]}: name "
                "others."
            )
    if request.person is not None:
        kind = columns[request.person][0]
        if kind in _NO_IDS or kind.startswith("_"):
            raise no_ids(request.person, kind)
    for field in request.fields:
        kind = columns[field.name][0]
        if kind in _NO_GROUPS[field.kind] or kind.startswith("_"):
            raise no_group(field, kind)
        if kind in _HELD:
            field.check_categories(_HELD[kind], kind)


def _postgres_places(
    values: dict[str, Any], geometry: str | None, layout: Layout, request: Request
) -> Any:
    if geometry is None:
        return *(numbers(values[str(name)]) for name in (layout.x, layout.y)), None
    import pyarrow

    return places(pyarrow.array(values[geometry], type=pyarrow.large_binary()), request)


def _postgres_geometry(
    connection: Any, columns: dict[str, tuple[str, int]], layout: Layout
) -> tuple[str | None, Any, str | None]:
    """Find the first column of geometries or bytes, and the CRS and kind that it declares.

    The SRID is taken from the declared type and never from rows, which are private.
    """
    if layout.x is not None:
        return None, None, None
    for name, (kind, modifier) in columns.items():
        if kind in _POINTS:
            declared = modifier if kind != "bytea" and modifier >= 0 else 0
            shape = (declared & 0xFC) >> 2  # bits 2 to 7 hold the kind, 8 to 28 the SRID
            words = (_SHAPES[shape] or None) if shape < len(_SHAPES) else "other than points"
            return name, _declared_crs(connection, (declared & 0x0FFFFF00) >> 8), words
    return None, None, None


def _declared_crs(connection: Any, srid: int) -> str | None:
    if not srid:
        return None
    known = connection.execute(
        "SELECT auth_name || ':' || auth_srid FROM spatial_ref_sys WHERE srid = %s", [srid]
    ).fetchone()
    return None if known is None else known[0]


# --- DuckDB --------------------------------------------------------------------------------------


def _duckdb_errors(source: Any, reading: bool) -> AbstractContextManager[None]:
    try:
        import duckdb
    except ImportError:
        raise _missing("DuckDB", "duckdb", "duckdb") from None
    import pyarrow

    def refusal(error: Exception) -> str:
        kind, remedy = type(error).__name__, "check path and query"
        if kind == "CatalogException" and not isinstance(source, (str, os.PathLike)):
            # A cursor does not see what a connection keeps for itself.
            remedy = (
                "check the query; of temporary tables and registered frames pass the relation, "
                "`read_points(connection.sql(query))`"
            )
        return f"the DuckDB database must open and answer the query; it did not ({kind}): {remedy}."

    # The last is what Arrow makes of an error of DuckDB in the middle of an answer.
    return _answering((duckdb.Error, pyarrow.ArrowException, OSError), refusal, reading)


def _duckdb(
    source: Any, query: str, layout: Layout, request: Request, reading: bool
) -> Iterator[Block]:
    """Yield blocks of a query on a file or an open connection, as record batches."""
    with _duckdb_errors(source, reading), _duckdb_connection(source) as connection:
        schema = _arrow_reader(connection, f"SELECT * FROM (\n{query}\n) LIMIT 0").schema
        geometry = None
        if layout.x is None:
            geometry = next((field.name for field in schema if is_binary(field.type)), None)
        layout = _with_columns(layout, request, schema.names, geometry)
        if request.person is not None:
            check_ids(schema.field(request.person).type, request.person)
        for field in request.fields:
            check_group(schema.field(field.name).type, field)
        for name in (layout.x, layout.y):
            if name is not None:
                check_numbers(schema.field(name).type)
        move = request.reprojection(layout.crs)
        if not reading:
            return
        wanted = ", ".join(map(_quoted, layout.wanted(request, geometry)))
        for batch in _arrow_reader(connection, f"SELECT {wanted} FROM (\n{query}\n)"):
            yield batch_block(batch, geometry, layout, request, move)


def _arrow_reader(connection: Any, query: str) -> Any:
    relation = connection.sql(query)
    if relation is None:
        raise InputError("the query must return rows; this one does not.")
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return read(BLOCK)  # the second is its name in older versions


@contextmanager
def _duckdb_connection(source: Any) -> Iterator[Any]:
    import duckdb

    if not isinstance(source, (str, os.PathLike)):
        with source.cursor() as connection:  # the user's own stays as it is
            yield connection
        return
    if not Path(source).exists():
        raise FileError(f"the points file must exist; there is no {without_secrets(source)}.")
    # No temporary directory: a query too large for memory must fail rather than write rows down.
    with duckdb.connect(str(source), read_only=True, config={"temp_directory": ""}) as connection:
        yield connection


def database_source(database: Any, query: str, layout: Layout) -> DatabaseSource:
    """Check that it is a database, and never repeat its address."""
    if path_kind(database) not in ("postgres", "duckdb"):
        raise InputError(
            "a query needs a database: an address postgresql://…, a .duckdb file or a DuckDB "
            "connection; this is none."
        )
    if not str(query).strip():
        raise InputError("a database needs a query; this one is empty.")
    return DatabaseSource(database, query, layout)
