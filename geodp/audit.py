"""An attack that anyone can run on the installed software, to see if it shows more ε than claimed.

Each case is a pair of neighbouring datasets, picked to be awkward. Three things are measured:

- *steps*, exactly: how far the pair moves the qualities that the choice of a grid is based on;
- *odds*, exactly: how far the probabilities of choosing a grid are apart;
- *outcomes*, by running whole releases many times on both and counting what can be seen: the chosen
  grid, counts above a mark, and everything that is said about the release. The result is a lower
  confidence bound: the ε that was shown beyond doubt.

A claim that is broken shows here with high probability; passing is evidence, the proof is in
docs/privacy.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from .core.domain import Crs, Domain
from .core.grid import Grid, candidate_grids
from .core.pipeline import release as real_release
from .core.release import Release
from .core.tally import Plan, Tally
from .core.tuners import E2EPriv, Tuner, tuner_of
from .core.workload import Workload

CONFIDENCE = 1 - 1e-6
"""A sound mechanism fails an outcome check by chance less often than this leaves room for."""

_DOMAIN = Domain((0.0, 0.0, 8.0, 8.0), Crs("EPSG:5070"))
_BELOW = float(np.nextafter(4.0, 0.0))

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Case:
    """Two neighbouring datasets and how they are released."""

    name: str
    points: Points
    extra: Points
    grids: tuple[Grid, ...]
    regions: list[tuple[float, float, float, float]] = field(default_factory=list)
    tuner: Tuner = field(default_factory=lambda: tuner_of("influence"))
    max_records: int | None = None

    @property
    def person_level(self) -> bool:
        """Whether the extra records are one person's."""
        return self.max_records is not None

    def workload(self) -> Workload | None:
        """The regions, or None where a single grid needs none."""
        return Workload.from_boxes(self.regions, _DOMAIN) if len(self.grids) > 1 else None

    def sides(self) -> Iterator[tuple[np.ndarray, np.ndarray, list[str]]]:
        """Coordinates and persons without and with the extra records."""
        for more in ([], self.extra):
            x, y = np.array(self.points + more, dtype=np.float64).reshape(-1, 2).T
            yield x, y, [f"p{i}" for i in range(len(self.points))] + ["newcomer"] * len(more)


@dataclass(frozen=True)
class Finding:
    """One check: what was claimed and what was shown."""

    case: str
    measure: str
    claimed: float
    shown: float

    @property
    def passed(self) -> bool:
        """Whether no more was shown than claimed (exact measures are compared to 12 digits)."""
        return self.shown <= self.claimed * (1 + 1e-12)


def cases() -> list[Case]:
    """Awkward neighbours: lone points, edges, crowds on a region's border, sizes at the floor."""
    single = (Grid(_DOMAIN, (2, 2)),)
    several = candidate_grids(_DOMAIN, [1, 2, 3, 8])
    coarse_fine = candidate_grids(_DOMAIN, [1, 8])
    crowd = [(3.5, 3.5)] * 40
    halves = [(0.0, 0.0, 3.0, 8.0), (0.0, 0.0, 8.0, 5.0), (1.0, 1.0, 7.0, 7.0)]
    floor = E2EPriv(delta="0.1", n0=10)
    return [
        Case("a lone point in an empty map", [], [(1.0, 1.0)], single),
        Case("a lone point far from a crowd", crowd, [(7.9, 7.9)], several, halves),
        Case("all points on a cell edge", [(4.0, 4.0)] * 30, [(4.0, 4.0)], several, halves),
        Case("a point one ulp below an edge", [(4.0, 4.0)] * 30, [(_BELOW, 4.0)], several, halves),
        Case("a border through the densest cell", crowd, [(2.9, 3.5)], several, halves),
        Case("a full step", [(1.0, 1.0)] * 40, [(1.0, 1.0)], coarse_fine, halves[:1]),
        Case("an empty dataset", [], [(2.9, 3.5)], several, halves),
        Case(
            "n at the floor of the paper's score", crowd[:9], [(2.9, 3.5)], several, halves, floor
        ),
        Case("n above the floor", crowd[:10], [(3.5, 3.5)], several, halves, floor),
        Case(
            "the paper's absolute score", crowd, [(2.9, 3.5)], several, halves, E2EPriv("absolute")
        ),
        Case("one person with many records", crowd, [(1.0, 1.0)] * 50, single, max_records=2),
        Case("a point on the outer edge", [(1.0, 1.0)], [(8.0, 8.0)], single),
        Case("a point outside", [(1.0, 1.0)], [(9.0, 1.0)], single),
    ]


