"""Columns of tables become blocks of coordinates: numbers, WKB, GeoArrow points, shapes.

Everything here looks at one batch of records at a time. Values that are missing or do not parse
become NaN and are dropped further on without a word: how many there were is private.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Floats, Ints
from .domain import Crs, Domain
from .errors import CrsError, InputError
from .ids import Ids

Place = tuple[Floats, Floats]
Block = tuple[Floats, Floats, Any]
Features = tuple[Floats, Floats, "Ints | None"]
"""Coordinates, and the feature that each belongs to where that is not simply its row."""
Shapes = npt.NDArray[Any]
Move = Callable[[Floats, Floats], Place]

_POINT = np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])
_POINT_WITH_SRID = np.dtype(
    [("order", "u1"), ("kind", "<u4"), ("srid", "<u4"), ("x", "<f8"), ("y", "<f8")]
)


@dataclass(frozen=True)
class Piece:
    """Some row groups of a Parquet file, or all of any other: what one worker reads."""

    path: Path
    groups: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Reading:
    """How to read a table: public, and small enough to send to workers.

    Attributes
    ----------
    domain : Domain
        Whose CRS the coordinates shall be in.
    crs : optional
        CRS of coordinates that do not state their own.
    layer, sql : str, optional
        Layer of a file or table of a database, and query.
    x, y : str, optional
        Columns of coordinates, where there is no geometry.
    max_records : int, optional
        How many points a MultiPoint may hold.
    person : str or array, optional
        Field that says whose record it is.
    block : int
        Records turned into coordinates at once.
    """

    domain: Domain
    crs: Any = None
    layer: str | None = None
    sql: str | None = None
    x: str | None = None
    y: str | None = None
    max_records: int | None = None
    person: Any = None
    block: int = 1 << 18

    def mover(self, crs: Any) -> Move:
        """Return a function from the CRS that a layer states, or else the given one."""
        return mover(crs if crs is not None else self.crs, self.domain)

    @property
    def fields(self) -> list[str]:
        """Columns that are asked for by name."""
        if self.person is not None and not np.isscalar(self.person):
            raise InputError("person must be the name of a column of the points; this is not.")
        names: list[Any] = [self.x, self.y, self.person]
        return [name for name in names if name is not None]

    def wanted(self, geometry: str | None, names: list[str]) -> list[str]:
        """Columns to read; all of them must be among the names."""
        for name in self.fields:
            if name not in names:
                kind = "person" if name == self.person else "x" if name == self.x else "y"
                raise InputError(
                    f"the {kind} field must be a column of the points; there is no {name!r}."
                )
        return list(dict.fromkeys([*([] if geometry is None else [geometry]), *self.fields]))


def batch_block(batch: Any, geometry: str | None, reading: Reading, move: Move) -> Block:
    """Coordinates and persons of a record batch, from a geometry column or from x and y."""
    feature = None
    if geometry is None:
        x, y = (numbers(batch.column(name)) for name in (reading.x, reading.y))
    else:
        x, y, feature = places(batch.column(geometry), reading.max_records)
    if reading.person is None:
        return *move(x, y), None
    ids = _ids(batch.column(reading.person))
    return *move(x, y), ids if feature is None else ids.take(feature)


def numbers(column: Any) -> Floats:
    """Values of an Arrow column as floats; NaN where one is missing or does not parse."""
    import pyarrow
    import pyarrow.compute

    kind = column.type
    if pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind):
        try:
            column = pyarrow.compute.cast(column, pyarrow.float64())
        except pyarrow.ArrowInvalid:
            return np.array([_number(text) for text in column.to_pylist()], dtype=np.float64)
    elif not (pyarrow.types.is_floating(kind) or pyarrow.types.is_integer(kind)):
        if not pyarrow.types.is_decimal(kind):
            raise InputError("x and y must be columns of numbers; these are not.")
        column = column.cast(pyarrow.float64())
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")


def places(column: Any, max_records: int | None) -> Features:
    """Coordinates of an Arrow column of points: WKB, or GeoArrow as a struct or interleaved."""
    import pyarrow
    import pyarrow.compute
    import shapely

    if isinstance(column.type, pyarrow.BaseExtensionType):
        column = column.storage
    kind = column.type
    if pyarrow.types.is_struct(kind) and {"x", "y"} <= {field.name for field in kind}:
        x, y = (numbers(pyarrow.compute.struct_field(column, name)) for name in "xy")
        return x, y, None
    if pyarrow.types.is_fixed_size_list(kind) and kind.list_size >= 2:
        x, y = (numbers(pyarrow.compute.list_element(column, i)) for i in (0, 1))
        return x, y, None
    if not is_binary(kind):
        raise InputError(
            "the geometry column must hold points as WKB or GeoArrow; this one does not."
        )
    simple = _simple_points(column.cast(pyarrow.large_binary()))
    if simple is not None:
        return *simple, None
    shapes = shapely.from_wkb(np.asarray(column, dtype=object), on_invalid="ignore")
    return coordinates(shapes, max_records)


def is_binary(kind: Any) -> bool:
    """Whether an Arrow type may hold WKB."""
    import pyarrow

    return bool(
        pyarrow.types.is_binary(kind)
        or pyarrow.types.is_large_binary(kind)
        or pyarrow.types.is_binary_view(kind)
    )


def _simple_points(column: Any) -> Place | None:
    """Plain points are records of one length: read them as such, without making any shape.

    None where a value is missing or is anything else than a flat little-endian point.
    """
    _, where, data = column.buffers()
    if column.null_count or not len(column) or data is None:
        return None
    offsets = np.frombuffer(where, dtype=np.int64)[column.offset :][: len(column) + 1]
    for layout, kind in ((_POINT, 1), (_POINT_WITH_SRID, 0x20000001)):
        if not (np.diff(offsets) == layout.itemsize).all():
            continue
        raw = np.frombuffer(data, dtype=np.uint8)[offsets[0] : offsets[-1]]
        points = raw.view(layout)
        if (points["order"] == 1).all() and (points["kind"] == kind).all():
            return points["x"].astype(np.float64), points["y"].astype(np.float64)
    return None


def coordinates(shapes: Shapes, max_records: int | None) -> tuple[Floats, Floats, Ints]:
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


def _ids(column: Any) -> Ids:
    """Ids of an Arrow column, of which each distinct value is made a Python object once."""
    import pyarrow

    kind = column.type
    extended = isinstance(kind, pyarrow.BaseExtensionType)  # such as UUIDs
    column = column.storage if extended else column
    _check_ids(column.type)
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    distinct = column.dictionary
    exact = pyarrow.types.is_integer(distinct.type) and not distinct.null_count
    if exact or pyarrow.types.is_timestamp(distinct.type) or pyarrow.types.is_date(distinct.type):
        values = distinct.to_numpy(zero_copy_only=False)  # Python's own dates end with 9999
    else:
        whole = pyarrow.ExtensionArray.from_storage(kind, distinct) if extended else distinct
        values = whole.to_pylist()
    return Ids.of_distinct(values, np.asarray(column.indices.cast("int64").fill_null(-1)))


def _check_ids(kind: Any) -> None:
    """Refuse ids by the declared type of their column."""
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    refused = (
        types.is_nested,
        types.is_float16,
        types.is_float32,
        types.is_duration,
        types.is_time,
    )
    if any(test(kind) for test in refused):
        raise InputError(
            f"ids must be text, whole numbers, dates or UUIDs; the person field holds {kind}: "
            "store them as text or whole numbers."
        )


def mover(crs: Any, domain: Domain) -> Move:
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
