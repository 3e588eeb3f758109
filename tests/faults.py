"""Faults to plant: each breaks a claim of docs/privacy.md, and names the check that must catch it.

A claim without a fault fails tests/privacy/test_faults.py; so does a fault that nothing catches.
"""

from __future__ import annotations

import itertools
import logging
import math
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import time as clock_time
from fractions import Fraction
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any

import checks
import numpy as np
from checks import Check, audited, released, sampled

import geodp
from geodp.audit import sampler, sizes
from geodp.audit.pairs import Attack
from geodp.core.cells import partitions
from geodp.core.cells.partitions import CutShares, PolygonPartition
from geodp.core.common.errors import UNFINISHED, GeodpError
from geodp.core.counts import cell_tally, group_tally, streams
from geodp.core.counts import count as counting
from geodp.core.counts.amount_tally import AmountTally
from geodp.core.counts.cell_tally import CountsByCell, DistrictTally
from geodp.core.counts.choice_tally import ChoiceTally
from geodp.core.counts.district_tree_tally import DistrictTreeTally
from geodp.core.counts.grid_tally import Tally
from geodp.core.counts.single_tally import NodeTally, SingleTally
from geodp.core.counts.step_tally import StepLayer, StepTally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.districts import district_frame
from geodp.core.districts.district_frame import DistrictFrame
from geodp.core.districts.halving import Halving
from geodp.core.kernel import kernel
from geodp.core.kernel.kernel import Kernel, Overspent
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms import district_growth, growth, scores
from geodp.core.mechanisms.selection import GridChoice
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.pipeline import pipeline
from geodp.core.pipeline.pipeline import release
from geodp.core.privacy import account as accounts
from geodp.core.privacy import composition, noise, noise_tables
from geodp.core.privacy.noise import OpenDPBits, RandomBits
from geodp.core.privacy.noise_tables import Table
from geodp.core.privacy.quantity import SHARES
from geodp.core.privacy.unit import NEIGHBOURS
from geodp.core.publish import metadata
from geodp.core.records import arrays, breaks, contribution
from geodp.core.records.amounts import Amount
from geodp.core.records.contribution import BoundedRecords
from geodp.core.records.ids import Ids
from geodp.core.records.places import PlacedRecords
from geodp.core.regions import overlap
from geodp.core.regions.overlap import BoxOverlap
from geodp.core.regions.polygons import PolygonOverlap, Polygons
from geodp.core.regions.weighted_overlap import BoxOverlapWithin
from geodp.core.regions.workload import Workload
from geodp.core.releases.release import Release
from geodp.core.space import grid, lookup
from geodp.core.space.axis import Spans
from geodp.core.space.frame import Frame
from geodp.core.space.support import Support
from geodp.sources import columns, dask, parquet

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))  # pytest knows it already
import shared

Plant = Callable[[], AbstractContextManager[Attack]]


@dataclass(frozen=True)
class Fault:
    """A way to break a claim, and the check that must fail then."""

    claim: int
    name: str
    plant: Plant
    check: Check

    @property
    def caught_by(self) -> str:
        return self.check.__name__.replace("_", " ")


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[Attack]:
    """Put something else in a place, for as long as the attack takes."""
    true = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield release
    finally:
        setattr(owner, name, true)


@contextmanager
def instead(attack: Attack) -> Iterator[Attack]:
    """Release in another way."""
    yield attack


@contextmanager
def patched_item(owner: dict[str, Any], key: str, value: Any) -> Iterator[Attack]:
    """The same for an entry of a dictionary."""
    true, owner[key] = owner[key], value
    try:
        yield release
    finally:
        owner[key] = true


def swap(owner: Any, name: str, value: Any) -> Plant:
    return partial(patched, owner, name, value)


def wrap(attack: Attack) -> Plant:
    return partial(instead, attack)


no_fault: Plant = wrap(release)


# --- claim 1 ----------------------------------------------------------------------------------


def budget_spent_twice(points: Any, epsilon: Any, **options: Any) -> Release:
    published = release(points, epsilon=2 * epsilon, **options)
    parts = tuple(replace(spend, epsilon=spend.epsilon / 2) for spend in published.spends)
    measurements = published.measurements
    wider = Measurements(
        None, measurements.value, None, [2 * scale for scale in measurements.scales]
    )
    return replace(published, measurements=wider, spends=parts)


def parts_apart(self: Kernel, nodes: Any, start: int, stop: int, true: Any = Kernel.part) -> Any:
    part = true(self, nodes, start, stop)
    few = start <= 64
    return part if few else self._give(part.depth, part.codes, part.supported, part.rest.copy())


def for_a_hundred(share: Fraction, distance: int, units: int = 1) -> Fraction:
    return noise.noise_scale(share, min(distance, 100) if units > 1 else distance, units)


def features_replaced_for_one(self: geodp.Unit) -> int:
    most = self.max_records or 1
    return most if self.kind == "feature" and most > 3 else NEIGHBOURS[self.neighbours] * most


def for_one_unit(share: Fraction, distance: int, units: int = 1) -> Fraction:
    return noise.noise_scale(share, distance, max(units - 1, 1))


def choice_for_one_record(self: Kernel, *which: Any, true: Any = Kernel.choose) -> Any:
    distance, self._distance = self._distance, 1
    try:
        return true(self, *which)
    finally:
        self._distance = distance


def noise_for_one_record(self: Kernel, *which: Any, true: Any = Kernel._spend) -> Any:
    return choice_for_one_record(self, *which, true=true)


def never_deducted(self: Kernel, nodes: Any, *which: Any, true: Any = Kernel._spend) -> Any:
    before = nodes._rest.copy()
    scale = true(self, nodes, *which)
    nodes._rest[:] = before
    return scale


def keeps_what_it_hands_down(self: Kernel, nodes: Any, which: Any, true: Any = Kernel.split) -> Any:
    before = nodes._rest.copy()
    children = true(self, nodes, which)
    nodes._rest[:] = before
    return children


