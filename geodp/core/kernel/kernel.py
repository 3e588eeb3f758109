"""Hold the true counts and give out noisy numbers for ε: the privacy boundary.

True counts are reached through the verbs of :class:`Kernel` alone. ``measure`` publishes counts
with discrete Laplace noise, ``choose`` publishes an index; whoever calls them sees what is
published and nothing else. A fault in a caller may spoil accuracy; it cannot spend more than ε,
because ε is not the caller's to count.

Budget flows down a public tree. The domain is the first node and has all of ε. What a node has left
can be spent on its own count, or handed down once to all of its children, each of which then has as
much: they are disjoint, so a record is in one of them. A node that handed its budget down has
nothing left. So the parts that are spent on nodes around any one record add up to at most ε
(docs/privacy.md, claim 1 and claim 11). Noise of scale ``distance / share`` on a count makes a
share of ε, where neighbouring datasets differ by adding and removing at most ``distance`` records.

Where records carry units, all of this is in units: counts, and the distance, which is then what
neighbouring datasets differ by in all cells together (claim 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from threading import RLock
from typing import Any, NamedTuple, Protocol, TypeVar, cast
from weakref import WeakSet

import numpy as np

from ..common.errors import GeodpError
from ..common.types import Bools, Ints, SignedInts, freeze
from ..privacy.account import Account
from ..privacy.budget import Budget, ExactNumber, Spend
from ..privacy.noise import RandomBits, noise_scale
from ..privacy.quantity import PLAIN, Quantity
from ..privacy.unit import Unit

_NOISE = "discrete Laplace noise"

_Verb = TypeVar("_Verb", bound=Callable[..., Any])


def _one_at_a_time(verb: _Verb) -> _Verb:
    """Answer threads in turn: two at once could spend the same remainder."""

    @wraps(verb)
    def answer(self: Kernel, *asked: Any, **named: Any) -> Any:
        with self._answering:
            return verb(self, *asked, **named)

    return cast(_Verb, answer)


class Overspent(GeodpError):
    """More was asked of the kernel than is left, or in a way that does not add up."""


class Choice(Protocol):
    """A private choice among candidates, which the kernel scores and draws."""

    @property
    def sensitivity(self) -> Fraction:
        """Return how far one unit moves a quality, at most: proven in docs/privacy.md."""

    def qualities(self, tally: Any, rate: Fraction) -> list[Fraction]:
        """Score every candidate from true counts, for what may be spent on one unit. Private."""

    def draw(self, qualities: Sequence[Fraction], rate: Fraction, bits: RandomBits) -> int:
        """Draw an index so that ``rate`` is spent for qualities of sensitivity 1."""


class Counted(Protocol):
    """Disjoint cells of the domain that a tally has counts of, such as those of a grid."""

    @property
    def supported(self) -> Bools:
        """Tell whether records can be in each."""


@dataclass(frozen=True, eq=False, repr=False)
class Nodes:
    """Disjoint nodes of one depth of the public tree, as the kernel gives them out.

    Attributes
    ----------
    depth : int
        Depth of the nodes; the domain has 0.
    codes : ndarray of int
        Code of each node, rising.
    supported : ndarray of bool
        Whether records can be in each.
    """

    depth: int
    codes: SignedInts
    supported: Bools
    _rest: SignedInts

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def rest(self) -> SignedInts:
        """Return what is left of each node's budget, as an index into :attr:`Kernel.amounts`."""
        return freeze(self._rest.view())


class Measured(NamedTuple):
    """Published counts of some nodes or cells in each group, and the scale of their noise."""

    values: list[Ints]
    scale: Fraction


