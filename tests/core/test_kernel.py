"""Every line of the kernel, with numbers by hand: what is counted, spent, drawn and refused."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import time
import weakref
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE, square

from geodp.core.common.errors import GeodpError, InputError
from geodp.core.kernel import kernel as module
from geodp.core.kernel.kernel import Kernel, Nodes, Overspent
from geodp.core.privacy.budget import Budget, total
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.quantity import PLAIN, Quantity
from geodp.core.privacy.unit import Unit
from geodp.core.space.domain import Domain
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid
from geodp.core.space.support import Support

FRAME = Frame(square(8.0), (2, 3), 2)
BOUNDS = (0.0, 0.0, 8.0, 8.0)
SHORE = Frame(Domain(BOUNDS, PLANE, within=Support(BOUNDS, [[0, 0], [1, 0]])), (2, 2), 2)
ONE = np.zeros(1, dtype=np.int64)
HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)


class Counts:
    """True counts by hand: base cell i of the frame holds ``first + i`` records."""

    def __init__(self, frame: Frame = FRAME, first: int = 0) -> None:
        self.frame, self.asked = frame, []
        self.base = np.arange(frame.cells) + first

    def node_counts(self, codes: Any, depth: int) -> Any:
        self.asked.append((depth, codes.tolist()))
        if depth == 0:
            return np.full(len(codes), self.base.sum())
        each = 1 << self.frame.bits(depth)
        return self.base.reshape(-1, each).sum(axis=1)[codes]

    def prepare(self, codes: Any, depth: int) -> None:
        self.asked.append(("prepare", depth, codes.tolist()))

    def on(self, grid: Grid) -> Any:
        return self.base[: grid.cells].reshape(grid.shape)


class Groups:
    def __init__(self, *layers: Counts) -> None:
        self.groups = layers


class Known(RandomBits):
    """Noise that is known: 1000, 1001 and so on, from another thousand for each fork."""

    from_system = True

    def __init__(self, first: int = 1000) -> None:
        super().__init__()
        self.first, self.drawn = first, []
        self.forks: dict[str, Known] = {}

    def fork(self, name: str) -> Known:
        self.forks[name] = Known(self.first + 1000 * (len(self.forks) + 1))
        return self.forks[name]

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        self.drawn.append((scale, count))
        return np.arange(self.first, self.first + count)


def make_kernel(
    *layers: Counts, epsilon: Any = 1, unit: Unit | None = None, bits: Any = None, **options: Any
) -> Kernel:
    tally = Groups(*(layers or (Counts(),)))
    names = [f"group {number}" for number in range(len(layers))] if len(layers) > 1 else None
    return Kernel(
        tally,
        epsilon=epsilon,
        unit=unit or Unit("record"),
        bits=bits or Known(),
        **{"groups": names, **options},
    )


def roots(kernel: Kernel) -> Any:
    return kernel.split(kernel.domain, ONE)


# --- what a kernel begins with ----------------------------------------------------------------


def test_a_kernel_begins_with_all_of_epsilon_at_the_domain():
    kernel = make_kernel(epsilon=0.3)
    assert kernel.epsilon == Fraction(3, 10)
    assert kernel.amounts == (0, Fraction(3, 10))
    domain = kernel.domain
    assert (domain.depth, domain.codes.tolist(), domain.rest.tolist()) == (0, [0], [1])
    assert domain.supported.tolist() == [True]
    assert domain.supported.dtype == bool
    assert len(domain) == 1
    assert kernel.spends == ()
    assert make_kernel(epsilon=Budget("2/7")).epsilon == Fraction(2, 7)


@pytest.mark.parametrize("epsilon", [0, -1, "x", float("nan"), float("inf")])
def test_an_epsilon_that_is_none_is_refused(epsilon):
    with pytest.raises(InputError, match="epsilon"):
        make_kernel(epsilon=epsilon)


def test_every_group_has_a_name_and_none_is_left_over():
    tally = Groups(Counts(), Counts())
    for names in (None, ["a"], ["a", "b", "c"], []):
        with pytest.raises(Overspent, match="a name for each group"):
            Kernel(tally, epsilon=1, unit=Unit("record"), bits=Known(), groups=names)
    bits = Known()
    Kernel(tally, epsilon=1, unit=Unit("record"), bits=bits, groups=["a", "b"])
    assert list(bits.forks) == ["a", "b"]


class Booked:
    """An account that remembers, or refuses."""

    def __init__(self, full: bool = False) -> None:
        self.full, self.spends = full, []

    def spend(self, *spend: Any) -> None:
        if self.full:
            raise InputError("the account is full.")
        self.spends.append(spend)


def test_the_spend_is_booked_once_before_anything_is_measured():
    account, unit = Booked(), Unit("person", 5, "replace")
    kernel = make_kernel(epsilon="3/7", unit=unit, account=account, ledger_text="a map")
    assert account.spends == [(Fraction(3, 7), unit, "a map")]
    kernel.measure(kernel.domain, ONE, TENTH, "total")
    assert len(account.spends) == 1
    with pytest.raises(InputError, match="full"):
        make_kernel(account=Booked(full=True))


def test_a_kernel_shows_nothing_and_cannot_be_copied_or_sent():
    kernel = make_kernel()
    assert repr(kernel) == str(kernel) == "Kernel(private)"
    for work in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(GeodpError, match="never copied, sent or written"):
            work(kernel)


# --- measure ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "distance"),
    [
        (Unit("record"), 1),
        (Unit("record", 1, "replace"), 2),
        (Unit("person", 5), 5),
        (Unit("person", 5, "replace"), 10),
        (Unit("feature", 3), 3),
        (Unit("person", 1000, "replace"), 2000),
    ],
)
def test_noise_has_the_scale_distance_over_share(unit, distance):
    bits = Known()
    kernel = make_kernel(unit=unit, bits=bits)
    values, scale = kernel.measure(kernel.domain, ONE, THIRD, "total")
    assert scale == 3 * distance
    assert bits.drawn == [(3 * distance, 1)]
    assert [value.tolist() for value in values] == [[sum(range(96)) + 1000]]
    (spend,) = kernel.spends
    assert (spend.step, spend.epsilon, spend.sensitivity) == ("total", THIRD, distance)
    assert spend.mechanism == "discrete Laplace noise"
    kernel = make_kernel(unit=unit)
    assert kernel.measure_cells(Grid(FRAME.domain, (1, 1)), THIRD, "counts").scale == 3 * distance


def test_an_awkward_share_gets_more_noise_and_not_less():
    share = Fraction("0.33333333333333331")
    for distance in (1, 7):
        kernel = make_kernel(unit=Unit("person", distance))
        scale = kernel.measure(kernel.domain, ONE, share, "total").scale
        assert distance / share < scale < distance / share * (1 + Fraction(1, 10**9))


def test_only_the_nodes_asked_for_are_measured_each_with_a_draw_of_its_own():
    tally, bits = Counts(), Known()
    kernel = make_kernel(tally, bits=bits)
    nodes = roots(kernel)
    tally.asked.clear()
    (values,), scale = kernel.measure(nodes, np.array([1, 4]), HALF, "root", "in words")
    assert tally.asked == [(1, [1, 4])]
    each = np.arange(96).reshape(6, 16).sum(axis=1)
    assert values.tolist() == [each[1] + 1000, each[4] + 1001]
    assert (scale, bits.drawn) == (2, [(2, 2)])
    assert kernel.spends[0].mechanism == "in words"
    assert [kernel.amounts[number] for number in nodes.rest] == [1, HALF, 1, 1, HALF, 1]


def test_every_group_has_its_counts_and_its_noise():
    kernel = make_kernel(Counts(), Counts(first=5), Counts(first=7))
    (a, b, c), scale = kernel.measure(kernel.domain, ONE, HALF, "total")
    base = sum(range(96))
    assert [a.tolist(), b.tolist(), c.tolist()] == [
        [base + 2000],
        [base + 96 * 5 + 3000],
        [base + 96 * 7 + 4000],
    ]
    assert scale == 2


def test_the_last_of_many_groups_has_as_much_noise_as_the_first():
    bits, many = Known(), 300
    kernel = make_kernel(*(Counts() for _ in range(many)), bits=bits)
    kernel.measure(kernel.domain, ONE, Fraction(1, 4), "total")
    kernel.measure_cells(Grid(FRAME.domain, (2, 3)), Fraction(1, 2), "counts")
    nodes = roots(kernel)
    kernel.measure(nodes, np.arange(6), Fraction(1, 4), "root")
    assert len(bits.forks) == many
    for fork in bits.forks.values():
        assert fork.drawn == [(4, 1), (2, 6), (4, 6)]


@pytest.mark.parametrize("share", [0, -1, Fraction(-1, 10)])
def test_a_share_is_positive(share):
    bits = Known()
    kernel = make_kernel(bits=bits)
    with pytest.raises(Overspent, match="positive fraction"):
        kernel.measure(kernel.domain, ONE, Fraction(share), "total")
    assert bits.drawn == []


@pytest.mark.parametrize("share", [1, 0.5, True, np.float64(0.5), np.int64(1), float("nan"), "1"])
def test_a_share_is_a_fraction_and_nothing_that_is_rounded(share):
    kernel = make_kernel()
    with pytest.raises(Overspent, match="positive fraction"):
        kernel.measure(kernel.domain, ONE, share, "total")
    assert kernel.amounts == (0, 1)
    assert kernel.spends == ()


def test_all_of_epsilon_can_be_spent_and_not_a_billionth_more():
    kernel = make_kernel()
    for _ in range(10):
        kernel.measure(kernel.domain, ONE, TENTH, "tenth")
    assert kernel.domain.rest.tolist() == [0]
    for share in (Fraction(1, 10**9), Fraction(1, 10**400), 1):
        with pytest.raises(Overspent, match="where 0 is left: ask for less"):
            kernel.measure(kernel.domain, ONE, Fraction(share), "more")
    fresh = make_kernel()
    for more in (Fraction(1, 10**9), Fraction(1, 10**400)):
        with pytest.raises(Overspent, match="where 1 is left"):
            fresh.measure(fresh.domain, ONE, 1 + more, "more")


def test_what_is_refused_costs_nothing_and_draws_nothing():
    tally, bits = Counts(), Known()
    kernel = make_kernel(tally, bits=bits)
    nodes = roots(kernel)
    kernel.measure(nodes, np.array([2]), Fraction(3, 4), "first")
    before, asked, drawn = nodes.rest.copy(), len(tally.asked), len(bits.drawn)
    with pytest.raises(Overspent, match="1/2 of ε was asked for where 1/4 is left"):
        kernel.measure(nodes, np.arange(6), HALF, "second")
    assert np.array_equal(nodes.rest, before)
    assert (len(tally.asked), len(bits.drawn)) == (asked, drawn)
    assert [spend.step for spend in kernel.spends] == ["first"]


def test_nodes_with_unlike_remainders_each_lose_the_share():
    kernel = make_kernel()
    nodes = roots(kernel)
    kernel.measure(nodes, np.array([0, 5]), Fraction(1, 4), "a")
    kernel.measure(nodes, np.array([5]), Fraction(1, 4), "b")
    kernel.measure(nodes, np.array([0, 1, 5]), HALF, "c")
    left = [kernel.amounts[number] for number in nodes.rest]
    assert left == [Fraction(1, 4), HALF, 1, 1, 1, 0]
    kernel.measure(nodes, np.array([1, 2]), HALF, "d")
    assert [kernel.amounts[number] for number in nodes.rest] == [Fraction(1, 4), 0, HALF, 1, 1, 0]
    assert total(kernel.spends) == 1


def test_an_amount_has_one_number_however_often_it_comes_up():
    kernel = make_kernel()
    nodes = roots(kernel)
    for place in range(6):
        kernel.measure(nodes, np.array([place]), THIRD, "root")
    assert kernel.amounts == (0, 1, 1 - THIRD)


def test_no_node_at_all_costs_nothing():
    kernel = make_kernel()
    nodes = roots(kernel)
    none = np.zeros(0, dtype=np.int64)
    (values,), _ = kernel.measure(nodes, none, HALF, "nothing")
    assert len(values) == 0
    assert kernel.spends == ()
    assert kernel.split(nodes, none).codes.tolist() == []
    kernel.measure(nodes, np.arange(6), Fraction(1), "all")
    assert [(spend.step, spend.epsilon) for spend in kernel.spends] == [("all", 1)]


WRONG = [[0, 0], [1, 0], [0, 2, 1], [-1], [-1, 0], [6], [0, 6], [[0]], [0.0], [True], 0]


@pytest.mark.parametrize("which", WRONG, ids=str)
def test_nodes_are_named_by_rising_positions(which):
    kernel = make_kernel()
    nodes = roots(kernel)
    for work in (
        lambda: kernel.measure(nodes, np.array(which), HALF, "root"),
        lambda: kernel.split(nodes, np.array(which)),
    ):
        with pytest.raises(Overspent, match="each once and in their order"):
            work()
    assert nodes.rest.tolist() == [1] * 6
    for right in ([0], [5], [0, 5], [0, 1, 2, 3, 4, 5]):
        kernel.measure(nodes, np.array(right, dtype=np.int32), TENTH, "root")


def test_a_mask_does_not_hide_that_a_node_is_named_twice():
    """NumPy compares nothing behind a mask, and takes what is there all the same."""
    kernel = make_kernel()
    nodes = roots(kernel)
    twice = np.ma.array([0, 1, 0, 2], mask=[False, False, True, False])
    assert (twice[1:] > twice[:-1]).all()
    for question in (
        lambda: kernel.measure(nodes, twice, HALF, "root"),
        lambda: kernel.split(nodes, twice),
    ):
        with pytest.raises(Overspent, match="each once and in their order"):
            question()
    assert nodes.rest.tolist() == [1] * 6


def test_threads_are_answered_one_after_the_other():
    """Otherwise two of them could be told the same remainder before either has spent it."""
    inside: list[int] = []

    class Slow(Counts):
        def node_counts(self, codes: Any, depth: int) -> Any:
            inside.append(1)
            before = len(inside)
            time.sleep(0.02)
            assert len(inside) == before, "another thread came in"
            return super().node_counts(codes, depth)

    kernel, answers = make_kernel(Slow()), []
    asking = [
        threading.Thread(
            target=lambda: answers.append(kernel.measure(kernel.domain, ONE, TENTH, "total"))
        )
        for _ in range(4)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert len(answers) == 4
    assert total(kernel.spends) == 4 * TENTH


# --- split ------------------------------------------------------------------------------------


def test_children_are_all_there_with_what_the_parent_had():
    tally = Counts()
    kernel = make_kernel(tally)
    kernel.measure(kernel.domain, ONE, TENTH, "total")
    nodes = roots(kernel)
    assert (nodes.depth, nodes.codes.tolist(), len(nodes)) == (1, [0, 1, 2, 3, 4, 5], 6)
    assert [kernel.amounts[number] for number in nodes.rest] == [Fraction(9, 10)] * 6
    assert kernel.domain.rest.tolist() == [0]
    kernel.measure(nodes, np.array([4]), HALF, "root")
    quarters = kernel.split(nodes, np.array([1, 4]))
    assert quarters.depth == 2
    assert quarters.codes.tolist() == [4, 5, 6, 7, 16, 17, 18, 19]
    assert quarters.supported.tolist() == [True] * 8
    left = [kernel.amounts[number] for number in quarters.rest]
    assert left == [Fraction(9, 10)] * 4 + [Fraction(2, 5)] * 4
    assert [kernel.amounts[number] > 0 for number in nodes.rest] == [1, 0, 1, 1, 0, 1]
    assert tally.asked[-1] == ("prepare", 2, [4, 5, 6, 7, 16, 17, 18, 19])
    (values,), _ = kernel.measure(quarters, np.array([1]), TENTH, "tree")
    assert values.tolist() == [sum(range(20, 24)) + 1000]


def test_every_group_is_prepared():
    first, second = Counts(), Counts(first=5)
    roots(make_kernel(first, second))
    assert first.asked == second.asked == [("prepare", 1, [0, 1, 2, 3, 4, 5])]


def test_what_was_handed_down_is_gone_and_cannot_be_handed_down_twice():
    kernel = make_kernel()
    nodes = roots(kernel)
    for again in (kernel.domain, nodes):
        if again is nodes:
            kernel.split(nodes, np.array([3]))
        with pytest.raises(Overspent, match="is left"):
            kernel.measure(again, np.array([0 if again is kernel.domain else 3]), TENTH, "more")
    with pytest.raises(Overspent, match="without budget cannot be split"):
        kernel.split(kernel.domain, ONE)
    with pytest.raises(Overspent, match="without budget cannot be split"):
        kernel.split(nodes, np.array([2, 3]))
    assert nodes.rest.tolist() == [1, 1, 1, 0, 1, 1]
    with pytest.raises(Overspent, match="where 0 is left"):
        kernel.measure_cells(Grid(FRAME.domain, (1, 1)), TENTH, "counts")


def test_children_where_no_records_can_be_have_nothing_to_spend():
    kernel = make_kernel(Counts(SHORE))
    nodes = roots(kernel)
    assert nodes.supported.tolist() == [True, False, False, False]
    assert nodes.rest.tolist() == [1, 0, 0, 0]
    with pytest.raises(Overspent, match="where 0 is left"):
        kernel.measure(nodes, np.array([0, 1]), TENTH, "root")
    with pytest.raises(Overspent, match="without budget"):
        kernel.split(nodes, np.array([1]))


def test_a_part_of_nodes_has_their_budget_and_no_other():
    kernel = make_kernel()
    nodes = roots(kernel)
    part = kernel.part(nodes, 2, 4)
    assert (part.depth, part.codes.tolist(), part.supported.tolist()) == (1, [2, 3], [True] * 2)
    kernel.measure(part, np.array([1]), Fraction(1), "root")
    assert nodes.rest.tolist() == [1, 1, 1, 0, 1, 1]
    kernel.measure(nodes, np.array([2]), Fraction(1), "root")
    assert part.rest.tolist() == [0, 0]


def test_nodes_of_another_kernel_are_refused():
    """Two kernels on the same counts: what one gave out is not paid for by the other's ε."""
    tally = Counts()
    kernel, other = make_kernel(tally), make_kernel(tally)
    for nodes in (other.domain, other.part(roots(other), 0, 1)):
        with pytest.raises(Overspent, match="the nodes that it gave out"):
            kernel.measure(nodes, ONE, HALF, "total")
        with pytest.raises(Overspent, match="the nodes that it gave out"):
            kernel.split(nodes, ONE)
        with pytest.raises(Overspent, match="the nodes that it gave out"):
            kernel.part(nodes, 0, 1)
    assert kernel.spends == ()


