"""Files, folders and iterators: the same release in bounded memory, or a clear refusal."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from samples import (
    CRS,
    DOMAIN,
    PEOPLE,
    SWAPPED,
    SWAPPED_PEOPLE,
    TABLE,
    TREE,
    read_blocks,
    released,
    same,
    sample_points,
)
from strategies import at_most

import geodp
from geodp.core.counts.grid_tally import Plan, Tally
from geodp.core.counts.streams import joined, tally_stream
from geodp.core.counts.unit_tally import FramePlan
from geodp.core.privacy.noise import RandomBits
from geodp.core.records.contribution import BoundedRecords, RepeatableRecords
from geodp.core.records.ids import Ids
from geodp.core.records.source import Request
from geodp.core.space.frame import Frame
from geodp.sources import files, frames
from geodp.sources.dask import _merge

POINTS = sample_points()


def write_interleaved(frame: gpd.GeoDataFrame, path: Path, **metadata) -> None:
    """Write GeoArrow with x and y side by side, described in the column's own metadata."""
    flat = pa.array(frame[["east", "north"]].to_numpy().ravel())
    points = pa.FixedSizeListArray.from_arrays(flat, 2)
    about = {
        "ARROW:extension:name": "geoarrow.point",
        "ARROW:extension:metadata": json.dumps({"crs": CRS, **metadata}),
    }
    fields = [pa.field("place", points.type, metadata=about), pa.field("who", pa.int64())]
    columns = [points, pa.array(frame.who.to_numpy())]
    pq.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields)), path)


def arrow(frame: gpd.GeoDataFrame, kind: str) -> tuple[object, dict]:
    """Give the points as what speaks Arrow: as columns, or as geometries of either kind."""
    table = pa.table(frame.drop(columns="geometry"))
    if kind == "arrow reader":
        return table.to_reader(max_chunksize=999), TABLE
    if kind == "arrow views":  # as Polars hands text out
        texts = [pa.array(map(repr, frame[name].tolist())) for name in ("east", "north")]
        views = [column.cast(pa.string_view()) for column in texts]
        return table.set_column(0, "east", views[0]).set_column(1, "north", views[1]), TABLE
    if kind == "arrow wkb":
        return frame.to_arrow(geometry_encoding="WKB"), {}
    if kind == "arrow points":
        return frame.to_arrow(geometry_encoding="geoarrow"), {}
    return table, TABLE


def write(frame: gpd.GeoDataFrame, folder: Path, kind: str) -> tuple[object, dict]:
    """Return the points as each source wants them, and the options that go with it."""
    table = frame.drop(columns="geometry")
    if kind == "arrays":
        return (frame.east.to_numpy(), frame.north.to_numpy()), {}
    if kind == "table":
        return table, TABLE
    if kind == "iterator":
        x, y = frame.east.to_numpy(), frame.north.to_numpy()
        return ((x[i : i + 999], y[i : i + 999]) for i in range(0, len(x), 999)), {}
    if kind == "folder":
        (folder / "year=1").mkdir()
        (folder / "_SUCCESS").touch()
        for part in range(5):
            frame.iloc[part::5].to_parquet(folder / "year=1" / f"{part}.parquet")
        return folder, {}
    if kind == "files":
        frame[:1000].to_file(folder / "a.gpkg")
        frame[1000:1500].to_parquet(folder / "b.parquet")
        frame[1500:].to_file(folder / "c.fgb")
        return [folder / "c.fgb", str(folder / "a.gpkg"), folder / "b.parquet"], {}
    if kind.startswith("arrow"):
        return arrow(frame, kind)
    path = folder / kind
    if kind == "interleaved.parquet":
        write_interleaved(frame, path)
    elif kind == "struct.parquet":
        frame.to_parquet(path, geometry_encoding="geoarrow")
    elif kind == "wkb.parquet":
        frame.to_parquet(path, row_group_size=700)
    elif kind == "table.parquet":
        table.to_parquet(path)
        return path, TABLE
    elif kind.startswith(("text", "packed")):
        table.to_csv(path, index=False, sep="\t" if ".tsv" in kind else ",")
        return path, TABLE
    else:
        frame.to_file(path)
    return path, {}


