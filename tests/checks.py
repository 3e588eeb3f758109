"""Checks that a planted fault must fail: small, exact where possible, and true of sound code.

Each returns True if all is well. The properties of tests/core and the statistics of tests/privacy
say the same at more length; here is what shows a fault in the least time.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from score_steps import influence_score
from strategies import PLANE, square

import geodp
from geodp.audit import audit, cases
from geodp.audit.combinations import Combination
from geodp.audit.pairs import Attack
from geodp.audit.releases import audit_releases
from geodp.core.cells import partitions
from geodp.core.cells.district_cells import DistrictCells
from geodp.core.cells.partitions import GridPartition, PolygonPartition
from geodp.core.common.errors import UNFINISHED
from geodp.core.counts import group_tally, streams
from geodp.core.counts.amount_tally import AmountPlan
from geodp.core.counts.cell_tally import DistrictPlan
from geodp.core.counts.choice_tally import ChoicePlan
from geodp.core.counts.count import count
from geodp.core.counts.district_tree_tally import DistrictTreePlan, DistrictTreeTally
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.counts.unit_tally import FramePlan
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.districts import DistrictMap
from geodp.core.kernel import kernel as kernels
from geodp.core.kernel.kernel import Kernel, Overspent
from geodp.core.mechanisms import scores
from geodp.core.mechanisms.tuners import E2EPriv, Influence
from geodp.core.privacy import noise, noise_tables
from geodp.core.privacy.composition import composed
from geodp.core.privacy.noise import RandomBits, laplace_variance
from geodp.core.privacy.quantity import SHARES, Contribution, Quantity
from geodp.core.records import contribution
from geodp.core.records.arrays import array_source
from geodp.core.records.contribution import BoundedRecords
from geodp.core.records.divisions import grouped
from geodp.core.records.ids import Ids
from geodp.core.records.places import PlacedRecords
from geodp.core.regions import overlap as overlaps
from geodp.core.regions.overlap import Overlap
from geodp.core.regions.polygons import PolygonOverlap, Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid
from geodp.core.space.levels import Levels
from geodp.core.space.support import LARGEST, Support
from geodp.sources import dask, parquet

Check = Callable[[Attack], bool]

SCALE = Fraction(10, 9)


def audited(case: str, measure: str) -> Check:
    """The exact audit of one case finds nothing wrong with one measure."""

    def check(release: Attack) -> bool:
        attacked = [one for one in cases() if one.name == case]
        checked = audit(attacked=attacked, runs=0, release=release)
        concerned = [f for f in checked if f.measure == measure]
        assert concerned, f"the audit has no measure {measure!r} in the case {case!r}"
        return all(finding.passed for finding in concerned)

    check.__name__ = f"audit, {measure}: {case}"
    return check


def released(measure: str, repeats: int = 2, **asked: Any) -> Check:
    """Real releases of a combination hold, with respect to one measure."""
    usual = {
        "cells": "grid", "unit": "record", "neighbours": "add-remove", "groups": 0,
        "noise": "geodp", "within": False, "crowd": "nobody", "epsilon": Fraction(1),
    }  # fmt: skip
    row = Combination(**{**usual, **asked})

    def check(release: Attack) -> bool:
        checked = audit_releases([row], release, repeats=repeats)
        concerned = [f for f in checked if f.measure == measure]
        assert concerned, f"the audit has no measure {measure!r} for {row}"
        return all(finding.passed for finding in concerned)

    case = ", ".join(str(value) if name != "groups" else f"{value} groups"
                     for name, value in asked.items())  # fmt: skip
    check.__name__ = f"real releases, {measure}: {case}"
    return check


def sampled(measure: str, part: Callable[..., Any], words: str) -> Check:
    """The sampler holds by itself, with respect to one measure."""

    def check(release: Attack) -> bool:
        del release
        noise_tables.noise_table.cache_clear()  # faults may have been planted since one was made
        concerned = [f for f in part() if f.measure == measure]
        assert concerned, f"the audit of the sampler has no measure {measure!r}"
        return all(finding.passed for finding in concerned)

    check.__name__ = f"sampler, {measure}: {words}"
    return check


# --- noise and coins --------------------------------------------------------------------------


def pooled_p(observed: np.ndarray, expected: np.ndarray) -> float:
    """Chi-squared p-value with rare outcomes put together."""
    from scipy import stats

    rare = expected < 20
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    keep = expected > 0
    return float(stats.chisquare(observed[keep], expected[keep], sum_check=False).pvalue)


def laplace_fit(sample: np.ndarray, rate: float) -> float:
    """p-value of a chi-squared test against discrete Laplace probabilities."""
    reach = int(np.ceil(6 / rate)) + 1
    values = np.arange(-reach, reach + 1)
    share = np.tanh(rate / 2) * np.exp(-rate * np.abs(values))
    expected = np.append(share, 1 - share.sum()) * len(sample)
    inside = np.abs(sample) <= reach
    observed = np.bincount(sample[inside] + reach, minlength=len(values))
    observed = np.append(observed, len(sample) - inside.sum())
    return pooled_p(observed, expected)


def draws_fit_discrete_laplace(_: Attack) -> bool:
    sample = RandomBits(seed=2024).discrete_laplace(SCALE, 50_000)
    return laplace_fit(sample, float(1 / SCALE)) > 1e-9


# --- the kernel -------------------------------------------------------------------------------


def empty_kernel(epsilon: int = 1) -> Kernel:
    tally = BaseTally(Frame(square(8.0), (2, 2), 2))
    return Kernel(tally, epsilon=epsilon, unit=geodp.Unit("record"), bits=RandomBits(1))


def refused(work: Callable[..., Any], *arguments: Any) -> bool:
    try:
        work(*arguments)
    except Overspent:
        return True
    return False


def nothing_is_spent_twice(_: Attack) -> bool:
    """A node has nothing left that it spent, or that it handed down."""
    one = np.zeros(1, dtype=np.int64)
    spent, split = empty_kernel(), empty_kernel()
    spent.measure(spent.domain, one, Fraction(1, 2), "half")
    spent.measure(spent.domain, one, Fraction(1, 2), "other half")
    split.split(split.domain, one)
    return refused(spent.measure, spent.domain, one, Fraction(1, 10**9), "more") and refused(
        split.measure, split.domain, one, Fraction(1, 10**9), "more"
    )


def not_a_hair_more_than_is_left_is_spent(_: Attack) -> bool:
    one, kernel, hair = np.zeros(1, dtype=np.int64), empty_kernel(), Fraction(1, 10**40)
    return refused(kernel.measure, kernel.domain, one, 1 + hair, "more")


def noise_is_as_large_as_its_share_asks_for(_: Attack) -> bool:
    """However many records or units neighbours differ in."""
    one = np.zeros(1, dtype=np.int64)
    for most, units in product((1, 5, 99, 100, 1000, 10**5), (1, 2, SHARES)):
        unit = geodp.Unit("person", most, "replace")
        tally, given = BaseTally(Frame(square(8.0), (2, 2), 2)), {"unit": unit, "epsilon": 3}
        kernel = Kernel(tally, bits=RandomBits(1), quantity=Quantity(units=units), **given)
        for share in (Fraction(2), Fraction(1, 3), Fraction(123_457, 10**6 + 3)):
            measured = kernel.measure(kernel.domain, one, share, f"{share}")
            if not 2 * most * units <= measured.scale * share < 1.001 * 2 * most * units:
                return False
    return True


class Drawn:
    """A choice that writes down the budget that it is drawn with."""

    sensitivity = Fraction(1)

    def qualities(self, *_: Any) -> list[Fraction]:
        return [Fraction(0)]

    def draw(self, _: Any, rate: Fraction, __: Any) -> int:
        self.rate = rate
        return 0


def a_choice_among_units_has_the_budget_of_one(_: Attack) -> bool:
    tally, unit = BaseTally(Frame(square(8.0), (2, 2), 2)), geodp.Unit("person", 5)
    people = Quantity("people", SHARES)
    kernel = Kernel(tally, epsilon=1, unit=unit, bits=RandomBits(1), quantity=people)
    choice = Drawn()
    kernel.choose(choice, Fraction(1, 2), "tuning", "drawn")
    return choice.rate == Fraction(1, 2 * 5 * SHARES)


def a_transcript_tells_nothing_of_the_counts(_: Attack) -> bool:
    """Of none, one and three records: the same words, shares and amounts that are left."""
    transcripts = set()
    for many in (0, 1, 3):
        tally = BaseTally(Frame(square(8.0), (2, 2), 2))
        tally.add(np.ones(many), np.ones(many))
        kernel = Kernel(tally, epsilon=1, unit=geodp.Unit("record"), bits=RandomBits(1))
        one = np.zeros(1, dtype=np.int64)
        kernel.measure(kernel.domain, one, Fraction(1, 2), "total")
        nodes = kernel.split(kernel.domain, one)
        kernel.measure(nodes, np.arange(len(nodes)), Fraction(1, 2), "root")
        transcripts.add(repr((kernel.spends, kernel.amounts, nodes.codes, nodes.rest)))
    return len(transcripts) == 1


class _Recorder(logging.Handler):
    """Progress, and a log: both remember what they hear."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Any] = []

    def __call__(self, step: str) -> None:
        self.heard.append(step)

    def advance(self, *numbers: int) -> None:
        self.heard.append(numbers)

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


