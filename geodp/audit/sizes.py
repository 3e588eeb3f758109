"""Make real releases of more cells than any case has: some things go wrong only beyond a size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.common.types import Ints
from ..core.pipeline.hexagon_kind import Hexagons
from ..core.pipeline.kinds import Adaptive, Regular
from ..core.privacy.protection import Person, Record
from ..core.privacy.quantity import MOST_FREQUENT
from ..core.records.amounts import Amount
from ..core.space.grid import Grid
from .finding import Finding
from .fit import LIMIT, exponential_sizes, fair_signs, surprise_of_mean, surprise_of_sizes
from .pairs import DOMAIN, Attack
from .script import measured_layers

_KINDS: dict[str, dict[str, Any]] = {
    "a million cells": {"cells": Regular(Grid(DOMAIN, (1000, 1000)))},
    "many hexagons": {"cells": Hexagons(0.01), "domain": DOMAIN},
    "adaptive cells": {"cells": Adaptive(), "domain": DOMAIN},
}

_WAYS: dict[str, dict[str, Any]] = {
    "records": {"protect": Record()},
    "people": {"protect": Person("who")},
    "amounts": {"amount": Amount("paid", Fraction(0), Fraction(2))},
    "homes": {"protect": Person("who", place=MOST_FREQUENT)},
}

_CLEAR = 10**9
"""ε for which noise is nothing, in any step and for any units."""

_NOISY = Fraction(1, 2000)
"""ε for which noise comes again by chance less often than once in a million runs."""

_WINDOW = 6
"""Counts in a row that are compared with all others."""


def size_findings(release: Attack) -> Iterator[Finding]:
    """Release few records on very many cells: each counts once, and no noise comes again.

    Parameters
    ----------
    release : callable
        What to attack.

    Examples
    --------
    >>> from geodp import release
    >>> all(finding.passed for finding in size_findings(release))
    True
    """
    rng = np.random.default_rng(3)
    places = np.concatenate([rng.uniform(0, 8, (40, 2)), [[0.0, 0.0], [8.0, 8.0], [4.0, 4.0]]])
    columns = {"x": places[:, 0], "y": places[:, 1], "who": np.arange(len(places))}
    columns["paid"] = np.arange(len(places)) % 3.0
    for kind, cells in _KINDS.items():
        for way, options in _WAYS.items():
            if way == "homes" and kind == "adaptive cells":
                continue  # people at home need fixed cells
            one = release(columns, epsilon=_CLEAR, force=True, **cells, **options)
            counted = float(np.abs(np.rint(one.counts)).sum())
            yield Finding(f"{way} on {kind}", "counted once", float(len(places)), counted)
            yield Finding(f"{way} on {kind}", "no fewer", -float(len(places)), -counted)
    nobody = {name: values[:0] for name, values in columns.items()}
    for kind in ("a million cells", "many hexagons"):
        one = release(nobody, epsilon=_NOISY, force=True, **_KINDS[kind], **_WAYS["amounts"])
        layers = measured_layers(one)
        for layer in layers:
            # What is different beyond some size must show, though it were so for a few cells.
            for part in np.array_split(layer.value, 8):
                sizes, signs = exponential_sizes(part, layer.scales[0], rng), fair_signs(part, rng)
                yield Finding(f"noise of {kind}", "noise", LIMIT, surprise_of_sizes(sizes))
                yield Finding(f"noise of {kind}", "signs", LIMIT, surprise_of_mean(signs))
        again = repeated(np.concatenate([layer.value for layer in layers]), rng)
        yield Finding(f"noise of {kind}", "repeats", 0.0, float(again))


def repeated(noise: Ints, rng: np.random.Generator) -> int:
    """Count the windows of some numbers in a row that occur once more, with any sign.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> noise = rng.integers(-9999, 9999, 50)
    >>> repeated(noise, rng), repeated(np.concatenate([noise, -noise]), rng)
    (0, 45)
    """
    factors = rng.integers(1, 1 << 63, _WINDOW, dtype=np.uint64)
    last = len(noise) - _WINDOW + 1
    sums = np.zeros(last, dtype=np.uint64)
    for place, factor in enumerate(factors):
        sums += np.abs(noise[place : place + last]).astype(np.uint64) * factor
    sums.sort()
    return int((sums[1:] == sums[:-1]).sum())
