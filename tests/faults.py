"""Faults to plant: each breaks privacy as it has been broken before, and must be caught."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import geodp
from geodp.audit import Case, Finding, audit, cases
from geodp.core import noise, pipeline, scores
from geodp.core.contribution import BoundedRecords
from geodp.core.pipeline import release
from geodp.core.release import Release

Attack = Callable[..., Release]


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    true = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, true)


@contextmanager
def sensitivity_halved() -> Iterator[Attack]:
    true = scores.influence_sensitivity
    with patched(scores, "influence_sensitivity", lambda *a: true(*a) / 2):
        yield release


@contextmanager
def noise_scale_too_small() -> Iterator[Attack]:
    def thin(scale: Any, *others: Any) -> Any:
        return noise.laplace_noise(scale * 7 / 10, *others)

    with patched(pipeline, "laplace_noise", thin):
        yield release


@contextmanager
def extent_from_the_data() -> Iterator[Attack]:
    def leaky(points: Any, grids: Any, workload: Any, **options: Any) -> Release:
        del workload
        x, y = points
        if not len(x):
            return release(points, grids=grids[:1], **options)
        bounds = (x.min(), y.min(), x.max() + 1, y.max() + 1)
        domain = geodp.Domain(bounds, grids[0].domain.crs)
        return release(points, grids=geodp.candidate_grids(domain, [1, 2]), **options)

    yield leaky


@contextmanager
def candidate_sizes_from_n() -> Iterator[Attack]:
    def leaky(points: Any, grids: Any, workload: Any, **options: Any) -> Release:
        del workload
        size = 1 + math.isqrt(100 * len(points[0]))
        return release(points, grids=[geodp.Grid(grids[0].domain, (size, size))], **options)

    yield leaky


@contextmanager
def records_not_capped() -> Iterator[Attack]:
    true = BoundedRecords.__init__

    def uncapped(self: BoundedRecords, most: int, bits: Any) -> None:
        true(self, most * 10**6, bits)

    with patched(BoundedRecords, "__init__", uncapped):
        yield release


@contextmanager
def budget_spent_twice() -> Iterator[Attack]:
    def generous(points: Any, epsilon: Any, **options: Any) -> Release:
        made = release(points, epsilon=2 * epsilon, **options)
        honest = release(points, epsilon=epsilon, **options)
        return Release(made.grid, made.counts, honest.scale, honest.spends, honest.method)

    yield generous


@contextmanager
def no_fault() -> Iterator[Attack]:
    yield release


FAULTS = {
    "sensitivity halved": (sensitivity_halved, "a full step", 50),
    "noise scale 30 % too small": (noise_scale_too_small, "a lone point in an empty map", 4000),
    "extent taken from the data": (extent_from_the_data, "a lone point far from a crowd", 100),
    "candidate sizes computed from n": (candidate_sizes_from_n, "all points on a cell edge", 100),
    "records not capped": (records_not_capped, "one person with many records", 200),
    "budget spent twice": (budget_spent_twice, "a lone point in an empty map", 1000),
}
"""Name of the fault, what plants it, the case that shows it, and the runs that this takes."""


def case_named(name: str) -> Case:
    return next(case for case in cases() if case.name == name)


def failures(plant: Callable[[], Any], case: str, runs: int) -> list[Finding]:
    """Checks that fail with the fault in place."""
    with plant() as attacked:
        found = audit(attacked=[case_named(case)], runs=runs, release=attacked)
    return [finding for finding in found if not finding.passed]
