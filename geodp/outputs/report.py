"""The report of a release as a file, and releases as a notebook shows them.

Words and tables are those of :mod:`geodp.core.publish.report`; matplotlib draws the pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ..core.common.atomic import check_target, known_suffix, write_bytes
from ..core.common.errors import GeodpError
from ..core.common.types import Floats
from ..core.estimates.queries import asked_about
from ..core.publish.difference_bands import title_of as title_of_difference
from ..core.publish.page import DETAIL, Listed, listed_of, naming, shown_groups
from ..core.publish.report import boxed, image_of, page_of, promise_in_words
from ..core.releases.describe import title_of
from ..core.releases.difference import Difference
from ..core.releases.release import PathLike, Published
from ..core.space.domain import Domain
from ..sources.layers import read_boundary
from .choropleth import answers_png
from .difference import difference_png
from .multiples import png
from .plot import check_grey

SUFFIXES = (".html", ".htm")


def to_report(
    release: Published,
    path: PathLike,
    *,
    boundary: Any = None,
    regions: Any = None,
    grey: float | None = None,
    overwrite: bool = False,
) -> None:
    """Write the report of a release. See :meth:`geodp.Release.to_report`."""
    check_grey(grey, "best")
    target = Path(path)
    known_suffix(target, SUFFIXES)
    check_target(target, overwrite=overwrite)
    options = {"boundary": boundary, "regions": regions, "grey": grey}
    write_bytes(target, html_of(release, **options).encode())


def html_of(
    release: Published, *, boundary: Any = None, regions: Any = None, grey: float | None = None
) -> str:
    """Return the report as text."""
    outline = read_boundary(boundary, release.domain)
    lines = () if outline is None else _lines(outline, release.domain)
    if regions is None:
        return page_of(release, png(release, boundary=outline, grey=grey), lines=lines)
    listed, layer = _answered(release, regions)
    picture = png(release, boundary=layer if outline is None else outline, grey=grey)
    answers = answers_png(release.total, layer, grey=grey)
    return page_of(release, picture, listed, answers, lines)


def _answered(release: Published, regions: Any) -> tuple[Listed, Any]:
    """Regions as a page lists them, and as a layer with the answers of all records."""
    asked = asked_about(regions, release.domain)
    layer = asked.layer
    columns = [column for column in layer.columns if column != layer.geometry.name]
    name = naming([str(column) for column in columns if layer[column].dtype.kind in "OUTS"])
    names = None if name is None else layer[name].tolist()
    rings = _outlines(layer.geometry, release.domain)
    listed = listed_of(shown_groups(release), asked, names, rings)
    return listed, layer.assign(**listed.answers[0]._asdict())


def _outlines(shapes: Any, domain: Domain) -> list[list[Floats]]:
    """Rings of each region, as fine as they are seen."""
    import shapely

    simple = shapes.to_crs(domain.crs.name).simplify(domain.width / DETAIL)
    return [
        [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(shape))]
        for shape in simple
    ]


def _lines(outline: Any, domain: Domain) -> list[Floats]:
    """Coordinates of the lines of a boundary inside the domain, as fine as they are seen."""
    import shapely

    simple = outline.simplify(domain.width / DETAIL).to_numpy()
    parts = shapely.get_parts(shapely.clip_by_rect(simple, *domain.bounds))
    kept = parts[np.isin(shapely.get_type_id(parts), (1, 2))]  # lines and rings
    return [shapely.get_coordinates(line) for line in kept]


def card_of(release: Published) -> str:
    """Return a release as a notebook shows it: its map and its promise."""
    words = promise_in_words(release), f"<p>{escape(release.counted)}</p>"
    return _card(lambda: png(release, dpi=80), title_of(release), *words)


def card_of_difference(found: Difference) -> str:
    """Return a difference as a notebook shows it."""
    words = boxed(escape(found.promise), found.seeded)
    return _card(lambda: difference_png(found, dpi=80), title_of_difference(found, ", "), words)


def _card(draw: Callable[[], bytes], title: str, *words: str) -> str:
    try:
        shown = image_of(draw(), title)
    except GeodpError:  # without matplotlib there is still something to say
        shown = f"<p><b>{escape(title)}</b></p>"
    return "\n".join(["<div>", shown, *words, "</div>"])
