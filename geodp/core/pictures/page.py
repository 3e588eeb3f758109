"""Give the map of a report what a close look needs: cells, groups, districts, a script.

All of it comes from the release and from public regions, and stands inside the page. A browser
without scripts shows the picture instead.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..cells.district_tree_cells import DistrictTreeCells
from ..common.language import ENGLISH, Language
from ..common.phrases import Phrase, capital
from ..common.types import Floats
from ..estimates.answers import Answers
from ..estimates.queries import RegionQuery, asked_about
from ..regions.polygons import Polygons
from ..releases.published import Published
from ..releases.release import Release
from ..space.domain import Domain
from ..views.dots import place_dots
from ..views.legend import Legend, hexadecimal
from ..views.means import mean_legend, means_on
from ..views.picture import HARDLY_ANY
from ..views.raster_cells import half_widths
from .drawing import (
    DOT_COLOUR,
    NOWHERE,
    TRUST,
    classes_of_values,
    dot_words,
    dots_per,
    error_legend,
    grey_words,
    greyed,
)

_FULL = 65535
"""Places in the page are whole numbers up to this, across and down the map."""

MOST_CELLS, MOST_NUMBERS = 150_000, 600_000
"""With more cells, or more over all groups, a page would be slow; it then has the picture alone."""

_LAND = 1024
"""Points along the longer side of the picture that tells land from sea."""

_MOST_SHAPES, _MOST_CORNERS = 5_000, 300_000
"""The same for cells that are polygons, and for all their corners."""

_STEP = 16
"""Corners of such cells are rounded to so many places of the page, which nobody sees."""

_WORDS = {
    "told": "{1}: about {2} {3}, very likely between {4} and {5}.",
    "mean": "{1}: about {2}, very likely between {3} and {4}.",
    "unknown": "{1}: not known.",
    "outside": "{1}: outside the map.",
    "cell": "This cell ({1} × {2} {3})",
    "nowhere": "No records can be here.",
    "map": "map",
    "label": "Map of counts. Arrow keys go from cell to cell, plus and minus zoom, 0 shows the "
    "whole map.",
    "hint": "Point at the map, or go over it with the arrow keys, to read what is there.",
    "tools": "Map",
    "group": "Group",
    "closer": "Closer",
    "farther": "Farther",
    "whole": "Whole map",
}
"""What the script says; it fills the blanks itself."""

DETAIL = 1000
"""Outlines are simplified to such a part of the map, which nobody sees."""


class Listed(NamedTuple):
    """Regions that a page lists.

    Attributes
    ----------
    labels : list of str
        What they are called.
    answers : list of Answers
        What each of :func:`shown_groups` answers for them; NaN outside the domain.
    rings : list of list of ndarray
        Outlines of each, as coordinates in the CRS of the domain.
    areas : ndarray
        Their areas inside the domain, in square kilometres; NaN outside.
    """

    labels: list[str]
    answers: list[Answers]
    rings: list[list[Floats]]
    areas: Floats


def part(name: str) -> str:
    """Return text of a file that goes into every page."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def shown_groups(release: Published) -> list[tuple[str, Release]]:
    """List what the map shows by turns: the total and each group, or a release by itself."""
    if not release.groups:
        return [("", release.total)]
    return [(Phrase("All groups together"), release.total), *release.maps.items()]


def list_regions(
    shown: list[tuple[str, Release]],
    asked: RegionQuery,
    names: Sequence[Any] | None,
    rings: list[list[Floats]],
) -> Listed:
    """Ask all groups about regions.

    Parameters
    ----------
    shown : list of tuple
        From :func:`shown_groups`.
    asked : RegionQuery
        The regions.
    names : sequence, optional
        Their names; where there is none, a region is called by its number.
    rings : list of list of ndarray
        Their outlines.
    """
    plain = asked._replace(layer=None)
    given = [None] * asked.listed if names is None else names
    labels = [
        str(number if name is None or name != name else name)
        for number, name in enumerate(given, start=1)
    ]
    areas = np.full(asked.listed, np.nan)
    if asked.workload is not None:
        unit = asked.workload.domain.crs.metres_per_unit / 1000
        areas[asked.rows] = asked.workload.inside * unit**2
    return Listed(labels, [one.query(plain) for _, one in shown], rings, areas)


