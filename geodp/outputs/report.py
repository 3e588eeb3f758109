"""One page that explains a release to whoever receives it.

The page stands alone: picture and style are inside, and it needs neither network nor script.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ..core.atomic import check_target, known_suffix, write_bytes
from ..core.describe import Description, cap_of, title_of
from ..core.errors import GeodpError
from ..core.release import PathLike, Release
from ..core.version import __version__
from ..core.wording import significant
from .plot import png

SUFFIXES = (".html", ".htm")

_STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; color: #222; max-width: 54rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin-bottom: .4rem; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; }
img { width: 100%; height: auto; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { text-align: left; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid #ddd;
         vertical-align: top; }
td.n, th.n { text-align: right; }
td.n { white-space: nowrap; }
.promise { background: #eef4f8; border-left: 4px solid #2166ac; padding: .7rem 1rem; }
.alarm { background: #fdecea; border-left: 4px solid #b10026; padding: .7rem 1rem; }
footer { margin-top: 2.5rem; color: #666; font-size: .85rem; }
"""


def to_report(
    release: Release, path: PathLike, *, boundary: Any = None, overwrite: bool = False
) -> None:
    """Write the report of a release. See :meth:`geodp.Release.to_report`."""
    target = Path(path)
    known_suffix(target, SUFFIXES)
    check_target(target, overwrite=overwrite)
    write_bytes(target, html_of(release, boundary=boundary).encode())


def html_of(release: Release, *, boundary: Any = None) -> str:
    """Return the report as text."""
    found = release.describe()
    picture = base64.b64encode(png(release, boundary=boundary)).decode("ascii")
    parts = (
        f"<h1>A private map in {release.cells.in_words}</h1>",
        _promise(release),
        f"<p>{escape(release.counted)}</p>",
        f'<img alt="{escape(title_of(release))}" src="data:image/png;base64,{picture}">',
        _reading(release),
        _errors(release),
        _cost(found),
        _facts(found),
        _CITING,
    )
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>geodp report: {escape(title_of(release))}</title>\n<style>{_STYLE}</style>\n"
        f"</head>\n<body>\n{body}\n"
        f"<footer>Made by geodp {escape(__version__)} from the release alone; the points were not "
        "consulted.</footer>\n</body>\n</html>\n"
    )


def card_of(release: Release) -> str:
    """Return a release as a notebook shows it: its map and its promise."""
    try:
        picture = base64.b64encode(png(release, dpi=80)).decode("ascii")
        shown = f'<img alt="{escape(title_of(release))}" src="data:image/png;base64,{picture}">'
    except GeodpError:  # without matplotlib there is still something to say
        shown = f"<p><b>{escape(title_of(release))}</b></p>"
    return f"<div>\n{shown}\n{_promise(release)}\n<p>{escape(release.counted)}</p>\n</div>"


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: bool = False) -> str:
    r"""Make an HTML table; with ``numbers`` all columns but the first are set flush right.

    Examples
    --------
    >>> table(["a"], [["<b>"]])
    '<table>\n<tr><th>a</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table>'
    """

    def line(tag: str, cells: Iterable[str]) -> str:
        kinds = (' class="n"' if numbers and place else "" for place in range(99))
        inner = "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds))
        return f"<tr>{inner}</tr>"

    lines = [line("th", head)] if head else []
    lines += [line("td", row) for row in rows]
    return "\n".join(["<table>", *lines, "</table>"])


def _promise(release: Release) -> str:
    kind = "alarm" if release.seeded else "promise"
    if release.seeded:
        return f'<p class="{kind}">{escape(release.promise)}</p>'
    factor = math.exp(min(float(release.epsilon), 700.0))
    plain = (
        f"Whether or not any one {release.method.unit.kind} was among the data, no conclusion "
        f"drawn from this map becomes more than {significant(factor)} times as likely, nor less "
        "likely by more than that factor. This holds whatever else the reader knows."
    )
    return f'<p class="{kind}">{plain}</p>\n<p>{escape(release.promise)}</p>'


def _reading(release: Release) -> str:
    legend, cap = release.legend, cap_of(release.method)
    count = f"true count ({cap})" if cap else "true count"
    return (
        f"<h2>How to read it</h2>\n<p>{release.cells.reading.format(count)} of a known "
        f"size, typically about {_deviation(release):,.1f} records up or down. <b>Some counts are "
        "negative.</b> That is no mistake: where few or no records are, noise goes below zero as "
        "often as above it. Leave negative counts as they are when you add cells up, because "
        "highs and lows cancel; setting them to zero would make every sum too large. "
        f"Cells of {legend.calm} are drawn almost white: a single one of them says "
        "little. Look at groups of cells instead.</p>"
    )


def _deviation(release: Release) -> float:
    return float(np.sqrt(np.median(release.variance[release.cells.supported])))


def expected_errors(release: Release) -> list[tuple[str, str, str, str]]:
    """Errors to expect from the noise: squares of whole cells, and the whole domain.

    Returns
    -------
    list of tuple
        Region, its area, its share of the domain, and the reach of a 95 % interval, as text.
    """
    found = []
    for name, box in release.cells.examples():
        reach = release.query([box])
        area = (box[2] - box[0]) * (box[3] - box[1])
        spread = float(reach.ci_high[0] - reach.ci_low[0]) / 2
        share = f"{significant(100 * area / release.domain.area)} %"
        found.append((name, _area(area, release), share, f"± {significant(spread)}"))
    return found


def _area(area: float, release: Release) -> str:
    crs = release.domain.crs
    if crs.geographic:
        return "(degrees)"
    metres = area * crs.metres_per_unit**2
    return f"{significant(metres / 1e6)} km²" if metres >= 1e4 else f"{significant(metres)} m²"


def _errors(release: Release) -> str:
    head = ("region", "area", "of the map", "error of its sum (95 %)")
    cap = cap_of(release.method)
    truth = f"the true sum, which counts {cap}," if cap else "the true sum"
    return (
        "<h2>What error to expect</h2>\n"
        + table(head, expected_errors(release), numbers=True)
        + "\n<p>These errors come from the noise, which is public: 19 of 20 sums are closer to "
        f"{truth} than this. Regions that cut through cells have one more error, because records "
        "are taken as evenly spread inside a cell. It matters for regions of a few cells or fewer; "
        "answers that geodp gives for regions state it with the rest.</p>"
    )


def _cost(found: Description) -> str:
    rows = [(fact.label, fact.text) for fact in found.about("cost")]
    return (
        "<h2>What it cost</h2>\n<p>Privacy is spent like money: every look at the records costs "
        "some ε, and the costs add up.</p>\n" + table((), rows)
    )


def _facts(found: Description) -> str:
    told = ("promise", "private", "epsilon")  # further up, and in more words
    facts = found.about("promise", "map", "noise", "choice")
    rows = [(fact.label, fact.text) for fact in facts if fact.key not in told]
    return "<h2>Facts</h2>\n" + table((), rows)


_CITING = (
    "<h2>How to cite</h2>\n<p>The data: name whoever released this map, and say “noisy counts made "
    f"with geodp {escape(__version__)}”. The method of choosing the grid privately: Maryam "
    "Fanaeepour and Benjamin I. P. Rubinstein, <i>End-to-End Differentially-Private Parameter "
    "Tuning in Spatial Histograms</i>, 2017.</p>"
)