def test_nodes_that_a_client_made_up_are_refused():
    """With budget of their own, or a part of such: they were never given out."""
    kernel = make_kernel()
    nodes = roots(kernel)
    kernel.measure(nodes, ONE, Fraction(1), "root")
    again = Nodes(1, nodes.codes, nodes.supported, np.ones(len(nodes), dtype=np.int16))
    for made_up in (again, replace(nodes, _rest=nodes.rest + 1), copy.copy(nodes)):
        with pytest.raises(Overspent, match="the nodes that it gave out"):
            kernel.measure(made_up, ONE, HALF, "root")
        with pytest.raises(Overspent, match="the nodes that it gave out"):
            kernel.part(made_up, 0, 1)
    with pytest.raises(FrozenInstanceError):
        nodes.codes = nodes.codes[::-1]


def test_there_are_only_so_many_different_amounts():
    """Amounts are numbered in 16 bits: one more would be taken for another."""
    kernel = make_kernel()
    kernel._amounts |= {Fraction(-number): number + 1 for number in range(1, 2**15 - 1)}
    with pytest.raises(Overspent, match="too many different amounts"):
        kernel.measure(kernel.domain, ONE, HALF, "total")


def test_true_counts_are_let_go_of_with_the_kernel():
    """No circle of references keeps them until a collection of garbage that may never come."""
    gc.collect()
    gc.disable()
    try:
        tally = Counts()
        kernel = make_kernel(tally)
        nodes = kernel.part(roots(kernel), 0, 2)
        kernel.measure(nodes, ONE, HALF, "root")
        counts = weakref.ref(tally)
        del tally, kernel
        assert counts() is None
        assert len(nodes) == 2  # what was given out may stay
    finally:
        gc.enable()


