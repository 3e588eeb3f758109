"""Tallies of every kind: in parts, merged in any way, sent and asked on the way, they are the same.

A record that is counted twice where parts meet, or counted in cells and not in regions, would move
more than the promise allows. So whatever a tally goes through, it must be that of one pass.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add, iadd
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from checks import town_of_districts

import geodp
from geodp.core.cells.partitions import GridPartition, PolygonPartition
from geodp.core.counts.amount_tally import AmountPlan
from geodp.core.counts.cell_tally import CellPlan, DistrictPlan
from geodp.core.counts.choice_tally import ChoicePlan
from geodp.core.counts.district_tree_tally import DistrictTreePlan
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.group_tally import GroupedPlan
from geodp.core.counts.unit_tally import FramePlan
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.records.divisions import grouped
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid

DISTRICTS = town_of_districts().cells
TOWN = DISTRICTS.domain
REGIONS = Workload.from_boxes([(0.0, 0.0, 1.0, 1.0), (0.3, 0.2, 1.6, 1.4)], TOWN)
HEXAGONS = geodp.Hexagons(0.3).cells(TOWN)
GRIDS = [Grid(TOWN, (rows, 4)) for rows in range(1, 7)]
LAYERS = (*map(GridPartition, GRIDS), PolygonPartition(HEXAGONS))
AMOUNT = geodp.Amount("paid", 0, 10, unit=1)
KINDS = grouped(geodp.Categories("kind", ["a", "b", "c"]))

PLANS: dict[str, Callable[[int], Any]] = {
    "grids": lambda _: Plan((Grid(TOWN, (2, 3)), Grid(TOWN, (4, 6))), REGIONS),
    "tree": lambda units: FramePlan(Frame(TOWN, (2, 2), 3), units),
    "tree of single records": lambda _: FramePlan(Frame(TOWN, (2, 2), 3), 1),
    "districts": lambda _: DistrictPlan(DISTRICTS),
    "tree in districts": lambda _: DistrictTreePlan(DistrictFrame(DISTRICTS.districts, TOWN)),
    "hexagons": lambda _: CellPlan(HEXAGONS),
    "choice": lambda _: ChoicePlan(LAYERS, REGIONS),
}


def true_counts(tally: Any) -> list[list[int]]:
    """Return all that the kernel can ask a tally for, of every group."""
    return [each for group in tally.groups for each in _counts_of_group(group)]


def _counts_of_group(tally: Any) -> list[list[int]]:
    plan = getattr(tally, "plan", None)
    if isinstance(plan, (Plan, ChoicePlan)):
        fixed = plan.grids if isinstance(plan, Plan) else plan.partitions
        shown = [tally.on(cells) for cells in (*fixed, REGION_GRID)] + [tally.inside()]
    elif isinstance(plan, CellPlan):
        shown = [tally.on(plan.cells)]
    else:
        frame, codes, shown = tally.frame, np.zeros(1, dtype=np.int64), []
        for depth in range(4):
            shown.append(tally.node_counts(codes, depth))
            if depth == getattr(frame, "depth", 4):
                break
            codes = frame.child_codes(depth, codes)[0]
            tally.prepare(codes, depth + 1)
    total = getattr(tally, "total", shown[0])  # a layer of steps has that of its first node
    return [np.ravel(each).tolist() for each in (*shown, total)]


REGION_GRID = Plan((Grid(TOWN, (1, 1)),), REGIONS).sketch_grid


def sent(tally: Any) -> Any:
    return pickle.loads(pickle.dumps(tally))


def asked(tally: Any) -> Any:
    true_counts(tally)
    return tally


def in_one(plan: Any, parts: list[Any]) -> Any:
    """Add one part after the other, and ask for counts between them."""
    tally = plan.tally()
    for part in parts:
        tally.add(*part)
        true_counts(tally)
    return tally


def each_by_itself(merge: Any, before: Callable[[Any], Any]) -> Callable[..., Any]:
    def merged(plan: Any, parts: list[Any]) -> Any:
        tallies = [plan.tally() for _ in parts]
        for tally, part in zip(tallies, parts):
            tally.add(*part)
        return reduce(merge, map(before, tallies))

    return merged


WAYS = {
    "one after the other, asked between": in_one,
    "added": each_by_itself(add, lambda tally: tally),
    "added in place": each_by_itself(iadd, lambda tally: tally),
    "sent and added": each_by_itself(add, sent),
    "sent, asked and added in place": each_by_itself(iadd, lambda tally: asked(sent(tally))),
    "asked, sent and added in place": each_by_itself(iadd, lambda tally: sent(asked(tally))),
}


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("of", ["records", "groups", "amounts", "amounts in groups"])
def test_a_tally_is_that_of_one_pass_whatever_it_goes_through(kind, of):
    rng = np.random.default_rng(7)
    x, y = rng.uniform(-0.1, 2.1, (2, 300)).round(1)
    group, steps = rng.integers(-1, 3, 300), rng.integers(-1, 11, 300)
    known: dict[str, list[Any]] = {
        "records": [],
        "groups": [group],
        "amounts": [steps],
        "amounts in groups": [AMOUNT.in_groups(steps, group)],
    }
    plan = PLANS[kind](1 if of in ("records", "groups") else AMOUNT.steps)
    if of == "groups":
        plan = GroupedPlan(plan, KINDS)
    elif of != "records":
        plan = AmountPlan(plan, AMOUNT, KINDS if of == "amounts in groups" else None)
    columns = [x, y, *known[of]]
    once = plan.tally()
    once.add(*columns)
    expected = true_counts(once)
    assert sum(map(sum, expected)) > 0
    cuts = [slice(0, 100), slice(100, 101), slice(101, 101), slice(101, 300)]
    parts = [[column[cut] for column in columns] for cut in cuts]
    for name, way in WAYS.items():
        assert true_counts(way(plan, parts)) == expected, name
    assert true_counts(once) == expected


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("of", ["records", "amounts"])
def test_a_large_block_counts_each_record_once(kind, of):
    """No part of a plan may begin to count otherwise where a block is long."""
    rng, many, block = np.random.default_rng(3), 150_000, 1_000
    columns = list(rng.uniform(0.01, 1.99, (2, many)))
    plan = PLANS[kind](1)
    if of == "amounts":
        plan = AmountPlan(PLANS[kind](AMOUNT.steps), AMOUNT)
        columns.append(rng.integers(0, 11, many))
    once, often = plan.tally(), plan.tally()
    once.add(*columns)
    for start in range(0, many, block):
        often.add(*(column[start : start + block] for column in columns))
    assert true_counts(once) == true_counts(often)
    counted = 0
    for group in once.groups:
        *disjoint, (total,) = _counts_of_group(group)
        counted += total
        if hasattr(group, "inside"):
            assert max(disjoint.pop()) <= total  # regions may overlap
        assert 0 < max(map(sum, disjoint)) <= total
    assert counted <= many * (1 if of == "records" else AMOUNT.steps)


@pytest.mark.parametrize("name", PLANS)
def test_tallies_that_threads_begin_at_once_follow_one_plan(name):
    """A plan must not begin by making parts of its own for each thread."""
    threads = 4
    for _ in range(5):
        plan, together = PLANS[name](1), Barrier(threads)

        def begun(_: int, plan: Any = plan, together: Barrier = together) -> Any:
            together.wait()
            return plan.tally()

        with ThreadPoolExecutor(threads) as pool:
            tallies = list(pool.map(begun, range(threads)))
        assert true_counts(reduce(add, tallies)) == true_counts(plan.tally())
