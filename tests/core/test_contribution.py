"""A person adds up to the same on one frame, on streams and on merged parts."""

from __future__ import annotations

import hashlib
import pickle
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE, at_most

import geodp
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.counts.streams import fill
from geodp.core.mechanisms.tuners import E2EPriv, Influence
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.quantity import SHARES, Contribution
from geodp.core.records import contribution
from geodp.core.records.contribution import BoundedRecords
from geodp.core.records.ids import Ids
from geodp.core.records.places import records_for
from geodp.core.regions.workload import Workload
from geodp.core.space.grid import Grid

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
PLAN = Plan((Grid(DOMAIN, (1, 1)),))


class Lots(RandomBits):
    """Priorities dealt from a list, so that a record has the same one wherever it turns up."""

    def __init__(self, priorities: np.ndarray) -> None:
        super().__init__(0)
        self.left = list(priorities)

    def priorities(self, count: int) -> np.ndarray:
        dealt, self.left = self.left[:count], self.left[count:]
        return np.array(dealt, dtype=np.uint64)


def kept(people: list, most: int, lots: np.ndarray) -> set[int]:
    """Say which records stay, by their position."""
    bounded = BoundedRecords(at_most(most), Lots(lots))
    bounded.add(np.arange(len(people), dtype=float), np.zeros(len(people)), Ids.of(people))
    return {int(x) for block, *_ in bounded.blocks() for x in block}


@pytest.mark.parametrize("most", [None, 1, 5])
@pytest.mark.parametrize("cap", [0, 30])
def test_units_are_the_same_however_large_blocks_are(most, cap, monkeypatch):
    """Blocks are a matter of memory: no unit may depend on which one a record comes in."""
    rng = np.random.default_rng(4)
    x, who = np.arange(400.0), rng.integers(0, 30, 400)
    steps = rng.integers(0, 31, 400) if cap else None
    limit = replace(geodp.Person("who", most).contribution, cap=cap if most is None else 0)
    steps = steps if limit.cap else None
    sums = []
    for size, pieces in ((1 << 18, 1), (64, 1), (7, 1), (1 << 18, 50), (7, 50)):
        monkeypatch.setattr(contribution, "BLOCK", size)
        bounded = BoundedRecords(limit, Lots(np.random.default_rng(5).permutation(400)))
        for part in np.array_split(np.arange(400), pieces):
            some = None if steps is None else steps[part]
            bounded.add(x[part], x[part], Ids.of(who[part].tolist()), some)
        blocks = list(bounded.blocks())
        assert max(len(block[0]) for block in blocks) <= size
        place, *_, units = map(np.concatenate, zip(*blocks))
        sums.append({int(key): np.sum(worth) for key, worth in zip(place, units)})
    assert all(each == sums[0] for each in sums)
    assert sum(sums[0].values()) == 30 * limit.most * SHARES


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 63, 64, 200])
def test_a_person_is_dealt_to_one_part_whoever_else_is_there(count):
    """Parts of a dataset hold other people each, and must deal out those they share alike."""
    names = [f"person {number}" for number in range(60)]
    dealt = []
    for some in (names, names[::-1][:40], names[:1]):
        bounded = BoundedRecords(at_most(2), RandomBits())
        bounded.add(np.zeros(len(some)), np.zeros(len(some)), Ids.of(some))
        parts = bounded.split(count)
        dealt.append({name: place for place, part in enumerate(parts) for name in part._codes})
    assert len(dealt[0]) == len(names)
    assert all(dealt[0][name] == place for some in dealt[1:] for name, place in some.items())


def test_a_person_is_dealt_to_the_same_part_in_every_process():
    """By a hash that is written down: Python's own is another in each process."""
    names = [f"person {number}" for number in range(40)]
    bounded = BoundedRecords(at_most(2), RandomBits())
    bounded.add(np.zeros(len(names)), np.zeros(len(names)), Ids.of(names))
    for place, part in enumerate(bounded.split(5)):
        for name in part._codes:
            digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
            assert int.from_bytes(digest, "big") % 5 == place