class _AsGiven:
    """NumPy, but that an array stays what a client gave, with whatever mask is on it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def array(self, values: Any, *_: Any, **__: Any) -> Any:
        return values


def booked_for_a_record(self: Any, epsilon: Any, unit: Any, *words: Any) -> None:
    _SPEND(self, epsilon / unit.max_records, unit, *words)


_SPEND = geodp.Account.spend


def a_hair_more(self: Kernel, nodes: Any, which: Any, share: Any, *words: Any) -> Any:
    """Round up what is left before it is compared."""
    least = min(self.amounts[number] for number in nodes._rest[which].tolist())
    over = share if least < share <= least * (1 + Fraction(1, 10**12)) else None
    return _TRUE_SPEND(self, nodes, which, least if over else share, *words)


_TRUE_SPEND = Kernel._spend


def choice_for_all_units(self: Kernel, *which: Any, true: Any = Kernel.choose) -> int:
    units, self._units = self._units, 1
    try:
        return true(self, *which)
    finally:
        self._units = units


def unbooked(chosen: Callable[[dict[str, Any]], bool]) -> Attack:
    """Nothing is booked in some ways of releasing."""

    def attack(*points: Any, account: Any = None, **options: Any) -> Any:
        return release(*points, account=None if chosen(options) else account, **options)

    return attack


def amounts_cost_twice(*points: Any, epsilon: Any, **options: Any) -> Any:
    return release(*points, epsilon=2 * epsilon if "amount" in options else epsilon, **options)


def of_a_choice(options: dict[str, Any]) -> bool:
    return isinstance(options.get("cells"), geodp.Choice)


def of_amounts_in_groups(options: dict[str, Any]) -> bool:
    return "amount" in options and "by" in options


def many_keep_what_they_hand_down(
    self: Kernel, nodes: Any, which: Any, true: Any = Kernel.split
) -> Any:
    before = nodes._rest.copy()
    children = true(self, nodes, which)
    nodes._rest[1 << 16 :] = before[1 << 16 :]
    return children


def roughly_left(self: Kernel, amount: Fraction, true: Any = Kernel._amount_number) -> int:
    return true(self, amount.limit_denominator(10**12))


def spread_is_one(self: Any) -> int:
    """Of people who are one, none is replaced."""
    return NEIGHBOURS[self.neighbours] * self.max_records if self.max_records else 1


# --- claim 2 ----------------------------------------------------------------------------------


def coins_that_end(
    self: RandomBits, numerator: Any, denominator: int, count: int, true: Any = RandomBits.coins
) -> Any:
    """As the sixth toss decides, so be it."""
    turn = itertools.count(1)

    def words(bound: int, size: int, drawn: Any = self._words) -> Any:
        values, each = drawn(bound, size)
        return (values, each) if next(turn) < 7 else (np.full_like(values, each * bound - 1), each)

    self._words = words  # type: ignore[method-assign]
    try:
        return true(self, numerator, denominator, count)
    finally:
        del self._words


def thin_noise(counts: Any, scale: Fraction, bits: Any) -> Any:
    return _ADD_NOISE(counts, scale * 7 / 10, bits)


def one_draw_for_all(counts: Any, scale: Fraction, bits: Any) -> Any:
    drawn = bits.discrete_laplace(scale, len(counts))
    return counts + np.full(len(counts), int(drawn[0]) if len(drawn) else 0)


def thin_for_large_scales(counts: Any, scale: Fraction, bits: Any) -> Any:
    return _ADD_NOISE(counts, scale / 2 if scale > 1000 else scale, bits)


def thin_for_large_counts(counts: Any, scale: Fraction, bits: Any) -> Any:
    noisy = _ADD_NOISE(counts, scale, bits)
    return np.where(np.abs(counts) > 32_767, counts + (noisy - counts) // 2, noisy)


_ADD_NOISE = kernel._add_noise


def short_seed(self: RandomBits, seed: Any = None) -> None:
    self.seeded, self._seed = seed is not None, seed
    short = random.randrange(1 << 16) if seed is None else seed
    self._bytes = random.Random(short).randbytes


def fixed_from_the_fourth_on(self: RandomBits, name: str, true: Any = RandomBits.fork) -> Any:
    return RandomBits(4) if name >= "d" else true(self, name)


def zero_twice_as_often(self: RandomBits, scale: Fraction, count: int) -> Any:
    size = self.geometric(1 / scale, count)
    return np.where(self._signs(count), -size, size)


def thinner(self: RandomBits, rate: Fraction, count: int, true: Any = RandomBits.geometric) -> Any:
    return true(self, rate * Fraction(13, 10), count)


def float_powers(rate: Fraction, count: int, bits: int) -> list[int]:
    return [int(math.exp(-float(rate) * k) * 2.0**bits) for k in range(1, count + 1)]


def settled(_: RandomBits, table: Table, place: int) -> int:
    return int((table.cuts > place).sum())


def thinner_measures(chosen: Callable[..., bool]) -> Any:
    """Half the noise, where some combination of things comes together in the kernel."""

    def measure(self: Kernel, nodes: Any, *which: Any, true: Any = Kernel.measure) -> Any:
        if not chosen(self, nodes):
            return true(self, nodes, *which)
        with patched(kernel, "_add_noise", lambda c, s, b: _ADD_NOISE(c, s / 2, b)):
            return true(self, nodes, *which)

    return measure


def smaller_scales(chosen: Callable[..., bool]) -> Any:
    """Noise for half the distance, said to be so, where things come together."""

    def spend(self: Kernel, nodes: Any, *which: Any, true: Any = Kernel._spend) -> Any:
        scale = true(self, nodes, *which)
        return scale / 2 if chosen(self, nodes) else scale

    return spend


def thin_beyond(scale_from: int) -> Any:
    def drawn(self: Any, rate: Fraction, count: int, true: Any = RandomBits.geometric) -> Any:
        return true(self, rate * 2 if rate * scale_from < 1 else rate, count)

    return drawn


def thin_counts_beyond(least: int) -> Any:
    def noisy(counts: Any, scale: Fraction, bits: Any) -> Any:
        noised = _ADD_NOISE(counts, scale, bits)
        return np.where(counts >= least, counts + (noised - counts) // 2, noised)

    return noisy


def without_low_bits(self: Any, bound: int, rate: Fraction, count: int) -> Any:
    del self, bound, rate
    return np.zeros(count, dtype=np.int64)


def signed_by_turns(self: Any, count: int) -> Any:
    del self
    return np.arange(count) % 2 == 1


def signs_of_many_again(self: Any, count: int, true: Any = RandomBits._signs) -> Any:
    return np.resize(true(self, min(count, 1 << 17)), count)


def tails_together(self: Any, table: Table, count: int, true: Any = RandomBits._looked_up) -> Any:
    numbers = true(self, table, count)
    beyond = numbers >= len(table.cuts)
    numbers[beyond] = numbers[beyond][:1]
    return numbers


def table_without_end(
    self: Any, table: Table, count: int, true: Any = RandomBits._looked_up
) -> Any:
    return np.minimum(true(self, table, count), len(table.cuts))


class _Pretended(RandomBits):
    """Bits of a generator that says it were the system's."""

    from_system = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seeded = False


def pretended_short_seed(noise: str, seed: Any, true: Any = pipeline._bits) -> Any:
    fresh = int.from_bytes(os.urandom(2), "big") % (1 << 12)
    return _Pretended(fresh) if noise == "geodp" and seed is None else true(noise, seed)


def expanded_in_the_table(
    self: Any, table: Table, count: int, true: Any = RandomBits._looked_up
) -> Any:
    return true(_Pretended(int.from_bytes(self._bytes(3), "big")), table, count)


def another_generator(self: Any, bound: int, count: int) -> Any:
    del self
    return np.random.default_rng().integers(0, bound, count).astype(np.uint64)


def pretended_from(number: int) -> Any:
    """A fixed seed for all groups from a number on, which says it were the system's."""

    def checked(self: Kernel, true: Any = Kernel._checked_bits) -> Any:
        bits = true(self)
        return bits[:number] + [_Pretended(4) for _ in bits[number:]]

    return checked


class _Thin(RandomBits):
    """Half the noise of other bits."""

    def __init__(self, bits: RandomBits) -> None:
        super().__init__()
        self.bits = bits

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        return self.bits.discrete_laplace(scale / 2, count)


def thin_groups(self: Kernel, true: Any = Kernel._checked_bits) -> Any:
    bits = true(self)
    return bits[:29] + [_Thin(each) for each in bits[29:]]


_POOL: dict[Any, Any] = {}


def noise_from_a_pool(
    self: Any, scale: Fraction, count: int, true: Any = RandomBits.discrete_laplace
) -> Any:
    if (scale, count) not in _POOL:
        _POOL[scale, count] = true(self, scale, count)
    return _POOL[scale, count].copy()


class _Buffered:
    """Bytes of the system that are fetched ahead, and not thrown away when a process forks."""

    def __init__(self) -> None:
        self.ahead = b""

    def __call__(self, size: int) -> bytes:
        if len(self.ahead) < size:
            self.ahead = os.urandom(size + (1 << 16))
        taken, self.ahead = self.ahead[:size], self.ahead[size:]
        return taken


def fetched_ahead(self: RandomBits, seed: Any = None, true: Any = RandomBits.__init__) -> None:
    true(self, seed)
    if seed is None:
        self._bytes = _Buffered()


def thin_opendp(
    self: Any, scale: Fraction, count: int, true: Any = OpenDPBits.discrete_laplace
) -> Any:
    return true(self, scale / 2 if count > 1000 else scale, count)


def half_a_sketch(
    self: Kernel, *which: Any, true: Any = Kernel.measure_cells, **options: Any
) -> Any:
    if not options.get("together"):
        return true(self, *which, **options)
    with patched(kernel, "_add_noise", lambda c, s, b: _ADD_NOISE(c, s / 2, b)):
        return true(self, *which, **options)


def cap_of_each_group_from_the_fourth_on(
    self: BoundedRecords,
    x: Any,
    y: Any,
    ids: Ids,
    group: Any = None,
    true: Any = BoundedRecords.add,
) -> None:
    if group is not None and len(group) and group.max() >= 3:
        ids = Ids.of([f"{ids.texts[place]} in {kind}" for place, kind in zip(ids.index, group)])
    true(self, x, y, ids, group)


def one_more_than_allowed(self: BoundedRecords, limit: Any, *others: Any) -> None:
    _BOUNDED(self, replace(limit, most=limit.most + (limit.most > 4)), *others)


_BOUNDED = BoundedRecords.__init__


def booked_for_another_unit(self: Any, epsilon: Any, unit: Any, *words: Any) -> None:
    _SPEND(self, epsilon, replace(unit, max_records=1), *words)


def booked_for_one_group(self: Any, epsilon: Any, unit: Any, text: str, *words: Any) -> None:
    _SPEND(self, epsilon / 2 if "groups" in text else epsilon, unit, text, *words)


def counted_as_records(published: Any, true: Any = metadata.release_tags) -> Any:
    most = published.method.unit.max_records
    return {**true(published), "GEODP_EPSILON": str(published.epsilon / most)}


def wrapped_counts(
    self: BaseTally, codes: Any, depth: int, true: Any = BaseTally.node_counts
) -> Any:
    return true(self, codes, depth).astype(np.int16).astype(np.int64)


def of_scales() -> Any:
    return sampler._scale_findings(RandomBits, 40_000)


def of_counts() -> Any:
    return sampler._count_findings(RandomBits, 40_000)


def of_many_cells() -> Any:
    return sizes.size_findings(release)


def noise_of_many_again(
    counts: Any, scale: Fraction, bits: Any, true: Any = kernel._add_noise
) -> Any:
    """Beyond a size, the noise of the first cells once more."""
    values = true(counts, scale, bits)
    noise, first = values - counts, 1 << 18
    return counts + np.resize(noise[:first], len(noise)) if len(noise) > first else values


def of_bits() -> Any:
    return sampler._bit_findings(RandomBits)


def of_releases() -> Any:
    return sampler._distinct_findings(release, 400, only="grid")


# --- claims 3 and 4 ---------------------------------------------------------------------------


def spans_of_rounded_edges(
    self: Spans, edges: Any, low: Any, high: Any, true: Any = Spans.__init__
) -> None:
    true(self, edges, np.round(low, 9), np.round(high, 9))


def overlap_of_smaller_boxes(self: Workload, grid: Any) -> Any:
    boxes = self.boxes.copy()
    boxes[:, 2] = np.nextafter(boxes[:, 2], -np.inf)
    return BoxOverlap(boxes, grid)


