"""A picture as marks: pixels, shapes, dots and words, on maps and beside them.

What a picture shows is decided here and in :mod:`~geodp.core.pictures.sheet`, which lays it out.
Painters put the marks where they are, and decide nothing: matplotlib for files and figures, SVG for
reports.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..cells.district_tree_cells import DistrictTreeCells
from ..common.phrases import Number, Phrase
from ..common.types import Floats, Ints
from ..regions.polygons import Polygons
from ..releases.release import Release
from ..space.domain import Domain
from ..views.dots import place_dots
from ..views.legend import Colour, Legend, hexadecimal
from ..views.picture import picture_cells
from .drawing import (
    DOT_COLOUR,
    INK,
    NOWHERE,
    TRUST,
    Edges,
    cell_pixels,
    classes_of_values,
    frame_edges,
    grey_words,
    greyed,
    map_legend,
    painted_smoothly,
    shown_values,
    unsure_cells,
)

Shades = npt.NDArray[np.uint8]

PALENESS = (1.0, 0.6, 0.3, 0.08)
"""How much of its colour a cell keeps, by its relative error."""

_SEA: Colour = (int(NOWHERE[1:3], 16), int(NOWHERE[3:5], 16), int(NOWHERE[5:7], 16))
"""Colour of where no records can be, as numbers."""

_SEA_SIDE = 1536
"""Pixels along the longer side of what is drawn over places without records."""

_DOT = 1.5
"""Points across a dot."""

_LABEL, LETTER = 7.0, 0.6
"""Points of a name on a map, and how wide a letter is beside its size."""

_GAP = 3.0
"""Points between the mark of a place and its name."""

_CROWD = 20
"""Dots that fill a corner of a map."""


class Pixels(NamedTuple):
    """A raster of colours.

    Attributes
    ----------
    colours : ndarray of uint8
        Red, green and blue of each pixel, rows from the north; a fourth says how opaque it is.
    box : tuple of float
        Edges ``xmin, ymin, xmax, ymax`` of the raster.
    """

    colours: Shades
    box: Edges


class Shapes(NamedTuple):
    """Rings or lines that look alike.

    Attributes
    ----------
    corners : ndarray of float
        Their corners, one after another.
    starts : ndarray of int
        Where each of them begins, and the end of the last.
    fill, line : str
        Colours; none where empty.
    width : float
        Points across a line.
    closed : bool
        Whether they are rings.
    hatched : bool
        Whether lines are drawn over the fill.
    """

    corners: Floats
    starts: Ints
    fill: str = ""
    line: str = ""
    width: float = 0.4
    closed: bool = True
    hatched: bool = False

    @classmethod
    def from_lines(cls, lines: Sequence[Floats], line: str, width: float) -> Shapes:
        """Return lines of one colour."""
        starts = np.cumsum([0, *map(len, lines)])
        corners = np.concatenate(lines) if len(lines) else np.zeros((0, 2))
        return cls(corners, starts, line=line, width=width, closed=False)

    @classmethod
    def from_outline(cls, lines: Sequence[Floats], width: float) -> list[Shapes]:
        """Return public outlines, if there are any."""
        return [cls.from_lines(lines, INK, width)] if len(lines) else []

    @classmethod
    def from_box(cls, box: Edges, fill: str = "", line: str = "", width: float = 0.4) -> Shapes:
        """Return a box ``xmin, ymin, xmax, ymax``."""
        left, bottom, right, top = box
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)], float)
        return cls(corners, np.array([0, 4]), fill, line, width)


class Dots(NamedTuple):
    """Round dots of ``size`` points across."""

    x: Floats
    y: Floats
    size: float
    colour: str = DOT_COLOUR
    opacity: float = 1.0


class Words(NamedTuple):
    """A line of text.

    Attributes
    ----------
    x, y : float
        Where its base begins; its middle where ``centred``.
    text : str
        What to write, as it is.
    size : float
        Points of its letters.
    offset : tuple of float
        Points to the right and up from there.
    halo : float
        Points of white around the letters.
    """

    x: float
    y: float
    text: str
    size: float
    offset: tuple[float, float] = (0.0, 0.0)
    colour: str = INK
    bold: bool = False
    centred: bool = False
    halo: float = 0.0


Mark = Union[Pixels, Shapes, Dots, Words]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)


class Labels(NamedTuple):
    """Names on a map.

    Attributes
    ----------
    x, y : ndarray
        Where they are, in the CRS of the map.
    names : list of str
        The names, on one line each.
    marked : bool
        Whether they are of points, which have a mark; names of areas stand inside these.
    """

    x: Floats
    y: Floats
    names: list[str]
    marked: bool


class Look(NamedTuple):
    """Say what a picture of a release shows.

    Attributes
    ----------
    view : str
        One of the views of :meth:`geodp.Release.plot`.
    uncertainty : bool
        Whether cells are paler, the larger their error is beside their count.
    grey : float, optional
        Part of a count that half of its interval may be, where a cell is not grey.
    lines : sequence of ndarray
        Public outlines, as coordinates in the CRS of the domain.
    labels : Labels, optional
        Names to write on it.
    vector : bool
        Whether cells are shapes and not pixels.
    north : bool
        Whether an arrow shows where the grid of the CRS has its north.
    """

    view: str = "best"
    uncertainty: bool = False
    grey: float | None = None
    lines: Sequence[Floats] = ()
    labels: Labels | None = None
    vector: bool = False
    north: bool = False


def map_marks(
    release: Release,
    look: Look,
    unit: float,
    *,
    legend: Legend | None = None,
    box: Edges | None = None,
    small: bool = False,
    bar: bool = True,
    per: int | None = None,
) -> list[Mark]:
    """Return what a map consists of, from the ground up, in the CRS of the domain.

    Parameters
    ----------
    release : Release
        What is drawn.
    look : Look
        What is shown of it.
    unit : float
        What a point of the page is on the map.
    legend : Legend, optional
        Classes that several maps share.
    box : tuple of float, optional
        The part that is shown, with all the cells that it has.
    small : bool
        Whether it is one of several maps, which have thinner lines.
    bar : bool
        Whether it has a scale bar.
    per : int, optional
        What a dot stands for.
    """
    shared = map_legend(release, look.view) if legend is None else legend
    cells = picture_cells(release.cells) if box is None else release.cells
    part = look._replace(vector=look.vector or box is not None)
    width = 0.4 if small else 0.6
    marks = _cells_in_view(release, cells, part, shared, box)
    if look.view == "dots":
        dots = place_dots(release, per=per, seed=0)
        marks.append(Dots(dots.x, dots.y, _DOT, opacity=0.75))
    if isinstance(cells, DistrictTreeCells):
        marks.append(Shapes(*_rings(cells.districts.polygons), line=INK, width=0.6 * width))
    marks += Shapes.from_outline(look.lines, width)
    domain = release.domain
    if box is not None:
        domain = Domain(box, crs=domain.crs, allow_geographic=True)
    if look.labels is not None:
        marks += label_marks(look.labels, unit, domain.bounds)
    if not bar:
        return marks
    covered = marks if look.view in ("best", "smooth", "dots") else []
    plain = {hexadecimal(shared.classes[0].colour), NOWHERE}
    bars = bar_marks(domain, look.lines, covered, plain, unit)
    north = north_marks(domain, unit, look.lines, covered, plain) if look.north else []
    return [*marks, *bars, *north]


def _cells_in_view(
    release: Release, cells: Cells, look: Look, legend: Legend, box: Edges | None
) -> list[Mark]:
    """Return cells in the colours of what a view shows of them."""
    if look.view == "smooth":
        which, frame = painted_smoothly(release, legend, box)
        colours = np.array([*(class_.colour for class_ in legend.classes), _SEA], dtype=np.uint8)
        return [Pixels(colours[which], frame), *_sea(cells.domain)]
    if look.view == "dots":
        if cells.polygons is not None:
            paler = class_marks(cells, legend, np.zeros(len(cells), dtype=np.int64), box=box)
            return [*paler, Shapes(*_rings(cells.polygons), line="#bbbbbb", width=0.4)]
        paper = Shapes.from_box(cells.domain.bounds, hexadecimal(legend.classes[0].colour))
        return [paper, *_sea(cells.domain)]
    which = classes_of_values(legend, shown_values(release, cells, look.view))
    if words := grey_words(look.view, look.grey):
        unsure = unsure_cells(release, cells, look.view, look.grey)
        which = np.where(unsure, len(legend.classes), which)
        legend = greyed(legend, words)
    pale = None
    if look.uncertainty:
        relative = shown_values(release, cells, "error")
        pale = np.array(PALENESS)[np.searchsorted(TRUST, relative)]
    return class_marks(cells, legend, which, pale, vector=look.vector, box=box)


def class_marks(
    cells: Cells,
    legend: Legend,
    which: Ints,
    pale: Floats | None = None,
    *,
    vector: bool = False,
    box: Edges | None = None,
) -> list[Mark]:
    """Return cells in the colours of their classes: in pixels, or as shapes.

    Where ``pale`` is given, each cell keeps that part of its colour, over white. Where ``box`` is,
    shapes elsewhere are left out.
    """
    colours = np.array([class_.colour for class_ in legend.classes], dtype=np.float64)[which]
    if pale is not None:
        colours = 255 + (colours - 255) * pale[:, None]
    shades = np.rint(colours).astype(np.uint8)
    if vector or cells.polygons is not None:
        return [*_cell_shapes(cells, shades, box), *_sea(cells.domain)]
    every = np.concatenate([shades, np.array([_SEA], dtype=np.uint8)])
    return [Pixels(every[cell_pixels(cells)], frame_edges(cells)), *_sea(cells.domain)]


def _sea(domain: Domain) -> list[Mark]:
    """Lay the sea over cells, also over their parts where no records can be."""
    within = domain.within
    if within is None:
        return []
    step = max(1, max(within.shape) // _SEA_SIDE)
    empty = within.weights[step // 2 :: step, step // 2 :: step] == 0
    sea = np.zeros((*empty.shape, 4), dtype=np.uint8)
    sea[empty] = (*_SEA, 255)
    return [Pixels(sea, domain.bounds)]


def _cell_shapes(cells: Cells, shades: Shades, box: Edges | None) -> list[Mark]:
    """Return cells as shapes, those of one colour together; districts with outlines."""
    polygons = cells.polygons
    outlined = polygons is not None and cells.tree is None
    if polygons is None:
        left, bottom, right, top = cells.bounds.T
        x, y = np.stack([left, right, right, left], 1), np.stack([bottom, bottom, top, top], 1)
        corners, starts = np.stack([x.ravel(), y.ravel()], axis=1), np.arange(len(cells) + 1) * 4
        owner = np.arange(len(cells))
    else:
        corners, starts = _rings(polygons)
        owner = polygons.owner[starts[:-1]]
    colours, which = np.unique(shades, axis=0, return_inverse=True)
    which = which.ravel()
    if box is not None:
        left, bottom, right, top = cells.bounds.T
        near = (left < box[2]) & (right > box[0]) & (bottom < box[3]) & (top > box[1])
        which = np.where(near, which, -1)
    marks: list[Mark] = []
    for number in np.unique(which[which >= 0]).tolist():
        rings = np.flatnonzero(which[owner] == number)
        sizes = np.diff(starts)[rings]
        ends = np.cumsum(sizes)
        places = np.repeat(starts[rings] - (ends - sizes), sizes) + np.arange(ends[-1])
        red, green, blue = colours[number].tolist()
        shade = hexadecimal((red, green, blue))
        # A hairline of the same colour closes the seams between neighbours.
        line, width = ("#ffffff", 0.4) if outlined else (shade, 0.15)
        marks.append(Shapes(corners[places], np.append(0, ends), shade, line, width))
    return marks


def _rings(polygons: Polygons) -> tuple[Floats, Ints]:
    """Return the corners of all rings, one after another, and where each begins, with the end."""
    starts = np.flatnonzero(np.diff(polygons.ring, prepend=-1))
    return polygons.edges[:, :2], np.append(starts, len(polygons.ring))


def label_marks(labels: Labels, unit: float, box: Edges) -> list[Mark]:
    """Return names, the first of the layer first; one that would cover another is left out.

    Parameters
    ----------
    labels : Labels
        Names, and where they are.
    unit : float
        What a point of the page is on the map.
    box : tuple of float
        What the map shows: ``xmin, ymin, xmax, ymax``.
    """
    xmin, ymin, xmax, ymax = box
    taken: list[Edges] = []
    marks: list[Mark] = []
    for x, y, name in zip(labels.x.tolist(), labels.y.tolist(), labels.names):
        wide, high = _LABEL * LETTER * len(name) * unit, 1.3 * _LABEL * unit
        left = x + _GAP * unit if labels.marked else x - wide / 2
        room = (min(left, x - _GAP * unit), y - high / 2, left + wide, y + high / 2)
        inside = xmin <= room[0] and room[2] <= xmax and ymin <= room[1] and room[3] <= ymax
        if not inside or any(_meet(room, other) for other in taken):
            continue
        taken.append(room)
        if labels.marked:
            place = np.array([x]), np.array([y])
            marks += [Dots(*place, 4.0, "#ffffff"), Dots(*place, 2.5, INK)]
        offset = (_GAP if labels.marked else 0.0, -0.36 * _LABEL)
        marks.append(Words(x, y, name, _LABEL, offset, centred=not labels.marked, halo=2.5))
    return marks


def _meet(one: Edges, other: Edges) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class Bar(NamedTuple):
    """A scale bar: from where to where, in the CRS of the map, how high up, and what it says."""

    start: float
    end: float
    base: float
    words: str


def bar_marks(
    domain: Domain,
    lines: Sequence[Floats] = (),
    drawn: Sequence[Mark] = (),
    plain: Collection[str] = (),
    unit: float = 0.0,
) -> list[Mark]:
    """Return the scale bar of a map; degrees have no length, so they get none.

    Parameters
    ----------
    domain : Domain
        What the map shows.
    lines : sequence of ndarray
        Outlines that are drawn over it, as coordinates in its CRS.
    drawn : sequence of Mark
        What the map consists of.
    plain : collection of str
        Colours of it that anything may stand on.
    unit : float
        What a point of the page is on the map, where words shall not touch its frame.
    """
    bar = scale_bar(domain, lines, drawn, plain)
    if bar is None:
        return []
    xmin, _, xmax, _ = domain.bounds
    room = (0.5 * 8 * LETTER * len(bar.words) + 3) * unit
    middle = min(max((bar.start + bar.end) / 2, xmin + room), xmax - room)
    line = [np.array([(bar.start, bar.base), (bar.end, bar.base)])]
    words = Words(middle, bar.base, bar.words, 8, (0, 4), centred=True, halo=2.5)
    return [Shapes.from_lines(line, "#ffffff", 4.5), Shapes.from_lines(line, INK, 2.2), words]


def nice_length(limit: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten that is no longer than ``limit``.

    Examples
    --------
    >>> nice_length(940.0), nice_length(0.3), nice_length(999.9999999999999)
    (500.0, 0.2, 500.0)
    """
    power = 10.0 ** math.floor(math.log10(limit))  # or ten times that: logarithms are rounded
    return max(digit * power for digit in (0.5, 1.0, 2.0, 5.0) if digit * power <= limit)


