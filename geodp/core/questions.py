"""Questions to a release: boxes, polygons, layers and paths of layers, answered as far as may be.

A region outside the domain has no answer, which is said for that region alone. Public: nothing
here knows any points.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .answers import Answers, answer
from .axis import Floats, Ints
from .cells import square_kilometres
from .domain import Domain
from .errors import InputError
from .workload import Workload, checked_boxes

if TYPE_CHECKING:
    from .release import Release


def ask(release: Release, regions: Any, *, level: float, skip_invalid: bool, density: bool) -> Any:
    """Answers for regions. See :meth:`geodp.Release.query`."""
    if isinstance(regions, Workload):
        return _answer(release, regions, level)
    if isinstance(regions, (str, os.PathLike)):
        from ..sources.layers import read_layer

        regions = read_layer(regions, "regions")
    if hasattr(regions, "geometry"):
        return _layer(release, regions, level, skip_invalid, density)
    if not isinstance(regions, (Sequence, np.ndarray)):
        raise InputError(
            "regions must be a GeoDataFrame, a GeoSeries, the path of a layer, a Workload "
            f"or rows of xmin, ymin, xmax, ymax; got {type(regions).__name__}."
        )
    boxes, inside = checked_boxes(regions, release.domain)
    rows, outside = np.flatnonzero(inside), np.flatnonzero(~inside)
    asked = Workload.from_boxes(boxes[inside], release.domain) if len(rows) else None
    return _placed(release, asked, level, rows, len(boxes), outside)


def _answer(release: Release, regions: Workload, level: float) -> Answers:
    if regions.domain != release.domain:
        raise InputError(
            "regions must be on the release's domain; got "
            f"{regions.domain!r} for {release.domain!r}."
        )
    return answer(release.estimate, regions, level)


def _placed(
    release: Release, asked: Workload | None, level: float, rows: Ints, count: int, outside: Ints
) -> Answers:
    nothing = np.zeros(0)
    found = Answers(*[nothing] * 7) if asked is None else _answer(release, asked, level)
    return found.placed(rows, count, outside)


def _layer(release: Release, regions: Any, level: float, skip_invalid: bool, density: bool) -> Any:
    import geopandas

    from ..sources.regions import read_regions

    found = read_regions(regions, release.domain, skip_invalid=skip_invalid)
    asked = Workload.from_regions(found, release.domain) if len(found.rows) else None
    answers = _placed(release, asked, level, found.rows, found.listed, found.outside)
    columns = answers._asdict()
    if density:
        areas = np.full(found.listed, np.nan)
        areas[found.rows] = found.inside
        columns |= densities(answers, areas, release.domain)
    layer = regions if isinstance(regions, geopandas.GeoDataFrame) else regions.to_frame("geometry")
    answered = layer.assign(**columns)
    answered.attrs["geodp_counted"] = release.counted
    return answered


def densities(answers: Answers, areas: Floats, domain: Domain) -> dict[str, Floats]:
    """Records per square kilometre of what lies in the domain, with their interval.

    Parameters
    ----------
    answers : Answers
        Counts.
    areas : ndarray
        Areas of the regions inside the domain, in squared CRS units.
    domain : Domain
        Whose units these are.

    Examples
    --------
    >>> found = Answers(*(np.array([part]) for part in (8.0, 1, 1, 6.0, 10.0, 0, 1)))
    >>> densities(found, np.array([2e6]), Domain((0, 0, 4000, 3000), crs="EPSG:5070"))
    {'density': array([4.]), 'density_low': array([3.]), 'density_high': array([5.])}
    """
    size = square_kilometres(areas, domain.crs)
    return {
        "density": answers.estimate / size,
        "density_low": answers.ci_low / size,
        "density_high": answers.ci_high / size,
    }
