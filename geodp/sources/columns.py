"""Turn Arrow columns into coordinates and ids: numbers, WKB, GeoArrow; one batch at a time.

Values that are missing or do not parse become NaN and are dropped further on without a word. Only
the declared type of a column can make it be refused.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.errors import FileError, InputError
from ..core.common.types import Floats, Ints
from ..core.records.arrays import no_group
from ..core.records.breaks import times, whole_seconds
from ..core.records.canonical import canonical
from ..core.records.groups import Field, FieldValues
from ..core.records.ids import Ids, no_ids
from ..core.records.reprojection import XY, Reprojection
from ..core.records.source import Block, Request
from .dates import date_pattern, formatted_times
from .encodings import checked_encoding
from .text import numbers as text_numbers
from .wkb import binary_values, wkb_points

Features = tuple[Floats, Floats, "Ints | None"]
"""Coordinates, and the feature that each belongs to where that is not simply its row."""

_POINT = np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])
_POINT_WITH_SRID = np.dtype(
    [("order", "u1"), ("kind", "<u4"), ("srid", "<u4"), ("x", "<f8"), ("y", "<f8")]
)


@dataclass(frozen=True)
class Layout:
    """Describe how points stand in a table or file: public, and small enough to send to workers.

    Attributes
    ----------
    x, y : str, optional
        Columns of coordinates, where there is no geometry.
    crs : optional
        CRS of coordinates that do not state their own.
    layer : str, optional
        Layer of a file that holds several.
    decimal : {".", ","}, optional
        Decimal mark of the numbers in a text file; a point by default.
    separator : str, optional
        What separates the fields of a text file; by default as its header line shows.
    encoding : str, optional
        What a text file is in; UTF-8 by default.
    date_format : str, optional
        How dates and times stand in a text file; as in ISO 8601 by default.
    """

    x: str | None = None
    y: str | None = None
    crs: Any = None
    layer: str | None = None
    decimal: str | None = None
    separator: str | None = None
    encoding: str | None = None
    date_format: str | None = None

    def __post_init__(self) -> None:
        if (self.x is None) != (self.y is None):
            raise InputError(
                "`x` and `y` name the columns of coordinates together; give both or none."
            )
        for name in (self.x, self.y):
            if hasattr(name, "__array__") or isinstance(name, list):
                # The value is not repeated: it is a column itself, by mistake.
                raise InputError(
                    "`x` and `y` are names of columns; got a "
                    f"{type(name).__name__}: pass arrays as a pair, `(x, y)`."
                )
        if self.decimal not in (None, ".", ","):
            raise InputError(f"`decimal` must be '.' or ','; got {self.decimal!r}.")
        mark = self.separator
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0'):
            raise InputError(
                f"`separator` must be one ASCII character, such as ',' or ';'; got {mark!r}."
            )
        if mark is not None and mark == (self.decimal or "."):
            raise InputError(
                f"the decimal mark and what separates fields must differ; both are {mark!r}: pass "
                "`separator`, or `decimal`."
            )
        if self.encoding is not None:
            checked_encoding(self.encoding, mark)
        if self.date_format is not None:
            date_pattern(self.date_format)

    @property
    def for_text_only(self) -> bool:
        """Tell whether an option was given that only text files have."""
        options = (self.decimal, self.separator, self.encoding, self.date_format)
        return any(option is not None for option in options)

    @property
    def codec(self) -> str:
        """Return the encoding of a text file, by Python's name for it."""
        return "utf-8" if self.encoding is None else checked_encoding(self.encoding)

    @property
    def in_words(self) -> str:
        """Write the given options as in Python."""
        options = ((option.name, getattr(self, option.name)) for option in fields(self))
        return "".join(f", {name}={value!r}" for name, value in options if value is not None)

    def wanted(self, request: Request, geometry: str | None) -> list[str]:
        """Return the names of the columns to read."""
        names = [
            geometry,
            self.x,
            self.y,
            request.person,
            *(field.name for field in request.fields),
        ]
        return list(dict.fromkeys(name for name in names if name is not None))


def batch_block(
    batch: Any, geometry: str | None, layout: Layout, request: Request, move: Reprojection
) -> Block:
    """Read coordinates and ids of a record batch, from a geometry column or from x and y."""
    check_buffers(batch)
    feature = None
    if geometry is None:
        x, y = (numbers(batch.column(name)) for name in (layout.x, layout.y))
    else:
        x, y, feature = places(batch.column(geometry), request)
    ids = None
    if request.person is not None:
        ids = arrow_ids(batch.column(request.person))
        ids = ids if feature is None else ids.take(feature)
    return Block(*move(x, y), ids, request.group_codes(batch, group_column, feature))


