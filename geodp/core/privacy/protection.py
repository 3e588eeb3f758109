"""Say what a release protects: a record, a feature of several points, or a person with all records.

A protected unit holds at most k records, and neighbouring datasets differ by one unit. Both
together give the *distance*: the largest number of records by which neighbours differ, which every
budget is divided by (docs/privacy.md, claim 1).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..common.code import dataclass_in_code
from ..common.errors import InputError
from .quantity import MOST_FREQUENT, PLAIN, SHARES, VISITED, Contribution, Quantity
from .unit import Unit

KEEP = 64
"""Records that are kept of each person, at least: a person spread over 64 of hundreds of records,
drawn at random, is told as well as over all of them. With 16, errors of counts per district are a
fifth larger."""

_TIMES = 4
"""Records that are kept for each of ``max_records``, so that little of a person is left out."""


class Protection(ABC):
    """Say what a release shall protect: :class:`Record`, :class:`Feature` or :class:`Person`."""

    neighbours: str

    def __repr__(self) -> str:
        return dataclass_in_code(self)

    @property
    @abstractmethod
    def unit(self) -> Unit:
        """Return the protected unit, as a release and a ledger state it."""

    @property
    def person(self) -> str | None:
        """Return the field that says whose record it is, where persons are protected."""
        return None

    @property
    def points_per_feature(self) -> int | None:
        """Return how many points of a feature may count; None where persons are bounded."""
        return 1

    @property
    def quantity(self) -> Quantity:
        """Return what is added up, and in which units."""
        return PLAIN

    @property
    def contribution(self) -> Contribution | None:
        """Return how the records of one person share what a person may add up to."""
        return None


@dataclass(frozen=True, repr=False)
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
        _ = self.unit  # refuses unknown neighbours

    @property
    def unit(self) -> Unit:
        return Unit("record", 1, self.neighbours)


@dataclass(frozen=True, repr=False)
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
        object.__setattr__(self, "max_points", _positive(self.max_points, "max_points"))
        _ = self.unit

    @property
    def unit(self) -> Unit:
        return Unit("feature", self.max_points, self.neighbours)

    @property
    def points_per_feature(self) -> int:
        return self.max_points


@dataclass(frozen=True, repr=False)
class Person(Protection):
    """Protect every person with all of their records.

    By default numbers are of people: each person is one, spread over their records in the domain in
    equal parts. Somebody with one record there counts as one, where it is; somebody with four as a
    quarter in each of four places.

    Parameters
    ----------
    field : str
        Field of the points that says whose record it is. Records without a person are dropped.
    max_records : int, optional
        Count records instead, a person's as at most so many: where somebody has more, each of them
        counts for less than one. Noise grows with it.
    neighbours : {"add-remove", "replace"}
        Compare data with one person more or less, or with one exchanged for another.
    place : "most frequent", optional
        Count each person once, in the cell in which most of their records are: where people live,
        roughly. For districts, hexagons or one grid.
    visits : int, optional
        Count the visitors of each cell: a person is one in each cell that they have records in, or
        in so many of these, drawn at random, if there are more. Noise grows with it. For districts,
        hexagons or one grid.

    Examples
    --------
    >>> Person("who", max_records=5)
    Person('who', max_records=5)
    >>> Person("who").unit.distance, Person("who").quantity.things
    (1, 'people')
    >>> Person("who", max_records=5).unit.distance
    5
    >>> Person("who", visits=3).unit.distance, Person("who", visits=3).quantity.things
    (3, 'visitors')
    >>> Person("who", place="most frequent", neighbours="replace").unit.distance
    2
    """

    field: str
    max_records: int | None = None
    neighbours: str = "add-remove"
    place: str | None = None
    visits: int | None = None

    def __post_init__(self) -> None:
        field: object = self.field  # whoever does not check types may pass an array
        if not isinstance(field, str) or not field:
            raise InputError(
                "a person is told by the name of a field; got "
                f"{type(field).__name__}: give arrays with names, such as "
                "`{'x': x, 'y': y, 'who': ids}`, and the name of the one with the ids."
            )
        if self.max_records is not None:
            object.__setattr__(self, "max_records", _positive(self.max_records, "max_records"))
        if self.visits is not None:
            object.__setattr__(self, "visits", _positive(self.visits, "visits"))
        if self.place is not None and self.place != MOST_FREQUENT:
            raise InputError(f"`place` must be {MOST_FREQUENT!r}, or left out; got {self.place!r}.")
        if sum(option is not None for option in (self.max_records, self.place, self.visits)) > 1:
            raise InputError(
                "a person counts in one way; got more than one of `max_records`, `place` and "
                "`visits`: give one of them, or none."
            )
        _ = self.unit

    @property
    def unit(self) -> Unit:
        most = 1 if self.place is not None else self.visits or self.max_records
        return Unit("person", most, self.neighbours, self.field)

    @property
    def person(self) -> str:
        return self.field

    @property
    def points_per_feature(self) -> None:
        return None

    @property
    def quantity(self) -> Quantity:
        if self.place is not None or self.visits is not None:
            return Quantity("people" if self.visits is None else "visitors")
        return Quantity("people" if self.max_records is None else "records", SHARES)

    @property
    def contribution(self) -> Contribution:
        if self.place is not None:
            return Contribution(1, 1, 1, place=MOST_FREQUENT)
        if self.visits is not None:
            return Contribution(self.visits, self.visits, 1, place=VISITED)
        most = self.max_records or 1
        return Contribution(most, max(KEEP, _TIMES * most) if self.max_records else KEEP)


def checked_protection(value: object) -> Protection:
    """Accept one of the three, or say what they are."""
    if isinstance(value, Protection):
        return value
    raise InputError(
        "protect must be `Record()`, `Feature(max_points=…)` or `Person(field)`, with the field "
        f"that tells whose record it is; got {value!r}."
    )


def _positive(value: object, name: str) -> int:
    try:
        number = int(value)  # type: ignore[call-overload]
        if isinstance(value, bool) or number != value or number < 1:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{name}` must be a whole number of at least 1; got {value!r}.") from None
    return int(number)
