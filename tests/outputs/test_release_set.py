"""ReleaseSet releases as files, maps, reports and answers."""

from __future__ import annotations

import re
import sqlite3
import xml.etree.ElementTree as ElementTree
from contextlib import closing

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import rasterio
import shapely

import geodp
from geodp.core.pictures.sheet import map_sheet
from geodp.core.publish.columns import band_names
from geodp.core.publish.metadata import release_tags
from geodp.core.publish.qgis_files import style_suffixes
from geodp.core.publish.qgis_style import labels_in_use, styles_in_time, view_styles
from geodp.core.publish.views import view_columns
from geodp.outputs.plot import picture
from geodp.outputs.vector import to_answers

TOWN = geodp.Domain((0.0, 0.0, 4000.0, 3000.0), crs="EPSG:5070")
KINDS = ("theft", "breaking, entering", "assault")


def make(cells: str = "regular", **options) -> geodp.ReleaseSet:
    rng = np.random.default_rng(3)
    n = 4000
    points = {
        "x": rng.beta(2, 5, n) * 4000,
        "y": rng.beta(2, 2, n) * 3000,
        "kind": rng.choice(KINDS, n, p=[0.6, 0.3, 0.1]),
        "who": rng.integers(0, 900, n),
    }
    given = {"by": geodp.Categories("kind", KINDS), "cells": cells, **options}
    return geodp.release(points, TOWN, epsilon=1, **given)


RELEASES = {"regular": make(), "adaptive": make("adaptive")}
DISTRICTS = gpd.GeoDataFrame(
    {"name": ["west", "east", "far"]},
    geometry=[
        shapely.box(*box)
        for box in ((0, 0, 1500, 3000), (1500, 0, 4000, 3000), (9000, 0, 9500, 900))
    ],
    crs=TOWN.crs.name,
)


@pytest.fixture(params=RELEASES)
def grouped(request) -> geodp.ReleaseSet:
    return RELEASES[request.param]


def alike(one: geodp.ReleaseSet, other: geodp.Release) -> bool:
    return (
        isinstance(other, geodp.ReleaseSet)
        and one.cells == other.cells
        and one.parts == other.parts
        and one.method == other.method
        and one.spends == other.spends
        and one.seeded == other.seeded
    )


@pytest.mark.parametrize("suffix", [".tif", ".gpkg", ".parquet", ".fgb"])
def test_what_is_written_opens_as_it_was(grouped, suffix, tmp_path):
    path = tmp_path / f"counts{suffix}"
    (grouped.to_geotiff if suffix == ".tif" else grouped.to_vector)(path)
    again = geodp.open_release(path)
    assert alike(grouped, again)
    boxes = [(100, 100, 2000, 1500)]
    for name in KINDS:
        assert again[name].query(boxes) == grouped[name].query(boxes)
    assert again.total.query(boxes) == grouped.total.query(boxes)


def test_one_group_and_the_total_are_releases_of_their_own(grouped, tmp_path):
    grouped["assault"].to_geotiff(tmp_path / "one.tif")
    one = geodp.open_release(tmp_path / "one.tif")
    assert one.counted == "Counts every record inside the extent whose kind is assault."
    assert one.measurements == grouped["assault"].measurements
    grouped.total.to_vector(tmp_path / "total.gpkg")
    total = geodp.open_release(tmp_path / "total.gpkg")
    assert total.measurements.terms == 3
    assert np.array_equal(total.variance, grouped.total.variance)
    assert "in sums of 3 of them" in total.describe()["noise_scale"].text


def test_a_raster_has_a_named_band_for_each_group(grouped, tmp_path):
    grouped.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        names = image.descriptions
        assert [name.partition(": ")[0] for name in names[:3]] == list(KINDS)
        first = 2 + len(band_names(grouped.cells))
        assert all("drawn" in name for name in names[first : first + len(KINDS)])
        asked = names[first + len(KINDS) :]
        if grouped.cells.grid is None:  # what is said of cells as a whole
            assert [each.partition(": ")[0] for each in asked[:-1]] == list(KINDS)
            assert all("in the whole cell" in each for each in asked)
            assert len(asked) == len(KINDS) + 1
        else:
            assert asked == ()
        for number, name in enumerate(KINDS, start=1):
            assert image.read(number).sum() == pytest.approx(grouped[name].counts.sum())
        assert image.tags()["GEODP_GROUPS"] == "; ".join(KINDS)
        assert image.tags()["GEODP_GROUPED_BY"] == "kind"
        assert image.dtypes[0] == "float32"


