"""Answers as a map: regions coloured by records per area, hatched where little is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.publish.drawing import size_of
from ..core.publish.shading import UNKNOWN, UNSURE_WORDS, shading_of
from .plot import draw_frame, need, png_of
from .scale_bar import draw_scale

if TYPE_CHECKING:
    from ..core.releases.release import Release


def answers_png(release: Release, answers: Any, *, dpi: int = 130) -> bytes:
    """Return a map of answers: records per area, hatched where the error exceeds half of them."""
    need("matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    domain = release.domain
    shapes = answers.to_crs(domain.crs.name)
    areas = shapes.area * shapes["covered"] * (domain.crs.metres_per_unit / 1000) ** 2
    columns = (answers["estimate"], answers["std_error"], areas)
    found = shading_of(*(each.to_numpy() for each in columns))
    figure = Figure(figsize=size_of(release), layout="constrained")
    ax = figure.add_subplot()
    known = found.which >= 0
    _draw(ax, shapes[~known], facecolor=UNKNOWN, edgecolor="white", linewidth=0.4)
    shades = np.array(found.colours) / 255
    _draw(ax, shapes[known], color=shades[found.which[known]], edgecolor="white", linewidth=0.4)
    style: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": "#666666",
        "linewidth": 0,
        "hatch": "////",
    }
    _draw(ax, shapes[found.unsure], **style)
    draw_frame(release, ax)
    draw_scale(domain, ax, shapes.boundary)
    patches, labels = [Patch(color=shade) for shade in shades[::-1]], found.labels[::-1]
    if found.unsure.any():
        patches, labels = [*patches, Patch(**style)], [*labels, UNSURE_WORDS]
    legend = {"frameon": False, "fontsize": 8, "title_fontsize": 9, "bbox_to_anchor": (1, 0.5)}
    ax.legend(patches, labels, title=found.words, loc="center left", **legend)
    return png_of(figure, dpi)


def _draw(ax: Any, shapes: Any, **style: Any) -> None:
    if len(shapes):
        shapes.plot(ax=ax, aspect=None, **style)
