"""Ways to score and draw candidate grids: the default and the paper's."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ..common.errors import InputError
from ..common.types import Ints
from ..counts.grid_tally import Tally
from ..privacy import noise
from ..privacy.budget import ExactNumber, ceil_fraction, exact
from ..privacy.noise import RandomBits
from ..regions.overlap import UNIT, Objects, Overlap
from . import scores


class Tuner(ABC):
    """A way to score candidates. Qualities have sensitivity 1 for one record."""

    name: ClassVar[str]
    default_share: ClassVar[Fraction]
    mechanism: ClassVar[str]

    quality_sensitivity: ClassVar[Fraction] = Fraction(1)
    """How far one record moves a quality, at most (docs/privacy.md, claims 5 and 6)."""

    sketch_share: Fraction = Fraction(0)

    @abstractmethod
    def qualities(
        self,
        tally: Tally,
        overlaps: Sequence[Overlap],
        epsilon: Fraction,
        scale: Fraction,
        weights: Ints | None = None,
    ) -> list[Fraction]:
        """Score every candidate of the tally's plan. Private.

        Parameters
        ----------
        tally : Tally
            True counts.
        overlaps : sequence of Overlap
            Of the workload with each candidate.
        epsilon : Fraction
            What the choice may spend on one record.
        scale : Fraction
            Scale of the noise that the counts will get.
        weights : ndarray of int, optional
            Weights of the regions, public by now; by default those of the workload.
        """

    @abstractmethod
    def choose(self, qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
        """Draw an index."""

    @abstractmethod
    def probabilities(self, qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
        """Return the exact odds of :meth:`choose`, for tests and audits. Private."""


@dataclass(frozen=True, init=False)
class Influence(Tuner):
    """Our default: a sharp error bound, per-candidate sensitivities, permute-and-flip.

    Errors weigh relative to the counts that are expected in each region. Where the workload does
    not state them, a sliver of the budget buys a coarse noisy sketch of where the records are.

    Parameters
    ----------
    beta : number
        Failure probability that the generalized exponential mechanism is set up for.
    sketch_share : number
        Part of the tuning budget for the sketch; 0 weighs all errors alike instead.

    Examples
    --------
    >>> Influence(sketch_share=0)
    Influence(beta=Fraction(1, 10), sketch_share=Fraction(0, 1))
    """

    beta: Fraction = Fraction(1, 10)
    sketch_share: Fraction = Fraction(1, 5)

    name: ClassVar[str] = "influence"
    default_share: ClassVar[Fraction] = Fraction(1, 10)
    mechanism: ClassVar[str] = "permute-and-flip on generalized exponential scores"

    def __init__(self, beta: ExactNumber = beta, sketch_share: ExactNumber = sketch_share) -> None:
        object.__setattr__(self, "beta", _share(beta, "beta"))
        part = exact(sketch_share, "sketch_share")
        object.__setattr__(self, "sketch_share", part and _share(part, "sketch_share"))

    def qualities(
        self,
        tally: Tally,
        overlaps: Sequence[Overlap],
        epsilon: Fraction,
        scale: Fraction,
        weights: Ints | None = None,
    ) -> list[Fraction]:
        weights = _weights(tally, weights)
        variance = noise.laplace_variance(scale)
        penalty = ceil_fraction(2 * math.log(len(overlaps) / self.beta), 20) / epsilon
        moves = [scores.influence_sensitivity(overlap, weights) for overlap in overlaps]
        expected = [Fraction(0)] * len(overlaps)
        added = [scores.noise_variance(overlap, variance) for overlap in overlaps]
        for group in tally.groups:  # a record moves the scores of one of them
            for candidate, errors in enumerate(_errors(group, overlaps, group.inside())):
                expected[candidate] += scores.expected_score(errors, added[candidate], weights)
        return scores.generalized_qualities(expected, moves, penalty)

    def choose(self, qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
        return noise.permute_and_flip(qualities, epsilon, bits)

    def probabilities(self, qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
        return noise.permute_and_flip_probabilities(qualities, epsilon)


@dataclass(frozen=True)
class E2EPriv(Tuner):
    """The paper's tuner, repaired so that its ε is proven (docs/privacy.md, claim 6).

    Parameters
    ----------
    score : {"relative", "absolute"}
        Which error to minimise.
    sensitivity : {"response", "max_alpha", "max_grid"}
        For the relative score: per candidate, or one of the two global bounds.
    delta : number
        Sanity bound as a share of the number of records, between 0 and 1.
    n0 : int, optional
        Public floor on the number of records, at least ``1/delta``, which is the default.

    Examples
    --------
    >>> E2EPriv(delta=0.01)
    E2EPriv(score='relative', sensitivity='response', delta=Fraction(1, 100), n0=100)
    """

    score: str = "relative"
    sensitivity: str = "response"
    delta: Fraction = Fraction(1, 10)
    n0: int = 0

    name: ClassVar[str] = "e2epriv"
    default_share: ClassVar[Fraction] = Fraction(1, 5)
    mechanism: ClassVar[str] = "exponential mechanism on the paper's scores, repaired"

    def __init__(
        self,
        score: str = "relative",
        sensitivity: str = "response",
        delta: ExactNumber = Fraction(1, 10),
        n0: int | None = None,
    ) -> None:
        if score not in ("relative", "absolute"):
            raise InputError(f"score must be 'relative' or 'absolute'; got {score!r}.")
        if sensitivity not in ("response", "max_alpha", "max_grid"):
            raise InputError(
                f"sensitivity must be 'response', 'max_alpha' or 'max_grid'; got {sensitivity!r}."
            )
        share = _share(delta, "delta")
        least = math.ceil(1 / share)
        if n0 is not None and n0 < least:
            raise InputError(f"n0 must be at least 1/delta = {least}; got {n0}.")
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "sensitivity", sensitivity)
        object.__setattr__(self, "delta", share)
        object.__setattr__(self, "n0", least if n0 is None else int(n0))

    def qualities(
        self,
        tally: Tally,
        overlaps: Sequence[Overlap],
        epsilon: Fraction,
        scale: Fraction,
        weights: Ints | None = None,
    ) -> list[Fraction]:
        del epsilon  # the paper's scores do not depend on it
        weights = _weights(tally, weights)
        bounds = self.noise_bounds(tally, overlaps, scale, weights)
        by_group = (
            self._qualities(group, overlaps, scale, weights, bounds) for group in tally.groups
        )
        return [sum(parts, Fraction(0)) for parts in zip(*by_group)]

    def _qualities(
        self,
        tally: Tally,
        overlaps: Sequence[Overlap],
        scale: Fraction,
        weights: Ints,
        bounds: Sequence[Fraction],
    ) -> list[Fraction]:
        """Score one group, which a record of another does not move."""
        inside = tally.inside()
        result = []
        by_candidate = _errors(tally, overlaps, inside)
        for candidate, (overlap, errors) in enumerate(zip(overlaps, by_candidate)):
            if self.score == "absolute":
                result.append(scores.absolute_quality(errors, overlap, weights, scale))
                continue
            quality = scores.relative_quality(
                errors,
                inside,
                scores.perturbation(overlap, scale),
                weights,
                records=tally.total,
                delta=self.delta,
                floor=self.n0,
                bound_on_noise=bounds[candidate],
            )
            result.append(quality)
        return result

    def noise_bounds(
        self, tally: Tally, overlaps: Sequence[Overlap], scale: Fraction, weights: Ints
    ) -> list[Fraction]:
        """Return ``L`` of each candidate under the chosen sensitivity. Public."""
        if self.sensitivity == "max_grid":
            return [scale * max(grid.cells for grid in tally.plan.grids)] * len(overlaps)
        bounds = [scores.perturbation(overlap, scale) for overlap in overlaps]
        if self.sensitivity == "max_alpha":
            largest = bounds[0]
            for other in bounds[1:]:
                largest = np.maximum(largest, other)
            return [scores.weighted_mean(largest, weights, UNIT)] * len(overlaps)
        return [scores.weighted_mean(values, weights, UNIT) for values in bounds]

    def choose(self, qualities: Sequence[Fraction], epsilon: Fraction, bits: RandomBits) -> int:
        return noise.exponential_choice(qualities, epsilon, bits)

    def probabilities(self, qualities: Sequence[Fraction], epsilon: Fraction) -> list[Decimal]:
        return noise.exponential_probabilities(qualities, epsilon)


TUNERS: dict[str, type[Influence] | type[E2EPriv]] = {
    tuner.name: tuner for tuner in (Influence, E2EPriv)
}


def as_tuner(value: str | Tuner) -> Tuner:
    """Accept a tuner or its name."""
    if isinstance(value, Tuner):
        return value
    if value not in TUNERS:
        raise InputError(f"tuner must be one of {', '.join(map(repr, TUNERS))}; got {value!r}.")
    return TUNERS[value]()


def _weights(tally: Tally, weights: Ints | None) -> Ints:
    workload = tally.plan.workload
    assert workload is not None
    return workload.weights if weights is None else weights


def _errors(tally: Tally, overlaps: Sequence[Overlap], inside: Ints) -> Iterator[Objects]:
    """Compute the aggregation errors of one group on every candidate."""
    for overlap, sums in zip(overlaps, tally.summed()):
        yield scores.aggregation_errors(overlap.responses_of_sums(sums), inside)


def _share(value: ExactNumber, name: str) -> Fraction:
    share = exact(value, name)
    if not 0 < share < 1:
        raise InputError(f"{name} must lie between 0 and 1, both excluded; got {value}.")
    return share
