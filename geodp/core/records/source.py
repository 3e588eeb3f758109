"""Read points as counting sees them: blocks of coordinates, and whose records they are.

A source is private: it stands for the points themselves. Rows that do not fit (no geometry, a
geometry that is no point, text where a number should be) are dropped without a word, since one odd
record must change nothing but counts. What the *declared* schema of a source rules out (a missing
column, a layer of lines) is refused before any row is read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..privacy.noise import RandomBits
from ..privacy.protection import Protection
from ..space.domain import Domain
from .amounts import Amount
from .groups import Field, FieldValues, Groups
from .ids import Ids
from .reprojection import Reprojection, reprojection

Advance = Callable[[int, int], None]
"""Told how much of a public total is done: bytes of files."""

BLOCK = 1 << 18
"""Records turned into coordinates at once."""

_VALUE = re.compile(r"\s*[+-]?[.,]?\d")
"""What hardly any name of a column begins like."""


class Block(NamedTuple):
    """Coordinates in the domain's CRS; whose they are, where persons are protected; groups."""

    x: Floats
    y: Floats
    ids: Ids | None = None
    group: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class Request:
    """Say what counting asks of a source: public, and small enough to send to workers.

    Attributes
    ----------
    domain : Domain
        Whose CRS the coordinates shall be in.
    person : str, optional
        Field that says whose record it is.
    max_points : int, optional
        Points of one feature that may count; None for all, where persons are bounded later.
    several : bool
        Whether features of several points are meant.
    groups : Groups, optional
        Fields that say which group a record is in, with their public lists.
    amount : Amount, optional
        Field with the amount that a record carries.
    """

    domain: Domain
    person: str | None = None
    max_points: int | None = 1
    several: bool = False
    groups: Groups | None = None
    amount: Amount | None = None

    @classmethod
    def of(
        cls,
        domain: Domain,
        protect: Protection,
        groups: Groups | None = None,
        amount: Amount | None = None,
    ) -> Request:
        """Return what must be read for a kind of protection, for groups and for an amount."""
        several = protect.unit.kind == "feature"
        return cls(domain, protect.person, protect.points_per_feature, several, groups, amount)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return fields that say which group a record is in, and what amount it carries."""
        amount = () if self.amount is None else (self.amount.rule,)
        return amount if self.groups is None else (*self.groups.fields, *amount)

    def group_codes(
        self, columns: Any, read: Callable[[Any, Field], FieldValues], feature: Ints | None = None
    ) -> npt.NDArray[Any] | None:
        """Return each record's group, steps of its amount, or both in one number, if any.

        Parameters
        ----------
        columns
            What gives a column for its name.
        read : callable
            Takes a column and a field, and gives the values that the field asks for.
        feature : ndarray of int, optional
            The row of each record, where they are not simply those of the columns.
        """
        numbers: npt.NDArray[Any] | None = None
        if self.groups is not None:
            numbers = self.groups.number(lambda field: read(columns[field.name], field))
        if self.amount is not None:
            # An amount in steps travels as a group does, and -1 says that there is none.
            values = read(columns[self.amount.field], self.amount.rule)
            steps = self.amount.number(as_floats(values))
            groups = 1 if self.groups is None else len(self.groups)
            numbers = self.amount.in_groups(steps, numbers, groups)
        return numbers if numbers is None or feature is None else numbers[feature]

    def reprojection(self, crs: Any) -> Reprojection:
        """Return a function from that CRS to the domain's."""
        return reprojection(crs, self.domain)

    def check_columns(self, names: list[str], *others: str | None, declared: bool = False) -> None:
        """Refuse columns that are asked for and not among the names.

        Parameters
        ----------
        names : list of str
            What the source calls its columns.
        *others : str or None
            The columns of coordinates, where they are asked for by name.
        declared : bool
            Whether the source keeps names apart from records, as a database does and a text file
            does not.
        """
        asked = [*zip(("person", "x", "y"), (self.person, *others))]
        divided = () if self.groups is None else self.groups.fields
        asked += [("`by`", field.name) for field in divided]
        asked += [] if self.amount is None else [("amount", self.amount.field)]
        for kind, name in asked:
            if name is not None and name not in names:
                raise InputError(
                    f"the {kind} field must be a column of the points; there is no {name!r}: the "
                    f"columns are {in_a_row(names, self._asked(*others), declared=declared)}."
                )
            if name is not None and names.count(name) > 1:
                raise InputError(
                    f"the {kind} field must be one column of the points; {name!r} is there more "
                    "than once: give each a name of its own."
                )

    def _asked(self, *others: str | None) -> set[str | None]:
        return {self.person, *others, *(field.name for field in self.fields)}

    def check_kind(self, kind: str | None) -> None:
        """Refuse a declared kind of geometry that does not fit; None where nothing is declared.

        Parameters
        ----------
        kind : {"point", "multipoint", "table", …}, optional
            What every row holds by its declared type; ``"table"`` means columns of coordinates.
        """
        if kind is None:
            return
        if kind not in ("point", "multipoint", "table"):
            raise InputError(
                f"the points must be Point geometries; this layer is declared as {kind}: take "
                "centroids or representative points first."
            )
        if kind == "multipoint" and self.max_points == 1 and not self.several:
            raise InputError(
                "a MultiPoint counts as its points only where it is said how many may count; this "
                "layer is declared as MultiPoint: pass `Feature(max_points=…)`, or split the layer "
                "with `explode()`."
            )
        if kind != "multipoint" and self.several:
            raise InputError(
                "features are protected where they hold several points; these hold one each by "
                "their declared type: protect records, or persons."
            )


