"""What error to expect of a release that is not made yet: no points are read, nothing is spent.

The noise is public and known to the digit: what stands here is what the release will state. The
error from taking records as evenly spread inside cells depends on how many there are and how they
lie. From public guesses of their number it is foreseen under two assumptions, which stand wherever
the figures do:

- Records are as dense around a region as inside it, and as dense as the guesses say: a number in
  all is spread evenly over the domain, a number for a region evenly over the region.
- Below that scale they are uneven, at every further scale alike: among four quarters, the mean
  squared deviation from a fourth of their sum is ``unevenness`` times the sum squared, as in
  :mod:`geodp.core.estimates.unevenness`.

So a cell with the mean count c that a border cuts into shares a and 1 - a adds
``a(1 - a)·[c + 16/3 · unevenness · growth · c²]`` to the variance (the formula of the error bars of
a release), where ``growth`` says by how much c² exceeds the square of the mean: of k halvings from
the scale of the guess to that of the cell each makes c² larger by ``1 + 16 · unevenness`` in the
mean over all cells, and by nothing in a typical one; half of that in logarithms is what real data
had. benchmarks/forecast.py compares forecasts with what came true.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Union

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats
from ..estimates.queries import RegionQuery, asked_about
from ..mechanisms.tuners import Tuner, tuner_of
from ..privacy.budget import Budget, Number
from ..privacy.noise import laplace_variance
from ..privacy.protection import Protection, Record, checked_protection
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.grid import Grid
from .forecast_table import Forecast, Outlook
from .guard import check_domain
from .mechanism import Regular, candidates_of
from .release import Published

Expected = Union[str, float, Sequence[float], Floats]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)

EPSILONS = (0.1, 0.3, 1, 3)
"""Budgets that are compared if none are given."""

UNEVENNESS = 0.08
"""Of real data, about: with it half of the forecasts are too low and half too high."""

_ALL_IN_ONE = 3 / 16
"""Unevenness where all records of four quarters are in one of them: there is no more."""

_SEED = 1
"""Public seed of the boxes that are taken where no regions are given."""


def forecast(
    domain: Domain | None = None,
    regions: Any = None,
    *,
    epsilons: Iterable[Number | Budget] = EPSILONS,
    grids: Sequence[Grid] | None = None,
    expected: Expected | None = None,
    unevenness: float = UNEVENNESS,
    tuner: str | Tuner | None = None,
    tuning_share: Number | None = None,
    protect: Protection | None = None,
    force: bool = False,
) -> Forecast:
    """Say what error to expect, before anything is spent. Reads no points.

    Parameters
    ----------
    domain : Domain, optional
        The public rectangle; not needed where ``grids`` are given.
    regions : GeoDataFrame, GeoSeries, path, Workload or array_like of boxes, optional
        What will be asked about; by default the boxes that a release is tuned for.
    epsilons : iterable of number
        Budgets to compare.
    grids : sequence of Grid, optional
        Sizes to compare; by default the ladder that a release chooses from. Choosing among several
        takes a part of ε, here as in the release; of a single size, counts get the whole.
    expected : number, column or sequence, optional
        Public guess of the records that will be counted: in all, or in each region, as the name of
        a column of the layer or one number for each. With it the whole error is foreseen, and
        which size would suit. Never a figure from the points themselves.
    unevenness : float
        How unevenly records lie among four neighbouring quarters, from 0 (evenly) to 3/16 (all in
        one of them).
    tuner, tuning_share, protect
        As for :func:`geodp.release`: what choosing costs, and what is protected.
    force : bool
        Go on where the domain looks like a mistake.

    Returns
    -------
    Forecast

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> grids = geodp.candidate_grids(town, cell_sizes=[100, 500])
    >>> districts = [(0, 0, 1800, 3000), (1800, 0, 4000, 3000)]
    >>> found = geodp.forecast(town, districts, epsilons=[1], grids=grids, expected=1000)
    >>> for row in found.table():
    ...     print(row["cell_size"], round(row["noise_error"], 1), round(row["std_error"], 1))
    100 × 100 m 37.2 37.2
    500 × 500 m 7.2 30.4
    >>> made = geodp.release(([], []), grids=grids, epsilon=1)
    >>> foreseen = {each.grid: each.noise_error for each in found.outlooks}[made.cells.grid]
    >>> bool((made.query(districts).noise_error == foreseen).all())
    True
    """
    sizes = candidates_of(grids, domain)
    check_domain(sizes[0].domain, force=force)
    unit = checked_protection(Record() if protect is None else protect).unit.published
    chooser = tuner_of("influence" if tuner is None else tuner)
    given: Any = epsilons  # whoever does not check types may pass a single one
    several = isinstance(given, Iterable) and not isinstance(given, str)
    budgets = [Budget(epsilon) for epsilon in (given if several else [given])]
    if not budgets:
        raise InputError("a forecast needs at least one epsilon; none was given.")
    if not 0 <= unevenness <= _ALL_IN_ONE:
        raise InputError(f"unevenness must lie between 0 and 3/16; got {unevenness}.")
    scales = [Regular(each, unit, sizes, None, chooser, tuning_share).scale for each in budgets]
    if regions is None:
        regions = Workload.random_boxes(sizes[0].domain, seed=_SEED)
    asked = asked_about(regions, sizes[0].domain)
    if asked.workload is None:
        raise InputError("a forecast needs regions in the domain; all of these lie outside.")
    guess = None if expected is None else _guess(expected, asked, sizes[0])
    cuts = [_Cut.of(asked.workload, grid) for grid in sizes]
    spreads = [None if guess is None else cut.spread(guess, unevenness) for cut in cuts]
    outlooks = tuple(
        _outlook(grid, budget.epsilon, scale, asked, cut, spread)
        for budget, scale in zip(budgets, scales)
        for grid, cut, spread in zip(sizes, cuts, spreads)
    )
    counts = None if guess is None else _placed(guess.counts, asked)
    return Forecast(outlooks, unit, asked.listed, counts, unevenness, asked.layer)


AREAS = (0.01, 0.1, 1.0)
"""Parts of the domain for which a report repeats what was foreseen."""


def foreseen(release: Published) -> tuple[Outlook, ...]:
    """What was known of a release's noise before it was made, for the sizes it could choose from.

    Returns
    -------
    tuple of Outlook
        One for each candidate grid, with boxes of the parts :data:`AREAS` of the domain as regions,
        in its north-west or around the middle of where records can be; none for cells of a tree,
        whose noise follows from what is found.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release(([], []), grids=geodp.candidate_grids(town, [10, 20]), epsilon=1)
    >>> [each.noise_error.round(1).tolist() for each in foreseen(made)]
    [[1.5, 4.6, 15.2], [3.0, 9.3, 30.4]]
    """
    domain, scale = release.domain, release.first.scale
    boxes = [_box(domain, math.sqrt(part)) for part in AREAS]
    asked = asked_about(boxes, domain)
    assert asked.workload is not None
    return tuple(
        _outlook(grid, release.epsilon, scale, asked, _Cut.of(asked.workload, grid), None)
        for grid in release.method.candidates
        if isinstance(grid, Grid)
    )


def _box(domain: Domain, side: float) -> tuple[float, float, float, float]:
    """A box of the domain's shape with a part of its sides."""
    left, bottom, right, top = domain.bounds
    wide, high = domain.width * side, domain.height * side
    if domain.within is not None:
        x, y = domain.within.middle
        left, top = (
            max(min(x - wide / 2, right - wide), left),
            min(max(y + high / 2, bottom + high), top),
        )
    return left, top - high, left + wide, top


