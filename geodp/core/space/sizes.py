"""Candidate sizes as people type them: ``30, 40, 20x30`` cells, or ``500m, 5km`` of length."""

from __future__ import annotations

import re
from fractions import Fraction

from ..common.errors import CrsError, InputError
from .domain import Crs

FOOT = Fraction("0.3048")
METRES = {"m": Fraction(1), "km": Fraction(1000), "ft": FOOT, "mi": 5280 * FOOT}
"""Units of length that a cell size may carry."""

# Digits and exponents are bounded: nobody means more, and exact numbers of any length are work.
_NUMBER = r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:e[+-]?[0-9]{1,2})?"
_COUNTS = re.compile(r"([0-9]{1,9})(?:\s*[x×]\s*([0-9]{1,9}))?(?:[,;\s]+|$)")
_LENGTH = re.compile(rf"({_NUMBER})(?:\s*({'|'.join(METRES)}))?(?:[,;\s]+|$)")


def parse_sizes(text: str) -> list[tuple[int, int]]:
    """Read divisions per axis.

    Parameters
    ----------
    text : str
        Whole numbers, or rows x columns, with commas, semicolons or blanks between them.

    Returns
    -------
    list of (rows, columns)

    Examples
    --------
    >>> parse_sizes("30, 40, 20x30")
    [(30, 30), (40, 40), (20, 30)]
    """
    counts = _items(text, _COUNTS)
    if counts is None:
        raise InputError(
            "sizes must be whole numbers with commas between them, such as 30, 40, 50, or rows x "
            f"columns such as 20x30; got {text!r}{_if_lengths(text)}."
        )
    return [(int(rows), int(columns or rows)) for rows, columns in counts]


def parse_cell_sizes(text: str, crs: Crs) -> list[float]:
    """Read sides of square cells, in units of the CRS or with a unit of their own.

    Parameters
    ----------
    text : str
        Numbers with commas, semicolons or blanks between them; each may be followed by ``m``,
        ``km``, ``ft`` or ``mi``.
    crs : Crs
        Tells how long a unit of its axes is. Where that is a foot of any kind, ``ft`` means it.

    Returns
    -------
    list of float
        In units of the CRS.

    Examples
    --------
    >>> parse_cell_sizes("500, 5km, 0.5 mi", Crs("EPSG:5070"))
    [500.0, 5000.0, 804.672]
    >>> parse_cell_sizes("500ft", Crs("EPSG:2263", metres_per_unit=0.3048006096))
    [500.0]
    """
    lengths = _items(text, _LENGTH)
    if lengths is None:
        raise InputError(
            "cell sizes must be numbers with commas between them, such as 500, 1000, or lengths "
            f"such as 500m, 5km, 1000ft, 0.5mi; got {text!r}."
        )
    return [float(Fraction(number) * _in_units(unit, crs)) for number, unit in lengths]


def parse_length(text: str, crs: Crs) -> float:
    """Read one length, in units of the CRS or with a unit of its own.

    Examples
    --------
    >>> parse_length("0.1km", Crs("EPSG:5070"))
    100.0
    """
    lengths = _items(text, _LENGTH)
    if lengths is None or len(lengths) > 1:
        raise InputError(
            "a length must be one number, such as 100, or have a unit, such as 100m, 1km, 500ft, "
            f"0.5mi; got {text!r}."
        )
    return float(Fraction(lengths[0][0]) * _in_units(lengths[0][1], crs))


def _items(text: str, item: re.Pattern[str]) -> list[tuple[str, str]] | None:
    """Return groups of every item of a list; None if the text is anything else."""
    rest, items = re.sub(r"^[,;\s]+", "", text.lower()), []
    while rest:
        match = item.match(rest)
        if match is None:
            return None
        items.append((match[1], match[2] or ""))
        rest = rest[match.end() :]
    return items or None


def _in_units(unit: str, crs: Crs) -> Fraction:
    """Return how many units of the CRS a unit of length has."""
    if not unit:
        return Fraction(1)
    if crs.geographic:
        raise CrsError(
            f"a length in {unit} needs a projected CRS; {crs.name} is geographic (degrees): "
            "choose a projected one, or give cell sizes in degrees, without a unit."
        )
    one = Fraction(crs.metres_per_unit)
    # Feet differ by two in a million between countries: 500ft means 500 of those at hand.
    if unit in ("ft", "mi") and abs(one / FOOT - 1) < Fraction(1, 100_000):
        return METRES[unit] / FOOT
    return METRES[unit] / one


def _if_lengths(text: str) -> str:
    """Return a remedy for those who gave lengths in the wrong place."""
    return "" if _items(text, _LENGTH) is None else ": lengths are cell sizes"
