"""Say what error counts of districts will have, before anything is spent: exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..common.types import Floats
from ..privacy.budget import Budget
from ..privacy.protection import Protection
from ..privacy.unit import Unit
from ..regions.district_cells import DistrictCells
from ..space.wording import significant
from .district_kind import Districts
from .forecast_table import ErrorForecast
from .pipeline import release
from .unit_figures import Columns, unit_columns, unit_figures

if TYPE_CHECKING:
    import pandas


class DistrictOutlook(NamedTuple):
    """The units of one level at one ε: the errors that the release will state, one for each unit.

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
    """

    epsilon: Fraction
    level: str
    std_error: Floats
    half_width: Floats


@dataclass(frozen=True, eq=False, repr=False)
class DistrictForecast(ErrorForecast):
    """Errors of districts for every ε, exact. Make one with :func:`geodp.forecast`.

    Attributes
    ----------
    outlooks : tuple of DistrictOutlook
        By ε, then by level from the largest units.
    cells : DistrictCells
        The districts.
    unit : Unit
        What would be protected.

    Examples
    --------
    >>> import geopandas, shapely, geodp
    >>> shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)]
    >>> halves = geopandas.GeoDataFrame({"name": ["A", "B"]}, geometry=shapes, crs="EPSG:5070")
    >>> found = geodp.forecast(cells=geodp.Districts(halves), epsilons=[0.1, 1])
    >>> print(found.as_text().splitlines()[1])
    0.1  district            2              14.1              ± 31.1
    """

    outlooks: tuple[DistrictOutlook, ...]
    cells: DistrictCells
    unit: Unit

    def __repr__(self) -> str:
        levels = len(self.cells.levels.names)
        many = f", {levels} levels" if levels > 1 else ""
        return f"DistrictForecast({len(self.epsilons)} epsilons, {len(self.cells)} districts{many})"

    @property
    def budgets(self) -> list[Fraction]:
        """Return the ε of each outlook."""
        return [outlook.epsilon for outlook in self.outlooks]

    @property
    def assumes(self) -> str:
        """What the figures rest on."""
        exact = (
            "All of it is exact and what the release will state, whatever the districts hold: "
            "noise is their only error."
        )
        if len(self.cells.levels.names) == 1:
            return exact
        return f"{exact} Counts of all levels will agree; errors of a level are means over it."

    def table(self) -> list[dict[str, Any]]:
        """One row for each ε and level, in types that JSON has.

        ``std_error`` and ``half_width`` are means over the units of a level, and ``widest`` is the
        half width of the widest interval.
        """
        return [
            {
                "epsilon": float(each.epsilon),
                "level": each.level,
                "units": len(each.std_error),
                "std_error": float(each.std_error.mean()),
                "half_width": float(each.half_width.mean()),
                "widest": float(each.half_width.max()),
            }
            for each in self.outlooks
        ]

    def as_dict(self) -> dict[str, Any]:
        """Everything, in types that JSON has: the table, with the errors of each unit."""
        rows = [
            {
                **row,
                "districts": {
                    "std_error": each.std_error.tolist(),
                    "half_width": each.half_width.tolist(),
                },
            }
            for row, each in zip(self.table(), self.outlooks)
        ]
        return {"protected_unit": str(self.unit), "assumes": self.assumes, "outlooks": rows}

    def as_text(self) -> str:
        """Lines for a terminal: the table, and what it assumes."""
        head = ["ε", "level", "districts", "standard error", "interval of 95 %"]
        rows = [
            [
                f"{row['epsilon']:g}",
                row["level"],
                f"{row['units']:,}",
                significant(row["std_error"]),
                f"± {significant(row['half_width'])}",
            ]
            for row in self.table()
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        places = (str.ljust, str.ljust, str.rjust, str.rjust, str.rjust)
        lines = [
            "  ".join(put(cell, width + 2 * (put is str.rjust)) for put, cell, width in row)
            for row in (zip(places, line, widths) for line in (head, *rows))
        ]
        return "\n".join([*lines, self.assumes])

    def unit_columns(self) -> Columns:
        """Name the districts, or the units of all levels, in the order of a table of them."""
        names = self.cells.attributes()
        levels = self.cells.levels
        return names if levels.depth == 1 else unit_columns(levels, paths="name" in names)

    def to_dataframe(self) -> pandas.DataFrame:
        """One row for each ε and unit."""
        from ...outputs.forecast import districts_dataframe

        return districts_dataframe(self)


def forecast_districts(
    kind: Districts, budgets: Sequence[Budget], protection: Protection
) -> DistrictForecast:
    """Foresee the errors of districts: those of a release of no records, which costs nothing.

    Parameters
    ----------
    kind : Districts
        What would be counted.
    budgets : sequence of Budget
        Budgets to compare.
    protection : Record, Feature or Person
        What would be protected.
    """
    outlooks = []
    starts = np.cumsum([0, *map(len, kind.cells.levels.labels)]).tolist()
    for budget in budgets:
        empty = release(_nobody(protection), epsilon=budget, cells=kind, protect=protection, seed=0)
        figures = unit_figures(empty)
        for level, start, end in zip(kind.cells.levels.names, starts, starts[1:]):
            part = slice(start, end)
            outlooks.append(
                DistrictOutlook(
                    budget.epsilon, level, figures.std_error[part], figures.half_width[part]
                )
            )
    return DistrictForecast(tuple(outlooks), kind.cells, protection.unit.published)


def _nobody(protection: Protection) -> dict[str, list[Any]]:
    """No records, with the columns that they would need."""
    person = protection.person
    return {"x": [], "y": [], **({} if person is None else {person: []})}
