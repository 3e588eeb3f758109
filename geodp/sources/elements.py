"""Cut the elements of a JSON file out by their brackets; the rules are those of ``geojson``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..core.common.errors import FileError
from ..core.common.types import Ints
from .lines import RECORDS_ALONE

SEPARATED = (".geojsons", ".geojsonseq")
"""Names of files with a feature behind each record separator (RFC 8142)."""

READ = 1 << 20
"""Bytes read at once."""

LARGEST = 1 << 26
"""Bytes of a feature beyond which it is dropped, and of whatever surrounds the features."""

_STEP = np.zeros(256, dtype=np.int8)
_STEP[[ord("{"), ord("[")]] = 1
_STEP[[ord("}"), ord("]")]] = -1
_MARK = _STEP != 0
_MARK[ord('"')] = True


class Numeral(str):
    """Hold a number as its text, which text in quotes is not."""

    __slots__ = ()


DECODER = json.JSONDecoder(
    parse_int=Numeral, parse_float=Numeral, parse_constant=Numeral, strict=False
)


def decoded(data: bytes) -> Any:
    """Decode bytes of JSON, with numbers as text; None if they are none."""
    try:
        return DECODER.decode(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # no JSON, or nested thousands of times
        return None


def feature_separator(path: Path, file: Any) -> bytes | None:
    """Return what separates the features of a sequence of them; None for other files.

    The name tells which of the two it is, since the first byte of such a file is that of a record.
    """
    name, first = path.name.lower().removesuffix(".gz"), file.peek(1)[:1]
    if name.endswith(RECORDS_ALONE):
        return b"\n"
    if name.endswith(SEPARATED) and first not in (b"", b"\x1e"):
        raise FileError(
            "a sequence of features of this name must begin with a record separator; "
            f"{path.name} does not: if each line is a feature, name it *.geojsonl."
        )
    return b"\x1e" if name.endswith(SEPARATED) or first == b"\x1e" else None


def records(file: IO[bytes], mark: bytes) -> Iterator[bytes]:
    """Yield the parts of a sequence between its marks, without what may stand before a line."""
    for part in _parts(file, mark):
        yield part.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\x1e")


def _parts(file: IO[bytes], mark: bytes) -> Iterator[bytes]:
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


class Root:
    """Read the object that a GeoJSON file is: its members, with ``features`` passed through.

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
        """Yield the bytes of each element of ``features``; then the other members are complete."""
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
        """Return the first byte that is no white space; nothing at the end of the file."""
        self.buffer = self.buffer.lstrip()
        while not self.buffer and self._more():
            self.buffer = self.buffer.lstrip()
        return self.buffer[:1]

    def _take(self, mark: bytes) -> None:
        if self._next() != mark:
            raise self._refusal()
        self.buffer = self.buffer[1:]

    def _value(self) -> Any:
        """Read the value that begins here."""
        self._next()
        end = self._end()
        while end is None or end == len(self.buffer):  # a number may go on
            if not self._more():
                raise self._refusal()
            end = self._end()
        data, self.buffer = self.buffer[:end], self.buffer[end:]
        return decoded(data)

    def _end(self) -> int | None:
        try:  # one character for each byte, so that places agree
            return DECODER.raw_decode(self.buffer.decode("latin-1"))[1]
        except (ValueError, RecursionError):
            return None

    def _elements(self) -> Iterator[bytes]:
        """Yield the bytes of each list or object in the array that begins here, up to its end."""
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
    """Find brackets outside of text: where, which, how deep after each; and if text goes on."""
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
