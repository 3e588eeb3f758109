"""One page that explains a release to whoever receives it.

The page stands alone: pictures, style and script are inside. It needs no network, and with scripts
off it shows pictures in place of the map to look at closely. Its reader can put it into another
language: it holds what is different in each.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

import numpy as np

from ..cells.district_cells import DistrictCells
from ..common.language import ENGLISH, Language, language_by_code, languages
from ..common.phrases import Number, Phrase, capital, joined
from ..common.types import Floats
from ..common.version import __version__
from ..estimates.answers import Answers
from ..forecasts.forecast import AREAS, foreseen
from ..releases.about import LABELS
from ..releases.cell_words import cells_in_words, examples
from ..releases.describe import Description, cap_text, map_title, protected_words
from ..releases.published import Published
from ..space.grid import Grid
from ..space.wording import cell_size, significant
from ..views.means import mean_words, sum_words
from .drawing import map_subject
from .marks import Look
from .page import (
    Listed,
    districts_as_regions,
    explorer_html,
    packed_bytes,
    part,
    shown_groups,
    with_ends,
)
from .sheet import map_sheet, regions_sheet
from .svg import sheet_svg

_MOST_COLUMNS = 12
"""Groups that fit beside each other in a table."""

_WIDTH = 9.0
"""Inches across a picture, by which its letters are as large as those of the page."""

_LIMITS = {"ci_low": Phrase("at least"), "ci_high": Phrase("at most")}
"""Columns of answers beside the estimate, in a page's words: 19 of 20 intervals hold the truth."""


def report_page(
    release: Published,
    regions: Listed | None = None,
    lines: Sequence[Floats] = (),
    grey: float | None = None,
    language: Language = ENGLISH,
    progress: Callable[[float], object] | None = None,
) -> str:
    """Return the whole page.

    Parameters
    ----------
    release : Release
        What it explains.
    regions : Listed, optional
        Regions to list and to draw, from :func:`geodp.core.pictures.page.list_regions`; by default
        the districts of a release that has any are listed.
    lines : sequence of ndarray
        Public outlines inside the domain, as coordinates in its CRS; by default the regions'.
    grey : float, optional
        Draw cells and regions grey that are too uncertain, as in :meth:`geodp.Release.plot`.
    language : Language
        What its words are in at first. What others wrote stays as it is: names, titles.
    progress : callable, optional
        Told how much is done, in per cent; what it raises ends the work.
    """
    outlines = [] if regions is None else [ring for rings in regions.rings for ring in rings]
    look = Look(grey=grey, lines=lines if len(lines) else outlines)
    others = (language_by_code(code) for code in languages() if code != language.code)
    spoken = [language, *others]
    bodies = []
    for place, other in enumerate(spoken):
        if progress is not None:
            progress(100 * place / (len(spoken) + 1))
        bodies.append(_body(release, regions, look, other))
    if progress is not None:
        progress(100 * len(spoken) / (len(spoken) + 1))
    title = release.about.title or Phrase("geodp report: {1}", map_title(release))
    listed = districts_as_regions(release) if regions is None else regions
    shown = explorer_html(shown_groups(release), listed, release.legend, lines, spoken)
    return (
        f'<!DOCTYPE html>\n<html lang="{language.code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{language.html(title)}</title>\n"
        f"<style>\n{part('page.css')}</style>\n</head>\n<body>\n"
        f'<div id="page">{bodies[0]}</div>\n'
        f"{_in_languages(spoken, title, bodies)}\n{shown}\n</body>\n</html>\n"
    )


