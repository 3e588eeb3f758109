"""Damaged and hostile inputs do no harm; killed processes lose nothing."""

from __future__ import annotations

import base64
import json
import struct
import tracemalloc
import zlib
from dataclasses import replace
from fractions import Fraction

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import rasterio.shutil
import shapely
from click.testing import CliRunner
from fuzzing import forged_tags, fuzz_files, fuzz_ledgers, fuzz_tags, sample_release
from hypothesis import given
from hypothesis import strategies as st
from kills import survive
from profiles import examples

import geodp
from geodp import FileError, GeodpError, InputError
from geodp.cli import main
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.budget import exact
from geodp.core.publish.metadata import release_tags, restore
from geodp.core.publish.reopen import Raster, release_from_raster


@pytest.mark.slow
def test_damaged_files_are_refused_or_unchanged(tmp_path):
    assert fuzz_files(tmp_path, each=80) == 640


@pytest.mark.slow
def test_damaged_tags_are_refused():
    assert fuzz_tags(each=500) == 1000


@pytest.mark.slow
def test_damaged_ledgers_are_refused_and_left_alone(tmp_path):
    assert fuzz_ledgers(tmp_path, each=250) == 250


@pytest.mark.slow
def test_kills_lose_no_spend_and_leave_no_half_file(tmp_path):
    released, spent = survive(tmp_path, kills=6)
    assert 6 <= released <= spent


@examples(500)
@given(st.one_of(st.text(max_size=20), st.from_regex(r"-?[0-9.]{1,8}(e-?[0-9]{1,12})?(/[0-9]+)?")))
def test_any_text_is_a_number_or_is_refused(text):
    try:
        value = exact(text)
    except InputError as error:
        assert "finite number" in str(error)
    else:
        assert isinstance(value, Fraction)


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "1/1e999999", "9" * 5000])
def test_numbers_of_absurd_size_are_refused_at_once(text):
    with pytest.raises(InputError):
        exact(text)


words = st.one_of(
    st.text(max_size=12).filter(lambda text: "\0" not in text),
    st.sampled_from(["--bounds", "--crs", "EPSG:5070", "--epsilon", "1", "0,0", "-o", "x.tif", "--",
                     "--sizes", "1e9", "9x9x9", "nan", "-1", "--cell-sizes", "--report", "--json"]),
)  # fmt: skip


@examples(150)
@given(
    st.sampled_from(["release", "grids", "query", "info", "ledger"]), st.lists(words, max_size=9)
)
def test_any_command_line_ends_in_an_answer_or_one_refusal(tmp_path_factory, command, rest):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("cli"))
        done = CliRunner().invoke(main, [command, *rest])
    assert done.exit_code in (0, 2)
    assert done.exception is None or isinstance(done.exception, SystemExit)


def forged(facts: dict, cells: str = "regular") -> geodp.Release:
    """Restore facts of an attacker who knows how the checksum is made."""
    release = sample_release(cells)
    return restore(forged_tags(release, json.dumps(facts)), release.counts)


def sample_facts(cells: str) -> dict:
    return json.loads(release_tags(sample_release(cells))["GEODP_FACTS"])


