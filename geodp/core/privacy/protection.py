"""What a release protects: a record, a feature of several points, or a person with all records.

A protected unit holds at most k records, and neighbouring datasets differ by one unit. Both
together give the *distance*: the largest number of records by which neighbours differ, which every
budget is divided by (docs/privacy.md, claim 1).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..common.errors import InputError
from .unit import Unit


class Protection(ABC):
    """What a release shall protect: :class:`Record`, :class:`Feature` or :class:`Person`."""

    neighbours: str

    @property
    @abstractmethod
    def unit(self) -> Unit:
        """The protected unit, as a release and a ledger state it."""

    @property
    def person(self) -> str | None:
        """Field that says whose record it is, where persons are protected."""
        return None

    @property
    def points_per_feature(self) -> int | None:
        """Points of one feature that may count; None for all, where persons are bounded later."""
        return 1


@dataclass(frozen=True)
class Record(Protection):
    """Protect every single record; somebody with several records is protected less.

    Parameters
    ----------
    neighbours : {"add-remove", "replace"}
        Compare data with one record more or less, or with one exchanged for another.

    Examples
    --------
    >>> Record().unit.distance, Record(neighbours="replace").unit.distance
    (1, 2)
    """

    neighbours: str = "add-remove"

    def __post_init__(self) -> None:
        _ = self.unit  # refuses neighbours that there are not

    @property
    def unit(self) -> Unit:
        return Unit("record", 1, self.neighbours)


@dataclass(frozen=True)
class Feature(Protection):
    """Protect every feature of a MultiPoint layer with at most ``max_points`` of its points.

    Parameters
    ----------
    max_points : int
        Points of a feature that count; further ones are dropped. Noise grows with it.
    neighbours : {"add-remove", "replace"}
        Compare data with one feature more or less, or with one exchanged for another.

    Examples
    --------
    >>> Feature(max_points=3).unit.distance
    3
    """

    max_points: int
    neighbours: str = "add-remove"

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_points", _whole(self.max_points, "max_points"))
        _ = self.unit

    @property
    def unit(self) -> Unit:
        return Unit("feature", self.max_points, self.neighbours)

    @property
    def points_per_feature(self) -> int:
        return self.max_points


@dataclass(frozen=True)
class Person(Protection):
    """Protect every person with all records, of which at most ``max_records`` are kept.

    Parameters
    ----------
    field : str
        Field of the points that says whose record it is. Records without a person are dropped.
    max_records : int
        Records that a person keeps, chosen at random among those in the domain. Noise grows with
        it, and counts are of kept records.
    neighbours : {"add-remove", "replace"}
        Compare data with one person more or less, or with one exchanged for another.

    Examples
    --------
    >>> Person("who", max_records=5)
    Person(field='who', max_records=5, neighbours='add-remove')
    """

    field: str
    max_records: int
    neighbours: str = "add-remove"

    def __post_init__(self) -> None:
        field: object = self.field  # whoever does not check types may pass an array
        if not isinstance(field, str) or not field:
            raise InputError(
                "a person is told by the name of a field; got "
                f"{type(field).__name__}: give arrays with names, such as "
                "`{'x': x, 'y': y, 'who': ids}`, and the name of the one with the ids."
            )
        object.__setattr__(self, "max_records", _whole(self.max_records, "max_records"))
        _ = self.unit

    @property
    def unit(self) -> Unit:
        return Unit("person", self.max_records, self.neighbours, self.field)

    @property
    def person(self) -> str:
        return self.field

    @property
    def points_per_feature(self) -> None:
        return None


def checked_protection(value: object) -> Protection:
    """Accept one of the three, or say what they are."""
    if isinstance(value, Protection):
        return value
    raise InputError(
        "protect must be `Record()`, `Feature(max_points=…)` or `Person(field, max_records=…)`; "
        f"got {value!r}."
    )


def _whole(value: object, name: str) -> int:
    try:
        whole = int(value)  # type: ignore[call-overload]
        if isinstance(value, bool) or whole != value or whole < 1:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{name}` must be a whole number of at least 1; got {value!r}.") from None
    return int(whole)
