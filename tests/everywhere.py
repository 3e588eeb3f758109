"""One table of records as every kind of source holds it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from samples import CRS, TABLE

SNOWFLAKES = [(1 << 60) + 7 * n for n in range(60)]
WHO: dict[str, list[Any]] = {
    "whole numbers": list(range(60)),
    "numbers beyond floats": SNOWFLAKES,
    "text": [f"person {n}" for n in range(60)],
    "odd text": ["007", "7", "nan", "NA", "null", "None", "é", " x ", "1e3", "0.50"] * 6,
    "UUIDs": [str(uuid.UUID(int=n)) for n in range(60)],
}


def columns(kind: str, missing: bool) -> dict[str, list[Any]]:
    """Return three places for everyone; with gaps, one record in ten is nobody's."""
    rng = np.random.default_rng(5)
    who = WHO[kind] * 3
    if missing:
        who = [None if n % 10 == 0 else name for n, name in enumerate(who)]
    east, north = rng.uniform(0, 1e5, len(who)), rng.uniform(0, 8e4, len(who))
    return {"east": east.tolist(), "north": north.tolist(), "who": who}


def as_frame(table: dict[str, list[Any]], **dtype: Any) -> gpd.GeoDataFrame:
    who = pd.Series(table["who"], **(dtype or {"dtype": object}))
    geometry = gpd.points_from_xy(table["east"], table["north"])
    return gpd.GeoDataFrame({"who": who}, geometry=geometry, crs=CRS)


def as_arrow(table: dict[str, list[Any]]) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in table.items()})


def geojson(table: dict[str, list[Any]], path: Path) -> Path:
    features = [
        {
            "type": "Feature",
            "properties": {"who": who},
            "geometry": {"type": "Point", "coordinates": [east, north]},
        }
        for east, north, who in zip(*table.values())
    ]
    crs = {"type": "name", "properties": {"name": CRS}}
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": features}))
    return path


def sources(table: dict[str, list[Any]], folder: Path) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return the same records as every kind of source holds them, and how to read them there."""
    names = {"x": "east", "y": "north"}
    pandas = pd.DataFrame({name: pd.Series(v, dtype=object) for name, v in table.items()})
    arrow = as_arrow(table)
    pq.write_table(arrow, folder / "p.parquet")
    packed = arrow.set_column(2, "who", arrow["who"].dictionary_encode())
    pq.write_table(packed, folder / "packed.parquet")
    lines = ["east,north,who"]
    lines += [f"{e!r},{n!r},{'' if w is None else w}" for e, n, w in zip(*table.values())]
    (folder / "p.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = isinstance(table["who"][1], str)
    layer = as_frame(table, dtype="str" if text else "Int64")
    for name in ("p.gpkg", "p.fgb"):
        layer.to_file(folder / name)
    object_array = np.empty(len(table["who"]), dtype=object)
    object_array[:] = table["who"]
    readers = {
        "lists": (table, names),
        "object array": ({**table, "who": object_array}, names),
        "frame": (as_frame(table), {}),
        "frame, own dtype": (layer, {}),
        "frame, category": (as_frame(table, dtype="category"), {}),
        "frame, arrow": (
            layer.assign(who=layer["who"].convert_dtypes(dtype_backend="pyarrow")),
            {},
        ),
        "table": (pandas, TABLE),
        "CSV": (folder / "p.csv", TABLE),
        "Parquet": (folder / "p.parquet", TABLE),
        "Parquet, dictionary": (folder / "packed.parquet", TABLE),
        "Arrow": (arrow, TABLE),
        "Arrow, dictionary": (packed, TABLE),
        "Arrow, geometries": (layer.to_arrow(), {}),
        "GeoJSON": (geojson(table, folder / "p.geojson"), {}),
        "GeoPackage": (folder / "p.gpkg", {}),
        "FlatGeobuf": (folder / "p.fgb", {}),
        "several kinds": ([folder / "p.csv"], TABLE),
    }
    if None not in table["who"]:
        readers["array"] = ({**table, "who": np.array(table["who"])}, names)
    return readers
