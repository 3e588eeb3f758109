"""Counts for districts: every polygon of a public layer is a cell, alone or in levels."""

from __future__ import annotations

from fractions import Fraction

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from checks import laplace_fit_by_quantiles

import geodp
from geodp.core.common.compact import unzipped, zipped
from geodp.core.releases.verification import costliest_path

CRS = "EPSG:5070"
SIDE = 6
ROWS = [
    (f"state {x // 3}", f"county {x}-{y}", shapely.box(x, y, x + 1, y + 1))
    for x in range(SIDE)
    for y in range(SIDE)
]
COUNTIES = gpd.GeoDataFrame(
    {"state": [row[0] for row in ROWS], "county": [row[1] for row in ROWS]},
    geometry=[shapely.affinity.scale(row[2], 1000, 1000, origin=(0, 0)) for row in ROWS],
    crs=CRS,
)
STATES = COUNTIES.dissolve("state").reset_index()
RNG = np.random.default_rng(5)
X, Y = RNG.uniform(-500, 6500, 4000), RNG.uniform(-500, 6500, 4000)
POINTS = gpd.GeoDataFrame({"who": np.arange(4000) // 4}, geometry=gpd.points_from_xy(X, Y), crs=CRS)


def truth(layer: gpd.GeoDataFrame) -> np.ndarray:
    """Count in half-open squares, which hold what their south-west corner says."""
    cell = np.floor(X / 1000) * SIDE + np.floor(Y / 1000)
    inside = (X >= 0) & (X < 6000) & (Y >= 0) & (Y < 6000)
    counts = np.bincount(cell[inside].astype(int), minlength=SIDE * SIDE)
    if "county" in layer:
        return counts
    return counts.reshape(2, -1).sum(axis=1)


def test_every_district_has_its_count_and_noise_alone():
    release = geodp.release(POINTS, epsilon=10**6, cells=geodp.Districts(COUNTIES), force=True)
    assert release.counts.tolist() == truth(COUNTIES).tolist()
    table = release.to_geodataframe()
    assert table["district"].tolist() == COUNTIES["county"].tolist()
    assert release.epsilon == 10**6


def test_the_noise_of_districts_is_that_of_plain_laplace_noise():
    cells = geodp.Districts(COUNTIES)
    noise = [
        geodp.release(([], []), epsilon=Fraction(1, 3), cells=cells, force=True).counts
        for _ in range(80)
    ]
    assert laplace_fit_by_quantiles(np.concatenate(noise), Fraction(3)) > 1e-9


def test_asking_about_the_same_layer_gives_the_measured_numbers():
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES))
    answers = release.query(COUNTIES)
    assert np.array_equal(answers["estimate"], release.counts)
    assert (answers["border_share"] == 0).all()
    assert np.allclose(answers["std_error"], np.sqrt(release.variance))
    unions = release.query(STATES)
    sums = release.counts.reshape(2, -1).sum(axis=1)
    assert np.allclose(unions["estimate"], sums)
    assert np.allclose(unions["noise_error"] ** 2, 18 * release.variance[0])
    part = release.query([(0.0, 0.0, 500.0, 1000.0)])
    assert part.estimate == pytest.approx([release.counts[0] / 2])
    assert part.std_error[0] > part.noise_error[0]  # what is inside a district is not known


def test_levels_agree_and_are_better_than_sums_of_the_finest():
    cells = geodp.Districts(COUNTIES, levels=["state", "county"])
    release = geodp.release(POINTS, epsilon=1, cells=cells)
    fit = release.estimate.fit
    assert np.allclose(fit.estimates[0], release.counts.reshape(2, -1).sum(axis=1))
    flat = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES))
    assert (fit.variances[0] < 0.7 * 18 * flat.variance[0]).all()
    answers = release.query(STATES)
    assert np.allclose(answers["estimate"], fit.estimates[0])
    assert np.allclose(answers["noise_error"] ** 2, fit.variances[0])
    assert [spend.step for spend in release.spends] == ["state", "counts"]
    result = geodp.verify(release)
    assert result.holds
    assert result.recomputed == costliest_path(release.measurements, cells.cells.levels, 1) == 1


