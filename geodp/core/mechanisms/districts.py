"""Measure districts, and the larger units that hold them where that pays.

A client of the kernel: everything here sees published numbers alone.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..common.types import Ints
from ..kernel.kernel import Kernel
from ..kernel.measurements import Measurements
from ..space.levels import Levels

LEVEL_SHARE = Fraction(3, 10)
"""Part of what is left that a unit above the smallest is measured with, at most."""

LEAST_LEVEL_SHARE = Fraction(1, 20)
"""Shares are whole multiples of this, so that there are few scales."""

_ENOUGH = 1024
"""A share of k steps is enough for a unit of n children where ``k**2 * n`` is as much: the share is
then ``1.6 / sqrt(n)``, and the unit's error some six tenths of that of a sum over its children."""

_HOW = "discrete Laplace noise on the counts by {}"


def level_shares(children: Ints) -> Ints:
    """Return the share of a unit above the smallest, in twentieths of what is left; 0 for none.

    Parameters
    ----------
    children : ndarray of int
        How many children each unit has.

    Examples
    --------
    >>> level_shares(np.array([11, 12, 40, 41, 64, 114, 256, 5000]))
    array([0, 6, 6, 5, 4, 3, 2, 1])
    """
    most = int(LEVEL_SHARE / LEAST_LEVEL_SHARE)
    steps = np.full(len(children), most, dtype=np.int64)
    for fewer in range(most - 1, 0, -1):
        steps[fewer**2 * children >= _ENOUGH] = fewer
    return np.where(children * LEVEL_SHARE.numerator**2 > LEVEL_SHARE.denominator**2, steps, 0)


def measure_levels(kernel: Kernel, levels: Levels) -> list[Measurements]:
    """Measure the units of all levels with all of the kernel's ε, in every group.

    The smallest units get all that is left. A larger unit is measured only where it has so many
    children that the sum of their noise is worse than noise of its own: more than ``1 / s**2`` for
    a share s. The more children it has, the less it takes from them: see :func:`level_shares`.

    Parameters
    ----------
    kernel : Kernel
        True counts in the units, in each group.
    levels : Levels
        The units.

    Returns
    -------
    list of Measurements
        Noisy counts, group by group; units are counted through from the domain.
    """
    parts: list[tuple[int, Fraction, list[Ints]]] = []
    numbers = []
    nodes = kernel.split(kernel.domain, np.zeros(1, dtype=np.int64))
    for depth, name in enumerate(levels.names, start=1):
        smallest = depth == levels.depth
        steps = np.full(len(nodes), int(1 / LEAST_LEVEL_SHARE), dtype=np.int64)
        if not smallest:
            steps = level_shares(np.diff(levels.first_children(depth)))
        step = "counts" if smallest else name
        known = len(kernel.amounts)  # more come up as units are measured
        kind = steps * known + nodes.rest
        for pair in np.unique(kind[steps > 0]).tolist():
            which = np.flatnonzero(kind == pair)
            part, number = divmod(pair, known)
            share = kernel.amounts[number] * part * LEAST_LEVEL_SHARE
            values, scale = kernel.measure(nodes, which, share, step, _HOW.format(name))
            parts.append((len(which), scale, values))
            numbers.append(levels.first_node(depth) + nodes.codes[which])
        if not smallest:
            nodes = kernel.split(nodes, np.arange(len(nodes)))
    scales = list(dict.fromkeys(scale for _, scale, _ in parts))
    numbered = np.concatenate([np.full(count, scales.index(scale)) for count, scale, _ in parts])
    groups = len(parts[0][2])
    return [
        Measurements(
            np.concatenate(numbers),
            np.concatenate([values[group] for _, _, values in parts]),
            numbered,
            scales,
        )
        for group in range(groups)
    ]