def _body(release: Published, regions: Listed | None, look: Look, language: Language) -> str:
    """Return all that is read of the page, in one language."""
    description = release.describe()
    sheet = map_sheet(release, look, _WIDTH, language=language)
    image = sheet_svg(sheet, language.say(map_title(release)))
    answered = ""
    if regions is not None and not _are_its_districts(release, regions):
        known = (regions.rings, regions.answers[0], regions.areas)
        words = Phrase("{1}, of each region", map_subject(release))
        things = release.method.quantity.things
        shown = regions_sheet(release.domain, *known, look.grey, things, language)
        answered = sheet_svg(shown, language.say(words))
    regions = districts_as_regions(release) if regions is None else regions
    put = language.html
    footer = Phrase(
        "Made by geodp {1} from the release alone; the points were not consulted.", __version__
    )
    parts = (
        _heading(release, language),
        _plain_promise(release, language),
        f"<p>{put(release.counted)}</p>",
        f'<figure id="picture">{image}</figure>',
        _example(release, regions, language),
        "" if release.seeded else f"<p>{put(release.promise)}</p>",
        _groups(release, language),
        "" if regions is None else _districts(release, regions, answered, language),
        "" if regions is None else _districts_by_group(release, regions, language),
        _reading(release, language),
        _errors(release, language),
        _foreseen(release, language),
        _folded(put(Phrase("What it cost")), _cost(description, language)),
        _folded(put(Phrase("Facts")), _facts(description, language)),
        _citing(release, language),
        f"<footer>{put(footer)}</footer>",
    )
    return "\n".join(part for part in parts if part)


def _are_its_districts(release: Published, regions: Listed) -> bool:
    """Tell whether regions are the districts that the map shows already."""
    counts = release.total.counts
    return _of_districts(release) and np.array_equal(regions.answers[0].estimate, counts)


def _of_districts(release: Published) -> bool:
    return isinstance(release.cells, DistrictCells)


def _in_languages(spoken: Sequence[Language], title: str, bodies: Sequence[str]) -> str:
    """Return the page in all languages, and the script that puts it into one of them.

    A line that stands in the page as it is opened, such as a picture, is given by its number.
    """
    places = {line: place for place, line in enumerate(bodies[0].split("\n"))}
    texts = [
        {
            "code": language.code,
            "choice": language.say(Phrase("Language")),
            "title": language.say(title),
            "lines": [places.get(line, line) for line in body.split("\n")],
        }
        for language, body in zip(spoken, bodies)
    ]
    packed = packed_bytes(json.dumps(texts, ensure_ascii=False).encode())
    return (
        f'<script type="application/json" id="languages">"{packed}"</script>\n'
        f"<script>{part('languages.js')}</script>"
    )


_EPSILON = "ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
"""Words that a heading keeps on one line with the number after them."""


def _heading(release: Published, language: Language) -> str:
    """Return the publisher's title and what goes with it, or what the map is."""
    about, put = release.about, language.html
    shown = joined(", ", [map_subject(release), protected_words(release)])
    cells: str = Phrase("In {1}.", cells_in_words(release.cells))

    def heading(given: str | None, words: str) -> str:
        return put(given) if given else put(words).replace("ε = ", _EPSILON)

    lead = Phrase("{1}. {2}", shown, cells) if about.title else cells
    lines = [f"<h1>{heading(about.title, shown)}</h1>"]
    lines.append(f'<p class="lead">{heading(about.subject, lead)}</p>')
    words = [
        put(Phrase("{1}: {2}", LABELS[name], text))
        for name, text in about.given.items()
        if name not in ("title", "subject")
    ]
    if words:
        lines.append(f'<p class="said">{" · ".join(words)}</p>')
    return "\n".join(lines)


def _folded(head: str, text: str) -> str:
    return f"<details>\n<summary>{head}</summary>\n{text}\n</details>"


def _sentences(language: Language, *texts: str) -> str:
    """Return sentences one after another, for a page."""
    return " ".join(map(language.html, texts))


def _paragraph(language: Language, *texts: str) -> str:
    return f"<p>{_sentences(language, *texts)}</p>"


