"""The command line, as its users meet it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import geopandas
import numpy as np
import pandas
import pyogrio
import pytest
import rasterio
import shapely
from commands import ran
from commands import result as run
from strategies import count_table

import geodp
from geodp import demo
from geodp.core.common.errors import UNFINISHED
from geodp.core.pipeline import pipeline
from geodp.sources.files import FileSource

ROOT = Path(__file__).resolve().parents[2]
BOUNDS = ["--bounds", "1000", "2000", "9000", "8000", "--crs", "EPSG:5070"]
RELEASE = [*BOUNDS, "--epsilon", "1", "--sizes", "6x8,3"]


def refusal(*words):
    """Return the one sentence with which a command is refused."""
    result = run(*words)
    assert result.exit_code == 2, result.output
    lines = [line for line in result.output.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 1, result.output
    assert lines[0].startswith("Error: ")
    return lines[0]


@pytest.fixture
def places(tmp_path):
    """Return five hundred points in one corner, as a GeoPackage."""
    generator = np.random.default_rng(1)
    x, y = generator.uniform(1000, 2000, 500), generator.uniform(7000, 8000, 500)
    shapes = geopandas.points_from_xy(x, y)
    path = tmp_path / "places.gpkg"
    geopandas.GeoDataFrame({"name": ["a"] * 500}, geometry=shapes, crs=5070).to_file(path)
    return path


@pytest.fixture
def halves(tmp_path):
    shapes = [shapely.box(1000, 2000, 5000, 8000), shapely.box(5000, 2000, 9000, 8000)]
    layer = geopandas.GeoDataFrame({"name": ["west", "east"]}, geometry=shapes, crs=5070)
    layer.to_file(tmp_path / "halves.gpkg")
    return tmp_path / "halves.gpkg"


# --- release ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_release_many_files(places, halves, tmp_path):
    words = ["-o", tmp_path / "a.tif", "-o", tmp_path / "a.gpkg", "-o", tmp_path / "a.png"]
    words += ["--report", tmp_path / "a.html", "--density", tmp_path / "d.tif"]
    words += ["--smooth", tmp_path / "s.tif", "--labels", halves, "--font", "DejaVu Serif"]
    words += ["--inset", 2000, 3000, 4000, 5000, "--inset", 5000, 3000, 6000, 4000]
    words += ["--clamped", tmp_path / "k.tif", "--boundary", halves, "--regions", halves]
    output = ran("release", places, *RELEASE, *words)
    first, second = (geodp.open_release(tmp_path / name) for name in ("a.tif", "a.gpkg"))
    np.testing.assert_array_equal(first.counts, second.counts)
    assert first.epsilon == 1
    assert first.method.workload == "polygons of a layer"
    assert [grid.shape for grid in first.method.candidates] == [(6, 8), (3, 3)]
    assert first.query([(1000, 7000, 2000, 8000)]).estimate[0] > 50
    assert not first.seeded
    assert first.promise in output
    assert "a.html" in output
    for name in ("a.png", "a.html", "d.tif", "k.tif", "s.tif"):
        assert (tmp_path / name).stat().st_size > 0
    with rasterio.open(tmp_path / "k.tif") as image:
        np.testing.assert_array_equal(image.read(1), np.maximum(count_table(first), 0))


@pytest.mark.slow
def test_what_is_read_is_never_written_over(places, halves, tmp_path):
    """The points may be the only copy, and `--force` is for results."""
    (tmp_path / "link.gpkg").symlink_to(places)
    ran("release", places, *RELEASE, "-o", tmp_path / "a.tif", "-o", tmp_path / "b.gpkg")
    files = {path: path.read_bytes() for path in tmp_path.glob("*.[gt]*")}
    start = ["release", places, *RELEASE, "--force"]
    answer = ["query", tmp_path / "a.tif", halves, "--force", "-o"]
    compare = ["change", tmp_path / "a.tif", tmp_path / "b.gpkg", "--regions", halves, "--force"]
    for words in (
        *([*start, "-o", places], [*start, "-o", tmp_path / "link.gpkg"]),
        *([*start, "-o", halves, "--regions", halves], [*start, "-o", halves, "--within", halves]),
        *([*answer, halves], ["query", tmp_path / "b.gpkg", halves, "-o", tmp_path / "b.gpkg"]),
        *([*compare, "-o", tmp_path / "a.tif"], [*compare, "--answers", halves]),
    ):
        assert "what is read is never written over" in refusal(*words)
    assert files == {path: path.read_bytes() for path in tmp_path.glob("*.[gt]*")}


def test_steps_are_plain_lines_in_a_pipe(places, tmp_path):
    output = ran("release", places, *RELEASE, "-o", tmp_path / "a.tif")
    steps = [line for line in output.splitlines() if line.endswith(" ...")]
    names = ["preparing", "counting", "choosing the grid", "adding noise", "writing a.tif"]
    assert steps == [f"{name} ..." for name in names]
    assert "500" not in output.replace(str(tmp_path), ""), "the number of points is private"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of Unix")
def test_steps_are_a_bar_on_a_terminal():
    code = (
        "from geodp.cli.progress import Steps\n"
        "with Steps(2) as say:\n    say('counting')\n    say('adding noise')\n"
    )
    reader, terminal = os.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
    subprocess.run([sys.executable, "-c", code], stderr=terminal, env=environment, check=True)
    output = os.read(reader, 100_000).decode()
    os.close(terminal)
    os.close(reader)
    assert "\u2501" in output, "no bar was drawn"
    assert "counting" in output
    assert "adding noise" in output
    assert "counting ..." not in output


def test_quiet_says_nothing(places, halves, tmp_path):
    assert ran("release", places, *RELEASE, "--quiet", "-o", tmp_path / "a.tif") == ""
    assert ran("grids", *BOUNDS, "--sizes", "2", "-q", "-o", tmp_path / "g.gpkg") == ""
    assert ran("query", tmp_path / "a.tif", halves, "-q", "-o", tmp_path / "q.gpkg") == ""


def test_options_reach_the_release(places, tmp_path):
    words = ["--tuner", "e2epriv", "--tuning-share", "1/4", "--neighbours", "replace"]
    ran("release", places, *RELEASE, *words, "--layer", "places", "-o", tmp_path / "a.tif")
    reopened = geodp.open_release(tmp_path / "a.tif")
    assert reopened.method.tuner.startswith("E2EPriv(")
    assert reopened.method.unit.neighbours == "replace"
    assert [float(spend.epsilon) for spend in reopened.spends] == [0.25, 0.75]


@pytest.mark.slow
def test_cell_sizes_and_defaults(places, tmp_path):
    some = ["--bounds", 1000, 2000, 9000, 8000, "--crs", "EPSG:5070", "--epsilon", "0.5"]
    ran("release", places, *some, "--cell-sizes", "1000,3500", "-o", tmp_path / "a.tif")
    sizes = [grid.cell_size for grid in geodp.open_release(tmp_path / "a.tif").method.candidates]
    assert sizes == [1000, 3500]
    ran("release", places, *some, "--cells", "regular", "-o", tmp_path / "b.tif")
    reopened = geodp.open_release(tmp_path / "b.tif")
    assert len(reopened.method.candidates) == 11
    ran("release", places, *some, "-o", tmp_path / "c.tif")
    assert geodp.open_release(tmp_path / "c.tif").cells.kind == "adaptive"
    ran("release", places, *some, "--resolution", "1km", "-o", tmp_path / "d.tif")
    sides = geodp.open_release(tmp_path / "d.tif").to_geodataframe().bounds
    assert (sides.maxx - sides.minx).min() >= 1000
    ran("release", places, *some, "--tuning-share", "0.3", "-o", tmp_path / "e.tif")
    assert geodp.open_release(tmp_path / "e.tif").cells.kind == "regular"
    assert float(reopened.epsilon) == 0.5


def test_a_seeded_release_is_called_not_private(places, tmp_path):
    output = ran("release", places, *RELEASE, "--seed", "1", "--quiet", "-o", tmp_path / "a.tif")
    assert "NOT private" in output
    assert geodp.open_release(tmp_path / "a.tif").seeded
    assert "--seed" not in ran("release", "--help")


def test_multipoints_need_a_bound(tmp_path):
    shape = shapely.MultiPoint([(1500, 7500)] * 9)
    geopandas.GeoSeries([shape] * 50, crs=5070).to_file(tmp_path / "multi.gpkg")
    words = [tmp_path / "multi.gpkg", *RELEASE, "-o", tmp_path / "a.tif"]
    assert "--max-records" in refusal("release", *words)
    ran("release", *words, "--max-records", "3")
    reopened = geodp.open_release(tmp_path / "a.tif")
    assert (reopened.method.unit.kind, reopened.method.unit.max_records) == ("feature", 3)


# --- CSV ----------------------------------------------------------------------------------------

CSV = ["--x", "lon", "--y", "lat", "--points-crs", "EPSG:4326"]


def corner_as_text(separator):
    corner = geopandas.GeoSeries(geopandas.points_from_xy([1500], [7500]), crs=5070).to_crs(4326)
    x, y = float(corner.x[0]), float(corner.y[0])
    good = [separator.join(("ä", repr(x), repr(y)))] * 400
    bad = [separator.join(row) for row in (("b", "?", "1"), ("c", ""), ("d", "", ""), ("e",))]
    return "\n".join([separator.join(("name", "lon", "lat")), *good, *bad, ""])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_points_come_from_csv(separator, tmp_path):
    (tmp_path / "points.csv").write_text(corner_as_text(separator), encoding="utf-8")
    mark = ["--decimal", "."] if separator == ";" else []
    ran("release", tmp_path / "points.csv", *RELEASE, *CSV, *mark, "-o", tmp_path / "a.tif")
    reopened = geodp.open_release(tmp_path / "a.tif")
    assert reopened.query([(1000, 6000, 4000, 8000)]).estimate[0] == pytest.approx(400, abs=60)


def test_csv_needs_its_columns_and_crs(places, tmp_path):
    (tmp_path / "points.csv").write_text("name,lon,lat\nsecret,1,2\n")
    words = [tmp_path / "points.csv", *RELEASE, "-o", tmp_path / "a.tif"]
    assert "--points-crs" in refusal("release", *words, "--x", "lon", "--y", "lat")
    wrong = [*CSV[:-2], "--points-crs", "EPSG:4326", "--x", "longitude"]
    sentence = refusal("release", *words, *wrong)
    assert "'longitude'" in sentence
    assert "secret" not in sentence
    assert "leave them out" in refusal("release", places, *RELEASE, *CSV, "-o", tmp_path / "a.tif")
    assert not (tmp_path / "a.tif").exists()


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--epsilon", "0"], "epsilon must be greater than 0"),
        (["--epsilon", "much"], "epsilon must be a finite number"),
        (["--bounds", "9000", "2000", "1000", "8000"], "bounds must be"),
        (["--crs", "EPSG:4326"], "projected CRS"),
        (["--crs", "nonsense"], "PROJ knows"),
        (["--sizes", "6,many"], "numbers with commas"),
        (["--sizes", "6", "--cell-sizes", "100"], "choose one"),
        (["--tuner", "magic"], "tuner must be one of"),
        (["--tuning-share", "2"], "share must lie between 0 and 1"),
        (["--neighbours", "some"], "neighbours must be"),
        (["--noise", "loud"], "noise must be"),
        (["--layer", "nowhere"], "the layer 'nowhere'"),
        (["--regions", "no_such_file.gpkg"], "there is no no_such_file.gpkg"),
        (["--boundary", "no_such_file.gpkg"], "there is no no_such_file.gpkg"),
        (["--density", "d.gpkg"], "tells its format"),
        (["--report", "r.pdf"], "tells its format"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(change, words, places, tmp_path):
    sentence = refusal("release", places, *RELEASE, "-o", tmp_path / "a.tif", *change)
    assert words in sentence
    assert not (tmp_path / "a.tif").exists()


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("a.xyz", "tells its format"),
        ("nowhere/a.tif", "a folder that exists"),
        ("places.gpkg/a.tif", "Not a directory"),
        ("places.gpkg", "never written over"),
        ("/proc/a.tif", "cannot be written"),
    ],
)
def test_outputs_are_checked_before_points_are_read(output, words, places, tmp_path, monkeypatch):
    monkeypatch.setattr(pipeline, "count", lambda *_, **__: pytest.fail("read"))
    outputs = ["-o", tmp_path / "b.tif", "-o", tmp_path / output]
    sentence = refusal("release", places, *RELEASE, *outputs)
    assert words in sentence
    assert not (tmp_path / "b.tif").exists()


def test_points_must_be_there_and_be_points(halves, tmp_path):
    out = ["-o", tmp_path / "a.tif"]
    assert "there is no" in refusal("release", tmp_path / "none.gpkg", *RELEASE, *out)
    assert "Point geometries" in refusal("release", halves, *RELEASE, *out)
    (tmp_path / "text.gpkg").write_text("hello")
    assert "GDAL reads" in refusal("release", tmp_path / "text.gpkg", *RELEASE, *out)
    assert not (tmp_path / "a.tif").exists()


def test_files_are_replaced_only_by_force(places, tmp_path):
    words = ["release", places, *RELEASE, "-o", tmp_path / "a.tif"]
    ran(*words)
    before = (tmp_path / "a.tif").read_bytes()
    assert "--force" in refusal(*words)
    assert (tmp_path / "a.tif").read_bytes() == before
    assert "--overwrite" in refusal(*words, "--force")
    assert (tmp_path / "a.tif").read_bytes() == before
    ran(*words, "--overwrite")
    assert (tmp_path / "a.tif").read_bytes() != before
    assert "given twice" in refusal(*words, "-o", tmp_path / "a.tif", "--overwrite")


def test_errors_of_the_system_are_sentences_too(places, monkeypatch, tmp_path):
    def broken(*_, **__):
        raise PermissionError(13, "Permission denied")

    words = ("release", places, *RELEASE, "-o", tmp_path / "a.tif")
    with monkeypatch.context() as patch:
        patch.setattr(FileSource, "check", broken)
        assert refusal(*words) == "Error: a file cannot be read or written: Permission denied."
    monkeypatch.setattr(pipeline, "count", broken)  # from here on a record may be the reason
    assert refusal(*words) == f"Error: {UNFINISHED}"


@pytest.mark.slow
def test_the_exit_code_of_the_process(places, tmp_path):
    command = [sys.executable, "-m", "geodp", "release", str(places), *RELEASE]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name, code in (("a.tif", 0), ("a.xyz", 2)):
        done = subprocess.run(
            [*command, "-o", str(tmp_path / name)], capture_output=True, text=True, env=environment
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        assert (tmp_path / name).exists() == (code == 0)
    assert done.stderr.startswith("Error: ")
    assert done.stdout == ""


# --- the other commands -------------------------------------------------------------------------


@pytest.fixture
def written(places, tmp_path):
    ran("release", places, *RELEASE, "-q", "-o", tmp_path / "counts.tif")
    return tmp_path / "counts.tif"


def test_grids_lists_and_writes_candidates(tmp_path):
    output = ran("grids", *BOUNDS, "--sizes", "2,3x4", "-o", tmp_path / "grids.gpkg")
    assert "2 × 2 cells of 4 × 3 km\n3 × 4 cells of 2 × 2 km\n" in output
    layers = pyogrio.list_layers(tmp_path / "grids.gpkg")[:, 0].tolist()
    assert layers == ["grid_2x2", "grid_3x4"]
    assert "tells its format" in refusal("grids", *BOUNDS, "-o", tmp_path / "grids.tif")


@pytest.mark.slow
def test_words_of_the_publisher_and_a_page_with_regions(places, halves, tmp_path):
    words = ["--title", "Thefts", "--licence", "CC0"]
    page, later = tmp_path / "a.html", tmp_path / "b.html"
    options = [*RELEASE, *words, "--regions", halves, "-o", tmp_path / "a.tif", "--report", page]
    ran("release", places, *options)
    assert geodp.open_release(tmp_path / "a.tif").about.title == "Thefts"
    assert "Thefts" in ran("info", tmp_path / "a.tif")
    ran("query", tmp_path / "a.tif", halves, "--report", later)
    for path in (page, later):
        text = path.read_text(encoding="utf-8")
        assert "<h1>Thefts</h1>" in text
        assert text.count("<tr data-region=") == 2
    assert "exists" in refusal("query", tmp_path / "a.tif", halves, "--report", later)
    bad = [*RELEASE, "--title", "a\tb", "-o", tmp_path / "c.tif"]
    assert "the title must be a line of text" in refusal("release", places, *bad)


def test_a_query_does_its_best(written, tmp_path):
    bow_tie = shapely.Polygon([(1000, 2000), (5000, 8000), (5000, 2000), (1000, 8000)])
    shapes = [shapely.box(1000, 2000, 5000, 8000), bow_tie, shapely.box(0, 0, 10, 10)]
    layer = geopandas.GeoDataFrame({"name": list("abc")}, geometry=shapes, crs=5070)
    layer.to_file(tmp_path / "odd.gpkg")
    message = refusal("query", written, tmp_path / "odd.gpkg")
    assert "region 1 is not a valid polygon: repair it with ogr2ogr -makevalid" in message
    options = ["--skip-invalid", "--density", "--level", "0.5", "--json"]
    result = run("query", written, tmp_path / "odd.gpkg", *options)
    rows = json.loads(result.stdout)
    assert [row["covered"] for row in rows] == [1, None, 0]
    assert rows[0]["density"] == pytest.approx(rows[0]["estimate"] / 24)
    assert rows[2]["estimate"] is None
    assert "Outside the extent of the release, without an answer: 1." in result.stderr
    assert "Not valid, without an answer: 1." in result.stderr
    narrow = rows[0]["ci_high"] - rows[0]["ci_low"]
    answers = geodp.open_release(written).query([shapes[0].bounds])
    assert narrow < answers.ci_high[0] - answers.ci_low[0]
    assert "level must lie between 0 and 1" in refusal(
        "query", written, tmp_path / "odd.gpkg", "--skip-invalid", "--level", "95"
    )


def test_a_total_is_one_answer(written, halves, tmp_path):
    (row,) = json.loads(run("query", written, halves, "--total", "--json").stdout)
    reopened = geodp.open_release(written)
    expected = reopened.query(geopandas.read_file(halves), total=True)
    assert row["estimate"] == pytest.approx(expected.estimate[0])
    assert row["std_error"] == pytest.approx(reopened.query([reopened.domain.bounds]).std_error[0])
    ran("query", written, halves, "--total", "-o", tmp_path / "all.gpkg")
    assert len(geopandas.read_file(tmp_path / "all.gpkg")) == 1


@pytest.mark.slow
def test_a_query_gives_rates_and_says_what_is_reliable(written, halves, tmp_path):
    layer = geopandas.read_file(halves).assign(people=[20_000, 0])
    layer.to_file(tmp_path / "people.gpkg")
    words = ["query", written, tmp_path / "people.gpkg", "--per", "people", "--each", "1000"]
    rows = json.loads(run(*words, "--json").stdout)
    assert rows[0]["rate"] == pytest.approx(rows[0]["estimate"] / 20)
    assert rows[0]["rate_high"] == pytest.approx(rows[0]["ci_high"] / 20)
    assert (rows[1]["rate"], rows[1]["rate_low"]) == (None, 0)
    assert [row["reliable"] for row in rows] == [True, False]
    strict = json.loads(run(*words, "--reliable", "0.001", "--json").stdout)
    assert [row["reliable"] for row in strict] == [False, False]
    printed = ran(*words[:5]).splitlines()
    assert printed[0].split()[-3:] == ["rate", "rate_low", "rate_high"]
    assert 0.001 < float(printed[1].split()[-3]) < 1  # not rounded to nothing
    ran(*words, "-o", tmp_path / "rates.csv")
    assert pandas.read_csv(tmp_path / "rates.csv")["rate"][0] == pytest.approx(rows[0]["rate"])
    assert "the columns are 'name', 'people'" in refusal(*words[:4], "folk")
    assert "name their column with --per" in refusal(*words[:3], "--each", "9")
    assert "--each says of how many people" in refusal(*words[:5], "--each", "-9")
    assert "got --per and --total" in refusal(*words, "--total")
    assert "positive share" in refusal(*words, "--reliable", "0")


@pytest.mark.slow
def test_query_prints_and_writes_answers(written, halves, tmp_path):
    expected = geodp.open_release(written).query(geopandas.read_file(halves))
    rows = json.loads(run("query", written, halves, "--json").stdout)
    assert [row["name"] for row in rows] == ["west", "east"]
    assert [row["estimate"] for row in rows] == pytest.approx(expected["estimate"].tolist())
    assert [row["ci_high"] for row in rows] == pytest.approx(expected["ci_high"].tolist())
    printed = ran("query", written, halves)
    names = ["name", "estimate", "std_error", "noise_error", "ci_low", "ci_high"]
    assert printed.split()[:10] == [*names, "border_share", "covered", "reliable", "west"]
    ran("query", written, halves, "-o", tmp_path / "answers.gpkg")
    answers = pyogrio.read_dataframe(tmp_path / "answers.gpkg")
    assert answers["estimate"].tolist() == pytest.approx(expected["estimate"].tolist())
    assert "exists" in refusal("query", written, halves, "-o", tmp_path / "answers.gpkg")
    assert "no layer 'x'" in refusal("query", written, halves, "--layer", "x")
    assert "GDAL reads" in refusal("query", written, written)
    (tmp_path / "table.csv").write_text("name\na\n")
    assert "must hold geometries" in refusal("query", written, tmp_path / "table.csv")
    halves_as_parquet = geopandas.read_file(halves)
    halves_as_parquet.to_parquet(tmp_path / "halves.parquet")
    again = run("query", written, tmp_path / "halves.parquet", "--json", "--quiet").output
    assert json.loads(again) == rows


def test_what_is_counted_stands_with_every_number(halves, tmp_path):
    rng = np.random.default_rng(1)
    x, y = rng.uniform(1000, 9000, 60), rng.uniform(2000, 8000, 60)
    frame = geopandas.GeoDataFrame(
        {"who": np.arange(60) % 7}, geometry=geopandas.points_from_xy(x, y), crs=5070
    )
    frame.to_file(tmp_path / "visits.gpkg")
    path, words = tmp_path / "visits.tif", ["--person", "who", "--max-records", "5"]
    counted = "Counts at most 5 records of each person and no record without a person"
    assert counted in ran("release", tmp_path / "visits.gpkg", *RELEASE, *words, "-o", path)
    printed = run("query", path, halves)
    assert printed.stdout.splitlines()[-1].startswith(counted)
    table = tmp_path / "answers.csv"
    written = run("query", path, halves, "-o", table)
    assert counted not in written.stdout
    assert counted in written.stderr
    assert len(table.read_text().splitlines()) == 3  # a header and two regions: plain CSV
    assert run("query", path, halves, "-o", table, "--force", "--quiet").output == ""
    answers = geodp.open_release(path).query(halves)
    assert answers.attrs["geodp_counted"].startswith(counted)


def test_info_tells_what_is_promised(written, halves):
    reopened = geodp.open_release(written)
    facts = json.loads(ran("info", written, "--json"))
    assert facts["promise"] == reopened.promise
    assert (facts["epsilon"], facts["private"]) == (1.0, True)
    assert (facts["rows"], facts["columns"]) == reopened.cells.grid.shape
    assert facts["estimated_records"] == reopened.counts.sum()
    output = ran("info", written)
    assert output.startswith(reopened.promise)
    assert "Coordinate system: EPSG:5070" in output
    assert "not a geodp release" in refusal("info", halves)


@pytest.mark.slow
def test_demo_makes_all_that_it_names(tmp_path):
    output = ran("demo", tmp_path / "first")
    reopened = geodp.open_release(tmp_path / "first" / "counts.tif")
    again = geodp.open_release(tmp_path / "first" / "counts.gpkg")
    np.testing.assert_array_equal(reopened.counts, again.counts)
    assert not reopened.seeded
    states = pandas.read_csv(tmp_path / "first" / "states.csv").set_index("district")
    assert len(states) == 49
    assert 300 < states.loc["Texas", "count"] < 1000
    assert (states["ci_high"] - states["ci_low"] < 8).all()
    assert geodp.open_release(tmp_path / "first" / "states.gpkg").epsilon == 1
    assert (tmp_path / "first" / "map.png").read_bytes().startswith(b"\x89PNG")
    kinds = geodp.open_release(tmp_path / "first" / "kinds.gpkg")
    assert kinds.groups == ("theft", "burglary", "assault")
    assert (tmp_path / "first" / "kinds.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "first" / "report.html").read_text(encoding="utf-8")
    assert "<h1>Populated places of the United States</h1>" in page
    assert "Source: GeoNames · Licence: CC BY 4.0" in page
    entry = (tmp_path / "first" / "registry.yaml").read_text(encoding="utf-8")
    assert 'name: "Populated places of the United States"' in entry
    assert "Counts every record inside the districts, in 49 districts." in entry
    assert [line.split(":")[0].strip() for line in entry.splitlines() if "# MISSING" in line] == [
        *("- data_curator_name", "data_curator_type", "intended_use", "publication_date"),
        *("justification", "sources", "registry_authors"),
    ]
    lines = [line for line in output.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 4
    assert all(name in lines[0] for name in demo.FILES)
    assert "epsilon = 2" in lines[2]
    assert output.count(" ...\n") == demo.STEPS
    assert "exists" in refusal("demo", tmp_path / "first")
    assert "cannot be made" in refusal("demo", tmp_path / "first" / "map.png" / "folder")


@pytest.mark.slow
def test_the_default_folder_of_the_demo_may_be_used_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ran("demo", "--quiet") == ""
    before = Path("geodp-demo/counts.tif").read_bytes()
    ran("demo", "--quiet")
    assert Path("geodp-demo/counts.tif").read_bytes() != before


def test_sample_data_is_found_beside_and_inside_the_package(tmp_path, monkeypatch):
    assert demo.sample_data() == ROOT / "sample_data"
    package = tmp_path / "geodp"
    (package / "sample_data").mkdir(parents=True)
    monkeypatch.setattr(demo, "__file__", str(package / "demo.py"))
    with pytest.raises(geodp.FileError, match="sample data"):
        demo.sample_data()
    (package / "sample_data" / "us_places.gpkg").touch()
    assert demo.sample_data() == package / "sample_data"


def test_the_wheel_carries_what_the_demo_reads():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("[tool.hatch.build.targets.wheel.force-include]")[1].split("\n\n")[0]
    pairs = [line.split(" = ") for line in section.strip().splitlines()]
    shipped = {source.strip('"'): target.strip('"') for source, target in pairs}
    layers = ("us_places.gpkg", "us_districts.gpkg", "us_boundary.gpkg", "incidents.parquet")
    for name in layers:
        assert shipped[f"sample_data/{name}"] == f"geodp/sample_data/{name}"
        assert (ROOT / "sample_data" / name).is_file()
