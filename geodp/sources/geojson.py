"""Read points of a GeoJSON file, each feature of which can harm only itself.

Three kinds of file are read: a FeatureCollection, a single Feature, and a sequence of features.
In a sequence each feature is a line (``.geojsonl``, ``.ndjson``, ``.jsonl``), or whatever follows a
record separator, 0x1E (``.geojsons``, ``.geojsonseq``).

Features are cut out of the file by their brackets, and only then read as JSON one by one, so that
none has a say in how another is read: no type is inferred from values, numbers stay the text that
they are, and a feature that is not a Point or MultiPoint, or cannot be read at all, is dropped
without a word, since how many there are is private. The same holds for one of more than 64 MiB.
What surrounds the features must be JSON; otherwise the file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..core.common.errors import CrsError
from ..core.common.types import Floats, Ints
from .elements import Numeral, Root, decoded, feature_separator, records
from .lines import open_bytes


@dataclass(frozen=True)
class Batch:
    """Hold some features that are points.

    Attributes
    ----------
    x, y : ndarray of float64
        Coordinates, of which a MultiPoint has several; infinite where a number is out of range.
    feature : ndarray of int
        Place in the columns of the feature that each coordinate belongs to.
    columns : dict of str to list
        Properties of each feature, as text: numbers in the digits of the file, ``true`` and
        ``false`` as they are written. None where one is missing, null, or a list or an object.
    """

    x: Floats
    y: Floats
    feature: Ints
    columns: dict[str, list[str | None]]

    def __repr__(self) -> str:
        return "Batch(<private>)"


def read_geojson(
    path: Path, columns: Sequence[str] = (), block: int = 1 << 16
) -> Iterator[tuple[Batch, float]]:
    """Yield the points of a GeoJSON file in batches.

    Parameters
    ----------
    path : path
        A GeoJSON file, or a sequence of features; packed by gzip or not.
    columns : sequence of str
        Properties to read. GeoJSON declares none, so a name that no feature has is no error.
    block : int
        Features, or coordinates, of a batch.

    Yields
    ------
    Batch
        The points.
    float
        Share of the file's bytes that has been read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "visits.geojsonl")
    >>> point = '{"type": "Feature", "properties": {"who": %s}, "geometry": %s}'
    >>> _ = path.write_text(
    ...     point % (9007199254740993, '{"type": "Point", "coordinates": [1.5, 2]}')
    ... )
    >>> for batch, share in read_geojson(path, ["who"]):
    ...     print(batch.x, batch.y, batch.columns, share)
    [1.5] [2.] {'who': ['9007199254740993']} 1.0
    """
    path = Path(path)
    names = list(dict.fromkeys(columns))
    with open_bytes(path) as (file, raw):
        size = max(1, path.stat().st_size)
        rows: list[Any] = []
        held = 0
        for feature in _features(path, file):
            point = _point(feature, names)
            if point is None:
                continue
            rows.append(point)
            held += len(point[0])
            if max(held, len(rows)) >= block:
                yield _batch(rows, names), min(1.0, raw.tell() / size)
                rows, held = [], 0
        if rows:
            yield _batch(rows, names), 1.0


def property_names(path: Path) -> list[str]:
    """Name the properties that the first features have. Private: for whoever holds the file.

    Parameters
    ----------
    path : path
        A GeoJSON file, or a sequence of features.

    Returns
    -------
    list of str
        In the order in which they come up.
    """
    names: dict[str, None] = {}
    with open_bytes(Path(path)) as (file, _):
        for feature in islice(_features(Path(path), file), 1000):
            about = feature.get("properties") if isinstance(feature, dict) else None
            names |= dict.fromkeys(about if isinstance(about, dict) else ())
    return list(names)


def geojson_crs(path: Path) -> str:
    """Return the CRS of a GeoJSON file: WGS 84, unless its member ``crs`` states another.

    Parameters
    ----------
    path : path
        A GeoJSON file, or a sequence of features.

    Returns
    -------
    str
        Such as "OGC:CRS84" or "EPSG:25832".
    """
    path = Path(path)
    with open_bytes(path) as (file, _):
        if feature_separator(path, file) is not None:
            return "OGC:CRS84"
        root = Root(path, file)
        for _ in root.features():
            pass
    if "crs" not in root.members:
        return "OGC:CRS84"
    return _crs_name(path, root.members["crs"])


def _crs_name(path: Path, crs: Any) -> str:
    """Name of a CRS in the way of the year 2008: a name, mostly a URN, or a code."""
    about = crs.get("properties") if isinstance(crs, dict) else None
    if isinstance(about, dict):
        name, code = about.get("name"), about.get("code")
        if isinstance(name, str) and name:
            parts = name.split(":")
            return f"{parts[4]}:{parts[-1]}" if _is_urn(parts) else name
        if crs.get("type") == "EPSG" and isinstance(code, str) and code.isdecimal():
            return f"EPSG:{code}"
    raise CrsError(
        f"the member crs of a GeoJSON file must name a CRS; that of {path.name} does not: pass the "
        "CRS of its coordinates."
    )


def _is_urn(parts: list[str]) -> bool:
    """Tell whether a name is urn:ogc:def:crs:AUTHORITY:VERSION:CODE."""
    return len(parts) == 7 and [part.lower() for part in parts[:4]] == ["urn", "ogc", "def", "crs"]


# --- features ------------------------------------------------------------------------------------


def _features(path: Path, file: IO[bytes]) -> Iterator[Any]:
    """Yield each feature, or what stands in its place, as an object; None if it is no JSON."""
    mark = feature_separator(path, file)
    if mark is not None:
        yield from map(decoded, records(file, mark))
        return
    root = Root(path, file)
    yield from map(decoded, root.features())
    if root.members["type"] == "Feature":
        yield root.members


def _point(feature: Any, names: list[str]) -> tuple[list[Any], list[str | None]] | None:
    """Read coordinates and properties of a feature; None if it is not a Point or MultiPoint."""
    if not isinstance(feature, dict) or feature.get("type") != "Feature":
        return None
    geometry, about = feature.get("geometry"), feature.get("properties")
    if not isinstance(geometry, dict):
        return None
    positions = geometry.get("coordinates")
    if geometry.get("type") == "Point":
        positions = [positions]
    elif geometry.get("type") != "MultiPoint" or not isinstance(positions, list):
        return None
    if not positions or not all(map(_is_position, positions)):
        return None
    about = about if isinstance(about, dict) else {}
    return positions, [_text(about.get(name)) for name in names]


def _is_position(value: Any) -> bool:
    """Tell whether a value is a list of two numbers or more."""
    return (
        isinstance(value, list)
        and len(value) >= 2
        and all(isinstance(number, Numeral) for number in value)
    )


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return None
    # Half of a surrogate pair is valid in JSON, but is text that cannot be written anywhere.
    return str(value) if value.isascii() else value.encode("utf-8", "backslashreplace").decode()


def _batch(rows: list[tuple[list[Any], list[str | None]]], names: list[str]) -> Batch:
    where = [(float(place[0]), float(place[1])) for places, _ in rows for place in places]
    x, y = np.array(where, dtype=np.float64).reshape(-1, 2).T.copy()
    feature = np.repeat(np.arange(len(rows)), [len(places) for places, _ in rows])
    values = zip(*(about for _, about in rows)) if names else ()
    return Batch(x, y, feature, {name: list(column) for name, column in zip(names, values)})
