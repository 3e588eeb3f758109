"""Maps of what changed between two releases, drawn and as GeoTIFF: views, and no releases."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.atomic import check_target, known_suffix, write_bytes
from ..core.bands import Band, per_pixel
from ..core.metadata import PREFIX
from ..core.version import __version__
from ..sources.layers import read_boundary
from .plot import INK, draw_bar, draw_cells, draw_frame, draw_scale, need, size_of
from .raster import RASTERS, cog

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..core.difference import Difference, PathLike

_WHAT = "difference of the counts of two geodp releases, later minus earlier"


def to_geotiff(found: Difference, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the difference and its standard error. See :meth:`geodp.Difference.to_geotiff`."""
    target = Path(path)
    known_suffix(target, RASTERS)
    check_target(target, overwrite=overwrite)
    there = found.cells.supported
    bands = (
        Band(per_pixel(found, found.counts[there].astype(np.float64)), _WHAT, "records", True),
        Band(np.sqrt(found.variance[there]), "standard error of the whole cell", "records"),
    )
    write_bytes(target, cog(found, bands, _tags(found)))


def _tags(found: Difference) -> dict[str, str]:
    told = {
        "DERIVED": _WHAT,
        "VERSION": __version__,
        "PROMISE": found.promise,
        "COUNTS": found.counted,
        "SEEDED": "yes: NOT private" if found.seeded else "no",
    }
    return {PREFIX + key: value for key, value in told.items()}


def plot_difference(found: Difference, ax: Axes | None = None, *, boundary: Any = None) -> Axes:
    """Draw the difference. See :meth:`geodp.Difference.plot`."""
    need("matplotlib")
    outline = read_boundary(boundary, found.domain)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=size_of(found))[1]
    legend = found.legend
    image = draw_cells(found, legend, found.shown, ax)
    if outline is not None:
        outline.boundary.plot(ax=ax, color=INK, linewidth=0.6, aspect=None)
    draw_frame(found, ax)
    words = legend.words if found.cells.whole else f"difference in {legend.words}"
    draw_bar(legend, ax, image, f"{words}: true difference plus noise")
    draw_scale(found, ax)
    ax.set_title(_title(found), fontsize=11, color=INK, loc="left")
    return ax


def _title(found: Difference) -> str:
    names = [side.method.layer or side.about.title for side in (found.later, found.earlier)]
    between = f"{names[0]} minus {names[1]}" if all(names) else "Later minus earlier"
    if found.seeded:
        made = "NOT private (seeded)"
    elif found.one_release:
        made = f"ε = {float(found.later.epsilon):g} for both"
    else:
        made = "ε = " + " + ".join(f"{float(s.epsilon):g}" for s in (found.later, found.earlier))
    return f"{between}, with noise\n{made}, {found.cells.in_words}"


def difference_png(found: Difference, *, boundary: Any = None, dpi: int = 130) -> bytes:
    """Return the map as the bytes of a PNG picture, without touching pyplot's state."""
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of(found), layout="constrained")
    plot_difference(found, figure.add_subplot(), boundary=boundary)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    return buffer.getvalue()
