"""Text tables and GeoJSON as blocks of coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ..core.records.arrays import group_values
from ..core.records.ids import Ids
from ..core.records.source import Block, Request
from .columns import Layout, counted, group_column, ids_of
from .geojson import geojson_crs, read_geojson
from .opening import named
from .text import numbers, read_text, text_columns

_TEXT = "a text table in UTF-8"
_JSON = "a GeoJSON file"


def text_check(path: Path, layout: Layout, request: Request) -> None:
    """Refuse columns that are not in the header line."""
    with named(path, _TEXT):
        names = text_columns(path, layout.separator, layout.decimal or ".")
    request.check_kind("table")
    request.check_columns(names, layout.x, layout.y)


def text_blocks(path: Path, layout: Layout, request: Request) -> Iterator[tuple[Block, float]]:
    """Blocks of a text table; every field is text, and a line is a record."""
    text_check(path, layout, request)
    move = request.reprojection(layout.crs)
    wanted, decimal = layout.wanted(request, None), layout.decimal or "."
    with named(path, _TEXT):
        for columns, share in read_text(path, wanted, decimal=decimal, delimiter=layout.separator):
            x, y = (numbers(columns[str(name)], decimal) for name in (layout.x, layout.y))
            ids = None if request.person is None else ids_of(columns[request.person])
            group = request.group_codes(columns, partial(group_column, decimal=decimal))
            yield Block(*move(x, y), ids, group), share


def geojson_blocks(path: Path, request: Request) -> Iterator[tuple[Block, float]]:
    """Blocks of GeoJSON; a feature without the person's field is nobody's, or in no group."""
    people = [] if request.person is None else [request.person]
    wanted = [*people, *(field.name for field in request.fields)]
    with named(path, _JSON):
        move = request.reprojection(geojson_crs(path))
        for batch, share in read_geojson(path, wanted):
            keep = counted(batch.feature, request)
            ids = None
            if request.person is not None:
                ids = Ids.of(list(batch.columns[request.person])).take(batch.feature[keep])
            group = request.group_codes(batch.columns, group_values, batch.feature[keep])
            yield Block(*move(batch.x[keep], batch.y[keep]), ids, group), share
