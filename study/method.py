"""Answer boxes under a budget, in one of several ways; geodp's own tuners are such ways."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from geodp.core.common.types import Floats, Ints
from geodp.core.mechanisms.selection import Counts, choice_odds
from geodp.core.mechanisms.shares import Shares
from geodp.core.mechanisms.tuners import E2EPriv, Influence, Tuner
from geodp.core.space.grid import Grid

from .case import Case, batches, discrete_laplace, table

_SKETCHES = 10


class Outcome(NamedTuple):
    """Hold what a method did in each repetition.

    Attributes
    ----------
    answers : ndarray, shape (repetitions, boxes)
        Answers in the test boxes.
    sizes : ndarray of int
        Divisions per axis that it took, 0 where cells are not all alike.
    """

    answers: Floats
    sizes: Ints


class Method(ABC):
    """Answer the test boxes of a case, many times over."""

    name: ClassVar[str]
    private: ClassVar[bool]

    @abstractmethod
    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        """Answer the case's test boxes in independent repetitions."""


def noisy_answers(
    case: Case,
    grid: Grid,
    scale: float,
    repetitions: int,
    random: np.random.Generator,
    *,
    real: bool = False,
) -> Floats:
    """Answer from true counts on a grid plus Laplace noise of a scale.

    The noise is discrete, or real-valued as in the paper.
    """
    corners = case.test_corners(grid)
    parts = [
        corners.read(table(_noise(random, scale, (batch, *grid.shape), real)))
        for batch in batches(repetitions, grid.cells)
    ]
    return corners.read(table(case.counts(grid))) + np.concatenate(parts)


def _noise(random: np.random.Generator, scale: float, shape: tuple[int, ...], real: bool) -> Floats:
    if real:
        return random.laplace(scale=scale, size=shape)
    return discrete_laplace(random, scale, shape)


def chosen_answers(
    case: Case,
    probabilities: npt.NDArray[Any],
    scale: float,
    repetitions: int,
    random: np.random.Generator,
    *,
    real: bool = False,
) -> Outcome:
    """Draw a candidate in each repetition, then noise on its counts."""
    chosen = random.choice(len(case.grids), size=repetitions, p=probabilities)
    answers = np.empty((repetitions, len(case.test)))
    for candidate in np.unique(chosen):
        rows = np.flatnonzero(chosen == candidate)
        grid = case.grids[candidate]
        answers[rows] = noisy_answers(case, grid, scale, len(rows), random, real=real)
    return Outcome(answers, np.array([grid.shape[0] for grid in case.grids])[chosen])


@dataclass(frozen=True)
class Tuned(Method):
    """Run a tuner of geodp as :func:`geodp.release` does: exact odds, then discrete noise.

    Parameters
    ----------
    tuner : Tuner
        How to choose.
    share : number
        Part of ε for the choice.

    Examples
    --------
    >>> Tuned(Influence()).share
    Fraction(1, 10)
    """

    tuner: Tuner = field(default_factory=Influence)
    share: Fraction = Fraction(0)

    name: ClassVar[str] = "tuned"
    private: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.share:
            object.__setattr__(self, "share", self.tuner.default_share)

    def shares(self, case: Case, epsilon: float) -> Shares:
        """Divide ε as a release would."""
        return Shares.of(epsilon, self.tuner, case.tuning, tuning_share=self.share)

    def probabilities(self, case: Case, epsilon: float) -> Floats:
        """Compute the odds of each candidate in a release, averaged over any sketches."""
        shares = self.shares(case, epsilon)
        odds = [
            [float(value) for value in choice_odds(self.tuner, case.tally, shares, sketch)]
            for sketch in _sketches(case, shares)
        ]
        mean = np.mean(odds, axis=0)
        return np.asarray(mean / mean.sum())

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        scale = float(self.shares(case, epsilon).counts_scale)
        odds = self.probabilities(case, epsilon)
        return chosen_answers(case, odds, scale, repetitions, random)


def _sketches(case: Case, shares: Shares) -> list[Counts | None]:
    """Draw sketches as releases would publish them, from a fixed seed."""
    if shares.sketch_scale is None:
        return [None]
    random, true = np.random.default_rng(0), case.tally.on(case.tally.plan.sketch_grid)
    noise = discrete_laplace(random, float(shares.sketch_scale), (_SKETCHES, *true.shape))
    return [true + drawn.astype(np.int64) for drawn in noise]


def influence(share: Fraction = Fraction(0)) -> Tuned:
    """Return the default of :func:`geodp.release`."""
    return Tuned(Influence(), share)


def repaired(delta: float, share: Fraction = Fraction(0)) -> Tuned:
    """Return the paper's tuner with the repair that makes its ε true."""
    return Tuned(E2EPriv(delta=delta), share)
