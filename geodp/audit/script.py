"""Releases with a script in place of chance: what is published is told, what lies behind is heard.

A release takes its randomness from one object and its choice from one tuner, and both can be given
to it. Here they are replaced by ones that listen. The noise writes down which true numbers it was
added to and at which scale, and publishes what the script says. The tuner writes down the qualities
and the budget that it was to draw with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.common.types import Ints
from ..core.counts.grid_tally import Tally
from ..core.kernel.measurements import Measurements
from ..core.mechanisms.tuners import Tuner
from ..core.privacy.noise import RandomBits
from ..core.publish.metadata import tags_of
from ..core.regions.district_cells import DistrictCells
from ..core.regions.h3_cells import H3Cells
from ..core.regions.hexagon_cells import HexagonCells
from ..core.regions.overlap import Overlap
from ..core.regions.partitions import PolygonPartition
from ..core.releases.release import Published, Release
from ..core.releases.release_set import ReleaseSet
from ..core.space.grid import Grid
from .pairs import Attack, Pair

Counts = npt.NDArray[Any]

Rule = Callable[[int, Counts], Counts]
"""What a noisy step publishes, given its turn and the true numbers."""


def truth(turn: int, true: Counts) -> Counts:
    """Publish the true numbers."""
    del turn
    return true


def told(published: Sequence[Counts]) -> Rule:
    """Publish one thing after the other; the truth beyond the end, and where another shape is due.

    Where a release asks for another shape it has gone another way, which its cells will show.
    """

    def rule(turn: int, true: Counts) -> Counts:
        fits = turn < len(published) and published[turn].shape == true.shape
        return published[turn] if fits else true

    return rule


class Script(RandomBits):
    """Randomness that leaves nothing to chance and writes down what it was used for.

    Parameters
    ----------
    rule : callable
        What each noisy step shall publish.
    """

    def __init__(self, rule: Rule = truth) -> None:
        super().__init__()
        self.rule = rule
        self.steps: list[tuple[Fraction, Counts]] = []
        self.published: list[Counts] = []
        self._drawn = 0
        self._heard: list[Ints] = []
        self._dealt = 0
        self._bytes = self._refuse

    from_system = True
    """The script stands in for the system, and for all of its bits."""

    def fork(self, name: str) -> Script:
        """Hear every group, one after the other."""
        del name
        return self

    def _refuse(self, count: int) -> bytes:
        raise AssertionError(f"a release drew {count} bytes in a way that the audit does not know")

    def priorities(self, count: int) -> npt.NDArray[np.uint64]:
        """Lots that a record has by its position, so that it has the same one in both datasets."""
        first, self._dealt = self._dealt, self._dealt + count
        order = np.arange(first, self._dealt, dtype=np.uint64)
        return np.asarray(order * np.uint64(0x9E3779B97F4A7C15))

    def key(self) -> bytes:
        """Return the key by which places are drawn: the same for both datasets."""
        return bytes(16)

    def discrete_laplace(self, scale: Fraction, count: int) -> Ints:
        """Noise that listens. Its values are numbers that tell one draw from all others."""
        noise = np.arange(self._drawn, self._drawn + count).view(_Noise)
        noise.script, noise.scale = self, scale
        self._drawn += count
        return noise

    def hear(self, scale: Fraction, true: Counts, noise: Ints) -> Counts:
        """Write a step down and say what it publishes."""
        self._heard.append(noise.ravel())
        self.steps.append((scale, true))
        self.published.append(self.rule(len(self.steps) - 1, true))
        return self.published[-1]

    @property
    def missed(self) -> bool:
        """Whether there was noise that was not added to just one count, as it was drawn."""
        heard = np.sort(np.concatenate([np.empty(0, np.int64), *self._heard]))
        return not np.array_equal(heard, np.arange(self._drawn))


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
            return self.script.hear(self.scale, np.asarray(others[0]), np.asarray(self))
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


def layers_of(made: Published) -> list[Measurements]:
    """All that was measured of the cells: in each group, and above and below of amounts.

    Examples
    --------
    >>> import geodp
    >>> town, paid = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070"), geodp.Amount("paid", 0, 9)
    >>> nobody = {"x": [], "y": [], "paid": []}
    >>> len(layers_of(geodp.release(nobody, town, epsilon=1, amount=paid)))
    2
    """
    if isinstance(made, (Release, ReleaseSet)) and made.parts:
        return list(made.parts)
    return [one.measurements for one in made.maps.values()]


@dataclass
class Heard:
    """One release under a script: what was published, and what lay behind it."""

    made: Published
    script: Script
    drawing: Drawing | None
    said: list[str] = field(default_factory=list)

    @property
    def measured(self) -> list[Measurements]:
        """All numbers that were published about the cells, group by group."""
        return layers_of(self.made)

    @property
    def took(self) -> int:
        """Index of the candidate that was published; a tree has but one frame to grow in."""
        candidates, cells = self.made.method.candidates, self.made.cells
        if len(candidates) < 2:
            return 0
        if isinstance(candidates[0], Grid):
            return candidates.index(cells.grid)
        words = [each.in_words for each in candidates]
        if isinstance(cells, (DistrictCells, H3Cells, HexagonCells)):
            return words.index(PolygonPartition(cells).in_words)
        assert cells.grid is not None
        return words.index(cells.grid.in_words)


def listen(
    case: Pair, side: int, release: Attack, epsilon: Fraction, take: int = 0, rule: Rule = truth
) -> Heard:
    """Release one side of a case under a script."""
    script, tuner = Script(rule), Listener(case.tuner, take)
    said: list[str] = []
    made = case.made(release, side, epsilon=epsilon, tuner=tuner, seed=script, progress=said.append)
    said += [repr(made), *(f"{key}={value}" for key, value in sorted(tags_of(made).items()))]
    return Heard(made, script, tuner.drawings[-1] if tuner.drawings else None, said)
