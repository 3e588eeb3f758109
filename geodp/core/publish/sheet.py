"""Lay pictures out: a heading, maps, insets, legends and a note, on a sheet for any painter.

Places on a sheet are inches from its upper left corner, to the right and down. The legend stands
beside tall maps and below wide ones.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats
from ..estimates.answers import Answers, stands_above
from ..releases.describe import cap_of
from ..releases.difference import Difference
from ..releases.release import Published
from ..space.domain import Domain
from .difference_bands import title_of as title_of_difference
from .drawing import (
    GREY,
    INK,
    TRUST_WORDS,
    Edges,
    classes_of_values,
    dot_words,
    dots_per,
    grey_words,
    greyed,
    heading_of,
    legend_words,
    note_of,
    source_of,
    view_legend,
)
from .legend import Legend, hexadecimal
from .marks import (
    LETTER,
    PALENESS,
    Dots,
    Look,
    Mark,
    Shapes,
    Words,
    bar_marks,
    class_marks,
    inset_marks,
    map_marks,
)
from .picture import MOST_CLASSES, picture_cells
from .raster_cells import values_on
from .shading import UNKNOWN, UNSURE_WORDS, shading_of

_PAGE, _SEVERAL = 9.0, 11.0
"""Inches across a picture of one map, and of several."""

_MARGIN, _GAP, _NAME = 0.15, 0.12, 0.24
"""Inches around everything, between maps, and for the name above each of several."""

_BESIDE, _TALLEST, _LARGEST = 2.15, 9.5, 4.5
"""Inches: room for a legend beside maps, height of all maps, width of one of several."""

_SQUARE = 0.85
"""Height of the maps beside their width from which the legend stands at their side."""

_NARROW = 5.0
"""Inches across a picture below which the legend stands below in any case."""

_INSET = 3.0
"""Inches: height of insets, at most."""

_LONGEST_INSET = 10.0

_EDGE, _FAINT = "#bbbbbb", "#666666"
"""Colours of the edges of swatches, and of what stands below a map."""

TITLE, SUBTITLE, LEGEND, ENTRY, NOTE = 13.0, 10.0, 9.0, 8.5, 7.5
"""Points of what stands on a sheet."""

_SWATCH = 0.28
"""Inches from the left of an entry of a legend to its label."""

_LINE = 1.3 / 72
"""Inches from line to line, for each point of the letters."""


class Swatch(NamedTuple):
    """An entry of a legend: a box of a colour, a hatched one, or a dot."""

    label: str
    colour: str
    hatched: bool = False
    dot: bool = False


class Key(NamedTuple):
    """A legend: its title, its entries, and for how many of them there is room at least."""

    title: str
    swatches: list[Swatch]
    room: int = 0


class Map(NamedTuple):
    """A map on a sheet.

    Attributes
    ----------
    place : tuple of float
        Left, top, width and height, in inches.
    box : tuple of float
        What it shows: ``xmin, ymin, xmax, ymax`` in the CRS of its marks.
    marks : list of Mark
        What it consists of, from the ground up.
    name : str
        What it is of, where there are several.
    """

    place: Edges
    box: Edges
    marks: list[Mark]
    name: str = ""


class Sheet(NamedTuple):
    """A picture: its size in inches, its maps, and the marks around these."""

    size: tuple[float, float]
    maps: list[Map]
    marks: list[Mark]


class Layout(NamedTuple):
    """Where the parts of a picture are: its size, maps, insets, and the marks around them."""

    size: tuple[float, float]
    maps: list[Edges]
    insets: list[Edges]
    marks: list[Mark]


def map_sheet(
    release: Published,
    look: Look = Look(),  # noqa: B008 (it is a tuple)
    width: float | None = None,
    insets: Sequence[Edges] = (),
) -> Sheet:
    """Return the picture of a release: one map, or one for each group in colours of one scale.

    Parameters
    ----------
    release : Release
        What is drawn.
    look : Look
        What is shown of it.
    width : float, optional
        Inches across.
    insets : sequence of tuple of float
        Boxes ``xmin, ymin, xmax, ymax`` that are drawn larger, below the map.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> sheet = map_sheet(geodp.release(([], []), town, epsilon=1))
    >>> [mark.text for mark in sheet.marks if isinstance(mark, Words)][:2]
    ['Records per km², protected', 'Records per km²']
    """
    names = list(release.groups) or [""]
    layout = lay_out(
        release.domain,
        heading_of(release, look.view),
        below(release, look.view),
        keys_of(release, look),
        names,
        width,
        insets,
    )
    legend = view_legend(release, look.view)
    per = dots_per(release) if look.view == "dots" else None
    maps: list[Map] = []
    for place, name, one in zip(layout.maps, names, release.maps.values()):
        unit = release.domain.width / (72 * place[2])
        many = bool(name)
        marks = map_marks(one, look, unit, legend=legend, small=many, bar=not maps, per=per)
        maps.append(Map(place, release.domain.bounds, marks, name))
    for number, (place, box) in enumerate(zip(layout.insets, insets)):
        unit = (box[2] - box[0]) / (72 * place[2])
        marks = map_marks(release.total, look, unit, legend=legend, per=per, box=box)
        on_map, inside = inset_marks(box, chr(ord("A") + number))
        maps[0].marks.extend(on_map)
        maps.append(Map(place, box, [*marks, *inside]))
    return Sheet(layout.size, maps, layout.marks)


def regions_sheet(
    domain: Domain,
    rings: Sequence[Sequence[Floats]],
    answers: Answers,
    areas: Floats,
    grey: float | None = None,
) -> Sheet:
    """Return a map of regions by records per area, hatched where the error exceeds half of them.

    Parameters
    ----------
    domain : Domain
        What is shown.
    rings : sequence of sequence of ndarray
        Outlines of each region, in the CRS of the domain.
    answers : Answers
        What is known of the regions.
    areas : ndarray
        Their areas inside the domain, in square kilometres.
    grey : float, optional
        Draw regions grey instead where half of the interval is more than this part of the count.
    """
    shades = shading_of(answers.estimate, answers.std_error, areas)
    unsure, words = shades.unsure, UNSURE_WORDS
    if grey is not None:
        half = (answers.ci_high - answers.ci_low) / 2
        unsure = (shades.which >= 0) & ~stands_above(answers.estimate, half, grey)
        words = grey_words("best", grey)
    colours = [*map(hexadecimal, shades.colours), UNKNOWN]
    marks: list[Mark] = []
    for each, which, doubted in zip(rings, shades.which.tolist(), unsure.tolist()):
        fill = hexadecimal(GREY) if doubted and grey is not None else colours[which]
        shape = Shapes.of_lines(each, "#ffffff", 0.4)._replace(fill=fill, closed=True)
        marks.append(shape._replace(hatched=doubted and grey is None))
    marks += bar_marks(domain, [ring for each in rings for ring in each])
    swatches = [Swatch(label, colour) for label, colour in zip(shades.labels, colours)]
    if unsure.any():
        swatches.append(
            Swatch(words, "#ffffff", hatched=True)
            if grey is None
            else Swatch(words, hexadecimal(GREY))
        )
    layout = lay_out(domain, "", "", [Key(_capital(shades.words), swatches)])
    return Sheet(layout.size, [Map(layout.maps[0], domain.bounds, marks)], layout.marks)


def difference_sheet(found: Difference, lines: Sequence[Floats] = ()) -> Sheet:
    """Return a map of what changed between two releases."""
    layout = lay_out(found.domain, *difference_words(found), [difference_key(found)])
    place = Map(layout.maps[0], found.domain.bounds, difference_marks(found, lines))
    return Sheet(layout.size, [place], layout.marks)


def difference_words(found: Difference) -> tuple[str, str]:
    """Return what stands above and below a map of a difference."""
    sources = dict.fromkeys(source_of(side.about) for side in (found.later, found.earlier))
    return title_of_difference(found, "\n"), "; ".join(filter(None, sources))


def difference_key(found: Difference) -> Key:
    """Return the legend of a difference."""
    legend = found.legend
    words = legend.words if legend.field == "difference" else f"difference in {legend.words}"
    return Key(_capital(words), _swatches(legend))


def difference_marks(found: Difference, lines: Sequence[Floats] = ()) -> list[Mark]:
    """Return what a map of a difference consists of."""
    cells, legend = picture_cells(found.cells), found.legend
    counts, variance = values_on(found, cells)
    shown = counts if legend.field == "difference" else counts / np.sqrt(variance)
    marks = class_marks(cells, legend, classes_of_values(legend, shown))
    outline = [Shapes.of_lines(lines, INK, 0.6)] if len(lines) else []
    return [*marks, *outline, *bar_marks(found.domain, lines)]


def below(release: Published, view: str = "best") -> str:
    """Return the lines under a map: source and publisher, and how records are protected."""
    return "\n".join(filter(None, [source_of(release.about), note_of(release, view)]))


def keys_of(release: Published, look: Look) -> list[Key]:
    """Return the legends of a picture: what colours mean, and what paleness does.

    Whatever the classes are that follow from the counts, pictures of a domain have the same size.
    """
    view, cap = look.view, cap_of(release.method)
    capped = f"({cap})" if cap and view != "error" else ""
    if view == "dots":
        one = Swatch(dot_words(release, dots_per(release)), "#7a0a2f", dot=True)
        return [Key(capped, [one])]
    swatches = _swatches(greyed(view_legend(release, view), grey_words(view, look.grey)))
    room = 0 if view in ("signed", "error") else MOST_CLASSES
    keys = [Key("\n".join(filter(None, [legend_words(release, view), capped])), swatches, room)]
    if look.uncertainty:
        pale = (round(255 + (part - 255) * share) for share in PALENESS for part in (214, 36, 30))
        shades = [hexadecimal(colour) for colour in zip(*[pale] * 3)]
        keys.append(Key("", list(map(Swatch, TRUST_WORDS, shades))))
    return keys


def _swatches(legend: Legend) -> list[Swatch]:
    return [Swatch(each.label, hexadecimal(each.colour)) for each in legend.classes]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def lay_out(
    domain: Domain,
    heading: str,
    note: str,
    keys: Sequence[Key],
    names: Sequence[str] = ("",),
    width: float | None = None,
    insets: Sequence[Edges] = (),
) -> Layout:
    """Find places for everything on a sheet.

    Parameters
    ----------
    domain : Domain
        What the maps show.
    heading, note : str
        What stands above and below; the first line of a heading of several is a title.
    keys : sequence of Key
        Legends.
    names : sequence of str
        What each map is called.
    width : float, optional
        Inches across.
    insets : sequence of tuple of float
        Boxes ``xmin, ymin, xmax, ymax`` that are drawn larger, below the map.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> layout = lay_out(town, "Thefts", "2025", [Key("per km²", [Swatch("any", "#ff0000")])])
    >>> [round(side, 2) for side in layout.maps[0]], layout.size[0]
    ([0.15, 0.45, 8.7, 4.35], 9.0)
    """
    wide = width or (_PAGE if len(names) == 1 else _SEVERAL)
    ratio, name = domain.height / domain.width, _NAME if any(names) else 0.0
    columns, across, beside = _arranged(ratio, len(names), wide, name)
    rows, high = -(-len(names) // columns), across * ratio
    block = columns * (across + _GAP) - _GAP
    if width is None:
        wide = min(wide, block + 2 * _MARGIN + (_BESIDE if beside else 0.0))
    room = wide - 2 * _MARGIN
    marks, top = _heading(heading, room)
    maps = []
    for number, words in enumerate(names):
        row, column = divmod(number, columns)
        left = _MARGIN + column * (across + _GAP)
        down = top + row * (name + high + _GAP)
        if words:
            marks += _write([shortened(words, SUBTITLE, across)], left, down, SUBTITLE)[0]
        maps.append((left, down + name, across, high))
    bottom = top + rows * (name + high + _GAP)
    parts, bottom = _inset_places(insets, block, bottom)
    side = _MARGIN + block + 0.15
    place = (side, top + name, wide - side - _MARGIN) if beside else (_MARGIN, bottom, room)
    drawn, lowest = _legends(keys, *place, columns=1 if beside else 4)
    noted, end = _write(
        fitted(note, NOTE, room).split("\n") if note else [],
        _MARGIN,
        max(bottom, lowest) + (0.06 if note else 0.0),
        NOTE,
        colour=_FAINT,
    )
    return Layout((wide, end + 0.08), maps, parts, [*marks, *drawn, *noted])


def _arranged(ratio: float, count: int, wide: float, name: float) -> tuple[int, float, bool]:
    """Columns of maps that fill the page best, inches across each, and where the legend stands."""
    choices = []
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        beside = rows * ratio / columns > _SQUARE and wide > _NARROW
        room = wide - 2 * _MARGIN - (_BESIDE if beside else 0.0)
        across = (room - (columns - 1) * _GAP) / columns
        across = min(across, max(max(_TALLEST, wide) / rows - name - _GAP, 0.2) / ratio)
        across = max(min(across, _LARGEST) if count > 1 else across, 0.1)
        # Large maps are good, and places without one are not.
        score = round(across * (count / (rows * columns)) ** 4, 6)
        choices.append((score, columns, across, beside))
    return max(choices)[1:]


def _heading(heading: str, room: float) -> tuple[list[Mark], float]:
    """Write a title in bold, and under it what the map shows."""
    if not heading:
        return [], _MARGIN
    title, _, more = heading.partition("\n")
    marks, top = _write(fitted(title, 1.1 * TITLE, room).split("\n"), _MARGIN, 0.12, TITLE, True)
    if more:
        lines = fitted(more, SUBTITLE, room).split("\n")
        rest, top = _write(lines, _MARGIN, top + 0.02, SUBTITLE)
        marks += rest
    return marks, top + 0.1


def _write(
    lines: Sequence[str],
    left: float,
    top: float,
    size: float,
    bold: bool = False,
    colour: str = INK,
) -> tuple[list[Mark], float]:
    """Write lines of text from a place downwards, and say where they end."""
    step = size * _LINE
    bases = (top + step * (number + 0.78) for number in range(len(lines)))
    marks: list[Mark] = [
        Words(left, base, line, size, colour=colour, bold=bold) for line, base in zip(lines, bases)
    ]
    return marks, top + step * len(lines)


def _legends(
    keys: Sequence[Key], left: float, top: float, width: float, columns: int
) -> tuple[list[Mark], float]:
    """Write legends one below the other, and say where they end."""
    marks: list[Mark] = []
    for key in keys:
        if key.title:
            title, top = _write(fitted(key.title, LEGEND, width).split("\n"), left, top, LEGEND)
            marks += title
            top += 0.05
        labels = [fitted(each.label, ENTRY, width - _SWATCH).split("\n") for each in key.swatches]
        rows, starts = _columns(labels, width, columns, key.room)
        lines = [max((len(label) for label in labels[row::rows]), default=1) for row in range(rows)]
        tops = top + np.cumsum([0.0, *(0.05 + ENTRY * _LINE * number for number in lines)])
        for number, (swatch, label) in enumerate(zip(key.swatches, labels)):
            column, row = divmod(number, rows)
            x, y = left + starts[column], float(tops[row])
            marks += [*_swatch(swatch, x, y), *_write(label, x + _SWATCH, y, ENTRY)[0]]
        top = float(tops[-1]) + 0.06
    return marks, top


def _columns(
    labels: Sequence[list[str]], width: float, most: int, room: int
) -> tuple[int, list[float]]:
    """Rows of a legend, and where each of its columns begins: as many columns as fit."""
    wide = [max(map(len, label)) * ENTRY * LETTER / 72 + _SWATCH for label in labels]
    for columns in range(most, 0, -1):
        rows = -(-max(len(labels), room) // columns)
        sizes = [max(wide[start : start + rows]) for start in range(0, len(wide), rows)]
        if sum(sizes) + 0.2 * (len(sizes) - 1) <= width:
            break
    return rows, np.cumsum([0.0, *(size + 0.2 for size in sizes)]).tolist()


def _swatch(swatch: Swatch, left: float, top: float) -> list[Mark]:
    if swatch.dot:
        return [Dots(np.array([left + 0.1]), np.array([top + 0.08]), 3.0, swatch.colour)]
    box = Shapes.of_box((left, top + 0.145, left + 0.2, top + 0.02), swatch.colour, _EDGE, 0.5)
    return [box._replace(hatched=swatch.hatched)]


def _inset_places(insets: Sequence[Edges], across: float, top: float) -> tuple[list[Edges], float]:
    """Lay insets in a row, all of one height, and say where the row ends."""
    if not insets:
        return [], top
    ratios = [(xmax - xmin) / (ymax - ymin) for xmin, ymin, xmax, ymax in insets]
    high = min(_INSET, (across - _GAP * (len(insets) - 1)) / sum(ratios))
    left, places = _MARGIN, []
    for ratio in ratios:
        places.append((left, top, high * ratio, high))
        left += high * ratio + _GAP
    return places, top + high + _GAP


def check_inset(box: Sequence[float], domain: Domain) -> Edges:
    """Refuse an inset that is no box inside the domain.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> check_inset([0, 0, 1000, 500], town)
    (0.0, 0.0, 1000.0, 500.0)
    """
    if len(box) != 4:
        raise InputError(f"an inset has four edges, xmin ymin xmax ymax; got {len(box)}.")
    left, bottom, right, top = map(float, box)
    xmin, ymin, xmax, ymax = domain.bounds
    if not (xmin <= left < right <= xmax and ymin <= bottom < top <= ymax):
        given = " ".join(f"{edge:.15g}" for edge in (left, bottom, right, top))
        raise InputError(
            "an inset must be a box xmin ymin xmax ymax inside the extent "
            f"{' '.join(f'{edge:.15g}' for edge in domain.bounds)}; got {given}."
        )
    if max((right - left) / (top - bottom), (top - bottom) / (right - left)) > _LONGEST_INSET:
        raise InputError(
            f"an inset must be at most {_LONGEST_INSET:g} times as long as it is wide; give one "
            "that is nearer to a square."
        )
    return left, bottom, right, top


def fitted(text: str, size: float, inches: float) -> str:
    r"""Break lines of text of a size in points so that they fit a width.

    Examples
    --------
    >>> fitted("Records per cell with noise, in a narrow place", 11, 2.7)
    'Records per cell with noise,\nin a narrow place'
    """
    most = max(int(inches * 72 / (size * LETTER)), 12)
    lines = (textwrap.wrap(line, most, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)


def shortened(text: str, size: float, inches: float) -> str:
    """Cut a line of text short where it does not fit a width.

    Examples
    --------
    >>> shortened("Assaults and robberies", 10, 1.0)
    'Assaults an…'
    """
    most = max(int(inches * 72 / (size * LETTER)), 1)
    return text if len(text) <= most else f"{text[: most - 1]}…"
