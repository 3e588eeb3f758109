"""Records that carry units: tallies, kernel and choice move by no more than a person may add up to.

Brute force over neighbours: a person more, less, or replaced by another, with records in several
places, groups and parts. All sums are exact.
"""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE

import geodp
from geodp.core.common.sums import unit_sums
from geodp.core.counts.count import count
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.group_tally import GroupedPlan
from geodp.core.counts.unit_tally import FramePlan, UnitTally
from geodp.core.kernel.kernel import Kernel
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms.selection import choice_odds
from geodp.core.mechanisms.shares import Shares
from geodp.core.mechanisms.tuners import E2EPriv, Influence
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.quantity import SHARES, Quantity
from geodp.core.publish.bands import release_image
from geodp.core.publish.views import VIEWS
from geodp.core.records.arrays import array_source
from geodp.core.records.divisions import grouped
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), PLANE)
FRAME = Frame(DOMAIN, (2, 2), 2)
GRIDS = (Grid(DOMAIN, (2, 2)), Grid(DOMAIN, (3, 5)))
BOXES = Workload.from_boxes([(0, 0, 3, 3), (1, 2, 8, 5)], DOMAIN)
KINDS = geodp.Categories("kind", ["a", "b"])

ENDS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.999, 4.0, 7.5, 8.0, 8.5])
RECORDS = st.lists(st.tuples(ENDS, ENDS, st.sampled_from("abc")), max_size=40)
PEOPLE = st.sampled_from([geodp.Person("who"), *(geodp.Person("who", k) for k in (1, 2, 5, 20))])


def table(others, records):
    """Return columns of records, each of the others a person of their own."""
    rows = [*others, *records]
    who = [f"p{number}" for number in range(len(others))] + ["newcomer"] * len(records)
    x, y, kind = ([row[place] for row in rows] for place in range(3))
    return {"x": np.array(x), "y": np.array(y), "kind": kind, "who": who}


def sums(plan, protect, points):
    """Return true sums of units in all cells and groups of a plan."""
    tally = count(array_source(points), plan, protect, RandomBits())
    listed = []
    for group in tally.groups:
        if isinstance(group, UnitTally):
            listed += [group.node_counts(np.arange(FRAME.cells), FRAME.depth)]
        else:
            listed += [group.counts(number).ravel() for number in range(len(GRIDS))]
    return listed


@examples(120)
@given(RECORDS, RECORDS, RECORDS, PEOPLE, st.booleans(), st.booleans())
def test_a_person_moves_sums_by_what_a_person_may_add_up_to(
    others, records, instead, protect, tree, groups
):
    plan = FramePlan(FRAME, SHARES) if tree else Plan(GRIDS, BOXES)
    if groups:
        plan = GroupedPlan(plan, grouped(KINDS))
    without, more, replaced = (
        sums(plan, protect, table(others, each)) for each in ([], records, instead)
    )
    # On grids every candidate is a partition of its own; groups add up.
    partitions = 1 if tree else len(GRIDS)
    reach = SHARES * protect.unit.distance
    for number in range(partitions):
        apart = [
            sum(int(np.abs(a - b).sum()) for a, b in zip(one[number::partitions],
                                                         other[number::partitions]))
            for one, other in ((more, without), (replaced, without), (more, replaced))
        ]  # fmt: skip
        assert apart[0] <= reach
        assert apart[1] <= reach
        assert apart[2] <= 2 * reach
        inside = [r for r in records if r[0] <= 8 and r[1] <= 8 and (not groups or r[2] != "c")]
        assert apart[0] == SHARES * min(len(inside), protect.contribution.most)


@examples(60)
@given(RECORDS, st.lists(st.tuples(ENDS, ENDS, st.just("a")), min_size=1, max_size=30), PEOPLE,
       st.sampled_from([Influence(), E2EPriv(), E2EPriv("absolute")]))  # fmt: skip
def test_a_person_moves_qualities_by_what_a_person_may_add_up_to(others, records, protect, tuner):
    plan = Plan(GRIDS, BOXES)
    overlaps = [BOXES.overlap(grid) for grid in GRIDS]
    scores = []
    for each in ([], records):
        tally = count(array_source(table(others, each)), plan, protect, RandomBits())
        scores.append(tuner.qualities(tally, overlaps, Fraction(1, SHARES), Fraction(SHARES)))
    reach = SHARES * protect.unit.distance
    assert all(abs(a - b) <= reach for a, b in zip(*scores))


@pytest.mark.parametrize("tuner", [Influence(), E2EPriv("absolute")])
def test_odds_of_a_choice_do_not_depend_on_the_units(tuner):
    """One record each: the same dataset in units has the same odds, but for steps of the noise."""
    x, y = np.random.default_rng(4).uniform(0, 8, (2, 500))
    who = np.arange(500)
    plan = Plan(GRIDS, BOXES)
    plain = count(array_source((x, y)), plan, geodp.Record(), RandomBits())
    people = {"x": x, "y": y, "who": who}
    shares = count(array_source(people), plan, geodp.Person("who"), RandomBits())
    tenth = Fraction(1, 10)
    odds = [
        choice_odds(tuner, tally, Shares(Fraction(0), tenth, tenth, units=units))
        for tally, units in ((plain, 1), (shares, SHARES))
    ]
    assert [float(p) for p in odds[0]] == pytest.approx([float(p) for p in odds[1]], rel=1e-3)


