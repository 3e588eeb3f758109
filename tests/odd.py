"""Good records, odd ones, and what one odd record may change: its own count and nothing else."""

from __future__ import annotations

import datetime as dt
import struct
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import shapely
from samples import DOMAIN, TABLE, TREE, described, released, same

import geodp

PERSON = {"protect": geodp.Person("who", max_records=2)}
NAMES = {"x": "east", "y": "north"}
OUTSIDE = (-1.0, -1.0)
INSIDE = (60_001.0, 40_001.0)

_rng = np.random.default_rng(11)
GOOD: dict[str, list[Any]] = {
    "east": _rng.uniform(0, 1e5, 60).tolist(),
    "north": _rng.uniform(0, 8e4, 60).tolist(),
    "who": [(1 << 60) + n % 12 for n in range(60)],
}
"""Twelve people with five records each, whose ids floats cannot tell apart."""


def nested(depth: int) -> bytes:
    """Return a collection in a collection in a collection, in WKB."""
    return struct.pack("<BII", 1, 7, 1) * depth + struct.pack("<BIdd", 1, 1, 1.0, 1.0)


NESTED = nested(50_000)
POINT = struct.pack("<BIdd", 1, 1, -1.0, 1.0)
HOURS = [f"2024-0{1 + n % 9}-1{n % 7}T{n % 24:02}:30:00" for n in range(60)]
NUMBERS = [float(n % 20) for n in range(60)]
WORDS = [("a", "b", "7", "other")[n % 4] for n in range(60)]
SAID: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "breaks": (NUMBERS, {"by": geodp.Breaks("said", [0, 7, 15], other="rest")}),
    "amounts": (NUMBERS, {"amount": geodp.Amount("said", 0, 10)}),
    "fine amounts": (NUMBERS, {"amount": geodp.Amount("said", -1, 1000, unit="0.0001")}),
    "amounts in groups": (
        NUMBERS,
        {"amount": geodp.Amount("said", 0, 10), "by": geodp.Breaks("said", [0, 7, 15])},
    ),
    "totals": (
        NUMBERS,
        {"amount": geodp.Amount("said", 0, 50, per_person=True), "protect": geodp.Person("who")},
    ),
    "categories": (WORDS, {"by": geodp.Categories("said", ["a", "b", 7], other="rest")}),
    "truths": (WORDS, {"by": geodp.Categories("said", ["true", "false"], other="rest")}),
    "times": (HOURS, {"by": geodp.Breaks("said", ["2024-01-01", "2024-05-01"], other="rest")}),
    "clocks": (HOURS, {"by": geodp.Breaks("said", ["00:00", "06:00", "24:00"])}),
    "weekdays": (HOURS, {"by": geodp.Breaks("said", ["Mon", "Sat", "Mon"]), **PERSON}),
}
"""What good records say in a column of their own, and how that is counted."""


def saying(said: list[Any], *more: tuple[float, float, Any]) -> dict[str, list[Any]]:
    """Make a table of good records that say something, and of odd ones of people of their own."""
    table = {**GOOD, "said": said}
    rows = [(x, y, (1 << 60) + 99 + n, value) for n, (x, y, value) in enumerate(more)]
    return {
        name: [*column, *(row[n] for row in rows)] for n, (name, column) in enumerate(table.items())
    }


WKB = [
    *(b"", b"\x01", b"\xff" * 21, POINT[:-1], POINT + b"\0", b"\x02" + POINT[1:], b"POINT (1 1)"),
    *(NESTED, nested(3), struct.pack("<BII", 1, 4, 0), struct.pack("<BII", 1, 4, 2**32 - 1)),
    struct.pack(">BIdd", 0, 1, -1.0, 1.0),
    struct.pack("<BIIdd", 1, 0x20000001, 4326, -1.0, 1.0),
    struct.pack("<BIddd", 1, 0x80000001, -1.0, 1.0, 1.0),
    struct.pack("<BIdddd", 1, 3001, -1.0, 1.0, 1.0, 1.0),
    struct.pack("<BIdd", 1, 1, float("nan"), float("nan")),
    struct.pack("<BIIdddd", 1, 2, 2, 1.0, 1.0, 2.0, 2.0),
    struct.pack("<BII", 1, 4, 1) + struct.pack(">BIdd", 0, 1, -1.0, 1.0),
    struct.pack("<BII", 1, 4, 1) + struct.pack("<BIdd", 1, 2, 1.0, 1.0),
    struct.pack("<BII", 1, 15, 2**31),
]
"""Bytes where a geometry should be, none of which is a point in the domain."""


