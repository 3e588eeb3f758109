"""People at places: where most of their records are, or at a few that they visited.

Brute force over neighbours and beside a plain loop in Python: persons added, removed and replaced,
with records in several groups, blocks and parts, and with ties.
"""

from __future__ import annotations

import pickle
from collections import Counter
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE

import geodp
from geodp.core.counts.cell_tally import CellPlan
from geodp.core.counts.count import count
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.group_tally import GroupedPlan
from geodp.core.counts.streams import fill, tally_stream
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.quantity import Contribution
from geodp.core.records import contribution
from geodp.core.records.arrays import array_source
from geodp.core.records.divisions import grouped
from geodp.core.records.ids import Ids
from geodp.core.records.places import PlacedRecords, _sorted_by, records_for
from geodp.core.records.source import Request
from geodp.core.space.grid import Grid

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
GRID = Grid(DOMAIN, (2, 4))
KINDS = geodp.Categories("kind", ["a", "b"])
PLANS = {
    "grid": Plan((GRID,)),
    "hexagons": CellPlan(geodp.Hexagons(3).cells(DOMAIN)),
}
HOME = geodp.Person("who", place="most frequent")
WAYS = st.sampled_from([HOME, *(geodp.Person("who", visits=k) for k in (1, 2, 3, 7))])

ENDS = st.sampled_from([0.0, 0.5, 2.0, 3.999, 4.0, 7.5, 8.0, 8.5])
RECORDS = st.lists(st.tuples(ENDS, ENDS, st.sampled_from("abc")), max_size=25)
ROWS = st.lists(
    st.tuples(ENDS, ENDS, st.sampled_from("abc"), st.sampled_from(["ann", "bob", "cy", None])),
    max_size=40,
)


def columns(rows):
    x, y, kind, who = ([row[place] for row in rows] for place in range(4))
    return {"x": np.array(x, float), "y": np.array(y, float), "kind": list(kind), "who": list(who)}


def planned(cells, groups):
    return GroupedPlan(PLANS[cells], grouped(KINDS)) if groups else PLANS[cells]


def counted(tally):
    """Return true counts, a row for each group."""
    return np.array([
        group.counts(0).ravel() if isinstance(group.plan, Plan) else group._counts
        for group in tally.groups
    ])  # fmt: skip


def counts(plan, protect, rows, bits=None):
    tally = count(array_source(columns(rows)), plan, protect, bits or RandomBits(3))
    return counted(tally)


def of_others(records):
    return [(*record, f"p{number}") for number, record in enumerate(records)]


def of_one(records):
    return [(*record, "newcomer") for record in records]


def counted_places(plan, rows, groups):
    """Return pairs of cell and group for each person's records that can be counted, one for one."""
    pairs = {}
    for x, y, kind, who in rows:
        cells, inside = plan.places(np.array([x]), np.array([y]))
        if inside[0] and who is not None and (not groups or kind in "ab"):
            pair = (int(cells[0]), "ab".index(kind) if groups else 0)
            pairs.setdefault(who, []).append(pair)
    return pairs


# --- neighbours -----------------------------------------------------------------------------------


@examples(150)
@given(RECORDS, RECORDS, RECORDS, WAYS, st.booleans(), st.sampled_from(list(PLANS)))
def test_a_person_moves_counts_by_what_a_person_may_count(
    others, records, instead, protect, groups, cells
):
    plan, crowd = planned(cells, groups), of_others(others)
    without, more, replaced = (
        counts(plan, protect, crowd + of_one(each)) for each in ([], records, instead)
    )
    reach = protect.unit.distance
    assert np.abs(more - without).sum() <= reach
    assert np.abs(replaced - without).sum() <= reach
    swapped = geodp.Person("who", neighbours="replace", place=protect.place, visits=protect.visits)
    assert np.abs(more - replaced).sum() <= swapped.unit.distance == 2 * reach
    visited = set(counted_places(plan, of_one(records), groups).get("newcomer", []))
    assert np.abs(more - without).sum() == min(len(visited), reach)


# --- what is counted ------------------------------------------------------------------------------


