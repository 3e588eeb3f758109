"""Compare how far one record moves the scores of candidates with what their sensitivities allow."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from geodp.core.mechanisms import scores
from geodp.core.mechanisms.selection import PartitionChoice
from geodp.core.mechanisms.tuners import Influence


def influence_score(errors: Any, overlap: Any, weights: Any, variance: float) -> Fraction:
    """Score a candidate as :class:`Influence` does, for one group."""
    return scores.expected_score(errors, scores.noise_variance(overlap, variance), weights)


def check_score_steps(
    candidates: Sequence[Any], regions: Any, weights: Any, tallies: tuple[Any, Any]
) -> None:
    """Assert that no score of two neighbouring tallies differs by more than its sensitivity."""
    overlaps = [candidate.overlap(regions) for candidate in candidates]
    for place, overlap in enumerate(overlaps):
        before, after = (
            influence_score(
                scores.aggregation_errors(
                    overlap.responses_of_sums(tally.summed()[place]), tally.inside()
                ),
                overlap,
                weights,
                3.0,
            )
            for tally in tallies
        )
        assert abs(after - before) <= scores.influence_sensitivity(overlap, weights)
    choice = PartitionChoice(Influence(), overlaps, weights, Fraction(2))
    before, after = (choice.qualities(tally, Fraction(1)) for tally in tallies)
    assert max(abs(a - b) for a, b in zip(before, after)) <= 1
