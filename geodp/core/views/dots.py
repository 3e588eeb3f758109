"""Place synthetic points that stand for a release: none of them is a real place.

Their numbers are whole and follow what is drawn: along the codes of the cells, each cell gets what
the running sum passes. The cells below a node of a tree have codes that follow each other, so that
points and best guess of any node differ by less than one. Inside a cell points are at random,
wherever records can be. All of it comes from published numbers, so it costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..releases.published import Published
from ..releases.release import Release
from .best_guess import land_areas, stands_out

MOST_DRAWN = 12_000
"""Dots on a map, at most."""

MOST_POINTS = 10_000_000
"""Points of a layer, at most."""

_TRIES = 200
"""Times that points which fell where no records can be are placed anew."""


class Dots(NamedTuple):
    """Synthetic points.

    Attributes
    ----------
    x, y : ndarray
        Where they are, in the CRS of the release.
    group : ndarray of int
        Place of each one's group among the maps of the release.
    per : int
        How many records each stands for.
    """

    x: Floats
    y: Floats
    group: Ints
    per: int


def dot_value(total: float) -> int:
    """Return how many records a dot shall stand for: a round number that leaves not too many.

    Examples
    --------
    >>> dot_value(9_000), dot_value(30_000), dot_value(348_000)
    (1, 5, 50)
    """
    value = 1
    while total > MOST_DRAWN * value:
        value = value * 5 // 2 if str(value)[0] == "2" else value * 2
    return value


def place_dots(release: Published, *, per: int | None = None, seed: int | None = None) -> Dots:
    """Place points for all groups of a release.

    Parameters
    ----------
    release : Release
        What was published.
    per : int, optional
        How many records a point stands for; by default a round number that leaves at most
        :data:`MOST_DRAWN` points.
    seed : int, optional
        For the same points again: they are made of published numbers, and protect nothing.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0] * 500, [200.0] * 500), town, epsilon=1)
    >>> dots = place_dots(release, per=1, seed=1)
    >>> bool(abs(len(dots.x) - release.counts.sum()) < 1)
    True
    """
    maps = list(release.maps.values())
    # What is drawn is kept with the release: it need not be guessed again.
    guesses = [
        one.drawn * land_areas(one.cells) if stands_out(one) else np.zeros(len(one.cells))
        for one in maps
    ]
    total = float(sum(guess.sum() for guess in guesses))
    value = dot_value(total) if per is None else per
    if value < 1 or value % 1:
        raise InputError(f"a point must stand for a whole number of records from 1; got {per!r}.")
    if total / value > MOST_POINTS:
        raise InputError(
            f"a layer has at most {MOST_POINTS:,} points; this release needs about "
            f"{total / value:,.0f}: let each stand for more records."
        )
    generator = np.random.default_rng(seed)
    placed = [_placed(one, guess / value, generator) for one, guess in zip(maps, guesses)]
    group = np.repeat(np.arange(len(maps)), [len(x) for x, _ in placed])
    x, y = (np.concatenate([pair[axis] for pair in placed]) for axis in (0, 1))
    return Dots(x, y, group, int(value))


def round_in_turn(values: Floats, start: float) -> Ints:
    """Round values so that sums of any that follow each other are off by less than one.

    Examples
    --------
    >>> round_in_turn(np.array([0.4, 0.4, 0.4, 1.8]), 0.5)
    array([0, 1, 0, 2])
    """
    return np.diff(np.floor(np.cumsum(values) + start), prepend=0.0).astype(np.int64)


def _placed(
    release: Release, values: Floats, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    cells = release.cells
    cell = np.repeat(np.arange(len(cells)), round_in_turn(values, generator.random()))
    left, bottom, right, top = cells.bounds[cell].T
    x, y = np.empty(len(cell)), np.empty(len(cell))
    waiting = np.arange(len(cell))
    for _ in range(_TRIES):
        if not len(waiting):
            break
        shares = generator.random((2, len(waiting)))
        x[waiting] = left[waiting] + shares[0] * (right - left)[waiting]
        y[waiting] = bottom[waiting] + shares[1] * (top - bottom)[waiting]
        waiting = waiting[~_fits(cells, cell[waiting], x[waiting], y[waiting])]
    return x, y


def _fits(
    cells: Cells, cell: Ints, x: Floats, y: Floats
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Tell whether points are in their cells, and where records can be."""
    fits = cells.locate(x, y) == cell if cells.polygons is not None else np.ones(len(x), bool)
    within = cells.domain.within
    if within is None:
        return fits
    _, _, xmax, ymax = cells.domain.bounds
    inside = (x < xmax) & (y < ymax)
    fits &= inside
    fits[inside] &= within.holds(x[inside], y[inside])
    return fits