def scale_bar(
    domain: Domain,
    lines: Sequence[Floats] = (),
    drawn: Sequence[Mark] = (),
    plain: Collection[str] = (),
) -> Bar | None:
    """Place the scale bar: of all corners, from the lower left on, in the one with least in it.

    Parameters
    ----------
    domain, lines, drawn, plain
        As those of :func:`bar_marks`.
    """
    if domain.crs.geographic:
        return None
    metres = nice_length(domain.width * domain.crs.metres_per_unit / 5)
    words = Phrase("{1} m", Number(f"{metres:,g}"))
    if metres >= 1000:
        words = Phrase("{1} km", Number(f"{metres / 1000:,g}"))
    length = metres / domain.crs.metres_per_unit
    xmin, ymin, xmax, ymax = domain.bounds
    wide, high = domain.width, domain.height

    def filled(corner: tuple[float, float]) -> tuple[float, float]:
        start, base = corner
        left, bottom = start - 0.01 * wide, base - 0.02 * high
        box = (left, bottom, start + length + 0.01 * wide, base + 0.06 * high)
        return round(coloured_part(drawn, plain, box), 1), length_in_box(lines, box)

    starts = (xmin + 0.03 * wide, xmax - 0.03 * wide - length)
    bases = (ymin + 0.04 * high, ymax - 0.09 * high)
    start, base = min(((start, base) for base in bases for start in starts), key=filled)
    return Bar(start, start + length, base, words)


