"""Forecasts as tables, files and charts."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from click.testing import CliRunner
from matplotlib.figure import Figure

import geodp
from geodp.cli import main
from geodp.outputs.forecast import to_png
from geodp.outputs.report import report_html

TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:5070")
PLACE = "--bounds 1000 2000 9000 8000 --crs EPSG:5070"


@pytest.fixture
def districts() -> gpd.GeoDataFrame:
    shapes = [shapely.box(1000, 2000, 4321, 8000), shapely.Point(6000, 5000).buffer(900)]
    fields = {"name": ["west", "round"], "people": [300, 40], "rows": [7, 7]}
    return gpd.GeoDataFrame(fields, geometry=shapes, crs="EPSG:5070").to_crs("EPSG:4326")


@pytest.fixture
def forecast(districts) -> geodp.Forecast:
    grids = geodp.candidate_grids(TOWN, [5, 20])
    return geodp.forecast(
        TOWN, districts, epsilons=[0.1, 1], cells=geodp.Regular(grids), expected="people"
    )


def test_a_table_has_a_row_for_each_district_size_and_budget(forecast, districts):
    table = forecast.to_dataframe()
    assert len(table) == 2 * 2 * 2
    assert list(table.columns[:3]) == ["name", "people", "epsilon"]
    assert table["rows"].tolist() == [5, 5, 20, 20, 5, 5, 20, 20]  # not the layer's own
    assert table.expected.tolist() == [300, 40] * 4
    assert np.allclose(table.relative_error, table.std_error / table.people)
    release = geodp.release(
        ([], []), cells=geodp.Regular(geodp.Grid(TOWN, (5, 5))), epsilon="9/10", seed=1
    )
    one = table[(table.epsilon == 1) & (table["rows"] == 5)]
    assert one.noise_error.tolist() == release.query(districts).noise_error.tolist()


def test_boxes_are_numbered(tmp_path):
    forecast = geodp.forecast(TOWN, [TOWN.bounds, (1000, 2000, 1001, 2001)], epsilons=[1])
    forecast.to_csv(tmp_path / "a.csv")
    table = pd.read_csv(tmp_path / "a.csv")
    assert table.region.tolist() == [0, 1] * 12
    assert "std_error" not in table
    with pytest.raises(geodp.FileError, match="exists"):
        forecast.to_csv(tmp_path / "a.csv")


def test_the_chart_shows_what_the_table_says(forecast):
    axes = forecast.plot(Figure().add_subplot())
    *lines, best = axes.get_lines()
    assert [line.get_label() for line in lines] == [
        "5 × 5 cells of 1.6 × 1.2 km",
        "20 × 20 cells of 400 × 300 m",
    ]
    rows = forecast.table()
    for line, size in zip(lines, (5, 20)):
        shown = [row["std_error"] for row in rows if row["rows"] == size]
        assert line.get_xdata().tolist() == [0.1, 1]
        assert line.get_ydata().tolist() == pytest.approx(shown)
    assert best.get_ydata().tolist() == [row["std_error"] for row in rows if row["suits"]]
    assert "Whole error" in axes.get_title(loc="left")
    wide = forecast.plot()
    wide.figure.canvas.draw()
    assert wide.get_legend().get_window_extent().x0 >= wide.bbox.x1  # and so on no line
    noise = geodp.forecast(TOWN, epsilons=[1, 0.1]).plot(Figure().add_subplot())
    assert noise.get_title(loc="left") == "Noise to expect for a region"
    assert len(noise.get_lines()) == 6  # of eleven
    assert noise.get_lines()[0].get_xdata().tolist() == [0.1, 1]


def test_the_chart_is_a_picture(forecast, tmp_path):
    to_png(forecast, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(geodp.FileError, match="exists"):
        to_png(forecast, tmp_path / "a.png")


@pytest.mark.slow
def test_the_report_repeats_what_was_foreseen():
    grids = geodp.candidate_grids(TOWN, [5, 10])
    release = geodp.release(([], []), cells=geodp.Regular(grids), epsilon=1, seed=1)
    text = report_html(release)
    section = text[text.index("What was foreseen") : text.index("What it cost")]
    assert section.count("(chosen)") == 1
    assert f"{release.cells.grid.in_words} (chosen)" in section
    assert section.count("<tr>") == 3
    tree = geodp.release(([], []), TOWN, epsilon=1, cells="adaptive", seed=1)
    assert "What was foreseen" not in report_html(tree)


# --- the command ----------------------------------------------------------------------------------


def plan(*words: object) -> str:
    first = f"plan {PLACE} --sizes 5,20 --epsilons 0.1,1".split()
    done = CliRunner().invoke(main, [*first, *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_plan_prints_a_table_and_says_what_suits(districts, tmp_path):
    districts.to_file(tmp_path / "d.gpkg")
    text = plan("--regions", tmp_path / "d.gpkg", "--expected", "people", "--quiet")
    assert text == ""
    text = plan("--regions", tmp_path / "d.gpkg", "--expected", "people")
    assert "1.6 × 1.2 km" in text
    assert text.count("would suit") == 2
    assert "would suit" not in plan()


def test_plan_as_json_is_the_forecast(districts, forecast, tmp_path):
    districts.to_file(tmp_path / "d.gpkg", layer="one")
    words = ("--regions", tmp_path / "d.gpkg", "--layer", "one", "--expected", "people", "--json")
    assert json.loads(plan(*words)) == json.loads(json.dumps(forecast.as_dict()))
    assert json.loads(plan("--json", "--expected", "1e3", "--unevenness", 0))["unevenness"] == 0


@pytest.mark.slow
def test_plan_knows_people(tmp_path):
    plan("--max-records", 5, "--neighbours", "replace", "-o", tmp_path / "a.csv", "-q")
    plan("-o", tmp_path / "b.csv", "-o", tmp_path / "b.png", "-q")
    people, records = (pd.read_csv(tmp_path / name) for name in ("a.csv", "b.csv"))
    assert (people.noise_error / records.noise_error).min() > 9.9
    assert (tmp_path / "b.png").exists()
    words = ["--neighbours", "replace", "--tuner", "e2epriv", "--tuning-share", "0.5", "--json"]
    assert json.loads(plan(*words))["protected_unit"] == "one record, replaced by another"


HALVES = gpd.GeoDataFrame(
    {"side": ["west", "east"]},
    geometry=[shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 1000, 1000)],
    crs="EPSG:5070",
)


@pytest.mark.parametrize(
    "protect",
    [geodp.Record(), geodp.Person("who", max_records=3), geodp.Person("who", visits=3)],
)
def test_errors_of_hexagons_are_those_of_the_release(protect):
    cells = geodp.Hexagons(200)
    forecast = geodp.forecast(TOWN, cells=cells, epsilons=[0.2, 1], protect=protect)
    points = {"x": [10.0], "y": [10.0], "who": ["Ann"]}
    for outlook in forecast.outlooks:
        release = geodp.release(points, TOWN, epsilon=outlook.epsilon, cells=cells, protect=protect)
        assert outlook.std_error == pytest.approx(np.sqrt(release.variance))
        frame = release.to_geodataframe()
        half = (frame["ci_high"] - frame["ci_low"]).to_numpy() / 2
        assert outlook.half_width == pytest.approx(half)
    assert list(forecast.to_dataframe()["hexagon"][: len(half)]) == list(frame["hexagon"])
    assert str(forecast).startswith("DistrictForecast(2 epsilons, ")
    sums = geodp.forecast(
        TOWN, cells=cells, epsilons=[1], amount=geodp.Amount("paid", 0, 9), expected=400
    )
    assert sums.outlooks[0].sum_half_width.min() > 9


def test_plan_knows_hexagons(tmp_path):
    where = [
        "plan",
        "--bounds",
        "0",
        "0",
        "1000",
        "1000",
        "--crs",
        "EPSG:5070",
        "--epsilons",
        "0.5,1",
    ]
    asked = [*where, "--hexagons", "200", "--person", "who", "--visits", "3"]
    done = CliRunner().invoke(main, [*asked, "-o", str(tmp_path / "plan.png")])
    assert done.exit_code == 0, done.output
    assert "whatever they hold" in done.output
    people = json.loads(CliRunner().invoke(main, [*asked, "--json", "-q"]).output)["outlooks"]
    plain = json.loads(CliRunner().invoke(main, [*where, "--hexagons", "200", "--json"]).output)
    assert people[0]["std_error"] / plain["outlooks"][0]["std_error"] == pytest.approx(3, rel=0.02)
    for words, message in (
        (["--h3", "3,4"], "known beforehand"),
        (["--hexagons", "200", "--expected", "9"], "whatever they hold: leave it out"),
        (["--hexagons", "200", "--regions", str(tmp_path / "plan.png")], "other cells than"),
    ):
        done = CliRunner().invoke(main, [*where, *words])
        assert (done.exit_code, message in done.output) == (2, True), done.output


@pytest.mark.parametrize("protect", [geodp.Record(), geodp.Person("who"), geodp.Person("who", 3)])
def test_errors_of_sums_and_means_are_those_of_the_release(protect):
    """Many records with amounts a quarter of the way up: the release states what was foreseen."""
    cells = geodp.Districts(HALVES, name="side")
    amount = geodp.Amount("paid", -10, 30)
    forecast = geodp.forecast(
        cells=cells, epsilons=[1], amount=amount, expected=400, protect=protect
    ).outlooks[0]
    points = {"x": np.repeat([250.0, 750.0], 400), "y": np.full(800, 500.0)}
    points |= {"paid": np.zeros(800), "who": np.arange(800)}
    release = geodp.release(points, cells=cells, epsilon=1, amount=amount, protect=protect, seed=1)
    table = release.amounts.sums_by_unit()
    assert (table.sum_high - table.sum_low) / 2 == pytest.approx(forecast.sum_half_width)
    stated = (table.mean_high - table.mean_low) / 2
    assert stated == pytest.approx(forecast.mean_half_width[400.0], rel=0.15)
    answers = release.query(HALVES)
    half = (answers["sum_high"] - answers["sum_low"]).to_numpy() / 2
    assert half == pytest.approx(forecast.sum_half_width, rel=0.01)


def test_a_plan_of_sums_says_where_means_are_not_known(tmp_path):
    HALVES.to_file(tmp_path / "halves.gpkg")
    asked = f"plan --districts {tmp_path / 'halves.gpkg'} --between 0 100 --epsilons 0.1,1"
    done = CliRunner().invoke(main, asked.split())
    assert done.exit_code == 0, done.output
    head, rows = done.output.splitlines()[0], done.output.splitlines()[1:3]
    for words in (" sum ", "mean of 100 ", "mean of 1,000", "mean of 10,000"):
        assert words in f"{head} "
    assert "what the bounds cut off is not in their error" in done.output
    tiny = CliRunner().invoke(main, [*asked.split(), "--expected", "2"])
    assert "not known" in tiny.output.splitlines()[1]
    rows = json.loads(CliRunner().invoke(main, [*asked.split(), "--json"]).output)["outlooks"]
    assert rows[0]["sum_half_width"] == pytest.approx(10 * rows[1]["sum_half_width"], rel=0.01)
    few = CliRunner().invoke(main, [*asked.split(), "--expected", "2", "--json"]).output
    assert json.loads(few)["outlooks"][0]["mean_half_width_2"] is None
    table = tmp_path / "plan.csv"
    assert CliRunner().invoke(main, [*asked.split(), "-o", str(table)]).exit_code == 0
    assert {"sum_half_width", "mean_half_width_100"} <= set(pd.read_csv(table).columns)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--districts halves.gpkg --between 9 0", "must be less than the upper one"),
        ("--districts halves.gpkg --between 0 9 --expected -3", "one positive number"),
        ("--districts halves.gpkg --expected 3", "leave it out"),
        ("--bounds 0 0 1 1 --crs EPSG:5070 --between 0 9", "add --districts, --hexagons or --h3"),
    ],
)
def test_plans_of_sums_that_make_no_sense_are_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    HALVES.to_file("halves.gpkg")
    done = CliRunner().invoke(main, ["plan", *words.split()])
    assert done.exit_code == 2
    assert message in done.output


def test_a_plan_of_people_speaks_of_people():
    for protect, words in ((geodp.Person("who"), "people"), (geodp.Person("who", 3), "records")):
        text = geodp.forecast(TOWN, epsilons=[1], expected=5000, protect=protect).as_text()
        assert f" {words} for a region" in text


def test_amounts_are_foreseen_for_districts_alone():
    with pytest.raises(geodp.InputError, match="foreseen for districts and hexagons"):
        geodp.forecast(TOWN, epsilons=[1], amount=geodp.Amount("paid", 0, 9))
