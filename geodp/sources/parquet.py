"""Read Parquet and GeoParquet files, one row group at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..core.common.errors import FileError, InputError
from ..core.records.source import Block, Request
from .columns import (
    Layout,
    batch_block,
    check_group,
    check_ids,
    check_numbers,
    is_point_type,
)  # fmt: skip
from .opening import naming_file

PIECE_BYTES = 1 << 27
"""Bytes of a file, before compression, for one task on a cluster."""

_NAME, _FACTS = b"ARROW:extension:name", b"ARROW:extension:metadata"
"""Where Arrow keeps the name of an extension type, and what is said of it."""

_PLACES = ("Geometry", "Geography")
"""Types of Parquet as pyarrow writes them; ``logical_type.type`` knows them from pyarrow 26 on."""


def parquet_check(path: Path, layout: Layout, request: Request) -> None:
    """Refuse what the schema in the file rules out."""
    import pyarrow.parquet

    with naming_file(path, "a Parquet file"):
        file = pyarrow.parquet.ParquetFile(path)
    with file:
        checked_schema(path.name, _declared(file), layout, request)


def parquet_blocks(
    path: Path, layout: Layout, request: Request, size: int, groups: Sequence[int] | None = None
) -> Iterator[tuple[Block, float]]:
    """Yield blocks of a file, or of some of its row groups, with the share that is read."""
    import pyarrow.parquet

    with naming_file(path, "a Parquet file"):
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    with file:
        crs, geometry = checked_schema(path.name, _declared(file), layout, request)
        move = request.reprojection(layout.crs if crs is None else crs)
        columns = layout.wanted(request, geometry)
        chosen = range(file.num_row_groups) if groups is None else groups
        for batch, share in _batches(path, file, columns, size, chosen):
            yield batch_block(batch, geometry, layout, request, move), share


def _batches(
    path: Path, file: Any, columns: list[str], size: int, groups: Sequence[int]
) -> Iterator[tuple[Any, float]]:
    """Yield record batches, one row group at a time, so that one and not all is in memory."""
    for number, group in enumerate(groups):
        with naming_file(path, "a Parquet file"):
            batches = file.iter_batches(batch_size=size, row_groups=[group], columns=columns)
        while True:
            with naming_file(path, "a Parquet file"):
                batch = next(batches, None)
            if batch is None:
                break
            yield batch, (number + 1) / len(groups)


def parquet_pieces(path: Path) -> list[tuple[int, ...]]:
    """Cut a file into runs of row groups of about one size in bytes."""
    import pyarrow.parquet

    with naming_file(path, "a Parquet file"):
        about = pyarrow.parquet.read_metadata(path)
    cuts: list[list[int]] = [[]]
    held = 0
    for group in range(about.num_row_groups):
        if held > PIECE_BYTES:
            cuts.append([])
            held = 0
        cuts[-1].append(group)
        held += about.row_group(group).total_byte_size
    return [tuple(groups) for groups in cuts]


def _declared(file: Any) -> Any:
    """Return the schema of a file, with what Parquet itself says of columns with geometries.

    GeoParquet up to 1.1 says it in metadata of its own, 2.0 and others by a type of Parquet, which
    pyarrow passes on only where Arrow wrote the file, or a library has registered the type.
    """
    import pyarrow

    schema = file.schema_arrow
    if b"geo" in (schema.metadata or {}):
        return schema
    for number in range(len(file.schema)):
        column = file.schema.column(number)
        kind = column.logical_type
        is_place = str(kind).partition("(")[0] in _PLACES
        if is_place and column.path in schema.names:
            crs = _parquet_crs(json.loads(kind.to_json()).get("crs", ""), file.metadata.metadata)
            facts = {_NAME: b"geoarrow.wkb", _FACTS: json.dumps({"crs": crs}).encode()}
            field = pyarrow.field(column.path, pyarrow.binary(), metadata=facts)
            schema = schema.set(schema.get_field_index(column.path), field)
    return schema


def read_parquet_layer(path: str) -> Any:
    """Read a whole file as a GeoDataFrame, whichever way says that it holds geometries."""
    import geopandas
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        if b"geo" in (file.schema_arrow.metadata or {}):
            return geopandas.read_parquet(path)
        schema = _declared(file)
        # Cast, for where a library has registered the type.
        columns = [column.cast(field.type) for column, field in zip(file.read().columns, schema)]
    return geopandas.GeoDataFrame.from_arrow(pyarrow.Table.from_arrays(columns, schema=schema))


def _parquet_crs(crs: str, metadata: Any) -> Any:
    """Return the CRS that a type of Parquet names, None where it says that there is none.

    Examples
    --------
    >>> _parquet_crs("", None), _parquet_crs("srid:5070", None), _parquet_crs("srid:0", None)
    ('OGC:CRS84', 'EPSG:5070', None)
    """
    kind, _, name = crs.partition(":")
    if kind == "srid" and name.isdecimal():
        return f"EPSG:{name}" if int(name) else None
    if kind == "projjson":
        crs = (metadata or {}).get(name.encode(), b"{").decode("utf-8", "replace")
    if crs.startswith("{"):
        try:
            return json.loads(crs)
        except ValueError:
            return None
    return crs or "OGC:CRS84"


def checked_schema(
    name: str, schema: Any, layout: Layout, request: Request
) -> tuple[Any, str | None]:
    """Return CRS and name of the geometry column, if the schema has what is asked for.

    Parameters
    ----------
    name : str
        What to call the file or table in a message.
    schema : pyarrow.Schema
        Its columns, as declared.
    layout : Layout
        How points stand in it.
    request : Request
        What is asked for.
    """
    check_fields(schema, layout, request)
    if layout.x is not None:
        for column in (layout.x, layout.y):
            check_numbers(schema.field(column).type)
        request.check_kind("table")
        return None, None
    crs, geometry, kind = _geometry(name, schema)
    if not is_point_type(schema.field(geometry).type):
        raise InputError(
            f"the geometry column must hold points as WKB or GeoArrow; that of {name} does not."
        )
    request.check_kind(kind)
    return crs, geometry


def check_fields(schema: Any, layout: Layout, request: Request, *, declared: bool = True) -> None:
    """Refuse columns that are not there, and types of which no value could be an id or in a group.

    Parameters
    ----------
    schema : pyarrow.Schema
        The columns, as declared.
    layout : Layout
        How points stand among them.
    request : Request
        What is asked for.
    declared : bool
        Whether names of columns are kept apart from records, as in a Parquet file.
    """
    request.check_columns(schema.names, layout.x, layout.y, declared=declared)
    if request.person is not None:
        check_ids(schema.field(request.person).type, request.person)
    for field in request.fields:
        check_group(schema.field(field.name).type, field)


def _geometry(holder: str, schema: Any) -> tuple[Any, str, str | None]:
    """Return CRS, name and declared kind of the geometry column.

    The list of geometry types in GeoParquet is made from the rows, so it declares nothing.
    """
    text = (schema.metadata or {}).get(b"geo")
    if text is None:
        return _arrow_geometry(holder, schema)
    try:
        geo = json.loads(text)
        name = str(geo["primary_column"])
        column = geo["columns"][name]
        encoding, crs = column["encoding"], column.get("crs", "OGC:CRS84")
    except (ValueError, KeyError, TypeError):
        raise FileError(f"the points file must be a GeoParquet file; {holder} is not.") from None
    kind = str(encoding).removeprefix("geoarrow.")
    if name not in schema.names:
        raise FileError(f"the points file must be a GeoParquet file; {holder} is not.")
    return crs, name, None if kind == "WKB" else kind


def _arrow_geometry(holder: str, schema: Any) -> tuple[Any, str, str | None]:
    """Find the first column that says of itself that it holds points or WKB."""
    for field in schema:
        about = field.metadata or {}
        kind = about.get(_NAME, b"").decode()
        facts = about.get(_FACTS, b"")
        if hasattr(field.type, "extension_name"):  # where a library has registered the type
            kind, facts = field.type.extension_name, field.type.__arrow_ext_serialize__()
        if kind in ("geoarrow.point", "geoarrow.wkb", "ogc.wkb"):
            declared = "point" if kind == "geoarrow.point" else None
            try:
                return json.loads(facts or b"{}").get("crs"), field.name, declared
            except ValueError:
                return None, field.name, declared
    raise InputError(
        "a table must have a column that says that it holds points, as GeoParquet and GeoArrow do, "
        f"or its coordinates must be named; {holder} has none: name them by "
        "`read_points(…, x=…, y=…, crs=…)`."
    )