class _Guess(NamedTuple):
    """Expected counts of the regions that lie in the domain, and the area that each is for.

    Where it is known within what records can be, weights stand for areas.
    """

    counts: Floats
    over: Floats | float


class _Cut(NamedTuple):
    """How regions cut the cells of a grid: all that errors depend on."""

    squares: Floats
    inside: Floats
    border: Floats
    border_squares: Floats
    cell: float

    @classmethod
    def of(cls, regions: Workload, grid: Grid) -> _Cut:
        overlap = regions.overlap(grid)
        areas = _areas(grid)
        return cls(
            overlap.power_sum(2),
            overlap.weighted(areas, lambda share: share),
            np.maximum(overlap.weighted(areas, lambda share: share * (1 - share)), 0),
            np.maximum(overlap.weighted(areas**2, lambda share: share * (1 - share)), 0),
            _whole(grid) / int(np.count_nonzero(grid.supported)),
        )

    def spread(self, guess: _Guess, unevenness: float) -> Floats:
        """Variance of what the even spread inside cells gets wrong."""
        with np.errstate(divide="ignore", invalid="ignore"):  # regions where no records can be
            density = np.where(self.inside > 0, guess.counts / self.inside, 0.0)
            halvings = np.maximum(np.log(guess.over / self.cell) / math.log(4), 0)
        growth = (1 + 16 * unevenness) ** (halvings / 2)
        clumps = 16 / 3 * unevenness * growth * density**2
        return np.asarray(density * self.border + clumps * self.border_squares)


def _areas(grid: Grid) -> Floats:
    """Areas of the cells; where it is known within what records can be, their weights."""
    if grid.domain.within is not None:
        return grid.weights
    return np.multiply.outer(np.diff(grid.y_edges)[::-1], np.diff(grid.x_edges))


def _whole(grid: Grid) -> float:
    return grid.domain.area if grid.domain.within is None else float(grid.weights.sum())


def _guess(expected: Expected, asked: RegionQuery, grid: Grid) -> _Guess:
    assert asked.workload is not None
    inside = _Cut.of(asked.workload, grid).inside
    if isinstance(expected, (int, float, np.number)) and not isinstance(expected, bool):
        if not (math.isfinite(expected) and expected >= 0):
            raise InputError(f"expected must be a number from 0 on; got {expected}.")
        whole = _whole(grid)
        return _Guess(np.asarray(float(expected) * inside / whole), whole)
    if isinstance(expected, str):
        expected = _column(expected, asked)
    try:
        counts = np.asarray(expected, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.shape != (asked.listed,) or not (np.isfinite(counts) & (counts >= 0)).all():
        raise InputError(
            "expected must be a number of records in all, or a column or list with a number from 0 "
            f"on for each of the {asked.listed:,} regions; got something else."
        )
    return _Guess(counts[asked.rows], inside)


def _column(name: str, asked: RegionQuery) -> Any:
    layer = asked.layer
    columns = {} if layer is None else layer.drop(columns=layer.geometry.name)
    if name not in columns:
        there = ", ".join(map(repr, map(str, columns))) or "none"
        raise InputError(
            "expected must be a number of records in all or a column of the regions; there is no "
            f"{name!r}: the columns are {there}."
        )
    return columns[name]


def _outlook(
    grid: Grid,
    epsilon: Fraction,
    scale: Fraction,
    asked: RegionQuery,
    cut: _Cut,
    spread: Floats | None,
) -> Outlook:
    noise = laplace_variance(scale) * cut.squares  # as in a release, to the last bit
    whole = None if spread is None else _placed(np.sqrt(noise + spread), asked)
    return Outlook(grid, epsilon, scale, _placed(np.sqrt(noise), asked), whole)


def _placed(values: Floats, asked: RegionQuery) -> Floats:
    """Values for all regions, NaN for those that cannot be answered."""
    column = np.full(asked.listed, np.nan)
    column[asked.rows] = values
    return column
