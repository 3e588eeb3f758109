# SPDX-License-Identifier: GPL-2.0-or-later
"""Rates per a public population, and what is too uncertain to have a colour: `per` and `grey`."""

from __future__ import annotations

from typing import Any, NamedTuple

from qgis.core import QgsProcessingParameterField, QgsProcessingParameterNumber

from ..compatibility import NUMBERS, is_null
from ..library import geodp, np
from ..translation import tr
from .base import ADVANCED

PER = "PER"
EACH = "EACH"
GREY = "GREY"

USUAL = 1000
"""Of how many rates are unless it is said: numbers that can be read in a legend."""

DOUBLE = QgsProcessingParameterNumber.Type.Double


class Rates(NamedTuple):
    """Hold what rates are of: a field of public numbers, and how many of them."""

    field: str
    each: float

    def population(self, features):
        """Return the numbers of some features; NaN where there is none."""
        values = (feature.attribute(self.field) for feature in features)
        return np.array([np.nan if is_null(value) else float(value) for value in values])


def add_rates(algorithm, parent):
    """Ask for a field of the public polygons to divide by."""
    algorithm.add(
        QgsProcessingParameterField(
            PER,
            tr("Also give rates per (a field of public numbers)"),
            parentLayerParameterName=parent,
            type=QgsProcessingParameterField.DataType.Numeric,
            optional=True,
        ),
        tr(
            "A population of each polygon, known to everybody: adds the fields rate, rate_low and "
            "rate_high. Never a number that was counted from the points."
        ),
    )
    algorithm.add(
        QgsProcessingParameterNumber(EACH, tr("Of how many the rates are"), DOUBLE, USUAL),
        tr("1000 gives records per 1000 of them."),
        ADVANCED,
    )


def read_rates(algorithm, parameters, context, layer):
    """Read the field to divide by, and of how many rates are; or None."""
    field = algorithm.parameterAsString(parameters, PER, context)
    each = algorithm.parameterAsDouble(parameters, EACH, context)
    if not field:
        if each != USUAL:
            raise geodp.InputError(
                tr(
                    "'Of how many the rates are' needs the field to divide by: choose it in 'Also "
                    "give rates per'."
                )
            )
        return None
    place = layer.fields().indexOf(field)
    if place < 0 or layer.fields().at(place).type() not in NUMBERS:
        raise geodp.InputError(
            tr("Rates need a field of numbers of the public polygons; '{}' is none.").format(field)
        )
    if not 0 < each < float("inf"):
        raise geodp.InputError(
            tr("'Of how many the rates are' must be a positive number, such as 1000.")
        )
    return Rates(field, each)


def add_grey(algorithm, usual: Any = None, flags=None):
    """Ask from which uncertainty on colours give way to grey."""
    algorithm.add(
        QgsProcessingParameterNumber(
            GREY,
            tr("Grey where the error is above this part of it"),
            DOUBLE,
            usual,
            optional=usual is None,
        ),
        tr(
            "0.5: grey where half of the interval is more than half of the number. Numbers stay as "
            "they are, and nothing is left out of sums."
        ),
        flags,
    )


def read_grey(algorithm, parameters, context):
    """Read the part of a number that half of its interval may be; None where nothing is grey."""
    if parameters.get(GREY) is None and algorithm.parameterDefinition(GREY).defaultValue() is None:
        return None
    share = algorithm.parameterAsDouble(parameters, GREY, context)
    if not 0 < share < float("inf"):
        raise geodp.InputError(
            tr("'Grey where the error is above' must be a positive number, such as 0.5.")
        )
    return share
