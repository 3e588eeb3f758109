"""None, one or two records: whether a release succeeds is the same in every source, for every unit.

Whoever waits for a release sees whether it fails, which no ε pays for. So what fails must fail by
public inputs alone. Every pair of choices is tried in the everyday run, all combinations in the
slow one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from covering import full, pairwise
from samples import CRS, DOMAIN, described

import geodp
from geodp.core.space.frame import Frame

dd = pytest.importorskip("dask.dataframe")
dgpd = pytest.importorskip("dask_geopandas")
duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.usefixtures("silence")

NAMES = {"x": "east", "y": "north"}
TABLE = {**NAMES, "crs": CRS}
DTYPES = {"east": float, "north": float, "who": "str", "kind": "str", "hour": float}
RECORDS = {
    "east": [60_001.0, 60_001.0],
    "north": [40_001.0, 40_001.0],
    "who": ["ann", "bob"],
    "kind": ["theft", "assault"],
    "hour": [7.0, 23.0],
}


def lists(count: int) -> dict[str, list[Any]]:
    return {name: values[:count] for name, values in RECORDS.items()}


def arrays(count: int) -> dict[str, Any]:
    return {name: np.array(v, dtype=DTYPES[name]) for name, v in lists(count).items()}


def table(count: int) -> pd.DataFrame:
    return pd.DataFrame(lists(count)).astype(DTYPES)


def frame(count: int, several: bool) -> gpd.GeoDataFrame:
    columns = lists(count)
    places = list(zip(columns.pop("east"), columns.pop("north")))
    shapes = [shapely.MultiPoint([p, p]) if several else shapely.Point(p) for p in places]
    fields = {name: pd.Series(v, dtype=DTYPES[name]) for name, v in columns.items()}
    return gpd.GeoDataFrame(fields, geometry=gpd.GeoSeries(shapes, crs=CRS), crs=CRS)


# --- what holds them -----------------------------------------------------------------------------

Source = tuple[Any, dict[str, Any]]


@dataclass(frozen=True)
class Few:
    """So many records, in features of one point or of several, and a folder for files."""

    count: int
    several: bool
    folder: Path


Make = Callable[[Few], Source]


def as_lists(few: Few) -> Source:
    return lists(few.count), NAMES


def as_arrays(few: Few) -> Source:
    return arrays(few.count), NAMES


def as_iterator(few: Few) -> Source:
    """Return a block for each record, after one without any."""
    blocks = [
        arrays(0),
        *({n: v[i : i + 1] for n, v in arrays(2).items()} for i in range(few.count)),
    ]
    return iter(blocks), NAMES


def as_table(few: Few) -> Source:
    return table(few.count), TABLE


def as_frame(few: Few) -> Source:
    return frame(few.count, few.several), {}


def as_objects(few: Few) -> Source:
    fields = frame(few.count, few.several)
    return fields.astype(dict.fromkeys(("who", "kind", "hour"), object)), {}


def as_csv(few: Few) -> Source:
    table(few.count).to_csv(few.folder / "v.csv", index=False)
    return few.folder / "v.csv", TABLE


def as_packed_csv(few: Few) -> Source:
    text = table(few.count).to_csv(index=False)
    (few.folder / "v.csv.gz").write_bytes(gzip.compress(text.encode()))
    return few.folder / "v.csv.gz", TABLE


def as_folder(few: Few) -> Source:
    """Return three files, the first of which has none; further ones have a record at most."""
    for number in range(3):
        rows = table(2).iloc[number - 1 : number] if 0 < number <= few.count else table(0)
        rows.to_csv(few.folder / f"v{number}.csv", index=False)
    return few.folder, TABLE


def as_geojson(few: Few) -> Source:
    features = list(frame(few.count, few.several).iterfeatures())
    crs = {"type": "name", "properties": {"name": CRS}}
    collection = {"type": "FeatureCollection", "crs": crs, "features": features}
    (few.folder / "v.geojson").write_text(json.dumps(collection))
    return few.folder / "v.geojson", {}


def as_layer(ending: str) -> Make:
    def write(few: Few) -> Source:
        kind = "MultiPoint" if few.several else "Point"
        path = few.folder / f"v{ending}"
        path.unlink(missing_ok=True)
        options = {"SPATIAL_INDEX": "NO"} if ending == ".fgb" else {}
        frame(few.count, few.several).to_file(path, geometry_type=kind, **options)
        return path, {}

    return write


def as_parquet(few: Few) -> Source:
    frame(few.count, few.several).to_parquet(few.folder / "v.parquet")
    return few.folder / "v.parquet", {}


def as_inferred_parquet(few: Few) -> Source:
    """Write columns of objects, whose types the writer takes from the records: of none, no type."""
    table(few.count).astype(object).to_parquet(few.folder / "v.parquet")
    return few.folder / "v.parquet", TABLE


def as_duckdb(few: Few) -> Source:
    layer = frame(few.count, few.several)
    rows = pd.DataFrame(layer.drop(columns="geometry"))
    rows["place"] = pd.Series(layer.to_wkb().geometry, dtype=object)
    database = duckdb.connect()
    database.register("rows", rows)
    kinds = {"place": "BLOB", "who": "VARCHAR", "kind": "VARCHAR", "hour": "DOUBLE"}
    columns = ", ".join(f"{name}::{kind} AS {name}" for name, kind in kinds.items())
    database.execute(f"CREATE TABLE visits AS SELECT {columns} FROM rows")
    return database, {"query": "FROM visits", "crs": CRS}


def as_dask_table(few: Few) -> Source:
    """Return three partitions, the first of which has none."""
    parts = [table(2).iloc[i - 1 : i] if 0 < i <= few.count else table(0) for i in range(3)]
    return dd.from_map(lambda part: part, parts, meta=table(0)), TABLE


def as_dask_frame(few: Few) -> Source:
    return dgpd.from_geopandas(frame(few.count, few.several), npartitions=2, sort=False), {}


MEMORY: dict[str, Make] = {
    "lists": as_lists,
    "arrays": as_arrays,
    "iterator": as_iterator,
    "table": as_table,
    "frame": as_frame,
    "frame of objects": as_objects,
    "DuckDB": as_duckdb,
}
FILES: dict[str, Make] = {
    "CSV": as_csv,
    "packed CSV": as_packed_csv,
    "folder": as_folder,
    "GeoJSON": as_geojson,
    "GeoPackage": as_layer(".gpkg"),
    "FlatGeobuf": as_layer(".fgb"),
    "Shapefile": as_layer(".shp"),
    "GeoParquet": as_parquet,
    "Parquet": as_inferred_parquet,
    "Dask table": as_dask_table,
    "Dask frame": as_dask_frame,
}
TABLES = {
    *("lists", "arrays", "iterator", "table", "CSV", "packed CSV", "folder", "Parquet"),
    "Dask table",
}
"""What holds one place in a row, and so no feature of several points."""

UNITS: dict[str, Any] = {
    "record": geodp.Record(),
    "feature": geodp.Feature(max_points=2),
    "person": geodp.Person("who"),
    "records of a person": geodp.Person("who", max_records=2),
}
PLACES: dict[str, Any] = {
    "home": geodp.Person("who", place="most frequent"),
    "visits": geodp.Person("who", visits=2),
}
GROUPS: dict[str, dict[str, Any]] = {
    "none": {},
    "categories": {"by": geodp.Categories("kind", ["theft", "fraud"], other="others")},
    "breaks": {"by": geodp.Breaks("hour", [0, 8, 16])},
}
CELLS: dict[str, dict[str, Any]] = {
    "regular": {"cells": geodp.Regular(sizes=[2, 5]), "domain": DOMAIN},
    "adaptive": {"cells": Frame(DOMAIN, (1, 1), 3), "domain": DOMAIN},
}
HALVES = gpd.GeoDataFrame(
    {"state": ["all", "all"], "name": ["west", "east"]},
    geometry=[shapely.box(0, 0, 4e4, 8e4), shapely.box(4e4, 0, 1e5, 8e4)],
    crs=CRS,
)
FIXED: dict[str, dict[str, Any]] = {
    "one grid": {"cells": geodp.Regular(sizes=[4]), "domain": DOMAIN},
    "districts": {"cells": geodp.Districts(HALVES, name="name")},
    "hexagons": {"cells": geodp.Hexagons(2e4), "domain": DOMAIN},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "levels": {"cells": geodp.Districts(HALVES, levels=["state", "name"])},
    "cells in districts": {"cells": geodp.Adaptive(districts=geodp.Districts(HALVES, name="name"))},
    "a choice": {
        "cells": geodp.Choice([geodp.Districts(HALVES, name="name"), geodp.Hexagons(2e4)]),
        "domain": DOMAIN,
    },
}
AMOUNTS: dict[str, dict[str, Any]] = {
    "no amounts": {},
    "amounts": {"amount": geodp.Amount("hour", 0, 10)},
    "totals": {"amount": geodp.Amount("hour", 0, 10, per_person=True)},
}
CHOICES = {
    "unit": list(UNITS), "groups": list(GROUPS), "cells": list(CELLS), "seed": [None, 7],
}  # fmt: skip
OF_MEMORY = {"source": list(MEMORY), **CHOICES}
OF_FILES = {"source": list(FILES), "scheduler": [None, "synchronous", "threads"], **CHOICES}


def outcome(make: Make, chosen: dict[str, Any], count: int, folder: Path) -> str:
    """Say what is seen from outside: that there is a release, or the error."""
    points, where = make(Few(count, chosen["unit"] == "feature", folder))
    if chosen.get("scheduler") is not None:
        where = {**where, "scheduler": chosen["scheduler"]}
    cells = {**CELLS, **FIXED, **CHOSEN}[chosen["cells"]]
    amount = AMOUNTS[chosen.get("amount", "no amounts")]
    ways = {**GROUPS[chosen["groups"]], **cells, **amount, "seed": chosen["seed"]}
    protect = {**UNITS, **PLACES}[chosen["unit"]]
    try:
        geodp.release(described(points, **where), epsilon=1, protect=protect, force=True, **ways)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "released"


def check(make: Make, chosen: dict[str, Any], folder: Path) -> None:
    outcomes = [outcome(make, chosen, count, folder) for count in (0, 1, 2)]
    assert len(set(outcomes)) == 1, outcomes
    refused = chosen["unit"] == "feature" and chosen["source"] in TABLES
    refused |= chosen.get("amount") == "totals" and chosen["unit"] != "person"
    assert (outcomes[0] != "released") == refused, outcomes


def case_name(chosen: dict[str, Any]) -> str:
    return ", ".join(f"{value}" for value in chosen.values())


@pytest.mark.slow
@pytest.mark.parametrize("chosen", pairwise(OF_MEMORY), ids=case_name)
def test_every_pair_of_choices_in_memory(chosen, tmp_path):
    check(MEMORY[chosen["source"]], chosen, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("chosen", pairwise(OF_FILES), ids=case_name)
def test_every_pair_of_choices_in_files(chosen, tmp_path):
    check(FILES[chosen["source"]], chosen, tmp_path)


OF_PLACES = {
    "source": [*MEMORY, *FILES], "unit": list(PLACES), "groups": list(GROUPS),
    "cells": list(FIXED), "seed": [None, 7],
}  # fmt: skip
OF_AMOUNTS = {
    "source": [*MEMORY, *FILES], "unit": ["record", "person", "records of a person"],
    "groups": list(GROUPS), "cells": [*FIXED, *CHOSEN, *CELLS], "amount": list(AMOUNTS),
    "seed": [None, 7],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("ways", [OF_PLACES, OF_AMOUNTS], ids=["places", "amounts"])
def test_people_at_places_and_amounts(ways, tmp_path):
    for number, chosen in enumerate(pairwise(ways)):
        folder = tmp_path / str(number)
        folder.mkdir()
        check({**MEMORY, **FILES}[chosen["source"]], chosen, folder)


@pytest.mark.slow
@pytest.mark.parametrize("source", [*MEMORY, *FILES])
def test_every_combination_of_choices(source, tmp_path):
    ways = {**CHOICES, "source": [source]}
    if source in FILES:
        ways["scheduler"] = OF_FILES["scheduler"]
    for number, chosen in enumerate(full(ways)):
        folder = tmp_path / str(number)
        folder.mkdir()
        check({**MEMORY, **FILES}[source], chosen, folder)


def test_every_combination_of_choices_in_postgis(server, tmp_path):
    psycopg = pytest.importorskip("psycopg")

    def as_postgis(few: Few) -> Source:
        kind = "MultiPoint" if few.several else "Point"
        layer = frame(few.count, few.several).to_wkb(hex=True)
        with psycopg.connect(server) as connection:
            connection.execute("DROP TABLE IF EXISTS few")
            connection.execute(
                f"CREATE TABLE few (place geometry({kind}, 5070), who text, kind text, hour float8)"
            )
            for row in layer.itertuples():
                connection.execute(
                    "INSERT INTO few VALUES (ST_SetSRID(%s::geometry, 5070), %s, %s, %s)",
                    [row.geometry, row.who, row.kind, row.hour],
                )
        return server, {"table": "few"}

    for chosen in full({"source": ["PostGIS"], **CHOICES}):
        check(as_postgis, chosen, tmp_path)
