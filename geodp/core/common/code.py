"""Write objects as the code that makes them again, on one line."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any


def in_code(kind: str, *given: Any, **settings: Any) -> str:
    """Write a call, without settings that are None.

    Examples
    --------
    >>> in_code("Breaks", "hour", (0, math.inf), other=None)
    "Breaks('hour', (0, 'inf'))"
    """
    return f"{kind}({arguments(*given, **settings)})"


def arguments(*given: Any, **settings: Any) -> str:
    """Write what stands between the brackets of such a call."""
    named = [f"{name}={_literal(value)}" for name, value in settings.items() if value is not None]
    return ", ".join([*map(_literal, given), *named])


def dataclass_in_code(value: Any) -> str:
    """Write the call of a dataclass, without settings that are as they are by default."""
    given, settings = [], {}
    for field in fields(value):
        content = getattr(value, field.name)
        if field.default is MISSING:
            given.append(content)
        elif content != field.default:
            settings[field.name] = content
    return in_code(type(value).__name__, *given, **settings)


def _literal(value: Any) -> str:
    """Write a value so that it is read back the same: fractions and inf as text."""
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else repr(str(value))
    if isinstance(value, float) and math.isinf(value):
        return repr(str(value))
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    return f"<{len(value):,} regions>" if hasattr(value, "geometry") else repr(value)