KINDS = [
    *("arrays", "table", "iterator", "folder", "files", "ogr.gpkg", "ogr.fgb", "wkb.parquet"),
    *("struct.parquet", "interleaved.parquet", "table.parquet", "text.csv", "text.tsv"),
    *("packed.csv.gz", "arrow table", "arrow reader", "arrow views", "arrow wkb", "arrow points"),
]


@pytest.mark.parametrize("how", [{}, TREE, {**TREE, **SWAPPED}])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_release_from_every_source(kind, how, tmp_path):
    points, options = write(POINTS, tmp_path, kind)
    assert same(released(points, **options, **how), released(POINTS, **how))


@pytest.mark.parametrize("how", [PEOPLE, {**TREE, **PEOPLE}, {**TREE, **SWAPPED_PEOPLE}])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("arrays", "iterator")])
def test_and_so_it_does_for_people(kind, how, tmp_path):
    points, options = write(POINTS, tmp_path, kind)
    assert same(released(points, **options, **how), released(POINTS, **how))


@pytest.mark.parametrize("cells", [{}, TREE])
def test_one_record_more_would_show(cells):
    """The comparison above is not blind: a single missing point changes the release."""
    inside = int(np.flatnonzero(DOMAIN.bounds[2] / 2 > POINTS.east.to_numpy())[0])
    expected = released(POINTS, **cells)
    assert not same(released(POINTS.drop(index=inside), **cells), expected)
    assert not same(released(POINTS, **PEOPLE, **cells), expected)
    assert not same(released(POINTS, **SWAPPED, **cells), expected)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cells", [{}, TREE])
def test_chunks_come_in_any_order_and_size(seed, cells):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(POINTS))
    cuts = np.sort(rng.integers(0, len(order), 8))
    x, y, who = (POINTS[name].to_numpy() for name in ("east", "north", "who"))
    parts = np.split(order, cuts)
    expected = released((x, y), **cells)
    assert same(released(((x[part], y[part]) for part in parts), **cells), expected)
    people = released({"x": x, "y": y, "who": who}, **PEOPLE, **cells)
    blocks = ({"x": x[part], "y": y[part], "who": who[part]} for part in parts)
    assert same(released(blocks, **PEOPLE, **cells), people)


def test_a_seeded_choice_is_as_even_as_a_private_one():
    """Nine records at home and one at work: home is kept nine times in ten, seeded or not."""
    place = np.tile([1.0] * 9 + [2.0], 2000)
    who = np.repeat(np.arange(2000), 10)
    who = Ids.of(who)
    one = at_most(1)
    for kept in (RepeatableRecords(one, b"any key"), BoundedRecords(one, RandomBits())):
        kept.add(place, place, who)
        chosen = np.concatenate([x for x, *_ in kept.blocks()])
        assert len(chosen) == 2000
        assert abs((chosen == 1.0).sum() - 1800) < 5 * (2000 * 0.9 * 0.1) ** 0.5
    spread = place + who.index
    other = RepeatableRecords(at_most(1), b"another key")
    other.add(spread, place, who)
    first = RepeatableRecords(at_most(1), b"any key")
    first.add(spread, place, who)
    assert not np.array_equal(*(next(kept.blocks())[0] for kept in (other, first)))


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_threads_and_joined_blocks_change_no_count(threads, monkeypatch):
    plan = Plan(geodp.candidate_grids(DOMAIN, [4, 9]), geodp.Workload.random_boxes(DOMAIN, seed=1))
    x, y = POINTS.east.to_numpy()[:3965], POINTS.north.to_numpy()[:3965]
    blocks = [(x[i : i + 30], y[i : i + 30]) for i in range(0, len(x), 30)]
    expected = Tally(plan)
    expected.add(x, y)
    monkeypatch.setattr(geodp.core.counts.streams, "joined", lambda places: joined(places, 100))
    tally = tally_stream(blocks, plan, threads)
    assert [len(x) for x, _ in joined(blocks, 100)] == [120] * 33 + [5]
    assert np.array_equal(tally.counts(1), expected.counts(1))
    assert np.array_equal(tally.inside(), expected.inside())