KIND = {"kind": "category", "listed": ["a", "b"], "other": None}
"""Sixty-four fields of two values each are 2**64 groups, which wrap to none in 64 bits."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("candidates", [[1, 2**30]]),
        ("candidates", [[1, 2**19]] * 1000),
        ("candidates", [[2, 2]] * 10**5),
        ("candidates", [1e-9]),
        ("grid", [10**9, 10**9]),
        ("grid", "here"),
        ("scale", "1e999999999"),
        ("scale", "1e-100"),
        ("scale", "0/0"),
        ("spends", [["a", "b", "1e999999999", "1"]]),
        ("spends", 7),
        ("spends", [["counts", "noise", "10", "1"], ["tuning", "a choice", "-9", "1"]]),
        ("groups", [{**KIND, "field": f"field {number}"} for number in range(64)]),
        ("groups", [{**KIND, "field": f"field {number}"} for number in range(100)]),
        ("domain", {"bounds": [0, 0, 1e400, 1]}),
        ("max_records", "many"),
    ],
)
def test_hostile_facts_are_refused_before_they_cost_anything(field, value):
    facts = sample_facts("regular")
    assert forged(facts).epsilon == 1
    with pytest.raises(FileError, match="do not describe a release"):
        forged({**facts, field: value})


def zipped(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def measured(node, value, scale, scales: str = "1") -> str:
    """Return the text of measurements, whatever they are."""
    columns = np.stack([np.diff(np.array(node), prepend=0), value, scale]).astype("<i8")
    return scales + ";" + zipped(columns.view(np.uint8).reshape(-1, 8).T.tobytes())


FULL = zipped(b"\xff" * (16 * (4**11 - 1) // 3 // 8) + bytes(16 * 4**11 // 8))
"""Every node split, down to 67 million cells: eleven million bytes, zipped to eleven thousand."""

ZEROS = zipped(bytes(1 << 25))
TREE = sample_facts("adaptive")
NODES = sample_release("adaptive").cells.tree.nodes
EACH = np.arange(NODES)
NONE = np.zeros(NODES, dtype=np.int64)


@pytest.mark.parametrize(
    "facts",
    [
        {"frame": {"root": [4, 4], "halvings": 12}},
        {"frame": {"root": [4, 4], "halvings": 1e400}},
        {"frame": {"root": [10**9, 10**9], "halvings": 11}},
        {"frame": {"root": [float("nan"), 4], "halvings": 11}},
        {"frame": {"root": [2, 2], "halvings": 3}},
        {"frame": {"root": [1, 1], "halvings": 0}},
        {"frame": {"root": "ab", "halvings": 3}},
        {"frame": []},
        {"frame": None},
        {"domain": {**TREE["domain"], "bounds": [0, 0, 5e-324, 5e-324]}},
        {"domain": {**TREE["domain"], "bounds": [0, 0, 1e308, 1e308]}},
        {"domain": {**TREE["domain"], "resolution": "a metre"}},
        {"candidates": [{"root": [4, 4], "halvings": 99}]},
        {"candidates": [{"root": [4, 4], "halvings": 11}] * 2000},
        {"candidates": [[4, 4]]},
        {"tree": ""},
        {"tree": "not base64"},
        {"tree": "AAAA"},
        {"tree": TREE["tree"][: len(TREE["tree"]) // 2]},
        {"tree": FULL},
        {"tree": FULL, "measured": "1;" + ZEROS},
        {"tree": ZEROS},
        {"tree": zipped(b"\xff\xff")},
        {"tree": zipped(bytes(2) + b"\x01")},
        {"tree": zipped(b"")},
        {"tree": [[[]]]},
        {"measured": ""},
        {"measured": 7},
        {"measured": "1;AAAA"},
        {"measured": TREE["measured"][:-20]},
        {"measured": "1;" + ZEROS},
        {"measured": measured(EACH, NONE, NONE, "0")},
        {"measured": measured(EACH, NONE, NONE, "-1")},
        {"measured": measured(EACH, NONE, NONE, "nan")},
        {"measured": measured(EACH, NONE, NONE, "1/0")},
        {"measured": measured(EACH, NONE, NONE, "1e999999999")},
        {"measured": measured(EACH, NONE, NONE, "1e300")},
        {"measured": measured(EACH, NONE, NONE, "1e-300")},
        {"measured": measured(EACH, NONE, NONE, "1," * 10**5)},
        {"measured": measured(EACH, NONE, NONE + 1)},
        {"measured": measured(EACH, NONE, NONE - 1)},
        {"measured": measured(EACH - 1, NONE, NONE)},
        {"measured": measured(EACH + 1, NONE, NONE)},
        {"measured": measured(EACH[:-1], NONE[:-1], NONE[:-1])},
        {"measured": measured(EACH * 2**58, NONE, NONE)},
        {"measured": measured(np.repeat(EACH, 5), NONE.repeat(5), NONE.repeat(5))},
    ],
    ids=lambda facts: "".join(f"{name} {str(value)[:40]}" for name, value in facts.items()),
)
def test_hostile_trees_are_refused_before_they_cost_anything(facts):
    tags = forged_tags(sample_release("adaptive"), json.dumps({**TREE, **facts}))
    counts = sample_release("adaptive").counts
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="do not describe a release") as refused:
            restore(tags, counts)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "\n" not in str(refused.value)
    assert taken < 32 << 20


def test_counts_as_large_as_there_can_be_are_only_odd(tmp_path):
    """A forger may claim anything; what follows from it is a number or a refusal."""
    most = np.iinfo(np.int64)
    for value in (most.max, most.min):
        text = measured(EACH, NONE + value, NONE, "9")
        release = sample_release("adaptive")
        cells = release.cells
        claimed = replace(release, measurements=Measurements.from_text(text))
        odd = restore(forged_tags(release, json.dumps({**TREE, "measured": text})), claimed.counts)
        assert odd.cells == cells
        answers = odd.query([odd.domain.bounds, (1, 1, 2, 2)])
        assert all(np.isfinite(part).all() for part in answers)
        assert odd.describe().as_text()
        odd.to_geotiff(tmp_path / "odd.tif", overwrite=True)
        odd.to_report(tmp_path / "odd.html", overwrite=True)
        assert geodp.open_release(tmp_path / "odd.tif").measurements == odd.measurements


def test_a_raster_of_another_size_than_its_tree_is_refused_before_it_is_read(tmp_path):
    release = sample_release("adaptive")
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        raster = Raster(
            image.tags(), (1 << 13, 1 << 13), 3, (512, 512), 10**9, (1, 0, 0, 0, 1, 0), bool
        )
    with pytest.raises(FileError, match="changed or cut short"):
        release_from_raster(raster, lambda: pytest.fail("it was read"))


def test_a_raster_that_leads_elsewhere_is_refused(tmp_path):
    """GDAL would follow a VRT to other files, and to the network, whatever it is called."""
    sample_release().to_geotiff(tmp_path / "counts.tif")
    rasterio.shutil.copy(tmp_path / "counts.tif", tmp_path / "counts.vrt", driver="VRT")
    (tmp_path / "counts.vrt").rename(tmp_path / "other.tif")
    with rasterio.open(tmp_path / "other.tif") as image:
        assert "GEODP_FACTS" in image.tags()
    with pytest.raises(FileError, match="not a GeoTIFF"):
        geodp.open_release(tmp_path / "other.tif")


def test_bytes_that_are_no_text_in_the_tags_of_a_raster_are_refused_in_silence(tmp_path, capfd):
    """GDAL quotes them in a message, over which rasterio's handler would stumble aloud."""
    sample_release().to_geotiff(tmp_path / "counts.tif")
    content = (tmp_path / "counts.tif").read_bytes()
    damaged = content.replace(b'<Item name="', b'<Item \xff\xfe="')
    assert damaged != content
    (tmp_path / "damaged.tif").write_bytes(damaged)
    with pytest.raises(FileError, match=r"damaged\.tif cannot be opened"):
        geodp.open_release(tmp_path / "damaged.tif")
    assert capfd.readouterr() == ("", "")


