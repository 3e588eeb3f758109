"""Classes and colours of regions by records per area; hatched where little is known."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from .legend import WARM, Colour

UNKNOWN = "#dddddd"
"""Colour of regions without an answer."""

UNSURE_WORDS = "error above\nhalf of it"
"""What the hatching means."""


class Shading(NamedTuple):
    """Regions by records per area.

    Attributes
    ----------
    which : ndarray of int
        Class of each region; -1 where there is no answer.
    unsure : ndarray of bool
        Whether its error is above half of its count: it is hatched.
    colours : list of tuple
        Colour of each class, from the lowest on.
    labels : list of str
        Classes in words.
    words : str
        What these are.
    """

    which: Ints
    unsure: npt.NDArray[np.bool_]
    colours: list[Colour]
    labels: list[str]
    words: str


def shading_of(estimate: Floats, std_error: Floats, areas: Floats) -> Shading:
    """Divide regions into classes.

    Parameters
    ----------
    estimate, std_error : ndarray
        Answers for the regions; NaN where there is none.
    areas : ndarray
        Their areas inside the domain, in square kilometres.

    Examples
    --------
    >>> found = shading_of(np.array([4.0, 90.0]), np.array([3.0, 3.0]), np.array([1.0, 3.0]))
    >>> found.which, found.unsure, found.labels[0], found.words
    (array([0, 2]), array([ True, False]), 'below 10', 'records per km²')
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.maximum(estimate, 0) / areas
    known = np.isfinite(density)
    limits = nice_limits(density[known])
    which = np.where(known, np.searchsorted(limits, density), -1)
    places = np.linspace(0, len(WARM) - 3, len(limits) + 1).round().astype(int)
    per = 1
    while limits and limits[0] * per < 0.1:
        per *= 100  # handy numbers, as in the legend of cells
    unit = f"{per:,} km²" if per > 1 else "km²"
    return Shading(
        which,
        known & (std_error > estimate / 2),
        [WARM[place] for place in places],
        _steps([limit * per for limit in limits]),
        f"records per {unit}",
    )


def nice_limits(values: Floats, most: int = 6) -> list[float]:
    """Round limits that part values into classes of about equal number.

    Examples
    --------
    >>> nice_limits(np.array([0.011, 0.02, 0.04, 0.3, 1.7, 8.0]), 4)
    [0.02, 0.2, 1.0]
    """
    present = values[values > 0]
    if not len(present):
        return []
    cuts = np.quantile(present, np.linspace(0, 1, most + 1)[1:-1])
    return sorted({_round(float(cut)) for cut in cuts})


def _round(value: float) -> float:
    """The nearest 1, 2 or 5 times a power of ten."""
    power = math.floor(math.log10(value))
    near = [float(f"{digit}e{power + up}") for up in (0, 1) for digit in (1, 2, 5)]
    return min(near, key=lambda each: abs(math.log(each / value)))


def _steps(limits: list[float]) -> list[str]:
    """Words for the classes between limits."""
    if not limits:
        return ["any"]
    texts = [f"{limit:,.6g}" for limit in limits]
    inner = [" to ".join(texts[place : place + 2]) for place in range(len(texts) - 1)]
    return [f"below {texts[0]}", *inner, f"{texts[-1]} or more"]
