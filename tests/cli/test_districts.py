"""Counts for districts from the command line: the layer says where, and no bounds are needed."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pytest
import shapely
from commands import ran, refused, result

import geodp

SIDE = 6
RNG = np.random.default_rng(3)
X, Y = RNG.uniform(0, 6000, 2000), RNG.uniform(0, 6000, 2000)
CELL = (X // 1000 * SIDE + Y // 1000).astype(int)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return points as text, and a layer of counties in states."""
    folder = tmp_path_factory.mktemp("districts")
    places = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    boxes = [shapely.box(1000 * x, 1000 * y, 1000 * x + 1000, 1000 * y + 1000) for x, y in places]
    names = {
        "state": [f"state {x // 3}" for x, _ in places],
        "county": [f"county {x}-{y}" for x, y in places],
    }
    gpd.GeoDataFrame(names, geometry=boxes, crs="EPSG:5070").to_file(folder / "counties.gpkg")
    lines = [f"{x},{y},{number // 2},{'ab'[number % 2]}" for number, (x, y) in enumerate(zip(X, Y))]
    (folder / "points.csv").write_text("\n".join(["x,y,who,kind", *lines]))
    return folder


@pytest.fixture
def words(folder):
    """Return a command that lacks its outputs."""
    table = [folder / "points.csv", "--x", "x", "--y", "y", "--points-crs", "EPSG:5070"]
    return ["release", *table, "--districts", folder / "counties.gpkg", "--epsilon", "1"]


def library(folder, **options):
    points = geodp.read_points(folder / "points.csv", x="x", y="y", crs="EPSG:5070")
    cells = geodp.Districts(folder / "counties.gpkg", **options.pop("cells", {}))
    return geodp.release(points, epsilon=1, cells=cells, **options)


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_the_same_seed_gives_what_the_library_gives(folder, words, suffix, tmp_path):
    path = tmp_path / f"counts{suffix}"
    done = result(*words, "-o", path, "--seed", "7", "--quiet")
    assert done.exit_code == 0
    assert "NOT private" in done.stderr
    reopened = geodp.open_release(path)
    twin = library(folder, seed=7)
    assert reopened.cells == twin.cells
    assert np.array_equal(reopened.counts, twin.counts)


def test_counts_are_those_of_the_districts(words, tmp_path):
    output = ran(*words, "--epsilon", "1e6", "--yes", "-o", tmp_path / "counts.geojson")
    assert "Counts every record inside the districts." in output
    layer = gpd.read_file(tmp_path / "counts.geojson")
    assert layer["count"].tolist() == np.bincount(CELL, minlength=SIDE**2).tolist()
    assert layer["district"].tolist()[:2] == ["county 0-0", "county 0-1"]


def test_levels_groups_and_people_go_with_districts(folder, words, tmp_path):
    path = tmp_path / "counts.gpkg"
    more = ["--levels", "state, county", "--person", "who", "--max-records", "2"]
    ran(*words, *more, "--by", "kind", "--categories", "a,b", "--seed", "7", "-o", path)
    twin = library(
        folder,
        cells={"levels": ["state", "county"]},
        protect=geodp.Person("who", 2),
        by=geodp.Categories("kind", ["a", "b"]),
        seed=7,
    )
    reopened = geodp.open_release(path)
    assert reopened.groups == ("a", "b")
    assert reopened.cells.levels.names == ("state", "county")
    assert np.array_equal(reopened["a"].counts, twin["a"].counts)


def test_several_layers_that_nest_are_levels(folder, words, tmp_path):
    counties = gpd.read_file(folder / "counties.gpkg")
    states = tmp_path / "states.gpkg"
    counties.dissolve("state").reset_index()[["state", "geometry"]].to_file(states)
    before, after = words[: words.index("--districts")], words[words.index("--districts") :]
    nested = [*before, "--districts", states, *after, "--levels", "state,county", "--seed", "7"]
    ran(*nested, "-o", tmp_path / "nested.csv")
    ran(*words, "--levels", "state,county", "--seed", "7", "-o", tmp_path / "columns.csv")
    texts = [(tmp_path / f"{name}.csv").read_text() for name in ("nested", "columns")]
    assert texts[0] == texts[1]
    assert "state" in ran("plan", "--districts", states, *after[:2], "--epsilons", "1")
    ran("check", *words[1:8], "--districts", states, *after[:2])
    assert "written over" in refused(*nested, "-o", states, "--force")


