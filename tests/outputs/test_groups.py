"""Groups: which one a record is in, one ε for all of them, and what comes out of each."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from fractions import Fraction
from functools import partial
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import at_most

import geodp
from geodp.core.counts import group_tally, streams
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.streams import fill
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.noise import RandomBits, laplace_variance
from geodp.core.records.arrays import group_values
from geodp.core.records.contribution import BoundedRecords
from geodp.core.records.divisions import divisions, grouped
from geodp.core.records.groups import Field, slugs
from geodp.core.records.ids import Ids
from geodp.core.releases.release_set import ReleaseSet
from geodp.core.space.frame import Frame

TOWN = geodp.Domain((0.0, 0.0, 4000.0, 3000.0), crs="EPSG:5070")
PLAN = Plan((geodp.Grid(TOWN, (1, 1)),))
GRID = geodp.Grid(TOWN, (3, 4))
ONE_GRID = geodp.Regular(GRID)
KINDS = ["theft", "burglary", "assault"]
BY_KIND = geodp.Categories("kind", KINDS)


def crimes(n: int = 3000, seed: int = 0) -> dict[str, np.ndarray]:
    """Records of four kinds, one of which is not on the list."""
    rng = np.random.default_rng(seed)
    kind = rng.choice([*KINDS, "fraud"], n, p=[0.5, 0.3, 0.1, 0.1])
    x, y = rng.beta(2, 5, n) * 4000, rng.beta(2, 2, n) * 3000
    return {"x": x, "y": y, "kind": kind, "who": rng.integers(0, 40, n)}


CRIMES = crimes()


def released(points=CRIMES, **options) -> ReleaseSet:
    published = geodp.release(
        points,
        TOWN,
        **{"epsilon": 1, "seed": 5, "cells": ONE_GRID, "force": True, "by": BY_KIND, **options},
    )
    assert isinstance(published, ReleaseSet)
    return published


# --- which group ------------------------------------------------------------------------------


def placed(values, **options) -> list[int]:
    field = Field.of("f", **options)
    return field.place(group_values(values, field)).tolist()


def test_categories_are_told_apart_like_ids():
    ways = [1, 1.0, "1", " 1 ", "1.0", np.int8(1), True, 2, "two", "2.5", 2.5, None, float("nan")]
    assert placed(ways, categories=[1, "two"]) == [0] * 7 + [-1, 1, -1, -1, -1, -1]
    assert placed(ways, categories=[2.5], other="else") == [1] * 9 + [0, 0, 1, 1]


NUMBERS = [0.0, -0.0, 1.0, 2.5, -3.0, 1e-7, 2.0**53, -(2.0**63), 2.0**63, 1e300, np.nan, np.inf]


@pytest.mark.parametrize(
    "listed", [[0, 2.5, -3], [1e-7, "0.5", "--5", 1], [2**53, 1], ["inf", 2**63, -(2**63)]]
)
@pytest.mark.parametrize("kind", ["f8", "f4", ">f8", "longdouble", "i8", "u1", "u8", "?"])
def test_numbers_in_arrays_are_in_the_groups_of_their_ids(kind, listed):
    """Looked up in a table, or told apart one by one, they are in the same."""
    with np.errstate(all="ignore"):
        values = np.array(NUMBERS * 3000).astype(kind)  # more than one block
    for other in (None, "else"):
        field = Field.of("f", categories=listed, other=other)
        expected = field.place(Ids.of(list(values[: len(NUMBERS)]))).tolist()
        assert placed(values, categories=listed, other=other) == expected * 3000
        gaps = np.ma.MaskedArray(values, np.arange(len(values)) % 5 == 0)
        every = field.place(group_values(gaps, field))
        nowhere = -1 if other is None else len(listed)
        assert (every[gaps.mask] == nowhere).all()
        assert every[~gaps.mask].tolist() == np.array(expected * 3000)[~gaps.mask].tolist()


@pytest.mark.parametrize("kind", [list, np.array])
def test_breaks_are_half_open(kind):
    values = kind([-0.1, 0, 5.999, 6, 11.5, 12, 1e300])
    assert placed(values, breaks=[0, 6, 12]) == [-1, 0, 0, 1, 1, -1, -1]
    assert placed(values, breaks=[0, 6, 12], other="rest") == [2, 0, 0, 1, 1, 2, 2]
    assert placed(values, breaks=["-inf", 6, "inf"]) == [0, 0, 0, 1, 1, 1, 1]


def test_odd_values_are_in_no_group_and_no_error():
    odd = ["six", None, [1], {}, b"\xff", object(), 10**400, "NaN", dt.date(2024, 1, 1), "1_0"]
    assert placed(odd, breaks=[0, 24]) == [-1] * len(odd)
    assert placed([7, "7", b"7", 7.5, True, np.float32(7)], breaks=[0, 24]) == [0] * 6


def test_dates_and_times_in_utc():
    breaks = ["2019-01-01", dt.date(2020, 1, 1), np.datetime64("2021-01-01")]
    values = [
        "2018-12-31T23:59:59.999",
        dt.date(2019, 1, 1),
        "2019-12-31 23:59:59",
        dt.datetime(2020, 1, 1),
        "2020-01-01T00:30+01:00",  # still 2019 in UTC
        np.datetime64("2020-06-01T12", "ns"),
        "2020-02-30",
        20200101,
        None,
    ]
    assert placed(values, breaks=breaks) == [-1, 0, 0, 1, 0, 1, -1, -1, -1]
    assert Field.of("f", breaks=breaks).names == ("2019", "2020")
    moments = np.array(["2018-12-31T23:59:59.9", "2019-01-01", "NaT"], dtype="M8[ms]")
    assert placed(moments, breaks=breaks) == [-1, 0, -1]
    assert placed(np.array([2019, 2020]), breaks=breaks) == [-1, -1]


def test_fractions_of_seconds_before_1970_are_rounded_down():
    values = np.array(["1969-12-31T23:59:59.5", "1970-01-01"], dtype="M8[ms]")
    assert placed(values, breaks=["1960-01-01", "1970-01-01", "1980-01-01"]) == [0, 1]
    assert placed(values.astype(str).tolist(), breaks=["1960-01-01", "1970-01-01"]) == [0, -1]


def test_times_of_day():
    breaks = ["06:00", "22:00"]
    values = ["2024-05-01T05:59:59", "2024-05-01 06:00", "21:59", "22:00", dt.time(7), "25:00", 7]
    assert placed(values, breaks=breaks, other="night") == [1, 0, 0, 1, 0, 1, 1]
    assert placed(np.array(["1969-07-20T20:17", "NaT"], "M8[m]"), breaks=breaks) == [0, -1]
    assert Field.of("f", breaks=["00:00", "06:30", "24:00"]).names == (
        "00:00 to 06:30",
        "06:30 to 24:00",
    )


def test_names_of_spans():
    spans = ["2024-01-01", "2024-02-01", "2024-02-02", "2024-02-02T06:00", "2024-02-02T07:00"]
    assert Field.of("f", breaks=spans).names == (
        "2024-01",
        "2024-02-01",
        "2024-02-02 to 2024-02-02T06:00:00",
        "2024-02-02T06",
    )
    groups = grouped(geodp.Breaks("f", spans))
    assert groups.spans is not None
    assert groups.spans[0] == ("2024-01-01T00:00:00", "2024-02-01T00:00:00")
    assert grouped(geodp.Breaks("f", [0, 1])).spans is None


def test_fields_are_crossed():
    kinds = geodp.Categories("kind", ["a", "b"], other="else")
    groups = grouped([kinds, geodp.Breaks("year", [2019, 2020, 2021])])
    assert groups.names[:3] == ("a, 2019 to 2020", "a, 2020 to 2021", "b, 2019 to 2020")
    columns = {"kind": ["a", "b", "c", None], "year": [2020, 2019, 2020, 2030]}
    numbers = groups.number(lambda field: group_values(columns[field.name], field))
    assert numbers.tolist() == [1, 2, 5, -1]
    assert groups.group_index(("b", "2019 to 2020")) == 2


@given(
    st.lists(st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.dates()), max_size=9)
)
def test_a_record_has_its_group_whatever_the_others_hold(values):
    for options in (
        {"categories": [1, "a"]},
        {"breaks": [0, 5]},
        {"breaks": ["2000-01-01", "2024-01-01"]},
    ):
        alone = [placed([value], **options)[0] for value in values]
        assert placed(values, **options) == alone


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (lambda: "kind", "needs a public list with its field, .*; got 'kind'"),
        (lambda: ["kind", "year"], "needs a public list with its field, .*; got 'kind'"),
        (list, "needs a public list with its field, .*; got a list"),
        (lambda: CRIMES["kind"], "got a ndarray: the list is never read off the points"),
        (lambda: geodp.Categories("kind", []), "empty"),
        (lambda: geodp.Categories("kind", "theft"), "must be a list"),
        (lambda: geodp.Categories("kind", ["a", None]), "a category must be"),
        (lambda: geodp.Categories("kind", ["a", "a "]), "'a' is there twice"),
        (lambda: geodp.Categories("kind", ["a"], other="a"), "'a' is there twice"),
        (lambda: geodp.Categories("kind", ["a"], other=" "), "`other`"),
        (lambda: geodp.Breaks("kind", [0]), "rising"),
        (lambda: geodp.Breaks("kind", [6, 0]), "rising"),
        (lambda: geodp.Breaks("kind", [0, "x"]), "rising"),
        (lambda: geodp.Breaks("kind", ["2020-01-01", 5]), "rising"),
        (lambda: [geodp.Categories("kind", ["a"]), geodp.Breaks("kind", [0, 1])], "once"),
        (lambda: geodp.Categories("", ["a"]), "given by its name; got ''"),
        (lambda: geodp.Categories(CRIMES["kind"], ["a"]), "given by its name; got a ndarray"),
        (lambda: geodp.Breaks("kind", range(20_000)), "at most 10,000 groups"),
        (lambda: geodp.Categories("sort", ["a"]), "there is no 'sort'"),
    ],
)
def test_lists_that_are_none_are_refused_before_anything_is_read(by, message):
    with pytest.raises(geodp.InputError, match=message):
        geodp.release(CRIMES, TOWN, epsilon=1, by=by())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((["kind"], None, None, None), "`by` needs a public list, .* 'kind' has none"),
        ((["kind"], {"kind": ["a"]}, {"kind": [0, 1]}, None), "'kind' has both"),
        ((["kind", "year"], {"kind": ["a"]}, None, None), "'year' has none"),
        (([], {"": ["a"]}, None, None), "`categories` divides .* name it with `by`"),
        (([], None, None, "rest"), "`other` divides"),
    ],
)
def test_fields_and_lists_that_do_not_fit_are_refused(given, message):
    with pytest.raises(geodp.InputError, match=message):
        divisions(*given)


def test_what_divides_records_has_one_value_however_it_is_written():
    assert geodp.Categories("k", [1]) == geodp.Categories("k", [1.0]) != geodp.Categories("j", [1])
    assert geodp.Breaks("k", ["0", 6.0]) == geodp.Breaks("k", [0, 6])
    assert geodp.Breaks("k", [dt.date(2024, 1, 1), "2025-01-01"]) == geodp.Breaks(
        "k", ["2024-01-01", np.datetime64("2025-01-01T00:00")]
    )
    assert len({geodp.Breaks("k", [0, 6]), geodp.Breaks("k", [0, 6], other="rest")}) == 2


def test_what_the_declared_type_rules_out_is_refused():
    odd = {**CRIMES, "kind": CRIMES["x"].astype("m8[s]")}
    with pytest.raises(geodp.InputError, match="'kind' is declared as timedelta64"):
        released(odd)
    with pytest.raises(geodp.InputError, match="'x' is declared as float64"):
        released(by=geodp.Breaks("x", ["06:00", "12:00"]))
    with pytest.raises(geodp.InputError, match="three arrays for 0 fields"):
        geodp.release((CRIMES["x"], CRIMES["y"], CRIMES["kind"]), TOWN, epsilon=1)


def test_slugs_are_unique_whatever_the_case():
    assert slugs(["A", "a", "a 2", "a_2", "–"]) == ("A", "a_2", "a_2_2", "a_2_3", "group")


# --- one ε ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_a_group_is_what_its_records_alone_would_be(name):
    """On the same cells and from the same seed: no other group has a part in it."""
    records = {key: column[CRIMES["kind"] == name] for key, column in CRIMES.items()}
    alone = released(records, by=geodp.Categories("kind", [name]))
    assert np.array_equal(released()[name].counts, alone[name].counts)
    bits = RandomBits(5).fork(name)
    plain = geodp.release(
        (records["x"], records["y"]), cells=geodp.Regular(GRID), epsilon=1, seed=bits
    )
    assert np.array_equal(released()[name].counts, plain.counts)
    assert released()[name].measurements == plain.measurements


def test_groups_have_noise_of_their_own():
    empty = {"x": [], "y": [], "kind": []}
    releases = released(empty, cells=geodp.Regular(sizes=[40]))
    first, second = (releases[name].counts for name in KINDS[:2])
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_groups_add_up_to_the_total(cells):
    releases = released(cells=ONE_GRID if cells == "regular" else cells)
    sums = sum(one.counts for one in releases.values())
    assert np.allclose(sums, releases.total.counts)
    assert np.allclose(sum(one.variance for one in releases.values()), releases.total.variance)
    regions = [(0, 0, 4000, 3000), (100, 50, 2000, 1500)]
    answers = releases.query(regions)
    total = releases.total.query(regions)
    assert np.allclose(sum(answer.estimate for answer in answers.values()), total.estimate)
    noise = sum(answer.noise_error**2 for answer in answers.values())
    assert np.allclose(np.sqrt(noise), total.noise_error)


def test_what_is_counted_is_the_truth_plus_noise():
    releases = released(epsilon=10**6)
    for name in KINDS:
        in_group = CRIMES["kind"] == name
        true, *_ = np.histogram2d(
            CRIMES["y"][in_group], CRIMES["x"][in_group], [GRID.y_edges, GRID.x_edges]
        )
        assert np.array_equal(releases[name].counts, true[::-1].ravel())
    rest = released(epsilon=10**6, by=geodp.Categories("kind", KINDS, other="else"))
    assert rest.groups == (*KINDS, "else")
    assert rest.total.counts.sum() == len(CRIMES["x"])
    assert rest["else"].counts.sum() == (CRIMES["kind"] == "fraud").sum()


def test_one_epsilon_and_one_spend(tmp_path):
    ledger = geodp.Ledger(tmp_path / "l.geodp")
    ledger.register("crimes", cap=1)
    releases = released(account=ledger["crimes"], seed=None)
    assert releases.epsilon == releases["theft"].epsilon == Fraction(1)
    assert ledger["crimes"].spent == 1
    assert "in 3 groups" in str(ledger["crimes"].entries()[-1])
    with pytest.raises(geodp.GeodpError):
        released(account=ledger["crimes"], seed=None)


def test_the_noise_of_a_group_is_that_of_a_plain_release():
    assert (
        released()["theft"].scale
        == geodp.release(CRIMES, cells=geodp.Regular(GRID), epsilon=1).scale
    )
    people = released(protect=geodp.Person("who", max_records=4, neighbours="replace"))
    assert people["theft"].scale == 8


def test_a_tree_is_grown_once_for_all_groups():
    releases = released(cells="adaptive", epsilon=3)
    assert releases["theft"].cells is releases["assault"].cells
    assert releases.epsilon == 3
    # Two other groups exchanged: the sums are the same, and so are the tree and the third group.
    exchanged = {"assault": "burglary", "burglary": "assault"}
    kind = np.array([exchanged.get(each, each) for each in CRIMES["kind"]])
    other = {**CRIMES, "kind": kind}
    again = released(other, cells="adaptive", epsilon=3)
    assert again.cells == releases.cells
    assert again["theft"].measurements == releases["theft"].measurements
    assert again["assault"].measurements != releases["assault"].measurements


def test_one_group_grows_the_tree_of_a_plain_release():
    records = {key: column[CRIMES["kind"] == "theft"] for key, column in CRIMES.items()}
    one = released(records, by=geodp.Categories("kind", ["theft"]), cells="adaptive")
    bits = RandomBits(5).fork("theft")
    plain = geodp.release(
        (records["x"], records["y"]), TOWN, epsilon=1, cells="adaptive", seed=bits
    )
    assert one.cells == plain.cells
    assert one["theft"].measurements == plain.measurements


# --- people -----------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2), st.integers(0, 1)), max_size=12),
    st.integers(1, 3),
    st.integers(0, 2**32),
)
def test_a_person_moves_at_most_k_counts_of_all_groups(records, most, seed):
    """Brute force: one person more, whatever groups their records are in."""

    def counted(left_out: int | None) -> Counter:
        rng = np.random.default_rng(seed)
        lots = dict(enumerate(rng.permutation(len(records)).tolist()))
        kept = [i for i, (who, *_) in enumerate(records) if who != left_out]
        bounded = BoundedRecords(at_most(most), _Lots([lots[i] for i in kept]))
        who, group, cell = (np.array([records[i][j] for i in kept], int) for j in range(3))
        known = group >= 0  # the lots are of those that are kept
        bounded._bits.lots = [lot for lot, yes in zip(bounded._bits.lots, known) if yes]
        x = 1000.0 + 2000 * cell
        fill(bounded, [(x, np.full(len(x), 9.0), Ids.of(who.tolist()), group)], PLAN)
        blocks = list(bounded.blocks())
        return Counter(
            (float(x), int(group)) for xs, _, numbers, _ in blocks for x, group in zip(xs, numbers)
        )

    before = counted(None)
    for person in range(4):
        without = counted(person)
        keys = {*before, *without}
        moved = sum(abs(before[key] - without[key]) for key in keys)
        assert moved <= most
        assert all(before[key] >= without[key] for key in keys)


class _Lots(RandomBits):
    """Lots that belong to records, whoever else is there."""

    def __init__(self, lots):
        super().__init__()
        self.lots = lots

    def priorities(self, count):
        taken, self.lots = self.lots[:count], self.lots[count:]
        return np.array(taken, dtype=np.uint64)


def test_records_in_no_group_use_up_nothing():
    one = {"x": [1.0] * 9, "y": [1.0] * 9, "who": ["ann"] * 9, "kind": ["fraud"] * 8 + ["theft"]}
    for seed in (1, None):
        releases = released(
            one, protect=geodp.Person("who", max_records=1), epsilon=10**6, seed=seed
        )
        assert releases["theft"].counts.sum() == pytest.approx(1, abs=0.01)


def test_a_person_keeps_k_records_over_all_groups():
    one = {"x": np.ones(90), "y": np.ones(90), "who": np.zeros(90), "kind": KINDS * 30}
    for seed in (1, None):
        releases = released(
            one, protect=geodp.Person("who", max_records=4), epsilon=10**6, seed=seed
        )
        assert releases.total.counts.sum() == pytest.approx(4, abs=0.01)


def test_blocks_and_order_make_no_difference_with_a_seed():
    person = {"protect": geodp.Person("who", max_records=3)}
    expected = released(**person)
    order = np.random.default_rng(1).permutation(len(CRIMES["x"]))
    mixed = {name: column[order] for name, column in CRIMES.items()}
    parts = [{name: column[i::7] for name, column in mixed.items()} for i in range(7)]
    again = released(iter(parts), **person)
    assert np.array_equal(expected.total.counts, again.total.counts)
    assert all(np.array_equal(expected[k].counts, again[k].counts) for k in KINDS)
    triple = released(iter([(CRIMES["x"], CRIMES["y"], CRIMES["kind"])]))
    assert np.array_equal(triple["theft"].counts, released()["theft"].counts)


# --- choosing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("tuner", ["influence", geodp.E2EPriv(), geodp.E2EPriv("absolute")])
def test_a_record_moves_the_score_of_one_group(tuner):
    from geodp.core.counts.grid_tally import Plan
    from geodp.core.counts.group_tally import GroupedPlan
    from geodp.core.mechanisms.tuners import as_tuner

    grids = geodp.candidate_grids(TOWN, [1, 3, 7])
    workload = geodp.Workload.random_boxes(TOWN, [0.05, 0.3], 6, seed=2)
    plan = GroupedPlan(Plan(grids, workload), grouped(BY_KIND))
    overlaps = [workload.overlap(grid) for grid in grids]
    rng = np.random.default_rng(4)
    for _ in range(15):
        n = int(rng.integers(0, 30))
        x, y = rng.random(n + 1) * 4000, rng.random(n + 1) * 3000
        group = rng.integers(0, 3, n + 1)
        qualities = []
        for size in (n, n + 1):
            tally = plan.tally()
            tally.add(x[:size], y[:size], group[:size])
            qualities.append(
                as_tuner(tuner).qualities(tally, overlaps, Fraction(1, 10), Fraction(10, 9))
            )
        assert max(abs(a - b) for a, b in zip(*qualities)) <= 1


def test_scores_are_those_of_the_groups_added_up():
    from geodp.core.counts.grid_tally import Plan
    from geodp.core.counts.group_tally import GroupedPlan

    grids = geodp.candidate_grids(TOWN, [2, 5])
    workload = geodp.Workload.random_boxes(TOWN, [0.1], 9, seed=2)
    tally = GroupedPlan(Plan(grids, workload), grouped(BY_KIND)).tally()
    number = np.array([KINDS.index(k) if k in KINDS else -1 for k in CRIMES["kind"]])
    tally.add(CRIMES["x"], CRIMES["y"], number)
    overlaps = [workload.overlap(grid) for grid in grids]
    tuner = geodp.E2EPriv("absolute")
    each = [tuner.qualities(one, overlaps, Fraction(1), Fraction(1)) for one in tally.groups]
    expected = tuner.qualities(tally, overlaps, Fraction(1), Fraction(1))
    assert expected == [sum(parts) for parts in zip(*each)]


@pytest.mark.slow
def test_more_groups_get_coarser_cells():
    rng = np.random.default_rng(0)
    x, y = rng.beta(2, 5, 40_000) * 4000, rng.beta(2, 2, 40_000) * 3000
    many = {"x": x, "y": y, "kind": rng.integers(0, 30, 40_000)}
    kinds = geodp.Categories("kind", range(30))
    one = geodp.release(many, TOWN, epsilon=1, cells="regular", seed=1)
    thirty = geodp.release(many, TOWN, epsilon=1, cells="regular", by=kinds, seed=1)
    assert thirty.cells.grid.cells < one.cells.grid.cells
    grown = geodp.release(many, TOWN, epsilon=1, seed=1)
    grouped = geodp.release(many, TOWN, epsilon=1, by=kinds, seed=1)
    assert len(grouped.cells) < len(grown.cells)


# --- size -------------------------------------------------------------------------------------


def test_too_many_counts_are_refused_before_a_point_is_read():
    class Unread:
        def __next__(self):
            raise AssertionError("a point was read")

    large = [geodp.Grid(TOWN, (2000, 2000)), geodp.Grid(TOWN, (1999, 1999))]
    with pytest.raises(geodp.InputError, match="ask for 16 groups at most, or for coarser cells"):
        geodp.release(
            Unread(), cells=geodp.Regular(large), epsilon=1, by=geodp.Breaks("hour", range(101))
        )


def test_the_base_of_a_tree_is_coarser_where_there_are_many_groups():
    releases = geodp.release(
        ([], [], []), TOWN, epsilon=1, cells="adaptive", by=geodp.Breaks("hour", range(101))
    )
    (frame,) = releases.method.candidates
    assert isinstance(frame, Frame)
    assert 4 * frame.cells * 100 <= group_tally.MOST_BYTES < 16 * frame.cells * 100


def test_a_tally_says_nothing():
    tally = group_tally.GroupedTally(())
    assert repr(tally) == "GroupedTally(private)"


# --- the object -------------------------------------------------------------------------------


def test_groups_by_name():
    releases = released()
    assert releases.groups == tuple(KINDS) == tuple(releases)
    assert "theft" in releases
    assert "fraud" not in releases
    with pytest.raises(geodp.InputError, match="there is no group 'fraud'"):
        releases["fraud"]
    years = geodp.release(([], [], []), TOWN, epsilon=1, by=geodp.Categories("year", [2019, 2020]))
    assert years[2019] is years["2019"] is years[2019.0]
    assert repr(releases).startswith("ReleaseSet(3 groups, 3 × 4 cells")
    assert geodp.release(([], []), TOWN, epsilon=1).groups == ()


def test_a_total_has_the_noise_of_all_groups():
    one, total = released()["theft"], released().total
    assert total.measurements.terms == 3
    assert np.allclose(total.variance, 3 * laplace_variance(one.scale))
    assert type(total) is geodp.Release
    box = [(0, 0, 1000, 1000)]
    assert total.query(box).noise_error[0] == pytest.approx(
        np.sqrt(3) * one.query(box).noise_error[0]
    )


@pytest.mark.slow
def test_intervals_of_the_total_hold_the_truth():
    """Noise alone, on whole cells of an empty map: nominal 95 %."""
    empty = {"x": [], "y": [], "kind": []}
    held = []
    for seed in range(60):
        total = released(empty, seed=seed).total
        boxes = [
            (1000.0 * i, 1000.0 * j, 1000.0 * (i + 1), 1000.0 * (j + 1))
            for i, j in itertools.product(range(4), range(3))
        ]
        answers = total.query(boxes)
        held += ((answers.ci_low <= 0) & (answers.ci_high >= 0)).tolist()
    assert 0.92 <= np.mean(held) <= 0.99


def test_measurements_add_up_only_if_they_are_alike():
    one = Measurements([0, 1], [1, 2], [0, 0], [Fraction(1)])
    with pytest.raises(geodp.InputError, match="same nodes"):
        Measurements.sum([one, Measurements([0, 2], [1, 2], [0, 0], [Fraction(1)])])
    with pytest.raises(geodp.InputError, match="one draw"):
        Measurements([0], [1], [0], [Fraction(1)], 0)


def test_threads_count_the_same():
    often = partial(streams.joined, size=100)
    with mock.patch.object(streams, "joined", often), mock.patch("os.cpu_count", return_value=4):
        parts = [{name: column[i::30] for name, column in CRIMES.items()} for i in range(30)]
        threaded = released(iter(parts))
    assert all(np.array_equal(threaded[k].counts, released()[k].counts) for k in KINDS)


@given(
    st.lists(st.one_of(st.integers(-20, 20), st.sampled_from([2**62, -(2**63), 2**63 - 1]))),
    st.lists(st.integers(-9, 9), min_size=1, max_size=6, unique=True),
)
def test_whole_numbers_are_placed_alike_by_table_and_by_text(values, categories):
    mixed = [*categories, "007", "text"]
    array = np.array(values, dtype=np.int64)
    assert placed(array, categories=mixed) == placed(values, categories=mixed)
    small = np.array([value for value in values if abs(value) <= 20], dtype=np.int8)
    assert placed(small, categories=mixed) == placed(small.tolist(), categories=mixed)
    large = np.array([2**64 - 1, 2**63, 5], dtype=np.uint64)
    assert placed(large, categories=[-1, 5]) == [-1, -1, 1]


@given(st.lists(st.floats(allow_nan=True)), st.integers(2, 80))
def test_few_breaks_and_many_are_passed_alike(values, count):
    breaks = list(range(-count // 2, count // 2 + 1))
    expected = [
        next((i for i in range(len(breaks) - 1) if breaks[i] <= v < breaks[i + 1]), -1)
        for v in values
    ]
    assert placed(np.array(values, dtype=np.float64), breaks=breaks) == expected


@pytest.mark.parametrize("many", [3, 254, 255, 256, 257, 300])
def test_groups_are_told_apart_however_many_there_are(many):
    """Small numbers are sorted as bytes, and larger ones are not cut to bytes."""
    plan = Plan((geodp.Grid(geodp.Domain((0, 0, 4, 2), crs="EPSG:5070"), (2, 4)),))
    groups = grouped(geodp.Categories("kind", range(many)))
    tally = group_tally.GroupedPlan(plan, groups).tally()
    random = np.random.default_rng(many)
    x, y = random.uniform(-0.5, 4.5, 5000), random.uniform(0, 2, 5000)
    group = random.integers(-1, many, 5000).astype(np.int16)
    tally.add(x, y, group)
    for number in (0, 1, many // 2, many - 2, many - 1):
        in_group = group == number
        expected, _, _ = np.histogram2d(
            y[in_group], x[in_group], bins=(2, 4), range=((0, 2), (0, 4))
        )
        np.testing.assert_array_equal(tally.groups[number].counts(0), expected[::-1])


def test_longer_floats_are_rounded_before_they_are_told_apart():
    seven = np.nextafter(np.longdouble(7), np.longdouble(0))
    assert (
        placed(np.array([seven]), categories=[7]) == placed([float(seven)], categories=[7]) == [0]
    )