def test_views_have_a_band_for_each_group_too(grouped, tmp_path):
    grouped.to_geotiff(tmp_path / "density.tif", view="density")
    with rasterio.open(tmp_path / "density.tif") as image:
        assert image.count == 3
        assert image.descriptions[2].startswith("assault: noisy records per square kilometre")
    group = (tmp_path / "density.qlr").read_text(encoding="utf-8")
    assert group.count("<maplayer ") == 3
    assert [f'band="{number}"' in group for number in (1, 2, 3, 4)] == [True, True, True, False]
    fields = view_columns(grouped, "density")
    assert list(fields) == ["density_theft", "density_breaking_entering", "density_assault"]


def test_cells_have_a_column_for_each_group(grouped):
    cells = grouped.to_geodataframe()
    columns = ["count_theft", "count_breaking_entering", "count_assault"]
    assert [name for name in cells.columns if name.startswith("count")] == columns
    for name, column in zip(KINDS, columns):
        assert np.array_equal(cells[column], grouped[name].counts)
    if "std_error" in cells:
        assert np.allclose(cells["std_error"] ** 2, grouped["assault"].variance)
        assert "density_assault" in cells


def test_every_group_has_a_style(grouped, tmp_path):
    grouped.to_vector(tmp_path / "counts.gpkg")
    with closing(sqlite3.connect(tmp_path / "counts.gpkg")) as database:
        query = "SELECT styleName, useAsDefault, styleQML FROM layer_styles ORDER BY id"
        rows = database.execute(query).fetchall()
    names = (*KINDS, *([] if grouped.cells.grid else ["standard error"]))
    assert [row[:2] for row in rows] == [(name, int(name == "theft")) for name in names]
    field = grouped.legend.field
    assert f'attr="{field}_breaking_entering"' in rows[1][2]
    assert f'band="{6 if grouped.cells.grid else 8}"' in rows[2][2]
    grouped.to_geotiff(tmp_path / "raster.tif")
    beside = {path.suffix for path in tmp_path.glob("raster.*")}
    assert beside == {".tif", ".qml", ".qmd", ".qlr"}
    grouped.to_geotiff(tmp_path / "raster.tif", overwrite=True)


def test_a_layer_definition_opens_all_groups_as_a_group(grouped, tmp_path):
    grouped.to_geotiff(tmp_path / "raster & more.tif")
    document = ElementTree.parse(tmp_path / "raster & more.qlr")
    nodes = list(document.iter("layer-tree-layer"))
    names = [*KINDS, *([] if grouped.cells.grid else ["standard error"])]
    assert [node.get("name") for node in nodes] == names
    hidden = ["Qt::Unchecked"] * (len(names) - 1)
    assert [node.get("checked") for node in nodes] == ["Qt::Checked", *hidden]
    assert {node.get("source") for node in nodes} == {"./raster & more.tif"}
    members = list(document.iter("maplayer"))
    bands = [member.find("pipe/rasterrenderer").get("band") for member in members]
    assert bands == (["4", "5", "6"] if grouped.cells.grid else ["6", "7", "8", "4"])
    assert [member.findtext("id") for member in members] == [node.get("id") for node in nodes]
    assert all(
        grouped.promise in member.findtext("resourceMetadata/abstract") for member in members
    )
    assert document.find(".//temporal") is None


def test_cells_of_a_tree_have_a_style_of_their_error():
    styles = view_styles(RELEASES["adaptive"])
    assert list(styles) == [*KINDS, "standard error"]
    assert 'attr="std_error"' in styles["standard error"]
    assert 'band="4"' in styles["standard error"]
    labels = labels_in_use(RELEASES["adaptive"], "standard error")
    assert labels[0].endswith("or less (records: standard error)")
    assert labels[-1].endswith("or more")


