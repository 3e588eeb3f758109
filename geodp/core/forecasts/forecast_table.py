"""Tell errors to expect for all cells and each ε, as tables, text and JSON."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..common.types import Floats, PathLike
from ..privacy.budget import Budget, ExactNumber
from ..privacy.noise import laplace_variance
from ..privacy.unit import Unit
from ..space.frame import Frame
from ..space.grid import Grid
from ..space.wording import cell_size, significant

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Outlook(NamedTuple):
    """State the errors to expect of some cells at one ε, with one entry for each region.

    Attributes
    ----------
    cells : Grid or Frame
        One grid, or the lattices of adaptive cells.
    epsilon : Fraction
        Budget of the whole release.
    scale : Fraction
        Scale of the noise on the counts; for adaptive cells the least that a count can get.
    noise_error : ndarray
        Standard deviation of the noise. For a grid it is the ``noise_error`` that the release will
        state, for adaptive cells an estimate, unknown where no counts are expected. NaN for regions
        outside the domain.
    std_error : ndarray or None
        The whole error, of noise and even spread together; None where no counts are expected.
    units : int
        Units in which noise is drawn, that make one of what is counted.
    """

    cells: Grid | Frame
    epsilon: Fraction
    scale: Fraction
    noise_error: Floats
    std_error: Floats | None
    units: int = 1

    @property
    def adaptive(self) -> bool:
        """Tell whether the cells follow the records."""
        return isinstance(self.cells, Frame)

    @property
    def known(self) -> bool:
        """Tell whether there are any figures: of adaptive cells, only where counts are expected."""
        return not self.adaptive or self.std_error is not None

    @property
    def in_words(self) -> str:
        """Name the cells: ``adaptive``, or their rows and columns."""
        return "adaptive" if isinstance(self.cells, Frame) else self.cells.in_words

    @property
    def cell_noise(self) -> float | None:
        """Return the standard deviation of the noise in one cell; None of adaptive ones."""
        return None if self.adaptive else math.sqrt(noise_variance(self.scale, self.units))


def noise_variance(scale: Fraction, units: int) -> float:
    """Compute the variance of noise drawn in units, for a scale in what they make."""
    variance = laplace_variance(scale * units)
    return variance if units == 1 else variance / units**2


class ErrorForecast(ABC):
    """Share what all forecasts of errors do alike, whatever their cells are."""

    @property
    @abstractmethod
    def budgets(self) -> Sequence[Fraction]:
        """Return the ε of each outlook."""

    @property
    def epsilons(self) -> tuple[Fraction, ...]:
        """Return the budgets that are compared."""
        return tuple(dict.fromkeys(self.budgets))

    @abstractmethod
    def to_dataframe(self) -> pandas.DataFrame:
        """Return one row for each ε and each of what counts are foreseen for."""

    def to_csv(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write :meth:`to_dataframe` as a CSV file.

        Parameters
        ----------
        path : path
            A name that ends in ``.csv``.
        overwrite : bool
            Replace a file that exists.
        """
        from ...outputs.forecast import to_csv

        to_csv(self, path, overwrite=overwrite)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean error against ε; return the axes.

        Of cells it is the error of a region, with a line for all cells alike; of districts half
        the width of their intervals, with a line for each level.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        """
        from ...outputs.forecast import plot

        return plot(self, ax)


@dataclass(frozen=True, eq=False, repr=False)
class Forecast(ErrorForecast):
    """Errors to expect, for every ε and all cells. Make one with :func:`geodp.forecast`.

    Attributes
    ----------
    outlooks : tuple of Outlook
        By ε, then by cells, in the order in which they were given.
    unit : Unit
        What would be protected.
    regions : int
        How many regions are asked about.
    expected : ndarray or None
        Records to expect in each region.
    unevenness : float
        How unevenly records are taken to lie.
    layer : GeoDataFrame or None
        The layer that the regions came from.
    things : {"records", "people", "visitors"}
        What would be counted.
    """

    outlooks: tuple[Outlook, ...]
    unit: Unit
    regions: int
    expected: Floats | None
    unevenness: float
    layer: Any = None
    things: str = "records"

    def __repr__(self) -> str:
        cells = len(self.outlooks) // len(self.epsilons)
        return f"Forecast({len(self.epsilons)} epsilons, {cells} cells, {self.regions} regions)"

    @property
    def budgets(self) -> list[Fraction]:
        """Return the ε of each outlook."""
        return [outlook.epsilon for outlook in self.outlooks]

    def suits(self, epsilon: ExactNumber | Budget) -> Grid | Frame | None:
        """Return the cells with the least mean error; None where no counts are expected.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> geodp.forecast(town, cells="regular", expected=20_000, epsilons=[1]).suits(1).shape
        (69, 93)
        """
        wanted = Budget(epsilon).epsilon
        means = [
            (float(np.nanmean(outlook.std_error)), place)
            for place, outlook in enumerate(self.outlooks)
            if outlook.epsilon == wanted and outlook.std_error is not None
        ]
        return self.outlooks[min(means)[1]].cells if means else None

    def table(self) -> list[dict[str, Any]]:
        """Return one row for each ε and all cells, over all regions, in types that JSON has.

        ``noise_error`` and ``std_error`` are means over the regions, ``relative_error`` is the
        median of the whole error in terms of what is expected, and ``suits`` marks the cells of
        :meth:`suits`. Sizes are those of a grid; adaptive cells have many, and None there.
        """
        best = {epsilon: self.suits(epsilon) for epsilon in self.epsilons}
        return [
            self._row(outlook, outlook.cells == best[outlook.epsilon]) for outlook in self.outlooks
        ]

    def _row(self, outlook: Outlook, suits: bool) -> dict[str, Any]:
        grid = outlook.cells if isinstance(outlook.cells, Grid) else None
        row: dict[str, Any] = {
            "epsilon": float(outlook.epsilon),
            "cells": outlook.in_words,
            "rows": None if grid is None else grid.shape[0],
            "columns": None if grid is None else grid.shape[1],
            "cell_size": None if grid is None else cell_size(grid),
            "cell_noise": outlook.cell_noise,
            "noise_error": float(np.nanmean(outlook.noise_error)) if outlook.known else None,
        }
        if outlook.std_error is not None:
            relative = self.relative_error(outlook)
            known = relative[np.isfinite(relative)]
            row["std_error"] = float(np.nanmean(outlook.std_error))
            row["relative_error"] = float(np.median(known)) if len(known) else None
            row["suits"] = suits
        return row

    def relative_error(self, outlook: Outlook) -> Floats:
        """Compute the error in terms of what is expected; infinite where nothing is.

        Where nobody said how many records to expect, it is NaN.
        """
        if outlook.std_error is None or self.expected is None:
            return np.full(self.regions, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(outlook.std_error / self.expected)

    @property
    def assumes(self) -> str:
        """Say what the figures rest on."""
        grids = [outlook for outlook in self.outlooks if not outlook.adaptive]
        trees = len(grids) < len(self.outlooks)
        parts = []
        if grids:
            share = Fraction(self.unit.distance) / grids[0].scale / grids[0].epsilon
            parts.append("The noise of a grid is exact.")
            if share < 1:
                parts.append(
                    f"Counts get {float(share):.3g} of ε and choosing among the sizes the rest; of "
                    "a single size they get all."
                )
        if self.expected is None:
            if grids:
                parts.append(
                    "The error from taking records as evenly spread inside cells comes on top; it "
                    "depends on how many there are: say how many to expect."
                )
            if trees:
                parts.append(
                    "Adaptive cells follow the records: nothing is known of them before it is said "
                    "how many to expect."
                )
            return " ".join(parts)
        if grids:
            parts.append(
                "The whole error assumes records as dense around a region as is expected inside "
                f"it, and uneven at every scale alike (unevenness {self.unevenness:g}); on real "
                "data it was mostly right within a factor of two."
            )
        if trees:
            parts.append(
                "Of adaptive cells all is an estimate, from cells that hold some 7/ε records each; "
                "on real data it was mostly right within a factor of two, and too high where most "
                "of the domain is empty."
            )
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return all figures in types that JSON has: the table, with the errors of each region."""
        rows = []
        for row, outlook in zip(self.table(), self.outlooks):
            regions = {"noise_error": _listed(outlook.noise_error)}
            if outlook.std_error is not None:
                regions["std_error"] = _listed(outlook.std_error)
            rows.append({**row, "regions": regions})
        known = self.expected is not None
        return {
            "protected_unit": str(self.unit),
            "assumes": self.assumes,
            "unevenness": self.unevenness if known else None,
            "expected": _listed(self.expected) if self.expected is not None else None,
            "outlooks": rows,
        }

    def as_text(self) -> str:
        """Return lines for a terminal: the table, which cells would suit, and what it assumes.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> grids = geodp.candidate_grids(town, cell_sizes=[100, 500])
        >>> forecast = geodp.forecast(town, epsilons=[1], cells=geodp.Regular(grids))
        >>> print(forecast.as_text().splitlines()[1])
        1  30 × 40  100 × 100 m                1.52               19.7
        """
        rows = self.table()
        head = ["ε", "cells", "size of a cell", "noise of a cell", "noise of a region"]
        lines = [_cells(row) for row in rows]
        if self.expected is not None:
            head += ["whole error", "relative", ""]
        advice = [_advice(row, self.things) for row in rows if row.get("suits")]
        return "\n".join([*_aligned([head, *lines]), *advice, self.assumes])

    def to_dataframe(self) -> pandas.DataFrame:
        """Return one row for each ε, cells and region, after the columns of the regions' layer.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> boxes = [(0, 0, 1000, 1000), (0, 0, 4000, 3000)]
        >>> forecast = geodp.forecast(town, boxes, epsilons=[1], expected=500).to_dataframe()
        >>> list(forecast.columns)[-4:]
        ['noise_error', 'expected', 'std_error', 'relative_error']
        """
        from ...outputs.forecast import to_dataframe

        return to_dataframe(self)


