"""Paint a picture as SVG, with text that stays text: for reports, whichever program writes them."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Iterator

import numpy as np

from ..common.text import for_attribute, for_xml
from ..common.types import Floats, Ints
from .drawing import NOWHERE, Edges
from .marks import Dots, Mark, Pixels, Shades, Shapes, Words
from .sheet import Map, Sheet

_UNIT = 720
"""Units of the drawing in an inch: tenths of a point, so that places are whole numbers."""

_HATCHING = (
    '<defs><pattern id="hatching" width="50" height="50" patternUnits="userSpaceOnUse">'
    '<path d="M-10 10L10 -10M0 50L50 0M40 60L60 40" stroke="#666" stroke-width="7"/>'
    "</pattern></defs>"
)

Place = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""From the coordinates of marks to units of the drawing."""


def sheet_svg(sheet: Sheet, words: str) -> str:
    """Return a picture as an element of a page.

    Parameters
    ----------
    sheet : Sheet
        What to paint.
    words : str
        What it shows, for those who do not see it.

    Examples
    --------
    >>> sheet = Sheet((2.0, 1.0), [], [Words(0.1, 0.5, "a < b", 10)])
    >>> sheet_svg(sheet, "Letters").splitlines()[2]
    '<text x="72" y="360" fill="#333333" font-size="100">a &lt; b</text>'
    """
    wide, high = (round(_UNIT * side) for side in sheet.size)
    parts = [f'<rect width="{wide}" height="{high}" fill="#fff"/>']
    for panel in sheet.maps:
        parts += _map(panel)
    for mark in sheet.marks:
        parts += _painted(mark, lambda x, y: (x * _UNIT, y * _UNIT))
    hatched = any("#hatching" in part for part in parts)
    inside = "\n".join([_HATCHING, *parts] if hatched else parts)
    return (
        f'<svg viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label={for_attribute(words)} font-family="system-ui, DejaVu Sans, sans-serif">\n'
        f"{inside}\n</svg>"
    )


def _map(panel: Map) -> Iterator[str]:
    """Paint a map; what lies outside of its box is cut off, as an inner drawing is."""
    left, top, wide, high = (round(_UNIT * side) for side in panel.place)
    xmin, ymin, xmax, ymax = panel.box

    def place(x: Floats, y: Floats) -> tuple[Floats, Floats]:
        return (x - xmin) / (xmax - xmin) * wide, (ymax - y) / (ymax - ymin) * high

    box = f'width="{wide}" height="{high}"'
    yield f'<svg x="{left}" y="{top}" {box}><rect {box} fill="{NOWHERE}"/>'
    for mark in panel.marks:
        yield from _painted(mark, place)
    yield f'<rect {box} fill="none" stroke="#999" stroke-width="12"/></svg>'


def _painted(mark: Mark, place: Place) -> Iterator[str]:
    if isinstance(mark, Pixels):
        left, top, right, bottom = _corners(mark.box, place)
        yield (
            f'<image x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" '
            'preserveAspectRatio="none" style="image-rendering: pixelated" '
            f'href="data:image/png;base64,{base64.b64encode(encode_png(mark.colours)).decode()}"/>'
        )
    elif isinstance(mark, Shapes):
        yield from _shapes(mark, place)
    elif isinstance(mark, Dots):
        x, y = (_rounded(axis).tolist() for axis in place(mark.x, mark.y))
        dots = "".join(f"M{across} {down}h0" for across, down in zip(x, y))
        yield (
            f'<path d="{dots}" fill="none" stroke="{mark.colour}" stroke-linecap="round" '
            f'stroke-width="{10 * mark.size:g}" stroke-opacity="{mark.opacity:g}"/>'
        )
    else:
        yield _words(mark, place)


def _corners(box: Edges, place: Place) -> list[int]:
    """Return edges of a box as the drawing has them: left, top, right, bottom."""
    x, y = place(np.array([box[0], box[2]]), np.array([box[3], box[1]]))
    corners: list[int] = _rounded(np.array([x[0], y[0], x[1], y[1]])).tolist()
    return corners


def _rounded(values: Floats) -> Ints:
    return np.rint(values).astype(np.int64)


def _shapes(mark: Shapes, place: Place) -> Iterator[str]:
    """Paint rings or lines; corners that fall together are one."""
    places = np.stack([_rounded(axis) for axis in place(*mark.corners.T)], axis=1)
    ends = []
    for start, end in zip(mark.starts[:-1].tolist(), mark.starts[1:].tolist()):
        ring = places[start:end]
        moved = np.any(np.diff(ring, axis=0, prepend=ring[:1] - 1) != 0, axis=1)
        ring = ring[moved]
        if len(ring) > 1:
            ends.append(f"M{' '.join(map(str, ring.ravel().tolist()))}{'z' * mark.closed}")
    if not ends:
        return
    path = f'<path d="{"".join(ends)}" fill-rule="evenodd"'
    line = f' stroke="{mark.line}" stroke-width="{10 * mark.width:g}"' if mark.line else ""
    yield f'{path} fill="{mark.fill or "none"}"{line} stroke-linejoin="round"/>'
    if mark.hatched:
        yield f'{path} fill="url(#hatching)"/>'


def _words(mark: Words, place: Place) -> str:
    """Paint a line of text; its white edge lies under the letters."""
    x, y = (float(axis[0]) for axis in place(np.array([mark.x]), np.array([mark.y])))
    right, up = mark.offset
    style = f'fill="{mark.colour}" font-size="{10 * mark.size:g}"'
    style += ' text-anchor="middle"' if mark.centred else ""
    style += ' font-weight="bold"' if mark.bold else ""
    if mark.halo:
        edge = f'stroke-width="{10 * mark.halo:g}" stroke-linejoin="round"'
        style += f' stroke="#fff" {edge} paint-order="stroke"'
    where = f'x="{x + 10 * right:.0f}" y="{y - 10 * up:.0f}"'
    return f"<text {where} {style}>{for_xml(mark.text)}</text>"


def encode_png(colours: Shades) -> bytes:
    r"""Return a raster of colours as the bytes of a PNG file.

    Examples
    --------
    >>> encode_png(np.zeros((2, 3, 3), dtype=np.uint8))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    rows, columns, parts = colours.shape
    head = struct.pack(">IIBBBBB", columns, rows, 8, {3: 2, 4: 6}[parts], 0, 0, 0)
    # Each line of a PNG begins with its filter: 0, none.
    lines = np.pad(colours.reshape(rows, -1), ((0, 0), (1, 0)))
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