def _districts(release: Published, regions: Listed, picture: str, language: Language) -> str:
    """Return the table of regions, to be sorted, and their map."""
    put, answers = language.html, regions.answers[0]
    shown = {"estimate": release.method.quantity.many, **_LIMITS}
    columns = [[(value, _rounded) for value in getattr(answers, name).tolist()] for name in shown]
    words: list[str] = [*shown.values()]
    for name, numbers in _amounts(release, answers):
        words += [name, *_LIMITS.values()]
        columns += [[(value, _exactly) for value in column] for column in numbers.T.tolist()]
    heads = "".join(f'<th class="n">{put(word)}</th>' for word in words)
    lines = []
    for number, (label, *values) in enumerate(zip(regions.labels, *columns)):
        cells = "".join(_number_cell(value, write, language) for value, write in values)
        lines.append(f'<tr data-region="{number}"><td>{escape(label)}</td>{cells}</tr>')
    rows = "\n".join(lines)
    figure = f"\n<figure>{picture}</figure>" if picture else ""
    head = Phrase("Regions, all groups together" if release.groups else "Regions")
    caption = Phrase(
        "19 of 20 of these intervals hold the true number, as it would be without noise."
    )
    first = put(Phrase("region"))
    return (
        f"<h2>{put(head)}</h2>\n<p>{put(caption)}</p>\n"
        f'<div class="wide"><table id="districts"><thead><tr><th>{first}</th>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>{figure}"
    )


def _amounts(release: Published, answers: Answers) -> list[tuple[str, Floats]]:
    """Return what is known of an amount, if there is one: words for it, and rounded numbers.

    A row has a sum, or a mean, and the ends of its interval.
    """
    amount = release.method.amount
    if amount is None:
        return []
    return [
        (mean_words(amount), with_ends(answers, "mean")),
        (sum_words(amount), with_ends(answers, "sum")),
    ]