def test_what_is_left_can_be_read_and_not_written():
    nodes = roots(make_kernel())
    for array in (nodes.rest, nodes.codes, nodes.supported):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


# --- cells ------------------------------------------------------------------------------------


def test_cells_of_a_grid_are_measured_in_each_group_for_one_share():
    kernel = make_kernel(Counts(), Counts(first=50))
    grid = Grid(FRAME.domain, (2, 2))
    (first, second), scale = kernel.measure_cells(grid, HALF, "counts", "in words")
    assert scale == 2
    assert (first - np.arange(2000, 2004)).tolist() == [0, 1, 2, 3]
    assert (second - np.arange(3000, 3004)).tolist() == [50, 51, 52, 53]
    assert kernel.domain.rest.tolist() == [2]
    assert kernel.amounts[2] == HALF
    assert [(s.step, s.mechanism, s.epsilon) for s in kernel.spends] == [
        ("counts", "in words", HALF)
    ]
    with pytest.raises(Overspent, match="2/3 of ε was asked for where 1/2 is left"):
        kernel.measure_cells(grid, Fraction(2, 3), "counts")


def test_groups_are_added_up_before_noise_that_is_nobodys():
    kernel = make_kernel(Counts(), Counts(first=50))
    (both,), _ = kernel.measure_cells(Grid(FRAME.domain, (2, 2)), HALF, "sketch", together=True)
    assert (both - np.arange(1000, 1004)).tolist() == [50, 52, 54, 56]
    (alone,), _ = make_kernel().measure_cells(Grid(FRAME.domain, (1, 2)), HALF, "s", together=True)
    assert (alone - np.arange(1000, 1002)).tolist() == [0, 1]