def nothing_told_on_the_way_depends_on_the_records(attack: Attack) -> bool:
    heard, log = set(), logging.getLogger("geodp")
    level = log.level
    for many in (0, 1, 50):
        recorder = _Recorder()
        log.addHandler(recorder)
        log.setLevel(1)
        try:
            attack((np.ones(many), np.ones(many)), DOMAIN, epsilon=1, force=True, progress=recorder)
        finally:
            log.removeHandler(recorder)
            log.setLevel(level)
        heard.add(repr(recorder.heard))
    return len(heard) == 1


def one_epsilon_is_booked_in_every_way(attack: Attack) -> bool:
    import ways  # needs more than NumPy, which is all that tests of the core have

    for way in ways.WAYS:
        with tempfile.TemporaryDirectory() as folder:
            ledger = geodp.Ledger(Path(folder) / "ledger")
            ledger.register("d", cap=10)
            published = ways.released(way, attack, epsilon=Fraction(3, 7), account=ledger["d"])
            if not ledger["d"].spent == published.epsilon == Fraction(3, 7):
                return False
    return True


def nothing_private_is_left_behind(attack: Attack) -> bool:
    from ways import left_behind

    return not any(left_behind(way, attack) for way in ("adaptive", "chosen grid", "amounts"))


def odd_values_move_no_count_but_their_own(_: Attack) -> bool:
    """Amounts and groups of lists and of Arrow's columns, each with one odd value more."""
    from odd import NAMES, NUMBERS, SAID, Angry

    zone, angry = "9999-12-31T23:59:59-14:00", Angry()
    cases: list[tuple[str, Any, Any]] = [
        *((way, SAID[way][0], angry) for way in ("times", "clocks", "amounts", "breaks")),
        *((way, SAID[way][0], zone) for way in ("times", "weekdays", "categories")),
    ]
    views = [("amounts", [f"{number:g}" for number in NUMBERS], "x")]
    views += [(way, SAID[way][0], "x") for way in ("times", "categories")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for way, said, odd in cases:
                _moves_own_count(way, said, odd, lambda table: (table, NAMES))
            for way, said, odd in views:
                _moves_own_count(way, said, odd, in_views)
        except (AssertionError, Warning, geodp.GeodpError):
            return False
    return True


def _moves_own_count(way: str, said: list[Any], odd: Any, source: Any) -> None:
    from odd import CELLS, SAID, added_up, moves_own_counts, saying

    how = SAID[way][1]
    before = added_up(source(saying(said)), how)
    moves_own_counts(before, added_up(source(saying(said, (*CELLS[0], odd))), how), 1)


def in_views(table: dict[str, Any]) -> Any:
    """Return a table of pandas whose last column is of text in Arrow's views."""
    import pandas as pd
    import pyarrow
    from samples import TABLE

    said = pyarrow.array(table["said"]).cast(pyarrow.string_view())
    return pd.DataFrame({**table, "said": pd.arrays.ArrowExtensionArray(said)}), TABLE


def nodes_are_named_once(_: Attack) -> bool:
    kernel = empty_kernel()
    nodes = kernel.split(kernel.domain, np.zeros(1, dtype=np.int64))
    listed = map(np.array, ([0, 0], [1, 0], [-1], [4], [[0]], [0.0]))
    masked = np.ma.array([0, 1, 0, 2], mask=[0, 0, 1, 0])  # rises, where it is not masked
    return all(
        refused(kernel.measure, nodes, which, Fraction(1, 2), "nodes")
        and refused(kernel.split, nodes, which)
        for which in (*listed, masked)
    )


def a_kernel_answers_threads_in_turn(_: Attack) -> bool:
    """Of threads that each ask for all of a node's budget at the same time, one gets it."""
    interval, one = sys.getswitchinterval(), np.zeros(1, dtype=np.int64)
    sys.setswitchinterval(1e-7)
    try:
        for _round in range(200):
            kernel, answers, start = empty_kernel(), [], threading.Barrier(4)

            def ask(kernel: Kernel, answers: list[Any], start: threading.Barrier) -> None:
                start.wait()
                with suppress(Overspent):
                    answers.append(kernel.measure(kernel.domain, one, Fraction(1), "all"))

            asking = [threading.Thread(target=ask, args=(kernel, answers, start)) for _ in range(4)]
            for thread in asking:
                thread.start()
            for thread in asking:
                thread.join()
            if len(answers) != 1:
                return False
    finally:
        sys.setswitchinterval(interval)
    return True


def cells_are_measured_once(_: Attack) -> bool:
    """Cells that would have one of them measured twice for one share are refused."""
    domain = square(8.0)
    tally = Tally(Plan((Grid(domain, (2, 2)),)))
    kernel = Kernel(tally, epsilon=1, unit=geodp.Unit("record"), bits=RandomBits(1))

    class Twice(Grid):
        supported = np.zeros((2, 2), dtype=np.int64)  # the first row, for each of four

    return refused(kernel.measure_cells, Twice(domain, (2, 2)), Fraction(1), "counts")


def what_is_spent_is_booked(attack: Attack) -> bool:
    """The account, the release and its tags state one ε, whatever is protected."""
    points = {"x": [1.0] * 3, "y": [1.0] * 3, "who": [1, 1, 2]}
    for protect, epsilon in (
        (geodp.Record(), Fraction(3, 7)),
        (geodp.Person("who", 5), Fraction(10**15 + 7, 3 * 10**15)),
        (geodp.Person("who", 2, "replace"), Fraction(3, 7)),
    ):
        with tempfile.TemporaryDirectory() as folder:
            ledger = geodp.Ledger(Path(folder) / "ledger")
            ledger.register("d", cap=10)
            account = ledger["d"]
            grids = geodp.candidate_grids(square(8.0), [2, 4])
            given = {
                "cells": geodp.Regular(grids),
                "protect": protect,
                "account": account,
                "force": True,
            }
            published = attack(points, epsilon=epsilon, **given)
            if not account.spent == published.epsilon == epsilon:
                return False
    return True


def noise_of_a_release_fits(attack: Attack) -> bool:
    """Real noise has the scale that follows from ε, for large scales and counts too."""
    x, y = (each.ravel() for each in np.meshgrid(*[np.arange(32) + 0.5] * 2))
    grids, every = [Grid(square(32.0), (32, 32))], np.arange(32 * 32)
    for epsilon, crowd in ((Fraction(1), 0), (Fraction(1), 32_768), (Fraction(1, 2000), 0)):
        sample = []
        for _ in range(3):
            points = (np.repeat(x, crowd), np.repeat(y, crowd))
            published = attack(points, cells=geodp.Regular(grids), epsilon=epsilon, force=True)
            sample.append(np.asarray(published.counts).ravel()[every] - crowd)
        if laplace_fit_by_quantiles(np.concatenate(sample), 1 / epsilon) < 1e-9:
            return False
    return True


def laplace_fit_by_quantiles(sample: np.ndarray, scale: Fraction) -> float:
    """p-value of a chi-squared test in twenty classes of like odds."""
    sizes = np.abs(sample)
    cuts = np.unique(np.ceil(-np.log1p(-np.arange(1, 20) / 20) * float(scale))).astype(np.int64)
    ratio = np.exp(-1 / float(scale))
    above = 2 * ratio**cuts / (1 + ratio)  # P(|Y| >= cut)
    odds = -np.diff(np.concatenate([[1.0], above, [0.0]]))
    seen = np.bincount(np.searchsorted(cuts, sizes, side="right"), minlength=len(odds))
    return pooled_p(seen, odds * len(sample))


def bits_are_those_of_the_system(attack: Attack) -> bool:
    """No release draws noise from anywhere else, in any group."""
    points = {"x": [1.0], "y": [1.0], "kind": ["a"]}
    given = {"domain": square(8.0), "epsilon": 1, "by": geodp.Categories("kind", list("abcdef"))}
    try:
        attack(points, cells="adaptive", force=True, **given)
    except geodp.GeodpError:
        return False
    return True


def no_scale_becomes_smaller(_: Attack) -> bool:
    awkward = [1 / Fraction(text) for text in ("0.33333333333333331", "2.302585092994046", "0.1")]
    return all(noise.practical_scale(scale) >= scale for scale in awkward)


class _Ticket:
    """A uniform whole number that is drawn only as far as a comparison needs."""

    def __init__(self, flips: _Flips, bound: int) -> None:
        self.flips, self.bound = flips, bound

    def __lt__(self, limit: int) -> bool:
        return self.flips.below_limit(Fraction(limit, self.bound))


class _Flips(RandomBits):
    """Follows one course of comparisons and knows how likely it was."""

    def __init__(self, course: list[bool]) -> None:
        super().__init__()
        self.course, self.taken, self.chance = course, 0, Fraction(1)

    def below(self, bound: int) -> Any:
        return _Ticket(self, bound)

    def below_limit(self, chance: Fraction) -> bool:
        if chance in (0, 1):
            return bool(chance)
        if self.taken == 44:
            raise StopIteration  # what is left is too rare to be seen in 25 digits
        if self.taken == len(self.course):
            self.course.append(True)
        way = self.course[self.taken]
        self.taken += 1
        self.chance *= chance if way else 1 - chance
        return way


def coin_odds(gamma: Fraction) -> Fraction:
    """Odds of heads, from every course that the tosses behind one coin can take."""
    heads, course = Fraction(0), []
    while True:
        bits = _Flips(course)
        with suppress(StopIteration):
            heads += bits.chance if bits.coin(gamma) else 0
        course = course[: bits.taken]
        while course and not course[-1]:
            course.pop()
        if not course:
            return heads
        course[-1] = False


def coin_is_exact(_: Attack) -> bool:
    """The odds of heads are exp(-γ) to 25 digits."""
    with localcontext() as context:
        context.prec = 40
        for gamma in (Fraction(1, 3), Fraction(2, 7), Fraction(1), Fraction(7, 5)):
            odds = coin_odds(gamma)
            true = (-Decimal(gamma.numerator) / gamma.denominator).exp()
            if abs(Decimal(odds.numerator) / odds.denominator - true) > Decimal("1e-25"):
                return False
    return True


def coins_are_tossed_on(_: Attack) -> bool:
    """After however many heads in a row, of which no sample has as many."""
    return all(bool(_Row(heads).coins(1, 2, 1)[0]) == (heads % 2 == 0) for heads in range(40))


class _Row(RandomBits):
    """Heads so many times, and then none."""

    def __init__(self, heads: int) -> None:
        super().__init__(0)
        self.heads = heads

    def _words(self, bound: int, count: int) -> Any:
        self.heads -= 1
        each = ((1 << 31) - 1) // bound
        return np.full(count, 0 if self.heads >= 0 else each, dtype=np.uint32), each


class Bytes(RandomBits):
    """Bits that are not random: one byte first, then zeros."""

    def __init__(self, byte: int) -> None:
        super().__init__(0)
        self.calls = 0

        def same(count: int) -> bytes:
            self.calls += 1
            return (bytes([byte]) if self.calls == 1 else b"\0") * count

        self._bytes = same


def words_behind_the_last_ticket_are_drawn_again(_: Attack) -> bool:
    for bound in (3, 10, 2**24 + 5):
        bits = Bytes(0xFF)  # the largest word belongs to no ticket
        if bits._tickets(bound, 1).tolist() != [0] or bits.calls != 2:
            return False
    return True


class Dealt(RandomBits):
    """Bits from a list of bytes, which must be taken in just these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        super().__init__(0)
        left = list(pieces)

        def deal(count: int) -> bytes:
            piece = left.pop(0)
            assert len(piece) == count
            return piece

        self._bytes, self.left = deal, left


def tabled_geometric(rate: Fraction, place: int, bits: int) -> int:
    """The number that a table makes of a U that begins with these bits, 64 or 128 of them."""
    high, low = divmod(place << 128 - bits, 1 << 64)
    first, more = high >> 48, (high & (1 << 48) - 1) << 16
    pieces = [first.to_bytes(2, "little"), more.to_bytes(8, "little"), _for_below(low)]
    # The table as it is made now: faults may have been planted since another one was.
    return int(Dealt(*pieces)._looked_up(noise_tables.noise_table.__wrapped__(rate), 1)[0])


def no_two_numbers_share_a_bit(_: Attack) -> bool:
    """However many are drawn at once: their signs, and what lies beyond a table."""
    raw = np.random.default_rng(1).bytes(50_000)
    tails, others, last = (np.array(each, dtype="<u2").tobytes() for each in _TAILS)
    try:
        signs = Dealt(raw)._signs(8 * len(raw))
        numbers = Dealt(tails, others, last)._looked_up(noise_tables.noise_table(Fraction(1)), 3)
    except (AssertionError, IndexError):  # other bits were asked for
        return False
    expected = np.unpackbits(np.frombuffer(raw, dtype=np.uint8)).view(np.bool_)
    return np.array_equal(signs, expected) and numbers.tolist() == [12, 8, 16]


_TAILS = [0, 0, 0], [1000, 65_535, 0], [65_535]
"""First bits below all eight cuts of the rate 1, and between the fourth and the fifth."""


def _for_below(low: int) -> bytes:
    """Bytes from which a uniform number below 2**64 becomes this one."""
    return low.to_bytes(8 * 2 + 1, "little")


def ends_of_noise_tables_are_exact(_: Attack) -> bool:
    """On either side of exp(-rate k), by 2**-128, U gives k and k - 1."""
    rate = Fraction(1, 3)
    with localcontext() as context:
        context.prec = 80
        for k in (1, 2, 9, 20):
            cut = int((-Decimal(k) / 3).exp() * 2**128)
            if [tabled_geometric(rate, cut + step, 128) for step in (-1, 1)] != [k, k - 1]:
                return False
    return True


# --- cells, regions and scores ----------------------------------------------------------------


def tally_points(plan: Plan, x: Sequence[float], y: Sequence[float]) -> Tally:
    tally = Tally(plan)
    tally.add(np.asarray(x, float), np.asarray(y, float))
    return tally


def influence_scores(tally: Tally, overlaps: Sequence[Overlap]) -> list[Fraction]:
    weights, variance = tally.plan.workload.weights, laplace_variance(SCALE)
    result = []
    for overlap, sums in zip(overlaps, tally.summed()):
        errors = scores.aggregation_errors(overlap.responses_of_sums(sums), tally.inside())
        result.append(influence_score(errors, overlap, weights, variance))
    return result


def worst_move(base: Tally, others: Sequence[Tally], overlaps: Sequence[Overlap]) -> float:
    """Largest step of an influence score, as a share of its stated sensitivity."""
    stated = [scores.influence_sensitivity(o, base.plan.workload.weights) for o in overlaps]
    before = influence_scores(base, overlaps)
    return max(
        float(abs(new - old) / allowed)
        for other in others
        for old, new, allowed in zip(before, influence_scores(other, overlaps), stated)
    )


def _edge_move(right: float, place: float) -> bool:
    """One region that ends near the middle line, and a crowd on one place near that line."""
    grid = Grid(square(2.0), (2, 2))
    workload = Workload.from_boxes([(0.0, 0.0, right, 1.0)], grid.domain)
    plan = Plan((grid,), workload)
    crowd = tally_points(plan, [place] * 9, [0.5] * 9)
    more = crowd + tally_points(plan, [place], [0.5])
    return worst_move(crowd, [more], [workload.overlap(grid)]) <= 1


def edges_one_ulp_inside_a_cell_bound_it(_: Attack) -> bool:
    """The overlap of such a cell rounds to 1; the count of a point behind the edge does not."""
    nearly = float(np.nextafter(1.0, 0.0))
    return _edge_move(nearly, nearly)


def edges_one_ulp_into_a_cell_bound_it(_: Attack) -> bool:
    """The region holds points on the line, which are in a cell that it hardly covers."""
    return _edge_move(float(np.nextafter(1.0, 2.0)), 1.0)


def touched_cells_of_polygons_bound(_: Attack) -> bool:
    grid = Grid(square(2.0), (2, 2))
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    overlap = PolygonOverlap(Polygons.from_rings([(0, False, ring)], 1), grid)
    return len({*zip(overlap.row.tolist(), overlap.column.tolist())}) == 4


def slivers_of_polygons_bound(_: Attack) -> bool:
    """A corner that reaches into a cell by less than the unit of overlaps, and a crowd in it."""
    grid = Grid(square(2.0), (2, 2))
    ring = np.array([[0.0, 0.0], [1.0 + 1e-9, 0.5], [0.0, 0.9]])
    workload = Workload.from_polygons(Polygons.from_rings([(0, False, ring)], 1), grid.domain)
    plan = Plan((grid,), workload)
    crowd = tally_points(plan, [1.0] * 9, [0.5] * 9)
    more = crowd + tally_points(plan, [1.0], [0.5])
    return worst_move(crowd, [more], [workload.overlap(grid)]) <= 1


def shares_of_large_sums_are_exact(_: Attack) -> bool:
    """Of sums of units that pass 64 bits once they are multiplied with shares."""
    shares = np.array([1, (1 << 24) - 1, 1 << 24])
    for units in (1, 1 << 40, 1 << 56, (1 << 62) + 1):
        sums = overlaps.share_sums(np.zeros(3, dtype=np.int64), shares, np.full(3, units), 1)
        if sums.tolist() != [int(shares.sum()) * units]:
            return False
    return True


def records_elsewhere_move_no_score(_: Attack) -> bool:
    """A region at sea, whose cells are not counted, and a crowd on it."""
    grid = Grid(_within([[1, 0]]), (1, 2))
    return _crowd_moves(grid, (1.5, 0.0, 2.0, 2.0), (1.6, 0.5))


def cells_of_hardly_any_weight_bound(_: Attack) -> bool:
    """A region that has next to nothing of a cell's weight, and a crowd on just that."""
    grid = Grid(_within([[LARGEST, 1]]), (1, 1))
    return _crowd_moves(grid, (1.9, 0.0, 2.0, 2.0), (1.95, 0.5))


def _within(weights: list[list[int]]) -> geodp.Domain:
    bounds = (0.0, 0.0, 2.0, 2.0)
    return geodp.Domain(bounds, PLANE, within=Support(bounds, weights))


def _crowd_moves(grid: Grid, box: tuple[float, ...], place: tuple[float, float]) -> bool:
    """One region, and a crowd at one place that grows by a record."""
    workload = Workload.from_boxes([box], grid.domain)
    plan = Plan((grid,), workload)
    x, y = place
    crowd = tally_points(plan, [x] * 9, [y] * 9)
    more = crowd + tally_points(plan, [x], [y])
    return worst_move(crowd, [more], [workload.overlap(grid)]) <= 1


def paper_scores_move_by_at_most_one(_: Attack) -> bool:
    """A bound that shrinks with |D| and a large δ, around the sizes where they move most."""
    grids = (Grid(square(2.0), (1, 1)),)
    workload = Workload.from_boxes([(0.0, 0.0, 1.0, 2.0)], grids[0].domain)
    plan, overlaps = Plan(grids, workload), [workload.overlap(grids[0])]
    tuner = E2EPriv(delta="0.9", n0=2)

    def quality(tally: Tally) -> Fraction:
        return tuner.qualities(tally, overlaps, Fraction(1, 2), SCALE * 1000)[0]

    for n in range(2, 12):
        for crowd in (0.0, 1.0):
            base = tally_points(plan, [crowd] * n, [1.0] * n)
            for place in (0.0, 1.0):
                more = base + tally_points(plan, [place], [1.0])
                if abs(quality(more) - quality(base)) > 1:
                    return False
    return True


# --- what is said -----------------------------------------------------------------------------

DOMAIN = geodp.Domain((0.0, 0.0, 8.0, 8.0), geodp.Crs("EPSG:5070"))


def amounts_move_both_layers_by_one(_: Attack) -> bool:
    """One record more, with an amount inside, at and far beyond the bounds; in groups as well."""
    amount = geodp.Amount("paid", -5, 5)
    for groups in (None, grouped(geodp.Categories("kind", ["a", "b", "c"]))):
        plan = AmountPlan(Plan((Grid(DOMAIN, (2, 2)),)), amount, groups)
        for paid in (-1e9, -5.0, 0.0, 1.23, 5.0, 6.0, 1e9):
            points = {"x": [0.5], "y": [0.5], "paid": [paid], "kind": ["b"]}
            tally = count(array_source(points), plan, geodp.Record(), RandomBits(), amount=amount)
            if sum(int(np.abs(layer.counts(0)).sum()) for layer in tally.groups) != amount.steps:
                return False
    return True


def totals_of_a_person_move_both_layers_by_one(_: Attack) -> bool:
    """One person more, whose records add up to little, to the bound and to far beyond."""
    amount = geodp.Amount("paid", 0, 10, per_person=True)
    person = geodp.Person("who")
    for groups in (None, grouped(geodp.Categories("kind", ["a", "b"]))):
        plan = AmountPlan(Plan((Grid(DOMAIN, (2, 2)),)), amount, groups)
        for paid in ([0.0], [3.0, 4.0], [10.0], [5.0, 5.0, 5.0], [9.0] * 40):
            n = len(paid)
            points = {"x": np.linspace(0, 8, n), "y": np.full(n, 0.5), "paid": paid}
            points |= {"who": ["ann"] * n, "kind": np.resize(["a", "b"], n)}
            tally = count(array_source(points), plan, person, RandomBits(), amount=amount)
            layers = [layer.counts(0) for layer in tally.groups]
            if sum(int(np.abs(layer).sum()) for layer in layers) != person.quantity.units:
                return False
    return True


def totals_of_any_size_make_one_person(_: Attack) -> bool:
    """Those of records that were dropped too, of which there may be more than anybody would try."""
    limit = Contribution(most=1, keep=64, cap=1 << 30)
    for dropped in (0, 1 << 20, 1 << 40, 1 << 60):
        code, steps = np.zeros(3, dtype=np.int64), np.array([0, 1, 1 << 30])
        parts = contribution.divided_totals(code, steps, np.array([dropped, 0, 0]), limit)
        if parts.min() < 0 or parts.sum() != limit.units:
            return False
    return True


def persons_of_many_records_are_one_each(_: Attack) -> bool:
    """Beyond numbers of 16 bits, and beyond a thousand records; with totals, too."""
    numbers = np.repeat(np.array([4_464, 70_000]), 600)
    mixed = np.random.default_rng(5).permutation(np.append(numbers, np.arange(70_001)))
    ids, zeros = Ids(tuple(map(str, range(70_001))), mixed), np.zeros(len(mixed))
    steps = np.full(len(mixed), 1 << 30)
    for limit in (Contribution(1, 7), Contribution(3, 12), Contribution(1, 7, cap=1 << 30)):
        kept = BoundedRecords(limit, RandomBits(1))
        kept.add(ids.index * 1.0, zeros, ids, steps if limit.cap else None)
        sums = np.zeros(70_001, dtype=np.int64)
        try:
            for x, *_, units in kept.blocks():
                if units.min() < 0:
                    return False
                np.add.at(sums, x.astype(np.int64), units if units.ndim == 1 else units.sum(1))
        except geodp.GeodpError:  # it stopped by itself
            return False
        if not np.array_equal(sums, np.minimum(np.bincount(mixed), limit.most) * limit.units):
            return False
    return True


def a_point_is_dealt_to_its_own_group(_: Attack) -> bool:
    """However many groups there are, and to none where it is in none."""
    for groups in (1, 2, 31, 255, 256, 257, 1000, 10_000):
        number = np.random.default_rng(groups).integers(-1, groups, 20_000).astype(np.int16)
        points = np.arange(len(number))
        dealt = [part for (part,) in group_tally.dealt(number, groups, points)]
        expected = [np.flatnonzero(number == group) for group in range(groups)]
        if len(dealt) != groups or not all(map(np.array_equal, map(np.sort, dealt), expected)):
            return False
    return True


def visitors_are_those_of_all_records(_: Attack) -> bool:
    """People who come to their second place late, after many records in the first."""
    plan, person = Plan((Grid(DOMAIN, (2, 2)),)), geodp.Person("who", visits=2)
    x = np.tile([1.0] * 9 + [7.0], 5)
    points = {"x": x, "y": np.ones(len(x)), "who": np.repeat(np.arange(5), 10)}
    tally = count(array_source(points), plan, person, RandomBits())
    return bool(np.array_equal(tally.on(plan.grids[0])[1], [5, 5]))


def counts_under_means_have_noise(release: Attack) -> bool:
    """Both layers of an amount are noisy, and so is their sum, which means are divided by."""
    points = {"x": [0.5] * 9, "y": [0.5] * 9, "paid": [3.0] * 9}
    amount = geodp.Amount("paid", 0, 10)
    one = geodp.Regular(Grid(DOMAIN, (1, 1)))
    options = {"cells": one, "epsilon": 1, "amount": amount, "force": True}
    releases = [release(points, **options) for _ in range(20)]
    sums = [sum(int(part.value[0]) for part in release.parts) for release in releases]
    return len(set(sums)) > 1 and all(
        len({int(release.parts[layer].value[0]) for release in releases}) > 1 for layer in (0, 1)
    )


def errors_say_nothing_of_the_points(release: Attack) -> bool:
    """Inputs that are refused, with one record more and less: the message is the same."""
    for spoilt in (
        lambda n: {"x": np.zeros(n), "y": np.zeros(n + 1)},
        lambda n: {"x": np.zeros((n, 2)), "y": np.zeros((n, 2))},
        lambda n: {"x": np.zeros(n, dtype="M8[s]"), "y": np.zeros(n)},
    ):
        messages = []
        for n in (7, 8):
            try:
                release(spoilt(n), cells=geodp.Regular(Grid(DOMAIN, (2, 2))), epsilon=1, force=True)
            except geodp.InputError as error:
                messages.append(str(error))
        if len(messages) != 2 or messages[0] != messages[1]:
            return False
    return True


def private_types_print_nothing(_: Attack) -> bool:
    for new in (Plan((Grid(DOMAIN, (2, 2)),)).tally, FramePlan(Frame(DOMAIN)).tally):
        tallies = [new() for _ in range(3)]
        for tally, n in zip(tallies, (0, 1, 50)):
            tally.add(np.ones(n), np.ones(n))
        if len(set(map(repr, tallies))) > 1:
            return False
    return True


# --- the ledger -------------------------------------------------------------------------------


def with_account(path: Path) -> dict[str, Any]:
    """Options of a release that book it to an account with a cap of 1."""
    ledger = geodp.Ledger(path)
    ledger.register("d", cap=1)
    return {"account": ledger["d"]}


class Crash(RandomBits):
    """The process ends at the first private random number."""

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        if count:
            raise KeyboardInterrupt
        return super().discrete_laplace(scale, count)


def a_crash_while_drawing_has_been_counted(release: Attack) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        account = with_account(Path(folder) / "ledger")
        one = ([1.0], [1.0])
        with suppress(KeyboardInterrupt):
            release(one, cells=geodp.Regular(Grid(DOMAIN, (2, 2))), epsilon="1/2", seed=Crash(),
                    force=True, **account)  # fmt: skip
        return geodp.Ledger(Path(folder) / "ledger")["d"].spent == Fraction(1, 2)


def one_remainder_is_spent_once(_: Attack) -> bool:
    """Two that ask for 0.6 of 1 at the same time: one gets it, and it is on record."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger"
        with_account(path)
        allowed, start = [], threading.Barrier(2)

        def spend() -> None:
            start.wait()
            try:
                geodp.Ledger(path)["d"].spend("3/5", geodp.Unit("record"), "one of two")
                allowed.append(True)
            except geodp.InputError:
                pass

        both = [threading.Thread(target=spend) for _ in range(2)]
        for one in both:
            one.start()
        for one in both:
            one.join()
        return len(allowed) == 1 and geodp.Ledger(path)["d"].spent == Fraction(3, 5)


def many_spends_add_up_to_no_less_than_they_cost(_: Attack) -> bool:
    """Two bits that are told with ε = 1 and 0.25: what is left above ε, by hand."""
    amounts, delta = (1.0, 0.25), 0.01
    epsilon = float(composed(amounts, delta))
    chances = [math.exp(amount) / (1 + math.exp(amount)) for amount in amounts]
    left = math.prod(chances) * max(0, 1 - math.exp(epsilon - sum(amounts)))
    left += chances[0] * (1 - chances[1]) * max(0, 1 - math.exp(epsilon - 0.75))
    return left <= delta


def a_cap_is_not_compared_as_a_float(_: Attack) -> bool:
    hair = Fraction(1, 10**40)
    with tempfile.TemporaryDirectory() as folder:
        account = with_account(Path(folder) / "ledger")["account"]
        account.spend(1 - hair, geodp.Unit("record"), "all but a hair")
        with suppress(geodp.InputError):
            account.spend(2 * hair, geodp.Unit("record"), "two hairs")
        return bool(account.spent <= 1)


def unusable_budgets_are_refused_before_they_are_spent(release: Attack) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        account = with_account(Path(folder) / "ledger")
        several = {"domain": DOMAIN, "cells": geodp.Regular(sizes=[2, 3])}
        tree = {"domain": DOMAIN, "cells": "adaptive"}
        for epsilon, cells in [("1e-8", several), ("1e-12", several), ("1e10", several),
                               ("1e-8", tree), ("1e10", tree)]:  # fmt: skip
            try:
                release(([1.0], [1.0]), epsilon=epsilon, force=True, **cells, **account)
                return False
            except geodp.InputError:
                pass
        return geodp.Ledger(Path(folder) / "ledger")["d"].spent == 0


def town_of_districts() -> geodp.Districts:
    """Two squares side by side, a triangle apart from them, and gaps."""
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    corner = np.array([[0.5, 1.5], [2.0, 1.2], [1.7, 2.0]])
    rings = [(0, False, unit), (1, False, unit + np.array([1.0, 0.0])), (2, False, corner)]
    names = ["west", "east", "north"]
    layer = DistrictMap.from_rings(rings, names)
    levels = Levels(["district"], [(name,) for name in names])
    domain = geodp.Domain(layer.bounds, PLANE)
    return geodp.Districts(DistrictCells(layer, domain, levels))


PLACES_IN_DISTRICTS = [
    (x, y)
    for x in (0.0, 0.25, 0.5, 1.0, float(np.nextafter(1, 0)), 1.5, 1.7, 2.0, 2.5)
    for y in (0.0, 0.5, 1.0, 1.2, 1.45, 1.5, 1.9, 2.0, -1.0)
]
"""Borders, corners, lines of boxes, gaps, and places outside."""


def moved_by_a_record(tally: DistrictTreeTally, place: tuple[float, float]) -> list[int]:
    """Compute by how much one more record moves the counts of all nodes, depth by depth."""
    frame = tally.frame
    other = DistrictTreeTally(frame)
    other += tally
    other.add([place[0]], [place[1]])
    moved = [abs(other.total - tally.total)]
    code, _ = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    for depth in range(1, frame.deepest + 1):
        both = (each.node_counts(code, depth) for each in (other, tally))
        moved.append(int(np.abs(np.subtract(*both)).sum()))
        code, _ = frame.child_codes(depth, code[frame.can_split(code)])
    return moved


def a_record_is_in_one_node_of_each_depth(release: Attack) -> bool:
    """Brute force over places, and ε along all paths of a release on the same districts."""
    districts = town_of_districts()
    frame = DistrictFrame(districts.cells.districts, districts.cells.domain, 2)
    tally = DistrictTreeTally(frame)
    tally.add(*np.array(PLACES_IN_DISTRICTS).T)
    if any(max(moved_by_a_record(tally, place)) > 1 for place in PLACES_IN_DISTRICTS):
        return False
    places = np.array(PLACES_IN_DISTRICTS * 20).T
    try:
        published = release(tuple(places), epsilon=3, cells=geodp.Adaptive(districts=districts))
    except geodp.GeodpError:
        return False  # the kernel refused, or the tally did
    return bool(geodp.verify(published).recomputed <= 3)


def a_record_is_in_one_unit_of_each_level(release: Attack) -> bool:
    """The same where two of the districts are in one larger unit."""
    plain = town_of_districts().cells
    paths = [("south", "west"), ("south", "east"), ("north", "north")]
    cells = DistrictCells(plain.districts, plain.domain, Levels(["state", "county"], paths))
    frame = DistrictFrame(cells.districts, cells.domain, 2, levels=cells.levels)
    tally = DistrictTreeTally(frame)
    tally.add(*np.array(PLACES_IN_DISTRICTS).T)
    districts = geodp.Adaptive(districts=geodp.Districts(cells))
    try:
        if any(max(moved_by_a_record(tally, place)) > 1 for place in PLACES_IN_DISTRICTS):
            return False
        published = release(tuple(np.array(PLACES_IN_DISTRICTS * 20).T), epsilon=3, cells=districts)
    except geodp.GeodpError:
        return False  # the kernel refused, or the tally did
    return bool(geodp.verify(published).recomputed <= 3)


def records_elsewhere_are_in_no_district(_: Attack) -> bool:
    """Brute force over places at a shore: what counts, and what a person may keep."""
    plain = town_of_districts().cells
    weights = [[0, 1, 0, 2], [1, 0, 3, 0]]
    cells = plain.on_support(Support(plain.domain.bounds, weights))
    frame = DistrictFrame(cells.districts, cells.domain, 3)
    for x, y in PLACES_IN_DISTRICTS:
        place = np.array([x]), np.array([y])
        known = int(plain.locate(*place)[0] >= 0)
        known *= weights[1 - min(max(int(y), 0), 1)][min(int(2 * x), 3)] > 0
        for plan in (DistrictPlan(cells), DistrictTreePlan(frame)):
            tally = plan.tally()
            tally.add(*place)
            if tally.total != known or plan.inside(*place)[0] != known:
                return False
    return True


def records_in_gaps_count_in_the_sensitivity(_: Attack) -> bool:
    """One record more, in a district or in a gap, moves the score by what is declared at most."""
    districts = town_of_districts().cells
    domain = geodp.Domain((0.0, 0.0, 2.0, 2.0), PLANE)
    partition = PolygonPartition(DistrictCells(districts.districts, domain, districts.levels))
    boxes = [(0.0, 0.0, 0.5, 0.5), *[(0.0, 1.05, 0.45, 1.95)] * 3]  # three in a gap
    regions = Workload.from_boxes(boxes, domain)
    return moves_as_declared(partition, regions, PLACES_IN_DISTRICTS)


def records_in_gaps_of_many_districts_count_in_the_sensitivity(_: Attack) -> bool:
    """The same for a hundred districts, between which there are hairlines."""
    square, hair = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) / 5, 1e-3
    corners = [(x / 5 + hair, y / 5 + hair) for x in range(10) for y in range(10)]
    rings = [
        (number, False, square * (1 - 10 * hair) + np.array(corner))
        for number, corner in enumerate(corners)
    ]
    names = [str(number) for number in range(len(rings))]
    levels = Levels(["district"], [(name,) for name in names])
    domain = geodp.Domain((0.0, 0.0, 2.0, 2.0), PLANE)
    cells = DistrictCells(DistrictMap.from_rings(rings, names), domain, levels)
    partition = PolygonPartition(cells)
    regions = Workload.from_boxes([(0.0, 0.0, 0.5, 0.5), (0.0, 0.0, 2.0, 2.0)], domain)
    return moves_as_declared(partition, regions, [(0.0, 0.0), (0.2005, 0.1), (0.1, 0.1), (1.9, 2)])


def records_in_cells_of_h3_count_in_the_sensitivity(_: Attack) -> bool:
    """One record more, anywhere in cells of each resolution, moves the score no further."""
    boxes = [(0.0, 0.0, 3.1, 8.0), (0.0, 0.0, 8.0, 5.2), (1.1, 1.0, 6.9, 7.0)]
    regions = Workload.from_boxes(boxes, DOMAIN)
    places = [(x, y) for x in np.linspace(0, 8, 17).tolist() for y in (0.0, 0.7, 3.3, 5.1, 8.0)]
    resolutions = map(PolygonPartition, geodp.H3([13, 14]).candidates(DOMAIN))
    return all(moves_as_declared(resolution, regions, places) for resolution in resolutions)


def moves_as_declared(partition: PolygonPartition, regions: Workload, places: Any) -> bool:
    """Tell whether no record moves the score of a candidate further than its sensitivity."""
    overlap, plan = partition.overlap(regions), ChoicePlan((partition,), regions)
    most = scores.influence_sensitivity(overlap, regions.weights)
    for place in places:
        distances = []
        for times in (0, 1):
            tally = plan.tally()
            tally.add([place[0]] * times, [place[1]] * times)
            responses = overlap.responses_of_sums(tally.summed()[0])
            errors = scores.aggregation_errors(responses, tally.inside())
            distances.append(influence_score(errors, overlap, regions.weights, 0.0))
        if abs(distances[1] - distances[0]) > most:
            return False
    return True


# --- however many, and wherever they meet -----------------------------------------------------


def nodes_hand_down_all_that_they_have(_: Attack) -> bool:
    """However many of them are split at once."""
    tally = BaseTally(Frame(square(8.0), (4, 4), 8))
    kernel = Kernel(tally, epsilon=1, unit=geodp.Unit("record"), bits=RandomBits(1))
    nodes, left = kernel.domain, 0
    while len(nodes) <= 1 << 18:
        parents = nodes
        nodes = kernel.split(parents, np.arange(len(parents)))
        left += np.count_nonzero(parents.rest)
    return left == 0


def parts_of_nodes_have_what_all_have(_: Attack) -> bool:
    """Wherever they begin, and however unlike the amounts are that their nodes have left."""
    tally = BaseTally(Frame(square(8.0), (4, 4), 6))
    kernel = Kernel(tally, epsilon=1, unit=geodp.Unit("record"), bits=RandomBits(1))
    nodes = kernel.domain
    while len(nodes) < 1 << 14:
        nodes = kernel.split(nodes, np.arange(len(nodes)))
    one, every = np.zeros(1, dtype=np.int64), np.arange(len(nodes))
    kernel.measure(nodes, every[::2], Fraction(1, 2), "half of them")
    kernel.measure(nodes, every, Fraction(1, 4), "all")
    for start in (0, 1, 64, 65, 1000, 4095, 8192, len(nodes) - 1):
        part, left = kernel.part(nodes, start, start + 1), Fraction(3 if start % 2 else 1, 4)
        kernel.measure(part, one, left, "what is left")
        if not refused(kernel.measure, nodes, one + start, Fraction(1, 10**9), "more"):
            return False
    return True


def what_is_left_is_exact(_: Attack) -> bool:
    """However many digits it has."""
    kernel, share = empty_kernel(), Fraction(1, 3) + Fraction(1, 3**80)
    kernel.measure(kernel.domain, np.zeros(1, dtype=np.int64), share, "a third")
    return kernel.amounts[-1] == 1 - share


class Counting(RandomBits):
    """Noise that is known: 0, 1 and so on."""

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        del scale
        return np.arange(count)


def noise_is_added_as_it_is_drawn(_: Attack) -> bool:
    """To however many counts, each its own."""
    for many in (1, 10, 100_000):
        counts = np.arange(many) % 7
        noisy = kernels._add_noise(counts, SCALE, Counting())
        if not np.array_equal(noisy, counts + np.arange(many)):
            return False
    return True


class _Tails(RandomBits):
    """A coin that shows tails wherever it can, and remembers what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Fraction] = []

    def below(self, bound: int) -> int:
        return bound - 1

    def coin(self, gamma: Fraction) -> bool:
        self.asked.append(gamma)
        return gamma == 0