def test_a_level_that_does_not_pay_is_left_out():
    few = COUNTIES[COUNTIES["county"].str.endswith(("-0", "-1"))]
    cells = geodp.Districts(few, levels=["state", "county"])
    release = geodp.release(POINTS, epsilon=1, cells=cells)
    assert [spend.step for spend in release.spends] == ["counts"]


def test_units_with_more_districts_take_less_from_them():
    """With 12, 64 and 11 districts: 3/10 of ε, 1/5, and nothing."""
    sizes = {"a": 12, "b": 64, "c": 11}
    state = [name for name, size in sizes.items() for _ in range(size)]
    shapes = [shapely.box(x, 0, x + 1, 1) for x in range(len(state))]
    layer = gpd.GeoDataFrame(
        {"state": state, "county": np.arange(len(state)).astype(str)}, geometry=shapes, crs=CRS
    )
    cells = geodp.Districts(layer, levels=["state", "county"])
    release = geodp.release(([], []), epsilon=1, cells=cells, seed=1)
    measured = release.measurements
    scales = [measured.scales[each] for each in measured.scale.tolist()]
    scale_by_node = dict(zip(measured.node.tolist(), scales))
    first = 1 + len(sizes)
    assert [scale_by_node.get(node) for node in (1, 2, 3)] == [Fraction(10, 3), 5, None]
    expected = [Fraction(10, 7)] * 12 + [Fraction(5, 4)] * 64 + [Fraction(1)] * 11
    assert [scale_by_node[first + place] for place in range(len(state))] == expected
    assert geodp.verify(release).recomputed == 1


@pytest.mark.parametrize("levels", [None, ["state", "county"]])
@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_files_open_again(levels, suffix, tmp_path):
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES, levels=levels))
    file = tmp_path / f"counts{suffix}"
    release.to_vector(file)
    again = geodp.open_release(file)
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    assert np.allclose(again.counts, release.counts)
    assert geodp.verify(file).holds


def test_groups_and_persons_are_counted_in_districts():
    kinds = geodp.Categories("kind", ["a", "b"])
    points = POINTS.assign(kind=np.where(np.arange(4000) % 3, "a", "b"))
    cells = geodp.Districts(COUNTIES)
    release = geodp.release(points, epsilon=10**6, cells=cells, by=kinds, force=True)
    assert release.total.counts.tolist() == truth(COUNTIES).tolist()
    person = geodp.Person("who", 2)
    people = geodp.release(points, epsilon=1, cells=cells, protect=person)
    assert people.scale == 2
    assert geodp.verify(people).holds


def test_points_in_another_crs_are_brought_to_the_districts():
    elsewhere = POINTS.to_crs("EPSG:4326")
    release = geodp.release(elsewhere, epsilon=10**6, cells=geodp.Districts(COUNTIES), force=True)
    assert np.abs(release.counts - truth(COUNTIES)).max() <= 1  # points near borders move


@pytest.mark.slow
def test_a_map_and_a_report_are_drawn(tmp_path):
    release = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES))
    assert release.plot() is not None
    release.to_report(tmp_path / "r.html")
    assert "districts" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.iloc[:0], "one polygon at least"),
        (lambda c: c.set_crs(None, allow_override=True), "needs a CRS"),
        (
            lambda c: c.assign(geometry=c.boundary),
            "this layer has none, only geometries of the type LineString",
        ),
        (lambda c: c.assign(geometry=[None, *c.geometry[1:]]), "has no geometry"),
        (lambda c: c.assign(geometry=[c.geometry[1], *c.geometry[1:]]), "county 0-0.*county 0-1"),
        (
            lambda c: c.assign(
                geometry=[
                    shapely.Polygon([(0, 0), (900, 900), (900, 0), (0, 900)]),
                    *c.geometry[1:],
                ]
            ),
            "not a valid polygon|is not",
        ),
        (
            lambda c: c.assign(geometry=[shapely.box(0, 0, 1000, 1500), *c.geometry[1:]]),
            "county 0-0.*county 0-1",
        ),
        (lambda c: c.drop(columns="geometry"), "GeoDataFrame"),
        (lambda c: gpd.GeoDataFrame(c.drop(columns="geometry")), "a column of geometries"),
        (lambda c: c.set_axis(["town", "town", "geometry"], axis=1), "'town' is there twice"),
        (
            lambda c: c[["county", "geometry"]].assign(county=[None, *c.county[1:]]),
            "every district needs a value in 'county'",
        ),
        (
            lambda c: c.assign(county=pd.Series(["a\ud800", *c.county[1:]], dtype=object)),
            r"'a\\ud800' is not",
        ),
    ],
)
def test_layers_that_are_no_districts_are_refused_before_anything_is_read(change, words):
    with pytest.raises(geodp.GeodpError, match=words):
        geodp.release(object(), epsilon=1, cells=geodp.Districts(change(COUNTIES)))


