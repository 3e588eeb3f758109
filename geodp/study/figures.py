"""Pictures of the experiments: few lines, labelled where they end, colours for all eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import GeodpError
from .runner import Row

BLUE, SKY, RED, ORANGE, GREEN, GREY = (
    "#0072B2",
    "#56B4E9",
    "#D55E00",
    "#E69F00",
    "#009E73",
    "#6B6B6B",
)
"""Colours of Okabe and Ito, which colour-blind readers tell apart."""

_STYLES: dict[tuple[str, str], tuple[str, str, str]] = {
    ("influence", "paper"): (BLUE, "-", "influence"),
    ("influence", "ladder"): (SKY, "-", "influence, ladder"),
    ("e2epriv-printed", "paper"): (RED, "-", "E2EPriv"),
    ("heuristic", "paper"): (ORANGE, "--", "Heuristic*"),
    ("leaky", "paper"): (GREEN, "--", "Leaky*"),
    ("best-nonpriv", "paper"): (GREY, ":", "no noise*"),
}
_NOTE = "Dashed and dotted lines with a star are not private."
_TITLES = {"small": "Small", "middle": "Middle", "large": "Large"}


def draw(name: str, rows: list[Row], folder: Path) -> Path:
    """Draw the figure of an experiment from its rows.

    Parameters
    ----------
    name : str
        Experiment.
    rows : list of Row
        As the runner returns them.
    folder : Path
        Where ``study-NAME.png`` goes.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GeodpError(
            "the figures need matplotlib, which is not installed: install the extra geodp[study]."
        ) from None
    drawers: dict[str, Callable[[Any, list[Row]], None]] = {
        "region-size": _region_size,
        "epsilon": _epsilon,
        "split": _split,
        "sensitivity": _sensitivity,
        "grid-size": _grid_size,
    }
    width, height = {"epsilon": (7.0, 4.6), "split": (9.5, 4.4)}.get(name, (13.0, 4.7))
    figure = Figure(figsize=(width, height), layout="constrained")
    drawers[name](figure, rows)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"study-{name}.png"
    figure.savefig(path, dpi=100)
    return path


def _region_size(figure: Any, rows: list[Row]) -> None:
    for axes, dataset in zip(_panels(figure, 3), _TITLES):
        mine = _where(rows, dataset=dataset)
        ends = []
        for key, (colour, line, label) in _STYLES.items():
            found = _where(mine, method=key[0], candidates=key[1])
            place, median = np.arange(len(found)), _numbers(found, "median")
            axes.plot(place, median, line, color=colour, marker="o", markersize=3.5)
            if label in ("influence", "E2EPriv"):
                axes.fill_between(
                    place, _numbers(found, "q25"), _numbers(found, "q75"), color=colour, alpha=0.1
                )
            ends.append((median[-1], label, colour))
        axes.set_xticks(place, [f"{float(row['region']):.0%}" for row in found])
        axes.set_xlabel("size of the regions, share of the area")
        axes.set_title(f"{_TITLES[dataset]}: {int(mine[0]['records']):,} points", loc="left")
        _log_percent(axes)
        _label_ends(axes, place[-1] + 0.15, ends)
        axes.set_xlim(-0.3, place[-1] + 2.4)
    figure.axes[0].set_ylabel("median relative error")
    _title(figure, "Small regions are hard, and the grid matters", _NOTE + " Bands: quartiles.")


def _epsilon(figure: Any, rows: list[Row]) -> None:
    (axes,) = _panels(figure, 1)
    ends = []
    for key, (colour, line, label) in _STYLES.items():
        found = _where(rows, method=key[0], candidates=key[1])
        epsilon, median = _numbers(found, "epsilon"), _numbers(found, "median")
        axes.plot(epsilon, median, line, color=colour, marker="o", markersize=3.5)
        ends.append((median[-1], label, colour))
    axes.set_xticks(epsilon)
    axes.set_xlabel("privacy budget ε of the whole release (less is more private)")
    axes.set_ylabel("median relative error")
    _log_percent(axes)
    _label_ends(axes, 1.02, ends)
    axes.set_xlim(0.17, 1.3)
    _title(figure, "Less budget, more error: regions of 1 % of the area", _NOTE)


def _split(figure: Any, rows: list[Row]) -> None:
    shades = ("#9ECAE1", "#4292C6", "#08519C", "#08306B")
    names = {"e2epriv-printed": "E2EPriv as printed", "influence": "influence"}
    for axes, (method, title) in zip(_panels(figure, 2), names.items()):
        ends = []
        shares = sorted({row["share"] for row in rows}, key=float)
        for colour, share in zip(shades, shares):
            found = _where(rows, method=method, share=share)
            place, median = np.arange(len(found)), _numbers(found, "median")
            axes.plot(place, median, color=colour, marker="o", markersize=3.5)
            ends.append((median[-1], f"{float(share):.0%} for the choice", colour))
        axes.set_xticks(place, [f"{float(row['region']):.0%}" for row in found])
        axes.set_xlabel("size of the regions, share of the area")
        axes.set_title(title, loc="left")
        _log_percent(axes)
        _label_ends(axes, place[-1] + 0.15, ends)
        axes.set_xlim(-0.3, place[-1] + 2.6)
    figure.axes[0].set_ylabel("median relative error")
    _title(figure, "What the choice of a grid gets is missing from the counts", "")


