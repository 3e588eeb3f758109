"""Adaptive releases where it is odd: little data, one place, edges, and strange domains."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from strategies import PLANE
from trees import grow_tree

import geodp
from geodp.core.counts import single_tally, streams, tree_tally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.counts.unit_tally import FramePlan
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits
from geodp.core.publish.metadata import release_tags, restore
from geodp.core.space.frame import Frame

DOMAINS = {
    "square": geodp.Domain((0, 0, 8, 8), PLANE),
    "long and thin": geodp.Domain((0, 0, 1e6, 1), PLANE),
    "high and thin": geodp.Domain((500_000, 0, 500_000.5, 10_000_000), PLANE),
    "a thread": geodp.Domain((0, 0, 1e12, 1e-6), PLANE),
    "far away": geodp.Domain((1e15, 1e15, 1e15 + 3, 1e15 + 5), PLANE),
    "next to nothing": geodp.Domain((0, 0, 5e-324, 1), PLANE),
    "of coarse resolution": geodp.Domain((0, 0, 8, 8), PLANE, resolution=1.5),
    "coarser than itself": geodp.Domain((0, 0, 8, 8), PLANE, resolution=100.0),
}

DATA = ["nothing", "one point", "one base cell", "corners", "outer edges"]


def places(domain: geodp.Domain, pattern: str) -> tuple[np.ndarray, np.ndarray]:
    xmin, ymin, xmax, ymax = domain.bounds
    middle = (xmin + (xmax - xmin) / 3, ymin + (ymax - ymin) / 3)
    corners = [(xmin, ymin), (xmax, ymin), (xmin, ymax), (xmax, ymax)]
    points = {
        "nothing": [],
        "one point": [middle],
        "one base cell": [middle] * 5000,
        "corners": corners,
        "outer edges": [(xmax, middle[1]), (middle[0], ymax)] * 3,
    }[pattern]
    x, y = np.array(points, dtype=np.float64).reshape(-1, 2).T
    return x, y


@pytest.mark.parametrize("epsilon", ["1e-6", 1, 1000])
@pytest.mark.parametrize(
    "pattern", ["nothing", "one point", "one base cell", "corners", "outer edges"]
)
@pytest.mark.parametrize("name", DOMAINS)
def test_any_data_in_any_domain_makes_a_release_that_can_be_kept(name, pattern, epsilon):
    domain = DOMAINS[name]
    x, y = places(domain, pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = geodp.release((x, y), domain, epsilon=epsilon, cells="adaptive", force=True)
        again = restore(release_tags(release), release.counts)
        total = again.query([domain.bounds])
        assert repr(again)
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    assert np.isfinite(release.counts).all()
    assert np.isfinite(release.variance).all()
    assert total.estimate[0] == pytest.approx(release.counts.sum())
    if epsilon == 1000:  # hardly any noise: the total is measured with scale 1/10
        assert release.counts.sum() == pytest.approx(len(x), abs=1e-3)
    if pattern == "one base cell" and epsilon == 1000:
        assert (release.counts > 2500).sum() == 1


def test_points_on_the_outer_edge_are_in_the_outermost_cells():
    domain = DOMAINS["square"]
    release = geodp.release(
        ([8.0] * 50, [8.0] * 50), domain, epsilon=1000, cells="adaptive", force=True
    )
    cell = int(np.argmax(release.counts))
    assert release.counts[cell] == pytest.approx(50, abs=1e-3)
    assert release.cells.tree.bounds[cell].tolist()[2:] == [8.0, 8.0]
    side = 8 / 2**13
    assert release.cells.tree.bounds[cell].tolist()[:2] == [8 - side, 8 - side]


def test_no_cell_is_smaller_than_the_stated_resolution():
    for name in ("of coarse resolution", "coarser than itself"):
        domain = DOMAINS[name]
        x, y = places(domain, "one base cell")
        release = geodp.release((x, y), domain, epsilon=1000, cells="adaptive", force=True)
        left, bottom, right, top = release.cells.tree.bounds.T
        least = min(domain.resolution, 8.0)
        assert min((right - left).min(), (top - bottom).min()) >= least


def crowded(count: int = 30_000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    return rng.normal(3, 1, count), rng.normal(5, 0.5, count)


@pytest.mark.parametrize("few", [1, 100, 1 << 22])
@pytest.mark.parametrize("listed", [16, 1 << 19])
def test_how_counts_are_held_changes_nothing(few, listed, monkeypatch):
    """The same tree and the same numbers from lists and from plain arrays, merged or not."""
    frame = Frame(geodp.Domain((0, 0, 8, 8), PLANE), (4, 4), 5)
    x, y = crowded()
    expected = geodp.release((x, y), epsilon=1, cells=frame, seed=3)
    monkeypatch.setattr(tree_tally, "FEW", few)
    monkeypatch.setattr(tree_tally, "LIST", listed)
    monkeypatch.setattr(tree_tally, "BLOCK", 128)
    monkeypatch.setattr(single_tally, "BLOCK", 128)
    monkeypatch.setattr(streams, "JOIN", 1000)
    blocks = ((x[i : i + 700], y[i : i + 700]) for i in range(0, len(x), 700))
    for points in ((x, y), blocks):
        release = geodp.release(points, epsilon=1, cells=frame, seed=3)
        assert (release.cells, release.measurements) == (expected.cells, expected.measurements)


def test_threads_that_add_to_one_tally_lose_and_double_nothing():
    frame = Frame(geodp.Domain((0, 0, 8, 8), PLANE))
    rng = np.random.default_rng(6)
    x, y = rng.uniform(0, 8, (2, 2_000_000))
    blocks = ((x[i : i + 70_000], y[i : i + 70_000]) for i in range(0, len(x), 70_000))
    counted = streams.tally_stream(blocks, FramePlan(frame), threads=4)
    expected = BaseTally(frame)
    expected.add(x, y)
    assert counted.total == expected.total == len(x)
    every = np.arange(16 << 10)
    assert np.array_equal(counted.node_counts(every, 6), expected.node_counts(every, 6))


def test_tallies_that_travelled_grow_the_same_tree():
    frame = Frame(geodp.Domain((0, 0, 8, 8), PLANE))
    x, y = crowded()
    budget = TreeBudget.of(1)
    expected, merged = BaseTally(frame), BaseTally(frame)
    expected.add(x, y)
    for start in range(0, len(x), 4000):
        part = BaseTally(frame)
        part.add(x[start : start + 4000], y[start : start + 4000])
        merged += pickle.loads(pickle.dumps(part))
    trees = [grow_tree(tally, budget, RandomBits(seed=2)) for tally in (expected, merged)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.nan, 4.0),
        (4.0, np.nan),
        (np.inf, 4.0),
        (-np.inf, -np.inf),
        (np.nextafter(8.0, 9.0), 4.0),
        (4.0, -5e-324),
        (1e308, -1e308),
    ],
)
def test_a_record_that_is_nowhere_changes_nothing(x, y):
    domain = DOMAINS["square"]
    here = crowded(500)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before, after = (
            geodp.release(points, domain, epsilon=1, cells="adaptive", seed=4)
            for points in (here, (np.append(here[0], x), np.append(here[1], y)))
        )
    assert release_tags(before) == release_tags(after)


@pytest.mark.slow
def test_the_noise_of_opendp_grows_trees_too():
    pytest.importorskip("opendp")
    x, y = crowded(500)
    options = {"epsilon": 1000, "cells": "adaptive", "force": True}
    release = geodp.release((x, y), DOMAINS["square"], noise="opendp", **options)
    expected = geodp.release((x, y), DOMAINS["square"], **options)
    assert release.counts.sum() == pytest.approx(500, abs=1e-3)
    assert release.cells == expected.cells