def many_candidates_have_the_odds_of_few(_: Attack) -> bool:
    bits, most = _Tails(), 130
    Influence().choose([Fraction(-n) for n in range(most)], Fraction(1), bits)
    return sorted(bits.asked) == [Fraction(n, 2) for n in range(most)]


def neighbours_differ_by_what_they_hold(_: Attack) -> bool:
    """Every way to protect somebody, and twice as many records where one is replaced."""
    ways: list[tuple[Callable[..., Any], int]] = [
        (geodp.Record, 1),
        (lambda **how: geodp.Person("who", **how), 1),
        (lambda **how: geodp.Person("who", place="most frequent", **how), 1),
    ]
    for most in (*range(1, 20), 100, 1000, 10**6):
        ways += [
            (partial(geodp.Feature, most), most),
            (partial(geodp.Person, "who", max_records=most), most),
            (partial(geodp.Person, "who", visits=most), most),
        ]
    return all(
        way().unit.distance == most and way(neighbours="replace").unit.distance == 2 * most
        for way, most in ways
    )


def points_are_joined_each_once(_: Attack) -> bool:
    """In blocks of just as many as are counted at once, of one more and one less."""
    most = streams.JOIN
    for lengths in ((most,), (most - 1, 1), (1, most, 1), (most, most), (most + 1, 3), (3, 4)):
        points = np.arange(float(sum(lengths)))
        parts = [(each, each) for each in np.split(points, np.cumsum(lengths)[:-1])]
        joined = np.concatenate([x for x, _ in streams.joined(parts)])
        if not np.array_equal(joined, points):
            return False
    return True