class Angry:
    """Whatever is asked of it, it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(f"secret {name}")

    __float__ = __int__ = __index__ = __str__ = __repr__ = __hash__ = __len__ = __iter__ = None
    __eq__ = __bool__ = lambda *_: 1 / 0


VALUES: list[Any] = [
    *(None, float("nan"), float("inf"), -float("inf"), 1e308, 2.0**60, 10**400, -(10**400), -0.5),
    *("", " ", "east", "nan", "1_0", "\0", "\ud800", "é" * 9, "9" * 5000, b"", b"\xff", b"\0"),
    *(Decimal("sNaN"), Decimal("1e9999"), Decimal("Infinity"), Fraction(10**400, 3)),
    *([], [1], (1, 2), {}, {"a": 1}, {1}, object(), Angry(), Angry, len, 1j, np.complex128(1j)),
    *(np.array([1.0]), np.array([]), np.ma.masked, np.longdouble("1e4000"), np.float16("inf")),
    *(
        np.datetime64("NaT", "s"),
        np.datetime64(2**62, "s"),
        np.timedelta64(1, "D"),
        np.bytes_(b"\xff"),
    ),
    *(dt.date.max, dt.datetime.min, dt.time(1), dt.timedelta(1), pd.NA, pd.NaT, pd.Timestamp.max),
    *(dt.datetime.max.replace(tzinfo=dt.timezone(-dt.timedelta(hours=23))), uuid.UUID(int=0)),
    *(pd.Period("2024"), pd.Interval(0, 1), pd.Series([1.0]), shapely.Point(1, 1), 1 << 20000),
]


def at(table: dict[str, list[Any]], place: int, row: tuple[Any, Any, Any]) -> dict[str, list[Any]]:
    return {
        name: [*column[:place], value, *column[place:]]
        for (name, column), value in zip(table.items(), row)
    }


Source = tuple[Any, dict[str, Any]]
"""Points, and how they stand there."""


ONE_GRID = geodp.Regular([geodp.Grid(DOMAIN, (8, 10))])
CELLS = [(1e4 * (n % 10) + 1.0, 8e4 - 1e4 * (n // 10) - 1.0) for n in range(80)]
"""A place in each of its cells, in their order."""

FEW = geodp.Regular(sizes=[4, 9, 14])
"""Few cells, since hundreds of releases are compared."""


def objects(values: list[Any]) -> np.ndarray:
    column = np.empty(len(values), dtype=object)
    for number, value in enumerate(values):
        column[number] = value
    return column


def arrays(table: dict[str, list[Any]]) -> tuple[Any, dict[str, Any]]:
    return {name: objects(column) for name, column in table.items()}, NAMES


def pandas_table(table: dict[str, list[Any]]) -> tuple[Any, dict[str, Any]]:
    return pd.DataFrame({name: pd.Series(objects(c)) for name, c in table.items()}), TABLE


def blocks(table: dict[str, list[Any]]) -> tuple[Any, dict[str, Any]]:
    """Return an iterator, with each tenth record in a block of its own."""
    cuts = [slice(n, n + 1) if n % 10 == 0 else slice(n, n + 9) for n in range(0, 99, 1)
            if n % 10 in (0, 1)]  # fmt: skip
    parts = ({name: column[cut] for name, column in table.items()} for cut in cuts)
    return (part for part in parts if part["who"]), NAMES


MEMORY: dict[str, Callable[..., Any]] = {
    "lists": lambda table: (table, NAMES),
    "arrays": arrays,
    "pandas": pandas_table,
    "iterator": blocks,
}


def unharmed(good: Source, *others: Source, people: bool = True, records: bool = True) -> None:
    """Check that all releases are equal, without persons and with them, and of trees too."""
    good, *others = map(_lasting, (good, *others))
    protected: list[dict[str, Any]] = [{}] * records + [PERSON] * people
    ways = [{"cells": FEW, **how} for how in protected]
    for how in (*ways, {**TREE, **protected[-1]}):
        expected = released(good[0](), **good[1], **how)
        for points, where in others:
            assert same(released(points(), **where, **how), expected)


def moves_one_count(good: Source, *others: Source, people: bool = True) -> None:
    """Check that no more than one count differs, by one."""
    good, *others = map(_lasting, (good, *others))
    for protect in [{}] + [PERSON] * people:
        before = counts(good[0](), good[1], protect)
        for points, where in others:
            step = counts(points(), where, protect) - before
            assert step.min() >= 0
            assert step.sum() <= 1


def moves_own_counts(before: Any, after: Any, cells: int) -> None:
    """Check that what is added up differs by at most one in each of so many first cells.

    A record may add to both layers of an amount, or to one group; all else must be equal.
    """
    step = (after - before).reshape(-1, len(CELLS))
    assert step.min() >= 0
    assert (step.sum(0)[:cells] <= 1).all()
    assert not step[:, cells:].any()


def added_up(source: Source, how: dict[str, Any]) -> Any:
    """Return what is published with a seed of every cell, in each group and layer, in ones."""
    points, where = source
    options: dict[str, Any] = {"cells": ONE_GRID, "epsilon": 10**4, "seed": 7, **how}
    published: Any = geodp.release(described(points, **where), **options)
    parts = published.parts or [published.measurements]
    return np.concatenate([part.value / part.units for part in parts])


def _lasting(source: Source) -> tuple[Callable[[], Any], dict[str, Any]]:
    """Return points to be had again and again, also those of an iterator."""
    points, where = source
    if hasattr(points, "__next__"):
        held = list(points)
        return lambda: iter(held), where
    return lambda: points, where


def counts(points: Any, where: dict[str, Any], protect: dict[str, Any]) -> Any:
    """Counts with a budget so large that no noise is left; the seed fixes which records stay."""
    grids = [geodp.Grid(DOMAIN, (8, 10))]
    options = {"cells": geodp.Regular(grids), "epsilon": 10**6, "seed": 7, **protect}
    return geodp.release(described(points, **where), **options).counts