def audit(
    *,
    attacked: Sequence[Case] | None = None,
    runs: int = 2000,
    epsilon: Fraction = Fraction(1),
    release: Callable[..., Release] = real_release,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Check every case and return what was found.

    Parameters
    ----------
    attacked : sequence of Case, optional
        Cases to check; all of :func:`cases` by default.
    runs : int
        Releases on each side of each case.
    epsilon : Fraction
        Budget of each release.
    release : callable
        What to attack; a stand-in with a fault must be found out.
    progress : callable, optional
        Called with the name of each case.

    Examples
    --------
    >>> all(finding.passed for finding in audit(runs=20))
    True
    """
    findings = []
    for case in cases() if attacked is None else attacked:
        if progress is not None:
            progress(case.name)
        if len(case.grids) > 1:
            findings += _exact_findings(case, epsilon)
        shown = _shown_by_outcomes(case, runs, epsilon, release)
        findings.append(Finding(case.name, "outcomes", float(epsilon), shown))
    return findings


def _exact_findings(case: Case, epsilon: Fraction) -> list[Finding]:
    """Steps of the qualities, and distance of the odds, without any sampling."""
    tuning = epsilon * case.tuner.default_share
    workload = case.workload()
    assert workload is not None
    plan = Plan(case.grids, workload)
    overlaps = [workload.overlap(grid) for grid in case.grids]
    qualities = []
    for x, y, _ in case.sides():
        tally = Tally(plan)
        tally.add(x, y)
        qualities.append(case.tuner.qualities(tally, overlaps, tuning, 1 / (epsilon - tuning)))
    step = max(abs(a - b) for a, b in zip(*qualities))
    before, after = (case.tuner.probabilities(q, tuning) for q in qualities)
    apart = max(abs(float((p / q).ln())) for p, q in zip(before, after))
    return [
        Finding(case.name, "steps", 1.0, float(step)),
        Finding(case.name, "odds", float(tuning), apart),
    ]


def _shown_by_outcomes(
    case: Case, runs: int, epsilon: Fraction, release: Callable[..., Release]
) -> float:
    """Largest log ratio of event probabilities that the runs show with confidence."""
    seen = []
    for x, y, people in case.sides():
        options: dict[str, Any] = {"epsilon": epsilon, "tuner": case.tuner, "grids": case.grids}
        options["workload"] = case.workload()
        if case.person_level:
            options |= {"person": people, "max_records": case.max_records}
        counts: Counter[tuple[str, Any]] = Counter()
        for _ in range(runs):
            counts.update(_events(release((x, y), **options), case))
        seen.append(counts)
    events = set(seen[0]) | set(seen[1])
    doubt = (1 - CONFIDENCE) / (2 * max(len(events), 1))
    shown = 0.0
    for event in events:
        for one, other in (seen, seen[::-1]):
            low = _at_least(one[event], runs, doubt)
            high = 1 - _at_least(runs - other[event], runs, doubt)
            if low > 0:
                shown = max(shown, math.log(low / high))
    return shown


def _events(made: Release, case: Case) -> Iterator[tuple[str, Any]]:
    """What an attacker looks at: fixed in advance, so that looking costs no confidence."""
    yield "grid", made.grid.shape
    yield "said", (made.grid.domain.bounds, made.method, made.spends, made.promise)
    # The cell where the extra record would be: is its count above what the others account for?
    x, y = (np.array([value]) for value in case.extra[0])
    cell = int(made.grid.index(x, y)[0])
    if cell < 0:
        return
    there = sum(
        int(made.grid.index(np.array([a]), np.array([b]))[0]) == cell for a, b in case.points
    )
    above = int(made.counts.ravel()[cell]) - there
    for mark in (0, 1, 2, 5, 20):
        if above >= mark:
            yield "count", mark
            yield "grid and count", (made.grid.shape, mark)


def _at_least(hits: int, runs: int, doubt: float) -> float:
    """Clopper-Pearson: a probability that is below the true one except with odds of ``doubt``."""
    if hits == 0:
        return 0.0
    k = np.arange(hits, runs + 1)
    choose = math.lgamma(runs + 1) - np.array(
        [math.lgamma(i + 1) + math.lgamma(runs - i + 1) for i in k]
    )
    low, high = 0.0, hits / runs
    for _ in range(50):
        p = (low + high) / 2
        with np.errstate(divide="ignore", under="ignore"):
            tail = np.exp(choose + k * np.log(p) + (runs - k) * np.log1p(-p)).sum()
        low, high = (p, high) if tail < doubt else (low, p)
    return low