def test_names_and_levels_are_columns_of_the_layer():
    with pytest.raises(geodp.InputError, match="there is no 'town'"):
        geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES, name="town"))
    with pytest.raises(geodp.InputError, match="'state 0' is more than once in 'state'"):
        geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES, name="state"))
    town = geodp.Domain((0, 0, 6000, 6000), crs=CRS)
    with pytest.raises(geodp.InputError, match="leave it out"):
        geodp.release(POINTS, town, epsilon=1, cells=geodp.Districts(COUNTIES))
    states = geodp.release(POINTS, epsilon=1, cells=geodp.Districts(COUNTIES, levels=["state"]))
    assert len(states.cells) == 2  # rows that are alike on all levels are one district
    numbered = COUNTIES.rename(columns={"county": 0, "geometry": 1}).set_geometry(1)
    assert geodp.Districts(numbered).cells.districts.ids[0] == "county 0-0"


def test_levels_the_wrong_way_round_are_refused():
    with pytest.raises(geodp.InputError, match="every unit of 'county' holds a single 'state'"):
        _ = geodp.Districts(COUNTIES, levels=["county", "state"]).cells
    with pytest.raises(geodp.InputError, match="'state' is there twice"):
        _ = geodp.Districts(COUNTIES, levels=["state", "state"]).cells
    alone = STATES.drop(columns="county").assign(capital=["A", "B"])
    assert len(geodp.Districts(alone, levels=["state", "capital"]).cells) == 2


def test_repaired_districts_are_their_polygons():
    """What repairs leave beside an area, lines and points, holds no record."""
    corners = [(0, 0), (1, 0), (1, 1), (2, 1), (1, 1), (0, 1)]
    repaired = shapely.make_valid(shapely.Polygon(corners))
    assert repaired.geom_type == "GeometryCollection"
    layer = gpd.GeoDataFrame(geometry=[repaired], crs=CRS)
    assert geodp.Districts(layer).cells.districts.areas.tolist() == [1.0]
    line = shapely.GeometryCollection([shapely.LineString([(0, 0), (1, 1)])])
    lines = gpd.GeoDataFrame(geometry=[line], crs=CRS)
    with pytest.raises(geodp.InputError, match="is no polygon"):
        _ = geodp.Districts(lines).cells


def test_a_district_of_hardly_any_area_is_drawn(tmp_path):
    shapes = [shapely.box(0, 0, 500, 1000), shapely.box(500, 0, 500 + 1e-9, 1e-9)]
    layer = geodp.Districts(gpd.GeoDataFrame(geometry=shapes, crs=CRS))
    release = geodp.release(POINTS, epsilon=1, cells=layer)
    assert np.isfinite(release.to_geodataframe()["density"]).all()
    release.to_report(tmp_path / "r.html")


def test_layers_that_nest_are_levels_as_columns_are():
    """Whatever the CRS of a larger layer, and though its borders are slivers off."""
    options = {"epsilon": 1, "seed": 4}
    columns = geodp.Districts(COUNTIES, levels=["state", "county"])
    wanted = geodp.release(POINTS, cells=columns, **options).to_geodataframe()
    states, counties = STATES[["state", "geometry"]], COUNTIES[["county", "geometry"]]
    off = states.assign(geometry=states.translate(3.0, -2.0))
    for larger in (states, states.to_crs(4326), off):
        release = geodp.release(POINTS, cells=geodp.Districts([larger, counties]), **options)
        assert release.cells.levels.names == ("state", "county")
        assert release.to_geodataframe().equals(wanted)
    rooted = geodp.Adaptive(districts=geodp.Districts([states, counties]))
    assert geodp.release(POINTS, cells=rooted, **options).cells.levels.names == ("state", "county")


