"""Dask: the same release from any partitioning, and only tallies travel."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from click.testing import CliRunner
from samples import (
    CRS,
    DOMAIN,
    PEOPLE,
    SWAPPED_PEOPLE,
    TABLE,
    TREE,
    released,
    same,
    sample_points,
    slow_part,
)
from strategies import at_most

import geodp
from geodp.cli import main
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.counts.unit_tally import UnitTally
from geodp.core.privacy.noise import RandomBits
from geodp.core.records.contribution import BoundedRecords, RepeatableRecords
from geodp.core.records.ids import Ids
from geodp.sources import dask as tasks
from geodp.sources import parquet

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")
dgpd = pytest.importorskip("dask_geopandas")

POINTS = sample_points()


@pytest.fixture(scope="module")
def cluster():
    """Yield two worker processes on the loopback, without a dashboard."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        silence_logs=50,
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as client:
        yield client


WAYS = [{}, PEOPLE, TREE, {**TREE, **PEOPLE}, {**TREE, **SWAPPED_PEOPLE}]


@pytest.mark.parametrize("parts", [1, 2, 7, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", WAYS)
def test_any_partitioning_gives_the_same_release(parts, options):
    expected = released(POINTS, **options)
    frame = dgpd.from_geopandas(POINTS, npartitions=parts, sort=False)
    table = dd.from_pandas(POINTS.drop(columns="geometry"), npartitions=parts, sort=False)
    assert frame.npartitions == parts
    assert same(released(frame, scheduler="threads", **options), expected)
    assert same(released(table, scheduler="synchronous", **TABLE, **options), expected)


def test_a_series_of_points_and_another_crs():
    expected = released(POINTS)
    assert same(released(dgpd.from_geopandas(POINTS.geometry, npartitions=3)), expected)
    elsewhere = POINTS.to_crs("EPSG:4326")
    frame = dgpd.from_geopandas(elsewhere, npartitions=3)
    assert same(released(frame), released(elsewhere))


@pytest.mark.parametrize("options", WAYS)
def test_a_cluster_gives_the_same_release(client, cluster, options, tmp_path):
    expected = released(POINTS, **options)
    frame = dgpd.from_geopandas(POINTS, npartitions=9)
    assert same(released(frame, scheduler=client, **options), expected)
    assert same(released(frame, scheduler=cluster.scheduler_address, **options), expected)
    for part in range(4):
        POINTS.iloc[part::4].to_parquet(tmp_path / f"{part}.parquet")
    assert same(released(tmp_path, scheduler=cluster.scheduler_address, **options), expected)


HALVES = gpd.GeoDataFrame(
    {"name": ["west", "east"]},
    geometry=[shapely.box(0, 0, 4e4, 8e4), shapely.box(4e4, 0, 1e5, 8e4)],
    crs=CRS,
)
CHOICE = geodp.Choice([HALVES, geodp.Hexagons(9000), geodp.Grid(DOMAIN, (5, 4))])
NUMBERS = {"amount": geodp.Amount("who", 0, 200)}
TOTALS = {"amount": geodp.Amount("who", 0, 200, per_person=True), "protect": geodp.Person("who")}
KINDS = {
    "a choice": {"cells": CHOICE},
    "a choice, with amounts": {"cells": CHOICE, **NUMBERS},
    "a choice, with totals of people": {"cells": CHOICE, **TOTALS},
    "cells in districts": {"cells": geodp.Adaptive(districts=HALVES), "domain": None, **TOTALS},
    "homes in hexagons": {
        "cells": geodp.Hexagons(9000), "protect": geodp.Person("who", place="most frequent"),
    },
    "visitors of districts": {
        "cells": geodp.Districts(HALVES), "domain": None, "protect": geodp.Person("who", visits=2),
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parts", [1, 3])
def test_a_cluster_gives_the_same_release_of_every_kind(client, kind, parts):
    """Plans travel to workers and back: what comes back must be known again, or ε is spent."""
    table = POINTS.drop(columns="geometry")
    spread = dd.from_pandas(table, npartitions=parts, sort=False)
    expected = released(table, **TABLE, **KINDS[kind])
    assert same(released(spread, scheduler=client, **TABLE, **KINDS[kind]), expected)


def test_a_long_file_is_cut_into_several_tasks(client, tmp_path, monkeypatch):
    path = tmp_path / "one.parquet"
    POINTS.to_parquet(path, row_group_size=300)
    assert len(geodp.read_points(path).pieces()) == 1
    monkeypatch.setattr(parquet, "PIECE_BYTES", 20_000)
    cut = geodp.read_points(path).pieces()
    assert 3 < len(cut) < 14
    assert [group for piece in cut for group in piece.groups] == list(range(14))
    for options in WAYS:
        assert same(released(path, scheduler=client, **options), released(POINTS, **options))


def test_people_are_bounded_exactly_without_a_seed(client):
    """A person with records in all partitions keeps k, not k of each."""
    table = POINTS.drop(columns="geometry")
    table["east"], table["north"] = 10.0, 10.0
    parts = dd.from_pandas(table, npartitions=8, sort=False)
    most = 5
    expected = np.minimum(table.who.value_counts(), most).sum()
    for scheduler in (client, "threads"):
        release = geodp.release(
            geodp.read_points(parts, scheduler=scheduler, **TABLE),
            cells=geodp.Regular(geodp.Grid(DOMAIN, (1, 1))), protect=geodp.Person("who", most),
            epsilon=10**6, force=True,
        )  # fmt: skip
        assert release.counts == pytest.approx([expected])


def test_equal_persons_meet_whatever_their_type_is_called():
    """One partition knows a person as 7, the next, with a gap in it, as 7.0."""
    full, gap = (BoundedRecords(at_most(9), RandomBits()) for _ in range(2))
    full.add(np.zeros(3), np.zeros(3), Ids.of(np.array([7, 8, 9])))
    gap.add(np.zeros(3), np.zeros(3), Ids.of(np.array([7.0, np.nan, 9.0])))
    for one, other in zip(full.split(4), gap.split(4)):
        assert set(other._names()) <= set(one._names())


@pytest.mark.parametrize("kind", [BoundedRecords, RepeatableRecords])
def test_dealing_out_and_merging_keep_every_record(kind):
    kept = kind(at_most(10**6), b"key" if kind is RepeatableRecords else RandomBits())
    x, y, who = (POINTS[name].to_numpy() for name in ("east", "north", "who"))
    kept.add(x, y, Ids.of(who))
    merged = kind(at_most(10**6), b"key" if kind is RepeatableRecords else RandomBits())
    for part in pickle.loads(pickle.dumps(kept.split(5))):
        merged.absorb(part)
    for parts in (merged, kept):
        coordinates = np.sort(np.concatenate([x for x, *_ in parts.blocks()]))
        assert np.array_equal(coordinates, np.sort(x))


def test_a_task_that_is_run_again_gives_the_same():
    """A scheduler runs a task again when a worker is lost: what it was given must stay as it is."""
    x, y, who = (POINTS[name].to_numpy() for name in ("east", "north", "who"))
    plan = Plan((geodp.Grid(DOMAIN, (3, 4)),))
    tallies, people = [plan.tally() for _ in range(3)], []
    for tally, part in zip(tallies, np.array_split(np.arange(len(x)), 3)):
        tally.add(x[part], y[part])
        people.append(BoundedRecords(at_most(2), RandomBits()))
        people[-1].add(x[part], y[part], Ids.of(who[part]))
    once, again = (tasks._merge(tallies).counts(0) for _ in range(2))
    assert np.array_equal(once, again)
    assert once.sum() == sum(tally.total for tally in tallies) > 0
    once, again = (tasks._tally_people(people, plan).counts(0) for _ in range(2))
    assert np.array_equal(once, again)


def test_a_plan_comes_back_as_itself():
    plan = Plan(geodp.candidate_grids(DOMAIN, [3, 4]))
    tally = Tally(plan)
    tally.add(POINTS.east.to_numpy(), POINTS.north.to_numpy())
    again = pickle.loads(pickle.dumps(tally))
    assert again.plan is plan
    assert (again + tally).total == 2 * tally.total > 0


def held(value: object, seen: list) -> list:
    """Return every array and table in what a task's result is sent as, however deep."""
    if isinstance(value, (np.ndarray, pd.DataFrame, pd.Series)):
        seen.append(value)
    elif isinstance(value, dict):
        [held(part, seen) for part in value.values()]
    elif isinstance(value, (list, tuple)):
        [held(part, seen) for part in value]
    return seen


@pytest.mark.parametrize("options", WAYS[:4])
def test_no_result_of_a_task_holds_points(monkeypatch, options):
    """All that our tasks return is looked at: tallies are whole numbers, of the plan's size.

    With persons, bounded records go from the dealing to the counting task; tallies from there on.
    """
    returned: dict[str, list] = {}

    def spy(task):
        def watched(*arguments):
            result = task(*arguments)
            returned.setdefault(task.__name__, []).append(result)
            return result

        watched.__name__ = task.__name__
        return watched

    for name in ("_tally", "_merge", "_deal", "_hand", "_tally_people"):
        monkeypatch.setattr(tasks, name, spy(getattr(tasks, name)))
    frame = dgpd.from_geopandas(POINTS, npartitions=9)
    release = released(frame, scheduler="synchronous", **options)
    assert same(release, released(POINTS, **options))
    people = "protect" in options
    expected = {"_deal", "_hand", "_tally_people", "_merge"} if people else {"_tally", "_merge"}
    assert set(returned) == expected
    for name in expected - {"_deal", "_hand"}:
        for result in returned[name]:
            tree = UnitTally if people else BaseTally
            assert type(result) is (tree if "cells" in options else Tally)
            arrays = held(result.__reduce__()[1], [])
            assert arrays
            assert all(array.dtype.kind in "iu" for array in arrays)
            if "cells" in options:
                assert len(pickle.dumps(result)) < 12 * len(POINTS) + 1000  # of 67 million cells
                continue
            sizes = [
                np.prod(r.shape) for r in result.plan.grid_lattices + result.plan.region_lattices
            ]
            assert sorted(map(len, arrays)) == sorted([*sizes, 20])
    for bounded in returned.get("_hand", []):
        assert repr(bounded) == "BoundedRecords(private)"


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, PEOPLE, TREE])
def test_a_worker_that_dies_changes_no_count(options):
    """One of two worker processes is killed while it counts; its share is counted again."""
    expected = released(POINTS, **options)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1",
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        pids = list(client.run(os.getpid).values())
        table = dd.from_map(slow_part, range(12), meta=slow_part(0, 0))
        killer = threading.Timer(0.6, os.kill, (pids[0], signal.SIGKILL))
        killer.start()
        try:
            outcome = released(table, scheduler=client, **TABLE, **options)
        except geodp.GeodpError as error:
            outcome = str(error)
        assert killer.finished.is_set()  # it died while the job ran, not afterwards
        if isinstance(outcome, str):
            assert "nothing was released" in outcome
        else:
            assert same(outcome, expected)
        with pytest.raises(ProcessLookupError):
            os.kill(pids[0], 0)


def test_a_folder_on_a_cluster_from_the_command_line(client, tmp_path):
    folder, out = tmp_path / "parts", tmp_path / "counts.tif"
    folder.mkdir()
    for part in range(3):
        POINTS.iloc[part::3].to_parquet(folder / f"{part}.parquet")
    bounds = [str(value) for value in DOMAIN.bounds]
    words = ["--bounds", *bounds, "--crs", CRS, "--epsilon", "1000000", "--sizes", "4", "--yes"]
    where = ["--scheduler", client.scheduler.address]
    done = CliRunner().invoke(main, ["release", str(folder), *words, *where, "-o", str(out)])
    assert done.exit_code == 0, done.output
    grids = geodp.candidate_grids(DOMAIN, [4])
    expected = geodp.release(POINTS, cells=geodp.Regular(grids), epsilon=1_000_000, force=True)
    assert np.array_equal(geodp.open_release(out).counts, expected.counts)


@pytest.mark.slow
def test_a_job_that_cannot_finish_says_so_and_spends_nothing(tmp_path):
    ledger = geodp.Ledger(tmp_path / "ledger.json")
    ledger.register("people", cap=5)

    def broken(number: int) -> pd.DataFrame:
        if number == 3:
            raise OSError("secret row 12345")
        return POINTS.drop(columns="geometry")

    table = dd.from_map(broken, range(5), meta=POINTS.drop(columns="geometry").iloc[:0])
    account = {"account": ledger["people"]}
    with pytest.raises(geodp.GeodpError, match="nothing was released") as caught:
        released(table, scheduler="synchronous", **TABLE, **account)
    assert "secret" not in str(caught.value)
    assert ledger["people"].spent == 0


def test_refusals_of_workers_arrive_as_they_are(client, tmp_path):
    for part in range(3):
        POINTS.iloc[part::3].to_parquet(tmp_path / f"{part}.parquet")
    (tmp_path / "1.parquet").write_bytes(b"PAR1 no more")
    for options in ({}, PEOPLE):
        with pytest.raises(geodp.FileError, match=r"1\.parquet"):
            released(tmp_path, scheduler=client, **options)
    areas = gpd.GeoDataFrame(geometry=POINTS.geometry.buffer(1), crs=CRS)
    nothing = released((np.zeros(0), np.zeros(0)))
    release = released(dgpd.from_geopandas(areas, npartitions=2), scheduler=client)
    assert same(release, nothing)  # a frame declares no kind of geometry: its areas are dropped
    table = dd.from_pandas(POINTS.drop(columns="geometry"), npartitions=2)
    with pytest.raises(geodp.InputError, match="has no geometry"):
        released(table, scheduler=client)
    with pytest.raises(geodp.InputError, match="'lon'"):
        released(table, x="lon", y="north", crs=CRS)
    with pytest.raises(geodp.CrsError, match="need a CRS"):
        released(table, x="east", y="north", scheduler=client)


def test_schedulers_that_are_none():
    with pytest.raises(geodp.InputError, match="scheduler must be"):
        released(dgpd.from_geopandas(POINTS, npartitions=2), scheduler=5)
    with pytest.raises(geodp.InputError, match="leave it out"):
        released(POINTS, scheduler="tcp://127.0.0.1:1")