def test_deeply_nested_facts_are_refused():
    release = sample_release()
    with pytest.raises(FileError, match="do not describe a release"):
        restore(forged_tags(release, "[" * 100_000), release.counts)


def test_a_raster_of_absurd_size_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.tif"
    shape = {"width": 300_000, "height": 300_000, "count": 1, "dtype": "int32"}
    options = {"tiled": True, "sparse_ok": True, "bigtiff": "yes", "crs": "EPSG:5070"}
    with rasterio.open(path, "w", driver="GTiff", **shape, **options,
                       transform=rasterio.Affine(2, 0, 0, 0, -2, 0)) as image:  # fmt: skip
        image.update_tags(**release_tags(sample_release()))
    assert path.stat().st_size < 2 * 10**8
    with pytest.raises(FileError, match="at most 67,108,864 cells"):
        geodp.open_release(path)


@pytest.mark.parametrize("layout", [{"count": 3}, {"blockxsize": 1 << 14, "blockysize": 1 << 14}])
def test_rasters_of_odd_layout_are_refused_before_they_are_read(tmp_path, layout):
    """Readers make room for a whole block of all bands: fuzzing once drove this to 9 GB."""
    path = tmp_path / "odd.tif"
    shape = {"width": 4, "height": 4, "count": 1, "dtype": "int32", **layout}
    options = {"tiled": True, "sparse_ok": True, "crs": "EPSG:5070", "interleave": "pixel"}
    with rasterio.open(path, "w", driver="GTiff", **{**shape, **options},
                       transform=rasterio.Affine(2, 0, 0, 0, -2, 0)) as image:  # fmt: skip
        image.update_tags(**release_tags(sample_release()))
    with pytest.raises(FileError, match=r"others were added|in blocks of usual size"):
        geodp.open_release(path)


