"""One page that explains a release to whoever receives it.

The page stands alone: pictures, style and script are inside. It needs no network, and with scripts
off it shows pictures in place of the map to look at closely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from ..common.types import Floats
from ..common.version import __version__
from ..estimates.answers import Answers
from ..forecasts.forecast import AREAS, foreseen
from ..releases.about import LABELS
from ..releases.cell_words import cells_in_words, examples
from ..releases.describe import Description, cap_text, map_title, protected_words
from ..releases.release import Published
from ..space.grid import Grid
from ..space.wording import cell_size, significant
from .drawing import subject_of
from .marks import Look
from .page import Listed, explorer_of, own_districts, part, shown_groups
from .sheet import map_sheet, regions_sheet
from .svg import svg_of

_MOST_COLUMNS = 12
"""Groups that fit beside each other in a table."""

_WIDTH = 9.0
"""Inches across a picture, by which its letters are as large as those of the page."""

_LIMITS = {"ci_low": "at least", "ci_high": "at most"}
"""Columns of answers beside the estimate, in a page's words: 19 of 20 intervals hold the truth."""


def page_of(
    release: Published,
    regions: Listed | None = None,
    lines: Sequence[Floats] = (),
    grey: float | None = None,
) -> str:
    """Return the whole page.

    Parameters
    ----------
    release : Release
        What it explains.
    regions : Listed, optional
        Regions to list and to draw, from :func:`geodp.core.pictures.page.listed_of`; by default the
        districts of a release that has any are listed.
    lines : sequence of ndarray
        Public outlines inside the domain, as coordinates in its CRS; by default the regions'.
    grey : float, optional
        Draw cells and regions grey that are too uncertain, as in :meth:`geodp.Release.plot`.
    """
    found = release.describe()
    outlines = [] if regions is None else [ring for rings in regions.rings for ring in rings]
    look = Look(grey=grey, lines=lines if len(lines) else outlines)
    image = svg_of(map_sheet(release, look, _WIDTH), map_title(release))
    answered = ""
    if regions is not None:
        known = (regions.rings, regions.answers[0], regions.areas)
        words, things = f"{subject_of(release)}, of each region", release.method.quantity.things
        answered = svg_of(regions_sheet(release.domain, *known, grey, things), words)
    regions = own_districts(release) if regions is None else regions
    parts = (
        _heading(release),
        promise_in_words(release),
        f"<p>{escape(release.counted)}</p>",
        f'<figure id="picture">{image}</figure>',
        explorer_of(shown_groups(release), regions, release.legend, lines),
        _example(release, regions),
        _groups(release),
        "" if regions is None else _districts(release, regions, answered),
        "" if regions is None else _districts_by_group(release, regions),
        _reading(release),
        _errors(release),
        _foreseen(release),
        _folded("What it cost", _cost(found)),
        _folded("Facts", _facts(found)),
        _CITING,
    )
    body = "\n".join(each for each in parts if each)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(release.about.title or f'geodp report: {map_title(release)}')}</title>\n"
        f"<style>\n{part('page.css')}</style>\n</head>\n<body>\n{body}\n"
        f"<footer>Made by geodp {escape(__version__)} from the release alone; the points were not "
        "consulted.</footer>\n</body>\n</html>\n"
    )


def _heading(release: Published) -> str:
    """The publisher's title and what goes with it, or what the map is."""
    about = release.about
    shown = f"{subject_of(release)}, {protected_words(release)}"
    cells = f"In {cells_in_words(release.cells)}."
    lines = [f"<h1>{escape(about.title or shown)}</h1>"]
    lead = about.subject or (f"{shown}. {cells}" if about.title else cells)
    lines.append(f'<p class="lead">{escape(lead)}</p>')
    said = [
        f"{LABELS[name]}: {escape(text)}"
        for name, text in about.given.items()
        if name not in ("title", "subject")
    ]
    if said:
        lines.append(f'<p class="said">{" · ".join(said)}</p>')
    return "\n".join(lines)


def _folded(head: str, text: str) -> str:
    return f"<details>\n<summary>{head}</summary>\n{text}\n</details>"


def _districts(release: Published, regions: Listed, picture: str) -> str:
    """The table of regions, to be sorted, and their map."""
    shown = {"estimate": release.method.quantity.things, **_LIMITS}
    heads = "".join(f'<th class="n">{words}</th>' for words in shown.values())
    columns = [getattr(regions.answers[0], name).tolist() for name in shown]
    lines = []
    for number, (label, *values) in enumerate(zip(regions.labels, *columns)):
        cells = "".join(map(_number_cell, values))
        lines.append(f'<tr data-region="{number}"><td>{escape(label)}</td>{cells}</tr>')
    rows = "\n".join(lines)
    figure = f"\n<figure>{picture}</figure>" if picture else ""
    whole = ", all groups together" if release.groups else ""
    return (
        f"<h2>Regions{whole}</h2>\n<p>19 of 20 of these intervals hold the true count, as it would "
        "be without noise.</p>\n"
        f'<div class="wide"><table id="districts"><thead><tr><th>region</th>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>{figure}"
    )


