"""Exact odds of what growing a tree publishes: with noise that is noted, scripted or forced."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits

BENDS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "as drawn": lambda noise: noise,
    "never above": lambda noise: -np.abs(noise),
    "never below": np.abs,
}


class NoiseCall(NamedTuple):
    """Record one call for noise: of which nodes, how much of it, and what was published."""

    nodes: tuple[int, list[int]]
    scale: Fraction
    noise: np.ndarray
    value: np.ndarray


class Watched:
    """Let a tally remember what was asked of it last."""

    asked: tuple[int, list[int]]
    true: np.ndarray

    def node_counts(self, codes: Any, depth: int) -> Any:
        self.true = super().node_counts(codes, depth)  # type: ignore[misc]
        self.asked = depth, np.asarray(codes).tolist()
        return self.true


def with_points(tally: Any, points: Sequence[tuple[float, float]]) -> Any:
    """Return a tally that has counted points."""
    tally.add(*np.array(points, dtype=float).reshape(-1, 2).T)
    return tally


class Logged(RandomBits):
    """Draws noise as ever, then bends it, and writes down what for."""

    def __init__(self, tally: Any, seed: int = 0, bend: Any = BENDS["as drawn"]) -> None:
        super().__init__(seed)
        self.tally, self.bend = tally, bend
        self.log: list[NoiseCall] = []

    def discrete_laplace(self, scale: Fraction, count: int) -> np.ndarray:
        return self.write(scale, self.bend(super().discrete_laplace(scale, count)))

    def write(self, scale: Fraction, noise: np.ndarray) -> np.ndarray:
        self.log.append(NoiseCall(self.tally.asked, scale, noise, self.tally.true + noise))
        return noise


class Scripted(Logged):
    """Noise from a list, one number after the other; 0 when it is used up."""

    def __init__(self, tally: Any, script: Iterable[int]) -> None:
        super().__init__(tally)
        self.script = iter(script)

    def discrete_laplace(self, scale: Fraction, count: int) -> np.ndarray:
        noise = [next(self.script, 0) for _ in range(count)]
        return self.write(scale, np.array(noise, dtype=np.int64))


class OtherTranscript(Exception):
    """The neighbour cannot publish the same."""


class Forced(Logged):
    """The noise with which this dataset publishes what another one did."""

    def __init__(self, tally: Any, log: Iterable[NoiseCall]) -> None:
        super().__init__(tally)
        self.wanted = iter(log)

    def discrete_laplace(self, scale: Fraction, count: int) -> np.ndarray:
        wanted = next(self.wanted, None)
        if wanted is None or (wanted.nodes, wanted.scale) != (self.tally.asked, scale):
            raise OtherTranscript
        return self.write(scale, (wanted.value - self.tally.true)[:count])


def transcript_loss(
    grow: Callable[..., Any], tally: Any, other: Any, budget: TreeBudget, source: Logged
) -> Fraction | float:
    """Return exact logarithm of the odds of one dataset's transcript over the other's; inf if
    never.
    """
    published = grow(tally, budget, source)
    forced = Forced(other, source.log)
    try:
        if grow(other, budget, forced) != published:
            return math.inf
    except OtherTranscript:
        return math.inf
    return sum(
        (
            Fraction(int((np.abs(b.noise) - np.abs(a.noise)).sum())) / a.scale
            for a, b in zip(source.log, forced.log)
        ),
        Fraction(0),
    )
