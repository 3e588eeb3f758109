"""Draw the experiments: few lines, labelled where they end, colours for all eyes."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from geodp.core.common.errors import GeodpError

from .runner import Row

BLUE, SKY, RED, ORANGE, GREEN, GREY, INK = (
    "#0072B2",
    "#56B4E9",
    "#D55E00",
    "#E69F00",
    "#009E73",
    "#6B6B6B",
    "#222222",
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
_DATASETS = ("small", "middle", "large")
_SHADES = ("#6BAED6", "#3182BD", "#08519C", "#041F45")


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
            "the figures need matplotlib, which is not installed: install it, or run 'make setup'."
        ) from None
    drawers: dict[str, tuple[Callable[[Any, list[Row]], None], float, float]] = {
        "region-size": (_region_size, 13, 8.2),
        "epsilon": (_epsilon, 7.5, 4.8),
        "split": (_split, 10, 4.6),
        "sensitivity": (_sensitivity, 12, 4.6),
        "grid-size": (_grid_size, 13, 6.2),
    }
    drawer, width, height = drawers[name]
    figure = Figure(figsize=(width, height), layout="constrained")
    drawer(figure, rows)
    folder.mkdir(parents=True, exist_ok=True)
    return _save(figure, folder / f"study-{name}.png")


def _save(figure: Any, path: Path) -> Path:
    """Write with few colours, which a chart has anyway: a third of the bytes."""
    from PIL import Image

    buffer = BytesIO()
    figure.savefig(buffer, dpi=100, format="png")
    few = Image.open(buffer).convert("RGB").quantize(200, Image.Quantize.MAXCOVERAGE)
    few.save(path, optimize=True)
    return path


def _region_size(figure: Any, rows: list[Row]) -> None:
    panels = _panels(figure, 2, 3)
    for measure, across in zip(("median", "mean"), panels):
        for axes, dataset in zip(across, _DATASETS):
            chosen = _where(rows, dataset=dataset)
            _rivals(axes, chosen, measure)
            if measure == "median":
                _heading(axes, chosen)
            else:
                axes.set_xlabel("size of the regions, share of the area")
    panels[0][0].set_ylabel("median relative error, as in the paper")
    panels[1][0].set_ylabel("mean relative error, 0.1 % floor")
    _title(
        figure,
        "How far off are counts in regions of each size? (ε = 1)",
        f"{_NOTE} Bands: middle half of the answers, or one standard deviation of the mean. "
        "The floor: at least 0.1 % of all points in the denominator.",
    )


def _rivals(axes: Any, rows: list[Row], measure: str) -> None:
    """Draw one line for each method, over the region sizes."""
    ends = []
    for key, (colour, line, label) in _STYLES.items():
        chosen = _where(rows, method=key[0], candidates=key[1])
        place, value = np.arange(len(chosen)), _numbers(chosen, measure)
        value[value == 0] = np.nan  # no error at all has no place on a log axis
        axes.plot(place, value, line, color=colour, marker="o", markersize=3.5)
        if label in ("influence", "E2EPriv"):
            low, high = _numbers(chosen, "q25"), _numbers(chosen, "q75")
            if measure == "mean":
                spread = _numbers(chosen, "mean_sd")
                low, high = np.maximum(value - spread, value / 3), value + spread
            axes.fill_between(place, np.maximum(low, 1e-5), high, color=colour, alpha=0.1)
        ends.append((value[-1], label, colour))
    _region_ticks(axes, chosen)
    _label_ends(axes, place[-1] + 0.15, ends)
    axes.set_xlim(-0.3, place[-1] + 2.4)


def _epsilon(figure: Any, rows: list[Row]) -> None:
    axes = _panels(figure, 1, 1)[0][0]
    ends = []
    for key, (colour, line, label) in _STYLES.items():
        chosen = _where(rows, method=key[0], candidates=key[1])
        epsilon, median = _numbers(chosen, "epsilon"), _numbers(chosen, "median")
        axes.plot(epsilon, median, line, color=colour, marker="o", markersize=3.5)
        ends.append((median[-1], label, colour))
    axes.set_xticks(epsilon)
    axes.set_xlabel("privacy budget ε of the whole release (less is more private)")
    axes.set_ylabel("median relative error")
    _heading(axes, rows)
    _log_percent(axes)
    _label_ends(axes, 1.02, ends)
    axes.set_xlim(0.17, 1.3)
    _title(figure, "Less budget, more error: regions of 1 % of the area", _NOTE)


def _split(figure: Any, rows: list[Row]) -> None:
    names = {"e2epriv-printed": "E2EPriv as printed", "influence": "influence"}
    panels = _panels(figure, 1, 2)[0]
    for axes, (method, title) in zip(panels, names.items()):
        ends = []
        shares = sorted({row["share"] for row in rows}, key=float)
        for colour, share in zip(_SHADES, shares):
            chosen = _where(rows, method=method, share=share)
            place, median = np.arange(len(chosen)), _numbers(chosen, "median")
            axes.plot(place, median, color=colour, marker="o", markersize=3.5)
            ends.append((median[-1], f"{float(share):.0%} for the choice", colour))
        _region_ticks(axes, chosen)
        axes.set_xlabel("size of the regions, share of the area")
        axes.set_title(title, loc="left", fontsize=11)
        axes.set_ylim(0.003, 0.5)
        _label_ends(axes, place[-1] + 0.15, ends)
        axes.set_xlim(-0.3, place[-1] + 2.6)
    panels[0].set_ylabel("median relative error")
    where = f"{rows[0]['title']}, {int(rows[0]['records']):,} points, ε = 1"
    _title(figure, "Budget for choosing a grid is budget missing from the counts", where)


def _sensitivity(figure: Any, rows: list[Row]) -> None:
    styles = {
        "max_grid": (ORANGE, "all cells of the largest grid", 6, "bottom"),
        "max_alpha": (GREEN, "cells in the regions, largest grid", 6, "bottom"),
        "response": (BLUE, "cells in the regions, each grid for itself", -8, "top"),
    }
    panels = _panels(figure, 1, 3)[0]
    for axes, delta in zip(panels, sorted({row["delta"] for row in rows}, key=float)):
        chosen = _where(rows, delta=delta)
        for kind, (colour, label, shift, side) in styles.items():
            some = _where(chosen, kind=kind)
            size, value = _numbers(some, "size"), _numbers(some, "sensitivity")
            axes.plot(size, value, color=colour, marker="o")
            where = {"xytext": (0, shift), "textcoords": "offset points", "va": side}
            axes.annotate(label, (size[0], value[0]), color=colour, fontsize=9, **where)
        axes.set_xticks(size)
        axes.set_ylim(0, 1.2 * max(_numbers(chosen, "sensitivity")))
        axes.set_xlabel("grid size, divisions per axis")
        axes.set_title(f"δ = {delta}: at least {float(chosen[0]['rho']):,.1f} points", loc="left")
    panels[0].set_ylabel("sensitivity of the score")
    _title(
        figure,
        "A sensitivity for each grid is the smallest, and all grow as the sanity bound falls",
        "E2EPriv as printed, ε = 1; note that each panel has its own scale.",
    )


def _grid_size(figure: Any, rows: list[Row]) -> None:
    curves, bars = _panels(figure, 2, 3, height_ratios=(3, 1), sharex="col")
    for axes, foot, dataset in zip(curves, bars, _DATASETS):
        chosen = _where(rows, dataset=dataset)
        _error_parts(axes, chosen)
        _choices(foot, chosen)
        foot.set_xlabel("grid size, divisions per axis")
        ticks = [5, 20, 80, 320, 905]
        foot.set_xscale("log")
        foot.set_xticks(ticks, ticks)
        foot.minorticks_off()
        foot.set_xlim(4, 1100)
    curves[0].set_ylabel("mean relative error, regions of 1 %")
    bars[0].set_ylabel("taken in")
    _title(
        figure,
        "Too coarse and too fine are both wrong, and the best size depends on the data (ε = 1)",
        "Below: how often each tuner takes each size of geodp's ladder, 10 to 320. "
        "Heuristic (orange) is no tuner: its rule takes one size.",
    )


def _error_parts(axes: Any, rows: list[Row]) -> None:
    lines = {
        "aggregation": (GREY, "--", "from uneven cells", -1, "right", (-10, -8)),
        "noise": (GREY, ":", "from noise", 4, "right", (-8, 4)),
        "total": (INK, "-", "error in all", 2, "left", (6, 8)),
    }
    for part, (colour, style, label, at, side, shift) in lines.items():
        chosen = _where(rows, part=part)
        size, mean = _numbers(chosen, "size"), _numbers(chosen, "mean")
        axes.plot(size, mean, style, color=colour, linewidth=2.2 if part == "total" else 1.3)
        axes.annotate(
            label, (size[at], mean[at]), shift, textcoords="offset points", color=colour, ha=side
        )
    best = int(mean.argmin())  # the last part is the total
    axes.plot(size[best], mean[best], "o", color=INK)
    _heading(axes, rows, f", best size {size[best]:g}")
    _log_percent(axes)
    axes.set_ylim(mean.min() / 40)


def _choices(axes: Any, rows: list[Row]) -> None:
    """Draw bars of how often each size is taken."""
    from matplotlib.ticker import PercentFormatter

    styles = {"influence": (BLUE, 0.92, 4.4), "e2epriv-printed": (RED, 1.08, 20)}
    for method, (colour, shift, place) in styles.items():
        chosen = _where(rows, part="choice", method=method)
        size, odds = _numbers(chosen, "size"), _numbers(chosen, "odds")
        axes.bar(size * shift, odds, width=size * 0.15, color=colour)
        label = "influence" if method == "influence" else "E2EPriv"
        axes.text(place, 1.2, label, color=colour)
    rule = float(_where(rows, part="choice", method="heuristic")[0]["size"])
    axes.plot([rule], [0.06], marker="v", color=ORANGE)
    axes.text(70, 1.2, f"▼ Heuristic: {rule:g}", color=ORANGE)
    axes.set_ylim(0, 1.5)
    axes.set_yticks([0, 0.5, 1])
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _panels(figure: Any, rows: int, columns: int, **options: Any) -> Any:
    panels = figure.subplots(rows, columns, squeeze=False, **options)
    for axes in panels.ravel():
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#E5E5E5", linewidth=0.8)
        axes.set_axisbelow(True)
    return panels


def _heading(axes: Any, rows: list[Row], more: str = "") -> None:
    name, count = rows[0]["dataset"].capitalize(), int(rows[0]["records"])
    text = f"{name}: {count:,} points{more}\n{rows[0]['title']}"
    axes.set_title(text, loc="left", fontsize=11)


def _title(figure: Any, title: str, note: str) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=9, color=GREY)


def _region_ticks(axes: Any, rows: list[Row]) -> None:
    axes.set_xticks(np.arange(len(rows)), [f"{float(row['region']):.0%}" for row in rows])
    _log_percent(axes)


def _log_percent(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _label_ends(axes: Any, x: float, ends: list[tuple[float, str, str]]) -> None:
    """Write labels at the ends of lines on a log axis, pushed apart where they would collide."""
    low, high = np.log(axes.get_ylim())
    gap = 0.055 * (high - low)
    ends = sorted(end for end in ends if np.isfinite(end[0]))
    place = np.log([max(value, np.exp(low)) for value, _, _ in ends])
    for _ in range(200):  # neighbours that are too close move apart, each by half of what lacks
        lack = np.maximum(gap - np.diff(place), 0) / 2
        place[:-1] -= lack
        place[1:] += lack
    axes.set_ylim(np.exp(min(low, place[0] - gap)), np.exp(max(high, place[-1] + gap)))
    for y, (_, label, colour) in zip(place, ends):
        axes.text(x, np.exp(y), label, color=colour, va="center", fontsize=9)


def _where(rows: list[Row], **wanted: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _numbers(rows: list[Row], name: str) -> Any:
    return np.array([float(row[name]) for row in rows])