UNSOUND = (
    "the values of a column must lie inside the bytes that hold them; in a block that was read "
    "they do not, so the file is damaged or the library that reads it is: nothing of the block was "
    "counted; try again, or convert the file."
)


def check_buffers(batch: Any) -> None:
    """Refuse a batch in which some value would lie outside the bytes that hold them all.

    A reader with an error of its own makes such a batch, no record does. Nothing of it is counted:
    what is left of it would be other records each time.
    """
    if not all(map(_is_sound, batch.columns)):
        raise FileError(UNSOUND)


def _is_sound(column: Any) -> bool:
    import pyarrow

    if isinstance(column.type, pyarrow.BaseExtensionType):
        column = column.storage
    try:
        column.validate()  # checks lengths and ends, not UTF-8
    except pyarrow.ArrowException:
        return False
    width = {"binary": 4, "string": 4, "large_binary": 8, "large_string": 8}.get(str(column.type))
    if width is None or not len(column):
        return True
    _, where, data = column.buffers()
    offsets = np.frombuffer(where, dtype=f"i{width}")[column.offset :][: len(column) + 1]
    size = 0 if data is None else data.size
    return bool(offsets[0] >= 0 and offsets[-1] <= size and (offsets[1:] >= offsets[:-1]).all())


# --- coordinates ---------------------------------------------------------------------------------


def check_numbers(kind: Any) -> None:
    """Refuse a column of coordinates by its declared Arrow type."""
    import pyarrow

    fits = ("is_integer", "is_floating", "is_decimal", "is_null")
    if not (_is_text(kind) or any(getattr(pyarrow.types, name)(kind) for name in fits)):
        raise InputError(
            f"x and y must be columns of numbers; one is declared as {kind}: name others."
        )


def numbers(column: Any, decimal: str = ".") -> Floats:
    """Read an Arrow column as floats; NaN where a value is missing or does not parse."""
    import pyarrow

    kind, types = column.type, pyarrow.types
    if _is_text(kind):
        return text_numbers(column, decimal)
    if types.is_decimal(kind) or types.is_boolean(kind):
        column = column.cast(pyarrow.float64())
    elif not (types.is_floating(kind) or types.is_integer(kind)):
        # Not by trying: where a single value could make a cast fail, it would take all with it.
        return np.full(len(column), np.nan)
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def is_point_type(kind: Any) -> bool:
    """Tell whether an Arrow type may hold points: WKB, or GeoArrow as a struct or interleaved."""
    import pyarrow

    if isinstance(kind, pyarrow.BaseExtensionType):
        kind = kind.storage_type
    if pyarrow.types.is_struct(kind):
        return {"x", "y"} <= {field.name for field in kind}
    return is_binary(kind) or (pyarrow.types.is_fixed_size_list(kind) and kind.list_size >= 2)


def is_binary(kind: Any) -> bool:
    """Tell whether an Arrow type may hold WKB."""
    import pyarrow

    return bool(
        pyarrow.types.is_binary(kind)
        or pyarrow.types.is_large_binary(kind)
        or str(kind) == "binary_view"  # older versions lack the type
    )


def places(column: Any, request: Request) -> Features:
    """Read the coordinates of an Arrow column of points."""
    import pyarrow
    import pyarrow.compute

    if isinstance(column.type, pyarrow.BaseExtensionType):
        column = column.storage
    kind = column.type
    if pyarrow.types.is_struct(kind):
        x, y = (numbers(pyarrow.compute.struct_field(column, name)) for name in "xy")
        return x, y, None
    if pyarrow.types.is_fixed_size_list(kind):
        x, y = (numbers(pyarrow.compute.list_element(column, i)) for i in (0, 1))
        return x, y, None
    column = column.cast(pyarrow.large_binary())
    simple = _simple_points(column)
    if simple is not None:
        return *simple, None
    x, y, feature = wkb_points(*binary_values(column))
    kept = counted(feature, request)
    return x[kept], y[kept], feature[kept]


def counted(feature: Ints, request: Request) -> npt.NDArray[np.bool_]:
    """Tell which of the points count, by the feature of each, in rising order.

    Where records are protected, a feature counts if it holds a single point.
    """
    if request.max_points is None:
        return np.ones(len(feature), dtype=np.bool_)
    first = np.searchsorted(feature, feature, side="left")
    if not request.several:
        return np.asarray(np.searchsorted(feature, feature, side="right") - first == 1)
    return np.asarray(np.arange(len(feature)) - first < request.max_points)


