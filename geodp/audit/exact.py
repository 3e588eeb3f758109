"""What a release tells, computed exactly: it is run with a script in place of chance.

A release takes its randomness from one object and its choice from one tuner, and both can be given
to it. Here they are replaced by ones that listen. The noise writes down which true numbers it was
added to and at which scale, and publishes what the script says, the same for both neighbours. The
tuner writes down the qualities and the budget that it was to draw with. From these follow, without
any sampling, the privacy loss of every step as it was really run, and whether anything else that
was said depends on the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.axis import Ints
from ..core.budget import total
from ..core.metadata import tags_of
from ..core.noise import RandomBits
from ..core.overlap import Overlap
from ..core.release import Release
from ..core.tally import Tally
from ..core.tuners import Tuner
from .finding import Finding
from .pairs import Attack, Pair

_MOST_ENUMERATED = 4
"""Candidates for which every course that a draw can take is followed: 64 courses for four."""


class Script(RandomBits):
    """Randomness that leaves nothing to chance and writes down what it was used for.

    Parameters
    ----------
    published : sequence of ndarray
        What each noisy step shall publish, in order; the true numbers beyond its end.
    """

    def __init__(self, published: Sequence[npt.NDArray[Any]] = ()) -> None:
        super().__init__()
        self.published = published
        self.drawn: list[Fraction] = []
        self.steps: list[tuple[Fraction, npt.NDArray[Any]]] = []
        self._dealt = 0
        self._bytes = self._refuse

    def _refuse(self, count: int) -> bytes:
        raise AssertionError(f"a release drew {count} bytes in a way that the audit does not know")

    def priorities(self, count: int) -> npt.NDArray[np.uint64]:
        """Lots that a record has by its position, so that it has the same one in both datasets."""
        first, self._dealt = self._dealt, self._dealt + count
        order = np.arange(first, self._dealt, dtype=np.uint64)
        return np.asarray(order * np.uint64(0x9E3779B97F4A7C15))

    def discrete_laplace(self, scale: Fraction, count: int) -> Ints:
        """Noise that listens."""
        noise = np.zeros(count, dtype=np.int64).view(_Noise)
        noise.script, noise.scale = self, scale
        if count:
            self.drawn.append(scale)
        return noise

    def hear(self, scale: Fraction, true: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Write a step down and say what it publishes."""
        self.steps.append((scale, true))
        turn = len(self.steps) - 1
        return self.published[turn] if turn < len(self.published) else true

    @property
    def missed(self) -> bool:
        """Whether noise was drawn and not added as it was drawn, one number to each count."""
        return len(self.drawn) != len(self.steps)


class _Noise(np.ndarray[Any, np.dtype[np.int64]]):
    """What :class:`Script` returns for noise: tells the script what it is added to."""

    script: Script
    scale: Fraction

    def __array_finalize__(self, other: Any) -> None:
        if isinstance(other, _Noise) and hasattr(other, "script"):
            self.script, self.scale = other.script, other.scale

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(value) for value in inputs]
        others = [value for value in inputs if value is not self]
        if ufunc is np.add and len(others) == 1 and np.shape(others[0]) == self.shape:
            return self.script.hear(self.scale, np.asarray(others[0]))
        return getattr(ufunc, method)(*plain, **options)  # no longer noise: it will be missed


@dataclass(frozen=True)
class Drawing:
    """What a tuner was to draw from: qualities, and the budget of one record."""

    qualities: list[Fraction]
    epsilon: Fraction


