"""Read records of a text file (CSV, TSV, also packed by gzip), each of which can harm only itself.

A record is a line, and a line ends with a line feed; a carriage return before it belongs to it.
Fields are separated by one character. A field that begins with a double quote may hold the
separator, and a double quote written twice, up to the quote that closes it, which must be on the
same line; elsewhere a quote is a character like any other. A line is dropped without a word, since
how many there are is private, if

- a quote that opens a field is not closed on it;
- it holds a carriage return anywhere else than at its end;
- it has more or fewer fields than the header line, or more than 1 MiB.

Other lines are the same whatever such a line holds. Most readers let one quote that is never
closed swallow all records after it, and stop at a byte that is not UTF-8; here the only things
that stop a file from being read are its header line, and damage that keeps bytes from being read.
Bytes are kept as they are, whatever encoding they are in.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from ..core.common.errors import FileError, InputError
from ..core.common.types import Floats
from ..core.records.source import in_a_row
from .lines import LONGEST, good_lines, line_blocks, line_width, needs_cutting, open_bytes

DELIMITERS = (",", ";", "\t")

_NUMERAL = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?$"
"""Text that Arrow and Python read as the same number, in every version of either."""


def text_columns(
    path: Path, delimiter: str | None = None, decimal: str = ".", encoding: str = "utf-8"
) -> list[str]:
    """Name the columns, from the header line.

    Parameters
    ----------
    path : path
        A text file, packed or not.
    delimiter : str, optional
        What separates fields; by default the one of comma, semicolon and tab that makes the most
        names of the header line.
    decimal : {".", ","}
        Decimal mark of the file's numbers, as for :func:`read_text`.
    encoding : str
        What the line is in. A byte that is no letter in it is shown as a question mark.

    Returns
    -------
    list of str
    """
    return cut_names(header_line(path).decode(encoding, "replace"), delimiter, decimal)[0]


def header_line(path: Path) -> bytes:
    """Return the first line of a text file that is not blank, without its end."""
    with open_bytes(Path(path)) as (file, _):
        return _line(Path(path), file)


def read_text(
    path: Path,
    columns: Sequence[str],
    *,
    decimal: str = ".",
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> Iterator[tuple[dict[str, Any], float]]:
    r"""Yield columns of a text file in batches, as raw bytes.

    Parameters
    ----------
    path : path
        A text file, packed or not. Its first line names its columns.
    columns : sequence of str
        The columns to read. Each must be the name of exactly one.
    decimal : {".", ","}
        Decimal mark of the file's numbers: beside a decimal comma, the comma separates fields only
        where neither semicolon nor tab does.
    delimiter : str, optional
        What separates fields; by default comma, semicolon or tab, as the header line shows.
    encoding : str
        What the header line is in; fields stay as they are.

    Yields
    ------
    dict of str to pyarrow.BinaryArray
        Values of each column, null where a field is empty.
    float
        Share of the file's bytes that has been read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "visits.csv")
    >>> _ = path.write_text('who;lon\n"Ann; B.";1.5\n"Bob;2\nCarl;3\n')
    >>> for batch, share in read_text(path, ["who", "lon"]):
    ...     print(texts(batch["who"]).tolist(), numbers(batch["lon"]), share)
    ['Ann; B.', 'Carl'] [1.5 3. ] 1.0
    """
    path = Path(path)
    size = max(1, _readable_size(path))
    with open_bytes(path) as (file, raw):
        header = _line(path, file).decode(encoding, "replace")
        names, separator = cut_names(header, delimiter, decimal)
        _check_columns(path, columns, names)
        wanted = {name: names.index(name) for name in dict.fromkeys(columns)}
        for block in line_blocks(file):
            batch = _parsed(block, separator, len(names), wanted)
            if batch is not None:
                yield batch, min(1.0, raw.tell() / size)


def _readable_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        raise FileError(f"the points file must be readable; {path.name} is not.") from None


# --- header --------------------------------------------------------------------------------------


def _line(path: Path, file: IO[bytes]) -> bytes:
    """Read the first line that is not blank."""
    line = file.readline(LONGEST + 1)
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(
            f"the points file must be text in UTF-8; {path.name} is in UTF-16: save it as CSV in "
            "UTF-8."
        )
    line = line.removeprefix(b"\xef\xbb\xbf")
    while line and not line.strip(b"\r\n"):
        line = file.readline(LONGEST + 1)
    header = line.rstrip(b"\r\n")
    if not header or len(line) > LONGEST or b"\r" in header or b"\0" in header:
        raise FileError(
            f"the points file must be text whose first line names its columns and whose lines end "
            f"with a line feed, in UTF-8 or as `encoding` says; {path.name} is not."
        )
    return header


def cut_names(text: str, delimiter: str | None, decimal: str) -> tuple[list[str], str]:
    """Cut the header line into names of columns, and tell the separator.

    Examples
    --------
    >>> cut_names("lon;lat;who", None, ".")
    (['lon', 'lat', 'who'], ';')
    """
    options = DELIMITERS if delimiter is None else (delimiter,)
    names = {mark: _names(text, mark) for mark in options}
    if delimiter is None and decimal == "," and max(len(names[mark]) for mark in ";\t") > 1:
        del names[","]
    separator = max(names, key=lambda mark: len(names[mark]))  # of equals the first
    return names[separator], separator


def _names(header: str, delimiter: str) -> list[str]:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise InputError("the delimiter must be one ASCII character, such as ',' or ';'.")
    return next(csv.reader([header], delimiter=delimiter))


def _check_columns(path: Path, columns: Sequence[str], names: list[str]) -> None:
    wrong = [name for name in columns if names.count(name) != 1]
    if wrong:
        raise InputError(
            f"each column must be named once in the first line of {path.name}, and "
            f"{', '.join(map(repr, wrong))} must be among them: the columns are "
            f"{in_a_row(names, columns)}."
        )


# --- lines ---------------------------------------------------------------------------------------


def _parsed(
    block: bytes, delimiter: str, width: int, wanted: dict[str, int]
) -> dict[str, Any] | None:
    """Parse the wanted columns to Arrow arrays; None where no line is left.

    Arrow is fast and knows most of the rules. What it does not know shows: a quote that is open at
    a line's end takes in the next line, so that there are fewer rows than lines.
    """
    if block and not needs_cutting(block):
        columns = _columns(block, delimiter, width, wanted)
        if columns is not None:
            return columns
    block = good_lines(block, delimiter, width)
    if not block:
        return None
    columns = _columns(block, delimiter, width, wanted)
    assert columns is not None, "every line that is left is one row"
    return columns


def _columns(
    block: bytes, delimiter: str, width: int, wanted: dict[str, int]
) -> dict[str, Any] | None:
    """Parse columns by Arrow, if each line became one row."""
    import pyarrow
    from pyarrow import csv as arrow

    chosen = list(map(str, wanted.values()))
    try:
        table = arrow.read_csv(
            pyarrow.BufferReader(block),
            read_options=arrow.ReadOptions(
                column_names=list(map(str, range(width))), block_size=len(block) + 1
            ),
            parse_options=arrow.ParseOptions(delimiter=delimiter, newlines_in_values=False),
            convert_options=arrow.ConvertOptions(
                include_columns=chosen,
                column_types=dict.fromkeys(chosen, pyarrow.binary()),
                check_utf8=False,
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pyarrow.ArrowInvalid:  # some line has more or fewer fields
        return None
    last = block[block.rfind(b"\n", 0, -1) + 1 : -1]  # at the end Arrow closes what is open
    if table.num_rows != block.count(b"\n") or line_width(last, delimiter.encode()) != width:
        return None
    return {name: _joined(table.column(place)) for name, place in zip(wanted, chosen)}


def _joined(column: Any) -> Any:
    """Return one array; it mostly is one, which need not be copied."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


