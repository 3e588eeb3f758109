"""Write forecasts as tables, CSV files and charts. Public: nothing here knows any points."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.common.atomic import check_target, known_suffix, whole_file, write_bytes
from ..core.common.types import PathLike
from ..core.forecasts.district_forecast import DistrictForecast
from ..core.forecasts.forecast_table import ErrorForecast, Forecast, Outlook
from ..core.publish.table import six_digits
from ..core.space.grid import Grid
from ..core.space.wording import cell_size
from .painter import figure_bytes, need
from .table import write_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_INK, _PALE, _ADAPTIVE = "#333333", "#bbbbbb", "#d95f02"
_INCHES = 9.5, 4.8
"""Width and height of a chart with its legend beside it."""

_ERRORS = ("error", "noise", "half_width")
"""What names of columns hold that are errors to expect."""

_LABELLED = 6
"""Lines that are told apart by colour; of more sizes, every second or third is drawn."""


def to_dataframe(forecast: Forecast) -> pandas.DataFrame:
    """Return a row for each ε, cells and region. See :meth:`geodp.Forecast.to_dataframe`."""
    import pandas

    return pandas.concat(
        [_part(forecast, outlook) for outlook in forecast.outlooks], ignore_index=True
    )


def _part(forecast: Forecast, outlook: Outlook) -> Any:
    import pandas

    layer = forecast.layer
    about = (
        pandas.DataFrame({"region": np.arange(forecast.regions)})
        if layer is None
        else pandas.DataFrame(layer.drop(columns=layer.geometry.name)).reset_index(drop=True)
    )
    grid = outlook.cells if isinstance(outlook.cells, Grid) else None
    columns = {
        "epsilon": float(outlook.epsilon),
        "cells": outlook.in_words,
        # Whole numbers that may be missing: adaptive cells have no rows and columns.
        "rows": pandas.array([None if grid is None else grid.shape[0]] * len(about), "Int64"),
        "columns": pandas.array([None if grid is None else grid.shape[1]] * len(about), "Int64"),
        "cell_width": np.nan if grid is None else grid.cell_width,
        "cell_height": np.nan if grid is None else grid.cell_height,
        "cell_noise": np.nan if outlook.cell_noise is None else outlook.cell_noise,
        "noise_error": outlook.noise_error,
    }
    if outlook.std_error is not None:
        columns["expected"] = forecast.expected
        columns["std_error"] = outlook.std_error
        columns["relative_error"] = forecast.relative_error(outlook)
    # A column of the layer with one of these names gives way: its figures are not forecasts.
    return about.drop(columns=[name for name in columns if name in about]).assign(**columns)


def districts_dataframe(forecast: DistrictForecast) -> pandas.DataFrame:
    """Return a row for each ε and unit. See :meth:`geodp.DistrictForecast.to_dataframe`."""
    import pandas

    units = pandas.DataFrame(forecast.unit_columns())
    parts = []
    for epsilon in forecast.epsilons:
        levels = [outlook for outlook in forecast.outlooks if outlook.epsilon == epsilon]
        columns = {
            "epsilon": float(epsilon),
            **{
                name: np.concatenate([level.figures()[name] for level in levels])
                for name in levels[0].figures()
            },
        }
        parts.append(units.assign(**columns))
    return pandas.concat(parts, ignore_index=True)


def to_csv(forecast: ErrorForecast, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the table of all regions. See :meth:`geodp.Forecast.to_csv`."""
    target = Path(path)
    known_suffix(target, (".csv",))
    check_target(target, overwrite=overwrite)
    table = forecast.to_dataframe()
    columns = list(table.columns)
    # Columns of the regions stand before the errors, and stay as they are.
    figures = columns[columns.index("epsilon") :]
    errors = [name for name in figures if any(word in name for word in _ERRORS)]
    with whole_file(target) as built:
        write_table(table.assign(**{name: six_digits(table[name]) for name in errors}), built, {})


def to_png(forecast: ErrorForecast, path: PathLike, *, overwrite: bool = False) -> None:
    """Draw the chart into a PNG file, without touching pyplot's state."""
    target = Path(path)
    known_suffix(target, (".png",))
    check_target(target, overwrite=overwrite)
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, layout="constrained")
    _draw(forecast, figure.add_subplot(), beside=True)
    write_bytes(target, figure_bytes(figure))


def plot(forecast: ErrorForecast, ax: Axes | None = None) -> Axes:
    """Draw the mean error against ε. See :meth:`geodp.Forecast.plot`."""
    need("matplotlib")
    beside = ax is None
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=_INCHES, layout="constrained")[1]
    return _draw(forecast, ax, beside)


