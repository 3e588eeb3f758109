"""Sums, means, shares and medians: how often intervals hold, and errors beside NumPy's.

    python benchmarks/amounts.py              prints the tables
    python benchmarks/amounts.py --write      and puts them into docs/benchmarks.md

Coverage is that of nominal 95 % intervals of squares of made towns, by the number of records in a
square: squares that are districts, measured one by one, and the same squares asked of adaptive
cells. Where there are too few records, the answer is "not known", and its interval holds anything;
these are shown apart and left out of the coverage. Errors beside NumPy are those of the sample's
places by state, with amounts made for them: Laplace noise on count and sum, with half of ε each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
import shared

import geodp

SAMPLE = Path(__file__).parents[1] / "sample_data"
PAGE = shared.DOCS / "benchmarks.md"
HIGH = 100
SIDES = (5_000, 10_000, 20_000)
CLASSES = ((1, 30), (30, 100), (100, 300), (300, 1000), (1000, 10**9))
BREAKS = (0, 5, 10, 15, 20, 30, 40, 60, 80, 120, 200, 10_000)
ASKED = ("count", "sum", "mean", "share", "median")


def amounts(z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Make amounts: most are small and some large, more so in the east."""
    return np.exp(3 + 0.5 * z + 0.8 * rng.standard_normal(len(z)))


def simulated_points(count: int) -> dict[str, np.ndarray]:
    x, y = shared.all_towns(count)
    rng = np.random.default_rng(7)
    paid = amounts((x - x.mean()) / x.std(), rng)
    _, ymin, _, ymax = shared.BOUNDS
    often = 0.05 + 0.5 * np.clip((y - ymin) / (ymax - ymin), 0, 1)
    kind = np.where(rng.random(count) < often, "yes", "no")
    return {"x": x, "y": y, "paid": paid, "kind": kind}


def squares(side: int) -> gpd.GeoDataFrame:
    xmin, ymin, xmax, ymax = shared.BOUNDS
    corners = [(x, y) for x in np.arange(xmin, xmax, side) for y in np.arange(ymin, ymax, side)]
    shapes = [shapely.box(x, y, x + side, y + side) for x, y in corners]
    names = [f"square {number}" for number in range(len(corners))]
    return gpd.GeoDataFrame({"name": names}, geometry=shapes, crs=shared.CRS)


