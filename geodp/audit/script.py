"""Run releases with a script in place of randomness: it sets what is published, records the rest.

A release takes its randomness from one object and its choice from one tuner, and both can be given
to it. Here they are replaced by ones that record. The noise writes down which true numbers it was
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

from ..core.cells.district_cells import DistrictCells
from ..core.cells.h3_cells import H3Cells
from ..core.cells.hexagon_cells import HexagonCells
from ..core.cells.partitions import PolygonPartition
from ..core.common.types import Ints
from ..core.counts.grid_tally import Tally
from ..core.kernel.measurements import Measurements
from ..core.mechanisms.tuners import Tuner
from ..core.privacy.noise import RandomBits
from ..core.publish.metadata import release_tags
from ..core.regions.overlap import Overlap
from ..core.releases.published import Published
from ..core.releases.release import Release
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


def replay(published: Sequence[Counts]) -> Rule:
    """Publish one thing after the other; the truth beyond the end, and where another shape is due.

    Where a release asks for another shape it has gone another way, which its cells will show.
    """

    def rule(turn: int, true: Counts) -> Counts:
        fits = turn < len(published) and published[turn].shape == true.shape
        return published[turn] if fits else true

    return rule


class Script(RandomBits):
    """Leave nothing to chance, and write down what randomness was used for.

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
        """Return lots by position, so that a record has the same one in both datasets."""
        first, self._dealt = self._dealt, self._dealt + count
        order = np.arange(first, self._dealt, dtype=np.uint64)
        return np.asarray(order * np.uint64(0x9E3779B97F4A7C15))

    def key(self) -> bytes:
        """Return the key by which places are drawn: the same for both datasets."""
        return bytes(16)

    def discrete_laplace(self, scale: Fraction, count: int) -> Ints:
        """Return noise that listens: numbers that tell one draw from all others."""
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
        """Tell whether some noise was not added to just one count, as it was drawn."""
        heard = np.sort(np.concatenate([np.empty(0, np.int64), *self._heard]))
        return not np.array_equal(heard, np.arange(self._drawn))


class _Noise(np.ndarray[Any, np.dtype[np.int64]]):
    """Tell the script what its noise is added to."""

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
        return getattr(ufunc, method)(*plain, **options)  # plain numbers, which the script misses


@dataclass(frozen=True)
class Drawing:
    """Hold what a tuner was to draw from: qualities, and the budget of one record."""

    qualities: list[Fraction]
    epsilon: Fraction


class Listener(Tuner):
    """Take the candidate that it is told to, and write down what it should draw from.

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


def measured_layers(release: Published) -> list[Measurements]:
    """Return all that was measured of the cells: in each group, above and below of amounts.

    Examples
    --------
    >>> import geodp
    >>> town, paid = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070"), geodp.Amount("paid", 0, 9)
    >>> nobody = {"x": [], "y": [], "paid": []}
    >>> len(measured_layers(geodp.release(nobody, town, epsilon=1, amount=paid)))
    2
    """
    if isinstance(release, (Release, ReleaseSet)) and release.parts:
        return list(release.parts)
    return [one.measurements for one in release.maps.values()]


@dataclass
class Heard:
    """Hold one release under a script: what was published, and what lay behind it."""

    release: Published
    script: Script
    drawing: Drawing | None
    sentences: list[str] = field(default_factory=list)

    @property
    def measured(self) -> list[Measurements]:
        """Return all numbers that were published about the cells, group by group."""
        return measured_layers(self.release)

    @property
    def took(self) -> int:
        """Return the index of the published candidate; a tree has but one frame to grow in."""
        candidates, cells = self.release.method.candidates, self.release.cells
        if len(candidates) < 2:
            return 0
        if isinstance(candidates[0], Grid):
            return candidates.index(cells.grid)
        words = [candidate.in_words for candidate in candidates]
        if isinstance(cells, (DistrictCells, H3Cells, HexagonCells)):
            return words.index(PolygonPartition(cells).in_words)
        assert cells.grid is not None
        return words.index(cells.grid.in_words)


def listen(
    case: Pair, side: int, release: Attack, epsilon: Fraction, take: int = 0, rule: Rule = truth
) -> Heard:
    """Release one side of a case under a script."""
    script, tuner = Script(rule), Listener(case.tuner, take)
    sentences: list[str] = []
    options: dict[str, Any] = {"tuner": tuner, "seed": script, "progress": sentences.append}
    one = case.release(release, side, epsilon=epsilon, **options)
    tags = sorted(release_tags(one).items())
    sentences += [repr(one), *(f"{key}={value}" for key, value in tags)]
    return Heard(one, script, tuner.drawings[-1] if tuner.drawings else None, sentences)