def _draw(forecast: ErrorForecast, ax: Axes, beside: bool) -> Axes:
    """Draw the chart, with its legend beside it where the figure is made for that."""
    if isinstance(forecast, DistrictForecast):
        title, measured = _draw_levels(forecast, ax)
    else:
        assert isinstance(forecast, Forecast)
        title, measured = _draw_cells(forecast, ax)
    _frame(forecast.epsilons, ax, title, measured)
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if beside else {}
    if len(ax.get_lines()) > 1:
        ax.legend(fontsize=8, frameon=False, labelcolor=_INK, **place)
    return ax


def _draw_cells(forecast: Forecast, ax: Any) -> tuple[str, str]:
    """Draw a line for all cells alike, and mark those that suit; return title and label."""
    shown = _shown(forecast)
    colours = iter(_colours(len(shown)))
    for cells in shown:
        adaptive = not isinstance(cells, Grid)
        colour = _ADAPTIVE if adaptive else next(colours)
        label = (
            "adaptive cells, an estimate"
            if adaptive
            else "{} × {} cells of {}".format(*cells.shape, cell_size(cells))
        )
        errors = (
            (outlook.epsilon, _mean(outlook))
            for outlook in forecast.outlooks
            if outlook.cells == cells
        )
        _line(ax, errors, colour, label)
    best = [
        (float(outlook.epsilon), _mean(outlook))
        for outlook in forecast.outlooks
        if outlook.cells == forecast.suits(outlook.epsilon)
    ]
    if best:
        ax.plot(*zip(*best), "o", ms=11, mfc="none", mec=_INK, label="the least")
    what = "Noise" if forecast.expected is None else "Whole error"
    return f"{what} to expect for a region", f"{forecast.things}, mean over the regions"


def _draw_levels(forecast: DistrictForecast, ax: Any) -> tuple[str, str]:
    """Draw a line for each level of districts, or for hexagons; return title and label."""
    names = list(dict.fromkeys(outlook.level for outlook in forecast.outlooks))
    for name, colour in zip(names, _colours(len(names))):
        errors = (
            (outlook.epsilon, float(outlook.half_width.mean()))
            for outlook in forecast.outlooks
            if outlook.level == name
        )
        _line(ax, errors, colour, str(name).replace("$", r"\$"))
    what = "cell" if forecast.cells.levels is None else "district"
    return (
        f"How far off the count of a {what} may be, 19 times of 20",
        "plus or minus, mean over the level",
    )


def _colours(count: int) -> Any:
    from matplotlib import colormaps

    return colormaps["viridis"](np.linspace(0.05, 0.85, count))


def _line(ax: Any, errors: Iterable[tuple[Fraction, float]], colour: Any, label: str) -> None:
    points = sorted((float(epsilon), error) for epsilon, error in errors)
    ax.plot(*zip(*points), "o-", color=colour, markersize=4, label=label)


def _mean(outlook: Outlook) -> float:
    """Return the mean over the regions of all the error that is foreseen."""
    return float(
        np.nanmean(outlook.noise_error if outlook.std_error is None else outlook.std_error)
    )


def _shown(forecast: Forecast) -> list[Any]:
    """Choose cells to draw: adaptive ones, all of a few sizes, some of many, those that suit."""
    listed = list(dict.fromkeys(outlook.cells for outlook in forecast.outlooks if outlook.known))
    grids = [cells for cells in listed if isinstance(cells, Grid)]
    step = max(-(-len(grids) // _LABELLED), 1)
    best = [forecast.suits(epsilon) for epsilon in forecast.epsilons]
    return [
        cells
        for cells in listed
        if cells not in grids or grids.index(cells) % step == 0 or cells in best
    ]


def _frame(budgets: Iterable[Fraction], ax: Any, title: str, measured: str) -> None:
    from matplotlib.ticker import LogLocator

    epsilons = sorted(float(epsilon) for epsilon in budgets)
    ax.set(xscale="log", yscale="log")
    ax.set_xticks(epsilons, labels=[f"{epsilon:g}" for epsilon in epsilons])
    ax.minorticks_off()
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter("{x:,g}")
    ax.grid(axis="y", color="#eeeeee", linewidth=0.8)
    ax.set_xlabel("ε: smaller is more private", color=_INK)
    ax.set_ylabel(measured, color=_INK)
    ax.set_title(title, fontsize=11, color=_INK, loc="left")
    for name, side in ax.spines.items():
        side.set(color=_PALE, visible=name in ("left", "bottom"))