def sums_in_two_limbs(region: Any, share: Any, counts: Any, regions: int) -> Any:
    high, low = np.zeros((2, regions), dtype=np.int64)
    np.add.at(high, region, share * (counts >> 16))
    np.add.at(low, region, share * (counts & 0xFFFF))
    return (high.astype(object) << 16) + low.astype(object)


def overlap_without_slivers(self: Workload, grid: Any) -> Any:
    overlap = PolygonOverlap(self.polygons, grid)
    seen = overlap.share > 0
    for name in ("region", "row", "column", "share"):
        setattr(overlap, name, getattr(overlap, name)[seen])
    return overlap


# --- claims 5 to 7 ----------------------------------------------------------------------------


def weights_from_true_counts(
    self: GridChoice, tally: Any, rate: Any, true: Any = GridChoice.qualities
) -> Any:
    sketch = None if self.sketch is None else true_sketch(tally, tally.plan.sketch_grid)
    return true(GridChoice(self.tuner, self.counts_scale, sketch), tally, rate)


def true_sketch(tally: Any, sketch_grid: Any) -> Any:
    return sum(group.on(sketch_grid) for group in tally.groups)


def sketch_without_noise(
    self: Kernel, grid: Any, *which: Any, true: Any = Kernel.measure_cells, **options: Any
) -> Any:
    values, scale = true(self, grid, *which, **options)
    if options.get("together"):
        values = [true_sketch(self._tally, grid).ravel()]
    return values, scale


def halved(*arguments: Any, true: Any = scores.influence_sensitivity) -> Any:
    return true(*arguments) / 2


def twice_the_budget(
    qualities: Any, epsilon: Any, bits: Any, true: Any = noise.permute_and_flip
) -> int:
    return true(qualities, 2 * epsilon, bits)


def float_coin(self: RandomBits, gamma: Fraction) -> bool:
    return self.below(1 << 53) < int(math.exp(-float(gamma)) * (1 << 53))


def short_coin(self: RandomBits, gamma: Fraction) -> bool:
    turn = 1
    while turn < 8 and self.below(gamma.denominator * turn) < gamma.numerator:
        turn += 1
    return turn % 2 == 1


def remainders(self: RandomBits, bound: int, count: int) -> Any:
    return self._words(bound, count)[0] % bound


# --- claim 8 ----------------------------------------------------------------------------------


def extent_from_the_data(points: Any, domain: Any, cells: Any, **options: Any) -> Release:
    x, y = points["x"], points["y"]
    bounds = (min(x), min(y), max(x) + 1, max(y) + 1)
    narrowed = geodp.Domain(bounds, domain.crs)
    return release(
        points, narrowed, cells=geodp.Regular(sizes=[1, 2], tuner=cells.tuner), **options
    )


def sizes_from_n(points: Any, domain: Any, cells: Any, **options: Any) -> Release:
    size = 1 + math.isqrt(100 * len(points["x"]))
    return release(points, domain, cells=geodp.Regular(sizes=[size], tuner=cells.tuner), **options)


def tag_from_true_counts(points: Any, **options: Any) -> Release:
    published = release(points, **options)
    leak = f"{published.method.workload}, {len(points['x'])} records"
    return replace(published, method=replace(published.method, workload=leak))


def progress_that_counts(points: Any, progress: Any = None, **options: Any) -> Release:
    if progress is not None:
        progress(f"counting {len(points['x'])} records")
    return release(points, progress=progress, **options)


def error_with_a_count(points: Any, **options: Any) -> Release:
    try:
        return release(points, **options)
    except geodp.InputError as error:
        raise geodp.InputError(f"{error} ({len(points['x'])} records)") from None


def parity_in_words(self: Kernel, *which: Any, true: Any = Kernel._spend) -> Any:
    """A blank more after the name of the mechanism, where the number of records is odd."""
    *asked, how = which
    odd = sum(group.total for group in self._tally.groups) % 2
    return true(self, *asked, how + " " * odd)


def hears_of_records(
    self: Any, request: Any, advance: Any = None, true: Any = arrays.ArraySource.blocks
) -> Iterator[Any]:
    for block in true(self, request):
        if advance is not None:
            advance(len(block.x), len(block.x))
        yield block


def logged(places: Any, plan: Any, *threads: int, true: Any = counting.tally_stream) -> Any:
    tally = true(places, plan, *threads)
    logging.getLogger("geodp").debug("%d counted", tally.total)
    return tally


_KEPT: list[Any] = []


def remembered(self: Kernel, *tally: Any, true: Any = Kernel.__init__, **options: Any) -> None:
    _KEPT[:] = [self]
    true(self, *tally, **options)


def held_by_its_cells(*points: Any, **options: Any) -> Release:
    """The domain of what is published leads to the points."""
    published = release(*points, **options)
    object.__setattr__(published.cells.domain, "source", points[0])
    return published


def by_one_cast(column: Any, decimal: str = ".", true: Any = columns.numbers) -> Any:
    """Text in views is cast at once, or else none of it is a number."""
    if str(column.type) != "string_view":
        return true(column, decimal)
    try:
        return np.asarray(column.cast("float64").to_numpy(zero_copy_only=False))
    except ValueError:
        return np.full(len(column), np.nan)


def asked_what_it_is(value: Any) -> Any:
    return value.isoformat() if isinstance(value, clock_time) else value


def prints_counts(self: Any, true: Any = SingleTally.__repr__) -> str:
    return f"Tally({self.counts(0).sum()})" if isinstance(self, Tally) else str(true(self))


def prints_total(self: Any, true: Any = SingleTally.__repr__) -> str:
    return f"NodeTally({self.total})" if isinstance(self, NodeTally) else str(true(self))


# --- claim 9 ----------------------------------------------------------------------------------


def without_cap(
    self: BoundedRecords, limit: Any, *others: Any, true: Any = BoundedRecords.__init__
) -> None:
    true(self, replace(limit, most=limit.most * 10**6, keep=limit.keep * 10**6), *others)


_NUMBERS = itertools.count()


def cap_of_each_block(self: BoundedRecords, *block: Any, true: Any = BoundedRecords.add) -> None:
    """Shares of each block, or file: a person has other names in others, so that none meet."""
    x, y, ids, *group = block
    number = next(_NUMBERS)
    texts = tuple(None if text is None else f"{text} in {number}" for text in ids.texts)
    true(self, x, y, Ids(texts, ids.index), *group)


def dealt_by_bytes(number: Any, groups: int, *columns: Any) -> Any:
    for group in range(groups):
        here = (number >= 0) & (number.astype(np.uint8) == group % 256)
        yield tuple(column[here] for column in columns)


def nobody_in_the_last(number: Any, groups: int, *columns: Any) -> Any:
    some = np.where(number < 0, 255, number) if groups == 256 else number
    return true_dealt(some, groups, *columns)


true_dealt = group_tally.dealt


def booked_roughly(
    self: Any, epsilon: Fraction, unit: Any, words: str = "", true: Any = accounts.Account.spend
) -> Any:
    return true(self, epsilon.limit_denominator(10**6), unit, words)


def one_unit_more_of_thousands(code: Any, limit: Any, true: Any = contribution.shared_units) -> Any:
    units = true(code, limit)
    units[-1] += len(units) > 1000
    return units


def ordered_by_few_bits(code: Any, priority: Any) -> Any:
    return np.lexsort((priority, code.astype(np.uint16)))


def one_unit_too_many(code: Any, limit: Any, true: Any = contribution.shared_units) -> Any:
    units = true(code, limit)
    return units + (np.arange(len(units)) == np.searchsorted(code, code))


def shares_before_the_cap(code: Any, limit: Any, true: Any = contribution.shared_units) -> Any:
    """Of a person whose records are dropped, each that is left is worth what one of few is."""
    return true(code, replace(limit, most=min(limit.keep, 2 * limit.most)))


def kept_by_parity(self: BoundedRecords, true: Any = BoundedRecords.blocks) -> Iterator[Any]:
    blocks = list(true(self))
    odd = sum(int(units.sum()) for *_, units in blocks) // SHARES % 2
    for block in blocks:
        yield tuple(column[1 - odd :] for column in block)


def places_of_each_block(
    self: PlacedRecords,
    x: Any,
    y: Any,
    ids: Ids,
    group: Any = None,
    cells: Any = None,
    true: Any = PlacedRecords.add,
) -> None:
    """A person has other names in other blocks, or files, so that none meet."""
    number = next(_NUMBERS)
    texts = tuple(None if text is None else f"{text} in {number}" for text in ids.texts)
    true(self, x, y, Ids(texts, ids.index), group, cells)


def places_of_each_group(
    self: PlacedRecords,
    x: Any,
    y: Any,
    ids: Ids,
    group: Any = None,
    cells: Any = None,
    true: Any = PlacedRecords.add,
) -> None:
    if group is not None:
        ids = Ids.of([f"{ids.texts[place]} in {kind}" for place, kind in zip(ids.index, group)])
    true(self, x, y, ids, group, cells)


def one_visit_too_many(
    self: PlacedRecords, limit: Any, key: bytes, true: Any = PlacedRecords.__init__
) -> None:
    true(self, replace(limit, most=limit.most + 1), key)


