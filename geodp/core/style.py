"""Classes and colours of a map, from public values alone, and the QGIS style made of them.

The steps between classes follow from the scale of the noise. Nothing is fitted to the counts, so
two data sets released in the same way look at the same legend.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from xml.sax.saxutils import quoteattr

from .noise import laplace_variance

OWN_STYLE = "<!-- style made by geodp"
"""Begins the styles that geodp writes, and so may replace without asking."""

_LADDER = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
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
    """A range of counts and its colour.

    Attributes
    ----------
    low, high : float
        Limits halfway between whole numbers, so that no count falls on one; the outermost are
        infinite.
    colour : tuple of int
        Red, green, blue.
    """

    low: float
    high: float
    colour: Colour

    @property
    def label(self) -> str:
        """The counts of the class in words.

        Examples
        --------
        >>> Class(2.5, 4.5, (0, 0, 0)).label, Class(-float("inf"), -2.5, (0, 0, 0)).label
        ('3 to 4', '−3 or less')
        """
        low, high = _whole(self.low + 0.5), _whole(self.high - 0.5)
        if math.isinf(self.low):
            return f"{high} or less"
        if math.isinf(self.high):
            return f"{low} or more"
        return low if low == high else f"{low} to {high}"


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


def qml_of(scale: Fraction) -> str:
    """Return a QGIS style for a vector grid with the field ``count``."""
    classes = classes_of(scale)
    ranges = "\n".join(_range(number, each) for number, each in enumerate(classes))
    symbols = "\n".join(_symbol(number, each.colour) for number, each in enumerate(classes))
    return f"""<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
{OWN_STYLE}: classes follow from the scale of the noise, not from the counts -->
<qgis version="3.22.0" styleCategories="Symbology">
 <renderer-v2 type="graduatedSymbol" attr="count" graduatedMethod="GraduatedColor" \
symbollevels="0" enableorderby="0" forceraster="0">
  <ranges>
{ranges}
  </ranges>
  <symbols>
{symbols}
  </symbols>
 </renderer-v2>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>2</layerGeometryType>
</qgis>
"""


def _range(number: int, each: Class) -> str:
    low, high = (max(-1e15, min(1e15, limit)) for limit in (each.low, each.high))
    return (
        f'   <range lower="{low:.6f}" upper="{high:.6f}" symbol="{number}" '
        f'label={quoteattr(each.label)} render="true"/>'
    )


def _symbol(number: int, colour: Colour) -> str:
    red, green, blue = colour
    options = {
        "color": f"{red},{green},{blue},255",
        "style": "solid",
        "outline_style": "no",
    }
    inner = "".join(
        f'<Option name="{name}" value="{value}" type="QString"/>' for name, value in options.items()
    )
    return (
        f'   <symbol name="{number}" type="fill" alpha="1" clip_to_extent="1" force_rhr="0">'
        '<layer class="SimpleFill" enabled="1" locked="0" pass="0">'
        f'<Option type="Map">{inner}</Option></layer></symbol>'
    )