def test_a_layer_that_claims_more_cells_than_it_can_hold_is_refused(tmp_path, monkeypatch):
    release = sample_release()
    release.to_vector(tmp_path / "counts.fgb")
    monkeypatch.setattr("geodp.core.publish.reopen.LEAST_BYTES", 10**6)
    with pytest.raises(FileError, match="claims more cells"):
        geodp.open_release(tmp_path / "counts.fgb")


def test_a_parquet_of_absurd_length_is_refused_before_it_is_read(tmp_path, monkeypatch):
    release = sample_release()
    release.to_vector(tmp_path / "counts.parquet")
    monkeypatch.setattr("geodp.core.publish.reopen.MAX_CELLS", 10)
    with pytest.raises(FileError, match="at most 10 cells"):
        geodp.open_release(tmp_path / "counts.parquet")


NASTY = "../../<script>alert(1)</script>'; DROP TABLE counts; --"


def test_names_are_text_wherever_they_end_up(tmp_path):
    """Paths, SQL and HTML in names of layers, fields and datasets stay what they are: names."""
    square = gpd.GeoDataFrame(
        {"name": [NASTY]}, geometry=[shapely.box(1, 1, 30, 30)], crs="EPSG:5070"
    )
    square.to_file(tmp_path / "regions.gpkg", layer="a'; DROP TABLE x; --")
    release = sample_release()
    answers = release.query(gpd.read_file(tmp_path / "regions.gpkg"))
    assert answers.name.tolist() == [NASTY]
    facts = json.loads(release_tags(release)["GEODP_FACTS"])
    strange = forged({**facts, "workload": NASTY, "tuner": NASTY, "noise": NASTY})
    strange.to_report(tmp_path / "report.html", regions=square)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    release.to_report(tmp_path / "honest.html", regions=square.assign(name="a"))
    honest = (tmp_path / "honest.html").read_text(encoding="utf-8")
    for tag in ("<script", "</script>"):
        assert page.count(tag) == honest.count(tag) == honest.count("<script") > 0
    assert "&lt;script&gt;" in page
    with pytest.raises(GeodpError):
        geodp.release(
            geodp.read_points(tmp_path / "regions.gpkg", layer=NASTY),
            release.cells.grid.domain,
            epsilon=1,
        )
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"honest.html", "regions.gpkg", "report.html"}


def test_a_geotiff_header_alone_is_refused(tmp_path):
    path = tmp_path / "header.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + b"\xff" * 64)
    with pytest.raises(FileError):
        geodp.open_release(path)
