# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask whose records they are: which field tells, and as how many records a person may count."""

from qgis.core import QgsProcessingParameterField, QgsProcessingParameterNumber

from ..compatibility import NAMES
from ..library import geodp
from ..translation import tr
from .declared import check_declared
from .private_points import INPUT, layer_behind

PERSON = "PERSON"
MAX_RECORDS = "MAX_RECORDS"


def add_people(algorithm):
    algorithm.add(
        QgsProcessingParameterField(
            PERSON,
            tr("Field that says whose record it is"),
            parentLayerParameterName=INPUT,
            optional=True,
        ),
        tr(
            "For data where one person can have several records. With it, people are protected, "
            "each with all their records, and counted: each person is one, spread over the places "
            "of their records. Records that name nobody are left out. Without it, "
            "records are protected, not people: somebody with ten "
            "records is protected ten times less."
        ),
    )
    algorithm.add(
        QgsProcessingParameterNumber(
            MAX_RECORDS,
            tr("Most records of each person to count"),
            QgsProcessingParameterNumber.Type.Integer,
            optional=True,
        ),
        tr(
            "Leave it empty to count people. With it records are counted, those of each person as "
            "at most this many; the noise grows with this "
            "number. Choose it without looking at the layer. For MultiPoint layers without a "
            "person field: the most points of each feature, which is then protected whole."
        ),
    )


def read_people(algorithm, parameters, context, source):
    """Name of the person field and the most records of each person, each None where not given."""
    person = algorithm.parameterAsString(parameters, PERSON, context) or None
    most = None
    if parameters.get(MAX_RECORDS) is not None:
        most = algorithm.parameterAsInt(parameters, MAX_RECORDS, context)
    if most is not None and most < 1:
        raise geodp.InputError(
            tr("Records of each person must be at least 1; got {}.").format(most)
        )
    if person is not None:
        _check_field(source.fields(), person)
        check_declared(layer_behind(algorithm, parameters, context), source.fields(), person)
    return person, most


def chosen_protection(person, most):
    """Return what the library shall protect."""
    if person is not None:
        return geodp.Person(person, most)
    return geodp.Record() if most is None else geodp.Feature(most)


def _check_field(fields, name):
    column = fields.indexOf(name)
    if column < 0:
        raise geodp.InputError(
            tr("The field for persons must be one of the layer's; there is no '{}'.").format(name)
        )
    if fields.at(column).type() not in NAMES:
        raise geodp.InputError(
            tr("The field for persons must hold text or numbers; '{}' holds {}.").format(
                name, fields.at(column).displayType()
            )
        )
