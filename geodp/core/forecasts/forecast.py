"""Foresee the error of a release that is not made yet: no points are read, nothing is spent.

Of one regular grid the noise is public and known to the digit: the release will state the same. The
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
had.

Adaptive cells follow the records, so without a guess of their number nothing is known of them. With
one, a plain model stands in for the tree. Its final cells hold about κ/ε records each wherever they
are, so a border cuts S of them, weighed by a(1 - a), where S is counted on a grid and grows with
the root of the number of cells; it is at most the number of cells that the region holds. Each adds
its noise, ``20/ε²``, and three eighths of what uneven records in it add, as above. Cells of a tree
err together: on real data, ``S**1.25`` in place of S accounts for it. Where the guess is a number
in all, a typical region has less than its part by area: the variance falls by a power of
``1 + 16 · unevenness`` with each halving of scale. To this comes the noise of the total, ``8 + 5 ·
log10(1 + n·ε/30)`` over ε, by the share of the region in the domain. The constants were set on
thirteen datasets: from counts of each region, eight forecasts in ten were .75 to 1.4 times what
came true, all of them .56 to 1.9 times; from a number in all nearly nine in ten were right within a
factor of two, and some were five times too high where most of the domain is empty.

benchmarks/forecast.py compares forecasts with what came true.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Union, overload

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats, as_positive
from ..estimates.queries import RegionQuery, asked_about
from ..pipeline.choice_kind import Choice
from ..pipeline.district_kind import Districts
from ..pipeline.fixed_kind import FixedKind
from ..pipeline.guard import check_domain
from ..pipeline.kinds import Adaptive, Cells, Kind, Regular, checked_kind, default_boxes
from ..pipeline.mechanism import RegularMechanism, Terms, not_fixed
from ..privacy.budget import Budget, ExactNumber
from ..privacy.protection import Protection, Record, checked_protection
from ..privacy.quantity import Quantity
from ..privacy.unit import Unit
from ..records.amounts import Amount, checked_amount
from ..regions.workload import Workload
from ..releases.published import Published
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid, candidate_grids
from .district_forecast import DistrictForecast, forecast_districts, not_known
from .forecast_table import Forecast, Outlook, noise_variance

Expected = Union[str, float, Sequence[float], Floats]  # noqa: UP007 (QGIS 3.22 has Python 3.9)

EPSILONS = (0.1, 0.3, 1, 3)
"""Budgets that are compared if none are given."""

UNEVENNESS = 0.08
"""Of real data, about: with it half of the forecasts are too low and half too high."""

_ALL_IN_ONE = 3 / 16
"""Unevenness where all records of four quarters are in one of them: there is no more."""

RECORDS_PER_CELL = 7
"""Records of a final adaptive cell times ε, about: 4 where there are few records, 10 where many."""

_TREE_NOISE, _TREE_SPREAD, _TREE_POWER, _TREE_SHRINKS = 20.0, 3 / 8, 1.25, 0.4
"""Of the model for adaptive cells: see the top of this module."""

_YARDSTICK = 80
"""Divisions per side, about, of the grid on which borders of regions are measured for adaptive
cells."""


@overload
def forecast(
    domain: None = None, regions: None = None, *, cells: Districts, **options: Any
) -> DistrictForecast: ...


@overload
def forecast(domain: Domain | None = None, regions: Any = None, **options: Any) -> Forecast: ...


def forecast(  # type: ignore[misc]  # other options are checked when it runs
    domain: Domain | None = None,
    regions: Any = None,
    *,
    epsilons: Iterable[ExactNumber | Budget] = EPSILONS,
    cells: Cells | Sequence[Cells] = ("adaptive", "regular"),
    expected: Expected | None = None,
    unevenness: float = UNEVENNESS,
    protect: Protection | None = None,
    amount: Amount | None = None,
    force: bool = False,
) -> Forecast | DistrictForecast:
    """Say what error to expect, before anything is spent. Reads no points.

    Parameters
    ----------
    domain : Domain, optional
        The public rectangle; not needed where grids or districts state it.
    regions : GeoDataFrame, GeoSeries, path, Workload or array_like of boxes, optional
        What will be asked about; by default boxes of 1 % to 64 % of the area.
    epsilons : iterable of number
        Budgets to compare.
    cells : Adaptive, Regular, "adaptive", "regular", sequence of these; Districts, Hexagons or H3
        Kinds of cells to compare, by default both. Of :class:`geodp.Regular` every size is
        foreseen; choosing among several takes a part of ε, here as in the release, and of a single
        size, counts get the whole. :class:`geodp.Districts`, :class:`geodp.Hexagons` and
        :class:`geodp.H3` of one resolution are foreseen by themselves, exactly.
    expected : number, column or sequence, optional
        Public guess of the records that will be counted: in all, or in each region, as the name of
        a column of the layer or one number for each. With it the whole error is foreseen, and
        which cells would suit; without it nothing is known of adaptive cells. Never a figure from
        the points themselves.
    unevenness : float
        How unevenly records lie among four neighbouring quarters, from 0 (evenly) to 3/16 (all in
        one of them).
    protect : Record, Feature or Person, optional
        What is protected, as for :func:`geodp.release`.
    amount : Amount, optional
        What would be added up, with its public bounds: of districts and hexagons, the errors of
        sums and means are foreseen too, for 100, 1,000 and 10,000 records in each, or for the one
        number that is ``expected``.
    force : bool
        Go on where the domain looks like a mistake.

    Returns
    -------
    Forecast
        Or, of districts and hexagons, a :class:`geodp.DistrictForecast`.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> districts = [(0, 0, 1800, 3000), (1800, 0, 4000, 3000)]
    >>> cells = [geodp.Adaptive(), geodp.Regular(cell_sizes=[100, 500])]
    >>> forecast = geodp.forecast(town, districts, epsilons=[1], cells=cells, expected=1000)
    >>> for row in forecast.table():
    ...     print(row["cells"], round(row["noise_error"], 1), round(row["std_error"], 1))
    adaptive 9.2 9.9
    30 × 40 37.2 37.2
    6 × 8 7.2 30.4

    The noise of a grid is that of the release:

    >>> release = geodp.release(([], []), town, epsilon=1, cells=cells[1])
    >>> foreseen = {each.cells: each.noise_error for each in forecast.outlooks}[release.cells.grid]
    >>> bool((release.query(districts).noise_error == foreseen).all())
    True
    """
    kinds = _kinds(cells)
    fixed = next((kind for kind in kinds if isinstance(kind, (Districts, FixedKind))), None)
    if fixed is not None:
        adds = checked_amount(amount)
        records = None if adds is None or expected is None else _records(expected)
        _check_alone(fixed, kinds, domain, regions, expected if adds is None else None)
        place = fixed.cells.domain if isinstance(fixed, Districts) else domain
        if place is not None:  # where none is given, the release asks for it
            check_domain(place, force=force)
        protection = checked_protection(Record() if protect is None else protect)
        return forecast_districts(fixed, domain, _budgets(epsilons), protection, adds, records)
    if amount is not None:
        raise InputError(
            "errors of sums and means are foreseen for districts and hexagons; got `amount` for "
            "other cells: name `districts`, or leave it out."
        )
    for kind in kinds:
        if domain is None and isinstance(kind, Regular) and kind.grids is not None:
            domain = kind.grids[0].domain
    places = [_lattices(kind, domain) for kind in kinds]
    domain = places[0][0].domain
    check_domain(domain, force=force)
    protection = checked_protection(Record() if protect is None else protect)
    unit, quantity = protection.unit.published, protection.quantity
    if quantity.at_places and not all(
        isinstance(kind, Regular) and len(lattices) == 1 for kind, lattices in zip(kinds, places)
    ):
        raise not_fixed()
    budgets = _budgets(epsilons)
    if not 0 <= unevenness <= _ALL_IN_ONE:
        raise InputError(f"unevenness must lie between 0 and 3/16; got {unevenness}.")
    asked = asked_about(default_boxes(domain) if regions is None else regions, domain)
    if asked.workload is None:
        raise InputError("a forecast needs regions in the domain; all of these lie outside.")
    yardstick = _yardstick(domain)
    guess = None if expected is None else _guess(expected, asked, yardstick)
    rows = []
    for kind, lattices in zip(kinds, places):
        if isinstance(kind, Regular):
            grids = [lattice for lattice in lattices if isinstance(lattice, Grid)]
            rows.append(_grid_rows(kind, grids, budgets, unit, quantity, asked, guess, unevenness))
        else:
            rows.append(_tree_rows(lattices[0], budgets, unit, asked, yardstick, guess, unevenness))
    outlooks = tuple(
        outlook for place in range(len(budgets)) for part in rows for outlook in part[place]
    )
    counts = None if guess is None else _placed(guess.counts, asked)
    things = quantity.things
    return Forecast(outlooks, unit, asked.listed, counts, unevenness, asked.layer, things)


def _check_alone(
    fixed: Kind, kinds: Sequence[Kind], domain: Any, regions: Any, expected: Any
) -> None:
    """Refuse what does not go with a forecast of districts or hexagons."""
    given = {"regions": regions, "expected counts": expected}
    if isinstance(fixed, Districts):
        given["a domain"] = domain
    more = [name for name, value in given.items() if value is not None]
    if len(kinds) > 1:
        more.append("other cells")
    if more:
        raise InputError(
            "districts and hexagons are foreseen by themselves, exactly and whatever they hold; "
            f"got {more[0]} too: leave them out."
        )


def _records(expected: object) -> float:
    """Return the number of records that a cell may have, or refuse what is none."""
    records = as_positive(expected)
    if records is None:
        raise InputError(
            "the records to expect in a district or hexagon are one positive number; got "
            f"{expected!r}: leave it out for several."
        )
    return records


def _budgets(given: Any) -> list[Budget]:
    """Return the budgets to compare; whoever does not check types may pass a single one."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    budgets = [Budget(epsilon) for epsilon in (given if several else [given])]
    if not budgets:
        raise InputError("a forecast needs at least one epsilon; none was given.")
    return budgets