def north_marks(
    domain: Domain,
    unit: float,
    lines: Sequence[Floats] = (),
    drawn: Sequence[Mark] = (),
    plain: Collection[str] = (),
) -> list[Mark]:
    """Return an arrow to the north of the grid, in the upper corner with least in it.

    Parameters
    ----------
    domain, lines, drawn, plain
        As those of :func:`bar_marks`.
    unit : float
        What a point of the page is on the map.
    """
    xmin, _, xmax, ymax = domain.bounds
    top = ymax - 8 * unit

    def filled(x: float) -> tuple[float, float]:
        box = (x - 12 * unit, top - 34 * unit, x + 12 * unit, ymax)
        return round(coloured_part(drawn, plain, box), 1), length_in_box(lines, box)

    x = min((xmax - 18 * unit, xmin + 18 * unit), key=filled)
    tip, base, notch = (x, top), top - 20 * unit, top - 15 * unit
    arrow = [tip, (x + 6 * unit, base), (x, notch), (x - 6 * unit, base)]
    shape = Shapes(np.array(arrow), np.array([0, 4]), INK, "#ffffff", 0.8)
    return [shape, Words(x, base, "N", 9, (0, -10), bold=True, centred=True, halo=2.5)]


def coloured_part(marks: Sequence[Mark], plain: Collection[str], box: Edges) -> float:
    """Estimate which part of a box has other colours than plain ones, from 0 to 1.

    Examples
    --------
    >>> red = Shapes.from_box((0, 0, 1, 4), "#ff0000")
    >>> coloured_part([red], (), (0, 0, 4, 4)), coloured_part([red], ["#ff0000"], (0, 0, 4, 4))
    (0.25, 0.0)
    """
    left, bottom, right, top = box
    part = 0.0
    for mark in marks:
        if isinstance(mark, Pixels) and mark.colours.shape[-1] == 3:
            part += _coloured_pixels(mark, plain, box)
        elif isinstance(mark, Shapes) and mark.fill and mark.fill not in plain:
            low, high = (
                choose.reduceat(mark.corners, mark.starts[:-1], axis=0)
                for choose in (np.minimum, np.maximum)
            )
            across = np.minimum(high[:, 0], right) - np.maximum(low[:, 0], left)
            up = np.minimum(high[:, 1], top) - np.maximum(low[:, 1], bottom)
            covered = np.maximum(across, 0) * np.maximum(up, 0)
            part += float(covered.sum() / ((right - left) * (top - bottom)))
        elif isinstance(mark, Dots):
            inside = (mark.x > left) & (mark.x < right) & (mark.y > bottom) & (mark.y < top)
            part += int(inside.sum()) / _CROWD
    return min(part, 1.0)