def test_cells_where_no_records_can_be_are_not_measured():
    grid = Grid(SHORE.domain, (2, 2))
    bits = Known()
    (values,), _ = make_kernel(Counts(SHORE), bits=bits).measure_cells(grid, HALF, "counts")
    assert grid.supported.sum() == 1
    assert values.tolist() == [int(np.arange(4).reshape(2, 2)[grid.supported][0]) + 1000]
    assert bits.drawn == [(2, 1)]


@pytest.mark.parametrize(
    "supported",
    [np.zeros(4, dtype=np.int64), np.zeros((2, 2), dtype=np.int64), np.ones(2, dtype=np.bool_)],
    ids=["places", "rows", "too few"],
)
def test_cells_that_do_not_say_of_each_whether_records_can_be_there_are_refused(supported):
    """Numbers would choose some of them twice, each time with other noise."""

    class Cells:
        shape, cells = (2, 2), 4

    Cells.supported = supported
    bits = Known()
    with pytest.raises(Overspent, match="of each, once"):
        make_kernel(bits=bits).measure_cells(Cells(), HALF, "counts")
    assert bits.drawn == []


# --- choose -----------------------------------------------------------------------------------


class Chosen:
    """A choice that writes down what it is given."""

    def __init__(self, sensitivity: Any = 1) -> None:
        self.sensitivity, self.given = Fraction(sensitivity), []

    def qualities(self, tally: Any, rate: Fraction) -> list[Fraction]:
        self.given.append((tally, rate))
        return [Fraction(3), Fraction(4)]

    def draw(self, qualities: Any, rate: Fraction, bits: Any) -> int:
        self.given.append((qualities, rate, bits))
        return 1


