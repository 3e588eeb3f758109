"""Lists of sizes as people type them, in a dialog of QGIS or on the command line."""

from __future__ import annotations

import re
from fractions import Fraction

from .domain import Crs
from .errors import InputError

_METRES = {"m": 1, "km": 1000}
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)(m|km)?")
_DIVISIONS = re.compile(r"(\d{1,9})(?:[x×](\d{1,9}))?", re.IGNORECASE)


def divisions(text: str) -> list[tuple[int, int]]:
    """Rows and columns of candidate grids.

    Examples
    --------
    >>> divisions("30, 40 20x30")
    [(30, 30), (40, 40), (20, 30)]
    """
    found = [_DIVISIONS.fullmatch(word) for word in _words(text)]
    if not found or not all(found):
        raise InputError(
            "sizes must be whole numbers with commas between them, such as 30, 40, 50, or rows x "
            f"columns such as 20x30; got {text!r}."
        )
    pairs = (match.groups() for match in found if match)
    return [(int(rows), int(columns or rows)) for rows, columns in pairs]


def lengths(text: str, crs: Crs) -> list[float]:
    """Sides of square cells in units of the CRS, which are meant where no unit is given.

    Examples
    --------
    >>> lengths("500, 5km; 0.1 km", Crs("EPSG:5070"))
    [500.0, 5000.0, 100.0]
    >>> lengths("3048 m", Crs("EPSG:6539", metres_per_unit=0.3048))
    [10000.0]
    """
    joined = re.sub(r"(?<=[\d.])\s+(?=k?m\b)", "", text.lower())
    found = [_LENGTH.fullmatch(word) for word in _words(joined)]
    if not found or not all(found):
        raise InputError(
            "cell sizes must be numbers with commas between them, such as 500, 1000 or 5km; "
            f"got {text!r}."
        )
    return [_in_units(match[1], match[2], crs) for match in found if match]


def _in_units(number: str, unit: str | None, crs: Crs) -> float:
    """Exact until the last step, so that 0.1 km is 100 m."""
    value = Fraction(number)
    if unit is None:
        return float(value)
    if crs.geographic:
        raise InputError(
            f"cell sizes in metres need a projected CRS; {crs.name} is geographic (degrees)."
        )
    return float(value * _METRES[unit] / Fraction(str(crs.metres_per_unit)))


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", text) if word]
