"""Points of a GeoJSON file, each feature of which can harm only itself.

Three kinds of file are read: a FeatureCollection, a single Feature, and a sequence of features.
In a sequence (``.geojsonl``, ``.geojsons``, ``.ndjson``, ``.jsonl``) each feature is a line, or
whatever follows a record separator (0x1E) if the file begins with one.

Features are cut out of the file by their brackets, and only then read as JSON one by one, so that
none has a say in how another is read: no type is inferred from values, numbers stay the text that
they are, and a feature that is not a Point or MultiPoint, or cannot be read at all, is dropped
without a word, since how many there are is private. The same holds for one of more than 64 MiB.
What surrounds the features must be JSON; otherwise the file is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..core.axis import Floats, Ints
from ..core.errors import CrsError, FileError
from .text import open_bytes

SEQUENCES = (".geojsonl", ".geojsons", ".geojsonseq", ".ndjson", ".jsonl")

READ = 1 << 20
"""Bytes read at once."""

LARGEST = 1 << 26
"""Bytes of a feature beyond which it is dropped, and of whatever surrounds the features."""

_STEP = np.zeros(256, dtype=np.int8)
_STEP[[ord("{"), ord("[")]] = 1
_STEP[[ord("}"), ord("]")]] = -1
_MARK = _STEP != 0
_MARK[ord('"')] = True


@dataclass(frozen=True)
class Batch:
    """Some features that are points.

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


class _Numeral(str):
    """A number as its text, which text in quotes is not."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    parse_int=_Numeral, parse_float=_Numeral, parse_constant=_Numeral, strict=False
)


def read_geojson(
    path: Path, columns: Sequence[str] = (), block: int = 1 << 16
) -> Iterator[tuple[Batch, float]]:
    """Points of a GeoJSON file in batches.

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


