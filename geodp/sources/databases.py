"""Tables and queries of PostGIS and DuckDB as blocks of coordinates, through their own clients.

Rows arrive in batches and are never written anywhere. Messages of a database may quote rows, and
connection strings hold passwords, so neither is ever repeated: an error names only its kind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..core.axis import Floats
from ..core.columns import Block, Reading, batch_block, is_binary, places
from ..core.errors import FileError, GeodpError, InputError

_FETCH = 1 << 16
"""Rows fetched from PostgreSQL at once; as Python objects they are bulky."""


def query_of(reading: Reading) -> str:
    """The query: as given, or the whole of a table, of which only named columns are fetched."""
    if (reading.sql is None) == (reading.layer is None):
        raise InputError("a database needs a query or a table; pass `sql` or `layer`, not both.")
    if reading.sql is not None:
        return reading.sql.strip().rstrip(";")
    columns = "*"
    if reading.x is not None:
        columns = ", ".join(map(_quoted, reading.fields))
    table = ".".join(map(_quoted, str(reading.layer).split(".")))
    return f"SELECT {columns} FROM {table}"


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _with_columns(reading: Reading, names: list[str], geometry: str | None) -> Reading:
    """Where a query has no geometry and names no coordinates, its x and y are they."""
    if geometry is None and reading.x is None:
        if not {"x", "y"} <= set(names):
            raise InputError(
                "the query must return a geometry, or columns x and y; it returns neither: name "
                "the columns of coordinates with `x` and `y`."
            )
        reading = Reading(**{**vars(reading), "x": "x", "y": "y"})
    reading.wanted(geometry, names)
    return reading


# --- PostgreSQL ----------------------------------------------------------------------------------


@contextmanager
def _postgres_errors() -> Iterator[None]:
    try:
        import psycopg
    except ImportError:
        raise GeodpError(
            "reading from PostgreSQL needs the package psycopg, which is not installed: "
            "install it with the extra geodp[postgis]."
        ) from None
    try:
        yield
    except psycopg.Error as error:
        code = f" {error.sqlstate}" if error.sqlstate else ""
        raise FileError(
            "the database must accept the connection and answer the query; it did not "
            f"({type(error).__name__}{code}): check address, password and sql."
        ) from None


def postgres_blocks(address: str, reading: Reading) -> Iterator[Block]:
    """Blocks of a query, through a cursor on the server that hands out batches."""
    query = query_of(reading)
    with _postgres_errors():
        import psycopg

        with psycopg.connect(address, application_name="geodp") as connection:
            connection.read_only = True
            with connection.cursor("geodp", binary=True) as cursor:
                cursor.execute(query.encode())
                names = [column.name for column in cursor.description or ()]
                geometry, crs = _postgres_geometry(connection, cursor, reading)
                reading = _with_columns(reading, names, geometry)
                move = reading.mover(crs)
                while rows := cursor.fetchmany(_FETCH):
                    fields = dict(zip(names, zip(*rows)))
                    x, y, feature = _postgres_places(fields, geometry, reading)
                    whose = None
                    if reading.person is not None:
                        whose = np.empty(len(rows), dtype=object)
                        whose[:] = fields[reading.person]
                        whose = whose if feature is None else whose[feature]
                    yield *move(x, y), whose


def _postgres_places(fields: dict[str, Any], geometry: str | None, reading: Reading) -> Any:
    if geometry is None:
        return *(_floats(fields[str(name)]) for name in (reading.x, reading.y)), None
    import pyarrow

    return places(pyarrow.array(fields[geometry], type=pyarrow.binary()), reading.max_records)


def _floats(values: tuple[Any, ...]) -> Floats:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("x and y must be columns of numbers; these are not.") from None


def _postgres_geometry(connection: Any, cursor: Any, reading: Reading) -> tuple[str | None, Any]:
    """First column with geometries or bytes, and the CRS that its type declares, if it does.

    The SRID is taken from the declared type and never from rows, which are private.
    """
    if reading.x is not None:
        return None, None
    kinds = dict(
        connection.execute(
            "SELECT oid::int8, typname FROM pg_type WHERE typname IN "
            "('geometry', 'geography', 'bytea')"
        ).fetchall()
    )
    for position, column in enumerate(cursor.description or ()):
        kind = kinds.get(column.type_code)
        if kind is not None:
            modifier = -1 if kind == "bytea" else cursor.pgresult.fmod(position)
            return column.name, _declared_crs(connection, modifier)
    return None, None


def _declared_crs(connection: Any, modifier: int) -> str | None:
    """CRS in the modifier of a geometry type: bits 8 to 28 hold the SRID."""
    srid = (modifier & 0x0FFFFF00) >> 8 if modifier >= 0 else 0
    if not srid:
        return None
    known = connection.execute(
        "SELECT auth_name || ':' || auth_srid FROM spatial_ref_sys WHERE srid = %s", [srid]
    ).fetchone()
    return None if known is None else known[0]


# --- DuckDB --------------------------------------------------------------------------------------


@contextmanager
def _duckdb_errors() -> Iterator[None]:
    try:
        import duckdb
    except ImportError:
        raise GeodpError(
            "reading from DuckDB needs the package duckdb, which is not installed: "
            "install it with the extra geodp[duckdb]."
        ) from None
    import pyarrow

    try:
        yield
    except (duckdb.Error, pyarrow.ArrowException) as error:
        raise FileError(
            "the DuckDB database must open and answer the query; it did not "
            f"({type(error).__name__}): check path and sql."
        ) from None


def duckdb_blocks(source: Any, reading: Reading) -> Iterator[Block]:
    """Blocks of a query on a file or an open connection, as record batches."""
    query = query_of(reading)
    with _duckdb_errors(), _duckdb_connection(source) as connection:
        relation = connection.sql(query)
        if relation is None:
            raise InputError("`sql` must be a query that returns rows; this is not.")
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
        batches = read(reading.block)  # the second is its name in older versions
        geometry = None
        if reading.x is None:
            geometry = next((field.name for field in batches.schema if is_binary(field.type)), None)
        reading = _with_columns(reading, batches.schema.names, geometry)
        move = reading.mover(None)
        for batch in batches:
            yield batch_block(batch, geometry, reading, move)


@contextmanager
def _duckdb_connection(source: Any) -> Iterator[Any]:
    import duckdb

    if not isinstance(source, (str, os.PathLike)):
        with source.cursor() as connection:  # the user's own stays as it is
            yield connection
        return
    if not Path(source).exists():
        raise FileError(f"the points file must exist; there is no {source}.")
    # No temporary directory: a query too large for memory must fail rather than write rows down.
    with duckdb.connect(str(source), read_only=True, config={"temp_directory": ""}) as connection:
        yield connection
