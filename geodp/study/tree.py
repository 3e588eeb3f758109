"""geodp's tree of cells as a method of the study: spend a little, look, go on where it pays.

It is grown by the core, with the same exact noise that a release has.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..core.base_tally import BaseTally
from ..core.frame import Frame
from ..core.growth import TreeBudget, grow
from ..core.least_squares import Fit
from ..core.tabled_noise import TabledBits
from ..core.tree_answers import answer_tree
from .case import Case
from .method import Method, Outcome


class GrownTree(Method):
    """geodp's tree of cells, fine where records crowd."""

    name: ClassVar[str] = "tree"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        tally = BaseTally(Frame(case.dataset.domain))
        tally.add(*case.points)
        budget = TreeBudget.of(epsilon)
        answers = []
        for _ in range(repetitions):
            bits = TabledBits(seed=int(random.integers(1 << 62)))
            fit = Fit(*grow(tally, budget, bits))
            answers.append(answer_tree(fit, case.test).estimate)
        return Outcome(np.array(answers), np.zeros(repetitions, dtype=np.int64))
