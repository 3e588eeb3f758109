"""Read layers through GDAL and pyogrio, in record batches and in silence."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..core.common.errors import InputError
from ..core.records.source import Block, Request
from .columns import Layout, batch_block, check_group, check_ids, check_numbers
from .opening import file_name, gdal_path, naming_file
from .silence import quiet_gdal

_RULE = "a vector file that GDAL reads"

_DECLARING = ("GPKG", "ESRI Shapefile", "FlatGeobuf", "OpenFileGDB", "SQLite", "MapInfo File")
"""Drivers whose types stand in the file. Others infer them from all records, one odd one included:
with those, ids could change their type, and the kind of geometry means nothing."""


_NUMBERS = {
    **dict.fromkeys(("bool", "int16", "int32", "int64"), "'integer'"),
    "float64": "'integer', 'real'",
}
"""What SQLite calls the values of fields that are declared as numbers."""

_RANGES = {
    "bool": (0, 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
}
"""What GDAL has room for in fields that are declared as small numbers."""


_SOUND_GDAL = (3, 11, 4)
"""From this version on, GDAL's threads that read GeoPackages ahead leave a block alone that was
handed out (its pull request 12935). Before, one could change while it was read."""

_ONE_THREAD = {"OGR_GPKG_STREAM_BASE_IMPL": "YES", "OGR_GPKG_NUM_THREADS": "1"}
"""Settings with which no such thread is started."""

_ONE_BY_ONE = {"OGR_FLATGEOBUF_STREAM_BASE_IMPL": "YES"}
"""A setting with which features of FlatGeobuf are read one by one. GDAL's faster way, up to version
3.12.4 at least, writes the next place over the first of a block that holds one without any."""


def ogr_check(path: Path, layout: Layout, request: Request) -> None:
    """Refuse what the layer's declared schema rules out."""
    for _ in _opened(path, layout, request, 1, reading=False):
        pass


def ogr_blocks(
    path: Path, layout: Layout, request: Request, size: int
) -> Iterator[tuple[Block, float]]:
    """Yield blocks of a layer; GDAL does not tell how much of it is read."""
    return _opened(path, layout, request, size, reading=True)


def _opened(
    path: Path, layout: Layout, request: Request, size: int, *, reading: bool
) -> Iterator[tuple[Block, float]]:
    import pyogrio

    unless = f"does not hold the layer {layout.layer!r}" if layout.layer else "is damaged"
    wanted, place = layout.wanted(request, None), gdal_path(path)
    # GDAL would note what it inferred of GML, whatever its name, in a file beside the points.
    options = {"WRITE_GFS": "NO"}
    with ExitStack() as stack:
        stack.enter_context(_soundly())
        # Silence holds for single calls: between them others may want to be heard.
        with quiet_gdal(), naming_file(path, _RULE, unless=unless):
            about = pyogrio.read_info(place, layer=layout.layer, **options)
            opened = pyogrio.open_arrow(
                place,
                layer=layout.layer,
                columns=wanted,
                where=_numbers_alone(about, request),
                batch_size=size,
                use_pyarrow=True,
                **options,
            )
            meta, reader = stack.enter_context(_quietly(opened))
        geometry = _checked(path, meta, about, reader.schema, layout, request)
        move = request.reprojection(_crs(meta, geometry, layout))
        while reading:
            with quiet_gdal(), naming_file(path, _RULE, unless=unless):
                batch = next(reader, None)
            if batch is None:
                return
            yield batch_block(batch, geometry, layout, request, move), 0.0


_lock = threading.Lock()
_reading = 0
_settings_before: dict[str, Any] = {}