def _listed(values: Floats) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values.tolist()]


def _cells(row: dict[str, Any]) -> list[str]:
    """Write a row of the table as people read it."""
    cells = [
        f"{row['epsilon']:g}",
        row["cells"],
        row["cell_size"] or "as records lie",
        *("" if row[name] is None else significant(row[name]) for name in _NOISE),
    ]
    if "std_error" in row:
        relative = row["relative_error"]
        cells += [significant(row["std_error"]), "" if relative is None else _percent(relative)]
        cells.append("suits" if row["suits"] else "")
    return cells


_NOISE = ("cell_noise", "noise_error")


def _percent(share: float) -> str:
    return f"{significant(100 * share)} %"


def _advice(row: dict[str, Any], things: str) -> str:
    relative = row["relative_error"]
    aside = "" if relative is None else f", typically {_percent(relative)} of its count"
    counted = "people" if things == "people" else "visits" if things == "visitors" else "records"
    cells = "adaptive cells" if row["cell_size"] is None else f"cells of {row['cell_size']}"
    return (
        f"At ε = {row['epsilon']:g} {cells} would suit: about ± "
        f"{significant(row['std_error'])} {counted} for a region{aside}."
    )


def _aligned(lines: list[list[str]]) -> list[str]:
    """Pad columns to equal widths: the first and third flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    places = [str.ljust if place in (0, 2, 7) else str.rjust for place in range(len(widths))]
    return [
        "  ".join(put(cell, width) for put, cell, width in zip(places, line, widths)).rstrip()
        for line in lines
    ]