@pytest.mark.parametrize("quantity", [PLAIN, Quantity("people", 720_720)])
@pytest.mark.parametrize("unit", [Unit("record"), Unit("person", 5, "replace")])
def test_a_choice_is_drawn_with_its_share_for_one_unit_of_a_record(unit, quantity):
    bits = Known()
    kernel, choice = make_kernel(unit=unit, bits=bits, quantity=quantity), Chosen()
    assert kernel.choose(choice, HALF, "tuning", "drawn") == 1
    rate = HALF / unit.distance / quantity.units
    assert choice.given[0] == (kernel._tally, rate)
    assert choice.given[1] == ([Fraction(3), Fraction(4)], rate, bits)
    assert [(s.step, s.mechanism, s.epsilon, s.sensitivity) for s in kernel.spends] == [
        ("tuning", "drawn", HALF, unit.distance)
    ]
    kernel.choose(Chosen(), HALF, "again", "drawn")
    with pytest.raises(Overspent, match="where 0 is left"):
        kernel.choose(Chosen(), TENTH, "more", "drawn")


@pytest.mark.parametrize("sensitivity", ["1/2", 2, 0, "1000000001/1000000000"])
def test_a_choice_whose_qualities_move_by_anything_but_one_is_refused(sensitivity):
    kernel, choice = make_kernel(), Chosen(sensitivity)
    with pytest.raises(Overspent, match="by at most 1"):
        kernel.choose(choice, HALF, "tuning", "drawn")
    assert choice.given == []
    assert kernel.spends == ()


