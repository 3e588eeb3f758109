# SPDX-License-Identifier: GPL-2.0-or-later
"""Foresee errors in the background. Public numbers alone; no points are read."""

from typing import Any, NamedTuple

from ..algorithms.framing import (
    narrowed,
    open_polygons,
    open_within,
    read_grids,
    read_rectangle,
)
from ..algorithms.plan import REGIONS, Plan, foresee
from ..algorithms.private_hexagons import PrivateHexagons
from ..compatibility import BEHIND
from ..library import geodp, np
from ..messages import local, number, shown
from ..rasters import check_crs, gdal_quiet
from ..translation import tr
from .running import project_context
from .work import Work

SHOWN_DEPTHS = 7
"""Of cells that may be halved again and again, as many sizes are shown: finer ones are a blur."""


MOST_CELLS = 5_000_000
"""Cells in all sizes that are looked ahead at: two seconds of work, and some 200 MB."""


class Place(NamedTuple):
    """The public frame of a wish, read in the main thread without looking at a feature.

    Attributes
    ----------
    grids : list of Grid
        Sizes to show on the map.
    adaptive : bool
        Whether cells follow the records; then the grids are those that they may have.
    """

    crs: Any
    domain: Any
    grids: list
    adaptive: bool
    within: Any
    regions: Any
    expected: Any
    budgets: dict
    context: Any


def read_public_inputs(wish):
    """Read the public inputs of a wish; a ``GeodpError`` says what is wrong with them."""
    plan, parameters, context = Plan(), wish.planned(), project_context()
    plan.initAlgorithm()
    crs, domain = read_rectangle(plan, parameters, context)
    within = open_within(plan, parameters, context)
    regions = open_polygons(plan, parameters, REGIONS, context)
    adaptive = wish.adaptive
    grids = lattices(domain) if adaptive else read_grids(plan, parameters, context, domain)
    expected = plan.read_expected(parameters, context, regions)
    budgets = plan.read_budgets(parameters, context)
    return Place(crs, domain, grids, adaptive, within, regions, expected, budgets, context)


class Hexagons(NamedTuple):
    """Hold the hexagons of a wish.

    Attributes
    ----------
    grid : HexagonGrid
        All that the rectangle has.
    """

    crs: Any
    grid: Any


def read_hexagons(wish):
    """Return the hexagons of a wish; a ``GeodpError`` says what is wrong with them."""
    algorithm = PrivateHexagons()
    algorithm.initAlgorithm()
    crs, domain = read_rectangle(algorithm, wish.parameters(), project_context())
    check_crs(crs)
    side = geodp.parse_length(wish.side.strip(), domain.crs)
    return Hexagons(crs, geodp.Hexagons(side).cells(domain).hexagons)


def polygons_in_words(wish, hexagons=None):
    """Say what error counts of polygons will have, in a sentence or several."""
    one = tr("people") if wish.person and wish.most is None else tr("records")
    noise = number(wish.noise())
    if hexagons is None:
        words = tr("The count of each district will be off by about {:.2g} {}.").format(noise, one)
    else:
        words = tr("The count of each of {:,.0f} hexagons will be off by about {:.2g} {}.").format(
            number(len(hexagons.grid)), noise, one
        )
    if wish.levels:
        words += " " + tr(
            "Where larger units get counts of their own, districts are off by up to a third more, "
            "and units by far less than all their districts."
        )
    if wish.amount:
        error = local(geodp.significant(wish.noise_of_sums()))
        words += " " + tr("Sums will be off by about {}.").format(error)
    return words


def lattices(domain):
    """List the cells that an adaptive release may have, the largest first."""
    frame = geodp.Frame(domain)
    depths = range(1, min(frame.depth, SHOWN_DEPTHS) + 1)
    return [geodp.Grid(domain, frame.shape(depth)) for depth in depths]


class Curves(NamedTuple):
    """Mean errors of a region, a row for each size and a column for each ε.

    Adaptive cells are one row.

    Attributes
    ----------
    relative : ndarray or None
        Median of the error in terms of what is expected; None where only the noise is known.
    """

    grids: list
    epsilons: Any
    errors: Any
    relative: Any

    @property
    def foresees_error(self):
        """Tell whether the error itself is foreseen, not the noise alone."""
        return self.relative is not None

    def at(self, epsilon):
        """Return errors of all sizes at one ε; between computed ones, on lines of logarithms."""
        return _between(epsilon, self.epsilons, self.errors)

    def best(self, epsilon):
        """Return which size would suit: that with the least error."""
        return int(np.argmin(self.at(epsilon)))

    def share(self, epsilon, size):
        """Return a typical error in terms of the count; None if nothing is expected."""
        row = self.relative[[size]]
        return float(_between(epsilon, self.epsilons, row)[0]) if np.isfinite(row).all() else None


