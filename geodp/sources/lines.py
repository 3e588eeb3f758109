"""Read lines of a file of text, and tell which are records; the rules are those of ``text``."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from ..core.common.errors import FileError, InputError
from ..core.common.types import Ints

BLOCK = 1 << 23
"""Bytes read at once."""

RECORDS_ALONE = (".geojsonl", ".ndjson", ".jsonl")
"""Names of files of lines that have nothing before their first record: each line is a feature."""

LONGEST = 1 << 20
"""Bytes of a line, without its end, beyond which it is dropped."""

_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"(?!")')
"""From a quote at the start of a field to the one that closes it."""

Bytes = npt.NDArray[np.uint8]


@contextmanager
def open_bytes(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file that may be packed by gzip: its bytes, and the file whose position tells how far.

    Damage becomes an error that names the file and repeats nothing of it.
    """
    try:
        with open(path, "rb") as raw:
            # The first bytes tell, unless they may be those of a record.
            name = path.name.lower()
            packed = raw.peek(2)[:2] == b"\x1f\x8b" and not name.endswith(RECORDS_ALONE)
            yield gzip.GzipFile(fileobj=raw) if packed else raw, raw  # type: ignore[misc]
    except (FileError, InputError):
        raise
    except (OSError, EOFError, zlib.error):
        raise FileError(
            f"the points file must be readable; {path.name} is not, or is damaged."
        ) from None


def line_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield blocks of complete lines; what lies beyond the longest is not kept in memory."""
    while data := file.read(BLOCK):
        tail = file.readline(LONGEST + 1)
        data += tail
        if len(tail) > LONGEST and not tail.endswith(b"\n"):
            data = data[: data.rfind(b"\n") + 1]
            while tail and not tail.endswith(b"\n"):
                tail = file.readline(BLOCK)
        elif not data.endswith(b"\n"):
            data += b"\n"
        yield data


def needs_cutting(block: bytes) -> bool:
    """Tell whether a line may be too long, or hold a carriage return elsewhere than at its end."""
    half = LONGEST // 2  # a line that is too long leaves one of these windows without a line end
    if any(block.find(b"\n", i, i + half) < 0 for i in range(0, len(block) - half, half)):
        return True
    return b"\r" in block and block.count(b"\r") != block.count(b"\r\n")


def good_lines(block: bytes, delimiter: str, width: int) -> bytes:
    """Cut out the lines that break a rule, and blank ones."""
    data = np.frombuffer(block, dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    length = np.diff(ends, prepend=-1)
    blank = (length == 1) | ((length == 2) & (data[ends - 1] == ord("\r")))
    bad = blank | (length - 1 > LONGEST)
    returns = np.flatnonzero(data == ord("\r"))
    bad[np.searchsorted(ends, returns[data[returns + 1] != ord("\n")])] = True
    bad |= _widths(data, ends, delimiter) != width
    kept: Bytes = data[np.repeat(~bad, length)]
    return kept.tobytes()


def _widths(data: Bytes, ends: Ints, delimiter: str) -> Ints:
    """Count the fields of each line: 0 where a quoted one is not closed.

    Most lines with quotes quote whole fields, which shows in the quotes alone: the 1st, 3rd, ...
    follows a separator, the line's start or the closing quote that it doubles; the 2nd, 4th, ...
    comes before a separator, the line's end or another quote; and their number is even. Then a
    separator is one if the number of quotes before it is even. Other lines are looked at singly.
    """
    quotes = np.flatnonzero(data == ord('"'))
    line = np.searchsorted(ends, quotes)
    count = np.bincount(line, minlength=len(ends))
    first = np.cumsum(count) - count
    closing = (np.arange(len(quotes)) - first[line]) % 2 == 1
    border = np.isin(np.arange(256), [*map(ord, '\r\n"'), ord(delimiter)])
    before = np.where(quotes > 0, data[quotes - 1], ord("\n"))  # a block starts a line
    single = count % 2 == 1
    single[line[~border[np.where(closing, data[quotes + 1], before)]]] = True

    marks = np.flatnonzero(data == ord(delimiter))
    line = np.searchsorted(ends, marks)
    line = line[(np.searchsorted(quotes, marks) - first[line]) % 2 == 0]
    widths = np.bincount(line, minlength=len(ends)) + 1
    for i in np.flatnonzero(single):
        start = ends[i - 1] + 1 if i else 0
        widths[i] = line_width(data[start : ends[i]].tobytes(), delimiter.encode())
    return widths


def line_width(line: bytes, delimiter: bytes) -> int:
    """Count the fields of one line: 0 where a quoted one is not closed."""
    width, at = 0, 0
    while True:
        if line.startswith(b'"', at):
            quoted = _QUOTED.match(line, at)
            if quoted is None:
                return 0
            at = quoted.end()
        width += 1
        at = line.find(delimiter, at) + 1
        if not at:
            return width