@pytest.mark.parametrize("adaptive", [False, True])
def test_where_records_can_be_is_said_as_in_the_library(folder, words, adaptive, tmp_path):
    land = gpd.GeoSeries([shapely.box(0, 0, 3400, 6000)], crs="EPSG:5070")
    land.to_file(tmp_path / "land.gpkg")
    path = tmp_path / "counts.gpkg"
    more = ["--cells", "adaptive"] if adaptive else []
    ran(*words, *more, "--within", tmp_path / "land.gpkg", "-o", path, "--seed", "7", "--quiet")
    points = geodp.read_points(folder / "points.csv", x="x", y="y", crs="EPSG:5070")
    cells = geodp.Districts(folder / "counties.gpkg", within=tmp_path / "land.gpkg")
    cells = geodp.Adaptive(districts=cells) if adaptive else cells
    twin, reopened = geodp.release(points, epsilon=1, cells=cells, seed=7), geodp.open_release(path)
    assert reopened.cells == twin.cells
    assert np.array_equal(reopened.measurements.value, twin.measurements.value)
    half = [(3000, 0, 3200, 6000), (3000, 0, 4000, 6000)]
    part, column = reopened.query(half).estimate
    assert part == pytest.approx(column / 2, abs=0.05 * abs(column) + adaptive * 30)
    assert "Where records can be" in ran("info", path)
    assert "costliest path: 1." in result("verify", path).output
    if not adaptive:
        common = ["--districts", folder / "counties.gpkg", "--within", tmp_path / "land.gpkg"]
        assert "exact" in ran("plan", *common, "--epsilons", "1")
        ran("check", *words[1:8], *common)


