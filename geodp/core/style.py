"""Classes and colours of a map, from public values alone.

The steps between classes follow from the scale of the noise. Nothing is fitted to the counts, so
two data sets released in the same way look at the same legend.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from .noise import laplace_variance

OWN_STYLE = "<!-- style made by geodp"
"""Begins the styles and descriptions that geodp writes, and so may replace without asking."""

_LADDER = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_DENSITY_LADDERS = (
    _LADDER,
    (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000),
    tuple(10**power for power in range(10)),
)
_BELOW = 3  # steps below zero: noise hardly ever reaches the last of them

_COLD = ((33, 102, 172), (103, 169, 207), (209, 229, 240))
_CALM = (247, 247, 245)
_WARM = (
    *((254, 237, 190), (254, 217, 142), (254, 178, 76), (253, 141, 60), (240, 88, 41)),
    *((214, 36, 30), (177, 0, 38), (128, 0, 38), (84, 0, 44), (40, 0, 34)),
)

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Class:
    """A range of counts, or of densities, and its colour.

    Attributes
    ----------
    low, high : float
        Limits of counts are halfway between whole numbers, so that no count falls on one; the
        outermost are infinite.
    colour : tuple of int
        Red, green, blue.
    whole : bool
        Whether it is about counts, which are whole numbers.
    """

    low: float
    high: float
    colour: Colour
    whole: bool = True

    @property
    def label(self) -> str:
        """The counts of the class in words.

        Examples
        --------
        >>> Class(2.5, 4.5, (0, 0, 0)).label, Class(-float("inf"), -2.5, (0, 0, 0)).label
        ('3 to 4', '−3 or less')
        """
        if self.whole:
            low, high = _whole(self.low + 0.5), _whole(self.high - 0.5)
        else:
            low, high = _number(self.low), _number(self.high)
        if math.isinf(self.low):
            return f"{high} or less"
        if math.isinf(self.high):
            return f"{low} or more"
        return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Legend:
    """What a map shows, and in which colours.

    Attributes
    ----------
    field : {"count", "density"}
        The values that have the colours.
    words : str
        What these are.
    classes : tuple of Class
        From the lowest to the highest.
    pixel : float
        What a pixel of the raster holds where the field is one: a density is spread over its area.
    """

    field: str
    words: str
    classes: tuple[Class, ...]
    pixel: float = 1.0

    @property
    def step(self) -> float:
        """Values closer to zero than this are drawn almost white."""
        return next(each.high for each in self.classes if each.low < 0 < each.high)


def _number(value: float) -> str:
    return "" if math.isinf(value) else f"{value:,.10g}".replace("-", "−")


def _whole(value: float) -> str:
    return "" if math.isinf(value) else f"{value:,.0f}".replace("-", "−")


def step_of(scale: Fraction) -> int:
    """Round the standard deviation of the noise to a number that people count in.

    Examples
    --------
    >>> [step_of(Fraction(scale)) for scale in (1, 3, 30)]
    [1, 5, 50]
    """
    deviation = max(math.sqrt(laplace_variance(scale)), 1.0)
    power = 10 ** math.floor(math.log10(deviation))
    nearest = min((1, 2, 5, 10), key=lambda digit: abs(math.log(digit * power / deviation)))
    return int(nearest * power)


def classes_of(scale: Fraction) -> tuple[Class, ...]:
    """Classes from the lowest to the highest count, one of them around zero.

    Parameters
    ----------
    scale : Fraction
        Scale of the noise: public.

    Examples
    --------
    >>> [each.label for each in classes_of(Fraction(10, 9))][2:6]
    ['−4 to −3', '−2 to 2', '3 to 4', '5 to 10']
    """
    step = step_of(scale)
    above = [step * rung + 0.5 for rung in _LADDER]
    below = [-limit for limit in reversed(above[:_BELOW])]
    limits = [-math.inf, *below, *above, math.inf]
    colours = (*_COLD, _CALM, *_WARM)
    return tuple(map(Class, limits[:-1], limits[1:], colours))


def density_classes(least: float, most: float) -> tuple[Class, ...]:
    """Classes of densities that differ by orders of magnitude, one of them around zero.

    Parameters
    ----------
    least, most : float
        Noise in an ordinary cell and in the smallest ones, both per unit of area: public.

    Examples
    --------
    >>> [each.label for each in density_classes(0.011, 3.0)][2:6]
    ['−0.02 to −0.01', '−0.01 to 0.01', '0.01 to 0.02', '0.02 to 0.05']
    >>> density_classes(0.011, 3.0)[-1].label
    '10 or more'
    """
    step = _round(least)
    rungs = next((r for r in _DENSITY_LADDERS if step * r[-1] >= 3 * most), _DENSITY_LADDERS[-1])
    above = [step * rung for rung in rungs]
    below = [-limit for limit in reversed(above[:_BELOW])]
    limits = [-math.inf, *below, *above, math.inf]
    colours = (*_COLD, _CALM, *_WARM)
    return tuple(
        Class(low, high, colour, whole=False)
        for low, high, colour in zip(limits[:-1], limits[1:], colours)
    )


def _round(value: float) -> float:
    """The nearest 1, 2 or 5 times a power of ten."""
    power = math.floor(math.log10(value))
    digits = ((1, power), (2, power), (5, power), (1, power + 1))
    digit, power = min(digits, key=lambda each: abs(math.log(each[0] * 10.0 ** each[1] / value)))
    return float(f"{digit}e{power}")