def _between(epsilon, epsilons, rows):
    place, known = np.log(epsilon), np.log(epsilons)
    tiny = np.finfo(float).tiny  # an error of nothing has no logarithm
    return np.exp([np.interp(place, known, np.log(np.maximum(row, tiny))) for row in rows])


def forecast_curves(forecast):
    """Turn a forecast into curves."""
    table = forecast.table()
    shape = len(forecast.epsilons), -1

    def column(name):
        values = np.array([row[name] for row in table], dtype=float)  # None becomes NaN
        return values.reshape(shape).T

    is_expected = forecast.expected is not None
    grids = [outlook.cells for outlook in forecast.outlooks[: len(table) // len(forecast.epsilons)]]
    return Curves(
        grids,
        np.array([float(epsilon) for epsilon in forecast.epsilons]),
        column("std_error" if is_expected else "noise_error"),
        column("relative_error") if is_expected else None,
    )


class Foresight(Work):
    """Works out the curves of a place.

    Regions and where records can be are read here: for large layers that takes a while. ``layers``
    are the ids of what it reads.
    """

    def __init__(self, place, layers, done):
        super().__init__(tr("Errors to expect"), BEHIND, done)
        self.curves, self.layers, self._place = None, layers, place

    def carry_out(self):
        if self._place.adaptive and self._place.expected is None:
            raise geodp.InputError(
                tr(
                    "Cells that are fine where records crowd follow the records: guess how many "
                    "there are, and the error is foreseen."
                )
            )
        if not self._place.adaptive and sum(grid.cells for grid in self._place.grids) > MOST_CELLS:
            raise geodp.InputError(
                tr(
                    "These are too many cells to look ahead at here; the map can be made, and "
                    "'Plan a private histogram' tells what error to expect."
                )
            )
        with gdal_quiet():
            self.curves = forecast_curves(self._foresee())

    def _foresee(self):
        place = self._place
        domain = narrowed(place.domain, place.within, place.crs, place.context, self.feedback)
        cells = geodp.Adaptive()
        if not place.adaptive:
            grids = [geodp.Grid.from_layout(grid.layout, domain) for grid in place.grids]
            cells = geodp.Regular(grids)
        return foresee(
            place.crs,
            domain,
            place.regions,
            place.expected,
            {"cells": cells, **place.budgets},
            place.context,
            self.feedback,
        )


def in_words(curves, epsilon, adaptive):
    """Return what the chart says at one ε, in a sentence or two."""
    if adaptive:
        return _tree_in_words(curves, epsilon)
    say = _error_in_words if curves.foresees_error else _noise_in_words
    return say(curves, epsilon)


def _tree_in_words(curves, epsilon):
    error = local(geodp.significant(curves.at(epsilon)[0]))
    words = tr("At ε = {:g}, about ± {} records for a region{}.").format(
        number(epsilon), error, _typical(curves, epsilon, 0)
    )
    return f"{words} " + tr("It is an estimate, mostly right within a factor of two.")


def _typical(curves, epsilon, size):
    share = curves.share(epsilon, size)
    if share is None:
        return ""
    return tr(", typically {} % of its count").format(local(geodp.significant(100 * share)))


def _error_in_words(curves, epsilon):
    size = curves.best(epsilon)
    error = local(geodp.significant(curves.at(epsilon)[size]))
    typical = _typical(curves, epsilon, size)
    return tr("At ε = {:g}, cells of {} would suit: about ± {} records for a region{}.").format(
        number(epsilon), shown(geodp.cell_size(curves.grids[size])), error, typical
    )


def _noise_in_words(curves, epsilon):
    errors, grids = curves.at(epsilon), curves.grids
    words = tr("Noise of a region at ε = {:g}: ± {} records with cells of {}").format(
        number(epsilon), local(geodp.significant(errors[0])), shown(geodp.cell_size(grids[0]))
    )
    if len(grids) > 1:
        words += tr(", ± {} with cells of {}").format(
            local(geodp.significant(errors[-1])), shown(geodp.cell_size(grids[-1]))
        )
    return f"{words}. " + tr("Guess how many records there are, and the whole error is foreseen.")
