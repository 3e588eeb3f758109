"""People as shares beside k random records of each, at the same ε per person.

    python benchmarks/people.py --data FOLDER --write     all datasets; into docs/benchmarks.md
    python benchmarks/people.py --data FOLDER --only tdrive --repeats 2
    python benchmarks/people.py --data FOLDER --only gowalla --repeats 8 --times 10

Error against people: each person is one, spread over all of their records. Boxes of several sizes
at random places, relative errors, means over sizes on a logarithmic scale.

Two readings of "the best k": one k for all datasets, which is what somebody can choose who has
never seen the data; and the best k of each dataset and ε, which needs the truth. The least of six
errors is a little too small by luck, and so k is chosen by the first half of the releases and
compared on the second, and the other way round.

What drawing costs: a release of k random records is also compared with the records that it kept.
What is then left of its error, noise and the even spread inside cells, has nothing to do with which
records were drawn. Where k is 1 this is all that a way to weigh records could take away. Where k is
larger, people with fewer records count for less in either way, which this leaves out too.

More people: `--times 10` has everybody ten times, each at places that are moved by a shift of their
own, so that habits stay as they are. The more people, the more of the error is due to drawing.

A data folder has what DATASETS names, with the columns lon, lat and user_id.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from shared import DOCS, table, write_part

import geodp
from study.datasets import BEIJING, SF, US
from study.metrics import geometric_mean

SIDES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
KS = (1, 2, 5, 10, 20, 50)
BY_WEIGHTS = (1, 5, 20)
EPSILONS = ("1/2", "1", "5")
SIZE = 1_000_000.0
"""Side of the square that places are drawn onto."""
DATASETS = {
    "foursquare": ("Foursquare, US (Yang et al.)", "foursquare_us_5000users", US),
    "gowalla": ("Gowalla, US (Cho et al. 2011)", "gowalla_1000users", US),
    "tdrive": ("T-Drive, taxis in Beijing (Yuan et al. 2010)", "tdrive_599taxis", BEIJING),
    "sf-pickups": ("Cabspotting, pickups in SF (CRAWDAD)", "sf_cabs_pickups", SF),
}
"""Title, file and bounds by short name."""


class People(NamedTuple):
    """Records of people on the square, and the true number of people in each box."""

    title: str
    x: np.ndarray
    y: np.ndarray
    who: np.ndarray
    boxes: np.ndarray
    truth: np.ndarray


def read(name: str, data: Path, boxes_of_each: int, times: int) -> People:
    """Read a dataset, with everybody so many times, and draw boxes."""
    title, file, (west, south, east, north) = DATASETS[name]
    rows = pd.read_parquet(data / f"{file}.parquet", columns=["lon", "lat", "user_id"])
    x = (rows.lon.to_numpy() - west) / (east - west) * SIZE
    y = (rows.lat.to_numpy() - south) / (north - south) * SIZE
    x, y, who = within_square(x, y, np.unique(rows.user_id.to_numpy(), return_inverse=True)[1])
    people, rng = int(who.max()) + 1, np.random.default_rng(3)
    shifts = [np.zeros((2, people)), *rng.normal(0, 0.01 * SIZE, (times - 1, 2, people))]
    moved = [(x + dx[who], y + dy[who], who + n * people) for n, (dx, dy) in enumerate(shifts)]
    x, y, who = within_square(*map(np.concatenate, zip(*moved)))
    weight = 1 / np.bincount(who)[who]
    rng = np.random.default_rng(99)
    corner = np.concatenate([rng.uniform(0, 1 - side, (boxes_of_each, 2)) for side in SIDES])
    side = np.repeat(SIDES, boxes_of_each)[:, None]
    boxes = np.hstack([corner, corner + side]) * SIZE
    return People(title, x, y, who, boxes, sums_in(boxes, x, y, weight))


def within_square(x: np.ndarray, y: np.ndarray, who: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the records on the square, with people numbered from 0."""
    inside = (x >= 0) & (x < SIZE) & (y >= 0) & (y < SIZE)
    return x[inside], y[inside], np.unique(who[inside], return_inverse=True)[1]


