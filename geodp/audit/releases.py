"""Judge the noise of real releases with real bits, which is known because the records are.

Every combination is released as anybody would release it. True counts are found by brute force:
each place against the edges of each cell and node. What is left is the noise that was added, which
must have the scale that follows from ε, from the distance of neighbours and from what else was
published around a record; this arithmetic is done here once more, and shares no line with what is
audited.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations as tuples
from pathlib import Path
from typing import Any

import numpy as np

from ..core.common.types import Floats, Ints
from ..core.kernel.kernel import Kernel
from ..core.pictures import report
from ..core.privacy.ledger import Ledger
from ..core.publish import metadata
from ..core.releases.published import Published
from ..core.releases.release_set import open_release
from .combinations import (
    COUNTS_SHARE,
    DISTRICTS,
    QUARTERS,
    SKETCH_SHARE,
    WEIGHTS,
    Combination,
    Records,
)
from .finding import Finding
from .fit import (
    LIMIT,
    chance_alike,
    exponential_sizes,
    fair_signs,
    surprise_of_mean,
    surprise_of_sizes,
)
from .pairs import Attack
from .places import NodeShapes, grid_nodes, measured_nodes
from .script import measured_layers

_CLEAR = {"adaptive": 6000, "district tree": 6000}
"""ε for one record for which noise is nothing, so that what comes out is what was counted: 200, or
what it takes where a step gets a hundredth of it."""

_CLEARER = 100_000
"""Times as much ε where records carry units, of which hundreds of thousands make one. Some noise is
left: what comes out is rounded to a thousandth of one."""

_ROUNDED = Fraction(999, 1000)
"""Part of ε that must be used, at least: scales may be rounded up, by very little."""

_SHARP = 40_000
"""Draws from which a scale that is wrong by a tenth must show."""

WRONG = (Fraction(11, 10), Fraction(9, 10))
"""Factors of a scale that must be told from the true one."""


# --- true counts, by brute force --------------------------------------------------------------


def true_units(combination: Combination, records: Records, nodes: NodeShapes) -> Ints:
    """Add up the units of records in each group and node, at most so many of a unit.

    A unit that has more has them all at one place and in one group. With amounts, every group has
    two rows: for the part above the lower bound, and for the rest.
    """
    counted = _counted(combination, records)
    places, group = records.places[counted], records.group[counted]
    spots, spot = np.unique(places, axis=0, return_inverse=True)
    counts = np.zeros((len(spots), combination.layers))
    units = combination.units
    if combination.adds is None:
        np.add.at(counts, (spot.ravel(), group), 1)
    else:
        above, units = records.quarters[counted], units // QUARTERS
        np.add.at(counts, (spot.ravel(), 2 * group), above)
        np.add.at(counts, (spot.ravel(), 2 * group + 1), QUARTERS - above)
    return np.asarray(np.rint(nodes.holding(spots) @ counts).astype(np.int64).T * units)


def _counted(combination: Combination, records: Records) -> Any:
    """Tell which records count."""
    x, y = records.places.T
    inside = (x >= 0) & (x <= 8) & (y >= 0) & (y <= 8)
    if combination.domain.within is not None:
        west, south, east, north = combination.domain.bounds
        parts = (x - west) / (east - west), (y - south) / (north - south)
        column, row = (np.clip(np.floor(4 * part), 0, 3).astype(int) for part in parts)
        inside &= np.array(WEIGHTS)[3 - row, column] > 0
    turn = np.arange(len(records.unit))
    first = np.maximum.accumulate(np.where(np.diff(records.unit, prepend=-1), turn, 0))
    # Where people count at places, all records of one person at a place are one.
    return inside & (turn - first < (1 if combination.at else combination.most))


# --- one release ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Draws:
    """Hold noise of one scale on counts that are known."""

    labels: tuple[str, ...]
    noise: Ints
    scale: Fraction


@contextmanager
def overheard() -> Iterator[list[tuple[str, Any, Any]]]:
    """Hear what the kernel publishes of grids: a sketch is not part of a release."""
    true, heard = Kernel.measure_cells, []

    def measure_cells(
        self: Kernel, grid: Any, share: Any, step: str, *others: Any, **more: Any
    ) -> Any:
        published = true(self, grid, share, step, *others, **more)
        heard.append((step, grid, published))
        return published

    Kernel.measure_cells = measure_cells  # type: ignore[method-assign]
    try:
        yield heard
    finally:
        Kernel.measure_cells = true  # type: ignore[method-assign]


def _noise(combination: Combination, release: Published, records: Records) -> list[Ints]:
    """Return what was added to the true counts, in each group and in the published units."""
    true = true_units(combination, records, measured_nodes(release.cells))
    return [
        part.value - true[number][part.node] for number, part in enumerate(measured_layers(release))
    ]


def _draws(combination: Combination, release: Published, records: Records) -> Iterator[Draws]:
    """Yield all noise of a release, by group, scale, depth and size of count."""
    nodes, units = measured_nodes(release.cells), combination.units
    true = true_units(combination, records, nodes)
    depth = np.rint(np.log2(8 / (nodes.bounds[:, 2] - nodes.bounds[:, 0]))).astype(np.int64)
    for number, part in enumerate(measured_layers(release)):
        count = true[number][part.node]
        size = np.digitize(count // units, [1, 256, 32_768])
        kinds = np.stack([part.scale, depth[part.node], size])
        for kind in np.unique(kinds, axis=1).T:
            which = (kinds == kind[:, None]).all(axis=0)
            scale = part.scales[int(kind[0])]
            labels = (
                f"group {number}" if combination.groups else "no group",
                f"about {int(kind[1])} halvings",
                f"counts from {(0, 1, 256, 32_768)[int(kind[2])]:,}",
                f"scales from 10^{math.floor(math.log10(float(scale)))}",
            )
            yield Draws(labels, (part.value - count)[which], scale)


def _sketch_draws(combination: Combination, heard: Any, records: Records) -> Iterator[Draws]:
    """Yield the noise of a sketch, with the scale that it should have."""
    for step, grid, published in heard:
        if step != "sketch":
            continue
        true = true_units(combination, records, grid_nodes(grid)).sum(axis=0)
        scale = combination.distance * combination.units / (combination.epsilon * SKETCH_SHARE)
        yield Draws(("sketch",), published.values[0] - true[grid.supported.ravel()], scale)


def path_costs(combination: Combination, release: Published) -> tuple[Fraction, Fraction]:
    """Compute the least and most ε that all counts around any one place cost together.

    Every count costs the distance over its scale, for the records that it counts. Places are the
    middles of those cells and nodes that hold no others.
    """
    nodes, costs = measured_nodes(release.cells), set()
    apart = combination.distance * combination.units
    inside, leaves = nodes.around
    for part in measured_layers(release):
        times = np.zeros((len(nodes.bounds), len(part.scales)), dtype=np.float32)
        np.add.at(times, (part.node, part.scale), 1)
        counted = np.intersect1d(leaves, part.node)  # elsewhere there are no records
        around = np.rint(inside[:, counted].T @ times).astype(np.int64)
        costs |= {
            sum((int(n) * apart / s for n, s in zip(row, part.scales)), Fraction(0))
            for row in np.unique(around, axis=0)
        }
    return min(costs), max(costs)


# --- findings ---------------------------------------------------------------------------------


def stated(
    combination: Combination, release: Published, account: Any, files: Path | None
) -> list[Any]:
    """List every ε that is stated of a release and of whom it speaks: all must be the same."""
    tags = metadata.release_tags(release)
    facts = json.loads(tags["GEODP_FACTS"])
    described = release.describe()
    entries = account.entries()
    # A page about hundreds of groups takes long, and says the same.
    page = report.report_page(release) if combination.groups <= 30 else ""
    promised = re.findall(r"epsilon = ([0-9.e+-]*[0-9])", release.promise)
    shown = re.findall(r">ε in all</t[hd]><td[^>]*>([^<]*)<", page)
    epsilons = [
        release.epsilon,
        account.spent,
        sum((spend.epsilon for spend in release.spends), Fraction(0)),
        *(entry.epsilon for entry in entries),
        Fraction(tags["GEODP_EPSILON"]),
        sum((Fraction(spend[2]) for spend in facts["spends"]), Fraction(0)),
        *(
            [metadata.restore(tags, release.columns()["count"]).epsilon]
            if release.cells.kind == "regular"
            and not combination.groups
            and combination.adds is None
            else []
        ),
    ]
    rounded = [described.as_dict()["epsilon"], *promised, *shown]
    if len(entries) != 1 or not promised or not (shown or not page):
        return [*epsilons, "not stated"]
    if any(abs(float(spent) / float(release.epsilon) - 1) > 1e-5 for spent in rounded):
        return [*epsilons, *rounded]
    unit = combination.protection.unit
    units: list[Any] = [
        release.method.unit,
        entries[0].unit,
        *(x.sensitivity for x in release.spends),
    ]
    wanted = [unit.published, unit, *[combination.distance] * len(release.spends)]
    if files is not None:
        path = files / "release.gpkg"
        release.to_vector(path, overwrite=True)
        epsilons.append(open_release(path).epsilon)
    return epsilons if units == wanted else [*epsilons, *units]


@dataclass
class Pools:
    """Sort noise of many releases by what they were asked for.

    Attributes
    ----------
    sizes, wrong, signs : dict
        Sizes of noise for the true scale and for wrong ones, and signs, for each label.
    products : dict
        Products of noise that must be independent.
    """

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(20))
    sizes: dict[str, list[Floats]] = field(default_factory=lambda: defaultdict(list))
    wrong: dict[Any, list[Floats]] = field(default_factory=lambda: defaultdict(list))
    signs: dict[str, list[Floats]] = field(default_factory=lambda: defaultdict(list))
    products: dict[str, list[Floats]] = field(default_factory=lambda: defaultdict(list))

    def add(self, labels: list[str], draws: Draws) -> None:
        """Sort draws under all labels."""
        sizes, signs = (
            exponential_sizes(draws.noise, draws.scale, self.rng),
            fair_signs(draws.noise, self.rng),
        )
        for label in labels:
            self.sizes[label].append(sizes)
            self.signs[label].append(signs)
        for factor in WRONG:
            self.wrong[labels[0], factor].append(
                exponential_sizes(draws.noise, draws.scale * factor, self.rng)
            )

    def relate(self, label: str, one: Ints, other: Ints, scales: tuple[Any, Any]) -> None:
        """Keep products of noise that must not go together."""
        centred = [
            fair_signs(noise, self.rng) * -np.expm1(-self._sizes(noise, scale))
            for noise, scale in zip((one, other), scales)
        ]
        self.products[label].append(centred[0] * centred[1])

    def _sizes(self, noise: Ints, scale: Any) -> Floats:
        """Return sizes for scales that differ from draw to draw."""
        numbers, scales = scale
        sizes = np.empty(len(noise))
        for number in np.unique(numbers):
            sizes[numbers == number] = exponential_sizes(
                noise[numbers == number], scales[number], self.rng
            )
        return sizes

    def findings(self) -> Iterator[Finding]:
        """Judge every pool."""
        for label, parts in self.sizes.items():
            sizes, signs = np.concatenate(parts), np.concatenate(self.signs[label])
            yield Finding(label, "noise", LIMIT, surprise_of_sizes(sizes))
            yield Finding(label, "signs", LIMIT, surprise_of_mean(signs))
        for (label, factor), parts in self.wrong.items():
            sizes = np.concatenate(parts)
            if len(sizes) >= _SHARP:
                words = f"{label}, were the scale {float(factor):g} times"
                yield Finding(words, "sharpness", -LIMIT, -surprise_of_sizes(sizes))
        for label, parts in self.products.items():
            yield Finding(label, "apart", LIMIT, surprise_of_mean(np.concatenate(parts)))


def audit_releases(
    rows: list[Combination],
    release: Attack,
    *,
    repeats: int = 2,
    files: bool = False,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Release every combination for real, and judge the noise, what it cost and what was stated.

    Parameters
    ----------
    rows : list of Combination
        What to release.
    release : callable
        What to attack.
    repeats : int
        Releases of each, at least 2.
    files : bool
        Whether files are written and read as well.
    progress : callable, optional
        Called with the name of each combination.

    Examples
    --------
    >>> from geodp import release
    >>> from geodp.audit.combinations import combinations
    >>> all(finding.passed for finding in audit_releases(combinations()[:1], release))
    True
    """
    findings: list[Finding] = []
    pools = Pools()
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "ledger")
        for number, row in enumerate(rows):
            if progress is not None:
                progress(str(row))
            findings += _clear_findings(row, release)
            several: list[Published] = []
            for turn in range(repeats):
                ledger.register(f"{number}, {turn}", cap=10)
                account = ledger[f"{number}, {turn}"]
                with overheard() as heard:
                    one = row.release(release, row.records, account=account)
                several.append(one)
                for draws in (*_draws(row, one, row.records),
                              *_sketch_draws(row, heard, row.records)):  # fmt: skip
                    pools.add([*_labels(row), *draws.labels], draws)
                if turn == 0:
                    epsilons = stated(row, one, account, Path(folder) if files else None)
                    different = len(set(map(str, epsilons)) | {str(row.epsilon)})
                    findings.append(Finding(str(row), "one ε", 1.0, float(different)))
                    findings += _cost_findings(row, one)
            findings += _repeat_findings(row, several, pools)
    return [*findings, *pools.findings()]


