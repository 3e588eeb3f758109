"""Lay pictures out: a heading, maps, insets, legends and a note, on a sheet for any painter.

Places on a sheet are inches from its upper left corner, to the right and down. The legend stands
beside tall maps and below wide ones.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.language import ENGLISH, Language
from ..common.phrases import Phrase, capital, joined
from ..common.types import Floats
from ..estimates.answers import Answers, stands_above
from ..publish.difference_bands import difference_title
from ..releases.describe import cap_text
from ..releases.difference import Difference
from ..releases.published import Published
from ..space.domain import Domain
from ..views.legend import Legend, hexadecimal
from ..views.picture import MOST_CLASSES, class_limits, density_legend, picture_cells
from ..views.raster_cells import values_on
from .drawing import (
    DOT_COLOUR,
    GREY,
    INK,
    TRUST_WORDS,
    Edges,
    classes_of_values,
    dot_words,
    dots_per,
    grey_words,
    greyed,
    legend_words,
    map_heading,
    map_legend,
    map_note,
    source_line,
)
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
    map_marks,
)

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

_EDGE, _FAINT, _UNKNOWN = "#bbbbbb", "#666666", "#dddddd"
"""Colours of the edges of swatches, of what stands below a map, of regions without an answer."""

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


class Around(NamedTuple):
    """Hold what stands around maps: a heading (its first line is the title), a note, legends."""

    heading: str
    note: str
    keys: list[Key]

    def translated(self, language: Language) -> Around:
        """Return the same in a language."""
        say = language.say
        keys = [
            key._replace(
                title=say(key.title),
                swatches=[swatch._replace(label=say(swatch.label)) for swatch in key.swatches],
            )
            for key in self.keys
        ]
        return Around(say(self.heading), say(self.note), keys)


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

    @property
    def unit(self) -> float:
        """Return what a point of the sheet is on the map."""
        return (self.box[2] - self.box[0]) / (72 * self.place[2])


class Sheet(NamedTuple):
    """A picture: its size in inches, its maps, and the marks around these."""

    size: tuple[float, float]
    maps: list[Map]
    marks: list[Mark]


def map_sheet(
    release: Published,
    look: Look = Look(),  # noqa: B008 (it is a tuple)
    width: float | None = None,
    insets: Sequence[Edges] = (),
    language: Language = ENGLISH,
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
    language : Language
        What its words are in.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> sheet = map_sheet(geodp.release(([], []), town, epsilon=1))
    >>> [mark.text for mark in sheet.marks if isinstance(mark, Words)][:2]
    ['Records per km², protected', 'Records per km²']
    """
    names = list(release.groups) or [""]
    words = around(release, look).translated(language)
    sheet = lay_out(release.domain, words, names, width, insets)
    shared: dict[str, Any] = {
        "legend": map_legend(release, look.view),
        "small": bool(release.groups),
    }
    shared["per"] = dots_per(release) if look.view == "dots" else None
    main, *_ = sheet.maps
    for place, one in zip(sheet.maps, release.maps.values()):
        marks = map_marks(one, look, place.unit, bar=place is main, **shared)
        place.marks.extend(_translated(marks, language))
    for letter, place in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", sheet.maps[len(names) :]):
        place.marks.extend(map_marks(release.total, look, place.unit, box=place.box, **shared))
        left, _, right, top = place.box
        main.marks.append(Shapes.from_box(place.box, line=INK, width=0.9))
        main.marks.append(Words(right, top, letter, 9, (2, -3), bold=True, halo=2.5))
        place.marks.append(Words(left, top, letter, 9, (4, -11), bold=True, halo=2.5))
    return sheet


