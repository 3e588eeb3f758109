"""Amounts that records carry: damages, delays, ages; cut at public bounds, in whole units.

A record with the amount v, cut to [low, high], gives ``a = (v - low) / (high - low)`` of one to a
layer *above* and the rest of one to a layer *below*. Whatever the amount is, the two add up to one:
no budget is divided (docs/privacy.md, claim 15). The count of a place is above + below, its sum is
``high · above + low · below``, and its mean ``low + (high - low) · above / (above + below)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.code import in_code
from ..common.errors import InputError
from ..common.phrases import Number
from ..common.text import is_line
from ..common.types import SignedInts
from ..privacy.budget import ExactNumber, exact
from ..privacy.protection import Protection
from ..privacy.quantity import Contribution
from .groups import Field

_MOST_STEPS = 1 << 30
"""Units between the bounds, at most."""

BLOCK = 1 << 16
"""Amounts cut at once: so few stay near the processor."""

_FEWEST_STEPS = 10_000
"""Units between the bounds, at least, where none is named."""


@dataclass(frozen=True, init=False)
class Amount:
    """An amount that records carry in a field, and the public bounds that it is cut at.

    Parameters
    ----------
    field : str
        The field. Records where it is missing, or no number, are left out, each by itself.
    low, high : number
        Public bounds: amounts below count as ``low``, and those above as ``high``. Never read them
        off the data. A ``high`` of two to five times the mean that you expect is best.
    unit : number, optional
        The smallest step that is told apart; by default 0.01, or finer where the bounds are near
        each other, and coarser where they are far apart.
    label : str
        What the numbers are of, for words: "EUR".
    per_person : bool
        Whether the upper bound is one of each person's total, where persons are protected and
        counted as one: sums are then of all that people's records add up to, and means are totals
        of people. The lower bound must be 0.

    Examples
    --------
    >>> damage = Amount("damage", 0, 10_000, label="EUR")
    >>> damage
    Amount('damage', 0, 10000, unit='1/100', label='EUR')
    >>> damage.steps
    1000000
    >>> damage.number(np.array([12.34, 99_999, np.nan]))
    array([   1234, 1000000,      -1], dtype=int32)
    """

    field: str
    low: Fraction
    high: Fraction
    unit: Fraction
    label: str
    per_person: bool

    def __init__(
        self,
        field: str,
        low: ExactNumber,
        high: ExactNumber,
        unit: ExactNumber | None = None,
        label: str = "",
        per_person: bool = False,
    ) -> None:
        if not is_line(field) or not field:
            raise InputError(
                f"an amount is told by the name of a field; got {type(field).__name__}: give the "
                "name of the column."
            )
        if not is_line(label):
            raise InputError(
                'the label of an amount must be a line of text, such as "EUR"; this one is not: '
                "change it, or leave it out."
            )
        low, high = exact(low, "the lower bound"), exact(high, "the upper bound")
        if not isinstance(per_person, bool):
            raise InputError(f"`per_person` must be True or False; got {per_person!r}.")
        if per_person and low != 0:
            raise InputError(
                "totals of people begin at 0, so that they can be cut in proportion; got a lower "
                f"bound of {float(low):g}: give 0."
            )
        if float(low) >= float(high):  # as which amounts are read
            raise InputError(
                "the lower bound of an amount must be less than the upper one; got "
                f"{float(low):g} and {float(high):g}: give the smaller one first, or count the "
                "records alone where all amounts are alike."
            )
        if max(abs(low), abs(high)) > 1 << 53:
            raise InputError(
                "the bounds of an amount must lie within 2**53 of zero, where every whole number "
                f"is told apart; got {float(low):g} and {float(high):g}."
            )
        unit = _usual_unit(high - low) if unit is None else exact(unit, "the unit of an amount")
        if float(unit / 2) <= 0 or (high - low) % unit or (high - low) / unit > _MOST_STEPS:
            raise InputError(
                "the unit of an amount must divide what lies between its bounds into at most "
                f"{_MOST_STEPS:,} steps; got {float(unit):g} for {float(high - low):g}: choose "
                "one that does, or leave it out."
            )
        if unit == high - low:
            unit /= 2  # two units make one at least, so that one can be divided
        for name, value in (("field", field), ("low", low), ("high", high), ("unit", unit)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "per_person", per_person)

    def __repr__(self) -> str:
        words = {"label": self.label or None, "per_person": self.per_person or None}
        return in_code("Amount", self.field, self.low, self.high, unit=self.unit, **words)

    @property
    def steps(self) -> int:
        """Return units between the bounds: what makes one, where a record is simply one."""
        return int((self.high - self.low) / self.unit)

    @property
    def rule(self) -> Field:
        """Return the field as sources read it: a column of numbers."""
        return Field(self.field, "number", (float(self.low), float(self.high)))

    def number(self, values: npt.NDArray[Any]) -> SignedInts:
        """Return units of each amount above the lower bound, -1 where there is none."""
        given = np.asarray(values, dtype=np.float64)
        numbers = np.empty(len(given), dtype=np.int32)
        low, high, unit, most = (
            float(number) for number in (self.low, self.high, self.unit, self.steps)
        )
        for start in range(0, len(given), BLOCK):
            part, here = given[start : start + BLOCK], numbers[start : start + BLOCK]
            known = np.isfinite(part)
            every = bool(known.all())
            steps = np.clip(part if every else np.where(known, part, low), low, high)
            steps -= low
            steps /= unit
            np.rint(steps, out=steps)
            here[:] = np.clip(steps, 0, most, out=steps)
            if not every:
                here[~known] = -1
        return numbers

    def in_groups(
        self, steps: SignedInts, group: npt.NDArray[Any] | None, groups: int = 1
    ) -> SignedInts:
        """Put steps and the number of one of so many groups into one number; -1 without either.

        Examples
        --------
        >>> damage = Amount("damage", 0, 1, unit="0.1")
        >>> codes = damage.in_groups(np.array([3, 10, 4]), np.array([0, 2, -1]), 3)
        >>> codes.tolist(), [part.tolist() for part in damage.parted(codes[:2])]
        ([3, 32, -1], [[0, 2], [3, 10]])
        """
        if group is None:
            return steps
        base = self.steps + 1
        kind: Any = np.int64 if groups * base >> 31 else np.int32
        codes: SignedInts = np.empty(len(steps), dtype=kind)
        for start in range(0, len(steps), BLOCK):
            part = slice(start, start + BLOCK)
            code = group[part].astype(codes.dtype)
            code *= base
            code += steps[part]
            codes[part] = np.where((steps[part] >= 0) & (group[part] >= 0), code, -1)
        return codes

    def parted(self, codes: SignedInts) -> tuple[SignedInts, SignedInts]:
        """Take such numbers apart again: groups, and steps."""
        group = codes // (self.steps + 1)
        return group, codes - group * (self.steps + 1)

    @property
    def in_words(self) -> str:
        """Return the field and its bounds, for people."""
        return f"{self.field} from {self.bounds_in_words.replace(' and ', ' to ')}"

    @property
    def bounds_in_words(self) -> str:
        """Return the bounds, for people."""
        low, high = self.bound_numbers
        return f"{low} and {high}{f' {self.label}' if self.label else ''}"

    @property
    def bound_numbers(self) -> tuple[Number, Number]:
        """Return the bounds with all of their digits.

        Examples
        --------
        >>> Amount("damage", 0, "12345.67").bound_numbers, Amount("damage", -1, 10**7).bound_numbers
        (('0', '12,345.67'), ('-1', '10,000,000'))
        """
        low, high = (f"{float(bound):,}" for bound in (self.low, self.high))
        return Number(low.removesuffix(".0")), Number(high.removesuffix(".0"))

    def to_facts(self) -> dict[str, str]:
        """Return what files hold of the amount."""
        low, high, unit = map(str, (self.low, self.high, self.unit))
        facts = {"field": self.field, "low": low, "high": high, "unit": unit, "label": self.label}
        return {**facts, "per_person": "yes"} if self.per_person else facts

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Amount:
        """Read what a file says."""
        low, high, unit = (exact(str(facts[name])) for name in ("low", "high", "unit"))
        totals = facts.get("per_person", "no") == "yes"
        return cls(str(facts["field"]), low, high, unit, str(facts["label"]), totals)


def _usual_unit(span: Fraction) -> Fraction:
    """Return a hundredth, or another power of ten where that makes too few steps or too many."""
    unit = Fraction(1, 100)
    while span / unit < _FEWEST_STEPS:
        unit /= 10
    while span / unit > _MOST_STEPS:
        unit *= 10
    return span / math.ceil(span / unit)


def contribution_for(protect: Protection, amount: Amount | None) -> Contribution | None:
    """Choose how a person's records share what they add up to: of totals, cut at the bound."""
    limit = protect.contribution
    if limit is None or amount is None or not amount.per_person:
        return limit
    return replace(limit, cap=amount.steps)


def check_person(protect: Protection, amount: Amount | None) -> None:
    """Refuse totals of people where people are not what is counted, and amounts at places."""
    if amount is not None and protect.quantity.at_places:
        raise InputError(
            "amounts are those of records, and people who count at places have none: leave out "
            "`amount`, or `place` and `visits`."
        )
    if amount is None or not amount.per_person or protect.quantity.things == "people":
        return
    raise InputError(
        "totals of people are added up where each person counts as one; here they do not: protect "
        "persons by the name of a field alone, or leave `per_person` out."
    )


def checked_amount(value: object) -> Amount | None:
    """Accept an amount or none, or say what one is."""
    if value is None or isinstance(value, Amount):
        return value
    raise InputError(f"amount must be `Amount(field, low, high)`; got {type(value).__name__}.")
