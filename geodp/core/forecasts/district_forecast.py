"""Say what error counts of districts and hexagons will have, before anything is spent: exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.types import Columns, Floats
from ..pipeline.district_kind import Districts
from ..pipeline.fixed_kind import FixedKind
from ..pipeline.pipeline import release
from ..privacy.budget import Budget
from ..privacy.protection import Protection
from ..privacy.unit import Unit
from ..records.amounts import Amount
from ..space.domain import Domain
from ..space.wording import significant
from .forecast_table import ErrorForecast
from .unit_figures import unit_columns, unit_figures

if TYPE_CHECKING:
    import pandas


class DistrictOutlook(NamedTuple):
    """State errors of the units of one level at one ε, as the release will; one for each unit.

    Attributes
    ----------
    epsilon : Fraction
        Budget of the whole release.
    level : str
        What the units are.
    std_error : ndarray
        Standard deviation of the noise.
    half_width : ndarray
        Half the width of the interval that holds the true count 19 times of 20.
    sum_half_width : ndarray, optional
        The same for the sum of an amount.
    mean_half_width : dict
        The same for its mean, by the number of records in a unit; NaN where it would not be known.
    """

    epsilon: Fraction
    level: str
    std_error: Floats
    half_width: Floats
    sum_half_width: Floats | None = None
    mean_half_width: Mapping[float, Floats] = MappingProxyType({})

    def figures(self) -> dict[str, Floats]:
        """Return the errors of all units by their names."""
        sums = {} if self.sum_half_width is None else {"sum_half_width": self.sum_half_width}
        means = {f"mean_half_width_{n:g}": half for n, half in self.mean_half_width.items()}
        return {"std_error": self.std_error, "half_width": self.half_width, **sums, **means}


@dataclass(frozen=True, eq=False, repr=False)
class DistrictForecast(ErrorForecast):
    """Errors of districts or hexagons for every ε, exact. Make one with :func:`geodp.forecast`.

    Attributes
    ----------
    outlooks : tuple of DistrictOutlook
        By ε, then by level from the largest units.
    cells : Cells
        The districts, or the hexagons.
    unit : Unit
        What would be protected.
    amount : Amount, optional
        What would be added up beside counts.

    Examples
    --------
    >>> import geopandas, shapely, geodp
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> halves = geopandas.GeoDataFrame({"name": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> forecast = geodp.forecast(cells=geodp.Districts(halves), epsilons=[0.1, 1])
    >>> print(forecast.as_text().splitlines()[1])
    0.1  district            2              14.1                ± 31
    """

    outlooks: tuple[DistrictOutlook, ...]
    cells: Cells
    unit: Unit
    amount: Amount | None = None

    def __repr__(self) -> str:
        levels = len(_levels(self.cells))
        many = f", {levels} levels" if levels > 1 else ""
        what = "cells" if self.cells.levels is None else "districts"
        return f"DistrictForecast({len(self.epsilons)} epsilons, {len(self.cells)} {what}{many})"

    @property
    def budgets(self) -> list[Fraction]:
        """Return the ε of each outlook."""
        return [outlook.epsilon for outlook in self.outlooks]

    @property
    def assumes(self) -> str:
        """Say what the figures rest on."""
        exact = (
            "All of it is exact and what the release will state, whatever they hold: noise is "
            "their only error."
        )
        if self.amount is not None:
            exact += (
                f" Sums are of an amount between {self.amount.bounds_in_words}; what the bounds "
                "cut off is not in their error. Means, of so many records, are taken to lie a "
                "quarter of the way up from the lower bound."
            )
        if len(_levels(self.cells)) == 1:
            return exact
        return f"{exact} Counts of all levels will agree; errors of a level are means over it."

    def table(self) -> list[dict[str, Any]]:
        """Return one row for each ε and level, in types that JSON has.

        ``std_error`` and ``half_width`` are means over the units of a level, and ``widest`` is the
        half width of the widest interval. Where an amount would be added up, there are
        ``sum_half_width`` and, for several numbers of records, ``mean_half_width_1000``: None where
        the mean would not be known.
        """
        return [
            {
                "epsilon": float(outlook.epsilon),
                "level": outlook.level,
                "units": len(outlook.std_error),
                **{name: _average(values) for name, values in outlook.figures().items()},
                "widest": float(outlook.half_width.max()),
            }
            for outlook in self.outlooks
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return all figures in types that JSON has: the table, with the errors of each unit."""
        rows = [
            {
                **row,
                "districts": {
                    name: [None if np.isnan(value) else value for value in values.tolist()]
                    for name, values in outlook.figures().items()
                },
            }
            for row, outlook in zip(self.table(), self.outlooks)
        ]
        return {"protected_unit": str(self.unit), "assumes": self.assumes, "outlooks": rows}

    def as_text(self) -> str:
        """Return lines for a terminal: the table, and what it assumes."""
        more = [name for name in self.outlooks[0].figures() if "_half_width" in name]
        units = "cells" if self.cells.levels is None else "districts"
        head = ["ε", "level", units, "standard error", "interval of 95 %"]
        head += [_in_words(name) for name in more]
        rows = [
            [
                f"{row['epsilon']:g}",
                row["level"],
                f"{row['units']:,}",
                significant(row["std_error"]),
                f"± {significant(row['half_width'])}",
                *(
                    "not known" if row[name] is None else f"± {_rounded(row[name])}"
                    for name in more
                ),
            ]
            for row in self.table()
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        places = (str.ljust, str.ljust, *[str.rjust] * (len(head) - 2))
        lines = [
            "  ".join(put(cell, width + 2 * (put is str.rjust)) for put, cell, width in row)
            for row in (zip(places, line, widths) for line in (head, *rows))
        ]
        return "\n".join([*lines, self.assumes])

    def unit_columns(self) -> Columns:
        """Name the cells, or the units of all levels, in the order of a table of them."""
        names, levels = self.cells.attributes(), self.cells.levels
        if levels is None or levels.depth == 1:
            return names
        return unit_columns(levels, paths="name" in names)

    def to_dataframe(self) -> pandas.DataFrame:
        """Return one row for each ε and unit."""
        from ...outputs.forecast import districts_dataframe

        return districts_dataframe(self)


RECORDS = (100.0, 1000.0, 10_000.0)
"""Records of a district for which the error of means is foreseen, unless some are expected."""


def _levels(cells: Cells) -> dict[str, int]:
    """Return how many units each level has, from the largest; hexagons have one level."""
    if cells.levels is None:
        return {"cell": len(cells)}
    return dict(zip(cells.levels.names, map(len, cells.levels.labels)))


def _average(values: Floats) -> float | None:
    mean = float(values.mean())
    return None if np.isnan(mean) else mean


def _in_words(name: str) -> str:
    """Write the head of a column: ``mean_half_width_1000`` is that of means of 1,000 records."""
    figure, _, records = name.partition("_half_width")
    return figure if not records else f"{figure} of {float(records[1:]):,g}"


def _rounded(value: float) -> str:
    """Round to three digits, also where a number is large."""
    return f"{float(f'{value:.3g}'):,.10g}"


def forecast_districts(
    kind: Districts | FixedKind,
    domain: Domain | None,
    budgets: Sequence[Budget],
    protection: Protection,
    amount: Amount | None = None,
    expected: float | None = None,
) -> DistrictForecast:
    """Foresee the errors of fixed cells: those of a release of no records, which costs nothing.

    Parameters
    ----------
    kind : Districts or FixedKind
        What would be counted.
    domain : Domain, optional
        Where, if the cells are not districts.
    budgets : sequence of Budget
        Budgets to compare.
    protection : Record, Feature or Person
        What would be protected.
    amount : Amount, optional
        What would be added up.
    expected : float, optional
        Records of a cell, a public guess.
    """
    if isinstance(kind, FixedKind) and kind.several:
        raise not_known()
    outlooks = []
    sizes = RECORDS if expected is None else (expected,)
    nobody = _nobody(protection, amount)
    options: dict[str, Any] = {"cells": kind, "protect": protection, "amount": amount, "seed": 0}
    for budget in budgets:
        empty = release(nobody, domain, epsilon=budget, **options)
        levels = _levels(empty.cells)
        starts = np.cumsum([0, *levels.values()]).tolist()
        figures = unit_figures(empty)
        amounts = empty.amounts
        sums = None if amounts is None else amounts.sums_by_unit()
        half = None if sums is None else (sums.sum_high - sums.sum_low) / 2
        means = {} if amounts is None else {size: amounts.mean_reach(size) for size in sizes}
        for level, start, end in zip(levels, starts, starts[1:]):
            part = slice(start, end)
            outlooks.append(
                DistrictOutlook(
                    budget.epsilon,
                    level,
                    figures.std_error[part],
                    figures.half_width[part],
                    None if half is None else half[part],
                    {size: mean[part] for size, mean in means.items()},
                )
            )
    return DistrictForecast(tuple(outlooks), empty.cells, protection.unit.published, amount)


def not_known() -> InputError:
    """Say why a choice is not foreseen."""
    return InputError(
        "a forecast is of cells that are known beforehand; got several sets, of which one will "
        "be chosen: name one of them."
    )


def _nobody(protection: Protection, amount: Amount | None) -> dict[str, list[Any]]:
    """Return columns without a record, named as the release asks for them."""
    names = [protection.person, None if amount is None else amount.field]
    return {"x": [], "y": [], **{name: [] for name in names if name is not None}}
