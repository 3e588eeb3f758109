"""Errors of adaptive releases on moved windows of real data, for comparing two states of the code.

    python benchmarks/windows.py --data FOLDER --out new.csv        in a checkout of one state
    python benchmarks/windows.py --data FOLDER --out old.csv        in a checkout of the other
    python benchmarks/windows.py --beside old.csv new.csv           ratios of new to old
    python benchmarks/windows.py --data FOLDER --peers              ratios to AG and PrivTree

Where cells end beside crowds is luck, and a rule that is tuned on a few maps learns that luck. So
each dataset is looked at through windows at random places, which move the cells. The noise of a
node follows from its place alone, and is the same in both states: far fewer releases then show a
difference of one per cent. A trial of all datasets takes two minutes on one core.

``--around`` takes domains that reach beyond the dataset's, so that all records stay, and
``--squares`` boxes that are as wide as high: those of the benchmark have the shape of the domain,
and so have the cells of AG.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from geodp.core.counts.tree_tally import BaseTally
from geodp.core.estimates.tree_answers import answer_tree
from geodp.core.estimates.tree_estimate import TreeEstimate
from geodp.core.kernel.kernel import Kernel, Measured, Nodes
from geodp.core.mechanisms.growth import grow
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.unit import Unit
from geodp.core.regions.workload import Workload
from geodp.core.space.domain import Domain
from geodp.core.space.frame import Frame
from geodp.core.space.grid import in_domain
from study.adaptive import AdaptiveGridMaker
from study.datasets import Dataset, benchmark_datasets
from study.metrics import geometric_mean
from study.privtree import PrivTreeMaker

SIDES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
EPSILONS = ("0.1", "1", "5")
BOXES = 60
MOST = 600_000
"""Records of a window; of more, so many are drawn."""
LEFT_OUT = ("us-zipcodes", "world-places", "gowalla-1000", "sf-pickups", "beijing-grid")
LEFT_OUT += ("sf-cabs-grid", "sf-cabs")
"""Half of the datasets, on which the constants of growth.py were not tuned the last time."""


class OneNoise(Kernel):
    """A kernel whose noise follows from places: for comparing errors, and never for a release."""

    seed = 0
    _fresh: Nodes | None = None

    def split(self, nodes: Nodes, which: Any) -> Nodes:
        self._fresh = super().split(nodes, which)
        return self._fresh

    def measure(
        self, nodes: Nodes, which: Any, share: Fraction, step: str, how: str = ""
    ) -> Measured:
        scale = self._spend(nodes, which, share, step, how)
        counts = self._tally.node_counts(nodes.codes[which], nodes.depth)
        place = nodes.codes[which].astype(np.uint64) | np.uint64(nodes.depth << 40)
        time = 2 * self.seed + (nodes is not self._fresh)  # the first measurement, or the second
        return Measured([counts + _noise(place, time, float(scale))], scale)


def _noise(place: np.ndarray, time: int, scale: float) -> np.ndarray:
    """Draw discrete Laplace noise by the inverse of its distribution, from hashes of places."""
    key = _mixed(np.array([time], dtype=np.uint64))
    even = (_mixed(_mixed(place) ^ key) >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
    ratio = np.exp(-1 / scale)
    beyond = (1 - np.abs(2 * even - 1)) * (1 + ratio) / 2
    size = np.floor(np.log(beyond) / np.log(ratio))
    return np.where(even < 0.5, -size, size).astype(np.int64) * (size > 0)


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """Return numbers of 64 bits that look drawn at random (the finaliser of SplitMix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))


