"""Count in the database, or fetch its rows? Processor time of both, here and of the server.

The points are made on the fly (300 towns). A table ``geodp_benchmark`` of PostGIS is made in the
database that is named, on this machine, and removed afterwards; DuckDB has a file of its own.

    python benchmarks/databases.py --postgres postgresql://me@127.0.0.1/db    # some minutes
    python benchmarks/databases.py --postgres … --write    # and put the figures into docs/scale.md
    python benchmarks/databases.py --quick    # DuckDB alone, a hundred thousand points
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from shared import BOUNDS, CRS, DOCS, load, make_parser, table, towns, write_part

import geodp
from geodp.core.space.frame import Frame

TABLE = "geodp_benchmark"
WEST, SOUTH, EAST, NORTH = BOUNDS
DOMAIN = geodp.Domain(BOUNDS, crs=CRS)
GRID = geodp.Grid(DOMAIN, (100, 125))
FETCH = 1 << 16


def server_busy() -> float:
    """Return seconds of processors that PostgreSQL has used here; those that ended, too."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = status.read_text().rsplit(")", 1)
        except OSError:  # it has just ended
            continue
        if name.endswith("(postgres"):
            ticks += sum(map(int, rest.split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def busy(work: Callable[[], object]) -> tuple[float, float]:
    """Return seconds of processors of this process and of the server."""
    time.sleep(1.5)  # a connection that was closed is counted a little later
    client, server = time.process_time(), server_busy()
    work()
    taken = time.process_time() - client
    time.sleep(1.5)
    return taken, server_busy() - server


# --- PostGIS -------------------------------------------------------------------------------------


@contextmanager
def postgis(address: str, count: int) -> Iterator[None]:
    """Make a table of points, and remove it."""
    import psycopg

    row = np.dtype([("n", ">i2"), ("a", ">i4"), ("x", ">f8"), ("b", ">i4"), ("y", ">f8")])
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS postgis")
        connection.execute("CREATE TEMPORARY TABLE made (x float8, y float8)")
        command = "COPY made FROM STDIN (FORMAT binary)"
        with connection.cursor() as cursor, cursor.copy(command) as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack("!II", 0, 0))
            for x, y in towns(count):
                rows = np.empty(len(x), dtype=row)
                rows["n"], rows["a"], rows["b"] = 2, 8, 8
                rows["x"], rows["y"] = x, y
                copy.write(rows.tobytes())
            copy.write(struct.pack("!h", -1))
        point = f"ST_SetSRID(ST_MakePoint(x, y), {CRS.split(':')[1]})"
        kind = f"geometry(Point, {CRS.split(':')[1]})"
        connection.execute(f"CREATE TABLE {TABLE} AS SELECT {point}::{kind} AS geom FROM made")
        try:
            connection.execute(f"VACUUM ANALYZE {TABLE}")
            yield
        finally:
            connection.execute(f"DROP TABLE {TABLE}")


def postgis_counts(address: str, x_edges: Any, y_edges: Any) -> None:
    """Fetch the count of each filled cell, whose borders are compared with as float64."""
    import psycopg

    values = {
        "x_edges": x_edges[:-1].tolist(),
        "y_edges": y_edges[:-1].tolist(),
        "last_x": float(np.nextafter(EAST, WEST)),
        "last_y": float(np.nextafter(NORTH, SOUTH)),
        **dict(zip(("west", "south", "east", "north"), BOUNDS)),
    }
    query = f"""
        SELECT width_bucket(least(x, %(last_x)s::float8), %(x_edges)s::float8[]) - 1,
               width_bucket(least(y, %(last_y)s::float8), %(y_edges)s::float8[]) - 1, count(*)
        FROM (SELECT ST_X(geom) AS x, ST_Y(geom) AS y FROM {TABLE} OFFSET 0) AS points
        WHERE x BETWEEN %(west)s::float8 AND %(east)s::float8
          AND y BETWEEN %(south)s::float8 AND %(north)s::float8
        GROUP BY 1, 2
    """
    with psycopg.connect(address) as connection:
        connection.execute("SET work_mem = '1GB'")
        with connection.cursor("counts", binary=True) as cursor:
            cursor.execute(query, values)
            while rows := cursor.fetchmany(FETCH):
                np.array(rows)


# --- DuckDB --------------------------------------------------------------------------------------


def make_duckdb(path: Path, count: int) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE {TABLE} (x DOUBLE, y DOUBLE)")
        for x, y in towns(count):
            part = pa.table({"x": x, "y": y})
            connection.register("part", part)
            connection.execute(f"INSERT INTO {TABLE} SELECT * FROM part")


def duckdb_counts(path: Path, x_edges: Any, y_edges: Any) -> None:
    """Fetch counts by rounding, which is faster than comparing with borders, and not exact."""
    columns, rows = len(x_edges) - 1, len(y_edges) - 1
    query = f"""
        SELECT floor((x - {WEST}) * {columns / (EAST - WEST)!r})::INTEGER AS i,
               floor((y - {SOUTH}) * {rows / (NORTH - SOUTH)!r})::INTEGER AS j, count(*)
        FROM {TABLE}
        WHERE x BETWEEN {WEST} AND {EAST} AND y BETWEEN {SOUTH} AND {NORTH} GROUP BY i, j
    """
    with duckdb.connect(str(path), read_only=True) as connection:
        relation = connection.sql(query)
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
        for batch in read(FETCH):
            len(batch)


# --- table ---------------------------------------------------------------------------------------


def rows_for(name: str, source: Any, query: str, counts: Callable[[Any, Any], None]) -> list[Any]:
    """Time whole releases from rows, and only the counts from the database, on two lattices."""
    frame = Frame(DOMAIN)

    def released(cells: Any) -> Callable[[], object]:
        points = geodp.read_sql(source, query, crs=CRS)
        return lambda: geodp.release(points, DOMAIN, epsilon=1, cells=cells)

    works = {
        "whole release by rows, one grid": released(geodp.Regular([GRID])),
        "whole release by rows, adaptive": released(geodp.Adaptive()),
        "counts of one grid alone": lambda: counts(GRID.x_edges, GRID.y_edges),
        "counts of the base lattice alone": lambda: counts(frame.x_edges, frame.y_edges),
    }
    rows = []
    for job, work in works.items():
        print(f"{name}: {job}", file=sys.stderr, flush=True)
        client, server = busy(work)
        if name == "DuckDB":  # which has no server, whatever others do with theirs
            server = 0.0
        figures = (f"{taken:.2f}" for taken in (client, server, client + server))
        rows.append((f"{name}, {job}", *figures))
    return rows


def report(address: str | None, quick: bool) -> str:
    count = 10**5 if quick else 10**7
    rows = []
    if address is not None:
        with postgis(address, count):
            query = f"SELECT geom FROM {TABLE}"
            rows += rows_for("PostGIS", address, query, lambda x, y: postgis_counts(address, x, y))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "points.duckdb"
        make_duckdb(path, count)
        query = f"SELECT x, y FROM {TABLE}"
        rows += rows_for("DuckDB", path, query, lambda x, y: duckdb_counts(path, x, y))
    heads = (f"{count:,} rows", "processor here, s", "of the server, s", "together, s")
    note = (
        f"Made by `python benchmarks/databases.py` on {os.cpu_count()} processors, with a load of "
        f"{load():.1f} per processor at the end of the run."
    )
    return "\n".join(table(heads, rows)) + f"\n\n{note}"


def main() -> None:
    parser = make_parser(__doc__, "DuckDB alone, a hundred thousand points", "scale.md")
    parser.add_argument("--postgres", help="address of a database with PostGIS, on this machine")
    options = parser.parse_args()
    text = report(None if options.quick else options.postgres, options.quick)
    print(text)
    if options.write:
        write_part(DOCS / "scale.md", "databases", text)


if __name__ == "__main__":
    main()