def as_floats(values: FieldValues) -> npt.NDArray[Any]:
    """Return numbers of a column; none where it holds others."""
    if isinstance(values, Ids):
        return np.full(len(values.index), np.nan)
    return values


def in_a_row(
    names: Sequence[object], asked: Collection[object] = (), *, declared: bool = False
) -> str:
    """Return names of columns for a message, unless they may be values of a record.

    A text file without a header line begins with a record, which is private, and a table that was
    read from it has that record for its header. Such names are told only where one of them was
    asked for: whoever asks knows the header.

    Parameters
    ----------
    names : sequence
        What the source calls its columns.
    asked : collection
        The names that were asked for.
    declared : bool
        Whether the source keeps names apart from records.

    Examples
    --------
    >>> in_a_row(["lon", "lat"], {"lon", "north"})
    "'lon', 'lat'"
    >>> in_a_row(["N52.52", "E13.4", "Ann"], {"lon", "lat"})
    'not told, since they may be a record where there is no header line: look them up'
    >>> in_a_row(["13.4", "52.5", "Ann"], declared=True)
    'not told, since they look like a record: name them in a header line'
    """
    if any(isinstance(name, str) and _VALUE.match(name) for name in names):
        return "not told, since they look like a record: name them in a header line"
    if names and not declared and not any(name in asked for name in names):
        return "not told, since they may be a record where there is no header line: look them up"
    return ", ".join(map(repr, map(str, names))) or "none"


class PointSource(ABC):
    """Points that can be counted. Private; the repr tells where they are and nothing about them."""

    @abstractmethod
    def check(self, request: Request) -> None:
        """Refuse what the declared schema rules out, before any row is read."""

    @abstractmethod
    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        """Yield all points in blocks; ``advance`` hears of bytes, never of records."""


class RemoteSource(PointSource):
    """Points that are counted where they are, on workers or in a database."""

    @abstractmethod
    def tally(
        self,
        plan: Any,
        protect: Protection,
        bits: RandomBits,
        advance: Advance | None = None,
        amount: Amount | None = None,
    ) -> Any:
        """Count every point once, as :func:`geodp.core.counts.count.count` does."""
