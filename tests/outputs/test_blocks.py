"""Blocks are a matter of memory: how many records are taken at once changes no count.

Some tallies take 65,536 records at once, and few datasets of tests have more. So the sizes of all
blocks are made small, and the same must come out.
"""

from __future__ import annotations

import sys
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely

import geodp
from geodp.audit.script import measured_layers

CRS = "EPSG:5070"
DOMAIN = geodp.Domain((0, 0, 4000, 3000), crs=CRS)
HALVES = gpd.GeoDataFrame(
    {"state": ["all"] * 3, "name": ["west", "middle", "east"]},
    geometry=[shapely.box(x, 100, x + 1200, 2900) for x in (100, 1300, 2500)],
    crs=CRS,
)
SIZES = ("BLOCK", "WAIT", "GATHER")
SMALL = 7

_rng = np.random.default_rng(2)
POINTS: dict[str, Any] = {
    "x": _rng.uniform(-100, 4100, 300),
    "y": _rng.uniform(-100, 3100, 300),
    "who": _rng.integers(0, 40, 300),
    "kind": _rng.choice(["a", "b", "c"], 300),
    "paid": _rng.uniform(-3, 13, 300),
}
CELLS: dict[str, dict[str, Any]] = {
    "grids": {"cells": geodp.Regular(sizes=[3, 8]), "domain": DOMAIN},
    "one grid": {"cells": geodp.Regular(sizes=[8]), "domain": DOMAIN},
    "grids for polygons": {"cells": geodp.Regular(sizes=[3, 8], workload=HALVES), "domain": DOMAIN},
    "adaptive": {"domain": DOMAIN},
    "districts": {"cells": geodp.Districts(HALVES, name="name")},
    "levels": {"cells": geodp.Districts(HALVES, levels=["state", "name"])},
    "in districts": {"cells": geodp.Adaptive(districts=geodp.Districts(HALVES, name="name"))},
    "hexagons": {"cells": geodp.Hexagons(300), "domain": DOMAIN},
    "a choice": {
        "cells": geodp.Choice([geodp.Districts(HALVES, name="name"), geodp.Hexagons(300)]),
        "domain": DOMAIN,
    },
}
FIXED = ("one grid", "districts", "hexagons")
PAID = geodp.Amount("paid", 0, 10)
TOTALS = geodp.Amount("paid", 0, 10, per_person=True)
WAYS: dict[str, dict[str, Any]] = {
    "records": {},
    "people": {"protect": geodp.Person("who")},
    "records of people": {"protect": geodp.Person("who", max_records=3)},
    "amounts": {"amount": PAID},
    "totals": {"amount": TOTALS, "protect": geodp.Person("who")},
    "homes": {"protect": geodp.Person("who", place="most frequent")},
    "visitors": {"protect": geodp.Person("who", visits=2)},
}
TOGETHER = [
    (cells, way)
    for cells in CELLS
    for way in WAYS
    if cells in FIXED or way not in ("homes", "visitors")
]
"""People count at places where cells are fixed."""

GROUPS = [None, geodp.Categories("kind", ["a", "c"])]


def sized() -> list[tuple[Any, str]]:
    """All sizes of blocks, by module."""
    loaded = [module for name, module in sys.modules.items() if name.startswith("geodp.")]
    return [(module, name) for module in loaded for name in SIZES if name in vars(module)]


def test_there_are_blocks_to_make_small():
    assert len(sized()) > 8


@pytest.mark.parametrize(("cells", "way"), TOGETHER)
def test_nothing_depends_on_the_size_of_blocks(cells, way, monkeypatch):
    for by in GROUPS:
        asked = {"epsilon": 1, "seed": 5, "by": by, **CELLS[cells], **WAYS[way]}
        expected = geodp.release(POINTS, **asked)
        with monkeypatch.context() as small:
            for module, name in sized():
                small.setattr(module, name, SMALL)
            release = geodp.release(POINTS, **asked)
        assert release.cells == expected.cells
        assert measured_layers(release) == measured_layers(expected)
