"""Write synthetic points that stand for a release, as a layer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.atomic import check_target, known_suffix, whole_file
from ..core.common.types import PathLike
from ..core.publish.metadata import derived_tags
from ..core.releases.published import Published
from ..core.views.dots import place_dots
from .vector import VECTORS, beside_answers, write_layer

if TYPE_CHECKING:
    import geopandas

_LAYER = "dots"

_WHAT = "synthetic points, none of which is a real place"

_DONE = (
    "Points follow the best guess of the counts, and lie at random inside the cells: none is a "
    "real place or record. Each stands for the number of {0} in the column {0}."
)


def to_points(
    release: Published,
    path: PathLike,
    *,
    per: int | None = None,
    seed: int | None = None,
    overwrite: bool = False,
) -> None:
    """Write synthetic points. See :meth:`geodp.Release.to_points`."""
    target = Path(path)
    suffix = known_suffix(target, VECTORS)
    check_target(target, overwrite=overwrite, beside=beside_answers(suffix))
    layer = points_frame(release, per=per, seed=seed)
    with whole_file(target) as built:
        done = _DONE.format(release.method.quantity.things)
        write_layer(layer, built, _LAYER, derived_tags(release, _WHAT, done))


def points_frame(
    release: Published, *, per: int | None = None, seed: int | None = None
) -> geopandas.GeoDataFrame:
    """Return synthetic points with how many records or people each stands for, and its group."""
    import geopandas

    dots = place_dots(release, per=per, seed=seed)
    things = release.method.quantity.things
    columns: dict[str, Any] = {things: np.full(len(dots.x), dots.per)}
    if release.groups:
        columns["group"] = np.array(release.groups, dtype=object)[dots.group]
    shapes = geopandas.points_from_xy(dots.x, dots.y)
    return geopandas.GeoDataFrame(columns, geometry=shapes, crs=release.domain.crs.name)