class Kernel:
    """True counts, and what may still be spent on them. Private.

    Making a kernel records the spend in the account: nothing is published that is not booked.

    Parameters
    ----------
    tally : Tally, BaseTally or a tally of groups
        True counts, to which a protected unit adds at most what its distance says.
    epsilon : number or Budget
        What all that is published may cost for one protected unit.
    unit : Unit
        What is protected; says how far neighbouring datasets are apart.
    quantity : Quantity
        What the tally adds up, and in how many units.
    bits : RandomBits
        Source of randomness.
    groups : sequence of str, optional
        Names of the groups, each of which has randomness of its own.
    account : Account, optional
        Where the spend is recorded.
    ledger_text : str
        What it is for.

    Examples
    --------
    >>> from geodp.core.counts.tree_tally import BaseTally
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> tally = BaseTally(Frame(Domain((0, 0, 4, 4), crs="EPSG:5070")))
    >>> kernel = Kernel(tally, epsilon=1, unit=Unit("record"), bits=RandomBits(seed=1))
    >>> kernel
    Kernel(private)
    >>> kernel.measure(kernel.domain, np.array([0]), Fraction(1, 2), "total").scale
    Fraction(2, 1)
    >>> cells = kernel.split(kernel.domain, np.array([0]))
    >>> kernel.measure(cells, np.arange(len(cells)), Fraction(2, 3), "cells")
    Traceback (most recent call last):
    geodp.core.kernel.kernel.Overspent: 2/3 of ε was asked for where 1/2 is left: ask for less.
    """

    def __init__(
        self,
        tally: Any,
        *,
        epsilon: ExactNumber | Budget,
        unit: Unit,
        bits: RandomBits,
        quantity: Quantity = PLAIN,
        groups: Sequence[str] | None = None,
        account: Account | None = None,
        ledger_text: str = "",
    ) -> None:
        self.epsilon = Budget(epsilon).epsilon
        self.seeded = bits.seeded
        self._distance, self._tally, self._bits = unit.distance, tally, bits
        self._units = quantity.units
        self._group_bits = [bits] if groups is None else [bits.fork(name) for name in groups]
        if len(self._group_bits) != len(tally.groups):
            raise Overspent("the kernel needs a name for each group of the tally.")
        self._answering = RLock()
        self._amounts = {Fraction(0): 0, self.epsilon: 1}
        one = np.ones(1, dtype=np.int16)
        self._given: WeakSet[Nodes] = WeakSet()
        self.domain = self._give(0, np.zeros(1, dtype=np.int32), one > 0, one)
        self._steps: dict[str, tuple[str, Fraction]] = {}
        if account is not None:
            account.spend(self.epsilon, unit, ledger_text)

    def __repr__(self) -> str:
        return "Kernel(private)"

    def __reduce__(self) -> Any:
        raise GeodpError("a kernel holds true counts: it is never copied, sent or written.")

    @property
    def amounts(self) -> tuple[Fraction, ...]:
        """Return amounts of ε that nodes can have left, in the order in which they came up."""
        return tuple(self._amounts)

    @_one_at_a_time
    def measure(
        self, nodes: Nodes, places: Ints, share: Fraction, step: str, mechanism: str = _NOISE
    ) -> Measured:
        """Publish noisy counts of some nodes at the cost of a share of ε for each.

        Parameters
        ----------
        nodes : Nodes
            Nodes from :attr:`domain` or :meth:`split`.
        places : ndarray of int
            Positions of those to measure, rising.
        share : Fraction
            What each costs; all of them must have as much left.
        step : str
            What the measurement is for, in the transcript.
        mechanism : str
            The mechanism in words.
        """
        places = np.array(places)  # a copy, which nobody changes after the check
        scale = self._spend(nodes, places, share, step, mechanism)
        codes = nodes.codes[places]
        values = [
            _add_noise(group.node_counts(codes, nodes.depth), scale, bits)
            for group, bits in zip(self._tally.groups, self._checked_bits())
        ]
        return Measured(values, scale)

    @_one_at_a_time
    def measure_cells(
        self,
        grid: Counted,
        share: Fraction,
        step: str,
        mechanism: str = _NOISE,
        together: bool = False,
    ) -> Measured:
        """Publish noisy counts of those cells of a public grid where records can be.

        Cells of one grid are disjoint, so that all of them together cost the share once.

        Parameters
        ----------
        grid : Grid, or other cells
            Some that were counted: a record is in one of the cells.
        share : Fraction
            What it costs.
        step, mechanism : str
            As for :meth:`measure`.
        together : bool
            Whether groups are added up before noise is added.
        """
        scale = self._spend(self.domain, np.zeros(1, dtype=np.int64), share, step, mechanism)
        counts = [_chosen(group.on(grid), grid.supported) for group in self._tally.groups]
        group_bits = self._checked_bits()
        if together:
            counts, group_bits = [np.sum(counts, axis=0)], [self._bits]
        values = [_add_noise(true, scale, bits) for true, bits in zip(counts, group_bits)]
        return Measured(values, scale)

    @_one_at_a_time
    def choose(self, choice: Choice, share: Fraction, step: str, mechanism: str) -> int:
        """Publish the index of a candidate at the cost of a share of ε.

        Parameters
        ----------
        choice : Choice
            Scores candidates from true counts, and draws.
        share : Fraction
            What it costs.
        step, mechanism : str
            As for :meth:`measure`.
        """
        if choice.sensitivity != 1:
            raise Overspent("one unit must move the qualities of a choice by at most 1.")
        self._spend(self.domain, np.zeros(1, dtype=np.int64), share, step, mechanism)
        rate = share / (self._distance * self._units)
        self._checked_bits()
        return choice.draw(choice.qualities(self._tally, rate), rate, self._bits)

    @_one_at_a_time
    def split(self, nodes: Nodes, places: Ints) -> Nodes:
        """Hand the budget of some nodes down to all of their children, and return these.

        Children where no records can be have nothing left: their count is 0 for certain.
        """
        places = np.array(places)
        self._check_nodes(nodes, places)
        frame, rest = self._tally.groups[0].frame, nodes._rest[places]
        if not rest.all():
            raise Overspent("a node without budget cannot be split.")
        codes, fan_out = frame.child_codes(nodes.depth, nodes.codes[places])
        if not (codes[1:] > codes[:-1]).all():
            raise Overspent("children of a public tree must be disjoint, and in their order.")
        supported = frame.supported_codes(nodes.depth + 1, codes)
        nodes._rest[places] = 0
        for group in self._tally.groups:
            group.prepare(codes, nodes.depth + 1)
        rest = np.repeat(rest, fan_out) * supported
        return self._give(nodes.depth + 1, codes, supported, rest)

    def part(self, nodes: Nodes, start: int, stop: int) -> Nodes:
        """Give consecutive nodes by themselves; what they have left stays one and the same."""
        self._check_given(nodes)
        some = slice(start, stop)
        codes, supported = nodes.codes[some], nodes.supported[some]
        return self._give(nodes.depth, codes, supported, nodes._rest[some])

    @property
    def spends(self) -> tuple[Spend, ...]:
        """Return the transcript: what each step cost around any one record, at most."""
        listed, before = [], self.epsilon
        for step, (mechanism, left) in self._steps.items():
            if left < before:
                listed.append(Spend(step, mechanism, before - left, Fraction(self._distance)))
                before = left
        return tuple(listed)

    def _spend(
        self, nodes: Nodes, places: Ints, share: Fraction, step: str, mechanism: str
    ) -> Fraction:
        """Take a share off what some nodes have left, and return the scale of noise it buys."""
        self._check_nodes(nodes, places)
        if not (type(share) is Fraction and share > 0):
            raise Overspent(f"a share of ε is a positive fraction; got {share!r}.")
        rest = nodes._rest[places]
        uniform = len(rest) and (rest == rest[0]).all()
        present = [int(rest[0])] if uniform else np.unique(rest).tolist()
        amounts = self.amounts
        least = min((amounts[number] for number in present), default=share)
        if least < share:
            raise Overspent(f"{share} of ε was asked for where {least} is left: ask for less.")
        for number in present:
            after = self._amount_number(amounts[number] - share)
            nodes._rest[places if uniform else places[rest == number]] = after
        if len(rest):
            _, lowest = self._steps.get(step, (mechanism, self.epsilon))
            self._steps[step] = mechanism, min(lowest, least - share)
        scale = noise_scale(share, self._distance, self._units)
        if scale * share < self._distance * self._units:
            raise Overspent("noise must be as large as its share of ε asks for.")
        return scale

    def _amount_number(self, amount: Fraction) -> int:
        """Return the number of an amount that nodes can have left, listing it if it is new."""
        if amount not in self._amounts:
            if len(self._amounts) > np.iinfo(np.int16).max:
                raise Overspent("nodes have too many different amounts left: share ε more evenly.")
            self._amounts[amount] = len(self._amounts)
        return self._amounts[amount]

    def _give(self, depth: int, codes: SignedInts, supported: Bools, rest: SignedInts) -> Nodes:
        """Make nodes that the kernel knows again when it is asked for them."""
        nodes = Nodes(depth, freeze(codes), freeze(supported), rest)
        self._given.add(nodes)
        return nodes

    def _check_nodes(self, nodes: Nodes, places: Ints) -> None:
        """Refuse nodes of another kernel, and places that do not name each of some once."""
        self._check_given(nodes)
        rising = places.ndim == 1 and places.dtype.kind == "i" and (places[1:] > places[:-1]).all()
        if not rising or (len(places) and not (places[0] >= 0 and places[-1] < len(nodes))):
            raise Overspent("nodes must be named by their positions, each once and in their order.")

    def _check_given(self, nodes: Nodes) -> None:
        """Refuse nodes that this kernel did not give out."""
        if nodes not in self._given:
            raise Overspent("a kernel can be asked for the nodes that it gave out, and no others.")

    def _checked_bits(self) -> list[RandomBits]:
        """Return the randomness of each group, or refuse what the system did not draw."""
        for bits in (self._bits, *self._group_bits):
            if bits.seeded != self.seeded or not (bits.seeded or bits.from_system):
                raise GeodpError("the noise of a release must come from the operating system.")
        return self._group_bits


def _chosen(counts: Ints, supported: Bools) -> Ints:
    """Return counts of the cells where records can be, each once."""
    if supported.dtype != np.bool_ or supported.shape != counts.shape:
        raise Overspent("cells must say of each, once, whether records can be there.")
    return np.asarray(counts[supported])


def _add_noise(counts: Ints, scale: Fraction, bits: RandomBits) -> Ints:
    """Add discrete Laplace noise to true counts, a draw of its own to each."""
    noise = bits.discrete_laplace(scale, len(counts))
    if noise.shape != counts.shape or noise.dtype.kind != "i":
        raise GeodpError("there must be a whole number of noise for each count.")
    return np.asarray(counts + noise)