def regions_sheet(
    domain: Domain,
    rings: Sequence[Sequence[Floats]],
    answers: Answers,
    areas: Floats,
    grey: float | None = None,
    things: str = "records",
    language: Language = ENGLISH,
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
    things : str
        What is counted.
    language : Language
        What its words are in.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.maximum(answers.estimate, 0) / areas
        unsure = answers.std_error > answers.estimate / 2
    known = np.isfinite(density)
    legend = density_legend(class_limits(density[known], areas[known]), "km²", things)
    doubt = Swatch(Phrase("error above half of it"), "#ffffff", hatched=True)
    if grey is not None:
        unsure = ~stands_above(answers.estimate, (answers.ci_high - answers.ci_low) / 2, grey)
        doubt = Swatch(grey_words("best", grey), hexadecimal(GREY))
    unsure &= known
    swatches = _swatches(legend)
    colours = [*(swatch.colour for swatch in swatches), _UNKNOWN]
    which = np.where(known, classes_of_values(legend, density), -1)
    key = Key(capital(legend.words), [*swatches, doubt] if unsure.any() else swatches)
    sheet = lay_out(domain, Around("", "", [key]).translated(language))
    for outline, place, doubted in zip(rings, which.tolist(), unsure.tolist()):
        shape = Shapes.from_lines(outline, "#ffffff", 0.4)._replace(
            closed=True, fill=colours[place]
        )
        if doubted:
            fill = shape.fill if doubt.hatched else doubt.colour
            shape = shape._replace(hatched=doubt.hatched, fill=fill)
        sheet.maps[0].marks.append(shape)
    bar = bar_marks(domain, [ring for outline in rings for ring in outline])
    sheet.maps[0].marks.extend(_translated(bar, language))
    return sheet


def _translated(marks: Sequence[Mark], language: Language) -> list[Mark]:
    """Return marks with their words in a language; names stay as they are."""
    return [
        mark._replace(text=language.say(mark.text)) if isinstance(mark, Words) else mark
        for mark in marks
    ]


def difference_sheet(change: Difference, lines: Sequence[Floats] = ()) -> Sheet:
    """Return a map of what changed between two releases."""
    sheet = lay_out(change.domain, around_difference(change))
    sheet.maps[0].marks.extend(difference_marks(change, lines))
    return sheet


def around_difference(change: Difference) -> Around:
    """Return what stands around a map of a difference."""
    sources = dict.fromkeys(source_line(side.about) for side in (change.later, change.earlier))
    words = change.legend.words
    if change.legend.field != "difference":
        words = Phrase("difference in {1}", words)
    key = Key(capital(words), _swatches(change.legend))
    return Around(difference_title(change, "\n"), "; ".join(filter(None, sources)), [key])


def difference_marks(change: Difference, lines: Sequence[Floats] = ()) -> list[Mark]:
    """Return what a map of a difference consists of."""
    cells, legend = picture_cells(change.cells), change.legend
    counts, variance = values_on(change, cells)
    shown = counts if legend.field == "difference" else counts / np.sqrt(variance)
    marks = class_marks(cells, legend, classes_of_values(legend, shown))
    return [*marks, *Shapes.from_outline(lines, 0.6), *bar_marks(change.domain, lines)]


def around(release: Published, look: Look) -> Around:
    """Return what stands around a map: above and below it, and its legends.

    Whatever the classes are that follow from the counts, pictures of a domain have the same size.
    """
    note = joined("\n", filter(None, [source_line(release.about), map_note(release, look.view)]))
    return Around(map_heading(release, look.view), note, _keys(release, look))


def _keys(release: Published, look: Look) -> list[Key]:
    """Return the entries of a legend: what colours mean, and what pale ones do."""
    view, cap = look.view, cap_text(release.method)
    capped = Phrase("({1})", cap) if cap and view != "error" else Phrase("")
    if view == "dots":
        return [Key(capped, [Swatch(dot_words(release, dots_per(release)), DOT_COLOUR, dot=True)])]
    swatches = _swatches(greyed(map_legend(release, view), grey_words(view, look.grey)))
    room = 0 if view in ("signed", "error") else MOST_CLASSES
    title = joined("\n", filter(None, [legend_words(release, view), capped]))
    keys = [Key(title, swatches, room)]
    if look.uncertainty:
        pale = (round(255 + (part - 255) * share) for share in PALENESS for part in (214, 36, 30))
        shades = [hexadecimal(colour) for colour in zip(*[pale] * 3)]
        keys.append(Key("", list(map(Swatch, TRUST_WORDS, shades))))
    return keys


def _swatches(legend: Legend) -> list[Swatch]:
    return [Swatch(class_.label, hexadecimal(class_.colour)) for class_ in legend.classes]


def lay_out(
    domain: Domain,
    words: Around,
    names: Sequence[str] = ("",),
    width: float | None = None,
    insets: Sequence[Edges] = (),
) -> Sheet:
    """Find places for everything on a sheet, whose maps are still empty.

    Parameters
    ----------
    domain : Domain
        What the maps show.
    words : Around
        What stands around them.
    names : sequence of str
        What each map is called.
    width : float, optional
        Inches across.
    insets : sequence of tuple of float
        Boxes ``xmin, ymin, xmax, ymax`` that are drawn larger, below the map.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 2000), crs="EPSG:5070")
    >>> sheet = lay_out(town, Around("Thefts", "2025", [Key("Thefts", [Swatch("any", "#ff0000")])]))
    >>> [round(side, 2) for side in sheet.maps[0].place], sheet.size[0]
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
    marks, top = _heading(words.heading, room)
    maps = []
    for number, text in enumerate(names):
        row, column = divmod(number, columns)
        left = _MARGIN + column * (across + _GAP)
        down = top + row * (name + high + _GAP)
        if text:
            marks += _write([shortened(text, SUBTITLE, across)], left, down, SUBTITLE)[0]
        maps.append(Map((left, down + name, across, high), domain.bounds, [], text))
    bottom = top + rows * (name + high + _GAP)
    parts, bottom = _inset_places(insets, block, bottom)
    side = _MARGIN + block + 0.15
    place = (side, top + name, wide - side - _MARGIN) if beside else (_MARGIN, bottom, room)
    drawn, lowest = _legends(words.keys, *place, columns=1 if beside else 4)
    lines = fitted(words.note, NOTE, room).split("\n") if words.note else []
    noted, end = _write(lines, _MARGIN, max(bottom, lowest) + 0.06, NOTE, colour=_FAINT)
    return Sheet((wide, end + 0.08), maps + parts, [*marks, *drawn, *noted])


def _arranged(ratio: float, count: int, wide: float, name: float) -> tuple[int, float, bool]:
    """Choose columns of maps that fill the page best, their width, and the legend's place."""
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
        labels = [
            fitted(swatch.label, ENTRY, width - _SWATCH).split("\n") for swatch in key.swatches
        ]
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
    """Arrange a legend: its rows, and where each column begins, as many columns as fit."""
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
    box = Shapes.from_box((left, top + 0.145, left + 0.2, top + 0.02), swatch.colour, _EDGE, 0.5)
    return [box._replace(hatched=swatch.hatched)]


def _inset_places(insets: Sequence[Edges], across: float, top: float) -> tuple[list[Map], float]:
    """Lay insets in a row, all of one height, and say where the row ends."""
    if not insets:
        return [], top
    ratios = [(xmax - xmin) / (ymax - ymin) for xmin, ymin, xmax, ymax in insets]
    high = min(_INSET, (across - _GAP * (len(insets) - 1)) / sum(ratios))
    left, places = _MARGIN, []
    for ratio, box in zip(ratios, insets):
        places.append(Map((left, top, high * ratio, high), box, []))
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