def test_the_ledger_hears_of_districts_once(words, tmp_path):
    book = tmp_path / "book"
    ran("ledger", "register", "visits", "--cap", "1", "--ledger", book)
    paid = [*words, "--ledger", book, "--dataset", "visits"]
    for wrong in (["-o", tmp_path / "a.tif"], ["-o", tmp_path / "a.gpkg", "--density", "d.tif"]):
        assert "write them as a vector layer" in refused(*paid, *wrong)
    ran(*paid, "-o", tmp_path / "a.gpkg", "--report", tmp_path / "r.html")
    assert "36 districts" in ran("ledger", "show", "visits", "--ledger", book)
    assert "cap" in refused(*paid, "-o", tmp_path / "b.gpkg")
    assert not (tmp_path / "b.gpkg").exists()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("--bounds 0 0 6000 6000", "--districts say where records are counted; got --bounds too"),
        ("--crs EPSG:5070", "got --crs too"),
        ("--within land.gpkg", "the layer of --within must be in a file that exists"),
        ("--cells regular", "--cells is about other cells"),
        ("--resolution 100", "--resolution is about other cells"),
        ("--sizes 10", "--sizes is about other cells"),
        ("--cell-sizes 100", "--cell-sizes is about other cells"),
        ("--regions counties.gpkg", "--regions is about other cells"),
        ("--tuner e2epriv", "--tuner is about other cells"),
        ("--tuning-share 0.1", "--tuning-share is about other cells"),
        ("--district-name town", "there is no 'town': the columns are 'state', 'county'"),
        ("--district-name state", "'state 0' is more than once in 'state'"),
        ("--district-name county --levels state,county", "leave out the column that names them"),
        ("--levels state,", "there is no ''"),
        ("--districts nowhere.gpkg", "there is no nowhere.gpkg"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_point_is_read(words, more, sentence, tmp_path):
    words[1] = tmp_path / "missing.csv"  # nothing says that it is not there
    message = refused(*words, *more.split(), "-o", tmp_path / "new.gpkg")
    assert sentence in message
    assert message.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_options_of_districts_need_districts(words, tmp_path):
    place = words.index("--districts")
    bare = [*words[:place], *words[place + 2 :], "-o", tmp_path / "new.gpkg"]
    for option in ("--levels", "--district-name"):
        assert f"{option} is about the layer of --districts" in refused(*bare, option, "state")
    assert "missing: --bounds, --crs; give --districts with a layer, or" in refused(*bare)


def test_districts_are_never_written_over(folder, words):
    assert "never written over" in refused(*words, "-o", folder / "counties.gpkg", "--force")


def test_a_layer_of_a_file_that_holds_several_is_named_as_in_qgis(folder, words, tmp_path):
    layer, areas = gpd.read_file(folder / "counties.gpkg"), tmp_path / "areas.gpkg"
    layer.dissolve("state").reset_index()[["state", "geometry"]].to_file(areas, layer="states")
    layer.to_file(areas, layer="counties")
    place = words.index("--districts") + 1
    for name, number in {"": 2, "|layername=states": 2, "|layername=counties": SIDE**2}.items():
        words[place] = f"{areas}{name}"
        ran(*words, "-q", "--overwrite", "-o", tmp_path / "counts.gpkg")
        assert len(geodp.open_release(tmp_path / "counts.gpkg").cells) == number
    assert "never written over" in refused(*words, "-o", areas, "--overwrite")
    asked = result("query", tmp_path / "counts.gpkg", f"{areas}|layername=counties", "--json")
    assert len(json.loads(asked.stdout)) == SIDE**2
    words[place] = f"{areas}|layername=towns"
    assert "has no layer 'towns'" in refused(*words, "-o", tmp_path / "new.gpkg")


def test_a_release_of_districts_is_asked_and_described(words, folder, tmp_path):
    path = tmp_path / "counts.gpkg"
    ran(*words, "-o", path)
    assert ran(*words, "-o", path, "--overwrite", "--quiet") == ""
    answers = json.loads(result("query", path, folder / "counties.gpkg", "--json").stdout)
    reopened = geodp.open_release(path)
    assert [row["estimate"] for row in answers] == reopened.counts.tolist()
    assert json.loads(ran("info", path, "--json"))["cells"] == SIDE**2


def test_a_plan_of_districts_reads_no_points(folder, tmp_path):
    words = ["plan", "--districts", folder / "counties.gpkg", "--levels", "state,county"]
    output = ran(*words, "--epsilons", "0.1,1", "-o", tmp_path / "p.csv", "-o", tmp_path / "p.png")
    assert [line.split()[:2] for line in output.splitlines()[-5:-1]] == [
        *(["0.1", "state"], ["0.1", "county"], ["1", "state"], ["1", "county"]),
    ]
    assert (tmp_path / "p.png").stat().st_size > 0
    plan = json.loads(ran(*words, "--epsilons", "1", "--max-records", "3", "--json", "-q"))
    assert plan["outlooks"][1]["std_error"] > 2.5 * float(output.splitlines()[-2].split()[-3])
    for option in ("--bounds 0 0 9 9", "--expected 5", "--regions x", "--layer x", "--sizes 3"):
        assert option.split()[0] in refused(*words, *option.split())


def test_a_check_says_how_many_points_lie_in_no_district(folder, tmp_path):
    table = ["--x", "x", "--y", "y", "--points-crs", "EPSG:5070"]
    words = ["check", folder / "points.csv", *table, "--districts", folder / "counties.gpkg"]
    output = ran(*words)
    assert "PRIVATE" in output
    assert "In no district, and so not counted: none of the points." in output
    layer = gpd.read_file(folder / "counties.gpkg")
    layer[layer["state"] == "state 0"].to_file(tmp_path / "west.gpkg")
    assert "about half of the points" in ran(*words[:-1], tmp_path / "west.gpkg").splitlines()[-2]
    assert "got --bounds too" in refused(*words, "--bounds", "0", "0", "9", "9", "--crs", "x")


@pytest.mark.parametrize(
    ("more", "person"),
    [
        (["--place", "most-frequent"], {"place": "most frequent"}),
        (["--place", "most frequent"], {"place": "most frequent"}),
        (["--visits", "2"], {"visits": 2}),
        (["--visits", "2", "--neighbours", "replace"], {"visits": 2, "neighbours": "replace"}),
    ],
)
def test_people_are_counted_at_places(folder, words, more, person, tmp_path):
    path = tmp_path / "people.gpkg"
    ran(*words, "--person", "who", *more, "--seed", "7", "-o", path, "-q")
    release, twin = (
        geodp.open_release(path),
        library(folder, protect=geodp.Person("who", **person), seed=7),
    )
    assert np.array_equal(release.counts, twin.counts)
    assert release.method == twin.method
    assert release.describe().as_dict() == twin.describe().as_dict()
    assert "inside the districts" in release.counted


def test_people_at_places_count_as_they_should(words, tmp_path):
    """Two records each: visitors are those of every record, and each person has one home."""
    pairs = {(number // 2, cell) for number, cell in enumerate(CELL.tolist())}
    every = np.bincount([cell for _, cell in pairs], minlength=SIDE**2)
    certain = [*words, "--person", "who", "--epsilon", "1e6", "--yes"]
    output = ran(*certain, "--visits", "2", "-o", tmp_path / "visitors.geojson")
    assert "Counts visitors of each place, each person in at most 2 places" in output
    assert gpd.read_file(tmp_path / "visitors.geojson")["count"].tolist() == every.tolist()
    output = ran(*certain, "--place", "most-frequent", "-o", tmp_path / "homes.geojson")
    assert "each once at the place where most of their records are" in output
    homes = gpd.read_file(tmp_path / "homes.geojson")["count"].to_numpy()
    assert homes.sum() == 1000
    assert (homes <= every).all()


@pytest.mark.parametrize(
    ("way", "things"), [(["--visits", "2"], "visitors"), (["--place", "most-frequent"], "people")]
)
def test_people_at_places_are_written_to_every_format(words, way, things, tmp_path):
    names = ("a.gpkg", "a.parquet", "a.csv", "a.png", "a.html")
    files = [part for name in names for part in ("-o", tmp_path / name)]
    ran(*words, "--person", "who", *way, "--seed", "1", *files, "-q")
    assert things in (tmp_path / "a.html").read_text(encoding="utf-8")
    opened = geodp.open_release(tmp_path / "a.parquet")
    assert opened.method.quantity.things == things


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("--visits 2", "--visits is about people; name the field that tells them by --person"),
        ("--place most-frequent", "--place is about people; name the field"),
        ("--person who --place home", "--place must be 'most frequent', or left out; got 'home'"),
        ("--person who --visits 0", "--visits must be a whole number of at least 1; got 0"),
        ("--person who --visits 2 --max-records 2", "got more than one of --max-records, --place"),
        ("--person who --visits 37", "nobody can visit more cells than there are; got --visits"),
        ("--person who --visits 2 --levels state,county", "leave out --levels, or --visits"),
        ("--person who --visits 2 --amount x --between 0 1", "leave out --amount, or --place and"),
    ],
)
def test_places_that_make_no_sense_are_refused(words, more, sentence, tmp_path):
    assert sentence in refused(*words, *more.split(), "-o", tmp_path / "a.gpkg")
    assert not list(tmp_path.iterdir())


def test_homes_go_with_levels(words, tmp_path):
    path = tmp_path / "homes.gpkg"
    ran(*words, "--person", "who", "--place", "most-frequent", "--levels", "state,county",
        "--epsilon", "100", "--yes", "-o", path, "-q")  # fmt: skip
    assert geodp.open_release(path).counts.sum() == pytest.approx(1000)


@pytest.mark.parametrize("people", [[], ["--person", "who"], ["--person", "who", "--per-person"]])
def test_a_plan_of_amounts_in_groups_is_what_each_group_gets(people, tmp_path):
    layer = gpd.GeoDataFrame(
        {"name": ["A", "B"]},
        geometry=[shapely.box(0, 0, 2000, 3000), shapely.box(2000, 0, 4000, 3000)],
        crs="EPSG:5070",
    )
    layer.to_file(tmp_path / "halves.gpkg")
    rng = np.random.default_rng(2)
    points = {"x": rng.random(90) * 4000, "y": rng.random(90) * 3000, "who": np.arange(90) % 30}
    points |= {"kind": rng.choice(["a", "b"], 90), "age": rng.integers(0, 90, 90)}
    options = ["--districts", tmp_path / "halves.gpkg", "--by", "kind", "--categories", "a,b"]
    options += ["--amount", "age", "--between", "0", "90", "--label", "years", *people]
    plan = json.loads(ran("plan", *options, "--epsilons", "1", "--json", "-q"))
    (row,) = plan["outlooks"]
    assert "between 0 and 90 years" in plan["assumes"]
    protect = geodp.Person("who") if people else geodp.Record()
    releases = geodp.release(
        points, epsilon=1, cells=geodp.Districts(layer), protect=protect, seed=1,
        by=geodp.Categories("kind", ["a", "b"]),
        amount=geodp.Amount("age", 0, 90, per_person="--per-person" in people),
    )  # fmt: skip
    for group in plan["groups"]:
        assert np.sqrt(releases[group].variance) == pytest.approx(row["districts"]["std_error"])
        sums = releases[group].amounts.sums_by_unit()
        half = (sums.sum_high - sums.sum_low) / 2
        assert half == pytest.approx(row["districts"]["sum_half_width"])


def test_cells_inside_of_districts_are_those_of_the_library(folder, words, tmp_path):
    path = tmp_path / "cells.gpkg"
    inside = ["--cells", "adaptive", "--resolution", "100m", "--district-share", "0.4"]
    assert result(*words, *inside, "-o", path, "--seed", "7", "--quiet").exit_code == 0
    release = geodp.open_release(path)
    points = geodp.read_points(folder / "points.csv", x="x", y="y", crs="EPSG:5070")
    layer = folder / "counties.gpkg"
    cells = geodp.Adaptive(resolution=100, districts=geodp.Districts(layer), share="0.4")
    twin = geodp.release(points, epsilon=1, cells=cells, seed=7)
    assert release.cells == twin.cells
    assert np.array_equal(release.counts, twin.counts)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--district-share", "0.4"], "--district-share is about cells inside of districts"),
        (["--resolution", "100"], "--resolution is about other cells than --districts"),
        (["--cells", "adaptive", "--sizes", "4"], "cells than those inside of --districts"),
        (["--cells", "adaptive", "--district-share", "x"], "--district-share must be a finite"),
        (["--cells", "adaptive", "--district-share", "2"], "must lie between 0 and 1"),
    ],
)
def test_options_that_do_not_go_with_cells_in_districts_are_refused(
    words, options, sentence, tmp_path
):
    path = tmp_path / "cells.gpkg"
    assert sentence in refused(*words, *options, "-o", path)
    assert not path.exists()