# --- randomness -------------------------------------------------------------------------------


def every_question(kernel: Kernel) -> list[Any]:
    return [
        lambda: kernel.measure(kernel.domain, ONE, TENTH, "total"),
        lambda: kernel.measure_cells(Grid(FRAME.domain, (1, 1)), TENTH, "counts"),
        lambda: kernel.measure_cells(Grid(FRAME.domain, (1, 1)), TENTH, "s", together=True),
        lambda: kernel.choose(Chosen(), TENTH, "tuning", "drawn"),
    ]


def test_bits_that_are_not_the_systems_are_refused_wherever_they_are():
    for spoil in ("_bits", "_group_bits"):
        for other in (RandomBits(7), _elsewhere()):
            kernel = make_kernel(Counts(), Counts(), bits=RandomBits())
            good = kernel._group_bits[0]
            setattr(kernel, spoil, other if spoil == "_bits" else [good, other])
            for question in every_question(kernel):
                with pytest.raises(GeodpError, match="must come from the operating system"):
                    question()
    kernel = make_kernel(Counts(), Counts(), bits=RandomBits(7))
    for question in every_question(kernel):
        question()  # a seed is known, and said
    kernel._group_bits[1] = RandomBits()
    for question in every_question(kernel):
        with pytest.raises(GeodpError, match="must come from the operating system"):
            question()