people_lists = st.lists(st.sampled_from(["ann", "bob", "cy", "di"]), max_size=40)


@examples(300)
@given(people_lists, st.integers(1, 6), st.integers(0, 2**32))
def test_each_person_keeps_as_many_as_allowed(people, most, seed):
    lots = np.random.default_rng(seed).permutation(len(people))
    left = Counter(people[i] for i in kept(people, most, lots))
    assert left == {name: min(most, n) for name, n in Counter(people).items()}


@examples(300)
@given(people_lists, st.integers(1, 6), st.integers(1, 30), st.integers(0, 2**32))
def test_a_new_person_changes_nothing_for_the_others(people, most, records, seed):
    """The coupling behind the proof: others keep the same records, the new one adds at most k."""
    rng = np.random.default_rng(seed)
    lots = rng.permutation(len(people) + records)
    places = np.sort(rng.choice(len(people) + records, records, replace=False))
    mixed = list(people)
    for place in places:
        mixed.insert(int(place), "newcomer")
    old = np.array([i for i, name in enumerate(mixed) if name != "newcomer"], dtype=int)
    before = {int(old[i]) for i in kept(people, most, lots[old])}
    after = kept(mixed, most, lots)
    assert {i for i in after if mixed[i] != "newcomer"} == before
    assert sum(mixed[i] == "newcomer" for i in after) == min(most, records)


@examples(200)
@given(people_lists, st.integers(1, 5), st.integers(0, 40), st.integers(0, 2**32))
def test_streams_and_merged_parts_keep_what_one_frame_keeps(people, most, cut, seed):
    lots = np.random.default_rng(seed).permutation(len(people))
    x = np.arange(len(people), dtype=float)
    stream, first, second = (
        BoundedRecords(at_most(most), Lots(part)) for part in (lots, lots[:cut], lots[cut:])
    )
    for i in range(len(people)):
        stream.add(x[i : i + 1], x[i : i + 1], Ids.of(people[i : i + 1]))
    first.add(x[:cut], x[:cut], Ids.of(people).take(slice(cut)))
    second.add(x[cut:], x[cut:], Ids.of(people[cut:]))
    expected = kept(people, most, lots)
    for parts in (stream, first + second, second + first):
        assert {int(v) for block, *_ in parts.blocks() for v in block} == expected


def test_memory_stays_at_persons_times_k(monkeypatch):
    monkeypatch.setattr(contribution, "BLOCK", 100)
    bounded = BoundedRecords(at_most(3), RandomBits())
    for _ in range(50):
        bounded.add(np.zeros(100), np.zeros(100), Ids.of(np.arange(100) % 10))
        held = sum(len(part[0]) for part in bounded._parts)
        assert held == bounded._held
        assert held <= 10 * 3 + 100


def test_few_records_too_many_wait_until_the_end():
    """Ten people have one record more than they keep: not worth a pass over a thousand others."""
    who = np.concatenate([np.repeat(np.arange(1000), 3), np.arange(10)])
    bounded = BoundedRecords(at_most(3), RandomBits())
    bounded.add(np.zeros(len(who)), np.zeros(len(who)), Ids.of(who))
    bounded._compact()
    assert sum(len(part[0]) for part in bounded._parts) == bounded._held == 3010
    assert sum(len(x) for x, *_ in bounded.blocks()) == bounded._held == 3000


def test_the_first_ids_are_numbered_as_they_are_and_meet_their_equals():
    """Whole numbers first, then text, floats, somebody new, and numbers in another order."""
    blocks = [np.array([7, 8, 7]), ["8", "ann", None], np.array([7.0, np.nan]), np.array([8, 7])]
    for order in (blocks, blocks[::-1], blocks[1:] + blocks[:1]):
        bounded = BoundedRecords(Contribution(1, 16), RandomBits())
        for ids in order:
            bounded.add(np.zeros(len(ids)), np.zeros(len(ids)), Ids.of(ids))
        assert sorted(bounded._names()) == ["7", "8", "ann"]
        more = bounded + BoundedRecords(Contribution(1, 16), RandomBits())
        more.add(np.zeros(2), np.zeros(2), Ids.of(np.array([8, 9])))
        assert sorted(more._names()) == ["7", "8", "9", "ann"]
        assert sum(int(units.sum()) for *_, units in more.blocks()) == 4 * SHARES
        assert sum(int(units.sum()) for *_, units in bounded.blocks()) == 3 * SHARES