def windows(dataset: Dataset, first: int, count: int) -> Iterator[tuple[int, Domain, Any, Any]]:
    """Yield windows of 45 % to 90 % of each axis with a tenth of the records, and their points."""
    _, x, y = in_domain(dataset.domain, *dataset.points())
    random = np.random.default_rng(sum(map(ord, dataset.name)))
    low, size = np.array(dataset.domain.bounds[:2]), (dataset.domain.width, dataset.domain.height)
    number = 0
    while number < first + count:
        extent = random.uniform(0.45, 0.9, 2) * size
        one = random.integers(len(x))  # somewhere in the window
        corner = np.array([x[one], y[one]]) - random.random(2) * extent
        west, south = np.clip(corner, low, low + size - extent)
        east, north = np.array([west, south]) + extent
        inside = np.flatnonzero((x >= west) & (x < east) & (y >= south) & (y < north))
        if len(inside) < len(x) / 10:
            continue
        if len(inside) > MOST:
            inside = np.sort(random.choice(inside, MOST, replace=False))
        number += 1
        if number > first:
            domain = Domain((west, south, east, north), dataset.domain.crs, allow_geographic=True)
            yield number, domain, x[inside], y[inside]


def around(dataset: Dataset, first: int, count: int) -> Iterator[tuple[int, Domain, Any, Any]]:
    """Yield domains that reach up to an eighth further on each side, and all points."""
    _, x, y = in_domain(dataset.domain, *dataset.points())
    random = np.random.default_rng(sum(map(ord, dataset.name)))
    chosen = np.sort(random.permutation(len(x))[:MOST])
    x, y = x[chosen], y[chosen]
    size = np.array([dataset.domain.width, dataset.domain.height])
    for number in range(1, first + count + 1):
        margins = random.uniform(0, 1 / 8, 4) * np.tile(size, 2)
        bounds = np.array(dataset.domain.bounds) + margins * [-1, -1, 1, 1]
        if number > first:
            yield number, Domain(bounds, dataset.domain.crs, allow_geographic=True), x, y


def boxes(domain: Domain, squares: bool) -> Workload:
    """Draw boxes of the domain's shape, or squares with sides that are parts of its shorter one."""
    if not squares:
        return Workload.random_boxes(domain, [side * side for side in SIDES], BOXES, seed=7)
    side = np.repeat(SIDES, BOXES)[:, None] * min(domain.width, domain.height)
    room = np.array([domain.width, domain.height]) - side
    low = np.array(domain.bounds[:2]) + np.random.default_rng(7).random((len(side), 2)) * room
    return Workload.from_boxes(np.hstack([low, low + side]), domain)