def test_one_of_several_layers_is_the_choice_of_the_library(folder, tmp_path):
    table = ["--x", "x", "--y", "y", "--points-crs", "EPSG:5070"]
    place = ["--bounds", "0", "0", "8000", "6000", "--crs", "EPSG:5070"]
    words = ["release", folder / "points.csv", *table, *place, "--epsilon", "1"]
    counties, path = folder / "counties.gpkg", tmp_path / "chosen.gpkg"
    layers = ["--candidate", counties, "--hexagons", "1km,2km", "--cell-sizes", "500"]
    ran(*words, *layers, "--regions", counties, "--seed", "5", "-q", "-o", path)
    domain = geodp.Domain((0, 0, 8000, 6000), crs="EPSG:5070")
    hexagons = [geodp.Hexagons(1000), geodp.Hexagons(2000)]
    grid = geodp.Regular(cell_sizes=[500])
    cells = geodp.Choice([counties, *hexagons, grid], workload=counties)
    points = geodp.read_points(folder / "points.csv", x="x", y="y", crs="EPSG:5070")
    twin = geodp.release(points, domain, epsilon=1, cells=cells, seed=5)
    chosen = geodp.open_release(path)
    assert chosen.cells == twin.cells
    assert np.array_equal(chosen.counts, twin.counts)
    assert chosen.method == twin.method
    assert len(chosen.method.candidates) == 4
    ran(*words, "--hexagons", "1km,2km", "--seed", "5", "-q", "-o", tmp_path / "hexagons.gpkg")
    twin = geodp.release(points, domain, epsilon=1, cells=geodp.Choice(hexagons), seed=5)
    assert geodp.open_release(tmp_path / "hexagons.gpkg").cells == twin.cells

    assert "known beforehand" in refused("plan", *place, "--candidate", counties, "--h3", "7")
    one = ["--candidate", counties]
    for more, sentence in {
        "": "needs two candidates at least",
        "--tuner e2epriv": "--tuner is about other cells than --candidate",
        "--hexagons 1km --cells adaptive": "--cells is about other cells than --candidate",
        "--hexagons 1km,x": "must be numbers with commas between them",
        f"--hexagons 1km -o {tmp_path}/new.tif": "write them as a vector layer",
        f"--hexagons 1km -o {counties} --overwrite": "never written over",
    }.items():
        message = refused(*words, *one, *more.split(), "-o", tmp_path / "new.gpkg")
        assert sentence in message
    assert "--candidate is about cells inside of --bounds" in refused(
        "check", folder / "points.csv", *table, *one
    )
    bare = [*words[:8], "--epsilon", "1", "--districts", counties, "-o", tmp_path / "new.gpkg"]
    assert "--candidate is about other cells than --districts" in refused(*bare, *one)
    assert not (tmp_path / "new.gpkg").exists()