def test_the_choice_is_even():
    """1,000 persons with 10 records each, one kept: every position comes up about as often."""
    positions = np.tile(np.arange(10.0), 1000)
    bounded = BoundedRecords(at_most(1), RandomBits(seed=6))
    bounded.add(positions, positions, Ids.of(np.repeat(np.arange(1000), 10)))
    chosen = np.concatenate([x for x, *_ in bounded.blocks()]).astype(int)
    counts = np.bincount(chosen, minlength=10)
    assert ((counts - 100) ** 2 / 100).sum() < 30  # 99.96 % quantile of chi-squared with 9


def test_records_of_nobody_are_dropped():
    for people, left in (
        (["a", None, "a", float("nan"), "b"], 3),
        (np.array([1.0, np.nan, np.nan, 2.0]), 2),
        (np.array([7, 7, 8]), 3),
        ([("a", 1), ["a"], "a"], 1),
        ([], 0),
    ):
        bounded = BoundedRecords(at_most(9), RandomBits())
        bounded.add(np.zeros(len(people)), np.zeros(len(people)), Ids.of(people))
        assert sum(len(x) for x, *_ in bounded.blocks()) == left


@pytest.mark.parametrize("seeded", [False, True])
def test_records_outside_the_domain_take_nobodys_place(seeded):
    """Each of 50 persons has one record inside and nine outside, and may keep one."""
    x = np.tile([*np.linspace(-9.0, -1.0, 5), 3.0, 8.5, 9.0, np.nan, np.inf], 50)
    ids = Ids.of(np.repeat(np.arange(50), 10))
    bits = RandomBits(seed=1) if seeded else RandomBits()
    kept = fill(records_for(at_most(1), bits), [(x, np.full(500, 4.0), ids)], PLAN)
    assert np.concatenate([block for block, *_ in kept.blocks()]).tolist() == [3.0] * 50


def test_records_on_the_edge_of_the_domain_are_inside_and_stay_where_they_are():
    edge = np.array([0.0, 8.0, np.nextafter(8.0, 9.0), np.nextafter(0.0, -1.0)])
    kept = fill(
        BoundedRecords(at_most(9), RandomBits()), [(edge, edge, Ids.of(list("abcd")))], PLAN
    )
    assert [block.tolist() for x, y, _ in kept.blocks() for block in (x, y)] == [[0.0, 8.0]] * 2


@examples(150)
@given(st.data(), st.integers(1, 4), st.sampled_from([Influence(), E2EPriv(), E2EPriv("absolute")]))
def test_a_person_with_any_records_moves_counts_and_qualities_by_at_most_k(data, most, tuner):
    places = st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.999, 4.0, 7.5, 8.0])] * 2)
    others = data.draw(st.lists(places, max_size=30))
    records = data.draw(st.lists(places, min_size=1, max_size=12))
    grids = (Grid(DOMAIN, (2, 2)), Grid(DOMAIN, (3, 5)))
    workload = Workload.from_boxes([(0, 0, 3, 3), (1, 2, 8, 5)], DOMAIN)
    plan = Plan(grids, workload)
    tallies = []
    for extra in ([], records):
        x, y = np.array(others + extra, dtype=float).reshape(-1, 2).T
        whom = [f"p{i}" for i in range(len(others))] + ["newcomer"] * len(extra)
        bounded, tally = BoundedRecords(at_most(most), RandomBits()), Tally(plan)
        bounded.add(x, y, Ids.of(whom))
        for block in bounded.blocks():
            tally.add(*block)
        tallies.append(tally)
    before, after = tallies
    overlaps = [workload.overlap(grid) for grid in grids]
    for i in range(len(grids)):
        assert np.abs(after.counts(i) - before.counts(i)).sum() <= most
    old, new = (tuner.qualities(t, overlaps, Fraction(1), Fraction(1)) for t in tallies)
    assert all(abs(a - b) <= most for a, b in zip(old, new))


