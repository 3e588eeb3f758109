"""Compute exactly what a release tells, by running it with a script in place of randomness.

Both neighbours publish the same numbers (:mod:`geodp.audit.script`). From what lies behind them
follow, without any sampling, the privacy loss of every step as it was really run, and whether
anything else that was said depends on the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from ..core.privacy.budget import total
from ..core.privacy.noise import RandomBits
from ..core.publish.metadata import release_tags
from .finding import Finding
from .pairs import Attack, Pair
from .script import Counts, Drawing, Heard, Rule, listen, replay, truth

_MOST_ENUMERATED = 4
"""Candidates for which every course that a draw can take is followed: 64 courses for four."""


def exact_findings(case: Pair, epsilon: Fraction, release: Attack) -> list[Finding]:
    """Check every step of a release on both sides of a case, without any sampling."""
    first, other = (listen(case, side, release, epsilon) for side in (0, 1))
    if first.release.method.candidates != other.release.method.candidates:
        return [Finding(case.name, "said", 0.0, math.inf)]  # public inputs made from the data
    claimed = {spend.step: float(spend.epsilon) for spend in first.release.spends}
    candidates = max(len(first.release.method.candidates), 1)
    findings = list(_noise_findings(case, epsilon, release, candidates, first))
    if first.drawing is not None:
        pairs = _drawings(case, epsilon, release, first)
        findings += _choice_findings(case, pairs, claimed.get("tuning", 0.0))
    elif candidates > 1:
        findings.append(("odds", 0.0, math.inf))  # something was chosen without the tuner
    findings.append(("said", 0.0, _sentences_apart(case, epsilon, release, first)))
    stated = {
        epsilon,
        first.release.epsilon,
        Fraction(release_tags(first.release)["GEODP_EPSILON"]),
    }
    findings.append(("one ε", 1.0, float(len(stated))))
    return [Finding(case.name, measure, limit, shown) for measure, limit, shown in findings]


def _noise_findings(
    case: Pair, epsilon: Fraction, release: Attack, candidates: int, first: Heard
) -> Iterator[tuple[str, float, float]]:
    """Check the loss of every noisy step that is paid for, at worst over all candidates.

    The steps stand in the order of the spends; the last spend pays for all that follow. How ε is
    divided between steps may follow from what was published before. So a step is held to what that
    same release states for it, the one in which it comes nearest to that or passes it furthest; and
    what the steps of any release cost together, to ε.
    """
    spent = total(first.release.spends)
    worst: dict[str, tuple[float, float]] = {}
    for take in range(candidates):
        for rule in _rules(case, epsilon):
            one = listen(case, 0, release, epsilon, take, rule)
            other = listen(case, 1, release, epsilon, take, replay(one.script.published))
            spent = max(spent, *(total(heard.release.spends) for heard in (one, other)))
            claimed = {
                spend.step: spend.epsilon for spend in one.release.spends if spend.step != "tuning"
            }
            losses = _losses(one, other, take, len(claimed))
            for (name, claim), loss in zip(claimed.items(), losses):
                before = worst.get(name)
                if before is None or loss - claim > before[1] - before[0]:
                    worst[name] = float(claim), float(loss)
    yield "budget", float(epsilon), float(spent)
    for name, (limit, shown) in worst.items():
        yield name, limit, shown


def _losses(one: Heard, other: Heard, take: int, count: int) -> list[Fraction | float]:
    """Compute the log of the odds of what both sides published, step by step.

    It is the L1 distance over the scale.

    Infinite where what is said is not the same on both sides, although the numbers are, or where a
    step is not heard.
    """
    steps = [list(zip(*heard.script.steps)) or [(), ()] for heard in (one, other)]
    astray = any(heard.script.missed or heard.took != take for heard in (one, other))
    unlike = one.release.cells != other.release.cells or one.measured != other.measured
    unlike |= one.release.spends != other.release.spends
    if astray or unlike or steps[0][0] != steps[1][0] or len(one.script.steps) < count:
        return [math.inf] * count
    losses: list[Fraction | float] = [Fraction(0)] * count
    # Trees and levels look into all groups, one by one, before they go on.
    per_group = len(one.measured) if one.release.cells.nodes is not None else 1
    for turn, ((scale, before), (_, after)) in enumerate(zip(one.script.steps, other.script.steps)):
        losses[min(turn // per_group, count - 1)] += (
            Fraction(int(np.abs(after - before).sum())) / scale
        )
    return losses


def _rules(case: Pair, epsilon: Fraction) -> Iterator[Rule]:
    """List what noisy steps shall publish: several, since where a tree looks next depends on it."""
    yield truth
    if case.cells == "regular":
        return
    unit = math.ceil(case.distance * case.worth / epsilon)  # about as large as the noise of a count
    yield lambda _, true: np.zeros_like(true)
    yield lambda _, true: np.arange(true.size) % 7 * 3 * unit
    yield lambda _, true: true + np.where(np.arange(true.size) == 0, 10**6 * unit, 0)


def _drawings(
    case: Pair, epsilon: Fraction, release: Attack, first: Heard
) -> list[tuple[Drawing, Drawing]]:
    """Listen to what both sides draw from, for several published sketches."""
    sketches: list[list[Counts]] = [[]]
    if len(first.script.steps) > 1:
        true = first.script.published[0]
        ramp = np.arange(true.size).reshape(true.shape)
        sketches = [[true], [true * 0], [true + ramp % 7 - 3], [ramp]]
    pairs = []
    for sketch in sketches:
        sides = [listen(case, side, release, epsilon, 0, replay(sketch)).drawing for side in (0, 1)]
        assert sides[0] is not None
        assert sides[1] is not None
        pairs.append((sides[0], sides[1]))
    return pairs


def _choice_findings(
    case: Pair, pairs: list[tuple[Drawing, Drawing]], claimed: float
) -> Iterator[tuple[str, float, float]]:
    """Check steps of the qualities for one record, distance of the odds, and draws against odds."""
    steps, odds, draws = Fraction(0), 0.0, 0.0
    for before, after in pairs:
        moves = (abs(a - b) for a, b in zip(before.qualities, after.qualities))
        steps = max(steps, *moves)
        stated = [case.tuner.probabilities(d.qualities, d.epsilon) for d in (before, after)]
        odds = max(odds, _apart(*stated))
        if len(before.qualities) <= _MOST_ENUMERATED:
            draws = max(draws, _apart(draw_odds(case.tuner.choose, before), stated[0]))
    yield "steps", 1.0, float(steps / (case.distance * case.worth))
    yield "odds", claimed, odds
    yield "draws", 0.0, draws


def _apart(one: list[Decimal], other: list[Decimal]) -> float:
    return max(abs(float((p / q).ln())) for p, q in zip(one, other))


def _sentences_apart(case: Pair, epsilon: Fraction, release: Attack, first: Heard) -> float:
    """Count sentences that differ although everything that was published is the same."""
    same = replay(first.script.published)
    again = [listen(case, side, release, epsilon, 0, same).sentences for side in (0, 1)]
    if len(again[0]) != len(again[1]):
        return math.inf
    return float(sum(a != b for a, b in zip(*again)))


class Courses(RandomBits):
    """Take one course of a draw, and know how likely it was."""

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
        if bound in self.bounds:  # a second round, which is like the first
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
    """Compute the odds of a draw from all courses that it can take, one coin after the other.

    Examples
    --------
    >>> from geodp.core.privacy.noise import exponential_choice
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
