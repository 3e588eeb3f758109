"""Divide ε between the steps of a release, and say how large the noise of each must be.

Everything here is public and is computed before a single point is read: an ε that cannot be used
is refused before it is spent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..privacy.budget import Budget, ExactNumber
from ..privacy.noise import noise_scale
from ..regions.workload import Workload
from .tuners import Tuner


@dataclass(frozen=True)
class Shares:
    """The parts of ε, for one protected unit, and the distance between neighbours.

    Neighbouring datasets differ by adding and removing at most ``distance`` records. A step that
    may cost ε for a unit is run with ε / distance for a record (group privacy, docs/privacy.md,
    claim 1). This is the only place where a budget is divided by the distance.

    Parameters
    ----------
    sketch : Fraction
        For the coarse counts that the weights come from; 0 if there is no sketch.
    choice : Fraction
        For choosing the grid; 0 if there is a single candidate.
    counts : Fraction
        For the counts.
    distance : int
        Records by which neighbours may differ: 1 for one record added or removed, k for a unit of
        k records, and twice as many where a unit is replaced.
    units : int
        Units that make one; scales are in units.

    Examples
    --------
    >>> Shares(Fraction(0), Fraction(1, 10), Fraction(9, 10), distance=5).counts_scale
    Fraction(50, 9)
    """

    sketch: Fraction
    choice: Fraction
    counts: Fraction
    distance: int = 1
    units: int = 1

    def __post_init__(self) -> None:
        _ = self.counts_scale, self.sketch_scale  # refuses scales that are out of range

    @classmethod
    def of(
        cls,
        epsilon: ExactNumber | Budget,
        tuner: Tuner,
        workload: Workload | None,
        *,
        tuning_share: ExactNumber | None = None,
        distance: int = 1,
        units: int = 1,
    ) -> Shares:
        """Divide a budget.

        Parameters
        ----------
        epsilon : number or Budget
            Budget of the whole release.
        tuner : Tuner
            Knows its usual share, and whether it takes a sketch.
        workload : Workload or None
            The regions to tune for; None if there is nothing to tune.
        tuning_share : number, optional
            Part of ε for sketch and choice together; the tuner's usual one by default.
        distance : int
            Records by which neighbours may differ.
        units : int
            Units that make one.

        Examples
        --------
        >>> from geodp.core.mechanisms.tuners import E2EPriv
        >>> Shares.of(1, E2EPriv(), None).counts
        Fraction(1, 1)
        """
        budget = Budget(epsilon)
        tuning, counts = budget.split(tuner.default_share if tuning_share is None else tuning_share)
        if workload is None:
            return cls(Fraction(0), Fraction(0), budget.epsilon, distance, units)
        part = Fraction(0) if workload.weighted else tuner.sketch_share
        sketch = tuning.epsilon * part
        return cls(sketch, tuning.epsilon - sketch, counts.epsilon, distance, units)

    @property
    def sketch_scale(self) -> Fraction | None:
        """Return the scale of the noise on the sketch."""
        return noise_scale(self.sketch, self.distance, self.units) if self.sketch else None

    @property
    def choice_rate(self) -> Fraction:
        """Return what the choice may spend on one unit: one record, where counts are plain."""
        return self.choice / (self.distance * self.units)

    @property
    def counts_scale(self) -> Fraction:
        """Return the scale of the noise on the counts."""
        return noise_scale(self.counts, self.distance, self.units)