contributions = st.builds(
    lambda most, more, units: Contribution(most, most + more, units),
    st.integers(1, 5), st.integers(0, 20), st.sampled_from([1, 7, 12, SHARES]),
)  # fmt: skip


@examples(300)
@given(people_lists, contributions, st.integers(0, 40), st.integers(0, 2**32))
def test_a_person_adds_up_to_what_is_allowed_however_records_come(people, limit, cut, seed):
    """Units of each person sum to min(m, most) ones exactly: in one piece, in parts, in groups."""
    lots = np.random.default_rng(seed).permutation(len(people))
    x, group = np.arange(len(people), dtype=float), np.arange(len(people), dtype=np.int16) % 3
    every, first, second = (
        BoundedRecords(limit, Lots(part)) for part in (lots, lots[:cut], lots[cut:])
    )
    every.add(x, x, Ids.of(people), group)
    first.add(x[:cut], x[:cut], Ids.of(people).take(slice(cut)), group[:cut])
    second.add(x[cut:], x[cut:], Ids.of(people[cut:]), group[cut:])
    seen = []
    for parts in (every, first + second, second + first):
        units: Counter = Counter()
        each: dict = {}
        for place, _, _, worth in parts.blocks():
            for at, number in zip(place.tolist(), worth.tolist()):
                units[people[int(at)]] += number
                each[at] = number
        seen.append(each)
        m = Counter(people)
        assert units == {who: min(m[who], limit.most) * limit.units for who in m}
        for who in m:
            parts_kept = [number for at, number in each.items() if people[int(at)] == who]
            assert len(parts_kept) == min(m[who], limit.keep)
            assert max(parts_kept) - min(parts_kept) <= 1
    assert seen[0] == seen[1] == seen[2]


def test_shares_of_up_to_sixteen_records_are_equal_to_the_unit():
    limit = geodp.Person("who").contribution
    for m in range(1, 100):
        worth = contribution.shared_units(np.zeros(min(m, limit.keep), dtype=np.int64), limit)
        assert worth.sum() == SHARES
        assert worth.max() - worth.min() == (m > 16 and SHARES % min(m, limit.keep) > 0)


def test_people_are_spread_over_their_records():
    """Ann is half west and half east, Bob is east, Cy has twenty records west."""
    x = np.array([1.0, 7.0, 7.5, *[2.0] * 20])
    who = ["ann", "ann", "bob", *["cy"] * 20]
    halves = geodp.Regular(Grid(DOMAIN, (1, 2)))
    release = geodp.release(
        {"x": x, "y": np.full(23, 4.0), "who": who}, cells=halves, epsilon=10**6, force=True,
        protect=geodp.Person("who"),
    )  # fmt: skip
    assert release.counts == pytest.approx([1.5, 1.5], abs=1e-4)
    assert release.scale == Fraction(1, 10**6)
    assert release.method.unit == geodp.Unit("person", None)
    assert release.counted.startswith("Counts people, each spread over the places of their records")
    most = geodp.release(
        {"x": x, "y": np.full(23, 4.0), "who": who}, cells=halves, epsilon=10**6, force=True,
        protect=geodp.Person("who", max_records=5),
    )  # fmt: skip
    assert most.counts == pytest.approx([6, 2], abs=1e-3)


def test_a_release_that_protects_people():
    x, y = np.random.default_rng(1).uniform(0, 8, (2, 5000))
    points = {"x": x, "y": y, "who": np.arange(5000) % 50}
    four = geodp.Person("who", max_records=4)
    release = geodp.release(points, DOMAIN, epsilon=1, cells="regular", protect=four)
    assert release.method.unit.kind == "person"
    assert release.scale == Fraction(40, 9)
    assert {spend.sensitivity for spend in release.spends} == {4}
    assert "one person" in release.promise
    assert "not people" not in release.promise
    plenty = geodp.release(
        points,
        cells=geodp.Regular(Grid(DOMAIN, (1, 1))),
        epsilon=10**6,
        force=True,
        protect=geodp.Person("who", max_records=4),
    )
    assert plenty.counts.tolist() == pytest.approx([200])