def _kinds(cells: Any) -> list[Kind]:
    """Return the kinds of cells to compare."""
    listed = list(cells) if isinstance(cells, (list, tuple)) else [cells]
    if any(isinstance(each, Choice) for each in listed):
        raise not_known()
    if not listed:
        raise InputError("a forecast needs `cells` of at least one kind; got none.")
    return [checked_kind(kind) for kind in listed]


def _lattices(kind: Kind, domain: Domain | None) -> tuple[Grid, ...] | tuple[Frame]:
    """Return the grids of a kind, or the frame of a tree."""
    assert not isinstance(kind, (Districts, FixedKind))
    if isinstance(kind, Adaptive) and kind.districts is not None:
        raise InputError(
            "a forecast compares plain adaptive and regular `cells`; got cells inside of "
            "districts: leave `districts` out for a forecast."
        )
    return (kind.frame(domain),) if isinstance(kind, Adaptive) else kind.candidates(domain)


def _yardstick(domain: Domain) -> Grid:
    """Return a grid of near-square cells on which borders of regions are measured."""
    ladder = candidate_grids(domain)
    return min(ladder, key=lambda grid: abs(grid.cells - _YARDSTICK**2))


def _grid_rows(
    kind: Regular,
    grids: Sequence[Grid],
    budgets: Sequence[Budget],
    unit: Unit,
    quantity: Quantity,
    asked: RegionQuery,
    guess: _Guess | None,
    unevenness: float,
) -> list[list[Outlook]]:
    """Compute outlooks of the sizes of one grid, for each budget."""
    assert asked.workload is not None
    cuts = [_Cut.of(asked.workload, grid) for grid in grids]
    spreads = [None if guess is None else cut.spread(guess, unevenness) for cut in cuts]
    rows = []
    for budget in budgets:
        mechanism = RegularMechanism(
            Terms(budget, unit, quantity=quantity),
            tuple(grids),
            None,
            kind.chooser,
            kind.tuning_share,
        )
        scale, units = mechanism.scale, quantity.units
        rows.append(
            [
                _outlook(grid, budget.epsilon, scale, asked, cut, spread, units)
                for grid, cut, spread in zip(grids, cuts, spreads)
            ]
        )
    return rows