def truths(points: dict[str, np.ndarray], side: int, asked: gpd.GeoDataFrame) -> dict[str, Any]:
    xmin, ymin, xmax, ymax = shared.BOUNDS
    x, y = points["x"], points["y"]
    inside = (x >= xmin) & (x < xmax) & (y >= ymin) & (y < ymax)
    rows = round((ymax - ymin) / side)
    code = ((x - xmin) // side * rows + (y - ymin) // side)[inside].astype(int)
    size, paid = len(asked), points["paid"][inside]
    count = np.bincount(code, minlength=size).astype(float)
    total = np.bincount(code, np.minimum(paid, HIGH), minlength=size)
    yes = np.bincount(code, points["kind"][inside] == "yes", minlength=size)
    order = np.lexsort((paid, code))
    first = np.searchsorted(code[order], np.arange(size))
    middle = np.clip(first + (count / 2).astype(int), 0, len(code) - 1)
    many = np.maximum(count, 1)
    return {"count": count, "sum": total, "mean": total / many, "share": yes / many,
            "median": paid[order][middle]}  # fmt: skip


def answers(
    points: dict[str, np.ndarray], asked: gpd.GeoDataFrame, adaptive: bool
) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Return estimates of squares and both ends of their intervals."""
    where: dict[str, Any] = {"cells": geodp.Districts(asked, name="name")}
    if adaptive:
        where = {"domain": geodp.Domain(shared.BOUNDS, crs=shared.CRS)}
    summed = geodp.release(points, epsilon=1, amount=geodp.Amount("paid", 0, HIGH), **where)
    answers = summed.query(asked)
    yield "count", *(answers[name].to_numpy() for name in ("estimate", "ci_low", "ci_high"))
    for name in ("sum", "mean"):
        yield name, *(answers[f"{name}{end}"].to_numpy() for end in ("", "_low", "_high"))
    by = geodp.Categories("kind", ["yes", "no"])
    answers = geodp.release(points, epsilon=1, by=by, **where).share("yes", asked)
    yield "share", *(answers[f"share{end}"].to_numpy() for end in ("", "_low", "_high"))
    breaks = geodp.Breaks("paid", BREAKS)
    answers = geodp.release(points, epsilon=1, by=breaks, **where).quantile(asked, 0.5)
    yield "median", *(answers[f"quantile{end}"].to_numpy() for end in ("", "_low", "_high"))


def coverage(points: dict[str, np.ndarray], adaptive: bool, runs: int) -> list[list[str]]:
    """Return rows of a table: classes of sizes, and what is asked about."""
    held: dict[tuple[str, int], list[float]] = {}
    known: dict[tuple[str, int], list[float]] = {}
    width: dict[int, list[float]] = {}
    for side in SIDES:
        asked = squares(side)
        truth = truths(points, side, asked)
        size = np.digitize(truth["count"], [low for low, _ in CLASSES]) - 1
        for _ in range(runs):
            for name, estimate, low, high in answers(points, asked, adaptive):
                slack = 1e-9 * HIGH
                covers = (low <= truth[name] + slack) & (truth[name] - slack <= high)
                has_mean = np.isfinite(estimate)
                for number in range(len(CLASSES)):
                    here = size == number
                    held.setdefault((name, number), []).extend(covers[here & has_mean])
                    known.setdefault((name, number), []).extend(has_mean[here])
                    if name == "mean":
                        half = (high - low)[here & has_mean] / 2 / HIGH
                        width.setdefault(number, []).extend(half)
    rows = []
    for number, (low, high) in enumerate(CLASSES):
        words = f"{low:,} to {high - 1:,}" if high < 10**9 else f"{low:,} and more"
        cells = []
        for name in ASKED:
            covered, some = held[name, number], known[name, number]
            text = f"{100 * np.mean(covered):.1f}" if len(covered) >= 20 else "–"
            hidden = 1 - np.mean(some)
            cells.append(text if hidden < 0.005 else f"{text} ({hidden:.0%} not known)")
        half = width[number]
        cells.append(f"{np.mean(half):.3f}" if half else "–")
        rows.append([words, f"{len(held['count', number]):,}", *cells])
    return rows


def beside_numpy(runs: int) -> list[tuple[str, ...]]:
    """Return errors of sums and means per state, and those of shares, as ratios."""
    states = gpd.read_file(SAMPLE / "us_districts.gpkg")[["state", "geometry"]]
    places = gpd.read_file(SAMPLE / "us_places.gpkg")[["geometry"]].to_crs(states.crs)
    joined = places.sjoin(states, predicate="within")
    code, size = joined.index_right.to_numpy(), len(states)
    rng = np.random.default_rng(7)
    east = joined.to_crs(4326).geometry.x.to_numpy()
    paid = amounts((east - east.mean()) / east.std(), rng)
    points = {"x": joined.geometry.x.to_numpy(), "y": joined.geometry.y.to_numpy(), "paid": paid}
    count = np.bincount(code, minlength=size)
    total = np.bincount(code, np.minimum(paid, HIGH), minlength=size)
    mean = total / np.maximum(count, 1)
    ours: list[tuple[float, float]] = []
    plain: list[tuple[float, float]] = []
    cells, amount = geodp.Districts(states, name="state"), geodp.Amount("paid", 0, HIGH)
    for _ in range(runs):
        answers = geodp.release(points, epsilon=1, cells=cells, amount=amount).query(states)
        guess = answers["mean"].fillna(HIGH / 2)
        ours.append((np.abs(answers["sum"] - total).mean(), np.abs(guess - mean).mean()))
        sums, counts = (part + rng.laplace(0, 2 * unit, size) for part, unit in
                        ((total, HIGH), (count, 1)))  # fmt: skip
        quotient = np.clip(sums / np.maximum(counts, 1), 0, HIGH)
        plain.append((np.abs(sums - total).mean(), np.abs(quotient - mean).mean()))
    rows = []
    goals = ("≤ 0.55", "≤ 0.42")
    words = ("sum of an amount per state", "mean of an amount per state")
    for place, (name, goal) in enumerate(zip(words, goals)):
        error, reference = (
            float(np.mean([figures[place] for figures in some])) for some in (ours, plain)
        )
        rows.append((name, f"{error:.3g}", f"{reference:.3g}", f"{error / reference:.2f}", goal))
    return rows


def shares_of_hexagons(points: dict[str, np.ndarray], runs: int) -> tuple[str, ...]:
    """Return the error of shares in hexagons of over fifty records, in percentage points."""
    domain = geodp.Domain(shared.BOUNDS, crs=shared.CRS)
    hexagons = geodp.Hexagons(4000)
    by, rng = geodp.Categories("kind", ["yes", "no"]), np.random.default_rng(2)
    certain = geodp.release(points, domain, epsilon=10**6, cells=hexagons, by=by, force=True)
    yes, no = (np.asarray(certain[name].counts, dtype=float) for name in ("yes", "no"))
    large = yes + no > 50
    truth = (yes / np.maximum(yes + no, 1))[large]
    ours, plain = [], []
    for _ in range(runs):
        groups = geodp.release(points, domain, epsilon=1, cells=hexagons, by=by)
        parts = [np.asarray(groups[name].counts, dtype=float)[large] for name in ("yes", "no")]
        ours.append(np.abs(parts[0] / sum(parts) - truth).mean())
        parts = [layer[large] + rng.laplace(0, 1, int(large.sum())) for layer in (yes, no)]
        plain.append(np.abs(parts[0] / sum(parts) - truth).mean())
    error, reference = 100 * float(np.mean(ours)), 100 * float(np.mean(plain))
    words = f"share of a kind in {int(large.sum())} hexagons of over 50 records, points"
    return words, f"{error:.3f}", f"{reference:.3f}", f"{error / reference:.2f}", "≤ 1.29"


def main() -> None:
    """Print the tables, and write them if that is asked for."""
    parser = shared.make_parser(__doc__, "a few releases only", "benchmarks.md")
    given = parser.parse_args()
    runs = 2 if given.quick else 12
    points = simulated_points(60_000)
    rows = [*beside_numpy(5 * runs), shares_of_hexagons(points, runs)]
    heads = ("records in the square", "answers", *ASKED, "half-width of means / (U − L)")
    lines = [
        "Mean absolute errors at ε = 1:",
        "",
        *shared.table(("what", "geodp", "NumPy", "ratio", "goal"), rows),
        "",
    ]
    for words, adaptive in (("Squares that are districts", False), ("Adaptive cells", True)):
        lines += [
            f"{words}: how many of 100 intervals hold the truth (nominal 95), ε = 1:",
            "",
            *shared.table(heads, coverage(points, adaptive, runs)),
            "",
        ]
    lines.append("Made by `python benchmarks/amounts.py`; the goal for means is 93 to 99.")
    print("\n".join(lines))
    if given.write:
        shared.write_part(PAGE, "amounts", "\n".join(lines))


if __name__ == "__main__":
    main()
