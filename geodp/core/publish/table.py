"""Put a release into the rows of a table: what is counted where, with intervals and the promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Columns, Floats
from ..estimates.answers import RELIABLE, stands_above
from ..forecasts.unit_figures import unit_columns, unit_figures
from ..releases.difference import Difference
from ..releases.published import Published
from ..releases.release import Release
from .columns import PROMISE_COLUMNS, TABLE_COLUMNS, cell_columns

EPSILON, PROTECTS = PROMISE_COLUMNS

_NOTHING = "nothing: it was made with a seed, for testing"

_FINER = 100
"""By how much numbers are told apart more finely than their standard error."""

_PLACES = 6
"""Digits of what has no error: places after the point of shares, digits of errors to expect."""

_MOST_PLACES = 12

_COUNTS = ("count", "estimate", "noise_error", "ci_low", "ci_high", "std_error")
_INTERVALS = ("density", "rate", "sum", "mean", "share", "quantile", "ratio")
_SHARES = ("border_share", "covered")


def table_columns(release: Published) -> Columns:
    """Return the columns of a table with a row for each cell, or for each unit of all levels.

    Where records were counted in groups there is a row for each of them, one after another.
    Numbers have all of their digits, of which :func:`rounded` leaves those that files show.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
    >>> list(table_columns(release))[-7:-2]
    ['count', 'std_error', 'ci_low', 'ci_high', 'reliable']
    """
    about = _unit_columns(release)
    rows = len(next(iter(about.values())))
    groups = len(release.maps)
    columns = {name: np.repeat(values, groups) for name, values in about.items()}
    if release.groups:
        columns["group"] = np.tile(np.array(release.groups, dtype=object), rows)
    figures = [_figures(one) for one in release.maps.values()]
    woven = {name: np.stack([one[name] for one in figures], axis=1).ravel() for name in figures[0]}
    columns |= woven
    promised = promise_columns(release)
    return columns | {name: np.full(rows * groups, text) for name, text in promised.items()}


def rounded(columns: Mapping[str, Any], ends: Sequence[str] = ("",)) -> Columns:
    """Round estimates to what a table shows of them, and leave out all other columns.

    An estimate and its limits are rounded to the power of ten at or below a hundredth of its
    standard error, or of a quarter of its interval where it has none, and never coarser than to
    whole numbers. So no number moves by more than a two-hundredth of its standard error.

    Parameters
    ----------
    columns : mapping
        Columns of a table by their names.
    ends : sequence of str
        What names end in: of several groups side by side, ``_theft`` and so on.

    Examples
    --------
    >>> figures = {"estimate": [137.28571428571428], "std_error": [1.3563], "name": ["A"]}
    >>> rounded(figures)
    {'estimate': array([137.29]), 'std_error': array([1.36])}
    """
    shown: Columns = {}
    for end in ends:
        if f"std_error{end}" in columns:
            places = _places(_floats(columns[f"std_error{end}"]))
            shown |= _to_places(columns, [f"{name}{end}" for name in _COUNTS], places)
        for name in (f"{name}{end}" for name in _SHARES):
            shown |= _to_places(columns, [name], np.full(len(columns.get(name, ())), _PLACES))
        for name in _INTERVALS:
            names = [f"{part}{end}" for part in (f"{name}_low", f"{name}_high", name)]
            if all(name in columns for name in names):
                low, high = (_floats(columns[name]) for name in names[:2])
                with np.errstate(invalid="ignore"):
                    places = _places((high - low) / 4)
                shown |= _to_places(columns, names, places)
    return shown


def six_digits(values: Any) -> npt.NDArray[Any]:
    """Round numbers that have no error, as errors to expect, to six digits each.

    Examples
    --------
    >>> six_digits([1.9999999999666664, 123456.789, float("nan")])
    array([2.00000e+00, 1.23457e+05,         nan])
    """
    numbers = _floats(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = _PLACES - 1 - np.floor(np.log10(np.abs(numbers)))
    return _rounded(numbers, np.nan_to_num(places, nan=0, posinf=0, neginf=0))


def _floats(values: Any) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _places(error: Floats) -> npt.NDArray[np.int64]:
    """Return how many places after the point tell numbers of such an error apart finely enough."""
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.ceil(-np.log10(error / _FINER)).clip(0, _MOST_PLACES)
    return np.where(np.isfinite(error), places, _PLACES).astype(np.int64)


def _to_places(
    columns: Mapping[str, Any], names: Sequence[str], places: npt.NDArray[Any]
) -> Columns:
    """Round those of the columns that there are; whole numbers are written as such."""
    shown: Columns = {}
    for name in names:
        values = np.asarray(columns.get(name, ()))
        if name in columns and values.dtype.kind == "f":
            shown[name] = _rounded(values, places)
    return shown


def _rounded(values: Floats, places: npt.NDArray[Any]) -> npt.NDArray[Any]:
    numbers = values.copy()
    for count in np.unique(places):
        some = places == count
        numbers[some] = np.round(numbers[some], int(count)) + 0.0  # no -0
    are_integers = np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all()
    fits = are_integers and (np.abs(numbers) < 1 << 53).all()
    return numbers.astype(np.int64) if fits else numbers


def _figures(release: Release) -> Columns:
    """Return counts of all units with their intervals, and sums and means of an amount."""
    figures = unit_figures(release)
    reliable = stands_above(np.maximum(figures.estimate, 0.0), figures.half_width, RELIABLE)
    columns: Columns = dict(zip(TABLE_COLUMNS, (*figures[:4], reliable)))
    return (
        columns if release.amounts is None else columns | release.amounts.sums_by_unit()._asdict()
    )


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
    unit = str(release.method.unit)
    if release.method.quantity.at_places:  # places count of these people, not records
        unit = unit.replace("at most", "counted in at most").replace("record", "place")
    return {EPSILON: float(release.epsilon), PROTECTS: unit}


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