# --- values --------------------------------------------------------------------------------------


def numbers(column: Any, decimal: str = ".") -> Floats:
    """Read a column of text as floats.

    Parameters
    ----------
    column : pyarrow.BinaryArray or pyarrow.StringArray
        Text of numbers as Python writes them, without underscores; spaces around are passed over.
    decimal : {".", ","}
        Decimal mark. Beside a decimal comma, text with a point is no number.

    Returns
    -------
    ndarray of float64
        The same numbers as ``float()`` makes; NaN where a value is missing or is no number.

    Examples
    --------
    >>> import pyarrow
    >>> numbers(pyarrow.array([b"1.5", None, b"-2e3", b"0x10", b"1_000", b"1e400"])).tolist()
    [1.5, nan, -2000.0, nan, nan, inf]
    >>> numbers(pyarrow.array(["1,5", "1.5"]), decimal=",").tolist()
    [1.5, nan]
    """
    import pyarrow
    from pyarrow import compute

    if decimal not in (".", ","):
        raise InputError(f"the decimal mark must be '.' or ','; got {decimal!r}.")
    column = compute.cast(column, pyarrow.string(), safe=False)  # not all need be UTF-8
    if decimal == ",":
        pointed = compute.match_substring(column, ".")
        column = compute.if_else(pointed, None, compute.replace_substring(column, ",", "."))
    try:
        return _floats(compute.cast(column, pyarrow.float64()))
    except pyarrow.ArrowInvalid:
        column = compute.ascii_trim_whitespace(column)
    plain = compute.fill_null(compute.match_substring_regex(column, _NUMERAL), True)
    odd = compute.cast(column.filter(compute.invert(plain)), pyarrow.binary())
    values = np.empty(len(column), dtype=np.float64)
    plain = np.asarray(plain)
    values[plain] = _floats(compute.cast(column.filter(pyarrow.array(plain)), pyarrow.float64()))
    values[~plain] = [_number(value) for value in odd.to_pylist()]
    return values


def _floats(column: Any) -> Floats:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _number(value: bytes) -> float:
    try:
        return float("nan") if b"_" in value else float(value)
    except ValueError:
        return float("nan")


def texts(column: Any) -> npt.NDArray[Any]:
    r"""Read a column of bytes as text, each distinct one made once.

    Parameters
    ----------
    column : pyarrow.BinaryArray
        Bytes of text.

    Returns
    -------
    ndarray of object
        Text that can be encoded again, None where a value is missing. A byte that is not UTF-8 is
        written as ``\xNN``, so that other bytes make other text.

    Examples
    --------
    >>> import pyarrow
    >>> texts(pyarrow.array(["Zoë".encode(), None, "Zoë".encode("latin-1")])).tolist()
    ['Zoë', None, 'Zo\\xeb']
    """
    coded = column.dictionary_encode()
    distinct = np.empty(len(coded.dictionary) + 1, dtype=object)  # the last is None
    values = coded.dictionary.to_pylist()
    distinct[:-1] = [value.decode("utf-8", "backslashreplace") for value in values]
    rows: npt.NDArray[Any] = distinct[np.asarray(coded.indices.fill_null(len(values)))]
    return rows
