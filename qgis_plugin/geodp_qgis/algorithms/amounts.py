# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask what records carry, to be added up: a field of numbers, and its public bounds."""

from qgis.core import QgsProcessingParameterField, QgsProcessingParameterNumber

from ..compatibility import NUMBERS, TEXT
from ..library import geodp
from ..translation import tr
from .base import ADVANCED
from .declared import check_declared
from .delimited import is_delimited
from .private_points import INPUT, layer_behind

AMOUNT = "AMOUNT"
AMOUNT_LOW = "AMOUNT_LOW"
AMOUNT_HIGH = "AMOUNT_HIGH"


def add_amount(algorithm):
    double = QgsProcessingParameterNumber.Type.Double
    algorithm.add(
        QgsProcessingParameterField(
            AMOUNT,
            tr("Also add up, and average"),
            parentLayerParameterName=INPUT,
            type=QgsProcessingParameterField.DataType.Numeric,
            optional=True,
        ),
        tr(
            "A field of numbers, such as a damage or a delay: sums and means come beside the "
            "counts, for the same ε. Say below between which bounds it lies. Records without a "
            "number there are not counted."
        ),
        ADVANCED,
    )
    for name, label in (
        (AMOUNT_LOW, tr("Its lower bound (public)")),
        (AMOUNT_HIGH, tr("Its upper bound (public)")),
    ):
        algorithm.add(
            QgsProcessingParameterNumber(name, label, double, optional=True),
            tr(
                "What lies beyond counts as the bound. Never read it off the points; an upper "
                "bound of two to five times the mean that you expect is best."
            ),
            ADVANCED,
        )


def read_amount(algorithm, parameters, context, source):
    """Return what is added up, or None. No feature is looked at."""
    name = algorithm.parameterAsString(parameters, AMOUNT, context) or None
    bounds = [parameters.get(AMOUNT_LOW), parameters.get(AMOUNT_HIGH)]
    if name is None:
        if bounds != [None, None]:
            raise geodp.InputError(
                tr(
                    "Bounds are those of a field to add up: choose it in 'Also add up, and "
                    "average'."
                )
            )
        return None
    if None in bounds:
        raise geodp.InputError(no_bounds())
    place = source.fields().indexOf(name)
    layer = layer_behind(algorithm, parameters, context)
    kinds = (*NUMBERS, TEXT) if is_delimited(layer) else NUMBERS
    if place < 0 or source.fields().at(place).type() not in kinds:
        raise geodp.InputError(
            tr("What is added up must be a field of numbers of the layer; '{}' is none.").format(
                name
            )
        )
    check_declared(layer, source.fields(), name)
    low, high = (
        algorithm.parameterAsDouble(parameters, bound, context)
        for bound in (AMOUNT_LOW, AMOUNT_HIGH)
    )
    return geodp.Amount(name, low, high)


def no_bounds():
    """Return what is said where a bound is missing."""
    return tr("A field to add up needs both bounds, from public knowledge: type them in.")
