"""What ε is promised to: one record, feature or person, and what it means to be without one."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from ..common.errors import InputError

_HOLDS = {"record": None, "feature": "point", "person": "record"}
"""Kinds of units, and what one of them may hold several of."""

NEIGHBOURS = {"add-remove": 1, "replace": 2}
"""Neighbour relations, and the records of difference that each stands for, per record of a unit."""

_DIFFERENCE = {"add-remove": "", "replace": ", replaced by another"}
"""Neighbour relations, and how to say them after the name of a unit."""


@dataclass(frozen=True)
class Unit:
    """What one ε is about; amounts of ε add up only where all three facts are equal.

    Parameters
    ----------
    kind : {"record", "feature", "person"}
        Whose presence cannot be told.
    max_records : int
        Records that count of one person, or points of one feature; 1 for a record.
    neighbours : {"add-remove", "replace"}
        Whether a neighbouring dataset has one unit more or less, or one replaced by another.

    Examples
    --------
    >>> print(Unit("person", 5))
    one person, at most 5 records
    >>> print(Unit("record", neighbours="replace"))
    one record, replaced by another
    """

    kind: str
    max_records: int = 1
    neighbours: str = "add-remove"

    def __post_init__(self) -> None:
        if self.kind not in _HOLDS:
            raise InputError(f"a unit is a record, a feature or a person; got {self.kind!r}.")
        if self.neighbours not in _DIFFERENCE:
            raise InputError(
                f"neighbours must be 'add-remove' or 'replace'; got {self.neighbours!r}."
            )
        try:
            most = operator.index(self.max_records)
        except TypeError:
            most = 0
        if most < 1 or (most > 1 and _HOLDS[self.kind] is None):
            raise InputError(
                "`max_records` must be a whole number of at least 1, and 1 for a record; "
                f"got {self.max_records!r}."
            )
        object.__setattr__(self, "max_records", most)

    @property
    def distance(self) -> int:
        """Largest number of records by which neighbouring datasets differ.

        Examples
        --------
        >>> Unit("person", 5).distance, Unit("person", 5, "replace").distance
        (5, 10)
        """
        return NEIGHBOURS[self.neighbours] * self.max_records

    def __str__(self) -> str:
        words, holds = f"one {self.kind}", _HOLDS[self.kind]
        if holds is not None:
            words += f", at most {self.max_records} {holds}{'s' if self.max_records > 1 else ''}"
        return words + _DIFFERENCE[self.neighbours]
