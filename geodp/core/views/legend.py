"""Classes and colours of signed counts, of their errors and of differences.

The steps between classes follow from the scale of the noise. Nothing is fitted to the counts, so
two data sets released in the same way look at the same legend. Pictures for the eye have classes of
their own: see :mod:`~geodp.core.views.picture`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ..cells.cells import Cells, areas_on_map, raster_for
from ..common.phrases import Number, Phrase
from ..common.types import Floats
from ..estimates.fitting import fit
from ..kernel.measurements import Measurements
from ..privacy.noise import laplace_variance
from ..privacy.quantity import many
from ..releases.difference import Difference
from .raster_cells import raster_cells

_LADDER = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_DIGITS = ((1, 2, 5), (1, 3), (1,))
"""Leading digits of the limits of densities, from the closest steps to the widest."""

_BELOW = 3  # steps below zero: noise hardly ever reaches the last of them

_COLD = ((33, 102, 172), (103, 169, 207), (209, 229, 240))
_CALM = (247, 247, 245)
WARM = (
    *((254, 237, 190), (254, 217, 142), (254, 178, 76), (253, 141, 60), (240, 88, 41)),
    *((214, 36, 30), (177, 0, 38), (128, 0, 38), (84, 0, 44), (40, 0, 34)),
)

_LESS = (
    *((209, 229, 240), (146, 197, 222), (67, 147, 195)),
    *((33, 102, 172), (8, 69, 148), (5, 48, 97)),
)
_MORE = (
    *((253, 219, 199), (244, 165, 130), (214, 96, 77)),
    *((178, 24, 43), (140, 10, 37), (103, 0, 31)),
)
"""Colours of differences, from small to large."""

_UNSURE = ((242, 240, 247), (203, 201, 226), (158, 154, 200), (117, 107, 177), (84, 39, 143))
"""Colours of standard errors."""

Colour = tuple[int, int, int]


def hexadecimal(colour: Colour) -> str:
    """Return a colour as pages and pictures write it.

    Examples
    --------
    >>> hexadecimal((233, 237, 240))
    '#e9edf0'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)


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
    per : int
        Label densities per so many units of area; 0 for counts, which are whole numbers.
    few : bool
        Whether it is the first class of a picture, in which there is hardly anything.
    words : str
        Its label, where that is not made of its limits.
    """

    low: float
    high: float
    colour: Colour
    per: int = 0
    few: bool = False
    words: str = ""

    @property
    def holds_zero(self) -> bool:
        """Tell whether it is the class around zero, or from there up."""
        return self.low <= 0 < self.high

    @property
    def label(self) -> str:
        """Return the counts of the class in words.

        Examples
        --------
        >>> Class(2.5, 4.5, (0, 0, 0)).label, Class(-float("inf"), -2.5, (0, 0, 0)).label
        ('3 to 4', '−3 or less')
        """
        if self.words:
            return self.words
        if self.per:
            low, high = _number(self.low * self.per), _number(self.high * self.per)
        else:
            low, high = _rounded_text(self.low + 0.5), _rounded_text(self.high - 0.5)
        if self.few:
            every = math.isinf(self.high)
            return Phrase("hardly any") if every else Phrase("below {1}: hardly any", high)
        if math.isinf(self.low):
            return Phrase("{1} or less", high)
        if math.isinf(self.high):
            return Phrase("{1} or more", low)
        return low if low == high else Phrase("{1} to {2}", low, high)


@dataclass(frozen=True)
class Legend:
    """Hold what a map shows, and in which colours.

    Attributes
    ----------
    field : {"drawn", "count", "density"}
        The values that have the colours: of a picture, what is drawn for the eye.
    words : str
        What these are.
    classes : tuple of Class
        From the lowest to the highest.
    pixel : float
        What a pixel of the raster holds where the field is one: a density is spread over its area.
    band : int
        Band of a raster that has the counts.
    """

    field: str
    words: str
    classes: tuple[Class, ...]
    pixel: float = 1.0
    band: int = 1

    @property
    def calm(self) -> str:
        """Return values around zero that are drawn almost white, in words.

        Examples
        --------
        >>> Legend("density", "records per 100 km²", density_classes(0.0031, 1.0)).calm
        '−0.2 to 0.2 records per 100 km²'
        >>> first = Class(-math.inf, 1.0, (246, 245, 240), 1, few=True)
        >>> Legend("drawn", Phrase("{1} per {2}", "records", "km²"), (first,)).calm
        'below 1 records per km²'
        """
        calm = next(class_ for class_ in self.classes if class_.holds_zero)
        if not calm.few:
            return Phrase("{1} {2}", calm.label, self.words)
        if math.isinf(calm.high):
            assert isinstance(self.words, Phrase)
            return Phrase(_FEW[self.words.values[0]])
        return Phrase("below {1} {2}", _number(calm.high * calm.per), self.words)


_FEW = {
    "records": "hardly any records",
    "people": "hardly any people",
    "visitors": "hardly any visitors",
}
"""What lies in the first class of a picture."""


def _number(value: float) -> Number:
    text = "" if math.isinf(value) else f"{float(f'{value:.6g}'):,.10g}"
    return Number(text.replace("-", "−"))


def _rounded_text(value: float) -> Number:
    return Number("" if math.isinf(value) else f"{value:,.0f}".replace("-", "−"))


def area_words(per: int, unit: str) -> Phrase:
    """Return an area that densities are of, in words.

    Examples
    --------
    >>> area_words(100, "km²"), area_words(1, "square degrees")
    ('100 km²', 'square degree')
    """
    if per == 1:
        return Phrase("square degree" if unit == "square degrees" else "km²")
    several = Phrase("square degrees" if unit == "square degrees" else "km²")
    return Phrase("{1} {2}", Number(f"{per:,}"), several)


def noise_step(scale: Fraction, terms: int = 1) -> int:
    """Round the standard deviation of the noise to a number that people count in.

    Examples
    --------
    >>> [noise_step(Fraction(scale)) for scale in (1, 3, 30)]
    [1, 5, 50]
    """
    deviation = max(math.sqrt(terms * laplace_variance(scale)), 1.0)
    power = 10 ** math.floor(math.log10(deviation))
    nearest = min((1, 2, 5, 10), key=lambda digit: abs(math.log(digit * power / deviation)))
    return int(nearest * power)


def count_classes(scale: Fraction, terms: int = 1) -> tuple[Class, ...]:
    """Return classes from the lowest to the highest count, one of them around zero.

    Parameters
    ----------
    scale : Fraction
        Scale of the noise: public.
    terms : int
        Draws of noise in each count.

    Examples
    --------
    >>> [each.label for each in count_classes(Fraction(10, 9))][2:6]
    ['−4 to −3', '−2 to 2', '3 to 4', '5 to 10']
    """
    step = noise_step(scale, terms)
    above = [step * rung + 0.5 for rung in _LADDER]
    below = [-limit for limit in reversed(above[:_BELOW])]
    limits = [-math.inf, *below, *above, math.inf]
    colours = (*_COLD, _CALM, *WARM)
    return tuple(map(Class, limits[:-1], limits[1:], colours))


def both_ways(legend: Legend) -> Legend:
    """Return the same steps above zero and below, for what may grow or shrink.

    Examples
    --------
    >>> legend = both_ways(Legend("count", "records per cell", count_classes(Fraction(10, 9))))
    >>> [each.label for each in legend.classes][4:9]
    ['−10 to −5', '−4 to −3', '−2 to 2', '3 to 4', '5 to 10']
    """
    above = [class_.low for class_ in legend.classes if class_.low > 0][: len(_MORE)]
    limits = [-math.inf, *(-limit for limit in reversed(above)), *above, math.inf]
    colours = (*reversed(_LESS), _CALM, *_MORE)
    per = legend.classes[0].per
    classes = tuple(
        Class(low, high, colour, per) for low, high, colour in zip(limits[:-1], limits[1:], colours)
    )
    return replace(legend, classes=classes)


def spread_classes(least: float, most: float) -> tuple[Class, ...]:
    """Return classes of standard errors between the least and the largest, in equal steps.

    Examples
    --------
    >>> [each.label for each in spread_classes(1.6, 5.1)]
    ['2.3 or less', '2.3 to 3', '3 to 3.7', '3.7 to 4.4', '4.4 or more']
    """
    step = (most - least) / len(_UNSURE)
    inner = [float(f"{least + step * number:.3g}") for number in range(1, len(_UNSURE))]
    limits = [-math.inf, *sorted({*inner}), math.inf]
    return tuple(
        Class(low, high, colour, 1) for low, high, colour in zip(limits[:-1], limits[1:], _UNSURE)
    )


def error_classes() -> tuple[Class, ...]:
    """Return classes of how many standard errors something is from zero.

    Examples
    --------
    >>> [each.label for each in error_classes()]
    ['1 or less', '1 to 2', '2 to 3', '3 to 5', '5 to 10', '10 to 20', '20 or more']
    """
    limits = [-math.inf, 1, 2, 3, 5, 10, 20, math.inf]
    colours = (_CALM, *_MORE)
    return tuple(
        Class(low, high, colour, 1) for low, high, colour in zip(limits[:-1], limits[1:], colours)
    )


def density_classes(least: float, most: float) -> tuple[Class, ...]:
    """Return classes of densities that differ by orders of magnitude, one of them around zero.

    They are labelled per 1, 100 or 10,000 units of area and so on, whatever makes handy numbers.

    Parameters
    ----------
    least, most : float
        Noise in an ordinary cell and in the smallest ones, both per unit of area: public.

    Examples
    --------
    >>> [each.label for each in density_classes(0.11, 3.0)][2:6]
    ['−0.2 to −0.1', '−0.1 to 0.1', '0.1 to 0.2', '0.2 to 0.5']
    >>> density_classes(0.11, 3.0)[-1].label, density_classes(0.11, 3.0)[-1].per
    ('100 or more', 1)
    """
    above = next(
        (rungs for digits in _DIGITS if (rungs := _rungs(digits, least))[-1] >= most),
        _rungs(_DIGITS[-1], least),
    )
    per = 1
    while above[0] * per < 0.1:
        per *= 100
    below = [-limit for limit in reversed(above[:_BELOW])]
    limits = [-math.inf, *below, *above, math.inf]
    colours = (*_COLD, _CALM, *WARM)
    return tuple(
        Class(low, high, colour, per) for low, high, colour in zip(limits[:-1], limits[1:], colours)
    )


def density_legend(noise: Floats, area: Floats, unit: str, things: str = "records") -> Legend:
    """Return classes of densities of cells: ordinary noise is white, wherever it is on the map.

    Parameters
    ----------
    noise, area : ndarray
        Standard deviation of the noise in each cell, and its area: public.
    unit : str
        Of the areas, for words.
    things : str
        What is counted.

    Examples
    --------
    >>> density_legend(np.array([1.4, 1.4]), np.array([100.0, 25.0]), "km²").calm
    '−1 to 1 records per 100 km²'
    """
    density = noise / area
    order = np.argsort(density)
    covered = np.cumsum(area[order])
    ordinary = order[np.searchsorted(covered, covered[-1] / 2)]
    least = max(float(density[ordinary]), 1e-300)
    classes = density_classes(least, float(density.max()))
    words = Phrase("{1} per {2}", many(things), area_words(classes[0].per, unit))
    return Legend("density", words, classes)


def cell_legend(cells: Cells, measurements: Measurements, things: str = "records") -> Legend:
    """Choose what a map of cells shows, from the cells and the scale of the noise alone.

    Cells of one grid compare by their counts, others by records per area: ordinary noise is white,
    wherever it is on the map.
    """
    if cells.grid is not None:
        classes = count_classes(measurements.count_scales[0], measurements.terms)
        return Legend("count", Phrase("{1} per cell", many(things)), classes)
    noise = np.sqrt(fit(cells, measurements).variance)
    unit = "square degrees" if cells.domain.crs.geographic else "km²"
    legend = density_legend(noise, cells.map_areas(), unit, things)
    if cells.raster is None:
        return legend
    area = float(areas_on_map(np.array([cells.domain.bounds]), cells.domain)[0])
    return replace(legend, pixel=area / raster_for(raster_cells(cells)).cells)


def difference_legend(difference: Difference) -> Legend:
    """Choose what a map of a difference shows, with classes alike above zero and below."""
    cells, base = difference.cells, difference.base
    if cells.grid is None:
        return both_ways(Legend("z_score", Phrase("standard errors"), error_classes(), band=3))
    ratio = np.median(difference.variance / base.variance) if len(cells) else 1
    terms = max(round(float(ratio) * base.measurements.terms), 1)
    things = base.method.quantity.things
    legend = cell_legend(cells, base.measurements.with_terms(terms), things)
    return both_ways(replace(legend, field="difference"))


def clamped_classes(classes: tuple[Class, ...]) -> tuple[Class, ...]:
    """Return the classes that remain where negative values are set to zero.

    Examples
    --------
    >>> [each.label for each in clamped_classes(count_classes(Fraction(10, 9)))][:2]
    ['0 to 2', '3 to 4']
    """
    lowest = 0.0 if classes[0].per else -0.5
    first, *others = (class_ for class_ in classes if class_.high > 0)
    return (replace(first, low=lowest), *others)


def _rungs(digits: tuple[int, ...], least: float) -> list[float]:
    """Return ten limits with these leading digits, from the one that is nearest to the least."""
    power = math.floor(math.log10(least))
    rungs = [
        float(f"{digit}e{power + more}") for more in range(len(_LADDER) + 2) for digit in digits
    ]
    first = min(range(len(digits) + 1), key=lambda place: abs(math.log(rungs[place] / least)))
    return rungs[first : first + len(_LADDER)]
