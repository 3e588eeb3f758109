"""Good records, odd ones, and what one odd record may change: its own count and nothing else."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from samples import DOMAIN, TREE, described, released, same

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


Source = tuple[Any, dict[str, Any]]
"""Points, and how they stand there."""


FEW = geodp.Regular(sizes=[4, 9, 14])
"""Few cells, since hundreds of releases are compared."""


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
