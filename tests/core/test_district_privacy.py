"""A tree that is rooted in districts keeps its promise: brute force, and odds of transcripts.

Odds are computed as in ``test_tree_privacy``: a transcript is forced upon a neighbouring dataset by
giving it just the noise that leads there.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from checks import PLACES_IN_DISTRICTS, moved_by_a_record, town_of_districts
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from transcripts import BENDS, Logged, Scripted, Watched, transcript_loss, with_points

import geodp
from geodp.core.counts.district_tree_tally import DistrictTreeTally
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.districts import DistrictMap
from geodp.core.kernel.kernel import Kernel
from geodp.core.mechanisms.district_growth import (
    CELL_BARS,
    DISTRICT_SHARES,
    UNIT_SHARE,
    grow_districts,
)
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.unit import Unit
from geodp.core.space.domain import Crs, Domain
from geodp.core.space.frame import Frame
from geodp.core.space.levels import Levels

LAYER = town_of_districts().cells
NESTED = Levels(["state", "county"], [("south", "west"), ("south", "east"), ("north", "north")])


class WatchedTally(Watched, DistrictTreeTally):
    """A tally that remembers what was asked of it last."""


def watched(frame, points):
    return with_points(WatchedTally(frame), points)


def grown(tally, budget, bits):
    unit = Unit("person", budget.distance)
    kernel = Kernel(tally, epsilon=budget.epsilon, unit=unit, bits=bits)
    tree, (measurements,) = grow_districts(kernel, budget, tally.frame)
    return tree, measurements


loss = partial(transcript_loss, grown)


@pytest.mark.parametrize("levels", [None, NESTED], ids=["districts", "levels"])
@pytest.mark.parametrize("place", PLACES_IN_DISTRICTS, ids=str)
def test_one_more_record_moves_one_node_of_each_depth(place, levels):
    """At borders, corners, lines of boxes, and in gaps, where it moves none."""
    frame = DistrictFrame(LAYER.districts, LAYER.domain, 3, levels=levels)
    tally = watched(frame, PLACES_IN_DISTRICTS)
    held = int(LAYER.districts.locate(*np.array([place]).T)[0] >= 0)
    moved = moved_by_a_record(tally, place)
    if levels is None:
        assert moved[: frame.deepest + 1] == [held] * (frame.deepest + 1)
    else:  # a state of one county is not halved into counties first
        assert moved[: frame.deepest] == [held] * frame.deepest
        assert moved[-1] <= held


def test_children_add_up_to_their_parent_down_to_the_base():
    """Records in neighbouring cells of the finest lattice: each is in one node of each depth."""
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    rings = [(0, False, unit), (1, False, unit + np.array([1.0, 0.0]))]
    layer = DistrictMap.from_rings(rings, ["west", "east"])
    frame = DistrictFrame(layer, Domain((0, 0, 2, 1), Crs("EPSG:5070")))
    step = (np.arange(16) + 4090.5) / 2**frame.halvings  # on both sides of the middle
    x, y = (each.ravel() for each in np.meshgrid(np.append(step, step + 1), step))
    tally = DistrictTreeTally(frame)
    tally.add(x, y)
    codes, depth = np.zeros(1, dtype=np.int64), 0
    counts = tally.node_counts(codes, depth)
    while frame.can_split(codes).any() or not depth:
        which = np.flatnonzero((counts > 0) & (frame.can_split(codes) | (depth == 0)))
        children, fan_out = frame.child_codes(depth, codes[which])
        below = tally.node_counts(children, depth + 1)
        first = np.append(0, np.cumsum(fan_out)[:-1])
        assert np.add.reduceat(below, first).tolist() == counts[which].tolist()
        codes, counts, depth = children, below, depth + 1
    assert depth >= frame.halvings
    assert counts.max() == 1


def test_slivers_of_overlap_belong_to_one_district():
    wide = np.array([[0.0, 0.0], [1.0 + 1e-7, 0.0], [1.0 + 1e-7, 1.0], [0.0, 1.0]])
    rings = [(0, False, wide), (1, False, np.array([[1.0, 0], [2, 0], [2, 1], [1, 1]]))]
    layer = DistrictMap.from_rings(rings, ["west", "east"])
    assert layer.slivers.pairs == 1
    frame = DistrictFrame(layer, Domain((0, 0, 2, 1), LAYER.domain.crs), 3)
    tally = DistrictTreeTally(frame)
    for x in (1.0, 1.0 + 5e-8, 1.0 + 1e-7, 1.0 + 2e-7):
        assert set(moved_by_a_record(tally, (x, 0.5))) == {1}


PLACES = st.sampled_from(PLACES_IN_DISTRICTS)


@examples(25)
@given(
    points=st.lists(PLACES, max_size=60),
    crowd=st.integers(0, 400),
    moved=st.lists(PLACES, min_size=1, max_size=3),
    removed=st.integers(0, 3),
    epsilon=st.sampled_from(["1/10", 1, 3, "0.7"]),
    seed=st.integers(0, 2**32 - 1),
    bend=st.sampled_from(list(BENDS)),
    levels=st.sampled_from([None, NESTED]),
)
def test_no_transcript_is_likelier_than_the_promise_allows(
    points, crowd, moved, removed, epsilon, seed, bend, levels
):
    frame = DistrictFrame(LAYER.districts, LAYER.domain, 3, levels=levels)
    here = points + [(0.3, 0.02)] * crowd
    beside = here[min(removed, len(here)) :] + moved
    budget = TreeBudget.of(epsilon, min(removed, len(here)) + len(moved))
    pair = watched(frame, here), watched(frame, beside)
    for one, other in (pair, pair[::-1]):
        ratio = loss(one, other, budget, Logged(one, seed, BENDS[bend]))
        assert abs(ratio) <= budget.epsilon


@pytest.mark.parametrize("levels", [None, NESTED], ids=["districts", "levels"])
def test_the_whole_promise_is_used(levels):
    frame = DistrictFrame(LAYER.districts, LAYER.domain, 4, levels=levels)
    for count in (0, 1, 5, 30, 1000):
        pair = [watched(frame, [(0.1, 0.1)] * many) for many in (count, count + 1)]
        source = Logged(pair[0], count, BENDS["never above"])
        assert loss(*pair, TreeBudget.of(1), source) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gone", "come"),
    [
        ([], [(0.1, 0.1)]),
        ([], [(0.1, 0.1), (1.5, 0.5)]),
        ([(1.5, 0.5)], [(0.1, 0.1)]),
        ([(1.5, 1.1)], [(0.1, 0.1)]),  # out of a gap
    ],
    ids=["a record", "a person at two places", "replaced", "from a gap"],
)
def test_odds_of_every_transcript_of_a_small_tree(gone, come):
    """All noises of -1, 0 and 1, around the counts at which a district is split or not."""
    frame = DistrictFrame(LAYER.districts, LAYER.domain, 1)
    budget = TreeBudget.of(2, len(gone) + len(come))
    rest = (budget.root + budget.rest) * (1 - DISTRICT_SHARES[0])
    bar = math.ceil(budget.bars(rest, CELL_BARS)[0])
    others = [(0.1, 0.1)] * (bar - 1)
    here, beside = watched(frame, others + gone), watched(frame, others + come)
    worst, sizes = Fraction(0), set()
    for script in itertools.product((-1, 0, 1), repeat=6):
        source = Scripted(here, (0, *script))
        worst = max(worst, abs(loss(here, beside, budget, source)))
        sizes.add(sum(len(asked.value) for asked in source.log))
    assert 0 < worst <= budget.epsilon
    assert len(sizes) > 1  # noise decides whether a district is split


@pytest.mark.slow
@pytest.mark.parametrize("come", [[(0.1, 0.1)], [(0.1, 0.1), (1.7, 1.5)]], ids=str)
def test_odds_of_every_transcript_of_a_small_tree_of_levels(come):
    """The same around the count at which a state is split into its counties or not."""
    frame = DistrictFrame(LAYER.districts, LAYER.domain, 0, levels=NESTED)
    budget = TreeBudget.of(2, len(come))
    rest = (budget.root + budget.rest) * (1 - UNIT_SHARE)
    bar = math.ceil(budget.bars(rest, CELL_BARS)[0])
    others = [(0.1, 0.1)] * (bar - 1)
    fewer, more = watched(frame, others), watched(frame, others + come)
    worst, sizes = Fraction(0), set()
    for script in itertools.product((-1, 0, 1), repeat=5):
        source = Scripted(fewer, (0, *script))
        worst = max(worst, abs(loss(fewer, more, budget, source)))
        sizes.add(sum(len(asked.value) for asked in source.log))
    assert 0 < worst <= budget.epsilon
    assert len(sizes) > 1  # noise decides whether a state is split


def test_a_child_that_reaches_out_of_its_parent_is_refused(monkeypatch):
    """The kernel hands budget down to children: a record of others must not be in one."""
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    rings = [(n, False, unit + np.array([float(n % 10), float(n // 10)])) for n in range(100)]
    layer = DistrictMap.from_rings(rings, [str(number) for number in range(100)])
    frame = DistrictFrame(layer, Domain((0, 0, 10, 10), Crs("EPSG:5070")), 2)
    roots, _ = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    assert frame.is_union(roots).all()
    children, fan_out = frame.child_codes(1, roots)
    assert len(children) == fan_out.sum() > len(roots)
    true = DistrictFrame._node_codes

    def shifted(self, nodes):
        return np.append(true(self, nodes)[1:], -1)

    monkeypatch.setattr(DistrictFrame, "_node_codes", shifted)
    with pytest.raises(geodp.InputError, match="lie inside of it"):
        frame.child_codes(1, roots)


def test_the_finest_boxes_have_no_children():
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    layer = DistrictMap.from_rings([(0, False, unit)], ["only"])
    frame = DistrictFrame(layer, Domain((0, 0, 1, 1), Crs("EPSG:5070")), 1)
    district, _ = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    boxes, _ = frame.child_codes(1, district)
    with pytest.raises(geodp.InputError, match="no children"):
        frame.child_codes(2, boxes)
    plain = Frame(Domain((0, 0, 1, 1), Crs("EPSG:5070")), (1, 1), 1)
    assert len(plain.child_codes(1, np.zeros(1, dtype=np.int64))[0]) == 4
    with pytest.raises(geodp.InputError, match="no children"):
        plain.child_codes(2, np.arange(4))