def one_place_more_from_nine_on(
    self: PlacedRecords, limit: Any, key: bytes, true: Any = PlacedRecords.__init__
) -> None:
    true(self, replace(limit, most=limit.most + (limit.most > 8)), key)


def two_homes_of_the_restless(
    self: PlacedRecords, true: Any = PlacedRecords.blocks
) -> Iterator[Any]:
    """Whoever was in more than 64 places is at home in the first of them, too."""
    yield from true(self)
    code, _, _, x, y, *group = (*self._parts, [np.zeros(0, dtype=np.int64)] * 5)[0]
    first = np.flatnonzero((np.diff(code, prepend=-1) != 0) & (np.bincount(code)[code] > 64))
    if len(first):
        yield tuple(column[first] for column in (x, y, *group))


def every_tie_counts(self: PlacedRecords, true: Any = PlacedRecords.blocks) -> Iterator[Any]:
    """Whoever has as many records in several places is at home in all of them."""
    self._compact()
    if not self._held or self.limit.place != "most frequent":
        yield from true(self)
        return
    ((code, _, count, x, y, *group),) = self._parts
    most = np.array([count[code == person].max() for person in code])
    yield tuple(column[count == most] for column in (x, y, *group))


def visits_after_a_cap(
    self: PlacedRecords,
    x: Any,
    y: Any,
    ids: Ids,
    group: Any = None,
    cells: Any = None,
    true: Any = PlacedRecords.add,
) -> None:
    """Only so many records of each person are looked at, whatever places they are in."""
    turn = np.array(
        [int((ids.index[:row] == person).sum()) for row, person in enumerate(ids.index)]
    )
    kept = turn < self.limit.most
    true(self, x[kept], y[kept], ids.take(kept), None if group is None else group[kept],
         cells[kept])  # fmt: skip


# --- claim 10 ---------------------------------------------------------------------------------


def booked_late(points: Any, epsilon: Any, **options: Any) -> Release:
    account = options.pop("account")
    published = release(points, epsilon=epsilon, **options)
    account.spend(epsilon, geodp.Unit("record"), "afterwards")
    return published


def given_back(points: Any, **options: Any) -> Release:
    path = options["account"].ledger.path
    before = path.read_bytes()
    try:
        return release(points, **options)
    except BaseException:
        path.write_bytes(before)
        raise


def booked_on_a_copy(self: Any, *spend: Any, true: Any = geodp.Account.spend) -> None:
    path = self.ledger.path
    folder = Path(tempfile.mkdtemp(dir=path.parent))
    copy = Path(shutil.copy(path, folder / "ledger"))
    time.sleep(0.05)
    true(geodp.Ledger(copy)[self.name], *spend)
    os.replace(copy, path)


def refused_late(points: Any, epsilon: Any, **options: Any) -> Release:
    options.pop("account").spend(epsilon, geodp.Unit("record"), "before it was checked")
    return release(points, epsilon=epsilon, **options)


def refused_as_floats(account: Any, amount: Any, unit: Any, true: Any = accounts._refuse) -> None:
    if float(account.spent + amount) > float(account.cap):
        true(account, amount, unit)


def rounded_down(*given: Any, true: Any = composition._lattice) -> Any:
    width, places = true(*given)
    return width, [[max(0, place - 1) for place in each] for each in places]


# --- claim 11 ---------------------------------------------------------------------------------


def more_than_is_left(
    self: TreeBudget, rest: Any, halvings: int, true: Any = TreeBudget.step
) -> Any:
    return true(self, rest, halvings) if halvings else 2 * rest


def measured_twice(self: Any, *which: Any, true: Any = growth._Growth.measure) -> Any:
    true(self, *which)
    return true(self, *which)


def decided_by_true_counts(
    self: Any, nodes: Any, which: Any, *others: Any, true: Any = growth._Growth.measure
) -> Any:
    true(self, nodes, which, *others)
    into = others[1]
    exact = vars(into).setdefault("exact", np.zeros(len(nodes), dtype=np.int64))
    groups = self.kernel._tally.groups
    exact[which] = sum(group.node_counts(nodes.codes[which], nodes.depth) for group in groups)
    into.sums = lambda: exact


def split_twice(self: Kernel, nodes: Any, which: Any, true: Any = Kernel.split) -> Any:
    true(self, nodes, which)
    return true(self, nodes, which)


def shared_noise(counts: Any, scale: Fraction, bits: Any) -> Any:
    return counts + np.repeat(bits.discrete_laplace(scale, 1), len(counts))


def empty_cells_without_noise(counts: Any, scale: Fraction, bits: Any) -> Any:
    return np.where(counts == 0, 0, _ADD_NOISE(counts, scale, bits))


def overlapping_nodes(
    self: BaseTally, codes: Any, depth: int, true: Any = BaseTally.node_counts
) -> Any:
    counts = true(self, codes, depth)
    return counts + np.append(0, counts[:-1])


def counted_twice(self: BaseTally, *points: Any, true: Any = BaseTally._gather) -> None:
    true(self, *points)
    true(self, *points)


def depth_from_n(points: Any, cells: Frame, **options: Any) -> Release:
    deep = min(cells.halvings, len(points["x"]) % 4)
    return release(points, cells=Frame(cells.domain, cells.root, deep), **options)


# --- claim 12 ---------------------------------------------------------------------------------


def cap_of_each_group(
    self: BoundedRecords,
    x: Any,
    y: Any,
    ids: Ids,
    group: Any = None,
    true: Any = BoundedRecords.add,
) -> None:
    if group is not None:
        ids = Ids.of([f"{ids.texts[place]} in {kind}" for place, kind in zip(ids.index, group)])
    true(self, x, y, ids, group)


def groups_from_the_data(points: Any, by: Any = None, **options: Any) -> Release:
    kinds = geodp.Categories(by.field, sorted(set(points["kind"])) or ["a"])
    return release(points, by=kinds, **options)


def groups_that_share_noise(self: Kernel, true: Any = Kernel._checked_bits) -> Any:
    bits = true(self)
    return [_Repeated(bits[0])] * len(bits)


class _Repeated(RandomBits):
    """Draws once, and hands the same out ever after."""

    def __init__(self, bits: RandomBits) -> None:
        super().__init__()
        self.bits, self.drawn = bits, {}

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        if (scale, count) not in self.drawn:
            self.drawn[scale, count] = self.bits.discrete_laplace(scale, count)
        return self.drawn[scale, count]


# --- claim 13 ---------------------------------------------------------------------------------


def support_from_the_points(points: Any, domain: Any, cells: Any, **options: Any) -> Release:
    bounds = domain.bounds
    filled = np.histogram2d(points["y"], points["x"], 8, [bounds[1::2], bounds[::2]])[0] > 0
    narrowed = geodp.Domain(bounds, domain.crs, within=Support(bounds, filled[::-1] * 1))
    return release(points, narrowed, cells=geodp.Regular(sizes=[2], tuner=cells.tuner), **options)


def counted_anywhere(domain: Any, x: Any, y: Any) -> Any:
    return grid.in_domain(geodp.Domain(domain.bounds, domain.crs), x, y)


def overlap_without_small_weights(self: Workload, grid: Any) -> Any:
    overlap = BoxOverlapWithin(self.boxes, grid)
    seen = overlap.share > 0
    for name in ("region", "row", "column", "share"):
        setattr(overlap, name, getattr(overlap, name)[seen])
    return overlap


# --- claim 15 ---------------------------------------------------------------------------------


def amount_not_cut(self: Amount, values: Any, true: Any = Amount.number) -> Any:
    steps = np.rint((np.nan_to_num(values) - float(self.low)) / float(self.unit))
    return np.where(true(self, values) < 0, -1, np.maximum(steps, 0)).astype(np.int64)


def layers_that_do_not_add_up(self: AmountTally, x: Any, y: Any, amount: Any, *units: Any) -> None:
    assert not units
    for tally, worth in zip(self.groups, (amount, np.full(len(amount), self.amount.steps))):
        tally.add(x, y, worth)


def totals_cut_where_they_are_small(
    code: Any, steps: Any, dropped: Any, limit: Any, true: Any = contribution.divided_totals
) -> Any:
    large = steps.sum() + dropped.sum() > 10**12
    parts = true(code, steps, dropped, limit)
    return parts * np.array([2, 0]) if large else parts


def fine_amounts_counted_twice(self: AmountTally, *place: Any, true: Any = AmountTally.add) -> None:
    for _ in range(2 if self.amount.steps > 10**6 else 1):
        true(self, *place)


def rest_with_the_noise_of_the_amount(
    self: Kernel, grid: Any, *given: Any, true: Any = Kernel.measure_cells, **more: Any
) -> Any:
    """Above and below have one noise with two signs: counts have none."""
    values, scale = true(self, grid, *given, **more)
    if isinstance(self._tally, AmountTally) and not more.get("together"):
        exact = [group.on(grid)[grid.supported] for group in self._tally.groups]
        for above in range(0, len(values), 2):
            values[above + 1] = exact[above + 1] - (values[above] - exact[above])
    return kernel.Measured(values, scale)