def row_groups_are_in_one_piece_each(_: Attack) -> bool:
    import pyarrow
    import pyarrow.parquet

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        table = pyarrow.table({"x": list(range(60))})
        pyarrow.parquet.write_table(table, path, row_group_size=10)
        usual, parquet.PIECE_BYTES = parquet.PIECE_BYTES, 1
        try:
            pieces = parquet.parquet_pieces(path)
        finally:
            parquet.PIECE_BYTES = usual
    return len(pieces) > 2 and sum(pieces, ()) == tuple(range(6))


def tasks_tell_nothing_of_what_went_wrong(_: Attack) -> bool:
    def broken(_: Any) -> None:
        raise ValueError("a value of somebody")

    return dask._never_raises(broken)(None) == dask.Stopped(geodp.GeodpError, UNFINISHED)


def visitors_of_many_blocks_visit_few_places(_: Attack) -> bool:
    kept = PlacedRecords(Contribution(2, 2, 1, place="visited"), b"key")
    for cell in range(40):
        place = np.array([float(cell)])
        kept.add(place, place, Ids.of(["ann"]), cells=np.array([cell]))
    return sum(len(columns[0]) for columns in kept.blocks()) == 2


def every_spend_counts(_: Attack) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger"
        account = with_account(path)["account"]
        account.spend("1/10000", geodp.Unit("record"), "the first")
        double = "INSERT INTO spend SELECT NULL, dataset, epsilon, what, note, at, field FROM spend"
        with closing(sqlite3.connect(path)) as database, database:
            for _ in range(12):
                database.execute(double)
        return account.spent == Fraction(1 << 12, 10_000)


