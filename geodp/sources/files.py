"""Points files as blocks of coordinates: Parquet, CSV and whatever GDAL reads, one or many.

A file is read in record batches, so memory stays bounded however long it is. A file that turns
out to be broken stops everything with an error that names it, before anything is drawn or spent.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.columns import Block, Piece, Reading, batch_block
from ..core.errors import FileError, InputError

Advance = Callable[[int, int], None]
"""Told how much of a public total is done: bytes of files."""

Opened = tuple[Any, "str | None", Iterable[tuple[Any, float]]]
"""CRS, name of the geometry column, and record batches with the share of the file read so far."""

PARQUET = (".parquet", ".geoparquet", ".pq")
TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")

PIECE_BYTES = 1 << 27
"""Bytes of a Parquet file, before compression, for one task on a cluster."""


def expand(paths: Iterable[Path]) -> list[Path]:
    """List the files that the paths stand for: each itself, or the tables in a folder, sorted.

    A folder without Parquet or CSV files is left as it is, since GDAL reads some folders too.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise FileError(f"the points file must exist; there is no {path}.")
        inside = sorted(path.rglob("*")) if path.is_dir() else []
        tables = [file for file in inside if file.is_file() and not _hidden(file, path)]
        parts = [file for file in tables if _is(file, PARQUET)]
        found += parts or [file for file in tables if _is(file, TEXT)] or [path]
    if not found:
        raise InputError("at least one points file is needed; the list is empty.")
    return found


def _hidden(file: Path, folder: Path) -> bool:
    """Whether other programs would pass it over: markers and half-written parts."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def _is(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(endings)


def file_blocks(
    paths: Iterable[Path], reading: Reading, advance: Advance | None = None
) -> Iterator[Block]:
    """Blocks of all files in turn; ``advance`` hears of bytes, never of records."""
    files = expand(paths)
    sizes = [_size(path) for path in files]
    for number, path in enumerate(files):
        before, total = sum(sizes[:number]), sum(sizes)
        for block, share in _blocks(path, reading):
            yield block
            if advance is not None:
                advance(before + int(sizes[number] * share), total)
        if advance is not None:
            advance(before + sizes[number], total)


def pieces(paths: Iterable[Path]) -> list[Piece]:
    """Cut files into parts of about one size in bytes, as far as their format can be cut."""
    found: list[Piece] = []
    for path in expand(paths):
        found += _parquet_pieces(path) if _is(path, PARQUET) else [Piece(path)]
    return found


def _parquet_pieces(path: Path) -> list[Piece]:
    import pyarrow.parquet

    with _named(path, "a Parquet file"):
        about = pyarrow.parquet.read_metadata(path)
    cuts: list[list[int]] = [[]]
    held = 0
    for group in range(about.num_row_groups):
        if held > PIECE_BYTES:
            cuts.append([])
            held = 0
        cuts[-1].append(group)
        held += about.row_group(group).total_byte_size
    return [Piece(path, tuple(groups)) for groups in cuts]


def piece_blocks(piece: Piece, reading: Reading) -> Iterator[Block]:
    """Blocks of one piece."""
    for block, _ in _blocks(piece.path, reading, piece.groups):
        yield block


def _size(path: Path) -> int:
    inside = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in inside if file.is_file())


def _blocks(
    path: Path, reading: Reading, groups: tuple[int, ...] | None = None
) -> Iterator[tuple[Block, float]]:
    if _is(path, PARQUET):
        opened = _parquet(path, reading, groups)
    elif _is(path, TEXT) and reading.x is not None:
        opened = _csv(path, reading)
    else:
        opened = _ogr(path, reading)
    with opened as (crs, geometry, batches):
        move = reading.mover(crs)
        for batch, share in batches:
            yield batch_block(batch, geometry, reading, move), share


@contextmanager
def _named(path: Path, rule: str, *, unless: str = "is damaged") -> Iterator[None]:
    """Turn a reader's error into one that names the file and repeats none of its content."""
    import pyarrow

    try:
        yield
    except (FileError, InputError):
        raise
    except (pyarrow.ArrowException, OSError, RuntimeError, UnicodeError):
        raise FileError(
            f"the points file must be {rule}; {path.name} is not, or {unless}."
        ) from None


# --- Parquet -------------------------------------------------------------------------------------


@contextmanager
def _parquet(path: Path, reading: Reading, groups: tuple[int, ...] | None) -> Iterator[Opened]:
    import pyarrow.parquet

    rule = "a GeoParquet file, or Parquet with x and y columns"
    with _named(path, rule):
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    with file:
        crs, geometry = (None, None) if reading.x else _geo_column(path, file.schema_arrow)
        columns = reading.wanted(geometry, file.schema_arrow.names)
        chosen = range(file.num_row_groups) if groups is None else groups
        yield crs, geometry, _row_groups(path, file, columns, reading.block, chosen)