@examples(100)
@given(
    st.lists(st.tuples(ENDS, ENDS, st.integers(0, 2**40)), max_size=60),
    st.integers(0, 60),
)
def test_tallies_in_units_add_up_however_points_come(points, cut):
    x, y = (np.array([p[i] for p in points], dtype=float) for i in range(2))
    units = np.array([p[2] for p in points], dtype=np.int64)
    at_once, first, second = (UnitTally(FRAME) for _ in range(3))
    at_once.add(x, y, units)
    first.add(x[:cut], y[:cut], units[:cut])
    second.add(x[cut:], y[cut:], units[cut:])
    both = pickle.loads(pickle.dumps(first)) + second
    cells = np.arange(FRAME.cells)
    expected = unit_sums(*_located(x, y, units), FRAME.cells)
    for tally in (at_once, both):
        assert np.array_equal(tally.node_counts(cells, FRAME.depth), expected)
        assert tally.total == expected.sum()
        assert tally.node_counts(np.zeros(1, dtype=int), 0).tolist() == [expected.sum()]


def _located(x, y, units):
    codes, inside = FRAME.located(x, y)
    return codes, units if inside is None else units[inside]


def test_noise_is_in_units_and_counts_are_not():
    tally = UnitTally(FRAME)
    tally.add(np.ones(5), np.ones(5), np.full(5, SHARES // 5))
    kernel = Kernel(
        tally,
        epsilon=2,
        unit=geodp.Unit("person", None),
        bits=RandomBits(seed=1),
        quantity=Quantity("people", SHARES),
    )
    one = np.zeros(1, dtype=np.int64)
    values, scale = kernel.measure(kernel.domain, one, Fraction(1), "total")
    assert scale == SHARES
    assert kernel.spends[0].sensitivity == 1
    measurements = Measurements(one, values[0], None, [scale], units=SHARES)
    assert measurements.counts == pytest.approx(values[0] / SHARES)
    assert measurements.count_scales == (Fraction(1),)
    assert measurements.variances()[0] == pytest.approx(2, rel=1e-6)
    assert Measurements.from_text(measurements.to_text()).with_units(SHARES) == measurements


@pytest.mark.parametrize("cells", ["adaptive", "regular"])
@pytest.mark.parametrize("by", [None, KINDS])
def test_a_release_of_people_is_written_and_read_again(tmp_path, cells, by):
    rng = np.random.default_rng(5)
    x, y = rng.uniform(0, 8, (2, 900))
    points = {"x": x, "y": y, "who": np.arange(900) % 300, "kind": ["a", "b", "c"] * 300}
    options = {"epsilon": 5, "by": by, "protect": geodp.Person("who"), "force": True}
    release = geodp.release(points, DOMAIN, cells=cells, **options)
    assert geodp.verify(release).holds
    assert release.method.quantity == Quantity("people", SHARES)
    path = tmp_path / "people.gpkg"
    release.to_vector(path)
    again = geodp.open_release(path)
    assert again.method == release.method
    assert geodp.verify(path).recomputed == geodp.verify(release).recomputed
    assert again.describe().as_dict() == release.describe().as_dict()
    assert "people" in again.legend.words
    for one, other in zip(release.maps.values(), again.maps.values()):
        assert one.measurements == other.measurements
        assert np.array_equal(one.counts, other.counts)


def test_a_ledger_tells_people_who_are_one_from_people_of_some_records(tmp_path):
    ledger = geodp.Ledger(tmp_path / "ledger")
    ledger.register("visits", cap=10)
    points = {"x": np.array([1.0]), "y": np.array([1.0]), "who": ["ann"]}
    options = {"epsilon": 1, "account": ledger["visits"], "force": True}
    geodp.release(points, DOMAIN, protect=geodp.Person("who"), **options)
    geodp.release(points, DOMAIN, protect=geodp.Person("who"), **options)
    assert ledger["visits"].spent == 2
    assert ledger["visits"].unit == geodp.Unit("person", None, field="who")
    with pytest.raises(geodp.InputError, match="one person, spread over their records"):
        geodp.release(points, DOMAIN, protect=geodp.Person("who", 1), **options)


@pytest.mark.parametrize("units", [0, -1, 1.5, True, "7", 1 << 60])
def test_units_are_whole_numbers(units):
    with pytest.raises(geodp.InputError, match="whole number"):
        Quantity("people", units)
    with pytest.raises(geodp.InputError, match="records, people or visitors"):
        Quantity("households")


@pytest.mark.parametrize("view", sorted(VIEWS))
def test_rasters_of_people_speak_of_people(view):
    points = {"x": np.array([1.0, 2.0]), "y": np.array([3.0, 4.0]), "who": ["a", "a"]}
    town = geodp.Domain((0, 0, 8000, 8000), PLANE)
    for cells in ("adaptive", geodp.Regular(sizes=[2])):
        release = geodp.release(points, town, epsilon=1, cells=cells, protect=geodp.Person("who"))
        bands = release_image(release, view).bands
        assert bands[0].unit.startswith("people")
        assert not any("record" in band.description + band.unit for band in bands)
