"""What a drawing of a map needs, whatever draws it: sizes, words, cells, classes, a scale bar.

Matplotlib draws for the library, and Qt's painter in QGIS. Both find here what does not depend on
them, so that their maps say the same.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..common.types import Ints
from ..regions.cells import HasCells
from ..releases.about import About
from ..releases.describe import cap_of, title_of
from ..releases.release import Published, Release
from ..space.domain import Domain
from .columns import estimate_columns
from .reopen import raster_rows

INK = "#333333"
"""Colour of text and lines."""

NOWHERE = "#e9edf0"
"""Where no records can be: unlike the white of counts around zero."""

TRUST = (0.2, 0.5, 1.0)
"""Limits of relative errors by which cells are told apart."""

TRUST_WORDS = (
    "error below a fifth of the count",
    "below half",
    "below the count",
    "above the count: little is known",
)

_LETTERS = 115.0
"""Letters of one point that stand in an inch."""

_DOTS = 4096
"""Points along the longer side of a picture, at most."""

_LOCATED = 1024
"""The same where every point must be located among polygons."""

_WIDTH, _HEIGHT = 11.0, 9.0
"""Inches of a page that several maps may fill."""

_LARGEST = 4.5
"""Inches across one of several maps, at most."""

_LEGEND, _TITLE, _NAME = 1.5, 0.75, 0.3
"""Inches for the legend beside the maps, for the title above them, for the name of each."""


def size_of(release: HasCells) -> tuple[float, float]:
    """Inches for the map, wide enough for its legend."""
    domain = release.domain
    height = min(max(7.2 * domain.height / domain.width, 3.4), 9.0)
    return (min(height * domain.width / domain.height, 7.2) + 1.9, height + 0.5)


def arranged(release: Published) -> tuple[int, int, tuple[float, float]]:
    """Rows and columns of maps of groups that fill the page best, and its size in inches."""
    domain, count = release.domain, len(release.maps)
    found = []
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        wide, high = (_WIDTH - _LEGEND) / columns, (_HEIGHT - _TITLE) / rows - _NAME
        wide = min(wide, max(high, 0.2) * domain.width / domain.height, _LARGEST)
        # Large maps are good, and places without one are not.
        found.append((round(wide * (count / (rows * columns)) ** 4, 6), wide, rows, columns))
    _, wide, rows, columns = max(found)
    high = wide * domain.height / domain.width + _NAME
    return rows, columns, (columns * wide + _LEGEND, rows * high + _TITLE)


def fitted(text: str, size: float, inches: float) -> str:
    r"""Break lines of text of a size in points so that they fit a figure with its margins.

    Examples
    --------
    >>> fitted("Records per cell with noise, in a narrow place", 11, 3.6)
    'Records per cell with noise,\nin a narrow place'
    """
    most = max(int((inches - 0.9) * _LETTERS / size), 12)
    lines = (textwrap.wrap(line, most, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)


def heading_of(release: Published) -> str:
    """The publisher's title, if there is one, and what the map shows."""
    return "\n".join([*filter(None, [release.about.title]), title_of(release, "\n")])


def source_of(about: About) -> str:
    """Line under a map: where the records are from, who publishes it, under which licence.

    Examples
    --------
    >>> from geodp.core.releases.about import About
    >>> source_of(About(source="City police", licence="CC BY 4.0"))
    'Source: City police, CC BY 4.0'
    """
    source = about.source and f"Source: {about.source}"
    return ", ".join(filter(None, (source, about.publisher, about.date, about.licence)))


def legend_words(release: Published) -> str:
    """What stands at the legend of a map of counts."""
    cap = cap_of(release.method)
    aside = f"\n({cap})" if cap else ""
    return f"{release.legend.words}: true count plus noise{aside}"


def pixels_of(release: HasCells) -> Ints:
    """Which cell each point of the picture shows: no more rows than a page has dots."""
    grid = release.cells.raster
    if grid is None:
        return _located(release)
    step = max(1, max(grid.shape) // _DOTS)
    parts = []
    for rows in raster_rows(grid):
        part = release.cells.pixels(rows)
        parts.append(part[(-rows.start) % step :: step, step // 2 :: step])
    return np.concatenate(parts)


def _located(release: HasCells) -> Ints:
    """Which cell each point of a picture is in, where no raster has the edges of the cells."""
    domain = release.domain
    longest = max(domain.width, domain.height)
    across, down = (max(1, round(_LOCATED * s / longest)) for s in (domain.width, domain.height))
    xmin, _, _, ymax = domain.bounds
    x = np.linspace(xmin, xmin + domain.width, 2 * across + 1)[1::2]
    y = np.linspace(ymax, ymax - domain.height, 2 * down + 1)[1::2]
    rows = [release.cells.locate(x, np.full(across, each)) for each in y.tolist()]
    return np.stack(rows)


def frame_of(release: HasCells) -> tuple[float, float, float, float]:
    """Edges ``left, bottom, right, top`` of the cells, which may lie outside the domain."""
    grid = release.cells.raster
    if grid is None:
        return release.domain.bounds
    width, _, left, _, drop, top = grid.transform
    rows, columns = grid.shape
    return left, top + rows * drop, left + columns * width, top


def classes_of_cells(release: Release) -> Ints:
    """Class in the legend of each measured cell."""
    legend = release.legend
    values = estimate_columns(release.cells, release.estimate)[legend.field]
    return np.searchsorted([each.high for each in legend.classes], values)


class Bar(NamedTuple):
    """A scale bar: from where to where, in the CRS of the map, how high up, and what it says."""

    start: float
    end: float
    base: float
    words: str


def nice_length(limit: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is no longer than ``limit``.

    Examples
    --------
    >>> nice_length(940.0), nice_length(0.3), nice_length(999.9999999999999)
    (500.0, 0.2, 500.0)
    """
    power = 10.0 ** math.floor(math.log10(limit))  # or ten times that: logarithms are rounded
    return max(digit * power for digit in (0.5, 1.0, 2.0, 5.0) if digit * power <= limit)


def scale_bar(
    domain: Domain, crossed: Callable[[float, float, float, float], float] | None = None
) -> Bar | None:
    """Place the scale bar in a corner without lines; degrees have no length, so they get none.

    Parameters
    ----------
    domain : Domain
        What the map shows.
    crossed : callable, optional
        Length of the lines in a box ``xmin, ymin, xmax, ymax``, where some are drawn.
    """
    if domain.crs.geographic:
        return None
    metres = nice_length(domain.width * domain.crs.metres_per_unit / 5)
    words = f"{metres / 1000:,g} km" if metres >= 1000 else f"{metres:,g} m"
    length = metres / domain.crs.metres_per_unit
    start, base = _corner(domain, length, crossed)
    return Bar(start, start + length, base, words)


def _corner(
    domain: Domain, length: float, crossed: Callable[[float, float, float, float], float] | None
) -> tuple[float, float]:
    """Where the bar begins: of all corners, from the lower left on, the one with fewest lines."""
    xmin, ymin, xmax, ymax = domain.bounds
    wide, high = domain.width, domain.height
    starts = (xmin + 0.03 * wide, xmax - 0.03 * wide - length)
    bases = (ymin + 0.04 * high, ymax - 0.09 * high)
    corners = [(start, base) for base in bases for start in starts]
    if crossed is None:
        return corners[0]
    known = crossed

    def lines(corner: tuple[float, float]) -> float:
        start, base = corner
        left, bottom = start - 0.01 * wide, base - 0.02 * high
        return known(left, bottom, start + length + 0.01 * wide, base + 0.06 * high)

    return min(corners, key=lines)
