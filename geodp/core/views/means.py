"""Means of an amount, and shares of a group, on a map: what cells show, and in which classes.

A mean or a share is shown where it is known, and cells where it is not are grey. What a single
question takes for known errs once in forty times, and a map asks of every cell at once: among two
hundred empty hexagons, five would be coloured. So a map shows a cell only where it holds records
at a level that all cells share: one map in forty, at most, colours any that is empty.

Classes lie between round limits at equal distances, since both are compared by differences and not
by how many times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.phrases import Phrase
from ..common.types import Bools, Floats
from ..estimates.estimate import ErrorTerms, Estimate
from ..estimates.ratios import (
    AmountEstimate,
    Ratios,
    Sums,
    group_share,
    interval_reach,
    noise_terms,
    sums_and_means,
)
from .legend import Class, Legend
from .picture import picture_cells, ramp
from .raster_cells import values_on

if TYPE_CHECKING:
    from ..records.amounts import Amount
    from ..releases.published import Published
    from ..releases.release import Release

_LEVEL = 0.95
"""Of intervals; that of all cells of a map together, where these may hold no records."""

_MOST_LIMITS = 6


class _Layer(NamedTuple):
    """Counts of a layer of an amount, or of some groups, as pictures ask for what they draw."""

    cells: Cells
    estimate: Estimate


def means_on(release: Release, cells: Cells) -> Sums:
    """Estimate sums and means in the cells that a picture shows.

    Parameters
    ----------
    release : Release
        What was published.
    cells : Cells
        The cells that are drawn, where finer ones are taken together.
    """
    amounts = amount_estimate(release)
    above, below = _terms_on(release, cells, (amounts.above, amounts.below))
    known = _surely_held(above, below)
    answers = sums_and_means(above, below, amounts.low, amounts.high, _LEVEL)
    return answers._replace(mean=np.where(known, answers.mean, np.nan))


def percentages_on(release: Release, cells: Cells) -> Ratios:
    """Estimate how much of all a group is in the cells that a picture shows, in percent.

    Parameters
    ----------
    release : Release
        What was published of one group.
    cells : Cells
        The cells that are drawn, where finer ones are taken together.
    """
    part, rest = _terms_on(release, cells, release.beside_others)
    ratio, low, high = (100 * share for share in group_share(part, rest, _LEVEL))
    return Ratios(np.where(_surely_held(part, rest), ratio, np.nan), low, high)


def _surely_held(part: ErrorTerms, rest: ErrorTerms) -> Bools:
    """Tell which cells hold records for certain, all of them together."""
    level = 1 - (1 - _LEVEL) / max(len(part.estimate), 1)
    reach = np.hypot(interval_reach(part, level), interval_reach(rest, level))
    return np.asarray(part.estimate + rest.estimate > reach)


def _terms_on(release: Release, cells: Cells, both: tuple[Estimate, Estimate]) -> list[ErrorTerms]:
    layers: list[Any] = [_Layer(release.cells, estimate) for estimate in both]
    return [noise_terms(*values_on(layer, cells)) for layer in layers]


def amount_estimate(release: Release) -> AmountEstimate:
    """Return the estimate of the amount, or refuse a release without one."""
    if release.amounts is None:
        raise InputError(
            "a map of means needs a release with an amount; this one has counts alone: show the "
            "best guess, or make a release with `amount`."
        )
    return release.amounts


def mean_words(amount: Amount) -> Phrase:
    """Return what a mean of an amount is called."""
    if amount.label:
        return Phrase("mean {1} ({2})", amount.field, amount.label)
    return Phrase("mean {1}", amount.field)


def sum_words(amount: Amount) -> Phrase:
    """Return what a sum of an amount is called."""
    if amount.label:
        return Phrase("sum of {1} ({2})", amount.field, amount.label)
    return Phrase("sum of {1}", amount.field)


def mean_legend(releases: Sequence[Release]) -> Legend:
    """Choose the classes of a map of means, alike for all groups.

    Examples
    --------
    >>> import numpy as np, geodp
    >>> town = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> x = np.repeat([500.0, 2500.0], 4000)
    >>> claims = {"x": x, "y": x, "damage": np.repeat([120.0, 480.0], 4000)}
    >>> options = {"cells": geodp.Regular(sizes=[2]), "epsilon": 9}
    >>> damage = geodp.Amount("damage", 0, 1000, label="EUR")
    >>> legend = mean_legend([geodp.release(claims, town, amount=damage, **options)])
    >>> [each.label for each in legend.classes][:3], legend.words
    (['200 or less', '200 to 300', '300 to 400'], 'mean damage (EUR)')
    """
    cells = picture_cells(releases[0].cells)
    means = np.concatenate([means_on(one, cells).mean for one in releases])
    amount = releases[0].method.amount
    assert amount is not None
    return _even_legend("mean", mean_words(amount), means)


def share_legend(release: Published) -> Legend:
    """Choose the classes of a map of shares, alike for all groups.

    Examples
    --------
    >>> import numpy as np, geodp
    >>> town = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
    >>> x, kind = np.repeat([500.0, 2500.0], 4000), ["theft"] * 5000 + ["fraud"] * 3000
    >>> options = {"cells": geodp.Regular(sizes=[2]), "epsilon": 9}
    >>> kinds = geodp.Categories("kind", ["theft", "fraud"])
    >>> release = geodp.release({"x": x, "y": x, "kind": kind}, town, by=kinds, **options)
    >>> legend = share_legend(release)
    >>> [each.label for each in legend.classes][:2], legend.words
    (['20 or less', '20 to 40'], 'share of the total (%)')
    """
    cells = picture_cells(release.cells)
    shares = [percentages_on(one, cells).ratio for one in release.maps.values()]
    return _even_legend("share", Phrase("share of the total (%)"), np.concatenate(shares))


def _even_legend(field: str, words: str, values: Floats) -> Legend:
    """Return classes between round limits at equal distances, for values that are known or NaN."""
    limits = even_limits(values[np.isfinite(values)])
    ends = [-math.inf, *limits, math.inf]
    classes = tuple(
        Class(low, high, colour, 1, words="" if limits else Phrase("any"))
        for low, high, colour in zip(ends[:-1], ends[1:], ramp(len(ends) - 1))
    )
    return Legend(field, words, classes)


def even_limits(values: Floats) -> list[float]:
    """Round limits at equal distances between the least value and the largest.

    Examples
    --------
    >>> even_limits(np.array([121.0, 483.0]))
    [200.0, 300.0, 400.0]
    >>> even_limits(np.array([7.0])), even_limits(np.zeros(0))
    ([], [])
    """
    if not len(values) or not values.max() > values.min():
        return []
    low, high = float(values.min()), float(values.max())
    power = math.floor(math.log10(high - low)) - 1
    for step in (float(f"{digit}e{power + up}") for up in range(4) for digit in (1, 2, 5)):
        first, last = math.floor(low / step) + 1, math.ceil(high / step) - 1
        if last - first < _MOST_LIMITS:
            return [float(f"{number * step:.12g}") for number in range(first, last + 1)]
    return []