def naming(columns: list[str]) -> str | None:
    """Choose the column of text that names the regions of a layer, if there is any.

    Examples
    --------
    >>> naming(["code", "Name_EN"]), naming([])
    ('Name_EN', None)
    """
    return min(columns, key=lambda column: "name" not in column.lower(), default=None)


def districts_as_regions(release: Published) -> Listed | None:
    """Return the districts of a release as regions to list; None where cells are others, or many.

    Of cells inside of districts these are listed, and where there are levels the units of all.

    Parameters
    ----------
    release : Release
        What was published.
    """
    cells = release.cells
    if isinstance(cells, DistrictTreeCells):
        if len(cells.districts) > _MOST_SHAPES:
            return None
        regions, names = cells.unit_regions()
    elif cells.levels is None or cells.polygons is None:
        return None
    else:
        regions, names = cells.as_regions(), cells.attributes()["district"].tolist()
    if len(names) > _MOST_SHAPES:
        return None
    assert regions.polygons is not None
    asked = asked_about(regions, release.domain)
    return list_regions(shown_groups(release), asked, names, _rings(regions.polygons))


def _rings(polygons: Polygons) -> list[list[Floats]]:
    """Return outlines of polygons."""
    starts = np.flatnonzero(np.diff(polygons.ring, prepend=-1))
    rings: list[list[Floats]] = [[] for _ in range(polygons.count)]
    for owner, ring in zip(polygons.owner[starts], np.split(polygons.edges[:, :2], starts[1:])):
        rings[owner].append(ring)
    return rings


def explorer_html(
    shown: list[tuple[str, Release]],
    regions: Listed | None = None,
    legend: Legend | None = None,
    lines: Sequence[Floats] = (),
    languages: Sequence[Language] = (ENGLISH,),
) -> str:
    """Return the data and the script of the map; nothing where there are too many cells.

    Parameters
    ----------
    shown : list of tuple
        From :func:`shown_groups`.
    regions : Listed, optional
        What each of them answered for some regions.
    legend : Legend, optional
        Classes that all groups share.
    lines : sequence of ndarray
        Public outlines inside the domain, as coordinates in its CRS.
    languages : sequence of Language
        What its words can be in.
    """
    cells = shown[0][1].cells
    number, polygons = len(cells), cells.polygons
    if number > MOST_CELLS or number * len(shown) > MOST_NUMBERS:
        return ""
    if polygons is not None and (number > _MOST_SHAPES or len(polygons.ring) > _MOST_CORNERS):
        return ""
    data = _data(shown, regions, legend)
    worded = {name: data[name] for name in ("groups", "mean", "unit", "things")}
    data["spoken"] = {
        language.code: {
            **_translated(worded, language),
            "words": {name: language.template(words) for name, words in _WORDS.items()},
            "signs": dict(language.signs),
        }
        for language in languages
    }
    data["lines"] = [_placed(line, cells.domain).ravel().tolist() for line in lines]
    # No name of a region can end the script that holds it.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<script type="application/json" id="cells">{text}</script>\n'
        f"<script>{part('page.js')}</script>"
    )


def _data(
    shown: list[tuple[str, Release]],
    regions: Listed | None,
    legend: Legend | None,
) -> dict[str, Any]:
    release = shown[0][1]
    # All groups together have more records than any of them.
    legends = {name: legend or one.legend for name, one in shown} | {shown[0][0]: release.legend}
    domain, quantity = release.domain, release.method.quantity
    means = None if release.amounts is None else mean_legend([one for _, one in shown])
    # Noise may leave less of all groups together than of one of them.
    per = max(dots_per(one) for _, one in shown)
    boxes, shapes = release.cells.bounds, release.cells.polygons is not None
    asked = None if shapes else asked_about(boxes, domain)
    kilometres = 1.0 if domain.crs.geographic else domain.crs.metres_per_unit / 1000
    return {
        "count": len(boxes),
        "boxes": _packed(_placed(boxes.reshape(-1, 2), domain).reshape(-1, 4)[:, [0, 3, 2, 1]]),
        "groups": [_group(name, one, (legends[name], means), asked, per) for name, one in shown],
        "mean": "" if means is None else capital(means.words),
        "shapes": _shapes(release.cells) if shapes else None,
        "regions": [] if regions is None else _regions(domain, regions),
        "nowhere": _nowhere(domain),
        "nothing": NOWHERE,
        "width": domain.width * kilometres,
        "height": domain.height * kilometres,
        "unit": Phrase("degrees") if domain.crs.geographic else "km",
        "things": [quantity.one, quantity.many],
        "words": {},
    }