@pytest.mark.parametrize("suffix", [".gpkg", ".fgb", ".geojson", ".shp"])
def test_names_of_groups_may_be_longer_than_those_of_files(suffix, tmp_path):
    """Names of files have 255 bytes, which are 85 letters of some scripts."""
    kinds = ["賊" * 300, "賊" * 301, "x" * 300]
    points = {"x": [1.0], "y": [1.0], "kind": kinds[:1]}
    grids = [geodp.Grid(TOWN, (2, 3))]
    long = geodp.release(
        points, cells=geodp.Regular(grids), epsilon=1, by=geodp.Categories("kind", kinds)
    )
    assert len(set(long.slugs)) == 3
    long.to_vector(tmp_path / f"counts{suffix}")
    assert len(list(tmp_path.glob("*.qml"))) == (0 if suffix == ".gpkg" else 3)
    districts = DISTRICTS.rename(columns={"name": "Область"})
    to_answers(long, long.query(districts, wide=True), tmp_path / f"answers{suffix}")
    assert len(gpd.read_file(tmp_path / f"answers{suffix}")) == 3
    if suffix in (".gpkg", ".fgb"):
        opened = geodp.open_release(tmp_path / f"counts{suffix}")
        assert opened.groups == tuple(kinds)
        assert opened.parts == long.parts


def test_a_group_may_be_called_like_a_style_of_ours():
    kinds = ["standard error", "over time"]
    named = make("adaptive", by=geodp.Categories("kind", kinds))
    assert list(view_styles(named)) == [*kinds, "standard error (geodp)"]


def test_a_layer_definition_of_times_says_when_to_show_each(tmp_path):
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    releases = geodp.release(
        ([], [], []), town, epsilon=1, by=geodp.Breaks("t", ["00:00", "06:00", "24:00"])
    )
    releases.to_geotiff(tmp_path / "day.tif")
    times = list(ElementTree.parse(tmp_path / "day.qlr").iter("fixedRange"))
    assert [(time.findtext("start"), time.findtext("end")) for time in times] == [
        ("1970-01-01T00:00:00Z", "1970-01-01T05:59:59Z"),
        ("1970-01-01T06:00:00Z", "1970-01-01T23:59:59Z"),
    ]
    assert next(iter(styles_in_time(releases))) == "over time"


def test_a_layer_definition_that_is_not_ours_is_kept(grouped, tmp_path):
    (tmp_path / "raster.qlr").write_text("<qlr>mine</qlr>")
    with pytest.raises(geodp.FileError, match=r"raster\.qlr exists"):
        grouped.to_geotiff(tmp_path / "raster.tif")
    grouped["theft"].to_geotiff(tmp_path / "raster.tif")
    assert (tmp_path / "raster.qlr").read_text() == "<qlr>mine</qlr>"


def test_styles_differ_in_the_field_and_the_band_alone(grouped):
    first, *others = (view_styles(grouped)[name] for name in grouped.groups)
    field = grouped.legend.field
    start = 4 if grouped.cells.grid else 6
    for number, (slug, style) in enumerate(zip(grouped.slugs[1:], others), start=start + 1):
        plain = style.replace(f"{field}_{slug}", f"{field}_theft")
        assert plain.replace(f'band="{number}"', f'band="{start}"') == first
    assert len(style_suffixes([str(n) for n in range(99)])) == 24


def test_a_shapefile_has_short_names(grouped, tmp_path):
    grouped.to_vector(tmp_path / "counts.shp")
    table = gpd.read_file(tmp_path / "counts.shp")
    assert {"c1_theft", "c2_breakin", "c3_assault"} <= set(table.columns)
    assert np.allclose(table["c3_assault"].sort_values(), np.sort(grouped["assault"].counts))
    styles = sorted(tmp_path.glob("*.qml"))
    assert len(styles) == 3
    for path in styles:  # each colours a field that is there
        (field,) = re.findall('attr="(.*?)"', path.read_text(encoding="utf-8"))
        assert field in table.columns