def _example(release: Published, regions: Listed | None) -> str:
    """Say in a sentence how a number is read: of a region in the middle of all, or of the map."""
    where, found = "The whole map", release.total.overall
    place = 0
    if regions is not None:
        answers = regions.answers[0]
        clear = np.flatnonzero(answers.estimate > 2 * answers.std_error)
        if len(clear):
            rising = clear[np.argsort(answers.estimate[clear], kind="stable")]
            place = int(rising[len(rising) // 2])
            where, found = regions.labels[place], answers
    estimate, low, high = (
        float(each[place]) for each in (found.estimate, found.ci_low, found.ci_high)
    )
    quantity = release.method.quantity
    things = quantity.one if _whole(estimate) == "1" else quantity.things
    if quantity.things == "visitors" and found is not (regions and regions.answers[0]):
        things = "visits"  # of all cells together: a person counts in several
    return (
        f'<p class="example">Read a number like this. <b>{escape(where)}: about {_whole(estimate)} '
        f"{things}, very likely between {_whole(low)} and {_whole(high)}.</b> Of such intervals, "
        "19 of 20 hold the true number.</p>"
    )


def _groups(release: Published) -> str:
    """How many records each group has, and all of them together."""
    if not release.groups:
        return ""
    whole = [release.domain.bounds]
    rows = [(name, *_with_error(one.query(whole))) for name, one in release.maps.items()]
    rows.append(("all groups", *_with_error(release.total.query(whole))))
    head = ("group", release.method.quantity.things, "error (95 %)")
    return (
        "<h2>Groups</h2>\n<p>Every record is in one group, so all of them together cost the ε of "
        "one. Each has its own noise, and the total has that of all of them.</p>\n"
        + table(head, rows, numbers=True)
    )


def _with_error(found: Answers) -> tuple[str, str]:
    reach = float(found.ci_high[0] - found.ci_low[0]) / 2
    return _whole(float(found.estimate[0])), f"± {significant(reach)}"


def _whole(value: float) -> str:
    """The nearest whole number; none is written as −0."""
    return f"{round(value):,}".replace("-", "−")


def _districts_by_group(release: Published, regions: Listed) -> str:
    """Regions in rows and groups in columns, each count with the reach of its interval."""
    if not 0 < len(release.groups) <= _MOST_COLUMNS:
        return ""
    columns = []
    for found in regions.answers[1:]:
        reach = ((found.ci_high - found.ci_low) / 2).tolist()
        columns.append(
            [
                f"{_whole(count)} ± {significant(far)}" if far == far else "–"
                for count, far in zip(found.estimate.tolist(), reach)
            ]
        )
    head = ("region", *release.groups)
    return "<h2>Regions by group</h2>\n" + table(head, zip(regions.labels, *columns), numbers=True)


def _number_cell(value: float) -> str:
    if not math.isfinite(value):
        return '<td class="n" data-value="">–</td>'
    return f'<td class="n" data-value="{value:.6g}">{_whole(value)}</td>'


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: bool = False) -> str:
    r"""Make an HTML table; with ``numbers`` all columns but the first are set flush right.

    Examples
    --------
    >>> table(["a"], [["<b>"]])
    '<div class="wide"><table>\n<tr><th>a</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table></div>'
    """

    def line(tag: str, cells: Iterable[str]) -> str:
        kinds = (' class="n"' if numbers and place else "" for place in range(99))
        inner = "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds))
        return f"<tr>{inner}</tr>"

    lines = [line("th", head)] if head else []
    lines += [line("td", row) for row in rows]
    return "\n".join(['<div class="wide"><table>', *lines, "</table></div>"])


def promise_in_words(release: Published) -> str:
    """Return the promise, for people first and then to the letter."""
    if release.seeded:
        return boxed(escape(release.promise), seeded=True)
    factor = math.exp(min(float(release.epsilon), 700.0))
    plain = (
        f"Whether or not any one {release.method.unit.kind} was among the data, no conclusion "
        f"drawn from this map becomes more than {significant(factor)} times as likely, nor less "
        "likely by more than that factor. This holds whatever else the reader knows."
    )
    return f"{boxed(plain, seeded=False)}\n<p>{escape(release.promise)}</p>"


def boxed(words: str, seeded: bool) -> str:
    """Set a promise apart, and more so where there is none."""
    return f'<p class="{"alarm" if seeded else "promise"}">{words}</p>'


def _reading(release: Published) -> str:
    legend, cap = release.legend, cap_text(release.method)
    count = f"true count ({cap})" if cap else "true count"
    return (
        f"<h2>How to read it</h2>\n<p>{_shown(release, count)} The size of the noise "
        f"is known: it is typically about {_deviation(release):,.1f} "
        f"{release.method.quantity.things} up or down. <b>Some counts are negative.</b> That is no "
        "mistake. Where there are few records or none, noise "
        "goes below zero as often as above it. Leave negative counts as they are when you add "
        "cells up: highs and lows then cancel. Setting them to zero would make every sum too "
        "large.</p>\n<p>The colours are a best guess for the eye, made from these counts: it is "
        f"never negative, and it is no number to add up. The lightest cells ({legend.calm}) hold a "
        "small part of all records together, or none.</p>"
    )


def _shown(release: Published, count: str) -> str:
    """Say what the number of a cell is made of."""
    if release.cells.tree is None:
        return f"Every cell shows its {count} plus random noise."
    return (
        f"Every cell shows an estimate of its {count}. It is made from noisy counts of the cell "
        "itself, of the cells around it and of larger cells."
    )


def _deviation(release: Published) -> float:
    return float(np.sqrt(np.median(release.first.variance)))


def expected_errors(release: Published) -> list[tuple[str, str, str, str]]:
    """Errors to expect from the noise: squares of whole cells, and the whole domain.

    Returns
    -------
    list of tuple
        Region, its area, its share of the domain, and the reach of a 95 % interval, as text.
    """
    found = []
    for name, box in examples(release.cells):
        reach = release.first.query([box])
        area = (box[2] - box[0]) * (box[3] - box[1])
        spread = float(reach.ci_high[0] - reach.ci_low[0]) / 2
        share = f"{significant(100 * area / release.domain.area)} %"
        found.append((name, _area(area, release), share, f"± {significant(spread)}"))
    return found


def _area(area: float, release: Published) -> str:
    crs = release.domain.crs
    if crs.geographic:
        return "(degrees)"
    metres = area * crs.metres_per_unit**2
    return f"{significant(metres / 1e6)} km²" if metres >= 1e4 else f"{significant(metres)} m²"


def _errors(release: Published) -> str:
    head = ("region", "area", "of the map", "error of its sum (95 %)")
    cap = cap_text(release.method)
    truth = f"the true sum, which counts {cap}," if cap else "the true sum"
    return (
        "<h2>What error to expect</h2>\n"
        + table(head, expected_errors(release), numbers=True)
        + f"\n<p>These errors come from the noise. 19 of 20 sums are closer to {truth} than this. "
        "Regions whose borders cut through cells have one more error, because records are taken as "
        "evenly spread inside a cell. It matters for regions of a few cells or fewer. Answers that "
        "geodp gives for regions include it.</p>"
    )


def _foreseen(release: Published) -> str:
    rows = []
    for each in foreseen(release):
        chosen = " (chosen)" if each.cells == release.cells.grid else ""
        errors = map(significant, each.noise_error)
        size = cell_size(each.cells) if isinstance(each.cells, Grid) else ""
        rows.append((f"{each.cells.in_words}{chosen}", size, *errors))
    if not rows:
        return ""
    areas = (f"{100 * area:g} % of the map" for area in AREAS[:-1])
    head = ("cells", "size of a cell", *areas, "all of it")
    return (
        "<h2>What was foreseen</h2>\n" + table(head, rows, numbers=True) + "\n<p>This was known "
        "before anything was spent: the standard error that noise adds to a count, for each size "
        "of cells that could be chosen. Small cells add more noise to an area of many cells. Large "
        "cells add less, but blur more at its border.</p>"
    )


def _cost(found: Description) -> str:
    rows = [(fact.label, fact.text) for fact in found.about("cost")]
    return (
        "<p>Privacy is spent like money: every look at the records costs "
        "some ε, and the costs add up.</p>\n" + table((), rows)
    )


def _facts(found: Description) -> str:
    told = ("promise", "private", "epsilon")  # further up, and in more words
    facts = found.about("promise", "map", "noise", "choice")
    rows = [(fact.label, fact.text) for fact in facts if fact.key not in told]
    return table((), rows)


_CITING = (
    "<h2>How to cite</h2>\n<p>The data: name whoever released this map, and say “noisy counts made "
    f"with geodp {escape(__version__)}”. The method of choosing the grid privately: Maryam "
    "Fanaeepour and Benjamin I. P. Rubinstein, <i>End-to-End Differentially-Private Parameter "
    "Tuning in Spatial Histograms</i>, 2017.</p>"
)