def _simple_points(column: Any) -> XY | None:
    """Read plain points, which are records of one length, without making any shape.

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


def coordinates(shapes: npt.NDArray[Any], request: Request) -> tuple[Floats, Floats, Ints]:
    """Read point geometries, and the feature of each; other geometries are dropped."""
    import shapely

    fits = np.isin(shapely.get_type_id(shapes), (0, 4))  # points and MultiPoints; -1 is missing
    if not fits.all():
        shapes = shapes.copy()
        shapes[~fits] = None
    points, feature = shapely.get_coordinates(shapes, return_index=True)
    kept = counted(feature, request)
    return points[kept, 0], points[kept, 1], feature[kept]


# --- ids -----------------------------------------------------------------------------------------


def _value_type(kind: Any) -> Any:
    """Return the Arrow type of the values themselves, registered or numbered as they may be."""
    import pyarrow

    if isinstance(kind, pyarrow.BaseExtensionType):
        kind = kind.storage_type
    return kind.value_type if pyarrow.types.is_dictionary(kind) else kind


def check_ids(kind: Any, field: str) -> None:
    """Refuse a person field by its declared Arrow type."""
    import pyarrow

    types, kind = pyarrow.types, _value_type(kind)
    small = types.is_floating(kind) and kind.bit_width < 64
    odd = types.is_nested(kind) or types.is_time(kind) or types.is_duration(kind)
    if small or odd or types.is_interval(kind) or types.is_run_end_encoded(kind):
        raise no_ids(field, kind)


def arrow_ids(column: Any) -> Ids:
    """Read ids of an Arrow column; every distinct value is looked at once, by a rule of its own."""
    import pyarrow

    types = pyarrow.types
    if isinstance(column.type, pyarrow.BaseExtensionType):
        named = column.type.extension_name == "arrow.uuid"
        column = column.storage
        if named:
            return _encoded(column, _uuids)
    if types.is_dictionary(column.type):
        return _encoded(column, _texts)
    if _is_text(column.type):
        column = column.cast(pyarrow.large_binary())  # text that is no UTF-8 must not stop the rest
    if types.is_temporal(column.type):
        return Ids.of(_times(column))
    if types.is_decimal(column.type) and column.type.bit_width < 128:  # which Arrow cannot encode
        column = column.cast(pyarrow.decimal128(column.type.precision, column.type.scale))
    if types.is_float16(column.type):  # which Arrow before 26 cannot encode
        column = column.cast(pyarrow.float32())
    return _encoded(column, lambda values: values.to_pylist())


def _is_text(kind: Any) -> bool:
    """Tell whether an Arrow type holds text, or bytes that may be text."""
    return is_binary(kind) or str(kind) in ("string", "large_string", "string_view")


def _encoded(column: Any, listed: Any) -> Ids:
    """Read ids of a column from its distinct values."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    distinct = listed(column.dictionary)
    # Wide first: an index of one byte has no place for one more than its 128 values.
    index = column.indices.cast(pyarrow.int64()).fill_null(-1)
    return Ids.from_distinct(distinct, np.asarray(index))


def _texts(values: Any) -> list[str | None]:
    ids = arrow_ids(values)
    return [ids.texts[place] for place in ids.index]


def _uuids(values: Any) -> list[Any]:
    import uuid

    return [None if raw is None else uuid.UUID(bytes=raw) for raw in values.to_pylist()]


def _times(column: Any) -> npt.NDArray[Any]:
    """Read dates and times in UTC, of any size: NumPy's reach further than Python's.

    A time of day is taken as one of the first day of 1970.
    """
    import pyarrow

    if pyarrow.types.is_time32(column.type):
        column = column.cast(pyarrow.time64("us"))
    if pyarrow.types.is_date32(column.type):
        unit, steps = "D", column.cast(pyarrow.int32()).cast(pyarrow.int64())
    else:
        unit = "ms" if pyarrow.types.is_date64(column.type) else column.type.unit
        steps = column.cast(pyarrow.int64())
    missing = np.asarray(column.is_null())
    moments: npt.NDArray[Any]
    moments = np.asarray(steps.fill_null(0)).astype(np.int64).view(f"M8[{unit}]")
    moments[missing] = "NaT"  # in the unit of the column, which NumPy 2.5 wants to be told
    return moments


# --- groups --------------------------------------------------------------------------------------

