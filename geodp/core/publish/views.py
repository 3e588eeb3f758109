"""List what can be shown of a release: the counts, and views that are derived from them.

A view is computed from published counts alone, so it costs nothing and the promise holds for it as
well. It is for looking at, says what was done, and opens as no release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.types import Columns
from ..records.groups import slugs
from ..releases.describe import map_title
from ..views.legend import Legend, cell_legend, clamped_classes, density_legend

if TYPE_CHECKING:
    from ..releases.published import Published


class View(NamedTuple):
    """Say what one view shows.

    Attributes
    ----------
    what, unit : str
        What a band of it holds.
    done : str
        What was done to the counts, in sentences for readers; empty for the counts themselves.
    """

    what: str
    unit: str
    done: str = ""


_DERIVED = "Derived from published counts alone, which costs no budget: the promise still holds."

VIEWS = {
    "counts": View("noisy count of records per cell", "records"),
    "density": View(
        "noisy records per square kilometre, derived from a geodp release",
        "records/km²",
        f"Shows the noisy count of each cell divided by its area. {_DERIVED}",
    ),
    "clamped": View(
        "noisy count, negative ones set to 0, derived from a geodp release",
        "records",
        "Shows noisy counts with negative ones set to 0. Sums of it are too high, because noise "
        "below zero no longer cancels noise above it: add up the counts of the release instead. "
        f"{_DERIVED}",
    ),
    "smooth": View(
        "records in each pixel, smoothed for the eye, derived from a geodp release",
        "records",
        "Shows a best guess that is smoothed between cells, which suggests detail that is not "
        "known. Pixels of a cell add up to the best guess of its count, which is never negative: "
        f"for sums and comparisons use the counts of the release. {_DERIVED}",
    ),
}
"""Every view of a release by its name."""


def view_legend(release: Published, view: str = "counts") -> Legend:
    """Return the classes and colours of a view.

    Those of counts are of what is drawn of them; of the others, they follow from the noise.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 40_000, 20_000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[(2, 4)]))
    >>> [view_legend(release, view).calm for view in ("signed", "clamped", "density")]
    ['−1 to 1 records per cell', '0 to 1 records per cell', '−2 to 2 records per 100 km²']
    >>> view_legend(release).field
    'drawn'
    """
    if view == "density":
        things = release.method.quantity.things
        return density_legend(_calm(release), release.cells.areas(), "km²", things)
    if view == "clamped":
        legend = signed_legend(release)
        return replace(legend, classes=clamped_classes(legend.classes))
    if view == "smooth":
        return replace(release.legend, field="smooth")
    return signed_legend(release) if view == "signed" else release.legend


def signed_legend(release: Published) -> Legend:
    """Return classes of the signed counts: from the cells and the noise, not from the counts."""
    things = release.method.quantity.things
    return cell_legend(release.cells, release.first.measurements, things)


def _calm(release: Published) -> npt.NDArray[np.float64]:
    """Return what is hardly more than noise in each cell: on a grid what is drawn white."""
    legend = signed_legend(release)
    if legend.field != "count":
        return np.asarray(np.sqrt(release.first.variance))
    limit = next(class_.high for class_ in legend.classes if class_.holds_zero)
    return np.full(len(release.cells), limit)


def view_columns(release: Published, view: str = "counts") -> Columns:
    """Return what the cells of a view hold, by the fields of its legends."""
    if view == "density":
        area = release.cells.areas()
        names = [f"density_{slug}" for slug in slugs(release.groups)] or ["density"]
        releases = release.maps.values()
        return {name: one.counts / area for name, one in zip(names, releases)}
    if view == "smooth":
        names = [f"smooth_{slug}" for slug in slugs(release.groups)] or ["smooth"]
        return {name: one.drawn for name, one in zip(names, release.maps.values())}
    columns = release.columns()
    if view == "clamped":
        return {name: np.maximum(values, 0) for name, values in columns.items()}
    return columns


def view_title(release: Published, view: str = "counts") -> str:
    """Return what a map of a view shows, in a line; the publisher's own words go first.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> view_title(release, "clamped"), view_title(release.with_about(title="Visits"), "density")
    ('Clamped records per cell, protected (ε = 1), 2 × 2 cells', 'Visits (density)')
    """
    if title := release.about.title:
        return title if view == "counts" else f"{title} ({view})"
    words = view_legend(release, view).words
    return map_title(release, what=f"clamped {words}" if view == "clamped" else words)
