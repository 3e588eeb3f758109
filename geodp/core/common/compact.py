"""Write bytes as short text for the metadata of files, and read them, within bounds."""

from __future__ import annotations

import base64
import zlib


def zipped(content: bytes, level: int = -1) -> str:
    """Pack bytes into a short text.

    Examples
    --------
    >>> unzipped(zipped(b"abc"), 3)
    b'abc'
    """
    return base64.b64encode(zlib.compress(content, level)).decode("ascii")


def unzipped(text: str, largest: int) -> bytes:
    """Unpack the bytes of a zipped text, none of which may unfold to more than a public bound.

    Raises
    ------
    ValueError, zlib.error
        If the text is not as :func:`zipped` wrote it.
    """
    if not isinstance(text, str):
        raise ValueError("no text")
    unpack = zlib.decompressobj()
    packed = base64.b64decode(text.encode("ascii"), validate=True)
    content = unpack.decompress(packed, max(largest, 1))  # for zlib, 0 is no bound at all
    if not unpack.eof or unpack.unused_data or len(content) > largest:
        raise ValueError("cut short, or longer than it may be")
    return content
