"""Outputs tell nothing but noisy counts, and are there whole or not at all."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import geopandas
import numpy as np
import pyogrio
import pytest

import geodp
from geodp.core.common.atomic import check_target
from geodp.core.counts.grid_tally import Tally
from geodp.core.publish.metadata import derived_tags, release_tags
from geodp.outputs.several import Outputs

ROOT = Path(__file__).resolve().parents[2]
TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:5070")
GRID = geodp.Grid(TOWN, (6, 8))
NAMES = ("c.tif", "c.gpkg", "c.parquet", "c.geojson", "c.fgb", "s.shp", "c.png", "c.html")
LIKE_OURS = {**os.environ, "PYTHONPATH": str(ROOT)}


def points_file(path, number, seed, word):
    generator = np.random.default_rng(seed)
    shapes = geopandas.points_from_xy(
        generator.uniform(1000, 9000, number), generator.uniform(2000, 8000, number)
    )
    geopandas.GeoDataFrame({word: [word] * number}, geometry=shapes, crs=5070).to_file(path)
    return path


def release_file(path, **options):
    return geodp.release(path, cells=geodp.Regular(GRID), epsilon=1, **options)


def write_all(release, folder):
    folder.mkdir()
    paths = [folder / name for name in NAMES]
    outputs = Outputs(
        paths[:-1],
        density=folder / "d.tif",
        clamped=folder / "k.tif",
        report=paths[-1],
    )
    outputs.check()
    outputs.write(release, None, print)
    return sorted(folder.iterdir())


def content(path):
    """Return bytes of a file, without the times of day that a GeoPackage notes."""
    if path.suffix != ".gpkg":
        return path.read_bytes()
    database = sqlite3.connect(path)
    text = "\n".join(database.iterdump())
    database.close()
    return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?", "TIME", text).encode()


def test_a_view_shares_its_style_with_no_other_file(tmp_path):
    Outputs([tmp_path / "c.gpkg"], density=tmp_path / "c.tif").check()
    for others, view in (([tmp_path / "c.fgb"], "c.tif"), ([tmp_path / "c.tif"], "c.tiff")):
        with pytest.raises(geodp.InputError, match="a derived view needs a name of its own"):
            Outputs(others, clamped=tmp_path / view).check()


def test_a_style_serves_a_raster_and_a_layer_of_one_name(tmp_path):
    release = geodp.release(([495_000.0], [5_400_000.0]), TOWN, epsilon=1)
    names = [tmp_path / f"counts{suffix}" for suffix in (".tif", ".parquet", ".geojson")]
    styles = []
    for path in names:
        Outputs([path]).check()
        release.to_geotiff(path) if path.suffix == ".tif" else release.to_vector(path)
        styles.append(path.with_suffix(".qml").read_text(encoding="utf-8"))
    assert styles[0] == styles[1] == styles[2]
    assert "<rasterrenderer" in styles[0]
    assert '<renderer-v2 type="graduatedSymbol"' in styles[0]
    assert len(list(tmp_path.glob("*.qml"))) == 1


@pytest.mark.parametrize("other", [".tif", ".parquet"])
def test_a_shapefile_shares_its_style_with_no_other_file(other, tmp_path):
    """Its fields have names of their own, and its description would be taken for another's."""
    names = [tmp_path / "counts.shp", tmp_path / f"counts{other}"]
    for given in (names, names[::-1]):
        with pytest.raises(geodp.InputError, match="a Shapefile needs a name of its own"):
            Outputs(given).check()
    Outputs([names[0], tmp_path / f"others{other}", tmp_path / "counts.csv"]).check()


@pytest.fixture
def two_data_sets(tmp_path):
    return (
        points_file(tmp_path / "verysecret.gpkg", 700, 1, "aardvark"),
        points_file(tmp_path / "evenmoresecret.gpkg", 90, 2, "zebra"),
    )