def test_kept_records_do_not_show():
    assert repr(BoundedRecords(at_most(1), RandomBits())) == "BoundedRecords(private)"


@pytest.mark.parametrize("seed", [None, 7])
@pytest.mark.parametrize("grouped", [False, True])
def test_parts_without_records_have_no_say_in_what_the_others_hold(grouped, seed):
    """Dealt out, merged in any order, before and after what holds some."""
    groups = [np.array([1, 0], dtype=np.int16)] if grouped else []

    def part(count: int):
        kept = records_for(at_most(2), RandomBits(seed))
        if count:
            kept.add(np.arange(2.0), np.zeros(2), Ids.of(["ann", "bob"]), *groups)
        return pickle.loads(pickle.dumps(kept))

    for counts in ([0], [0, 0], [0, 2], [2, 0], [0, 2, 0], [2, 0, 2]):
        dealt = [part(count).split(3) for count in counts]
        merged = [reduce(add, parts) for parts in zip(*dealt)]
        blocks = [block for kept in merged for block in kept.blocks()]
        assert sum(len(x) for x, *_ in blocks) == sum(counts)
        assert {len(block) for block in blocks} <= {3 + grouped}
        assert [len(x) for x, *_ in part(0).blocks()] == []


@examples(100)
@given(st.lists(st.lists(st.integers(0, 250) | st.integers(0, 10_000), min_size=1, max_size=40),
                min_size=1, max_size=6),
       st.integers(1, 5), st.integers(1, 16), st.randoms())  # fmt: skip
@example([[100] * 40, [3000] * 5, [7]], 2, 1, random.Random(1))
def test_totals_are_the_same_in_whatever_parts_the_records_come(people, parts, keep, order):
    """A person's total is cut at the bound, and known although records are dropped."""
    limit = replace(geodp.Person("who").contribution, keep=keep, cap=10_000)
    rows = [(who, step) for who, steps in enumerate(people) for step in steps]
    order.shuffle(rows)
    pieces = [BoundedRecords(limit, RandomBits()) for _ in range(parts)]
    for number, piece in enumerate(pieces):
        part = rows[number::parts]
        ids = Ids.of([f"p{who}" for who, _ in part])
        group = np.array([10_001 * (who % 3) + step for who, step in part], int)
        piece.add(np.zeros(len(part)), np.zeros(len(part)), ids, group)
        piece._compact()
    dealt = [piece.split(3) for piece in pieces]
    shares = []
    for number in range(3):
        merged = dealt[0][number]._like()
        for each in dealt:
            merged.absorb(each[number])
            merged._compact()
        shares += [units for *_, units in merged.blocks()]
    above, below = np.concatenate(shares).sum(axis=0) if shares else (0, 0)
    totals = [SHARES * min(sum(steps), 10_000) // 10_000 for steps in people]
    assert (above, above + below) == (sum(totals), SHARES * len(people))


@pytest.mark.parametrize("dropped", [0, 1 << 20, 1 << 40, 1 << 60])
@pytest.mark.parametrize("steps", [[0], [1], [1 << 30], [1 << 30] * 64, [0, 1 << 30, 1]])
def test_a_total_of_any_size_is_cut_and_makes_one_person(steps, dropped):
    """A person may have more records than anybody would try."""
    limit = Contribution(most=1, keep=64, cap=1 << 30)
    code, gone = np.full(len(steps), 3), np.zeros(len(steps), dtype=np.int64)
    gone[0] = dropped
    parts = contribution.divided_totals(code, np.array(steps), gone, limit)
    assert parts.min() >= 0
    assert parts.sum() == limit.units
    cut = min(sum(steps) + dropped, limit.cap)
    assert parts[:, 0].sum() == limit.units * cut // limit.cap
