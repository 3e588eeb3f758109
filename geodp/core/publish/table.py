"""Put a release into the rows of a table: what is counted where, with intervals and the promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..estimates.answers import noise_interval
from ..estimates.level_estimate import LevelEstimate
from ..regions.district_cells import level_columns
from ..releases.difference import Difference
from ..releases.release import Published, Release
from ..space.levels import Levels
from .columns import TABLE_COLUMNS, Columns, cell_columns

EPSILON, PROTECTS = TABLE_COLUMNS[-2:]

_NOTHING = "nothing: it was made with a seed, for testing"


def table_columns(release: Published) -> Columns:
    """Return the columns of a table with a row for each cell, or for each unit of all levels.

    Where records were counted in groups there is a row for each of them, one after another.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> list(table_columns(made))[-6:]
    ['count', 'std_error', 'ci_low', 'ci_high', 'geodp_epsilon', 'geodp_protects']
    """
    about = _unit_columns(release)
    rows = len(next(iter(about.values())))
    groups = len(release.maps)
    columns = {name: np.repeat(values, groups) for name, values in about.items()}
    if release.groups:
        columns["group"] = np.tile(np.array(release.groups, dtype=object), rows)
    figures = [_figures(one) for one in release.maps.values()]
    for place, name in enumerate(TABLE_COLUMNS[:-2]):
        columns[name] = np.stack([one[place] for one in figures], axis=1).ravel()
    promised = promise_columns(release)
    return columns | {name: np.full(rows * groups, text) for name, text in promised.items()}


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


def change_promise_columns(found: Difference) -> dict[str, Any]:
    """Return the same for a difference: what both releases promise together."""
    later, earlier = promise_columns(found.later), promise_columns(found.earlier)
    if found.one_release:
        return later
    units = dict.fromkeys((later[PROTECTS], earlier[PROTECTS]))
    return {EPSILON: later[EPSILON] + earlier[EPSILON], PROTECTS: "; ".join(units)}


def _unit_columns(release: Published) -> Columns:
    """Say what each row is of: a cell, a district, or a unit of some level."""
    levels = release.cells.levels
    if levels is None:
        return cell_columns(release.cells)
    names = release.cells.attributes()
    if levels.depth == 1:
        return names
    columns: dict[str, list[Any]] = {
        "level": [
            name for name, labels in zip(levels.names, levels.labels) for _ in range(len(labels))
        ]
    }
    units = [path[:depth] for depth in range(1, levels.depth + 1) for path in _paths(levels, depth)]
    columns["district"] = [" > ".join(unit) if "name" in names else unit[-1] for unit in units]
    if "name" in names:
        columns["name"] = [unit[-1] for unit in units]
    for place, name in enumerate(level_columns(levels.names[:-1])):
        columns[name] = [unit[place] if place < len(unit) else "" for unit in units]
    return {name: np.array(values, dtype=object) for name, values in columns.items()}


def _paths(levels: Levels, depth: int) -> list[tuple[str, ...]]:
    return [levels.paths[place] for place in levels.smallest_units(depth)[:-1].tolist()]


def _figures(one: Release) -> tuple[npt.NDArray[Any], ...]:
    """Counts, standard errors and limits of the intervals, in the order of the rows."""
    counts, variance = one.counts, one.variance
    excess = np.full(len(counts), max(one.measurements.excess()))
    if isinstance(one.estimate, LevelEstimate):
        fit = one.estimate.fit
        levels = fit.levels
        counts, variance = np.concatenate(fit.estimates), np.concatenate(fit.variances)
        depths = range(1, levels.depth + 1)
        # The sum of many counts has lighter tails than one of them, as in an answer.
        held = np.concatenate([np.diff(levels.smallest_units(depth)) for depth in depths])
        excess = excess[0] / held
    return counts, np.sqrt(variance), *noise_interval(counts, variance, excess)