def _sensitivity(figure: Any, rows: list[Row]) -> None:
    styles = {
        "max_grid": (ORANGE, "all cells of the\nlargest grid"),
        "max_alpha": (GREEN, "largest grid,\ncells in regions"),
        "response": (BLUE, "each grid by itself"),
    }
    for axes, delta in zip(_panels(figure, 3), sorted({row["delta"] for row in rows}, key=float)):
        mine = _where(rows, delta=delta)
        for kind, (colour, label) in styles.items():
            found = _where(mine, kind=kind)
            size, value = _numbers(found, "size"), _numbers(found, "sensitivity")
            axes.plot(size, value, color=colour, marker="o")
            if axes is figure.axes[0]:
                axes.annotate(
                    label,
                    (size[0], value[0]),
                    xytext=(0, 7),
                    textcoords="offset points",
                    color=colour,
                    va="bottom",
                )
        axes.set_xticks(size)
        axes.set_ylim(0, 1.15 * max(_numbers(mine, "sensitivity")))
        axes.set_xlabel("grid size, divisions per axis")
        rho = float(mine[0]["rho"])
        axes.set_title(f"δ = {delta}: sanity bound {rho:,.1f} points", loc="left")
    figure.axes[0].set_ylabel("sensitivity of the score")
    _title(
        figure,
        "The smaller the sanity bound, the more a sensitivity for each grid gains",
        "Printed E2EPriv; each panel has its own scale, from zero.",
    )


def _grid_size(figure: Any, rows: list[Row]) -> None:
    lines = {
        "total": (BLUE, "-", "error in all"),
        "aggregation": (GREY, "--", "from uneven cells"),
        "noise": (GREY, ":", "from noise"),
    }
    for axes, dataset in zip(_panels(figure, 3), _TITLES):
        mine = _where(rows, dataset=dataset)
        for part, (colour, style, label) in lines.items():
            found = _where(mine, part=part)
            size, mean = _numbers(found, "size"), _numbers(found, "mean")
            axes.plot(size, mean, style, color=colour, linewidth=2 if part == "total" else 1.3)
            at = 1 if part == "noise" else -1
            end = size[at] * (1.0 if part == "noise" else 1.08)
            axes.annotate(label, (end, mean[at]), color=colour, va="center")
        axes.set_xscale("log")
        axes.set_xlabel("grid size, divisions per axis")
        axes.set_title(f"{_TITLES[dataset]}: {int(mine[0]['records']):,} points", loc="left")
        ticks = [5, 20, 80, 320, 905]
        axes.set_xticks(ticks, ticks, minor=False)
        axes.minorticks_off()
        _log_percent(axes)
        _mark_choices(axes, mine)
        axes.set_xlim(4, 6000)
    figure.axes[0].set_ylabel("mean relative error, regions of 1 %")
    _title(
        figure,
        "Too coarse and too fine are both wrong, and the best size depends on the data",
        "ε = 1. Bars: how often each tuner takes a size from the ladder 10 to 320.",
    )


def _mark_choices(axes: Any, rows: list[Row]) -> None:
    """Bars of how often each size is taken, along the foot of the panel."""
    low, high = axes.get_ylim()
    axes.set_ylim(low * (low / high) ** 0.42, high)
    foot = axes.inset_axes((0, 0, 1, 0.24), sharex=axes)
    for method, colour, label in (
        ("e2epriv-printed", RED, "E2EPriv"),
        ("influence", BLUE, "influence"),
    ):
        found = _where(rows, part="choice", method=method)
        size, odds = _numbers(found, "size"), _numbers(found, "odds")
        shift = 0.93 if method == "influence" else 1.07
        foot.bar(size * shift, odds, width=size * 0.13, color=colour)
        foot.text(430, 0.75 if method == "influence" else 0.45, label, color=colour)
    rule = float(_where(rows, part="choice", method="heuristic")[0]["size"])
    foot.plot([rule], [0.08], marker="v", color=ORANGE, clip_on=False)
    foot.text(430, 0.15, "   Heuristic ▼" if rule < 400 else "", color=ORANGE)
    if rule >= 400:
        foot.text(rule * 1.25, 0.08, "Heuristic", color=ORANGE, va="center")
    foot.set_ylim(0, 1)
    foot.axis("off")


def _panels(figure: Any, count: int) -> Iterable[Any]:
    panels = figure.subplots(1, count, squeeze=False)[0]
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#E5E5E5", linewidth=0.8)
        axes.set_axisbelow(True)
    return list(panels)


def _title(figure: Any, title: str, note: str) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    if note:
        figure.supxlabel(note, x=0.01, ha="left", fontsize=9, color=GREY)


def _log_percent(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.2g} %"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _label_ends(axes: Any, x: float, ends: list[tuple[float, str, str]]) -> None:
    """Write labels at the ends of lines on a log axis, pushed apart where they would collide."""
    low, high = np.log(axes.get_ylim())
    gap = 0.055 * (high - low)
    ends = sorted(ends)
    place = np.log([max(value, np.exp(low)) for value, _, _ in ends])
    for i in range(1, len(place)):
        place[i] = max(place[i], place[i - 1] + gap)
    place -= max(0.0, place[-1] - high)
    for i in range(len(place) - 2, -1, -1):
        place[i] = min(place[i], place[i + 1] - gap)
    for y, (_, label, colour) in zip(place, ends):
        axes.text(x, np.exp(y), label, color=colour, va="center", fontsize=9)


def _where(rows: list[Row], **wanted: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _numbers(rows: list[Row], name: str) -> Any:
    return np.array([float(row[name]) for row in rows])
