"""Choose what a picture of a release shows and in which classes, from what is drawn.

A picture shows the best guess of each cell as records per area of where they can be. There are at
most seven classes with round limits. The first is "hardly any": no more than a hundredth of all
records lie in it, or what the noise in the total may be. Where the total is no larger than its
noise may be, nothing is coloured.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..cells.cells import Cells
from ..common.phrases import Phrase
from ..common.types import Floats
from ..privacy.quantity import many
from .best_guess import best_guess, estimated_total, land_areas, stands_out
from .legend import Class, Colour, Legend, area_words
from .raster_cells import raster_cells

if TYPE_CHECKING:
    from ..releases.published import Published
    from ..releases.release import Release

PICTURE_SIDE = 1536
"""Pixels along the longer side of a picture of a tree, at most."""

HARDLY_ANY: Colour = (246, 245, 240)
"""Colour of the first class: of paper, and unlike where no records can be."""

_RAMP: tuple[Colour, ...] = (
    *((253, 224, 138), (250, 187, 84), (240, 140, 54)),
    *((217, 84, 43), (168, 34, 50), (98, 12, 52)),
)
"""Colours from few to many, each darker than the one before."""

_FEW = 0.01
"""Part of all records that may be drawn as hardly any."""

_HIGH = 0.98
"""Part of the coloured area up to which there are limits."""

_MOST_LIMITS = 6

MOST_CLASSES = _MOST_LIMITS + 1
"""Classes of a picture, at most."""

_DIGITS: tuple[tuple[int, ...], ...] = ((1, 2, 5), (1, 3), (1,))
"""Leading digits of limits, from the closest steps to the widest."""


def picture_cells(cells: Cells) -> Cells:
    """Return the cells that a picture shows: those of a tree no finer than its pixels."""
    return raster_cells(cells, most_side=PICTURE_SIDE)


def drawn_density(release: Release, shown: Cells | None = None) -> Floats:
    """Compute what is drawn of each cell: its best guess, as records per area.

    Areas are those on the ground where records can be: square kilometres, or square degrees.

    Parameters
    ----------
    release : Release
        What was published.
    shown : Cells, optional
        The cells that are drawn, where finer ones are taken together.
    """
    cells = release.cells if shown is None else shown
    return np.asarray(best_guess(release, cells) / land_areas(cells))


def picture_legend(release: Published) -> Legend:
    """Choose the classes of a picture, alike for all groups of a release.

    Examples
    --------
    >>> import numpy as np, geodp
    >>> town = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> x = np.repeat([100.0, 1100.0, 2100.0], [4000, 400, 40])
    >>> grid = geodp.Regular(sizes=[4])
    >>> legend = picture_legend(geodp.release((x, x), town, epsilon=10, cells=grid))
    >>> [each.label for each in legend.classes][:2], legend.words
    (['below 200: hardly any', '200 to 500'], 'records per km²')
    >>> [each.label for each in picture_legend(geodp.release(([], []), town, epsilon=9)).classes]
    ['hardly any']
    """
    cells = picture_cells(release.cells)
    areas = land_areas(cells)
    maps = list(release.maps.values())
    loud = [one for one in maps if stands_out(one)]
    things = release.method.quantity.things
    unit = "square degrees" if cells.domain.crs.geographic else "km²"
    if not loud:
        return density_legend([], unit, things)
    drawn = [drawn_density(one, cells) for one in loud]
    # One group of few records must not hide the others: noise counts in all of them together.
    total, variance = np.sum([estimated_total(one) for one in loud], axis=0).tolist()
    few = max(_FEW, 2 * variance**0.5 / total)
    # What does not stand out is spread evenly: no class begins below that.
    floor = max(
        (max(estimated_total(one)[0], 0.0) / float(areas.sum()) for one in maps if one not in loud),
        default=0.0,
    )
    density, area = np.concatenate(drawn), np.tile(areas, len(loud))
    return density_legend(class_limits(density, area, min(few, 1.0), floor), unit, things)


def class_limits(
    density: Floats, area: Floats, few: float = _FEW, floor: float = 0.0
) -> list[float]:
    """Choose round limits of classes.

    Parameters
    ----------
    density, area : ndarray
        What is drawn, and how large each cell is.
    few : float
        Part of all records that may lie below the first limit.
    floor : float
        Density that stays below it as well.

    Examples
    --------
    >>> class_limits(np.array([0.1, 4.0, 30.0, 200.0]), np.ones(4))
    [3.0, 10.0, 30.0, 100.0]
    """
    order = np.argsort(density)
    rising, mass = density[order], np.cumsum((density * area)[order])
    if not density.any():
        return []
    first = min(int(np.searchsorted(mass, few * mass[-1])), len(rising) - 1)
    covered = np.cumsum(area[order][first:])
    low = float(rising[first])
    high = float(rising[first:][np.searchsorted(covered, _HIGH * covered[-1])])
    for digits, step in (*((digit, 1) for digit in _DIGITS), *(((1,), by) for by in range(2, 40))):
        inside = _rungs(digits, step, low, high, floor)
        if len(inside) <= _MOST_LIMITS:
            return inside
    return inside[:_MOST_LIMITS]


def _rungs(
    digits: tuple[int, ...], step: int, low: float, high: float, floor: float
) -> list[float]:
    """Round numbers from the largest that is no more than ``low``, up to ``high``."""
    powers = range(
        step * math.floor(math.log10(low) / step - 1), math.ceil(math.log10(high)) + 2, step
    )
    rungs = [float(f"{digit}e{power}") for power in powers for digit in digits]
    slack = 1 + 1e-7
    start = max((place for place, rung in enumerate(rungs) if rung <= low * slack), default=0)
    while rungs[start] <= floor and start < len(rungs) - 1:
        start += 1
    return [rung for rung in rungs[start:] if rung <= max(high, rungs[start]) * slack]


def density_legend(limits: list[float], unit: str, things: str) -> Legend:
    """Return classes of things per area between limits."""
    per = 1
    while limits and limits[0] * per < 0.099:
        per *= 100  # limits that are easy to read
    ends = [-math.inf, *limits, math.inf]
    colours = (HARDLY_ANY, *ramp(len(limits)))
    classes = tuple(
        Class(low, high, colour, per, few=place == 0)
        for place, (low, high, colour) in enumerate(zip(ends[:-1], ends[1:], colours))
    )
    return Legend("drawn", Phrase("{1} per {2}", many(things), area_words(per, unit)), classes)


def ramp(number: int) -> tuple[Colour, ...]:
    """Return colours for few to many records, each darker than the one before.

    Examples
    --------
    >>> ramp(6)[0], ramp(2)
    ((253, 224, 138), ((252, 206, 111), (98, 12, 52)))
    """
    if number == len(_RAMP):
        return _RAMP
    places = np.linspace(0.5, len(_RAMP) - 1, number) if number > 1 else np.array([3.0])
    known = np.array(_RAMP, dtype=np.float64)
    mixed = [np.interp(places, np.arange(len(_RAMP)), known[:, part]) for part in range(3)]
    return tuple((int(r), int(g), int(b)) for r, g, b in np.rint(np.stack(mixed, axis=1)).tolist())
