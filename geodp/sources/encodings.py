"""Check which encodings can be read record by record, and turn fields into UTF-8.

Lines and fields are cut by bytes, before anything is decoded, so that one record can never change
where another begins. That takes an encoding in which the bytes of a line feed, a quote and a
separator mean nothing else: all that have one byte for each letter, UTF-8, and those of East Asia
whose second bytes avoid them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection
from typing import Any

from ..core.common.errors import InputError

UTF8 = ("utf-8", "utf-8-sig")
_SINGLE = re.compile(r"ascii|(cp|iso8859-|koi8-|mac-)\w+")
_DOUBLE = (
    *("shift_jis", "shift_jis_2004", "cp932", "euc_jp", "gb2312", "gbk", "gb18030"),
    *("big5", "big5hkscs", "cp950", "euc_kr", "cp949"),
)
_ASCII = bytes(range(128))

LIKELY = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1257", "mac_roman", "cp850", "cp437"),
    *("cp932", "gb18030", "big5", "cp949"),
)
"""What files that are not in UTF-8 mostly are in, the most frequent first."""


def checked_encoding(name: str, separator: str | None = None) -> str:
    """Return the codec of an encoding whose files can be cut into records by their bytes.

    Parameters
    ----------
    name : str
        The encoding, by any name that Python knows.
    separator : str, optional
        What separates fields, where that was said.

    Examples
    --------
    >>> checked_encoding("Windows-1252"), checked_encoding("latin1"), checked_encoding("UTF8")
    ('cp1252', 'iso8859-1', 'utf-8')
    >>> checked_encoding("utf-16")
    Traceback (most recent call last):
        ...
    geodp.core.common.errors.InputError: `encoding` must be UTF-8 or one such as 'cp1252' ...
    """
    try:
        codec = codecs.lookup(name).name
    except (LookupError, TypeError, ValueError):
        codec = ""
    double = codec in _DOUBLE
    if not (codec in UTF8 or double or _has_single_bytes(codec)):
        raise InputError(
            "`encoding` must be UTF-8 or one such as 'cp1252' (files of Windows), 'latin-1', "
            "'cp1251', 'shift_jis' or 'gb18030', whose bytes can be cut into lines and fields; got "
            f"{name!r}: name another, or save the file as CSV in UTF-8."
        )
    if double and separator not in (None, ",", ";", "\t"):
        raise InputError(
            f"in {codec} fields are separated by comma, semicolon or tab, since other signs can be "
            f"half a letter; `separator` is {separator!r}: save the file as CSV in UTF-8."
        )
    return codec


def _has_single_bytes(codec: str) -> bool:
    """Tell whether each byte is one letter, and those of ASCII mean what they do there."""
    if not _SINGLE.fullmatch(codec):
        return False
    letters = [bytes([byte]).decode(codec, "replace") for byte in range(256)]
    return _ASCII.decode(codec, "replace") == _ASCII.decode() and set(map(len, letters)) == {1}


def likely_encoding(
    raw: bytes, asked: Collection[str], names: Callable[[str], list[str]]
) -> str | None:
    """Return an encoding in which a header line has all the names that were asked for.

    Whoever asks for a name knows the header, so that what is said of it tells nobody of a record.

    Parameters
    ----------
    raw : bytes
        The line.
    asked : collection of str
        Names of columns.
    names : callable
        Cuts a decoded header line into names.

    Examples
    --------
    >>> likely_encoding("Länge;Höhe".encode("cp1252"), ["Länge"], lambda text: text.split(";"))
    'cp1252'
    >>> likely_encoding(b"N52;E13;Ann", ["lon", "lat"], lambda text: text.split(";"))
    """
    for encoding in LIKELY:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if asked and set(asked) <= set(names(text)):
            return encoding
    return None


def in_utf8(column: Any, encoding: str | None) -> Any:
    r"""Turn the bytes of a column of fields into UTF-8, each by itself.

    Parameters
    ----------
    column : pyarrow.BinaryArray
        Fields as they stand in the file.
    encoding : str, optional
        What they are in; UTF-8 by default, which is left as it is.

    Returns
    -------
    pyarrow.Array
        Of the same length. A byte that is no letter in that encoding is written as ``\xNN``.

    Examples
    --------
    >>> import pyarrow
    >>> in_utf8(pyarrow.array(["Zoë".encode("cp1252"), None, b"\x81"]), "cp1252").to_pylist()
    [b'Zo\xc3\xab', None, b'\\x81']
    """
    import pyarrow

    if encoding is None or encoding in UTF8:
        return column
    coded = column.dictionary_encode()
    fields = [field.decode(encoding, "backslashreplace") for field in coded.dictionary.to_pylist()]
    # Some letters of East Asia decode to halves that only pairs can be encoded with.
    texts = [field.encode("utf-8", "backslashreplace") for field in fields]
    return pyarrow.array(texts, pyarrow.large_binary()).take(coded.indices)