def test_geojson_holds_all_groups(grouped, tmp_path):
    grouped.to_vector(tmp_path / "counts.geojson")
    table = gpd.read_file(tmp_path / "counts.geojson")
    assert "count_assault" in table
    assert len(table) == len(grouped.cells)


@pytest.mark.parametrize("change", ["band", "swap", "column"])
def test_changed_groups_are_refused(change, tmp_path):
    grouped = RELEASES["regular"]
    path = tmp_path / "counts.tif"
    grouped.to_geotiff(path)
    if change == "column":
        path = tmp_path / "counts.parquet"
        grouped.to_vector(path)
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        names = ["count_theft" if n == "count_assault" else n for n in table.column_names]
        names[table.column_names.index("count_theft")] = "count_assault"
        pq.write_table(table.rename_columns(names), path)
    else:
        with rasterio.open(path) as image:
            bands, profile, tags = image.read(), image.profile, image.tags()
        bands = bands[[1, 0, 2]] if change == "swap" else bands[:2]
        profile.update(driver="GTiff", count=len(bands), tiled=False)
        for key in ("blockxsize", "blockysize", "interleave"):
            profile.pop(key, None)
        with rasterio.open(path, "w", **profile) as image:
            image.write(bands)
            image.update_tags(**tags)
    with pytest.raises(geodp.FileError, match="cannot be opened"):
        geodp.open_release(path)


def test_older_programs_do_not_take_it_for_what_they_know():
    assert release_tags(RELEASES["regular"])["GEODP_FORMAT"] == "2+groups"
    assert release_tags(RELEASES["adaptive"])["GEODP_FORMAT"] == "3+groups"
    assert release_tags(RELEASES["regular"]["theft"])["GEODP_FORMAT"] == "2"


# --- answers ----------------------------------------------------------------------------------


def test_one_row_for_each_region_and_group(grouped):
    answers = grouped.query(DISTRICTS)
    assert answers["name"].tolist() == ["west"] * 3 + ["east"] * 3 + ["far"] * 3
    assert answers["group"].tolist() == [*KINDS] * 3
    assert answers.columns.get_loc("group") == answers.columns.get_loc("estimate") - 1
    assert isinstance(answers, gpd.GeoDataFrame)
    assert answers.crs == DISTRICTS.crs
    assert answers["estimate"].isna().tolist() == [False] * 6 + [True] * 3
    for name in KINDS:
        expected = grouped[name].query(DISTRICTS)
        rows = answers[answers["group"] == name].drop(columns="group")
        pd.testing.assert_frame_equal(pd.DataFrame(rows), pd.DataFrame(expected))
    assert answers.attrs["geodp_counted"] == grouped.counted


def test_or_one_column_for_each_group(grouped):
    answers = grouped.query(DISTRICTS, wide=True, level=0.5, density=True)
    assert len(answers) == 3
    assert answers["covered"].tolist() == [1, 1, 0]
    assert "estimate_breaking_entering" in answers
    assert "density_low_assault" in answers
    narrow = grouped["assault"].query(DISTRICTS, level=0.5)
    assert answers["ci_high_assault"].tolist()[:2] == narrow["ci_high"].tolist()[:2]


def test_answers_are_written(grouped, tmp_path):
    for wide in (False, True):
        answers = grouped.query(DISTRICTS, wide=wide)
        for suffix in ("gpkg", "csv", "shp"):
            path = tmp_path / f"answers{wide}.{suffix}"
            to_answers(grouped, answers, path)
            assert len(pd.read_csv(path) if suffix == "csv" else gpd.read_file(path)) == len(
                answers
            )


# --- maps and pages ---------------------------------------------------------------------------


