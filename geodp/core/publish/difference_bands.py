"""Make what files of a difference hold and say, whichever program writes them: no releases."""

from __future__ import annotations

import numpy as np

from ..cells.cells import raster_for
from ..common.version import __version__
from ..releases.cell_words import cells_in_words
from ..releases.difference import Difference
from ..views.raster_cells import raster_cells, values_on
from .bands import Band, Image, float_kind, per_pixel
from .metadata import PREFIX
from .qgis_files import layer_statements
from .qgis_style import style_qml

WHAT = "difference of the counts of two geodp releases, later minus earlier"


def difference_image(change: Difference) -> Image:
    """Return the raster: the difference, its standard error, and what a style needs."""
    raster_for(change.cells)
    cells = raster_cells(change.cells)
    difference, variance = values_on(change, cells)
    error = np.sqrt(variance)
    things = change.base.method.quantity.things
    bands = (
        Band(per_pixel(cells, difference.astype(np.float64)), WHAT, things, True),
        Band(error, "standard error of the whole cell", things),
        Band(difference / error, "difference of the whole cell in standard errors", ""),
    )
    return Image(cells, bands[: max(2, change.legend.band)], float_kind([(difference, variance)]))


def difference_tags(change: Difference, what: str = WHAT) -> dict[str, str]:
    """Return the tags of a file that was computed from two releases."""
    facts = {
        "DERIVED": what,
        "VERSION": __version__,
        "PROMISE": change.promise,
        "COUNTS": change.counted,
        "SEEDED": "yes: NOT private" if change.seeded else "no",
    }
    return {PREFIX + key: value for key, value in facts.items()}


def difference_statements(
    change: Difference, table: str, geometry: str
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL, with its values, that puts style and description into a GeoPackage."""
    styles = {"change": style_qml(change.legend)}
    return layer_statements(
        styles, difference_title(change), difference_abstract(change), table, geometry
    )


def difference_abstract(change: Difference) -> str:
    """Return what QGIS shall say of a layer."""
    return f"{change.promise} {change.counted}"


def difference_title(change: Difference, joint: str = ", ") -> str:
    """Return what the map shows, and at what ε.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> visits = ([100.0, 150.0], [200.0, 250.0], [2024, 2025])
    >>> grids = [geodp.Grid(town, (2, 2))]
    >>> years = geodp.Categories("year", [2024, 2025])
    >>> release = geodp.release(visits, epsilon=1, cells=geodp.Regular(grids), by=years)
    >>> difference_title(release["2025"] - release["2024"])
    '2025 minus 2024, with noise, ε = 1 for both, 2 × 2 cells'
    """
    names = [side.method.group or side.about.title for side in (change.later, change.earlier)]
    between = f"{names[0]} minus {names[1]}" if all(names) else "Later minus earlier"
    if change.seeded:
        budget = "NOT private (seeded)"
    elif change.one_release:
        budget = f"ε = {float(change.later.epsilon):g} for both"
    else:
        budget = "ε = " + " + ".join(
            f"{float(s.epsilon):g}" for s in (change.later, change.earlier)
        )
    return f"{between}, with noise{joint}{budget}, {cells_in_words(change.cells)}"
