"""Read points from frames: GeoDataFrames, GeoSeries, pandas tables with coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.errors import InputError
from ..core.records.arrays import ArraySource, check_group_dtype, group_values, no_group
from ..core.records.groups import Field, FieldValues, GroupCodes
from ..core.records.ids import Ids, check_dtype, no_ids, without_zone
from ..core.records.source import BLOCK, Advance, Block, PointSource, Request
from .columns import (
    Layout,
    arrow_ids,
    check_group,
    check_ids,
    check_numbers,
    coordinates,
    group_column,
    numbers,
)  # fmt: skip


class FrameSource(PointSource):
    """Read a GeoDataFrame, a GeoSeries or a pandas DataFrame.

    A frame declares no kind of geometry: rows that hold no point are dropped.

    Parameters
    ----------
    frame
        The points.
    layout : Layout
        Columns of coordinates, if there is no geometry, and their CRS.
    """

    def __init__(self, frame: Any, layout: Layout) -> None:
        if layout.layer is not None:
            raise InputError("a layer belongs to a file; these points are a frame: leave it out.")
        if layout.x is None and not hasattr(frame, "geometry"):
            raise InputError(
                "a table needs a geometry, or the names of its columns of coordinates; this has no "
                "geometry: name them by `read_points(…, x=…, y=…, crs=…)`."
            )
        self._frame, self.layout = frame, layout

    def __repr__(self) -> str:
        return f"FrameSource(private{self.layout.in_words})"

    def check(self, request: Request) -> None:
        check_frame(self._frame, self.layout, request)

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        self.check(request)
        layout, frame = self.layout, self._frame
        ids = None if request.person is None else self._ids(frame[request.person])
        group = request.group_codes(frame, self._values)
        if layout.x is not None:
            yield from self._tabular(request, ids, group)
            return
        move = request.reprojection(layout.crs if frame.crs is None else frame.crs)
        shapes = np.asarray(frame.geometry.array)
        for start in range(0, len(shapes), BLOCK):
            part = slice(start, start + BLOCK)
            x, y, feature = coordinates(shapes[part], request)
            ids_here = None if ids is None else ids.take(part).take(feature)
            yield Block(*move(x, y), ids_here, None if group is None else group[part][feature])

    def _ids(self, column: Any) -> Ids:
        return column_ids(column)

    def _values(self, column: Any, field: Field) -> FieldValues:
        return column_values(column, field)

    def _tabular(
        self, request: Request, ids: Ids | None, group: GroupCodes | None
    ) -> Iterator[Block]:
        layout = self.layout
        xs, ys = (_numbers(self._frame[name]) for name in (layout.x, layout.y))
        plain = Request(request.domain)
        if layout.crs is None:
            request.reprojection(None)  # says that a CRS is needed
        start = 0
        for block in ArraySource((xs, ys), crs=layout.crs).blocks(plain):
            part = slice(start, start + len(block.x))
            ids_here = None if ids is None else ids.take(part)
            yield Block(block.x, block.y, ids_here, None if group is None else group[part])
            start = part.stop


def check_frame(frame: Any, layout: Layout, request: Request) -> None:
    """Refuse what the columns of a frame, or of a Dask collection, are declared as."""
    request.check_columns(list(getattr(frame, "columns", ())), layout.x, layout.y)
    if layout.x is not None:
        request.check_kind("table")
        for name in (layout.x, layout.y):
            _check_coordinate(frame[name].dtype)
    if request.person is not None:
        check_column(frame[request.person], request.person)
    for field in request.fields:
        check_values(frame[field.name], field)


def _check_coordinate(dtype: Any) -> None:
    if hasattr(dtype, "pyarrow_dtype"):
        check_numbers(dtype.pyarrow_dtype)
    elif dtype.kind not in "biufOSUT":
        raise InputError(
            f"x and y must be columns of numbers; one is declared as {dtype}: name others."
        )


def _numbers(column: Any) -> npt.NDArray[Any]:
    """Read a pandas column for counting: as floats where it has a dtype of numbers."""
    if hasattr(column.dtype, "pyarrow_dtype"):
        return numbers(_arrow(column))
    if column.dtype.kind in "biuf":
        with np.errstate(over="ignore"):  # longer floats may be larger
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(column.to_numpy(dtype=object))


def _arrow(column: Any) -> Any:
    """Return the one Arrow array that a column of pandas holds, perhaps in chunks."""
    import pyarrow

    array = pyarrow.array(column, from_pandas=True)
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
    return array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array


def check_column(column: Any, field: str) -> None:
    """Refuse a person field by its declared type."""
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype"):
        check_ids(dtype.pyarrow_dtype, field)
    elif hasattr(dtype, "categories"):
        check_column(dtype.categories, field)
    elif isinstance(dtype, np.dtype) or hasattr(dtype, "numpy_dtype"):
        check_dtype(dtype, field)
    elif not (hasattr(dtype, "tz") or dtype.type is str):  # periods, intervals, geometries
        raise no_ids(field, dtype)


def column_ids(column: Any) -> Ids:
    """Read the ids in a pandas column."""
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "") == "pyarrow":
        return arrow_ids(_arrow(column))
    return Ids.of(column)


def check_values(column: Any, field: Field) -> None:
    """Refuse a field of groups by its declared type."""
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype"):
        check_group(dtype.pyarrow_dtype, field)
    elif hasattr(dtype, "categories"):
        check_values(dtype.categories, field)
    elif isinstance(dtype, np.dtype) or hasattr(dtype, "numpy_dtype"):
        check_group_dtype(dtype, field)
    elif hasattr(dtype, "tz"):
        check_group_dtype(np.dtype("M8[s]"), field)
    elif dtype.type is not str:  # periods, intervals, geometries
        raise no_group(field, dtype)


def column_values(column: Any, field: Field) -> FieldValues:
    """Read a pandas column as a field of groups asks for it."""
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "") == "pyarrow":
        return group_column(_arrow(column), field)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return group_values(column.to_numpy(), field)
    if field.kind == "category":
        return _category_values(column, field)
    column = without_zone(column)
    if column.dtype.kind == "M":
        return group_values(np.asarray(column), field)
    return group_values(_numbers(column), field)


def _category_values(column: Any, field: Field) -> FieldValues:
    """Read categories of a column that has neither Arrow's nor NumPy's numbers."""
    dtype = column.dtype
    if hasattr(dtype, "numpy_dtype"):  # pandas' own numbers, with gaps
        held = column.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        return group_values(np.ma.MaskedArray(held, column.isna().to_numpy()), field)
    text = _as_text(column) if dtype.type in (str, np.object_) else None
    return column_ids(column) if text is None else group_column(text, field)


def _as_text(column: Any) -> Any:
    """Turn a column of texts, some of them missing, into an Arrow array; None of any other."""
    import pyarrow

    try:
        return pyarrow.array(column.to_numpy(), pyarrow.large_string(), from_pandas=True)
    except Exception:  # values of any type come here, and with them any error
        return None