def _elsewhere() -> RandomBits:
    bits = RandomBits()
    bits._bytes = bytes
    return bits


@pytest.mark.parametrize("bits", [RandomBits(3), RandomBits()])
def test_a_kernel_says_whether_it_is_seeded(bits):
    assert make_kernel(bits=bits).seeded is bits.seeded


@pytest.mark.parametrize(
    "noise", [np.zeros(2), np.zeros(3, dtype=np.int64), np.zeros((2, 1), dtype=np.int64)]
)
def test_noise_of_another_shape_or_kind_is_refused(noise, monkeypatch):
    bits = Known()
    monkeypatch.setattr(bits, "discrete_laplace", lambda *_: noise)
    with pytest.raises(GeodpError, match="a whole number of noise for each count"):
        module._add_noise(np.arange(2), Fraction(1), bits)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64])
def test_counts_of_any_type_are_added_up_in_64_bits(kind):
    most = np.iinfo(kind).max if kind != np.int64 else 2**62
    noisy = module._add_noise(np.array([0, most], dtype=kind), Fraction(1), Known())
    assert noisy.dtype == np.int64
    assert noisy.tolist() == [1000, int(most) + 1001]


# --- the transcript ---------------------------------------------------------------------------


def test_the_transcript_adds_up_to_the_most_that_any_path_cost():
    kernel = make_kernel()
    kernel.measure(kernel.domain, ONE, TENTH, "total")
    nodes = roots(kernel)
    kernel.measure(nodes, np.arange(6), Fraction(2, 10), "root")
    kernel.measure(nodes, np.array([0]), TENTH, "tree")
    kernel.measure(nodes, np.array([1]), Fraction(4, 10), "tree")
    kernel.measure(nodes, np.array([0]), TENTH, "tree")
    assert [(s.step, s.epsilon) for s in kernel.spends] == [
        ("total", TENTH),
        ("root", Fraction(2, 10)),
        ("tree", Fraction(4, 10)),
    ]
    kernel.measure(nodes, np.array([2]), TENTH, "cheap")
    assert [s.step for s in kernel.spends] == ["total", "root", "tree"]
    kernel.measure(nodes, np.array([2]), Fraction(6, 10), "dear")
    assert total(kernel.spends) == 1
    assert kernel.spends[-1].epsilon == Fraction(3, 10)


