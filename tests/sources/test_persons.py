"""A record is the same person's whatever source it comes from, and whatever else is in there."""

from __future__ import annotations

from datetime import timezone
from typing import Any
from zoneinfo import ZoneInfo

import dask.dataframe as dd
import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from samples import CRS, DOMAIN, TABLE, released, same
from strategies import at_most

import geodp
from geodp.core.counts.grid_tally import Plan
from geodp.core.counts.streams import fill
from geodp.core.records.contribution import RepeatableRecords
from geodp.core.records.source import Request

BIG = 2**60
SNOWFLAKES = [BIG + number for number in range(1000)]
NAN = float("nan")


def kept(points: Any, **where: Any) -> list[float]:
    """Say where the records are that stay, one of each person."""
    records = RepeatableRecords(at_most(1), b"key")
    request = Request.of(DOMAIN, geodp.Person("who", max_records=1))
    blocks = geodp.read_points(points, **where).blocks(request)
    fill(records, blocks, Plan((geodp.Grid(DOMAIN, (1, 1)),)))
    return sorted(value for x, *_ in records.blocks() for value in x.tolist())


def columns(who: Any) -> dict[str, Any]:
    """Return people on a line."""
    return {"x": np.linspace(1.0, 1000.0, len(who)), "y": np.full(len(who), 10.0), "who": who}


def frame(who: Any) -> pd.DataFrame:
    return pd.DataFrame(columns(who)).rename(columns={"x": "east", "y": "north"})


def test_a_list_of_ids_is_not_made_one_type():
    assert len(kept(columns([*SNOWFLAKES, NAN]))) == 1000
    assert len(kept(columns(["a", "b", NAN, NAN]))) == 2
    assert len(kept(columns([7] * 262_154 + ["abc"]))) == 2


@pytest.mark.parametrize(
    "column",
    [
        pd.array([*SNOWFLAKES, None], dtype="Int64"),
        pd.array([*SNOWFLAKES, None], dtype="int64[pyarrow]"),
        pd.Categorical([*SNOWFLAKES, None]),
        pd.Categorical([*map(str, SNOWFLAKES), None]),
        np.array([*SNOWFLAKES, None], dtype=object),
        np.array([*SNOWFLAKES, NAN], dtype=object),
        pd.array([*map(str, SNOWFLAKES), None], dtype="string"),
    ],
)
def test_columns_with_a_gap_keep_long_ids_apart(column):
    table = frame(column)
    assert len(kept(table, **TABLE)) == 1000
    shapes = gpd.points_from_xy(table.east, table.north, crs=CRS)
    assert len(kept(gpd.GeoDataFrame(table, geometry=shapes))) == 1000


def test_one_person_in_files_of_several_kinds(tmp_path):
    """7 in text as 7 and as 7.0, as a whole number, and as a float beside a gap."""
    frame([7]).to_csv(tmp_path / "a.csv", index=False)
    frame([7.0]).to_csv(tmp_path / "b.csv", index=False)
    frame([7]).to_parquet(tmp_path / "a.parquet")
    frame([7.0, NAN]).to_parquet(tmp_path / "b.parquet")
    frame(["7"]).to_parquet(tmp_path / "c.parquet")
    names = ("a.csv", "b.csv", "a.parquet", "b.parquet", "c.parquet")
    assert len(kept([tmp_path / name for name in names], **TABLE)) == 1


@pytest.mark.parametrize(
    ("column", "left"),
    [
        (pa.array([9 * 10**12, 9 * 10**12, None]).cast(pa.timestamp("s")), 1),
        (pa.array([2**30, 2**30 + 1, None], pa.int32()).cast(pa.date32()), 2),
        (pa.array([2**50, 2**50, None]).cast(pa.date64(), safe=False), 1),
        (pa.array([b"7" * 16, b"\xff" * 16, None], pa.uuid()), 2),
        (pa.array(["a", None, "a"]).dictionary_encode(), 1),
        (pa.array([b"\xff", b"7", None]), 2),
    ],
)
def test_no_value_of_a_column_stops_the_reading(tmp_path, column, left):
    """Years beyond 9999, for one, are no dates in Python."""
    table = pa.table({**columns([None] * 3), "who": column}).rename_columns(
        ["east", "north", "who"]
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    options = {"x": "east", "y": "north", "crs": CRS}
    assert len(kept(tmp_path / "a.parquet", **options)) == left


@pytest.mark.parametrize(
    "kind", [pa.float32(), pa.duration("s"), pa.time64("us"), pa.list_(pa.string())]
)
def test_columns_are_refused_by_their_declared_type(tmp_path, kind):
    who = pa.array([None] * 3, kind)
    table = pa.table({**columns(who), "who": who}).rename_columns(["east", "north", "who"])
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    options = {"x": "east", "y": "north", "crs": CRS}
    with pytest.raises(geodp.InputError, match="ids must be text, whole numbers, dates or UUIDs"):
        kept(tmp_path / "a.parquet", **options)


def test_equal_times_of_two_zones_are_one_person_on_a_cluster_too():
    noon = pd.Timestamp("2024-05-01 12:00", tz=timezone.utc)
    times = [noon, noon.tz_convert(ZoneInfo("Asia/Tokyo"))] * 4
    table = frame(np.array([*times, noon + pd.Timedelta(1, "ns")], dtype=object))
    parts = [table.iloc[:1], table.iloc[1:4], table.iloc[4:]]
    spread = dd.from_delayed([dd.from_pandas(p, npartitions=1).to_delayed()[0] for p in parts])
    options = {"protect": geodp.Person("who", max_records=1)}
    options |= {"cells": geodp.Regular(geodp.Grid(DOMAIN, (1, 1))), "epsilon": 10**6, "force": True}
    for points in (
        geodp.read_points(table, **TABLE),
        geodp.read_points(spread, scheduler="synchronous", **TABLE),
    ):
        assert geodp.release(points, **options).counts == pytest.approx([2], abs=1e-3)


@pytest.mark.parametrize("odd", [None, NAN, "", 0.5, [7], {}, b"\xff", "\ud800", 10**400, pd.NaT])
def test_one_odd_record_changes_no_other(odd):
    """Its own place is outside, so that a release with the same seed is the same."""
    east, north = np.random.default_rng(1).uniform(0, 80_000, (2, 1000))
    who = [BIG + number % 300 for number in range(1000)]
    options = {"protect": geodp.Person("who", max_records=2)}
    before = released({"x": east, "y": north, "who": who}, **options)
    more = {"x": np.append(east, -1.0), "y": np.append(north, 0.0), "who": [*who, odd]}
    after = released(more, **options)
    assert same(before, after)