@pytest.mark.slow
def test_what_the_mechanism_cannot_see_reaches_no_output(two_data_sets, tmp_path, monkeypatch):
    """With counts and noise held equal, different data give the same files to the byte."""
    same = np.arange(48, dtype=np.int64).reshape(6, 8)
    monkeypatch.setattr(Tally, "on", lambda *_: same)
    folders = []
    for number, path in enumerate(two_data_sets):
        folders.append(write_all(release_file(path, seed=7), tmp_path / f"out{number}"))
    first, second = folders
    assert [path.name for path in first] == [path.name for path in second]
    assert len(first) > len(NAMES)
    for one, other in zip(first, second):
        assert content(one) == content(other), one.name
        for word in (b"verysecret", b"aardvark", b"evenmoresecret", b"zebra"):
            assert word not in content(one), one.name


@pytest.mark.slow
def test_two_data_sets_differ_in_counts_alone(two_data_sets, tmp_path):
    first, second = (release_file(path) for path in two_data_sets)
    assert not np.array_equal(first.counts, second.counts)
    differing = {
        key for key, value in release_tags(first).items() if release_tags(second)[key] != value
    }
    assert differing == {"GEODP_DIGEST"}
    assert derived_tags(first, "view") == derived_tags(second, "view")
    paths = [
        [path for path in write_all(each, tmp_path / name) if path.suffix != ".html"]
        for each, name in ((first, "one"), (second, "two"))
    ]
    for one, other in zip(*paths):
        if one.suffix in (".prj", ".cpg"):
            assert content(one) == content(other), one.name
    for name in ("c.gpkg", "c.fgb", "c.geojson"):
        files = tmp_path / "one" / name, tmp_path / "two" / name
        one, other = (pyogrio.read_info(file, layer="counts") for file in files)
        assert one["features"] == other["features"] == 48
        assert list(one["fields"]) == list(other["fields"])


# --- whole or not at all ------------------------------------------------------------------------

REWRITE = """
import sys, geodp
from pathlib import Path
folder, sources = Path(sys.argv[1]), [geodp.open_release(path) for path in sys.argv[2:]]
print("ready", flush=True)
while True:
    for release in sources:
        release.to_geotiff(folder / "c.tif", overwrite=True)
        for name in ("c.gpkg", "c.parquet", "c.shp"):
            release.to_vector(folder / name, overwrite=True)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_the_old_file_or_none(tmp_path):
    sources, known = [], set()
    for number in range(2):
        release = geodp.release(
            (np.zeros(0), np.zeros(0)), cells=geodp.Regular(GRID), epsilon=1, seed=number
        )
        sources.append(tmp_path / f"source{number}.tif")
        release.to_geotiff(sources[-1])
        known.add(release.counts.tobytes())
    folder = tmp_path / "out"
    folder.mkdir()
    moments = random.Random(20)
    seen = 0
    for _ in range(5):
        command = [sys.executable, "-c", REWRITE, str(folder), *map(str, sources)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=LIKE_OURS, cwd=ROOT
        ) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(moments.uniform(0, 0.4))
            os.kill(process.pid, signal.SIGKILL)
        for name in ("c.tif", "c.gpkg", "c.parquet"):
            if (folder / name).exists():
                seen += 1
                assert geodp.open_release(folder / name).counts.tobytes() in known
        if (folder / "c.shp").exists():
            seen += 1
            cells = pyogrio.read_dataframe(folder / "c.shp")
            assert cells["count"].to_numpy(np.int64).tobytes() in known
    assert seen > 0, "every writer was killed before it wrote anything"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "c.html"])
@pytest.mark.parametrize("step", [0, 1, 6])
def test_a_failing_rename_leaves_the_old_file_or_none(name, step, tmp_path, monkeypatch):
    """The same, with the failure put exactly where it could hurt."""
    old, new = (
        geodp.release(
            (np.zeros(0), np.zeros(0)), cells=geodp.Regular(GRID), epsilon=1, seed=number
        ).with_about(title=f"Map {number}")
        for number in range(2)
    )
    Outputs([tmp_path / name]).write(old, None, print)
    before = (tmp_path / name).read_bytes()
    calls, rename = [], os.replace

    def failing(source, target):
        calls.append(target)
        if len(calls) == step + 1:
            raise OSError(28, "No space left on device")
        rename(source, target)

    monkeypatch.setattr("geodp.core.common.atomic.os.replace", failing)
    beside = {"s.shp": 6, "c.tif": 2, "c.parquet": 1, "c.geojson": 1, "c.fgb": 1}
    parts = 1 + beside.get(name, 0)
    if step < parts:
        with pytest.raises(
            geodp.FileError,
            match="cannot be written: No space left on device; the release is kept in",
        ):
            Outputs([tmp_path / name], overwrite=True).write(new, None, print)
        if name == "s.shp":
            assert not (tmp_path / name).exists()
        else:
            assert (tmp_path / name).read_bytes() == before
    else:
        Outputs([tmp_path / name], overwrite=True).write(new, None, print)
        assert (tmp_path / name).read_bytes() != before
    assert not list(tmp_path.glob(".geodp-*")), "a scratch folder was left behind"


FULL_DISK = """
import json, resource, sys, geodp
from pathlib import Path
from geodp.outputs.several import Outputs
folder, release = Path(sys.argv[1]), geodp.open_release(sys.argv[2])
from geodp.outputs.plot import picture; picture(release)  # matplotlib must fill its caches first
free, said = resource.RLIM_INFINITY, {}
for name in sys.argv[3:]:
    many = [] if name.endswith("html") else [folder / name]
    page = folder / name if name.endswith("html") else None
    Outputs(many, report=page).write(release, None, [].append)
    largest = max(path.stat().st_size for path in folder.iterdir())
    said[name] = []
    for share in (0.02, 0.4, 0.8, 0.9, 0.999):
        for path in folder.iterdir():
            path.unlink()
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(share * largest), free))
        try:
            Outputs(many, report=page).write(release, None, [].append)
            said[name].append("written")
        except geodp.FileError as error:
            said[name].append(str(error))
        resource.setrlimit(resource.RLIMIT_FSIZE, (free, free))
        kept = list(folder.glob("geodp-release-*.[tp]*[ft]"))  # a smaller file may have had room
        assert all(len(geodp.open_release(path).cells) == len(release.cells) for path in kept)
        others = [path for path in folder.iterdir() if not path.name.startswith("geodp-release-")]
        assert others == [] or said[name][-1] == "written", "half a file"
    for path in folder.iterdir():
        path.unlink()