def _tree_rows(
    frame: Grid | Frame,
    budgets: Sequence[Budget],
    unit: Unit,
    asked: RegionQuery,
    yardstick: Grid,
    guess: _Guess | None,
    unevenness: float,
) -> list[list[Outlook]]:
    """Foresee adaptive cells: unknown without a guess, else by the model of this module."""
    assert asked.workload is not None
    scales = [unit.distance / budget.epsilon for budget in budgets]
    if guess is None:
        unknown = np.full(asked.listed, np.nan)
        return [
            [Outlook(frame, budget.epsilon, scale, unknown, None)]
            for budget, scale in zip(budgets, scales)
        ]
    cut = _Cut.of(asked.workload, yardstick)
    share = cut.inside / _total_area(yardstick)
    with np.errstate(divide="ignore", invalid="ignore"):  # regions where no records can be
        density = np.where(cut.inside > 0, guess.counts / cut.inside, 0.0)
        halvings = np.maximum(np.log(guess.over / cut.inside) / math.log(4), 0)
    shrinks = (1 + 16 * unevenness) ** (-_TREE_SHRINKS * np.where(cut.inside > 0, halvings, 0))
    rows = []
    for budget, exact in zip(budgets, scales):
        scale = float(exact)
        held = RECORDS_PER_CELL * scale
        cut_cells = cut.border / cut.cell * np.sqrt(density * cut.cell / held)
        cut_cells = np.minimum(cut_cells, guess.counts / held) ** _TREE_POWER * shrinks
        total = 8 + 5 * np.log10(1 + density * _total_area(yardstick) / scale / 30)
        noise = scale**2 * (_TREE_NOISE * cut_cells + (share * total) ** 2)
        spread = _TREE_SPREAD * (held + 16 / 3 * unevenness * held**2) * cut_cells
        errors = _placed(np.sqrt(noise), asked), _placed(np.sqrt(noise + spread), asked)
        rows.append([Outlook(frame, budget.epsilon, exact, *errors)])
    return rows


