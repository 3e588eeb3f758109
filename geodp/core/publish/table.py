"""Put a release into the rows of a table: what is counted where, with intervals and the promise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimates.answers import RELIABLE, stands_above
from ..forecasts.unit_figures import unit_columns, unit_figures
from ..releases.difference import Difference
from ..releases.release import Published, Release
from .columns import PROMISE_COLUMNS, TABLE_COLUMNS, Columns, cell_columns

EPSILON, PROTECTS = PROMISE_COLUMNS

_NOTHING = "nothing: it was made with a seed, for testing"


def table_columns(release: Published) -> Columns:
    """Return the columns of a table with a row for each cell, or for each unit of all levels.

    Where records were counted in groups there is a row for each of them, one after another.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> list(table_columns(made))[-7:-2]
    ['count', 'std_error', 'ci_low', 'ci_high', 'reliable']
    """
    about = _unit_columns(release)
    rows = len(next(iter(about.values())))
    groups = len(release.maps)
    columns = {name: np.repeat(values, groups) for name, values in about.items()}
    if release.groups:
        columns["group"] = np.tile(np.array(release.groups, dtype=object), rows)
    figures = [_figures(one) for one in release.maps.values()]
    for name in figures[0]:
        columns[name] = np.stack([one[name] for one in figures], axis=1).ravel()
    promised = promise_columns(release)
    return columns | {name: np.full(rows * groups, text) for name, text in promised.items()}


def _figures(release: Release) -> Columns:
    """Return counts of all units with their intervals, and sums and means of an amount."""
    figures = unit_figures(release)
    reliable = stands_above(np.maximum(figures.estimate, 0.0), figures.half_width, RELIABLE)
    columns: Columns = dict(zip(TABLE_COLUMNS, (*figures[:4], reliable)))
    return columns if release.amounts is None else columns | release.amounts.of_units()._asdict()


def promise_columns(release: Published) -> dict[str, Any]:
    """Return what every row of a table says of the promise; of a seeded release, that none is made.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> promise_columns(geodp.release(([], []), town, epsilon=1))
    {'geodp_epsilon': 1.0, 'geodp_protects': 'one record'}
    """
    if release.seeded:
        return {EPSILON: np.nan, PROTECTS: _NOTHING}
    return {EPSILON: float(release.epsilon), PROTECTS: str(release.method.unit)}


def change_promise_columns(change: Difference) -> dict[str, Any]:
    """Return the same for a difference: what both releases promise together."""
    later, earlier = promise_columns(change.later), promise_columns(change.earlier)
    if change.one_release:
        return later
    units = dict.fromkeys((later[PROTECTS], earlier[PROTECTS]))
    return {EPSILON: later[EPSILON] + earlier[EPSILON], PROTECTS: "; ".join(units)}


def _unit_columns(release: Published) -> Columns:
    """Say what each row is of: a cell, a district, or a unit of some level."""
    levels = release.cells.levels
    if levels is None:
        return cell_columns(release.cells)
    if levels.depth == 1:
        return release.cells.attributes()
    return unit_columns(levels, paths=len(set(levels.labels[-1])) < len(levels))
