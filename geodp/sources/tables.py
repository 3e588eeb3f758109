"""Read text tables and GeoJSON as blocks of coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ..core.common.errors import InputError
from ..core.records.arrays import group_values
from ..core.records.ids import Ids
from ..core.records.source import Block, Request
from .columns import Layout, arrow_ids, counted, group_column
from .dates import has_date
from .encodings import in_utf8, likely_encoding
from .geojson import geojson_crs, read_geojson
from .opening import naming_file
from .text import cut_names, header_line, numbers, read_text, text_columns

_TEXT = "a text table in UTF-8, or in what `encoding` says"
_JSON = "a GeoJSON file"


def text_check(path: Path, layout: Layout, request: Request) -> None:
    """Refuse columns that are not in the header line, and dates that can be none."""
    with naming_file(path, _TEXT):
        names = text_columns(path, layout.separator, layout.decimal or ".", layout.codec)
    request.check_kind("table")
    if layout.encoding is None:
        _check_encoding(path, names, layout, request)
    request.check_columns(names, layout.x, layout.y)
    _check_decimal(path, layout)
    form = layout.date_format
    for field in request.fields:
        if form is not None and field.kind in ("time", "weekday") and not has_date(form):
            raise InputError(
                f"`date_format` must have year, month and day where {field.name!r} is divided by "
                f"dates or weekdays; got {form!r}."
            )


def _check_encoding(path: Path, names: list[str], layout: Layout, request: Request) -> None:
    """Name the encoding in which the columns that were asked for exist, where it is another one.

    Nothing is said of a line in which none of them is: it may be a record.
    """
    asked = layout.wanted(request, None)
    missing = [name for name in asked if name not in names]
    if not missing:
        return
    encoding = likely_encoding(
        header_line(path),
        asked,
        lambda text: cut_names(text, layout.separator, layout.decimal or ".")[0],
    )
    if encoding is not None:
        raise InputError(
            f"a text file is read as UTF-8 unless something else is said; {path.name} has the "
            f"column {missing[0]!r} if it is read as {encoding}: pass `encoding`, {encoding!r}."
        )
    if any(name in names for name in asked) and any("\ufffd" in name for name in names):
        raise InputError(
            f"a text file is read as UTF-8 unless something else is said, and the first line of "
            f"{path.name} is not in it; there is no {missing[0]!r}: pass `encoding`, such as "
            "'cp1252' for files of Windows, or save the file as CSV in UTF-8."
        )


def _check_decimal(path: Path, layout: Layout) -> None:
    """Refuse to guess the decimal mark beside semicolons: all records could be dropped by that.

    Spreadsheets put semicolons between fields where numbers have a comma, and other programs put
    them beside decimal points. Names that were asked for are in the header line by now.
    """
    if layout.decimal is not None:
        return
    header = header_line(path).decode(layout.codec, "replace")
    if cut_names(header, layout.separator, ".")[1] == ";":
        raise InputError(
            f"{path.name} has semicolons between its fields, as spreadsheets write them where "
            "numbers have a decimal comma: pass `decimal`, ',' for a comma or '.' for a point."
        )


def text_blocks(path: Path, layout: Layout, request: Request) -> Iterator[tuple[Block, float]]:
    """Yield blocks of a text table; every field is text, and a line is a record."""
    text_check(path, layout, request)
    move = request.reprojection(layout.crs)
    wanted, decimal, codec = layout.wanted(request, None), layout.decimal or ".", layout.codec
    people = [] if request.person is None else [request.person]
    words = dict.fromkeys([*people, *(field.name for field in request.fields)])
    values = partial(group_column, decimal=decimal, date_format=layout.date_format)
    with naming_file(path, _TEXT):
        for columns, share in read_text(
            path, wanted, decimal=decimal, delimiter=layout.separator, encoding=codec
        ):
            x, y = (numbers(columns[str(name)], decimal) for name in (layout.x, layout.y))
            texts = {name: in_utf8(columns[name], codec) for name in words}
            ids = None if request.person is None else arrow_ids(texts[request.person])
            group = request.group_codes(texts, values)
            yield Block(*move(x, y), ids, group), share


def geojson_blocks(path: Path, request: Request) -> Iterator[tuple[Block, float]]:
    """Yield blocks of GeoJSON; a feature without the person's field is nobody's, or in no group."""
    people = [] if request.person is None else [request.person]
    wanted = [*people, *(field.name for field in request.fields)]
    with naming_file(path, _JSON):
        move = request.reprojection(geojson_crs(path))
        for batch, share in read_geojson(path, wanted):
            keep = counted(batch.feature, request)
            ids = None
            if request.person is not None:
                ids = Ids.of(list(batch.columns[request.person])).take(batch.feature[keep])
            group = request.group_codes(batch.columns, group_values, batch.feature[keep])
            yield Block(*move(batch.x[keep], batch.y[keep]), ids, group), share
