"""Every way of releasing the same points, and what is left in memory of one."""

from __future__ import annotations

import gc
import types
from typing import Any

import geopandas as gpd
import shapely
from odd import FEW, GOOD, NUMBERS, ONE_GRID, SAID
from samples import CRS, DOMAIN, described

import geodp

HALVES = [shapely.box(x, 0, x + 50_000, 80_000) for x in (0, 50_000)]
DISTRICTS = geodp.Districts(gpd.GeoDataFrame({"name": ["w", "e"]}, geometry=HALVES, crs=CRS))
HEXAGONS = [geodp.Hexagons(20_000), geodp.Hexagons(10_000)]
WAYS: dict[str, dict[str, Any]] = {
    "adaptive": {},
    "chosen grid": {"cells": FEW},
    "one grid": {"cells": ONE_GRID},
    "hexagons": {"cells": HEXAGONS[0]},
    "districts": {"cells": DISTRICTS},
    "cells of districts": {"cells": geodp.Adaptive(districts=DISTRICTS)},
    "choice": {"cells": geodp.Choice(HEXAGONS)},
    "people": {"protect": geodp.Person("who")},
    "homes": {"cells": ONE_GRID, "protect": geodp.Person("who", place="most frequent")},
    "groups": SAID["breaks"][1],
    "amounts": SAID["amounts"][1],
    "amounts in groups": SAID["amounts in groups"][1],
    "totals": SAID["totals"][1],
    "a choice, amounts in groups": {
        "cells": geodp.Choice(HEXAGONS),
        **SAID["amounts in groups"][1],
    },
}


def released(way: str, release: Any = geodp.release, **options: Any) -> Any:
    points = described({**GOOD, "said": NUMBERS}, x="east", y="north")
    domain = None if "districts" in way else DOMAIN
    return release(points, domain, **{"epsilon": 1, "force": True, **WAYS[way], **options})


def left_behind(way: str, release: Any = geodp.release) -> list[Any]:
    """Release, and return all private things that are in memory then and were not before."""
    gc.collect()
    before = _private(gc.get_objects())
    published = released(way, release)
    held = _private(_reachable(published))
    gc.collect()
    now = _private(gc.get_objects())
    return [*held.values(), *(each for number, each in now.items() if number not in before)]


def _private(objects: list[Any]) -> dict[int, Any]:
    """Return all that must not be shown: every such type writes itself as private."""
    ours = (value for value in objects if str(type(value).__module__).startswith("geodp."))
    return {id(our): our for our in ours if "(private" in repr(our)[:60]}


def _reachable(start: Any) -> list[Any]:
    """Return everything that an object leads to, but for code."""
    skipped = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
    known, waiting = {id(start): start}, [start]
    while waiting:
        for referent in gc.get_referents(waiting.pop()):
            if id(referent) not in known and not isinstance(referent, skipped):
                known[id(referent)] = referent
                waiting.append(referent)
    return list(known.values())
