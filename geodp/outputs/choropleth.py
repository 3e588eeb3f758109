"""Answers as a map: regions coloured by records per area, hatched where little is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.estimates.answers import stands_above
from ..core.publish.drawing import GREY, grey_words, size_of
from ..core.publish.shading import UNKNOWN, UNSURE_WORDS, shading_of
from .plot import draw_frame, need, png_of
from .scale_bar import draw_scale

if TYPE_CHECKING:
    from ..core.releases.release import Release


def answers_png(
    release: Release, answers: Any, *, dpi: int = 130, grey: float | None = None
) -> bytes:
    """Return a map of answers: records per area, hatched where the error exceeds half of them.

    With ``grey``, regions are grey instead where half of their interval is more than that part.
    """
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
    unsure, words = found.unsure, UNSURE_WORDS
    if grey is not None:
        half = (answers["ci_high"] - answers["ci_low"]).to_numpy() / 2
        unsure = known & ~stands_above(answers["estimate"].to_numpy(), half, grey)
        style = {"facecolor": np.array(GREY) / 255, "edgecolor": "white", "linewidth": 0.4}
        words = grey_words("best", grey).replace(": ", ":\n")
    _draw(ax, shapes[unsure], **style)
    draw_frame(release, ax)
    draw_scale(domain, ax, shapes.boundary)
    patches, labels = [Patch(color=shade) for shade in shades[::-1]], found.labels[::-1]
    if unsure.any():
        patches, labels = [*patches, Patch(**style)], [*labels, words]
    legend = {"frameon": False, "fontsize": 8, "title_fontsize": 9, "bbox_to_anchor": (1, 0.5)}
    ax.legend(patches, labels, title=found.words, loc="center left", **legend)
    return png_of(figure, dpi)


def _draw(ax: Any, shapes: Any, **style: Any) -> None:
    if len(shapes):
        shapes.plot(ax=ax, aspect=None, **style)
