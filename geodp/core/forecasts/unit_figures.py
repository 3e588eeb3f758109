"""Tabulate counts of every unit of a release with their errors: of cells, and of larger units."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cells.district_cells import level_columns
from ..common.types import Columns, Floats
from ..estimates.answers import answers_from, noise_reach
from ..estimates.level_estimate import LevelEstimate
from ..estimates.tree_estimate import TreeEstimate
from ..releases.release import Release
from ..space.levels import Levels


class UnitFigures(NamedTuple):
    """Counts of units, and what there is to say about their noise; one entry per unit.

    Attributes
    ----------
    estimate : ndarray
        Estimated counts.
    std_error : ndarray
        Standard deviation of the noise.
    ci_low, ci_high : ndarray
        Limits of an interval that holds the true count 19 times of 20.
    half_width : ndarray
        Half the width of that interval.
    """

    estimate: npt.NDArray[Any]
    std_error: Floats
    ci_low: Floats
    ci_high: Floats
    half_width: Floats


def unit_figures(release: Release) -> UnitFigures:
    """Return the figures of the cells, or of the units of all levels from the largest down.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> unit_figures(release).std_error.round(2)
    array([1.36, 1.36, 1.36, 1.36])
    """
    if isinstance(release.estimate, TreeEstimate) and release.estimate.has_units:
        parts = release.estimate.unit_parts()
        answers = answers_from(parts, np.ones(len(parts.estimate)))
        half = (answers.ci_high - answers.ci_low) / 2
        return UnitFigures(
            answers.estimate, answers.std_error, answers.ci_low, answers.ci_high, half
        )
    counts, variance = release.counts, release.variance
    held = np.ones(len(counts))
    if isinstance(release.estimate, LevelEstimate):
        fit = release.estimate.fit
        counts, variance = np.concatenate(fit.estimates), np.concatenate(fit.variances)
        depths = range(1, fit.levels.depth + 1)
        # The sum of many counts has lighter tails than one of them, as in an answer.
        held = np.concatenate([np.diff(fit.levels.smallest_units(depth)) for depth in depths])
    measured = release.measurements
    excess, step = max(measured.excess()) / held, np.sqrt(held) / measured.units
    reach = noise_reach(variance, excess, step, integer=release.estimate.integer_counts)
    return UnitFigures(counts, np.sqrt(variance), counts - reach, counts + reach, reach)


def unit_columns(levels: Levels, *, paths: bool) -> Columns:
    """Name the units of all levels, from the largest down, and those that hold them.

    Parameters
    ----------
    levels : Levels
        The units.
    paths : bool
        Whether the label of a unit is not enough to tell it from others.

    Examples
    --------
    >>> levels = Levels(["state", "county"], [("A", "x"), ("A", "y"), ("B", "z")])
    >>> for name, values in unit_columns(levels, paths=False).items():
    ...     print(name, values.tolist())
    level ['state', 'state', 'county', 'county', 'county']
    district ['A', 'B', 'x', 'y', 'z']
    state ['A', 'B', 'A', 'A', 'B']
    """
    starts = [levels.smallest_units(depth)[:-1].tolist() for depth in range(1, levels.depth + 1)]
    units = [
        levels.paths[place][:depth] for depth, listed in enumerate(starts, 1) for place in listed
    ]
    columns = {
        "level": [name for name, listed in zip(levels.names, starts) for _ in listed],
        "district": [" > ".join(unit) if paths else unit[-1] for unit in units],
    }
    if paths:
        columns["name"] = [unit[-1] for unit in units]
    for place, name in enumerate(level_columns(levels.names[:-1])):
        columns[name] = [unit[place] if place < len(unit) else "" for unit in units]
    return {name: np.array(values, dtype=object) for name, values in columns.items()}
