# SPDX-License-Identifier: GPL-2.0-or-later
"""One map per kind, hour or year: a field, and a public list of its values or limits between them.

The list is typed and never read off the points: what values there are would tell about them. A
second field may be crossed with the first; then each list has the name of its field before it, as
on the command line.
"""

import re

from qgis.core import QgsProcessingParameterField, QgsProcessingParameterString

from ..compatibility import BOOLEAN, DATE, DATE_TIME, NUMBERS, REAL, TIME_OF_DAY
from ..library import geodp
from ..translation import tr
from .base import ADVANCED
from .declared import check_declared
from .private_points import INPUT, layer_behind

BY = "BY"
CATEGORIES = "CATEGORIES"
BREAKS = "BREAKS"
OTHER = "OTHER"
AND_BY = "AND_BY"

UNFIT = {
    "category": (TIME_OF_DAY,),
    "number": (TIME_OF_DAY, DATE, DATE_TIME),
    "time": (TIME_OF_DAY, BOOLEAN, *NUMBERS),
    "weekday": (TIME_OF_DAY, BOOLEAN, *NUMBERS),
    "clock": (BOOLEAN, *NUMBERS),
}
"""Types of fields whose values can never be in a group of that kind, as in the library."""

HELD = {
    BOOLEAN: "bool",
    **dict.fromkeys(NUMBERS, "whole"),
    REAL: "number",
    DATE: "time",
    DATE_TIME: "time",
}
"""What types of fields hold, where it says which values there can be."""


def add_groups(algorithm):
    algorithm.add(
        QgsProcessingParameterField(
            BY,
            tr("Make one map per value of"),
            parentLayerParameterName=INPUT,
            optional=True,
        ),
        tr(
            "A field that divides the records: kind, hour, year. All maps together cost ε once, "
            "because each record is in one of them. Say below which values."
        ),
    )
    algorithm.add(
        QgsProcessingParameterString(
            CATEGORIES, tr("Its values, a public list: theft, assault"), optional=True
        ),
        tr(
            "Values of the field, with commas, each of which gets a map. Type what everybody "
            "knows; the list is never read off the points, because it would tell what they hold. "
            "Look into the attribute table first whether values are written so, capital letters "
            "too: a map of values that no record has is noise, and ε is spent on it."
        ),
    )
    algorithm.add(
        QgsProcessingParameterString(
            BREAKS,
            tr("…or limits between them: 6, 12, 18"),
            optional=True,
        ),
        tr(
            "Instead: limits between numbers, between dates and times such as 2024-01-01 (ISO, in "
            "UTC) or between times of day such as 06:00. Or a word: hourly, weekday, "
            "monthly 2024-01 to 2024-12, yearly 2020 to 2024. With dates or times, QGIS's temporal "
            "controller plays the maps; times of day are those of 1970-01-01."
        ),
    )
    algorithm.add(
        QgsProcessingParameterString(
            OTHER, tr("Name of a map for all other values"), optional=True
        ),
        tr("Empty: records with other values are not counted."),
        ADVANCED,
    )
    algorithm.add(
        QgsProcessingParameterField(
            AND_BY,
            tr("Make one map per value of that field and of"),
            parentLayerParameterName=INPUT,
            optional=True,
        ),
        tr(
            "A second field, crossed with the first: theft in 2024, theft in 2025, and so on. Then "
            "write before each list whose it is: kind=theft, assault as values and "
            "time=2024-01-01, 2025-01-01 as limits, or kind=theft, assault; year=2024, 2025 in one "
            "box. All maps together still cost ε once."
        ),
        ADVANCED,
    )


def read_groups(algorithm, parameters, context, source):
    """Return what divides the records, or None. No feature is looked at."""
    given = {
        name: algorithm.parameterAsString(parameters, name, context).strip() or None
        for name in (BY, AND_BY, CATEGORIES, BREAKS, OTHER)
    }
    if given[AND_BY] and not given[BY]:
        raise geodp.InputError(
            tr("A second field is crossed with a first: choose it in 'Make one map per value of'.")
        )
    fields = [given[name] for name in (BY, AND_BY) if given[name]]
    lists = [
        geodp.split_lists(word, named_lists(text, fields) if text else [], fields)
        for word, text in (("categories", given[CATEGORIES]), ("breaks", given[BREAKS]))
    ]
    by = geodp.divisions(fields, *lists, given[OTHER])
    geodp.grouped(by)  # refuses what cannot be crossed
    for division in by or ():
        check_field(division.rule, layer_behind(algorithm, parameters, context), source.fields())
    return by


def named_lists(text, fields):
    """Read the lists in a box: one, or where fields are crossed several, each after a name."""
    if len(fields) < 2:
        return [text]
    names = "|".join(re.escape(name) for name in sorted(fields, key=len, reverse=True))
    parts = re.split(rf"\s*;\s*(?=(?:{names})\s*=)", text)
    return [re.sub(rf"^({names})\s*=\s*", r"\1=", part) for part in parts]


def check_field(field, layer, fields):
    """Refuse a field that cannot divide records, or that other records have a say in."""
    place = fields.indexOf(field.name)
    if place < 0:
        raise geodp.InputError(
            tr(
                "The field that divides records must be one of the layer's; there is no '{}'."
            ).format(field.name)
        )
    kind = fields.at(place).type()
    if kind in UNFIT[field.kind]:
        raise geodp.no_group(field, fields.at(place).displayType())
    if kind in HELD:
        field.check_categories(HELD[kind], fields.at(place).displayType())
    check_declared(layer, fields, field.name)
