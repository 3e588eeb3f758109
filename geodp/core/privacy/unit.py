"""Name what ε is promised to: a record, feature or person, and how neighbouring data differ."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

from ..common.errors import InputError

_HOLDS = {"record": None, "feature": "point", "person": "record"}
"""Kinds of units, and what one of them may hold several of."""

NEIGHBOURS = {"add-remove": 1, "replace": 2}
"""Neighbour relations, and the records of difference that each stands for, per record of a unit."""

_DIFFERENCE = {"add-remove": "", "replace": ", replaced by another"}
"""Neighbour relations, and how to say them after the name of a unit."""


@dataclass(frozen=True)
class Unit:
    """Name what one ε protects; amounts of ε add up only where all facts are equal.

    Parameters
    ----------
    kind : {"record", "feature", "person"}
        Whose presence cannot be told.
    max_records : int, optional
        Records that count of one person, or points of one feature; 1 for a record. None for a
        person who counts as one, spread over all of their records.
    neighbours : {"add-remove", "replace"}
        Whether a neighbouring dataset has one unit more or less, or one replaced by another.
    field : str, optional
        Field that tells persons apart. Those of one field are not those of another: a user may
        have several devices, and a device several users.

    Examples
    --------
    >>> print(Unit("person", 5))
    one person, at most 5 records
    >>> print(Unit("person", 5, field="user"))
    one person, at most 5 records, by the field 'user'
    >>> print(Unit("person", None))
    one person, spread over their records
    >>> print(Unit("record", neighbours="replace"))
    one record, replaced by another
    """

    kind: str
    max_records: int | None = 1
    neighbours: str = "add-remove"
    field: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in _HOLDS:
            raise InputError(f"a unit is a record, a feature or a person; got {self.kind!r}.")
        if self.neighbours not in _DIFFERENCE:
            raise InputError(
                f"neighbours must be 'add-remove' or 'replace'; got {self.neighbours!r}."
            )
        spread = self.max_records is None and self.kind == "person"
        if not spread:
            try:
                most = operator.index(self.max_records)  # type: ignore[arg-type]
            except TypeError:
                most = 0
            if most < 1 or (most > 1 and _HOLDS[self.kind] is None):
                raise InputError(
                    "`max_records` must be a whole number of at least 1, and 1 for a record; "
                    f"got {self.max_records!r}."
                )
            object.__setattr__(self, "max_records", most)
        named: object = self.field
        if named is not None and (self.kind != "person" or not (isinstance(named, str) and named)):
            raise InputError(
                f"a field tells persons apart, by its name; got {named!r} for a {self.kind}."
            )

    @property
    def distance(self) -> int:
        """Return the largest number of records by which neighbouring datasets differ.

        A person who is spread over their records is one, however many they are.

        Examples
        --------
        >>> Unit("person", 5).distance, Unit("person", 5, "replace").distance
        (5, 10)
        >>> Unit("person", None).distance
        1
        """
        return NEIGHBOURS[self.neighbours] * (self.max_records or 1)

    @property
    def published(self) -> Unit:
        """Return the same without the name of the field, as a release states it."""
        return replace(self, field=None)

    def adds_to(self, other: Unit) -> bool:
        """Tell whether ε for this unit and ε that was spent for another have a true sum.

        What was spent before fields were written down is about the field that comes next.

        Examples
        --------
        >>> Unit("person", 5, field="device").adds_to(Unit("person", 5, field="user"))
        False
        """
        return self == other or (other.field is None and self.published == other)

    def __str__(self) -> str:
        words, holds = f"one {self.kind}", _HOLDS[self.kind]
        if self.max_records is None:
            words += ", spread over their records"
        elif holds is not None:
            words += f", at most {self.max_records} {holds}{'s' if self.max_records > 1 else ''}"
        if self.field is not None:
            words += f", by the field {self.field!r}"
        return words + _DIFFERENCE[self.neighbours]
