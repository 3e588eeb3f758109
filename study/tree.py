"""Run geodp's adaptive release as a method of the study: spend a little, look, go on where it pays.

It is grown by the core, with the same exact noise that a release has.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from geodp.core.common.types import Floats
from geodp.core.estimates.answers import answer
from geodp.core.estimates.least_squares import Fit
from geodp.core.estimates.tree_answers import answer_tree
from geodp.core.estimates.tree_estimate import TreeEstimate
from geodp.core.kernel.kernel import Kernel
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms.growth import grow
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits
from geodp.core.privacy.unit import Unit
from geodp.core.space.tree import Tree

from .case import Case
from .method import Method, Outcome

_NORMAL = 1.96


class Intervals(NamedTuple):
    """Tell how far error bars can be trusted, over all boxes and repetitions.

    Attributes
    ----------
    noise : float
        How often the noise in an estimate is within 1.96 times ``noise_error``. The noise is what
        parts the estimate from the one that the true counts of the same cells give: cells were
        split by the very counts that are then used, and here is what that does.
    interval : float
        How often the 95 % interval holds the true count.
    bias : float
        Mean noise over mean ``noise_error``, averaged over the boxes.
    """

    noise: float
    interval: float
    bias: float


class GrownTree(Method):
    """Grow geodp's tree of cells, fine where records crowd."""

    name: ClassVar[str] = "adaptive"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        return self.with_intervals(case, epsilon, repetitions, random)[0]

    def with_intervals(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> tuple[Outcome, Intervals]:
        """Answer the case's test boxes, and hold the error bars against the truth."""
        budget = TreeBudget.of(epsilon)
        answers, held, noise, error = [], [], [], []
        for _ in range(repetitions):
            bits = RandomBits(seed=int(random.integers(1 << 62)))
            kernel = Kernel(case.base_tally, epsilon=epsilon, unit=Unit("record"), bits=bits)
            tree, (measurements,) = grow(kernel, budget, case.base_tally.frame)
            given = answer(TreeEstimate(tree, measurements), case.test)
            answers.append(given.estimate)
            held.append((given.ci_low <= case.truth) & (case.truth <= given.ci_high))
            noise.append(given.estimate - _without_noise(tree, case))
            error.append(given.noise_error)
        within = np.abs(noise) <= _NORMAL * np.array(error)
        bias = np.mean(np.sum(noise, axis=0) / np.sum(error, axis=0))
        intervals = Intervals(float(np.mean(within)), float(np.mean(held)), float(bias))
        return Outcome(np.array(answers), np.zeros(repetitions, dtype=np.int64)), intervals


def _without_noise(tree: Tree, case: Case) -> Floats:
    """Answer from the true counts of a tree's final cells."""
    counts = [case.base_tally.node_counts(level.code, d) for d, level in enumerate(tree.levels)]
    exact = Measurements(tree.cell_node, tree.at_cells(counts), None, [Fraction(1)])
    return answer_tree(Fit(tree, exact), case.test).estimate