@pytest.mark.slow
def test_maps_stand_side_by_side_in_one_scale(grouped):
    from matplotlib import pyplot

    axes = grouped.with_about(title="Kinds", source="here").plot(boundary=DISTRICTS)
    assert [ax.get_label() for ax in axes] == list(KINDS)
    figure = axes[0].figure
    colours = {class_.colour for class_ in grouped.legend.classes}
    for ax in axes:
        assert {*map(tuple, ax.images[0].get_array()[..., :3].reshape(-1, 3).tolist())} <= colours
    assert len(figure.axes) == 3
    words = [text.get_text() for text in figure.texts]
    assert words[0] == "Kinds"
    assert re.fullmatch("Records per .*km² by kind, protected", words[1])
    assert words[2:5] == list(KINDS)
    labels = [class_.label for class_ in grouped.legend.classes]
    assert words[6 : 6 + len(labels)] == labels, "once for all of them"
    assert "Source: here" in words
    pale = grouped.plot(uncertainty=True)
    assert "below half" in [text.get_text() for text in pale[0].figure.texts]
    pyplot.close("all")
    with pytest.raises(geodp.InputError, match="a figure of their own"):
        grouped.plot(pyplot.subplots()[1])
    pyplot.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 5, 24])
def test_any_number_of_maps_fits_a_page(count):
    hours = geodp.release(
        ([], [], []),
        TOWN,
        epsilon=1,
        by=geodp.Breaks("hour", range(count + 1)),
        cells=geodp.Regular(),
    )
    assert picture(hours, dpi=20).startswith(b"\x89PNG")
    wide, high = map_sheet(hours).size
    assert wide <= 11
    assert high <= 12


def test_the_report_tells_of_every_group(grouped, tmp_path):
    grouped.to_report(tmp_path / "r.html", regions=DISTRICTS)
    page = (tmp_path / "r.html").read_text()
    assert "<h2>Groups</h2>" in page
    assert "<h2>Regions by group</h2>" in page
    assert "all groups" in page
    for name in KINDS:
        assert f"<td>{name}</td>" in page


def test_what_is_said(grouped):
    description = grouped.describe()
    assert description["groups"].value == list(KINDS)
    assert set(description["estimated_records_of_groups"].value) == set(KINDS)
    assert description["epsilon"].value == 1
    assert (
        description["std_error_of_a_cell"].value
        == grouped["theft"].describe()["std_error_of_a_cell"].value
    )
    assert "whose kind is theft, breaking, entering or assault" in grouped.counted
    person = geodp.Person("who", max_records=3)
    people = make(by=geodp.Categories("kind", KINDS, other="other"), protect=person)
    assert people.counted == (
        "Counts at most 3 records of each person and no record without a person, over all groups "
        "together: any sum may fall short of all records by an unknown share."
    )
    assert "; of these, records whose kind is theft: any" in people["theft"].counted


def test_a_labelled_array_has_a_dimension_of_groups(grouped):
    pytest.importorskip("xarray")
    labelled = grouped.to_xarray()
    assert labelled["count"].dims == ("group", "y", "x")
    assert labelled["group"].values.tolist() == list(KINDS)
    assert float(labelled["count"].sel(group="assault").sum()) == pytest.approx(
        grouped["assault"].counts.sum()
    )


@pytest.mark.slow
def test_a_map_to_move_about_in_has_a_switch(grouped):
    pytest.importorskip("folium")
    page = grouped.explore().get_root().render()
    assert "layer_control" in page
    assert page.count("If no map appears here") == 1
    for name in KINDS:
        assert name in page
    border = shapely.box(*grouped.domain.bounds)
    outline = gpd.GeoSeries([border], crs=grouped.domain.crs.name)
    assert grouped.explore(outline).get_root().render().count('"LineString"') == 1


def test_a_page_is_made_where_noise_leaves_less_of_all_than_of_one_group(tmp_path):
    """Next to no epsilon: a group seems to have millions of records, and all hardly any."""
    town = geodp.Domain((0, 0, 8000, 8000), crs="EPSG:5070")
    releases = geodp.release(
        {"x": [], "y": [], "who": [], "kind": []},
        town,
        epsilon="0.00025",
        cells=geodp.Regular(sizes=[12]),
        by=geodp.Categories("kind", [f"k{number}" for number in range(12)]),
        protect=geodp.Person("who", 60, "replace"),
        seed=4,
        force=True,
    )
    totals = [float(one.counts.sum()) for one in releases.values()]
    assert sum(totals) < 0 < 1e7 < max(totals)
    releases.to_report(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 10_000_000