@pytest.mark.parametrize("epsilon", ["1/3", "0.1234567890123456789", "1e-30", f"{10**25 + 1}/3"])
def test_epsilon_is_neither_more_nor_less_than_was_asked_for(epsilon):
    kernel = make_kernel(epsilon=epsilon)
    assert kernel.epsilon == kernel.amounts[1] == Budget(epsilon).epsilon


class Sides(RandomBits):
    """Noise that makes the same published numbers of other true counts."""

    from_system = True

    def __init__(self, published: int, tally: Any) -> None:
        super().__init__()
        self.published, self.tally = published, tally

    def discrete_laplace(self, scale: Fraction, count: int) -> Any:
        del scale, count
        return self.published - self.tally.answered.pop(0)


class Heard(Counts):
    """True counts that remember what they answered; some records more are in the first cell."""

    def __init__(self, more: int = 0) -> None:
        super().__init__()
        self.base[0] += more

    @property
    def groups(self) -> tuple[Heard, ...]:
        return (self,)

    @property
    def total(self) -> int:
        return int(self.base.sum())

    def node_counts(self, codes: Any, depth: int) -> Any:
        self.answered = [super().node_counts(codes, depth)]
        return self.answered[0]


@pytest.mark.parametrize("more", [1, 2, 1001, 2**40])
def test_nothing_that_can_be_read_of_a_kernel_depends_on_more_than_it_publishes(more):
    """Neither words nor shares of the transcript, nor codes, nor what is left."""
    seen = []
    for counts in (Heard(), Heard(more)):
        kernel = Kernel(counts, epsilon=1, unit=Unit("record"), bits=Sides(5, counts))
        answers = [kernel.measure(kernel.domain, ONE, TENTH, "total")]
        nodes = roots(kernel)
        answers.append(kernel.measure(nodes, np.arange(len(nodes)), TENTH, "root", "how"))
        reprs = map(repr, (answers, kernel.spends, kernel.amounts, kernel))
        read = (nodes.codes, nodes.supported, nodes.rest)
        seen.append([*reprs, *(each.tolist() for each in read)])
    assert seen[0] == seen[1]


@examples(60)
@given(st.data())
def test_whatever_is_asked_no_record_costs_more_than_epsilon(data):
    """A client that asks for anything: ε along every path, added up beside the kernel."""
    frame = Frame(square(8.0), (1, 2), 2)
    cells = frame.cells
    kernel = make_kernel(Counts(frame), epsilon=data.draw(st.sampled_from([1, "1/3", 7])))
    spent = [Fraction(0)] * cells
    given_out, dead = [kernel.domain], set()
    for _ in range(data.draw(st.integers(1, 12))):
        number = data.draw(st.integers(0, len(given_out) - 1))
        nodes = given_out[number]
        size = 1 << frame.bits(nodes.depth) if nodes.depth else cells
        places = data.draw(st.sets(st.integers(0, len(nodes) - 1), min_size=1))
        which = np.array(sorted(places))
        below = [cell for at in nodes.codes[which] for cell in range(at * size, at * size + size)]
        names = {(nodes.depth, int(at)) for at in nodes.codes[which]}
        if data.draw(st.booleans()) and nodes.depth < frame.depth:
            gone = names & dead or any(spent[cell] == kernel.epsilon for cell in below)
            try:
                given_out.append(kernel.split(nodes, which))
                assert not gone
                dead |= names
            except Overspent:
                assert gone
            continue
        share = kernel.epsilon * data.draw(st.sampled_from([1, HALF, THIRD, TENTH]))
        over = names & dead or any(spent[cell] + share > kernel.epsilon for cell in below)
        try:
            scale = kernel.measure(nodes, which, share, data.draw(st.sampled_from("abc"))).scale
            assert not over
            assert scale == 1 / share
            for cell in below:
                spent[cell] += share
        except Overspent:
            assert over
    assert max(spent) <= kernel.epsilon
    assert total(kernel.spends) == max(spent)