def _row_groups(
    path: Path, file: Any, columns: list[str], block: int, groups: Sequence[int]
) -> Iterator[tuple[Any, float]]:
    """Record batches, one row group at a time, so that one and not all is in memory."""
    for number, group in enumerate(groups):
        with _named(path, "a Parquet file"):
            batches = file.iter_batches(batch_size=block, row_groups=[group], columns=columns)
        while True:
            with _named(path, "a Parquet file"):
                batch = next(batches, None)
            if batch is None:
                break
            yield batch, (number + 1) / len(groups)


def _geo_column(path: Path, schema: Any) -> tuple[Any, str]:
    """CRS and name of the geometry column, from the file's or from the column's metadata."""
    text = (schema.metadata or {}).get(b"geo")
    if text is None:
        return _arrow_column(path, schema)
    try:
        geo = json.loads(text)
        name = str(geo["primary_column"])
        column = geo["columns"][name]
        encoding, crs = column["encoding"], column.get("crs", "OGC:CRS84")
    except (ValueError, KeyError, TypeError):
        raise FileError(f"the points file must be a GeoParquet file; {path.name} is not.") from None
    if encoding not in ("WKB", "point", "geoarrow.point") or name not in schema.names:
        raise InputError(
            f"a GeoParquet file must hold points, as WKB or GeoArrow; {path.name} does not."
        )
    return crs, name


def _arrow_column(path: Path, schema: Any) -> tuple[Any, str]:
    """First column that says of itself that it holds points or WKB."""
    for field in schema:
        about = field.metadata or {}
        kind = about.get(b"ARROW:extension:name", b"").decode()
        facts = about.get(b"ARROW:extension:metadata", b"")
        if hasattr(field.type, "extension_name"):  # where a library has registered the type
            kind, facts = field.type.extension_name, field.type.__arrow_ext_serialize__()
        if kind in ("geoarrow.point", "geoarrow.wkb", "ogc.wkb"):
            try:
                return json.loads(facts or b"{}").get("crs"), field.name
            except ValueError:
                return None, field.name
    raise InputError(
        f"a Parquet file must be GeoParquet, or its coordinates must be named; {path.name} is "
        "not: pass `x`, `y` and `points_crs`."
    )


# --- text ----------------------------------------------------------------------------------------


@contextmanager
def _csv(path: Path, reading: Reading) -> Iterator[Opened]:
    import pyarrow
    import pyarrow.csv

    with _named(path, "a CSV file in UTF-8"), open(path, "rb") as raw:
        packed = _is(path, (".gz",))
        source = pyarrow.CompressedInputStream(raw, "gzip") if packed else raw
        header = reading.fields
        try:
            # Text throughout: what does not parse as a number is dropped, not complained about,
            # and a person is the same person in every file, whatever the others are called.
            reader = pyarrow.csv.open_csv(
                source,
                read_options=pyarrow.csv.ReadOptions(block_size=1 << 23),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=_delimiter(path, header),
                    newlines_in_values=True,
                    invalid_row_handler=lambda _: "skip",
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    include_columns=header,
                    column_types=dict.fromkeys(header, pyarrow.string()),
                    strings_can_be_null=True,
                ),
            )
        except pyarrow.ArrowKeyError:
            raise _no_such_columns(path, header) from None
        size = max(1, path.stat().st_size)
        yield None, None, ((batch, min(1.0, raw.tell() / size)) for batch in reader)


def _delimiter(path: Path, fields: list[str]) -> str:
    """The separator that makes the wanted columns out of the header line."""
    start = gzip.open if _is(path, (".gz",)) else open
    with start(path, "rt", encoding="utf-8-sig", errors="replace") as file:
        header = file.readline().rstrip("\r\n")
    for delimiter in ",;\t":
        names = [name.strip('"') for name in header.split(delimiter)]
        if all(names.count(field) == 1 for field in fields):
            return delimiter
    raise _no_such_columns(path, fields)


def _no_such_columns(path: Path, fields: list[str]) -> InputError:
    return InputError(
        f"the x, y and person fields must be columns of {path.name}; one of "
        f"{', '.join(map(repr, fields))} is not: pass the names in its header line."
    )


# --- GDAL ----------------------------------------------------------------------------------------


@contextmanager
def _ogr(path: Path, reading: Reading) -> Iterator[Opened]:
    import pyogrio

    fields = reading.fields
    unless = f"does not hold the layer {reading.layer!r}" if reading.layer else "is damaged"
    with (
        _named(path, "a vector file that GDAL reads", unless=unless),
        pyogrio.open_arrow(
            path, layer=reading.layer, columns=fields, batch_size=reading.block, use_pyarrow=True
        ) as (meta, reader),
    ):
        names = reader.schema.names
        geometry = None if reading.x else meta["geometry_name"] or "wkb_geometry"
        if geometry is not None and (meta["geometry_type"] is None or geometry not in names):
            raise InputError(
                f"the points file must hold geometries; {path.name} has none: "
                "pass the names of its coordinates, `x`, `y` and `points_crs`."
            )
        reading.wanted(geometry, names)
        crs = None if geometry is None else meta["crs"]
        yield crs, geometry, ((batch, 0.0) for batch in reader)