def _translated(data: Any, language: Language) -> Any:
    """Return the phrases of some data in a language, each at its place; nothing of all else."""
    if isinstance(data, Phrase):
        return language.say(data)
    if isinstance(data, dict):
        parts = ((key, _translated(value, language)) for key, value in data.items())
    elif isinstance(data, list):
        parts = ((place, _translated(value, language)) for place, value in enumerate(data))
    else:
        return None
    return {key: part for key, part in parts if part}


def _shapes(cells: Cells) -> list[dict[str, Any]]:
    """Return names and outlines of cells that are polygons, as fine as they are seen."""
    names = cells.attributes().get("district")
    shapes = []
    assert cells.polygons is not None
    for number, rings in enumerate(_rings(cells.polygons)):
        placed = []
        for ring in rings:
            corners = _placed(ring, cells.domain).astype(np.int64) // _STEP * _STEP
            moved = np.any(corners != np.roll(corners, 1, axis=0), axis=1)
            placed.append(corners[moved].ravel().tolist())
        name = "" if names is None else str(names[number])
        shapes.append({"name": name, "rings": [ring for ring in placed if len(ring) > 4]})
    return shapes


def _group(
    name: str,
    release: Release,
    legends: tuple[Legend, Legend | None],
    asked: RegionQuery | None,
    per: int,
) -> dict[str, Any]:
    """Return numbers of all cells, and the ways to look at them: one more where there are means."""
    if asked is None:  # polygons: each is whole, so that noise is all of the error
        estimate, error = release.counts.astype(np.float64), np.sqrt(release.variance)
        reach = half_widths(release, release.cells, release.variance)
        numbers = np.stack([estimate, estimate - reach, estimate + reach], axis=1)
    else:
        answers = release.query(asked)
        estimate, error = answers.estimate, answers.std_error
        numbers = np.stack([estimate, answers.ci_low, answers.ci_high], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(estimate > 0, error / estimate, np.inf)
    legend, of_means = legends
    views = [
        _counts(release, legend),
        _trust(relative),
        _dots(release, per),
    ]
    group = {"name": name, "numbers": _packed(_rounded(numbers)), "views": views}
    if of_means is None:
        return group
    means = means_on(release, release.cells)
    known = np.isfinite(means.mean)
    which = np.where(known, classes_of_values(of_means, means.mean), len(of_means.classes))
    unknown = greyed(of_means, grey_words("mean", None))
    views.insert(1, _view(capital(of_means.words), which, unknown))
    return {**group, "means": _packed(with_ends(means, "mean").astype("<f4"))}


def with_ends(answers: Any, name: str) -> Floats:
    """Return sums or means with the ends of their intervals, in rows, rounded by their width.

    Examples
    --------
    >>> from geodp.core.estimates.ratios import Sums
    >>> interval = [np.array([each]) for each in (13_890.4, 13_124.7, 14_639.2)]
    >>> with_ends(Sums(*interval, *interval), "mean").tolist()
    [[13890.0, 13120.0, 14640.0]]
    """
    values = np.stack([getattr(answers, name + end) for end in ("", "_low", "_high")], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log10(values[:, 2] - values[:, 1])) - 2
    unit = 10.0 ** np.where(np.isfinite(power), power, 0)[:, None]
    return np.asarray(np.rint(values / unit) * unit)


def _rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Round to four significant digits, one more than the page shows: they take less room."""
    with np.errstate(divide="ignore"):
        power = np.floor(np.log10(np.abs(values)))
    unit = 10.0 ** (np.where(np.isfinite(power), power, 0) - 3)
    return (np.rint(values / unit) * unit).astype("<f4")


def _nowhere(domain: Domain) -> dict[str, Any] | None:
    """Return where no records can be, as bits of a picture."""
    within = domain.within
    if within is None:
        return None
    step = max(1.0, max(within.shape) / _LAND)
    places = [
        ((np.arange(int(size / step)) + 0.5) * size / int(size / step)).astype(int)
        for size in within.shape
    ]
    empty = within.weights[np.ix_(*places)] == 0
    rows, columns = empty.shape
    return {
        "rows": rows,
        "columns": columns,
        "bits": _packed(np.packbits(empty)),
        "colour": NOWHERE,
    }


def _packed(values: npt.NDArray[Any]) -> str:
    return packed_bytes(np.ascontiguousarray(values).tobytes())


def packed_bytes(values: bytes) -> str:
    """Return bytes as short text that a script unpacks."""
    return base64.b64encode(zlib.compress(values, 9)).decode()


def _placed(points: npt.NDArray[np.float64], domain: Domain) -> npt.NDArray[np.uint16]:
    """Return coordinates as whole numbers from the north-west corner of the map."""
    xmin, _, _, ymax = domain.bounds
    x, y = (points[:, 0] - xmin) / domain.width, (ymax - points[:, 1]) / domain.height
    return np.rint(np.clip(np.stack([x, y], axis=1), 0, 1) * _FULL).astype("<u2")


def _counts(release: Release, legend: Legend) -> dict[str, Any]:
    which = classes_of_values(legend, release.drawn)
    return _view(capital(legend.words), which, legend)


def _dots(release: Release, per: int) -> dict[str, Any]:
    """Return points at random inside the cells, on cells without colours."""
    dots = place_dots(release, per=per, seed=0)
    words = dot_words(release, per)
    label = Phrase("{1}, placed at random inside cells; none is a real place", words)
    return {
        "name": Phrase("Dots"),
        "classes": _packed(np.zeros(len(release.cells), dtype=np.uint8)),
        "legend": [{"colour": DOT_COLOUR, "label": label, "occurs": True}],
        "ground": hexadecimal(HARDLY_ANY),
        "dots": _packed(_placed(np.stack([dots.x, dots.y], axis=1), release.domain)),
    }


def _trust(relative: npt.NDArray[np.float64]) -> dict[str, Any]:
    name, which = Phrase("How far to trust it"), np.searchsorted(TRUST, relative)
    return _view(name, which, error_legend())


def _view(name: str, which: npt.NDArray[Any], legend: Legend) -> dict[str, Any]:
    occurring = set(np.unique(which).tolist())
    entries = [
        {
            "colour": hexadecimal(class_.colour),
            "label": class_.label,
            "occurs": number in occurring,
        }
        for number, class_ in enumerate(legend.classes)
    ]
    classes = _packed(which.astype(np.uint8))
    return {"name": name, "classes": classes, "legend": entries}


def _regions(domain: Domain, regions: Listed) -> list[dict[str, Any]]:
    numbers = [np.stack([a.estimate, a.ci_low, a.ci_high], axis=1) for a in regions.answers]
    means = [with_ends(a, "mean") for a in regions.answers if hasattr(a, "mean")]
    listed = []
    for place, (label, rings) in enumerate(zip(regions.labels, regions.rings)):
        placed = [_placed(_cut(ring, domain), domain) for ring in rings]
        values = [number[place] for number in numbers]
        listed.append(
            {
                "name": label,
                "numbers": [
                    np.round(value, 3).tolist() if np.isfinite(value).all() else None
                    for value in values
                ],
                "means": [
                    mean[place].tolist() if np.isfinite(mean[place]).all() else None
                    for mean in means
                ],
                "rings": [ring.ravel().tolist() for ring in placed if len(ring) > 2],
            }
        )
    return listed


def _cut(ring: Floats, domain: Domain) -> Floats:
    """Return what a ring bounds inside the domain; sides outside lie on the domain's edge."""
    xmin, ymin, xmax, ymax = domain.bounds
    ring = ring[np.isfinite(ring).all(axis=1)]
    for axis, sign, edge in ((0, 1, xmin), (0, -1, xmax), (1, 1, ymin), (1, -1, ymax)):
        far = sign * (ring[:, axis] - edge)  # distance from this side, negative outside
        inside = far >= 0
        if inside.all():
            continue
        following, next_far = np.roll(ring, -1, axis=0), np.roll(far, -1)
        crosses = inside != (next_far >= 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = ring + (far / (far - next_far))[:, None] * (following - ring)
        crossing[:, axis] = edge
        ring = np.stack([ring, crossing], axis=1)[np.stack([inside, crosses], axis=1)]
    return ring