AREAS = (0.01, 0.1, 1.0)
"""Parts of the domain for which a report repeats what was foreseen."""


def foreseen(release: Published) -> tuple[Outlook, ...]:
    """Return the noise of each candidate grid as it was known before the release.

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
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[10, 20]))
    >>> [each.noise_error.round(1).tolist() for each in foreseen(release)]
    [[1.5, 4.6, 15.2], [3.0, 9.3, 30.4]]
    """
    domain, scale = release.domain, release.first.scale
    units = release.method.quantity.units
    boxes = [_box(domain, math.sqrt(part)) for part in AREAS]
    asked = asked_about(boxes, domain)
    assert asked.workload is not None
    return tuple(
        _outlook(grid, release.epsilon, scale, asked, _Cut.of(asked.workload, grid), None, units)
        for grid in release.method.candidates
        if isinstance(grid, Grid)
    )


def _box(domain: Domain, side: float) -> tuple[float, float, float, float]:
    """Return a box of the domain's shape with a part of its sides."""
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
    """Hold expected counts of the regions that lie in the domain, and the area that each is for.

    Where it is known within what records can be, weights stand for areas.
    """

    counts: Floats
    over: Floats | float


class _Cut(NamedTuple):
    """Measure how regions cut the cells of a grid: all that errors depend on."""

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
            _total_area(grid) / int(np.count_nonzero(grid.supported)),
        )

    def spread(self, guess: _Guess, unevenness: float) -> Floats:
        """Compute the variance of what the even spread inside cells gets wrong."""
        with np.errstate(divide="ignore", invalid="ignore"):  # regions where no records can be
            density = np.where(self.inside > 0, guess.counts / self.inside, 0.0)
            halvings = np.maximum(np.log(guess.over / self.cell) / math.log(4), 0)
        growth = (1 + 16 * unevenness) ** (halvings / 2)
        clumps = 16 / 3 * unevenness * growth * density**2
        return np.asarray(density * self.border + clumps * self.border_squares)


def _areas(grid: Grid) -> Floats:
    """Return areas of the cells, or their weights where it is known within what records can be."""
    if grid.domain.within is not None:
        return grid.weights
    return np.multiply.outer(np.diff(grid.y_edges)[::-1], np.diff(grid.x_edges))


def _total_area(grid: Grid) -> float:
    return grid.domain.area if grid.domain.within is None else float(grid.weights.sum())


def _guess(expected: Expected, asked: RegionQuery, grid: Grid) -> _Guess:
    assert asked.workload is not None
    inside = _Cut.of(asked.workload, grid).inside
    if isinstance(expected, (int, float, np.number)) and not isinstance(expected, bool):
        if not (math.isfinite(expected) and expected >= 0):
            raise InputError(f"expected must be a number from 0 on; got {expected}.")
        area = _total_area(grid)
        return _Guess(np.asarray(float(expected) * inside / area), area)
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
        columns_text = ", ".join(map(repr, map(str, columns))) or "none"
        raise InputError(
            "expected must be a number of records in all or a column of the regions; there is no "
            f"{name!r}: the columns are {columns_text}."
        )
    return columns[name]


def _outlook(
    grid: Grid,
    epsilon: Fraction,
    scale: Fraction,
    asked: RegionQuery,
    cut: _Cut,
    spread: Floats | None,
    units: int = 1,
) -> Outlook:
    noise = noise_variance(scale, units) * cut.squares  # as in a release, to the last bit
    both = None if spread is None else _placed(np.sqrt(noise + spread), asked)
    return Outlook(grid, epsilon, scale, _placed(np.sqrt(noise), asked), both, units)


def _placed(values: Floats, asked: RegionQuery) -> Floats:
    """Return values for all regions, NaN for those that cannot be answered."""
    column = np.full(asked.listed, np.nan)
    column[asked.rows] = values
    return column
