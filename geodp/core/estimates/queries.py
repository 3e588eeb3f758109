"""Answer questions to a release about boxes, polygons, layers and paths of layers.

A region outside the domain has no answer, which is said for that region alone. Public: nothing
here knows any points.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..common.errors import InputError
from ..common.types import Floats, Ints, as_positive
from ..regions.workload import Workload, checked_boxes
from ..space.cells import cell_areas, square_kilometres
from ..space.domain import Domain
from ..space.grid import Grid
from .answers import (
    RELIABLE,
    AmountAnswers,
    Answers,
    answer,
    checked_level,
    checked_reliable,
    is_reliable,
    placed,
)
from .quantiles import Quantiles
from .ratios import Ratios, rates

if TYPE_CHECKING:
    from ..releases.difference import Difference
    from ..releases.release import Release


_ALL_COVERED = 0.99
"""Part of a region that must lie in the domain for a rate: the population is that of all of it."""

_FINE = 64
"""Cells along each side of the domain on which the areas of regions are measured."""


class RegionQuery(NamedTuple):
    """Regions as somebody asks about them, and those of them that can be answered.

    Attributes
    ----------
    workload : Workload or None
        Regions that overlap the domain; None if there are none.
    rows : ndarray of int
        Which of all regions these are.
    listed : int
        Number of all regions.
    outside : ndarray of int
        Sound regions that lie outside the domain.
    layer : GeoDataFrame or None
        The layer they came from.
    inside : ndarray or None
        Of a layer, the areas of ``rows`` inside the domain.
    """

    workload: Workload | None
    rows: Ints
    listed: int
    outside: Ints
    layer: Any = None
    inside: Floats | None = None


def asked_about(
    regions: Any, domain: Domain, *, skip_invalid: bool = False, total: bool = False
) -> RegionQuery:
    """Take whatever stands for regions: boxes, a layer or its path, a workload.

    With ``total``, all of them are one region: what they cover together.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> asked_about([(0, 0, 1000, 1000), (8000, 0, 9000, 1000)], town).rows
    array([0])
    """
    if isinstance(regions, RegionQuery):
        return regions
    if isinstance(regions, Workload):
        if total:
            raise InputError(
                "`total` needs boxes, a layer or its path; got a Workload, which has no more than "
                "what lies in the domain."
            )
        if regions.domain != domain:
            raise InputError(
                f"regions must be on the release's domain; got {regions.domain!r} for {domain!r}."
            )
        count = len(regions)
        return RegionQuery(regions, np.arange(count), count, np.zeros(0, dtype=np.int64))
    if isinstance(regions, (str, os.PathLike)):
        from ...sources.layers import read_layer

        regions = read_layer(regions, "regions")
    if hasattr(regions, "geometry"):
        return _layer(regions, domain, skip_invalid, total)
    if not isinstance(regions, (Sequence, np.ndarray)):
        raise InputError(
            "regions must be a GeoDataFrame, a GeoSeries, the path of a layer, a Workload "
            f"or rows of xmin, ymin, xmax, ymax; got {type(regions).__name__}."
        )
    boxes, inside = checked_boxes(regions, domain)
    if total:
        return _union_of_boxes(boxes, domain)
    rows, outside = np.flatnonzero(inside), np.flatnonzero(~inside)
    asked = Workload.from_boxes(boxes[inside], domain) if len(rows) else None
    return RegionQuery(asked, rows, len(boxes), outside)


def _union_of_boxes(boxes: Floats, domain: Domain) -> RegionQuery:
    try:
        from ...sources.regions import union_of_boxes
    except ImportError:
        raise InputError(
            "`total` needs the package shapely, which is not installed: unite the regions first."
        ) from None
    union = union_of_boxes(boxes, domain)
    asked = Workload.from_regions(union, domain) if len(union.rows) else None
    return RegionQuery(asked, union.rows, union.listed, union.outside)


def _layer(regions: Any, domain: Domain, skip_invalid: bool, total: bool) -> RegionQuery:
    import geopandas

    from ...sources.regions import read_regions, union_of_layer

    if total:
        regions = union_of_layer(regions, skip_invalid=skip_invalid)
    inside = read_regions(regions, domain, skip_invalid=skip_invalid)
    asked = Workload.from_regions(inside, domain) if len(inside.rows) else None
    layer = regions if isinstance(regions, geopandas.GeoDataFrame) else regions.to_frame("geometry")
    return RegionQuery(asked, inside.rows, inside.listed, inside.outside, layer, inside.inside)


def ask(
    release: Release | Difference,
    regions: Any,
    *,
    level: float,
    skip_invalid: bool,
    density: bool,
    total: bool = False,
    per: str | None = None,
    each: float = 1,
    reliable: float = RELIABLE,
) -> Any:
    """Return answers for regions. See :meth:`geodp.Release.query`."""
    checked_reliable(reliable)
    if per is not None and total:
        raise InputError(
            "a rate is of single regions, whose populations are known; got `per` and `total`: "
            "leave one of them out."
        )
    asked = asked_about(regions, release.domain, skip_invalid=skip_invalid, total=total)
    if asked.layer is None:
        if per is not None:
            raise InputError(
                "`per` names a column of a layer of regions, and these have none: divide the "
                "answers by the populations, which are public."
            )
        return _answers(release, asked, level)
    population = None if per is None else read_population(asked.layer, per)
    options: dict[str, Any] = {"density": density, "population": population, "each": each}
    columns = answer_columns(release, asked, level=level, reliable=reliable, **options)
    layer = asked.layer
    if layer.geometry.name in columns:
        layer = layer.rename_geometry("geometry")
    earlier = [name for name in columns if name in layer.columns]  # of another release, replaced
    answered = layer.drop(columns=earlier).assign(**columns)
    answered.attrs["geodp_counted"] = release.counted
    return answered


def _answers(release: Release | Difference, asked: RegionQuery, level: float) -> Any:
    """Answer for all regions that were asked about, with sums and means where there are any."""
    amounts = getattr(release, "amounts", None)
    make_answers: Any = (Answers if amounts is None else AmountAnswers)._make
    if asked.workload is None:
        inside = make_answers([np.zeros(0)] * (7 if amounts is None else 13))
    else:
        counts = answer(release.estimate, asked.workload, level)
        more = () if amounts is None else amounts.answer(asked.workload, level)
        inside = make_answers([*counts, *more])
    return placed(inside, asked.rows, asked.listed, asked.outside)


def answer_columns(
    release: Release | Difference,
    asked: RegionQuery,
    *,
    level: float,
    density: bool = False,
    population: Floats | None = None,
    each: float = 1,
    reliable: float = RELIABLE,
) -> dict[str, Any]:
    """Return answers for the regions of a layer, as columns by their names.

    Parameters
    ----------
    release : Release or Difference
        What is asked.
    asked : RegionQuery
        The regions.
    level : float
        How often intervals shall hold the truth.
    density : bool
        Add records per square kilometre.
    population : ndarray, optional
        Add rates per these public numbers, one for each region; NaN where there is none.
    each : float
        Of how many of them the rates are.
    reliable : float
        Part of an estimate that half of its interval may be, where it is called reliable.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(), seed=1)
    >>> asked = asked_about([town.bounds], town)
    >>> columns = answer_columns(release, asked, level=0.95, population=np.array([600.0]))
    >>> list(columns)[-4:]
    ['reliable', 'rate', 'rate_low', 'rate_high']
    """
    answers = _answers(release, asked, level)
    columns: dict[str, Any] = {}
    for name, values in answers._asdict().items():
        columns[name] = values
        if name == "covered":
            columns["reliable"] = is_reliable(answers, reliable)
    if density:
        areas = np.full(asked.listed, np.nan)
        if asked.workload is not None and asked.inside is not None:
            areas[asked.rows] = asked.inside * on_the_ground(asked.workload)
        columns |= densities(answers, areas, release.domain)
    if population is not None:
        known = np.where(answers.covered >= _ALL_COVERED, population, np.nan)
        half = (answers.ci_high - answers.ci_low) / 2
        columns |= rates(answers.estimate, half, known, _checked_each(each))._asdict()
    return columns


def read_population(layer: Any, column: object) -> Floats:
    """Read a column of public numbers to divide by; NaN where there is none.

    Parameters
    ----------
    layer : GeoDataFrame
        Regions.
    column : str
        Its name.
    """
    names = [str(name) for name in layer.columns if name != layer.geometry.name]
    if not isinstance(column, str) or names.count(column) != 1:
        raise InputError(
            f"`per` must name one column of the regions, with their populations; got {column!r}: "
            f"the columns are {', '.join(map(repr, names)) or 'none'}."
        )
    values = layer[column]
    if values.dtype.kind not in "iuf" and not _holds_numbers(values):
        raise InputError(
            f"the column to divide by must hold numbers; {column!r} holds others: choose another "
            "column, or turn it into numbers first."
        )
    return np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))


def _holds_numbers(values: Any) -> bool:
    """Tell whether objects, such as decimals of a database, are numbers where they are anything."""
    return all(isinstance(value, (Real, Decimal)) for value in values.dropna())


def _checked_each(each: object) -> float:
    people = as_positive(each)
    if people is None:
        raise InputError(
            "`each` says of how many people a rate is, a positive number such as 1000; got "
            f"{each!r}."
        )
    return people


def ask_ratio(
    compare: Callable[[Workload, float], Ratios | Quantiles],
    regions: Any,
    domain: Domain,
    *,
    level: float,
    names: tuple[str, str, str] = ("ratio", "ratio_low", "ratio_high"),
    skip_invalid: bool = False,
    empty: type[Ratios | Quantiles] = Ratios,
) -> Any:
    """Return quotients for regions, or quantiles, as arrays for boxes and as columns of a layer.

    Parameters
    ----------
    compare : callable
        Takes regions and a level, and gives quotients.
    regions, level, skip_invalid
        As for :meth:`geodp.Release.query`.
    domain : Domain
        What the regions are on.
    names : tuple of str
        Columns of a layer.
    empty : type
        What holds the answers.
    """
    asked = asked_about(regions, domain, skip_invalid=skip_invalid)
    inside = empty(*[np.zeros(0)] * 3)
    if asked.workload is not None:
        inside = compare(asked.workload, checked_level(level))
    ratios: Ratios | Quantiles = placed(inside, asked.rows, asked.listed, asked.outside)
    if asked.layer is None:
        return ratios
    columns = dict(zip(names, ratios))
    earlier = [name for name in columns if name in asked.layer.columns]
    return asked.layer.drop(columns=earlier).assign(**columns)


def on_the_ground(regions: Workload) -> Floats:
    """Return the area of each region on the ground, as a part of its area on the map."""
    domain = regions.domain
    grid = Grid(domain, (_FINE, _FINE))
    flat = np.full(grid.shape, square_kilometres(np.array(domain.area / grid.cells), domain.crs))
    overlap = regions.overlap(grid)
    on_map, on_ground = (
        overlap.weighted(areas, lambda share: share) for areas in (flat, cell_areas(grid))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(on_map > 0, on_ground / on_map, 1.0)  # where no records can be


def densities(answers: Answers, areas: Floats, domain: Domain) -> dict[str, Floats]:
    """Return records per square kilometre of what lies in the domain, with their interval.

    Parameters
    ----------
    answers : Answers
        Counts.
    areas : ndarray
        Areas of the regions inside the domain and on the ground, in squared CRS units.
    domain : Domain
        Whose units these are.

    Examples
    --------
    >>> answers = Answers(*(np.array([part]) for part in (8.0, 1, 1, 6.0, 10.0, 0, 1)))
    >>> densities(answers, np.array([2e6]), Domain((0, 0, 4000, 3000), crs="EPSG:5070"))
    {'density': array([4.]), 'density_low': array([3.]), 'density_high': array([5.])}
    """
    size = square_kilometres(areas, domain.crs)
    return {
        "density": answers.estimate / size,
        "density_low": answers.ci_low / size,
        "density_high": answers.ci_high / size,
    }