@examples(150)
@given(ROWS, st.booleans(), st.sampled_from(list(PLANS)))
def test_homes_are_where_most_records_are(rows, groups, cells):
    plan = planned(cells, groups)
    true = counts(plan, HOME, rows)
    people = counted_places(plan, rows, groups)
    assert true.sum() == len(people)
    for name, pairs in people.items():
        alone = counts(plan, HOME, [row for row in rows if row[3] == name])
        group, cell = (int(each[0]) for each in np.nonzero(alone))
        by_cell, by_pair = Counter(pair[0] for pair in pairs), Counter(pairs)
        assert by_cell[cell] == max(by_cell.values())
        assert by_pair[cell, group] == max(n for pair, n in by_pair.items() if pair[0] == cell)
        true = true - alone
    assert not true.any()


@examples(150)
@given(ROWS, st.integers(1, 6), st.booleans(), st.sampled_from(list(PLANS)))
def test_visitors_count_in_as_many_places_as_they_may(rows, visits, groups, cells):
    plan, protect = planned(cells, groups), geodp.Person("who", visits=visits)
    people = counted_places(plan, rows, groups)
    true = counts(plan, protect, rows)
    assert true.sum() == sum(min(visits, len(set(pairs))) for pairs in people.values())
    every = Counter((group, cell) for pairs in people.values() for cell, group in set(pairs))
    assert all(true[pair] <= every[pair] for pair in zip(*map(np.ndarray.tolist, np.nonzero(true))))
    if max((len(set(pairs)) for pairs in people.values()), default=0) <= visits:
        assert {(g, c): n for (g, c), n in np.ndenumerate(true) if n} == every


@examples(150)
@given(ROWS, WAYS, st.booleans(), st.data())
def test_neither_order_nor_blocks_nor_parts_matter(rows, protect, groups, data):
    plan = planned("grid", groups)
    expected = counts(plan, protect, rows)
    assert np.array_equal(counts(plan, protect, data.draw(st.permutations(rows))), expected)
    request = Request.of(DOMAIN, protect, plan.groups)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    bounds = [0, *cuts, len(rows)]
    pieces = [rows[start:stop] for start, stop in zip(bounds, bounds[1:])]  # noqa: RUF007
    blocks = [list(array_source(columns(piece)).blocks(request)) for piece in pieces]

    def filled(*some):
        records = records_for(protect.contribution, RandomBits(3))
        return fill(records, [block for each in some for block in each], plan)

    streamed, parts = filled(*blocks), [filled(block) for block in blocks]
    merged = reduce(add, [pickle.loads(pickle.dumps(part)) for part in parts])
    dealt = [part.split(3) for part in parts]
    hands = [reduce(add, [each[number] for each in dealt]) for number in range(3)]
    for collections in ([streamed], [merged], hands):
        tallies = [tally_stream(collection.blocks(), plan) for collection in collections]
        assert np.array_equal(sum(map(counted, tallies)), expected)


def test_ties_are_settled_alike_in_every_run_and_favour_no_cell():
    x = np.tile([1.0, 3.0, 5.0, 7.0], 2000)
    points = {"x": x, "y": np.ones(len(x)), "who": np.repeat(np.arange(2000), 4)}
    chosen = [
        count(array_source(points), PLANS["grid"], HOME, bits).counts(0)[1]
        for bits in (RandomBits(), RandomBits(), RandomBits(5))
    ]
    assert np.array_equal(chosen[0], chosen[1])
    assert np.array_equal(chosen[0], chosen[2])
    assert chosen[0].sum() == 2000
    assert chosen[0].min() > 400  # 500 each, and 5 standard deviations are 97
    backwards = {name: column[::-1] for name, column in points.items()}
    again = count(array_source(backwards), PLANS["grid"], HOME, RandomBits()).counts(0)[1]
    assert np.array_equal(again, chosen[0])


def test_visited_places_are_drawn_evenly_however_often_they_were_visited():
    """A cell with a hundred records is drawn no more often than one with one."""
    x = np.tile([1.0] * 20 + [3.0, 5.0, 7.0], 2000)
    points = {"x": x, "y": np.ones(len(x)), "who": np.repeat(np.arange(2000), 23)}
    protect = geodp.Person("who", visits=2)
    drawn = [
        count(array_source(points), PLANS["grid"], protect, RandomBits(seed)).counts(0)[1]
        for seed in (1, 2, 1)
    ]
    assert np.array_equal(drawn[0], drawn[2])
    assert not np.array_equal(drawn[0], drawn[1])
    for each in drawn:
        assert each.sum() == 4000
        assert np.abs(each - 1000).max() < 112  # 5 standard deviations


