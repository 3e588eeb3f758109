"""One made dataset and one way to release it, to compare the sources that points come from."""

from __future__ import annotations

import time
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd

import geodp
from geodp.core.records.source import Request

CRS = "EPSG:5070"
PASSWORD = "s3cret-horse"
DOMAIN = geodp.Domain((0.0, 0.0, 100_000.0, 80_000.0), crs=CRS)


PEOPLE = {"protect": geodp.Person("who", max_records=3)}
SWAPPED = {"protect": geodp.Record(neighbours="replace")}
SWAPPED_PEOPLE = {"protect": geodp.Person("who", max_records=3, neighbours="replace")}
TREE = {"cells": "adaptive"}
GRIDS = geodp.Regular(
    geodp.candidate_grids(DOMAIN, [4, 9, 30]),
    workload=geodp.Workload.random_boxes(DOMAIN, [0.04, 0.25], 10, seed=3),
)
TABLE = {"x": "east", "y": "north", "crs": CRS}
WHERE = ("x", "y", "crs", "layer", "scheduler", "query", "table")


def sample_points(n: int = 4000, seed: int = 0) -> gpd.GeoDataFrame:
    """Make two towns; some points outside; people with many records, some of them at one place."""
    rng = np.random.default_rng(seed)
    towns = np.array([[20_000.0, 20_000.0], [70_000.0, 60_000.0]])[rng.integers(0, 2, n)]
    east, north = (towns + rng.normal(0, 12_000, (n, 2))).T
    who = rng.integers(0, 300, n)
    home = rng.random(n) < 0.3
    east[home], north[home] = 200.0 * who[home], 100.0 * who[home]
    fields = {"east": east, "north": north, "who": who}
    return gpd.GeoDataFrame(fields, geometry=gpd.points_from_xy(east, north), crs=CRS)


def described(points: Any, **where: Any) -> Any:
    """Say where the points are and how they stand there; a query means a database."""
    if "query" in where or "table" in where:
        return geodp.read_sql(points, where.pop("query", None), **where)
    return geodp.read_points(points, **where)


def read_blocks(points: Any, **where: Any) -> Any:
    """Return blocks as counting gets them."""
    return described(points, **where).blocks(Request(DOMAIN))


def released(points: Any, **options: Any) -> geodp.Release:
    """Return a whole release with its tuning, always with the same seed: a single count shows."""
    where = {name: options.pop(name) for name in WHERE if name in options}
    given = {"domain": DOMAIN, "cells": GRIDS, "epsilon": 1, "seed": 7, **options}
    return geodp.release(described(points, **where), **given)


def same(one: geodp.Release, other: geodp.Release) -> bool:
    return one.cells == other.cells and one.measurements == other.measurements


def slow_part(number: int, pause: float = 0.4) -> pd.DataFrame:
    """Read a part of the points slowly; here, where workers can import it by name."""
    time.sleep(pause)
    return pd.DataFrame(sample_points().drop(columns="geometry").iloc[number::12])