def test_an_error_in_a_thread_comes_out(monkeypatch):
    def broken(*_: object) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise MemoryError

    monkeypatch.setattr(Tally, "add", broken)
    blocks = [(np.zeros(1 << 20), np.zeros(1 << 20))] * 3
    with pytest.raises(MemoryError):
        tally_stream(blocks, Plan((geodp.Grid(DOMAIN, (2, 2)),)), 2)


def test_unseeded_people_are_drawn_afresh():
    """Without a seed nobody can tell which records were kept: two runs differ."""
    grids = [geodp.Grid(DOMAIN, (30, 30))]
    runs = [
        geodp.release(
            POINTS,
            cells=geodp.Regular(grids),
            epsilon=10**6,
            force=True,
            protect=geodp.Person("who", max_records=1),
        ).counts
        for _ in range(2)
    ]
    assert not np.array_equal(*runs)


def test_an_iterator_must_yield_what_was_said():
    pair = (np.zeros(2), np.zeros(2))
    for block, options in (
        ((*pair, ["a", "b"]), {}),
        (pair, PEOPLE),
        (5, {}),
        ((np.zeros(2), np.zeros(3)), {}),
    ):
        with pytest.raises(geodp.InputError, match=r"are a pair|there is no 'who'"):
            released(iter([block]), **options)


@pytest.fixture
def ledger(tmp_path) -> geodp.Ledger:
    ledger = geodp.Ledger(tmp_path / "ledger.json")
    ledger.register("people", cap=5)
    return ledger