def sums_in(boxes: np.ndarray, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Add up the weights of the places in each box."""
    return np.array([
        weight[(x >= x0) & (x < x1) & (y >= y0) & (y < y1)].sum() for x0, y0, x1, y1 in boxes
    ])  # fmt: skip


def kept_records(who: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions of so many random records of each person."""
    order = np.lexsort((rng.random(len(who)), who))
    people = who[order]
    return order[np.arange(len(who)) - np.searchsorted(people, people) < most]


def relative_error(
    release: geodp.Release, people: People, k: int, truth: np.ndarray | None = None
) -> float:
    """Return the geometric mean over the sizes of the mean relative error.

    The truth is that of people, if no other is given; errors are relative to people either way.
    """
    answers = release.query(people.boxes).estimate / k
    distance = np.abs(answers - (people.truth if truth is None else truth))
    error = distance / np.maximum(people.truth, 0.001 * people.truth.max())
    return float(geometric_mean(list(error.reshape(len(SIDES), -1).mean(axis=1))))


def errors(people: People, epsilon: str, repeats: int) -> dict[str, np.ndarray]:
    """Return the errors of every way to count people, one for each release."""
    square = geodp.Domain((0, 0, SIZE, SIZE), crs="EPSG:5070")
    rng = np.random.default_rng(7)
    points = {"x": people.x, "y": people.y, "who": people.who}
    by_way: dict[str, list[float]] = {}
    for _ in range(repeats):
        shares = geodp.release(
            points, square, epsilon=epsilon, protect=geodp.Person("who"), force=True
        )
        by_way.setdefault("shares", []).append(relative_error(shares, people, 1))
        for k in KS:
            kept = kept_records(people.who, k, rng)
            # A record of k has the noise of k records: so much less ε for each.
            part = geodp.Budget(epsilon).epsilon / k
            dropped = geodp.release(
                (people.x[kept], people.y[kept]), square, epsilon=part, force=True
            )
            by_way.setdefault(f"drop {k}", []).append(relative_error(dropped, people, k))
            if k in BY_WEIGHTS:
                weights = np.full(len(kept), 1 / k)
                truth = sums_in(people.boxes, people.x[kept], people.y[kept], weights)
                error = relative_error(dropped, people, k, truth)
                by_way.setdefault(f"noise {k}", []).append(error)
        for k in BY_WEIGHTS:
            person = geodp.Person("who", max_records=k)
            weighed = geodp.release(points, square, epsilon=epsilon, protect=person, force=True)
            by_way.setdefault(f"weights {k}", []).append(relative_error(weighed, people, k))
    return {way: np.array(errors) for way, errors in by_way.items()}


def to_best(by_way: dict[str, np.ndarray]) -> float:
    """Return the error of shares over that of the best k, which other releases chose."""
    halves = [slice(0, None, 2), slice(1, None, 2)]
    ratios = []
    for choose, compare in (halves, halves[::-1]):
        best = min(KS, key=lambda k: by_way[f"drop {k}"][choose].mean())
        ratios.append(by_way["shares"][compare].mean() / by_way[f"drop {best}"][compare].mean())
    return float(geometric_mean(ratios))


def figures(results: dict[tuple[str, str], dict[str, np.ndarray]], notes: str) -> str:
    """Return the tables: shares over each k, and both readings of the best k."""
    means = {
        case: {way: errors.mean() for way, errors in by.items()} for case, by in results.items()
    }
    rows = []
    for (title, epsilon), by_way in means.items():
        ratios = [by_way["shares"] / by_way[f"drop {k}"] for k in KS]
        best = to_best(results[title, epsilon])
        shown = [f"{100 * by_way['shares']:.1f} %", *(f"{ratio:.2f}" for ratio in ratios)]
        rows.append((title, epsilon, *shown, f"{best:.2f}"))
    heads = ("dataset", "ε", "error of shares", *(f"k = {k}" for k in KS), "best k of the row")
    parts = table(heads, rows)
    lines = []
    for name, wanted in (
        *((f"ε = {epsilon}", (epsilon,)) for epsilon in EPSILONS),
        ("all", EPSILONS),
    ):
        cases = [case for case in means if case[1] in wanted]
        one_k = {
            k: geometric_mean([means[case]["shares"] / means[case][f"drop {k}"] for case in cases])
            for k in KS
        }
        k = max(one_k, key=one_k.__getitem__)
        single = [means[case]["shares"] / means[case][f"drop {k}"] for case in cases]
        each = [to_best(results[case]) for case in cases]
        by_weights = [
            [means[case][f"{way} {k}"] / means[case][f"drop {k}"] for case in cases]
            for k in BY_WEIGHTS
            for way in ("weights", "noise")
        ]
        lines.append((
            name, k, *(f"{value:.2f}" for value in (
                one_k[k], max(single), geometric_mean(each), max(each),
                *map(geometric_mean, by_weights),
            )),
        ))  # fmt: skip
    heads = ("", "best one k", "shares / it", "worst", "shares / best of each", "worst")
    for k in BY_WEIGHTS:
        heads += (f"weights / dropping, k = {k}", "to what it kept")
    return "\n".join([*parts, "", *table(heads, lines), "", notes])


def main() -> None:
    """Print, or write, errors of shares beside each k."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of datasets with users")
    parser.add_argument("--only", help="names of datasets, with commas between")
    parser.add_argument("--repeats", type=int, default=20, help="releases of each way, at least 2")
    parser.add_argument("--boxes", type=int, default=40, help="of each size")
    parser.add_argument("--times", type=int, default=1, help="everybody so many times")
    parser.add_argument("--write", action="store_true", help="put the figures into the docs")
    chosen = parser.parse_args()
    names = chosen.only.split(",") if chosen.only else list(DATASETS)
    results = {}
    for name in names:
        people = read(name, chosen.data, chosen.boxes, chosen.times)
        title = f"{people.title}: {len(people.x):,} records of {people.who.max() + 1:,}"
        for epsilon in EPSILONS:
            results[title, epsilon] = errors(people, epsilon, chosen.repeats)
            print(name, epsilon, flush=True)
    notes = (
        f"{chosen.repeats} releases of each, {chosen.boxes} boxes of each of {len(SIDES)} sizes. "
        "Made by `python benchmarks/people.py --data FOLDER`."
    )
    text = figures(results, notes)
    print(text)
    if chosen.write:
        write_part(DOCS / "benchmarks.md", "shares", text)


if __name__ == "__main__":
    main()