print(json.dumps(said))
"""


@pytest.mark.slow
def test_a_full_disk_is_said_in_one_sentence(tmp_path):
    """However little is missing: GDAL itself may finish without complaint."""
    release = geodp.release((np.zeros(0), np.zeros(0)), cells=geodp.Regular(GRID), epsilon=1)
    release.to_geotiff(tmp_path / "source.tif")
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-c", FULL_DISK, str(folder), str(tmp_path / "source.tif"), *NAMES]
    done = subprocess.run(command, capture_output=True, text=True, env=LIKE_OURS, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    messages = json.loads(done.stdout)
    assert set(messages) == set(NAMES)
    for name, sentences in messages.items():
        for sentence in sentences:
            assert sentence.startswith(f"{folder / name} cannot be written: ")
            assert ".geodp-" not in sentence
            assert sentence.count("\n") == 0


def test_existing_files_and_bad_places_are_refused(tmp_path):
    taken = tmp_path / "c.tif"
    taken.write_text("precious")
    with pytest.raises(geodp.FileError, match="exists"):
        check_target(taken, overwrite=False)
    check_target(taken, overwrite=True)
    assert taken.read_text() == "precious"
    with pytest.raises(geodp.FileError, match="Not a directory"):
        check_target(taken / "c.tif", overwrite=False)
    with pytest.raises(geodp.FileError, match="goes into a folder that exists"):
        check_target(tmp_path / "nowhere" / "c.tif", overwrite=False)
    (tmp_path / "folder.tif").mkdir()
    with pytest.raises(geodp.FileError, match="is a folder"):
        check_target(tmp_path / "folder.tif", overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.tif", "folder.tif"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a /proc, which takes no files")
def test_a_folder_that_takes_no_files_is_refused():
    with pytest.raises(geodp.FileError, match="cannot be written"):
        check_target(Path("/proc/c.tif"), overwrite=False)


def test_outputs_keep_their_permissions(tmp_path):
    release = geodp.release((np.zeros(0), np.zeros(0)), cells=geodp.Regular(GRID), epsilon=1)
    (tmp_path / "plain").touch()
    release.to_geotiff(tmp_path / "c.tif")
    assert (tmp_path / "c.tif").stat().st_mode == (tmp_path / "plain").stat().st_mode
