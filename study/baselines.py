"""Run the paper's mechanism as printed and the three it is compared with. None of them is private.

They live here and never behind :func:`geodp.release`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from geodp.core.common.errors import InputError
from geodp.core.common.types import Floats

from .case import Case, batches, discrete_laplace, table
from .method import Method, Outcome, chosen_answers, noisy_answers
from .metrics import FLOOR_SHARE

SENSITIVITIES = ("response", "max_alpha", "max_grid")


def printed_sensitivities(
    kind: str, records: int, delta: float, scale: float, norms: Floats, cells: Sequence[int]
) -> Floats:
    """Compute ``Δ_r`` of each candidate as the paper prints it.

    Parameters
    ----------
    kind : {"response", "max_alpha", "max_grid"}
        Corollary 3, or one of the two global bounds of the paper's discussion.
    records : int
        ``|D|``: the formula reads the private number of records.
    delta : float
        ``ρ = δ |D|``.
    scale : float
        Noise scale λ.
    norms : ndarray, shape (candidates, regions)
        ``‖a^{r,t}‖₁``.
    cells : sequence of int
        Number of cells of each candidate.

    Examples
    --------
    Here ρ is 10, and Δ is 1/1.1 + 4/110 + 1/10.1.

    >>> one = np.array([[4.0]])
    >>> printed_sensitivities("response", 100, 0.1, 1.0, one, [16]).round(4)
    array([1.0445])
    """
    if kind == "response":
        spread = norms.mean(axis=1)
    elif kind == "max_alpha":
        spread = np.full(len(norms), norms.max(axis=0).mean())
    elif kind == "max_grid":
        spread = np.full(len(norms), float(max(cells)))
    else:
        raise InputError(f"sensitivity must be one of {SENSITIVITIES}; got {kind!r}.")
    rho = delta * records
    return np.asarray(
        1 / (delta * (rho + 1)) + scale * spread / (rho * (rho + 1)) + 1 / (rho + delta)
    )


@dataclass(frozen=True)
class PrintedE2EPriv(Method):
    """Run E2EPriv exactly as printed, real Laplace noise included. Not private.

    Its ``Δ_r`` reads the number of records, so two neighbouring datasets are weighed with
    different sensitivities, which the paper's proof does not cover; and real-valued Laplace noise
    in floating point leaks through its low bits (Mironov 2012). ``geodp.E2EPriv`` is the repaired
    one.

    Parameters
    ----------
    delta : float
        ``ρ = δ |D|``.
    share : float
        Part of ε for the choice; the paper takes 20 %.
    sensitivity : {"response", "max_alpha", "max_grid"}
        Which bound.
    """

    delta: float = 0.1
    share: float = 0.2
    sensitivity: str = "response"

    name: ClassVar[str] = "e2epriv-printed"
    private: ClassVar[bool] = False

    def scores(self, case: Case, scale: float) -> Floats:
        """Score each candidate: ``s(D, r) = -mean_t (|A_t| + λ ‖a^t‖₁) / max(T_t, ρ)``."""
        rho = self.delta * case.records
        bound = np.abs(case.aggregation_errors) + scale * overlap_norms(case)
        return -np.asarray((bound / np.maximum(case.tally.inside(), rho)).mean(axis=1))

    def probabilities(self, case: Case, epsilon: float) -> Floats:
        """Compute odds in proportion to ``exp(ε1 s / 2Δ_r)``."""
        first, scale = self.share * epsilon, 1 / ((1 - self.share) * epsilon)
        moves = printed_sensitivities(
            self.sensitivity,
            case.records,
            self.delta,
            scale,
            overlap_norms(case),
            [grid.cells for grid in case.grids],
        )
        powers = first * self.scores(case, scale) / (2 * moves)
        weights = np.exp(powers - powers.max())
        return np.asarray(weights / weights.sum())

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        odds = self.probabilities(case, epsilon)
        scale = 1 / ((1 - self.share) * epsilon)
        return chosen_answers(case, odds, scale, repetitions, random, real=True)


def overlap_norms(case: Case) -> Floats:
    """Compute ``‖a^{r,t}‖₁`` of each candidate (rows) and tuning box; public."""
    return np.array([overlap.power_sum(1) for overlap in case.overlaps])


def heuristic_size(records: int, epsilon: float, constant: float = 10.0) -> int:
    """Compute divisions per axis by the rule ``m = sqrt(N ε / c)`` of Qardaji, Yang & Li (2013).

    Examples
    --------
    >>> [heuristic_size(n, 1.0) for n in (8_938, 869_976, 6_442_841)]
    [30, 295, 803]
    """
    return max(1, round(math.sqrt(records * epsilon / constant)))


class Heuristic(Method):
    """Take the grid size from the number of records, all of ε for noise. Not private end to end.

    The rule reads the exact number of records, and its constant was tuned on the very datasets
    that it was then tried on. (With a number of records that is public anyway, and the constant
    taken as given, the noisy counts are private.)
    """

    name: ClassVar[str] = "heuristic"
    private: ClassVar[bool] = False

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        size = heuristic_size(case.records, epsilon)
        answers = noisy_answers(case, case.grid(size), 1 / epsilon, repetitions, random)
        return Outcome(answers, np.full(repetitions, size))


class Leaky(Method):
    """Add noise with all of ε to every candidate, then pick the best one. Not private.

    The noisy candidates are compared with the true answers, and nothing is paid for the
    comparison; nor for the noisy counts of the candidates that are thrown away.
    """

    name: ClassVar[str] = "leaky"
    private: ClassVar[bool] = False

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        floor = np.maximum(case.tally.inside(), FLOOR_SHARE * case.records)
        best = np.full(repetitions, np.inf)
        answers = np.empty((repetitions, len(case.test)))
        sizes = np.zeros(repetitions, dtype=np.int64)
        for candidate, grid in enumerate(case.grids):
            tuning, test = case.tuning_corners(grid), case.test_corners(grid)
            exact = test.read(table(case.counts(grid)))
            done = 0
            for batch in batches(repetitions, grid.cells):
                noise = table(discrete_laplace(random, 1 / epsilon, (batch, *grid.shape)))
                error = np.abs(tuning.read(noise) + case.aggregation_errors[candidate])
                mean = (error / floor).mean(axis=1)
                better = np.flatnonzero(mean < best[done : done + batch])
                best[done + better] = mean[better]
                answers[done + better] = exact + test.read(noise)[better]
                sizes[done + better] = grid.shape[0]
                done += batch
        return Outcome(answers, sizes)


class BestNonPriv(Method):
    """Take the candidate of least aggregation error, without noise. Not private at all.

    True counts are handed out; it shows what the uniformity assumption alone costs.
    """

    name: ClassVar[str] = "best-nonpriv"
    private: ClassVar[bool] = False

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        del epsilon, random  # no noise, so every repetition is the same
        floor = np.maximum(case.tally.inside(), FLOOR_SHARE * case.records)
        candidate = int((np.abs(case.aggregation_errors) / floor).mean(axis=1).argmin())
        grid = case.grids[candidate]
        answers = case.test_corners(grid).read(table(case.counts(grid)))
        return Outcome(np.tile(answers, (repetitions, 1)), np.full(repetitions, grid.shape[0]))