_CLOCK = r"([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,18})?)?[Zz]?)?$"
_MONTH = r"^[1-9][0-9]{3}-(0[1-9]|1[0-2])-"
_ISO = _MONTH + "(0[1-9]|[12][0-9]|3[01])" + _CLOCK
"""Text of a date, or of a date and time without a zone, that Arrow and Python read alike."""

_IN_ALL_MONTHS = _MONTH + "(0[1-9]|1[0-9]|2[0-8])" + _CLOCK
"""The same of a day that every month has: nothing can be wrong with one."""


def check_group(kind: Any, field: Field) -> None:
    """Refuse a field by its declared Arrow type, where no value could ever be in a group."""
    import pyarrow

    types, kind = pyarrow.types, _value_type(kind)
    clock, moment = types.is_time(kind), types.is_date(kind) or types.is_timestamp(kind)
    counted = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    fits = not (types.is_nested(kind) or types.is_duration(kind) or types.is_interval(kind))
    wrong = {
        "category": clock,
        "number": clock or moment,
        "time": clock or counted or types.is_boolean(kind),
        "weekday": clock or counted or types.is_boolean(kind),
        "clock": counted or types.is_boolean(kind),
    }
    if not fits or types.is_run_end_encoded(kind) or wrong[field.kind]:
        raise no_group(field, kind)
    for declared, holds in (
        ("bool", types.is_boolean(kind)),
        ("whole", types.is_integer(kind)),
        ("number", types.is_floating(kind) or types.is_decimal(kind)),
        ("time", moment),
    ):
        if holds:
            field.check_categories(declared, kind)


def group_column(
    column: Any, field: Field, decimal: str = ".", date_format: str | None = None
) -> FieldValues:
    """Read an Arrow column as a field of groups asks for it."""
    import pyarrow

    if field.kind == "category":
        return _category_ids(column, field.listed)
    if isinstance(column.type, pyarrow.BaseExtensionType):
        column = column.storage
    if pyarrow.types.is_dictionary(column.type):
        values = column.dictionary
        if _is_text(values.type):
            values = values.cast(pyarrow.large_binary())  # of views nothing can be taken
        column = values.take(column.indices)
    if field.kind == "number":
        return numbers(column, decimal)
    if pyarrow.types.is_temporal(column.type):
        return whole_seconds(_times(column))
    if _is_text(column.type):
        if date_format is not None:
            return formatted_times(column, date_format)
        return _text_times(column, field.kind == "clock")
    return times(arrow_ids(column), field.kind == "clock")


def _category_ids(column: Any, listed: tuple[str, ...]) -> Ids:
    """Read ids where most are of a list: finding these is faster than telling all apart."""
    import pyarrow
    from pyarrow import compute

    if not _is_text(column.type):
        return arrow_ids(column)
    texts = [text for text in listed if canonical(text) == text]
    known = pyarrow.array([text.encode() for text in texts], pyarrow.large_binary())
    column = column.cast(pyarrow.large_binary())
    places = compute.index_in(column, value_set=known)
    index = np.asarray(places.fill_null(-1))
    if places.null_count:
        others = arrow_ids(column.filter(places.is_null()))
        index = index.copy()
        index[index < 0] = len(texts) + others.index
        return Ids.from_texts([*texts, *others.texts], index)
    return Ids.from_texts(texts, index)


def _text_times(column: Any, clock: bool) -> npt.NDArray[Any]:
    """Read times of a column of text: plain ones all at once, each of the others closely."""
    import pyarrow
    from pyarrow import compute

    text = compute.cast(column, pyarrow.large_string(), safe=False)  # not all need be UTF-8
    try:
        moments, plain = _plain_times(text, _ISO)
    except pyarrow.ArrowInvalid:  # the 30th of February
        moments, plain = _plain_times(text, _IN_ALL_MONTHS)
    if not plain.all():
        moments[~plain] = times(arrow_ids(text.filter(pyarrow.array(~plain))), clock)
    return moments


def _plain_times(text: Any, pattern: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Read times of the texts that match, and tell which these are."""
    import pyarrow
    from pyarrow import compute

    plain = compute.fill_null(compute.match_substring_regex(text, pattern), False)
    # Not by `if_else`, which in pyarrow up to 23 takes slices of text for others.
    chosen = text.filter(plain)
    shorter = compute.replace_substring_regex(chosen, r"(\.[0-9]+)?[Zz]?$", "", max_replacements=1)
    moments = np.full(len(text), np.datetime64("NaT", "s"))
    moments[np.asarray(plain)] = _times(shorter.cast(pyarrow.timestamp("s")))
    return moments, np.asarray(plain)
