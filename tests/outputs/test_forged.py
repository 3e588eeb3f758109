"""Facts of a received file, each replaced by something odd: refused in a sentence, or harmless.

Whoever forges a file knows how its checksum is made.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely

import geodp
from geodp.core.publish import metadata

DOMAIN = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
HALVES = gpd.GeoDataFrame(
    {"state": ["all"] * 2, "name": ["west", "east"]},
    geometry=[shapely.box(0, 0, 1200, 3000), shapely.box(1200, 0, 4000, 3000)],
    crs="EPSG:5070",
)
_rng = np.random.default_rng(3)
POINTS = {
    "x": _rng.uniform(0, 4000, 90),
    "y": _rng.uniform(0, 3000, 90),
    "who": np.arange(90) % 20,
    "paid": np.arange(90) % 11.0,
    "kind": np.array(["a", "b", "c"] * 30),
}
PAID = {"amount": geodp.Amount("paid", 0, 10)}
KINDS = {"by": geodp.Categories("kind", ["a", "b"])}
WAYS: dict[str, dict[str, Any]] = {
    "levels": {"cells": geodp.Districts(HALVES, levels=["state", "name"]), **PAID},
    "in districts": {
        "cells": geodp.Adaptive(districts=geodp.Districts(HALVES, name="name")), **PAID, **KINDS,
    },
    "visitors": {
        "cells": geodp.Hexagons(500), "domain": DOMAIN, "protect": geodp.Person("who", visits=2),
    },
    "a choice": {
        "cells": geodp.Choice([HALVES[["name", "geometry"]], geodp.Hexagons(500)]),
        "domain": DOMAIN,
        **KINDS,
    },
    "people": {"domain": DOMAIN, "protect": geodp.Person("who")},
}  # fmt: skip
ODD: list[Any] = [
    *(None, True, 0, -1, 2**63, 1e308, float("nan"), float("inf"), "", "x", "1/0", "1e400"),
    *([], [[]], {}, "a" * 2000, "\x1b[2J", [0] * 5, 0.5, 10**30),
]


def places(facts: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything; of a long list, of the first few things."""
    keys = facts if isinstance(facts, dict) else range(min(len(facts), 3))
    for key in keys:
        yield (*path, key)
        if isinstance(facts[key], (dict, list)):
            yield from places(facts[key], (*path, key))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_facts_of_another_kind_are_refused_or_harmless(way):
    release = geodp.release(POINTS, epsilon=1, seed=1, **WAYS[way])
    tags, values = metadata.release_tags(release), metadata._checked_values(release)
    counts = (
        np.stack([one.counts for one in release.maps.values()])
        if release.groups
        else release.counts
    )
    facts = json.loads(tags["GEODP_FACTS"])
    refused = 0
    for number, path in enumerate(places(facts)):
        for odd in ODD[number % 3 :: 3]:
            forged = part = copy.deepcopy(facts)
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = odd
            text = json.dumps(forged, sort_keys=True, separators=(",", ":"))
            changed = {"GEODP_FACTS": text, "GEODP_DIGEST": metadata._digest(text, values)}
            try:
                opened = metadata.restore({**tags, **changed}, counts)
                assert f"{opened.promise} {opened.counted} {opened!r}".isprintable()
                opened.describe()
                opened.query([(0, 0, 2000, 2000)])
            except geodp.GeodpError as error:
                assert str(error).isprintable()
                refused += 1
    assert refused > 100