def _example(release: Published, regions: Listed | None, language: Language) -> str:
    """Say in a sentence how a number is read: of a region in the middle of all, or of the map."""
    where: str = Phrase("The whole map")
    answers, place = release.total.overall, 0
    if regions is not None:
        listed = regions.answers[0]
        clear = np.flatnonzero(listed.estimate > 2 * listed.std_error)
        if len(clear):
            rising = clear[np.argsort(listed.estimate[clear], kind="stable")]
            place = int(rising[len(rising) // 2])
            where, answers = regions.labels[place], listed
    estimate, low, high = (
        _rounded(float(values[place]))
        for values in (answers.estimate, answers.ci_low, answers.ci_high)
    )
    quantity = release.method.quantity
    things = quantity.one if estimate == "1" else quantity.many
    if quantity.things == "visitors" and answers is not (regions and regions.answers[0]):
        things = Phrase("visits")  # a person counts in several cells
    put = language.html
    example = [
        Phrase(
            "{1}: about {2} {3}, very likely between {4} and {5}.",
            *(where, estimate, things, low, high),
        )
    ]
    for words, numbers in _amounts(release, answers):
        shown, *ends = numbers[place].tolist()
        known = [_exactly(number) for number in (shown, *ends)]
        sentence = Phrase(
            "{1}: about {2}, very likely between {3} and {4}.", capital(words), *known
        )
        example.append(sentence if shown == shown else Phrase("{1}: not known.", capital(words)))
    return (
        f'<p class="example">{put(Phrase("Read a number like this."))} '
        f"<b>{_sentences(language, *example)}</b> "
        f"{put(Phrase('Of such intervals, 19 of 20 hold the true number.'))}</p>"
    )


def _groups(release: Published, language: Language) -> str:
    """Return how many records each group has, and all of them together."""
    if not release.groups:
        return ""
    extent = [release.domain.bounds]
    maps = [*release.maps.items(), (Phrase("all groups"), release.total)]
    rows = [(name, *_with_error(release, one.query(extent))) for name, one in maps]
    head: list[str] = [Phrase("group"), release.method.quantity.many, Phrase("error (95 %)")]
    for words, _ in _amounts(release, release.total.overall):
        head += [words, *_LIMITS.values()]
    sentences = (
        Phrase("Every record is in one group, so all of them together cost the ε of one."),
        Phrase("Each has its own noise, and the total has that of all of them."),
    )
    return (
        f"<h2>{language.html(Phrase('Groups'))}</h2>\n{_paragraph(language, *sentences)}\n"
        + table(head, rows, numbers=True, language=language)
    )


def _with_error(release: Published, answers: Answers) -> list[str]:
    reach = float(answers.ci_high[0] - answers.ci_low[0]) / 2
    row: list[str] = [_rounded(float(answers.estimate[0])), Phrase("± {1}", significant(reach))]
    for _, numbers in _amounts(release, answers):
        row += [_exactly(value) if value == value else "–" for value in numbers[0].tolist()]
    return row


def _rounded(value: float) -> Number:
    """Write the nearest whole number; none is written as −0."""
    return Number(f"{round(value):,}".replace("-", "−"))


def _exactly(value: float) -> Number:
    """Write a number that is rounded already."""
    return Number(f"{value:,.10g}".replace("-", "−"))


def _districts_by_group(release: Published, regions: Listed, language: Language) -> str:
    """Write regions in rows and groups in columns, each count with its reach."""
    if not 0 < len(release.groups) <= _MOST_COLUMNS:
        return ""
    columns = []
    for answers in regions.answers[1:]:
        reach = ((answers.ci_high - answers.ci_low) / 2).tolist()
        columns.append(
            [
                Phrase("{1} ± {2}", _rounded(count), significant(far)) if far == far else "–"
                for count, far in zip(answers.estimate.tolist(), reach)
            ]
        )
    head = (Phrase("region"), *release.groups)
    rows = zip(regions.labels, *columns)
    return f"<h2>{language.html(Phrase('Regions by group'))}</h2>\n" + table(
        head, rows, numbers=True, language=language
    )


def _number_cell(value: float, write: Callable[[float], Number], language: Language) -> str:
    if not math.isfinite(value):
        return '<td class="n" data-value="">–</td>'
    return f'<td class="n" data-value="{value:.6g}">{language.html(write(value))}</td>'


def table(
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    numbers: bool = False,
    language: Language = ENGLISH,
) -> str:
    r"""Make an HTML table; with ``numbers`` all columns but the first are set flush right.

    Examples
    --------
    >>> table(["a"], [["<b>"]])
    '<div class="wide"><table>\n<tr><th>a</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table></div>'
    """

    def line(tag: str, cells: Iterable[str]) -> str:
        kinds = (' class="n"' if numbers and place else "" for place in range(99))
        inner = "".join(
            f"<{tag}{kind}>{language.html(cell)}</{tag}>" for cell, kind in zip(cells, kinds)
        )
        return f"<tr>{inner}</tr>"

    lines = [line("th", head)] if head else []
    lines += [line("td", row) for row in rows]
    return "\n".join(['<div class="wide"><table>', *lines, "</table></div>"])


def promise_in_words(release: Published, language: Language = ENGLISH) -> str:
    """Return the promise, for people first and then to the letter."""
    plain = _plain_promise(release, language)
    return plain if release.seeded else f"{plain}\n<p>{language.html(release.promise)}</p>"


def _plain_promise(release: Published, language: Language) -> str:
    """Return the promise for people, set apart, or that there is none."""
    if release.seeded:
        return boxed(language.html(release.promise), seeded=True)
    factor = significant(math.exp(min(float(release.epsilon), 700.0)))
    plain = joined(
        " ",
        [
            Phrase(_PLAIN[release.method.unit.kind], factor),
            Phrase("This holds whatever else the reader knows."),
        ],
    )
    return boxed(language.html(plain), seeded=False)


_PLAIN = {
    "record": "Whether or not any one record was among the data, no conclusion drawn from this map "
    "becomes more than {1} times as likely, nor less likely by more than that factor.",
    "feature": "Whether or not any one feature was among the data, no conclusion drawn from this "
    "map becomes more than {1} times as likely, nor less likely by more than that factor.",
    "person": "Whether or not any one person was among the data, no conclusion drawn from this map "
    "becomes more than {1} times as likely, nor less likely by more than that factor.",
}
"""The promise for people, by what it is about."""


def boxed(words: str, seeded: bool) -> str:
    """Set a promise apart, and more so where there is none."""
    return f'<p class="{"alarm" if seeded else "promise"}">{words}</p>'


def _reading(release: Published, language: Language) -> str:
    put, cap = language.html, cap_text(release.method)
    count = Phrase("true count")
    if cap:
        count = Phrase("true count ({1})", cap)
    typical = Number(f"{_deviation(release):,.1f}"), release.method.quantity.many
    first = _sentences(
        language,
        *_shown(release, count),
        Phrase(
            "The size of the noise is known: it is typically about {1} {2} up or down.", *typical
        ),
    )
    negative = put(Phrase("Some counts are negative."))
    why = _sentences(
        language,
        Phrase("That is no mistake."),
        Phrase("Where there are few records or none, noise goes below zero as often as above it."),
        Phrase(
            "Leave negative counts as they are when you add districts up: highs and lows then "
            "cancel."
            if _of_districts(release)
            else "Leave negative counts as they are when you add cells up: highs and lows then "
            "cancel."
        ),
        Phrase("Setting them to zero would make every sum too large."),
    )
    colours = _paragraph(
        language,
        Phrase(
            "The colours are a best guess for the eye, made from these counts: it is never "
            "negative, and it is no number to add up."
        ),
        Phrase(
            "The lightest districts ({1}) hold a small part of all records together, or none."
            if _of_districts(release)
            else "The lightest cells ({1}) hold a small part of all records together, or none.",
            release.legend.calm,
        ),
    )
    text = f"<p>{first} <b>{negative}</b> {why}</p>"
    return f"<h2>{put(Phrase('How to read it'))}</h2>\n{text}\n{colours}"


def _shown(release: Published, count: str) -> list[Phrase]:
    """Say what the number of a cell is made of."""
    if _of_districts(release):
        return [Phrase("Every district shows its {1} plus random noise.", count)]
    if release.cells.tree is None:
        return [Phrase("Every cell shows its {1} plus random noise.", count)]
    return [
        Phrase("Every cell shows an estimate of its {1}.", count),
        Phrase(
            "It is made from noisy counts of the cell itself, of the cells around it and of larger "
            "cells."
        ),
    ]


def _deviation(release: Published) -> float:
    return float(np.sqrt(np.median(release.first.variance)))


def expected_errors(release: Published) -> list[tuple[str, str, str, str]]:
    """Compute errors to expect from the noise: squares of cells, and the whole domain.

    Returns
    -------
    list of tuple
        Region, its area, its share of the domain, and the reach of a 95 % interval, as text.
    """
    rows: list[tuple[str, str, str, str]] = []
    for name, box in examples(release.cells):
        reach = release.first.query([box])
        area = (box[2] - box[0]) * (box[3] - box[1])
        spread = float(reach.ci_high[0] - reach.ci_low[0]) / 2
        share = Phrase("{1} %", significant(100 * area / release.domain.area))
        rows.append((name, _area(area, release), share, Phrase("± {1}", significant(spread))))
    return rows


def _area(area: float, release: Published) -> Phrase:
    crs = release.domain.crs
    if crs.geographic:
        return Phrase("(degrees)")
    metres = area * crs.metres_per_unit**2
    if metres >= 1e4:
        return Phrase("{1} km²", significant(metres / 1e6))
    return Phrase("{1} m²", significant(metres))


def _errors(release: Published, language: Language) -> str:
    head = (
        Phrase("region"),
        Phrase("area"),
        Phrase("of the map"),
        Phrase("error of its sum (95 %)"),
    )
    cap = cap_text(release.method)
    close = Phrase("19 of 20 sums are closer to the true sum than this.")
    if cap:
        close = Phrase(
            "19 of 20 sums are closer to the true sum, which counts {1}, than this.", cap
        )
    caption = _paragraph(
        language,
        Phrase("These errors come from the noise."),
        close,
        *_border_words(release),
        Phrase("Answers that geodp gives for regions include it."),
    )
    rows = table(head, expected_errors(release), numbers=True, language=language)
    return f"<h2>{language.html(Phrase('What error to expect'))}</h2>\n{rows}\n{caption}"


def _border_words(release: Published) -> list[Phrase]:
    if _of_districts(release):
        cut = Phrase(
            "Regions whose borders cut through districts have one more error, because records are "
            "taken as evenly spread inside a district."
        )
        return [cut]
    return [
        Phrase(
            "Regions whose borders cut through cells have one more error, because records are "
            "taken as evenly spread inside a cell."
        ),
        Phrase("It matters for regions of a few cells or fewer."),
    ]


def _foreseen(release: Published, language: Language) -> str:
    rows = []
    for outlook in foreseen(release):
        words: str = outlook.cells.in_words
        if outlook.cells == release.cells.grid:
            words = Phrase("{1} (chosen)", words)
        errors = map(significant, outlook.noise_error)
        size = cell_size(outlook.cells) if isinstance(outlook.cells, Grid) else ""
        rows.append((words, size, *errors))
    if not rows:
        return ""
    areas = (Phrase("{1} % of the map", Number(f"{100 * area:g}")) for area in AREAS[:-1])
    head = (Phrase("cells"), Phrase("size of a cell"), *areas, Phrase("all of it"))
    caption = _paragraph(
        language,
        Phrase(
            "This was known before anything was spent: the standard error that noise adds to a "
            "count, for each size of cells that could be chosen."
        ),
        Phrase("Small cells add more noise to an area of many cells."),
        Phrase("Large cells add less, but blur more at its border."),
    )
    lines = table(head, rows, numbers=True, language=language)
    return f"<h2>{language.html(Phrase('What was foreseen'))}</h2>\n{lines}\n{caption}"


def _cost(description: Description, language: Language) -> str:
    rows = [(Phrase.of(fact.label), fact.text) for fact in description.about("cost")]
    caption = Phrase(
        "Privacy is spent like money: every look at the records costs some ε, and the costs add up."
    )
    return f"<p>{language.html(caption)}</p>\n" + table((), rows, language=language)


def _facts(description: Description, language: Language) -> str:
    elsewhere = ("promise", "private", "epsilon")  # told further up, in more words
    facts = description.about("promise", "map", "noise", "choice")
    rows = [(Phrase.of(fact.label), fact.text) for fact in facts if fact.key not in elsewhere]
    return table((), rows, language=language)


_PAPER = "End-to-End Differentially-Private Parameter Tuning in Spatial Histograms"


def _citing(release: Published, language: Language) -> str:
    """Say how to cite the data, and the method of choosing the grid where one was chosen."""
    data = Phrase(
        "The data: name whoever released this map, and say “noisy counts made with geodp {1}”.",
        __version__,
    )
    heading = f"<h2>{language.html(Phrase('How to cite'))}</h2>"
    if release.cells.grid is None or len(release.method.candidates) < 2:
        return f"{heading}\n{_paragraph(language, data)}"
    method = Phrase(
        "The method of choosing the grid privately: {1}, {2}, 2017.",
        Phrase("{1} and {2}", "Maryam Fanaeepour", "Benjamin I. P. Rubinstein"),
        _PAPER,
    )
    cited = _paragraph(language, data, method).replace(_PAPER, f"<i>{_PAPER}</i>")
    return f"{heading}\n{cited}"
