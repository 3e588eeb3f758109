"""Say what growing a tree of cells may spend, and from which counts on it pays to go on.

All amounts are exact fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..privacy.budget import Budget, ExactNumber
from ..privacy.noise import noise_scale
from ..space.frame import HALVINGS

TOTAL_SHARE = Fraction(1, 100)
"""Part of ε for the count of the whole domain."""

ROOT_SHARE = Fraction(3, 20)
"""Part of the rest for the root cells."""

STEP_SHARES = (Fraction(1), Fraction(1), Fraction(1, 4), Fraction(1, 10), Fraction(3, 20))
"""Part of a node's remaining budget that is spent next, by the number of halvings that would pay:
none (the node itself is measured again), one (its children are), two, three, and four or more (its
children's children are, as many as there are root cells)."""

LEAP = 4
"""Place in ``STEP_SHARES`` of the step to children's children: nodes between are not measured."""

RECORDS_PER_CELL = 3
"""Records that a final cell should hold, about, per unit of noise scale: then the noise and the
error from taking records as evenly spread are alike. Halving b times would pay from ``z·r`` of
``3 · 4**(b - 1/2)`` on, where ``b = round(log2(sqrt(z·r / 3)))`` steps up: 6, 24, 96, 384."""

BARS = (Fraction(37, 5), Fraction(39, 2), Fraction(96), Fraction(768))
"""Values of count times budget from which one, two, three, and four or more halvings pay.

All but the third are a little off those of the formula, as measured (docs/study.md)."""


@dataclass(frozen=True)
class TreeBudget:
    """Say what growing a tree may spend, in exact fractions.

    Parameters
    ----------
    epsilon : Fraction
        Budget of the whole release for one protected unit.
    distance : int
        Records by which neighbours may differ, as in :class:`~geodp.core.mechanisms.shares.Shares`.
    groups : int
        Number of groups that one tree is grown for.
    units : int
        Units that make one; scales, bars and variances are in units.

    Examples
    --------
    >>> budget = TreeBudget.of(1)
    >>> budget.total, budget.root, budget.rest
    (Fraction(1, 100), Fraction(297, 2000), Fraction(1683, 2000))
    >>> budget.total + budget.root + budget.rest
    Fraction(1, 1)
    """

    epsilon: Fraction
    distance: int = 1
    groups: int = 1
    units: int = 1

    def __post_init__(self) -> None:
        # Refused here if they are out of range: no step of any path has less or more.
        least = min(STEP_SHARES) * min(1 - share for share in STEP_SHARES[2:]) ** HALVINGS
        for share in (min(self.total, self.root, self.rest * least), self.rest):
            self.scale(share)

    @classmethod
    def of(
        cls, epsilon: ExactNumber | Budget, distance: int = 1, groups: int = 1, units: int = 1
    ) -> TreeBudget:
        """Take a budget as a person writes it."""
        return cls(Budget(epsilon).epsilon, distance, groups, units)

    @property
    def total(self) -> Fraction:
        """Return the share for the count of the domain."""
        return self.epsilon * TOTAL_SHARE

    @property
    def root(self) -> Fraction:
        """Return the share for the counts of the root cells."""
        return (self.epsilon - self.total) * ROOT_SHARE

    @property
    def rest(self) -> Fraction:
        """Return what is left to every root cell for all that follows."""
        return self.epsilon - self.total - self.root

    def scale(self, share: Fraction) -> Fraction:
        """Return the scale of the noise on counts that may cost ``share``."""
        return noise_scale(share, self.distance, self.units)

    def step(self, rest: Fraction, kind: int) -> Fraction:
        """Return what a node with a remaining budget spends next, by the kind of the step."""
        return rest * STEP_SHARES[kind]

    def bars(self, rest: Fraction, bars: Sequence[Fraction] = BARS) -> list[float]:
        """Return counts of all groups from which each further kind of step pays.

        They are those from which they pay in a group of mean size. Each is the least float64 at
        or above the exact fraction, so that comparing a float64 with it is comparing with the
        fraction.
        """
        if not rest:
            return [math.inf] * len(bars)  # where nothing is left nothing pays
        ones = self.distance * self.units * self.groups
        return [_at_least(bar * ones / rest) for bar in bars]

    def variance(self, share: Fraction) -> float:
        """Return the variance of the noise in sums over all groups, as decisions take it.

        That of Laplace noise without steps.
        """
        return float(2 * self.groups * self.scale(share) ** 2)


def _at_least(value: Fraction) -> float:
    """Return the least float64 that is at or above a fraction."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