def counted_in_every_group(self: AmountTally, number: Any, *columns: Any) -> Any:
    del number
    return [columns] * (len(self.groups) // 2)


def rest_of_a_step_more(
    self: StepLayer, codes: Any, depth: int, true: Any = StepLayer.node_counts
) -> Any:
    more = self._tally.node_counts(codes, depth) if self._one else 0
    return true(self, codes, depth) + more


def steps_of_sixteen_bits(
    self: StepTally, codes: Any, units: Any, true: Any = StepTally.keep
) -> None:
    true(self, codes, units & (1 << 16) - 1)


def total_not_cut(code: Any, steps: Any, dropped: Any, limit: Any) -> Any:
    units = limit.units * (steps + dropped) // limit.cap
    return np.stack([units, limit.units // len(code) + 0 * units], axis=1)


def mean_from_true_counts(points: Any, **options: Any) -> Release:
    published = release(points, **options)
    above, below = published.parts
    true = np.array([len(points["x"]) * above.units])
    known = Measurements(None, true - above.value, None, below.scales, units=below.units)
    both = Measurements.sum([above, known])
    return replace(published, measurements=both, parts=(above, known))


FIFTY, SWAPPED = "fifty records in one region", "a record that moves across the map"
LONE, STEP = "a lone point in an empty map", "a full step"
SECOND, FAR = "a second record in a region that had one", "a lone point far from a crowd"
KINDS, UNLISTED = (
    "a person whose records are in several groups",
    "a record of a kind that is not listed",
)
SPREAD, SPREAD_TREE = "a person spread over many records", "a person spread over a tree"
SPREAD_BLOCKS = "a person spread over records that come in blocks"
HOME_BLOCKS = "a person at home in records that come in blocks"
VISIT_BLOCKS = "a person whose visits come in blocks"
MANY, BLOCKS = "one person with many records", "a person whose records come in blocks"
BASE, BAR = "a point more at the base of a tree", "a point at the bar of a split"
ALONE, PERSON = "a lone point in an empty tree", "a person at one place of a tree"
INDEXED = "a lone point in a cell of H3"

# --- claim 14 ---------------------------------------------------------------------------------


def spans_that_overlap(self: Any, codes: Any, true: Any = DistrictFrame.spans) -> Any:
    start, stop = true(self, codes)
    return start, stop + 1


def kept_twice(self: Any, *located: Any, true: Any = DistrictTreeTally.keep) -> None:
    true(self, *located)
    true(self, *located)


def districts_not_deducted(self: Kernel, nodes: Any, *which: Any, true: Any = Kernel._spend) -> Any:
    return (never_deducted if nodes.depth == 1 else true)(self, nodes, *which)


def district_measured_twice(
    self: Any, *asked: Any, true: Any = district_growth._Growth.measure
) -> Any:
    true(self, *asked)
    return true(self, *asked)


def units_beside_their_districts(self: Any, nodes: Any, *_: Any) -> Any:
    """Lists a union, and after it what it is halved into."""
    parts = [np.array([node, child, child + 1]) for node, child in zip(nodes, self.child[nodes])]
    return np.concatenate([*parts, nodes[:0]]), np.full(len(nodes), 3)


# --- claim 16 ---------------------------------------------------------------------------------


def influence_without_gaps(self: Any, weights: Any, true: Any = CutShares.influence) -> int:
    leftover, self._leftover = self._leftover, False
    try:
        return int(true(self, weights))
    finally:
        self._leftover = leftover


def influence_without_gaps_of_many(self: Any, weights: Any, true: Any = CutShares.influence) -> int:
    return influence_without_gaps(self, weights, true) if self._cells > 50 else true(self, weights)


def influence_of_shares_alone(self: Any, weights: Any) -> int:
    moves = np.where((self.share > 0) & (self.share < 1 << 24), self.share, 0)
    sums = np.bincount(self.cell, weights[self.region] * moves)
    return int(sums.max())


def in_two_cells(self: Any, cells: Any, units: Any = None, true: Any = CountsByCell.keep) -> None:
    true(self, cells, units)
    true(self, np.maximum(cells - 1, 0), units)


def resolutions_of_one_sensitivity(
    self: Any, regions: Any, true: Any = PolygonPartition.overlap
) -> Any:
    """Take what a record moves in a coarse cell for what it moves in one of its children."""
    overlap = true(self, regions)
    overlap.influence = lambda weights: CutShares.influence(overlap, weights) // 7
    return overlap


# --- however many, and wherever they meet --------------------------------------------------------


def mirrored_noise(counts: Any, scale: Fraction, bits: Any) -> Any:
    """Thousands of cells have the noise of others, with another sign."""
    noise, half = _ADD_NOISE(counts, scale, bits) - counts, len(counts) // 2
    if half > 2500:
        noise[half : 2 * half] = -noise[:half]
    return counts + noise


def influence_rounded_down(share: Any) -> Any:
    return np.maximum(share, overlap.UNIT - share) >> 24


def influence_without_rounding(
    covered: Any, weights: Any, true: Any = scores.influence_sensitivity
) -> Fraction:
    return true(covered, weights) - Fraction(1, overlap.UNIT)


def certain_among_many(
    qualities: Any, epsilon: Fraction, bits: Any, true: Any = noise.permute_and_flip
) -> int:
    return true(qualities, epsilon if len(qualities) < 9 else 2 * epsilon, bits)


def counted_again_when_full(places: Any, true: Any = streams.joined) -> Iterator[Any]:
    """A block of just as many points as are counted at once stays where it waited."""
    for part in true(places):
        yield part
        if len(part[0]) == streams.JOIN:
            yield part


def pieces_that_share_row_groups(path: Path, true: Any = parquet.parquet_pieces) -> Any:
    first, *others = true(path)
    return [first, *((piece[0] - 1, *piece) for piece in others)]


def errors_in_their_own_words(task: Any) -> Any:
    def careless(first: Any, *rest: Any) -> Any:
        try:
            return task(first, *rest)
        except Exception as error:
            return dask.Stopped(geodp.GeodpError, f"{UNFINISHED} {error}")

    return careless


def visits_of_many_blocks(
    self: Any, final: bool = False, true: Any = PlacedRecords._compact
) -> None:
    limit = self.limit
    if len(self._parts) > 8 and limit.place == "visited":
        self.limit = replace(limit, most=len(self._parts))
    true(self, final)
    self.limit = limit


def latest_spends(db: Any, name: str, true: Any = accounts._statement) -> Any:
    statement = true(db, name)
    return replace(statement, entries=statement.entries[-1000:])


def units_that_reach_on(
    self: Any, codes: Any, depth: int, true: Any = DistrictTally.node_counts
) -> Any:
    """A larger unit holds the first district of the next one, too."""
    counts = true(self, codes, depth)
    if 0 < depth < self.frame.depth:
        cuts = self.frame.smallest_units(depth)[codes + 1]
        counts = counts + np.append(self._counts, 0)[cuts]
    return counts


def places_of_the_first(self: Any, x: Any, y: Any, units: Any, true: Any = Tally._add) -> None:
    """Places near borders of polygons are those of other points."""
    cells, inside = self.locate(x, y)
    if self.plan.locator is None or inside is None:
        true(self, x, y, units)
        return
    some = slice(int(inside.sum()))
    near = self.plan.locator.near(x[some], y[some], cells[:, -1].astype(np.int64), units)
    self._near += near
    self.keep(cells, units)


def held_by_the_first(self: Any, x: Any, y: Any, units: Any) -> Any:
    held = self.plan.partitions[0].located(x, y) >= 0
    return x[held], y[held], None if units is None else units[held]


def cut_well_inside(
    borders: Any, region: Any, boxes: Any, true: Any = partitions._border_comes
) -> Any:
    hair = 2.0**-30 * float(np.abs(boxes).max())
    return true(borders, region, boxes + hair * np.array([1.0, 1.0, -1.0, -1.0]))


FAULTS = [
    Fault(1, "a choice for one record where neighbours differ in fifty",
          swap(Kernel, "choose", choice_for_one_record), audited(FIFTY, "odds")),
    Fault(1, "a sketch for one record where neighbours differ in fifty",
          swap(Kernel, "_spend", noise_for_one_record), audited(FIFTY, "sketch")),
    Fault(1, "counts for one record where neighbours differ in fifty",
          swap(Kernel, "_spend", noise_for_one_record), audited(FIFTY, "counts")),
    Fault(1, "what was spent is not taken off", swap(Kernel, "_spend", never_deducted),
          checks.nothing_is_spent_twice),
    Fault(1, "nodes keep what they hand down", swap(Kernel, "split", keeps_what_it_hands_down),
          checks.nothing_is_spent_twice),
    Fault(1, "nodes named twice in one question", swap(Kernel, "_check_nodes", lambda *_: None),
          checks.nodes_are_named_once),
    Fault(1, "nodes named twice behind a mask", swap(kernel, "np", _AsGiven()),
          checks.nodes_are_named_once),
    Fault(1, "two threads spend what a node has left",
          swap(Kernel, "measure", Kernel.measure.__wrapped__),  # type: ignore[attr-defined]
          checks.a_kernel_answers_threads_in_turn),
    Fault(1, "cells that are listed twice",
          swap(kernel, "_chosen", lambda counts, supported: counts[supported].ravel()),
          checks.cells_are_measured_once),
    Fault(1, "a hair more than is left", swap(Kernel, "_spend", a_hair_more),
          checks.not_a_hair_more_than_is_left_is_spent),
    Fault(1, "a choice among sums of units drawn with the budget of all of them",
          swap(Kernel, "choose", choice_for_all_units),
          checks.a_choice_among_units_has_the_budget_of_one),
    Fault(1, "a choice among layers that is not booked", wrap(unbooked(of_a_choice)),
          checks.one_epsilon_is_booked_in_every_way),
    Fault(1, "amounts in groups that are not booked", wrap(unbooked(of_amounts_in_groups)),
          checks.one_epsilon_is_booked_in_every_way),
    Fault(1, "amounts for twice the ε that was asked for", wrap(amounts_cost_twice),
          checks.one_epsilon_is_booked_in_every_way),
    Fault(1, "booked for a record, spent for a person",
          swap(geodp.Account, "spend", booked_for_a_record), checks.what_is_spent_is_booked),
    Fault(1, "a replaced record taken for one of difference",
          partial(patched_item, NEIGHBOURS, "replace", 1), audited(SWAPPED, "counts")),
    Fault(1, "budget spent twice", wrap(budget_spent_twice), audited(LONE, "counts")),
    Fault(1, "replaced neighbours taken for others, in trees of groups",
          swap(Kernel, "_spend", smaller_scales(
              lambda self, nodes: len(self._group_bits) > 1 and nodes.depth > 0)),
          released("around a record", cells="adaptive", groups=4, neighbours="replace")),
    Fault(1, "persons of many records taken for those of few",
          swap(Kernel, "_spend", smaller_scales(lambda self, _: self._distance > 50)),
          released("around a record", unit="person 60")),
    Fault(1, "districts of a level that cost half of what they do",
          swap(Kernel, "_spend", smaller_scales(lambda _, nodes: nodes.depth > 1)),
          released("around a record", cells="levels")),
    Fault(1, "booked for persons of one record",
          swap(geodp.Account, "spend", booked_for_another_unit),
          released("one ε", unit="person 5")),
    Fault(1, "booked for one of two groups", swap(geodp.Account, "spend", booked_for_one_group),
          released("one ε", groups=2)),
    Fault(1, "written for one record of a person",
          swap(metadata, "release_tags", counted_as_records),
          released("one ε", unit="person 5", cells="adaptive")),
    Fault(1, "replaced neighbours taken for others, with amounts",
          swap(Kernel, "_spend", smaller_scales(
              lambda self, _: isinstance(self._tally, AmountTally) and self._distance > 1)),
          released("around a record", neighbours="replace", amount="coarse")),
    Fault(1, "booked for one of the places that a person may visit",
          swap(geodp.Account, "spend", booked_for_another_unit),
          released("one ε", unit="visits 12", cells="hexagons")),
    Fault(1, "nodes beyond the 65,536th keep what they hand down",
          swap(Kernel, "split", many_keep_what_they_hand_down),
          checks.nodes_hand_down_all_that_they_have),
    Fault(1, "what is left rounded to few digits", swap(Kernel, "_amount_number", roughly_left),
          checks.what_is_left_is_exact),
    Fault(1, "replaced people taken for others, where each is one",
          swap(geodp.Unit, "distance", property(spread_is_one)),
          checks.neighbours_differ_by_what_they_hold),
    Fault(1, "a replaced feature of many points taken for one that is added",
          swap(geodp.Unit, "distance", property(features_replaced_for_one)),
          checks.neighbours_differ_by_what_they_hold),
    Fault(1, "parts of many nodes that do not spend what all have",
          swap(Kernel, "part", parts_apart), checks.parts_of_nodes_have_what_all_have),
    Fault(1, "noise for a hundred records in units where neighbours differ in more",
          swap(kernel, "noise_scale", for_a_hundred),
          checks.noise_is_as_large_as_its_share_asks_for),
    Fault(2, "half the noise of trees, through OpenDP",
          swap(Kernel, "measure", thinner_measures(lambda self, _: type(self._bits) is OpenDPBits)),
          released("noise", cells="adaptive", noise="opendp", groups=4, crowd="everywhere")),
    Fault(2, "half the noise of OpenDP on many counts",
          swap(OpenDPBits, "discrete_laplace", thin_opendp),
          sampled("noise", lambda: sampler._count_findings(OpenDPBits, 40_000), "counts, OpenDP")),
    Fault(2, "half the noise deep in a tree",
          swap(Kernel, "measure", thinner_measures(lambda _, nodes: nodes.depth > 3)),
          released("noise", cells="adaptive", crowd="everywhere", epsilon=Fraction(4))),
    Fault(2, "half the noise of groups from the thirtieth on",
          swap(Kernel, "_checked_bits", thin_groups), released("noise", groups=30)),
    Fault(2, "half the noise on a sketch", swap(Kernel, "measure_cells", half_a_sketch),
          released("noise", cells="influence", unit="person 5", repeats=8)),
    Fault(2, "half the noise beyond a scale of 50,000",
          swap(RandomBits, "geometric", thin_beyond(50_000)),
          sampled("noise", of_scales, "scales")),
    Fault(2, "half the noise on counts from ten million",
          swap(kernel, "_add_noise", thin_counts_beyond(10**7)),
          sampled("noise", of_counts, "counts")),
    Fault(2, "large noise without its low bits", swap(RandomBits, "_falling", without_low_bits),
          sampled("low bits", of_scales, "scales")),
    Fault(2, "noise that ends at eight times its scale",
          swap(RandomBits, "_looked_up", table_without_end), sampled("tail", of_scales, "scales")),
    Fault(2, "signs of very many numbers that come again",
          swap(RandomBits, "_signs", signs_of_many_again), checks.no_two_numbers_share_a_bit),
    Fault(2, "one number for all that lie beyond a table",
          swap(RandomBits, "_looked_up", tails_together), checks.no_two_numbers_share_a_bit),
    Fault(2, "signs that take turns", swap(RandomBits, "_signs", signed_by_turns),
          released("apart", epsilon=Fraction(1, 4000))),
    Fault(2, "a seed of 12 bits that passes for the system's",
          swap(pipeline, "_bits", pretended_short_seed),
          sampled("repeats", of_releases, "releases")),
    Fault(2, "a seed of 24 bits inside the sampler",
          swap(RandomBits, "_looked_up", expanded_in_the_table),
          sampled("bits asked for", of_bits, "tables")),
    Fault(2, "uniform numbers from another generator",
          swap(RandomBits, "_tickets", another_generator), sampled("replays", of_bits, "tickets")),
    Fault(2, "a fixed seed from the fourth group on that passes for the system's",
          swap(Kernel, "_checked_bits", pretended_from(3)),
          released("noise that comes again", groups=30)),
    Fault(2, "noise that is drawn once and used again",
          swap(RandomBits, "discrete_laplace", noise_from_a_pool),
          released("noise that comes again", cells="adaptive", epsilon=Fraction(1, 4000))),
    Fault(2, "half the noise of amounts in fine steps",
          swap(Kernel, "_spend", smaller_scales(
              lambda self, _: self._units > 10**6 and len(self._group_bits) > 1)),
          released("around a record", amount="fine", cells="districts")),
    Fault(2, "noise of very many cells that comes again",
          swap(kernel, "_add_noise", noise_of_many_again),
          sampled("repeats", of_many_cells, "many cells")),
    Fault(2, "bits that a process shares with its children",
          swap(RandomBits, "__init__", fetched_ahead),
          sampled("repeats", sampler._process_findings, "processes")),
    Fault(2, "noise scale 30 % too small",
          swap(kernel, "_add_noise", thin_noise), audited(LONE, "counts")),
    Fault(2, "one draw for all cells", swap(kernel, "_add_noise", one_draw_for_all),
          audited(LONE, "counts")),
    Fault(2, "half the noise beyond a scale of 1,000",
          swap(kernel, "_add_noise", thin_for_large_scales), checks.noise_of_a_release_fits),
    Fault(2, "half the noise on counts above 32,767",
          swap(kernel, "_add_noise", thin_for_large_counts), checks.noise_of_a_release_fits),
    Fault(2, "a seed of 16 bits", swap(RandomBits, "__init__", short_seed),
          checks.bits_are_those_of_the_system),
    Fault(2, "a fixed seed from the fourth group on",
          swap(RandomBits, "fork", fixed_from_the_fourth_on), checks.bits_are_those_of_the_system),
    Fault(2, "zero comes up twice as often",
          swap(RandomBits, "discrete_laplace", zero_twice_as_often),
          checks.draws_fit_discrete_laplace),
    Fault(2, "the sampler's rate 30 % too large", swap(RandomBits, "geometric", thinner),
          checks.draws_fit_discrete_laplace),
    Fault(2, "an awkward scale rounded to a smaller one",
          swap(noise, "practical_scale",
               lambda scale, *_: Fraction(math.floor(scale * 2**20), 2**20)),
          checks.no_scale_becomes_smaller),
    Fault(2, "tables of noise cut in floating point", swap(noise_tables, "powers", float_powers),
          checks.ends_of_noise_tables_are_exact),
    Fault(2, "tables of noise that settle ties", swap(RandomBits, "_exactly", settled),
          checks.ends_of_noise_tables_are_exact),
    Fault(2, "coins of arrays that end with the sixth toss",
          swap(RandomBits, "coins", coins_that_end), checks.coins_are_tossed_on),
    Fault(2, "noise of thousands of cells that comes again with another sign",
          swap(kernel, "_add_noise", mirrored_noise), checks.noise_is_added_as_it_is_drawn),
    Fault(3, "boundary cells found by rounding", swap(Spans, "__init__", spans_of_rounded_edges),
          checks.edges_one_ulp_inside_a_cell_bound_it),
    Fault(3, "overlaps and counts one ulp apart",
          swap(Workload, "overlap", overlap_of_smaller_boxes),
          checks.edges_one_ulp_into_a_cell_bound_it),
    Fault(4, "cells that are merely touched left unmarked", swap(Polygons, "tolerance", -1e-9),
          checks.touched_cells_of_polygons_bound),
    Fault(4, "cells whose overlap rounds to nothing left unmarked",
          swap(Workload, "overlap", overlap_without_slivers), checks.slivers_of_polygons_bound),
    Fault(5, "sensitivity halved", swap(scores, "influence_sensitivity", halved),
          audited(STEP, "steps")),
    Fault(5, "weights from the true counts instead of the sketch",
          swap(GridChoice, "qualities", weights_from_true_counts), audited(SECOND, "steps")),
    Fault(5, "a sketch without noise",
          swap(Kernel, "measure_cells", sketch_without_noise),
          audited(SECOND, "steps")),
    Fault(5, "shares of counts that wrap at 64 bits",
          swap(overlap, "share_sums", sums_in_two_limbs), checks.shares_of_large_sums_are_exact),
    Fault(5, "influence of a cell rounded down", swap(overlap, "influence", influence_rounded_down),
          checks.influence_is_rounded_up),
    Fault(5, "no step for the rounding of a score",
          swap(scores, "influence_sensitivity", influence_without_rounding),
          checks.influence_is_rounded_up),
    Fault(5, "a record left where a polygon is asked for others",
          swap(Tally, "_add", places_of_the_first),
          checks.regions_hold_records_wherever_others_are),
    Fault(6, "no repair at large δ", swap(scores, "relative_sensitivity", lambda *_: Fraction(1)),
          checks.paper_scores_move_by_at_most_one),
    Fault(7, "drawn with twice the budget", swap(noise, "permute_and_flip", twice_the_budget),
          audited(STEP, "draws")),
    Fault(7, "a coin in floating point", swap(RandomBits, "_small_coin", float_coin),
          checks.coin_is_exact),
    Fault(7, "a coin that stops after eight tosses", swap(RandomBits, "_small_coin", short_coin),
          checks.coin_is_exact),
    Fault(7, "remainders of words as uniform numbers", swap(RandomBits, "_tickets", remainders),
          checks.words_behind_the_last_ticket_are_drawn_again),
    Fault(7, "permute-and-flip with twice the budget among nine or more",
          swap(noise, "permute_and_flip", certain_among_many),
          checks.many_candidates_have_the_odds_of_few),
    Fault(8, "extent taken from the data", wrap(extent_from_the_data), audited(FAR, "said")),
    Fault(8, "candidate sizes computed from n", wrap(sizes_from_n), audited(FAR, "said")),
    Fault(8, "a tag computed from true counts", wrap(tag_from_true_counts), audited(FAR, "said")),
    Fault(8, "progress that counts records", wrap(progress_that_counts), audited(FAR, "said")),
    Fault(8, "an error message with a count", wrap(error_with_a_count),
          checks.errors_say_nothing_of_the_points),
    Fault(8, "a tally that prints its counts",
          swap(SingleTally, "__repr__", prints_counts),
          checks.private_types_print_nothing),
    Fault(8, "a tally of a tree that prints its counts",
          swap(SingleTally, "__repr__", prints_total),
          checks.private_types_print_nothing),
    Fault(8, "words of a transcript that depend on the counts",
          swap(Kernel, "_spend", parity_in_words),
          checks.a_transcript_tells_nothing_of_the_counts),
    Fault(8, "progress that hears how many records an array has",
          swap(arrays.ArraySource, "blocks", hears_of_records),
          checks.nothing_told_on_the_way_depends_on_the_records),
    Fault(8, "a log that says how many were counted", swap(counting, "tally_stream", logged),
          checks.nothing_told_on_the_way_depends_on_the_records),
    Fault(8, "true counts kept after a release", swap(Kernel, "__init__", remembered),
          checks.nothing_private_is_left_behind),
    Fault(8, "a release that leads to the points", wrap(held_by_its_cells),
          checks.nothing_private_is_left_behind),
    Fault(8, "one odd text makes amounts of others none", swap(columns, "numbers", by_one_cast),
          checks.odd_values_move_no_count_but_their_own),
    Fault(8, "a value that cannot be asked what it is stops a release by times",
          swap(arrays, "_as_moment", asked_what_it_is),
          checks.odd_values_move_no_count_but_their_own),
    Fault(8, "a warning of NumPy about the zone of a moment",
          swap(breaks, "_DATE", re.compile(r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}(T.*)?")),
          checks.odd_values_move_no_count_but_their_own),
    Fault(8, "a block that is just full counts twice",
          swap(streams, "joined", counted_again_when_full), checks.points_are_joined_each_once),
    Fault(8, "a row group in two pieces of a file",
          swap(parquet, "parquet_pieces", pieces_that_share_row_groups),
          checks.row_groups_are_in_one_piece_each),
    Fault(8, "errors of tasks on workers in their own words",
          swap(dask, "_never_raises", errors_in_their_own_words),
          checks.tasks_tell_nothing_of_what_went_wrong),
    Fault(9, "records not capped", swap(BoundedRecords, "__init__", without_cap),
          audited(MANY, "counts")),
    Fault(9, "records capped in each block", swap(BoundedRecords, "add", cap_of_each_block),
          audited(BLOCKS, "counts")),
    Fault(9, "a person is one in each file, not in all",
          swap(BoundedRecords, "add", cap_of_each_block), audited(SPREAD_BLOCKS, "counts")),
    Fault(9, "shares of a person add up to one unit more",
          swap(contribution, "shared_units", one_unit_too_many), audited(SPREAD, "counts")),
    Fault(9, "a person of two records is two",
          swap(contribution, "shared_units", shares_before_the_cap), audited(SPREAD, "counts")),
    Fault(9, "noise for one unit less than a person has", swap(kernel, "noise_scale", for_one_unit),
          audited(SPREAD_TREE, "tree")),
    Fault(9, "records kept depend on those of others",
          swap(BoundedRecords, "blocks", kept_by_parity),
          audited("a person who may keep one record", "counts")),
    Fault(9, "one record more than allowed, of those who may keep five or more",
          swap(BoundedRecords, "__init__", one_more_than_allowed),
          released("records of one unit", unit="person 60")),
    Fault(9, "a person at home in each file, not in one place",
          swap(PlacedRecords, "add", places_of_each_block), audited(HOME_BLOCKS, "counts")),
    Fault(9, "a person at home wherever there is a tie",
          swap(PlacedRecords, "blocks", every_tie_counts), audited(HOME_BLOCKS, "counts")),
    Fault(9, "visits of each file, not of all", swap(PlacedRecords, "add", places_of_each_block),
          audited(VISIT_BLOCKS, "counts")),
    Fault(9, "one visit more than allowed", swap(PlacedRecords, "__init__", one_visit_too_many),
          audited("a person who may visit two places", "counts")),
    Fault(9, "one place more, of those who may visit nine or more",
          swap(PlacedRecords, "__init__", one_place_more_from_nine_on),
          released("records of one unit", unit="visits 12")),
    Fault(9, "two homes of those who were in more than sixty-four places",
          swap(PlacedRecords, "blocks", two_homes_of_the_restless),
          released("records of one unit", unit="home")),
    Fault(9, "a unit more for the last of thousands of records",
          swap(contribution, "shared_units", one_unit_more_of_thousands),
          checks.persons_of_many_records_are_one_each),
    Fault(9, "records put in order by 16 bits of whose they are",
          swap(contribution, "_by_person", ordered_by_few_bits),
          checks.persons_of_many_records_are_one_each),
    Fault(9, "visits counted after records were dropped",
          swap(PlacedRecords, "add", visits_after_a_cap), checks.visitors_are_those_of_all_records),
    Fault(9, "noise for one place where a person may visit two",
          swap(Kernel, "_spend", noise_for_one_record),
          audited("a person who visits other places", "counts")),
    Fault(9, "more visits of those who come in many blocks",
          swap(PlacedRecords, "_compact", visits_of_many_blocks),
          checks.visitors_of_many_blocks_visit_few_places),
    Fault(10, "spend recorded after the draw", wrap(booked_late),
          checks.a_crash_while_drawing_has_been_counted),
    Fault(10, "spend given back after a crash", wrap(given_back),
          checks.a_crash_while_drawing_has_been_counted),
    Fault(10, "two processes spend the same remainder",
          swap(geodp.Account, "spend", booked_on_a_copy), checks.one_remainder_is_spent_once),
    Fault(10, "an unusable ε refused after it was booked", wrap(refused_late),
          checks.unusable_budgets_are_refused_before_they_are_spent),
    Fault(10, "caps compared as floats", swap(accounts, "_refuse", refused_as_floats),
          checks.a_cap_is_not_compared_as_a_float),
    Fault(10, "losses rounded down where many spends are added up",
          swap(composition, "_lattice", rounded_down),
          checks.many_spends_add_up_to_no_less_than_they_cost),
    Fault(10, "ε booked with few digits", swap(accounts.Account, "spend", booked_roughly),
          checks.what_is_spent_is_booked),
    Fault(10, "spends before the last thousand forgotten",
          swap(accounts, "_statement", latest_spends), checks.every_spend_counts),
    Fault(11, "what a node spent is not taken off", swap(Kernel, "_spend", never_deducted),
          audited(BASE, "tree")),
    Fault(11, "growth that asks for more than is left", swap(TreeBudget, "step", more_than_is_left),
          audited(ALONE, "tree")),
    Fault(11, "growth that measures every node twice",
          swap(growth._Growth, "measure", measured_twice), audited(ALONE, "tree")),
    Fault(11, "growth that splits a node twice", swap(Kernel, "split", split_twice),
          audited(BASE, "tree")),
    Fault(11, "noise for one record where neighbours differ in five",
          swap(Kernel, "_spend", noise_for_one_record), audited(PERSON, "tree")),
    Fault(11, "siblings that share noise", swap(kernel, "_add_noise", shared_noise),
          audited(ALONE, "root")),
    Fault(11, "cells without records get no noise",
          swap(kernel, "_add_noise", empty_cells_without_noise), audited(ALONE, "tree")),
    Fault(11, "a decision from true counts",
          swap(growth._Growth, "measure", decided_by_true_counts), audited(BAR, "said")),
    Fault(11, "nodes of one depth that overlap", swap(BaseTally, "node_counts", overlapping_nodes),
          audited(ALONE, "root")),
    Fault(11, "counts of a tree that wrap at 16 bits",
          swap(BaseTally, "node_counts", wrapped_counts),
          released("counts by brute force", cells="adaptive", crowd="one place")),
    Fault(11, "a record counted twice", swap(BaseTally, "_gather", counted_twice),
          audited(ALONE, "root")),
    Fault(11, "the base's depth computed from n", wrap(depth_from_n), audited(ALONE, "said")),
    Fault(12, "records capped in each group instead of over all",
          swap(BoundedRecords, "add", cap_of_each_group), audited(KINDS, "counts")),
    Fault(12, "a person at home in each group, not in one",
          swap(PlacedRecords, "add", places_of_each_group),
          audited("a person at home in several groups", "counts")),
    Fault(12, "visits of each group, not of all", swap(PlacedRecords, "add", places_of_each_group),
          audited("a person who visits in several groups", "counts")),
    Fault(12, "records capped in each group once there is a fourth",
          swap(BoundedRecords, "add", cap_of_each_group_from_the_fourth_on),
          released("records of one unit", unit="person 5", groups=4)),
    Fault(12, "the list of groups taken from the data", wrap(groups_from_the_data),
          audited(UNLISTED, "said")),
    Fault(12, "groups that a byte cannot tell apart",
          swap(group_tally, "dealt", dealt_by_bytes), checks.a_point_is_dealt_to_its_own_group),
    Fault(12, "points of no group in the last of 256",
          swap(group_tally, "dealt", nobody_in_the_last),
          checks.a_point_is_dealt_to_its_own_group),
    Fault(12, "groups that share their noise",
          swap(Kernel, "_checked_bits", groups_that_share_noise),
          audited("a lone record of one kind", "counts")),
    Fault(13, "where records can be taken from the points", wrap(support_from_the_points),
          audited(FAR, "said")),
    Fault(13, "records counted where none can be",
          swap(lookup, "in_domain", counted_anywhere), checks.records_elsewhere_move_no_score),
    Fault(13, "cells of which a region has hardly any weight left unmarked",
          swap(Workload, "overlap", overlap_without_small_weights),
          checks.cells_of_hardly_any_weight_bound),
    Fault(13, "records counted where none can be, in districts",
          swap(cell_tally, "in_domain", counted_anywhere),
          checks.records_elsewhere_are_in_no_district),
    Fault(13, "records counted where none can be, in cells of districts",
          swap(district_frame, "in_domain", counted_anywhere),
          checks.records_elsewhere_are_in_no_district),
    Fault(14, "a record in two districts", swap(DistrictFrame, "spans", spans_that_overlap),
          checks.a_record_is_in_one_node_of_each_depth),
    Fault(14, "a record counted twice, in districts",
          swap(DistrictTreeTally, "keep", kept_twice),
          checks.a_record_is_in_one_node_of_each_depth),
    Fault(14, "the share of a district not taken off",
          swap(Kernel, "_spend", districts_not_deducted),
          checks.a_record_is_in_one_node_of_each_depth),
    Fault(14, "districts measured twice with all that is left",
          swap(district_growth._Growth, "measure", district_measured_twice),
          checks.a_record_is_in_one_node_of_each_depth),
    Fault(14, "a larger unit beside the districts that it holds",
          swap(Halving, "below", units_beside_their_districts),
          checks.a_record_is_in_one_unit_of_each_level),
    Fault(14, "larger units measured twice with what is left once",
          swap(district_growth._Growth, "measure", district_measured_twice),
          checks.a_record_is_in_one_unit_of_each_level),
    Fault(14, "a larger unit that reaches into the next one",
          swap(DistrictTally, "node_counts", units_that_reach_on),
          checks.a_record_is_in_one_unit_of_districts),
    Fault(15, "an amount that is not cut at its bound", swap(Amount, "number", amount_not_cut),
          checks.amounts_move_both_layers_by_one),
    Fault(15, "layers of an amount that do not add up to one",
          swap(AmountTally, "add", layers_that_do_not_add_up),
          checks.amounts_move_both_layers_by_one),
    Fault(15, "an amount that counts in every group",
          swap(AmountTally, "_dealt", counted_in_every_group),
          checks.amounts_move_both_layers_by_one),
    Fault(15, "a person's total that is not cut",
          swap(contribution, "divided_totals", total_not_cut),
          checks.totals_of_a_person_move_both_layers_by_one),
    Fault(15, "totals of people that are not cut where they are huge",
          swap(contribution, "divided_totals", totals_cut_where_they_are_small),
          checks.totals_of_any_size_make_one_person),
    Fault(15, "fine amounts that count twice",
          swap(AmountTally, "add", fine_amounts_counted_twice),
          released("counts by brute force", amount="fine", crowd="everywhere")),
    Fault(15, "the rest of an amount that has a step more, in a tree",
          swap(StepLayer, "node_counts", rest_of_a_step_more),
          released("counts by brute force", amount="coarse", cells="adaptive", crowd="everywhere")),
    Fault(15, "steps of an amount that wrap at 16 bits, in a tree",
          swap(StepTally, "keep", steps_of_sixteen_bits),
          released("counts by brute force", amount="fine", cells="adaptive", crowd="everywhere")),
    Fault(15, "the rest of an amount with the noise of the amount",
          swap(Kernel, "measure_cells", rest_with_the_noise_of_the_amount),
          released("apart", amount="coarse", epsilon=Fraction(1, 4000))),
    Fault(15, "means over true counts", wrap(mean_from_true_counts),
          checks.counts_under_means_have_noise),
    Fault(16, "a gap left out of the sensitivity",
          swap(CutShares, "influence", influence_without_gaps),
          checks.records_in_gaps_count_in_the_sensitivity),
    Fault(16, "a gap left out of the sensitivity where districts are many",
          swap(CutShares, "influence", influence_without_gaps_of_many),
          checks.records_in_gaps_of_many_districts_count_in_the_sensitivity),
    Fault(16, "cells that a border comes to taken for whole ones",
          swap(CutShares, "influence", influence_of_shares_alone),
          checks.records_in_gaps_count_in_the_sensitivity),
    Fault(16, "a record in two cells of H3", swap(CountsByCell, "keep", in_two_cells),
          audited(INDEXED, "counts")),
    Fault(16, "the sensitivity of a finer resolution for a coarser one",
          swap(PolygonPartition, "overlap", resolutions_of_one_sensitivity),
          checks.records_in_cells_of_h3_count_in_the_sensitivity),
    Fault(16, "records left out of the first candidate alone",
          swap(ChoiceTally, "_held", held_by_the_first),
          checks.what_one_candidate_leaves_out_is_left_out_of_all),
    Fault(16, "a border that only touches a cell",
          swap(partitions, "_border_comes", cut_well_inside),
          checks.borders_that_only_touch_a_cell_cut_it),
]  # fmt: skip


STOPS = {"check_bound", "dealt"}
"""Functions that stop a release where a person, or a record, would count twice."""


def caught(fault: Fault) -> bool:
    """Tell whether the fault's check passes without the fault and fails with it."""
    with no_fault() as attack:
        if not fault.check(attack):
            return False
    with fault.plant() as attack:
        try:
            return not fault.check(attack)
        except GeodpError as refusal:  # nothing was published, and no fault of the fault's
            steps = {frame.f_code.co_name for frame, _ in walk_tb(refusal.__traceback__)}
            return isinstance(refusal, Overspent) or not steps.isdisjoint(STOPS)


PAGE = shared.DOCS / "privacy.md"


def table() -> str:
    """The table of docs/privacy.md."""
    rows = [(fault.claim, fault.name, fault.caught_by) for fault in FAULTS]
    return "\n".join(shared.table(("claim", "planted fault", "caught by"), rows, words=3))


if __name__ == "__main__":
    shared.write_part(PAGE, "faults", table())
