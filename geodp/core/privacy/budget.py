"""Budgets are exact: ten times 0.1 is 1, and a split adds up to what was split.

A float that a person types stands for the decimal they see, so ``Budget(0.1)`` is one tenth and not
the binary number next to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Union

from ..common.errors import InputError

ExactNumber = Union[  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)
    int, float, str, Decimal, Fraction
]
"""A number as people pass it, taken exactly as it is written: see :func:`exact`."""


def exact(value: object, name: str = "value") -> Fraction:
    """Turn a number into the fraction that a person would read off it.

    Parameters
    ----------
    value
        An integer, float, decimal, fraction, or text such as ``"0.1"`` or ``"1/3"``.
    name
        What to call it in the error.

    Examples
    --------
    >>> exact(0.1) * 10 == 1
    True
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, Integral):
            return Fraction(int(value))
        if isinstance(value, Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, (str, Decimal)):
            return _from_text(str(value))
        if isinstance(value, Real):
            return Fraction(repr(float(value)))
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        pass
    raise InputError(f"{name} must be a finite number, such as 0.5; got {value!r}.")


def in_digits(value: Fraction) -> str:
    """Write a number with a decimal point where that is exact, and as a fraction where not.

    Examples
    --------
    >>> in_digits(Fraction(1, 10)), in_digits(Fraction(73, 2)), in_digits(Fraction(1, 3))
    ('0.1', '36.5', '1/3')
    """
    for places in range(13):
        shifted = value * 10**places
        if shifted.denominator == 1:
            return f"{Decimal(int(shifted)).scaleb(-places):f}"
    return str(value)


def _from_text(text: str) -> Fraction:
    """Read ``0.1``, ``1e-3`` or ``1/3``, of a size that can be written out."""
    top, slash, bottom = text.partition("/")
    parts = [Decimal(part) for part in ((top, bottom) if slash else (top,))]
    if any(not part.is_finite() or abs(part.adjusted()) > _DIGITS for part in parts):
        raise ValueError
    if any(len(part.as_tuple().digits) > _DIGITS for part in parts):
        raise ValueError
    return Fraction(parts[0]) / (Fraction(parts[1]) if slash else 1)


_DIGITS = 400
"""More than any float needs, written out."""

_MOST = 10**300
"""No ε is larger, so that every one can be said as a float."""


@dataclass(frozen=True, order=True)
class Budget:
    """An amount of ε, exact and positive.

    Parameters
    ----------
    epsilon
        How much may be learnt about any one protected unit, as a positive finite number.

    Examples
    --------
    >>> tuning, noise = Budget(1).split(0.1)
    >>> tuning, noise
    (Budget('1/10'), Budget('9/10'))
    >>> tuning + noise == Budget(1)
    True
    """

    epsilon: Fraction

    def __init__(self, epsilon: ExactNumber | Budget) -> None:
        if isinstance(epsilon, Budget):
            epsilon = epsilon.epsilon
        value = exact(epsilon, "epsilon")
        if value <= 0:
            raise InputError(f"epsilon must be greater than 0; got {epsilon}.")
        if value > _MOST:
            raise InputError(f"epsilon must be at most {float(_MOST):g}; got a larger one.")
        object.__setattr__(self, "epsilon", value)

    def __repr__(self) -> str:
        return f"Budget({str(self.epsilon)!r})"

    def __float__(self) -> float:
        return float(self.epsilon)

    def __add__(self, other: Budget) -> Budget:
        return Budget(self.epsilon + other.epsilon)

    def __sub__(self, other: Budget) -> Budget:
        return Budget(self.epsilon - other.epsilon)

    def __mul__(self, factor: ExactNumber) -> Budget:
        return Budget(self.epsilon * exact(factor, "factor"))

    __rmul__ = __mul__

    def __truediv__(self, divisor: ExactNumber) -> Budget:
        return Budget(self.epsilon / exact(divisor, "divisor"))

    def split(self, share: ExactNumber) -> tuple[Budget, Budget]:
        """Divide into a first part of ``share`` and the rest, ``0 < share < 1``."""
        part = exact(share, "a share")
        if not 0 < part < 1:
            raise InputError(f"a share must lie between 0 and 1, both excluded; got {share}.")
        return Budget(self.epsilon * part), Budget(self.epsilon * (1 - part))


@dataclass(frozen=True)
class Spend:
    """One step of a release that used budget.

    Attributes
    ----------
    step : str
        What it was for: ``"counts"`` of cells; ``"sketch"`` and ``"tuning"``, where cells were
        chosen; ``"total"``, ``"root"`` and ``"tree"``, where a tree grew; or a level of districts.
    mechanism : str
        The mechanism in words.
    epsilon : Fraction
        What it cost, for the protected unit that the release states.
    sensitivity : Fraction
        How far one protected unit can move what the mechanism protects, in the mechanism's own
        scale: counts for noise, normalised quality for a choice.
    """

    step: str
    mechanism: str
    epsilon: Fraction
    sensitivity: Fraction

    def __post_init__(self) -> None:
        if self.epsilon <= 0:
            raise InputError("a step of a release costs more than 0; one does not.")


def total(spends: Iterable[Spend]) -> Fraction:
    """Add up spends: sequential composition, exact.

    Examples
    --------
    >>> total([Spend("counts", "noise", Fraction(1, 10), Fraction(1))] * 10)
    Fraction(1, 1)
    """
    return sum((spend.epsilon for spend in spends), Fraction(0))


def ceil_fraction(value: float, bits: int) -> Fraction:
    """Round a public float up to a multiple of ``2**-bits``, so that it can enter exact arithmetic.

    Examples
    --------
    >>> ceil_fraction(0.3, 2)
    Fraction(1, 2)
    """
    return Fraction(math.ceil(Fraction(value) * (1 << bits)), 1 << bits)
