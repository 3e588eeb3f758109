"""Answers as a map: regions coloured by records per area, hatched where little is known."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.style import WARM
from .plot import draw_frame, draw_scale, need, size_of

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
    shades = warm[np.linspace(0, len(warm) - 1, len(limits) + 1).round().astype(int)]
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
    draw_scale(release, ax)
    patches = [Patch(color=shade) for shade in shades[::-1]]
    labels = _steps(limits)[::-1]
    if unsure.any():
        patches, labels = [*patches, Patch(**style)], [*labels, "error above half of it"]
    ax.legend(patches, labels, title="records per km²", frameon=False, fontsize=8,
              title_fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))  # fmt: skip
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    return buffer.getvalue()


def _draw(ax: Any, shapes: Any, **style: Any) -> None:
    if len(shapes):
        shapes.plot(ax=ax, aspect=None, **style)


def nice_limits(values: Any, most: int = 6) -> list[float]:
    """Round limits that part values into classes of about equal number.

    Examples
    --------
    >>> nice_limits(np.array([0.011, 0.02, 0.04, 0.3, 1.7, 8.0]), 4)
    [0.03, 0.2, 2.0]
    """
    present = values[values > 0]
    if not len(present):
        return []
    cuts = np.quantile(present, np.linspace(0, 1, most + 1)[1:-1])
    return sorted({float(f"{cut:.1g}") for cut in cuts})


def _steps(limits: list[float]) -> list[str]:
    """Words for the classes between limits."""
    if not limits:
        return ["any"]
    inner = [f"{low:,g} to {high:,g}" for low, high in pairwise(limits)]
    return [f"below {limits[0]:,g}", *inner, f"{limits[-1]:,g} or more"]