def a_record_is_in_one_unit_of_districts(_: Attack) -> bool:
    """Brute force over places: counts of the units of each level add up to those that count."""
    plain = town_of_districts().cells
    paths = [("north", "north"), ("south", "east"), ("south", "west")]
    cells = DistrictCells(plain.districts, plain.domain, Levels(["state", "county"], paths))
    for x, y in PLACES_IN_DISTRICTS:
        tally = DistrictPlan(cells).tally()
        tally.add([x], [y])
        for depth in (1, 2):
            units = np.arange(len(cells.levels.smallest_units(depth)) - 1)
            if tally.node_counts(units, depth).sum() != tally.total:
                return False
    return True


def regions_hold_records_wherever_others_are(_: Attack) -> bool:
    """Points outside of the domain come first, and move none of the others in a polygon."""
    grid = Grid(square(8.0), (2, 2))
    ring = np.array([[1.0, 1.0], [7.0, 1.0], [4.0, 7.0]])
    regions = Workload.from_polygons(Polygons.from_rings([(0, False, ring)], 1), grid.domain)
    plan = Plan((grid,), regions)
    x, y = np.array([4.0, 1.05, 6.95, 4.0]), np.array([6.9, 1.05, 1.05, 3.0])
    tally = tally_points(plan, [*np.full(9, -1.0), *x], [*np.full(9, 20.0), *y])
    return tally.inside().tolist() == tally_points(plan, x, y).inside().tolist() == [4]