def test_levels_of_layers_are_named_by_columns_and_numbered_where_these_are_alike():
    states = STATES[["state", "geometry"]].rename(columns={"state": "name"})
    counties = COUNTIES.rename(columns={"county": "name"})
    assert geodp.Districts([states, counties]).cells.levels.names == ("name 1", "name 2")
    named = geodp.Districts([states, COUNTIES], levels=["name", "county"])
    assert named.cells.levels.names == ("name", "county")


ROWS_OF = gpd.GeoDataFrame(
    {"row": ["low", "high"]},
    geometry=[shapely.box(0, 0, 6000, 3000), shapely.box(0, 3000, 6000, 6000)],
    crs=CRS,
)


@pytest.mark.parametrize(
    ("layers", "options", "words"),
    [
        ([COUNTIES, STATES], {}, "'state 0' has 6% of its area in 'county"),
        ([STATES.iloc[:1], COUNTIES], {}, "'county 3-0' is in none of them"),
        ([STATES.assign(geometry=STATES.buffer(500)), COUNTIES], {}, "which others overlap"),
        ([STATES, ROWS_OF, COUNTIES], {}, "districts of 'low' lie in 'state 0' and in 'state 1'"),
        ([COUNTIES], {}, "two layers"),
        ([STATES, COUNTIES], {"levels": ["state"]}, "each of the 2 layers; got 1"),
        ([STATES, COUNTIES], {"levels": ["state", "town"]}, "layer 2 has no 'town'"),
        ([STATES[["geometry"]], COUNTIES], {}, "layer 1 has no column of text"),
        ([STATES, COUNTIES], {"name": "county"}, "leave it out"),
        ([STATES.set_crs(None, allow_override=True), COUNTIES], {}, "needs a CRS"),
        ([STATES, 3], {}, "got a int"),
    ],
)
def test_layers_that_do_not_nest_are_refused(layers, options, words):
    with pytest.raises(geodp.GeodpError, match=words):
        _ = geodp.Districts(layers, **options).cells


@pytest.mark.parametrize(
    ("shared", "crs", "words"),
    [
        ([0], CRS, None),
        ([1e-4], CRS, "two share about 0.1 m²; records there count in the first"),
        ([1e-7], CRS, "two share less than 0.01 m²; records there count in the first"),
        ([1e-4, 2e-4], CRS, "2 pairs share about 0.3 m² in all; records there count in the first"),
        ([2e-4], "EPSG:2263", "two share about 0.0186 m²"),
        ([1e-9], "EPSG:4326", "two share about 12"),
    ],
)
def test_the_report_says_how_large_slivers_of_overlap_are(shared, crs, words, tmp_path):
    """In square metres, whatever the unit: that of EPSG:2263 is a foot."""
    side = 1.0 if crs == "EPSG:4326" else 1000.0
    edges = np.arange(len(shared) + 2) * side
    starts = edges[:-1] - [0, *shared]
    boxes = [shapely.box(west, 0, east, side) for west, east in zip(starts, edges[1:])]
    layer = gpd.GeoDataFrame({"name": [f"d{place}" for place in range(len(boxes))]}, geometry=boxes)
    districts = geodp.Districts(layer.set_crs(crs))
    for cells in (districts, geodp.Adaptive(districts=districts)):
        release = geodp.release(([0.5 * side], [0.5 * side]), epsilon=1, cells=cells, force=True)
        slivers = release.describe().as_dict().get("slivers")
        assert (slivers is None) == (words is None)
        release.to_report(tmp_path / "report.html", overwrite=True)
        page = (tmp_path / "report.html").read_text()
        assert ("Overlaps of districts" in page) == (words is not None)
        assert words is None or words in page


def test_a_record_on_a_border_is_in_one_district():
    x, y = (each.ravel() * 1000.0 for each in np.meshgrid(np.arange(7), np.arange(7)))
    release = geodp.release(
        gpd.GeoDataFrame(geometry=gpd.points_from_xy(x, y), crs=CRS),
        epsilon=10**6,
        cells=geodp.Districts(COUNTIES),
        force=True,
    )
    assert release.counts.tolist() == [1] * 36  # those on the outer east and north are outside


