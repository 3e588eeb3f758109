"""What the map of a report needs to be looked at closely: cells, districts, classes, a script.

All of it comes from the release and from public regions, and stands inside the page. A browser
without scripts shows the picture instead.
"""

from __future__ import annotations

import base64
import json
import zlib
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.cells import EDGES
from ..core.release import Release

_FULL = 65535
"""Places in the page are whole numbers up to this, across and down the map."""

_MOST_CELLS = 150_000
"""With more, a page would be slow to open; it then shows the picture alone."""

_DETAIL = 1000
"""Outlines are simplified to a part of the map that nobody sees."""

_TRUST = (
    ("#08519c", "error below a fifth of the count"),
    ("#6baed6", "below half"),
    ("#c6dbef", "below the count"),
    ("#f7f7f5", "above the count: little is known"),
)
"""Colours of how far to trust a cell, and the largest relative error of each but the last."""

_TRUST_LIMITS = (0.2, 0.5, 1.0)


def part(name: str) -> str:
    """Text of a file that goes into every page."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def explorer_of(release: Release, answers: Any = None) -> str:
    """Return the data and the script of the map; nothing where there are too many cells.

    Parameters
    ----------
    release : Release
        Whose cells.
    answers : GeoDataFrame, optional
        What :meth:`geodp.Release.query` returned for a layer, with a column ``label``.
    """
    if len(release.cells) > _MOST_CELLS:
        return ""
    # No name of a region can end the script that holds it.
    text = json.dumps(_data(release, answers), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<script type="application/json" id="cells">{text}</script>\n'
        f"<script>{part('page.js')}</script>"
    )


def _data(release: Release, answers: Any) -> dict[str, Any]:
    domain = release.domain
    fields = release.cells.fields()
    boxes = np.stack([fields[name] for name in EDGES], axis=1)
    found = release.query(boxes)
    kilometres = 1.0 if domain.crs.geographic else domain.crs.metres_per_unit / 1000
    numbers = np.stack([found.estimate, found.ci_low, found.ci_high], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(found.estimate > 0, found.std_error / found.estimate, np.inf)
    return {
        "count": len(boxes),
        "boxes": _packed(_placed(boxes.reshape(-1, 2), release).reshape(-1, 4)[:, [0, 3, 2, 1]]),
        "numbers": _packed(numbers.astype("<f4")),
        "views": [_counts(release), _trust(relative)],
        "regions": [] if answers is None else _regions(release, answers),
        "width": domain.width * kilometres,
        "height": domain.height * kilometres,
        "unit": "degrees" if domain.crs.geographic else "km",
        "label": "Map of counts: arrow keys move it, plus and minus zoom, 0 shows the whole.",
        "hint": "Point at the map, or move it with the arrow keys, to read what is there.",
    }


def _packed(values: npt.NDArray[Any]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 9)).decode()


def _placed(points: npt.NDArray[np.float64], release: Release) -> npt.NDArray[np.uint16]:
    """Coordinates as whole numbers from the north-west corner of the map."""
    domain = release.domain
    xmin, _, _, ymax = domain.bounds
    x, y = (points[:, 0] - xmin) / domain.width, (ymax - points[:, 1]) / domain.height
    return np.rint(np.clip(np.stack([x, y], axis=1), 0, 1) * _FULL).astype("<u2")


def _counts(release: Release) -> dict[str, Any]:
    legend = release.legend
    values = release.cells.columns(release.estimate)[legend.field]
    which = np.searchsorted([each.high for each in legend.classes], values.ravel())
    colours = ["#{:02x}{:02x}{:02x}".format(*each.colour) for each in legend.classes]
    labels = [f"{each.label}" for each in legend.classes]
    return _view(legend.words.capitalize(), which, list(zip(colours, labels)))


def _trust(relative: npt.NDArray[np.float64]) -> dict[str, Any]:
    return _view("How far to trust it", np.searchsorted(_TRUST_LIMITS, relative), list(_TRUST))


def _view(name: str, which: npt.NDArray[Any], classes: list[tuple[str, str]]) -> dict[str, Any]:
    there = set(np.unique(which).tolist())
    legend = [
        {"colour": colour, "label": label, "occurs": number in there}
        for number, (colour, label) in enumerate(classes)
    ]
    return {"name": escape(name), "classes": _packed(which.astype(np.uint8)), "legend": legend}


def _regions(release: Release, answers: Any) -> list[dict[str, Any]]:
    import shapely

    domain = release.domain
    shapes = answers.geometry.to_crs(domain.crs.name).simplify(domain.width / _DETAIL)
    found = []
    for shape, row in zip(shapes, answers.itertuples()):
        rings = shapely.get_rings(shapely.get_parts(shape)) if shape is not None else []
        placed = [_placed(shapely.get_coordinates(ring), release) for ring in rings]
        answered = bool(np.isfinite(row.estimate))
        numbers = (row.estimate, row.ci_low, row.ci_high) if answered else (0, 0, 0)
        estimate, low, high = (round(float(value), 3) for value in numbers)
        found.append(
            {
                "name": str(row.label),
                "answered": answered,
                "estimate": estimate,
                "low": low,
                "high": high,
                "rings": [ring.ravel().tolist() for ring in placed if len(ring) > 2],
            }
        )
    return found
