"""Write the report of a release to a file, and show releases in notebooks.

The page is that of :mod:`geodp.core.pictures.report`, with its pictures.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from ..core.common.atomic import check_target, known_suffix, write_bytes
from ..core.common.errors import GeodpError
from ..core.common.language import language_by_code
from ..core.common.types import Floats, PathLike
from ..core.estimates.queries import asked_about
from ..core.pictures.page import DETAIL, Listed, list_regions, naming, shown_groups
from ..core.pictures.report import boxed, promise_in_words, report_page
from ..core.publish.difference_bands import difference_title
from ..core.releases.describe import map_title
from ..core.releases.difference import Difference
from ..core.releases.published import Published
from ..core.space.domain import Domain
from ..sources.layers import boundary_lines
from .difference import difference_png
from .plot import check_grey, picture

SUFFIXES = (".html", ".htm")


def to_report(
    release: Published,
    path: PathLike,
    *,
    boundary: Any = None,
    regions: Any = None,
    grey: float | None = None,
    language: str = "en",
    overwrite: bool = False,
) -> None:
    """Write the report of a release. See :meth:`geodp.Release.to_report`."""
    check_grey(grey, "best")
    target = Path(path)
    known_suffix(target, SUFFIXES)
    check_target(target, overwrite=overwrite)
    language_by_code(language)
    options = {"boundary": boundary, "regions": regions, "grey": grey, "language": language}
    write_bytes(target, report_html(release, **options).encode())


def report_html(
    release: Published,
    *,
    boundary: Any = None,
    regions: Any = None,
    grey: float | None = None,
    language: str = "en",
) -> str:
    """Return the report as text."""
    lines = boundary_lines(boundary, release.domain, release.domain.width / DETAIL)
    listed = None if regions is None else _answered(release, regions)
    return report_page(release, listed, lines, grey, language_by_code(language))


def _answered(release: Published, regions: Any) -> Listed:
    """Return regions as a page lists them, with what is known of each."""
    asked = asked_about(regions, release.domain)
    layer = asked.layer
    columns = [column for column in layer.columns if column != layer.geometry.name]
    name = naming([str(column) for column in columns if layer[column].dtype.kind in "OUTS"])
    names = None if name is None else layer[name].tolist()
    rings = _outlines(layer.geometry, release.domain)
    return list_regions(shown_groups(release), asked, names, rings)


def _outlines(shapes: Any, domain: Domain) -> list[list[Floats]]:
    """Return rings of each region, as fine as they are seen."""
    import shapely

    simple = shapes.to_crs(domain.crs.name).simplify(domain.width / DETAIL)
    return [
        [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(shape))]
        for shape in simple
    ]


def release_card(release: Published) -> str:
    """Return a release as a notebook shows it: its map and its promise."""
    words = promise_in_words(release), f"<p>{escape(release.counted)}</p>"
    return _card(lambda: picture(release, dpi=80), map_title(release), *words)


def difference_card(change: Difference) -> str:
    """Return a difference as a notebook shows it."""
    words = boxed(escape(change.promise), change.seeded)
    return _card(lambda: difference_png(change, dpi=80), difference_title(change, ", "), words)


def _card(draw: Callable[[], bytes], title: str, *words: str) -> str:
    try:
        data = base64.b64encode(draw()).decode("ascii")
        shown = f'<img alt="{escape(title)}" src="data:image/png;base64,{data}">'
    except GeodpError:  # without matplotlib there is still something to say
        shown = f"<p><b>{escape(title)}</b></p>"
    return "\n".join(["<div>", shown, *words, "</div>"])