def _labels(row: Combination) -> list[str]:
    """Name all noise, the choices and pairs of choices that draws are sorted under."""
    chosen = [f"{name}: {value}" for name, value in vars(row).items() if name in _CHOSEN]
    return ["all noise", *chosen, *(" and ".join(pair) for pair in tuples(chosen, 2))]


_CHOSEN = tuple(Combination.__dataclass_fields__)


def _clear_findings(row: Combination, release: Attack) -> Iterator[Finding]:
    """Check that with next to no noise counts are true, and a unit counts as often as it may."""
    clear = _CLEAR.get(row.cells, 200) * row.distance * (1 if row.units == 1 else _CLEARER)
    grain = max(row.units // 1000, 1)
    one = row.release(release, row.with_roving, epsilon=clear, noise="geodp")
    nodes, kept, wrong = measured_nodes(one.cells), 0, 0
    _, leaves = nodes.around
    spots = row.with_roving.places[len(row.records.places) :]
    near = np.asarray(nodes.holding(spots).any(axis=1))
    for part, extra in zip(measured_layers(one), _noise(row, one, row.records)):
        wrong += int(np.abs(np.rint(extra[~near[part.node]] / grain)).sum())
        cells, first = np.unique(part.node, return_index=True)
        kept += int(extra[first][np.isin(cells, leaves)].sum())
    kept = round(kept / grain) * grain
    yield Finding(str(row), "counts by brute force", 0.0, float(wrong))
    allowed = 0 if row.unit == "record" else row.most * row.units
    yield Finding(str(row), "records of one unit", float(allowed), float(kept))
    # Some may be in no district, and of many places some where no records can be.
    if not (row.within and (row.cells in DISTRICTS or row.at)):
        yield Finding(str(row), "no fewer", -float(allowed), -float(kept))


def _cost_findings(row: Combination, release: Published) -> Iterator[Finding]:
    """Check that everything around a record costs ε, and hardly less."""
    share = COUNTS_SHARE.get(row.cells, Fraction(1))
    least, most = path_costs(row, release)
    claimed = row.epsilon * share
    yield Finding(str(row), "around a record", 1.0, float(most / claimed))
    yield Finding(str(row), "hardly less", -float(_ROUNDED), -float(least / claimed))


def _repeat_findings(row: Combination, several: list[Published], pools: Pools) -> Iterator[Finding]:
    """Check that noise of other cells, groups and releases is other noise."""
    vectors: list[tuple[Ints, Any]] = []
    alike = 0
    for release in several:
        noises = _noise(row, release, row.records)
        part = measured_layers(release)[0]
        scales = part.scale, part.scales
        vectors += [(noise, scales) for noise in noises]
        for noise in noises:
            ends = [(part.scale[:-1], part.scales), (part.scale[1:], part.scales)]
            pools.relate("neighbouring cells", noise[:-1], noise[1:], (ends[0], ends[1]))
        for one, other in zip(noises, noises[1:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
            pools.relate("neighbouring groups", one, other, (scales, scales))
        for other in noises[1:]:
            pools.relate("the first group and others", noises[0], other, (scales, scales))
    for place in range(row.layers, len(vectors)):
        (one, first), (other, second) = vectors[place - row.layers], vectors[place]
        if first[1] and one.shape == other.shape and np.array_equal(first[0], second[0]):
            pools.relate("one release and the next", one, other, (first, second))
    seen = set()
    for noise, (numbers, scales) in vectors:
        chance = sum(math.log(chance_alike(scales[number])) for number in numbers)
        if chance < -40:  # less likely than once in 10**17
            alike += noise.tobytes() in seen
            seen.add(noise.tobytes())
    yield Finding(str(row), "noise that comes again", 0.0, float(alike))