def test_memory_is_bounded_by_pairs_and_by_visits(monkeypatch):
    monkeypatch.setattr(contribution, "BLOCK", 100)
    rng = np.random.default_rng(2)
    limits = {
        10 * 6: Contribution(1, 1, 1, place="most frequent"),
        10 * 2: Contribution(2, 2, 1, place="visited"),
    }
    for most, limit in limits.items():
        kept = PlacedRecords(limit, b"key")
        for _ in range(50):
            cells = rng.integers(0, 6, 100)
            kept.add(np.zeros(100), np.zeros(100), Ids.of(np.arange(100) % 10), None, cells)
            held = sum(len(part[0]) for part in kept._parts)
            assert held <= most + 100
        kept._compact()
        assert sum(len(part[0]) for part in kept._parts) <= most


def test_one_person_with_very_many_records_takes_no_more_memory_than_cells():
    n = 2_000_000
    x = np.random.default_rng(3).uniform(0, 8, n)
    points = {"x": x, "y": x[::-1], "who": np.zeros(n, dtype=int)}
    assert count(array_source(points), PLANS["grid"], HOME, RandomBits()).total == 1


def test_rows_are_sorted_alike_where_numbers_are_too_large_to_be_packed():
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 4, 200), rng.integers(0, 3, 200), rng.integers(0, 2, 200)]
    few = _sorted_by(*columns)
    columns[1] = columns[1] * (1 << 61)
    many = _sorted_by(*columns)
    for order in (few, many):
        rows = list(zip(*(column[order].tolist() for column in columns)))
        assert rows == sorted(rows)


def test_nobody_and_nothing():
    for protect in (HOME, geodp.Person("who", visits=2)):
        assert not counts(PLANS["grid"], protect, []).any()
        outside = [(9.0, 9.0, "a", "ann"), (1.0, 1.0, "a", None)]
        assert not counts(PLANS["grid"], protect, outside).any()
        assert not counts(planned("grid", True), protect, [(1.0, 1.0, "c", "ann")]).any()
        kept = records_for(protect.contribution, RandomBits())
        assert list((kept + records_for(protect.contribution, RandomBits())).blocks()) == []
        assert repr(kept) == "PlacedRecords(private)"


# --- releases -------------------------------------------------------------------------------------


