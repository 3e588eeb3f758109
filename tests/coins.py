"""An oracle for the sampler: geometric numbers from exact coins alone, without a table.

This is how Canonne, Kamath & Steinke (2020, "The Discrete Gaussian for Differential Privacy",
section 5) draw discrete Laplace noise. It is slower than tables, and its proof is another one:
tests hold the noise of releases against it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from geodp.core.common.types import Ints
from geodp.core.privacy.noise import RandomBits


class CoinBits(RandomBits):
    """Random bits that make geometric numbers, and so discrete Laplace noise, from coins.

    The numbers differ from those of :class:`RandomBits` with the same seed; their odds do not.
    """

    def geometric(self, rate: Fraction, count: int) -> Ints:
        """Draw whole numbers with ``P(X >= k) = exp(-rate * k)``."""
        steps, parts = rate.numerator, rate.denominator
        # In units of 1/parts: the fraction below one unit of rate, then whole units.
        fraction = self._falling(parts, Fraction(1, parts), count)
        units = np.zeros(count, dtype=np.int64)
        alive = np.arange(count)
        while alive.size:
            alive = alive[self.coins(1, 1, alive.size)]
            units[alive] += 1
        return np.asarray((fraction + parts * units) // steps)