class _Leaving(GridPartition):
    """The cells of a grid, but those west of some line."""

    may_leave_out = True

    def __init__(self, grid: Grid, west: float) -> None:
        super().__init__(grid)
        self.west = west

    def located(self, x: Any, y: Any) -> Any:
        return np.where(x < self.west, -1, super().located(x, y))


def what_one_candidate_leaves_out_is_left_out_of_all(_: Attack) -> bool:
    for lines in ((4.0, 0.0), (0.0, 4.0)):
        listed = tuple(_Leaving(Grid(DOMAIN, (2, 2)), line) for line in lines)
        tally = ChoicePlan(listed, Workload.from_boxes([DOMAIN.bounds], DOMAIN)).tally()
        try:
            tally.add([1.0, 5.0], [1.0, 1.0])
        except ValueError:  # of a cell that is not there
            return False
        counted = [tally.inside().sum(), *(counts.sum() for counts in tally.summed())]
        if counted != [1, 1, 1]:
            return False
    return True


def influence_is_rounded_up(_: Attack) -> bool:
    """A unit of 2**-48 is more than nothing, and a score is rounded in units."""
    grid = Grid(square(8.0), (2, 2))
    along = Workload.from_boxes([(0.0, 0.0, 4.0, 8.0)], grid.domain).overlap(grid)
    step = scores.influence_sensitivity(along, np.array([3]))
    return overlaps.influence(np.array([1])).tolist() == [1 << 24] and step == Fraction(1, 1 << 48)


def borders_that_only_touch_a_cell_cut_it(_: Attack) -> bool:
    """At a corner, and within what coordinates may be rounded by."""
    slope = Polygons.from_rings([(0, False, np.array([[0.0, 8.0], [8.0, 0.0], [8.0, 8.0]]))], 1)
    box = np.array([[0.0, 0.0, 4.0, 4.0]])
    if not partitions._border_comes(slope, np.zeros(1, dtype=np.int64), box).all():
        return False
    half = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 8.0], [0.0, 8.0]])
    rings = [(0, False, half), (1, False, half + np.array([4.0, 0.0]))]
    layer = DistrictMap.from_rings(rings, ["west", "east"])
    levels = Levels(["district"], [("west",), ("east",)])
    partition = PolygonPartition(DistrictCells(layer, DOMAIN, levels))
    hair = float(layer.polygons.tolerance) / 2
    overlap = partition.overlap(Workload.from_boxes([(0.0, 0.0, 4.0 - hair, 8.0)], DOMAIN))
    return bool(overlap.cut.all()) and overlap.cell.tolist() == [0, 1]
