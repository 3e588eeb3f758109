"""Refuse likely mistakes before the spend: a budget that is spent does not come back.

All checks are of public things that a person typed. Each refuses in one sentence, and whoever means
it goes on with ``force=True``. A release with a seed spends nothing and is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..common.errors import InputError
from ..privacy.budget import Budget, ExactNumber
from ..space.domain import Domain
from ..space.wording import significant, size_in_words

MOST_EPSILON = 10
"""Beyond it, exp(ε) is more than 22,000: next to nothing is promised."""

LEAST_EPSILON = 1e-5
"""Below it no map of any cells tells anything, unless there are more records than people."""

LEAST_SIDE = 100
"""Metres that the sides of a domain should have."""

MOST_RECORDS = 10**8
"""Records that cells may need to stand out of the noise before a slip is supposed."""


def check_domain(domain: Domain, *, force: bool = False) -> None:
    """Refuse bounds that hardly anybody can mean.

    Parameters
    ----------
    domain : Domain
        The public rectangle.
    force : bool
        It is meant.

    Examples
    --------
    >>> check_domain(Domain((-125, 24, -66, 50), crs="EPSG:5070"))
    Traceback (most recent call last):
    geodp.core.common.errors.InputError: bounds must be in units of the CRS; (-125.0, 24.0, ...
    """
    for doubt in _domain_doubts(domain):
        _refuse(doubt, force)


def check_spend(epsilon: ExactNumber | Budget, needed: float = 0, *, force: bool = False) -> None:
    """Refuse a budget that protects nobody, or buys nothing, and cells that drown in noise.

    Parameters
    ----------
    epsilon : number or Budget
        Budget of the whole release.
    needed : float
        Records without which not even the largest cells would stand out of the noise: the root
        cells of a tree, or those of the coarsest candidate.
    force : bool
        It is meant.

    Examples
    --------
    >>> check_spend(1)
    >>> check_spend(50, force=True)
    """
    budget = float(Budget(epsilon).epsilon)
    if budget > MOST_EPSILON:
        _refuse(
            f"epsilon above {MOST_EPSILON} promises next to nothing; got {budget:g}: choose a "
            "smaller one",
            force,
        )
    if budget < LEAST_EPSILON:
        _refuse(
            f"epsilon below {LEAST_EPSILON:g} leaves noise alone, of hundreds of thousands of "
            f"records in any count whatever its cells; got {budget:g}: choose a larger one",
            force,
        )
    if needed > MOST_RECORDS:
        _refuse(
            "cells must hold enough records to stand out of the noise; even the largest of these "
            f"would need some {significant(needed)} records in all at this epsilon: use larger "
            "cells, or a larger epsilon",
            force,
        )


def _refuse(doubt: str, force: bool) -> None:
    if not force:
        raise InputError(f"{doubt}, or say with `force=True` that it is meant.")


def _domain_doubts(domain: Domain) -> Iterator[str]:
    crs = domain.crs
    if crs.geographic:
        return
    xmin, ymin, xmax, ymax = domain.bounds
    short = min(domain.width, domain.height) * crs.metres_per_unit
    if min(xmin + 360, 360 - xmax, ymin + 90, 90 - ymax) >= 0 and short < 1000:
        yield (
            f"bounds must be in units of the CRS; {domain.bounds} look like degrees, and "
            f"{crs.short} is projected: give them as its coordinates"
        )
    elif short < LEAST_SIDE:
        yield (
            f"a domain should be at least {LEAST_SIDE} m wide and high; this one is "
            f"{size_in_words(domain.width, domain.height, crs)}: check the bounds and the units of "
            f"{crs.short}"
        )
    elsewhere = _elsewhere(domain)
    if elsewhere is not None:
        yield elsewhere


def _elsewhere(domain: Domain) -> str | None:
    """Say that the domain lies far from where its CRS is used, as far as that is known."""
    try:
        from ...sources.earth import area_of_use
    except ImportError:
        return None  # the core stands alone: a host such as QGIS looks for itself
    use = area_of_use(domain)
    if use is None or not use.far:
        return None
    return (
        f"the domain must lie where its CRS is used; {domain.crs.short} is for "
        f"{_degrees(use.west, 'EW')} to {_degrees(use.east, 'EW')} and "
        f"{_degrees(use.south, 'NS')} to {_degrees(use.north, 'NS')}, and {domain.bounds} lies "
        "far from there: check the order of the bounds, and the CRS"
    )


def _degrees(value: float, sides: str) -> str:
    return f"{significant(abs(value))}° {sides[value < 0]}"