def _coloured_pixels(mark: Pixels, plain: Collection[str], box: Edges) -> float:
    """Return the part of the pixels in a box that is not plain."""
    left, bottom, right, top = mark.box
    rows, columns = mark.colours.shape[:2]
    x = np.clip((np.array([box[0], box[2]]) - left) / (right - left) * columns, 0, columns)
    y = np.clip((top - np.array([box[3], box[1]])) / (top - bottom) * rows, 0, rows)
    (first, last), (upper, lower) = x.astype(int), y.astype(int)
    some = mark.colours[upper : max(lower, upper + 1), first : max(last, first + 1)]
    calm = np.zeros(some.shape[:2], dtype=bool)
    for colour in plain:
        shade = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
        calm |= (some == np.array(shade, dtype=np.uint8)).all(axis=-1)
    return float(1 - calm.mean()) if calm.size else 0.0


def length_in_box(lines: Sequence[Floats], box: Edges) -> float:
    """Add up the lengths of lines inside a box.

    Examples
    --------
    >>> length_in_box([np.array([(-5.0, 1.0), (5.0, 1.0), (5.0, 9.0)])], (0, 0, 10, 10))
    13.0
    """
    if not len(lines):
        return 0.0
    first = np.concatenate([line[:-1] for line in lines])
    step = np.concatenate([np.diff(line, axis=0) for line in lines])
    start, end = np.zeros(len(first)), np.ones(len(first))
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis in (0, 1):
            ways = np.stack(
                [(box[axis + side] - first[:, axis]) / step[:, axis] for side in (0, 2)]
            )
            still = step[:, axis] == 0
            inside = (box[axis] <= first[:, axis]) & (first[:, axis] <= box[axis + 2])
            # What runs along the box is inside of it all the way, or nowhere.
            low = np.where(still, np.where(inside, 0.0, 1.0), ways.min(axis=0))
            high = np.where(still, np.where(inside, 1.0, 0.0), ways.max(axis=0))
            start, end = np.maximum(start, low), np.minimum(end, high)
    return float((np.clip(end - start, 0, None) * np.hypot(*step.T)).sum())
