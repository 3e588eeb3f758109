"""Answers as a map: regions coloured by records per area, hatched where little is known."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.style import WARM
from .plot import draw_frame, need, png_of, size_of
from .scale_bar import draw_scale

if TYPE_CHECKING:
    from ..core.release import Release


def answers_png(release: Release, answers: Any, *, dpi: int = 130) -> bytes:
    """Return a map of answers: records per area, hatched where the error exceeds half of them."""
    need("matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    domain = release.domain
    shapes = answers.to_crs(domain.crs.name)
    areas = shapes.area * shapes["covered"] * (domain.crs.metres_per_unit / 1000) ** 2
    density = (shapes["estimate"].clip(lower=0) / areas).to_numpy()
    figure = Figure(figsize=size_of(release), layout="constrained")
    ax = figure.add_subplot()
    known = np.isfinite(density)
    _draw(ax, shapes[~known], facecolor="#dddddd", edgecolor="white", linewidth=0.4)
    limits = nice_limits(density[known])
    which = np.searchsorted(limits, density[known])
    warm = np.array([[part / 255 for part in each] for each in WARM])
    shades = warm[np.linspace(0, len(warm) - 3, len(limits) + 1).round().astype(int)]
    _draw(ax, shapes[known], color=shades[which], edgecolor="white", linewidth=0.4)
    unsure = known & (answers["std_error"] > answers["estimate"] / 2).to_numpy()
    style: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": "#666666",
        "linewidth": 0,
        "hatch": "////",
    }
    _draw(ax, shapes[unsure], **style)
    draw_frame(release, ax)
    draw_scale(release, ax, shapes.boundary)
    patches = [Patch(color=shade) for shade in shades[::-1]]
    per = 1
    while limits and limits[0] * per < 0.1:
        per *= 100  # handy numbers, as in the legend of cells
    labels = _steps([limit * per for limit in limits])[::-1]
    if unsure.any():
        patches, labels = [*patches, Patch(**style)], [*labels, "error above\nhalf of it"]
    unit = f"{per:,} km²" if per > 1 else "km²"
    legend = {"frameon": False, "fontsize": 8, "title_fontsize": 9, "bbox_to_anchor": (1, 0.5)}
    ax.legend(patches, labels, title=f"records per {unit}", loc="center left", **legend)
    return png_of(figure, dpi)


def _draw(ax: Any, shapes: Any, **style: Any) -> None:
    if len(shapes):
        shapes.plot(ax=ax, aspect=None, **style)


def nice_limits(values: Any, most: int = 6) -> list[float]:
    """Round limits that part values into classes of about equal number.

    Examples
    --------
    >>> nice_limits(np.array([0.011, 0.02, 0.04, 0.3, 1.7, 8.0]), 4)
    [0.02, 0.2, 1.0]
    """
    present = values[values > 0]
    if not len(present):
        return []
    cuts = np.quantile(present, np.linspace(0, 1, most + 1)[1:-1])
    return sorted({_round(float(cut)) for cut in cuts})


def _round(value: float) -> float:
    """The nearest 1, 2 or 5 times a power of ten."""
    power = math.floor(math.log10(value))
    near = [float(f"{digit}e{power + up}") for up in (0, 1) for digit in (1, 2, 5)]
    return min(near, key=lambda each: abs(math.log(each / value)))


def _steps(limits: list[float]) -> list[str]:
    """Words for the classes between limits."""
    if not limits:
        return ["any"]
    inner = [f"{low:,.6g} to {high:,.6g}" for low, high in pairwise(limits)]
    return [f"below {limits[0]:,.6g}", *inner, f"{limits[-1]:,.6g} or more"]
