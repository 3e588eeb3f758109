"""Say what a release adds up: records or people, and in which whole units.

Where a record does not simply add one, it carries *units*: whole numbers, a fixed number of which
make one. A person who counts as one, spread over three records, gives each a third of them. Counts
are added up in units, noise is drawn in units, and whoever shows a number divides. Plain counts
have one unit for each record.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.errors import InputError
from ..common.phrases import Phrase
from ..common.types import Bools, Ints

SHARES = 720_720
"""Units of one person, or of one of their records: divisible by 1 to 16, so that thirds of a person
are as exact as halves."""

_THINGS = {"records": "record", "people": "person", "visitors": "visitor"}
_MANY = {"records": "records", "people": "people", "visitors": "visitors"}

MOST_FREQUENT = "most frequent"
"""People count where most of their records are."""

VISITED = "visited"
"""People count in each of a few places where they have records."""

_MOST_UNITS = 1 << 40


@dataclass(frozen=True)
class Quantity:
    """Say what is added up, and how many whole units make one of it.

    Parameters
    ----------
    things : {"records", "people", "visitors"}
        What the numbers are of. Visitors of several cells are counted in each.
    units : int
        Units that make one; 1 for plain counts, and for people who are not divided.

    Examples
    --------
    >>> Quantity("people", 720_720).one
    'person'
    >>> Quantity().plain
    True
    """

    things: str = "records"
    units: int = 1

    def __post_init__(self) -> None:
        if self.things not in _THINGS:
            raise InputError(f"a quantity is of records, people or visitors; got {self.things!r}.")
        units: object = self.units
        if isinstance(units, bool) or not isinstance(units, int) or not 1 <= units <= _MOST_UNITS:
            raise InputError(
                f"units must be a whole number from 1 to {_MOST_UNITS:,}; got {units!r}."
            )

    @property
    def one(self) -> Phrase:
        """Return the word for one of the things."""
        return Phrase(_THINGS[self.things])

    @property
    def many(self) -> Phrase:
        """Return the word for several of the things."""
        return many(self.things)

    @property
    def plain(self) -> bool:
        """Tell whether every record is simply one."""
        return self == PLAIN

    @property
    def divided(self) -> bool:
        """Tell whether people are spread over the places of their records, in parts of one."""
        return self.things == "people" and self.units > 1

    @property
    def at_places(self) -> bool:
        """Tell whether people count as one at each place, which takes cells that are fixed.

        Examples
        --------
        >>> Quantity("visitors").at_places, Quantity("people", 720_720).at_places
        (True, False)
        """
        return self.things != "records" and self.units == 1

    def to_facts(self) -> dict[str, object]:
        """Return what a file says about it."""
        return {"things": self.things, "units": self.units}

    @classmethod
    def from_facts(cls, facts: dict[str, object]) -> Quantity:
        """Read what a file says."""
        units = facts["units"]
        if not isinstance(units, int):
            raise InputError(f"units must be a whole number; got {units!r}.")
        return cls(str(facts["things"]), units)


def many(things: str) -> Phrase:
    """Return the word for several of what is added up.

    Examples
    --------
    >>> many("people").template
    'people'
    """
    return Phrase(_MANY[things])


PLAIN = Quantity()
"""Records, one unit each."""


@dataclass(frozen=True)
class Contribution:
    """Say how the records of one person share what a person may add up to.

    A person with m records keeps ``min(m, keep)`` of them, drawn at random, which share
    ``min(m, most)`` ones between them, in equal parts to within one unit. So whatever m is, a
    person adds up to at most ``most`` ones.

    Parameters
    ----------
    most : int
        Ones that a person may add up to.
    keep : int
        Records that are kept of each person.
    units : int
        Units that make one.
    cap : int
        Steps at which the total of a person's amounts is cut, where that is added up; or 0.
    place : {"", "most frequent", "visited"}
        Where people are counted at places: which. A person then counts as one in each of at most
        ``most`` cells, whatever is behind them.

    Examples
    --------
    >>> Contribution(most=1, keep=16).total(3)
    720720
    """

    most: int
    keep: int
    units: int = SHARES
    cap: int = 0
    place: str = ""

    def total(self, kept: int) -> int:
        """Return the units of a person with this number of kept records."""
        return min(kept, self.most) * self.units

    def by_lot(self, kept: Ints) -> Bools:
        """Tell, for numbers of kept records, whether it matters which of them comes first.

        Units that cannot be divided evenly are handed out by lot, and so are totals of amounts.

        Examples
        --------
        >>> Contribution(most=5, keep=20).by_lot(np.array([0, 16, 17]))
        array([False, False,  True])
        """
        rest = np.minimum(kept, self.most) * self.units % np.maximum(kept, 1)
        return np.asarray((kept > 0) & (self.cap > 0) | (rest > 0))