@contextmanager
def _soundly() -> Iterator[None]:
    """Have GDAL read in the ways that are sound in its version.

    The settings hold for the process and for every block of a layer, so they stay until the last
    of all layers that are being read is closed.
    """
    global _reading, _settings_before
    import pyogrio

    old = pyogrio.__gdal_version__ < _SOUND_GDAL
    settings = {**_ONE_BY_ONE, **(_ONE_THREAD if old else {})}
    with _lock:
        _reading += 1
        if _reading == 1:
            _settings_before = {n: pyogrio.get_gdal_config_option(n) for n in settings}
            pyogrio.set_gdal_config_options(settings)
    try:
        yield
    finally:
        with _lock:
            _reading -= 1
            if not _reading:
                pyogrio.set_gdal_config_options(_settings_before)


def _numbers_alone(about: Any, request: Request) -> str | None:
    """Leave out what stands in a column of numbers and is none, where a table may hold that.

    SQLite keeps any value in any column, and GDAL would make a number of it: of the text "x" the
    number 0, and of a number that is too large for the column the end of its range. Either may be
    somebody else.
    """
    kinds = {name: str(kind) for name, kind in zip(about["fields"], about["dtypes"])}
    if about["driver"] not in ("GPKG", "SQLite"):
        return None
    wanted = [(request.person, ""), *((field.name, ", 'null'") for field in request.fields)]
    terms = [
        f"typeof({_quoted(name)}) IN ({_NUMBERS[kinds[name]]}{more}){_within(name, kinds[name])}"
        for name, more in wanted
        if name is not None and kinds.get(name) in _NUMBERS
    ]
    return " AND ".join(terms) or None


def _within(name: str, kind: str) -> str:
    if kind not in _RANGES:
        return ""
    low, high = _RANGES[kind]
    return f" AND ({_quoted(name)} IS NULL OR {_quoted(name)} BETWEEN {low} AND {high})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _quietly(opened: Any) -> Iterator[Any]:
    """Close in silence what was opened in silence."""
    handle = opened.__enter__()
    try:
        yield handle
    finally:
        with quiet_gdal():
            opened.__exit__(None, None, None)


def _crs(meta: Any, geometry: str | None, layout: Layout) -> Any:
    stated = None if geometry is None else meta["crs"]
    return layout.crs if stated is None else stated


def _checked(
    path: Path, meta: Any, about: Any, schema: Any, layout: Layout, request: Request
) -> str | None:
    """Return the name of the geometry column, if the layer has what is asked for."""
    if about.get("driver") == "OGR_VRT":
        raise InputError(
            "a points file holds its records; a virtual layer leads to those of other files, which "
            f"may be there twice ({file_name(path)}): name these files themselves."
        )
    declares = about.get("driver") in _DECLARING
    request.check_columns(list(about["fields"]), layout.x, layout.y, declared=declares)
    if (request.person is not None or request.fields) and not declares:
        fields = "ids of persons" if request.person is not None else "the fields of groups"
        raise InputError(
            f"{fields} must have a declared type; a file of the kind {about.get('driver')} "
            f"({file_name(path)}) has none: convert it to GeoPackage, Parquet or CSV."
        )
    if request.person is not None:
        check_ids(schema.field(request.person).type, request.person)
    for field in request.fields:
        check_group(schema.field(field.name).type, field)
    if layout.x is not None:
        for name in (layout.x, layout.y):
            check_numbers(schema.field(name).type)
        request.check_kind("table")
        return None
    geometry = meta["geometry_name"] or "wkb_geometry"
    if meta["geometry_type"] is None or geometry not in schema.names:
        raise InputError(
            f"the points file must hold geometries; {file_name(path)} has none: pass the names of "
            "its coordinates, `x`, `y` and `crs`."
        )
    request.check_kind(_declared(meta["geometry_type"]) if declares else None)
    return str(geometry)


def _declared(name: str) -> str | None:
    """Return the declared kind of geometry, without further dimensions; None where any may stand.

    A Shapefile knows points and multipoints; a layer of any kind says "Unknown".
    """
    kind = name.split(" ")[0].lower()
    return None if kind in ("unknown", "geometry", "geometrycollection") else kind