def geojson_crs(path: Path) -> str:
    """CRS of a GeoJSON file: WGS 84, unless a member ``crs`` of the whole file states another.

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
        if _is_sequence(path, file):
            return "OGC:CRS84"
        root = _Root(path, file)
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
    """Whether it is urn:ogc:def:crs:AUTHORITY:VERSION:CODE."""
    return len(parts) == 7 and [part.lower() for part in parts[:4]] == ["urn", "ogc", "def", "crs"]


# --- features ------------------------------------------------------------------------------------


def _features(path: Path, file: IO[bytes]) -> Iterator[Any]:
    """Each feature, or whatever stands in its place, as Python objects; None if it is no JSON."""
    if _is_sequence(path, file):
        yield from map(_decoded, _records(file))
        return
    root = _Root(path, file)
    yield from map(_decoded, root.features())
    if root.members["type"] == "Feature":
        yield root.members


def _decoded(data: bytes) -> Any:
    try:
        return _DECODER.decode(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # no JSON, or nested thousands of times
        return None


def _point(feature: Any, names: list[str]) -> tuple[list[Any], list[str | None]] | None:
    """Coordinates and properties of a feature, None if it is not a Point or MultiPoint."""
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
    """Whether it is a list of two numbers or more."""
    return (
        isinstance(value, list)
        and len(value) >= 2
        and all(isinstance(number, _Numeral) for number in value)
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


# --- bytes ---------------------------------------------------------------------------------------


def _is_sequence(path: Path, file: Any) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(SEQUENCES) or _separated(file)


def _separated(file: Any) -> bool:
    """Whether features follow record separators, as RFC 8142 has it."""
    return bool(file.peek(1)[:1] == b"\x1e")


def _records(file: IO[bytes]) -> Iterator[bytes]:
    """Lines of a sequence, or its parts between record separators."""
    mark = b"\x1e" if _separated(file) else b"\n"
    rest, large = bytearray(), False
    while data := file.read(READ):
        for number, part in enumerate(data.split(mark)):
            if number:  # a mark lies before this part
                if not large:
                    yield bytes(rest)
                rest, large = bytearray(), False
            rest += part
            if len(rest) > LARGEST:
                rest, large = bytearray(), True
    if not large:
        yield bytes(rest)


class _Root:
    """The object that a GeoJSON file is: its members, of which ``features`` is passed through.

    The other members are few and small, and are read with the standard library, from a buffer
    that grows until a value is whole.
    """

    def __init__(self, path: Path, file: IO[bytes]):
        self.path, self.file = path, file
        self.members: dict[str, Any] = {}
        self.buffer = file.read(READ)
        if self.buffer.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FileError(f"the points file must be text in UTF-8; {path.name} is in UTF-16.")
        self.buffer = self.buffer.removeprefix(b"\xef\xbb\xbf")

    def features(self) -> Iterator[bytes]:
        """Bytes of each element of ``features``; the other members are complete afterwards."""
        kind = "Feature"
        self._take(b"{")
        while self._next() != b"}":
            if self.members or kind == "FeatureCollection":
                self._take(b",")
            name = self._value()
            self._take(b":")
            if name == "features" and self._next() == b"[":
                kind = "FeatureCollection"
                self._take(b"[")
                yield from self._elements()
            else:
                self.members[str(name)] = self._value()
        self._take(b"}")
        if self._next() or self.members.get("type") != kind:
            raise self._refusal()

    def _refusal(self) -> FileError:
        return FileError(
            "the points file must be a GeoJSON FeatureCollection, a Feature, or a sequence of "
            f"features with a name such as *.geojsonl; {self.path.name} is not, or is damaged."
        )

    def _more(self) -> bool:
        """Read as much again as there is."""
        data = b"" if len(self.buffer) > LARGEST else self.file.read(max(READ, len(self.buffer)))
        self.buffer += data
        return bool(data)

    def _next(self) -> bytes:
        """First byte that is no white space; nothing at the end of the file."""
        self.buffer = self.buffer.lstrip()
        while not self.buffer and self._more():
            self.buffer = self.buffer.lstrip()
        return self.buffer[:1]

    def _take(self, mark: bytes) -> None:
        if self._next() != mark:
            raise self._refusal()
        self.buffer = self.buffer[1:]

    def _value(self) -> Any:
        """The value that begins here."""
        self._next()
        end = self._end()
        while end is None or end == len(self.buffer):  # a number may go on
            if not self._more():
                raise self._refusal()
            end = self._end()
        data, self.buffer = self.buffer[:end], self.buffer[end:]
        return _decoded(data)

    def _end(self) -> int | None:
        try:  # one character for each byte, so that places agree
            return _DECODER.raw_decode(self.buffer.decode("latin-1"))[1]
        except (ValueError, RecursionError):
            return None

    def _elements(self) -> Iterator[bytes]:
        """Bytes of each list or object in the array that begins here, up to its end."""
        depth, quoted = 0, False
        part, large = bytearray(), False
        data = self.buffer or self.file.read(READ)
        while data:
            held = len(data) - (len(data) - len(data.rstrip(b"\\"))) % 2
            data, rest = data[:held], data[held:]  # half of an escape waits for its other half
            at, mark, level, quoted = _levels(data, depth, quoted)
            ended = np.flatnonzero(level < 0)
            if len(ended):
                at, mark, level = (values[: ended[0] + 1] for values in (at, mark, level))
            step = np.diff(level, prepend=depth)
            starts = at[(step > 0) & (level == 1)].tolist()
            ends = (at[(step < 0) & (level == 0)] + 1).tolist()
            if depth and ends:
                part += data[: ends[0]]
                if not large and len(part) <= LARGEST:
                    yield bytes(part)
                part, large = bytearray(), False
                del ends[0]
            for start, end in zip(starts, ends):
                yield data[start:end]
            if len(ended):
                if mark[-1] != ord("]"):
                    break
                self.buffer = data[at[-1] + 1 :] + rest
                return
            depth = int(level[-1]) if len(level) else depth
            if depth and not large:
                part += data[starts[-1] :] if starts else data
                if len(part) > LARGEST:
                    part, large = bytearray(), True
            data = self.file.read(READ)
            data = rest + data if data else b""
        raise self._refusal()


def _levels(data: bytes, depth: int, quoted: bool) -> tuple[Ints, Any, Ints, bool]:
    """Brackets outside of text: where, which, and how deep after each; and if text goes on."""
    if b"\\" in data:  # a backslash takes the meaning of the byte after it, which may be one too
        data = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    values = np.frombuffer(data, dtype=np.uint8)
    at = np.flatnonzero(_MARK[values])
    mark = values[at]
    text = (np.cumsum(mark == ord('"')) + quoted) % 2 == 1
    quoted = bool(text[-1]) if len(text) else quoted
    bracket = ~text & (mark != ord('"'))
    at, mark = at[bracket], mark[bracket]
    return at, mark, depth + np.cumsum(_STEP[mark], dtype=np.int64), quoted
