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
"""Part of what is left that a unit above the smallest is measured with."""

_HOW = "discrete Laplace noise on the counts of {}"


def measure_levels(kernel: Kernel, levels: Levels) -> list[Measurements]:
    """Measure the units of all levels with all of the kernel's ε, in every group.

    The smallest units get all that is left. A larger unit is measured only where it has so many
    children that the sum of their noise is worse than noise of its own: more than ``1 / s**2`` for
    a share s.

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
        many = np.ones(len(nodes), dtype=np.bool_)
        if not smallest:
            many = np.diff(levels.first_children(depth)) > 1 / LEVEL_SHARE**2
        step = "counts" if smallest else name
        for number in np.unique(nodes.rest[many]).tolist():
            which = np.flatnonzero(many & (nodes.rest == number))
            share = kernel.amounts[number] * (1 if smallest else LEVEL_SHARE)
            values, scale = kernel.measure(nodes, which, share, step, _HOW.format(name))
            parts.append((len(which), scale, values))
            numbers.append(levels.first_node(depth) + nodes.codes[which])
        if not smallest:
            nodes = kernel.split(nodes, np.arange(len(nodes)))
    scales = list(dict.fromkeys(scale for _, scale, _ in parts))
    numbered = np.concatenate([np.full(count, scales.index(each)) for count, each, _ in parts])
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