# --- forecasts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("levels", [None, ["state", "county"]])
@pytest.mark.parametrize(
    "protect", [geodp.Record(), geodp.Record("replace"), geodp.Person("who", 3)], ids=str
)
def test_a_forecast_of_districts_is_what_the_release_states(levels, protect):
    cells = geodp.Districts(COUNTIES, levels=levels)
    foreseen = geodp.forecast(cells=cells, epsilons=[Fraction(1, 3), 1], protect=protect)
    assert foreseen.epsilons == (Fraction(1, 3), 1)
    release = geodp.release(POINTS, epsilon=1, cells=cells, protect=protect)
    outlooks = {outlook.level: outlook for outlook in foreseen.outlooks if outlook.epsilon == 1}
    asked = {"county": COUNTIES, "district": COUNTIES, "state": STATES}
    assert list(outlooks) == (levels or ["district"])
    for level, outlook in outlooks.items():
        answers = release.query(asked[level])
        assert np.allclose(outlook.std_error, answers["std_error"])
        assert np.allclose(outlook.half_width, (answers["ci_high"] - answers["ci_low"]) / 2)


def test_a_forecast_of_districts_is_a_table_a_file_and_a_picture(tmp_path):
    cells = geodp.Districts(COUNTIES, levels=["state", "county"])
    forecast = geodp.forecast(cells=cells, epsilons=[0.1, 1])
    rows = forecast.table()
    assert [(row["epsilon"], row["level"], row["units"]) for row in rows] == [
        *((0.1, "state", 2), (0.1, "county", 36), (1.0, "state", 2), (1.0, "county", 36)),
    ]
    assert rows[0]["std_error"] > 9 * rows[2]["std_error"]
    assert len(forecast.as_text().splitlines()) == 6
    listed = forecast.as_dict()["outlooks"][1]["districts"]["half_width"]
    assert listed == pytest.approx([rows[1]["half_width"]] * 36)
    frame = forecast.to_dataframe()
    assert len(frame) == 2 * 38
    assert frame["district"].tolist()[:3] == ["state 0", "state 1", "county 0-0"]
    forecast.to_csv(tmp_path / "plan.csv")
    with pytest.raises(geodp.FileError, match="exists"):
        forecast.to_csv(tmp_path / "plan.csv")
    assert forecast.plot().get_legend_handles_labels()[1] == ["state", "county"]


def test_districts_are_foreseen_by_themselves():
    cells = geodp.Districts(COUNTIES)
    town = geodp.Domain((0, 0, 6000, 6000), crs=CRS)
    for options, words in (
        ({"cells": [cells, "adaptive"]}, "other cells"),
        ({"cells": cells, "expected": 10}, "expected counts"),
        ({"cells": cells, "regions": COUNTIES}, "regions"),
        ({"cells": cells, "domain": town}, "a domain"),
    ):
        with pytest.raises(geodp.InputError, match=f"got {words} too"):
            geodp.forecast(**options)
    with pytest.raises(geodp.InputError, match="at least one epsilon"):
        geodp.forecast(cells=cells, epsilons=[])


def test_corners_of_a_file_unfold_within_bounds():
    """Zeros pack a thousand to one: what a few characters can hold is bounded all the same."""
    cells = geodp.release((X, Y), epsilon=1, cells=geodp.Districts(COUNTIES)).cells
    facts = cells.to_facts()
    assert type(cells).from_facts(facts, cells.domain, 100) == cells
    for corners, lengths in ((10**6, [10**6]), (4, [2**59, 2**59 + 4]), (10**5, [2**62] * 4)):
        packed = {"corners": zipped(bytes(16 * corners)), "rings": lengths}
        packed["owners"] = [0] * len(lengths)
        with pytest.raises(ValueError, match=r"more corners|longer"):
            type(cells).from_facts({"districts": facts["districts"] | packed}, cells.domain, 100)
    with pytest.raises(ValueError, match="longer"):
        unzipped(zipped(bytes(10**6)), 0)
