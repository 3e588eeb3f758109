"""Work out what a picture shows and says: words, values of cells, their classes and pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..cells.cells import Cells
from ..common.phrases import Number, Phrase, capital, joined, uncapital
from ..common.types import Bools, Floats, Ints
from ..estimates.answers import stands_above
from ..publish.reopen import raster_rows
from ..publish.views import signed_legend
from ..releases.about import About
from ..releases.cell_words import cells_in_words
from ..releases.describe import cap_text, epsilon_text
from ..releases.published import Published
from ..releases.release import Release
from ..space.grid import Grid
from ..views.best_guess import estimated_total
from ..views.dots import dot_value
from ..views.legend import Class, Legend
from ..views.means import mean_legend, means_on, percentages_on, share_legend
from ..views.picture import drawn_density
from ..views.raster_cells import half_widths, values_on
from ..views.smooth import smooth_window, smoothed

Edges = tuple[float, float, float, float]

INK = "#333333"
"""Colour of text and lines."""

DOT_COLOUR = "#7a0a2f"
"""Colour of dots."""

NOWHERE = "#e9edf0"
"""Where no records can be: unlike the white of counts around zero."""

TRUST = (0.2, 0.5, 1.0)
"""Limits of relative errors by which cells are told apart."""

TRUST_WORDS = (
    Phrase("error below a fifth of the count"),
    Phrase("below half"),
    Phrase("below the count"),
    Phrase("above the count: little is known"),
)

TRUST_COLOURS = ((8, 81, 156), (107, 174, 214), (198, 219, 239), (247, 247, 245))
"""Colours of how far to trust a cell."""

_DOTS = 2048
"""Pixels along the longer side of a picture of a grid, at most."""

_LOCATED = 1024
"""The same where every point must be located among polygons."""


def map_heading(release: Published, view: str = "best") -> str:
    r"""Return the publisher's title, if there is one, and what the map shows.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> map_heading(geodp.release(([], []), town, epsilon=1).with_about(title="Thefts"))
    'Thefts\nRecords per km², protected'
    """
    kept = Phrase("NOT private (seeded)" if release.seeded else "protected")
    words: str = map_subject(release, view)
    words = words if view == "error" else joined(", ", [words, kept])
    about = release.about
    if about.subject and view == "best" and not release.seeded:
        words = about.subject  # the legend says the rest, and the note how they are protected
    return joined("\n", [*filter(None, [about.title]), words])


def map_subject(release: Published, view: str = "best") -> str:
    """Say what a map shows, and of which group or by what.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> map_subject(geodp.release(([], []), town, epsilon=1))
    'Records per km²'
    """
    group, groups = release.method.group, release.method.groups
    words = capital(map_legend(release, view).words)
    if view == "signed":
        words = Phrase("{1} with noise", words)
    elif view == "error":
        words = Phrase("How far to trust each cell")
    elif view == "dots":
        words = Phrase("Where {1} are", release.method.quantity.many)
    if group:
        return Phrase("{1}: {2}", group, uncapital(words))
    if release.groups and groups is not None:
        return Phrase("{1} {2}", words, groups.in_words)
    return words


def map_note(release: Published, view: str = "best") -> str:
    """Say under a map how records are protected, and what the picture is good for.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> print(map_note(release, "signed"))
    Protected with differential privacy, ε = 1 per record; 2 × 2 cells. Noise can go below 0.
    """
    cap, cells = cap_text(release.method), cells_in_words(release.cells)
    promise = Phrase(_KEPT[release.method.unit.kind], epsilon_text(release))
    if release.seeded:
        promise = Phrase("NOT private (seeded)")
    cells = Phrase("{1}, counting {2}", cells, cap) if cap else cells
    note = Phrase(_NOTES[view])
    amount = release.method.amount
    if view == "mean" and amount is not None:
        low, high = amount.bound_numbers
        most = Phrase("{1} {2}", high, amount.label) if amount.label else high
        note = Phrase(_TOTALS if amount.per_person else _NOTES[view], low, most)
    return Phrase("{1}; {2}. {3}", promise, cells, note)


_KEPT = {
    "record": "Protected with differential privacy, ε = {1} per record",
    "feature": "Protected with differential privacy, ε = {1} per feature",
    "person": "Protected with differential privacy, ε = {1} per person",
}
"""How records are protected, by what the promise is about."""


_NOTES = {
    "best": "A best guess for the eye; for sums and comparisons use the counts.",
    "smooth": "Smoothed for the eye, which suggests detail that is not known.",
    "dots": "Dots are placed at random inside cells; none is a real place.",
    "signed": "Noise can go below 0.",
    "error": "Standard error of each cell beside its count.",
    "mean": "Means of amounts that are cut at {1} and {2}.",
    "share": "Shares of noisy counts; grey where there may be no records.",
}
"""What is said of each view."""

_TOTALS = "Means of what people's records add up to, cut at {1} and {2}."
"""The same of means over people."""


def dot_words(release: Published, per: int) -> str:
    """Say what a dot of a map stands for."""
    quantity = release.method.quantity
    things = quantity.one if per == 1 else quantity.many
    return Phrase("one dot: {1} {2}", Number(f"{per:,}"), things)


def dots_per(release: Published) -> int:
    """Return how many records a dot of a map stands for, alike for all groups."""
    return dot_value(sum(max(estimated_total(one)[0], 0.0) for one in release.maps.values()))


def map_legend(release: Published, view: str = "best") -> Legend:
    """Return the classes of a map: of what is drawn, of the signed counts, or of their errors."""
    if view == "signed":
        return signed_legend(release)
    if view == "mean":
        return mean_legend(list(release.maps.values()))
    if view == "share":
        return share_legend(release)
    return error_legend() if view == "error" else release.legend


def error_legend() -> Legend:
    """Return classes of standard errors, as parts of the counts."""
    ends = [-math.inf, *TRUST, math.inf]
    classes = tuple(
        Class(low, high, colour, 1, words=label)
        for low, high, colour, label in zip(ends[:-1], ends[1:], TRUST_COLOURS, TRUST_WORDS)
    )
    return Legend("error", Phrase("error of the count of a cell"), classes)


def source_line(about: About) -> str:
    """Say under a map where records are from, who publishes it, and under which licence.

    Examples
    --------
    >>> from geodp.core.releases.about import About
    >>> source_line(About(source="City police", publisher="Open data office", licence="CC BY 4.0"))
    'Source: City police · Published by Open data office · CC BY 4.0'
    """
    source = about.source and Phrase("Source: {1}", about.source)
    publisher = about.publisher and Phrase("Published by {1}", about.publisher)
    return joined(" · ", filter(None, (source, publisher, about.date, about.licence)))


def legend_words(release: Published, view: str = "best") -> str:
    """Return what stands at the legend of a map."""
    return capital(map_legend(release, view).words)


def shown_values(release: Release, cells: Cells, view: str = "best") -> Floats:
    """Return what a view shows of each cell that is drawn."""
    if view == "best":
        return np.asarray(
            release.drawn if cells is release.cells else drawn_density(release, cells)
        )
    if view == "mean":
        return means_on(release, cells).mean
    if view == "share":
        return percentages_on(release, cells).ratio
    counts, variance = values_on(release, cells)
    if view == "error":
        unknown = np.full(counts.shape, np.inf)
        np.divide(np.sqrt(variance), counts, out=unknown, where=counts > 0)
        return unknown
    by_area = signed_legend(release).field != "count"
    return np.asarray(counts / cells.ground_areas() if by_area else counts)


GREY = (196, 196, 196)
"""Colour of cells of which too little is known."""


def grey_words(view: str, share: float | None) -> str:
    """Say what grey cells of a map are; nothing where none can be.

    Examples
    --------
    >>> grey_words("best", 0.5), grey_words("mean", None), grey_words("best", None)
    ('uncertain: ±50 % or more', 'not known', '')
    """
    unknown = Phrase("not known") if view in ("mean", "share") else Phrase("")
    if share is None:
        return unknown
    unsure = Phrase("uncertain: ±{1} % or more", Number(f"{100 * share:g}"))
    return Phrase("{1}, or {2}", unknown, unsure) if unknown else unsure


def greyed(legend: Legend, words: str) -> Legend:
    """Return a legend with one more class for what is grey, if anything is."""
    if not words:
        return legend
    last = Class(math.inf, math.inf, GREY, words=words)
    return replace(legend, classes=(*legend.classes, last))


def unsure_cells(release: Release, cells: Cells, view: str, share: float | None) -> Bools:
    """Tell which cells of a map are grey: half of their interval is more than a share of them.

    Parameters
    ----------
    release : Release
        What was published.
    cells : Cells
        The cells that are drawn.
    view : str
        What is shown of them.
    share : float, optional
        Part of an estimate that half of its interval may be.
    """
    if view in ("mean", "share"):
        known = means_on(release, cells)[3:] if view == "mean" else percentages_on(release, cells)
        value, low, high = known
        unknown = ~np.isfinite(value)
        if share is None:
            return unknown
        return unknown | ~stands_above(value, (high - low) / 2, share)
    if share is None:
        return np.zeros(len(cells), dtype=np.bool_)
    counts, variance = values_on(release, cells)
    half = half_widths(release, cells, variance)
    return ~stands_above(np.maximum(counts, 0.0), half, share)


def cell_pixels(cells: Cells) -> Ints:
    """Say which cell each point of the picture shows: no more rows than a page has dots."""
    grid = cells.raster
    if grid is None:
        return _located(cells)
    step = max(1, -(-max(grid.shape) // _DOTS)) if cells.tree is None else 1
    parts = []
    for rows in raster_rows(grid):
        part = cells.pixels(rows)
        parts.append(part[(-rows.start) % step :: step, step // 2 :: step])
    return np.concatenate(parts)


def _located(cells: Cells) -> Ints:
    """Say which cell each point of a picture is in, where no raster has the cells' edges."""
    domain = cells.domain
    longest = max(domain.width, domain.height)
    across, down = (max(1, round(_LOCATED * s / longest)) for s in (domain.width, domain.height))
    xmin, _, _, ymax = domain.bounds
    x = np.linspace(xmin, xmin + domain.width, 2 * across + 1)[1::2]
    y = np.linspace(ymax, ymax - domain.height, 2 * down + 1)[1::2]
    rows = [cells.locate(x, np.full(across, height)) for height in y.tolist()]
    return np.stack(rows)


def frame_edges(cells: Cells) -> Edges:
    """Return edges ``left, bottom, right, top`` of the cells, which may lie outside the domain."""
    return cells.domain.bounds if cells.raster is None else grid_edges(cells.raster)


def grid_edges(grid: Grid) -> Edges:
    """Return edges ``left, bottom, right, top`` of pixels."""
    width, _, left, _, drop, top = grid.transform
    rows, columns = grid.shape
    return left, top + rows * drop, left + columns * width, top


def classes_of_values(legend: Legend, values: Floats) -> Ints:
    """Return the class in the legend of each value."""
    return np.searchsorted([class_.high for class_ in legend.classes[:-1]], values)


def painted_smoothly(
    release: Release, legend: Legend, box: Edges | None = None
) -> tuple[Ints, Edges]:
    """Return the class of each pixel of a smooth picture, and its edges.

    Classes are -1 where no records can be. Where ``box`` is given, that part alone is painted.
    """
    if box is None:
        smooth = smoothed(release)
        density, edges = smooth.density, grid_edges(smooth.grid)
    else:
        density, edges = smooth_window(release, box)
    which = classes_of_values(legend, np.nan_to_num(density))
    return np.where(np.isnan(density), -1, which), edges