@pytest.mark.parametrize("damage", ["page", "tail", "all"])
@pytest.mark.parametrize("options", [{}, PEOPLE])
def test_a_corrupt_file_in_a_folder_is_named_and_nothing_is_spent(
    tmp_path, ledger, damage, options
):
    folder = tmp_path / "points"
    folder.mkdir()
    for part in range(5):
        POINTS.iloc[part::5].to_parquet(folder / f"{part}.parquet")
    broken = folder / "2.parquet"
    content = bytearray(broken.read_bytes())
    if damage == "page":
        content[4 : len(content) // 2] = b"\xff" * (len(content) // 2 - 4)
    broken.write_bytes({"tail": content[: len(content) // 2], "all": b"PAR1"}.get(damage, content))
    account = {"account": ledger["people"]}
    with pytest.raises(geodp.FileError, match=r"2\.parquet") as caught:
        released(folder, **account, **options)
    assert caught.value.__cause__ is None
    assert ledger["people"].spent == 0
    broken.unlink()
    released(folder, **account, **options)
    assert ledger["people"].spent == Fraction(1)


def test_a_corrupt_file_among_others_is_named(tmp_path):
    POINTS.to_file(tmp_path / "a.fgb")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"east,north\n1,2\n" * 9999)[:-40])
    with pytest.raises(geodp.FileError, match=r"b\.csv\.gz"):
        released([tmp_path / "b.csv.gz"], **TABLE)
    with pytest.raises(geodp.FileError, match=r"nowhere"):
        released([tmp_path / "a.fgb", tmp_path / "nowhere.fgb"])
    with pytest.raises(geodp.InputError, match="list is empty"):
        released([])


def test_rows_that_do_not_parse_are_dropped_silently(tmp_path, recwarn):
    rows = ["east,north,who", "100,200,1", "far,200,1", ",200,1", "100,n/a,2", "100", "1,2,3,4",
            '" 100 ",200,2', "1e2,2.0E2,3", "nan,1,1", '"100","200","a\nb"']  # fmt: skip
    (tmp_path / "p.csv").write_text("\n".join(rows) + "\n")
    grid = geodp.Grid(DOMAIN, (1, 1))
    points = geodp.read_points(tmp_path / "p.csv", **TABLE)
    release = geodp.release(points, cells=geodp.Regular(grid), epsilon=10**6, force=True)
    assert release.counts.tolist() == [3]  # a record is a line: the last one is two broken ones
    assert not recwarn.list


def test_missing_points_of_every_encoding_are_dropped(tmp_path):
    odd = [None, shapely.Point(), shapely.Point(1, 1), shapely.Point(2, 2, 9)]
    frame = gpd.GeoDataFrame(geometry=odd, crs=CRS)
    frame.to_parquet(tmp_path / "wkb.parquet")
    flat = pa.array([1.0, 1.0, None, 1.0])
    last = pa.array([False, False, False, True])
    structs = pa.StructArray.from_arrays([flat, flat], names=["x", "y"], mask=last)
    # Older ones do not write missing pairs, or cannot read them.
    none = None if int(pa.__version__.split(".")[0]) >= 26 else [None, None]
    pairs = pa.array([[1.0, 1.0], none, [2.0, None], [2.0, 2.0]], pa.list_(pa.float64(), 2))
    for name, column in (("struct", structs), ("pairs", pairs)):
        about = {"ARROW:extension:name": "geoarrow.point"}
        schema = pa.schema([pa.field("g", column.type, metadata=about)])
        pq.write_table(pa.Table.from_arrays([column], schema=schema), tmp_path / f"{name}.parquet")
    for name in ("wkb", "struct", "pairs"):
        points = geodp.read_points(tmp_path / f"{name}.parquet", crs=CRS)
        release = geodp.release(
            points, cells=geodp.Regular(geodp.Grid(DOMAIN, (1, 1))), epsilon=10**6, force=True
        )
        assert release.counts.tolist() == [2], name


def test_wkb_of_either_kind_reads_alike():
    """The short cut for plain points agrees with the library, SRID, slices and all."""
    from geodp.sources.columns import places

    shapes = shapely.points(POINTS.east.to_numpy(), POINTS.north.to_numpy())
    with_srid = shapely.to_wkb(shapely.set_srid(shapes, 5070), include_srid=True)
    for raw in (shapely.to_wkb(shapes), with_srid, shapely.to_wkb(shapes, byte_order=0)):
        column = pa.array(list(raw), pa.binary()).slice(10, 500)
        x, y, _ = places(column, Request(DOMAIN))
        assert np.array_equal(x, POINTS.east.to_numpy()[10:510])
        assert np.array_equal(y, POINTS.north.to_numpy()[10:510])


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.gpkg"])
def test_a_wrong_column_is_refused(name, tmp_path):
    table = POINTS.drop(columns="geometry")
    path = tmp_path / name
    if name == "p.gpkg":
        POINTS.to_file(path)
    else:
        table.to_csv(path, index=False) if name == "p.csv" else table.to_parquet(path)
    for options, rule in (
        ({"x": "lon", "y": "north", "crs": CRS}, "'lon'"),
        ({**TABLE, "protect": geodp.Person("name", 1)}, "'name'"),
        ({"x": "east", "crs": CRS}, "give both or none"),
        ({"x": "east", "y": "north"}, "CRS"),
    ):
        with pytest.raises(geodp.InputError, match=rule):
            released(path, **options)
    with pytest.raises(geodp.InputError, match="name of a field"):
        geodp.Person(POINTS.who.to_numpy(), max_records=1)
    with pytest.raises(geodp.InputError, match=r"'lon': the columns are 'east', 'north', 'who'"):
        released(table, x="lon", y="north", crs=CRS)
    with pytest.raises(geodp.InputError, match="needs a database"):
        released(path, query="SELECT 1")


def test_columns_of_text_are_no_geometry_and_lines_are_no_points(tmp_path):
    frame = gpd.GeoDataFrame(geometry=[shapely.LineString([(0, 0), (1, 1)])], crs=CRS)
    frame.to_parquet(tmp_path / "wkb.parquet")
    frame.to_parquet(tmp_path / "arrow.parquet", geometry_encoding="geoarrow")
    pq.write_table(pa.table({"east": [True], "north": [False]}), tmp_path / "flags.parquet")
    with pytest.raises(geodp.InputError, match="must hold points"):
        released(tmp_path / "arrow.parquet")
    nothing = released((np.zeros(0), np.zeros(0)))
    assert same(released(tmp_path / "wkb.parquet"), nothing)  # WKB declares no kind
    with pytest.raises(geodp.InputError, match="columns of numbers"):
        released(tmp_path / "flags.parquet", **TABLE)
    nested = pa.table({"east": [1.0], "north": [1.0], "who": [[1, 2]]})
    pq.write_table(nested, tmp_path / "nested.parquet")
    with pytest.raises(geodp.InputError, match="ids must be text"):
        released(tmp_path / "nested.parquet", **TABLE, **PEOPLE)


class Bar:
    """Note what a progress bar hears."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.heard: list[tuple[int, int]] = []

    def __call__(self, step: str) -> None:
        self.steps.append(step)

    def advance(self, done: int, total: int) -> None:
        self.heard.append((done, total))


@pytest.mark.parametrize("kind", ["folder", "files", "text.csv", "wkb.parquet", "packed.csv.gz"])
def test_progress_counts_bytes_of_files(kind, tmp_path):
    points, options = write(POINTS, tmp_path, kind)
    bar = Bar()
    released(points, **options, progress=bar)
    files = [file for file in tmp_path.rglob("*") if file.is_file() and file.name != "_SUCCESS"]
    size = sum(file.stat().st_size for file in files)
    done = [heard for heard, _ in bar.heard]
    assert {total for _, total in bar.heard} == {size}
    assert done == sorted(done)
    assert done[-1] == size
    assert bar.steps == ["preparing", "counting", "choosing the grid", "adding noise"]


def test_blocks_of_every_source_are_bounded(tmp_path, monkeypatch):
    for room in (geodp.core.records.arrays, frames, files):
        monkeypatch.setattr(room, "BLOCK", 64)
    for kind in ("table", "wkb.parquet", "struct.parquet", "table.parquet", "ogr.gpkg"):
        (tmp_path / kind[:3]).mkdir(exist_ok=True)
        points, options = write(POINTS, tmp_path / kind[:3], kind)
        sizes = [len(x) for x, *_ in read_blocks(points, **options)]
        assert max(sizes) <= 64
        assert sum(sizes) == len(POINTS)


MEMORY = """
import re, sys, pyarrow, pyproj, shapely, geodp
domain = geodp.Domain((0.0, 0.0, 100_000.0, 80_000.0), crs="EPSG:5070")
points = geodp.read_points(sys.argv[1], x="x", y="y", crs="EPSG:5070")
geodp.release(points, domain, epsilon=1, cells=sys.argv[2])
print(*re.findall(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
@pytest.mark.parametrize(("cells", "more"), [("regular", 48), ("adaptive", 96)])
def test_memory_does_not_grow_with_the_number_of_points(cells, more, tmp_path):
    """Ten million points more are 160 MiB of coordinates; the release may need 48 MiB more.

    A tree waits with counting until it knows which nodes it comes to, and keeps a code of 4 bytes
    and a place to sort it in for each point, until counts on the lattice would be less than that.
    """
    peaks = []
    for millions in (10, 20):
        path = tmp_path / f"{millions}.parquet"
        rng = np.random.default_rng(1)
        schema = pa.schema([("x", pa.float64()), ("y", pa.float64())])
        with pq.ParquetWriter(path, schema) as writer:
            for _ in range(millions):
                x, y = rng.uniform(0, 1e5, 1 << 20), rng.uniform(0, 8e4, 1 << 20)
                writer.write_table(pa.table({"x": x, "y": y}), row_group_size=1 << 20)
        command = [sys.executable, "-c", MEMORY, str(path), cells]
        runs = [subprocess.run(command, capture_output=True, check=True) for _ in range(3)]
        peaks.append(min(int(done.stdout) / 1024 for done in runs))  # what it needs, not may take
    assert peaks[1] < 512
    assert peaks[1] - peaks[0] < more


@pytest.mark.parametrize("kind", ["regular", "adaptive"])
def test_merging_leaves_what_is_merged_as_it_was(kind):
    """A task of a cluster may be run again, so it must not change what it was given."""
    regular = Plan(geodp.candidate_grids(DOMAIN, [4, 9]))
    plan = regular if kind == "regular" else FramePlan(Frame(DOMAIN))

    def counts(tally):
        if kind == "regular":
            return tally.counts(1).tolist()
        return tally.node_counts(np.arange(tally.frame.children(0)), 1).tolist()

    x, y = POINTS.east.to_numpy(), POINTS.north.to_numpy()
    parts = [plan.tally() for _ in range(4)]
    for number, part in enumerate(parts):
        part.add(x[number::4], y[number::4])
    before = [counts(part) for part in parts]
    merged = plan.tally()
    merged.add(x, y)
    assert counts(_merge(parts)) == counts(_merge(parts)) == counts(merged)
    assert [counts(part) for part in parts] == before