def points(n=600):
    rng = np.random.default_rng(8)
    x, y = rng.uniform(0, 8, (2, n))
    return {"x": x, "y": y, "who": np.arange(n) % 60, "kind": ["a", "b", "c"] * (n // 3)}


CELLS = {"grid": geodp.Regular(sizes=[(2, 4)]), "hexagons": geodp.Hexagons(3)}


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("by", [None, KINDS])
@pytest.mark.parametrize(
    ("person", "distance"),
    [
        (geodp.Person("who", place="most frequent"), 1),
        (geodp.Person("who", place="most frequent", neighbours="replace"), 2),
        (geodp.Person("who", visits=3), 3),
        (geodp.Person("who", visits=3, neighbours="replace"), 6),
    ],
)
def test_noise_is_that_of_the_distance(cells, by, person, distance):
    release = geodp.release(
        points(), DOMAIN, epsilon=2, cells=CELLS[cells], by=by, protect=person, force=True
    )
    for each in release.maps.values():
        assert each.measurements.scales == (distance / 2,)
    assert [spend.sensitivity for spend in release.spends] == [distance]
    checked = geodp.verify(release)
    assert checked.holds
    assert checked.recomputed == 2


def test_words_say_what_is_counted():
    options = {"epsilon": 1, "cells": CELLS["grid"], "force": True}
    home = geodp.release(points(), DOMAIN, protect=HOME, **options)
    assert home.counted == (
        "Counts people, each once at the place where most of their records are inside the extent, "
        "and no record without a person: the whole adds up to the people who have records there."
    )
    assert "(counted as one)" in home.promise
    assert "estimated_people" in home.describe().as_dict()
    three = geodp.release(points(), DOMAIN, protect=geodp.Person("who", visits=3), **options)
    assert three.counted == (
        "Counts visitors of each place, each person in at most 3 places inside the extent, and no "
        "record without a person: a person counts in each of several places, so that sums are of "
        "visits, and any number may fall short of all visitors by an unknown share."
    )
    assert "(counted in at most 3 places)" in three.promise
    assert "estimated_visits" in three.describe().as_dict()
    seeded = {**options, "protect": geodp.Person("who", visits=3), "seed": 3}
    assert "visitors" in geodp.release(points(), DOMAIN, **seeded).legend.words


@pytest.mark.parametrize("person", [HOME, geodp.Person("who", visits=2)])
@pytest.mark.parametrize(
    "cells",
    ["adaptive", "regular", geodp.Regular(sizes=[2, 4]),
     geodp.Choice([geodp.Hexagons(3), geodp.Hexagons(4)])],
)  # fmt: skip
def test_cells_that_are_chosen_are_refused_before_the_spend(person, cells):
    with pytest.raises(geodp.InputError, match="where cells are fixed: districts, hexagons or one"):
        geodp.release(points(), DOMAIN, epsilon=1, cells=cells, protect=person, seed=1)


@pytest.mark.parametrize("cells", ["adaptive", "regular"])
def test_a_forecast_refuses_cells_that_are_chosen(cells):
    with pytest.raises(geodp.InputError, match="where cells are fixed"):
        geodp.forecast(DOMAIN, protect=HOME, cells=cells, force=True)


def test_a_forecast_knows_the_noise_of_visitors():
    town = geodp.Domain((0, 0, 8000, 8000), PLANE)
    three = geodp.Person("who", visits=3)
    forecast = geodp.forecast(town, epsilons=[1], cells=CELLS["grid"], protect=three)
    assert forecast.outlooks[0].scale == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"place": "home"}, "must be 'most frequent', or left out; got 'home'"),
        ({"place": True}, "must be 'most frequent'"),
        ({"visits": 0}, "`visits` must be a whole number of at least 1; got 0"),
        ({"visits": 1.5}, "`visits` must be a whole number"),
        ({"visits": True}, "`visits` must be a whole number"),
        ({"visits": 2, "max_records": 2}, "a person counts in one way"),
        ({"visits": 2, "place": "most frequent"}, "a person counts in one way"),
        ({"place": "most frequent", "max_records": 1}, "a person counts in one way"),
    ],
)
def test_odd_wishes_are_refused(options, words):
    with pytest.raises(geodp.InputError, match=words):
        geodp.Person("who", **options)


def test_more_visits_than_cells_are_refused():
    with pytest.raises(geodp.InputError, match="got `visits` of 9 for 8"):
        geodp.release(
            points(), DOMAIN, epsilon=1, cells=CELLS["grid"], protect=geodp.Person("who", visits=9),
            seed=1,
        )  # fmt: skip
    release = geodp.release(
        points(), DOMAIN, epsilon=1, cells=CELLS["grid"], protect=geodp.Person("who", visits=9),
        by=KINDS, seed=1,
    )  # fmt: skip
    assert release.method.unit.max_records == 9


@pytest.mark.parametrize("person", [HOME, geodp.Person("who", visits=2)])
@pytest.mark.parametrize("per_person", [False, True])
def test_amounts_at_places_are_refused(person, per_person):
    amount = geodp.Amount("paid", 0, 10, per_person=per_person)
    with pytest.raises(geodp.InputError, match="people who count at places have none"):
        geodp.release(
            {**points(), "paid": np.ones(600)}, DOMAIN, epsilon=1, cells=CELLS["grid"],
            protect=person, amount=amount, seed=1,
        )  # fmt: skip


def test_one_seed_makes_one_release():
    options = {"epsilon": 1, "cells": CELLS["grid"], "protect": geodp.Person("who", visits=2)}
    one, same, other = (
        geodp.release(points(), DOMAIN, seed=seed, **options).measurements.value
        for seed in (4, 4, 5)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
