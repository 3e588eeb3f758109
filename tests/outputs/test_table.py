"""Tables as CSV: what spreadsheets show, what programs read, and what is promised."""

from __future__ import annotations

import csv

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from commands import ran, refused
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.core.common.text import for_spreadsheet
from geodp.core.publish.table import rounded
from geodp.outputs.vector import to_answers

CRS = "EPSG:5070"
PROMISE = ["geodp_epsilon", "geodp_protects"]
FIGURES = ["count", "std_error", "ci_low", "ci_high", "reliable"]
NAMES = ["=1+1", "+4", "-3", "@SUM(A1)", 'Köln, "Süd"', "a;=cmd|' /C calc'!A0"]
LAYER = gpd.GeoDataFrame(
    {"=land": ["north", "north", "north", "south", "south", "south"], "town": NAMES},
    geometry=[shapely.box(1000 * i, 0, 1000 * i + 1000, 1000) for i in range(6)],
    crs=CRS,
)
X = np.repeat(np.arange(6) * 1000.0 + 500, 40)
POINTS = {"x": X, "y": np.full(240, 500.0), "kind": np.tile(["a", "b"], 120), "who": X}
TOWN = geodp.Domain((0, 0, 6000, 1000), crs=CRS)


def read(path):
    """Return rows as a program reads them."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def agree(shown, exact, error):
    """Tell whether numbers of a table are rounded as docs/guide.md says: by their errors."""
    shown, exact, error = (np.asarray(each, dtype=float) for each in (shown, exact, error))
    return bool((np.abs(shown - exact) <= error / 200 + 1e-9 * np.abs(exact)).all())


def test_a_table_of_districts_has_their_names_counts_and_intervals(tmp_path):
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(LAYER, name="town"))
    path = tmp_path / "counts.csv"
    release.to_csv(path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfdistrict,count,")  # UTF-8, as Excel knows it
    table = pd.read_csv(path)
    assert list(table.columns) == ["district", *FIGURES, *PROMISE]
    assert table["count"].tolist() == release.counts.tolist()
    answers = release.query(LAYER)
    for name in ("std_error", "ci_low", "ci_high"):
        assert agree(table[name], answers[name], answers["std_error"])
    assert set(table["geodp_epsilon"]) == {1.0}
    assert set(table["geodp_protects"]) == {"one record"}
    with pytest.raises(geodp.FileError, match="exists"):
        release.to_csv(path)
    release.to_csv(path, overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["counts.csv"]


def test_no_name_is_a_formula(tmp_path):
    cells = geodp.Districts(LAYER, levels=["=land", "town"])
    release = geodp.release(POINTS, epsilon=1, cells=cells)
    release.to_csv(tmp_path / "counts.csv")
    head, *rows = read(tmp_path / "counts.csv")
    assert head == ["level", "district", "'=land", *FIGURES, *PROMISE]
    assert [row[1] for row in rows[2:]] == [
        *("'=1+1", "'+4", "'-3", "'@SUM(A1)", 'Köln, "Süd"', "a;'=cmd|' /C calc'!A0"),
    ]
    to_answers(release, release.query(LAYER), tmp_path / "answers.csv")
    head, *rows = read(tmp_path / "answers.csv")
    assert head[:3] == ["'=land", "town", "estimate"]
    assert rows[0][1] == "'=1+1"
    assert head[-2:] == PROMISE
    assert agree([row[2] for row in rows], release.counts, [row[3] for row in rows])


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", " =1", "\uff1d1", "a\n=1", "'=1"])
def test_what_may_begin_a_formula_is_marked(text):
    marked = for_spreadsheet(text)
    assert marked != text
    assert marked.replace("'", "") == text.replace("'", "")
    assert all(line.startswith("'") for line in marked.split("\n") if set(line) & set("=+-@\uff1d"))


@pytest.mark.parametrize("text", ["", "Köln", "a-b", "a = b", "3", "1;2", "'tis"])
def test_other_text_stays_as_it_is(text):
    assert for_spreadsheet(text) == text


def test_units_of_all_levels_have_rows_with_the_intervals_of_answers(tmp_path):
    rows = [(x, y) for x in range(6) for y in range(8)]
    counties = gpd.GeoDataFrame(
        {"state": [f"s{x // 3}" for x, _ in rows], "county": [f"c{y}{x}" for x, y in rows]},
        geometry=[shapely.box(1000 * x, 100 * y, 1000 * x + 1000, 100 * y + 100) for x, y in rows],
        crs=CRS,
    )
    release = geodp.release(
        POINTS, epsilon=1, cells=geodp.Districts(counties, levels=["state", "county"])
    )
    assert [spend.step for spend in release.spends] == ["state", "counts"]
    release.to_csv(tmp_path / "counts.csv")
    table = pd.read_csv(tmp_path / "counts.csv")
    assert table["level"].tolist() == ["state"] * 2 + ["county"] * 48
    assert table["state"].tolist() == ["s0", "s1", *["s0"] * 24, *["s1"] * 24]
    sums = table[table["level"] == "county"].groupby("state")["count"].sum()
    assert agree(sums, table["count"][:2], 24 * table["std_error"].max())  # each is rounded
    states, smaller = release.query(counties.dissolve("state")), release.query(counties)
    for name in ("std_error", "ci_low", "ci_high"):
        assert agree(table[name][:2], states[name], states["std_error"])
        assert agree(table[name][2:], smaller[name], smaller["std_error"])


def test_groups_are_rows(tmp_path):
    kinds = geodp.Categories("kind", ["a", "b"])
    cells = geodp.Districts(LAYER, name="town")
    person = geodp.Person("who", 3)
    release = geodp.release(POINTS, epsilon=0.5, cells=cells, by=kinds, protect=person)
    release.to_csv(tmp_path / "counts.csv")
    table = pd.read_csv(tmp_path / "counts.csv")
    assert list(table.columns) == ["district", "group", *FIGURES, *PROMISE]
    assert table["group"].tolist() == ["a", "b"] * 6
    assert table["district"].tolist()[:3] == ["'=1+1", "'=1+1", "'+4"]
    with (tmp_path / "counts.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for name in ("a", "b"):
        counts = [float(row["count"]) for row in rows if row["group"] == name]
        assert agree(counts, release[name].counts, np.sqrt(release[name].variance))
    assert table["geodp_protects"][0] == str(release.method.unit)
    assert "at most 3 records" in table["geodp_protects"][0]


def test_people_at_places_are_not_said_to_count_as_records(tmp_path):
    for way, words in {
        "place": "one person, counted in at most 1 place, replaced by another",
        "visits": "one person, counted in at most 2 places, replaced by another",
    }.items():
        options = {"place": "most frequent"} if way == "place" else {"visits": 2}
        person = geodp.Person("who", neighbours="replace", **options)
        cells = geodp.Districts(LAYER, name="town")
        release = geodp.release(POINTS, epsilon=1, cells=cells, protect=person)
        release.to_csv(tmp_path / f"{way}.csv")
        assert set(pd.read_csv(tmp_path / f"{way}.csv")["geodp_protects"]) == {words}


@pytest.mark.parametrize("cells", [geodp.Adaptive(), geodp.Regular(sizes=[3])])
def test_cells_of_any_kind_make_a_table(cells, tmp_path):
    release = geodp.release((X, POINTS["y"]), TOWN, epsilon=1, cells=cells)
    release.to_csv(tmp_path / "counts.csv")
    table = pd.read_csv(tmp_path / "counts.csv")
    error = np.sqrt(release.variance)
    assert agree(table["count"], release.counts, error)
    assert agree(table["std_error"], error, error)
    boxes = table[["left", "bottom", "right", "top"]].to_numpy()
    assert (boxes == release.cells.bounds).all()  # public, and with all digits
    answers = release.query(boxes)
    assert (table["ci_low"] <= answers.ci_low + error / 100).all()
    assert (table["ci_high"] >= answers.ci_high - error / 100).all()


numbers = st.floats(-1e9, 1e9)
errors = st.one_of(st.floats(1e-9, 1e6), st.sampled_from([0.0, np.inf, np.nan]))


@examples(300)
@given(st.lists(st.tuples(numbers, errors), min_size=1, max_size=6))
def test_any_number_is_rounded_by_its_error(rows):
    """Not by more than a two-hundredth of it, in order with its limits, in few digits."""
    estimate, error = np.array(rows).T
    low, high = estimate - 2 * error, estimate + 2 * error
    counts = {"estimate": estimate, "std_error": error, "ci_low": low, "ci_high": high}
    sums = {"sum": estimate, "sum_low": low, "sum_high": high}
    shown = rounded(counts | sums)
    assert set(shown) == set(counts | sums)
    known = np.isfinite(error) & (error > 1e-7 * np.abs(estimate)) & (error > 1e-8)
    for name, values in (counts | sums).items():
        assert agree(shown[name][known], values[known], error[known])
        for text in map(str, shown[name][known]):
            assert len(text.partition(".")[2]) <= 12
            assert text not in ("-0", "-0.0")
    for name in ("ci", "sum"):
        middle = shown["estimate" if name == "ci" else "sum"]
        assert (shown[f"{name}_low"][known] <= middle[known]).all()
        assert (shown[f"{name}_high"][known] >= middle[known]).all()


def test_whole_numbers_stay_whole_and_columns_of_regions_as_they_are(tmp_path):
    layer = LAYER.assign(rate=1 / 3, rate_low=0.1, rate_high=2 / 3, estimate=np.pi, area=np.e)
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(LAYER, name="town"))
    release.to_csv(tmp_path / "counts.csv")
    assert all(row[1].lstrip("-").isdigit() for row in read(tmp_path / "counts.csv")[1:])
    to_answers(release, release.query(layer, density=True), tmp_path / "answers.csv")
    head, *rows = read(tmp_path / "answers.csv")
    fields = dict(zip(head, rows[0]))
    assert [fields[name] for name in ("rate", "area")] == [repr(1 / 3), repr(np.e)]
    assert fields["estimate"] == str(release.counts[0])
    shown = [fields[name] for name in ("std_error", "ci_low", "density", "density_high")]
    assert max(map(len, shown)) <= 8


def test_answers_of_groups_side_by_side_are_rounded_too(tmp_path):
    kinds = geodp.Categories("kind", ["a", "b"])
    release = geodp.release(POINTS, TOWN, epsilon=1, by=kinds, seed=3)
    wide = release.query(LAYER, wide=True)
    to_answers(release, wide, tmp_path / "wide.csv")
    table = pd.read_csv(tmp_path / "wide.csv")
    for name in ("a", "b"):
        exact = wide[f"estimate_{name}"]
        assert agree(table[f"estimate_{name}"], exact, wide[f"std_error_{name}"])
        assert table[f"estimate_{name}"].tolist() != exact.tolist()


def test_errors_to_expect_have_six_digits(tmp_path):
    forecast = geodp.forecast(TOWN, LAYER.assign(error_of_mine=1 / 3), epsilons=[0.7])
    forecast.to_csv(tmp_path / "plan.csv")
    exact, table = forecast.to_dataframe(), pd.read_csv(tmp_path / "plan.csv")
    shown, errors = table["noise_error"].dropna(), exact["noise_error"].dropna()
    assert np.allclose(shown, errors, rtol=5e-6, atol=0)
    assert shown.tolist() != errors.tolist()
    assert (table["error_of_mine"] == 1 / 3).all()


def test_a_seeded_table_promises_nothing(tmp_path):
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(LAYER), seed=1)
    release.to_csv(tmp_path / "counts.csv")
    table = pd.read_csv(tmp_path / "counts.csv")
    assert table["geodp_epsilon"].isna().all()
    assert table["geodp_protects"].str.startswith("nothing").all()


def test_intervals_of_a_table_hold_the_truth_as_often_as_they_say():
    cells = geodp.Districts(LAYER)
    held = [
        np.abs(release.counts) <= release.columns()["ci_high"] - release.counts
        for release in (
            geodp.release(([], []), epsilon=0.2, cells=cells, seed=seed) for seed in range(150)
        )
    ]
    share = np.mean(held)  # 900 intervals of discrete Laplace noise around nothing
    assert 0.93 < share < 0.98


@pytest.mark.parametrize("name", ["id", "ID", "fid", "Count", "geom", "name", "ci_low", "count_a"])
def test_levels_may_be_called_like_columns_of_files(name, tmp_path):
    layer = LAYER.rename(columns={"=land": name})
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(layer, levels=[name, "town"]))
    for suffix in (".gpkg", ".parquet", ".fgb"):
        release.to_vector(tmp_path / f"counts{suffix}")
        assert geodp.open_release(tmp_path / f"counts{suffix}").cells == release.cells
    release.to_csv(tmp_path / "counts.csv")
    table = pd.read_csv(tmp_path / "counts.csv")
    assert table[f"level_{name}"].tolist()[2:] == LAYER["=land"].tolist()


@pytest.mark.slow
def test_the_command_line_writes_tables_and_keeps_them(tmp_path):
    LAYER.to_file(tmp_path / "towns.gpkg")
    pd.DataFrame(POINTS).to_csv(tmp_path / "points.csv", index=False)
    words = ["release", tmp_path / "points.csv", "--x", "x", "--y", "y", "--points-crs", CRS]
    words += ["--districts", tmp_path / "towns.gpkg", "--district-name", "town", "--epsilon", "1"]
    table, layer = tmp_path / "counts.csv", tmp_path / "counts.gpkg"
    ran(*words, "-o", table, "-o", layer)
    counts = geodp.open_release(layer).counts
    assert pd.read_csv(table)["count"].tolist() == counts.tolist()
    # Epsilon was spent on it, so that it goes only where that is said.
    assert "is a release that epsilon was spent on" in refused(*words, "-o", table, "--force")
    ran(*words, "-o", table, "--overwrite")
    answers = tmp_path / "answers.csv"
    ran("query", layer, tmp_path / "towns.gpkg", "-o", answers)
    ran("query", layer, tmp_path / "towns.gpkg", "-o", answers, "--force")
    assert pd.read_csv(answers)["estimate"].tolist() == counts.tolist()
    assert "never written over" in refused(*words, "-o", tmp_path / "points.csv", "--force")