def true_counts(boxes: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    order = np.argsort(x)
    x, y = x[order], y[order]
    counts = []
    for west, south, east, north in boxes:
        part = y[np.searchsorted(x, west) : np.searchsorted(x, east)]
        counts.append(np.count_nonzero((part >= south) & (part < north)))
    return np.array(counts, dtype=np.float64)


def errors(
    domain: Domain, x: Any, y: Any, epsilons: Any, releases: int, test: Workload
) -> Iterator[list[str]]:
    """Mean relative error of boxes of each side, for every ε; more releases of few records."""
    tally = BaseTally(Frame(domain))
    tally.add(x, y)
    truth = true_counts(test.boxes, x, y)
    for epsilon in epsilons:
        answers = []
        for seed in range(_more(releases, len(x) * float(epsilon))):
            bits = RandomBits(seed=seed)
            kernel = OneNoise(tally, epsilon=epsilon, unit=Unit("record"), bits=bits)
            kernel.seed = seed
            tree, (measured,) = grow(kernel, TreeBudget.of(epsilon), tally.frame)
            given = answer_tree(TreeEstimate(tree, measured).fit, test).estimate
            answers.append(given)
        yield [epsilon, *(f"{mean:.6g}" for mean in _relative(answers, truth, len(x)))]


def peer_errors(
    domain: Domain, x: Any, y: Any, epsilon: str, releases: int, test: Workload
) -> list[float]:
    """Measure errors of AG and of PrivTree, over all sides."""
    low, size = np.array(domain.bounds[:2]), np.array([domain.width, domain.height])
    points = np.minimum((np.column_stack([x, y]) - low) / size, np.nextafter(1.0, 0.0)).T
    unit = ((test.boxes.reshape(-1, 2, 2) - low) / size).reshape(-1, 4)
    truth, random = true_counts(test.boxes, x, y), np.random.default_rng(7)
    count = range(_more(releases, len(x) * float(epsilon)))
    grid, tree = AdaptiveGridMaker(*points, float(epsilon)), PrivTreeMaker(*points)
    peers = (
        [grid.release(random).answers(unit) for _ in count],
        [tree.release(float(epsilon), random).answers(unit) for _ in count],
    )
    return [geometric_mean(list(_relative(peer, truth, len(x)))) for peer in peers]


def _more(releases: int, size: float) -> int:
    return releases * (1 if size > 3e5 else 2 if size > 2e4 else 4)


def _relative(answers: Any, truth: np.ndarray, records: int) -> np.ndarray:
    """Mean relative error of boxes of each side."""
    error = np.abs(np.array(answers) - truth) / np.maximum(truth, records / 1000)
    return np.asarray(error.mean(axis=0).reshape(len(SIDES), -1).mean(axis=1))


def beside(old: Path, new: Path) -> str:
    """Return ratios of the errors in two files, by dataset, side and n·ε."""
    tables = [list(csv.DictReader(path.open(encoding="utf-8"))) for path in (old, new)]
    before = {_key(row): row for row in tables[0]}
    ratios: dict[str, list[float]] = {}
    for row in tables[1]:
        other = before[_key(row)]
        each = {side: float(row[side]) / float(other[side]) for side in map(str, SIDES)}
        size = int(row["records"]) * float(row["epsilon"])
        bound = next(most for most in (5e3, 2e4, 2e5, np.inf) if size < most)
        kept = "left out" if row["dataset"] in LEFT_OUT else "tuned on"
        for word in ("all", kept, row["dataset"], f"ε = {row['epsilon']}", f"n·ε < {bound:,.0f}"):
            ratios.setdefault(word, []).append(geometric_mean(list(each.values())))
        for side, ratio in each.items():
            ratios.setdefault(f"{kept}, side {side}", []).append(ratio)
    return "\n".join(f"{word}: {geometric_mean(ratio):.3f}" for word, ratio in ratios.items())


def _key(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("dataset", "window", "epsilon"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of datasets; else the sample data")
    parser.add_argument("--out", type=Path, default=Path("windows.csv"))
    parser.add_argument("--beside", type=Path, nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("--only", help="names of datasets, with commas between")
    parser.add_argument("--first", type=int, default=0, help="windows to pass over")
    parser.add_argument("--windows", type=int, default=4, help="of each dataset")
    parser.add_argument("--releases", type=int, default=3, help="of each window and ε")
    parser.add_argument("--epsilons", default=",".join(EPSILONS), help="with commas between")
    parser.add_argument("--around", action="store_true", help="larger domains, not windows")
    parser.add_argument("--squares", action="store_true", help="boxes as wide as high")
    parser.add_argument("--peers", action="store_true", help="print ratios to AG and PrivTree")
    chosen = parser.parse_args()
    if chosen.beside:
        print(beside(*chosen.beside))
        return
    every = benchmark_datasets(chosen.data)
    names = chosen.only.split(",") if chosen.only else list(every)
    epsilons = chosen.epsilons.split(",")
    with chosen.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["dataset", "window", "records", "epsilon", *SIDES])
        for name in names:
            ratios: dict[str, list[list[float]]] = {epsilon: [] for epsilon in epsilons}
            looks = (around if chosen.around else windows)(
                every[name], chosen.first, chosen.windows
            )
            for number, domain, x, y in looks:
                test = boxes(domain, chosen.squares)
                for row in errors(domain, x, y, epsilons, chosen.releases, test):
                    writer.writerow([name, number, len(x), *row])
                    if chosen.peers:
                        peers = peer_errors(domain, x, y, row[0], chosen.releases, test)
                        error = geometric_mean(list(map(float, row[1:])))
                        ratios[row[0]].append([error / peer for peer in (*peers, min(peers))])
            file.flush()
            print(name, flush=True)
            for epsilon, rows in ratios.items():
                if rows:
                    ag, privtree, best = (geometric_mean(list(column)) for column in zip(*rows))
                    print(
                        f"  ε = {epsilon}: {ag:.2f} to AG, {privtree:.2f} to PrivTree, {best:.2f} "
                        f"to the better of each look (worst {max(row[2] for row in rows):.2f})",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