class Listener(Tuner):
    """A tuner that takes the candidate it is told to, and writes down what it should draw from.

    Parameters
    ----------
    tuner : Tuner
        The real one.
    take : int
        The candidate.
    """

    def __init__(self, tuner: Tuner, take: int = 0) -> None:
        self.tuner, self.take = tuner, take
        self.drawings: list[Drawing] = []
        self.sketch_share = tuner.sketch_share
        # What a release says about its tuner must be what it would say about the real one.
        self.name, self.mechanism = tuner.name, tuner.mechanism  # type: ignore[misc]
        self.default_share = tuner.default_share  # type: ignore[misc]

    def __repr__(self) -> str:
        return repr(self.tuner)

    def qualities(
        self,
        tally: Tally,
        overlaps: Sequence[Overlap],
        epsilon: Fraction,
        scale: Fraction,
        weights: Ints | None = None,
    ) -> list[Fraction]:
        return self.tuner.qualities(tally, overlaps, epsilon, scale, weights)

    def choose(self, qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
        del bits
        self.drawings.append(Drawing(list(qualities), epsilon))
        return self.take

    def probabilities(self, qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
        return self.tuner.probabilities(qualities, epsilon)


@dataclass
class Heard:
    """One release under a script: what was published, and what lay behind it."""

    made: Release
    script: Script
    drawing: Drawing | None
    said: list[str] = field(default_factory=list)

    @property
    def took(self) -> int:
        """Index of the candidate that was published."""
        return self.made.method.candidates.index(self.made.grid)

    @property
    def published(self) -> list[npt.NDArray[Any]]:
        """What the noisy steps published when the script held nothing."""
        return [true for _, true in self.script.steps]


def listen(
    case: Pair,
    side: int,
    release: Attack,
    epsilon: Fraction,
    take: int = 0,
    published: Sequence[npt.NDArray[Any]] = (),
) -> Heard:
    """Release one side of a case under a script."""
    script, tuner = Script(published), Listener(case.tuner, take)
    said: list[str] = []
    made = case.made(release, side, epsilon=epsilon, tuner=tuner, seed=script, progress=said.append)
    said += [repr(made), *(f"{key}={value}" for key, value in sorted(tags_of(made).items()))]
    return Heard(made, script, tuner.drawings[-1] if tuner.drawings else None, said)


def exact_findings(case: Pair, epsilon: Fraction, release: Attack) -> list[Finding]:
    """Every step of a release on both sides of a case, without any sampling."""
    first, other = (listen(case, side, release, epsilon) for side in (0, 1))
    if first.made.method.candidates != other.made.method.candidates:
        return [Finding(case.name, "said", 0.0, math.inf)]  # public inputs made from the data
    claimed = {spend.step: float(spend.epsilon) for spend in first.made.spends}
    found = [("budget", float(epsilon), float(total(first.made.spends)))]
    candidates = len(first.made.method.candidates)
    found += _noise_findings(case, epsilon, release, candidates, claimed)
    if first.drawing is not None:
        pairs = _drawings(case, epsilon, release, first)
        found += _choice_findings(case, pairs, claimed.get("tuning", 0.0))
    elif candidates > 1:
        found.append(("odds", 0.0, math.inf))  # chosen, but not by the tuner's draw
    found.append(("said", 0.0, _said_apart(case, epsilon, release, first)))
    return [Finding(case.name, measure, limit, shown) for measure, limit, shown in found]


def _noise_findings(
    case: Pair, epsilon: Fraction, release: Attack, candidates: int, claimed: dict[str, float]
) -> Iterator[tuple[str, float, float]]:
    """Loss of the noisy sketch and of the counts on every candidate: L1 distance over scale."""
    worst: dict[str, float] = {}
    for take in range(candidates):
        sides = [listen(case, side, release, epsilon, take) for side in (0, 1)]
        steps = list(zip(*(heard.script.steps for heard in sides)))
        names = ["sketch"] * (len(steps) - 1) + ["counts"]
        for name, ((scale, before), (other, after)) in zip(names, steps):
            apart = Fraction(int(np.abs(after - before).sum())) / min(scale, other)
            worst[name] = max(worst.get(name, 0.0), float(apart))
        if any(heard.script.missed or heard.took != take for heard in sides):
            worst["counts"] = math.inf
        worst |= {name: math.inf for name in claimed if name not in (*names, "tuning")}
    return ((name, claimed.get(name, 0.0), shown) for name, shown in worst.items())


def _drawings(
    case: Pair, epsilon: Fraction, release: Attack, first: Heard
) -> list[tuple[Drawing, Drawing]]:
    """What both sides draw from, for several published sketches."""
    sketches: list[list[npt.NDArray[Any]]] = [[]]
    if len(first.published) > 1:
        true = first.published[0]
        ramp = np.arange(true.size).reshape(true.shape)
        sketches = [[true], [true * 0], [true + ramp % 7 - 3], [ramp]]
    pairs = []
    for sketch in sketches:
        sides = [listen(case, side, release, epsilon, 0, sketch).drawing for side in (0, 1)]
        assert sides[0] is not None
        assert sides[1] is not None
        pairs.append((sides[0], sides[1]))
    return pairs


def _choice_findings(
    case: Pair, pairs: list[tuple[Drawing, Drawing]], claimed: float
) -> Iterator[tuple[str, float, float]]:
    """Steps of the qualities for one record, distance of the odds, and draws against odds."""
    steps, odds, draws = Fraction(0), 0.0, 0.0
    for before, after in pairs:
        moves = (abs(a - b) for a, b in zip(before.qualities, after.qualities))
        steps = max(steps, *moves)
        stated = [case.tuner.probabilities(d.qualities, d.epsilon) for d in (before, after)]
        odds = max(odds, _apart(*stated))
        if len(before.qualities) <= _MOST_ENUMERATED:
            draws = max(draws, _apart(draw_odds(case.tuner.choose, before), stated[0]))
    yield "steps", 1.0, float(steps / case.distance)
    yield "odds", claimed, odds
    yield "draws", 0.0, draws


def _apart(one: list[Decimal], other: list[Decimal]) -> float:
    return max(abs(float((p / q).ln())) for p, q in zip(one, other))


def _said_apart(case: Pair, epsilon: Fraction, release: Attack, first: Heard) -> float:
    """Things said that differ although everything that was published is the same."""
    again = [listen(case, side, release, epsilon, 0, first.published).said for side in (0, 1)]
    if len(again[0]) != len(again[1]):
        return math.inf
    return float(sum(a != b for a, b in zip(*again)))


class Courses(RandomBits):
    """Randomness that takes one course of a draw and knows how likely it was."""

    def __init__(self, course: list[int]) -> None:
        super().__init__()
        self.course = course
        self.ways: list[int] = []
        self.chance = Decimal(1)
        self.bounds: list[int] = []

    def _way(self, ways: int) -> int:
        taken = len(self.ways)
        self.ways.append(ways)
        if taken == len(self.course):
            self.course.append(0)
        return self.course[taken]

    def below(self, bound: int) -> int:
        if bound in self.bounds:  # a draw that begins again: like the first round, so left out
            raise StopIteration
        self.bounds.append(bound)
        self.chance /= bound
        return self._way(bound)

    def coin(self, gamma: Fraction) -> bool:
        if not gamma:
            return True
        heads = (-Decimal(gamma.numerator) / Decimal(gamma.denominator)).exp()
        tails = self._way(2) == 1
        self.chance *= 1 - heads if tails else heads
        return not tails


def draw_odds(choose: Callable[..., int], drawing: Drawing) -> list[Decimal]:
    """Probabilities of a draw from all courses that it can take, one coin after the other.

    Examples
    --------
    >>> from geodp.core.noise import exponential_choice
    >>> [
    ...     round(p, 4)
    ...     for p in draw_odds(exponential_choice, Drawing([Fraction(0)] * 2, Fraction(1)))
    ... ]
    [Decimal('0.5000'), Decimal('0.5000')]
    """
    odds = [Decimal(0)] * len(drawing.qualities)
    course: list[int] = []
    with localcontext() as context:
        context.prec = 60
        while True:
            bits = Courses(course)
            with suppress(StopIteration):
                odds[choose(drawing.qualities, drawing.epsilon, bits)] += bits.chance
            course, ways = course[: len(bits.ways)], bits.ways
            while course and course[-1] + 1 >= ways[len(course) - 1]:
                course.pop()
            if not course:
                return [value / sum(odds) for value in odds]
            course[-1] += 1
